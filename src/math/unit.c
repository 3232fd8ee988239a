// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Values of units that are not decimal multiples: inch 25.4 mm, pound 0.45359237 kg (both exact,
// international yard and pound agreement of 1959), standard gravity 9.80665 m/s² (CGPM 1901),
// atmosphere 101,325 Pa, metric horsepower 75 kgf m/s.
#include "math/unit.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Words ------------------------------------------------------------------------------------------

#define PI 3.14159265358979323846
#define LENGTH           \
    {                    \
        1, 0, 0, 0, 0, 0 \
    }
#define MASS             \
    {                    \
        0, 1, 0, 0, 0, 0 \
    }
#define TIME             \
    {                    \
        0, 0, 1, 0, 0, 0 \
    }
#define FREQUENCY         \
    {                     \
        0, 0, -1, 0, 0, 0 \
    }
#define FORCE             \
    {                     \
        1, 1, -2, 0, 0, 0 \
    }
#define PRESSURE           \
    {                      \
        -1, 1, -2, 0, 0, 0 \
    }
#define ENERGY            \
    {                     \
        2, 1, -2, 0, 0, 0 \
    }
#define POWER             \
    {                     \
        2, 1, -3, 0, 0, 0 \
    }
#define VOLUME           \
    {                    \
        3, 0, 0, 0, 0, 0 \
    }
#define ANGLE            \
    {                    \
        0, 0, 0, 0, 0, 1 \
    }
#define ANGLE_RATE        \
    {                     \
        0, 0, -1, 0, 0, 1 \
    }

typedef struct unit_word {
    const char* word;
    kai_unit unit;
} unit_word;

// clang-format off
static const unit_word WORDS[] = {
    {"m", {1, 1, LENGTH}},        {"km", {1e3, 1, LENGTH}},       {"dm", {1, 10, LENGTH}},
    {"cm", {1, 100, LENGTH}},     {"mm", {1, 1e3, LENGTH}},       {"um", {1, 1e6, LENGTH}},
    {"µm", {1, 1e6, LENGTH}},     {"nm", {1, 1e9, LENGTH}},       {"in", {254, 1e4, LENGTH}},
    {"ft", {3048, 1e4, LENGTH}},  {"yd", {9144, 1e4, LENGTH}},    {"mi", {1609344, 1e3, LENGTH}},
    {"kg", {1, 1, MASS}},         {"g", {1, 1e3, MASS}},          {"mg", {1, 1e6, MASS}},
    {"t", {1e3, 1, MASS}},        {"lb", {45359237, 1e8, MASS}},
    {"s", {1, 1, TIME}},          {"ms", {1, 1e3, TIME}},         {"us", {1, 1e6, TIME}},
    {"µs", {1, 1e6, TIME}},       {"min", {60, 1, TIME}},         {"h", {3600, 1, TIME}},
    {"Hz", {1, 1, FREQUENCY}},    {"kHz", {1e3, 1, FREQUENCY}},
    {"N", {1, 1, FORCE}},         {"mN", {1, 1e3, FORCE}},        {"kN", {1e3, 1, FORCE}},
    {"MN", {1e6, 1, FORCE}},      {"kgf", {980665, 1e5, FORCE}},
    {"lbf", {4.4482216152605, 1, FORCE}},
    {"Pa", {1, 1, PRESSURE}},     {"hPa", {100, 1, PRESSURE}},    {"kPa", {1e3, 1, PRESSURE}},
    {"MPa", {1e6, 1, PRESSURE}},  {"GPa", {1e9, 1, PRESSURE}},    {"bar", {1e5, 1, PRESSURE}},
    {"mbar", {100, 1, PRESSURE}}, {"atm", {101325, 1, PRESSURE}}, {"psi", {6894.757293168361, 1, PRESSURE}},
    {"J", {1, 1, ENERGY}},        {"mJ", {1, 1e3, ENERGY}},       {"kJ", {1e3, 1, ENERGY}},
    {"MJ", {1e6, 1, ENERGY}},     {"kWh", {3.6e6, 1, ENERGY}},
    {"W", {1, 1, POWER}},         {"mW", {1, 1e3, POWER}},        {"kW", {1e3, 1, POWER}},
    {"MW", {1e6, 1, POWER}},      {"hp", {73549875, 1e5, POWER}},
    {"l", {1, 1e3, VOLUME}},      {"L", {1, 1e3, VOLUME}},        {"ml", {1, 1e6, VOLUME}},
    {"rad", {1, 1, ANGLE}},       {"mrad", {1, 1e3, ANGLE}},      {"deg", {PI, 180, ANGLE}},
    {"°", {PI, 180, ANGLE}},      {"rev", {2 * PI, 1, ANGLE}},    {"rpm", {2 * PI, 60, ANGLE_RATE}},
    {"A", {1, 1, {0, 0, 0, 1, 0, 0}}}, {"K", {1, 1, {0, 0, 0, 0, 1, 0}}},
};
// clang-format on

