// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What follows from the description of a kind: defaults, checks, look-up. See kairos/kind.h.
#include "base/kind.h"

#include "base/check.h"
#include "base/text.h"

#include <kairos/kind.h>
#include <stdio.h>
#include <string.h>

// Types ------------------------------------------------------------------------------------------

static const size_t NUMBERS[KAI_PARAM_TYPE_COUNT] = {
    [KAI_PARAM_REAL] = 1,  [KAI_PARAM_VALUE] = 1,    [KAI_PARAM_VALUE3] = 3,  [KAI_PARAM_VEC3] = 3,
    [KAI_PARAM_COLOR] = 3, [KAI_PARAM_ROTATION] = 4, [KAI_PARAM_INERTIA] = 6,

};

size_t kai_kind_type_size(kai_param_type type)
{
    static const size_t sizes[] = {
#define TYPE_SIZE(name, ctype, text) sizeof(ctype),
        KAI_PARAM_TYPES(TYPE_SIZE)
#undef TYPE_SIZE
    };
    return (unsigned)type < KAI_PARAM_TYPE_COUNT ? sizes[type] : 0;
}

const char* kai_kind_type_text(kai_param_type type)
{
    static const char* const texts[] = {
#define TYPE_TEXT(name, ctype, text) text,
        KAI_PARAM_TYPES(TYPE_TEXT)
#undef TYPE_TEXT
    };
    return (unsigned)type < KAI_PARAM_TYPE_COUNT ? texts[type] : "unknown type";
}

size_t kai_kind_type_numbers(kai_param_type type)
{
    return (unsigned)type < KAI_PARAM_TYPE_COUNT ? NUMBERS[type] : 0;
}

// Look-up ----------------------------------------------------------------------------------------

const kai_param* kai_kind_param(const kai_kind* kind, const char* name)
{
    KAI_GIVEN_OR(NULL, kind, name);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (!p->hidden && strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

static const char* visible_name(size_t i, const void* context)
{
    const kai_kind* kind = context;
    return kind->params[i].hidden ? NULL : kind->params[i].name;
}

const char* kai_kind_nearest_param(const kai_kind* kind, const char* name)
{
    KAI_GIVEN_OR(NULL, kind, name);
    return kai_text_nearest(name, kind->param_count, visible_name, kind);
}

// Defaults ---------------------------------------------------------------------------------------

static void set_default(const kai_param* p, char* field)
{
    switch (p->type) {
    case KAI_PARAM_BOOL: *(bool*)field = p->initial[0] != 0.0; break;
    case KAI_PARAM_INT: *(int64_t*)field = (int64_t)p->initial[0]; break;
    case KAI_PARAM_ENUM: *(int32_t*)field = (int32_t)p->initial[0]; break;
    case KAI_PARAM_WORDS: *(uint32_t*)field = (uint32_t)p->initial[0]; break;
    case KAI_PARAM_REAL:
    case KAI_PARAM_VEC3:
    case KAI_PARAM_COLOR:
    case KAI_PARAM_INERTIA: memcpy(field, p->initial, NUMBERS[p->type] * sizeof(double)); break;
    case KAI_PARAM_CURVE: *(kai_curve*)field = kai_curve_line(p->initial[0]); break;
    case KAI_PARAM_FRAME: {
        const kai_frame none = {{p->initial[0], p->initial[1], p->initial[2]},
                                {1.0, 0.0, 0.0, 0.0}};
        memcpy(field, &none, sizeof none);
        break;
    }
    case KAI_PARAM_ROTATION: {
        const kai_quat identity = {1.0, 0.0, 0.0, 0.0};
        memcpy(field, &identity, sizeof identity);
        break;
    }
    case KAI_PARAM_VALUE:
    case KAI_PARAM_VALUE3:
        for (size_t i = 0; i < NUMBERS[p->type]; i++)
            ((kai_value*)field)[i] = kai_value_constant(p->initial[i]);
        break;
    default: break; // ids, texts, tables and lists start empty, which is all zero
    }
}

size_t kai_kind_repeats(const kai_param* p)
{
    KAI_GIVEN_OR(0, p);
    const bool several = p->type == KAI_PARAM_BODY || p->type == KAI_PARAM_SHAFT ||
                         p->type == KAI_PARAM_MATERIAL || p->type == KAI_PARAM_VEC3 ||
                         p->type == KAI_PARAM_NODE || p->type == KAI_PARAM_SOLID ||
                         p->type == KAI_PARAM_REAL;
    return several && p->columns > 1 ? p->columns : 1;
}

/// Defaults of bytes [begin, end) of an instance.
static void set_defaults(const kai_kind* kind, char* instance, size_t begin, size_t end)
{
    memset(instance + begin, 0, end - begin);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        if (p->offset < begin || p->offset >= end) continue;
        for (size_t k = 0; k < kai_kind_repeats(p); k++)
            set_default(p, instance + p->offset + k * kai_kind_type_size(p->type));
    }
}

void kai_kind_defaults(const kai_kind* kind, void* instance)
{
    KAI_GIVEN_VOID(kind, instance);
    set_defaults(kind, instance, 0, kai_kind_given(kind));
}

void kai_kind_take(const kai_kind* kind, const void* given, void* instance)
{
    const size_t bytes = given ? kai_kind_given(kind) : 0;
    if (given) memcpy(instance, given, bytes);
    if (bytes < kind->size) set_defaults(kind, instance, bytes, kind->size);
}

// Ranges -----------------------------------------------------------------------------------------

void kai_kind_range_text(const kai_range* range, char* out, size_t size)
{
    KAI_GIVEN_VOID(range, out);
    if (!range->bounded || (isinf(range->min) && isinf(range->max)))
        snprintf(out, size, "must be finite");
    else if (isinf(range->max))
        snprintf(out, size, "must be %s %.15g", range->open_min ? ">" : ">=", range->min);
    else if (isinf(range->min))
        snprintf(out, size, "must be <= %.15g", range->max);
    else if (range->open_min)
        snprintf(out, size, "must be > %.15g and <= %.15g", range->min, range->max);
    else
        snprintf(out, size, "must be from %.15g to %.15g", range->min, range->max);
}

static bool in_range(const kai_range* range, double x)
{
    if (!isfinite(x)) return false;
    if (!range->bounded) return true;
    return (range->open_min ? x > range->min : x >= range->min) && x <= range->max;
}

static kai_result range_error(const kai_kind* kind, const kai_param* p, double x, kai_error* err)
{
    char rule[96] = "must be finite"; // rather than "inf; must be > 0"
    if (isfinite(x)) kai_kind_range_text(&p->range, rule, sizeof rule);
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s is %.15g%s%s; %s", kind->name, p->name, x,
                         p->unit ? " " : "", p->unit ? p->unit : "", rule);
}

