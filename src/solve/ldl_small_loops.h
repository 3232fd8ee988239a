// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The loops of ldl_small.h. Compiled once a generation of CPUs: included after `#pragma GCC target`,
// everything inlined, vectors as wide as that CPU has them.
#ifndef SOLVE_LDL_SMALL_LOOPS_H
#define SOLVE_LDL_SMALL_LOOPS_H

#include "base/simd.h"
#include "solve/ldl_small.h"

#if defined(__AVX512F__)
enum { WIDE = 8 };
#elif defined(__AVX__)
enum { WIDE = 4 };
#else
enum { WIDE = 2 };
#endif
enum { W = KAI_LDL_WIDTH, V = W / WIDE, USUAL = 6 }; // USUAL: rows of nearly all nodes, at most

typedef double wide __attribute__((vector_size(WIDE * 8), may_alias));
typedef wide loose __attribute__((aligned(8))); // in memory, at any number

KAI_INLINE wide load(const double* p) { return *(const loose*)p; }
KAI_INLINE void store(double* p, wide x) { *(loose*)p = x; }

/// Σ s[r] · b[r] over n rows of b.
KAI_INLINE void add_rows(int n, wide y[V], const double* s, const double* b)
{
#pragma GCC unroll 8
    for (int r = 0; r < n; r++)
#pragma GCC unroll 8
        for (int v = 0; v < V; v++) y[v] += s[r] * load(b + r * W + v * WIDE);
}

/// x_k := L⁻¹ x_k, then x_i -= B_iᵀ d⁻¹ x_k for every later node.
KAI_INLINE void forward(const kai_ldl_small* k, uint32_t c, int n)
{
    const kai_ldl_column* column = &k->columns[c];
    const kai_ldl_reach* reach = k->reach + column->first;
    const double *d = k->values + column->diagonal,
                 *inverse = k->inverse + k->first_row[column->node];
    double *mine = k->rows + (size_t)c * W, scaled[W];
#pragma GCC unroll 8
    for (int p = 0; p < n; p++) scaled[p] = mine[p];
#pragma GCC unroll 8
    for (int p = 0; p < n; p++)
#pragma GCC unroll 8
        for (int r = p + 1; r < n; r++) scaled[r] -= d[p * W + r] * scaled[p];
#pragma GCC unroll 8
    for (int p = 0; p < n; p++) scaled[p] *= inverse[p];
    const uint32_t count = k->idle[c] ? 0 : column->count;
    for (uint32_t i = 0; i < count; i++) {
        if (k->idle[reach[i].column]) continue;
        double* other = k->rows + (size_t)reach[i].column * W;
        wide dot[V] = {0};
        add_rows(n, dot, scaled, k->values + reach[i].block);
#pragma GCC unroll 8
        for (int v = 0; v < V; v++) store(other + v * WIDE, load(other + v * WIDE) - dot[v]);
    }
#pragma GCC unroll 8
    for (int p = 0; p < n; p++) mine[p] = scaled[p];
}

/// x_k := L⁻ᵀ (x_k - d⁻¹ Σ B_i x_i)
KAI_INLINE void backward(const kai_ldl_small* k, uint32_t c, int n)
{
    const kai_ldl_column* column = &k->columns[c];
    const kai_ldl_reach* reach = k->reach + column->first;
    const double *d = k->values + column->diagonal,
                 *inverse = k->inverse + k->first_row[column->node];
    double *mine = k->rows + (size_t)c * W, sums[W], y[W];
    wide sum[V] = {0};
    const uint32_t count = k->idle[c] ? 0 : column->count;
    for (uint32_t i = 0; i < count; i++) {
        if (k->idle[reach[i].column]) continue;
        const double *b = k->turned + KAI_LDL_SMALL_BLOCK * (size_t)(column->first + i),
                     *other = k->rows + (size_t)reach[i].column * W;
        wide part[V] = {0};
        add_rows(USUAL, part, other, b);
        for (int r = USUAL; r < k->columns[reach[i].column].rows; r++)
            add_rows(1, part, other + r, b + r * W);
#pragma GCC unroll 8
        for (int v = 0; v < V; v++) sum[v] += part[v];
    }
#pragma GCC unroll 8
    for (int v = 0; v < V; v++) store(sums + v * WIDE, sum[v]);
#pragma GCC unroll 8
    for (int p = 0; p < n; p++) y[p] = mine[p] - inverse[p] * sums[p];
#pragma GCC unroll 8
    for (int r = n - 1; r > 0; r--)
#pragma GCC unroll 8
        for (int p = 0; p < r; p++) y[p] -= d[p * W + r] * y[r];
#pragma GCC unroll 8
    for (int p = 0; p < n; p++) mine[p] = y[p];
}

/// One column, its rows a constant.
#define LDL_SMALL_COLUMN(way)     \
    switch (k->columns[c].rows) { \
    case 1: way(k, c, 1); break;  \
    case 2: way(k, c, 2); break;  \
    case 3: way(k, c, 3); break;  \
    case 4: way(k, c, 4); break;  \
    case 5: way(k, c, 5); break;  \
    case 6: way(k, c, 6); break;  \
    case 7: way(k, c, 7); break;  \
    default: way(k, c, 8); break; \
    }

static void solve_rows(const kai_ldl_small* k, uint32_t begin, uint32_t end)
{
    for (uint32_t c = begin; c < end; c++) LDL_SMALL_COLUMN(forward)
    for (uint32_t c = end; c-- > begin;) LDL_SMALL_COLUMN(backward)
}

#endif
