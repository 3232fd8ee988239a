// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Functions as users of a world see them; see math/function_set.h for the inside.
#include "model/id.h"
#include "model/world.h"

kai_result kai_function_register(kai_world* world, const kai_function_kind* kind)
{
    if (!kind || !kind->evaluate)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_function_register: the kind has no evaluate()");
    return kai_world_fail(world, __func__,
                          kai_store_register(&world->functions.store, &kind->kind, &world->error));
}

kai_result kai_function_create(kai_world* world, const kai_function_kind* kind, const void* params,
                               kai_function* out)
{
    return kai_world_fail(
        world, __func__, kai_function_set_add(&world->functions, kind, params, out, &world->error));
}

kai_result kai_function_at(const kai_world* world, kai_function function, double x, kai_jet* out)
{
    const kai_store* store = &world->functions.store;
    if (!kai_store_find(store, KAI_ID_OF(function)))
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(store, KAI_ID_OF(function), kai_world_error_of(world)));
    *out = kai_function_set_at(&world->functions, function, x);
    return KAI_OK;
}
