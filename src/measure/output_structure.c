// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "measure/output_table.h"
#include "model/node.h"

#include <kairos/structure.h>

static const char* set_of(const kai_output_subject* s)
{
    return s->set && s->set[0] ? s->set : NULL;
}

KAI_OUTPUT_GETTER(get_energy)
{
    return kai_output_told(world, kai_structure_energy(world, s->structure, &out[0], &out[1]), err);
}

// Force and moment.
KAI_OUTPUT_TWO_VECTORS(get_reaction, kai_structure_reaction(world, s->structure, set_of(s), &a, &b))

/// Means over the nodes of a set.
static void output_structure_means(const kai_world* world, const kai_output_subject* s,
                                   kai_vec3* position, kai_vec3* velocity)
{
    const size_t count = kai_structure_size(world, s->structure, set_of(s));
    *position = *velocity = kai_vec3_zero();
    for (size_t i = 0; i < count; i++) {
        const kai_node node = kai_structure_node_at(world, s->structure, set_of(s), i);
        const uint32_t slot = kai_node_slot(world, node);
        kai_vec3 at, v;
        if (slot == UINT32_MAX) {
            const kai_body body = kai_structure_body_at(world, s->structure, set_of(s), i);
            at = kai_body_position(world, body);
            v = kai_body_velocity(world, body);
        } else {
            at = kai_node_all(world)[slot].def.position;
            v = kai_node_all(world)[slot].def.velocity;
        }
        *position = kai_vec3_mul_add(*position, at, 1.0 / (double)count);
        *velocity = kai_vec3_mul_add(*velocity, v, 1.0 / (double)count);
    }
}

// Position and velocity.
KAI_OUTPUT_GETTER(get_means)
{
    kai_vec3 position, velocity;
    output_structure_means(world, s, &position, &velocity);
    kai_output_put(out, position);
    kai_output_put(out + 3, velocity);
    return KAI_OK;
}

static const char* const ENERGY[] = {"kinetic", "elastic"};

static const kai_output_table_item STRUCTURE[] = {
    KAI_OUTPUT_ITEM("energy", "J", "Kinetic energy, and elastic energy stored in its elements.",
                    ENERGY, .get = get_energy),
    KAI_OUTPUT_VEC3("position", "m", "Mean over the nodes of the set, world frame.",
                    .get = get_means, .moment = KAI_OUTPUT_POSITIONS),
    KAI_OUTPUT_VEC3("velocity", "m/s", "Mean over the nodes of the set, world frame.",
                    .get = get_means, .first = 3, .moment = KAI_OUTPUT_VELOCITIES),
    KAI_OUTPUT_VEC3("reaction", "N",
                    "Sum of the reaction forces at the fixed nodes of the set, world frame.",
                    .get = get_reaction, .evaluated = true),
    KAI_OUTPUT_VEC3("reaction_moment", "N m", "Its moment about the origin of the world.",
                    .get = get_reaction, .first = 3, .evaluated = true),
};

const kai_output_table kai_output_structure_table = {STRUCTURE, KAI_COUNT(STRUCTURE)};
