// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What parts refer to, checked after a checkpoint is read.
#include "model/part.h"

#include <string.h>

bool kai_part_refer_in_use(const kai_store* store, uint32_t index)
{
    const kai_store_entry* entries = store->entries.data;
    return index >= 1 && index <= store->entries.count &&
           entries[index - 1].batch != KAI_STORE_FREE;
}

static kai_result check_function(const kai_world* p, kai_function f, int above, kai_error* err)
{
    if (KAI_IS_NULL(f)) return KAI_OK;
    const kai_id id = {f.index, f.generation, f.world};
    if (!kai_store_find(&p->functions.store, id))
        return kai_error_set(err, KAI_ERROR_FORMAT, "function %u does not exist", f.index);
    const int depth = ((const uint8_t*)p->functions.depth.data)[f.index - 1];
    if (depth >= 1 && depth < above) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "function %u is nested in a circle or too deep",
                         f.index);
}

kai_result kai_part_refer_check_body(const kai_world* p, const kai_param* param,
                                     const kai_body* body, kai_error* err)
{
    if (!param->required && KAI_IS_NULL(*body)) return KAI_OK;
    if (kai_bodies_slot(&p->bodies, *body) != SIZE_MAX) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: body %u does not exist", param->name,
                         body->index);
}

static kai_result check_joint(const kai_world* p, const kai_param* param, const kai_joint* joint,
                              kai_error* err)
{
    const kai_id id = {joint->index, joint->generation, joint->world};
    if (!param->required && KAI_IS_NULL(id)) return KAI_OK;
    if (kai_store_find(&p->joints, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: joint %u does not exist", param->name,
                         id.index);
}

static kai_result check_shaft(const kai_world* p, const kai_param* param, const kai_shaft* shaft,
                              kai_error* err)
{
    const kai_id id = {shaft->index, shaft->generation, shaft->world};
    if (!param->required && KAI_IS_NULL(id)) return KAI_OK;
    if (kai_store_find(&p->shafts, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: shaft %u does not exist", param->name,
                         id.index);
}

// The same for things that lie in a store.
static kai_result check_in(const kai_store* store, const kai_param* param, const void* field,
                           kai_error* err)
{
    kai_id id;
    memcpy(&id, field, sizeof id);
    if ((!param->required && KAI_IS_NULL(id)) || kai_store_find(store, id)) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_FORMAT, "%s: %s %u does not exist", param->name,
                         store->family, id.index);
}

// Every id in an instance leads to something, and functions only to shallower ones (`above`).
kai_result kai_part_refer_check(const kai_world* p, const kai_kind* kind, const void* data,
                                int above, kai_error* err)
{
    const char* instance = data;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* param = &kind->params[i];
        const void* field = instance + param->offset;
        if (param->type == KAI_PARAM_FUNCTION) {
            KAI_TRY(check_function(p, *(const kai_function*)field, above, err));
        } else if (param->type == KAI_PARAM_VALUE || param->type == KAI_PARAM_VALUE3) {
            const kai_value* v = field;
            for (size_t k = 0; k < kai_kind_type_numbers(param->type); k++)
                KAI_TRY(check_function(p, v[k].function, above, err));
        } else if (param->type == KAI_PARAM_LIST) {
            const kai_list* list = field;
            for (uint32_t k = 0; k < list->count; k++)
                KAI_TRY(kai_part_refer_check(
                    p, param->item, (const char*)list->items + k * param->item->size, above, err));
        } else if (param->type == KAI_PARAM_BODY) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(kai_part_refer_check_body(p, param, (const kai_body*)field + k, err));
        } else if (param->type == KAI_PARAM_SHAFT) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(check_shaft(p, param, (const kai_shaft*)field + k, err));
        } else if (param->type == KAI_PARAM_JOINT) {
            KAI_TRY(check_joint(p, param, field, err));
        } else if (param->type == KAI_PARAM_LAW) {
            KAI_TRY(check_in(&p->laws, param, field, err));
        } else if (param->type == KAI_PARAM_NODE || param->type == KAI_PARAM_SOLID) {
            for (size_t k = 0; k < kai_kind_repeats(param); k++)
                KAI_TRY(check_in(param->type == KAI_PARAM_NODE ? &p->nodes : &p->solids, param,
                                 (const kai_id*)field + k, err));
        }
    }
    return KAI_OK;
}

// Counts a load at a body; one that is not there was let pass because it need not be.
kai_result kai_part_refer_count(kai_world* p, kai_body body, kai_error* err)
{
    KAI_TRY(kai_bodies_own_id(&p->bodies, body, err));
    kai_bodies_count_load(&p->bodies, body, 1);
    return KAI_OK;
}

// Ends that creation would have filled in are there, unless the kind does without them.
kai_result kai_part_refer_check_ends(const kai_world* p, const kai_kind* kind, const void* data,
                                     kai_error* err)
{
    const char* instance = data;
    for (size_t i = 0; i < kind->param_count; i++) {
        kai_param needed = kind->params[i];
        needed.required = true;
        const void* field = instance + needed.offset;
        for (size_t k = 0; k < kai_kind_repeats(&needed); k++) {
            if (needed.type == KAI_PARAM_BODY)
                KAI_TRY(kai_part_refer_check_body(p, &needed, (const kai_body*)field + k, err));
            if (needed.type == KAI_PARAM_SHAFT)
                KAI_TRY(check_shaft(p, &needed, (const kai_shaft*)field + k, err));
        }
    }
    return KAI_OK;
}
