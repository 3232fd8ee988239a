// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What an instance of a template does to values and names: moves, turns and mirrors what
// kai_param.placing marks, leads names to things. The document is changed with the values, so that
// it becomes the scene spelled out; `resolved` marks what was changed.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Names ------------------------------------------------------------------------------------------

/// Longest name that a port may lead to, with what follows it.
#define NAME_SIZE (2 * KAI_STRING_SIZE)

// Two texts behind each other. What does not fit is still longer than any name, an error to whoever
// looks for it.
static void join(const char* first, const char* rest, char out[NAME_SIZE])
{
    const size_t length = strnlen(first, NAME_SIZE - 1);
    memcpy(out, first, length);
    snprintf(out + length, NAME_SIZE - length, "%s", rest);
}

void kai_reader_place_text(kai_reader* reader, const kai_document_node* node)
{
    if (node->kind != KAI_DOCUMENT_STRING || node->resolved) return;
    if (kai_reader_formula_text(reader, node)) kai_document_set_resolved(node);
}

void kai_reader_place_name(kai_reader* reader, const kai_document_node* node)
{
    if (node->kind != KAI_DOCUMENT_STRING || node->resolved) return;
    kai_reader_place_text(reader, node);
    const char* prefix = reader->scope ? reader->scope->prefix : "";
    char name[NAME_SIZE];
    if (!prefix[0] || !node->string[0]) return;
    join(prefix, node->string, name);
    kai_document_set_string(reader->document, node, name);
}

void kai_reader_place_key(kai_reader* reader, const kai_document_node* node)
{
    const char* prefix = reader->scope ? reader->scope->prefix : "";
    char name[NAME_SIZE];
    if (!prefix[0] || strlen(node->key) >= KAI_STRING_SIZE) return;
    join(prefix, node->key, name);
    kai_document_set_key(reader->document, node, name);
}

// The port of a scope that a name begins with, the longest one; `*rest` is what follows it.
static const kai_document_node* find_port(const kai_scope* scope, const char* name,
                                          const char** rest)
{
    for (size_t length = scope->ports.count > 0 ? strlen(name) : 0; length > 0; length--) {
        if (name[length] != '\0' && name[length] != '.') continue;
        const kai_document_node* port = kai_keyed_find(&scope->ports, name, length);
        *rest = name + length;
        if (port && port->kind == KAI_DOCUMENT_STRING) return port;
    }
    return NULL;
}

// Ports lead to names of the scene, which are whole. `names`: of a family that is looked for outside
// as well, NULL for others.
static void lead(const kai_scope* scope, const kai_names* names, const char* name,
                 char out[NAME_SIZE])
{
    for (; scope; scope = scope->parent) {
        const char* rest;
        const kai_document_node* port = find_port(scope, name, &rest);
        if (port)
            join(port->string, rest, out);
        else
            join(scope->prefix, name, out);
        if (port || !names || !KAI_IS_NULL(kai_names_find(names, out))) return;
    }
    join(name, "", out);
}

void kai_reader_place_lead(const kai_reader* reader, const char* name, char out[NAME_SIZE])
{
    if (reader->scope && reader->scope->parent)
        lead(reader->scope, NULL, name, out);
    else
        join(name, "", out);
}

void kai_reader_place_reference(kai_reader* reader, const kai_document_node* node,
                                const kai_names* names)
{
    if (node->kind != KAI_DOCUMENT_STRING || node->resolved) return;
    kai_reader_place_text(reader, node);
    char name[NAME_SIZE];
    if (!reader->scope || !reader->scope->parent || strlen(node->string) >= KAI_STRING_SIZE) return;
    lead(reader->scope, names, node->string, name);
    kai_document_set_string(reader->document, node, name);
}

// Values -----------------------------------------------------------------------------------------

static bool is_placed(const kai_reader* reader)
{
    return reader->scope && !kai_placement_is_none(&reader->scope->placement);
}

static kai_placing placing_of(const kai_reader* reader, const kai_document_node* object,
                              const kai_param* param)
{
    const bool carried = kai_document_get(object, "body") != NULL;
    if (param->placing == KAI_PLACING_JOINT_AXIS) return reader->joint_axis;
    if (param->placing == KAI_PLACING_CARRIED_POINT)
        return carried ? KAI_PLACING_OWN : KAI_PLACING_POINT;
    if (param->placing == KAI_PLACING_CARRIED_VECTOR)
        return carried ? KAI_PLACING_OWN : KAI_PLACING_VECTOR;
    // Forces and torques may be given in the frame of their body.
    const kai_document_node* frame = kai_document_get(object, "frame");
    const bool own = frame && frame->kind == KAI_DOCUMENT_STRING && !strcmp(frame->string, "body");
    if (own && param->placing == KAI_PLACING_VECTOR) return KAI_PLACING_OWN;
    if (own && param->placing == KAI_PLACING_AXIAL) return KAI_PLACING_OWN_AXIAL;
    return param->placing;
}

