// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"
#include "helper.h"

// Lets some time pass.
static void let_pass(double seconds)
{
    const double begun = kai_clock_now();
    while (kai_clock_now() - begun < seconds) {}
}

static double sum_of(const kai_clock* clock)
{
    double sum = 0.0;
    for (int i = 0; i < KAI_CLOCK_PHASE_COUNT; i++) sum += clock->seconds[i];
    return sum;
}

// A phase stands still while one inside it runs, so that all of them add up to the time that passed.
static void test_nested(void** state)
{
    (void)state;
    const double part = 2e-3;
    kai_clock clock = {0};
    const double begun = kai_clock_now();
    const int none = kai_clock_begin(&clock, KAI_CLOCK_step);
    let_pass(part);
    const int step = kai_clock_begin(&clock, KAI_CLOCK_formulation);
    let_pass(part);
    const int formulation = kai_clock_begin(&clock, KAI_CLOCK_solve);
    let_pass(part);
    kai_clock_end(&clock, formulation);
    let_pass(part);
    kai_clock_end(&clock, step);
    kai_clock_end(&clock, none);
    const double spent = kai_clock_now() - begun;
    assert_true(clock.seconds[KAI_CLOCK_step] >= part);
    assert_true(clock.seconds[KAI_CLOCK_formulation] >= 2.0 * part);
    assert_true(clock.seconds[KAI_CLOCK_solve] >= part);
    assert_true(clock.seconds[KAI_CLOCK_step] <= spent - 3.0 * part + 1e-6);
    assert_true(sum_of(&clock) <= spent + 1e-6);
    assert_true(clock.seconds[KAI_CLOCK_proximity] == 0.0);
}

// A phase within one of the same name counts once, and nothing counts when none runs.
static void test_same(void** state)
{
    (void)state;
    kai_clock clock = {0};
    const double begun = kai_clock_now();
    const int none = kai_clock_begin(&clock, KAI_CLOCK_step);
    const int step = kai_clock_begin(&clock, KAI_CLOCK_step);
    let_pass(1e-3);
    kai_clock_end(&clock, step);
    kai_clock_end(&clock, none);
    const double spent = kai_clock_now() - begun, counted = clock.seconds[KAI_CLOCK_step];
    assert_true(counted >= 1e-3 && counted <= spent + 1e-6);
    let_pass(1e-3);
    const int again = kai_clock_begin(&clock, KAI_CLOCK_solve);
    kai_clock_end(&clock, again);
    assert_true(clock.seconds[KAI_CLOCK_step] == counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested), cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
