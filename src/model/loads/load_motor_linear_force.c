// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A force on b along the axis of a at b's joint point, and the opposite at the same place on a: its
// power is value · d/dt (z_a · d).
#include "model/joints/joint_motor.h"
#include "model/load_frames.h"

typedef kai_joint_motor_params params;

static double effort(const kai_load_batch* b, const params* p)
{
    return p->base.active ? kai_function_set_value(b->functions, &p->value, b->time).y : 0.0;
}

static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const kai_joint_view v = kai_load_frames_look(b, &p->base, i);
        kai_load_frames_put(&v, kai_vec3_scale(v.a[2], effort(b, p)), kai_vec3_zero(),
                            &b->out[2 * i]);
    }
}

static void output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    const kai_joint_view v = kai_load_frames_look(b, &p->base, i);
    state->force = effort(b, p);
    state->length = kai_vec3_dot(v.a[2], v.d);
    state->rate = kai_vec3_dot(v.a[2], kai_joint_motion_drift(&v, ma, mb));
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "linear-force", KAI_JOINT_TRAVEL, err);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    return kai_load_frames_set(world, "linear-force", &p->joint, false, true, &p->base, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_TRAVEL, WORDS, "N", "Force on b along the axis, over time.")};

const kai_load_kind kai_load_motor_linear_force = {
    .kind = KAI_KIND("linear-force", params, PARAMS, .check = check,
                     .doc = "Drives a joint, or two bodies along an axis, by a given force."),
    .section = "motors",
    .apply = apply,
    .prepare = prepare,
    .output = output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE | KAI_LOAD_EFFORT};
