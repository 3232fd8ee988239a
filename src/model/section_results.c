// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/section_results.h"
#include "base/array.h"
#include "base/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kai_section_results {
    kai_memory memory;
    kai_array figures; // kai_section_figure: texts are its own, from malloc
};

kai_section_results* kai_section_results_make(void)
{
    kai_section_results* results = calloc(1, sizeof *results);
    if (!results) return NULL;
    kai_memory_init(&results->memory, NULL);
    results->figures = kai_array_make(sizeof(kai_section_figure));
    return results;
}

static void free_texts(const kai_section_figure* figure)
{
    free((char*)(uintptr_t)figure->name);
    free((char*)(uintptr_t)figure->unit);
    free((char*)(uintptr_t)figure->doc);
}

void kai_section_results_free(kai_section_results* results)
{
    if (!results) return;
    for (size_t i = 0; i < results->figures.count; i++)
        free_texts(kai_section_results_at(results, i));
    kai_array_free(&results->figures, &results->memory);
    free(results);
}

size_t kai_section_results_count(const kai_section_results* results)
{
    KAI_GIVEN_OR(0, results);
    return results->figures.count;
}

const kai_section_figure* kai_section_results_at(const kai_section_results* results, size_t i)
{
    KAI_GIVEN_OR(NULL, results);
    const kai_section_figure* figures = results->figures.data;
    return i < results->figures.count ? &figures[i] : NULL;
}

static kai_result check_figure(const kai_section_results* results, const kai_section_figure* figure,
                               kai_error* err)
{
    if (!figure->name || !figure->name[0])
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "a figure has no name");
    if (!isfinite(figure->value))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "figure '%.64s' is %g; must be finite",
                             figure->name, figure->value);
    for (size_t i = 0; i < results->figures.count; i++)
        if (strcmp(kai_section_results_at(results, i)->name, figure->name) == 0)
            return kai_error_set(err, KAI_ERROR_NAME, "there is a figure '%.64s' already",
                                 figure->name);
    return KAI_OK;
}

kai_result kai_section_results_add(kai_section_results* results, const kai_section_figure* figure,
                                   kai_error* err)
{
    KAI_GIVEN(err, results, figure);
    KAI_TRY(check_figure(results, figure, err));
    const kai_section_figure own = {.name = strdup(figure->name),
                                    .value = figure->value,
                                    .unit = strdup(figure->unit ? figure->unit : ""),
                                    .doc = strdup(figure->doc ? figure->doc : "")};
    kai_result r = KAI_OK;
    if (!own.name || !own.unit || !own.doc)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a figure");
    if (r == KAI_OK) r = kai_array_append(&results->figures, &results->memory, &own, 1, err);
    if (r != KAI_OK) free_texts(&own);
    return r;
}
