// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Signals among the terms of a world: they push nothing by themselves, but are found before those
// who read them.
#include "control/term_signals.h"

#include "control/control.h"
#include "math/function_signal.h"

/// Whether there are signals, or somebody who reads them.
static bool term_signals_any(const kai_world* world)
{
    const kai_store* functions = &world->functions.store;
    if (world->signals.count + world->events.count > 0 || world->control) return true;
    for (size_t b = 0; b < functions->batch_count; b++)
        if (functions->batches[b].kind == &kai_function_signal.kind)
            return functions->batches[b].items.count > 0;
    return false;
}

static kai_result signals_prepare(kai_world* world, void* data, kai_error* err)
{
    (void)data;
    return term_signals_any(world) ? kai_control_step_begin(world, err) : KAI_OK;
}

static kai_result signals_observe(kai_world* world, void* data, double time, kai_error* err)
{
    (void)data;
    return world->control && world->control->nodes.count > 0 ? kai_control_find(world, time, err)
                                                             : KAI_OK;
}

static bool signals_need_velocity(const kai_world* world, void* data)
{
    (void)data;
    return world->control && world->control->fast;
}

static kai_result signals_finish(kai_world* world, void* data, double h, kai_error* err)
{
    (void)data;
    return world->control ? kai_control_step_end(world, h, err) : KAI_OK;
}

const kai_term kai_term_signals = {.name = "signals",
                                   .prepare = signals_prepare,
                                   .observe = signals_observe,
                                   .needs_velocity = signals_need_velocity,
                                   .finish = signals_finish};
