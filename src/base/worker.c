// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/worker.h"

#include <signal.h>
#include <stddef.h>

void kai_worker_init(kai_worker* w, kai_worker_fn* fn, void* context)
{
    *w = (kai_worker){.fn = fn, .context = context};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
}

static void* work(void* context)
{
    kai_worker* w = context;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->busy && !w->stop) pthread_cond_wait(&w->changed, &w->lock);
        if (!w->busy) break;
        pthread_mutex_unlock(&w->lock);
        w->fn(w->context);
        pthread_mutex_lock(&w->lock);
        w->busy = false;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

// Signals are for the program's own threads.
static bool start(kai_worker* w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return w->started;
}

void kai_worker_run(kai_worker* w)
{
    if (!w->started && !start(w)) {
        w->fn(w->context);
        return;
    }
    pthread_mutex_lock(&w->lock);
    while (w->busy) pthread_cond_wait(&w->changed, &w->lock);
    w->busy = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void kai_worker_wait(kai_worker* w)
{
    if (!w->started) return;
    pthread_mutex_lock(&w->lock);
    while (w->busy) pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void kai_worker_free(kai_worker* w)
{
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->stop = true;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
        w->started = false;
    }
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}
