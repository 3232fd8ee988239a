// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints of nodes of finite elements: rows are the derivatives of their g, whatever the pose; they
// hold at creation; they hold in motion.
#include "helper.h"
#include "model/joint.h"
#include "model/node.h"

#include <kairos/element_kinds.h>
#include <kairos/integrator.h>
#include <kairos/joint_nodes.h>
#include <kairos/world.h>

enum { ROWS = KAI_JOINT_ROWS, FURTHER = KAI_JOINT_ENDS - 2, LARGEST = 1024 };

/// One joint in a world with one body and two nodes.
typedef struct scene {
    kai_world* world;
    const kai_joint_kind* kind;
    kai_joint joint;
    const void* instance;
    kai_body body;
    kai_node nodes[2];
} scene;

static kai_node add_node(kai_world* world, uint64_t seed)
{
    kai_node_def def = kai_node_def_default();
    kai_node node;
    def.slopes = 2;
    def.mass = 1.0;
    def.position = helper_random_vec3(seed);
    def.slope[0] = kai_vec3_make(0.0, 1.0, 0.3); // across x, as node-revolute wants it
    def.slope[1] = kai_vec3_make(0.0, -0.2, 0.9);
    check_ok(kai_node_create(world, &def, NULL, &node));
    return node;
}

static scene make_scene(const kai_joint_kind* kind, bool grounded, uint64_t seed)
{
    scene s = {.kind = kind};
    kai_world_def def = kai_world_def_default();
    check_ok(kai_world_create(&def, &s.world, NULL));
    kai_body_def body = kai_body_def_default();
    body.mass = 2.0;
    body.inertia = (kai_inertia){0.5, 0.6, 0.7, 0.05, -0.08, 0.1};
    body.com = kai_vec3_make(0.1, -0.2, 0.3);
    body.position = helper_random_vec3(seed);
    body.rotation = helper_random_rotation(seed + 1);
    check_ok(kai_body_create(s.world, &body, &s.body));
    for (uint64_t k = 0; k < 2; k++) s.nodes[k] = add_node(s.world, seed + 2 + k);
    _Alignas(64) char instance[LARGEST];
    kai_kind_defaults(&kind->kind, instance);
    kai_joint_base* base = (kai_joint_base*)(void*)instance;
    base->axis = kai_vec3_axis(0);
    if (!grounded && kind->node_count == 1) base->bodies[0] = s.body;
    memcpy(instance + kind->nodes, s.nodes, (size_t)kind->node_count * sizeof *s.nodes);
    if (kind == &kai_joint_node_node) ((kai_joint_node_node_params*)(void*)instance)->slopes = true;
    if (kai_joint_create(s.world, kind, instance, NULL, &s.joint) != KAI_OK)
        fail_msg("%s", kai_world_error(s.world)->message);
    check_ok(kai_joint_get(s.world, s.joint, NULL, &s.instance));
    return s;
}

static int evaluate(const scene* s, kai_joint_row* rows, kai_wrench* further)
{
    uint32_t slot[2], beyond[FURTHER];
    const kai_joint_base* base = s->instance;
    for (int k = 0; k < 2; k++)
        slot[k] = (uint32_t)kai_bodies_slot(&s->world->bodies, base->bodies[k]);
    kai_joint_find_further(s->world, s->kind, s->instance, beyond);
    memset(further, 0, ROWS * FURTHER * sizeof *further);
    const kai_joint_batch one = {.world = s->world,
                                 .instances = s->instance,
                                 .size = s->kind->kind.size,
                                 .end = 1,
                                 .slot = slot,
                                 .pose = s->world->bodies.pose,
                                 .motion = s->world->bodies.motion,
                                 .functions = &s->world->functions,
                                 .rows = rows,
                                 .further_slot = beyond,
                                 .further = further,
                                 .nodes = kai_node_all(s->world),
                                 .node_size = sizeof(kai_node_record)};
    s->kind->evaluate(&one);
    return s->kind->rows_of ? s->kind->rows_of(s->instance) : s->kind->rows;
}

