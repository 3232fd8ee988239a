// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
//     y' = gain · u, and 0 at a limit that the input leads beyond
//
// The state may pass a limit by what one step adds; the value does not.
#include "control/blocks/block.h"

typedef struct block_integrator {
    kai_block_integrator_params given;
    double y;
    bool above; // the reset was above 0 at the end of the last step
} block_integrator;

static double rate(const block_integrator* p, double u)
{
    const double r = p->given.gain * u;
    return (p->y >= p->given.high && r > 0.0) || (p->y <= p->given.low && r < 0.0) ? 0.0 : r;
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_integrator* p = instance;
    const bool known = m->input_count > 0;
    const kai_jet y = {p->y, known ? rate(p, m->inputs[0].y) : (double)NAN,
                       known ? p->given.gain * m->inputs[0].dy : (double)NAN};
    return kai_block_within(y, p->given.low, p->given.high);
}

static void rates(const kai_signal_moment* m, const void* instance, double* out)
{
    out[0] = rate(instance, m->inputs[0].y);
}

static void start(const kai_signal_moment* m, void* instance)
{
    block_integrator* p = instance;
    p->y = p->given.initial;
    p->above = m->inputs[1].y > 0.0;
}

static kai_result update(const kai_signal_moment* m, void* instance, kai_error* err)
{
    (void)err;
    block_integrator* p = instance;
    const bool above = m->inputs[1].y > 0.0;
    if (above && !p->above) p->y = p->given.initial;
    p->y = fmin(fmax(p->y, p->given.low), p->given.high);
    p->above = above;
    return KAI_OK;
}

static void set(void* instance, double to)
{
    block_integrator* p = instance;
    p->y = fmin(fmax(to, p->given.low), p->given.high);
}

static kai_result check(const void* instance, kai_error* err)
{
    const kai_block_integrator_params* p = instance;
    KAI_TRY(kai_block_check_limits(p->low, p->high, err));
    if (p->low <= p->initial && p->initial <= p->high) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "initial is %g; must be from low (%g) to high (%g)", p->initial, p->low,
                         p->high);
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_integrator_params, "What is integrated."),
    KAI_PARAM(REAL, kai_block_integrator_params, gain, .unit = "1/s", .initial = {1.0},
              .doc = "Factor of the input."),
    KAI_PARAM(REAL, kai_block_integrator_params, initial, .doc = "Value at the start."),
    KAI_BLOCK_LIMITS(kai_block_integrator_params),
    KAI_PARAM(SIGNAL, kai_block_integrator_params, reset,
              .doc = "A signal that sets the value to `initial` when it rises above 0, at the end "
                     "of the step in which it does; absent: none."),
    KAI_PARAM(REAL, block_integrator, y, .hidden = true),
    KAI_PARAM(BOOL, block_integrator, above, .hidden = true),
};

const kai_signal_kind kai_block_integrator = {
    .kind = KAI_KIND("integrator", block_integrator, PARAMS,
                     .given = sizeof(kai_block_integrator_params), .check = check,
                     .doc = "The integral of the input over time, within limits."),
    .states = offsetof(block_integrator, y),
    .state_count = 1,
    .delayed = true,
    .value = value,
    .rates = rates,
    .start = start,
    .update = update,
    .set = set};
