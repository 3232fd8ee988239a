// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See manifold_ridge.h.
#include "proximity/manifold_ridge.h"

#include "proximity/narrow_feature.h"

#include <math.h>

/// Radius of edges, as a share of the smaller half width.
#define ROUNDING 0.01

/// Sine of the angle up to which edges run the same way.
#define PARALLEL 0.0349

static const kai_narrow_lean LEAN = {.face = 0.99939, .edge = PARALLEL};

/// An edge between two faces.
typedef struct ridge {
    kai_vec3 from, to;
    kai_vec3 face[2]; // outward normals of the faces
    uint32_t name[2]; // of the ends
} ridge;

static bool has_faces(const kai_geometry* g)
{
    return g->type == KAI_CONVEX_BOX || g->type == KAI_CONVEX_HULL;
}

static double half_width(const kai_geometry* g)
{
    if (g->type == KAI_CONVEX_HULL) return g->hull->inner_radius;
    return kai_narrow_min(kai_narrow_min(g->size.x, g->size.y), g->size.z);
}

static bool box_faces(ridge* r)
{
    const uint32_t along = r->name[0] ^ r->name[1]; // bits that are set: upper side
    int n = 0;
    for (int i = 0; i < 3; i++) {
        if (along >> i & 1u) continue;
        if (n == 2) return false;
        r->face[n++] = kai_vec3_scale(kai_vec3_axis(i), r->name[0] >> i & 1u ? 1.0 : -1.0);
    }
    return n == 2;
}

static bool hull_faces(const struct kai_hull* h, ridge* r)
{
    int n = 0;
    for (uint32_t f = 0; f < h->face_count; f++) {
        int ends = 0;
        for (uint32_t k = h->face_first[f]; k < h->face_first[f + 1]; k++)
            ends += h->face_vertices[k] == r->name[0] || h->face_vertices[k] == r->name[1];
        if (ends < 2) continue;
        if (n == 2) return false;
        r->face[n++] = h->face_normal[f];
    }
    return n == 2;
}

/// The edge k of a feature.
static ridge edge_of(const kai_narrow_feature* f, int k)
{
    const int next = k + 1 == f->count ? 0 : k + 1;
    return (ridge){
        .from = f->corner[k], .to = f->corner[next], .name = {f->name[k], f->name[next]}};
}

static kai_vec3 along(const ridge* r) { return kai_vec3_normalize(kai_vec3_sub(r->to, r->from)); }

/// How far the line of an edge is from a point.
static double distance_to(const ridge* r, kai_vec3 x)
{
    return kai_vec3_norm(kai_vec3_cross(along(r), kai_vec3_sub(x, r->from)));
}

/// Of the edges of a feature the one that runs the same way as another edge and is nearest to it.
static bool nearest_edge(const kai_narrow_feature* f, const ridge* other, ridge* out)
{
    double least = HUGE_VAL;
    for (int k = 0; k < (f->count == 2 ? 1 : f->count); k++) {
        const ridge r = edge_of(f, k);
        const kai_vec3 across = kai_vec3_cross(along(&r), along(other));
        const double d = distance_to(&r, other->from);
        if (kai_vec3_norm2(across) > PARALLEL * PARALLEL || !(d < least)) continue;
        least = d;
        *out = r;
    }
    return isfinite(least);
}

/// From an edge to the axis of its rounding by a radius.
static kai_vec3 inward(const ridge* r, double radius)
{
    const double c = kai_vec3_dot(r->face[0], r->face[1]);
    return kai_vec3_scale(kai_vec3_add(r->face[0], r->face[1]), -radius / (1.0 + c));
}

/// Whether a direction lies between the faces of an edge.
static bool between(const ridge* r, kai_vec3 n)
{
    const double c = kai_vec3_dot(r->face[0], r->face[1]);
    const double x = kai_vec3_dot(n, r->face[0]), y = kai_vec3_dot(n, r->face[1]);
    return x - c * y > 0.0 && y - c * x > 0.0;
}

