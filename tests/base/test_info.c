// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the library says about itself.
#include "helper.h"

#include <kairos/info.h>
#include <kairos/version.h>

static void version_is_that_of_the_headers(void** state)
{
    (void)state;
    assert_string_equal(kai_info_version(), KAI_VERSION_STRING);
}

static void facts_have_names_and_values(void** state)
{
    (void)state;
    bool has_hdf5 = false;
    int n = 0;
    for (; kai_info_fact(n).name; n++) {
        const kai_fact fact = kai_info_fact(n);
        assert_true(fact.name[0] != '\0');
        assert_non_null(fact.value);
        assert_ptr_equal(kai_info_fact(n).value, fact.value); // the same each time
        has_hdf5 |= strcmp(fact.name, "hdf5") == 0;
    }
    assert_true(n >= 5 && has_hdf5);
    assert_null(kai_info_fact(n + 1).name);
    assert_null(kai_info_fact(-1).name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_headers),
        cmocka_unit_test(facts_have_names_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
