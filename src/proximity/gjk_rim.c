// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/gjk_rim.h"

#include <math.h>

enum { ROUNDS = 8 };

/// What of one shape is near: some vertices; or of a cylinder a rim, or its side.
typedef struct feature {
    int count;           // of points
    kai_vec3 point[4];   // vertices, or the centres of the rims that count
    kai_vec3 u, v;       // of a cylinder: its radius along x and along y; else zero
    double cosine, sine; // of its angle
    bool round;
} feature;

/// Directions that distances are measured across, orthonormal.
typedef struct across {
    int count;
    kai_vec3 d[3];
} across;

static bool is_polytope(kai_convex_type type)
{
    return type == KAI_CONVEX_POINT || type == KAI_CONVEX_SEGMENT || type == KAI_CONVEX_BOX ||
           type == KAI_CONVEX_TRIANGLE || type == KAI_CONVEX_HULL;
}

bool kai_gjk_rim_offers(const kai_narrow_pair* p)
{
    const kai_convex_type a = p->a->type, b = p->b->type;
    const bool round_a = a == KAI_CONVEX_CYLINDER, round_b = b == KAI_CONVEX_CYLINDER;
    return (round_a && (round_b || is_polytope(b))) || (round_b && is_polytope(a));
}

KAI_INLINE kai_vec3 without(const across* x, kai_vec3 v)
{
    for (int k = 0; k < x->count; k++) v = kai_vec3_mul_add(v, x->d[k], -kai_vec3_dot(v, x->d[k]));
    return v;
}

/// Adds a direction; what lies along those that are there already adds nothing.
KAI_INLINE void add_direction(across* x, kai_vec3 d)
{
    const kai_vec3 rest = without(x, d);
    const double n2 = kai_vec3_norm2(rest);
    if (x->count == 3 || !(n2 > 1e-12 * kai_vec3_norm2(d))) return;
    x->d[x->count++] = kai_vec3_scale(rest, 1.0 / sqrt(n2));
}

// Features ---------------------------------------------------------------------------------------

KAI_INLINE void find_vertices(const kai_vec3* corner, int count, feature* f)
{
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int k = 0; k < f->count; k++)
            again |= corner[i].x == f->point[k].x && corner[i].y == f->point[k].y &&
                     corner[i].z == f->point[k].z;
        if (!again) f->point[f->count++] = corner[i];
    }
}

/// Rims that corners lie on, and the angle of the one that counts most. `corner` is in the frame of
/// the cylinder; r and t lead to that of a.
KAI_INLINE void find_rims(const kai_geometry* g, const kai_mat33* r, kai_vec3 t,
                          const kai_vec3* corner, const double* weight, int count, feature* f)
{
    bool low = false, high = false;
    int most = 0;
    for (int i = 0; i < count; i++) {
        low |= corner[i].z < 0.0;
        high |= corner[i].z >= 0.0;
        if (weight[i] > weight[most]) most = i;
    }
    const kai_vec3 axis = kai_vec3_scale(kai_mat33_column(*r, 2), g->size.z);
    if (low) f->point[f->count++] = kai_vec3_sub(t, axis);
    if (high) f->point[f->count++] = kai_vec3_add(t, axis);
    f->u = kai_vec3_scale(kai_mat33_column(*r, 0), g->size.x);
    f->v = kai_vec3_scale(kai_mat33_column(*r, 1), g->size.x);
    // Corners lie on a rim: this is a cosine and a sine.
    f->cosine = corner[most].x / g->size.x;
    f->sine = corner[most].y / g->size.x;
    f->round = true;
}

KAI_INLINE void find_features(const kai_narrow_pair* p, const kai_gjk_simplex* s, feature* a,
                              feature* b)
{
    static const kai_mat33 SAME = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    *a = *b = (feature){.count = 0};
    if (p->a->type == KAI_CONVEX_CYLINDER)
        find_rims(p->a, &SAME, kai_vec3_zero(), s->a, s->weight, s->count, a);
    else
        find_vertices(s->a, s->count, a);
    if (p->b->type == KAI_CONVEX_CYLINDER) {
        kai_vec3 corner[4];
        for (int i = 0; i < s->count; i++) corner[i] = kai_narrow_to_b(p, s->b[i]);
        find_rims(p->b, &p->r, p->t, corner, s->weight, s->count, b);
    } else {
        find_vertices(s->b, s->count, b);
    }
}

