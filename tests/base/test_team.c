// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/parallel.h"
#include "base/team.h"
#include "helper.h"

#include <pthread.h>
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

static bool try_team(int threads)
{
    piece p = {.threads = threads > 1 ? threads : 1};
    kai_team_run(threads, work, &p);
    return is_done(&p);
}

// What helpers wrote is there when the call returns, many times in a row, for teams that grow and
// shrink; more threads than processors, and than there are helpers.
static void test_work_is_done_once(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 16, 3, 0, -1, 7, 300};
    for (int round = 0; round < 300; round++)
        for (int k = 0; k < 8; k++) assert_true(try_team(threads[k]));
}

typedef struct meeting {
    atomic_int here;
} meeting;

static void meet(int worker, void* context)
{
    (void)worker;
    meeting* m = context;
    atomic_fetch_add(&m->here, 1);
    while (atomic_load(&m->here) < 2) {}
}

// Helpers do come, after pauses that send them to sleep too.
static void test_helpers_come(void** state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        meeting m = {0};
        kai_team_run(2, meet, &m);
        assert_int_equal(atomic_load(&m.here), 2);
        usleep(round % 2 ? 2000 : 10);
    }
}

static void inner(int worker, void* context)
{
    (void)worker;
    if (!try_team(4)) atomic_store((atomic_int*)context, 1);
}

// A team inside of a team is one thread.
static void test_nested(void** state)
{
    (void)state;
    atomic_int failed = 0;
    for (int i = 0; i < 50; i++) kai_team_run(3, inner, &failed);
    assert_int_equal(atomic_load(&failed), 0);
}

static void* many_teams(void* context)
{
    for (int i = 0; i < 500; i++)
        if (!try_team(3)) atomic_store((atomic_int*)context, 1);
    return NULL;
}

// Threads of a program that all have work: one of them gets the helpers at a time.
static void test_callers(void** state)
{
    (void)state;
    atomic_int failed = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many_teams, &failed), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&failed), 0);
}

// A child has no helpers, and gets its own.
static void test_fork(void** state)
{
    (void)state;
#ifdef NO_THREADS_AFTER_FORK
    skip();
#else
    assert_true(try_team(4));
    for (int round = 0; round < 20; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(30);
            meeting m = {0};
            const bool good = try_team(4);
            kai_team_run(2, meet, &m);
            _exit(good && try_team(2) ? 0 : 1);
        }
        int status = -1;
        assert_true(waitpid(child, &status, 0) == child);
        assert_int_equal(status, 0);
        assert_true(try_team(4));
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_done_once), cmocka_unit_test(test_helpers_come),
        cmocka_unit_test(test_nested), cmocka_unit_test(test_callers), cmocka_unit_test(test_fork)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
