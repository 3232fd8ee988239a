// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring and damper between two shafts. With θ = θ₂ - θ₁ and its rate:
//     T = preload + k(θ - θ0) + c(θ̇),   on 2: -T,   on 1: T
// Stored: preload (θ - θ0) + ∫ k.  Lost: c(θ̇) θ̇.
#include "model/joints/driveline.h"

typedef kai_load_torsion_spring_params params;

static double torsion_spring_twist(const kai_load_batch* b, size_t i)
{
    const double angle = kai_load_shaft(b, 2 * i + 1)->angle - kai_load_shaft(b, 2 * i)->angle;
    return angle - KAI_LOAD_AT(b, params, i)->rest_angle;
}

static double twist_rate(const kai_load_batch* b, size_t i)
{
    return kai_load_shaft(b, 2 * i + 1)->speed - kai_load_shaft(b, 2 * i)->speed;
}

static double torsion_spring_resistance(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    return p->preload + kai_curve_at(&p->stiffness, torsion_spring_twist(b, i), NULL) +
           kai_curve_at(&p->damping, twist_rate(b, i), NULL);
}

static void torsion_spring_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const double torque = torsion_spring_resistance(b, i);
        b->out[2 * i].force.x = torque;
        b->out[2 * i + 1].force.x = -torque;
    }
}

static double torsion_spring_energy(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double angle = torsion_spring_twist(b, i);
    return p->preload * angle + kai_curve_integral(&p->stiffness, angle);
}

static double torsion_spring_dissipation(const kai_load_batch* b, size_t i)
{
    const double rate = twist_rate(b, i);
    return rate * kai_curve_at(&KAI_LOAD_AT(b, params, i)->damping, rate, NULL);
}

static void torsion_spring_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    state->torque = -torsion_spring_resistance(b, i);
    state->angle = torsion_spring_twist(b, i);
    state->rate = twist_rate(b, i);
    state->power = state->torque * state->rate;
}

static kai_result torsion_spring_check(const void* instance, kai_error* err)
{
    const params* p = instance;
    if (!KAI_ID_EQUALS(p->shafts[0], p->shafts[1]) || KAI_IS_NULL(p->shafts[0])) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "torsion-spring: both shafts are the same; must be two");
}

static const kai_param PARAMS[] = {
    KAI_PARAM(SHAFT, params, shafts, .columns = 2, .required = true,
              .doc = "Names of shaft 1 and shaft 2."),
    KAI_PARAM(REAL, params, rest_angle, .unit = "rad",
              .doc = "Angle of shaft 2 relative to shaft 1 at which the spring is not deflected."),
    KAI_PARAM(CURVE, params, stiffness, .unit = "N m/rad",
              .doc = "Stiffness, or rows [deflection, resisting torque]."),
    KAI_PARAM(CURVE, params, damping, .unit = "N m s/rad", .range = KAI_AT_LEAST(0.0),
              .doc = "Damping coefficient, or rows [rate of the angle, resisting torque]."),
    KAI_PARAM(REAL, params, preload, .unit = "N m",
              .doc = "Torque at the rest angle; positive turns shaft 2 backwards."),
};

const kai_load_kind kai_load_torsion_spring = {
    .kind = KAI_KIND("torsion-spring", params, PARAMS, .check = torsion_spring_check,
                     .doc = "A spring and damper between two shafts."),
    .section = "driveline",
    .apply = torsion_spring_apply,
    .energy = torsion_spring_energy,
    .dissipation = torsion_spring_dissipation,
    .output = torsion_spring_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_ANGLE | KAI_LOAD_RATE | KAI_LOAD_POWER,
    .needs_velocity = true,
    .stiff = true};
