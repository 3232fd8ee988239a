// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/builder.h"

#include "base/hash.h"
#include "model/sleep.h"
#include "model/world.h"
#include "scene/reader.h"
#include "step/auto_step.h"
#include "step/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Its tables of names.
static const size_t NAMES[] = {
    offsetof(kai_builder, reader.bodies),  offsetof(kai_builder, reader.materials),
    offsetof(kai_builder, reader.joints),  offsetof(kai_builder, reader.shafts),
    offsetof(kai_builder, reader.nodes),   offsetof(kai_builder, reader.solids),
    offsetof(kai_builder, groups),         offsetof(kai_builder, motors),
    offsetof(kai_builder, couplings),      offsetof(kai_builder, elements),
    offsetof(kai_builder, loads),          offsetof(kai_builder, reader.structures),
    offsetof(kai_builder, reader.signals), offsetof(kai_builder, events),
    offsetof(kai_builder, sensors),        offsetof(kai_builder, files)};

static kai_names* names_at(kai_builder* builder, size_t i)
{
    return (kai_names*)(void*)((char*)builder + NAMES[i]);
}

void kai_builder_init(kai_builder* builder, kai_world* world, kai_include* include)
{
    *builder = (kai_builder){
        .reader = {.world = world, .document = include->document, .problems = include->problems},
        .include = include,
        .hash = KAI_HASH_START};
    kai_memory_init(&builder->memory, NULL);
    kai_memory_set_limit(&builder->memory, kai_document_limit(include->document));
    for (size_t i = 0; i < KAI_COUNT(NAMES); i++)
        kai_names_init(names_at(builder, i), &builder->memory);
    kai_builder_sections_keys(builder);
}

void kai_builder_free(kai_builder* builder)
{
    for (size_t i = 0; i < KAI_COUNT(NAMES); i++) kai_names_free(names_at(builder, i));
    kai_instances_free(&builder->instances);
    free(builder->outputs);
    builder->outputs = NULL;
}

// What sections share ----------------------------------------------------------------------------

void kai_builder_enter(kai_builder* builder, const kai_scope* scope)
{
    builder->reader.scope = scope;
    builder->reader.document->context = scope->shown;
}

kai_builder_items kai_builder_items_of(kai_builder* builder, const char* key)
{
    return (kai_builder_items){.builder = builder, .key = key};
}

bool kai_builder_next(kai_builder_items* items)
{
    kai_builder* builder = items->builder;
    const kai_instances* all = &builder->instances;
    if (items->node) {
        items->node = items->node->next;
        items->index++;
    }
    while (!items->node && items->scope < all->count) {
        const kai_scope* scope = all->scopes[items->scope++];
        const kai_document_node* list = kai_document_get(scope->root, items->key);
        kai_builder_enter(builder, scope);
        if (list && list->kind == KAI_DOCUMENT_LIST)
            items->node = list->first;
        else if (list && !list->resolved) {
            kai_reader_wrong(&builder->reader, list, "a list");
            kai_document_set_resolved(list);
        }
    }
    if (!items->node && all->count > 0) kai_builder_enter(builder, all->scopes[0]);
    return items->node != NULL;
}

bool kai_builder_open(kai_builder* builder, const kai_document_node* node, kai_paths_file* out)
{
    const kai_reader* reader = &builder->reader;
    const kai_result r = kai_paths_open(reader->document, node, builder->include->allow_outside,
                                        out, reader->problems);
    if (r == KAI_ERROR_MEMORY) reader->document->failed = true;
    return r == KAI_OK;
}

static const char* item_name(const kai_document_node* item)
{
    const kai_document_node* name = kai_document_get(item, "name");
    return name && name->kind == KAI_DOCUMENT_STRING ? name->string : NULL;
}

void kai_builder_declare(kai_builder* builder, const char* key, const char* what, kai_names* names)
{
    kai_reader* reader = &builder->reader;
    kai_builder_items items = kai_builder_items_of(builder, key);
    while (kai_builder_next(&items)) {
        const kai_document_node* node = kai_document_get(items.node, "name");
        if (node) kai_reader_place_name(reader, node);
        const char* name = item_name(items.node);
        if (!name) continue;
        if (!name[0]) kai_reader_report(reader, node, "name is empty; leave it out or give one");
        if (!KAI_IS_NULL(kai_names_find(names, name))) {
            char text[128];
            kai_document_describe(node, text, sizeof text);
            kai_reader_report(reader, node, "%s name %s is used twice; must be unique", what, text);
            continue;
        }
        // What is no name (too long, say) is reported where it is read.
        const kai_id id = {.index = (uint32_t)items.index + 1};
        if (kai_names_add(names, what, name, id, NULL, NULL) == KAI_ERROR_MEMORY)
            reader->document->failed = true;
    }
}

