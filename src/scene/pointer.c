// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // strchrnul
#include "scene/pointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Steps ------------------------------------------------------------------------------------------

// Cuts the next part off *rest and undoes its escapes. NULL: a '~' that escapes nothing, or no
// memory.
static char* next_part(kai_document* document, const char** rest, kai_error* err)
{
    const char* begin = *rest + 1;
    const char* end = strchrnul(begin, '/');
    char* part = kai_document_allocate(document, (size_t)(end - begin) + 1, 1);
    if (!part) return NULL;
    char* out = part;
    for (const char* c = begin; c < end; c++) {
        if (*c == '~' && c[1] != '0' && c[1] != '1') {
            kai_error_set(err, KAI_ERROR_NAME,
                          "'~' must be written ~0 in a pointer, and '/' as ~1");
            return NULL;
        }
        *out++ = *c != '~' ? *c : *++c == '0' ? '~' : '/';
    }
    *rest = end;
    return part;
}

// Most children that all overrides of a scene look through: a few seconds.
#define LOOKED_MOST UINT64_C(200000000)

static const char* child_key(size_t i, const void* context)
{
    const kai_document_node* child = ((const kai_document_node*)context)->first;
    while (i-- > 0) child = child->next;
    return child->key;
}

static kai_document_node* find_item(const kai_document_node* list, const char* part)
{
    char* end;
    const unsigned long index = strtoul(part, &end, 10);
    const bool is_index = part[0] >= '0' && part[0] <= '9' && *end == '\0';
    if (is_index && index < list->count) {
        kai_document_node* item = list->first;
        for (unsigned long i = 0; i < index; i++) item = item->next;
        return item;
    }
    for (kai_document_node* item = list->first; item; item = item->next) {
        const kai_document_node* name = kai_document_get(item, "name");
        if (name && name->kind == KAI_DOCUMENT_STRING && strcmp(name->string, part) == 0)
            return item;
    }
    return NULL;
}

static kai_result leads_nowhere(const kai_document_node* node, const char* part, kai_error* err)
{
    char where[256], what[128];
    if (!err) return KAI_ERROR_NAME; // nobody reads it
    kai_document_pointer(node, where, sizeof where);
    kai_document_describe(node, what, sizeof what);
    if (where[0] == '\0') snprintf(where, sizeof where, "the scene");
    if (node->kind == KAI_DOCUMENT_LIST)
        return kai_error_set(err, KAI_ERROR_NAME, "%s is %s; there is no item \"%.60s\" in it",
                             where, what, part);
    if (node->kind != KAI_DOCUMENT_OBJECT)
        return kai_error_set(err, KAI_ERROR_NAME, "%s is %s; there is nothing below it", where,
                             what);
    // Long objects are not searched for a near name.
    const char* near =
        node->count <= 1000 ? kai_text_nearest(part, node->count, child_key, node) : NULL;
    if (near)
        return kai_error_set(err, KAI_ERROR_NAME,
                             "there is no \"%.60s\" in %s; did you mean \"%s\"?", part, where,
                             near);
    return kai_error_set(err, KAI_ERROR_NAME, "there is no \"%.60s\" in %s", part, where);
}

// An object for the part of a pointer that a scene does not have; NULL: no memory.
static kai_document_node* make_object(kai_document* document, char* key,
                                      const kai_document_node* value)
{
    kai_document_node* object = kai_document_allocate(document, 1, sizeof *object);
    if (object)
        *object = (kai_document_node){.kind = KAI_DOCUMENT_OBJECT,
                                      .key = key,
                                      .place = value->place,
                                      .key_place = value->place};
    return object;
}

// Adds to an object what the rest of a pointer names: objects within each other, `value` inside.
// Nothing changes when the pointer is malformed.
static kai_result add_rest(kai_document* document, kai_document_node* object, char* part,
                           const char* rest, kai_document_node* value, kai_error* err)
{
    kai_document_node *first = NULL, *last = NULL;
    for (int depth = 0; *rest; depth++) {
        if (depth == KAI_DOCUMENT_DEPTH / 2)
            return kai_error_set(err, KAI_ERROR_NAME, "more than %d names of a pointer are unknown",
                                 KAI_DOCUMENT_DEPTH / 2);
        kai_document_node* made = make_object(document, part, value);
        if (!made) return KAI_ERROR_MEMORY;
        if (last) kai_document_append(last, made);
        if (!first) first = made;
        last = made;
        part = next_part(document, &rest, err);
        if (!part) return document->failed ? KAI_ERROR_MEMORY : KAI_ERROR_NAME;
    }
    value->key = part;
    value->key_place = value->place;
    if (last) kai_document_append(last, value);
    kai_document_append(object, first ? first : value);
    return KAI_OK;
}

