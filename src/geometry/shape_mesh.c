// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mass by integration over the triangles (geometry/solid.h); parts of a decomposition only collide.
#include "geometry/decompose.h"
#include "geometry/shape_data.h"

typedef kai_shape_mesh_instance params;
typedef kai_shape_mesh_data data_type;

// Hulls of larger meshes take too long; these have the box of their box.
enum { OUTLINE_VERTICES = 200000 };

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "mesh: out of memory");
}

// Parts are numbered 0, 1, 2 … in order.
static kai_result check_parts(const kai_table* parts, kai_error* err)
{
    for (size_t i = 0; i < parts->rows; i++) {
        const double part = parts->data[4 * i], before = i > 0 ? parts->data[4 * (i - 1)] : -1.0;
        if ((i > 0 && part == before) || part == before + 1.0) continue;
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "mesh: parts has part %g in row %zu; must count 0, 1, 2 …", part, i);
    }
    return KAI_OK;
}

// The rules that tables alone cannot hold: all whole numbers.
static kai_result shape_mesh_check(const void* instance, kai_error* err)
{
    const kai_shape_mesh_params* p = instance;
    for (uint32_t i = 0; i < 3 * p->triangles.rows; i++) {
        const double v = p->triangles.data[i];
        if (v >= 0.0 && v < p->vertices.rows && v == floor(v)) continue;
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "mesh: triangle %u has vertex %g; must be a whole number below %u",
                             i / 3, v, p->vertices.rows);
    }
    return check_parts(&p->parts, err);
}

static kai_result build_mesh(const params* p, data_type* data, kai_memory* memory, kai_error* err)
{
    const size_t points = p->given.vertices.rows, triangles = p->given.triangles.rows;
    kai_vec3* x = kai_memory_allocate(memory, points * sizeof *x);
    uint32_t(*t)[3] = kai_memory_allocate(memory, triangles * sizeof *t);
    kai_result r = (points > 0 && !x) || (triangles > 0 && !t) ? no_memory(err) : KAI_OK;
    for (size_t i = 0; r == KAI_OK && i < points; i++) {
        const double* row = p->given.vertices.data + 3 * i;
        x[i] = kai_shape_data_scaled(row, p->given.scale, p->given.mirror);
    }
    // The mirror image of a triangle goes round the other way.
    const bool over = __builtin_popcount(p->given.mirror) % 2 == 1;
    for (size_t i = 0; r == KAI_OK && i < triangles; i++)
        for (size_t k = 0; k < 3; k++)
            t[i][over && k > 0 ? 3 - k : k] = (uint32_t)p->given.triangles.data[3 * i + k];
    if (r == KAI_OK)
        r = kai_mesh_build(&data->mesh, memory, x, points, (const uint32_t(*)[3])t, triangles,
                           p->given.weld, err);
    kai_memory_release(memory, x, points * sizeof *x);
    kai_memory_release(memory, t, triangles * sizeof *t);
    return r;
}

// Convex parts -----------------------------------------------------------------------------------

// Hulls of the rows of each part.
static kai_result build_parts(const params* p, const kai_table* table, data_type* data,
                              kai_memory* memory, kai_error* err)
{
    const uint32_t rows = table->rows;
    if (rows == 0) return KAI_OK;
    const uint32_t count = (uint32_t)table->data[4 * (size_t)(rows - 1)] + 1;
    kai_vec3* x = kai_memory_allocate(memory, rows * sizeof *x);
    data->parts = kai_memory_allocate_zeroed(memory, count, sizeof *data->parts);
    kai_result r = x && data->parts ? KAI_OK : no_memory(err);
    if (data->parts) data->part_count = count;
    for (uint32_t i = 0, part = 0; r == KAI_OK && i < rows; part++) {
        uint32_t n = 0;
        for (; i < rows && table->data[4 * (size_t)i] == (double)part; i++) {
            const double* row = table->data + 4 * (size_t)i;
            x[n++] = kai_shape_data_scaled(row + 1, p->given.scale, p->given.mirror);
        }
        r = kai_hull_build(&data->parts[part], memory, x, n, err);
        if (r != KAI_OK && err) kai_error_prefix(err, "part %u", part);
    }
    kai_memory_release(memory, x, rows * sizeof *x);
    return r;
}

