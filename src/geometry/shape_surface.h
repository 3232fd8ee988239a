// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of shapes whose kind is a program's own (kai_shape_kind.surface): a convex hull where
// points are given alone, else triangles. Collision, rays, mass, bounds and pictures come from here.
#ifndef GEOMETRY_SHAPE_SURFACE_H
#define GEOMETRY_SHAPE_SURFACE_H

#include "geometry/hull.h"
#include "geometry/mesh.h"

#include <kairos/shape.h>

/// What is built once for equal shapes.
typedef struct kai_shape_surface_data {
    kai_hull hull; // of the points; of triangles only for their bounds, and empty when flat
    kai_mesh mesh; // no triangles: the hull is the surface
    kai_mass_properties mass; // density 1; zeros of a surface that encloses no volume
    size_t users;             // instances that point here
} kai_shape_surface_data;

/// Bytes behind the parameters of an instance of such a kind, for its kai_shape_surface_data*.
#define KAI_SHAPE_SURFACE_TAIL sizeof(kai_shape_surface_data*)

/// Where an instance keeps it. `kind` is the table in the store, whose instances have that tail.
static inline kai_shape_surface_data** kai_shape_surface_place(const kai_shape_kind* kind,
                                                               const void* instance)
{
    char* end = (char*)(uintptr_t)instance + kind->kind.size;
    return (kai_shape_surface_data**)(void*)(end - KAI_SHAPE_SURFACE_TAIL);
}

/// The surface of an instance, NULL for kinds without one.
static inline const kai_shape_surface_data* kai_shape_surface_of(const kai_shape_kind* kind,
                                                                 const void* instance)
{
    return kind->surface ? *kai_shape_surface_place(kind, instance) : NULL;
}

/// Asks the kind for the surface of an instance and builds it: one user.
kai_result kai_shape_surface_build(const kai_shape_kind* kind, const void* instance,
                                   kai_memory* memory, kai_shape_surface_data** out,
                                   kai_error* err);

/// Takes one user away; the last one gives the memory back. NULL is allowed.
void kai_shape_surface_release(kai_shape_surface_data* data, kai_memory* memory);

/// As kai_shape_kind.bounds.
void kai_shape_surface_bounds(const kai_shape_surface_data* data, const kai_mat33* rotation,
                              kai_vec3* centre, kai_vec3* half);

#endif
