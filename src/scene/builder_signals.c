// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/world.h"
#include "scene/builder.h"
#include "scene/sections.h"

#include <kairos/sensor.h>
#include <kairos/signal.h>
#include <stdio.h>
#include <string.h>

/// Takes over what a signal measures, read as that of an output.
static void take_target(const kai_world* world, const kai_output_def* def,
                        kai_block_measure_params* out)
{
    out->target = def->target;
    out->body = def->body;
    out->joint = def->joint;
    out->load = def->load;
    out->shaft = def->shaft;
    out->node = def->node;
    out->element = def->element;
    out->structure = def->structure;
    out->set = def->set;
    memcpy(&out->at, def->at, sizeof def->at);
    out->layer = def->layer;
    out->ray_from = def->ray_from;
    out->ray_direction = def->ray_direction;
    out->ray_length = def->ray_length;
    if (!KAI_IS_NULL(def->sensor))
        snprintf(out->sensor.text, sizeof out->sensor.text, "%s",
                 kai_sensor_name(world, def->sensor));
}

static bool read_measure(kai_builder* builder, const kai_document_node* node,
                         kai_block_measure_params* out)
{
    kai_output_def def = kai_output_def_default();
    if (!kai_builder_outputs_target(builder, node, "measure", &def)) return false;
    take_target(builder->reader.world, &def, out);
    return true;
}

static void read_signal(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    const kai_kind* kind;
    char* instance = kai_builder_instance(builder, node, &reader->world->signals, &kind);
    if (!instance) return;
    kai_sections_element common;
    kai_kind_defaults(&kai_sections_signal_kind, &common);
    const bool measure = kind == &kai_block_measure.kind;
    const kai_sections_part* part =
        measure ? &kai_sections_measure_part : &kai_sections_signal_part;
    const kai_reader_part parts[] = {{part->kind, &common}, {kind, instance}};
    const bool before = reader->unresolved;
    bool ok = kai_reader_object(reader, node, parts, 2, part->keys, part->key_count);
    if (measure) ok = read_measure(builder, node, (void*)instance) && ok;
    // A thing that was declared but could not be made has told its own problem.
    if (!ok || !first || reader->unresolved != before) return;
    kai_signal signal;
    if (kai_signal_create(reader->world, (const kai_signal_kind*)(const void*)kind, instance,
                          common.name.text, &signal) != KAI_OK)
        kai_reader_failed(reader, node);
}

void kai_builder_signals_declare(kai_builder* builder)
{
    kai_builder_declare(builder, "signals", "signal", &builder->reader.signals);
}

void kai_builder_signals(kai_builder* builder)
{
    kai_reader* reader = &builder->reader;
    const size_t problems = reader->problems->count;
    const kai_document_node* last = NULL;
    kai_builder_items items = kai_builder_items_of(builder, "signals");
    while (kai_builder_next(&items)) {
        last = items.node;
        read_signal(builder, last, kai_builder_is_first(&reader->signals, last, items.index));
    }
    // Loops, once all signals are there.
    if (last && reader->problems->count == problems && !reader->unresolved &&
        kai_signal_check(reader->world) != KAI_OK)
        kai_reader_failed(reader, last->parent ? last->parent : last);
}
