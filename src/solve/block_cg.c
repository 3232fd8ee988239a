// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Layout and numbers. Iterations: block_cg_cycle.c.
#include "solve/block_cg.h"

#include "base/parallel.h"
#include "base/simd.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const size_t BLOCK = 256; // vectors a block of work
static const double GAIN = 2e-6; // most that a cycle in single precision can be asked for
static const double MARGIN = 0.3;

static const size_t AHEAD = 8; // cells whose blocks are fetched before they are added to

// FAR: numbers by which blocks are asked for ahead. What lies in a row in memory comes by itself,
// but only to the end of a page.
enum { PAD = 8, VECTORS = 5, FAR = 256, SUMS = 3 };

void kai_block_cg_init(kai_block_cg* d, kai_memory* memory)
{
    memset(d, 0, sizeof *d);
    d->memory = memory;
    d->place = d->vector_at = d->node_first = d->colours = d->cell_first = d->slots =
        kai_array_make(sizeof(uint32_t));
    d->fixed = d->counts = kai_array_make(sizeof(uint8_t));
    for (int h = 0; h < 2; h++) {
        d->half[h].first = d->half[h].column = d->half[h].source = d->half[h].transpose =
            kai_array_make(sizeof(uint32_t));
    }
    d->blocks = d->residual = d->partial = kai_array_make(sizeof(double));
    d->value = d->scale = d->vector = kai_array_make(sizeof(float));
}

void kai_block_cg_free(kai_block_cg* d)
{
    kai_array* all[] = {&d->place,  &d->vector_at,  &d->node_first, &d->colours, &d->fixed,
                        &d->counts, &d->cell_first, &d->slots,      &d->blocks,  &d->scale,
                        &d->vector, &d->residual,   &d->partial,    &d->value};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], d->memory);
    for (int h = 0; h < 2; h++) {
        kai_array* half[] = {&d->half[h].first, &d->half[h].column, &d->half[h].source,
                             &d->half[h].transpose};
        for (int i = 0; i < 4; i++) kai_array_free(half[i], d->memory);
    }
    d->nodes = d->vectors = 0;
}

// Layout -----------------------------------------------------------------------------------------

/// What a layout needs only while it is made.
typedef struct plan {
    const kai_block_cg_shape* s;
    kai_array cell_of_first; // uint32_t [vectors + 2]: cells of a vector
    kai_array cell_of;       // uint32_t
    kai_array pairs;         // uint32_t [2]: vectors a < b of each block beyond the diagonal
    kai_array near_first;    // uint32_t [vectors + 2]: neighbours of a vector
    kai_array near;          // uint32_t [2]: vector, and twice the block with 1 where a is it
    kai_array scratch;       // uint32_t [2 vectors + 2 nodes + 1]
} plan;

static bool is_still(const kai_block_cg_shape* s, uint32_t vector) { return s->fixed[vector] == 7; }

/// The cells of every vector, ascending.
static kai_result list_cells(const kai_block_cg* d, plan* p, kai_error* err)
{
    const kai_block_cg_shape* s = p->s;
    KAI_TRY(kai_array_resize(&p->cell_of_first, d->memory, (size_t)d->vectors + 2, err));
    KAI_TRY(kai_array_resize(&p->cell_of, d->memory, s->begin[s->cells], err));
    uint32_t *first = p->cell_of_first.data, *cell_of = p->cell_of.data;
    for (uint32_t k = 0; k < s->begin[s->cells]; k++) first[s->members[k] + 2]++;
    for (uint32_t v = 0; v < d->vectors; v++) first[v + 2] += first[v + 1];
    for (uint32_t c = 0; c < s->cells; c++)
        for (uint32_t k = s->begin[c]; k < s->begin[c + 1]; k++)
            cell_of[first[s->members[k] + 1]++] = c;
    return KAI_OK;
}

