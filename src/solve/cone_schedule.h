// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The tasks of a layout (cone_pack.h), on threads. No thread waits for all others: a task begins as
// soon as those before it that share a block with it are done, be they of this pass or of the one
// before.
//
// Each block counts the tasks that were done on it. Tasks on a block have numbers, and begin when the
// block's counter is there; nobody else can be on the block then. So for any number of threads all
// that happens to a body happens in the same order: the same bits.
#ifndef SOLVE_CONE_SCHEDULE_H
#define SOLVE_CONE_SCHEDULE_H

#include "solve/cone_pack.h"

#include <stdatomic.h>

/// How many tasks of a block are done: a cache line of its own.
typedef struct kai_cone_schedule_counter {
    _Alignas(64) atomic_uint done;
} kai_cone_schedule_counter;

/// Does a task.
typedef void kai_cone_schedule_fn(size_t task, void* context);

/// Does all tasks so many times over, on as many of the threads as pay by the work that was counted.
kai_result kai_cone_schedule(kai_cone* cone, int threads, uint32_t rounds, kai_cone_schedule_fn* fn,
                             void* context, kai_error* err);

/// The same where tasks do not touch each other, or do not mind: once, in any order.
void kai_cone_schedule_free(const kai_cone* cone, int threads, kai_cone_schedule_fn* fn,
                            void* context);

#endif
