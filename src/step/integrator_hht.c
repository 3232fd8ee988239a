// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hilber, Hughes & Taylor 1977: γ = ½ - α, β = (1 - α)² / 4; damps what the step cannot resolve,
// order 2.
#include "base/error.h"
#include "step/newmark.h"

typedef kai_integrator_hht_params params;

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    const params* p = instance;
    const kai_newmark method = {.alpha = p->alpha,
                                .beta = 0.25 * (1.0 - p->alpha) * (1.0 - p->alpha),
                                .gamma = 0.5 - p->alpha,
                                .tolerance = p->tolerance,
                                .iterations = p->iterations,
                                .error = p->adaptive ? p->error : 0.0};
    return kai_newmark_step(system, &method, h, err);
}

static const kai_param PARAMS[] = {
    {.name = "alpha",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(params, alpha),
     .initial = {-0.1},
     .range = KAI_BETWEEN(-1.0 / 3.0, 0.0),
     .doc = "Damping of high frequencies: 0 none, -1/3 most."},
    KAI_NEWMARK_PARAMS(params),
    {.name = "adaptive",
     .type = KAI_PARAM_BOOL,
     .offset = offsetof(params, adaptive),
     .doc = "Divides a step while its local error is above error."},
    {.name = "error",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(params, error),
     .unit = "m",
     .initial = {1e-6},
     .range = KAI_ABOVE(0.0),
     .doc = "Largest local error of a position (or angle) in one part of an adaptive step."},
};

const kai_integrator_kind kai_integrator_hht = {
    .kind = {.name = "hht",
             .doc = "HHT-alpha: order 2, implicit, joints hold at position level.",
             .size = sizeof(params),
             .params = PARAMS,
             .param_count = KAI_COUNT(PARAMS)},
    .order = 2,
    .step = step};
