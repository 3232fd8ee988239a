// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// At which step a sample is due. Counted in whole steps from the start of a run, never by adding up
// times, so that samples do not drift and a resumed run takes the same ones.
#ifndef RECORD_SCHEDULE_H
#define RECORD_SCHEDULE_H

#include <stdint.h>

typedef struct kai_schedule {
    double ratio;      // interval in steps, >= 1
    uint64_t multiple; // the same when it is a whole number, else 0
} kai_schedule;

/// Samples every `every` seconds with steps of `step`; at every step when that is 0 or shorter than
/// a step.
kai_schedule kai_schedule_make(double every, double step);

/// The step at which sample k = 0, 1, 2 … is due: the first that is not before k · every. Grows
/// with k.
uint64_t kai_schedule_due(const kai_schedule* schedule, uint64_t k);

#endif
