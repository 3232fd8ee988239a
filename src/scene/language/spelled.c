// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/language/spelled.h"

#include <string.h>

static bool is_language(const char* key)
{
    static const char* const KEYS[] = {"parameters", "templates", "instances", "template"};
    for (size_t i = 0; i < KAI_COUNT(KEYS); i++)
        if (strcmp(key, KEYS[i]) == 0) return true;
    return false;
}

// Of templates only what holds things is part of the scene.
static bool is_section(const kai_document_node* node)
{
    const bool list = node->kind == KAI_DOCUMENT_LIST || node->kind == KAI_DOCUMENT_OBJECT;
    return list && !is_language(node->key);
}

// The next key that templates have and the scene itself has not.
static bool next_section(const kai_instances* instances, const kai_sections_part* scene,
                         kai_spelled_key* key)
{
    while (key->section < scene->key_count) {
        const char* name = scene->keys[key->section++].name;
        if (is_language(name) || kai_document_get(instances->scopes[0]->root, name)) continue;
        for (size_t s = 1; s < instances->count; s++) {
            key->node = kai_document_get(instances->scopes[s]->root, name);
            if (!key->node || !is_section(key->node)) continue;
            key->name = name;
            key->scope = s;
            return true;
        }
    }
    return false;
}

bool kai_spelled_next(const kai_instances* instances, const kai_sections_part* scene,
                      kai_spelled_key* key)
{
    if (instances->count == 0) return false;
    while (key->section == 0) {
        key->node = key->node ? key->node->next : instances->scopes[0]->root->first;
        if (!key->node) break;
        key->name = key->node->key;
        if (!is_language(key->name)) return true;
    }
    return next_section(instances, scene, key);
}

void kai_spelled_write(const kai_instances* instances, const kai_spelled_key* key, kai_text* out)
{
    const kai_document_node* first = key->node;
    const bool list = first->kind == KAI_DOCUMENT_LIST;
    kai_document_write_key(first, out);
    if (instances->count == key->scope + 1 || !is_section(first)) {
        kai_document_write(first, out);
        return;
    }
    size_t written = 0;
    kai_text_add_bytes(out, list ? "[" : "{", 1);
    for (size_t s = key->scope; s < instances->count; s++) {
        const kai_document_node* node = kai_document_get(instances->scopes[s]->root, key->name);
        if (!node || node->kind != first->kind) continue;
        for (const kai_document_node* c = node->first; c; c = c->next) {
            if (written++ > 0) kai_text_add_bytes(out, ",", 1);
            if (!list) kai_document_write_key(c, out);
            kai_document_write(c, out);
        }
    }
    kai_text_add_bytes(out, list ? "]" : "}", 1);
}
