// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cylinders against boxes and cylinders by separating axes. Where two convex shapes are nearest, or
// leave each other on the shortest way, one of these pairs of features meets (a box and a cylinder;
// two cylinders likewise):
//
//     face of the box     anything            normal of the face
//     any                 end of the cylinder its axis
//     edge                side                the cross product of edge and axis
//     corner              side                from the corner to the axis
//     edge, corner        rim                 no closed form
//
// The best of the first three rows is the answer where its features do meet: apart, because two
// points at that distance prove it. Inside each other, because corners and edges that are farther
// from side and rims than this depth offer no shorter way. Whatever is left goes the general way.
#include "proximity/narrow_pair.h"

#include <math.h>

/// Sines of angles between axis and edges below which their cross product says little.
#define PARALLEL 1e-5

enum { FACE = 0, END = 3, SIDE = 4, AXES = 7 };

/// A cylinder in the frame of a box.
typedef struct setting {
    double size[3], r, h; // half the box, radius and half length
    double t[3], z[3];    // centre and axis
    double sine[3];       // of the angles between axis and edges
    double height;        // of the centre along the axis
    bool parallel;        // to some edges
} setting;

/// The best axis so far.
typedef struct choice {
    double gap;
    int axis;
} choice;

static void set(const kai_narrow_pair* p, setting* s)
{
    const kai_vec3 z = kai_mat33_column(p->r, 2), t = p->t;
    const setting out = {.size = {p->a->size.x, p->a->size.y, p->a->size.z},
                         .r = p->b->size.x,
                         .h = p->b->size.z,
                         .t = {t.x, t.y, t.z},
                         .z = {z.x, z.y, z.z},
                         .sine = {sqrt(z.y * z.y + z.z * z.z), sqrt(z.x * z.x + z.z * z.z),
                                  sqrt(z.x * z.x + z.y * z.y)},
                         .height = kai_vec3_dot(t, z)};
    *s = out;
    s->parallel = s->sine[0] < PARALLEL || s->sine[1] < PARALLEL || s->sine[2] < PARALLEL;
}

// Axes -------------------------------------------------------------------------------------------

KAI_INLINE void offer(choice* c, double gap, int axis)
{
    c->axis = gap > c->gap ? axis : c->axis;
    c->gap = gap > c->gap ? gap : c->gap;
}

/// Gap along the cross product of edge i and the axis, pointing at the cylinder.
KAI_INLINE double along_cross(const setting* s, int i)
{
    const int j = i == 2 ? 0 : i + 1, k = 3 - i - j;
    const double away = fabs(s->t[k] * s->z[j] - s->t[j] * s->z[k]);
    const double box = s->size[j] * fabs(s->z[k]) + s->size[k] * fabs(s->z[j]);
    return (away - box) / s->sine[i] - s->r;
}

static choice choose(const setting* s, double reach)
{
    choice c = {-HUGE_VAL, FACE};
    for (int i = 0; i < 3; i++)
        offer(&c, fabs(s->t[i]) - s->size[i] - s->h * fabs(s->z[i]) - s->r * s->sine[i], FACE + i);
    offer(&c,
          fabs(s->height) - s->h - s->size[0] * fabs(s->z[0]) - s->size[1] * fabs(s->z[1]) -
              s->size[2] * fabs(s->z[2]),
          END);
    if (c.gap > reach) return c;
    for (int i = 0; i < 3; i++)
        if (s->sine[i] >= PARALLEL) offer(&c, along_cross(s, i), SIDE + i);
    return c;
}

// Where features meet ----------------------------------------------------------------------------

static void finish(double gap, const double n[3], const double a[3], kai_narrow_witness* out)
{
    out->gap = gap;
    out->normal = kai_vec3_make(n[0], n[1], n[2]);
    out->a = kai_vec3_make(a[0], a[1], a[2]);
    out->b = kai_vec3_mul_add(out->a, out->normal, gap);
}

/// The lowest point of the cylinder lies over the face.
static bool meet_face(const setting* s, int i, double gap, kai_narrow_witness* out)
{
    const double up = s->t[i] < 0.0 ? -1.0 : 1.0, slope = -up * s->z[i];
    const double along = copysign(s->h, slope);
    const double across = s->sine[i] > 1e-12 ? s->r / s->sine[i] : 0.0;
    double n[3] = {0.0}, a[3];
    n[i] = up;
    for (int k = 0; k < 3; k++) {
        // The way down, less what of it is along the axis.
        const double down = -n[k] - slope * s->z[k];
        a[k] = s->t[k] + along * s->z[k] + across * down;
        if (k != i && fabs(a[k]) > s->size[k]) return false;
    }
    a[i] = up * s->size[i];
    finish(gap, n, a, out);
    return gap >= -2.0 * s->size[i];
}

