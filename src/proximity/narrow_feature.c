// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See narrow_feature.h.
#include "proximity/narrow_feature.h"

#include <math.h>

KAI_INLINE void add(kai_narrow_feature* f, kai_vec3 x, uint32_t name)
{
    f->corner[f->count] = x;
    f->name[f->count++] = name;
}

// Boxes ------------------------------------------------------------------------------------------

static kai_vec3 box_corner(kai_vec3 s, uint32_t name)
{
    return kai_vec3_make(name & 1u ? s.x : -s.x, name & 2u ? s.y : -s.y, name & 4u ? s.z : -s.z);
}

static void box(kai_vec3 s, kai_vec3 n, kai_narrow_lean lean, kai_narrow_feature* f)
{
    const double m[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    const int most = m[0] >= m[1] ? (m[0] >= m[2] ? 0 : 2) : (m[1] >= m[2] ? 1 : 2);
    const int least = m[0] < m[1] ? (m[0] < m[2] ? 0 : 2) : (m[1] < m[2] ? 1 : 2);
    const uint32_t up = (n.x > 0.0 ? 1u : 0u) | (n.y > 0.0 ? 2u : 0u) | (n.z > 0.0 ? 4u : 0u);
    if (m[most] >= lean.face) {
        const uint32_t j = 1u << ((most + 1) % 3), k = 1u << ((most + 2) % 3), i = 1u << most;
        const uint32_t base = up & i;
        // Counter-clockwise seen from outside.
        const uint32_t first = base ? j : k, second = base ? k : j;
        f->normal = kai_vec3_scale(kai_vec3_axis(most), base ? 1.0 : -1.0);
        f->id = (uint32_t)most * 2u + (base ? 1u : 0u);
        add(f, box_corner(s, base), base);
        add(f, box_corner(s, base | first), base | first);
        add(f, box_corner(s, base | j | k), base | j | k);
        add(f, box_corner(s, base | second), base | second);
    } else if (m[least] <= lean.edge) {
        const uint32_t i = 1u << least, base = up & ~i;
        f->id = 8u + (uint32_t)least * 8u + base;
        add(f, box_corner(s, base), base);
        add(f, box_corner(s, base | i), base | i);
    } else {
        f->id = 64u + up;
        add(f, box_corner(s, up), up);
    }
}

// Bodies of revolution ---------------------------------------------------------------------------

/// An eight-cornered face inside a disc: its corners do not turn with the direction of contact.
static void disc(double radius, double z, double up, uint32_t id, kai_narrow_feature* f)
{
    static const double C[8] = {1.0,  0.70710678118654752440,  0.0, -0.70710678118654752440,
                                -1.0, -0.70710678118654752440, 0.0, 0.70710678118654752440};
    f->normal = kai_vec3_make(0.0, 0.0, up);
    f->id = id;
    for (uint32_t k = 0; k < 8; k++)
        add(f, kai_vec3_make(radius * C[k], up * radius * C[(k + 6) % 8], z), 8u * id + k);
}

static void cylinder(kai_vec3 s, kai_vec3 n, kai_narrow_lean lean, kai_narrow_feature* f)
{
    const double rho = sqrt(n.x * n.x + n.y * n.y), up = n.z < 0.0 ? -1.0 : 1.0;
    const double x = rho > 0.0 ? s.x * n.x / rho : s.x, y = rho > 0.0 ? s.x * n.y / rho : 0.0;
    if (fabs(n.z) >= lean.face) {
        disc(s.x, up * s.z, up, n.z < 0.0 ? 0u : 1u, f);
    } else if (fabs(n.z) <= lean.edge) {
        f->id = 2u;
        add(f, kai_vec3_make(x, y, -s.z), 100u);
        add(f, kai_vec3_make(x, y, s.z), 101u);
    } else {
        f->id = n.z < 0.0 ? 3u : 4u;
        add(f, kai_vec3_make(x, y, up * s.z), n.z < 0.0 ? 100u : 101u);
    }
}

static void cone(kai_vec3 s, kai_vec3 n, kai_narrow_lean lean, kai_narrow_feature* f)
{
    const double rho = sqrt(n.x * n.x + n.y * n.y), l = sqrt(s.x * s.x + 4.0 * s.z * s.z);
    const double x = rho > 0.0 ? s.x * n.x / rho : s.x, y = rho > 0.0 ? s.x * n.y / rho : 0.0;
    // Sine of the angle to the side's normal (2h, r) / l: > 0 towards the tip.
    const double to_tip = (n.z * 2.0 * s.z - rho * s.x) / l;
    const double facing = (n.z * s.x + rho * 2.0 * s.z) / l;
    if (-n.z >= lean.face) {
        disc(s.x, -s.z, -1.0, 0u, f);
    } else if (facing > 0.0 && fabs(to_tip) <= lean.edge) {
        f->id = 2u;
        add(f, kai_vec3_make(x, y, -s.z), 100u);
        add(f, kai_vec3_make(0.0, 0.0, s.z), 101u);
    } else if (to_tip > 0.0) {
        f->id = 4u;
        add(f, kai_vec3_make(0.0, 0.0, s.z), 101u);
    } else {
        f->id = 3u;
        add(f, kai_vec3_make(x, y, -s.z), 100u);
    }
}

// Polyhedra --------------------------------------------------------------------------------------

static void triangle(const kai_vec3* v, kai_vec3 n, kai_narrow_lean lean, kai_narrow_feature* f)
{
    const kai_vec3 normal =
        kai_vec3_normalize(kai_vec3_cross(kai_vec3_sub(v[1], v[0]), kai_vec3_sub(v[2], v[0])));
    const double facing = kai_vec3_dot(normal, n);
    if (fabs(facing) >= lean.face) {
        const bool back = facing < 0.0;
        f->normal = back ? kai_vec3_neg(normal) : normal;
        f->id = back ? 1u : 0u;
        for (int k = 0; k < 3; k++) {
            const int i = back ? 2 - k : k;
            add(f, v[i], (uint32_t)i);
        }
        return;
    }
    int top = 0, edge = -1;
    double least = lean.edge;
    for (int k = 1; k < 3; k++) {
        if (kai_vec3_dot(v[k], n) > kai_vec3_dot(v[top], n)) top = k;
    }
    for (int k = 1; k < 3; k++) {
        const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(v[(top + k) % 3], v[top]));
        const double x = kai_vec3_norm2(e) > 0.0 ? fabs(kai_vec3_dot(e, n)) : 1.0;
        if (x > least) continue;
        least = x;
        edge = (top + k) % 3;
    }
    f->id = edge < 0 ? 8u + (uint32_t)top : 2u + (uint32_t)(3 - top - edge);
    // Corners in the order of the triangle, so that the edge keeps its names.
    if (edge >= 0 && edge < top) add(f, v[edge], (uint32_t)edge);
    add(f, v[top], (uint32_t)top);
    if (edge > top) add(f, v[edge], (uint32_t)edge);
}

