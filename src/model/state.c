// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/state.h"

#include "base/kind.h"
#include "model/check.h"
#include "model/id.h"
#include "model/load.h"

#include <kairos/signal.h>
#include <string.h>

static const size_t BLOCK = 64; // instances a block of work

static const kai_state_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_state_kind*)(const void*)batch->kind;
}

kai_result kai_state_register(kai_world* world, const kai_state_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_state_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__, kai_kind_read_table(given, "state", sizeof whole, &whole, &world->error)));
    kind = &whole;
    kai_error* err = &world->error;
    if (!kind->rates)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_state_register: the kind has no rates()");
    if (kind->count == 0 || kind->count > kind->kind.size / sizeof(double) ||
        kind->values > kind->kind.size - kind->count * sizeof(double))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "kai_state_register: kind %s has %zu values at offset %zu; must lie in its %zu bytes",
            kind->kind.name, kind->count, kind->values, kind->kind.size);
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->states, given, sizeof whole, 0, &world->error));
}

kai_result kai_state_create(kai_world* world, const kai_state_kind* kind, const void* params,
                            const char* name, kai_state* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_id id;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_store_add(&world->states, &kind->kind, params, name, &id, &world->error)));
    world->integrator_steps = 0;
    *out = KAI_ID_AS(kai_state, id);
    return KAI_OK;
}

kai_result kai_state_destroy(kai_world* world, kai_state state)
{
    KAI_CHANGE(world);
    world->integrator_steps = 0;
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->states, KAI_ID_OF(state), &world->error));
}

/// The values of an instance, NULL for an id that leads nowhere.
static double* values_of(const kai_world* world, kai_state state, size_t* count)
{
    const kai_store_entry* entry = kai_store_find(&world->states, KAI_ID_OF(state));
    if (!entry) return NULL;
    const kai_state_kind* kind = kind_of(&world->states.batches[entry->batch]);
    *count = kind->count;
    char* instance = kai_store_at(&world->states, KAI_ID_OF(state));
    return (double*)(void*)(instance + kind->values);
}

const double* kai_state_values(const kai_world* world, kai_state state)
{
    KAI_GIVEN_OR(NULL, world);
    size_t count;
    return values_of(world, state, &count);
}

kai_result kai_state_set_values(kai_world* world, kai_state state, const double* values)
{
    KAI_CHANGE(world, values);
    size_t count = 0;
    double* y = values_of(world, state, &count);
    if (!y)
        return kai_world_fail(world, __func__,
                              kai_store_id_error(&world->states, KAI_ID_OF(state), &world->error));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                                 "kai_state_set_values: value %zu is %g; must be finite", i,
                                 values[i]);
    memcpy(y, values, count * sizeof *y);
    world->integrator_steps = 0;
    return KAI_OK;
}

kai_state kai_state_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_state){0}, world, name);
    const kai_id id = kai_names_find(&world->states.names, name);
    return KAI_ID_AS(kai_state, id);
}

size_t kai_state_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->states.count;
}

// All of them ------------------------------------------------------------------------------------

/// Where the values of instances of a source lie.
static void find_values(const kai_world* world, kai_state_source* s)
{
    if (s->store == &world->states) {
        s->values = kind_of(s->items)->values;
        s->count = kind_of(s->items)->count;
    } else if (s->store == &world->loads) {
        const kai_load_kind* kind = (const kai_load_kind*)(const void*)s->items->kind;
        s->values = kind->states;
        s->count = kind->state_count;
    } else {
        const kai_signal_kind* kind = (const kai_signal_kind*)(const void*)s->items->kind;
        s->values = kind->states;
        s->count = kind->state_count;
    }
}

bool kai_state_next(const kai_world* world, size_t* cursor, kai_state_source* out)
{
    const kai_store* const stores[] = {&world->states, &world->loads, &world->signals};
    if (world->states.count + world->loads.count + world->signals.count == 0) return false;
    size_t before = 0; // batches of stores that lie behind us
    for (size_t s = 0; s < KAI_COUNT(stores); before += stores[s++]->batch_count) {
        const bool none = stores[s]->count == 0;
        if (none && *cursor < before + stores[s]->batch_count)
            *cursor = before + stores[s]->batch_count;
        for (; *cursor < before + stores[s]->batch_count; ++*cursor) {
            const size_t b = *cursor - before;
            const kai_store_batch* items = &stores[s]->batches[b];
            if (items->items.count == 0) continue;
            *out = (kai_state_source){.store = stores[s], .batch = b, .items = items};
            find_values(world, out);
            if (out->count == 0) continue;
            ++*cursor;
            return true;
        }
    }
    return false;
}

double* kai_state_at(const kai_state_source* source, size_t i)
{
    char* instance = (char*)source->items->items.data + i * source->items->kind->size;
    return (double*)(void*)(instance + source->values);
}

size_t kai_state_total(const kai_world* world)
{
    size_t total = 0, cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s)) total += s.items->items.count * s.count;
    return total;
}

void kai_state_read(const kai_world* world, double* values)
{
    size_t cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++, values += s.count)
            memcpy(values, kai_state_at(&s, i), s.count * sizeof *values);
}

void kai_state_write(kai_world* world, const double* values)
{
    size_t cursor = 0;
    kai_state_source s;
    while (kai_state_next(world, &cursor, &s))
        for (size_t i = 0; i < s.items->items.count; i++, values += s.count)
            memcpy(kai_state_at(&s, i), values, s.count * sizeof *values);
}

typedef struct rates_context {
    const kai_state_kind* kind;
    kai_state_batch batch;
} rates_context;

static void rates_range(size_t begin, size_t end, void* context)
{
    const rates_context* c = context;
    kai_state_batch batch = c->batch;
    batch.begin = begin;
    batch.end = end;
    c->kind->rates(&batch);
}

void kai_state_rates(const kai_world* world, double time, double* rates)
{
    size_t cursor = 0;
    const double* of_signals = world->signal_rates.data; // signals are the last ones
    kai_state_source s;
    for (; kai_state_next(world, &cursor, &s); rates += s.items->items.count * s.count) {
        if (s.store == &world->loads) {
            kai_load_rates(world, s.batch, time, rates);
            continue;
        }
        if (s.store == &world->signals) {
            const size_t count = s.items->items.count * s.count;
            memcpy(rates, of_signals, count * sizeof *rates);
            of_signals += count;
            continue;
        }
        rates_context c = {kind_of(s.items),
                           {.world = world,
                            .time = time,
                            .instances = s.items->items.data,
                            .rates = rates,
                            .functions = &world->functions}};
        kai_parallel_for(world->threads, s.items->items.count, BLOCK, rates_range, &c);
    }
}
