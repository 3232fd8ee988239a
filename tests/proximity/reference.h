// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An independent check of signed distances. It shares no code with src/proximity: supports and
// membership are written anew from the definitions of the shapes.
//
// A gap g > 0 with normal n and points a, b is proved by duality: a and b lie in the shapes and are
// g apart (the distance is at most g), and two planes with normal n lie g apart between the shapes
// (it is at least g). A depth is proved in one direction the same way: the planes show that moving
// by it separates. That no shorter way exists is shown by search: many directions, the best ones
// refined by nested golden sections.
#ifndef TESTS_PROXIMITY_REFERENCE_H
#define TESTS_PROXIMITY_REFERENCE_H

#include "geometry/hull.h"
#include "helper.h"
#include "proximity/narrow.h"

// Support and membership -------------------------------------------------------------------------

/// h(d) = max x · d over the core, in its frame.
HELPER double reference_height(const kai_geometry* g, kai_vec3 d)
{
    const kai_vec3 s = g->size;
    const double rho = hypot(d.x, d.y);
    double most = -HUGE_VAL;
    switch (g->type) {
    case KAI_CONVEX_POINT: return 0.0;
    case KAI_CONVEX_SEGMENT: return s.z * fabs(d.z);
    case KAI_CONVEX_BOX: return s.x * fabs(d.x) + s.y * fabs(d.y) + s.z * fabs(d.z);
    case KAI_CONVEX_CYLINDER: return s.x * rho + s.z * fabs(d.z);
    case KAI_CONVEX_CONE: return fmax(s.z * d.z, s.x * rho - s.z * d.z);
    case KAI_CONVEX_ELLIPSOID:
        return sqrt(s.x * s.x * d.x * d.x + s.y * s.y * d.y * d.y + s.z * s.z * d.z * d.z);
    case KAI_CONVEX_TRIANGLE:
        for (int i = 0; i < 3; i++) most = fmax(most, kai_vec3_dot(g->triangle[i], d));
        return most;
    case KAI_CONVEX_HULL:
        for (uint32_t i = 0; i < g->hull->vertex_count; i++)
            most = fmax(most, kai_vec3_dot(g->hull->vertices[i], d));
        return most;
    default: return (double)NAN;
    }
}

/// How far a point lies outside a core, or a bound that is as good near the surface; <= 0 inside.
HELPER double reference_outside(const kai_geometry* g, kai_vec3 x)
{
    const kai_vec3 s = g->size;
    const double rho = hypot(x.x, x.y);
    double most = -HUGE_VAL;
    switch (g->type) {
    case KAI_CONVEX_POINT: return kai_vec3_norm(x);
    case KAI_CONVEX_SEGMENT: return fmax(rho, fabs(x.z) - s.z);
    case KAI_CONVEX_BOX: return fmax(fabs(x.x) - s.x, fmax(fabs(x.y) - s.y, fabs(x.z) - s.z));
    case KAI_CONVEX_CYLINDER: return fmax(rho - s.x, fabs(x.z) - s.z);
    case KAI_CONVEX_CONE:
        return fmax(-s.z - x.z,
                    ((rho - s.x) * 2.0 * s.z + (x.z + s.z) * s.x) / hypot(2.0 * s.z, s.x));
    case KAI_CONVEX_ELLIPSOID: {
        const double f = kai_vec3_norm(kai_vec3_make(x.x / s.x, x.y / s.y, x.z / s.z));
        return (f - 1.0) * fmin(s.x, fmin(s.y, s.z));
    }
    case KAI_CONVEX_TRIANGLE: {
        const kai_vec3* v = g->triangle;
        const kai_vec3 n =
            kai_vec3_normalize(kai_vec3_cross(kai_vec3_sub(v[1], v[0]), kai_vec3_sub(v[2], v[0])));
        most = fabs(kai_vec3_dot(n, kai_vec3_sub(x, v[0])));
        for (int k = 0; k < 3; k++) {
            const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(v[(k + 1) % 3], v[k]));
            most = fmax(most, kai_vec3_dot(kai_vec3_cross(e, n), kai_vec3_sub(x, v[k])));
        }
        return most;
    }
    case KAI_CONVEX_HULL:
        for (uint32_t i = 0; i < g->hull->face_count; i++)
            most = fmax(most, kai_vec3_dot(g->hull->face_normal[i], x) - g->hull->face_offset[i]);
        return most;
    default: return (double)NAN;
    }
}

