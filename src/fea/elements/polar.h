// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Polar decomposition F = R U of a 3 × 3 matrix by Newton's iteration X ← (X + X⁻ᵀ)/2, which
// squares its error (Higham, SIAM J. Sci. Stat. Comput. 7, 1986). Strains of some per cent take
// four rounds.
#ifndef FEA_POLAR_H
#define FEA_POLAR_H

#include "base/simd.h"

#include <math.h>
#include <stdbool.h>

/// Determinant of a matrix by rows, and its cofactors (the inverse, transposed, times it).
KAI_INLINE double kai_polar_cofactors(const double m[9], double c[9])
{
    c[0] = m[4] * m[8] - m[5] * m[7];
    c[1] = m[5] * m[6] - m[3] * m[8];
    c[2] = m[3] * m[7] - m[4] * m[6];
    c[3] = m[2] * m[7] - m[1] * m[8];
    c[4] = m[0] * m[8] - m[2] * m[6];
    c[5] = m[1] * m[6] - m[0] * m[7];
    c[6] = m[1] * m[5] - m[2] * m[4];
    c[7] = m[2] * m[3] - m[0] * m[5];
    c[8] = m[0] * m[4] - m[1] * m[3];
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

/// The rotation R of F. False when F is turned inside out, flat or not finite.
KAI_INLINE bool kai_polar(const double f[9], double r[9])
{
    double c[9];
    for (int i = 0; i < 9; i++) r[i] = f[i];
    for (int round = 0; round < 60; round++) {
        const double det = kai_polar_cofactors(r, c);
        if (!(det > 0.0)) return false;
        const double half = 0.5 / det;
        double change = 0.0;
        for (int i = 0; i < 9; i++) {
            const double next = 0.5 * r[i] + half * c[i];
            change += (next - r[i]) * (next - r[i]);
            r[i] = next;
        }
        // The error after this round is about half the square of the change.
        if (change < 1e-17) return true;
    }
    return false;
}

/// Inverse of a symmetric matrix by rows, all nine written.
KAI_INLINE void kai_polar_inverse(const double m[9], double out[9])
{
    double c[9];
    const double scale = 1.0 / kai_polar_cofactors(m, c);
    for (int i = 0; i < 9; i++) out[i] = scale * c[i];
}

#endif