static void place_vector(kai_reader* reader, const kai_document_node* node, kai_placing placing,
                         double* x)
{
    const kai_vec3 in = {x[0], x[1], x[2]};
    const kai_vec3 out = kai_placement_vector(&reader->scope->placement, placing, in);
    x[0] = out.x;
    x[1] = out.y;
    x[2] = out.z;
    if (node) kai_document_set_numbers(reader->document, node, x, 3);
}

static void place_rotation(kai_reader* reader, const kai_document_node* node, kai_placing placing,
                           kai_quat* q)
{
    const kai_quat placed = kai_placement_rotation(&reader->scope->placement, placing, *q);
    const double numbers[4] = {placed.w, placed.x, placed.y, placed.z};
    if (node) kai_document_set_numbers(reader->document, node, numbers, 4);
    *q = kai_quat_normalize(placed); // as the numbers would be read
}

static void place_frame(kai_reader* reader, const kai_document_node* node, kai_placing placing,
                        kai_frame* f)
{
    const kai_document_node *at = kai_document_get(node, "at"),
                            *turn = kai_document_get(node, "rotation");
    double x[3] = {f->position.x, f->position.y, f->position.z};
    place_vector(reader, at, placing, x);
    f->position = kai_vec3_make(x[0], x[1], x[2]);
    place_rotation(reader, turn, placing, &f->rotation);
}

// Products of inertia change their signs in a mirror as products of coordinates do.
static void place_inertia(kai_reader* reader, const kai_document_node* node, kai_inertia* i)
{
    const kai_vec3 s = reader->scope->placement.sign;
    i->xy *= s.x * s.y;
    i->xz *= s.x * s.z;
    i->yz *= s.y * s.z;
    const double numbers[6] = {i->xx, i->yy, i->zz, i->xy + 0.0, i->xz + 0.0, i->yz + 0.0};
    if (node && node->count == 6) kai_document_set_numbers(reader->document, node, numbers, 6);
}

// A matrix of forces and torques over displacements and rotations in the frame of a joint. Given by
// an axial axis and an x axis, the frame of the mirror image has a z axis that points to the other
// side; given by frame_a, its axes have the signs of the placement.
static void place_matrix(kai_reader* reader, const kai_document_node* node, kai_table* table)
{
    const kai_placement* p = &reader->scope->placement;
    const bool own = kai_document_get(node->parent, "frame_a") != NULL;
    const kai_vec3 s = own ? p->sign : kai_vec3_make(1.0, 1.0, -1.0);
    const double hand = s.x * s.y * s.z;
    const double sign[6] = {s.x, s.y, s.z, hand * s.x, hand * s.y, hand * s.z};
    double* data = (double*)(uintptr_t)table->data;
    if (!kai_placement_is_mirrored(p) || table->rows != 6) return; // a diagonal stays
    const kai_document_node* row = node->first;
    for (uint32_t r = 0; r < 6; r++, data += 6, row = row->next) {
        for (uint32_t c = 0; c < 6; c++) data[c] = sign[r] * sign[c] * data[c] + 0.0;
        kai_document_set_numbers(reader->document, row, data, 6);
    }
}

static void place_table(kai_reader* reader, const kai_document_node* node, kai_placing placing,
                        kai_table* table)
{
    double* data = (double*)(uintptr_t)table->data;
    if (placing == KAI_PLACING_JOINT) {
        place_matrix(reader, node, table);
        return;
    }
    const kai_document_node* row = node->first; // rows of points
    for (uint32_t r = 0; r < table->rows; r++, data += 3, row = row->next)
        place_vector(reader, row, placing, data);
}

static void place_number(kai_reader* reader, const kai_document_node* node, double* x)
{
    if (!kai_placement_is_mirrored(&reader->scope->placement)) return;
    *x = -*x + 0.0;
    if (node) kai_document_set_number(node, *x);
}

static bool is_given(const kai_param* param, const void* field)
{
    return param->type != KAI_PARAM_VEC3 || !isnan(((const kai_vec3*)field)->x);
}

