// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sections of a program's own and their items, and plug-ins: what a world was made of, no state of it.
#include "model/part.h"
#include "model/section.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->sections = kai_array_make(sizeof(kai_section_record*));
    world->plugins = kai_array_make(sizeof(const char*));
    return KAI_OK;
}

static void free_sections(kai_world* world, void* data)
{
    kai_section_record** records = world->sections.data;
    for (size_t i = 0; i < world->sections.count; i++) {
        kai_store_free(&records[i]->items);
        kai_memory_release(kai_part_memory(world), records[i], sizeof *records[i]);
    }
    kai_array_free(data, kai_part_memory(world));
    kai_array_free(&world->plugins, kai_part_memory(world));
}

const kai_part kai_part_sections = {
    .name = "sections", KAI_PART_SPAN(sections, plugins), .init = init, .free = free_sections};
