// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two surfaces: mesh on mesh, mesh on height field, height field on plane.
//
// Two polyhedra touch at a vertex of one and the surface of the other, or where two edges cross.
// So there is a contact for
//
//   every vertex whose signed distance to the other surface is within reach, along the way to its
//   nearest point there: negative inside a closed mesh or below a height field;
//   every two edges whose common perpendicular meets both between their ends, along it, where each
//   surface may have that normal at its edge: between those of the edge's two triangles. Edges that
//   have passed each other count only where each goes through a triangle at the other one.
//
// Separate surfaces are as far apart as the least of these. Sheets (open meshes) have two sides;
// the one where the other body's middle lies is outside. A thin part that has gone right through
// another one, with no vertex inside and no edges that cross, is not found.
//
// Trees: triangles of a near b's box come from a's tree, and each asks b's tree for its
// neighbourhood; the nearest point of a vertex comes from the tree.
#include "geometry/heightfield.h"
#include "geometry/mesh.h"
#include "geometry/triangle.h"
#include "proximity/manifold_reduce.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Candidates kept between two reductions.
#define LIST 48

/// A normal this far (sine) from where it may lie is taken for rounding.
#define LEAN 1e-7

/// A vertex deeper below a height field than this many cells is moved out at the cell above it.
#define DEEP 4.0

/// Edges are met between their ends, not at them: those are vertices.
#define END 1e-9

/// A surface in its own frame: a mesh, or a height field when that is NULL.
typedef struct surface {
    const struct kai_mesh* mesh;
    const struct kai_heightfield* field;
    kai_vec3 low, high, middle;
    bool solid; // has an inside
    double margin;
} surface;

typedef struct search {
    const kai_narrow_pair* pair;
    surface a, b;
    bool swapped; // vertices are those of b
    int count;
    double apart;
    kai_contact contacts[LIST + 1];
} search;

static surface surface_of(const kai_geometry* g)
{
    surface s = {.margin = g->margin, .solid = true};
    if (g->type == KAI_GEOMETRY_MESH) {
        s.mesh = g->mesh;
        s.low = g->mesh->low, s.high = g->mesh->high;
        s.solid = g->mesh->closed;
    } else {
        s.field = g->field;
        s.low = g->field->low, s.high = g->field->high;
    }
    s.middle = kai_vec3_lerp(s.low, s.high, 0.5);
    return s;
}

static void corners_of(const surface* s, uint32_t t, kai_vec3 out[3])
{
    if (s->mesh)
        kai_mesh_corners(s->mesh, t, out);
    else
        kai_heightfield_triangle(s->field, t, out);
}

static uint32_t neighbour_of(const surface* s, uint32_t t, int k)
{
    if (s->mesh) return s->mesh->neighbours[t][k];
    uint32_t n[3];
    kai_heightfield_neighbours(s->field, t, n);
    return n[k];
}

static kai_vec3 box_by(double x) { return kai_vec3_make(x, x, x); }

// Contacts ----------------------------------------------------------------------------------------

/// Adds a contact of cores: points in a's frame, unit normal from a to b.
static void add(search* s, kai_vec3 on_a, kai_vec3 on_b, kai_vec3 normal, double gap, bool flat_a,
                bool flat_b, uint32_t feature)
{
    const double ma = s->a.margin, mb = s->b.margin;
    s->contacts[s->count++] = (kai_contact){.point_a = kai_vec3_mul_add(on_a, normal, ma),
                                            .point_b = kai_vec3_mul_add(on_b, normal, -mb),
                                            .normal = normal,
                                            .gap = gap - ma - mb,
                                            .radius_a = flat_a ? HUGE_VAL : ma,
                                            .radius_b = flat_b ? HUGE_VAL : mb,
                                            .feature = feature};
    if (s->count <= LIST) return;
    kai_manifold few;
    kai_manifold_reduce(s->contacts, s->count, KAI_MANIFOLD_MOST, s->apart, &few);
    for (int i = 0; i < few.count; i++) s->contacts[i] = few.contacts[i];
    s->count = few.count;
}

