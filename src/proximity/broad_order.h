// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An order in which neighbours in space are neighbours in memory: along a Morton curve.
//
// It pays where a loop gathers two items a pair (narrow phase, contact forces, solvers) and the
// items do not fit the cache: 1,000,000 bodies whose order is random touch a new line for nearly
// every pair; in this order most lines are used again while they are near. It does not pay below
// some 50,000 bodies, nor while bodies stay near the order they were created in, as beds filled
// layer by layer do. Sorting costs about as much as a build of pairs; once in some thousand steps
// is often enough.
#ifndef PROXIMITY_BROAD_ORDER_H
#define PROXIMITY_BROAD_ORDER_H

#include "proximity/broad.h"

/// Writes to order[k] the index of the item that should come k-th. Unbounded boxes come last. The
/// scratch, 16 bytes an item, is given back.
kai_result kai_broad_order(kai_memory* memory, int threads, size_t count, kai_broad_fill_fn* fill,
                           void* context, uint32_t* order, kai_error* err);

#endif
