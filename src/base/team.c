// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One crew of helpers for the process, started when first needed, never ended. Work is posted at a
// *gate*: while it is open helpers may go in, and whoever posted it closes it when his own part is
// done, then waits for those inside. Helpers wait for the next opening first in a loop, then
// asleep: work mostly comes in quick succession.
#include "base/team.h"

#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    MOST = 255,   // helpers
    SPINS = 2000, // looks before sleep: some 50 to 100 µs
    OPEN = 1024,  // bit of the gate; below it, how many are inside
    INSIDE = OPEN - 1,
    ROUND = 2 * OPEN // the rest of the gate counts openings
};

static struct {
    atomic_bool taken; // somebody posts work
    atomic_uint gate;
    int threads; // of the work that is posted
    kai_team_fn* fn;
    void* context;
    int helpers;       // that were started
    atomic_bool spin;  // there are processors for all of them
    atomic_int asleep; // helpers
    atomic_bool waits; // whoever posted work sleeps until helpers are done
    pthread_mutex_t lock;
    pthread_cond_t opened, left;
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .opened = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

static _Thread_local bool inside; // of a team

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Whether there is work behind the gate that a helper has not seen.
static bool is_new(unsigned gate, unsigned seen) { return (gate & OPEN) && gate / ROUND != seen; }

static unsigned await_work(unsigned seen)
{
    unsigned gate;
    const int spins = atomic_load(&crew.spin) ? SPINS : 0;
    for (int i = 0; i < spins; i++) {
        gate = atomic_load_explicit(&crew.gate, memory_order_acquire);
        if (is_new(gate, seen)) return gate;
        pause_a_little();
    }
    pthread_mutex_lock(&crew.lock);
    atomic_fetch_add(&crew.asleep, 1);
    while (!is_new(gate = atomic_load(&crew.gate), seen))
        pthread_cond_wait(&crew.opened, &crew.lock);
    atomic_fetch_sub(&crew.asleep, 1);
    pthread_mutex_unlock(&crew.lock);
    return gate;
}

static void* help(void* context)
{
    const int worker = (int)(ptrdiff_t)context;
    unsigned seen = 0;
    inside = true;
    for (;;) {
        unsigned gate = await_work(seen);
        while (is_new(gate, seen) && !atomic_compare_exchange_weak(&crew.gate, &gate, gate + 1)) {}
        if (!is_new(gate, seen)) continue; // closed meanwhile
        seen = gate / ROUND;
        if (worker < crew.threads) crew.fn(worker, crew.context);
        const unsigned before = atomic_fetch_sub(&crew.gate, 1);
        if ((before & INSIDE) == 1 && atomic_load(&crew.waits)) {
            pthread_mutex_lock(&crew.lock);
            pthread_cond_signal(&crew.left);
            pthread_mutex_unlock(&crew.lock);
        }
    }
    return NULL;
}

/// After a fork there are no helpers.
static void forget(void)
{
    const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    crew.lock = lock;
    crew.opened = crew.left = condition;
    crew.helpers = 0;
    atomic_store(&crew.asleep, 0);
    atomic_store(&crew.waits, false);
    atomic_store(&crew.gate, 0);
    atomic_store(&crew.taken, inside);
}

/// Starts helpers that are missing, as far as the system allows. Signals are for others.
static void start(int helpers)
{
    if (helpers > MOST) helpers = MOST;
    if (crew.helpers >= helpers) return;
    static bool prepared;
    if (!prepared) prepared = pthread_atfork(NULL, NULL, forget) == 0;
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    while (crew.helpers < helpers &&
           pthread_create(&thread, &attributes, help, (void*)(ptrdiff_t)(crew.helpers + 1)) == 0)
        crew.helpers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    atomic_store(&crew.spin, crew.helpers < kai_parallel_hardware());
}

static void open_gate(void)
{
    const unsigned round = atomic_load(&crew.gate) / ROUND + 1;
    atomic_store(&crew.gate, round * ROUND + OPEN);
    if (atomic_load(&crew.asleep) == 0) return;
    pthread_mutex_lock(&crew.lock);
    pthread_cond_broadcast(&crew.opened);
    pthread_mutex_unlock(&crew.lock);
}

static void close_gate(void)
{
    atomic_fetch_and(&crew.gate, ~(unsigned)OPEN);
    for (int i = 0; i < SPINS; i++) {
        if ((atomic_load_explicit(&crew.gate, memory_order_acquire) & INSIDE) == 0) return;
        pause_a_little();
    }
    pthread_mutex_lock(&crew.lock);
    atomic_store(&crew.waits, true);
    while (atomic_load(&crew.gate) & INSIDE) pthread_cond_wait(&crew.left, &crew.lock);
    atomic_store(&crew.waits, false);
    pthread_mutex_unlock(&crew.lock);
}

void kai_team_run(int threads, kai_team_fn* fn, void* context)
{
    if (threads < 2 || inside || atomic_exchange(&crew.taken, true)) {
        fn(0, context);
        return;
    }
    start(threads - 1);
    crew.threads = threads;
    crew.fn = fn;
    crew.context = context;
    inside = true;
    open_gate();
    fn(0, context);
    close_gate();
    inside = false;
    atomic_store(&crew.taken, false);
}