// Vertices ----------------------------------------------------------------------------------------

/// The point of a surface that is nearest to another point.
typedef struct foot {
    double distance; // negative inside
    kai_vec3 point, outward;
    bool flat; // inside a triangle, not on an edge
} foot;

/// The sum of normals around corner k of a triangle, each by its angle: on which side of it a point
/// lies whose nearest point is the corner. False in *whole where the surface ends there.
static kai_vec3 corner_normal(const struct kai_mesh* m, uint32_t first, int k, bool* whole)
{
    const uint32_t vertex = m->triangles[first][k];
    kai_vec3 sum = kai_vec3_zero();
    uint32_t t = first;
    for (uint32_t step = 0; step < m->triangle_count; step++) {
        kai_vec3 c[3];
        kai_mesh_corners(m, t, c);
        const kai_vec3 u = kai_vec3_normalize(kai_vec3_sub(c[(k + 1) % 3], c[k]));
        const kai_vec3 v = kai_vec3_normalize(kai_vec3_sub(c[(k + 2) % 3], c[k]));
        const double angle = atan2(kai_vec3_norm(kai_vec3_cross(u, v)), kai_vec3_dot(u, v));
        sum = kai_vec3_mul_add(sum, kai_triangle_normal(c), angle);
        t = m->neighbours[t][k];
        if (t == KAI_MESH_NONE) {
            *whole = false;
            break;
        }
        if (t == first) break;
        k = m->triangles[t][0] == vertex ? 0 : m->triangles[t][1] == vertex ? 1 : 2;
    }
    return sum;
}

/// The normal of a mesh at a point of triangle t, for telling sides; *flat and *whole (not on a
/// border) as a by-product.
static kai_vec3 side_normal(const struct kai_mesh* m, uint32_t t, kai_vec3 x, bool* flat,
                            bool* whole)
{
    kai_vec3 c[3];
    bool on[3];
    kai_mesh_corners(m, t, c);
    const kai_vec3 n = kai_triangle_normal(c);
    *whole = true;
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_sub(c[(k + 1) % 3], c[k]);
        const kai_vec3 in = kai_vec3_cross(n, e);
        on[k] = kai_vec3_dot(in, kai_vec3_sub(x, c[k])) <= 1e-12 * kai_vec3_norm2(e);
    }
    *flat = !(on[0] || on[1] || on[2]);
    for (int k = 0; k < 3; k++) // corner k is on the edge before it and the one behind
        if (on[k] && on[(k + 2) % 3]) return corner_normal(m, t, k, whole);
    for (int k = 0; k < 3; k++) {
        if (!on[k]) continue;
        const uint32_t other = m->neighbours[t][k];
        *whole = other != KAI_MESH_NONE;
        if (!*whole) return n;
        kai_mesh_corners(m, other, c);
        return kai_vec3_add(n, kai_triangle_normal(c));
    }
    return n;
}

static bool foot_on_mesh(const surface* s, kai_vec3 x, kai_vec3 middle, foot* out)
{
    double distance;
    bool whole;
    const uint32_t t = kai_mesh_nearest_triangle(s->mesh, x, HUGE_VAL, &distance, &out->point);
    if (t == KAI_MESH_NONE) return false;
    kai_vec3 n = side_normal(s->mesh, t, out->point, &out->flat, &whole);
    const kai_vec3 d = kai_vec3_sub(x, out->point);
    double side = kai_vec3_dot(n, d);
    if (!s->solid) {
        // Beside a sheet is outside of it.
        const double home = kai_vec3_dot(n, kai_vec3_sub(middle, out->point));
        if (home < 0.0) n = kai_vec3_neg(n), side = -side;
        if (!whole) side = 0.0;
    }
    const double sign = side < 0.0 ? -1.0 : 1.0;
    out->distance = sign * distance;
    // The way to a point of a triangle is its normal; one to an edge, too short, is rounding.
    out->outward = kai_vec3_normalize(n);
    if (!out->flat && distance > 1e-9 * kai_vec3_distance(s->low, s->high))
        out->outward = kai_vec3_scale(d, sign / distance);
    return true;
}

