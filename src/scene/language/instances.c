// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/language/instances.h"

#include "scene/builder.h"
#include "scene/language/sections_language.h"
#include "scene/pointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Scopes -----------------------------------------------------------------------------------------

static bool add_scope(kai_builder* builder, kai_scope* scope)
{
    kai_instances* all = &builder->instances;
    if (all->count == all->capacity) {
        const size_t capacity = all->capacity ? 2 * all->capacity : 16;
        kai_scope** grown = realloc(all->scopes, capacity * sizeof *grown);
        if (!grown) {
            builder->reader.document->failed = true;
            return false;
        }
        all->scopes = grown;
        all->capacity = capacity;
    }
    all->scopes[all->count++] = scope;
    return true;
}

static kai_scope* new_scope(kai_builder* builder, const kai_document_node* root)
{
    kai_scope* scope = kai_document_allocate(builder->reader.document, 1, sizeof *scope);
    if (!scope) return NULL;
    *scope =
        (kai_scope){.root = root, .prefix = "", .shown = "", .placement = kai_placement_none()};
    scope->templates = kai_keyed_of(builder->reader.document, kai_document_get(root, "templates"));
    return scope;
}

static const char* keep_text(kai_builder* builder, const char* text)
{
    char* copy = kai_document_allocate(builder->reader.document, strlen(text) + 1, 1);
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy ? copy : "";
}

// Templates --------------------------------------------------------------------------------------

/// A file of a template: read once, copied for each instance.
struct kai_instances_file {
    kai_instances_file* next;
    uint32_t from; // the file that names it, and how
    const char* name;
    const kai_document_node* root; // NULL: reported
};

static const kai_document_node* read_file(kai_builder* builder, const kai_document_node* name)
{
    kai_document* document = builder->reader.document;
    for (kai_instances_file* f = builder->instances.files; f; f = f->next)
        if (f->from == name->place.file && strcmp(f->name, name->string) == 0) return f->root;
    if (builder->instances.file_count++ == KAI_INSTANCES_FILES) {
        kai_reader_report(&builder->reader, name, "instances name more than %d files",
                          KAI_INSTANCES_FILES);
        builder->instances.full = true;
        return NULL;
    }
    kai_instances_file* file = kai_document_allocate(document, 1, sizeof *file);
    if (!file) return NULL;
    *file = (kai_instances_file){.next = builder->instances.files,
                                 .from = name->place.file,
                                 .name = name->string,
                                 .root = kai_include_load(builder->include, name)};
    builder->instances.files = file;
    return file->root;
}

static const char* template_key(size_t i, const void* context)
{
    return ((const kai_keyed*)context)->list[i]->key;
}

// A template of the scene or of one around it; `*outer` is that scope.
static const kai_document_node* find_template(kai_builder* builder, const kai_document_node* name,
                                              const kai_scope* scope, const kai_scope** outer)
{
    kai_reader* reader = &builder->reader;
    const char* near = NULL;
    for (; scope; scope = scope->outer) {
        const kai_keyed* all = &scope->templates;
        const kai_document_node* found = kai_keyed_find(all, name->string, strlen(name->string));
        *outer = scope;
        if (found) return found;
        if (all->count <= 1000 && !near && !kai_problems_full(reader->problems))
            near = kai_text_nearest(name->string, all->count, template_key, all);
    }
    kai_reader_report(reader, name,
                      near ? "there is no template \"%.64s\"; did you mean \"%s\"?"
                           : "there is no template \"%.64s\"; files end in .json",
                      name->string, near);
    return NULL;
}

// The template of an instance, and the scope whose parameters it sees beside its own.
static const kai_document_node* template_of(kai_builder* builder, const kai_document_node* item,
                                            const kai_scope* place, const kai_scope** outer)
{
    const kai_document_node* node = kai_document_get(item, "template");
    const kai_document_node* found = node;
    *outer = place;
    if (node->kind == KAI_DOCUMENT_STRING) {
        kai_reader_place_text(&builder->reader, node);
        const bool file = kai_text_ends(node->string, ".json");
        found = file ? read_file(builder, node) : find_template(builder, node, place, outer);
        if (file) *outer = NULL;
    }
    if (found && found->kind != KAI_DOCUMENT_OBJECT) {
        kai_reader_wrong(&builder->reader, node, "the name of a template, a file, or an object");
        return NULL;
    }
    return found;
}

static void count_nodes(const kai_document_node* node, size_t* nodes, size_t* bytes)
{
    *nodes += 1;
    if (node->kind == KAI_DOCUMENT_STRING) *bytes += strlen(node->string);
    for (const kai_document_node* c = node->first; c; c = c->next) count_nodes(c, nodes, bytes);
}

