// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder.h"

#include "base/hash.h"
#include "geometry/hull.h"
#include "model/world.h"
#include "record/file.h"
#include "scene/decomposition.h"
#include "scene/height_file.h"
#include "scene/mesh_parse.h"
#include "scene/paths.h"

#include <stdlib.h>
#include <string.h>

// What a message and the hash need.
typedef struct job {
    kai_builder* builder;
    const kai_document_node* node; // the shape
    const kai_document_node* file; // its "file", NULL: none
} job;

static bool builder_shapes_refuse(const job* j, const char* before, const char* what,
                                  const char* after)
{
    kai_reader* reader = &j->builder->reader;
    return kai_reader_report(reader, j->file ? j->file : j->node, "%s%s%s", before, what, after);
}

// Copies a table into the document's memory and mixes it into the hash.
static bool builder_shapes_keep(const job* j, const kai_table* from, kai_table* to)
{
    const size_t count = (size_t)from->rows * from->columns;
    double* data = kai_document_allocate(j->builder->reader.document, count, sizeof *data);
    if (!data) return false;
    if (count > 0) memcpy(data, from->data, count * sizeof *data);
    *to = (kai_table){data, from->rows, from->columns};
    const uint64_t shape[2] = {from->rows, from->columns};
    j->builder->hash = kai_hash_bytes(j->builder->hash, shape, sizeof shape);
    j->builder->hash = kai_hash_bytes(j->builder->hash, data, count * sizeof *data);
    return true;
}

// Opens the file and reads all of it; free() the bytes. False after a report.
static bool open_file(const job* j, kai_paths_file* opened, char** bytes, size_t* size)
{
    kai_reader* reader = &j->builder->reader;
    if (!kai_builder_open(j->builder, j->file, opened)) return false;
    const size_t limit = kai_document_limit(reader->document);
    const kai_result r = kai_file_read(
        opened->fd, limit < KAI_MESH_PARSE_BYTES ? limit : KAI_MESH_PARSE_BYTES, bytes, size);
    if (r == KAI_OK) return true;
    if (r == KAI_ERROR_MEMORY) reader->document->failed = true;
    kai_reader_report(reader, j->file, "%s: %s", opened->shown, kai_result_text(r));
    kai_paths_close(opened);
    return false;
}

// Whether the file, or the tables instead of it, are there: just one of them.
static bool has_source(const job* j, bool inline_data, const char* what)
{
    if (!j->file && !inline_data)
        return builder_shapes_refuse(j, "file is missing; or give ", what, "");
    if (j->file && inline_data)
        return builder_shapes_refuse(j, "file and ", what, " exclude each other");
    return true;
}

// Meshes -----------------------------------------------------------------------------------------

static bool read_mesh(const job* j, kai_paths_file* opened, kai_mesh_file* out)
{
    char* bytes;
    size_t size;
    kai_error err = {0};
    if (!open_file(j, opened, &bytes, &size)) return false;
    const kai_result r = kai_mesh_parse(bytes, size, opened->shown, opened->folder, out, &err);
    free(bytes);
    if (r == KAI_OK) return true;
    kai_reader* reader = &j->builder->reader;
    kai_reader_report(reader, j->file, "%s: %s", opened->shown, err.message);
    kai_paths_close(opened);
    return false;
}

static bool builder_shapes_decompose(const job* j, const kai_paths_file* opened,
                                     const kai_mesh_file* mesh, kai_shape_mesh_params* p)
{
    kai_reader* reader = &j->builder->reader;
    kai_decomposition d;
    kai_error err = {0};
    const kai_result r =
        kai_decomposition_find(mesh, p->weld / p->scale, p->concavity, opened->real, &d, &err);
    if (r != KAI_OK)
        return kai_reader_report(reader, j->node, "%s: %s", opened->shown, err.message);
    kai_world_log(
        reader->world, d.concavity > p->concavity || d.distrusted ? KAI_LOG_WARNING : KAI_LOG_INFO,
        "%s: %u convex parts%s, concavity %.3g of its size (%.3g allowed), volume %+.3g %%",
        opened->shown, d.count,
        d.cached       ? " (kept beside it)"
        : d.distrusted ? " (found anew: the file beside it is damaged or not of this mesh)"
                       : "",
        d.concavity, p->concavity, 100.0 * d.volume_error);
    const bool ok = builder_shapes_keep(j, &d.parts, &p->parts);
    kai_decomposition_free(&d);
    return ok;
}

