// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two boxes by separating axes: 3 + 3 face normals and 9 products of edges. When they overlap, the
// least of the 15 depths is exact; when they do not, the widest of the 15 gaps is a lower bound,
// and exact only for face and edge contacts, so GJK has the last word.
//
// Contacts of overlapping boxes: on a face, the face of the other box that looks at it, cut to it;
// on edges, the nearest points of both. Where the axis of two edges is nearly the normal of a face,
// the box rests on that face: one point alone would let it tip. Gaps are then measured along the
// axis, where it matters, so that the deepest is the depth of the boxes. Boxes that lie flat on
// each other have contacts of the same names whether they overlap or not.
#include "proximity/gjk.h"
#include "proximity/manifold_clip.h"
#include "proximity/manifold_ridge.h"
#include "proximity/narrow_axes.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// The exact normals of faces win over those of GJK, up to this share of the size.
#define PREFER_FACE 1e-10

/// Cosine of 2 degrees: an edge axis this near to a face's normal is a face that leans a little.
#define FLAT 0.99939

/// Up to this share of the size, the normal of a face may stand for that of edges.
#define EXACT 1e-10

/// Up to this share of the least half extent, boxes that overlap touch at a rim.
#define RIM 0.1

// Axes -------------------------------------------------------------------------------------------

/// The widest gap: along face normal `axis` of a (0 … 2) or b (3 … 5), or across edges 6 + 3 i + j.
typedef struct search {
    double gap;
    int axis;
} search;

/// The unit normal of an axis, from a to b.
KAI_INLINE kai_vec3 normal_of(const kai_narrow_pair* p, int axis)
{
    if (axis < 6) {
        const kai_vec3 n = axis < 3 ? kai_vec3_axis(axis) : kai_mat33_column(p->r, axis - 3);
        return kai_vec3_scale(n, kai_vec3_dot(n, p->t) < 0.0 ? -1.0 : 1.0);
    }
    const int i = (axis - 6) / 3, j = (axis - 6) % 3, i1 = i == 2 ? 0 : i + 1, i2 = 3 - i - i1;
    // e_i × b_j has components -R(i2, j) along i1 and R(i1, j) along i2.
    const double x = -p->r.m[i2][j], y = p->r.m[i1][j];
    const double side = x * kai_vec3_get(p->t, i1) + y * kai_vec3_get(p->t, i2);
    const double scale = copysign(1.0 / sqrt(x * x + y * y), side);
    double n[3] = {0.0, 0.0, 0.0};
    n[i1] = x * scale;
    n[i2] = y * scale;
    return kai_vec3_make(n[0], n[1], n[2]);
}

// Contacts on a face -----------------------------------------------------------------------------

/// The edge of a box along `axis` next to a corner.
KAI_INLINE uint32_t edge_name(int axis, uint32_t corner_bits)
{
    const uint32_t low = corner_bits & ((1u << axis) - 1u), high = corner_bits >> (axis + 1);
    return (uint32_t)axis * 4u + (low | high << axis);
}

/// A face of one box, the ground, and the other box, both in the frame of the first.
typedef struct ground {
    bool of_b;            // whose face it is
    int axis, u, v;       // normal and sides
    double up;            // 1 or -1: the way of the normal along the axis
    double top;           // of the face, along the normal
    double half[2];       // of the face
    double theirs[3];     // half extents of the other box
    double r[3][3], t[3]; // and its place
    double way[3]; // unit, along which the other box is seen: across the ground, and above it
    double slack;
} ground;

/// The face of the other box that looks at the ground: c + α d1 + β d2, with α and β from -1 to 1;
/// across the ground, and above it.
typedef struct facing {
    double c[3], d1[3], d2[3];
    int j, j1, j2; // its axes
    uint32_t bit;  // of j, when it is the upper face
} facing;

