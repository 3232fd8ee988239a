// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sections of a program's own.
#include "model/section.h"
#include "scene/builder.h"

#include <string.h>

// Keys of a scene --------------------------------------------------------------------------------

static bool is_known(const kai_sections_part* part, const char* key)
{
    for (size_t i = 0; i < part->key_count; i++)
        if (strcmp(part->keys[i].name, key) == 0) return true;
    return kai_kind_param(part->kind, key) != NULL;
}

void kai_builder_sections_keys(kai_builder* builder)
{
    kai_reader* reader = &builder->reader;
    const kai_sections_part* own = &kai_sections_scene_part;
    builder->scene = *own;
    size_t count = 0;
    while (kai_section_at(reader->world, count)) count++;
    kai_sections_key* keys =
        count > 0 ? kai_document_allocate(reader->document, own->key_count + count, sizeof *keys)
                  : NULL;
    if (!keys) return;
    memcpy(keys, own->keys, own->key_count * sizeof *keys);
    builder->scene.keys = keys;
    for (size_t i = 0; i < count; i++) {
        const char* name = kai_section_at(reader->world, i)->table.name;
        if (is_known(own, name))
            kai_problems_add(
                reader->problems, KAI_ERROR_NAME, 0, 0,
                "the program's section '%s' has the name of a key that every scene has", name);
        keys[builder->scene.key_count++] = (kai_sections_key){.name = name};
    }
}

// Items ------------------------------------------------------------------------------------------

static void read_item(kai_builder* builder, const kai_section_record* record,
                      const kai_document_node* node, bool first)
{
    kai_reader* reader = &builder->reader;
    const kai_store* store = &record->items;
    const kai_kind* kind =
        record->table.typeless ? store->batches[0].kind : kai_builder_kind(builder, node, store);
    void* instance = kind ? kai_document_allocate(reader->document, 1, kind->size) : NULL;
    if (!instance) return;
    kai_kind_defaults(kind, instance);
    const kai_sections_part* part = &kai_sections_item_part;
    kai_sections_element common;
    kai_kind_defaults(part->kind, &common);
    const kai_reader_part parts[] = {{part->kind, &common}, {kind, instance}};
    const size_t keys = record->table.typeless ? 0 : part->key_count;
    const bool before = reader->unresolved;
    const bool ok = kai_reader_object(reader, node, parts, 2, part->keys, keys);
    // A thing that was declared but could not be made has told its own problem.
    if (!ok || !first || reader->unresolved != before) return;
    if (kai_section_create(reader->world, record->given, kind, instance, common.name.text) !=
        KAI_OK)
        kai_reader_failed(reader, node);
}

// Names ------------------------------------------------------------------------------------------

// What an item made has a name that the rest of the scene may use, as if the scene declared it.
static void declare(kai_builder* builder, kai_names* names, const char* name)
{
    const kai_id id = {.index = UINT32_MAX};
    if (name && kai_names_add(names, "", name, id, NULL, NULL) == KAI_ERROR_MEMORY)
        builder->reader.document->failed = true;
}

static void declare_all(kai_builder* builder, kai_names* to, const kai_names* from)
{
    for (size_t i = 0; i < from->capacity; i++) declare(builder, to, from->entries[i].text);
}

// Those of joints and loads: each kind belongs to one list of a scene.
static void declare_batch(kai_builder* builder, const kai_store_batch* batch, const char* list)
{
    kai_names* to = strcmp(list, "joints") == 0      ? &builder->reader.joints
                    : strcmp(list, "motors") == 0    ? &builder->motors
                    : strcmp(list, "driveline") == 0 ? &builder->couplings
                                                     : &builder->loads;
    for (size_t i = 0; i < batch->name.count; i++)
        declare(builder, to, ((const char* const*)batch->name.data)[i]);
}

static void declare_made(kai_builder* builder)
{
    const kai_world* world = builder->reader.world;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        declare_batch(builder, batch, kai_sections_of_joint((const void*)batch->kind));
    }
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        declare_batch(builder, batch, kai_sections_of_load((const void*)batch->kind));
    }
    declare_all(builder, &builder->reader.bodies, &world->bodies.names);
    declare_all(builder, &builder->reader.shafts, &world->shafts.names);
    declare_all(builder, &builder->groups, &world->group_names);
}

void kai_builder_sections(kai_builder* builder)
{
    const kai_section_record* record;
    size_t made = 0;
    for (size_t i = 0; (record = kai_section_at(builder->reader.world, i)) != NULL; i++) {
        const char* key = record->table.name;
        kai_names names;
        kai_names_init(&names, &builder->memory);
        kai_builder_declare(builder, key, record->table.item, &names);
        kai_builder_items items = kai_builder_items_of(builder, key);
        while (kai_builder_next(&items))
            read_item(builder, record, items.node,
                      kai_builder_is_first(&names, items.node, items.index));
        kai_names_free(&names);
        made += record->items.count;
    }
    if (made > 0) declare_made(builder);
}
