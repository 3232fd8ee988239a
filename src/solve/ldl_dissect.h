// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Orders of elimination for meshes. Nested dissection (George 1973): a small set of nodes that
// separates the rest into two halves goes last, and each half is cut likewise. METIS finds the
// separators (Karypis and Kumar 1998). CAMD orders what is left and the nodes of each separator by
// approximate minimum degree (Amestoy, Davis and Duff 2004).
//
// The same graph gets the same order: METIS draws its random numbers from rand(), and gets a
// generator of its own with a fixed seed for that, one call at a time. The program's rand() goes on
// where it was. Only a program that calls rand() from another thread at that very moment may change
// an order, and with it results by rounding.
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
