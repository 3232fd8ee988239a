// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Factors of Newton's matrix that outlive a step.
//
// With finite elements, finding tangents and factors costs far more than an iteration, and they
// change little from step to step: they are kept until convergence is slow. What they were found
// for (coordinates, velocities, weights, time) is carried with the integrator's state, so that
// factors can be found again, to the same bits, when something else used the matrix meanwhile, or a
// run goes on from a checkpoint.
#ifndef STEP_NEWMARK_REUSE_H
#define STEP_NEWMARK_REUSE_H

#include "step/constraints.h"
#include "step/system.h"

/// Whether factors may outlive a step: elements, no rows with bounds, no derivatives of loads and
/// contacts.
bool kai_newmark_reuse_possible(const kai_constraints* c);

/// How many numbers are carried.
size_t kai_newmark_reuse_size(const kai_constraints* c);

/// Notes that the factors are those of the present state, with these weights and rows of this time.
kai_result kai_newmark_reuse_note(kai_constraints* c, kai_world* world,
                                  const kai_fea_options* options, double time, kai_error* err);

/// Makes sure that the factors are the ones last noted; `*ready` is false when none were, or with
/// other weights. The state of the world stays as it is.
kai_result kai_newmark_reuse_find(kai_constraints* c, kai_world* world,
                                  const kai_fea_options* options, bool* ready, kai_error* err);

/// Factors are not to be used again.
void kai_newmark_reuse_forget(kai_constraints* c);

/// Copies what is carried out of the system, and into it.
void kai_newmark_reuse_read(const kai_constraints* c, double* out);
kai_result kai_newmark_reuse_write(kai_constraints* c, kai_world* world, const double* in,
                                   kai_error* err);

#endif
