// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Integrators: how a world gets from t to t + h.
#ifndef KAIROS_INTEGRATOR_H
#define KAIROS_INTEGRATOR_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an integrator may do to the system it advances; see src/step/system.h and
/// docs/architecture.md.
typedef struct kai_system kai_system;

/// A kind of integrator.
typedef struct kai_integrator_kind {
    kai_kind kind;
    int order; ///< order of convergence for smooth motion
    /// Takes the system from its time t to t + h.
    kai_result (*step)(kai_system* system, const void* instance, double h, kai_error* err);
} kai_integrator_kind;

/// Tables of the built-in kinds; none has parameters yet.
KAI_API extern const kai_integrator_kind kai_integrator_euler;
KAI_API extern const kai_integrator_kind kai_integrator_leapfrog; ///< second order, symplectic
KAI_API extern const kai_integrator_kind kai_integrator_rk4;      ///< fourth order, explicit

/// The built-in kind of a name, NULL when there is none; and the i-th built-in kind, NULL after the
/// last.
KAI_API const kai_integrator_kind* kai_integrator_find(const char* name);
KAI_API const kai_integrator_kind* kai_integrator_built_in(size_t i); ///< in the order of the list

/// Chooses the integrator; `params` may be NULL for the defaults. Worlds start with euler.
KAI_API kai_result kai_integrator_set(kai_world* world, const kai_integrator_kind* kind,
                                      const void* params);

/// The integrator in use.
KAI_API const kai_integrator_kind* kai_integrator_get(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
