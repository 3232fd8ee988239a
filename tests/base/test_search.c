// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/search.h"
#include "helper.h"

static void test_places(void** state)
{
    const uint64_t keys[] = {2, 3, 3, 7, UINT64_MAX};
    const uint64_t asked[] = {0, 2, 3, 4, 7, 8, UINT64_MAX};
    const size_t places[] = {0, 0, 1, 3, 3, 4, 4};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_int_equal(kai_search_from(keys, 5, asked[i]), places[i]);
    assert_int_equal(kai_search_from(keys, 3, 9), 3);
    assert_int_equal(kai_search_from(NULL, 0, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
