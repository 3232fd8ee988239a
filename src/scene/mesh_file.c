// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "scene/mesh_parse.h"
#include "scene/paths.h"

#include <stdlib.h>

kai_result kai_mesh_file_read(const char* path, kai_mesh_file* out, kai_error* err)
{
    KAI_GIVEN(err, path, out);
    *out = (kai_mesh_file){0};
    if (!path[0])
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_mesh_file_read: path is empty");
    char* bytes = NULL;
    size_t size = 0;
    kai_result r = kai_paths_load(path, KAI_MESH_PARSE_BYTES, &bytes, &size, err);
    if (r == KAI_OK) {
        char* folder = kai_paths_folder(path);
        r = kai_mesh_parse(bytes, size, path, folder, out, err);
        free(folder);
    }
    free(bytes);
    if (r != KAI_OK && err) kai_error_prefix(err, "%s", path);
    return r;
}

void kai_mesh_file_free(kai_mesh_file* file)
{
    KAI_GIVEN_VOID(file);
    free((void*)(uintptr_t)file->vertices.data);
    free((void*)(uintptr_t)file->triangles.data);
    *file = (kai_mesh_file){0};
}
