// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include "record/file.h"
#include "record/trajectory/render_mesh_cells.h"
#include "record/trajectory/render_mesh_file.h"
#include "record/trajectory/render_mesh_read.h"
#include "view/export_frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct writer {
    const kai_view_export_def* def;
    kai_render_mesh_cells cells;
    kai_render_mesh_read* reader;
    double* numbers; // [3 vertices]
    kai_text head, data, list;
} writer;

static void add_integer(writer* w, int64_t x) { kai_text_add_bytes(&w->data, &x, sizeof x); }

static size_t count_cells(const kai_render_mesh_cells* c, int64_t corners)
{
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) n += c->offsets[i + 1] - c->offsets[i] == corners;
    return n;
}

/// Lines or triangles.
static void add_cells(writer* w, const char* name, int64_t corners)
{
    const kai_render_mesh_cells* c = &w->cells;
    const size_t n = count_cells(c, corners);
    kai_text_add(&w->head, "<%s>\n", name);
    kai_export_frames_array(&w->head, &w->data, "Int64", "connectivity", 1,
                            8 * n * (size_t)corners);
    for (size_t i = 0; i < c->count; i++)
        for (int64_t k = c->offsets[i];
             c->offsets[i + 1] - c->offsets[i] == corners && k < c->offsets[i + 1]; k++)
            add_integer(w, c->corners[k]);
    kai_export_frames_array(&w->head, &w->data, "Int64", "offsets", 1, 8 * n);
    for (size_t i = 1; i <= n; i++) add_integer(w, (int64_t)i * corners);
    kai_text_add(&w->head, "</%s>\n", name);
}

/// The mesh of every cell, in VTK's order: lines, then triangles.
static void add_mesh(writer* w)
{
    const kai_render_mesh_cells* c = &w->cells;
    kai_text_add(&w->head, "<CellData>\n");
    kai_export_frames_array(&w->head, &w->data, "Int64", "mesh", 1, 8 * c->count);
    for (int64_t corners = 2; corners <= 3; corners++)
        for (size_t i = 0; i < c->count; i++)
            if (c->offsets[i + 1] - c->offsets[i] == corners) add_integer(w, c->mesh[i]);
    kai_text_add(&w->head, "</CellData>\n");
}

static kai_result write_frame(writer* w, size_t k, const char* name, kai_error* err)
{
    const kai_render_mesh_cells* c = &w->cells;
    w->head.size = w->data.size = 0;
    kai_text_add(&w->head,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                 "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
                 "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" "
                 "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<PointData>\n",
                 c->vertices, count_cells(c, 2), count_cells(c, 3));
    for (size_t i = 0; i < c->field_count; i++) {
        KAI_TRY(kai_render_mesh_read_field(w->reader, k, c->fields[i], 0, c->vertices, w->numbers,
                                           err));
        kai_export_frames_array(&w->head, &w->data, "Float64", c->fields[i], 1, 8 * c->vertices);
        kai_text_add_bytes(&w->data, w->numbers, 8 * c->vertices);
    }
    kai_text_add(&w->head, "</PointData>\n");
    add_mesh(w);
    KAI_TRY(kai_render_mesh_read_positions(w->reader, k, w->numbers, err));
    kai_text_add(&w->head, "<Points>\n");
    kai_export_frames_array(&w->head, &w->data, "Float64", "position", 3, 24 * c->vertices);
    kai_text_add_bytes(&w->data, w->numbers, 24 * c->vertices);
    kai_text_add(&w->head, "</Points>\n");
    add_cells(w, "Lines", 2);
    add_cells(w, "Polys", 3);
    return kai_export_frames_end(w->def, name, &w->head, &w->data, err);
}

static kai_result write_all(writer* w, const char* path, size_t every, kai_error* err)
{
    KAI_TRY(kai_render_mesh_cells_read(path, &w->cells, err));
    KAI_TRY(kai_render_mesh_read_open(&w->reader, path, w->cells.vertices, err));
    w->numbers = malloc((3 * w->cells.vertices + 1) * sizeof *w->numbers);
    if (!w->numbers) return kai_file_no_memory(path, err);
    kai_text_add(&w->list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                           "version=\"0.1\">\n<Collection>\n");
    const size_t frames = kai_render_mesh_read_frames(w->reader);
    for (size_t k = 0; k < frames; k += every) {
        char name[64];
        snprintf(name, sizeof name, "meshes-%06zu.vtp", k);
        KAI_TRY(write_frame(w, k, name, err));
        kai_text_add(&w->list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                     kai_render_mesh_read_times(w->reader)[k], name);
    }
    kai_text_add(&w->list, "</Collection>\n</VTKFile>\n");
    return kai_export_frames_write(w->def, "meshes.pvd", &w->list, err);
}

kai_result kai_export_meshes(const kai_view_export_def* def, size_t every, kai_error* err)
{
    writer w = {.def = def};
    char* path = kai_file_join(def->directory, KAI_RENDER_MESH_FILE);
    if (!path) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a path");
    const kai_result r = access(path, F_OK) == 0 ? write_all(&w, path, every, err) : KAI_OK;
    kai_render_mesh_cells_free(&w.cells);
    kai_render_mesh_read_close(w.reader);
    kai_text_free(&w.list);
    kai_text_free(&w.head);
    kai_text_free(&w.data);
    free(w.numbers);
    free(path);
    return r;
}
