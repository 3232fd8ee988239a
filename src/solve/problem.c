// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/problem.h"

#include "base/check.h"

#include <math.h>
#include <stdlib.h>

static const double SYMMETRIC = 1e-8; // of the largest entry

// Memory -----------------------------------------------------------------------------------------

kai_problem* kai_problem_new(void)
{
    kai_problem* p = calloc(1, sizeof *p);
    if (p != NULL) kai_memory_init(&p->system.memory, NULL);
    return p;
}

double* kai_problem_numbers(size_t count)
{
    return count < SIZE_MAX / sizeof(double) ? calloc(count + 1, sizeof(double)) : NULL;
}

void kai_problem_free(kai_problem* problem)
{
    if (problem == NULL) return;
    double* const blocks[] = {problem->f, problem->w, problem->b, problem->mu,
                              problem->v, problem->u, problem->r, problem->l};
    kai_problem_matrix* const matrices[] = {&problem->M, &problem->H, &problem->G, &problem->W};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        kai_problem_matrix_free(matrices[i]);
    kai_problem_system_free(problem);
    free(problem);
}

kai_result kai_problem_make_solution(kai_problem* p, kai_error* err)
{
    if (p->v == NULL) p->v = kai_problem_numbers(p->velocities);
    if (p->l == NULL) p->l = kai_problem_numbers(p->equations);
    if (p->u == NULL) p->u = kai_problem_numbers(3 * p->contacts);
    if (p->r == NULL) p->r = kai_problem_numbers(3 * p->contacts);
    if (p->v != NULL && p->l != NULL && p->u != NULL && p->r != NULL) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a solution");
}

void kai_problem_drop_solution(kai_problem* p)
{
    double** const blocks[] = {&p->v, &p->u, &p->r, &p->l};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(*blocks[i]);
        *blocks[i] = NULL;
    }
}

// Matrices ---------------------------------------------------------------------------------------

void kai_problem_matrix_free(kai_problem_matrix* a)
{
    free(a->first);
    free(a->row);
    free(a->value);
    *a = (kai_problem_matrix){0};
}

static bool matrix_take(size_t rows, size_t columns, size_t count, kai_problem_matrix* out)
{
    *out = (kai_problem_matrix){.rows = rows, .columns = columns};
    out->first = calloc(columns + 1, sizeof *out->first);
    out->row = malloc((count + 1) * sizeof *out->row);
    out->value = malloc((count + 1) * sizeof *out->value);
    if (out->first != NULL && out->row != NULL && out->value != NULL) return true;
    kai_problem_matrix_free(out);
    return false;
}

// Entries of one place, which lie side by side, are added; zeros are dropped.
static void merge(kai_problem_matrix* a)
{
    size_t to = 0;
    for (size_t j = 0, k = 0; j < a->columns; j++) {
        const size_t begin = to, end = a->first[j + 1];
        while (k < end) {
            const uint32_t row = a->row[k];
            double sum = 0.0;
            for (; k < end && a->row[k] == row; k++) sum += a->value[k];
            if (sum == 0.0) continue;
            a->row[to] = row;
            a->value[to++] = sum;
        }
        a->first[j] = begin;
    }
    a->first[a->columns] = to;
}

