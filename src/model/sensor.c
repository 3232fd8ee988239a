// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/sensor.h"

#include "base/hash.h"
#include "base/kind.h"
#include "model/check.h"
#include "model/id.h"

#include <kairos/random.h>
#include <math.h>
#include <string.h>

static const kai_param ERROR_PARAMS[] = {
    KAI_PARAM(REAL, kai_sensor_error, noise, .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation of each component of a sample."),
    KAI_PARAM(VEC3, kai_sensor_error, bias, .doc = "Is added to every sample."),
    KAI_PARAM(REAL, kai_sensor_error, bias_walk, .range = KAI_AT_LEAST(0.0),
              .doc = "Standard deviation that the bias gains per square root of a second."),
    KAI_PARAM(REAL, kai_sensor_error, range, .range = KAI_AT_LEAST(0.0),
              .doc = "Components are cut to ± this; 0: no limit."),
};

const kai_kind kai_sensor_error_kind =
    KAI_KIND("sensor error", kai_sensor_error, ERROR_PARAMS,
             .doc = "What an instrument adds, in the unit of what it reads.");

// Kinds ------------------------------------------------------------------------------------------

size_t kai_sensor_value_count(const kai_sensor_kind* kind)
{
    size_t count = 0;
    for (const kai_sensor_channel* c = kind->channels; c && c->name; c++)
        count += (size_t)c->components;
    return count;
}

static kai_result check_kind(const kai_sensor_kind* kind, kai_error* err)
{
    const bool image = kind->image && kind->size && kind->pixel;
    if (kind->kind.size < sizeof(kai_sensor_base) || (!image && !(kind->measure && kind->channels)))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the kind has neither measure() and channels nor image(), size() and "
                             "pixel, or no kai_sensor_base at its start");
    const size_t values = kai_sensor_value_count(kind);
    if (values <= KAI_SENSOR_VALUES && (image || values > 0)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_LIMIT, "kind %s has %zu values; must have 1 to %d",
                         kind->kind.name, values, KAI_SENSOR_VALUES);
}

kai_result kai_sensor_register(kai_world* world, const kai_sensor_kind* kind)
{
    KAI_CHANGE(world, kind);
    const kai_kind* given = &kind->kind;
    kai_sensor_kind whole;
    kai_error* err = &world->error;
    KAI_TRY(kai_world_fail(world, __func__,
                           kai_kind_read_table(given, "sensor", sizeof whole, &whole, err)));
    KAI_TRY(kai_world_fail(world, __func__, check_kind(&whole, err)));
    return kai_world_fail(world, __func__,
                          kai_store_register_table(&world->sensors, given, sizeof whole, 0, err));
}

// Creation ---------------------------------------------------------------------------------------

kai_result kai_sensor_check_ends(const kai_world* world, const kai_kind* kind, const void* instance,
                                 kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type != KAI_PARAM_BODY && p->type != KAI_PARAM_JOINT) continue;
        kai_id id;
        memcpy(&id, (const char*)instance + p->offset, sizeof id);
        if (KAI_IS_NULL(id) && !p->required) continue;
        const bool there =
            p->type == KAI_PARAM_BODY
                ? kai_bodies_slot(&world->bodies, KAI_ID_AS(kai_body, id)) != SIZE_MAX
                : kai_store_find(&world->joints, id) != NULL;
        if (!there)
            return kai_error_set(err, KAI_ERROR_ID, "%s: %s %u does not exist", kind->name, p->name,
                                 id.index);
    }
    return KAI_OK;
}

static kai_result sensor_prepare(kai_world* world, const kai_sensor_kind* kind, const void* params,
                                 char** out, kai_error* err)
{
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    *out = kai_arena_take(&world->arena, 1, kind->kind.size, err);
    if (!*out) return KAI_ERROR_MEMORY;
    kai_kind_take(&kind->kind, params, *out);
    kai_store_drop_hidden(&kind->kind, *out);
    kai_sensor_base* base = (kai_sensor_base*)(void*)*out;
    base->samples = 0;
    base->time = 0.0;
    memset(base->values, 0, sizeof base->values);
    KAI_TRY(kai_sensor_check_ends(world, &kind->kind, *out, err));
    return kind->prepare ? kind->prepare(world, *out, err) : KAI_OK;
}

kai_result kai_sensor_create(kai_world* world, const kai_sensor_kind* kind, const void* params,
                             const char* name, kai_sensor* out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, kind, params, out);
    kai_error* err = &world->error;
    kind = kai_store_table(&world->sensors, kind, err);
    if (!kind) return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    char* instance = NULL;
    kai_id id;
    kai_result r = sensor_prepare(world, kind, params, &instance, err);
    if (r == KAI_OK)
        r = kai_store_add_prepared(&world->sensors, &kind->kind, instance, name, &id, err);
    if (r == KAI_OK) *out = KAI_ID_AS(kai_sensor, id);
    kai_arena_release(&world->arena, mark);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_sensor_destroy(kai_world* world, kai_sensor sensor)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__,
                          kai_store_remove(&world->sensors, KAI_ID_OF(sensor), &world->error));
}

