// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row at velocity level: θ̇ - value(t) = 0.
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
        kai_joint_motion_angle(&v, &axis);
        kai_joint_view_turn(&v, 0.0, axis, b->rows + i);
        b->rows[i].gt = -value.y;
    }
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-speed", KAI_JOINT_ANGLE, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_ANGLE, WORDS, "rad/s",
                           "The rate of the angle of b against a about the axis, over time.")};

const kai_joint_kind kai_joint_motor_rotation_speed = {
    .kind = KAI_KIND(
        "rotation-speed", params, PARAMS, .check = check,
        .doc = "Prescribes the rate of a joint's angle, or that of two bodies about an axis."),
    .section = "motors",
    .rows = 1,
    .evaluate = evaluate,
    .joint = offsetof(params, joint),
    .driven = true,
    .velocity_level = true,
    .has_angle = true};
