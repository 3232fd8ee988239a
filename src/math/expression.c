// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Compilation: a parser by recursive descent, one function a level of precedence, that writes
// operations in the order in which a stack machine needs them and returns the unit of each part.
#include "math/expression.h"

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "math/expression_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Functions --------------------------------------------------------------------------------------

static const struct {
    const char* name;
    uint32_t fewest, most;
} FUNCTIONS[] = {
#define CALL_ROW(name, fewest, most) {#name, fewest, most},
    KAI_EXPRESSION_FUNCTIONS(CALL_ROW)
#undef CALL_ROW
};

#define FUNCTION_COUNT            (sizeof FUNCTIONS / sizeof FUNCTIONS[0])
#define KAI_EXPRESSION_CODE_FIRST KAI_EXPRESSION_CODE_CALL_min

// What a part of a formula measures; a plain number goes with anything.
typedef struct measure {
    bool has_unit;
    kai_unit unit;
} measure;

typedef struct compiler {
    const char* at;
    const kai_expression_scope* scope;
    kai_expression* out;
    kai_error* err;
    uint32_t nested; // calls of the parser within each other
    uint32_t stack;  // values that are on the stack when the operations so far were done
    bool failed;
    const char* seen; // a place whose character is known, near those that are asked for next
    uint16_t seen_column;
} compiler;

// Problems ---------------------------------------------------------------------------------------

// The 1-based character at a place in the text.
static uint16_t column_of(compiler* c, const char* at)
{
    for (; c->seen < at; c->seen++)
        if (((unsigned char)*c->seen & 0xc0) != 0x80) c->seen_column++;
    for (; c->seen > at; c->seen--)
        if (((unsigned char)c->seen[-1] & 0xc0) != 0x80) c->seen_column--;
    return c->seen_column;
}

