// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/load_switch.h"

#include "model/id.h"
#include "model/load.h"

#include <string.h>

/// Where an id index stands in the list, or would stand.
static size_t place_of(const kai_world* world, uint32_t index)
{
    const uint32_t* off = world->loads_off.data;
    size_t begin = 0, end = world->loads_off.count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (off[middle] < index)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

bool kai_load_switch_has(const kai_world* world, uint32_t index)
{
    const size_t place = place_of(world, index);
    return place < world->loads_off.count &&
           ((const uint32_t*)world->loads_off.data)[place] == index;
}

bool kai_load_switch_is_off(const kai_world* world, const kai_store_batch* batch, size_t i)
{
    return kai_load_switch_has(world, ((const uint32_t*)batch->owner.data)[i]);
}

void kai_load_switch_silence(const kai_world* world)
{
    const uint32_t* off = world->loads_off.data;
    const kai_store* store = &world->loads;
    for (size_t k = 0; k < world->loads_off.count; k++) {
        const kai_store_entry* entry = kai_store_entry_of(store, off[k]);
        size_t first = 0; // place of the batch's forces
        for (size_t b = 0; b < entry->batch; b++)
            first += store->batches[b].items.count * kai_load_bodies(store->batches[b].kind);
        const size_t ends = kai_load_bodies(store->batches[entry->batch].kind);
        memset((kai_wrench*)world->plan.wrench.data + first + entry->slot * ends, 0,
               ends * sizeof(kai_wrench));
    }
}

static void remove_at(kai_world* world, size_t place)
{
    uint32_t* off = world->loads_off.data;
    memmove(off + place, off + place + 1, (world->loads_off.count - place - 1) * sizeof *off);
    off[--world->loads_off.count] = 0;
}

void kai_load_switch_remove(kai_world* world, uint32_t index)
{
    if (kai_load_switch_has(world, index)) remove_at(world, place_of(world, index));
}

kai_result kai_load_switch_add(kai_world* world, uint32_t index, kai_error* err)
{
    const size_t place = place_of(world, index);
    KAI_TRY(kai_array_append(&world->loads_off, &world->memory, &index, 1, err));
    uint32_t* off = world->loads_off.data;
    memmove(off + place + 1, off + place, (world->loads_off.count - 1 - place) * sizeof *off);
    off[place] = index;
    return KAI_OK;
}
