// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tetrahedra of four nodes, isotropic and corotational, eight at a time: lane l of every array is
// one element. The strain is constant, and the energy of corotational.h becomes
//
//     W/V = μ |U - 1|² + λ/2 (tr U - 3)²,   F = Σ (x_a - x_0) g_aᵀ = R U,   a = 1, 2, 3
//     P   = 2 μ (F - R) + λ (tr U - 3) R,   f_a = -V P g_a
//     T_ab = V (2 μ g_a·g_b + λ b_a b_bᵀ + (λ (tr U - 3) - 2 μ) [b_a]×ᵀ Z [b_b]×)
//
// in world axes, b_a = R g_a, Z = (tr U - F Rᵀ)⁻¹: the second derivative of tr U is w · Z w with
// w = Σ b_a × dx_a. The rows of node 0 are what is missing to a sum of zero. Damping is β D Ė with
// the Green-Lagrange rate, as in total.h.
//
// Flops of one element: force 54 + 61 for each round of the polar decomposition (3 to 5) + 90;
// tangent 620 more; damping 140 and 330.
#ifndef FEA_TET4_LANES_H
#define FEA_TET4_LANES_H

#include "base/simd.h"

#include <math.h>
#include <stdint.h>

#define KAI_TET4_LANES 8

typedef double kai_tet4_lane[KAI_TET4_LANES];

typedef struct kai_tet4_lanes {
    kai_tet4_lane x[9], v[9]; ///< [3 (a - 1) + axis]: coordinates and velocities about node 0
    kai_tet4_lane g[9];       ///< gradients, likewise
    kai_tet4_lane volume, lambda, mu, damping;
    kai_tet4_lane f[9], r[9];
    kai_tet4_lane force[12];      ///< [3 a + axis]
    kai_tet4_lane tangent[10][9]; ///< blocks 00 10 11 20 21 22 30 31 32 33
} kai_tet4_lanes;

/// F, and its rotation. An element inside out gets NaN. A lane that has converged stays as it is,
/// so that its bits do not depend on its neighbours.
KAI_INLINE void kai_tet4_lanes_polar(kai_tet4_lanes* e)
{
    kai_tet4_lane done;
#pragma omp simd
    for (int l = 0; l < KAI_TET4_LANES; l++) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                e->f[3 * i + j][l] = e->x[i][l] * e->g[j][l] + e->x[3 + i][l] * e->g[3 + j][l] +
                                     e->x[6 + i][l] * e->g[6 + j][l];
        for (int k = 0; k < 9; k++) e->r[k][l] = e->f[k][l];
        done[l] = 0.0;
    }
    for (int round = 0; round < 60; round++) {
        double left = 0.0;
#pragma omp simd reduction(+ : left)
        for (int l = 0; l < KAI_TET4_LANES; l++) {
            double m[9], c[9], change = 0.0;
            for (int k = 0; k < 9; k++) m[k] = e->r[k][l];
            c[0] = m[4] * m[8] - m[5] * m[7];
            c[1] = m[5] * m[6] - m[3] * m[8];
            c[2] = m[3] * m[7] - m[4] * m[6];
            c[3] = m[2] * m[7] - m[1] * m[8];
            c[4] = m[0] * m[8] - m[2] * m[6];
            c[5] = m[1] * m[6] - m[0] * m[7];
            c[6] = m[1] * m[5] - m[2] * m[4];
            c[7] = m[2] * m[3] - m[0] * m[5];
            c[8] = m[0] * m[4] - m[1] * m[3];
            const double det = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
            const double half = det > 0.0 ? 0.5 / det : (double)NAN;
            const double old = done[l];
            for (int k = 0; k < 9; k++) {
                const double next = 0.5 * m[k] + half * c[k];
                change += (next - m[k]) * (next - m[k]);
                e->r[k][l] = old != 0.0 ? m[k] : next;
            }
            // NaN counts as done.
            const double now = change >= 1e-17 ? 0.0 : 1.0;
            done[l] = old != 0.0 ? old : now;
            left += 1.0 - done[l];
        }
        if (left == 0.0) break;
    }
}

