// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Helpers are started when first needed and never ended. A caller posts a *ticket*: as long as it
// has free seats, helpers may join it. The caller withdraws the seats that are left when its own
// part is done, then waits for the helpers inside. Helpers wait for the next ticket first in a
// loop, then asleep: work mostly comes in quick succession.
//
// Processors are counted so that callers do not slow each other down: a thread that called lately
// is taken to run on a processor of its own, also between its calls (RECENT), and helpers get the
// rest. With a single caller, the common case, that needs no counting: `used` is 1 then, no clock
// is read, and a call costs the same atomic operations as with a pool that knows one caller only.
#include "base/thread_pool.h"

#include "base/clock.h"
#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    TICKETS = 16, // callers at once
    MOST_HELPERS = 255,
    SPINS = 2000, // looks before sleep: some 50 to 100 µs
    FADE = 4,     // calls
    // Parts of a ticket's state: helpers inside, free seats, and a count of postings.
    SEAT = 1 << 12,
    POSTING = 1 << 24
};

static const double RECENT = 2e-3; // s

typedef struct ticket {
    _Alignas(64) _Atomic uint64_t state;
    atomic_bool taken; // by a caller
    atomic_bool waits; // the caller sleeps until helpers are done
    int threads;
    kai_thread_pool_fn* fn;
    void* context;
    _Atomic double closed; // time of the last call's end; kept where several tickets are in use
    pthread_cond_t left;   // the last helper
} ticket;