// Nearest points ---------------------------------------------------------------------------------

/// A rim's point about its centre, and its derivatives by the angle, as far as they count.
typedef struct turn {
    kai_vec3 at, first, second;
} turn;

KAI_INLINE turn turn_at(const feature* f, const across* x)
{
    if (!f->round) return (turn){kai_vec3_zero(), kai_vec3_zero(), kai_vec3_zero()};
    const kai_vec3 at = kai_vec3_mul_add(kai_vec3_scale(f->u, f->cosine), f->v, f->sine);
    const kai_vec3 first = kai_vec3_mul_add(kai_vec3_scale(f->v, f->cosine), f->u, -f->sine);
    return (turn){at, without(x, first), kai_vec3_neg(without(x, at))};
}

/// Turns by the angle whose tangent is d: as good as d itself.
KAI_INLINE void turn_by(feature* f, double d)
{
    const double scale = 1.0 / sqrt(1.0 + d * d), c = f->cosine, s = f->sine;
    f->cosine = (c - d * s) * scale;
    f->sine = (s + d * c) * scale;
}

/// Newton's method for the angles. False where there is no minimum, or none was found.
KAI_INLINE bool find_angles(feature* a, feature* b, const across* x)
{
    const kai_vec3 between = without(x, kai_vec3_sub(b->point[0], a->point[0]));
    for (int k = 0; k < ROUNDS; k++) {
        const turn p = turn_at(a, x), q = turn_at(b, x);
        // Second derivatives of `at` are minus `at` itself.
        const kai_vec3 r = kai_vec3_add(between, kai_vec3_sub(p.second, q.second));
        const double ga = -kai_vec3_dot(r, p.first), gb = kai_vec3_dot(r, q.first);
        double haa = kai_vec3_norm2(p.first) - kai_vec3_dot(r, p.second);
        double hbb = kai_vec3_norm2(q.first) + kai_vec3_dot(r, q.second);
        const double hab = -kai_vec3_dot(p.first, q.first);
        if (!a->round) haa = 1.0;
        if (!b->round) hbb = 1.0;
        const double det = haa * hbb - hab * hab;
        if (!(haa > 0.0 && hbb > 0.0 && det > 1e-9 * haa * hbb)) return false;
        const double da = -(hbb * ga - hab * gb) / det, db = -(haa * gb - hab * ga) / det;
        const double step = kai_narrow_max(fabs(da), fabs(db));
        if (!(step < 1.0)) return false;
        turn_by(a, da);
        turn_by(b, db);
        if (step < 1e-7) return true; // and the next one below 1e-14
    }
    return false;
}

KAI_INLINE kai_vec3 point_of(const feature* f, int i)
{
    if (!f->round) return f->point[i];
    return kai_vec3_mul_add(kai_vec3_mul_add(f->point[i], f->u, f->cosine), f->v, f->sine);
}

KAI_CLONES bool kai_gjk_rim_leap(const kai_narrow_pair* p, const kai_gjk_simplex* s,
                                 kai_gjk_simplex* out)
{
    feature a, b;
    find_features(p, s, &a, &b);
    if (a.count * b.count > 4) return false;
    across x = {.count = 0};
    for (int i = 1; i < a.count; i++) add_direction(&x, kai_vec3_sub(a.point[i], a.point[0]));
    for (int i = 1; i < b.count; i++) add_direction(&x, kai_vec3_sub(b.point[i], b.point[0]));
    if (x.count == 3 || !find_angles(&a, &b, &x)) return false;
    out->count = 0;
    for (int i = 0; i < a.count; i++) {
        const kai_vec3 on_a = point_of(&a, i);
        for (int k = 0; k < b.count; k++) {
            const kai_vec3 on_b = point_of(&b, k);
            out->a[out->count] = on_a;
            out->b[out->count] = on_b;
            out->w[out->count++] = kai_vec3_sub(on_b, on_a);
        }
    }
    return true;
}
