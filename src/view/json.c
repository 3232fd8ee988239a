// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Length of the UTF-8 sequence that starts here, 0 when there is none (Unicode 15, table 3-7).
static size_t json_sequence(const unsigned char* s, size_t left)
{
    if (s[0] < 0x80) return 1;
    const size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || left < n) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0; // too long
    if (s[0] == 0xed && s[1] > 0x9f) return 0; // surrogates
    if (s[0] == 0xf0 && s[1] < 0x90) return 0; // too long
    if (s[0] == 0xf4 && s[1] > 0x8f) return 0; // beyond U+10FFFF
    return n;
}

void kai_json_bytes(kai_text* to, const char* bytes, size_t size)
{
    const unsigned char* s = (const unsigned char*)bytes;
    kai_text_add_bytes(to, "\"", 1);
    for (size_t i = 0; i < size;) {
        const size_t n = json_sequence(s + i, size - i);
        if (n == 0) {
            kai_text_add_bytes(to, "\\ufffd", 6);
            i++;
            continue;
        }
        if (s[i] == '"' || s[i] == '\\')
            kai_text_add(to, "\\%c", s[i]);
        else if (s[i] < 0x20 || s[i] == 0x7f || s[i] == '<')
            kai_text_add(to, "\\u%04x", s[i]);
        else
            kai_text_add_bytes(to, bytes + i, n);
        i += n;
    }
    kai_text_add_bytes(to, "\"", 1);
}

void kai_json_string(kai_text* to, const char* string)
{
    if (string == NULL)
        kai_text_add_bytes(to, "null", 4);
    else
        kai_json_bytes(to, string, strlen(string));
}

void kai_json_number(kai_text* to, double number)
{
    if (!isfinite(number))
        kai_text_add_bytes(to, "null", 4);
    else if (number == floor(number) && fabs(number) < 1e15)
        kai_text_add(to, "%.0f", number);
    else
        kai_text_add(to, "%.17g", number);
}

void kai_json_numbers(kai_text* to, const double* numbers, size_t count)
{
    kai_text_add_bytes(to, "[", 1);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) kai_text_add_bytes(to, ",", 1);
        kai_json_number(to, numbers[i]);
    }
    kai_text_add_bytes(to, "]", 1);
}

void kai_json_vec3(kai_text* to, kai_vec3 v)
{
    const double numbers[] = {v.x, v.y, v.z};
    kai_json_numbers(to, numbers, 3);
}

void kai_json_quat(kai_text* to, kai_quat q)
{
    const double numbers[] = {q.w, q.x, q.y, q.z};
    kai_json_numbers(to, numbers, 4);
}

void kai_json_raw(kai_text* to, const char* json, size_t size)
{
    for (size_t i = 0; i < size;) {
        const char* found = memchr(json + i, '<', size - i);
        const size_t n = found != NULL ? (size_t)(found - (json + i)) : size - i;
        kai_text_add_bytes(to, json + i, n);
        if (found != NULL) kai_text_add_bytes(to, "\\u003c", 6);
        i += n + (found != NULL);
    }
}

// Layout -----------------------------------------------------------------------------------------

typedef struct layout {
    kai_text* to;
    const char* s;
    size_t size, at, width;
} layout;

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// One past the string that starts at i.
static size_t string_end(const layout* l, size_t i)
{
    for (i++; i < l->size && l->s[i] != '"'; i++)
        if (l->s[i] == '\\') i++;
    return i < l->size ? i + 1 : l->size;
}

// Width of the value that starts at `at` on one line, SIZE_MAX when it has more than `most`.
static size_t line_width(const layout* l, size_t at, size_t most)
{
    size_t depth = 0, n = 0;
    for (size_t i = at; i < l->size && n <= most;) {
        const char c = l->s[i];
        const size_t end = c == '"' ? string_end(l, i) : i + 1;
        if (depth == 0 && (c == ',' || c == ']' || c == '}')) return n;
        if (c == '[' || c == '{') depth++;
        if (c == ']' || c == '}') depth--;
        if (!is_space(c)) n += end - i + (c == ',' || c == ':');
        i = end;
        if (depth == 0 && (c == ']' || c == '}' || c == '"')) return n;
    }
    return n > most ? SIZE_MAX : n;
}

static void new_line(const layout* l, size_t depth)
{
    kai_text_add(l->to, "\n%*s", (int)(depth < 32 ? 2 * depth : 64), "");
}

// Copies one value as it is, with a blank after commas and colons.
static void copy_line(layout* l, size_t width)
{
    for (size_t n = 0; n < width && l->at < l->size;) {
        const char c = l->s[l->at];
        const size_t end = c == '"' ? string_end(l, l->at) : l->at + 1;
        if (!is_space(c)) {
            kai_text_add_bytes(l->to, l->s + l->at, end - l->at);
            n += end - l->at;
            if (c == ',' || c == ':') {
                kai_text_add_bytes(l->to, " ", 1);
                n++;
            }
        }
        l->at = end;
    }
}

void kai_json_layout(kai_text* to, const char* json, size_t size, size_t width)
{
    layout l = {.to = to, .s = json, .size = size, .width = width};
    size_t depth = 0;
    bool fresh = true; // a value may start here
    while (l.at < l.size && !to->failed) {
        const char c = l.s[l.at];
        if (is_space(c)) {
            l.at++;
            continue;
        }
        const size_t room = 2 * depth < width ? width - 2 * depth : 1;
        const size_t line = fresh && (c == '[' || c == '{') ? line_width(&l, l.at, room) : 0;
        if (line > 0 && line != SIZE_MAX) {
            copy_line(&l, line);
            fresh = false;
            continue;
        }
        const size_t end = c == '"' ? string_end(&l, l.at) : l.at + 1;
        if ((c == ']' || c == '}') && depth > 0) new_line(&l, --depth);
        kai_text_add_bytes(to, l.s + l.at, end - l.at);
        l.at = end;
        if (c == ':') kai_text_add_bytes(to, " ", 1);
        if (c == '[' || c == '{') depth++;
        if (c == '[' || c == '{' || c == ',') new_line(&l, depth);
        fresh = c == '[' || c == '{' || c == ',' || c == ':';
    }
}
