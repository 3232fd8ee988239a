// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The penalty force of spheres, a batch of contacts at a time, from the laws of a pair (law_*.h) in
// a form that vector units do well. With d = x_b - x_a, n = d/|d|, δ = r_a + r_b - |d|,
// r' = r - δ/2 and w = v_b - v_a - (r_a' ω_a + r_b' ω_b) × n:
//
//     meet    n, δ, w; u turned into the plane of n
//     lanes   F, g, k, g_t, energy: the law of the pair (kai_contact_law_kind.lanes)
//     press   g ← g (√(1 + z²) - z),  z = g h / 4m   (velocities lag by half a step); likewise g_t
//             N = F - g w·n,   t = w - (w·n) n
//     rub     T = k u + (g_t + k h) t, at most μ N long;   u ← u + (T - k u) h / (g_t + k h)
//     join    force on b: (N - pull) n - T
//
// Square roots and divisions decide the time, so there are four and two of them a contact: √(1 + x)
// comes from a polynomial and a Newton step, 1/|d| and 1/|u|² from one division, 1/|T| and 1/(g_t +
// k h) from another. Contacts outside the range of these short forms, and the first and last step
// of a contact, which the general path treats with care, are marked `rare`; kai_penalty_evaluate
// does them one by one.
//
// Flops per contact, Hertz: 190, with 4 square roots and 2 divisions.
#ifndef CONTACT_GRAINS_LAW_H
#define CONTACT_GRAINS_LAW_H

#include "base/simd.h"
#include "model/laws/law_tangential.h"

#include <stddef.h>

/// Pairs worked on together; their numbers stay in the first-level cache. A multiple of the lanes
/// of any vector unit, so that no pair is done by a loop's remainder.
enum { KAI_GRAINS_DESK = KAI_CONTACT_LANES, KAI_GRAINS_LANES = KAI_CONTACT_WIDTH };

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

/// What the parts around the law need to know of two materials.
typedef struct kai_grains_pair {
    double friction; // μ
    double pull;     // attraction, N
    double pull_by;  // N per metre of effective radius
    // Of the law: the same for all pairs where there is one
    double lag;   // 1: the damping is a dashpot, whose velocity lags; else 0
    double slack; // N: damping may pull by this much; 0: not at all
} kai_grains_pair;

/// Its members, in order.
enum { KAI_GRAINS_PAIR = sizeof(kai_grains_pair) / sizeof(double), KAI_GRAINS_PAIR_OWN = 3 };

/// All that the fast path needs to know of two materials.
typedef struct kai_grains_coefficients {
    kai_grains_pair parts;
    kai_contact_factors factors; // of the law
    int32_t factor_count;        // how many of them are set
    uint32_t law;                // which one
} kai_grains_coefficients;

/// A pair_batch of pairs. Rows are laid by pair where they are written, by component where they are
/// computed; their last number is used, or GCC would do the last ones one by one. Pairs that do not
/// touch are computed along, with an overlap of 0: all that acts is 0.
typedef struct kai_grains_pair_batch {
    double d[KAI_GRAINS_DESK][8]; // x_b - x_a, two numbers of no use, v_b - v_a
    double wa[KAI_GRAINS_DESK][4]; // ω_a: x, y, nothing, z; world; where sizes are equal ω_a + ω_b
    double wb[KAI_GRAINS_DESK][4]; // ω_b likewise; not used where sizes are equal
    double ra[KAI_GRAINS_DESK], rb[KAI_GRAINS_DESK]; // radii; these and below not used where equal
    double inverse[KAI_GRAINS_DESK];                 // 1 / effective mass
    double pair[KAI_GRAINS_PAIR][KAI_GRAINS_DESK];   // kai_grains_pair, by member
    // Overlap and, of pairs that differ, effective radius and mass; answers.
    _Alignas(64) kai_contact_lanes lanes;
    // out: force on b; -r_a', -r_b'; n × force, which these times are the moments. Where sizes are
    // equal energy, heat, and the moment in their place.
    _Alignas(64) double f[KAI_GRAINS_DESK][8];
    double energy[KAI_GRAINS_DESK]; // stored, J
    double heat[KAI_GRAINS_DESK];   // power lost, W
    double rare[KAI_GRAINS_DESK];   // not 0: not done
    // between
    double n[3][KAI_GRAINS_DESK];   // normal
    double t[3][KAI_GRAINS_DESK];   // sliding velocity
    double p[3][KAI_GRAINS_DESK];   // displacement turned into the plane; then friction on a
    double stored[KAI_GRAINS_DESK]; // |u|² before
    double g[KAI_GRAINS_DESK];      // tangential damping
    double limit[KAI_GRAINS_DESK];  // of friction
    double along[KAI_GRAINS_DESK];  // normal force
    double arm_a[KAI_GRAINS_DESK];  // r_a'
    double arm_b[KAI_GRAINS_DESK];  // r_b'; not written where sizes are equal
} kai_grains_pair_batch;

