// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The penalty force of spheres, eight contacts at a time: the formulas of penalty_formula.h in a
// form that vector units do well. With d = x_b - x_a, n = d/|d|, δ = r_a + r_b - |d|,
// r' = r - δ/2 and w = v_b - v_a - (r_a' ω_a + r_b' ω_b) × n:
//
//     Hertz  F = p √(Rδ) δ,  g = c √m √√(Rδ),  k = s √(Rδ)          Hooke  F = p δ,  g, k constant
//     g ← g (√(1 + z²) - z),  z = g h / 4m   (velocities lag by half a step); likewise g_t, 2/7 m
//     N = F - g w·n,   t = w - (w·n) n
//     u ← u turned into the plane of n;   T = k u + (g_t + k h) t, at most μ N long
//     u ← u + (T - k u) h / (g_t + k h)
//     force on b: (N - pull) n - T
//
// Square roots and divisions decide the time, so there are four and two of them a contact: √(1 + x)
// comes from a polynomial and a Newton step, 1/|d| and 1/|u|² from one division, 1/|T| and 1/(g_t +
// k h) from another. Contacts outside the range of these short forms, and the first and last step
// of a contact, which penalty_formula.h treats with care, are marked `rare`; kai_penalty_evaluate
// does them one by one.
//
// Flops a contact, Hertz: 190, with 4 square roots and 2 divisions.
#ifndef CONTACT_GRAINS_LAW_H
#define CONTACT_GRAINS_LAW_H

#include "base/simd.h"
#include "contact/penalty_formula.h"

#include <stddef.h>

/// Pairs worked on together; their numbers stay in the first-level cache. A multiple of the lanes
/// of any vector unit, so that no pair is done by a loop's remainder.
enum { KAI_GRAINS_DESK = 64, KAI_GRAINS_LANES = 8 };

/// Pairs [from, to) of a pair_batch, and what each remembers. Those beside them in the lanes of a vector
/// unit may be anything: they are computed along, to no effect.
typedef struct kai_grains_rows {
    size_t from, to;
    double (*u)[3]; // elastic displacement of b against a, m; in and out; 0 where they do not touch
} kai_grains_rows;

/// Where the lanes begin that have rows, and how many there are: a multiple of KAI_GRAINS_LANES.
KAI_INLINE size_t kai_grains_begin(const kai_grains_rows* rows)
{
    return rows->from / KAI_GRAINS_LANES * KAI_GRAINS_LANES;
}

KAI_INLINE size_t kai_grains_lanes(const kai_grains_rows* rows)
{
    return (rows->to - kai_grains_begin(rows) + KAI_GRAINS_LANES - 1) / KAI_GRAINS_LANES *
           KAI_GRAINS_LANES;
}

/// What a law needs to know of two materials. Hooke's damping is gn + `damping` √m, its tangential
/// one gt + `share` times that.
typedef struct kai_grains_pair {
    double push;     // Hertz: 4/3 E*; Hooke: kn
    double shear;    // Hertz: 8 G*; Hooke: kt
    double damping;  // Hertz: 2 √(5/6) β √(2 E*); Hooke: 2 β √kn, 0 where gn is given
    double gn, gt;   // Hooke: as given, or 0
    double share;    // Hooke: 2/7, 0 where gt is given
    double friction; // μ
    double pull;     // attraction, N
    double pull_by;  // N a metre of effective radius
} kai_grains_pair;

/// Its members, in order.
enum { KAI_GRAINS_PAIR = sizeof(kai_grains_pair) / sizeof(double) };

/// A pair_batch of pairs. Rows are laid by pair where they are written, by component where they are
/// computed; their last number is used, or GCC would do the last ones one by one. Pairs that do not
/// touch are computed along, with an overlap of 0: all that acts is 0.
typedef struct kai_grains_pair_batch {
    double d[KAI_GRAINS_DESK][8]; // x_b - x_a, two numbers of no use, v_b - v_a
    double wa[KAI_GRAINS_DESK][4]; // ω_a: x, y, nothing, z; world; where sizes are equal ω_a + ω_b
    double wb[KAI_GRAINS_DESK][4]; // ω_b likewise; not used where sizes are equal
    double ra[KAI_GRAINS_DESK], rb[KAI_GRAINS_DESK]; // radii; these and below not used where equal
    double radius[KAI_GRAINS_DESK];                  // effective
    double inverse[KAI_GRAINS_DESK];                 // 1 / effective mass
    double pair[KAI_GRAINS_PAIR][KAI_GRAINS_DESK];   // kai_grains_pair, by member
    // out
    double f[KAI_GRAINS_DESK][8]; // force on b; -r_a', -r_b'; n × force, which these times are the
                                  // moments. Where sizes are equal energy, heat, and the moment
    double overlap[KAI_GRAINS_DESK]; // δ
    double energy[KAI_GRAINS_DESK];  // stored, J
    double heat[KAI_GRAINS_DESK];    // power lost, W
    double rare[KAI_GRAINS_DESK];    // not 0: not done
    // between
    double n[3][KAI_GRAINS_DESK];      // normal
    double t[3][KAI_GRAINS_DESK];      // sliding velocity
    double p[3][KAI_GRAINS_DESK];      // displacement turned into the plane; then friction on a
    double departure[KAI_GRAINS_DESK]; // normal velocity
    double stored[KAI_GRAINS_DESK];    // |u|² before
    double g[KAI_GRAINS_DESK], k[KAI_GRAINS_DESK]; // tangential damping and stiffness
    double limit[KAI_GRAINS_DESK];                 // of friction
    double along[KAI_GRAINS_DESK];                 // normal force
    double arm_a[KAI_GRAINS_DESK];                 // r_a'
    double arm_b[KAI_GRAINS_DESK];                 // r_b'; not written where sizes are equal
} kai_grains_pair_batch;

