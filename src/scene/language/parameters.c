// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/language/parameters.h"

#include "scene/language/sections_language.h"
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Names of parameters are words that formulas can hold.
static bool is_name(const char* text)
{
    if (*text >= '0' && *text <= '9') return false;
    for (const char* c = text; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && !(*c >= '0' && *c <= '9')) return false;
    }
    return *text != '\0' && strcmp(text, "pi") != 0 && strcmp(text, "deg") != 0;
}

static const char* keep_text(kai_reader* reader, const char* text)
{
    const size_t size = strlen(text) + 1;
    char* copy = kai_document_allocate(reader->document, size, 1);
    if (copy) memcpy(copy, text, size);
    return copy ? copy : "";
}

// {"value": 1.82, "unit": "m", "min": 1, "max": 3, "doc": "…"}, or {"text": "rubber"}
static bool read_object(kai_reader* reader, const kai_document_node* node, kai_parameters_item* out)
{
    kai_sections_language_parameter p;
    kai_kind_defaults(&kai_sections_language_parameter_kind, &p);
    if (!kai_reader_section(reader, node, &kai_sections_language_parameter_part, &p)) return false;
    out->value = kai_document_get(node, "value");
    const bool is_text = kai_document_get(node, "text") != NULL;
    if (is_text == (out->value != NULL))
        return kai_reader_report(reader, node, "a parameter must have either value or text");
    if (is_text) out->text = keep_text(reader, p.text.text);
    out->doc = keep_text(reader, p.doc.text);
    out->unit_text = keep_text(reader, p.unit.text);
    out->min = p.min;
    out->max = p.max;
    if (!p.unit.text[0]) return true;
    if (is_text) return kai_reader_report(reader, node, "a text has no unit");
    if (!kai_unit_parse(p.unit.text, strlen(p.unit.text), &out->unit))
        return kai_reader_report(reader, kai_document_get(node, "unit"),
                                 "there is no unit \"%.64s\"", p.unit.text);
    out->has_unit = !kai_unit_is_one(&out->unit);
    return true;
}

static void read_item(kai_reader* reader, const kai_document_node* node, kai_parameters_item* out)
{
    *out = (kai_parameters_item){.name = node->key,
                                 .node = node,
                                 .value = node,
                                 .doc = "",
                                 .unit = kai_unit_one(),
                                 .unit_text = "",
                                 .min = -HUGE_VAL,
                                 .max = HUGE_VAL};
    bool ok = true;
    if (!is_name(node->key)) {
        kai_document_report(reader->document, reader->problems, node, true,
                            "the name of a parameter is letters, digits and _, and not pi or deg");
        ok = false;
    }
    if (node->kind == KAI_DOCUMENT_OBJECT) ok = read_object(reader, node, out) && ok;
    const kai_document_node* value = out->value;
    if (ok && value && value->kind != KAI_DOCUMENT_NUMBER && value->kind != KAI_DOCUMENT_STRING)
        ok = kai_reader_wrong(reader, value, "a number or a formula");
    if (!ok) out->state = KAI_PARAMETERS_BAD;
}

static int by_name(const void* a, const void* b)
{
    const kai_parameters_item *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

kai_parameters* kai_parameters_read(kai_reader* reader, const kai_document_node* root)
{
    kai_document* document = reader->document;
    const kai_document_node* object = kai_document_get(root, "parameters");
    kai_parameters* p = kai_document_allocate(document, 1, sizeof *p);
    if (object && object->kind != KAI_DOCUMENT_OBJECT) {
        kai_reader_wrong(reader, object, "an object of parameters by name");
        return p;
    }
    if (!p || !object) return p;
    p->list = kai_document_allocate(document, object->count, sizeof *p->list);
    p->names = kai_document_allocate(document, object->count, sizeof(void*));
    if (!p->list || !p->names) return NULL;
    for (const kai_document_node* node = object->first; node; node = node->next) {
        p->names[p->count] = &p->list[p->count];
        read_item(reader, node, &p->list[p->count++]);
    }
    qsort(p->names, p->count, sizeof(void*), by_name);
    return p;
}

kai_parameters_item* kai_parameters_find(const kai_parameters* parameters, const char* name)
{
    size_t low = 0, high = parameters->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(name, parameters->names[middle]->name);
        if (order == 0) return parameters->names[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const char* name_at(size_t i, const void* context)
{
    return ((const kai_parameters*)context)->list[i].name;
}

const char* kai_parameters_nearest(const kai_parameters* parameters, const char* name)
{
    // Long lists are not searched for a near name.
    return parameters->count <= 1000
               ? kai_text_nearest(name, parameters->count, name_at, parameters)
               : NULL;
}
