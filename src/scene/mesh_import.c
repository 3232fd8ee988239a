// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/mesh_text.h"

#ifdef KAIROS_HAVE_ASSIMP

#include "import/import.h"

kai_result kai_mesh_import_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                kai_import_format format, const char* folder, kai_error* err)
{
    const kai_import_job job = {.format = format, .bytes = bytes, .size = size, .folder = folder};
    kai_import_mesh read;
    KAI_TRY(kai_import_read(&job, &read, err));
    kai_result r =
        kai_array_append(&mesh->points, mesh->memory, read.points, read.point_count, err);
    if (r == KAI_OK)
        r = kai_array_append(&mesh->triangles, mesh->memory, read.triangles, read.triangle_count,
                             err);
    kai_import_free(&read);
    return r;
}

#else

kai_result kai_mesh_import_read(kai_mesh_text* mesh, const char* bytes, size_t size,
                                kai_import_format format, const char* folder, kai_error* err)
{
    (void)mesh, (void)bytes, (void)size, (void)folder;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "a .%s file needs Assimp, and Kairos was built without it (Debian package "
                         "libassimp-dev)",
                         format == KAI_IMPORT_DAE   ? "dae"
                         : format == KAI_IMPORT_GLB ? "glb"
                                                    : "gltf");
}

#endif
