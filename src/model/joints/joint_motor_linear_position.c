// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Row: z_a · d - value(t).
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
        b->rows[i].g -= value.y;
        b->rows[i].gt = -value.dy;
    }
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-position", KAI_JOINT_TRAVEL, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {KAI_JOINT_MOTOR_PARAMS(
    KAI_JOINT_TRAVEL, WORDS, "m", "The travel of b against a along the axis, over time.")};

const kai_joint_kind kai_joint_motor_linear_position = {
    .kind = KAI_KIND(
        "linear-position", params, PARAMS, .check = check,
        .doc =
            "Prescribes a joint's travel, or that of two bodies along an axis, as a function of time."),
    .section = "motors",
    .rows = 1,
    .evaluate = evaluate,
    .joint = offsetof(params, joint),
    .driven = true,
    .has_travel = true};
