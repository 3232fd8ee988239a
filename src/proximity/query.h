// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Questions to a pipeline at the present poses: what a ray hits, what is nearest to a
// point, what a probe overlaps. Many at once, on threads; answers do not depend on their number.
#ifndef PROXIMITY_QUERY_H
#define PROXIMITY_QUERY_H

#include "proximity/broad_tree.h"
#include "proximity/proximity.h"

/// No item; no owner.
#define KAI_QUERY_NONE UINT32_MAX

typedef struct kai_query {
    kai_broad_tree tree;
    unsigned age; // updates since boxes were put in order
} kai_query;

/// A ray.
typedef struct kai_query_ray {
    kai_vec3 from, direction; // the direction has length 1
    double length;            // how far to look, m; HUGE_VAL: any distance
    uint32_t ignore;          // owner that is not seen, without KAI_BROAD_FIXED; KAI_QUERY_NONE
    uint16_t mask;            // families that are seen
} kai_query_ray;

/// What was found.
typedef struct kai_query_hit {
    uint32_t item;   // KAI_QUERY_NONE: nothing
    double distance; // m; of a point inside a solid: negative
    kai_vec3 point;  // on the surface
    kai_vec3 normal; // unit, out of the surface
} kai_query_hit;

/// A place to look from: the nearest surface.
typedef struct kai_query_point {
    kai_vec3 at;
    double limit;    // farthest distance that counts, m
    uint32_t ignore; // as kai_query_ray
    uint16_t mask;
} kai_query_point;

/// A geometry that is in no list: what touches it.
typedef struct kai_query_probe {
    const kai_geometry* geometry;
    kai_frame frame;
    double reach;                 // items within this distance count, m
    uint32_t ignore, also_ignore; // as kai_query_ray
    uint16_t mask;
} kai_query_probe;

/// No tree yet; allocates nothing.
void kai_query_init(kai_query* query, kai_memory* memory);
void kai_query_free(kai_query* query);

/// Brings the tree up to date with the poses, which the pipeline takes as its own; `changed`: the
/// items are others.
kai_result kai_query_update(kai_query* query, kai_proximity* proximity, int threads,
                            const kai_proximity_poses* poses, bool changed, kai_error* err);

/// The first item that each ray meets; of several at the same distance the one with the lowest
/// number. A ray that begins inside a solid meets it at distance 0, with the normal against the
/// ray; meshes and height fields are surfaces, met from either side.
void kai_query_rays(const kai_query* query, const kai_proximity* proximity, int threads,
                    const kai_query_ray* rays, size_t count, kai_query_hit* hits);

/// The nearest surface to each point.
void kai_query_nearest(const kai_query* query, const kai_proximity* proximity, int threads,
                       const kai_query_point* points, size_t count, kai_query_hit* hits);

/// The items that a probe touches, by number. Returns how many; only the first `capacity` are
/// written to `items`.
size_t kai_query_overlap(const kai_query* query, const kai_proximity* proximity,
                         const kai_query_probe* probe, uint32_t* items, size_t capacity);

#endif
