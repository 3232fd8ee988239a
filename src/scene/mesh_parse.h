// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// From the bytes of a mesh file to tables.
#ifndef SCENE_MESH_PARSE_H
#define SCENE_MESH_PARSE_H

#include "base/error.h"

#include <kairos/mesh_file.h>

/// Most bytes of a mesh file.
#define KAI_MESH_PARSE_BYTES ((size_t)4 << 30)

/// Reads bytes of the format that the end of `name` says. `folder` is where files that it names in
/// turn may lie; NULL: nowhere. Free with kai_mesh_file_free.
kai_result kai_mesh_parse(const char* bytes, size_t size, const char* name, const char* folder,
                          kai_mesh_file* out, kai_error* err);

#endif
