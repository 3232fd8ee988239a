// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two shafts turn at a fixed ratio, as seen from the housing h with the axes n₁ and n₂:
//     (ω₂ - n₂·ω_h) - ratio (ω₁ - n₁·ω_h) = 0.
// The torques on the shafts are λ and -ratio λ; the housing takes λ (ratio n₁ - n₂), so that on one
// axis all three add up to nothing.
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_joint_shaft_gear_params given;
    kai_vec3 direction; // factors of the housing's spin
} params;

static void shaft_gear_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] = (kai_joint_row){.a.torque = p->direction};
        b->further[2 * i].force.x = -p->given.ratio;
        b->further[2 * i + 1].force.x = 1.0;
    }
}

static kai_result shaft_gear_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_driveline_factors(world, p->given.base.bodies[0], p->given.base.axis,
                                         -p->given.ratio, p->given.axis2, 1.0);
    return KAI_OK;
}

static kai_result shaft_gear_check(const void* instance, kai_error* err)
{
    const kai_joint_shaft_gear_params* p = instance;
    KAI_TRY(kai_driveline_check_ratio("shaft-gear", p->ratio, err));
    KAI_TRY(kai_driveline_check_axis("shaft-gear", "axis", p->base.axis, err));
    return kai_driveline_check_axis("shaft-gear", "axis2", p->axis2, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    KAI_PARAM(SHAFT, kai_joint_shaft_gear_params, shafts, .columns = 2, .required = true,
              .doc = "Names of shaft 1 and shaft 2."),
    KAI_PARAM(
        REAL, kai_joint_shaft_gear_params, ratio, .required = true,
        .doc =
            "Speed of shaft 2 over speed of shaft 1, not 0; negative when they rotate in opposite directions."),
    KAI_PARAM(VEC3, kai_joint_shaft_gear_params, axis2, .placing = KAI_PLACING_AXIAL,
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Axis of shaft 2 where it differs (bevel gears), world coordinates at t = 0."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_joint_kind kai_joint_shaft_gear = {
    .kind = KAI_KIND(
        "shaft-gear", params, PARAMS, .given = sizeof(kai_joint_shaft_gear_params),
        .check = shaft_gear_check,
        .doc =
            "A gear pair: two shafts at a fixed ratio of speeds, on the ground or in a housing that takes the reaction."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_gear_evaluate,
    .prepare = shaft_gear_prepare,
    .shafts = offsetof(kai_joint_shaft_gear_params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .velocity_level = true};
