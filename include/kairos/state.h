// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// States of a user's own: y' = f(t, y, world), integrated together with the mechanics. A hydraulic
// pressure, a filter, the integral of a controller. A load or a function of the user's own reads
// them through kai_state_values.
#ifndef KAIROS_STATE_H
#define KAIROS_STATE_H

#include <kairos/function.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a kind's rates() gets: instances [begin, end) of its batch. The world holds the state for
/// which rates are asked; loads of that state may not have been evaluated yet. Runs on several
/// threads at once: write only `rates`.
typedef struct kai_state_batch {
    const kai_world* world;
    double time;                       ///< s
    const void* instances;             ///< the batch
    size_t begin, end;                 ///< do these
    double* rates;                     ///< [instances * count of the kind] y'
    const kai_function_set* functions; ///< for kai_function_set_value
} kai_state_batch;

/// A kind of states. The values y are fields of the instance, described as parameters (REAL, one
/// each): what a scene or program gives there is the start, and checkpoints keep them.
typedef struct kai_state_kind {
    kai_kind kind;
    size_t values; ///< offset of double[count] in the instance: y
    size_t count;  ///< how many values an instance has, 1 or more
    /// Writes the rates of instances [begin, end).
    void (*rates)(const kai_state_batch* batch);
} kai_state_kind;

/// Adds a kind of the user's own to this world. The table must outlive the world.
KAI_API kai_result kai_state_register(kai_world* world, const kai_state_kind* kind);

/// Creates states; `params` is an instance of the kind, copied. `name` may be NULL or "".
KAI_API kai_result kai_state_create(kai_world* world, const kai_state_kind* kind,
                                    const void* params, const char* name, kai_state* out);

/// Removes them.
KAI_API kai_result kai_state_destroy(kai_world* world, kai_state state);

/// The values y [count of the kind], NULL for an id that leads nowhere. They stay valid until the
/// next call that changes the world's states.
KAI_API const double* kai_state_values(const kai_world* world, kai_state state);

/// Replaces the values.
KAI_API kai_result kai_state_set_values(kai_world* world, kai_state state, const double* values);

/// The states of a name, null when there are none.
KAI_API kai_state kai_state_find(const kai_world* world, const char* name);

/// How many instances of states the world has.
KAI_API size_t kai_state_count(const kai_world* world);

#ifdef __cplusplus
}
#endif

#endif
