// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Stages of a build; only broad.c calls them.
#ifndef PROXIMITY_BROAD_SEARCH_H
#define PROXIMITY_BROAD_SEARCH_H

#include "proximity/broad.h"

/// Boxes sorted by cell.
typedef struct kai_broad_sorted {
    const uint64_t*
        items; // [count] number of the cell, shifted by index_bits, and index of the box
    int index_bits;
    float* side[6]; // [count + padding] each: low x y z, high x y z
    size_t count;
    size_t giants;                     // place of the first giant
    const uint32_t* rows;              // see kai_broad_search_rows
    size_t row_first[KAI_GRID_LEVELS]; // first entry of a level in rows; SIZE_MAX: it has none
} kai_broad_sorted;

/// Floats that may be read behind the last box.
#define KAI_BROAD_PADDING 16

/// Entries of the table of rows.
size_t kai_broad_search_rows_size(const kai_grid* grid, kai_broad_sorted* sorted);

/// Fills it: for a level with few rows, the first box of each.
void kai_broad_search_rows(const kai_grid* grid, const kai_broad_sorted* sorted, uint32_t* rows);

/// Finds all overlaps. Returns how many; only the first `capacity` of them have been written to
/// out, in no order.
size_t kai_broad_search(const kai_broad* broad, const kai_broad_sorted* sorted, int threads,
                        uint64_t* out, size_t capacity);

/// Sorts pairs of items below n; `other` [count] is scratch. The result is in `pairs`. `table` has
/// kai_broad_pairs_table(n, threads) bytes.
void kai_broad_pairs_sort(uint64_t* pairs, uint64_t* other, size_t count, size_t n, int threads,
                          uint32_t* table);
size_t kai_broad_pairs_table(size_t n, int threads);

#endif
