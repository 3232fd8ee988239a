// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"
#include "base/parallel.h"
#include "helper.h"

#include <stdatomic.h>

static const int THREADS[] = {1, 2, 3, 7, 16};
enum { CHOICES = 5 };

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_arena arena;
    kai_error err;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    kai_arena_init(&f->arena, &f->memory);
}

static void finish(fixture* f)
{
    assert_int_equal(f->arena.used, 0);
    kai_arena_free(&f->arena);
    assert_int_equal(f->counter.blocks, 0);
}

// Visits -----------------------------------------------------------------------------------------

enum { MOST = 10000 };

// Threads write to places of their own only; asserts come afterwards, on the main thread.
typedef struct visits {
    size_t block;
    size_t count;
    int times[MOST];
    int worker[MOST];
    int odd[MOST]; // set where a block has a wrong size or start
} visits;

static void visit(size_t begin, size_t end, int worker, void* context)
{
    visits* v = context;
    const size_t expected = v->count - begin < v->block ? v->count - begin : v->block;
    if (begin % v->block != 0 || end - begin != expected) v->odd[begin] = 1;
    for (size_t i = begin; i < end; i++) {
        v->times[i]++;
        v->worker[i] = worker;
    }
}

static void test_every_index_once(void** state)
{
    (void)state;
    const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, MOST};
    const size_t blocks[] = {1, 2, 64, 100, 2 * MOST, SIZE_MAX};
    static visits v;
    for (int t = 0; t < CHOICES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
                memset(&v, 0, sizeof v);
                v.block = blocks[b];
                v.count = counts[c];
                kai_parallel_for_workers(THREADS[t], counts[c], blocks[b], visit, &v);
                for (size_t i = 0; i < MOST; i++) {
                    assert_int_equal(v.times[i], i < counts[c] ? 1 : 0);
                    assert_int_equal(v.odd[i], 0);
                    assert_true(v.worker[i] >= 0 && v.worker[i] < THREADS[t]);
                }
            }
}

// A loop that is not worth another thread is done by its caller, and its result is the same.
static void test_small_loops_stay_with_their_caller(void** state)
{
    (void)state;
    static visits v;
    kai_parallel_set_grain(1.0);
    for (int round = 0; round < 3; round++) {
        memset(&v, 0, sizeof v);
        v.block = 10;
        v.count = 1000;
        kai_parallel_for_workers(16, v.count, v.block, visit, &v);
        for (size_t i = 0; i < v.count; i++) {
            assert_int_equal(v.times[i], 1);
            assert_int_equal(v.worker[i], 0);
        }
    }
    kai_parallel_set_grain(0.0);
}

typedef struct queue {
    atomic_int done;
    int alone; // set when others did not do the rest
} queue;

// The first block takes until all others are done.
static void dawdle(size_t begin, size_t end, void* context)
{
    (void)end;
    queue* q = context;
    const double began = kai_clock_now();
    while (begin == 0 && atomic_load(&q->done) < 99 && !q->alone)
        q->alone = kai_clock_now() - began > 20.0;
    atomic_fetch_add(&q->done, 1);
}

// A thread that is done helps others: a slow one does not hold up what it has not begun.
static void test_others_help(void** state)
{
    (void)state;
    queue q = {0};
    kai_parallel_for(2, 100, 1, dawdle, &q);
    assert_int_equal(q.alone, 0);
    assert_int_equal(atomic_load(&q.done), 100);
}

static void test_odd_arguments(void** state)
{
    (void)state;
    static visits v;
    const int threads[] = {0, -3, 4};
    for (int k = 0; k < 3; k++) {
        memset(&v, 0, sizeof v);
        v.block = 1; // what a block of 0 stands for
        v.count = 50;
        kai_parallel_for_workers(threads[k], 50, 0, visit, &v);
        for (size_t i = 0; i < 50; i++) assert_true(v.times[i] == 1 && v.odd[i] == 0);
    }
    assert_true(kai_parallel_hardware() >= 1);
}

static void outer(size_t begin, size_t end, void* context)
{
    visits* v = context;
    for (size_t i = begin; i < end; i++) {
        v[i].block = 8;
        v[i].count = 500;
        kai_parallel_for_workers(4, 500, 8, visit, &v[i]);
    }
}

// A loop inside a loop does all of its work on the thread it is called from.
static void test_nested(void** state)
{
    (void)state;
    enum { OUTER = 12 };
    visits* v = calloc(OUTER, sizeof *v);
    assert_non_null(v);
    kai_parallel_for(3, OUTER, 1, outer, v);
    for (int k = 0; k < OUTER; k++)
        for (int i = 0; i < 500; i++) {
            assert_int_equal(v[k].times[i], 1);
            assert_true(v[k].worker[i] >= 0 && v[k].worker[i] < 4);
        }
    free(v);
}

// Reductions -------------------------------------------------------------------------------------

enum { COUNT = 200000, WIDTH = 3 };

// Numbers from 1e-150 to 1e150 of both signs: any change of order changes the sum.
static double wild(uint64_t i)
{
    return helper_random(2 * i) * pow(10.0, 150.0 * helper_random(2 * i + 1));
}

