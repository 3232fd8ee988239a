// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Hilber, Hughes & Taylor 1977: γ = ½ - α, β = (1 - α)² / 4; damps what the step cannot resolve,
// order 2.
#include "base/error.h"
#include "step/integrators/newmark.h"

typedef kai_integrator_hht_params params;

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    const params* p = instance;
    const kai_newmark method = {.alpha = p->alpha,
                                .beta = 0.25 * (1.0 - p->alpha) * (1.0 - p->alpha),
                                .gamma = 0.5 - p->alpha,
                                .tolerance = p->tolerance,
                                .iterations = p->iterations,
                                .jacobian = p->jacobian,
                                .error = p->adaptive ? fmax(p->error, 0.01 * p->tolerance) : 0.0,
                                .parts = p->parts};
    return kai_newmark_step(system, &method, h, err);
}

static const char* const JACOBIANS[] = KAI_NEWMARK_JACOBIANS;

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, alpha, .initial = {-0.1}, .range = KAI_BETWEEN(-1.0 / 3.0, 0.0),
              .doc = "Numerical damping of high frequencies: 0 none, -1/3 maximum."),
    KAI_NEWMARK_PARAMS(params),
    KAI_PARAM(BOOL, params, adaptive, .initial = {1.0},
              .doc = "Whether a step is divided while its local error is above error."),
    KAI_PARAM(
        REAL, params, error, .unit = "m", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Maximum local error of a position (or angle) in one part of an adaptive step; at least a hundredth of tolerance, which is the default."),
    KAI_PARAM(INT, params, parts, .initial = {16}, .range = KAI_BETWEEN(1, 1024),
              .doc = "Maximum number of parts that an adaptive step is divided into."),
};

const kai_integrator_kind kai_integrator_hht = {
    .kind = KAI_KIND(
        "hht", params, PARAMS,
        .doc =
            "HHT-alpha: order 2, implicit, numerical damping of high frequencies only, constraints at position level."),
    .order = 2,
    .capabilities = KAI_INTEGRATOR_UNDO | KAI_INTEGRATOR_IMPLICIT | KAI_INTEGRATOR_JOINTS |
                    KAI_INTEGRATOR_BOUNDS | KAI_INTEGRATOR_ELEMENTS |
                    KAI_INTEGRATOR_PENALTY_CONTACT,
    .step = step};
