// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder.h"

#include "base/hash.h"
#include "model/element.h"
#include "model/node.h"
#include "model/world.h"
#include "scene/paths.h"
#include "scene/sections_structures.h"

#include <kairos/structure_file.h>

#include <string.h>

// Solids -----------------------------------------------------------------------------------------

static void read_solid(kai_builder* builder, const kai_document_node* node, bool named)
{
    kai_reader* reader = &builder->reader;
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, node, &reader->world->solids, &kind);
    if (!instance) return;
    kai_sections_part section = kai_sections_structures_solid;
    kai_solid solid;
    section.kind = kind;
    if (!kai_reader_section(reader, node, &section, instance) || !named) return;
    if (kai_solid_create(reader->world, (const kai_solid_kind*)(const void*)kind, instance,
                         node->key, &solid) != KAI_OK)
        kai_reader_failed(reader, node);
}

// Nodes, elements --------------------------------------------------------------------------------

static void read_node(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    kai_sections_element common;
    kai_node_def def = kai_node_def_default();
    kai_node made;
    kai_kind_defaults(&kai_sections_structures_node, &common);
    const kai_reader_part parts[] = {{&kai_sections_structures_node, &common},
                                     {&kai_node_kind, &def}};
    if (!kai_reader_object(reader, node, parts, 2, NULL, 0) || !first) return;
    if (kai_node_create(reader->world, &def, common.name.text, &made) != KAI_OK)
        kai_reader_failed(reader, node);
}

static void read_element(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    const kai_sections_part* section = &kai_sections_structures_element;
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, node, &reader->world->elements, &kind);
    if (!instance) return;
    kai_sections_element common;
    kai_element made;
    kai_kind_defaults(section->kind, &common);
    const kai_reader_part parts[] = {{section->kind, &common}, {kind, instance}};
    if (!kai_reader_object(reader, node, parts, 2, section->keys, section->key_count) || !first)
        return;
    if (kai_element_create(reader->world, (const kai_element_kind*)(const void*)kind, instance,
                           common.name.text, &made) != KAI_OK)
        kai_reader_failed(reader, node);
}

// Structures -------------------------------------------------------------------------------------

static bool is_constant(const kai_value3* v)
{
    return KAI_IS_NULL(v->x.function) && KAI_IS_NULL(v->y.function) && KAI_IS_NULL(v->z.function);
}

static kai_vec3 builder_structures_constant(const kai_value3* v)
{
    return kai_vec3_make(v->x.constant, v->y.constant, v->z.constant);
}

/// Forces that stay need no elements.
static kai_result builder_structures_push(kai_world* world, kai_structure s,
                                          const kai_sections_structures_item* x)
{
    if (is_constant(&x->force) && is_constant(&x->moment) &&
        kai_vec3_norm2(builder_structures_constant(&x->moment)) == 0.0)
        return kai_structure_force(world, s, x->set.text, builder_structures_constant(&x->force));
    return kai_structure_load(world, s, x->set.text, x->force, x->moment);
}

/// What one item of a structure asks for.
static kai_result builder_structures_apply(kai_world* world, kai_structure s, int list,
                                           const kai_sections_structures_item* x)
{
    switch (list) {
    case KAI_SECTIONS_STRUCTURES_FIXED:
        return kai_structure_fix(world, s, x->set.text,
                                 kai_sections_structures_bits(x->coordinates));
    case KAI_SECTIONS_STRUCTURES_FORCES: return builder_structures_push(world, s, x);
    case KAI_SECTIONS_STRUCTURES_PRESSURES:
        return kai_structure_pressure(world, s, x->set.text, x->pressure);
    case KAI_SECTIONS_STRUCTURES_MOTIONS:
        if (x->turns == 1) return kai_structure_move_held(world, s, x->set.text, x->displacement);
        return kai_structure_move(world, s, x->set.text, x->displacement);
    case KAI_SECTIONS_STRUCTURES_CONTACTS:
        return kai_structure_contact_surface(world, s, x->set.text,
                                             (kai_structure_contact_type)x->surface, x->radius,
                                             x->material, x->among);
    default: return kai_structure_link(world, s, x->set.text, x->body, x->hold == 1);
    }
}

/// Reads one list of a structure, which is null when it could not be made.
static void read_items(kai_builder* builder, const kai_document_node* node, kai_structure structure,
                       int which)
{
    kai_reader* reader = &builder->reader;
    const kai_kind* kind = &kai_sections_structures_items[which];
    const kai_document_node* list = kai_document_get(node, kind->name);
    if (list && list->kind != KAI_DOCUMENT_LIST) {
        kai_reader_wrong(reader, list, "a list");
        return;
    }
    for (const kai_document_node* i = list ? list->first : NULL; i; i = i->next) {
        kai_sections_structures_item x = {0};
        if (!kai_reader_instance(reader, i, kind, &x) || KAI_IS_NULL(structure)) continue;
        if (builder_structures_apply(reader->world, structure, which, &x) != KAI_OK)
            kai_reader_failed(reader, i);
    }
}

