// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two shafts that rub on each other: ω₂ - ω₁ = 0 as far as |λ| ≤ capacity · engagement allows. It
// slips with the torque at its bound, and locks when the speeds meet.
#include "model/joints/driveline.h"

typedef kai_joint_clutch_params params;

static void clutch_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const double most = kai_driveline_grip(b, &p->capacity, &p->engagement);
        b->rows[i] = (kai_joint_row){.low = -most, .high = most};
        b->further[2 * i].force.x = -1.0;
        b->further[2 * i + 1].force.x = 1.0;
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_SHAFT_PARAMS,
    KAI_PARAM(SHAFT, params, shafts, .columns = 2, .required = true,
              .doc = "Names of shaft 1 and shaft 2."),
    KAI_PARAM(VALUE, params, capacity, .unit = "N m", .required = true, .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum torque when it is closed."),
    KAI_PARAM(VALUE, params, engagement, .initial = {1.0}, .range = KAI_BETWEEN(0.0, 1.0),
              .doc = "Engagement: 0 open, 1 closed."),
};

const kai_joint_kind kai_joint_clutch = {
    .kind = KAI_KIND("clutch", params, PARAMS,
                     .doc = "Holds two shafts together up to a torque, and slips beyond it."),
    .section = "driveline",
    .rows = 1,
    .evaluate = clutch_evaluate,
    .shafts = offsetof(params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .velocity_level = true,
    .bounded = true};
