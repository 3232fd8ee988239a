// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Convex hulls of points: polygons, planes and adjacency. Found with Qhull, on points scaled to
// size 1, so that sizes of 1e-9 m and 1e9 m are as good as 1 m.
#ifndef GEOMETRY_HULL_H
#define GEOMETRY_HULL_H

#include "base/error.h"
#include "base/memory.h"

#include <kairos/math.h>

#include <stddef.h>
#include <stdint.h>

/// Facets that differ by less than this share of half the length, or by a thousandth of the
/// thickness, become one face: rounding to float or to six digits in a file is no feature. Vertices
/// lie about that near to the planes of their faces, and on them where the input does.
#define KAI_HULL_NOISE 1e-6

/// Points thinner than this share of their length are flat: they have no hull.
#define KAI_HULL_FLAT 1e-9

/// Coordinates for vector loops come in blocks of this many: all x, all y, all z of a block. The
/// last vertex or face fills up the last block.
#define KAI_HULL_LANES 32

typedef struct kai_hull {
    uint32_t vertex_count;
    uint32_t face_count;
    kai_vec3* vertices;        // [vertex_count] input points, bit for bit, in the order they came
    uint32_t* face_first;      // [face_count + 1] where a face begins in face_vertices
    uint32_t* face_vertices;   // corners of each face, counter-clockwise seen from outside
    kai_vec3* face_normal;     // [face_count] unit, out of the hull
    double* face_offset;       // [face_count] n · x ≤ offset for every vertex
    uint32_t* neighbour_first; // [vertex_count + 1] where a vertex begins in neighbours
    uint32_t* neighbours;      // vertices at the other ends of a vertex's edges
    uint32_t lane_count;       // vertices, rounded up to KAI_HULL_LANES
    uint32_t face_lane_count;  // faces, rounded up
    double* lanes;             // [3 lane_count] vertices from the centre, in blocks
    double* face_lanes;        // [3 face_lane_count] normals of the faces likewise
    kai_vec3 centre;           // of volume
    double inner_radius;       // largest ball around the centre inside
    double outer_radius;       // smallest ball around the centre that holds all
    kai_vec3 low, high;        // the box around it
} kai_hull;

/// Builds the hull of points in any order, inner and repeated ones included. Coplanar facets become
/// one face. KAI_ERROR_ARGUMENT with a message when the points are fewer than four, not finite,
/// coincide, lie on a line or in a plane (thinner than KAI_HULL_FLAT of their length);
/// KAI_ERROR_UNSUPPORTED when Kairos was built without Qhull. On failure *hull is empty.
kai_result kai_hull_build(kai_hull* hull, kai_memory* memory, const kai_vec3* points, size_t count,
                          kai_error* err);

/// Gives the memory back; an empty (zeroed) hull is allowed.
void kai_hull_free(kai_hull* hull, kai_memory* memory);

/// Volume, centre and inertia for density 1, exact for the polyhedron.
kai_mass_properties kai_hull_mass(const kai_hull* hull);

/// The vertex farthest in a direction, by hill climbing from vertex `start`.
uint32_t kai_hull_support(const kai_hull* hull, kai_vec3 direction, uint32_t start);

/// How far a point lies outside, by the planes of the faces: negative inside.
double kai_hull_height(const kai_hull* hull, kai_vec3 point);

#endif