/// The highest corner of the box lies under the end of the cylinder.
static bool meet_end(const setting* s, double gap, kai_narrow_witness* out)
{
    const double up = s->height < 0.0 ? -1.0 : 1.0;
    double n[3], a[3], along = 0.0, far2 = 0.0;
    for (int k = 0; k < 3; k++) {
        n[k] = up * s->z[k];
        a[k] = copysign(s->size[k], n[k]);
        along += (a[k] - s->t[k]) * s->z[k];
    }
    for (int k = 0; k < 3; k++) {
        const double off = a[k] - s->t[k] - along * s->z[k];
        far2 += off * off;
    }
    finish(gap, n, a, out);
    return far2 <= s->r * s->r && gap >= -2.0 * s->h;
}

/// An edge and a line along the side cross.
static bool meet_side(const setting* s, int i, double gap, kai_narrow_witness* out)
{
    const int j = i == 2 ? 0 : i + 1, k = 3 - i - j;
    const double toward = s->t[k] * s->z[j] - s->t[j] * s->z[k];
    const double scale = (toward < 0.0 ? -1.0 : 1.0) / s->sine[i];
    double n[3], a[3];
    n[i] = 0.0;
    n[j] = -scale * s->z[k];
    n[k] = scale * s->z[j];
    a[j] = copysign(s->size[j], n[j]);
    a[k] = copysign(s->size[k], n[k]);
    // Across both, in the plane of j and k.
    const double sine2 = s->sine[i] * s->sine[i];
    const double along = ((a[j] - s->t[j]) * s->z[j] + (a[k] - s->t[k]) * s->z[k]) / sine2;
    a[i] = s->t[i] + along * s->z[i];
    finish(gap, n, a, out);
    return fabs(along) <= s->h && fabs(a[i]) <= s->size[i] && gap >= -2.0 * s->r;
}

static bool meet(const setting* s, choice c, kai_narrow_witness* out)
{
    if (c.axis < END) return meet_face(s, c.axis, c.gap, out);
    return c.axis == END ? meet_end(s, c.gap, out) : meet_side(s, c.axis - SIDE, c.gap, out);
}

/// A corner of the box and the side of the cylinder; false where they do not meet.
static bool meet_corner(const setting* s, const double a[3], kai_narrow_witness* out)
{
    double n[3], along = 0.0, far2 = 0.0;
    for (int k = 0; k < 3; k++) along += (a[k] - s->t[k]) * s->z[k];
    if (!(fabs(along) <= s->h)) return false;
    for (int k = 0; k < 3; k++) {
        n[k] = s->t[k] + along * s->z[k] - a[k];
        far2 += n[k] * n[k];
    }
    const double far = sqrt(far2);
    if (!(far > 1e-6 * s->r)) return false;
    for (int k = 0; k < 3; k++) {
        n[k] /= far;
        if (n[k] * a[k] < 0.0) return false; // another corner is higher
    }
    finish(far - s->r, n, a, out);
    return true;
}

// Shorter ways out -------------------------------------------------------------------------------

/// Whether an edge along i comes as near as `depth` to the rim around q. Its point is x = a + y e_i
/// from the rim's centre, in heights along the axis and squares of distances from it.
static bool edge_near_rim(const setting* s, const double q[3], const double a[3], int i,
                          double depth)
{
    const int j = i == 2 ? 0 : i + 1, k = 3 - i - j;
    const double u = a[j] - q[j], v = a[k] - q[k];
    const double height = u * s->z[j] + v * s->z[k];
    double low = -s->size[i] - q[i], high = s->size[i] - q[i];
    if (fabs(s->z[i]) > 1e-12) {
        const double one = (-depth - height) / s->z[i], two = (depth - height) / s->z[i];
        low = kai_narrow_max(low, kai_narrow_min(one, two));
        high = kai_narrow_min(high, kai_narrow_max(one, two));
    } else if (fabs(height) > depth + 1e-12 * s->h) {
        return false;
    }
    if (low > high) return false;
    // Squares: f + 2 g y + w y².
    const double f = u * u + v * v - height * height, g = -height * s->z[i];
    const double w = s->sine[i] * s->sine[i];
    const double at_low = f + (2.0 * g + w * low) * low, at_high = f + (2.0 * g + w * high) * high;
    double least = kai_narrow_min(at_low, at_high);
    if (w > 0.0 && -g > w * low && -g < w * high) least = f - g * g / w;
    const double inner = kai_narrow_max(s->r - depth, 0.0), outer = s->r + depth;
    return kai_narrow_max(at_low, at_high) >= inner * inner && least <= outer * outer;
}

