// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The JSON Schema of scene files (draft 2020-12), from the descriptions of all kinds and sections.
// Rules that go beyond a single key are added where the object is made.
#include "families.h"
#include "gendocs.h"
#include "keys.h"

#include "measure/output.h"
#include "scene/language/sections_language.h"
#include "scene/reader.h"
#include "scene/reference.h"
#include "scene/sections_coordinates.h"
#include "scene/sections_structures.h"
#include "scene/start.h"

#include <jansson.h>
#include <kairos/contact.h>
#include <kairos/event.h>
#include <kairos/scene.h>
#include <kairos/signal.h>
#include <kairos/sleep.h>
#include <kairos/solver.h>
#include <math.h>
#include <string.h>

// Building ---------------------------------------------------------------------------------------

// Jansson answers NULL and -1 when memory runs out, and takes NULL for granted everywhere but in
// the result of a pack; so failures are noted here and looked at once, at the end.
typedef struct maker {
    bool failed;
} maker;

static json_t* make(maker* m, json_t* value)
{
    if (!value) m->failed = true;
    return value;
}

static void put(maker* m, json_t* object, const char* key, json_t* value)
{
    if (json_object_set_new(object, key, value) != 0) m->failed = true;
}

static void add(maker* m, json_t* list, json_t* value)
{
    if (json_array_append_new(list, value) != 0) m->failed = true;
}

