// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The Newmark family with joints at position level (index 3), shared by hht, newmark, trapezoidal
// and euler-implicit.
//
//     x₁ = x₀ + h v₀ + h² ((½ - β) a₀ + β a₁)
//     v₁ = v₀ + h ((1 - γ) a₀ + γ a₁)
//     q₁ = q₀ ∘ exp(h ω₀ + h² ((½ - β) α₀ + β α₁))
//     M a₁ = (1 + α) (f + Gᵀ λ)₁ - α (f + Gᵀ λ)₀
//     g(q₁, t₁) = 0
//
// with ω and its derivative in the principal frame (Brüls & Cardona 2010). Newton on (a₁, λ₁):
//
//     M Δa + Gᵀ Δμ = -r,   G Δa = -g / (β h²),   μ = -(1 + α) λ
//
// with the derivatives of stiff forces added to M (step/tangents.h). Second derivatives of g and of
// other forces are left out: they enter with h², so that each iteration gains a factor of about
// (h ω)². By default the factors are kept inside a step while convergence is quick.
//
// Rows with bounds (limits, ropes, friction) change their state between iterations
// (constraints_bounds.c). After an impact on a limit velocities are projected, and the next step
// starts from accelerations of its own.
//
// A step that does not converge, or whose local error h² |β - 1/6| |a₁ - a₀| is above `error`, is
// taken as two of half the length, and so on up to 2^KAI_NEWMARK_HALVINGS parts.
#ifndef STEP_NEWMARK_H
#define STEP_NEWMARK_H

#include "step/system.h"

#define KAI_NEWMARK_HALVINGS 10

/// When the matrix of Newton's method is factorised anew.
typedef enum kai_newmark_jacobian {
    KAI_NEWMARK_AUTOMATIC, // at the start of a step, and when convergence is slow
    KAI_NEWMARK_MODIFIED,  // at the start of a step only
    KAI_NEWMARK_FULL       // in every iteration
} kai_newmark_jacobian;

#define KAI_NEWMARK_JACOBIANS                 \
    {                                         \
        "automatic", "modified", "full", NULL \
    }

typedef struct kai_newmark {
    double alpha, beta, gamma;
    bool memory_free;   // x₁ = x₀ + h v₁ exactly: a₀ plays no part
    double tolerance;   // of positions, m or rad
    int64_t iterations; // most of one step
    int32_t jacobian;   // a kai_newmark_jacobian
    double error;       // largest local error of a position, m or rad; 0: not looked at
    int64_t parts;      // most that a step is divided into for the sake of it
} kai_newmark;

/// One step of h. KAI_ERROR_DIVERGED when Newton's method does not converge, even for the
/// shortest parts: the state is the one before the step.
kai_result kai_newmark_step(kai_system* system, const kai_newmark* method, double h,
                            kai_error* err);

/// The parameters that every kind of this family has, in a struct of type `type`.
#define KAI_NEWMARK_PARAMS(type_)                                                                                                          \
    KAI_PARAM(REAL, type_, tolerance, .unit = "m", .initial = {1e-10}, .range = KAI_ABOVE(0.0),                                            \
              .doc = "Maximum change of a position in the last iteration."),                                                               \
        KAI_PARAM(                                                                                                                         \
            ENUM, type_, jacobian, .words = JACOBIANS,                                                                                     \
            .doc =                                                                                                                         \
                "When the matrix is factorised: automatic, when convergence is slow; modified, once per step; full, in every iteration."), \
        KAI_PARAM(INT, type_, iterations, .initial = {20}, .range = KAI_AT_LEAST(1),                                                       \
                  .doc = "Maximum number of iterations per step.")

#endif
