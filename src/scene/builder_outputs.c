// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "measure/output_element.h"
#include "model/id.h"
#include "model/world.h"
#include "scene/builder.h"
#include "scene/reader.h"

#include <kairos/signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The target -------------------------------------------------------------------------------------

// A name that nobody declared is reported; one of a thing that could not be made is not.
static bool is_declared(kai_builder* builder, const kai_document_node* node, const char* family,
                        const kai_names* names)
{
    kai_reader* reader = &builder->reader;
    if (!KAI_IS_NULL(kai_names_find(names, node->string))) return true;
    return kai_reader_unknown_name(reader, node, family, names);
}

static bool find_body(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    static const kai_param PARAM = {.name = "body", .type = KAI_PARAM_BODY};
    return kai_reader_value(&builder->reader, node, &PARAM, &out->body);
}

static bool find_node(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    static const kai_param PARAM = {.name = "node", .type = KAI_PARAM_NODE};
    return kai_reader_value(&builder->reader, node, &PARAM, &out->node);
}

// What is named by its name alone: how messages call it, and the names that the scene declares.
static const struct {
    const char* family;
    size_t names; // in kai_builder
} NAMED[KAI_OUTPUT_TARGET_COUNT] = {
    [KAI_OUTPUT_JOINT] = {"joint", offsetof(kai_builder, reader.joints)},
    [KAI_OUTPUT_MOTOR] = {"motor", offsetof(kai_builder, motors)},
    [KAI_OUTPUT_FORCE] = {"load", offsetof(kai_builder, loads)},
    [KAI_OUTPUT_SHAFT] = {"shaft", offsetof(kai_builder, reader.shafts)},
    [KAI_OUTPUT_COUPLING] = {"coupling", offsetof(kai_builder, couplings)},
    [KAI_OUTPUT_SENSOR] = {"sensor", offsetof(kai_builder, sensors)},
    [KAI_OUTPUT_SIGNAL] = {"signal", offsetof(kai_builder, reader.signals)},
    [KAI_OUTPUT_PARTICLES] = {"particle group", offsetof(kai_builder, groups)}};

// Motors and couplings are joints or loads.
static bool find_named(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    const kai_world* world = builder->reader.world;
    const char* family = NAMED[out->target].family;
    if (node->kind != KAI_DOCUMENT_STRING) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "the name of a %s", family);
        return kai_reader_wrong(&builder->reader, node, wanted);
    }
    kai_reader_place_reference(&builder->reader, node, NULL);
    const char* name = node->string;
    switch (out->target) {
    case KAI_OUTPUT_SHAFT: out->shaft = kai_shaft_find(world, name); break;
    case KAI_OUTPUT_SIGNAL: out->signal = kai_signal_find(world, name); break;
    case KAI_OUTPUT_PARTICLES: out->particles = kai_particles_find(world, name); break;
    case KAI_OUTPUT_SENSOR: out->sensor = kai_sensor_find(world, name); break;
    case KAI_OUTPUT_FORCE: out->load = kai_load_find(world, name); break;
    default: out->joint = kai_joint_find(world, name);
    }
    if (out->target == KAI_OUTPUT_JOINT) {
        // Structures make some of their own; motors and couplings are no joints here.
        if (!KAI_IS_NULL(out->joint) && strstr(name, ".motion")) return true;
    } else if (out->target == KAI_OUTPUT_MOTOR || out->target == KAI_OUTPUT_COUPLING) {
        if (KAI_IS_NULL(out->joint)) out->load = kai_load_find(world, name);
    }
    const void* names = (const char*)builder + NAMED[out->target].names;
    return is_declared(builder, node, family, names);
}

static bool read_ray(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_sections_ray ray;
    if (!kai_reader_instance(&builder->reader, node, &kai_sections_ray_kind, &ray)) return false;
    const bool to = !isnan(ray.to.x);
    out->body = ray.body;
    out->ray_from = ray.from;
    out->ray_direction = to ? kai_vec3_sub(ray.to, ray.from) : ray.direction;
    out->ray_length = to ? kai_vec3_norm(out->ray_direction) : ray.length;
    return true;
}

static bool read_nearest(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_sections_nearest nearest;
    if (!kai_reader_instance(&builder->reader, node, &kai_sections_nearest_kind, &nearest))
        return false;
    out->body = nearest.body;
    out->ray_from = nearest.at;
    out->ray_length = nearest.limit;
    return true;
}

