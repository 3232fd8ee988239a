// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What an integrator carries from step to step.
#include "model/part.h"

#include <stdlib.h>
#include <string.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->integrator_state = kai_array_make(sizeof(double));
    return KAI_OK;
}

static void free_state(kai_world* world, void* data)
{
    (void)data;
    kai_array_free(&world->integrator_state, kai_part_memory(world));
}

static const kai_part_list STATE = {
    .name = "integrator_state", .number = KAI_NUMBER_F64, .size = sizeof(double)};

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)part, (void)data;
    const kai_array* state = &world->integrator_state;
    KAI_TRY(w->numbers(w, "integrator_steps", KAI_NUMBER_U64, 1, &world->integrator_steps, err));
    return w->list(w, &STATE, state->data, state->count, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)part, (void)data;
    KAI_TRY(r->numbers(r, "integrator_steps", KAI_NUMBER_U64, 1, &p->integrator_steps, err));
    void* items = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &STATE, &items, &count, err));
    const kai_result result =
        kai_array_append(&p->integrator_state, kai_part_memory(p), items, count, err);
    free(items);
    return result;
}

// A header, then the numbers ---------------------------------------------------------------------

typedef struct copy {
    uint64_t steps, count;
} copy;

static size_t backup_bytes(const kai_world* world, const void* data)
{
    (void)data;
    return sizeof(copy) + world->integrator_state.count * sizeof(double);
}

static void backup(const kai_world* world, const void* data, void* to)
{
    (void)data;
    const kai_array* state = &world->integrator_state;
    copy* c = to;
    *c = (copy){world->integrator_steps, state->count};
    if (state->count > 0) memcpy(c + 1, state->data, state->count * sizeof(double));
}

static void restore(kai_world* world, void* data, const void* from)
{
    (void)data;
    const copy* c = from;
    world->integrator_steps = c->steps;
    // It held as much before, so there is room.
    kai_array* state = &world->integrator_state;
    if (kai_array_resize(state, &world->memory, c->count, NULL) == KAI_OK && c->count > 0)
        memcpy(state->data, c + 1, c->count * sizeof(double));
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return kai_part_array_bytes(&world->integrator_state);
}

const kai_part kai_part_integrator_state = {.name = "integrator_state",
                                            KAI_PART_SPAN(integrator_state, integrator_steps),
                                            .init = init,
                                            .free = free_state,
                                            .save = save,
                                            .load = load,
                                            .undo = KAI_PART_STOP,
                                            .backup_bytes = backup_bytes,
                                            .backup = backup,
                                            .restore = restore,
                                            .bytes = bytes};
