// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Total Lagrangian volume elements whose change of volume is projected onto few functions, so that
// they do not lock where the volume hardly changes (mean dilatation: Nagtegaal, Parks & Rice, CMAME
// 4, 1974; for large strains Simo, Taylor & Pister, CMAME 51, 1985). With functions φ_k (1, or 1 ξ
// η ζ), M = Σ w φ φᵀ and J = det F at each point:
//
//     J̄ = φᵀ M⁻¹ Σ w φ J,   c = (J̄/J)^(2/3),   Ē = (c C - 1)/2,   W = Σ w W(Ē)
//
// which is an energy of the coordinates: forces and tangent are its derivatives. With S̄ = ∂W/∂Ē,
// D̄ its slope, p = c S̄:C / 3, t = p / J̄, and π the projection of t:
//
//     S = S₁ + J π C⁻¹,   S₁ = c S̄ - p C⁻¹                  in place of total.h's stress
//     ∂S₁/∂E = c² Pᵀ D̄ P - 2/3 c (S̄ ⊗ C⁻¹ + C⁻¹ ⊗ S̄) + 2/3 p C⁻¹ ⊗ C⁻¹ + 2 p 𝕀,  P = 1 - C ⊗ C⁻¹/3
//     ∂J²/∂E²: J (C⁻¹ ⊗ C⁻¹ - 2 𝕀),   𝕀 dE = C⁻¹ dE C⁻¹
//     b = ∂S₁/∂J̄ = (2 S₁ + c² Pᵀ D̄ C) / 3 J̄,   k = ∂t/∂J̄ = (c² C:D̄:C / 3 J̄ - t) / 3 J̄
//     T = Σ w Bᵀ (∂S₁/∂E + π ∂J²/∂E²) B + … + Σ_k (x_k y_kᵀ + y_k x_kᵀ) + Σ_kl κ_kl y_k y_lᵀ
//     x_k = Σ w φ_k Bᵀ b,   y_k = Σ_l M⁻¹_kl Σ w φ_l J Bᵀ C⁻¹,   κ_kl = Σ w k φ_k φ_l
//
// A constant F is met exactly, as φ₀ = 1. Damping: S̄ += β D̄ dĒ/dt. At rest, with a linear solid,
// this is the B-bar stiffness that corotational elements keep.
//
// Flops beside those of total.h: force g (300 + 20 m), tangent g (1,700 + 24 n m) + 60 n² m.
#ifndef FEA_PROJECTED_H
#define FEA_PROJECTED_H

#include "fea/elements/total.h"

/// Most functions.
#define KAI_PROJECTED_MOST 4

/// A point at work. Vectors of six: stresses have plain shears, strains those of engineers.
typedef struct kai_projected_point {
    double j, bar, c;         ///< J, J̄, c
    double strain[6];         ///< Ē
    double metric[6], inv[6]; ///< C like a strain, C⁻¹ like a stress
    double s[6], d[36];       ///< S̄ and D̄
    double push[6];           ///< stress that forces are made of, with damping
} kai_projected_point;

KAI_INLINE double kai_projected_dot(const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++) sum += a[k] * b[k];
    return sum;
}

/// φ_k at natural coordinates.
KAI_INLINE double kai_projected_function(int k, const double at[3])
{
    return k == 0 ? 1.0 : at[k - 1];
}

/// Coefficients M⁻¹ Σ w φ x of values at the points.
KAI_INLINE void kai_projected_fit(const double (*at)[4], const double* weights,
                                  const double* inverse, int points, int m, const double* x,
                                  double out[KAI_PROJECTED_MOST])
{
    double sum[KAI_PROJECTED_MOST] = {0.0};
    for (int g = 0; g < points; g++)
        for (int k = 0; k < m; k++) sum[k] += weights[g] * x[g] * kai_projected_function(k, at[g]);
    for (int k = 0; k < m; k++) {
        out[k] = 0.0;
        for (int l = 0; l < m; l++) out[k] += inverse[m * k + l] * sum[l];
    }
}

/// Their value at a point.
KAI_INLINE double kai_projected_at(const double* coefficients, int m, const double at[3])
{
    double sum = 0.0;
    for (int k = 0; k < m; k++) sum += coefficients[k] * kai_projected_function(k, at);
    return sum;
}

/// det F - 1 from F - 1, so that small changes keep their digits.
KAI_INLINE double kai_projected_growth(const double f[9])
{
    double c[9];
    const double h[9] = {f[0] - 1.0, f[1], f[2], f[3], f[4] - 1.0, f[5], f[6], f[7], f[8] - 1.0};
    const double det = kai_polar_cofactors(h, c);
    return h[0] + h[4] + h[8] + c[0] + c[4] + c[8] + det;
}

