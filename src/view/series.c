// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // strtod_l
#include "view/series.h"

#include "measure/output.h"
#include "record/file.h"
#include "view/json.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_BYTES = 20, COLUMNS_MOST = 4096 };

// Numbers in files have points, whatever the program's language.
static locale_t plain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_plain(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

uint64_t kai_series_estimate(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (uint64_t)info.st_size / NUMBER_BYTES : 0;
}

// Names of columns, with quotes undone.
static bool read_header(kai_series* s, char* line)
{
    s->columns = calloc(COLUMNS_MOST, sizeof *s->columns);
    if (s->columns == NULL) return false;
    for (char* c = line; s->column_count < COLUMNS_MOST;) {
        const bool quoted = *c == '"';
        char *name = quoted ? ++c : c, *to = name;
        while (*c != '\0' && (quoted ? *c != '"' || c[1] == '"' : *c != ',')) {
            if (quoted && *c == '"') c++;
            *to++ = *c++;
        }
        const bool more = quoted ? c[0] != '\0' && c[1] == ',' : *c == ',';
        c += quoted && *c != '\0' ? 2 : 1;
        *to = '\0';
        s->columns[s->column_count] = strdup(name);
        if (s->columns[s->column_count++] == NULL) return false;
        if (!more) return true;
    }
    return true;
}

// One row of numbers, NaN for an empty cell; false when it does not have as many as there are
// columns.
static bool read_row(const kai_series* s, const char* line, double* row)
{
    for (size_t i = 0; i < s->column_count; i++) {
        const char mark = i + 1 < s->column_count ? ',' : '\n';
        char* end = NULL;
        row[i] = *line == mark ? (double)NAN : strtod_l(line, &end, plain);
        if (end == line || (end != NULL && *end != mark)) return false;
        line = (end != NULL ? end : line) + 1;
    }
    return true;
}

// Rows [rows][columns] to columns [columns][rows].
static bool series_turn(kai_series* s, const double* rows)
{
    const size_t n = s->rows, m = s->column_count;
    s->values = malloc((n * m + 1) * sizeof *s->values);
    if (s->values == NULL) return false;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++) s->values[c * n + i] = rows[i * m + c];
    return true;
}

static kai_result read_rows(kai_series* s, FILE* file, size_t stride, const char* path, char** line,
                            size_t* size, kai_error* err)
{
    kai_text rows = {0}; // double [columns]
    kai_result r = KAI_OK;
    for (size_t k = 0; r == KAI_OK && getline(line, size, file) > 0; k++) {
        if (stride == SIZE_MAX && k > 0) break; // only the columns are wanted
        if (k % stride != 0) continue;
        double* row = (double*)(void*)kai_text_room(&rows, s->column_count * sizeof *row);
        if (row == NULL)
            r = kai_file_no_memory(path, err);
        else if (read_row(s, *line, row))
            s->rows++;
        else
            break;
    }
    if (r == KAI_OK && ferror(file)) r = kai_file_error(err, path, EIO);
    if (r == KAI_OK && !series_turn(s, (const double*)(const void*)rows.data))
        r = kai_file_no_memory(path, err);
    kai_text_free(&rows);
    return r;
}

kai_result kai_series_read(kai_series* s, const char* path, size_t stride, kai_error* err)
{
    *s = (kai_series){0};
    pthread_once(&once, make_plain);
    int descriptor;
    uint64_t bytes;
    KAI_TRY(kai_file_open(path, &descriptor, &bytes, err));
    FILE* file = fdopen(descriptor, "r");
    if (file == NULL) {
        close(descriptor);
        return kai_file_no_memory(path, err);
    }
    char* line = NULL;
    size_t size = 0;
    kai_result r = KAI_OK;
    const ssize_t length = getline(&line, &size, file);
    if (length <= 0 || line[length - 1] != '\n') {
        r = kai_error_set(err, KAI_ERROR_FORMAT, "%s: has no header", path);
    } else {
        line[length - 1] = '\0';
        if (!read_header(s, line)) r = kai_file_no_memory(path, err);
    }
    if (r == KAI_OK) r = read_rows(s, file, stride, path, &line, &size, err);
    free(line);
    fclose(file);
    if (r != KAI_OK) kai_series_free(s);
    return r;
}

void kai_series_write_units(const kai_series_entry* e, size_t columns, kai_text* to)
{
    kai_text units = {0};
    char unit[KAI_OUTPUT_UNIT];
    size_t count = 1;
    if (e->output == NULL) return;
    kai_text_add(&units, ",\"units\":[\"s\"");
    for (uint32_t i = 0; i < e->output->quantity_count; i++) {
        const int quantity = e->output->quantities[i];
        const kai_quantity q = kai_output_quantity_of(e->world, e->output, quantity);
        for (int k = 0; q.name != NULL && k < q.components; k++, count++) {
            kai_output_unit(e->world, e->output, quantity, k, unit);
            kai_text_add(&units, ",");
            kai_json_string(&units, unit);
        }
    }
    if ((count == columns || columns == 0) && !units.failed) {
        kai_text_add_bytes(to, units.data, units.size);
        kai_text_add(to, "]");
    }
    kai_text_free(&units);
}

kai_result kai_series_write(const kai_series* s, const kai_series_entry* e, kai_chunks* chunks,
                            kai_text* to, kai_error* err)
{
    size_t chunk;
    KAI_TRY(kai_chunks_pack(chunks, s->values, s->rows * s->column_count * sizeof *s->values,
                            &chunk, err));
    kai_text_add(to, "{\"file\":");
    kai_json_string(to, e->file);
    kai_text_add(to, ",\"columns\":[");
    for (size_t i = 0; i < s->column_count; i++) {
        if (i > 0) kai_text_add(to, ",");
        kai_json_string(to, s->columns[i]);
    }
    kai_text_add(to, "]");
    kai_series_write_units(e, s->column_count, to);
    kai_text_add(to, ",\"rows\":%zu,\"chunk\":%zu,\"stride\":%zu}", s->rows, chunk, e->stride);
    return KAI_OK;
}

void kai_series_free(kai_series* s)
{
    for (size_t i = 0; i < s->column_count; i++) free(s->columns[i]);
    free(s->columns);
    free(s->values);
    *s = (kai_series){0};
}