/// What all contacts of a law have in common.
typedef struct kai_grains_law {
    bool hooke;
    bool smooth;                 // no friction
    bool equal;                  // all spheres have one size, mass and material
    double h;                    // s
    double radius, inverse_mass; // of a sphere, where all are equal
    kai_grains_pair pair;        // likewise
} kai_grains_law;

/// √(1 + x) for 0 ≤ x ≤ 1, to rounding: a polynomial for 1/√(1 + x) good to 1.4e-5, a Newton step
/// for it (3e-10), one for the root.
KAI_INLINE double kai_grains_root(double x)
{
    const double a = 1.0 + x;
    double y = 0.127591948 + x * -0.0306771854;
    y = -0.253684296 + x * y;
    y = 0.362910052 + x * y;
    y = -0.499027411 + x * y;
    y = 0.99998666 + x * y;
    y = y + 0.5 * y * (1.0 - a * y * y);
    const double s = a * y;
    return s + 0.5 * y * (a - s * s);
}

/// Damping for velocities that lag, and that does not turn the velocity around by itself;
/// z = g h / 4m, |z| ≤ 1.
KAI_INLINE double kai_grains_lag(double g, double z, double most)
{
    const double lagged = g * (kai_grains_root(z * z) - z);
    return lagged < most ? lagged : most;
}

KAI_INLINE kai_grains_pair kai_grains_pair_at(const kai_grains_pair_batch* pair_batch, size_t i)
{
    return (kai_grains_pair){.push = pair_batch->pair[0][i],
                             .shear = pair_batch->pair[1][i],
                             .damping = pair_batch->pair[2][i],
                             .gn = pair_batch->pair[3][i],
                             .gt = pair_batch->pair[4][i],
                             .share = pair_batch->pair[5][i],
                             .friction = pair_batch->pair[6][i],
                             .pull = pair_batch->pair[7][i],
                             .pull_by = pair_batch->pair[8][i]};
}

