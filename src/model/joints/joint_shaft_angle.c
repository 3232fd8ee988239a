// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// θ - θ_against - value(t) = 0, with another shaft where it is given.
#include "model/joints/driveline.h"

typedef kai_joint_shaft_angle_params params;

static void shaft_angle_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_jet value = kai_function_set_value(b->functions, &p->value, b->time);
        const uint32_t driven = b->further_slot[2 * i], against = b->further_slot[2 * i + 1];
        const double from = against == UINT32_MAX ? 0.0 : b->shafts[against].angle;
        b->rows[i] =
            (kai_joint_row){.g = b->shafts[driven].angle - from - value.y, .gt = -value.dy};
        b->further[2 * i].force.x = 1.0;
        b->further[2 * i + 1].force.x = -1.0;
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_SHAFT_PARAMS,
    KAI_PARAM_AS("shaft", SHAFT, params, shafts[0], .required = true,
                 .doc = "Name of the shaft that is driven."),
    KAI_PARAM_AS("against", SHAFT, params, shafts[1],
                 .doc = "Shaft that takes the reaction; the angle is relative to it."),
    KAI_PARAM(VALUE, params, value, .unit = "rad", .required = true, .derivatives = 2,
              .doc = "Angle over time; may exceed one turn."),
};

const kai_joint_kind kai_joint_shaft_angle = {
    .kind = KAI_KIND("shaft-angle", params, PARAMS,
                     .doc = "Prescribes a shaft's angle as a function of time."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_angle_evaluate,
    .shafts = offsetof(params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .driven = true};