// Rows of a table from hulls, before scaling.
static kai_result write_parts(params* p, const kai_decompose_result* found, kai_memory* memory,
                              kai_error* err)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < found->count; i++) rows += found->parts[i].vertex_count;
    double* row = kai_memory_allocate(memory, 4 * (size_t)rows * sizeof *row);
    if (!row) return no_memory(err);
    p->found = (kai_table){row, rows, 4};
    for (uint32_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < found->parts[i].vertex_count; k++, row += 4) {
            const kai_vec3 v = found->parts[i].vertices[k];
            const double at[3] = {v.x, v.y, v.z};
            const kai_vec3 x = kai_shape_data_scaled(at, 1.0 / p->given.scale, p->given.mirror);
            row[0] = i, row[1] = x.x, row[2] = x.y, row[3] = x.z;
        }
    return KAI_OK;
}

// Finds parts. They go to the table, and hulls are made from there as after a checkpoint.
static kai_result find_parts(params* p, data_type* data, kai_memory* memory, kai_error* err)
{
    const double size = kai_vec3_max_abs(kai_vec3_sub(data->mesh.high, data->mesh.low));
    kai_decompose_result found;
    KAI_TRY(kai_decompose(&data->mesh, memory, p->given.concavity * size, &found, err));
    kai_result r = write_parts(p, &found, memory, err);
    kai_decompose_free(&found, memory);
    if (r == KAI_OK) r = build_parts(p, &p->found, data, memory, err);
    if (r == KAI_OK) return KAI_OK;
    kai_memory_release(memory, (void*)(uintptr_t)p->found.data,
                       4 * (size_t)p->found.rows * sizeof(double));
    p->found = (kai_table){0};
    return r;
}

// Preparing --------------------------------------------------------------------------------------

static void free_data(data_type* data, kai_memory* memory)
{
    for (uint32_t i = 0; i < data->part_count; i++) kai_hull_free(&data->parts[i], memory);
    kai_memory_release(memory, data->parts, data->part_count * sizeof *data->parts);
    kai_hull_free(&data->outline, memory);
    kai_mesh_free(&data->mesh, memory);
    kai_memory_release(memory, data, sizeof *data);
}

static kai_result shape_mesh_fill(params* p, data_type* data, kai_memory* memory, kai_error* err)
{
    KAI_TRY(build_mesh(p, data, memory, err));
    const kai_mesh* mesh = &data->mesh;
    if (mesh->closed) data->mass = kai_mesh_mass(mesh);
    if (mesh->vertex_count <= OUTLINE_VERTICES) {
        const kai_result r =
            kai_hull_build(&data->outline, memory, mesh->vertices, mesh->vertex_count, NULL);
        if (r == KAI_ERROR_MEMORY) return no_memory(err);
    }
    if (p->given.parts.rows > 0) return build_parts(p, &p->given.parts, data, memory, err);
    if (!p->given.decompose) return KAI_OK;
    if (p->found.rows == 0) return find_parts(p, data, memory, err);
    KAI_TRY(check_parts(&p->found, err)); // from a checkpoint
    return build_parts(p, &p->found, data, memory, err);
}

static kai_result shape_mesh_prepare(void* instance, const void* like, struct kai_memory* memory,
                                     kai_error* err)
{
    params* p = instance;
    if (like) {
        data_type* shared = (data_type*)(uintptr_t)((const params*)like)->data;
        shared->users++;
        p->data = shared;
        return KAI_OK;
    }
    data_type* data = kai_memory_allocate_zeroed(memory, 1, sizeof *data);
    if (!data) return no_memory(err);
    const kai_result r = shape_mesh_fill(p, data, memory, err);
    if (r != KAI_OK) {
        free_data(data, memory);
        return kai_shape_data_fail(&p->given.file, r, err);
    }
    data->users = 1;
    p->data = data;
    return KAI_OK;
}

