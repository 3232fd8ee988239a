// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder.h"

#include "model/world.h"
#include "scene/builder_coordinates.h"
#include "scene/sections_coordinates.h"

#include <string.h>

// The kinds of one section. Motors are joints or loads: both stores are looked through.
typedef struct section_kinds {
    const kai_kind* list[2 * KAI_STORE_KINDS];
    size_t count;
    size_t joints; // the first ones are joints, the others loads
} section_kinds;

static const kai_joint_kind* as_joint(const kai_kind* kind)
{
    return (const kai_joint_kind*)(const void*)kind;
}

static const kai_load_kind* as_load(const kai_kind* kind)
{
    return (const kai_load_kind*)(const void*)kind;
}

static void list_kinds(const kai_world* world, const char* section, section_kinds* out)
{
    out->count = 0;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_kind* kind = world->joints.batches[b].kind;
        if (strcmp(kai_sections_of_joint(as_joint(kind)), section) == 0)
            out->list[out->count++] = kind;
    }
    out->joints = out->count;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_kind* kind = world->loads.batches[b].kind;
        if (strcmp(kai_sections_of_load(as_load(kind)), section) == 0)
            out->list[out->count++] = kind;
    }
}

static const char* kind_name(size_t i, const void* context)
{
    return ((const section_kinds*)context)->list[i]->name;
}

// The place of the kind that an object's "type" names, SIZE_MAX after a report.
static size_t find_kind(kai_builder* builder, const kai_document_node* node,
                        const section_kinds* kinds)
{
    const kai_document_node* type = kai_builder_type(builder, node);
    if (!type) return SIZE_MAX;
    for (size_t i = 0; i < kinds->count; i++)
        if (strcmp(kinds->list[i]->name, type->string) == 0) return i;
    kai_reader_unknown_word(&builder->reader, type, kinds->count, kind_name, kinds);
    return SIZE_MAX;
}

static void builder_mechanism_create(kai_builder* builder, const kai_document_node* node,
                                     const section_kinds* kinds, size_t i, const void* instance,
                                     const char* name, const kai_builder_coordinates* coordinates)
{
    kai_world* world = builder->reader.world;
    kai_joint joint;
    kai_load load;
    const bool is_joint = i < kinds->joints;
    const kai_result r =
        is_joint ? kai_joint_create(world, as_joint(kinds->list[i]), instance, name, &joint)
                 : kai_load_create(world, as_load(kinds->list[i]), instance, name, &load);
    if (r != KAI_OK)
        kai_reader_failed(&builder->reader, node);
    else if (is_joint)
        kai_builder_coordinates_add(builder, node, joint, coordinates);
}

// The mirror image of a joint has the same angle about an axial axis, the same travel along a plain
// one; where there are both, the angle changes its sign (builder_coordinates.c).
static kai_placing axis_placing(const kai_joint_kind* kind)
{
    return kind->has_travel ? KAI_PLACING_VECTOR : KAI_PLACING_AXIAL;
}

static void read_element(kai_builder* builder, const kai_document_node* node,
                         const kai_sections_part* section, const section_kinds* kinds, bool first)
{
    kai_reader* reader = &builder->reader;
    const size_t i = find_kind(builder, node, kinds);
    if (i == SIZE_MAX) return;
    const kai_kind* kind = kinds->list[i];
    reader->joint_axis = i < kinds->joints ? axis_placing(as_joint(kind)) : KAI_PLACING_AXIAL;
    void* instance = kai_document_allocate(reader->document, 1, kind->size);
    if (!instance) return;
    kai_sections_element common;
    kai_builder_coordinates coordinates = {0};
    kai_kind_defaults(section->kind, &common);
    kai_kind_defaults(kind, instance);
    const kai_reader_part parts[] = {{section->kind, &common}, {kind, instance}};
    const kai_sections_part* part = kai_sections_coordinates_part_of(section, kind);
    bool ok = kai_reader_object(reader, node, parts, 2, part->keys, part->key_count);
    if (part == &kai_sections_coordinates_part)
        ok = kai_builder_coordinates_read(builder, node, as_joint(kind), &coordinates) && ok;
    if (ok && first)
        builder_mechanism_create(builder, node, kinds, i, instance, common.name.text, &coordinates);
}

// Whether a kind refers to joints by name.
static bool builder_mechanism_refers(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type == KAI_PARAM_JOINT ||
            (p->type == KAI_PARAM_LIST && builder_mechanism_refers(p->item)))
            return true;
    }
    return false;
}

// Whether an item must wait for the joints that it names; what has no kind need not.
static bool is_late(const kai_document_node* node, const section_kinds* kinds)
{
    const kai_document_node* type = kai_document_get(node, "type");
    if (!type || type->kind != KAI_DOCUMENT_STRING) return false;
    for (size_t i = 0; i < kinds->count; i++)
        if (strcmp(kinds->list[i]->name, type->string) == 0)
            return builder_mechanism_refers(kinds->list[i]);
    return false;
}

static void read_section(kai_builder* builder, const char* key, const char* what,
                         const kai_sections_part* section, kai_names* names)
{
    section_kinds kinds;
    list_kinds(builder->reader.world, key, &kinds);
    kai_builder_declare(builder, key, what, names);
    // Order in the list is free: joints that name others are made after those.
    for (int late = 0; late < 2; late++) {
        kai_builder_items items = kai_builder_items_of(builder, key);
        while (kai_builder_next(&items))
            if (is_late(items.node, &kinds) == late)
                read_element(builder, items.node, section, &kinds,
                             kai_builder_is_first(names, items.node, items.index));
    }
}

static void read_shaft(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    kai_sections_element common;
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft shaft;
    kai_kind_defaults(&kai_sections_shaft_kind, &common);
    const kai_reader_part parts[] = {{&kai_sections_shaft_kind, &common}, {&kai_shaft_kind, &def}};
    if (!kai_reader_object(reader, node, parts, 2, NULL, 0) || !first) return;
    if (kai_shaft_create(reader->world, &def, common.name.text, &shaft) != KAI_OK)
        kai_reader_failed(reader, node);
}

void kai_builder_mechanism(kai_builder* builder)
{
    read_section(builder, "joints", "joint", &kai_sections_joint_part, &builder->reader.joints);
    read_section(builder, "motors", "motor", &kai_sections_motor_part, &builder->motors);
    read_section(builder, "forces", "load", &kai_sections_load_part, &builder->loads);
    kai_builder_each(builder, "shafts", "shaft", &builder->reader.shafts, read_shaft);
    read_section(builder, "driveline", "coupling", &kai_sections_coupling_part,
                 &builder->couplings);
}
