// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include "base/store.h"
#include "model/world.h"
#include "scene/reader.h"

#include <stdio.h>

const kai_param* kai_reader_function_main(const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (kind->params[i].main) return &kind->params[i];
    return NULL;
}

bool kai_reader_function_has_keys(const kai_document_node* node, const kai_kind* kind)
{
    if (node->kind != KAI_DOCUMENT_OBJECT) return false;
    for (const kai_document_node* child = node->first; child; child = child->next)
        if (kai_kind_param(kind, child->key)) return true;
    return false;
}

// The first key that names a kind of function.
static const kai_document_node* find_kind(const kai_store* store, const kai_document_node* node,
                                          const kai_kind** kind)
{
    for (const kai_document_node* child = node->first; child; child = child->next) {
        *kind = kai_store_kind(store, child->key);
        if (*kind) return child;
    }
    return NULL;
}

static bool no_kind(kai_reader* reader, const kai_document_node* node)
{
    const kai_store* store = &reader->world->functions.store;
    char name[128];
    kai_reader_name(node, name, sizeof name);
    if (!node->first)
        return kai_reader_report(reader, node,
                                 "%s is an empty object; must name a kind of function", name);
    const char* near = kai_store_nearest_kind(store, node->first->key);
    char all[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < store->batch_count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                                 store->batches[i].kind->name);
    if (near)
        kai_document_report(reader->document, reader->problems, node->first, true,
                            "there is no function \"%.64s\"; did you mean \"%s\"?",
                            node->first->key, near);
    else
        kai_document_report(reader->document, reader->problems, node->first, true,
                            "there is no function \"%.64s\"; must be one of: %s", node->first->key,
                            all);
    return false;
}

// {KIND: VALUE, other parameters…}: KIND stands where the main parameter's key would.
static bool read_with_main(kai_reader* reader, const kai_document_node* node,
                           const kai_document_node* body, const kai_kind* kind,
                           const kai_param* main, void* instance)
{
    const bool before = reader->unresolved;
    bool ok = kai_reader_value(reader, body, main, (char*)instance + main->offset);
    for (const kai_document_node* child = node->first; child; child = child->next) {
        if (child == body) continue;
        const kai_param* param = kai_kind_param(kind, child->key);
        if (param && param != main) {
            ok = kai_reader_value(reader, child, param, (char*)instance + param->offset) && ok;
            continue;
        }
        const kai_reader_part part = {kind, instance};
        kai_reader_unknown_key(reader, child, &part, 1, NULL, 0);
        ok = false;
    }
    kai_error err = {0};
    if (ok && reader->unresolved == before && kind->check &&
        kind->check(instance, &err) != KAI_OK) {
        kai_document_report(reader->document, reader->problems, body, true, "%s", err.message);
        ok = false;
    }
    return ok;
}

static bool read_plain(kai_reader* reader, const kai_document_node* node,
                       const kai_document_node* body, const kai_kind* kind, void* instance)
{
    bool ok = true;
    for (const kai_document_node* child = node->first; child; child = child->next) {
        if (child == body) continue;
        kai_document_report(
            reader->document, reader->problems, child, true,
            "unknown key \"%.64s\" beside \"%s\"; its parameters go into its object", child->key,
            kind->name);
        ok = false;
    }
    const kai_reader_part part = {kind, instance};
    return kai_reader_object(reader, body, &part, 1, NULL, 0) && ok;
}

bool kai_reader_function(kai_reader* reader, const kai_document_node* node, kai_function* out)
{
    const kai_kind* kind = NULL;
    const kai_document_node* body = find_kind(&reader->world->functions.store, node, &kind);
    if (!body) return no_kind(reader, node);
    void* instance = kai_document_allocate(reader->document, 1, kind->size);
    if (!instance) return false;
    kai_kind_defaults(kind, instance);

    const kai_param* main = kai_reader_function_main(kind);
    const bool bare = main && !kai_reader_function_has_keys(body, kind);
    const bool ok = bare ? read_with_main(reader, node, body, kind, main, instance)
                         : read_plain(reader, node, body, kind, instance);
    if (!ok) return false;
    const kai_function_kind* whole = (const kai_function_kind*)(const void*)kind;
    if (kai_function_create(reader->world, whole, instance, out) == KAI_OK) return true;
    kai_reader_failed(reader, body);
    return false;
}
