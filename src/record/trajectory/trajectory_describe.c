// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/trajectory/trajectory_describe.h"

#include "model/world.h"
#include "record/param_file.h"
#include "record/trajectory/trajectory_surfaces.h"

#include <kairos/info.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One shape: its body, its kind (row of shape_kinds), where its numbers begin in shape_parameters,
// and its triangles, if it has any.
typedef struct shape_row {
    uint32_t body, kind, first_parameter, parameter_count;
    kai_trajectory_surface surface;
    uint16_t collide, visible;
    float color[3]; // negative: chosen by the viewer
    kai_frame frame;
    double margin;
} shape_row;
_Static_assert(sizeof(shape_row) == 112, "without gaps HDF5 writes rows as they are");

static const kai_member SHAPE[] = {
    {"body", offsetof(shape_row, body), KAI_NUMBER_U32, 1},
    {"kind", offsetof(shape_row, kind), KAI_NUMBER_U32, 1},
    {"first_parameter", offsetof(shape_row, first_parameter), KAI_NUMBER_U32, 1},
    {"parameter_count", offsetof(shape_row, parameter_count), KAI_NUMBER_U32, 1},
    {"first_vertex", offsetof(shape_row, surface.first_vertex), KAI_NUMBER_U32, 1},
    {"vertex_count", offsetof(shape_row, surface.vertex_count), KAI_NUMBER_U32, 1},
    {"first_triangle", offsetof(shape_row, surface.first_triangle), KAI_NUMBER_U32, 1},
    {"triangle_count", offsetof(shape_row, surface.triangle_count), KAI_NUMBER_U32, 1},
    {"collide", offsetof(shape_row, collide), KAI_NUMBER_U16, 1},
    {"visible", offsetof(shape_row, visible), KAI_NUMBER_U16, 1},
    {"color", offsetof(shape_row, color), KAI_NUMBER_F32, 3},
    {"position", offsetof(shape_row, frame.position), KAI_NUMBER_F64, 3},
    {"rotation", offsetof(shape_row, frame.rotation), KAI_NUMBER_F64, 4},
    {"radius_margin", offsetof(shape_row, margin), KAI_NUMBER_F64, 1},
};

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the description of a trajectory");
}

// Numbers that an instance of a shape kind has in all; tables and lists are left out.
static size_t numbers_of(const kai_kind* kind)
{
    size_t n = 0;
    for (size_t i = 0; i < kind->param_count; i++)
        if (!kind->params[i].hidden) n += kai_kind_type_numbers(kind->params[i].type);
    return n;
}

static double* copy_numbers(const kai_kind* kind, const char* instance, double* out)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const size_t n = p->hidden ? 0 : kai_kind_type_numbers(p->type);
        if (n == 0 || p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3) {
            for (size_t k = 0; k < n; k++)
                *out++ = ((const kai_value*)(const void*)(instance + p->offset))[k].constant;
            continue;
        }
        memcpy(out, instance + p->offset, n * sizeof *out);
        out += n;
    }
    return out;
}

// How many shapes a batch has: more than instances, where some are equal.
static size_t shapes_in(const kai_world* world, const kai_store_batch* batch)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->items.count; i++)
        count += kai_store_members(&world->shapes, batch, i);
    return count;
}

uint64_t kai_trajectory_describe_size(const kai_world* world)
{
    uint64_t bytes = 1 << 16;
    bytes += (uint64_t)world->bodies.count * (2 * sizeof(uint32_t) + 1);
    bytes += (uint64_t)world->bodies.names.count * (KAI_STRING_SIZE + sizeof(uint32_t));
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        const kai_store_batch* batch = &world->shapes.batches[b];
        bytes += shapes_in(world, batch) *
                 (sizeof(shape_row) + numbers_of(batch->kind) * sizeof(double));
        bytes += kai_trajectory_surfaces_size(batch);
    }
    return bytes;
}

// Datasets ---------------------------------------------------------------------------------------

