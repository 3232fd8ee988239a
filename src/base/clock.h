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

/// Seconds spent in each phase. Phases nest: while an inner one runs, the one around it stands
/// still, so that their sum is the time that passed. All zeros: no phase runs.
typedef struct kai_clock {
    double seconds[KAI_CLOCK_PHASE_COUNT];
    int running;  // the phase + 1; 0: none
    double since; // when it began or went on
} kai_clock;

/// Monotonic seconds since some fixed moment.
double kai_clock_now(void);

/// Adds the time since `start` to a phase and returns the present moment, the start of the next
/// one.
double kai_clock_lap(kai_clock* clock, kai_clock_phase phase, double start);

/// Begins a phase and returns what kai_clock_end needs: the phase that stands still meanwhile.
int kai_clock_begin(kai_clock* clock, kai_clock_phase phase);

/// Ends the phase that runs; the one around it goes on.
void kai_clock_end(kai_clock* clock, int enclosing);

/// The name of a phase, as in run.json.
const char* kai_clock_phase_name(kai_clock_phase phase);

#endif
