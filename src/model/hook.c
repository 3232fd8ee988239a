// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/hook.h"

#include "base/stop.h"
#include "model/check.h"

#include <string.h>

static const kai_hooks* hook_at(const kai_world* world, size_t i)
{
    return i < world->hooks.count ? ((const kai_hooks* const*)world->hooks.data)[i] : NULL;
}

static size_t place_of(const kai_world* world, const kai_hooks* hooks)
{
    size_t i = 0;
    while (i < world->hooks.count && hook_at(world, i) != hooks) i++;
    return i;
}

kai_result kai_hook_add(kai_world* world, const kai_hooks* hooks)
{
    KAI_CHANGE(world, hooks);
    if (place_of(world, hooks) < world->hooks.count)
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_hook_add: these hooks are there already");
    return kai_world_fail(
        world, __func__, kai_array_append(&world->hooks, &world->memory, &hooks, 1, &world->error));
}

kai_result kai_hook_remove(kai_world* world, const kai_hooks* hooks)
{
    KAI_CHANGE(world, hooks);
    const kai_hooks** all = world->hooks.data;
    const size_t i = place_of(world, hooks);
    if (i == world->hooks.count) return KAI_OK;
    memmove(all + i, all + i + 1, (world->hooks.count - i - 1) * sizeof *all);
    all[--world->hooks.count] = NULL;
    return KAI_OK;
}

kai_result kai_hook_before_step(kai_world* world, double h, kai_error* err)
{
    const kai_hooks* hook;
    for (size_t i = 0; (hook = hook_at(world, i)) != NULL;) {
        const bool go = hook->before_step == NULL || hook->before_step(hook->context, world, h);
        if (hook_at(world, i) != hook) continue; // it has removed itself
        if (go)
            i++;
        else
            KAI_TRY(kai_stop_check(world->stop, err));
    }
    return KAI_OK;
}

void kai_hook_after_step(kai_world* world, double h)
{
    const kai_hooks* hook;
    for (size_t i = 0; (hook = hook_at(world, i)) != NULL; i += hook_at(world, i) == hook)
        if (hook->after_step) hook->after_step(hook->context, world, h);
}

void kai_hook_before_save(kai_world* world)
{
    const kai_hooks* hook;
    for (size_t i = 0; (hook = hook_at(world, i)) != NULL; i += hook_at(world, i) == hook)
        if (hook->before_save) hook->before_save(hook->context, world);
}

void kai_hook_end(kai_world* world)
{
    const kai_hooks* hook;
    for (size_t i = 0; (hook = hook_at(world, i)) != NULL; i += hook_at(world, i) == hook)
        if (hook->before_step) hook->before_step(hook->context, world, 0.0);
}
