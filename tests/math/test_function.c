// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Functions of one variable: every kind against its closed form, and every kind's derivatives
// against differences of its own values.
#include "base/store.h"
#include "helper.h"
#include "math/function_list.h"
#include "math/function_set.h"
#include "math/function_signal.h"

static const double TWO_PI = 6.283185307179586476925286766559;

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_function_set set;
    kai_error err;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    check_ok(kai_function_set_init(&f->set, &f->memory, 1, &f->err));
}

static void finish(fixture* f)
{
    kai_function_set_free(&f->set);
    assert_int_equal(f->counter.blocks, 0);
}

static kai_function add(fixture* f, const kai_function_kind* kind, const void* params)
{
    kai_function out = {0};
    if (kai_function_set_add(&f->set, kind, params, &out, &f->err) != KAI_OK)
        fail_msg("%s", f->err.message);
    return out;
}

static void refuse(fixture* f, const kai_function_kind* kind, const void* params, kai_result code,
                   const char* message)
{
    kai_function out = {0};
    const size_t count = f->set.store.count;
    check_error(kai_function_set_add(&f->set, kind, params, &out, &f->err), code);
    assert_string_equal(f->err.message, message);
    assert_int_equal(f->set.store.count, count);
    assert_true(KAI_IS_NULL(out));
}

static kai_jet at(const fixture* f, kai_function function, double x)
{
    return kai_function_set_at(&f->set, function, x);
}

static kai_value value_of(kai_function f) { return (kai_value){0.0, f}; }

static void check_jet(kai_jet actual, double y, double dy, double ddy, double tolerance,
                      const char* source)
{
    check_near(actual.y, y, tolerance, source);
    check_near(actual.dy, dy, tolerance, source);
    check_near(actual.ddy, ddy, tolerance, source);
}

// Helpers that make one function of each kind ----------------------------------------------------

static kai_function sine(fixture* f, double amplitude, double frequency, double phase,
                         double offset)
{
    const kai_function_sine_params p = {amplitude, frequency, phase, offset};
    return add(f, &kai_function_sine, &p);
}

static kai_function table(fixture* f, const double* points, uint32_t rows, int32_t interpolation)
{
    const kai_function_table_params p = {.points = {points, rows, 2},
                                         .interpolation = interpolation};
    return add(f, &kai_function_table, &p);
}

static kai_function polynomial(fixture* f, const double* c, uint32_t n)
{
    const kai_function_polynomial_params p = {{c, n, 1}};
    return add(f, &kai_function_polynomial, &p);
}

static kai_function combined(fixture* f, const kai_function_kind* kind,
                             const kai_function_operand* operands, uint32_t count)
{
    const kai_function_operands_params p = {{operands, count}};
    return add(f, kind, &p);
}

// Closed forms -----------------------------------------------------------------------------------

static void test_sine(void** state)
{
    fixture f;
    start(&f);
    const kai_function s = sine(&f, 2.0, 3.0, 0.5, -1.0);
    for (uint64_t i = 0; i < 100; i++) {
        const double x = 5.0 * helper_random(i), w = TWO_PI * 3.0, a = w * x + 0.5;
        check_jet(at(&f, s, x), 2.0 * sin(a) - 1.0, 2.0 * w * cos(a), -2.0 * w * w * sin(a), 1e-9,
                  "closed form");
    }
    finish(&f);
}

static void test_ramp(void** state)
{
    fixture f;
    start(&f);
    const kai_function_ramp_params p = {-2.0, 1.5};
    const kai_function r = add(&f, &kai_function_ramp, &p);
    check_jet(at(&f, r, 1.0), 0.0, 0.0, 0.0, 0.0, "before start");
    check_jet(at(&f, r, nextafter(1.5, 0.0)), 0.0, 0.0, 0.0, 0.0, "just before start");
    check_jet(at(&f, r, 1.5), 0.0, -2.0, 0.0, 0.0, "right-hand slope at the kink");
    check_jet(at(&f, r, 4.0), -5.0, -2.0, 0.0, 0.0, "slope (x - start)");
    finish(&f);
}

