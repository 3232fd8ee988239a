// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row: θ - value(t), with whole turns taken off so that any number of turns may be asked for.
#include "model/joints/joint_motion.h"
#include "model/joints/joint_motor.h"

typedef kai_joint_motor_params params;

static void evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        const kai_jet value = kai_function_set_value(b->functions, &p->value, b->time);
        kai_vec3 axis;
        const double angle = kai_joint_motion_angle(&v, &axis);
        kai_joint_view_turn(&v, kai_joint_motion_wrap(angle - value.y), axis, b->rows + i);
        b->rows[i].gt = -value.dy;
    }
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-angle", KAI_JOINT_ANGLE, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {KAI_JOINT_MOTOR_PARAMS(
    KAI_JOINT_ANGLE, WORDS, "rad",
    "The angle of b against a about the axis, over time; any number of turns.")};

const kai_joint_kind kai_joint_motor_rotation_angle = {
    .kind = KAI_KIND(
        "rotation-angle", params, PARAMS, .check = check,
        .doc =
            "Prescribes a joint's angle, or that of two bodies about an axis, as a function of time."),
    .section = "motors",
    .rows = 1,
    .evaluate = evaluate,
    .joint = offsetof(params, joint),
    .driven = true,
    .has_angle = true};
