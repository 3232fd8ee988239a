// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output_sensor.h"

#include "base/error.h"
#include "model/world.h"

#include <string.h>

static const kai_sensor_kind* kind_of(const kai_world* world, kai_sensor sensor)
{
    const kai_sensor_kind* kind = NULL;
    return kai_sensor_get(world, sensor, &kind, NULL) == KAI_OK ? kind : NULL;
}

bool kai_output_sensor_is_image(const kai_world* world, const kai_output_def* def)
{
    if (def->target != KAI_OUTPUT_SENSOR) return false;
    const kai_sensor_kind* kind = kind_of(world, def->sensor);
    return kind != NULL && kind->image != NULL;
}

kai_quantity kai_output_sensor_quantity(const kai_world* world, const kai_output_def* def, int i)
{
    const kai_sensor_kind* kind = kind_of(world, def->sensor);
    const kai_sensor_channel* c = kind != NULL ? kind->channels : NULL;
    for (; c != NULL && c->name != NULL && i > 0; i--) c++;
    if (c == NULL || c->name == NULL || i < 0) return (kai_quantity){0};
    return (kai_quantity){c->name, c->unit, c->doc, c->components, c->labels};
}

kai_result kai_output_sensor_value(const kai_world* world, kai_sensor sensor, int i,
                                   double out[KAI_OUTPUT_COMPONENTS], kai_error* err)
{
    double values[KAI_SENSOR_VALUES];
    size_t first = 0;
    if (kai_sensor_values(world, sensor, values, KAI_SENSOR_VALUES, NULL) != KAI_OK) {
        if (err != NULL) *err = world->error;
        return world->error.code;
    }
    const kai_sensor_channel* c = kind_of(world, sensor)->channels;
    for (; i > 0; i--, c++) first += (size_t)c->components;
    memcpy(out, values + first, (size_t)c->components * sizeof *out);
    return KAI_OK;
}

kai_result kai_output_sensor_check(const kai_world* world, const kai_output_def* def,
                                   kai_error* err)
{
    const kai_sensor_kind* kind = kind_of(world, def->sensor);
    if (kind == NULL)
        return kai_error_set(err, KAI_ERROR_ID, "output %s: its sensor does not exist",
                             def->file.text);
    if ((kind->image == NULL) == (def->quantity_count > 0)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "output %s: samples of %s are %s, so it has %s",
                         def->file.text, kind->kind.name, kind->image ? "images" : "numbers",
                         kind->image ? "no quantities" : "some quantities");
}
