// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What signals do between steps.
//
//     before a step:  lay out → start those that are new → values at the world's state
//     after a step:   sense → values → memory of all with the same values → values again → events
#include "control/control.h"

#include "control/events.h"

#include <math.h>
#include <string.h>

/// Most rounds in which signals that start from other signals find their first values.
enum { ROUNDS = 64 };

// Sensing ----------------------------------------------------------------------------------------

/// Reads what cannot be read inside a step: of all signals, or of those that are not started.
static kai_result sense_all(kai_world* world, bool only_new, kai_error* err)
{
    const kai_control* control = world->control;
    const kai_control_node* nodes = control->nodes.data;
    const uint8_t* started = world->signals_started.data;
    if (control->evaluates) {
        const kai_result r = kai_world_evaluate(world);
        if (r != KAI_OK && err) *err = world->error;
        KAI_TRY(r);
    }
    for (size_t i = 0; i < control->nodes.count; i++) {
        const kai_signal_kind* kind = kai_control_kind(world, &nodes[i]);
        if (!kind->sense || (only_new && started[nodes[i].place])) continue;
        KAI_TRY(kind->sense(world, kai_control_instance(world, &nodes[i]), err));
    }
    return KAI_OK;
}

// The start --------------------------------------------------------------------------------------

static void keep_values(kai_control* control)
{
    if (control->before.count > 0)
        memcpy(control->before.data, control->numbers.data, control->before.count * sizeof(double));
}

static bool values_differ(const kai_control* control)
{
    return control->before.count > 0 && memcmp(control->before.data, control->numbers.data,
                                               control->before.count * sizeof(double)) != 0;
}

/// Starts begin with the values of other signals, which change with their own starts: again until
/// nothing changes. Loops may go on for ever; theirs end after ROUNDS.
static kai_result start_all(kai_world* world, kai_error* err)
{
    kai_control* control = world->control;
    const kai_control_node* nodes = control->nodes.data;
    const uint8_t* started = world->signals_started.data;
    KAI_TRY(kai_control_find(world, world->time, err));
    KAI_TRY(sense_all(world, true, err));
    for (int round = 0; round < ROUNDS; round++) {
        KAI_TRY(kai_control_find(world, world->time, err));
        keep_values(control);
        for (size_t i = 0; i < control->nodes.count; i++) {
            const kai_signal_kind* kind = kai_control_kind(world, &nodes[i]);
            if (started[nodes[i].place] || !kind->start) continue;
            const kai_signal_moment m = kai_control_moment(world, &nodes[i], world->time, true);
            kind->start(&m, kai_control_instance(world, &nodes[i]));
        }
        KAI_TRY(kai_control_find(world, world->time, err));
        if (!values_differ(control)) break;
    }
    for (size_t i = 0; i < control->nodes.count; i++)
        ((uint8_t*)world->signals_started.data)[nodes[i].place] = 1;
    world->integrator_steps = 0;
    return KAI_OK;
}

static bool all_started(const kai_world* world)
{
    const kai_control_node* nodes = world->control->nodes.data;
    const uint8_t* started = world->signals_started.data;
    for (size_t i = 0; i < world->control->nodes.count; i++)
        if (!started[nodes[i].place]) return false;
    return true;
}

// Prescribed motion ------------------------------------------------------------------------------

/// Motion that is prescribed needs rates: a value whose signals do not know theirs is refused.
static kai_result check_value(const kai_world* world, const kai_param* p, const kai_value* value,
                              const char* joint, kai_error* err)
{
    const kai_jet jet = kai_function_set_value(&world->functions, value, world->time);
    if (!isnan(jet.dy) && (p->derivatives < 2 || !isnan(jet.ddy))) return KAI_OK;
    return kai_error_set(
        err, KAI_ERROR_ARGUMENT,
        "%s '%s': its %s prescribes motion and needs %s derivative%s in time, which "
        "its signal does not know; let it go through a filter of order %u",
        "joint", joint, p->name, p->derivatives > 1 ? "two" : "one", p->derivatives > 1 ? "s" : "",
        p->derivatives);
}

