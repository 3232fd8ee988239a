// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Samples of sensors. What needs accelerations or forces has them evaluated before.
#include "model/check.h"
#include "model/id.h"
#include "model/sensor.h"

#include <math.h>

// A sensor and its view of the next sample.
static kai_result begin(kai_world* world, kai_sensor sensor, const kai_sensor_kind** kind,
                        kai_sensor_view* view, kai_error* err)
{
    const kai_store_entry* entry = kai_store_find(&world->sensors, KAI_ID_OF(sensor));
    if (!entry) return kai_store_id_error(&world->sensors, KAI_ID_OF(sensor), err);
    *kind = kai_sensor_kind_of(&world->sensors.batches[entry->batch]);
    kai_sensor_base* base = kai_store_at(&world->sensors, KAI_ID_OF(sensor));
    KAI_TRY(kai_sensor_check_ends(world, &(*kind)->kind, base, err));
    if ((*kind)->evaluated) KAI_TRY(kai_world_evaluate(world));
    *view = (kai_sensor_view){.world = world,
                              .instance = base,
                              .sample = base->samples,
                              .interval = base->samples > 0 ? world->time - base->time : 0.0,
                              .stream = kai_sensor_stream(world, sensor)};
    return KAI_OK;
}

static void took_sample(const kai_world* world, kai_sensor_base* base)
{
    base->samples++;
    base->time = world->time;
}

static kai_result refuse(const kai_world* world, kai_sensor sensor, const kai_sensor_kind* kind,
                         const double* values, kai_error* err)
{
    size_t i = 0;
    for (const kai_sensor_channel* c = kind->channels; c->name; c++)
        for (int k = 0; k < c->components; k++, i++)
            if (!isfinite(values[i]))
                return kai_error_set(err, KAI_ERROR_DIVERGED,
                                     "sensor '%s': %s%s%s is %s at t = %.9g s; must be finite",
                                     kai_sensor_name(world, sensor), c->name, c->labels ? "." : "",
                                     c->labels ? c->labels[k] : "",
                                     isnan(values[i]) ? "nan" : "infinite", world->time);
    return KAI_OK;
}

static kai_result measure(kai_world* world, kai_sensor sensor, kai_error* err)
{
    const kai_sensor_kind* kind;
    kai_sensor_view view;
    double values[KAI_SENSOR_VALUES] = {0.0};
    KAI_TRY(begin(world, sensor, &kind, &view, err));
    if (!kind->measure)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "samples of %s are images; use kai_sensor_measure_image",
                             kind->kind.name);
    KAI_TRY(kind->measure(&view, values, err));
    KAI_TRY(refuse(world, sensor, kind, values, err));
    kai_sensor_base* base = view.instance;
    for (int i = 0; i < KAI_SENSOR_VALUES; i++) base->values[i] = values[i];
    took_sample(world, base);
    return KAI_OK;
}

kai_result kai_sensor_measure(kai_world* world, kai_sensor sensor)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, measure(world, sensor, &world->error));
}

static kai_result take_image(kai_world* world, kai_sensor sensor, float* pixels, size_t capacity,
                             kai_error* err)
{
    const kai_sensor_kind* kind;
    kai_sensor_view view;
    uint32_t rows, columns;
    KAI_TRY(begin(world, sensor, &kind, &view, err));
    if (!kind->image)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "samples of %s are no images; use kai_sensor_measure",
                             kind->kind.name);
    kind->size(view.instance, &rows, &columns);
    if (capacity < (size_t)rows * columns)
        return kai_error_set(err, KAI_ERROR_LIMIT,
                             "an image of %s is %u x %u; there is room for "
                             "%zu pixels",
                             kind->kind.name, rows, columns, capacity);
    KAI_TRY(kind->image(&view, pixels, err));
    took_sample(world, view.instance);
    return KAI_OK;
}

kai_result kai_sensor_measure_image(kai_world* world, kai_sensor sensor, float* pixels,
                                    size_t capacity)
{
    KAI_CHANGE(world, pixels);
    return kai_world_fail(world, __func__,
                          take_image(world, sensor, pixels, capacity, &world->error));
}
