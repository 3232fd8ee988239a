// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
//     w = p e + I + D,    u = clamp(w, low, high)
//     I' = i e            but 0 where u is at a limit and I would go further beyond (anti-windup)
//     D = d x',  T x' = e - x           the derivative of e behind a low pass of time constant T
//
// x starts at e, so that the start is no step for D.
#include "control/blocks/block.h"

typedef struct block_pid {
    kai_block_pid_params given;
    double integral, smooth; // I, x
} block_pid;

static double slope(const block_pid* p, double e)
{
    return p->given.d != 0.0 ? (e - p->smooth) / p->given.filter : 0.0;
}

/// Without limits.
static double wanted(const block_pid* p, double e)
{
    return p->given.p * e + p->integral + p->given.d * slope(p, e);
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_pid* p = instance;
    const double w = wanted(p, m->inputs[0].y);
    return kai_block_unknown(fmin(fmax(w, p->given.low), p->given.high));
}

static void rates(const kai_signal_moment* m, const void* instance, double* out)
{
    const block_pid* p = instance;
    const double e = m->inputs[0].y, w = wanted(p, e), more = p->given.i * e;
    const bool beyond = (w > p->given.high && more > 0.0) || (w < p->given.low && more < 0.0);
    out[0] = beyond ? 0.0 : more;
    out[1] = slope(p, e);
}

static void start(const kai_signal_moment* m, void* instance)
{
    ((block_pid*)instance)->smooth = m->inputs[0].y;
}

static kai_result check(const void* instance, kai_error* err)
{
    const kai_block_pid_params* p = instance;
    if (p->d != 0.0 && !(p->filter > 0.0))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "filter is %g s; must be > 0 where d is not 0", p->filter);
    return kai_block_check_limits(p->low, p->high, err);
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_pid_params, "The error e: what is wanted less what is."),
    KAI_PARAM(REAL, kai_block_pid_params, p, .doc = "Factor of e."),
    KAI_PARAM(REAL, kai_block_pid_params, i, .unit = "1/s", .doc = "Factor of the integral of e."),
    KAI_PARAM(REAL, kai_block_pid_params, d, .unit = "s", .doc = "Factor of the derivative of e."),
    KAI_PARAM(REAL, kai_block_pid_params, filter, .unit = "s", .initial = {0.01},
              .range = KAI_AT_LEAST(0.0),
              .doc = "Time constant of the low pass that the derivative goes through."),
    KAI_BLOCK_LIMITS(kai_block_pid_params),
    KAI_PARAM(REAL, block_pid, integral, .hidden = true),
    KAI_PARAM(REAL, block_pid, smooth, .hidden = true),
};

const kai_signal_kind kai_block_pid = {
    .kind =
        KAI_KIND("pid", block_pid, PARAMS, .given = sizeof(kai_block_pid_params), .check = check,
                 .doc = "A controller: p e + i ∫ e dt + d e', within limits, whose integral "
                        "stops where it would lead further beyond them."),
    .states = offsetof(block_pid, integral),
    .state_count = 2,
    .value = value,
    .rates = rates,
    .start = start};
