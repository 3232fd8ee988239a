// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Forces and tangents of ANCF cables, one element a lane. Source of the energy: J. Gerstmayr, A. A.
// Shabana, "Analysis of thin beams and cables using the absolute nodal co-ordinate formulation",
// Nonlinear Dynamics 45 (2006), pp. 109-130.
//
// With s = x/L in 0…1, a = ∂r/∂s and b = ∂²r/∂s² (cubic Hermite in r₁, r₁', r₂, r₂'):
//
//     W = ∫ ½ EA ε² + ½ EI (κ - κ₀)² dS,   ε = ½ (A/g - 1),   κ² = K + η²,   K = B/A² - C²/A³
//     A = a·a,  B = b·b,  C = a·b,         g = A without deformation,  dS = √g ds
//
// κ = |a × b| / |a|³ does not depend on how the line is parametrised. η (a millionth of 1/L) makes
// κ smooth at K = 0. Strain rates add β ε̇ to ε and β κ̇ to κ - κ₀, with 2 κ κ̇ = ∇K·v. Force on the
// nodes: f = -Σ N ∇A/2 - Σ P ∇K at Gauss points, with
//
//     N = EA (ε + β ε̇) / g,   P = ½ EI (1 - κ₀/κ) + EI β ∇K·v / 4κ²
//     ∇K = (2 K_A a + K_C b, 2 K_B b + K_C a)   for a and b
//
// The tangent has no ∂/∂q of damping: where the line is straight the direction of ∇κ jumps, and
// ∂(β κ̇ ∇κ)/∂q grows as κ̇/κ; one step of a linearly implicit method with it blows up.
//
// As only r₂ - r₁ counts, unknowns are three vectors: d = r₂ - r₁, and both slopes.
//
// Flops of an element: force 5·39 + 3·101 = 500, with the tangent 500 + 5·82 + 3·540 = 2,530.
// Bytes: 40 numbers read, 12 and 144 written.
#ifndef FEA_ANCF_CABLE_LOOPS_H
#define FEA_ANCF_CABLE_LOOPS_H

#include "base/wide.h"
#include "fea/elements/ancf_cable.h"

#include <string.h>

/// Place in a symmetric 3 × 3 block: xx xy xz yy yz zz.
static const uint8_t SYMMETRIC[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
/// Entries of the 9 × 9 tangent that are kept: blocks dd, 11, 22 (6 each), then d1, d2, 12 (9
/// each).
enum { BLOCK_D1 = 18, BLOCK_D2 = 27, BLOCK_12 = 36, KEPT = 45 };

/// Some elements, a lane each.
typedef struct cables {
    wide u[3][3], v[3][3]; // d and slopes, and their velocities
    wide length, damping, smooth;
    wide metric[KAI_ANCF_CABLE_AXIAL], axial[KAI_ANCF_CABLE_AXIAL];
    wide bending[KAI_ANCF_CABLE_BENDING], curvature[KAI_ANCF_CABLE_BENDING];
    wide force[3][3];
    wide tangent[KEPT];
} cables;

/// One Gauss point: shape functions of the three vectors and what they make.
typedef struct point {
    wide first[3], second[3];
    wide a[3], b[3], va[3], vb[3];
} point;

/// From the shape functions n of a unit length to those of each cable, and what they make.
KAI_INLINE void shapes_of(const cables* c, const double n[3], wide shape[3], wide a[3], wide va[3])
{
    shape[0] = n[0] + 0.0 * c->length;
    shape[1] = n[1] * c->length;
    shape[2] = n[2] * c->length;
    for (int k = 0; k < 3; k++) {
        a[k] = n[0] * c->u[0][k] + shape[1] * c->u[1][k] + shape[2] * c->u[2][k];
        va[k] = n[0] * c->v[0][k] + shape[1] * c->v[1][k] + shape[2] * c->v[2][k];
    }
}

KAI_INLINE void shapes_first(const cables* c, double s, point* p)
{
    double n[3];
    kai_ancf_cable_first(s, n);
    shapes_of(c, n, p->first, p->a, p->va);
}

KAI_INLINE void shapes_second(const cables* c, double s, point* p)
{
    double n[3];
    kai_ancf_cable_second(s, n);
    shapes_of(c, n, p->second, p->b, p->vb);
}

/// Adds x h to a block of the tangent that is symmetric, or y to one that is not.
KAI_INLINE void add_axial_tangent(cables* c, const point* p, const wide h[6])
{
    const wide dd = p->first[0] * p->first[0], d1 = p->first[0] * p->first[1],
               d2 = p->first[0] * p->first[2], s1 = p->first[1] * p->first[1],
               s2 = p->first[2] * p->first[2], s12 = p->first[1] * p->first[2];
    for (int k = 0; k < 6; k++) {
        c->tangent[k] += dd * h[k];
        c->tangent[6 + k] += s1 * h[k];
        c->tangent[12 + k] += s2 * h[k];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const wide x = h[SYMMETRIC[i][j]];
            c->tangent[BLOCK_D1 + 3 * i + j] += d1 * x;
            c->tangent[BLOCK_D2 + 3 * i + j] += d2 * x;
            c->tangent[BLOCK_12 + 3 * i + j] += s12 * x;
        }
    }
}

