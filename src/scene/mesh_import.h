// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mesh files that Assimp reads, in a process of its own.
#ifndef SCENE_MESH_IMPORT_H
#define SCENE_MESH_IMPORT_H

#include "import/import_format.h"
#include "scene/mesh_text.h"

/// Reads a file (glTF, GLB or DAE) whose bytes are given. Files that it names in turn are looked
/// for in `folder` and nowhere else. Errors of kai_import_read.
kai_result kai_mesh_import_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                kai_import_format format, const char* folder, kai_error* err);

#endif