/// Both edges, in the frame of a.
static bool find_edges(const kai_narrow_pair* p, kai_vec3 n, ridge* a, ridge* b)
{
    kai_narrow_feature fa, fb;
    const kai_vec3 nb = kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, n));
    kai_narrow_feature_find(p->a, n, LEAN, &fa);
    kai_narrow_feature_find(p->b, nb, LEAN, &fb);
    if (fa.count < 2 || fb.count < 2 || (fa.count > 2 && fb.count > 2)) return false;
    for (int i = 0; i < fb.count; i++) fb.corner[i] = kai_narrow_from_b(p, fb.corner[i]);
    if (fa.count == 2) {
        *a = edge_of(&fa, 0);
        if (!nearest_edge(&fb, a, b)) return false;
    } else {
        *b = edge_of(&fb, 0);
        if (!nearest_edge(&fa, b, a)) return false;
    }
    if (!(p->a->type == KAI_CONVEX_BOX ? box_faces(a) : hull_faces(p->a->hull, a))) return false;
    if (!(p->b->type == KAI_CONVEX_BOX ? box_faces(b) : hull_faces(p->b->hull, b))) return false;
    for (int i = 0; i < 2; i++) b->face[i] = kai_mat33_mul_vec(p->r, b->face[i]);
    return true;
}

static void add(const kai_narrow_pair* p, const ridge* a, const ridge* b, kai_vec3 n, double t,
                uint32_t end, kai_manifold* out)
{
    const kai_vec3 e = along(a), x = kai_vec3_mul_add(a->from, e, t), f = along(b);
    // The point of b's edge across from it.
    const double s = kai_vec3_dot(kai_vec3_sub(x, b->from), e) / kai_vec3_dot(e, f);
    const kai_vec3 y = kai_vec3_mul_add(b->from, f, s);
    const double gap = kai_vec3_dot(kai_vec3_sub(y, x), n);
    if (gap > p->reach) return;
    const uint32_t i = a->name[0] * 31u + a->name[1], j = b->name[0] * 31u + b->name[1];
    kai_contact* c = &out->contacts[out->count++];
    *c = (kai_contact){.point_a = kai_vec3_mul_add(x, n, p->a->margin),
                       .normal = n,
                       .gap = gap - p->a->margin - p->b->margin,
                       .radius_a = p->a->margin,
                       .radius_b = p->b->margin,
                       .feature = 0x51ed270bu + ((i * 0x9e3779b1u) ^ j) * 2u + end,
                       .rim = 1};
    c->point_b = kai_vec3_mul_add(c->point_a, n, c->gap);
}

bool kai_manifold_ridge(const kai_narrow_pair* p, kai_vec3 n, kai_manifold* out)
{
    ridge a, b;
    if (!has_faces(p->a) || !has_faces(p->b) || !find_edges(p, n, &a, &b)) return false;
    const double radius = ROUNDING * kai_narrow_min(half_width(p->a), half_width(p->b));
    const kai_vec3 e = along(&a), d = kai_vec3_sub(b.from, a.from);
    const kai_vec3 axes = kai_vec3_add(d, kai_vec3_sub(inward(&b, radius), inward(&a, radius)));
    const kai_vec3 across = kai_vec3_mul_add(axes, e, -kai_vec3_dot(axes, e));
    if (!(kai_vec3_norm2(across) > 0.0)) return false;
    const kai_vec3 m = kai_vec3_normalize(across);
    if (!between(&a, m) || !between(&b, kai_vec3_neg(m))) return false;
    // The stretch that both share.
    const double length = kai_vec3_distance(a.from, a.to);
    const double x = kai_vec3_dot(d, e), y = kai_vec3_dot(kai_vec3_sub(b.to, a.from), e);
    const double low = kai_narrow_max(0.0, kai_narrow_min(x, y));
    const double high = kai_narrow_min(length, kai_narrow_max(x, y));
    if (!(high > low)) return false;
    out->count = 0;
    add(p, &a, &b, m, low, 0, out);
    if (high - low > 1e-7 * p->size) add(p, &a, &b, m, high, 1, out);
    if (out->count == 2 && out->contacts[1].gap < out->contacts[0].gap) {
        const kai_contact c = out->contacts[0];
        out->contacts[0] = out->contacts[1];
        out->contacts[1] = c;
    }
    return true;
}