// Rows that cross cache lines made a step of a settled bed 5 % slower.
_Static_assert(offsetof(kai_grains_pair_batch, lanes) % 64 == 0, "whole cache lines");
_Static_assert(offsetof(kai_grains_pair_batch, f) % 64 == 0, "whole cache lines");
_Static_assert(offsetof(kai_grains_pair_batch, n) % 64 == 0, "whole cache lines");
_Static_assert(offsetof(kai_contact_lanes, overlap) == 0, "whole cache lines");

/// What all contacts of a step have in common.
typedef struct kai_grains_law {
    bool smooth;                 // no friction
    bool equal;                  // all spheres have one size, mass and material
    double h;                    // s
    double radius, inverse_mass; // of a sphere, where all are equal
    kai_grains_pair pair;        // likewise
} kai_grains_law;

/// Damping for velocities that lag, and that does not turn the velocity around by itself;
/// z = g h / 4m, |z| ≤ 1.
KAI_INLINE double kai_grains_lag(double g, double z, double most)
{
    return kai_law_cap(kai_law_lagged(g, z, kai_law_root(z * z)), most);
}

KAI_INLINE kai_grains_pair kai_grains_pair_at(const kai_grains_pair_batch* pair_batch, size_t i)
{
    return (kai_grains_pair){.friction = pair_batch->pair[0][i],
                             .pull = pair_batch->pair[1][i],
                             .pull_by = pair_batch->pair[2][i],
                             .lag = pair_batch->pair[3][i],
                             .slack = pair_batch->pair[4][i]};
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
        const kai_vec3 p = kai_law_tangential_project(
            kai_vec3_make(ux, uy, uz), kai_vec3_make(nx, ny, nz), un, kai_law_tangential_turn(y));
        const bool odd = !(y <= KAI_LAW_TANGENTIAL_TURN) | !(distance > 1e-150);
        pair_batch->n[0][i] = nx, pair_batch->n[1][i] = ny, pair_batch->n[2][i] = nz;
        pair_batch->lanes.overlap[i] = touches ? overlap : 0.0;
        pair_batch->lanes.departure[i] = departure;
        pair_batch->t[0][i] = wx - departure * nx, pair_batch->t[1][i] = wy - departure * ny,
        pair_batch->t[2][i] = wz - departure * nz;
        pair_batch->p[0][i] = p.x, pair_batch->p[1][i] = p.y, pair_batch->p[2][i] = p.z;
        pair_batch->stored[i] = u2;
        pair_batch->arm_a[i] = arm_a;
        if (!equal) pair_batch->arm_b[i] = arm_b;
        pair_batch->rare[i] = (odd & touches) ? 1.0 : 0.0;
        touching += touches ? 1.0 : 0.0;
    }
    return (size_t)touching;
}