/// What may become a contact: where the edges of the facing face begin over the ground (0 … 3),
/// where they leave it (4 … 7), and the corners of the ground below the face (8 … 11).
typedef struct candidates {
    double x[12], y[12], z[12];
    double side[12];  // the side of the ground that cuts the edge: +u, -u, +v, -v; -1 for corners
    double valid[12]; // >= 0 when it is one
} candidates;

KAI_INLINE void stand(const kai_narrow_pair* p, int axis, ground* g)
{
    g->of_b = axis >= 3;
    g->axis = g->of_b ? axis - 3 : axis;
    g->u = g->axis == 2 ? 0 : g->axis + 1;
    g->v = g->axis == 0 ? 2 : g->axis - 1;
    g->slack = 1e-10 * p->size;
    const double* r = &p->r.m[0][0];
    const double t[3] = {p->t.x, p->t.y, p->t.z};
    const kai_vec3 mine = g->of_b ? p->b->size : p->a->size;
    const kai_vec3 theirs = g->of_b ? p->a->size : p->b->size;
    // Turned round for b, without branches.
    const int down = g->of_b ? 1 : 3, along = g->of_b ? 3 : 1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) g->r[i][j] = r[i * down + j * along];
        const double back = -(r[i] * t[0] + r[3 + i] * t[1] + r[6 + i] * t[2]);
        g->t[i] = g->of_b ? back : t[i];
    }
    const double half[3] = {mine.x, mine.y, mine.z};
    g->half[0] = half[g->u];
    g->half[1] = half[g->v];
    g->top = half[g->axis];
    g->up = g->t[g->axis] < 0.0 ? -1.0 : 1.0;
    g->theirs[0] = theirs.x;
    g->theirs[1] = theirs.y;
    g->theirs[2] = theirs.z;
    g->way[0] = g->way[1] = 0.0;
    g->way[2] = 1.0;
}

/// Looks along a normal, from a to b, instead of that of the ground.
KAI_INLINE void look_along(const kai_narrow_pair* p, kai_vec3 n, ground* g)
{
    const kai_vec3 m = g->of_b ? kai_vec3_neg(kai_mat33_transpose_mul_vec(p->r, n)) : n;
    g->way[0] = kai_vec3_get(m, g->u);
    g->way[1] = kai_vec3_get(m, g->v);
    g->way[2] = g->up * kai_vec3_get(m, g->axis);
}

/// A vector of the facing face as it is seen: where its shadow ends on the ground, and how far
/// above that.
KAI_INLINE void slant(const ground* g, double* x)
{
    const double along = x[2] / g->way[2];
    x[0] -= along * g->way[0];
    x[1] -= along * g->way[1];
    x[2] = along;
}

KAI_INLINE void face_down(const ground* g, facing* f)
{
    const double* n = g->r[g->axis];
    const double m[3] = {fabs(n[0]), fabs(n[1]), fabs(n[2])};
    const int most = m[1] > m[0] ? 1 : 0, j = m[2] > m[most] ? 2 : most;
    f->j = j;
    f->j1 = j == 2 ? 0 : j + 1;
    f->j2 = j == 0 ? 2 : j - 1;
    const double side = n[j] * g->up > 0.0 ? -1.0 : 1.0;
    f->bit = side > 0.0 ? 1u << j : 0u;
    const int row[3] = {g->u, g->v, g->axis};
    const double scale[3] = {1.0, 1.0, g->up};
    const double h0 = side * g->theirs[j], h1 = g->theirs[f->j1], h2 = g->theirs[f->j2];
    for (int i = 0; i < 3; i++) {
        const double* r = g->r[row[i]];
        f->c[i] = scale[i] * (g->t[row[i]] + h0 * r[j]);
        f->d1[i] = scale[i] * h1 * r[f->j1];
        f->d2[i] = scale[i] * h2 * r[f->j2];
    }
    f->c[2] -= g->top;
    if (g->way[2] == 1.0) return;
    slant(g, f->c);
    slant(g, f->d1);
    slant(g, f->d2);
}

