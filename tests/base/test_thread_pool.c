// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"
#include "base/thread_pool.h"
#include "helper.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_THREADS_AFTER_FORK 1 // the sanitizer forbids them
#endif
#endif

enum { ITEMS = 100 };

typedef struct piece {
    atomic_int next;
    int done[ITEMS]; // times
    atomic_int came[512];
    int threads;
    atomic_int wrong;
} piece;

static void work(int worker, void* context)
{
    piece* p = context;
    if (worker < 0 || worker >= p->threads)
        atomic_store(&p->wrong, 1);
    else
        atomic_fetch_add(&p->came[worker], 1);
    for (int i; (i = atomic_fetch_add(&p->next, 1)) < ITEMS;) p->done[i]++;
}

/// Whether all was done once, by the caller and by no worker twice.
static bool is_done(const piece* p)
{
    bool good = atomic_load(&p->came[0]) == 1 && atomic_load(&p->wrong) == 0;
    for (int i = 0; i < ITEMS; i++) good = good && p->done[i] == 1;
    for (int i = 0; i < p->threads; i++) good = good && atomic_load(&p->came[i]) <= 1;
    return good;
}

static bool try_call(int threads)
{
    piece p = {.threads = threads > 1 ? threads : 1};
    kai_thread_pool_run(threads, work, &p);
    return is_done(&p);
}

// What helpers wrote is there when the call returns, many times in a row, for numbers of threads
// that grow and shrink; more threads than processors, and than there are helpers.
static void test_work_is_done_once(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 16, 3, 0, -1, 7, 300};
    for (int round = 0; round < 300; round++)
        for (int k = 0; k < 8; k++) assert_true(try_call(threads[k]));
}

// Threads wait for each other no longer than this before a test fails.
static const double PATIENCE = 30.0; // s

/// Counts itself in and waits for `expected`; false when they did not come in time.
static bool await_all(atomic_int* here, int expected)
{
    const double began = kai_clock_now();
    atomic_fetch_add(here, 1);
    while (atomic_load(here) < expected) {
        if (kai_clock_now() - began > PATIENCE) return false;
        sched_yield();
    }
    return true;
}

typedef struct meeting {
    atomic_int here, missed;
    int expected;
} meeting;

static void meet(int worker, void* context)
{
    (void)worker;
    meeting* m = context;
    if (!await_all(&m->here, m->expected)) atomic_store(&m->missed, 1);
}

// All helpers of a call do come, after pauses that send them to sleep too.
static void test_helpers_come(void** state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        meeting m = {.expected = 2 + round % 5};
        kai_thread_pool_run(m.expected, meet, &m);
        assert_int_equal(atomic_load(&m.missed), 0);
        assert_int_equal(atomic_load(&m.here), m.expected);
        usleep(round % 2 ? 2000 : 10);
    }
}

static void* call_meeting(void* context)
{
    kai_thread_pool_run(3, meet, context);
    return NULL;
}

// Two callers at once: the call of either ends only when both have two helpers at the same time.
static void test_two_callers_have_helpers(void** state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        meeting m = {.expected = 6};
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, call_meeting, &m), 0);
        call_meeting(&m);
        pthread_join(other, NULL);
        assert_int_equal(atomic_load(&m.missed), 0);
        assert_int_equal(atomic_load(&m.here), 6);
        usleep(round % 2 ? 5000 : 10);
    }
}

static void note_thread(int worker, void* context)
{
    (void)worker;
    atomic_fetch_add((atomic_int*)context, 1);
    usleep(2000);
}

static void stay_inside(int worker, void* context)
{
    if (worker == 0) await_all(context, 2);
}

static void* call_stay(void* context)
{
    kai_thread_pool_run(2, stay_inside, context);
    return NULL;
}

// Two callers on two processors keep these for themselves.
static void test_helpers_leave_processors_to_callers(void** state)
{
    (void)state;
    kai_thread_pool_set_processors(2);
    atomic_int here = 0;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, call_stay, &here), 0);
    const double began = kai_clock_now();
    while (atomic_load(&here) == 0 && kai_clock_now() - began < PATIENCE) sched_yield();
    for (int i = 0; i < 20; i++) {
        atomic_int workers = 0;
        kai_thread_pool_run(2, note_thread, &workers);
        assert_int_equal(atomic_load(&workers), 1);
    }
    atomic_fetch_add(&here, 1);
    pthread_join(other, NULL);
    kai_thread_pool_set_processors(16);
}

// More threads than processors are no more workers, and one processor is the caller alone.
static void test_no_more_workers_than_processors(void** state)
{
    (void)state;
    for (int processors = 1; processors <= 3; processors++) {
        kai_thread_pool_set_processors(processors);
        for (int i = 0; i < 10; i++) {
            atomic_int workers = 0;
            kai_thread_pool_run(16, note_thread, &workers);
            assert_in_range(atomic_load(&workers), 1, processors);
        }
    }
    kai_thread_pool_set_processors(0);
    assert_true(kai_thread_pool_processors() >= 1);
    kai_thread_pool_set_processors(16);
}

static void block_check(int worker, void* context)
{
    meeting* m = context;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (worker > 0 && !sigismember(&blocked, SIGINT)) atomic_store(&m->missed, 1);
    if ((worker > 0) != (kai_thread_pool_self() > 0)) atomic_store(&m->missed, 1);
    meet(worker, context);
}

// Signals are for the threads of the program.
static void test_helpers_block_signals(void** state)
{
    (void)state;
    meeting m = {.expected = 3};
    kai_thread_pool_run(3, block_check, &m);
    assert_int_equal(atomic_load(&m.missed), 0);
    assert_int_equal(kai_thread_pool_self(), 0);
}

static void inner(int worker, void* context)
{
    (void)worker;
    if (!try_call(4)) atomic_store((atomic_int*)context, 1);
}

// A call inside of a call is one thread.
static void test_nested(void** state)
{
    (void)state;
    atomic_int failed = 0;
    for (int i = 0; i < 50; i++) kai_thread_pool_run(3, inner, &failed);
    assert_int_equal(atomic_load(&failed), 0);
}

static void* many_calls(void* context)
{
    for (int i = 0; i < 500; i++)
        if (!try_call(3)) atomic_store((atomic_int*)context, 1);
    return NULL;
}

// Threads of a program that all have work: some of them more than there are tickets.
static void test_callers(void** state)
{
    (void)state;
    atomic_int failed = 0;
    enum { CALLERS = 20 };
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_calls, &failed), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&failed), 0);
    // What they left behind is in nobody's way.
    test_helpers_come(state);
}

// A child has no helpers, and gets its own.
static void test_fork(void** state)
{
    (void)state;
#ifdef NO_THREADS_AFTER_FORK
    skip();
#else
    assert_true(try_call(4));
    for (int round = 0; round < 20; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            meeting m = {.expected = 2};
            const bool good = try_call(4);
            kai_thread_pool_run(2, meet, &m);
            _exit(good && try_call(2) && atomic_load(&m.missed) == 0 ? 0 : 1);
        }
        int status = -1;
        assert_true(waitpid(child, &status, 0) == child);
        assert_int_equal(status, 0);
        assert_true(try_call(4));
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_done_once),
        cmocka_unit_test(test_helpers_come),
        cmocka_unit_test(test_two_callers_have_helpers),
        cmocka_unit_test(test_helpers_leave_processors_to_callers),
        cmocka_unit_test(test_no_more_workers_than_processors),
        cmocka_unit_test(test_helpers_block_signals),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_callers),
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
