// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Threads have queues: tasks of neighbouring blocks, in their turns, the same ones in every pass, so
// that bodies and contacts stay in the cache of a core. What another core has worked on takes longer
// than the work itself, so tasks of others' queues are left to them: but for queues whose thread has
// not turned up, and after a while, when it may be held up by other programs. The first of all tasks
// that nobody has taken can always begin once those that were taken are done: nothing can get stuck,
// however many of the threads turn up.
#include "solve/cone_schedule.h"

#include "base/parallel.h"
#include "base/thread_pool.h"

#include <math.h>
#include <sched.h>
#include <string.h>

enum {
    MOST = KAI_CONE_THREADS,
    PATIENCE = 100, // looks, some 5 µs, before tasks are taken from others
    CALLS = 16      // passes that come in quick succession: threads that were woken stay awake
};

// A pass must give each thread so much to do, s, and passes must pay for waking the threads
// (base/parallel.c).
static const double LEAST = 8e-6;

typedef struct queue {
    _Alignas(64) atomic_size_t next; // in tasks of all rounds
    atomic_bool owned;               // its thread is there
    const uint32_t* tasks;
    size_t count;
} queue;

typedef struct schedule {
    const kai_cone_task* tasks;
    const kai_cone_place* places;
    const uint32_t* totals;
    kai_cone_schedule_counter* counters;
    kai_cone_schedule_fn* fn;
    void* context;
    size_t rounds;
    int queues;
    queue all[MOST];
} schedule;

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Tasks ------------------------------------------------------------------------------------------

static bool can_begin(const schedule* s, const kai_cone_task* t, unsigned round)
{
    for (uint32_t k = t->place; k < t->place + t->places; k++) {
        const kai_cone_place* p = &s->places[k];
        const unsigned wanted = round * s->totals[p->counter] + p->number;
        // Counters go round; differences do not.
        if ((int)(atomic_load_explicit(&s->counters[p->counter].done, memory_order_acquire) -
                  wanted) < 0)
            return false;
    }
    return true;
}

static void finish(const schedule* s, const kai_cone_task* t)
{
    for (uint32_t k = t->place; k < t->place + t->places; k++)
        atomic_fetch_add_explicit(&s->counters[s->places[k].counter].done, 1, memory_order_release);
}

typedef enum found { NOTHING, WAITING, FOUND } found;

// The first task of a queue, if it can begin.
static found take(schedule* s, queue* q, uint32_t* task)
{
    size_t at = atomic_load_explicit(&q->next, memory_order_relaxed);
    if (at >= q->count * s->rounds) return NOTHING;
    *task = q->tasks[at % q->count];
    if (!can_begin(s, &s->tasks[*task], (unsigned)(at / q->count))) return WAITING;
    return atomic_compare_exchange_strong(&q->next, &at, at + 1) ? FOUND : WAITING;
}

// The same of a queue that nobody has, or in a `hurry` of any.
static found take_any(schedule* s, int first, bool hurry, uint32_t* task)
{
    found best = NOTHING;
    for (int k = 0; k < s->queues; k++) {
        queue* q = &s->all[(first + k) % s->queues];
        const bool left = hurry || !atomic_load_explicit(&q->owned, memory_order_relaxed);
        const size_t at = atomic_load_explicit(&q->next, memory_order_relaxed);
        const found f = left ? take(s, q, task) : at < q->count * s->rounds ? WAITING : NOTHING;
        if (f == FOUND) return f;
        if (f == WAITING) best = f;
    }
    return best;
}

// A task, sooner or later; NOTHING: all were taken.
static found await(schedule* s, queue* own, int first, uint32_t* task)
{
    for (int looks = 1;; looks++) {
        const bool hurry = looks % PATIENCE == 0;
        found f = own ? take(s, own, task) : NOTHING;
        if (f != FOUND) f = take_any(s, first, hurry, task);
        if (f != WAITING) return f;
        if (hurry) sched_yield();
        pause_a_little();
    }
}

// The queue of this thread, the same one each time where it is free.
static queue* own_queue(schedule* s, int first)
{
    for (int k = 0; k < s->queues; k++) {
        queue* q = &s->all[(first + k) % s->queues];
        if (!atomic_exchange_explicit(&q->owned, true, memory_order_relaxed)) return q;
    }
    return NULL;
}

static void work(int worker, void* context)
{
    (void)worker;
    schedule* s = context;
    const int first = kai_thread_pool_self() % s->queues;
    queue* own = own_queue(s, first);
    uint32_t task;
    while (await(s, own, first, &task) == FOUND) {
        s->fn(task, s->context);
        finish(s, &s->tasks[task]);
    }
}

