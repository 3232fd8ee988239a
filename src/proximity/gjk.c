// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See gjk.h. E. G. Gilbert, D. W. Johnson, S. S. Keerthi, IEEE J. Robotics and Automation 4 (1988).
#include "proximity/gjk.h"

#include "proximity/gjk_rim.h"

#include <math.h>
#include <string.h>

// Nearest points of simplices --------------------------------------------------------------------

/// Weights of the point of a simplex nearest to the origin; corners beyond it have weight 0.
typedef struct nearest {
    double weight[4];
    kai_vec3 v;
    double v2;
} nearest;

KAI_INLINE void take_point(const kai_vec3* w, int i, nearest* out)
{
    memset(out->weight, 0, sizeof out->weight);
    out->weight[i] = 1.0;
    out->v = w[i];
    out->v2 = kai_vec3_norm2(w[i]);
}

KAI_INLINE void take_edge(const kai_vec3* w, int i, int j, nearest* out)
{
    const kai_vec3 d = kai_vec3_sub(w[j], w[i]);
    const double n = kai_vec3_norm2(d), x = -kai_vec3_dot(w[i], d);
    if (!(x > 0.0)) {
        take_point(w, i, out);
    } else if (x >= n) {
        take_point(w, j, out);
    } else {
        const double t = x / n;
        memset(out->weight, 0, sizeof out->weight);
        out->weight[i] = 1.0 - t;
        out->weight[j] = t;
        out->v = kai_vec3_mul_add(w[i], d, t);
        out->v2 = kai_vec3_norm2(out->v);
    }
}

/// Keeps the nearer of two candidates.
KAI_INLINE void keep(nearest* best, const nearest* other)
{
    if (other->v2 < best->v2) *best = *other;
}

/// Corner k is the newest one in every use; its opposite edge was the nearest feature before, so
/// only doubtful cases look at it.
KAI_INLINE void take_triangle(const kai_vec3* w, int i, int j, int k, nearest* out)
{
    const kai_vec3 e = kai_vec3_sub(w[j], w[i]), f = kai_vec3_sub(w[k], w[i]);
    const kai_vec3 n = kai_vec3_cross(e, f);
    const double n2 = kai_vec3_norm2(n);
    nearest other;
    // Twice the areas seen from the origin's projection: positive inside.
    const double area_i = kai_vec3_dot(n, kai_vec3_cross(w[j], w[k]));
    const double area_j = kai_vec3_dot(n, kai_vec3_cross(w[k], w[i]));
    const double area_k = n2 - area_i - area_j;
    const bool flat = !(n2 > 1e-28 * kai_vec3_norm2(e) * kai_vec3_norm2(f));
    if (!flat && area_i > 0.0 && area_j > 0.0 && area_k > 0.0) {
        const double h = kai_vec3_dot(w[k], n) / n2;
        memset(out->weight, 0, sizeof out->weight);
        out->weight[i] = area_i / n2;
        out->weight[j] = area_j / n2;
        out->weight[k] = area_k / n2;
        out->v = kai_vec3_scale(n, h);
        out->v2 = kai_vec3_norm2(out->v);
        return;
    }
    out->v2 = HUGE_VAL;
    if (flat || area_i <= 0.0) {
        take_edge(w, j, k, &other);
        keep(out, &other);
    }
    if (flat || area_j <= 0.0) {
        take_edge(w, i, k, &other);
        keep(out, &other);
    }
    if (flat || area_k <= 0.0) {
        take_edge(w, i, j, &other);
        keep(out, &other);
    }
}

/// False when the origin lies inside.
KAI_INLINE bool take_tetrahedron(const kai_vec3* w, nearest* out)
{
    const kai_vec3 e = kai_vec3_sub(w[1], w[0]), f = kai_vec3_sub(w[2], w[0]);
    const kai_vec3 g = kai_vec3_sub(w[3], w[0]);
    const kai_vec3 ef = kai_vec3_cross(e, f);
    const double all = kai_vec3_dot(g, ef);
    // Volumes with each corner replaced by the origin.
    double volume[4];
    volume[1] = -kai_vec3_dot(w[0], kai_vec3_cross(f, g));
    volume[2] = -kai_vec3_dot(w[0], kai_vec3_cross(g, e));
    volume[3] = -kai_vec3_dot(w[0], ef);
    volume[0] =
        -kai_vec3_dot(w[1], kai_vec3_cross(kai_vec3_sub(w[3], w[1]), kai_vec3_sub(w[2], w[1])));
    const double sign = all < 0.0 ? -1.0 : 1.0;
    const double g2 = kai_vec3_norm2(g);
    const bool flat = !(all * all > 1e-28 * g2 * kai_vec3_norm2(ef));
    bool inside = !flat;
    for (int i = 0; i < 4; i++) inside = inside && sign * volume[i] > 0.0;
    if (inside) return false;
    static const int FACES[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    out->v2 = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        if (!flat && sign * volume[i] > 0.0) continue;
        nearest other;
        take_triangle(w, FACES[i][0], FACES[i][1], FACES[i][2], &other);
        keep(out, &other);
    }
    return true;
}

