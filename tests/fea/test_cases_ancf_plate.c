// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The thin plate against published cases, within 2 %.
//
// ctest-labels: validate slow
#include "fea/shell_cases.h"

static const kai_element_kind* const KIND = &kai_element_ancf_plate;

static void linear_cases(void** state) { check_linear(KIND, 8, 16, 16, 4, 0.02); }

static void cantilever_of_sze(void** state) { cantilever(KIND, 8, 0.02); }

static void roll_up_to_a_circle(void** state) { roll_up(KIND, 12, 20, 0.02); }

static void slit_annular_plate(void** state) { slit(KIND, 24, 4, 10, 0.02); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_cases), cmocka_unit_test(cantilever_of_sze),
        cmocka_unit_test(roll_up_to_a_circle), cmocka_unit_test(slit_annular_plate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
