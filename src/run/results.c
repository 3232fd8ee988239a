// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "record/file.h"
#include "record/recorder.h"
#include "run/figures.h"
#include "view/series.h"

#include <jansson.h>
#include <kairos/results.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_MOST = 64 << 20, DEPTH_MOST = 8, NAME_MOST = 512 };

typedef struct figure {
    char* name;
    char* text; // NULL: a number
    double value;
} figure;

typedef struct named_series {
    char* file;
    kai_series series;
} named_series;

struct kai_results {
    char* directory;
    kai_text figures; // figure []
    kai_text series;  // named_series []
};

static figure* figures_of(const kai_results* r) { return (figure*)(void*)r->figures.data; }

static named_series* series_of(const kai_results* r)
{
    return (named_series*)(void*)r->series.data;
}

static kai_result results_no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the results of a run");
}

// Figures ----------------------------------------------------------------------------------------

static bool add_figure(kai_results* r, const char* name, const json_t* value)
{
    figure f = {.name = strdup(name), .value = (double)NAN};
    const bool text = json_is_string(value);
    if (text) f.text = strdup(json_string_value(value));
    if (json_is_number(value)) f.value = json_number_value(value);
    if (json_is_boolean(value)) f.value = json_is_true(value) ? 1.0 : 0.0;
    if (f.name != NULL && (f.text != NULL || !text)) {
        kai_text_add_bytes(&r->figures, &f, sizeof f);
        if (!r->figures.failed) return true;
    }
    free(f.name);
    free(f.text);
    return false;
}

// All figures of an object, those of objects inside it with its name before theirs.
static bool add_figures(kai_results* r, const char* prefix, json_t* object, int depth)
{
    const char* key;
    json_t* value;
    bool good = true;
    json_object_foreach(object, key, value)
    {
        char name[NAME_MOST];
        if (!good || (size_t)snprintf(name, sizeof name, "%s%s%s", prefix,
                                      prefix[0] != '\0' ? "." : "", key) >= sizeof name)
            continue;
        if (json_is_object(value))
            good = depth == DEPTH_MOST || add_figures(r, name, value, depth + 1);
        else if (!json_is_array(value))
            good = add_figure(r, name, value);
    }
    return good;
}

// What a scene's template derives: {"name": {"value", "unit", "doc"}}.
static bool add_derived(kai_results* r, json_t* object)
{
    const char* key;
    json_t* entry;
    bool good = true;
    json_object_foreach(object, key, entry)
    {
        const json_t* value = json_object_get(entry, "value");
        if (good && value != NULL) good = add_figure(r, key, value);
    }
    return good;
}

// Files ------------------------------------------------------------------------------------------

// A JSON file of the folder; NULL with `*result` still KAI_OK when it may be missing and is.
static json_t* read_json(const kai_results* r, const char* name, bool needed, kai_result* result,
                         kai_error* err)
{
    char *path = kai_file_join(r->directory, name), *text = NULL;
    size_t size = 0;
    uint64_t bytes;
    int file = -1;
    json_t* root = NULL;
    if (path == NULL) {
        *result = results_no_memory(err);
        return NULL;
    }
    if (needed || access(path, F_OK) == 0) {
        *result = kai_file_open(path, &file, &bytes, err);
        if (*result == KAI_OK && kai_file_read(file, BYTES_MOST, &text, &size) != KAI_OK)
            *result = kai_file_malformed(path, "cannot be read", err);
        if (*result == KAI_OK) root = json_loadb(text, size, 0, NULL);
        if (*result == KAI_OK && !json_is_object(root)) {
            *result = kai_file_malformed(path, "is no JSON object", err);
            json_decref(root);
            root = NULL;
        }
        if (file >= 0) close(file);
        free(text);
    }
    free(path);
    return root;
}

// The time series named `name`; one that is no table is left out.
static kai_result add_series(kai_results* r, const char* name, kai_error* err)
{
    named_series s = {.file = strdup(name)};
    char* path = kai_file_join(r->directory, name);
    kai_result read = KAI_ERROR_MEMORY;
    if (s.file != NULL && path != NULL) read = kai_series_read(&s.series, path, 1, err);
    free(path);
    if (read == KAI_OK) kai_text_add_bytes(&r->series, &s, sizeof s);
    if (read == KAI_OK && !r->series.failed) return KAI_OK;
    kai_series_free(&s.series);
    free(s.file);
    return read == KAI_ERROR_MEMORY || r->series.failed ? results_no_memory(err) : KAI_OK;
}

