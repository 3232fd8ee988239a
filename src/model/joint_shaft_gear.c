// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two shafts turn at a fixed ratio, as seen from the housing h with its axis n:
//     (ω₂ - n·ω_h) - ratio (ω₁ - n·ω_h) = 0.
// The torques on the shafts are λ and -ratio λ; the housing takes (ratio - 1) λ about n, so that
// all three add up to nothing.
#include "base/error.h"
#include "model/joint.h"
#include "model/joint_view.h"

typedef kai_joint_shaft_gear_params params;

static void evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        b->rows[i] = (kai_joint_row){.a.torque = kai_vec3_scale(p->direction, p->ratio - 1.0)};
        b->further[2 * i].force.x = -p->ratio;
        b->further[2 * i + 1].force.x = 1.0;
    }
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->direction = kai_joint_direction(world, p->base.bodies[0], p->base.axis);
    return KAI_OK;
}

static kai_result check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (p->ratio == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "shaft-gear: ratio is 0; must not be 0");
    if (kai_vec3_norm(p->base.axis) > 0.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "shaft-gear: axis is [0, 0, 0]; must have a length > 0");
}

static const kai_param PARAMS[] = {
    KAI_JOINT_HOUSING_PARAMS,
    {.name = "shafts",
     .type = KAI_PARAM_SHAFT,
     .offset = offsetof(params, shafts),
     .columns = 2,
     .required = true,
     .doc = "Names of shaft 1 and shaft 2."},
    {.name = "ratio",
     .type = KAI_PARAM_REAL,
     .offset = offsetof(params, ratio),
     .required = true,
     .doc = "Speed of 2 over speed of 1, not 0: negative when they turn against each other."},
    {.name = "direction",
     .type = KAI_PARAM_VEC3,
     .offset = offsetof(params, direction),
     .hidden = true},
};

const kai_joint_kind kai_joint_shaft_gear = {
    .kind = {.name = "shaft-gear",
             .doc = "Two shafts at a fixed ratio, on the ground or in a housing that takes the "
                    "reaction.",
             .size = sizeof(params),
             .params = PARAMS,
             .param_count = KAI_COUNT(PARAMS),
             .check = check},
    .section = "driveline",
    .rows = 1,
    .evaluate = evaluate,
    .prepare = prepare,
    .shafts = offsetof(params, shafts),
    .shaft_count = 2,
    .frameless = true,
    .velocity_level = true};
