// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/memory.h"
#include "helper.h"

static void test_default_allocator_is_aligned(void** state)
{
    (void)state;
    const kai_allocator none = {0};
    const kai_allocator* choices[] = {NULL, &none};
    for (int k = 0; k < 2; k++) {
        kai_memory memory;
        kai_memory_init(&memory, choices[k]);
        for (size_t bytes = 1; bytes < 1000; bytes += 37) {
            char* block = kai_memory_allocate(&memory, bytes);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % KAI_ALIGNMENT, 0);
            memset(block, 1, bytes);
            assert_int_equal(memory.bytes, (bytes + 63) / 64 * 64);
            kai_memory_release(&memory, block, bytes);
            assert_int_equal(memory.bytes, 0);
        }
    }
}

static void test_counts(void** state)
{
    (void)state;
    helper_allocator counter = {0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory memory;
    kai_memory_init(&memory, &allocator);
    void* a = kai_memory_allocate(&memory, 1);
    void* b = kai_memory_allocate(&memory, 65);
    assert_int_equal(memory.bytes, 64 + 128);
    assert_int_equal(counter.bytes, 64 + 128);
    kai_memory_release(&memory, a, 1);
    kai_memory_release(&memory, b, 65);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.peak, 64 + 128);
    assert_int_equal(memory.allocations, 2);
    assert_int_equal(counter.blocks, 0);
}

static void test_nothing_and_null(void** state)
{
    (void)state;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    assert_null(kai_memory_allocate(&memory, 0));
    assert_null(kai_memory_allocate_zeroed(&memory, 0, 8));
    assert_null(kai_memory_allocate_zeroed(&memory, 8, 0));
    kai_memory_release(&memory, NULL, 100);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.allocations, 0);
}

static void test_overflow_and_failure(void** state)
{
    (void)state;
    helper_allocator counter = {.fail_at = 1};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory memory;
    kai_memory_init(&memory, &allocator);
    // Rounding up and multiplying must not wrap: the allocator is not even asked.
    assert_null(kai_memory_allocate(&memory, SIZE_MAX));
    assert_null(kai_memory_allocate(&memory, SIZE_MAX - 62));
    assert_null(kai_memory_allocate_zeroed(&memory, SIZE_MAX / 8 + 1, 8));
    assert_null(kai_memory_allocate_zeroed(&memory, SIZE_MAX / 2, 3));
    assert_int_equal(counter.calls, 0);
    assert_null(kai_memory_allocate(&memory, 8));
    assert_null(kai_memory_allocate_zeroed(&memory, 8, 8));
    assert_int_equal(counter.calls, 2);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.peak, 0);
}

static void test_zeroed_with_padding(void** state)
{
    (void)state;
    helper_allocator counter = {0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory memory;
    kai_memory_init(&memory, &allocator);
    unsigned char* block = kai_memory_allocate_zeroed(&memory, 9, 8);
    for (int i = 0; i < 128; i++) assert_int_equal(block[i], 0);
    kai_memory_release(&memory, block, 72);
    assert_int_equal(counter.bytes, 0);
}

/// Grows a block by half until it has `most` bytes; each byte that was there stays.
static void grow_to(kai_memory* memory, size_t most)
{
    size_t bytes = 100;
    unsigned char* block = kai_memory_allocate(memory, bytes);
    assert_non_null(block);
    for (size_t i = 0; i < bytes; i++) block[i] = (unsigned char)(i % 251);
    while (bytes < most) {
        const size_t wanted = bytes + bytes / 2;
        block = kai_memory_grow(memory, block, bytes, bytes, wanted);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % KAI_ALIGNMENT, 0);
        assert_int_equal(memory->bytes, (wanted + 63) / 64 * 64);
        for (size_t i = bytes; i < wanted; i++) block[i] = (unsigned char)(i % 251);
        bytes = wanted;
    }
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != i % 251) fail_msg("byte %zu of %zu has changed", i, bytes);
    kai_memory_release(memory, block, bytes);
    assert_int_equal(memory->bytes, 0);
}

