// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// GMRES (Saad and Schultz, SIAM J. Sci. Stat. Comput. 7, 1986), preconditioned from the right: the
// residual that it makes least is the true one. A cycle builds an orthonormal basis V of
// r, A P⁻¹ r, … and finds the y of least |r - A P⁻¹ V y|. Each new vector is made orthogonal twice,
// by all of the basis at once (two passes over the basis, and no loss of orthogonality).
//
// In a singular system a column may add nothing to the range: its pivot vanishes, and the cycle
// ends with the columns before it.
#include "base/simd.h"
#include "solve/krylov_vector.h"

#include <float.h>
#include <math.h>

static const double ROUNDING = 1e-14; // rest of a new vector, as a share of it
static const double SINGULAR = 1e-12; // pivot, as a share of the largest

typedef struct basis {
    double* v;     // first vector
    size_t stride; // to the next
    size_t count;  // in use
    double* w;     // vector at hand
    double* h;     // coefficients [count]
} basis;

/// h := Vᵀ w
KAI_CLONES
static void project(size_t begin, size_t end, double* sums, void* context)
{
    const basis* s = context;
    const double* restrict w = s->w;
    for (size_t j = 0; j < s->count; j++) {
        const double* restrict v = s->v + j * s->stride;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = begin; i < end; i++) sum += v[i] * w[i];
        sums[j] = sum;
    }
}

/// w -= V h; |w|².
KAI_CLONES
static void subtract(size_t begin, size_t end, double* sums, void* context)
{
    const basis* s = context;
    double* restrict w = s->w;
    for (size_t j = 0; j < s->count; j++) {
        const double* restrict v = s->v + j * s->stride;
        const double h = s->h[j];
#pragma omp simd
        for (size_t i = begin; i < end; i++) w[i] -= h * v[i];
    }
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) sum += w[i] * w[i];
    sums[0] = sum;
}

/// The least-squares problem, column by column.
typedef struct triangle {
    size_t most;           // columns
    double* r;             // [most × (most + 1)], by column
    double *cosine, *sine; // [most]
    double* g;             // [most + 1] right-hand side
    double* again;         // [most + 1] second round of products
    double* y;             // [most] solution
} triangle;

static triangle make_triangle(const kai_krylov* work, size_t most)
{
    double* p = work->small.data;
    triangle t = {.most = most, .r = p};
    t.cosine = t.r + most * (most + 1);
    t.sine = t.cosine + most;
    t.g = t.sine + most;
    t.again = t.g + most + 1;
    t.y = t.again + most + 1;
    return t;
}

/// Turns column k and the right-hand side. |g[k + 1]| is the residual.
static void rotate(triangle* t, size_t k)
{
    double* h = t->r + k * (t->most + 1);
    for (size_t i = 0; i < k; i++) {
        const double a = h[i], b = h[i + 1];
        h[i] = t->cosine[i] * a + t->sine[i] * b;
        h[i + 1] = t->cosine[i] * b - t->sine[i] * a;
    }
    const double size = hypot(h[k], h[k + 1]);
    t->cosine[k] = size > 0.0 ? h[k] / size : 1.0;
    t->sine[k] = size > 0.0 ? h[k + 1] / size : 0.0;
    h[k] = size;
    t->g[k + 1] = -t->sine[k] * t->g[k];
    t->g[k] *= t->cosine[k];
}

/// Solves the first n columns.
static void solve(triangle* t, size_t n)
{
    for (size_t k = n; k-- > 0;) {
        double sum = t->g[k];
        for (size_t j = k + 1; j < n; j++) sum -= t->r[j * (t->most + 1) + k] * t->y[j];
        t->y[k] = sum / t->r[k * (t->most + 1) + k];
    }
}

/// A new vector into the basis: w := A P⁻¹ v_k, less what the basis has of it. Its length, or
/// negative when it is not finite.
static double extend(kai_krylov_cycle* c, basis* s, triangle* t, double* z)
{
    const kai_krylov_problem* p = c->problem;
    const size_t k = s->count - 1;
    double *h = t->r + k * (t->most + 1), *v = s->v + k * s->stride, norm2;
    if (p->precondition) p->precondition(p->preconditioner, v, z);
    s->w = s->v + s->count * s->stride;
    p->apply(p->matrix, p->precondition ? z : v, s->w);
    const double size = kai_krylov_vector_norm(c->work, s->w);
    kai_krylov_vector_sum(c->work, project, s, s->count, h);
    s->h = h;
    kai_krylov_vector_sum(c->work, subtract, s, 1, &norm2);
    kai_krylov_vector_sum(c->work, project, s, s->count, t->again);
    s->h = t->again;
    kai_krylov_vector_sum(c->work, subtract, s, 1, &norm2);
    for (size_t i = 0; i < s->count; i++) h[i] += t->again[i];
    if (!isfinite(norm2) || !isfinite(size)) return -1.0;
    const double rest = sqrt(norm2) > ROUNDING * size ? sqrt(norm2) : 0.0;
    h[s->count] = rest;
    if (rest > 0.0) kai_krylov_vector_combine(c->work, s->w, 1.0 / rest, s->w, 0.0, NULL);
    return rest;
}

/// x += P⁻¹ V y
static void move(kai_krylov_cycle* c, basis* s, triangle* t, double* w, double* z)
{
    const kai_krylov_problem* p = c->problem;
    double norm2;
    kai_krylov_vector_combine(c->work, w, 0.0, s->v, 0.0, NULL);
    s->w = w;
    s->h = t->y;
    kai_krylov_vector_sum(c->work, subtract, s, 1, &norm2); // -V y
    if (p->precondition) p->precondition(p->preconditioner, w, z);
    kai_krylov_vector_combine(c->work, c->x, 1.0, c->x, -1.0, p->precondition ? z : w);
}

static void cycle(kai_krylov_cycle* c)
{
    const size_t restart = c->options->restart, n = c->problem->count;
    const size_t most = restart < n ? restart : n;
    double* z = kai_krylov_vector_at(c->work, most + 1);
    basis s = {.v = kai_krylov_vector_at(c->work, 0), .stride = c->work->stride};
    triangle t = make_triangle(c->work, most);
    kai_krylov_vector_combine(c->work, s.v, 1.0 / c->norm, c->r, 0.0, NULL);
    t.g[0] = c->norm;
    size_t k = 0;
    while (k < most && c->iterations < c->limit) {
        if (kai_krylov_vector_stopped(c)) return;
        s.count = k + 1;
        const double rest = extend(c, &s, &t, z);
        if (rest < 0.0) {
            c->end = KAI_KRYLOV_NOT_FINITE;
            break;
        }
        c->iterations++;
        rotate(&t, k);
        const double pivot = t.r[k * (most + 1) + k];
        c->scale = fmax(c->scale, pivot);
        if (!(pivot > SINGULAR * c->scale)) {
            c->end = KAI_KRYLOV_SINGULAR;
            break;
        }
        k++;
        if (rest == 0.0 || fabs(t.g[k]) <= c->target) break;
    }
    if (k == 0) return;
    s.count = k;
    solve(&t, k);
    move(c, &s, &t, c->r, z); // r has served
}

const kai_krylov_method kai_krylov_gmres = {
    .name = "gmres", .vectors = 1, .keeps_basis = true, .attempts = 1, .cycle = cycle};
