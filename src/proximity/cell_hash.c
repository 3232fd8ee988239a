// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/cell_hash.h"

#include <float.h>

// Width of cells over the mean of boxes, and how much more where too many are wider.
static const double WIDER = 1.2, MORE = 1.5;
// Boxes narrower than this part of a cell have neighbours in the next cell at most, by more than
// floats are wrong by.
static const double NARROWER = 0.98;
static const double MOST_CELLS = 1e9; // along an axis, to either side

typedef struct hash_cell {
    int32_t x, y, z;
} hash_cell;

void kai_cell_hash_init(kai_cell_hash* hash, kai_memory* memory)
{
    *hash = (kai_cell_hash){.memory = memory,
                            .head = kai_array_make(sizeof(uint32_t)),
                            .next = kai_array_make(sizeof(uint32_t))};
}

void kai_cell_hash_clear(kai_cell_hash* hash) { hash->side = 0.0; }

void kai_cell_hash_free(kai_cell_hash* hash)
{
    kai_array_free(&hash->head, hash->memory);
    kai_array_free(&hash->next, hash->memory);
    hash->side = 0.0;
}

static int32_t cell_along(const kai_cell_hash* hash, float low, float width)
{
    return (int32_t)floor(((double)low + 0.5 * (double)width) * hash->cells);
}

static hash_cell cell_of(const kai_cell_hash* hash, const kai_cell_list_box* box)
{
    return (hash_cell){cell_along(hash, box->low[0], box->width),
                       cell_along(hash, box->low[1], box->width),
                       cell_along(hash, box->low[2], box->width)};
}

/// The bucket of a cell; cells in a row along x have buckets in a row.
static uint32_t bucket_of(const kai_cell_hash* hash, hash_cell c)
{
    const uint32_t row = (uint32_t)c.y * 19349663u ^ (uint32_t)c.z * 83492791u;
    return ((row ^ row >> 15) + (uint32_t)c.x) & hash->mask;
}

static bool is_wide(const kai_cell_hash* hash, const kai_cell_list_box* box)
{
    return !((double)box->width <= hash->side * NARROWER);
}

kai_result kai_cell_hash_reserve(kai_cell_hash* hash, size_t count, kai_error* err)
{
    return count <= hash->next.count ? KAI_OK
                                     : kai_array_resize(&hash->next, hash->memory, count, err);
}

bool kai_cell_hash_add(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i)
{
    uint32_t *head = hash->head.data, *next = hash->next.data;
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)boxes[i].low[k]) + (double)boxes[i].width <= MOST_CELLS * hash->side))
            return false;
    if (is_wide(hash, &boxes[i])) {
        if (hash->wide_count == KAI_CELL_HASH_WIDE) return false;
        hash->wide[hash->wide_count++] = (uint32_t)i;
        return true;
    }
    const uint32_t bucket = bucket_of(hash, cell_of(hash, &boxes[i]));
    next[i] = head[bucket];
    head[bucket] = (uint32_t)i + 1;
    return true;
}

void kai_cell_hash_remove(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i)
{
    uint32_t* next = hash->next.data;
    if (is_wide(hash, &boxes[i])) {
        size_t k = 0;
        while (hash->wide[k] != i) k++;
        hash->wide[k] = hash->wide[--hash->wide_count];
        return;
    }
    uint32_t* link = (uint32_t*)hash->head.data + bucket_of(hash, cell_of(hash, &boxes[i]));
    while (*link != (uint32_t)i + 1) link = &next[*link - 1];
    *link = next[i];
}

/// Chooses the width of cells; 0: widths are not finite.
static double choose_side(const kai_cell_list_box* boxes, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) sum += (double)boxes[i].width;
    kai_cell_hash hash = {.side = WIDER * sum / (double)count};
    if (!(hash.side > 0.0 && isfinite(hash.side))) return 0.0;
    for (size_t wide = count; wide > KAI_CELL_HASH_WIDE / 2;) {
        wide = 0;
        for (size_t i = 0; i < count; i++) wide += is_wide(&hash, &boxes[i]);
        if (wide > KAI_CELL_HASH_WIDE / 2) hash.side *= MORE;
    }
    return hash.side;
}

