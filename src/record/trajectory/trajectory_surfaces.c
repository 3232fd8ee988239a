// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_surfaces.h"

#include "geometry/shape_data.h"
#include "geometry/shape_surface.h"

void kai_trajectory_surfaces_init(kai_trajectory_surfaces* set)
{
    *set = (kai_trajectory_surfaces){.vertices = kai_array_make(3 * sizeof(float)),
                                     .triangles = kai_array_make(3 * sizeof(uint32_t))};
    kai_memory_init(&set->memory, NULL);
}

void kai_trajectory_surfaces_free(kai_trajectory_surfaces* set)
{
    kai_array_free(&set->vertices, &set->memory);
    kai_array_free(&set->triangles, &set->memory);
}

static kai_result add_vertex(kai_trajectory_surfaces* set, kai_vec3 x, kai_error* err)
{
    const float f[3] = {(float)x.x, (float)x.y, (float)x.z};
    return kai_array_append(&set->vertices, &set->memory, f, 1, err);
}

static kai_result add_triangle(kai_trajectory_surfaces* set, uint32_t a, uint32_t b, uint32_t c,
                               kai_error* err)
{
    const uint32_t t[3] = {a, b, c};
    return kai_array_append(&set->triangles, &set->memory, t, 1, err);
}

static kai_result add_hull(kai_trajectory_surfaces* set, const kai_hull* hull, kai_error* err)
{
    for (uint32_t i = 0; i < hull->vertex_count; i++)
        KAI_TRY(add_vertex(set, hull->vertices[i], err));
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t* ring = hull->face_vertices + hull->face_first[f];
        const uint32_t n = hull->face_first[f + 1] - hull->face_first[f];
        for (uint32_t i = 1; i + 1 < n; i++)
            KAI_TRY(add_triangle(set, ring[0], ring[i], ring[i + 1], err));
    }
    return KAI_OK;
}

static kai_result add_mesh(kai_trajectory_surfaces* set, const kai_mesh* mesh, kai_error* err)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        KAI_TRY(add_vertex(set, mesh->vertices[i], err));
    return kai_array_append(&set->triangles, &set->memory, mesh->triangles, mesh->triangle_count,
                            err);
}

static kai_result add_field(kai_trajectory_surfaces* set, const kai_heightfield* field,
                            kai_error* err)
{
    for (uint32_t row = 0; row < field->rows; row++)
        for (uint32_t column = 0; column < field->columns; column++)
            KAI_TRY(add_vertex(set, kai_heightfield_point(field, row, column), err));
    for (uint32_t row = 0; row + 1 < field->rows; row++)
        for (uint32_t column = 0; column + 1 < field->columns; column++) {
            const uint32_t a = row * field->columns + column, d = a + field->columns;
            KAI_TRY(add_triangle(set, a, a + 1, d + 1, err));
            KAI_TRY(add_triangle(set, a, d + 1, d, err));
        }
    return KAI_OK;
}

// What was built for an instance: one of the three, or none for kinds whose numbers say all.
typedef struct surface_source {
    const kai_hull* hull;
    const kai_mesh* mesh;
    const kai_heightfield* field;
    const void* key; // the same for instances that share it; NULL: none
} surface_source;

static surface_source surface_find(const kai_store_batch* batch, size_t i)
{
    const kai_shape_kind* kind = (const kai_shape_kind*)(const void*)batch->kind;
    const void* instance = kai_array_at(&batch->items, i);
    if (kind == &kai_shape_hull) {
        const kai_shape_hull_data* data = ((const kai_shape_hull_instance*)instance)->data;
        if (data) return (surface_source){.hull = &data->hull, .key = data};
    } else if (kind == &kai_shape_mesh) {
        const kai_shape_mesh_data* data = ((const kai_shape_mesh_instance*)instance)->data;
        if (data) return (surface_source){.mesh = &data->mesh, .key = data};
    } else if (kind == &kai_shape_heightfield) {
        const kai_shape_heightfield_data* data =
            ((const kai_shape_heightfield_instance*)instance)->data;
        if (data) return (surface_source){.field = &data->field, .key = data};
    } else {
        const kai_shape_surface_data* data = kai_shape_surface_of(kind, instance);
        if (data && data->mesh.triangle_count > 0)
            return (surface_source){.mesh = &data->mesh, .key = data};
        if (data) return (surface_source){.hull = &data->hull, .key = data};
    }
    return (surface_source){0};
}

kai_result kai_trajectory_surfaces_add(kai_trajectory_surfaces* set, const kai_store_batch* batch,
                                       size_t i, kai_trajectory_surface* out, kai_error* err)
{
    const surface_source source = surface_find(batch, i);
    *out = (kai_trajectory_surface){0};
    if (!source.key) return KAI_OK;
    if (source.key != set->last) {
        const size_t v = set->vertices.count, t = set->triangles.count;
        if (source.hull) KAI_TRY(add_hull(set, source.hull, err));
        if (source.mesh) KAI_TRY(add_mesh(set, source.mesh, err));
        if (source.field) KAI_TRY(add_field(set, source.field, err));
        set->last = source.key;
        set->newest = (kai_trajectory_surface){(uint32_t)v, (uint32_t)(set->vertices.count - v),
                                               (uint32_t)t, (uint32_t)(set->triangles.count - t)};
    }
    *out = set->newest;
    return KAI_OK;
}

kai_result kai_trajectory_surfaces_write(const kai_trajectory_surfaces* set, hid_t group,
                                         kai_error* err)
{
    KAI_TRY(kai_h5_write(group, "surface_vertices", H5T_NATIVE_FLOAT, set->vertices.count, 3,
                         set->vertices.data, err));
    return kai_h5_write(group, "surface_triangles", H5T_NATIVE_UINT32, set->triangles.count, 3,
                        set->triangles.data, err);
}

uint64_t kai_trajectory_surfaces_size(const kai_store_batch* batch)
{
    uint64_t bytes = 0;
    const void* last = NULL;
    for (size_t i = 0; i < batch->items.count; i++) {
        const surface_source source = surface_find(batch, i);
        if (!source.key) return 0;
        if (source.key == last) continue;
        last = source.key;
        uint64_t vertices = 0, triangles = 0;
        if (source.hull) {
            vertices = source.hull->vertex_count;
            triangles = 2 * vertices;
        } else if (source.mesh) {
            vertices = source.mesh->vertex_count;
            triangles = source.mesh->triangle_count;
        } else {
            vertices = (uint64_t)source.field->rows * source.field->columns;
            triangles = 2 * vertices;
        }
        bytes += 12 * (vertices + triangles);
    }
    return bytes;
}