/// The object "element" of a structure: its kind and an instance, NULL after a report.
static void* read_made_of(kai_builder* builder, const kai_document_node* node,
                          const kai_element_kind** out)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* element = kai_document_get(node, "element");
    if (!element) return NULL; // told by the reader
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, element, &reader->world->elements, &kind);
    if (!instance) return NULL;
    const kai_kind nodeless = kai_sections_structures_nodeless(kind);
    kai_sections_part section = kai_sections_structures_solid;
    section.kind = &nodeless;
    if (!kai_reader_section(reader, element, &section, instance)) return NULL;
    *out = (const kai_element_kind*)(const void*)kind;
    return instance;
}

/// Tables that were read from a file; the tables of an instance are the document's unless it shows
/// these.
typedef kai_structure_file_params loaded;

/// Reads the file of a structure of kind `file` into `out`, whose tables its instance then shows.
/// False after a report.
static bool builder_structures_load(kai_builder* builder, const kai_document_node* node,
                                    const kai_element_kind* element, kai_structure_file_params* p,
                                    loaded* out)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* file = kai_document_get(node, "file");
    const bool tables = p->points.rows > 0 || p->cells.rows > 0;
    if (!file == !tables)
        return kai_reader_report(reader, node,
                                 file ? "file and points exclude each other"
                                      : "file is missing; or give points and cells");
    if (!file) return true;
    kai_paths_file opened;
    kai_error err = {0};
    if (!kai_builder_open(builder, file, &opened)) return false;
    const kai_result r = kai_structure_file_read(opened.real, element, p->size, out, &err);
    if (r != KAI_OK) {
        // The name is told as the scene has it.
        const size_t n = strlen(opened.real);
        const bool own = strncmp(err.message, opened.real, n) == 0;
        kai_reader_report(reader, file, "%s%s", opened.shown, own ? err.message + n : err.message);
    } else {
        const kai_table* t[2] = {&out->points, &out->cells};
        p->points = out->points;
        p->cells = out->cells;
        p->groups = out->groups;
        for (int k = 0; k < 2; k++) p->numbers[k] = out->numbers[k];
        for (int k = 0; k < 2; k++)
            builder->hash = kai_hash_bytes(builder->hash, t[k]->data,
                                           (size_t)t[k]->rows * t[k]->columns * sizeof *t[k]->data);
    }
    kai_paths_close(&opened);
    return r == KAI_OK;
}

// Cells of a mirror image would be inside out.
static bool check_mirror(kai_builder* builder, const kai_document_node* node, const char* what)
{
    kai_reader* reader = &builder->reader;
    if (!kai_placement_is_mirrored(&reader->scope->placement)) return true;
    return kai_reader_report(reader, node,
                             "%s cannot be mirrored; place the instance without mirror", what);
}

static void read_structure(kai_builder* builder, const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    const kai_sections_part* section = &kai_sections_structures_part;
    const kai_kind* kind;
    void* instance = kai_builder_instance(builder, node, &reader->world->structures, &kind);
    if (!instance || !check_mirror(builder, node, "a structure")) return;
    kai_sections_element common;
    kai_kind_defaults(section->kind, &common);
    const kai_reader_part parts[] = {{section->kind, &common}, {kind, instance}};
    const bool ok = kai_reader_object(reader, node, parts, 2, section->keys, section->key_count);
    const kai_element_kind* element = NULL;
    const void* made_of = read_made_of(builder, node, &element);
    kai_structure structure = {0};
    loaded tables = {0};
    if (ok && made_of && kind == &kai_structure_file.kind &&
        !builder_structures_load(builder, node, element, instance, &tables))
        made_of = NULL;
    if (ok && made_of && first &&
        kai_structure_create(reader->world, (const kai_structure_kind*)(const void*)kind, instance,
                             element, made_of, common.name.text, &structure) != KAI_OK) {
        structure = (kai_structure){0};
        kai_reader_failed(reader, node);
    }
    kai_structure_file_free(&tables);
    for (int i = 0; i < KAI_SECTIONS_STRUCTURES_LISTS; i++) read_items(builder, node, structure, i);
}

// Nodes of the list were made first, in its order.
void kai_builder_structures_check(kai_builder* builder)
{
    kai_reader* reader = &builder->reader;
    kai_world* world = reader->world;
    if (reader->problems->count > 0 || reader->document->failed) return;
    uint8_t* held = kai_document_allocate(reader->document, world->nodes.count, sizeof *held);
    if (!held) return;
    kai_element_mark_held(world, held);
    kai_builder_items items = kai_builder_items_of(builder, "nodes");
    for (size_t i = 0; kai_builder_next(&items); i++) {
        const kai_node_def* def = &kai_node_all(world)[i].def;
        if (def->mass > 0.0) held[i] |= 1;
        for (int s = 0; s <= def->slopes; s++) {
            if ((held[i] >> s & 1) || (def->fixed >> 3 * s & 7) == 7) continue;
            char text[KAI_STRING_SIZE + 32];
            kai_node_describe(world, i, text, sizeof text);
            kai_reader_report(reader, items.node,
                              "%s has no mass%s: no element holds it; it needs an element, a "
                              "mass, or to be fixed",
                              text, s > 0 ? " for its slopes" : "");
            break;
        }
    }
}

void kai_builder_structures(kai_builder* builder)
{
    kai_builder_each_key(builder, "solids", "solid", &builder->reader.solids, read_solid);
    kai_builder_each(builder, "nodes", "node", &builder->reader.nodes, read_node);
    kai_builder_each(builder, "elements", "element", &builder->elements, read_element);
    kai_builder_each(builder, "structures", "structure", &builder->reader.structures,
                     read_structure);
}