kai_result kai_cell_hash_make(kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t count,
                              kai_error* err)
{
    size_t buckets = 64;
    while (2 * buckets < count) buckets *= 2;
    hash->side = 0.0;
    KAI_TRY(kai_array_resize(&hash->head, hash->memory, 0, err));
    KAI_TRY(kai_array_resize(&hash->head, hash->memory, buckets, err));
    KAI_TRY(kai_cell_hash_reserve(hash, count, err));
    hash->mask = (uint32_t)buckets - 1;
    hash->wide_count = 0;
    hash->side = count > 0 ? choose_side(boxes, count) : 0.0;
    hash->cells = 1.0 / hash->side;
    for (size_t i = 0; i < count && hash->side > 0.0; i++)
        if (!kai_cell_hash_add(hash, boxes, i)) hash->side = 0.0;
    return KAI_OK;
}

/// Whether two boxes overlap, sums of floats off by rounding included.
static bool boxes_overlap(const kai_cell_list_box* p, const kai_cell_list_box* q)
{
    bool apart = false;
    for (int k = 0; k < 3; k++) {
        const float more = 4.0f * FLT_EPSILON * (fabsf(p->low[k]) + 2.0f * p->width);
        apart |=
            (q->low[k] > p->low[k] + p->width + more) | (q->low[k] + q->width < p->low[k] - more);
    }
    return !apart;
}

/// What is found.
typedef struct hash_search {
    const kai_cell_hash* hash;
    const kai_cell_list_box* boxes;
    size_t i;
    kai_cell_list_box own;
    uint32_t* out;
    size_t room, found;
} hash_search;

static void add_box(hash_search* s, size_t j)
{
    if (s->found < s->room) s->out[s->found] = (uint32_t)j;
    s->found++;
}

/// Looks at the boxes of one cell.
static void try_cell(hash_search* s, hash_cell c)
{
    const uint32_t *head = s->hash->head.data, *next = s->hash->next.data;
    for (uint32_t link = head[bucket_of(s->hash, c)]; link; link = next[link - 1]) {
        const size_t j = link - 1;
        if (j == s->i || !boxes_overlap(&s->own, &s->boxes[j])) continue;
        // A bucket may hold other cells, also such that are looked at as well.
        const hash_cell other = cell_of(s->hash, &s->boxes[j]);
        if (other.x == c.x && other.y == c.y && other.z == c.z) add_box(s, j);
    }
}

/// Asks for the first boxes of cells around one before they are looked at.
static void prefetch_cells(const hash_search* s, hash_cell at)
{
    const uint32_t *head = s->hash->head.data, *next = s->hash->next.data;
    uint32_t link[27];
    for (int k = 0; k < 27; k++) {
        const hash_cell c = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1};
        link[k] = head[bucket_of(s->hash, c)];
    }
    for (int k = 0; k < 27; k++) {
        if (!link[k]) continue;
        __builtin_prefetch(&s->boxes[link[k] - 1]);
        __builtin_prefetch(&next[link[k] - 1]);
    }
}

size_t kai_cell_hash_near(const kai_cell_hash* hash, const kai_cell_list_box* boxes, size_t i,
                          uint32_t* out, size_t room)
{
    hash_search s = {
        .hash = hash, .boxes = boxes, .i = i, .own = boxes[i], .out = out, .room = room};
    const hash_cell at = cell_of(hash, &s.own);
    const bool wide = is_wide(hash, &s.own);
    const int reach = wide ? (int)ceil(0.5 * (double)s.own.width / hash->side + 0.5) + 1 : 1;
    if (!wide) prefetch_cells(&s, at);
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
                try_cell(&s, (hash_cell){at.x + x, at.y + y, at.z + z});
    for (size_t k = 0; k < hash->wide_count; k++) {
        const size_t j = hash->wide[k];
        if (j != i && boxes_overlap(&s.own, &boxes[j])) add_box(&s, j);
    }
    return s.found;
}