/// An edge over the ground, from `enter` to `leave` of its length.
typedef struct stretch {
    double enter, leave;
    double enter_side, leave_side; // which made it so; -1: none, the edge begins or ends there
    double inside;                 // how far its better end lies inside the worst of all sides
} stretch;

/// Cuts an edge to a side that its ends lie `from` and `to` inside of.
KAI_INLINE void cut(stretch* s, double from, double to, double slack, double side)
{
    const bool in = from >= -slack, in_next = to >= -slack;
    const double t = from / (from - to);
    const double enter = (!in & in_next) ? t : -1.0, leave = (in & !in_next) ? t : 2.0;
    s->enter_side = enter > s->enter ? side : s->enter_side;
    s->enter = enter > s->enter ? enter : s->enter;
    s->leave_side = leave < s->leave ? side : s->leave_side;
    s->leave = leave < s->leave ? leave : s->leave;
    s->inside = kai_narrow_min(s->inside, kai_narrow_max(from, to));
}

/// Edges of the facing face, cut to the ground; all four at once.
KAI_INLINE void lay_edges(const ground* g, const facing* f, double reach, candidates* out)
{
    static const double S1[5] = {-1.0, 1.0, 1.0, -1.0, -1.0}, S2[5] = {-1.0, -1.0, 1.0, 1.0, -1.0};
    const double hu = g->half[0], hv = g->half[1], slack = g->slack;
#pragma omp simd
    for (int k = 0; k < 4; k++) {
        const double x = f->c[0] + S1[k] * f->d1[0] + S2[k] * f->d2[0];
        const double y = f->c[1] + S1[k] * f->d1[1] + S2[k] * f->d2[1];
        const double z = f->c[2] + S1[k] * f->d1[2] + S2[k] * f->d2[2];
        const double x1 = f->c[0] + S1[k + 1] * f->d1[0] + S2[k + 1] * f->d2[0];
        const double y1 = f->c[1] + S1[k + 1] * f->d1[1] + S2[k + 1] * f->d2[1];
        const double z1 = f->c[2] + S1[k + 1] * f->d1[2] + S2[k + 1] * f->d2[2];
        stretch s = {0.0, 1.0, -1.0, -1.0, 0.0};
        cut(&s, hu - x, hu - x1, slack, 0.0);
        cut(&s, hu + x, hu + x1, slack, 1.0);
        cut(&s, hv - y, hv - y1, slack, 2.0);
        cut(&s, hv + y, hv + y1, slack, 3.0);
        // The slack may have moved an end a little beyond the edge.
        const double from = kai_narrow_min(s.enter, 1.0), to = kai_narrow_max(s.leave, 0.0);
        const double za = z + from * (z1 - z), zb = z + to * (z1 - z);
        const double over = s.inside >= -slack ? to - from : -1.0; // its length
        out->x[k] = x + from * (x1 - x);
        out->y[k] = y + from * (y1 - y);
        out->z[k] = za;
        out->side[k] = s.enter_side;
        out->valid[k] = za <= reach ? over : -1.0;
        out->x[4 + k] = x + to * (x1 - x);
        out->y[4 + k] = y + to * (y1 - y);
        out->z[4 + k] = zb;
        out->side[4 + k] = s.leave_side;
        out->valid[4 + k] = zb <= reach ? over : -1.0;
    }
}

