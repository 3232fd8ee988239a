// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two boxes by separating axes: 3 + 3 face normals and 9 products of edges. When they overlap, the
// least of the 15 depths is exact; when they do not, the widest of the 15 gaps is a lower bound,
// and exact only for face and edge contacts, so GJK has the last word.
//
// Contacts of overlapping boxes: on a face, the face of the other box that looks at it, cut to it;
// on edges, the nearest points of both.
#include "proximity/gjk.h"
#include "proximity/manifold_clip.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Edges this close to parallel (squared sine) have no axis of their own: faces speak for them.
#define PARALLEL 1e-14

/// Faces win over edges, and their exact normals over those of GJK, up to this share of the size.
#define PREFER_FACE 1e-10

// Axes -------------------------------------------------------------------------------------------

/// The widest gap: along face normal `axis` of a (0 … 2) or b (3 … 5), or across edges 6 + 3 i + j.
typedef struct search {
    double gap;
    int axis;
    kai_vec3 normal; // from a to b
} search;

/// Edge axes: true when one of them separates by more than the reach.
KAI_INLINE bool edges(const kai_narrow_pair* p, const double m[3][3], search* s)
{
    const double t[3] = {p->t.x, p->t.y, p->t.z};
    const double a[3] = {p->a->size.x, p->a->size.y, p->a->size.z};
    const double b[3] = {p->b->size.x, p->b->size.y, p->b->size.z};
    double best = s->gap + PREFER_FACE * p->size;
    best *= fabs(best); // gaps times their size: no root, and a division only for those that win
    int found = -1;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // e_i × b_j has components -R(i2, j) along i1 and R(i1, j) along i2.
            const double x = -p->r.m[i2][j], y = p->r.m[i1][j], sine2 = x * x + y * y;
            const double d = fabs(x * t[i1] + y * t[i2]) - a[i1] * m[i2][j] - a[i2] * m[i1][j] -
                             b[j1] * m[i][j2] - b[j2] * m[i][j1];
            const double key = d * fabs(d);
            if (key <= best * sine2 || sine2 < PARALLEL) continue;
            best = key / sine2;
            found = 3 * i + j;
        }
    }
    if (found < 0) return false;
    const int i = found / 3, j = found % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double x = -p->r.m[i2][j], y = p->r.m[i1][j];
    const double scale = copysign(1.0 / sqrt(x * x + y * y), x * t[i1] + y * t[i2]);
    double n[3] = {0.0, 0.0, 0.0};
    n[i1] = x * scale;
    n[i2] = y * scale;
    s->gap = copysign(sqrt(fabs(best)), best);
    s->axis = 6 + found;
    s->normal = kai_vec3_make(n[0], n[1], n[2]);
    return s->gap > p->reach;
}

/// Face axes: true when one of them separates by more than the reach.
KAI_INLINE bool faces(const kai_narrow_pair* p, const double m[3][3], search* s)
{
    const double t[3] = {p->t.x, p->t.y, p->t.z};
    const double a[3] = {p->a->size.x, p->a->size.y, p->a->size.z};
    const double b[3] = {p->b->size.x, p->b->size.y, p->b->size.z};
    double gap[6], side[6];
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        side[i] = t[i];
        side[3 + i] = t[0] * p->r.m[0][i] + t[1] * p->r.m[1][i] + t[2] * p->r.m[2][i];
        gap[i] = fabs(t[i]) - a[i] - (b[0] * m[i][0] + b[1] * m[i][1] + b[2] * m[i][2]);
        // Ties go to a's faces.
        gap[3 + i] = fabs(side[3 + i]) - b[i] - (a[0] * m[0][i] + a[1] * m[1][i] + a[2] * m[2][i]) -
                     1e-14 * p->size;
    }
    double best = gap[0];
    int found = 0;
#pragma GCC unroll 5
    for (int k = 1; k < 6; k++) {
        found = gap[k] > best ? k : found;
        best = gap[k] > best ? gap[k] : best;
    }
    s->gap = found < 3 ? best : best + 1e-14 * p->size;
    s->axis = found;
    if (s->gap > p->reach) return true;
    const double sign = side[found] < 0.0 ? -1.0 : 1.0;
    s->normal =
        kai_vec3_scale(found < 3 ? kai_vec3_axis(found) : kai_mat33_column(p->r, found - 3), sign);
    return false;
}

