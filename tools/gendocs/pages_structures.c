// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on finite elements: structures, elements and nodes, materials of elements.
#include "pages.h"
#include "tables.h"

#include "scene/sections_structures.h"

static const char STRUCTURES[] =
    "A structure is a mesh of elements of one kind. Its `element` is an object like those of `elements`, without\n"
    "`nodes`. Parts of the mesh have names: sets of nodes, of which `all` is the whole mesh; each kind says which others\n"
    "there are. A node that is alone in its set is named by the structure, a point and the set (`rope.x1`): joints, outputs\n"
    "and forces refer to it by that name. Elements with rotations (`euler-beam`, `reissner-shell`) have bodies as nodes.\n\n";

void docs_pages_solids(kai_text* out)
{
    docs_table_part(out, &kai_sections_structures_solid);
    docs_table_common(out, docs_solids);
    docs_table_family(out, docs_solids, NULL);
}

void docs_pages_structures(kai_text* out)
{
    docs_table_part(out, &kai_sections_structures_part);
    kai_text_add(out, "%s", STRUCTURES);
    docs_table_common(out, docs_structures);
    for (int i = 0; i < KAI_SECTIONS_STRUCTURES_LISTS; i++) {
        const kai_kind* item = &kai_sections_structures_items[i];
        kai_text_add(out, "## Items of `%s`\n\n", item->name);
        docs_table_kind(out, item);
    }
    docs_table_family(out, docs_structures, NULL);
}

void docs_pages_elements(kai_text* out)
{
    docs_table_part(out, &kai_sections_structures_element);
    kai_text_add(out, "## Nodes\n\n");
    kai_reference_head(out);
    kai_reference_rows(out, &kai_sections_structures_node);
    kai_reference_rows(out, &kai_node_kind);
    kai_text_add(out, "\n");
    docs_table_common(out, docs_elements);
    docs_table_family(out, docs_elements, NULL);
}
