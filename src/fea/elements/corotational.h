// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Corotational volume elements: linear elasticity in a frame R that turns along, the rotation in
// the mean deformation gradient F̄ = Σ x_a b_aᵀ = R U. In that frame, with K the stiffness at rest:
//
//     y_a = Rᵀ (x_a - x̄),   u_a = y_a - X_a,   W = uᵀ K u / 2,   p = K u
//
// A motion dy turns the frame by ω = Z Σ b_a × dy_a, Z = (tr U - U)⁻¹, and moves u by
// du_a = dy_a + y_a × ω. Hence, exactly and for strains of any size,
//
//     f_a = -R (p_a - n × b_a),        n = Z Σ u_a × p_a
//     d²W = duᵀ K du + ω · Σ C_a dy_a + ω · B ω
//     C_a = 2 [p_a]× + 2 n b_aᵀ - 3/2 b_a nᵀ - 1/2 (b_a · n)
//     B   = Σ sym(p_a y_aᵀ) - p_a · y_a - 1/2 sym([n]× U)
//
// which is K with a correction of rank six: T_ab = K_ab + V_a Ω_b + (V_b Ω_a)ᵀ, Ω_a = Z [b_a]×,
// V = K Q + Cᵀ/2 + Ωᵀ (Qᵀ K Q + B)/2, Q_a = [y_a]×; as K does not see rotations, [u_a]× serves in
// K Q. Damping is β duᵀ K du of the velocity: no rigid motion is damped.
//
// Flops, n nodes: force 18 n² + 90 n + 400; force and tangent 288 n² + 340 n + 500.
#ifndef FEA_COROTATIONAL_H
#define FEA_COROTATIONAL_H

#include "base/simd.h"
#include "fea/elements/polar.h"
#include "fea/elements/volume.h"

#include <string.h>

#define KAI_COROTATIONAL_NODES 20

/// One element at work, in its own frame; coordinates [3][n].
typedef struct kai_corotational {
    const double* mean;
    double r[9], stretch[9], z[9];
    double y[3 * KAI_COROTATIONAL_NODES], u[3 * KAI_COROTATIONAL_NODES];
} kai_corotational;

/// out = K u of a vector [3][n]. K is symmetric: its rows serve as columns.
KAI_INLINE void kai_corotational_times(const double* restrict full, const double* restrict u, int n,
                                       double* restrict out)
{
    for (int i = 0; i < 3; i++) {
        double sum[KAI_COROTATIONAL_NODES] = {0.0};
        for (int j = 0; j < 3; j++) {
            const double* plane = full + (3 * j + i) * n * n;
            for (int b = 0; b < n; b++) {
                const double x = u[j * n + b];
#pragma omp simd
                for (int a = 0; a < n; a++) sum[a] += plane[b * n + a] * x;
            }
        }
        for (int a = 0; a < n; a++) out[i * n + a] = sum[a];
    }
}

