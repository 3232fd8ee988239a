// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See narrow_smooth.h.
#include "proximity/narrow_smooth.h"

#include <math.h>

/// A symmetric 2 × 2 matrix.
typedef struct sym2 {
    double xx, xy, yy;
} sym2;

/// Adds the Hessian of a core's support function at the unit direction n, over the tangents u, v.
KAI_INLINE void add_hessian(const kai_geometry* g, kai_vec3 n, kai_vec3 u, kai_vec3 v, sym2* h)
{
    const kai_vec3 s = g->size;
    if (g->type == KAI_CONVEX_ELLIPSOID) {
        const kai_vec3 dn = kai_vec3_make(s.x * n.x, s.y * n.y, s.z * n.z);
        const kai_vec3 du = kai_vec3_make(s.x * u.x, s.y * u.y, s.z * u.z);
        const kai_vec3 dv = kai_vec3_make(s.x * v.x, s.y * v.y, s.z * v.z);
        const double k2 = 1.0 / kai_vec3_norm2(dn), k = sqrt(k2);
        const double x = kai_vec3_dot(du, dn), y = kai_vec3_dot(dv, dn);
        h->xx += k * (kai_vec3_norm2(du) - x * x * k2);
        h->xy += k * (kai_vec3_dot(du, dv) - x * y * k2);
        h->yy += k * (kai_vec3_norm2(dv) - y * y * k2);
    } else if (g->type == KAI_CONVEX_CYLINDER || g->type == KAI_CONVEX_CONE) {
        const double rho2 = n.x * n.x + n.y * n.y;
        if (!(rho2 > 1e-20)) return;
        if (g->type == KAI_CONVEX_CONE && 2.0 * s.z * n.z >= s.x * sqrt(rho2)) return;
        // Only turning about the axis moves the support point.
        const double k = s.x / (rho2 * sqrt(rho2));
        const double x = n.x * u.y - n.y * u.x, y = n.x * v.y - n.y * v.x;
        h->xx += k * x * x;
        h->xy += k * x * y;
        h->yy += k * y * y;
    }
}

double kai_narrow_smooth_ball(const kai_geometry* g)
{
    if (g->type != KAI_CONVEX_ELLIPSOID) return 0.0;
    const kai_vec3 s = g->size;
    const double low = kai_narrow_min(s.x, kai_narrow_min(s.y, s.z)),
                 high = kai_narrow_max(s.x, kai_narrow_max(s.y, s.z));
    return low * low / high;
}

/// Support points and gap at a normal.
typedef struct place {
    kai_vec3 n, a, b, w;
    double s;
} place;

KAI_INLINE void look(const kai_narrow_pair* p, kai_vec3 n, kai_narrow_hint* hint, place* out)
{
    out->n = n;
    out->a = kai_narrow_support_a(p, n, hint);
    out->b = kai_narrow_support_b(p, kai_vec3_neg(n), hint);
    out->w = kai_vec3_sub(out->b, out->a);
    out->s = kai_vec3_dot(out->w, n);
}

/// Runs Newton's method; stops early once s exceeds `enough`. True at a local maximum.
KAI_INLINE bool climb(const kai_narrow_pair* p, place* at, kai_narrow_hint* hint, double enough,
                      int most)
{
    const double tiny = 1e-14 * p->size;
    for (int k = 0; k < most; k++) {
        kai_vec3 u, v;
        sym2 h = {at->s, 0.0, at->s};
        kai_narrow_tangents(at->n, &u, &v);
        const double x = kai_vec3_dot(at->w, u), y = kai_vec3_dot(at->w, v);
        const kai_vec3 nb = kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, at->n));
        add_hessian(p->a, at->n, u, v, &h);
        add_hessian(p->b, nb, kai_mat33_transpose_mul_vec(p->r, u),
                    kai_mat33_transpose_mul_vec(p->r, v), &h);
        const double det = h.xx * h.yy - h.xy * h.xy;
        const bool hill = h.xx + h.yy > 0.0 && det > 0.0;
        const double slope2 = x * x + y * y;
        if (slope2 <= tiny * tiny) return hill;
        double du = 0.0, dv = 0.0;
        if (hill) {
            du = (h.yy * x - h.xy * y) / det;
            dv = (h.xx * y - h.xy * x) / det;
        }
        const double step2 = du * du + dv * dv;
        if (!hill || step2 > 0.25) {
            // Not a hill here: along the slope, half a radian at most.
            const double scale = 0.5 / sqrt(hill ? step2 : slope2);
            du = (hill ? du : x) * scale;
            dv = (hill ? dv : y) * scale;
        }
        place next;
        double rise = -1.0;
        for (int half = 0; half < 6; half++) {
            const kai_vec3 n = kai_vec3_mul_add(kai_vec3_mul_add(at->n, u, du), v, dv);
            look(p, kai_vec3_scale(n, 1.0 / kai_vec3_norm(n)), hint, &next);
            rise = next.s - at->s;
            if (rise > 0.0) break;
            // At the top to rounding: the step changes s by less than its last digits.
            if (hill && step2 < 1e-12) return true;
            du *= 0.3;
            dv *= 0.3;
        }
        if (!(rise > 0.0)) return false;
        *at = next;
        if (at->s > enough) return false;
    }
    return false;
}

/// A place as a witness: b lies exactly gap n from a.
static void finish(const place* at, kai_narrow_witness* out)
{
    // What is left of w across n is below 1e-8 of the size; it is shared between both points.
    const kai_vec3 middle = kai_vec3_scale(kai_vec3_add(at->a, at->b), 0.5);
    out->gap = at->s;
    out->normal = at->n;
    out->a = kai_vec3_mul_add(middle, at->n, -0.5 * at->s);
    out->b = kai_vec3_mul_add(middle, at->n, 0.5 * at->s);
}

bool kai_narrow_smooth_refine(const kai_narrow_pair* p, kai_vec3 n, kai_narrow_hint* hint,
                              kai_narrow_witness* out)
{
    place at;
    look(p, n, hint, &at);
    if (!climb(p, &at, hint, HUGE_VAL, 12)) return false;
    const kai_vec3 across = kai_vec3_mul_add(at.w, at.n, -at.s);
    if (kai_vec3_norm2(across) > 1e-14 * p->size * p->size) return false;
    finish(&at, out);
    return true;
}

KAI_CLONES void kai_narrow_smooth_ellipsoids(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    place at;
    kai_narrow_hint hint = {0, 0};
    const double distance = kai_vec3_norm(p->t);
    if (distance > 1e-9 * p->size) {
        look(p, kai_vec3_scale(p->t, 1.0 / distance), &hint, &at);
        out->gap = at.s;
        if (at.s > p->reach) return;
        const bool top = climb(p, &at, &hint, p->reach, 20);
        out->gap = at.s;
        if (at.s > p->reach) return;
        // Up to this depth the cores, shrunk by a ball that rolls inside both, are disjoint: s has
        // one maximum only.
        const double ball = kai_narrow_smooth_ball(p->a) + kai_narrow_smooth_ball(p->b);
        if (top && at.s > -ball) {
            finish(&at, out);
            return;
        }
    }
    kai_narrow_convex(p, out);
}
