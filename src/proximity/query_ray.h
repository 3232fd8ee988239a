// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A ray against one geometry, in the geometry's own frame.
#ifndef PROXIMITY_QUERY_RAY_H
#define PROXIMITY_QUERY_RAY_H

#include "proximity/convex.h"

/// The distance along the ray (its direction has length 1) at which it enters the geometry, at most
/// `limit`; HUGE_VAL: it does not. 0 when it begins inside. *normal is the surface's there, out of
/// it, or against the ray when it begins inside. Margins are part of the geometry; meshes and
/// height fields are surfaces, or sheets as thick as twice their margin, met from either side.
double kai_query_ray_enter(const kai_geometry* geometry, kai_vec3 from, kai_vec3 direction,
                           double limit, kai_vec3* normal);

/// The same by steps that never pass the surface, for convex geometries: the plane between the
/// point and the geometry tells how far the ray may go.
double kai_query_ray_creep(const kai_geometry* geometry, kai_vec3 from, kai_vec3 direction,
                           double limit, kai_vec3* normal);

#endif
