// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A node stays at a point of a body: three rows, see joint_node.h.
#include "base/error.h"
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_point_params given;
    kai_vec3 point; // where it is on the body
} params;

static void node_point_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 1, 3);
        kai_joint_node_put_point(&v, p->point, 0, b->rows + 3 * i);
    }
}

static kai_result node_point_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->point = kai_joint_node_inner(world, p->given.base.bodies[0],
                                    kai_joint_node_now(world, p->given.node)->position, true);
    return KAI_OK;
}

static int64_t node_point_held(const void* instance)
{
    (void)instance;
    return KAI_NODE_FIX_POSITION;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_NODE_PARAMS(kai_joint_node_point_params),
    KAI_PARAM(VEC3, params, point, .hidden = true),
};

const kai_joint_kind kai_joint_node_point = {
    .kind = KAI_KIND(
        "node-point", params, PARAMS, .given = sizeof(kai_joint_node_point_params),
        .doc = "A node of finite elements stays at a point of a body; its slopes may rotate."),
    .rows = 3,
    .evaluate = node_point_evaluate,
    .prepare = node_point_prepare,
    .nodes = offsetof(kai_joint_node_point_params, node),
    .node_count = 1,
    .held = node_point_held,
    .frameless = true};