// The kinds in the order of their numbers, each as "sphere radius", "box size.x size.y size.z".
static kai_result write_kinds(hid_t group, const kai_world* world, kai_error* err)
{
    enum { WIDTH = 256 };
    const size_t count = world->shapes.batch_count;
    char* texts = calloc(count + 1, WIDTH);
    const hid_t type = kai_h5_text_type(WIDTH);
    kai_result r = texts && type >= 0 ? KAI_OK : no_memory(err);
    for (size_t b = 0; r == KAI_OK && b < count; b++) {
        static const char* const xyz[] = {"", ".x", ".y", ".z"};
        const kai_kind* kind = world->shapes.batches[b].kind;
        char* text = texts + b * WIDTH;
        int used = snprintf(text, WIDTH, "%s", kind->name);
        for (size_t i = 0; i < kind->param_count; i++) {
            const kai_param* p = &kind->params[i];
            const size_t n = p->hidden ? 0 : kai_kind_type_numbers(p->type);
            for (size_t k = 0; k < n && used < WIDTH; k++)
                used += snprintf(text + used, (size_t)(WIDTH - used), " %s%s", p->name,
                                 n == 3 ? xyz[k + 1] : xyz[0]);
        }
    }
    if (r == KAI_OK) r = kai_h5_write(group, "shape_kinds", type, count, 1, texts, err);
    if (type >= 0) H5Tclose(type);
    free(texts);
    return r;
}

static void fill_row(const kai_world* world, size_t b, uint32_t index, size_t first, shape_row* row)
{
    const kai_store_batch* batch = &world->shapes.batches[b];
    const kai_shape_record copy = kai_shape_record_of(world, index), *record = &copy;
    *row = (shape_row){.body = record->body,
                       .kind = (uint32_t)b,
                       .first_parameter = (uint32_t)first,
                       .parameter_count = (uint32_t)numbers_of(batch->kind),
                       .collide = (record->flags & KAI_SHAPE_COLLIDE) != 0,
                       .visible = (record->flags & KAI_SHAPE_VISIBLE) != 0,
                       .frame = kai_frames_at(&world->shape_frames, record->frame),
                       .margin = record->margin};
    for (int c = 0; c < 3; c++)
        row->color[c] =
            record->color == 0 ? -1.0f : (float)(record->color >> (16 - 8 * c) & 255u) / 255.0f;
}

// The two datasets of shapes, written in pieces: of very many shapes a table in memory would cost
// more than filling it.
typedef struct shape_tables {
    hid_t type, rows, numbers;
    shape_row* row;                 // [PIECE]
    double* number;                 // [PIECE most]
    size_t row_count, number_count; // that wait
    size_t rows_done, numbers_done; // in the file
    kai_trajectory_surfaces surfaces;
} shape_tables;

enum { PIECE = 2048 };

static kai_result put_piece(shape_tables* t, kai_error* err)
{
    KAI_TRY(kai_h5_put(t->rows, "shapes", t->type, t->rows_done, t->row_count, t->row, err));
    t->rows_done += t->row_count;
    t->row_count = 0;
    KAI_TRY(kai_h5_put(t->numbers, "shape_parameters", H5T_NATIVE_DOUBLE, t->numbers_done,
                       t->number_count, t->number, err));
    t->numbers_done += t->number_count;
    t->number_count = 0;
    return KAI_OK;
}

// The shapes that share instance i of batch b: their ids and their bodies' follow one another.
static kai_result put_members(shape_tables* t, const kai_world* world, size_t b, size_t i,
                              kai_error* err)
{
    const kai_store_batch* batch = &world->shapes.batches[b];
    const size_t range = kai_store_range(&world->shapes, batch, i);
    const size_t numbers = numbers_of(batch->kind);
    const uint32_t owner = ((const uint32_t*)batch->owner.data)[i];
    const char* instance = (char*)batch->items.data + i * batch->kind->size;
    shape_row row;
    fill_row(world, b, owner, 0, &row);
    KAI_TRY(kai_trajectory_surfaces_add(&t->surfaces, batch, i, &row.surface, err));
    const uint32_t body = row.body;
    for (uint32_t m = 0; m < range; m++) {
        if (!kai_store_in_use(&world->shapes, owner + m)) continue;
        if (t->row_count == PIECE) KAI_TRY(put_piece(t, err));
        row.body = body + m;
        row.first_parameter = (uint32_t)(t->numbers_done + t->number_count);
        t->row[t->row_count++] = row;
        copy_numbers(batch->kind, instance, t->number + t->number_count);
        t->number_count += numbers;
    }
    return KAI_OK;
}