static json_t* number(double x)
{
    return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t* reference(maker* m, const char* name)
{
    return make(m, json_pack("{s:s+}", "$ref", "#/$defs/", name));
}

static json_t* any_of(maker* m, json_t* a, json_t* b)
{
    return make(m, json_pack("{s:[o,o]}", "anyOf", a, b));
}

// Types ------------------------------------------------------------------------------------------

static json_t* object_schema(maker* m, const kai_kind* const* kinds, size_t count, const char* doc);
static json_t* param_schema(maker* m, const kai_param* p);

static json_t* real_schema(maker* m, const kai_range* range, const char* type)
{
    // A text is a formula; bounds hold for numbers.
    json_t* s = make(m, json_pack("{s:[s,s]}", "type", type, "string"));
    if (!range->bounded) return s;
    if (isfinite(range->min))
        put(m, s, range->open_min ? "exclusiveMinimum" : "minimum", number(range->min));
    if (isfinite(range->max)) put(m, s, "maximum", number(range->max));
    return s;
}

static json_t* list_schema(maker* m, json_t* item, uint32_t least, uint32_t most)
{
    json_t* s = make(m, json_pack("{s:s,s:o}", "type", "array", "items", item));
    if (least) put(m, s, "minItems", json_integer(least));
    if (most) put(m, s, "maxItems", json_integer(most));
    return s;
}

static json_t* words_schema(maker* m, const char* const* words)
{
    json_t* list = make(m, json_array());
    for (; *words; words++) add(m, list, json_string(*words));
    return make(m, json_pack("{s:o}", "enum", list));
}

// One item of a list: an object of its parameters, or its main parameter alone.
static json_t* item_schema(maker* m, const kai_kind* item)
{
    const kai_param* main = kai_reader_function_main(item);
    json_t* object = object_schema(m, &item, 1, item->doc);
    return main ? any_of(m, param_schema(m, main), object) : object;
}

static json_t* table_schema(maker* m, const kai_param* p)
{
    json_t* row = real_schema(m, &p->range, "number");
    if (p->columns == KAI_ANY_COLUMNS)
        row = list_schema(m, row, 1, 0);
    else if (p->columns > 1)
        row = list_schema(m, row, p->columns, p->columns);
    json_t* rows = list_schema(m, row, kai_sections_rows_min(p), p->rows_max);
    if (!kai_sections_is_square(p)) return rows;
    json_t* one = list_schema(m, real_schema(m, &p->range, "number"), p->columns, p->columns);
    return any_of(m, one, rows);
}

static json_t* curve_schema(maker* m, const kai_param* p)
{
    static const kai_range any = {0};
    json_t* row = list_schema(m, real_schema(m, &any, "number"), 2, 2);
    return any_of(m, real_schema(m, &p->range, "number"), list_schema(m, row, 2, 0));
}

static json_t* type_schema(maker* m, const kai_param* p)
{
    switch (p->type) {
    case KAI_PARAM_BOOL: return make(m, json_pack("{s:[s,s]}", "type", "boolean", "string"));
    case KAI_PARAM_INT: return real_schema(m, &p->range, "integer");
    case KAI_PARAM_REAL: return real_schema(m, &p->range, "number");
    case KAI_PARAM_VALUE:
        return any_of(m, real_schema(m, &p->range, "number"), reference(m, "function"));
    case KAI_PARAM_VALUE3:
        return list_schema(
            m, any_of(m, real_schema(m, &p->range, "number"), reference(m, "function")), 3, 3);
    case KAI_PARAM_VEC3: return list_schema(m, real_schema(m, &p->range, "number"), 3, 3);
    case KAI_PARAM_ROTATION: return reference(m, "rotation");
    case KAI_PARAM_FRAME: return reference(m, "frame");
    case KAI_PARAM_INERTIA:
        return any_of(m, list_schema(m, real_schema(m, &p->range, "number"), 3, 3),
                      list_schema(m, real_schema(m, &p->range, "number"), 6, 6));
    case KAI_PARAM_COLOR:
        return any_of(
            m, make(m, json_pack("{s:s,s:s}", "type", "string", "pattern", "^#[0-9a-fA-F]{6}$")),
            list_schema(m, real_schema(m, &p->range, "number"), 3, 3));
    case KAI_PARAM_ENUM: return words_schema(m, p->words);
    case KAI_PARAM_EXPRESSION: return make(m, json_pack("{s:[ss]}", "type", "string", "number"));
    case KAI_PARAM_STRING:
        return make(m, json_pack("{s:s,s:i}", "type", "string", "maxLength", KAI_STRING_SIZE - 1));
    case KAI_PARAM_BODY:
    case KAI_PARAM_JOINT:
    case KAI_PARAM_SHAFT:
    case KAI_PARAM_NODE:
    case KAI_PARAM_SOLID:
    case KAI_PARAM_LOAD:
    case KAI_PARAM_ELEMENT:
    case KAI_PARAM_STRUCTURE:
    case KAI_PARAM_SIGNAL:
    case KAI_PARAM_MATERIAL: return make(m, json_pack("{s:s}", "type", "string"));
    case KAI_PARAM_LAW: return reference(m, "contact_law");
    case KAI_PARAM_FUNCTION:
        return any_of(m, make(m, json_pack("{s:[s,s]}", "type", "number", "string")),
                      reference(m, "function"));
    case KAI_PARAM_TABLE: return table_schema(m, p);
    case KAI_PARAM_CURVE: return curve_schema(m, p);
    case KAI_PARAM_LIST: {
        json_t* list =
            list_schema(m, item_schema(m, p->item), kai_sections_rows_min(p), p->rows_max);
        return p->rows_max == 1 ? any_of(m, item_schema(m, p->item), list) : list;
    }
    case KAI_PARAM_WORDS: return list_schema(m, words_schema(m, p->words), 0, 0);
    case KAI_PARAM_TYPE_COUNT: break;
    }
    return make(m, json_object());
}

static json_t* default_value(maker* m, const kai_param* p)
{
    const size_t count = kai_kind_type_numbers(p->type);
    if (p->type == KAI_PARAM_BOOL) return json_boolean(p->initial[0] != 0.0);
    if (p->type == KAI_PARAM_ENUM) return json_string(p->words[(int)p->initial[0]]);
    if (count <= 1) return number(p->initial[0]);
    json_t* list = make(m, json_array());
    for (size_t i = 0; i < count; i++) add(m, list, number(p->initial[i]));
    return list;
}

static json_t* param_schema(maker* m, const kai_param* p)
{
    json_t* s = type_schema(m, p);
    const uint32_t repeats = (uint32_t)kai_kind_repeats(p);
    if (repeats > 1) s = list_schema(m, s, repeats, repeats);
    const char* unit = p->unit ? p->unit : "";
    put(m, s, "description",
        json_sprintf("%s%s%s%s", p->doc, *unit ? " [" : "", unit, *unit ? "]" : ""));
    if (kai_reference_has_default(p)) put(m, s, "default", default_value(m, p));
    return s;
}

// Objects ----------------------------------------------------------------------------------------

static void add_kind(maker* m, json_t* properties, json_t* required, const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->hidden) continue;
        put(m, properties, p->name, param_schema(m, p));
        if (p->required) add(m, required, json_string(p->name));
    }
}

