// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A point x of b stays on a curve c(s) fixed to a. The curve is the cubic spline through given
// points p_i at s = i, twice continuously differentiable: periodic when closed, else natural and
// continued by straight lines. With the point of the curve nearest to x, (x - c) · c' = 0, and two
// normals n_k(s), k = 1, 2:
//     g_k = n_k · (x - c)
//     ∇g_k = n_k + (n_k' · (x - c)) ds/dx,   ds/dx = c' / (c' · c' - (x - c) · c'')
// n_1 = (e × t) / |e × t|, n_2 = t × n_1 with the tangent t and a fixed direction e: the normal of
// the whole curve, or an axis far from t where that is too near to t.
//
// Second derivatives M_i of the spline solve M_{i-1} + 4 M_i + M_{i+1} = 6 δ²p_i, whose inverse
// fades by z = √3 - 2 a point: M_i = √3 Σ_k z^|k| δ²p_{i+k}. Ends of an open curve are mirrored
// with the sign changed (M = 0 there). |k| ≤ 27 is exact to rounding, so nothing has to be kept.
#include "base/error.h"
#include "model/joints/joint_view.h"

/// An instance.
typedef struct params {
    kai_joint_point_on_curve_params given;
    kai_frame place; // world coordinates at creation, in the principal frame of a
    kai_vec3 normal; // across the curve as a whole, 0: straight
} params;

typedef kai_joint_point_on_curve_params curve;

enum { REACH = 27, NEWTON = 50 };

// The spline -------------------------------------------------------------------------------------

/// One piece of the spline: s in [i, i + 1].
typedef struct piece {
    int64_t i;
    kai_vec3 p[2], m[2]; // ends and second derivatives there
} piece;

/// Point and derivatives.
typedef struct curve_jet {
    kai_vec3 c, d, dd;
} curve_jet;

static int64_t point_on_curve_wrap(int64_t i, int64_t n) { return ((i % n) + n) % n; }

static kai_vec3 point_on_curve_point(const curve* p, int64_t i)
{
    const double* row = p->curve.data + 3 * point_on_curve_wrap(i, p->curve.rows);
    return kai_vec3_make(row[0], row[1], row[2]);
}

/// δ²p_i, continued beyond the ends.
static kai_vec3 point_on_curve_bend(const curve* p, int64_t i)
{
    double sign = 1.0;
    if (!p->closed) {
        const int64_t last = (int64_t)p->curve.rows - 1;
        i = point_on_curve_wrap(i, 2 * last);
        if (i == 0 || i == last) return kai_vec3_zero();
        if (i > last) i = 2 * last - i, sign = -1.0;
    }
    const kai_vec3 ends =
        kai_vec3_add(point_on_curve_point(p, i - 1), point_on_curve_point(p, i + 1));
    return kai_vec3_scale(kai_vec3_mul_add(ends, point_on_curve_point(p, i), -2.0), sign);
}

static piece piece_at(const curve* p, int64_t i)
{
    static const double FADE = -0.26794919243112270647; // √3 - 2
    piece out = {.i = i, .p = {point_on_curve_point(p, i), point_on_curve_point(p, i + 1)}};
    double weight = 1.73205080756887729353;
    for (int64_t k = 0; k <= REACH; k++, weight *= FADE) {
        const int64_t back[2] = {i - k, i + 1 - k}, on[2] = {i + k, i + 1 + k};
        for (int e = 0; e < 2; e++) {
            out.m[e] = kai_vec3_mul_add(out.m[e], point_on_curve_bend(p, on[e]), weight);
            if (k > 0)
                out.m[e] = kai_vec3_mul_add(out.m[e], point_on_curve_bend(p, back[e]), weight);
        }
    }
    return out;
}

/// The curve at s; `at` is the piece last used.
static curve_jet curve_at(const curve* p, piece* at, double s)
{
    const double last = (double)p->curve.rows - 1.0;
    const double inside = p->closed ? s : fmin(fmax(s, 0.0), last);
    const int64_t i = (int64_t)floor(p->closed || inside < last ? inside : last - 1.0);
    if (at->i != i) *at = piece_at(p, i);
    const double u = inside - (double)i, w = 1.0 - u;
    const kai_vec3 *e = at->p, *m = at->m;
    curve_jet j = {kai_vec3_mul_add(kai_vec3_lerp(e[0], e[1], u), m[0], w * (w * w - 1.0) / 6.0),
                   kai_vec3_mul_add(kai_vec3_sub(e[1], e[0]), m[0], (1.0 - 3.0 * w * w) / 6.0),
                   kai_vec3_lerp(m[0], m[1], u)};
    j.c = kai_vec3_mul_add(j.c, m[1], u * (u * u - 1.0) / 6.0);
    j.d = kai_vec3_mul_add(j.d, m[1], (3.0 * u * u - 1.0) / 6.0);
    j.c = kai_vec3_mul_add(j.c, j.d, s - inside);
    return j;
}

/// The point of the curve nearest to x: Newton's method from the nearest of the given points.
static curve_jet point_on_curve_nearest(const curve* p, kai_vec3 x)
{
    int64_t best = 0;
    double least = HUGE_VAL;
    for (int64_t i = 0; i < p->curve.rows; i++) {
        const double d = kai_vec3_norm2(kai_vec3_sub(x, point_on_curve_point(p, i)));
        if (d < least) least = d, best = i;
    }
    piece at = {.i = INT64_MIN};
    double s = (double)best;
    curve_jet j = curve_at(p, &at, s);
    for (int k = 0; k < NEWTON; k++) {
        const kai_vec3 r = kai_vec3_sub(x, j.c);
        const double speed2 = kai_vec3_norm2(j.d);
        const double slope = fmax(speed2 - kai_vec3_dot(r, j.dd), 0.1 * speed2);
        const double step = fmin(fmax(kai_vec3_dot(r, j.d) / slope, -0.5), 0.5);
        s += step;
        j = curve_at(p, &at, s);
        if (!(fabs(step) > 1e-8)) break; // what is left after this step is its square
    }
    return j;
}