typedef struct nearest {
    kai_vec3 x;
    double distance;
    foot* out;
} nearest;

static void weigh(uint32_t triangle, const kai_vec3 c[3], void* context)
{
    (void)triangle;
    nearest* n = context;
    const kai_vec3 p = kai_triangle_nearest(c[0], c[1], c[2], n->x);
    const double d = kai_vec3_distance(p, n->x);
    if (!(d < n->distance)) return;
    n->distance = d;
    n->out->point = p;
    n->out->outward = kai_triangle_normal(c);
    n->out->flat = fabs(fabs(kai_vec3_dot(n->out->outward, kai_vec3_sub(n->x, p))) - d) <= 1e-9 * d;
}

static bool foot_on_field(const surface* s, kai_vec3 x, double reach, foot* out)
{
    const struct kai_heightfield* f = s->field;
    const double height = kai_heightfield_height(f, x.x, x.y), depth = height - x.z;
    const bool below = depth > 0.0;
    nearest n = {.x = x, .distance = HUGE_VAL, .out = out};
    double look = below ? depth : reach;
    if (below) look = fmin(look, DEEP * fmin(f->spacing_x, f->spacing_y));
    kai_heightfield_visit(f, kai_vec3_sub(x, box_by(look)), kai_vec3_add(x, box_by(look)), below,
                          weigh, &n);
    if (!(n.distance < HUGE_VAL)) return false;
    out->distance = below ? -n.distance : n.distance;
    if (!out->flat && n.distance > 1e-9 * (f->spacing_x + f->spacing_y))
        out->outward = kai_vec3_scale(kai_vec3_sub(x, out->point), 1.0 / out->distance);
    return true;
}

/// The nearest point of one surface to a point given in a's frame; all in a's frame. False where it
/// is farther than the reach.
static bool find_foot(const search* s, bool on_b, kai_vec3 x, foot* out)
{
    const kai_narrow_pair* p = s->pair;
    const surface *on = on_b ? &s->b : &s->a, *of = on_b ? &s->a : &s->b;
    const double reach = p->reach;
    const kai_vec3 y = on_b ? kai_narrow_to_b(p, x) : x;
    if (y.x < on->low.x - reach || y.y < on->low.y - reach || y.x > on->high.x + reach ||
        y.y > on->high.y + reach || y.z > on->high.z + reach)
        return false;
    if (on->field) {
        if (!foot_on_field(on, y, reach, out)) return false;
    } else {
        if (y.z < on->low.z - reach) return false;
        const kai_vec3 middle =
            on_b ? kai_narrow_to_b(p, of->middle) : kai_narrow_from_b(p, of->middle);
        if (!foot_on_mesh(on, y, middle, out)) return false;
    }
    if (on_b) {
        out->point = kai_narrow_from_b(p, out->point);
        out->outward = kai_mat33_mul_vec(p->r, out->outward);
    }
    return out->distance <= reach;
}

/// One vertex of a surface, x in its own frame, against the other one.
static void touch_vertex(search* s, kai_vec3 x, uint32_t name)
{
    const uint32_t feature = 2u * name + s->swapped;
    foot f;
    if (s->swapped) {
        const kai_vec3 y = kai_narrow_from_b(s->pair, x);
        if (find_foot(s, false, y, &f))
            add(s, f.point, y, f.outward, f.distance, f.flat, false, feature);
    } else if (find_foot(s, true, x, &f)) {
        // From a, not from b's frame: what lies between the two points is exactly the gap.
        const kai_vec3 n = kai_vec3_neg(f.outward);
        add(s, x, kai_vec3_mul_add(x, n, f.distance), n, f.distance, false, f.flat, feature);
    }
}