/// The least colour that no neighbour of a node has. `node_of` [vectors]; `colour` [nodes],
/// UINT32_MAX for none; `mark` [nodes + 1].
static uint32_t free_colour(const plan* p, uint32_t node, const uint32_t* node_of,
                            const uint32_t* colour, uint32_t* mark)
{
    const kai_block_cg_shape* s = p->s;
    const uint32_t *first = p->cell_of_first.data, *cell_of = p->cell_of.data;
    for (uint32_t v = s->first[node]; v < s->first[node + 1]; v++) {
        if (is_still(s, v)) continue;
        for (uint32_t k = first[v]; k < first[v + 1]; k++)
            for (uint32_t m = s->begin[cell_of[k]]; m < s->begin[cell_of[k] + 1]; m++) {
                const uint32_t other = s->members[m];
                if (node_of[other] != node && !is_still(s, other) &&
                    colour[node_of[other]] != UINT32_MAX)
                    mark[colour[node_of[other]]] = node + 1;
            }
    }
    uint32_t c = 0;
    while (mark[c] == node + 1) c++;
    return c;
}

/// Colours nodes one by one, then puts them in order of their colours.
static kai_result colour_nodes(kai_block_cg* d, const plan* p, kai_error* err)
{
    const kai_block_cg_shape* s = p->s;
    uint32_t *node_of = p->scratch.data, *colour = node_of + d->vectors, *mark = colour + d->nodes;
    uint32_t colours = 0;
    for (uint32_t i = 0; i < d->nodes; i++) {
        colour[i] = UINT32_MAX;
        for (uint32_t v = s->first[i]; v < s->first[i + 1]; v++) node_of[v] = i;
    }
    memset(mark, 0, ((size_t)d->nodes + 1) * sizeof *mark);
    for (uint32_t i = 0; i < d->nodes; i++) {
        colour[i] = free_colour(p, i, node_of, colour, mark);
        if (colour[i] >= colours) colours = colour[i] + 1;
    }
    KAI_TRY(kai_array_resize(&d->colours, d->memory, (size_t)colours + 2, err));
    KAI_TRY(kai_array_resize(&d->node_first, d->memory, (size_t)d->nodes + 1, err));
    KAI_TRY(kai_array_resize(&d->place, d->memory, d->vectors, err));
    KAI_TRY(kai_array_resize(&d->vector_at, d->memory, d->vectors, err));
    uint32_t *first = d->colours.data, *node_first = d->node_first.data, *place = d->place.data;
    memset(first, 0, ((size_t)colours + 2) * sizeof *first);
    for (uint32_t i = 0; i < d->nodes; i++) first[colour[i] + 2]++;
    for (uint32_t c = 0; c < colours; c++) first[c + 2] += first[c + 1];
    for (uint32_t i = 0; i < d->nodes; i++) mark[first[colour[i] + 1]++] = i; // the order
    d->colours.count = (size_t)colours + 1;
    uint32_t at = 0;
    for (uint32_t n = 0; n < d->nodes; n++) {
        node_first[n] = at;
        for (uint32_t v = s->first[mark[n]]; v < s->first[mark[n] + 1]; v++) {
            ((uint32_t*)d->vector_at.data)[at] = v;
            place[v] = at++;
        }
    }
    node_first[d->nodes] = at;
    return KAI_OK;
}

/// Where pair a ≤ b of a cell of m vectors stands among its pairs.
static uint32_t pair_at(uint32_t m, uint32_t a, uint32_t b) { return a * m - a * (a + 1) / 2 + b; }

