// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the narrow phase works on: a core in a frame of its own, swept by a ball of radius `margin`.
// A sphere is a point with a margin, a capsule a segment with one; any other core with a margin is
// its rounded variant. Margins are exact: the distance to the core less the margin.
#ifndef PROXIMITY_CONVEX_H
#define PROXIMITY_CONVEX_H

#include <kairos/math.h>

struct kai_hull;
struct kai_mesh;
struct kai_heightfield;

/// Types of cores. Those before KAI_CONVEX_COUNT are convex and bounded, the others are not.
typedef enum kai_convex_type {
    KAI_CONVEX_POINT,     ///< the origin of the frame
    KAI_CONVEX_SEGMENT,   ///< along z from -size.z to size.z
    KAI_CONVEX_BOX,       ///< half extents size
    KAI_CONVEX_CYLINDER,  ///< axis z, radius size.x, half length size.z
    KAI_CONVEX_CONE,      ///< axis z, base of radius size.x at z = -size.z, tip at z = size.z
    KAI_CONVEX_ELLIPSOID, ///< semi-axes size
    KAI_CONVEX_TRIANGLE,  ///< the three points triangle[0 … 2], any of them may be equal
    KAI_CONVEX_HULL,      ///< hull
    KAI_CONVEX_COUNT,

    KAI_GEOMETRY_PLANE = KAI_CONVEX_COUNT, ///< the half space size · x <= 0; size has length 1
    KAI_GEOMETRY_MESH,                     ///< mesh
    KAI_GEOMETRY_HEIGHTFIELD,              ///< field
    KAI_GEOMETRY_COUNT
} kai_convex_type;

/// A shape as the narrow phase sees it; owns nothing.
typedef struct kai_geometry {
    kai_convex_type type;
    double margin; ///< radius swept over the core, m; 0 for most
    kai_vec3 size; ///< m; what it holds depends on the type
    union {
        const struct kai_hull* hull;
        const struct kai_mesh* mesh;
        const struct kai_heightfield* field;
        const kai_vec3* triangle; ///< [3]
    };
} kai_geometry;

#endif
