// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/undo.h"

#include <string.h>

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

/// Bytes of a batch whose joints may take hold of other ends.
static size_t bytes_of(const kai_store_batch* batch)
{
    return kind_of(batch)->pass ? batch->items.count * batch->kind->size : 0;
}

kai_result kai_undo_begin(kai_undo* undo, kai_world* world, kai_error* err)
{
    *undo = (kai_undo){.on = world->stop != NULL};
    if (!undo->on) return KAI_OK;
    undo->mark = kai_arena_marked(&world->arena);
    undo->tally = world->solver_tally;
    undo->solver_name = world->solver_name;
    undo->integrator_steps = world->integrator_steps;
    undo->energy_reference = world->energy_reference;
    undo->energy_known = world->energy_known;
    undo->contact_elastic = world->contact_elastic;
    undo->joints_passed = world->joints_passed;
    undo->solver_resumed = world->solver_resumed;
    size_t bytes = 0;
    for (size_t b = 0; b < world->joints.batch_count; b++)
        bytes += bytes_of(&world->joints.batches[b]);
    undo->count = world->integrator_state.count;
    undo->state = kai_arena_take(&world->arena, undo->count, sizeof *undo->state, err);
    undo->ends = kai_arena_take(&world->arena, bytes, 1, err);
    if (!undo->state || !undo->ends) {
        kai_arena_release(&world->arena, undo->mark);
        return KAI_ERROR_MEMORY;
    }
    if (undo->count > 0)
        memcpy(undo->state, world->integrator_state.data, undo->count * sizeof *undo->state);
    char* at = undo->ends;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        if (bytes_of(batch) == 0) continue;
        memcpy(at, batch->items.data, bytes_of(batch));
        at += bytes_of(batch);
    }
    return KAI_OK;
}

/// Ends of joints: uses of bodies are counted for those that they have.
static void put_ends_back(const kai_undo* undo, kai_world* world)
{
    const char* from = undo->ends;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = kind_of(batch);
        if (!kind->pass) continue;
        for (size_t i = 0; i < batch->items.count; i++, from += batch->kind->size) {
            char* instance = (char*)batch->items.data + i * batch->kind->size;
            const kai_body* others = (const void*)(instance + kind->others);
            for (int k = 0; k < kind->other_count; k++)
                kai_bodies_count_load(&world->bodies, others[k], (uint32_t)-1);
            memcpy(instance, from, batch->kind->size);
            for (int k = 0; k < kind->other_count; k++)
                kai_bodies_count_load(&world->bodies, others[k], 1);
        }
    }
}

static void put_back(const kai_undo* undo, kai_world* world)
{
    world->solver_tally = undo->tally;
    world->solver_name = undo->solver_name;
    world->integrator_steps = undo->integrator_steps;
    world->energy_reference = undo->energy_reference;
    world->energy_known = undo->energy_known;
    world->contact_elastic = undo->contact_elastic;
    world->joints_passed = undo->joints_passed;
    // It held as much before, so there is room.
    if (kai_array_resize(&world->integrator_state, &world->memory, undo->count, NULL) == KAI_OK &&
        undo->count > 0)
        memcpy(world->integrator_state.data, undo->state, undo->count * sizeof *undo->state);
    put_ends_back(undo, world);
    // The system is laid out anew and goes on as after a checkpoint, where it was in use before.
    world->joints.version++;
    world->solver_resumed = undo->solver_resumed || undo->tally.solutions > 0.0;
}

kai_result kai_undo_end(const kai_undo* undo, kai_world* world, kai_result result)
{
    if (!undo->on) return result;
    if (result == KAI_ERROR_STOPPED) put_back(undo, world);
    kai_arena_release(&world->arena, undo->mark);
    return result;
}