static bool load_mesh(const job* j, kai_shape_mesh_params* p)
{
    if (!has_source(j, p->vertices.rows > 0 || p->triangles.rows > 0, "vertices and triangles"))
        return false;
    if (!j->file && (p->vertices.rows == 0 || p->triangles.rows == 0))
        return builder_shapes_refuse(j, "", p->vertices.rows == 0 ? "vertices" : "triangles",
                                     " is missing");
    if (!j->file) return true;
    kai_paths_file opened;
    kai_mesh_file mesh;
    if (!read_mesh(j, &opened, &mesh)) return false;
    bool ok = builder_shapes_keep(j, &mesh.vertices, &p->vertices) &&
              builder_shapes_keep(j, &mesh.triangles, &p->triangles);
    if (ok && p->decompose && p->parts.rows == 0)
        ok = builder_shapes_decompose(j, &opened, &mesh, p);
    kai_mesh_file_free(&mesh);
    kai_paths_close(&opened);
    return ok;
}

// Only the corners of the hull, so that a fine mesh is not kept with every shape made of it. What
// has no hull is kept whole, for the message that follows.
static bool keep_corners(const job* j, const kai_table* vertices, kai_table* out)
{
    kai_memory memory;
    kai_hull hull;
    kai_memory_init(&memory, NULL);
    const kai_vec3* points = (const kai_vec3*)(const void*)vertices->data;
    if (kai_hull_build(&hull, &memory, points, vertices->rows, NULL) != KAI_OK)
        return builder_shapes_keep(j, vertices, out);
    const kai_table corners = {&hull.vertices[0].x, hull.vertex_count, 3};
    const bool ok = builder_shapes_keep(j, &corners, out);
    kai_hull_free(&hull, &memory);
    return ok;
}

static bool load_hull(const job* j, kai_shape_hull_params* p)
{
    if (!has_source(j, p->points.rows > 0, "points")) return false;
    if (!j->file) return true;
    kai_paths_file opened;
    kai_mesh_file mesh;
    if (!read_mesh(j, &opened, &mesh)) return false;
    const bool ok = keep_corners(j, &mesh.vertices, &p->points);
    kai_mesh_file_free(&mesh);
    kai_paths_close(&opened);
    return ok;
}

// Height fields ----------------------------------------------------------------------------------

static bool load_heightfield(const job* j, kai_shape_heightfield_params* p)
{
    if (!has_source(j, p->grid.rows > 0, "grid")) return false;
    if (!j->file) return true;
    kai_reader* reader = &j->builder->reader;
    kai_paths_file opened;
    char* bytes;
    size_t size;
    kai_table heights;
    kai_error err = {0};
    if (!open_file(j, &opened, &bytes, &size)) return false;
    const size_t limit = kai_document_limit(reader->document);
    bool ok = kai_height_file_parse(bytes, size, opened.shown, limit, &heights, &err) == KAI_OK;
    free(bytes);
    if (ok)
        ok = builder_shapes_keep(j, &heights, &p->grid);
    else
        kai_reader_report(reader, j->file, "%s: %s", opened.shown, err.message);
    free((void*)(uintptr_t)heights.data);
    kai_paths_close(&opened);
    return ok;
}

bool kai_builder_shapes_load(kai_builder* builder, const kai_document_node* node,
                             const kai_shape_kind* kind, void* instance)
{
    const job j = {builder, node, kai_document_get(node, "file")};
    if (kind == &kai_shape_mesh) return load_mesh(&j, instance);
    if (kind == &kai_shape_hull) return load_hull(&j, instance);
    if (kind == &kai_shape_heightfield) return load_heightfield(&j, instance);
    return true;
}