KAI_INLINE void hull_face(const struct kai_hull* h, uint32_t face, kai_narrow_feature* f)
{
    const uint32_t first = h->face_first[face], count = h->face_first[face + 1] - first;
    const uint32_t take = count < KAI_NARROW_CORNERS ? count : KAI_NARROW_CORNERS;
    f->normal = h->face_normal[face];
    f->id = face;
    for (uint32_t k = 0; k < take; k++) {
        const uint32_t i = h->face_vertices[first + (uint32_t)((uint64_t)k * count / take)];
        add(f, h->vertices[i], i);
    }
}

/// The most level face.
KAI_CLONES static void hull_level(const struct kai_hull* h, kai_vec3 n, kai_narrow_feature* f)
{
    f->face = kai_narrow_scan(h->face_lanes, h->face_lane_count, h->face_count, n);
    f->facing = kai_vec3_dot(h->face_normal[f->face], n);
    f->top = UINT32_MAX;
}

/// The farthest vertex: near the most level face, or one of few.
KAI_INLINE uint32_t hull_top(const struct kai_hull* h, kai_vec3 n, uint32_t face)
{
    if (h->lane_count <= 64u) return kai_narrow_hull_scan(h, n);
    return kai_narrow_hull_climb(h, n, h->face_vertices[h->face_first[face]]);
}

