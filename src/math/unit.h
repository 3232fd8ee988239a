// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Units of measure, read from texts such as "mm", "N m/rad", "kg/m³" and "m/s^2".
#ifndef MATH_UNIT_H
#define MATH_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Length, mass, time, current, temperature, angle.
#define KAI_UNIT_BASES 6

/// A unit: how many SI units it is, as a quotient of two numbers that are exact for decimal
/// prefixes, so that "55 mm" is the double next to 0.055; and its powers of the base units.
typedef struct kai_unit {
    double numerator, denominator;
    int8_t power[KAI_UNIT_BASES]; // m, kg, s, A, K, rad
} kai_unit;

/// Room for the text of any unit.
#define KAI_UNIT_TEXT 96

/// The unit 1.
kai_unit kai_unit_one(void);

/// Reads a whole text. False when it is no unit; `out` is then the unit 1.
bool kai_unit_parse(const char* text, size_t length, kai_unit* out);

/// Reads the longest unit at the beginning of a text and returns how many bytes it has, 0 when
/// there is none. After the first word a unit goes on only with what is one: of "mm/2" this is
/// "mm", of "m/s" all.
size_t kai_unit_read(const char* text, size_t length, kai_unit* out);

/// The known word of a unit most like `word`, NULL when none is near.
const char* kai_unit_nearest(const char* word);

/// A product of powers: a · b^exponent. False when a power or the size becomes too large.
bool kai_unit_multiply(const kai_unit* a, const kai_unit* b, int exponent, kai_unit* out);

/// Whether two units measure the same thing. Angles count only where there is nothing else, since
/// "N m" and "N m/rad" are both in use for the stiffness of a hinge.
bool kai_unit_same(const kai_unit* a, const kai_unit* b);

/// True for a unit without powers of base units.
bool kai_unit_is_one(const kai_unit* unit);

/// A number of this unit in SI units.
double kai_unit_to_si(const kai_unit* unit, double value);

/// The powers of base units as a text: "kg m/s²"; "1" for none.
void kai_unit_text(const kai_unit* unit, char out[KAI_UNIT_TEXT]);

#endif
