// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Distance of two convex cores by the algorithm of Gilbert, Johnson and Keerthi: the point of the
// set B - A nearest to the origin, from a sequence of simplices inside it.
//
// Each step has an upper bound |v| and a lower bound v · w / |v|; it ends when they agree to 1e-12
// of |v| or 1e-15 of the size, when |v| no longer falls, or after KAI_GJK_STEPS. The simplex is
// reduced by signed volumes, with every doubtful sign resolved by comparing distances.
#ifndef PROXIMITY_GJK_H
#define PROXIMITY_GJK_H

#include "proximity/narrow_pair.h"

#define KAI_GJK_STEPS 128

/// A simplex of B - A: corners w = b - a.
typedef struct kai_gjk_simplex {
    int count;
    kai_vec3 w[4], a[4], b[4];
    double weight[4]; // of the point nearest to the origin
} kai_gjk_simplex;

typedef enum kai_gjk_state {
    KAI_GJK_NEAR,    ///< disjoint; the witness is filled
    KAI_GJK_FAR,     ///< farther apart than the reach; witness->gap is a lower bound above it
    KAI_GJK_OVERLAP, ///< overlapping, or touching to rounding; the simplex holds the origin
} kai_gjk_state;

/// Runs the algorithm. `steps`, which may be NULL, receives the number of steps.
kai_gjk_state kai_gjk_distance(const kai_narrow_pair* pair, kai_gjk_simplex* simplex,
                               kai_narrow_hint* hint, kai_narrow_witness* out, int* steps);

#endif
