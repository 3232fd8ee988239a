// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shaft 1 takes shaft 2 with it and never holds it back: ω₂ - ω₁ ≥ 0, λ ≥ 0.
#include "model/joints/driveline.h"

typedef kai_joint_free_wheel_params params;

static void free_wheel_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        b->rows[i] = (kai_joint_row){.high = HUGE_VAL};
        b->further[2 * i].force.x = -1.0;
        b->further[2 * i + 1].force.x = 1.0;
    }
}

static const kai_param PARAMS[] = {
    KAI_JOINT_SHAFT_PARAMS,
    KAI_PARAM(SHAFT, params, shafts, .columns = 2, .required = true,
              .doc = "Names of shaft 1, which drives, and shaft 2, which may run faster."),
};

const kai_joint_kind kai_joint_free_wheel = {
    .kind = KAI_KIND(
        "free-wheel", params, PARAMS,
        .doc = "Overrunning clutch: one shaft drives another forwards and never holds it back."),
    .section = "driveline",
    .rows = 1,
    .evaluate = free_wheel_evaluate,
    .shafts = offsetof(params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .velocity_level = true,
    .bounded = true};
