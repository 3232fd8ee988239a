// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/reader.h"

#include "base/store.h"
#include "model/id.h"
#include "model/world.h"
#include "scene/sections.h"

#include <kairos/contact.h>
#include <kairos/joint.h>
#include <kairos/node.h>
#include <kairos/solid.h>
#include <kairos/structure.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHOLE_MOST     9007199254740992.0 // 2^53: larger whole numbers are not exact in JSON readers
#define UNIT_TOLERANCE 1e-3

// Numbers ----------------------------------------------------------------------------------------

static bool in_range(const kai_range* range, double x)
{
    if (!range->bounded) return true;
    return (range->open_min ? x > range->min : x >= range->min) && x <= range->max;
}

static bool check_range(kai_reader* reader, const kai_document_node* node, const kai_param* param)
{
    if (in_range(&param->range, node->number)) return true;
    char name[128], what[64], rule[96];
    kai_reader_name(node, name, sizeof name);
    kai_document_describe(node, what, sizeof what);
    if (param->range.min == param->range.max)
        snprintf(rule, sizeof rule, "must be %g", param->range.min);
    else
        kai_kind_range_text(&param->range, rule, sizeof rule);
    return kai_reader_report(reader, node, "%s is %s%s%s; %s", name, what, param->unit ? " " : "",
                             param->unit ? param->unit : "", rule);
}

static bool read_real(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      double* out)
{
    if (!kai_reader_formula(reader, node, param->unit)) return false;
    if (node->kind != KAI_DOCUMENT_NUMBER) return kai_reader_wrong(reader, node, "a number");
    *out = node->number;
    return check_range(reader, node, param);
}

// A list of exactly `count` numbers; `wanted` says what for.
static bool read_reals(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       size_t count, const char* wanted, double* out)
{
    if (node->kind != KAI_DOCUMENT_LIST || node->count != count)
        return kai_reader_wrong(reader, node, wanted);
    bool ok = true;
    for (const kai_document_node* item = node->first; item; item = item->next)
        ok = read_real(reader, item, param, out++) && ok;
    return ok;
}

static bool read_int(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                     int64_t* out)
{
    if (!kai_reader_formula(reader, node, param->unit)) return false;
    const bool whole = node->kind == KAI_DOCUMENT_NUMBER && node->number == floor(node->number) &&
                       fabs(node->number) <= WHOLE_MOST;
    if (!whole) return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_INT));
    *out = (int64_t)node->number;
    return check_range(reader, node, param);
}

static bool read_value(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       kai_value* out)
{
    *out = kai_value_constant(0.0);
    if (!kai_reader_formula(reader, node, param->unit)) return false;
    if (node->kind == KAI_DOCUMENT_OBJECT) return kai_reader_function(reader, node, &out->function);
    if (node->kind == KAI_DOCUMENT_NUMBER) return read_real(reader, node, param, &out->constant);
    return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_VALUE));
}

static bool read_value3(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                        kai_value* out)
{
    if (node->kind != KAI_DOCUMENT_LIST || node->count != 3)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_VALUE3));
    bool ok = true;
    for (const kai_document_node* item = node->first; item; item = item->next)
        ok = read_value(reader, item, param, out++) && ok;
    return ok;
}

static bool read_inertia(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                         kai_inertia* out)
{
    const char* wanted = kai_kind_type_text(KAI_PARAM_INERTIA);
    double numbers[6] = {0};
    const size_t count = node->kind == KAI_DOCUMENT_LIST && node->count == 3 ? 3 : 6;
    const bool ok = read_reals(reader, node, param, count, wanted, numbers);
    *out = (kai_inertia){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
    return ok;
}

// A function is wanted; a number stands for one that does not vary.
static bool read_function(kai_reader* reader, const kai_document_node* node, kai_function* out)
{
    if (!kai_reader_formula(reader, node, NULL)) return false;
    if (node->kind == KAI_DOCUMENT_OBJECT) return kai_reader_function(reader, node, out);
    if (node->kind != KAI_DOCUMENT_NUMBER)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_FUNCTION));
    const kai_function_polynomial_params params = {.coefficients = {&node->number, 1, 1}};
    if (kai_function_create(reader->world, &kai_function_polynomial, &params, out) == KAI_OK)
        return true;
    kai_reader_failed(reader, node);
    return false;
}

