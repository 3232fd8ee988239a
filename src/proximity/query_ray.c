// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Closed forms. A solid is an intersection of a few simple sets, each entered and left once along
// the ray: it is entered where the last of them is, unless another has been left before.
#include "proximity/query_ray.h"

#include "geometry/heightfield.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "proximity/narrow.h"

/// The part of the ray inside of what was intersected so far.
typedef struct span {
    kai_vec3 from, direction;
    double enter, leave;
    kai_vec3 normal; // where it enters
} span;

static span whole(kai_vec3 from, kai_vec3 direction)
{
    return (span){from, direction, -HUGE_VAL, HUGE_VAL, kai_vec3_zero()};
}

static void nothing(span* s)
{
    s->enter = HUGE_VAL;
    s->leave = -HUGE_VAL;
}

/// The half space n · x ≤ offset.
static void cut_plane(span* s, kai_vec3 n, double offset)
{
    const double height = kai_vec3_dot(n, s->from) - offset, rate = kai_vec3_dot(n, s->direction);
    if (rate == 0.0) {
        if (height > 0.0) nothing(s);
        return;
    }
    const double t = -height / rate;
    if (rate > 0.0) {
        s->leave = fmin(s->leave, t);
    } else if (t > s->enter) {
        s->enter = t;
        s->normal = n;
    }
}

/// The set a t² + 2 b t + c ≤ 0, a > 0; returns whether the entry is that of the set.
static bool cut_quadratic(span* s, double a, double b, double c)
{
    const double d = b * b - a * c;
    if (!(a > 0.0)) { // parallel: inside all along, or never
        if (c > 0.0) nothing(s);
        return false;
    }
    if (d < 0.0) {
        nothing(s);
        return false;
    }
    // The root without cancellation first, the other from the product of both.
    const double q = -(b + copysign(sqrt(d), b));
    const double x = q / a, y = q != 0.0 ? c / q : x;
    s->leave = fmin(s->leave, fmax(x, y));
    if (!(fmin(x, y) > s->enter)) return false;
    s->enter = fmin(x, y);
    return true;
}

/// A set that the ray is inside of for `half` to either side of `middle`; returns whether it enters
/// there.
static bool cut_around(span* s, double middle, double half)
{
    if (!(half >= 0.0)) { // not a number: it passes by
        nothing(s);
        return false;
    }
    s->leave = fmin(s->leave, middle + half);
    if (!(middle - half > s->enter)) return false;
    s->enter = middle - half;
    return true;
}

static void cut_ball(span* s, kai_vec3 centre, double radius)
{
    // About the nearest point to the centre, so that a far origin costs no digits.
    const kai_vec3 o = kai_vec3_sub(s->from, centre);
    const double middle = -kai_vec3_dot(o, s->direction);
    const kai_vec3 near = kai_vec3_mul_add(o, s->direction, middle);
    const double half = sqrt(radius * radius - kai_vec3_norm2(near));
    if (!cut_around(s, middle, half)) return;
    s->normal = kai_vec3_scale(kai_vec3_mul_add(near, s->direction, -half), 1.0 / radius);
}

/// The endless cylinder about z.
static void cut_tube(span* s, double radius)
{
    const kai_vec3 o = s->from, d = s->direction;
    const double a = d.x * d.x + d.y * d.y;
    if (a == 0.0) {
        if (o.x * o.x + o.y * o.y > radius * radius) nothing(s);
        return;
    }
    const double middle = -(o.x * d.x + o.y * d.y) / a;
    const double x = o.x + middle * d.x, y = o.y + middle * d.y;
    const double half = sqrt((radius * radius - (x * x + y * y)) / a);
    if (!cut_around(s, middle, half)) return;
    s->normal = kai_vec3_scale(kai_vec3_make(x - half * d.x, y - half * d.y, 0.0), 1.0 / radius);
}

/// The same about another line; `axis` has length 1.
static void cut_tube_about(span* s, kai_vec3 at, kai_vec3 axis, double radius)
{
    const kai_vec3 from = kai_vec3_sub(s->from, at);
    const kai_vec3 o = kai_vec3_mul_add(from, axis, -kai_vec3_dot(from, axis));
    const kai_vec3 d = kai_vec3_mul_add(s->direction, axis, -kai_vec3_dot(s->direction, axis));
    const double a = kai_vec3_norm2(d);
    if (!(a > 1e-30)) {
        if (kai_vec3_norm2(o) > radius * radius) nothing(s);
        return;
    }
    const double middle = -kai_vec3_dot(o, d) / a;
    const kai_vec3 near = kai_vec3_mul_add(o, d, middle);
    const double half = sqrt((radius * radius - kai_vec3_norm2(near)) / a);
    if (!cut_around(s, middle, half)) return;
    s->normal = kai_vec3_scale(kai_vec3_mul_add(near, d, -half), 1.0 / radius);
}

