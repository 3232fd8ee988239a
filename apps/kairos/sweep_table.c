// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The table of a sweep: a row per run with the values that were varied, the figures of run.json, and
// the last row of each time series as "last NAME.quantity.component".
#define _GNU_SOURCE // asprintf
#include "sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    size_t column;
    char* text; // NULL: a number
    double value;
} cell;

typedef struct row {
    char* result;
    cell* cells; // [count]
    size_t count;
} row;

struct sweep_table {
    const sweep_plan* plan;
    char** columns; // [column_count] beside what is varied
    size_t column_count;
    row* rows; // [plan->total]
    bool failed;
};

sweep_table* sweep_table_make(const sweep_plan* plan)
{
    sweep_table* t = calloc(1, sizeof *t);
    if (t == NULL) return NULL;
    t->plan = plan;
    t->rows = calloc(plan->total, sizeof *t->rows);
    if (t->rows != NULL) return t;
    free(t);
    return NULL;
}

static void clear_row(row* r)
{
    for (size_t i = 0; i < r->count; i++) free(r->cells[i].text);
    free(r->cells);
    free(r->result);
    *r = (row){0};
}

void sweep_table_free(sweep_table* t)
{
    if (t == NULL) return;
    for (size_t k = 0; k < t->plan->total; k++) clear_row(&t->rows[k]);
    for (size_t i = 0; i < t->column_count; i++) free(t->columns[i]);
    free(t->columns);
    free(t->rows);
    free(t);
}

// Gathering --------------------------------------------------------------------------------------

// The number of a column; a new one where there is none of that name. Runs have the same columns in
// the same order, so the next one is looked at first.
static size_t find_column(sweep_table* t, const char* name, size_t near)
{
    if (near < t->column_count && strcmp(t->columns[near], name) == 0) return near;
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0) return i;
    char** grown = realloc(t->columns, (t->column_count + 1) * sizeof *grown);
    if (grown != NULL) t->columns = grown;
    char* copy = grown != NULL ? strdup(name) : NULL;
    if (copy == NULL) {
        t->failed = true;
        return 0;
    }
    t->columns[t->column_count] = copy;
    return t->column_count++;
}

static void add_cell(sweep_table* t, row* r, const char* name, const char* text, double value)
{
    const size_t near = r->count > 0 ? r->cells[r->count - 1].column + 1 : 0;
    const size_t column = find_column(t, name, near);
    cell* grown = realloc(r->cells, (r->count + 1) * sizeof *grown);
    if (grown != NULL) r->cells = grown;
    char* copy = text != NULL ? strdup(text) : NULL;
    if (grown == NULL || (text != NULL && copy == NULL)) {
        t->failed = true;
        return;
    }
    r->cells[r->count++] = (cell){column, copy, value};
}

// Figures that are the same for every run, or say nothing about its results.
static bool is_plain(const char* name)
{
    static const char* const LEFT_OUT[] = {"scene", "result", "version", "machine", "scene_hash"};
    for (size_t i = 0; i < KAI_COUNT(LEFT_OUT); i++)
        if (strcmp(name, LEFT_OUT[i]) == 0) return false;
    return strncmp(name, "phase_seconds.", 14) != 0 && strncmp(name, "breaches.", 9) != 0;
}

static void add_last(sweep_table* t, row* r, const kai_results_series* s)
{
    for (size_t c = 1; s->rows > 0 && c < s->columns; c++) {
        char name[1024];
        snprintf(name, sizeof name, "last %s", s->names[c]);
        add_cell(t, r, name, NULL, s->values[c * s->rows + s->rows - 1]);
    }
}

bool sweep_table_add(sweep_table* t, size_t k, const char* result, const char* directory)
{
    kai_results* results = NULL;
    row* r = &t->rows[k];
    clear_row(r);
    r->result = strdup(result);
    if (r->result == NULL) return false;
    if (kai_results_open(directory, &results, NULL) != KAI_OK) return true; // none were left
    for (size_t i = 0; i < kai_results_figure_count(results); i++) {
        const kai_results_figure f = kai_results_figure_at(results, i);
        if (is_plain(f.name)) add_cell(t, r, f.name, f.text, f.value);
    }
    for (size_t i = 0; i < kai_results_series_count(results); i++) {
        const kai_results_series s = kai_results_series_at(results, i);
        add_last(t, r, &s);
    }
    kai_results_close(results);
    return !t->failed;
}

// sweep.csv --------------------------------------------------------------------------------------

static void put_quoted(FILE* out, const char* text)
{
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text != '\0'; text++) fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    putc('"', out);
}

static const cell* cell_of(const row* r, size_t column)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->cells[i].column == column) return &r->cells[i];
    return NULL;
}

