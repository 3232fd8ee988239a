// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Uniform bins on several levels. A box belongs to the level of its size, and there to the cell of
// its low corner. Two rules make every search exact in floating point:
//
//   the cell of a coordinate is a monotone function of it, clamped to the level's range;
//   a box reaches at most into the next cell along each axis, as computed, not as it ought to be.
//
// A box of the level that overlaps a box B then has its cell in [cell(B.low) - 1, cell(B.high)]
// along every axis. A box that fits no level (unbounded ones) is a giant, tested with all others.
//
// Cells are numbered x fastest, then y, then z, level after level, so that boxes sorted by cell lie
// side by side along x: a search reads one run of boxes a row of cells.
#ifndef PROXIMITY_GRID_H
#define PROXIMITY_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KAI_GRID_LEVELS 32   ///< most levels; each spans a factor of 2 in size
#define KAI_GRID_BINS   2048 ///< classes of size: 8 a factor of 2, over all floats
#define KAI_GRID_GIANT  255  ///< level of boxes that belong to none

/// What is known of the boxes of one class of size, gathered on threads.
typedef struct kai_grid_bin {
    uint64_t count;
    float size;            // largest
    float low[3], high[3]; // bounds of the boxes
} kai_grid_bin;

/// One level.
typedef struct kai_grid_level {
    double low[3];        // where cell 1 begins; cells 0 and cells - 1 stay empty
    double cell, inverse; // edge of a cell, and 1 over it
    double most[3];       // last cell that may be filled, cells - 2
    uint64_t cells[3];    // along each axis
    uint64_t base;        // number of its first cell
    size_t first, end;    // its boxes in sorted order; set by the owner after sorting
    uint64_t boxes;       // how many it was made for; a few may move to a coarser one
} kai_grid_level;

typedef struct kai_grid {
    int level_count; // coarse to fine
    int key_bits;    // a cell's number is below 2^key_bits
    uint64_t giant;  // the number that giants have: behind all cells
    kai_grid_level levels[KAI_GRID_LEVELS];
    uint8_t level_of[KAI_GRID_BINS];
} kai_grid;

/// The class of a size ≥ 0: monotone in the size.
static inline unsigned kai_grid_bin_of(float size)
{
    union {
        float f;
        uint32_t u;
    } bits = {.f = size};
    return bits.u >> 20;
}

/// A coordinate in cells of a level, clamped to its range; monotone.
static inline double kai_grid_coordinate(const kai_grid_level* level, int axis, float x)
{
    const double c = 1.0 + ((double)x - level->low[axis]) * level->inverse;
    return c >= 1.0 ? c <= level->most[axis] ? c : level->most[axis] : 1.0;
}

/// The cell of a coordinate on a level.
static inline uint64_t kai_grid_cell(const kai_grid_level* level, int axis, float x)
{
    return (uint64_t)kai_grid_coordinate(level, axis, x);
}

/// The number of a cell.
static inline uint64_t kai_grid_number(const kai_grid_level* level, uint64_t x, uint64_t y,
                                       uint64_t z)
{
    return level->base + (z * level->cells[1] + y) * level->cells[0] + x;
}

/// Chooses levels for boxes of these classes; numbers of cells take at most `bits` bits.
void kai_grid_choose(kai_grid* grid, const kai_grid_bin* bins, int bits);

/// The number of the cell that a box belongs to; `size` is its longest side.
uint64_t kai_grid_place(const kai_grid* grid, const float* low, const float* high, float size);

#endif
