// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Total Lagrangian volume elements. At each point of quadrature, with reference gradients g_a:
//
//     F = Σ x_a g_aᵀ,   E = (FᵀF - 1)/2 (+ enhanced),   S = ∂W/∂E + β D Ė,   Ė = sym(Fᵀ Ḟ)
//     f_a = -w F S g_a
//     T_ab = w Σ g_aJ A_iJkL g_bL,   A_iJkL = p δ_ik S_JL + (p + v β) F_iI D_IJKL F_kK
//
// with weights p, v of the tangent. Enhanced modes are condensed: T -= (p + v β) Vᵀ V with V = L⁻¹
// Σ w mᵀ D B and L from enhanced.h. The stress of damping has no part in the geometric term.
//
// Flops of one element, n nodes, g points, linear solid: force g (36 n + 150), tangent
// g (72 n + 36 n² + 1,300); an enhanced one adds 9,000 to the force and 17,000 to the tangent.
#ifndef FEA_TOTAL_H
#define FEA_TOTAL_H

#include "base/simd.h"
#include "fea/elements/enhanced.h"
#include "fea/elements/polar.h"

#define KAI_TOTAL_POINTS 14
#define KAI_TOTAL_NODES  20

/// One element at work.
typedef struct kai_total {
    const kai_solid_view* solid;
    const double *weights, *gradients;
    const double* constant; ///< D of a linear solid, or NULL
    double damping;
    double f[KAI_TOTAL_POINTS][9], e[KAI_TOTAL_POINTS][6], rate[KAI_TOTAL_POINTS][6];
    kai_enhanced enhanced;
    double modes[9][3 * KAI_TOTAL_NODES]; ///< Σ w mᵀ D B, by [3][nodes]
} kai_total;

/// out = m x of a symmetric 6 × 6 matrix.
KAI_INLINE void kai_total_times(const double m[36], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) out[i] += m[6 * i + j] * x[j];
    }
}

/// Σ x_a g_aᵀ of coordinates [3][n] and gradients [3][n].
KAI_INLINE void kai_total_gradient(const double* x, const double* g, int n, double f[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double s = 0.0;
#pragma omp simd reduction(+ : s)
            for (int a = 0; a < n; a++) s += x[i * n + a] * g[j * n + a];
            f[3 * i + j] = s;
        }
    }
}

/// (FᵀF - 1)/2, engineering shears; from H = F - 1, so that small strains keep their digits.
KAI_INLINE void kai_total_green(const double f[9], double e[6])
{
    const double h[9] = {f[0] - 1.0, f[1], f[2], f[3], f[4] - 1.0, f[5], f[6], f[7], f[8] - 1.0};
    static const int R[6] = {0, 1, 2, 1, 0, 0}, C[6] = {0, 1, 2, 2, 2, 1};
    for (int k = 0; k < 6; k++) {
        const int r = R[k], c = C[k];
        const double square = h[r] * h[c] + h[3 + r] * h[3 + c] + h[6 + r] * h[6 + c];
        e[k] = k < 3 ? h[4 * k] + 0.5 * square : h[3 * r + c] + h[3 * c + r] + square;
    }
}

/// sym(Fᵀ Ḟ), engineering shears.
KAI_INLINE void kai_total_rate(const double f[9], const double r[9], double out[6])
{
    double m[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * i + j] = f[i] * r[j] + f[3 + i] * r[3 + j] + f[6 + i] * r[6 + j];
    const double all[6] = {m[0], m[4], m[8], m[5] + m[7], m[2] + m[6], m[1] + m[3]};
    for (int k = 0; k < 6; k++) out[k] = all[k];
}

