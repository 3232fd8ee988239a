// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shafts and states of users under every integrator, against closed forms.
#include "step/joints.h"

#include <kairos/driveline.h>
#include <kairos/shaft.h>
#include <kairos/state.h>

static kai_shaft add_shaft(kai_world* world, double inertia, double speed)
{
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft shaft;
    def.inertia = inertia;
    def.speed = speed;
    check_ok(kai_shaft_create(world, &def, NULL, &shaft));
    return shaft;
}

static kai_shaft_def look(const kai_world* world, kai_shaft shaft)
{
    kai_shaft_def def;
    check_ok(kai_shaft_get(world, shaft, &def));
    return def;
}

// A torque of the user's own ---------------------------------------------------------------------

typedef struct twist {
    kai_shaft shaft;
    double torque, drag;
} twist;

static void twist_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const twist* p = KAI_LOAD_AT(b, twist, i);
        b->out[i].force.x = p->torque - p->drag * kai_load_shaft(b, i)->speed;
    }
}

static const kai_param TWIST_PARAMS[] = {{.name = "shaft",
                                          .type = KAI_PARAM_SHAFT,
                                          .offset = offsetof(twist, shaft),
                                          .required = true,
                                          .doc = "Shaft that is turned."},
                                         {.name = "torque",
                                          .type = KAI_PARAM_REAL,
                                          .offset = offsetof(twist, torque),
                                          .unit = "N m",
                                          .doc = "Constant torque."},
                                         {.name = "drag",
                                          .type = KAI_PARAM_REAL,
                                          .offset = offsetof(twist, drag),
                                          .unit = "N m s",
                                          .doc = "Resisting torque over speed."}};

static const kai_load_kind TWIST = {
    .kind = {KAI_SIZES(kai_load_kind), .name = "twist", .doc = "A torque on a shaft.",
             .size = sizeof(twist), .params = TWIST_PARAMS, .param_count = KAI_COUNT(TWIST_PARAMS)},
    .apply = twist_apply,
    .needs_velocity = true};

static void add_twist(kai_world* world, kai_shaft shaft, double torque, double drag)
{
    const twist params = {shaft, torque, drag};
    kai_load load;
    if (kai_load_find(world, "twist").index == 0) check_ok(kai_load_register(world, &TWIST));
    check_ok(kai_load_create(world, &TWIST, &params, "twist", &load));
}

static const kai_integrator_kind* const ALL[] = {
    &kai_integrator_euler,       &kai_integrator_rk4,     &kai_integrator_hht,
    &kai_integrator_trapezoidal, &kai_integrator_newmark, &kai_integrator_euler_implicit};

// J1 = 10, J2 = 100, ratio -0.1, T = 6 on shaft 1: the accelerations are 6 / (10 + 100 · 0.01) and
// -0.1 of that (see the reference cases of shafts). Constant, so every method is exact for speeds.
static void test_gear(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(ALL); k++) {
        kai_world* world = joints_world(ALL[k], 0.0);
        const kai_shaft one = add_shaft(world, 10.0, 0.0), two = add_shaft(world, 100.0, 0.0);
        add_twist(world, one, 6.0, 0.0);
        kai_joint_shaft_gear_params gear;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_shaft_gear.kind, &gear);
        gear.shafts[0] = one;
        gear.shafts[1] = two;
        gear.ratio = -0.1;
        check_ok(kai_joint_create(world, &kai_joint_shaft_gear, &gear, "gear", &joint));
        for (int i = 0; i < 100; i++)
            if (kai_world_step(world, 0.01) != KAI_OK)
                fail_msg("%s: %s", ALL[k]->kind.name, kai_world_error(world)->message);
        const double a = 6.0 / 11.0;
        check_near(look(world, one).speed, a, 1e-12, "closed form");
        check_near(look(world, two).speed, -0.1 * a, 1e-12, "closed form");
        // euler-implicit moves by the speed of the end: h / 2 · a too far
        const bool first = ALL[k] == &kai_integrator_euler_implicit;
        check_near(look(world, one).angle, 0.5 * a + (first ? 0.005 * a : 0.0), 1e-12,
                   "closed form");
        check_ok(kai_world_evaluate(world));
        double torque;
        check_ok(kai_joint_effort(world, joint, &torque));
        check_near(torque, 100.0 * -0.1 * a, 1e-9, "closed form"); // what turns shaft 2
        check_near(look(world, one).acceleration, a, 1e-12, "closed form");
        kai_energy energy;
        check_ok(kai_world_energy(world, &energy));
        check_near(energy.kinetic, 0.5 * 11.0 * a * a, 1e-12, "closed form");
        check_near(energy.work, energy.kinetic, first ? 0.05 : 1e-10, "closed form");
        kai_world_destroy(world);
    }
}