/// Whether some edge comes as near as `depth` to a rim: then it may be a shorter way out.
static bool rims_matter(const setting* s, double depth)
{
    for (int end = -1; end <= 1; end += 2) {
        double q[3];
        bool near[3][2], within[3];
        for (int k = 0; k < 3; k++) {
            const double extent = s->r * s->sine[k] + depth;
            q[k] = s->t[k] + end * s->h * s->z[k];
            near[k][0] = fabs(q[k] + s->size[k]) <= extent;
            near[k][1] = fabs(q[k] - s->size[k]) <= extent;
            within[k] = fabs(q[k]) <= s->size[k] + extent;
        }
        for (int i = 0; i < 3; i++) {
            const int j = i == 2 ? 0 : i + 1, k = 3 - i - j;
            for (int corner = 0; within[i] && corner < 4; corner++) {
                if (!near[j][corner & 1] || !near[k][corner >> 1]) continue;
                double a[3];
                a[i] = 0.0;
                a[j] = corner & 1 ? s->size[j] : -s->size[j];
                a[k] = corner >> 1 ? s->size[k] : -s->size[k];
                if (edge_near_rim(s, q, a, i, depth)) return true;
            }
        }
    }
    return false;
}

/// Takes the way out over a corner where it is shorter. False where that cannot be told.
static bool try_corners(const setting* s, kai_narrow_witness* out)
{
    for (int corner = 0; corner < 8; corner++) {
        const double depth = -out->gap;
        double a[3], along = 0.0, far2 = 0.0;
        bool near = true;
        for (int k = 0; k < 3; k++) {
            a[k] = corner >> k & 1 ? s->size[k] : -s->size[k];
            // Along an edge that is parallel to the axis, any place will do.
            near &= s->sine[k] < PARALLEL ||
                    fabs(a[k] - s->t[k]) <= s->h * fabs(s->z[k]) + s->r * s->sine[k] + depth;
        }
        if (!near) continue;
        for (int k = 0; k < 3; k++) along += (a[k] - s->t[k]) * s->z[k];
        for (int k = 0; k < 3; k++) {
            const double off = a[k] - s->t[k] - along * s->z[k];
            far2 += off * off;
        }
        const double inner = s->r - depth;
        if (far2 > s->r * s->r || (inner > 0.0 && far2 < inner * inner)) continue;
        if (s->parallel || !(inner > 0.0)) return false;
        kai_narrow_witness over = {.pointless = false};
        if (meet_corner(s, a, &over) && over.gap > out->gap) *out = over;
    }
    return true;
}

void kai_narrow_cylinder_box(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    setting s;
    set(p, &s);
    const choice c = choose(&s, p->reach);
    out->gap = c.gap;
    if (c.gap > p->reach) return;
    if (meet(&s, c, out)) {
        if (c.gap > 0.0) return;
        if (!rims_matter(&s, -c.gap) && try_corners(&s, out)) return;
    } else if (c.gap > 0.0) {
        double a[3];
        const double n[3] = {out->normal.x, out->normal.y, out->normal.z};
        for (int k = 0; k < 3; k++) a[k] = copysign(s.size[k], n[k]);
        if (meet_corner(&s, a, out)) return;
    }
    kai_narrow_convex(p, out);
}

// Two cylinders ----------------------------------------------------------------------------------

/// Cylinder b in the frame of a, whose axis is z.
typedef struct cans {
    double r[2], h[2]; // radii and half lengths of a and b
    kai_vec3 t, z;     // centre and axis of b
    double sine;       // of the angle between the axes
} cans;

