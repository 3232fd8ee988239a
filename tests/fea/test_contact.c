// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Nodes of elements that touch things, by complementarity and by penalty: what lies carries its
// weight, a ball in a net is held, joints take part, threads and a resume change no bit.
#include "fea/reload.h"

#include <kairos/kairos.h>
#include <math.h>

static kai_world* make_world(int threads, int32_t method)
{
    kai_world_def def = kai_world_def_default();
    def.threads = threads;
    kai_world* world;
    kai_error err = {0};
    check_ok(kai_world_create(&def, &world, &err));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = method;
    check_ok(kai_contact_set(world, &contact));
    kai_solver_def solver = kai_solver_def_default();
    solver.tolerance = 1e-10; // closed forms
    check_ok(kai_solver_set(world, &solver));
    kai_body_def ground = kai_body_def_default();
    kai_body body;
    ground.fixed = true;
    check_ok(kai_body_create(world, &ground, &body));
    kai_shape_def shape = kai_shape_def_default();
    kai_shape_plane_params plane = {.normal = {0, 0, 1}};
    kai_shape made;
    check_ok(kai_shape_create(world, body, &kai_shape_plane, &plane, &shape, &made));
    return world;
}

static kai_solid add_rubber(kai_world* world, double damping)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = 1e6;
    p.base.density = 1000.0;
    p.base.damping = damping;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

static kai_node add_node(kai_world* world, kai_vec3 at, int64_t fixed)
{
    kai_node_def def = kai_node_def_default();
    kai_node node;
    def.position = at;
    def.fixed = fixed;
    check_ok(kai_node_create(world, &def, NULL, &node));
    check_ok(kai_node_set_contact(world, node, 0.02, (kai_material){0}, 1, false));
    return node;
}

enum { SIDE = 5 };

/// A net of bars of 0.4 m, `height` above the ground, its corners fixed or not.
static void add_net(kai_world* world, double height, double tilt, bool fixed,
                    kai_node nodes[SIDE * SIDE])
{
    // A ball in the net swings at about 90 rad/s: damped nearly critically.
    const kai_solid rubber = add_rubber(world, fixed ? 2e-2 : 2e-3);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int r = i / SIDE, c = i % SIDE;
        const bool edge = r == 0 || c == 0 || r == SIDE - 1 || c == SIDE - 1;
        nodes[i] = add_node(world, kai_vec3_make(0.1 * c, 0.1 * r, height + tilt * c),
                            fixed && edge ? KAI_NODE_FIX_POSITION : 0);
        kai_element element;
        kai_element_bar_params bar = {{nodes[i], nodes[i]}, rubber, 1e-4};
        if (c > 0) {
            bar.nodes[1] = nodes[i - 1];
            check_ok(kai_element_create(world, &kai_element_bar, &bar, NULL, &element));
        }
        if (r > 0) {
            bar.nodes[1] = nodes[i - SIDE];
            check_ok(kai_element_create(world, &kai_element_bar, &bar, NULL, &element));
        }
    }
}

static void step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

/// Weight of the net: 40 bars of 0.1 m and 1e-4 m², 1000 kg/m³.
static const double WEIGHT = 40 * 0.1 * 1e-4 * 1000.0 * 9.81;

/// The sum of all contact forces on the ground, upwards on what lies.
static double support(kai_world* world)
{
    kai_vec3 force, torque;
    check_ok(kai_contact_report_body(world, kai_body_at(world, 0), &force, &torque));
    return -force.z;
}

static void a_net_lies_on_the_ground(int32_t method, const kai_integrator_kind* integrator,
                                     double h, double seconds, double depth)
{
    kai_world* world = make_world(1, method);
    check_ok(kai_integrator_set(world, integrator, NULL));
    kai_node nodes[SIDE * SIDE];
    add_net(world, 0.05, 0.002, false, nodes);
    step(world, h, (int)(seconds / h));
    for (int i = 0; i < SIDE * SIDE; i++) {
        kai_node_def node;
        check_ok(kai_node_get(world, nodes[i], &node));
        check_near(node.position.z, 0.02, depth, "it lies on its radius");
        check_near(kai_vec3_norm(node.velocity), 0.0, 1e-6, "at rest");
    }
    check_relative(support(world), WEIGHT, 1e-4, "the ground carries the weight; tilted at first");
    kai_world_destroy(world);
}