/// Ē of a point from E, J - 1 and J̄ - 1, and what else is made of them. False when the element is
/// inside out.
KAI_INLINE bool kai_projected_strain(const double e[6], double growth, double bar,
                                     kai_projected_point* p)
{
    p->j = 1.0 + growth;
    p->bar = 1.0 + bar;
    if (!(p->j > 0.0) || !(p->bar > 0.0)) return false;
    const double more = expm1(2.0 / 3.0 * log1p((bar - growth) / p->j));
    p->c = 1.0 + more;
    for (int k = 0; k < 6; k++) {
        p->strain[k] = k < 3 ? p->c * e[k] + 0.5 * more : p->c * e[k];
        p->metric[k] = k < 3 ? 2.0 * e[k] + 1.0 : 2.0 * e[k];
    }
    const double x = p->metric[0], y = p->metric[1], z = p->metric[2], u = e[3], v = e[4], w = e[5];
    const double scale = 1.0 / (p->j * p->j);
    const double inv[6] = {y * z - u * u, x * z - v * v, x * y - w * w,
                           v * w - x * u, u * w - y * v, u * v - z * w};
    for (int k = 0; k < 6; k++) p->inv[k] = scale * inv[k];
    return true;
}

/// 𝕀 as a matrix: from strains of engineers to stresses.
KAI_INLINE void kai_projected_square(const double inv[6], double out[36])
{
    static const int R[6] = {0, 1, 2, 1, 0, 0}, C[6] = {0, 1, 2, 2, 2, 1};
    static const int AT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            out[6 * a + b] = 0.5 * (inv[AT[R[a]][R[b]]] * inv[AT[C[a]][C[b]]] +
                                    inv[AT[R[a]][C[b]]] * inv[AT[C[a]][R[b]]]);
}

/// Everything of one element: the quadrature and the points.
typedef struct kai_projected {
    const double (*at)[4];
    const double* inverse; ///< M⁻¹
    int m;
    kai_projected_point point[KAI_TOTAL_POINTS];
} kai_projected;

/// Ē, S̄ and D̄ of all points.
KAI_INLINE bool kai_projected_points(kai_projected* e, const kai_total* t, int points)
{
    double growth[KAI_TOTAL_POINTS], fit[KAI_PROJECTED_MOST];
    for (int g = 0; g < points; g++) growth[g] = kai_projected_growth(t->f[g]);
    kai_projected_fit(e->at, t->weights, e->inverse, points, e->m, growth, fit);
    for (int g = 0; g < points; g++) {
        kai_projected_point* p = &e->point[g];
        if (!kai_projected_strain(t->e[g], growth[g], kai_projected_at(fit, e->m, e->at[g]), p))
            return false;
        if (t->constant) {
            for (int k = 0; k < 36; k++) p->d[k] = t->constant[k];
            kai_total_times(p->d, p->strain, p->s);
        } else if (!t->solid->kind->evaluate(t->solid->instance, p->strain, NULL, p->s, p->d)) {
            return false;
        }
        for (int k = 0; k < 6; k++) p->push[k] = p->s[k];
    }
    return true;
}

/// Adds the stress of damping to `push`.
KAI_INLINE void kai_projected_damp(kai_projected* e, const kai_total* t, int points)
{
    double grows[KAI_TOTAL_POINTS], fit[KAI_PROJECTED_MOST], rate[6], s[6];
    for (int g = 0; g < points; g++)
        grows[g] = e->point[g].j * kai_projected_dot(e->point[g].inv, t->rate[g]);
    kai_projected_fit(e->at, t->weights, e->inverse, points, e->m, grows, fit);
    for (int g = 0; g < points; g++) {
        kai_projected_point* p = &e->point[g];
        const double own = grows[g] / p->j, bar = kai_projected_at(fit, e->m, e->at[g]) / p->bar;
        for (int k = 0; k < 6; k++)
            rate[k] = p->c * (t->rate[g][k] + (bar - own) / 3.0 * p->metric[k]);
        kai_total_times(p->d, rate, s);
        for (int k = 0; k < 6; k++) p->push[k] += t->damping * s[k];
    }
}