static void write_csv(const sweep_table* t, FILE* out)
{
    fputs("run,result", out);
    for (size_t i = 0; i < t->plan->count; i++) {
        putc(',', out);
        put_quoted(out, t->plan->varies[i].name);
    }
    for (size_t c = 0; c < t->column_count; c++) {
        putc(',', out);
        put_quoted(out, t->columns[c]);
    }
    for (size_t k = 0; k < t->plan->total; k++) {
        char folder[32];
        const row* r = &t->rows[k];
        sweep_plan_folder(k, folder, sizeof folder);
        fprintf(out, "\n%s,%s", folder, r->result != NULL ? r->result : "not run");
        for (size_t i = 0; i < t->plan->count; i++) {
            putc(',', out);
            put_quoted(out, sweep_plan_value(t->plan, k, i));
        }
        for (size_t c = 0; c < t->column_count; c++) {
            const cell* found = cell_of(r, c);
            putc(',', out);
            if (found != NULL && found->text != NULL)
                put_quoted(out, found->text);
            else if (found != NULL && isfinite(found->value))
                fprintf(out, "%.17g", found->value);
        }
    }
    putc('\n', out);
}

// The page ---------------------------------------------------------------------------------------

static void put_json(FILE* out, const char* text)
{
    putc('"', out);
    for (const unsigned char* c = (const unsigned char*)text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == '"' || *c == '\\' || *c == '<')
            fprintf(out, "\\u%04x", *c);
        else
            putc(*c, out);
    }
    putc('"', out);
}

static void put_number(FILE* out, double x)
{
    if (isfinite(x))
        fprintf(out, "%.17g", x);
    else
        fputs("null", out);
}

// {"scene", "varied": [name], "columns": [name], "rows": [[folder, result, [varied], [results]]]}
static void write_json(const sweep_table* t, FILE* out, const char* scene)
{
    fputs("{\"scene\":", out);
    put_json(out, scene);
    fputs(",\"varied\":[", out);
    for (size_t i = 0; i < t->plan->count; i++) {
        if (i > 0) putc(',', out);
        put_json(out, t->plan->varies[i].name);
    }
    fputs("],\"columns\":[", out);
    for (size_t c = 0; c < t->column_count; c++) {
        if (c > 0) putc(',', out);
        put_json(out, t->columns[c]);
    }
    fputs("],\"rows\":[", out);
    for (size_t k = 0; k < t->plan->total; k++) {
        char folder[32];
        const row* r = &t->rows[k];
        sweep_plan_folder(k, folder, sizeof folder);
        fprintf(out, "%s[\"%s\",\"%s\",[", k > 0 ? "," : "", folder,
                r->result != NULL ? r->result : "not run");
        for (size_t i = 0; i < t->plan->count; i++) {
            if (i > 0) putc(',', out);
            put_json(out, sweep_plan_value(t->plan, k, i));
        }
        fputs("],[", out);
        for (size_t c = 0; c < t->column_count; c++) {
            const cell* found = cell_of(r, c);
            if (c > 0) putc(',', out);
            if (found != NULL && found->text != NULL)
                put_json(out, found->text);
            else
                put_number(out, found != NULL ? found->value : (double)NAN);
        }
        fputs("]]", out);
    }
    fputs("]}", out);
}

static bool write_page(const sweep_table* t, FILE* out, const char* scene)
{
    char* data = NULL;
    size_t size = 0;
    FILE* text = open_memstream(&data, &size);
    if (text == NULL) return false;
    write_json(t, text, scene);
    const bool good = fclose(text) == 0 && sweep_page_write(out, data);
    free(data);
    return good;
}

// Files are written aside and renamed: who looks at one sees a whole one.
static bool write_file(const sweep_table* t, const char* directory, const char* name,
                       const char* scene)
{
    char *path = NULL, *aside = NULL;
    bool good =
        asprintf(&path, "%s/%s", directory, name) >= 0 && asprintf(&aside, "%s.tmp", path) >= 0;
    FILE* out = good ? fopen(aside, "wb") : NULL;
    good = out != NULL;
    if (good && scene != NULL) good = write_page(t, out, scene);
    if (good && scene == NULL) write_csv(t, out);
    if (out != NULL) good = ferror(out) == 0 && good;
    if (out != NULL) good = fclose(out) == 0 && good;
    good = good && rename(aside, path) == 0;
    if (!good) cli_error("%s/%s: %s", directory, name, strerror(errno));
    free(path);
    free(aside);
    return good;
}

bool sweep_table_write(const sweep_table* t, const char* directory, const char* scene)
{
    return write_file(t, directory, "sweep.csv", NULL) &&
           write_file(t, directory, "index.html", scene);
}
