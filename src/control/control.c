// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The values of signals at a moment, one after the other in the order that control_order.c found.
// Signals are few beside bodies: all of this runs on one thread.
#include "control/control.h"

#include "base/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const kai_signal_kind* kai_control_kind(const kai_world* world, const kai_control_node* node)
{
    return (const kai_signal_kind*)(const void*)world->signals.batches[node->batch].kind;
}

void* kai_control_instance(const kai_world* world, const kai_control_node* node)
{
    const kai_store_batch* batch = &world->signals.batches[node->batch];
    return (char*)batch->items.data + node->slot * batch->kind->size;
}

void kai_control_name(const kai_world* world, uint32_t place, char* out, size_t size)
{
    const kai_store_entry* entry = (const kai_store_entry*)world->signals.entries.data + place;
    const kai_id id = {place + 1, entry->generation, world->tag};
    const char* name = kai_store_name(&world->signals, id);
    if (name[0])
        snprintf(out, size, "signal '%s'", name);
    else
        snprintf(out, size, "signal number %u", place + 1);
}

kai_signal_moment kai_control_moment(const kai_world* world, const kai_control_node* node,
                                     double time, bool inputs)
{
    const kai_control* control = world->control;
    const kai_control_input* input = (const kai_control_input*)control->inputs.data + node->first;
    const kai_expression* formulas = control->formulas.data;
    const kai_jet* values = world->functions.signals.data;
    kai_jet* jets = control->jets.data;
    for (uint32_t i = 0; inputs && i < node->count; i++) {
        jets[i] = (kai_jet){0};
        if (input[i].formula > 0)
            jets[i] = (kai_jet){
                kai_expression_evaluate(&formulas[input[i].formula - 1], control->numbers.data),
                (double)NAN, (double)NAN};
        else if (input[i].place != KAI_CONTROL_NOWHERE)
            jets[i] = values[input[i].place];
    }
    return (kai_signal_moment){.world = world,
                               .time = time,
                               .inputs = jets,
                               .input_count = inputs ? node->count : 0,
                               .functions = &world->functions};
}

/// Says where a formula of a signal divides by zero or leaves the numbers in another way.
static kai_result tell_odd(const kai_world* world, const kai_control_node* node, double value,
                           double time, kai_error* err)
{
    const kai_control* control = world->control;
    const kai_control_input* input = (const kai_control_input*)control->inputs.data + node->first;
    char name[KAI_STRING_SIZE + 32], where[64] = "";
    kai_control_name(world, node->place, name, sizeof name);
    for (uint32_t i = 0; i < node->count && !where[0]; i++) {
        if (input[i].formula == 0) continue;
        const kai_expression* f =
            (const kai_expression*)control->formulas.data + (input[i].formula - 1);
        const kai_expression_op* op = kai_expression_evaluate_odd(f, control->numbers.data);
        if (op) snprintf(where, sizeof where, " (its formula, at character %u)", op->column);
    }
    return kai_error_set(err, KAI_ERROR_DIVERGED, "%s is %s%s at t = %.9g s; must be finite", name,
                         isnan(value)  ? "nan"
                         : value > 0.0 ? "inf"
                                       : "-inf",
                         where, time);
}

/// Rates of all states, whose signals are all known now.
static kai_result find_rates(kai_world* world, double time, kai_error* err)
{
    const kai_control* control = world->control;
    const kai_control_node* nodes = control->nodes.data;
    double* rates = world->signal_rates.data;
    for (size_t i = 0; i < control->nodes.count; i++) {
        const kai_signal_kind* kind = kai_control_kind(world, &nodes[i]);
        if (kind->state_count == 0) continue;
        const kai_signal_moment m = kai_control_moment(world, &nodes[i], time, true);
        kind->rates(&m, kai_control_instance(world, &nodes[i]), rates + nodes[i].rates);
        for (size_t k = 0; k < kind->state_count; k++)
            if (!isfinite(rates[nodes[i].rates + k]))
                return tell_odd(world, &nodes[i], rates[nodes[i].rates + k], time, err);
    }
    return KAI_OK;
}

/// Derivatives that follow from inputs which were not known at first.
static void find_derivatives(const kai_world* world, double time)
{
    const kai_control_node* nodes = world->control->nodes.data;
    kai_jet* values = world->functions.signals.data;
    for (size_t i = 0; i < world->control->nodes.count; i++) {
        const kai_signal_moment m = kai_control_moment(world, &nodes[i], time, true);
        values[nodes[i].place] =
            kai_control_kind(world, &nodes[i])->value(&m, kai_control_instance(world, &nodes[i]));
    }
}

kai_result kai_control_find(kai_world* world, double time, kai_error* err)
{
    const kai_control* control = world->control;
    const kai_control_node* nodes = control->nodes.data;
    kai_jet* values = world->functions.signals.data;
    double* numbers = control->numbers.data;
    numbers[control->numbers.count - 1] = time;
    world->functions.signals_time = time;
    for (size_t i = 0; i < control->nodes.count; i++) {
        const kai_signal_kind* kind = kai_control_kind(world, &nodes[i]);
        const kai_signal_moment m = kai_control_moment(world, &nodes[i], time, !kind->delayed);
        const kai_jet value = kind->value(&m, kai_control_instance(world, &nodes[i]));
        if (!isfinite(value.y)) return tell_odd(world, &nodes[i], value.y, time, err);
        values[nodes[i].place] = value;
        numbers[nodes[i].place] = value.y;
    }
    if (control->derivatives) find_derivatives(world, time);
    return find_rates(world, time, err);
}

void kai_control_free(kai_control* control, kai_memory* memory)
{
    if (!control) return;
    kai_array_free(&control->nodes, memory);
    kai_array_free(&control->inputs, memory);
    kai_array_free(&control->formulas, memory);
    kai_array_free(&control->jets, memory);
    kai_array_free(&control->numbers, memory);
    kai_array_free(&control->before, memory);
    kai_memory_release(memory, control, sizeof *control);
}
