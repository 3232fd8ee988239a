// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A scene spelled out, after it was built: one list a section with the things of all instances, and
// without what made them.
#ifndef SCENE_SPELLED_H
#define SCENE_SPELLED_H

#include "scene/language/instances.h"
#include "scene/sections.h"

/// A key of the scene spelled out.
typedef struct kai_spelled_key {
    const char* name;              // NULL before the first one
    size_t scope;                  // the first one that has it
    const kai_document_node* node; // there
    size_t section;                // keys of a scene: how many were looked for
} kai_spelled_key;

/// Goes to the first or next key, of the keys of a scene; false when there is none.
bool kai_spelled_next(const kai_instances* instances, const kai_sections_part* scene,
                      kai_spelled_key* key);

/// Writes the key and its value.
void kai_spelled_write(const kai_instances* instances, const kai_spelled_key* key, kai_text* out);

#endif
