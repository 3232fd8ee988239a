// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A tree of boxes for queries that pairs do not answer: rays, nearest points, probes. It is made
// only when one is asked, and once a state.
//
// Boxes are put in Morton order; every eight neighbours share a box above them, and so on: no
// pointers, levels one after the other. Moving boxes keep their places in the order until the
// caller asks for a new one; their boxes are always those of the present state.
//
// Memory a box: 4 + 24 (1 + 1/8 + 1/64 …) = 32 bytes. Unbounded boxes stand outside the tree.
#ifndef PROXIMITY_BROAD_TREE_H
#define PROXIMITY_BROAD_TREE_H

#include "proximity/broad.h"

#define KAI_BROAD_TREE_LEVELS 12
#define KAI_BROAD_TREE_WIDTH  8

typedef struct kai_broad_tree_box {
    float low[3], high[3];
} kai_broad_tree_box;

typedef struct kai_broad_tree {
    kai_memory* memory;
    size_t count;    // of items
    size_t bounded;  // of them in the tree; the others follow in `order`
    kai_vec3 origin; // of the boxes
    int level_count;
    size_t level_first[KAI_BROAD_TREE_LEVELS]; // place of a level in boxes; the leaves are level 0
    size_t level_size[KAI_BROAD_TREE_LEVELS];
    kai_broad_block order; // uint32_t [count]: item of each leaf
    kai_broad_block boxes; // kai_broad_tree_box
} kai_broad_tree;

/// An empty tree; allocates nothing.
void kai_broad_tree_init(kai_broad_tree* tree, kai_memory* memory);
void kai_broad_tree_free(kai_broad_tree* tree);

/// Takes the boxes of the present state; with `reorder`, or another count, in a new order.
kai_result kai_broad_tree_update(kai_broad_tree* tree, int threads, size_t count,
                                 kai_broad_fill_fn* fill, void* context, bool reorder,
                                 kai_error* err);

/// Called with an item that may matter; may shrink *limit.
typedef void kai_broad_tree_fn(uint32_t item, double* limit, void* context);

/// Calls fn for items whose box is within `limit` of the box [low, high], near boxes first.
void kai_broad_tree_near(const kai_broad_tree* tree, kai_vec3 low, kai_vec3 high, double limit,
                         kai_broad_tree_fn* fn, void* context);

#endif