static void test_step(void** state)
{
    fixture f;
    start(&f);
    const kai_function_step_params p = {1.0, 5.0, 2.0, 0.5};
    const kai_function s = add(&f, &kai_function_step, &p);
    check_jet(at(&f, s, 1.9), 1.0, 0.0, 0.0, 0.0, "before");
    check_jet(at(&f, s, 2.5), 5.0, 0.0, 0.0, 0.0, "after");
    check_jet(at(&f, s, 2.25), 3.0, 4.0 / 0.5 * 1.875, 0.0, 1e-12,
              "middle: slope 15/8 of the mean, no curvature");
    // C2 at both ends: the jet tends to that outside. Third derivative 60 rise / d³ = 1920 there.
    for (double e = 1e-4; e > 1e-9; e *= 0.1) {
        check_jet(at(&f, s, 2.0 + e), 1.0, 0.0, 0.0, 1921.0 * e, "C2 at the start");
        check_jet(at(&f, s, 2.5 - e), 5.0, 0.0, 0.0, 1921.0 * e + 1e-9, "C2 at the end");
    }
    double last = 1.0;
    for (int i = 0; i <= 1000; i++) { // never past its ends, never backwards
        const double y = at(&f, s, 2.0 + 0.0005 * i).y;
        assert_true(y >= last - 1e-14 && y <= 5.0 + 1e-14);
        last = y;
    }
    finish(&f);
}

static void test_step_of_no_duration(void** state)
{
    fixture f;
    start(&f);
    const kai_function_step_params p = {1.0, 5.0, 2.0, 0.0};
    const kai_function s = add(&f, &kai_function_step, &p);
    check_jet(at(&f, s, nextafter(2.0, 0.0)), 1.0, 0.0, 0.0, 0.0, "before the jump");
    check_jet(at(&f, s, 2.0), 5.0, 0.0, 0.0, 0.0, "at the jump");
    finish(&f);
}

static void test_polynomial(void** state)
{
    fixture f;
    start(&f);
    const double c[] = {1.0, -2.0, 0.5, 3.0};
    const kai_function p = polynomial(&f, c, 4), constant = polynomial(&f, c, 1);
    for (uint64_t i = 0; i < 100; i++) {
        const double x = 3.0 * helper_random(i);
        check_jet(at(&f, p, x), 1.0 - 2.0 * x + 0.5 * x * x + 3.0 * x * x * x,
                  -2.0 + x + 9.0 * x * x, 1.0 + 18.0 * x, 1e-12, "closed form");
        check_jet(at(&f, constant, x), 1.0, 0.0, 0.0, 0.0, "a constant");
    }
    finish(&f);
}

static void test_sum_and_product(void** state)
{
    fixture f;
    start(&f);
    const double c[] = {1.0, 2.0, 3.0};
    const kai_function s = sine(&f, 1.0, 0.5, 0.0, 2.0), p = polynomial(&f, c, 3);
    const kai_function_operand operands[] = {
        {value_of(s)}, {kai_value_constant(4.0)}, {value_of(p)}};
    const kai_function sum = combined(&f, &kai_function_sum, operands, 3);
    const kai_function product = combined(&f, &kai_function_product, operands, 3);
    const kai_function single = combined(&f, &kai_function_product, operands, 1);
    for (uint64_t i = 0; i < 100; i++) {
        const double x = 3.0 * helper_random(i);
        const kai_jet a = at(&f, s, x), b = at(&f, p, x);
        check_jet(at(&f, sum, x), a.y + 4.0 + b.y, a.dy + b.dy, a.ddy + b.ddy, 1e-12, "sum");
        check_jet(at(&f, product, x), 4.0 * a.y * b.y, 4.0 * (a.dy * b.y + a.y * b.dy),
                  4.0 * (a.ddy * b.y + 2.0 * a.dy * b.dy + a.y * b.ddy), 1e-9, "product rule");
        check_jet(at(&f, single, x), a.y, a.dy, a.ddy, 0.0, "product of one");
    }
    finish(&f);
}