/// Corners of the ground below the facing face. True when one of them lies on its rim, to rounding.
KAI_INLINE bool lay_corners(const ground* g, const facing* f, double reach, candidates* out)
{
    static const double SU[4] = {-1.0, 1.0, 1.0, -1.0}, SV[4] = {-1.0, -1.0, 1.0, 1.0};
    const double turn = f->d1[0] * f->d2[1] - f->d1[1] * f->d2[0], det = fabs(turn);
    const double slack1 = g->slack * (fabs(f->d1[0]) + fabs(f->d1[1]));
    const double slack2 = g->slack * (fabs(f->d2[0]) + fabs(f->d2[1]));
    const double scale = 1.0 / turn;
    double doubt = 0.0;
#pragma omp simd reduction(+ : doubt)
    for (int k = 0; k < 4; k++) {
        const double x = SU[k] * g->half[0], y = SV[k] * g->half[1];
        const double wx = x - f->c[0], wy = y - f->c[1];
        const double alpha = wx * f->d2[1] - wy * f->d2[0], beta = f->d1[0] * wy - f->d1[1] * wx;
        const double z = f->c[2] + (alpha * f->d1[2] + beta * f->d2[2]) * scale;
        const double in1 = det - fabs(alpha), in2 = det - fabs(beta);
        const bool in = (in1 >= -slack2) & (in2 >= -slack1) & (z <= reach);
        out->x[8 + k] = x;
        out->y[8 + k] = y;
        out->z[8 + k] = z;
        out->side[8 + k] = -1.0;
        out->valid[8 + k] = in ? 1.0 : -1.0;
        doubt += (in & ((in1 <= slack2) | (in2 <= slack1))) ? 1.0 : 0.0;
    }
    return doubt > 0.0;
}

/// Drops corners of the ground that an edge has found already.
static void drop_again(double near, candidates* c)
{
    for (int k = 8; k < 12; k++) {
        for (int i = 0; i < 8; i++) {
            const bool again = fabs(c->x[k] - c->x[i]) <= near && fabs(c->y[k] - c->y[i]) <= near;
            if (again && c->valid[i] >= 0.0) c->valid[k] = -1.0; // ends not cut are corners
        }
    }
}

/// Names of candidates: corners of boxes, or where an edge of one crosses an edge of the other.
typedef struct names {
    uint32_t corner[12];
    uint32_t edge[4], side[4]; // shares of the name of a crossing
} names;

KAI_INLINE void name_all(const ground* g, const facing* f, names* out)
{
    static const uint32_t FIRST[4] = {0, 1, 1, 0}, SECOND[4] = {0, 0, 1, 1};
    const uint32_t theirs = g->of_b ? 1000u : 2000u, mine = g->of_b ? 2000u : 1000u;
    const uint32_t edge_scale = g->of_b ? 16u : 1u, side_scale = g->of_b ? 1u : 16u;
    const uint32_t up = g->up > 0.0 ? 1u << g->axis : 0u, u = 1u << g->u, v = 1u << g->v;
    const uint32_t here[4] = {up | u, up, up | v, up};
    for (int k = 0; k < 4; k++) {
        const uint32_t bits = f->bit | FIRST[k] << f->j1 | SECOND[k] << f->j2;
        out->corner[k] = out->corner[4 + k] = theirs + bits;
        out->corner[8 + k] = mine + (up | FIRST[k] << g->u | SECOND[k] << g->v);
        out->edge[k] = 10000u + edge_scale * edge_name(k % 2 ? f->j2 : f->j1, bits);
        out->side[k] = side_scale * edge_name(k < 2 ? g->v : g->u, here[k]);
    }
}

KAI_INLINE uint32_t name_of(const names* n, const candidates* c, int k)
{
    const int side = (int)c->side[k];
    const uint32_t crossing = n->edge[k & 3] + n->side[side & 3];
    return side < 0 ? n->corner[k] : crossing;
}

/// Writes a contact on the ground, in the world.
KAI_INLINE void write(const kai_narrow_pair* p, const ground* g, const kai_frame* frame,
                      const kai_mat33* r, const candidates* c, int k, kai_contact* out)
{
    const double mine = g->of_b ? p->b->margin : p->a->margin;
    const double theirs = g->of_b ? p->a->margin : p->b->margin;
    const kai_vec3 up = kai_vec3_scale(kai_mat33_column(*r, g->axis), g->up);
    const kai_vec3 u = kai_mat33_column(*r, g->u), v = kai_mat33_column(*r, g->v);
    kai_vec3 x = kai_vec3_mul_add(frame->position, up, g->top);
    x = kai_vec3_mul_add(kai_vec3_mul_add(x, u, c->x[k]), v, c->y[k]);
    kai_vec3 n = up;
    if (g->way[2] != 1.0) {
        n = kai_vec3_scale(up, g->way[2]);
        n = kai_vec3_mul_add(kai_vec3_mul_add(n, u, g->way[0]), v, g->way[1]);
    }
    const kai_vec3 on = kai_vec3_mul_add(x, n, mine);
    const kai_vec3 other = kai_vec3_mul_add(x, n, c->z[k] - theirs);
    out->point_a = g->of_b ? other : on;
    out->point_b = g->of_b ? on : other;
    out->normal = g->of_b ? kai_vec3_neg(n) : n;
    out->gap = c->z[k] - p->a->margin - p->b->margin;
    out->radius_a = out->radius_b = HUGE_VAL;
    out->rim = 0;
}

