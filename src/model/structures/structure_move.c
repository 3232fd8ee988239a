// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/check.h"
#include "model/structures/structure.h"

#include <kairos/joint_nodes.h>
#include <stdio.h>

/// Joints are named after their set, "wing.x0.motion", and numbered where it has several nodes, so
/// that outputs can tell what it takes to move it. Without a name, or when it is taken: none.
static const char* name_of(const kai_world* world, kai_structure structure, const char* set,
                           size_t i, size_t count, char* out, size_t size)
{
    const char* name = kai_structure_name(world, structure);
    if (!name[0] || !set) return NULL;
    int used = snprintf(out, size, "%s.%s.motion", name, set);
    if (count > 1 && used > 0 && (size_t)used < size)
        used += snprintf(out + used, size - (size_t)used, ".%zu", i);
    const bool fits = used > 0 && (size_t)used < size;
    return fits && KAI_IS_NULL(kai_joint_find(world, out)) ? out : NULL;
}

static kai_result move_node(kai_world* world, kai_node node, kai_value3 displacement,
                            const char* name)
{
    kai_joint_node_motion_params p;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_node_motion.kind, &p);
    p.node = node;
    p.value = displacement;
    return kai_joint_create(world, &kai_joint_node_motion, &p, name, &joint);
}

/// Joint frames lie along the axes of the world, at the body.
static kai_result move_body(kai_world* world, kai_body ground, kai_body body,
                            kai_value3 displacement, bool held, const char* name)
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
    return kai_joint_create(world, &kai_joint_imposed_motion, &p, name, &joint);
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
        char text[KAI_STRING_SIZE];
        const char* name = name_of(world, structure, set, i, count, text, sizeof text);
        if (frames) {
            const kai_body body = kai_structure_body_at(world, structure, set, i);
            KAI_TRY(move_body(world, ground, body, displacement, held, name));
        } else {
            const kai_node node = kai_structure_node_at(world, structure, set, i);
            KAI_TRY(move_node(world, node, displacement, name));
        }
    }
    return KAI_OK;
}

kai_result kai_structure_move(kai_world* world, kai_structure structure, const char* set,
                              kai_value3 displacement)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, add(world, structure, set, displacement, false));
}

kai_result kai_structure_move_held(kai_world* world, kai_structure structure, const char* set,
                                   kai_value3 displacement)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, add(world, structure, set, displacement, true));
}
