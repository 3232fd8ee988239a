// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What integrators need of states: all values in one list, batch by batch, instance by instance:
// those of the world's states, then those that loads have, then those of signals.
#ifndef MODEL_STATE_H
#define MODEL_STATE_H

#include "model/world.h"

#include <kairos/state.h>

/// A batch whose instances have states: of the world's states, of its loads or of its signals.
typedef struct kai_state_source {
    const kai_store* store;
    size_t batch; // in the store
    const kai_store_batch* items;
    size_t values, count; // offset in an instance, and how many
} kai_state_source;

/// The next batch that has states, from *cursor on (0 at first); false when there is none left.
bool kai_state_next(const kai_world* world, size_t* cursor, kai_state_source* out);

/// The values of instance i.
double* kai_state_at(const kai_state_source* source, size_t i);

/// How many values there are in all.
size_t kai_state_total(const kai_world* world);

/// Copies all values out of the world, and into it.
void kai_state_read(const kai_world* world, double* values);
void kai_state_write(kai_world* world, const double* values);

/// The rates of all values at what the world holds. Those of signals are the ones last found for it
/// (kai_term_observe_all).
void kai_state_rates(const kai_world* world, double time, double* rates);

#endif