static void shape_mesh_release(void* instance, struct kai_memory* memory)
{
    params* p = instance;
    data_type* data = (data_type*)(uintptr_t)p->data;
    p->data = NULL;
    if (data && --data->users == 0) free_data(data, memory);
}

static kai_result check_mass(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (!p->data) return kai_error_set(err, KAI_ERROR_ARGUMENT, "mesh: was not prepared");
    return kai_shape_data_fail(&p->given.file, kai_mesh_check_solid(&p->data->mesh, err), err);
}

static void shape_mesh_mass(const void* instance, kai_mass_properties* out)
{
    const data_type* data = ((const params*)instance)->data;
    *out = data ? data->mass : (kai_mass_properties){0};
}

static void shape_mesh_bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                              kai_vec3* half)
{
    const data_type* data = ((const params*)instance)->data;
    *centre = *half = kai_vec3_zero();
    if (!data) return;
    if (data->outline.vertex_count > 0)
        kai_shape_data_turn_hull(&data->outline, rotation, centre, half);
    else
        kai_shape_data_turn_box(data->mesh.low, data->mesh.high, rotation, centre, half);
}

const char* const kai_shape_mesh_axes[] = {"x", "y", "z", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(STRING, kai_shape_mesh_params, file,
              .doc = "Mesh file: .obj, .stl, .gltf, .glb or .dae."),
    KAI_PARAM(TABLE, kai_shape_mesh_params, vertices, .unit = "m", .columns = 3, .rows_min = 3,
              .doc = "Points; with triangles instead of file."),
    KAI_PARAM(TABLE, kai_shape_mesh_params, triangles, .columns = 3, .rows_min = 1,
              .range = KAI_AT_LEAST(0.0),
              .doc = "Three vertices each, counted from 0, counter-clockwise seen from outside."),
    KAI_PARAM(REAL, kai_shape_mesh_params, scale, .initial = {1.0}, .range = KAI_ABOVE(0.0),
              .doc = "Multiplies every coordinate."),
    KAI_PARAM(WORDS, kai_shape_mesh_params, mirror, .words = kai_shape_mesh_axes,
              .doc = "Coordinates whose sign is changed."),
    KAI_PARAM(REAL, kai_shape_mesh_params, weld, .unit = "m", .range = KAI_AT_LEAST(0.0),
              .doc = "Vertices closer than this are merged; equal ones always are."),
    KAI_PARAM(
        BOOL, kai_shape_mesh_params, decompose,
        .doc =
            "Convex parts collide instead of the triangles; they are computed once and stored beside the file."),
    KAI_PARAM(
        REAL, kai_shape_mesh_params, concavity, .initial = {0.02}, .range = KAI_BETWEEN(1e-4, 1.0),
        .doc =
            "With decompose: maximum distance between the surface and the parts, as a fraction of the longest side."),
    KAI_PARAM(
        TABLE, kai_shape_mesh_params, parts, .unit = "m", .columns = 4, .rows_min = 4,
        .doc = "Convex parts that collide instead of the triangles: rows [part, x, y, z] of their "
               "corners, before scale, parts counted from 0."),
    KAI_PARAM(TABLE, params, found, .columns = 4, .hidden = true),
};

const kai_shape_kind kai_shape_mesh = {
    .kind = KAI_KIND(
        "mesh", params, PARAMS, .given = sizeof(kai_shape_mesh_params), .check = shape_mesh_check,
        .doc = "A surface of triangles. A body that takes its mass from it needs a closed one."),
    .mass = shape_mesh_mass,
    .bounds = shape_mesh_bounds,
    .prepare = shape_mesh_prepare,
    .release = shape_mesh_release,
    .check_mass = check_mass};
