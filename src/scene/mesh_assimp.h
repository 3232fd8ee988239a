// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The only file that knows Assimp.
#ifndef SCENE_MESH_ASSIMP_H
#define SCENE_MESH_ASSIMP_H

#include "scene/mesh_text.h"

/// Reads a file whose bytes are given, of the format that `extension` (without dot) names. Files
/// that it names in turn are looked for in `folder` and nowhere else. KAI_ERROR_FORMAT with
/// Assimp's words, _UNSUPPORTED without Assimp.
kai_result kai_mesh_assimp_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                const char* extension, const char* folder, kai_error* err);

#endif
