// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "geometry/shape_surface.h"

#include "base/array.h"
#include "base/check.h"
#include "geometry/shape_data.h"

struct kai_shape_surface {
    kai_memory* memory;
    kai_array points;    // kai_vec3
    kai_array triangles; // uint32_t [3]
};

kai_result kai_shape_surface_point(kai_shape_surface* to, kai_vec3 point, kai_error* err)
{
    KAI_GIVEN(err, to);
    if (!kai_vec3_is_finite(point))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "point %zu is [%g, %g, %g] m; must be finite",
                             to->points.count, point.x, point.y, point.z);
    if (to->points.count >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u points", UINT32_MAX);
    return kai_array_append(&to->points, to->memory, &point, 1, err);
}

kai_result kai_shape_surface_triangle(kai_shape_surface* to, uint32_t a, uint32_t b, uint32_t c,
                                      kai_error* err)
{
    KAI_GIVEN(err, to);
    const uint32_t corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (corners[k] >= to->points.count)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "triangle %zu has point %u; there are %zu, counted from 0",
                                 to->triangles.count, corners[k], to->points.count);
    return kai_array_append(&to->triangles, to->memory, corners, 1, err);
}

static kai_result surface_fill(const kai_shape_surface* s, kai_memory* memory,
                               kai_shape_surface_data* data, kai_error* err)
{
    const kai_vec3* points = s->points.data;
    if (s->triangles.count == 0) {
        KAI_TRY(kai_hull_build(&data->hull, memory, points, s->points.count, err));
        data->mass = kai_hull_mass(&data->hull);
        return KAI_OK;
    }
    KAI_TRY(kai_mesh_build(&data->mesh, memory, points, s->points.count,
                           (const uint32_t(*)[3])s->triangles.data, s->triangles.count, 0.0, err));
    if (data->mesh.closed) data->mass = kai_mesh_mass(&data->mesh);
    // A flat surface has no hull, and the box of its box as bounds.
    const kai_result r =
        kai_hull_build(&data->hull, memory, data->mesh.vertices, data->mesh.vertex_count, NULL);
    return r == KAI_ERROR_MEMORY ? kai_error_set(err, r, "out of memory") : KAI_OK;
}

kai_result kai_shape_surface_build(const kai_shape_kind* kind, const void* instance,
                                   kai_memory* memory, kai_shape_surface_data** out, kai_error* err)
{
    kai_shape_surface s = {.memory = memory,
                           .points = kai_array_make(sizeof(kai_vec3)),
                           .triangles = kai_array_make(3 * sizeof(uint32_t))};
    kai_shape_surface_data* data = kai_memory_allocate_zeroed(memory, 1, sizeof *data);
    kai_result r = data ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "out of memory");
    if (r == KAI_OK) r = kind->surface(instance, &s, err);
    if (r == KAI_OK) r = surface_fill(&s, memory, data, err);
    kai_array_free(&s.points, memory);
    kai_array_free(&s.triangles, memory);
    if (data) data->users = 1;
    if (r == KAI_OK) {
        *out = data;
        return KAI_OK;
    }
    kai_error_prefix(err, "%s", kind->kind.name);
    kai_shape_surface_release(data, memory);
    return r;
}

void kai_shape_surface_release(kai_shape_surface_data* data, kai_memory* memory)
{
    if (!data || --data->users > 0) return;
    kai_hull_free(&data->hull, memory);
    kai_mesh_free(&data->mesh, memory);
    kai_memory_release(memory, data, sizeof *data);
}

void kai_shape_surface_bounds(const kai_shape_surface_data* data, const kai_mat33* rotation,
                              kai_vec3* centre, kai_vec3* half)
{
    if (data->hull.vertex_count > 0)
        kai_shape_data_turn_hull(&data->hull, rotation, centre, half);
    else
        kai_shape_data_turn_box(data->mesh.low, data->mesh.high, rotation, centre, half);
}