/// Moves everything at random velocities and compares the change of g with G v.
static void rows_are_derivatives(const scene* s, uint64_t seed)
{
    kai_joint_row rows[ROWS], before[ROWS], after[ROWS];
    kai_wrench further[ROWS * FURTHER], unused[ROWS * FURTHER];
    const kai_vec3 v = helper_random_vec3(seed), w = helper_random_vec3(seed + 1);
    kai_vec3 u[2][3];
    for (uint64_t n = 0; n < 2; n++)
        for (uint64_t k = 0; k < 3; k++) u[n][k] = helper_random_vec3(seed + 2 + 3 * n + k);
    const int count = evaluate(s, rows, further);
    const double h = 1e-5;
    for (int side = -1; side <= 1; side += 2) {
        kai_pose keep = s->world->bodies.pose[0], *pose = &s->world->bodies.pose[0];
        kai_node_record nodes[2], *all = kai_node_all(s->world);
        memcpy(nodes, all, sizeof nodes);
        pose->position = kai_vec3_mul_add(pose->position, v, side * h);
        pose->rotation = kai_quat_mul(pose->rotation,
                                      kai_quat_from_rotation_vector(kai_vec3_scale(w, side * h)));
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < 9; k++) kai_node_q(&all[n])[k] += side * h * (&u[n][0].x)[k];
        evaluate(s, side < 0 ? before : after, unused);
        *pose = keep;
        memcpy(all, nodes, sizeof nodes);
    }
    const bool body = !KAI_IS_NULL(((const kai_joint_base*)s->instance)->bodies[0]);
    for (int r = 0; r < count; r++) {
        const int ends = 2 * s->kind->node_count;
        double rate = rows[r].gt;
        if (body) rate += kai_vec3_dot(rows[r].a.force, v) + kai_vec3_dot(rows[r].a.torque, w);
        for (int n = 0; n < s->kind->node_count; n++) {
            const kai_wrench* piece = &further[r * ends + 2 * n];
            rate += kai_vec3_dot(piece[0].force, u[n][0]) + kai_vec3_dot(piece[0].torque, u[n][1]) +
                    kai_vec3_dot(piece[1].force, u[n][2]);
        }
        check_near((after[r].g - before[r].g) / (2.0 * h), rate, 1e-9, "central difference");
    }
}

static void every_kind(void** state)
{
    const kai_joint_kind* kinds[] = {&kai_joint_node_point,     &kai_joint_node_fixed,
                                     &kai_joint_node_direction, &kai_joint_node_revolute,
                                     &kai_joint_node_node,      &kai_joint_node_motion};
    for (size_t i = 0; i < KAI_COUNT(kinds); i++) {
        for (uint64_t n = 0; n < 6; n++) {
            const scene s = make_scene(kinds[i], n % 2, 50 * n);
            double violation;
            check_ok(kai_joint_violation(s.world, s.joint, &violation));
            check_near(violation, 0.0, 1e-12, "it holds at creation");
            // Away from where it holds.
            s.world->bodies.pose[0].rotation = helper_random_rotation(50 * n + 20);
            for (int k = 0; k < 9; k++)
                kai_node_q(&kai_node_all(s.world)[0])[k] += 0.1 * helper_random(50 * n + 21);
            rows_are_derivatives(&s, 50 * n + 30);
            kai_world_destroy(s.world);
        }
    }
}

// A body that hangs from a bar, held by node-point: the bar is a pendulum rod. It stays at the
// body's point, and energy is kept.
static void a_body_hangs_from_a_bar(const kai_integrator_kind* integrator, double h, double gap)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    check_ok(kai_integrator_set(world, integrator, NULL));
    kai_solid_elastic_params steel;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &steel);
    steel.young = 2e9;
    steel.base.density = 1000.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &steel, NULL, &solid));
    kai_node_def node = kai_node_def_default();
    kai_node a, b;
    node.fixed = KAI_NODE_FIX_ALL;
    check_ok(kai_node_create(world, &node, NULL, &a));
    node.fixed = 0;
    node.position = kai_vec3_make(1.0, 0.0, 0.0);
    check_ok(kai_node_create(world, &node, NULL, &b));
    const kai_element_bar_params bar = {{a, b}, solid, 1e-4};
    kai_element element;
    check_ok(kai_element_create(world, &kai_element_bar, &bar, NULL, &element));
    kai_body_def body = kai_body_def_default();
    kai_body weight;
    body.mass = 1.0;
    body.inertia = (kai_inertia){0.01, 0.02, 0.03, 0, 0, 0};
    body.position = kai_vec3_make(1.2, 0.0, 0.0);
    check_ok(kai_body_create(world, &body, &weight));
    kai_joint_node_point_params pin;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_node_point.kind, &pin);
    pin.node = b;
    pin.base.bodies[0] = weight;
    check_ok(kai_joint_create(world, &kai_joint_node_point, &pin, "pin", &joint));
    double worst = 0.0;
    while (kai_world_time(world) < 0.5) {
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
        double violation;
        check_ok(kai_joint_violation(world, joint, &violation));
        worst = fmax(worst, violation);
    }
    check_near(worst, 0.0, gap, "the joint holds");
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    // The rod is stiff: both methods damp its vibration of micrometres, nothing else.
    check_near(energy.kinetic + energy.potential + energy.elastic, 0.0, 0.02 * energy.kinetic,
               "what falls gains speed");
    kai_world_destroy(world);
}

static void joints_hold_in_motion(void** state)
{
    a_body_hangs_from_a_bar(&kai_integrator_hht, 1e-3, 1e-9);
    a_body_hangs_from_a_bar(&kai_integrator_euler, 2e-4, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(joints_hold_in_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
