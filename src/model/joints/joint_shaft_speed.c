// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// ω - ω_against - n·ω_h - value(t) = 0, with another shaft or a housing h where they are given.
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_joint_shaft_speed_params given;
    kai_vec3 direction; // axis in the principal frame of the housing
} params;

static void shaft_speed_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] = (kai_joint_row){
            .a.torque = kai_vec3_neg(p->direction),
            .gt = -kai_function_set_value(b->functions, &p->given.value, b->time).y};
        b->further[2 * i].force.x = 1.0;
        b->further[2 * i + 1].force.x = -1.0;
    }
}

static kai_result shaft_speed_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_joint_direction(world, p->given.base.bodies[0], p->given.base.axis);
    return KAI_OK;
}

static kai_result shaft_speed_check(const void* instance, kai_error* err)
{
    const kai_joint_shaft_speed_params* p = instance;
    if (!KAI_IS_NULL(p->shafts[1]) && !KAI_IS_NULL(p->base.bodies[0]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "shaft-speed: against and housing are both given; give one");
    return kai_driveline_check_axis("shaft-speed", "axis", p->base.axis, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    KAI_PARAM_AS("shaft", SHAFT, kai_joint_shaft_speed_params, shafts[0], .required = true,
                 .doc = "Name of the shaft that is driven."),
    KAI_PARAM_AS("against", SHAFT, kai_joint_shaft_speed_params, shafts[1],
                 .doc = "Shaft that takes the reaction; the speed is relative to it."),
    KAI_PARAM(VALUE, kai_joint_shaft_speed_params, value, .unit = "rad/s", .required = true,
              .derivatives = 1, .doc = "Speed over time."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_joint_kind kai_joint_shaft_speed = {
    .kind = KAI_KIND("shaft-speed", params, PARAMS, .given = sizeof(kai_joint_shaft_speed_params),
                     .check = shaft_speed_check,
                     .doc = "Prescribes a shaft's speed as a function of time."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_speed_evaluate,
    .prepare = shaft_speed_prepare,
    .shafts = offsetof(kai_joint_shaft_speed_params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .velocity_level = true,
    .driven = true};
