// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/catalog.h"

#include "base/text.h"
#include "record/h5.h"
#include "record/param_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_TEXT = 256, ID_MOST = 1 << 28 };

// A row of "shapes" as trajectory_describe.c writes it, as far as it is needed here.
typedef struct row {
    uint32_t body, kind, first_parameter, parameter_count;
    uint32_t first_vertex, vertex_count, first_triangle, triangle_count;
    kai_frame frame;
    double margin;
} row;

static const kai_member ROW[] = {
    {"body", offsetof(row, body), KAI_NUMBER_U32, 1},
    {"kind", offsetof(row, kind), KAI_NUMBER_U32, 1},
    {"first_parameter", offsetof(row, first_parameter), KAI_NUMBER_U32, 1},
    {"parameter_count", offsetof(row, parameter_count), KAI_NUMBER_U32, 1},
    {"first_vertex", offsetof(row, first_vertex), KAI_NUMBER_U32, 1},
    {"vertex_count", offsetof(row, vertex_count), KAI_NUMBER_U32, 1},
    {"first_triangle", offsetof(row, first_triangle), KAI_NUMBER_U32, 1},
    {"triangle_count", offsetof(row, triangle_count), KAI_NUMBER_U32, 1},
    {"position", offsetof(row, frame.position), KAI_NUMBER_F64, 3},
    {"rotation", offsetof(row, frame.rotation), KAI_NUMBER_F64, 4},
    {"radius_margin", offsetof(row, margin), KAI_NUMBER_F64, 1},
};

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the bodies of a trajectory");
}

static kai_result read_bodies(kai_catalog* c, hid_t group, kai_error* err)
{
    void* ids = NULL;
    KAI_TRY(kai_h5_read(group, "bodies", H5T_NATIVE_UINT32, 1, &ids, &c->count, err));
    c->ids = ids;
    c->names = calloc(c->count + 1, sizeof *c->names);
    c->radius = calloc(c->count + 1, sizeof *c->radius);
    if (c->names == NULL || c->radius == NULL) return no_memory(err);
    uint32_t largest = 0;
    for (size_t i = 0; i < c->count; i++) {
        c->names[i] = "";
        if (c->ids[i] > largest) largest = c->ids[i];
    }
    if (largest > ID_MOST)
        return kai_error_set(err, KAI_ERROR_FORMAT, "'bodies' has an id of %u", largest);
    c->id_count = (size_t)largest + 1;
    c->row_of_id = malloc(c->id_count * sizeof *c->row_of_id);
    if (c->row_of_id == NULL) return no_memory(err);
    memset(c->row_of_id, 0xff, c->id_count * sizeof *c->row_of_id);
    for (size_t i = 0; i < c->count; i++) c->row_of_id[c->ids[i]] = (uint32_t)i;

    uint32_t* named = NULL;
    size_t stride = 0, count = 0;
    KAI_TRY(
        kai_param_file_read_names(group, c->count, &named, &c->name_texts, &stride, &count, err));
    for (size_t i = 0; i < count; i++) c->names[named[i]] = c->name_texts + i * stride;
    free(named);
    return KAI_OK;
}

// How many rows the lists have that shapes point to.
typedef struct lengths {
    size_t kinds, numbers, vertices, triangles;
} lengths;

static bool is_within(uint32_t first, uint32_t count, size_t length)
{
    return first <= length && count <= length - first;
}

// A row of the file as a shape; false when it points nowhere.
static bool take_shape(kai_catalog* c, const row* r, const lengths* n)
{
    if (r->body >= c->id_count || c->row_of_id[r->body] == UINT32_MAX || r->kind >= n->kinds ||
        !is_within(r->first_parameter, r->parameter_count, n->numbers) ||
        !is_within(r->first_vertex, r->vertex_count, n->vertices) ||
        !is_within(r->first_triangle, r->triangle_count, n->triangles))
        return false;
    const bool drawn = r->triangle_count > 0 && r->vertex_count > 0;
    const uint32_t* corners = drawn ? c->triangles + 3 * (size_t)r->first_triangle : NULL;
    for (size_t i = 0; drawn && i < 3 * (size_t)r->triangle_count; i++)
        if (corners[i] >= r->vertex_count) return false;
    kai_catalog_shape* s = &c->shapes[c->shape_count++];
    *s = (kai_catalog_shape){.body = c->row_of_id[r->body],
                             .kind = c->kind_texts + (size_t)r->kind * KIND_TEXT,
                             .numbers = c->numbers + r->first_parameter,
                             .number_count = r->parameter_count,
                             .vertices = drawn ? c->vertices + 3 * (size_t)r->first_vertex : NULL,
                             .vertex_count = drawn ? r->vertex_count : 0,
                             .triangles = corners,
                             .triangle_count = drawn ? r->triangle_count : 0,
                             .margin = r->margin,
                             .frame = r->frame};
    if (strcmp(s->kind, "sphere") == 0 && s->number_count >= 1 && isfinite(s->numbers[0]))
        c->radius[s->body] = fmax(c->radius[s->body], s->numbers[0]);
    return true;
}