/// Numbers the blocks in order of their first vectors, and tells cells which are theirs.
static kai_result number_blocks(kai_block_cg* d, plan* p, kai_error* err)
{
    const kai_block_cg_shape* s = p->s;
    uint32_t *block_of = p->scratch.data, *mark = block_of + d->vectors;
    const uint32_t *first = p->cell_of_first.data, *cell_of = p->cell_of.data,
                   *start = d->cell_first.data;
    uint32_t *slots = d->slots.data, count = d->vectors;
    memset(mark, 0, d->vectors * sizeof *mark);
    for (uint32_t v = 0; v < d->vectors; v++) {
        for (uint32_t k = first[v]; k < first[v + 1]; k++) {
            const uint32_t c = cell_of[k], m = s->begin[c + 1] - s->begin[c];
            const uint32_t* members = s->members + s->begin[c];
            uint32_t own = 0;
            while (members[own] != v) own++;
            for (uint32_t j = 0; j < m; j++) {
                const uint32_t w = members[j];
                if (w < v) continue; // done with w
                uint32_t* slot =
                    &slots[start[c] + (j < own ? pair_at(m, j, own) : pair_at(m, own, j))];
                *slot = UINT32_MAX;
                if (is_still(s, v) || is_still(s, w)) continue;
                if (w != v && mark[w] != v + 1) {
                    mark[w] = v + 1;
                    block_of[w] = count++;
                    KAI_TRY(
                        kai_array_append(&p->pairs, d->memory, (const uint32_t[]){v, w}, 1, err));
                }
                *slot = w == v ? 4 * v : 4 * block_of[w] + (j < own);
            }
        }
    }
    if (count >= UINT32_MAX / 4)
        return kai_error_set(err, KAI_ERROR_LIMIT, "a system of %u blocks is too large", count);
    return kai_array_resize(&d->blocks, d->memory, 9 * (size_t)count + PAD, err);
}

/// Marks the cell that writes each block first.
static kai_result mark_first(kai_block_cg* d, plan* p, kai_error* err)
{
    bool* seen = kai_memory_allocate_zeroed(d->memory, d->blocks.count / 9 + 1, sizeof *seen);
    if (!seen) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to lay out cells");
    const uint32_t* start = d->cell_first.data;
    uint32_t* slots = d->slots.data;
    for (uint32_t i = 0; i < p->s->cells; i++) {
        const uint32_t c = p->s->order[i];
        for (uint32_t k = start[c]; k < start[c + 1]; k++) {
            if (slots[k] == UINT32_MAX || seen[slots[k] / 4]) continue;
            seen[slots[k] / 4] = true;
            slots[k] |= 2;
        }
    }
    kai_memory_release(d->memory, seen, (d->blocks.count / 9 + 1) * sizeof *seen);
    return KAI_OK;
}

/// Neighbours of every vector, then the rows of both triangles.
static kai_result list_rows(kai_block_cg* d, plan* p, kai_error* err)
{
    kai_memory* m = d->memory;
    const uint32_t *pairs = p->pairs.data, *place = d->place.data, *vector_at = d->vector_at.data;
    KAI_TRY(kai_array_resize(&p->near_first, m, (size_t)d->vectors + 2, err));
    KAI_TRY(kai_array_resize(&p->near, m, 4 * p->pairs.count, err));
    uint32_t *first = p->near_first.data, *near = p->near.data;
    for (size_t k = 0; k < 2 * p->pairs.count; k++) first[pairs[k] + 2]++;
    for (uint32_t v = 0; v < d->vectors; v++) first[v + 2] += first[v + 1];
    for (uint32_t k = 0; k < p->pairs.count; k++) {
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t* at = near + 2 * (size_t)first[pairs[2 * k + e] + 1]++;
            at[0] = pairs[2 * k + 1 - e];
            at[1] = 2 * (d->vectors + k) + e; // seen from b it is transposed
        }
    }
    for (int h = 0; h < 2; h++) {
        d->half[h].column.count = d->half[h].source.count = 0;
        KAI_TRY(kai_array_resize(&d->half[h].first, m, (size_t)d->vectors + 1, err));
    }
    for (uint32_t i = 0; i < d->vectors; i++) {
        const uint32_t v = vector_at[i];
        for (uint32_t k = first[v]; k < first[v + 1]; k++) {
            kai_block_cg_half* half = &d->half[place[near[2 * k]] > i];
            KAI_TRY(kai_array_append(&half->column, m, &place[near[2 * k]], 1, err));
            KAI_TRY(kai_array_append(&half->source, m, &near[2 * k + 1], 1, err));
        }
        for (int h = 0; h < 2; h++)
            ((uint32_t*)d->half[h].first.data)[i + 1] = (uint32_t)d->half[h].column.count;
    }
    return KAI_OK;
}

