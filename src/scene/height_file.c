// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene/height_file.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct sink {
    double* data;
    size_t count, capacity;
    size_t limit; // of memory, bytes
} sink;

kai_result kai_height_file_room(size_t limit, double heights, kai_error* err)
{
    const double each = 3.0 * sizeof(double); // here, in the document and in the shape
    char needed[24], text[24];
    if (kai_memory_fits(limit, heights, each)) return KAI_OK;
    kai_memory_text(heights * each, needed);
    kai_memory_text((double)limit, text);
    return kai_error_set(err, KAI_ERROR_LIMIT,
                         "%.0f heights need about %s; the limit of memory is %s (--memory)",
                         heights, needed, text);
}

static kai_result height_file_push(sink* s, double x, kai_error* err)
{
    if (s->count == KAI_HEIGHT_FILE_MOST)
        return kai_error_set(err, KAI_ERROR_LIMIT, "more than %zu heights", KAI_HEIGHT_FILE_MOST);
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 1024;
        KAI_TRY(kai_height_file_room(s->limit, (double)s->count + 1.0, err));
        double* grown = realloc(s->data, capacity * sizeof *grown);
        if (!grown)
            return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu heights", capacity);
        s->data = grown;
        s->capacity = capacity;
    }
    s->data[s->count++] = x;
    return KAI_OK;
}

// One line of numbers with commas between. *cells is how many there were.
static kai_result read_line(sink* s, const char* at, const char* end, size_t line, size_t* cells,
                            kai_error* err)
{
    for (*cells = 0;; at++) {
        const char* comma = memchr(at, ',', (size_t)(end - at));
        const char *a = at, *b = comma ? comma : end;
        double x;
        while (a < b && (*a == ' ' || *a == '\t')) a++;
        while (a < b && (b[-1] == ' ' || b[-1] == '\t' || b[-1] == '\r')) b--;
        if (a == b || kai_number_parse(a, b, &x) != KAI_NUMBER_OK)
            return kai_error_set(err, KAI_ERROR_FORMAT, "line %zu: cell %zu is not a number", line,
                                 *cells + 1);
        KAI_TRY(height_file_push(s, x, err));
        ++*cells;
        if (!comma) return KAI_OK;
        at = comma;
    }
}

static bool is_empty(const char* at, const char* end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at == end || *at == '#';
}

static kai_result read_csv(const char* at, size_t size, sink* s, kai_table* out, kai_error* err)
{
    const char* end = at + size;
    size_t columns = 0, rows = 0;
    for (size_t line = 1; at < end; line++) {
        const char* stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (!is_empty(at, stop)) {
            size_t cells;
            KAI_TRY(read_line(s, at, stop, line, &cells, err));
            if (rows > 0 && cells != columns)
                return kai_error_set(err, KAI_ERROR_FORMAT,
                                     "line %zu: %zu numbers; the rows before have %zu", line, cells,
                                     columns);
            columns = cells;
            rows++;
        }
        at = stop < end ? stop + 1 : end;
    }
    if (rows == 0) return kai_error_set(err, KAI_ERROR_FORMAT, "it holds no numbers");
    *out = (kai_table){s->data, (uint32_t)rows, (uint32_t)columns};
    return KAI_OK;
}

kai_result kai_height_file_parse(const char* bytes, size_t size, const char* name, size_t limit,
                                 kai_table* out, kai_error* err)
{
    const char* dot = strrchr(name, '.');
    *out = (kai_table){0};
    if (dot && strcasecmp(dot, ".png") == 0)
        return kai_height_png_parse(bytes, size, limit, out, err);
    if (!dot || strcasecmp(dot, ".csv") != 0)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED, "a height file must end in .csv or .png");
    sink s = {.limit = limit};
    const kai_result r = read_csv(bytes, size, &s, out, err);
    if (r != KAI_OK) free(s.data);
    return r;
}
