// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two nodes stay together: r₂ - r₁ keeps its value (three rows), and where it is asked so do their
// first slopes (three more): a seam of two meshes.
#include "base/error.h"
#include "model/joints/joint_node.h"

/// An instance.
typedef struct params {
    kai_joint_node_node_params given;
    kai_vec3 apart[2]; // offsets of positions and of slopes
} params;

enum { ROWS = 6 };

static void node_node_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_node_view v = kai_joint_node_look(b, i, 0, 2, ROWS),
                                  w = kai_joint_node_look(b, i, 1, 2, ROWS);
        for (int s = 0; s < (p->given.slopes ? 2 : 1); s++) {
            const kai_vec3 gap = kai_vec3_sub(
                kai_vec3_sub(kai_joint_node_vector(&w, s), kai_joint_node_vector(&v, s)),
                p->apart[s]);
            for (int k = 0; k < 3; k++) {
                const size_t r = (size_t)(3 * s + k);
                const kai_vec3 e = kai_vec3_axis(k);
                b->rows[ROWS * i + r] = (kai_joint_row){.g = kai_vec3_dot(gap, e)};
                kai_joint_node_factor(&v, r, s, kai_vec3_neg(e));
                kai_joint_node_factor(&w, r, s, e);
            }
        }
    }
}

static int rows_of(const void* instance)
{
    return ((const params*)instance)->given.slopes ? ROWS : 3;
}

static kai_result node_node_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    if (KAI_ID_EQUALS(p->given.nodes[0], p->given.nodes[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "node-node: node '%s' (#%u) stands twice; must be different ones",
                             kai_node_name(world, p->given.nodes[0]), p->given.nodes[0].index);
    for (int k = 0; p->given.slopes && k < 2; k++)
        KAI_TRY(kai_joint_node_check(world, p->given.nodes[k], 1, "node-node", err));
    const kai_node_def *a = kai_joint_node_now(world, p->given.nodes[0]),
                       *c = kai_joint_node_now(world, p->given.nodes[1]);
    p->apart[0] = kai_vec3_sub(c->position, a->position);
    p->apart[1] = kai_vec3_sub(c->slope[0], a->slope[0]);
    return KAI_OK;
}

static int64_t node_node_held(const void* instance)
{
    const bool slopes = ((const params*)instance)->given.slopes;
    return slopes ? KAI_NODE_FIX_POSITION | KAI_NODE_FIX_SLOPE_0 : KAI_NODE_FIX_POSITION;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(NODE, kai_joint_node_node_params, nodes, .columns = 2, .required = true,
              .doc = "The two nodes."),
    KAI_PARAM(BOOL, kai_joint_node_node_params, slopes,
              .doc = "Whether their first slopes are held together as well."),
    KAI_JOINT_MADE,
    KAI_PARAM(BOOL, kai_joint_base, active, .initial = {1.0},
              .doc = "Whether the constraint acts."),
    KAI_PARAM(VEC3, params, apart, .columns = 2, .hidden = true),
};

const kai_joint_kind kai_joint_node_node = {
    .kind = KAI_KIND("node-node", params, PARAMS, .given = sizeof(kai_joint_node_node_params),
                     .doc = "Two nodes of finite elements keep their relative position."),
    .rows = ROWS,
    .rows_of = rows_of,
    .evaluate = node_node_evaluate,
    .prepare = node_node_prepare,
    .nodes = offsetof(kai_joint_node_node_params, nodes),
    .node_count = 2,
    .held = node_node_held,
    .frameless = true};
