// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Formulas in place of numbers, and in braces within texts.
#include "math/expression_code.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Most parameters that lead to each other: each is worked out within the formula that needs it, which
/// takes up to 100 kB of the stack.
#define NESTED_MOST 20

/// Longest text after formulas were put into it, bytes.
#define TEXT_MOST 2000

// Problems ---------------------------------------------------------------------------------------

// Reports at a character of the text of a node: column 1 is its first one after the quote.
static bool report_at(kai_reader* reader, const kai_document_node* node, int column,
                      const char* text)
{
    kai_document_node at = *node;
    char name[128], what[128];
    if (kai_problems_full(reader->problems)) {
        reader->problems->count++;
        return false;
    }
    at.place.column += (uint32_t)(column > 0 ? column : 0);
    kai_reader_name(node, name, sizeof name);
    kai_document_describe(node, what, sizeof what);
    return kai_reader_report(reader, &at, "%s is %s: %s", name, what, text);
}

// Values of parameters ---------------------------------------------------------------------------

static bool work_out(kai_reader* reader, kai_parameters_item* item, const kai_scope* scope);

// What a formula asks about while it is compiled.
typedef struct asking {
    kai_reader* reader;
    double values[KAI_EXPRESSION_OPS];
    uint32_t count;
    bool told; // what is wrong was reported where a parameter is given
} asking;

static bool find_index(const kai_scope* scope, const char* name, double* out)
{
    for (int i = 0; i < scope->index_count; i++) {
        if (strcmp(scope->index[i].name, name) != 0) continue;
        *out = scope->index[i].value;
        return true;
    }
    return false;
}

static bool find_name(void* context, const char* name, kai_expression_variable* out, kai_error* err)
{
    asking* a = context;
    double value = 0.0;
    const kai_scope* scope = a->reader->scope;
    kai_parameters_item* item = NULL;
    for (; scope; scope = scope->outer) {
        if (find_index(scope, name, &value)) break;
        item = scope->parameters ? kai_parameters_find(scope->parameters, name) : NULL;
        if (item) break;
    }
    if (!scope) return false;
    if (item) {
        const bool open = item->state == KAI_PARAMETERS_OPEN;
        if (item->text)
            kai_error_set(err, KAI_ERROR_FORMAT, "parameter \"%.64s\" is a text", name);
        else if (open)
            kai_error_set(err, KAI_ERROR_FORMAT, "parameter \"%.64s\" leads back to itself", name);
        else if (!work_out(a->reader, item, scope)) {
            kai_error_set(err, KAI_ERROR_FORMAT, "parameter \"%.64s\" has no value", name);
            a->told = true;
        }
        if (err->code != KAI_OK) return false;
        value = item->number;
        out->has_unit = item->has_unit;
        out->unit = item->unit;
    }
    if (a->count == KAI_EXPRESSION_OPS) {
        kai_error_set(err, KAI_ERROR_LIMIT, "formula has too many names");
        return false;
    }
    out->index = a->count;
    a->values[a->count++] = value;
    return true;
}

static const char* nearest_name(void* context, const char* name)
{
    const asking* a = context;
    const char* near = NULL;
    for (const kai_scope* s = a->reader->scope; s && !near; s = s->outer)
        if (s->parameters) near = kai_parameters_nearest(s->parameters, name);
    return near;
}

// Compiles and evaluates a text in the reader's scope. `node` and `column` say where it stands.
static bool evaluate(kai_reader* reader, const kai_document_node* node, int column,
                     const char* text, kai_expression* out, double* value)
{
    asking a; // values are not set to zero: this is done for each pair of braces
    a.reader = reader;
    a.count = 0;
    a.told = false;
    const kai_expression_scope scope = {&a, find_name, nearest_name};
    kai_error err = {0};
    if (kai_expression_compile(text, &scope, out, &err) != KAI_OK)
        return !a.told && report_at(reader, node, column + err.column, err.message);
    *value = kai_expression_evaluate(out, a.values);
    if (isfinite(*value)) return true;
    const kai_expression_op* odd = kai_expression_evaluate_odd(out, a.values);
    return report_at(reader, node, column + (odd ? odd->column : 0),
                     "the value here is not finite: a division by zero, say");
}

