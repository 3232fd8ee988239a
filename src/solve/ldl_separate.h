// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A light set of nodes that separates a graph into two parts of about the same weight; see
// ldl_dissect.h.
#ifndef SOLVE_LDL_SEPARATE_H
#define SOLVE_LDL_SEPARATE_H

#include "base/arena.h"

/// A graph with weights; every edge stands at both of its ends.
typedef struct kai_ldl_graph {
    uint32_t count;
    uint32_t total;   // weight of all nodes
    uint32_t* weight; // [count]
    uint32_t* first;  // [count + 1]
    uint32_t* near;   // neighbours
    uint32_t* bond;   // beside them: edges that have become one
} kai_ldl_graph;

/// Room for a graph of so many nodes and neighbours.
kai_result kai_ldl_separate_make(kai_ldl_graph* graph, kai_arena* arena, uint32_t count,
                                 uint32_t pairs, kai_error* err);

/// Into `side` [count]: 0 and 1 for the parts, 2 for what separates them.
kai_result kai_ldl_separate(const kai_ldl_graph* graph, kai_arena* arena, uint8_t* side,
                            kai_error* err);

#endif