/// Finds the blocks of the lower triangle in the upper one. `number` [blocks beyond the diagonal]:
/// scratch.
static void pair_rows(kai_block_cg* d, uint32_t* number)
{
    const uint32_t *below = d->half[0].source.data, *above = d->half[1].source.data;
    uint32_t* transpose = d->half[0].transpose.data;
    for (uint32_t k = 0; k < d->half[1].source.count; k++) number[above[k] / 2 - d->vectors] = k;
    for (uint32_t k = 0; k < d->half[0].source.count; k++)
        transpose[k] = number[below[k] / 2 - d->vectors];
    memset(transpose + d->half[0].source.count, 0, KAI_BLOCK_CG_SOON * sizeof *transpose);
}

static kai_result lay_out(kai_block_cg* d, plan* p, kai_error* err)
{
    kai_memory* m = d->memory;
    const kai_block_cg_shape* s = p->s;
    const size_t n = d->vectors;
    KAI_TRY(kai_array_resize(&p->scratch, m, 2 * n + 2 * (size_t)d->nodes + 1, err));
    KAI_TRY(kai_array_resize(&d->cell_first, m, (size_t)s->cells + 1, err));
    KAI_TRY(kai_array_resize(&d->counts, m, s->cells, err));
    size_t slots = 0;
    for (uint32_t c = 0; c < s->cells; c++) {
        const size_t count = s->begin[c + 1] - s->begin[c];
        ((uint32_t*)d->cell_first.data)[c] = (uint32_t)slots;
        ((uint8_t*)d->counts.data)[c] = (uint8_t)count;
        slots += count * (count + 1) / 2;
    }
    if (slots >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%u cells are too many", s->cells);
    ((uint32_t*)d->cell_first.data)[s->cells] = (uint32_t)slots;
    KAI_TRY(kai_array_resize(&d->slots, m, slots, err));
    KAI_TRY(list_cells(d, p, err));
    KAI_TRY(colour_nodes(d, p, err));
    KAI_TRY(number_blocks(d, p, err));
    KAI_TRY(mark_first(d, p, err));
    KAI_TRY(list_rows(d, p, err));
    const size_t pairs = p->pairs.count;
    KAI_TRY(kai_array_resize(&d->half[0].transpose, m, pairs + KAI_BLOCK_CG_SOON, err));
    pair_rows(d, p->near.data);
    KAI_TRY(kai_array_resize(&d->value, m, 9 * pairs + PAD, err));
    KAI_TRY(kai_array_resize(&d->scale, m, 9 * n + PAD, err));
    KAI_TRY(kai_array_resize(&d->vector, m, VECTORS * (3 * n + PAD), err));
    KAI_TRY(kai_array_resize(&d->residual, m, 12 * n, err));
    return kai_array_resize(&d->partial, m, (size_t)d->nodes + 3 * (n / BLOCK) + SUMS, err);
}

kai_result kai_block_cg_analyze(kai_block_cg* d, const kai_block_cg_shape* s, kai_error* err)
{
    plan p = {.s = s};
    p.cell_of_first = p.cell_of = p.near_first = p.near = p.scratch =
        kai_array_make(sizeof(uint32_t));
    p.pairs = kai_array_make(2 * sizeof(uint32_t));
    d->nodes = s->nodes;
    d->vectors = s->first[s->nodes];
    kai_result r = kai_array_resize(&d->fixed, d->memory, d->vectors, err);
    if (r == KAI_OK && d->vectors > 0) memcpy(d->fixed.data, s->fixed, d->vectors);
    if (r == KAI_OK) r = lay_out(d, &p, err);
    kai_array* all[] = {&p.cell_of_first, &p.cell_of, &p.pairs, &p.near_first, &p.near, &p.scratch};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], d->memory);
    return r;
}

// Numbers ----------------------------------------------------------------------------------------