#define COUNT (sizeof WORDS / sizeof WORDS[0])

static const char* unit_word_at(size_t i, const void* context)
{
    (void)context;
    return WORDS[i].word;
}

const char* kai_unit_nearest(const char* word)
{
    return kai_text_nearest(word, COUNT, unit_word_at, NULL);
}

// Arithmetic -------------------------------------------------------------------------------------

kai_unit kai_unit_one(void) { return (kai_unit){1.0, 1.0, {0}}; }

bool kai_unit_multiply(const kai_unit* a, const kai_unit* b, int exponent, kai_unit* out)
{
    kai_unit r = *a;
    for (int i = 0; i < KAI_UNIT_BASES; i++) {
        const int power = a->power[i] + exponent * b->power[i];
        if (power < INT8_MIN || power > INT8_MAX) return false;
        r.power[i] = (int8_t)power;
    }
    for (int k = 0; k < (exponent < 0 ? -exponent : exponent); k++) {
        r.numerator *= exponent < 0 ? b->denominator : b->numerator;
        r.denominator *= exponent < 0 ? b->numerator : b->denominator;
    }
    *out = r;
    return isfinite(r.numerator) && isfinite(r.denominator) &&
           isfinite(r.numerator / r.denominator);
}

bool kai_unit_is_one(const kai_unit* unit)
{
    for (int i = 0; i < KAI_UNIT_BASES; i++)
        if (unit->power[i] != 0) return false;
    return true;
}

bool kai_unit_same(const kai_unit* a, const kai_unit* b)
{
    bool more = false;
    for (int i = 0; i < KAI_UNIT_BASES - 1; i++) {
        if (a->power[i] != b->power[i]) return false;
        more = more || a->power[i] != 0;
    }
    return more || a->power[KAI_UNIT_BASES - 1] == b->power[KAI_UNIT_BASES - 1];
}

double kai_unit_to_si(const kai_unit* unit, double value)
{
    return value * unit->numerator / unit->denominator;
}

// Reading ----------------------------------------------------------------------------------------

// Bytes of words: letters, '°' and 'µ'.
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80 || c == '_';
}

// Superscripts of UTF-8 that stand for whole numbers.
static const struct {
    const char* text;
    int value;
} SUPERSCRIPTS[] = {{"²", 2}, {"³", 3}, {"⁴", 4}};

static size_t read_superscript(const char* text, size_t length, int* out)
{
    for (size_t i = 0; i < sizeof SUPERSCRIPTS / sizeof SUPERSCRIPTS[0]; i++) {
        const size_t n = strlen(SUPERSCRIPTS[i].text);
        if (n > length || memcmp(text, SUPERSCRIPTS[i].text, n) != 0) continue;
        *out = SUPERSCRIPTS[i].value;
        return n;
    }
    return 0;
}

static size_t word_length(const char* text, size_t length)
{
    size_t n = 0;
    int ignored;
    while (n < length && is_letter(text[n]) && memcmp(text + n, "·", n + 1 < length ? 2 : 1) != 0 &&
           read_superscript(text + n, length - n, &ignored) == 0)
        n++;
    return n;
}

static const kai_unit* find_word(const char* text, size_t length)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(WORDS[i].word) == length && memcmp(WORDS[i].word, text, length) == 0)
            return &WORDS[i].unit;
    return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "^2", "^-1" or "²"; 0 bytes when there is none.