static void add_keys(maker* m, json_t* properties, json_t* required, const kai_sections_part* part)
{
    for (size_t i = 0; i < part->key_count; i++) {
        const docs_key* key = docs_key_of(part, part->keys[i].name);
        if (!key) { // a schema without a key must not be written
            m->failed = true;
            continue;
        }
        json_t* s = make(m, json_loads(key->schema, 0, NULL));
        put(m, s, "description", json_string(key->doc));
        put(m, properties, key->name, s);
        if (part->keys[i].required) add(m, required, json_string(key->name));
    }
}

static json_t* close_object(maker* m, json_t* properties, json_t* required, const char* doc)
{
    json_t* s = make(m, json_pack("{s:s,s:s,s:o,s:b}", "type", "object", "description", doc,
                                  "properties", properties, "additionalProperties", 0));
    if (json_array_size(required) > 0)
        put(m, s, "required", required);
    else
        json_decref(required);
    return s;
}

static json_t* object_schema(maker* m, const kai_kind* const* kinds, size_t count, const char* doc)
{
    json_t *properties = make(m, json_object()), *required = make(m, json_array());
    for (size_t i = 0; i < count; i++) add_kind(m, properties, required, kinds[i]);
    return close_object(m, properties, required, doc);
}

static json_t* part_schema(maker* m, const kai_sections_part* part)
{
    json_t *properties = make(m, json_object()), *required = make(m, json_array());
    if (part->kind) add_kind(m, properties, required, part->kind);
    add_keys(m, properties, required, part);
    return close_object(m, properties, required, docs_part_text(part));
}

// {"type": KIND, keys of the section, keys of the kind}, one alternative a kind.
static json_t* family_schema(maker* m, const kai_sections_part* part,
                             const kai_kind* (*kind_at)(size_t i))
{
    json_t* list = make(m, json_array());
    const kai_kind* kind;
    for (size_t i = 0; (kind = kind_at(i)) != NULL; i++) {
        json_t *properties = make(m, json_object()), *required = make(m, json_array());
        const bool measure = kind == &kai_block_measure.kind;
        add_keys(m, properties, required,
                 measure ? &kai_sections_measure_part
                         : kai_sections_coordinates_part_of(part, kind));
        put(m, properties, "type", json_pack("{s:s}", "const", kind->name));
        if (part->kind) add_kind(m, properties, required, part->kind);
        add_kind(m, properties, required, kind);
        add(m, list, close_object(m, properties, required, kind->doc));
    }
    if (json_array_size(list) == 0) { // no kind yet: nothing is right
        json_decref(list);
        return make(m, json_pack("{s:{}}", "not"));
    }
    return make(m, json_pack("{s:o}", "oneOf", list));
}

// The element of a structure: {"type": KIND, keys of the kind but its nodes}.
static json_t* made_of_schema(maker* m)
{
    json_t* list = make(m, json_array());
    const kai_kind* kind;
    for (size_t i = 0; (kind = docs_elements(i)) != NULL; i++) {
        json_t *properties = make(m, json_object()), *required = make(m, json_array());
        const kai_kind nodeless = kai_sections_structures_nodeless(kind);
        add_keys(m, properties, required, &kai_sections_structures_solid);
        put(m, properties, "type", json_pack("{s:s}", "const", kind->name));
        add_kind(m, properties, required, &nodeless);
        add(m, list, close_object(m, properties, required, kind->doc));
    }
    return make(m, json_pack("{s:o}", "oneOf", list));
}

