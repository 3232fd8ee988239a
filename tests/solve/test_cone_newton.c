// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Newton's method for cone problems: closed forms of contacts with rows of joints, few steps for any
// mass ratio, and an answer where a problem is degenerate.
#include "cone_helper.h"

static const kai_vec3 UP = {0.0, 0.0, 1.0};
static const double FALL = 9.81e-3; // m/s: what gravity adds in a step

enum { ROWS = 4 };

/// Rows on single bodies, along x or about z.
typedef struct bars {
    kai_cone_row rows[ROWS];
    kai_cone_piece pieces[ROWS];
    double multiplier[ROWS];
} bars;

static void add_row(cone_fixture* f, bars* b, uint32_t body, int along, double rate, double low,
                    double high)
{
    const uint32_t r = (uint32_t)f->problem.row_count++;
    b->rows[r] = (kai_cone_row){.first = r, .count = 1, .rate = rate, .low = low, .high = high};
    b->pieces[r] = (kai_cone_piece){.body = body};
    b->pieces[r].factor[along] = 1.0;
    b->multiplier[r] = 0.0;
    f->problem.rows = b->rows;
    f->problem.pieces = b->pieces;
    f->problem.multiplier = b->multiplier;
}

static void solve(cone_fixture* f, double tolerance)
{
    f->options.iterations = 100;
    f->options.tolerance = tolerance;
    cone_solve(f, KAI_CONE_NEWTON);
}

/// A box of 2 kg on the ground with four contacts, moving along x.
static cone_fixture* make_slider(double speed, double friction)
{
    cone_fixture* f = cone_begin();
    const kai_vec3 half = {0.5, 0.5, 0.1};
    cone_block(f, 2.0, half, kai_quat_identity(), kai_vec3_make(speed, 0.0, -FALL));
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5;
        cone_touch(f, KAI_CONE_NONE, 0, UP, kai_vec3_zero(), kai_vec3_make(x, y, -0.1), friction);
    }
    return f;
}

static void test_sliding(void** state)
{
    (void)state;
    static const double FRICTION[] = {0.0, 0.1, 0.5, 1.0};
    for (int i = 0; i < 4; i++) {
        cone_fixture* f = make_slider(2.0, FRICTION[i]);
        solve(f, 1e-13);
        check_near(f->motion[0].v.x, 2.0 - FRICTION[i] * FALL, 1e-12, "v - μ g h");
        check_near(f->motion[0].v.z, 0.0, 1e-12, "no lift");
        assert_true(f->result.iterations <= 10);
        cone_end(f);
    }
}

// A row that moves the box at 1 m/s against friction, with as much impulse as it may take.
static void test_rows_with_bounds(void** state)
{
    (void)state;
    const double mu = 0.5, least = 2.0 * (1.0 + mu * FALL); // N s: m v + μ m g h
    static const double most[] = {0.5, 10.0};
    for (int i = 0; i < 2; i++) {
        bars b;
        cone_fixture* f = make_slider(0.0, mu);
        add_row(f, &b, 0, 0, 1.0, -most[i], most[i]);
        solve(f, 1e-13);
        const double push = fmin(most[i], least);
        check_near(b.multiplier[0], push, 1e-11, "the least that does it, or all there is");
        check_near(f->motion[0].v.x, 0.5 * push - mu * FALL, 1e-12, "and what friction leaves");
        cone_end(f);
    }
    // Too weak: friction holds the box, whatever the row pushes with.
    bars b;
    cone_fixture* f = make_slider(0.0, mu);
    add_row(f, &b, 0, 0, 1.0, -0.009, 0.009);
    solve(f, 1e-13);
    check_near(b.multiplier[0], 0.009, 1e-14, "at its bound");
    check_near(f->motion[0].v.x, 0.0, 1e-12, "held");
    cone_end(f);
}

// One-sided rows are stops: they push, and do not pull.
static void test_stops(void** state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bars b;
        cone_fixture* f = make_slider(i ? 1.0 : -1.0, 0.0);
        add_row(f, &b, 0, 0, 0.0, 0.0, (double)INFINITY);
        solve(f, 1e-13);
        check_near(b.multiplier[0], i ? 0.0 : 2.0, 1e-11, "m v, or nothing");
        check_near(f->motion[0].v.x, i ? 1.0 : 0.0, 1e-12, "stopped, or let go");
        cone_end(f);
    }
}

