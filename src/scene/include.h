// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// "include": other scene files that come first, and the rules by which later values override
// earlier ones.
#ifndef SCENE_INCLUDE_H
#define SCENE_INCLUDE_H

#include "scene/document.h"

/// Limits: nesting, files in all (bytes in all: KAI_DOCUMENT_BYTES).
#define KAI_INCLUDE_DEPTH 16
#define KAI_INCLUDE_FILES 1000

/// State of reading one scene with all its includes.
typedef struct kai_include {
    kai_document* document;
    kai_problems* problems;
    bool allow_outside;
    size_t files;                            // read so far
    uint64_t bytes;                          // read so far
    const char* open[KAI_INCLUDE_DEPTH + 1]; // real paths of the files being read, outermost first
    size_t depth;                            // how many
} kai_include;

/// Resolves the includes of a file that was parsed: returns its root with everything merged in and
/// the key "include" gone. `real` is the file's real path, NULL when it is no file.
kai_document_node* kai_include_resolve(kai_include* include, kai_document_node* root,
                                       const char* real);

/// Reads the file that a text names, its includes resolved; NULL after a report.
kai_document_node* kai_include_load(kai_include* include, const kai_document_node* name);

/// Puts the values of an object {"/pointer": value} into a root. `sets` may be NULL.
void kai_include_set(kai_include* include, kai_document_node* root, const kai_document_node* sets);

/// Merges `over` into `base`: objects key by key, lists of named objects by name, all else
/// replaced.
void kai_include_merge(kai_document* document, kai_document_node* base, kai_document_node* over);

#endif
