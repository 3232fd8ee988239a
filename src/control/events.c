// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which events a step brings. What actions change is seen by the next step: the value of the signal
// before that one is the value before the actions, so that no crossing is lost.
#include "control/events.h"

#include "control/control.h"
#include "control/event_action.h"
#include "model/id.h"

static kai_event_instance* instance_at(const kai_world* world, size_t i)
{
    return (kai_event_instance*)world->events.batches[0].items.data + i;
}

/// The value of a signal by its name; false: there is none.
static bool value_of(const kai_world* world, const char* name, double* out)
{
    const kai_id id = kai_names_find(&world->signals.names, name);
    if (KAI_IS_NULL(id)) return false;
    *out = ((const kai_jet*)world->functions.signals.data)[id.index - 1].y;
    return true;
}

// Before a step ----------------------------------------------------------------------------------

static const char* event_name(const kai_world* world, size_t i)
{
    const kai_store_batch* batch = &world->events.batches[0];
    const char* const* names = batch->name.data;
    return i < batch->name.count && names[i] ? names[i] : "";
}

static kai_result check_event(kai_world* world, size_t i, kai_error* err)
{
    const kai_event_instance* event = instance_at(world, i);
    const kai_event_action* actions = event->given.actions.items;
    double value;
    if (!value_of(world, event->given.signal.text, &value))
        return kai_error_set(err, KAI_ERROR_NAME, "event '%s' watches signal '%s'; there is none",
                             event_name(world, i), event->given.signal.text);
    for (uint32_t k = 0; k < event->given.actions.count; k++) {
        const kai_result r = kai_event_action_check(world, &actions[k], err);
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "event '%s', action %u", event_name(world, i), k);
        return r;
    }
    return KAI_OK;
}

kai_result kai_events_begin(kai_world* world, kai_error* err)
{
    kai_control* control = world->control;
    const uint64_t version = world->events.version + world->joints.version + world->loads.version +
                             world->bodies_version;
    for (size_t i = 0; i < world->events.count; i++) {
        kai_event_instance* event = instance_at(world, i);
        if (control->events_version != version) KAI_TRY(check_event(world, i, err));
        if (!event->known) value_of(world, event->given.signal.text, &event->before);
        event->known = true;
    }
    control->events_version = version;
    return KAI_OK;
}

// After a step -----------------------------------------------------------------------------------

static bool crosses(const kai_event_instance* event, double now)
{
    const double level = event->given.crosses;
    const bool rising = event->before < level && now >= level,
               falling = event->before > level && now <= level;
    if (event->given.once && event->happened > 0) return false;
    switch ((kai_event_direction)event->given.direction) {
    case KAI_EVENT_RISING: return rising;
    case KAI_EVENT_FALLING: return falling;
    case KAI_EVENT_ANY: break;
    }
    return rising || falling;
}

static kai_event id_of(const kai_world* world, size_t i)
{
    const kai_id id = kai_store_id(&world->events, 0, i);
    return KAI_ID_AS(kai_event, id);
}

/// Does what an event says.
static kai_result act(kai_world* world, size_t i, double time, kai_error* err)
{
    const kai_event_instance* event = instance_at(world, i);
    const kai_event_action* actions = event->given.actions.items;
    for (uint32_t k = 0; k < event->given.actions.count; k++) {
        if (actions[k].type == KAI_EVENT_MESSAGE)
            kai_world_log(world, KAI_LOG_INFO, "event '%s' at t = %.9g s: %s", event_name(world, i),
                          time, actions[k].text.text);
        else if (actions[k].type == KAI_EVENT_STOP)
            world->event_stop = id_of(world, i).index;
        const kai_result r = kai_event_action_do(world, &actions[k], err);
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "event '%s', action %u", event_name(world, i), k);
        return r;
    }
    return KAI_OK;
}

kai_result kai_events_heed(kai_world* world, double h, kai_error* err)
{
    world->event_records.count = 0;
    world->event_stop = 0;
    for (size_t i = 0; i < world->events.count; i++) {
        kai_event_instance* event = instance_at(world, i);
        double now = event->before;
        value_of(world, event->given.signal.text, &now);
        const double share = (event->given.crosses - event->before) / (now - event->before);
        const bool fires = event->known && crosses(event, now);
        event->before = now;
        event->known = true;
        if (!fires) continue;
        event->happened++;
        const kai_event_record record = {id_of(world, i), world->time - h + h * share};
        KAI_TRY(kai_array_append(&world->event_records, &world->memory, &record, 1, err));
    }
    // All are found before any acts: an action must not hide a crossing of the same step.
    for (size_t i = 0; i < world->event_records.count; i++) {
        const kai_event_record record = ((const kai_event_record*)world->event_records.data)[i];
        const kai_store_entry* entry = kai_store_find(&world->events, KAI_ID_OF(record.event));
        if (entry) KAI_TRY(act(world, entry->slot, record.time, err));
    }
    if (world->event_records.count == 0) return KAI_OK;
    KAI_TRY(kai_control_order(world, err));
    return kai_control_find(world, world->time, err);
}