// Rotations, colors ------------------------------------------------------------------------------

static bool read_quaternion(kai_reader* reader, const kai_document_node* node, kai_quat* out)
{
    static const kai_param any = {.name = "rotation", .type = KAI_PARAM_ROTATION, .unit = "1"};
    double q[4];
    if (!read_reals(reader, node, &any, 4, kai_kind_type_text(KAI_PARAM_ROTATION), q)) return false;
    const kai_quat read = {q[0], q[1], q[2], q[3]};
    if (!kai_quat_is_unit(read, UNIT_TOLERANCE)) {
        char name[128];
        kai_reader_name(node, name, sizeof name);
        return kai_reader_report(
            reader, node, "%s is [%.6g, %.6g, %.6g, %.6g], of length %.6g; must be of length 1",
            name, q[0], q[1], q[2], q[3], sqrt(kai_quat_norm2(read)));
    }
    *out = kai_quat_normalize(read);
    return true;
}

static bool read_axis_angle(kai_reader* reader, const kai_document_node* node, kai_quat* out)
{
    kai_sections_axis_angle instance;
    if (!kai_reader_instance(reader, node, &kai_sections_axis_angle_kind, &instance)) return false;
    *out = kai_quat_from_axis_angle(kai_vec3_normalize(instance.axis), instance.angle);
    return true;
}

static bool read_euler(kai_reader* reader, const kai_document_node* node, kai_quat* out)
{
    kai_sections_euler instance;
    if (!kai_reader_instance(reader, node, &kai_sections_euler_kind, &instance)) return false;
    const double angles[3] = {instance.euler.x, instance.euler.y, instance.euler.z};
    *out = kai_quat_from_euler(angles, kai_sections_orders[instance.order]);
    return true;
}

static bool read_rotation(kai_reader* reader, const kai_document_node* node, kai_quat* out)
{
    if (kai_document_get(node, "euler")) return read_euler(reader, node, out);
    if (node->kind == KAI_DOCUMENT_OBJECT) return read_axis_angle(reader, node, out);
    return read_quaternion(reader, node, out);
}

