// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Newmark 1959: order 2 for γ = ½, else 1.
#include "base/error.h"
#include "step/integrators/newmark.h"

typedef kai_integrator_newmark_params params;

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    const params* p = instance;
    const kai_newmark method = {.beta = p->beta,
                                .gamma = p->gamma,
                                .tolerance = p->tolerance,
                                .iterations = p->iterations,
                                .jacobian = p->jacobian};
    return kai_newmark_step(system, &method, h, err);
}

static const char* const JACOBIANS[] = KAI_NEWMARK_JACOBIANS;

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, params, gamma, .initial = {0.6}, .range = KAI_AT_LEAST(0.5),
              .doc = "Weight of the new acceleration in the velocity; 0.5 has no damping."),
    KAI_PARAM(REAL, params, beta, .initial = {0.3025}, .range = KAI_ABOVE(0.0),
              .doc = "Weight of the new acceleration in the position."),
    KAI_NEWMARK_PARAMS(params),
};

const kai_integrator_kind kai_integrator_newmark = {
    .kind = KAI_KIND(
        "newmark", params, PARAMS,
        .doc =
            "Newmark's method: implicit; order 1, and 2 for gamma = 0.5; constraints at position level."),
    .order = 1,
    .capabilities = KAI_INTEGRATOR_UNDO | KAI_INTEGRATOR_IMPLICIT | KAI_INTEGRATOR_JOINTS |
                    KAI_INTEGRATOR_BOUNDS | KAI_INTEGRATOR_ELEMENTS |
                    KAI_INTEGRATOR_PENALTY_CONTACT,
    .step = step};
