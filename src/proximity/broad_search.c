// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Overlaps of boxes sorted by cell.
//
// Inside a level, a box meets the boxes behind it in sorted order: the rest of its own cell and the
// next one along x, and three cells of each of four rows ahead. The runs it reads only move
// forward from cell to cell, so their ends are found by stepping, with no table of cells: empty
// space costs nothing.
//
// Between levels, either the small boxes look into the cells of the large ones (4 to 9 rows each)
// or the large ones into the cells of the small ones, whichever is less work by count; a box so
// large that it has more rows than there are boxes goes through all of them. Giants are tested with
// everything.
//
// Bytes read a box in one level: 6 × 4 of its own, and some 20 × 24 of neighbours, from the cache:
// the working set is two layers of cells. From memory: 24 + 8. Written: 8 a pair.
#include "proximity/broad_search.h"

#include "base/parallel.h"
#include "base/simd.h"

#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 1024, LANES = 8, RUN = 1024, OUT = 4096 };

typedef struct search {
    const kai_broad* broad;
    const kai_grid* grid;
    const kai_broad_sorted* sorted;
    uint64_t* out;
    size_t capacity, blocks;
    uint64_t index_mask;
    // Whether boxes of the first level look into the second, coarser or finer one.
    bool looks[KAI_GRID_LEVELS][KAI_GRID_LEVELS];
    atomic_size_t next;  // block to do
    atomic_size_t found; // pairs so far
} search;

/// What one thread works with.
typedef struct seeker {
    search* search;
    size_t count;               // of pairs not yet handed over
    uint64_t pairs[OUT];        // found, in no order
    uint32_t hits[RUN + LANES]; // places of overlapping boxes in a run
} seeker;

// Pairs -------------------------------------------------------------------------------------------

static void hand_over(seeker* s)
{
    search* all = s->search;
    const size_t at = atomic_fetch_add_explicit(&all->found, s->count, memory_order_relaxed);
    if (at < all->capacity) {
        const size_t room = all->capacity - at;
        memcpy(all->out + at, s->pairs, (s->count < room ? s->count : room) * sizeof *s->pairs);
    }
    s->count = 0;
}

// Makes pairs of the box at place p and those of the hits.
static void emit(seeker* s, size_t p, size_t hit_count)
{
    const search* all = s->search;
    const uint64_t* items = all->sorted->items;
    const kai_broad_box* boxes = all->broad->boxes.data;
    const uint64_t a = items[p] & all->index_mask;
    if (s->count + hit_count > OUT) hand_over(s);
    uint64_t* out = s->pairs + s->count;
    if (all->broad->plain) {
        for (size_t k = 0; k < hit_count; k++) {
            const uint64_t b = items[s->hits[k]] & all->index_mask;
            out[k] = a < b ? a << 32 | b : b << 32 | a;
        }
        s->count += hit_count;
        return;
    }
    for (size_t k = 0; k < hit_count; k++) {
        const uint64_t b = items[s->hits[k]] & all->index_mask;
        if (kai_broad_may_meet(&boxes[a], &boxes[b]))
            s->pairs[s->count++] = a < b ? a << 32 | b : b << 32 | a;
    }
}

// Overlaps of a box with the boxes in places [begin, end): their places go to hits. Eight boxes at
// a time, those past the end masked: runs are short, so a loop for remainders would do most of the
// work.
KAI_INLINE size_t test_run(const kai_broad_sorted* sorted, const float box[6], size_t begin,
                           size_t end, uint32_t* hits)
{
    const float *lx = sorted->side[0], *ly = sorted->side[1], *lz = sorted->side[2];
    const float *hx = sorted->side[3], *hy = sorted->side[4], *hz = sorted->side[5];
    size_t count = 0;
    for (size_t k = begin; k < end; k += LANES) {
        uint32_t hit[LANES];
#pragma omp simd
        for (int i = 0; i < LANES; i++) {
            hit[i] = (lx[k + i] <= box[3]) & (hx[k + i] >= box[0]) & (ly[k + i] <= box[4]) &
                     (hy[k + i] >= box[1]) & (lz[k + i] <= box[5]) & (hz[k + i] >= box[2]);
        }
        const size_t left = end - k;
        for (size_t i = 0; i < LANES; i++) {
            hits[count] = (uint32_t)(k + i);
            count += hit[i] & (i < left);
        }
    }
    return count;
}

