// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rows that hold nodes of finite elements to bodies. Body a may be null: the ground.
//
//     point k      g = e_k · (r - x - R p)       ∂ṙ: e_k    ∂v: -e_k   ∂ω: -(R p) × e_k
//     vector k     g = e_k · (d - R d₀)          ∂ḋ: e_k               ∂ω: -(R d₀) × e_k
//     across       g = d · (R n)                 ∂ḋ: R n               ∂ω: (R n) × d
//
// with r and d position and slope of the node, x and R the body, p, d₀ and n fixed in the body.
#ifndef MODEL_JOINT_NODE_H
#define MODEL_JOINT_NODE_H

#include "model/joints/joint_view.h"
#include "model/node.h"

#include <kairos/joint_nodes.h>

/// A joint of nodes at one moment.
typedef struct kai_joint_node_view {
    const kai_node_def* node;
    kai_vec3 origin;     // of the body; zero for the ground
    kai_quat rotation;   // of its principal axes
    kai_wrench* further; // pieces of the node in row 0; two a row
    size_t stride;       // from row to row
} kai_joint_node_view;

/// Looks at instance i, whose node is the n-th.
static inline kai_joint_node_view kai_joint_node_look(const kai_joint_batch* b, size_t i, size_t n,
                                                      size_t nodes, size_t rows)
{
    const uint32_t slot = b->slot[2 * i];
    const bool ground = slot == UINT32_MAX;
    return (kai_joint_node_view){
        .node = kai_joint_batch_node(b, b->further_slot[2 * nodes * i + 2 * n]),
        .origin = ground ? kai_vec3_zero() : b->pose[slot].position,
        .rotation = ground ? kai_quat_identity() : b->pose[slot].rotation,
        .further = b->further + 2 * nodes * rows * i + 2 * n,
        .stride = 2 * nodes};
}

/// Factors of coordinate `vector` (0: position, then slopes) of the node in row r.
static inline void kai_joint_node_factor(const kai_joint_node_view* v, size_t r, int vector,
                                         kai_vec3 f)
{
    kai_wrench* w = v->further + r * v->stride;
    if (vector == 0) w[0].force = f;
    if (vector == 1) w[0].torque = f;
    if (vector == 2) w[1].force = f;
}

static inline kai_vec3 kai_joint_node_vector(const kai_joint_node_view* v, int vector)
{
    return vector == 0 ? v->node->position : v->node->slope[vector - 1];
}

/// Three rows from r on: the position is at p of the body.
static inline void kai_joint_node_put_point(const kai_joint_node_view* v, kai_vec3 p, size_t r,
                                            kai_joint_row* rows)
{
    const kai_vec3 arm = kai_quat_rotate(v->rotation, p),
                   gap = kai_vec3_sub(v->node->position, kai_vec3_add(v->origin, arm));
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_axis(k);
        rows[r + (size_t)k] = (kai_joint_row){
            .g = kai_vec3_dot(gap, e),
            .a.force = kai_vec3_neg(e),
            .a.torque = kai_vec3_neg(kai_quat_unrotate(v->rotation, kai_vec3_cross(arm, e)))};
        kai_joint_node_factor(v, r + (size_t)k, 0, e);
    }
}

/// Three rows from r on: slope s (1 or 2) is d₀ of the body.
static inline void kai_joint_node_put_slope(const kai_joint_node_view* v, int s, kai_vec3 d0,
                                            size_t r, kai_joint_row* rows)
{
    const kai_vec3 d = kai_quat_rotate(v->rotation, d0),
                   gap = kai_vec3_sub(kai_joint_node_vector(v, s), d);
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_axis(k);
        rows[r + (size_t)k] = (kai_joint_row){
            .g = kai_vec3_dot(gap, e),
            .a.torque = kai_vec3_neg(kai_quat_unrotate(v->rotation, kai_vec3_cross(d, e)))};
        kai_joint_node_factor(v, r + (size_t)k, s, e);
    }
}

/// Row r: slope s stays across n of the body.
static inline void kai_joint_node_put_across(const kai_joint_node_view* v, int s, kai_vec3 n,
                                             size_t r, kai_joint_row* rows)
{
    const kai_vec3 axis = kai_quat_rotate(v->rotation, n), d = kai_joint_node_vector(v, s);
    rows[r] = (kai_joint_row){.g = kai_vec3_dot(d, axis),
                              .a.torque = kai_quat_unrotate(v->rotation, kai_vec3_cross(axis, d))};
    kai_joint_node_factor(v, r, s, axis);
}

/// A point and a direction of the world in the principal frame of a body, or as they are.
static inline kai_vec3 kai_joint_node_inner(const kai_world* world, kai_body body, kai_vec3 at,
                                            bool point)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    if (slot == SIZE_MAX) return at;
    const kai_pose* pose = &world->bodies.pose[slot];
    return kai_quat_unrotate(pose->rotation, point ? kai_vec3_sub(at, pose->position) : at);
}

/// The node as it stands when a joint is created; it exists.
static inline const kai_node_def* kai_joint_node_now(const kai_world* world, kai_node node)
{
    return &kai_node_all(world)[kai_node_slot(world, node)].def;
}

/// KAI_ERROR_ARGUMENT when a node has fewer slopes than `least`.
static inline kai_result kai_joint_node_check(const kai_world* world, kai_node node, int64_t least,
                                              const char* kind, kai_error* err)
{
    const int64_t slopes = kai_joint_node_now(world, node)->slopes;
    if (slopes >= least) return KAI_OK;
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT, "%s: node '%s' (#%u) has %lld slopes; must have %lld or more",
        kind, kai_node_name(world, node), node.index, (long long)slopes, (long long)least);
}

/// Parameters that every such kind has, in a struct `type_` that starts with a kai_joint_base.
#define KAI_JOINT_NODE_PARAMS(type_)                                                       \
    KAI_PARAM(NODE, type_, node, .required = true, .doc = "The node."),                    \
        KAI_PARAM_AS("body", BODY, kai_joint_base, bodies[0],                              \
                     .doc = "Body that the node is attached to; the ground when absent."), \
        KAI_JOINT_MADE,                                                                    \
        KAI_PARAM(BOOL, kai_joint_base, active, .initial = {1.0},                          \
                  .doc = "Whether the constraint acts.")

#endif