// Enters the key of an item; true when it is good.
static bool declare_key(kai_builder* builder, const kai_document_node* node, const char* what,
                        kai_names* names)
{
    kai_reader* reader = &builder->reader;
    kai_error err = {0};
    kai_reader_place_key(reader, node);
    const kai_result r =
        kai_names_add(names, what, node->key, (kai_id){.index = node->index + 1}, NULL, &err);
    if (r == KAI_ERROR_MEMORY) reader->document->failed = true;
    if (r == KAI_ERROR_NAME)
        kai_document_report(reader->document, reader->problems, node, true, "%s", err.message);
    return r == KAI_OK;
}

void kai_builder_each_key(kai_builder* builder, const char* key, const char* what, kai_names* names,
                          void (*read)(kai_builder*, const kai_document_node*, bool))
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "an object of %s by name", key);
    for (size_t i = 0; i < builder->instances.count; i++) {
        const kai_scope* scope = builder->instances.scopes[i];
        const kai_document_node* object = kai_document_get(scope->root, key);
        kai_builder_enter(builder, scope);
        if (object && object->kind != KAI_DOCUMENT_OBJECT)
            kai_reader_wrong(&builder->reader, object, wanted);
        else if (object)
            for (const kai_document_node* node = object->first; node; node = node->next)
                read(builder, node, declare_key(builder, node, what, names));
    }
    if (builder->instances.count > 0) kai_builder_enter(builder, builder->instances.scopes[0]);
}

bool kai_builder_is_first(const kai_names* names, const kai_document_node* item, size_t index)
{
    const char* name = item_name(item);
    return !name || kai_names_find(names, name).index == index + 1;
}

void kai_builder_each(kai_builder* builder, const char* key, const char* what, kai_names* names,
                      void (*read)(kai_builder*, const kai_document_node*, bool))
{
    kai_builder_declare(builder, key, what, names);
    kai_builder_items items = kai_builder_items_of(builder, key);
    while (kai_builder_next(&items))
        read(builder, items.node, kai_builder_is_first(names, items.node, items.index));
}

/// The i-th kind that scenes may name; NULL beyond the last.
static const char* kind_name(size_t i, const void* context)
{
    const kai_store* store = context;
    for (size_t b = 0; b < store->batch_count; b++)
        if (!store->batches[b].kind->hidden && i-- == 0) return store->batches[b].kind->name;
    return NULL;
}

static size_t count_names(const kai_store* store)
{
    size_t count = 0;
    while (kind_name(count, store)) count++;
    return count;
}

const kai_document_node* kai_builder_type(kai_builder* builder, const kai_document_node* node)
{
    kai_reader* reader = &builder->reader;
    if (node->kind != KAI_DOCUMENT_OBJECT) {
        kai_reader_wrong(reader, node, "an object");
        return NULL;
    }
    const kai_document_node* type = kai_document_get(node, "type");
    if (type && type->kind == KAI_DOCUMENT_STRING) return type;
    if (type)
        kai_reader_wrong(reader, type, "a text");
    else
        kai_reader_report(reader, node, "type is missing");
    return NULL;
}

const kai_kind* kai_builder_kind(kai_builder* builder, const kai_document_node* node,
                                 const kai_store* store)
{
    const kai_document_node* type = kai_builder_type(builder, node);
    if (!type) return NULL;
    const kai_kind* kind = kai_store_kind(store, type->string);
    if (kind && !kind->hidden) return kind;
    kai_reader_unknown_word(&builder->reader, type, count_names(store), kind_name, store);
    return NULL;
}

void* kai_builder_instance(kai_builder* builder, const kai_document_node* node,
                           const kai_store* store, const kai_kind** kind)
{
    *kind = kai_builder_kind(builder, node, store);
    void* instance =
        *kind ? kai_document_allocate(builder->reader.document, 1, (*kind)->size) : NULL;
    if (instance) kai_kind_defaults(*kind, instance);
    return instance;
}

