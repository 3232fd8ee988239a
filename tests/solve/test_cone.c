// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone problems: single contacts against closed forms, random ones against the residual and the
// momentum computed plainly, agreement of all methods, bad input.
#include "cone_helper.h"

#include <float.h>

static const kai_vec3 UP = {0.0, 0.0, 1.0};

// One ball of 2 kg and radius 0.5 m on the ground, with some velocity.
static cone_fixture* ball_on_ground(kai_vec3 v, kai_vec3 w, double friction)
{
    cone_fixture* f = cone_begin();
    const uint32_t ball = cone_ball(f, 2.0, 0.5, v, w);
    cone_touch(f, KAI_CONE_NONE, ball, UP, kai_vec3_zero(), kai_vec3_make(0.0, 0.0, -0.5),
               friction);
    return f;
}

static void test_separates(void** state)
{
    (void)state;
    cone_fixture* f = ball_on_ground(kai_vec3_make(1.0, 0.0, 0.1), kai_vec3_zero(), 0.5);
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->motion[0].v, kai_vec3_make(1.0, 0.0, 0.1), 0.0, "no impulse");
    check_vec3(f->impulse[0], kai_vec3_zero(), 0.0, "no impulse");
    check_near(f->result.residual, 0.0, 0.0, "exact");
    cone_end(f);
}

static void test_sticks(void** state)
{
    (void)state;
    // Rolling without sliding: J_t = -(2/7) m v for a ball that slides at v without spin.
    cone_fixture* f = ball_on_ground(kai_vec3_make(0.7, 0.0, -2.0), kai_vec3_zero(), 0.5);
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->impulse[0], kai_vec3_make(-0.4, 0.0, 4.0), 1e-14, "2/7 m v, m v");
    check_vec3(f->motion[0].v, kai_vec3_make(0.5, 0.0, 0.0), 1e-14, "5/7 v");
    check_vec3(f->motion[0].w, kai_vec3_make(0.0, 1.0, 0.0), 1e-14, "v / r");
    cone_end(f);
}

static void test_slides(void** state)
{
    (void)state;
    // |γ_t| = μ γ_n against the sliding, no lift.
    cone_fixture* f = ball_on_ground(kai_vec3_make(3.0, 4.0, -2.0), kai_vec3_zero(), 0.1);
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->impulse[0], kai_vec3_make(-0.24, -0.32, 4.0), 1e-14, "μ m v against (3, 4)");
    check_near(f->motion[0].v.z, 0.0, 1e-14, "Coulomb: no lift");
    check_near(f->result.residual, 0.0, 1e-14, "solved");
    // Associated: the contact lifts with μ times the speed that it slides at.
    cone_forget(f);
    f->options.associated = true;
    cone_solve(f, KAI_CONE_PSOR);
    const kai_vec3 u = cone_speed(f, 0);
    check_near(u.z, 0.1 * hypot(u.x, u.y), 1e-13, "u_n = μ |u_t|");
    check_near(hypot(f->impulse[0].x, f->impulse[0].y), 0.1 * f->impulse[0].z, 1e-14,
               "on the cone");
    cone_end(f);
}

static void test_bias_and_compliance(void** state)
{
    (void)state;
    cone_fixture* f = ball_on_ground(kai_vec3_make(0.0, 0.0, -2.0), kai_vec3_zero(), 0.5);
    f->contacts[0].bias = 0.5; // a gap that may close
    cone_solve(f, KAI_CONE_PSOR);
    check_near(f->motion[0].v.z, -0.5, 1e-14, "-bias");
    f->contacts[0].bias = -0.5; // recovery
    cone_solve(f, KAI_CONE_PSOR);
    check_near(f->motion[0].v.z, 0.5, 1e-14, "-bias");
    f->contacts[0].bias = 0.0;
    f->contacts[0].compliance = 1.5;
    cone_solve(f, KAI_CONE_PSOR);
    check_near(f->impulse[0].z, 2.0 / (0.5 + 1.5), 1e-14, "v / (1/m + compliance)");
    cone_end(f);
}

