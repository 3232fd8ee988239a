// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A penalty law of the user's own.
#include "contact/contacts.h"
#include "model/check.h"

#include <string.h>

static kai_result check(const kai_contact_law_kind* kind, const void* instance, kai_error* err)
{
    KAI_TRY(kai_penalty_kind_validate(kind, err));
    if (kind->kind.size > 0 && !instance)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: instance is NULL", kind->kind.name);
    return kind->kind.size > 0 ? kai_kind_check(&kind->kind, instance, err) : KAI_OK;
}

kai_result kai_contact_use_law(kai_world* world, const kai_contact_law_kind* kind,
                               const void* instance)
{
    KAI_CHANGE(world);
    void* copy = NULL;
    if (kind) {
        KAI_TRY(kai_world_fail(world, __func__, check(kind, instance, &world->error)));
        const size_t size = kind->kind.size;
        if (size > 0) {
            copy = kai_memory_allocate(&world->memory, size);
            if (!copy)
                return kai_error_set(&world->error, KAI_ERROR_MEMORY,
                                     "kai_contact_use_law: no memory for %zu bytes", size);
            memcpy(copy, instance, size);
        }
    }
    if (world->contact_law)
        kai_memory_release(&world->memory, world->contact_law_instance,
                           world->contact_law->kind.size);
    world->contact_law = kind;
    world->contact_law_instance = copy;
    world->contact_version++;
    return KAI_OK;
}
