// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/part.h"

#include <kairos/integrator.h>
#include <stdlib.h>
#include <string.h>

static void free_integrator(kai_world* world, void* data)
{
    (void)data;
    if (world->integrator)
        kai_memory_release(kai_part_memory(world), world->integrator_instance,
                           world->integrator->kind.size);
}

static kai_result write(const kai_world* world, kai_part_writer* w, kai_error* err)
{
    const kai_integrator_kind* kind = world->integrator;
    KAI_TRY(w->text(w, "kind", kind ? kind->kind.name : "", err));
    if (kind == NULL || world->integrator_instance == NULL) return KAI_OK;
    return w->instance(w, &kind->kind, world->integrator_instance, err);
}

static kai_result save(const kai_world* world, const kai_part* part, const void* data,
                       kai_part_writer* w, kai_error* err)
{
    (void)data;
    KAI_TRY(w->begin(w, part->name, err));
    const kai_result r = write(world, w, err);
    w->end(w);
    return r;
}

/// One of the user's own is known by the world that it was set in.
static const kai_integrator_kind* find(const kai_world* p, kai_part_reader* r, const char* name)
{
    const kai_integrator_kind* own = p->aside_of->integrator;
    return own && strcmp(own->kind.name, name) == 0 ? own : r->integrator(name);
}

static kai_result read(kai_world* p, kai_part_reader* r, kai_error* err)
{
    char name[KAI_STRING_SIZE];
    KAI_TRY(r->text(r, "kind", name, sizeof name, err));
    if (name[0] == '\0') return KAI_OK;
    const kai_integrator_kind* kind = find(p, r, name);
    if (kind == NULL)
        return kai_error_set(err, KAI_ERROR_FORMAT, "integrator '%s' is not known here", name);
    if (kind->kind.size > 0) {
        p->integrator_instance = kai_memory_allocate_zeroed(kai_part_memory(p), 1, kind->kind.size);
        if (!p->integrator_instance)
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the integrator");
    }
    p->integrator = kind;
    return kind->kind.size > 0 ? r->instance(r, &kind->kind, p->integrator_instance, err) : KAI_OK;
}

static kai_result load(kai_world* p, const kai_part* part, void* data, kai_part_reader* r,
                       kai_error* err)
{
    (void)data;
    KAI_TRY(r->begin(r, part->name, err));
    const kai_result result = read(p, r, err);
    r->end(r);
    return result;
}

static size_t bytes(const kai_world* world, const void* data)
{
    (void)data;
    return world->integrator_instance ? world->integrator->kind.size : 0;
}

const kai_part kai_part_integrator = {.name = "integrator",
                                      KAI_PART_SPAN(integrator, integrator_instance),
                                      .free = free_integrator,
                                      .save = save,
                                      .load = load,
                                      .bytes = bytes};