// Questions --------------------------------------------------------------------------------------

kai_result kai_sensor_get(const kai_world* world, kai_sensor sensor, const kai_sensor_kind** kind,
                          const void** params)
{
    KAI_READ(world);
    const kai_store_entry* entry = kai_store_find(&world->sensors, KAI_ID_OF(sensor));
    if (!entry)
        return kai_world_fail(
            world, __func__,
            kai_store_id_error(&world->sensors, KAI_ID_OF(sensor), kai_world_error_of(world)));
    if (kind) *kind = kai_sensor_kind_of(&world->sensors.batches[entry->batch]);
    if (params) *params = kai_store_at(&world->sensors, KAI_ID_OF(sensor));
    return KAI_OK;
}

kai_sensor kai_sensor_find(const kai_world* world, const char* name)
{
    KAI_GIVEN_OR((kai_sensor){0}, world, name);
    const kai_id id = kai_names_find(&world->sensors.names, name);
    return KAI_ID_AS(kai_sensor, id);
}

size_t kai_sensor_count(const kai_world* world)
{
    KAI_GIVEN_OR(0, world);
    return world->sensors.count;
}

kai_sensor kai_sensor_at(const kai_world* world, size_t i)
{
    KAI_GIVEN_OR((kai_sensor){0}, world);
    for (size_t b = 0; b < world->sensors.batch_count; b++) {
        const size_t count = world->sensors.batches[b].items.count;
        if (i < count) {
            const kai_id id = kai_store_id(&world->sensors, b, i);
            return KAI_ID_AS(kai_sensor, id);
        }
        i -= count;
    }
    return (kai_sensor){0};
}

const char* kai_sensor_name(const kai_world* world, kai_sensor sensor)
{
    KAI_GIVEN_OR("", world);
    return kai_store_name(&world->sensors, KAI_ID_OF(sensor));
}

kai_result kai_sensor_values(const kai_world* world, kai_sensor sensor, double* values,
                             size_t capacity, int64_t* samples)
{
    KAI_READ(world, values);
    const kai_sensor_kind* kind;
    const void* instance;
    KAI_TRY(kai_sensor_get(world, sensor, &kind, &instance));
    const kai_sensor_base* base = instance;
    const size_t count = kai_sensor_value_count(kind);
    if (capacity < count)
        return kai_world_fail(world, __func__,
                              kai_error_set(kai_world_error_of(world), KAI_ERROR_LIMIT,
                                            "%s has %zu values; there is room for %zu",
                                            kind->kind.name, count, capacity));
    memcpy(values, base->values, count * sizeof *values);
    if (samples) *samples = base->samples;
    return KAI_OK;
}

kai_result kai_sensor_image_size(const kai_world* world, kai_sensor sensor, uint32_t* rows,
                                 uint32_t* columns)
{
    KAI_READ(world, rows, columns);
    const kai_sensor_kind* kind;
    const void* instance;
    *rows = *columns = 0;
    KAI_TRY(kai_sensor_get(world, sensor, &kind, &instance));
    if (kind->size) kind->size(instance, rows, columns);
    return KAI_OK;
}

// What kinds use ---------------------------------------------------------------------------------

uint64_t kai_sensor_stream(const kai_world* world, kai_sensor sensor)
{
    const char* name = kai_sensor_name(world, sensor);
    if (name[0] == '\0') return sensor.index;
    return kai_hash_bytes(KAI_HASH_START, name, strlen(name));
}

double kai_sensor_noise(const kai_sensor_view* view, uint64_t index)
{
    KAI_GIVEN_OR(0.0, view);
    // Samples of one number stand far apart in its counter, so that no two draws are the same.
    const kai_sensor_base* base = view->instance;
    return kai_random_normal((uint64_t)base->seed, view->stream,
                             ((uint64_t)view->sample << 32) + index);
}

kai_frame kai_sensor_frame(const kai_world* world, const kai_sensor_place* place)
{
    KAI_GIVEN_OR(kai_frame_identity(), world, place);
    const kai_frame own = {place->at, kai_quat_normalize(place->rotation)};
    if (KAI_IS_NULL(place->body)) return own;
    return kai_frame_compose(kai_body_frame(world, place->body), own);
}

void kai_sensor_follow(kai_world* world)
{
    KAI_GIVEN_VOID(world);
    for (size_t b = 0; b < world->sensors.batch_count; b++) {
        const kai_store_batch* batch = &world->sensors.batches[b];
        const kai_sensor_kind* kind = kai_sensor_kind_of(batch);
        for (size_t i = 0; kind->follow && i < batch->items.count; i++)
            kind->follow(world, (char*)batch->items.data + i * batch->kind->size);
    }
}
