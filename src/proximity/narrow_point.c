// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A point (the core of a sphere) against every core, in closed form, inside as well as outside. The
// point is a, at the origin of the working frame; each function works in the frame of b.
#include "geometry/triangle.h"
#include "proximity/gjk.h"
#include "proximity/narrow_pair.h"

#include <math.h>

/// Finishes a witness from the normal out of b, in b's frame, and the gap along it.
static void finish(const kai_narrow_pair* p, kai_vec3 outward, double gap, kai_narrow_witness* out)
{
    out->gap = gap;
    out->normal = kai_vec3_neg(kai_mat33_mul_vec(p->r, outward));
    out->a = kai_vec3_zero();
    // From a, not from b's frame: what lies between the two points is exactly the gap.
    out->b = kai_vec3_scale(out->normal, gap);
}

/// The same for a point outside a flat or thin core; `fallback` is the normal when it lies on it.
static void finish_outside(const kai_narrow_pair* p, kai_vec3 x, kai_vec3 nearest,
                           kai_vec3 fallback, kai_narrow_witness* out)
{
    const kai_vec3 d = kai_vec3_sub(x, nearest);
    const double gap = kai_vec3_norm(d);
    // Below this, d is rounding of x.
    if (gap > 1e-15 * kai_vec3_max_abs(x))
        finish(p, kai_vec3_scale(d, 1.0 / gap), gap, out);
    else
        finish(p, fallback, gap, out);
}

void kai_narrow_point_point(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const double gap = kai_vec3_norm(p->t);
    out->gap = gap;
    out->normal = gap > 0.0 ? kai_vec3_normalize(p->t) : kai_vec3_axis(2);
    out->a = kai_vec3_zero();
    out->b = p->t;
}

void kai_narrow_point_segment(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero());
    const double z = kai_narrow_min(kai_narrow_max(x.z, -p->b->size.z), p->b->size.z);
    finish_outside(p, x, kai_vec3_make(0.0, 0.0, z), kai_vec3_axis(0), out);
}

void kai_narrow_point_box(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero()), s = p->b->size;
    const kai_vec3 depth = kai_vec3_make(fabs(x.x) - s.x, fabs(x.y) - s.y, fabs(x.z) - s.z);
    const kai_vec3 c = kai_vec3_max(kai_vec3_neg(s), kai_vec3_min(s, x));
    const double most = kai_narrow_max(depth.x, kai_narrow_max(depth.y, depth.z));
    if (most > 0.0) {
        const int k = most == depth.x ? 0 : most == depth.y ? 1 : 2;
        const kai_vec3 side = kai_vec3_scale(kai_vec3_axis(k), kai_vec3_get(x, k) < 0 ? -1.0 : 1.0);
        finish_outside(p, x, c, side, out);
        return;
    }
    const int k = most == depth.x ? 0 : most == depth.y ? 1 : 2;
    const double sign = kai_vec3_get(x, k) < 0.0 ? -1.0 : 1.0;
    const kai_vec3 side = kai_vec3_scale(kai_vec3_axis(k), sign);
    finish(p, side, most, out);
}

// Bodies of revolution: in the half plane (rho, z) ------------------------------------------------

/// Turns a normal of the half plane back into b's frame; on the axis, x stands for the radius.
static kai_vec3 revolve(kai_vec3 x, double rho, double n_rho, double n_z)
{
    if (!(rho > 0.0)) return kai_vec3_make(n_rho, 0.0, n_z);
    return kai_vec3_make(n_rho * x.x / rho, n_rho * x.y / rho, n_z);
}

void kai_narrow_point_cylinder(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero());
    const double rho = sqrt(x.x * x.x + x.y * x.y), sign = x.z < 0.0 ? -1.0 : 1.0;
    const double side = rho - p->b->size.x, cap = fabs(x.z) - p->b->size.z;
    if (side > 0.0 && cap > 0.0) {
        const double gap = sqrt(side * side + cap * cap);
        finish(p, revolve(x, rho, side / gap, sign * cap / gap), gap, out);
    } else if (side > cap) {
        finish(p, revolve(x, rho, 1.0, 0.0), side, out);
    } else {
        finish(p, kai_vec3_make(0.0, 0.0, sign), cap, out);
    }
}

