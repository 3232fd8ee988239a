// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/mesh_parse.h"

#include "scene/mesh_text.h"

#include <kairos/math.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Tables of the C library's memory, as kai_mesh_file_free gives back.
static kai_result to_tables(const kai_mesh_text* mesh, kai_mesh_file* out, kai_error* err)
{
    const size_t points = mesh->points.count, triangles = mesh->triangles.count;
    double* x = malloc((3 * points + 1) * sizeof *x);
    double* t = malloc((3 * triangles + 1) * sizeof *t);
    if (!x || !t || triangles > UINT32_MAX / 8) {
        free(x);
        free(t);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu triangles", triangles);
    }
    if (points > 0) memcpy(x, mesh->points.data, points * sizeof(kai_vec3));
    const uint32_t* from = mesh->triangles.data;
    for (size_t i = 0; i < 3 * triangles; i++) t[i] = from[i];
    *out = (kai_mesh_file){{x, (uint32_t)points, 3}, {t, (uint32_t)triangles, 3}};
    return KAI_OK;
}

kai_result kai_mesh_parse(const char* bytes, size_t size, const char* name, const char* folder,
                          kai_mesh_file* out, kai_error* err)
{
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_mesh_text mesh = {&memory, kai_array_make(sizeof(kai_vec3)),
                          kai_array_make(3 * sizeof(uint32_t))};
    const char* dot = strrchr(name, '.');
    const char* end = dot ? dot + 1 : "";
    const kai_import_format format = kai_import_format_of(name);
    kai_result r;
    *out = (kai_mesh_file){0};
    if (strcasecmp(end, "obj") == 0)
        r = kai_mesh_text_obj(&mesh, bytes, size, err);
    else if (strcasecmp(end, "stl") == 0)
        r = kai_mesh_text_stl(&mesh, bytes, size, err);
    else if (format >= KAI_IMPORT_GLTF)
        r = kai_mesh_import_read(&mesh, bytes, size, format, folder, err);
    else
        r = kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                          "a mesh file must end in .obj, .stl, .gltf, .glb or .dae");
    if (r == KAI_OK && mesh.triangles.count == 0)
        r = kai_error_set(err, KAI_ERROR_FORMAT, "it holds no triangle (%zu vertices)",
                          mesh.points.count);
    if (r == KAI_OK) r = to_tables(&mesh, out, err);
    kai_array_free(&mesh.points, &memory);
    kai_array_free(&mesh.triangles, &memory);
    return r;
}
