// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which contact goes into which lane (cone_pack.h): colours, groups, tasks, phases. It depends on
// the graph of contacts and on their kinds alone, so that a graph that has not changed keeps its
// layout, and any number of threads finds the same one:
//
//     1  contacts are sorted by blocks, those between blocks last    chunks of contacts at once
//     2  each block hands out colours to its contacts                blocks at once
//     3  contacts between blocks                                     one thread: some ns each
//     4  lanes of a block                                            blocks at once
#ifndef SOLVE_CONE_LAYOUT_H
#define SOLVE_CONE_LAYOUT_H

#include "solve/cone_pack.h"

/// What the layout of a contact follows from.
typedef struct kai_cone_code {
    uint32_t a, b; // bodies
    uint32_t what; // kind; which of them move; block
} kai_cone_code;

/// What is known of a block.
typedef struct kai_cone_block {
    uint32_t groups, runs; // how many it needs
    uint32_t rest;         // contacts that found no colour
    uint32_t group, run;   // the first ones
    uint32_t order;        // its first contact in `order`
} kai_cone_block;

/// Fills contact_at, runs, tasks and phases; values and extra rows are not its business. `lean`:
/// with the kinds that have a normal part only. KAI_ERROR_ARGUMENT names a contact with bad bodies.
kai_result kai_cone_layout(kai_cone* cone, const kai_cone_problem* problem, bool lean, int threads,
                           kai_error* err);

#endif
