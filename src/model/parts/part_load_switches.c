// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which loads are switched off.
#include "base/hash.h"
#include "model/part.h"

#include <stdlib.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->loads_off = kai_array_make(sizeof(uint32_t));
    return KAI_OK;
}

static void free_switches(kai_world* world, void* data)
{
    kai_array_free(data, kai_part_memory(world));
}

static const kai_part_list LIST = {
    .name = "loads.off", .number = KAI_NUMBER_U32, .size = sizeof(uint32_t)};

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)part, (void)data;
    return w->list(w, &LIST, world->loads_off.data, world->loads_off.count, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)part, (void)data;
    void* items = NULL;
    size_t count = 0;
    KAI_TRY(r->list(r, &LIST, &items, &count, err));
    const kai_result result =
        kai_array_append(&p->loads_off, kai_part_memory(p), items, count, err);
    free(items);
    return result;
}

/// They are there, and in their order.
static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    const uint32_t* off = p->loads_off.data;
    for (size_t i = 0; i < p->loads_off.count; i++)
        if (off[i] == 0 || off[i] > kai_store_last(&p->loads) ||
            !kai_store_in_use(&p->loads, off[i]) || (i > 0 && off[i] <= off[i - 1]))
            return kai_error_set(err, KAI_ERROR_FORMAT, "'loads.off' has load %u", off[i]);
    return KAI_OK;
}

static uint64_t hash_switches(const kai_world* world, const void* data, uint64_t hash)
{
    (void)data;
    return kai_hash_bytes(hash, world->loads_off.data, world->loads_off.count * sizeof(uint32_t));
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)world;
    return kai_part_array_bytes(data);
}

const kai_part kai_part_load_switches = {.name = "load switches",
                                         KAI_PART_SPAN(loads_off, loads_off),
                                         .init = init,
                                         .free = free_switches,
                                         .save = save,
                                         .load = load,
                                         .check = check,
                                         .hash = hash_switches,
                                         .bytes = bytes};