static void test_sequence(void** state)
{
    fixture f;
    start(&f);
    const kai_function_ramp_params ramp = {2.0, 0.0};
    const kai_function r = add(&f, &kai_function_ramp, &ramp), s = sine(&f, 1.0, 1.0, 0.0, 0.0);
    const kai_function_piece pieces[] = {
        {value_of(s), 1.0}, {kai_value_constant(7.0), 0.5}, {value_of(r), 2.0}};
    const kai_function_sequence_params p = {{pieces, 3}};
    const kai_function q = add(&f, &kai_function_sequence, &p);
    const struct {
        double x;
        kai_function of;
        double clock;
    } cases[] = {
        {0.25, s, 0.25}, {-0.5, s, -0.5}, {1.5, r, 0.0}, {2.75, r, 1.25}, {100.0, r, 98.5}};
    for (size_t i = 0; i < 5; i++) {
        const kai_jet e = at(&f, cases[i].of, cases[i].clock);
        check_jet(at(&f, q, cases[i].x), e.y, e.dy, e.ddy, 1e-12, "the piece at its own clock");
    }
    check_jet(at(&f, q, 1.0), 7.0, 0.0, 0.0, 0.0, "a piece begins at its start");
    check_jet(at(&f, q, nextafter(1.5, 0.0)), 7.0, 0.0, 0.0, 0.0, "and ends before its end");
    const kai_function_sequence_params one = {{pieces, 1}};
    const kai_function alone = add(&f, &kai_function_sequence, &one);
    const kai_jet e = at(&f, s, 9.3);
    check_jet(at(&f, alone, 9.3), e.y, e.dy, e.ddy, 0.0, "the last piece goes on");
    finish(&f);
}

static void test_repeat(void** state)
{
    fixture f;
    start(&f);
    const double c[] = {0.0, 1.0, 1.0};
    const kai_function p = polynomial(&f, c, 3);
    const kai_function_repeat_params params = {value_of(p), 2.0, 0.5};
    const kai_function r = add(&f, &kai_function_repeat, &params);
    const double u[] = {0.0, 0.25, 1.0, 1.75};
    for (int round = -5; round <= 5; round++) {
        for (int i = 0; i < 4; i++) {
            const kai_jet e = at(&f, p, u[i]);
            check_jet(at(&f, r, 0.5 + 2.0 * round + u[i]), e.y, e.dy, e.ddy, 0.0, "one round");
        }
    }
    // So little before the start that the remainder rounds to a whole period: still inside a round.
    const kai_function_repeat_params bare = {value_of(p), 2.0, 0.0};
    const kai_function b = add(&f, &kai_function_repeat, &bare);
    assert_true(at(&f, b, -1e-30).y < 6.0);
    check_jet(at(&f, b, -1e-30), 0.0, 1.0, 2.0, 0.0, "u = 0, not the period");
    finish(&f);
}

// Tables -----------------------------------------------------------------------------------------

static const double KNOTS[] = {-1.0, 2.0, 0.0, 1.0, 0.5, 3.0, 2.0, -1.0, 2.25, 0.0, 4.0, 1.0};
enum { ROWS = 6 };

static void test_linear_table(void** state)
{
    fixture f;
    start(&f);
    const kai_function t = table(&f, KNOTS, ROWS, KAI_INTERPOLATION_LINEAR);
    check_jet(at(&f, t, -9.0), 2.0, 0.0, 0.0, 0.0, "constant before");
    check_jet(at(&f, t, 4.0), 1.0, 0.0, 0.0, 0.0, "constant from the last point on");
    check_jet(at(&f, t, 1e9), 1.0, 0.0, 0.0, 0.0, "constant after");
    check_jet(at(&f, t, -0.5), 1.5, -1.0, 0.0, 1e-15, "between");
    check_jet(at(&f, t, 0.0), 1.0, 4.0, 0.0, 1e-15, "on a point: the slope to its right");
    check_jet(at(&f, t, -1.0), 2.0, -1.0, 0.0, 1e-15, "on the first point");
    assert_true(isnan(at(&f, t, nan("")).y));
    finish(&f);
}

