// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cycle of conjugate gradients in single precision, on Â (definite.h). An iteration is three
// passes:
//
//     back     p := r + β p,  t := (I + L)⁻ᵀ p          colour after colour, from the last
//     forth    w := (I + L)⁻¹ (p - t),  p · (t + w)     from the first
//     advance  x += α t,  r -= α (t + w),  r · r
#include "base/parallel.h"
#include "base/simd.h"
#include "solve/definite.h"

#include <math.h>
#include <string.h>

static const size_t BLOCK = 128;    // nodes a block of work
static const size_t NUMBERS = 4096; // of vectors, likewise

// FAR: numbers by which blocks are asked for ahead. What lies in a row in memory comes by itself,
// but only to the end of a page.
enum { PAD = 8, FAR = 1024 };

/// Numbers that are nothing beside the residual, of size 1, become zero: products of numbers below
/// the normal ones would take a hundred times as long.
KAI_INLINE float trim(float x) { return fabsf(x) < 1e-18f ? 0.0f : x; }

/// What the passes share.
typedef struct cycle {
    const kai_definite* d;
    float *p, *t, *w, *r, *x;
    float alpha, beta;
    const double* from; // the residual, in the order of the system
    double* to;         // x, likewise
    double scale;
    uint32_t first; // node of the colour at work
    size_t sums;    // forth: place of the colour's sums
} cycle;

/// s -= Σ B x of the blocks of a row. A block is three columns of three, each read as four numbers:
/// the fourth is of no use and harmless.
KAI_INLINE void subtract_row(const kai_definite_half* half, uint32_t i, const float* restrict x,
                             float* restrict s)
{
    const uint32_t *first = half->first.data, *column = half->column.data;
    const float* restrict b = (const float*)half->value.data + 9 * (size_t)first[i];
    float a0[4] = {0.0f}, a1[4] = {0.0f}, a2[4] = {0.0f};
    for (uint32_t k = first[i]; k < first[i + 1]; k++, b += 9) {
        const float* v = x + 3 * (size_t)column[k];
        const float x0 = v[0], x1 = v[1], x2 = v[2];
        __builtin_prefetch(b + FAR);
#pragma omp simd simdlen(4)
        for (int r = 0; r < 4; r++) {
            a0[r] += b[r] * x0;
            a1[r] += b[3 + r] * x1;
            a2[r] += b[6 + r] * x2;
        }
    }
    for (int r = 0; r < 3; r++) s[r] -= a0[r] + a1[r] + a2[r];
}

KAI_CLONES
static void back(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const uint32_t* first = c->d->node_first.data;
    const float beta = c->beta;
    for (size_t n = c->first + begin; n < c->first + end; n++) {
        for (uint32_t i = first[n + 1]; i-- > first[n];) {
            float s[4], *p = c->p + 3 * (size_t)i;
            const float* r = c->r + 3 * (size_t)i;
            for (int k = 0; k < 3; k++) s[k] = p[k] = trim(r[k] + beta * p[k]);
            subtract_row(&c->d->half[1], i, c->t, s);
            for (int k = 0; k < 3; k++) c->t[3 * (size_t)i + (size_t)k] = trim(s[k]);
        }
    }
}

KAI_CLONES
static void forth(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const uint32_t* first = c->d->node_first.data;
    double sum = 0.0;
    for (size_t n = c->first + begin; n < c->first + end; n++) {
        for (uint32_t i = first[n]; i < first[n + 1]; i++) {
            const float *p = c->p + 3 * (size_t)i, *t = c->t + 3 * (size_t)i;
            float s[4], *w = c->w + 3 * (size_t)i;
            for (int k = 0; k < 3; k++) s[k] = p[k] - t[k];
            subtract_row(&c->d->half[0], i, c->w, s);
            for (int k = 0; k < 3; k++) {
                w[k] = trim(s[k]);
                sum += (double)p[k] * ((double)t[k] + (double)w[k]);
            }
        }
    }
    ((double*)c->d->partial.data)[c->sums + begin / BLOCK] = sum;
}

KAI_CLONES
static void advance(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const float* restrict t = c->t, * restrict w = c->w;
    float* restrict x = c->x, * restrict r = c->r;
    const float alpha = c->alpha;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) {
        x[i] += alpha * t[i];
        r[i] = trim(r[i] - alpha * (t[i] + w[i]));
        sum += (double)r[i] * (double)r[i];
    }
    ((double*)c->d->partial.data)[begin / NUMBERS] = sum;
}

