// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/material_pair.h"
#include "model/part.h"

static const kai_kind* const PAIR_KINDS[] = {&kai_material_pair_kind, NULL};

// Both materials of a pair are there, and no other pair has the same two.
static kai_result check(kai_world* p, void* data, kai_error* err)
{
    (void)data;
    const kai_store_batch* batch = &p->material_pairs.batches[0];
    const kai_material_pair_def* items = batch->items.data;
    for (size_t i = 0; i < batch->items.count; i++) {
        const uint32_t a = items[i].materials[0].index, b = items[i].materials[1].index;
        if (!kai_part_refer_in_use(&p->materials, a) || !kai_part_refer_in_use(&p->materials, b) ||
            kai_material_pair_between(&p->material_pairs, a, b) != &items[i])
            return kai_error_set(err, KAI_ERROR_FORMAT, "material pair %zu breaks its rules", i);
        KAI_TRY(kai_part_refer_check(p, &kai_material_pair_kind, &items[i], 0, err));
    }
    return KAI_OK;
}

const kai_part kai_part_material_pairs = {
    KAI_PART_STORE(material_pairs, "material pair", PAIR_KINDS), .check = check};