KAI_INLINE void load_box(const kai_broad_sorted* sorted, size_t p, float box[6])
{
    for (int k = 0; k < 6; k++) box[k] = sorted->side[k][p];
}

// A run of any length, in pieces that fit the list of hits.
KAI_CLONES
static void test_long_run(seeker* s, size_t p, size_t begin, size_t end)
{
    const kai_broad_sorted* sorted = s->search->sorted;
    float box[6];
    load_box(sorted, p, box);
    while (begin < end) {
        const size_t stop = end - begin > RUN ? begin + RUN : end;
        emit(s, p, test_run(sorted, box, begin, stop, s->hits));
        begin = stop;
    }
}

// One level ---------------------------------------------------------------------------------------

enum { AHEAD = 4 }; // rows ahead: next in y, and three in the next layer

static uint64_t key_at(const kai_broad_sorted* sorted, size_t p)
{
    return sorted->items[p] >> sorted->index_bits;
}

// The first place in [begin, end) whose cell is not before `key`.
static size_t lower_bound(const kai_broad_sorted* sorted, size_t begin, size_t end, uint64_t key)
{
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (key_at(sorted, middle) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

KAI_CLONES
static void search_level(seeker* s, const kai_grid_level* level, size_t begin, size_t end)
{
    const kai_broad_sorted* sorted = s->search->sorted;
    const uint64_t* items = sorted->items;
    const int bits = sorted->index_bits;
    const uint64_t nx = level->cells[0], layer = nx * level->cells[1];
    const uint64_t ahead[AHEAD] = {nx, layer - nx, layer, layer + nx};
    size_t from[AHEAD], to[AHEAD], own = begin; // runs of the present cell

    uint64_t key = items[begin] >> bits;
    for (int r = 0; r < AHEAD; r++)
        from[r] = to[r] = lower_bound(sorted, begin, level->end, key + ahead[r] - 1);
    key = UINT64_MAX;

    for (size_t p = begin; p < end; p++) {
        const uint64_t cell = items[p] >> bits;
        if (cell != key) {
            key = cell;
            while (own < level->end && items[own] >> bits <= key + 1) own++;
            for (int r = 0; r < AHEAD; r++) {
                size_t k = from[r];
                while (k < level->end && items[k] >> bits < key + ahead[r] - 1) k++;
                from[r] = k;
                if (k < to[r]) k = to[r];
                while (k < level->end && items[k] >> bits <= key + ahead[r] + 1) k++;
                to[r] = k;
            }
        }
        size_t candidates = own - p - 1;
        for (int r = 0; r < AHEAD; r++) candidates += to[r] - from[r];
        if (candidates <= RUN) {
            float box[6];
            load_box(sorted, p, box);
            size_t n = test_run(sorted, box, p + 1, own, s->hits);
            for (int r = 0; r < AHEAD; r++) n += test_run(sorted, box, from[r], to[r], s->hits + n);
            emit(s, p, n);
        } else {
            test_long_run(s, p, p + 1, own);
            for (int r = 0; r < AHEAD; r++) test_long_run(s, p, from[r], to[r]);
        }
    }
}

// Between levels ----------------------------------------------------------------------------------

size_t kai_broad_search_rows_size(const kai_grid* grid, kai_broad_sorted* sorted)
{
    size_t size = 0;
    for (int l = 0; l < grid->level_count; l++) {
        const kai_grid_level* level = &grid->levels[l];
        const uint64_t rows = level->cells[1] * level->cells[2];
        sorted->row_first[l] = SIZE_MAX;
        if (grid->level_count < 2 || rows > level->boxes + 256) continue;
        sorted->row_first[l] = size;
        size += rows + 1;
    }
    return size;
}

void kai_broad_search_rows(const kai_grid* grid, const kai_broad_sorted* sorted, uint32_t* rows)
{
    for (int l = 0; l < grid->level_count; l++) {
        if (sorted->row_first[l] == SIZE_MAX) continue;
        const kai_grid_level* level = &grid->levels[l];
        uint32_t* first = rows + sorted->row_first[l];
        const uint64_t count = level->cells[1] * level->cells[2];
        uint64_t row = 0;
        for (size_t p = level->first; p < level->end; p++) {
            const uint64_t of = (key_at(sorted, p) - level->base) / level->cells[0];
            while (row <= of) first[row++] = (uint32_t)p;
        }
        while (row <= count) first[row++] = (uint32_t)level->end;
    }
}

// The box at place p with all boxes of another level.
static void look_into(seeker* s, size_t p, int l)
{
    const kai_broad_sorted* sorted = s->search->sorted;
    const kai_grid_level* level = &s->search->grid->levels[l];
    uint64_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = kai_grid_cell(level, k, sorted->side[k][p]) - 1;
        high[k] = kai_grid_cell(level, k, sorted->side[3 + k][p]);
    }
    const size_t boxes = level->end - level->first;
    if ((high[1] - low[1] + 1) * (high[2] - low[2] + 1) > boxes / 8) {
        test_long_run(s, p, level->first, level->end);
        return;
    }
    for (uint64_t z = low[2]; z <= high[2]; z++) {
        for (uint64_t y = low[1]; y <= high[1]; y++) {
            size_t begin = level->first, end = level->end;
            if (sorted->row_first[l] != SIZE_MAX) {
                const uint32_t* row = sorted->rows + sorted->row_first[l] + z * level->cells[1] + y;
                begin = row[0];
                end = row[1];
            }
            begin = lower_bound(sorted, begin, end, kai_grid_number(level, low[0], y, z));
            end = lower_bound(sorted, begin, end, kai_grid_number(level, high[0], y, z) + 1);
            if (begin < end) test_long_run(s, p, begin, end);
        }
    }
}

// Work of all boxes of level a looking into level b, in rows visited.
static double looking_work(const kai_grid_level* a, const kai_grid_level* b)
{
    const double rows = a->cell / b->cell + 2.0;
    return (double)(a->end - a->first) * fmin(rows * rows, 1.0 + (double)(b->end - b->first) / 8.0);
}

static void choose_looks(search* s)
{
    const int n = s->grid->level_count;
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            const kai_grid_level *coarse = &s->grid->levels[a], *fine = &s->grid->levels[b];
            const bool down = looking_work(coarse, fine) < looking_work(fine, coarse);
            s->looks[a][b] = down;
            s->looks[b][a] = !down;
        }
    }
}

