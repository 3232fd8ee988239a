// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tables of keys in Markdown.
#ifndef GENDOCS_TABLES_H
#define GENDOCS_TABLES_H

#include "families.h"

#include "scene/reference.h"
#include "scene/sections.h"

/// The i-th kind of a family, NULL after the last.
typedef const kai_kind* (*docs_family)(size_t i);

/// Adds a sentence about a kind after its description.
typedef void (*docs_facts)(kai_text* out, const kai_kind* kind);

/// A row.
void docs_table_key(kai_text* out, const kai_sections_part* part, size_t i);

/// A whole table and an empty line.
void docs_table_kind(kai_text* out, const kai_kind* kind);

/// The same with the sentence that says what the part is.
void docs_table_part(kai_text* out, const kai_sections_part* part);

/// The keys that all kinds of a family share, if there are any, and the items of their lists.
void docs_table_common(kai_text* out, docs_family kind_at);

/// A heading and a table for each kind, with what is its own.
void docs_table_family(kai_text* out, docs_family kind_at, docs_facts facts);

#endif
