// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "helper.h"

static void test_set_fills_everything(void** state)
{
    (void)state;
    kai_error err = {.code = KAI_OK, .line = 7, .column = 8};
    check_error(kai_error_set(&err, KAI_ERROR_ARGUMENT, "mass is %g kg; must be > 0", -2.0),
                KAI_ERROR_ARGUMENT);
    assert_int_equal(err.code, KAI_ERROR_ARGUMENT);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.message, "mass is -2 kg; must be > 0");
}

static void test_null_is_allowed(void** state)
{
    (void)state;
    check_error(kai_error_set(NULL, KAI_ERROR_FILE, "%s", "unread"), KAI_ERROR_FILE);
    kai_error_prefix(NULL, "world %d", 1);
}

static void test_prefix_keeps_code_and_place(void** state)
{
    (void)state;
    kai_error err = {0};
    kai_error_set(&err, KAI_ERROR_FORMAT, "not a number");
    err.line = 3;
    err.column = 9;
    kai_error_prefix(&err, "%s[%d]", "/bodies", 4);
    assert_string_equal(err.message, "/bodies[4]: not a number");
    assert_int_equal(err.code, KAI_ERROR_FORMAT);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 9);
}

static void test_message_may_quote_itself(void** state)
{
    (void)state;
    kai_error err = {0};
    kai_error_set(&err, KAI_ERROR_FILE, "disk full");
    kai_error_set(&err, KAI_ERROR_STOPPED, "run stopped (%s)", err.message);
    assert_string_equal(err.message, "run stopped (disk full)");
    kai_error_prefix(&err, "%s", err.message);
    assert_string_equal(err.message, "run stopped (disk full): run stopped (disk full)");
}

static void test_one_line(void** state)
{
    (void)state;
    kai_error err = {0};
    kai_error_set(&err, KAI_ERROR_NAME, "name \"%s\"", "a\nb\tc\x1b[31m\x7f");
    assert_string_equal(err.message, "name \"a b c [31m \"");
}

// Every length around the limit, with two-, three- and four-byte characters: no overrun, no half
// one.
static void test_long_messages_are_cut_between_characters(void** state)
{
    (void)state;
    const char* letters[] = {"x", "\xc2\xb2", "\xe2\x89\xa4", "\xf0\x9f\x9a\x80"};
    for (int k = 0; k < 4; k++) {
        const size_t step = strlen(letters[k]);
        for (size_t lead = 0; lead < 5; lead++) {
            char text[KAI_ERROR_SIZE + 64];
            size_t n = 0;
            while (n < lead) text[n++] = 'a';
            for (; n < KAI_ERROR_SIZE + 32; n += step) memcpy(text + n, letters[k], step + 1);
            const size_t expected = lead + (KAI_ERROR_SIZE - 1 - lead) / step * step;

            kai_error err = {0};
            kai_error_set(&err, KAI_ERROR_FILE, "%s", text);
            assert_int_equal(strlen(err.message), expected);
            assert_memory_equal(err.message, text, expected);

            kai_error_set(&err, KAI_ERROR_FILE, "%s", text + lead);
            kai_error_prefix(&err, "%.*s", (int)lead, "aaaaa");
            assert_true(strlen(err.message) < KAI_ERROR_SIZE);
            assert_int_equal((strlen(err.message) - lead - 2) % step, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_fills_everything),
        cmocka_unit_test(test_null_is_allowed),
        cmocka_unit_test(test_prefix_keeps_code_and_place),
        cmocka_unit_test(test_message_may_quote_itself),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_long_messages_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
