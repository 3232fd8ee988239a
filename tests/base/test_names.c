// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/names.h"
#include "helper.h"

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_names names;
    kai_error err;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    kai_names_init(&f->names, &f->memory);
}

static void finish(fixture* f)
{
    kai_names_free(&f->names);
    assert_int_equal(f->counter.blocks, 0);
    assert_int_equal(f->memory.bytes, 0);
}

static kai_id id_of(uint32_t i) { return (kai_id){.index = i + 1, .generation = 3, .world = 1}; }

static kai_result add(fixture* f, const char* name, uint32_t i)
{
    return kai_names_add(&f->names, "body", name, id_of(i), NULL, &f->err);
}

static void test_add_find_remove(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    assert_true(KAI_IS_NULL(kai_names_find(&f.names, "arm")));
    kai_names_remove(&f.names, "arm");
    char buffer[] = "arm";
    const char* text = NULL;
    check_ok(kai_names_add(&f.names, "body", buffer, id_of(7), &text, &f.err));
    assert_string_equal(text, "arm");
    assert_ptr_not_equal(text, buffer); // the table's own copy
    buffer[0] = 'x';
    assert_true(KAI_ID_EQUALS(kai_names_find(&f.names, "arm"), id_of(7)));
    assert_true(KAI_IS_NULL(kai_names_find(&f.names, "ar")));
    assert_true(KAI_IS_NULL(kai_names_find(&f.names, NULL)));
    kai_names_remove(&f.names, "ar");
    assert_int_equal(f.names.count, 1);
    kai_names_remove(&f.names, "arm");
    assert_int_equal(f.names.count, 0);
    assert_true(KAI_IS_NULL(kai_names_find(&f.names, "arm")));
    finish(&f);
}

static void test_bad_names(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    char longest[KAI_NAMES_LONGEST + 2];
    memset(longest, 'n', sizeof longest);
    longest[KAI_NAMES_LONGEST + 1] = '\0';
    check_error(add(&f, longest, 0), KAI_ERROR_NAME);
    assert_non_null(strstr(f.err.message, "at most 255 bytes"));
    longest[KAI_NAMES_LONGEST] = '\0';
    check_ok(add(&f, longest, 0));
    check_ok(add(&f, "Körper 1 ≤ ß", 1)); // UTF-8 and spaces are fine

    check_error(add(&f, "", 2), KAI_ERROR_NAME);
    check_error(add(&f, NULL, 2), KAI_ERROR_NAME);
    check_error(add(&f, "a\nb", 2), KAI_ERROR_NAME);
    assert_string_equal(f.err.message,
                        "body name \"a b\" has control character 0x0a at byte 2; must have none");
    check_error(add(&f, "a\x7f", 2), KAI_ERROR_NAME);
    check_ok(add(&f, "arm", 3));
    check_error(add(&f, "arm", 4), KAI_ERROR_NAME);
    assert_string_equal(f.err.message, "body name \"arm\" is used twice; must be unique");
    assert_true(KAI_ID_EQUALS(kai_names_find(&f.names, "arm"), id_of(3)));
    assert_int_equal(f.names.count, 3);
    finish(&f);
}

enum { MANY = 100000 };

static void name_of(uint32_t i, char text[32]) { snprintf(text, 32, "body %u", (unsigned)i); }

// Removes by a rule, so that runs of neighbours in the table get holes at all places.
static bool removed(uint32_t i, int rule) { return i % (uint32_t)rule != 1; }

static void test_many_names(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    char text[32];
    for (uint32_t i = 0; i < MANY; i++) {
        name_of(i, text);
        check_ok(add(&f, text, i));
    }
    assert_int_equal(f.names.count, MANY);
    for (int rule = 2; rule < 6; rule++) {
        for (uint32_t i = 0; i < MANY; i++) {
            name_of(i, text);
            if (removed(i, rule)) kai_names_remove(&f.names, text);
        }
        for (uint32_t i = 0; i < MANY; i++) {
            name_of(i, text);
            const kai_id id = kai_names_find(&f.names, text);
            assert_int_equal(id.index, removed(i, rule) ? 0 : i + 1);
        }
        for (uint32_t i = 0; i < MANY; i++) {
            name_of(i, text);
            if (removed(i, rule)) check_ok(add(&f, text, i));
        }
    }
    assert_int_equal(f.names.count, MANY);
    finish(&f);
}

// Names added and removed at random in a small, crowded table, against a plain list.
static void test_random_changes(void** state)
{
    (void)state;
    enum { NAMES = 40 };
    fixture f;
    start(&f);
    bool present[NAMES] = {false};
    size_t count = 0;
    for (uint64_t step = 0; step < 20000; step++) {
        const uint32_t i = (uint32_t)(kai_random_uniform(5, 0, step) * NAMES);
        char text[32];
        name_of(i, text);
        if (present[i])
            kai_names_remove(&f.names, text);
        else
            check_ok(add(&f, text, i));
        present[i] = !present[i];
        count += present[i] ? 1 : (size_t)-1;
        assert_int_equal(f.names.count, count);
        for (uint32_t k = 0; k < NAMES; k++) {
            name_of(k, text);
            assert_int_equal(kai_names_find(&f.names, text).index, present[k] ? k + 1 : 0);
        }
    }
    finish(&f);
}

static void test_nearest(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    assert_null(kai_names_nearest(&f.names, "arm"));
    const char* known[] = {"upper-arm", "lower-arm", "wheel_b", "wheel_a", "wheel_c", "chassis"};
    for (uint32_t i = 0; i < 6; i++) check_ok(add(&f, known[i], i));
    assert_string_equal(kai_names_nearest(&f.names, "uper-arm"), "upper-arm");
    assert_string_equal(kai_names_nearest(&f.names, "Chassis"), "chassis");
    assert_string_equal(kai_names_nearest(&f.names, "chasiss"), "chassis");
    assert_string_equal(kai_names_nearest(&f.names, "wheel_d"), "wheel_a"); // first of equals
    assert_null(kai_names_nearest(&f.names, "propeller"));
    assert_null(kai_names_nearest(&f.names, NULL));
    finish(&f);
}

static void test_out_of_memory(void** state)
{
    (void)state;
    for (uint64_t n = 1; n <= 60; n++) {
        fixture f;
        start(&f);
        f.counter.fail_at = n;
        char text[32];
        uint32_t i = 0;
        kai_result r = KAI_OK;
        for (; r == KAI_OK && i < 1000; i++) {
            name_of(i, text);
            r = add(&f, text, i);
        }
        check_error(r, KAI_ERROR_MEMORY);
        check_error(f.err.code, KAI_ERROR_MEMORY);
        const uint32_t good = i - 1;
        assert_int_equal(f.names.count, good);
        assert_true(KAI_IS_NULL(kai_names_find(&f.names, text)));
        for (uint32_t k = 0; k < good; k++) {
            name_of(k, text);
            assert_int_equal(kai_names_find(&f.names, text).index, k + 1);
        }
        finish(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_find_remove), cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_many_names),      cmocka_unit_test(test_random_changes),
        cmocka_unit_test(test_nearest),         cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
