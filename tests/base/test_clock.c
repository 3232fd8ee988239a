// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"
#include "helper.h"

#include <time.h>

// Seconds: a sleep of 2 ms takes at least that long, and less than a minute even on a busy machine.
static void test_time_is_in_seconds(void** state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 2000000};
    const double before = kai_clock_now();
    struct timespec left = pause;
    while (nanosleep(&left, &left) != 0) {}
    const double passed = kai_clock_now() - before;
    assert_true(passed >= 2e-3);
    assert_true(passed < 60.0);
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
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++) sum += clock.seconds[i];
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
        cmocka_unit_test(test_time_is_in_seconds),
        cmocka_unit_test(test_laps_add_up),
        cmocka_unit_test(test_phase_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