/// out = m x and out = mᵀ x of matrices by rows.
KAI_INLINE void kai_corotational_mul(const double m[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
}
KAI_INLINE void kai_corotational_mul_transposed(const double m[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = m[i] * x[0] + m[3 + i] * x[1] + m[6 + i] * x[2];
}

/// Frame and displacements. False when the element is turned inside out.
KAI_INLINE bool kai_corotational_frame(kai_corotational* e, const double* reference,
                                       const double* mean, const double* q, int n)
{
    double centre[3] = {0.0}, f[9] = {0.0};
    e->mean = mean;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) centre[i] += q[3 * a + i] / n;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                f[3 * i + j] += (q[3 * a + i] - centre[i]) * mean[j * n + a];
    if (!kai_polar(f, e->r)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            e->stretch[3 * i + j] =
                e->r[i] * f[j] + e->r[3 + i] * f[3 + j] + e->r[6 + i] * f[6 + j];
    const double trace = e->stretch[0] + e->stretch[4] + e->stretch[8];
    double m[9];
    for (int k = 0; k < 9; k++) m[k] = (k % 4 == 0 ? trace : 0.0) - e->stretch[k];
    kai_polar_inverse(m, e->z);
    for (int a = 0; a < n; a++) {
        const double x[3] = {q[3 * a] - centre[0], q[3 * a + 1] - centre[1],
                             q[3 * a + 2] - centre[2]};
        double y[3];
        kai_corotational_mul_transposed(e->r, x, y);
        for (int i = 0; i < 3; i++) {
            e->y[i * n + a] = y[i];
            e->u[i * n + a] = y[i] - reference[i * n + a];
        }
    }
    return true;
}

/// du of a velocity: dy + y × ω.
KAI_INLINE void kai_corotational_rate(const kai_corotational* e, const double* v, int n, double* du)
{
    double w[3] = {0.0}, omega[3];
    for (int a = 0; a < n; a++) {
        double d[3];
        kai_corotational_mul_transposed(e->r, v + 3 * a, d);
        const double b[3] = {e->mean[a], e->mean[n + a], e->mean[2 * n + a]};
        w[0] += b[1] * d[2] - b[2] * d[1];
        w[1] += b[2] * d[0] - b[0] * d[2];
        w[2] += b[0] * d[1] - b[1] * d[0];
        for (int i = 0; i < 3; i++) du[i * n + a] = d[i];
    }
    kai_corotational_mul(e->z, w, omega);
    for (int a = 0; a < n; a++) {
        const double y[3] = {e->y[a], e->y[n + a], e->y[2 * n + a]};
        du[a] += y[1] * omega[2] - y[2] * omega[1];
        du[n + a] += y[2] * omega[0] - y[0] * omega[2];
        du[2 * n + a] += y[0] * omega[1] - y[1] * omega[0];
    }
}

/// n = Z Σ y_a × p_a.
KAI_INLINE void kai_corotational_moment(const kai_corotational* e, const double* p, int n,
                                        double out[3])
{
    double m[3] = {0.0};
    for (int a = 0; a < n; a++) {
        const double y[3] = {e->y[a], e->y[n + a], e->y[2 * n + a]};
        const double f[3] = {p[a], p[n + a], p[2 * n + a]};
        m[0] += y[1] * f[2] - y[2] * f[1];
        m[1] += y[2] * f[0] - y[0] * f[2];
        m[2] += y[0] * f[1] - y[1] * f[0];
    }
    kai_corotational_mul(e->z, m, out);
}

/// f_a = -R (p_a - n × b_a).
KAI_INLINE void kai_corotational_force(const kai_corotational* e, const double* p, int n,
                                       double* force)
{
    double m[3];
    kai_corotational_moment(e, p, n, m);
    for (int a = 0; a < n; a++) {
        const double b[3] = {e->mean[a], e->mean[n + a], e->mean[2 * n + a]};
        const double g[3] = {-p[a] + m[1] * b[2] - m[2] * b[1],
                             -p[n + a] + m[2] * b[0] - m[0] * b[2],
                             -p[2 * n + a] + m[0] * b[1] - m[1] * b[0]};
        kai_corotational_mul(e->r, g, force + 3 * a);
    }
}

/// Ω_a = Z [b_a]×, by rows.
KAI_INLINE void kai_corotational_turn(const kai_corotational* e, int a, int n, double out[9])
{
    const double b[3] = {e->mean[a], e->mean[n + a], e->mean[2 * n + a]};
    for (int i = 0; i < 3; i++) {
        const double* z = e->z + 3 * i;
        out[3 * i] = z[1] * b[2] - z[2] * b[1];
        out[3 * i + 1] = z[2] * b[0] - z[0] * b[2];
        out[3 * i + 2] = z[0] * b[1] - z[1] * b[0];
    }
}

/// M = material Qᵀ K Q + position B; kq is K Q, three vectors [3][n].
KAI_INLINE void kai_corotational_inner(const kai_corotational* e, const double* p, const double* kq,
                                       const double m[3], double position, double material, int n,
                                       double out[9])
{
    double qkq[9] = {0.0}, b[9] = {0.0}, dot = 0.0;
    for (int a = 0; a < n; a++) {
        const double u[3] = {e->u[a], e->u[n + a], e->u[2 * n + a]};
        for (int k = 0; k < 3; k++) {
            // Qᵀ x = x × y for a vector x
            const double* x = kq + 3 * n * k;
            const double x0 = x[a], x1 = x[n + a], x2 = x[2 * n + a];
            qkq[k] += x1 * u[2] - x2 * u[1];
            qkq[3 + k] += x2 * u[0] - x0 * u[2];
            qkq[6 + k] += x0 * u[1] - x1 * u[0];
        }
        for (int i = 0; i < 3; i++) {
            dot += p[i * n + a] * e->y[i * n + a];
            for (int j = 0; j < 3; j++)
                b[3 * i + j] +=
                    0.5 * (p[i * n + a] * e->y[j * n + a] + p[j * n + a] * e->y[i * n + a]);
        }
    }
    const double* u = e->stretch;
    double nu[9];
    for (int j = 0; j < 3; j++) {
        nu[j] = m[1] * u[6 + j] - m[2] * u[3 + j];
        nu[3 + j] = m[2] * u[j] - m[0] * u[6 + j];
        nu[6 + j] = m[0] * u[3 + j] - m[1] * u[j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = material * 0.5 * (qkq[3 * i + j] + qkq[3 * j + i]) +
                             position * (b[3 * i + j] - (i == j ? dot : 0.0) -
                                         0.25 * (nu[3 * i + j] + nu[3 * j + i]));
}

/// V_a of one node, in the element's frame, by rows.
KAI_INLINE void kai_corotational_low(const kai_corotational* e, const double* p, const double* kq,
                                     const double m[3], const double inner[9], const double turn[9],
                                     double position, double material, int a, int n, double out[9])
{
    const double b[3] = {e->mean[a], e->mean[n + a], e->mean[2 * n + a]};
    const double f[3] = {p[a], p[n + a], p[2 * n + a]};
    const double dot = b[0] * m[0] + b[1] * m[1] + b[2] * m[2];
    const double cross[9] = {0.0, -f[2], f[1], f[2], 0.0, -f[0], -f[1], f[0], 0.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            // C of row k (that of ω) and column i (that of dy): its transpose goes here.
            const double c = 2.0 * cross[3 * k + i] + 2.0 * m[k] * b[i] - 1.5 * b[k] * m[i] -
                             (i == k ? 0.5 * dot : 0.0);
            const double through =
                turn[i] * inner[k] + turn[3 + i] * inner[3 + k] + turn[6 + i] * inner[6 + k];
            out[3 * i + k] =
                material * kq[3 * n * k + i * n + a] + 0.5 * position * c + 0.5 * through;
        }
    }
}

/// Three planes become sums of themselves: row i of `r` has the shares of plane i.
KAI_INLINE void kai_corotational_mix(const double r[9], double weight, int count, double* x,
                                     double* y, double* z)
{
#pragma omp simd
    for (int p = 0; p < count; p++) {
        const double a = weight * x[p], b = weight * y[p], c = weight * z[p];
        x[p] = r[0] * a + r[1] * b + r[2] * c;
        y[p] = r[3] * a + r[4] * b + r[5] * c;
        z[p] = r[6] * a + r[7] * b + r[8] * c;
    }
}

/// R K Rᵀ of all blocks, times `weight`, in place: rows, then columns.
KAI_INLINE void kai_corotational_carry(const double r[9], double weight, int n, double* k)
{
    const int plane = n * n;
    for (int j = 0; j < 3; j++)
        kai_corotational_mix(r, weight, plane, k + j * plane, k + (3 + j) * plane,
                             k + (6 + j) * plane);
    for (int i = 0; i < 3; i++)
        kai_corotational_mix(r, 1.0, plane, k + 3 * i * plane, k + (3 * i + 1) * plane,
                             k + (3 * i + 2) * plane);
}

/// Ω and V of all nodes in world axes, [9][n] each.
KAI_INLINE void kai_corotational_corrections(const kai_corotational* e, const double* p,
                                             const double* kq, double position, double material,
                                             int n, double* turn, double* low)
{
    double m[3], inner[9], own[9], local[9];
    kai_corotational_moment(e, p, n, m);
    kai_corotational_inner(e, p, kq, m, position, material, n, inner);
    for (int a = 0; a < n; a++) {
        kai_corotational_turn(e, a, n, own);
        kai_corotational_low(e, p, kq, m, inner, own, position, material, a, n, local);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                const double *r = e->r + 3 * j, *s = e->r + 3 * i;
                turn[(3 * i + j) * n + a] =
                    own[3 * i] * r[0] + own[3 * i + 1] * r[1] + own[3 * i + 2] * r[2];
                low[(3 * i + j) * n + a] =
                    s[0] * local[j] + s[1] * local[3 + j] + s[2] * local[6 + j];
            }
        }
    }
}

/// Writes the tangent: K in the world and its correction of rank six. Uses up `full`.
KAI_INLINE void kai_corotational_tangent(const kai_corotational* e, const double* p,
                                         const double* kq, double position, double material, int n,
                                         double* full, double* out)
{
    const int rows = 3 * n;
    double turn[9 * KAI_COROTATIONAL_NODES], low[9 * KAI_COROTATIONAL_NODES];
    kai_corotational_corrections(e, p, kq, position, material, n, turn, low);
    kai_corotational_carry(e->r, material, n, full);
    for (int a = 0; a < n; a++) {
        for (int i = 0; i < 3; i++) {
            double row[3 * KAI_COROTATIONAL_NODES];
            const double v0 = low[3 * i * n + a], t0 = turn[i * n + a];
            const double v1 = low[(3 * i + 1) * n + a], t1 = turn[(3 + i) * n + a];
            const double v2 = low[(3 * i + 2) * n + a], t2 = turn[(6 + i) * n + a];
            for (int j = 0; j < 3; j++) {
                const double *k = full + ((3 * i + j) * n + a) * n, *l = low + 3 * j * n;
                const double* t = turn + j * n;
#pragma omp simd
                for (int b = 0; b < n; b++)
                    row[j * n + b] = k[b] + v0 * t[b] + v1 * t[3 * n + b] + v2 * t[6 * n + b] +
                                     l[b] * t0 + l[n + b] * t1 + l[2 * n + b] * t2;
            }
            double* to = out + (3 * a + i) * rows;
            for (int b = 0; b < n; b++)
                for (int j = 0; j < 3; j++) to[3 * b + j] = row[j * n + b];
        }
    }
}

/// Force, and tangent when the batch wants it, of element i. n is known to the compiler.
KAI_INLINE void kai_corotational_element(const double* reference, const double* mean,
                                         const double* stiffness, double damping,
                                         const kai_element_batch* batch, size_t i, int n)
{
    const size_t rows = 3 * (size_t)n;
    double* force = batch->force + i * rows;
    double* tangent = batch->tangent ? batch->tangent + i * rows * rows : NULL;
    kai_corotational e;
    if (!kai_corotational_frame(&e, reference, mean, batch->q + i * rows, n)) {
        for (size_t a = 0; a < rows; a++) force[a] = (double)NAN;
        for (size_t a = 0; tangent && a < rows * rows; a++) tangent[a] = (double)NAN;
        return;
    }
    // Displacement, its rate, and the three turns of it
    double in[5 * 3 * KAI_COROTATIONAL_NODES], out[5 * 3 * KAI_COROTATIONAL_NODES];
    double sum[3 * KAI_COROTATIONAL_NODES];
    double full[9 * KAI_COROTATIONAL_NODES * KAI_COROTATIONAL_NODES];
    const int three = 3 * n;
    memcpy(in, e.u, rows * sizeof *in);
    if (damping != 0.0)
        kai_corotational_rate(&e, batch->v + i * rows, n, in + three);
    else
        memset(in + three, 0, rows * sizeof *in);
    if (!tangent) {
        for (int a = 0; a < three; a++) in[a] += damping * in[three + a];
        kai_corotational_times(stiffness, in, n, out);
        kai_corotational_force(&e, out, n, force);
        return;
    }
    for (int k = 0; k < 3; k++) {
        // u × e_k
        double* q = in + (2 + k) * three;
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        for (int a = 0; a < n; a++) {
            q[k * n + a] = 0.0;
            q[l * n + a] = e.u[m * n + a];
            q[m * n + a] = -e.u[l * n + a];
        }
    }
    for (int k = 0; k < 5; k++)
        if (k != 1 || damping != 0.0)
            kai_corotational_times(stiffness, in + k * three, n, out + k * three);
        else
            memset(out + three, 0, rows * sizeof *out);
    memcpy(full, stiffness, rows * rows * sizeof *full);
    for (int a = 0; a < three; a++) sum[a] = out[a] + damping * out[three + a];
    kai_corotational_force(&e, sum, n, force);
    kai_corotational_tangent(&e, out, out + 2 * three, batch->position,
                             batch->position + batch->velocity * damping, n, full, tangent);
}

#endif
