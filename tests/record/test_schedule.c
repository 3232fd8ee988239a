// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

#include "record/schedule.h"

static void test_whole_multiples(void** state)
{
    // 0.01 / 1e-3 and the like are not whole in binary; samples must still fall on every tenth
    // step, also the 10^12-th.
    const kai_schedule s = kai_schedule_make(0.01, 1e-3);
    assert_int_equal(s.multiple, 10);
    assert_true(kai_schedule_due(&s, UINT64_C(1000000000000)) == UINT64_C(10000000000000));
    assert_int_equal(kai_schedule_make(0.3, 0.1).multiple, 3);
    assert_int_equal(kai_schedule_make(1.0, 1e-6).multiple, 1000000);
}

static void test_every_step(void** state)
{
    const double intervals[] = {0.0, 1e-5, 1e-3};
    for (size_t i = 0; i < 3; i++) {
        const kai_schedule s = kai_schedule_make(intervals[i], 1e-3);
        for (uint64_t k = 0; k < 10; k++) assert_int_equal(kai_schedule_due(&s, k), k);
    }
}

static void test_between_steps(void** state)
{
    // The first step not before k · every, and never the same step twice.
    const kai_schedule s = kai_schedule_make(1.0 / 30.0, 1e-3);
    assert_int_equal(s.multiple, 0);
    for (uint64_t k = 1; k < 3000; k++) {
        const uint64_t due = kai_schedule_due(&s, k);
        assert_true((double)due * 1e-3 >= (double)k / 30.0 - 1e-8);
        assert_true((double)(due - 1) * 1e-3 < (double)k / 30.0);
        assert_true(due > kai_schedule_due(&s, k - 1));
    }
    assert_int_equal(kai_schedule_due(&s, 30), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_multiples),
                                       cmocka_unit_test(test_every_step),
                                       cmocka_unit_test(test_between_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
