// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sun, ring and carrier. As the carrier sees them the sun and the ring turn at a fixed ratio
// (Willis 1841):
//     (ω_ring - ω_carrier) - ratio (ω_sun - ω_carrier) = 0.
// Factors add up to zero, and so do the torques λ, -ratio λ and (ratio - 1) λ: no housing takes
// part.
#include "model/joints/driveline.h"

typedef kai_joint_planetary_params params;

static void planetary_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] = (kai_joint_row){0};
        b->further[3 * i].force.x = -p->ratio;
        b->further[3 * i + 1].force.x = 1.0;
        b->further[3 * i + 2].force.x = p->ratio - 1.0;
    }
}

static kai_result planetary_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    KAI_TRY(kai_driveline_check_ratio("planetary", p->ratio, err));
    if (p->ratio != 1.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "planetary: ratio is 1; must not be 1, which leaves the carrier out");
}

static const kai_param PARAMS[] = {
    KAI_JOINT_SHAFT_PARAMS,
    KAI_PARAM_AS("sun", SHAFT, params, shafts[0], .required = true,
                 .doc = "Name of the sun's shaft."),
    KAI_PARAM_AS("ring", SHAFT, params, shafts[1], .required = true,
                 .doc = "Name of the ring's shaft."),
    KAI_PARAM_AS("carrier", SHAFT, params, shafts[2], .required = true,
                 .doc = "Name of the carrier's shaft."),
    KAI_PARAM(REAL, params, ratio, .required = true,
              .doc = "Speed of the ring over speed of the sun with the carrier held, not 0 or 1: "
                     "-(teeth of the sun) / (teeth of the ring) with one row of planets."),
};

const kai_joint_kind kai_joint_planetary = {
    .kind = KAI_KIND("planetary", params, PARAMS, .check = planetary_check,
                     .doc = "A planetary gear: sun, ring and carrier."),
    .section = "driveline",
    .rows = 1,
    .evaluate = planetary_evaluate,
    .shafts = offsetof(params, shafts),
    .shaft_count = 3,
    .frameless = true,
    .velocity_level = true};
