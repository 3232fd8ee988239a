// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cycle of conjugate gradients in single precision, on Â (block_cg.h). An iteration is three
// passes:
//
//     back     p := r + β p,  t := (I + L)⁻ᵀ p          colour after colour, from the last
//     forth    w := (I + L)⁻¹ (p - t),  p · (t + w)     from the first
//     advance  x += α t,  r -= α (t + w),  r · r
#include "base/parallel.h"
#include "base/simd.h"
#include "base/stop.h"
#include "solve/block_cg.h"

#include <math.h>
#include <string.h>

static const size_t BLOCK = 128;    // nodes a block of work
static const size_t NUMBERS = 4096; // of vectors, likewise

// FAR: numbers by which blocks are asked for ahead. What lies in a row in memory comes by itself,
// but only to the end of a page.
enum { PAD = 8, FAR = 1024, SOON = KAI_BLOCK_CG_SOON };

/// Numbers that are nothing beside the residual, of size 1, become zero: products of numbers below
/// the normal ones would take a hundred times as long.
KAI_INLINE float trim(float x) { return fabsf(x) < 1e-18f ? 0.0f : x; }

typedef float four __attribute__((vector_size(16)));

KAI_INLINE four load(const float* x)
{
    four y;
    memcpy(&y, x, sizeof y);
    return y;
}

/// What the passes share.
typedef struct cycle {
    const kai_block_cg* d;
    float *p, *t, *w, *r, *x;
    float alpha, beta;
    bool fresh;         // forth: t counts as zero; advance: x does
    const double* from; // the residual, in the order of the system
    double* to;         // x, likewise
    double scale;
    uint32_t first; // node of the colour at work
    size_t sums;    // forth: place of the colour's sums
} cycle;

/// s -= Σ B x of the blocks of a row of the upper triangle. A block is three columns of three, each
/// read as four numbers: the fourth is of no use and harmless.
KAI_INLINE void subtract_upper(const kai_block_cg* d, uint32_t i, const float* restrict x,
                               float* restrict s)
{
    const uint32_t *first = d->half[1].first.data, *column = d->half[1].column.data;
    const float* restrict b = (const float*)d->value.data + 9 * (size_t)first[i];
    four a0 = {0.0f}, a1 = {0.0f}, a2 = {0.0f};
    for (uint32_t k = first[i]; k < first[i + 1]; k++, b += 9) {
        const float* v = x + 3 * (size_t)column[k];
        __builtin_prefetch(b + FAR);
        a0 += load(b) * v[0];
        a1 += load(b + 3) * v[1];
        a2 += load(b + 6) * v[2];
    }
    for (int r = 0; r < 3; r++) s[r] -= a0[r] + a1[r] + a2[r];
}

/// The same for the lower triangle, whose blocks are those of the upper one, transposed.
KAI_INLINE void subtract_lower(const kai_block_cg* d, uint32_t i, const float* restrict x,
                               float* restrict s)
{
    const uint32_t *first = d->half[0].first.data, *column = d->half[0].column.data,
                   *transpose = d->half[0].transpose.data;
    const float* restrict value = d->value.data;
    four a0 = {0.0f}, a1 = {0.0f}, a2 = {0.0f};
    for (uint32_t k = first[i]; k < first[i + 1]; k++) {
        const float *v = x + 3 * (size_t)column[k], *b = value + 9 * (size_t)transpose[k];
        const four y = {v[0], v[1], v[2], 0.0f};
        const float* soon = value + 9 * (size_t)transpose[k + SOON];
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + 8);
        a0 += load(b) * y;
        a1 += load(b + 3) * y;
        a2 += load(b + 6) * y;
    }
    s[0] -= a0[0] + a0[1] + a0[2];
    s[1] -= a1[0] + a1[1] + a1[2];
    s[2] -= a2[0] + a2[1] + a2[2];
}

KAI_CLONES
static void back(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    const uint32_t* first = c->d->node_first.data;
    const float beta = c->beta;
    for (size_t n = c->first + begin; n < c->first + end; n++) {
        for (uint32_t i = first[n + 1]; i-- > first[n];) {
            float s[4], *p = c->p + 3 * (size_t)i;
            const float* r = c->r + 3 * (size_t)i;
            for (int k = 0; k < 3; k++) s[k] = p[k] = trim(r[k] + beta * p[k]);
            subtract_upper(c->d, i, c->t, s);
            for (int k = 0; k < 3; k++) c->t[3 * (size_t)i + (size_t)k] = trim(s[k]);
        }
    }
}

