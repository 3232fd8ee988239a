// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "model/section.h"
#include "scene/reference.h"
#include "scene/sections.h"

#include <kairos/plugin.h>
#include <kairos/world.h>

typedef struct family {
    const char* title; // of a page
    size_t store;      // in kai_world
} family;

static const family FAMILIES[] = {
    {"Shapes", offsetof(kai_world, shapes)},
    {"Functions of time", offsetof(kai_world, functions) + offsetof(kai_function_set, store)},
    {"Joints", offsetof(kai_world, joints)},
    {"Forces", offsetof(kai_world, loads)},
    {"Contact laws", offsetof(kai_world, laws)},
    {"Materials of elements", offsetof(kai_world, solids)},
    {"Elements", offsetof(kai_world, elements)},
    {"Structures", offsetof(kai_world, structures)},
    {"Sensors", offsetof(kai_world, sensors)},
    {"Signals", offsetof(kai_world, signals)},
    {"Samplers", offsetof(kai_world, samplers)},
};

static const kai_store* store_of(const kai_world* world, const family* f)
{
    return (const void*)((const char*)world + f->store);
}

static void add_table(kai_text* out, const kai_kind* kind, const kai_kind* common)
{
    kai_text_add(out, "%s\n\n", kind->doc);
    kai_reference_head(out);
    if (common) kai_reference_rows(out, common);
    kai_reference_rows(out, kind);
    kai_text_add(out, "\n");
}

static void add_section(kai_text* out, const kai_section* section)
{
    kai_text_add(out, "# `%s`\n\n%s\n\n", section->name, section->doc);
    for (size_t i = 0; section->kinds[i]; i++) {
        if (!section->typeless)
            kai_text_add(out, "## `\"type\": \"%s\"`\n\n", section->kinds[i]->name);
        add_table(out, section->kinds[i], &kai_sections_item_kind);
    }
}

/// Kinds of a family that the world has beside the built-in ones, which `bare` has alone.
static void add_family(kai_text* out, const family* f, const kai_world* world,
                       const kai_world* bare, const char* plugin)
{
    const kai_store* store = store_of(world, f);
    const size_t first = store_of(bare, f)->batch_count;
    for (size_t b = first; b < store->batch_count; b++) {
        if (b == first) kai_text_add(out, "# %s of %s\n\n", f->title, plugin);
        kai_text_add(out, "## `%s`\n\n", store->batches[b].kind->name);
        add_table(out, store->batches[b].kind, NULL);
    }
}

static kai_result write_all(const kai_plugin* plugin, const kai_world* world, const kai_world* bare,
                            char** out, kai_error* err)
{
    kai_text text = {0};
    const kai_section_record* record;
    kai_text_add(&text, "%s", "");
    for (size_t i = 0; (record = kai_section_at(world, i)) != NULL; i++)
        add_section(&text, &record->table);
    for (size_t i = 0; i < KAI_COUNT(FAMILIES); i++)
        add_family(&text, &FAMILIES[i], world, bare, plugin->name ? plugin->name : "a plug-in");
    if (text.failed) {
        kai_text_free(&text);
        return kai_error_set(err, KAI_ERROR_MEMORY, "kai_plugin_reference: no memory");
    }
    *out = text.data;
    return KAI_OK;
}

kai_result kai_plugin_reference(const kai_plugin* plugin, char** out, kai_error* err)
{
    KAI_CLEAR(out);
    KAI_GIVEN(err, plugin, out);
    const kai_plugin* const plugins[] = {plugin, NULL};
    kai_world_def def = kai_world_def_default();
    kai_world *world = NULL, *bare = NULL;
    kai_result r = kai_world_create(&def, &bare, err);
    def.kinds.plugins = plugins;
    if (r == KAI_OK) r = kai_world_create(&def, &world, err);
    if (r == KAI_OK) r = write_all(plugin, world, bare, out, err);
    kai_world_destroy(world);
    kai_world_destroy(bare);
    return r;
}
