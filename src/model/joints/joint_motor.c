// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motors that prescribe a coordinate x of two joint frames, the angle θ or the travel z_a · d, or its
// rate. Rows: x - value(t), where whole turns of an angle are taken off so that any number may be
// asked for, and at velocity level ẋ - value(t) = 0.
#include "model/joints/joint_motor.h"

#include "model/joints/joint_motion.h"

typedef kai_joint_motor_params params;

// The row of the coordinate, less `value` of it.
static void motor_row(const kai_joint_view* v, const params* p, double value, kai_joint_row* row)
{
    if (p->coordinate == KAI_JOINT_TRAVEL) {
        kai_joint_view_point(v, 2, row);
        row->g -= value;
    } else {
        kai_vec3 axis;
        const double angle = kai_joint_motion_angle(v, &axis);
        kai_joint_view_turn(v, kai_joint_motion_wrap(angle - value), axis, row);
    }
}

static void motor_evaluate_position(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        const kai_jet value = kai_function_set_value(b->functions, &p->value, b->time);
        motor_row(&v, p, value.y, b->rows + i);
        b->rows[i].gt = -value.dy;
    }
}

static void motor_evaluate_speed(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        motor_row(&v, p, 0.0, b->rows + i);
        b->rows[i].g = 0.0;
        b->rows[i].gt = -kai_function_set_value(b->functions, &p->value, b->time).y;
    }
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

// A kind that drives a coordinate by a value in `unit_`; the other members of its table follow.
#define MOTOR(name_, word_, driven_, unit_, uses_, value_, doc_, ...)                           \
    static kai_result motor_check_##name_(const void* instance, kai_error* err)                 \
    {                                                                                           \
        return kai_joint_motor_check(instance, word_, driven_, err);                            \
    }                                                                                           \
    static const kai_param name_##_PARAMS[] = {                                                 \
        KAI_JOINT_MOTOR_PARAMS(driven_, WORDS, unit_, uses_, value_)};                          \
    const kai_joint_kind kai_joint_motor_##name_ = {                                            \
        .kind =                                                                                 \
            KAI_KIND(word_, params, name_##_PARAMS, .check = motor_check_##name_, .doc = doc_), \
        .section = "motors",                                                                    \
        .rows = 1,                                                                              \
        .joint = offsetof(params, joint),                                                       \
        .driven = true,                                                                         \
        .has_angle = (driven_) == KAI_JOINT_ANGLE,                                              \
        .has_travel = (driven_) == KAI_JOINT_TRAVEL,                                            \
        __VA_ARGS__};

MOTOR(rotation_angle, "rotation-angle", KAI_JOINT_ANGLE, "rad", 2,
      "The angle of b relative to a about the axis, over time; any number of turns.",
      "Prescribes a joint's angle, or that of two bodies about an axis, as a function of time.",
      .evaluate = motor_evaluate_position)

MOTOR(rotation_speed, "rotation-speed", KAI_JOINT_ANGLE, "rad/s", 1,
      "The rate of the angle of b relative to a about the axis, over time.",
      "Prescribes the rate of a joint's angle, or that of two bodies about an axis.",
      .evaluate = motor_evaluate_speed, .velocity_level = true)

MOTOR(linear_position, "linear-position", KAI_JOINT_TRAVEL, "m", 2,
      "The travel of b relative to a along the axis, over time.",
      "Prescribes a joint's travel, or that of two bodies along an axis, as a function of time.",
      .evaluate = motor_evaluate_position)

MOTOR(linear_speed, "linear-speed", KAI_JOINT_TRAVEL, "m/s", 1,
      "The rate of the travel of b relative to a along the axis, over time.",
      "Prescribes the rate of a joint's travel, or that of two bodies along an axis.",
      .evaluate = motor_evaluate_speed, .velocity_level = true)