/// w := (I + L)⁻¹ (p - t) of nodes, and p · (t + w) of a block; of a fresh start w := (I + L)⁻¹ p
/// and w · w.
KAI_INLINE double forth_nodes(const cycle* c, size_t begin, size_t end, bool fresh)
{
    const uint32_t* first = c->d->node_first.data;
    double sum = 0.0;
    for (size_t n = begin; n < end; n++) {
        for (uint32_t i = first[n]; i < first[n + 1]; i++) {
            const float *p = c->p + 3 * (size_t)i, *t = c->t + 3 * (size_t)i;
            float s[4], dot = 0.0f, *w = c->w + 3 * (size_t)i;
            for (int k = 0; k < 3; k++) s[k] = fresh ? p[k] : p[k] - t[k];
            subtract_lower(c->d, i, c->w, s);
            for (int k = 0; k < 3; k++) {
                w[k] = trim(s[k]);
                dot += fresh ? w[k] * w[k] : p[k] * (t[k] + w[k]);
            }
            sum += (double)dot;
        }
    }
    return sum;
}

KAI_CLONES
static void forth(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    const double sum = c->fresh ? forth_nodes(c, c->first + begin, c->first + end, true)
                                : forth_nodes(c, c->first + begin, c->first + end, false);
    ((double*)c->d->partial.data)[c->sums + begin / BLOCK] = sum;
}

/// x += α t, of a fresh start x := α t; r -= α (t + w). Returns r · r.
KAI_INLINE double advance_numbers(const cycle* c, size_t begin, size_t end, bool fresh)
{
    const float* restrict t = c->t, * restrict w = c->w;
    float* restrict x = c->x, * restrict r = c->r;
    const float alpha = c->alpha;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) {
        x[i] = fresh ? alpha * t[i] : x[i] + alpha * t[i];
        r[i] = trim(r[i] - alpha * (t[i] + w[i]));
        sum += (double)r[i] * (double)r[i];
    }
    return sum;
}

KAI_CLONES
static void advance(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    const double sum =
        c->fresh ? advance_numbers(c, begin, end, true) : advance_numbers(c, begin, end, false);
    ((double*)c->d->partial.data)[begin / NUMBERS] = sum;
}

static double add_up(const kai_block_cg* d, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) sum += ((const double*)d->partial.data)[i];
    return sum;
}

static void sweep_back(cycle* c, int threads)
{
    const uint32_t* colour = c->d->colours.data;
    for (size_t k = c->d->colours.count - 1; k-- > 0;) {
        c->first = colour[k];
        kai_parallel_for(threads, colour[k + 1] - colour[k], BLOCK, back, c);
    }
}

/// Returns p · (t + w).
static double sweep_forth(cycle* c, int threads)
{
    const uint32_t* colour = c->d->colours.data;
    c->sums = 0;
    for (size_t k = 0; k + 1 < c->d->colours.count; k++) {
        const size_t count = colour[k + 1] - colour[k];
        c->first = colour[k];
        kai_parallel_for(threads, count, BLOCK, forth, c);
        c->sums += (count + BLOCK - 1) / BLOCK;
    }
    return add_up(c->d, c->sums);
}

static double sweep_advance(cycle* c, int threads)
{
    const size_t n = 3 * (size_t)c->d->vectors;
    kai_parallel_for(threads, n, NUMBERS, advance, c);
    return add_up(c->d, (n + NUMBERS - 1) / NUMBERS);
}

// In and out -------------------------------------------------------------------------------------

/// |C⁻¹ from|² of vectors.
static void size_range(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    double sum = 0.0;
    for (size_t v = begin; v < end; v++) sum += kai_block_cg_square(c->d, v, c->from + 3 * v);
    ((double*)c->d->partial.data)[begin / BLOCK] = sum;
}