/// Adds a tile of a cell's matrix to a block, or puts it there. Rows are done as four numbers where
/// the next row writes the fourth anew.
KAI_INLINE void add_tile(const double* restrict from, size_t stride, bool first,
                         double* restrict to)
{
    const double *second = from + stride, *third = second + stride;
    double a[4], b[4], c[3];
#pragma omp simd simdlen(4)
    for (int k = 0; k < 4; k++) {
        a[k] = from[k];
        b[k] = second[k];
    }
    for (int k = 0; k < 3; k++) c[k] = third[k];
    if (!first) {
#pragma omp simd simdlen(4)
        for (int k = 0; k < 4; k++) {
            a[k] += to[k];
            b[k] += to[3 + k];
        }
        for (int k = 0; k < 3; k++) c[k] += to[6 + k];
    }
#pragma omp simd simdlen(4)
    for (int k = 0; k < 4; k++) to[k] = a[k];
#pragma omp simd simdlen(4)
    for (int k = 0; k < 4; k++) to[3 + k] = b[k];
    for (int k = 0; k < 3; k++) to[6 + k] = c[k];
}

/// Asks for the blocks of a cell that comes soon.
KAI_INLINE void fetch_cell(const kai_block_cg* d, size_t cell)
{
    const uint32_t *first = d->cell_first.data, *slots = d->slots.data;
    if (cell >= d->counts.count) return;
    for (uint32_t k = first[cell]; k < first[cell + 1]; k++) {
        const double* block = (const double*)d->blocks.data + 9 * (size_t)(slots[k] / 4);
        if (slots[k] == UINT32_MAX) continue;
        __builtin_prefetch(block, 1);
        __builtin_prefetch(block + 8, 1);
    }
}

KAI_CLONES
static void add_cell(const kai_block_cg* d, size_t cell, const double* t, size_t stride)
{
    const uint32_t* slot =
        (const uint32_t*)d->slots.data + ((const uint32_t*)d->cell_first.data)[cell];
    const size_t count = ((const uint8_t*)d->counts.data)[cell];
    double* blocks = d->blocks.data;
    fetch_cell(d, cell + AHEAD);
    for (size_t a = 0; a < count; a++, t += 3 * stride) {
        for (size_t b = a; b < count; b++, slot++) {
            if (*slot == UINT32_MAX) continue;
            double* to = blocks + 9 * (size_t)(*slot / 4);
            const double* from = t + 3 * b;
            if (!(*slot & 1)) {
                add_tile(from, stride, *slot & 2, to);
                continue;
            }
            double turned[10];
            for (size_t r = 0; r < 3; r++)
                for (size_t q = 0; q < 3; q++) turned[3 * r + q] = from[q * stride + r];
            add_tile(turned, 3, *slot & 2, to);
        }
    }
}

void kai_block_cg_add(const kai_block_cg* d, size_t cell, const double* t, size_t stride)
{
    add_cell(d, cell, t, stride);
}

typedef struct fill_context {
    const kai_block_cg* d;
    const double* more;
    const double* x;
    double* y;
    atomic_uint bad; // smallest vector without a positive diagonal
} fill_context;

/// C⁻¹ of A = C Cᵀ, both 3 × 3, by columns.
static bool invert(const double a[9], float c[9])
{
    const double l00 = sqrt(a[0]), l10 = a[3] / l00, l20 = a[6] / l00;
    const double d1 = a[4] - l10 * l10, l11 = sqrt(d1), l21 = (a[7] - l20 * l10) / l11;
    const double d2 = a[8] - l20 * l20 - l21 * l21, l22 = sqrt(d2);
    if (!(a[0] > 0.0 && d1 > 0.0 && d2 > 0.0) || !isfinite(a[0] + d1 + d2)) return false;
    const double c0 = 1.0 / l00, c4 = 1.0 / l11, c8 = 1.0 / l22, c1 = -l10 * c0 * c4;
    c[0] = (float)c0;
    c[1] = (float)c1;
    c[2] = (float)(-(l20 * c0 + l21 * c1) * c8);
    c[4] = (float)c4;
    c[5] = (float)(-l21 * c4 * c8);
    c[8] = (float)c8;
    c[3] = c[6] = c[7] = 0.0f;
    return true;
}

