// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A force on a slope turns with it: its moment is slope × force, as for a position.
#include "fea/fea.h"
#include "model/check.h"
#include "model/structures/structure.h"

static kai_result add_node(kai_world* world, kai_node node, kai_vec3* force, kai_vec3* moment)
{
    kai_node_def def;
    kai_vec3 held[1 + KAI_NODE_SLOPES];
    KAI_TRY(kai_node_get(world, node, &def));
    KAI_TRY(kai_node_reaction(world, node, held));
    *force = kai_vec3_add(*force, held[0]);
    *moment = kai_vec3_add(*moment, kai_vec3_cross(def.position, held[0]));
    for (int k = 0; k < def.slopes; k++)
        *moment = kai_vec3_add(*moment, kai_vec3_cross(def.slope[k], held[1 + k]));
    return KAI_OK;
}

/// A body that is fixed is held against all loads on it.
static kai_result add_body(kai_world* world, kai_body body, kai_vec3* force, kai_vec3* moment)
{
    kai_vec3 f, t;
    if (!kai_body_is_fixed(world, body)) return KAI_OK;
    KAI_TRY(kai_body_force(world, body, &f, &t));
    *force = kai_vec3_sub(*force, f);
    *moment = kai_vec3_sub(*moment, t);
    *moment = kai_vec3_sub(*moment, kai_vec3_cross(kai_body_com_position(world, body), f));
    return KAI_OK;
}

static kai_result sum(kai_world* world, kai_structure structure, const char* set, kai_vec3* force,
                      kai_vec3* moment)
{
    bool frames;
    *force = *moment = kai_vec3_zero();
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++) {
        if (frames) {
            const kai_body body = kai_structure_body_at(world, structure, set, i);
            KAI_TRY(add_body(world, body, force, moment));
        } else {
            const kai_node node = kai_structure_node_at(world, structure, set, i);
            KAI_TRY(add_node(world, node, force, moment));
        }
    }
    return KAI_OK;
}

kai_result kai_structure_reaction(kai_world* world, kai_structure structure, const char* set,
                                  kai_vec3* force, kai_vec3* moment)
{
    KAI_CHANGE(world, force, moment);
    return kai_world_fail(world, __func__, sum(world, structure, set, force, moment));
}
