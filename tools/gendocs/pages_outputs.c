// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The page on outputs and their quantities.
#include "pages.h"
#include "tables.h"

#include "measure/output.h"
#include "scene/sections_structures.h"

#include <string.h>

/// Objects that say which elements and structures an output looks at.
static void add_elements(kai_text* out)
{
    static const kai_kind* const KINDS[] = {
        &kai_sections_one_element_kind, &kai_sections_all_elements_kind, &kai_sections_whole_kind};
    static const char* const KEYS[] = {"element", "elements", "structure"};
    kai_text_add(out, "## Elements in outputs\n\n");
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        kai_text_add(out, "`%s`: %s\n\n", KEYS[i], KINDS[i]->doc);
        docs_table_kind(out, KINDS[i]);
    }
}

// Whether two targets have the same quantities.
static bool same_quantities(kai_output_target a, kai_output_target b)
{
    for (int i = 0;; i++) {
        const kai_quantity *p = kai_output_quantity(a, i), *q = kai_output_quantity(b, i);
        if (!p || !q) return p == q;
        if (p != q && (strcmp(p->name, q->name) != 0 || strcmp(p->doc, q->doc) != 0)) return false;
    }
}

static void add_quantities(kai_text* out, kai_output_target target)
{
    kai_text_add(out, "| quantity | unit | components | meaning |\n| --- | --- | --- | --- |\n");
    const kai_quantity* q;
    for (int i = 0; (q = kai_output_quantity(target, i)) != NULL; i++) {
        kai_text_add(out, "| `%s` | %s | ", q->name, q->unit);
        for (int c = 0; q->labels && c < q->components; c++)
            kai_text_add(out, "%s%s", c ? " " : "", q->labels[c]);
        kai_text_add(out, " | %s |\n", q->doc);
    }
    kai_text_add(out, "\n");
}

static void add_targets(kai_text* out)
{
    static const char* const KEYS[] = {
#define TARGET_KEY(name, key) [KAI_OUTPUT_##name] = key,
        KAI_OUTPUT_TARGETS(TARGET_KEY)
#undef TARGET_KEY
    };
    for (size_t t = 0; t < KAI_COUNT(KEYS); t++) {
        const kai_output_target target = (kai_output_target)t;
        if (!kai_output_quantity(target, 0)) continue; // events
        kai_text_add(out, "## Quantities of `%s`\n\n", KEYS[t]);
        if (t > 0 && same_quantities(target, (kai_output_target)(t - 1)))
            kai_text_add(out, "Those of `%s`.\n\n", KEYS[t - 1]);
        else
            add_quantities(out, target);
    }
}

void docs_pages_outputs(kai_text* out)
{
    docs_table_part(out, &kai_sections_output_part);
    kai_text_add(
        out,
        "A file begins with the header `time,NAME.quantity.component,…`; numbers have 17 "
        "significant digits. Units are SI, as in the tables below. Snapshots of particles are\nnumbered files in the "
        "format of particle tables.\n\n");
    add_targets(out);
    kai_text_add(out, "## Rays\n\n%s Give exactly one of `to` and `direction`.\n\n",
                 kai_sections_ray_kind.doc);
    docs_table_kind(out, &kai_sections_ray_kind);
    kai_text_add(out, "## Nearest surfaces\n\n%s\n\n", kai_sections_nearest_kind.doc);
    docs_table_kind(out, &kai_sections_nearest_kind);
    add_elements(out);
}
