// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/section.h"

#include "base/kind.h"
#include "model/check.h"
#include "model/plugin.h"
#include "model/section_results.h"

#include <string.h>

const kai_section_record* kai_section_at(const kai_world* world, size_t i)
{
    return i < world->sections.count ? ((kai_section_record* const*)world->sections.data)[i] : NULL;
}

static kai_section_record* section_find(const kai_world* world, const kai_section* section)
{
    kai_section_record* const* records = world->sections.data;
    for (size_t i = 0; i < world->sections.count; i++)
        if (records[i]->given == section) return records[i];
    return NULL;
}

// Registration -----------------------------------------------------------------------------------

/// A copy of the program's table, which may have been compiled for an older library.
static kai_result read_table(const kai_section* given, kai_section* out, kai_error* err)
{
    const kai_kind_sizes sizes = given->sizes;
    if (sizes.table == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the section has no sizes; it must have KAI_SIZES(kai_section)");
    if (sizes.head != sizeof(kai_kind) || sizes.param != sizeof(kai_param) ||
        sizes.table > sizeof *out || sizes.table < offsetof(kai_section, context))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "the section has %u bytes of kai_section, %u of kai_kind and %u of "
                             "kai_param; this library knows %zu, %zu and %zu: compile the program "
                             "for it",
                             sizes.table, sizes.head, sizes.param, sizeof *out, sizeof(kai_kind),
                             sizeof(kai_param));
    memset(out, 0, sizeof *out);
    memcpy(out, given, sizes.table);
    return KAI_OK;
}

static bool is_key(const char* name)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz", MORE[] = "0123456789_";
    if (!name || !name[0] || !strchr(LETTERS, name[0])) return false;
    for (const char* c = name; *c; c++)
        if (!strchr(LETTERS, *c) && !strchr(MORE, *c)) return false;
    return strlen(name) <= KAI_NAMES_LONGEST;
}

static kai_result check_table(const kai_world* world, const kai_section* s, kai_error* err)
{
    if (!is_key(s->name))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "section '%.64s': its name must be small letters, digits and _, a "
                             "letter first",
                             s->name ? s->name : "");
    const char* lacks = !s->item || !s->item[0]     ? "item"
                        : !s->doc || !s->doc[0]     ? "doc"
                        : !s->kinds || !s->kinds[0] ? "kinds"
                        : !s->create                ? "create"
                                                    : NULL;
    if (lacks)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "section '%s' has no %s", s->name, lacks);
    if (s->typeless && s->kinds[1])
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "section '%s' is typeless and has several kinds; must have one",
                             s->name);
    for (size_t i = 0; i < world->sections.count; i++)
        if (strcmp(kai_section_at(world, i)->table.name, s->name) == 0)
            return kai_error_set(err, KAI_ERROR_NAME, "there is a section '%s' already", s->name);
    return KAI_OK;
}

static kai_result register_kind(kai_section_record* record, const kai_kind* kind, kai_error* err)
{
    static const char* const TAKEN[] = {"name", "type"};
    const char* section = record->table.name;
    if (kind->sizes.table != sizeof *kind || kind->sizes.head != sizeof *kind)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "section '%s': a kind has no KAI_SIZES(kai_kind), or that of another "
                             "version",
                             section);
    KAI_TRY(kai_store_register_table(&record->items, kind, sizeof *kind, 0, err));
    for (size_t i = 0; i < KAI_COUNT(TAKEN); i++)
        if (kai_kind_param(kind, TAKEN[i]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "section '%s': kind '%s' has a parameter '%s', which every item "
                                 "has already",
                                 section, kind->name, TAKEN[i]);
    return KAI_OK;
}

static kai_result add_record(kai_world* world, const kai_section* given, const kai_section* table,
                             kai_error* err)
{
    static const kai_kind* const NONE[] = {NULL};
    kai_section_record* record = kai_memory_allocate_zeroed(&world->memory, 1, sizeof *record);
    if (!record) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a section");
    record->table = *table;
    record->given = given;
    kai_result r =
        kai_store_init(&record->items, &world->memory, table->item, world->tag, NONE, err);
    for (size_t i = 0; r == KAI_OK && table->kinds[i]; i++)
        r = register_kind(record, table->kinds[i], err);
    if (r == KAI_OK) r = kai_array_append(&world->sections, &world->memory, &record, 1, err);
    if (r != KAI_OK) {
        kai_store_free(&record->items);
        kai_memory_release(&world->memory, record, sizeof *record);
    }
    return r;
}

kai_result kai_section_register(kai_world* world, const kai_section* section)
{
    KAI_CHANGE(world, section);
    kai_section table;
    kai_error* err = &world->error;
    kai_result r = read_table(section, &table, err);
    if (r == KAI_OK) r = check_table(world, &table, err);
    if (r == KAI_OK) r = add_record(world, section, &table, err);
    return kai_world_fail(world, __func__, r);
}