/// The normal force from what the law says, and what friction will need.
KAI_INLINE void kai_grains_press(kai_grains_pair_batch* restrict pair_batch,
                                 const kai_grains_rows* rows, kai_grains_law law, bool equal)
{
    const kai_contact_lanes* lane_of = &pair_batch->lanes;
    const size_t begin = kai_grains_begin(rows), lanes = kai_grains_lanes(rows);
    const double h = law.h, inverse_h = 1.0 / h;
    const double inverse_1 = 2.0 * law.inverse_mass, mass_1 = 1.0 / inverse_1;
    const double radius_1 = 0.5 * law.radius;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double inverse = equal ? inverse_1 : pair_batch->inverse[i];
        const kai_grains_pair pair = equal ? law.pair : kai_grains_pair_at(pair_batch, i);
        const double radius = equal ? radius_1 : lane_of->radius[i];
        const double mass = equal ? mass_1 : lane_of->mass[i];
        const double overlap = lane_of->overlap[i], departure = lane_of->departure[i];
        const bool touches = overlap > 0.0;
        const double one = touches ? 1.0 : 0.0, pull = one * (pair.pull + pair.pull_by * radius);
        const double h_m = h * inverse, most = KAI_LAW_MOST * mass * inverse_h;
        const double force = touches ? lane_of->force[i] : 0.0,
                     raw = touches ? lane_of->damping[i] : 0.0, raw_t = lane_of->gt[i];
        const double z = 0.25 * pair.lag * raw * h_m,
                     z_t = 0.25 / KAI_LAW_SHARE * pair.lag * raw_t * h_m;
        const double g = kai_grains_lag(raw, z, most);
        const double distance = pair.lag * kai_law_edge_distance(departure, force, raw, h, h_m);
        const double low = -(force + pair.slack), damped = -g * departure,
                     damper = damped > low ? damped : low;
        const double normal = force + damper;
        pair_batch->g[i] = kai_grains_lag(raw_t, z_t, KAI_LAW_SHARE * most);
        pair_batch->limit[i] = pair.friction * kai_law_positive(normal);
        pair_batch->along[i] = normal - pull;
        pair_batch->energy[i] = (touches ? lane_of->energy[i] : 0.0) - pull * overlap;
        pair_batch->heat[i] = -damper * departure;
        const bool odd = (overlap <= distance * (1.0 + 1e-12)) | !(z_t <= 1.0);
        pair_batch->rare[i] = (odd & touches) ? 1.0 : pair_batch->rare[i];
    }
}

/// Friction.
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
        const kai_vec3 p = kai_vec3_make(pair_batch->p[0][i], pair_batch->p[1][i],
                                         pair_batch->p[2][i]),
                       t = kai_vec3_make(pair_batch->t[0][i], pair_batch->t[1][i],
                                         pair_batch->t[2][i]);
        // A touch that has ended has no spring any more.
        const double k = pair_batch->lanes.overlap[i] > 0.0 ? pair_batch->lanes.kt[i] : 0.0;
        const double limit = pair_batch->limit[i];
        const kai_law_tangential_answer f = kai_law_tangential(
            p, t, k, pair_batch->g[i], limit, limit, pair_batch->stored[i], h, inverse_h);
        pair_batch->energy[i] += f.energy;
        pair_batch->heat[i] += f.heat;
        // A contact to be done again needs its displacement as it was.
        const bool stays = (pair_batch->rare[i] != 0.0) | (i < from) | (i >= to);
        const double ux = u[i][0], uy = u[i][1], uz = u[i][2];
        u[i][0] = stays ? ux : f.u.x;
        u[i][1] = stays ? uy : f.u.y;
        u[i][2] = stays ? uz : f.u.z;
        pair_batch->p[0][i] = f.force.x, pair_batch->p[1][i] = f.force.y,
        pair_batch->p[2][i] = f.force.z;
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

/// The forces of pairs of a pair_batch whose law has answered about what kai_grains_meet found.
/// Flags come as constants, so that each use compiles to loops of its own. Several short loops:
/// what one contact needs in a row is long, and processors look ahead only so far.
KAI_INLINE void kai_grains_forces_of(kai_grains_pair_batch* restrict pair_batch,
                                     const kai_grains_rows* rows, kai_grains_law law, bool equal,
                                     bool smooth)
{
    kai_grains_press(pair_batch, rows, law, equal);
    if (!smooth) kai_grains_rub(pair_batch, rows, law.h);
    kai_grains_join(pair_batch, rows, equal, smooth);
}

#endif
