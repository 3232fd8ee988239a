// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// PID controllers: their integral is a state that every integrator advances with the system.
#include "scene_helper.h"

#include <kairos/load.h>

static const kai_integrator_kind* const INTEGRATORS[] = {
    &kai_integrator_euler,       &kai_integrator_rk4,     &kai_integrator_hht,
    &kai_integrator_trapezoidal, &kai_integrator_newmark, &kai_integrator_euler_implicit};

#define WHEEL(motor, more)                                                                          \
    SCENE(                                                                                          \
        "'gravity': [0, 0, 0], 'bodies': [{'name': 'g', 'fixed': true}, "                           \
        "{'name': 'w', 'mass': 1, 'inertia': [1, 1, 1]}], "                                         \
        "'joints': [{'name': 'j', 'type': 'cylindrical', 'bodies': ['g', 'w'], 'at': [0, 0, 0]}], " \
        "'motors': [{'name': 'm', 'joint': 'j', " motor "}]" more)

static kai_load_state state_of(kai_scene* scene)
{
    kai_world* world = kai_scene_world(scene);
    kai_load_state out;
    check_ok(kai_load_output(world, kai_load_find(world, "m"), &out));
    return out;
}

#define REGULATED "'target': 0, 'kp': 11, 'ki': 6, 'kd': 6"

static double regulated(size_t integrator, bool linear, double t, double h)
{
    kai_scene* scene = good_scene(
        linear ? WHEEL("'type': 'linear-pid', " REGULATED,
                       ", 'forces': [{'type': 'force', 'body': 'w', 'value': [0, 0, 2]}]")
               : WHEEL("'type': 'rotation-pid', " REGULATED,
                       ", 'forces': [{'type': 'torque', 'body': 'w', 'value': [0, 0, 2]}]"));
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_integrator_set(world, INTEGRATORS[integrator], NULL));
    check_ok(kai_world_step_until(world, t, h));
    const kai_load_state out = state_of(scene);
    kai_scene_close(scene);
    return linear ? out.length : out.angle;
}

// Poles at -1, -2, -3 and a constant load D = 2 on unit inertia: x = D (e^-t - 2 e^-2t + e^-3t)
// / 2. Errors fall with the order of each method; euler has order 2 where nothing turns freely.
static void a_load_is_regulated_away(void** state)
{
    (void)state;
    const double t = 2.0, x = exp(-t) - 2.0 * exp(-2.0 * t) + exp(-3.0 * t);
    for (size_t n = 0; n < sizeof INTEGRATORS / sizeof INTEGRATORS[0]; n++) {
        for (int linear = 0; linear < 2; linear++) {
            const double coarse = regulated(n, linear, t, 2e-2) - x;
            const double fine = regulated(n, linear, t, 1e-2) - x;
            const double order = n == 0 ? 2.0 : INTEGRATORS[n]->order;
            check_near(log2(fabs(coarse / fine)), order, 0.15, INTEGRATORS[n]->kind.name);
        }
    }
}

// Three turns are asked for at no more than 0.5 N m: the effort stays in its bounds, the integral
// does not wind up, and the wheel comes to rest there.
static void bounds_do_not_wind_it_up(void** state)
{
    (void)state;
    kai_scene* scene =
        good_scene(WHEEL("'type': 'rotation-pid', 'target': 18.85, 'kp': 1, 'ki': 0.1, "
                         "'kd': 2.5, 'low': -0.5, 'high': 0.5",
                         ""));
    kai_world* world = kai_scene_world(scene);
    double most = 0.0;
    for (int i = 0; i < 120; i++) {
        check_ok(kai_world_step_until(world, 0.5 * (i + 1), 5e-3));
        const kai_load_state out = state_of(scene);
        assert_true(fabs(out.torque) <= 0.5);
        most = fmax(most, out.angle);
        const void* params;
        check_ok(kai_load_get(world, kai_load_find(world, "m"), NULL, &params));
        // 3 s at 0.5 rad/s² while bounded: without the rule the integral would pass 100.
        assert_true(fabs(((const kai_load_pid_params*)params)->integral) < 30.0);
    }
    check_near(state_of(scene).angle, 18.85, 2e-2, "e^(-0.1 t) of the slow pole");
    kai_scene_close(scene);
}

// A world read back goes on with the same bits, integral included; a failed step leaves it alone.
static void the_integral_is_part_of_the_state(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(
        WHEEL("'type': 'rotation-pid', 'target': {'sine': {'amplitude': 1, 'frequency': 0.5}}, "
              "'kp': 11, 'ki': 6, 'kd': 6",
              ""));
    kai_world *world = kai_scene_world(scene), *back = NULL;
    char path[64];
    snprintf(path, sizeof path, "pid-%d.h5", (int)getpid());
    check_ok(kai_world_step_until(world, 0.5, 1e-3));
    check_ok(kai_world_save(world, path));
    const kai_world_def def = kai_world_def_default();
    check_ok(kai_world_load(&def, path, &back, NULL));
    assert_int_equal(unlink(path), 0);
    assert_true(kai_world_hash(world) == kai_world_hash(back));
    check_ok(kai_world_step_until(world, 1.0, 1e-3));
    check_ok(kai_world_step_until(back, 1.0, 1e-3));
    assert_true(kai_world_hash(world) == kai_world_hash(back));
    kai_world_destroy(back);

    const uint64_t before = kai_world_hash(world);
    const kai_load_force_params huge = {
        .body = kai_body_find(world, "w"),
        .value = {{.constant = 1e308}, {.constant = 1e308}, {.constant = 1e308}}};
    kai_load_force_params push;
    kai_load loads[2];
    kai_kind_defaults(&kai_load_force.kind, &push);
    push.body = huge.body;
    push.value = huge.value;
    for (int i = 0; i < 2; i++)
        check_ok(kai_load_create(world, &kai_load_force, &push, NULL, &loads[i]));
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_DIVERGED);
    assert_true(kai_world_hash(world) == before);
    kai_scene_close(scene);
}

static void wrong_controllers(void** state)
{
    (void)state;
    check_problems(WHEEL("'type': 'rotation-pid', 'kp': 1", ""), NULL,
                   "scene.json:1:252: /motors/0: target is missing");
    check_problems(WHEEL("'type': 'rotation-pid', 'target': 0, 'kp': -1", ""), NULL,
                   "scene.json:1:323: /motors/0/kp: kp is -1; must be >= 0");
    check_problems(
        WHEEL("'type': 'linear-pid', 'target': 0, 'low': 1, 'high': 1", ""), NULL,
        "scene.json:1:252: /motors/0: linear-pid: low is 1 and high is 1; low must be < high");
    check_problems(
        SCENE(TWO "'motors': [{'type': 'rotation-pid', 'target': 0}]"), NULL,
        "scene.json:1:141: /motors/0: rotation-pid: joint is missing; give it, or bodies with at and axis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_is_regulated_away),
        cmocka_unit_test(bounds_do_not_wind_it_up),
        cmocka_unit_test(the_integral_is_part_of_the_state),
        cmocka_unit_test(wrong_controllers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
