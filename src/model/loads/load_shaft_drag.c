// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// -(linear + quadratic |ω|) ω on a shaft, ω its speed against what takes the reaction. All of its
// power is lost.
#include "model/joints/driveline.h"

typedef kai_load_shaft_drag_params params;

static double torque_of(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double speed = kai_driveline_base_speed(b, i, &p->base);
    return -(p->linear + p->quadratic * fabs(speed)) * speed;
}

static void shaft_drag_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++)
        kai_driveline_base_put(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i));
}

static double shaft_drag_dissipation(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    return -torque_of(b, i) * kai_driveline_base_speed(b, i, &p->base);
}

static void shaft_drag_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    kai_driveline_base_output(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i), state);
}

static kai_result shaft_drag_check(const void* instance, kai_error* err)
{
    return kai_driveline_base_check(instance, "shaft-drag", err);
}

static const kai_param PARAMS[] = {
    KAI_LOAD_SHAFT_PARAMS,
    KAI_PARAM(REAL, params, linear, .unit = "N m s/rad", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the torque linear in speed."),
    KAI_PARAM(REAL, params, quadratic, .unit = "N m s²/rad²", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the torque quadratic in speed."),
};

const kai_load_kind kai_load_shaft_drag = {
    .kind = KAI_KIND("shaft-drag", params, PARAMS, .check = shaft_drag_check,
                     .doc = "Resists the rotation of a shaft, linear and quadratic in its speed."),
    .section = "driveline",
    .apply = shaft_drag_apply,
    .prepare = kai_driveline_base_prepare,
    .grounded = true,
    .dissipation = shaft_drag_dissipation,
    .output = shaft_drag_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_RATE | KAI_LOAD_POWER,
    .needs_velocity = true,
    .stiff = true};
