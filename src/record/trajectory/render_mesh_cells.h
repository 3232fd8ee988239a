// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the meshes of a meshes.h5 are made of. Nothing in the file is believed.
#ifndef RECORD_RENDER_MESH_CELLS_H
#define RECORD_RENDER_MESH_CELLS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { KAI_RENDER_MESH_CELLS_FIELDS = 64, KAI_RENDER_MESH_CELLS_NAME = 320 };

/// Triangles and lines of all meshes, and the names of fields.
typedef struct kai_render_mesh_cells {
    size_t vertices;    // of all meshes
    size_t count;       // cells
    int64_t* corners;   // [offsets[count]] vertices
    int64_t* offsets;   // [count + 1] into corners; a cell has two or three
    int64_t* mesh;      // [count]: which mesh it belongs to
    size_t field_count; // of every vertex
    char fields[KAI_RENDER_MESH_CELLS_FIELDS][KAI_RENDER_MESH_CELLS_NAME];
} kai_render_mesh_cells;

/// Reads them. KAI_ERROR_FORMAT when the file is none or makes no sense. Free them also then.
kai_result kai_render_mesh_cells_read(const char* path, kai_render_mesh_cells* out, kai_error* err);

void kai_render_mesh_cells_free(kai_render_mesh_cells* cells);

#endif
