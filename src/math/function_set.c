// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "math/function_set.h"

#include "base/check.h"
#include "math/function_list.h"

#include <string.h>

static const kai_kind* const BUILT_IN[] = {
#define BUILT_IN_KIND(name) &kai_function_##name.kind,
    KAI_FUNCTION_KINDS(BUILT_IN_KIND)
#undef BUILT_IN_KIND
        NULL};

kai_result kai_function_set_init(kai_function_set* set, kai_memory* memory, uint16_t world,
                                 kai_error* err)
{
    set->depth = kai_array_make(sizeof(uint8_t));
    set->signals = kai_array_make(sizeof(kai_jet));
    return kai_store_init(&set->store, memory, "function", world, BUILT_IN, err);
}

// Functions made of functions --------------------------------------------------------------------

static kai_id as_id(kai_function f) { return (kai_id){f.index, f.generation, f.world}; }

typedef struct parts_check {
    const kai_function_set* set;
    int deepest; // of the functions seen
} parts_check;

static kai_result visit_function(parts_check* check, kai_function f, kai_error* err)
{
    if (KAI_IS_NULL(f)) return KAI_OK;
    if (!kai_store_find(&check->set->store, as_id(f)))
        return kai_store_id_error(&check->set->store, as_id(f), err);
    const int depth = ((const uint8_t*)check->set->depth.data)[f.index - 1];
    if (depth > check->deepest) check->deepest = depth;
    return KAI_OK;
}

static kai_result visit_kind(parts_check* check, const kai_kind* kind, const char* instance,
                             kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const char* field = instance + p->offset;
        if (p->hidden)
            continue; // not the caller's; what the kind put there came through here before
        if (p->type == KAI_PARAM_FUNCTION) {
            KAI_TRY(visit_function(check, *(const kai_function*)field, err));
        } else if (p->type == KAI_PARAM_VALUE || p->type == KAI_PARAM_VALUE3) {
            const kai_value* v = (const kai_value*)field;
            for (size_t k = 0; k < kai_kind_type_numbers(p->type); k++)
                KAI_TRY(visit_function(check, v[k].function, err));
        } else if (p->type == KAI_PARAM_LIST) {
            const kai_list* list = (const kai_list*)field;
            for (uint32_t k = 0; k < list->count; k++)
                KAI_TRY(
                    visit_kind(check, p->item, (const char*)list->items + k * p->item->size, err));
        }
    }
    return KAI_OK;
}

kai_result kai_function_set_check(const kai_function_set* set, const kai_kind* kind,
                                  const void* instance, kai_error* err)
{
    parts_check check = {.set = set};
    return visit_kind(&check, kind, instance, err);
}

// Creation and evaluation ------------------------------------------------------------------------

kai_result kai_function_set_add(kai_function_set* set, const kai_function_kind* kind,
                                const void* params, kai_function* out, kai_error* err)
{
    if (!kind) return kai_error_set(err, KAI_ERROR_ARGUMENT, "kind is NULL");
    kind = kai_store_table(&set->store, kind, err);
    if (!kind) return KAI_ERROR_ARGUMENT;
    KAI_TRY(kai_kind_check(&kind->kind, params, err));
    parts_check check = {.set = set};
    KAI_TRY(visit_kind(&check, &kind->kind, params, err));
    if (check.deepest >= KAI_FUNCTION_SET_DEPTH)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%s: functions are nested more than %d deep",
                             kind->kind.name, KAI_FUNCTION_SET_DEPTH);
    KAI_TRY(kai_array_resize(&set->depth, set->store.memory, set->store.entries.count + 1, err));

    kai_id id;
    KAI_TRY(kai_store_add(&set->store, &kind->kind, params, NULL, &id, err));
    ((uint8_t*)set->depth.data)[id.index - 1] = (uint8_t)(check.deepest + 1);
    if (kind->prepare) {
        const kai_result r = kind->prepare(set, kai_store_at(&set->store, id), err);
        if (r != KAI_OK) {
            kai_store_remove(&set->store, id, NULL);
            return r;
        }
    }
    *out = (kai_function){id.index, id.generation, id.world};
    return KAI_OK;
}

kai_jet kai_function_set_at(const kai_function_set* set, kai_function function, double x)
{
    const kai_store_entry* entry =
        (const kai_store_entry*)set->store.entries.data + (function.index - 1);
    const kai_store_batch* batch = &set->store.batches[entry->batch];
    const kai_function_kind* kind = (const kai_function_kind*)(const void*)batch->kind;
    return kind->evaluate(set, (const char*)batch->items.data + entry->slot * batch->kind->size, x);
}

kai_jet kai_function_set_value(const kai_function_set* set, const kai_value* value, double x)
{
    KAI_GIVEN_OR((kai_jet){0}, value);
    if (KAI_IS_NULL(value->function)) return (kai_jet){value->constant, 0.0, 0.0};
    KAI_GIVEN_OR((kai_jet){0}, set);
    return kai_function_set_at(set, value->function, x);
}

void kai_function_set_free(kai_function_set* set)
{
    kai_array_free(&set->signals, set->store.memory);
    kai_array_free(&set->depth, set->store.memory);
    kai_store_free(&set->store);
}
