// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The contact problem of one step, apart from its world: as a file that other programs solve too, and
// solved for itself. Files are those of FCLIB, a collection of frictional contact problems (HDF5).
//
//     kai_problem_step_keep(world, true);
//     kai_world_step(world, h);
//     kai_problem_step_take(world, &problem);
//     kai_problem_write(problem, "step.hdf5", &err);
//
// The *global* form has the velocities v of all bodies as unknowns, the *local* one only impulses:
//
//     M v = H r + G λ + f                  u = W r + q
//     Gᵀ v + b = 0
//     u = Hᵀ v + w
//
// u is the relative velocity at contacts, r the impulse (normal part first), λ the impulses of
// equations of joints. Coulomb's law: r in the cone of μ, u + (μ |u_t|, 0, 0) in its dual, and one
// perpendicular to the other.
#ifndef KAIROS_PROBLEM_H
#define KAIROS_PROBLEM_H

#include <kairos/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A problem.
typedef struct kai_problem kai_problem;

/// What it consists of.
typedef struct kai_problem_info {
    bool global;       ///< it has M, H and f; else W and q
    bool solved;       ///< there is a solution
    size_t contacts;   ///< friction cones
    size_t velocities; ///< unknown velocities; 0 in the local form
    size_t equations;  ///< columns of G
    size_t entries;    ///< numbers kept of H, or of W
} kai_problem_info;

/// How it is to be solved.
typedef struct kai_problem_def {
    uint64_t cookie;    ///< set by kai_problem_def_default
    int32_t cone;       ///< kai_solver_cone; auto: apgd for up to 500 contacts, psor for more
    int64_t iterations; ///< most of them
    double tolerance;   ///< of the residual, m/s
    bool associated;    ///< the convex problem, without Coulomb's term μ |u_t|
    int threads;
} kai_problem_def;

/// How it was solved.
typedef struct kai_problem_report {
    const char* solver; ///< psor, bb, apgd …
    bool bodies;        ///< solved as contacts of rigid bodies and points; else as sparse matrices
    char why[160];      ///< what is not like that, where it is not
    size_t iterations;
    double
        residual; ///< m/s, computed from the matrices by a code of its own; see kai_problem_measure
    double seconds; ///< of the solver, the preparation of matrices left out
} kai_problem_report;

/// Keeps the problem of each step of a world from now on, or no longer. Costs a copy a step.
KAI_API kai_result kai_problem_step_keep(kai_world* world, bool keep);

/// The problem of the last step, with the solution that the step found; yours to kai_problem_free.
/// KAI_ERROR_ARGUMENT when none was kept (no step since kai_problem_step_keep, no contact);
/// KAI_ERROR_UNSUPPORTED for what FCLIB's form cannot say: rolling and spinning friction, and
/// elements and joints that are solved beside the cones.
KAI_API kai_result kai_problem_step_take(kai_world* world, kai_problem** out);

/// Reads a file. KAI_ERROR_FILE, KAI_ERROR_FORMAT with what is wrong; nothing in the file is believed.
/// Contacts in the plane become those of space with nothing along the third direction.
KAI_API kai_result kai_problem_open(const char* path, kai_problem** out, kai_error* err);

/// Writes it, and the solution where there is one.
KAI_API kai_result kai_problem_write(const kai_problem* problem, const char* path, kai_error* err);

/// Gives the memory back. NULL is allowed.
KAI_API void kai_problem_free(kai_problem* problem);

/// What it consists of.
KAI_API kai_problem_info kai_problem_get_info(const kai_problem* problem);

/// Velocities (3 a body and more; NULL in the local form), relative velocities and impulses (3 a
/// contact) and λ of the solution; NULL without one.
KAI_API const double* kai_problem_v(const kai_problem* problem);
KAI_API const double* kai_problem_u(const kai_problem* problem);      ///< see above
KAI_API const double* kai_problem_r(const kai_problem* problem);      ///< see above
KAI_API const double* kai_problem_lambda(const kai_problem* problem); ///< see above

/// auto, 1,000 iterations, 1e-8 m/s, Coulomb's law, one thread.
KAI_API kai_problem_def kai_problem_def_default(void);

/// Solves from zero. That the tolerance was not reached is no error: see the report.
KAI_API kai_result kai_problem_solve(kai_problem* problem, const kai_problem_def* def,
                                     kai_problem_report* report, kai_error* err);

/// The residual of impulses r [3 contacts], m/s: velocities follow from them by the matrices, and it
/// is the largest |r - P(r - m û)| / m of a contact, P the projection onto its cone and 1 / m what the
/// normal velocity changes by for a unit of the normal impulse (joints left out). Impulses outside of
/// their cones are projected first.
KAI_API kai_result kai_problem_measure(kai_problem* problem, const double* r, bool associated,
                                       double* residual, kai_error* err);

#ifdef __cplusplus
}
#endif

#endif
