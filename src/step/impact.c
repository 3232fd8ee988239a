// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/impact.h"

#include <math.h>

enum { MOST = 200 }; // iterations; halving alone ends after 60
static const double FINE = 1e-15;
static const double COUPLED = 1e-12;

/// The problem in axes in which the response along the surface is diagonal.
typedef struct local {
    kai_vec3 n, x, y;  // x, y: along the surface
    double nn, nx, ny; // response along n, and to it along x, y
    double xx, yy;     // response along x, y
    double un, ux, uy; // velocity before
    double friction;
    double qx, qy; // impulse along the surface of the last call of part_speed
} local;

static local make_local(const kai_impact* i)
{
    local l = {.n = i->normal, .friction = i->friction};
    const kai_vec3 s = kai_vec3_normalize(kai_vec3_perpendicular(l.n)), t = kai_vec3_cross(l.n, s);
    const kai_vec3 gs = kai_mat33_mul_vec(i->response, s), gt = kai_mat33_mul_vec(i->response, t),
                   gn = kai_mat33_mul_vec(i->response, l.n);
    const double ss = kai_vec3_dot(s, gs), st = kai_vec3_dot(s, gt), tt = kai_vec3_dot(t, gt);
    const double angle = 0.5 * atan2(2.0 * st, ss - tt);
    l.x = kai_vec3_add(kai_vec3_scale(s, cos(angle)), kai_vec3_scale(t, sin(angle)));
    l.y = kai_vec3_cross(l.n, l.x);
    const double mean = 0.5 * (ss + tt), half = hypot(0.5 * (ss - tt), st);
    l.xx = mean + half;
    l.yy = fmax(mean - half, 0.0);
    l.nn = kai_vec3_dot(l.n, gn);
    l.nx = kai_vec3_dot(l.x, gn);
    l.ny = kai_vec3_dot(l.y, gn);
    l.un = kai_vec3_dot(l.n, i->velocity);
    l.ux = kai_vec3_dot(l.x, i->velocity);
    l.uy = kai_vec3_dot(l.y, i->velocity);
    return l;
}

/// Friction at velocity (bx, by), which is that without it: -(A + λ)⁻¹ b, λ ≥ 0 so that its length is
/// `most` where it slips.
static void rub(local* l, double bx, double by, double most)
{
    double extra = 0.0;
    for (int k = 0; k < MOST; k++) {
        const double ax = l->xx + extra, ay = l->yy + extra;
        l->qx = ax > 0.0 ? -bx / ax : 0.0;
        l->qy = ay > 0.0 ? -by / ay : 0.0;
        const double q = hypot(l->qx, l->qy);
        if (q <= most * (1.0 + FINE)) return;
        // Newton's step of 1 / |q| - 1 / most, which is nearly a line in λ: from below, monotone.
        const double slope = (l->qx * l->qx / ax + l->qy * l->qy / ay) / (q * q);
        const double step = (q / most - 1.0) / slope;
        if (!(step > FINE * extra)) return;
        extra += step;
    }
}

/// The speed at which the surfaces part after an impulse p along the normal.
static double part_speed(local* l, double p)
{
    l->qx = l->qy = 0.0;
    if (l->friction > 0.0 && p > 0.0) rub(l, l->ux + l->nx * p, l->uy + l->ny * p, l->friction * p);
    return l->un + l->nn * p + l->nx * l->qx + l->ny * l->qy;
}

/// The impulse along the normal of the inelastic impact: part_speed is 0. It is below zero without
/// an impulse, and grows without bound with it, as γ·Gγ > 0.
static double find_inelastic(local* l)
{
    double a = 0.0, fa = l->un, b = -l->un / l->nn, fb = part_speed(l, b);
    for (int k = 0; k < MOST && fb < 0.0; k++) {
        a = b, fa = fb;
        b *= 2.0;
        fb = part_speed(l, b);
    }
    int side = 0;
    for (int k = 0; k < MOST && fb > 0.0 && b - a > FINE * b; k++) {
        double p = (a * fb - b * fa) / (fb - fa); // false position, as modified at Illinois
        if (!(p > a && p < b)) p = 0.5 * (a + b);
        const double f = part_speed(l, p);
        if (f < 0.0) {
            if (side < 0) fb *= 0.5;
            a = p, fa = f, side = -1;
        } else {
            if (side > 0) fa *= 0.5;
            b = p, fb = f, side = 1;
        }
    }
    return b;
}

kai_vec3 kai_impact_poisson(const kai_impact* impact)
{
    local l = make_local(impact);
    if (!(l.nn > 0.0) || !(l.un < 0.0)) return kai_vec3_zero();
    const double p = (1.0 + impact->restitution) * find_inelastic(&l);
    part_speed(&l, p);
    return kai_vec3_mul_add(kai_vec3_mul_add(kai_vec3_scale(l.n, p), l.x, l.qx), l.y, l.qy);
}

bool kai_impact_is_direct(const kai_impact* i)
{
    if (i->friction <= 0.0) return true;
    const kai_vec3 g = kai_mat33_mul_vec(i->response, i->normal);
    const double along = kai_vec3_dot(g, i->normal);
    const kai_vec3 across = kai_vec3_mul_add(g, i->normal, -along);
    return kai_vec3_norm2(across) <= COUPLED * COUPLED * along * along;
}
