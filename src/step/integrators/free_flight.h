// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A step of the half-implicit Euler method (integrator_euler.c) where nothing but gravity acts:
// velocities and motion in one pass over bodies.
#ifndef STEP_FREE_FLIGHT_H
#define STEP_FREE_FLIGHT_H

#include "step/system.h"

/// Whether gravity alone cannot lead to numbers that overflow in a step.
bool kai_free_flight_is_gentle(const kai_world* world, double h);

/// Takes the step in place, with a copy of the state only where it may fail.
kai_result kai_free_flight(kai_system* system, double h, kai_error* err);

#endif
