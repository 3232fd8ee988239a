// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The part of a core that lies flat against a plane: a corner, an edge or a face. Contacts over an
// area or along a line come from the overlap of two of them.
#ifndef PROXIMITY_NARROW_FEATURE_H
#define PROXIMITY_NARROW_FEATURE_H

#include "proximity/narrow_pair.h"

/// Most corners of a face; faces of hulls with more are thinned out.
#define KAI_NARROW_CORNERS 16

typedef struct kai_narrow_feature {
    int count;       // corners: 1 a corner, 2 an edge, 3 or more a face
    uint32_t id;     // of the corner, edge or face
    kai_vec3 normal; // of a face, out of the core
    kai_vec3 corner[KAI_NARROW_CORNERS];
    uint32_t name[KAI_NARROW_CORNERS]; // ids of the corners
    // What was found out about a hull, for another lean.
    double facing;      // cosine of the face that is most level
    uint32_t face, top; // that face, and the farthest vertex (UINT32_MAX: not looked for)
} kai_narrow_feature;

/// How far a feature may lean away from the plane: cosine for faces, sine for edges.
typedef struct kai_narrow_lean {
    double face, edge;
} kai_narrow_lean;

/// The feature of a core that supports it in the unit direction n; all in the core's frame.
void kai_narrow_feature_find(const kai_geometry* g, kai_vec3 n, kai_narrow_lean lean,
                             kai_narrow_feature* out);

/// The same once more, with another lean: *out is what the call before it has left.
void kai_narrow_feature_again(const kai_geometry* g, kai_vec3 n, kai_narrow_lean lean,
                              kai_narrow_feature* out);

/// Radius of curvature of a core (margin not counted) where its outward normal is n and its point
/// x, on a feature of `count` corners: the smaller principal one. HUGE_VAL flat, 0 sharp.
double kai_narrow_feature_radius(const kai_geometry* g, int count, kai_vec3 n, kai_vec3 x);

#endif
