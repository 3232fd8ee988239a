// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A convex core (a) against a triangle mesh or a height field (b): contacts with each triangle near
// it, then the deepest few.
//
// A single triangle does not know that it is part of a surface. Its edges and corners would catch a
// body that slides over a flat floor. So a normal counts only when the surface can have it: between
// the normals of the two triangles at a convex edge, anything at an open one, the triangle's own
// everywhere else. Contacts with another normal are looked for again along the triangle's normal,
// and only over the triangle: what lies beside it is its neighbours' business.
//
// Closed meshes and height fields are solid: triangles that face away from the core's centre are
// left out, and a centre below all is pushed out through the nearest triangle. Open meshes are
// sheets with two sides.
#include "geometry/heightfield.h"
#include "geometry/mesh.h"
#include "geometry/triangle.h"
#include "proximity/manifold_clip.h"
#include "proximity/manifold_reduce.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Candidates kept between two reductions.
#define LIST 48

/// A normal this far (sine) from the region it may lie in is taken for rounding.
#define LEAN 1e-7

/// A normal this close (cosine) to the triangle's own is the triangle's own.
#define NEARLY (1.0 - 1e-9)

typedef struct search {
    const kai_narrow_pair* pair;
    kai_narrow_solver* solve; // of a against a triangle
    kai_vec3 centre;          // of a
    bool field, closed;
    int count;
    kai_contact contacts[LIST + KAI_MANIFOLD_MOST];
    double nearest; // distance of the centre to the triangle nearest to it
    uint32_t nearest_triangle;
} search;

/// One triangle, in a's frame.
typedef struct sheet {
    kai_vec3 v[3], normal; // the side that faces the core
    double back;           // 1 when the normal is the triangle's own, -1 when it is turned
    uint32_t triangle;
} sheet;

// Neighbours -------------------------------------------------------------------------------------

/// The corner across edge k; false when there is no triangle.
static bool across_edge(const search* s, const sheet* t, int k, kai_vec3* out)
{
    const kai_narrow_pair* p = s->pair;
    kai_vec3 v[3];
    uint32_t other;
    if (s->field) {
        uint32_t n[3];
        kai_heightfield_neighbours(p->b->field, t->triangle, n);
        other = n[k];
        if (other == UINT32_MAX) return false;
        kai_heightfield_triangle(p->b->field, other, v);
    } else {
        const struct kai_mesh* m = p->b->mesh;
        other = m->neighbours[t->triangle][k];
        if (other == KAI_MESH_NONE) return false;
        kai_mesh_corners(m, other, v);
    }
    // Of its corners the one farthest from the edge's line.
    const kai_vec3 from = t->v[k], e = kai_vec3_sub(t->v[(k + 1) % 3], from);
    double most = -1.0;
    for (int i = 0; i < 3; i++) {
        const kai_vec3 x = kai_narrow_from_b(p, v[i]);
        const double d = kai_vec3_norm2(kai_vec3_cross(kai_vec3_sub(x, from), e));
        if (d <= most) continue;
        most = d;
        *out = x;
    }
    return true;
}

/// Whether the surface may have the outward normal m at edge k of the triangle.
static bool allowed(const search* s, const sheet* t, int k, kai_vec3 m)
{
    const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(t->v[(k + 1) % 3], t->v[k]));
    const kai_vec3 out = kai_vec3_scale(kai_vec3_cross(e, t->normal), t->back);
    kai_vec3 x = t->v[k];
    if (kai_vec3_dot(m, out) <= LEAN) return true; // does not lean over this edge
    if (!across_edge(s, t, k, &x)) return true;
    // Into the neighbour, across the edge.
    kai_vec3 in = kai_vec3_sub(x, t->v[k]);
    in = kai_vec3_normalize(kai_vec3_mul_add(in, e, -kai_vec3_dot(in, e)));
    return kai_vec3_dot(in, t->normal) < -LEAN && kai_vec3_dot(m, in) <= LEAN;
}

