// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A thread that does one job at a time beside the thread that owns it, such as writing what was
// gathered. It begins with the first job. All calls come from the owner.
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/// The job.
typedef void kai_worker_fn(void* context);

typedef struct kai_worker {
    kai_worker_fn* fn;
    void* context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started;    // there is a thread
    bool busy, stop; // under the lock
} kai_worker;

/// Makes one that does `fn`.
void kai_worker_init(kai_worker* worker, kai_worker_fn* fn, void* context);

/// Does the job once more, after the one that may be under way. Where the system has no thread
/// left, the caller's does it.
void kai_worker_run(kai_worker* worker);

/// Waits until no job is under way: what it wrote can be read.
void kai_worker_wait(kai_worker* worker);

/// Waits for the job and ends the thread.
void kai_worker_free(kai_worker* worker);

#endif
