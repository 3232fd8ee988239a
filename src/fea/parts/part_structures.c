// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/structure_list.h"
#include "model/part.h"
#include "model/structures/structure.h"

#include <kairos/structure.h>

static const kai_kind* const STRUCTURE_KINDS[] = {
#define STRUCTURE_KIND(name) &kai_structure_##name.kind,
    KAI_STRUCTURE_KINDS(STRUCTURE_KIND)
#undef STRUCTURE_KIND
        NULL};

// Structures: tables of ids and of places in them.
static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->structures.batch_count; b++) {
        const kai_store_batch* batch = &p->structures.batches[b];
        for (size_t i = 0; i < batch->items.count; i++) {
            const void* instance = (char*)batch->items.data + i * batch->kind->size;
            if (!kai_structure_is_whole(instance))
                return kai_error_set(err, KAI_ERROR_FORMAT,
                                     "%s %zu: its nodes or sets are not whole", batch->kind->name,
                                     i);
        }
    }
    return KAI_OK;
}

const kai_part kai_part_structures = {KAI_PART_STORE(structures, "structure", STRUCTURE_KINDS),
                                      .check = check};