static measure expression_fail(compiler* c, const char* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

static measure expression_fail(compiler* c, const char* at, const char* format, ...)
{
    if (!c->failed) {
        va_list args;
        va_start(args, format);
        kai_error_setv(c->err, KAI_ERROR_FORMAT, format, args);
        va_end(args);
        if (c->err) c->err->column = column_of(c, at);
    }
    c->failed = true;
    return (measure){0};
}

// Writing operations -----------------------------------------------------------------------------

// `taken` values leave the stack, one comes.
static void emit(compiler* c, const char* at, kai_expression_op op, uint32_t taken)
{
    if (c->failed) return;
    if (c->out->count == KAI_EXPRESSION_OPS) {
        expression_fail(c, at, "formula has more than %d operations", KAI_EXPRESSION_OPS);
        return;
    }
    c->stack += 1 - taken;
    if (c->stack > KAI_EXPRESSION_DEPTH) {
        expression_fail(c, at, "formula is nested more than %d deep", KAI_EXPRESSION_DEPTH);
        return;
    }
    op.column = column_of(c, at);
    c->out->ops[c->out->count++] = op;
}

static void emit_code(compiler* c, const char* at, kai_expression_code what, uint32_t taken)
{
    emit(c, at, (kai_expression_op){.code = (uint16_t)what, .index = taken}, taken);
}

// Units ------------------------------------------------------------------------------------------

static const char* measure_text(const measure* m, char out[KAI_UNIT_TEXT])
{
    kai_unit_text(&m->unit, out);
    return out;
}

// Both sides of a sum or comparison must measure the same thing.
static measure expression_agree(compiler* c, const char* at, const char* doing, measure a,
                                measure b)
{
    char left[KAI_UNIT_TEXT], right[KAI_UNIT_TEXT];
    if (!a.has_unit) return b;
    if (b.has_unit && !kai_unit_same(&a.unit, &b.unit))
        return expression_fail(c, at, "%s needs equal units; these are in %s and %s", doing,
                               measure_text(&a, left), measure_text(&b, right));
    return a;
}

static measure product(compiler* c, const char* at, measure a, measure b, int exponent)
{
    if (!a.has_unit) a.unit = kai_unit_one();
    measure r = {.has_unit = true};
    if (!b.has_unit) return a;
    if (!kai_unit_multiply(&a.unit, &b.unit, exponent, &r.unit))
        return expression_fail(c, at, "the powers of units become too large");
    r.has_unit = !kai_unit_is_one(&r.unit);
    return r;
}

// Text -------------------------------------------------------------------------------------------

static void skip_spaces(compiler* c)
{
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r') c->at++;
}

static bool starts(const compiler* c, const char* sign)
{
    return strncmp(c->at, sign, strlen(sign)) == 0;
}

// Takes a sign if it comes next.
static bool take(compiler* c, const char* sign)
{
    skip_spaces(c);
    if (!starts(c, sign)) return false;
    c->at += strlen(sign);
    return true;
}

static bool is_digit(char x) { return x >= '0' && x <= '9'; }

static bool is_letter(char x)
{
    return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_';
}

// What stands at a place, for messages: a word, number or single character.
static void expression_show(const char* at, char out[48])
{
    size_t n = 0;
    while (n < 30 && (is_letter(at[n]) || is_digit(at[n]))) n++;
    if (n == 0 && at[0]) n = 1;
    while (n > 0 && n < 34 && ((unsigned char)at[n] & 0xc0) == 0x80) n++;
    if (n == 0)
        snprintf(out, 48, "the end");
    else
        snprintf(out, 48, "\"%.*s\"", (int)n, at);
}

// What is not a leaf of the parser keeps no buffers: parameters lead to each other while their formulas
// are read, so that the memory of all levels adds up.
#define LEAF __attribute__((noinline))

static LEAF measure fail_expected(compiler* c, const char* at, const char* wanted)
{
    char found[48];
    expression_show(at, found);
    return expression_fail(c, at, "%s expected, found %s", wanted, found);
}

// Numbers ----------------------------------------------------------------------------------------

static const char* number_end(const char* at)
{
    while (is_digit(*at)) at++;
    if (*at == '.') at++;
    while (is_digit(*at)) at++;
    if (*at == 'e' || *at == 'E') {
        const char* digits = at + 1;
        if (*digits == '+' || *digits == '-') digits++;
        if (is_digit(*digits)) {
            at = digits;
            while (is_digit(*at)) at++;
        }
    }
    return at;
}

static LEAF measure read_number(compiler* c)
{
    const char *begin = c->at, *end = number_end(begin);
    double value = 0.0;
    const kai_number_status status = kai_number_parse(begin, end, &value);
    if (status != KAI_NUMBER_OK)
        return expression_fail(c, begin, "%.*s is %s", (int)(end - begin), begin,
                               status == KAI_NUMBER_BAD ? "no number" : "too large a number");
    c->at = end;
    skip_spaces(c);
    measure m = {.unit = kai_unit_one()};
    const size_t used = kai_unit_read(c->at, strlen(c->at), &m.unit);
    if (used > 0) {
        value = kai_unit_to_si(&m.unit, value);
        m.has_unit = !kai_unit_is_one(&m.unit);
        c->at += used;
    } else if (is_letter(*c->at) || (unsigned char)*c->at >= 0x80) {
        char word[48];
        const char* near;
        expression_show(c->at, word);
        word[strlen(word) - 1] = '\0';
        near = kai_unit_nearest(word + 1);
        return expression_fail(c, c->at, "there is no unit %s\"%s%s%s", word,
                               near ? "; did you mean \"" : "", near ? near : "",
                               near ? "\"?" : "");
    }
    emit(c, begin, (kai_expression_op){.code = KAI_EXPRESSION_CODE_NUMBER, .number = value}, 0);
    return m;
}

// Names ------------------------------------------------------------------------------------------

#define NAME_SIZE 256

// Copies a name; false after a report.
static bool read_name(compiler* c, char out[NAME_SIZE])
{
    const char *begin = c->at, *end;
    if (*begin == '\'') {
        end = strchr(++begin, '\'');
        if (!end) {
            expression_fail(c, c->at, "a name in '…' has no end");
            return false;
        }
        c->at = end + 1;
    } else {
        end = begin;
        while (is_letter(*end) || is_digit(*end) ||
               (*end == '.' && (is_letter(end[1]) || is_digit(end[1]))))
            end++;
        c->at = end;
    }
    if (end - begin >= NAME_SIZE) {
        expression_fail(c, begin, "a name has more than %d bytes", NAME_SIZE - 1);
        return false;
    }
    memcpy(out, begin, (size_t)(end - begin));
    out[end - begin] = '\0';
    return true;
}

static const char* function_name(size_t i, const void* context)
{
    (void)context;
    return FUNCTIONS[i].name;
}

static measure constant(compiler* c, const char* at, double value, bool angle)
{
    measure m = {.has_unit = angle, .unit = kai_unit_one()};
    if (angle) m.unit.power[KAI_UNIT_BASES - 1] = 1;
    emit(c, at, (kai_expression_op){.code = KAI_EXPRESSION_CODE_NUMBER, .number = value}, 0);
    return m;
}

static measure read_variable(compiler* c, const char* at, const char* name)
{
    kai_expression_variable v = {.unit = kai_unit_one()};
    kai_error own = {0};
    if (c->scope && c->scope->find(c->scope->context, name, &v, &own)) {
        emit(c, at, (kai_expression_op){.code = KAI_EXPRESSION_CODE_VARIABLE, .index = v.index}, 0);
        return (measure){v.has_unit, v.unit};
    }
    if (own.code != KAI_OK) return expression_fail(c, at, "%s", own.message);
    if (strcmp(name, "pi") == 0) return constant(c, at, M_PI, false);
    if (strcmp(name, "deg") == 0) return constant(c, at, M_PI / 180.0, true);
    const char* near =
        c->scope && c->scope->nearest ? c->scope->nearest(c->scope->context, name) : NULL;
    if (!near) return expression_fail(c, at, "there is no \"%.64s\"", name);
    return expression_fail(c, at, "there is no \"%.64s\"; did you mean \"%s\"?", name, near);
}

// Calls ------------------------------------------------------------------------------------------

static measure read_condition(compiler* c);

static measure call_angle(compiler* c, const char* at, const char* name, measure m)
{
    kai_unit angle = kai_unit_one();
    char text[KAI_UNIT_TEXT];
    angle.power[KAI_UNIT_BASES - 1] = 1;
    if (m.has_unit && !kai_unit_same(&m.unit, &angle))
        return expression_fail(c, at, "%s needs an angle; this is in %s", name,
                               measure_text(&m, text));
    return (measure){.unit = kai_unit_one()};
}

static measure call_plain(compiler* c, const char* at, const char* name, measure m)
{
    char text[KAI_UNIT_TEXT];
    if (m.has_unit)
        return expression_fail(c, at, "%s needs a plain number; this is in %s", name,
                               measure_text(&m, text));
    return m;
}

static measure call_root(compiler* c, const char* at, measure m)
{
    char text[KAI_UNIT_TEXT];
    for (int i = 0; m.has_unit && i < KAI_UNIT_BASES; i++)
        if (m.unit.power[i] % 2 != 0)
            return expression_fail(c, at, "there is no square root of a number in %s",
                                   measure_text(&m, text));
    for (int i = 0; m.has_unit && i < KAI_UNIT_BASES; i++) m.unit.power[i] /= 2;
    return m;
}

// The unit of a call's result. The arguments but the last were found equal where that is asked.
static measure call_measure(compiler* c, const char* at, kai_expression_code what, measure all,
                            measure first)
{
    const char* name = FUNCTIONS[what - KAI_EXPRESSION_CODE_FIRST].name;
    const measure angle = {.has_unit = true, .unit = {1.0, 1.0, {0, 0, 0, 0, 0, 1}}};
    switch (what) {
    case KAI_EXPRESSION_CODE_CALL_sign: return (measure){.unit = kai_unit_one()};
    case KAI_EXPRESSION_CODE_CALL_sqrt: return call_root(c, at, first);
    case KAI_EXPRESSION_CODE_CALL_exp:
    case KAI_EXPRESSION_CODE_CALL_log:
    case KAI_EXPRESSION_CODE_CALL_log10:
    case KAI_EXPRESSION_CODE_CALL_tanh: return call_plain(c, at, name, first);
    case KAI_EXPRESSION_CODE_CALL_sin:
    case KAI_EXPRESSION_CODE_CALL_cos:
    case KAI_EXPRESSION_CODE_CALL_tan: return call_angle(c, at, name, first);
    case KAI_EXPRESSION_CODE_CALL_asin:
    case KAI_EXPRESSION_CODE_CALL_acos:
    case KAI_EXPRESSION_CODE_CALL_atan: call_plain(c, at, name, first); return angle;
    case KAI_EXPRESSION_CODE_CALL_atan2: return angle;
    default: return all; // of min, max, if …: that of the arguments
    }
}

// The function of a name; FUNCTION_COUNT after a report.
static size_t find_function(compiler* c, const char* at, const char* name)
{
    size_t f = 0;
    while (f < FUNCTION_COUNT && strcmp(FUNCTIONS[f].name, name) != 0) f++;
    if (f < FUNCTION_COUNT) return f;
    const char* near = kai_text_nearest(name, FUNCTION_COUNT, function_name, NULL);
    if (near)
        expression_fail(c, at, "there is no function \"%.64s\"; did you mean \"%s\"?", name, near);
    else
        expression_fail(c, at, "there is no function \"%.64s\"", name);
    return f;
}

// A variable or constant, or the name and '(' of a call: then `*function` is what is called.
static LEAF measure read_word(compiler* c, size_t* function)
{
    char name[NAME_SIZE];
    const char* at = c->at;
    *function = FUNCTION_COUNT;
    if (!read_name(c, name)) return (measure){0};
    if (*at == '\'' || !take(c, "(")) return read_variable(c, at, name);
    *function = find_function(c, at, name);
    return (measure){0};
}

static measure read_call(compiler* c, const char* at, size_t f)
{
    const char* name = FUNCTIONS[f].name;
    const kai_expression_code what = (kai_expression_code)(KAI_EXPRESSION_CODE_FIRST + f);
    measure all = {.unit = kai_unit_one()}, first = all;
    uint32_t count = 0;
    if (!take(c, ")")) {
        do {
            const char* begin = c->at;
            const measure m = read_condition(c);
            if (count == 0) first = m;
            // The condition of if() may measure anything.
            const bool condition = what == KAI_EXPRESSION_CODE_CALL_if && count == 0;
            if (!condition) all = expression_agree(c, begin, name, all, m);
            count++;
        } while (!c->failed && take(c, ","));
        if (!c->failed && !take(c, ")")) return fail_expected(c, c->at, "')'");
    }
    if (c->failed) return (measure){0};
    if (count < FUNCTIONS[f].fewest || count > FUNCTIONS[f].most)
        return expression_fail(c, at, "%s has %u argument%s; must have %u%s", name, count,
                               count == 1 ? "" : "s", FUNCTIONS[f].fewest,
                               FUNCTIONS[f].most > FUNCTIONS[f].fewest ? " or more" : "");
    emit_code(c, at, what, count);
    return call_measure(c, at, what, all, first);
}

// Levels of precedence ---------------------------------------------------------------------------

static measure read_atom(compiler* c)
{
    skip_spaces(c);
    const char* at = c->at;
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) return read_number(c);
    if (take(c, "(")) {
        const measure m = read_condition(c);
        return c->failed || take(c, ")") ? m : fail_expected(c, c->at, "')'");
    }
    if (is_letter(*at) || *at == '\'') {
        size_t function;
        const measure m = read_word(c, &function);
        return function < FUNCTION_COUNT ? read_call(c, at, function) : m;
    }
    return fail_expected(c, at, "a number or name");
}