/// C of every vector.
static void find_scales(size_t begin, size_t end, void* context)
{
    fill_context* f = context;
    const uint32_t* place = f->d->place.data;
    const uint8_t* fixed = f->d->fixed.data;
    for (size_t v = begin; v < end; v++) {
        double block[9];
        memcpy(block, (const double*)f->d->blocks.data + 9 * v, sizeof block);
        for (int k = 0; k < 3; k++) block[4 * k] += f->more[v];
        for (int k = 0; k < 3; k++) {
            if (!(fixed[v] >> k & 1)) continue;
            for (int r = 0; r < 3; r++) block[3 * k + r] = block[3 * r + k] = 0.0;
            block[4 * k] = 1.0;
        }
        float* c = (float*)f->d->scale.data + 9 * (size_t)place[v];
        if (invert(block, c)) {
            for (int k = 0; k < 3; k++)
                if (fixed[v] >> k & 1) c[4 * k] = 0.0f;
            continue;
        }
        unsigned seen = atomic_load(&f->bad);
        while (v < seen && !atomic_compare_exchange_weak(&f->bad, &seen, (unsigned)v)) {}
    }
}

/// Numbers that count for nothing beside the ones on the diagonal become zero: products of numbers
/// below the normal ones would take a hundred times as long.
KAI_INLINE float trim(float x) { return fabsf(x) < 1e-10f ? 0.0f : x; }

/// out = C⁻¹ B E⁻ᵀ by columns, or with Bᵀ; rows and columns of fixed numbers are zero. A column is
/// done as four numbers: the fourth is of no use.
KAI_INLINE void scale_block(const float* restrict c, const float* restrict e,
                            const double* restrict b, bool turned, float* restrict out)
{
    const int down = turned ? 1 : 3, across = turned ? 3 : 1;
    const double e0 = (double)e[0], e1 = (double)e[1], e2 = (double)e[2], e4 = (double)e[4],
                 e5 = (double)e[5], e8 = (double)e[8];
    float x[4], y[4], z[4];
#pragma omp simd simdlen(4)
    for (int r = 0; r < 4; r++) {
        const double p = (double)c[r], q = (double)c[3 + r], o = (double)c[6 + r];
        const double s = p * b[0] + q * b[down] + o * b[2 * down],
                     t = p * b[across] + q * b[down + across] + o * b[2 * down + across],
                     u = p * b[2 * across] + q * b[down + 2 * across] +
                         o * b[2 * down + 2 * across];
        x[r] = (float)(e0 * s);
        y[r] = (float)(e1 * s + e4 * t);
        z[r] = (float)(e2 * s + e5 * t + e8 * u);
    }
#pragma omp simd simdlen(4)
    for (int r = 0; r < 4; r++) {
        x[r] = trim(x[r]);
        y[r] = trim(y[r]);
        z[r] = trim(z[r]);
    }
    memcpy(out, x, sizeof x);
    memcpy(out + 3, y, sizeof y);
    memcpy(out + 6, z, 3 * sizeof *z);
}

/// sum += B x
KAI_INLINE void add_product(const double* restrict b, const double* restrict x,
                            double* restrict sum)
{
    for (int r = 0; r < 3; r++)
        sum[r] += b[3 * r] * x[0] + b[3 * r + 1] * x[1] + b[3 * r + 2] * x[2];
}

/// sum += Bᵀ x; a fourth number of `sum` is of no use.
KAI_INLINE void add_turned(const double* restrict b, const double* restrict x, double* restrict sum)
{
#pragma omp simd simdlen(4)
    for (int r = 0; r < 4; r++) sum[r] += b[r] * x[0] + b[3 + r] * x[1] + b[6 + r] * x[2];
}

