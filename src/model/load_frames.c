// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Frames of loads, laid as those of joints are.
#include "model/load_frames.h"

#include "base/error.h"
#include "model/joint.h"

kai_result kai_load_frames_set(const kai_world* world, const char* name, const kai_joint* joint,
                               bool angle, bool travel, kai_joint_base* base, kai_error* err)
{
    const kai_joint_kind like = {.kind = {.name = name}, .has_angle = angle, .has_travel = travel};
    if (joint && !KAI_IS_NULL(*joint)) return kai_joint_take(world, &like, *joint, base, err);
    if (KAI_IS_NULL(base->bodies[0]) || KAI_IS_NULL(base->bodies[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: joint is missing; give it, or bodies with at and axis", name);
    if (KAI_ID_EQUALS(base->bodies[0], base->bodies[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: both bodies are the same; must be two",
                             name);
    KAI_TRY(kai_joint_set_frames(world, &like, base, err));
    kai_joint_zero_frames(world, angle, travel, base);
    return KAI_OK;
}
