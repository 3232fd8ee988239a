// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An order of elimination by nested dissection (George 1973), for meshes: a small set of nodes that
// separates the rest into halves goes last, and each half is cut likewise.
//
// Separators are found on many levels (Hendrickson and Leland 1995): the graph is coarsened by
// merging pairs of nodes that have much in common, the smallest one is cut in some ways at random,
// and on the way back nodes move out of the separator as long as that makes it lighter (Fiduccia
// and Mattheyses 1982). Always the same random numbers, so the same graph gets the same order.
#ifndef SOLVE_LDL_DISSECT_H
#define SOLVE_LDL_DISSECT_H

#include "solve/ldl.h"

/// Writes the nodes into `order` [node_count]; constraints after all nodes that they couple, where
/// their pivots are sure to be regular. Nodes and edges as kai_ldl_order_check accepts them.
/// KAI_ERROR_LIMIT, soon, when the first cut alone leads to more than `limit` numbers or `work`
/// products of blocks (0: any); KAI_ERROR_STOPPED when `stop` (NULL: never) asks for it.
kai_result kai_ldl_dissect(kai_memory* memory, const kai_ldl_node* nodes, uint32_t node_count,
                           const kai_ldl_edge* edges, uint32_t edge_count, size_t limit,
                           size_t work, const volatile int* stop, uint32_t* order, kai_error* err);

#endif
