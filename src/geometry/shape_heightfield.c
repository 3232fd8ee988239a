// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Ground. It has no mass, so only fixed bodies, or bodies with a mass of their own, carry one.
#include "geometry/shape_data.h"

typedef kai_shape_heightfield_instance params;
typedef kai_shape_heightfield_data data_type;

static kai_result shape_heightfield_prepare(void* instance, const void* like,
                                            struct kai_memory* memory, kai_error* err)
{
    params* p = instance;
    if (like) {
        data_type* shared = (data_type*)(uintptr_t)((const params*)like)->data;
        shared->users++;
        p->data = shared;
        return KAI_OK;
    }
    const size_t count = (size_t)p->given.grid.rows * p->given.grid.columns;
    double* heights = kai_memory_allocate(memory, count * sizeof *heights);
    data_type* data = kai_memory_allocate_zeroed(memory, 1, sizeof *data);
    kai_result r = KAI_OK;
    if (!data || (count > 0 && !heights))
        r = kai_error_set(err, KAI_ERROR_MEMORY, "heightfield: out of memory");
    for (size_t i = 0; r == KAI_OK && i < count; i++)
        heights[i] = p->given.grid.data[i] * p->given.scale;
    if (r == KAI_OK)
        r = kai_heightfield_build(&data->field, memory, heights, p->given.grid.columns,
                                  p->given.grid.rows, p->given.spacing,
                                  p->given.spacing_y > 0.0 ? p->given.spacing_y : p->given.spacing,
                                  err);
    kai_memory_release(memory, heights, count * sizeof *heights);
    if (r == KAI_OK) {
        data->users = 1;
        p->data = data;
        return KAI_OK;
    }
    kai_memory_release(memory, data, sizeof *data);
    return kai_shape_data_fail(&p->given.file, r, err);
}

static void shape_heightfield_release(void* instance, struct kai_memory* memory)
{
    params* p = instance;
    data_type* data = (data_type*)(uintptr_t)p->data;
    p->data = NULL;
    if (!data || --data->users > 0) return;
    kai_heightfield_free(&data->field, memory);
    kai_memory_release(memory, data, sizeof *data);
}

static void shape_heightfield_bounds(const void* instance, const kai_mat33* rotation,
                                     kai_vec3* centre, kai_vec3* half)
{
    const data_type* data = ((const params*)instance)->data;
    *centre = *half = kai_vec3_zero();
    if (data) kai_shape_data_turn_box(data->field.low, data->field.high, rotation, centre, half);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(TABLE, kai_shape_heightfield_params, grid, .unit = "m", .columns = KAI_ANY_COLUMNS,
              .rows_min = 2,
              .doc = "Heights: rows along x, the row of lowest y first. Instead of file."),
    KAI_PARAM(
        STRING, kai_shape_heightfield_params, file,
        .doc =
            "Heights in a .csv (rows as in grid) or .png file (8 or 16 bit grey, black 0 and white "
            "1, the top row at the highest y)."),
    KAI_PARAM(REAL, kai_shape_heightfield_params, spacing, .unit = "m", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Distance between columns, and between rows."),
    KAI_PARAM(REAL, kai_shape_heightfield_params, spacing_y, .unit = "m",
              .range = KAI_AT_LEAST(0.0), .doc = "Distance between rows; 0: as spacing."),
    KAI_PARAM(REAL, kai_shape_heightfield_params, scale, .initial = {1.0},
              .doc = "Multiplies every height."),
};

const kai_shape_kind kai_shape_heightfield = {
    .kind = KAI_KIND(
        "heightfield", params, PARAMS, .given = sizeof(kai_shape_heightfield_params),
        .doc = "Ground given by heights on a regular grid centred on the shape's origin; solid "
               "below."),
    .bounds = shape_heightfield_bounds,
    .prepare = shape_heightfield_prepare,
    .release = shape_heightfield_release};