// Copies what an instance needs of its own: its item of the list, its template. NULL after a report,
// and when memory ran out.
static kai_document_node* copy_nodes(kai_builder* builder, const kai_document_node* item,
                                     const kai_document_node* node)
{
    kai_instances* all = &builder->instances;
    count_nodes(node, &all->nodes, &all->bytes);
    if (all->nodes <= KAI_INSTANCES_NODES && all->bytes <= KAI_INSTANCES_BYTES)
        return kai_document_copy(builder->reader.document, node);
    all->full = true;
    if (all->nodes > KAI_INSTANCES_NODES)
        kai_reader_report(&builder->reader, item, "all instances have more than %d values",
                          KAI_INSTANCES_NODES);
    else
        kai_reader_report(&builder->reader, item,
                          "the texts of all instances have more than %d bytes",
                          KAI_INSTANCES_BYTES);
    return NULL;
}

// A copy for one instance, with what "set" changes in it. NULL after a report.
static kai_document_node* copy_template(kai_builder* builder, const kai_document_node* item,
                                        const kai_document_node* found)
{
    kai_reader* reader = &builder->reader;
    kai_document_node* root = copy_nodes(builder, item, found);
    if (!root) return NULL;
    root->parent = found->parent; // for messages: where the template stands
    root->next = NULL;
    const kai_document_node* sets = kai_document_get(item, "set");
    if (sets && sets->kind != KAI_DOCUMENT_OBJECT)
        kai_reader_wrong(reader, sets, "an object of \"/pointer\": value");
    else
        kai_include_set(builder->include, root, sets);
    return root;
}

// Parameters and connections ---------------------------------------------------------------------

// Values that an instance gives are meant where the instance stands.
static void give_parameters(kai_builder* builder, const kai_document_node* item,
                            const kai_scope* place, kai_parameters* parameters)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* given = kai_document_get(item, "parameters");
    if (given && given->kind != KAI_DOCUMENT_OBJECT) {
        kai_reader_wrong(reader, given, "an object of values by name");
        return;
    }
    for (const kai_document_node* v = given ? given->first : NULL; v; v = v->next) {
        kai_parameters_item* p = kai_parameters_find(parameters, v->key);
        if (!p) {
            const bool told = !kai_problems_full(reader->problems);
            const char* near = told ? kai_parameters_nearest(parameters, v->key) : NULL;
            kai_document_report(
                reader->document, reader->problems, v, true,
                near ? "the template has no parameter \"%.64s\"; did you mean \"%s\"?"
                     : "the template has no parameter \"%.64s\"",
                v->key, near);
        } else if (p->text) {
            if (v->kind != KAI_DOCUMENT_STRING) kai_reader_wrong(reader, v, "a text");
            kai_reader_place_text(reader, v);
            if (v->kind == KAI_DOCUMENT_STRING) p->text = v->string;
        } else {
            p->value = v;
            p->scope = place;
        }
    }
}

// What a template says it wants, and whether it gets it.
static void check_connections(kai_builder* builder, const kai_document_node* item,
                              const kai_keyed* given, const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* self = kai_document_get(root, "template");
    const kai_document_node* wanted = self ? kai_document_get(self, "connect") : NULL;
    if (!wanted || wanted->kind != KAI_DOCUMENT_OBJECT) return;
    const kai_keyed keys = kai_keyed_of(reader->document, wanted);
    for (const kai_document_node* w = wanted->first; w; w = w->next) {
        if (kai_keyed_find(given, w->key, strlen(w->key))) continue;
        const kai_document_node* doc =
            w->kind == KAI_DOCUMENT_OBJECT ? kai_document_get(w, "doc") : w;
        const bool told = doc && doc->kind == KAI_DOCUMENT_STRING;
        kai_reader_report(reader, item, "connect must lead \"%.64s\" to something%s%.200s%s",
                          w->key, told ? " (" : "", told ? w->string : "", told ? ")" : "");
    }
    for (size_t i = 0; i < given->count; i++)
        if (!kai_keyed_find(&keys, given->list[i]->key, strlen(given->list[i]->key)))
            kai_document_report(reader->document, reader->problems, given->list[i], true,
                                "the template has no connection \"%.64s\"", given->list[i]->key);
}

static kai_keyed connect(kai_builder* builder, const kai_document_node* item,
                         const kai_document_node* root)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* given = kai_document_get(item, "connect");
    if (given && given->kind != KAI_DOCUMENT_OBJECT) {
        kai_reader_wrong(reader, given, "an object of names by name");
        given = NULL;
    }
    for (const kai_document_node* g = given ? given->first : NULL; g; g = g->next) {
        if (g->kind != KAI_DOCUMENT_STRING) kai_reader_wrong(reader, g, "a name");
        kai_reader_place_reference(reader, g, NULL);
    }
    const kai_keyed ports = kai_keyed_of(reader->document, given);
    check_connections(builder, item, &ports, root);
    return ports;
}

