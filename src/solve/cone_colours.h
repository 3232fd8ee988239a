// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of each task of a layout in lanes of groups: no two of a group share a moving body.
#ifndef SOLVE_CONE_COLOURS_H
#define SOLVE_CONE_COLOURS_H

#include "solve/cone_layout.h"

/// Fills contact_at, runs and what tasks know of them. To be called after kai_cone_tasks.
kai_result kai_cone_colours(kai_cone_layout_work* layout, kai_error* err);

#endif
