// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writing JSON that may stand inside a page: no '<' ever appears, so nothing in it can end a
// script element or open a comment, and bytes that are no UTF-8 become U+FFFD.
#ifndef VIEW_JSON_H
#define VIEW_JSON_H

#include "base/text.h"

#include <kairos/math.h>

/// A string of `size` bytes, quotes included. NUL and other control characters are escaped.
void kai_json_bytes(kai_text* to, const char* bytes, size_t size);

/// A string that ends at its NUL; NULL gives null.
void kai_json_string(kai_text* to, const char* string);

/// A number with all its digits; null when it is not finite.
void kai_json_number(kai_text* to, double number);

/// A list of numbers.
void kai_json_numbers(kai_text* to, const double* numbers, size_t count);

/// [x, y, z], and [w, x, y, z].
void kai_json_vec3(kai_text* to, kai_vec3 v);
void kai_json_quat(kai_text* to, kai_quat q);

/// JSON text that is known to be well-formed, made fit for a page: '<' can stand in strings only.
void kai_json_raw(kai_text* to, const char* json, size_t size);

/// A JSON text laid out for reading: what fits into `width` columns stays on one line. Text that
/// is no JSON comes out as some text.
void kai_json_layout(kai_text* to, const char* json, size_t size, size_t width);

#endif