// A pair -----------------------------------------------------------------------------------------

typedef struct reference_pair {
    const kai_geometry *a, *b;
    kai_frame fa, fb;
} reference_pair;

/// s(n): width of the gap between the two support planes, n in the world, unit.
HELPER double reference_gap(const reference_pair* p, kai_vec3 n)
{
    const double ha = reference_height(p->a, kai_quat_unrotate(p->fa.rotation, n));
    const double hb = reference_height(p->b, kai_quat_unrotate(p->fb.rotation, kai_vec3_neg(n)));
    const kai_vec3 d = kai_vec3_sub(p->fb.position, p->fa.position);
    return kai_vec3_dot(n, d) - ha - hb - p->a->margin - p->b->margin;
}

/// The best over a square of directions around n (half width w in a tangent plane).
HELPER double reference_golden(const reference_pair* p, kai_vec3 n, kai_vec3 u, kai_vec3 v,
                               double w, bool inner)
{
    const double ratio = 0.61803398874989484820;
    double low = -w, high = w, best = -HUGE_VAL, f[2] = {0.0, 0.0}, x[2];
    int have = -1;
    for (int k = 0; k < 44; k++) {
        x[0] = high - ratio * (high - low);
        x[1] = low + ratio * (high - low);
        for (int i = 0; i < 2; i++) {
            if (i == have) continue;
            const kai_vec3 m = kai_vec3_mul_add(n, u, x[i]);
            f[i] = inner ? reference_gap(p, kai_vec3_normalize(m))
                         : reference_golden(p, m, v, v, w, true);
            best = fmax(best, f[i]);
        }
        if (f[0] > f[1]) {
            high = x[1];
            f[1] = f[0];
            have = 1;
        } else {
            low = x[0];
            f[0] = f[1];
            have = 0;
        }
    }
    return best;
}

/// The signed distance, from below: the widest gap over directions.
HELPER double reference_search(const reference_pair* p, int directions, int refine)
{
    enum { KEEP = 4 };
    kai_vec3 top[KEEP];
    double value[KEEP];
    for (int k = 0; k < KEEP; k++) value[k] = -HUGE_VAL;
    for (int i = 0; i < directions; i++) {
        // A Fibonacci lattice over the sphere.
        const double z = 1.0 - (2.0 * i + 1.0) / directions, r = sqrt(1.0 - z * z);
        const double t = 2.39996322972865332 * i;
        const kai_vec3 n = kai_vec3_make(r * cos(t), r * sin(t), z);
        const double s = reference_gap(p, n);
        if (s <= value[KEEP - 1]) continue;
        int k = KEEP - 1;
        // Of neighbours keep the better one, so that the best places are different hills.
        for (int j = 0; j < KEEP; j++) {
            if (value[j] > -HUGE_VAL && kai_vec3_dot(top[j], n) > 0.97) k = j;
        }
        if (s <= value[k]) continue;
        top[k] = n;
        value[k] = s;
        for (; k > 0 && value[k] > value[k - 1]; k--) {
            const kai_vec3 n1 = top[k];
            const double s1 = value[k];
            top[k] = top[k - 1];
            value[k] = value[k - 1];
            top[k - 1] = n1;
            value[k - 1] = s1;
        }
    }
    double best = value[0];
    const double w = 3.0 / sqrt(directions);
    for (int k = 0; k < refine && value[k] > -HUGE_VAL; k++) {
        const kai_vec3 u = kai_vec3_perpendicular(top[k]), v = kai_vec3_cross(top[k], u);
        best = fmax(best, reference_golden(p, top[k], u, v, w, false));
    }
    return best;
}

#endif
