// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Skin boxes (cell_list.h) by the cells of grids without bounds, in hash tables: which boxes are near
// one of them, while boxes come, go and change. A box is in the cell of its centre. There are two grids:
// cells of the first are just wider than nearly all boxes, so that a query meets few, those of the
// second wider than the others; the few that are wider still are looked at one by one.
//
// Bytes a box: 4 next, and 3 to 6 of the tables.
#ifndef PROXIMITY_CELL_HASH_H
#define PROXIMITY_CELL_HASH_H

#include "proximity/cell_list.h"

#define KAI_CELL_HASH_WIDE   64 ///< most boxes that are wider than all cells
#define KAI_CELL_HASH_LEVELS 2

/// A grid.
typedef struct kai_cell_hash_level {
    double side;         // of a cell, m
    double cells;        // per m
    uint32_t mask;       // buckets less one
    uint32_t row, layer; // buckets from a cell to the next one in y, in z
    kai_array head;      // uint32_t [buckets]: 1 + the first box, 0: none
    // A bit for each cell, by another hash, with eight times as many places as buckets; set where a box
    // ever was, and never cleared: most queries for empty cells end here and need not look at boxes of
    // other cells, which are in the same bucket.
    kai_array used; // uint64_t
} kai_cell_hash_level;

typedef struct kai_cell_hash {
    kai_memory* memory;
    bool made; // there is a table
    kai_cell_hash_level levels[KAI_CELL_HASH_LEVELS];
    kai_array next;                    // uint32_t [boxes]: 1 + the next box of the bucket, 0: none
    uint32_t wide[KAI_CELL_HASH_WIDE]; // boxes wider than all cells
    size_t wide_count;
} kai_cell_hash;

/// No table; allocates nothing.
void kai_cell_hash_init(kai_cell_hash* hash, kai_memory* memory);

/// Forgets all boxes; keeps its memory.
void kai_cell_hash_clear(kai_cell_hash* hash);

/// Gives all memory back.
void kai_cell_hash_free(kai_cell_hash* hash);

/// Bytes in use.
size_t kai_cell_hash_bytes(const kai_cell_hash* hash);

/// Puts boxes [0, count) into a new table; there is none (`made` is false) where boxes are not
/// finite or too far apart for cells.
kai_result kai_cell_hash_make(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t count,
                              kai_error* err);

/// Room for boxes [0, count).
kai_result kai_cell_hash_reserve(kai_cell_hash* hash, size_t count, kai_error* err);

/// Adds box i, for which there is room; false: it is too far away, or too many are wider than a cell.
bool kai_cell_hash_add(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i);

/// Takes box i away, which is where it was when it was added.
void kai_cell_hash_remove(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i);

/// Prefetches what kai_cell_hash_near will read for boxes list[k] - first, before it is called for the
/// k-th of them, k = 0, 1, 2 …: a query reads some fifty places of large arrays, and waiting for them
/// takes far longer than all the arithmetic.
void kai_cell_hash_prefetch(const kai_cell_hash* hash, const kai_cell_list_box* boxes,
                            const uint32_t* list, size_t first, size_t count, size_t k);

/// Which boxes overlap box i, itself left out, in no particular order. Returns how many there are;
/// what is beyond `room` is not written.
size_t kai_cell_hash_near(const kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i,
                          uint32_t* out, size_t room);

#endif
