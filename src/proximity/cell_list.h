// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A cell list: which points with radii are near each other, where all of them are of about one size.
// A grid of cells is searched point by point. Nothing is sorted but the points: 24 bytes a point of
// scratch memory, 4 more where radii differ, and 4 a cell.
//
// Every point gets a *skin box*, a cube around its ball that the ball may move in while the result
// holds: 16 bytes where the boxes of the broad phase take 32. Two points are neighbours if their
// balls can touch while both are inside their skin boxes. Which pairs are found follows from skin
// boxes alone, not from the number of threads.
#ifndef PROXIMITY_CELL_LIST_H
#define PROXIMITY_CELL_LIST_H

#include "base/array.h"
#include "base/simd.h"

#include <kairos/math.h>
#include <math.h>

/// Points with radii, in arrays of the caller's with strides in bytes.
typedef struct kai_cell_list_points {
    const void* position; // kai_vec3, m
    const void* velocity; // kai_vec3, m/s
    const void* radius;   // double, m
    size_t position_stride, velocity_stride;
    size_t radius_stride; // 0: all have the first one's
    size_t count;
    double lead; // s: points are where velocities will have brought them by then
    double step; // s that a step takes, for the size of skin boxes
} kai_cell_list_points;

/// Where a ball may be while a list holds: a cube.
typedef struct kai_cell_list_box {
    float low[3], width; // m, relative to an origin
} kai_cell_list_box;

/// A half space: all that lies below a plane.
typedef struct kai_cell_list_plane {
    kai_vec3 normal; // unit, out of it
    double offset;   // of the plane along the normal, m
} kai_cell_list_plane;

/// Points in cells. The grid has a border of empty cells.
typedef struct kai_cell_list {
    const kai_cell_list_points* points;
    const kai_cell_list_box* boxes; // [count]
    kai_vec3 origin;                // of skin boxes
    const uint32_t* cell;           // [count]
    const uint32_t* start;          // [cells + 1] first place in `order`
    const int32_t* order;           // [count + lanes] points; ascending in a cell
    const float* centre[3];         // [count + lanes] of skin boxes, in that order
    const float* play;              // [count + lanes] how far a centre may be off
    const float* radius;            // [count + lanes] where they differ; NULL: all equal
    size_t row, layer;              // cells a step in y, in z
    float margin;                   // m: what floats may be wrong by
    double skin;                    // of most points, a part of their diameter
} kai_cell_list;

/// Points a block of skin boxes and rows.
#define KAI_CELL_LIST_BLOCK 2048

/// Lays skin boxes around points (`boxes` [count]) and puts them into cells, whose memory is
/// `scratch`: an array of any stride, whose contents are lost. `*done` false: points are too
/// different in size or speed, too far apart, or not finite; skin boxes are of no use then.
kai_result kai_cell_list_make(const kai_cell_list_points* points, kai_memory* memory, int threads,
                              kai_cell_list_box* boxes, kai_array* scratch, kai_cell_list* out,
                              bool* done, kai_error* err);

/// The skin box of a point where it is, with a skin of at least `least` diameters.
kai_cell_list_box kai_cell_list_box_of(const kai_cell_list_points* points, kai_vec3 origin,
                                       size_t i, double least);

/// Whether two balls may touch while skin boxes hold.
bool kai_cell_list_near(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                        size_t a, size_t b);

#define KAI_CELL_LIST_ROW 512 ///< most neighbours of a point

/// Neighbours of point a, in order; all of them, or those of a larger number. Returns how many there
/// are; beyond KAI_CELL_LIST_ROW nothing is written.
size_t kai_cell_list_row(const kai_cell_list* list, size_t a, bool all, uint32_t* out);

/// Which half spaces (at most 64, `stride` bytes apart) balls [begin, end) may touch while skin boxes
/// hold: a bit a half space.
void kai_cell_list_planes(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                          kai_vec3 origin, const void* planes, size_t stride, size_t plane_count,
                          size_t begin, size_t end, uint64_t* out);

/// Number i of an array with a stride in bytes; vectors have three.
KAI_INLINE const double* kai_cell_list_at(const void* base, size_t stride, size_t i)
{
    return (const double*)(const void*)((const char*)base + stride * i);
}

/// Whether points [begin, end) are inside their skin boxes; NaN is not. Strides that are known when
/// this is compiled make it fast.
KAI_INLINE bool kai_cell_list_holds(const kai_cell_list_points* points,
                                    const kai_cell_list_box* boxes, kai_vec3 origin, size_t begin,
                                    size_t end)
{
    const size_t position = points->position_stride, velocity = points->velocity_stride,
                 radius = points->radius_stride;
    const double lead = points->lead, ox = origin.x, oy = origin.y, oz = origin.z;
    const double one = *(const double*)points->radius;
    double out = 0.0;
#pragma omp simd reduction(+ : out)
    for (size_t i = begin; i < end; i++) {
        const double *at = kai_cell_list_at(points->position, position, i),
                     *v = kai_cell_list_at(points->velocity, velocity, i);
        const double x = at[0] + lead * v[0], y = at[1] + lead * v[1], z = at[2] + lead * v[2];
        const double r = radius ? *kai_cell_list_at(points->radius, radius, i) : one,
                     rx = r + fabs(x) * 0x1p-50, ry = r + fabs(y) * 0x1p-50,
                     rz = r + fabs(z) * 0x1p-50;
        const double px = x - ox, py = y - oy, pz = z - oz;
        const double cx = (double)boxes[i].low[0], cy = (double)boxes[i].low[1],
                     cz = (double)boxes[i].low[2], wide = (double)boxes[i].width;
        const double in_x = px - rx >= cx ? 1.0 : 0.0, in_y = py - ry >= cy ? in_x : 0.0,
                     in_z = pz - rz >= cz ? in_y : 0.0, to_x = px + rx <= cx + wide ? in_z : 0.0,
                     to_y = py + ry <= cy + wide ? to_x : 0.0,
                     to_z = pz + rz <= cz + wide ? to_y : 0.0;
        out += 1.0 - to_z;
    }
    return out == 0.0;
}

#endif
