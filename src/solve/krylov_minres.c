// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// MINRES (Paige and Saunders, SIAM J. Numer. Anal. 12, 1975) with a preconditioner P = E Eᵀ: the
// Lanczos process on E⁻¹ A E⁻ᵀ gives a tridiagonal matrix column by column; rotations turn it into
// a triangle, and x moves along the columns of V R⁻¹.
//
//     q: Lanczos vectors in the space of residuals, v = P⁻¹ q in that of x
//     β_{k+1} q_{k+1} = A v_k - α_k q_k - β_k q_{k-1}
//     r_k = s_k² r_{k-1} - φ̄_k c_k q_{k+1}                     the residual, so that |r| is known
//
// Before column k is used, |A r_{k-1}| = φ̄_{k-1} |(γ̄, δ̄)| is known too (in the norm of P⁻¹). Where
// it vanishes, r is as small as it can be: the system has no solution, and the column must not be
// used. A singular system gets the solution of least xᵀ P x.
#include "base/simd.h"
#include "solve/krylov_vector.h"

#include <float.h>
#include <math.h>

// |A r| / (|A| |r|) below which r is taken as orthogonal to the range of A. Lanczos vectors lose
// their orthogonality, so the ratio bottoms out well above rounding (3e-11 seen), and what comes
// after that is noise.
static const double ORTHOGONAL = 1e-8;

/// Numbers of the recurrences.
typedef struct lanczos {
    double alpha, beta, old_beta;
    double cosine, sine;
    double delta_bar, epsilon, old_epsilon, delta, gamma_bar;
    double phi, phi_bar;
    double size2; // Σ of squares of the tridiagonal matrix: of the order of |A|² or more
} lanczos;

/// One iteration's vectors.
typedef struct vectors {
    double *v, *z, *q, *old_q, *w, *old_w, *older_w, *x, *r;
    double scale, delta, epsilon, step, keep, turn;
} vectors;

KAI_CLONES
static void orthogonalise(size_t begin, size_t end, double* sums, void* context)
{
    const vectors* s = context;
    const double* restrict v = s->v, * restrict q = s->old_q;
    double* restrict z = s->z;
    const double scale = s->scale;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) {
        z[i] -= scale * q[i];
        sum += v[i] * z[i];
    }
    sums[0] = sum;
}

/// w, x and r in one pass; |r|².
KAI_CLONES
static void advance(size_t begin, size_t end, double* sums, void* context)
{
    const vectors* s = context;
    const double* restrict v = s->v, * restrict w1 = s->older_w, * restrict w2 = s->old_w, * restrict q = s->q;
    double* restrict w = s->w, * restrict x = s->x, * restrict r = s->r;
    const double scale = s->scale, delta = s->delta, epsilon = s->epsilon, step = s->step;
    const double keep = s->keep, turn = s->turn;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = begin; i < end; i++) {
        w[i] = (v[i] - epsilon * w1[i] - delta * w2[i]) * scale;
        x[i] += step * w[i];
        r[i] = keep * r[i] - turn * q[i];
        sum += r[i] * r[i];
    }
    sums[0] = sum;
}

/// z := P⁻¹ q and √(qᵀ z). False when it is not finite or P is not positive definite.
static bool precondition(kai_krylov_cycle* c, const double* q, double* z, double* beta)
{
    if (c->problem->precondition)
        c->problem->precondition(c->problem->preconditioner, q, z);
    else
        kai_krylov_vector_combine(c->work, z, 1.0, q, 0.0, NULL);
    const double beta2 = kai_krylov_vector_dot(c->work, q, z);
    *beta = sqrt(fmax(beta2, 0.0));
    if (!isfinite(beta2)) c->end = KAI_KRYLOV_NOT_FINITE;
    // What rounding leaves of a vector that is zero may have either sign.
    if (beta2 < 0.0 && -beta2 > DBL_EPSILON * kai_krylov_vector_norm(c->work, q) *
                                    kai_krylov_vector_norm(c->work, z))
        c->end = KAI_KRYLOV_INDEFINITE;
    return c->end == KAI_KRYLOV_FINE;
}

