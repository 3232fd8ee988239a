// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Formulas against the same formulas in C, units, and every message with its column.
#include "base/error.h"
#include "helper.h"
#include "math/expression.h"

#include <math.h>

typedef struct names {
    const char* const* list;
    const char* const* units; // NULL: none has one
} names;

static bool find(void* context, const char* name, kai_expression_variable* out, kai_error* err)
{
    const names* n = context;
    for (uint32_t i = 0; n->list[i]; i++) {
        if (strcmp(n->list[i], name) != 0) continue;
        out->index = i;
        out->has_unit = n->units && n->units[i];
        if (out->has_unit)
            assert_true(kai_unit_parse(n->units[i], strlen(n->units[i]), &out->unit));
        return true;
    }
    if (strcmp(name, "round.trip") == 0)
        kai_error_set(err, KAI_ERROR_NAME, "\"round.trip\" leads to itself");
    return false;
}

static const char* nearest(void* context, const char* name)
{
    (void)context;
    return strcmp(name, "trakc") == 0 ? "track" : NULL;
}

static const char* const NAMES[] = {"track", "n", "speed", "front-left.u", "a.b", "m", NULL};
static const char* const UNITS[] = {"m", NULL, "m/s", NULL, NULL, "kg", NULL};
static const double VALUES[] = {1.5, 4.0, 20.0, 7.0, 8.0, 2.0};

static kai_expression compile(const char* text)
{
    names n = {NAMES, UNITS};
    const kai_expression_scope scope = {&n, find, nearest};
    kai_expression e;
    kai_error err = {0};
    if (kai_expression_compile(text, &scope, &e, &err) != KAI_OK)
        fail_msg("%s: %d: %s", text, err.column, err.message);
    return e;
}

static double value(const char* text)
{
    const kai_expression e = compile(text);
    return kai_expression_evaluate(&e, VALUES);
}

// Exactly the double that C computes.
static void is(const char* text, double expected)
{
    const double actual = value(text);
    if (actual != expected) fail_msg("%s is %.17g; must be %.17g", text, actual, expected);
}

static void refuse(const char* text, int column, const char* message)
{
    names n = {NAMES, UNITS};
    const kai_expression_scope scope = {&n, find, nearest};
    kai_expression e;
    kai_error err = {0};
    check_error(kai_expression_compile(text, &scope, &e, &err), KAI_ERROR_FORMAT);
    assert_string_equal(err.message, message);
    assert_int_equal(err.column, column);
}

static void test_arithmetic(void** state)
{
    (void)state;
    is("1 + 2 * 3", 7.0);
    is("(1 + 2) * 3", 9.0);
    is("10 - 4 - 3", 3.0);
    is("16/4/2", 2.0);
    is("2^3^2", 512.0);
    is("-2^2", -4.0);
    is("2^-1", 0.5);
    is("--3", 3.0);
    is("+.5e1", 5.0);
    is("1e-3", 1e-3);
    is("track/2 - 0.1", 1.5 / 2 - 0.1);
    is("n * pi", 4.0 * M_PI);
    is("'front-left.u' + a.b", 15.0);
    is("\t 1 \n + 1 ", 2.0);
}

static void test_logic(void** state)
{
    (void)state;
    is("1 < 2", 1.0);
    is("2 <= 1", 0.0);
    is("1 == 1 && 2 != 2", 0.0);
    is("1 > 2 || 3 >= 3", 1.0);
    is("!0 + !5", 1.0);
    is("n > 3 ? 10 : 20", 10.0);
    is("n > 5 ? 10 : n > 3 ? 20 : 30", 20.0);
    is("if(n - 4, 1, 2)", 2.0);
    is("1 != 2", 1.0);
}

