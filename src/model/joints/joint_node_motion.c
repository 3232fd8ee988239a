// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A node follows a prescribed motion: r - r₀ - value(t) = 0, three rows.
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_motion_params given;
    kai_vec3 start; // where it started
} params;

static void node_motion_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 1, 3);
        const kai_value* value[3] = {&p->given.value.x, &p->given.value.y, &p->given.value.z};
        const kai_vec3 gone = kai_vec3_sub(v.node->position, p->start);
        for (int k = 0; k < 3; k++) {
            const kai_jet motion = kai_function_set_value(b->functions, value[k], b->time);
            const kai_vec3 e = kai_vec3_axis(k);
            b->rows[3 * i + (size_t)k] =
                (kai_joint_row){.g = kai_vec3_dot(gone, e) - motion.y, .gt = -motion.dy};
            kai_joint_node_factor(&v, (size_t)k, 0, e);
        }
    }
}

static kai_result node_motion_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->start = kai_joint_node_now(world, p->given.node)->position;
    return KAI_OK;
}

static int64_t node_motion_held(const void* instance)
{
    (void)instance;
    return KAI_NODE_FIX_POSITION;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_NODE_PARAMS(kai_joint_node_motion_params),
    KAI_PARAM(VALUE3, kai_joint_node_motion_params, value, .placing = KAI_PLACING_VECTOR,
              .unit = "m", .required = true, .derivatives = 2, .doc = "Displacement over time."),
    KAI_PARAM(VEC3, params, start, .hidden = true),
};

const kai_joint_kind kai_joint_node_motion = {
    .kind = KAI_KIND(
        "node-motion", params, PARAMS, .given = sizeof(kai_joint_node_motion_params),
        .doc = "Prescribes the displacement of a node of finite elements as a function of time."),
    .rows = 3,
    .evaluate = node_motion_evaluate,
    .prepare = node_motion_prepare,
    .nodes = offsetof(kai_joint_node_motion_params, node),
    .node_count = 1,
    .held = node_motion_held,
    .frameless = true,
    .driven = true};
