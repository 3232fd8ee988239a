// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/structure.h"

/// A ball on a body that is a node.
static kai_result add_ball(kai_world* world, kai_body body, double radius, kai_material material,
                           int family, bool among)
{
    const kai_shape_sphere_params sphere = {radius};
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    def.material = material;
    def.family = family;
    def.visible = false; // what is seen is the mesh
    if (!among) def.mask &= ~(INT64_C(1) << family);
    return kai_shape_create(world, body, &kai_shape_sphere, &sphere, &def, &shape);
}

static kai_result add(kai_world* world, kai_structure structure, const char* set, double radius,
                      kai_material material, bool among)
{
    bool frames;
    KAI_TRY(kai_structure_check(world, structure, set, &frames));
    const int family = 1 + (int)(structure.index % 15); // bodies are of family 0 unless told
    const size_t count = kai_structure_size(world, structure, set);
    for (size_t i = 0; i < count; i++)
        KAI_TRY(frames
                    ? add_ball(world, kai_structure_body_at(world, structure, set, i), radius,
                               material, family, among)
                    : kai_node_set_contact(world, kai_structure_node_at(world, structure, set, i),
                                           radius, material, family, among));
    return KAI_OK;
}

kai_result kai_structure_contact(kai_world* world, kai_structure structure, const char* set,
                                 double radius, kai_material material, bool among)
{
    return kai_world_fail(world, __func__, add(world, structure, set, radius, material, among));
}
