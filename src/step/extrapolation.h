// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Velocities that nodes of elements are expected to have at the end of a step: where the iterations
// of cg begin. With velocities v₀ now, v₋₁ and v₋₂ one and two steps ago, all of the same length,
//
//     3 v₀ - 3 v₋₁ + v₋₂,   or 2 v₀ - v₋₁,   or v₀,   as many as are known.
//
// What is known goes with checkpoints, as the integrator's state: a resumed run begins its
// iterations with the same numbers.
#ifndef STEP_EXTRAPOLATION_H
#define STEP_EXTRAPOLATION_H

#include "step/constraints.h"

/// Sets elements.ahead and elements.foreseen of a system that cg solves. `v` [coordinates]: at the
/// start of the step.
kai_result kai_extrapolation_begin(kai_constraints* c, kai_world* world, const double* v, double h,
                                   kai_error* err);

/// After a step that went well: keeps the velocities that it began with.
kai_result kai_extrapolation_end(kai_constraints* c, kai_world* world, const double* v, double h,
                                 kai_error* err);

#endif
