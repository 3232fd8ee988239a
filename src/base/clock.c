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
