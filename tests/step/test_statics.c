// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Equilibria against closed forms.
#include "step/joints.h"

#include <kairos/shaft.h>

static void find(kai_world* world)
{
    if (kai_world_statics(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    check_ok(kai_world_evaluate(world));
}

static kai_load add_spring(kai_world* world, kai_body a, kai_body b, kai_vec3 pa, kai_vec3 pb,
                           double rest, double stiffness)
{
    kai_load_spring_params spring;
    kai_load load;
    kai_kind_defaults(&kai_load_spring.kind, &spring);
    spring.bodies[0] = a;
    spring.bodies[1] = b;
    spring.points[0] = pa;
    spring.points[1] = pb;
    spring.rest_length = rest;
    spring.stiffness = kai_curve_line(stiffness);
    check_ok(kai_load_create(world, &kai_load_spring, &spring, NULL, &load));
    return load;
}

static kai_body add_at(kai_world* world, double mass, kai_vec3 position)
{
    kai_body_def def = joints_body_def(mass, 0.1 * mass, 0.2 * mass, 0.3 * mass);
    def.position = position;
    return joints_add(world, &def);
}

// A weight on one spring, started far off: it hangs straight below, longer by m g / k.
static void a_weight_hangs(void** state)
{
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    const kai_body ground = joints_ground(world);
    const kai_body body = add_at(world, 2.0, kai_vec3_make(0.8, 0.3, 0.1));
    add_spring(world, ground, body, kai_vec3_zero(), kai_vec3_make(0.8, 0.3, 0.1), 1.0, 500.0);
    find(world);
    check_vec3(kai_body_position(world, body), kai_vec3_make(0.0, 0.0, -1.0 - 2.0 * 9.81 / 500.0),
               1e-9, "m g / k");
    check_near(kai_vec3_norm(kai_body_velocity(world, body)), 0.0, 0.0, "at rest");
    kai_world_destroy(world);
}

// A pendulum held out sideways comes down: only the joint's own forces make it stable. The joint
// carries the weight.
static void a_pendulum_comes_down(void** state)
{
    kai_world* world = joints_world(&kai_integrator_hht, 0.0);
    const kai_body ground = joints_ground(world);
    const kai_body body = add_at(world, 3.0, kai_vec3_make(2.0, 0.0, 0.0));
    kai_joint_base pin;
    joints_set(&kai_joint_revolute, &pin, ground, body, kai_vec3_zero(), kai_vec3_axis(1));
    const kai_joint joint = joints_make(world, &kai_joint_revolute, &pin);
    find(world);
    check_vec3(kai_body_position(world, body), kai_vec3_make(0.0, 0.0, -2.0), 1e-9, "hangs");
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(world, joint, &force, &torque));
    check_near(kai_vec3_norm(force), 3.0 * 9.81, 1e-7, "m g");
    check_near(kai_vec3_norm(torque), 0.0, 1e-7, "no torque");
    kai_world_destroy(world);
}

// A bar on a hinge with a spring about it: m g (L/2) cos θ = k θ.
static void a_bar_on_a_torsion_spring(void** state)
{
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    const kai_body ground = joints_ground(world);
    const kai_body body = add_at(world, 4.0, kai_vec3_make(0.5, 0.0, 0.0));
    kai_joint_base pin;
    joints_set(&kai_joint_revolute, &pin, ground, body, kai_vec3_zero(), kai_vec3_axis(1));
    const kai_joint joint = joints_make(world, &kai_joint_revolute, &pin);
    kai_load_rotational_spring_params spring;
    kai_load load;
    kai_kind_defaults(&kai_load_rotational_spring.kind, &spring);
    spring.joint = joint;
    spring.stiffness = kai_curve_line(15.0);
    check_ok(kai_load_create(world, &kai_load_rotational_spring, &spring, NULL, &load));
    find(world);
    double angle, travel, exact = 0.5;
    for (int i = 0; i < 100; i++) // Newton on f = 4 · 9.81 · 0.5 cos θ - 15 θ
        exact += (19.62 * cos(exact) - 15.0 * exact) / (19.62 * sin(exact) + 15.0);
    check_ok(kai_joint_coordinates(world, joint, &angle, &travel));
    check_near(angle, exact, 1e-9, "m g L/2 cos θ = k θ");
    kai_world_destroy(world);
}

// Fourteen equal links between two pins at one height. The horizontal part H of the tension is the
// same everywhere and the vertical one falls by m g a link; moments about a link's centre give
// tan θ = (V + V') / 2 H: slopes go down by equal steps, and are symmetric.
static void a_chain_sags(void** state)
{
    enum { LINKS = 14 };
    const double length = 0.25, span = 2.6, pitch = span / LINKS;
    const double rise = sqrt(length * length - pitch * pitch);
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    const kai_body ground = joints_ground(world);
    kai_body links[LINKS];
    kai_vec3 end = kai_vec3_zero(); // built as a zigzag
    for (int i = 0; i <= LINKS; i++) {
        const kai_vec3 next =
            kai_vec3_add(end, kai_vec3_make(pitch, 0.0, i % 2 == 0 ? -rise : rise));
        kai_joint_base pin;
        if (i < LINKS) links[i] = add_at(world, 0.7, kai_vec3_lerp(end, next, 0.5));
        joints_set(&kai_joint_revolute, &pin, i == 0 ? ground : links[i - 1],
                   i < LINKS ? links[i] : ground, end, kai_vec3_axis(1));
        joints_make(world, &kai_joint_revolute, &pin);
        end = next;
    }
    find(world);
    double slope[LINKS];
    end = kai_vec3_zero();
    for (int i = 0; i < LINKS; i++) {
        const kai_vec3 centre = kai_body_position(world, links[i]);
        const kai_vec3 next = kai_vec3_sub(kai_vec3_scale(centre, 2.0), end);
        check_near(kai_vec3_distance(end, next), length, 1e-9, "joints hold");
        slope[i] = (next.z - end.z) / (next.x - end.x);
        end = next;
    }
    check_vec3(end, kai_vec3_make(span, 0.0, 0.0), 1e-9, "the other pin");
    const double step = (slope[LINKS - 1] - slope[0]) / (LINKS - 1);
    assert_true(step > 0.0);
    for (int i = 0; i < LINKS; i++)
        check_near(slope[i], step * (i - 0.5 * (LINKS - 1)), 1e-8, "statics of a link");
    kai_world_destroy(world);
}

// A door that leans on its stop: the stop carries the torque.
static void a_stop_carries(void** state)
{
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    const kai_body ground = joints_ground(world);
    const kai_body body = add_at(world, 1.0, kai_vec3_make(1.0, 0.0, 0.0));
    kai_joint_base pin;
    joints_set(&kai_joint_revolute, &pin, ground, body, kai_vec3_zero(), kai_vec3_axis(1));
    const kai_joint joint = joints_make(world, &kai_joint_revolute, &pin);
    kai_joint_limit_params limit;
    kai_joint stop;
    kai_kind_defaults(&kai_joint_limit.kind, &limit);
    limit.joint = joint;
    limit.low = -0.1;
    limit.high = 0.5;
    check_ok(kai_joint_create(world, &kai_joint_limit, &limit, "stop", &stop));
    find(world);
    double angle, travel;
    check_ok(kai_joint_coordinates(world, joint, &angle, &travel));
    check_near(angle, 0.5, 1e-9, "on the stop");
    kai_world_destroy(world);
}

static void what_cannot_rest_is_named(void** state)
{
    kai_world* world = joints_world(&kai_integrator_euler, 0.0);
    kai_body_def def = joints_body_def(1.0, 1.0, 1.0, 1.0);
    snprintf(def.name.text, sizeof def.name.text, "stone");
    joints_add(world, &def);
    const uint64_t before = kai_world_hash(world);
    check_error(kai_world_statics(world), KAI_ERROR_DIVERGED);
    assert_non_null(strstr(kai_world_error(world)->message, "stone"));
    assert_true(kai_world_hash(world) == before);
    // a block on a rail that slopes
    const kai_body ground = joints_ground(world);
    kai_joint_base rail;
    joints_set(&kai_joint_prismatic, &rail, ground, kai_body_find(world, "stone"), kai_vec3_zero(),
               kai_vec3_make(1.0, 0.0, 1.0));
    joints_make(world, &kai_joint_prismatic, &rail);
    const uint64_t again = kai_world_hash(world);
    check_error(kai_world_statics(world), KAI_ERROR_DIVERGED);
    assert_true(kai_world_hash(world) == again);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_hangs),
        cmocka_unit_test(a_pendulum_comes_down),
        cmocka_unit_test(a_bar_on_a_torsion_spring),
        cmocka_unit_test(a_chain_sags),
        cmocka_unit_test(a_stop_carries),
        cmocka_unit_test(what_cannot_rest_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
