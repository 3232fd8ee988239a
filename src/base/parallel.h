// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Loops on threads that give the same bits for any number of threads.
//
// A loop over [0, count) is cut into blocks of a fixed size that does not depend on the number of
// threads. Each block is done by one thread, in order inside; by which one depends on how fast they
// are. A reduction keeps one partial result a block and adds them up in block order on one thread.
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include "base/arena.h"

#include <stddef.h>

/// Does items [begin, end).
typedef void kai_range_fn(size_t begin, size_t end, void* context);

/// The same with scratch for each thread: `worker` is in [0, threads).
typedef void kai_worker_range_fn(size_t begin, size_t end, int worker, void* context);

/// Adds the contribution of items [begin, end) to `sums` [width], which arrive zeroed.
typedef void kai_sum_fn(size_t begin, size_t end, double* sums, void* context);

/// How many processors this process may run on, at least 1.
int kai_parallel_hardware(void);

/// The unit of time by which loops get threads, s: n threads for a loop of n²/2 grains. 0 puts every
/// loop on all threads, a negative number is the default (10 µs). Results do not depend on it.
void kai_parallel_set_grain(double seconds);
double kai_parallel_grain(void); ///< what it is

/// Calls fn for every block of `block` items, on at most `threads` threads: as many as
/// pay by what the loop took lately; runs on the calling thread alone when there is one
/// block or one thread. block = 0 is taken as 1.
void kai_parallel_for(int threads, size_t count, size_t block, kai_range_fn* fn, void* context);
void kai_parallel_for_workers(int threads, size_t count, size_t block, kai_worker_range_fn* fn,
                              void* context); ///< likewise

/// Ordered reduction of `width` sums into `out`. The partial results come from the arena.
kai_result kai_parallel_sum(int threads, size_t count, size_t block, kai_sum_fn* fn, void* context,
                            int width, double* out, kai_arena* arena, kai_error* err);

/// The same for maxima (NaN if one of them is NaN): fn leaves in `sums` (starting at -INFINITY) the
/// largest values of its items.
kai_result kai_parallel_max(int threads, size_t count, size_t block, kai_sum_fn* fn, void* context,
                            int width, double* out, kai_arena* arena, kai_error* err);

#endif
