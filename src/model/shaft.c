// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/shaft.h"

#include "base/error.h"
#include "model/body.h"
#include "model/check.h"
#include "model/id.h"

#include <stdio.h>

typedef kai_shaft_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(REAL, def_type, inertia, .unit = "kg m²", .initial = {1.0}, .range = KAI_ABOVE(0.0),
              .doc = "Moment of inertia about its axis."),
    KAI_PARAM(REAL, def_type, angle, .unit = "rad", .doc = "Angle at the start."),
    KAI_PARAM(REAL, def_type, speed, .unit = "rad/s", .doc = "Speed at the start."),
    KAI_PARAM(BOOL, def_type, fixed, .doc = "Cannot rotate."),
};

const kai_kind kai_shaft_kind = KAI_KIND(
    "shaft", def_type, PARAMS, .doc = "A rotational degree of freedom: angle, speed and inertia.");

kai_shaft_def kai_shaft_def_default(void)
{
    kai_shaft_def def;
    kai_kind_defaults(&kai_shaft_kind, &def);
    return def;
}

// What an integrator carries from step to step, and what is laid out by coordinates, is no longer
// true.
static void changed(kai_world* world)
{
    kai_body_terms_changed(world);
    world->integrator_steps = 0;
}

kai_result kai_shaft_create(kai_world* world, const kai_shaft_def* def, const char* name,
                            kai_shaft* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, def, out);
    kai_shaft_def shaft = *def;
    shaft.torque = shaft.acceleration = 0.0;
    if (shaft.fixed) shaft.speed = 0.0;
    kai_id id;
    KAI_TRY(kai_world_fail(
        world, __func__,
        kai_store_add(&world->shafts, &kai_shaft_kind, &shaft, name, &id, &world->error)));
    changed(world);
    *out = KAI_ID_AS(kai_shaft, id);
    return KAI_OK;
}

static kai_result fail(const kai_world* world, const char* function, kai_shaft shaft)
{
    return kai_world_fail(
        world, function,
        kai_store_id_error(&world->shafts, KAI_ID_OF(shaft), kai_world_error_of(world)));
}

static bool names_shaft(const kai_kind* kind, const char* instance, kai_shaft shaft)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const kai_shaft* field = (const kai_shaft*)(const void*)(instance + p->offset);
        for (size_t k = 0; p->type == KAI_PARAM_SHAFT && k < kai_kind_repeats(p); k++)
            if (KAI_ID_EQUALS(field[k], shaft)) return true;
    }
    return false;
}

bool kai_shaft_is_used(const kai_store* store, kai_shaft shaft)
{
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        for (size_t i = 0; i < batch->items.count; i++)
            if (names_shaft(batch->kind, (char*)batch->items.data + i * batch->kind->size, shaft))
                return true;
    }
    return false;
}

kai_result kai_shaft_destroy(kai_world* world, kai_shaft shaft)
{
    KAI_CHANGE(world);
    if (!kai_store_at(&world->shafts, KAI_ID_OF(shaft))) return fail(world, __func__, shaft);
    if (kai_shaft_is_used(&world->joints, shaft) || kai_shaft_is_used(&world->loads, shaft) ||
        kai_shaft_is_used(&world->states, shaft))
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "kai_shaft_destroy: shaft '%s' is still coupled; remove what couples it first",
            kai_shaft_name(world, shaft));
    changed(world);
    return kai_store_remove(&world->shafts, KAI_ID_OF(shaft), &world->error);
}

kai_result kai_shaft_get(const kai_world* world, kai_shaft shaft, kai_shaft_def* out)
{
    KAI_READ(world, out);
    const kai_shaft_def* def = kai_store_at(&world->shafts, KAI_ID_OF(shaft));
    if (!def) return fail(world, __func__, shaft);
    *out = *def;
    return KAI_OK;
}

kai_result kai_shaft_set_motion(kai_world* world, kai_shaft shaft, double angle, double speed)
{
    KAI_CHANGE(world);
    kai_shaft_def* def = kai_store_at(&world->shafts, KAI_ID_OF(shaft));
    if (!def) return fail(world, __func__, shaft);
    if (!isfinite(angle) || !isfinite(speed) || (def->fixed && speed != 0.0))
        return kai_error_set(
            &world->error, KAI_ERROR_ARGUMENT,
            "kai_shaft_set_motion: angle is %g rad and speed %g rad/s; must be finite%s", angle,
            speed, def->fixed ? ", and the speed of a fixed shaft 0" : "");
    def->angle = angle;
    def->speed = speed;
    world->integrator_steps = 0;
    world->energy_known = false;
    return KAI_OK;
}

kai_shaft kai_shaft_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_shaft){0}, world, name);
    const kai_id id = kai_names_find(&world->shafts.names, name);
    return KAI_ID_AS(kai_shaft, id);
}

const char* kai_shaft_name(const kai_world* world, kai_shaft shaft)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->shafts, KAI_ID_OF(shaft));
}

size_t kai_shaft_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->shafts.count;
}

kai_shaft kai_shaft_at_index(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_shaft){0}, world);
    if (i >= world->shafts.count) return (kai_shaft){0};
    const kai_id id = kai_store_id(&world->shafts, 0, i);
    return KAI_ID_AS(kai_shaft, id);
}

uint32_t kai_shaft_slot(const kai_world* world, kai_shaft shaft)
{
    const kai_store_entry* entry = kai_store_find(&world->shafts, KAI_ID_OF(shaft));
    return entry ? entry->slot : UINT32_MAX;
}

void kai_shaft_describe(const kai_world* world, size_t slot, char* out, size_t size)
{
    const kai_id id = kai_store_id(&world->shafts, 0, slot);
    const char* name = kai_store_name(&world->shafts, id);
    if (*name)
        snprintf(out, size, "shaft '%s'", name);
    else
        snprintf(out, size, "shaft #%u", id.index);
}