// `node` NULL: a default, which is not in the document.
static void place_field(kai_reader* reader, const kai_document_node* node, const kai_param* param,
                        kai_placing placing, void* field)
{
    switch (param->type) {
    case KAI_PARAM_VEC3:
    case KAI_PARAM_VALUE3: place_vector(reader, node, placing, field); break;
    case KAI_PARAM_ROTATION: place_rotation(reader, node, placing, field); break;
    case KAI_PARAM_FRAME: place_frame(reader, node, placing, field); break;
    case KAI_PARAM_INERTIA: place_inertia(reader, node, field); break;
    case KAI_PARAM_TABLE: place_table(reader, node, placing, field); break;
    case KAI_PARAM_REAL: place_number(reader, node, field); break;
    default: break;
    }
}

void kai_reader_place_value(kai_reader* reader, const kai_document_node* node,
                            const kai_param* param, void* field)
{
    const kai_document_node* object =
        node->key || !node->parent ? node->parent : node->parent->parent;
    const kai_placing placing = placing_of(reader, object, param);
    const bool number = param->type != KAI_PARAM_VALUE && param->type != KAI_PARAM_VALUE3;
    if (placing == KAI_PLACING_NONE || node->resolved || !number || !is_placed(reader) ||
        !is_given(param, field))
        return;
    place_field(reader, node, param, placing, field);
    kai_document_set_resolved(node);
}

// Keys that were not given -----------------------------------------------------------------------

static const kai_document_node* add_child(kai_reader* reader, const kai_document_node* object,
                                          const kai_param* param)
{
    kai_document_node* child = kai_document_allocate(reader->document, 1, sizeof *child);
    if (!child) return NULL;
    *child = (kai_document_node){.kind = KAI_DOCUMENT_LIST,
                                 .key = param->name,
                                 .resolved = true,
                                 .place = object->place,
                                 .key_place = object->place};
    kai_document_append((kai_document_node*)(uintptr_t)object, child);
    return child;
}

// Meshes -----------------------------------------------------------------------------------------

bool kai_reader_place_shape(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                            void* instance)
{
    const kai_placement* p = reader->scope ? &reader->scope->placement : NULL;
    const uint32_t bits = !p ? 0
                             : (p->sign.x < 0.0 ? 1U : 0U) | (p->sign.y < 0.0 ? 2U : 0U) |
                                   (p->sign.z < 0.0 ? 4U : 0U);
    const kai_param* mirror = kai_kind_param(kind, "mirror");
    if (bits == 0) return true;
    // A cone has a point at the end of its z axis, a height field is solid below.
    if (!mirror &&
        ((bits & 4 && strcmp(kind->name, "cone") == 0) || strcmp(kind->name, "heightfield") == 0))
        return kai_reader_report(reader, node, "a %s cannot be mirrored so", kind->name);
    if (!mirror) return true;
    uint32_t* field = (uint32_t*)(void*)((char*)instance + mirror->offset);
    *field ^= bits;
    const kai_document_node* list = kai_document_get(node, "mirror");
    if (!list) list = add_child(reader, node, mirror);
    if (list) kai_document_set_words(reader->document, list, mirror->words, *field);
    return true;
}

// Defaults ---------------------------------------------------------------------------------------

void kai_reader_place_defaults(kai_reader* reader, const kai_document_node* object,
                               const kai_kind* kind, void* instance)
{
    if (!is_placed(reader)) return;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* param = &kind->params[i];
        void* field = (char*)instance + param->offset;
        const bool vector = param->type == KAI_PARAM_VEC3, turn = param->type == KAI_PARAM_ROTATION;
        if (param->hidden || (!vector && !turn) || kai_kind_repeats(param) > 1 ||
            param->placing == KAI_PLACING_NONE || kai_document_get(object, param->name))
            continue;
        const kai_placing placing = placing_of(reader, object, param);
        // What is meant without an axis.
        if (param->placing == KAI_PLACING_JOINT_AXIS && isnan(((kai_vec3*)field)->x) &&
            !kai_document_get(object, "frame_a") && !kai_document_get(object, "joint"))
            *(kai_vec3*)field = kai_vec3_make(0.0, 0.0, 1.0);
        double before[4], after[4];
        const size_t size = vector ? sizeof(kai_vec3) : sizeof(kai_quat);
        if (!is_given(param, field)) continue;
        memcpy(before, field, size);
        place_field(reader, NULL, param, placing, field);
        memcpy(after, field, size);
        if (memcmp(before, after, size) == 0) continue;
        const kai_document_node* child = add_child(reader, object, param);
        if (child) kai_document_set_numbers(reader->document, child, after, vector ? 3 : 4);
        if (turn) *(kai_quat*)field = kai_quat_normalize(*(kai_quat*)field);
    }
}