static measure read_sign(compiler* c);

// The exponent of a number with a unit must be known now.
static measure raise(compiler* c, const char* at, measure base, uint32_t first)
{
    const kai_expression_op* ops = c->out->ops;
    const uint32_t count = c->out->count - first;
    double exponent = count > 0 ? ops[first].number : 0.0;
    bool known = count > 0 && ops[first].code == KAI_EXPRESSION_CODE_NUMBER;
    if (count == 2 && ops[first + 1].code == KAI_EXPRESSION_CODE_NEGATE)
        exponent = -exponent;
    else
        known = known && count == 1;
    known = known && exponent == floor(exponent) && fabs(exponent) <= 16.0;
    if (!known)
        return expression_fail(
            c, at, "the exponent of a number with a unit must be a whole number up to 16");
    return product(c, at, (measure){.unit = kai_unit_one()}, base, (int)exponent);
}

static measure read_power(compiler* c)
{
    const measure base = read_atom(c);
    skip_spaces(c);
    const char* at = c->at;
    if (c->failed || !take(c, "^")) return base;
    const uint32_t first = c->out->count;
    const measure exponent = read_sign(c); // from the right, and 2^-1
    if (c->failed) return base;
    call_plain(c, at, "an exponent", exponent);
    const measure result = base.has_unit ? raise(c, at, base, first) : base;
    emit_code(c, at, KAI_EXPRESSION_CODE_POWER, 2);
    return result;
}