static void visit_vertices(uint32_t t, void* context)
{
    search* s = context;
    const struct kai_mesh* m = s->swapped ? s->b.mesh : s->a.mesh;
    for (int k = 0; k < 3; k++)
        if (m->edge_flags[t] & (KAI_MESH_OWN_CORNER << k))
            touch_vertex(s, m->vertices[m->triangles[t][k]], m->triangles[t][k]);
}

/// The box of `other` in the frame of `s`, larger by the reach. What is below a height field
/// counts.
static void box_in(const search* s, bool of_a, kai_vec3* low, kai_vec3* high)
{
    const kai_narrow_pair* p = s->pair;
    const surface* o = of_a ? &s->a : &s->b;
    const kai_vec3 half = kai_vec3_scale(kai_vec3_sub(o->high, o->low), 0.5);
    const kai_vec3 c = of_a ? kai_narrow_to_b(p, o->middle) : kai_narrow_from_b(p, o->middle);
    double h[3];
    for (int i = 0; i < 3; i++) {
        const kai_vec3 row = of_a ? kai_mat33_column(p->r, i) : kai_mat33_row(p->r, i);
        h[i] = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z + p->reach;
    }
    const kai_vec3 by = kai_vec3_make(h[0], h[1], h[2]);
    *low = kai_vec3_sub(c, by);
    *high = kai_vec3_add(c, by);
}

/// Points of a grid's axis in [low, high].
static void points_in(double low, double high, double spacing, uint32_t count, uint32_t* first,
                      uint32_t* end)
{
    const double middle = 0.5 * (double)(count - 1), last = (double)(count - 1);
    const double from = fmax(ceil(low / spacing + middle - 1e-9), 0.0);
    const double to = fmin(floor(high / spacing + middle + 1e-9), last);
    *first = *end = 0;
    if (!(from <= to)) return;
    *first = (uint32_t)from;
    *end = (uint32_t)to + 1;
}

/// All vertices of one surface near the other one.
static void touch_vertices(search* s, bool swapped)
{
    const surface *of = swapped ? &s->b : &s->a, *on = swapped ? &s->a : &s->b;
    kai_vec3 low, high;
    s->swapped = swapped;
    box_in(s, swapped, &low, &high);
    if (of->mesh) {
        // Ground has no bottom.
        if (on->field) low = kai_vec3_min(low, of->low), high = kai_vec3_max(high, of->high);
        kai_mesh_visit(of->mesh, low, high, visit_vertices, s);
        return;
    }
    const struct kai_heightfield* f = of->field;
    uint32_t first[2], end[2];
    points_in(low.x, high.x, f->spacing_x, f->columns, &first[0], &end[0]);
    points_in(low.y, high.y, f->spacing_y, f->rows, &first[1], &end[1]);
    for (uint32_t row = first[1]; row < end[1]; row++)
        for (uint32_t column = first[0]; column < end[0]; column++)
            touch_vertex(s, kai_heightfield_point(f, row, column), row * f->columns + column);
}

// Edges -------------------------------------------------------------------------------------------

/// An edge in a's frame, with what lies beside it.
typedef struct edge {
    kai_vec3 from, along;
    kai_vec3 corner[2][3]; // its triangles
    kai_vec3 in[2];        // into each of them, across the edge, unit
    int sides;             // triangles: 1 on a border
} edge;

static kai_vec3 across(kai_vec3 from, kai_vec3 along, const kai_vec3 c[3])
{
    // Of the corners the one farthest from the edge's line.
    kai_vec3 best = kai_vec3_zero();
    for (int i = 0; i < 3; i++) {
        kai_vec3 d = kai_vec3_sub(c[i], from);
        d = kai_vec3_mul_add(d, along, -kai_vec3_dot(d, along) / kai_vec3_norm2(along));
        if (kai_vec3_norm2(d) > kai_vec3_norm2(best)) best = d;
    }
    return kai_vec3_normalize(best);
}

