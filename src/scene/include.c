// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/include.h"

#include "base/hash.h"
#include "record/file.h"
#include "scene/paths.h"
#include "scene/pointer.h"

#include <stdlib.h>
#include <string.h>

// Merging ----------------------------------------------------------------------------------------

// Children of a node by key, or items by name: open addressing, twice as many places as entries.
typedef struct name_index {
    kai_document_node** places; // [size]
    size_t size;                // a power of two
} name_index;

static const char* name_of(const kai_document_node* child)
{
    if (child->key) return child->key;
    const kai_document_node* name = kai_document_get(child, "name");
    return name && name->kind == KAI_DOCUMENT_STRING ? name->string : NULL;
}

static kai_document_node** index_place(const name_index* index, const char* name)
{
    size_t i = kai_hash_bytes(KAI_HASH_START, name, strlen(name)) & (index->size - 1);
    while (index->places[i] && strcmp(name_of(index->places[i]), name) != 0)
        i = (i + 1) & (index->size - 1);
    return &index->places[i];
}

static bool index_children(kai_document* document, const kai_document_node* node, size_t more,
                           name_index* out)
{
    out->size = 16;
    while (out->size < 2 * (node->count + more)) out->size *= 2;
    out->places = calloc(out->size, sizeof *out->places);
    if (!out->places) {
        document->failed = true;
        return false;
    }
    for (kai_document_node* child = node->first; child; child = child->next) {
        kai_document_node** place = index_place(out, name_of(child));
        if (!*place) *place = child; // the first of equal names
    }
    return true;
}

static bool is_named_list(const kai_document_node* node)
{
    if (node->kind != KAI_DOCUMENT_LIST) return false;
    for (const kai_document_node* item = node->first; item; item = item->next)
        if (!name_of(item)) return false;
    return true;
}

void kai_include_merge(kai_document* document, kai_document_node* base, kai_document_node* over)
{
    const bool objects = base->kind == KAI_DOCUMENT_OBJECT && over->kind == KAI_DOCUMENT_OBJECT;
    if (!objects && !(is_named_list(base) && is_named_list(over) && over->count > 0)) {
        kai_document_assign(base, over);
        return;
    }
    name_index index;
    if (!index_children(document, base, over->count, &index)) return;
    base->place = over->place;
    base->key_place = over->key_place;
    for (kai_document_node *child = over->first, *next; child; child = next) {
        next = child->next;
        kai_document_node** place = index_place(&index, name_of(child));
        if (*place) {
            kai_include_merge(document, *place, child);
        } else {
            kai_document_append(base, child);
            *place = child;
        }
    }
    free(index.places);
}

// Reading ----------------------------------------------------------------------------------------

static kai_document_node* include_resolve(kai_include* include, kai_document_node* root);

static bool is_open(const kai_include* include, const char* real)
{
    for (size_t i = 0; i < include->depth; i++)
        if (include->open[i] && strcmp(include->open[i], real) == 0) return true;
    return false;
}

static void include_report(kai_include* include, const kai_document_node* node, const char* text)
{
    kai_document_report(include->document, include->problems, node, false, "%s", text);
}

// Parses an open file and resolves its own includes.
static kai_document_node* read_file(kai_include* include, const kai_document_node* name,
                                    kai_paths_file* file)
{
    char* text = NULL;
    size_t size = 0;
    const size_t limit = (size_t)(KAI_DOCUMENT_BYTES - include->bytes);
    const kai_result result = kai_file_read(file->fd, limit, &text, &size);
    if (result == KAI_ERROR_MEMORY) include->document->failed = true;
    if (result == KAI_ERROR_FILE) include_report(include, name, "the file cannot be read");
    if (result == KAI_ERROR_LIMIT)
        include_report(include, name, "the files of a scene have more than 256 MiB");
    if (result != KAI_OK) return NULL;

    include->bytes += size;
    include->files++;
    const uint32_t index =
        kai_document_add_file(include->document, file->shown, file->folder, false);
    kai_document_node* root =
        kai_document_parse(include->document, index, text, size, include->problems);
    free(text);
    if (root && root->kind != KAI_DOCUMENT_OBJECT) {
        include_report(include, root, "must be an object");
        return NULL;
    }
    return root ? kai_include_resolve(include, root, file->real) : NULL;
}

