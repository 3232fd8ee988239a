// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A tree of four children a block, down to the two triangles of a cell. Bytes: 8 a block, 32 a cell.
#include "geometry/heightfield.h"
#include "geometry/ray_packet.h"

typedef struct block {
    float near; // where the first ray enters it
    int level;  // 0: a cell
    uint32_t row, column;
} block;

/// A packet on its way down.
typedef struct walk {
    const kai_heightfield* field;
    kai_ray_packet* rays;
    kai_ray_shear shear;
    kai_ray_boxes boxes;
    float farthest; // how far some ray still looks
    uint32_t across, up;
} walk;

// Two heights of a cell, the lower and the higher.
KAI_INLINE kai_heightfield_bounds pair(double a, double b)
{
    return a < b ? (kai_heightfield_bounds){(float)a, (float)b}
                 : (kai_heightfield_bounds){(float)b, (float)a};
}

KAI_INLINE kai_heightfield_bounds bounds_of(const walk* w, int level, uint32_t row, uint32_t column)
{
    const kai_heightfield* f = w->field;
    if (level > 0)
        return f->bounds[f->first[level - 1] +
                         (size_t)row * kai_heightfield_blocks(w->across, level) + column];
    const double* z = f->heights + (size_t)row * f->columns + column;
    const kai_heightfield_bounds a = pair(z[0], z[1]), b = pair(z[f->columns], z[f->columns + 1]);
    return (kai_heightfield_bounds){a.low < b.low ? a.low : b.low,
                                    a.high > b.high ? a.high : b.high};
}

// Where the first ray enters a block; INFINITY: none does.
KAI_INLINE float meet(const walk* w, int level, uint32_t row, uint32_t column)
{
    const kai_heightfield* f = w->field;
    const kai_heightfield_bounds z = bounds_of(w, level, row, column);
    const uint32_t right = (column + 1) << level, top = (row + 1) << level;
    const double half_x = 0.5 * (double)w->across, half_y = 0.5 * (double)w->up;
    const float low[3] = {(float)(((double)(column << level) - half_x) * f->spacing_x),
                          (float)(((double)(row << level) - half_y) * f->spacing_y), z.low};
    const float high[3] = {(float)(((double)right - half_x) * f->spacing_x),
                           (float)(((double)top - half_y) * f->spacing_y), z.high};
    return kai_ray_boxes_meet(&w->boxes, low, high);
}

KAI_INLINE void try_cell(walk* w, uint32_t row, uint32_t column)
{
    const kai_heightfield* f = w->field;
    const kai_vec3 a = kai_heightfield_point(f, row, column),
                   b = kai_heightfield_point(f, row, column + 1),
                   c = kai_heightfield_point(f, row + 1, column + 1),
                   d = kai_heightfield_point(f, row + 1, column);
    const uint64_t triangle = 2 * ((uint64_t)row * w->across + column);
    bool nearer = kai_ray_shear_try(&w->shear, w->rays, triangle, (kai_vec3[]){a, b, c});
    nearer |= kai_ray_shear_try(&w->shear, w->rays, triangle + 1, (kai_vec3[]){a, c, d});
    if (nearer) w->farthest = kai_ray_boxes_shrink(&w->boxes, w->rays->distance);
}

// Puts the blocks inside a block on the stack, the nearest last.
KAI_INLINE int push_children(const walk* w, const block* b, block* stack, int count)
{
    const int level = b->level - 1, bottom = count;
    const uint32_t wide = kai_heightfield_blocks(w->across, level),
                   high = kai_heightfield_blocks(w->up, level);
    for (uint32_t row = 2 * b->row; row < 2 * b->row + 2 && row < high; row++) {
        for (uint32_t column = 2 * b->column; column < 2 * b->column + 2 && column < wide;
             column++) {
            const float near = meet(w, level, row, column);
            if (!(near <= w->farthest)) continue;
            int k = count++;
            for (; k > bottom && stack[k - 1].near < near; k--) stack[k] = stack[k - 1];
            stack[k] = (block){near, level, row, column};
        }
    }
    return count;
}

KAI_CLONES static void walk_blocks(walk* w)
{
    block stack[3 * KAI_HEIGHTFIELD_LEVELS + 4];
    int count = 0;
    stack[count++] = (block){0.0f, w->field->level_count, 0, 0};
    while (count > 0) {
        const block b = stack[--count];
        if (!(b.near <= w->farthest)) continue;
        if (b.level == 0)
            try_cell(w, b.row, b.column);
        else
            count = push_children(w, &b, stack, count);
    }
}

void kai_heightfield_rays(const kai_heightfield* field, kai_ray_packet* rays)
{
    if (field->columns < 2) return;
    walk w = {.field = field, .rays = rays, .across = field->columns - 1, .up = field->rows - 1};
    const kai_vec3 l = field->low, h = field->high;
    const float low[3] = {(float)l.x, (float)l.y, (float)l.z};
    const float high[3] = {(float)h.x, (float)h.y, (float)h.z};
    for (int axis = 0; axis < 3; axis++) {
        if (!kai_ray_shear_make(&w.shear, rays, axis)) continue;
        kai_ray_boxes_make(&w.boxes, rays, w.shear.limit, low, high, kai_vec3_zero());
        w.farthest = kai_ray_boxes_shrink(&w.boxes, rays->distance);
        if (w.farthest >= 0.0f) walk_blocks(&w);
    }
}
