// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From the value y₀ at the end of the last step, at t₀: y(t) = y₀ + clamp(u - y₀, -fall (t - t₀),
// rise (t - t₀)), so that the limits hold exactly at the ends of steps and in between.
#include "control/blocks/block.h"

typedef struct block_rate_limiter {
    kai_block_rate_limiter_params given;
    double last, time; // y₀, t₀
} block_rate_limiter;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_rate_limiter* p = instance;
    const double s = fmax(m->time - p->time, 0.0), way = m->inputs[0].y - p->last;
    if (way > p->given.rise * s) return (kai_jet){p->last + p->given.rise * s, p->given.rise, 0.0};
    if (way < -p->given.fall * s)
        return (kai_jet){p->last - p->given.fall * s, -p->given.fall, 0.0};
    return m->inputs[0];
}

static void start(const kai_signal_moment* m, void* instance)
{
    block_rate_limiter* p = instance;
    p->last = m->inputs[0].y;
    p->time = m->time;
}

static kai_result update(const kai_signal_moment* m, void* instance, kai_error* err)
{
    (void)err;
    block_rate_limiter* p = instance;
    p->last = value(m, p).y;
    p->time = m->time;
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_rate_limiter_params, "What is followed."),
    KAI_PARAM(REAL, kai_block_rate_limiter_params, rise, .unit = "1/s", .required = true,
              .range = KAI_AT_LEAST(0.0), .doc = "Largest rate upwards."),
    KAI_PARAM(REAL, kai_block_rate_limiter_params, fall, .unit = "1/s", .required = true,
              .range = KAI_AT_LEAST(0.0), .doc = "Largest rate downwards."),
    KAI_PARAM(REAL, block_rate_limiter, last, .hidden = true),
    KAI_PARAM(REAL, block_rate_limiter, time, .hidden = true),
};

const kai_signal_kind kai_block_rate_limiter = {
    .kind = KAI_KIND("rate-limiter", block_rate_limiter, PARAMS,
                     .given = sizeof(kai_block_rate_limiter_params),
                     .doc = "Follows the input as fast as its limits allow."),
    .value = value,
    .start = start,
    .update = update};