/// Where and how fast: normals, overlaps, velocities, displacements turned into the plane. The
/// turned displacement keeps its length by 1/√(1 - y), y = (u·n)² / |u|². Returns how many touch.
KAI_INLINE size_t kai_grains_meet(kai_grains_pair_batch* restrict pair_batch,
                                  const kai_grains_rows* rows, double radius, bool equal)
{
    const double(*restrict u)[3] = (const double(*)[3])rows->u;
    const size_t from = rows->from, to = rows->to;
    const size_t begin = kai_grains_begin(rows), lanes = kai_grains_lanes(rows);
    double touching = 0.0;
#pragma omp simd reduction(+ : touching)
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double ra = equal ? radius : pair_batch->ra[i],
                     rb = equal ? radius : pair_batch->rb[i];
        const double dx = pair_batch->d[i][0], dy = pair_batch->d[i][1], dz = pair_batch->d[i][2];
        const double ux = u[i][0], uy = u[i][1], uz = u[i][2];
        const double u2 = ux * ux + uy * uy + uz * uz, length2 = u2 > 1e-200 ? u2 : 1.0;
        const double distance = sqrt(dx * dx + dy * dy + dz * dz);
        const double both = 1.0 / (distance * length2), scale = both * length2;
        const double nx = dx * scale, ny = dy * scale, nz = dz * scale;
        const double overlap = ra + rb - distance;
        const bool touches = (overlap > 0.0) & (i >= from) & (i < to);
        const double arm_a = ra - 0.5 * overlap, arm_b = rb - 0.5 * overlap;
        const double sx = arm_a * pair_batch->wa[i][0] +
                          (equal ? 0.0 : arm_b * pair_batch->wb[i][0]),
                     sy = arm_a * pair_batch->wa[i][1] +
                          (equal ? 0.0 : arm_b * pair_batch->wb[i][1]),
                     sz = arm_a * pair_batch->wa[i][3] +
                          (equal ? 0.0 : arm_b * pair_batch->wb[i][3]);
        const double wx = pair_batch->d[i][5] - (sy * nz - sz * ny),
                     wy = pair_batch->d[i][6] - (sz * nx - sx * nz),
                     wz = pair_batch->d[i][7] - (sx * ny - sy * nx);
        const double departure = wx * nx + wy * ny + wz * nz;
        const double un = ux * nx + uy * ny + uz * nz, y = un * un * (both * distance);
        const double turn = 1.0 + y * (0.5 + y * (0.375 + y * (0.3125 + y * 0.2734375)));
        const bool odd = !(y <= 1e-3) | !(distance > 1e-150);
        pair_batch->n[0][i] = nx, pair_batch->n[1][i] = ny, pair_batch->n[2][i] = nz;
        pair_batch->overlap[i] = touches ? overlap : 0.0;
        pair_batch->departure[i] = departure;
        pair_batch->t[0][i] = wx - departure * nx, pair_batch->t[1][i] = wy - departure * ny,
        pair_batch->t[2][i] = wz - departure * nz;
        pair_batch->p[0][i] = turn * (ux - un * nx), pair_batch->p[1][i] = turn * (uy - un * ny),
        pair_batch->p[2][i] = turn * (uz - un * nz);
        pair_batch->stored[i] = u2;
        pair_batch->arm_a[i] = arm_a;
        if (!equal) pair_batch->arm_b[i] = arm_b;
        pair_batch->rare[i] = (odd & touches) ? 1.0 : 0.0;
        touching += touches ? 1.0 : 0.0;
    }
    return (size_t)touching;
}

/// The push, and what friction will need.
KAI_INLINE void kai_grains_press(kai_grains_pair_batch* restrict pair_batch,
                                 const kai_grains_rows* rows, kai_grains_law law, bool equal,
                                 bool hooke)
{
    const size_t begin = kai_grains_begin(rows), lanes = kai_grains_lanes(rows);
    const double h = law.h, inverse_h = 1.0 / h;
    const double inverse_1 = 2.0 * law.inverse_mass, mass_1 = 1.0 / inverse_1;
    const double root_1 = sqrt(mass_1), radius_1 = 0.5 * law.radius;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double inverse = equal ? inverse_1 : pair_batch->inverse[i];
        const kai_grains_pair pair = equal ? law.pair : kai_grains_pair_at(pair_batch, i);
        const double radius = equal ? radius_1 : pair_batch->radius[i];
        const double mass = equal ? mass_1 : 1.0 / inverse, root = equal ? root_1 : sqrt(mass);
        const double overlap = pair_batch->overlap[i], departure = pair_batch->departure[i];
        const bool touches = overlap > 0.0;
        const double one = touches ? 1.0 : 0.0, pull = one * (pair.pull + pair.pull_by * radius);
        const double h_m = h * inverse, most = KAI_PENALTY_MOST * mass * inverse_h;
        const double area = hooke ? one : sqrt(radius * overlap);
        const double force = pair.push * area * overlap;
        const double raw =
            hooke ? area * (pair.gn + pair.damping * root) : pair.damping * root * sqrt(area);
        const double g = kai_grains_lag(raw, 0.25 * raw * h_m, most);
        const double after = departure + h_m * (force - raw * departure);
        const double way = h * (departure > 0.0 ? after : -departure);
        const double damper = -g * departure;
        const double normal = force + damper, press = normal > 0.0 ? normal : 0.0;
        const double raw_t = hooke ? area * pair.gt + pair.share * raw : raw,
                     z_t = 0.25 / KAI_PENALTY_SHARE * raw_t * h_m;
        pair_batch->g[i] = kai_grains_lag(raw_t, z_t, KAI_PENALTY_SHARE * most);
        pair_batch->k[i] = pair.shear * area;
        pair_batch->limit[i] = pair.friction * press;
        pair_batch->along[i] = normal - pull;
        pair_batch->energy[i] = ((hooke ? 0.5 : 0.4) * force - pull) * overlap;
        pair_batch->heat[i] = -damper * departure;
        const bool odd = (overlap <= way * (1.0 + 1e-12)) | !(z_t <= 1.0);
        pair_batch->rare[i] = (odd & touches) ? 1.0 : pair_batch->rare[i];
    }
}

