// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/grid.h"

#include <float.h>
#include <math.h>

// A cell is a trace larger than the largest box of its level, so that rounding rarely makes one
// reach into a third cell; those that do go to a coarser level.
static const double SLACK = 1.0 + 1e-6;

// No axis has more cells than this: positions in single precision resolve 16 times as much.
static const double MOST_CELLS = 1048576.0;

static void set_cell(kai_grid_level* level, double cell, const double extent[3])
{
    level->cell = cell;
    level->inverse = 1.0 / cell;
    for (int k = 0; k < 3; k++) {
        level->cells[k] = (uint64_t)(extent[k] * level->inverse) + 4;
        level->most[k] = (double)(level->cells[k] - 2);
    }
}

// Cells of the level's largest box, coarser where the numbers of cells would not fit `share`.
static void size_level(kai_grid_level* level, const kai_grid_bin* bounds, double share)
{
    double extent[3], widest = 0.0;
    for (int k = 0; k < 3; k++) {
        level->low[k] = (double)bounds->low[k];
        extent[k] = (double)bounds->high[k] - (double)bounds->low[k];
        widest = fmax(widest, extent[k]);
    }
    double cell = fmax((double)bounds->size * SLACK, widest / MOST_CELLS);
    if (!(cell > (double)FLT_MIN)) cell = (double)FLT_MIN;
    for (;; cell *= 1.25) {
        set_cell(level, cell, extent);
        const double n =
            (double)level->cells[0] * (double)level->cells[1] * (double)level->cells[2];
        if (n <= share) return;
    }
}

// A level ends where sizes fall below half its largest, or where a crowd begins that would have to
// live in cells made for a few.
static bool starts_level(const kai_grid_bin* level, const kai_grid_bin* bin)
{
    if (bin->size < 0.5f * level->size) return true;
    return bin->count > 8 * level->count && bin->size < 0.85f * level->size;
}

static void join(kai_grid_bin* sum, const kai_grid_bin* bin)
{
    sum->count += bin->count;
    for (int k = 0; k < 3; k++) {
        sum->low[k] = fminf(sum->low[k], bin->low[k]);
        sum->high[k] = fmaxf(sum->high[k], bin->high[k]);
    }
}

void kai_grid_choose(kai_grid* grid, const kai_grid_bin* bins, int bits)
{
    kai_grid_bin sums[KAI_GRID_LEVELS];
    int count = 0;
    for (int b = KAI_GRID_BINS - 1; b >= 0; b--) {
        grid->level_of[b] = KAI_GRID_GIANT;
        if (bins[b].count == 0) continue;
        const bool start = count == 0 || starts_level(&sums[count - 1], &bins[b]);
        if (start && count < KAI_GRID_LEVELS)
            sums[count++] = bins[b];
        else
            join(&sums[count - 1], &bins[b]);
        grid->level_of[b] = (uint8_t)(count - 1);
    }

    uint64_t base = 0;
    const double share = ldexp(1.0, bits - 1) / (count + 1.0);
    for (int k = 0; k < count; k++) {
        kai_grid_level* level = &grid->levels[k];
        size_level(level, &sums[k], share);
        level->base = base;
        level->boxes = sums[k].count;
        level->first = level->end = 0;
        base += level->cells[0] * level->cells[1] * level->cells[2];
    }
    grid->level_count = count;
    grid->giant = base;
    grid->key_bits = 0;
    while (base >> grid->key_bits) grid->key_bits++;
}

uint64_t kai_grid_place(const kai_grid* grid, const float* low, const float* high, float size)
{
    if (!(size <= FLT_MAX)) return grid->giant;
    for (int l = grid->level_of[kai_grid_bin_of(size)]; l >= 0 && l < grid->level_count; l--) {
        const kai_grid_level* level = &grid->levels[l];
        uint64_t cell[3];
        bool fits = true;
        for (int k = 0; k < 3; k++) {
            cell[k] = kai_grid_cell(level, k, low[k]);
            fits = fits && kai_grid_cell(level, k, high[k]) - cell[k] <= 1;
        }
        if (fits) return kai_grid_number(level, cell[0], cell[1], cell[2]);
    }
    return grid->giant;
}