static measure read_sign(compiler* c)
{
    skip_spaces(c);
    const char* at = c->at;
    if (++c->nested > KAI_EXPRESSION_DEPTH)
        return expression_fail(c, at, "formula is nested more than %d deep", KAI_EXPRESSION_DEPTH);
    measure m;
    if (take(c, "-")) {
        m = read_sign(c);
        emit_code(c, at, KAI_EXPRESSION_CODE_NEGATE, 1);
    } else if (!starts(c, "!=") && take(c, "!")) {
        read_sign(c);
        m = (measure){.unit = kai_unit_one()};
        emit_code(c, at, KAI_EXPRESSION_CODE_NOT, 1);
    } else if (take(c, "+")) {
        m = read_sign(c);
    } else {
        m = read_power(c);
    }
    c->nested--;
    return m;
}

static measure read_product(compiler* c)
{
    measure m = read_sign(c);
    while (!c->failed) {
        skip_spaces(c);
        const char* at = c->at;
        const bool times = take(c, "*");
        if (!times && !take(c, "/")) break;
        const measure other = read_sign(c);
        m = product(c, at, m, other, times ? 1 : -1);
        emit_code(c, at, times ? KAI_EXPRESSION_CODE_MULTIPLY : KAI_EXPRESSION_CODE_DIVIDE, 2);
    }
    return m;
}