/// All axes: the best of the faces, the best of all. True when one separates beyond the reach.
KAI_INLINE bool separate(const kai_narrow_pair* p, search* face, search* all)
{
    double m[3][3];
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++) m[i][j] = fabs(p->r.m[i][j]);
    }
    const bool far = faces(p, m, face);
    *all = *face;
    return far || edges(p, m, all);
}

// Contacts ---------------------------------------------------------------------------------------

/// The most corners of a quadrilateral cut to a rectangle.
#define MOST 8

/// A corner of the polygon: across the face and above it.
typedef struct corner {
    double x[2], z;
    uint32_t name;
    uint32_t edge; // the one that starts here: 0 … 11 of the other box, 16 … 19 a side of the face
} corner;

/// The edge of a box along `axis` next to a corner.
KAI_INLINE uint32_t edge_name(int axis, uint32_t corner_bits)
{
    const uint32_t low = corner_bits & ((1u << axis) - 1u), high = corner_bits >> (axis + 1);
    return (uint32_t)axis * 4u + (low | high << axis);
}

/// A face of one box (the ground) and the other box, in the frame of the first.
typedef struct ground {
    double half[2]; // of the face
    int axis, u, v; // normal and sides
    uint32_t up;    // bit of the axis when the normal points along it
    bool of_b;      // whose face it is
    double slack;
} ground;

KAI_INLINE uint32_t cut_name(const ground* g, uint32_t edge, int side)
{
    // Sides 0, 1: +u, -u; 2, 3: +v, -v.
    const uint32_t u = 1u << g->u, v = 1u << g->v;
    const uint32_t here = side == 0 ? u : side == 2 ? v : 0u;
    if (edge >= 16u) {
        const uint32_t other = edge == 16u ? u : edge == 18u ? v : 0u;
        return (g->of_b ? 2000u : 1000u) + (g->up | here | other);
    }
    const uint32_t mine = edge_name(side < 2 ? g->v : g->u, g->up | here);
    return 10000u + (g->of_b ? edge * 16u + mine : mine * 16u + edge);
}

/// Cuts the polygon to one side of the face.
KAI_INLINE int cut(const ground* g, int side, const corner* from, int count, corner* to)
{
    const int c = side / 2;
    const double sign = side % 2 ? -1.0 : 1.0, half = g->half[c];
    int n = 0;
    for (int k = 0; k < count; k++) {
        const corner *p = &from[k], *q = &from[k + 1 == count ? 0 : k + 1];
        const double dp = half - sign * p->x[c], dq = half - sign * q->x[c];
        const bool in = dp >= -g->slack, in_next = dq >= -g->slack;
        if (in) to[n++] = *p;
        if (in == in_next) continue;
        const double t = kai_narrow_min(kai_narrow_max(dp / (dp - dq), 0.0), 1.0);
        corner* r = &to[n++];
        r->x[0] = p->x[0] + t * (q->x[0] - p->x[0]);
        r->x[1] = p->x[1] + t * (q->x[1] - p->x[1]);
        r->z = p->z + t * (q->z - p->z);
        r->name = cut_name(g, p->edge, side);
        r->edge = in ? 16u + (uint32_t)side : p->edge;
    }
    return n;
}