KAI_INLINE void add_axial(cables* c, int i, bool tangent, bool damped, double position,
                          double velocity)
{
    point p;
    shapes_first(c, KAI_ANCF_CABLE_S[i], &p);
    const wide stiff = c->axial[i];
    const wide elastic = 0.5 * stiff * (wide_dot(p.a, p.a) - c->metric[i]);
    const wide n = damped ? elastic + stiff * c->damping * wide_dot(p.a, p.va) : elastic;
    for (int k = 0; k < 3; k++) {
        const wide x = n * p.a[k];
        for (int m = 0; m < 3; m++) c->force[m][k] -= p.first[m] * x;
    }
    if (!tangent) return;
    wide h[6];
    const wide both = stiff * (position + velocity * c->damping);
    for (int k = 0; k < 3; k++) {
        for (int m = k; m < 3; m++) {
            const wide x = both * p.a[k] * p.a[m];
            h[SYMMETRIC[k][m]] = k == m ? x + position * elastic : x;
        }
    }
    add_axial_tangent(c, &p, h);
}

/// ∇²K: blocks aa and bb symmetric, ab not, and ∇K.
typedef struct curvature {
    wide ga[3], gb[3];
    wide aa[6], bb[6], ab[3][3];
} curvature;

/// First derivatives of K, and second ones where they are wanted.
KAI_INLINE wide find_curvature(const point* p, bool tangent, curvature* out)
{
    const wide a = wide_dot(p->a, p->a), b = wide_dot(p->b, p->b), c = wide_dot(p->a, p->b);
    const wide ia = 1.0 / a, ia2 = ia * ia, ia3 = ia2 * ia;
    const wide kc = -2.0 * c * ia3, ka = -2.0 * b * ia3 - 1.5 * kc * c * ia, kb = ia2;
    for (int k = 0; k < 3; k++) {
        out->ga[k] = 2.0 * ka * p->a[k] + kc * p->b[k];
        out->gb[k] = 2.0 * kb * p->b[k] + kc * p->a[k];
    }
    if (tangent) {
        const wide kab = -2.0 * ia3, kcc = kab, kac = 6.0 * c * ia2 * ia2,
                   kaa = 6.0 * b * ia2 * ia2 - 2.0 * kac * c * ia;
        for (int k = 0; k < 3; k++) {
            // rows of the blocks as combinations of a and b
            const wide x = 4.0 * kaa * p->a[k] + 2.0 * kac * p->b[k],
                       y = 2.0 * kac * p->a[k] + kcc * p->b[k];
            for (int m = k; m < 3; m++) {
                const uint8_t at = SYMMETRIC[k][m];
                out->aa[at] = x * p->a[m] + y * p->b[m];
                out->bb[at] = kcc * p->a[k] * p->a[m];
            }
            out->aa[SYMMETRIC[k][k]] += 2.0 * ka;
            out->bb[SYMMETRIC[k][k]] += 2.0 * kb;
            const wide z = 4.0 * kab * p->a[k];
            for (int m = 0; m < 3; m++) out->ab[k][m] = y * p->a[m] + z * p->b[m];
            out->ab[k][k] += kc;
        }
    }
    return b * ia2 + 0.5 * kc * c;
}

