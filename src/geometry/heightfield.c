// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/heightfield.h"

#include "geometry/ray_packet.h"
#include "geometry/triangle.h"

#include <string.h>

// Edges that turn less than this, in radians, are flat.
static const double FLAT = 1e-6;

// The bounds of a block from the heights, or from the blocks below.
static kai_heightfield_bounds bounds_of(const kai_heightfield* f, int level, uint32_t row,
                                        uint32_t column)
{
    const uint32_t across = f->columns - 1, up = f->rows - 1;
    kai_heightfield_bounds sum = {INFINITY, -INFINITY};
    if (level == 1) {
        for (uint32_t r = 2 * row; r <= 2 * row + 2 && r <= up; r++)
            for (uint32_t c = 2 * column; c <= 2 * column + 2 && c <= across; c++) {
                const float z = (float)f->heights[(size_t)r * f->columns + c];
                sum.low = fminf(sum.low, z);
                sum.high = fmaxf(sum.high, z);
            }
        return sum;
    }
    const uint32_t wide = kai_heightfield_blocks(across, level - 1),
                   high = kai_heightfield_blocks(up, level - 1);
    for (uint32_t r = 2 * row; r < 2 * row + 2 && r < high; r++)
        for (uint32_t c = 2 * column; c < 2 * column + 2 && c < wide; c++) {
            const kai_heightfield_bounds* b =
                &f->bounds[f->first[level - 2] + (size_t)r * wide + c];
            sum.low = fminf(sum.low, b->low);
            sum.high = fmaxf(sum.high, b->high);
        }
    return sum;
}

// All levels of blocks.
static bool make_bounds(kai_heightfield* f, kai_memory* memory)
{
    const uint32_t across = f->columns - 1, up = f->rows - 1;
    int level = 0;
    do {
        level++;
        f->first[level - 1] = f->bound_count;
        f->bound_count +=
            (size_t)kai_heightfield_blocks(across, level) * kai_heightfield_blocks(up, level);
    } while (kai_heightfield_blocks(across, level) > 1 || kai_heightfield_blocks(up, level) > 1);
    f->level_count = level;
    f->bounds = kai_memory_allocate(memory, f->bound_count * sizeof *f->bounds);
    if (!f->bounds) return false;
    for (level = 1; level <= f->level_count; level++) {
        const uint32_t wide = kai_heightfield_blocks(across, level);
        for (uint32_t r = 0; r < kai_heightfield_blocks(up, level); r++)
            for (uint32_t c = 0; c < wide; c++)
                f->bounds[f->first[level - 1] + (size_t)r * wide + c] = bounds_of(f, level, r, c);
    }
    return true;
}

kai_result kai_heightfield_build(kai_heightfield* field, kai_memory* memory, const double* heights,
                                 uint32_t columns, uint32_t rows, double spacing_x,
                                 double spacing_y, kai_error* err)
{
    *field = (kai_heightfield){0};
    if (columns < 2 || rows < 2 || (uint64_t)columns * rows > UINT32_MAX / 4)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "heightfield: %u rows of %u heights; must be 2 by 2 at least, and "
                             "2^30 heights at most",
                             rows, columns);
    const double least = fmin(spacing_x, spacing_y), most = fmax(spacing_x, spacing_y);
    if (!(least >= 1e-30 && most <= 1e30))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "heightfield: spacing is %g m by %g m; must be > 0 and finite",
                             spacing_x, spacing_y);
    const size_t count = (size_t)columns * rows;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(heights[i]) <= 1e30))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "heightfield: height in row %zu, column %zu is %g m; must be "
                                 "finite and below 1e30",
                                 i / columns, i % columns, heights[i]);
        low = fmin(low, heights[i]);
        high = fmax(high, heights[i]);
    }
    field->heights = kai_memory_allocate(memory, count * sizeof(double));
    if (!field->heights) return kai_error_set(err, KAI_ERROR_MEMORY, "heightfield: out of memory");
    memcpy(field->heights, heights, count * sizeof(double));
    field->columns = columns;
    field->rows = rows;
    field->spacing_x = spacing_x;
    field->spacing_y = spacing_y;
    const kai_vec3 corner = kai_heightfield_point(field, rows - 1, columns - 1);
    field->low = kai_vec3_make(-corner.x, -corner.y, low);
    field->high = kai_vec3_make(corner.x, corner.y, high);
    if (make_bounds(field, memory)) return KAI_OK;
    kai_heightfield_free(field, memory);
    return kai_error_set(err, KAI_ERROR_MEMORY, "heightfield: out of memory");
}

void kai_heightfield_free(kai_heightfield* field, kai_memory* memory)
{
    kai_memory_release(memory, field->heights,
                       (size_t)field->columns * field->rows * sizeof(double));
    if (field->bounds)
        kai_memory_release(memory, field->bounds, field->bound_count * sizeof *field->bounds);
    *field = (kai_heightfield){0};
}

// Triangles --------------------------------------------------------------------------------------

void kai_heightfield_triangle(const kai_heightfield* field, uint32_t triangle, kai_vec3 out[3])
{
    const uint32_t cell = triangle / 2, row = cell / (field->columns - 1),
                   column = cell % (field->columns - 1);
    out[0] = kai_heightfield_point(field, row, column);
    if (triangle % 2 == 0) {
        out[1] = kai_heightfield_point(field, row, column + 1);
        out[2] = kai_heightfield_point(field, row + 1, column + 1);
    } else {
        out[1] = kai_heightfield_point(field, row + 1, column + 1);
        out[2] = kai_heightfield_point(field, row + 1, column);
    }
}

