// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Triangles from mesh files, for shapes of kind `mesh` and `hull`.
#ifndef KAIROS_MESH_FILE_H
#define KAIROS_MESH_FILE_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file holds: all its objects together, polygons cut into triangles, coordinates as they
/// stand in the file.
typedef struct kai_mesh_file {
    kai_table vertices;  ///< rows [x, y, z]
    kai_table triangles; ///< rows of three rows of `vertices`
} kai_mesh_file;

/// Reads a mesh: .obj and .stl always, .gltf, .glb and .dae when Kairos was built with Assimp,
/// which runs in a contained process (kairos/import.h). Files that it names in turn (buffers of a
/// .gltf) are read from its own folder only. KAI_ERROR_FILE, _FORMAT, _LIMIT, _MEMORY,
/// _UNSUPPORTED; nothing is left in `out` then.
KAI_API kai_result kai_mesh_file_read(const char* path, kai_mesh_file* out, kai_error* err);

/// Gives the memory back.
KAI_API void kai_mesh_file_free(kai_mesh_file* file);

#ifdef __cplusplus
}
#endif

#endif
