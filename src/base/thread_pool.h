// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One pool of helper threads for the process, shared by all callers. OpenMP's end of a parallel
// region waits for every thread of its team, also for those that other programs keep from running:
// with one busy program beside it a run on two cores took nearly three times as long as on one.
// Here nobody waits for a thread that has not begun.
//
// Callers on different threads (worlds that step at once) have their helpers at the same time. A
// helper joins the call with the fewest helpers, and only while callers and helpers at work are
// fewer than processors.
#ifndef BASE_THREAD_POOL_H
#define BASE_THREAD_POOL_H

/// The work of one thread; `worker` is in [0, threads), distinct within one call. Workers share the
/// work among themselves, and one that comes late may find nothing to do.
typedef void kai_thread_pool_fn(int worker, void* context);

/// Calls fn(0) on this thread and fn(1) to fn(threads - 1) on helpers, as far as these are free
/// before fn(0) is done; returns when all that have begun are done. fn(0) alone must do all of the
/// work. It is fn(0) alone inside of another call, on one processor, and while many threads (16)
/// have calls under way.
void kai_thread_pool_run(int threads, kai_thread_pool_fn* fn, void* context);

/// A number of this thread that stays the same from call to call: 0 for callers, from 1 for helpers,
/// those of one caller alone below `threads`. For data that a thread may still have in its cache.
int kai_thread_pool_self(void);

/// The most threads that work for one call: processors when the pool was first used, at least 1.
int kai_thread_pool_processors(void);

/// For tests: counts on so many processors, whatever the machine has; 0: on those it has. Helpers
/// that were started stay.
void kai_thread_pool_set_processors(int processors);

#endif