static void test_rolling_and_spinning(void** state)
{
    (void)state;
    // A ball that spins about the normal, γ_n = 4 N s: the couple is s γ_n until the spin is gone.
    cone_fixture* f =
        ball_on_ground(kai_vec3_make(0.0, 0.0, -2.0), kai_vec3_make(0.0, 0.0, 3.0), 0.5);
    const double moment = 0.4 * 2.0 * 0.25;
    f->contacts[0].spinning = 0.1;
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->couple[0], kai_vec3_make(0.0, 0.0, -0.4), 1e-14, "spinning γ_n");
    check_near(f->motion[0].w.z, 3.0 - 0.4 / moment, 1e-13, "couple / moment");
    f->contacts[0].spinning = 10.0;
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->couple[0], kai_vec3_make(0.0, 0.0, -3.0 * moment), 1e-14, "spin stopped");
    // One that rolls: the couple slows it as long as friction holds the point.
    cone_forget(f);
    f->start[0].v.x = 0.5;
    f->start[0].w = kai_vec3_make(0.0, 1.0, 0.0);
    f->contacts[0].spinning = 0.0;
    f->contacts[0].rolling = 0.01;
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->couple[0], kai_vec3_make(0.0, -0.04, 0.0), 1e-12, "rolling γ_n");
    check_near(f->motion[0].w.y, 1.0 - 0.04 / (moment + 2.0 * 0.25), 1e-12, "about the point");
    f->contacts[0].rolling = 1.0;
    f->options.iterations = 1000;
    cone_solve(f, KAI_CONE_PSOR);
    assert_true(f->result.residual < 1e-12);
    check_near(f->motion[0].w.y, 0.0, 1e-12, "stopped");
    check_near(f->motion[0].v.x, 0.0, 1e-12, "stopped");
    cone_end(f);
}

// Random problems --------------------------------------------------------------------------------

static void test_residual_is_the_plain_one(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cone_fixture* f = cone_random_heap(30, 70, k % 2 ? 0.1 : 0.0);
        f->options.iterations = 3;
        f->options.associated = k / 2 == 1;
        cone_solve(f, KAI_CONE_PSOR);
        assert_true(f->result.residual > 1e-6);
        check_relative(f->result.residual, cone_residual(f, k / 2 == 1), 1e-10, "plain formulas");
        check_near(cone_momentum_error(f), 0.0, 1e-12, "v0 + M⁻¹ D γ");
        cone_end(f);
    }
}

static void test_psor_converges(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cone_fixture* f = cone_random_heap(30, 70, k % 2 ? 0.1 : 0.0);
        f->options.associated = k / 2 == 1;
        f->options.iterations = 3000;
        f->options.tolerance = 1e-9;
        cone_solve(f, KAI_CONE_PSOR);
        assert_true(f->result.residual <= 1e-9);
        assert_true(cone_residual(f, k / 2 == 1) <= 2e-9);
        assert_int_equal(f->result.iterations % 10, 0);
        // Warm: nothing is left to do.
        cone_solve(f, KAI_CONE_PSOR);
        assert_int_equal(f->result.iterations, 0);
        cone_end(f);
    }
}

static void test_large(void** state)
{
    (void)state;
    cone_fixture* f = cone_large_heap();
    double trace[201];
    f->options.iterations = 200;
    f->options.trace = trace;
    cone_solve(f, KAI_CONE_PSOR);
    check_near(cone_momentum_error(f), 0.0, 1e-11, "v0 + M⁻¹ D γ, 1e5 additions");
    check_near(cone_residual(f, false), f->result.residual, 1e-12, "plain formulas");
    check_near(trace[200], f->result.residual, 0.0, "the last one");
    assert_true(trace[200] < 0.2 * trace[0]); // slow: one body is caught by 300 contacts
    assert_memory_equal(&f->motion[1], &f->start[1], sizeof f->motion[1]);
    cone_end(f);
}

static void test_any_number_of_threads(void** state)
{
    (void)state;
    static const int threads[] = {2, 5, 16};
    cone_fixture *f = cone_large_heap(), *g = cone_large_heap();
    f->options.iterations = g->options.iterations = 20;
    cone_solve(f, KAI_CONE_PSOR);
    for (int k = 0; k < 3; k++) {
        g->options.threads = threads[k];
        cone_forget(g);
        g->cone.laid = false; // colours are handed out anew
        cone_solve(g, KAI_CONE_PSOR);
        assert_memory_equal(f->motion, g->motion, 3000 * sizeof *f->motion);
        assert_memory_equal(f->impulse, g->impulse, sizeof f->impulse);
        assert_memory_equal(f->couple, g->couple, sizeof f->couple);
        assert_true(memcmp(&f->result, &g->result, sizeof f->result) == 0);
    }
    cone_end(f);
    cone_end(g);
}

// Joints -----------------------------------------------------------------------------------------

// Bodies 0 and 1 are one: they share momentum in a line.
static kai_result weld(void* context, kai_cone_motion* m, bool fresh, kai_error* err)
{
    (void)err;
    kai_vec3* impulse = context; // on body 0
    const double m0 = 1.0 / m[0].inverse_mass, m1 = 1.0 / m[1].inverse_mass;
    const kai_vec3 v = kai_vec3_scale(
        kai_vec3_add(kai_vec3_scale(m[0].v, m0), kai_vec3_scale(m[1].v, m1)), 1.0 / (m0 + m1));
    if (fresh) *impulse = kai_vec3_zero();
    *impulse = kai_vec3_mul_add(*impulse, kai_vec3_sub(v, m[0].v), m0);
    m[0].v = m[1].v = v;
    return KAI_OK;
}

