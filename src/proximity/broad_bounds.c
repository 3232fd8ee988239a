// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/broad_bounds.h"

#include "geometry/heightfield.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"

/// The box of a height field in its own frame, with the ground under it.
static void field_box(const kai_heightfield* field, kai_vec3* low, kai_vec3* high)
{
    *low = field->low;
    *high = field->high;
    low->z -= 0.5 * fmax(high->x - low->x, high->y - low->y);
}

/// How far a geometry with a middle reaches from it along a world axis, the row of its rotation.
static double half_along(const kai_geometry* g, kai_vec3 row)
{
    const kai_vec3 s = g->size;
    switch (g->type) {
    case KAI_CONVEX_SEGMENT: return fabs(row.z) * s.z;
    case KAI_CONVEX_BOX: return fabs(row.x) * s.x + fabs(row.y) * s.y + fabs(row.z) * s.z;
    case KAI_CONVEX_CYLINDER: return hypot(row.x, row.y) * s.x + fabs(row.z) * s.z;
    case KAI_CONVEX_ELLIPSOID:
        return kai_vec3_norm(kai_vec3_make(row.x * s.x, row.y * s.y, row.z * s.z));
    default: return 0.0;
    }
}

/// The range of a geometry along one world axis, relative to its frame's origin, without margin.
static void range_along(const kai_geometry* g, kai_vec3 row, double* low, double* high)
{
    kai_vec3 l, h;
    switch (g->type) {
    case KAI_CONVEX_CONE: {
        const double tip = row.z * g->size.z, rim = hypot(row.x, row.y) * g->size.x;
        *low = fmin(tip, -tip - rim);
        *high = fmax(tip, -tip + rim);
        return;
    }
    case KAI_CONVEX_TRIANGLE:
        *low = HUGE_VAL, *high = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            const double x = kai_vec3_dot(row, g->triangle[k]);
            *low = fmin(*low, x);
            *high = fmax(*high, x);
        }
        return;
    case KAI_CONVEX_HULL: {
        const kai_hull* hull = g->hull;
        *high = kai_vec3_dot(row, hull->vertices[kai_hull_support(hull, row, 0)]);
        const kai_vec3 back = kai_vec3_neg(row);
        *low = kai_vec3_dot(row, hull->vertices[kai_hull_support(hull, back, 0)]);
        return;
    }
    case KAI_GEOMETRY_MESH: l = g->mesh->low, h = g->mesh->high; break;
    case KAI_GEOMETRY_HEIGHTFIELD: field_box(g->field, &l, &h); break;
    default:
        *high = half_along(g, row);
        *low = -*high;
        return;
    }
    const kai_vec3 half = kai_vec3_scale(kai_vec3_sub(h, l), 0.5);
    const double middle = kai_vec3_dot(row, kai_vec3_lerp(l, h, 0.5));
    const double r = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
    *low = middle - r;
    *high = middle + r;
}

void kai_broad_bounds(const kai_geometry* geometry, const kai_frame* frame, kai_vec3* low,
                      kai_vec3* high)
{
    double l[3], h[3];
    const kai_mat33 r = kai_quat_to_mat33(frame->rotation);
    for (int k = 0; k < 3; k++) {
        l[k] = -HUGE_VAL, h[k] = HUGE_VAL;
        if (geometry->type == KAI_GEOMETRY_PLANE) continue;
        range_along(geometry, kai_mat33_row(r, k), &l[k], &h[k]);
    }
    const double m = geometry->margin;
    *low = kai_vec3_add(frame->position, kai_vec3_make(l[0] - m, l[1] - m, l[2] - m));
    *high = kai_vec3_add(frame->position, kai_vec3_make(h[0] + m, h[1] + m, h[2] + m));
}

static double box_radius(kai_vec3 low, kai_vec3 high)
{
    return kai_vec3_norm(kai_vec3_max(kai_vec3_make(fabs(low.x), fabs(low.y), fabs(low.z)),
                                      kai_vec3_make(fabs(high.x), fabs(high.y), fabs(high.z))));
}

double kai_broad_bounds_radius(const kai_geometry* g)
{
    kai_vec3 low, high;
    double r = 0.0;
    switch (g->type) {
    case KAI_CONVEX_POINT: return g->margin;
    case KAI_CONVEX_SEGMENT: return g->size.z + g->margin;
    case KAI_CONVEX_BOX: return kai_vec3_norm(g->size) + g->margin;
    case KAI_CONVEX_CYLINDER:
    case KAI_CONVEX_CONE: return hypot(g->size.x, g->size.z) + g->margin;
    case KAI_CONVEX_ELLIPSOID: return kai_vec3_max_abs(g->size) + g->margin;
    case KAI_CONVEX_TRIANGLE:
        for (int k = 0; k < 3; k++) r = fmax(r, kai_vec3_norm(g->triangle[k]));
        return r + g->margin;
    case KAI_CONVEX_HULL: return kai_vec3_norm(g->hull->centre) + g->hull->outer_radius + g->margin;
    case KAI_GEOMETRY_MESH: return box_radius(g->mesh->low, g->mesh->high) + g->margin;
    case KAI_GEOMETRY_HEIGHTFIELD:
        field_box(g->field, &low, &high);
        return box_radius(low, high) + g->margin;
    default: return HUGE_VAL;
    }
}
