// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of shapes as triangles, for programs that draw triangles.
#ifndef VIEW_SURFACE_H
#define VIEW_SURFACE_H

#include "view/catalog.h"

typedef struct kai_surface {
    double* points; // [point_count][3] in the body's own frame
    size_t point_count, point_capacity;
    uint32_t* triangles; // [triangle_count][3]
    size_t triangle_count, triangle_capacity;
    bool failed; // out of memory
} kai_surface;

/// Adds the surface of a shape, without its margin; false for a kind without one (a plane) or that
/// is not known.
bool kai_surface_add(kai_surface* surface, const kai_catalog_shape* shape);

/// Gives the memory back.
void kai_surface_free(kai_surface* surface);

#endif
