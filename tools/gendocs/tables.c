// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Tables of keys in Markdown: of one parameter, a kind, a part of a scene, a family of kinds.
#include "tables.h"

#include "keys.h"

#include "scene/reader.h"

#include <string.h>

void docs_table_kind(kai_text* out, const kai_kind* kind)
{
    kai_reference_head(out);
    kai_reference_rows(out, kind);
    kai_text_add(out, "\n");
}

void docs_table_key(kai_text* out, const kai_sections_part* part, size_t i)
{
    const docs_key* k = docs_key_of(part, part->keys[i].name);
    if (!k) { // a page without a key must not be written
        out->failed = true;
        return;
    }
    const char* initial = part->keys[i].required ? "*needed*" : k->initial ? k->initial : "–";
    kai_text_add(out, "| `%s` | %s | | %s | %s | %s |\n", k->name, k->type, initial,
                 k->rule ? k->rule : "", k->doc);
}

void docs_table_part(kai_text* out, const kai_sections_part* part)
{
    kai_text_add(out, "%s\n\n", docs_part_text(part));
    kai_reference_head(out);
    // "type" decides about the rest and comes first; other keys come after the plain ones.
    const bool typed = strcmp(part->keys[0].name, "type") == 0;
    for (size_t i = 0; typed && i < part->key_count; i++) docs_table_key(out, part, i);
    if (part->kind) kai_reference_rows(out, part->kind);
    for (size_t i = 0; !typed && i < part->key_count; i++) docs_table_key(out, part, i);
    kai_text_add(out, "\n");
}

// What kinds share --------------------------------------------------------------------------------

static bool same_text(const char* a, const char* b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static bool same_kind(const kai_kind* a, const kai_kind* b);

// Whether two parameters have the same row.
static bool same_param(const kai_param* a, const kai_param* b)
{
    const kai_range *r = &a->range, *s = &b->range;
    if (a->type != b->type || a->required != b->required || a->columns != b->columns) return false;
    if (!same_text(a->name, b->name) || !same_text(a->doc, b->doc)) return false;
    if (!same_text(a->unit, b->unit) || a->words != b->words) return false;
    if (r->bounded != s->bounded || r->open_min != s->open_min) return false;
    if (r->bounded && !(r->min == s->min && r->max == s->max)) return false;
    if (kai_reference_has_default(a) && a->initial[0] != b->initial[0]) return false;
    return !a->item == !b->item && (!a->item || a->item == b->item || same_kind(a->item, b->item));
}

static const kai_param* twin_of(const kai_kind* kind, const kai_param* p)
{
    for (size_t i = 0; i < kind->param_count; i++)
        if (!kind->params[i].hidden && same_param(&kind->params[i], p)) return &kind->params[i];
    return NULL;
}

// Whether two kinds have the same rows, in any order.
static bool same_kind(const kai_kind* a, const kai_kind* b)
{
    for (size_t i = 0; i < a->param_count; i++)
        if (!a->params[i].hidden && !twin_of(b, &a->params[i])) return false;
    for (size_t i = 0; i < b->param_count; i++)
        if (!b->params[i].hidden && !twin_of(a, &b->params[i])) return false;
    return true;
}

// Whether every kind of a family of several has this parameter: then one table has it for all.
static bool is_common(docs_family kind_at, const kai_param* p)
{
    const kai_kind* kind;
    size_t i;
    for (i = 0; (kind = kind_at(i)) != NULL; i++)
        if (!twin_of(kind, p)) return false;
    return i > 2;
}

// Whether a kind's parameter is one that all joints have. Kinds without frames, as joints of nodes,
// have none of them.
static bool is_joint_base(const kai_kind* kind, const kai_param* p)
{
    const kai_param* base = kai_kind_param(&docs_joint_base, p->name);
    return base && kai_kind_param(kind, "frame_a") && base->offset == p->offset &&
           same_param(base, p);
}

// Families ---------------------------------------------------------------------------------------

// Whether a parameter gets a row in the table of its kind.
static bool is_own(docs_family kind_at, const kai_kind* kind, const kai_param* p)
{
    return !p->hidden && !is_joint_base(kind, p) && !is_common(kind_at, p);
}

static void add_item(kai_text* out, const kai_param* p)
{
    const bool bare = kai_reader_function_main(p->item) != NULL;
    kai_text_add(out, "Each item of `%s`%s:\n\n", p->name,
                 bare ? ", or its main parameter alone" : "");
    docs_table_kind(out, p->item);
}

// The kind before `end` in the family that has a list with the same items, or NULL.
static const kai_kind* told_by(docs_family kind_at, size_t end, const kai_param* list)
{
    for (size_t i = 0; i < end; i++) {
        const kai_kind* kind = kind_at(i);
        for (size_t k = 0; k < kind->param_count; k++) {
            const kai_param* p = &kind->params[k];
            if (p->type == KAI_PARAM_LIST && same_text(p->name, list->name) &&
                same_kind(p->item, list->item))
                return kind;
        }
    }
    return NULL;
}

// What the items of a kind's lists are, each kind of item once on a page.
static void add_items(kai_text* out, docs_family kind_at, size_t number)
{
    const kai_kind* kind = kind_at(number);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->type != KAI_PARAM_LIST || !is_own(kind_at, kind, p)) continue;
        const kai_kind* before = told_by(kind_at, number, p);
        if (before)
            kai_text_add(out, "The items of `%s` are those of [`%s`](#%s).\n\n", p->name,
                         before->name, before->name);
        else
            add_item(out, p);
    }
}