static void test_grow(void** state)
{
    (void)state;
    const size_t most = (size_t)64 << 20;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    grow_to(&memory, most);
#if defined(__linux__) && !defined(KAIROS_NO_MAPPED_BLOCKS)
    assert_true(memory.peak < 3 * most / 2 + 64); // never two of them
#endif
    helper_allocator counter = {0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory_init(&memory, &allocator);
    grow_to(&memory, most / 64);
    assert_int_equal(counter.blocks, 0);
    // What cannot grow stays as it is.
    void* block = kai_memory_allocate(&memory, 64);
    counter.fail_at = counter.calls + 1;
    assert_null(kai_memory_grow(&memory, block, 64, 64, 128));
    assert_int_equal(memory.bytes, 64);
    kai_memory_release(&memory, block, 64);
    assert_int_equal(counter.blocks, 0);
}

static void test_limit(void** state)
{
    (void)state;
    helper_allocator counter = {0};
    const kai_allocator allocator = helper_allocator_make(&counter);
    kai_memory memory;
    kai_memory_init(&memory, &allocator);
    assert_int_equal(memory.limit, kai_memory_default_limit());
    kai_memory_set_limit(&memory, 1024);
    void* block = kai_memory_allocate(&memory, 1000);
    assert_non_null(block);
    assert_null(kai_memory_allocate(&memory, 1));
    assert_null(kai_memory_grow(&memory, block, 1000, 1000, 4096));
    assert_int_equal(counter.blocks, 1);

    // The message says so once, and only where it was the limit.
    kai_error err = {0};
    kai_error_set(&err, KAI_ERROR_MEMORY, "no memory for a thing");
    kai_memory_explain(&memory, &err);
    assert_string_equal(err.message,
                        "no memory for a thing; 4 KiB more than the 1 KiB in use pass the limit of "
                        "memory, 1 KiB (--memory, memory_limit)");
    const kai_error told = err;
    kai_memory_explain(&memory, &err);
    assert_string_equal(err.message, told.message);
    kai_memory_release(&memory, block, 1000);
    kai_memory_set_limit(&memory, 0);
    assert_int_equal(memory.limit, kai_memory_default_limit());
}

static void test_limit_of_large_blocks(void** state)
{
    (void)state;
    const size_t large = (size_t)8 << 20;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_memory_set_limit(&memory, large + large / 2);
    void* block = kai_memory_allocate(&memory, large);
    assert_non_null(block);
    assert_null(kai_memory_grow(&memory, block, large, large, 2 * large));
    assert_int_equal(memory.bytes, large);
    kai_memory_release(&memory, block, large);
}

static void test_default_limit_is_less_than_there_is(void** state)
{
    (void)state;
    assert_true(kai_memory_default_limit() > (size_t)1 << 20);
    assert_int_equal(kai_memory_default_limit(), kai_memory_default_limit());
    assert_true(kai_memory_fits(100, 10.0, 10.0));
    assert_false(kai_memory_fits(100, 10.0, 10.1));
    assert_false(kai_memory_fits(SIZE_MAX, 1e10, 1e10));
}

static void test_text_of_bytes(void** state)
{
    (void)state;
    const struct {
        double bytes;
        const char* text;
    } cases[] = {{0.0, "0 bytes"},    {999.0, "999 bytes"},    {1024.0, "1 KiB"},
                 {1536.0, "1.5 KiB"}, {4294967296.0, "4 GiB"}, {1e12, "931 GiB"},
                 {1.2e13, "10.9 TiB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[24];
        kai_memory_text(cases[i].bytes, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_allocator_is_aligned),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_nothing_and_null),
        cmocka_unit_test(test_overflow_and_failure),
        cmocka_unit_test(test_zeroed_with_padding),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_large_blocks),
        cmocka_unit_test(test_default_limit_is_less_than_there_is),
        cmocka_unit_test(test_text_of_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
