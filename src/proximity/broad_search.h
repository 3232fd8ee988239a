// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Stages of a build; only broad.c calls them.
#ifndef PROXIMITY_BROAD_SEARCH_H
#define PROXIMITY_BROAD_SEARCH_H

#include "proximity/broad.h"

typedef struct kai_broad_sides {
    float low[3], high[3];
} kai_broad_sides;

/// Codes that may be read behind the last one.
#define KAI_BROAD_LANES 8

/// Boxes sorted by cell.
typedef struct kai_broad_sorted {
    const uint64_t* items; // [count] number of the cell << index_bits | index of the box
    int index_bits;
    kai_broad_sides* sides; // [count]
    uint64_t* codes;        // [count + KAI_BROAD_LANES] see kai_broad_search_code
    const float* balls; // [count] by index: reach of a ball from its box's middle; HUGE_VALF: none
    size_t count;
    size_t giants;                     // place of the first giant
    const uint32_t* rows;              // see kai_broad_search_rows
    size_t row_first[KAI_GRID_LEVELS]; // first entry of a level in rows; SIZE_MAX: it has none
} kai_broad_sorted;

/// The code of a box inside its level: its sides in 128ths of a cell, six fields of ten bits.
uint64_t kai_broad_search_code(const kai_grid_level* level, const kai_broad_box* box);

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
