// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Triangles of shapes that numbers alone do not describe: hulls, meshes, height fields. Shapes that
// share what was built for them share their triangles.
#ifndef RECORD_TRAJECTORY_SURFACES_H
#define RECORD_TRAJECTORY_SURFACES_H

#include "base/array.h"
#include "base/store.h"
#include "record/h5.h"

/// The surface of one shape: rows of the two datasets; no rows: its numbers describe it.
typedef struct kai_trajectory_surface {
    uint32_t first_vertex, vertex_count, first_triangle, triangle_count;
} kai_trajectory_surface;

typedef struct kai_trajectory_surfaces {
    kai_memory memory;
    kai_array vertices;  // float [3]
    kai_array triangles; // uint32_t [3], counted from the shape's first vertex
    const void* last;    // what the newest surface was made of
    kai_trajectory_surface newest;
} kai_trajectory_surfaces;

/// Starts an empty set.
void kai_trajectory_surfaces_init(kai_trajectory_surfaces* set);

/// Adds the surface of instance i of a batch of shapes.
kai_result kai_trajectory_surfaces_add(kai_trajectory_surfaces* set, const kai_store_batch* batch,
                                       size_t i, kai_trajectory_surface* out, kai_error* err);

/// Writes `surface_vertices` and `surface_triangles`.
kai_result kai_trajectory_surfaces_write(const kai_trajectory_surfaces* set, hid_t group,
                                         kai_error* err);

/// Bytes that the surfaces of a batch take, at most.
uint64_t kai_trajectory_surfaces_size(const kai_store_batch* batch);

/// Gives the memory back.
void kai_trajectory_surfaces_free(kai_trajectory_surfaces* set);

#endif
