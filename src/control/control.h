// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is laid out for the signals of a world: the order in which they are found, where each finds
// its inputs, and compiled formulas. A cache: made again when signals or functions come or go.
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "math/expression.h"
#include "model/world.h"

#include <kairos/signal.h>

/// Places of signals: index of their ids - 1, as in kai_function_set.signals.
#define KAI_CONTROL_NOWHERE UINT32_MAX

/// Where an input comes from.
typedef struct kai_control_input {
    uint32_t place;   // of a signal
    uint32_t formula; // 1 + its number, 0: none
} kai_control_input;

/// One signal.
typedef struct kai_control_node {
    uint32_t place;
    uint32_t batch, slot;  // in the store
    uint32_t first, count; // inputs
    uint32_t rates;        // its first one in kai_world.signal_rates
} kai_control_node;

typedef struct kai_control {
    bool laid_out;
    uint64_t signals_version, functions_version; // for which
    kai_array nodes;         // kai_control_node, in the order in which they are found
    kai_array inputs;        // kai_control_input
    kai_array formulas;      // kai_expression
    kai_array jets;          // kai_jet: room for the inputs of one signal
    kai_array numbers;       // double: values by place, then the time; what formulas read
    kai_array before;        // double: room for values of the moment before
    bool watched;            // a signal has states, memory or something to sense
    bool evaluates;          // one shows forces, accelerations or reactions
    bool fast;               // one depends on velocities
    bool derivatives;        // motion is prescribed by functions: derivatives are wanted
    uint64_t joints_version; // … as far as this one
    bool busy;               // signals are being started or finished
    uint64_t events_version;
} kai_control;

/// Lays out what has changed. KAI_ERROR_NAME for a name that nobody has, KAI_ERROR_ARGUMENT for a
/// loop or a formula.
kai_result kai_control_order(kai_world* world, kai_error* err);

/// Finds all signals and rates at the state that the world holds.
kai_result kai_control_find(kai_world* world, double time, kai_error* err);

/// Lays out, and starts those signals that have no start behind them.
kai_result kai_control_step_start(kai_world* world, kai_error* err);

/// Lays out, starts those signals that have no start behind them, and finds all of them at the
/// world's state.
kai_result kai_control_step_begin(kai_world* world, kai_error* err);

/// The same, where there are signals at all.
kai_result kai_control_step_refresh(kai_world* world, kai_error* err);

/// After a step of h: senses, updates memory, finds all of them, and heeds events.
kai_result kai_control_step_end(kai_world* world, double h, kai_error* err);

/// A moment for one signal, with its inputs in control->jets, or without any.
kai_signal_moment kai_control_moment(const kai_world* world, const kai_control_node* node,
                                     double time, bool inputs);

/// The instance and kind of a node.
void* kai_control_instance(const kai_world* world, const kai_control_node* node);
const kai_signal_kind* kai_control_kind(const kai_world* world, const kai_control_node* node);

/// What a message calls the signal at a place.
void kai_control_name(const kai_world* world, uint32_t place, char* out, size_t size);

/// Gives the memory back. NULL is allowed.
void kai_control_free(kai_control* control, kai_memory* memory);

#endif