static bool read_frame(kai_reader* reader, const kai_document_node* node, kai_frame* out)
{
    kai_sections_frame instance;
    if (!kai_reader_instance(reader, node, &kai_sections_frame_kind, &instance)) return false;
    *out = kai_frame_make(instance.at, instance.rotation);
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_color(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       double* out)
{
    const char* wanted = kai_kind_type_text(KAI_PARAM_COLOR);
    if (node->kind != KAI_DOCUMENT_STRING) return read_reals(reader, node, param, 3, wanted, out);
    kai_reader_place_text(reader, node);
    const char* text = node->string;
    bool ok = strlen(text) == 7 && text[0] == '#';
    for (int i = 0; ok && i < 3; i++) {
        const int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        ok = high >= 0 && low >= 0;
        out[i] = (16 * high + low) / 255.0;
    }
    return ok || kai_reader_wrong(reader, node, wanted);
}

// Words, texts, names ----------------------------------------------------------------------------

static const char* word_at(size_t i, const void* context)
{
    return ((const kai_param*)context)->words[i];
}

/// Reports a word that was taken out, with the one to write in its place.
static bool read_removed_word(kai_reader* reader, const kai_document_node* node,
                              const kai_param* param)
{
    static const struct {
        const char *word, *instead;
    } REMOVED[] = {{"jacobi", "psor"}};
    char name[128];
    for (size_t i = 0; node->kind == KAI_DOCUMENT_STRING && i < KAI_COUNT(REMOVED); i++) {
        bool there = false;
        for (size_t k = 0; param->words[k]; k++)
            there |= strcmp(param->words[k], REMOVED[i].instead) == 0;
        if (!there || strcmp(node->string, REMOVED[i].word) != 0) continue;
        kai_reader_name(node, name, sizeof name);
        kai_reader_report(reader, node, "%s is \"%s\", which was taken out; write \"%s\"", name,
                          REMOVED[i].word, REMOVED[i].instead);
        return true;
    }
    return false;
}

static bool read_enum(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      int32_t* out)
{
    size_t count = 0;
    kai_reader_place_text(reader, node);
    for (; param->words[count]; count++) {
        if (node->kind != KAI_DOCUMENT_STRING || strcmp(node->string, param->words[count]) != 0)
            continue;
        *out = (int32_t)count;
        return true;
    }
    if (read_removed_word(reader, node, param)) return false;
    return kai_reader_unknown_word(reader, node, count, word_at, param);
}

// Some of the words, each a bit; in any order.
static bool read_words(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       uint32_t* out)
{
    if (node->kind != KAI_DOCUMENT_LIST)
        return kai_reader_wrong(reader, node, kai_kind_type_text(param->type));
    uint32_t bits = 0;
    bool ok = true;
    for (const kai_document_node* item = node->first; item; item = item->next) {
        int32_t word = 0;
        if (read_enum(reader, item, param, &word))
            bits |= UINT32_C(1) << word;
        else
            ok = false;
    }
    *out = bits;
    return ok;
}

static bool read_string(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                        kai_string* out)
{
    if (param->placing == KAI_PLACING_NAME)
        kai_reader_place_name(reader, node);
    else if (param->placing == KAI_PLACING_REFERENCE)
        kai_reader_place_reference(reader, node, NULL);
    else
        kai_reader_place_text(reader, node);
    if (node->kind != KAI_DOCUMENT_STRING) return kai_reader_wrong(reader, node, "a text");
    const size_t length = strlen(node->string);
    char name[128];
    kai_reader_name(node, name, sizeof name);
    if (length >= sizeof out->text)
        return kai_reader_report(reader, node, "%s has %zu bytes; must have at most %zu", name,
                                 length, sizeof out->text - 1);
    for (const char* c = node->string; *c; c++) {
        if ((unsigned char)*c >= 0x20 && *c != 0x7f) continue;
        return kai_reader_report(reader, node, "%s holds a control character; must be plain text",
                                 name);
    }
    memcpy(out->text, node->string, length + 1);
    return true;
}

// Whether a name is that of a node of a structure that was declared but could not be made.
static bool is_lost(const kai_reader* reader, const char* name)
{
    char structure[KAI_STRING_SIZE];
    const char* point = strrchr(name, '.');
    if (!point || (size_t)(point - name) >= sizeof structure) return false;
    snprintf(structure, sizeof structure, "%.*s", (int)(point - name), name);
    return !KAI_IS_NULL(kai_names_find(&reader->structures, structure)) &&
           KAI_IS_NULL(kai_structure_find(reader->world, structure));
}

// Reports a name that nobody declared. False, as is a thing that was declared but could not be
// made.
static bool not_found(kai_reader* reader, const kai_document_node* node, const char* family,
                      const kai_names* names)
{
    if (!KAI_IS_NULL(kai_names_find(names, node->string)) || is_lost(reader, node->string)) {
        reader->unresolved = true;
        return true; // its own problem was told
    }
    return kai_reader_unknown_name(reader, node, family, names);
}

// Types that name something: what messages call it, the names that the scene declares, and how it
// is found in the world.
typedef struct named_type {
    const char* family;
    size_t names; // in kai_reader
    bool outside; // looked for outside of instances as well
    kai_id (*find)(const kai_world* world, const char* name);
} named_type;

#define NAMED_TYPES(X)                     \
    X(BODY, body, bodies, false)           \
    X(JOINT, joint, joints, false)         \
    X(SHAFT, shaft, shafts, false)         \
    X(MATERIAL, material, materials, true) \
    X(NODE, node, nodes, false)            \
    X(SOLID, solid, solids, true)          \
    X(STRUCTURE, structure, structures, false)

#define FIND(TYPE, family, names, outside)                                \
    static kai_id find_##family(const kai_world* world, const char* name) \
    {                                                                     \
        const kai_##family found = kai_##family##_find(world, name);      \
        return KAI_ID_OF(found);                                          \
    }
NAMED_TYPES(FIND)
#undef FIND

static const named_type NAMED[KAI_PARAM_TYPE_COUNT] = {
#define ROW(TYPE, family, names, outside) \
    [KAI_PARAM_##TYPE] = {#family, offsetof(kai_reader, names), outside, find_##family},
    NAMED_TYPES(ROW)
#undef ROW
};

static bool read_named(kai_reader* reader, const kai_document_node* node, kai_param_type type,
                       kai_id* out)
{
    const named_type* named = &NAMED[type];
    if (node->kind != KAI_DOCUMENT_STRING)
        return kai_reader_wrong(reader, node, kai_kind_type_text(type));
    const void* names = (const char*)reader + named->names;
    kai_reader_place_reference(reader, node, named->outside ? names : NULL);
    *out = named->find(reader->world, node->string);
    return !KAI_IS_NULL(*out) || not_found(reader, node, named->family, names);
}

// Signals ----------------------------------------------------------------------------------------

// The name of a signal that the scene declares: it may not have been made yet.
static bool read_signal(kai_reader* reader, const kai_document_node* node, kai_string* out)
{
    static const kai_param REFERENCE = {.placing = KAI_PLACING_REFERENCE};
    if (node->kind != KAI_DOCUMENT_STRING)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_SIGNAL));
    if (!read_string(reader, node, &REFERENCE, out)) return false;
    return !KAI_IS_NULL(kai_names_find(&reader->signals, node->string)) ||
           kai_reader_unknown_name(reader, node, "signal", &reader->signals);
}