/// Adds the blocks to the tangent of the three vectors.
KAI_INLINE void add_bending_tangent(cables* c, const point* p, const curvature* h)
{
    wide g[3][3][3], j[3][3][3]; // of vector m: its rows against a and b
    for (int m = 0; m < 3; m++) {
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < 3; k++) {
                g[m][r][k] = p->first[m] * h->aa[SYMMETRIC[r][k]] + p->second[m] * h->ab[k][r];
                j[m][r][k] = p->first[m] * h->ab[r][k] + p->second[m] * h->bb[SYMMETRIC[r][k]];
            }
        }
    }
    for (int m = 0; m < 3; m++)
        for (int r = 0; r < 3; r++)
            for (int k = r; k < 3; k++)
                c->tangent[6 * m + SYMMETRIC[r][k]] +=
                    g[m][r][k] * p->first[m] + j[m][r][k] * p->second[m];
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            c->tangent[BLOCK_D1 + 3 * r + k] +=
                g[0][r][k] * p->first[1] + j[0][r][k] * p->second[1];
            c->tangent[BLOCK_D2 + 3 * r + k] +=
                g[0][r][k] * p->first[2] + j[0][r][k] * p->second[2];
            c->tangent[BLOCK_12 + 3 * r + k] +=
                g[1][r][k] * p->first[2] + j[1][r][k] * p->second[2];
        }
    }
}

/// h = scale h + square ∇K ∇Kᵀ
KAI_INLINE void combine(curvature* h, wide scale, wide square)
{
    for (int k = 0; k < 3; k++) {
        const wide sa = square * h->ga[k], sb = square * h->gb[k];
        for (int m = 0; m < 3; m++) {
            const uint8_t at = SYMMETRIC[k][m];
            if (m >= k) {
                h->aa[at] = scale * h->aa[at] + sa * h->ga[m];
                h->bb[at] = scale * h->bb[at] + sb * h->gb[m];
            }
            h->ab[k][m] = scale * h->ab[k][m] + sa * h->gb[m];
        }
    }
}

KAI_INLINE void add_bending(cables* c, int i, bool tangent, bool damped, double position,
                            double velocity)
{
    point p;
    shapes_first(c, KAI_ANCF_CABLE_T[i], &p);
    shapes_second(c, KAI_ANCF_CABLE_T[i], &p);
    curvature h;
    const wide square = find_curvature(&p, tangent, &h) + c->smooth;
    const wide inverse = 1.0 / wide_sqrt(square), inverse2 = inverse * inverse;
    const wide ei = c->bending[i], ratio = c->curvature[i] * inverse;
    const wide elastic = 0.5 * ei * (1.0 - ratio);
    const wide slow = 0.25 * ei * c->damping * inverse2;
    const wide push =
        damped ? elastic + slow * (wide_dot(h.ga, p.va) + wide_dot(h.gb, p.vb)) : elastic;
    for (int k = 0; k < 3; k++) {
        const wide x = push * h.ga[k], y = push * h.gb[k];
        for (int m = 0; m < 3; m++) c->force[m][k] -= p.first[m] * x + p.second[m] * y;
    }
    if (!tangent) return;
    combine(&h, position * elastic, position * 0.25 * ei * ratio * inverse2 + velocity * slow);
    add_bending_tangent(c, &p, &h);
}

// Into lanes and back ----------------------------------------------------------------------------

/// Lanes beyond the last element repeat it.
KAI_INLINE void gather(const kai_element_batch* batch, size_t begin, cables* c)
{
    const kai_ancf_cable_data* data = batch->data;
    for (size_t lane = 0; lane < WIDE; lane++) {
        const size_t i = begin + lane < batch->count ? begin + lane : batch->count - 1;
        const double *q = batch->q + 12 * i, *v = batch->v + 12 * i;
        for (int k = 0; k < 3; k++) {
            c->u[0][k][lane] = q[6 + k] - q[k];
            c->u[1][k][lane] = q[3 + k];
            c->u[2][k][lane] = q[9 + k];
            c->v[0][k][lane] = v[6 + k] - v[k];
            c->v[1][k][lane] = v[3 + k];
            c->v[2][k][lane] = v[9 + k];
        }
        const kai_ancf_cable_data* d = &data[i];
        c->length[lane] = d->length;
        c->damping[lane] = d->damping;
        c->smooth[lane] = d->smooth;
        for (int k = 0; k < KAI_ANCF_CABLE_AXIAL; k++) {
            c->metric[k][lane] = d->metric[k];
            c->axial[k][lane] = d->axial[k];
        }
        for (int k = 0; k < KAI_ANCF_CABLE_BENDING; k++) {
            c->bending[k][lane] = d->bending[k];
            c->curvature[k][lane] = d->curvature[k];
        }
    }
}