/// Friction, and the whole force.
KAI_INLINE void kai_grains_rub(kai_grains_pair_batch* restrict pair_batch,
                               const kai_grains_rows* rows, double h)
{
    double(*restrict u)[3] = rows->u;
    const size_t from = rows->from, to = rows->to;
    const size_t begin = kai_grains_begin(rows), lanes = kai_grains_lanes(rows);
    const double inverse_h = 1.0 / h;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double px = pair_batch->p[0][i], py = pair_batch->p[1][i], pz = pair_batch->p[2][i];
        const double tx = pair_batch->t[0][i], ty = pair_batch->t[1][i], tz = pair_batch->t[2][i];
        const double k = pair_batch->k[i], g = pair_batch->g[i], q = g + k * h,
                     limit = pair_batch->limit[i];
        double fx = k * px + q * tx, fy = k * py + q * ty, fz = k * pz + q * tz;
        const double size = sqrt(fx * fx + fy * fy + fz * fz);
        const bool slips = size > limit;
        // What is added is nothing beside any q but that of pairs that do not touch.
        const double length = slips ? size : 1.0, part = 1.0 / (length * (q + 1e-300));
        const double keep = slips ? limit * q * part : 1.0, soft = h * (length * part);
        fx *= keep, fy *= keep, fz *= keep;
        const double vx = px + soft * (fx - k * px), vy = py + soft * (fy - k * py),
                     vz = pz + soft * (fz - k * pz);
        const double stored = 0.5 * k * pair_batch->stored[i],
                     kept = 0.5 * k * (vx * vx + vy * vy + vz * vz);
        const double spent = fx * tx + fy * ty + fz * tz - (kept - stored) * inverse_h;
        const double lost = slips ? (spent > 0.0 ? spent : 0.0) : g * (tx * tx + ty * ty + tz * tz);
        pair_batch->energy[i] += kept;
        pair_batch->heat[i] += lost;
        // A contact to be done again needs its displacement as it was.
        const bool stays = (pair_batch->rare[i] != 0.0) | (i < from) | (i >= to);
        const double ux = u[i][0], uy = u[i][1], uz = u[i][2];
        u[i][0] = stays ? ux : vx;
        u[i][1] = stays ? uy : vy;
        u[i][2] = stays ? uz : vz;
        pair_batch->p[0][i] = fx, pair_batch->p[1][i] = fy, pair_batch->p[2][i] = fz;
    }
}

/// The whole force and n × force.
KAI_INLINE void kai_grains_join(kai_grains_pair_batch* restrict pair_batch,
                                const kai_grains_rows* rows, bool equal, bool smooth)
{
    for (size_t first = kai_grains_begin(rows); first < rows->to; first += KAI_GRAINS_LANES) {
        double out[8][KAI_GRAINS_LANES];
#pragma omp simd
        for (size_t k = 0; k < KAI_GRAINS_LANES; k++) {
            const size_t i = first + k;
            const double nx = pair_batch->n[0][i], ny = pair_batch->n[1][i],
                         nz = pair_batch->n[2][i];
            const double along = pair_batch->along[i], rub = smooth ? 0.0 : 1.0;
            const double fx = along * nx - rub * pair_batch->p[0][i],
                         fy = along * ny - rub * pair_batch->p[1][i],
                         fz = along * nz - rub * pair_batch->p[2][i];
            const double a = -pair_batch->arm_a[i], by = equal ? a : 1.0;
            out[0][k] = fx, out[1][k] = fy, out[2][k] = fz;
            out[3][k] = equal ? pair_batch->energy[i] : a;
            out[4][k] = equal ? pair_batch->heat[i] : -pair_batch->arm_b[i];
            out[5][k] = by * (ny * fz - nz * fy), out[6][k] = by * (nz * fx - nx * fz),
            out[7][k] = by * (nx * fy - ny * fx);
        }
        kai_simd_rows((const double(*)[8])out, pair_batch->f[first], 8);
    }
}

/// The forces of pairs of a pair_batch; returns how many touch. Where none does, overlaps are all that is
/// written. Flags come as constants, so that each use compiles to loops of its own. Several short
/// loops: what one contact needs in a row is long, and processors look ahead only so far.
KAI_INLINE size_t kai_grains_forces_of(kai_grains_pair_batch* restrict pair_batch,
                                       const kai_grains_rows* rows, kai_grains_law law, bool equal,
                                       bool hooke, bool smooth)
{
    const size_t touching = kai_grains_meet(pair_batch, rows, law.radius, equal);
    if (touching == 0) return 0;
    kai_grains_press(pair_batch, rows, law, equal, hooke);
    if (!smooth) kai_grains_rub(pair_batch, rows, law.h);
    kai_grains_join(pair_batch, rows, equal, smooth);
    return touching;
}

#endif
