// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/reference.h"

#include "scene/sections.h"

#include <math.h>

bool kai_reference_has_default(const kai_param* param)
{
    if (param->required) return false;
    switch (param->type) {
    case KAI_PARAM_BOOL:
    case KAI_PARAM_ENUM: return true;
    case KAI_PARAM_INT:
    case KAI_PARAM_REAL:
    case KAI_PARAM_CURVE:
    case KAI_PARAM_VALUE:
    case KAI_PARAM_VALUE3:
    case KAI_PARAM_VEC3:
    case KAI_PARAM_COLOR: break;
    default: return false;
    }
    const double x = param->initial[0];
    const kai_range* r = &param->range;
    if (!isfinite(x)) return false;
    return !r->bounded || ((r->open_min ? x > r->min : x >= r->min) && x <= r->max);
}

static void add_number(kai_text* out, double x) { kai_text_add(out, "%.15g", x); }

static void add_default(kai_text* out, const kai_param* p)
{
    const size_t count = kai_kind_type_numbers(p->type);
    if (p->required)
        kai_text_add(out, "*needed*");
    else if (p->type == KAI_PARAM_ROTATION)
        kai_text_add(out, "none");
    else if (!kai_reference_has_default(p))
        kai_text_add(out, "–");
    else if (p->type == KAI_PARAM_BOOL)
        kai_text_add(out, "%s", p->initial[0] != 0.0 ? "true" : "false");
    else if (p->type == KAI_PARAM_ENUM)
        kai_text_add(out, "%s", p->words[(int)p->initial[0]]);
    else if (count <= 1)
        add_number(out, p->initial[0]);
    else
        for (size_t i = 0; i < count; i++) {
            if (i) kai_text_add(out, " ");
            add_number(out, p->initial[i]);
        }
}

static void add_rule(kai_text* out, const kai_param* p)
{
    char text[96];
    if (p->type == KAI_PARAM_ENUM || p->type == KAI_PARAM_WORDS) {
        for (size_t i = 0; p->words[i]; i++) kai_text_add(out, "%s`%s`", i ? " " : "", p->words[i]);
    } else if (p->type == KAI_PARAM_TABLE && p->columns == KAI_ANY_COLUMNS) {
        kai_text_add(out, "%u or more rows of equal length", kai_sections_rows_min(p));
    } else if (p->type == KAI_PARAM_TABLE && p->columns > 1) {
        kai_text_add(out, "%u or more rows of %u", kai_sections_rows_min(p), p->columns);
    } else if (p->range.bounded && p->range.min == p->range.max) {
        kai_text_add(out, "must be %g", p->range.min);
    } else if (p->range.bounded) {
        kai_kind_range_text(&p->range, text, sizeof text);
        kai_text_add(out, "%s", text);
    }
}

void kai_reference_head(kai_text* out)
{
    kai_text_add(
        out,
        "| key | type | unit | default | rule | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
}

void kai_reference_param(kai_text* out, const kai_param* p)
{
    char type[128];
    kai_sections_type_text(p, type, sizeof type);
    kai_text_add(out, "| `%s`%s | %s | %s | ", p->name, p->main ? " *main*" : "", type,
                 p->unit ? p->unit : "");
    add_default(out, p);
    kai_text_add(out, " | ");
    add_rule(out, p);
    kai_text_add(out, " | %s |\n", p->doc);
}

void kai_reference_rows(kai_text* out, const kai_kind* kind)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (!kind->params[i].hidden) kai_reference_param(out, &kind->params[i]);
}