static void cut_slabs(span* s, kai_vec3 half)
{
    for (int k = 0; k < 3; k++) {
        cut_plane(s, kai_vec3_axis(k), kai_vec3_get(half, k));
        cut_plane(s, kai_vec3_neg(kai_vec3_axis(k)), kai_vec3_get(half, k));
    }
}

static void cut_ends(span* s, double half)
{
    cut_plane(s, kai_vec3_axis(2), half);
    cut_plane(s, kai_vec3_neg(kai_vec3_axis(2)), half);
}

/// Tip at z = h, slope r / 2h: x² + y² ≤ (k (h - z))², and below the tip.
static void cut_cone(span* s, double radius, double half)
{
    const double k = radius / (2.0 * half);
    const kai_vec3 o = kai_vec3_sub(s->from, kai_vec3_make(0.0, 0.0, half)), d = s->direction;
    const double a = d.x * d.x + d.y * d.y - k * k * d.z * d.z;
    const double b = o.x * d.x + o.y * d.y - k * k * o.z * d.z;
    const double c = o.x * o.x + o.y * o.y - k * k * o.z * o.z;
    cut_ends(s, half);
    bool side = false;
    if (a > 0.0) {
        side = cut_quadratic(s, a, b, c);
    } else {
        // Steeper than the side, or along it: the cone below the tip has one edge on the ray, which
        // enters there going down and leaves there going up.
        const double q = -(b + copysign(sqrt(fmax(b * b - a * c, 0.0)), b));
        const bool down = d.z < 0.0;
        if (q == 0.0 || (a == 0.0 && down != (b < 0.0))) {
            if (c > 0.0) nothing(s);
            return;
        }
        const double x = c / q, y = a < 0.0 ? q / a : x;
        const double edge = down ? fmax(x, y) : fmin(x, y);
        side = down && edge > s->enter;
        if (side) s->enter = edge;
        if (!down) s->leave = fmin(s->leave, edge);
    }
    if (!side || !(s->enter <= s->leave)) return;
    const kai_vec3 p = kai_vec3_mul_add(o, d, s->enter);
    s->normal = kai_vec3_normalize(kai_vec3_make(p.x, p.y, -k * k * p.z));
    if (kai_vec3_norm2(s->normal) == 0.0) s->normal = kai_vec3_axis(2);
}

static void cut_ellipsoid(span* s, kai_vec3 semi)
{
    const kai_vec3 o = s->from, d = s->direction;
    const kai_vec3 u = kai_vec3_make(o.x / semi.x, o.y / semi.y, o.z / semi.z);
    const kai_vec3 v = kai_vec3_make(d.x / semi.x, d.y / semi.y, d.z / semi.z);
    const double a = kai_vec3_norm2(v), middle = -kai_vec3_dot(u, v) / a;
    const double half = sqrt((1.0 - kai_vec3_norm2(kai_vec3_mul_add(u, v, middle))) / a);
    if (!cut_around(s, middle, half)) return;
    const kai_vec3 w = kai_vec3_mul_add(u, v, s->enter);
    s->normal = kai_vec3_normalize(kai_vec3_make(w.x / semi.x, w.y / semi.y, w.z / semi.z));
}

static void cut_hull(span* s, const kai_hull* hull)
{
    for (uint32_t f = 0; f < hull->face_count; f++)
        cut_plane(s, hull->face_normal[f], hull->face_offset[f]);
}

/// The entry into a span, or HUGE_VAL.
static double entry(const span* s, double limit, kai_vec3* normal)
{
    if (!(s->enter <= s->leave) || s->leave < 0.0 || s->enter > limit) return HUGE_VAL;
    if (s->enter < 0.0) {
        *normal = kai_vec3_neg(s->direction);
        return 0.0;
    }
    *normal = s->normal;
    return s->enter;
}

/// A capsule is a tube between two balls: entered where the first of the three is.
static double enter_capsule(const kai_geometry* g, kai_vec3 from, kai_vec3 direction, double limit,
                            kai_vec3* normal)
{
    double best = HUGE_VAL;
    for (int k = -1; k <= 1; k++) {
        span s = whole(from, direction);
        if (k == 0) {
            cut_tube(&s, g->margin);
            cut_ends(&s, g->size.z);
        } else {
            cut_ball(&s, kai_vec3_make(0.0, 0.0, k * g->size.z), g->margin);
        }
        kai_vec3 n;
        const double t = entry(&s, limit, &n);
        if (t >= best) continue;
        best = t;
        *normal = n;
    }
    return best;
}

