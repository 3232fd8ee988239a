// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What events do.
#ifndef CONTROL_EVENT_ACTION_H
#define CONTROL_EVENT_ACTION_H

#include "model/world.h"

#include <kairos/event.h>

/// Description of kai_event_action.
extern const kai_kind kai_event_action_kind;

/// Whether what an action names is there and can be changed so.
kai_result kai_event_action_check(kai_world* world, const kai_event_action* action, kai_error* err);

/// Does it. Stops, files and messages are the caller's.
kai_result kai_event_action_do(kai_world* world, const kai_event_action* action, kai_error* err);

#endif