// Blocks ------------------------------------------------------------------------------------------

static void search_block(seeker* s, size_t begin, size_t end)
{
    const search* all = s->search;
    const kai_broad_sorted* sorted = all->sorted;
    for (size_t g = sorted->giants; g < sorted->count; g++)
        test_long_run(s, g, begin, end < g ? end : g);
    for (int l = 0; l < all->grid->level_count; l++) {
        const kai_grid_level* level = &all->grid->levels[l];
        const size_t first = begin > level->first ? begin : level->first;
        const size_t last = end < level->end ? end : level->end;
        if (first >= last) continue;
        search_level(s, level, first, last);
        for (int other = 0; other < all->grid->level_count; other++) {
            if (!all->looks[l][other]) continue;
            for (size_t p = first; p < last; p++) look_into(s, p, other);
        }
    }
}

// Blocks differ much in work, so each thread takes the next one that is left: pairs are sorted
// afterwards, and who finds them does not show.
static void seek(size_t begin, size_t end, int worker, void* context)
{
    (void)begin, (void)end, (void)worker;
    search* all = context;
    seeker s;
    s.search = all;
    s.count = 0;
    for (;;) {
        const size_t b = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed);
        if (b >= all->blocks) break;
        const size_t last = (b + 1) * BLOCK;
        search_block(&s, b * BLOCK, last < all->sorted->count ? last : all->sorted->count);
    }
    hand_over(&s);
}

size_t kai_broad_search(const kai_broad* broad, const kai_broad_sorted* sorted, int threads,
                        uint64_t* out, size_t capacity)
{
    search s = {.broad = broad,
                .grid = &broad->grid,
                .sorted = sorted,
                .out = out,
                .capacity = capacity,
                .blocks = (sorted->count + BLOCK - 1) / BLOCK,
                .index_mask = (UINT64_C(1) << sorted->index_bits) - 1};
    choose_looks(&s);
    kai_parallel_for(threads, (size_t)(threads > 1 ? threads : 1), 1, seek, &s);
    return atomic_load(&s.found);
}