static json_t* function_kind_schema(maker* m, const kai_kind* kind)
{
    json_t *properties = make(m, json_object()), *required = make(m, json_array());
    const kai_param* main = kai_reader_function_main(kind);
    json_t* object = object_schema(m, &kind, 1, kind->doc);
    put(m, properties, kind->name, main ? any_of(m, param_schema(m, main), object) : object);
    add(m, required, json_string(kind->name));
    for (size_t i = 0; main && i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (!p->hidden && p != main) put(m, properties, p->name, param_schema(m, p));
    }
    return close_object(m, properties, required, kind->doc);
}

static json_t* function_schema(maker* m)
{
    json_t* list = make(m, json_array());
    const kai_kind* kind;
    for (size_t i = 0; (kind = docs_functions(i)) != NULL; i++)
        add(m, list, function_kind_schema(m, kind));
    return make(m, json_pack("{s:o}", "oneOf", list));
}

static json_t* rotation_schema(maker* m)
{
    static const kai_range any = {0};
    const kai_kind *axis = &kai_sections_axis_angle_kind, *euler = &kai_sections_euler_kind;
    json_t* quaternion = list_schema(m, real_schema(m, &any, "number"), 4, 4);
    put(m, quaternion, "description", json_string("Unit quaternion [w, x, y, z]."));
    return make(m,
                json_pack("{s:[o,o,o]}", "oneOf", quaternion, object_schema(m, &axis, 1, axis->doc),
                          object_schema(m, &euler, 1, euler->doc)));
}

/// A word, or an object with `type`, of a family.
static json_t* word_or_type(maker* m, const kai_sections_part* part,
                            const kai_kind* (*kind_at)(size_t i))
{
    json_t* words = make(m, json_array());
    const kai_kind* kind;
    for (size_t i = 0; (kind = kind_at(i)) != NULL; i++) add(m, words, json_string(kind->name));
    return any_of(m, make(m, json_pack("{s:o}", "enum", words)), family_schema(m, part, kind_at));
}

/// A word of the kind's first parameter, or an object of all of them.
static json_t* word_or_object(maker* m, const kai_kind* kind)
{
    return any_of(m, words_schema(m, kind->params[0].words), object_schema(m, &kind, 1, kind->doc));
}

// What sensors read; each word once.
static void add_channels(maker* m, json_t* words)
{
    const kai_kind* kind;
    for (size_t i = 0; (kind = docs_sensors(i)) != NULL; i++) {
        const kai_sensor_channel* c = ((const kai_sensor_kind*)(const void*)kind)->channels;
        for (; c && c->name; c++) {
            bool there = false;
            for (size_t k = 0; k < json_array_size(words); k++)
                there = there || strcmp(json_string_value(json_array_get(words, k)), c->name) == 0;
            if (!there) add(m, words, json_string(c->name));
        }
    }
}

// Outputs have one of several targets, each with quantities of its own.
static json_t* output_schema(maker* m)
{
    static const char* const keys[] = {
#define TARGET_KEY(name, key) [KAI_OUTPUT_##name] = key,
        KAI_OUTPUT_TARGETS(TARGET_KEY)
#undef TARGET_KEY
    };
    json_t* list = make(m, json_array());
    for (size_t t = 0; t < KAI_COUNT(keys); t++) {
        json_t* words = make(m, json_array());
        const kai_quantity* q;
        if (t == KAI_OUTPUT_SENSOR) add_channels(m, words);
        for (int i = 0; (q = kai_output_quantity((kai_output_target)t, i)) != NULL; i++)
            add(m, words, json_string(q->name));
        json_t* required = make(m, json_pack("[s]", keys[t]));
        const bool many = kai_output_is_snapshot((kai_output_target)t);
        if (!many && t != KAI_OUTPUT_EVENTS) add(m, required, json_string("quantities"));
        const char* pattern =
            many ? "^[^./\\\\][^/\\\\]*\\.csv(\\.gz)?$" : "^[^./\\\\][^/\\\\]*\\.csv$";
        add(m, list,
            json_pack("{s:o,s:{s:{s:{s:o}},s:{s:s}}}", "required", required, "properties",
                      "quantities", "items", "enum", words, "file", "pattern", pattern));
    }
    json_t* s = part_schema(m, &kai_sections_output_part);
    put(m, s, "oneOf", list);
    return s;
}

