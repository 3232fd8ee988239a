// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces of shapes as triangles, for programs that draw triangles.
#ifndef VIEW_SURFACE_H
#define VIEW_SURFACE_H

#include "base/text.h"
#include "view/catalog.h"

typedef struct kai_surface {
    kai_text points;    // double [3], in the body's own frame
    kai_text triangles; // uint32_t [3]
} kai_surface;

/// How many there are.
static inline size_t kai_surface_points(const kai_surface* surface)
{
    return surface->points.size / sizeof(double[3]);
}
static inline size_t kai_surface_triangles(const kai_surface* surface)
{
    return surface->triangles.size / sizeof(uint32_t[3]);
}

/// Whether memory ran out.
static inline bool kai_surface_failed(const kai_surface* surface)
{
    return surface->points.failed || surface->triangles.failed;
}

/// Adds the surface of a shape, without its margin; false for a kind without one (a plane) or that
/// is not known.
bool kai_surface_add(kai_surface* surface, const kai_catalog_shape* shape);

/// Gives the memory back.
void kai_surface_free(kai_surface* surface);

#endif