static struct {
    ticket tickets[TICKETS];
    atomic_int used; // tickets that ever were: those before this one
    atomic_int helpers, asleep;
    atomic_int processors, hardware; // counted on, and there; 0: not known yet
    atomic_int eager;                // helpers that calls of late had seats for
    atomic_uint posts;
    bool prepared; // under the lock, as is the rest
    bool polled;   // a helper asleep looks again by itself
    pthread_mutex_t lock;
    pthread_cond_t called;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local ticket* current;   // that this thread works on
static _Thread_local int helper_number; // from 1; 0 for callers
static _Thread_local int last_ticket;   // of a caller: the one to try first

static int helpers_inside(uint64_t state) { return (int)(state % SEAT); }
static int free_seats(uint64_t state) { return (int)(state % POSTING / SEAT); }

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Processors -------------------------------------------------------------------------------------

static int count_hardware(void)
{
    int n = atomic_load_explicit(&pool.hardware, memory_order_relaxed);
    if (n == 0) atomic_store(&pool.hardware, n = kai_parallel_hardware());
    return n;
}

int kai_thread_pool_processors(void)
{
    const int n = atomic_load_explicit(&pool.processors, memory_order_relaxed);
    return n > 0 ? n : count_hardware();
}

void kai_thread_pool_set_processors(int processors)
{
    atomic_store(&pool.processors, processors > 0 ? processors : 0);
}

int kai_thread_pool_self(void) { return helper_number; }

/// How many threads are calling, or called a moment ago. Just one while one ticket is in use.
static int count_callers(void)
{
    const int used = atomic_load(&pool.used);
    if (used < 2) return used;
    const double now = kai_clock_now();
    int callers = 0;
    for (int i = 0; i < used; i++) {
        const ticket* t = &pool.tickets[i];
        callers += atomic_load(&t->taken) || now - atomic_load(&t->closed) < RECENT;
    }
    return callers;
}

static int count_working(void)
{
    const int used = atomic_load(&pool.used);
    int working = 0;
    for (int i = 0; i < used; i++) working += helpers_inside(atomic_load(&pool.tickets[i].state));
    return working;
}

/// Whether a helper more has a processor. One caller's helpers always do: none other are started.
static bool is_processor_free(void)
{
    return atomic_load(&pool.used) < 2 ||
           count_callers() + count_working() < kai_thread_pool_processors();
}

/// Whether a helper may wait in a loop: where calls have seats for it, and no processor is taken from
/// others.
static bool may_spin(void)
{
    const int awake = atomic_load(&pool.helpers) - atomic_load(&pool.asleep);
    return awake <= atomic_load(&pool.eager) && awake + count_callers() <= count_hardware();
}

/// Notes that a call has so many seats: the most of them counts, less one for every few calls since.
static void note_seats(int seats)
{
    const int eager = atomic_load_explicit(&pool.eager, memory_order_relaxed);
    if (seats > eager)
        atomic_store_explicit(&pool.eager, seats, memory_order_relaxed);
    else if (atomic_fetch_add_explicit(&pool.posts, 1, memory_order_relaxed) % FADE == 0 &&
             seats < eager)
        atomic_store_explicit(&pool.eager, eager - 1, memory_order_relaxed);
}

static int count_free_seats(void)
{
    const int used = atomic_load(&pool.used);
    int seats = 0;
    for (int i = 0; i < used; i++) seats += free_seats(atomic_load(&pool.tickets[i].state));
    return seats;
}

/// Wakes helpers for free seats: as many as have processors, less those that come by themselves.
static void call_helpers(int seats)
{
    const int asleep = atomic_load(&pool.asleep);
    if (asleep == 0) return;
    const int awake = atomic_load(&pool.helpers) - asleep;
    const int room = kai_thread_pool_processors() - count_callers() - awake;
    int wanted = seats - (awake - count_working());
    if (wanted > room) wanted = room;
    if (wanted <= 0) return;
    pthread_mutex_lock(&pool.lock);
    if (wanted >= asleep)
        pthread_cond_broadcast(&pool.called);
    else
        while (wanted-- > 0) pthread_cond_signal(&pool.called);
    pthread_mutex_unlock(&pool.lock);
}

// Helpers ----------------------------------------------------------------------------------------

typedef struct helper {
    uint64_t seen[TICKETS]; // the last posting of each that it worked on
    int next;               // the ticket to look at first: the one after the last it worked on
} helper;

static bool is_open(const helper* h, int index, uint64_t state)
{
    return free_seats(state) > 0 && state / POSTING != h->seen[index];
}

/// The open ticket with the fewest helpers, of equal ones that served least recently.
static int find_ticket(const helper* h, uint64_t* state)
{
    const int used = atomic_load(&pool.used);
    int best = -1;
    for (int k = 0; k < used; k++) {
        const int i = h->next + k < used ? h->next + k : (h->next + k) % used;
        const uint64_t s = atomic_load(&pool.tickets[i].state);
        if (!is_open(h, i, s)) continue;
        if (best >= 0 && helpers_inside(s) >= helpers_inside(*state)) continue;
        best = i;
        *state = s;
    }
    return best;
}

/// Waits for a call. While several callers are about, one of the helpers asleep looks again after a
/// moment: callers do not call where no processor is free, and do not tell when one is.
static void sleep_until_called(void)
{
    if (pool.polled || atomic_load(&pool.used) < 2 || count_callers() == 0) {
        pthread_cond_wait(&pool.called, &pool.lock);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(RECENT * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pool.polled = true;
    pthread_cond_timedwait(&pool.called, &pool.lock, &until);
    pool.polled = false;
}

static int await_ticket(const helper* h, uint64_t* state)
{
    int found = -1;
    const int spins = may_spin() ? SPINS : 0;
    for (int i = 0; i < spins; i++) {
        found = find_ticket(h, state);
        if (found >= 0 && is_processor_free()) return found;
        if (found >= 0) break; // others need the processor
        pause_a_little();
    }
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1);
    while ((found = find_ticket(h, state)) < 0 || !is_processor_free()) sleep_until_called();
    atomic_fetch_sub(&pool.asleep, 1);
    pthread_mutex_unlock(&pool.lock);
    return found;
}

/// Takes a seat, does the work, leaves. Nothing if others took the seats meanwhile.
static void work_on(helper* h, int index, uint64_t state)
{
    ticket* t = &pool.tickets[index];
    bool joined = false;
    while (!joined && is_open(h, index, state))
        joined = atomic_compare_exchange_weak(&t->state, &state, state - SEAT + 1);
    if (!joined) return;
    h->seen[index] = state / POSTING;
    h->next = index + 1;
    // Two callers may both have counted on the same idle helpers. The last of these to find work
    // sees that no idle one is left and calls others for all seats that are still free.
    if (atomic_load(&pool.used) > 1) call_helpers(count_free_seats());
    current = t;
    t->fn(t->threads - free_seats(state), t->context); // 1 for the first that came
    current = NULL;
    if (helpers_inside(atomic_fetch_sub(&t->state, 1)) == 1 && atomic_load(&t->waits)) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_signal(&t->left);
        pthread_mutex_unlock(&pool.lock);
    }
}

static void* help(void* context)
{
    helper h = {{0}, 0};
    helper_number = (int)(ptrdiff_t)context;
    for (;;) {
        uint64_t state = 0;
        const int found = await_ticket(&h, &state);
        work_on(&h, found, state);
    }
    return NULL;
}

// Starting them ----------------------------------------------------------------------------------

static void init_conditions(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool.called, &monotonic);
    pthread_condattr_destroy(&monotonic);
    for (int i = 0; i < TICKETS; i++) pthread_cond_init(&pool.tickets[i].left, NULL);
}

