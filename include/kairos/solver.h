// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solvers: how the equations of joints are solved in every step.
//
//     kai_solver_def solver = kai_solver_def_default();
//     solver.type = KAI_SOLVER_MINRES;
//     kai_solver_set(world, &solver);
#ifndef KAIROS_SOLVER_H
#define KAIROS_SOLVER_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which solver.
typedef enum kai_solver_type {
    KAI_SOLVER_AUTO,    ///< direct, or minres where its factors would take more than `memory`
    KAI_SOLVER_DIRECT,  ///< factorises; to rounding. Linear time for chains and trees of joints
    KAI_SOLVER_MINRES,  ///< iterates on products alone; symmetric, short recurrences
    KAI_SOLVER_GMRES,   ///< iterates; keeps 50 vectors, then starts again
    KAI_SOLVER_BICGSTAB ///< iterates; two products an iteration
} kai_solver_type;

/// A solver with its settings.
typedef struct kai_solver_def {
    uint64_t cookie;    ///< set by kai_solver_def_default
    int32_t type;       ///< kai_solver_type
    int64_t iterations; ///< most of one solution, for those that iterate
    double tolerance;   ///< |b - A x| / |b| at which they stop
    double memory;      ///< bytes of factors up to which `auto` takes the direct solver
} kai_solver_def;

/// What a solver did so far.
typedef struct kai_solver_figures {
    const char* name;       ///< the solver in use, "none" before there was anything to solve
    uint64_t iterations;    ///< in the last step; a solution of a direct solver counts as one
    double iterations_mean; ///< a step
    /// |b - A x|, as a share of |b| (of a thousandth of the largest b so far, where that is more),
    /// of the solutions that were measured: all that iterate or share redundant rows, else one
    /// in 64.
    double residual_mean;
    double residual_max; ///< the largest of them
} kai_solver_figures;

/// Its parameters, as scenes and checkpoints know them.
KAI_API extern const kai_kind kai_solver_kind;

/// auto, 1,000 iterations, 1e-10, 2 GB.
KAI_API kai_solver_def kai_solver_def_default(void);

/// Chooses the solver. KAI_ERROR_ARGUMENT for settings out of their range.
KAI_API kai_result kai_solver_set(kai_world* world, const kai_solver_def* def);

/// The choice.
KAI_API kai_solver_def kai_solver_get(const kai_world* world);

/// What it did so far.
KAI_API kai_solver_figures kai_solver_measured(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
