// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/contact_law.h"

#include "base/kind.h"
#include "model/check.h"
#include "model/id.h"
#include "model/law_list.h"

static const kai_contact_law_kind* const BUILT_IN[] = {
#define LAW_KIND(name) &kai_contact_law_##name,
    KAI_CONTACT_LAW_KINDS(LAW_KIND)
#undef LAW_KIND
};

static const kai_contact_law_kind* law_of(const kai_kind* kind)
{
    return (const kai_contact_law_kind*)(const void*)kind; // its first member
}

const kai_contact_law_kind* kai_contact_law_built_in(size_t i)
{
    return i < KAI_COUNT(BUILT_IN) ? BUILT_IN[i] : NULL;
}

kai_result kai_contact_law_validate(const kai_contact_law_kind* kind, kai_error* err)
{
    KAI_TRY(kai_kind_validate(kind ? &kind->kind : NULL, err));
    const char* name = kind->kind.name;
    if (!kind->normal == !kind->evaluate)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "contact law %s has %s; must have one of normal() and evaluate()",
                             name, kind->normal ? "both" : "neither");
    if (kind->lanes && !kind->normal)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "contact law %s has lanes() without normal()",
                             name);
    if (kind->factor_count < 0 || kind->factor_count > KAI_CONTACT_FACTORS)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "contact law %s: factor_count is %d; must be from 0 to %d", name,
                             kind->factor_count, KAI_CONTACT_FACTORS);
    return KAI_OK;
}

kai_result kai_contact_law_register(kai_world* world, const kai_contact_law_kind* kind)
{
    KAI_CHANGE(world, kind);
    kai_error* err = &world->error;
    const kai_kind* given = &kind->kind;
    kai_contact_law_kind whole;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_kind_read_table(given, "contact_law", sizeof whole, &whole, err)));
    kind = &whole;
    KAI_TRY(kai_world_fail(world, __func__, kai_contact_law_validate(kind, err)));
    if (kind->kind.size == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_contact_law_register: contact law %s: size is 0; must be > 0",
                             kind->kind.name);
    return kai_world_fail(world, __func__,
                          kai_store_register_table(&world->laws, given, sizeof whole, 0, err));
}

kai_result kai_contact_law_create(kai_world* world, const kai_contact_law_kind* kind,
                                  const void* params, kai_contact_law* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, out);
    kai_id id;
    kai_error* err = &world->error;
    void* defaults = NULL;
    if (!params) {
        if (!kai_store_has(&world->laws, &kind->kind))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "kai_contact_law_create: the kind is not registered");
        defaults = kai_memory_allocate_zeroed(&world->memory, 1, kind->kind.size);
        if (!defaults)
            return kai_error_set(err, KAI_ERROR_MEMORY, "kai_contact_law_create: no memory");
        kai_kind_defaults(&kind->kind, defaults);
        params = defaults;
    }
    const kai_result r = kai_store_add(&world->laws, &kind->kind, params, NULL, &id, err);
    if (defaults) kai_memory_release(&world->memory, defaults, kind->kind.size);
    KAI_TRY(kai_world_fail(world, __func__, r));
    *out = KAI_ID_AS(kai_contact_law, id);
    return KAI_OK;
}

size_t kai_contact_law_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->laws.count;
}

kai_result kai_contact_law_check(const kai_world* world, kai_contact_law law, kai_error* err)
{
    const kai_id id = KAI_ID_OF(law);
    if (KAI_IS_NULL(law) || kai_store_find(&world->laws, id)) return KAI_OK;
    return kai_store_id_error(&world->laws, id, err);
}

const kai_contact_law_kind* kai_contact_law_at(const kai_world* world, kai_contact_law law,
                                               const void** params)
{
    const kai_store_entry* entry = kai_store_find(&world->laws, KAI_ID_OF(law));
    *params = NULL;
    if (!entry) return &kai_contact_law_hertz;
    *params = kai_store_at(&world->laws, KAI_ID_OF(law));
    return law_of(world->laws.batches[entry->batch].kind);
}
