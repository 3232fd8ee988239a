// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_friction.h"

#include <string.h>

// Coefficients beyond this hold like infinite ones, and may be multiplied.
static const double MOST = 1e8;

// Of a limit: friction is as large as it can be.
static const double FULL = 1.0 - 1e-6;

kai_cone_friction kai_cone_friction_of(const kai_cone_contact* c, double length, bool smooth)
{
    kai_cone_friction cone = {.normal = c->normal, .couples = length > 0.0 && !smooth};
    if (!smooth) cone.limit[0] = fmin(c->friction, MOST);
    if (!cone.couples) return cone;
    cone.limit[1] = fmin(c->spinning / length, MOST);
    cone.limit[2] = fmin(c->rolling / length, MOST);
    return cone;
}

// A point in parts: along the normal, and three that the cone limits.
typedef struct parts {
    double along;
    kai_vec3 part[3]; // across; about the normal; couple across
    double size[3];   // their lengths
    bool clamped[3];  // the limit holds
    double x;         // normal part of the nearest point
    double low;       // 1 + stiff + Σ limit² of those clamped
} parts;

static parts split(const kai_cone_friction* c, kai_cone_pair p)
{
    parts s = {.along = kai_vec3_dot(p.f, c->normal)};
    s.part[0] = kai_vec3_mul_add(p.f, c->normal, -s.along);
    s.size[0] = kai_vec3_norm(s.part[0]);
    if (!c->couples) return s;
    const double about = kai_vec3_dot(p.k, c->normal);
    s.part[1] = kai_vec3_scale(c->normal, about);
    s.size[1] = fabs(about);
    s.part[2] = kai_vec3_sub(p.k, s.part[1]);
    s.size[2] = kai_vec3_norm(s.part[2]);
    return s;
}

// The normal part is the largest that any set of clamped parts asks for.
static void find_normal(const kai_cone_friction* c, double stiff, parts* s)
{
    const int count = 3;
    for (int set = 0; set < 1 << count; set++) {
        double top = s->along, low = 1.0 + stiff;
        for (int k = 0; k < count; k++) {
            if (!(set >> k & 1)) continue;
            top += c->limit[k] * s->size[k];
            low += c->limit[k] * c->limit[k];
        }
        s->x = fmax(s->x, top / low);
    }
    s->low = 1.0 + stiff;
    for (int k = 0; k < count; k++) {
        s->clamped[k] = s->size[k] > c->limit[k] * s->x;
        if (s->clamped[k]) s->low += c->limit[k] * c->limit[k];
    }
}

// m [stride apart] += s a bᵀ
static void add_outer(double* m, int stride, double s, kai_vec3 a, kai_vec3 b)
{
    const double x[3] = {s * a.x, s * a.y, s * a.z}, y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i * stride + j] += x[i] * y[j];
}

// m += s times the projector of part k: across the normal, or along it.
static void add_space(double* m, int stride, double s, int k, kai_vec3 n)
{
    add_outer(m, stride, k == 1 ? s : -s, n, n);
    for (int i = 0; k != 1 && i < 3; i++) m[i * (stride + 1)] += s;
}

static void find_slope(const kai_cone_friction* c, const parts* s, double* slope)
{
    const int stride = 6;
    double* const block[3] = {slope, slope + 21, slope + 21};
    memset(slope, 0, (size_t)(stride * stride) * sizeof *slope);
    if (!(s->x > 0.0)) return;
    kai_vec3 force = c->normal, couple = kai_vec3_zero();
    for (int k = 0; k < 3; k++) {
        if (!s->clamped[k]) {
            add_space(block[k], stride, 1.0, k, c->normal);
            continue;
        }
        const kai_vec3 to = kai_vec3_scale(s->part[k], 1.0 / s->size[k]);
        const double turn = c->limit[k] * s->x / s->size[k];
        add_space(block[k], stride, turn, k, c->normal);
        add_outer(block[k], stride, -turn, to, to);
        kai_vec3* sum = k == 0 ? &force : &couple;
        *sum = kai_vec3_mul_add(*sum, to, c->limit[k]);
    }
    add_outer(slope, stride, 1.0 / s->low, force, force);
    add_outer(slope + 3, stride, 1.0 / s->low, force, couple);
    add_outer(slope + 18, stride, 1.0 / s->low, couple, force);
    add_outer(slope + 21, stride, 1.0 / s->low, couple, couple);
}

