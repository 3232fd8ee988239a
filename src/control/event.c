// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events as users of a world see them.
#include "base/kind.h"
#include "control/control.h"
#include "control/event_action.h"
#include "control/events.h"
#include "model/check.h"
#include "model/id.h"

static const char* const DIRECTIONS[] = {"any", "rising", "falling", NULL};

#define EVENT_PARAMS                                                                              \
    KAI_PARAM(SIGNAL, kai_event_def, signal, .required = true, .doc = "Signal that is watched."), \
        KAI_PARAM(REAL, kai_event_def, crosses, .required = true,                                 \
                  .doc = "The value that it crosses."),                                           \
        KAI_PARAM(ENUM, kai_event_def, direction, .words = DIRECTIONS,                            \
                  .doc = "Which way: from below, from above, or both."),                          \
        KAI_PARAM(BOOL, kai_event_def, once, .doc = "true: only the first crossing counts."),     \
        KAI_PARAM(LIST, kai_event_def, actions, .item = &kai_event_action_kind,                   \
                  .doc = "What is done, in this order; none: events.csv tells that it happened.")

static const kai_param GIVEN[] = {EVENT_PARAMS};
static const kai_param WHOLE[] = {
    EVENT_PARAMS,
    KAI_PARAM(REAL, kai_event_instance, before, .hidden = true),
    KAI_PARAM(BOOL, kai_event_instance, known, .hidden = true),
    KAI_PARAM(INT, kai_event_instance, happened, .hidden = true),
};

const kai_kind kai_event_kind =
    KAI_KIND("event", kai_event_def, GIVEN, .doc = "What happens when a signal crosses a value.");

const kai_kind kai_event_whole =
    KAI_KIND("event", kai_event_instance, WHOLE, .given = sizeof(kai_event_def),
             .doc = "What happens when a signal crosses a value.");

kai_event_def kai_event_def_default(void)
{
    kai_event_def def;
    kai_kind_defaults(&kai_event_kind, &def);
    return def;
}

kai_result kai_event_create(kai_world* world, const kai_event_def* def, const char* name,
                            kai_event* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_id id;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_store_add(&world->events, &kai_event_whole, def, name, &id, &world->error)));
    *out = KAI_ID_AS(kai_event, id);
    return KAI_OK;
}

kai_result kai_event_destroy(kai_world* world, kai_event event)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->events, KAI_ID_OF(event), &world->error));
}

kai_event kai_event_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_event){0}, world, name);
    const kai_id id = kai_names_find(&world->events.names, name);
    return KAI_ID_AS(kai_event, id);
}

const char* kai_event_name(const kai_world* world, kai_event event)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->events, KAI_ID_OF(event));
}

size_t kai_event_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->events.count;
}

const kai_event_def* kai_event_get(const kai_world* world, kai_event event)
{
    KAI_GIVEN_OR(NULL, world);
    const kai_event_instance* instance = kai_store_at(&world->events, KAI_ID_OF(event));
    return instance ? &instance->given : NULL;
}

uint64_t kai_event_happened(const kai_world* world, kai_event event)
{
    KAI_GIVEN_OR(0, world);
    const kai_event_instance* instance = kai_store_at(&world->events, KAI_ID_OF(event));
    return instance ? (uint64_t)instance->happened : 0;
}

size_t kai_event_fired_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->event_records.count;
}

kai_event_record kai_event_fired(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_event_record){0}, world);
    if (i >= world->event_records.count) return (kai_event_record){0};
    return ((const kai_event_record*)world->event_records.data)[i];
}

kai_event kai_event_stopped(const kai_world* world)
{
    KAI_GIVEN_OR((kai_event){0}, world);
    const uint32_t index = world->event_stop;
    if (index == 0 || index > kai_store_last(&world->events) ||
        !kai_store_in_use(&world->events, index))
        return (kai_event){0};
    return (kai_event){index, kai_store_entry_of(&world->events, index)->generation, world->tag};
}

const char* kai_event_save(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR(NULL, world);
    const kai_event_instance* events = world->events.batches[0].items.data;
    for (size_t e = 0; e < world->events.count; e++) {
        const kai_event_action* actions = events[e].given.actions.items;
        for (uint32_t k = 0; k < events[e].given.actions.count; k++)
            if (actions[k].type == KAI_EVENT_SAVE && i-- == 0) return actions[k].file.text;
    }
    return NULL;
}
