// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What holds a fixed coordinate is what its row of M a + C v = f lacks: a consistent mass couples
// it to coordinates that move.
#include "fea/fea.h"
#include "model/check.h"
#include "model/id.h"

kai_result kai_node_reaction(kai_world* world, kai_node node, kai_vec3 out[1 + KAI_NODE_SLOPES])
{
    KAI_CHANGE(world, out);
    const uint32_t slot = kai_node_slot(world, node);
    kai_fea* f = NULL;
    for (int k = 0; k <= KAI_NODE_SLOPES; k++) out[k] = kai_vec3_zero();
    if (slot == UINT32_MAX)
        return kai_world_fail(world, __func__,
                              kai_store_id_error(&world->nodes, KAI_ID_OF(node), &world->error));
    KAI_TRY(kai_world_fail(world, __func__, kai_fea_get(world, &f, &world->error)));
    const kai_node_def* def = &kai_node_all(world)[slot].def;
    for (size_t k = 0; k <= (size_t)def->slopes; k++) {
        const int64_t fixed = def->fixed >> (3 * k) & 7;
        if (fixed == 0) continue;
        const size_t v = ((const uint32_t*)f->first.data)[slot] / 3 + k;
        const kai_vec3 lack =
            kai_vec3_sub(kai_fea_mass_pull(f, world, v), kai_fea_forces_on(f, world, slot, v));
        out[k] = kai_vec3_make(fixed & 1 ? lack.x : 0.0, fixed & 2 ? lack.y : 0.0,
                               fixed & 4 ? lack.z : 0.0);
    }
    return KAI_OK;
}