static void nets_lie(void** state)
{
    a_net_lies_on_the_ground(KAI_CONTACT_NSC, &kai_integrator_euler, 1e-3, 1.5, 1e-9);
    a_net_lies_on_the_ground(KAI_CONTACT_NSC, &kai_integrator_euler_implicit, 2e-3, 1.5, 1e-9);
    // Hertz with the default material (E* = 1.1e5 Pa) and a 25th of the weight: 0.39 mm
    a_net_lies_on_the_ground(KAI_CONTACT_SMC, &kai_integrator_euler, 2e-4, 1.5, 6e-4);
}

/// A ball of 2 kg on the end of a pendulum rod, above a net that is held at its edges.
static kai_body add_ball(kai_world* world)
{
    kai_body_def def = kai_body_def_default();
    kai_body ball;
    def.mass = 0.5;
    def.inertia = (kai_inertia){2e-3, 2e-3, 2e-3, 0, 0, 0};
    def.position = kai_vec3_make(0.2, 0.2, 0.65);
    check_ok(kai_body_create(world, &def, &ball));
    kai_shape_sphere_params sphere = {.radius = 0.1};
    kai_shape_def shape = kai_shape_def_default();
    kai_shape made;
    check_ok(kai_shape_create(world, ball, &kai_shape_sphere, &sphere, &shape, &made));
    kai_joint_base joint;
    kai_joint id;
    kai_kind_defaults(&kai_joint_prismatic.kind, &joint);
    joint.bodies[0] = kai_body_at(world, 0);
    joint.bodies[1] = ball;
    joint.at = def.position;
    joint.axis = kai_vec3_axis(2);
    check_ok(kai_joint_create(world, &kai_joint_prismatic, &joint, "guide", &id));
    return ball;
}

static void a_ball_is_caught(int32_t method, const kai_integrator_kind* integrator, double h)
{
    kai_world* world = make_world(1, method);
    check_ok(kai_integrator_set(world, integrator, NULL));
    kai_node nodes[SIDE * SIDE];
    add_net(world, 0.5, 0.0, true, nodes);
    const kai_body ball = add_ball(world);
    step(world, h, (int)(2.0 / h));
    const double z = kai_body_position(world, ball).z;
    // It hangs in the net: below where it touched first, above the ground.
    assert_true(z < 0.62 && z > 0.3);
    check_near(kai_body_velocity(world, ball).z, 0.0, 5e-3, "at rest");
    kai_vec3 force, torque;
    check_ok(kai_contact_report_body(world, ball, &force, &torque));
    check_relative(force.z, 0.5 * 9.81, 1e-2, "the net carries the ball");
    kai_world_destroy(world);
}

static void balls_are_caught(void** state)
{
    a_ball_is_caught(KAI_CONTACT_NSC, &kai_integrator_euler, 1e-3);
    a_ball_is_caught(KAI_CONTACT_NSC, &kai_integrator_euler_implicit, 2e-3);
    a_ball_is_caught(KAI_CONTACT_SMC, &kai_integrator_euler, 2e-4);
}

static uint64_t run(int32_t method, const kai_integrator_kind* integrator, int threads, bool resume)
{
    kai_world* world = make_world(threads, method);
    check_ok(kai_integrator_set(world, integrator, NULL));
    kai_node nodes[SIDE * SIDE];
    add_net(world, 0.5, 0.0, true, nodes);
    add_ball(world);
    step(world, 1e-3, 120);
    if (resume) world = reload(world, threads);
    step(world, 1e-3, 60);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void threads_and_resume_change_no_bit(void** state)
{
    const int32_t methods[] = {KAI_CONTACT_NSC, KAI_CONTACT_SMC, KAI_CONTACT_NSC};
    const kai_integrator_kind* const kinds[] = {&kai_integrator_euler, &kai_integrator_euler,
                                                &kai_integrator_euler_implicit};
    for (int i = 0; i < 3; i++) {
        const uint64_t one = run(methods[i], kinds[i], 1, false);
        assert_true(run(methods[i], kinds[i], 2, false) == one);
        assert_true(run(methods[i], kinds[i], 5, false) == one);
        assert_true(run(methods[i], kinds[i], 1, true) == one);
    }
}

static void energy_counts_nodes_once(void** state)
{
    kai_world* world = make_world(1, KAI_CONTACT_NSC);
    kai_node nodes[SIDE * SIDE];
    add_net(world, 1.0, 0.0, false, nodes);
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    check_relative(energy.potential, WEIGHT, 1e-12, "m g z of the elements alone");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nets_lie),
        cmocka_unit_test(balls_are_caught),
        cmocka_unit_test(threads_and_resume_change_no_bit),
        cmocka_unit_test(energy_counts_nodes_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
