// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The box around a geometry.
#ifndef PROXIMITY_BROAD_BOUNDS_H
#define PROXIMITY_BROAD_BOUNDS_H

#include "proximity/convex.h"

/// The smallest box along the world's axes around a geometry in a frame; for meshes and height
/// fields the box around their own box. A height field reaches down by half its width, so that what
/// has sunk into the ground is still found. Unbounded: -HUGE_VAL to HUGE_VAL.
void kai_broad_bounds(const kai_geometry* geometry, const kai_frame* frame, kai_vec3* low,
                      kai_vec3* high);

/// The radius of a ball about the frame's origin that holds the geometry; HUGE_VAL: unbounded.
double kai_broad_bounds_radius(const kai_geometry* geometry);

#endif
