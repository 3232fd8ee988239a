// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files for ParaView: points.pvd, a point a body with its data, shapes.pvd, surfaces as triangles,
// and meshes.pvd, deforming meshes. A .pvd lists files with their times; a .vtp
// is XML with its numbers appended as raw bytes, each array after its size as a UInt64.
#include "base/check.h"
#include "record/file.h"
#include "record/trajectory/trajectory_fields.h"
#include "view/export_frames.h"
#include "view/surface.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHAPES_MOST = 20000 }; // more surfaces than that make files that nobody opens

typedef struct writer {
    const kai_view_export_def* def;
    kai_export_frames frames;
    kai_surface* surfaces; // [catalog.count] surface of each body; NULL: too many
    kai_text points_list, shapes_list;
    kai_text head, data; // of the file in the making
} writer;

// A file -----------------------------------------------------------------------------------------

static void begin_file(writer* w, size_t points, const char* cells, size_t cell_count)
{
    w->head.size = w->data.size = 0;
    kai_text_add(&w->head,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                 "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
                 "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
                 "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                 points, cells[0] == 'V' ? cell_count : 0, cells[0] == 'P' ? cell_count : 0);
}

static void add_data(writer* w, const void* data, size_t bytes)
{
    kai_text_add_bytes(&w->data, data, bytes);
}

static void add_float(writer* w, double x)
{
    const float f = (float)x;
    add_data(w, &f, sizeof f);
}

// Points -----------------------------------------------------------------------------------------

// Calls back for every body of a frame that was asked for.
#define FOR_CHOSEN(w, frame, i, row)                 \
    for (size_t i = 0, row; i < (frame)->count; i++) \
        if ((row = kai_export_frames_row(&(w)->frames, (frame)->id[i])) != SIZE_MAX)

static size_t count_chosen(const writer* w, const kai_trajectory_frame* frame)
{
    size_t n = 0;
    FOR_CHOSEN(w, frame, i, row) n++;
    return n;
}

static kai_result write_points(writer* w, const kai_trajectory_frame* f, const char* name,
                               kai_error* err)
{
    const size_t n = count_chosen(w, f);
    begin_file(w, n, "Verts", n);
    kai_text_add(&w->head, "<PointData>\n");
    kai_export_frames_array(&w->head, &w->data, "UInt32", "id", 1, 4 * n);
    FOR_CHOSEN(w, f, i, row) add_data(w, &f->id[i], 4);
    kai_export_frames_array(&w->head, &w->data, "Float32", "radius", 1, 4 * n);
    FOR_CHOSEN(w, f, i, row) add_float(w, w->frames.catalog.radius[row]);
    if (f->velocity != NULL) {
        kai_export_frames_array(&w->head, &w->data, "Float32", "velocity", 3, 12 * n);
        FOR_CHOSEN(w, f, i, row)
        for (int c = 0; c < 3; c++) add_float(w, f->velocity[3 * i + (size_t)c]);
    }
    for (size_t k = 0; k < KAI_TRAJECTORY_FIELD_COUNT; k++) {
        if (f->fields[k] == NULL) continue;
        kai_export_frames_array(&w->head, &w->data, "Float32", kai_trajectory_fields_word(k), 1,
                                4 * n);
        FOR_CHOSEN(w, f, i, row) add_float(w, f->fields[k][i]);
    }
    kai_export_frames_array(&w->head, &w->data, "Float32", "rotation", 4, 16 * n);
    FOR_CHOSEN(w, f, i, row)
    for (int c = 0; c < 4; c++) add_float(w, f->rotation[4 * i + (size_t)c]);
    kai_text_add(&w->head, "</PointData>\n<Points>\n");
    kai_export_frames_array(&w->head, &w->data, "Float64", "position", 3, 24 * n);
    FOR_CHOSEN(w, f, i, row) add_data(w, f->position + 3 * i, 24);
    kai_text_add(&w->head, "</Points>\n<Verts>\n");
    kai_export_frames_array(&w->head, &w->data, "Int64", "connectivity", 1, 8 * n);
    for (int64_t i = 0; i < (int64_t)n; i++) add_data(w, &i, sizeof i);
    kai_export_frames_array(&w->head, &w->data, "Int64", "offsets", 1, 8 * n);
    for (int64_t i = 1; i <= (int64_t)n; i++) add_data(w, &i, sizeof i);
    kai_text_add(&w->head, "</Verts>\n");
    return kai_export_frames_end(w->def, name, &w->head, &w->data, err);
}

// Shapes -----------------------------------------------------------------------------------------

static kai_result make_surfaces(writer* w, kai_error* err)
{
    const kai_catalog* c = &w->frames.catalog;
    size_t wanted = 0;
    for (size_t i = 0; i < c->shape_count; i++) wanted += w->frames.chosen[c->shapes[i].body];
    if (wanted == 0 || wanted > SHAPES_MOST) return KAI_OK;
    w->surfaces = calloc(c->count + 1, sizeof *w->surfaces);
    bool good = w->surfaces != NULL;
    for (size_t i = 0; good && i < c->shape_count; i++) {
        if (!w->frames.chosen[c->shapes[i].body]) continue;
        kai_surface_add(&w->surfaces[c->shapes[i].body], &c->shapes[i]);
        good = !kai_surface_failed(&w->surfaces[c->shapes[i].body]);
    }
    return good ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "no memory for shapes");
}

