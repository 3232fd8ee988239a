// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A contact law of the user's own: not in checkpoints, set again by whoever reads one.
#include "model/part.h"

static void free_law(kai_world* world, void* data)
{
    (void)data;
    if (world->contact_law)
        kai_memory_release(kai_part_memory(world), world->contact_law_instance,
                           world->contact_law->kind.size);
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return world->contact_law && world->contact_law_instance ? world->contact_law->kind.size : 0;
}

const kai_part kai_part_contact_law = {.name = "contact law",
                                       KAI_PART_SPAN(contact_law, contact_law_instance),
                                       .free = free_law,
                                       .bytes = bytes};
