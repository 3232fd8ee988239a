// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A slope of a node keeps its direction on a body and may change its length: two rows.
#include "base/error.h"
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_direction_params given;
    kai_vec3 across[2]; // directions of the body that the slope is across
} params;

static void node_direction_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 1, 2);
        for (size_t k = 0; k < 2; k++)
            kai_joint_node_put_across(&v, 1 + (int)p->given.slope, p->across[k], k,
                                      b->rows + 2 * i);
    }
}

static kai_result node_direction_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_node_check(world, p->given.node, p->given.slope + 1, "node-direction", err));
    const kai_vec3 d = kai_joint_node_now(world, p->given.node)->slope[p->given.slope];
    if (!(kai_vec3_norm(d) > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "node-direction: the slope of node '%s' (#%u) is zero; it has no "
                             "direction",
                             kai_node_name(world, p->given.node), p->given.node.index);
    const kai_quat q = kai_quat_from_z_axis(d);
    for (int k = 0; k < 2; k++)
        p->across[k] = kai_joint_node_inner(world, p->given.base.bodies[0],
                                            kai_quat_rotate(q, kai_vec3_axis(k)), false);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_NODE_PARAMS(kai_joint_node_direction_params),
    KAI_PARAM(INT, kai_joint_node_direction_params, slope, .range = KAI_BETWEEN(0.0, 1.0),
              .doc = "Which slope: 0 or 1."),
    KAI_PARAM(VEC3, params, across, .columns = 2, .hidden = true),
};

const kai_joint_kind kai_joint_node_direction = {
    .kind =
        KAI_KIND("node-direction", params, PARAMS, .given = sizeof(kai_joint_node_direction_params),
                 .doc = "A slope of a node of finite elements keeps its direction on a body."),
    .rows = 2,
    .evaluate = node_direction_evaluate,
    .prepare = node_direction_prepare,
    .nodes = offsetof(kai_joint_node_direction_params, node),
    .node_count = 1,
    .frameless = true};
