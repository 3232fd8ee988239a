// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "record/output_node.h"

#include "base/error.h"
#include "model/node.h"

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

kai_result kai_output_node_position(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.position, out);
}

kai_result kai_output_node_displacement(kai_world* world, const kai_output_subject* s, double* out,
                                        kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(kai_vec3_sub(def.position, def.reference[0]), out);
}

kai_result kai_output_node_velocity(kai_world* world, const kai_output_subject* s, double* out,
                                    kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.velocity, out);
}

kai_result kai_output_node_acceleration(kai_world* world, const kai_output_subject* s, double* out,
                                        kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.acceleration[0], out);
}

kai_result kai_output_node_slope(kai_world* world, const kai_output_subject* s, double* out,
                                 kai_error* err)
{
    kai_node_def def;
    KAI_TRY(find(world, s, &def, err));
    return put(def.slopes > 0 ? def.slope[0] : kai_vec3_zero(), out);
}
