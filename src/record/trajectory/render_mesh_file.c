// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// All meshes lie one after the other: vertices in the order of kai_render_mesh_describe, then the
// triangles and lines of each as cells. Cells are written once, points and fields at every frame.
// A field has one name for all meshes; vertices of meshes that lack it have NaN.
#include "record/trajectory/render_mesh_file.h"

#include "model/render_mesh.h"
#include "model/world.h"
#include "record/file.h"
#include "record/trajectory/render_mesh_read.h"
#include "record/trajectory/vtkhdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIELDS = 16,     // most names of fields in a file
    VTK_LINE = 3,    // types of cells
    VTK_TRIANGLE = 5 // likewise
};

// Every growing dataset but the fields.
#define SETS(X)                                                  \
    KAI_VTKHDF_PARTS(X)                                          \
    X(POINTS, "VTKHDF/Points", 3, F32)                           \
    X(MESH, "VTKHDF/CellData/mesh", 1, I64)                      \
    KAI_VTKHDF_STEPS(X)                                          \
    X(MESH_OFFSETS, "VTKHDF/Steps/CellDataOffsets/mesh", 1, I64) \
    X(VALUES, "VTKHDF/Steps/Values", 1, F64)

enum {
    SETS(KAI_VTKHDF_PLACE) SET_FIELDS // then two of each field: its numbers, and its offsets
};

static const kai_vtkhdf_def TABLE[] = {SETS(KAI_VTKHDF_DEF)};

struct kai_render_mesh_file {
    kai_vtkhdf vtk;
    bool doubles;
    int64_t compression; // of chunks that are whole frames
    size_t vertices;
    char* names[FIELDS];
    size_t name_count;
    uint64_t frames;
    double* position; // [vertices][3]
    double* numbers;  // [name_count][vertices]
};

// The number of a field's name; FIELDS when there is none.
static size_t find_name(const kai_render_mesh_file* f, const char* name)
{
    for (size_t i = 0; i < f->name_count; i++)
        if (strcmp(f->names[i], name) == 0) return i;
    return FIELDS;
}

static kai_result find_names(kai_render_mesh_file* f, const kai_world* world, const char* path,
                             kai_error* err)
{
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh mesh;
        kai_render_mesh_describe(world, k, &mesh);
        for (size_t i = 0; i < mesh.field_count; i++) {
            if (find_name(f, mesh.fields[i].name) < FIELDS) continue;
            if (f->name_count == FIELDS)
                return kai_error_set(err, KAI_ERROR_LIMIT,
                                     "%s: meshes have more than %d different fields", path, FIELDS);
            f->names[f->name_count] = strdup(mesh.fields[i].name);
            if (f->names[f->name_count++] == NULL) return kai_file_no_memory(path, err);
        }
    }
    return KAI_OK;
}

// Making a file ----------------------------------------------------------------------------------

static kai_result make_sets(kai_render_mesh_file* f, kai_error* err)
{
    const kai_number real = f->doubles ? KAI_NUMBER_F64 : KAI_NUMBER_F32;
    const hsize_t rows = kai_vtkhdf_chunk_rows(f->vertices);
    for (int i = 0; i < SET_FIELDS; i++) {
        kai_vtkhdf_def set = TABLE[i];
        set.chunk_rows = i == SET_POINTS         ? rows
                         : i == SET_CONNECTIVITY ? KAI_VTKHDF_MANY
                                                 : KAI_VTKHDF_STEP_ROWS;
        if (i == SET_POINTS) {
            set.number = real;
            set.compression = f->compression;
            set.direct = rows >= KAI_VTKHDF_MANY;
        }
        KAI_TRY(kai_vtkhdf_add(&f->vtk, &set, err));
    }
    const kai_vtkhdf_def field = {.columns = 1,
                                  .number = real,
                                  .chunk_rows = rows,
                                  .compression = f->compression,
                                  .direct = rows >= KAI_VTKHDF_MANY};
    for (size_t i = 0; i < f->name_count; i++)
        KAI_TRY(kai_vtkhdf_add_field(&f->vtk, f->names[i], true, &field, err));
    return KAI_OK;
}

// Names of meshes, how many vertices each has, and units of fields.
static kai_result render_mesh_file_describe(kai_render_mesh_file* f, const kai_world* world,
                                            kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(f->vtk.file, "Kairos", &group, err));
    kai_result r = KAI_OK;
    for (size_t k = 0; r == KAI_OK && k < kai_render_mesh_count(world); k++) {
        kai_render_mesh mesh;
        hid_t one = -1;
        char number[32];
        kai_render_mesh_describe(world, k, &mesh);
        snprintf(number, sizeof number, "mesh%zu", k);
        r = kai_h5_make_group(group, number, &one, err);
        if (r == KAI_OK) r = kai_h5_write_text(one, "name", mesh.name, err);
        const int64_t vertices = (int64_t)mesh.vertex_count;
        if (r == KAI_OK)
            r = kai_h5_write_attribute(one, "vertices", KAI_NUMBER_I64, 1, &vertices, err);
        for (size_t i = 0; r == KAI_OK && i < mesh.field_count; i++) {
            char unit[300];
            snprintf(unit, sizeof unit, "unit of %s", mesh.fields[i].name);
            r = kai_h5_write_text(one, unit, mesh.fields[i].unit, err);
        }
        if (one >= 0) H5Gclose(one);
    }
    H5Gclose(group);
    return r;
}

