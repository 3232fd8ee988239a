// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The loops of ldl_kernel.h. Compiled once a generation of CPUs: included after `#pragma GCC
// target`, everything inlined, vectors as wide as that CPU has them.
#ifndef SOLVE_LDL_KERNEL_LOOPS_H
#define SOLVE_LDL_KERNEL_LOOPS_H

#include "base/simd.h"
#include "solve/ldl_kernel.h"

#include <math.h>

// A tile stays in registers: TALL strips by ACROSS columns.
#if defined(__AVX512F__)
enum { WIDE = 8, TALL = 2, ACROSS = 8 }; // 16 sums of 32 registers
#elif defined(__AVX__)
enum { WIDE = 4, TALL = 1, ACROSS = 4 }; // 8 of 16
#else
enum { WIDE = 2, TALL = 1, ACROSS = 2 }; // 8 of 16
#endif
enum { S = KAI_LDL_STRIP, V = S / WIDE }; // vectors a strip

typedef double wide __attribute__((vector_size(WIDE * 8), may_alias));

KAI_INLINE wide load(const double* p) { return *(const wide*)p; }
KAI_INLINE void store(double* p, wide x) { *(wide*)p = x; }

KAI_INLINE uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// c -= A sᵀ for `tall` strips, of ACROSS columns: `count` pivots of the strips a, `step` numbers
/// apart, and of the scaled strip s.
KAI_INLINE void tile(int tall, uint32_t count, const double* restrict a, size_t step,
                     const double* restrict s, double* restrict c, size_t ld)
{
    wide sum[ACROSS][TALL * V];
#pragma GCC unroll 8
    for (int j = 0; j < ACROSS; j++)
#pragma GCC unroll 8
        for (int v = 0; v < tall * V; v++) sum[j][v] = load(c + (size_t)j * ld + v * WIDE);
    for (uint32_t k = 0; k < count; k++) {
        wide x[TALL * V];
#pragma GCC unroll 8
        for (int v = 0; v < tall * V; v++)
            x[v] = load(a + (size_t)(v / V) * step + k * S + v % V * WIDE);
#pragma GCC unroll 8
        for (int j = 0; j < ACROSS; j++)
#pragma GCC unroll 8
            for (int v = 0; v < tall * V; v++) sum[j][v] -= x[v] * s[k * S + (uint32_t)j];
    }
#pragma GCC unroll 8
    for (int j = 0; j < ACROSS; j++)
#pragma GCC unroll 8
        for (int v = 0; v < tall * V; v++) store(c + (size_t)j * ld + v * WIDE, sum[j][v]);
}

/// The same for all eight columns of a strip of columns.
KAI_INLINE void tiles(int tall, uint32_t count, const double* restrict a, size_t step,
                      const double* restrict s, double* restrict c, size_t ld)
{
    for (int j = 0; j < S; j += ACROSS) tile(tall, count, a, step, s + j, c + (size_t)j * ld, ld);
}

/// Where the pivots of strip `i` begin.
KAI_INLINE double* strip_of(const kai_ldl_work* w, uint32_t i)
{
    return w->l + (size_t)i * w->pivots * S;
}

KAI_INLINE double* scaled_of(const kai_ldl_work* w, uint32_t i)
{
    return w->scaled + (size_t)i * KAI_LDL_PANEL * S;
}

KAI_INLINE double* panel_of(const kai_ldl_work* w, uint32_t row_strip, uint32_t column_strip)
{
    return w->panel + (size_t)column_strip * S * w->strips * S + row_strip * S;
}

/// Pivots of strip `at` eliminated from a strip below: its columns leave the panel.
KAI_INLINE void solve_strip(const kai_ldl_work* w, uint32_t first, uint32_t at, uint32_t i)
{
    const size_t ld = (size_t)w->strips * S;
    const uint32_t n = least(w->pivots - at * S, S);
    const double* c = panel_of(w, i, at);
    const double* t = scaled_of(w, at) + (at * S - first) * S;
    double *l = strip_of(w, i) + at * S * S, *scaled = scaled_of(w, i) + (at * S - first) * S;
    for (int v = 0; v < V; v++) {
        wide x[S];
#pragma GCC unroll 8
        for (uint32_t k = 0; k < S; k++) x[k] = load(c + k * ld + v * WIDE);
#pragma GCC unroll 8
        for (uint32_t k = 1; k < S; k++) {
            if (k < n) {
#pragma GCC unroll 8
                for (uint32_t p = 0; p < k; p++) x[k] -= x[p] * t[p * S + k];
            }
        }
#pragma GCC unroll 8
        for (uint32_t k = 0; k < S; k++) {
            if (k < n) {
                store(l + k * S + v * WIDE, x[k]);
                store(scaled + k * S + v * WIDE, x[k] * w->inverse[at * S + k]);
            }
        }
    }
}

