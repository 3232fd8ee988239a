// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Height fields: ground given by heights on a regular grid, solid below.
//
//     y ^   row 1  +-----+       Columns go along x, rows along y, both from the middle of the
//       |          |1  / |       grid: its centre is the frame's origin. Cell (row, column) has its
//       |          | /  0|       corner of lowest x and y at that point of the grid, and two
//       |   row 0  +-----+       triangles, cut along the diagonal to the opposite corner:
//       +------> x               triangle 2 cell below it, 2 cell + 1 above it.
#ifndef GEOMETRY_HEIGHTFIELD_H
#define GEOMETRY_HEIGHTFIELD_H

#include "base/error.h"
#include "base/memory.h"

#include <kairos/math.h>

#include <stddef.h>
#include <stdint.h>

struct kai_ray_packet;

/// Most levels of blocks of cells.
#define KAI_HEIGHTFIELD_LEVELS 31

/// The lowest and the highest height of a block of cells, rounded to float.
typedef struct kai_heightfield_bounds {
    float low, high;
} kai_heightfield_bounds;

typedef struct kai_heightfield {
    uint32_t columns, rows; // points along x and along y, at least 2
    double spacing_x, spacing_y;
    double* heights;    // [rows * columns], row by row, the lowest y first
    kai_vec3 low, high; // the box around the surface
    // For rays: level 1 is blocks of 2 × 2 cells, level 2 of 4 × 4, up to one block; 2.7 bytes per
    // height.
    int level_count;                      // levels above the cells
    size_t first[KAI_HEIGHTFIELD_LEVELS]; // place of level i + 1 in `bounds`
    size_t bound_count;
    kai_heightfield_bounds* bounds; // [bound_count], level by level, row by row
} kai_heightfield;

/// How many blocks of a level stand side by side along `cells` cells.
static inline uint32_t kai_heightfield_blocks(uint32_t cells, int level)
{
    return ((cells - 1) >> level) + 1;
}

/// Copies the heights. KAI_ERROR_ARGUMENT when there are fewer than 2 × 2, a spacing is not > 0, or
/// a height is not finite.
kai_result kai_heightfield_build(kai_heightfield* field, kai_memory* memory, const double* heights,
                                 uint32_t columns, uint32_t rows, double spacing_x,
                                 double spacing_y, kai_error* err);

/// Gives the memory back; an empty (zeroed) field is allowed.
void kai_heightfield_free(kai_heightfield* field, kai_memory* memory);

/// How many triangles there are.
static inline uint32_t kai_heightfield_triangle_count(const kai_heightfield* field)
{
    return field->columns < 2 ? 0 : 2 * (field->columns - 1) * (field->rows - 1);
}

/// The point of the grid in a row and column.
static inline kai_vec3 kai_heightfield_point(const kai_heightfield* field, uint32_t row,
                                             uint32_t column)
{
    return kai_vec3_make(((double)column - 0.5 * (double)(field->columns - 1)) * field->spacing_x,
                         ((double)row - 0.5 * (double)(field->rows - 1)) * field->spacing_y,
                         field->heights[(size_t)row * field->columns + column]);
}

/// The corners of a triangle, counter-clockwise seen from above.
void kai_heightfield_triangle(const kai_heightfield* field, uint32_t triangle, kai_vec3 out[3]);

/// The triangles across its edges, from corner k to k + 1; UINT32_MAX: the border.
void kai_heightfield_neighbours(const kai_heightfield* field, uint32_t triangle, uint32_t out[3]);

/// Bit k when edge k is convex, or on the border: may carry contact.
uint8_t kai_heightfield_edge_flags(const kai_heightfield* field, uint32_t triangle);

/// Called with each triangle that may touch a box, and its corners.
typedef void kai_heightfield_visit_fn(uint32_t triangle, const kai_vec3 corners[3], void* context);

/// Calls fn for each triangle whose own box meets [low, high], rows upwards, columns inside. With
/// `below`, also where the box lies wholly under the triangle: in the solid.
void kai_heightfield_visit(const kai_heightfield* field, kai_vec3 low, kai_vec3 high, bool below,
                           kai_heightfield_visit_fn* fn, void* context);

/// What a ray hits first.
typedef struct kai_heightfield_hit {
    double distance;   // in lengths of the direction; HUGE_VAL: nothing
    uint32_t triangle; // UINT32_MAX: nothing
} kai_heightfield_hit;

/// The first triangle, from either side, that each ray of a packet (geometry/ray_packet.h) meets
/// before what it has met so far. No ray slips through an edge between two triangles.
void kai_heightfield_rays(const kai_heightfield* field, struct kai_ray_packet* rays);

/// The same for one ray: on origin + t direction with 0 ≤ t ≤ limit.
kai_heightfield_hit kai_heightfield_ray(const kai_heightfield* field, kai_vec3 origin,
                                        kai_vec3 direction, double limit);

/// The height at x, y; NaN outside the grid.
double kai_heightfield_height(const kai_heightfield* field, double x, double y);

#endif
