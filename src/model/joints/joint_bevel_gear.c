// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two bodies turn about axes u_a (axis) and u_b (axis2), of any directions, that bearings hold
// still in the housing, or in the world, with, as seen from there,
//     u_b · ω_b = ratio u_a · ω_a.
// The row holds speeds, as that of a gear does.
#include "model/joints/joint_housing.h"

typedef kai_joint_housing_gears params;

static kai_result bevel_gear_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_housing_check("bevel-gear", &p->given.base, p->given.housing, err));
    const kai_vec3 first = kai_joint_view_now(world, &p->given.base).a[2];
    p->turn[0] = kai_joint_housing_keep(world, p->given.housing, first);
    p->turn[1] =
        kai_joint_housing_keep(world, p->given.housing, kai_vec3_normalize(p->given.axis2));
    return KAI_OK;
}

static kai_result bevel_gear_check(const void* instance, kai_error* err)
{
    const kai_joint_gear_params* p = instance;
    if (p->ratio == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "bevel-gear: ratio is 0; must not be 0");
    if (kai_vec3_max_abs(p->axis2) == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "bevel-gear: axis2 is [0, 0, 0]; must have a length > 0");
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_JOINT_HOUSED_PARAM(kai_joint_gear_params),
    KAI_PARAM(VEC3, kai_joint_gear_params, axis2, .placing = KAI_PLACING_AXIAL, .required = true,
              .doc = "Axis of b in world coordinates; axis is that of a."),
    KAI_PARAM(REAL, kai_joint_gear_params, ratio, .required = true,
              .doc = "Speed of b about axis2 over speed of a about axis, not 0."),
    KAI_PARAM(VEC3, params, turn, .columns = 2, .hidden = true),
};

const kai_joint_kind kai_joint_bevel_gear = {
    .kind = KAI_KIND(
        "bevel-gear", params, PARAMS, .given = sizeof(kai_joint_gear_params),
        .check = bevel_gear_check,
        .doc =
            "b rotates about axis2 at a fixed ratio to a about axis. Axes are fixed in the world or in a housing; at is where the teeth mesh."),
    .rows = 1,
    .evaluate = kai_joint_housing_gear,
    .prepare = bevel_gear_prepare,
    .others = offsetof(kai_joint_gear_params, housing),
    .other_count = 1,
    .velocity_level = true,
    .grounded = true};
