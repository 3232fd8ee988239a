// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the files of the narrow phase share: a pair in the frame of a, the answer of a solver, and
// support points. Cores only; margins are added at the very end (narrow.c).
#ifndef PROXIMITY_NARROW_PAIR_H
#define PROXIMITY_NARROW_PAIR_H

#include "base/simd.h"
#include "geometry/hull.h"
#include "proximity/convex.h"
#include "proximity/manifold.h"
#include "proximity/narrow.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// A pair in the frame of a. A point x of b's frame is r x + t.
typedef struct kai_narrow_pair {
    const kai_geometry *a, *b;
    kai_mat33 r;
    kai_vec3 t;
    double reach; // contacts farther apart are of no interest: reach + margins
    double size;  // about the largest extent of the smaller core: the scale of tolerances
} kai_narrow_pair;

/// NaN from here on stays NaN.
KAI_INLINE bool kai_narrow_is_finite(const kai_narrow_pair* p)
{
    double sum = p->t.x + p->t.y + p->t.z;
    for (int i = 0; i < 3; i++) sum += p->r.m[i][0] + p->r.m[i][1] + p->r.m[i][2];
    return sum * 0.0 == 0.0 && p->reach == p->reach;
}

/// Nearest points of two cores, in the frame of a.
typedef struct kai_narrow_witness {
    double gap;      // (b - a) · normal; anything > reach when the cores are farther than that
    kai_vec3 normal; // unit, from a to b
    kai_vec3 a, b;
    bool pointless; // a and b are still to be found: kai_manifold_clip_witness
} kai_narrow_witness;

/// Where the search for the support of a hull starts: the last one found.
typedef struct kai_narrow_hint {
    uint32_t a, b;
} kai_narrow_hint;

/// The larger and the smaller of two: fmax and fmin are calls of the C library, because of NaN.
KAI_INLINE double kai_narrow_max(double a, double b) { return a > b ? a : b; }
KAI_INLINE double kai_narrow_min(double a, double b) { return a < b ? a : b; }

/// Some tangents of a unit vector, without branches.
KAI_INLINE void kai_narrow_tangents(kai_vec3 n, kai_vec3* u, kai_vec3* v)
{
    const double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z), b = n.x * n.y * a;
    *u = kai_vec3_make(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *v = kai_vec3_make(b, sign + n.y * n.y * a, -n.y);
}

// Support points ---------------------------------------------------------------------------------

/// Hulls with more vertices are climbed along their edges instead of scanned.
#define KAI_NARROW_SCAN 256

/// How far vector i of a block reaches along d, its number in the place of the last bits.
KAI_INLINE double kai_narrow_reach(const double* block, kai_vec3 d, int64_t i)
{
    double h =
        block[i] * d.x + block[KAI_HULL_LANES + i] * d.y + block[2 * KAI_HULL_LANES + i] * d.z;
    int64_t bits;
    memcpy(&bits, &h, sizeof bits);
    bits = (bits & ~(int64_t)(KAI_HULL_LANES - 1)) | i;
    memcpy(&h, &bits, sizeof h);
    return h;
}

/// The farthest vector of a block, as its reach. Four at a time, which do not wait for each other.
/// The last eight are compared by hand: a reduction would write and read them in unlike pieces,
/// for which the processor waits.
KAI_INLINE double kai_narrow_scan_block(const double* block, kai_vec3 d)
{
    enum { N = KAI_HULL_LANES / 4 };
    double top[N];
#pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        const double p = kai_narrow_reach(block, d, i), q = kai_narrow_reach(block, d, i + N);
        const double r = kai_narrow_reach(block, d, i + 2 * N);
        const double s = kai_narrow_reach(block, d, i + 3 * N);
        const double pq = kai_narrow_max(p, q), rs = kai_narrow_max(r, s);
        top[i] = kai_narrow_max(pq, rs);
    }
    const double a = kai_narrow_max(top[0], top[1]), b = kai_narrow_max(top[2], top[3]);
    const double c = kai_narrow_max(top[4], top[5]), e = kai_narrow_max(top[6], top[7]);
    return kai_narrow_max(kai_narrow_max(a, b), kai_narrow_max(c, e));
}

/// Which of `count` vectors, stored in blocks (hull.h), is farthest along d. The number of a vector
/// takes the place of the last bits of its height, so that one maximum finds both: heights count as
/// equal up to 7e-15 of themselves.
KAI_INLINE uint32_t kai_narrow_scan(const double* blocks, uint32_t lanes, uint32_t count,
                                    kai_vec3 d)
{
    double most = kai_narrow_scan_block(blocks, d);
    uint32_t first = 0;
    for (uint32_t i = KAI_HULL_LANES; i < lanes; i += KAI_HULL_LANES) {
        const double h = kai_narrow_scan_block(blocks + 3u * i, d);
        first = h > most ? i : first;
        most = h > most ? h : most;
    }
    int64_t bits;
    memcpy(&bits, &most, sizeof bits);
    const uint32_t best = first + (uint32_t)(bits & (KAI_HULL_LANES - 1));
    return best < count ? best : count - 1u;
}

