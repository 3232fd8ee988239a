// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What loads that work in the frames of a joint need of joints.
#ifndef MODEL_JOINT_H
#define MODEL_JOINT_H

#include "model/world.h"

/// Sets j->inner from at, axis and x_axis, or from both frames. Bodies must be valid. `kind` gives
/// the name for messages and may say more about the frames.
kai_result kai_joint_set_frames(const kai_world* world, const kai_joint_kind* kind,
                                kai_joint_base* j, kai_error* err);

/// KAI_ERROR_ARGUMENT for an instance that starts with a kai_joint_base, does not come from
/// kai_kind_defaults and is not active: it was zeroed. Kinds without such a base pass.
kai_result kai_joint_check_made(const kai_kind* kind, const void* instance, kai_error* err);

/// How many ends a kind has beside a and b.
static inline int kai_joint_further(const kai_joint_kind* kind)
{
    return kind->other_count + kind->shaft_count + 2 * kind->node_count;
}

/// Where those ends of an instance are: slots of bodies, of shafts, then of nodes (each twice);
/// UINT32_MAX for null ones.
void kai_joint_find_further(const kai_world* world, const kai_joint_kind* kind,
                            const void* instance, uint32_t* slots);

/// Lets joints take hold of other ends where the state asks for it: see kai_joint_kind.pass.
/// `*changed` (may be NULL) says whether one did.
kai_result kai_joint_pass(kai_world* world, bool* changed, kai_error* err);

/// A direction given in the world, as a unit vector in the principal frame of a body; zero when
/// there is no body.
kai_vec3 kai_joint_direction(const kai_world* world, kai_body body, kai_vec3 direction);

/// Where frame_a and frame_b are given: turns b's frame about its z axis so that the angle is zero
/// now, and moves a's along its z axis so that the travel is.
void kai_joint_zero_frames(const kai_world* world, bool angle, bool travel, kai_joint_base* j);

/// Takes bodies and frames from another joint, which must have the coordinates that `kind` has.
kai_result kai_joint_take(const kai_world* world, const kai_joint_kind* kind, kai_joint joint,
                          kai_joint_base* j, kai_error* err);

#endif