/// True when all numbers of an optional parameter are its defaults. A default out of range stands
/// for "not given" and passes as a whole only: half of it is a mistake.
static bool is_default(const kai_param* p, const double* x, size_t n)
{
    if (p->required) return false;
    for (size_t i = 0; i < n; i++)
        if (!(x[i] == p->initial[i] || (isnan(x[i]) && isnan(p->initial[i])))) return false;
    return true;
}

static kai_result check_numbers(const kai_kind* kind, const kai_param* p, const double* x, size_t n,
                                kai_error* err)
{
    for (size_t i = 0; i < n; i++)
        if (!in_range(&p->range, x[i])) return range_error(kind, p, x[i], err);
    return KAI_OK;
}

static kai_result check_values(const kai_kind* kind, const kai_param* p, const kai_value* v,
                               size_t n, kai_error* err)
{
    double x[3] = {0};
    bool constant = true;
    for (size_t i = 0; i < n; i++) {
        x[i] = v[i].constant;
        constant = constant && KAI_IS_NULL(v[i].function);
    }
    if (constant && is_default(p, x, n)) return KAI_OK;
    for (size_t i = 0; i < n; i++)
        if (KAI_IS_NULL(v[i].function)) KAI_TRY(check_numbers(kind, p, &x[i], 1, err));
    return KAI_OK;
}

// Checks -----------------------------------------------------------------------------------------

static size_t word_count(const kai_param* p)
{
    size_t n = 0;
    while (p->words[n]) n++;
    return n;
}

static kai_result check_rows(const kai_kind* kind, const kai_param* p, uint32_t rows,
                             kai_error* err)
{
    const uint32_t least = p->rows_min > 0 ? p->rows_min : 1;
    if (rows < least)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has %u rows; needs at least %u",
                             kind->name, p->name, rows, least);
    if (p->rows_max > 0 && rows > p->rows_max)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has %u rows; takes at most %u",
                             kind->name, p->name, rows, p->rows_max);
    return KAI_OK;
}

static kai_result data_missing(const kai_kind* kind, const kai_param* p, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s points to NULL; must point to its rows",
                         kind->name, p->name);
}

