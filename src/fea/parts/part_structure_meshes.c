// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What render meshes of structures hold: made again from structures.
#include "fea/structures/structure_render_mesh.h"
#include "model/part.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)world, (void)part, (void)err;
    *(kai_array*)data = kai_array_make(sizeof(void*));
    return KAI_OK;
}

static void free_meshes(kai_world* world, void* data)
{
    (void)data;
    kai_structure_render_mesh_free(world);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)world;
    return kai_part_array_bytes(data);
}

const kai_part kai_part_structure_meshes = {
    .name = "structure meshes",
    KAI_PART_SPAN(structure_render_meshes, structure_render_meshes),
    .init = init,
    .free = free_meshes,
    .bytes = bytes};
