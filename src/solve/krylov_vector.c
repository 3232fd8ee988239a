// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/krylov_vector.h"

#include "base/simd.h"

#include <math.h>

enum { BLOCK = KAI_KRYLOV_VECTOR_BLOCK };

typedef struct sum_context {
    kai_sum_fn* fn;
    void* context;
    double* partial; // [blocks × width]
    size_t width;
} sum_context;

static void sum_range(size_t begin, size_t end, void* context)
{
    const sum_context* s = context;
    double* row = s->partial + begin / BLOCK * s->width;
    for (size_t i = 0; i < s->width; i++) row[i] = 0.0;
    s->fn(begin, end, row, s->context);
}

void kai_krylov_vector_sum(const kai_krylov* work, kai_sum_fn* fn, void* context, size_t width,
                           double* out)
{
    sum_context s = {fn, context, work->partial.data, width};
    kai_parallel_for(work->threads, work->count, BLOCK, sum_range, &s);
    const size_t entries = (work->count + BLOCK - 1) / BLOCK * width;
    for (size_t i = 0; i < width; i++) out[i] = 0.0;
    for (size_t k = 0; k < entries; k += width)
        for (size_t i = 0; i < width; i++) out[i] += s.partial[k + i];
}

typedef struct pair {
    double* out;
    const double *a, *b;
    double s, t;
} pair;

KAI_CLONES
static void dot_range(size_t begin, size_t end, double* sums, void* context)
{
    const pair* p = context;
    const double* restrict a = p->a, * restrict b = p->b;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) sum += a[i] * b[i];
    sums[0] = sum;
}

double kai_krylov_vector_dot(const kai_krylov* work, const double* a, const double* b)
{
    pair p = {.a = a, .b = b};
    double dot;
    kai_krylov_vector_sum(work, dot_range, &p, 1, &dot);
    return dot;
}

double kai_krylov_vector_norm(const kai_krylov* work, const double* a)
{
    return sqrt(kai_krylov_vector_dot(work, a, a));
}

KAI_CLONES
static void combine_range(size_t begin, size_t end, void* context)
{
    const pair* p = context;
    const double s = p->s, t = p->t;
    // Entry i depends on entry i alone, whichever of them are the same.
    if (p->b) {
#pragma omp simd
        for (size_t i = begin; i < end; i++) p->out[i] = s * p->a[i] + t * p->b[i];
    } else {
#pragma omp simd
        for (size_t i = begin; i < end; i++) p->out[i] = s * p->a[i];
    }
}

void kai_krylov_vector_combine(const kai_krylov* work, double* out, double s, const double* a,
                               double t, const double* b)
{
    pair p = {out, a, b, s, t};
    kai_parallel_for(work->threads, work->count, BLOCK, combine_range, &p);
}
