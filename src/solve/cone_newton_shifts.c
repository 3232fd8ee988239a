// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Coulomb's shifts, as part of a Newton step. Where a contact slips, its shift s grows with the
// velocity, ds = aᵀ du (a = μ u_t / |u_t| …), and its impulse changes with the shift, dγ⁺ = -b ds
// (b = R γ⁺' n). The matrix is K + Σ Bᵀb aᵀB then: not symmetric, but of low rank. With
// y = aᵀB dx
//
//     (1 + aᵀB K⁻¹ Bᵀb) y = aᵀB K⁻¹ r,   dx = K⁻¹ (r - Bᵀb y)
//
// The equations for y, one a contact that slips, are solved by gmres; a product costs one solution
// with the factors that there are.
#include "solve/cone_newton_work.h"

#include <string.h>

enum { MOST = 40 };                // vectors
static const double ENOUGH = 1e-4; // of |y|: a Newton step need not be better
static const double STILL = 1e-14; // m/s: no direction

typedef kai_cone_newton_work work;
typedef kai_cone_newton_point point;

/// The equations, and what gmres makes of them.
typedef struct cycle {
    work* w;
    size_t count;  // contacts that slip
    double* basis; // [count] each: vectors
    double h[MOST + 1][MOST];
    double g[MOST + 1], cosine[MOST], sine[MOST];
} cycle;

static size_t find_slips(work* w)
{
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        point* c = &w->points[i];
        // Slopes of the first step are those of hints.
        const kai_cone_pair impulse = w->first ? c->hint : c->impulse;
        c->slips = (!w->first || c->carries) &&
                   kai_cone_friction_lean(&c->cone, impulse, c->speed, STILL, &c->lean);
        if (!c->slips) continue;
        c->drift = kai_cone_newton_work_slope(
            c, (kai_cone_pair){c->contact->normal, kai_vec3_zero()}, c->weight);
        count++;
    }
    return count;
}

/// out := K⁻¹ Bᵀ b y
static void spread(const work* w, const double* y, double* out)
{
    memset(out, 0, w->unknowns * sizeof *out);
    for (size_t i = 0; i < w->count; i++)
        if (w->points[i].slips)
            kai_cone_newton_work_push(w, &w->points[i], w->points[i].drift, *y++, out);
    kai_ldl_solve(&w->matrix->ldl, w->threads, out);
}

/// y := aᵀ B x
static void gather(const work* w, const double* x, double* y)
{
    for (size_t i = 0; i < w->count; i++) {
        const point* c = &w->points[i];
        if (!c->slips) continue;
        const kai_cone_pair u = kai_cone_newton_work_speed(w, c, x);
        *y++ = kai_vec3_dot(c->lean.f, u.f) + kai_vec3_dot(c->lean.k, u.k);
    }
}

static double dot(const double* a, const double* b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double* vector(const cycle* c, int k) { return c->basis + (size_t)k * c->count; }

/// Vector k + 1: the matrix times vector k, less its parts along those before.
static double add_vector(cycle* c, int k)
{
    double *last = vector(c, k), *next = vector(c, k + 1);
    spread(c->w, last, c->w->free);
    gather(c->w, c->w->free, next);
    for (size_t i = 0; i < c->count; i++) next[i] += last[i];
    for (int j = 0; j <= k; j++) {
        const double* v = vector(c, j);
        c->h[j][k] = dot(next, v, c->count);
        for (size_t i = 0; i < c->count; i++) next[i] -= c->h[j][k] * v[i];
    }
    const double size = sqrt(dot(next, next, c->count));
    for (size_t i = 0; size > 0.0 && i < c->count; i++) next[i] /= size;
    return size;
}

/// Makes column k triangular. What is left of the right-hand side is g[k + 1].
static void rotate_column(cycle* c, int k, double below)
{
    for (int j = 0; j < k; j++) {
        const double a = c->h[j][k], b = c->h[j + 1][k];
        c->h[j][k] = c->cosine[j] * a + c->sine[j] * b;
        c->h[j + 1][k] = c->cosine[j] * b - c->sine[j] * a;
    }
    const double r = hypot(c->h[k][k], below);
    c->cosine[k] = r > 0.0 ? c->h[k][k] / r : 1.0;
    c->sine[k] = r > 0.0 ? below / r : 0.0;
    c->h[k][k] = r;
    c->g[k + 1] = -c->sine[k] * c->g[k];
    c->g[k] *= c->cosine[k];
}

/// Σ of the first k vectors: the solution, left in `sum`.
static void sum_vectors(const cycle* c, int k, double* sum)
{
    double y[MOST];
    for (int i = k - 1; i >= 0; i--) {
        y[i] = c->g[i];
        for (int j = i + 1; j < k; j++) y[i] -= c->h[i][j] * y[j];
        y[i] = c->h[i][i] != 0.0 ? y[i] / c->h[i][i] : 0.0;
    }
    memset(sum, 0, c->count * sizeof *sum);
    for (int j = 0; j < k; j++)
        for (size_t i = 0; i < c->count; i++) sum[i] += y[j] * vector(c, j)[i];
}

kai_result kai_cone_newton_shifts_follow(work* w, bool* any)
{
    cycle c = {.w = w, .count = find_slips(w)};
    *any = c.count > 0;
    if (c.count == 0) return KAI_OK;
    const int most = c.count < MOST ? (int)c.count : MOST;
    kai_array* room = &w->newton->basis;
    KAI_TRY(kai_array_resize(room, w->matrix->memory, ((size_t)most + 2) * c.count, w->err));
    c.basis = room->data;
    gather(w, w->step, c.basis);
    c.g[0] = sqrt(dot(c.basis, c.basis, c.count));
    const double enough = ENOUGH * c.g[0];
    if (c.g[0] == 0.0) return KAI_OK;
    for (size_t i = 0; i < c.count; i++) c.basis[i] /= c.g[0];
    int k = 0;
    do {
        rotate_column(&c, k, add_vector(&c, k));
        k++;
    } while (k < most && fabs(c.g[k]) > enough);
    double* sum = vector(&c, most + 1);
    sum_vectors(&c, k, sum);
    spread(w, sum, w->free);
    for (size_t i = 0; i < w->unknowns; i++) w->step[i] -= w->free[i];
    return KAI_OK;
}