// Contact laws -----------------------------------------------------------------------------------

static const char* law_name(size_t i, const void* context)
{
    return ((const kai_store*)context)->batches[i].kind->name;
}

// A word, or an object with "type" and the parameters of that kind: a law of its own.
static bool read_law(kai_reader* reader, const kai_document_node* node, kai_contact_law* out)
{
    const kai_store* laws = &reader->world->laws;
    const bool object = node->kind == KAI_DOCUMENT_OBJECT;
    const kai_document_node* type = object ? kai_document_get(node, "type") : node;
    if (!type) return kai_reader_report(reader, node, "type is missing");
    const kai_kind* kind =
        type->kind == KAI_DOCUMENT_STRING ? kai_store_kind(laws, type->string) : NULL;
    if (!kind) return kai_reader_unknown_word(reader, type, laws->batch_count, law_name, laws);
    void* instance = kai_document_allocate(reader->document, 1, kind->size);
    if (!instance) return false;
    kai_kind_defaults(kind, instance);
    kai_sections_part section = kai_sections_law_part;
    section.kind = kind;
    if (object && !kai_reader_section(reader, node, &section, instance)) return false;
    const kai_contact_law_kind* law = (const kai_contact_law_kind*)(const void*)kind;
    if (kai_contact_law_create(reader->world, law, instance, out) == KAI_OK) return true;
    kai_reader_failed(reader, node);
    return false;
}

// Tables, lists ----------------------------------------------------------------------------------

