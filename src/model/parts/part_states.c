// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// States of users, and those that loads have.
#include "base/hash.h"
#include "model/part.h"
#include "model/state.h"

#include <string.h>

static const kai_kind* const STATE_KINDS[] = {NULL};

/// The next batch of a store that has states.
static bool next(const kai_world* world, const void* store, size_t* cursor, kai_state_source* out)
{
    while (kai_state_next(world, cursor, out))
        if (out->store == store) return true;
    return false;
}

uint64_t kai_part_states_hash(const kai_world* world, const void* store, uint64_t hash)
{
    size_t cursor = 0;
    kai_state_source s;
    while (next(world, store, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++)
            hash = kai_hash_bytes(hash, kai_state_at(&s, i), s.count * sizeof(double));
    return hash;
}

size_t kai_part_states_bytes(const kai_world* world, const void* store)
{
    size_t cursor = 0, sum = 0;
    kai_state_source s;
    while (next(world, store, &cursor, &s)) sum += s.items->items.count * s.count * sizeof(double);
    return sum;
}

void kai_part_states_backup(const kai_world* world, const void* store, void* to)
{
    size_t cursor = 0;
    kai_state_source s;
    double* values = to;
    while (next(world, store, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++, values += s.count)
            memcpy(values, kai_state_at(&s, i), s.count * sizeof *values);
}

void kai_part_states_restore(kai_world* world, void* store, const void* from)
{
    size_t cursor = 0;
    kai_state_source s;
    const double* values = from;
    while (next(world, store, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++, values += s.count)
            memcpy(kai_state_at(&s, i), values, s.count * sizeof *values);
}

const kai_part kai_part_states = {KAI_PART_STORE(states, "state", STATE_KINDS),
                                  .hash = kai_part_states_hash,
                                  .undo = KAI_PART_STEP,
                                  .backup_bytes = kai_part_states_bytes,
                                  .backup = kai_part_states_backup,
                                  .restore = kai_part_states_restore};
