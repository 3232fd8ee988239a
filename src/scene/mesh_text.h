// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mesh files that Kairos reads by itself, in double precision: OBJ and STL.
#ifndef SCENE_MESH_TEXT_H
#define SCENE_MESH_TEXT_H

#include "base/array.h"
#include "import/import_format.h"

/// Points and triangles while they are read.
typedef struct kai_mesh_text {
    kai_memory* memory;
    kai_array points;    // kai_vec3
    kai_array triangles; // uint32_t [3]
} kai_mesh_text;

/// Most corners of one polygon.
#define KAI_MESH_TEXT_CORNERS 256

/// Reads an OBJ file: `v` and `f` lines, the rest is passed over. Messages begin with the line.
kai_result kai_mesh_text_obj(kai_mesh_text* mesh, const char* text, size_t size, kai_error* err);

/// Reads an STL file, text or binary.
kai_result kai_mesh_text_stl(kai_mesh_text* mesh, const char* text, size_t size, kai_error* err);

/// Cuts a polygon into triangles by clipping ears, and adds them.
kai_result kai_mesh_text_polygon(kai_mesh_text* mesh, const uint32_t* corners, size_t count,
                                 kai_error* err);

/// Reads a file (glTF, GLB or DAE) whose bytes are given. Files that it names in turn are looked
/// for in `folder` and nowhere else. Errors of kai_import_read.
kai_result kai_mesh_import_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                kai_import_format format, const char* folder, kai_error* err);

#endif
