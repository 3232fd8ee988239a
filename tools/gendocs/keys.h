// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Words and schemas for the parts of scene files and for keys that no kai_param describes.
#ifndef GENDOCS_KEYS_H
#define GENDOCS_KEYS_H

#include "scene/sections.h"

typedef struct docs_key {
    const char* name;
    const char* type;    // in words
    const char* initial; // default in words, NULL: none
    const char* rule;    // in words, NULL: none
    const char* doc;     // one sentence
    const char* schema;  // JSON Schema of the value
} docs_key;

/// What an object of this part is; NULL when keys.c says nothing about it.
const char* docs_part_text(const kai_sections_part* part);

/// What is known about one key of a part; NULL when keys.c lacks it.
const docs_key* docs_key_of(const kai_sections_part* part, const char* name);

#endif
