// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"

#include <stdio.h>
#include <string.h>

// Makes a formatted text fit to be a message: one line, and when vsnprintf cut it, not in the
// middle of a UTF-8 character. Names and paths from files may hold anything.
static void tidy(char* text, int written, size_t size)
{
    for (char* c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    }
    if (written < 0 || (size_t)written < size) return;

    // Step back over continuation bytes to the lead byte; drop the character if it is not whole.
    const size_t length = strlen(text);
    size_t lead = length;
    while (lead > 0 && length - lead < 4) {
        lead--;
        if (((unsigned char)text[lead] & 0xc0) != 0x80) break;
    }
    const unsigned char c = (unsigned char)text[lead];
    const size_t whole = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (length - lead < whole) text[lead] = '\0';
}

kai_result kai_error_setv(kai_error* err, kai_result code, const char* format, va_list args)
{
    if (err == NULL) return code;

    // Formatted aside, since an argument may be the message that err holds.
    char text[KAI_ERROR_SIZE];
    text[0] = '\0';
    const int written = vsnprintf(text, sizeof text, format, args);
    tidy(text, written, sizeof text);
    err->code = code;
    err->line = 0;
    err->column = 0;
    memcpy(err->message, text, sizeof text);
    return code;
}

kai_result kai_error_set(kai_error* err, kai_result code, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    kai_error_setv(err, code, format, args);
    va_end(args);
    return code;
}

void kai_error_prefix(kai_error* err, const char* format, ...)
{
    if (err == NULL) return;
    char prefix[KAI_ERROR_SIZE], text[2 * KAI_ERROR_SIZE + 2];
    prefix[0] = '\0';
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);

    // Both parts fit into `text`; the cut happens in the copy, where tidy() sees it.
    snprintf(text, sizeof text, "%s: %s", prefix, err->message);
    const int written = snprintf(err->message, sizeof err->message, "%s", text);
    tidy(err->message, written, sizeof err->message);
}
