// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A PID controller of the travel between two joint frames, by a force along the axis of a.
#include "model/loads/load_pid.h"

typedef kai_load_pid_params params;

typedef struct pid_look {
    kai_joint_view v;
    double travel, rate;
    kai_load_pid_look control;
} pid_look;

static pid_look look(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    pid_look s = {.v = kai_load_frames_look(b, &p->base, i)};
    s.travel = kai_vec3_dot(s.v.a[2], s.v.d);
    s.rate = kai_vec3_dot(s.v.a[2], kai_joint_motion_drift(&s.v, ma, mb));
    s.control = kai_load_pid_control(b, p, s.travel, s.rate);
    return s;
}

static void apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const pid_look s = look(b, i);
        kai_load_frames_put(&s.v, kai_vec3_scale(s.v.a[2], s.control.effort), kai_vec3_zero(),
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
    state->force = s.control.effort;
    state->length = s.travel;
    state->rate = s.rate;
}

static kai_result check(const void* instance, kai_error* err)
{
    return kai_load_pid_check(instance, "linear-pid", err);
}

static kai_result prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    return kai_load_frames_set(world, "linear-pid", &p->joint, false, true, &p->base, err);
}

static const kai_param PARAMS[] = {KAI_LOAD_PID_PARAMS("m", "N")};

const kai_load_kind kai_load_motor_linear_pid = {
    .kind = KAI_KIND(
        "linear-pid", params, PARAMS, .check = check,
        .doc = "A PID controller that drives a joint, or two bodies along an axis, by a force."),
    .section = "motors",
    .apply = apply,
    .prepare = prepare,
    .output = output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE | KAI_LOAD_EFFORT,
    .needs_velocity = true,
    .stiff = true,
    .states = offsetof(params, integral),
    .state_count = 1,
    .rates = rates};
