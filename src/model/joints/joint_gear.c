// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two bodies turn about parallel axes that bearings hold still in the housing, or in the
// world, with, as seen from there,
//     z · ω_b = ratio z · ω_a.
// ratio is negative for gears that mesh from outside, positive for one inside the other. The row
// holds speeds: angles follow as well as the integrator adds speeds up, and do not drift while the
// axes stay where they are, since both angles are then sums of the same steps. The torques on a and
// b do not cancel: the rest goes through the bearings into the housing or the ground.
#include "model/joints/joint_housing.h"

typedef kai_joint_housing_gears params;

static kai_result gear_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_housing_check("gear", &p->given.base, p->given.housing, err));
    const kai_joint_view v = kai_joint_view_now(world, &p->given.base);
    p->turn[0] = p->turn[1] = kai_joint_housing_keep(world, p->given.housing, v.a[2]);
    return KAI_OK;
}

static kai_result gear_check(const void* instance, kai_error* err)
{
    const kai_joint_gear_params* p = instance;
    if (p->ratio != 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT, "gear: ratio is 0; must not be 0");
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_JOINT_HOUSED_PARAM(kai_joint_gear_params),
    KAI_PARAM(REAL, kai_joint_gear_params, ratio, .required = true,
              .doc =
                  "Speed of b over speed of a about the axis, not 0; negative for external gears."),
    KAI_PARAM(VEC3, params, turn, .columns = 2, .hidden = true),
};

const kai_joint_kind kai_joint_gear = {
    .kind = KAI_KIND(
        "gear", params, PARAMS, .given = sizeof(kai_joint_gear_params), .check = gear_check,
        .doc =
            "Gear pair with parallel axes: b rotates at a fixed ratio to a. Axes are fixed in the world or in a housing; at is where the teeth mesh."),
    .rows = 1,
    .evaluate = kai_joint_housing_gear,
    .prepare = gear_prepare,
    .others = offsetof(kai_joint_gear_params, housing),
    .other_count = 1,
    .velocity_level = true,
    .grounded = true};