static void add_cell(kai_render_mesh_file* f, const uint32_t* corners, int n, size_t first,
                     size_t mesh, int64_t* ids)
{
    const unsigned char type = n == 3 ? VTK_TRIANGLE : VTK_LINE;
    for (int c = 0; c < n; c++)
        kai_vtkhdf_integer(&f->vtk, SET_CONNECTIVITY, (int64_t)(first + corners[c]));
    *ids += n;
    kai_vtkhdf_integer(&f->vtk, SET_OFFSETS, *ids);
    kai_vtkhdf_integer(&f->vtk, SET_MESH, (int64_t)mesh);
    kai_text_add_bytes(&f->vtk.sets[SET_TYPES].waiting, &type, 1);
}

static void add_cells(kai_render_mesh_file* f, const kai_world* world)
{
    size_t first = 0;
    int64_t ids = 0, cells = 0;
    kai_vtkhdf_integer(&f->vtk, SET_OFFSETS, 0);
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh mesh;
        kai_render_mesh_describe(world, k, &mesh);
        for (size_t i = 0; i < mesh.triangle_count; i++)
            add_cell(f, mesh.triangles + 3 * i, 3, first, k, &ids);
        for (size_t i = 0; i < mesh.line_count; i++)
            add_cell(f, mesh.lines + 2 * i, 2, first, k, &ids);
        cells += (int64_t)(mesh.triangle_count + mesh.line_count);
        first += mesh.vertex_count;
    }
    kai_vtkhdf_integer(&f->vtk, SET_PART_POINTS, (int64_t)f->vertices);
    kai_vtkhdf_integer(&f->vtk, SET_PART_CELLS, cells);
    kai_vtkhdf_integer(&f->vtk, SET_PART_IDS, ids);
}

static kai_result make_file(kai_render_mesh_file* f, const char* path, const kai_world* world,
                            kai_error* err)
{
    KAI_TRY(kai_vtkhdf_make(&f->vtk, path, (uint64_t)1 << 16, err));
    KAI_TRY(make_sets(f, err));
    KAI_TRY(render_mesh_file_describe(f, world, err));
    return kai_vtkhdf_start(&f->vtk, SET_VALUES, err);
}

static kai_result render_mesh_file_create(kai_render_mesh_file** out, const char* path,
                                          const kai_world* world, const kai_trajectory_def* def,
                                          kai_error* err)
{
    kai_render_mesh_file* f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL) return kai_file_no_memory(path, err);
    f->vtk.file = -1;
    f->doubles = def->double_precision;
    f->vertices = kai_render_mesh_vertices(world);
    const int64_t level = kai_vtkhdf_level(def->compression, f->vertices);
    f->compression = f->vertices > KAI_VTKHDF_LATER ? level : 0;
    kai_result r = find_names(f, world, path, err);
    f->position = malloc((3 * f->vertices + 1) * sizeof *f->position);
    f->numbers = malloc((f->name_count * f->vertices + 1) * sizeof *f->numbers);
    if (r == KAI_OK && (f->position == NULL || f->numbers == NULL))
        r = kai_file_no_memory(path, err);
    if (r == KAI_OK) r = kai_h5_room(path, err);
    if (r == KAI_OK) {
        kai_h5_begin();
        r = make_file(f, path, world, err);
        f->vtk.pack = f->compression == 0 ? level : 0;
        kai_h5_end();
    }
    if (r == KAI_OK) {
        add_cells(f, world);
        *out = f;
    } else {
        kai_render_mesh_file_close(f, true, NULL);
    }
    return r;
}

// Frames -----------------------------------------------------------------------------------------

