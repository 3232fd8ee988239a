// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The generated pages. All are made from the descriptions of all kinds; free() them. NULL when out
// of memory, or when a key of a scene has no words in keys.c.
#ifndef GENDOCS_H
#define GENDOCS_H

#include <kairos/section.h>

/// Path under docs/ of the i-th page of the reference of scene files; NULL after the last. The
/// first is the list of contents, scene.md.
const char* docs_reference_path(size_t i);

/// Its text in Markdown.
char* docs_reference(size_t i);

/// The JSON Schema (draft 2020-12) of scene files, docs/scene.schema.json. `sections` of a toolkit,
/// ended by NULL, are part of it; NULL: none.
char* docs_schema(const kai_section* const* sections);

#endif
