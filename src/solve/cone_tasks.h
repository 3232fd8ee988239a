// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tasks of a layout, their order, and what each waits for (cone_pack.h).
#ifndef SOLVE_CONE_TASKS_H
#define SOLVE_CONE_TASKS_H

#include "solve/cone_layout.h"

/// Cuts contacts, sorted by places, into tasks. Fills tasks, places, turns and totals, but for what
/// is inside of tasks.
kai_result kai_cone_tasks(kai_cone_layout_work* layout, kai_error* err);

#endif
