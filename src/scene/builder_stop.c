// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// "stop": conditions that end a run before its end.
#include "measure/output.h"
#include "scene/builder.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What a condition may look at: things with values of their own at every moment.
static bool may_look_at(kai_output_target target)
{
    switch (target) {
    case KAI_OUTPUT_BODY:
    case KAI_OUTPUT_JOINT:
    case KAI_OUTPUT_MOTOR:
    case KAI_OUTPUT_FORCE:
    case KAI_OUTPUT_SHAFT:
    case KAI_OUTPUT_SIGNAL:
    case KAI_OUTPUT_COUPLING:
    case KAI_OUTPUT_NODE:
    case KAI_OUTPUT_SYSTEM: return true;
    default: return false;
    }
}

// The component must be one of the quantity, and is needed where there are several.
static bool check_component(kai_builder* builder, const kai_document_node* node,
                            const kai_stop_def* def)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* given = kai_document_get(node, "component");
    const kai_quantity q =
        kai_output_quantity_of(reader->world, &def->output, def->output.quantities[0]);
    char labels[128] = "";
    for (int c = 0; q.labels && c < q.components; c++) {
        if (strcmp(def->component.text, q.labels[c]) == 0) return true;
        const size_t used = strlen(labels);
        snprintf(labels + used, sizeof labels - used, "%s%s", c ? ", " : "", q.labels[c]);
    }
    if (!q.labels && !given) return true;
    if (!q.labels)
        return kai_reader_report(reader, given, "%s is one number and has no components", q.name);
    return kai_reader_report(reader, given ? given : node, "component is %s%s%s; must be one of %s",
                             given ? "\"" : "", given ? def->component.text : "missing",
                             given ? "\"" : "", labels);
}

// Keys of one sort of condition go with no other; what sort it is, they say where `when` does not.
static bool check_keys(kai_builder* builder, const kai_document_node* node, kai_stop_def* def)
{
    static const struct {
        const char* key;
        kai_stop_when when;
    } OWN[] = {{"below", KAI_STOP_VALUE},
               {"above", KAI_STOP_VALUE},
               {"component", KAI_STOP_VALUE},
               {"quantity", KAI_STOP_VALUE},
               {"kinetic_energy", KAI_STOP_SETTLED},
               {"wall_time", KAI_STOP_WALL}};
    static const char* const WORDS[] = {"value", "settled", "wall"};
    kai_reader* reader = &builder->reader;
    for (size_t i = 0; !kai_document_get(node, "when") && i < KAI_COUNT(OWN); i++)
        if (kai_document_get(node, OWN[i].key)) def->when = OWN[i].when;
    for (size_t i = 0; i < KAI_COUNT(OWN); i++) {
        const kai_document_node* child = kai_document_get(node, OWN[i].key);
        if (child && (int)OWN[i].when != def->when)
            return kai_reader_report(reader, child, "%s goes with when \"%s\", not with \"%s\"",
                                     child->key, WORDS[OWN[i].when], WORDS[def->when]);
    }
    if (def->when == KAI_STOP_SETTLED && isnan(def->kinetic_energy))
        return kai_reader_report(reader, node, "kinetic_energy is missing");
    if (def->when == KAI_STOP_WALL && !(def->wall_time > 0.0))
        return kai_reader_report(reader, node, "wall_time is missing, or 0");
    if (def->when == KAI_STOP_WALL && def->duration > 0.0)
        return kai_reader_report(reader, node, "for goes with simulated time, not with wall_time");
    if (def->when == KAI_STOP_VALUE && isnan(def->below) && isnan(def->above))
        return kai_reader_report(reader, node, "stop has neither below nor above");
    return true;
}

static bool read_stop(kai_builder* builder, const kai_document_node* node, kai_stop_def* out)
{
    kai_reader* reader = &builder->reader;
    kai_kind_defaults(&kai_output_stop_kind, out);
    out->output = kai_output_def_default();
    if (!kai_reader_section(reader, node, &kai_sections_stop_part, out)) return false;
    if (!check_keys(builder, node, out)) return false;
    const kai_document_node* quantity = kai_document_get(node, "quantity");
    if (out->when != KAI_STOP_VALUE) {
        for (size_t i = 0; i < kai_sections_stop_part.key_count; i++) {
            const kai_document_node* other =
                kai_document_get(node, kai_sections_stop_part.keys[i].name);
            if (other)
                return kai_reader_report(reader, other, "%s goes with when \"value\" only",
                                         other->key);
        }
        return true;
    }
    if (!quantity) return kai_reader_report(reader, node, "quantity is missing");
    if (!kai_builder_outputs_one(builder, node, quantity, &out->output)) return false;
    if (!may_look_at(out->output.target))
        return kai_reader_report(
            reader, node,
            "stop looks at a body, joint, motor, force, shaft, signal, coupling, node or "
            "the system");
    return check_component(builder, node, out);
}

void kai_builder_stop(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    kai_scene_settings* settings = &builder->settings;
    const kai_document_node* list = kai_document_get(root, "stop");
    settings->stop_count = 0;
    if (!list) return;
    if (list->kind != KAI_DOCUMENT_LIST || list->count > KAI_STOPS_MOST) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a list of at most %d conditions", KAI_STOPS_MOST);
        kai_reader_wrong(reader, list, wanted);
        return;
    }
    for (const kai_document_node* node = list->first; node; node = node->next)
        if (read_stop(builder, node, &settings->stops[settings->stop_count]))
            settings->stop_count++;
}