// Triangles of hulls, meshes and height fields; files of before they were written have none.
static kai_result read_surfaces(kai_catalog* c, hid_t group, lengths* n, kai_error* err)
{
    void *vertices = NULL, *triangles = NULL;
    if (!kai_h5_has(group, "surface_vertices")) return KAI_OK;
    KAI_TRY(
        kai_h5_read(group, "surface_vertices", H5T_NATIVE_FLOAT, 3, &vertices, &n->vertices, err));
    c->vertices = vertices;
    KAI_TRY(kai_h5_read(group, "surface_triangles", H5T_NATIVE_UINT32, 3, &triangles, &n->triangles,
                        err));
    c->triangles = triangles;
    return KAI_OK;
}

static kai_result read_shapes(kai_catalog* c, hid_t group, kai_error* err)
{
    void *texts = NULL, *numbers = NULL, *rows = NULL;
    size_t count = 0;
    lengths n = {0};
    const hid_t text = kai_h5_text_type(KIND_TEXT),
                type = kai_h5_compound(ROW, KAI_COUNT(ROW), sizeof(row));
    kai_result r = text >= 0 && type >= 0 ? KAI_OK : no_memory(err);
    if (r == KAI_OK) r = kai_h5_read(group, "shape_kinds", text, 1, &texts, &n.kinds, err);
    c->kind_texts = texts;
    if (r == KAI_OK)
        r = kai_h5_read(group, "shape_parameters", H5T_NATIVE_DOUBLE, 1, &numbers, &n.numbers, err);
    c->numbers = numbers;
    if (r == KAI_OK) r = read_surfaces(c, group, &n, err);
    if (r == KAI_OK) r = kai_h5_read(group, "shapes", type, 1, &rows, &count, err);
    if (text >= 0) H5Tclose(text);
    if (type >= 0) H5Tclose(type);
    // "cylinder radius length" → "cylinder"
    for (size_t i = 0; r == KAI_OK && i < n.kinds; i++) {
        char* name = c->kind_texts + i * KIND_TEXT;
        name[KIND_TEXT - 1] = '\0';
        name[strcspn(name, " ")] = '\0';
    }
    if (r == KAI_OK) c->shapes = malloc((count + 1) * sizeof *c->shapes);
    if (r == KAI_OK && c->shapes == NULL) r = no_memory(err);
    for (size_t i = 0; r == KAI_OK && i < count; i++)
        if (!take_shape(c, (const row*)rows + i, &n))
            r = kai_error_set(err, KAI_ERROR_FORMAT, "shape %zu points nowhere", i + 1);
    free(rows);
    return r;
}

kai_result kai_catalog_read(kai_catalog* c, const kai_trajectory_read* reader, kai_error* err)
{
    *c = (kai_catalog){0};
    hid_t group = -1;
    kai_h5_begin();
    kai_result r =
        kai_h5_open_group((hid_t)kai_trajectory_read_file(reader), "Kairos", &group, err);
    if (r == KAI_OK) r = read_bodies(c, group, err);
    if (r == KAI_OK) r = read_shapes(c, group, err);
    if (group >= 0) H5Gclose(group);
    kai_h5_end();
    if (r != KAI_OK) {
        kai_error_prefix(err, "trajectory.h5");
        kai_catalog_free(c);
    }
    return r;
}

size_t kai_catalog_find(const kai_catalog* c, const char* name)
{
    for (size_t i = 0; name[0] != '\0' && i < c->count; i++)
        if (strcmp(c->names[i], name) == 0) return i;
    return SIZE_MAX;
}

static const char* name_at(size_t i, const void* context)
{
    const char* name = ((const kai_catalog*)context)->names[i];
    return name[0] != '\0' ? name : NULL;
}

const char* kai_catalog_nearest(const kai_catalog* c, const char* name)
{
    return kai_text_nearest(name, c->count, name_at, c);
}

void kai_catalog_free(kai_catalog* c)
{
    free(c->ids);
    free(c->names);
    free(c->radius);
    free(c->row_of_id);
    free(c->shapes);
    free(c->name_texts);
    free(c->kind_texts);
    free(c->numbers);
    free(c->vertices);
    free(c->triangles);
    *c = (kai_catalog){0};
}
