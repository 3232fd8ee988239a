// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Who watches the world: no state of it.
#include "model/part.h"

#include <kairos/hook.h>

static kai_result init(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)data, (void)err;
    world->hooks = kai_array_make(sizeof(const kai_hooks*));
    return KAI_OK;
}

static void free_hooks(kai_world* world, void* data)
{
    kai_array_free(data, kai_part_memory(world));
}

const kai_part kai_part_hooks = {
    .name = "hooks", KAI_PART_SPAN(hooks, hooks), .init = init, .free = free_hooks};