KAI_INLINE double least_half(kai_vec3 size)
{
    return kai_narrow_min(kai_narrow_min(size.x, size.y), size.z);
}

/// Whether the deepest contacts on a face run along a side of it.
KAI_INLINE bool runs_along(const kai_narrow_pair* p, const ground* g, const candidates* c,
                           const int* list, int count)
{
    const double near = RIM * kai_narrow_min(least_half(p->a->size), least_half(p->b->size));
    double right = 0.0, left = 0.0, top = 0.0, bottom = 0.0;
    for (int i = 0; i < count; i++) {
        const int k = list[i];
        if (c->z[k] > c->z[list[0]] + near) continue;
        right = kai_narrow_max(right, g->half[0] - c->x[k]);
        left = kai_narrow_max(left, g->half[0] + c->x[k]);
        top = kai_narrow_max(top, g->half[1] - c->y[k]);
        bottom = kai_narrow_max(bottom, g->half[1] + c->y[k]);
    }
    return kai_narrow_min(kai_narrow_min(right, left), kai_narrow_min(top, bottom)) < near;
}

/// Contacts of edges that run the same way, in the world; false where there are none.
static bool on_ridge(const kai_narrow_pair* p, kai_vec3 n, const kai_frame* frame,
                     kai_manifold* out)
{
    if (!kai_manifold_ridge(p, n, out)) return false;
    kai_narrow_to_world(frame, false, out);
    return true;
}

/// Contacts on a face, the deepest first. Random boxes take every branch as often as not, and a
/// branch not foreseen costs as much as cutting an edge: so all is computed, and then chosen.
/// `along`: the normal, where it is not that of the face; NULL where it is.
KAI_INLINE void on_face(const kai_narrow_pair* p, int axis, const kai_vec3* along,
                        const kai_frame* frame_a, const kai_frame* frame_b, kai_manifold* out)
{
    ground g;
    facing f;
    candidates c;
    names n;
    int list[12], count = 0, deepest = 0;
    stand(p, axis, &g);
    if (along) look_along(p, *along, &g);
    face_down(&g, &f);
    lay_edges(&g, &f, p->reach, &c);
    if (lay_corners(&g, &f, p->reach, &c)) drop_again(4.0 * g.slack, &c);
    name_all(&g, &f, &n);
#pragma GCC unroll 12
    for (int k = 0; k < 12; k++) {
        list[count] = k;
        const bool ends = (k & 12) == 4; // of an edge: its next corner speaks for it, unless cut
        count += (c.valid[k] >= 0.0) & (!ends | (c.side[k] >= 0.0));
    }
    count = count < KAI_MANIFOLD_MOST ? count : KAI_MANIFOLD_MOST;
    for (int i = 1; i < count; i++) deepest = c.z[list[i]] < c.z[list[deepest]] ? i : deepest;
    const int first = list[0];
    list[0] = list[deepest];
    list[deepest] = first;
    const kai_frame* frame = g.of_b ? frame_b : frame_a;
    const kai_mat33 r = kai_quat_to_mat33(frame->rotation);
    out->count = count;
    for (int i = 0; i < count; i++) {
        write(p, &g, frame, &r, &c, list[i], &out->contacts[i]);
        out->contacts[i].feature = name_of(&n, &c, list[i]);
    }
    if (count > 0 && runs_along(p, &g, &c, list, count)) {
        on_ridge(p, along ? *along : normal_of(p, axis), frame_a, out);
        out->contacts[0].rim = 1;
    }
}

