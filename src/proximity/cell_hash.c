// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/cell_hash.h"

#include <float.h>
#include <string.h>

// Boxes narrower than this part of a cell have neighbours in the next cell at most, by more than
// floats are wrong by.
static const double NARROWER = 0.98;
static const double MOST_CELLS = 1e9; // along an axis, to either side

enum { FIRST_SHARE = 32 }; // one box of so many may be wider than cells of the first level
enum { BINS = 128, BIN_PARTS = 16 }; // of the mean width: what widths are counted by

typedef struct hash_cell {
    int32_t x, y, z;
} hash_cell;

void kai_cell_hash_init(kai_cell_hash* hash, kai_memory* memory)
{
    *hash = (kai_cell_hash){.memory = memory, .next = kai_array_make(sizeof(uint32_t))};
    for (int k = 0; k < KAI_CELL_HASH_LEVELS; k++) {
        hash->levels[k].head = kai_array_make(sizeof(uint32_t));
        hash->levels[k].used = kai_array_make(sizeof(uint64_t));
    }
}

void kai_cell_hash_clear(kai_cell_hash* hash) { hash->made = false; }

void kai_cell_hash_free(kai_cell_hash* hash)
{
    for (int k = 0; k < KAI_CELL_HASH_LEVELS; k++) {
        kai_array_free(&hash->levels[k].head, hash->memory);
        kai_array_free(&hash->levels[k].used, hash->memory);
    }
    kai_array_free(&hash->next, hash->memory);
    hash->made = false;
}

size_t kai_cell_hash_bytes(const kai_cell_hash* hash)
{
    size_t bytes = hash->next.capacity * hash->next.stride;
    for (int k = 0; k < KAI_CELL_HASH_LEVELS; k++) {
        const kai_cell_hash_level* level = &hash->levels[k];
        bytes += level->head.capacity * level->head.stride;
        bytes += level->used.capacity * level->used.stride;
    }
    return bytes;
}

static double middle_of(const kai_cell_list_box* box, int axis)
{
    return (double)box->low[axis] + 0.5 * (double)box->width;
}

/// The whole number at or below x, which an int32_t holds: without a call of floor().
static int32_t floor_of(double x)
{
    const int32_t i = (int32_t)x;
    return i - (x < (double)i);
}

static hash_cell cell_of(const kai_cell_hash_level* level, const kai_cell_list_box* box)
{
    return (hash_cell){floor_of(middle_of(box, 0) * level->cells),
                       floor_of(middle_of(box, 1) * level->cells),
                       floor_of(middle_of(box, 2) * level->cells)};
}

/// The bucket of a cell; cells in a row along x have buckets in a row.
static uint32_t bucket_of(const kai_cell_hash_level* level, hash_cell c)
{
    return ((uint32_t)c.x + (uint32_t)c.y * level->row + (uint32_t)c.z * level->layer) &
           level->mask;
}

/// The place of a cell's bit; cells in a row along x have bits in a row.
static uint32_t bit_of(const kai_cell_hash_level* level, hash_cell c)
{
    const uint32_t row = (uint32_t)c.y * 19349663u ^ (uint32_t)c.z * 83492791u;
    return ((uint32_t)c.x + (row ^ row >> 15)) & (8 * (level->mask + 1) - 1);
}

/// Whether a box was ever in a cell, or in another one with the same bit.
static bool is_used(const kai_cell_hash_level* level, hash_cell c)
{
    const uint32_t bit = bit_of(level, c);
    return ((const uint64_t*)level->used.data)[bit / 64] >> bit % 64 & 1;
}

/// The level of a box; KAI_CELL_HASH_LEVELS: it is wider than all cells.
static int level_of(const kai_cell_hash* hash, const kai_cell_list_box* box)
{
    int k = 0;
    while (k < KAI_CELL_HASH_LEVELS && !((double)box->width <= hash->levels[k].side * NARROWER))
        k++;
    return k;
}

kai_result kai_cell_hash_reserve(kai_cell_hash* hash, size_t count, kai_error* err)
{
    return count <= hash->next.count ? KAI_OK
                                     : kai_array_resize(&hash->next, hash->memory, count, err);
}

