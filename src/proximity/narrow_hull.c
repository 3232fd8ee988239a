// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two hulls of moderate size: whether and how deep they overlap, in one search.
//
// A polytope inside B - A grows until its face with the least (signed) distance from the origin
// lies on the surface of B - A. When that distance is negative, the face's normal separates the
// hulls; otherwise the distance is their depth: no way out is shorter, as the polytope lies inside,
// and none is longer, as the face lies on the surface. Nothing is asked of the start, so that GJK
// is not needed to find one: the polytope begins with the point of B - A nearest to the origin
// along the line of centres, three around it, and the far end of a ball inside.
//
// It is small: faces are bits of a word, and the face on either side of an edge stands in a table.
// What does not fit, tears by rounding, or lies apart but within reach goes the general way.
#include "proximity/manifold_clip.h"
#include "proximity/narrow_axes.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Most corners and faces of the polytope.
#define CORNERS 32
#define FACES   64

/// Most vertices of a hull, rounded up to its lanes.
#define MOST 256

/// What the line of centres says, in the frame of a. B - A has a ball of radius `ball` around
/// `centre` inside.
typedef struct greeting {
    kai_vec3 centre_b, centre;
    double ball, distance; // distance of the centres
    kai_vec3 way, first;   // from the centre to the origin, and the point of B - A farthest there
    uint32_t first_a;      // the vertex of a that it comes from
    double gap;            // along the way: a lower bound
} greeting;

/// Both hulls in the frame of a.
typedef struct bodies {
    const kai_hull *a, *b;
    uint32_t lanes_b;
    _Alignas(64) double b_at[3 * MOST]; // vertices of b, in blocks
} bodies;

/// A face's normal n has any length: its distance from the origin is offset / |n|. Comparing
/// squares keeps roots out of the chain of operations that wait for each other.
typedef struct polytope {
    int corners, faces; // in use
    double x[CORNERS], y[CORNERS], z[CORNERS];
    uint32_t a[CORNERS]; // the vertex of a
    double nx[FACES], ny[FACES], nz[FACES], n2[FACES], offset[FACES];
    double rise[FACES];    // a point x sees the face when n · x > rise
    double key[FACES + 3]; // the distance times its size; HUGE_VAL: no face
    uint8_t corner[FACES][4];
    uint8_t left[CORNERS][CORNERS]; // the face left of the edge from one corner to another
    double slack;                   // a corner higher above a face than this sees it
} polytope;

// Hulls ------------------------------------------------------------------------------------------

KAI_INLINE void greet(const kai_narrow_pair* p, greeting* g)
{
    const kai_hull *a = p->a->hull, *b = p->b->hull;
    g->centre_b = kai_narrow_from_b(p, b->centre);
    g->centre = kai_vec3_sub(g->centre_b, a->centre);
    g->ball = a->inner_radius + b->inner_radius;
    g->distance = kai_vec3_norm(g->centre);
    g->way = kai_vec3_scale(g->centre, -1.0 / g->distance);
    const uint32_t i = kai_narrow_hull_scan(a, kai_vec3_neg(g->way));
    const uint32_t k = kai_narrow_hull_scan(b, kai_mat33_transpose_mul_vec(p->r, g->way));
    g->first = kai_vec3_sub(kai_narrow_from_b(p, b->vertices[k]), a->vertices[i]);
    g->first_a = i;
    g->gap = -kai_vec3_dot(g->first, g->way);
}

/// The vertices of b in a's frame: from then on directions need not be turned.
KAI_INLINE void place_b(const kai_narrow_pair* p, const greeting* g, bodies* s)
{
    const kai_vec3 c = g->centre_b;
    const kai_mat33 r = p->r;
    s->a = p->a->hull;
    s->b = p->b->hull;
    s->lanes_b = s->b->lane_count;
    for (uint32_t k = 0; k < s->lanes_b; k += KAI_HULL_LANES) {
        const double *x = s->b->lanes + 3u * k, *y = x + KAI_HULL_LANES, *z = y + KAI_HULL_LANES;
        double *bx = s->b_at + 3u * k, *by = bx + KAI_HULL_LANES, *bz = by + KAI_HULL_LANES;
#pragma omp simd
        for (int i = 0; i < KAI_HULL_LANES; i++) {
            bx[i] = c.x + (r.m[0][0] * x[i] + r.m[0][1] * y[i] + r.m[0][2] * z[i]);
            by[i] = c.y + (r.m[1][0] * x[i] + r.m[1][1] * y[i] + r.m[1][2] * z[i]);
            bz[i] = c.z + (r.m[2][0] * x[i] + r.m[2][1] * y[i] + r.m[2][2] * z[i]);
        }
    }
}