// Of like size, so that the sum rounds at every step.
static double tame(uint64_t i) { return helper_random(i) / 3.0; }

static void sum_numbers(size_t begin, size_t end, double* sums, void* context)
{
    const double* numbers = context;
    for (size_t i = begin; i < end; i++) {
        sums[0] += numbers[i];
        sums[1] += tame(i);
        sums[2] += 1.0;
    }
}

static void max_numbers(size_t begin, size_t end, double* sums, void* context)
{
    const double* numbers = context;
    for (size_t i = begin; i < end; i++) {
        sums[0] = fmax(sums[0], numbers[i]);
        sums[1] = fmax(sums[1], -numbers[i]);
        sums[2] = fmax(sums[2], tame(i));
    }
}

static void test_same_bits_for_any_number_of_threads(void** state)
{
    (void)state;
    double* numbers = malloc(COUNT * sizeof *numbers);
    assert_non_null(numbers);
    double exact_max = -HUGE_VAL;
    for (uint64_t i = 0; i < COUNT; i++) {
        numbers[i] = wild(i);
        exact_max = fmax(exact_max, numbers[i]);
    }
    const size_t blocks[] = {1, 100, 4096, COUNT};
    for (int b = 0; b < 4; b++) {
        double first[2][WIDTH];
        for (int t = 0; t < CHOICES; t++) {
            fixture f;
            start(&f);
            double out[2][WIDTH];
            check_ok(kai_parallel_sum(THREADS[t], COUNT, blocks[b], sum_numbers, numbers, WIDTH,
                                      out[0], &f.arena, &f.err));
            check_ok(kai_parallel_max(THREADS[t], COUNT, blocks[b], max_numbers, numbers, WIDTH,
                                      out[1], &f.arena, &f.err));
            if (t == 0) memcpy(first, out, sizeof out);
            assert_memory_equal(first, out, sizeof out);
            assert_true(out[0][2] == COUNT);
            assert_true(out[1][0] == exact_max);
            finish(&f);
        }
    }
    free(numbers);
}

static void test_no_items(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    double out[WIDTH] = {5.0, 5.0, 5.0};
    check_ok(kai_parallel_sum(4, 0, 16, sum_numbers, NULL, WIDTH, out, &f.arena, &f.err));
    for (int i = 0; i < WIDTH; i++) assert_true(out[i] == 0.0);
    check_ok(kai_parallel_max(4, 0, 16, max_numbers, NULL, WIDTH, out, &f.arena, &f.err));
    for (int i = 0; i < WIDTH; i++) assert_true(out[i] == -HUGE_VAL);
    check_ok(kai_parallel_sum(4, 1, 0, sum_numbers, &out[0], 0, NULL, &f.arena, &f.err));
    finish(&f);
}

static void first_number(size_t begin, size_t end, double* sums, void* context)
{
    (void)end;
    sums[0] = ((const double*)context)[begin];
}

static void test_nan_is_not_lost(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    for (int place = 0; place < 5; place++) {
        double numbers[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, out = 0.0;
        numbers[place] = nan("");
        check_ok(kai_parallel_max(2, 5, 1, first_number, numbers, 1, &out, &f.arena, &f.err));
        assert_true(isnan(out));
    }
    finish(&f);
}

static void no_work(size_t begin, size_t end, double* sums, void* context)
{
    (void)begin, (void)end, (void)sums, (void)context;
}

static void test_out_of_memory(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    f.counter.fail_at = 1;
    double out = 3.0;
    check_error(kai_parallel_sum(2, 1000, 1, no_work, NULL, 1, &out, &f.arena, &f.err),
                KAI_ERROR_MEMORY);
    check_error(kai_parallel_max(2, 1000, 1, no_work, NULL, 1, &out, &f.arena, &f.err),
                KAI_ERROR_MEMORY);
    check_error(f.err.code, KAI_ERROR_MEMORY);
    // More partial results than the address space holds.
    check_error(kai_parallel_sum(2, SIZE_MAX, 1, no_work, NULL, 1, &out, &f.arena, NULL),
                KAI_ERROR_MEMORY);
    assert_true(out == 3.0);
    finish(&f);
}

static void test_a_warm_reduction_allocates_nothing(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    double out = 0.0;
    check_ok(kai_parallel_sum(3, 100000, 1, no_work, NULL, 1, &out, &f.arena, &f.err));
    const uint64_t calls = f.counter.calls;
    for (int k = 0; k < 5; k++) {
        check_ok(kai_parallel_sum(3, 100000, 1, no_work, NULL, 1, &out, &f.arena, &f.err));
    }
    assert_int_equal(f.counter.calls, calls);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),
        cmocka_unit_test(test_small_loops_stay_with_their_caller),
        cmocka_unit_test(test_others_help),
        cmocka_unit_test(test_odd_arguments),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_no_items),
        cmocka_unit_test(test_nan_is_not_lost),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_a_warm_reduction_allocates_nothing),
    };
    kai_parallel_set_grain(0.0); // all loops on all threads
    return cmocka_run_group_tests(tests, NULL, NULL);
}