static double run_down(const kai_integrator_kind* kind, double h)
{
    kai_world* world = joints_world(kind, 1e-14);
    const kai_shaft shaft = add_shaft(world, 2.0, 3.0);
    add_twist(world, shaft, 0.0, 4.0);
    while (kai_world_time(world) < 1.0 - 0.5 * h) check_ok(kai_world_step(world, h));
    const double error = look(world, shaft).speed - 3.0 * exp(-2.0);
    kai_world_destroy(world);
    return fabs(error);
}

// ω = ω₀ exp(-c t / J): orders of convergence, leapfrog too.
static void test_orders(void** state)
{
    static const struct {
        const kai_integrator_kind* kind;
        double order;
    } cases[] = {{&kai_integrator_euler, 2.0},         {&kai_integrator_leapfrog, 2.0},
                 {&kai_integrator_rk4, 4.0},           {&kai_integrator_hht, 2.0},
                 {&kai_integrator_trapezoidal, 2.0},   {&kai_integrator_newmark, 1.0},
                 {&kai_integrator_euler_implicit, 1.0}};
    for (size_t k = 0; k < KAI_COUNT(cases); k++) {
        const double coarse = run_down(cases[k].kind, 0.02), fine = run_down(cases[k].kind, 0.01);
        check_near(log2(coarse / fine), cases[k].order, 0.1, "theory");
    }
}

// States of the user's own: y' = z, z' = -y - 0.2 z + ω ------------------------------------------

typedef struct oscillator {
    double y, z;
    kai_shaft shaft;
} oscillator;

static void oscillator_rates(const kai_state_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const oscillator* p = (const oscillator*)b->instances + i;
        kai_shaft_def shaft;
        kai_shaft_get(b->world, p->shaft, &shaft);
        b->rates[2 * i] = p->z;
        b->rates[2 * i + 1] = -p->y - 0.2 * p->z + shaft.speed;
    }
}

static const kai_param OSCILLATOR_PARAMS[] = {
    {.name = "y", .type = KAI_PARAM_REAL, .offset = offsetof(oscillator, y), .doc = "Value."},
    {.name = "z", .type = KAI_PARAM_REAL, .offset = offsetof(oscillator, z), .doc = "Its rate."},
    {.name = "shaft",
     .type = KAI_PARAM_SHAFT,
     .offset = offsetof(oscillator, shaft),
     .required = true,
     .doc = "Shaft whose speed drives it."}};

static const kai_state_kind OSCILLATOR = {.kind = {KAI_SIZES(kai_state_kind), .name = "oscillator",
                                                   .doc = "Two states.", .size = sizeof(oscillator),
                                                   .params = OSCILLATOR_PARAMS,
                                                   .param_count = KAI_COUNT(OSCILLATOR_PARAMS)},
                                          .values = offsetof(oscillator, y),
                                          .count = 2,
                                          .rates = oscillator_rates};

static kai_world* oscillator_world(const kai_integrator_kind* kind, kai_state* states)
{
    kai_world* world = joints_world(kind, 1e-13);
    const kai_shaft shaft = add_shaft(world, 1.0, 0.0);
    add_twist(world, shaft, 1.0, 0.0); // ω = t
    const oscillator params = {1.0, 0.0, shaft};
    check_ok(kai_state_register(world, &OSCILLATOR));
    check_ok(kai_state_create(world, &OSCILLATOR, &params, "osc", states));
    return world;
}

// y'' + 0.2 y' + y = t from y = 1, y' = 0: y = t - 0.2 + e^{-t/10} (1.2 cos w t + B sin w t) with
// w² = 0.99 and B = (0.12 - 1) / w.
static double oscillator_error(const kai_integrator_kind* kind, double h)
{
    kai_state states;
    kai_world* world = oscillator_world(kind, &states);
    while (kai_world_time(world) < 2.0 - 0.5 * h) check_ok(kai_world_step(world, h));
    const double w = sqrt(0.99), t = 2.0, b = -0.88 / w, c = cos(w * t), d = sin(w * t);
    const double y = t - 0.2 + exp(-0.1 * t) * (1.2 * c + b * d);
    const double z = 1.0 + exp(-0.1 * t) * (-0.1 * (1.2 * c + b * d) + w * (-1.2 * d + b * c));
    const double* values = kai_state_values(world, states);
    const double error = hypot(values[0] - y, values[1] - z);
    kai_world_destroy(world);
    return error;
}