// A frame that lies in `position` and `numbers`.
static kai_result add_frame(kai_render_mesh_file* f, double time, kai_error* err)
{
    const int64_t first = (int64_t)(f->frames * f->vertices);
    kai_vtkhdf_reals(&f->vtk, SET_POINTS, f->position, 3 * f->vertices);
    for (size_t i = 0; i < f->name_count; i++) {
        kai_vtkhdf_reals(&f->vtk, SET_FIELDS + 2 * i, f->numbers + i * f->vertices, f->vertices);
        kai_vtkhdf_integer(&f->vtk, SET_FIELDS + 2 * i + 1, first);
    }
    kai_vtkhdf_integer(&f->vtk, SET_PART_OFFSETS, 0);
    kai_vtkhdf_integer(&f->vtk, SET_PARTS, 1);
    kai_vtkhdf_integer(&f->vtk, SET_POINT_OFFSETS, first);
    kai_vtkhdf_integer(&f->vtk, SET_CELL_OFFSETS, 0);
    kai_vtkhdf_integer(&f->vtk, SET_ID_OFFSETS, 0);
    kai_vtkhdf_integer(&f->vtk, SET_MESH_OFFSETS, 0);
    kai_text_add_bytes(&f->vtk.sets[SET_VALUES].waiting, &time, sizeof time);
    f->frames++;
    return kai_vtkhdf_push(&f->vtk, err);
}

kai_result kai_render_mesh_file_add(kai_render_mesh_file* f, kai_world* world, kai_error* err)
{
    size_t first = 0;
    for (size_t i = 0; i < f->name_count * f->vertices; i++) f->numbers[i] = (double)NAN;
    for (size_t k = 0; k < kai_render_mesh_count(world); k++) {
        kai_render_mesh mesh;
        double* fields[KAI_RENDER_MESH_FIELDS];
        kai_render_mesh_describe(world, k, &mesh);
        if (mesh.vertex_count > f->vertices - first)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: mesh '%s' has changed", f->vtk.path,
                                 mesh.name);
        for (size_t i = 0; i < mesh.field_count; i++) {
            const size_t name = find_name(f, mesh.fields[i].name);
            if (name == FIELDS)
                return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: mesh '%s' has a new field '%s'",
                                     f->vtk.path, mesh.name, mesh.fields[i].name);
            fields[i] = f->numbers + name * f->vertices + first;
        }
        kai_render_mesh_gather(world, k, f->position + 3 * first, fields);
        first += mesh.vertex_count;
    }
    return add_frame(f, kai_world_time(world), err);
}

// The first frames of an older file.
static kai_result copy_frames(kai_render_mesh_file* f, const char* path, uint64_t frames,
                              kai_error* err)
{
    kai_render_mesh_read* from = NULL;
    KAI_TRY(kai_render_mesh_read_open(&from, path, f->vertices, err));
    kai_result r = KAI_OK;
    if (kai_render_mesh_read_frames(from) < frames)
        r = kai_error_set(err, KAI_ERROR_FORMAT, "%s: has %zu frames; the checkpoint has %llu",
                          path, kai_render_mesh_read_frames(from), (unsigned long long)frames);
    for (size_t k = 0; r == KAI_OK && k < frames; k++) {
        r = kai_render_mesh_read_positions(from, k, f->position, err);
        for (size_t i = 0; r == KAI_OK && i < f->name_count; i++)
            r = kai_render_mesh_read_field(from, k, f->names[i], 0, f->vertices,
                                           f->numbers + i * f->vertices, err);
        if (r == KAI_OK) r = add_frame(f, kai_render_mesh_read_times(from)[k], err);
    }
    kai_render_mesh_read_close(from);
    return r == KAI_OK ? kai_vtkhdf_flush(&f->vtk, true, err) : r;
}

kai_result kai_render_mesh_file_create(kai_render_mesh_file** out, const char* path,
                                       const kai_world* world, const kai_trajectory_def* def,
                                       uint64_t frames, kai_error* err)
{
    if (frames == 0) return render_mesh_file_create(out, path, world, def, err);
    char* aside = kai_file_aside(path);
    *out = NULL;
    if (aside == NULL) return kai_file_no_memory(path, err);
    kai_render_mesh_file* f = NULL;
    kai_result r = render_mesh_file_create(&f, aside, world, def, err);
    if (r == KAI_OK) r = copy_frames(f, path, frames, err);
    if (r == KAI_OK) r = kai_vtkhdf_rename(&f->vtk, path, err);
    if (r == KAI_OK) {
        *out = f;
    } else {
        kai_render_mesh_file_close(f, true, NULL);
        unlink(aside);
    }
    free(aside);
    return r;
}

kai_result kai_render_mesh_file_flush(kai_render_mesh_file* f, bool sync, kai_error* err)
{
    return kai_vtkhdf_flush(&f->vtk, sync, err);
}

kai_result kai_render_mesh_file_close(kai_render_mesh_file* f, bool discard, kai_error* err)
{
    if (f == NULL) return KAI_OK;
    kai_result r = KAI_OK;
    if (f->vtk.path != NULL) r = kai_vtkhdf_close(&f->vtk, discard, err);
    for (size_t i = 0; i < f->name_count; i++) free(f->names[i]);
    free(f->position);
    free(f->numbers);
    free(f);
    return r;
}
