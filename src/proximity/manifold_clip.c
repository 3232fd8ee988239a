// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See manifold_clip.h.
#include "proximity/manifold_clip.h"

#include "proximity/manifold_reduce.h"
#include "proximity/manifold_ridge.h"
#include "proximity/narrow_feature.h"

#include <math.h>

/// A face counts as lying flat up to 2 degrees, an edge too; against a flat face, the other's face
/// or edge counts up to 25 degrees: its far corners are then left out by their gaps.
static const kai_narrow_lean STRICT = {.face = 0.99939, .edge = 0.0349};
static const kai_narrow_lean LOOSE = {.face = 0.9063, .edge = 0.4226};
/// Only the lowest corner.
static const kai_narrow_lean NEVER = {.face = 2.0, .edge = -1.0};
/// For the solvers' own use: only what is flat to rounding.
static const kai_narrow_lean EXACT = {.face = 1.0 - 1e-12, .edge = 1e-6};

/// What two features share is narrow up to this share of the smaller core's extent.
#define RIM 0.05

/// A face whose normal is off by more (cosine) leans.
#define UPRIGHT (1.0 - 1e-10)

/// Most corners of the overlap of two faces.
#define MOST (2 * KAI_NARROW_CORNERS)

/// A point of the plane.
typedef struct flat {
    double x, y;
} flat;

/// A feature seen along the normal: corners in the plane, heights above it.
typedef struct shadow {
    int count;
    flat p[KAI_NARROW_CORNERS];
    double z[KAI_NARROW_CORNERS];
    double slope_x, slope_y; // of the height, faces only
    const kai_narrow_feature* feature;
} shadow;

/// The overlap of two shadows.
typedef struct overlap {
    int count;
    flat p[MOST];
    uint32_t edge[MOST]; // the edge that starts here: below 32 of b, above of a
} overlap;

typedef struct basis {
    kai_vec3 o, u, v, n;
} basis;

KAI_INLINE double cross(flat a, flat b) { return a.x * b.y - a.y * b.x; }

KAI_INLINE flat minus(flat a, flat b) { return (flat){a.x - b.x, a.y - b.y}; }

KAI_INLINE void cast(const kai_narrow_feature* f, const basis* e, bool counter, shadow* s)
{
    s->count = f->count;
    s->feature = f;
    for (int i = 0; i < f->count; i++) {
        const kai_vec3 d = kai_vec3_sub(f->corner[counter ? i : f->count - 1 - i], e->o);
        s->p[i] = (flat){kai_vec3_dot(d, e->u), kai_vec3_dot(d, e->v)};
        s->z[i] = kai_vec3_dot(d, e->n);
    }
    const double nz = kai_vec3_dot(f->normal, e->n);
    s->slope_x = -kai_vec3_dot(f->normal, e->u) / nz;
    s->slope_y = -kai_vec3_dot(f->normal, e->v) / nz;
}

/// Height of a feature above a point of its shadow.
KAI_INLINE double height(const shadow* s, flat q)
{
    if (s->count == 2) {
        const flat d = minus(s->p[1], s->p[0]), x = minus(q, s->p[0]);
        const double n = d.x * d.x + d.y * d.y;
        const double t =
            n > 0.0 ? kai_narrow_min(kai_narrow_max((x.x * d.x + x.y * d.y) / n, 0.0), 1.0) : 0.0;
        return s->z[0] + t * (s->z[1] - s->z[0]);
    }
    if (s->count == 1) return s->z[0];
    return s->z[0] + s->slope_x * (q.x - s->p[0].x) + s->slope_y * (q.y - s->p[0].y);
}

// Overlaps ---------------------------------------------------------------------------------------

