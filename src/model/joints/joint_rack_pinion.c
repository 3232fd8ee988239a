// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The pinion a turns about an axis u, the rack b slides along a direction s, both still in the
// housing, or in the world; as seen from there,
//     s · v_b = radius u · ω_a,   v_b of the mass centre of b.
// The row holds speeds, as that of a gear does.
#include "model/joints/joint_housing.h"

/// An instance.
typedef struct params {
    kai_joint_rack_pinion_params given;
    kai_vec3 turn;  // unit axis of a in the housing or the world
    kai_vec3 slide; // unit direction of b in the housing or the world
} params;

static void rack_pinion_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const kai_pose* housing = kai_joint_housing_pose(b, i);
        const kai_vec3 turn = kai_joint_housing_axis(housing, p->turn);
        const kai_vec3 slide = kai_joint_housing_axis(housing, p->slide);
        kai_joint_housing_spins(b, i, housing, kai_vec3_scale(turn, -p->given.radius),
                                kai_vec3_zero());
        b->rows[i].b.force = slide;
        if (!housing) continue;
        const kai_vec3 arm = kai_vec3_sub(b->pose[b->slot[2 * i + 1]].position, housing->position);
        const kai_vec3 turning = kai_quat_unrotate(housing->rotation, kai_vec3_cross(slide, arm));
        b->further[i].force = kai_vec3_neg(slide);
        b->further[i].torque = kai_vec3_add(b->further[i].torque, turning);
    }
}

static kai_result rack_pinion_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_joint_housing_check("rack-pinion", &p->given.base, p->given.housing, err));
    p->turn = kai_joint_housing_keep(world, p->given.housing,
                                     kai_joint_view_now(world, &p->given.base).a[2]);
    p->slide =
        kai_joint_housing_keep(world, p->given.housing, kai_vec3_normalize(p->given.direction));
    return KAI_OK;
}

static kai_result rack_pinion_check(const void* instance, kai_error* err)
{
    const kai_joint_rack_pinion_params* p = instance;
    if (p->radius == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "rack-pinion: radius is 0 m; must not be 0");
    if (kai_vec3_max_abs(p->direction) == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "rack-pinion: direction is [0, 0, 0]; must have a length > 0");
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_PARAMS,
    KAI_JOINT_HOUSED_PARAM(kai_joint_rack_pinion_params),
    KAI_PARAM(VEC3, kai_joint_rack_pinion_params, direction, .placing = KAI_PLACING_VECTOR,
              .required = true, .doc = "Direction in which the rack b slides, world coordinates."),
    KAI_PARAM(REAL, kai_joint_rack_pinion_params, radius, .unit = "m", .required = true,
              .doc = "Radius of the pinion a, not 0; negative: the rack runs against direction."),
    KAI_PARAM(VEC3, params, turn, .hidden = true),
    KAI_PARAM(VEC3, params, slide, .hidden = true),
};

const kai_joint_kind kai_joint_rack_pinion = {
    .kind = KAI_KIND(
        "rack-pinion", params, PARAMS, .given = sizeof(kai_joint_rack_pinion_params),
        .check = rack_pinion_check,
        .doc =
            "The pinion a rotates about the axis and drives the rack b along a direction. Both are fixed in the world or in a housing; at is where the teeth mesh."),
    .rows = 1,
    .evaluate = rack_pinion_evaluate,
    .prepare = rack_pinion_prepare,
    .others = offsetof(kai_joint_rack_pinion_params, housing),
    .other_count = 1,
    .velocity_level = true,
    .grounded = true};
