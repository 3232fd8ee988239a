// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loads that work in two joint frames; their instances start with a kai_joint_base.
#ifndef MODEL_LOAD_FRAMES_H
#define MODEL_LOAD_FRAMES_H

#include "model/joints/joint_motion.h"

/// Sets bodies and frames: from `joint` when it is not NULL and not null, which must then have an
/// angle or a travel where asked, else from what `base` says itself. `name` is the kind's.
kai_result kai_load_frames_set(const kai_world* world, const char* name, const kai_joint* joint,
                               bool angle, bool travel, kai_joint_base* base, kai_error* err);

/// The frames of instance i of a batch.
static inline kai_joint_view kai_load_frames_look(const kai_load_batch* b,
                                                  const kai_joint_base* base, size_t i)
{
    return kai_joint_view_make(base, &b->pose[b->slot[2 * i]], &b->pose[b->slot[2 * i + 1]]);
}

/// Puts a force at b's frame and a torque on b, and the opposite at the same place on a; both in
/// the world frame.
static inline void kai_load_frames_put(const kai_joint_view* v, kai_vec3 force, kai_vec3 torque,
                                       kai_wrench out[2])
{
    const kai_vec3 on_b = kai_vec3_add(torque, kai_vec3_cross(v->rb, force));
    const kai_vec3 on_a = kai_vec3_add(torque, kai_vec3_cross(kai_vec3_add(v->ra, v->d), force));
    out[0].force = kai_vec3_neg(force);
    out[0].torque = kai_vec3_neg(kai_quat_unrotate(v->qa, on_a));
    out[1].force = force;
    out[1].torque = kai_quat_unrotate(v->qb, on_b);
}

#endif