// What the root of a template may hold; what belongs to a whole scene stands in its preview.
static void check_keys(kai_builder* builder, const kai_document_node* root)
{
    static const char* const SCENE_ONLY[] = {
        "gravity",   "step",   "end",  "integrator", "solver", "contact", "analysis",
        "collision", "checks", "stop", "trajectory", "view",   "start",   "sleep"};
    kai_reader* reader = &builder->reader;
    const kai_sections_part* scene = &builder->scene;
    for (const kai_document_node* child = root->first; child; child = child->next) {
        for (size_t i = 0; i < KAI_COUNT(SCENE_ONLY); i++)
            if (strcmp(child->key, SCENE_ONLY[i]) == 0)
                kai_document_report(reader->document, reader->problems, child, true,
                                    "\"%s\" belongs to the scene; a template has it in "
                                    "template.preview",
                                    child->key);
        bool known = kai_kind_param(scene->kind, child->key) != NULL;
        for (size_t i = 0; i < scene->key_count && !known; i++)
            known = strcmp(scene->keys[i].name, child->key) == 0;
        if (!known) kai_reader_unknown_key(reader, child, NULL, 0, scene->keys, scene->key_count);
    }
}

// One instance -----------------------------------------------------------------------------------

static int depth_of(const kai_scope* scope)
{
    int depth = 0;
    for (; scope->parent; scope = scope->parent) depth++;
    return depth;
}

static const char* make_prefix(kai_builder* builder, const kai_document_node* item,
                               const kai_scope* place, const char* name)
{
    char text[KAI_STRING_SIZE + 64];
    if (!name[0]) return place->prefix;
    int used = snprintf(text, sizeof text, "%s%s", place->prefix, name);
    for (int i = 0; i < place->index_count && used < (int)sizeof text; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ".%.0f", place->index[i].value);
    if (used >= KAI_STRING_SIZE - 1) {
        kai_reader_report(&builder->reader, item, "the name \"%.40s…\" has more than %d bytes",
                          text, KAI_STRING_SIZE - 2);
        return "";
    }
    snprintf(text + used, sizeof text - (size_t)used, ".");
    return keep_text(builder, text);
}

static kai_placement placement_of(const kai_scope* place, const kai_sections_language_instance* def)
{
    const bool x = def->mirror == 1, y = def->mirror == 2, z = def->mirror == 3;
    const kai_placement own = {.turn = def->rotation,
                               .sign = {x ? -1.0 : 1.0, y ? -1.0 : 1.0, z ? -1.0 : 1.0},
                               .shift = def->at};
    return kai_placement_within(&place->placement, &own);
}

static bool read_instance(kai_builder* builder, const kai_document_node* item, kai_scope* place)
{
    kai_reader* reader = &builder->reader;
    kai_sections_language_instance def;
    kai_kind_defaults(&kai_sections_language_instance_kind, &def);
    if (!kai_reader_section(reader, item, &kai_sections_language_instance_part, &def) || !def.when)
        return true;
    if (place->index_count > 0 && !def.name.text[0])
        return kai_reader_report(reader, item, "name is missing; instances with count need one");
    const kai_scope* outer;
    const kai_document_node* found = template_of(builder, item, place, &outer);
    kai_document_node* root = found ? copy_template(builder, item, found) : NULL;
    kai_scope* scope = root ? new_scope(builder, root) : NULL;
    if (!scope) return false;
    scope->parent = place;
    scope->outer = outer;
    scope->placement = placement_of(place, &def);
    scope->prefix = make_prefix(builder, item, place, def.name.text);
    scope->shown = keep_text(builder, scope->prefix);
    if (scope->shown[0])
        ((char*)(uintptr_t)scope->shown)[strlen(scope->shown) - 1] = '\0'; // the point
    scope->ports = connect(builder, item, root);
    kai_builder_enter(builder, scope);
    check_keys(builder, root);
    scope->parameters = kai_parameters_read(reader, root);
    kai_builder_enter(builder, place);
    if (!scope->parameters) return false;
    give_parameters(builder, item, place, scope->parameters);
    kai_builder_enter(builder, scope);
    kai_reader_formula_parameters(reader);
    return add_scope(builder, scope);
}

// Arrays -----------------------------------------------------------------------------------------

