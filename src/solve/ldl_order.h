// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The order of elimination for kai_ldl, and what each eliminated node reaches.
#ifndef SOLVE_LDL_ORDER_H
#define SOLVE_LDL_ORDER_H

#include "solve/ldl.h"

/// Result of the search; all arrays from the same memory.
typedef struct kai_ldl_order {
    kai_array node;   // uint32_t [nodes]: in order of elimination
    kai_array first;  // uint32_t [nodes + 1]: into reach
    kai_array reach;  // uint32_t: nodes that were still there and coupled when a node went
    size_t limit;     // given: most numbers that the factors may take; 0: any
    size_t work;      // given: most products of blocks that they may take; 0: any
    size_t values;    // numbers that they take
    kai_array chunks; // uint32_t: places in `node` where a new run of islands begins
} kai_ldl_order;

/// KAI_ERROR_ARGUMENT for nodes and edges that cannot be.
kai_result kai_ldl_order_check(const kai_ldl_node* nodes, uint32_t node_count,
                               const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err);

/// The neighbours of nodes: those of node i (or at place i, where `place` [nodes] is not NULL) go to
/// near[first[i]] … near[first[i + 1]], in the order of the edges. `first` [nodes + 1], `near`
/// [2 edges].
void kai_ldl_order_neighbours(const kai_ldl_edge* edges, uint32_t edge_count, uint32_t node_count,
                              const uint32_t* place, uint32_t* first, uint32_t* near);

/// For nodes and edges that were checked. Island by island; inside one, least weighted degree
/// first, ties by index; a constraint only after one of its neighbours. Small islands share a chunk.
/// KAI_ERROR_LIMIT beyond `limit` or `work`.
kai_result kai_ldl_order_find(kai_ldl_order* order, kai_memory* memory, const kai_ldl_node* nodes,
                              uint32_t node_count, const kai_ldl_edge* edges, uint32_t edge_count,
                              kai_error* err);

/// Gives all memory back.
void kai_ldl_order_free(kai_ldl_order* order, kai_memory* memory);

#endif