static void add_surface_points(writer* w, const kai_trajectory_frame* f, size_t i,
                               const kai_surface* s)
{
    const double *x = f->position + 3 * i, *q = f->rotation + 4 * i;
    const kai_frame frame = {kai_vec3_make(x[0], x[1], x[2]),
                             kai_quat_make(q[0], q[1], q[2], q[3])};
    const kai_vec3* points = (const kai_vec3*)(const void*)s->points.data;
    for (size_t k = 0; k < kai_surface_points(s); k++) {
        const kai_vec3 at = kai_frame_point_to_parent(frame, points[k]);
        add_float(w, at.x);
        add_float(w, at.y);
        add_float(w, at.z);
    }
}

static kai_result write_shapes(writer* w, const kai_trajectory_frame* f, const char* name,
                               kai_error* err)
{
    size_t points = 0, triangles = 0;
    FOR_CHOSEN(w, f, i, row)
    {
        points += kai_surface_points(&w->surfaces[row]);
        triangles += kai_surface_triangles(&w->surfaces[row]);
    }
    begin_file(w, points, "Polys", triangles);
    kai_text_add(&w->head, "<CellData>\n");
    kai_export_frames_array(&w->head, &w->data, "UInt32", "id", 1, 4 * triangles);
    FOR_CHOSEN(w, f, i, row)
    for (size_t k = 0; k < kai_surface_triangles(&w->surfaces[row]); k++) add_data(w, &f->id[i], 4);
    kai_text_add(&w->head, "</CellData>\n<Points>\n");
    kai_export_frames_array(&w->head, &w->data, "Float32", "position", 3, 12 * points);
    FOR_CHOSEN(w, f, i, row) add_surface_points(w, f, i, &w->surfaces[row]);
    kai_text_add(&w->head, "</Points>\n<Polys>\n");
    kai_export_frames_array(&w->head, &w->data, "Int64", "connectivity", 1, 24 * triangles);
    int64_t base = 0;
    FOR_CHOSEN(w, f, i, row)
    {
        const kai_surface* s = &w->surfaces[row];
        const uint32_t* corners = (const uint32_t*)(const void*)s->triangles.data;
        for (size_t k = 0; k < 3 * kai_surface_triangles(s); k++) {
            const int64_t corner = base + corners[k];
            add_data(w, &corner, sizeof corner);
        }
        base += (int64_t)kai_surface_points(s);
    }
    kai_export_frames_array(&w->head, &w->data, "Int64", "offsets", 1, 8 * triangles);
    for (int64_t i = 1; i <= (int64_t)triangles; i++) {
        const int64_t end = 3 * i;
        add_data(w, &end, sizeof end);
    }
    kai_text_add(&w->head, "</Polys>\n");
    return kai_export_frames_end(w->def, name, &w->head, &w->data, err);
}

// All --------------------------------------------------------------------------------------------

static void list_file(kai_text* list, double time, const char* name)
{
    if (list->size == 0)
        kai_text_add(list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                           "version=\"0.1\">\n<Collection>\n");
    kai_text_add(list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", time, name);
}

static kai_result write_frames(writer* w, kai_error* err)
{
    const size_t count = kai_trajectory_read_frames(w->frames.reader);
    KAI_TRY(make_surfaces(w, err));
    for (size_t k = 0; k < count; k += w->frames.every) {
        kai_trajectory_frame frame;
        char name[64];
        KAI_TRY(kai_trajectory_read_frame(w->frames.reader, k, &frame, err));
        snprintf(name, sizeof name, "points-%06zu.vtp", k);
        KAI_TRY(write_points(w, &frame, name, err));
        list_file(&w->points_list, frame.time, name);
        if (w->surfaces == NULL) continue;
        snprintf(name, sizeof name, "shapes-%06zu.vtp", k);
        KAI_TRY(write_shapes(w, &frame, name, err));
        list_file(&w->shapes_list, frame.time, name);
    }
    kai_text* lists[] = {&w->points_list, &w->shapes_list};
    const char* const names[] = {"points.pvd", "shapes.pvd"};
    for (int i = 0; i < 2; i++) {
        if (lists[i]->size == 0) continue;
        kai_text_add(lists[i], "</Collection>\n</VTKFile>\n");
        KAI_TRY(kai_export_frames_write(w->def, names[i], lists[i], err));
    }
    return kai_export_meshes(w->def, w->frames.every, err);
}

kai_result kai_view_export_vtk(const kai_view_export_def* def, kai_error* err)
{
    KAI_GIVEN(err, def);
    writer w = {.def = def};
    KAI_TRY(kai_export_frames_open(&w.frames, def, err));
    const kai_result r = write_frames(&w, err);
    for (size_t i = 0; w.surfaces != NULL && i < w.frames.catalog.count; i++)
        kai_surface_free(&w.surfaces[i]);
    free(w.surfaces);
    kai_text_free(&w.points_list);
    kai_text_free(&w.shapes_list);
    kai_text_free(&w.head);
    kai_text_free(&w.data);
    kai_export_frames_close(&w.frames);
    return r;
}
