// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/body.h"
#include "model/check.h"
#include "model/structures/structure.h"

#include <kairos/joint_nodes.h>

static kai_result link_node(kai_world* world, kai_node node, kai_body body, bool turned)
{
    kai_joint joint;
    if (turned) {
        kai_joint_node_fixed_params p;
        kai_kind_defaults(&kai_joint_node_fixed.kind, &p);
        p.node = node;
        p.base.bodies[0] = body;
        return kai_joint_create(world, &kai_joint_node_fixed, &p, NULL, &joint);
    }
    kai_joint_node_point_params p;
    kai_kind_defaults(&kai_joint_node_point.kind, &p);
    p.node = node;
    p.base.bodies[0] = body;
    return kai_joint_create(world, &kai_joint_node_point, &p, NULL, &joint);
}

static kai_result link_body(kai_world* world, kai_body node, kai_body body, bool turned)
{
    const kai_joint_kind* kind = turned ? &kai_joint_fixed : &kai_joint_spherical;
    kai_joint_base p;
    kai_joint joint;
    kai_kind_defaults(&kind->kind, &p);
    p.bodies[0] = body;
    p.bodies[1] = node;
    p.at = kai_body_position(world, node);
    return kai_joint_create(world, kind, &p, NULL, &joint);
}

static kai_result add(kai_world* world, kai_structure structure, const char* set, kai_body body,
                      bool turned)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    if (kai_bodies_slot(&world->bodies, body) == SIZE_MAX)
        return kai_body_id_error(body, &world->error);
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++)
        KAI_TRY(
            frames
                ? link_body(world, kai_structure_body_at(world, structure, set, i), body, turned)
                : link_node(world, kai_structure_node_at(world, structure, set, i), body, turned));
    return KAI_OK;
}

kai_result kai_structure_link(kai_world* world, kai_structure structure, const char* set,
                              kai_body body, bool turned)
{
    KAI_CHANGE(world);
    return kai_world_fail(world, __func__, add(world, structure, set, body, turned));
}
