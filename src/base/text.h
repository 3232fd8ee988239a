// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small helpers on text: how alike two words are, and a growing string.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// Edit distance (insert, delete, replace, swap of neighbours) of two words, at most `limit` + 1.
/// Letter case and '-' against '_' count half: the result is in half steps.
int kai_text_distance(const char* a, const char* b, int limit);

/// Of `count` candidates, the one near enough to `word` for "did you mean", or NULL. `candidate`
/// gives the i-th one, or NULL to skip it. Near: at most a third of the word's length, at least one
/// letter, may differ, and some letter must agree; the first of equals wins.
const char* kai_text_nearest(const char* word, size_t count,
                             const char* (*candidate)(size_t i, const void* context),
                             const void* context);

/// Whether a text has such an end, and something before it.
bool kai_text_ends(const char* text, const char* end);

/// A string that grows. Zero-initialise; free with kai_text_free. When memory runs out it stays as
/// it was and `failed` is set: check once at the end. Uses the C library's memory.
typedef struct kai_text {
    char* data; // zero-terminated, NULL while empty
    size_t size;
    size_t capacity;
    bool failed;
} kai_text;

/// Appends formatted text.
void kai_text_add(kai_text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Appends `size` bytes as they are.
void kai_text_add_bytes(kai_text* text, const void* bytes, size_t size);

/// Appends `size` bytes for the caller to fill; NULL when memory runs out. Valid until the text
/// grows again.
char* kai_text_room(kai_text* text, size_t size);

/// Gives the memory back.
void kai_text_free(kai_text* text);

#endif
