// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The generated pages. Both are made from the descriptions of all kinds; free() them. NULL when out
// of memory, or when a key of a scene has no words in keys.c.
#ifndef GENDOCS_H
#define GENDOCS_H

/// The reference of scene files in Markdown, docs/scene.md.
char* docs_reference(void);

/// The JSON Schema (draft 2020-12) of scene files, docs/scene.schema.json.
char* docs_schema(void);

#endif