/// The face of the other box that looks at the ground: its corners, in order.
KAI_INLINE void incident(const ground* g, const kai_mat33* r, kai_vec3 t, kai_vec3 half, double top,
                         corner* out)
{
    const double h[3] = {half.x, half.y, half.z}, o[3] = {t.x, t.y, t.z};
    const double *n = r->m[g->axis], up = g->up ? 1.0 : -1.0;
    const double m[3] = {fabs(n[0]), fabs(n[1]), fabs(n[2])};
    const int j = m[0] >= m[1] ? (m[0] >= m[2] ? 0 : 2) : (m[1] >= m[2] ? 1 : 2);
    const int j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
    const double side = n[j] * up > 0.0 ? -1.0 : 1.0;
    const uint32_t bit = side > 0.0 ? 1u << j : 0u;
    const int row[3] = {g->u, g->v, g->axis};
    double c[3], d1[3], d2[3];
    for (int i = 0; i < 3; i++) {
        c[i] = o[row[i]] + side * h[j] * r->m[row[i]][j];
        d1[i] = h[j1] * r->m[row[i]][j1];
        d2[i] = h[j2] * r->m[row[i]][j2];
    }
    static const double S[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    for (int k = 0; k < 4; k++) {
        const uint32_t bits =
            bit | (S[k][0] > 0.0 ? 1u << j1 : 0u) | (S[k][1] > 0.0 ? 1u << j2 : 0u);
        out[k].x[0] = c[0] + S[k][0] * d1[0] + S[k][1] * d2[0];
        out[k].x[1] = c[1] + S[k][0] * d1[1] + S[k][1] * d2[1];
        out[k].z = up * (c[2] + S[k][0] * d1[2] + S[k][1] * d2[2]) - top;
        out[k].name = (g->of_b ? 1000u : 2000u) + bits;
        out[k].edge = edge_name(k % 2 ? j2 : j1, bits);
    }
}

/// The sides of the face that a point lies beyond, a bit each.
KAI_INLINE unsigned outside(const ground* g, const double x[2])
{
    const double u = g->half[0] + g->slack, v = g->half[1] + g->slack;
    return (x[0] > u ? 1u : 0u) | (x[0] < -u ? 2u : 0u) | (x[1] > v ? 4u : 0u) |
           (x[1] < -v ? 8u : 0u);
}

/// Whether all of the polygon that is within reach lies over the face: then nothing is to be cut.
KAI_INLINE bool within(const ground* g, const corner* c, double reach)
{
    unsigned beyond = 0;
    for (int k = 0; k < 4; k++) {
        const corner *p = &c[k], *q = &c[(k + 1) & 3];
        const bool low = p->z <= reach;
        if (low) beyond |= outside(g, p->x);
        if (low == (q->z <= reach)) continue;
        const double t = (reach - p->z) / (q->z - p->z);
        const double x[2] = {p->x[0] + t * (q->x[0] - p->x[0]), p->x[1] + t * (q->x[1] - p->x[1])};
        beyond |= outside(g, x);
    }
    return beyond == 0;
}

/// Writes the contacts of a polygon over a face, the deepest first.
KAI_INLINE void write(const kai_narrow_pair* p, const ground* g, kai_vec3 normal, double top,
                      const corner* c, int count, kai_manifold* out)
{
    const double margins = p->a->margin + p->b->margin, up = g->up ? 1.0 : -1.0;
    int n = 0, deepest = 0;
    for (int k = 0; k < count && n < KAI_MANIFOLD_MOST; k++) {
        if (!(c[k].z <= p->reach)) continue;
        double x[3];
        x[g->u] = c[k].x[0];
        x[g->v] = c[k].x[1];
        x[g->axis] = up * top;
        kai_vec3 on = kai_vec3_make(x[0], x[1], x[2]); // on the face
        if (g->of_b) on = kai_narrow_from_b(p, on);
        const kai_vec3 other = kai_vec3_mul_add(on, normal, g->of_b ? -c[k].z : c[k].z);
        kai_contact* r = &out->contacts[n];
        r->point_a = kai_vec3_mul_add(g->of_b ? other : on, normal, p->a->margin);
        r->point_b = kai_vec3_mul_add(g->of_b ? on : other, normal, -p->b->margin);
        r->normal = normal;
        r->gap = c[k].z - margins;
        r->radius_a = r->radius_b = HUGE_VAL;
        r->feature = c[k].name;
        if (r->gap < out->contacts[deepest].gap) deepest = n;
        n++;
    }
    out->count = n;
    if (deepest == 0) return;
    const kai_contact first = out->contacts[0];
    out->contacts[0] = out->contacts[deepest];
    out->contacts[deepest] = first;
}

/// Contacts on a face.
KAI_INLINE void on_face(const kai_narrow_pair* p, const search* s, kai_manifold* out)
{
    corner x[MOST + 4], y[MOST + 4];
    ground g;
    g.of_b = s->axis >= 3;
    g.axis = g.of_b ? s->axis - 3 : s->axis;
    g.u = g.axis == 2 ? 0 : g.axis + 1;
    g.v = g.axis == 0 ? 2 : g.axis - 1;
    g.slack = 1e-10 * p->size;
    const kai_vec3 mine = g.of_b ? p->b->size : p->a->size;
    const kai_vec3 theirs = g.of_b ? p->a->size : p->b->size;
    const double half[3] = {mine.x, mine.y, mine.z};
    g.half[0] = half[g.u];
    g.half[1] = half[g.v];
    const kai_mat33 r = g.of_b ? kai_mat33_transpose(p->r) : p->r;
    const kai_vec3 t = g.of_b ? kai_vec3_neg(kai_mat33_mul_vec(r, p->t)) : p->t;
    g.up = kai_vec3_get(t, g.axis) < 0.0 ? 0u : 1u << g.axis;
    incident(&g, &r, t, theirs, half[g.axis], x);
    corner *from = x, *to = y;
    int n = 4;
    if (!within(&g, x, p->reach)) {
        // Only sides that some corner lies beyond have anything to cut.
        const unsigned beyond =
            outside(&g, x[0].x) | outside(&g, x[1].x) | outside(&g, x[2].x) | outside(&g, x[3].x);
#pragma GCC unroll 4
        for (int side = 0; side < 4; side++) {
            if (!(beyond >> side & 1u)) continue;
            n = cut(&g, side, from, n, to);
            corner* swap = from;
            from = to;
            to = swap;
        }
    }
    write(p, &g, s->normal, half[g.axis], from, n, out);
}

/// The contact of two edges.
KAI_INLINE void on_edges(const kai_narrow_pair* p, const search* s, kai_manifold* out)
{
    const int i = (s->axis - 6) / 3, j = (s->axis - 6) % 3;
    const kai_vec3 n = s->normal, nb = kai_mat33_transpose_mul_vec(p->r, n);
    const double a[3] = {p->a->size.x, p->a->size.y, p->a->size.z};
    const double b[3] = {p->b->size.x, p->b->size.y, p->b->size.z};
    double x[3], y[3];
    uint32_t bits_a = 0, bits_b = 0;
    for (int k = 0; k < 3; k++) {
        const bool up = kai_vec3_get(n, k) > 0.0, down = kai_vec3_get(nb, k) < 0.0;
        x[k] = k == i ? 0.0 : up ? a[k] : -a[k];
        y[k] = k == j ? 0.0 : down ? b[k] : -b[k];
        if (up && k != i) bits_a |= 1u << k;
        if (down && k != j) bits_b |= 1u << k;
    }
    const kai_vec3 xa = kai_vec3_make(x[0], x[1], x[2]), ea = kai_vec3_axis(i);
    const kai_vec3 xb = kai_narrow_from_b(p, kai_vec3_make(y[0], y[1], y[2]));
    const kai_vec3 eb = kai_mat33_column(p->r, j), d = kai_vec3_sub(xb, xa);
    // Along a's edge to the point nearest to b's.
    const double c = kai_vec3_dot(ea, eb), da = kai_vec3_dot(ea, d), db = kai_vec3_dot(eb, d);
    double at = (da - c * db) / (1.0 - c * c);
    at = kai_narrow_min(kai_narrow_max(at, -a[i]), a[i]);
    const kai_vec3 on = kai_vec3_mul_add(xa, ea, at);
    kai_contact* r = &out->contacts[0];
    out->count = 1;
    r->point_a = kai_vec3_mul_add(on, n, p->a->margin);
    r->point_b = kai_vec3_mul_add(on, n, s->gap - p->b->margin);
    r->normal = n;
    r->gap = s->gap - p->a->margin - p->b->margin;
    r->radius_a = p->a->margin;
    r->radius_b = p->b->margin;
    r->feature = 10000u + edge_name(i, bits_a) * 16u + edge_name(j, bits_b);
}

// Entry points -----------------------------------------------------------------------------------

/// Boxes apart: GJK, and the face's normal where it is as good.
static void solve_apart(const kai_narrow_pair* p, const search* face, kai_narrow_witness* out)
{
    kai_gjk_simplex simplex;
    kai_narrow_hint hint = {0, 0};
    const kai_gjk_state state = kai_gjk_distance(p, &simplex, &hint, out, NULL);
    if (state == KAI_GJK_FAR) return;
    if (state == KAI_GJK_NEAR && face->gap < out->gap - PREFER_FACE * p->size) return;
    out->gap = face->gap;
    out->normal = face->normal;
    out->pointless = true;
}

void kai_narrow_box_box(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    search face, all;
    if (separate(p, &face, &all)) {
        out->gap = all.gap;
    } else if (all.gap > 0.0) {
        solve_apart(p, &face, out);
    } else {
        out->gap = all.gap;
        out->normal = all.normal;
        out->pointless = true;
    }
}

KAI_CLONES void kai_narrow_box_contacts(const kai_narrow_pair* p, kai_manifold* out)
{
    search face, all;
    out->count = 0;
    if (separate(p, &face, &all)) return;
    if (all.gap > 0.0) {
        kai_narrow_witness w = {.pointless = false};
        solve_apart(p, &face, &w);
        kai_manifold_clip_contacts(p, &w, out);
    } else if (all.axis < 6) {
        on_face(p, &all, out);
    } else {
        on_edges(p, &all, out);
    }
}