/// The point of B - A farthest along d, and the vertex of a that it comes from.
KAI_INLINE kai_vec3 support(const bodies* s, kai_vec3 d, uint32_t* a)
{
    const uint32_t i = kai_narrow_hull_scan(s->a, kai_vec3_neg(d));
    const uint32_t k = kai_narrow_scan(s->b_at, s->lanes_b, s->lanes_b, d);
    const uint32_t in = k % KAI_HULL_LANES;
    const double* block = s->b_at + 3u * (k - in);
    const kai_vec3 b =
        kai_vec3_make(block[in], block[KAI_HULL_LANES + in], block[2 * KAI_HULL_LANES + in]);
    *a = i;
    return kai_vec3_sub(b, s->a->vertices[i]);
}

// The polytope -----------------------------------------------------------------------------------

KAI_INLINE kai_vec3 at(const polytope* p, int i)
{
    return kai_vec3_make(p->x[i], p->y[i], p->z[i]);
}

KAI_INLINE int add_corner(polytope* p, kai_vec3 w, uint32_t a)
{
    const int i = p->corners++;
    p->x[i] = w.x;
    p->y[i] = w.y;
    p->z[i] = w.z;
    p->a[i] = a;
    return i;
}

/// Puts a face into a slot; a sliver has no normal, is never seen and never the nearest.
KAI_INLINE void put_face(polytope* p, int f, int i, int j, int k)
{
    const kai_vec3 o = at(p, i), d = kai_vec3_sub(at(p, j), o), e = kai_vec3_sub(at(p, k), o);
    const kai_vec3 n = kai_vec3_cross(d, e);
    const double n2 = kai_vec3_norm2(n), offset = kai_vec3_dot(n, o);
    const bool sliver = !(n2 > 1e-26 * kai_vec3_norm2(d) * kai_vec3_norm2(e));
    p->nx[f] = n.x;
    p->ny[f] = n.y;
    p->nz[f] = n.z;
    p->n2[f] = n2;
    p->offset[f] = offset;
    p->key[f] = sliver ? HUGE_VAL : offset * fabs(offset) / n2;
    p->rise[f] = sliver ? HUGE_VAL : offset + p->slack * sqrt(n2);
    p->corner[f][0] = (uint8_t)i;
    p->corner[f][1] = (uint8_t)j;
    p->corner[f][2] = (uint8_t)k;
    p->left[i][j] = p->left[j][k] = p->left[k][i] = (uint8_t)f;
}

/// The face nearest to the origin. Four chains, as each step of one waits for the step before.
KAI_INLINE int nearest_face(const polytope* p)
{
    int best[4] = {0, 1, 2, 3};
    double least[4] = {p->key[0], p->key[1], p->key[2], p->key[3]};
    for (int i = 4; i < p->faces; i += 4) {
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            best[k] = p->key[i + k] < least[k] ? i + k : best[k];
            least[k] = p->key[i + k] < least[k] ? p->key[i + k] : least[k];
        }
    }
    const int even = least[2] < least[0] ? best[2] : best[0];
    const int odd = least[3] < least[1] ? best[3] : best[1];
    return p->key[odd] < p->key[even] ? odd : even;
}

/// The faces that a point sees, a bit each.
KAI_INLINE uint64_t seen_from(const polytope* p, kai_vec3 w)
{
    uint64_t seen = 0;
    for (int i = 0; i < p->faces; i++) {
        const double h = p->nx[i] * w.x + p->ny[i] * w.y + p->nz[i] * w.z;
        seen |= (uint64_t)(h > p->rise[i]) << i;
    }
    return seen;
}

/// The edges around a hole, in any order.
typedef struct rim {
    int count;
    bool torn; // not the rim of one disc
    uint8_t from[2 * FACES], to[2 * FACES];
} rim;

KAI_INLINE void find_rim(const polytope* p, uint64_t seen, rim* r)
{
    int n = 0;
    uint32_t all = 0, outer = 0; // corners of the faces, corners on the rim
    for (uint64_t rest = seen; rest; rest &= rest - 1u) {
        const uint8_t* c = p->corner[__builtin_ctzll(rest)];
        const uint8_t next[3] = {c[1], c[2], c[0]};
#pragma GCC unroll 3
        for (int k = 0; k < 3; k++) {
            const uint32_t edge = !(seen >> p->left[next[k]][c[k]] & 1u);
            all |= 1u << c[k];
            outer |= edge << c[k];
            r->from[n] = c[k];
            r->to[n] = next[k];
            n += (int)edge;
        }
    }
    r->count = n;
    // A disc has corners - edges + faces = 1, and its rim passes each corner once. Rounding may
    // have made it two, or a ring.
    const int faces = __builtin_popcountll(seen), corners = __builtin_popcount(all);
    r->torn = (2 * corners - faces - n != 2) | (__builtin_popcount(outer) != n);
}