static kai_result check_table(const kai_kind* kind, const kai_param* p, const kai_table* t,
                              kai_error* err)
{
    if (t->rows == 0 && !p->required) return KAI_OK; // not given
    KAI_TRY(check_rows(kind, p, t->rows, err));
    if (p->columns == KAI_ANY_COLUMNS && t->columns == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has rows without numbers", kind->name,
                             p->name);
    if (p->columns != KAI_ANY_COLUMNS && t->columns != p->columns)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has %u columns; must have %u",
                             kind->name, p->name, t->columns, p->columns);
    if (!t->data) return data_missing(kind, p, err);
    return check_numbers(kind, p, t->data, (size_t)t->rows * t->columns, err);
}

/// A number in its range, or two points and more from left to right.
static kai_result check_curve(const kai_kind* kind, const kai_param* p, const kai_curve* c,
                              kai_error* err)
{
    const kai_table* t = &c->points;
    if (t->rows > 0 && !t->data) return data_missing(kind, p, err);
    if (t->rows == 0) return check_numbers(kind, p, &c->slope, 1, err);
    if (t->rows < 2 || t->columns != 2)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s: %s has %u rows of %u numbers; needs two or more rows [x, y]",
                             kind->name, p->name, t->rows, t->columns);
    for (uint32_t i = 0; i < t->rows; i++) {
        const double *row = t->data + 2 * i, *before = i > 0 ? row - 2 : NULL;
        if (!isfinite(row[0]) || !isfinite(row[1]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: %s has the row [%g, %g] (number %u); must be finite",
                                 kind->name, p->name, row[0], row[1], i + 1);
        if (before && !(row[0] > before[0]))
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "%s: %s has x = %.15g after %.15g (row %u); must increase",
                                 kind->name, p->name, row[0], before[0], i + 1);
    }
    return KAI_OK;
}

static kai_result check_list(const kai_kind* kind, const kai_param* p, const kai_list* list,
                             kai_error* err)
{
    if (list->count == 0 && !p->required) return KAI_OK; // not given
    KAI_TRY(check_rows(kind, p, list->count, err));
    if (!list->items) return data_missing(kind, p, err);
    for (uint32_t i = 0; i < list->count; i++) {
        const kai_result r =
            kai_kind_check(p->item, (const char*)list->items + i * p->item->size, err);
        if (r == KAI_OK) continue;
        kai_error_prefix(err, "%s: %s[%u]", kind->name, p->name, i);
        return r;
    }
    return KAI_OK;
}

static kai_result check_id(const kai_kind* kind, const kai_param* p, const kai_id* id,
                           kai_error* err)
{
    if (!p->required || !KAI_IS_NULL(*id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s is missing; must be %s", kind->name,
                         p->name, kai_kind_type_text(p->type));
}

static kai_result check_string(const kai_kind* kind, const kai_param* p, const char* text,
                               kai_error* err)
{
    if (memchr(text, 0, KAI_STRING_SIZE) == NULL)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has no end; at most %d bytes",
                             kind->name, p->name, KAI_STRING_SIZE - 1);
    if (p->required && p->type != KAI_PARAM_STRING && text[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s is missing; must be %s", kind->name,
                             p->name, kai_kind_type_text(p->type));
    return KAI_OK;
}

static kai_result check_enum(const kai_kind* kind, const kai_param* p, int32_t value,
                             kai_error* err)
{
    if (value >= 0 && (size_t)value < word_count(p)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s is word number %d; there are %zu words",
                         kind->name, p->name, value, word_count(p));
}

static kai_result check_words(const kai_kind* kind, const kai_param* p, uint32_t value,
                              kai_error* err)
{
    const size_t count = word_count(p);
    if (count >= 32 || value >> count == 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s has bits 0x%x; there are %zu words",
                         kind->name, p->name, value, count);
}

/// Four zeros are no rotation: what an instance has that was zeroed and not started from defaults.
static kai_result check_rotation(const kai_kind* kind, const kai_param* p, const double* q,
                                 kai_error* err)
{
    KAI_TRY(check_numbers(kind, p, q, 4, err));
    if (q[0] != 0.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: %s%s is [0, 0, 0, 0]; must have norm 1",
                         kind->name, p->type == KAI_PARAM_FRAME ? "the rotation of " : "", p->name);
}

/// A position that is the default stands for "not given".
static kai_result check_frame(const kai_kind* kind, const kai_param* p, const double* frame,
                              kai_error* err)
{
    if (is_default(p, frame, 3) && isnan(frame[0])) return KAI_OK;
    KAI_TRY(check_numbers(kind, p, frame, 3, err));
    return check_rotation(kind, p, frame + 3, err);
}

static kai_result check_param(const kai_kind* kind, const kai_param* p, const void* field,
                              kai_error* err)
{
    switch (p->type) {
    case KAI_PARAM_BOOL: return KAI_OK;
    case KAI_PARAM_INT: {
        const double x = (double)*(const int64_t*)field;
        return is_default(p, &x, 1) ? KAI_OK : check_numbers(kind, p, &x, 1, err);
    }
    case KAI_PARAM_ENUM: return check_enum(kind, p, *(const int32_t*)field, err);
    case KAI_PARAM_VALUE:
    case KAI_PARAM_VALUE3: return check_values(kind, p, field, NUMBERS[p->type], err);
    case KAI_PARAM_STRING:
    case KAI_PARAM_SIGNAL:
    case KAI_PARAM_EXPRESSION: return check_string(kind, p, field, err);
    case KAI_PARAM_BODY:
    case KAI_PARAM_JOINT:
    case KAI_PARAM_SHAFT:
    case KAI_PARAM_MATERIAL:
    case KAI_PARAM_NODE:
    case KAI_PARAM_SOLID:
    case KAI_PARAM_LOAD:
    case KAI_PARAM_ELEMENT:
    case KAI_PARAM_STRUCTURE:
    case KAI_PARAM_LAW:
    case KAI_PARAM_FUNCTION: return check_id(kind, p, field, err);
    case KAI_PARAM_ROTATION: return check_rotation(kind, p, field, err);
    case KAI_PARAM_FRAME: return check_frame(kind, p, field, err);
    case KAI_PARAM_TABLE: return check_table(kind, p, field, err);
    case KAI_PARAM_CURVE: return check_curve(kind, p, field, err);
    case KAI_PARAM_LIST: return check_list(kind, p, field, err);
    case KAI_PARAM_WORDS: return check_words(kind, p, *(const uint32_t*)field, err);
    default:
        if (is_default(p, field, NUMBERS[p->type])) return KAI_OK;
        return check_numbers(kind, p, field, NUMBERS[p->type], err);
    }
}

kai_result kai_kind_check(const kai_kind* kind, const void* instance, kai_error* err)
{
    KAI_GIVEN(err, kind);
    if (!instance && kind->size > 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "%s: its parameters are NULL", kind->name);
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const char* field = (const char*)instance + p->offset;
        for (size_t k = 0; !p->hidden && k < kai_kind_repeats(p); k++)
            KAI_TRY(check_param(kind, p, field + k * kai_kind_type_size(p->type), err));
    }
    return kind->check ? kind->check(instance, err) : KAI_OK;
}