KAI_CLONES static void hull(const struct kai_hull* h, kai_vec3 n, kai_narrow_lean lean,
                            kai_narrow_feature* f)
{
    uint32_t other = UINT32_MAX;
    if (f->facing >= lean.face) {
        hull_face(h, f->face, f);
        return;
    }
    if (f->top == UINT32_MAX) f->top = hull_top(h, n, f->face);
    const uint32_t top = f->top;
    const kai_vec3 at = h->vertices[top];
    double least = lean.edge < 0.0 ? -1.0 : lean.edge * lean.edge; // squares of sines
    for (uint32_t k = h->neighbour_first[top]; k < h->neighbour_first[top + 1]; k++) {
        const kai_vec3 e = kai_vec3_sub(h->vertices[h->neighbours[k]], at);
        const double x = kai_vec3_dot(e, n), length2 = kai_vec3_norm2(e);
        if (x * x > least * length2) continue;
        least = x * x / length2;
        other = h->neighbours[k];
    }
    const bool edge = other != UINT32_MAX;
    const uint32_t i = edge && other < top ? other : top, j = i == top ? other : top;
    f->id = edge ? 0x40000000u + i * 31u + j : 0x20000000u + top;
    add(f, h->vertices[i], i);
    if (edge) add(f, h->vertices[j], j);
}

// All --------------------------------------------------------------------------------------------

void kai_narrow_feature_find(const kai_geometry* g, kai_vec3 n, kai_narrow_lean lean,
                             kai_narrow_feature* out)
{
    if (g->type == KAI_CONVEX_HULL) hull_level(g->hull, n, out);
    kai_narrow_feature_again(g, n, lean, out);
}

void kai_narrow_feature_again(const kai_geometry* g, kai_vec3 n, kai_narrow_lean lean,
                              kai_narrow_feature* out)
{
    kai_narrow_hint hint = {0, 0};
    out->count = 0;
    out->id = 0;
    out->normal = n;
    switch (g->type) {
    case KAI_CONVEX_SEGMENT:
        if (fabs(n.z) > lean.edge) break;
        add(out, kai_vec3_make(0.0, 0.0, -g->size.z), 0);
        add(out, kai_vec3_make(0.0, 0.0, g->size.z), 1);
        return;
    case KAI_CONVEX_BOX: box(g->size, n, lean, out); return;
    case KAI_CONVEX_CYLINDER: cylinder(g->size, n, lean, out); return;
    case KAI_CONVEX_CONE: cone(g->size, n, lean, out); return;
    case KAI_CONVEX_TRIANGLE: triangle(g->triangle, n, lean, out); return;
    case KAI_CONVEX_HULL: hull(g->hull, n, lean, out); return;
    default: break;
    }
    add(out, kai_narrow_support(g, n, &hint.a), g->type == KAI_CONVEX_SEGMENT && n.z > 0.0);
    out->id = out->name[0];
}

double kai_narrow_feature_radius(const kai_geometry* g, int count, kai_vec3 n, kai_vec3 x)
{
    const kai_vec3 s = g->size;
    if (count > 2) return HUGE_VAL;
    if (count == 2 && g->type == KAI_CONVEX_CYLINDER) return s.x;
    if (count == 2 && g->type == KAI_CONVEX_CONE) // distance from the axis, along the normal
        return sqrt(x.x * x.x + x.y * x.y) * sqrt(1.0 + 0.25 * s.x * s.x / (s.z * s.z));
    if (g->type == KAI_CONVEX_ELLIPSOID) {
        // Radii are eigenvalues of the Hessian of h(n) = |D n|: their sum and product are known.
        const kai_vec3 e = kai_vec3_make(s.x * n.x, s.y * n.y, s.z * n.z);
        const kai_vec3 q = kai_vec3_make(s.x * e.x, s.y * e.y, s.z * e.z);
        const double h = kai_vec3_norm(e);
        const double sum = kai_vec3_norm2(s) / h - kai_vec3_norm2(q) / (h * h * h);
        const double root = s.x * s.y * s.z / (h * h), product = root * root;
        const double larger = 0.5 * sum + sqrt(kai_narrow_max(0.25 * sum * sum - product, 0.0));
        return product / larger;
    }
    return 0.0;
}
