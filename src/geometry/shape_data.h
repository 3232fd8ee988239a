// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is built once for shapes with many numbers, and shared by equal ones. The instances of these
// kinds point to it (`data`); it is made by the kind's prepare and never saved.
#ifndef GEOMETRY_SHAPE_DATA_H
#define GEOMETRY_SHAPE_DATA_H

#include "geometry/heightfield.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"

#include <kairos/shape.h>

/// Words of the bits of `mirror`, ended by NULL.
extern const char* const kai_shape_mesh_axes[];

/// A point of a table as it is used.
static inline kai_vec3 kai_shape_data_scaled(const double row[3], double scale, uint32_t mirror)
{
    return kai_vec3_make(mirror & 1 ? -scale * row[0] : scale * row[0],
                         mirror & 2 ? -scale * row[1] : scale * row[1],
                         mirror & 4 ? -scale * row[2] : scale * row[2]);
}

typedef struct kai_shape_hull_data {
    kai_hull hull;
    kai_mass_properties mass; // density 1
    size_t users;             // instances that point here
} kai_shape_hull_data;

typedef struct kai_shape_mesh_data {
    kai_mesh mesh;
    kai_hull* parts; // [part_count] convex parts that collide instead of the triangles
    uint32_t part_count;
    kai_hull outline;         // hull of the mesh, for its bounds; empty when it has none
    kai_mass_properties mass; // density 1; of no use unless the mesh is solid
    size_t users;
} kai_shape_mesh_data;

typedef struct kai_shape_heightfield_data {
    kai_heightfield field;
    size_t users;
} kai_shape_heightfield_data;

/// Instances of these kinds: what is given, and what was built of it.
typedef struct kai_shape_hull_instance {
    kai_shape_hull_params given;
    const kai_shape_hull_data* data;
} kai_shape_hull_instance;

typedef struct kai_shape_mesh_instance {
    kai_shape_mesh_params given;
    kai_table found; // as given.parts, found by `decompose`
    const kai_shape_mesh_data* data;
} kai_shape_mesh_instance;

typedef struct kai_shape_heightfield_instance {
    kai_shape_heightfield_params given;
    const kai_shape_heightfield_data* data;
} kai_shape_heightfield_instance;

/// The box around a box that is turned.
static inline void kai_shape_data_turn_box(kai_vec3 low, kai_vec3 high, const kai_mat33* rotation,
                                           kai_vec3* centre, kai_vec3* half)
{
    const kai_vec3 h = kai_vec3_scale(kai_vec3_sub(high, low), 0.5);
    double out[3];
    for (int i = 0; i < 3; i++) {
        const double* row = rotation->m[i];
        out[i] = fabs(row[0]) * h.x + fabs(row[1]) * h.y + fabs(row[2]) * h.z;
    }
    *centre = kai_mat33_mul_vec(*rotation, kai_vec3_lerp(low, high, 0.5));
    *half = kai_vec3_make(out[0], out[1], out[2]);
}

/// The box around a hull that is turned.
static inline void kai_shape_data_turn_hull(const kai_hull* hull, const kai_mat33* rotation,
                                            kai_vec3* centre, kai_vec3* half)
{
    double c[3], h[3];
    uint32_t top = 0, bottom = 0;
    for (int i = 0; i < 3; i++) {
        const kai_vec3 axis = kai_mat33_row(*rotation, i);
        top = kai_hull_support(hull, axis, top);
        bottom = kai_hull_support(hull, kai_vec3_neg(axis), bottom);
        const double high = kai_vec3_dot(axis, hull->vertices[top]);
        const double low = kai_vec3_dot(axis, hull->vertices[bottom]);
        c[i] = 0.5 * (high + low);
        h[i] = 0.5 * (high - low);
    }
    *centre = kai_vec3_make(c[0], c[1], c[2]);
    *half = kai_vec3_make(h[0], h[1], h[2]);
}

/// Puts the name of a file, when there is one, before a message.
static inline kai_result kai_shape_data_fail(const kai_string* file, kai_result result,
                                             kai_error* err)
{
    if (result != KAI_OK && err && file->text[0]) kai_error_prefix(err, "%s", file->text);
    return result;
}

#endif
