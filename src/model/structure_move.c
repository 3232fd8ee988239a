// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/structure.h"

#include <kairos/joint_nodes.h>

static kai_result add(kai_world* world, kai_structure structure, const char* set,
                      kai_value3 displacement)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    if (frames)
        return kai_error_set(&world->error, KAI_ERROR_UNSUPPORTED,
                             "nodes of structure '%s' are bodies; must be moved by joints of kind "
                             "imposed-motion",
                             kai_structure_name(world, structure));
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++) {
        kai_joint_node_motion_params p;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_node_motion.kind, &p);
        p.node = kai_structure_node_at(world, structure, set, i);
        p.value = displacement;
        KAI_TRY(kai_joint_create(world, &kai_joint_node_motion, &p, NULL, &joint));
    }
    return KAI_OK;
}

kai_result kai_structure_move(kai_world* world, kai_structure structure, const char* set,
                              kai_value3 displacement)
{
    return kai_world_fail(world, __func__, add(world, structure, set, displacement));
}