static bool check_rows(kai_reader* reader, const kai_document_node* node, const kai_param* param)
{
    const uint32_t least = kai_sections_rows_min(param);
    if (node->kind != KAI_DOCUMENT_LIST)
        return kai_reader_wrong(reader, node, kai_kind_type_text(param->type));
    char wanted[64] = "";
    if (node->count < least) snprintf(wanted, sizeof wanted, "a list of %u or more", least);
    if (param->rows_max && node->count > param->rows_max)
        snprintf(wanted, sizeof wanted, "a list of at most %u", param->rows_max);
    return wanted[0] == '\0' || kai_reader_wrong(reader, node, wanted);
}

static bool read_table(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       kai_table* out)
{
    if (!check_rows(reader, node, param)) return false;
    // One row of a square table, its diagonal, may stand without a list around it.
    const bool flat = kai_sections_is_square(param) && node->count == param->columns &&
                      node->first->kind != KAI_DOCUMENT_LIST;
    // Where any number will do, the first row says how many.
    const bool any = param->columns == KAI_ANY_COLUMNS;
    const kai_document_node* first = node->first;
    if (any && first && (first->kind != KAI_DOCUMENT_LIST || first->count == 0))
        return kai_reader_wrong(reader, first, "a row of numbers");
    const uint32_t columns = any ? (first ? first->count : 0) : param->columns;
    const uint32_t rows = flat ? 1 : node->count;
    double* data = kai_document_allocate(reader->document, (size_t)rows * columns, sizeof *data);
    if (!data) return false;
    *out = (kai_table){data, rows, columns};
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a row of %u numbers", columns);
    bool ok = true;
    if (flat) return read_reals(reader, node, param, columns, wanted, data);
    for (const kai_document_node* row = first; row; row = row->next, data += columns) {
        if (param->columns == 1)
            ok = read_real(reader, row, param, data) && ok;
        else
            ok = read_reals(reader, row, param, columns, wanted, data) && ok;
    }
    return ok;
}

// A number: the slope of a line; rows: points of a curve.
static bool read_curve(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                       kai_curve* out)
{
    static const kai_param any = {
        .name = "points", .type = KAI_PARAM_TABLE, .columns = 2, .rows_min = 2};
    *out = kai_curve_line(0.0);
    if (!kai_reader_formula(reader, node, param->unit)) return false;
    if (node->kind == KAI_DOCUMENT_NUMBER) return read_real(reader, node, param, &out->slope);
    if (node->kind != KAI_DOCUMENT_LIST)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_CURVE));
    if (!read_table(reader, node, &any, &out->points)) return false;
    const kai_document_node* row = node->first->next;
    for (const double* x = out->points.data; row; row = row->next, x += 2) {
        if (x[2] > x[0]) continue;
        char wanted[64];
        snprintf(wanted, sizeof wanted, "> %.15g, the x before it", x[0]);
        return kai_reader_wrong(reader, row->first, wanted);
    }
    return true;
}

// One item: an object of its parameters, or the value of its main parameter alone.
static bool read_item(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                      void* instance)
{
    const kai_param* main = kai_reader_function_main(kind);
    if (!main || kai_reader_function_has_keys(node, kind))
        return kai_reader_instance(reader, node, kind, instance);
    kai_kind_defaults(kind, instance);
    return kai_reader_value(reader, node, main, (char*)instance + main->offset);
}

// A list that takes one item at most may be the item itself.
static bool read_list(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      kai_list* out)
{
    if (node->kind == KAI_DOCUMENT_OBJECT && param->rows_max == 1) {
        void* one = kai_document_allocate(reader->document, 1, param->item->size);
        if (!one) return false;
        *out = (kai_list){one, 1};
        return read_item(reader, node, param->item, one);
    }
    if (!check_rows(reader, node, param)) return false;
    char* items = kai_document_allocate(reader->document, node->count, param->item->size);
    if (!items) return false;
    *out = (kai_list){items, node->count};
    bool ok = true;
    for (const kai_document_node* item = node->first; item;
         item = item->next, items += param->item->size)
        ok = read_item(reader, item, param->item, items) && ok;
    return ok;
}

