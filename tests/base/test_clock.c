// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"
#include "helper.h"

static void test_time_does_not_run_backwards(void** state)
{
    (void)state;
    double last = kai_clock_now();
    for (int i = 0; i < 100000; i++) {
        const double now = kai_clock_now();
        assert_true(now >= last);
        last = now;
    }
}

// Laps leave no gap: together they are the whole time.
static void test_laps_add_up(void** state)
{
    (void)state;
    kai_clock clock = {0};
    const double start = kai_clock_now();
    double t = start;
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++) {
            t = kai_clock_lap(&clock, (kai_clock_phase)i, t);
        }
    }
    double sum = 0.0;
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++) {
        assert_true(clock.seconds[i] >= 0.0);
        sum += clock.seconds[i];
    }
    // Rounding of 250 additions to times of up to 1e6 s since the machine started.
    check_near(sum, t - start, 1e-7, "sum of the laps against first and last reading");
}

static void test_phase_names(void** state)
{
    (void)state;
    assert_string_equal(kai_clock_phase_name(KAI_CLOCK_proximity), "proximity");
    assert_string_equal(kai_clock_phase_name(KAI_CLOCK_record), "record");
    assert_string_equal(kai_clock_phase_name(KAI_CLOCK_PHASE_COUNT), "unknown phase");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_does_not_run_backwards),
        cmocka_unit_test(test_laps_add_up),
        cmocka_unit_test(test_phase_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
