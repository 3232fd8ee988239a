// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// See epa.h. G. van den Bergen, Game Developers Conference (2001).
#include "proximity/epa.h"

#include "proximity/narrow_smooth.h"

#include <math.h>

#define NONE UINT16_MAX

typedef struct face {
    kai_vec3 normal; // unit, outward; zero for a sliver
    double offset;   // normal · corner
    uint16_t corner[3];
    uint16_t beside[3]; // across the edge from corner k to k + 1
    uint8_t beside_edge[3];
    uint8_t seen; // removed in this step
} face;

typedef struct polytope {
    int corners, faces;
    uint16_t spare;              // head of the list of unused faces, linked by beside[0]
    kai_vec3 w[KAI_EPA_CORNERS]; // b - a
    kai_vec3 a[KAI_EPA_CORNERS];
    double distance[KAI_EPA_FACES]; // of each face; HUGE_VAL when unused or a sliver
    face face[KAI_EPA_FACES];
} polytope;

/// The hole left by removed faces, walked around once.
typedef struct rim {
    uint16_t corner;      // the new one
    uint16_t first, last; // new faces
    bool broken;
    int gone; // faces removed
    uint16_t list[KAI_EPA_FACES];
} rim;

// Faces ------------------------------------------------------------------------------------------

KAI_INLINE uint16_t make_face(polytope* p, uint16_t i, uint16_t j, uint16_t k)
{
    uint16_t f = p->spare;
    if (f != NONE)
        p->spare = p->face[f].beside[0];
    else if (p->faces < KAI_EPA_FACES)
        f = (uint16_t)p->faces++;
    else
        return NONE;
    face* x = &p->face[f];
    const kai_vec3 d = kai_vec3_sub(p->w[j], p->w[i]), e = kai_vec3_sub(p->w[k], p->w[i]);
    const kai_vec3 n = kai_vec3_cross(d, e);
    const double n2 = kai_vec3_norm2(n);
    x->corner[0] = i;
    x->corner[1] = j;
    x->corner[2] = k;
    x->seen = 0;
    if (n2 > 1e-26 * kai_vec3_norm2(d) * kai_vec3_norm2(e)) {
        x->normal = kai_vec3_scale(n, 1.0 / sqrt(n2));
        x->offset = kai_vec3_dot(x->normal, p->w[i]);
        p->distance[f] = x->offset;
    } else {
        x->normal = kai_vec3_zero();
        x->offset = 0.0;
        p->distance[f] = HUGE_VAL;
    }
    return f;
}

KAI_INLINE void join(polytope* p, uint16_t f, int e, uint16_t g, int h)
{
    p->face[f].beside[e] = g;
    p->face[f].beside_edge[e] = (uint8_t)h;
    p->face[g].beside[h] = f;
    p->face[g].beside_edge[h] = (uint8_t)e;
}

KAI_INLINE int nearest_face(const polytope* p)
{
    int best = 0;
    double least = p->distance[0];
    for (int i = 1; i < p->faces; i++) {
        if (p->distance[i] < least) {
            least = p->distance[i];
            best = i;
        }
    }
    return best;
}

/// Closes an edge of the hole with a new face.
KAI_INLINE void close_edge(polytope* p, rim* r, uint16_t f, int e)
{
    const face* x = &p->face[f];
    const uint16_t g = make_face(p, x->corner[(e + 1) % 3], x->corner[e], r->corner);
    if (g == NONE) {
        r->broken = true;
        return;
    }
    join(p, g, 0, f, e);
    if (r->last == NONE) {
        r->first = g;
    } else {
        r->broken = p->face[r->last].corner[1] != p->face[g].corner[0];
        join(p, r->last, 1, g, 2);
    }
    r->last = g;
}

/// Walks over the faces that the new corner sees, from face f on. Edges to faces that it does not
/// see come in order around the hole. A stack of its own: it is compiled along with its caller.
KAI_INLINE void walk(polytope* p, rim* r, uint16_t f, double slack)
{
    uint16_t waiting[2 * KAI_EPA_FACES];
    uint8_t edge[2 * KAI_EPA_FACES];
    const kai_vec3 w = p->w[r->corner];
    int n = 0;
    p->face[f].seen = 1;
    r->gone = 1;
    r->list[0] = f;
    for (int e = 2; e >= 0; e--) {
        waiting[n] = p->face[f].beside[e];
        edge[n++] = p->face[f].beside_edge[e];
    }
    while (n > 0 && !r->broken) {
        const uint16_t g = waiting[--n];
        const int e = edge[n];
        face* x = &p->face[g];
        if (x->seen) continue;
        if (!(kai_vec3_dot(x->normal, w) - x->offset > slack)) {
            close_edge(p, r, g, e);
            continue;
        }
        x->seen = 1;
        r->list[r->gone++] = g;
        for (int k = 2; k > 0; k--) {
            const int next = (e + k) % 3;
            waiting[n] = x->beside[next];
            edge[n++] = x->beside_edge[next];
        }
    }
}

