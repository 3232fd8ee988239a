// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Newmark with β = 1, γ = 1 and a₀ left out: x₁ = x₀ + h v₁, v₁ = v₀ + h a₁. Order 1, strong
// damping.
#include "base/error.h"
#include "step/integrators/newmark.h"

typedef kai_integrator_implicit_params params;

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    const params* p = instance;
    const kai_newmark method = {.beta = 1.0,
                                .gamma = 1.0,
                                .memory_free = true,
                                .tolerance = p->tolerance,
                                .iterations = p->iterations,
                                .jacobian = p->jacobian};
    return kai_newmark_step(system, &method, h, err);
}

static const char* const JACOBIANS[] = KAI_NEWMARK_JACOBIANS;

static const kai_param PARAMS[] = {
    KAI_NEWMARK_PARAMS(params),
};

const kai_integrator_kind kai_integrator_euler_implicit = {
    .kind = KAI_KIND(
        "euler-implicit", params, PARAMS,
        .doc = "Implicit Euler: order 1, strong numerical damping, constraints at position level."),
    .order = 1,
    .capabilities = KAI_INTEGRATOR_UNDO | KAI_INTEGRATOR_IMPLICIT | KAI_INTEGRATOR_JOINTS |
                    KAI_INTEGRATOR_BOUNDS | KAI_INTEGRATOR_ELEMENTS |
                    KAI_INTEGRATOR_PENALTY_CONTACT | KAI_INTEGRATOR_CONE_CONTACT,
    .step = step};
