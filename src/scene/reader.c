// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

// Messages ---------------------------------------------------------------------------------------

void kai_reader_name(const kai_document_node* node, char* out, size_t size)
{
    if (node->key) {
        snprintf(out, size, "%.64s", node->key);
    } else if (node->parent) {
        kai_reader_name(node->parent, out, size);
        const size_t used = strlen(out);
        snprintf(out + used, size - used, "[%u]", node->index);
    } else {
        snprintf(out, size, "scene");
    }
}

/// True when a further problem is only counted, which is done.
static bool only_counted(kai_reader* reader)
{
    if (!kai_problems_full(reader->problems)) return false;
    reader->problems->count++;
    return true;
}

bool kai_reader_report(kai_reader* reader, const kai_document_node* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    kai_document_reportv(reader->document, reader->problems, node, false, format, args);
    va_end(args);
    return false;
}

bool kai_reader_wrong(kai_reader* reader, const kai_document_node* node, const char* wanted)
{
    if (only_counted(reader)) return false;
    char name[128], what[128];
    kai_reader_name(node, name, sizeof name);
    kai_document_describe(node, what, sizeof what);
    return kai_reader_report(reader, node, "%s is %s; must be %s", name, what, wanted);
}

bool kai_reader_unknown_word(kai_reader* reader, const kai_document_node* node, size_t count,
                             const char* (*word)(size_t i, const void* context),
                             const void* context)
{
    char wanted[512] = "one of: ", name[128], what[128];
    const char* near = NULL;
    if (only_counted(reader)) return false;
    if (node->kind == KAI_DOCUMENT_STRING)
        near = kai_text_nearest(node->string, count, word, context);
    if (near) {
        kai_reader_name(node, name, sizeof name);
        kai_document_describe(node, what, sizeof what);
        return kai_reader_report(reader, node, "%s is %s; did you mean \"%s\"?", name, what, near);
    }
    size_t used = strlen(wanted);
    if (count == 1) snprintf(wanted, sizeof wanted, "\"%s\"", word(0, context));
    for (size_t i = 0; count > 1 && i < count && used < sizeof wanted; i++)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s", i ? ", " : "",
                                 word(i, context));
    return kai_reader_wrong(reader, node, wanted);
}

// Most letters that are compared with each other in search of near names: about half a second.
#define COMPARED_MOST UINT64_C(200000000)

bool kai_reader_unknown_name(kai_reader* reader, const kai_document_node* node, const char* family,
                             const kai_names* names)
{
    if (only_counted(reader)) return false;
    char what[128];
    kai_document_describe(node, what, sizeof what);
    const size_t length = strnlen(node->string, KAI_NAMES_LONGEST);
    reader->compared += (uint64_t)length * length * names->count;
    const char* near =
        reader->compared <= COMPARED_MOST ? kai_names_nearest(names, node->string) : NULL;
    if (!near) return kai_reader_report(reader, node, "there is no %s %s", family, what);
    return kai_reader_report(reader, node, "there is no %s %s; did you mean \"%s\"?", family, what,
                             near);
}

void kai_reader_failed(kai_reader* reader, const kai_document_node* node)
{
    const kai_error* error = kai_world_error(reader->world);
    // "kai_body_create: body: mass …" reads "body: mass …" to someone who wrote a scene.
    const char* text = error->message;
    const char* colon = strstr(text, ": ");
    if (strncmp(text, "kai_", 4) == 0 && colon) text = colon + 2;
    if (error->code == KAI_ERROR_MEMORY) {
        kai_document_fail(reader->document, node, text);
        return;
    }
    kai_reader_report(reader, node, "%s", text);
}

// Keys -------------------------------------------------------------------------------------------

typedef struct key_list {
    const kai_reader_part* parts;
    size_t part_count;
    const kai_sections_key* keys;
    size_t key_count;
} key_list;

static size_t key_total(const key_list* list)
{
    size_t total = list->key_count;
    for (size_t i = 0; i < list->part_count; i++) total += list->parts[i].kind->param_count;
    return total;
}

// The i-th key that may be given; NULL for a hidden one.
static const char* key_at(size_t i, const void* context)
{
    const key_list* list = context;
    if (i < list->key_count) return list->keys[i].name;
    i -= list->key_count;
    for (const kai_reader_part* part = list->parts;; part++) {
        if (i < part->kind->param_count)
            return part->kind->params[i].hidden ? NULL : part->kind->params[i].name;
        i -= part->kind->param_count;
    }
}

#define FEW_KEYS 12

static void unknown_key(kai_reader* reader, const kai_document_node* child, const key_list* list)
{
    if (only_counted(reader)) return;
    const char* near = kai_text_nearest(child->key, key_total(list), key_at, list);
    char allowed[512] = "";
    size_t used = 0, count = 0;
    for (size_t i = 0; i < key_total(list); i++) {
        const char* name = key_at(i, list);
        if (!name) continue;
        const size_t length = used < sizeof allowed ? sizeof allowed - used : 0;
        used += (size_t)snprintf(allowed + (length ? used : 0), length, "%s%s", count ? ", " : "",
                                 name);
        count++;
    }
    if (near)
        kai_document_report(reader->document, reader->problems, child, true,
                            "unknown key \"%.64s\"; did you mean \"%s\"?", child->key, near);
    else if (count > 0 && count <= FEW_KEYS && used < sizeof allowed)
        kai_document_report(reader->document, reader->problems, child, true,
                            "unknown key \"%.64s\"; allowed: %s", child->key, allowed);
    else
        kai_document_report(reader->document, reader->problems, child, true,
                            "unknown key \"%.64s\"", child->key);
}

