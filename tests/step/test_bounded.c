// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows that hold only so far: limits, ropes, struts and dry friction of joints.
#include "step/scene.h"

#include "model/world.h"
#include "step/constraints.h"

#include <kairos/joint.h>
#include <kairos/load.h>

/// Every integrator that holds joints at a velocity or position level.
static const kai_integrator_kind* const ALL[] = {
    &kai_integrator_euler, &kai_integrator_hht, &kai_integrator_trapezoidal,
    &kai_integrator_newmark, &kai_integrator_euler_implicit};
static const kai_integrator_kind* integrator; // the one under test

typedef struct slider {
    kai_world* world;
    kai_body ground, body;
    kai_joint joint;
} slider;

static kai_joint add_rail(const slider* s, kai_vec3 axis, const char* name)
{
    kai_joint_base rail;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_prismatic.kind, &rail);
    rail.bodies[0] = s->ground;
    rail.bodies[1] = s->body;
    rail.at = kai_vec3_zero();
    rail.axis = axis;
    check_ok(kai_joint_create(s->world, &kai_joint_prismatic, &rail, name, &joint));
    return joint;
}

/// A body of mass 2 on a rail along `axis` through the origin.
static slider make_slider(kai_vec3 axis, kai_vec3 gravity)
{
    slider s = {.world = scene_world(integrator, 1)};
    check_ok(kai_world_set_gravity(s.world, gravity));
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    check_ok(kai_body_create(s.world, &def, &s.ground));
    s.body = scene_body(s.world, kai_vec3_make(1.0, 1.0, 1.0), kai_vec3_zero());
    s.joint = add_rail(&s, axis, "rail");
    return s;
}

static kai_joint add_limit(slider* s, double low, double high)
{
    kai_joint_limit_params limit;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_limit.kind, &limit);
    limit.joint = s->joint;
    limit.coordinate = KAI_JOINT_TRAVEL;
    limit.low = low;
    limit.high = high;
    check_ok(kai_joint_create(s->world, &kai_joint_limit, &limit, NULL, &joint));
    return joint;
}

// Falls 0.5 m onto the stop and stays: t = sqrt(2 · 0.5 / g), then the stop carries the weight.
static void a_stop_holds_once(void)
{
    slider s = make_slider(kai_vec3_make(0.0, 0.0, 1.0), kai_vec3_make(0.0, 0.0, -10.0));
    const kai_joint limit = add_limit(&s, -0.5, 0.25);
    assert_string_equal(kai_joint_name(s.world, s.joint), "rail");
    assert_string_equal(kai_joint_name(s.world, limit), "");
    double lowest = 0.0;
    for (int i = 0; i < 1000; i++) {
        check_ok(kai_world_step(s.world, 1e-3));
        lowest = fmin(lowest, kai_body_position(s.world, s.body).z);
        if (i == 300) // still falling: -g t² / 2, first-order accurate
            check_near(kai_body_position(s.world, s.body).z, -0.5 * 10.0 * 0.301 * 0.301, 2e-3,
                       "free fall, h g t / 2");
    }
    check_near(lowest, -0.5, 1e-9, "the stop is met without going through");
    check_near(kai_body_velocity(s.world, s.body).z, 0.0, 1e-9, "at rest");
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(s.world, limit, &force, &torque));
    check_near(force.z, 20.0, 1e-6, "weight m g");
    kai_world_destroy(s.world);
}

// m g sin against friction: sticks below the bound, slides with a = g - F/m above it.
static double slide(double friction)
{
    slider s = make_slider(kai_vec3_make(0.0, 0.0, 1.0), kai_vec3_make(0.0, 0.0, -10.0));
    kai_joint_friction_params rub;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_friction.kind, &rub);
    rub.joint = s.joint;
    rub.coordinate = KAI_JOINT_TRAVEL;
    rub.most = kai_value_constant(friction);
    check_ok(kai_joint_create(s.world, &kai_joint_friction, &rub, "rub", &joint));
    scene_steps(s.world, 1000, 1e-3);
    const double v = kai_body_velocity(s.world, s.body).z;
    kai_world_destroy(s.world);
    return v;
}

static void friction_sticks_and_slips_once(void)
{
    check_near(slide(20.1), 0.0, 1e-12, "friction above the weight of 20 N");
    check_near(slide(15.0), -(10.0 - 7.5), 1e-9, "v = (g - F/m) t");
    check_near(slide(0.0), -10.0, 1e-9, "no friction");
}

// A block thrown along a rail with friction stops after v² / 2 a, and stays.
static void friction_stops_once(void)
{
    slider s = make_slider(kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero());
    kai_joint_friction_params rub;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_friction.kind, &rub);
    rub.joint = s.joint;
    rub.coordinate = KAI_JOINT_TRAVEL;
    rub.most = kai_value_constant(4.0); // a = 2 m/s²
    check_ok(kai_joint_create(s.world, &kai_joint_friction, &rub, NULL, &joint));
    check_ok(kai_body_set_velocity(s.world, s.body, kai_vec3_make(2.0, 0.0, 0.0), kai_vec3_zero()));
    scene_steps(s.world, 3000, 1e-3);
    check_near(kai_body_position(s.world, s.body).x, 1.0, 1.1e-3,
               "v² / 2 a, less h v / 2 of first order");
    assert_true(kai_body_velocity(s.world, s.body).x == 0.0 ||
                fabs(kai_body_velocity(s.world, s.body).x) < 1e-15);
    kai_world_destroy(s.world);
}