/// From S̄ to S at all points, in place; p, t and π are left where they are wanted.
KAI_INLINE void kai_projected_stress(kai_projected* e, const double* weights, int points,
                                     double (*s)[6], double* mean, double* pi)
{
    double t[KAI_TOTAL_POINTS], fit[KAI_PROJECTED_MOST];
    for (int g = 0; g < points; g++) {
        const kai_projected_point* p = &e->point[g];
        mean[g] = p->c / 3.0 * kai_projected_dot(s[g], p->metric);
        t[g] = mean[g] / p->bar;
    }
    kai_projected_fit(e->at, weights, e->inverse, points, e->m, t, fit);
    for (int g = 0; g < points; g++) {
        const kai_projected_point* p = &e->point[g];
        pi[g] = kai_projected_at(fit, e->m, e->at[g]);
        for (int k = 0; k < 6; k++) s[g][k] = p->c * s[g][k] + (p->j * pi[g] - mean[g]) * p->inv[k];
    }
}

/// The slope of a point's stress by its own strain, b, and k: weights of the tangent included.
KAI_INLINE double kai_projected_slope(const kai_projected_point* p, double mean, double pi,
                                      double position, double material, double d[36], double b[6])
{
    double square[36], dc[6], first[6], dp[36];
    kai_projected_square(p->inv, square);
    kai_total_times(p->d, p->metric, dc);
    const double cdc = kai_projected_dot(p->metric, dc), c2 = p->c * p->c, third = 1.0 / 3.0;
    // Pᵀ D̄ P = D̄ - (D̄C ⊗ C⁻¹ + C⁻¹ ⊗ D̄C)/3 + C:D̄:C C⁻¹ ⊗ C⁻¹ / 9
    for (int i = 0; i < 6; i++) {
        first[i] = p->c * p->s[i] - mean * p->inv[i];
        for (int j = 0; j < 6; j++) {
            dp[6 * i + j] = p->d[6 * i + j] - third * (dc[i] * p->inv[j] + p->inv[i] * dc[j]) +
                            third * third * cdc * p->inv[i] * p->inv[j];
            d[6 * i + j] =
                material * c2 * dp[6 * i + j] +
                position * ((pi * p->j + 2.0 * third * mean) * p->inv[i] * p->inv[j] +
                            2.0 * (mean - pi * p->j) * square[6 * i + j] -
                            2.0 * third * p->c * (p->s[i] * p->inv[j] + p->inv[i] * p->s[j]));
        }
    }
    const double over = third / p->bar;
    for (int i = 0; i < 6; i++)
        b[i] =
            over * (2.0 * position * first[i] + material * c2 * (dc[i] - third * cdc * p->inv[i]));
    return over * (material * c2 * over * cdc - position * mean / p->bar);
}

/// planes += u vᵀ + v uᵀ (times a half where they are the same), vectors [3][n].
KAI_INLINE void kai_projected_couple(const double* u, const double* v, double weight, int n,
                                     double* planes)
{
    static const int I[6] = {0, 1, 2, 1, 0, 0}, K[6] = {0, 1, 2, 2, 2, 1};
    for (int ik = 0; ik < 6; ik++) {
        double* plane = planes + ik * n * n;
        const double *uk = u + K[ik] * n, *vk = v + K[ik] * n;
        for (int a = 0; a < n; a++) {
            const double x = weight * u[I[ik] * n + a], y = weight * v[I[ik] * n + a];
#pragma omp simd
            for (int b = 0; b < n; b++) plane[a * n + b] += x * vk[b] + y * uk[b];
        }
    }
}

/// What the projection couples: x, y and κ of all points.
typedef struct kai_projected_coupling {
    double x[KAI_PROJECTED_MOST][3 * KAI_TOTAL_NODES];
    double raw[KAI_PROJECTED_MOST][3 * KAI_TOTAL_NODES]; ///< y before M⁻¹
    double kappa[KAI_PROJECTED_MOST * KAI_PROJECTED_MOST];
} kai_projected_coupling;

/// Adds T of the coupling to the planes.
KAI_INLINE void kai_projected_close(const kai_projected* e, kai_projected_coupling* c, int n,
                                    double* planes)
{
    double y[KAI_PROJECTED_MOST][3 * KAI_TOTAL_NODES];
    for (int k = 0; k < e->m; k++) {
        for (int a = 0; a < 3 * n; a++) y[k][a] = 0.0;
        for (int l = 0; l < e->m; l++)
            for (int a = 0; a < 3 * n; a++) y[k][a] += e->inverse[e->m * k + l] * c->raw[l][a];
    }
    // Σ_kl κ_kl y_k y_lᵀ joins x_k: half of it on either side.
    for (int k = 0; k < e->m; k++) {
        for (int l = 0; l < e->m; l++)
            for (int a = 0; a < 3 * n; a++) c->x[k][a] += 0.5 * c->kappa[e->m * k + l] * y[l][a];
        kai_projected_couple(c->x[k], y[k], 1.0, n, planes);
    }
}

