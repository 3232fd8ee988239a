// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the rest of model/ needs of loads.
#ifndef MODEL_LOAD_H
#define MODEL_LOAD_H

#include "model/world.h"

/// How many bodies an instance of a kind has.
size_t kai_load_bodies(const kai_kind* kind);

/// Builds the plan anew when loads or bodies have changed.
kai_result kai_load_ready(kai_world* world, kai_error* err);

/// Rates of the states of all instances of batch b, one after another; needs no plan.
void kai_load_rates(const kai_world* world, size_t b, double time, double* rates);

/// All instances of batch b, whose bodies begin at `ends` in the plan, which must be ready.
kai_load_batch kai_load_batch_make(const kai_world* world, size_t b, size_t ends, double time);

#endif