void kai_narrow_point_cone(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero());
    const double r = p->b->size.x, h = p->b->size.z, rho = sqrt(x.x * x.x + x.y * x.y);
    // Side: from the rim (r, -h) to the tip (0, h); outward normal (2h, r) / l.
    const double l = sqrt(r * r + 4.0 * h * h), n_rho = 2.0 * h / l, n_z = r / l;
    const double side = (rho - r) * n_rho + (x.z + h) * n_z;        // above the side
    const double along = ((r - rho) * r + (x.z + h) * 2.0 * h) / l; // from the rim to the tip
    const double base = -h - x.z;                                   // below the base
    double q_rho, q_z;                                              // corner that is nearest
    if (base <= 0.0 && side <= 0.0) {
        // Inside: the nearer of the two.
        if (base >= side)
            finish(p, kai_vec3_make(0.0, 0.0, -1.0), base, out);
        else
            finish(p, revolve(x, rho, n_rho, n_z), side, out);
        return;
    }
    if (side > 0.0 && along >= 0.0 && along <= l) {
        finish(p, revolve(x, rho, n_rho, n_z), side, out);
        return;
    }
    if (base > 0.0 && rho <= r) {
        finish(p, kai_vec3_make(0.0, 0.0, -1.0), base, out);
        return;
    }
    q_rho = along > l ? 0.0 : r;
    q_z = along > l ? h : -h;
    const double gap = hypot(rho - q_rho, x.z - q_z);
    if (gap > 0.0)
        finish(p, revolve(x, rho, (rho - q_rho) / gap, (x.z - q_z) / gap), gap, out);
    else
        finish(p, revolve(x, rho, n_rho, n_z), 0.0, out);
}

// Ellipsoid
// ----------------------------------------------------------------------------------------
//
// The nearest point is y_i = e_i² x_i / (τ + r_i) with r_i = e_i² - e_min² and τ ≥ 0 such that
// g(τ) = Σ (e_i x_i / (τ + r_i))² = 1. 1/√g is concave and nearly straight, so Newton's method on
// it approaches the root from one side in a few steps. With τ counted from the pole, a point next
// to the plane of the smallest axis loses no digits.

/// Solves for τ; false when the root is the pole itself (x lies in the medial disc).
static bool solve_tau(const double e[3], const double x[3], const double r[3], double* tau)
{
    double low = 0.0;
    for (int i = 0; i < 3; i++) low = kai_narrow_max(low, e[i] * fabs(x[i]) - r[i]);
    double t = low;
    if (!(t > 0.0)) {
        double g = 0.0;
        for (int i = 0; i < 3; i++) {
            if (r[i] > 0.0) g += (e[i] * x[i] / r[i]) * (e[i] * x[i] / r[i]);
        }
        if (g <= 1.0) return false;
        // A root above zero without a pole at zero: start there.
    }
    for (int k = 0; k < 60; k++) {
        double g = 0.0, dg = 0.0;
        for (int i = 0; i < 3; i++) {
            if (x[i] == 0.0) continue;
            const double q = e[i] * x[i] / (t + r[i]);
            g += q * q;
            dg += q * q / (t + r[i]);
        }
        // d(1/√g)/dτ = g^(-3/2) Σ q²/(τ + r)
        const double step = g * (sqrt(g) - 1.0) / dg;
        const double next = kai_narrow_max(t + step, low);
        if (fabs(next - t) <= 1e-16 * next || next == t) break;
        if (k > 3 && fabs(next - t) <= 4e-16 * next) break;
        t = next;
    }
    *tau = t;
    return true;
}

