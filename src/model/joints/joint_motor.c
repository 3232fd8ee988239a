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

static kai_result motor_check_angle(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-angle", KAI_JOINT_ANGLE, err);
}

static kai_result motor_check_rotation_speed(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-speed", KAI_JOINT_ANGLE, err);
}

static kai_result motor_check_position(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-position", KAI_JOINT_TRAVEL, err);
}

static kai_result motor_check_linear_speed(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-speed", KAI_JOINT_TRAVEL, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param ANGLE[] = {KAI_JOINT_MOTOR_PARAMS(
    KAI_JOINT_ANGLE, WORDS, "rad",
    "The angle of b relative to a about the axis, over time; any number of turns.")};
static const kai_param ROTATION_SPEED[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_ANGLE, WORDS, "rad/s",
                           "The rate of the angle of b relative to a about the axis, over time.")};
static const kai_param POSITION[] = {KAI_JOINT_MOTOR_PARAMS(
    KAI_JOINT_TRAVEL, WORDS, "m", "The travel of b relative to a along the axis, over time.")};
static const kai_param LINEAR_SPEED[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_TRAVEL, WORDS, "m/s",
                           "The rate of the travel of b relative to a along the axis, over time.")};

const kai_joint_kind kai_joint_motor_rotation_angle = {
    .kind = KAI_KIND(
        "rotation-angle", params, ANGLE, .check = motor_check_angle,
        .doc =
            "Prescribes a joint's angle, or that of two bodies about an axis, as a function of time."),
    .section = "motors",
    .rows = 1,
    .evaluate = motor_evaluate_position,
    .joint = offsetof(params, joint),
    .driven = true,
    .has_angle = true};

const kai_joint_kind kai_joint_motor_rotation_speed = {
    .kind = KAI_KIND(
        "rotation-speed", params, ROTATION_SPEED, .check = motor_check_rotation_speed,
        .doc = "Prescribes the rate of a joint's angle, or that of two bodies about an axis."),
    .section = "motors",
    .rows = 1,
    .evaluate = motor_evaluate_speed,
    .joint = offsetof(params, joint),
    .driven = true,
    .velocity_level = true,
    .has_angle = true};

const kai_joint_kind kai_joint_motor_linear_position = {
    .kind = KAI_KIND(
        "linear-position", params, POSITION, .check = motor_check_position,
        .doc =
            "Prescribes a joint's travel, or that of two bodies along an axis, as a function of time."),
    .section = "motors",
    .rows = 1,
    .evaluate = motor_evaluate_position,
    .joint = offsetof(params, joint),
    .driven = true,
    .has_travel = true};

const kai_joint_kind kai_joint_motor_linear_speed = {
    .kind = KAI_KIND(
        "linear-speed", params, LINEAR_SPEED, .check = motor_check_linear_speed,
        .doc = "Prescribes the rate of a joint's travel, or that of two bodies along an axis."),
    .section = "motors",
    .rows = 1,
    .evaluate = motor_evaluate_speed,
    .joint = offsetof(params, joint),
    .driven = true,
    .velocity_level = true,
    .has_travel = true};