// Whether a unit is one of "N m/rad, N/m". Of texts that are no units, all is taken.
static bool is_unit_of(const kai_unit* unit, const char* wanted)
{
    for (const char* begin = wanted;;) {
        const char* end = strstr(begin, ", ");
        kai_unit one;
        const size_t length = end ? (size_t)(end - begin) : strlen(begin);
        if (!kai_unit_parse(begin, length, &one) || kai_unit_same(&one, unit)) return true;
        if (!end) return false;
        begin = end + 2;
    }
}

// `unit` NULL: of a key that takes numbers of all units.
static bool check_unit(kai_reader* reader, const kai_document_node* node, const kai_expression* e,
                       const char* unit)
{
    char is[KAI_UNIT_TEXT], text[256];
    if (!e->has_unit || !unit || is_unit_of(&e->unit, unit)) return true;
    kai_unit_text(&e->unit, is);
    const bool plain = strcmp(unit, "1") == 0;
    snprintf(text, sizeof text, "in %s; must be %s%s", is, plain ? "a plain number" : "in ",
             plain ? "" : unit);
    return report_at(reader, node, 0, text);
}

// Numbers ----------------------------------------------------------------------------------------

bool kai_reader_formula(kai_reader* reader, const kai_document_node* node, const char* unit)
{
    kai_expression e;
    double value = 0.0;
    if (node->kind != KAI_DOCUMENT_STRING) return true;
    if (!evaluate(reader, node, 0, node->string, &e, &value) || !check_unit(reader, node, &e, unit))
        return false;
    kai_document_set_number(node, value);
    return true;
}

// The limits of a parameter, in its own unit.
static bool check_limits(kai_reader* reader, const kai_parameters_item* item)
{
    const double low = kai_unit_to_si(&item->unit, item->min);
    const double high = kai_unit_to_si(&item->unit, item->max);
    if (!isfinite(item->number))
        return kai_reader_report(reader, item->value, "%s is not finite in SI units", item->name);
    if (item->number >= low && item->number <= high) return true;
    const char* unit = item->unit_text;
    const double shown = item->number / kai_unit_to_si(&item->unit, 1.0);
    const bool below = item->number < low;
    return kai_reader_report(reader, item->value, "%s is %.15g%s%s; must be %s %g", item->name,
                             shown, unit[0] ? " " : "", unit,
                             below ? ">=" : "<=", below ? item->min : item->max);
}

static bool find_value(kai_reader* reader, kai_parameters_item* item)
{
    const kai_document_node* node = item->value;
    if (node->kind == KAI_DOCUMENT_NUMBER) {
        item->number = kai_unit_to_si(&item->unit, node->number);
        return check_limits(reader, item);
    }
    if (node->kind != KAI_DOCUMENT_STRING)
        return kai_reader_wrong(reader, node, "a number or a formula");
    kai_expression e;
    if (!evaluate(reader, node, 0, node->string, &e, &item->number)) return false;
    if (item->unit_text[0] && !check_unit(reader, node, &e, item->unit_text)) return false;
    if (item->unit_text[0] && !e.has_unit) // a plain number is in the unit of the parameter
        item->number = kai_unit_to_si(&item->unit, item->number);
    if (!item->unit_text[0]) {
        item->has_unit = e.has_unit;
        item->unit = e.unit;
        item->unit.numerator = item->unit.denominator = 1.0;
    }
    return check_limits(reader, item);
}

