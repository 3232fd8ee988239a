// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes, height fields and kept decompositions from anyone. The first byte says what the rest is:
// o OBJ, s STL, c CSV, p PNG, d decomposition. What is read must build, or be refused.
#include "geometry/heightfield.h"
#include "geometry/mesh.h"
#include "scene/decomposition.h"
#include "scene/height_file.h"
#include "scene/mesh_parse.h"

#include <math.h>
#include <stdlib.h>

static void fuzz_mesh_build(const kai_mesh_file* file)
{
    kai_memory memory;
    kai_mesh mesh;
    const size_t n = file->triangles.rows;
    uint32_t(*t)[3] = malloc((n + 1) * sizeof *t);
    if (!t) return;
    for (size_t i = 0; i < 3 * n; i++) t[i / 3][i % 3] = (uint32_t)file->triangles.data[i];
    kai_memory_init(&memory, NULL);
    const kai_vec3* x = (const kai_vec3*)(const void*)file->vertices.data;
    for (int k = 0; k < 2; k++) {
        if (kai_mesh_build(&mesh, &memory, x, file->vertices.rows, (const uint32_t(*)[3])t, n,
                           k ? 1e-3 : 0.0, NULL) != KAI_OK)
            continue;
        (void)kai_mesh_check_solid(&mesh, NULL);
        (void)kai_mesh_ray(&mesh, mesh.low, kai_vec3_make(1.0, 1.0, 1.0), HUGE_VAL);
        (void)kai_mesh_nearest(&mesh, mesh.high, HUGE_VAL, NULL);
        kai_mesh_free(&mesh, &memory);
    }
    if (memory.bytes != 0) abort();
    free(t);
}

static void fuzz_mesh_heights(const char* data, size_t size, const char* name)
{
    kai_memory memory;
    kai_heightfield field;
    kai_table grid;
    kai_memory_init(&memory, NULL);
    if (kai_height_file_parse(data, size, name, SIZE_MAX, &grid, NULL) != KAI_OK) return;
    if (kai_heightfield_build(&field, &memory, grid.data, grid.columns, grid.rows, 1.0, 1.0,
                              NULL) == KAI_OK)
        kai_heightfield_free(&field, &memory);
    if (memory.bytes != 0) abort();
    free((void*)(uintptr_t)grid.data);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0) return 0;
    const char* rest = (const char*)data + 1;
    kai_mesh_file file;
    kai_decomposition parts;
    switch (data[0]) {
    case 'o':
    case 's':
        if (kai_mesh_parse(rest, size - 1, data[0] == 'o' ? "x.obj" : "x.stl", NULL, &file, NULL) !=
            KAI_OK)
            break;
        fuzz_mesh_build(&file);
        kai_mesh_file_free(&file);
        break;
    case 'c':
    case 'p': fuzz_mesh_heights(rest, size - 1, data[0] == 'c' ? "x.csv" : "x.png"); break;
    case 'd':
        if (kai_decomposition_parse(rest, size - 1, 0, &parts) == KAI_OK)
            kai_decomposition_free(&parts);
        break;
    default: break;
    }
    return 0;
}