bool kai_cell_hash_add(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)boxes[i].low[k]) + (double)boxes[i].width <=
              MOST_CELLS * hash->levels[0].side))
            return false;
    const int k = level_of(hash, &boxes[i]);
    if (k == KAI_CELL_HASH_LEVELS) {
        if (hash->wide_count == KAI_CELL_HASH_WIDE) return false;
        hash->wide[hash->wide_count++] = (uint32_t)i;
        return true;
    }
    const kai_cell_hash_level* level = &hash->levels[k];
    uint32_t *head = level->head.data, *next = hash->next.data;
    const hash_cell cell = cell_of(level, &boxes[i]);
    const uint32_t bucket = bucket_of(level, cell), bit = bit_of(level, cell);
    ((uint64_t*)level->used.data)[bit / 64] |= UINT64_C(1) << bit % 64;
    next[i] = head[bucket];
    head[bucket] = (uint32_t)i + 1;
    return true;
}

void kai_cell_hash_remove(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i)
{
    const int k = level_of(hash, &boxes[i]);
    if (k == KAI_CELL_HASH_LEVELS) {
        size_t at = 0;
        while (hash->wide[at] != i) at++;
        hash->wide[at] = hash->wide[--hash->wide_count];
        return;
    }
    const kai_cell_hash_level* level = &hash->levels[k];
    uint32_t* next = hash->next.data;
    uint32_t* link = (uint32_t*)level->head.data + bucket_of(level, cell_of(level, &boxes[i]));
    while (*link != (uint32_t)i + 1) link = &next[*link - 1];
    *link = next[i];
}

/// What boxes are like.
typedef struct hash_boxes {
    float low[3], high[3]; // of lower corners
    double mean, sum;      // of widths
    size_t counts[BINS];   // of boxes by width
} hash_boxes;

/// False: there are none, or their widths are not finite.
static bool measure_boxes(hash_boxes* m, const kai_cell_list_box* boxes, size_t count)
{
    float lx = HUGE_VALF, ly = HUGE_VALF, lz = HUGE_VALF, hx = -lx, hy = -ly, hz = -lz;
    double sum = 0.0;
#pragma omp simd reduction(min : lx, ly, lz) reduction(max : hx, hy, hz) reduction(+ : sum)
    for (size_t i = 0; i < count; i++) {
        const kai_cell_list_box* box = &boxes[i];
        lx = box->low[0] < lx ? box->low[0] : lx;
        ly = box->low[1] < ly ? box->low[1] : ly;
        lz = box->low[2] < lz ? box->low[2] : lz;
        hx = box->low[0] > hx ? box->low[0] : hx;
        hy = box->low[1] > hy ? box->low[1] : hy;
        hz = box->low[2] > hz ? box->low[2] : hz;
        sum += (double)box->width;
    }
    const double mean = sum / (double)count, scale = BIN_PARTS / mean;
    *m = (hash_boxes){.low = {lx, ly, lz}, .high = {hx, hy, hz}, .mean = mean, .sum = sum};
    if (!(mean > 0.0 && isfinite(scale) && isfinite(sum))) return false;
    for (size_t i = 0; i < count; i++) {
        const double bin = scale * (double)boxes[i].width;
        m->counts[bin < BINS - 1 ? (int)bin : BINS - 1]++;
    }
    return true;
}

/// The least width of cells, in steps, so that `most` boxes at most are wider; how many there are.
static double find_side(const hash_boxes* m, size_t most, size_t* wider)
{
    int bin = BINS - 1;
    *wider = m->counts[bin];
    while (bin > 0 && *wider + m->counts[bin - 1] <= most) *wider += m->counts[--bin];
    return m->mean * (bin + 1) / BIN_PARTS / NARROWER;
}

/// Chooses how many buckets it is from a row of cells to the next, and from a layer to the next: where a
/// layer between the lowest and the highest box fits in the table, its cells have a bucket each.
static void lay_rows(kai_cell_hash_level* level, const hash_boxes* m)
{
    const double nx = ceil(((double)m->high[0] - (double)m->low[0]) * level->cells) + 2.0,
                 ny = ceil(((double)m->high[1] - (double)m->low[1]) * level->cells) + 2.0;
    const bool fit = nx * ny <= level->mask;
    // Odd numbers: rows spread over all buckets whatever their number.
    level->row = fit ? (uint32_t)nx | 1 : 19349663u;
    level->layer = fit ? (uint32_t)(nx * ny) | 1 : 83492791u;
}