kai_document_node* kai_include_load(kai_include* include, const kai_document_node* name)
{
    if (name->kind != KAI_DOCUMENT_STRING) {
        include_report(include, name, "must be the name of a file");
        return NULL;
    }
    if (include->depth > KAI_INCLUDE_DEPTH) {
        include_report(include, name, "includes are nested more than 16 deep");
        return NULL;
    }
    if (include->files >= KAI_INCLUDE_FILES) {
        if (include->files++ == KAI_INCLUDE_FILES)
            include_report(include, name, "more than 1000 files are included");
        return NULL;
    }
    kai_paths_file file;
    const kai_result result =
        kai_paths_open(include->document, name, include->allow_outside, &file, include->problems);
    if (result == KAI_ERROR_MEMORY) include->document->failed = true;
    if (result != KAI_OK) return NULL;
    kai_document_node* root = NULL;
    if (is_open(include, file.real))
        include_report(include, name, "the file includes itself");
    else
        root = read_file(include, name, &file);
    kai_paths_close(&file);
    return root;
}

void kai_include_set(kai_include* include, kai_document_node* root, const kai_document_node* sets)
{
    for (const kai_document_node* set = sets ? sets->first : NULL; set; set = set->next) {
        kai_error err = {0};
        // The value moves; the node stays for the message.
        kai_document_node* copy = kai_document_copy(include->document, set);
        if (!copy) return;
        copy->key = NULL;
        const bool told = !kai_problems_full(include->problems);
        const kai_result r =
            kai_pointer_set(include->document, root, set->key, copy, told ? &err : NULL);
        if (r == KAI_ERROR_NAME || r == KAI_ERROR_LIMIT)
            kai_document_report(include->document, include->problems, set, true, "%s", err.message);
        if (r == KAI_ERROR_LIMIT) break;
    }
}

// {"file": F, "set": {"/pointer": value}}
static kai_document_node* load_object(kai_include* include, kai_document_node* item)
{
    for (kai_document_node* child = item->first; child; child = child->next)
        if (strcmp(child->key, "file") != 0 && strcmp(child->key, "set") != 0)
            kai_document_report(include->document, include->problems, child, true,
                                "unknown key \"%.60s\"; allowed: file, set", child->key);
    kai_document_node* name = kai_document_get(item, "file");
    kai_document_node* sets = kai_document_get(item, "set");
    if (!name) {
        include_report(include, item, "file is missing");
        return NULL;
    }
    kai_document_node* root = kai_include_load(include, name);
    if (sets && sets->kind != KAI_DOCUMENT_OBJECT) {
        include_report(include, sets, "set must be an object of \"/pointer\": value");
        return root;
    }
    if (root) kai_include_set(include, root, sets);
    return root;
}

static kai_document_node* load_item(kai_include* include, kai_document_node* item)
{
    return item->kind == KAI_DOCUMENT_OBJECT ? load_object(include, item)
                                             : kai_include_load(include, item);
}

static kai_document_node* include_resolve(kai_include* include, kai_document_node* root)
{
    kai_document_node* list = kai_document_get(root, "include");
    if (!list) return root;
    kai_document_node* base = NULL;
    const bool several = list->kind == KAI_DOCUMENT_LIST;
    for (kai_document_node *item = several ? list->first : list, *next; item; item = next) {
        next = several ? item->next : NULL;
        kai_document_node* other = load_item(include, item);
        if (include->document->failed) return root;
        if (other && base)
            kai_include_merge(include->document, base, other);
        else if (other)
            base = other;
    }
    kai_document_remove(list);
    if (!base) return root;
    kai_include_merge(include->document, base, root);
    return base;
}

kai_document_node* kai_include_resolve(kai_include* include, kai_document_node* root,
                                       const char* real)
{
    include->open[include->depth++] = real;
    kai_document_node* result = include_resolve(include, root);
    include->depth--;
    return result;
}
