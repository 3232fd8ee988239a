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
// everything; half spaces, which are giants, by the corner of each box that is deepest in them.
//
// Bytes read a box in one level, packed: 16 codes of neighbours, 128, and the sides of 6 of them,
// 144, from the cache: the working set is two layers of cells. From memory: 8 + 8 + 24. Written: 8
// a pair.
#include "proximity/broad_search.h"

#include "base/parallel.h"
#include "base/simd.h"

#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 1024, RUN = 1024, OUT = 4096, LANES = 256 };

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
    size_t count;           // of pairs not yet handed over
    uint64_t pairs[OUT];    // found, in no order
    uint32_t hits[RUN + 1]; // places of overlapping boxes in a run
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

KAI_INLINE bool overlap(const kai_broad_sides* a, const kai_broad_sides* b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

// Whether the balls in two boxes may touch, `reach` the sum of what they reach from the middles.
KAI_INLINE bool balls_meet(const kai_broad_sides* a, const kai_broad_sides* b, float reach)
{
    float sum = 0.0f; // of squares of twice the distance
    for (int k = 0; k < 3; k++) {
        const float d = (a->low[k] + a->high[k]) - (b->low[k] + b->high[k]);
        sum += d * d;
    }
    // NaN from unbounded boxes, which have no balls, counts as near.
    return !(sum > 4.0f * reach * reach);
}

// Makes pairs of the box at place p and those of the list that overlap it; `plain`: whoever they
// are.
KAI_INLINE void emit(seeker* s, size_t p, const uint32_t* list, size_t list_count, bool plain)
{
    const search* all = s->search;
    const uint64_t* items = all->sorted->items;
    const kai_broad_sides* sides = all->sorted->sides;
    const kai_broad_box* boxes = all->broad->boxes.data;
    const float* balls = all->sorted->balls;
    const uint64_t a = items[p] & all->index_mask;
    const float ball = balls[a];
    if (s->count + list_count > OUT) hand_over(s);
    uint64_t* out = s->pairs + s->count;
    size_t count = 0;
    for (size_t k = 0; k < list_count; k++) {
        const uint64_t b = items[list[k]] & all->index_mask;
        out[count] = a < b ? a << 32 | b : b << 32 | a;
        bool pair = (int)overlap(&sides[p], &sides[list[k]]) &
                    (int)balls_meet(&sides[p], &sides[list[k]], ball + balls[b]);
        if (!plain) pair = pair && kai_broad_may_meet(&boxes[a], &boxes[b]);
        count += pair;
    }
    s->count += count;
}

// The box at place p with those in places [begin, end), in pieces that fit the list of hits.
static void test_run(seeker* s, size_t p, size_t begin, size_t end)
{
    const kai_broad_sides* sides = s->search->sorted->sides;
    const bool plain = s->search->broad->plain && p < s->search->sorted->giants;
    while (begin < end) {
        const size_t stop = end - begin > RUN ? begin + RUN : end;
        size_t count = 0;
        for (size_t k = begin; k < stop; k++) {
            s->hits[count] = (uint32_t)k;
            count += overlap(&sides[p], &sides[k]);
        }
        emit(s, p, s->hits, count, plain);
        begin = stop;
    }
}

// The half space of the giant at place p with boxes in places [begin, end) that are none.
KAI_CLONES
static void test_half(seeker* s, size_t p, size_t begin, size_t end)
{
    const search* all = s->search;
    const kai_broad_half* half =
        (const kai_broad_half*)all->broad->halves.data + (p - all->sorted->giants);
    const kai_broad_sides* sides = all->sorted->sides;
    const kai_vec3 n = half->normal;
    const double offset = half->offset;
    double least[LANES];
    while (begin < end) {
        const size_t size = end - begin > LANES ? LANES : end - begin;
#pragma omp simd
        for (size_t k = 0; k < size; k++)
            least[k] = kai_broad_half_least(n, sides[begin + k].low, sides[begin + k].high);
        size_t count = 0;
        for (size_t k = 0; k < size; k++) {
            s->hits[count] = (uint32_t)(begin + k);
            count += least[k] <= offset;
        }
        emit(s, p, s->hits, count, false);
        begin += size;
    }
}

// Codes -------------------------------------------------------------------------------------------
//
// Most boxes of neighbouring cells do not overlap. One word says so: six fields of ten bits,
//
//     high x, high y, high z, -low x, -low y, -low z      modulo 1024, in 128ths of a cell.
//
// Boxes of neighbouring cells are less than four cells apart, so each field of a difference has its
// true sign. A and B may overlap when high(B) - low(A) and high(A) - low(B) are nowhere negative:
// one subtraction of words, with signs kept apart (H), of B's code and of A's code turned round.
// Coordinates are rounded by a monotone function, so an overlap always passes; what passes is
// tested with its sides.

static const uint64_t H = 0x0802008020080200; // the sign of each field
static const uint64_t LOW = (UINT64_C(1) << 30) - 1;

uint64_t kai_broad_search_code(const kai_grid_level* level, const kai_broad_box* box)
{
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        const uint64_t low = (uint64_t)(128.0 * kai_grid_coordinate(level, k, box->low[k]));
        const uint64_t high = (uint64_t)(128.0 * kai_grid_coordinate(level, k, box->high[k]));
        code |= (high & 1023) << 10 * k | (-low & 1023) << (30 + 10 * k);
    }
    return code;
}

