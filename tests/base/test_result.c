// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

static void test_every_code_has_name_and_text(void** state)
{
    (void)state;
    for (int i = 0; i < KAI_RESULT_COUNT; i++) {
        const char* name = kai_result_name((kai_result)i);
        const char* text = kai_result_text((kai_result)i);
        assert_int_equal(strncmp(name, "KAI_", 4), 0);
        assert_true(strlen(text) > 1);
        assert_string_not_equal(text, "unknown code");
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(name, kai_result_name((kai_result)j));
            assert_string_not_equal(text, kai_result_text((kai_result)j));
        }
    }
    assert_int_equal(KAI_OK, 0);
    assert_string_equal(kai_result_name(KAI_OK), "KAI_OK");
    assert_string_equal(kai_result_text(KAI_OK), "ok");
    assert_string_equal(kai_result_name(KAI_ERROR_FILE), "KAI_ERROR_FILE");
    assert_string_equal(kai_result_text(KAI_ERROR_MEMORY), "out of memory");
}

// Numbers that fit the enum's bits but are no code; a binding may pass any.
static void test_unknown_numbers(void** state)
{
    (void)state;
    assert_string_equal(kai_result_text(KAI_RESULT_COUNT), "unknown code");
    assert_string_equal(kai_result_name(KAI_RESULT_COUNT), "unknown code");
    assert_string_equal(kai_result_text((kai_result)1000), "unknown code");
    assert_string_equal(kai_result_name((kai_result)1000), "unknown code");
    assert_string_equal(kai_result_text((kai_result)-1), "unknown code");
}

static kai_result try_and_count(kai_result first, int* reached)
{
    KAI_TRY(first);
    *reached = 1;
    return KAI_ERROR_STOPPED;
}

static void test_try_returns_at_the_first_error(void** state)
{
    (void)state;
    int reached = 0;
    check_error(try_and_count(KAI_ERROR_FILE, &reached), KAI_ERROR_FILE);
    assert_int_equal(reached, 0);
    check_error(try_and_count(KAI_OK, &reached), KAI_ERROR_STOPPED);
    assert_int_equal(reached, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_has_name_and_text),
        cmocka_unit_test(test_unknown_numbers),
        cmocka_unit_test(test_try_returns_at_the_first_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
