// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Blocks of points find their rows into a common pool, in any order; then offsets are summed, histories
// are carried over from the old rows, and rows are copied from the pool to their places. Rows and
// places follow from counts alone, so that threads do not show.
//
// Where cells do not fit, points get skin boxes one by one, and the broad phase finds which of them
// overlap. Pairs whose balls cannot touch are left out, as cells do.
#include "proximity/neighbor_list.h"

#include "base/parallel.h"
#include "proximity/broad.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = KAI_CELL_LIST_BLOCK };

typedef struct list_maker {
    const kai_neighbor_list* list;
    const kai_cell_list_points* points;
    const kai_cell_list* cells; // NULL: the rows below
    kai_neighbor_list_rows rows;
    const uint32_t* from;
    kai_cell_list_box* boxes;
    kai_vec3 origin;
    uint32_t* offsets; // [count + 1] new; counts of rows at first
    uint32_t* pool;    // [room]
    size_t* starts;    // [blocks] where a block's rows begin in the pool
    double* history;   // new
    size_t room;
    atomic_size_t taken;
    atomic_bool crowded;
} list_maker;

void kai_neighbor_list_init(kai_neighbor_list* list, kai_memory* memory, bool full, size_t width)
{
    *list = (kai_neighbor_list){.memory = memory,
                                .full = full,
                                .width = width,
                                .offsets = kai_array_make(sizeof(uint32_t)),
                                .indices = kai_array_make(sizeof(uint32_t)),
                                .history = kai_array_make(sizeof(double)),
                                .boxes = kai_array_make(sizeof(kai_cell_list_box))};
}

void kai_neighbor_list_free(kai_neighbor_list* list)
{
    kai_array* arrays[] = {&list->offsets, &list->indices, &list->history, &list->boxes};
    for (int k = 0; k < 4; k++) kai_array_free(arrays[k], list->memory);
    kai_neighbor_list_init(list, list->memory, list->full, list->width);
}

// Rows -------------------------------------------------------------------------------------------

kai_neighbor_list_rows kai_neighbor_list_rows_of(const kai_neighbor_list* list)
{
    return (kai_neighbor_list_rows){
        .count = list->count, .offsets = list->offsets.data, .indices = list->indices.data};
}

kai_neighbor_list_rows kai_neighbor_list_rows_from(uint64_t* pairs, size_t pair_count,
                                                   uint32_t* offsets, size_t count)
{
    char* indices = (char*)pairs;
    size_t row = 0;
    for (size_t k = 0; k < pair_count; k++) {
        const uint64_t pair = pairs[k];
        const uint32_t b = (uint32_t)pair;
        for (; row <= pair >> 32; row++) offsets[row] = (uint32_t)k;
        memcpy(indices + k * sizeof b, &b, sizeof b); // never ahead of what is read
    }
    for (; row <= count; row++) offsets[row] = (uint32_t)pair_count;
    return (kai_neighbor_list_rows){
        .count = count, .offsets = offsets, .indices = (const uint32_t*)(const void*)indices};
}

/// Row a, half or full as the list is.
static const uint32_t* maker_row(const list_maker* m, size_t a, uint32_t* room, size_t* n)
{
    if (!m->cells) return kai_neighbor_list_row(&m->rows, a, room, n);
    const size_t found = kai_cell_list_row(m->cells, a, m->list->full, room);
    *n = 0;
    if (found > KAI_CELL_LIST_ROW) return NULL;
    // Exactly: both rows of a pair must have it, and cells let through what floats are wrong by.
    for (size_t k = 0; k < found; k++) {
        room[*n] = room[k];
        *n += kai_cell_list_near(m->points, m->boxes, a, room[k]);
    }
    return room;
}