// Every field negated, and highs exchanged with lows.
KAI_INLINE uint64_t turned(uint64_t code)
{
    const uint64_t minus = (H - (code & ~H)) ^ (~code & H);
    return (minus & LOW) << 30 | minus >> 30;
}

// Places of boxes in [begin, end) whose codes do not rule out an overlap. Eight at a time, those
// past the end masked: runs are short, and a loop whose length cannot be guessed costs more.
KAI_INLINE size_t sift(const uint64_t* codes, uint64_t turn, size_t begin, size_t end,
                       uint32_t* hits)
{
    const uint64_t size = turn & ~H, sign = ~turn;
    size_t count = 0;
    for (size_t k = begin; k < end; k += KAI_BROAD_LANES) {
        uint64_t difference[KAI_BROAD_LANES];
#pragma omp simd
        for (int i = 0; i < KAI_BROAD_LANES; i++)
            difference[i] = (((codes[k + i] | H) - size) ^ codes[k + i] ^ sign) & H;
        const size_t left = end - k;
        for (size_t i = 0; i < KAI_BROAD_LANES; i++) {
            hits[count] = (uint32_t)(k + i);
            count += (difference[i] == 0) & (i < left);
        }
    }
    return count;
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

// The first place from k on, before `end`, whose cell is not before `key`. Mostly it is at most
// three places on, which are stepped over without a branch.
KAI_INLINE size_t advance(const uint64_t* items, int bits, size_t k, size_t end, uint64_t key)
{
    for (int step = 0; step < 3; step++) k += (k < end) & (items[k] >> bits < key);
    while (k < end && items[k] >> bits < key) k++;
    return k;
}

KAI_CLONES
static void search_level(seeker* s, const kai_grid_level* level, size_t begin, size_t end)
{
    const kai_broad_sorted* sorted = s->search->sorted;
    const uint64_t *items = sorted->items, *codes = sorted->codes;
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
            own = advance(items, bits, own, level->end, key + 2);
            for (int r = 0; r < AHEAD; r++) {
                from[r] = advance(items, bits, from[r], level->end, key + ahead[r] - 1);
                const size_t k = from[r] > to[r] ? from[r] : to[r];
                to[r] = advance(items, bits, k, level->end, key + ahead[r] + 2);
            }
        }
        size_t candidates = own - p - 1;
        for (int r = 0; r < AHEAD; r++) candidates += to[r] - from[r];
        if (candidates <= RUN) {
            const uint64_t turn = turned(codes[p]);
            size_t n = sift(codes, turn, p + 1, own, s->hits);
            for (int r = 0; r < AHEAD; r++) n += sift(codes, turn, from[r], to[r], s->hits + n);
            emit(s, p, s->hits, n, s->search->broad->plain);
        } else {
            test_run(s, p, p + 1, own);
            for (int r = 0; r < AHEAD; r++) test_run(s, p, from[r], to[r]);
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
        low[k] = kai_grid_cell(level, k, sorted->sides[p].low[k]) - 1;
        high[k] = kai_grid_cell(level, k, sorted->sides[p].high[k]);
    }
    const size_t boxes = level->end - level->first;
    if ((high[1] - low[1] + 1) * (high[2] - low[2] + 1) > boxes / 8) {
        test_run(s, p, level->first, level->end);
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
            if (begin < end) test_run(s, p, begin, end);
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
    for (size_t g = sorted->giants; g < sorted->count; g++) {
        const size_t last = end < g ? end : g,
                     bounded = last < sorted->giants ? last : sorted->giants;
        if (begin < bounded) test_half(s, g, begin, bounded);
        test_run(s, g, begin > sorted->giants ? begin : sorted->giants, last);
    }
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
static void seek(size_t begin, size_t end, void* context)
{
    (void)begin, (void)end;
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
    // No more threads than blocks: a small scene is not worth waking them.
    const size_t seekers = (size_t)threads < s.blocks ? (size_t)threads : s.blocks;
    kai_parallel_for(threads, seekers, 1, seek, &s);
    return atomic_load(&s.found);
}
