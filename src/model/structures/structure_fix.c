// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/check.h"
#include "model/id.h"
#include "model/structures/structure.h"

kai_result kai_structure_fix(kai_world* world, kai_structure structure, const char* set,
                             int64_t coordinates)
{
    KAI_CHANGE(world);
    bool frames;
    KAI_TRY(kai_world_fail(world, __func__, kai_structure_check(world, structure, set, &frames)));
    if (coordinates < 0 || coordinates > KAI_NODE_FIX_ALL ||
        (frames && coordinates != KAI_NODE_FIX_ALL))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT,
                             "kai_structure_fix: coordinates are %lld; must be %s",
                             (long long)coordinates,
                             frames ? "all, 511, where nodes are bodies" : "from 0 to 511");
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++) {
        if (frames) {
            KAI_TRY(
                kai_body_set_fixed(world, kai_structure_body_at(world, structure, set, i), true));
            continue;
        }
        const kai_node node = kai_structure_node_at(world, structure, set, i);
        kai_node_def def;
        KAI_TRY(kai_node_get(world, node, &def));
        KAI_TRY(kai_node_set_fixed(world, node, def.fixed | coordinates));
    }
    return KAI_OK;
}
