// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Newton's method for the normal of round cores. With the support points a(n) of a and b(-n) of b,
// w = b - a, the gap s(n) = n · w is stationary on the sphere where w is along n. In the tangent
// plane the step solves (H_a + H_b + s) δ = w, H the Hessians of the support functions, whose
// eigenvalues are the radii of curvature.
#ifndef PROXIMITY_NARROW_SMOOTH_H
#define PROXIMITY_NARROW_SMOOTH_H

#include "proximity/narrow_pair.h"

/// Whether a core has parts that are curved.
KAI_INLINE bool kai_narrow_smooth_is_round(const kai_geometry* g)
{
    return g->type == KAI_CONVEX_CYLINDER || g->type == KAI_CONVEX_CONE ||
           g->type == KAI_CONVEX_ELLIPSOID;
}

/// Radius of a ball that rolls inside a core everywhere: 0 for all that have edges.
double kai_narrow_smooth_ball(const kai_geometry* g);

/// Improves a unit normal. True when it ended at a local maximum of s, to rounding; the witness is
/// then complete. False, with *out untouched, at kinks (faces and edges) or when it left the way.
bool kai_narrow_smooth_refine(const kai_narrow_pair* pair, kai_vec3 normal, kai_narrow_hint* hint,
                              kai_narrow_witness* out);

#endif