/// A block of the tangent of the three vectors to where vectors m and n of the element are.
KAI_INLINE void put(double* t, int m, int n, const double block[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) t[12 * (3 * m + r) + 3 * n + k] = block[r][k];
}

/// Blocks of the tangent by vectors of the element: r₁, slope, r₂, slope; r₁ has those of d,
/// negated.
KAI_INLINE void scatter_tangent(const cables* c, size_t lane, bool upper, double* t)
{
    double b[6][3][3], minus[3][3][3], turned[3][3][3]; // dd 11 22 d1 d2 12
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 3; m++) {
                b[m][r][k] = c->tangent[6 * m + SYMMETRIC[r][k]][lane];
                b[3 + m][r][k] = turned[m][k][r] = c->tangent[18 + 9 * m + 3 * r + k][lane];
            }
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            minus[0][r][k] = -b[0][r][k];
            minus[1][r][k] = -b[3][r][k];
            minus[2][r][k] = -b[4][r][k];
        }
    }
    put(t, 0, 0, b[0]), put(t, 0, 1, minus[1]), put(t, 0, 2, minus[0]), put(t, 0, 3, minus[2]);
    put(t, 1, 1, b[1]), put(t, 1, 2, turned[0]), put(t, 1, 3, b[5]);
    put(t, 2, 2, b[0]), put(t, 2, 3, b[4]);
    put(t, 3, 3, b[2]);
    if (upper) return;
    put(t, 2, 0, minus[0]), put(t, 2, 1, b[3]), put(t, 3, 1, turned[2]), put(t, 3, 2, turned[1]);
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            t[12 * (3 + r) + k] = minus[1][k][r];
            t[12 * (9 + r) + k] = minus[2][k][r];
        }
    }
}

KAI_INLINE void scatter(const kai_element_batch* batch, size_t begin, const cables* c)
{
    for (size_t lane = 0; lane < WIDE && begin + lane < batch->count; lane++) {
        double* f = batch->force + 12 * (begin + lane);
        for (int k = 0; k < 3; k++) {
            f[k] = -c->force[0][k][lane];
            f[3 + k] = c->force[1][k][lane];
            f[6 + k] = c->force[0][k][lane];
            f[9 + k] = c->force[2][k][lane];
        }
        if (batch->tangent)
            scatter_tangent(c, lane, batch->upper, batch->tangent + 144 * (begin + lane));
    }
}

static __attribute__((noinline)) void forces(cables* c, bool damped)
{
    for (int i = 0; i < KAI_ANCF_CABLE_AXIAL; i++) add_axial(c, i, false, damped, 0.0, 0.0);
    for (int i = 0; i < KAI_ANCF_CABLE_BENDING; i++) add_bending(c, i, false, damped, 0.0, 0.0);
}

static __attribute__((noinline)) void tangents(cables* c, bool damped, double position,
                                               double velocity)
{
    for (int i = 0; i < KAI_ANCF_CABLE_AXIAL; i++)
        add_axial(c, i, true, damped, position, velocity);
    for (int i = 0; i < KAI_ANCF_CABLE_BENDING; i++)
        add_bending(c, i, true, damped, position, velocity);
}

static void batch_loop(const kai_element_batch* batch)
{
    for (size_t begin = 0; begin < batch->count; begin += WIDE) {
        cables c;
        gather(batch, begin, &c);
        memset(c.force, 0, sizeof c.force);
        bool damped = false;
        for (size_t lane = 0; lane < WIDE; lane++) damped = damped || c.damping[lane] > 0.0;
        if (!batch->tangent) {
            forces(&c, damped);
        } else {
            memset(c.tangent, 0, sizeof c.tangent);
            tangents(&c, damped, batch->position, batch->velocity);
        }
        scatter(batch, begin, &c);
    }
}

#endif
