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

/// What an integrator can do. A world that needs a capability its integrator does not have is
/// refused at its first step, with a message that names the built-in integrators that have it.
typedef enum kai_integrator_capability {
    /// Solves for the state at the end of a step, so derivatives of forces are found for it and
    /// stiff loads set no limit to the step.
    KAI_INTEGRATOR_IMPLICIT = 1,
    /// Keeps the constraints of joints, gears and links.
    KAI_INTEGRATOR_JOINTS = 2,
    /// Keeps constraints that only act one way or up to a force: limits, ropes, friction of joints.
    KAI_INTEGRATOR_BOUNDS = 4,
    /// Advances nodes of finite elements.
    KAI_INTEGRATOR_ELEMENTS = 8,
    /// Applies the forces of penalty contacts (`smc`).
    KAI_INTEGRATOR_PENALTY_CONTACT = 16,
    /// Solves contacts by complementarity (`nsc`): impulses in friction cones.
    KAI_INTEGRATOR_CONE_CONTACT = 32,
    /// Stays stable when a body turns by more than a radian in a step.
    KAI_INTEGRATOR_FAST_SPIN = 64,
} kai_integrator_capability;

/// A kind of integrator.
typedef struct kai_integrator_kind {
    kai_kind kind;
    int order;             ///< order of convergence for smooth motion
    unsigned capabilities; ///< bits of kai_integrator_capability
    /// Takes the system from its time t to t + h.
    kai_result (*step)(kai_system* system, const void* instance, double h, kai_error* err);
} kai_integrator_kind;

/// Parameters of `trapezoidal` and `euler-implicit`.
typedef struct kai_integrator_implicit_params {
    double tolerance;   ///< largest change of a position in the last iteration, m or rad
    int64_t iterations; ///< most of one step
    int32_t jacobian;   ///< 0: automatic, 1: modified, 2: full; when the matrix is factorised anew
} kai_integrator_implicit_params;

/// Parameters of `hht`.
typedef struct kai_integrator_hht_params {
    double alpha;       ///< -1/3…0
    double tolerance;   ///< as above
    int64_t iterations; ///< as above
    int32_t jacobian;   ///< as above
    bool adaptive;      ///< divides a step while its local error is above `error`
    double error;       ///< m or rad; at least a hundredth of tolerance
    int64_t parts;      ///< most that a step is divided into for accuracy
} kai_integrator_hht_params;

/// Parameters of `newmark`.
typedef struct kai_integrator_newmark_params {
    double gamma, beta; ///< weights of the new acceleration in velocity and position
    double tolerance;   ///< as above
    int64_t iterations; ///< as above
    int32_t jacobian;   ///< as above
} kai_integrator_newmark_params;

/// Tables of the built-in kinds; euler, leapfrog and rk4 have no parameters.
KAI_API extern const kai_integrator_kind kai_integrator_euler;
KAI_API extern const kai_integrator_kind kai_integrator_leapfrog; ///< second order, symplectic
KAI_API extern const kai_integrator_kind kai_integrator_rk4;      ///< fourth order, explicit
KAI_API extern const kai_integrator_kind kai_integrator_euler_implicit; ///< first order, damps
KAI_API extern const kai_integrator_kind kai_integrator_trapezoidal; ///< second order, no damping
KAI_API extern const kai_integrator_kind
    kai_integrator_newmark; ///< see kai_integrator_newmark_params
KAI_API extern const kai_integrator_kind
    kai_integrator_hht; ///< second order, damps high frequencies

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
