// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What elements can tell by name.
#include "base/error.h"
#include "fea/fea.h"
#include "fea/results.h"
#include "model/check.h"
#include "model/id.h"

#include <stdio.h>
#include <string.h>

/// Whether a kind has a result of its own with that name.
static bool is_own(const kai_element_kind* kind, const char* name)
{
    for (size_t i = 0; i < kind->result_count; i++)
        if (strcmp(kind->results[i].name, name) == 0) return true;
    return false;
}

const kai_element_result* kai_element_result_of(const kai_element_kind* kind, size_t i)
{
    KAI_GIVEN_OR(NULL, kind);
    if (i < kind->result_count) return &kind->results[i];
    i -= kind->result_count;
    const kai_results_form form = kai_results_form_of(kind);
    const kai_element_result* r;
    for (size_t k = 0; (r = kai_results_at(form, k)) != NULL; k++)
        if (!is_own(kind, r->name) && i-- == 0) return r;
    return NULL;
}

const kai_element_result* kai_element_result_find(const kai_element_kind* kind, const char* name)
{
    KAI_GIVEN_OR(NULL, kind, name);
    const kai_element_result* r;
    for (size_t i = 0; name && (r = kai_element_result_of(kind, i)) != NULL; i++)
        if (strcmp(r->name, name) == 0) return r;
    return NULL;
}

static kai_result unknown(const kai_element_kind* kind, const char* name, kai_error* err)
{
    char names[400] = "";
    const kai_element_result* r;
    for (size_t i = 0, at = 0; (r = kai_element_result_of(kind, i)) != NULL; i++)
        if (at < sizeof names)
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", r->name);
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "elements of kind %s have no result '%s'; they have %s", kind->kind.name,
                         name ? name : "", names);
}

kai_result kai_element_result_at(kai_world* world, kai_element element, const char* name,
                                 const double at[3], double* out)
{
    KAI_CHANGE(world, name, at, out);
    const kai_store_entry* entry = kai_store_find(&world->elements, KAI_ID_OF(element));
    kai_error* err = &world->error;
    kai_fea* fea = NULL;
    if (!entry)
        return kai_world_fail(world, __func__,
                              kai_store_id_error(&world->elements, KAI_ID_OF(element), err));
    const kai_element_kind* kind = kai_element_kind_of(world, element);
    const kai_element_result* result = kai_element_result_find(kind, name);
    kai_result r = result ? kai_fea_get(world, &fea, err) : unknown(kind, name, err);
    if (r == KAI_OK) kai_fea_forces_result(fea, world, entry->batch, entry->slot, result, at, out);
    return kai_world_fail(world, __func__, r);
}