// Contacts of edges ------------------------------------------------------------------------------

/// The contact of two edges.
KAI_INLINE void on_edges(const kai_narrow_pair* p, double gap, int axis, const kai_frame* frame,
                         kai_manifold* out)
{
    const int i = (axis - 6) / 3, j = (axis - 6) % 3;
    const kai_vec3 n = normal_of(p, axis), nb = kai_mat33_transpose_mul_vec(p->r, n);
    const double a[3] = {p->a->size.x, p->a->size.y, p->a->size.z};
    const double b[3] = {p->b->size.x, p->b->size.y, p->b->size.z};
    double x[3], y[3];
    uint32_t bits_a = 0, bits_b = 0;
    for (int k = 0; k < 3; k++) {
        const bool up = kai_vec3_get(n, k) > 0.0, down = kai_vec3_get(nb, k) < 0.0;
        x[k] = k == i ? 0.0 : up ? a[k] : -a[k];
        y[k] = k == j ? 0.0 : down ? b[k] : -b[k];
        bits_a |= up && k != i ? 1u << k : 0u;
        bits_b |= down && k != j ? 1u << k : 0u;
    }
    const kai_vec3 xa = kai_vec3_make(x[0], x[1], x[2]), ea = kai_vec3_axis(i);
    const kai_vec3 xb = kai_narrow_from_b(p, kai_vec3_make(y[0], y[1], y[2]));
    const kai_vec3 eb = kai_mat33_column(p->r, j), d = kai_vec3_sub(xb, xa);
    // Along a's edge to the point nearest to b's.
    const double c = kai_vec3_dot(ea, eb), da = kai_vec3_dot(ea, d), db = kai_vec3_dot(eb, d);
    double at = (da - c * db) / (1.0 - c * c);
    at = kai_narrow_min(kai_narrow_max(at, -a[i]), a[i]);
    kai_contact* r = &out->contacts[0];
    out->count = 1;
    r->normal = kai_quat_rotate(frame->rotation, n);
    const kai_vec3 on = kai_frame_point_to_parent(*frame, kai_vec3_mul_add(xa, ea, at));
    r->point_a = kai_vec3_mul_add(on, r->normal, p->a->margin);
    r->point_b = kai_vec3_mul_add(on, r->normal, gap - p->b->margin);
    r->gap = gap - p->a->margin - p->b->margin;
    r->radius_a = p->a->margin;
    r->radius_b = p->b->margin;
    r->feature = 10000u + edge_name(i, bits_a) * 16u + edge_name(j, bits_b);
    r->rim = 0;
}

/// The face of either box whose normal is nearly this one: `face`, if that does; -1: none.
KAI_INLINE int flat_face(const kai_narrow_pair* p, kai_vec3 n, int face)
{
    const kai_vec3 nb = kai_mat33_transpose_mul_vec(p->r, n);
    const double m[6] = {fabs(n.x), fabs(n.y), fabs(n.z), fabs(nb.x), fabs(nb.y), fabs(nb.z)};
    if (m[face] >= FLAT) return face;
    int most = 0;
    for (int k = 1; k < 6; k++) most = m[k] > m[most] ? k : most;
    return m[most] >= FLAT ? most : -1;
}

/// Contacts on the best face, for boxes that lean on it or lie just above it.
KAI_CLONES static void on_best_face(const kai_narrow_pair* p, int axis, const kai_frame* frame_a,
                                    const kai_frame* frame_b, kai_manifold* out)
{
    on_face(p, axis, NULL, frame_a, frame_b, out);
}