/// Adds a corner beyond face f. False when rounding broke the surface, or no room is left.
KAI_INLINE bool grow(polytope* p, int f, kai_vec3 w, kai_vec3 a, double slack)
{
    if (p->corners >= KAI_EPA_CORNERS) return false;
    rim r;
    r.corner = (uint16_t)p->corners;
    r.first = r.last = NONE;
    r.broken = false;
    p->w[p->corners] = w;
    p->a[p->corners++] = a;
    walk(p, &r, (uint16_t)f, slack);
    if (r.broken || r.first == r.last) return false;
    if (p->face[r.last].corner[1] != p->face[r.first].corner[0]) return false;
    join(p, r.last, 1, r.first, 2);
    for (int i = 0; i < r.gone; i++) {
        p->distance[r.list[i]] = HUGE_VAL;
        p->face[r.list[i]].beside[0] = p->spare;
        p->spare = r.list[i];
    }
    return true;
}

// Start ------------------------------------------------------------------------------------------

typedef struct start {
    int count;
    kai_vec3 w[4], a[4];
} start;

KAI_INLINE kai_vec3 support(const kai_narrow_pair* p, kai_vec3 d, kai_narrow_hint* hint,
                            kai_vec3* a)
{
    *a = kai_narrow_support_a(p, kai_vec3_neg(d), hint);
    return kai_vec3_sub(kai_narrow_support_b(p, d, hint), *a);
}

/// How far a point lies from the span of the corners so far, squared.
KAI_INLINE double height2(const start* s, kai_vec3 w)
{
    const kai_vec3 d = kai_vec3_sub(w, s->w[0]);
    if (s->count == 1) return kai_vec3_norm2(d);
    const kai_vec3 e = kai_vec3_sub(s->w[1], s->w[0]);
    if (s->count == 2) return kai_vec3_norm2(kai_vec3_cross(d, kai_vec3_normalize(e)));
    const kai_vec3 f = kai_vec3_sub(s->w[2], s->w[0]);
    const double x = kai_vec3_dot(d, kai_vec3_normalize(kai_vec3_cross(e, f)));
    return x * x;
}

/// Adds the support point that leads farthest out of the span, of some directions across it.
static bool widen(const kai_narrow_pair* p, kai_narrow_hint* hint, start* s)
{
    kai_vec3 d[6];
    int count = 0;
    if (s->count == 1) {
        for (int i = 0; i < 3; i++) d[count++] = kai_vec3_axis(i);
    } else if (s->count == 2) {
        const kai_vec3 e = kai_vec3_normalize(kai_vec3_sub(s->w[1], s->w[0]));
        d[count++] = kai_vec3_perpendicular(e);
        d[count++] = kai_vec3_cross(e, d[0]);
    } else {
        d[count++] = kai_vec3_normalize(
            kai_vec3_cross(kai_vec3_sub(s->w[1], s->w[0]), kai_vec3_sub(s->w[2], s->w[0])));
    }
    double most = 1e-24 * p->size * p->size;
    bool found = false;
    for (int i = 0; i < 2 * count; i++) {
        kai_vec3 a;
        const kai_vec3 w = support(p, i < count ? d[i] : kai_vec3_neg(d[i - count]), hint, &a);
        const double h = height2(s, w);
        if (h <= most) continue;
        most = h;
        found = true;
        s->w[s->count] = w;
        s->a[s->count] = a;
    }
    if (found) s->count++;
    return found;
}