/// Cuts off what lies right of the line through `from` along `d`; `edge` names the line. True when
/// the rest is in *r, and not still in *s, as nothing was cut.
KAI_INLINE bool cut(const overlap* s, flat from, flat d, double slack, uint32_t edge, overlap* r)
{
    double side[MOST];
    int n = 0;
    bool out = false;
    for (int k = 0; k < s->count; k++) {
        side[k] = cross(d, minus(s->p[k], from));
        out |= side[k] < -slack;
    }
    if (!out) return false;
    for (int k = 0; k < s->count && n + 2 <= MOST; k++) {
        const int next = k + 1 == s->count ? 0 : k + 1;
        const bool in = side[k] >= -slack, in_next = side[next] >= -slack;
        r->p[n] = s->p[k];
        r->edge[n] = s->edge[k];
        n += in;
        if (in == in_next) continue;
        const double t = kai_narrow_min(kai_narrow_max(side[k] / (side[k] - side[next]), 0.0), 1.0);
        r->p[n] = (flat){s->p[k].x + t * (s->p[next].x - s->p[k].x),
                         s->p[k].y + t * (s->p[next].y - s->p[k].y)};
        r->edge[n++] = in ? edge : s->edge[k];
    }
    r->count = n;
    return true;
}

/// Overlap of two faces, in one of two places.
KAI_INLINE const overlap* overlap_face(const shadow* a, const shadow* b, double slack,
                                       overlap place[2])
{
    int now = 0;
    place[0].count = b->count;
    for (int i = 0; i < b->count; i++) {
        place[0].p[i] = b->p[i];
        place[0].edge[i] = (uint32_t)i;
    }
    for (int i = 0; i < a->count && place[now].count > 0; i++) {
        const flat d = minus(a->p[i + 1 == a->count ? 0 : i + 1], a->p[i]);
        const double length = fabs(d.x) + fabs(d.y); // about
        if (length > 0.0 &&
            cut(&place[now], a->p[i], d, slack * length, 32u + (uint32_t)i, &place[1 - now]))
            now = 1 - now;
    }
    return &place[now];
}

/// Overlap of an edge or a corner (b) with a face (a).
KAI_INLINE void overlap_line(const shadow* a, const shadow* b, double slack, overlap* out)
{
    const flat d = minus(b->p[b->count - 1], b->p[0]);
    double low = 0.0, high = 1.0;
    out->count = 0;
    out->edge[0] = 0u;
    out->edge[1] = 1u;
    for (int i = 0; i < a->count; i++) {
        const flat e = minus(a->p[i + 1 == a->count ? 0 : i + 1], a->p[i]);
        const double length = sqrt(e.x * e.x + e.y * e.y);
        const double from = cross(e, minus(b->p[0], a->p[i])), rate = cross(e, d);
        const double to = from + rate, edge = -slack * length;
        if (from < edge && to < edge) return;
        const double t = kai_narrow_min(kai_narrow_max(-from / rate, 0.0), 1.0);
        if (from < edge && t > low) {
            low = t;
            out->edge[0] = 32u + (uint32_t)i;
        } else if (to < edge && t < high) {
            high = t;
            out->edge[1] = 32u + (uint32_t)i;
        }
    }
    if (low > high) return;
    out->p[0] = (flat){b->p[0].x + low * d.x, b->p[0].y + low * d.y};
    out->p[1] = (flat){b->p[0].x + high * d.x, b->p[0].y + high * d.y};
    out->count = b->count;
}

