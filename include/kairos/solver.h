// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solvers: how the equations of joints, and the cones of contacts, are solved in every step. Joints
// go to a linear solver, contacts to a cone solver, and each is chosen by itself.
//
//     kai_solver_def solver = kai_solver_def_default();
//     solver.linear = KAI_SOLVER_LINEAR_MINRES;
//     solver.cone = KAI_SOLVER_CONE_APGD;
//     kai_solver_set(world, &solver);
#ifndef KAIROS_SOLVER_H
#define KAIROS_SOLVER_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Solvers of both families in one list, for kai_solver_def.type.
typedef enum kai_solver_type {
    KAI_SOLVER_AUTO, ///< direct; where its factors would take more than `memory`: cg when there are
                     ///< nodes of elements and nothing else, else minres
    KAI_SOLVER_DIRECT,   ///< factorises; to rounding. Linear time for chains and trees of joints
    KAI_SOLVER_MINRES,   ///< iterates on products alone; symmetric, short recurrences
    KAI_SOLVER_GMRES,    ///< iterates; keeps 50 vectors, then starts again
    KAI_SOLVER_BICGSTAB, ///< iterates; two products an iteration
    KAI_SOLVER_CG,       ///< iterates; elements over nodes alone, without joints
    // Cone solvers; with any of the above contacts get newton where they stand still or are few
    // (500) and hard, apgd where they are few, else psor
    KAI_SOLVER_PSOR,  ///< contact after contact, the newest velocities at once
    KAI_SOLVER_BB,    ///< projected gradients with Barzilai and Borwein's step lengths
    KAI_SOLVER_APGD,  ///< projected gradients with Nesterov's momentum
    KAI_SOLVER_ADMM,  ///< alternating directions, for small problems that must be exact
    KAI_SOLVER_NEWTON ///< Newton steps on contacts and joints together: any mass ratio, to rounding
} kai_solver_type;

/// Linear solvers, for joints and elements; each as in kai_solver_type.
typedef enum kai_solver_linear {
    KAI_SOLVER_LINEAR_AUTO,     ///< as `type` says, else KAI_SOLVER_AUTO
    KAI_SOLVER_LINEAR_DIRECT,   ///< KAI_SOLVER_DIRECT
    KAI_SOLVER_LINEAR_MINRES,   ///< KAI_SOLVER_MINRES
    KAI_SOLVER_LINEAR_GMRES,    ///< KAI_SOLVER_GMRES
    KAI_SOLVER_LINEAR_BICGSTAB, ///< KAI_SOLVER_BICGSTAB
    KAI_SOLVER_LINEAR_CG        ///< KAI_SOLVER_CG
} kai_solver_linear;

/// Cone solvers, for contacts; each as in kai_solver_type.
typedef enum kai_solver_cone {
    KAI_SOLVER_CONE_AUTO,  ///< as `type` says, else as kai_solver_type says
    KAI_SOLVER_CONE_PSOR,  ///< KAI_SOLVER_PSOR
    KAI_SOLVER_CONE_BB,    ///< KAI_SOLVER_BB
    KAI_SOLVER_CONE_APGD,  ///< KAI_SOLVER_APGD
    KAI_SOLVER_CONE_ADMM,  ///< KAI_SOLVER_ADMM
    KAI_SOLVER_CONE_NEWTON ///< KAI_SOLVER_NEWTON
} kai_solver_cone;

/// What happens when the contacts of a step are not solved: the residual is above `limit`.
typedef enum kai_solver_unsolved {
    KAI_SOLVER_UNSOLVED_RETRY,  ///< they are solved again by a better method
    KAI_SOLVER_UNSOLVED_REPORT, ///< the result is taken as it is, and counted
    KAI_SOLVER_UNSOLVED_STOP ///< as RETRY; where that is not enough the step fails: KAI_ERROR_DIVERGED
} kai_solver_unsolved;

/// Solvers with their settings.
typedef struct kai_solver_def {
    uint64_t cookie;    ///< set by kai_solver_def_default
    int32_t type;       ///< kai_solver_type: one of either family; the other stays at auto
    int32_t linear;     ///< kai_solver_linear; must agree with a linear `type`
    int32_t cone;       ///< kai_solver_cone; must agree with a `type` that is a cone solver
    int64_t iterations; ///< most of one solution; 0: 1,000, and 100 of cone solvers
    double
        tolerance; ///< |b - A x| / |b| at which they stop; of cone solvers a speed, m/s; 0: 1e-10,
                   ///< and of cone solvers 1e-4 g h (1e-10 m/s without gravity)
    int32_t unsolved; ///< kai_solver_unsolved
    double limit;     ///< residual of contacts that is no solution, m/s; 0: g h; a tenth of the
                      ///< speed of an impact where that is more
    double memory;    ///< bytes of factors up to which `auto` takes the direct solver
    bool matrix_free; ///< tangents of elements are found anew in every product, not stored; auto
                      ///< takes minres then
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
    /// With contacts the residuals are those of the cone problem, m/s, in every step.
    bool cones;
    uint64_t solutions; ///< of cone problems, one a step and more with euler-implicit
    uint64_t missed;    ///< of those, how many ended above the tolerance
    uint64_t unsolved;  ///< above the limit: no solution
    uint64_t retried;   ///< with a second, better method
    double tolerance;   ///< that the last one was asked for, m/s
    double worst_time; ///< when residual_max was found, s, and between which bodies (null: ground),
    kai_body worst[2]; ///< if any solution missed the tolerance
} kai_solver_figures;

/// Its parameters, as scenes and checkpoints know them.
KAI_API extern const kai_kind kai_solver_kind;

/// auto, iterations and tolerance by the solver and the scene, 2 GB.
KAI_API kai_solver_def kai_solver_def_default(void);

/// Chooses the solvers. KAI_ERROR_ARGUMENT for settings out of their range, and where `type` and
/// `linear` or `cone` name two of one family.
KAI_API kai_result kai_solver_set(kai_world* world, const kai_solver_def* def);

/// The choice.
KAI_API kai_solver_def kai_solver_get(const kai_world* world);

/// Whether contacts were solved to the tolerance so far, in words: how many of how many were not, the
/// largest residual, when and between which bodies. "" where there were none. At most `size` bytes.
KAI_API void kai_solver_verdict(const kai_world* world, char* out, size_t size);

/// What it did so far.
KAI_API kai_solver_figures kai_solver_measured(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
