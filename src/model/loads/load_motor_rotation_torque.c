// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A torque on b about the axis of two joint frames, and the opposite on a: its power is value · θ̇.
// The angle is followed over any number of turns, for outputs.
#include "model/joints/joint_motor.h"
#include "model/load_frames.h"

typedef kai_joint_motor_params params;

static double effort(const kai_load_batch* b, const params* p)
{
    return p->base.active ? kai_function_set_value(b->functions, &p->value, b->time).y : 0.0;
}

static double angle_of(const params* p, const kai_joint_view* v, kai_vec3* axis)
{
    return kai_joint_motion_nearest(kai_joint_motion_angle(v, axis), p->angle);
}

static void follow(const kai_load_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) {
        params* p = (params*)instances + i;
        const kai_joint_view v = kai_load_frames_look(b, &p->base, i);
        kai_vec3 axis;
        p->angle = angle_of(p, &v, &axis);
    }
}

static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const kai_joint_view v = kai_load_frames_look(b, &p->base, i);
        kai_vec3 axis;
        kai_joint_motion_angle(&v, &axis);
        kai_load_frames_put(&v, kai_vec3_zero(), kai_vec3_scale(axis, effort(b, p)),
                            &b->out[2 * i]);
    }
}

static void output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    const kai_joint_view v = kai_load_frames_look(b, &p->base, i);
    kai_vec3 axis;
    state->torque = effort(b, p);
    state->angle = angle_of(p, &v, &axis);
    state->rate = kai_vec3_dot(axis, kai_joint_motion_spin(&v, ma, mb));
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_joint_motor_check(instance, "rotation-torque", KAI_JOINT_ANGLE, err);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    return kai_load_frames_set(world, "rotation-torque", &p->joint, true, false, &p->base, err);
}

static const char* const WORDS[] = KAI_JOINT_MOTOR_WORDS;

static const kai_param PARAMS[] = {
    KAI_JOINT_MOTOR_PARAMS(KAI_JOINT_ANGLE, WORDS, "N m", "Torque on b about the axis, over time."),
    KAI_PARAM(REAL, params, angle, .hidden = true)};

const kai_load_kind kai_load_motor_rotation_torque = {
    .kind = KAI_KIND("rotation-torque", params, PARAMS, .check = check,
                     .doc = "Drives a joint, or two bodies about an axis, by a given torque."),
    .section = "motors",
    .apply = apply,
    .prepare = prepare,
    .follow = follow,
    .output = output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE | KAI_LOAD_EFFORT};