/// The next Lanczos vector: q and old_q change places, z = P⁻¹ q (times β).
static bool extend(kai_krylov_cycle* c, vectors* s, lanczos* l)
{
    kai_krylov_vector_combine(c->work, s->v, 1.0 / l->beta, s->z, 0.0, NULL);
    c->problem->apply(c->problem->matrix, s->v, s->z);
    s->scale = l->old_beta > 0.0 ? l->beta / l->old_beta : 0.0;
    kai_krylov_vector_sum(c->work, orthogonalise, s, 1, &l->alpha);
    if (!isfinite(l->alpha)) {
        c->end = KAI_KRYLOV_NOT_FINITE;
        return false;
    }
    kai_krylov_vector_combine(c->work, s->old_q, 1.0, s->z, -l->alpha / l->beta, s->q);
    double* const swap = s->q;
    s->q = s->old_q;
    s->old_q = swap;
    l->old_beta = l->beta;
    if (!precondition(c, s->q, s->z, &l->beta)) return false;
    l->size2 += l->alpha * l->alpha + 2.0 * l->beta * l->beta;
    c->scale = fmax(c->scale, sqrt(l->size2));
    return true;
}

/// Turns the new column of the tridiagonal matrix by the rotations so far. False when r is
/// orthogonal to the range of A.
static bool rotate(lanczos* l, double scale)
{
    l->old_epsilon = l->epsilon;
    l->delta = l->cosine * l->delta_bar + l->sine * l->alpha;
    l->gamma_bar = l->sine * l->delta_bar - l->cosine * l->alpha;
    l->epsilon = l->sine * l->beta;
    l->delta_bar = -l->cosine * l->beta;
    if (hypot(l->gamma_bar, l->delta_bar) <= ORTHOGONAL * scale) return false;
    const double gamma = hypot(l->gamma_bar, l->beta);
    l->cosine = l->gamma_bar / gamma;
    l->sine = l->beta / gamma;
    l->phi = l->cosine * l->phi_bar;
    l->phi_bar *= l->sine;
    return true;
}

/// Takes out of x what it has along P⁻¹ r, where that lies in the null space: without a solution
/// the steps come from a space that has this one direction of it (Liu, Milzarek and Roosta 2022).
static void lift(kai_krylov_cycle* c, double* z)
{
    double size;
    if (!precondition(c, c->r, z, &size) || !(size > 0.0)) return;
    const double along = kai_krylov_vector_dot(c->work, c->r, c->x) / (size * size);
    if (isfinite(along)) kai_krylov_vector_combine(c->work, c->x, 1.0, c->x, -along, z);
}

static void cycle(kai_krylov_cycle* c)
{
    vectors s = {.v = kai_krylov_vector_at(c->work, 0),
                 .z = kai_krylov_vector_at(c->work, 1),
                 .q = kai_krylov_vector_at(c->work, 2),
                 .old_q = kai_krylov_vector_at(c->work, 3),
                 .w = kai_krylov_vector_at(c->work, 4),
                 .old_w = kai_krylov_vector_at(c->work, 5),
                 .older_w = kai_krylov_vector_at(c->work, 6),
                 .x = c->x,
                 .r = c->r};
    lanczos l = {.cosine = -1.0};
    kai_krylov_vector_combine(c->work, s.q, 1.0, c->r, 0.0, NULL);
    double* const zero[] = {s.old_q, s.old_w, s.older_w};
    for (int i = 0; i < 3; i++) kai_krylov_vector_combine(c->work, zero[i], 0.0, c->r, 0.0, NULL);
    if (!precondition(c, s.q, s.z, &l.beta)) return;
    l.phi_bar = l.beta;
    // P⁻¹ r = 0 though r is not: P⁻¹ is only semidefinite.
    if (l.beta == 0.0) c->end = KAI_KRYLOV_INDEFINITE;
    while (c->end == KAI_KRYLOV_FINE && c->iterations < c->limit) {
        if (kai_krylov_vector_stopped(c)) return;
        if (!extend(c, &s, &l)) return;
        c->iterations++;
        if (!rotate(&l, c->scale)) {
            lift(c, s.z);
            c->end = KAI_KRYLOV_SINGULAR;
            return;
        }
        const bool last = l.beta <= DBL_EPSILON * c->scale;
        s.scale = 1.0 / hypot(l.gamma_bar, l.beta);
        s.delta = l.delta;
        s.epsilon = l.old_epsilon;
        s.step = l.phi;
        s.keep = l.sine * l.sine;
        s.turn = last ? 0.0 : l.phi_bar * l.cosine / l.beta;
        double norm2;
        kai_krylov_vector_sum(c->work, advance, &s, 1, &norm2);
        double* const free = s.older_w;
        s.older_w = s.old_w;
        s.old_w = s.w;
        s.w = free;
        if (last || !(sqrt(norm2) > c->target)) return;
    }
}

const kai_krylov_method kai_krylov_minres = {
    .name = "minres", .vectors = 7, .attempts = 1, .cycle = cycle};
