// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/document.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory -----------------------------------------------------------------------------------------

#define BLOCK_BYTES ((size_t)64 << 10)
#define ALIGN       16

struct kai_document_block {
    kai_document_block* next;
    size_t used, size;
    _Alignas(ALIGN) char bytes[];
};

size_t kai_document_limit(const kai_document* document)
{
    return document->limit > 0 ? document->limit : kai_memory_default_limit();
}

void* kai_document_allocate(kai_document* document, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4) / size) {
        document->failed = true;
        return NULL;
    }
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    kai_document_block* block = document->blocks;
    if (!block || bytes > block->size - block->used) {
        const size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        const bool fits = kai_memory_fits(kai_document_limit(document), 1.0,
                                          (double)document->bytes + (double)room);
        block = fits ? calloc(1, sizeof *block + room) : NULL;
        if (!block) {
            document->failed = true;
            return NULL;
        }
        document->bytes += room;
        block->size = room;
        block->next = document->blocks;
        document->blocks = block;
    }
    void* result = block->bytes + block->used;
    block->used += bytes;
    return result;
}

uint32_t kai_document_add_file(kai_document* document, const char* name, const char* folder,
                               bool is_set)
{
    kai_document_file* files =
        realloc(document->files, (document->file_count + 1) * sizeof *document->files);
    if (!files) {
        document->failed = true;
        return 0;
    }
    document->files = files;
    kai_document_file file = {strdup(name), folder ? strdup(folder) : NULL, is_set};
    if (!file.name || (folder && !file.folder)) document->failed = true;
    files[document->file_count] = file;
    return (uint32_t)document->file_count++;
}

void kai_document_free(kai_document* document)
{
    while (document->blocks) {
        kai_document_block* next = document->blocks->next;
        free(document->blocks);
        document->blocks = next;
    }
    for (size_t i = 0; i < document->file_count; i++) {
        free(document->files[i].name);
        free(document->files[i].folder);
    }
    free(document->files);
    *document = (kai_document){0};
}

// The tree ---------------------------------------------------------------------------------------