/// Two edges: the shared part when they run the same way, otherwise the crossing.
KAI_INLINE void overlap_edges(const shadow* a, const shadow* b, overlap* out)
{
    const flat d = minus(a->p[1], a->p[0]), e = minus(b->p[1], b->p[0]);
    const flat x = minus(b->p[0], a->p[0]), y = minus(b->p[1], a->p[0]);
    const double dd = d.x * d.x + d.y * d.y, ee = e.x * e.x + e.y * e.y, turn = cross(d, e);
    out->count = 0;
    if (!(dd > 0.0 && ee > 0.0)) return;
    if (fabs(turn) > 0.0349 * sqrt(dd * ee)) {
        const double t = kai_narrow_min(kai_narrow_max(cross(x, e) / turn, 0.0), 1.0);
        out->p[0] = (flat){a->p[0].x + t * d.x, a->p[0].y + t * d.y};
        out->edge[0] = 0;
        out->count = 1;
        return;
    }
    const double tx = (x.x * d.x + x.y * d.y) / dd, ty = (y.x * d.x + y.y * d.y) / dd;
    const double low = kai_narrow_max(0.0, kai_narrow_min(tx, ty)),
                 high = kai_narrow_min(1.0, kai_narrow_max(tx, ty));
    if (low > high) return;
    out->p[0] = (flat){a->p[0].x + low * d.x, a->p[0].y + low * d.y};
    out->p[1] = (flat){a->p[0].x + high * d.x, a->p[0].y + high * d.y};
    // An end is named after the corner that made it.
    out->edge[0] = tx < ty ? (low == tx ? 1u : 4u) : (low == ty ? 2u : 4u);
    out->edge[1] = tx < ty ? (high == ty ? 2u : 5u) : (high == tx ? 1u : 5u);
    out->count = high > low ? 2 : 1;
}

KAI_INLINE uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(x >> 32);
}

/// Name of an edge of the overlap, from the names of its two corners.
KAI_INLINE uint32_t edge_name(const kai_narrow_feature* a, const kai_narrow_feature* b,
                              uint32_t edge)
{
    const kai_narrow_feature* f = edge < 32u ? b : a;
    const int n = f->count;
    int k = (int)(edge & 31u);
    if (edge < 32u) k = k == n - 1 ? k : n - 2 - k; // b's shadow runs backwards
    const uint32_t i = f->name[k], j = f->name[k + 1 == n ? 0 : k + 1];
    return mix(i < j ? i : j, (i < j ? j : i) + (edge < 32u ? 0u : 0x55555555u));
}

// Contacts ---------------------------------------------------------------------------------------

typedef struct builder {
    const kai_narrow_pair* pair;
    const kai_narrow_witness* witness;
    kai_narrow_feature a, b;
    bool rim; // they touch at the rim of both
    int count;
    kai_contact contacts[MOST + 2];
} builder;

KAI_INLINE bool is_curved(const kai_geometry* g)
{
    return g->type == KAI_CONVEX_CYLINDER || g->type == KAI_CONVEX_CONE ||
           g->type == KAI_CONVEX_ELLIPSOID;
}

KAI_INLINE void add(builder* r, kai_vec3 a, kai_vec3 b, double gap, uint32_t feature)
{
    const kai_narrow_pair* p = r->pair;
    const kai_vec3 n = r->witness->normal;
    kai_contact* c = &r->contacts[r->count++];
    c->point_a = kai_vec3_mul_add(a, n, p->a->margin);
    c->point_b = kai_vec3_mul_add(b, n, -p->b->margin);
    c->normal = n;
    c->gap = gap - p->a->margin - p->b->margin;
    c->radius_a = r->a.count < 3 ? p->a->margin : HUGE_VAL;
    c->radius_b = r->b.count < 3 ? p->b->margin : HUGE_VAL;
    if (r->a.count < 3 && is_curved(p->a))
        c->radius_a += kai_narrow_feature_radius(p->a, r->a.count, n, a);
    if (r->b.count < 3 && is_curved(p->b)) {
        const kai_vec3 nb = kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, n));
        c->radius_b += kai_narrow_feature_radius(p->b, r->b.count, nb, kai_narrow_to_b(p, b));
    }
    c->feature = feature;
    c->rim = 0;
}

/// Brings b's feature into the frame of a.
KAI_INLINE void bring(builder* r)
{
    const kai_narrow_pair* p = r->pair;
    r->b.normal = kai_mat33_mul_vec(p->r, r->b.normal);
    for (int i = 0; i < r->b.count; i++) r->b.corner[i] = kai_narrow_from_b(p, r->b.corner[i]);
}

static void features(builder* r, kai_narrow_lean lean_a, kai_narrow_lean lean_b)
{
    const kai_narrow_pair* p = r->pair;
    const kai_vec3 n = r->witness->normal;
    const kai_vec3 nb = kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, n));
    kai_narrow_feature_find(p->a, n, lean_a, &r->a);
    kai_narrow_feature_find(p->b, nb, lean_b, &r->b);
    bring(r);
}

