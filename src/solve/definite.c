// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Layout and numbers. Iterations: definite_cycle.c.
#include "solve/definite.h"

#include "base/parallel.h"
#include "base/simd.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const size_t BLOCK = 256; // vectors a block of work
static const size_t SUMS = 4096; // numbers a block of sums
static const double GAIN = 2e-6; // most that a cycle in single precision can be asked for
static const double MARGIN = 0.5;
// Blocks that count for nothing beside the ones on the diagonal, and roots of masses that no one
// has.
static const float RELATIVE = 1e-10f, LEAST = 1e-30f;

enum { PAD = 8, VECTORS = 5 };

void kai_definite_init(kai_definite* d, kai_memory* memory)
{
    memset(d, 0, sizeof *d);
    d->memory = memory;
    d->place = d->node_first = d->colours = d->members = d->chunk_first =
        kai_array_make(sizeof(uint32_t));
    d->fixed = kai_array_make(sizeof(uint8_t));
    d->chunks = kai_array_make(sizeof(kai_definite_chunk));
    d->slots = kai_array_make(sizeof(uint16_t));
    for (int h = 0; h < 2; h++) {
        d->half[h].first = d->half[h].column = kai_array_make(sizeof(uint32_t));
        d->half[h].value = kai_array_make(sizeof(float));
    }
    d->scale = d->room = d->residual = d->partial = kai_array_make(sizeof(double));
    d->vector = d->brief = kai_array_make(sizeof(float));
}

void kai_definite_free(kai_definite* d)
{
    kai_array* all[] = {
        &d->place,          &d->node_first,     &d->colours,       &d->fixed,
        &d->members,        &d->chunk_first,    &d->chunks,        &d->slots,
        &d->half[0].first,  &d->half[0].column, &d->half[0].value, &d->half[1].first,
        &d->half[1].column, &d->half[1].value,  &d->scale,         &d->room,
        &d->vector,         &d->residual,       &d->partial,       &d->brief};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], d->memory);
    d->nodes = d->vectors = 0;
}

// Layout -----------------------------------------------------------------------------------------

static bool is_still(const kai_definite_shape* s, uint32_t vector) { return s->fixed[vector] == 7; }

/// The chunks of every vector, in the order of cells.
static kai_result list_chunks(kai_definite* d, const kai_definite_shape* s, kai_error* err)
{
    size_t members = 0;
    for (size_t c = 0; c < s->cell_count; c++) members += s->cells[c].count;
    KAI_TRY(kai_array_resize(&d->members, d->memory, members, err));
    if (members > 0) memcpy(d->members.data, s->members, members * sizeof(uint32_t));
    KAI_TRY(kai_array_resize(&d->chunk_first, d->memory, (size_t)d->vectors + 2, err));
    uint32_t* first = d->chunk_first.data;
    memset(first, 0, ((size_t)d->vectors + 2) * sizeof *first);
    size_t pieces = 0;
    for (size_t c = 0; c < s->cell_count; c++)
        for (uint32_t k = 0; k < s->cells[c].count; k++)
            first[s->members[s->cells[c].first + k] + 2]++;
    for (uint32_t v = 0; v < d->vectors; v++) first[v + 2] += first[v + 1];
    KAI_TRY(kai_array_resize(&d->chunks, d->memory, first[d->vectors + 1], err));
    kai_definite_chunk* chunks = d->chunks.data;
    for (size_t c = 0; c < s->cell_count; c++) {
        const kai_definite_cell* cell = &s->cells[c];
        for (uint32_t k = 0; k < cell->count; k++) {
            chunks[first[s->members[cell->first + k] + 1]++] =
                (kai_definite_chunk){(uint32_t)(cell->at + (size_t)k * 3 * cell->stride),
                                     cell->first, 0, cell->count, cell->stride};
            pieces += cell->count;
        }
    }
    if (pieces >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "a system of %zu blocks is too large", pieces);
    return kai_array_resize(&d->slots, d->memory, pieces, err);
}

