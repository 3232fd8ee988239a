// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A shaft that rubs on its housing h with the axis n: ω - n·ω_h = 0 as far as |λ| ≤ capacity ·
// engagement allows; the housing takes -λ n.
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_joint_shaft_brake_params given;
    kai_vec3 direction; // axis in the principal frame of the housing
} params;

static void shaft_brake_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const double most = kai_driveline_grip(b, &p->given.capacity, &p->given.engagement);
        b->rows[i] =
            (kai_joint_row){.a.torque = kai_vec3_neg(p->direction), .low = -most, .high = most};
        b->further[i].force.x = 1.0;
    }
}

static kai_result shaft_brake_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_joint_direction(world, p->given.base.bodies[0], p->given.base.axis);
    return KAI_OK;
}

static kai_result shaft_brake_check(const void* instance, kai_error* err)
{
    const kai_joint_shaft_brake_params* p = instance;
    return kai_driveline_check_axis("shaft-brake", "axis", p->base.axis, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    KAI_PARAM(SHAFT, kai_joint_shaft_brake_params, shaft, .required = true,
              .doc = "Name of the shaft that is braked."),
    KAI_PARAM(VALUE, kai_joint_shaft_brake_params, capacity, .unit = "N m", .required = true,
              .range = KAI_AT_LEAST(0.0), .doc = "Maximum torque when it is closed."),
    KAI_PARAM(VALUE, kai_joint_shaft_brake_params, engagement, .initial = {1.0},
              .range = KAI_BETWEEN(0.0, 1.0), .doc = "Engagement: 0 open, 1 closed."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_joint_kind kai_joint_shaft_brake = {
    .kind =
        KAI_KIND("shaft-brake", params, PARAMS, .given = sizeof(kai_joint_shaft_brake_params),
                 .check = shaft_brake_check,
                 .doc = "Holds a shaft still in its housing up to a torque, and slips beyond it."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_brake_evaluate,
    .prepare = shaft_brake_prepare,
    .shafts = offsetof(kai_joint_shaft_brake_params, shaft),
    .shaft_count = 1,
    .frameless = true,
    .velocity_level = true,
    .bounded = true};
