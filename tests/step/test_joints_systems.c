// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints as a system: momentum of what nothing holds, more joints than are needed, joints that are
// switched and removed.
#include "step/joints.h"

// Momentum ---------------------------------------------------------------------------------------

/// Two bodies on a hinge, far from any ground, turning and moving; velocities that the hinge
/// allows.
static kai_world* make_pair(const kai_integrator_kind* kind)
{
    kai_world* world = joints_world(kind, 0.0);
    const kai_vec3 hinge = kai_vec3_make(0.1, 0.2, 0.3), axis = kai_vec3_make(0.0, 0.6, 0.8);
    const kai_vec3 spin = kai_vec3_make(1.0, -2.0, 0.5), drift = kai_vec3_make(0.3, 0.1, -0.2);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    kai_body body[2];
    for (int i = 0; i < 2; i++) {
        kai_body_def def = joints_body_def(1.0 + i, 0.1, 0.15 + 0.05 * i, 0.2);
        def.position = kai_vec3_add(hinge, helper_random_vec3((uint64_t)i));
        def.rotation = helper_random_rotation((uint64_t)i);
        def.angular_velocity = kai_vec3_mul_add(spin, axis, i ? 3.0 : 0.0);
        def.velocity = kai_vec3_add(
            drift, kai_vec3_cross(def.angular_velocity, kai_vec3_sub(def.position, hinge)));
        body[i] = joints_add(world, &def);
    }
    joints_simple(world, &kai_joint_revolute, body[0], body[1], hinge, axis);
    return world;
}

/// Change of angular momentum over a second.
static double momentum_error(const kai_integrator_kind* kind, double h)
{
    kai_world* world = make_pair(kind);
    kai_vec3 linear, angular, linear_after, angular_after;
    check_ok(kai_world_momentum(world, &linear, &angular));
    joints_run(world, 1.0, h);
    check_ok(kai_world_momentum(world, &linear_after, &angular_after));
    check_vec3(linear_after, linear, 1e-9, "reactions cancel");
    kai_world_destroy(world);
    return kai_vec3_distance(angular_after, angular);
}

static void test_momentum_of_a_free_pair(void** state)
{
    // Linear momentum to rounding (and Newton's tolerance); angular momentum to the order.
    const double coarse = momentum_error(&kai_integrator_hht, 1e-3);
    const double fine = momentum_error(&kai_integrator_hht, 5e-4);
    check_near(fine, 0.0, 1e-5, "h² ω³");
    assert_true(coarse < 1e-9 || coarse / fine > 3.0);
    check_near(momentum_error(&kai_integrator_euler, 1e-3), 0.0, 3e-2, "order 1");
}

// A table on four legs ---------------------------------------------------------------------------

typedef struct messages {
    int count;
    char last[256];
} messages;

static void note(void* context, kai_log_level level, const char* message)
{
    messages* m = context;
    if (level != KAI_LOG_WARNING) return;
    m->count++;
    snprintf(m->last, sizeof m->last, "%s", message);
}

static const double LEG_X[4] = {0.5, -0.5, -0.5, 0.5}, LEG_Y[4] = {0.3, 0.3, -0.3, -0.3};

/// A table of 20 kg whose mass centre is off its middle, on four points of the floor.
static kai_world* make_table(const kai_integrator_kind* kind, messages* log, kai_joint legs[4])
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = 1;
    def.log = note;
    def.log_context = log;
    check_ok(kai_world_create(&def, &world, NULL));
    _Alignas(64) char buffer[SCENE_PARAMS];
    check_ok(kai_integrator_set(world, kind, scene_equal_steps(kind, buffer)));
    const kai_body ground = joints_ground(world);
    kai_body_def body = joints_body_def(20.0, 1.0, 2.0, 2.5);
    body.position = kai_vec3_make(0.1, -0.05, 0.7);
    const kai_body table = joints_add(world, &body);
    for (int i = 0; i < 4; i++) {
        static const char* const names[] = {"leg 1", "leg 2", "leg 3", "leg 4"};
        kai_joint_base base;
        joints_set(&kai_joint_point_on_plane, &base, ground, table,
                   kai_vec3_make(LEG_X[i], LEG_Y[i], 0.0), kai_vec3_axis(2));
        check_ok(kai_joint_create(world, &kai_joint_point_on_plane, &base, names[i], &legs[i]));
    }
    return world;
}