/// A tetrahedron around the simplex that GJK ended with. False when B - A is flat.
KAI_INLINE bool begin(const kai_narrow_pair* p, const kai_gjk_simplex* simplex,
                      kai_narrow_hint* hint, polytope* out)
{
    start s = {.count = 0};
    for (int i = 0; i < simplex->count; i++) {
        // Corners that add no dimension are left out.
        if (s.count > 0 && height2(&s, simplex->w[i]) <= 1e-24 * p->size * p->size) continue;
        s.w[s.count] = simplex->w[i];
        s.a[s.count++] = simplex->a[i];
    }
    while (s.count < 4) {
        if (!widen(p, hint, &s)) return false;
    }
    const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(s.w[1], s.w[0]), kai_vec3_sub(s.w[2], s.w[0]));
    const bool turn = kai_vec3_dot(n, kai_vec3_sub(s.w[3], s.w[0])) > 0.0;
    out->corners = 4;
    out->faces = 0;
    out->spare = NONE;
    for (int i = 0; i < 4; i++) {
        const int k = turn && i < 2 ? 1 - i : i; // corner 3 lies below the face 0 1 2
        out->w[i] = s.w[k];
        out->a[i] = s.a[k];
    }
    make_face(out, 0, 1, 2);
    make_face(out, 1, 0, 3);
    make_face(out, 2, 1, 3);
    make_face(out, 0, 2, 3);
    join(out, 0, 0, 1, 0);
    join(out, 0, 1, 2, 0);
    join(out, 0, 2, 3, 0);
    join(out, 1, 2, 2, 1);
    join(out, 2, 2, 3, 1);
    join(out, 3, 2, 1, 1);
    return true;
}

// The loop ---------------------------------------------------------------------------------------

/// The witness of a face: the origin's projection onto it, carried to the support plane. False when
/// that lies outside the face: then only the normal and the gap are good.
KAI_INLINE bool take_face(const polytope* p, int f, double depth, kai_narrow_witness* out)
{
    const face* x = &p->face[f];
    const kai_vec3 u = p->w[x->corner[0]], v = p->w[x->corner[1]], w = p->w[x->corner[2]];
    const kai_vec3 q = kai_vec3_scale(x->normal, x->offset);
    double weight[3], sum = 0.0, least = 0.0;
    weight[0] = kai_vec3_dot(x->normal, kai_vec3_cross(kai_vec3_sub(v, q), kai_vec3_sub(w, q)));
    weight[1] = kai_vec3_dot(x->normal, kai_vec3_cross(kai_vec3_sub(w, q), kai_vec3_sub(u, q)));
    weight[2] = kai_vec3_dot(x->normal, kai_vec3_cross(kai_vec3_sub(u, q), kai_vec3_sub(v, q)));
    for (int i = 0; i < 3; i++) {
        least = kai_narrow_min(least, weight[i]);
        weight[i] = kai_narrow_max(weight[i], 0.0);
        sum += weight[i];
    }
    out->a = kai_vec3_zero();
    for (int i = 0; i < 3; i++) {
        const double k = sum > 0.0 ? weight[i] / sum : 1.0 / 3.0;
        out->a = kai_vec3_mul_add(out->a, p->a[x->corner[i]], k);
    }
    out->normal = kai_vec3_neg(x->normal);
    out->gap = -depth;
    out->b = kai_vec3_mul_add(out->a, out->normal, out->gap);
    return sum > 0.0 && least >= -1e-9 * sum;
}

/// The normal was found with a face far below the surface: moved apart along it, the cores have
/// their nearest points where they leave each other.
static void place_witness(const kai_narrow_pair* p, kai_narrow_hint* hint, kai_narrow_witness* out)
{
    kai_narrow_pair q = *p;
    kai_gjk_simplex simplex;
    kai_narrow_witness apart = {.pointless = false};
    q.t = kai_vec3_mul_add(p->t, out->normal, 0.01 * p->size - out->gap);
    q.reach = HUGE_VAL;
    if (kai_gjk_distance(&q, &simplex, hint, &apart, NULL) != KAI_GJK_NEAR) return;
    out->a = apart.a;
    out->b = kai_vec3_mul_add(out->a, out->normal, out->gap);
}

/// The direction near n (unit, in the core's frame) in which a core of revolution lies flat: along
/// its side or on its end.
static kai_vec3 level(const kai_geometry* g, kai_vec3 n)
{
    const double rho = sqrt(n.x * n.x + n.y * n.y);
    double side = 1.0, up = 0.0;
    if (g->type != KAI_CONVEX_CYLINDER && g->type != KAI_CONVEX_CONE) return n;
    if (g->type == KAI_CONVEX_CONE) {
        const double l = sqrt(g->size.x * g->size.x + 4.0 * g->size.z * g->size.z);
        side = 2.0 * g->size.z / l;
        up = g->size.x / l;
    }
    if (!(rho * side + n.z * up > fabs(n.z)))
        return kai_vec3_make(0.0, 0.0, n.z < 0.0 ? -1.0 : 1.0);
    return kai_vec3_make(side * n.x / rho, side * n.y / rho, up);
}

