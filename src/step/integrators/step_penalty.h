// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A step of the half-implicit Euler method (integrator_euler.c) where nothing but gravity and
// penalty contacts acts.
//
// It needs no copy of the state that it began with: positions of mid-step go to next poses, and
// velocities change only when nothing can fail any more. The kick and the second half of the motion
// are one pass then.
#ifndef STEP_STEP_PENALTY_H
#define STEP_STEP_PENALTY_H

#include "step/system.h"

/// Takes the step, in a world with penalty contacts where nothing but bodies and gravity acts.
/// `*done` false: forces are not finite; nothing has changed.
kai_result kai_step_penalty(kai_system* system, double h, bool* done, kai_error* err);

#endif