// Sorted twice, by row and then by column, each time in the order that was there.
static void sort_by(size_t keys, size_t count, const uint32_t* key, const uint32_t* other,
                    const double* x, size_t* start, uint32_t* key_out, uint32_t* other_out,
                    double* x_out)
{
    for (size_t k = 0; k < count; k++) start[key[k] + 1]++;
    for (size_t i = 0; i < keys; i++) start[i + 1] += start[i];
    for (size_t k = 0; k < count; k++) {
        const size_t to = start[key[k]]++;
        if (key_out != NULL) key_out[to] = key[k];
        other_out[to] = other[k];
        x_out[to] = x[k];
    }
    for (size_t i = keys; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

kai_result kai_problem_matrix_make(size_t rows, size_t columns, size_t count, const uint32_t* i,
                                   const uint32_t* j, const double* x, kai_problem_matrix* out,
                                   kai_error* err)
{
    kai_problem_matrix by_row = {0}; // of the transpose
    uint32_t* key = NULL;
    bool good = matrix_take(columns, rows, count, &by_row);
    if (good) good = matrix_take(rows, columns, count, out);
    if (good) good = (key = malloc((count + 1) * sizeof *key)) != NULL;
    if (good) {
        sort_by(rows, count, i, j, x, by_row.first, key, by_row.row, by_row.value);
        sort_by(columns, count, by_row.row, key, by_row.value, out->first, NULL, out->row,
                out->value);
        merge(out);
    }
    free(key);
    kai_problem_matrix_free(&by_row);
    return good ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu entries", count);
}

void kai_problem_multiply(const kai_problem_matrix* a, double s, const double* x, double* y)
{
    for (size_t j = 0; j < a->columns; j++)
        for (size_t k = a->first[j]; k < a->first[j + 1]; k++)
            y[a->row[k]] += s * a->value[k] * x[j];
}

void kai_problem_multiply_transposed(const kai_problem_matrix* a, double s, const double* x,
                                     double* y)
{
    for (size_t j = 0; j < a->columns; j++) {
        double sum = 0.0;
        for (size_t k = a->first[j]; k < a->first[j + 1]; k++) sum += a->value[k] * x[a->row[k]];
        y[j] += s * sum;
    }
}

// Checks -----------------------------------------------------------------------------------------

static double entry(const kai_problem_matrix* a, size_t i, size_t j)
{
    size_t low = a->first[j], high = a->first[j + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->first[j + 1] && a->row[low] == i ? a->value[low] : 0.0;
}

static kai_result check_size(const kai_problem_matrix* a, const char* name, size_t rows,
                             size_t columns, kai_error* err)
{
    if (a->rows == rows && a->columns == columns) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s is %zu by %zu; must be %zu by %zu", name,
                         a->rows, a->columns, rows, columns);
}

static kai_result check_finite(const kai_problem_matrix* a, const char* name, kai_error* err)
{
    for (size_t j = 0; j < a->columns; j++)
        for (size_t k = a->first[j]; k < a->first[j + 1]; k++)
            if (!isfinite(a->value[k]))
                return kai_error_set(err, KAI_ERROR_FORMAT, "%s(%u, %zu) is %g; must be finite",
                                     name, a->row[k], j, a->value[k]);
    return KAI_OK;
}

static kai_result check_numbers(const double* x, size_t count, const char* name, kai_error* err)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return kai_error_set(err, KAI_ERROR_FORMAT, "%s(%zu) is %g; must be finite", name, i,
                                 x[i]);
    return KAI_OK;
}

static kai_result check_symmetric(const kai_problem_matrix* a, const char* name, bool positive,
                                  kai_error* err)
{
    double most = 0.0;
    for (size_t k = 0; k < a->first[a->columns]; k++) most = fmax(most, fabs(a->value[k]));
    for (size_t j = 0; j < a->columns; j++) {
        const double d = entry(a, j, j);
        if (d < 0.0 || (positive && d == 0.0))
            return kai_error_set(err, KAI_ERROR_FORMAT, "%s(%zu, %zu) is %g; must be %s 0", name, j,
                                 j, d, positive ? ">" : ">=");
        for (size_t k = a->first[j]; k < a->first[j + 1]; k++) {
            const double there = entry(a, j, a->row[k]);
            if (fabs(a->value[k] - there) > SYMMETRIC * most)
                return kai_error_set(err, KAI_ERROR_FORMAT,
                                     "%s(%u, %zu) is %.9g and %s(%zu, %u) is %.9g; must be "
                                     "symmetric",
                                     name, a->row[k], j, a->value[k], name, j, a->row[k], there);
        }
    }
    return KAI_OK;
}

static kai_result check_global(const kai_problem* p, kai_error* err)
{
    KAI_TRY(check_size(&p->M, "M", p->velocities, p->velocities, err));
    KAI_TRY(check_size(&p->H, "H", p->velocities, 3 * p->contacts, err));
    KAI_TRY(check_finite(&p->M, "M", err));
    KAI_TRY(check_finite(&p->H, "H", err));
    KAI_TRY(check_numbers(p->f, p->velocities, "f", err));
    KAI_TRY(check_symmetric(&p->M, "M", true, err));
    if (p->equations == 0) return KAI_OK;
    KAI_TRY(check_size(&p->G, "G", p->velocities, p->equations, err));
    KAI_TRY(check_finite(&p->G, "G", err));
    return check_numbers(p->b, p->equations, "b", err);
}

kai_result kai_problem_check(const kai_problem* p, kai_error* err)
{
    if (p->global) {
        KAI_TRY(check_global(p, err));
    } else {
        KAI_TRY(check_size(&p->W, "W", 3 * p->contacts, 3 * p->contacts, err));
        KAI_TRY(check_finite(&p->W, "W", err));
        KAI_TRY(check_symmetric(&p->W, "W", false, err));
    }
    KAI_TRY(check_numbers(p->w, 3 * p->contacts, p->global ? "w" : "q", err));
    for (size_t i = 0; i < p->contacts; i++)
        if (!(p->mu[i] >= 0.0) || isinf(p->mu[i]))
            return kai_error_set(err, KAI_ERROR_FORMAT, "mu(%zu) is %g; must be >= 0 and finite", i,
                                 p->mu[i]);
    return KAI_OK;
}

kai_problem_def kai_problem_def_default(void)
{
    return (kai_problem_def){
        .cookie = KAI_PROBLEM_COOKIE, .iterations = 1000, .tolerance = 1e-8, .threads = 1};
}

// What is in it ----------------------------------------------------------------------------------

kai_problem_info kai_problem_get_info(const kai_problem* problem)
{
    KAI_GIVEN_OR((kai_problem_info){0}, problem);
    const kai_problem_matrix* a = problem->global ? &problem->H : &problem->W;
    return (kai_problem_info){.global = problem->global,
                              .solved = problem->r != NULL,
                              .contacts = problem->contacts,
                              .velocities = problem->velocities,
                              .equations = problem->equations,
                              .entries = a->first != NULL ? a->first[a->columns] : 0};
}

const double* kai_problem_v(const kai_problem* problem)
{
    KAI_GIVEN_OR(NULL, problem);
    return problem->global ? problem->v : NULL;
}

const double* kai_problem_u(const kai_problem* problem)
{
    KAI_GIVEN_OR(NULL, problem);
    return problem->u;
}

const double* kai_problem_r(const kai_problem* problem)
{
    KAI_GIVEN_OR(NULL, problem);
    return problem->r;
}

const double* kai_problem_lambda(const kai_problem* problem)
{
    KAI_GIVEN_OR(NULL, problem);
    return problem->equations > 0 ? problem->l : NULL;
}
