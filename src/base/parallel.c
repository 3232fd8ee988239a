// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/parallel.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

int kai_parallel_hardware(void)
{
#ifdef _OPENMP
    const int processors = omp_get_num_procs();
    return processors > 1 ? processors : 1;
#else
    return 1;
#endif
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

void kai_parallel_for(int threads, size_t count, size_t block, kai_range_fn* fn, void* context)
{
    if (block == 0) block = 1;
    const size_t blocks = blocks_of(count, block);
    if (threads <= 1 || blocks <= 1) {
        serial_for(count, block, fn, context);
        return;
    }
#ifdef _OPENMP
    // schedule(static): a thread gets one run of neighbouring blocks, and the same run in every
    // loop of this shape, so its part of the data stays in its cache and on its memory node. Inside
    // another parallel loop OpenMP gives a team of one, which does all blocks as worker 0.
    if ((size_t)threads > blocks) threads = (int)blocks;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t b = 0; b < blocks; b++) {
        const size_t begin = b * block;
        fn(begin, block_end(begin, block, count), omp_get_thread_num(), context);
    }
#else
    serial_for(count, block, fn, context);
#endif
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