static void test_two_points(void** state)
{
    fixture f;
    start(&f);
    const double line[] = {1.0, 10.0, 3.0, 20.0};
    for (int32_t i = 0; i < 2; i++) {
        const kai_function t = table(&f, line, 2, i);
        check_jet(at(&f, t, 1.0), 10.0, 5.0, 0.0, 0.0, "a line");
        check_jet(at(&f, t, 2.5), 17.5, 5.0, 0.0, 1e-15, "a line");
        check_jet(at(&f, t, 3.0), 20.0, 0.0, 0.0, 0.0, "its end");
        check_jet(at(&f, t, 0.5), 10.0, 0.0, 0.0, 0.0, "before");
    }
    finish(&f);
}

// The natural spline by another way: Gauss elimination with pivoting for the slopes k_i, from
// k_{i-1}/h_{i-1} + 2 (1/h_{i-1} + 1/h_i) k_i + k_{i+1}/h_i = 3 (d_{i-1}/h_{i-1} + d_i/h_i),
// natural ends 2 k_0 + k_1 = 3 d_0; Hermite form between.
static void spline_slopes(const double* knots, int n, double* k)
{
    double a[ROWS][ROWS + 1] = {{0}};
    for (int i = 0; i < n; i++) {
        const double h0 = i > 0 ? knots[2 * i] - knots[2 * i - 2] : 0.0;
        const double h1 = i < n - 1 ? knots[2 * i + 2] - knots[2 * i] : 0.0;
        if (i > 0) {
            const double d = (knots[2 * i + 1] - knots[2 * i - 1]) / h0;
            a[i][i - 1] += 1.0 / h0, a[i][i] += 2.0 / h0, a[i][n] += 3.0 * d / h0;
        }
        if (i < n - 1) {
            const double d = (knots[2 * i + 3] - knots[2 * i + 1]) / h1;
            a[i][i + 1] += 1.0 / h1, a[i][i] += 2.0 / h1, a[i][n] += 3.0 * d / h1;
        }
    }
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[p][c])) p = r;
        for (int j = 0; j <= n; j++) {
            const double t = a[c][j];
            a[c][j] = a[p][j], a[p][j] = t;
        }
        for (int r = 0; r < n; r++) {
            if (r == c) continue;
            const double s = a[r][c] / a[c][c];
            for (int j = c; j <= n; j++) a[r][j] -= s * a[c][j];
        }
    }
    for (int i = 0; i < n; i++) k[i] = a[i][n] / a[i][i];
}

static void test_natural_spline(void** state)
{
    fixture f;
    start(&f);
    const kai_function t = table(&f, KNOTS, ROWS, KAI_INTERPOLATION_CUBIC);
    double k[ROWS];
    spline_slopes(KNOTS, ROWS, k);
    for (int i = 0; i < ROWS - 1; i++) {
        const double x0 = KNOTS[2 * i], h = KNOTS[2 * i + 2] - x0, y0 = KNOTS[2 * i + 1],
                     y1 = KNOTS[2 * i + 3];
        for (int j = 0; j < 20; j++) {
            const double s = 0.05 * j;
            const double y = (1 + 2 * s) * (1 - s) * (1 - s) * y0 +
                             s * (1 - s) * (1 - s) * h * k[i] + s * s * (3 - 2 * s) * y1 +
                             s * s * (s - 1) * h * k[i + 1];
            check_near(at(&f, t, x0 + s * h).y, y, 1e-12,
                       "Hermite form of the spline, solved for slopes");
        }
        check_near(at(&f, t, x0).dy, k[i], 1e-12, "slope at a point");
    }
    check_near(at(&f, t, KNOTS[0]).ddy, 0.0, 1e-13, "natural start");
    check_near(at(&f, t, nextafter(4.0, 0.0)).ddy, 0.0, 1e-12, "natural end");
    finish(&f);
}

static void test_cubic_table_is_c2(void** state)
{
    fixture f;
    start(&f);
    const kai_function t = table(&f, KNOTS, ROWS, KAI_INTERPOLATION_CUBIC);
    for (int i = 1; i < ROWS - 1; i++) {
        const double x = KNOTS[2 * i];
        const kai_jet left = at(&f, t, nextafter(x, -9.0)), here = at(&f, t, x);
        check_near(here.y, KNOTS[2 * i + 1], 1e-13, "goes through the point");
        check_jet(left, here.y, here.dy, here.ddy, 1e-11, "from the left as from the right");
    }
    finish(&f);
}