/// Stress of point g with that of damping, its elastic part alone, and D.
KAI_INLINE bool kai_total_stress(const kai_total* t, int g, const double rate_alpha[9],
                                 bool enhanced, double stress[6], double elastic[6], double d[36])
{
    double e[6], more[6];
    for (int k = 0; k < 6; k++) e[k] = t->e[g][k];
    if (enhanced) {
        kai_enhanced_strain(t->enhanced.alpha, t->enhanced.map, t->enhanced.ratios[g],
                            kai_volume_gauss_8[g], more);
        for (int k = 0; k < 6; k++) e[k] += more[k];
    }
    if (t->constant) {
        for (int k = 0; k < 36; k++) d[k] = t->constant[k];
        kai_total_times(d, e, elastic);
    } else if (!t->solid->kind->evaluate(t->solid->instance, e, NULL, elastic, d)) {
        return false;
    }
    for (int k = 0; k < 6; k++) stress[k] = elastic[k];
    if (t->damping == 0.0) return true;
    double rate[6];
    for (int k = 0; k < 6; k++) rate[k] = t->rate[g][k];
    if (enhanced) {
        kai_enhanced_strain(rate_alpha, t->enhanced.map, t->enhanced.ratios[g],
                            kai_volume_gauss_8[g], more);
        for (int k = 0; k < 6; k++) rate[k] += more[k];
    }
    kai_total_times(d, rate, more);
    for (int k = 0; k < 6; k++) stress[k] += t->damping * more[k];
    return true;
}

/// The rate of α that minimises the power of damping.
KAI_INLINE bool kai_total_rate_alpha(const kai_total* t, double out[9])
{
    double d[36], more[6], s[6];
    for (int p = 0; p < 9; p++) out[p] = 0.0;
    for (int g = 0; g < 8; g++) {
        const double* at = kai_volume_gauss_8[g];
        const kai_enhanced* e = &t->enhanced;
        kai_enhanced_strain(e->alpha, e->map, e->ratios[g], at, more);
        for (int k = 0; k < 6; k++) more[k] += t->e[g][k];
        if (t->constant)
            for (int k = 0; k < 36; k++) d[k] = t->constant[k];
        else if (!t->solid->kind->evaluate(t->solid->instance, more, NULL, NULL, d))
            return false;
        kai_total_times(d, t->rate[g], s);
        const double scale = e->weights[g] * e->ratios[g];
        for (int p = 0; p < 9; p++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) sum += e->map[6 * i + KAI_ENHANCED_ROW[p]] * s[i];
            out[p] -= scale * sum * at[KAI_ENHANCED_AXIS[p]];
        }
    }
    kai_enhanced_solve_factor(t->enhanced.factor, out);
    return true;
}

/// F S g_a of all nodes times a weight, added to out [3][n].
KAI_INLINE void kai_total_push(const double f[9], const double s[6], double w, const double* grad,
                               int n, double* out)
{
    for (int r = 0; r < 3; r++) {
        const double* fr = f + 3 * r;
        const double p0 = w * (fr[0] * s[0] + fr[1] * s[5] + fr[2] * s[4]);
        const double p1 = w * (fr[0] * s[5] + fr[1] * s[1] + fr[2] * s[3]);
        const double p2 = w * (fr[0] * s[4] + fr[1] * s[3] + fr[2] * s[2]);
#pragma omp simd
        for (int a = 0; a < n; a++)
            out[r * n + a] += p0 * grad[a] + p1 * grad[n + a] + p2 * grad[2 * n + a];
    }
}

/// Y = F D: slope of F S by the six strains, [9][6].
KAI_INLINE void kai_total_slope(const double f[9], const double d[36], double y[54])
{
    static const int AT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int m = 0; m < 6; m++)
                y[6 * (3 * i + j) + m] = f[3 * i] * d[6 * AT[0][j] + m] +
                                         f[3 * i + 1] * d[6 * AT[1][j] + m] +
                                         f[3 * i + 2] * d[6 * AT[2][j] + m];
}

