// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Dry friction in a coordinate of a joint: its rate is held at zero by a force (torque) of at most
// `most` either way.
#include "base/error.h"
#include "model/joints/joint_motion.h"
#include "model/joints/joint_motor.h"

typedef kai_joint_friction_params params;

static void friction_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        kai_joint_row* row = b->rows + i;
        if (p->coordinate == KAI_JOINT_TRAVEL) {
            kai_joint_view_point(&v, 2, row);
        } else {
            kai_vec3 axis;
            const double angle = kai_joint_motion_angle(&v, &axis);
            kai_joint_view_turn(&v, angle, axis, row);
        }
        row->high = kai_function_set_value(b->functions, &p->most, b->time).y;
        row->low = -row->high;
    }
}

static kai_result friction_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (!KAI_IS_NULL(p->joint) || !KAI_IS_NULL(p->base.bodies[0])) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "friction: joint is missing; give it, or bodies with at and axis");
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(false),
    KAI_PARAM(JOINT, params, joint,
              .doc = "Joint in whose coordinate it acts, instead of bodies with at and axis."),
    KAI_PARAM(ENUM, params, coordinate, .words = WORDS, .doc = "Coordinate in which it acts."),
    KAI_PARAM(VALUE, params, most, .required = true, .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum friction torque (N m) or force (N); a number or a function of time."),
};

const kai_joint_kind kai_joint_friction = {
    .kind = KAI_KIND("friction", params, PARAMS, .check = friction_check,
                     .doc = "Dry friction that resists a rotation or a travel; not with rk4."),
    .rows = 1,
    .evaluate = friction_evaluate,
    .joint = offsetof(params, joint),
    .velocity_level = true,
    .bounded = true};
