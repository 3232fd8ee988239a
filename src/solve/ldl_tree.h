// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From an order of elimination to a tree of fronts.
//
// What a node reaches when it goes is what its edges and the nodes before it that reach it first
// make; the first one that it reaches is its parent in the elimination tree (Liu 1990). Nodes in a
// row that reach the same others form a front, and fronts that are cheaper as one are joined. Only
// descendants change a node before its turn, so any order with children first gives the same
// pivots.
#ifndef SOLVE_LDL_TREE_H
#define SOLVE_LDL_TREE_H

#include "solve/ldl.h"

/// Fronts in an order with children first, all descendants of a front in a row before it.
typedef struct kai_ldl_tree {
    kai_array node;   // uint32_t [nodes]: in order of elimination; places in it are *positions*
    kai_array first;  // uint32_t [fronts + 1]: first position of a front
    kai_array parent; // uint32_t [fronts]; UINT32_MAX: none
    kai_array below_first; // uint32_t [fronts + 1]: into below
    kai_array below;       // uint32_t: positions that a front reaches, ascending
    size_t reached;        // blocks of L below the diagonal, without what joining fronts adds
    size_t products;       // of blocks that the factors take, likewise
    double cost;           // estimate of a factorisation, ns
} kai_ldl_tree;

/// Estimate for a front of so many pivots and rows below, ns.
double kai_ldl_tree_cost(double pivots, double rows);

/// Finds the tree for an order of elimination [node_count]. KAI_ERROR_LIMIT when the factors take
/// more than `limit` numbers or `work` products of blocks (0: any).
kai_result kai_ldl_tree_find(kai_ldl_tree* tree, kai_memory* memory, const kai_ldl_node* nodes,
                             uint32_t node_count, const kai_ldl_edge* edges, uint32_t edge_count,
                             const uint32_t* order, size_t limit, size_t work, kai_error* err);

/// Gives all memory back.
void kai_ldl_tree_free(kai_ldl_tree* tree, kai_memory* memory);

#endif