/// The lowest point of b lies over the end of a, or the highest of a under the end of b: `in` is
/// then how far inside its rim.
static bool meet_disc(const cans* c, bool of_b, double gap, double* in, kai_narrow_witness* out)
{
    const int disc = of_b ? 1 : 0, other = 1 - disc;
    const kai_vec3 axis = of_b ? c->z : kai_vec3_axis(2), along = of_b ? kai_vec3_axis(2) : c->z;
    const kai_vec3 n = kai_vec3_dot(c->t, axis) < 0.0 ? kai_vec3_neg(axis) : axis;
    // From the other's centre to its point that is nearest to the disc.
    const kai_vec3 toward = of_b ? n : kai_vec3_neg(n);
    const double slope = kai_vec3_dot(toward, along);
    kai_vec3 x = kai_vec3_scale(along, copysign(c->h[other], slope));
    if (c->sine > 1e-12)
        x = kai_vec3_mul_add(x, kai_vec3_mul_add(toward, along, -slope), c->r[other] / c->sine);
    if (!of_b) x = kai_vec3_add(x, c->t);
    const kai_vec3 from = of_b ? kai_vec3_sub(x, c->t) : x;
    const kai_vec3 across = kai_vec3_mul_add(from, axis, -kai_vec3_dot(from, axis));
    out->gap = gap;
    out->normal = n;
    out->a = of_b ? x : kai_vec3_mul_add(x, n, -gap);
    out->b = of_b ? kai_vec3_mul_add(x, n, gap) : x;
    *in = c->r[disc] - kai_vec3_norm(across);
    return *in >= 0.0 && gap >= -2.0 * c->h[disc];
}

/// Lines along both sides cross: `in` is how far from the ends of both.
static bool meet_sides(const cans* c, double gap, double* in, kai_narrow_witness* out)
{
    const double scale = 1.0 / c->sine;
    const kai_vec3 m = kai_vec3_make(scale * c->z.x, scale * c->z.y, 0.0);
    kai_vec3 n = kai_vec3_make(-m.y, m.x, 0.0);
    if (kai_vec3_dot(c->t, n) < 0.0) n = kai_vec3_neg(n);
    const double along_b = -scale * kai_vec3_dot(c->t, m), along_a = c->t.z + along_b * c->z.z;
    out->gap = gap;
    out->normal = n;
    out->a = kai_vec3_make(c->r[0] * n.x, c->r[0] * n.y, along_a);
    out->b = kai_vec3_mul_add(out->a, n, gap);
    *in = kai_narrow_min(c->h[0] - fabs(along_a), c->h[1] - fabs(along_b));
    return *in >= 0.0 && gap >= -2.0 * c->r[1];
}

/// How far from the disc's witness, at most, is what of the other cylinder lies within `depth` of
/// the disc's cylinder: the other's part below twice that height over its lowest point.
static double spread_on_disc(const cans* c, int other, double depth)
{
    const double rise = 2.0 * depth, steep = fabs(c->z.z), r = c->r[other];
    double across = 2.0 * r, along = 2.0 * c->h[other];
    if (c->sine > 0.0)
        across = kai_narrow_min(across, rise / c->sine + sqrt(2.0 * r * rise / c->sine));
    if (steep > 0.0) along = kai_narrow_min(along, rise / steep);
    return across + along;
}

/// How far from where sides cross, at most, points of one cylinder are within `depth` of the other.
static double spread_on_sides(const cans* c, double depth)
{
    return (2.0 * sqrt(c->r[0] * depth) + 2.0 * sqrt(c->r[1] * depth) + depth) / c->sine;
}

void kai_narrow_cylinder_cylinder(const kai_narrow_pair* p, kai_narrow_witness* out)
{
    cans c = {.r = {p->a->size.x, p->b->size.x},
              .h = {p->a->size.z, p->b->size.z},
              .t = p->t,
              .z = kai_mat33_column(p->r, 2)};
    c.sine = sqrt(c.z.x * c.z.x + c.z.y * c.z.y);
    const double steep = fabs(c.z.z);
    choice best = {fabs(c.t.z) - c.h[0] - c.h[1] * steep - c.r[1] * c.sine, 0};
    offer(&best, fabs(kai_vec3_dot(c.t, c.z)) - c.h[1] - c.h[0] * steep - c.r[0] * c.sine, 1);
    if (c.sine >= PARALLEL)
        offer(&best, fabs(c.t.y * c.z.x - c.t.x * c.z.y) / c.sine - c.r[0] - c.r[1], 2);
    out->gap = best.gap;
    if (best.gap > p->reach) return;
    double in = 0.0;
    const bool disc = best.axis < 2;
    if (disc ? meet_disc(&c, best.axis == 1, best.gap, &in, out)
             : meet_sides(&c, best.gap, &in, out)) {
        if (best.gap > 0.0) return;
        // Rims and sides that are farther away than the depth offer no shorter way out.
        const double depth = -best.gap;
        if (disc && in > depth + spread_on_disc(&c, 1 - best.axis, depth)) return;
        if (!disc && in > spread_on_sides(&c, depth)) return;
    }
    kai_narrow_convex(p, out);
}
