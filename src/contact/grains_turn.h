// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Resistance of spheres against rolling and spinning (law_rolling.h), a batch of contacts at a
// time, after the forces (grains_law.h). With the turn φ of the spring in the contact plane, that
// about the normal, and ω = ω_b - ω_a:
//
//     φ turned into the plane of n, rates ω - (ω·n) n and ω·n
//     couple on b: -M_rolling - M_spinning n, each at most arm · push
//
// Worlds where nothing resists do without: 32 bytes a pair less, and no pass.
#ifndef CONTACT_GRAINS_TURN_H
#define CONTACT_GRAINS_TURN_H

#include "contact/grains_law.h"
#include "model/laws/law_rolling.h"

/// What a pair_batch has beside what forces need.
typedef struct kai_grains_turns {
    double spin[KAI_GRAINS_DESK][4];                            // ω_b - ω_a: x, y, nothing, z
    double rolling[KAI_GRAINS_DESK], spinning[KAI_GRAINS_DESK]; // arms, m
    bool spins;                                                 // some arm of spinning is not 0
    double couple[3][KAI_GRAINS_DESK];                          // out: on b, world
    double energy[KAI_GRAINS_DESK], heat[KAI_GRAINS_DESK];      // out: J, W
    // between
    double push[KAI_GRAINS_DESK];   // what presses, N
    double secant[KAI_GRAINS_DESK]; // elastic force over overlap, N/m
    double about[KAI_GRAINS_DESK];  // ω·n, rad/s
    double angle[KAI_GRAINS_DESK];  // turn about the normal, rad
} kai_grains_turns;

typedef struct kai_grains_turn_rows {
    const kai_grains_rows* rows;
    double (*turning)[4]; // in and out: φ, and the turn about the normal; 0 where nothing touches
} kai_grains_turn_rows;

/// What presses pairs together, and per overlap; couples are nothing yet.
KAI_INLINE void kai_grains_turn_begin(const kai_grains_pair_batch* restrict batch,
                                      kai_grains_turns* restrict turns, const kai_grains_rows* rows,
                                      const kai_grains_law* law, bool equal)
{
    const size_t begin = kai_grains_begin(rows), lanes = kai_grains_lanes(rows);
    const double radius_1 = 0.5 * law->radius;
    const kai_grains_pair one = law->pair;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double overlap = batch->lanes.overlap[i];
        const double pull = equal ? one.pull + one.pull_by * radius_1
                                  : batch->pair[1][i] + batch->pair[2][i] * batch->lanes.radius[i];
        const bool touches = overlap > 0.0;
        const double size = touches ? overlap : 1.0,
                     push = kai_law_positive(batch->along[i] + pull),
                     secant = batch->lanes.force[i] / size;
        turns->push[i] = touches ? push : 0.0;
        turns->secant[i] = touches ? secant : 0.0;
    }
}

/// Rolling: about axes in the contact plane.
KAI_INLINE void kai_grains_turn_roll(kai_grains_pair_batch* restrict batch,
                                     kai_grains_turns* restrict turns,
                                     const kai_grains_turn_rows* to, const kai_grains_law* law,
                                     bool equal)
{
    double(*restrict turning)[4] = to->turning;
    const size_t from = to->rows->from, end = to->rows->to;
    const size_t begin = kai_grains_begin(to->rows), lanes = kai_grains_lanes(to->rows);
    const double h = law->h, radius_1 = 0.5 * law->radius, mass_1 = 0.5 / law->inverse_mass;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double nx = batch->n[0][i], ny = batch->n[1][i], nz = batch->n[2][i];
        const double radius = equal ? radius_1 : batch->lanes.radius[i];
        const double mass = equal ? mass_1 : batch->lanes.mass[i];
        // Rows are read and written whole: GCC would do the last ones one by one.
        const double ux = turning[i][0], uy = turning[i][1], uz = turning[i][2], us = turning[i][3];
        // The turn goes on in the plane of the present normal, as long as it was.
        const double un = ux * nx + uy * ny + uz * nz, before = ux * ux + uy * uy + uz * uz;
        const double px = ux - un * nx, py = uy - un * ny, pz = uz - un * nz;
        const double left = px * px + py * py + pz * pz, after = left > 0.0 ? left : 1.0;
        const double keep = sqrt(before / after);
        const double wx = turns->spin[i][0], wy = turns->spin[i][1], wz = turns->spin[i][3];
        const double wn = wx * nx + wy * ny + wz * nz;
        // Pairs that are to be done again need their turns as they were; others just lie beside.
        const bool stays = (batch->rare[i] != 0.0) | (i < from) | (i >= end);
        const double arm = stays ? 0.0 : turns->rolling[i];
        const kai_law_tangential_answer roll =
            kai_law_rolling(kai_vec3_make(keep * px, keep * py, keep * pz),
                            kai_vec3_make(wx - wn * nx, wy - wn * ny, wz - wn * nz),
                            turns->secant[i], radius, mass, arm, turns->push[i], h, h);
        turning[i][0] = stays ? ux : roll.u.x;
        turning[i][1] = stays ? uy : roll.u.y;
        turning[i][2] = stays ? uz : roll.u.z;
        turning[i][3] = us;
        turns->angle[i] = us;
        turns->couple[0][i] = -roll.force.x;
        turns->couple[1][i] = -roll.force.y;
        turns->couple[2][i] = -roll.force.z;
        turns->energy[i] = roll.energy;
        turns->heat[i] = roll.heat;
        turns->about[i] = wn;
    }
}

