// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Which loads act on which body: made again from loads and bodies, so no state.
#include "model/part.h"

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->plan = (kai_load_plan){.slot = kai_array_make(sizeof(uint32_t)),
                                  .wrench = kai_array_make(sizeof(kai_wrench)),
                                  .body = kai_array_make(sizeof(uint32_t)),
                                  .first = kai_array_make(sizeof(uint32_t)),
                                  .end = kai_array_make(sizeof(uint32_t))};
    return KAI_OK;
}

static void free_plan(kai_world* world, void* data)
{
    kai_load_plan* plan = data;
    kai_memory* memory = kai_part_memory(world);
    kai_array_free(&plan->slot, memory);
    kai_array_free(&plan->wrench, memory);
    kai_array_free(&plan->body, memory);
    kai_array_free(&plan->first, memory);
    kai_array_free(&plan->end, memory);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)world;
    const kai_load_plan* plan = data;
    return kai_part_array_bytes(&plan->slot) + kai_part_array_bytes(&plan->wrench) +
           kai_part_array_bytes(&plan->body) + kai_part_array_bytes(&plan->first) +
           kai_part_array_bytes(&plan->end);
}

const kai_part kai_part_plan = {.name = "load plan",
                                KAI_PART_SPAN(plan, plan),
                                .init = init,
                                .free = free_plan,
                                .bytes = bytes};