// Points of a cubic whose second derivative vanishes at both ends are met by that very cubic.
static void test_spline_of_a_cubic(void** state)
{
    fixture f;
    start(&f);
    double points[22];
    for (int i = 0; i < 11; i++) {
        const double x = 0.1 * i + 0.01 * (i % 2) * (i < 10);
        points[2 * i] = x;
        points[2 * i + 1] = x; // a line: every spline of it is the line
    }
    const kai_function t = table(&f, points, 11, KAI_INTERPOLATION_CUBIC);
    for (uint64_t i = 0; i < 100; i++) {
        const double x = 0.5 + 0.49 * helper_random(i);
        check_jet(at(&f, t, x), x, 1.0, 0.0, 1e-12, "a line");
    }
    finish(&f);
}

static void test_table_outlives_the_caller(void** state)
{
    fixture f;
    start(&f);
    double* copy = malloc(sizeof KNOTS);
    assert_non_null(copy);
    memcpy(copy, KNOTS, sizeof KNOTS);
    const kai_function t = table(&f, copy, ROWS, KAI_INTERPOLATION_CUBIC);
    const kai_jet before = at(&f, t, 1.1);
    memset(copy, 0, sizeof KNOTS);
    free(copy);
    const kai_jet after = at(&f, t, 1.1);
    check_jet(after, before.y, before.dy, before.ddy, 0.0, "a copy");
    finish(&f);
}

// Derivatives against differences ----------------------------------------------------------------

// One instance of a kind with typical parameters, and points to keep away from (kinks).
static kai_function sample(fixture* f, const kai_kind* kind)
{
    static const double c[] = {0.3, -1.0, 0.7, 0.2};
    const kai_function s = sine(f, 1.0, 0.4, 0.3, 0.5), p = polynomial(f, c, 4);
    const kai_function t = table(f, KNOTS, ROWS, KAI_INTERPOLATION_CUBIC);
    const kai_function_operand operands[] = {{value_of(s)}, {value_of(p)}, {value_of(t)}};
    const kai_function_piece pieces[] = {
        {value_of(s), 0.7}, {value_of(p), 0.9}, {value_of(t), 1.0}};
    union {
        kai_function_sine_params sine;
        kai_function_operands_params operands;
        kai_function_sequence_params sequence;
        kai_function_repeat_params repeat;
        kai_function_table_params table;
        kai_function_polynomial_params polynomial;
        kai_function_control_params control;
        char bytes[256];
    } u;
    assert_true((kind->given > 0 ? kind->given : kind->size) <= sizeof u);
    kai_kind_defaults(kind, &u);
    if (kind == &kai_function_sum.kind || kind == &kai_function_product.kind)
        u.operands.operands = (kai_list){operands, 3};
    else if (kind == &kai_function_sequence.kind)
        u.sequence.pieces = (kai_list){pieces, 3};
    else if (kind == &kai_function_repeat.kind)
        u.repeat = (kai_function_repeat_params){value_of(p), 1.3, 0.2};
    else if (kind == &kai_function_table.kind)
        u.table = (kai_function_table_params){.points = {KNOTS, ROWS, 2}, .interpolation = 1};
    else if (kind == &kai_function_polynomial.kind)
        u.polynomial.coefficients = (kai_table){c, 4, 1};
    return add(f, (const kai_function_kind*)(const void*)kind, &u);
}

// At kinks and jumps (ramps, ends of tables and pieces) differences mean nothing: there the two
// one-sided slopes differ, and the point is skipped. Not more than a few may be.
static void check_derivatives(const fixture* f, kai_function function, const char* name)
{
    const double h = 1e-4;
    int skipped = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const double x = 1.5 + 3.5 * helper_random(i);
        const kai_jet l = at(f, function, x - h), m = at(f, function, x),
                      r = at(f, function, x + h);
        const double left = (m.y - l.y) / h, right = (r.y - m.y) / h;
        if (fabs(right - left) > 200.0 * h) {
            skipped++;
            continue;
        }
        // Central differences err by h² / 6 of the third derivative, which the ends of ddy tell,
        // and by rounding.
        const double change = fabs(r.ddy - l.ddy);
        check_near(m.dy, (r.y - l.y) / (2.0 * h), h * change + 1e-9, name);
        check_near(m.ddy, (r.dy - l.dy) / (2.0 * h), change + 1e-9, name);
    }
    assert_true(skipped < 10);
}