/// y := A x of one vector.
KAI_INLINE void apply_row(const fill_context* f, size_t v, double y[3])
{
    const kai_block_cg* d = f->d;
    const uint32_t i = ((const uint32_t*)d->place.data)[v], *vector_at = d->vector_at.data;
    const uint8_t fixed = ((const uint8_t*)d->fixed.data)[v];
    const double more = f->more[v], *own = f->x + 3 * v, *blocks = d->blocks.data;
    double sum[3] = {more * own[0], more * own[1], more * own[2]}, turned[4] = {0.0};
    add_product(blocks + 9 * v, own, sum);
    for (int h = 0; h < 2; h++) {
        const uint32_t *first = d->half[h].first.data, *column = d->half[h].column.data,
                       *source = d->half[h].source.data;
        for (uint32_t k = first[i]; k < first[i + 1]; k++) {
            const double* x = f->x + 3 * (size_t)vector_at[column[k]];
            const double* b = blocks + 9 * (size_t)(source[k] / 2);
            __builtin_prefetch(b + FAR);
            if (source[k] & 1)
                add_turned(b, x, turned);
            else
                add_product(b, x, sum);
        }
    }
    for (int k = 0; k < 3; k++) y[k] = fixed >> k & 1 ? own[k] : sum[k] + turned[k];
}

/// Rows of the upper triangle.
KAI_CLONES
static void fill_rows(size_t begin, size_t end, void* context)
{
    const fill_context* f = context;
    const kai_block_cg* d = f->d;
    const uint32_t *place = d->place.data, *first = d->half[1].first.data,
                   *column = d->half[1].column.data, *source = d->half[1].source.data;
    const float* scale = d->scale.data;
    const double* blocks = d->blocks.data;
    for (size_t v = begin; v < end; v++) {
        const uint32_t i = place[v];
        const float* c = scale + 9 * (size_t)i;
        float* out = (float*)d->value.data + 9 * (size_t)first[i];
        for (uint32_t k = first[i]; k < first[i + 1]; k++, out += 9) {
            const float* e = scale + 9 * (size_t)column[k];
            const double* b = blocks + 9 * (size_t)(source[k] / 2);
            __builtin_prefetch(b + FAR);
            __builtin_prefetch(out + 2 * FAR, 1);
            if (source[k] & 1)
                scale_block(c, e, b, true, out);
            else
                scale_block(c, e, b, false, out);
        }
        if (f->x) apply_row(f, v, f->y + 3 * v);
    }
}

bool kai_block_cg_fill(kai_block_cg* d, const double* more, const double* guess, int threads,
                       uint32_t* vector)
{
    const size_t n = 3 * (size_t)d->vectors;
    double* kept = (double*)d->residual.data + 2 * n;
    fill_context f = {
        .d = d, .more = more, .x = guess ? kept : NULL, .y = kept + n, .bad = UINT32_MAX};
    d->guessed = guess != NULL;
    if (guess && n > 0) memcpy(kept, guess, n * sizeof *kept);
    kai_parallel_for(threads, d->vectors, BLOCK, find_scales, &f);
    *vector = atomic_load(&f.bad);
    if (*vector != UINT32_MAX) return false;
    kai_parallel_for(threads, d->vectors, BLOCK, fill_rows, &f);
    return true;
}

// Products ---------------------------------------------------------------------------------------

KAI_CLONES
static void apply_rows(size_t begin, size_t end, void* context)
{
    const fill_context* f = context;
    for (size_t v = begin; v < end; v++) apply_row(f, v, f->y + 3 * v);
}

void kai_block_cg_apply(const kai_block_cg* d, const double* more, int threads, const double* x,
                        double* y)
{
    fill_context f = {.d = d, .more = more, .x = x, .y = y};
    kai_parallel_for(threads, d->vectors, BLOCK, apply_rows, &f);
}

// Solution ---------------------------------------------------------------------------------------

/// A residual and how it is found.
typedef struct residual {
    fill_context f;        // f.x NULL: there is a product, or none
    const double* product; // A x; NULL: x is zero
    const double* b;
    double* r;
    double size, norm, scaled; // |b|, |r| and |C⁻¹ r|
} residual;