/// Whether a contact at point x of the triangle may have the outward normal m.
static bool natural(const search* s, const sheet* t, kai_vec3 x, kai_vec3 m)
{
    const double size = kai_vec3_distance(t->v[0], t->v[1]) + kai_vec3_distance(t->v[1], t->v[2]);
    const double facing = kai_vec3_dot(m, t->normal);
    bool edge = false;
    if (facing > 1.0 - 0.5 * LEAN * LEAN) return true;
    for (int k = 0; k < 3; k++) {
        const kai_vec3 d = kai_vec3_sub(t->v[(k + 1) % 3], t->v[k]);
        const kai_vec3 c = kai_vec3_cross(d, kai_vec3_sub(x, t->v[k]));
        // Near this edge? EPA knows points of round cores to 1e-5 only.
        if (kai_vec3_norm2(c) > 1e-8 * size * size * kai_vec3_norm2(d)) continue;
        edge = true;
        if (!allowed(s, t, k, m)) return false;
    }
    return edge;
}

// One triangle -----------------------------------------------------------------------------------

static void keep(search* s, const kai_manifold* m, uint32_t triangle)
{
    for (int i = 0; i < m->count; i++) {
        kai_contact* c = &s->contacts[s->count++];
        *c = m->contacts[i];
        c->feature = c->feature * 0x9e3779b1u + triangle;
        c->rim = m->contacts[0].rim;
    }
    if (s->count <= LIST) return;
    kai_manifold few;
    kai_manifold_reduce(s->contacts, s->count, KAI_MANIFOLD_MOST, 1e-7 * s->pair->size, &few);
    for (int i = 0; i < few.count; i++) s->contacts[i] = few.contacts[i];
    s->count = few.count;
}

static double radius(const sheet* t)
{
    return kai_narrow_max(kai_vec3_distance(t->v[0], t->v[1]), kai_vec3_distance(t->v[0], t->v[2]));
}

/// How the normal is found.
typedef enum way {
    FREELY,      // by the solver, when the surface may have it
    STRAIGHT,    // the triangle's own
    AT_ANY_RATE, // the triangle's own, with a point even when none lies over it
} way;

/// Contacts with a triangle whose facing side is known.
static void touch(search* s, const sheet* t, way how)
{
    const kai_narrow_pair* p = s->pair;
    const kai_vec3 centre =
        kai_vec3_scale(kai_vec3_add(t->v[0], kai_vec3_add(t->v[1], t->v[2])), 1.0 / 3.0);
    kai_vec3 v[3];
    for (int k = 0; k < 3; k++) v[k] = kai_vec3_sub(t->v[k], centre);
    const kai_geometry triangle = {
        .type = KAI_CONVEX_TRIANGLE, .margin = p->b->margin, .triangle = v};
    const kai_narrow_pair one = {.a = p->a,
                                 .b = &triangle,
                                 .r = kai_mat33_identity(),
                                 .t = centre,
                                 .reach = p->reach,
                                 .size = kai_narrow_max(p->size, radius(t))};
    kai_narrow_witness w = {.pointless = false};
    kai_manifold m;
    kai_vec3 out = t->normal;
    if (how == FREELY) {
        s->solve(&one, &w);
        if (!(w.gap <= one.reach)) return;
        if (w.pointless) kai_manifold_clip_witness(&one, &w);
        out = kai_vec3_neg(w.normal);
    }
    const double facing = kai_vec3_dot(out, t->normal);
    if (facing > NEARLY || !natural(s, t, w.b, out)) {
        kai_manifold_clip_over(&one, kai_vec3_neg(t->normal), &m);
        // Between two triangles, or pushed out: the normal is certain, the point is not over this
        // one.
        if (m.count == 0 && (how == AT_ANY_RATE || (how == FREELY && facing > NEARLY))) {
            kai_narrow_hint hint = {0, 0};
            w.normal = kai_vec3_neg(t->normal);
            w.a = kai_narrow_support_a(&one, w.normal, &hint);
            w.gap = kai_vec3_dot(kai_vec3_sub(t->v[0], w.a), w.normal);
            w.b = kai_vec3_mul_add(w.a, w.normal, w.gap);
            kai_manifold_clip_single(&one, &w, &m);
        }
    } else {
        kai_manifold_clip_contacts(&one, &w, &m);
    }
    keep(s, &m, t->triangle);
}