static size_t read_exponent(const char* text, size_t length, int* out)
{
    size_t n = read_superscript(text, length, out);
    if (n > 0) return n;
    *out = 1;
    if (length < 2 || text[0] != '^') return 0;
    n = 1;
    const bool negative = text[n] == '-';
    if (negative) n++;
    if (n >= length || !is_digit(text[n]) || (n + 1 < length && is_digit(text[n + 1]))) return 0;
    *out = negative ? -(text[n] - '0') : text[n] - '0';
    return n + 1;
}

// A word with its exponent; 0 bytes when it is none.
static size_t read_factor(const char* text, size_t length, int sign, kai_unit* product)
{
    const size_t n = word_length(text, length);
    const kai_unit* word = n > 0 ? find_word(text, n) : NULL;
    if (!word) return 0;
    // A call or a longer name: "min(…)", "h2", "s.x".
    if (n < length && (text[n] == '(' || text[n] == '.' || is_digit(text[n]))) return 0;
    int exponent;
    const size_t more = read_exponent(text + n, length - n, &exponent);
    kai_unit result;
    if (!kai_unit_multiply(product, word, sign * exponent, &result)) return 0;
    *product = result;
    return n + more;
}

// What joins two factors: spaces, with '/', '*' or '·' among them.
static size_t read_joint(const char* text, size_t length, int* sign)
{
    size_t n = 0;
    *sign = 1;
    while (n < length && text[n] == ' ') n++;
    size_t sign_bytes = 0;
    if (n < length && (text[n] == '/' || text[n] == '*')) sign_bytes = 1;
    if (n + 1 < length && memcmp(text + n, "·", 2) == 0) sign_bytes = 2;
    if (sign_bytes == 1 && text[n] == '/') *sign = -1;
    n += sign_bytes;
    while (sign_bytes > 0 && n < length && text[n] == ' ') n++;
    return n;
}

// `sign` is that of the first factor's exponent.
static size_t read_factors(const char* text, size_t length, int sign, kai_unit* out)
{
    *out = kai_unit_one();
    size_t used = read_factor(text, length, sign, out);
    while (used > 0 && used < length) {
        const size_t gap = read_joint(text + used, length - used, &sign);
        const size_t more =
            gap > 0 ? read_factor(text + used + gap, length - used - gap, sign, out) : 0;
        if (more == 0) break;
        used += gap + more;
    }
    return used;
}

size_t kai_unit_read(const char* text, size_t length, kai_unit* out)
{
    return read_factors(text, length, 1, out);
}

bool kai_unit_parse(const char* text, size_t length, kai_unit* out)
{
    // "1/s": the 1 only opens the text.
    const bool inverse = length > 2 && memcmp(text, "1/", 2) == 0;
    const size_t begin = inverse ? 2 : 0;
    const size_t used = read_factors(text + begin, length - begin, inverse ? -1 : 1, out);
    if (used > 0 && begin + used == length) return true;
    *out = kai_unit_one();
    return length == 1 && text[0] == '1';
}

// Writing ----------------------------------------------------------------------------------------

static void put_power(char* out, size_t* used, const char* base, int power, bool first)
{
    static const char* const SHOWN[] = {"", "", "²", "³", "⁴"};
    char exponent[16] = "";
    if (power > 4) snprintf(exponent, sizeof exponent, "^%d", power);
    *used += (size_t)snprintf(out + *used, KAI_UNIT_TEXT - *used, "%s%s%s", first ? "" : " ", base,
                              power > 4 ? exponent : SHOWN[power]);
}

void kai_unit_text(const kai_unit* unit, char out[KAI_UNIT_TEXT])
{
    static const char* const BASES[KAI_UNIT_BASES] = {"m", "kg", "s", "A", "K", "rad"};
    static const int ORDER[KAI_UNIT_BASES] = {1, 0, 2, 3, 4, 5};
    size_t used = 0;
    out[0] = '\0';
    for (int k = 0; k < KAI_UNIT_BASES; k++) {
        const int i = ORDER[k];
        if (unit->power[i] > 0) put_power(out, &used, BASES[i], unit->power[i], used == 0);
    }
    if (used == 0) used = (size_t)snprintf(out, KAI_UNIT_TEXT, "1");
    for (int k = 0; k < KAI_UNIT_BASES; k++) {
        const int i = ORDER[k];
        if (unit->power[i] >= 0) continue;
        out[used++] = '/';
        put_power(out, &used, BASES[i], -unit->power[i], true);
    }
}
