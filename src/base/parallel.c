// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // sched_getaffinity
#include "base/parallel.h"

#include "base/clock.h"
#include "base/thread_pool.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
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

// How many threads a loop gets --------------------------------------------------------------------
//
// A loop that takes T on one thread takes about T/n + n c on n threads: each of them has to be woken,
// and waited for, which costs c. That is least at n = √(T/c): a loop of 20 µs gains from a second
// thread, and only one of more than a millisecond from a sixteenth. So each calling thread notes what
// an item of each loop takes, and n threads go to a loop of n²/2 grains.

static const double GRAIN = 10e-6; // s: 2 c
// Means: a longer call was interrupted by other programs, and counts as this.
static const double SURPRISE = 3.0;

enum { COST_BITS = 9 };

/// What an item of a loop took of late; of several loops that share a place, the last one's.
typedef struct loop_cost {
    uintptr_t loop; // the function; 0: none
    double item;    // s
} loop_cost;

static _Thread_local loop_cost costs[1 << COST_BITS];
static _Atomic double grain = -1.0; // s; negative: not known yet

void kai_parallel_set_grain(double seconds)
{
    atomic_store(&grain, seconds < 0.0 ? GRAIN : seconds);
}

/// KAIROS_LOOP_GRAIN=0 in the environment puts every loop on all threads, as tests want it.
double kai_parallel_grain(void)
{
    double seconds = atomic_load_explicit(&grain, memory_order_relaxed);
    if (seconds >= 0.0) return seconds;
    const char* text = getenv("KAIROS_LOOP_GRAIN");
    seconds = text ? strtod(text, NULL) : GRAIN;
    kai_parallel_set_grain(seconds >= 0.0 ? seconds : GRAIN);
    return atomic_load(&grain);
}

static loop_cost* cost_of(uintptr_t loop)
{
    return &costs[(uint64_t)loop * UINT64_C(0x9e3779b97f4a7c15) >> (64 - COST_BITS)];
}

/// Notes that so many items took so long.
static void note_cost(uintptr_t loop, size_t items, double seconds)
{
    if (items == 0) return;
    loop_cost* c = cost_of(loop);
    const double item = seconds / (double)items, most = SURPRISE * c->item;
    c->item = c->loop == loop ? c->item + 0.25 * (fmin(item, most) - c->item) : item;
    c->loop = loop;
}

// Loops -------------------------------------------------------------------------------------------

/// A loop: blocks [first, blocks) of `block` items, the last one up to `count`.
typedef struct plain_loop {
    size_t first, blocks, count, block;
    kai_worker_range_fn* fn;
    void* context;
    uintptr_t cost; // whose it is
} plain_loop;

static void do_block(const plain_loop* l, size_t b, int worker)
{
    l->fn(b * l->block, block_end(b * l->block, l->block, l->count), worker, l->context);
}

/// All blocks in order, on the calling thread.
static void serial_for(size_t count, size_t block, kai_worker_range_fn* fn, void* context)
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
    const plain_loop* loop;
} shared_loop;

/// A thread begins with a run of its own, the same one in every loop of this shape, so its part of
/// the data stays in its cache and on its memory node; then it helps others, whose processors may
/// be slower or busy with other things. It takes blocks that nobody has, one by one. The caller
/// notes what they cost it.
static void do_runs(int worker, void* context)
{
    shared_loop* l = context;
    const int first = kai_thread_pool_self();
    const double began = worker == 0 ? kai_clock_now() : 0.0;
    size_t done = 0;
    for (int k = 0; k < l->runs; k++) {
        block_run* run = &l->all[(first + k) % l->runs];
        for (;;) {
            const size_t b = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
            if (b >= run->end) break;
            do_block(l->loop, b, worker);
            done++;
        }
    }
    if (worker == 0) note_cost(l->loop->cost, done * l->loop->block, kai_clock_now() - began);
}

static void shared_for(const plain_loop* loop, int threads)
{
    const size_t blocks = loop->blocks - loop->first;
    shared_loop l; // its runs are not all used: nothing is cleared
    l.runs = threads < MOST_RUNS ? threads : MOST_RUNS;
    l.loop = loop;
    for (int k = 0; k < l.runs; k++) {
        atomic_init(&l.all[k].next, loop->first + blocks * (size_t)k / (size_t)l.runs);
        l.all[k].end = loop->first + blocks * (size_t)(k + 1) / (size_t)l.runs;
    }
    kai_thread_pool_run(threads, do_runs, &l);
}

/// Not more threads than processors or blocks, those beyond would only take time from the others; and
/// as many as the loop's time is worth. A loop that is not known is tried with its first block.
static int useful_threads(plain_loop* l, int threads)
{
    const int processors = kai_thread_pool_processors();
    const size_t blocks = l->blocks - l->first;
    if (threads > processors) threads = processors;
    if ((size_t)threads > blocks) threads = (int)blocks;
    const double least = kai_parallel_grain();
    if (threads < 2 || least == 0.0) return threads;
    if (cost_of(l->cost)->loop != l->cost) {
        const double began = kai_clock_now();
        do_block(l, l->first++, 0);
        note_cost(l->cost, l->block, kai_clock_now() - began);
    }
    const double seconds = cost_of(l->cost)->item * (double)((l->blocks - l->first) * l->block),
                 wanted = sqrt(2.0 * seconds / least);
    if (wanted < threads) threads = (int)wanted;
    return threads > 1 ? threads : 1;
}

/// Does a loop whose cost is known by the function `cost`.
static void do_loop(int threads, size_t count, size_t block, kai_worker_range_fn* fn, void* context,
                    uintptr_t cost)
{
    if (block == 0) block = 1;
    if (threads < 2 || count <= block) {
        serial_for(count, block, fn, context);
        return;
    }
    plain_loop l = {0, blocks_of(count, block), count, block, fn, context, cost};
    threads = useful_threads(&l, threads);
    if (threads > 1) {
        shared_for(&l, threads);
        return;
    }
    const double began = kai_clock_now();
    for (size_t b = l.first; b < l.blocks; b++) do_block(&l, b, 0);
    note_cost(cost, (l.blocks - l.first) * block, kai_clock_now() - began);
}

void kai_parallel_for_workers(int threads, size_t count, size_t block, kai_worker_range_fn* fn,
                              void* context)
{
    do_loop(threads, count, block, fn, context, (uintptr_t)fn);
}

/// A loop that needs no scratch.
typedef struct range_loop {
    kai_range_fn* fn;
    void* context;
} range_loop;

static void do_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const range_loop* l = context;
    l->fn(begin, end, l->context);
}

void kai_parallel_for(int threads, size_t count, size_t block, kai_range_fn* fn, void* context)
{
    range_loop l = {fn, context};
    if (count <= block) { // most loops of small worlds
        if (count > 0) fn(0, count, context);
        return;
    }
    do_loop(threads, count, block, do_range, &l, (uintptr_t)fn);
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
    do_loop(threads, count, r->block, reduce_block, r, (uintptr_t)r->fn);
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