// Particles lie where a table says, or a sampler.
static json_t* particles_schema(maker* m)
{
    json_t* s = part_schema(m, &kai_sections_particles_part);
    put(m, s, "oneOf", json_pack("[{s:[s]},{s:[s]}]", "required", "file", "required", "sampler"));
    return s;
}

// Where a body's mass may come from; see kai_sections_body_part.
static const char MASS_RULE[] =
    "{\"anyOf\": [{\"required\": [\"mass\", \"inertia\"]}, {\"required\": [\"mass\", \"shapes\"]},"
    " {\"required\": [\"density\", \"shapes\"]}, {\"not\": {\"anyOf\": [{\"required\": [\"mass\"]},"
    " {\"required\": [\"inertia\"]}, {\"required\": [\"density\"]}]}, \"required\": [\"shapes\"]},"
    " {\"properties\": {\"fixed\": {\"const\": true}}, \"required\": [\"fixed\"]}]}";

// The whole --------------------------------------------------------------------------------------

static json_t* definitions(maker* m)
{
    const kai_kind *material = &kai_material_kind, *pair = &kai_material_pair_kind,
                   *trajectory = &kai_output_trajectory_kind, *checks = &kai_judge_kind,
                   *frame = &kai_sections_frame_kind, *collision = &kai_collision_kind,
                   *sleep = &kai_sleep_kind, *ray = &kai_sections_ray_kind,
                   *nearest = &kai_sections_nearest_kind, *view = &kai_output_view_kind,
                   *element = &kai_sections_one_element_kind,
                   *elements = &kai_sections_all_elements_kind, *whole = &kai_sections_whole_kind,
                   *event[] = {&kai_sections_event_kind, &kai_event_kind},
                   *shaft[] = {&kai_sections_shaft_kind, &kai_shaft_kind},
                   *node[] = {&kai_sections_structures_node, &kai_node_kind};
    json_t* defs = make(m, json_object());
    put(m, defs, "include", part_schema(m, &kai_sections_include_part));
    put(m, defs, "parameter", part_schema(m, &kai_sections_language_parameter_part));
    put(m, defs, "instance", part_schema(m, &kai_sections_language_instance_part));
    put(m, defs, "template", part_schema(m, &kai_sections_language_template_part));
    put(m, defs, "material", object_schema(m, &material, 1, material->doc));
    put(m, defs, "material_pair", object_schema(m, &pair, 1, pair->doc));
    put(m, defs, "body", part_schema(m, &kai_sections_body_part));
    put(m, defs, "shape", family_schema(m, &kai_sections_shape_part, docs_shapes));
    put(m, defs, "particles", particles_schema(m));
    put(m, defs, "sampler", family_schema(m, &kai_sections_sampler_part, docs_samplers));
    put(m, defs, "domain", family_schema(m, &kai_sections_domain_part, docs_domains));
    put(m, defs, "load", family_schema(m, &kai_sections_load_part, docs_loads));
    put(m, defs, "joint", family_schema(m, &kai_sections_joint_part, docs_joints));
    put(m, defs, "sensor", family_schema(m, &kai_sections_sensor_part, docs_sensors));
    put(m, defs, "motor", family_schema(m, &kai_sections_motor_part, docs_motors));
    put(m, defs, "shaft", object_schema(m, shaft, 2, shaft[0]->doc));
    put(m, defs, "coupling", family_schema(m, &kai_sections_coupling_part, docs_couplings));
    put(m, defs, "signal", family_schema(m, &kai_sections_signal_part, docs_signals));
    put(m, defs, "event", object_schema(m, event, 2, event[1]->doc));
    put(m, defs, "solid", family_schema(m, &kai_sections_structures_solid, docs_solids));
    put(m, defs, "node", object_schema(m, node, 2, node[0]->doc));
    put(m, defs, "element", family_schema(m, &kai_sections_structures_element, docs_elements));
    put(m, defs, "structure", family_schema(m, &kai_sections_structures_part, docs_structures));
    put(m, defs, "structure_element", made_of_schema(m));
    for (int i = 0; i < KAI_SECTIONS_STRUCTURES_LISTS; i++) {
        const kai_kind* item = &kai_sections_structures_items[i];
        char key[64];
        snprintf(key, sizeof key, "structure_%s", item->name);
        put(m, defs, key, object_schema(m, &item, 1, item->doc));
    }
    put(m, defs, "frame", object_schema(m, &frame, 1, frame->doc));
    put(m, defs, "integrator", word_or_type(m, &kai_sections_integrator_part, docs_integrators));
    put(m, defs, "contact_law", word_or_type(m, &kai_sections_law_part, docs_laws));
    put(m, defs, "solver", word_or_object(m, &kai_solver_kind));
    put(m, defs, "contact", word_or_object(m, &kai_contact_kind));
    put(m, defs, "output", output_schema(m));
    const kai_kind* start = &kai_start_kind;
    put(m, defs, "start", object_schema(m, &start, 1, start->doc));
    put(m, defs, "stop", part_schema(m, &kai_sections_stop_part));
    put(m, defs, "sleep", object_schema(m, &sleep, 1, sleep->doc));
    put(m, defs, "checks", object_schema(m, &checks, 1, checks->doc));
    put(m, defs, "trajectory", object_schema(m, &trajectory, 1, trajectory->doc));
    put(m, defs, "collision", object_schema(m, &collision, 1, collision->doc));
    put(m, defs, "ray", object_schema(m, &ray, 1, ray->doc));
    put(m, defs, "output_element", object_schema(m, &element, 1, element->doc));
    put(m, defs, "output_elements", object_schema(m, &elements, 1, elements->doc));
    put(m, defs, "output_structure", object_schema(m, &whole, 1, whole->doc));
    put(m, defs, "nearest", object_schema(m, &nearest, 1, nearest->doc));
    put(m, defs, "view", object_schema(m, &view, 1, view->doc));
    put(m, defs, "rotation", rotation_schema(m));
    put(m, defs, "function", function_schema(m));
    return defs;
}

