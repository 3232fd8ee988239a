// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A shaft that turns with body b about an axis n of it: ω - n·ω_b = 0; the shaft gets λ, b gets -λ
// n.
//
// With a second body a, against which b turns about n: ω - n·(ω_b - ω_a) = 0, and a gets λ n. The
// shaft is then a coordinate inside a: what drives it needs no housing, because a takes the
// reaction here. Its own inertia counts for the speed against a only.
#include "model/joints/driveline.h"

/// An instance.
typedef struct params {
    kai_joint_shaft_body_params given;
    kai_vec3 direction[2]; // axis in the principal frames of a and b
} params;

static void shaft_body_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] =
            (kai_joint_row){.a.torque = p->direction[0], .b.torque = kai_vec3_neg(p->direction[1])};
        b->further[i].force.x = 1.0;
    }
}

static kai_result shaft_body_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    for (int k = 0; k < 2; k++)
        p->direction[k] = kai_joint_direction(world, p->given.base.bodies[k], p->given.base.axis);
    return KAI_OK;
}

static kai_result shaft_body_check(const void* instance, kai_error* err)
{
    const kai_joint_shaft_body_params* p = instance;
    return kai_driveline_check_axis("shaft-body", "axis", p->base.axis, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_SHAFT_PARAMS,
    KAI_PARAM(SHAFT, kai_joint_shaft_body_params, shaft, .required = true,
              .doc = "Name of the shaft."),
    KAI_PARAM_AS("body", BODY, kai_joint_base, bodies[1], .required = true,
                 .doc = "Body that rotates with the shaft."),
    KAI_PARAM_AS(
        "against", BODY, kai_joint_base, bodies[0],
        .doc =
            "Body that carries the other one: the shaft's speed is the relative speed of the two bodies, and this body takes the reaction."),
    KAI_PARAM(VEC3, kai_joint_base, axis, .placing = KAI_PLACING_AXIAL, .initial = {0.0, 0.0, 1.0},
              .doc = "Axis about which they rotate, world coordinates at t = 0."),
    KAI_PARAM(VEC3, params, direction, .columns = 2, .hidden = true),
};

const kai_joint_kind kai_joint_shaft_body = {
    .kind = KAI_KIND("shaft-body", params, PARAMS, .given = sizeof(kai_joint_shaft_body_params),
                     .check = shaft_body_check,
                     .doc = "A shaft rotates with a body about an axis of the body."),
    .section = "driveline",
    .rows = 1,
    .evaluate = shaft_body_evaluate,
    .prepare = shaft_body_prepare,
    .shafts = offsetof(kai_joint_shaft_body_params, shaft),
    .shaft_count = 1,
    .frameless = true,
    .velocity_level = true};
