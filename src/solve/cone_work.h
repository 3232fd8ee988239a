// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the methods for cone problems share: passes over all contacts, the residual, the account of
// a run.
#ifndef SOLVE_CONE_WORK_H
#define SOLVE_CONE_WORK_H

#include "solve/cone_kernel.h"

/// Iterations between two looks at the residual are a multiple of this. Where the last two say that
/// the tolerance is far away, looks are left out: each costs about an iteration.
enum { KAI_CONE_WORK_CHECK = 10 };

/// A run of a method.
typedef struct kai_cone_work {
    kai_cone* cone;
    const kai_cone_problem* problem;
    const kai_cone_options* options;
    const kai_cone_kernel* kernel;
    kai_cone_pass pass; // over cone->motion
    kai_cone_sums sums; // of the last pass, all tasks together
    kai_cone_result result;
    bool measured;         // result.residual is that of the present impulses
    uint32_t look, looked; // iteration of the next look, and of the last one
    double seen;           // the residual there
    double guess;          // the residual of the guess, m/s; infinite: not looked at
    double began, paused;  // clock: start, and time spent on traces
    kai_error* err;
} kai_cone_work;

/// Calls `loop` for all groups, so many times over. All that happens to a body happens in an order
/// that the problem alone decides. Sums of tasks are put together in order.
kai_result kai_cone_work_pass(kai_cone_work* work, kai_cone_loop* loop, uint32_t rounds);

/// The same, once, for a loop that changes no body.
void kai_cone_work_look(kai_cone_work* work, kai_cone_loop* loop);

/// The first pass: groups are filled and prepared one run after the other, while they are in the
/// cache. `extra` as for kai_cone_pack.
kai_result kai_cone_work_begin(kai_cone_work* work, bool extra);

/// Lets joints act on cone->motion.
kai_result kai_cone_work_project(kai_cone_work* work, bool fresh);

/// The residual of what is in cone->motion and cone->values; KAI_ERROR_DIVERGED when not finite.
kai_result kai_cone_work_measure(kai_cone_work* work, double* residual);

/// KAI_ERROR_DIVERGED, and through which contact, when numbers of the problem are not finite.
kai_result kai_cone_work_given(const kai_cone_problem* problem, kai_error* err);

/// Says through which contact numbers came in that are not finite: KAI_ERROR_DIVERGED.
kai_result kai_cone_work_diverged(const kai_cone_work* work);

/// Whether kai_cone_work_check will look at the residual after iteration `k`.
static inline bool kai_cone_work_looks(const kai_cone_work* work, uint32_t k)
{
    const kai_cone_options* o = work->options;
    return o->trace != NULL || (o->tolerance > 0.0 && k == work->look);
}

/// How many iterations, from `k` on, have nothing between them, neither joints nor looks.
uint32_t kai_cone_work_rounds(const kai_cone_work* work, uint32_t k);

/// To be called after iteration `k` (0: before the first). Keeps the trace; says whether to stop.
kai_result kai_cone_work_check(kai_cone_work* work, uint32_t k, bool* stop);

/// cone->motion := v0 + M⁻¹ D γ, and joints, from the start.
kai_result kai_cone_work_restart(kai_cone_work* work);

#endif