/// The same for boxes that overlap by `gap` along a normal across two edges.
KAI_CLONES static void on_leaning_face(const kai_narrow_pair* p, int axis, double gap, kai_vec3 n,
                                       const kai_frame* frame_a, const kai_frame* frame_b,
                                       kai_manifold* out)
{
    on_face(p, axis, NULL, frame_a, frame_b, out);
    const double depth = gap - p->a->margin - p->b->margin;
    const bool edges = out->count > 0 && out->contacts[0].radius_a != HUGE_VAL;
    if (edges || (out->count > 0 && fabs(out->contacts[0].gap - depth) <= EXACT * p->size)) return;
    on_face(p, axis, &n, frame_a, frame_b, out);
}

// Entry points -----------------------------------------------------------------------------------

/// Boxes apart: GJK, and the face's normal where it is as good. True when the points of *out are
/// good for it as well.
static bool solve_apart(const kai_narrow_pair* p, const search* face, kai_narrow_witness* out)
{
    kai_gjk_simplex simplex;
    kai_narrow_hint hint = {0, 0};
    const kai_gjk_state state = kai_gjk_distance(p, &simplex, &hint, out, NULL);
    if (state == KAI_GJK_FAR) return true;
    if (state == KAI_GJK_NEAR && face->gap < out->gap - PREFER_FACE * p->size) return true;
    out->gap = face->gap;
    out->normal = normal_of(p, face->axis);
    out->pointless = true;
    return state == KAI_GJK_NEAR;
}

void kai_narrow_box_box(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    kai_narrow_axes x;
    const kai_vec3 a = p->a->size, b = p->b->size;
    for (int l = 0; l < KAI_NARROW_AXES_LANES; l++) {
        for (int i = 0; i < 9; i++) x.r[i][l] = p->r.m[i / 3][i % 3];
        for (int i = 0; i < 3; i++) {
            x.t[i][l] = kai_vec3_get(p->t, i);
            x.a[i][l] = kai_vec3_get(a, i);
            x.b[i][l] = kai_vec3_get(b, i);
        }
    }
    kai_narrow_axes_separate(&x);
    const search face = {x.face[0], (int)x.which[0]};
    out->gap = x.gap[0];
    if (out->gap > p->reach) return;
    if (out->gap > 0.0) {
        solve_apart(p, &face, out);
    } else {
        out->normal = normal_of(p, (int)x.axis[0]);
        out->pointless = true;
    }
}

/// Puts a pair into a column.
KAI_INLINE void load(const kai_narrow_request* q, int l, kai_narrow_axes* x)
{
    const kai_quat a = q->frame_a->rotation, b = q->frame_b->rotation;
    const kai_vec3 d = kai_vec3_sub(q->frame_b->position, q->frame_a->position);
    x->qa[0][l] = a.w;
    x->qa[1][l] = a.x;
    x->qa[2][l] = a.y;
    x->qa[3][l] = a.z;
    x->qb[0][l] = b.w;
    x->qb[1][l] = b.x;
    x->qb[2][l] = b.y;
    x->qb[3][l] = b.z;
    x->d[0][l] = d.x;
    x->d[1][l] = d.y;
    x->d[2][l] = d.z;
    x->a[0][l] = q->a->size.x;
    x->a[1][l] = q->a->size.y;
    x->a[2][l] = q->a->size.z;
    x->b[0][l] = q->b->size.x;
    x->b[1][l] = q->b->size.y;
    x->b[2][l] = q->b->size.z;
}

/// Takes a pair out of its column.
KAI_INLINE kai_narrow_pair take(const kai_narrow_request* q, const kai_narrow_axes* x, int l,
                                double reach)
{
    kai_narrow_pair p = {.a = q->a, .b = q->b, .size = x->size[l]};
    p.reach = reach + q->more + q->a->margin + q->b->margin;
    for (int i = 0; i < 9; i++) p.r.m[i / 3][i % 3] = x->r[i][l];
    p.t = kai_vec3_make(x->t[0][l], x->t[1][l], x->t[2][l]);
    return p;
}

