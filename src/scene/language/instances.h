// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// "instances": templates put into a scene. Each instance becomes a scope of its own with a copy of
// the template's sections; builders then read the sections of all scopes.
#ifndef SCENE_INSTANCES_H
#define SCENE_INSTANCES_H

#include "scene/language/scope.h"

typedef struct kai_builder kai_builder;

/// Limits: within each other; in all, with those that "when" leaves out; values that are copied for
/// them, and bytes of texts among these; files of templates.
#define KAI_INSTANCES_DEPTH 16
#define KAI_INSTANCES_MOST  100000
#define KAI_INSTANCES_NODES 10000000
#define KAI_INSTANCES_BYTES 50000000
#define KAI_INSTANCES_FILES 1000

typedef struct kai_instances_file kai_instances_file;

typedef struct kai_instances {
    kai_scope** scopes; // [count]; the scene itself first, outer ones before inner ones
    size_t count, capacity;
    kai_instances_file* files; // templates that were read
    size_t file_count;
    size_t tried;        // instances so far
    size_t nodes, bytes; // values and bytes of texts copied so far
    bool full;           // a limit was met, which was reported
} kai_instances;

/// Makes the scope of the scene and those of all its instances; works out all parameters. False
/// when memory ran out.
bool kai_instances_expand(kai_builder* builder, const kai_document_node* root);

/// Gives the list of scopes back; what they hold is the document's.
void kai_instances_free(kai_instances* instances);

#endif
