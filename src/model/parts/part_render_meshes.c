// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes to be drawn, and what is found by name in structures: made again from structures.
#include "model/part.h"
#include "model/render_mesh.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    kai_memory* memory = kai_part_memory(world);
    world->render_meshes = kai_array_make(sizeof(kai_render_mesh_entry));
    kai_names_init(&world->render_mesh_names, memory);
    kai_names_init(&world->set_names, memory);
    kai_names_init(&world->touching, memory);
    return KAI_OK;
}

static void free_render_meshes(kai_world* world, void* data)
{
    (void)data;
    if (!world->render_mesh_names.memory) return;
    kai_array_free(&world->render_meshes, kai_part_memory(world));
    kai_names_free(&world->render_mesh_names);
    kai_names_free(&world->set_names);
    kai_names_free(&world->touching);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return kai_part_array_bytes(&world->render_meshes) +
           kai_part_names_bytes(&world->render_mesh_names) +
           kai_part_names_bytes(&world->set_names) + kai_part_names_bytes(&world->touching);
}

const kai_part kai_part_render_meshes = {.name = "render meshes",
                                         KAI_PART_SPAN(render_meshes, set_names),
                                         .init = init,
                                         .free = free_render_meshes,
                                         .bytes = bytes};