/// Spinning: about the normal.
KAI_INLINE void kai_grains_turn_spin(kai_grains_pair_batch* restrict batch,
                                     kai_grains_turns* restrict turns,
                                     const kai_grains_turn_rows* to, const kai_grains_law* law,
                                     bool equal)
{
    const size_t from = to->rows->from, end = to->rows->to;
    const size_t begin = kai_grains_begin(to->rows), lanes = kai_grains_lanes(to->rows);
    const double h = law->h, radius_1 = 0.5 * law->radius, mass_1 = 0.5 / law->inverse_mass;
#pragma omp simd
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t i = begin + lane;
        const double radius = equal ? radius_1 : batch->lanes.radius[i];
        const double mass = equal ? mass_1 : batch->lanes.mass[i];
        const double us = turns->angle[i];
        const kai_law_tangential_answer spin = kai_law_rolling(
            kai_vec3_make(us, 0.0, 0.0), kai_vec3_make(turns->about[i], 0.0, 0.0), turns->secant[i],
            radius, mass, turns->spinning[i], turns->push[i], h, h);
        const bool stays = (batch->rare[i] != 0.0) | (i < from) | (i >= end);
        turns->angle[i] = stays ? us : spin.u.x;
        turns->couple[0][i] -= spin.force.x * batch->n[0][i];
        turns->couple[1][i] -= spin.force.x * batch->n[1][i];
        turns->couple[2][i] -= spin.force.x * batch->n[2][i];
        turns->energy[i] += spin.energy;
        turns->heat[i] += spin.heat;
    }
}

/// Energy and heat join those of the forces, and turns about the normal what is remembered.
KAI_INLINE void kai_grains_turn_join(kai_grains_pair_batch* restrict batch,
                                     const kai_grains_turns* restrict turns,
                                     const kai_grains_turn_rows* to, bool equal)
{
    for (size_t i = to->rows->from; i < to->rows->to; i++) {
        to->turning[i][3] = turns->angle[i];
        batch->energy[i] += turns->energy[i];
        batch->heat[i] += turns->heat[i];
        if (!equal) continue;
        batch->f[i][3] += turns->energy[i];
        batch->f[i][4] += turns->heat[i];
    }
}

KAI_INLINE void kai_grains_turn(kai_grains_pair_batch* restrict batch,
                                kai_grains_turns* restrict turns, const kai_grains_turn_rows* to,
                                const kai_grains_law* law, bool equal)
{
    kai_grains_turn_begin(batch, turns, to->rows, law, equal);
    kai_grains_turn_roll(batch, turns, to, law, equal);
    if (turns->spins) kai_grains_turn_spin(batch, turns, to, law, equal);
    kai_grains_turn_join(batch, turns, to, equal);
}

/// Where spheres are equal.
KAI_CLONES
static void kai_grains_turn_equal(kai_grains_pair_batch* restrict batch,
                                  kai_grains_turns* restrict turns,
                                  const kai_grains_turn_rows* rows, const kai_grains_law* law)
{
    kai_grains_turn(batch, turns, rows, law, true);
}

/// Where they differ.
KAI_CLONES
static void kai_grains_turn_others(kai_grains_pair_batch* restrict batch,
                                   kai_grains_turns* restrict turns,
                                   const kai_grains_turn_rows* rows, const kai_grains_law* law)
{
    kai_grains_turn(batch, turns, rows, law, false);
}

#endif