// A body on a rope: free until it is taut, then a pendulum bob; a rope never pushes.
static void a_rope_pulls_only_once(void)
{
    kai_world* world = scene_world(integrator, 1);
    check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -10.0)));
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    kai_body ground;
    check_ok(kai_body_create(world, &def, &ground));
    const kai_body body = scene_body(world, kai_vec3_make(1.0, 1.0, 1.0), kai_vec3_zero());
    check_ok(kai_body_set_frame(
        world, body, kai_frame_make(kai_vec3_make(0.0, 0.0, -0.2), kai_quat_identity())));
    kai_joint_distance_params rope;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_rope.kind, &rope);
    rope.base.bodies[0] = ground;
    rope.base.bodies[1] = body;
    rope.points[0] = kai_vec3_zero();
    rope.points[1] = kai_vec3_make(0.0, 0.0, -0.2);
    rope.length = 1.0;
    check_ok(kai_joint_create(world, &kai_joint_rope, &rope, "rope", &joint));
    scene_steps(world, 300, 1e-3);
    check_near(kai_body_velocity(world, body).z, -3.0, 1e-9, "slack: free fall");
    scene_steps(world, 700, 1e-3);
    check_near(kai_body_position(world, body).z, -1.0, 1e-9, "taut");
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(world, joint, &force, &torque));
    check_near(kai_vec3_norm(force), 20.0, 1e-6, "carries m g");
    kai_world_destroy(world);
}

static void with_all(void (*test)(void))
{
    for (size_t i = 0; i < KAI_COUNT(ALL); i++) {
        integrator = ALL[i];
        print_message("  %s\n", integrator->kind.name);
        test();
    }
}

static void a_stop_holds(void** state) { with_all(a_stop_holds_once); }
static void friction_sticks_and_slips(void** state) { with_all(friction_sticks_and_slips_once); }
static void friction_stops(void** state) { with_all(friction_stops_once); }
static void a_rope_pulls_only(void** state) { with_all(a_rope_pulls_only_once); }

static void count_warnings(void* context, kai_log_level level, const char* message)
{
    (void)message;
    *(size_t*)context += level == KAI_LOG_WARNING;
}

/// Whether rows of the world's joints are taken as redundant after a look at accelerations, which
/// begins with both ends of a range held, and three steps.
static bool shares_rows(slider* s, size_t* warnings)
{
    s->world->log = count_warnings;
    s->world->log_context = warnings;
    check_ok(kai_world_evaluate(s->world));
    scene_steps(s->world, 3, 1e-3);
    const kai_constraints* c = s->world->solver;
    return c->soft || c->shared;
}

// The two ends of a range hold one direction, and only a guess has both at work: no redundant rows,
// whose treatment makes each solution twice as long. A second rail makes five rows redundant,
// whatever the range does.
static void a_range_shares_no_rows(void** state)
{
    (void)state;
    integrator = &kai_integrator_euler;
    for (int twice = 0; twice < 2; twice++) {
        size_t warnings = 0;
        slider s = make_slider(kai_vec3_make(0.0, 0.0, 1.0), kai_vec3_make(0.0, 0.0, -10.0));
        add_limit(&s, -0.5, 0.25);
        if (twice) add_rail(&s, kai_vec3_make(0.0, 0.0, 1.0), "second");
        assert_int_equal(shares_rows(&s, &warnings), twice);
        assert_int_equal(warnings, twice);
        kai_world_destroy(s.world);
    }
}

static void rk4_says_no(void** state)
{
    integrator = &kai_integrator_rk4;
    slider s = make_slider(kai_vec3_make(0.0, 0.0, 1.0), kai_vec3_zero());
    add_limit(&s, -1.0, 1.0);
    check_error(kai_world_step(s.world, 1e-3), KAI_ERROR_UNSUPPORTED);
    kai_world_destroy(s.world);
}

// Dampers are found twice in a step of euler, at the same positions: one factorisation serves both
// velocity steps, until the stop is met; then the first step with it takes another one.
static void a_damped_step_factorises_once(void** state)
{
    (void)state;
    integrator = &kai_integrator_euler;
    slider s = make_slider(kai_vec3_make(0.0, 0.0, 1.0), kai_vec3_make(0.0, 0.0, -10.0));
    add_limit(&s, -0.5, 0.25);
    kai_load_linear_spring_params damper;
    kai_load load;
    kai_kind_defaults(&kai_load_linear_spring.kind, &damper);
    damper.joint = s.joint;
    damper.damping = kai_curve_line(2.0); // v' = -10 - v
    check_ok(kai_load_create(s.world, &kai_load_linear_spring, &damper, NULL, &load));
    check_ok(kai_world_step(s.world, 1e-3));
    const kai_constraints* c = s.world->solver;
    uint64_t most = 0, all = c->factors;
    for (int i = 1; i < 1000; i++) {
        const uint64_t before = c->factors;
        check_ok(kai_world_step(s.world, 1e-3));
        const double z = kai_body_position(s.world, s.body).z;
        if (z > -0.49) assert_int_equal(c->factors - before, 1);
        most = c->factors - before > most ? c->factors - before : most;
        if (i == 200)
            check_near(kai_body_velocity(s.world, s.body).z, -10.0 * (1.0 - exp(-0.201)), 1e-6,
                       "second order in h: 0.2 s of the closed form");
    }
    assert_true(most <= 3);
    assert_true(c->factors - all < 1010);
    check_near(kai_body_position(s.world, s.body).z, -0.5, 1e-9, "at the stop");
    kai_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_holds),
        cmocka_unit_test(friction_sticks_and_slips),
        cmocka_unit_test(friction_stops),
        cmocka_unit_test(a_rope_pulls_only),
        cmocka_unit_test(rk4_says_no),
        cmocka_unit_test(a_range_shares_no_rows),
        cmocka_unit_test(a_damped_step_factorises_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