/// Edge k of a triangle when it is the triangle's to look at, and may carry contact.
static bool take_edge(const search* s, bool of_b, uint32_t t, int k, edge* out)
{
    const surface* f = of_b ? &s->b : &s->a;
    const uint32_t other = neighbour_of(f, t, k);
    if (other < t) return false;
    const uint8_t flags =
        f->mesh ? f->mesh->edge_flags[t] : kai_heightfield_edge_flags(f->field, t);
    if (f->solid && !(flags >> k & 1)) return false;
    out->sides = other == UINT32_MAX ? 1 : 2;
    for (int side = 0; side < out->sides; side++) {
        corners_of(f, side ? other : t, out->corner[side]);
        for (int i = 0; of_b && i < 3; i++)
            out->corner[side][i] = kai_narrow_from_b(s->pair, out->corner[side][i]);
    }
    out->from = out->corner[0][k];
    out->along = kai_vec3_sub(out->corner[0][(k + 1) % 3], out->from);
    for (int side = 0; side < out->sides; side++)
        out->in[side] = across(out->from, out->along, out->corner[side]);
    return true;
}

/// Whether the surface may have the outward normal n at the edge.
static bool may_face(const edge* e, kai_vec3 n)
{
    for (int side = 0; side < e->sides; side++)
        if (kai_vec3_dot(e->in[side], n) > LEAN) return false;
    return true;
}

/// Whether an edge goes through a triangle.
static bool pierces(const edge* e, const kai_vec3 c[3])
{
    const kai_vec3 n = kai_triangle_area(c);
    const double h = kai_vec3_dot(n, kai_vec3_sub(e->from, c[0]));
    const double t = -h / kai_vec3_dot(n, e->along);
    if (!(t >= 0.0 && t <= 1.0)) return false;
    const kai_vec3 x = kai_vec3_mul_add(e->from, e->along, t);
    for (int k = 0; k < 3; k++) {
        const kai_vec3 side = kai_vec3_cross(n, kai_vec3_sub(c[(k + 1) % 3], c[k]));
        if (kai_vec3_dot(side, kai_vec3_sub(x, c[k])) < 0.0) return false;
    }
    return true;
}

/// Whether each edge goes through a triangle at the other one.
static bool cross_each_other(const edge* a, const edge* b)
{
    bool ab = false, ba = false;
    for (int side = 0; side < b->sides; side++) ab = ab || pierces(a, b->corner[side]);
    for (int side = 0; side < a->sides; side++) ba = ba || pierces(b, a->corner[side]);
    return ab && ba;
}

static void touch_edges(search* s, const edge* a, const edge* b, uint32_t feature)
{
    kai_vec3 n = kai_vec3_cross(a->along, b->along);
    const double norm2 = kai_vec3_norm2(n);
    if (!(norm2 > 1e-14 * kai_vec3_norm2(a->along) * kai_vec3_norm2(b->along))) return;
    const kai_vec3 d = kai_vec3_sub(b->from, a->from);
    const double u = kai_vec3_dot(kai_vec3_cross(d, b->along), n) / norm2;
    const double v = kai_vec3_dot(kai_vec3_cross(d, a->along), n) / norm2;
    if (!(u > END && u < 1.0 - END && v > END && v < 1.0 - END)) return;
    n = kai_vec3_scale(n, 1.0 / sqrt(norm2));
    double gap = kai_vec3_dot(d, n);
    if (gap < 0.0) n = kai_vec3_neg(n), gap = -gap;
    if (!may_face(a, n) || !may_face(b, kai_vec3_neg(n))) {
        // Not apart, perhaps past each other.
        n = kai_vec3_neg(n), gap = -gap;
        if (!may_face(a, n) || !may_face(b, kai_vec3_neg(n))) return;
    }
    if (!(gap <= s->pair->reach)) return;
    const kai_vec3 on_a = kai_vec3_mul_add(a->from, a->along, u);
    if (gap < 0.0 && !cross_each_other(a, b)) return;
    add(s, on_a, kai_vec3_mul_add(on_a, n, gap), n, gap, false, false, feature);
}

