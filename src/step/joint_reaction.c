// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The wrench of a joint on body b is Σ λ ∂g/∂v_b: moved from the mass centre to the joint point,
// turned into the joint frame on a.
#include "model/id.h"
#include "model/joint_view.h"
#include "step/constraints.h"

kai_result kai_joint_reaction(const kai_world* world, kai_joint joint, kai_vec3* force,
                              kai_vec3* torque)
{
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
    if (((const kai_joint_kind*)(const void*)batch->kind)->frameless) return KAI_OK;
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
