// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/arena.h"
#include "helper.h"

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
    assert_int_equal(f->counter.calls, 0);
}

static void finish(fixture* f)
{
    kai_arena_free(&f->arena);
    assert_int_equal(f->counter.blocks, 0);
    assert_int_equal(f->memory.bytes, 0);
    assert_int_equal(f->arena.used, 0);
}

// A step's worth of takes, of sizes from nothing to several blocks, with an inner mark. Each block
// is filled with its number and read back at the end: no two may overlap.
static void round_of_takes(fixture* f, uint64_t seed)
{
    enum { COUNT = 60 };
    unsigned char* data[COUNT];
    size_t size[COUNT];
    const kai_arena_mark mark = kai_arena_marked(&f->arena);
    for (uint64_t i = 0; i < COUNT; i++) {
        size[i] = (size_t)pow(10.0, 2.5 + 2.5 * helper_random(100 * seed + i)); // 1 … 1e5
        if (i % 10 == 0) size[i] = 0;
        data[i] = kai_arena_take(&f->arena, size[i], 1, &f->err);
        assert_non_null(data[i]);
        assert_int_equal((uintptr_t)data[i] % KAI_ALIGNMENT, 0);
        memset(data[i], (int)i, size[i]);

        const kai_arena_mark inner = kai_arena_marked(&f->arena);
        void* scratch = kai_arena_take(&f->arena, 1000 + i, 40, &f->err);
        assert_non_null(scratch);
        memset(scratch, 0xff, 40 * (1000 + i));
        kai_arena_release(&f->arena, inner);
    }
    for (int i = 0; i < COUNT; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(data[i][k], i);
    kai_arena_release(&f->arena, mark);
}

static void test_a_warm_round_allocates_nothing(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    round_of_takes(&f, 1);
    assert_int_equal(f.arena.used, 0);
    assert_int_equal(f.counter.blocks, 1); // joined
    const uint64_t calls = f.counter.calls;
    for (int k = 0; k < 10; k++) round_of_takes(&f, 1);
    assert_int_equal(f.counter.calls, calls);
    round_of_takes(&f, 2); // another step may grow it
    assert_int_equal(f.counter.blocks, 1);
    finish(&f);
}

// The same where the arena never becomes empty: what a run keeps stays below, spare blocks remain.
static void test_a_warm_inner_round_allocates_nothing(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    unsigned char* kept = kai_arena_take(&f.arena, 100, 1, &f.err);
    memset(kept, 0x5a, 100);
    round_of_takes(&f, 1);
    round_of_takes(&f, 1);
    const uint64_t calls = f.counter.calls;
    for (int k = 0; k < 10; k++) round_of_takes(&f, 1);
    assert_int_equal(f.counter.calls, calls);
    assert_int_equal(f.arena.used, 128);
    for (int i = 0; i < 100; i++) assert_int_equal(kept[i], 0x5a);
    finish(&f);
}

static void test_marks_nest(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const kai_arena_mark empty = kai_arena_marked(&f.arena);
    int* a = kai_arena_take(&f.arena, 4, sizeof *a, &f.err);
    const kai_arena_mark first = kai_arena_marked(&f.arena);
    int* b = kai_arena_take(&f.arena, 4, sizeof *b, &f.err);
    assert_ptr_not_equal(a, b);
    kai_arena_release(&f.arena, first);
    assert_ptr_equal(kai_arena_take(&f.arena, 4, sizeof *b, &f.err), b); // the same place again
    assert_int_equal(f.arena.used, 128);
    kai_arena_release(&f.arena, empty);
    assert_int_equal(f.arena.used, 0);
    assert_int_equal(f.arena.peak, 128);
    assert_ptr_equal(kai_arena_take(&f.arena, 1, 1, &f.err), a);
    // A mark of the empty arena stays good, though the blocks were joined since.
    assert_non_null(kai_arena_take(&f.arena, 1000000, 1, &f.err));
    kai_arena_release(&f.arena, empty);
    assert_non_null(kai_arena_take(&f.arena, 1000000, 1, &f.err));
    kai_arena_release(&f.arena, empty);
    finish(&f);
}

static void test_nothing_has_an_address(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    void* a = kai_arena_take(&f.arena, 0, 8, &f.err);
    void* b = kai_arena_take(&f.arena, 8, 0, &f.err);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    finish(&f);
}

static void test_sizes_that_overflow(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX - 63, SIZE_MAX / 2 + 1};
    const size_t sizes[] = {1, 8, 1, 2};
    for (int k = 0; k < 4; k++) {
        f.err.code = KAI_OK;
        assert_null(kai_arena_take(&f.arena, counts[k], sizes[k], &f.err));
        check_error(f.err.code, KAI_ERROR_MEMORY);
        assert_int_equal(f.arena.used, 0);
    }
    assert_null(kai_arena_take(&f.arena, SIZE_MAX, SIZE_MAX, NULL));
    assert_int_equal(f.counter.calls, 0);
    finish(&f);
}

static void test_out_of_memory(void** state)
{
    (void)state;
    int failures = 0;
    for (uint64_t n = 1; n <= 12; n++) {
        fixture f;
        start(&f);
        f.counter.fail_at = n;
        for (uint64_t i = 0; i < 100; i++) {
            const kai_arena_mark before = kai_arena_marked(&f.arena);
            const size_t blocks = f.counter.blocks;
            if (kai_arena_take(&f.arena, 100 * i, 8, &f.err) != NULL) continue;
            failures++;
            check_error(f.err.code, KAI_ERROR_MEMORY);
            assert_int_equal(f.arena.used, before.used);
            assert_ptr_equal(f.arena.top, before.block);
            assert_int_equal(f.counter.blocks, blocks);
            break;
        }
        // Joining the blocks cannot have memory either: the arena is just empty, and works again.
        const kai_arena_mark empty = {0};
        kai_arena_release(&f.arena, empty);
        assert_int_equal(f.arena.used, 0);
        f.counter.fail_at = 0;
        assert_non_null(kai_arena_take(&f.arena, 100, 8, &f.err));
        finish(&f);
    }
    assert_true(failures > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_warm_round_allocates_nothing),
        cmocka_unit_test(test_a_warm_inner_round_allocates_nothing),
        cmocka_unit_test(test_marks_nest),
        cmocka_unit_test(test_nothing_has_an_address),
        cmocka_unit_test(test_sizes_that_overflow),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
