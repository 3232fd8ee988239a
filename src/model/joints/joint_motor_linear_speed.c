// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row at velocity level: d/dt (z_a · d) - value(t) = 0.
#include "model/joints/joint_motion.h"
#include "model/joints/joint_motor.h"

typedef kai_joint_motor_params params;

static void evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        const kai_jet value = kai_function_set_value(b->functions, &p->value, b->time);
        kai_joint_view_point(&v, 2, b->rows + i);
        b->rows[i].g = 0.0;
        b->rows[i].gt = -value.y;
    }
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-speed", KAI_JOINT_TRAVEL, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_TRAVEL, WORDS, "m/s",
                           "The rate of the travel of b against a along the axis, over time.")};

const kai_joint_kind kai_joint_motor_linear_speed = {
    .kind = KAI_KIND(
        "linear-speed", params, PARAMS, .check = check,
        .doc = "Prescribes the rate of a joint's travel, or that of two bodies along an axis."),
    .section = "motors",
    .rows = 1,
    .evaluate = evaluate,
    .joint = offsetof(params, joint),
    .driven = true,
    .velocity_level = true,
    .has_travel = true};