void docs_table_common(kai_text* out, docs_family kind_at)
{
    const kai_kind* first = kind_at(0);
    size_t count = 0;
    for (size_t i = 0; first && i < first->param_count; i++) {
        const kai_param* p = &first->params[i];
        if (p->hidden || is_joint_base(first, p) || !is_common(kind_at, p)) continue;
        if (count++ == 0) {
            kai_text_add(out, "Every kind also takes:\n\n");
            kai_reference_head(out);
        }
        kai_reference_param(out, p);
    }
    if (count > 0) kai_text_add(out, "\n");
    for (size_t i = 0; first && i < first->param_count; i++) {
        const kai_param* p = &first->params[i];
        if (p->type == KAI_PARAM_LIST && !p->hidden && is_common(kind_at, p)) add_item(out, p);
    }
}

static void add_rows(kai_text* out, docs_family kind_at, const kai_kind* kind)
{
    size_t own = 0, shared = 0;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        own += is_own(kind_at, kind, p);
        shared += !p->hidden && is_joint_base(kind, p);
    }
    if (shared > 0 && kind_at == docs_loads)
        kai_text_add(out,
                     "It takes the [keys of a joint](joints.md#keys-of-every-joint), `bodies` to "
                     "`collide_bodies`, and:\n\n");
    if (own > 0) kai_reference_head(out);
    for (size_t i = 0; i < kind->param_count; i++)
        if (is_own(kind_at, kind, &kind->params[i])) kai_reference_param(out, &kind->params[i]);
    if (own > 0) kai_text_add(out, "\n");
    if (own + shared == 0) kai_text_add(out, "It has no parameters of its own.\n\n");
}

void docs_table_family(kai_text* out, docs_family kind_at, docs_facts facts)
{
    const kai_kind* kind;
    for (size_t i = 0; (kind = kind_at(i)) != NULL; i++) {
        size_t last = i; // kinds that differ in name alone share a heading
        const kai_kind* next;
        while ((next = kind_at(last + 1)) != NULL && kind->param_count > 0 &&
               same_text(next->doc, kind->doc) && same_kind(next, kind))
            last++;
        for (size_t k = i; k <= last; k++)
            kai_text_add(out, "%s`%s`", k == i ? "## " : ", ", kind_at(k)->name);
        kai_text_add(out, "\n\n%s", kind->doc);
        if (facts) facts(out, kind);
        kai_text_add(out, "\n\n");
        add_rows(out, kind_at, kind);
        add_items(out, kind_at, i);
        i = last;
    }
}