// A file that includes others, or a template, may leave out what is elsewhere: needed keys are asked
// for only without "include" and "template".
static void relax_includes(maker* m, json_t* s)
{
    json_t* required = make(m, json_incref(json_object_get(s, "required")));
    json_t* rule = make(m, json_loads(MASS_RULE, 0, NULL));
    json_object_del(s, "required");
    put(m, s, "if",
        json_pack("{s:{s:[{s:[s]},{s:[s]}]}}", "not", "anyOf", "required", "include", "required",
                  "template"));
    put(m, s, "then",
        json_pack("{s:o,s:{s:{s:o}}}", "required", required, "properties", "bodies", "items",
                  rule));
}

// Lists of a program's own: {"type": KIND, keys of the kind}, or the keys of the one kind there is.
static json_t* section_schema(maker* m, const kai_section* section)
{
    json_t* kinds = make(m, json_array());
    for (size_t i = 0; section->kinds[i]; i++) {
        const kai_kind* kind = section->kinds[i];
        json_t *properties = make(m, json_object()), *required = make(m, json_array());
        if (!section->typeless) {
            put(m, properties, "type", json_pack("{s:s}", "const", kind->name));
            add(m, required, json_string("type"));
        }
        add_kind(m, properties, required, &kai_sections_item_kind);
        add_kind(m, properties, required, kind);
        add(m, kinds, close_object(m, properties, required, kind->doc));
    }
    json_t* s = list_schema(m, make(m, json_pack("{s:o}", "oneOf", kinds)), 0, 0);
    put(m, s, "description", json_string(section->doc));
    return s;
}

char* docs_schema(const kai_section* const* sections)
{
    maker m = {false};
    json_t* s =
        make(&m, json_pack("{s:s,s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                           "title", "Kairos scene"));
    json_t* scene = part_schema(&m, &kai_sections_scene_part);
    relax_includes(&m, scene);
    for (; sections && *sections; sections++)
        put(&m, json_object_get(scene, "properties"), (*sections)->name,
            section_schema(&m, *sections));
    if (!s || !scene || json_object_update(s, scene) != 0) m.failed = true;
    json_decref(scene);
    put(&m, s, "$defs", definitions(&m));
    char* text = m.failed ? NULL : json_dumps(s, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    json_decref(s);
    return text;
}
