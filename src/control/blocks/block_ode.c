// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "control/blocks/block.h"

typedef struct block_ode {
    kai_block_ode_params given;
    double y;
} block_ode;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_ode* p = instance;
    return (kai_jet){p->y, m->input_count > 0 ? m->inputs[0].y : (double)NAN, (double)NAN};
}

static void rates(const kai_signal_moment* m, const void* instance, double* out)
{
    (void)instance;
    out[0] = m->inputs[0].y;
}

static void start(const kai_signal_moment* m, void* instance)
{
    (void)m;
    block_ode* p = instance;
    p->y = p->given.initial;
}

static void set(void* instance, double to) { ((block_ode*)instance)->y = to; }

static const kai_param PARAMS[] = {
    KAI_PARAM(EXPRESSION, kai_block_ode_params, rate, .required = true,
              .doc = "Formula for y', over names of signals, this one too, and t. Equations of "
                     "several unknowns are as many signals."),
    KAI_PARAM(REAL, kai_block_ode_params, initial, .doc = "y at the start."),
    KAI_PARAM(REAL, block_ode, y, .hidden = true),
};

const kai_signal_kind kai_block_ode = {
    .kind = KAI_KIND("ode", block_ode, PARAMS, .given = sizeof(kai_block_ode_params),
                     .doc = "A differential equation y' = rate, integrated with the mechanics."),
    .states = offsetof(block_ode, y),
    .state_count = 1,
    .delayed = true,
    .value = value,
    .rates = rates,
    .start = start,
    .set = set};