KAI_INLINE uint32_t kai_narrow_hull_scan(const struct kai_hull* h, kai_vec3 d)
{
    return kai_narrow_scan(h->lanes, h->lane_count, h->vertex_count, d);
}

/// A start for climbing: the best of a few vertices from all over the hull.
KAI_INLINE uint32_t kai_narrow_hull_start(const struct kai_hull* h, kai_vec3 d)
{
    const uint32_t step = h->vertex_count / 12u;
    uint32_t best = 0;
    double most = kai_vec3_dot(h->vertices[0], d);
    for (uint32_t k = 1; k < 12u; k++) {
        const double x = kai_vec3_dot(h->vertices[k * step], d);
        best = x > most ? k * step : best;
        most = x > most ? x : most;
    }
    return best;
}

/// Climbs from vertex `from`. A vertex of a convex body that no neighbour exceeds is the highest.
KAI_INLINE uint32_t kai_narrow_hull_climb(const struct kai_hull* h, kai_vec3 d, uint32_t from)
{
    uint32_t at = from;
    double most = kai_vec3_dot(h->vertices[at], d);
    for (;;) {
        uint32_t best = at;
        for (uint32_t k = h->neighbour_first[at]; k < h->neighbour_first[at + 1]; k++) {
            const double x = kai_vec3_dot(h->vertices[h->neighbours[k]], d);
            if (x > most) {
                most = x;
                best = h->neighbours[k];
            }
        }
        if (best == at) return at;
        at = best;
    }
}

/// A point of the core farthest along d (any length > 0), in the core's frame.
KAI_INLINE kai_vec3 kai_narrow_support(const kai_geometry* g, kai_vec3 d, uint32_t* hint)
{
    const kai_vec3 s = g->size;
    switch (g->type) {
    case KAI_CONVEX_SEGMENT: return kai_vec3_make(0.0, 0.0, copysign(s.z, d.z));
    case KAI_CONVEX_BOX:
        return kai_vec3_make(copysign(s.x, d.x), copysign(s.y, d.y), copysign(s.z, d.z));
    case KAI_CONVEX_CYLINDER: {
        const double n = sqrt(d.x * d.x + d.y * d.y), k = n > 0.0 ? s.x / n : 0.0;
        return kai_vec3_make(k * d.x, k * d.y, copysign(s.z, d.z));
    }
    case KAI_CONVEX_CONE: {
        const double n = sqrt(d.x * d.x + d.y * d.y), k = n > 0.0 ? s.x / n : 0.0;
        if (2.0 * s.z * d.z >= s.x * n) return kai_vec3_make(0.0, 0.0, s.z);
        return kai_vec3_make(k * d.x, k * d.y, -s.z);
    }
    case KAI_CONVEX_ELLIPSOID: {
        const kai_vec3 e = kai_vec3_make(s.x * d.x, s.y * d.y, s.z * d.z);
        const double n = kai_vec3_norm(e), k = n > 0.0 ? 1.0 / n : 0.0;
        return kai_vec3_make(k * s.x * e.x, k * s.y * e.y, k * s.z * e.z);
    }
    case KAI_CONVEX_TRIANGLE: {
        const kai_vec3* v = g->triangle;
        const double x = kai_vec3_dot(v[0], d), y = kai_vec3_dot(v[1], d);
        const double z = kai_vec3_dot(v[2], d);
        return x >= y ? (x >= z ? v[0] : v[2]) : (y >= z ? v[1] : v[2]);
    }
    case KAI_CONVEX_HULL:
        *hint = g->hull->vertex_count <= KAI_NARROW_SCAN ? kai_narrow_hull_scan(g->hull, d)
                                                         : kai_narrow_hull_climb(g->hull, d, *hint);
        return g->hull->vertices[*hint];
    default: return kai_vec3_zero();
    }
}

KAI_INLINE kai_vec3 kai_narrow_support_a(const kai_narrow_pair* p, kai_vec3 d, kai_narrow_hint* h)
{
    return kai_narrow_support(p->a, d, &h->a);
}

/// Support of b, direction and result in the frame of a.
KAI_INLINE kai_vec3 kai_narrow_support_b(const kai_narrow_pair* p, kai_vec3 d, kai_narrow_hint* h)
{
    const kai_vec3 local = kai_mat33_transpose_mul_vec(p->r, d);
    const kai_vec3 x = kai_narrow_support(p->b, local, &h->b);
    return kai_vec3_add(kai_mat33_mul_vec(p->r, x), p->t);
}

