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

/// Takes bodies and frames from another joint, which must have the coordinates that `kind` has.
kai_result kai_joint_take(const kai_world* world, const kai_joint_kind* kind, kai_joint joint,
                          kai_joint_base* j, kai_error* err);

#endif