// Surfaces ----------------------------------------------------------------------------------------

static kai_vec3 facing(const kai_vec3 c[3], kai_vec3 direction)
{
    const kai_vec3 n = kai_triangle_normal(c);
    return kai_vec3_dot(n, direction) > 0.0 ? kai_vec3_neg(n) : n;
}

/// A sheet: what rays see of a surface with a margin. Each triangle is a slab, three tubes and
/// three balls; the first of them all is met.
typedef struct sheet {
    const kai_mesh* mesh;
    kai_vec3 from, direction;
    double margin, best;
    kai_vec3 normal;
} sheet;

static void keep_first(sheet* s, const span* part)
{
    kai_vec3 n;
    const double t = entry(part, s->best, &n);
    if (!(t < s->best)) return;
    s->best = t;
    s->normal = n;
}

static void try_sheet(sheet* s, const kai_vec3 c[3])
{
    const kai_vec3 n = kai_triangle_normal(c);
    if (kai_vec3_norm2(n) > 0.0) {
        span slab = whole(s->from, s->direction);
        const double height = kai_vec3_dot(n, c[0]);
        cut_plane(&slab, n, height + s->margin);
        cut_plane(&slab, kai_vec3_neg(n), s->margin - height);
        for (int k = 0; k < 3; k++) {
            const kai_vec3 out = kai_vec3_cross(kai_vec3_sub(c[(k + 1) % 3], c[k]), n);
            cut_plane(&slab, out, kai_vec3_dot(out, c[k]));
        }
        keep_first(s, &slab);
    }
    for (int k = 0; k < 3; k++) {
        const kai_vec3 edge = kai_vec3_sub(c[(k + 1) % 3], c[k]);
        const double length = kai_vec3_norm(edge);
        span ball = whole(s->from, s->direction), tube = ball;
        cut_ball(&ball, c[k], s->margin);
        keep_first(s, &ball);
        if (!(length > 0.0)) continue;
        const kai_vec3 axis = kai_vec3_scale(edge, 1.0 / length);
        const double low = kai_vec3_dot(axis, c[k]);
        cut_tube_about(&tube, c[k], axis, s->margin);
        cut_plane(&tube, axis, low + length);
        cut_plane(&tube, kai_vec3_neg(axis), -low);
        keep_first(s, &tube);
    }
}

static void visit_mesh(uint32_t triangle, double* limit, void* context)
{
    sheet* s = context;
    kai_vec3 corners[3];
    kai_mesh_corners(s->mesh, triangle, corners);
    try_sheet(s, corners);
    *limit = fmin(*limit, s->best);
}

static double enter_thick_mesh(const kai_geometry* g, kai_vec3 from, kai_vec3 direction,
                               double limit, kai_vec3* normal)
{
    sheet s = {g->mesh, from, direction, g->margin, HUGE_VAL, kai_vec3_zero()};
    kai_mesh_ray_visit(g->mesh, from, direction, g->margin, limit, visit_mesh, &s);
    *normal = s.normal;
    return s.best <= limit ? s.best : HUGE_VAL;
}

static void visit_field(uint32_t triangle, const kai_vec3 corners[3], void* context)
{
    (void)triangle;
    try_sheet(context, corners);
}

/// The ray is cut to the box around the sheet and looked at in pieces of a few cells, so that one
/// that goes far does not see all of the field.
static double enter_thick_field(const kai_geometry* g, kai_vec3 from, kai_vec3 direction,
                                double limit, kai_vec3* normal)
{
    enum { MOST_PIECES = 1 << 20 };
    const kai_heightfield* f = g->field;
    const kai_vec3 m = kai_vec3_make(g->margin, g->margin, g->margin);
    const kai_vec3 half = kai_vec3_add(kai_vec3_scale(kai_vec3_sub(f->high, f->low), 0.5), m);
    const kai_vec3 middle = kai_vec3_scale(kai_vec3_add(f->high, f->low), 0.5);
    span box = whole(kai_vec3_sub(from, middle), direction);
    cut_slabs(&box, half);
    const double begin = fmax(box.enter, 0.0), end = fmin(box.leave, limit);
    sheet s = {NULL, from, direction, g->margin, HUGE_VAL, kai_vec3_zero()};
    const double piece = 4.0 * fmax(f->spacing_x, f->spacing_y) + 2.0 * g->margin;
    for (int k = 0; k < MOST_PIECES; k++) {
        const double near = begin + k * piece, far = fmin(near + piece, end);
        if (!(near <= end) || s.best <= near) break;
        const kai_vec3 a = kai_vec3_mul_add(from, direction, near),
                       b = kai_vec3_mul_add(from, direction, far);
        kai_heightfield_visit(f, kai_vec3_sub(kai_vec3_min(a, b), m),
                              kai_vec3_add(kai_vec3_max(a, b), m), false, visit_field, &s);
    }
    *normal = s.normal;
    return s.best <= limit ? s.best : HUGE_VAL;
}

