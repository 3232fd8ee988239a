// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Newmark with β = ¼, γ = ½: order 2, no damping, keeps energy.
#include "base/error.h"
#include "step/integrators/newmark.h"

typedef kai_integrator_implicit_params params;

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    const params* p = instance;
    const kai_newmark method = {.beta = 0.25,
                                .gamma = 0.5,
                                .tolerance = p->tolerance,
                                .iterations = p->iterations,
                                .jacobian = p->jacobian};
    return kai_newmark_step(system, &method, h, err);
}

static const char* const JACOBIANS[] = KAI_NEWMARK_JACOBIANS;

static const kai_param PARAMS[] = {
    KAI_NEWMARK_PARAMS(params),
};

const kai_integrator_kind kai_integrator_trapezoidal = {
    .kind = KAI_KIND(
        "trapezoidal", params, PARAMS,
        .doc =
            "Trapezoidal rule: order 2, implicit, no numerical damping, constraints at position level."),
    .order = 2,
    .capabilities = KAI_INTEGRATOR_UNDO | KAI_INTEGRATOR_IMPLICIT | KAI_INTEGRATOR_JOINTS |
                    KAI_INTEGRATOR_BOUNDS | KAI_INTEGRATOR_ELEMENTS |
                    KAI_INTEGRATOR_PENALTY_CONTACT,
    .step = step};