/// The structure that a key of an object names.
static bool find_structure(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_reader_place_reference(&builder->reader, node, NULL);
    out->structure = kai_structure_find(builder->reader.world, node->string);
    return !KAI_IS_NULL(out->structure) ||
           is_declared(builder, node, "structure", &builder->reader.structures);
}

/// A structure, and where in elements.
static bool read_place(kai_builder* builder, const kai_document_node* node, const kai_kind* kind,
                       kai_sections_place* place, kai_output_def* out)
{
    if (!kai_reader_instance(&builder->reader, node, kind, place)) return false;
    out->set = place->set;
    out->at[0] = place->at.x;
    out->at[1] = place->at.y;
    out->at[2] = place->at.z;
    const kai_document_node* name = kai_document_get(node, "structure");
    return !name || find_structure(builder, name, out);
}

/// A set that nobody has is reported where it stands.
static bool check_set(kai_builder* builder, const kai_document_node* node,
                      const kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* set = kai_document_get(node, "set");
    if (!set || KAI_IS_NULL(out->structure) ||
        kai_structure_size(reader->world, out->structure, out->set.text) > 0)
        return true;
    return kai_reader_report(reader, set, "structure \"%s\" has no set \"%s\"",
                             kai_structure_name(reader->world, out->structure), out->set.text);
}

static bool read_one_element(kai_builder* builder, const kai_document_node* node,
                             kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    kai_sections_place place;
    if (!read_place(builder, node, &kai_sections_one_element_kind, &place, out)) return false;
    out->layer = place.layer;
    const kai_document_node* name = kai_document_get(node, "name");
    if (name) {
        kai_reader_place_reference(reader, name, NULL);
        const kai_id id = kai_names_find(&reader->world->elements.names, name->string);
        out->element = KAI_ID_AS(kai_element, id);
        return !KAI_IS_NULL(id) || is_declared(builder, name, "element", &builder->elements);
    }
    out->element = kai_structure_element_at(reader->world, out->structure, (size_t)place.number);
    const size_t count = kai_structure_element_count(reader->world, out->structure);
    if (KAI_IS_NULL(out->structure) || (size_t)place.number < count) return true;
    kai_document_report(reader->document, reader->problems, kai_document_get(node, "number"), false,
                        "number is %lld; must be below %zu, the elements of structure \"%s\"",
                        (long long)place.number, count, place.structure.text);
    return false;
}

static bool read_elements(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_sections_place place;
    if (!read_place(builder, node, &kai_sections_all_elements_kind, &place, out)) return false;
    out->layer = place.layer;
    return check_set(builder, node, out);
}

static bool read_whole(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_sections_place place;
    if (node->kind == KAI_DOCUMENT_STRING) return find_structure(builder, node, out);
    return read_place(builder, node, &kai_sections_whole_kind, &place, out) &&
           check_set(builder, node, out);
}

static bool read_true(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    (void)out;
    if (node->kind == KAI_DOCUMENT_BOOL && node->boolean) return true;
    return kai_reader_wrong(&builder->reader, node, "true");
}

// How the value of each target is read. False after a report.
static bool (*const READ[KAI_OUTPUT_TARGET_COUNT])(kai_builder*, const kai_document_node*,
                                                   kai_output_def*) = {
    [KAI_OUTPUT_BODY] = find_body,         [KAI_OUTPUT_JOINT] = find_named,
    [KAI_OUTPUT_MOTOR] = find_named,       [KAI_OUTPUT_FORCE] = find_named,
    [KAI_OUTPUT_SHAFT] = find_named,       [KAI_OUTPUT_COUPLING] = find_named,
    [KAI_OUTPUT_NODE] = find_node,         [KAI_OUTPUT_ELEMENT] = read_one_element,
    [KAI_OUTPUT_ELEMENTS] = read_elements, [KAI_OUTPUT_STRUCTURE] = read_whole,
    [KAI_OUTPUT_PARTICLES] = find_named,   [KAI_OUTPUT_RAY] = read_ray,
    [KAI_OUTPUT_NEAREST] = read_nearest,   [KAI_OUTPUT_OVERLAP] = find_body,
    [KAI_OUTPUT_SENSOR] = find_named,      [KAI_OUTPUT_SYSTEM] = read_true,
    [KAI_OUTPUT_CONTACTS] = read_true,     [KAI_OUTPUT_SIGNAL] = find_named,
    [KAI_OUTPUT_EVENTS] = read_true};

