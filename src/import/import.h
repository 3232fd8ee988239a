// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Files that libraries of others read. Such a library is large, sees bytes of strangers, and some
// know commands that run programs or read other files. So none is part of this library: the program
// kairos-import has them, in a process that can reach nothing, and hands back a plain mesh.
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "import/import_format.h"

/// What to read.
typedef struct kai_import_job {
    kai_import_format format;
    const char* bytes; // of the file
    size_t size;
    const char* folder;   // real path; other files that the file names are looked for here only.
                          // NULL: none is given
    int dimension, order; // of cells, for Gmsh
    bool quads;
    double cell_size; // 0: as Gmsh likes
} kai_import_job;

/// What came back: a .msh file of version 4.1 from shapes and .msh, else triangles. Checked:
/// coordinates are finite, corners exist.
typedef struct kai_import_mesh {
    char* text;
    size_t text_size;
    double* points; // [3 * point_count]
    size_t point_count;
    uint32_t* triangles; // [3 * triangle_count]
    size_t triangle_count;
    void* block; // what all of it lies in
} kai_import_mesh;

/// Starts kairos-import and waits for its mesh. KAI_ERROR_FORMAT for a file that it cannot read or
/// that makes it fail, _LIMIT where memory or time ran out, _UNSUPPORTED where it, or a library, is
/// missing or it cannot be contained, _FILE, _MEMORY.
kai_result kai_import_read(const kai_import_job* job, kai_import_mesh* out, kai_error* err);

/// Gives the memory back.
void kai_import_free(kai_import_mesh* mesh);

#endif