// Sections that are short ------------------------------------------------------------------------

/// 0 for auto.
static void read_step(kai_builder* builder, const kai_document_node* root)
{
    static const kai_param number = {.name = "step",
                                     .type = KAI_PARAM_REAL,
                                     .unit = "s",
                                     .range = KAI_ABOVE(0.0),
                                     .doc = "Time step."};
    const kai_document_node* node = kai_document_get(root, "step");
    builder->settings.step = 0.0;
    if (!node) return;
    if (node->kind == KAI_DOCUMENT_STRING && strcmp(node->string, "auto") == 0) return;
    kai_reader_value(&builder->reader, node, &number, &builder->settings.step);
}

static void read_top(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    kai_sections_scene scene;
    kai_kind_defaults(builder->scene.kind, &scene);
    kai_reader_section(reader, root, &builder->scene, &scene);
    const kai_document_node* description = kai_document_get(root, "description");
    if (description && description->kind != KAI_DOCUMENT_STRING)
        kai_reader_wrong(reader, description, "a text");

    builder->settings.name = scene.name;
    read_step(builder, root);
    builder->settings.end = scene.end;
    builder->settings.analysis = (kai_scene_analysis)scene.analysis;
    if (kai_world_set_gravity(reader->world, scene.gravity) != KAI_OK)
        kai_reader_failed(reader, root);
}

// An object that a kind describes; `instance` has its defaults where it is absent. True when it is
// there and all is well.
static bool read_object(kai_builder* builder, const kai_document_node* root, const char* key,
                        const kai_kind* kind, void* instance)
{
    kai_kind_defaults(kind, instance);
    const kai_document_node* node = kai_document_get(root, key);
    return node && kai_reader_instance(&builder->reader, node, kind, instance);
}

static void read_collision(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    kai_collision_def def;
    if (read_object(builder, root, "collision", &kai_collision_kind, &def) &&
        kai_collision_set(reader->world, &def) != KAI_OK)
        kai_reader_failed(reader, kai_document_get(root, "collision"));
}

static void read_sleep(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    kai_sleep_def def, usual = kai_sleep_def_default();
    if (!read_object(builder, root, "sleep", &kai_sleep_kind, &def)) return;
    def.cookie = usual.cookie;
    kai_error err;
    if (kai_sleep_set(reader->world, &def) != KAI_OK)
        kai_reader_failed(reader, kai_document_get(root, "sleep"));
    else if (kai_sleep_check(reader->world, kai_integrator_get(reader->world)->kind.name, &err) !=
             KAI_OK)
        kai_reader_report(reader, kai_document_get(root, "sleep"), "%s", err.message);
}

static void read_material(kai_builder* builder, const kai_document_node* node, bool named)
{
    kai_reader* reader = &builder->reader;
    kai_material_def def;
    kai_material material;
    if (!kai_reader_instance(reader, node, &kai_material_kind, &def) || !named) return;
    snprintf(def.name.text, sizeof def.name.text, "%s", node->key);
    if (kai_material_create(reader->world, &def, &material) != KAI_OK)
        kai_reader_failed(reader, node);
}

static void read_material_pairs(kai_builder* builder)
{
    kai_reader* reader = &builder->reader;
    kai_builder_items items = kai_builder_items_of(builder, "material_pairs");
    while (kai_builder_next(&items)) {
        kai_material_pair_def def;
        kai_material_pair pair;
        if (kai_reader_instance(reader, items.node, &kai_material_pair_kind, &def) &&
            kai_material_pair_create(reader->world, &def, &pair) != KAI_OK)
            kai_reader_failed(reader, items.node);
    }
}

// Integrators ------------------------------------------------------------------------------------

static const char* integrator_name(size_t i, const void* context)
{
    (void)context;
    return kai_integrator_built_in(i)->kind.name;
}

static const kai_integrator_kind* find_integrator(kai_reader* reader, const kai_document_node* node)
{
    const bool text = node->kind == KAI_DOCUMENT_STRING;
    const kai_integrator_kind* found = text ? kai_integrator_find(node->string) : NULL;
    if (found) return found;
    size_t count = 0;
    while (kai_integrator_built_in(count)) count++;
    kai_reader_unknown_word(reader, node, count, integrator_name, NULL);
    return NULL;
}

