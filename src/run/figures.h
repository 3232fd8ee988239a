// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// results.json: what the sections of a program's own derive from a run.
#ifndef RUN_FIGURES_H
#define RUN_FIGURES_H

#include "base/error.h"

#include <kairos/world.h>

#define KAI_FIGURES_FILE "results.json"

/// Asks all items of sections for their figures and writes them into a folder; no file where there
/// are none.
kai_result kai_figures_write(kai_world* world, const char* folder, kai_error* err);

#endif