void kai_reader_unknown_key(kai_reader* reader, const kai_document_node* child,
                            const kai_reader_part* parts, size_t part_count,
                            const kai_sections_key* keys, size_t key_count)
{
    const key_list list = {parts, part_count, keys, key_count};
    unknown_key(reader, child, &list);
}

static bool is_caller_key(const key_list* list, const char* key)
{
    for (size_t i = 0; i < list->key_count; i++)
        if (strcmp(list->keys[i].name, key) == 0) return true;
    return false;
}

// The parameter of a key and the instance it belongs to; NULL when there is none.
static const kai_param* find_param(const key_list* list, const char* key, void** instance)
{
    for (size_t i = 0; i < list->part_count; i++) {
        const kai_param* param = kai_kind_param(list->parts[i].kind, key);
        if (!param) continue;
        *instance = list->parts[i].instance;
        return param;
    }
    return NULL;
}

// Objects ----------------------------------------------------------------------------------------

// True when an unknown key of the object was taken for a mistyped `key`: one report is enough.
static bool is_mistyped(const kai_document_node* node, const key_list* list, const char* key)
{
    for (const kai_document_node* child = node->first; child; child = child->next) {
        void* instance;
        if (is_caller_key(list, child->key) || find_param(list, child->key, &instance)) continue;
        const char* near = kai_text_nearest(child->key, key_total(list), key_at, list);
        if (near && strcmp(near, key) == 0) return true;
    }
    return false;
}

static bool reader_missing(kai_reader* reader, const kai_document_node* node, const key_list* list,
                           const char* key)
{
    if (only_counted(reader) || is_mistyped(node, list, key)) return false;
    return kai_reader_report(reader, node, "%s is missing", key);
}

static bool check_missing(kai_reader* reader, const kai_document_node* node, const key_list* list)
{
    bool ok = true;
    for (size_t i = 0; i < list->key_count; i++)
        if (list->keys[i].required && !kai_document_get(node, list->keys[i].name))
            ok = reader_missing(reader, node, list, list->keys[i].name);
    for (size_t i = 0; i < list->part_count; i++) {
        const kai_kind* kind = list->parts[i].kind;
        for (size_t j = 0; j < kind->param_count; j++) {
            const kai_param* param = &kind->params[j];
            if (param->required && !param->hidden && !kai_document_get(node, param->name))
                ok = reader_missing(reader, node, list, param->name);
        }
    }
    return ok;
}

// Rules over several parameters, once each of them is right on its own.
static bool check_rules(kai_reader* reader, const kai_document_node* node, const key_list* list)
{
    bool ok = true;
    for (size_t i = 0; i < list->part_count; i++) {
        const kai_kind* kind = list->parts[i].kind;
        kai_error err = {0};
        if (!kind->check || kind->check(list->parts[i].instance, &err) == KAI_OK) continue;
        kai_reader_report(reader, node, "%s", err.message);
        ok = false;
    }
    return ok;
}

bool kai_reader_object(kai_reader* reader, const kai_document_node* node,
                       const kai_reader_part* parts, size_t part_count,
                       const kai_sections_key* keys, size_t key_count)
{
    const key_list list = {parts, part_count, keys, key_count};
    if (node->kind != KAI_DOCUMENT_OBJECT) return kai_reader_wrong(reader, node, "an object");
    const bool unresolved_before = reader->unresolved;
    reader->unresolved = false;
    bool ok = true;
    for (const kai_document_node* child = node->first; child; child = child->next) {
        if (is_caller_key(&list, child->key)) continue;
        void* instance = NULL;
        const kai_param* param = find_param(&list, child->key, &instance);
        if (!param) {
            unknown_key(reader, child, &list);
            ok = false;
        } else if (!kai_reader_value(reader, child, param, (char*)instance + param->offset)) {
            ok = false;
        }
    }
    for (size_t i = 0; ok && i < part_count; i++)
        kai_reader_place_defaults(reader, node, parts[i].kind, parts[i].instance);
    ok = check_missing(reader, node, &list) && ok;
    ok = ok && !reader->unresolved && check_rules(reader, node, &list);
    reader->unresolved = reader->unresolved || unresolved_before;
    return ok;
}

bool kai_reader_instance(kai_reader* reader, const kai_document_node* node, const kai_kind* kind,
                         void* instance)
{
    const kai_reader_part part = {kind, instance};
    kai_kind_defaults(kind, instance);
    return kai_reader_object(reader, node, &part, 1, NULL, 0);
}

bool kai_reader_section(kai_reader* reader, const kai_document_node* node,
                        const kai_sections_part* section, void* instance)
{
    const kai_reader_part part = {section->kind, instance};
    return kai_reader_object(reader, node, &part, 1, section->keys, section->key_count);
}