static void test_functions(void** state)
{
    (void)state;
    is("min(3, 1, 2)", 1.0);
    is("max(3, 1, n)", 4.0);
    is("clamp(7, 0, 5) + clamp(-7, 0, 5) + clamp(2, 0, 5)", 7.0);
    is("abs(-2) + sign(-3) + floor(1.7) + ceil(1.2) + round(2.5)", 2.0 - 1.0 + 1.0 + 2.0 + 3.0);
    is("mod(-1, 4)", 3.0);
    is("sqrt(2)", sqrt(2.0));
    is("hypot(3, 4)", 5.0);
    is("exp(1) + log(2) + log10(3)", exp(1.0) + log(2.0) + log10(3.0));
    is("sin(30 deg)", sin(M_PI / 6));
    is("cos(1) * tan(2)", cos(1.0) * tan(2.0));
    is("asin(0.5) + acos(0.5) + atan(2)", asin(0.5) + acos(0.5) + atan(2.0));
    is("atan2(1, -1)", atan2(1.0, -1.0));
    is("tanh(0.3)", tanh(0.3));
}

// Units by which decimals are the doubles of the same number in SI.
static void test_units(void** state)
{
    (void)state;
    is("55 mm", 0.055);
    is("55mm", 0.055);
    is("3 bar", 3e5);
    is("90 deg", M_PI / 2);
    is("45°", M_PI / 4);
    is("72 km/h", 20.0);
    is("9.81 m/s^2", 9.81);
    is("9.81 m/s²", 9.81);
    is("7850 kg/m³", 7850.0);
    is("2.7 g/cm^3", 2.7 / 1e3 * 1e6);
    is("5 N m", 5.0);
    is("210 GPa", 210e9);
    is("1 in", 0.0254);
    check_relative(value("60 rpm"), 2 * M_PI, 3e-16, "rounded twice");
    is("1/4 in", 1 / (4 * 254 / 1e4)); // the unit belongs to the 4
    is("55 mm/track", 0.055 / 1.5);
    is("10 m/n", 2.5);
    is("90*deg", 90 * (M_PI / 180));
    is("(10 m)/(2 s)", 5.0);
    is("track + 5 cm + 0.1", 1.5 + 0.05 + 0.1);
    is("max(track, 20 mm)", 1.5);
    is("sqrt(4 m^2) + track", 3.5);
    is("5 min / 2", 150.0);
    is("2 m", 2.0); // metres, though there is a name m
    is("2*m", 4.0);
}

