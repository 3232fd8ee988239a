// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "run/figures.h"

#include "record/file.h"

#include <jansson.h>
#include <kairos/section.h>
#include <stdlib.h>
#include <string.h>

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for " KAI_FIGURES_FILE);
}

// {"name": {"value", "unit", "doc"}}
static kai_result figures_text(const kai_section_results* results, char** out, kai_error* err)
{
    json_t* root = json_object();
    const kai_section_figure* f;
    for (size_t i = 0; (f = kai_section_results_at(results, i)) != NULL; i++) {
        json_t* entry =
            json_pack("{s:f, s:s, s:s}", "value", f->value, "unit", f->unit, "doc", f->doc);
        if (entry == NULL || json_object_set_new(root, f->name, entry) != 0) {
            json_decref(root);
            return kai_error_set(err, KAI_ERROR_FORMAT,
                                 "figure '%.64s' has texts that are not UTF-8", f->name);
        }
    }
    *out = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    return *out != NULL ? KAI_OK : no_memory(err);
}

static kai_result write_file(const char* folder, const char* text, kai_error* err)
{
    char* path = kai_file_join(folder, KAI_FIGURES_FILE);
    if (path == NULL) return no_memory(err);
    const kai_file_piece pieces[] = {{text, strlen(text)}, {"\n", 1}};
    const kai_result r = kai_file_replace(path, pieces, 2, err);
    free(path);
    return r;
}

kai_result kai_figures_write(kai_world* world, const char* folder, kai_error* err)
{
    kai_section_results* results = NULL;
    char* text = NULL;
    kai_result r = kai_section_finish(world, &results);
    if (r != KAI_OK) *err = *kai_world_error(world);
    if (r == KAI_OK && kai_section_results_count(results) > 0) {
        r = figures_text(results, &text, err);
        if (r == KAI_OK) r = write_file(folder, text, err);
    }
    free(text);
    kai_section_results_free(results);
    return r;
}
