// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A node stays as it is on a body: its position (three rows) and its first slope (three more).
#include "base/error.h"
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_fixed_params given;
    kai_vec3 point, slope; // as they are on the body
    int64_t slopes;        // of the node
} params;

enum { ROWS = 6 };

static void node_fixed_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 1, ROWS);
        kai_joint_node_put_point(&v, p->point, 0, b->rows + ROWS * i);
        if (v.node->slopes > 0) kai_joint_node_put_slope(&v, 1, p->slope, 3, b->rows + ROWS * i);
    }
}

static int rows_of(const void* instance)
{
    return ((const params*)instance)->slopes > 0 ? ROWS : 3;
}

static kai_result node_fixed_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    const kai_node_def* node = kai_joint_node_now(world, p->given.node);
    p->slopes = node->slopes;
    p->point = kai_joint_node_inner(world, p->given.base.bodies[0], node->position, true);
    p->slope = kai_joint_node_inner(world, p->given.base.bodies[0], node->slope[0], false);
    return KAI_OK;
}

static int64_t node_fixed_held(const void* instance)
{
    (void)instance;
    return KAI_NODE_FIX_POSITION | KAI_NODE_FIX_SLOPE_0;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_NODE_PARAMS(kai_joint_node_fixed_params),
    KAI_PARAM(VEC3, params, point, .hidden = true),
    KAI_PARAM(VEC3, params, slope, .hidden = true),
    KAI_PARAM(INT, params, slopes, .hidden = true),
};

const kai_joint_kind kai_joint_node_fixed = {
    .kind =
        KAI_KIND("node-fixed", params, PARAMS, .given = sizeof(kai_joint_node_fixed_params),
                 .doc = "A node of finite elements, with its first slope, is clamped to a body."),
    .rows = ROWS,
    .rows_of = rows_of,
    .evaluate = node_fixed_evaluate,
    .prepare = node_fixed_prepare,
    .nodes = offsetof(kai_joint_node_fixed_params, node),
    .node_count = 1,
    .held = node_fixed_held,
    .frameless = true};