static void test_unit_of_result(void** state)
{
    (void)state;
    static const struct {
        const char *text, *unit; // NULL: plain
    } cases[] = {{"track/2 - 0.1", "m"},
                 {"track*track", "m^2"},
                 {"track/track", NULL},
                 {"speed/track", "1/s"},
                 {"0.5*m*speed^2", "J"},
                 {"n > 3 ? track : 0", "m"},
                 {"3 bar * track^2", "N"},
                 {"asin(0.1)", "rad"},
                 {"track < 2", NULL},
                 {"1/(10 Hz)", "s"},
                 {"-track", "m"},
                 {"speed^-1", "s/m"},
                 {"4", NULL},
                 {"5 N m/deg", "N m"},
                 {"abs(track)", "m"},
                 {"atan2(track, 1)", "rad"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const kai_expression e = compile(cases[i].text);
        kai_unit unit;
        if (e.has_unit != (cases[i].unit != NULL)) fail_msg("%s", cases[i].text);
        if (!e.has_unit) continue;
        assert_true(kai_unit_parse(cases[i].unit, strlen(cases[i].unit), &unit));
        if (!kai_unit_same(&unit, &e.unit)) fail_msg("%s", cases[i].text);
    }
}

static void test_messages(void** state)
{
    (void)state;
    refuse("", 1, "a number or name expected, found the end");
    refuse("1 +", 4, "a number or name expected, found the end");
    refuse("(1", 3, "')' expected, found the end");
    refuse("1 2", 3, "an operator expected, found \"2\"");
    refuse("2*trakc", 3, "there is no \"trakc\"; did you mean \"track\"?");
    refuse("2*zzz", 3, "there is no \"zzz\"");
    refuse("round.trip", 1, "\"round.trip\" leads to itself");
    refuse("sine(1)", 1, "there is no function \"sine\"; did you mean \"sin\"?");
    refuse("frobnicate(1)", 1, "there is no function \"frobnicate\"");
    refuse("sin(1, 2)", 1, "sin has 2 arguments; must have 1");
    refuse("min()", 1, "min has 0 arguments; must have 1 or more");
    refuse("5 mn", 3, "there is no unit \"mn\"; did you mean \"mN\"?");
    refuse("5 parsecs", 3, "there is no unit \"parsecs\"");
    refuse("5 µx", 3, "there is no unit \"µ\"; did you mean \"µm\"?");
    refuse("track + m", 7, "+ needs equal units; these are in m and kg");
    refuse("track < 3 s", 7, "< needs equal units; these are in m and s");
    refuse("max(track, 3 s)", 11, "max needs equal units; these are in m and s");
    refuse("sin(track)", 1, "sin needs an angle; this is in m");
    refuse("exp(speed)", 1, "exp needs a plain number; this is in m/s");
    refuse("sqrt(track)", 1, "there is no square root of a number in m");
    refuse("2^track", 2, "an exponent needs a plain number; this is in m");
    refuse("track^n", 6, "the exponent of a number with a unit must be a whole number up to 16");
    refuse("track^16^16", 6,
           "the exponent of a number with a unit must be a whole number up to 16");
    refuse("1 ? 2", 6, "':' expected after '?'");
    refuse("'abc", 1, "a name in '…' has no end");
    refuse("1e999", 1, "1e999 is too large a number");
    refuse("$", 1, "a number or name expected, found \"$\"");
    refuse("ä", 1, "a number or name expected, found \"ä\"");
}

static void repeat(char* out, const char* part, size_t count)
{
    *out = '\0';
    for (size_t i = 0; i < count; i++) {
        strcpy(out, part);
        out += strlen(part);
    }
}

static void test_limits(void** state)
{
    (void)state;
    char text[8000];
    repeat(text, "(", 500);
    refuse(text, 33, "formula is nested more than 64 deep");
    repeat(text, "-", 500);
    refuse(text, 64, "formula is nested more than 64 deep");
    repeat(text, "2^", 500);
    refuse(text, 127, "formula is nested more than 64 deep");
    repeat(text, "1+", 500);
    strcat(text, "1");
    refuse(text, 256, "formula has more than 256 operations");
    repeat(text, " ", 2001);
    refuse(text, 1, "formula has more than 2000 bytes");
    repeat(text, "1+", 100);
    strcat(text, "1");
    is(text, 101.0);
}

static void test_odd(void** state)
{
    (void)state;
    kai_expression e = compile("1 + 2/(n - 4)");
    assert_true(isinf(kai_expression_evaluate(&e, VALUES)));
    assert_int_equal(kai_expression_evaluate_odd(&e, VALUES)->column, 6);
    e = compile("1 + n");
    assert_null(kai_expression_evaluate_odd(&e, VALUES));
    assert_true(isnan(value("min(1, log(-1))")));
}

static void test_unit_text(void** state)
{
    (void)state;
    static const char* const cases[][2] = {{"N m/rad", "kg m²/s²/rad"},
                                           {"kg/m³", "kg/m³"},
                                           {"1/s", "1/s"},
                                           {"1/m/s²", "1/m/s²"},
                                           {"1/m kg", "kg/m"},
                                           {"W", "kg m²/s³"},
                                           {"m⁴", "m⁴"},
                                           {"m^5", "m^5"},
                                           {"deg", "rad"},
                                           {"N·m", "kg m²/s²"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kai_unit unit;
        char text[KAI_UNIT_TEXT];
        assert_true(kai_unit_parse(cases[i][0], strlen(cases[i][0]), &unit));
        kai_unit_text(&unit, text);
        assert_string_equal(text, cases[i][1]);
    }
    kai_unit unit;
    assert_false(kai_unit_parse("N m over rad/s", 14, &unit));
    assert_false(kai_unit_parse("bytes", 5, &unit));
    assert_false(kai_unit_parse("", 0, &unit));
    // A size beyond that of numbers.
    assert_true(kai_unit_parse("km^9 km^9 km^9", 14, &unit));
    assert_false(
        kai_unit_parse("km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9", 59, &unit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),     cmocka_unit_test(test_logic),
        cmocka_unit_test(test_functions),      cmocka_unit_test(test_units),
        cmocka_unit_test(test_unit_of_result), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_odd),
        cmocka_unit_test(test_unit_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
