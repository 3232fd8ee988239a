// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
//     order 1:  T y' = u - y
//     order 2:  T² y'' = u - y - 2 ζ T y'
//
// States are y and, of order 2, y'. The step response of order 1 is 1 - exp(-t/T).
#include "control/blocks/block.h"

typedef struct block_filter {
    kai_block_filter_params given;
    double y, rate;
} block_filter;

/// y'' of order 2.
static double second(const block_filter* p, double u)
{
    const double w = 1.0 / p->given.time;
    return w * (w * (u - p->y) - 2.0 * p->given.damping * p->rate);
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_filter* p = instance;
    const bool two = p->given.order == 2;
    if (m->input_count == 0) return (kai_jet){p->y, two ? p->rate : (double)NAN, (double)NAN};
    const kai_jet u = m->inputs[0];
    if (two) return (kai_jet){p->y, p->rate, second(p, u.y)};
    const double rate = (u.y - p->y) / p->given.time;
    return (kai_jet){p->y, rate, (u.dy - rate) / p->given.time};
}

static void rates(const kai_signal_moment* m, const void* instance, double* out)
{
    const block_filter* p = instance;
    const double u = m->inputs[0].y;
    out[0] = p->given.order == 2 ? p->rate : (u - p->y) / p->given.time;
    out[1] = p->given.order == 2 ? second(p, u) : 0.0;
}

static void start(const kai_signal_moment* m, void* instance)
{
    block_filter* p = instance;
    p->y = isnan(p->given.initial) ? m->inputs[0].y : p->given.initial;
    p->rate = 0.0;
}

static void set(void* instance, double to)
{
    block_filter* p = instance;
    p->y = to;
    p->rate = 0.0;
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_filter_params, "What is smoothed."),
    KAI_PARAM(REAL, kai_block_filter_params, time, .unit = "s", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Time constant T: the cut-off frequency is 1/(2πT)."),
    KAI_PARAM(INT, kai_block_filter_params, order, .initial = {1.0}, .range = KAI_BETWEEN(1.0, 2.0),
              .doc = "1: T y' = u - y; 2: T² y'' + 2 damping T y' = u - y."),
    KAI_PARAM(REAL, kai_block_filter_params, damping, .initial = {0.7071067811865476},
              .range = KAI_ABOVE(0.0), .doc = "Of order 2: damping ratio."),
    KAI_PARAM(REAL, kai_block_filter_params, initial, .initial = {(double)NAN},
              .doc = "Value at the start; absent: that of the input."),
    KAI_PARAM(REAL, block_filter, y, .hidden = true),
    KAI_PARAM(REAL, block_filter, rate, .hidden = true),
};

const kai_signal_kind kai_block_filter = {.kind = KAI_KIND("filter", block_filter, PARAMS,
                                                           .given = sizeof(kai_block_filter_params),
                                                           .doc = "A low pass of order 1 or 2."),
                                          .states = offsetof(block_filter, y),
                                          .state_count = 2,
                                          .delayed = true,
                                          .value = value,
                                          .rates = rates,
                                          .start = start,
                                          .set = set};