static void read_integrator(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* node = kai_document_get(root, "integrator");
    if (!node) return;
    const bool object = node->kind == KAI_DOCUMENT_OBJECT;
    const kai_document_node* type = object ? kai_document_get(node, "type") : node;
    const kai_integrator_kind* kind = NULL;
    if (type)
        kind = find_integrator(reader, type);
    else
        kai_reader_report(reader, node, "type is missing");
    if (!kind) return;
    void* instance = kai_document_allocate(reader->document, 1, kind->kind.size);
    if (!instance) return;
    kai_kind_defaults(&kind->kind, instance);
    kai_sections_part section = kai_sections_integrator_part;
    section.kind = &kind->kind;
    if (object && !kai_reader_section(reader, node, &section, instance)) return;
    if (kai_integrator_set(reader->world, kind, instance) != KAI_OK)
        kai_reader_failed(reader, node);
}

// An object of a kind, or the value of its first parameter alone. False after a report.
static bool read_or_first(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                          void* instance)
{
    const kai_param* first = &kind->params[0];
    if (node->kind == KAI_DOCUMENT_OBJECT)
        return kai_reader_section(reader, node, &(kai_sections_part){.kind = kind}, instance);
    return kai_reader_value(reader, node, first, (char*)instance + first->offset);
}

static void read_solver(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* node = kai_document_get(root, "solver");
    kai_solver_def solver = kai_solver_def_default();
    if (node && read_or_first(reader, node, &kai_solver_kind, &solver) &&
        kai_solver_set(reader->world, &solver) != KAI_OK)
        kai_reader_failed(reader, node);
}

static void read_contact(kai_builder* builder, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* node = kai_document_get(root, "contact");
    kai_contact_def contact = kai_contact_def_default();
    if (!node || !read_or_first(reader, node, &kai_contact_kind, &contact)) return;
    if (kai_contact_set(reader->world, &contact) != KAI_OK) kai_reader_failed(reader, node);
    kai_error err;
    if (kai_integrator_check_contact(reader->world, &err) != KAI_OK)
        kai_reader_report(reader, node, "%s", err.message);
}

// All --------------------------------------------------------------------------------------------

enum { STATIC_STEPS = 50 };

/// A step that was left to us.
static void choose_step(kai_builder* builder, const kai_document_node* root)
{
    kai_scene_settings* to = &builder->settings;
    kai_error err;
    if (to->step > 0.0 || builder->reader.problems->count > 0) return;
    if (to->analysis != KAI_SCENE_DYNAMICS) { // what time there is only counts loads up
        to->step = to->end > 0.0 ? to->end / STATIC_STEPS : 1.0;
        snprintf(to->step_rule, sizeof to->step_rule, "a fiftieth of the run");
        return;
    }
    if (kai_auto_step(builder->reader.world, to->end, &to->step, to->step_rule,
                      sizeof to->step_rule, &err) != KAI_OK)
        kai_reader_report(&builder->reader, root, "step: %s", err.message);
}

void kai_builder_run(kai_builder* builder, const kai_document_node* root)
{
    if (!kai_instances_expand(builder, root)) return;
    read_top(builder, root);
    kai_builder_signals_declare(builder);
    read_integrator(builder, root);
    read_solver(builder, root);
    read_contact(builder, root);
    read_object(builder, root, "trajectory", &kai_output_trajectory_kind,
                &builder->settings.trajectory);
    read_object(builder, root, "checks", &kai_judge_kind, &builder->settings.checks);
    read_collision(builder, root);
    read_sleep(builder, root);
    kai_builder_each_key(builder, "materials", "material", &builder->reader.materials,
                         read_material);
    read_material_pairs(builder);
    kai_builder_bodies(builder);
    kai_builder_particles(builder);
    kai_builder_structures(builder);
    // After the bodies, since it may name one.
    read_object(builder, root, "view", &kai_output_view_kind, &builder->settings.view);
    kai_builder_mechanism(builder);
    kai_builder_sections(builder);
    kai_builder_sensors(builder);
    kai_builder_signals(builder);
    kai_builder_events(builder);
    kai_builder_outputs(builder);
    kai_builder_stop(builder, root);
    choose_step(builder, root);
    builder->settings.contact_given =
        kai_document_get(root, "contact") || kai_document_get(root, "collision");
    kai_builder_structures_check(builder);
}