/// Of all joints whose functions may have changed; finds out whether anybody needs derivatives.
static kai_result check_joints(kai_world* world, kai_error* err)
{
    kai_control* control = world->control;
    if (control->joints_version == world->joints.version) return KAI_OK;
    control->derivatives = true;
    KAI_TRY(kai_control_find(world, world->time, err));
    bool any = false;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_kind* kind = batch->kind;
        const char* const* names = batch->name.data;
        for (size_t k = 0; k < kind->param_count; k++) {
            const kai_param* p = &kind->params[k];
            if (p->derivatives == 0) continue;
            for (size_t i = 0; i < batch->items.count; i++) {
                const char* name = batch->name.count > i && names[i] ? names[i] : "";
                const void* value = (const char*)batch->items.data + i * kind->size + p->offset;
                for (size_t n = 0; n < kai_kind_type_numbers(p->type); n++) {
                    any |= !KAI_IS_NULL(((const kai_value*)value + n)->function);
                    KAI_TRY(check_value(world, p, (const kai_value*)value + n, name, err));
                }
            }
        }
    }
    control->derivatives = any;
    control->joints_version = world->joints.version;
    return KAI_OK;
}

// Steps ------------------------------------------------------------------------------------------

kai_result kai_control_step_start(kai_world* world, kai_error* err)
{
    KAI_TRY(kai_control_order(world, err));
    if (all_started(world)) return KAI_OK;
    world->control->busy = true;
    const kai_result r = start_all(world, err);
    world->control->busy = false;
    return r;
}

kai_result kai_control_step_begin(kai_world* world, kai_error* err)
{
    if (world->control && world->control->busy) return KAI_OK; // an evaluation of our own
    KAI_TRY(kai_control_step_start(world, err));
    kai_control* control = world->control;
    control->busy = true;
    kai_result r = kai_control_find(world, world->time, err);
    if (r == KAI_OK) r = check_joints(world, err);
    if (r == KAI_OK) r = kai_events_begin(world, err);
    control->busy = false;
    return r;
}

kai_result kai_control_step_refresh(kai_world* world, kai_error* err)
{
    const volatile int* stop = world->stop;
    world->stop = NULL;
    const kai_result r = world->signals.count > 0 ? kai_control_step_begin(world, err) : KAI_OK;
    world->stop = stop;
    return r;
}

/// Memory of all signals changes at once: each sees what the others were.
static kai_result update_all(kai_world* world, double h, kai_error* err)
{
    const kai_control* control = world->control;
    const kai_control_node* nodes = control->nodes.data;
    for (size_t i = 0; i < control->nodes.count; i++) {
        const kai_signal_kind* kind = kai_control_kind(world, &nodes[i]);
        if (!kind->update) continue;
        kai_signal_moment m = kai_control_moment(world, &nodes[i], world->time, true);
        m.step = h;
        KAI_TRY(kind->update(&m, kai_control_instance(world, &nodes[i]), err));
    }
    return KAI_OK;
}

static kai_result end_step(kai_world* world, double h, kai_error* err)
{
    kai_control* control = world->control;
    if (control->watched) {
        KAI_TRY(kai_control_find(world, world->time, err));
        KAI_TRY(sense_all(world, false, err));
        KAI_TRY(kai_control_find(world, world->time, err));
        keep_values(control);
        KAI_TRY(update_all(world, h, err));
    }
    KAI_TRY(kai_control_find(world, world->time, err));
    // Forces jump with what was held: accelerations of the end of the step are no longer those of
    // the start of the next one.
    if (control->watched && values_differ(control)) world->integrator_steps = 0;
    return kai_events_heed(world, h, err);
}

kai_result kai_control_step_end(kai_world* world, double h, kai_error* err)
{
    world->control->busy = true;
    const kai_result r = end_step(world, h, err);
    world->control->busy = false;
    return r;
}