/// The triangle nearest to the centre, and whether it faces it: only its back is kept.
static void weigh(search* s, const sheet* t, double side)
{
    const kai_vec3 x = kai_triangle_nearest(t->v[0], t->v[1], t->v[2], s->centre);
    const double d = kai_vec3_distance(x, s->centre);
    // At an edge several are as near: one that faces the centre shows that it is outside.
    if (fabs(d - s->nearest) <= 1e-12 * d) {
        if (side >= 0.0) s->nearest_triangle = KAI_MESH_NONE;
    } else if (d < s->nearest) {
        s->nearest = d;
        s->nearest_triangle = side < 0.0 ? t->triangle : KAI_MESH_NONE;
    }
}

/// Looks at a triangle given in b's frame.
static void visit(search* s, uint32_t triangle, const kai_vec3 corners[3])
{
    const kai_narrow_pair* p = s->pair;
    kai_narrow_hint hint = {0, 0};
    sheet t = {.triangle = triangle, .back = 1.0};
    for (int k = 0; k < 3; k++) t.v[k] = kai_narrow_from_b(p, corners[k]);
    t.normal = kai_triangle_normal(t.v);
    double side = kai_vec3_dot(t.normal, kai_vec3_sub(s->centre, t.v[0]));
    if (s->closed) {
        weigh(s, &t, side);
        if (side < 0.0) return;
    } else if (!s->field && side < 0.0) {
        t.normal = kai_vec3_neg(t.normal);
        t.back = -1.0;
    }
    // Everything above the plane?
    const kai_vec3 low = kai_narrow_support_a(p, kai_vec3_neg(t.normal), &hint);
    if (kai_vec3_dot(t.normal, kai_vec3_sub(low, t.v[0])) > p->reach) return;
    touch(s, &t, s->field && side < 0.0 ? STRAIGHT : FREELY);
}

static void visit_mesh(uint32_t triangle, void* context)
{
    search* s = context;
    kai_vec3 v[3];
    kai_mesh_corners(s->pair->b->mesh, triangle, v);
    visit(s, triangle, v);
}

static void visit_field(uint32_t triangle, const kai_vec3 v[3], void* context)
{
    visit(context, triangle, v);
}

// The surface ------------------------------------------------------------------------------------

static kai_vec3 centre_of(const kai_geometry* g)
{
    if (g->type == KAI_CONVEX_HULL) return g->hull->centre;
    if (g->type != KAI_CONVEX_TRIANGLE) return kai_vec3_zero();
    return kai_vec3_scale(
        kai_vec3_add(g->triangle[0], kai_vec3_add(g->triangle[1], g->triangle[2])), 1.0 / 3.0);
}

/// The core's box in b's frame, larger by the reach.
static void bounds(const kai_narrow_pair* p, kai_vec3* low, kai_vec3* high)
{
    kai_narrow_hint hint = {0, 0};
    double x[2][3];
    for (int i = 0; i < 3; i++) {
        const kai_vec3 d = kai_mat33_column(p->r, i), back = kai_vec3_neg(d);
        const double t = kai_vec3_dot(p->t, d);
        x[0][i] = kai_vec3_dot(kai_narrow_support_a(p, back, &hint), d) - t - p->reach;
        x[1][i] = kai_vec3_dot(kai_narrow_support_a(p, d, &hint), d) - t + p->reach;
    }
    *low = kai_vec3_make(x[0][0], x[0][1], x[0][2]);
    *high = kai_vec3_make(x[1][0], x[1][1], x[1][2]);
}

static kai_narrow_solver* solver_of(kai_convex_type type)
{
    return type == KAI_CONVEX_POINT ? kai_narrow_point_triangle : kai_narrow_convex;
}

/// A centre inside a closed mesh, and no triangle that faces it: out through the nearest one.
static void push_out(search* s)
{
    const kai_narrow_pair* p = s->pair;
    kai_vec3 v[3];
    sheet t = {.triangle = s->nearest_triangle, .back = 1.0};
    kai_mesh_corners(p->b->mesh, t.triangle, v);
    for (int k = 0; k < 3; k++) t.v[k] = kai_narrow_from_b(p, v[k]);
    t.normal = kai_triangle_normal(t.v);
    touch(s, &t, AT_ANY_RATE);
}

