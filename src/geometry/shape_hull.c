// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass by integration over the faces (geometry/solid.h).
#include "geometry/shape_data.h"

typedef kai_shape_hull_instance params;
typedef kai_shape_hull_data data_type;

static kai_result shape_hull_prepare(void* instance, const void* like, struct kai_memory* memory,
                                     kai_error* err)
{
    params* p = instance;
    if (like) {
        data_type* shared = (data_type*)(uintptr_t)((const params*)like)->data;
        shared->users++;
        p->data = shared;
        return KAI_OK;
    }
    const size_t count = p->given.points.rows;
    kai_vec3* points = kai_memory_allocate(memory, count * sizeof *points);
    data_type* data = kai_memory_allocate_zeroed(memory, 1, sizeof *data);
    kai_result r = KAI_OK;
    if (!data || (count > 0 && !points))
        r = kai_error_set(err, KAI_ERROR_MEMORY, "hull: out of memory");
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        const double* row = p->given.points.data + 3 * i;
        points[i] = kai_shape_data_scaled(row, p->given.scale, p->given.mirror);
    }
    if (r == KAI_OK) r = kai_hull_build(&data->hull, memory, points, count, err);
    kai_memory_release(memory, points, count * sizeof *points);
    if (r == KAI_OK) {
        data->mass = kai_hull_mass(&data->hull);
        data->users = 1;
        p->data = data;
        return KAI_OK;
    }
    kai_memory_release(memory, data, sizeof *data);
    return kai_shape_data_fail(&p->given.file, r, err);
}

static void shape_hull_release(void* instance, struct kai_memory* memory)
{
    params* p = instance;
    data_type* data = (data_type*)(uintptr_t)p->data;
    p->data = NULL;
    if (!data || --data->users > 0) return;
    kai_hull_free(&data->hull, memory);
    kai_memory_release(memory, data, sizeof *data);
}

static void shape_hull_mass(const void* instance, kai_mass_properties* out)
{
    const data_type* data = ((const params*)instance)->data;
    *out = data ? data->mass : (kai_mass_properties){0};
}

static void shape_hull_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                              kai_vec3* half)
{
    const data_type* data = ((const params*)instance)->data;
    *centre = *half = kai_vec3_zero();
    if (data) kai_shape_data_turn_hull(&data->hull, rotation, centre, half);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(
        TABLE, kai_shape_hull_params, points, .unit = "m", .columns = 3, .rows_min = 4,
        .doc =
            "Points whose convex hull is the shape; points inside it are allowed. Instead of file."),
    KAI_PARAM(STRING, kai_shape_hull_params, file,
              .doc = "Mesh file whose vertices are the points (.obj, .stl, .gltf, .glb, .dae)."),
    KAI_PARAM(REAL, kai_shape_hull_params, scale, .initial = {1.0}, .range = KAI_ABOVE(0.0),
              .doc = "Multiplies every coordinate."),
    KAI_PARAM(WORDS, kai_shape_hull_params, mirror, .words = kai_shape_mesh_axes,
              .doc = "Coordinates whose sign is changed."),
};

const kai_shape_kind kai_shape_hull = {
    .kind = KAI_KIND("hull", params, PARAMS, .given = sizeof(kai_shape_hull_params),
                     .doc = "The convex hull of points, which must enclose a volume."),
    .mass = shape_hull_mass,
    .bounds = shape_hull_bounds,
    .prepare = shape_hull_prepare,
    .release = shape_hull_release};
