// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where two shapes touch, or nearly do.
#ifndef PROXIMITY_MANIFOLD_H
#define PROXIMITY_MANIFOLD_H

#include <kairos/math.h>
#include <stdint.h>

/// Most contacts of one pair of shapes.
#define KAI_MANIFOLD_MOST 8

/// One contact, in world coordinates.
typedef struct kai_contact {
    kai_vec3 point_a; ///< on the surface of a, m
    kai_vec3 point_b; ///< on the surface of b, m
    kai_vec3 normal;  ///< unit, from a to b
    double gap;       ///< (point_b - point_a) · normal, m; negative when they overlap
    double radius_a;  ///< radius of curvature of a at the point, m; HUGE_VAL flat, 0 sharp
    double radius_b;  ///< of b
    uint32_t feature; ///< persistent id inside the pair
    uint32_t rim;     ///< not 0 at the rim of both, where another normal may do as well
} kai_contact;

/// All contacts of one pair. The first one is the deepest.
typedef struct kai_manifold {
    int count;
    kai_contact contacts[KAI_MANIFOLD_MOST];
} kai_manifold;

#endif