KAI_INLINE void drop_face(polytope* p, int f) { p->key[f] = p->rise[f] = HUGE_VAL; }

/// Fills up the last four of the list.
KAI_INLINE void pad(polytope* p)
{
    for (int k = 0; k < 3; k++) p->key[p->faces + k] = HUGE_VAL;
}

/// Adds a corner that sees some faces. False when there is no room, or rounding broke the surface.
KAI_INLINE bool grow(polytope* p, kai_vec3 w, uint32_t a, uint64_t seen)
{
    rim r;
    if (!seen || p->corners >= CORNERS) return false;
    find_rim(p, seen, &r);
    if (r.torn || p->faces + r.count > FACES) return false;
    const int corner = add_corner(p, w, a);
    for (int i = 0; i < r.count; i++) {
        // Into the place of a face that goes, or at the end.
        const int f = seen ? __builtin_ctzll(seen) : p->faces;
        p->faces += seen ? 0 : 1;
        seen &= seen - 1u;
        put_face(p, f, r.from[i], r.to[i], corner);
    }
    for (; seen; seen &= seen - 1u) drop_face(p, __builtin_ctzll(seen));
    pad(p);
    return true;
}

// The search -------------------------------------------------------------------------------------

typedef enum outcome { APART, OVERLAP, UNKNOWN } outcome;

/// Support points around the way to the origin; returns the least height of them. Corner 0 is the
/// far end of the ball, 1 to 3 stand around the way, 4 is the first one found.
KAI_INLINE double put_corners(const bodies* s, const greeting* g, polytope* p)
{
    // 29 degrees off the way, 120 apart. Wider ones take more steps; narrower ones meet in a
    // corner.
    static const double U[3] = {0.48481, -0.24240, -0.24240}, V[3] = {0.0, 0.41986, -0.41986};
    double least = HUGE_VAL;
    kai_vec3 u, v;
    kai_narrow_tangents(g->way, &u, &v);
    p->corners = 0;
    add_corner(p, kai_vec3_mul_add(g->centre, g->way, -g->ball), 0);
    for (int k = 0; k < 3; k++) {
        kai_vec3 d = kai_vec3_scale(g->way, 0.87462);
        d = kai_vec3_mul_add(kai_vec3_mul_add(d, u, U[k]), v, V[k]);
        uint32_t a;
        const kai_vec3 w = support(s, d, &a);
        least = kai_narrow_min(least, kai_vec3_dot(w, d));
        add_corner(p, w, a);
    }
    add_corner(p, g->first, g->first_a);
    return least;
}

/// Spans the faces between the first corners. False when they have no volume.
KAI_INLINE bool put_faces(double ball, polytope* p)
{
    const kai_vec3 o = at(p, 1), e = kai_vec3_sub(at(p, 2), o), f = kai_vec3_sub(at(p, 3), o);
    const kai_vec3 n = kai_vec3_cross(e, f), first = at(p, 4);
    const double deep = kai_vec3_dot(n, kai_vec3_sub(o, at(p, 0)));
    const double high = kai_vec3_dot(n, kai_vec3_sub(first, o));
    if (!(deep > 1e-6 * ball * ball * ball)) return false;
    p->faces = 6;
    put_face(p, 3, 0, 2, 1);
    put_face(p, 4, 0, 3, 2);
    put_face(p, 5, 0, 1, 3);
    drop_face(p, 0);
    drop_face(p, 1);
    drop_face(p, 2);
    pad(p);
    if (seen_from(p, first) == 0 && high > 1e-6 * deep) {
        // As nearly always: the first corner stands above the other three.
        put_face(p, 0, 1, 2, 4);
        put_face(p, 1, 2, 3, 4);
        put_face(p, 2, 3, 1, 4);
        return true;
    }
    put_face(p, 0, 1, 2, 3);
    p->corners = 4;
    const uint64_t seen = seen_from(p, first);
    return !seen || grow(p, first, p->a[4], seen);
}