// Functions of time ------------------------------------------------------------------------------

static kai_document_node* new_node(kai_reader* reader, const kai_document_node* like,
                                   kai_document_kind kind, const char* key)
{
    kai_document_node* node = kai_document_allocate(reader->document, 1, sizeof *node);
    if (node)
        *node = (kai_document_node){
            .kind = kind, .key = key, .place = like->place, .key_place = like->place};
    return node;
}

// {"product": [factor, item]}
static kai_document_node* multiple(kai_reader* reader, const kai_document_node* item, double factor)
{
    kai_document_node* copy = kai_document_copy(reader->document, item);
    if (!copy) return NULL;
    copy->key = NULL;
    copy->next = NULL;
    if (factor == 1.0) return copy;
    kai_document_node* object = new_node(reader, item, KAI_DOCUMENT_OBJECT, NULL);
    kai_document_node* list = new_node(reader, item, KAI_DOCUMENT_LIST, "product");
    kai_document_node* number = new_node(reader, item, KAI_DOCUMENT_NUMBER, NULL);
    if (!object || !list || !number) return NULL;
    number->number = factor;
    kai_document_append(list, number);
    kai_document_append(list, copy);
    kai_document_append(object, list);
    return object;
}

// Σ factor[j] · item j
static kai_document_node* combination(kai_reader* reader, const kai_document_node* list,
                                      const double factor[3])
{
    kai_document_node* object = new_node(reader, list, KAI_DOCUMENT_OBJECT, NULL);
    kai_document_node* sum = new_node(reader, list, KAI_DOCUMENT_LIST, "sum");
    if (!object || !sum) return NULL;
    int j = 0;
    for (const kai_document_node* item = list->first; item; item = item->next, j++) {
        if (factor[j] == 0.0) continue;
        kai_document_node* term = multiple(reader, item, factor[j]);
        if (!term) return NULL;
        kai_document_append(sum, term);
    }
    if (sum->count == 1) {
        sum->first->parent = NULL;
        return sum->first;
    }
    kai_document_append(object, sum);
    return object;
}

static bool is_function(const kai_document_node* list)
{
    for (const kai_document_node* i = list->first; i; i = i->next)
        if (i->kind == KAI_DOCUMENT_OBJECT) return true;
    return false;
}

// Three numbers or functions: the list is replaced by that of their combinations.
static void place_functions(kai_reader* reader, const kai_document_node* list, kai_placing placing)
{
    const kai_placement* p = &reader->scope->placement;
    const kai_vec3 column[3] = {kai_placement_vector(p, placing, kai_vec3_make(1.0, 0.0, 0.0)),
                                kai_placement_vector(p, placing, kai_vec3_make(0.0, 1.0, 0.0)),
                                kai_placement_vector(p, placing, kai_vec3_make(0.0, 0.0, 1.0))};
    kai_document_node* made = new_node(reader, list, KAI_DOCUMENT_LIST, list->key);
    for (int i = 0; made && i < 3; i++) {
        const double factor[3] = {(&column[0].x)[i], (&column[1].x)[i], (&column[2].x)[i]};
        kai_document_node* item = combination(reader, list, factor);
        if (!item) return;
        kai_document_append(made, item);
    }
    if (made) kai_document_assign((kai_document_node*)(uintptr_t)list, made);
}

bool kai_reader_place_functions(kai_reader* reader, const kai_document_node* node,
                                const kai_param* param)
{
    const kai_placing placing = placing_of(reader, node->parent, param);
    if (placing == KAI_PLACING_NONE || node->resolved || !is_placed(reader)) return true;
    if (param->type == KAI_PARAM_VALUE) {
        if (!kai_placement_is_mirrored(&reader->scope->placement)) return true;
        kai_document_node* made = multiple(reader, node, -1.0);
        if (node->kind == KAI_DOCUMENT_NUMBER)
            kai_document_set_number(node, -node->number + 0.0);
        else if (made)
            kai_document_assign((kai_document_node*)(uintptr_t)node, made);
    } else if (node->kind == KAI_DOCUMENT_LIST && node->count == 3) {
        for (const kai_document_node* i = node->first; i; i = i->next)
            if (!kai_reader_formula(reader, i, param->unit)) return false;
        double x[3] = {node->first->number, node->first->next->number, node->last->number};
        if (is_function(node))
            place_functions(reader, node, placing);
        else
            place_vector(reader, node, placing, x);
    }
    kai_document_set_resolved(node);
    return true;
}