KAI_INLINE void kai_tet4_lanes_force(kai_tet4_lanes* e)
{
#pragma omp simd
    for (int l = 0; l < KAI_TET4_LANES; l++) {
        double p[9], trace = 0.0;
        for (int k = 0; k < 9; k++) trace += e->r[k][l] * e->f[k][l];
        const double pull = e->lambda[l] * (trace - 3.0) - 2.0 * e->mu[l];
        for (int k = 0; k < 9; k++)
            p[k] = -e->volume[l] * (2.0 * e->mu[l] * e->f[k][l] + pull * e->r[k][l]);
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int a = 0; a < 3; a++) {
                const double x = p[3 * i] * e->g[3 * a][l] + p[3 * i + 1] * e->g[3 * a + 1][l] +
                                 p[3 * i + 2] * e->g[3 * a + 2][l];
                e->force[3 * (a + 1) + i][l] = x;
                sum += x;
            }
            e->force[i][l] = -sum;
        }
    }
}

/// Adds -V F (β D Ė) g_a.
KAI_INLINE void kai_tet4_lanes_damp(kai_tet4_lanes* e)
{
#pragma omp simd
    for (int l = 0; l < KAI_TET4_LANES; l++) {
        double rate[9], m[9], s[9], p[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                rate[3 * i + j] = e->v[i][l] * e->g[j][l] + e->v[3 + i][l] * e->g[3 + j][l] +
                                  e->v[6 + i][l] * e->g[6 + j][l];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[3 * i + j] = e->f[i][l] * rate[j] + e->f[3 + i][l] * rate[3 + j] +
                               e->f[6 + i][l] * rate[6 + j];
        const double scale = -e->volume[l] * e->damping[l];
        const double trace = scale * e->lambda[l] * (m[0] + m[4] + m[8]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                s[3 * i + j] =
                    scale * e->mu[l] * (m[3 * i + j] + m[3 * j + i]) + (i == j ? trace : 0.0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                p[3 * i + j] = e->f[3 * i][l] * s[j] + e->f[3 * i + 1][l] * s[3 + j] +
                               e->f[3 * i + 2][l] * s[6 + j];
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int a = 0; a < 3; a++) {
                const double x = p[3 * i] * e->g[3 * a][l] + p[3 * i + 1] * e->g[3 * a + 1][l] +
                                 p[3 * i + 2] * e->g[3 * a + 2][l];
                e->force[3 * (a + 1) + i][l] += x;
                sum += x;
            }
            e->force[i][l] -= sum;
        }
    }
}

/// Where the block of nodes a ≥ b lies.
#define KAI_TET4_BLOCK(a, b) ((a) * ((a) + 1) / 2 + (b))

/// Blocks of nodes 1, 2, 3, times `position`.
KAI_INLINE void kai_tet4_lanes_stiffness(kai_tet4_lanes* e, double position)
{
#pragma omp simd
    for (int l = 0; l < KAI_TET4_LANES; l++) {
        double f[9], r[9], b[9], g[9], y[9], z[9], trace = 0.0;
        for (int k = 0; k < 9; k++) {
            f[k] = e->f[k][l];
            r[k] = e->r[k][l];
            g[k] = e->g[k][l];
            trace += r[k] * f[k];
        }
        // tr U - F Rᵀ, symmetric, and its inverse
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                y[3 * i + j] = (i == j ? trace : 0.0) - f[3 * i] * r[3 * j] -
                               f[3 * i + 1] * r[3 * j + 1] - f[3 * i + 2] * r[3 * j + 2];
        z[0] = y[4] * y[8] - y[5] * y[5];
        z[1] = y[2] * y[5] - y[1] * y[8];
        z[2] = y[1] * y[5] - y[2] * y[4];
        const double weight = position * e->volume[l];
        const double pull = weight * (e->lambda[l] * (trace - 3.0) - 2.0 * e->mu[l]) /
                            (y[0] * z[0] + y[1] * z[1] + y[2] * z[2]);
        z[0] *= pull;
        z[1] *= pull;
        z[2] *= pull;
        z[4] = pull * (y[0] * y[8] - y[2] * y[2]);
        z[5] = pull * (y[1] * y[2] - y[0] * y[5]);
        z[8] = pull * (y[0] * y[4] - y[1] * y[1]);
        z[3] = z[1];
        z[6] = z[2];
        z[7] = z[5];
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < 3; i++)
                b[3 * a + i] =
                    r[3 * i] * g[3 * a] + r[3 * i + 1] * g[3 * a + 1] + r[3 * i + 2] * g[3 * a + 2];
        const double lambda = weight * e->lambda[l], mu = weight * 2.0 * e->mu[l];
        for (int c = 0; c < 3; c++) {
            // Z [b_c]×
            double t[9];
            for (int i = 0; i < 3; i++) {
                t[3 * i] = z[3 * i + 1] * b[3 * c + 2] - z[3 * i + 2] * b[3 * c + 1];
                t[3 * i + 1] = z[3 * i + 2] * b[3 * c] - z[3 * i] * b[3 * c + 2];
                t[3 * i + 2] = z[3 * i] * b[3 * c + 1] - z[3 * i + 1] * b[3 * c];
            }
            for (int a = c; a < 3; a++) {
                const double same = mu * (b[3 * a] * b[3 * c] + b[3 * a + 1] * b[3 * c + 1] +
                                          b[3 * a + 2] * b[3 * c + 2]);
                kai_tet4_lane* out = e->tangent[KAI_TET4_BLOCK(a + 1, c + 1)];
                for (int j = 0; j < 3; j++) {
                    const double far = lambda * b[3 * c + j];
                    out[j][l] = far * b[3 * a] + (j == 0 ? same : 0.0) -
                                (b[3 * a + 1] * t[6 + j] - b[3 * a + 2] * t[3 + j]);
                    out[3 + j][l] = far * b[3 * a + 1] + (j == 1 ? same : 0.0) -
                                    (b[3 * a + 2] * t[j] - b[3 * a] * t[6 + j]);
                    out[6 + j][l] = far * b[3 * a + 2] + (j == 2 ? same : 0.0) -
                                    (b[3 * a] * t[3 + j] - b[3 * a + 1] * t[j]);
                }
            }
        }
    }
}