/// The witness of a face on the surface: the origin's projection onto it. False when that lies
/// outside the face.
KAI_INLINE bool take_face(const bodies* s, const polytope* p, int f, double depth,
                          kai_narrow_witness* out)
{
    const kai_vec3 long_n = kai_vec3_make(p->nx[f], p->ny[f], p->nz[f]);
    const kai_vec3 n = kai_vec3_scale(long_n, 1.0 / sqrt(p->n2[f]));
    const uint8_t* c = p->corner[f];
    const kai_vec3 q = kai_vec3_scale(n, depth);
    const kai_vec3 u = kai_vec3_sub(at(p, c[0]), q), v = kai_vec3_sub(at(p, c[1]), q);
    const kai_vec3 w = kai_vec3_sub(at(p, c[2]), q);
    const double x = kai_vec3_dot(n, kai_vec3_cross(v, w));
    const double y = kai_vec3_dot(n, kai_vec3_cross(w, u));
    const double z = kai_vec3_dot(n, kai_vec3_cross(u, v)), sum = x + y + z, least = -1e-9 * sum;
    const kai_vec3* at_a = s->a->vertices;
    out->normal = kai_vec3_neg(n);
    out->gap = -depth;
    if (!(sum > 0.0 && x >= least && y >= least && z >= least)) return false;
    const double scale = 1.0 / sum;
    out->a = kai_vec3_scale(at_a[p->a[c[0]]], x * scale);
    out->a = kai_vec3_mul_add(out->a, at_a[p->a[c[1]]], y * scale);
    out->a = kai_vec3_mul_add(out->a, at_a[p->a[c[2]]], z * scale);
    out->b = kai_vec3_mul_add(out->a, out->normal, out->gap);
    return true;
}

/// Goes on where the line of centres has not shown that the hulls are apart.
KAI_INLINE outcome search(const kai_narrow_pair* pair, const greeting* g, kai_narrow_witness* out)
{
    bodies s;
    polytope p;
    const double enough = 1e-13 * pair->size;
    p.slack = 1e-14 * pair->size;
    if (g->gap > 0.0 || !(g->distance > 1e-3 * g->ball)) return UNKNOWN;
    place_b(pair, g, &s);
    out->gap = -put_corners(&s, g, &p);
    if (out->gap > pair->reach) return APART;
    if (out->gap > 0.0 || !put_faces(g->ball, &p)) return UNKNOWN;
    for (int k = 0; k < CORNERS; k++) {
        const int f = nearest_face(&p);
        const kai_vec3 d = kai_vec3_make(p.nx[f], p.ny[f], p.nz[f]);
        uint32_t a;
        const kai_vec3 w = support(&s, d, &a);
        const double height = kai_vec3_dot(w, d), above = height - p.offset[f];
        if (height < 0.0) {
            out->gap = -height / sqrt(p.n2[f]);
            return out->gap > pair->reach ? APART : UNKNOWN;
        }
        if (above > 0.0 && above * above > enough * enough * p.n2[f]) {
            if (!grow(&p, w, a, seen_from(&p, w))) return UNKNOWN;
            continue;
        }
        if (!take_face(&s, &p, f, height / sqrt(p.n2[f]), out))
            kai_manifold_clip_witness(pair, out);
        return OVERLAP;
    }
    return UNKNOWN;
}

// Entry points -----------------------------------------------------------------------------------

KAI_INLINE bool fits(const kai_narrow_pair* p)
{
    return p->a->hull->lane_count <= MOST && p->b->hull->lane_count <= MOST;
}

KAI_CLONES static void solve(const kai_narrow_pair* p, const greeting* g, kai_narrow_witness* out)
{
    if (search(p, g, out) == UNKNOWN) kai_narrow_convex(p, out);
}

KAI_CLONES void kai_narrow_hull_hull(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    greeting g;
    if (!fits(p)) {
        kai_narrow_convex(p, out);
        return;
    }
    greet(p, &g);
    out->gap = g.gap;
    if (!(g.gap > p->reach)) solve(p, &g, out);
}

/// All pairs greet first: no pair waits for the answer of another, and many are done with that.
KAI_CLONES void kai_narrow_hull_many(const kai_narrow_request* const* requests, int count,
                                     double reach, kai_manifold* const* out)
{
    kai_narrow_pair p[KAI_NARROW_AXES_LANES];
    greeting g[KAI_NARROW_AXES_LANES];
    int list[KAI_NARROW_AXES_LANES], near = 0;
    for (int l = 0; l < count; l++) {
        const kai_narrow_request* q = requests[l];
        kai_narrow_place(q->a, q->frame_a, q->b, q->frame_b, reach + q->more, &p[l]);
        g[l].gap = -HUGE_VAL;
        if (fits(&p[l])) greet(&p[l], &g[l]);
        out[l]->count = 0;
        list[near] = l;
        near += !(g[l].gap > p[l].reach);
    }
    for (int k = 0; k < near; k++) {
        const int l = list[k];
        kai_narrow_witness w = {.pointless = false};
        if (!kai_narrow_is_finite(&p[l])) continue;
        if (fits(&p[l]))
            solve(&p[l], &g[l], &w);
        else
            kai_narrow_convex(&p[l], &w);
        if (!(w.gap <= p[l].reach)) continue;
        kai_manifold_clip_contacts(&p[l], &w, out[l]);
        kai_narrow_to_world(requests[l]->frame_a, false, out[l]);
    }
}
