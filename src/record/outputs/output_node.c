// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/error.h"
#include "model/node.h"
#include "record/outputs/output_table.h"

static kai_result put(kai_vec3 v, double* out)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
    return KAI_OK;
}

static kai_result find(kai_world* world, const kai_output_subject* s, kai_node_def* out,
                       kai_error* err)
{
    const kai_result r = kai_node_get(world, s->node, out);
    return r == KAI_OK ? r : kai_error_set(err, r, "%s", kai_world_error(world)->message);
}

static kai_result get_position(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.position, out);
}

static kai_result get_displacement(kai_world* world, const kai_output_subject* s, double* out,
                                   kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(kai_vec3_sub(def.position, def.reference[0]), out);
}

static kai_result get_velocity(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.velocity, out);
}

static kai_result get_acceleration(kai_world* world, const kai_output_subject* s, double* out,
                                   kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.acceleration[0], out);
}

static kai_result get_slope(kai_world* world, const kai_output_subject* s, double* out,
                            kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.slopes > 0 ? def.slope[0] : kai_vec3_zero(), out);
}

static kai_result get_reaction(kai_world* world, const kai_output_subject* s, double* out,
                               kai_error* err)
{
    kai_vec3 held[1 + KAI_NODE_SLOPES];
    const kai_result r = kai_node_reaction(world, s->node, held);
    if (r != KAI_OK) return kai_error_set(err, r, "%s", kai_world_error(world)->message);
    return put(held[0], out);
}

/// Forces on slopes turn with them.
static kai_result get_reaction_moment(kai_world* world, const kai_output_subject* s, double* out,
                                      kai_error* err)
{
    kai_node_def def;
    kai_vec3 held[1 + KAI_NODE_SLOPES], sum = kai_vec3_zero();
    KAI_TRY(find(world, s, &def, err));
    const kai_result r = kai_node_reaction(world, s->node, held);
    if (r != KAI_OK) return kai_error_set(err, r, "%s", kai_world_error(world)->message);
    for (int k = 0; k < def.slopes; k++)
        sum = kai_vec3_add(sum, kai_vec3_cross(def.slope[k], held[1 + k]));
    return put(sum, out);
}

#define LABELS(list) KAI_OUTPUT_LABELS(list)

static const char* const XYZ[] = {"x", "y", "z"};

static const kai_output_table_item NODE[] = {
    {{"position", "m", "World frame.", LABELS(XYZ)}, get_position, false, 0},
    {{"displacement", "m", "From where it is without deformation.", LABELS(XYZ)},
     get_displacement,
     false,
     0},
    {{"velocity", "m/s", "World frame.", LABELS(XYZ)}, get_velocity, false, 0},
    {{"acceleration", "m/s²", "World frame.", LABELS(XYZ)}, get_acceleration, true, 0},
    {{"slope", "", "Its first slope, zero when it has none.", LABELS(XYZ)}, get_slope, false, 0},
    {{"reaction", "N", "Force of the support where it is fixed, world frame.", LABELS(XYZ)},
     get_reaction,
     true,
     0},
    {{"reaction_moment", "N m", "Moment of the support on its slopes, world frame.", LABELS(XYZ)},
     get_reaction_moment,
     true,
     0},
};

const kai_output_table kai_output_node_table = {NODE, KAI_COUNT(NODE)};
