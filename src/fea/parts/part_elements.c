// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "fea/element_list.h"
#include "model/element.h"
#include "model/node.h"
#include "model/part.h"

#include <kairos/element.h>
#include <kairos/element_kinds.h>

static const kai_kind* const ELEMENT_KINDS[] = {
#define ELEMENT_KIND(name) &kai_element_##name.kind,
    KAI_ELEMENT_KINDS(ELEMENT_KIND) KAI_ELEMENT_LOAD_KINDS(ELEMENT_KIND)
#undef ELEMENT_KIND
        NULL};

// Elements have the nodes that their kind wants; frames are bodies, whose uses are counted.
static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    for (size_t b = 0; b < p->elements.batch_count; b++) {
        const kai_store_batch* batch = &p->elements.batches[b];
        const kai_element_kind* kind = (const kai_element_kind*)(const void*)batch->kind;
        for (size_t i = 0; i < batch->items.count; i++) {
            const char* instance = (char*)batch->items.data + i * batch->kind->size;
            KAI_TRY(
                kai_part_refer_check(p, batch->kind, instance, KAI_FUNCTION_SET_DEPTH + 1, err));
            for (int k = 0; k < kind->nodes; k++) {
                if (kind->slopes < 0) {
                    KAI_TRY(
                        kai_part_refer_count(p, ((const kai_body*)(const void*)instance)[k], err));
                    continue;
                }
                const kai_node node = ((const kai_node*)(const void*)instance)[k];
                const kai_node_record* record =
                    kai_store_at(&p->nodes, (kai_id){node.index, node.generation, node.world});
                if (!record || !kai_element_fits(kind, record->def.slopes))
                    return kai_error_set(err, KAI_ERROR_FORMAT,
                                         "%s %zu: node %d does not have %d slopes",
                                         batch->kind->name, i, k, kind->slopes);
            }
        }
    }
    return KAI_OK;
}

const kai_part kai_part_elements = {KAI_PART_STORE(elements, "element", ELEMENT_KINDS),
                                    .check = check};