/// In the child of a fork there are no helpers and no other callers.
static void forget_threads(void)
{
    const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pool.lock = lock;
    pool.polled = false;
    init_conditions();
    for (int i = 0; i < TICKETS; i++) {
        ticket* t = &pool.tickets[i];
        const bool mine = t == current;
        atomic_store(&t->taken, mine && helper_number == 0);
        atomic_store(&t->state, mine && helper_number > 0 ? 1 : 0);
        atomic_store(&t->waits, false);
        atomic_store(&t->closed, 0.0);
    }
    atomic_store(&pool.used, current ? (int)(current - pool.tickets) + 1 : 0);
    atomic_store(&pool.helpers, 0);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.hardware, 0);
}

/// Starts helpers that are missing, as far as the system allows. Signals are for other threads.
static void start_helpers(int wanted)
{
    pthread_mutex_lock(&pool.lock);
    if (!pool.prepared) {
        init_conditions();
        pool.prepared = pthread_atfork(NULL, NULL, forget_threads) == 0;
    }
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    if (pool.prepared && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t thread;
        int helpers = atomic_load(&pool.helpers);
        while (helpers < wanted &&
               pthread_create(&thread, &attributes, help, (void*)(ptrdiff_t)(helpers + 1)) == 0)
            atomic_store(&pool.helpers, ++helpers);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    pthread_mutex_unlock(&pool.lock);
}

// Callers ----------------------------------------------------------------------------------------

/// A ticket that nobody has, mostly the one this thread had before; NULL when all are taken.
static ticket* take_ticket(void)
{
    for (int k = 0; k < TICKETS; k++) {
        const int i = (last_ticket + k) % TICKETS;
        ticket* t = &pool.tickets[i];
        if (atomic_exchange(&t->taken, true)) continue;
        last_ticket = i;
        int used = atomic_load(&pool.used);
        while (used <= i && !atomic_compare_exchange_weak(&pool.used, &used, i + 1)) {}
        return t;
    }
    return NULL;
}

static void post(ticket* t, int threads, kai_thread_pool_fn* fn, void* context)
{
    t->threads = threads;
    t->fn = fn;
    t->context = context;
    note_seats(threads - 1);
    const uint64_t posting = atomic_load(&t->state) / POSTING + 1;
    atomic_store(&t->state, posting * POSTING + (uint64_t)(threads - 1) * SEAT);
    call_helpers(threads - 1);
}

/// Lets nobody join any more and waits for the helpers inside.
static void withdraw(ticket* t)
{
    atomic_fetch_and(&t->state, ~(uint64_t)(POSTING - SEAT));
    for (int i = 0; i < SPINS; i++) {
        if (helpers_inside(atomic_load(&t->state)) == 0) return;
        pause_a_little();
    }
    pthread_mutex_lock(&pool.lock);
    atomic_store(&t->waits, true);
    while (helpers_inside(atomic_load(&t->state)) > 0) pthread_cond_wait(&t->left, &pool.lock);
    atomic_store(&t->waits, false);
    pthread_mutex_unlock(&pool.lock);
}

void kai_thread_pool_run(int threads, kai_thread_pool_fn* fn, void* context)
{
    const int processors = kai_thread_pool_processors();
    if (threads > processors) threads = processors;
    if (threads > MOST_HELPERS + 1) threads = MOST_HELPERS + 1;
    ticket* t = threads < 2 || current ? NULL : take_ticket();
    if (!t) {
        fn(0, context);
        return;
    }
    int wanted = (threads - 1) * (last_ticket + 1); // those before have callers of their own
    if (wanted > processors - 1) wanted = processors - 1;
    if (wanted > MOST_HELPERS) wanted = MOST_HELPERS;
    if (atomic_load_explicit(&pool.helpers, memory_order_relaxed) < wanted) start_helpers(wanted);
    current = t;
    post(t, threads, fn, context);
    fn(0, context);
    withdraw(t);
    current = NULL;
    if (atomic_load_explicit(&pool.used, memory_order_relaxed) > 1)
        atomic_store(&t->closed, kai_clock_now());
    atomic_store(&t->taken, false);
}
