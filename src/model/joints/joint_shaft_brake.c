// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A shaft that rubs on its housing h with the axis n: ω - n·ω_h = 0 as far as |λ| ≤ capacity ·
// engagement allows; the housing takes -λ n.
#include "model/joints/driveline.h"

typedef kai_joint_shaft_brake_params params;

static void shaft_brake_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const double most = kai_driveline_grip(b, &p->capacity, &p->engagement);
        b->rows[i] =
            (kai_joint_row){.a.torque = kai_vec3_neg(p->direction), .low = -most, .high = most};
        b->further[i].force.x = 1.0;
    }
}

static kai_result shaft_brake_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_joint_direction(world, p->base.bodies[0], p->base.axis);
    return KAI_OK;
}

static kai_result shaft_brake_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    return kai_driveline_check_axis("shaft-brake", "axis", p->base.axis, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    KAI_PARAM(SHAFT, params, shaft, .required = true, .doc = "Name of the shaft that is braked."),
    KAI_PARAM(VALUE, params, capacity, .unit = "N m", .required = true, .range = KAI_AT_LEAST(0.0),
              .doc = "Largest torque when it is closed."),
    KAI_PARAM(VALUE, params, engagement, .initial = {1.0}, .range = KAI_BETWEEN(0.0, 1.0),
              .doc = "How far it is closed: 0 open, 1 closed."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_joint_kind kai_joint_shaft_brake = {
    .kind = KAI_KIND("shaft-brake", params, PARAMS, .check = shaft_brake_check,
                     .doc = "Holds a shaft against its housing as far as a torque goes."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_brake_evaluate,
    .prepare = shaft_brake_prepare,
    .shafts = offsetof(params, shaft),
    .shaft_count = 1,
    .frameless = true,
    .velocity_level = true,
    .bounded = true};