/// The same without couples, which most contacts are.
static kai_cone_pair nearest_force(const kai_cone_friction* c, kai_vec3 p, double stiff,
                                   double* slope)
{
    const kai_vec3 n = c->normal;
    const double mu = c->limit[0], along = kai_vec3_dot(p, n);
    const kai_vec3 t = kai_vec3_mul_add(p, n, -along);
    const double size = kai_vec3_norm(t), stuck = along / (1.0 + stiff),
                 low = 1.0 + stiff + mu * mu, slipping = (along + mu * size) / low;
    const bool sticks = stuck > 0.0 && size <= mu * stuck;
    const double x = sticks ? stuck : slipping;
    kai_cone_pair out = {kai_vec3_zero(), kai_vec3_zero()};
    if (slope) memset(slope, 0, 9 * sizeof *slope);
    if (!(x > 0.0)) {
        // A NaN stays.
        out.f = kai_vec3_scale(n, x <= 0.0 ? 0.0 : x);
        return out;
    }
    const double keep = sticks ? 1.0 : mu * x / size;
    out.f = kai_vec3_mul_add(kai_vec3_scale(n, x), t, keep);
    if (!slope) return out;
    kai_vec3 force = n;
    add_space(slope, 3, keep, 0, n);
    if (!sticks) {
        const kai_vec3 to = kai_vec3_scale(t, 1.0 / size);
        add_outer(slope, 3, -keep, to, to);
        force = kai_vec3_mul_add(n, to, mu);
    }
    add_outer(slope, 3, 1.0 / (sticks ? 1.0 + stiff : low), force, force);
    return out;
}

kai_cone_pair kai_cone_friction_nearest(const kai_cone_friction* c, kai_cone_pair p, double stiff,
                                        double* slope)
{
    if (!c->couples) return nearest_force(c, p.f, stiff, slope);
    parts s = split(c, p);
    find_normal(c, stiff, &s);
    if (slope) find_slope(c, &s, slope);
    kai_cone_pair out = {kai_vec3_scale(c->normal, s.x), kai_vec3_zero()};
    for (int k = 0; k < 3; k++) {
        const double keep = s.clamped[k] ? c->limit[k] * s.x / s.size[k] : 1.0;
        kai_vec3* sum = k == 0 ? &out.f : &out.k;
        *sum = kai_vec3_mul_add(*sum, s.part[k], keep);
    }
    return out;
}

double kai_cone_friction_shift(const kai_cone_friction* c, kai_cone_pair u)
{
    if (c->couples) {
        const parts s = split(c, u);
        return c->limit[0] * s.size[0] + c->limit[1] * s.size[1] + c->limit[2] * s.size[2];
    }
    return c->limit[0] *
           kai_vec3_norm(kai_vec3_mul_add(u.f, c->normal, -kai_vec3_dot(u.f, c->normal)));
}

bool kai_cone_friction_lean(const kai_cone_friction* c, kai_cone_pair impulse, kai_cone_pair u,
                            double still, kai_cone_pair* lean)
{
    const parts p = split(c, impulse), v = split(c, u);
    bool slips = false;
    *lean = (kai_cone_pair){kai_vec3_zero(), kai_vec3_zero()};
    for (int k = 0; p.along > 0.0 && k < (c->couples ? 3 : 1); k++) {
        if (p.size[k] < FULL * c->limit[k] * p.along || !(v.size[k] > still)) continue;
        kai_vec3* sum = k == 0 ? &lean->f : &lean->k;
        *sum = kai_vec3_mul_add(*sum, v.part[k], c->limit[k] / v.size[k]);
        slips = true;
    }
    return slips;
}
