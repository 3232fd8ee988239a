// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the implicit integrators do when a step is too long: divide it, or say so and leave things
// as they were. Assembly of joints that do not hold yet.
#include "step/scene.h"

#include <kairos/joint.h>

typedef struct pendulum {
    kai_world* world;
    kai_body ground, body;
    kai_joint joint;
} pendulum;

/// A body of mass 2 at x = 1 that turns about the y axis.
static pendulum make_pendulum(const kai_integrator_kind* integrator, const void* params)
{
    pendulum p = {.world = scene_world(integrator, 1)};
    check_ok(kai_integrator_set(p.world, integrator, params));
    check_ok(kai_world_set_gravity(p.world, kai_vec3_make(0.0, 0.0, -10.0)));
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    check_ok(kai_body_create(p.world, &def, &p.ground));
    p.body = scene_body(p.world, kai_vec3_make(0.1, 0.1, 0.1), kai_vec3_zero());
    const kai_frame start = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    check_ok(kai_body_set_frame(p.world, p.body, start));
    kai_joint_base pin;
    kai_kind_defaults(&kai_joint_revolute.kind, &pin);
    pin.bodies[0] = p.ground;
    pin.bodies[1] = p.body;
    pin.at = kai_vec3_zero();
    pin.axis = kai_vec3_make(0.0, 1.0, 0.0);
    check_ok(kai_joint_create(p.world, &kai_joint_revolute, &pin, "pin", &p.joint));
    return p;
}

/// Relative error of the energy balance after one second in steps of 0.05 s.
static double drift(bool adaptive, double error)
{
    kai_integrator_hht_params params;
    kai_kind_defaults(&kai_integrator_hht.kind, &params);
    params.adaptive = adaptive;
    params.error = error;
    pendulum p = make_pendulum(&kai_integrator_hht, &params);
    scene_steps(p.world, 20, 0.05);
    kai_energy e;
    check_ok(kai_world_energy(p.world, &e));
    kai_world_destroy(p.world);
    return fabs(e.drift) / 20.0; // m g L
}

static void adaptive_steps_are_more_accurate(void** state)
{
    (void)state;
    const double coarse = drift(false, 1.0), fine = drift(true, 1e-5), finer = drift(true, 1e-7);
    assert_true(fine < 0.2 * coarse);
    assert_true(finer < 0.2 * fine);
}

static void a_failed_step_changes_nothing(void** state)
{
    (void)state;
    kai_integrator_hht_params params;
    kai_kind_defaults(&kai_integrator_hht.kind, &params);
    params.tolerance = 1e-300; // cannot be reached
    params.iterations = 3;
    pendulum p = make_pendulum(&kai_integrator_hht, &params);
    const uint64_t hash = kai_world_hash(p.world);
    check_error(kai_world_step(p.world, 0.01), KAI_ERROR_DIVERGED);
    assert_non_null(strstr(kai_world_error(p.world)->message, "Newton's method did not converge"));
    assert_int_equal(kai_world_hash(p.world), hash);
    kai_world_destroy(p.world);
}

static void joints_are_assembled(void** state)
{
    (void)state;
    pendulum p = make_pendulum(&kai_integrator_hht, NULL);
    const kai_frame off = {{0.9, 0.05, 0.1},
                           kai_quat_from_rotation_vector(kai_vec3_make(0.1, 0.2, -0.1))};
    check_ok(kai_body_set_frame(p.world, p.body, off));
    check_ok(kai_body_set_velocity(p.world, p.body, kai_vec3_make(1.0, 2.0, 3.0),
                                   kai_vec3_make(1.0, 1.0, 1.0)));
    check_ok(kai_world_assemble(p.world));
    double violation;
    check_ok(kai_joint_violation(p.world, p.joint, &violation));
    check_near(violation, 0.0, 1e-12, "assembled");
    check_near(kai_body_position(p.world, p.body).y, 0.0, 1e-12, "on the plane of the pendulum");
    const kai_vec3 at_pin = kai_body_point_velocity(p.world, p.body, kai_vec3_zero());
    check_vec3(at_pin, kai_vec3_zero(), 1e-12, "the pin stands still");
    kai_world_destroy(p.world);
}

static void what_cannot_hold_is_named(void** state)
{
    (void)state;
    pendulum p = make_pendulum(&kai_integrator_hht, NULL);
    kai_joint_distance_params rod;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_distance.kind, &rod);
    rod.base.bodies[0] = p.ground;
    rod.base.bodies[1] = p.body;
    rod.points[0] = kai_vec3_zero();
    rod.points[1] = kai_vec3_make(1.0, 0.0, 0.0); // a point that the pin keeps at distance 1
    rod.length = 2.0;
    check_ok(kai_joint_create(p.world, &kai_joint_distance, &rod, "rod", &joint));
    const uint64_t hash = kai_world_hash(p.world);
    check_error(kai_world_assemble(p.world), KAI_ERROR_DIVERGED);
    assert_non_null(strstr(kai_world_error(p.world)->message, "joints cannot all hold"));
    assert_int_equal(kai_world_hash(p.world), hash);
    kai_world_destroy(p.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adaptive_steps_are_more_accurate),
        cmocka_unit_test(a_failed_step_changes_nothing),
        cmocka_unit_test(joints_are_assembled),
        cmocka_unit_test(what_cannot_hold_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
