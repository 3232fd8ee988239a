// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Functions as users of a world see them; see math/function_set.h for the inside.
#include "base/kind.h"
#include "math/function_control.h"
#include "model/check.h"
#include "model/id.h"
#include "model/world.h"

kai_result kai_function_register(kai_world* world, const kai_function_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_function_kind whole;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_kind_read_table(given, "function", sizeof whole, &whole, &world->error)));
    kind = &whole;
    if (!kind->evaluate)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_function_register: the kind has no evaluate()");
    return kai_world_fail(
        world, __func__,
        kai_store_register_table(&world->functions.store, given, sizeof whole, 0, &world->error));
}

kai_result kai_function_create(kai_world* world, const kai_function_kind* kind, const void* params,
                               kai_function* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    return kai_world_fail(
        world, __func__, kai_function_set_add(&world->functions, kind, params, out, &world->error));
}

kai_result kai_function_at(const kai_world* world, kai_function function, double x, kai_jet* out)
{
    KAI_READ(world, out);
    const kai_store* store = &world->functions.store;
    if (!kai_store_find(store, KAI_ID_OF(function)))
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(store, KAI_ID_OF(function), kai_world_error_of(world)));
    *out = kai_function_set_at(&world->functions, function, x);
    return KAI_OK;
}

kai_result kai_function_steer(kai_world* world, kai_function function, double goal)
{
    KAI_CHANGE(world);
    kai_store* store = &world->functions.store;
    const kai_store_entry* entry = kai_store_find(store, KAI_ID_OF(function));
    if (!entry)
        return kai_world_fail(world, __func__,
                              kai_store_id_error(store, KAI_ID_OF(function), &world->error));
    if (store->batches[entry->batch].kind != &kai_function_control.kind)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_function_steer: the function is a %s; must be a control",
                             store->batches[entry->batch].kind->name);
    if (!isfinite(goal))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_function_steer: goal is %g; must be finite", goal);
    kai_function_control_instance* p = kai_store_at(store, KAI_ID_OF(function));
    p->from = kai_function_set_at(&world->functions, function, world->time).y;
    p->steered = true;
    p->goal = fmin(fmax(goal, p->given.low), p->given.high);
    p->since = world->time;
    return KAI_OK;
}
