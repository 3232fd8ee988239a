// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // memrchr
#include "view/live_tail.h"

#include "view/json.h"
#include "view/series.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 }; // bytes of a file in one message

// Whole lines from an offset on, in a new block; `*size` ends after the last line feed.
static char* read_lines(const char* path, uint64_t offset, size_t* size)
{
    *size = 0;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return NULL;
    char* data = malloc(PIECE + 1);
    const ssize_t n = data != NULL ? pread(descriptor, data, PIECE, (off_t)offset) : -1;
    close(descriptor);
    const char* last = n > 0 ? memrchr(data, '\n', (size_t)n) : NULL;
    if (last == NULL) {
        free(data);
        return NULL;
    }
    *size = (size_t)(last - data) + 1;
    data[*size] = '\0';
    return data;
}

// A row "1,2,nan" as [1,2,null]: our own files have numbers and commas only.
static void add_row(kai_text* to, const char* row, size_t size)
{
    kai_text_add_bytes(to, "[", 1);
    for (size_t i = 0; i < size;) {
        const char* comma = memchr(row + i, ',', size - i);
        const size_t n = comma != NULL ? (size_t)(comma - row) - i : size - i;
        bool number = n > 0;
        for (size_t k = i; k < i + n; k++)
            number = number && strchr("0123456789+-.eE", row[k]) != NULL && row[k] != '\0';
        if (number)
            kai_text_add_bytes(to, row + i, n);
        else
            kai_text_add_bytes(to, "null", 4);
        if (comma != NULL) kai_text_add_bytes(to, ",", 1);
        i += n + 1;
    }
    kai_text_add_bytes(to, "]", 1);
}

bool kai_live_tail_columns(const char* path, kai_text* to)
{
    kai_series series;
    if (kai_series_read(&series, path, SIZE_MAX, NULL) != KAI_OK) return false;
    kai_text_add(to, "[");
    for (size_t i = 0; i < series.column_count; i++) {
        if (i > 0) kai_text_add(to, ",");
        kai_json_string(to, series.columns[i]);
    }
    kai_text_add(to, "]");
    kai_series_free(&series);
    return true;
}

bool kai_live_tail_read(kai_live_tail* tail, const char* path, const char* file, kai_text* to)
{
    size_t size;
    const bool first = tail->offset == 0;
    char* lines = read_lines(path, tail->offset, &size);
    if (lines == NULL) return false;
    size_t at = first ? (size_t)((const char*)memchr(lines, '\n', size) - lines) + 1 : 0;
    tail->offset += size;
    if (at >= size) { // the header alone: its rows come with the next ones
        tail->offset = 0;
        free(lines);
        return false;
    }
    kai_text_add(to, "{\"type\":\"series\",\"file\":");
    kai_json_string(to, file);
    if (first) {
        kai_text_add(to, ",\"columns\":");
        if (!kai_live_tail_columns(path, to)) kai_text_add(to, "[]");
    }
    kai_text_add(to, ",\"rows\":[");
    for (bool comma = false; at < size; comma = true) {
        const size_t n = (size_t)((const char*)memchr(lines + at, '\n', size - at) - lines) - at;
        if (comma) kai_text_add_bytes(to, ",", 1);
        add_row(to, lines + at, n);
        at += n + 1;
    }
    kai_text_add(to, "]}");
    free(lines);
    return true;
}