/// Notes what pivots [from, to) add to the pivots of constraints in a strip.
KAI_INLINE void note_scale(const kai_ldl_work* w, uint32_t from, uint32_t to, uint32_t i)
{
    const double* l = strip_of(w, i);
    for (int v = 0; v < V; v++) {
        wide sum = load(w->scale + i * S + v * WIDE);
        for (uint32_t k = from; k < to; k++) {
            const wide x = load(l + (size_t)k * S + v * WIDE);
            sum += x * x * fabs(w->inverse[k]);
        }
        store(w->scale + i * S + v * WIDE, sum);
    }
}

/// The square of one strip of pivots: x[k] are its columns.
KAI_INLINE bool factor_strip(kai_ldl_work* w, uint32_t first, uint32_t at)
{
    const size_t ld = (size_t)w->strips * S;
    const uint32_t n = least(w->pivots - at * S, S);
    double *c = panel_of(w, at, at), *l = strip_of(w, at) + at * S * S;
    double *scaled = scaled_of(w, at) + (at * S - first) * S, *inverse = w->inverse + at * S;
    for (uint32_t k = 0; k < n; k++) {
        const double pivot = c[k * ld + k];
        const bool constraint = w->constraint[at * S + k];
        if (!isfinite(pivot) || (!constraint && !(pivot > 0.0))) {
            w->bad = at * S + k;
            return false;
        }
        const bool vanished = constraint && !(-pivot > w->tolerance * w->scale[at * S + k]);
        w->redundant += vanished;
        inverse[k] = vanished ? 0.0 : 1.0 / pivot;
        for (uint32_t r = 0; r < S; r++) {
            const double x = r > k ? c[k * ld + r] : 0.0; // what lies above takes no part
            l[k * S + r] = x;
            scaled[k * S + r] = x * inverse[k];
            if (w->scale) w->scale[at * S + r] += x * x * fabs(inverse[k]);
        }
        for (uint32_t j = k + 1; j < n; j++)
            for (uint32_t r = 0; r < S; r++) c[j * ld + r] -= l[k * S + r] * scaled[k * S + j];
    }
    for (uint32_t k = n; k < S; k++) inverse[k] = 0.0;
    return true;
}

static bool diagonal(kai_ldl_work* w, uint32_t first)
{
    const size_t ld = (size_t)w->strips * S, step = (size_t)w->pivots * S;
    const uint32_t last = least(first + KAI_LDL_PANEL, w->pivots), end = (last + S - 1) / S;
    for (uint32_t at = first / S; at < end; at++) {
        const uint32_t count = at * S - first;
        for (uint32_t i = at; i < end; i++)
            tiles(1, count, strip_of(w, i) + (size_t)first * S, step, scaled_of(w, at),
                  panel_of(w, i, at), ld);
        if (!factor_strip(w, first, at)) return false;
        for (uint32_t i = at + 1; i < end; i++) {
            solve_strip(w, first, at, i);
            if (w->scale) note_scale(w, at * S, least(at * S + S, last), i);
        }
    }
    return true;
}

static void rows(const kai_ldl_work* w, uint32_t first, uint32_t begin, uint32_t end)
{
    const size_t ld = (size_t)w->strips * S, step = (size_t)w->pivots * S;
    const uint32_t last = least(first + KAI_LDL_PANEL, w->pivots);
    for (uint32_t i = begin; i < end;) {
        const uint32_t tall = i + TALL <= end ? TALL : 1;
        const double* a = strip_of(w, i) + (size_t)first * S;
        for (uint32_t at = first / S; at * S < last; at++) {
            double* c = panel_of(w, i, at);
            if (tall == TALL)
                tiles(TALL, at * S - first, a, step, scaled_of(w, at), c, ld);
            else
                tiles(1, at * S - first, a, step, scaled_of(w, at), c, ld);
            for (uint32_t k = 0; k < tall; k++) solve_strip(w, first, at, i + k);
        }
        for (uint32_t k = 0; w->scale && k < tall; k++) note_scale(w, first, last, i + k);
        i += tall;
    }
}