static bool work_out(kai_reader* reader, kai_parameters_item* item, const kai_scope* scope)
{
    if (item->text || item->state == KAI_PARAMETERS_KNOWN) return true;
    if (item->state != KAI_PARAMETERS_GIVEN) return false;
    const kai_scope* before = reader->scope;
    item->state = KAI_PARAMETERS_OPEN;
    reader->scope = item->scope ? item->scope : scope;
    bool ok = reader->formulas < NESTED_MOST;
    if (!ok)
        kai_reader_report(reader, item->value, "more than %d parameters lead to each other",
                          NESTED_MOST);
    reader->formulas++;
    ok = ok && find_value(reader, item);
    reader->formulas--;
    reader->scope = before;
    item->state = ok ? KAI_PARAMETERS_KNOWN : KAI_PARAMETERS_BAD;
    return ok;
}

void kai_reader_formula_parameters(kai_reader* reader)
{
    kai_parameters* p = reader->scope->parameters;
    for (size_t i = 0; p && i < p->count; i++) work_out(reader, &p->list[i], reader->scope);
}

// Texts that grow --------------------------------------------------------------------------------

typedef struct growing {
    char data[TEXT_MOST + 1];
    size_t size;
    bool full;
} growing;

static void append(growing* g, const char* bytes, size_t count)
{
    if (count > TEXT_MOST - g->size) {
        g->full = true;
        return;
    }
    memcpy(g->data + g->size, bytes, count);
    g->size += count;
}

// Formulas over signals --------------------------------------------------------------------------
// They are kept as texts, for whoever finds signals: names must be whole there.

// What stands for the names of a formula, in the order in which they are asked for; NULL: the name
// itself.
typedef struct renaming {
    asking constants; // who knows parameters
    const char* by[KAI_EXPRESSION_OPS];
    size_t length[KAI_EXPRESSION_OPS]; // of the name
    uint32_t count;
} renaming;

static bool find_signal(void* context, const char* name, kai_expression_variable* out,
                        kai_error* err)
{
    renaming* r = context;
    kai_reader* reader = r->constants.reader;
    char whole[2 * KAI_STRING_SIZE], by[2 * KAI_STRING_SIZE + 2] = "";
    kai_reader_place_lead(reader, name, whole);
    if (!KAI_IS_NULL(kai_names_find(&reader->signals, whole))) {
        if (strchr(whole, '\'')) {
            kai_error_set(err, KAI_ERROR_NAME,
                          "signal \"%.64s\" has a ' in its name, which formulas cannot write",
                          whole);
            return false;
        }
        if (strcmp(whole, name) != 0) snprintf(by, sizeof by, "'%s'", whole);
    } else if (strcmp(name, "t") != 0) {
        if (!find_name(&r->constants, name, out, err)) return false;
        snprintf(by, sizeof by, "(%.17g)", r->constants.values[out->index]);
    }
    if (r->count == KAI_EXPRESSION_OPS) {
        kai_error_set(err, KAI_ERROR_LIMIT, "formula has too many names");
        return false;
    }
    char* copy = by[0] ? kai_document_allocate(reader->document, 1, strlen(by) + 1) : NULL;
    if (copy) memcpy(copy, by, strlen(by) + 1);
    r->length[r->count] = strlen(name);
    r->by[r->count] = copy;
    out->index = r->count++;
    return true;
}

static const char* nearest_signal(void* context, const char* name)
{
    renaming* r = context;
    const char* near = kai_names_nearest(&r->constants.reader->signals, name);
    return near ? near : nearest_name(&r->constants, name);
}

// The byte of a 1-based character.
static const char* character_at(const char* text, uint32_t column)
{
    while (column > 1 && *text) {
        text++;
        if (((unsigned char)*text & 0xc0) != 0x80) column--;
    }
    return text;
}