/// Finds the rows of a block and puts them into the pool.
static void list_find_block(size_t begin, size_t end, void* context)
{
    list_maker* m = context;
    uint32_t room[KAI_CELL_LIST_ROW];
    uint32_t some[8 * BLOCK]; // a block with more pairs is searched twice
    size_t total = 0, n;
    for (size_t a = begin; a < end; a++) {
        const uint32_t* row = maker_row(m, a, room, &n);
        if (!row) {
            atomic_store_explicit(&m->crowded, true, memory_order_relaxed);
            n = 0;
        }
        if (n > 0 && total + n <= 8 * BLOCK) memcpy(some + total, row, n * sizeof *row);
        m->offsets[a + 1] = (uint32_t)n;
        total += n;
    }
    const size_t at = atomic_fetch_add_explicit(&m->taken, total, memory_order_relaxed);
    m->starts[begin / BLOCK] = at;
    if (total == 0 || at + total > m->room) return; // a larger pool is made, and all done again
    if (total <= 8 * BLOCK) {
        memcpy(m->pool + at, some, total * sizeof *some);
        return;
    }
    size_t to = at;
    for (size_t a = begin; a < end; a++) {
        const uint32_t* row = maker_row(m, a, room, &n);
        if (!row) continue;
        memcpy(m->pool + to, row, n * sizeof *row);
        to += n;
    }
}

// Histories ---------------------------------------------------------------------------------------

size_t kai_neighbor_list_find(const kai_neighbor_list* list, uint32_t a, uint32_t b)
{
    const uint32_t *offsets = list->offsets.data, *indices = list->indices.data;
    if (a >= list->count) return SIZE_MAX;
    size_t begin = offsets[a], end = offsets[a + 1];
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (indices[middle] < b)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < offsets[a + 1] && indices[begin] == b ? begin : SIZE_MAX;
}

static uint32_t old_number(const list_maker* m, size_t a)
{
    return m->from ? m->from[a] : (uint32_t)a;
}

/// What pair (a, b) of the new list remembers.
static void list_carry(const list_maker* m, size_t a, size_t b, double* to)
{
    const kai_neighbor_list* list = m->list;
    const uint32_t p = old_number(m, a), q = old_number(m, b);
    const bool turned = !list->full && p > q;
    const size_t at =
        turned ? kai_neighbor_list_find(list, q, p) : kai_neighbor_list_find(list, p, q);
    if (at == SIZE_MAX) {
        memset(to, 0, list->width * sizeof *to);
        return;
    }
    const double* u = (const double*)list->history.data + at * list->width;
    for (size_t k = 0; k < list->width; k++) to[k] = turned ? -u[k] : u[k];
}

static void list_carry_block(size_t begin, size_t end, void* context)
{
    const list_maker* m = context;
    const uint32_t* row = m->pool + m->starts[begin / BLOCK];
    for (size_t a = begin; a < end; a++)
        for (size_t at = m->offsets[a]; at < m->offsets[a + 1]; at++)
            list_carry(m, a, *row++, m->history + at * m->list->width);
}

static void list_copy_block(size_t begin, size_t end, void* context)
{
    const list_maker* m = context;
    const size_t n = m->offsets[end] - m->offsets[begin];
    if (n > 0)
        memcpy((uint32_t*)m->list->indices.data + m->offsets[begin],
               m->pool + m->starts[begin / BLOCK], n * sizeof(uint32_t));
}

// Points that are not fit for cells ---------------------------------------------------------------

static void list_fill_boxes(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes,
                            float* travel, void* context)
{
    const list_maker* m = context;
    const kai_vec3 o = m->origin;
    for (size_t i = begin; i < end; i++) {
        const kai_cell_list_box* box = &m->boxes[i];
        const double w = (double)box->width;
        const kai_vec3 low = kai_vec3_add(
            o, kai_vec3_make((double)box->low[0], (double)box->low[1], (double)box->low[2]));
        kai_broad_round(&boxes[i - begin], low, kai_vec3_add(low, kai_vec3_make(w, w, w)), origin);
        boxes[i - begin].owner = (uint32_t)i;
        boxes[i - begin].family = 1;
        boxes[i - begin].mask = UINT16_MAX;
        if (travel) travel[i - begin] = 0.0f;
    }
}

