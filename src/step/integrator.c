// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/check.h"
#include "model/world.h"
#include "step/integrator_list.h"

#include <kairos/integrator.h>
#include <string.h>

static const kai_integrator_kind* const BUILT_IN[] = {
#define BUILT_IN_KIND(name) &kai_integrator_##name,
    KAI_INTEGRATOR_KINDS(BUILT_IN_KIND)
#undef BUILT_IN_KIND
        NULL};

const kai_integrator_kind* kai_integrator_built_in(size_t i)
{
    return i < KAI_COUNT(BUILT_IN) ? BUILT_IN[i] : NULL;
}

const kai_integrator_kind* kai_integrator_find(const char* name)
{
    KAI_GIVEN_OR(NULL, name);
    for (size_t i = 0; BUILT_IN[i]; i++)
        if (strcmp(BUILT_IN[i]->kind.name, name) == 0) return BUILT_IN[i];
    return NULL;
}

kai_result kai_integrator_set(kai_world* world, const kai_integrator_kind* kind, const void* params)
{
    KAI_CHANGE(world, kind);
    kai_error* err = &world->error;
    if (!kind->step)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_integrator_set: the kind has no step()");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_validate(&kind->kind, err)));
    if (params) KAI_TRY(kai_world_fail(world, __func__, kai_kind_check(&kind->kind, params, err)));

    void* instance = NULL;
    if (kind->kind.size > 0) {
        instance = kai_memory_allocate(&world->memory, kind->kind.size);
        if (!instance) return kai_error_set(err, KAI_ERROR_MEMORY, "kai_integrator_set: no memory");
        if (params)
            memcpy(instance, params, kind->kind.size);
        else
            kai_kind_defaults(&kind->kind, instance);
    }
    if (world->integrator)
        kai_memory_release(&world->memory, world->integrator_instance,
                           world->integrator->kind.size);
    world->integrator = kind;
    world->integrator_instance = instance;
    return KAI_OK;
}

const kai_integrator_kind* kai_integrator_get(const kai_world* world)
{
    KAI_GIVEN_OR(NULL, world);
    return world->integrator ? world->integrator : &kai_integrator_euler;
}