void kai_narrow_point_ellipsoid(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x3 = kai_narrow_to_b(p, kai_vec3_zero()), s = p->b->size;
    const double scale = 1.0 / kai_narrow_max(s.x, kai_narrow_max(s.y, s.z));
    const double e[3] = {s.x * scale, s.y * scale, s.z * scale};
    const double x[3] = {x3.x * scale, x3.y * scale, x3.z * scale};
    const double low = kai_narrow_min(e[0], kai_narrow_min(e[1], e[2]));
    double r[3], n[3], tau, rest = 1.0;
    int least = 0;
    for (int i = 0; i < 3; i++) {
        r[i] = (e[i] - low) * (e[i] + low);
        if (e[i] < e[least]) least = i;
    }
    if (solve_tau(e, x, r, &tau)) {
        for (int i = 0; i < 3; i++) n[i] = x[i] == 0.0 ? 0.0 : x[i] / (tau + r[i]); // y / e²
    } else {
        // In the medial disc both ends of the smallest axis are as near; take the upper one.
        for (int i = 0; i < 3; i++) {
            n[i] = r[i] > 0.0 ? x[i] / r[i] : 0.0;
            rest -= (e[i] * n[i]) * (e[i] * n[i]);
        }
        n[least] = sqrt(kai_narrow_max(rest, 0.0)) / e[least];
    }
    const kai_vec3 normal = kai_vec3_normalize(kai_vec3_make(n[0], n[1], n[2]));
    // With the normal known the signed distance is n · (x - support), of second order in its error.
    const kai_vec3 sn = kai_vec3_make(s.x * normal.x, s.y * normal.y, s.z * normal.z);
    const double h = kai_vec3_norm(sn);
    finish(p, normal, kai_vec3_dot(normal, x3) - h, out);
}

// Triangle
// -----------------------------------------------------------------------------------------

void kai_narrow_point_triangle(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero());
    const kai_vec3* v = p->b->triangle;
    const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(v[1], v[0]), kai_vec3_sub(v[2], v[0]));
    const kai_vec3 unit = kai_vec3_normalize(n);
    const kai_vec3 fallback = kai_vec3_norm2(unit) > 0.5 ? unit : kai_vec3_axis(2);
    int outside = 0;
    double best = HUGE_VAL;
    kai_vec3 nearest = v[0];
    for (int k = 0; k < 3; k++) {
        const kai_vec3 e = kai_vec3_sub(v[(k + 1) % 3], v[k]);
        if (kai_vec3_dot(kai_vec3_cross(unit, e), kai_vec3_sub(x, v[k])) > 0.0) continue;
        const kai_vec3 c = kai_triangle_edge_nearest(v[k], v[(k + 1) % 3], x);
        const double d = kai_vec3_distance(c, x);
        outside++;
        if (d >= best) continue;
        best = d;
        nearest = c;
    }
    if (outside > 0) {
        finish_outside(p, x, nearest, fallback, out);
        return;
    }
    const double height = kai_vec3_dot(unit, kai_vec3_sub(x, v[0]));
    finish(p, height < 0.0 ? kai_vec3_neg(unit) : unit, fabs(height), out);
}

// Hull -------------------------------------------------------------------------------------------

void kai_narrow_point_hull(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    const kai_vec3 x = kai_narrow_to_b(p, kai_vec3_zero());
    const struct kai_hull* h = p->b->hull;
    double most = -HUGE_VAL;
    uint32_t face = 0;
    for (uint32_t i = 0; i < h->face_count; i++) {
        const double height = kai_vec3_dot(h->face_normal[i], x) - h->face_offset[i];
        if (height <= most) continue;
        most = height;
        face = i;
    }
    // Inside the highest face is the way out; outside it is only a bound.
    if (most > 1e-12 * h->outer_radius) {
        if (most > p->reach)
            out->gap = most;
        else
            kai_narrow_convex(p, out);
        return;
    }
    finish(p, h->face_normal[face], most, out);
}
