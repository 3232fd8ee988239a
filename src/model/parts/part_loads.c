// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/load_list.h"
#include "model/part.h"

#include <kairos/driveline.h>

static const kai_kind* const LOAD_KINDS[] = {
#define LOAD_KIND(name) &kai_load_##name.kind,
    KAI_LOAD_KINDS(LOAD_KIND)
#undef LOAD_KIND
        NULL};

static kai_result count_load(kai_world* p, const kai_kind* kind, const char* instance,
                             kai_error* err)
{
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_body* body = (const void*)(instance + kind->params[i].offset);
        if (kind->params[i].type != KAI_PARAM_BODY) continue;
        for (size_t k = 0; k < kai_kind_repeats(&kind->params[i]); k++)
            KAI_TRY(kai_part_refer_count(p, body[k], err));
    }
    return KAI_OK;
}

static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->loads.batch_count; b++) {
        const kai_store_batch* batch = &p->loads.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            KAI_TRY(
                kai_part_refer_check(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            if (!((const kai_load_kind*)(const void*)batch->kind)->grounded)
                KAI_TRY(kai_part_refer_check_ends(p, batch->kind, instance, err));
            KAI_TRY(count_load(p, batch->kind, instance, err));
        }
    }
    return p->loads.count > 0 ? kai_bodies_need_wrench(&p->bodies, err) : KAI_OK;
}

const kai_part kai_part_loads = {KAI_PART_STORE(loads, "load", LOAD_KINDS),
                                 .check = check,
                                 .hash = kai_part_states_hash,
                                 .undo = KAI_PART_STEP,
                                 .backup_bytes = kai_part_states_bytes,
                                 .backup = kai_part_states_backup,
                                 .restore = kai_part_states_restore};
