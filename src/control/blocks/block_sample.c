// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Samples are taken at the ends of the steps at which, or in which, their time n · every has come,
// and at the start.
#include "control/blocks/block.h"

typedef struct block_sample {
    kai_block_sample_params given;
    double held;
    double first;  // time of the first one, s
    int64_t taken; // samples after that
} block_sample;

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    (void)m;
    return kai_block_unknown(((const block_sample*)instance)->held);
}

static void start(const kai_signal_moment* m, void* instance)
{
    block_sample* p = instance;
    p->held = m->inputs[0].y;
    p->first = m->time;
    p->taken = 0;
}

static kai_result update(const kai_signal_moment* m, void* instance, kai_error* err)
{
    (void)err;
    block_sample* p = instance;
    // A time that is a multiple but for rounding counts as one.
    const double due = p->given.every * (double)(p->taken + 1), since = m->time - p->first;
    if (since < due - 1e-6 * m->step) return KAI_OK;
    p->taken = (int64_t)floor((since + 1e-6 * m->step) / p->given.every);
    p->held = m->inputs[0].y;
    return KAI_OK;
}

static void set(void* instance, double to) { ((block_sample*)instance)->held = to; }

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_sample_params, "What is sampled."),
    KAI_PARAM(REAL, kai_block_sample_params, every, .unit = "s", .required = true,
              .range = KAI_ABOVE(0.0),
              .doc = "Time between samples; a sample is taken at the end of a step."),
    KAI_PARAM(REAL, block_sample, held, .hidden = true),
    KAI_PARAM(REAL, block_sample, first, .hidden = true),
    KAI_PARAM(INT, block_sample, taken, .hidden = true),
};

const kai_signal_kind kai_block_sample = {
    .kind = KAI_KIND("sample", block_sample, PARAMS, .given = sizeof(kai_block_sample_params),
                     .doc = "The input at equal times, held in between: what a digital controller "
                            "sees."),
    .delayed = true,
    .value = value,
    .start = start,
    .update = update,
    .set = set};