/// Boxes of 1 kg on each other, and one of `ratio` kg on top.
static cone_fixture* make_stack(uint32_t boxes, double ratio)
{
    cone_fixture* f = cone_begin();
    const kai_vec3 half = {0.5, 0.5, 0.5}, fall = {0.0, 0.0, -FALL};
    for (uint32_t i = 0; i < boxes; i++) {
        cone_block(f, i + 1 == boxes ? ratio : 1.0, half, kai_quat_identity(), fall);
        for (int k = 0; k < 4; k++) {
            const double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5;
            cone_touch(f, i == 0 ? KAI_CONE_NONE : i - 1, i, UP, kai_vec3_make(x, y, 0.5),
                       kai_vec3_make(x, y, -0.5), 0.5);
        }
    }
    return f;
}

static void test_any_mass_ratio(void** state)
{
    (void)state;
    static const double RATIO[] = {1e-3, 1.0, 1e3, 1e4, 1e6};
    for (int i = 0; i < 5; i++) {
        cone_fixture* f = make_stack(10, RATIO[i]);
        solve(f, 1e-10);
        assert_true(f->result.residual <= 1e-10 && f->result.iterations <= 20);
        double carried = 0.0;
        for (int k = 0; k < 4; k++) carried += f->impulse[k].z;
        // 1e-10 m/s of each of ten faces, in the mass above it.
        check_relative(carried, (9.0 + RATIO[i]) * FALL, 2e-7, "the lowest face carries all");
        // From its own solution: nothing to do.
        memcpy(f->motion, f->start, sizeof f->motion);
        f->options.tolerance = 1e-9;
        check_ok(kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err));
        assert_int_equal(f->result.iterations, 0);
        cone_end(f);
    }
}

static void test_degenerate_problems_end(void** state)
{
    (void)state;
    for (int odd = 0; odd < 6; odd++) {
        cone_fixture* f = make_stack(3, 1.0);
        const size_t n = f->problem.contact_count;
        bars b;
        switch (odd) {
        case 0: // all contacts four times
            for (size_t k = 1; k < 4; k++)
                memcpy(f->contacts + k * n, f->contacts, n * sizeof *f->contacts);
            f->problem.contact_count = 4 * n;
            break;
        case 1:
            for (size_t k = 0; k < n; k++) f->contacts[k].friction = 1e300;
            break;
        case 2: // turns only, turns not at all
            f->start[1].inverse_mass = 0.0;
            f->start[1].v = kai_vec3_zero();
            f->start[2].inverse_moment = 0.0;
            break;
        case 3: // nothing moves
            for (uint32_t k = 0; k < 3; k++) {
                f->start[k].inverse_mass = f->start[k].inverse_moment = 0.0;
                f->start[k].v = kai_vec3_zero();
            }
            break;
        case 4: // two rows that say the same, and one that contradicts the ground
            add_row(f, &b, 0, 0, 0.1, -(double)INFINITY, (double)INFINITY);
            add_row(f, &b, 0, 0, 0.1, -(double)INFINITY, (double)INFINITY);
            add_row(f, &b, 0, 2, -1.0, -(double)INFINITY, (double)INFINITY);
            break;
        default: // squeezed between ground and a body that comes down and cannot be moved
            f->start[2].inverse_mass = f->start[2].inverse_moment = 0.0;
            f->start[2].v = kai_vec3_make(0.0, 0.0, -1.0);
        }
        solve(f, 1e-9);
        for (uint32_t k = 0; k < 3; k++)
            assert_true(kai_vec3_is_finite(f->motion[k].v) && kai_vec3_is_finite(f->motion[k].w));
        for (size_t k = 0; k < f->problem.contact_count; k++)
            assert_true(kai_vec3_is_finite(f->impulse[k]));
        assert_true(isfinite(f->result.residual));
        if (odd < 4) assert_true(f->result.residual <= 1e-9);
        cone_end(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_rows_with_bounds),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_any_mass_ratio),
        cmocka_unit_test(test_degenerate_problems_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