// The description itself -------------------------------------------------------------------------

/// Items may hold lists of items; a kind that holds itself would never end.
enum { DEEPEST_ITEM = 8 };

static kai_result validate(const kai_kind* kind, int depth, kai_error* err);

static size_t type_alignment(kai_param_type type)
{
    static const size_t alignments[] = {
#define TYPE_ALIGNMENT(name, ctype, text) _Alignof(ctype),
        KAI_PARAM_TYPES(TYPE_ALIGNMENT)
#undef TYPE_ALIGNMENT
    };
    return alignments[type];
}

/// What only some types have: words, columns, rows, items.
static kai_result validate_parts(const kai_kind* kind, const kai_param* p, int depth,
                                 kai_error* err)
{
    const kai_result code = KAI_ERROR_ARGUMENT;
    const bool rows = p->type == KAI_PARAM_TABLE || p->type == KAI_PARAM_LIST;
    if (p->type == KAI_PARAM_ENUM && (!p->words || !p->words[0]))
        return kai_error_set(err, code, "kind %s: %s is an enum without words", kind->name,
                             p->name);
    if (p->type == KAI_PARAM_WORDS && (!p->words || !p->words[0] || word_count(p) > 32))
        return kai_error_set(err, code, "kind %s: %s needs from 1 to 32 words", kind->name,
                             p->name);
    if (p->type == KAI_PARAM_ENUM &&
        !(p->initial[0] >= 0.0 && p->initial[0] < (double)word_count(p)))
        return kai_error_set(err, code,
                             "kind %s: %s starts with word number %g; there are %zu words",
                             kind->name, p->name, p->initial[0], word_count(p));
    if (p->type == KAI_PARAM_TABLE && p->columns == 0)
        return kai_error_set(err, code, "kind %s: %s is a table without columns", kind->name,
                             p->name);
    if (rows && p->rows_max > 0 && p->rows_min > p->rows_max)
        return kai_error_set(err, code, "kind %s: %s takes from %u to %u rows, which is none",
                             kind->name, p->name, p->rows_min, p->rows_max);
    if (p->range.bounded && !(p->range.min <= p->range.max))
        return kai_error_set(err, code, "kind %s: %s has a range from %g to %g, which is empty",
                             kind->name, p->name, p->range.min, p->range.max);
    if (p->type != KAI_PARAM_LIST) return KAI_OK;
    if (!p->item)
        return kai_error_set(err, code, "kind %s: %s is a list without item", kind->name, p->name);
    if (p->item->size == 0)
        return kai_error_set(err, code, "kind %s: %s is a list of items of 0 bytes", kind->name,
                             p->name);
    if (p->item->given > 0)
        return kai_error_set(err, code, "kind %s: %s is a list of items with a part of their own",
                             kind->name, p->name);
    if (depth == DEEPEST_ITEM)
        return kai_error_set(err, code, "kind %s: %s is a list more than %d lists deep", kind->name,
                             p->name, DEEPEST_ITEM);
    return validate(p->item, depth + 1, err);
}

