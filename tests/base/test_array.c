// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/array.h"
#include "helper.h"

// A memory of its own with a counter for each test.
typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_error err;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
}

static void finish(fixture* f, kai_array* array)
{
    kai_array_free(array, &f->memory);
    assert_int_equal(f->counter.blocks, 0);
    assert_int_equal(f->memory.bytes, 0);
    assert_int_equal(array->count, 0);
    assert_null(array->data);
}

// The promise of the header: bytes past count are zero, to the end of the last cache line.
static void check_tail(const kai_array* array)
{
    if (array->data == NULL) return;
    const unsigned char* bytes = array->data;
    const size_t end = (array->capacity * array->stride + 63) / 64 * 64;
    for (size_t i = array->count * array->stride; i < end; i++) assert_int_equal(bytes[i], 0);
}

static void test_append_and_read(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(uint32_t));
    for (uint32_t i = 0; i < 100000; i++)
        check_ok(kai_array_append(&array, &f.memory, &i, 1, &f.err));
    assert_int_equal(array.count, 100000);
    assert_int_equal((uintptr_t)array.data % KAI_ALIGNMENT, 0);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_int_equal(*(uint32_t*)kai_array_at(&array, i), i);
    }
    // Growing by half from 16: log(100000 / 16) / log(1.5) = 22 times.
    assert_true(f.memory.allocations <= 24);
    check_tail(&array);
    finish(&f, &array);
}

static void test_any_stride_keeps_the_tail_zero(void** state)
{
    (void)state;
    const size_t strides[] = {1, 3, 8, 24, 56, 63, 64, 65, 100, 1000};
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        fixture f;
        start(&f);
        unsigned char item[1000];
        memset(item, 0xff, sizeof item);
        kai_array array = kai_array_make(strides[k]);
        for (uint64_t i = 0; i < 300; i++) {
            const double what = helper_random(1000 * k + i);
            if (what < 0.4) {
                check_ok(kai_array_append(&array, &f.memory, item, 1, &f.err));
            } else if (what < 0.6) {
                check_ok(kai_array_append(&array, &f.memory, NULL, 3, &f.err));
            } else if (what < 0.8) {
                check_ok(kai_array_resize(&array, &f.memory, array.count / 2, &f.err));
            } else if (array.count > 0) {
                kai_array_swap_remove(&array, array.count / 3);
            }
            check_tail(&array);
        }
        finish(&f, &array);
    }
}

static void test_resize_zeroes_new_items(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(double));
    check_ok(kai_array_resize(&array, &f.memory, 10, &f.err));
    double* data = array.data;
    for (int i = 0; i < 10; i++) data[i] = 1.0 + i;
    check_ok(kai_array_resize(&array, &f.memory, 4, &f.err));
    check_ok(kai_array_resize(&array, &f.memory, 1000, &f.err));
    data = array.data;
    for (int i = 0; i < 1000; i++) assert_true(data[i] == (i < 4 ? 1.0 + i : 0.0));
    finish(&f, &array);
}

static void test_reserve_never_shrinks_or_repeats(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(double));
    check_ok(kai_array_reserve(&array, &f.memory, 1000, &f.err));
    const void* data = array.data;
    check_ok(kai_array_reserve(&array, &f.memory, 10, &f.err));
    check_ok(kai_array_resize(&array, &f.memory, 1000, &f.err));
    assert_ptr_equal(array.data, data);
    assert_int_equal(f.memory.allocations, 1);
    finish(&f, &array);
}

static void test_fit_takes_no_more_than_asked(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(double));
    check_ok(kai_array_fit(&array, &f.memory, 1000, &f.err));
    assert_int_equal(array.capacity, 1000);
    check_ok(kai_array_resize(&array, &f.memory, 1000, &f.err));
    for (size_t i = 0; i < 1000; i++) ((double*)array.data)[i] = (double)i;
    check_ok(kai_array_fit(&array, &f.memory, 1001, &f.err));
    assert_int_equal(array.capacity, 1008); // whole cache lines
    check_ok(kai_array_fit(&array, &f.memory, 7, &f.err));
    assert_int_equal(array.capacity, 1008);
    for (size_t i = 0; i < 1008; i++)
        assert_true(((double*)array.data)[i] == (i < 1000 ? (double)i : 0.0));
    finish(&f, &array);
}

static void test_append_its_own_items(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(int));
    for (int i = 0; i < 16; i++) check_ok(kai_array_append(&array, &f.memory, &i, 1, &f.err));
    // Doubling moves the block while the source still lies in it.
    for (int k = 0; k < 6; k++) {
        check_ok(kai_array_append(&array, &f.memory, array.data, array.count, &f.err));
    }
    for (size_t i = 0; i < array.count; i++) {
        assert_int_equal(*(int*)kai_array_at(&array, i), (int)(i % 16));
    }
    finish(&f, &array);
}

static void test_swap_remove(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(sizeof(int));
    for (int i = 0; i < 5; i++) check_ok(kai_array_append(&array, &f.memory, &i, 1, &f.err));
    kai_array_swap_remove(&array, 1); // 0 4 2 3
    kai_array_swap_remove(&array, 3); // 0 4 2
    const int expected[] = {0, 4, 2};
    assert_int_equal(array.count, 3);
    assert_memory_equal(array.data, expected, sizeof expected);
    finish(&f, &array);
}

static void test_too_large(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_array array = kai_array_make(24);
    check_ok(kai_array_append(&array, &f.memory, NULL, 5, &f.err));
    const kai_array before = array;
    check_error(kai_array_reserve(&array, &f.memory, SIZE_MAX / 24 + 1, &f.err), KAI_ERROR_LIMIT);
    check_error(kai_array_resize(&array, &f.memory, SIZE_MAX, &f.err), KAI_ERROR_LIMIT);
    check_error(kai_array_append(&array, &f.memory, NULL, SIZE_MAX, &f.err), KAI_ERROR_LIMIT);
    check_error(kai_array_append(&array, &f.memory, NULL, SIZE_MAX - 5, NULL), KAI_ERROR_LIMIT);
    assert_memory_equal(&array, &before, sizeof array);
    finish(&f, &array);
}

// Every allocation of a growing array fails once: the array stays as it was.
static void test_out_of_memory(void** state)
{
    (void)state;
    int failures = 0;
    for (uint64_t n = 1; n <= 20; n++) {
        fixture f;
        start(&f);
        f.counter.fail_at = n;
        kai_array array = kai_array_make(sizeof(uint64_t));
        for (uint64_t i = 0; i < 2000; i++) {
            const kai_array before = array;
            const size_t bytes = f.memory.bytes;
            const kai_result r = kai_array_append(&array, &f.memory, &i, 1, &f.err);
            if (r == KAI_OK) continue;
            failures++;
            check_error(r, KAI_ERROR_MEMORY);
            check_error(f.err.code, KAI_ERROR_MEMORY);
            assert_memory_equal(&array, &before, sizeof array);
            assert_int_equal(f.memory.bytes, bytes);
            for (uint64_t j = 0; j < i; j++) {
                assert_int_equal(*(uint64_t*)kai_array_at(&array, j), j);
            }
            break;
        }
        check_tail(&array);
        finish(&f, &array);
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append_and_read),
        cmocka_unit_test(test_any_stride_keeps_the_tail_zero),
        cmocka_unit_test(test_resize_zeroes_new_items),
        cmocka_unit_test(test_reserve_never_shrinks_or_repeats),
        cmocka_unit_test(test_fit_takes_no_more_than_asked),
        cmocka_unit_test(test_append_its_own_items),
        cmocka_unit_test(test_swap_remove),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