// Whether a name that an object does not have is likely to be a slip for one that it has.
static bool is_slip(const kai_document_node* object, const char* part)
{
    // Long objects are not searched for a near name.
    return object->count <= 1000 && kai_text_nearest(part, object->count, child_key, object);
}

// Longest override that messages show whole.
#define SHOWN 120

// Calls ------------------------------------------------------------------------------------------

kai_result kai_pointer_set(kai_document* document, kai_document_node* root, const char* pointer,
                           kai_document_node* value, kai_error* err)
{
    if (pointer[0] != '/')
        return kai_error_set(err, KAI_ERROR_NAME, "a pointer must begin with '/'");
    kai_document_node* node = root;
    while (*pointer) {
        char* part = next_part(document, &pointer, err);
        if (!part) return document->failed ? KAI_ERROR_MEMORY : KAI_ERROR_NAME;
        document->looked += node->count;
        if (document->looked > LOOKED_MOST)
            return kai_error_set(err, KAI_ERROR_LIMIT,
                                 "overrides look through more than %llu items in all; set fewer "
                                 "values, or include the lists they change",
                                 (unsigned long long)LOOKED_MOST);
        kai_document_node* child =
            node->kind == KAI_DOCUMENT_LIST ? find_item(node, part) : kai_document_get(node, part);
        if (!child && node->kind == KAI_DOCUMENT_OBJECT &&
            (*pointer == '\0' || !is_slip(node, part)))
            return add_rest(document, node, part, pointer, value, err);
        if (!child) return leads_nowhere(node, part, err);
        node = child;
    }
    value->key_place = value->place;
    kai_document_assign(node, value);
    return KAI_OK;
}

// The pointer to a parameter: "track" is one of the scene, "front.camber" a value that the instance
// `front` gives its template. NULL after a message.
static char* parameter_pointer(kai_document* document, const kai_document_node* root,
                               const char* name, kai_error* err)
{
    const char* point = strrchr(name, '.');
    const size_t size = strlen(name) + 40;
    char* pointer = kai_document_allocate(document, size, 1);
    if (!pointer) return NULL;
    if (point) {
        snprintf(pointer, size, "/instances/%.*s/parameters/%s", (int)(point - name), name,
                 point + 1);
        return pointer;
    }
    const kai_document_node* all = kai_document_get(root, "parameters");
    const kai_document_node* found = kai_document_get(all, name);
    const bool whole = found && found->kind == KAI_DOCUMENT_OBJECT;
    const char* key = whole && kai_document_get(found, "text") ? "/text" : whole ? "/value" : "";
    snprintf(pointer, size, "/parameters/%s%s", name, key);
    if (found) return pointer;
    const bool list = all && all->kind == KAI_DOCUMENT_OBJECT && all->count <= 1000;
    const char* near = list ? kai_text_nearest(name, all->count, child_key, all) : NULL;
    kai_error_set(err, KAI_ERROR_NAME,
                  near ? "the scene has no parameter \"%.60s\"; did you mean \"%s\"?"
                       : "the scene has no parameter \"%.60s\"; other values are set by their JSON "
                         "pointer, such as /step=1e-3",
                  name, near);
    return NULL;
}

void kai_pointer_apply(kai_document* document, kai_document_node* root, const char* set,
                       kai_problems* problems)
{
    char shown[160];
    size_t length = strlen(set);
    const bool cut = length > SHOWN;
    if (cut) length = SHOWN;
    while (cut && length > 0 && ((unsigned char)set[length] & 0xc0) == 0x80)
        length--; // whole characters
    snprintf(shown, sizeof shown, "--set %.*s%s", (int)length, set, cut ? "…" : "");
    const char* equals = strchr(set, '=');
    if (!equals) {
        kai_problems_add(problems, KAI_ERROR_FORMAT, 0, 0,
                         "%s: must read parameter=value or /json/pointer=value", shown);
        return;
    }
    if (!kai_document_parse_is_utf8(set)) {
        kai_problems_add(problems, KAI_ERROR_FORMAT, 0, 0, "--set: text is not valid UTF-8");
        return;
    }
    const uint32_t file = kai_document_add_file(document, shown, NULL, true);
    kai_document_node* value = kai_document_parse_value(document, file, equals + 1);
    char* pointer = kai_document_allocate(document, (size_t)(equals - set) + 1, 1);
    if (!value || !pointer) return;
    memcpy(pointer, set, (size_t)(equals - set));
    kai_error err = {0};
    if (pointer[0] != '/') pointer = parameter_pointer(document, root, pointer, &err);
    const kai_result r =
        pointer ? kai_pointer_set(document, root, pointer, value, &err) : KAI_ERROR_NAME;
    if (document->failed) return;
    if (r == KAI_ERROR_NAME || r == KAI_ERROR_LIMIT)
        kai_problems_add(problems, KAI_ERROR_FORMAT, 0, 0, "%s: %s", shown, err.message);
}