static void test_state_calls(void** state)
{
    kai_state states;
    kai_world* world = oscillator_world(&kai_integrator_euler, &states);
    assert_int_equal(kai_state_count(world), 1);
    assert_true(KAI_ID_EQUALS(kai_state_find(world, "osc"), states));
    const double good[2] = {3.0, -4.0}, bad[2] = {(double)NAN, 0.0};
    check_ok(kai_state_set_values(world, states, good));
    check_error(kai_state_set_values(world, states, bad), KAI_ERROR_ARGUMENT);
    check_near(kai_state_values(world, states)[1], -4.0, 0.0, "as set");
    check_ok(kai_state_destroy(world, states));
    assert_int_equal(kai_state_count(world), 0);
    assert_null(kai_state_values(world, states));
    check_error(kai_state_set_values(world, states, good), KAI_ERROR_ID);
    kai_world_destroy(world);
}

static void test_states(void** state)
{
    static const struct {
        const kai_integrator_kind* kind;
        double order;
    } cases[] = {{&kai_integrator_euler, 2.0},   {&kai_integrator_leapfrog, 2.0},
                 {&kai_integrator_rk4, 4.0},     {&kai_integrator_trapezoidal, 2.0},
                 {&kai_integrator_newmark, 1.0}, {&kai_integrator_euler_implicit, 1.0}};
    for (size_t k = 0; k < KAI_COUNT(cases); k++) {
        const double coarse = oscillator_error(cases[k].kind, 0.04),
                     fine = oscillator_error(cases[k].kind, 0.02);
        check_near(log2(coarse / fine), cases[k].order, 0.15, "theory");
    }
}

// A failed step leaves everything as it was, shafts and states too.
static void test_nothing_changes_when_a_step_fails(void** state)
{
    kai_state states;
    kai_world* world = oscillator_world(&kai_integrator_euler, &states);
    check_ok(kai_world_step(world, 0.1));
    const uint64_t before = kai_world_hash(world);
    const twist bad = {kai_shaft_at_index(world, 0), HUGE_VAL, 0.0};
    kai_load load;
    twist params = bad;
    params.torque = 1e308;
    check_ok(kai_load_create(world, &TWIST, &params, "big", &load));
    check_ok(kai_load_create(world, &TWIST, &params, "bigger", &load));
    check_error(kai_world_step(world, 0.1), KAI_ERROR_DIVERGED);
    assert_true(kai_world_hash(world) == before);
    kai_world_destroy(world);
}

static void test_shaft_calls(void** state)
{
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft a, b;
    check_ok(kai_shaft_create(world, &def, "crank", &a));
    assert_true(KAI_ID_EQUALS(kai_shaft_find(world, "crank"), a));
    assert_string_equal(kai_shaft_name(world, a), "crank");
    def.inertia = 0.0;
    check_error(kai_shaft_create(world, &def, NULL, &b), KAI_ERROR_ARGUMENT);
    assert_int_equal(kai_shaft_count(world), 1);
    check_ok(kai_shaft_set_motion(world, a, 7.0, 2.0));
    check_near(look(world, a).angle, 7.0, 0.0, "closed form");
    check_error(kai_shaft_set_motion(world, a, (double)NAN, 2.0), KAI_ERROR_ARGUMENT);
    add_twist(world, a, 1.0, 0.0);
    check_error(kai_shaft_destroy(world, a), KAI_ERROR_ARGUMENT);
    check_ok(kai_load_destroy(world, kai_load_find(world, "twist")));
    const oscillator params = {1.0, 0.0, a};
    kai_state states;
    check_ok(kai_state_register(world, &OSCILLATOR));
    check_ok(kai_state_create(world, &OSCILLATOR, &params, "osc", &states));
    check_error(kai_shaft_destroy(world, a), KAI_ERROR_ARGUMENT);
    check_ok(kai_state_destroy(world, states));
    check_ok(kai_shaft_destroy(world, a));
    check_error(kai_shaft_destroy(world, a), KAI_ERROR_ID);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_state_calls),
        cmocka_unit_test(test_nothing_changes_when_a_step_fails),
        cmocka_unit_test(test_shaft_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