/// Adds w Σ g_aJ A_iJkL g_bL to the six planes ik of the tangent, [6][n][n].
KAI_INLINE void kai_total_add(const double* y, const double f[9], const double s[6],
                              const double* grad, double stress_weight, double weight, int n,
                              double* planes)
{
    static const int AT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    static const int I[6] = {0, 1, 2, 1, 0, 0}, K[6] = {0, 1, 2, 2, 2, 1};
    for (int ik = 0; ik < 6; ik++) {
        const int i = I[ik], k = K[ik];
        double t[3 * KAI_TOTAL_NODES];
        for (int j = 0; j < 3; j++) {
            double a[3];
            for (int l = 0; l < 3; l++) {
                const double* row = y + 6 * (3 * i + j);
                a[l] = weight * (row[AT[0][l]] * f[3 * k] + row[AT[1][l]] * f[3 * k + 1] +
                                 row[AT[2][l]] * f[3 * k + 2]);
                if (i == k) a[l] += stress_weight * s[AT[j][l]];
            }
#pragma omp simd
            for (int b = 0; b < n; b++)
                t[j * n + b] = a[0] * grad[b] + a[1] * grad[n + b] + a[2] * grad[2 * n + b];
        }
        double* plane = planes + ik * n * n;
        for (int a = 0; a < n; a++) {
            const double x = grad[a], z = grad[n + a], u = grad[2 * n + a];
#pragma omp simd
            for (int b = 0; b < n; b++)
                plane[a * n + b] += x * t[b] + z * t[n + b] + u * t[2 * n + b];
        }
    }
}

/// Adds w mᵀ D B of point g.
KAI_INLINE void kai_total_add_modes(kai_total* t, const double* y, const double* grad, int g, int n)
{
    const double* at = kai_volume_gauss_8[g];
    const double scale = t->enhanced.weights[g] * t->enhanced.ratios[g];
    for (int r = 0; r < 6; r++) {
        double z[3 * KAI_TOTAL_NODES];
        for (int i = 0; i < 3; i++) {
            double c[3];
            for (int j = 0; j < 3; j++) {
                c[j] = 0.0;
                for (int m = 0; m < 6; m++)
                    c[j] += scale * y[6 * (3 * i + j) + m] * t->enhanced.map[6 * m + r];
            }
#pragma omp simd
            for (int a = 0; a < n; a++)
                z[i * n + a] = c[0] * grad[a] + c[1] * grad[n + a] + c[2] * grad[2 * n + a];
        }
        for (int p = 0; p < 9; p++) {
            if (KAI_ENHANCED_ROW[p] != r) continue;
            const double c = at[KAI_ENHANCED_AXIS[p]];
#pragma omp simd
            for (int a = 0; a < 3 * n; a++) t->modes[p][a] += c * z[a];
        }
    }
}

/// T -= weight Vᵀ V, V = L⁻¹ modes.
KAI_INLINE void kai_total_condense(kai_total* t, double weight, int n, double* planes)
{
    static const int I[6] = {0, 1, 2, 1, 0, 0}, K[6] = {0, 1, 2, 2, 2, 1};
    const double* l = t->enhanced.factor;
    for (int p = 0; p < 9; p++) {
        for (int k = 0; k < p; k++) {
#pragma omp simd
            for (int a = 0; a < 3 * n; a++) t->modes[p][a] -= l[9 * p + k] * t->modes[k][a];
        }
        const double inverse = 1.0 / l[9 * p + p];
        for (int a = 0; a < 3 * n; a++) t->modes[p][a] *= inverse;
    }
    for (int ik = 0; ik < 6; ik++) {
        double* plane = planes + ik * n * n;
        for (int a = 0; a < n; a++) {
            for (int p = 0; p < 9; p++) {
                const double x = weight * t->modes[p][I[ik] * n + a];
                const double* row = t->modes[p] + K[ik] * n;
#pragma omp simd
                for (int b = 0; b < n; b++) plane[a * n + b] -= x * row[b];
            }
        }
    }
}

/// From planes to a full matrix by rows.
KAI_INLINE void kai_total_spread(const double* planes, int n, double* out)
{
    static const int I[6] = {0, 1, 2, 1, 0, 0}, K[6] = {0, 1, 2, 2, 2, 1};
    const int rows = 3 * n;
    for (int ik = 0; ik < 6; ik++) {
        const double* plane = planes + ik * n * n;
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                out[(3 * a + I[ik]) * rows + 3 * b + K[ik]] = plane[a * n + b];
                out[(3 * b + K[ik]) * rows + 3 * a + I[ik]] = plane[a * n + b];
            }
        }
    }
}

KAI_INLINE void kai_total_fail(int n, double* force, double* tangent)
{
    for (int a = 0; a < 3 * n; a++) force[a] = (double)NAN;
    for (int a = 0; tangent && a < 9 * n * n; a++) tangent[a] = (double)NAN;
}

