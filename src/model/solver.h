// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The choice of a solver, and a tally of what it did. The solvers themselves: solve/, step/.
#ifndef MODEL_SOLVER_H
#define MODEL_SOLVER_H

#include <kairos/solver.h>

/// What happened so far; part of checkpoints, all numbers.
typedef struct kai_solver_tally {
    double steps;      // with something to solve
    double iterations; // in all
    double last;       // in the last step
    double now;        // since its beginning, outputs included
    double solutions;  // linear ones
    double measured;   // of those, how many residuals were found
    double sum, most;  // of those residuals
    double largest[2]; // right-hand side that iterations saw: forces or momenta; gaps
    double redundant;  // 1: rows are shared, see kai_constraints_solve
    double cones;      // cone problems
    double cone_sum, cone_most, cone_last; // of their residuals, m/s
    double cone_asked, cone_limit;         // of the last one: tolerance; what it was held to, m/s
    double missed;                         // cone problems that ended above the tolerance
    double unsolved;                       // that ended above the limit
    double retried;                        // that took a second method
    double worst_time;                     // s, of cone_most, where that missed the tolerance
    double worst[2], far[2];               // bodies of that contact, of the last unsolved one's
} kai_solver_tally;

/// Numbers of a tally.
#define KAI_SOLVER_TALLY (sizeof(kai_solver_tally) / sizeof(double))

/// The word of a type.
const char* kai_solver_name(int32_t type);

/// Whether a type is one of the cone solvers.
bool kai_solver_is_cone(int32_t type);

/// What is asked for in each family, as a kai_solver_type; KAI_SOLVER_AUTO: nothing.
int32_t kai_solver_linear_of(const kai_solver_def* def);
int32_t kai_solver_cone_of(const kai_solver_def* def);

/// Most iterations of a linear solution, and of a cone problem.
uint32_t kai_solver_iterations(const kai_solver_def* def);
uint32_t kai_solver_cone_iterations(const kai_solver_def* def);

/// Where iterations of a linear solution stop, a share of the right-hand side; and those of a cone
/// problem in a step of h, m/s.
double kai_solver_tolerance(const kai_solver_def* def);
double kai_solver_cone_tolerance(const kai_solver_def* def, kai_vec3 gravity, double h);

/// The residual from which a cone problem in a step of h counts as unsolved, m/s; and the one from
/// which so many contacts are solved again with that limit, 0: they are not. An impact may leave more
/// (cone.h).
double kai_solver_cone_limit(const kai_solver_def* def, kai_vec3 gravity, double h);
double kai_solver_cone_retry(const kai_solver_def* def, double limit, size_t contacts);

/// Whether the tolerance of contacts is to be reached by whatever method and however many
/// iterations it takes.
bool kai_solver_cone_reaches(const kai_solver_def* def);

/// A body in the numbers of a tally, and back. The null body is 0.
static inline double kai_solver_tally_body(kai_body body)
{
    return (double)((uint64_t)body.generation << 32 | body.index);
}
kai_body kai_solver_tally_body_of(const kai_world* world, double number);

/// Adds the residual of a solution with the right-hand side b, and returns it as a share: of |b|,
/// or of a thousandth of the largest one so far where that is more. (Newton's method asks for
/// corrections until b is nothing but rounding.)
static inline double kai_solver_note(kai_solver_tally* tally, double residual, double b)
{
    double* largest = &tally->largest[0];
    if (b > *largest) *largest = b;
    const double against = b > 1e-3 * *largest ? b : 1e-3 * *largest;
    const double share = against > 0.0 ? residual / against : 0.0;
    if (!(share <= 1e300)) return share;
    tally->measured += 1.0;
    tally->sum += share;
    if (share > tally->most) tally->most = share;
    return share;
}

#endif
