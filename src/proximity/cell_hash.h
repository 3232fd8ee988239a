// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Skin boxes (cell_list.h) by the cells of a grid without bounds, in a hash table: which boxes are near
// one of them, while boxes come, go and change. A box is in the cell of its centre. Cells are a little
// wider than most boxes, so that boxes that overlap are in cells side by side; the few that are wider
// than a cell are looked at one by one.
//
// Bytes a box: 4 next, and 2 to 4 of the table.
#ifndef PROXIMITY_CELL_HASH_H
#define PROXIMITY_CELL_HASH_H

#include "proximity/cell_list.h"

#define KAI_CELL_HASH_WIDE 64 ///< most boxes that are wider than a cell

typedef struct kai_cell_hash {
    kai_memory* memory;
    double side;                       // of a cell, m; 0: there is no table
    double cells;                      // per m
    uint32_t mask;                     // buckets less one
    kai_array head;                    // uint32_t [buckets]: 1 + the first box, 0: none
    kai_array next;                    // uint32_t [boxes]: 1 + the next box of the bucket, 0: none
    uint32_t wide[KAI_CELL_HASH_WIDE]; // boxes wider than a cell
    size_t wide_count;
} kai_cell_hash;

/// No table; allocates nothing.
void kai_cell_hash_init(kai_cell_hash* hash, kai_memory* memory);

/// Forgets all boxes; keeps its memory.
void kai_cell_hash_clear(kai_cell_hash* hash);

/// Gives all memory back.
void kai_cell_hash_free(kai_cell_hash* hash);

/// Puts boxes [0, count) into a new table; there is none (`side` is 0) where boxes are not finite or too
/// far apart for cells.
kai_result kai_cell_hash_make(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t count,
                              kai_error* err);

/// Room for boxes [0, count).
kai_result kai_cell_hash_reserve(kai_cell_hash* hash, size_t count, kai_error* err);

/// Adds box i, for which there is room; false: it is too far away, or too many are wider than a cell.
bool kai_cell_hash_add(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i);

/// Takes box i away, which is where it was when it was added.
void kai_cell_hash_remove(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i);

/// Which boxes overlap box i, itself left out, in no particular order. Returns how many there are;
/// what is beyond `room` is not written.
size_t kai_cell_hash_near(const kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i,
                          uint32_t* out, size_t room);

#endif