bool kai_builder_outputs_target(kai_builder* builder, const kai_document_node* node,
                                const char* what, kai_output_def* out)
{
    static const char* const keys[] = {
#define TARGET_KEY(name, key) [KAI_OUTPUT_##name] = key,
        KAI_OUTPUT_TARGETS(TARGET_KEY)
#undef TARGET_KEY
    };
    const kai_document_node* found = NULL;
    int count = 0;
    for (size_t i = 0; i < KAI_COUNT(keys); i++) {
        const kai_document_node* child = kai_document_get(node, keys[i]);
        if (!child) continue;
        found = child;
        out->target = (kai_output_target)i;
        count++;
    }
    if (count != 1)
        return kai_reader_report(
            &builder->reader, node,
            "%s has %s of body, joint, motor, force, shaft, signal, coupling, node, element, elements, structure, particles, ray, nearest, overlap, sensor, system, contacts and events; must "
            "have exactly one",
            what, count ? "more than one" : "none");
    return READ[out->target](builder, found, out);
}

// Quantities -------------------------------------------------------------------------------------

/// Who is asked for the names of quantities.
typedef struct asked {
    const kai_world* world;
    const kai_output_def* def;
} asked;

static const char* quantity_name(size_t i, const void* context)
{
    const asked* a = context;
    return kai_output_quantity_of(a->world, a->def, (int)i).name;
}

static bool unknown_quantity(kai_reader* reader, const kai_document_node* node,
                             const kai_output_def* def)
{
    const asked a = {reader->world, def};
    size_t count = 0;
    while (quantity_name(count, &a)) count++;
    return kai_reader_unknown_word(reader, node, count, quantity_name, &a);
}

// What a joint or load has depends on its kind.
static bool check_offered(kai_reader* reader, const kai_document_node* node, int quantity,
                          const kai_output_def* out)
{
    const kai_joint_kind* joint = NULL;
    const kai_load_kind* load = NULL;
    const bool elements = out->target == KAI_OUTPUT_ELEMENTS || out->target == KAI_OUTPUT_ELEMENT;
    const kai_element_kind* element = elements ? kai_output_element_kind(reader->world, out) : NULL;
    if (!KAI_IS_NULL(out->joint)) kai_joint_get(reader->world, out->joint, &joint, NULL);
    if (!KAI_IS_NULL(out->load)) kai_load_get(reader->world, out->load, &load, NULL);
    if ((!joint && !load && !element) || kai_output_offers(reader->world, out, quantity))
        return true;
    const kai_kind* kind = joint ? &joint->kind : load ? &load->kind : &element->kind;
    return kai_reader_report(reader, node, "there is no %s of a %s%s", node->string, kind->name,
                             joint ? " joint" : "");
}

static bool read_quantity(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    const bool text = node->kind == KAI_DOCUMENT_STRING;
    const int index = text ? kai_output_quantity_search(reader->world, out, node->string) : -1;
    if (index < 0) return unknown_quantity(reader, node, out);
    for (uint32_t i = 0; i < out->quantity_count; i++) {
        if (out->quantities[i] != index) continue;
        return kai_reader_report(reader, node, "quantity \"%s\" is given twice", node->string);
    }
    out->quantities[out->quantity_count++] = index;
    return check_offered(reader, node, index, out);
}

static bool read_quantities(kai_builder* builder, const kai_document_node* node,
                            kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    const kai_document_node* list = kai_document_get(node, "quantities");
    const bool events = out->target == KAI_OUTPUT_EVENTS;
    if (list && events) return kai_reader_report(reader, list, "events have no quantities");
    if (events) return true;
    if (!list && kai_output_is_snapshot(out->target)) return true; // the usual ones
    if (!list) return kai_reader_report(reader, node, "quantities is missing");
    if (list->kind != KAI_DOCUMENT_LIST || list->count == 0)
        return kai_reader_wrong(reader, list, "a list of one or more quantities");
    if (list->count > KAI_OUTPUT_QUANTITIES) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a list of at most %d", KAI_OUTPUT_QUANTITIES);
        return kai_reader_wrong(reader, list, wanted);
    }
    bool ok = true;
    for (const kai_document_node* item = list->first; item; item = item->next)
        ok = read_quantity(builder, item, out) && ok;
    return ok;
}

// Files ------------------------------------------------------------------------------------------

