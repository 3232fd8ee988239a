// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Depth of two overlapping convex cores by an expanding polytope inside B - A: its face nearest to
// the origin is pushed out until it lies on the surface.
//
// Each step has a lower bound, the distance of the nearest face, and an upper bound, the support
// plane parallel to it. It ends when they agree to 1e-7 of the size (1e-10 for polyhedra, which
// are reached exactly in a finite number of steps), or when KAI_EPA_CORNERS are in use; the answer
// is the upper bound, which always separates. For round cores Newton's method brings the normal to
// rounding; the polytope then only proves that no other way out is shorter.
#ifndef PROXIMITY_EPA_H
#define PROXIMITY_EPA_H

#include "proximity/gjk.h"

#define KAI_EPA_CORNERS 256
#define KAI_EPA_FACES   (2 * KAI_EPA_CORNERS)

/// Finds the least depth, from a simplex that GJK ended with. `steps`, which may be NULL, receives
/// the number of steps.
void kai_epa_depth(const kai_narrow_pair* pair, const kai_gjk_simplex* simplex,
                   kai_narrow_hint* hint, kai_narrow_witness* out, int* steps);

#endif