/// A point of b's frame in the frame of a.
KAI_INLINE kai_vec3 kai_narrow_from_b(const kai_narrow_pair* p, kai_vec3 x)
{
    return kai_vec3_add(kai_mat33_mul_vec(p->r, x), p->t);
}

/// A point of a's frame in the frame of b.
KAI_INLINE kai_vec3 kai_narrow_to_b(const kai_narrow_pair* p, kai_vec3 x)
{
    return kai_mat33_transpose_mul_vec(p->r, kai_vec3_sub(x, p->t));
}

/// From a's frame to the world; back to the caller's order when a and b changed places.
KAI_INLINE void kai_narrow_to_world(const kai_frame* frame, bool swapped, kai_manifold* m)
{
    const kai_mat33 r = kai_quat_to_mat33(frame->rotation);
    for (int i = 0; i < m->count; i++) {
        kai_contact* c = &m->contacts[i];
        c->point_a = kai_vec3_add(frame->position, kai_mat33_mul_vec(r, c->point_a));
        c->normal = kai_mat33_mul_vec(r, c->normal);
        c->point_b = kai_vec3_mul_add(c->point_a, c->normal, c->gap);
        if (!swapped) continue;
        const kai_vec3 x = c->point_a;
        const double radius = c->radius_a;
        c->point_a = c->point_b;
        c->point_b = x;
        c->radius_a = c->radius_b;
        c->radius_b = radius;
        c->normal = kai_vec3_neg(c->normal);
    }
}

/// About the radius of a core.
KAI_INLINE double kai_narrow_extent(const kai_geometry* g)
{
    switch (g->type) {
    case KAI_CONVEX_POINT: return g->margin;
    case KAI_CONVEX_SEGMENT: return g->size.z;
    case KAI_CONVEX_HULL: return g->hull->outer_radius;
    case KAI_CONVEX_CYLINDER:
    case KAI_CONVEX_CONE: return kai_narrow_max(g->size.x, g->size.z);
    case KAI_CONVEX_TRIANGLE:
        return kai_narrow_max(kai_vec3_distance(g->triangle[0], g->triangle[1]),
                              kai_vec3_distance(g->triangle[0], g->triangle[2]));
    case KAI_CONVEX_BOX:
    case KAI_CONVEX_ELLIPSOID: return kai_vec3_max_abs(g->size);
    default: return 0.0;
    }
}

/// Brings a pair into the frame of a.
KAI_INLINE void kai_narrow_place(const kai_geometry* a, const kai_frame* fa, const kai_geometry* b,
                                 const kai_frame* fb, double reach, kai_narrow_pair* out)
{
    const kai_quat q = kai_quat_mul(kai_quat_conj(fa->rotation), fb->rotation);
    out->a = a;
    out->b = b;
    out->r = kai_quat_to_mat33(q);
    out->t = kai_quat_unrotate(fa->rotation, kai_vec3_sub(fb->position, fa->position));
    out->reach = reach + a->margin + b->margin;
    out->size = kai_narrow_max(kai_narrow_extent(a), kai_narrow_extent(b));
}

// Solvers ----------------------------------------------------------------------------------------

/// Finds the nearest points of two cores, or the way out when they overlap.
typedef void kai_narrow_solver(const kai_narrow_pair* pair, kai_narrow_witness* out);

/// Finds all contacts of a pair, margins included, in the frame of a.
typedef void kai_narrow_collider(const kai_narrow_pair* pair, kai_manifold* out);

/// The same for up to KAI_NARROW_AXES_LANES pairs at once, in the world.
typedef void kai_narrow_batch(const kai_narrow_request* const* requests, int count, double reach,
                              kai_manifold* const* out);

kai_narrow_solver kai_narrow_point_point, kai_narrow_point_segment, kai_narrow_point_box,
    kai_narrow_point_cylinder, kai_narrow_point_cone, kai_narrow_point_ellipsoid,
    kai_narrow_point_triangle, kai_narrow_point_hull;
kai_narrow_solver kai_narrow_segment_segment;
kai_narrow_solver kai_narrow_box_box;
kai_narrow_solver kai_narrow_cylinder_box, kai_narrow_cylinder_cylinder;
kai_narrow_solver kai_narrow_hull_hull;
kai_narrow_solver kai_narrow_smooth_ellipsoids;
kai_narrow_solver kai_narrow_convex; // GJK, then EPA
kai_narrow_solver kai_narrow_sat;    // small polytopes that overlap
kai_narrow_solver kai_narrow_plane;  // b is a plane
kai_narrow_batch kai_narrow_box_many, kai_narrow_hull_many;
kai_narrow_collider kai_narrow_plane_contacts;
kai_narrow_collider kai_narrow_mesh, kai_narrow_mesh_field, kai_narrow_mesh_plane;
kai_narrow_collider kai_narrow_surface;       // a is a mesh, b a mesh or a height field
kai_narrow_collider kai_narrow_surface_plane; // a is a plane, b a height field

#endif