/// The least colour that no neighbour of a node has. `node_of` [vectors]; `colour` [nodes],
/// UINT32_MAX for none; `mark` [nodes + 1].
static uint32_t free_colour(const kai_definite* d, const kai_definite_shape* s, uint32_t node,
                            const uint32_t* node_of, const uint32_t* colour, uint32_t* mark)
{
    const uint32_t *first = d->chunk_first.data, *members = d->members.data;
    const kai_definite_chunk* chunks = d->chunks.data;
    for (uint32_t v = s->first[node]; v < s->first[node + 1]; v++) {
        if (is_still(s, v)) continue;
        for (uint32_t k = first[v]; k < first[v + 1]; k++)
            for (uint32_t m = 0; m < chunks[k].count; m++) {
                const uint32_t other = members[chunks[k].member + m];
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
static kai_result colour_nodes(kai_definite* d, const kai_definite_shape* s, uint32_t* scratch,
                               kai_error* err)
{
    uint32_t *node_of = scratch, *colour = scratch + d->vectors, *mark = colour + d->nodes;
    uint32_t colours = 0;
    for (uint32_t i = 0; i < d->nodes; i++) {
        colour[i] = UINT32_MAX;
        for (uint32_t v = s->first[i]; v < s->first[i + 1]; v++) node_of[v] = i;
    }
    memset(mark, 0, ((size_t)d->nodes + 1) * sizeof *mark);
    for (uint32_t i = 0; i < d->nodes; i++) {
        colour[i] = free_colour(d, s, i, node_of, colour, mark);
        if (colour[i] >= colours) colours = colour[i] + 1;
    }
    KAI_TRY(kai_array_resize(&d->colours, d->memory, (size_t)colours + 2, err));
    KAI_TRY(kai_array_resize(&d->node_first, d->memory, (size_t)d->nodes + 1, err));
    KAI_TRY(kai_array_resize(&d->place, d->memory, d->vectors, err));
    uint32_t *first = d->colours.data, *node_first = d->node_first.data, *place = d->place.data;
    memset(first, 0, ((size_t)colours + 2) * sizeof *first);
    for (uint32_t i = 0; i < d->nodes; i++) first[colour[i] + 2]++;
    for (uint32_t c = 0; c < colours; c++) first[c + 2] += first[c + 1];
    for (uint32_t i = 0; i < d->nodes; i++) mark[first[colour[i] + 1]++] = i; // the order
    d->colours.count = (size_t)colours + 1;
    uint32_t at = 0;
    for (uint32_t n = 0; n < d->nodes; n++) {
        node_first[n] = at;
        for (uint32_t v = s->first[mark[n]]; v < s->first[mark[n] + 1]; v++) place[v] = at++;
    }
    node_first[d->nodes] = at;
    return KAI_OK;
}

/// The blocks of the row of one vector: columns to the halves, and to `slots` which block a piece
/// adds to. `slot_of` [vectors], `mark` [vectors].
static kai_result list_row(kai_definite* d, uint32_t v, uint32_t* slot_of, uint32_t* mark,
                           uint32_t* slot, kai_error* err)
{
    const uint32_t *first = d->chunk_first.data, *members = d->members.data, *place = d->place.data;
    const uint8_t* fixed = d->fixed.data;
    kai_definite_chunk* chunks = d->chunks.data;
    uint32_t count = 1;
    // First the lower half, then the upper one: slots are numbered in this order.
    for (int h = 0; h < 2; h++) {
        for (uint32_t k = first[v]; fixed[v] != 7 && k < first[v + 1]; k++) {
            for (uint32_t m = 0; m < chunks[k].count; m++) {
                const uint32_t other = members[chunks[k].member + m];
                if (other == v || fixed[other] == 7 || (place[other] > place[v]) != (h == 1) ||
                    mark[other] == v + 1)
                    continue;
                mark[other] = v + 1;
                slot_of[other] = count++;
                KAI_TRY(kai_array_append(&d->half[h].column, d->memory, &place[other], 1, err));
            }
        }
    }
    if (count >= UINT16_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "a node is coupled to %u others; too many",
                             count);
    if (count > d->most) d->most = count;
    uint16_t* slots = d->slots.data;
    for (uint32_t k = first[v]; k < first[v + 1]; k++) {
        chunks[k].slot = *slot;
        for (uint32_t m = 0; m < chunks[k].count; m++) {
            const uint32_t other = members[chunks[k].member + m];
            const bool still = fixed[v] == 7 || fixed[other] == 7;
            slots[(*slot)++] = other == v ? 0 : still ? UINT16_MAX : (uint16_t)slot_of[other];
        }
    }
    return KAI_OK;
}

/// Rows in order of the iterations.
static kai_result list_rows(kai_definite* d, uint32_t* scratch, kai_error* err)
{
    uint32_t *vector_at = scratch, *slot_of = scratch + d->vectors, *mark = slot_of + d->vectors;
    const uint32_t* place = d->place.data;
    uint32_t slot = 0;
    for (uint32_t v = 0; v < d->vectors; v++) vector_at[place[v]] = v;
    memset(mark, 0, d->vectors * sizeof *mark);
    d->most = 1;
    for (int h = 0; h < 2; h++) {
        d->half[h].column.count = 0;
        KAI_TRY(kai_array_resize(&d->half[h].first, d->memory, (size_t)d->vectors + 1, err));
    }
    for (uint32_t i = 0; i < d->vectors; i++) {
        KAI_TRY(list_row(d, vector_at[i], slot_of, mark, &slot, err));
        for (int h = 0; h < 2; h++)
            ((uint32_t*)d->half[h].first.data)[i + 1] = (uint32_t)d->half[h].column.count;
    }
    return KAI_OK;
}

kai_result kai_definite_analyze(kai_definite* d, const kai_definite_shape* s, int threads,
                                kai_error* err)
{
    kai_memory* m = d->memory;
    d->nodes = s->nodes;
    d->vectors = s->first[s->nodes];
    const size_t n = d->vectors, size = (3 * n + 2 * (size_t)d->nodes + 1) * sizeof(uint32_t);
    KAI_TRY(kai_array_resize(&d->fixed, m, n, err));
    if (n > 0) memcpy(d->fixed.data, s->fixed, n);
    KAI_TRY(list_chunks(d, s, err));
    uint32_t* scratch = kai_memory_allocate(m, size);
    if (!scratch)
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory to lay out %zu vectors", n);
    kai_result r = colour_nodes(d, s, scratch, err);
    if (r == KAI_OK) r = list_rows(d, scratch, err);
    kai_memory_release(m, scratch, size);
    KAI_TRY(r);
    for (int h = 0; h < 2; h++)
        KAI_TRY(kai_array_resize(&d->half[h].value, m, 9 * d->half[h].column.count + PAD, err));
    KAI_TRY(kai_array_resize(&d->scale, m, 6 * n, err));
    KAI_TRY(kai_array_resize(&d->brief, m, 8 * n, err));
    KAI_TRY(kai_array_resize(&d->room, m, 9 * (size_t)d->most * (size_t)threads, err));
    KAI_TRY(kai_array_resize(&d->vector, m, VECTORS * (3 * n + PAD), err));
    KAI_TRY(kai_array_resize(&d->residual, m, 12 * n, err));
    return kai_array_resize(&d->partial, m, (size_t)d->nodes + 3 * n / SUMS + 2, err);
}

// Numbers ----------------------------------------------------------------------------------------

typedef struct fill_context {
    const kai_definite* d;
    const kai_definite_numbers* numbers;
    const double* x;
    double* y;
    atomic_uint bad; // smallest vector without a positive diagonal
} fill_context;

/// C⁻¹ of A = C Cᵀ, both 3 × 3; its triangle by rows: 00, 10, 11, 20, 21, 22.
static bool invert(const double a[9], double c[6])
{
    const double l00 = sqrt(a[0]), l10 = a[3] / l00, l20 = a[6] / l00;
    const double d1 = a[4] - l10 * l10, l11 = sqrt(d1), l21 = (a[7] - l20 * l10) / l11;
    const double d2 = a[8] - l20 * l20 - l21 * l21, l22 = sqrt(d2);
    if (!(a[0] > 0.0 && d1 > 0.0 && d2 > 0.0) || !isfinite(a[0] + d1 + d2)) return false;
    c[0] = 1.0 / l00;
    c[2] = 1.0 / l11;
    c[5] = 1.0 / l22;
    c[1] = -l10 * c[0] * c[2];
    c[4] = -l21 * c[2] * c[5];
    c[3] = -(l20 * c[0] + l21 * c[1]) * c[5];
    return true;
}

/// Adds up the blocks of a row: `sum` [most × 9], by rows.
KAI_INLINE void add_row(const kai_definite* d, const double* cells, uint32_t v, double* sum)
{
    const uint32_t* first = d->chunk_first.data;
    const uint16_t* slots = d->slots.data;
    for (uint32_t k = first[v]; k < first[v + 1]; k++) {
        const kai_definite_chunk* c = (const kai_definite_chunk*)d->chunks.data + k;
        const double* t = cells + c->at;
        const uint16_t* slot = slots + c->slot;
        const size_t stride = c->stride;
        for (uint32_t m = 0; m < c->count; m++, t += 3) {
            if (slot[m] == UINT16_MAX) continue;
            double* s = sum + 9 * (size_t)slot[m];
            for (size_t r = 0; r < 3; r++)
                for (size_t q = 0; q < 3; q++) s[3 * r + q] += t[r * stride + q];
        }
    }
}

/// Clears the rows of fixed numbers and puts ones on their diagonal.
static void clear_fixed(uint8_t fixed, uint32_t count, double* sum)
{
    for (int k = 0; k < 3; k++) {
        if (!(fixed >> k & 1)) continue;
        for (uint32_t b = 0; b < count; b++)
            for (int q = 0; q < 3; q++) sum[9 * (size_t)b + (size_t)(3 * k + q)] = 0.0;
        for (int r = 0; r < 3; r++) sum[3 * r + k] = 0.0;
        sum[4 * k] = 1.0;
    }
}

/// Numbers that are too small to count become zero: products of numbers below the normal ones would
/// take a hundred times as long.
KAI_INLINE float trim(float x, float least) { return fabsf(x) < least ? 0.0f : x; }

/// out = C⁻¹ B, by columns.
KAI_INLINE void scale_rows(const double* c, const double* b, float* out)
{
    for (int q = 0; q < 3; q++) {
        out[3 * q] = trim((float)(c[0] * b[q]), LEAST);
        out[3 * q + 1] = trim((float)(c[1] * b[q] + c[2] * b[3 + q]), LEAST);
        out[3 * q + 2] = trim((float)(c[3] * b[q] + c[4] * b[3 + q] + c[5] * b[6 + q]), LEAST);
    }
}

/// sum += three rows of a cell times x, `n` numbers that lie side by side.
KAI_INLINE void add_rows(const double* restrict t, size_t stride, const double* restrict x,
                         size_t n, double* restrict sum)
{
    double part[3][4] = {{0.0}};
    size_t q = 0;
    for (; q + 4 <= n; q += 4) {
        for (size_t r = 0; r < 3; r++) {
#pragma omp simd simdlen(4)
            for (size_t k = 0; k < 4; k++) part[r][k] += t[r * stride + q + k] * x[q + k];
        }
    }
    for (; q < n; q++)
        for (size_t r = 0; r < 3; r++) part[r][0] += t[r * stride + q] * x[q];
    for (size_t r = 0; r < 3; r++) sum[r] += (part[r][0] + part[r][1]) + (part[r][2] + part[r][3]);
}

/// y := A x of one vector.
KAI_INLINE void apply_row(const fill_context* f, size_t v)
{
    const kai_definite* d = f->d;
    const uint32_t *first = d->chunk_first.data, *members = d->members.data;
    const uint8_t fixed = ((const uint8_t*)d->fixed.data)[v];
    const double more = f->numbers->more[v], *own = f->x + 3 * v;
    double sum[3] = {more * own[0], more * own[1], more * own[2]};
    for (uint32_t k = first[v]; k < first[v + 1]; k++) {
        const kai_definite_chunk* c = (const kai_definite_chunk*)d->chunks.data + k;
        double x[3 * UINT8_MAX];
        for (size_t m = 0; m < c->count; m++)
            for (size_t r = 0; r < 3; r++)
                x[3 * m + r] = f->x[3 * (size_t)members[c->member + m] + r];
        const double* t = f->numbers->cells + c->at;
        if (c->count == 4)
            add_rows(t, c->stride, x, 12, sum);
        else
            add_rows(t, c->stride, x, 3 * (size_t)c->count, sum);
    }
    for (int k = 0; k < 3; k++) f->y[3 * v + (size_t)k] = fixed >> k & 1 ? own[k] : sum[k];
}

/// Rows of vectors: C, and C⁻¹ times every block.
KAI_CLONES
static void fill_rows(size_t begin, size_t end, int worker, void* context)
{
    fill_context* f = context;
    const kai_definite* d = f->d;
    const uint32_t* place = d->place.data;
    const uint8_t* fixed = d->fixed.data;
    double* sum = (double*)d->room.data + 9 * (size_t)d->most * (size_t)worker;
    for (size_t v = begin; v < end; v++) {
        const uint32_t i = place[v];
        uint32_t count[2];
        for (int h = 0; h < 2; h++) {
            const uint32_t* first = d->half[h].first.data;
            count[h] = first[i + 1] - first[i];
        }
        const uint32_t blocks = 1 + count[0] + count[1];
        memset(sum, 0, 9 * (size_t)blocks * sizeof *sum);
        add_row(d, f->numbers->cells, (uint32_t)v, sum);
        if (f->x) apply_row(f, v);
        for (int k = 0; k < 3; k++) sum[4 * k] += f->numbers->more[v];
        if (fixed[v]) clear_fixed(fixed[v], blocks, sum);
        double* c = (double*)d->scale.data + 6 * (size_t)i;
        if (!invert(sum, c)) {
            unsigned seen = atomic_load(&f->bad);
            while (v < seen && !atomic_compare_exchange_weak(&f->bad, &seen, (unsigned)v)) {}
            continue;
        }
        for (int k = 0; k < 6; k++)
            ((float*)d->brief.data)[8 * (size_t)i + (size_t)k] = (float)c[k];
        const double* b = sum + 9;
        for (int h = 0; h < 2; h++) {
            const uint32_t* first = d->half[h].first.data;
            float* out = (float*)d->half[h].value.data + 9 * (size_t)first[i];
            for (uint32_t k = 0; k < count[h]; k++, b += 9, out += 9) scale_rows(c, b, out);
        }
    }
}

/// The same blocks times C⁻ᵀ of their columns. Those of fixed numbers stay: what they meet is zero.
KAI_CLONES
static void scale_columns(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const fill_context* f = context;
    const float* scale = f->d->brief.data;
    for (int h = 0; h < 2; h++) {
        const uint32_t *first = f->d->half[h].first.data, *column = f->d->half[h].column.data;
        float* value = f->d->half[h].value.data;
        for (uint32_t k = first[begin]; k < first[end]; k++) {
            const float* c = scale + 8 * (size_t)column[k];
            float* b = value + 9 * (size_t)k;
            const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4], c5 = c[5];
            float x[4], y[4], z[4]; // columns; a fourth number that belongs to others comes along
            memcpy(x, b, sizeof x);
            memcpy(y, b + 3, sizeof y);
            memcpy(z, b + 6, sizeof z);
#pragma omp simd simdlen(4)
            for (int r = 0; r < 4; r++) {
                z[r] = trim(c3 * x[r] + c4 * y[r] + c5 * z[r], RELATIVE);
                y[r] = trim(c1 * x[r] + c2 * y[r], RELATIVE);
                x[r] = trim(c0 * x[r], RELATIVE);
            }
            memcpy(b, x, sizeof x);
            memcpy(b + 3, y, sizeof y);
            memcpy(b + 6, z, 3 * sizeof *z);
        }
    }
}

bool kai_definite_fill(kai_definite* d, const kai_definite_numbers* numbers, const double* guess,
                       int threads, uint32_t* vector)
{
    const size_t n = 3 * (size_t)d->vectors;
    double* kept = (double*)d->residual.data + 2 * n;
    fill_context f = {
        .d = d, .numbers = numbers, .x = guess ? kept : NULL, .y = kept + n, .bad = UINT32_MAX};
    d->guessed = guess != NULL;
    if (guess) memcpy(kept, guess, n * sizeof *kept);
    kai_parallel_for(threads, d->vectors, BLOCK, fill_rows, &f);
    *vector = atomic_load(&f.bad);
    if (*vector != UINT32_MAX) return false;
    kai_parallel_for(threads, d->vectors, BLOCK, scale_columns, &f);
    return true;
}

// Products ---------------------------------------------------------------------------------------

KAI_CLONES
static void apply_rows(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    for (size_t v = begin; v < end; v++) apply_row(context, v);
}

void kai_definite_apply(const kai_definite* d, const kai_definite_numbers* numbers, int threads,
                        const double* x, double* y)
{
    fill_context f = {.d = d, .numbers = numbers, .x = x, .y = y};
    kai_parallel_for(threads, d->vectors, BLOCK, apply_rows, &f);
}

// Solution ---------------------------------------------------------------------------------------

typedef struct sum_context {
    const kai_definite* d;
    const double *b, *x;
    double* r;
} sum_context;

/// r := b - r, and |r|² of a block.
static void subtract_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const sum_context* s = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        s->r[i] = s->b[i] - s->r[i];
        sum += s->r[i] * s->r[i];
    }
    ((double*)s->d->partial.data)[begin / SUMS] = sum;
}