static void test_derivatives_of_every_kind(void** state)
{
#define KIND(name) &kai_function_##name.kind,
    static const kai_kind* const kinds[] = {KAI_FUNCTION_KINDS(KIND)};
#undef KIND
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        fixture f;
        if (kinds[i] == &kai_function_signal.kind) continue; // see below: its values are others'
        start(&f);
        const kai_function function = sample(&f, kinds[i]);
        check_derivatives(&f, function, kinds[i]->name);
        finish(&f);
    }
}

/// A signal shows what was found for it, and goes on along its derivatives, as far as they are known.
static void test_signals(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const kai_function_signal_params params = {{"u"}};
    const kai_function u = add(&f, &kai_function_signal, &params);
    assert_true(isnan(at(&f, u, 0.0).y)); // nobody has found it yet
    const kai_jet known = {2.0, 3.0, 4.0};
    check_ok(kai_array_append(&f.set.signals, &f.memory, &known, 1, &f.err));
    kai_function_signal_instance* instance =
        kai_store_at(&f.set.store, (kai_id){u.index, u.generation, u.world});
    instance->place = 0;
    check_jet(at(&f, u, 7.0), 2.0, 3.0, 4.0, 0.0, "whatever x is");
    f.set.signals_ahead = 0.5;
    check_jet(at(&f, u, 7.0), 2.0 + 1.5 + 0.5, 3.0 + 2.0, 4.0, 1e-15, "y + s y' + s² y''/2");
    ((kai_jet*)f.set.signals.data)->ddy = (double)NAN;
    check_near(at(&f, u, 7.0).y, 3.5, 1e-15, "y + s y'");
    ((kai_jet*)f.set.signals.data)->dy = (double)NAN;
    check_near(at(&f, u, 7.0).y, 2.0, 0.0, "held");
    finish(&f);
}

// Errors -----------------------------------------------------------------------------------------

static void test_refused_parameters(void** state)
{
    fixture f;
    start(&f);
    const double back[] = {0.0, 1.0, 2.0, 1.0, 1.0, 5.0}, twice[] = {0.0, 1.0, 0.0, 2.0};
    kai_function_table_params t = {.points = {back, 3, 2}};
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: x of row 2 is 1 after 2; must increase");
    t.points = (kai_table){twice, 2, 2};
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: x of row 1 is 0 after 0; must increase");
    t.points = (kai_table){back, 1, 2};
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: points has 1 rows; needs at least 2");
    t.points = (kai_table){0};
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: points has 0 rows; needs at least 2");
    t.points = (kai_table){back, 2, 2};
    t.interpolation = 2;
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: interpolation is word number 2; there are 2 words");
    const double steep[] = {0.0, -1e308, 1e-300, 1e308, 2e-300, 0.0};
    t = (kai_function_table_params){.points = {steep, 3, 2},
                                    .interpolation = KAI_INTERPOLATION_CUBIC};
    refuse(&f, &kai_function_table, &t, KAI_ERROR_ARGUMENT,
           "table: the spline is not finite at row 1");

    kai_function_repeat_params r = {kai_value_constant(1.0), 0.0, 0.0};
    refuse(&f, &kai_function_repeat, &r, KAI_ERROR_ARGUMENT, "repeat: period is 0 s; must be > 0");
    const kai_function_step_params s = {0.0, 1.0, 0.0, -1.0};
    refuse(&f, &kai_function_step, &s, KAI_ERROR_ARGUMENT, "step: duration is -1 s; must be >= 0");
    const kai_function_piece pieces[] = {{kai_value_constant(1.0), 1.0},
                                         {kai_value_constant(1.0), 0.0}};
    const kai_function_sequence_params q = {{pieces, 2}};
    refuse(&f, &kai_function_sequence, &q, KAI_ERROR_ARGUMENT,
           "sequence: pieces[1]: piece: duration is 0 s; must be > 0");
    const kai_function_operands_params none = {{NULL, 0}};
    refuse(&f, &kai_function_sum, &none, KAI_ERROR_ARGUMENT,
           "sum: operands has 0 rows; needs at least 1");
    double many[65] = {0};
    const kai_function_polynomial_params p = {{many, 65, 1}};
    refuse(&f, &kai_function_polynomial, &p, KAI_ERROR_ARGUMENT,
           "polynomial: coefficients has 65 rows; takes at most 64");
    refuse(&f, &kai_function_sine, NULL, KAI_ERROR_ARGUMENT, "sine: its parameters are NULL");
    refuse(&f, NULL, &p, KAI_ERROR_ARGUMENT, "kind is NULL");
    const kai_function_kind stranger = kai_function_sine;
    const kai_function_sine_params sp = {0};
    refuse(&f, &stranger, &sp, KAI_ERROR_ARGUMENT,
           "function kind 'sine' is not registered in this world");
    finish(&f);
}