static double enter_mesh(const kai_mesh* mesh, kai_vec3 from, kai_vec3 direction, double limit,
                         kai_vec3* normal)
{
    const kai_mesh_hit hit = kai_mesh_ray(mesh, from, direction, limit);
    if (hit.triangle == KAI_MESH_NONE) return HUGE_VAL;
    kai_vec3 corners[3];
    kai_mesh_corners(mesh, hit.triangle, corners);
    *normal = facing(corners, direction);
    return hit.distance;
}

static double enter_field(const kai_heightfield* field, kai_vec3 from, kai_vec3 direction,
                          double limit, kai_vec3* normal)
{
    const kai_heightfield_hit hit = kai_heightfield_ray(field, from, direction, limit);
    if (hit.triangle == UINT32_MAX) return HUGE_VAL;
    kai_vec3 corners[3];
    kai_heightfield_triangle(field, hit.triangle, corners);
    *normal = facing(corners, direction);
    return hit.distance;
}

// Any convex geometry -----------------------------------------------------------------------------

double kai_query_ray_creep(const kai_geometry* geometry, kai_vec3 from, kai_vec3 direction,
                           double limit, kai_vec3* normal)
{
    enum { MOST_STEPS = 200 };
    const kai_geometry point = {.type = KAI_CONVEX_POINT};
    const kai_frame place = kai_frame_identity();
    const double scale =
        1e-13 * (kai_vec3_max_abs(from) + geometry->margin + kai_vec3_max_abs(geometry->size));
    double t = 0.0;
    *normal = kai_vec3_neg(direction);
    for (int step = 0; step < MOST_STEPS; step++) {
        const kai_frame here = {kai_vec3_mul_add(from, direction, t), kai_quat_identity()};
        kai_vec3 n;
        const double gap = kai_narrow_distance(&point, &here, geometry, &place, NULL, NULL, &n);
        if (!(gap > scale)) return gap == gap ? t : HUGE_VAL;
        *normal = kai_vec3_neg(n);
        const double rate = kai_vec3_dot(direction, n);
        if (!(rate > 0.0)) return HUGE_VAL; // the plane between them is never passed
        t += gap / rate;
        if (!(t <= limit)) return HUGE_VAL;
    }
    return HUGE_VAL; // grazes it
}

double kai_query_ray_enter(const kai_geometry* g, kai_vec3 from, kai_vec3 direction, double limit,
                           kai_vec3* normal)
{
    span s = whole(from, direction);
    const bool sharp = g->margin == 0.0;
    switch (g->type) {
    case KAI_CONVEX_POINT: cut_ball(&s, kai_vec3_zero(), g->margin); break;
    case KAI_CONVEX_SEGMENT: return enter_capsule(g, from, direction, limit, normal);
    case KAI_GEOMETRY_PLANE: cut_plane(&s, g->size, g->margin); break;
    case KAI_GEOMETRY_MESH:
        if (!sharp) return enter_thick_mesh(g, from, direction, limit, normal);
        return enter_mesh(g->mesh, from, direction, limit, normal);
    case KAI_GEOMETRY_HEIGHTFIELD:
        if (!sharp) return enter_thick_field(g, from, direction, limit, normal);
        return enter_field(g->field, from, direction, limit, normal);
    default:
        if (!sharp || g->type == KAI_CONVEX_TRIANGLE)
            return kai_query_ray_creep(g, from, direction, limit, normal);
        if (g->type == KAI_CONVEX_BOX) cut_slabs(&s, g->size);
        if (g->type == KAI_CONVEX_HULL) cut_hull(&s, g->hull);
        if (g->type == KAI_CONVEX_CONE) cut_cone(&s, g->size.x, g->size.z);
        if (g->type == KAI_CONVEX_ELLIPSOID) cut_ellipsoid(&s, g->size);
        if (g->type == KAI_CONVEX_CYLINDER) {
            cut_tube(&s, g->size.x);
            cut_ends(&s, g->size.z);
        }
    }
    return entry(&s, limit, normal);
}
