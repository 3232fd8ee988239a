// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A force F at a point P that moves with the body. With p the arm from the mass centre to P in the
// principal frame and R its rotation: force F, torque p × Rᵀ F (principal frame). In the frame
// "body", F = R A f with A from the own frame to the principal frame.
#include "base/error.h"
#include "model/world.h"

/// An instance.
typedef struct params {
    kai_load_force_params given;
    kai_vec3 point; // of attack, in the principal frame
    kai_quat axes;  // own frame to principal frame
} params;

static void force_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const kai_quat rotation = b->pose[b->slot[i]].rotation;
        const kai_vec3 value = {kai_function_set_value(b->functions, &p->given.value.x, b->time).y,
                                kai_function_set_value(b->functions, &p->given.value.y, b->time).y,
                                kai_function_set_value(b->functions, &p->given.value.z, b->time).y};
        kai_vec3 world, inner;
        if (p->given.frame == KAI_LOAD_WORLD) {
            world = value;
            inner = kai_quat_unrotate(rotation, value);
        } else {
            inner = kai_quat_rotate(p->axes, value);
            world = kai_quat_rotate(rotation, inner);
        }
        b->out[i].force = world;
        b->out[i].torque = kai_vec3_cross(p->point, inner);
    }
}

static bool is_given(kai_vec3 v) { return !isnan(v.x); }

static kai_result force_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    if (is_given(p->given.at) && is_given(p->given.at_body))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "force: at and at_body are both given; give one");
    const size_t slot = kai_bodies_slot(&world->bodies, p->given.body);
    const kai_frame offset = kai_bodies_offset(&world->bodies, slot);
    const kai_pose* pose = &world->bodies.pose[slot];
    p->axes = offset.rotation;
    p->point = kai_vec3_zero();
    if (is_given(p->given.at))
        p->point = kai_quat_unrotate(pose->rotation, kai_vec3_sub(p->given.at, pose->position));
    else if (is_given(p->given.at_body))
        p->point = kai_frame_point_to_parent(offset, p->given.at_body);
    return KAI_OK;
}

static const char* const FRAMES[] = {"world", "body", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, kai_load_force_params, body, .required = true,
              .doc = "Body that the force acts on."),
    KAI_PARAM(
        VEC3, kai_load_force_params, at, .placing = KAI_PLACING_POINT, .unit = "m",
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "Point where the force acts, world coordinates at t = 0; it moves with the body. The mass centre when absent."),
    KAI_PARAM(VEC3, kai_load_force_params, at_body, .placing = KAI_PLACING_OWN, .unit = "m",
              .initial = {(double)NAN, (double)NAN, (double)NAN},
              .doc = "Point where the force acts, in the body's own frame, instead of at."),
    KAI_PARAM(VALUE3, kai_load_force_params, value, .placing = KAI_PLACING_VECTOR, .unit = "N",
              .required = true, .doc = "The force; each component a number or a function of time."),
    KAI_PARAM(
        ENUM, kai_load_force_params, frame, .words = FRAMES,
        .doc =
            "Frame in which value is given: `world` keeps its direction, `body` rotates with the body."),
    KAI_PARAM(VEC3, params, point, .hidden = true),
    KAI_PARAM(ROTATION, params, axes, .hidden = true),
};

const kai_load_kind kai_load_force = {
    .kind = KAI_KIND("force", params, PARAMS, .given = sizeof(kai_load_force_params),
                     .doc = "A force at a point that moves with the body."),
    .apply = force_apply,
    .prepare = force_prepare};
