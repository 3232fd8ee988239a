// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A hinge of a node on a body: its position (three rows), and slopes that stay across the axis (one
// row each).
#include "base/error.h"
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_revolute_params given;
    kai_vec3 point, inner; // point and axis on the body
    int64_t slopes;        // of the node
} params;

enum { ROWS = 5 };

static void node_revolute_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 1, ROWS);
        kai_joint_node_put_point(&v, p->point, 0, b->rows + ROWS * i);
        for (int s = 1; s <= v.node->slopes; s++)
            kai_joint_node_put_across(&v, s, p->inner, 2 + (size_t)s, b->rows + ROWS * i);
    }
}

static int rows_of(const void* instance) { return 3 + (int)((const params*)instance)->slopes; }

static kai_result node_revolute_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_node_check(world, p->given.node, 1, "node-revolute", err));
    const kai_node_def* node = kai_joint_node_now(world, p->given.node);
    const kai_vec3 axis = kai_vec3_normalize(p->given.base.axis);
    for (int64_t s = 0; s < node->slopes; s++)
        if (!(fabs(kai_vec3_dot(axis, node->slope[s])) < 1e-6 * kai_vec3_norm(node->slope[s])))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "node-revolute: slope %lld of node '%s' (#%u) is not across the "
                                 "axis [%g, %g, %g]",
                                 (long long)s, kai_node_name(world, p->given.node),
                                 p->given.node.index, axis.x, axis.y, axis.z);
    p->slopes = node->slopes;
    p->point = kai_joint_node_inner(world, p->given.base.bodies[0], node->position, true);
    p->inner = kai_joint_node_inner(world, p->given.base.bodies[0], axis, false);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_NODE_PARAMS(kai_joint_node_revolute_params),
    KAI_PARAM(
        VEC3, kai_joint_base, axis, .placing = KAI_PLACING_AXIAL, .required = true,
        .doc = "Axis of the hinge, world coordinates at t = 0; slopes stay perpendicular to it."),
    KAI_PARAM(VEC3, params, point, .hidden = true),
    KAI_PARAM(VEC3, params, inner, .hidden = true),
    KAI_PARAM(INT, params, slopes, .hidden = true),
};

const kai_joint_kind kai_joint_node_revolute = {
    .kind =
        KAI_KIND("node-revolute", params, PARAMS, .given = sizeof(kai_joint_node_revolute_params),
                 .doc = "A node of finite elements rotates about an axis of a body."),
    .rows = ROWS,
    .rows_of = rows_of,
    .evaluate = node_revolute_evaluate,
    .prepare = node_revolute_prepare,
    .nodes = offsetof(kai_joint_node_revolute_params, node),
    .node_count = 1,
    .frameless = true};