// Items ------------------------------------------------------------------------------------------

static kai_result tell(kai_world* world, const kai_section* section, const char* call,
                       kai_result code, kai_error* own)
{
    const char* text = kai_plugin_said(world, own);
    if (text[0]) return kai_error_set(&world->error, code, "%s: %s", section->item, text);
    return kai_error_set(&world->error, code, "%s: %s() gives no reason: %s", section->item, call,
                         kai_result_text(code));
}

static kai_result call_create(const kai_section_item* item)
{
    kai_world* world = item->world;
    kai_error own = {0};
    world->error = own;
    const kai_result r = item->section->create(item, &own);
    return r == KAI_OK ? KAI_OK : tell(world, item->section, "create", r, &own);
}

static kai_result section_make(kai_world* world, kai_section_record* record, const kai_kind* given,
                               const kai_kind* kind, char* instance, const char* name)
{
    kai_id id;
    const kai_section_item item = {.world = world,
                                   .section = record->given,
                                   .kind = given,
                                   .instance = instance,
                                   .name = name ? name : ""};
    KAI_TRY(call_create(&item));
    return kai_store_add_prepared(&record->items, kind, instance, name, &id, &world->error);
}

static kai_result check_item(kai_world* world, const kai_section_record* record,
                             const kai_kind* kind, const void* params, const char* name)
{
    KAI_TRY(kai_kind_check(kind, params, &world->error));
    if (!name || KAI_IS_NULL(kai_names_find(&record->items.names, name))) return KAI_OK;
    return kai_error_set(&world->error, KAI_ERROR_NAME,
                         "%s name '%s' is used twice; must be unique", record->table.item, name);
}

kai_result kai_section_create(kai_world* world, const kai_section* section, const kai_kind* kind,
                              const void* params, const char* name)
{
    KAI_CHANGE(world, section, kind, params);
    kai_error* err = &world->error;
    kai_section_record* record = section_find(world, section);
    if (!record)
        return kai_world_fail(world, __func__,
                              kai_error_set(err, KAI_ERROR_ARGUMENT,
                                            "section '%s' is not registered in this world",
                                            section->name ? section->name : ""));
    const kai_kind* own = kai_store_table(&record->items, kind, err);
    if (!own) return kai_world_fail(world, __func__, KAI_ERROR_ARGUMENT);
    if (name && !name[0]) name = NULL;
    kai_result r = check_item(world, record, own, params, name);
    char* instance = r == KAI_OK ? kai_memory_allocate(&world->memory, own->size) : NULL;
    if (r == KAI_OK && !instance)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a %s", record->table.item);
    if (r == KAI_OK) {
        kai_kind_take(own, params, instance);
        kai_store_drop_hidden(own, instance);
        r = section_make(world, record, kind, own, instance, name);
    }
    if (instance) kai_memory_release(&world->memory, instance, own->size);
    return kai_world_fail(world, __func__, r);
}

size_t kai_section_count(const kai_world* world, const kai_section* section)
{
    KAI_GIVEN_OR(0, world, section);
    const kai_section_record* record = section_find(world, section);
    return record ? record->items.count : 0;
}

// Results ----------------------------------------------------------------------------------------

static kai_result finish_items(kai_world* world, kai_section_record* record,
                               kai_section_results* results)
{
    const kai_store* store = &record->items;
    for (size_t i = 1; i <= kai_store_last(store); i++) {
        const kai_store_entry* entry = kai_store_entry_of(store, (uint32_t)i);
        const kai_store_batch* batch = &store->batches[entry->batch];
        const kai_section_item item = {
            .world = world,
            .section = record->given,
            .kind = batch->given,
            .instance = (char*)batch->items.data + entry->slot * batch->kind->size,
            .name = kai_store_name(store, kai_store_id(store, entry->batch, entry->slot))};
        kai_error own = {0};
        world->error = own;
        const kai_result r = record->table.finish(&item, results, &own);
        if (r != KAI_OK) return tell(world, &record->table, "finish", r, &own);
    }
    return KAI_OK;
}

kai_result kai_section_finish(kai_world* world, kai_section_results** out)
{
    KAI_CLEAR(out);
    KAI_CHANGE(world, out);
    kai_section_results* results = kai_section_results_make();
    kai_result r = KAI_OK;
    if (!results) r = kai_error_set(&world->error, KAI_ERROR_MEMORY, "no memory for results");
    for (size_t i = 0; r == KAI_OK && i < world->sections.count; i++) {
        kai_section_record* record = ((kai_section_record**)world->sections.data)[i];
        if (record->table.finish) r = finish_items(world, record, results);
    }
    if (r == KAI_OK)
        *out = results;
    else
        kai_section_results_free(results);
    return kai_world_fail(world, __func__, r);
}
