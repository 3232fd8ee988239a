// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Keys of things from here and from elsewhere, against a plain list.
#include "base/keys.h"

#include "helper.h"

enum { MOST = 300, TRIES = 20000 };

static void own_keys_need_no_memory(void** state)
{
    (void)state;
    kai_keys keys = {.rank = 5};
    const kai_id id = {7, 3, 0};
    kai_id found = {0};
    assert_true(kai_keys_of(&keys, id) == UINT64_C(0x0005000300000007));
    assert_true(kai_keys_of(&keys, (kai_id){0}) == 0);
    assert_true(kai_keys_find(&keys, kai_keys_of(&keys, id), &found));
    assert_true(found.index == 7 && found.generation == 3);
    assert_null(keys.by_key.data);
    assert_false(kai_keys_find(&keys, UINT64_C(0x0006000300000007), &found));
    assert_int_equal(found.index, 0);
}

/// Many come and go: each is found by key and by id, and no other.
static void foreign_keys_are_found(void** state)
{
    (void)state;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_keys keys = {.rank = 1};
    uint64_t key_of[MOST + 1] = {0}; // by index; 0: none
    for (uint64_t i = 0; i < TRIES; i++) {
        const uint32_t index = 1 + (uint32_t)(kai_random_uniform(HELPER_SEED, 7, i) * MOST);
        if (key_of[index]) {
            kai_keys_remove(&keys, index);
            key_of[index] = 0;
        } else {
            key_of[index] = UINT64_C(2) << 48 | (i << 7);
            check_ok(kai_keys_add(&keys, &memory, index, key_of[index], NULL));
        }
        const uint32_t other = 1 + (uint32_t)(kai_random_uniform(HELPER_SEED, 8, i) * MOST);
        const kai_id id = {other, 0, 0};
        kai_id found = {0};
        if (key_of[other]) {
            assert_true(kai_keys_of(&keys, id) == key_of[other]);
            assert_false(kai_keys_find(&keys, key_of[other], &found));
            assert_int_equal(found.index, other);
        } else {
            assert_true(kai_keys_of(&keys, id) == (UINT64_C(1) << 48 | other));
        }
    }
    size_t count = 0;
    for (int i = 1; i <= MOST; i++) count += key_of[i] != 0;
    assert_int_equal(keys.count, count);
    kai_keys_free(&keys, &memory);
    assert_int_equal(memory.bytes, 0);
}

static void keys_are_given_once(void** state)
{
    (void)state;
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_keys keys = {.rank = 0};
    kai_error err = {0};
    const uint64_t key = UINT64_C(3) << 48 | 12;
    check_ok(kai_keys_add(&keys, &memory, 4, key, &err));
    check_error(kai_keys_add(&keys, &memory, 5, key, &err), KAI_ERROR_NAME);
    assert_string_equal(err.message, "key 000300000000000c is that of another");
    check_error(kai_keys_add(&keys, &memory, 5, 12, &err), KAI_ERROR_NAME); // one of this rank
    assert_int_equal(keys.count, 1);
    kai_keys_remove(&keys, 9); // which is from here
    kai_keys_remove(&keys, 4);
    check_ok(kai_keys_add(&keys, &memory, 5, key, &err));
    kai_keys_free(&keys, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_keys_need_no_memory),
        cmocka_unit_test(foreign_keys_are_found),
        cmocka_unit_test(keys_are_given_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
