// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Decimal numbers to doubles, correctly rounded, independent of the locale, several times faster
// than strtod for the numbers that tables hold.
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/// Why a text is no number.
typedef enum kai_number_status {
    KAI_NUMBER_OK,
    KAI_NUMBER_BAD,       // not a number; NaN and infinity are none
    KAI_NUMBER_TOO_LARGE, // beyond the range of double
    KAI_NUMBER_TOO_LONG   // more than KAI_NUMBER_LONGEST characters
} kai_number_status;

/// Most characters that a number may have.
#define KAI_NUMBER_LONGEST 1000

/// Reads [text, end), which must be one number and nothing else: sign, digits, point, exponent.
kai_number_status kai_number_parse(const char* text, const char* end, double* out);

#endif
