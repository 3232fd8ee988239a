// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// run.json: what a run was and how it went.
#ifndef RUN_SUMMARY_H
#define RUN_SUMMARY_H

#include "base/clock.h"
#include "base/error.h"

#include <kairos/scene.h>

/// What the summary says that the world does not know.
typedef struct kai_summary {
    const kai_scene* scene;
    kai_result result;      // KAI_OK, KAI_ERROR_STOPPED or what failed
    const char* message;    // of a failure
    const char* stopped_by; // what ended it early; NULL: nothing
    double step, end;       // s
    uint64_t steps;         // taken since the start of the run, resumed parts included
    double start_time;      // s
    double load_seconds, run_seconds;
    double page_seconds;    // that index.html took, not counted as run_seconds
    double max_violation;   // of joints, over the run
    double max_penetration; // of shapes, over the run, m
    double contacts_mean;   // over its steps
    uint64_t contacts_max;  // of its steps
    double phase_seconds[KAI_CLOCK_PHASE_COUNT];
    const kai_judge* judge;      // what steps were held to
    const char* const* warnings; // [warning_count]
    size_t warning_count;
} kai_summary;

/// The text, to be given to free(); NULL when there is no memory.
char* kai_summary_text(const kai_summary* summary);

#endif
