// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One input, two outputs whose speeds balance, as seen from the housing h with the axes n_i and
// n_o:
//     split (ω₁ - n_o·ω_h) + (1 - split) (ω₂ - n_o·ω_h) - ratio (ω_in - n_i·ω_h) = 0.
// The outputs get split λ and (1 - split) λ, the input -ratio λ, the housing λ (ratio n_i - n_o).
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_joint_differential_params given;
    kai_vec3 direction; // factors of the housing's spin
} params;

static void differential_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] = (kai_joint_row){.a.torque = p->direction};
        b->further[3 * i].force.x = -p->given.ratio;
        b->further[3 * i + 1].force.x = p->given.split;
        b->further[3 * i + 2].force.x = 1.0 - p->given.split;
    }
}

static kai_result differential_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_driveline_factors(world, p->given.base.bodies[0], p->given.base.axis,
                                         -p->given.ratio, p->given.axis2, 1.0);
    return KAI_OK;
}

static kai_result differential_check(const void* instance, kai_error* err)
{
    const kai_joint_differential_params* p = instance;
    KAI_TRY(kai_driveline_check_ratio("differential", p->ratio, err));
    KAI_TRY(kai_driveline_check_axis("differential", "axis", p->base.axis, err));
    KAI_TRY(kai_driveline_check_axis("differential", "axis2", p->axis2, err));
    if (p->split > 0.0 && p->split < 1.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "differential: split is %.15g; must be > 0 and < 1", p->split);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    KAI_PARAM_AS("input", SHAFT, kai_joint_differential_params, shafts[0], .required = true,
                 .doc = "Name of the input shaft."),
    KAI_PARAM_AS("outputs", SHAFT, kai_joint_differential_params, shafts[1], .columns = 2,
                 .required = true, .doc = "Names of the two output shafts."),
    KAI_PARAM(REAL, kai_joint_differential_params, ratio, .initial = {1.0},
              .doc = "Mean speed of the outputs over speed of the input, not 0."),
    KAI_PARAM(
        REAL, kai_joint_differential_params, split, .initial = {0.5},
        .range = KAI_BETWEEN(0.0, 1.0),
        .doc =
            "Fraction of the torque that goes to the first output, more than 0 and less than 1."),
    KAI_PARAM(VEC3, kai_joint_differential_params, axis2, .placing = KAI_PLACING_AXIAL,
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Axis of the outputs where it differs, world coordinates at t = 0."),
    KAI_PARAM(VEC3, params, direction, .hidden = true),
};

const kai_joint_kind kai_joint_differential = {
    .kind = KAI_KIND("differential", params, PARAMS, .given = sizeof(kai_joint_differential_params),
                     .check = differential_check,
                     .doc = "Divides the torque of one shaft between two whose speeds may differ."),
    .section = "driveline",
    .rows = 1,
    .evaluate = differential_evaluate,
    .prepare = differential_prepare,
    .shafts = offsetof(kai_joint_differential_params, shafts),
    .shaft_count = 3,
    .frameless = true,
    .velocity_level = true};
