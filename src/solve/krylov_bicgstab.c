// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// BiCGStab (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992), preconditioned from the right.
// Its residual jumps, and it can break down: r̃·r, r̃·A p or the stabilising step may vanish. A
// cycle then ends at the best x that it met, and the next one begins at the true residual; when
// that brought nothing, with another shadow vector r̃.
#include "base/simd.h"
#include "solve/krylov_vector.h"

#include <kairos/random.h>

#include <math.h>

static const double VANISHED = 1e-15; // cosine of two vectors taken as orthogonal
static const double WORTH = 0.9;      // x is kept when the residual is this much below the best
static const double LOST = 1e8;       // a residual so far above the best does not come back
enum { PATIENCE = 200 };              // iterations without a better residual

/// Vectors of a cycle.
typedef struct vectors {
    double *shadow, *p, *v, *t, *z, *y; // z = P⁻¹ p, y = P⁻¹ s
    double *x, *r, *best;
    double alpha, beta, omega;
} vectors;

/// p := r + β (p - ω v)
KAI_CLONES
static void turn(size_t begin, size_t end, void* context)
{
    const vectors* s = context;
    const double* restrict r = s->r, * restrict v = s->v;
    double* restrict p = s->p;
    const double beta = s->beta, omega = s->omega;
#pragma omp simd
    for (size_t i = begin; i < end; i++) p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

/// a·b and |b|² of the two vectors at `context`.
KAI_CLONES
static void pair_sums(size_t begin, size_t end, double* sums, void* context)
{
    const double* const* pair = context;
    const double* restrict a = pair[0], * restrict b = pair[1];
    double both = 0.0, square = 0.0;
#pragma omp simd reduction(+ : both, square)
    for (size_t i = begin; i < end; i++) {
        both += a[i] * b[i];
        square += b[i] * b[i];
    }
    sums[0] = both;
    sums[1] = square;
}

/// r := r - α v; |r|²
KAI_CLONES
static void half_step(size_t begin, size_t end, double* sums, void* context)
{
    const vectors* s = context;
    const double* restrict v = s->v;
    double* restrict r = s->r;
    const double alpha = s->alpha;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) {
        r[i] -= alpha * v[i];
        sum += r[i] * r[i];
    }
    sums[0] = sum;
}

/// x += α z + ω y, r -= ω t; |r|² and r̃·r
KAI_CLONES
static void whole_step(size_t begin, size_t end, double* sums, void* context)
{
    const vectors* s = context;
    const double* restrict z = s->z, * restrict y = s->y, * restrict t = s->t, * restrict shadow = s->shadow;
    double* restrict x = s->x, * restrict r = s->r;
    const double alpha = s->alpha, omega = s->omega;
    double a = 0.0, b = 0.0;
#pragma omp simd reduction(+ : a, b)
    for (size_t i = begin; i < end; i++) {
        x[i] += alpha * z[i] + omega * y[i];
        r[i] -= omega * t[i];
        a += r[i] * r[i];
        b += shadow[i] * r[i];
    }
    sums[0] = a;
    sums[1] = b;
}

/// out := P⁻¹ in; image := A out
static void product(const kai_krylov_cycle* c, const double* in, double* out, double* image)
{
    const kai_krylov_problem* p = c->problem;
    if (p->precondition)
        p->precondition(p->preconditioner, in, out);
    else
        kai_krylov_vector_combine(c->work, out, 1.0, in, 0.0, NULL);
    p->apply(p->matrix, out, image);
}

/// r̃: the residual, and after cycles in vain something else of its size.
static double choose_shadow(const kai_krylov_cycle* c, double* shadow)
{
    if (c->attempt == 0) {
        kai_krylov_vector_combine(c->work, shadow, 1.0, c->r, 0.0, NULL);
    } else {
        const double size = c->norm / sqrt((double)c->problem->count);
        for (size_t i = 0; i < c->problem->count; i++)
            shadow[i] = c->r[i] + size * (2.0 * kai_random_uniform(c->attempt, 0, i) - 1.0);
    }
    return kai_krylov_vector_norm(c->work, shadow);
}

/// One iteration; the new |r|, or negative when the cycle is over before x moved. `*rho` is r̃·r.
static double iterate(kai_krylov_cycle* c, vectors* s, double size, double* rho)
{
    double sums[2];
    product(c, s->p, s->z, s->v);
    kai_krylov_vector_sum(c->work, pair_sums, (const double*[]){s->shadow, s->v}, 2, sums);
    if (!isfinite(sums[1])) {
        c->end = KAI_KRYLOV_NOT_FINITE;
        return -1.0;
    }
    if (!(fabs(sums[0]) > VANISHED * size * sqrt(sums[1]))) return -1.0;
    s->alpha = *rho / sums[0];
    double half;
    kai_krylov_vector_sum(c->work, half_step, s, 1, &half);
    product(c, s->r, s->y, s->t);
    kai_krylov_vector_sum(c->work, pair_sums, (const double*[]){s->r, s->t}, 2, sums);
    if (!isfinite(sums[1]) || !isfinite(half) || !isfinite(s->alpha)) {
        c->end = KAI_KRYLOV_NOT_FINITE;
        return -1.0;
    }
    s->omega = sums[1] > 0.0 ? sums[0] / sums[1] : 0.0;
    kai_krylov_vector_sum(c->work, whole_step, s, 2, sums);
    const double old = *rho;
    *rho = sums[1];
    s->beta = s->omega != 0.0 ? *rho / old * (s->alpha / s->omega) : 0.0;
    return sqrt(sums[0]);
}

static void cycle(kai_krylov_cycle* c)
{
    vectors s = {.shadow = kai_krylov_vector_at(c->work, 0),
                 .p = kai_krylov_vector_at(c->work, 1),
                 .v = kai_krylov_vector_at(c->work, 2),
                 .t = kai_krylov_vector_at(c->work, 3),
                 .z = kai_krylov_vector_at(c->work, 4),
                 .y = kai_krylov_vector_at(c->work, 5),
                 .best = kai_krylov_vector_at(c->work, 6),
                 .x = c->x,
                 .r = c->r};
    const double size = choose_shadow(c, s.shadow);
    double best = c->norm, norm = c->norm;
    double rho = kai_krylov_vector_dot(c->work, s.shadow, c->r);
    uint32_t waited = 0;
    kai_krylov_vector_combine(c->work, s.best, 1.0, c->x, 0.0, NULL);
    kai_krylov_vector_combine(c->work, s.p, 1.0, c->r, 0.0, NULL);
    while (c->iterations < c->limit && fabs(rho) > VANISHED * size * norm) {
        if (kai_krylov_vector_stopped(c)) return;
        const double next = iterate(c, &s, size, &rho);
        if (next < 0.0) break;
        c->iterations++;
        norm = next;
        if (norm <= c->target) return;
        waited++;
        if (norm < WORTH * best) {
            kai_krylov_vector_combine(c->work, s.best, 1.0, c->x, 0.0, NULL);
            best = norm;
            waited = 0;
        }
        if (!(norm <= LOST * best) || waited > PATIENCE || s.omega == 0.0 || !isfinite(s.beta))
            break;
        kai_parallel_for(c->work->threads, c->problem->count, KAI_KRYLOV_VECTOR_BLOCK, turn, &s);
    }
    if (!(norm <= best)) kai_krylov_vector_combine(c->work, c->x, 1.0, s.best, 0.0, NULL);
}

const kai_krylov_method kai_krylov_bicgstab = {
    .name = "bicgstab", .vectors = 7, .attempts = 3, .cycle = cycle};