/// The tangent of all points, to planes that are zero.
KAI_INLINE void kai_projected_tangent(const kai_projected* e, const kai_total* t,
                                      const double (*s)[6], const double* mean, const double* pi,
                                      double position, double material, int n, int points,
                                      double* planes)
{
    kai_projected_coupling c;
    memset(&c, 0, sizeof c);
    for (int g = 0; g < points; g++) {
        const kai_projected_point* p = &e->point[g];
        const double *grad = t->gradients + 3 * n * g, *f = t->f[g], w = t->weights[g];
        double d[36], b[6], y[54], into[3 * KAI_TOTAL_NODES] = {0.0},
                                            grows[3 * KAI_TOTAL_NODES] = {0.0};
        const double k = kai_projected_slope(p, mean[g], pi[g], position, material, d, b);
        kai_total_slope(f, d, y);
        kai_total_add(y, f, s[g], grad, w * position, w, n, planes);
        kai_total_push(f, b, w, grad, n, into);
        kai_total_push(f, p->inv, w * p->j, grad, n, grows);
        for (int i = 0; i < e->m; i++) {
            const double phi = kai_projected_function(i, e->at[g]);
            for (int a = 0; a < 3 * n; a++) {
                c.x[i][a] += phi * into[a];
                c.raw[i][a] += phi * grows[a];
            }
            for (int j = 0; j < e->m; j++)
                c.kappa[e->m * i + j] += w * k * phi * kai_projected_function(j, e->at[g]);
        }
    }
    kai_projected_close(e, &c, n, planes);
}

/// Force, and tangent when the batch wants it, of element i. `at`: its quadrature; m functions; n
/// and points are known to the compiler.
KAI_INLINE void kai_projected_element(const double* data, const kai_solid_view* solid,
                                      const double* constant, const double (*at)[4], int m,
                                      const kai_element_batch* batch, size_t i, int n, int points)
{
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    const int rows = 3 * n;
    double* force = batch->force + i * (size_t)rows;
    double* tangent = batch->tangent ? batch->tangent + i * (size_t)(rows * rows) : NULL;
    kai_total t;
    kai_projected e = {.at = at, .inverse = data + KAI_VOLUME_ENHANCED(n, points), .m = m};
    t.solid = solid;
    t.constant = constant;
    t.weights = data + KAI_VOLUME_WEIGHTS(n);
    t.gradients = data + KAI_VOLUME_GRADIENTS(n, points);
    t.damping = head->damping;
    double mean[KAI_TOTAL_POINTS], pi[KAI_TOTAL_POINTS], s[KAI_TOTAL_POINTS][6];
    if (!kai_total_strains(&t, batch->q + i * (size_t)rows, batch->v + i * (size_t)rows, n,
                           points) ||
        !kai_projected_points(&e, &t, points)) {
        kai_total_fail(n, force, tangent);
        return;
    }
    if (t.damping != 0.0) kai_projected_damp(&e, &t, points);
    for (int g = 0; g < points; g++) memcpy(s[g], e.point[g].push, sizeof s[g]);
    kai_projected_stress(&e, t.weights, points, s, mean, pi);
    double out[3 * KAI_TOTAL_NODES] = {0.0};
    for (int g = 0; g < points; g++)
        kai_total_push(t.f[g], s[g], -t.weights[g], t.gradients + 3 * n * g, n, out);
    for (int a = 0; a < n; a++)
        for (int r = 0; r < 3; r++) force[3 * a + r] = out[r * n + a];
    if (!tangent) return;
    // The stress of damping has no part in the geometric terms.
    if (t.damping != 0.0) {
        for (int g = 0; g < points; g++) memcpy(s[g], e.point[g].s, sizeof s[g]);
        kai_projected_stress(&e, t.weights, points, s, mean, pi);
    }
    double planes[6 * KAI_TOTAL_NODES * KAI_TOTAL_NODES];
    for (int k = 0; k < 6 * n * n; k++) planes[k] = 0.0;
    kai_projected_tangent(&e, &t, (const double(*)[6])s, mean, pi, batch->position,
                          batch->position + batch->velocity * t.damping, n, points, planes);
    kai_total_spread(planes, n, tangent);
}

#endif
