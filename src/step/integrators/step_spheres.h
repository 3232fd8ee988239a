// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A step of the half-implicit Euler method (integrator_euler.c) where nothing but gravity and
// penalty contacts of spheres and walls acts.
//
// Forces ask for the positions of mid-step alone, which are found on the way, and for ω₀ in the
// world frame, which q_m turns as q₀ does. So bodies take the whole step as soon as all that acts
// on them is known, while their states are in the cache. That nothing can fail is checked before:
// no copy of the state is kept.
//
// Bytes a step must move for a body: see contact/grains.h and step/integrators/sphere_motion.h.
#ifndef STEP_STEP_SPHERES_H
#define STEP_STEP_SPHERES_H

#include "step/system.h"

/// Takes the step, in a world with penalty contacts where nothing but bodies and gravity acts.
/// `*done` false: it is not of this kind, or may fail; nothing has changed.
kai_result kai_step_spheres(kai_system* system, double h, bool* done, kai_error* err);

#endif
