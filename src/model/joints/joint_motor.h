// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the motors share: their parameters and the rule for them.
#ifndef MODEL_JOINT_MOTOR_H
#define MODEL_JOINT_MOTOR_H

#include "base/error.h"

#include <kairos/joint.h>

/// The words of kai_joint_coordinate.
#define KAI_JOINT_MOTOR_WORDS   \
    {                           \
        "angle", "travel", NULL \
    }

/// The parameters of a motor that drives `driven` (a kai_joint_coordinate) by a value in `unit_`, of which it
/// uses so many derivatives.
#define KAI_JOINT_MOTOR_PARAMS(driven, words_, unit_, uses, doc_)                                  \
    KAI_JOINT_BASE_PARAMS(false),                                                                  \
        KAI_PARAM(JOINT, kai_joint_motor_params, joint,                                            \
                  .doc = "Joint whose coordinate is driven, instead of bodies with at and axis."), \
        KAI_PARAM(ENUM, kai_joint_motor_params, coordinate, .words = words_, .initial = {driven},  \
                  .doc = "Coordinate that it drives; follows from the type of the motor."),        \
        KAI_PARAM(VALUE, kai_joint_motor_params, value, .unit = unit_, .required = true,           \
                  .derivatives = uses, .doc = doc_)

/// Checks an instance of a motor of that name.
static inline kai_result kai_joint_motor_check(const kai_joint_motor_params* p, const char* name,
                                               kai_joint_coordinate driven, kai_error* err)
{
    static const char* const words[] = KAI_JOINT_MOTOR_WORDS;
    if (p->coordinate != (int32_t)driven)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: coordinate is %s; must be %s", name,
                             words[p->coordinate], words[driven]);
    if (KAI_IS_NULL(p->joint) && KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: joint is missing; give it, or bodies with at and axis", name);
    return KAI_OK;
}

#endif