/// A triangle of a, whose edges wait for triangles of b.
typedef struct triangle_edges {
    search* search;
    uint32_t triangle;
    bool has[3];
    edge edges[3];
} triangle_edges;

static void meet_triangle(uint32_t t, void* context)
{
    const triangle_edges* a = context;
    for (int k = 0; k < 3; k++) {
        edge b;
        if (!take_edge(a->search, true, t, k, &b)) continue;
        for (int i = 0; i < 3; i++) {
            if (!a->has[i]) continue;
            const uint32_t feature = ((a->triangle * 4u + (uint32_t)i) * 0x9e3779b1u) ^
                                     ((t * 4u + (uint32_t)k) * 0x85ebca6bu + 1u);
            touch_edges(a->search, &a->edges[i], &b, feature);
        }
    }
}

static void meet_cell(uint32_t t, const kai_vec3 corners[3], void* context)
{
    (void)corners;
    meet_triangle(t, context);
}

static void visit_edges(uint32_t t, void* context)
{
    search* s = context;
    const kai_narrow_pair* p = s->pair;
    triangle_edges a = {.search = s, .triangle = t};
    for (int k = 0; k < 3; k++) a.has[k] = take_edge(s, false, t, k, &a.edges[k]);
    if (!a.has[0] && !a.has[1] && !a.has[2]) return;
    kai_vec3 c[3];
    corners_of(&s->a, t, c);
    for (int k = 0; k < 3; k++) c[k] = kai_narrow_to_b(p, c[k]);
    kai_vec3 low = kai_vec3_min(c[0], kai_vec3_min(c[1], c[2]));
    kai_vec3 high = kai_vec3_max(c[0], kai_vec3_max(c[1], c[2]));
    low = kai_vec3_sub(low, box_by(p->reach));
    high = kai_vec3_add(high, box_by(p->reach));
    if (s->b.mesh)
        kai_mesh_visit(s->b.mesh, low, high, meet_triangle, &a);
    else
        kai_heightfield_visit(s->b.field, low, high, false, meet_cell, &a);
}

// Pairs -------------------------------------------------------------------------------------------

void kai_narrow_surface(const kai_narrow_pair* p, kai_manifold* out)
{
    search s;
    kai_vec3 low, high;
    s.pair = p;
    s.a = surface_of(p->a);
    s.b = surface_of(p->b);
    s.count = 0;
    s.apart =
        1e-7 * fmin(kai_vec3_distance(s.a.low, s.a.high), kai_vec3_distance(s.b.low, s.b.high));
    touch_vertices(&s, false);
    touch_vertices(&s, true);
    box_in(&s, false, &low, &high);
    kai_mesh_visit(s.a.mesh, low, high, visit_edges, &s);
    kai_manifold_reduce(s.contacts, s.count, KAI_MANIFOLD_MOST, s.apart, out);
}

/// A half space (a) against the points of a height field.
void kai_narrow_surface_plane(const kai_narrow_pair* p, kai_manifold* out)
{
    const struct kai_heightfield* f = p->b->field;
    const kai_vec3 n = kai_vec3_normalize(p->a->size);
    const kai_vec3 local = kai_mat33_transpose_mul_vec(p->r, n);
    const double offset = kai_vec3_dot(n, p->t);
    search s;
    s.pair = p;
    s.a = (surface){.margin = p->a->margin};
    s.b = surface_of(p->b);
    s.count = 0;
    s.apart = 1e-9 * kai_vec3_distance(f->low, f->high);
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            const kai_vec3 x = kai_heightfield_point(f, row, column);
            const double gap = kai_vec3_dot(local, x) + offset;
            if (!(gap <= p->reach)) continue;
            const kai_vec3 on_b = kai_narrow_from_b(p, x);
            add(&s, kai_vec3_mul_add(on_b, n, -gap), on_b, n, gap, true, false,
                row * f->columns + column);
        }
    }
    kai_manifold_reduce(s.contacts, s.count, KAI_MANIFOLD_MOST, s.apart, out);
}
