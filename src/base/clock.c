// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/clock.h"

#include <time.h>

double kai_clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double kai_clock_lap(kai_clock* clock, kai_clock_phase phase, double start)
{
    const double now = kai_clock_now();
    clock->seconds[phase] += now - start;
    return now;
}

/// Lets another phase run (its number + 1; 0: none), and returns the one that ran.
static int switch_to(kai_clock* clock, int running)
{
    const int before = clock->running;
    const double now = kai_clock_now();
    if (before > 0) clock->seconds[before - 1] += now - clock->since;
    clock->running = running;
    clock->since = now;
    return before;
}

int kai_clock_begin(kai_clock* clock, kai_clock_phase phase)
{
    return switch_to(clock, (int)phase + 1);
}

void kai_clock_end(kai_clock* clock, int enclosing) { switch_to(clock, enclosing); }

const char* kai_clock_phase_name(kai_clock_phase phase)
{
    switch (phase) {
#define KAI_CLOCK_CASE(name) \
    case KAI_CLOCK_##name: return #name;
        KAI_PHASES(KAI_CLOCK_CASE)
#undef KAI_CLOCK_CASE
    case KAI_CLOCK_PHASE_COUNT: break;
    }
    return "unknown phase";
}
