// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See narrow_axes.h. S. Gottschalk, M. C. Lin, D. Manocha, SIGGRAPH (1996).
#include "proximity/narrow_axes.h"

#include "proximity/narrow_pair.h"

#include <math.h>

/// Edges this close to parallel (squared sine) have no axis of their own: faces speak for them.
#define PARALLEL 1e-14

/// Faces win over edges up to this share of the size, ...
#define PREFER_FACE 1e-10

/// ... and those of a over those of b up to this.
#define PREFER_A 1e-14

#define LANES KAI_NARROW_AXES_LANES

KAI_CLONES void kai_narrow_axes_place(kai_narrow_axes* x)
{
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const kai_quat a = kai_quat_make(x->qa[0][l], x->qa[1][l], x->qa[2][l], x->qa[3][l]);
        const kai_quat b = kai_quat_make(x->qb[0][l], x->qb[1][l], x->qb[2][l], x->qb[3][l]);
        const kai_vec3 d = kai_vec3_make(x->d[0][l], x->d[1][l], x->d[2][l]);
        const kai_mat33 r = kai_quat_to_mat33(kai_quat_mul(kai_quat_conj(a), b));
        const kai_vec3 t = kai_quat_unrotate(a, d);
        x->r[0][l] = r.m[0][0];
        x->r[1][l] = r.m[0][1];
        x->r[2][l] = r.m[0][2];
        x->r[3][l] = r.m[1][0];
        x->r[4][l] = r.m[1][1];
        x->r[5][l] = r.m[1][2];
        x->r[6][l] = r.m[2][0];
        x->r[7][l] = r.m[2][1];
        x->r[8][l] = r.m[2][2];
        x->t[0][l] = t.x;
        x->t[1][l] = t.y;
        x->t[2][l] = t.z;
    }
}

/// The best axis so far.
typedef struct best {
    double gap, second;
    int64_t axis;
} best;

KAI_INLINE void try_face(best* s, double gap, int64_t axis)
{
    const double less = gap < s->gap ? gap : s->gap;
    s->second = less > s->second ? less : s->second;
    s->axis = gap > s->gap ? axis : s->axis;
    s->gap = gap > s->gap ? gap : s->gap;
}

/// The best axis across edges, as a fraction: gap |gap| = above / below, without root or division.
typedef struct best_edges {
    double above, below;
    int64_t axis;
} best_edges;

/// The axis with components x and y in a's plane (u, v), from a to b along one of its two ways:
/// tu, tv of b's centre, au, av half extents of a, b1 m2 + b2 m1 the half width of b.
KAI_INLINE void try_edges(best_edges* s, double x, double y, double tu, double tv, double au,
                          double av, double b1, double m2, double b2, double m1, int64_t axis)
{
    const double sine2 = x * x + y * y;
    const double d = fabs(x * tu + y * tv) - au * fabs(x) - av * fabs(y) - b1 * m2 - b2 * m1;
    const double key = d * fabs(d);
    const double mine = key * s->below, theirs = s->above * sine2;
    const bool wins = (mine > theirs) & (sine2 >= PARALLEL);
    s->above = wins ? key : s->above;
    s->below = wins ? sine2 : s->below;
    s->axis = wins ? axis : s->axis;
}

KAI_CLONES void kai_narrow_axes_separate(kai_narrow_axes* x)
{
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const double a0 = x->a[0][l], a1 = x->a[1][l], a2 = x->a[2][l];
        const double b0 = x->b[0][l], b1 = x->b[1][l], b2 = x->b[2][l];
        const double t0 = x->t[0][l], t1 = x->t[1][l], t2 = x->t[2][l];
        const double r00 = x->r[0][l], r01 = x->r[1][l], r02 = x->r[2][l];
        const double r10 = x->r[3][l], r11 = x->r[4][l], r12 = x->r[5][l];
        const double r20 = x->r[6][l], r21 = x->r[7][l], r22 = x->r[8][l];
        const double m00 = fabs(r00), m01 = fabs(r01), m02 = fabs(r02);
        const double m10 = fabs(r10), m11 = fabs(r11), m12 = fabs(r12);
        const double m20 = fabs(r20), m21 = fabs(r21), m22 = fabs(r22);
        const double most_a = kai_narrow_max(a0, kai_narrow_max(a1, a2));
        const double most_b = kai_narrow_max(b0, kai_narrow_max(b1, b2));
        const double size = kai_narrow_max(most_a, most_b), tie = PREFER_A * size;

        best f = {fabs(t0) - a0 - (b0 * m00 + b1 * m01 + b2 * m02), -HUGE_VAL, 0};
        try_face(&f, fabs(t1) - a1 - (b0 * m10 + b1 * m11 + b2 * m12), 1);
        try_face(&f, fabs(t2) - a2 - (b0 * m20 + b1 * m21 + b2 * m22), 2);
        best g = {fabs(t0 * r00 + t1 * r10 + t2 * r20) - b0 - (a0 * m00 + a1 * m10 + a2 * m20),
                  -HUGE_VAL, 3};
        try_face(&g, fabs(t0 * r01 + t1 * r11 + t2 * r21) - b1 - (a0 * m01 + a1 * m11 + a2 * m21),
                 4);
        try_face(&g, fabs(t0 * r02 + t1 * r12 + t2 * r22) - b2 - (a0 * m02 + a1 * m12 + a2 * m22),
                 5);
        const bool of_b = g.gap - tie > f.gap;
        f.gap = of_b ? g.gap : f.gap;
        f.axis = of_b ? g.axis : f.axis;
        f.second = kai_narrow_max(f.second, g.second);

        // e_i × b_j has components -R(i2, j) along i1 and R(i1, j) along i2.
        const double start = f.gap + PREFER_FACE * size;
        best_edges e = {start * fabs(start), 1.0, -1};
        try_edges(&e, -r20, r10, t1, t2, a1, a2, b1, m02, b2, m01, 6);
        try_edges(&e, -r21, r11, t1, t2, a1, a2, b2, m00, b0, m02, 7);
        try_edges(&e, -r22, r12, t1, t2, a1, a2, b0, m01, b1, m00, 8);
        try_edges(&e, -r00, r20, t2, t0, a2, a0, b1, m12, b2, m11, 9);
        try_edges(&e, -r01, r21, t2, t0, a2, a0, b2, m10, b0, m12, 10);
        try_edges(&e, -r02, r22, t2, t0, a2, a0, b0, m11, b1, m10, 11);
        try_edges(&e, -r10, r00, t0, t1, a0, a1, b1, m22, b2, m21, 12);
        try_edges(&e, -r11, r01, t0, t1, a0, a1, b2, m20, b0, m22, 13);
        try_edges(&e, -r12, r02, t0, t1, a0, a1, b0, m21, b1, m20, 14);
        const double key = e.above / e.below;
        const double gap = copysign(sqrt(fabs(key)), key);
        x->size[l] = size;
        x->face[l] = f.gap;
        x->second[l] = f.second;
        x->which[l] = f.axis;
        x->gap[l] = e.axis < 0 ? f.gap : gap;
        x->axis[l] = e.axis < 0 ? f.axis : e.axis;
    }
}
