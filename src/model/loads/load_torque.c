// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A torque T on a body. Principal frame: Rᵀ T, or A t when it is given in the body's own frame.
#include "model/world.h"

/// An instance.
typedef struct params {
    kai_load_torque_params given;
    kai_quat axes; // own frame to principal frame
} params;

static void torque_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const kai_vec3 value = {kai_function_set_value(b->functions, &p->given.value.x, b->time).y,
                                kai_function_set_value(b->functions, &p->given.value.y, b->time).y,
                                kai_function_set_value(b->functions, &p->given.value.z, b->time).y};
        b->out[i].torque = p->given.frame == KAI_LOAD_WORLD
                               ? kai_quat_unrotate(b->pose[b->slot[i]].rotation, value)
                               : kai_quat_rotate(p->axes, value);
    }
}

static kai_result torque_prepare(const kai_world* world, void* instance, kai_error* err)
{
    (void)err;
    params* p = instance;
    p->axes =
        kai_bodies_offset(&world->bodies, kai_bodies_slot(&world->bodies, p->given.body)).rotation;
    return KAI_OK;
}

static const char* const FRAMES[] = {"world", "body", NULL};

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, kai_load_torque_params, body, .required = true,
              .doc = "Body that the torque acts on."),
    KAI_PARAM(VALUE3, kai_load_torque_params, value, .placing = KAI_PLACING_AXIAL, .unit = "N m",
              .required = true,
              .doc = "The torque; each component a number or a function of time."),
    KAI_PARAM(
        ENUM, kai_load_torque_params, frame, .words = FRAMES,
        .doc =
            "Frame in which value is given: `world` keeps its direction, `body` rotates with the body."),
    KAI_PARAM(ROTATION, params, axes, .hidden = true),
};

const kai_load_kind kai_load_torque = {.kind = KAI_KIND("torque", params, PARAMS,
                                                        .given = sizeof(kai_load_torque_params),
                                                        .doc = "A torque on a body."),
                                       .apply = torque_apply,
                                       .prepare = torque_prepare};
