// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The ray is cut to the box around the field and followed from cell to cell.
//
// Inside one cell the surface is two planes over x and y, so a triangle is hit where the ray's
// height over its plane changes sign while x and y are inside the triangle. Rays straight up or
// down have one cell. To let none slip through, cells are tried with a rim around them.
#include "geometry/heightfield.h"
#include "geometry/triangle.h"

// Where the ray is inside the box: [*near, *far].
static bool cut_to_box(const kai_heightfield* field, const double o[3], const double d[3],
                       double* near, double* far)
{
    const double low[3] = {field->low.x, field->low.y, field->low.z};
    const double high[3] = {field->high.x, field->high.y, field->high.z};
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0.0) {
            if (o[k] < low[k] || o[k] > high[k]) return false;
            continue;
        }
        const double a = (low[k] - o[k]) / d[k], b = (high[k] - o[k]) / d[k];
        *near = fmax(*near, fmin(a, b));
        *far = fmin(*far, fmax(a, b));
    }
    // A flat field has a box without height: rounding must not close the interval.
    return *near <= *far + 1e-12 * (fabs(*near) + fabs(*far));
}

// Hits one triangle. The rim makes up for the rounding of x and y.
static double hit_triangle(const kai_heightfield* field, uint32_t t, kai_vec3 o, kai_vec3 d)
{
    kai_vec3 c[3];
    kai_heightfield_triangle(field, t, c);
    const kai_vec3 n = kai_triangle_area(c);
    const double down = kai_vec3_dot(n, d);
    if (down == 0.0) return HUGE_VAL;
    const double at = kai_vec3_dot(n, kai_vec3_sub(c[0], o)) / down;
    const kai_vec3 x = kai_vec3_sub(kai_vec3_mul_add(o, d, at), c[0]);
    const double u = x.x / field->spacing_x, v = x.y / field->spacing_y, rim = 1e-9;
    const bool inside = t % 2 == 0 ? u <= 1.0 + rim && v >= -rim && v <= u + rim
                                   : v <= 1.0 + rim && u >= -rim && u <= v + rim;
    return inside ? at : HUGE_VAL;
}

static uint32_t cell_at(double x, double spacing, uint32_t cells)
{
    const double c = floor(x / spacing + 0.5 * (double)cells);
    return c <= 0.0 ? 0 : c >= (double)cells - 1.0 ? cells - 1 : (uint32_t)c;
}

// One step along an axis: where the ray leaves the cell, and where to.
static double leave(double o, double d, double spacing, uint32_t cells, uint32_t cell)
{
    if (d == 0.0) return HUGE_VAL;
    const double edge = ((double)cell + (d > 0.0 ? 1.0 : 0.0) - 0.5 * (double)cells) * spacing;
    return (edge - o) / d;
}

kai_heightfield_hit kai_heightfield_ray(const kai_heightfield* field, kai_vec3 origin,
                                        kai_vec3 direction, double limit)
{
    kai_heightfield_hit hit = {HUGE_VAL, UINT32_MAX};
    const double o[3] = {origin.x, origin.y, origin.z};
    const double d[3] = {direction.x, direction.y, direction.z};
    double near = 0.0, far = limit;
    if (field->columns < 2 || !(kai_vec3_max_abs(direction) > 0.0) ||
        !cut_to_box(field, o, d, &near, &far))
        return hit;
    const uint32_t across = field->columns - 1, up = field->rows - 1;
    uint32_t column = cell_at(o[0] + near * d[0], field->spacing_x, across);
    uint32_t row = cell_at(o[1] + near * d[1], field->spacing_y, up);
    for (;;) {
        const uint32_t cell = row * across + column;
        for (uint32_t t = 2 * cell; t < 2 * cell + 2; t++) {
            const double at = hit_triangle(field, t, origin, direction);
            if (at >= 0.0 && at <= limit && at < hit.distance) hit = (kai_heightfield_hit){at, t};
        }
        const double x = leave(o[0], d[0], field->spacing_x, across, column);
        const double y = leave(o[1], d[1], field->spacing_y, up, row);
        // A hit beyond this cell may not be the first one.
        if (fmin(x, y) > far || hit.distance <= fmin(x, y)) return hit;
        if (x <= y) {
            if (d[0] > 0.0 ? column + 1 >= across : column == 0) return hit;
            column = d[0] > 0.0 ? column + 1 : column - 1;
        } else {
            if (d[1] > 0.0 ? row + 1 >= up : row == 0) return hit;
            row = d[1] > 0.0 ? row + 1 : row - 1;
        }
    }
}