static void square_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const sum_context* s = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) sum += s->b[i] * s->b[i];
    ((double*)s->d->partial.data)[begin / SUMS] = sum;
}

static double norm_of(const sum_context* s, int threads, kai_range_fn* fn)
{
    const size_t n = 3 * (size_t)s->d->vectors;
    double sum = 0.0;
    kai_parallel_for(threads, n, SUMS, fn, (void*)(uintptr_t)s);
    for (size_t k = 0; k < (n + SUMS - 1) / SUMS; k++)
        sum += ((const double*)s->d->partial.data)[k];
    return sqrt(sum);
}

void kai_definite_solve(kai_definite* d, const kai_definite_numbers* numbers,
                        const kai_krylov_options* options, const double* b, double* x,
                        kai_krylov_result* result)
{
    const size_t n = 3 * (size_t)d->vectors;
    const int threads = options->threads;
    double *r = d->residual.data, *before = r + n;
    *result = (kai_krylov_result){.converged = true};
    sum_context s = {.d = d, .b = b, .r = r};
    const double size = norm_of(&s, threads, square_range);
    const double target = fmax(options->relative * size, options->absolute);
    const double* kept = before + n;
    if (d->guessed && memcmp(kept, x, n * sizeof *x) == 0)
        memcpy(r, kept + n, n * sizeof *r);
    else
        kai_definite_apply(d, numbers, threads, x, r);
    double norm = norm_of(&s, threads, subtract_range);
    if (!(norm <= size)) { // the guess is worse than none
        memset(x, 0, n * sizeof *x);
        if (n > 0) memcpy(r, b, n * sizeof *r);
        norm = size;
    }
    while (norm > target && result->iterations < options->limit) {
        // As few cycles as single precision allows, of equal gain.
        const double gain = target / norm, cycles = ceil(log(gain) / log(GAIN));
        const double goal = MARGIN * pow(gain, 1.0 / fmax(cycles, 1.0));
        memcpy(before, x, n * sizeof *x);
        result->iterations += kai_definite_cycle(d, r, goal, options->limit - result->iterations,
                                                 threads, x, &result->breakdown);
        kai_definite_apply(d, numbers, threads, x, r);
        const double now = norm_of(&s, threads, subtract_range);
        if (result->breakdown != KAI_KRYLOV_FINE) break;
        if (!(now < 0.5 * norm)) {
            result->breakdown = isfinite(now) ? KAI_KRYLOV_STAGNATED : KAI_KRYLOV_NOT_FINITE;
            if (!(now < norm)) memcpy(x, before, n * sizeof *x);
            norm = fmin(now, norm);
            break;
        }
        norm = now;
    }
    if (!isfinite(norm)) result->breakdown = KAI_KRYLOV_NOT_FINITE;
    result->residual = isfinite(norm) ? norm : HUGE_VAL;
    result->converged = norm <= target;
    if (result->converged) result->breakdown = KAI_KRYLOV_FINE;
}
