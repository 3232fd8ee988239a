// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Single triangles.
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include <kairos/math.h>

/// Twice the area of a triangle as a vector along its normal, and that normal.
static inline kai_vec3 kai_triangle_area(const kai_vec3 c[3])
{
    return kai_vec3_cross(kai_vec3_sub(c[1], c[0]), kai_vec3_sub(c[2], c[0]));
}
static inline kai_vec3 kai_triangle_normal(const kai_vec3 c[3])
{
    return kai_vec3_normalize(kai_triangle_area(c));
}

/// Whether the box around a triangle meets another.
static inline bool kai_triangle_box_meets(const kai_vec3 c[3], kai_vec3 low, kai_vec3 high)
{
    const kai_vec3 l = kai_vec3_min(c[0], kai_vec3_min(c[1], c[2]));
    const kai_vec3 h = kai_vec3_max(c[0], kai_vec3_max(c[1], c[2]));
    return l.x <= high.x && l.y <= high.y && l.z <= high.z && h.x >= low.x && h.y >= low.y &&
           h.z >= low.z;
}

/// The point of segment a b nearest to p.
static inline kai_vec3 kai_triangle_edge_nearest(kai_vec3 a, kai_vec3 b, kai_vec3 p)
{
    const kai_vec3 d = kai_vec3_sub(b, a);
    const double n2 = kai_vec3_norm2(d);
    if (!(n2 > 0.0)) return a;
    const double t = kai_vec3_dot(kai_vec3_sub(p, a), d) / n2;
    return t <= 0.0 ? a : t >= 1.0 ? b : kai_vec3_mul_add(a, d, t);
}

/// The point of triangle a b c nearest to p. A triangle without area is its longest edges.
static inline kai_vec3 kai_triangle_nearest(kai_vec3 a, kai_vec3 b, kai_vec3 c, kai_vec3 p)
{
    const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(b, a), kai_vec3_sub(c, a));
    const double n2 = kai_vec3_norm2(n);
    if (n2 > 0.0) {
        // Inside the prism over the triangle its plane is nearest.
        const kai_vec3 corner[3] = {a, b, c};
        bool inside = true;
        for (int k = 0; k < 3 && inside; k++) {
            const kai_vec3 edge = kai_vec3_sub(corner[(k + 1) % 3], corner[k]);
            inside = kai_vec3_dot(kai_vec3_cross(n, edge), kai_vec3_sub(p, corner[k])) >= 0.0;
        }
        if (inside) return kai_vec3_mul_add(p, n, -kai_vec3_dot(n, kai_vec3_sub(p, a)) / n2);
    }
    kai_vec3 best = kai_triangle_edge_nearest(a, b, p);
    const kai_vec3 others[2] = {kai_triangle_edge_nearest(b, c, p),
                                kai_triangle_edge_nearest(c, a, p)};
    for (int k = 0; k < 2; k++)
        if (kai_vec3_distance(others[k], p) < kai_vec3_distance(best, p)) best = others[k];
    return best;
}

#endif