/// Strains and rates of all points. False when the element is turned inside out and its solid
/// minds.
KAI_INLINE bool kai_total_strains(kai_total* t, const double* q, const double* v, int n, int points)
{
    double x[3 * KAI_TOTAL_NODES], u[3 * KAI_TOTAL_NODES];
    for (int a = 0; a < n; a++) {
        for (int i = 0; i < 3; i++) {
            x[i * n + a] = q[3 * a + i] - q[i];
            u[i * n + a] = v[3 * a + i];
        }
    }
    for (int g = 0; g < points; g++) {
        const double* grad = t->gradients + 3 * n * g;
        double rate[9], unused[9];
        kai_total_gradient(x, grad, n, t->f[g]);
        kai_total_green(t->f[g], t->e[g]);
        if (!t->constant && !(kai_polar_cofactors(t->f[g], unused) > 0.0)) return false;
        if (t->damping == 0.0) continue;
        kai_total_gradient(u, grad, n, rate);
        kai_total_rate(t->f[g], rate, t->rate[g]);
    }
    return true;
}

/// Force, and tangent when `tangent` is not NULL, of one element. `constant`: D of its solid when
/// that is linear. n, points and enhanced are known to the compiler.
KAI_INLINE void kai_total_element(const double* data, const kai_solid_view* solid,
                                  const double* constant, const kai_element_batch* batch, size_t i,
                                  int n, int points, bool can_enhance)
{
    const kai_volume_head* head = (const kai_volume_head*)(const void*)data;
    const bool enhanced = can_enhance && head->enhanced;
    kai_total t;
    t.solid = solid;
    t.constant = constant;
    t.weights = data + KAI_VOLUME_WEIGHTS(n);
    t.gradients = data + KAI_VOLUME_GRADIENTS(n, points);
    t.damping = head->damping;
    const double position = batch->position;
    const double material = position + batch->velocity * t.damping;
    const int rows = 3 * n;
    double* force = batch->force + i * (size_t)rows;
    double* tangent = batch->tangent ? batch->tangent + i * (size_t)(rows * rows) : NULL;
    double rate_alpha[9], planes[6 * KAI_TOTAL_NODES * KAI_TOTAL_NODES];
    bool fine =
        kai_total_strains(&t, batch->q + i * (size_t)rows, batch->v + i * (size_t)rows, n, points);
    if (fine && enhanced) {
        t.enhanced.weights = t.weights;
        t.enhanced.ratios = data + KAI_VOLUME_ENHANCED(n, points);
        t.enhanced.map = t.enhanced.ratios + points;
        fine = kai_enhanced_solve(&t.enhanced, solid, constant, (const double(*)[6])t.e);
        if (fine && t.damping != 0.0) fine = kai_total_rate_alpha(&t, rate_alpha);
        for (int p = 0; tangent && p < 9; p++)
            for (int a = 0; a < rows; a++) t.modes[p][a] = 0.0;
    }
    double out[3 * KAI_TOTAL_NODES] = {0.0};
    for (int k = 0; tangent && k < 6 * n * n; k++) planes[k] = 0.0;
    for (int g = 0; fine && g < points; g++) {
        const double *grad = t.gradients + 3 * n * g, *f = t.f[g], w = t.weights[g];
        double s[6], elastic[6], d[36], y[54];
        fine = kai_total_stress(&t, g, rate_alpha, enhanced, s, elastic, d);
        if (!fine) break;
        kai_total_push(f, s, -w, grad, n, out);
        if (!tangent) continue;
        kai_total_slope(f, d, y);
        kai_total_add(y, f, elastic, grad, w * position, w * material, n, planes);
        if (enhanced) kai_total_add_modes(&t, y, grad, g, n);
    }
    if (!fine) {
        kai_total_fail(n, force, tangent);
        return;
    }
    for (int a = 0; a < n; a++)
        for (int r = 0; r < 3; r++) force[3 * a + r] = out[r * n + a];
    if (!tangent) return;
    if (enhanced) kai_total_condense(&t, material, n, planes);
    kai_total_spread(planes, n, tangent);
}

#endif