void kai_heightfield_neighbours(const kai_heightfield* field, uint32_t triangle, uint32_t out[3])
{
    const uint32_t across = field->columns - 1, cell = triangle / 2, row = cell / across,
                   column = cell % across;
    if (triangle % 2 == 0) {
        out[0] = row > 0 ? 2 * (cell - across) + 1 : UINT32_MAX;
        out[1] = column + 1 < across ? 2 * (cell + 1) + 1 : UINT32_MAX;
        out[2] = triangle + 1;
    } else {
        out[0] = triangle - 1;
        out[1] = row + 2 < field->rows ? 2 * (cell + across) : UINT32_MAX;
        out[2] = column > 0 ? 2 * (cell - 1) : UINT32_MAX;
    }
}

uint8_t kai_heightfield_edge_flags(const kai_heightfield* field, uint32_t triangle)
{
    uint32_t others[3];
    kai_vec3 c[3], d[3];
    uint8_t flags = 0;
    kai_heightfield_neighbours(field, triangle, others);
    kai_heightfield_triangle(field, triangle, c);
    const kai_vec3 n = kai_triangle_normal(c);
    for (int k = 0; k < 3; k++) {
        bool convex = others[k] == UINT32_MAX;
        if (!convex) {
            kai_heightfield_triangle(field, others[k], d);
            const kai_vec3 along = kai_vec3_normalize(kai_vec3_sub(c[(k + 1) % 3], c[k]));
            convex = kai_vec3_dot(kai_vec3_cross(n, kai_triangle_normal(d)), along) > FLAT;
        }
        flags |= (uint8_t)(convex << k);
    }
    return flags;
}

// Queries ----------------------------------------------------------------------------------------

// The first and last cell of [low, high] along an axis with `cells` cells; false: none.
static bool cell_range(double low, double high, double spacing, uint32_t cells, uint32_t* first,
                       uint32_t* last)
{
    const double half = 0.5 * (double)cells;
    const double from = floor(low / spacing + half - 1e-9);
    const double to = floor(high / spacing + half + 1e-9);
    if (!(from < (double)cells && to >= 0.0 && from <= to)) return false;
    *first = from > 0.0 ? (uint32_t)from : 0;
    *last = to < (double)(cells - 1) ? (uint32_t)to : cells - 1;
    return true;
}

void kai_heightfield_visit(const kai_heightfield* field, kai_vec3 low, kai_vec3 high, bool below,
                           kai_heightfield_visit_fn* fn, void* context)
{
    uint32_t x0, x1, y0, y1;
    if (field->columns < 2 || low.z > field->high.z || (!below && high.z < field->low.z)) return;
    if (!cell_range(low.x, high.x, field->spacing_x, field->columns - 1, &x0, &x1)) return;
    if (!cell_range(low.y, high.y, field->spacing_y, field->rows - 1, &y0, &y1)) return;
    if (below) high.z = HUGE_VAL;
    for (uint32_t row = y0; row <= y1; row++)
        for (uint32_t column = x0; column <= x1; column++)
            for (uint32_t half = 0; half < 2; half++) {
                const uint32_t t = 2 * (row * (field->columns - 1) + column) + half;
                kai_vec3 c[3];
                kai_heightfield_triangle(field, t, c);
                if (kai_triangle_box_meets(c, low, high)) fn(t, c, context);
            }
}

double kai_heightfield_height(const kai_heightfield* field, double x, double y)
{
    if (field->columns < 2) return (double)NAN;
    const double u = x / field->spacing_x + 0.5 * (double)(field->columns - 1);
    const double v = y / field->spacing_y + 0.5 * (double)(field->rows - 1);
    if (!(u >= 0.0 && v >= 0.0 && u <= (double)(field->columns - 1) &&
          v <= (double)(field->rows - 1)))
        return (double)NAN;
    const uint32_t column = u < (double)(field->columns - 2) ? (uint32_t)u : field->columns - 2;
    const uint32_t row = v < (double)(field->rows - 2) ? (uint32_t)v : field->rows - 2;
    const double a = u - (double)column, b = v - (double)row;
    const double* h = field->heights + (size_t)row * field->columns + column;
    const double* next = h + field->columns;
    return a >= b ? h[0] + a * (h[1] - h[0]) + b * (next[1] - h[1])
                  : h[0] + b * (next[0] - h[0]) + a * (next[1] - next[0]);
}

// Rays --------------------------------------------------------------------------------------------

kai_heightfield_hit kai_heightfield_ray(const kai_heightfield* field, kai_vec3 origin,
                                        kai_vec3 direction, double limit)
{
    kai_ray_packet p;
    const double length = kai_ray_packet_one(&p, origin, direction, limit);
    if (length > 0.0) kai_heightfield_rays(field, &p);
    return p.distance[0] < HUGE_VAL
               ? (kai_heightfield_hit){p.distance[0] / length, (uint32_t)p.triangle[0]}
               : (kai_heightfield_hit){HUGE_VAL, UINT32_MAX};
}