/// Lays skin boxes for points of any sizes.
static kai_result list_lay_boxes(list_maker* m, kai_error* err)
{
    const kai_cell_list_points* p = m->points;
    kai_vec3 low = kai_vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = kai_vec3_neg(low);
    for (size_t i = 0; i < p->count; i++) {
        const double *at = kai_cell_list_at(p->position, p->position_stride, i),
                     *v = kai_cell_list_at(p->velocity, p->velocity_stride, i),
                     r = *kai_cell_list_at(p->radius, p->radius_stride, i);
        const kai_vec3 centre = kai_vec3_make(at[0], at[1], at[2]),
                       speed = kai_vec3_make(v[0], v[1], v[2]);
        if (!(r > 0.0) || !isfinite(r) || !kai_vec3_is_finite(centre) || !kai_vec3_is_finite(speed))
            return kai_error_set(err, KAI_ERROR_DIVERGED,
                                 "point %zu: position [%g, %g, %g] m, velocity [%g, %g, %g] m/s, "
                                 "radius %g m; must be finite, the radius > 0",
                                 i, at[0], at[1], at[2], v[0], v[1], v[2], r);
        low = kai_vec3_min(low, centre);
        high = kai_vec3_max(high, centre);
    }
    m->origin = kai_vec3_add(kai_vec3_scale(low, 0.5), kai_vec3_scale(high, 0.5));
    for (size_t i = 0; i < p->count; i++) m->boxes[i] = kai_cell_list_box_of(p, m->origin, i, 0.02);
    return KAI_OK;
}

static int list_compare_pairs(const void* x, const void* y)
{
    const uint64_t p = *(const uint64_t*)x, q = *(const uint64_t*)y;
    return p < q ? -1 : p > q;
}

/// Half or full rows from the pairs of the broad phase over skin boxes, in `*pairs` and `*offsets`.
static kai_result list_take_pairs(list_maker* m, const kai_broad* broad, kai_array* pairs,
                                  kai_array* offsets, kai_error* err)
{
    kai_memory* memory = m->list->memory;
    const size_t times = m->list->full ? 2 : 1;
    KAI_TRY(kai_array_resize(pairs, memory, times * broad->pair_count, err));
    KAI_TRY(kai_array_resize(offsets, memory, m->points->count + 1, err));
    uint64_t* out = pairs->data;
    size_t n = 0;
    for (size_t k = 0; k < broad->pair_count; k++) {
        const uint64_t a = KAI_BROAD_A(broad->pairs[k]), b = KAI_BROAD_B(broad->pairs[k]);
        if (!kai_cell_list_near(m->points, m->boxes, a, b)) continue;
        out[n++] = a << 32 | b;
        if (m->list->full) out[n++] = b << 32 | a;
    }
    if (m->list->full && n > 0) qsort(out, n, sizeof *out, list_compare_pairs);
    m->rows = kai_neighbor_list_rows_from(out, n, offsets->data, m->points->count);
    return KAI_OK;
}

static kai_result list_search_broad(list_maker* m, int threads, kai_array* pairs,
                                    kai_array* offsets, kai_error* err)
{
    kai_broad broad;
    KAI_TRY(list_lay_boxes(m, err));
    kai_broad_init(&broad, m->list->memory);
    broad.skin = 0.0;
    kai_result r = kai_broad_build(&broad, threads, m->points->count, list_fill_boxes, m, err);
    if (r == KAI_OK) r = list_take_pairs(m, &broad, pairs, offsets, err);
    kai_broad_free(&broad);
    return r;
}

// The list ----------------------------------------------------------------------------------------

/// Searches all rows; `arrays` are those of list_make.
static kai_result list_search(list_maker* m, int threads, kai_array* pool, kai_array* starts,
                              kai_error* err)
{
    kai_memory* memory = m->list->memory;
    const size_t n = m->points->count;
    KAI_TRY(kai_array_resize(starts, memory, (n + BLOCK - 1) / BLOCK, err));
    m->starts = starts->data;
    m->room = m->list->indices.count + m->list->indices.count / 8 + 4 * n;
    for (;;) {
        pool->count = 0; // nothing in it is kept
        KAI_TRY(kai_array_fit(pool, memory, m->room, err));
        m->pool = pool->data;
        atomic_store(&m->taken, 0);
        kai_parallel_for(threads, n, BLOCK, list_find_block, m);
        if (atomic_load(&m->crowded) || atomic_load(&m->taken) <= m->room) return KAI_OK;
        m->room = atomic_load(&m->taken);
    }
}

/// Counts become places.
static kai_result list_sum_offsets(const list_maker* m, kai_error* err)
{
    uint64_t sum = 0;
    m->offsets[0] = 0;
    for (size_t a = 0; a < m->points->count; a++) {
        sum += m->offsets[a + 1];
        m->offsets[a + 1] = (uint32_t)sum;
    }
    if (sum <= UINT32_MAX) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_LIMIT, "%llu pairs of neighbours; at most %u",
                         (unsigned long long)sum, UINT32_MAX);
}

