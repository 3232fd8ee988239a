// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The wrench of a joint on body b is Σ λ ∂g/∂v_b: moved from the mass centre to the joint point,
// turned into the joint frame on a. A joint of nodes of finite elements has no such frame: its
// force on the first node and the moment on the slopes of that are in world axes.
#include "model/check.h"
#include "model/id.h"
#include "model/joints/joint_view.h"
#include "model/node.h"
#include "step/constraints.h"

/// The joint whose rows begin at `first`, NULL when it does nothing.
static const kai_constraints_joint* joint_at(const kai_constraints* c, size_t first)
{
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        if (joints[i].first == first) return &joints[i];
    return NULL;
}

/// Σ λ ∂g/∂v of the first node of a joint, and its moment on the slopes.
static void react_on_node(const kai_constraints* c, const kai_world* world,
                          const kai_constraints_joint* joint, kai_vec3* force, kai_vec3* torque)
{
    const kai_constraints_end* ends = kai_constraints_ends(c, joint);
    uint32_t slot = UINT32_MAX;
    for (int k = 0; k < joint->ends; k++) {
        if (!ends[k].element || (slot != UINT32_MAX && ends[k].slot != slot)) continue;
        slot = ends[k].slot;
        double sum[6] = {0.0};
        for (uint32_t r = 0; r < joint->count; r++) {
            const double *g = kai_constraints_piece(c, joint, r, &ends[k]),
                         lambda = ((const double*)c->lambda.data)[joint->first + r];
            for (size_t p = 0; p < ends[k].width; p++) sum[p] += lambda * g[p];
        }
        const kai_node_record* node = &kai_node_all(world)[slot];
        const kai_vec3 first = kai_vec3_make(sum[0], sum[1], sum[2]),
                       second = kai_vec3_make(sum[3], sum[4], sum[5]);
        if (ends[k].at == 0) {
            *force = first;
            *torque = kai_vec3_add(*torque, kai_vec3_cross(node->def.slope[0], second));
        } else {
            *torque = kai_vec3_add(*torque, kai_vec3_cross(node->def.slope[1], first));
        }
    }
}

kai_result kai_joint_reaction(const kai_world* world, kai_joint joint, kai_vec3* force,
                              kai_vec3* torque)
{
    KAI_CHANGE(world, force, torque);
    const kai_store_entry* entry = kai_store_find(&world->joints, KAI_ID_OF(joint));
    if (!entry)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->joints, KAI_ID_OF(joint), kai_world_error_of(world)));
    *force = *torque = kai_vec3_zero();
    kai_constraints* c = world->solver;
    if (!c || c->joints_version != world->joints.version) return KAI_OK;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_constraints_solve_share(c, c->world, kai_world_error_of(world))));

    const kai_store_batch* batch = &world->joints.batches[entry->batch];
    const int rows = ((const kai_joint_kind*)(const void*)batch->kind)->rows;
    const size_t first =
        ((const uint32_t*)c->first.data)[entry->batch] + entry->slot * (size_t)rows;
    const kai_joint_base* base = kai_store_at(&world->joints, KAI_ID_OF(joint));
    const uint32_t slot[2] = {(uint32_t)kai_bodies_slot(&world->bodies, base->bodies[0]),
                              (uint32_t)kai_bodies_slot(&world->bodies, base->bodies[1])};
    if (((const kai_joint_kind*)(const void*)batch->kind)->frameless) {
        const kai_constraints_joint* own = joint_at(c, first);
        if (own) react_on_node(c, world, own, force, torque);
        return KAI_OK;
    }
    const kai_joint_batch one = {.instances = base,
                                 .size = batch->kind->size,
                                 .end = 1,
                                 .slot = slot,
                                 .pose = world->bodies.pose,
                                 .motion = world->bodies.motion};
    const kai_joint_view v = kai_joint_view_look(&one, 0);
    kai_wrench sum = {0};
    for (size_t r = first; r < first + (size_t)rows; r++) {
        const kai_wrench* b = &((const kai_joint_row*)c->rows.data)[r].b;
        sum.force = kai_vec3_mul_add(sum.force, b->force, ((const double*)c->lambda.data)[r]);
        sum.torque = kai_vec3_mul_add(sum.torque, b->torque, ((const double*)c->lambda.data)[r]);
    }
    const kai_vec3 at_point =
        kai_vec3_sub(kai_quat_rotate(v.qb, sum.torque), kai_vec3_cross(v.rb, sum.force));
    *force = kai_vec3_make(kai_vec3_dot(v.a[0], sum.force), kai_vec3_dot(v.a[1], sum.force),
                           kai_vec3_dot(v.a[2], sum.force));
    *torque = kai_vec3_make(kai_vec3_dot(v.a[0], at_point), kai_vec3_dot(v.a[1], at_point),
                            kai_vec3_dot(v.a[2], at_point));
    return KAI_OK;
}