static void test_joints(void** state)
{
    (void)state;
    // Two particles welded together, one of them on the ground: it carries both.
    cone_fixture* f = cone_begin();
    kai_vec3 impulse;
    cone_ball(f, 1.0, 1.0, kai_vec3_make(0.0, 0.0, -1.0), kai_vec3_zero());
    cone_ball(f, 9.0, 1.0, kai_vec3_make(0.0, 0.0, -1.0), kai_vec3_zero());
    f->start[0].inverse_moment = f->start[1].inverse_moment = 0.0;
    cone_touch(f, KAI_CONE_NONE, 0, UP, kai_vec3_zero(), kai_vec3_zero(), 0.5);
    f->problem.project = weld;
    f->problem.project_context = &impulse;
    f->options.iterations = 1000;
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->impulse[0], kai_vec3_make(0.0, 0.0, 10.0), 1e-10, "m v of both");
    check_vec3(f->motion[1].v, kai_vec3_zero(), 1e-10, "at rest");
    check_vec3(impulse, kai_vec3_make(0.0, 0.0, -9.0), 1e-10, "m v of the other");
    // No contact: joints alone.
    f->problem.contact_count = 0;
    f->start[1].v.z = 0.0;
    cone_solve(f, KAI_CONE_PSOR);
    check_vec3(f->motion[0].v, kai_vec3_make(0.0, 0.0, -0.1), 1e-15, "shared momentum");
    cone_end(f);
}

// Bad input --------------------------------------------------------------------------------------

static void expect(cone_fixture* f, kai_result code, const char* words)
{
    memcpy(f->motion, f->start, f->problem.body_count * sizeof *f->motion);
    check_error(kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err), code);
    assert_non_null(strstr(f->err.message, words));
    assert_memory_equal(f->motion, f->start, f->problem.body_count * sizeof *f->motion);
}

static void test_bad_input(void** state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        cone_fixture* f = cone_random_heap(30, 70, 0.1);
        kai_cone_contact* c = &f->contacts[40];
        double* const at[] = {&c->normal.y, &c->bias,          &c->friction,
                              &c->rolling,  &f->impulse[40].x, &c->compliance};
        *at[k] = (double)NAN;
        expect(f, KAI_ERROR_DIVERGED, "contact 40 of bodies 10 and ");
        cone_end(f);
    }
    cone_fixture* f = cone_random_heap(30, 70, 0.1);
    f->start[f->contacts[0].b].v.z = HUGE_VAL;
    expect(f, KAI_ERROR_DIVERGED, "contact 0 of bodies 4294967295 and 1");
    cone_end(f);
    f = cone_random_heap(30, 70, 0.1);
    f->contacts[3].b = 30;
    expect(f, KAI_ERROR_ARGUMENT, "contact 3: bodies 3 and 30; must be two of 30");
    f->contacts[3].b = 3;
    expect(f, KAI_ERROR_ARGUMENT, "contact 3: bodies 3 and 3; must be two of 30");
    f->contacts[3].a = f->contacts[3].b = KAI_CONE_NONE;
    expect(f, KAI_ERROR_ARGUMENT, "contact 3: bodies 4294967295 and 4294967295");
    cone_end(f);
}

static void test_memory(void** state)
{
    (void)state;
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        cone_fixture* f = cone_random_heap(30, 70, 0.1);
        memcpy(f->motion, f->start, sizeof f->motion);
        f->counter.fail_at = n;
        const kai_result r =
            kai_cone_solve(&f->cone, &f->problem, &f->options, &f->result, &f->err);
        assert_true(r == KAI_OK || r == KAI_ERROR_MEMORY);
        done = r == KAI_OK;
        f->counter.fail_at = 0;
        cone_solve(f, KAI_CONE_PSOR);
        // Warm: no allocation.
        const uint64_t calls = f->counter.calls;
        cone_solve(f, KAI_CONE_PSOR);
        assert_int_equal(f->counter.calls, calls);
        cone_end(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separates),
        cmocka_unit_test(test_sticks),
        cmocka_unit_test(test_slides),
        cmocka_unit_test(test_bias_and_compliance),
        cmocka_unit_test(test_rolling_and_spinning),
        cmocka_unit_test(test_residual_is_the_plain_one),
        cmocka_unit_test(test_psor_converges),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
