// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shafts and the states of users in the methods that work at mid-step (euler, leapfrog).
//
//     shafts:  φ_m = φ₀ + h/2 ω₀,   ω₁ = ω₀ + h τ / J,   φ₁ = φ_m + h/2 ω₁
//     states:  y_m = y₀ + h/2 f(t_m, q_m, v₀, y₀),   y₁ = y₀ + h f(t_m, q_m, (v₀ + v₁)/2, y_m)
#ifndef STEP_SCALARS_H
#define STEP_SCALARS_H

#include "step/system.h"

/// Turns all shafts at their speeds, and changes the speeds by the torques last evaluated.
void kai_scalars_drift(kai_world* world, double h);
void kai_scalars_kick(kai_world* world, double h);

/// Takes the states to the middle of the step, whose positions the world holds.
kai_result kai_scalars_begin(kai_system* system, const kai_system_backup* start, double h,
                             kai_error* err);

/// Takes them to its end. The world holds the positions of the middle and the velocities of the
/// end.
kai_result kai_scalars_finish(kai_system* system, const kai_system_backup* start, double h,
                              kai_error* err);

/// Sets all velocities, of bodies and shafts, to the mean of the present ones and those at the
/// start.
void kai_scalars_average(kai_world* world, const kai_system_backup* start);

#endif