// "count": n, or up to three of them. False after a report; none: 0 dimensions.
static bool read_count(kai_builder* builder, const kai_document_node* item, int64_t count[3],
                       int* dimensions)
{
    static const kai_param PARAM = {
        .name = "count", .type = KAI_PARAM_INT, .range = KAI_BETWEEN(0, KAI_INSTANCES_MOST)};
    const kai_document_node* node = kai_document_get(item, "count");
    *dimensions = 0;
    count[0] = count[1] = count[2] = 1;
    if (!node) return true;
    if (node->kind != KAI_DOCUMENT_LIST) {
        *dimensions = 1;
        return kai_reader_value(&builder->reader, node, &PARAM, &count[0]);
    }
    if (node->count < 1 || node->count > 3)
        return kai_reader_wrong(&builder->reader, node, "a number, or a list of one to three");
    for (const kai_document_node* n = node->first; n; n = n->next)
        if (!kai_reader_value(&builder->reader, n, &PARAM, &count[(*dimensions)++])) return false;
    return true;
}

// The place of one instance: the scope it stands in, with the indices of an array.
static kai_scope* new_place(kai_builder* builder, const kai_scope* scope, const int64_t at[3],
                            int dimensions)
{
    static const char* const NAMES[] = {"i", "j", "k"};
    kai_scope* place = kai_document_allocate(builder->reader.document, 1, sizeof *place);
    if (!place) return NULL;
    *place = *scope;
    place->outer = scope;
    place->parameters = NULL;
    place->index_count = dimensions;
    for (int d = 0; d < dimensions; d++)
        place->index[d] = (kai_scope_index){NAMES[d], (double)at[d]};
    return place;
}

static bool expand_item(kai_builder* builder, const kai_document_node* item, kai_scope* scope)
{
    kai_reader* reader = &builder->reader;
    int64_t count[3], at[3];
    int dimensions;
    if (item->kind != KAI_DOCUMENT_OBJECT) return kai_reader_wrong(reader, item, "an object"), true;
    if (!kai_document_get(item, "template"))
        return kai_reader_report(reader, item, "template is missing"), true;
    if (!read_count(builder, item, count, &dimensions)) return true;
    if (depth_of(scope) >= KAI_INSTANCES_DEPTH) {
        kai_reader_report(reader, item, "instances are nested more than %d deep",
                          KAI_INSTANCES_DEPTH);
        builder->instances.full = true;
        return true;
    }
    for (at[0] = 0; at[0] < count[0]; at[0]++)
        for (at[1] = 0; at[1] < count[1]; at[1]++)
            for (at[2] = 0; at[2] < count[2]; at[2]++) {
                // Further problems would only be counted.
                if (kai_problems_full(reader->problems)) builder->instances.full = true;
                if (builder->instances.full) return true;
                if (builder->instances.tried++ == KAI_INSTANCES_MOST) {
                    kai_reader_report(reader, item, "there are more than %d instances",
                                      KAI_INSTANCES_MOST);
                    builder->instances.full = true;
                    return true;
                }
                kai_scope* place = new_place(builder, scope, at, dimensions);
                const kai_document_node* own = copy_nodes(builder, item, item);
                if (!place || !own) return !reader->document->failed;
                // For messages it stands where the item does.
                ((kai_document_node*)(uintptr_t)own)->parent = item->parent;
                ((kai_document_node*)(uintptr_t)own)->index = item->index;
                kai_builder_enter(builder, place);
                read_instance(builder, own, place);
                kai_builder_enter(builder, scope);
                if (reader->document->failed) return false;
            }
    return true;
}

// All --------------------------------------------------------------------------------------------

bool kai_instances_expand(kai_builder* builder, const kai_document_node* root)
{
    kai_instances* all = &builder->instances;
    kai_scope* scene = new_scope(builder, root);
    if (!scene || !add_scope(builder, scene)) return false;
    kai_builder_enter(builder, scene);
    scene->parameters = kai_parameters_read(&builder->reader, root);
    if (!scene->parameters) return false;
    kai_reader_formula_parameters(&builder->reader);
    for (size_t s = 0; s < all->count && !all->full; s++) {
        kai_scope* scope = all->scopes[s];
        const kai_document_node* list = kai_document_get(scope->root, "instances");
        kai_builder_enter(builder, scope);
        if (list && list->kind != KAI_DOCUMENT_LIST)
            kai_reader_wrong(&builder->reader, list, "a list");
        if (!list || list->kind != KAI_DOCUMENT_LIST) continue;
        for (const kai_document_node* item = list->first; item && !all->full; item = item->next)
            if (!expand_item(builder, item, scope)) return false;
    }
    kai_builder_enter(builder, scene);
    return !builder->reader.document->failed;
}

void kai_instances_free(kai_instances* instances)
{
    free(instances->scopes);
    *instances = (kai_instances){0};
}