// Any type ---------------------------------------------------------------------------------------

// A formula that gives 0 is false.
static bool read_bool(kai_reader* reader, const kai_document_node* node, bool* out)
{
    const bool formula = node->kind == KAI_DOCUMENT_STRING;
    if (!kai_reader_formula(reader, node, NULL)) return false;
    if (formula) kai_document_set_bool(node, node->number != 0.0);
    if (node->kind != KAI_DOCUMENT_BOOL)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_BOOL));
    *out = node->boolean;
    return true;
}

static bool read_type(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      void* field)
{
    switch (param->type) {
    case KAI_PARAM_BOOL: return read_bool(reader, node, field);
    case KAI_PARAM_INT: return read_int(reader, node, param, field);
    case KAI_PARAM_REAL: return read_real(reader, node, param, field);
    case KAI_PARAM_VALUE: return read_value(reader, node, param, field);
    case KAI_PARAM_VALUE3: return read_value3(reader, node, param, field);
    case KAI_PARAM_VEC3:
        return read_reals(reader, node, param, 3, kai_kind_type_text(param->type), field);
    case KAI_PARAM_ROTATION: return read_rotation(reader, node, field);
    case KAI_PARAM_FRAME: return read_frame(reader, node, field);
    case KAI_PARAM_INERTIA: return read_inertia(reader, node, param, field);
    case KAI_PARAM_COLOR: return read_color(reader, node, param, field);
    case KAI_PARAM_ENUM: return read_enum(reader, node, param, field);
    case KAI_PARAM_STRING: return read_string(reader, node, param, field);
    case KAI_PARAM_BODY:
    case KAI_PARAM_JOINT:
    case KAI_PARAM_SHAFT:
    case KAI_PARAM_MATERIAL:
    case KAI_PARAM_NODE:
    case KAI_PARAM_SOLID:
    case KAI_PARAM_STRUCTURE: return read_named(reader, node, param->type, field);
    case KAI_PARAM_SIGNAL: return read_signal(reader, node, field);
    case KAI_PARAM_EXPRESSION: return kai_reader_formula_signals(reader, node, field);
    case KAI_PARAM_FUNCTION: return read_function(reader, node, field);
    case KAI_PARAM_LAW: return read_law(reader, node, field);
    case KAI_PARAM_TABLE: return read_table(reader, node, param, field);
    case KAI_PARAM_CURVE: return read_curve(reader, node, param, field);
    case KAI_PARAM_LIST: return read_list(reader, node, param, field);
    case KAI_PARAM_WORDS: return read_words(reader, node, param, field);
    case KAI_PARAM_LOAD:
    case KAI_PARAM_ELEMENT:
    case KAI_PARAM_TYPE_COUNT: break;
    }
    return kai_reader_wrong(reader, node, "of a type that scenes can hold");
}

static bool read_one(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                     void* field)
{
    const bool function = param->type == KAI_PARAM_VALUE || param->type == KAI_PARAM_VALUE3;
    if (function && !kai_reader_place_functions(reader, node, param)) return false;
    if (!read_type(reader, node, param, field)) return false;
    kai_reader_place_value(reader, node, param, field);
    return true;
}

bool kai_reader_value(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                      void* field)
{
    const size_t repeats = kai_kind_repeats(param);
    if (repeats == 1) return read_one(reader, node, param, field);
    char wanted[128];
    kai_sections_type_text(param, wanted, sizeof wanted);
    if (node->kind != KAI_DOCUMENT_LIST || node->count != repeats)
        return kai_reader_wrong(reader, node, wanted);
    bool ok = true;
    char* place = field;
    for (const kai_document_node* item = node->first; item; item = item->next) {
        ok = read_one(reader, item, param, place) && ok;
        place += kai_kind_type_size(param->type);
    }
    return ok;
}