/// Features of both: where one of them has a flat face, whatever the other has; else both have to
/// be flat.
static void contact_features(builder* r)
{
    const kai_narrow_pair* p = r->pair;
    const kai_vec3 n = r->witness->normal;
    const kai_vec3 nb = kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, n));
    kai_narrow_feature_find(p->a, n, LOOSE, &r->a);
    kai_narrow_feature_find(p->b, nb, LOOSE, &r->b);
    const bool flat_a = r->a.count > 2 && kai_vec3_dot(r->a.normal, n) >= STRICT.face;
    const bool flat_b = r->b.count > 2 && kai_vec3_dot(r->b.normal, nb) >= STRICT.face;
    if (!flat_a && !flat_b) {
        kai_narrow_feature_again(p->a, n, STRICT, &r->a);
        kai_narrow_feature_again(p->b, nb, STRICT, &r->b);
    }
    bring(r);
}

// Rims -------------------------------------------------------------------------------------------

/// An edge or a corner, not the side of something round.
KAI_INLINE bool is_sharp(const kai_geometry* g, const kai_narrow_feature* f)
{
    switch (g->type) {
    case KAI_CONVEX_CYLINDER:
    case KAI_CONVEX_CONE: return f->count == 1;
    case KAI_CONVEX_BOX:
    case KAI_CONVEX_TRIANGLE:
    case KAI_CONVEX_HULL: return f->count < 3;
    default: return false;
    }
}

/// Whether a point on a face is near the border of it.
KAI_INLINE bool is_near_border(const kai_narrow_feature* face, kai_vec3 x, double near)
{
    for (int i = 0; i < face->count; i++) {
        const kai_vec3 from = face->corner[i];
        const kai_vec3 e = kai_vec3_sub(face->corner[i + 1 == face->count ? 0 : i + 1], from);
        const double in = kai_vec3_dot(kai_vec3_cross(face->normal, e), kai_vec3_sub(x, from));
        if (in < near * (fabs(e.x) + fabs(e.y) + fabs(e.z))) return true;
    }
    return false;
}

/// How wide what two features share is, about.
KAI_INLINE double width_of(const overlap* o)
{
    double area = 0.0, longest = 0.0;
    for (int i = 1; i < o->count; i++) {
        const flat d = minus(o->p[i], o->p[0]);
        if (i > 1) area += 0.5 * cross(minus(o->p[i - 1], o->p[0]), d);
        longest = kai_narrow_max(longest, d.x * d.x + d.y * d.y);
    }
    if (o->count < 3) return sqrt(longest);
    return longest > 0.0 ? fabs(area) / sqrt(longest) : 0.0;
}

/// How narrow is narrow.
KAI_INLINE double narrow(const builder* r)
{
    const kai_narrow_pair* p = r->pair;
    return RIM * kai_narrow_min(kai_narrow_extent(p->a), kai_narrow_extent(p->b));
}

/// Whether the normal is that of the face of one of them, which leans otherwise.
KAI_INLINE bool is_upright(const builder* r)
{
    const kai_vec3 n = r->witness->normal;
    return (r->a.count > 2 && kai_vec3_dot(r->a.normal, n) > UPRIGHT) ||
           (r->b.count > 2 && kai_vec3_dot(r->b.normal, n) < -UPRIGHT);
}

/// Whether features touch at the rim of both where one is a corner, or they do not lie over each
/// other: not where a corner is well inside a face.
KAI_INLINE bool is_rim(const builder* r)
{
    const kai_narrow_witness* w = r->witness;
    const bool over = r->a.count > 2 || r->b.count > 2;
    if (over && (!is_upright(r) || (r->a.count > 2 && r->b.count > 2))) return true;
    if (r->a.count > 2) return is_near_border(&r->a, w->a, narrow(r));
    if (r->b.count > 2) return is_near_border(&r->b, w->b, narrow(r));
    return is_sharp(r->pair->a, &r->a) || is_sharp(r->pair->b, &r->b);
}

