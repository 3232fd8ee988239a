// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Through given points (x_i, y_i), constant outside. Linear: straight lines; at a point the slope
// of the line to its right. Cubic: the natural spline, with second derivatives M_i (moments) from
//     h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (d_i - d_{i-1}),   M_0 = M_n = 0,
// where h_i = x_{i+1} - x_i and d_i = (y_{i+1} - y_i) / h_i.
#include "base/error.h"
#include "math/function_set.h"

/// An instance.
typedef struct params {
    kai_function_table_params given;
    kai_table moments; // second derivatives at the points, of cubic ones
} params;

typedef kai_function_table_params given;

static double x_at(const given* p, uint32_t i) { return p->points.data[2 * i]; }
static double y_at(const given* p, uint32_t i) { return p->points.data[2 * i + 1]; }

/// The interval that holds x, for x inside the table.
static uint32_t interval(const given* p, double x)
{
    uint32_t low = 0, high = p->points.rows - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (x_at(p, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static kai_jet evaluate(const kai_function_set* set, const void* instance, double x)
{
    (void)set;
    const params* whole = instance;
    const given* p = &whole->given;
    const uint32_t last = p->points.rows - 1;
    if (x < x_at(p, 0)) return (kai_jet){y_at(p, 0), 0.0, 0.0};
    if (x >= x_at(p, last)) return (kai_jet){y_at(p, last), 0.0, 0.0};

    const uint32_t i = interval(p, x);
    const double h = x_at(p, i + 1) - x_at(p, i);
    const double slope = (y_at(p, i + 1) - y_at(p, i)) / h;
    const double u = x - x_at(p, i);
    if (p->interpolation == KAI_INTERPOLATION_LINEAR)
        return (kai_jet){y_at(p, i) + slope * u, slope, 0.0};

    const double m0 = whole->moments.data[i], m1 = whole->moments.data[i + 1];
    const double a = slope - h * (2.0 * m0 + m1) / 6.0, b = 0.5 * m0, c = (m1 - m0) / (6.0 * h);
    return (kai_jet){y_at(p, i) + u * (a + u * (b + u * c)), a + u * (2.0 * b + 3.0 * c * u),
                     2.0 * b + 6.0 * c * u};
}

/// Solves the tridiagonal system for the moments; `upper` [n] is scratch.
static void natural_spline(const given* p, double* moments, double* upper)
{
    const uint32_t last = p->points.rows - 1;
    moments[0] = moments[last] = upper[0] = 0.0;
    for (uint32_t i = 1; i < last; i++) {
        const double h0 = x_at(p, i) - x_at(p, i - 1), h1 = x_at(p, i + 1) - x_at(p, i);
        const double d0 = (y_at(p, i) - y_at(p, i - 1)) / h0,
                     d1 = (y_at(p, i + 1) - y_at(p, i)) / h1;
        const double pivot = 2.0 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        moments[i] = (6.0 * (d1 - d0) - h0 * moments[i - 1]) / pivot;
    }
    for (uint32_t i = last; i-- > 1;) moments[i] -= upper[i] * moments[i + 1];
}

static kai_result prepare(const kai_function_set* set, void* instance, kai_error* err)
{
    params* p = instance;
    kai_memory* memory = set->store.memory;
    const size_t bytes = p->given.points.rows * sizeof(double);
    if (p->given.interpolation != KAI_INTERPOLATION_CUBIC) return KAI_OK;
    double* moments = kai_memory_allocate(memory, bytes);
    double* upper = kai_memory_allocate(memory, bytes);
    if (!moments || !upper) {
        kai_memory_release(memory, moments, bytes);
        kai_memory_release(memory, upper, bytes);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a spline of %u points",
                             p->given.points.rows);
    }
    natural_spline(&p->given, moments, upper);
    kai_memory_release(memory, upper, bytes);
    for (uint32_t i = 0; i < p->given.points.rows; i++) {
        if (isfinite(moments[i])) continue;
        kai_memory_release(memory, moments, bytes);
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "table: the spline is not finite at row %u",
                             i);
    }
    p->moments = (kai_table){.data = moments, .rows = p->given.points.rows, .columns = 1};
    return KAI_OK;
}

static kai_result check(const void* instance, kai_error* err)
{
    const given* p = instance;
    for (uint32_t i = 1; i < p->points.rows; i++)
        if (!(x_at(p, i) > x_at(p, i - 1)))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "table: x of row %u is %.15g after %.15g; must increase", i,
                                 x_at(p, i), x_at(p, i - 1));
    return KAI_OK;
}

static const char* const WORDS[] = {"linear", "cubic", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(TABLE, kai_function_table_params, points, .columns = 2, .rows_min = 2, .main = true,
              .required = true, .doc = "Rows [x, y] with increasing x; constant outside."),
    KAI_PARAM(ENUM, kai_function_table_params, interpolation, .words = WORDS,
              .doc = "Straight lines, or the natural cubic spline."),
    KAI_PARAM(TABLE, params, moments, .columns = 1, .hidden = true),
};

const kai_function_kind kai_function_table = {
    .kind = KAI_KIND("table", params, PARAMS, .given = sizeof(kai_function_table_params),
                     .check = check, .doc = "Interpolates between given points."),
    .evaluate = evaluate,
    .prepare = prepare};
