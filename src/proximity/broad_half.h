// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Half spaces in the broad phase: what a plane, an unbounded box, keeps free. A plane meets the
// boxes that reach into its half space, not every box there is.
//
// Reuse stays a test of containment. No half space holds a turned one, but pairs are only of boxes
// inside one region, the bounds of all grown boxes. A half space n · x ≤ d may stand for a later
// one, n' · x ≤ d', while all of the later one inside the region is in it: when
//
//     d' + max over the region of (n - n') · x  ≤  d.
#ifndef PROXIMITY_BROAD_HALF_H
#define PROXIMITY_BROAD_HALF_H

#include "base/simd.h"

#include <kairos/math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The points x with normal · x <= offset, relative to the origin of boxes; with a normal of zero
/// and an offset >= 0, all points.
typedef struct kai_broad_half {
    kai_vec3 normal; // unit or zero
    double offset;   // m
    double travel;   // how far its surface may move in one step near the origin, m; 0: unknown
    uint32_t item;
} kai_broad_half;

/// The half space of an unbounded item, relative to an origin, rounded outwards; `item` is set by
/// the caller. An item that fills all space gives KAI_BROAD_HALF_ALL.
typedef kai_broad_half kai_broad_half_fn(size_t item, kai_vec3 origin, void* context);

#define KAI_BROAD_HALF_ALL ((kai_broad_half){.offset = 0.0})

/// Bounds of what half spaces are asked about; low > high where there is nothing.
typedef struct kai_broad_region {
    double low[3], high[3];
} kai_broad_region;

/// The least of normal · x over a box. The half space reaches the box when this is <= offset.
KAI_INLINE double kai_broad_half_least(kai_vec3 n, const float* low, const float* high)
{
    return n.x * (double)(n.x > 0.0 ? low[0] : high[0]) +
           n.y * (double)(n.y > 0.0 ? low[1] : high[1]) +
           n.z * (double)(n.z > 0.0 ? low[2] : high[2]);
}

/// Whether a half space is a number.
bool kai_broad_half_is_finite(const kai_broad_half* half);

/// Moves the surface outwards by a skin, and by what kai_broad_half_least may lose to rounding
/// anywhere in the region.
void kai_broad_half_grow(kai_broad_half* half, const kai_broad_region* region, double skin);

/// Whether `grown` holds `half` inside the region. False where one is not a number.
bool kai_broad_half_holds(const kai_broad_half* grown, const kai_broad_half* half,
                          const kai_broad_region* region);

#endif
