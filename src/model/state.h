// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What integrators need of states: all values in one list, batch by batch, instance by instance.
#ifndef MODEL_STATE_H
#define MODEL_STATE_H

#include "model/world.h"

#include <kairos/state.h>

/// How many values there are in all.
size_t kai_state_total(const kai_world* world);

/// Copies all values out of the world, and into it.
void kai_state_read(const kai_world* world, double* values);
void kai_state_write(kai_world* world, const double* values);

/// The rates of all values at what the world holds.
void kai_state_rates(const kai_world* world, double time, double* rates);

#endif
