// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/kind.h"
#include "model/check.h"
#include "model/id.h"
#include "model/world.h"

#include <kairos/solid.h>

kai_result kai_solid_register(kai_world* world, const kai_solid_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_solid_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__, kai_kind_read_table(given, "solid", sizeof whole, &whole, &world->error)));
    kind = &whole;
    if (!kind->evaluate || kind->kind.size < sizeof(kai_solid_base))
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "kai_solid_register: the kind has no evaluate(), or no kai_solid_base at its start");
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->solids, given, sizeof whole, 0, &world->error));
}

kai_result kai_solid_create(kai_world* world, const kai_solid_kind* kind, const void* params,
                            const char* name, kai_solid* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_id id;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_store_add(&world->solids, &kind->kind, params, name, &id, &world->error)));
    *out = KAI_ID_AS(kai_solid, id);
    return KAI_OK;
}

kai_solid kai_solid_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_solid){0}, world, name);
    const kai_id id = kai_names_find(&world->solids.names, name);
    return KAI_ID_AS(kai_solid, id);
}

kai_solid_view kai_solid_get(const kai_world* world, kai_solid solid)
{
    KAI_GIVEN_OR((kai_solid_view){0}, world);
    const kai_store_entry* entry = kai_store_find(&world->solids, KAI_ID_OF(solid));
    if (!entry) return (kai_solid_view){0};
    return (kai_solid_view){
        (const kai_solid_kind*)(const void*)world->solids.batches[entry->batch].kind,
        kai_store_at(&world->solids, KAI_ID_OF(solid))};
}

size_t kai_solid_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->solids.count;
}
