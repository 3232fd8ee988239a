// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is done about a result that is no solution: where it is wrong, what it is held to, the second
// method, and that nothing worse than the guess comes out.
#include "cone_helper.h"
#include "solve/cone_residual.h"

// A box of so many kilograms on one of 1 kg, four contacts each, in one step of 1 ms under gravity.
static cone_fixture* make_pair(double mass)
{
    cone_fixture* f = cone_begin();
    const kai_vec3 half = kai_vec3_make(0.1, 0.1, 0.1), up = kai_vec3_axis(2),
                   v = kai_vec3_make(0.0, 0.0, -0.01);
    cone_block(f, 1.0, half, kai_quat_identity(), v);
    cone_block(f, mass, half, kai_quat_identity(), v);
    for (uint32_t b = 0; b < 2; b++)
        for (int k = 0; k < 4; k++) {
            const double x = k % 2 ? 0.1 : -0.1, y = k / 2 ? 0.1 : -0.1;
            cone_touch(f, b == 0 ? KAI_CONE_NONE : 0, b, up, kai_vec3_make(x, y, 0.1),
                       kai_vec3_make(x, y, -0.1), 0.5);
        }
    return f;
}

static void test_contact_by_contact(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cone_fixture* f = cone_random_heap(60, 150, k % 2 ? 0.05 : 0.0);
        f->options.associated = k / 2 != 0;
        f->options.iterations = 7;
        cone_solve(f, KAI_CONE_PSOR);
        double worst, most = 0.0;
        const size_t at = kai_cone_residual_worst(&f->problem, f->options.associated, &worst);
        check_near(worst, f->result.residual, 1e-12 * worst, "what the kernels find in packs");
        check_near(worst, cone_residual(f, f->options.associated), 1e-9 * worst, "by bisection");
        for (size_t i = 0; i < f->problem.contact_count; i++)
            most = fmax(most, kai_cone_residual(&f->problem, f->options.associated, i));
        check_near(most, worst, 0.0, "the largest");
        assert_true(kai_cone_residual(&f->problem, f->options.associated, at) == worst);
        cone_end(f);
    }
}

static void test_approach(void** state)
{
    (void)state;
    cone_fixture* f = make_pair(1000.0);
    memcpy(f->motion, f->start, sizeof f->start);
    check_near(kai_cone_residual_approach(&f->problem, 1.0), 0.01, 1e-15, "g h");
    f->contacts[0].bias = -0.3; // a bounce
    check_near(kai_cone_residual_approach(&f->problem, 1.0), 0.31, 1e-15, "g h and the bounce");
    assert_true(kai_cone_residual_approach(&f->problem, 0.005) >= 0.005);
    cone_end(f);
}

static void test_heavy_on_light(void** state)
{
    (void)state;
    cone_fixture* f = make_pair(1000.0);
    f->options.tolerance = 1e-6;
    f->options.limit = 0.01;
    cone_solve(f, KAI_CONE_PSOR);
    const double before = f->result.residual;
    assert_true(before > 1e-3 && !f->result.retried); // a hundred sweeps are not enough
    assert_true(f->result.limit == 0.01);

    cone_forget(f);
    f->options.retry = 0.001;
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(f->result.retried && f->result.residual <= 1e-6);
    assert_true(f->result.iterations > 100);
    check_near(cone_residual(f, false), f->result.residual, 1e-9, "the residual that is told");

    // Solved from what was found: nothing is left to do.
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(!f->result.retried && f->result.iterations == 0);
    cone_end(f);
}

// An impact may be solved roughly: a tenth of the speed at which surfaces meet is forgiven.
static void test_impact(void** state)
{
    (void)state;
    cone_fixture* f = make_pair(30.0);
    f->options.limit = 0.01;
    f->options.impact = 0.1;
    f->options.tolerance = 1e-9;
    for (int i = 0; i < 2; i++) f->start[i].v.z = -5.0;
    f->options.iterations = 0;
    do {
        cone_forget(f);
        f->options.iterations++;
        cone_solve(f, KAI_CONE_PSOR);
    } while (f->result.residual > 0.5);
    assert_true(f->result.residual > 0.01);
    check_near(f->result.limit, fmin(0.5, f->result.limit), 0.0, "at most a tenth of 5 m/s");
    assert_true(f->result.residual <= f->result.limit);
    for (int forgiven = 0; forgiven < 2; forgiven++) {
        cone_forget(f);
        f->options.retry = 0.01;
        f->options.impact = forgiven ? 0.1 : 0.0;
        cone_solve(f, KAI_CONE_PSOR);
        assert_true(f->result.retried == !forgiven);
        assert_true(f->result.limit > 0.01 || !forgiven);
    }
    cone_end(f);
}

static void test_tolerance_is_reached(void** state)
{
    (void)state;
    cone_fixture* f = make_pair(1.0);
    f->options.limit = f->options.retry = 0.01;
    f->options.impact = 0.1;
    f->options.iterations = 10;
    f->options.tolerance = 1e-9;
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(f->result.residual > 1e-9 && !f->result.retried);
    cone_forget(f);
    f->options.reach = true;
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(f->result.residual <= 1e-9 && f->result.retried);
    cone_end(f);
}

// Few iterations of a method that is not monotone lead away from a solution.
static void test_good_guess_is_kept(void** state)
{
    (void)state;
    cone_fixture* f = make_pair(1000.0);
    f->options.limit = 0.01;
    f->options.tolerance = 1e-7;
    f->options.iterations = 500;
    cone_solve(f, KAI_CONE_ADMM);
    assert_true(f->result.residual <= 1e-7);
    for (int i = 0; i < 2; i++) f->start[i].v.z *= 1.0001; // the next step, nearly the same
    static kai_vec3 guess[8];
    memcpy(guess, f->impulse, sizeof guess);
    for (int method = KAI_CONE_PSOR; method <= KAI_CONE_ADMM; method++) {
        memcpy(f->impulse, guess, sizeof guess);
        f->options.iterations = 0;
        cone_solve(f, (kai_cone_method)method);
        const double first = f->result.residual;
        for (uint32_t n = 1; n < 40; n++) {
            memcpy(f->impulse, guess, sizeof guess);
            f->options.iterations = n;
            cone_solve(f, (kai_cone_method)method);
            assert_true(f->result.residual <= first * (1.0 + 1e-9));
        }
    }
    cone_end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_by_contact),   cmocka_unit_test(test_approach),
        cmocka_unit_test(test_heavy_on_light),       cmocka_unit_test(test_impact),
        cmocka_unit_test(test_tolerance_is_reached), cmocka_unit_test(test_good_guess_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
