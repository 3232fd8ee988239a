// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Enhanced assumed strain of the hexahedron of eight nodes: nine modes α that let it bend without
// shear, and take up volume, solved inside the element (Simo & Rifai, IJNME 29, 1990; Andelfinger &
// Ramm, IJNME 36, 1993):
//
//     E = E_c + (j₀/j) T m(ξ) α,   m α = (ξ α₀, η α₁, ζ α₂, η α₃ + ζ α₄, ξ α₅ + ζ α₆, ξ α₇ + η α₈)
//
// T carries strains from the natural axes at the centre, where the Jacobian is j₀, to the axes of
// the solid. The modes have no mean, so that constant strain is met exactly. The energy is
// minimal over α: Σ w mᵀ S = 0. A linear solid takes one step of Newton's method.
#ifndef FEA_ENHANCED_H
#define FEA_ENHANCED_H

#include "base/simd.h"
#include "fea/elements/volume.h"

#include <string.h>

/// Strain component and natural coordinate of each mode.
static const int KAI_ENHANCED_ROW[9] = {0, 1, 2, 3, 3, 4, 4, 5, 5};
static const int KAI_ENHANCED_AXIS[9] = {0, 1, 2, 1, 2, 0, 2, 0, 1};

/// One element's modes, and what the solution leaves.
typedef struct kai_enhanced {
    const double *weights, *ratios, *map; ///< as they lie in the data
    double alpha[9];
    double factor[81]; ///< Cholesky factor of Σ w mᵀ D m, by rows
} kai_enhanced;

/// m(ξ) α in the axes of the solid, times j₀/j.
KAI_INLINE void kai_enhanced_strain(const double alpha[9], const double map[36], double ratio,
                                    const double at[3], double out[6])
{
    double m[6] = {0.0};
    for (int p = 0; p < 9; p++) m[KAI_ENHANCED_ROW[p]] += at[KAI_ENHANCED_AXIS[p]] * alpha[p];
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) out[i] += ratio * map[6 * i + j] * m[j];
    }
}

/// Tᵀ D T.
KAI_INLINE void kai_enhanced_stiffness(const double d[36], const double map[36], double out[36])
{
    double dt[36] = {0.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++) dt[6 * i + j] += d[6 * i + k] * map[6 * k + j];
    memset(out, 0, 36 * sizeof *out);
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) out[6 * i + j] += map[6 * k + i] * dt[6 * k + j];
}

/// Factors a symmetric positive matrix in place. False when it is not.
KAI_INLINE bool kai_enhanced_factor(double* a)
{
    for (int j = 0; j < 9; j++) {
        for (int i = j; i < 9; i++) {
            double s = a[9 * i + j];
            for (int k = 0; k < j; k++) s -= a[9 * i + k] * a[9 * j + k];
            if (i == j) {
                if (!(s > 0.0)) return false;
                a[9 * j + j] = sqrt(s);
            } else {
                a[9 * i + j] = s / a[9 * j + j];
            }
        }
    }
    return true;
}

KAI_INLINE void kai_enhanced_solve_factor(const double* l, double* x)
{
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < i; k++) x[i] -= l[9 * i + k] * x[k];
        x[i] /= l[9 * i + i];
    }
    for (int i = 8; i >= 0; i--) {
        for (int k = i + 1; k < 9; k++) x[i] -= l[9 * k + i] * x[k];
        x[i] /= l[9 * i + i];
    }
}

/// Residual and matrix of the modes at a strain of every point. `d` as in kai_enhanced_solve.
KAI_INLINE bool kai_enhanced_residual(const kai_enhanced* e, const kai_solid_view* solid,
                                      const double* d, const double (*strain)[6],
                                      double residual[9], double matrix[81])
{
    double own[36], inner[36], s[6];
    memset(residual, 0, 9 * sizeof *residual);
    memset(matrix, 0, 81 * sizeof *matrix);
    if (d) kai_enhanced_stiffness(d, e->map, inner);
    for (int g = 0; g < 8; g++) {
        const double* at = kai_volume_gauss_8[g];
        double all[6], t[6] = {0.0};
        kai_enhanced_strain(e->alpha, e->map, e->ratios[g], at, all);
        for (int i = 0; i < 6; i++) all[i] += strain[g][i];
        if (d) {
            for (int i = 0; i < 6; i++) {
                s[i] = 0.0;
                for (int j = 0; j < 6; j++) s[i] += d[6 * i + j] * all[j];
            }
        } else {
            if (!solid->kind->evaluate(solid->instance, all, NULL, s, own)) return false;
            kai_enhanced_stiffness(own, e->map, inner);
        }
        const double first = e->weights[g] * e->ratios[g], second = first * e->ratios[g];
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) t[j] += first * e->map[6 * i + j] * s[i];
        for (int p = 0; p < 9; p++) {
            const double c = second * at[KAI_ENHANCED_AXIS[p]];
            residual[p] += t[KAI_ENHANCED_ROW[p]] * at[KAI_ENHANCED_AXIS[p]];
            for (int q = 0; q <= p; q++)
                matrix[9 * p + q] += c * at[KAI_ENHANCED_AXIS[q]] *
                                     inner[6 * KAI_ENHANCED_ROW[p] + KAI_ENHANCED_ROW[q]];
        }
    }
    return true;
}

/// Finds α for compatible strains [8][6]. `d`: the constant stiffness of a linear solid, or NULL.
/// Leaves the factor at the solution. False when the solid cannot take the strain, or no minimum is
/// found.
KAI_INLINE bool kai_enhanced_solve(kai_enhanced* e, const kai_solid_view* solid, const double* d,
                                   const double (*strain)[6])
{
    memset(e->alpha, 0, sizeof e->alpha);
    for (int round = 0; round < 25; round++) {
        double step[9], moved = 0.0, size = 0.0;
        if (!kai_enhanced_residual(e, solid, d, strain, step, e->factor) ||
            !kai_enhanced_factor(e->factor))
            return false;
        kai_enhanced_solve_factor(e->factor, step);
        for (int p = 0; p < 9; p++) {
            e->alpha[p] -= step[p];
            moved = fmax(moved, fabs(step[p]));
            size = fmax(size, fabs(e->alpha[p]));
        }
        // Newton squares its error: after a step of 1e-7 it is that of rounding.
        if (d || moved <= 1e-7 * size || moved < 1e-16) return true;
    }
    return false;
}

#endif