static measure read_sum(compiler* c)
{
    measure m = read_product(c);
    while (!c->failed) {
        skip_spaces(c);
        const char* at = c->at;
        const bool plus = take(c, "+");
        if (!plus && !take(c, "-")) break;
        const measure other = read_product(c);
        m = expression_agree(c, at, plus ? "+" : "-", m, other);
        emit_code(c, at, plus ? KAI_EXPRESSION_CODE_ADD : KAI_EXPRESSION_CODE_SUBTRACT, 2);
    }
    return m;
}

static measure read_comparison(compiler* c)
{
    static const struct {
        const char* sign;
        kai_expression_code what;
    } SIGNS[] = {{"<=", KAI_EXPRESSION_CODE_LESS_EQUAL}, {">=", KAI_EXPRESSION_CODE_GREATER_EQUAL},
                 {"==", KAI_EXPRESSION_CODE_EQUAL},      {"!=", KAI_EXPRESSION_CODE_UNEQUAL},
                 {"<", KAI_EXPRESSION_CODE_LESS},        {">", KAI_EXPRESSION_CODE_GREATER}};
    const measure m = read_sum(c);
    skip_spaces(c);
    const char* at = c->at;
    for (size_t i = 0; !c->failed && i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        if (!take(c, SIGNS[i].sign)) continue;
        const measure other = read_sum(c);
        expression_agree(c, at, SIGNS[i].sign, m, other);
        emit_code(c, at, SIGNS[i].what, 2);
        return (measure){.unit = kai_unit_one()};
    }
    return m;
}

static measure read_logic(compiler* c, const char* sign, kai_expression_code what,
                          measure (*next)(compiler*))
{
    measure m = next(c);
    for (;;) {
        skip_spaces(c);
        const char* at = c->at;
        if (c->failed || !take(c, sign)) return m;
        next(c);
        emit_code(c, at, what, 2);
        m = (measure){.unit = kai_unit_one()};
    }
}

static measure read_and(compiler* c)
{
    return read_logic(c, "&&", KAI_EXPRESSION_CODE_AND, read_comparison);
}

static measure read_or(compiler* c)
{
    return read_logic(c, "||", KAI_EXPRESSION_CODE_OR, read_and);
}

static measure read_condition(compiler* c)
{
    if (++c->nested > KAI_EXPRESSION_DEPTH)
        return expression_fail(c, c->at, "formula is nested more than %d deep",
                               KAI_EXPRESSION_DEPTH);
    measure m = read_or(c);
    skip_spaces(c);
    const char* at = c->at;
    if (!c->failed && take(c, "?")) {
        m = read_condition(c);
        if (!c->failed && !take(c, ":")) expression_fail(c, c->at, "':' expected after '?'");
        const measure other = c->failed ? m : read_condition(c);
        m = expression_agree(c, at, "?:", m, other);
        emit_code(c, at, KAI_EXPRESSION_CODE_CALL_if, 3);
    }
    c->nested--;
    return m;
}

kai_result kai_expression_compile(const char* text, const kai_expression_scope* scope,
                                  kai_expression* out, kai_error* err)
{
    compiler c = {
        .at = text, .scope = scope, .out = out, .err = err, .seen = text, .seen_column = 1};
    out->count = 0;
    if (err) *err = (kai_error){0};
    if (strnlen(text, KAI_EXPRESSION_BYTES + 1) > KAI_EXPRESSION_BYTES) {
        expression_fail(&c, text, "formula has more than %d bytes", KAI_EXPRESSION_BYTES);
        return KAI_ERROR_FORMAT;
    }
    const measure m = read_condition(&c);
    skip_spaces(&c);
    if (!c.failed && *c.at) fail_expected(&c, c.at, "an operator");
    out->has_unit = m.has_unit;
    out->unit = m.unit;
    return c.failed ? KAI_ERROR_FORMAT : KAI_OK;
}