static kai_result put_shapes(shape_tables* t, hid_t group, const kai_world* world, kai_error* err)
{
    size_t numbers = 0, most = 0;
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        const size_t n = numbers_of(world->shapes.batches[b].kind);
        numbers += shapes_in(world, &world->shapes.batches[b]) * n;
        most = n > most ? n : most;
    }
    t->row = malloc(PIECE * sizeof *t->row);
    t->number = malloc((PIECE * most + 1) * sizeof *t->number);
    if (t->row == NULL || t->number == NULL || t->type < 0) return no_memory(err);
    KAI_TRY(kai_h5_make(group, "shapes", t->type, world->shapes.count, 1, &t->rows, err));
    KAI_TRY(
        kai_h5_make(group, "shape_parameters", H5T_NATIVE_DOUBLE, numbers, 1, &t->numbers, err));
    for (size_t b = 0; b < world->shapes.batch_count; b++)
        for (size_t i = 0; i < world->shapes.batches[b].items.count; i++)
            KAI_TRY(put_members(t, world, b, i, err));
    KAI_TRY(put_piece(t, err));
    return kai_trajectory_surfaces_write(&t->surfaces, group, err);
}

static kai_result write_shapes(hid_t group, const kai_world* world, kai_error* err)
{
    shape_tables t = {.rows = -1, .numbers = -1};
    t.type = kai_h5_compound(SHAPE, KAI_COUNT(SHAPE), sizeof *t.row);
    kai_trajectory_surfaces_init(&t.surfaces);
    kai_result r = put_shapes(&t, group, world, err);
    kai_trajectory_surfaces_free(&t.surfaces);
    // What waits in HDF5's own buffers goes to the file now.
    const bool rows = t.rows < 0 || H5Dclose(t.rows) >= 0,
               numbers = t.numbers < 0 || H5Dclose(t.numbers) >= 0;
    if (r == KAI_OK && !(rows && numbers))
        r = kai_error_set(err, KAI_ERROR_FILE, "shapes: HDF5 could not write them");
    if (t.type >= 0) H5Tclose(t.type);
    free(t.row);
    free(t.number);
    return r;
}

static kai_result write_bodies(hid_t group, const kai_world* world, kai_error* err)
{
    const size_t count = world->bodies.count;
    const char** names = calloc(count + 1, sizeof *names);
    uint32_t* ids = malloc((count + 1) * sizeof *ids); // slots at first
    uint8_t* fixed = malloc(count + 1);
    kai_result r = names && ids && fixed ? KAI_OK : no_memory(err);
    if (r == KAI_OK) kai_bodies_list(&world->bodies, ids);
    for (size_t i = 0; r == KAI_OK && i < count; i++) {
        const size_t slot = ids[i];
        names[i] = world->bodies.colds[world->bodies.shared_properties[slot]].name;
        ids[i] = world->bodies.owner[slot];
        fixed[i] = (world->bodies.motion[slot].flags & KAI_BODY_FIXED) != 0;
    }
    if (r == KAI_OK) r = kai_h5_write(group, "bodies", H5T_NATIVE_UINT32, count, 1, ids, err);
    if (r == KAI_OK) r = kai_h5_write(group, "fixed", H5T_NATIVE_UINT8, count, 1, fixed, err);
    if (r == KAI_OK) r = kai_param_file_write_names(group, names, count, err);
    free(names);
    free(ids);
    free(fixed);
    return r;
}

kai_result kai_trajectory_describe(hid_t file, const kai_world* world, const char* scene,
                                   kai_error* err)
{
    hid_t group = -1;
    KAI_TRY(kai_h5_make_group(file, "Kairos", &group, err));
    kai_result r = kai_h5_write_text(group, "version", kai_info_version(), err);
    if (r == KAI_OK) r = kai_h5_write_text(group, "scene", scene, err);
    if (r == KAI_OK) r = write_bodies(group, world, err);
    if (r == KAI_OK) r = write_kinds(group, world, err);
    if (r == KAI_OK) r = write_shapes(group, world, err);
    H5Gclose(group);
    return r;
}