static kai_result validate_param(const kai_kind* kind, size_t i, int depth, kai_error* err)
{
    const kai_param* p = &kind->params[i];
    const kai_result code = KAI_ERROR_ARGUMENT;
    if (!p->name || !p->name[0])
        return kai_error_set(err, code, "kind %s: parameter %zu has no name", kind->name, i);
    if ((unsigned)p->type >= KAI_PARAM_TYPE_COUNT)
        return kai_error_set(err, code, "kind %s: %s has type %d, which is none", kind->name,
                             p->name, (int)p->type);
    if (p->offset > kind->size ||
        kai_kind_repeats(p) * kai_kind_type_size(p->type) > kind->size - p->offset)
        return kai_error_set(err, code, "kind %s: %s at offset %zu does not fit into %zu bytes",
                             kind->name, p->name, p->offset, kind->size);
    const size_t end = p->offset + kai_kind_repeats(p) * kai_kind_type_size(p->type);
    if (end > kai_kind_given(kind) && (!p->hidden || p->offset < kai_kind_given(kind)))
        return kai_error_set(err, code,
                             "kind %s: %s at offset %zu is not within the %zu bytes given",
                             kind->name, p->name, p->offset, kai_kind_given(kind));
    if (p->offset % type_alignment(p->type) != 0)
        return kai_error_set(err, code, "kind %s: %s at offset %zu is not aligned to %zu bytes",
                             kind->name, p->name, p->offset, type_alignment(p->type));
    if (!p->hidden && !p->doc)
        return kai_error_set(err, code, "kind %s: %s has no doc", kind->name, p->name);
    for (size_t j = 0; j < i; j++)
        if (strcmp(kind->params[j].name, p->name) == 0)
            return kai_error_set(err, code, "kind %s: %s is described twice", kind->name, p->name);
    return validate_parts(kind, p, depth, err);
}

static kai_result validate(const kai_kind* kind, int depth, kai_error* err)
{
    if (!kind || !kind->name || !kind->name[0])
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "a kind has no name");
    if (!kind->doc) return kai_error_set(err, KAI_ERROR_ARGUMENT, "kind %s has no doc", kind->name);
    if (kind->given > kind->size)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kind %s has %zu bytes given of instances of %zu bytes", kind->name,
                             kind->given, kind->size);
    if (kind->param_count > 0 && !kind->params)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kind %s has no list of parameters",
                             kind->name);
    for (size_t i = 0; i < kind->param_count; i++) KAI_TRY(validate_param(kind, i, depth, err));
    return KAI_OK;
}

kai_result kai_kind_validate(const kai_kind* kind, kai_error* err)
{
    return validate(kind, 0, err);
}

// Tables -----------------------------------------------------------------------------------------

kai_result kai_kind_read_table(const kai_kind* kind, const char* family, size_t bytes, void* out,
                               kai_error* err)
{
    const kai_kind_sizes sizes = kind->sizes;
    const bool known = sizes.head == 0 || sizes.head == sizeof *kind;
    const char* name = known && kind->name ? kind->name : "";
    if (sizes.table == 0 || sizes.head == 0 || sizes.param == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s kind '%s' has no sizes; its kind must have "
                             "KAI_SIZES(kai_%s_kind)",
                             family, name, family);
    if (sizes.head != sizeof *kind || sizes.param != sizeof(kai_param))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s kind has %u bytes of kai_kind and %u of kai_param; this library "
                             "knows %zu and %zu: compile the program for it",
                             family, sizes.head, sizes.param, sizeof *kind, sizeof(kai_param));
    if (sizes.table > bytes || sizes.table < sizeof *kind)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "%s kind '%s' has a table of %u bytes; must be from %zu to %zu, which "
                             "is what this library knows",
                             family, name, sizes.table, sizeof *kind, bytes);
    memset(out, 0, bytes);
    memcpy(out, kind, sizes.table);
    return KAI_OK;
}
