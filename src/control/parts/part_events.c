// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events, how often they have happened, and whether the last step was to be the last one.
#include "base/hash.h"
#include "control/events.h"
#include "model/part.h"

#include <kairos/event.h>

static const kai_kind* const EVENT_KINDS[] = {&kai_event_whole, NULL};

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    world->event_records = kai_array_make(sizeof(kai_event_record));
    return kai_part_store_init(world, part, data, err);
}

static void free_events(kai_world* world, void* data)
{
    kai_array_free(&world->event_records, kai_part_memory(world));
    kai_part_store_free(world, data);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    KAI_TRY(w->store(w, part->name, data, err));
    return w->numbers(w, "events.stop", KAI_NUMBER_U32, 1, &world->event_stop, err);
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    KAI_TRY(r->store(r, part->name, data, true, err));
    return r->numbers(r, "events.stop", KAI_NUMBER_U32, 1, &p->event_stop, err);
}

static uint64_t hash_events(const kai_world* world, const void* data, uint64_t hash)
{
    const kai_store* store = data;
    const kai_event_instance* events = store->batches[0].items.data;
    if (world->events.count == 0) return hash;
    for (size_t i = 0; i < store->count; i++) {
        hash = kai_hash_bytes(hash, &events[i].before, sizeof events[i].before);
        hash = kai_hash_bytes(hash, &events[i].happened, sizeof events[i].happened);
    }
    return hash;
}

const kai_part kai_part_events = {.name = "events",
                                  KAI_PART_SPAN(events, event_records),
                                  .family = "event",
                                  .kinds = EVENT_KINDS,
                                  .init = init,
                                  .free = free_events,
                                  .save = save,
                                  .load = load,
                                  .loaded = kai_part_store_loaded,
                                  .hash = hash_events,
                                  .bytes = kai_part_store_bytes};