kai_document_node* kai_document_get(const kai_document_node* node, const char* key)
{
    if (!node || node->kind != KAI_DOCUMENT_OBJECT) return NULL;
    for (kai_document_node* child = node->first; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

void kai_document_append(kai_document_node* parent, kai_document_node* child)
{
    child->parent = parent;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    child->index = parent->count++;
}

void kai_document_remove(kai_document_node* child)
{
    kai_document_node *parent = child->parent, *before = NULL;
    for (kai_document_node* c = parent->first; c != child; c = c->next) before = c;
    if (before)
        before->next = child->next;
    else
        parent->first = child->next;
    if (parent->last == child) parent->last = before;
    parent->count--;
    for (kai_document_node* c = child->next; c; c = c->next) c->index--;
    child->parent = child->next = NULL;
}

void kai_document_assign(kai_document_node* node, kai_document_node* source)
{
    node->kind = source->kind;
    node->boolean = source->boolean;
    node->number = source->number;
    node->string = source->string;
    node->place = source->place;
    node->key_place = source->key_place;
    node->first = source->first;
    node->last = source->last;
    node->count = source->count;
    for (kai_document_node* child = node->first; child; child = child->next) child->parent = node;
}

kai_document_node* kai_document_copy(kai_document* document, const kai_document_node* node)
{
    kai_document_node* copy = kai_document_allocate(document, 1, sizeof *copy);
    if (!copy) return NULL;
    *copy = *node;
    copy->parent = copy->first = copy->last = copy->next = NULL;
    copy->count = 0;
    for (const kai_document_node* child = node->first; child; child = child->next) {
        kai_document_node* made = kai_document_copy(document, child);
        if (!made) return NULL;
        kai_document_append(copy, made);
    }
    return copy;
}

// Working out ------------------------------------------------------------------------------------

static kai_document_node* writable(const kai_document_node* node)
{
    return (kai_document_node*)(uintptr_t)node;
}

void kai_document_set_number(const kai_document_node* node, double number)
{
    writable(node)->kind = KAI_DOCUMENT_NUMBER;
    writable(node)->number = number;
}

static const char* keep_text(kai_document* document, const char* text)
{
    const size_t size = strlen(text) + 1;
    char* copy = kai_document_allocate(document, size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void kai_document_set_string(kai_document* document, const kai_document_node* node,
                             const char* text)
{
    const char* copy = keep_text(document, text);
    if (copy) writable(node)->string = copy;
}

void kai_document_set_key(kai_document* document, const kai_document_node* node, const char* key)
{
    const char* copy = keep_text(document, key);
    if (copy) writable(node)->key = copy;
}

void kai_document_set_numbers(kai_document* document, const kai_document_node* node,
                              const double* numbers, size_t count)
{
    kai_document_node* list = writable(node);
    if (list->kind != KAI_DOCUMENT_LIST || list->count != count) {
        list->kind = KAI_DOCUMENT_LIST;
        list->first = list->last = NULL;
        list->count = 0;
        for (size_t i = 0; i < count; i++) {
            kai_document_node* item = kai_document_allocate(document, 1, sizeof *item);
            if (!item) return;
            item->place = list->place;
            kai_document_append(list, item);
        }
    }
    for (kai_document_node* item = list->first; item; item = item->next)
        kai_document_set_number(item, *numbers++);
}

void kai_document_set_words(kai_document* document, const kai_document_node* node,
                            const char* const* words, uint32_t bits)
{
    kai_document_node* list = writable(node);
    list->kind = KAI_DOCUMENT_LIST;
    list->first = list->last = NULL;
    list->count = 0;
    for (size_t i = 0; words[i]; i++) {
        kai_document_node* item =
            bits >> i & 1 ? kai_document_allocate(document, 1, sizeof *item) : NULL;
        if (!item) continue;
        *item = (kai_document_node){
            .kind = KAI_DOCUMENT_STRING, .string = words[i], .place = list->place};
        kai_document_append(list, item);
    }
}

void kai_document_set_bool(const kai_document_node* node, bool value)
{
    writable(node)->kind = KAI_DOCUMENT_BOOL;
    writable(node)->boolean = value;
}

void kai_document_set_resolved(const kai_document_node* node) { writable(node)->resolved = true; }

// Texts for messages -----------------------------------------------------------------------------

// Longest part of a pointer, and longest text value, that a message shows whole.
#define SHOWN 64

// Appends to out[*used…size), always ended; what does not fit is left out.
static void document_put(char* out, size_t size, size_t* used, const char* bytes, size_t count)
{
    for (size_t i = 0; i < count && *used + 1 < size; i++) out[(*used)++] = bytes[i];
    if (size > 0) out[*used] = '\0';
}

// How many bytes of a text to show: all, or up to SHOWN, not cutting a character.
static size_t shown_length(const char* text, bool* cut)
{
    const size_t length = strlen(text);
    *cut = length > SHOWN;
    if (!*cut) return length;
    size_t n = SHOWN - 4;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
    return n;
}

static void put_key(char* out, size_t size, size_t* used, const char* key)
{
    bool cut;
    const size_t length = shown_length(key, &cut);
    for (size_t i = 0; i < length; i++) {
        if (key[i] == '~')
            document_put(out, size, used, "~0", 2);
        else if (key[i] == '/')
            document_put(out, size, used, "~1", 2);
        else
            document_put(out, size, used, &key[i], 1);
    }
    if (cut) document_put(out, size, used, "…", strlen("…"));
}

static size_t put_pointer(const kai_document_node* node, char* out, size_t size, size_t used)
{
    if (!node->parent) return used;
    used = put_pointer(node->parent, out, size, used);
    document_put(out, size, &used, "/", 1);
    if (node->key) {
        put_key(out, size, &used, node->key);
    } else {
        char text[24];
        snprintf(text, sizeof text, "%u", node->index);
        document_put(out, size, &used, text, strlen(text));
    }
    return used;
}

void kai_document_pointer(const kai_document_node* node, char* out, size_t size)
{
    if (size > 0) out[0] = '\0';
    put_pointer(node, out, size, 0);
}

void kai_document_describe(const kai_document_node* node, char* out, size_t size)
{
    bool cut;
    switch (node->kind) {
    case KAI_DOCUMENT_NULL: snprintf(out, size, "null"); break;
    case KAI_DOCUMENT_BOOL: snprintf(out, size, "%s", node->boolean ? "true" : "false"); break;
    case KAI_DOCUMENT_NUMBER: snprintf(out, size, "%.15g", node->number); break;
    case KAI_DOCUMENT_STRING: {
        const int length = (int)shown_length(node->string, &cut);
        snprintf(out, size, "\"%.*s%s\"", length, node->string, cut ? "…" : "");
        break;
    }
    case KAI_DOCUMENT_LIST: snprintf(out, size, "a list of %u", node->count); break;
    case KAI_DOCUMENT_OBJECT: snprintf(out, size, "an object"); break;
    }
}

void kai_document_report(const kai_document* document, kai_problems* problems,
                         const kai_document_node* node, bool at_key, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    kai_document_reportv(document, problems, node, at_key, format, args);
    va_end(args);
}

void kai_document_reportv(const kai_document* document, kai_problems* problems,
                          const kai_document_node* node, bool at_key, const char* format,
                          va_list args)
{
    char text[KAI_ERROR_SIZE], pointer[KAI_ERROR_SIZE / 2];
    if (kai_problems_full(problems)) {
        problems->count++;
        return;
    }
    const int used = vsnprintf(text, sizeof text, format, args);
    if (document->context && document->context[0] && used >= 0 && used < (int)sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, " (in %s)", document->context);
    kai_document_pointer(node, pointer, sizeof pointer);

    const kai_document_place* place = at_key && node->key ? &node->key_place : &node->place;
    if (place->file >= document->file_count || !document->files[place->file].name)
        return; // no memory
    const kai_document_file* file = &document->files[place->file];
    const char* colon = pointer[0] ? ": " : "";
    if (file->is_set)
        kai_problems_add(problems, KAI_ERROR_FORMAT, 0, 0, "%s: %s%s%s", file->name, pointer, colon,
                         text);
    else
        kai_problems_add(problems, KAI_ERROR_FORMAT, (int)place->line, (int)place->column,
                         "%s:%u:%u: %s%s%s", file->name, place->line, place->column, pointer, colon,
                         text);
}

void kai_document_fail(kai_document* document, const kai_document_node* node, const char* text)
{
    kai_problems one = {0};
    if (!document->failed) {
        kai_document_report(document, &one, node, false, "%s", text);
        if (one.kept > 0) snprintf(document->why, sizeof document->why, "%s", one.list[0].message);
        kai_problems_free(&one);
    }
    document->failed = true;
}

// Writing ----------------------------------------------------------------------------------------

static void write_string(const char* string, kai_text* out)
{
    kai_text_add_bytes(out, "\"", 1);
    const char* plain = string; // start of the bytes not written yet
    for (const char* c = string;; c++) {
        const unsigned char u = (unsigned char)*c;
        if (u >= 0x20 && u != '"' && u != '\\') continue;
        kai_text_add_bytes(out, plain, (size_t)(c - plain));
        plain = c + 1;
        if (u == '\0') break;
        if (u < 0x20)
            kai_text_add(out, "\\u%04x", u);
        else
            kai_text_add(out, "\\%c", u);
    }
    kai_text_add_bytes(out, "\"", 1);
}

// The fewest digits that give the same number. The program around us may have chosen a locale with a
// decimal comma.
static void write_number(double number, kai_text* out)
{
    char text[40];
    double again = 0.0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        for (char* c = text; *c; c++)
            if (!strchr("0123456789+-e", *c)) *c = '.';
        if (kai_number_parse(text, text + strlen(text), &again) == KAI_NUMBER_OK && again == number)
            break;
    }
    kai_text_add_bytes(out, text, strlen(text));
}

void kai_document_write_key(const kai_document_node* child, kai_text* out)
{
    write_string(child->key, out);
    kai_text_add_bytes(out, ":", 1);
}

void kai_document_write(const kai_document_node* node, kai_text* out)
{
    switch (node->kind) {
    case KAI_DOCUMENT_NULL: kai_text_add_bytes(out, "null", 4); return;
    case KAI_DOCUMENT_BOOL:
        kai_text_add_bytes(out, node->boolean ? "true" : "false", node->boolean ? 4 : 5);
        return;
    case KAI_DOCUMENT_NUMBER: write_number(node->number, out); return;
    case KAI_DOCUMENT_STRING: write_string(node->string, out); return;
    default: break;
    }
    const bool list = node->kind == KAI_DOCUMENT_LIST;
    kai_text_add_bytes(out, list ? "[" : "{", 1);
    for (const kai_document_node* child = node->first; child; child = child->next) {
        if (child != node->first) kai_text_add_bytes(out, ",", 1);
        if (!list) kai_document_write_key(child, out);
        kai_document_write(child, out);
    }
    kai_text_add_bytes(out, list ? "]" : "}", 1);
}
