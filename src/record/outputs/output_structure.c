// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/node.h"
#include "record/outputs/output_table.h"

#include <kairos/structure.h>
#include <string.h>

static kai_result told(const kai_world* world, kai_result r, kai_error* err)
{
    if (r != KAI_OK && err != NULL) *err = *kai_world_error(world);
    return r;
}

static kai_result put(kai_vec3 v, double* out)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
    return KAI_OK;
}

static const char* set_of(const kai_output_subject* s)
{
    return s->set && s->set[0] ? s->set : NULL;
}

static kai_result get_energy(kai_world* world, const kai_output_subject* s, double* out,
                             kai_error* err)
{
    return told(world, kai_structure_energy(world, s->structure, &out[0], &out[1]), err);
}

static kai_result get_reaction(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_vec3 force, moment;
    KAI_TRY(
        told(world, kai_structure_reaction(world, s->structure, set_of(s), &force, &moment), err));
    return put(force, out);
}

static kai_result get_reaction_moment(kai_world* world, const kai_output_subject* s, double* out,
                                      kai_error* err)
{
    kai_vec3 force, moment;
    KAI_TRY(
        told(world, kai_structure_reaction(world, s->structure, set_of(s), &force, &moment), err));
    return put(moment, out);
}

/// Means over the nodes of a set.
static void means(const kai_world* world, const kai_output_subject* s, kai_vec3* position,
                  kai_vec3* velocity)
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
            at = kai_node_all(world)[slot].position;
            v = kai_node_all(world)[slot].velocity;
        }
        *position = kai_vec3_mul_add(*position, at, 1.0 / (double)count);
        *velocity = kai_vec3_mul_add(*velocity, v, 1.0 / (double)count);
    }
}

static kai_result get_position(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_vec3 position, velocity;
    (void)err;
    means(world, s, &position, &velocity);
    return put(position, out);
}

static kai_result get_velocity(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_vec3 position, velocity;
    (void)err;
    means(world, s, &position, &velocity);
    return put(velocity, out);
}

#define LABELS(list) KAI_OUTPUT_LABELS(list)

static const char* const XYZ[] = {"x", "y", "z"};
static const char* const ENERGY[] = {"kinetic", "elastic"};

static const kai_output_table_item STRUCTURE[] = {
    {{"energy", "J", "Energy of motion, and energy stored in its elements.", LABELS(ENERGY)},
     get_energy,
     false,
     0},
    {{"position", "m", "Mean of the nodes of the set, world frame.", LABELS(XYZ)},
     get_position,
     false,
     0},
    {{"velocity", "m/s", "Mean of the nodes of the set, world frame.", LABELS(XYZ)},
     get_velocity,
     false,
     0},
    {{"reaction", "N", "Sum of the forces of supports on the fixed nodes of the set, world frame.",
      LABELS(XYZ)},
     get_reaction,
     true,
     0},
    {{"reaction_moment", "N m", "Its moment about the origin of the world.", LABELS(XYZ)},
     get_reaction_moment,
     true,
     0},
};

const kai_output_table kai_output_structure_table = {STRUCTURE, KAI_COUNT(STRUCTURE)};
