// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One state is current. At the end of a step the first transition from it whose formula is above 0
// and whose least time has passed is taken; its clock starts there. Values are functions of that
// clock.
#include "control/blocks/block_state_machine.h"

#include "control/blocks/block.h"

#include <string.h>

typedef kai_block_state_machine_instance machine;
typedef kai_block_state_machine_params given;
typedef kai_block_machine_state state_type;
typedef kai_block_machine_transition transition_type;

/// The number of a state, -1: there is none of that name.
static int64_t find_state(const given* p, const char* name)
{
    const state_type* states = p->states.items;
    for (uint32_t i = 0; i < p->states.count; i++)
        if (strcmp(states[i].name.text, name) == 0) return i;
    return -1;
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const machine* p = instance;
    const state_type* state = (const state_type*)p->given.states.items + p->current;
    return kai_function_set_value(m->functions, &state->value, m->time - p->since);
}

static void enter(machine* p, int64_t state, double time)
{
    p->current = state;
    p->since = time;
}

static void start(const kai_signal_moment* m, void* instance)
{
    machine* p = instance;
    const char* first = p->given.initial.text;
    enter(p, first[0] ? find_state(&p->given, first) : 0, m->time);
}

static kai_result update(const kai_signal_moment* m, void* instance, kai_error* err)
{
    (void)err;
    machine* p = instance;
    const state_type* states = p->given.states.items;
    const transition_type* ways = p->given.transitions.items;
    for (uint32_t i = 0; i < p->given.transitions.count; i++) {
        const bool always = ways[i].when.text[0] == '\0';
        if (strcmp(ways[i].from.text, states[p->current].name.text) != 0) continue;
        if (m->time - p->since < ways[i].after - 1e-6 * m->step) continue;
        if (!always && !(m->inputs[i].y > 0.0)) continue;
        enter(p, find_state(&p->given, ways[i].to.text), m->time);
        return KAI_OK;
    }
    return KAI_OK;
}

/// Goes to the state of that number.
static void set(void* instance, double to)
{
    machine* p = instance;
    const double last = (double)p->given.states.count - 1.0;
    p->current = (int64_t)fmin(fmax(floor(to), 0.0), last);
}

static kai_result check(const void* instance, kai_error* err)
{
    const given* p = instance;
    const state_type* states = p->states.items;
    const transition_type* ways = p->transitions.items;
    for (uint32_t i = 0; i < p->states.count; i++)
        if (find_state(p, states[i].name.text) != (int64_t)i)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "two states are named '%s'; names must be unique",
                                 states[i].name.text);
    for (uint32_t i = 0; i < p->transitions.count; i++)
        for (int k = 0; k < 2; k++) {
            const char* name = k == 0 ? ways[i].from.text : ways[i].to.text;
            if (find_state(p, name) < 0)
                return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                     "%s of transition %u is '%s'; must be one of the states",
                                     k == 0 ? "from" : "to", i, name);
        }
    if (!p->initial.text[0] || find_state(p, p->initial.text) >= 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "initial is '%s'; must be one of the states",
                         p->initial.text);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    const machine* p = instance;
    if (p->current >= 0 && p->current < (int64_t)p->given.states.count)
        return check(&p->given, err);
    return kai_error_set(err, KAI_ERROR_FORMAT, "a state machine is in state %lld of %u",
                         (long long)p->current, p->given.states.count);
}

static const kai_param STATE_PARAMS[] = {
    KAI_PARAM(STRING, state_type, name, .required = true, .doc = "Unique within the machine."),
    KAI_PARAM(VALUE, state_type, value,
              .doc = "Value of the signal there: a number, or a function of the time since the "
                     "state was entered."),
};
static const kai_kind STATE =
    KAI_KIND("state", state_type, STATE_PARAMS, .doc = "A state of a machine.");

static const kai_param TRANSITION_PARAMS[] = {
    KAI_PARAM(STRING, transition_type, from, .required = true, .doc = "State that it leads from."),
    KAI_PARAM(STRING, transition_type, to, .required = true, .doc = "State that it leads to."),
    KAI_PARAM(EXPRESSION, transition_type, when,
              .doc = "Formula over signals and t, such as \"height > 3\": the transition is taken "
                     "when it is true, or above 0; absent: always."),
    KAI_PARAM(REAL, transition_type, after, .unit = "s", .range = KAI_AT_LEAST(0.0),
              .doc = "Least time in the state before."),
};
static const kai_kind TRANSITION =
    KAI_KIND("transition", transition_type, TRANSITION_PARAMS, .doc = "A way between states.");

static const kai_param PARAMS[] = {
    KAI_PARAM(LIST, given, states, .item = &STATE, .required = true,
              .doc = "Its states, each with `name` and `value`."),
    KAI_PARAM(LIST, given, transitions, .item = &TRANSITION,
              .doc = "Ways between them, the first one that is open is taken, one a step."),
    KAI_PARAM(STRING, given, initial, .doc = "State at the start; absent: the first."),
    KAI_PARAM(INT, machine, current, .hidden = true),
    KAI_PARAM(REAL, machine, since, .hidden = true),
};

const kai_signal_kind kai_block_state_machine = {
    .kind = KAI_KIND("state-machine", machine, PARAMS, .given = sizeof(given), .check = check,
                     .doc = "States, a value for each, and transitions on conditions."),
    .delayed = true,
    .value = value,
    .start = start,
    .update = update,
    .set = set,
    .prepare = prepare};
