// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Triangle meshes: welded vertices, adjacency, convex edges, a tree of boxes.
//
// The tree is a flat array, depth first: the left child of an inner node is the next one, the right
// child is `first`. Leaves hold triangles [first, first + count), so triangles are in the tree's
// order, not in the file's. Boxes are floats about `origin`, rounded outwards. Queries only read.
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/triangle.h"

#include <kairos/math.h>

#include <stddef.h>
#include <stdint.h>

struct kai_ray_packet;

/// No neighbour, no triangle.
#define KAI_MESH_NONE UINT32_MAX

/// Most levels of the tree: room for a stack of nodes that wait.
#define KAI_MESH_LEVELS 96

/// Bits of edge_flags: edge 0 is convex or open, so that it may carry contact (edges 1 and 2
/// follow); corner 0 is the first one of its vertex in the order of triangles (corners 1 and 2
/// follow).
#define KAI_MESH_CONVEX_EDGE 1u
#define KAI_MESH_OWN_CORNER  8u

/// A box of the tree: 32 bytes.
typedef struct kai_mesh_node {
    float low[3], high[3]; // about the mesh's origin
    uint32_t first;        // leaf: first triangle; else: right child
    uint32_t count;        // leaf: triangles; else 0
} kai_mesh_node;

/// What was found on the way. Triangles are numbered as they came, from 0.
typedef struct kai_mesh_report {
    uint32_t welded;     // vertices that became one with an earlier one
    uint32_t degenerate; // triangles without area, removed
    uint32_t flipped;    // of these: thin ones whose long side was handed to its neighbour
    uint32_t open;       // edges with one triangle
    uint32_t crowded;    // edges with more than two
    uint32_t opposed;    // edges whose two triangles do not agree which side is out
    uint32_t triangle;   // the first triangle with such an edge, KAI_MESH_NONE: none
    kai_vec3 edge[2];    // the ends of that edge
    double volume;       // enclosed; negative when all triangles face inwards
    double area;         // of all triangles
} kai_mesh_report;

typedef struct kai_mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t node_count;
    bool closed;               // watertight, and all triangles agree which side is out
    kai_vec3* vertices;        // [vertex_count]
    uint32_t (*triangles)[3];  // [triangle_count] counter-clockwise seen from outside
    uint32_t (*neighbours)[3]; // [triangle_count] across edge k, from corner k to k + 1
    uint8_t* edge_flags;  // [triangle_count] KAI_MESH_CONVEX_EDGE << k, KAI_MESH_OWN_CORNER << k
    kai_mesh_node* nodes; // [node_count]
    kai_vec3 origin;      // of the tree's boxes: the middle of the mesh
    kai_vec3 low, high;   // the box around it
    kai_mesh_report report;
} kai_mesh;

/// Builds a mesh from points and triangles. Points nearer than `weld` (m; 0: only equal ones)
/// become one. Triangles without area are removed. KAI_ERROR_ARGUMENT when a point is not finite,
/// an index is out of range or no triangle is left. On failure *mesh is empty.
kai_result kai_mesh_build(kai_mesh* mesh, kai_memory* memory, const kai_vec3* points,
                          size_t point_count, const uint32_t (*triangles)[3], size_t triangle_count,
                          double weld, kai_error* err);

/// Gives the memory back; an empty (zeroed) mesh is allowed.
void kai_mesh_free(kai_mesh* mesh, kai_memory* memory);

/// KAI_OK when the mesh bounds a volume: watertight, one orientation, positive. Otherwise
/// KAI_ERROR_ARGUMENT and a message with the first triangle and edge that is wrong.
kai_result kai_mesh_check_solid(const kai_mesh* mesh, kai_error* err);

/// Volume, centre and inertia for density 1, exact for the polyhedron; for solid meshes.
kai_mass_properties kai_mesh_mass(const kai_mesh* mesh);

/// The three corners of a triangle.
static inline void kai_mesh_corners(const kai_mesh* mesh, uint32_t triangle, kai_vec3 out[3])
{
    for (int k = 0; k < 3; k++) out[k] = mesh->vertices[mesh->triangles[triangle][k]];
}

/// The normal of a triangle, of length 1.
static inline kai_vec3 kai_mesh_normal(const kai_mesh* mesh, uint32_t triangle)
{
    kai_vec3 c[3];
    kai_mesh_corners(mesh, triangle, c);
    return kai_triangle_normal(c);
}

/// Called with each triangle that may touch a box.
typedef void kai_mesh_visit_fn(uint32_t triangle, void* context);

/// Calls fn for each triangle whose own box meets [low, high], in the tree's order.
void kai_mesh_visit(const kai_mesh* mesh, kai_vec3 low, kai_vec3 high, kai_mesh_visit_fn* fn,
                    void* context);

/// What a ray hits first.
typedef struct kai_mesh_hit {
    double distance;   // in lengths of the direction; HUGE_VAL: nothing
    uint32_t triangle; // KAI_MESH_NONE: nothing
    double u, v;       // the point is (1 - u - v) a + u b + v c
} kai_mesh_hit;

/// The first triangle, from either side, on origin + t direction with 0 ≤ t ≤ limit. No ray slips
/// through an edge between two triangles. Of triangles at the same distance, the lowest number.
kai_mesh_hit kai_mesh_ray(const kai_mesh* mesh, kai_vec3 origin, kai_vec3 direction, double limit);

/// The first triangle, from either side, that each ray of a packet (geometry/ray_packet.h) meets
/// before what it has met so far, with the same numbers.
void kai_mesh_rays(const kai_mesh* mesh, struct kai_ray_packet* rays);

/// Called with a triangle that may matter; may shrink *limit.
typedef void kai_mesh_ray_fn(uint32_t triangle, double* limit, void* context);

/// Calls fn for triangles in boxes that the ray comes within `margin` of, 0 ≤ t ≤ limit, in the
/// tree's order. The direction has length 1.
void kai_mesh_ray_visit(const kai_mesh* mesh, kai_vec3 origin, kai_vec3 direction, double margin,
                        double limit, kai_mesh_ray_fn* fn, void* context);

/// The triangle nearest to a point, KAI_MESH_NONE: none nearer than `limit`; how near, and where.
uint32_t kai_mesh_nearest_triangle(const kai_mesh* mesh, kai_vec3 point, double limit,
                                   double* distance, kai_vec3* nearest);

/// The distance from a point to the nearest triangle, at most `limit`; that point, when not NULL.
double kai_mesh_nearest(const kai_mesh* mesh, kai_vec3 point, double limit, kai_vec3* nearest);

#endif
