// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals as users of a world see them.
#include "base/kind.h"
#include "control/control.h"
#include "model/check.h"
#include "model/id.h"

#include <math.h>
#include <string.h>

static const kai_signal_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_signal_kind*)(const void*)batch->kind;
}

static kai_result no_signal(const kai_world* world, const char* function, kai_signal signal)
{
    return kai_world_fail(
        world, function,
        kai_store_id_error(&world->signals, KAI_ID_OF(signal), kai_world_error_of(world)));
}

// Kinds and instances ----------------------------------------------------------------------------

kai_result kai_signal_register(kai_world* world, const kai_signal_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_signal_kind whole;
    kai_error* err = &world->error;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_kind_read_table(given, "signal", sizeof whole, &whole, err)));
    if (!whole.value)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_signal_register: the kind has no value()");
    if (whole.state_count > 0 && !whole.rates)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_signal_register: kind %s has states and no rates()",
                             whole.kind.name);
    if (whole.state_count > whole.kind.size / sizeof(double) ||
        whole.states > whole.kind.size - whole.state_count * sizeof(double))
        return kai_error_set(
            err, KAI_ERROR_ARGUMENT,
            "kai_signal_register: kind %s has %zu states at offset %zu; must lie in its %zu bytes",
            whole.kind.name, whole.state_count, whole.states, whole.kind.size);
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->signals, given, sizeof whole, 0, &world->error));
}

/// What a new signal refers to is there; signals that it reads may come later.
static kai_result check_new(kai_world* world, const kai_signal_kind* kind, const void* params,
                            kai_error* err)
{
    if (!params) return KAI_OK; // kai_store_add says so
    return kai_function_set_check(&world->functions, &kind->kind, params, err);
}

kai_result kai_signal_create(kai_world* world, const kai_signal_kind* kind, const void* params,
                             const char* name, kai_signal* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_error* err = &world->error;
    kind = kai_store_table(&world->signals, kind, err);
    if (!kind) return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    kai_id id;
    kai_result r = check_new(world, kind, params, err);
    if (r == KAI_OK) r = kai_store_add(&world->signals, &kind->kind, params, name, &id, err);
    KAI_TRY(kai_world_fail(world, __func__, r));
    if (kind->prepare) r = kind->prepare(world, kai_store_at(&world->signals, id), err);
    if (r != KAI_OK) {
        kai_store_remove(&world->signals, id, NULL);
        return kai_world_fail(world, __func__, r);
    }
    if (id.index <= world->signals_started.count)
        ((uint8_t*)world->signals_started.data)[id.index - 1] = 0;
    world->integrator_steps = 0;
    *out = KAI_ID_AS(kai_signal, id);
    return KAI_OK;
}

kai_result kai_signal_destroy(kai_world* world, kai_signal signal)
{
    KAI_CHANGE(world);
    world->integrator_steps = 0;
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->signals, KAI_ID_OF(signal), &world->error));
}

// Looking ----------------------------------------------------------------------------------------

kai_signal kai_signal_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_signal){0}, world, name);
    const kai_id id = kai_names_find(&world->signals.names, name);
    return KAI_ID_AS(kai_signal, id);
}

const char* kai_signal_name(const kai_world* world, kai_signal signal)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->signals, KAI_ID_OF(signal));
}

size_t kai_signal_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->signals.count;
}

kai_signal kai_signal_at(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_signal){0}, world);
    const kai_store_entry* entries = world->signals.entries.data;
    for (size_t k = 0; k < world->signals.entries.count; k++)
        if (entries[k].batch != KAI_STORE_FREE && i-- == 0)
            return (kai_signal){(uint32_t)k + 1, entries[k].generation, world->tag};
    return (kai_signal){0};
}

kai_result kai_signal_get(const kai_world* world, kai_signal signal, const kai_signal_kind** kind,
                          const void** instance)
{
    KAI_READ(world);
    const kai_store_entry* entry = kai_store_find(&world->signals, KAI_ID_OF(signal));
    if (!entry) return no_signal(world, __func__, signal);
    if (kind) *kind = kind_of(&world->signals.batches[entry->batch]);
    if (instance) *instance = kai_store_at(&world->signals, KAI_ID_OF(signal));
    return KAI_OK;
}

// Values -----------------------------------------------------------------------------------------

kai_result kai_signal_value(kai_world* world, kai_signal signal, kai_jet* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, out);
    if (!kai_store_find(&world->signals, KAI_ID_OF(signal)))
        return no_signal(world, __func__, signal);
    KAI_TRY(kai_world_fail(world, __func__, kai_control_step_begin(world, &world->error)));
    *out = ((const kai_jet*)world->functions.signals.data)[signal.index - 1];
    return KAI_OK;
}

kai_result kai_signal_set(kai_world* world, kai_signal signal, double value)
{
    KAI_CHANGE(world);
    kai_error* err = &world->error;
    const kai_store_entry* entry = kai_store_find(&world->signals, KAI_ID_OF(signal));
    if (!entry) return no_signal(world, __func__, signal);
    const kai_signal_kind* kind = kind_of(&world->signals.batches[entry->batch]);
    if (!kind->set)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "kai_signal_set: a signal of kind %s follows from others and cannot "
                             "be set",
                             kind->kind.name);
    if (!isfinite(value))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_signal_set: value is %g; must be finite",
                             value);
    // What a signal starts with must not undo what it is set to.
    KAI_TRY(kai_world_fail(world, __func__, kai_control_step_start(world, err)));
    kind->set(kai_store_at(&world->signals, KAI_ID_OF(signal)), value);
    world->integrator_steps = 0;
    return KAI_OK;
}

kai_result kai_signal_check(kai_world* world)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, kai_control_order(world, &world->error));
}
