// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

#include "base/worker.h"

static void count(void* context) { (*(int*)context)++; }

// Every job is done, one after the other, and the owner sees what it wrote.
static void test_jobs(void** state)
{
    int done = 0;
    kai_worker worker;
    kai_worker_init(&worker, count, &done);
    kai_worker_wait(&worker);
    assert_int_equal(done, 0);
    for (int i = 1; i <= 1000; i++) {
        kai_worker_run(&worker);
        if (i % 7 != 0) continue;
        kai_worker_wait(&worker);
        assert_int_equal(done, i);
    }
    kai_worker_free(&worker);
    assert_int_equal(done, 1000);
}

// One that never had anything to do has no thread.
static void test_idle(void** state)
{
    int done = 0;
    kai_worker worker;
    kai_worker_init(&worker, count, &done);
    assert_false(worker.started);
    kai_worker_free(&worker);
    assert_int_equal(done, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
