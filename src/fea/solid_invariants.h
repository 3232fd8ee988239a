// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solids whose energy is a function of the invariants of C = 2E + 1:
//
//     I₁ = tr C,  I₂ = (I₁² - tr C²)/2,  I₃ = det C
//     S = 2 (W₁ G₁ + W₂ G₂ + W₃ G₃)             G₁ = 1,  G₂ = I₁ 1 - C,  G₃ = I₃ C⁻¹
//     D = 4 (Σ W_ab G_a ⊗ G_b + W₂ (1 ⊗ 1 - 𝕀) + W₃ I₃ (C⁻¹ ⊗ C⁻¹ - 𝕀_C⁻¹))
//
// with 𝕀 and 𝕀_C⁻¹ the symmetric fourth-order products (Holzapfel, Nonlinear Solid Mechanics,
// 6.6). Invariants are taken as differences to those of C = 1, so that small strains lose no
// digits.
#ifndef FEA_SOLID_INVARIANTS_H
#define FEA_SOLID_INVARIANTS_H

#include <math.h>
#include <stdbool.h>

/// I₁ - 3, I₂ - 3, ln I₃, and what follows from the strain.
typedef struct kai_invariants {
    double i1, i2, log3, i3;
    double c[6], inverse[6]; ///< C and C⁻¹, xx yy zz yz xz xy, true shears
} kai_invariants;

/// Derivatives of W by I₁, I₂, I₃. Those left out are zero in all solids here.
typedef struct kai_invariants_slope {
    double w1, w2, w3, w13, w23, w33;
} kai_invariants_slope;

/// False when the volume has vanished.
static inline bool kai_invariants_of(const double e[6], kai_invariants* out)
{
    const double x = e[0], y = e[1], z = e[2], a = 0.5 * e[3], b = 0.5 * e[4], c = 0.5 * e[5];
    const double trace = x + y + z;
    const double second = x * y + y * z + x * z - a * a - b * b - c * c;
    const double det = x * (y * z - a * a) - c * (c * z - a * b) + b * (c * a - y * b);
    const double i3 = 2.0 * trace + 4.0 * second + 8.0 * det;
    if (!(i3 > -1.0)) return false;
    const double g[6] = {1.0 + 2.0 * x, 1.0 + 2.0 * y, 1.0 + 2.0 * z, 2.0 * a, 2.0 * b, 2.0 * c};
    *out = (kai_invariants){
        .i1 = 2.0 * trace, .i2 = 4.0 * trace + 4.0 * second, .log3 = log1p(i3), .i3 = 1.0 + i3};
    const double f = 1.0 / out->i3;
    const double inverse[6] = {f * (g[1] * g[2] - g[3] * g[3]), f * (g[0] * g[2] - g[4] * g[4]),
                               f * (g[0] * g[1] - g[5] * g[5]), f * (g[4] * g[5] - g[0] * g[3]),
                               f * (g[3] * g[5] - g[1] * g[4]), f * (g[3] * g[4] - g[2] * g[5])};
    for (int k = 0; k < 6; k++) {
        out->c[k] = g[k];
        out->inverse[k] = inverse[k];
    }
    return true;
}

/// Stress and stiffness from the slopes of W; either may be NULL.
static inline void kai_invariants_stress(const kai_invariants* v, const kai_invariants_slope* w,
                                         double* stress, double* stiffness)
{
    static const int R[6] = {0, 1, 2, 1, 0, 0}, C[6] = {0, 1, 2, 2, 2, 1};
    static const int AT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    double g2[6], g3[6];
    for (int k = 0; k < 6; k++) {
        g2[k] = (k < 3 ? 3.0 + v->i1 : 0.0) - v->c[k];
        g3[k] = v->i3 * v->inverse[k];
        if (stress) stress[k] = 2.0 * ((k < 3 ? w->w1 : 0.0) + w->w2 * g2[k] + w->w3 * g3[k]);
    }
    if (!stiffness) return;
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b <= a; b++) {
            const double one_a = a < 3, one_b = b < 3, *i = v->inverse;
            const double unit = a != b ? 0.0 : (a < 3 ? 1.0 : 0.5);
            const double product = 0.5 * (i[AT[R[a]][R[b]]] * i[AT[C[a]][C[b]]] +
                                          i[AT[R[a]][C[b]]] * i[AT[C[a]][R[b]]]);
            const double d = w->w13 * (one_a * g3[b] + g3[a] * one_b) +
                             w->w23 * (g2[a] * g3[b] + g3[a] * g2[b]) + w->w33 * g3[a] * g3[b] +
                             w->w2 * (one_a * one_b - unit) +
                             w->w3 * v->i3 * (i[a] * i[b] - product);
            stiffness[6 * a + b] = stiffness[6 * b + a] = 4.0 * d;
        }
    }
}

#endif