/// r := b - A x, and the three squares of a block.
KAI_CLONES
static void residual_rows(size_t begin, size_t end, void* context)
{
    const residual* s = context;
    double sums[SUMS] = {0.0};
    for (size_t v = begin; v < end; v++) {
        const double* b = s->b + 3 * v;
        double y[3] = {0.0}, *r = s->r + 3 * v;
        if (s->f.x)
            apply_row(&s->f, v, y);
        else if (s->product)
            memcpy(y, s->product + 3 * v, sizeof y);
        for (int k = 0; k < 3; k++) {
            r[k] = b[k] - y[k];
            sums[0] += b[k] * b[k];
            sums[1] += r[k] * r[k];
        }
        sums[2] += kai_block_cg_square(s->f.d, v, r);
    }
    memcpy((double*)s->f.d->partial.data + SUMS * (begin / BLOCK), sums, sizeof sums);
}

static void find_residual(residual* s, int threads)
{
    const size_t n = s->f.d->vectors;
    double sums[SUMS] = {0.0};
    kai_parallel_for(threads, n, BLOCK, residual_rows, s);
    const double* partial = s->f.d->partial.data;
    for (size_t k = 0; k < (n + BLOCK - 1) / BLOCK; k++)
        for (size_t i = 0; i < SUMS; i++) sums[i] += partial[SUMS * k + i];
    s->size = sqrt(sums[0]);
    s->norm = sqrt(sums[1]);
    s->scaled = sqrt(sums[2]);
}

/// The residual of the guess x; where that is worse than none x becomes zero.
static void begin_solution(kai_block_cg* d, residual* s, int threads, double* x)
{
    const size_t n = 3 * (size_t)d->vectors;
    const double* kept = (const double*)d->residual.data + 2 * n;
    const fill_context f = s->f;
    if (d->guessed && memcmp(kept, x, n * sizeof *x) == 0) {
        s->product = kept + n;
        s->f.x = NULL;
    }
    find_residual(s, threads);
    if (!(s->norm <= s->size)) {
        memset(x, 0, n * sizeof *x);
        s->product = s->f.x = NULL;
        find_residual(s, threads);
    }
    s->f = f;
}

void kai_block_cg_solve(kai_block_cg* d, const double* more, const kai_krylov_options* options,
                        const double* b, double* x, kai_krylov_result* result)
{
    const size_t n = 3 * (size_t)d->vectors;
    const int threads = options->threads;
    double *r = d->residual.data, *before = r + n;
    *result = (kai_krylov_result){.converged = true};
    residual s = {.f = {.d = d, .more = more, .x = x}, .b = b, .r = r};
    begin_solution(d, &s, threads, x);
    const double target = fmax(options->relative * s.size, options->absolute);
    double norm = s.norm;
    while (norm > target && result->iterations < options->limit) {
        // As few cycles as single precision allows, of equal gain.
        const double gain = target / norm, cycles = ceil(log(gain) / log(GAIN));
        const double goal = MARGIN * pow(gain, 1.0 / fmax(cycles, 1.0));
        memcpy(before, x, n * sizeof *x);
        result->iterations +=
            kai_block_cg_cycle(d, r, s.scaled, goal, options->limit - result->iterations, options,
                               x, &result->breakdown);
        if (result->breakdown == KAI_KRYLOV_STOPPED) {
            result->converged = false;
            return;
        }
        find_residual(&s, threads);
        if (result->breakdown != KAI_KRYLOV_FINE) break;
        if (!(s.norm < 0.5 * norm)) {
            result->breakdown = isfinite(s.norm) ? KAI_KRYLOV_STAGNATED : KAI_KRYLOV_NOT_FINITE;
            if (!(s.norm < norm)) memcpy(x, before, n * sizeof *x);
            norm = fmin(s.norm, norm);
            break;
        }
        norm = s.norm;
    }
    if (!isfinite(norm)) result->breakdown = KAI_KRYLOV_NOT_FINITE;
    result->residual = isfinite(norm) ? norm : HUGE_VAL;
    result->converged = norm <= target;
    if (result->converged) result->breakdown = KAI_KRYLOV_FINE;
}