/// Adds v β V (λ c_a c_bᵀ + μ c_b c_aᵀ + μ g_a·g_b F Fᵀ), c_a = F g_a.
KAI_INLINE void kai_tet4_lanes_viscosity(kai_tet4_lanes* e, double velocity)
{
#pragma omp simd
    for (int l = 0; l < KAI_TET4_LANES; l++) {
        double f[9], c[9], left[9];
        for (int k = 0; k < 9; k++) f[k] = e->f[k][l];
        for (int a = 0; a < 3; a++) {
            for (int i = 0; i < 3; i++) {
                c[3 * a + i] = f[3 * i] * e->g[3 * a][l] + f[3 * i + 1] * e->g[3 * a + 1][l] +
                               f[3 * i + 2] * e->g[3 * a + 2][l];
                left[3 * a + i] =
                    f[3 * a] * f[3 * i] + f[3 * a + 1] * f[3 * i + 1] + f[3 * a + 2] * f[3 * i + 2];
            }
        }
        const double weight = velocity * e->damping[l] * e->volume[l];
        const double lambda = weight * e->lambda[l], mu = weight * e->mu[l];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b <= a; b++) {
                const double dot = mu * (e->g[3 * a][l] * e->g[3 * b][l] +
                                         e->g[3 * a + 1][l] * e->g[3 * b + 1][l] +
                                         e->g[3 * a + 2][l] * e->g[3 * b + 2][l]);
                kai_tet4_lane* out = e->tangent[KAI_TET4_BLOCK(a + 1, b + 1)];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        out[3 * i + j][l] += lambda * c[3 * a + i] * c[3 * b + j] +
                                             mu * c[3 * b + i] * c[3 * a + j] +
                                             dot * left[3 * i + j];
            }
        }
    }
}

/// Rows of node 0: blocks of each column add up to zero.
KAI_INLINE void kai_tet4_lanes_close(kai_tet4_lanes* e)
{
    kai_tet4_lane(*t)[9] = e->tangent;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int ij = 3 * i + j, ji = 3 * j + i;
#pragma omp simd
            for (int l = 0; l < KAI_TET4_LANES; l++) {
                // Block a 0 = -Σ block a b over b = 1, 2, 3
                t[1][ij][l] = -(t[2][ij][l] + t[4][ji][l] + t[7][ji][l]);
                t[3][ij][l] = -(t[4][ij][l] + t[5][ij][l] + t[8][ji][l]);
                t[6][ij][l] = -(t[7][ij][l] + t[8][ij][l] + t[9][ij][l]);
            }
        }
    }
    for (int ij = 0; ij < 9; ij++)
#pragma omp simd
        for (int l = 0; l < KAI_TET4_LANES; l++)
            t[0][ij][l] = -(t[1][ij][l] + t[3][ij][l] + t[6][ij][l]);
}

#endif