// Rows -------------------------------------------------------------------------------------------

/// Both rows' g and gradients in the coordinates of the curve.
static void point_on_curve_normals(const params* p, kai_vec3 x, double g[2], kai_vec3 gradient[2])
{
    const curve_jet j = point_on_curve_nearest(&p->given, x);
    const kai_vec3 r = kai_vec3_sub(x, j.c);
    const double speed = kai_vec3_norm(j.d);
    const kai_vec3 t = kai_vec3_scale(j.d, 1.0 / speed);
    kai_vec3 e = p->normal;
    if (kai_vec3_norm(kai_vec3_cross(e, t)) < 0.3)
        e = kai_vec3_axis(fabs(t.x) < 0.6 ? 0 : fabs(t.y) < 0.6 ? 1 : 2);

    // Normals, and how they change with s.
    const kai_vec3 across = kai_vec3_cross(e, t);
    const double length = kai_vec3_norm(across);
    const kai_vec3 n1 = kai_vec3_scale(across, 1.0 / length), n2 = kai_vec3_cross(t, n1);
    const kai_vec3 dt =
        kai_vec3_scale(kai_vec3_mul_add(j.dd, t, -kai_vec3_dot(t, j.dd)), 1.0 / speed);
    const kai_vec3 turned = kai_vec3_cross(e, dt);
    const kai_vec3 dn1 =
        kai_vec3_scale(kai_vec3_mul_add(turned, n1, -kai_vec3_dot(n1, turned)), 1.0 / length);
    const kai_vec3 dn2 = kai_vec3_add(kai_vec3_cross(dt, n1), kai_vec3_cross(t, dn1));

    const double slope = speed * speed - kai_vec3_dot(r, j.dd);
    g[0] = kai_vec3_dot(n1, r);
    g[1] = kai_vec3_dot(n2, r);
    gradient[0] = kai_vec3_mul_add(n1, j.d, kai_vec3_dot(dn1, r) / slope);
    gradient[1] = kai_vec3_mul_add(n2, j.d, kai_vec3_dot(dn2, r) / slope);
}

static void point_on_curve_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_joint_view v = kai_joint_view_look(b, i);
        const kai_vec3 in_a = kai_quat_unrotate(v.qa, kai_vec3_add(v.ra, v.d));
        const kai_quat turn = kai_quat_mul(v.qa, p->place.rotation);
        double g[2];
        kai_vec3 gradient[2];
        point_on_curve_normals(p, kai_frame_point_from_parent(p->place, in_a), g, gradient);
        for (int k = 0; k < 2; k++)
            kai_joint_view_field(&v, g[k], kai_quat_rotate(turn, gradient[k]), b->rows + 2 * i + k);
    }
}

// Creation ---------------------------------------------------------------------------------------

static kai_result point_on_curve_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    const curve* c = &p->given;
    const kai_bodies* bodies = &world->bodies;
    const kai_pose* pose = &bodies->pose[kai_bodies_slot(bodies, c->base.bodies[0])];
    p->place = kai_frame_inverse(kai_frame_make(pose->position, pose->rotation));
    kai_vec3 area = kai_vec3_zero();
    for (int64_t i = 1; i + 1 < c->curve.rows; i++)
        area = kai_vec3_add(
            area, kai_vec3_cross(
                      kai_vec3_sub(point_on_curve_point(c, i), point_on_curve_point(c, 0)),
                      kai_vec3_sub(point_on_curve_point(c, i + 1), point_on_curve_point(c, 0))));
    p->normal = kai_vec3_normalize(area);
    return KAI_OK;
}

static kai_result point_on_curve_check(const void* instance, kai_error* err)
{
    const curve* p = instance;
    const int64_t rows = p->curve.rows;
    if (p->closed && rows < 3)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "point-on-curve: curve has %u rows; a closed one needs at least 3",
                             p->curve.rows);
    for (int64_t i = 1; i < rows + p->closed; i++)
        if (kai_vec3_distance(point_on_curve_point(p, i - 1), point_on_curve_point(p, i)) == 0.0)
            return kai_error_set(
                err, KAI_ERROR_ARGUMENT,
                "point-on-curve: rows %d and %d of curve are the same point; must differ", (int)i,
                (int)point_on_curve_wrap(i, rows) + 1);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_PARAM(
        TABLE, kai_joint_point_on_curve_params, curve, .placing = KAI_PLACING_POINT, .unit = "m",
        .columns = 3, .rows_min = 2, .required = true,
        .doc =
            "Points [x, y, z] of the curve, world coordinates at t = 0, fixed to a. A cubic spline goes through them; even spacing gives the smoothest curve."),
    KAI_PARAM(
        BOOL, kai_joint_point_on_curve_params, closed,
        .doc =
            "Whether the curve continues from its last point to the first (do not repeat the first). An open curve continues as a straight line."),
    KAI_PARAM(FRAME, params, place, .hidden = true),
    KAI_PARAM(VEC3, params, normal, .hidden = true),
};

const kai_joint_kind kai_joint_point_on_curve = {
    .kind =
        KAI_KIND("point-on-curve", params, PARAMS, .given = sizeof(kai_joint_point_on_curve_params),
                 .check = point_on_curve_check,
                 .doc = "The joint point of b stays on a curve that is fixed to a."),
    .rows = 2,
    .evaluate = point_on_curve_evaluate,
    .prepare = point_on_curve_prepare};
