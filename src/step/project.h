// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bringing positions and velocities back to where joints hold, by the least change in the sense of
// the mass matrix.
#ifndef STEP_PROJECT_H
#define STEP_PROJECT_H

#include "step/constraints.h"

/// Gauss-Newton on g(q, t) = 0: each round solves M Δ + Gᵀ μ = 0, G Δ = -g and moves bodies by Δ.
/// Ends when the largest |g| is below `tolerance`, or below 1e-8 and no longer shrinking (a
/// singular position). KAI_ERROR_DIVERGED after `rounds`, naming the joint that is farthest off.
kai_result kai_project_positions(kai_constraints* c, kai_world* world, double time,
                                 double tolerance, int rounds, kai_error* err);

/// Velocities nearest to the present ones with G v + ∂g/∂t = 0. Rows must be evaluated and
/// factorised at this state.
kai_result kai_project_velocities(kai_constraints* c, kai_world* world, kai_error* err);

/// Work of the impulses of the last kai_project_velocities: rows that move (motors) do some.
double kai_project_work(const kai_constraints* c);

#endif