/// p := C⁻¹ from / scale
static void take_range(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    const uint32_t* place = c->d->place.data;
    const double by = 1.0 / c->scale;
    for (size_t v = begin; v < end; v++) {
        const size_t i = 3 * (size_t)place[v];
        const float* m = (const float*)c->d->scale.data + 3 * i;
        const double *from = c->from + 3 * v, r[3] = {by * from[0], by * from[1], by * from[2]};
        c->p[i] = trim((float)((double)m[0] * r[0]));
        c->p[i + 1] = trim((float)((double)m[1] * r[0] + (double)m[4] * r[1]));
        c->p[i + 2] =
            trim((float)((double)m[2] * r[0] + (double)m[5] * r[1] + (double)m[8] * r[2]));
    }
}

/// to += scale C⁻ᵀ x
static void give_range(size_t begin, size_t end, void* context)
{
    const cycle* c = context;
    const uint32_t* place = c->d->place.data;
    for (size_t v = begin; v < end; v++) {
        const size_t i = 3 * (size_t)place[v];
        const float* m = (const float*)c->d->scale.data + 3 * i;
        const double a = c->scale * (double)c->x[i], b = c->scale * (double)c->x[i + 1],
                     e = c->scale * (double)c->x[i + 2];
        double* to = c->to + 3 * v;
        to[0] += (double)m[0] * a + (double)m[1] * b + (double)m[2] * e;
        to[1] += (double)m[4] * b + (double)m[5] * e;
        to[2] += (double)m[8] * e;
    }
}

static cycle make(const kai_block_cg* d, const double* from, double* to)
{
    const size_t stride = 3 * (size_t)d->vectors + PAD;
    float* room = d->vector.data;
    return (cycle){.d = d,
                   .p = room,
                   .t = room + stride,
                   .w = room + 2 * stride,
                   .r = room + 3 * stride,
                   .x = room + 4 * stride,
                   .from = from,
                   .to = to};
}

/// r := (I + L)⁻¹ C⁻¹ from / scale; its square, or 0 where there is nothing to do.
static double start(cycle* c, int threads)
{
    if (!isfinite(c->scale) || c->scale == 0.0) return 0.0;
    float* w = c->w;
    kai_parallel_for(threads, c->d->vectors, BLOCK, take_range, c);
    c->w = c->r;
    c->fresh = true;
    const double square = sweep_forth(c, threads);
    c->w = w;
    return square;
}

uint32_t kai_block_cg_cycle(kai_block_cg* d, const double* r, double size, double goal,
                            uint32_t limit, const kai_krylov_options* options, double* x,
                            kai_krylov_breakdown* end)
{
    const int threads = options->threads;
    cycle c = make(d, r, x);
    c.scale = size;
    double square = start(&c, threads);
    const double target = goal * goal * square;
    uint32_t done = 0;
    *end = isfinite(size) ? KAI_KRYLOV_FINE : KAI_KRYLOV_NOT_FINITE;
    while (square > target && done < limit) {
        if (kai_stop_asked(options->stop)) *end = KAI_KRYLOV_STOPPED;
        if (*end == KAI_KRYLOV_STOPPED) return done;
        sweep_back(&c, threads);
        c.fresh = false;
        const double curve = sweep_forth(&c, threads);
        if (!isfinite(curve)) *end = KAI_KRYLOV_NOT_FINITE;
        if (curve <= 0.0) *end = KAI_KRYLOV_INDEFINITE;
        if (*end != KAI_KRYLOV_FINE) return done;
        c.alpha = (float)(square / curve);
        c.fresh = done == 0;
        const double now = sweep_advance(&c, threads);
        c.beta = (float)(now / square);
        square = now;
        done++;
    }
    if (done > 0) kai_parallel_for(threads, d->vectors, BLOCK, give_range, &c);
    return done;
}

void kai_block_cg_cycle_precondition(kai_block_cg* d, int threads, const double* x, double* y)
{
    cycle c = make(d, x, y);
    memset(y, 0, 3 * (size_t)d->vectors * sizeof *y);
    kai_parallel_for(threads, d->vectors, BLOCK, size_range, &c);
    c.scale = sqrt(add_up(d, (d->vectors + BLOCK - 1) / BLOCK));
    if (start(&c, threads) == 0.0) return;
    sweep_back(&c, threads);
    c.x = c.t;
    kai_parallel_for(threads, d->vectors, BLOCK, give_range, &c);
}
