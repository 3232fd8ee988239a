// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A neighbour list: for every point the numbers of the points that it may touch while all stay inside
// their skin boxes, row by row:
//
//     offsets  [points + 1]     row a is indices[offsets[a]] … indices[offsets[a + 1] - 1]
//     indices  [pairs]          numbers of points; ascending in a row
//     history  [pairs][width]   what a pair remembers, doubles beside each index
//
// A *half* list has each pair once, in the row of the smaller number; a *full* one twice. Rows follow
// from positions, velocities and radii alone, not from the number of threads. These are plain arrays
// without pointers: a GPU takes them as they are.
//
// Rows come from cells, or from the pairs of the broad phase where points are not fit for cells. Who
// reads kai_neighbor_list_rows does not see which: rows of cells are found when they are read, and
// need no memory.
//
// Who uses what: spheres by penalty read rows into a list of their own (contact/grains.h), whose
// histories lie in blocks. The arrays of a kai_neighbor_list are for particles that do not rest on the
// contacts of proximity.h, and for kernels on other processors; no part of a step makes them yet.
// Contacts by complementarity take pairs from the broad phase: why, see docs/methods.md, Collision.
//
// Bytes a point, with E pairs a point: 16 skin box + 4 + 4 E + 8 width E. While a list is made:
// 4 + 8 E + 8 width E more, and cells (cell_list.h).
#ifndef PROXIMITY_NEIGHBOR_LIST_H
#define PROXIMITY_NEIGHBOR_LIST_H

#include "proximity/cell_list.h"

/// Rows of neighbours: of points in cells, whose numbers begin with `first`; or in arrays.
typedef struct kai_neighbor_list_rows {
    const kai_cell_list* cells; // not NULL: half rows from these
    size_t first, count;        // points that may have neighbours
    const uint32_t* offsets;    // [count + 1]
    const uint32_t* indices;
} kai_neighbor_list_rows;

typedef struct kai_neighbor_list {
    kai_memory* memory;
    size_t count; // points
    size_t width; // doubles of history a pair
    bool full;
    kai_array offsets; // uint32_t [count + 1]
    kai_array indices; // uint32_t
    kai_array history; // double: `width` beside each index
    kai_array boxes;   // kai_cell_list_box [count]
    kai_vec3 origin;   // of skin boxes
} kai_neighbor_list;

/// An empty list; allocates nothing.
void kai_neighbor_list_init(kai_neighbor_list* list, kai_memory* memory, bool full, size_t width);

/// Gives all memory back.
void kai_neighbor_list_free(kai_neighbor_list* list);

/// Makes the list anew. `from` [points->count] tells which number each point had in the list as it
/// was (UINT32_MAX: it is new); NULL: all have the same number, and those behind the old ones are new.
/// Histories go on; one whose pair has been turned round (half lists) changes its sign. KAI_ERROR_LIMIT
/// beyond 2³² pairs, KAI_ERROR_DIVERGED where a point is not finite or its radius not above 0; the
/// list is as it was then.
kai_result kai_neighbor_list_make(kai_neighbor_list* list, int threads,
                                  const kai_cell_list_points* points, const uint32_t* from,
                                  kai_error* err);

/// Whether all points are inside their skin boxes, so that the list has all pairs that touch.
bool kai_neighbor_list_holds(const kai_neighbor_list* list, int threads,
                             const kai_cell_list_points* points);

/// The place of pair (a, b) in row a; SIZE_MAX: it is not there.
size_t kai_neighbor_list_find(const kai_neighbor_list* list, uint32_t a, uint32_t b);

/// The rows of the list.
kai_neighbor_list_rows kai_neighbor_list_rows_of(const kai_neighbor_list* list);

/// Row a, a number of a point: `*n` numbers, ascending. `room` is for rows of cells. `*n` above
/// KAI_CELL_LIST_ROW where `*row` is NULL: too many neighbours for cells.
KAI_INLINE const uint32_t* kai_neighbor_list_row(const kai_neighbor_list_rows* rows, size_t a,
                                                 uint32_t room[KAI_CELL_LIST_ROW], size_t* n)
{
    if (!rows->cells) {
        *n = rows->offsets[a - rows->first + 1] - rows->offsets[a - rows->first];
        return rows->indices + rows->offsets[a - rows->first];
    }
    *n = kai_cell_list_row(rows->cells, a - rows->first, false, room);
    if (*n > KAI_CELL_LIST_ROW) return NULL;
    for (size_t k = 0; k < *n; k++) room[k] += (uint32_t)rows->first;
    return room;
}

/// Lays sorted pairs (a << 32 | b, all a below `count`) out as half rows: `offsets` [count + 1] are
/// written, and indices over the pairs.
kai_neighbor_list_rows kai_neighbor_list_rows_from(uint64_t* pairs, size_t pair_count,
                                                   uint32_t* offsets, size_t count);

#endif
