// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A belt that neither slips nor stretches runs over two pulleys whose parallel axes z bearings hold
// still in the housing, or in the world; as seen from there,
//     radius_a z · ω_a = ± radius_b z · ω_b,   minus for a crossed belt.
// The row holds speeds, as that of a gear does; its multiplier is the difference of the belt's
// tensions.
#include "model/joints/joint_housing.h"

/// An instance.
typedef struct params {
    kai_joint_pulley_params given;
    kai_vec3 turn; // unit axis of both in the housing or the world
} params;

static void pulley_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_pose* housing = kai_joint_housing_pose(b, i);
        const kai_vec3 turn = kai_joint_housing_axis(housing, p->turn);
        const double sign = p->given.crossed ? 1.0 : -1.0;
        kai_joint_housing_spins(b, i, housing, kai_vec3_scale(turn, sign * p->given.radius_a),
                                kai_vec3_scale(turn, p->given.radius_b));
    }
}

static kai_result pulley_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_housing_check("pulley", &p->given.base, p->given.housing, err));
    p->turn = kai_joint_housing_keep(world, p->given.housing,
                                     kai_joint_view_now(world, &p->given.base).a[2]);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_JOINT_HOUSED_PARAM(kai_joint_pulley_params),
    KAI_PARAM(REAL, kai_joint_pulley_params, radius_a, .unit = "m", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Radius of the pulley on a."),
    KAI_PARAM(REAL, kai_joint_pulley_params, radius_b, .unit = "m", .required = true,
              .range = KAI_ABOVE(0.0), .doc = "Radius of the pulley on b."),
    KAI_PARAM(
        BOOL, kai_joint_pulley_params, crossed,
        .doc = "Whether the belt is crossed, so that the pulleys rotate in opposite directions."),
    KAI_PARAM(VEC3, params, turn, .hidden = true),
};

const kai_joint_kind kai_joint_pulley = {
    .kind = KAI_KIND(
        "pulley", params, PARAMS, .given = sizeof(kai_joint_pulley_params),
        .doc =
            "A belt without slip joins two pulleys with parallel axes, fixed in the world or in a housing."),
    .rows = 1,
    .evaluate = pulley_evaluate,
    .prepare = pulley_prepare,
    .others = offsetof(kai_joint_pulley_params, housing),
    .other_count = 1,
    .velocity_level = true,
    .grounded = true};
