// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/text.h"
#include "measure/output_sensor.h"
#include "model/world.h"
#include "scene/builder.h"

#include <kairos/sensor.h>

static const kai_sensor_kind* as_sensor(const kai_kind* kind)
{
    return (const kai_sensor_kind*)(const void*)kind;
}

// The file of a sensor ends as its samples want it. False after a report.
static bool check_file(kai_builder* builder, const kai_document_node* file,
                       const kai_sensor_kind* kind)
{
    kai_reader* reader = &builder->reader;
    kai_error err = {0};
    if (kind->image && kai_output_check_image_file(file->string, &err) != KAI_OK)
        return kai_reader_report(reader, file, "%s", err.message);
    if (!kind->image && !kai_text_ends(file->string, ".csv"))
        return kai_reader_wrong(reader, file, "a name that ends in .csv");
    return kai_builder_outputs_file(builder, file);
}

// What the sensor reads, sample by sample, to its file.
static void add_output(kai_builder* builder, kai_sensor sensor, const kai_sensor_kind* kind,
                       const kai_sensor_base* base)
{
    if (!kai_builder_outputs_room(builder, 1)) return;
    kai_output_def* out = &builder->outputs[builder->output_count++];
    *out = kai_output_def_default();
    out->target = KAI_OUTPUT_SENSOR;
    out->sensor = sensor;
    out->every = base->rate > 0.0 ? 1.0 / base->rate : 0.0;
    out->file = base->file;
    for (const kai_sensor_channel* c = kind->channels;
         c && c->name && out->quantity_count < KAI_OUTPUT_QUANTITIES; c++) {
        out->quantities[out->quantity_count] = (int32_t)out->quantity_count;
        out->quantity_count++;
    }
}

static void read_sensor(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, node, &reader->world->sensors, &kind);
    if (!instance) return;
    kai_sections_element common;
    kai_kind_defaults(&kai_sections_sensor_kind, &common);
    const kai_reader_part parts[] = {{&kai_sections_sensor_kind, &common}, {kind, instance}};
    const kai_sections_part* section = &kai_sections_sensor_part;
    bool ok = kai_reader_object(reader, node, parts, 2, section->keys, section->key_count);
    const kai_document_node* file = kai_document_get(node, "file");
    if (file) kai_reader_place_name(reader, file);
    const bool named = file && file->kind == KAI_DOCUMENT_STRING;
    if (named) ok = check_file(builder, file, as_sensor(kind)) && ok;
    kai_sensor sensor;
    if (!ok || !first) return;
    if (kai_sensor_create(reader->world, as_sensor(kind), instance, common.name.text, &sensor) !=
        KAI_OK)
        kai_reader_failed(reader, node);
    else if (named)
        add_output(builder, sensor, as_sensor(kind), instance);
}

void kai_builder_sensors(kai_builder* builder)
{
    kai_builder_each(builder, "sensors", "sensor", &builder->sensors, read_sensor);
}
