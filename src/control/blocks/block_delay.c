// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// y(t) = u(t - time), by straight lines between the ends of steps, and the value of the start before
// it. Where the time is shorter than a step, the line through the last two of them goes on.
//
// Past values lie in a ring, oldest first from `head`: rows [t, u]. It holds what one delay needs.
#include "control/blocks/block.h"

#include "base/memory.h"
#include "model/world.h"

#include <string.h>

typedef struct block_delay {
    kai_block_delay_params given;
    kai_table past;
    int64_t head, count;
} block_delay;

static double* row(const block_delay* p, int64_t i)
{
    return (double*)(uintptr_t)p->past.data + 2 * ((p->head + i) % (int64_t)p->past.rows);
}

static kai_jet value(const kai_signal_moment* m, const void* instance)
{
    const block_delay* p = instance;
    const double t = m->time - p->given.time;
    if (p->count == 0) return (kai_jet){0};
    if (p->count == 1 || t <= row(p, 0)[0]) return (kai_jet){row(p, 0)[1], 0.0, 0.0};
    int64_t low = 0, high = p->count - 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (row(p, middle)[0] <= t)
            low = middle;
        else
            high = middle;
    }
    const double *a = row(p, low), *b = row(p, high);
    return kai_block_unknown(a[1] + (b[1] - a[1]) * ((t - a[0]) / (b[0] - a[0])));
}

/// Twice as many rows, those in use first.
static kai_result grow(block_delay* p, kai_memory* memory, kai_error* err)
{
    const uint32_t rows = p->past.rows > 0 ? 2 * p->past.rows : 16;
    double* data = kai_memory_allocate_zeroed(memory, rows, 2 * sizeof *data);
    if (!data) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a delay");
    for (int64_t i = 0; i < p->count; i++) memcpy(data + 2 * i, row(p, i), 2 * sizeof *data);
    kai_memory_release(memory, (double*)(uintptr_t)p->past.data,
                       (size_t)p->past.rows * 2 * sizeof *data);
    p->past = (kai_table){data, rows, 2};
    p->head = 0;
    return KAI_OK;
}

static kai_result append(block_delay* p, kai_memory* memory, double t, double u, kai_error* err)
{
    // Of values older than the delay one is needed.
    while (p->count > 2 && row(p, 1)[0] <= t - p->given.time) {
        p->head = (p->head + 1) % (int64_t)p->past.rows;
        p->count--;
    }
    if (p->count == (int64_t)p->past.rows) KAI_TRY(grow(p, memory, err));
    double* last = row(p, p->count++);
    last[0] = t;
    last[1] = u;
    return KAI_OK;
}

static kai_memory* memory_of(const kai_signal_moment* m)
{
    return &((kai_world*)(uintptr_t)m->world)->memory;
}

static kai_result update(const kai_signal_moment* m, void* instance, kai_error* err)
{
    return append(instance, memory_of(m), m->time, m->inputs[0].y, err);
}

/// Without memory the first value is kept at the end of the first step.
static void start(const kai_signal_moment* m, void* instance)
{
    block_delay* p = instance;
    p->head = p->count = 0;
    append(p, memory_of(m), m->time, m->inputs[0].y, NULL);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)world;
    const block_delay* p = instance;
    const int64_t rows = p->past.rows;
    if (p->count == 0 && p->head == 0 && rows == 0) return KAI_OK;
    if (p->past.columns == 2 && p->head >= 0 && p->head < rows && p->count >= 0 && p->count <= rows)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "a delay has %lld values from %lld of %lld",
                         (long long)p->count, (long long)p->head, (long long)rows);
}

static const kai_param PARAMS[] = {
    KAI_BLOCK_INPUT(kai_block_delay_params, "What is delayed."),
    KAI_PARAM(REAL, kai_block_delay_params, time, .unit = "s", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "How long ago."),
    KAI_PARAM(TABLE, block_delay, past, .columns = 2, .hidden = true),
    KAI_PARAM(INT, block_delay, head, .hidden = true),
    KAI_PARAM(INT, block_delay, count, .hidden = true),
};

const kai_signal_kind kai_block_delay = {
    .kind = KAI_KIND("delay", block_delay, PARAMS, .given = sizeof(kai_block_delay_params),
                     .doc = "The input of some time ago; its first value before that."),
    .delayed = true,
    .value = value,
    .start = start,
    .update = update,
    .prepare = prepare};
