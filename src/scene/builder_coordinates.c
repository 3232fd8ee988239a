// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder_coordinates.h"

#include "scene/reader.h"
#include "scene/sections_coordinates.h"

#include <stdio.h>
#include <string.h>

static const char* const WORDS[] = {[KAI_JOINT_ANGLE] = "angle", [KAI_JOINT_TRAVEL] = "travel"};

// One value --------------------------------------------------------------------------------------

static bool read_limits(kai_reader* reader, const kai_document_node* node, kai_coordinate_def* out)
{
    if (node->kind != KAI_DOCUMENT_LIST || node->count != 2)
        return kai_reader_wrong(reader, node, "[low, high], each a number or null");
    double* place[2] = {&out->low, &out->high};
    bool ok = true;
    int i = 0;
    for (const kai_document_node* item = node->first; item; item = item->next, i++) {
        if (!kai_reader_formula(reader, item, "rad, m")) return false;
        if (item->kind == KAI_DOCUMENT_NUMBER)
            *place[i] = item->number;
        else if (item->kind != KAI_DOCUMENT_NULL)
            ok = kai_reader_wrong(reader, item, "a number or null");
    }
    if (!ok || out->low <= out->high) return ok;
    char wanted[64];
    snprintf(wanted, sizeof wanted, ">= %.15g, the lower limit", out->low);
    return kai_reader_wrong(reader, node->last, wanted);
}

static bool read_spring(kai_reader* reader, const kai_document_node* node, kai_coordinate_def* out)
{
    static const kai_sections_part object = {.kind = &kai_sections_coordinates_spring};
    if (node->kind == KAI_DOCUMENT_OBJECT) return kai_reader_section(reader, node, &object, out);
    return kai_reader_value(reader, node, &kai_sections_coordinates_stiffness, &out->stiffness);
}

typedef struct coordinate_key {
    const char* name;
    const char* part; // name of what it makes, after that of the joint
    bool load;        // which is a load
    bool (*read)(kai_reader* reader, const kai_document_node* node, kai_coordinate_def* out);
    const kai_param* value; // where that is NULL: one value
} coordinate_key;

static const coordinate_key KEYS[] = {
    {"limits", "limits", false, read_limits, NULL},
    {"spring", "spring", true, read_spring, NULL},
    {"damping", "spring", true, NULL, &kai_sections_coordinates_damping},
    {"friction", "friction", false, NULL, &kai_sections_coordinates_friction}};

// The keys of a joint ----------------------------------------------------------------------------

static bool has_coordinate(const kai_joint_kind* kind, int i)
{
    return i == KAI_JOINT_ANGLE ? kind->has_angle : kind->has_travel;
}

// Outputs may refer to what a key makes, also when the joint itself could not be made.
static void builder_coordinates_declare(kai_builder* builder, const kai_document_node* joint,
                                        const kai_joint_kind* kind, const coordinate_key* key,
                                        int coordinate)
{
    const kai_document_node* name = kai_document_get(joint, "name");
    kai_names* names = key->load ? &builder->loads : &builder->reader.joints;
    char text[KAI_STRING_SIZE];
    if (!name || name->kind != KAI_DOCUMENT_STRING) return;
    const bool both = kind->has_angle && kind->has_travel;
    const int n = snprintf(text, sizeof text, "%s%s%s.%s", name->string, both ? "." : "",
                           both ? WORDS[coordinate] : "", key->part);
    if (n >= (int)sizeof text || !KAI_IS_NULL(kai_names_find(names, text))) return;
    if (kai_names_add(names, "part", text, (kai_id){.index = UINT32_MAX}, NULL, NULL) ==
        KAI_ERROR_MEMORY)
        builder->reader.document->failed = true;
}

static bool read_one(kai_builder* builder, const kai_document_node* joint,
                     const kai_document_node* node, const kai_joint_kind* kind,
                     const coordinate_key* key, int coordinate, kai_builder_coordinates* out)
{
    const bool both = kind->has_angle && kind->has_travel;
    if (both && coordinate == KAI_JOINT_ANGLE && strcmp(key->name, "friction") != 0 &&
        strcmp(key->name, "damping") != 0 &&
        kai_placement_is_mirrored(&builder->reader.scope->placement))
        return kai_reader_report(&builder->reader, node,
                                 "the angle of a %s joint changes its sign in a mirror; its %s "
                                 "cannot be mirrored",
                                 kind->kind.name, key->name);
    out->given[coordinate] = true;
    builder_coordinates_declare(builder, joint, kind, key, coordinate);
    kai_coordinate_def* def = &out->def[coordinate];
    if (key->read) return key->read(&builder->reader, node, def);
    return kai_reader_value(&builder->reader, node, key->value, (char*)def + key->value->offset);
}

/// {"angle": …, "travel": …}
static bool read_keyed(kai_builder* builder, const kai_document_node* joint,
                       const kai_document_node* node, const kai_joint_kind* kind,
                       const coordinate_key* key, kai_builder_coordinates* out)
{
    static const kai_sections_key allowed[] = {{.name = "angle"}, {.name = "travel"}};
    kai_reader* reader = &builder->reader;
    bool ok = true;
    for (const kai_document_node* child = node->first; child; child = child->next) {
        int i = 0;
        while (i < 2 && strcmp(WORDS[i], child->key) != 0) i++;
        if (i == 2) {
            kai_reader_unknown_key(reader, child, NULL, 0, allowed, KAI_COUNT(allowed));
            ok = false;
        } else if (!has_coordinate(kind, i)) {
            kai_document_report(reader->document, reader->problems, child, true,
                                "there is no %s of a %s joint", WORDS[i], kind->kind.name);
            ok = false;
        } else {
            ok = read_one(builder, joint, child, kind, key, i, out) && ok;
        }
    }
    return ok;
}

bool kai_builder_coordinates_read(kai_builder* builder, const kai_document_node* node,
                                  const kai_joint_kind* kind, kai_builder_coordinates* out)
{
    bool ok = true;
    *out = (kai_builder_coordinates){0};
    for (int i = 0; i < 2; i++) out->def[i] = kai_coordinate_def_default((kai_joint_coordinate)i);
    if (!kind->has_angle && !kind->has_travel) return true;
    for (size_t k = 0; k < KAI_COUNT(KEYS); k++) {
        const kai_document_node* child = kai_document_get(node, KEYS[k].name);
        if (!child) continue;
        if (kai_document_get(child, "angle") || kai_document_get(child, "travel"))
            ok = read_keyed(builder, node, child, kind, &KEYS[k], out) && ok;
        else if (kind->has_angle && kind->has_travel)
            ok = kai_reader_wrong(&builder->reader, child,
                                  "an object with angle or travel: the joint has both");
        else
            ok = read_one(builder, node, child, kind, &KEYS[k],
                          kind->has_angle ? KAI_JOINT_ANGLE : KAI_JOINT_TRAVEL, out) &&
                 ok;
    }
    return ok;
}

void kai_builder_coordinates_add(kai_builder* builder, const kai_document_node* node,
                                 kai_joint joint, const kai_builder_coordinates* read)
{
    for (int i = 0; i < 2; i++)
        if (read->given[i] &&
            kai_coordinate_add(builder->reader.world, joint, &read->def[i], NULL) != KAI_OK)
            kai_reader_failed(&builder->reader, node);
}
