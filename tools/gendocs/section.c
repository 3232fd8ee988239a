// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/text.h"
#include "gendocs.h"
#include "scene/sections.h"
#include "tables.h"

char* docs_section(const kai_section* section)
{
    kai_text out = {0};
    kai_text_add(&out, "# `%s`\n\n%s\n\n", section->name, section->doc);
    for (size_t i = 0; section->kinds[i]; i++) {
        const kai_kind* kind = section->kinds[i];
        if (section->typeless)
            kai_text_add(&out, "%s\n\n", kind->doc);
        else
            kai_text_add(&out, "## `\"type\": \"%s\"`\n\n%s\n\n", kind->name, kind->doc);
        docs_table_head(&out);
        docs_table_rows(&out, &kai_sections_item_kind);
        docs_table_rows(&out, kind);
        kai_text_add(&out, "\n");
    }
    if (!out.failed) return out.data;
    kai_text_free(&out);
    return NULL;
}
