// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring and damper about the axis of two joint frames. With θ and n of model/joints/joint_motion.h:
//
//     T = preload + k(θ - θ0) + c(θ̇) + laws,   on b: -T n,   on a: T n
//
// Stored: preload (θ - θ0) + ∫ k.  Lost: c(θ̇) θ̇.  θ counts whole turns: it is the one nearest to
// that of the last evaluation, so that only a change of more than half a turn between two
// evaluations would be lost.
#include "base/error.h"
#include "model/load_frames.h"
#include "model/loads/load_law.h"

/// An instance.
typedef struct params {
    kai_load_rotational_spring_params given;
    double angle; // θ of the last evaluation
} params;

typedef struct twist_look {
    kai_joint_view v;
    kai_vec3 axis;
    double angle, rate;
} twist_look;

static twist_look rotational_spring_look(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    twist_look s = {.v = kai_load_frames_look(b, &p->given.base, i)};
    s.angle = kai_joint_motion_nearest(kai_joint_motion_angle(&s.v, &s.axis), p->angle);
    s.rate = kai_vec3_dot(s.axis, kai_joint_motion_spin(&s.v, &b->motion[b->slot[2 * i]],
                                                        &b->motion[b->slot[2 * i + 1]]));
    return s;
}

static double rotational_spring_resistance(const kai_load_batch* b, const params* p,
                                           const twist_look* s)
{
    if (!p->given.base.active) return 0.0;
    return p->given.preload +
           kai_curve_at(&p->given.stiffness, s->angle - p->given.rest_angle, NULL) +
           kai_curve_at(&p->given.damping, s->rate, NULL) +
           kai_load_law_at(b, p->given.law, s->angle - p->given.rest_angle) +
           kai_load_law_at(b, p->given.damping_law, s->rate);
}

static void rotational_spring_follow(const kai_load_batch* b, void* instances)
{
    for (size_t i = b->begin; i < b->end; i++)
        ((params*)instances)[i].angle = rotational_spring_look(b, i).angle;
}

static void rotational_spring_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const twist_look s = rotational_spring_look(b, i);
        const double torque = -rotational_spring_resistance(b, KAI_LOAD_AT(b, params, i), &s);
        kai_load_frames_put(&s.v, kai_vec3_zero(), kai_vec3_scale(s.axis, torque), &b->out[2 * i]);
    }
}

static double rotational_spring_energy(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    if (!p->given.base.active) return 0.0;
    const double deflection = rotational_spring_look(b, i).angle - p->given.rest_angle;
    return p->given.preload * deflection + kai_curve_integral(&p->given.stiffness, deflection) +
           kai_load_law_integral(b, p->given.law, deflection);
}

static double rotational_spring_dissipation(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double rate = rotational_spring_look(b, i).rate;
    if (!p->given.base.active) return 0.0;
    return rate * (kai_curve_at(&p->given.damping, rate, NULL) +
                   kai_load_law_at(b, p->given.damping_law, rate));
}

static void rotational_spring_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const twist_look s = rotational_spring_look(b, i);
    state->torque = -rotational_spring_resistance(b, KAI_LOAD_AT(b, params, i), &s);
    state->angle = s.angle;
    state->rate = s.rate;
}

static kai_result rotational_spring_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    KAI_TRY(kai_load_frames_set(world, "rotational-spring", &p->given.joint, true, false,
                                &p->given.base, err));
    const kai_joint_view v = kai_joint_view_now(world, &p->given.base);
    kai_vec3 axis;
    p->angle = kai_joint_motion_nearest(kai_joint_motion_angle(&v, &axis), p->angle);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(false),
    KAI_PARAM(JOINT, kai_load_rotational_spring_params, joint,
              .doc = "Joint about whose axis it acts, instead of bodies with at and axis."),
    KAI_PARAM(REAL, kai_load_rotational_spring_params, rest_angle, .unit = "rad",
              .doc = "Angle at which the spring is not deflected; the angle is 0 at t = 0."),
    KAI_PARAM(CURVE, kai_load_rotational_spring_params, stiffness, .unit = "N m/rad",
              .doc = "Stiffness, or rows [deflection, resisting torque]."),
    KAI_PARAM(CURVE, kai_load_rotational_spring_params, damping, .unit = "N m s/rad",
              .range = KAI_AT_LEAST(0.0),
              .doc = "Damping coefficient, or rows [rate of the angle, resisting torque]."),
    KAI_PARAM(REAL, kai_load_rotational_spring_params, preload, .unit = "N m",
              .doc = "Torque at the rest angle; positive turns b backwards."),
    KAI_LOAD_LAW_PARAMS(kai_load_rotational_spring_params, "N m"),
    KAI_PARAM(REAL, params, angle, .hidden = true),
};

const kai_load_kind kai_load_rotational_spring = {
    .kind = KAI_KIND(
        "rotational-spring", params, PARAMS, .given = sizeof(kai_load_rotational_spring_params),
        .doc = "A spring and damper about an axis between two bodies, over any number of turns."),
    .apply = rotational_spring_apply,
    .prepare = rotational_spring_prepare,
    .follow = rotational_spring_follow,
    .energy = rotational_spring_energy,
    .dissipation = rotational_spring_dissipation,
    .output = rotational_spring_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE,
    .needs_velocity = true,
    .stiff = true};