static void test_parts_must_exist(void** state)
{
    fixture f;
    start(&f);
    kai_function_repeat_params r = {value_of((kai_function){5, 0, 1}), 1.0, 0.0};
    refuse(&f, &kai_function_repeat, &r, KAI_ERROR_ID, "function id 5 is not of this world");
    r.function.function = (kai_function){1, 0, 2};
    refuse(&f, &kai_function_repeat, &r, KAI_ERROR_ID, "function id 1 is from another world");
    const kai_function_operand operands[] = {{kai_value_constant(1.0)},
                                             {value_of((kai_function){2, 0, 1})}};
    const kai_function_operands_params s = {{operands, 2}};
    refuse(&f, &kai_function_sum, &s, KAI_ERROR_ID,
           "function id 2 is not of this world"); // inside a list
    finish(&f);
}

static void test_nesting_depth(void** state)
{
    fixture f;
    start(&f);
    const double c[] = {1.0};
    kai_function inner = polynomial(&f, c, 1);
    for (int depth = 2; depth <= KAI_FUNCTION_SET_DEPTH; depth++) {
        const kai_function_operand operand = {value_of(inner)};
        inner = combined(&f, &kai_function_sum, &operand, 1);
    }
    check_near(at(&f, inner, 3.0).y, 1.0, 0.0, "32 deep is fine");
    const kai_function_repeat_params r = {value_of(inner), 1.0, 0.0};
    refuse(&f, &kai_function_repeat, &r, KAI_ERROR_LIMIT,
           "repeat: functions are nested more than 32 deep");
    finish(&f);
}

static void test_out_of_memory(void** state)
{
    bool whole = false;
    uint64_t n = 1;
    for (; !whole; n++) {
        fixture f;
        start(&f);
        f.counter.fail_at = f.counter.calls + n;
        size_t made = 0;
        kai_result r = KAI_OK;
        while (r == KAI_OK && made < 20) {
            const kai_function_table_params p = {.points = {KNOTS, ROWS, 2},
                                                 .interpolation = made % 2};
            kai_function out;
            r = kai_function_set_add(&f.set, &kai_function_table, &p, &out, &f.err);
            if (r == KAI_OK) made++;
        }
        whole = r == KAI_OK;
        if (!whole) check_error(r, KAI_ERROR_MEMORY);
        assert_int_equal(f.set.store.count, made);
        finish(&f);
    }
    assert_true(n > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sine),
        cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_step_of_no_duration),
        cmocka_unit_test(test_polynomial),
        cmocka_unit_test(test_sum_and_product),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_linear_table),
        cmocka_unit_test(test_two_points),
        cmocka_unit_test(test_natural_spline),
        cmocka_unit_test(test_cubic_table_is_c2),
        cmocka_unit_test(test_spline_of_a_cubic),
        cmocka_unit_test(test_table_outlives_the_caller),
        cmocka_unit_test(test_derivatives_of_every_kind),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_refused_parameters),
        cmocka_unit_test(test_parts_must_exist),
        cmocka_unit_test(test_nesting_depth),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