static double add_up(const kai_definite* d, size_t count)
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
static void size_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const uint32_t* place = c->d->place.data;
    double sum = 0.0;
    for (size_t v = begin; v < end; v++) {
        const double *m = (const double*)c->d->scale.data + 9 * (size_t)place[v],
                     *r = c->from + 3 * v;
        const double s[3] = {m[0] * r[0], m[1] * r[0] + m[4] * r[1],
                             m[2] * r[0] + m[5] * r[1] + m[8] * r[2]};
        sum += s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    }
    ((double*)c->d->partial.data)[begin / BLOCK] = sum;
}

/// p := C⁻¹ from / scale, and the other vectors zero.
static void take_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const uint32_t* place = c->d->place.data;
    const double by = 1.0 / c->scale;
    for (size_t v = begin; v < end; v++) {
        const size_t i = 3 * (size_t)place[v];
        const double *m = (const double*)c->d->scale.data + 3 * i, *r = c->from + 3 * v;
        c->p[i] = trim((float)(by * m[0] * r[0]));
        c->p[i + 1] = trim((float)(by * (m[1] * r[0] + m[4] * r[1])));
        c->p[i + 2] = trim((float)(by * (m[2] * r[0] + m[5] * r[1] + m[8] * r[2])));
        for (size_t k = i; k < i + 3; k++) c->t[k] = c->x[k] = 0.0f;
    }
}

/// r := w, p := 0: the iterations begin.
static void begin_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        c->r[i] = c->w[i];
        c->p[i] = 0.0f;
        sum += (double)c->r[i] * (double)c->r[i];
    }
    ((double*)c->d->partial.data)[begin / NUMBERS] = sum;
}

/// to += scale C⁻ᵀ x
static void give_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const cycle* c = context;
    const uint32_t* place = c->d->place.data;
    for (size_t v = begin; v < end; v++) {
        const size_t i = 3 * (size_t)place[v];
        const double *m = (const double*)c->d->scale.data + 3 * i, a = c->scale * (double)c->x[i],
                     b = c->scale * (double)c->x[i + 1], e = c->scale * (double)c->x[i + 2];
        double* to = c->to + 3 * v;
        to[0] += m[0] * a + m[1] * b + m[2] * e;
        to[1] += m[4] * b + m[5] * e;
        to[2] += m[8] * e;
    }
}

static cycle make(const kai_definite* d, const double* from, double* to)
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
    const size_t n = c->d->vectors;
    kai_parallel_for(threads, n, BLOCK, size_range, c);
    c->scale = sqrt(add_up(c->d, (n + BLOCK - 1) / BLOCK));
    if (!isfinite(c->scale) || c->scale == 0.0) return 0.0;
    kai_parallel_for(threads, n, BLOCK, take_range, c);
    sweep_forth(c, threads);
    kai_parallel_for(threads, 3 * n, NUMBERS, begin_range, c);
    return add_up(c->d, (3 * n + NUMBERS - 1) / NUMBERS);
}

uint32_t kai_definite_cycle(kai_definite* d, const double* r, double goal, uint32_t limit,
                            int threads, double* x, kai_krylov_breakdown* end)
{
    cycle c = make(d, r, x);
    double square = start(&c, threads);
    const double target = goal * goal * square;
    uint32_t done = 0;
    *end = isfinite(c.scale) ? KAI_KRYLOV_FINE : KAI_KRYLOV_NOT_FINITE;
    while (square > target && done < limit) {
        sweep_back(&c, threads);
        const double curve = sweep_forth(&c, threads);
        if (!isfinite(curve)) *end = KAI_KRYLOV_NOT_FINITE;
        if (curve <= 0.0) *end = KAI_KRYLOV_INDEFINITE;
        if (*end != KAI_KRYLOV_FINE) return done;
        c.alpha = (float)(square / curve);
        const double now = sweep_advance(&c, threads);
        c.beta = (float)(now / square);
        square = now;
        done++;
    }
    if (done > 0) kai_parallel_for(threads, d->vectors, BLOCK, give_range, &c);
    return done;
}

void kai_definite_cycle_precondition(kai_definite* d, int threads, const double* x, double* y)
{
    cycle c = make(d, x, y);
    memset(y, 0, 3 * (size_t)d->vectors * sizeof *y);
    if (start(&c, threads) == 0.0) return;
    sweep_back(&c, threads);
    c.x = c.t;
    kai_parallel_for(threads, d->vectors, BLOCK, give_range, &c);
}