static kai_result make_level(kai_cell_hash* hash, int k, double side, size_t count, kai_error* err)
{
    kai_cell_hash_level* level = &hash->levels[k];
    size_t buckets = 64;
    while (2 * buckets < count) buckets *= 2;
    KAI_TRY(kai_array_resize(&level->head, hash->memory, 0, err));
    KAI_TRY(kai_array_resize(&level->head, hash->memory, buckets, err));
    KAI_TRY(kai_array_resize(&level->used, hash->memory, 0, err));
    KAI_TRY(kai_array_resize(&level->used, hash->memory, buckets / 8, err));
    level->mask = (uint32_t)buckets - 1;
    level->side = side;
    level->cells = 1.0 / side;
    return KAI_OK;
}

kai_result kai_cell_hash_make(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t count,
                              kai_error* err)
{
    hash_boxes m;
    size_t wider, widest;
    hash->made = false;
    if (!measure_boxes(&m, boxes, count)) return KAI_OK;
    const double first = find_side(&m, count / FIRST_SHARE, &wider),
                 second = fmax(find_side(&m, KAI_CELL_HASH_WIDE / 2, &widest), 2.0 * first);
    KAI_TRY(make_level(hash, 0, first, count, err));
    KAI_TRY(make_level(hash, 1, second, 4 * wider + count / 8, err)); // wide ones may come
    KAI_TRY(kai_cell_hash_reserve(hash, count, err));
    for (int k = 0; k < KAI_CELL_HASH_LEVELS; k++) lay_rows(&hash->levels[k], &m);
    hash->wide_count = 0;
    hash->made = true;
    for (size_t i = 0; i < count && hash->made; i++) hash->made = kai_cell_hash_add(hash, boxes, i);
    return KAI_OK;
}

/// Cells from low to high of a level, both included.
typedef struct hash_range {
    int32_t low[3], high[3];
} hash_range;

/// The cells that may hold boxes which overlap one.
static hash_range range_around(const kai_cell_hash_level* level, const kai_cell_list_box* box)
{
    const double reach = 0.5 * ((double)box->width + level->side);
    hash_range r;
    for (int k = 0; k < 3; k++) {
        r.low[k] = floor_of((middle_of(box, k) - reach) * level->cells);
        r.high[k] = floor_of((middle_of(box, k) + reach) * level->cells);
    }
    return r;
}

// Prefetches ---------------------------------------------------------------------------------------

// What a query reads of the first level, each by the one before it; a pass is AHEAD queries before the
// next one.
enum { OWN_BOX, BUCKETS, FIRST_BOXES, SECOND_BOXES, PASSES, AHEAD = 3 };

static void prefetch_box(const kai_cell_hash* hash, const kai_cell_list_box* boxes, uint32_t link)
{
    if (!link) return;
    __builtin_prefetch(&boxes[link - 1]);
    __builtin_prefetch((const uint32_t*)hash->next.data + (link - 1));
}

static void prefetch_pass(const kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i,
                          int pass)
{
    const kai_cell_hash_level* level = &hash->levels[0];
    const uint32_t *head = level->head.data, *next = hash->next.data;
    if (pass == OWN_BOX) {
        __builtin_prefetch(&boxes[i]);
        return;
    }
    if (level_of(hash, &boxes[i]) > 0) return;
    const hash_range r = range_around(level, &boxes[i]);
    for (int32_t z = r.low[2]; z <= r.high[2]; z++)
        for (int32_t y = r.low[1]; y <= r.high[1]; y++) {
            if (pass == BUCKETS) { // of a row, side by side
                const hash_cell row = {r.low[0], y, z};
                __builtin_prefetch(&head[bucket_of(level, row)]);
                __builtin_prefetch((const uint64_t*)level->used.data + bit_of(level, row) / 64);
            }
            for (int32_t x = r.low[0]; pass != BUCKETS && x <= r.high[0]; x++) {
                const uint32_t first = head[bucket_of(level, (hash_cell){x, y, z})];
                prefetch_box(hash, boxes, pass == FIRST_BOXES || !first ? first : next[first - 1]);
            }
        }
}

void kai_cell_hash_prefetch(const kai_cell_hash* hash, const kai_cell_list_box* boxes,
                            const uint32_t* list, size_t first, size_t count, size_t k)
{
    for (int pass = 0; pass < PASSES; pass++) {
        const size_t ahead = AHEAD * (size_t)(PASSES - 1 - pass);
        size_t i = k == 0 ? 0 : k + ahead; // the first call begins all of them
        for (; i <= k + ahead && i < count; i++) prefetch_pass(hash, boxes, list[i] - first, pass);
    }
}

