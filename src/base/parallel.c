// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // sched_getaffinity
#include "base/parallel.h"

#include "base/thread_pool.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

int kai_parallel_hardware(void)
{
    cpu_set_t mine; // too small for machines of more than 1,024
    const long processors = sched_getaffinity(0, sizeof mine, &mine) == 0
                                ? CPU_COUNT(&mine)
                                : sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 1 ? (int)processors : 1;
}

static size_t blocks_of(size_t count, size_t block) { return count / block + (count % block != 0); }

static size_t block_end(size_t begin, size_t block, size_t count)
{
    return count - begin > block ? begin + block : count;
}

static void serial_for(size_t count, size_t block, kai_range_fn* fn, void* context)
{
    for (size_t begin = 0; begin < count;) {
        const size_t end = block_end(begin, block, count);
        fn(begin, end, 0, context);
        begin = end;
    }
}

enum { MOST_RUNS = 64 };

/// Neighbouring blocks: those before `next` are taken.
typedef struct block_run {
    _Alignas(64) atomic_size_t next;
    size_t end;
} block_run;

/// A loop on several threads.
typedef struct shared_loop {
    block_run all[MOST_RUNS];
    int runs;
    size_t count, block;
    kai_range_fn* fn;
    void* context;
} shared_loop;

/// A thread begins with a run of its own, the same one in every loop of this shape, so its part of
/// the data stays in its cache and on its memory node; then it helps others, whose processors may
/// be slower or busy with other things. It takes blocks that nobody has, one by one.
static void do_runs(int worker, void* context)
{
    shared_loop* l = context;
    const int first = kai_thread_pool_self();
    for (int k = 0; k < l->runs; k++) {
        block_run* run = &l->all[(first + k) % l->runs];
        for (;;) {
            const size_t b = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
            if (b >= run->end) break;
            l->fn(b * l->block, block_end(b * l->block, l->block, l->count), worker, l->context);
        }
    }
}

/// Not more threads than processors or blocks: those beyond would only take time from the others.
static int useful_threads(int threads, size_t count, size_t block)
{
    if (threads < 2 || count <= block) return 1;
    const int processors = kai_thread_pool_processors();
    const size_t blocks = blocks_of(count, block);
    if (threads > processors) threads = processors;
    return (size_t)threads > blocks ? (int)blocks : threads;
}

static void shared_for(int threads, size_t count, size_t block, kai_range_fn* fn, void* context)
{
    const size_t blocks = blocks_of(count, block);
    shared_loop l; // its runs are not all used: nothing is cleared
    l.runs = threads < MOST_RUNS ? threads : MOST_RUNS;
    l.count = count;
    l.block = block;
    l.fn = fn;
    l.context = context;
    for (int k = 0; k < l.runs; k++) {
        atomic_init(&l.all[k].next, blocks * (size_t)k / (size_t)l.runs);
        l.all[k].end = blocks * (size_t)(k + 1) / (size_t)l.runs;
    }
    kai_thread_pool_run(threads, do_runs, &l);
}

void kai_parallel_for(int threads, size_t count, size_t block, kai_range_fn* fn, void* context)
{
    if (block == 0) block = 1;
    threads = useful_threads(threads, count, block);
    if (threads > 1)
        shared_for(threads, count, block, fn, context);
    else
        serial_for(count, block, fn, context);
}

// Reductions -------------------------------------------------------------------------------------

typedef struct reduction {
    kai_sum_fn* fn;
    void* context;
    double* partial; // [blocks * width], one row a block
    size_t width;
    size_t block;
    double start;
} reduction;

static void reduce_block(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const reduction* r = context;
    double* row = r->partial + begin / r->block * r->width;
    for (size_t i = 0; i < r->width; i++) row[i] = r->start;
    r->fn(begin, end, row, r->context);
}

// One row of partial results a block, filled in any order.
static kai_result reduce(int threads, size_t count, reduction* r, kai_arena* arena, kai_error* err)
{
    const size_t blocks = blocks_of(count, r->block);
    r->partial = kai_arena_take(arena, blocks, r->width * sizeof(double), err);
    if (r->partial == NULL) return KAI_ERROR_MEMORY;
    kai_parallel_for(threads, count, r->block, reduce_block, r);
    return KAI_OK;
}

kai_result kai_parallel_sum(int threads, size_t count, size_t block, kai_sum_fn* fn, void* context,
                            int width, double* out, kai_arena* arena, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(arena);
    reduction r = {fn, context, NULL, (size_t)width, block == 0 ? 1 : block, 0.0};
    KAI_TRY(reduce(threads, count, &r, arena, err));
    const size_t entries = blocks_of(count, r.block) * r.width;
    for (size_t i = 0; i < r.width; i++) out[i] = 0.0;
    for (size_t k = 0; k < entries; k += r.width) {
        for (size_t i = 0; i < r.width; i++) out[i] += r.partial[k + i];
    }
    kai_arena_release(arena, mark);
    return KAI_OK;
}

kai_result kai_parallel_max(int threads, size_t count, size_t block, kai_sum_fn* fn, void* context,
                            int width, double* out, kai_arena* arena, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(arena);
    reduction r = {fn, context, NULL, (size_t)width, block == 0 ? 1 : block, -HUGE_VAL};
    KAI_TRY(reduce(threads, count, &r, arena, err));
    const size_t entries = blocks_of(count, r.block) * r.width;
    for (size_t i = 0; i < r.width; i++) out[i] = -HUGE_VAL;
    for (size_t k = 0; k < entries; k += r.width) {
        // NaN wins: a maximum that hides one would report a broken state as a good one.
        for (size_t i = 0; i < r.width; i++) {
            const double p = r.partial[k + i];
            if (p > out[i] || isnan(p)) out[i] = p;
        }
    }
    kai_arena_release(arena, mark);
    return KAI_OK;
}