/// No triangle near, but perhaps all around.
static void look_farther(search* s)
{
    const struct kai_mesh* mesh = s->pair->b->mesh;
    const kai_vec3 x = kai_narrow_to_b(s->pair, s->centre);
    const kai_vec3 inside = kai_vec3_min(kai_vec3_sub(x, mesh->low), kai_vec3_sub(mesh->high, x));
    if (!(kai_narrow_min(inside.x, kai_narrow_min(inside.y, inside.z)) > 0.0)) return;
    kai_vec3 nearest;
    const double d = kai_mesh_nearest(mesh, x, HUGE_VAL, &nearest), tiny = 1e-9 * d;
    const kai_vec3 box = kai_vec3_make(tiny, tiny, tiny);
    kai_mesh_visit(mesh, kai_vec3_sub(nearest, box), kai_vec3_add(nearest, box), visit_mesh, s);
}

static void finish(search* s, kai_manifold* out)
{
    bool rim = false;
    kai_manifold_reduce(s->contacts, s->count, KAI_MANIFOLD_MOST, 1e-7 * s->pair->size, out);
    for (int i = 0; i < out->count; i++) rim |= out->contacts[i].rim != 0;
    out->contacts[0].rim = rim;
}

void kai_narrow_mesh(const kai_narrow_pair* p, kai_manifold* out)
{
    search s;
    kai_vec3 low, high;
    s.pair = p;
    s.solve = solver_of(p->a->type);
    s.centre = centre_of(p->a);
    s.field = false;
    s.closed = p->b->mesh->closed;
    s.count = 0;
    s.nearest = HUGE_VAL;
    s.nearest_triangle = KAI_MESH_NONE;
    bounds(p, &low, &high);
    kai_mesh_visit(p->b->mesh, low, high, visit_mesh, &s);
    if (s.closed) {
        if (s.nearest == HUGE_VAL) look_farther(&s);
        if (s.nearest_triangle != KAI_MESH_NONE) {
            s.count = 0;
            push_out(&s);
        }
    }
    finish(&s, out);
}

void kai_narrow_mesh_field(const kai_narrow_pair* p, kai_manifold* out)
{
    search s;
    kai_vec3 low, high;
    s.pair = p;
    s.solve = solver_of(p->a->type);
    s.centre = centre_of(p->a);
    s.field = true;
    s.closed = false;
    s.count = 0;
    bounds(p, &low, &high);
    kai_heightfield_visit(p->b->field, low, high, true, visit_field, &s);
    finish(&s, out);
}

// Planes -----------------------------------------------------------------------------------------

/// A half space (a) against the vertices of a mesh.
void kai_narrow_mesh_plane(const kai_narrow_pair* p, kai_manifold* out)
{
    const struct kai_mesh* mesh = p->b->mesh;
    const kai_vec3 n = kai_vec3_normalize(p->a->size);
    const kai_vec3 local = kai_mat33_transpose_mul_vec(p->r, n);
    const double offset = kai_vec3_dot(n, p->t), margins = p->a->margin + p->b->margin;
    const double apart = 1e-9 * kai_vec3_distance(mesh->low, mesh->high);
    search s;
    s.pair = p;
    s.count = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double gap = kai_vec3_dot(local, mesh->vertices[i]) + offset;
        if (!(gap <= p->reach)) continue;
        const kai_vec3 x = kai_narrow_from_b(p, mesh->vertices[i]);
        s.contacts[s.count++] =
            (kai_contact){.point_a = kai_vec3_mul_add(x, n, -gap + p->a->margin),
                          .point_b = kai_vec3_mul_add(x, n, -p->b->margin),
                          .normal = n,
                          .gap = gap - margins,
                          .radius_a = HUGE_VAL,
                          .radius_b = p->b->margin,
                          .feature = i};
        if (s.count <= LIST) continue;
        kai_manifold_reduce(s.contacts, s.count, KAI_MANIFOLD_MOST, apart, out);
        for (int k = 0; k < out->count; k++) s.contacts[k] = out->contacts[k];
        s.count = out->count;
    }
    kai_manifold_reduce(s.contacts, s.count, KAI_MANIFOLD_MOST, apart, out);
}
