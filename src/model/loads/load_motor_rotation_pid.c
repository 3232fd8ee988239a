// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A PID controller of the angle between two joint frames, by a torque about their axis. The angle
// counts whole turns.
#include "model/loads/load_pid.h"

typedef kai_load_pid_params params;

typedef struct pid_look {
    kai_joint_view v;
    kai_vec3 axis;
    double angle, rate;
    kai_load_pid_look control;
} pid_look;

static pid_look look(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    pid_look s = {.v = kai_load_frames_look(b, &p->base, i)};
    s.angle = kai_joint_motion_nearest(kai_joint_motion_angle(&s.v, &s.axis), p->angle);
    s.rate = kai_vec3_dot(s.axis, kai_joint_motion_spin(&s.v, ma, mb));
    s.control = kai_load_pid_control(b, p, s.angle, s.rate);
    return s;
}

static void follow(const kai_load_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++) ((params*)instances)[i].angle = look(b, i).angle;
}

static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const pid_look s = look(b, i);
        kai_load_frames_put(&s.v, kai_vec3_zero(), kai_vec3_scale(s.axis, s.control.effort),
                            &b->out[2 * i]);
    }
}

static void rates(const kai_load_batch* b, size_t i, double* out)
{
    const pid_look s = look(b, i);
    *out = kai_load_pid_rate(KAI_LOAD_AT(b, params, i), &s.control);
}

static void output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const pid_look s = look(b, i);
    state->torque = s.control.effort;
    state->angle = s.angle;
    state->rate = s.rate;
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_load_pid_check(instance, "rotation-pid", err);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    return kai_load_frames_set(world, "rotation-pid", &p->joint, true, false, &p->base, err);
}

static const kai_param PARAMS[] = {KAI_LOAD_PID_PARAMS("rad", "N m")};

const kai_load_kind kai_load_motor_rotation_pid = {
    .kind = KAI_KIND(
        "rotation-pid", params, PARAMS, .check = check,
        .doc = "A PID controller that drives a joint, or two bodies about an axis, by a torque."),
    .section = "motors",
    .apply = apply,
    .prepare = prepare,
    .follow = follow,
    .output = output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE | KAI_LOAD_EFFORT,
    .needs_velocity = true,
    .stiff = true,
    .states = offsetof(params, integral),
    .state_count = 1,
    .rates = rates};
