// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rates of the angle and travel of a joint; see model/joints/joint_motion.h.
#include "model/check.h"
#include "model/id.h"
#include "model/joints/joint_motion.h"
#include "model/world.h"

kai_result kai_joint_rates(const kai_world* world, kai_joint joint, double* angle_rate,
                           double* travel_rate)
{
    KAI_READ(world, angle_rate, travel_rate);
    const kai_joint_base* j = kai_store_at(&world->joints, KAI_ID_OF(joint));
    if (!j)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->joints, KAI_ID_OF(joint), kai_world_error_of(world)));
    *angle_rate = *travel_rate = 0.0;
    const kai_bodies* bodies = &world->bodies;
    const uint32_t slot[2] = {(uint32_t)kai_bodies_slot(bodies, j->bodies[0]),
                              (uint32_t)kai_bodies_slot(bodies, j->bodies[1])};
    if (slot[0] == UINT32_MAX || slot[1] == UINT32_MAX) return KAI_OK; // without a frame
    const kai_joint_batch one = {.instances = j, .end = 1, .slot = slot, .pose = bodies->pose};
    const kai_joint_view v = kai_joint_view_look(&one, 0);
    const kai_motion *a = &bodies->motion[slot[0]], *b = &bodies->motion[slot[1]];
    kai_vec3 axis;
    kai_joint_motion_angle(&v, &axis);
    *angle_rate = kai_vec3_dot(axis, kai_joint_motion_spin(&v, a, b));
    *travel_rate = kai_vec3_dot(v.a[2], kai_joint_motion_drift(&v, a, b));
    return KAI_OK;
}