// The formula with what stands for its names.
static void rename_all(const renaming* r, const char* text, const kai_expression* e, growing* out)
{
    const char* taken = text;
    for (uint32_t i = 0; i < e->count; i++) {
        const kai_expression_op* op = &e->ops[i];
        if (op->code != KAI_EXPRESSION_CODE_VARIABLE || !r->by[op->index]) continue;
        const char* at = character_at(text, op->column);
        append(out, taken, (size_t)(at - taken));
        append(out, r->by[op->index], strlen(r->by[op->index]));
        taken = at + r->length[op->index] + (*at == '\'' ? 2 : 0);
    }
    append(out, taken, strlen(taken));
}

bool kai_reader_formula_signals(kai_reader* reader, const kai_document_node* node, kai_string* out)
{
    growing whole = {.size = 0};
    kai_expression e;
    kai_error err = {0};
    if (node->kind == KAI_DOCUMENT_NUMBER) {
        snprintf(out->text, sizeof out->text, "%.17g", node->number);
        return true;
    }
    kai_reader_place_text(reader, node);
    if (node->kind != KAI_DOCUMENT_STRING)
        return kai_reader_wrong(reader, node, kai_kind_type_text(KAI_PARAM_EXPRESSION));
    renaming r = {.constants = {.reader = reader}};
    const kai_expression_scope scope = {&r, find_signal, nearest_signal};
    if (kai_expression_compile(node->string, &scope, &e, &err) != KAI_OK)
        return !r.constants.told && report_at(reader, node, err.column, err.message);
    rename_all(&r, node->string, &e, &whole);
    if (whole.full || whole.size >= sizeof out->text)
        return kai_reader_report(reader, node, "a formula over signals has at most %zu bytes",
                                 sizeof out->text - 1);
    memcpy(out->text, whole.data, whole.size);
    out->text[whole.size] = '\0';
    // The scene spelled out has neither parameters nor instances.
    if (strcmp(out->text, node->string) != 0)
        kai_document_set_string(reader->document, node, out->text);
    return true;
}

// Braces in texts ------------------------------------------------------------------------------------------

static const char* find_text(const kai_scope* scope, const char* name)
{
    for (; scope; scope = scope->outer) {
        const kai_parameters_item* item =
            scope->parameters ? kai_parameters_find(scope->parameters, name) : NULL;
        if (item) return item->text;
    }
    return NULL;
}

// One "{…}" that begins at `open`; returns what follows it, NULL after a report.
static const char* put_braces(kai_reader* reader, const kai_document_node* node, const char* open,
                              growing* out)
{
    const char* close = strchr(open, '}');
    const int column = (int)(open - node->string) + 1;
    char text[KAI_EXPRESSION_BYTES + 1], number[32];
    if (!close || close - open > KAI_EXPRESSION_BYTES) {
        report_at(reader, node, column, "'{' without '}'; a brace itself is written {{");
        return NULL;
    }
    memcpy(text, open + 1, (size_t)(close - open - 1));
    text[close - open - 1] = '\0';
    const char* plain = find_text(reader->scope, text);
    if (plain) {
        append(out, plain, strlen(plain));
        return close + 1;
    }
    kai_expression e;
    double value = 0.0;
    if (!evaluate(reader, node, column, text, &e, &value)) return NULL;
    const int n = snprintf(number, sizeof number, "%.15g", value);
    append(out, number, (size_t)n);
    return close + 1;
}

bool kai_reader_formula_text(kai_reader* reader, const kai_document_node* node)
{
    if (node->kind != KAI_DOCUMENT_STRING || !strpbrk(node->string, "{}")) return true;
    growing out = {.size = 0};
    for (const char* c = node->string; *c && !out.full;) {
        if ((c[0] == '{' && c[1] == '{') || (c[0] == '}' && c[1] == '}')) {
            append(&out, c, 1);
            c += 2;
        } else if (*c == '{') {
            c = put_braces(reader, node, c, &out);
            if (!c) return false;
        } else {
            append(&out, c++, 1);
        }
    }
    if (out.full) return kai_reader_report(reader, node, "the text becomes too long");
    out.data[out.size] = '\0';
    kai_document_set_string(reader->document, node, out.data);
    return true;
}