// A plain name, so that no output leaves the run's folder; the suffix keeps it off the run's own
// files.
bool kai_builder_outputs_file(kai_builder* builder, const kai_document_node* file)
{
    kai_reader* reader = &builder->reader;
    const char* name = file->string;
    kai_error err = {0};
    if (strpbrk(name, "/\\") || name[0] == '.')
        return kai_reader_wrong(reader, file,
                                "a plain file name, without a folder or a dot at its start");
    const kai_result r =
        kai_names_add(&builder->files, "output file", name, (kai_id){.index = 1}, NULL, &err);
    if (r == KAI_ERROR_MEMORY) reader->document->failed = true;
    if (r == KAI_ERROR_NAME) kai_reader_report(reader, file, "%s", err.message);
    return r == KAI_OK;
}

static bool check_file(kai_builder* builder, const kai_document_node* file,
                       kai_output_target target)
{
    kai_reader* reader = &builder->reader;
    if (!file || file->kind != KAI_DOCUMENT_STRING) return false; // reported with the other keys
    const char* name = file->string;
    const bool particles = kai_output_is_snapshot(target);
    if (!kai_text_ends(name, ".csv") && !(particles && kai_text_ends(name, ".csv.gz")))
        return kai_reader_wrong(reader, file,
                                particles ? "a name that ends in .csv or .csv.gz"
                                          : "a name that ends in .csv");
    return kai_builder_outputs_file(builder, file);
}

/// Where in elements an output looks.
static void check_place(kai_builder* builder, const kai_document_node* node,
                        const kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    kai_error err = {0};
    const bool elements = out->target == KAI_OUTPUT_ELEMENTS || out->target == KAI_OUTPUT_ELEMENT;
    if (!elements || !kai_output_element_kind(reader->world, out)) return;
    if (kai_output_element_check(reader->world, out, &err) != KAI_OK)
        kai_reader_report(reader, node, "%s", err.message);
}

static void read_output(kai_builder* builder, const kai_document_node* node, kai_output_def* out)
{
    kai_reader* reader = &builder->reader;
    kai_sections_output output;
    *out = kai_output_def_default();
    kai_kind_defaults(kai_sections_output_part.kind, &output);
    const bool ok = kai_reader_section(reader, node, &kai_sections_output_part, &output);
    if (node->kind != KAI_DOCUMENT_OBJECT) return;
    // Which quantities there are depends on the target.
    if (!kai_builder_outputs_target(builder, node, "output", out)) return;
    const bool known = read_quantities(builder, node, out);
    if (ok) check_file(builder, kai_document_get(node, "file"), out->target);
    out->every = output.every;
    out->file = output.file;
    if (ok && known) check_place(builder, node, out);
}

bool kai_builder_outputs_room(kai_builder* builder, size_t count)
{
    const size_t most = builder->output_count + count;
    kai_output_def* grown = realloc(builder->outputs, most * sizeof *grown);
    if (grown) builder->outputs = grown;
    if (!grown) builder->reader.document->failed = true;
    return grown != NULL;
}

bool kai_builder_outputs_one(kai_builder* builder, const kai_document_node* node,
                             const kai_document_node* quantity, kai_output_def* out)
{
    return kai_builder_outputs_target(builder, node, "stop", out) &&
           read_quantity(builder, quantity, out);
}

// What happens is written to events.csv, unless the scene says where.
static void add_events(kai_builder* builder)
{
    for (size_t i = 0; i < builder->output_count; i++)
        if (builder->outputs[i].target == KAI_OUTPUT_EVENTS) return;
    kai_output_def* out = &builder->outputs[builder->output_count];
    *out = kai_output_def_default();
    out->target = KAI_OUTPUT_EVENTS;
    snprintf(out->file.text, sizeof out->file.text, "events.csv");
    if (KAI_IS_NULL(kai_names_find(&builder->files, out->file.text)))
        builder->output_count++;
    else
        kai_world_log(builder->reader.world, KAI_LOG_WARNING,
                      "events.csv is the file of an output; what happens is not written");
}

void kai_builder_outputs(kai_builder* builder)
{
    const bool events = builder->reader.world->events.count > 0;
    size_t count = events;
    kai_builder_items items = kai_builder_items_of(builder, "outputs");
    while (kai_builder_next(&items)) count++;
    if (count == 0 || !kai_builder_outputs_room(builder, count)) return;
    items = kai_builder_items_of(builder, "outputs");
    while (kai_builder_next(&items))
        read_output(builder, items.node, &builder->outputs[builder->output_count++]);
    if (events) add_events(builder);
}