// Queries -----------------------------------------------------------------------------------------

/// The numbers of a box at once: lower corner, width.
typedef float hash_lanes __attribute__((vector_size(sizeof(kai_cell_list_box))));

/// What is found.
typedef struct hash_search {
    const kai_cell_hash* hash;
    const kai_cell_list_box* boxes;
    size_t i;
    kai_cell_list_box own;
    hash_lanes low, high; // its bounds, as hash_overlaps reads them
    uint32_t* out;
    size_t room, found;
} hash_search;

static void add_box(hash_search* s, size_t j)
{
    if (s->found < s->room) s->out[s->found] = (uint32_t)j;
    s->found++;
}

/// Gets ready for boxes of at most this width, by more than sums of floats are off.
static void set_bounds(hash_search* s, double widest)
{
    const kai_cell_list_box* own = &s->own;
    for (int k = 0; k < 3; k++) {
        const float more = 4.0f * FLT_EPSILON * (fabsf(own->low[k]) + own->width + (float)widest);
        s->low[k] = own->low[k] - more;
        s->high[k] = own->low[k] + own->width + more;
    }
    s->low[3] = -HUGE_VALF; // beside the width
    s->high[3] = HUGE_VALF;
}

/// Whether a box overlaps the one that is searched for. Most queries spend their time here.
static bool hash_overlaps(const hash_search* s, const kai_cell_list_box* box)
{
    hash_lanes low;
    uint64_t bits[2];
    memcpy(&low, box, sizeof low);
    const hash_lanes width = {box->width, box->width, box->width, box->width};
    const __typeof__(low <= width) in = (low <= s->high) & (low + width >= s->low);
    memcpy(bits, &in, sizeof bits);
    return (bits[0] & bits[1]) == UINT64_MAX;
}

/// Looks at the boxes of one cell.
static void try_cell(hash_search* s, const kai_cell_hash_level* level, hash_cell c)
{
    const uint32_t *head = level->head.data, *next = s->hash->next.data;
    if (!is_used(level, c)) return;
    for (uint32_t link = head[bucket_of(level, c)]; link; link = next[link - 1]) {
        const size_t j = link - 1;
        if (!hash_overlaps(s, &s->boxes[j]) || j == s->i) continue;
        // A bucket has boxes of other cells as well, which may be looked at in their turn.
        const hash_cell other = cell_of(level, &s->boxes[j]);
        if (other.x == c.x && other.y == c.y && other.z == c.z) add_box(s, j);
    }
}

/// Looks at all boxes of a level.
static void try_all(hash_search* s, const kai_cell_hash_level* level)
{
    const uint32_t *head = level->head.data, *next = s->hash->next.data;
    for (size_t bucket = 0; bucket < level->head.count; bucket++)
        for (uint32_t link = head[bucket]; link; link = next[link - 1]) {
            const size_t j = link - 1;
            if (j != s->i && hash_overlaps(s, &s->boxes[j])) add_box(s, j);
        }
}

static void try_level(hash_search* s, const kai_cell_hash_level* level)
{
    const hash_range r = range_around(level, &s->own);
    double cells = 1.0;
    set_bounds(s, level->side);
    for (int k = 0; k < 3; k++) cells *= (double)r.high[k] - (double)r.low[k] + 1.0;
    if (cells > (double)level->head.count) {
        try_all(s, level);
        return;
    }
    for (int32_t z = r.low[2]; z <= r.high[2]; z++)
        for (int32_t y = r.low[1]; y <= r.high[1]; y++)
            for (int32_t x = r.low[0]; x <= r.high[0]; x++)
                try_cell(s, level, (hash_cell){x, y, z});
}

size_t kai_cell_hash_near(const kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i,
                          uint32_t* out, size_t room)
{
    hash_search s = {
        .hash = hash, .boxes = boxes, .i = i, .own = boxes[i], .out = out, .room = room};
    for (int k = 0; k < KAI_CELL_HASH_LEVELS; k++) try_level(&s, &hash->levels[k]);
    for (size_t k = 0; k < hash->wide_count; k++) {
        const size_t j = hash->wide[k];
        set_bounds(&s, (double)boxes[j].width);
        if (j != i && hash_overlaps(&s, &boxes[j])) add_box(&s, j);
    }
    return s.found;
}