/// Boxes that do not overlap, but may be within reach.
static void beside(const kai_narrow_pair* p, const kai_narrow_axes* x, int l,
                   const kai_frame* frame, const kai_frame* frame_b, kai_manifold* out)
{
    const search face = {x->face[l], (int)x->which[l]};
    kai_narrow_witness w = {.gap = HUGE_VAL};
    if (!kai_narrow_is_finite(p)) return;
    const bool known = solve_apart(p, &face, &w);
    if (w.pointless) on_best_face(p, face.axis, frame, frame_b, out);
    if (out->count > 0) return;
    // The faces do not look at each other: nothing but these points touches.
    if (known) w.pointless = false;
    kai_manifold_clip_contacts(p, &w, out);
    kai_narrow_to_world(frame, false, out);
}

/// Boxes that are apart, or nearly so, along two face normals of one of them touch at its rim.
KAI_INLINE void note_rim(const kai_narrow_request* q, const kai_narrow_axes* x, int l,
                         kai_manifold* out)
{
    const double least = kai_narrow_min(least_half(q->a->size), least_half(q->b->size));
    if (x->second[l] >= -RIM * least) out->contacts[0].rim = 1;
}

KAI_CLONES void kai_narrow_box_many(const kai_narrow_request* const* requests, int count,
                                    double reach, kai_manifold* const* out)
{
    kai_narrow_axes x;
    int faces[KAI_NARROW_AXES_LANES], edges[KAI_NARROW_AXES_LANES], apart[KAI_NARROW_AXES_LANES];
    int face_count = 0, edge_count = 0, apart_count = 0;
    for (int l = 0; l < KAI_NARROW_AXES_LANES; l++) load(requests[l < count ? l : 0], l, &x);
    kai_narrow_axes_place(&x);
    kai_narrow_axes_separate(&x);
    for (int l = 0; l < count; l++) {
        const kai_narrow_request* q = requests[l];
        const double most = reach + q->more + q->a->margin + q->b->margin;
        out[l]->count = 0;
        faces[face_count] = edges[edge_count] = apart[apart_count] = l;
        face_count += (x.gap[l] <= 0.0) & (x.gap[l] <= most) & (x.axis[l] < 6);
        edge_count += (x.gap[l] <= 0.0) & (x.gap[l] <= most) & (x.axis[l] >= 6);
        apart_count += (x.gap[l] > 0.0) & (x.gap[l] <= most);
    }
    for (int k = 0; k < face_count; k++) {
        const kai_narrow_request* q = requests[faces[k]];
        const kai_narrow_pair p = take(q, &x, faces[k], reach);
        on_face(&p, (int)x.axis[faces[k]], NULL, q->frame_a, q->frame_b, out[faces[k]]);
    }
    for (int k = 0; k < edge_count; k++) {
        const kai_narrow_request* q = requests[edges[k]];
        const kai_narrow_pair p = take(q, &x, edges[k], reach);
        const int axis = (int)x.axis[edges[k]];
        const kai_vec3 n = normal_of(&p, axis);
        const int face = flat_face(&p, n, (int)x.which[edges[k]]);
        if (face >= 0)
            on_leaning_face(&p, face, x.gap[edges[k]], n, q->frame_a, q->frame_b, out[edges[k]]);
        if (out[edges[k]]->count == 0 && !(fabs(p.r.m[(axis - 6) / 3][(axis - 6) % 3]) >= FLAT &&
                                           on_ridge(&p, n, q->frame_a, out[edges[k]])))
            on_edges(&p, x.gap[edges[k]], axis, q->frame_a, out[edges[k]]);
    }
    for (int k = 0; k < apart_count; k++) {
        const kai_narrow_request* q = requests[apart[k]];
        const kai_narrow_pair p = take(q, &x, apart[k], reach);
        beside(&p, &x, apart[k], q->frame_a, q->frame_b, out[apart[k]]);
    }
    for (int l = 0; l < count; l++)
        if (out[l]->count > 0) note_rim(requests[l], &x, l, out[l]);
}