/// Forces balance the weight and its moment; the least-norm ones lie in a plane over the floor.
static void check_legs(kai_world* world, const kai_joint legs[4], double tolerance)
{
    const double weight = 20.0 * JOINTS_G;
    double sum = 0.0, mx = 0.0, my = 0.0, f[4];
    for (int i = 0; i < 4; i++) {
        kai_vec3 force, torque;
        check_ok(kai_joint_reaction(world, legs[i], &force, &torque));
        assert_true(kai_vec3_is_finite(force) && kai_vec3_is_finite(torque));
        f[i] = force.z;
        sum += force.z;
        mx += force.z * LEG_X[i];
        my += force.z * LEG_Y[i];
    }
    check_near(sum, weight, tolerance, "balance");
    check_near(mx, 0.1 * weight, tolerance, "balance of moments");
    check_near(my, -0.05 * weight, tolerance, "balance of moments");
    // Nothing but rounding holds the null row: ε over the trace of compliance, 2e-16 / 1e-9, of the
    // weight.
    check_near(f[0] - f[1] + f[2] - f[3], 0.0, fmax(tolerance, 2e-7 * weight),
               "least norm: nothing along the null row");
}

static void test_table_on_four_legs(void** state)
{
    static const kai_integrator_kind* const kinds[] = {&kai_integrator_euler, &kai_integrator_hht,
                                                       &kai_integrator_euler_implicit};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        messages log = {0};
        kai_joint legs[4];
        kai_world* world = make_table(kinds[k], &log, legs);
        check_ok(kai_world_evaluate(world));
        assert_int_equal(log.count, 1); // one row of one leg, reported once
        assert_non_null(strstr(log.last, "leg "));
        assert_non_null(strstr(log.last, "redundant"));
        check_legs(world, legs, 1e-6);
        joints_run(world, 0.2, 1e-3);
        check_legs(world, legs, 1e-5);
        check_near(joints_violation(world), 0.0, 1e-9, "at rest");
        const kai_body table = kai_body_at(world, 1);
        check_vec3(kai_body_position(world, table), kai_vec3_make(0.1, -0.05, 0.7), 1e-9,
                   "nothing moves");
        assert_int_equal(log.count, 1);
        kai_world_destroy(world);
    }
}

// Joints come and go -----------------------------------------------------------------------------

static void test_joint_is_switched_off_and_removed(void** state)
{
    // A body held by a fixed joint stays; let go it falls by g t² / 2; held again it stops.
    kai_world* world = joints_world(&kai_integrator_hht, 0.0);
    const kai_body ground = joints_ground(world);
    kai_body_def def = joints_body_def(1.0, 0.1, 0.1, 0.1);
    const kai_body body = joints_add(world, &def);
    const kai_joint hold =
        joints_simple(world, &kai_joint_prismatic, ground, body, kai_vec3_zero(), kai_vec3_axis(0));
    kai_vec3 force, torque;
    joints_run(world, 0.1, 1e-3);
    check_ok(kai_world_evaluate(world));
    check_ok(kai_joint_reaction(world, hold, &force, &torque));
    check_near(kai_vec3_norm(force), JOINTS_G, 1e-8, "weight");
    check_near(kai_body_position(world, body).z, 0.0, 1e-10, "held");

    check_ok(kai_joint_set_active(world, hold, false));
    joints_run(world, 0.3, 1e-3);
    check_near(kai_body_position(world, body).z, -0.5 * JOINTS_G * 0.2 * 0.2, 1e-9, "falls");
    check_ok(kai_joint_reaction(world, hold, &force, &torque));
    check_near(kai_vec3_norm(force), 0.0, 0.0, "holds nothing");

    check_ok(kai_joint_destroy(world, hold));
    joints_run(world, 0.4, 1e-3);
    check_near(kai_body_position(world, body).z, -0.5 * JOINTS_G * 0.3 * 0.3, 1e-9, "falls on");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_of_a_free_pair),
        cmocka_unit_test(test_table_on_four_legs),
        cmocka_unit_test(test_joint_is_switched_off_and_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