/// When the polytope ran out of corners: the ways out around an axis are as long, and none of them
/// ends the search. The normal then lies on a kink of one of the cores.
static void try_level(const kai_narrow_pair* p, kai_narrow_hint* hint, kai_narrow_witness* out)
{
    const kai_vec3 b = kai_mat33_transpose_mul_vec(p->r, kai_vec3_neg(out->normal));
    const kai_vec3 n[2] = {level(p->a, out->normal),
                           kai_vec3_neg(kai_mat33_mul_vec(p->r, level(p->b, b)))};
    for (int k = 0; k < 2; k++) {
        kai_vec3 a;
        const double gap =
            -kai_vec3_dot(support(p, kai_vec3_neg(n[k]), hint, &a), kai_vec3_neg(n[k]));
        if (gap <= out->gap) continue;
        out->gap = gap;
        out->normal = n[k];
    }
}

/// Cores without volume, both in one plane or line: touching, across it.
static void flat(const kai_narrow_pair* p, const kai_gjk_simplex* s, kai_narrow_witness* out)
{
    kai_vec3 n = p->t;
    if (s->count > 2)
        n = kai_vec3_cross(kai_vec3_sub(s->w[1], s->w[0]), kai_vec3_sub(s->w[2], s->w[0]));
    else if (s->count == 2)
        n = kai_vec3_perpendicular(kai_vec3_sub(s->w[1], s->w[0]));
    n = kai_vec3_normalize(n);
    out->normal = kai_vec3_norm2(n) > 0.5 ? n : kai_vec3_axis(2);
    out->gap = 0.0;
    out->a = s->a[0];
    out->b = s->a[0];
}

/// Expands a polytope. A corner sees a face when it lies higher above it than `slack`. False when
/// rounding broke the surface before the bounds agreed; the answer is then only the best so far.
KAI_CLONES static bool expand(const kai_narrow_pair* p, const kai_gjk_simplex* simplex,
                              kai_narrow_hint* hint, double slack, kai_narrow_witness* out,
                              int* steps)
{
    polytope x;
    bool whole = true;
    if (!begin(p, simplex, hint, &x)) {
        flat(p, simplex, out);
        return true;
    }
    const bool is_round = kai_narrow_smooth_is_round(p->a) || kai_narrow_smooth_is_round(p->b);
    const double enough = (is_round ? 1e-7 : 1e-13) * p->size;
    double upper = HUGE_VAL, coarse = 0.0;
    kai_vec3 polished = kai_vec3_zero();
    int polishes = 0, k = 0;
    for (;; k++) {
        const int f = nearest_face(&x);
        const double lower = x.distance[f];
        if (!(upper - lower > enough)) break;
        const kai_vec3 d = x.face[f].normal;
        kai_vec3 a;
        const kai_vec3 w = support(p, d, hint, &a);
        const double height = kai_vec3_dot(w, d);
        if (height < upper) {
            upper = height;
            coarse = take_face(&x, f, height, out) ? height - lower : HUGE_VAL;
        }
        if (!(height - lower > enough)) break;
        // Close to the surface and not on a slope already climbed: to the top of it.
        if (is_round && polishes < 8 && height - lower < 0.1 * p->size &&
            kai_vec3_dot(d, polished) < 0.95) {
            kai_narrow_witness top = {.pointless = false};
            polishes++;
            polished = d;
            if (kai_narrow_smooth_refine(p, kai_vec3_neg(d), hint, &top)) {
                polished = kai_vec3_neg(top.normal);
                if (-top.gap < upper) {
                    upper = -top.gap;
                    coarse = 0.0;
                    *out = top;
                }
            }
        }
        whole = grow(&x, f, w, a, slack);
        if (!whole) break;
    }
    if (!whole && is_round) {
        try_level(p, hint, out);
        coarse = HUGE_VAL;
    }
    if (coarse > enough) place_witness(p, hint, out);
    *steps += k;
    return whole;
}

void kai_epa_depth(const kai_narrow_pair* p, const kai_gjk_simplex* simplex, kai_narrow_hint* hint,
                   kai_narrow_witness* out, int* steps)
{
    // Aligned faces give many corners in one plane. When they tear the surface, a coarser eye
    // helps.
    static const double SLACK[3] = {1e-14, 1e-11, 1e-9};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        kai_narrow_witness w = {.pointless = false};
        const bool whole = expand(p, simplex, hint, SLACK[k] * p->size, &w, &count);
        if (k == 0 || w.gap > out->gap) *out = w;
        if (whole || count > KAI_EPA_CORNERS / 2) break; // no room left: not for rounding
    }
    if (steps) *steps = count;
}
