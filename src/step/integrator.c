// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrator.h"

#include "base/kind.h"
#include "model/check.h"
#include "step/integrator_list.h"
#include "step/term.h"

#include <stdio.h>
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

/// The table of a program's own kind must be as large as this library knows it: it is used where it
/// lies.
static kai_result integrator_check_table(const kai_integrator_kind* kind, kai_error* err)
{
    for (size_t i = 0; BUILT_IN[i]; i++)
        if (BUILT_IN[i] == kind) return KAI_OK;
    kai_integrator_kind whole;
    KAI_TRY(kai_kind_read_table(&kind->kind, "integrator", sizeof whole, &whole, err));
    if (kind->kind.sizes.table == sizeof whole) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "integrator kind '%s' has a table of %u bytes; must be %zu: compile the "
                         "program for this library",
                         kind->kind.name, kind->kind.sizes.table, sizeof whole);
}

kai_result kai_integrator_set(kai_world* world, const kai_integrator_kind* kind, const void* params)
{
    KAI_CHANGE(world, kind);
    kai_error* err = &world->error;
    KAI_TRY(kai_world_fail(world, __func__, integrator_check_table(kind, err)));
    if (!kind->step)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_integrator_set: the kind has no step()");
    KAI_TRY(kai_world_fail(world, __func__, kai_kind_validate(&kind->kind, err)));
    if (params) KAI_TRY(kai_world_fail(world, __func__, kai_kind_check(&kind->kind, params, err)));

    void* instance = NULL;
    if (kind->kind.size > 0) {
        instance = kai_memory_allocate(&world->memory, kind->kind.size);
        if (!instance) return kai_error_set(err, KAI_ERROR_MEMORY, "kai_integrator_set: no memory");
        kai_kind_take(&kind->kind, params, instance);
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

// Capabilities -----------------------------------------------------------------------------------

static const char* capability_text(unsigned capability)
{
    switch ((kai_integrator_capability)capability) {
    case KAI_INTEGRATOR_IMPLICIT: return "implicit forces";
    case KAI_INTEGRATOR_JOINTS: return "joints";
    case KAI_INTEGRATOR_BOUNDS: return "limits, ropes and friction of joints";
    case KAI_INTEGRATOR_ELEMENTS: return "finite elements";
    case KAI_INTEGRATOR_PENALTY_CONTACT: return "contact smc";
    case KAI_INTEGRATOR_CONE_CONTACT: return "contact nsc";
    case KAI_INTEGRATOR_FAST_SPIN: return "fast spins";
    case KAI_INTEGRATOR_TERM_COORDINATES: return "coordinates of attached terms";
    case KAI_INTEGRATOR_UNDO: break;
    }
    return "undo of a failed step";
}

/// The names of all built-in kinds with a capability: "a, b or c".
static void list_capable(unsigned capability, char* out, size_t size)
{
    size_t count = 0, told = 0, length = 0;
    for (size_t i = 0; BUILT_IN[i]; i++) count += (BUILT_IN[i]->capabilities & capability) != 0;
    for (size_t i = 0; BUILT_IN[i] && length < size; i++) {
        if (!(BUILT_IN[i]->capabilities & capability)) continue;
        const char* separator = told == 0 ? "" : told + 1 < count ? ", " : " or ";
        length += (size_t)snprintf(out + length, size - length, "%s%s", separator,
                                   BUILT_IN[i]->kind.name);
        told++;
    }
}

static kai_result require_capability(const kai_world* world, unsigned capability, kai_error* err)
{
    if (kai_integrator_can(world, capability)) return KAI_OK;
    char names[128] = "none";
    list_capable(capability, names, sizeof names);
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED, "integrator '%s' cannot do %s; use %s",
                         kai_integrator_get(world)->kind.name, capability_text(capability), names);
}

kai_result kai_integrator_check_contact(kai_world* world, kai_error* err)
{
    unsigned needed = 0;
    KAI_TRY(kai_term_contacts.needs(world, NULL, &needed, err));
    return needed ? require_capability(world, needed, err) : KAI_OK;
}

kai_result kai_integrator_check(kai_world* world, kai_error* err)
{
    return kai_term_needs_all(world, require_capability, err);
}
