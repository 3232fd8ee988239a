// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Events among what control/ does between steps.
#ifndef CONTROL_EVENTS_H
#define CONTROL_EVENTS_H

#include "model/world.h"

#include <kairos/event.h>

typedef struct kai_event_instance {
    kai_event_def given;
    double before;    // value of the signal at the end of the last step
    bool known;       // … is one
    int64_t happened; // how often
} kai_event_instance;

/// The kind of all events, hidden parameters too.
extern const kai_kind kai_event_whole;

/// Whether what an event names is there: KAI_ERROR_NAME tells what is not. Values of what new events
/// watch.
kai_result kai_events_begin(kai_world* world, kai_error* err);

/// Looks which events a step of h has brought, and does what they say.
kai_result kai_events_heed(kai_world* world, double h, kai_error* err);

#endif