/// Whether a line over a face runs along the border of it.
KAI_INLINE bool runs_along(const shadow* face, const overlap* o, double near)
{
    for (int i = 0; i < face->count; i++) {
        const flat from = face->p[i], e = minus(face->p[i + 1 == face->count ? 0 : i + 1], from);
        const double side = near * (fabs(e.x) + fabs(e.y));
        if (fabs(cross(e, minus(o->p[0], from))) < side &&
            fabs(cross(e, minus(o->p[o->count - 1], from))) < side)
            return true;
    }
    return false;
}

/// Whether a point is near an end of an edge.
KAI_INLINE bool is_near_end(const shadow* edge, flat x, double near)
{
    const flat d = minus(x, edge->p[0]), e = minus(x, edge->p[1]);
    return d.x * d.x + d.y * d.y < near * near || e.x * e.x + e.y * e.y < near * near;
}

/// The same for features that do: what they share is narrow or runs along a border, or edges lie
/// beside each other. Edges that cross do not, but near an end.
KAI_INLINE bool is_rim_over(const builder* r, const shadow* a, const shadow* b, const overlap* o)
{
    if (a->count > 2 || b->count > 2) {
        if (!is_upright(r) || width_of(o) < narrow(r)) return true;
        if (a->count > 2 && b->count > 2) return false;
        return runs_along(a->count > 2 ? a : b, o, narrow(r));
    }
    if (o->count == 1 && !is_near_end(a, o->p[0], narrow(r)) && !is_near_end(b, o->p[0], narrow(r)))
        return false;
    return is_sharp(r->pair->a, &r->a) || is_sharp(r->pair->b, &r->b);
}

/// Overlaps the two features; adds a contact for each corner with gap <= limit.
KAI_CLONES static void overlap_features(builder* r, double limit)
{
    const kai_vec3 n = r->witness->normal;
    basis e = {.o = r->a.corner[0], .n = n};
    kai_narrow_tangents(n, &e.u, &e.v);
    shadow a, b;
    overlap place[2];
    const overlap* o = place;
    // Faces of a run counter-clockwise seen against n, those of b clockwise.
    cast(&r->a, &e, true, &a);
    cast(&r->b, &e, false, &b);
    const double slack = 1e-10 * r->pair->size;
    const bool faces = a.count > 2 && b.count > 2;
    if (faces)
        o = overlap_face(&a, &b, slack, place);
    else if (a.count > 2)
        overlap_line(&a, &b, slack, place);
    else if (b.count > 2)
        overlap_line(&b, &a, slack, place);
    else
        overlap_edges(&a, &b, place);
    r->rim = is_rim_over(r, &a, &b, o);
    for (int i = 0; i < o->count; i++) {
        const double za = height(&a, o->p[i]), zb = height(&b, o->p[i]);
        if (zb - za > limit) continue;
        uint32_t name = mix(o->edge[i], mix(r->a.id, r->b.id));
        if (faces) {
            const uint32_t before = o->edge[i == 0 ? o->count - 1 : i - 1];
            const uint32_t x = edge_name(&r->a, &r->b, o->edge[i]);
            const uint32_t y = edge_name(&r->a, &r->b, before);
            name = mix(x < y ? x : y, x < y ? y : x);
        }
        const kai_vec3 q = kai_vec3_mul_add(kai_vec3_mul_add(e.o, e.u, o->p[i].x), e.v, o->p[i].y);
        add(r, kai_vec3_mul_add(q, n, za), kai_vec3_mul_add(q, n, zb), zb - za, name);
    }
}

void kai_manifold_clip_single(const kai_narrow_pair* p, const kai_narrow_witness* w,
                              kai_manifold* out)
{
    builder r = {.pair = p, .witness = w};
    out->count = 0;
    if (!(w->gap <= p->reach)) return;
    features(&r, STRICT, STRICT);
    add(&r, w->a, w->b, w->gap, mix(r.a.id, r.b.id));
    out->contacts[0] = r.contacts[0];
    out->contacts[0].rim = is_rim(&r);
    out->count = 1;
}

