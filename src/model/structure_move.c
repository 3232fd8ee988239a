// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/structure.h"

#include <kairos/joint_nodes.h>

static kai_result move_node(kai_world* world, kai_node node, kai_value3 displacement)
{
    kai_joint_node_motion_params p;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_node_motion.kind, &p);
    p.node = node;
    p.value = displacement;
    return kai_joint_create(world, &kai_joint_node_motion, &p, NULL, &joint);
}

/// Joint frames lie along the axes of the world, at the body.
static kai_result move_body(kai_world* world, kai_body ground, kai_body body,
                            kai_value3 displacement, bool held)
{
    kai_joint_imposed_motion_params p;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_imposed_motion.kind, &p);
    p.base.bodies[0] = ground;
    p.base.bodies[1] = body;
    p.base.at = kai_body_position(world, body);
    p.base.axis = kai_vec3_axis(2);
    p.base.x_axis = kai_vec3_axis(0);
    p.value[KAI_JOINT_TX] = displacement.x;
    p.value[KAI_JOINT_TY] = displacement.y;
    p.value[KAI_JOINT_TZ] = displacement.z;
    for (int k = KAI_JOINT_RX; held && k <= KAI_JOINT_RZ; k++) p.value[k] = kai_value_constant(0.0);
    return kai_joint_create(world, &kai_joint_imposed_motion, &p, NULL, &joint);
}

static kai_result add(kai_world* world, kai_structure structure, const char* set,
                      kai_value3 displacement, bool held)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    kai_body ground = {0};
    if (frames) {
        kai_body_def def = kai_body_def_default();
        def.fixed = true;
        KAI_TRY(kai_body_create(world, &def, &ground));
    } else if (held) {
        KAI_TRY(
            kai_structure_fix(world, structure, set, KAI_NODE_FIX_SLOPE_0 | KAI_NODE_FIX_SLOPE_1));
    }
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++) {
        if (frames) {
            const kai_body body = kai_structure_body_at(world, structure, set, i);
            KAI_TRY(move_body(world, ground, body, displacement, held));
        } else {
            const kai_node node = kai_structure_node_at(world, structure, set, i);
            KAI_TRY(move_node(world, node, displacement));
        }
    }
    return KAI_OK;
}

kai_result kai_structure_move(kai_world* world, kai_structure structure, const char* set,
                              kai_value3 displacement)
{
    return kai_world_fail(world, __func__, add(world, structure, set, displacement, false));
}

kai_result kai_structure_move_held(kai_world* world, kai_structure structure, const char* set,
                                   kai_value3 displacement)
{
    return kai_world_fail(world, __func__, add(world, structure, set, displacement, true));
}
