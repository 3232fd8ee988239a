// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Formulas and units from anyone, one a line. Names that begin with x to z are variables, the first
// of them without a unit.
#include "base/error.h"
#include "math/expression_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES 3

static const double VALUES[][VARIABLES] = {
    {0.0, 0.0, 0.0}, {1.5, -2.0, 3e5}, {-1e308, 1e-308, HUGE_VAL}};

static bool find(void* context, const char* name, kai_expression_variable* out, kai_error* err)
{
    static const char* const UNITS[VARIABLES] = {"1", "m", "kg/s"};
    (void)context;
    if (strcmp(name, "bad") == 0) kai_error_set(err, KAI_ERROR_FORMAT, "bad has no value");
    if (name[0] < 'x' || name[0] > 'z') return false;
    out->index = (uint32_t)(name[0] - 'x');
    if (!kai_unit_parse(UNITS[out->index], strlen(UNITS[out->index]), &out->unit)) abort();
    out->has_unit = out->index > 0;
    return true;
}

static const char* nearest(void* context, const char* name)
{
    (void)context;
    return strlen(name) == 2 ? "x" : NULL;
}

static size_t characters(const char* text)
{
    size_t count = 0;
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80) count++;
    return count;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void evaluate_both(const kai_expression* e, const kai_expression* again, size_t length)
{
    char text[KAI_UNIT_TEXT];
    kai_unit_text(&e->unit, text);
    if (e->count == 0 || e->count != again->count || e->count > KAI_EXPRESSION_OPS) abort();
    for (uint32_t i = 0; i < e->count; i++)
        if (e->ops[i].column < 1 || e->ops[i].column > length + 1) abort();
    for (size_t k = 0; k < sizeof VALUES / sizeof VALUES[0]; k++) {
        const double value = kai_expression_evaluate(e, VALUES[k]);
        if (!same_bits(value, kai_expression_evaluate(again, VALUES[k])) && !isnan(value)) abort();
        const kai_expression_op* odd = kai_expression_evaluate_odd(e, VALUES[k]);
        if (!isfinite(value) && !odd) abort();
        if (odd && (odd < e->ops || odd >= e->ops + e->count)) abort();
    }
}

static void compile_line(const char* text)
{
    const kai_expression_scope scope = {NULL, find, nearest};
    kai_expression first, second;
    kai_error err = {0}, other = {0};
    const size_t length = characters(text);
    const kai_result result = kai_expression_compile(text, &scope, &first, &err);
    if (result != kai_expression_compile(text, &scope, &second, &other)) abort();
    if (result == KAI_OK) {
        evaluate_both(&first, &second, length);
        return;
    }
    if (err.column < 1 || (size_t)err.column > length + 1) abort();
    if (!err.message[0] || strcmp(err.message, other.message) != 0) abort();
}

// What a unit is written as reads as the same unit again.
static void parse_unit(const char* text)
{
    kai_unit unit, again;
    char shown[KAI_UNIT_TEXT];
    const size_t length = strlen(text), used = kai_unit_read(text, length, &unit);
    if (used > length) abort();
    const bool whole = kai_unit_parse(text, length, &unit);
    kai_unit_text(&unit, shown);
    if (strlen(shown) >= sizeof shown) abort();
    if (!whole) return;
    if (isnan(kai_unit_to_si(&unit, 1.0))) abort();
    // Powers beyond 9 are written, but not read.
    for (int i = 0; i < KAI_UNIT_BASES; i++)
        if (unit.power[i] > 9 || unit.power[i] < -9) return;
    if (!kai_unit_is_one(&unit) && (!kai_unit_parse(shown, strlen(shown), &again) ||
                                    memcmp(unit.power, again.power, sizeof unit.power) != 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    for (size_t at = 0; at < size;) {
        const uint8_t* end = memchr(data + at, '\n', size - at);
        const size_t n = end != NULL ? (size_t)(end - data) - at : size - at;
        char* line = malloc(n + 1);
        if (!line) return 0;
        memcpy(line, data + at, n);
        line[n] = '\0';
        compile_line(line);
        parse_unit(line);
        free(line);
        at += n + 1;
    }
    return 0;
}
