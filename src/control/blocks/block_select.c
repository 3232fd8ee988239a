// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Another value for each state of a machine: functions of the time in the state. With these one
// machine drives many motors.
#include "control/blocks/block.h"
#include "control/blocks/block_state_machine.h"

typedef kai_block_select_params params;

static kai_result link(const kai_world* world, const void* instance, kai_error* err)
{
    const params* p = instance;
    const kai_signal_kind* kind = NULL;
    if (kai_signal_get(world, kai_signal_find(world, p->machine.text), &kind, NULL) == KAI_OK &&
        kind == &kai_block_state_machine)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "machine is '%s', a %s; must be a state-machine",
                         p->machine.text, kind ? kind->kind.name : "signal that is not there");
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const params* p = instance;
    const kai_signal_kind* kind = NULL;
    const void* data = NULL;
    const kai_signal signal = kai_signal_find(m->world, p->machine.text);
    if (kai_signal_get(m->world, signal, &kind, &data) != KAI_OK) return kai_block_unknown(0.0);
    const kai_block_state_machine_instance* machine = data;
    const int64_t last = (int64_t)p->values.count - 1;
    const int64_t i = machine->current < last ? machine->current : last;
    const kai_function_operand* values = p->values.items;
    return kai_function_set_value(m->functions, &values[i].value, m->time - machine->since);
}

static const kai_param VALUE_PARAMS[] = {
    KAI_PARAM(VALUE, kai_function_operand, value, .main = true, .required = true,
              .doc = "Number, or function of the time since the state was entered."),
};
static const kai_kind VALUE =
    KAI_KIND("value", kai_function_operand, VALUE_PARAMS, .doc = "The value in a state.");

static const kai_param PARAMS[] = {
    KAI_PARAM(SIGNAL, params, machine, .required = true, .doc = "A signal of type state-machine."),
    KAI_PARAM(LIST, params, values, .item = &VALUE, .required = true,
              .doc = "A number or function for each of its states, in their order; the last one "
                     "stands for all that follow."),
};

const kai_signal_kind kai_block_select = {
    .kind = KAI_KIND("select", params, PARAMS,
                     .doc = "A value for each state of a state machine, beside the machine's own."),
    .value = value,
    .link = link};
