// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Items that are fast: in the time ahead (kai_proximity.sweep) they move farther than half the
// reach. Their boxes hold the whole way, and pairs with one of them have the contacts of the moment
// when they meet:
//
//        ○ ─ ─ ─ ─ ─ ─ ▶ ◌ │      points go back to now along the velocities that they have at t;
//        now            t  │      the normal is that of t; the gap lies between them along it
//
// A pair that will not meet has none, however near the two pass each other's faces and edges: gaps
// measured now would stop bodies in front of planes that go on where the shape has ended. A solver
// that keeps normal · velocity >= -gap / sweep lets them touch, turning ones too. Between
// now and t, the time goes on by (gap - reach / 2) / speed, speed a bound on how fast any two
// points of the pair close along the normal (conservative advancement, B. Mirtich, 1996): nothing
// is passed.
#ifndef PROXIMITY_PROXIMITY_SWEEP_H
#define PROXIMITY_PROXIMITY_SWEEP_H

#include "proximity/proximity.h"

/// How an item moves in the time ahead.
typedef struct kai_proximity_way {
    kai_vec3 travel; // of the pose's origin, m
    double turn;     // how far turning moves a point of the item at most, m
    double length;   // of both together; 0: it is not fast, and travel and turn are 0 too
} kai_proximity_way;

/// The way of an item.
kai_proximity_way kai_proximity_sweep_way(const kai_proximity* proximity, size_t item);

/// How far a pair, one of which is fast, moves against each other: 0 where it is within the reach,
/// so that what is now is enough; negative where the balls around them do not come within the reach
/// of each other.
double kai_proximity_sweep_pair(const kai_proximity* proximity, uint32_t a, uint32_t b);

/// Contacts of a pair that moves against each other by `more`. On entry those at present, found
/// with reach + more, all of them farther apart than the reach.
void kai_proximity_sweep_meet(const kai_proximity* proximity, uint32_t a, uint32_t b, double more,
                              kai_manifold* manifold);

#endif
