// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Wall-clock time and the phase timers of a run.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/// Phases of a step, in the order of run.json's phase_seconds: X(name).
#define KAI_PHASES(X) X(proximity) X(formulation) X(solve) X(step) X(record)

typedef enum kai_clock_phase {
#define KAI_CLOCK_PHASE(name) KAI_CLOCK_##name,
    KAI_PHASES(KAI_CLOCK_PHASE)
#undef KAI_CLOCK_PHASE
        KAI_CLOCK_PHASE_COUNT
} kai_clock_phase;

/// Seconds spent in each phase.
typedef struct kai_clock {
    double seconds[KAI_CLOCK_PHASE_COUNT];
} kai_clock;

/// Monotonic seconds since some fixed moment.
double kai_clock_now(void);

/// Adds the time since `start` to a phase and returns the present moment, the start of the next
/// one.
double kai_clock_lap(kai_clock* clock, kai_clock_phase phase, double start);

/// The name of a phase, as in run.json.
const char* kai_clock_phase_name(kai_clock_phase phase);

#endif
