// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring and damper along the axis of two joint frames. With the travel x = A_2 · d and its rate
// (model/joints/joint_motion.h):
//
//     F = preload + k(x - x0) + c(ẋ) + laws,   on b, at its joint point: -F A_2,   on a: F A_2
//
// Stored: preload (x - x0) + ∫ k.  Lost: c(ẋ) ẋ.
#include "base/error.h"
#include "model/load_frames.h"
#include "model/loads/load_law.h"

typedef kai_load_linear_spring_params params;

typedef struct slide_look {
    kai_joint_view v;
    double travel, rate;
} slide_look;

static slide_look linear_spring_look(const kai_load_batch* b, size_t i)
{
    slide_look s = {.v = kai_load_frames_look(b, &KAI_LOAD_AT(b, params, i)->base, i)};
    const kai_motion *ma = &b->motion[b->slot[2 * i]], *mb = &b->motion[b->slot[2 * i + 1]];
    s.travel = kai_vec3_dot(s.v.a[2], s.v.d);
    s.rate = kai_vec3_dot(s.v.a[2], kai_joint_motion_drift(&s.v, ma, mb));
    return s;
}

static double linear_spring_resistance(const kai_load_batch* b, const params* p,
                                       const slide_look* s)
{
    if (!p->base.active) return 0.0;
    return p->preload + kai_curve_at(&p->stiffness, s->travel - p->rest, NULL) +
           kai_curve_at(&p->damping, s->rate, NULL) +
           kai_load_law_at(b, p->law, s->travel - p->rest) +
           kai_load_law_at(b, p->damping_law, s->rate);
}

static void linear_spring_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const slide_look s = linear_spring_look(b, i);
        const double force = -linear_spring_resistance(b, KAI_LOAD_AT(b, params, i), &s);
        kai_load_frames_put(&s.v, kai_vec3_scale(s.v.a[2], force), kai_vec3_zero(), &b->out[2 * i]);
    }
}

static double linear_spring_energy(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    if (!p->base.active) return 0.0;
    const double deflection = linear_spring_look(b, i).travel - p->rest;
    return p->preload * deflection + kai_curve_integral(&p->stiffness, deflection) +
           kai_load_law_integral(b, p->law, deflection);
}

static double linear_spring_dissipation(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double rate = linear_spring_look(b, i).rate;
    if (!p->base.active) return 0.0;
    return rate *
           (kai_curve_at(&p->damping, rate, NULL) + kai_load_law_at(b, p->damping_law, rate));
}

static void linear_spring_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const slide_look s = linear_spring_look(b, i);
    state->force = linear_spring_resistance(b, KAI_LOAD_AT(b, params, i), &s);
    state->length = s.travel;
    state->rate = s.rate;
}

static kai_result linear_spring_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    return kai_load_frames_set(world, "linear-spring", &p->joint, false, true, &p->base, err);
}

static const kai_param PARAMS[] = {
    KAI_JOINT_BASE_PARAMS(false),
    KAI_PARAM(JOINT, params, joint,
              .doc = "Joint along whose axis it acts, instead of bodies with at and axis."),
    KAI_PARAM(REAL, params, rest, .unit = "m",
              .doc = "Travel at which the spring is not deflected; the travel is 0 at t = 0."),
    KAI_PARAM(CURVE, params, stiffness, .unit = "N/m",
              .doc = "Stiffness, or rows [deflection, resisting force]."),
    KAI_PARAM(CURVE, params, damping, .unit = "N s/m", .range = KAI_AT_LEAST(0.0),
              .doc = "Damping coefficient, or rows [rate of the travel, resisting force]."),
    KAI_PARAM(REAL, params, preload, .unit = "N",
              .doc = "Force at the rest travel; positive pushes b backwards along the axis."),
    KAI_LOAD_LAW_PARAMS(params, "N"),
};

const kai_load_kind kai_load_linear_spring = {
    .kind = KAI_KIND("linear-spring", params, PARAMS,
                     .doc = "A spring and damper along the axis of a joint, or of two bodies."),
    .apply = linear_spring_apply,
    .prepare = linear_spring_prepare,
    .energy = linear_spring_energy,
    .dissipation = linear_spring_dissipation,
    .output = linear_spring_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE,
    .needs_velocity = true,
    .stiff = true};
