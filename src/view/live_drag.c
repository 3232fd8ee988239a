// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// With ω the frequency of the spring alone, k = m ω² and c = 2 m ω: critically damped for a point
// mass, more so for a point off the mass centre, whose effective mass is smaller. ω is bounded by
// the step, so that the explicit integrators stay stable (ω h < 1/2; leapfrog needs ω h < 2).
#include "view/live_drag.h"

#include "base/error.h"

typedef kai_live_drag_params params;

static const double OMEGA = 18.8; // rad/s: three swings a second if it were not damped
static const double OMEGA_STEP = 0.3;

static void live_drag_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const kai_pose* pose = &b->pose[b->slot[i]];
        const kai_motion* motion = &b->motion[b->slot[i]];
        const kai_vec3 turning = kai_vec3_cross(motion->spin, p->inner);
        const kai_vec3 at = kai_vec3_add(pose->position, kai_quat_rotate(pose->rotation, p->inner));
        const kai_vec3 v = kai_vec3_add(motion->velocity, kai_quat_rotate(pose->rotation, turning));
        const kai_vec3 pull = kai_vec3_scale(kai_vec3_sub(p->target, at), p->stiffness);
        b->out[i].force = kai_vec3_mul_add(pull, v, -p->damping);
        b->out[i].torque =
            kai_vec3_cross(p->inner, kai_quat_unrotate(pose->rotation, b->out[i].force));
    }
}

static kai_result live_drag_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    const size_t slot = kai_bodies_slot(&world->bodies, p->body);
    if (slot == SIZE_MAX || kai_bodies_mass_of(&world->bodies, slot)->inverse_mass == 0.0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "the body is fixed; it cannot be dragged");
    const double mass = kai_bodies_mass_of(&world->bodies, slot)->mass;
    const double omega = fmin(OMEGA, p->step > 0.0 ? OMEGA_STEP / p->step : OMEGA);
    p->stiffness = mass * omega * omega;
    p->damping = 2.0 * mass * omega;
    p->inner = kai_frame_point_to_parent(kai_bodies_offset(&world->bodies, slot), p->point);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, params, body, .required = true, .doc = "Body that is dragged."),
    KAI_PARAM(VEC3, params, point, .unit = "m", .doc = "Its point, own frame."),
    KAI_PARAM(VEC3, params, target, .unit = "m", .doc = "Where it is dragged to."),
    KAI_PARAM(REAL, params, step, .unit = "s", .doc = "Step of the run."),
    KAI_PARAM(REAL, params, stiffness, .hidden = true),
    KAI_PARAM(REAL, params, damping, .hidden = true),
    KAI_PARAM(VEC3, params, inner, .hidden = true),
};

const kai_load_kind kai_live_drag = {.kind = KAI_KIND("live-drag", params, PARAMS,
                                                      KAI_SIZES(kai_load_kind),
                                                      .doc = "A viewer drags a body."),
                                     .apply = live_drag_apply,
                                     .prepare = live_drag_prepare,
                                     .needs_velocity = true};