// Queues -----------------------------------------------------------------------------------------

// Shares out tasks, equal costs in the order of their owners; parts of colours by their number.
static void fill_queues(kai_cone* cone, int queues)
{
    const kai_cone_task* tasks = cone->tasks.data;
    const uint32_t* turns = cone->turns.data;
    uint32_t *list = cone->queues.data, *owners = cone->shares.data;
    const size_t count = cone->tasks.count;
    uint64_t sum = 0, before = 0;
    uint32_t next[MOST] = {0}, at = 0;
    memset(owners, 0, cone->spare * sizeof *owners);
    for (size_t t = 0; t < count; t++) {
        owners[tasks[t].owner] += tasks[t].cost;
        sum += tasks[t].cost;
    }
    for (size_t b = 0; b < cone->spare; b++) {
        const uint64_t middle = before + owners[b] / 2;
        before += owners[b];
        owners[b] = (uint32_t)(middle * (uint64_t)queues / (sum + 1));
    }
    for (size_t t = 0; t < count; t++) next[owners[tasks[t].owner]]++;
    for (int q = 0; q < queues; q++) {
        const uint32_t n = next[q];
        next[q] = at;
        at += n;
    }
    for (size_t k = 0; k < count; k++) list[next[owners[tasks[turns[k]].owner]]++] = turns[k];
    memcpy(cone->ends, next, (size_t)queues * sizeof *next);
    cone->queued = queues;
}

static int useful_threads(const kai_cone* cone, int threads, uint32_t rounds)
{
    const double grain = kai_parallel_grain(), all = cone->cost * fmax(rounds, CALLS);
    const int processors = kai_thread_pool_processors();
    if (threads > processors) threads = processors;
    if (threads > MOST) threads = MOST;
    if ((size_t)threads > cone->tasks.count) threads = (int)cone->tasks.count;
    if (threads < 2 || grain == 0.0) return threads;
    const double wanted = fmin(cone->cost / LEAST, sqrt(2.0 * all / grain));
    if (wanted < threads) threads = (int)wanted;
    return threads > 1 ? threads : 1;
}

static void run_alone(const kai_cone* cone, uint32_t rounds, kai_cone_schedule_fn* fn,
                      void* context)
{
    const uint32_t* turns = cone->turns.data;
    for (uint32_t r = 0; r < rounds; r++)
        for (size_t k = 0; k < cone->tasks.count; k++) fn(turns[k], context);
}

kai_result kai_cone_schedule(kai_cone* cone, int threads, uint32_t rounds, kai_cone_schedule_fn* fn,
                             void* context, kai_error* err)
{
    threads = useful_threads(cone, threads, rounds);
    if (threads < 2) {
        run_alone(cone, rounds, fn, context);
        return KAI_OK;
    }
    const size_t counters = cone->counters;
    KAI_TRY(kai_array_reserve(&cone->progress, cone->memory, counters, err));
    KAI_TRY(kai_array_reserve(&cone->shares, cone->memory, cone->spare, err));
    if (cone->queued != threads) fill_queues(cone, threads);
    schedule s = {.tasks = cone->tasks.data,
                  .places = cone->places.data,
                  .totals = cone->totals.data,
                  .counters = cone->progress.data,
                  .fn = fn,
                  .context = context,
                  .rounds = rounds,
                  .queues = threads};
    for (size_t k = 0; k < counters; k++) atomic_init(&s.counters[k].done, 0);
    for (int q = 0; q < threads; q++) {
        const uint32_t begin = q ? cone->ends[q - 1] : 0;
        atomic_init(&s.all[q].next, 0);
        atomic_init(&s.all[q].owned, false);
        s.all[q].tasks = (const uint32_t*)cone->queues.data + begin;
        s.all[q].count = cone->ends[q] - begin;
    }
    kai_thread_pool_run(threads, work, &s);
    return KAI_OK;
}

typedef struct free_tasks {
    kai_cone_schedule_fn* fn;
    void* context;
} free_tasks;

static void do_free(size_t begin, size_t end, void* context)
{
    const free_tasks* f = context;
    for (size_t t = begin; t < end; t++) f->fn(t, f->context);
}

void kai_cone_schedule_free(const kai_cone* cone, int threads, kai_cone_schedule_fn* fn,
                            void* context)
{
    free_tasks f = {fn, context};
    kai_parallel_for(useful_threads(cone, threads, 1), cone->tasks.count, 1, do_free, &f);
}