/// What is needed while a list is made; the first three become the list's own.
typedef struct list_arrays {
    kai_array offsets, boxes, history, cells, pool, starts, pairs, pair_offsets;
} list_arrays;

static kai_result list_find_rows(list_maker* m, int threads, list_arrays* a, kai_error* err)
{
    kai_memory* memory = m->list->memory;
    kai_cell_list cells;
    bool fit;
    KAI_TRY(kai_array_resize(&a->boxes, memory, m->points->count, err));
    KAI_TRY(kai_array_resize(&a->offsets, memory, m->points->count + 1, err));
    m->boxes = a->boxes.data;
    m->offsets = a->offsets.data;
    KAI_TRY(kai_cell_list_make(m->points, memory, threads, m->boxes, &a->cells, &cells, &fit, err));
    if (fit) {
        m->cells = &cells;
        m->origin = cells.origin;
        KAI_TRY(list_search(m, threads, &a->pool, &a->starts, err));
        m->cells = NULL;
        if (!atomic_load(&m->crowded)) return KAI_OK;
        atomic_store(&m->crowded, false);
    }
    KAI_TRY(list_search_broad(m, threads, &a->pairs, &a->pair_offsets, err));
    return list_search(m, threads, &a->pool, &a->starts, err);
}

static kai_result list_fill(list_maker* m, kai_neighbor_list* list, int threads, list_arrays* a,
                            kai_error* err)
{
    const size_t n = m->points->count;
    KAI_TRY(list_find_rows(m, threads, a, err));
    KAI_TRY(list_sum_offsets(m, err));
    const size_t pairs = m->offsets[n];
    if (list->width > 0) {
        KAI_TRY(kai_array_fit(&a->history, list->memory, pairs * list->width, err));
        a->history.count = pairs * list->width;
        m->history = a->history.data;
        kai_parallel_for(threads, n, BLOCK, list_carry_block, m);
    }
    KAI_TRY(kai_array_fit(&list->indices, list->memory, pairs, err)); // the last that may fail
    list->indices.count = pairs;
    kai_parallel_for(threads, n, BLOCK, list_copy_block, m);
    return KAI_OK;
}

kai_result kai_neighbor_list_make(kai_neighbor_list* list, int threads,
                                  const kai_cell_list_points* points, const uint32_t* from,
                                  kai_error* err)
{
    if (threads < 1) threads = 1;
    list_arrays a = {.offsets = kai_array_make(sizeof(uint32_t)),
                     .boxes = kai_array_make(sizeof(kai_cell_list_box)),
                     .history = kai_array_make(sizeof(double)),
                     .cells = kai_array_make(sizeof(uint32_t)),
                     .pool = kai_array_make(sizeof(uint32_t)),
                     .starts = kai_array_make(sizeof(size_t)),
                     .pairs = kai_array_make(sizeof(uint64_t)),
                     .pair_offsets = kai_array_make(sizeof(uint32_t))};
    list_maker m = {.list = list, .points = points, .from = from};
    const kai_result r = list_fill(&m, list, threads, &a, err);
    if (r == KAI_OK) {
        kai_array* own[] = {&list->offsets, &list->boxes, &list->history};
        kai_array* made[] = {&a.offsets, &a.boxes, &a.history};
        for (int k = 0; k < 3; k++) {
            const kai_array old = *own[k];
            *own[k] = *made[k];
            *made[k] = old;
        }
        list->count = points->count;
        list->origin = m.origin;
    }
    kai_array* all[] = {&a.offsets, &a.boxes,  &a.history, &a.cells,
                        &a.pool,    &a.starts, &a.pairs,   &a.pair_offsets};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) kai_array_free(all[k], list->memory);
    return r;
}

typedef struct holds_context {
    const kai_neighbor_list* list;
    const kai_cell_list_points* points;
    atomic_bool left;
} holds_context;

static void list_check_block(size_t begin, size_t end, void* context)
{
    holds_context* c = context;
    if (!kai_cell_list_holds(c->points, c->list->boxes.data, c->list->origin, begin, end))
        atomic_store_explicit(&c->left, true, memory_order_relaxed);
}

bool kai_neighbor_list_holds(const kai_neighbor_list* list, int threads,
                             const kai_cell_list_points* points)
{
    if (points->count != list->count) return false;
    holds_context c = {.list = list, .points = points};
    kai_parallel_for(threads, points->count, BLOCK, list_check_block, &c);
    return !atomic_load(&c.left);
}
