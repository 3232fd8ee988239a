// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "measure/output_table.h"
#include "model/node.h"

// Position, displacement, velocity, acceleration and first gradient, 3 each.
KAI_OUTPUT_GETTER(get_motion)
{
    kai_node_def def;
    kai_vec3 reference[1 + KAI_NODE_SLOPES];
    KAI_TRY(kai_output_told(world, kai_node_get(world, s->node, &def), err));
    KAI_TRY(kai_output_told(world, kai_node_reference(world, s->node, reference), err));
    kai_output_put(out, def.position);
    kai_output_put(out + 3, kai_vec3_sub(def.position, reference[0]));
    kai_output_put(out + 6, def.velocity);
    kai_output_put(out + 9, def.acceleration[0]);
    kai_output_put(out + 12, def.slopes > 0 ? def.slope[0] : kai_vec3_zero());
    return KAI_OK;
}

// Force, and moment: forces on gradients turn with them.
KAI_OUTPUT_GETTER(get_reaction)
{
    kai_node_def def;
    kai_vec3 held[1 + KAI_NODE_SLOPES], moment = kai_vec3_zero();
    KAI_TRY(kai_output_told(world, kai_node_get(world, s->node, &def), err));
    KAI_TRY(kai_output_told(world, kai_node_reaction(world, s->node, held), err));
    for (int k = 0; k < def.slopes; k++)
        moment = kai_vec3_add(moment, kai_vec3_cross(def.slope[k], held[1 + k]));
    kai_output_put(out, held[0]);
    kai_output_put(out + 3, moment);
    return KAI_OK;
}

static const kai_output_table_item NODE[] = {
    KAI_OUTPUT_VEC3("position", "m", "World frame.", .get = get_motion,
                    .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("displacement", "m", "Displacement from its position without deformation.",
                    .get = get_motion, .first = 3, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("velocity", "m/s", "World frame.", .get = get_motion, .first = 6,
                    .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("acceleration", "m/s²", "World frame.", .get = get_motion, .first = 9,
                    .evaluated = true),
    KAI_OUTPUT_VEC3("slope", "", "First slope; zero when it has none.", .get = get_motion,
                    .first = 12, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("reaction", "N",
                    "Reaction force of the support where it is fixed, world frame.",
                    .get = get_reaction, .evaluated = true),
    KAI_OUTPUT_VEC3("reaction_moment", "N m",
                    "Reaction moment of the support on its slopes, world frame.",
                    .get = get_reaction, .first = 3, .evaluated = true),
};

const kai_output_table kai_output_node_table = {NODE, KAI_COUNT(NODE)};
