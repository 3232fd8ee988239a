// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How alike two words are ------------------------------------------------------------------------

// Longer words are compared for equality only: nobody mistypes 256 bytes, but a file may hold a
// megabyte where a keyword should be.
#define LONGEST 255

// Costs in half steps.
#define STEP      2
#define HALF_STEP 1

// Same result for letters that people confuse: case (ASCII only, free of locale), '-' and '_'.
static char fold(char c)
{
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

static int replace_cost(char a, char b)
{
    if (a == b) return 0;
    return fold(a) == fold(b) ? HALF_STEP : STEP;
}

static int smaller(int a, int b) { return a < b ? a : b; }

// Optimal string alignment: the edit distance where no part is edited twice. row[i % 3][j] is the
// distance of the first i letters of a and the first j of b.
int kai_text_distance(const char* a, const char* b, int limit)
{
    const size_t m = strlen(a), n = strlen(b);
    const size_t apart = m > n ? m - n : n - m;
    if (m > LONGEST || n > LONGEST) return strcmp(a, b) == 0 ? 0 : limit + 1;
    if (STEP * (int)apart > limit) return limit + 1;

    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= n; j++) rows[0][j] = STEP * (int)j;
    for (size_t i = 1; i <= m; i++) {
        int* row = rows[i % 3];
        const int* above = rows[(i - 1) % 3];
        int least = row[0] = STEP * (int)i;
        for (size_t j = 1; j <= n; j++) {
            int d = above[j - 1] + replace_cost(a[i - 1], b[j - 1]);
            d = smaller(d, smaller(above[j], row[j - 1]) + STEP);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d = smaller(d, rows[(i - 2) % 3][j - 2] + STEP);
            }
            row[j] = d;
            least = smaller(least, d);
        }
        // From here it only grows: a swap skips this row, but costs as much as entering it.
        if (least > limit) return limit + 1;
    }
    return smaller(rows[m % 3][n], limit + 1);
}

const char* kai_text_nearest(const char* word, size_t count,
                             const char* (*candidate)(size_t i, const void* context),
                             const void* context)
{
    if (word == NULL) return NULL;
    const size_t length = strnlen(word, LONGEST + 1);
    int limit = STEP * (int)(length < 6 ? 1 : length / 3);
    const char* nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        const char* text = candidate(i, context);
        if (text == NULL) continue;
        const int distance = kai_text_distance(word, text, limit);
        if (distance > limit) continue;
        // Words without a letter in common are not alike, however short they are.
        const size_t other = strlen(text);
        if (distance >= STEP * (int)(length > other ? length : other)) continue;
        nearest = text;
        limit = distance - 1; // only a nearer one replaces it
        if (limit < 0) break;
    }
    return nearest;
}

// A growing string -------------------------------------------------------------------------------

// Room for `more` bytes and the end.
static bool make_room(kai_text* text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->size) {
        text->failed = true;
        return false;
    }
    const size_t needed = text->size + more + 1;
    if (needed <= text->capacity) return true;
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    while (capacity < needed) capacity *= 2;
    char* data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

bool kai_text_ends(const char* text, const char* end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

void kai_text_add(kai_text* text, const char* format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        text->failed = true;
    } else if (make_room(text, (size_t)length)) {
        vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

void kai_text_add_bytes(kai_text* text, const void* bytes, size_t size)
{
    if (!make_room(text, size)) return;
    if (size > 0) memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

char* kai_text_room(kai_text* text, size_t size)
{
    if (!make_room(text, size)) return NULL;
    char* place = text->data + text->size;
    text->size += size;
    text->data[text->size] = '\0';
    return place;
}

void kai_text_free(kai_text* text)
{
    free(text->data);
    *text = (kai_text){0};
}