static bool is_listed(const json_t* list, const char* name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char* entry = json_string_value(json_array_get(list, i));
        if (entry != NULL && strcmp(entry, name) == 0) return true;
    }
    return false;
}

// What run.json says that the run wrote, but for snapshots and the trajectory. A name that leads
// out of the folder is none of a run.
static kai_result read_series(kai_results* r, const json_t* run, kai_error* err)
{
    const json_t *names = json_object_get(run, "outputs"),
                 *numbered = json_object_get(run, "numbered");
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char* name = json_string_value(json_array_get(names, i));
        if (name == NULL || strchr(name, '/') != NULL || !kai_text_ends(name, ".csv") ||
            is_listed(numbered, name))
            continue;
        KAI_TRY(add_series(r, name, err));
    }
    return KAI_OK;
}

static kai_result results_read(kai_results* r, kai_error* err)
{
    kai_result result = KAI_OK;
    json_t* run = read_json(r, KAI_RECORDER_SUMMARY, true, &result, err);
    if (result != KAI_OK) return result;
    if (!json_is_string(json_object_get(run, "state_hash")))
        result =
            kai_error_set(err, KAI_ERROR_FORMAT, "%s: its run.json is of no run", r->directory);
    json_t* derived = result == KAI_OK ? read_json(r, KAI_FIGURES_FILE, false, &result, err) : NULL;
    if (result == KAI_OK && (!add_figures(r, "", run, 0) || !add_derived(r, derived)))
        result = results_no_memory(err);
    if (result == KAI_OK) result = read_series(r, run, err);
    json_decref(run);
    json_decref(derived);
    return result;
}

// Reading ----------------------------------------------------------------------------------------

kai_result kai_results_open(const char* directory, kai_results** out, kai_error* err)
{
    KAI_GIVEN(err, directory, out);
    *out = NULL;
    kai_results* r = calloc(1, sizeof *r);
    if (r == NULL) return results_no_memory(err);
    r->directory = strdup(directory);
    const kai_result result = r->directory != NULL ? results_read(r, err) : results_no_memory(err);
    if (result == KAI_OK)
        *out = r;
    else
        kai_results_close(r);
    return result;
}

void kai_results_close(kai_results* r)
{
    if (r == NULL) return;
    for (size_t i = 0; i < kai_results_figure_count(r); i++) {
        free(figures_of(r)[i].name);
        free(figures_of(r)[i].text);
    }
    for (size_t i = 0; i < kai_results_series_count(r); i++) {
        free(series_of(r)[i].file);
        kai_series_free(&series_of(r)[i].series);
    }
    kai_text_free(&r->figures);
    kai_text_free(&r->series);
    free(r->directory);
    free(r);
}

size_t kai_results_figure_count(const kai_results* r)
{
    KAI_GIVEN_OR(0, r);
    return r->figures.size / sizeof(figure);
}

kai_results_figure kai_results_figure_at(const kai_results* r, size_t i)
{
    const kai_results_figure none = {.name = "", .value = (double)NAN};
    KAI_GIVEN_OR(none, r);
    if (i >= kai_results_figure_count(r)) return none;
    const figure* f = &figures_of(r)[i];
    return (kai_results_figure){f->name, f->text, f->value};
}

kai_results_figure kai_results_figure_find(const kai_results* r, const char* name)
{
    const kai_results_figure none = {.name = "", .value = (double)NAN};
    KAI_GIVEN_OR(none, r, name);
    size_t i = 0;
    while (i < kai_results_figure_count(r) && strcmp(figures_of(r)[i].name, name) != 0) i++;
    return kai_results_figure_at(r, i);
}

size_t kai_results_series_count(const kai_results* r)
{
    KAI_GIVEN_OR(0, r);
    return r->series.size / sizeof(named_series);
}

kai_results_series kai_results_series_at(const kai_results* r, size_t i)
{
    const kai_results_series none = {.file = ""};
    KAI_GIVEN_OR(none, r);
    if (i >= kai_results_series_count(r)) return none;
    const named_series* s = &series_of(r)[i];
    return (kai_results_series){s->file, (const char* const*)s->series.columns,
                                s->series.column_count, s->series.rows, s->series.values};
}
