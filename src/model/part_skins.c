// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes to be drawn, and what is found by name in structures: made again from structures.
#include "model/part.h"
#include "model/skins.h"
#include "model/structure_skin.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    kai_memory* memory = kai_part_memory(world);
    world->skins = kai_array_make(sizeof(kai_skins_entry));
    world->structure_skins = kai_array_make(sizeof(void*));
    kai_names_init(&world->skin_names, memory);
    kai_names_init(&world->set_names, memory);
    kai_names_init(&world->touching, memory);
    return KAI_OK;
}

static void free_skins(kai_world* world, void* data)
{
    (void)data;
    if (!world->skin_names.memory) return;
    if (world->structure_skins.count > 0) kai_structure_skin_free(world);
    kai_array_free(&world->structure_skins, kai_part_memory(world));
    kai_array_free(&world->skins, kai_part_memory(world));
    kai_names_free(&world->skin_names);
    kai_names_free(&world->set_names);
    kai_names_free(&world->touching);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return kai_part_array_bytes(&world->skins) + kai_part_array_bytes(&world->structure_skins) +
           kai_part_names_bytes(&world->skin_names) + kai_part_names_bytes(&world->set_names) +
           kai_part_names_bytes(&world->touching);
}

const kai_part kai_part_skins = {.name = "skins",
                                 KAI_PART_SPAN(skins, set_names),
                                 .init = init,
                                 .free = free_skins,
                                 .bytes = bytes};