/// Nearest point of the simplex; false when it holds the origin.
KAI_INLINE bool reduce(const kai_gjk_simplex* s, nearest* out)
{
    switch (s->count) {
    case 1: take_point(s->w, 0, out); return true;
    case 2: take_edge(s->w, 0, 1, out); return true;
    case 3: take_triangle(s->w, 0, 1, 2, out); return true;
    default: return take_tetrahedron(s->w, out);
    }
}

/// Drops the corners that do not count.
KAI_INLINE void shrink(kai_gjk_simplex* s, const nearest* v)
{
    int n = 0;
    for (int i = 0; i < s->count; i++) {
        if (!(v->weight[i] > 0.0)) continue;
        s->w[n] = s->w[i];
        s->a[n] = s->a[i];
        s->b[n] = s->b[i];
        s->weight[n] = v->weight[i];
        n++;
    }
    s->count = n;
}

// The loop ---------------------------------------------------------------------------------------

KAI_INLINE void push(const kai_narrow_pair* p, kai_gjk_simplex* s, kai_vec3 v,
                     kai_narrow_hint* hint)
{
    const int k = s->count++;
    s->a[k] = kai_narrow_support_a(p, v, hint);
    s->b[k] = kai_narrow_support_b(p, kai_vec3_neg(v), hint);
    s->w[k] = kai_vec3_sub(s->b[k], s->a[k]);
}

KAI_INLINE bool repeated(const kai_gjk_simplex* s)
{
    const kai_vec3 w = s->w[s->count - 1];
    for (int i = 0; i + 1 < s->count; i++) {
        if (s->w[i].x == w.x && s->w[i].y == w.y && s->w[i].z == w.z) return true;
    }
    return false;
}

KAI_INLINE void finish(const kai_gjk_simplex* s, kai_vec3 v, double length, kai_narrow_witness* out)
{
    kai_vec3 a = kai_vec3_zero();
    for (int i = 0; i < s->count; i++) a = kai_vec3_mul_add(a, s->a[i], s->weight[i]);
    out->gap = length;
    out->normal = kai_vec3_scale(v, 1.0 / length);
    out->a = a;
    out->b = kai_vec3_add(a, v);
}

/// Steps before the first leap on a rim, and between two.
enum { FIRST_LEAP = 2, NEXT_LEAP = 3 };

/// Takes the simplex of a leap where it is nearer.
KAI_INLINE void leap(const kai_narrow_pair* p, kai_gjk_simplex* s, nearest* best)
{
    kai_gjk_simplex far;
    nearest next;
    if (!kai_gjk_rim_leap(p, s, &far) || !reduce(&far, &next)) return;
    if (!(next.v2 < best->v2)) return;
    *s = far;
    *best = next;
    shrink(s, best);
}

KAI_CLONES kai_gjk_state kai_gjk_distance(const kai_narrow_pair* p, kai_gjk_simplex* s,
                                          kai_narrow_hint* hint, kai_narrow_witness* out,
                                          int* steps)
{
    nearest best;
    kai_vec3 v = p->t;
    if (!(kai_vec3_norm2(v) > 0.0)) v = kai_vec3_axis(0);
    s->count = 0;
    push(p, s, v, hint);
    double lower = kai_vec3_dot(v, s->w[0]) / kai_vec3_norm(v);
    double largest = kai_vec3_norm2(s->w[0]);
    take_point(s->w, 0, &best);
    s->weight[0] = 1.0;
    int k = 0, next_leap = kai_gjk_rim_offers(p) ? FIRST_LEAP : KAI_GJK_STEPS;
    for (; k < KAI_GJK_STEPS; k++) {
        if (lower > p->reach) {
            out->gap = lower;
            if (steps) *steps = k;
            return KAI_GJK_FAR;
        }
        v = best.v;
        // Touching to 1e-9: the direction of v has lost its digits.
        if (best.v2 <= 1e-18 * largest) {
            if (steps) *steps = k;
            return KAI_GJK_OVERLAP;
        }
        const double length = sqrt(best.v2);
        push(p, s, v, hint);
        const kai_vec3 w = s->w[s->count - 1];
        largest = kai_narrow_max(largest, kai_vec3_norm2(w));
        const double vw = kai_vec3_dot(v, w);
        lower = kai_narrow_max(lower, vw / length);
        nearest next;
        const double slack = best.v2 - vw;
        if (slack <= 1e-12 * best.v2 + 1e-15 * length * sqrt(largest) || repeated(s)) {
            s->count--;
            break;
        }
        if (!reduce(s, &next)) {
            if (steps) *steps = k;
            return KAI_GJK_OVERLAP;
        }
        if (!(next.v2 < best.v2)) {
            s->count--;
            break;
        }
        best = next;
        shrink(s, &best);
        if (k < next_leap) continue;
        leap(p, s, &best);
        next_leap = k + NEXT_LEAP;
    }
    if (steps) *steps = k;
    const double length = sqrt(best.v2);
    if (length > p->reach) {
        out->gap = length;
        return KAI_GJK_FAR;
    }
    // Next to touching, round cores may end with a direction that is not good enough: the bounds
    // differ. From there on it is the business of EPA, which does not divide by the distance.
    const double scale = sqrt(largest);
    if (length < 1e-6 * scale && length - lower > 1e-9 * scale) return KAI_GJK_OVERLAP;
    finish(s, best.v, length, out);
    return KAI_GJK_NEAR;
}