static void products(const kai_ldl_work* w, uint32_t first, uint32_t begin, uint32_t end)
{
    const size_t step = (size_t)w->pivots * S, below = (size_t)(w->strips - w->pivot_strips) * S;
    const uint32_t count = least(first + KAI_LDL_PANEL, w->pivots) - first;
    for (uint32_t j = begin; j < end; j++) {
        const bool inside = j < w->pivot_strips;
        const size_t ld = inside ? (size_t)w->strips * S : below;
        double* c = inside ? panel_of(w, j, j)
                           : w->update + (size_t)(j - w->pivot_strips) * S * (below + 1);
        const double *a = strip_of(w, j) + (size_t)first * S, *s = scaled_of(w, j);
        uint32_t i = j;
        for (; i + TALL <= w->strips; i += TALL, a += TALL * step, c += TALL * S)
            tiles(TALL, count, a, step, s, c, ld);
        for (; i < w->strips; i++, a += step, c += S) tiles(1, count, a, step, s, c, ld);
    }
}

// Solution ---------------------------------------------------------------------------------------

/// x -= Σ l_k t_k over `count` pivots, in four sums that do not wait for each other.
KAI_INLINE void subtract(uint32_t count, const double* restrict l, const double* restrict t,
                         double* restrict x)
{
    wide sum[4][V] = {0};
    uint32_t k = 0;
    for (; k + 4 <= count; k += 4)
#pragma GCC unroll 4
        for (uint32_t q = 0; q < 4; q++)
#pragma GCC unroll 4
            for (int v = 0; v < V; v++)
                sum[q][v] += load(l + (size_t)(k + q) * S + v * WIDE) * t[k + q];
    for (; k < count; k++)
#pragma GCC unroll 4
        for (int v = 0; v < V; v++) sum[0][v] += load(l + (size_t)k * S + v * WIDE) * t[k];
#pragma GCC unroll 4
    for (int v = 0; v < V; v++)
        store(x + v * WIDE,
              load(x + v * WIDE) - ((sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v])));
}

static void forward(const kai_ldl_work* w, double* x)
{
    for (uint32_t at = 0; at < w->pivot_strips; at++) {
        const double *l = strip_of(w, at), *inverse = w->inverse + at * S;
        double y[S], *mine = x + at * S;
        subtract(at * S, l, x, mine);
        const uint32_t n = least(w->pivots - at * S, S);
        for (uint32_t k = 0; k < S; k++) y[k] = mine[k];
        for (uint32_t k = 0; k < n; k++) {
            y[k] *= inverse[k];
            for (uint32_t r = k + 1; r < S; r++) y[r] -= l[(at * S + k) * S + r] * y[k];
        }
        for (uint32_t k = 0; k < S; k++) mine[k] = y[k];
    }
    for (uint32_t i = w->pivot_strips; i < w->strips; i++)
        subtract(w->pivots, strip_of(w, i), x, x + i * S);
}

KAI_INLINE double sum_of(const wide* x)
{
    _Alignas(64) double sum[S];
    double all = 0.0;
    for (int v = 0; v < V; v++) store(sum + v * WIDE, x[v]);
    for (int k = 0; k < S; k++) all += sum[k];
    return all;
}

static void backward(const kai_ldl_work* w, double* x)
{
    const size_t step = (size_t)w->pivots * S;
    for (uint32_t at = w->pivot_strips; at-- > 0;) {
        const uint32_t n = least(w->pivots - at * S, S);
        const double *inverse = w->inverse + at * S, *square = strip_of(w, at) + at * S * S;
        double* mine = x + at * S;
        wide sum[S][V] = {0};
        const double* l = square + step;
        for (uint32_t i = at + 1; i < w->strips; i++, l += step) {
            if (n == S) {
#pragma GCC unroll 8
                for (uint32_t k = 0; k < S; k++)
#pragma GCC unroll 4
                    for (int v = 0; v < V; v++)
                        sum[k][v] += load(l + k * S + v * WIDE) * load(x + i * S + v * WIDE);
            } else {
#pragma GCC unroll 8
                for (uint32_t k = 0; k < S; k++)
#pragma GCC unroll 4
                    for (int v = 0; v < V; v++)
                        if (k < n)
                            sum[k][v] += load(l + k * S + v * WIDE) * load(x + i * S + v * WIDE);
            }
        }
        double y[S];
        for (uint32_t k = 0; k < n; k++) y[k] = mine[k] - inverse[k] * sum_of(sum[k]);
        for (uint32_t r = n; r-- > 1;)
            for (uint32_t k = 0; k < r; k++) y[k] -= square[k * S + r] * inverse[k] * y[r];
        for (uint32_t k = 0; k < n; k++) mine[k] = y[k];
    }
}

#define LDL_KERNEL_TABLE                                                              \
    {                                                                                 \
        .diagonal = diagonal, .rows = rows, .products = products, .forward = forward, \
        .backward = backward                                                          \
    }

#endif