void kai_manifold_clip_contacts(const kai_narrow_pair* p, const kai_narrow_witness* w,
                                kai_manifold* out)
{
    builder r;
    kai_narrow_witness full;
    r.pair = p;
    r.witness = w;
    r.count = 0;
    r.rim = false;
    out->count = 0;
    if (!(w->gap <= p->reach)) return;
    contact_features(&r);
    const uint32_t name = mix(r.a.id, r.b.id);
    if (r.a.count > 1 && r.b.count > 1) overlap_features(&r, p->reach);
    if (r.count == 0 && w->pointless) {
        full = *w;
        kai_manifold_clip_witness(p, &full);
        r.witness = w = &full;
    }
    if (r.count == 0) r.rim = is_rim(&r);
    // Far from flat, or a round rim: the features miss the nearest points.
    const double margins = p->a->margin + p->b->margin;
    double least = HUGE_VAL;
    for (int i = 0; i < r.count; i++) least = kai_narrow_min(least, r.contacts[i].gap + margins);
    if (!w->pointless && (least > w->gap + 1e-9 * p->size || (r.count == 1 && least > w->gap))) {
        if (r.count == 1) r.count = 0;
        if (r.count > 0) {
            // The nearest one makes room, so that a rim does not get two points side by side.
            int near = 0;
            for (int i = 1; i < r.count; i++) {
                if (kai_vec3_distance(r.contacts[i].point_a, w->a) <
                    kai_vec3_distance(r.contacts[near].point_a, w->a))
                    near = i;
            }
            r.contacts[near] = r.contacts[--r.count];
        }
        add(&r, w->a, w->b, w->gap, name);
    }
    if (r.rim && kai_manifold_ridge(p, w->normal, out)) return;
    kai_manifold_reduce(r.contacts, r.count, KAI_MANIFOLD_MOST, 1e-7 * p->size, out);
    out->contacts[0].rim = r.rim;
}

void kai_manifold_clip_over(const kai_narrow_pair* p, kai_vec3 normal, kai_manifold* out)
{
    const kai_narrow_witness w = {.normal = normal};
    builder r;
    r.pair = p;
    r.witness = &w;
    r.count = 0;
    features(&r, LOOSE, STRICT);
    if (r.b.count > 2) overlap_features(&r, p->reach);
    // The lowest point of a rim lies between the corners that stand for it, and that of a hull need
    // not be on the face that is most level.
    const kai_convex_type type = p->a->type;
    if (r.b.count > 2 &&
        (type == KAI_CONVEX_CYLINDER || type == KAI_CONVEX_CONE || type == KAI_CONVEX_HULL)) {
        features(&r, NEVER, STRICT);
        overlap_features(&r, p->reach);
    }
    kai_manifold_reduce(r.contacts, r.count, KAI_MANIFOLD_MOST, 1e-7 * p->size, out);
}

void kai_manifold_clip_witness(const kai_narrow_pair* p, kai_narrow_witness* w)
{
    builder r;
    r.pair = p;
    r.witness = w;
    r.count = 0;
    features(&r, EXACT, EXACT);
    if (r.a.count > 1 && r.b.count > 1) overlap_features(&r, HUGE_VAL);
    if (r.count > 0) {
        int best = 0;
        for (int i = 1; i < r.count; i++) {
            if (r.contacts[i].gap < r.contacts[best].gap) best = i;
        }
        w->a = kai_vec3_mul_add(r.contacts[best].point_a, w->normal, -p->a->margin);
    } else if (r.b.count == 1) {
        w->a = kai_vec3_mul_add(r.b.corner[0], w->normal, -w->gap);
    } else {
        w->a = r.a.corner[0];
    }
    w->b = kai_vec3_mul_add(w->a, w->normal, w->gap);
    w->pointless = false;
}
