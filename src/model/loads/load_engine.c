// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// An engine map. With ω the speed against what takes the reaction and u the throttle, 0 to 1:
//     T = drag(ω) + u (full(ω) - drag(ω)).
// Beyond their ends the curves go on straight: a curve of full throttle that ends on its way down,
// as behind the rated speed, limits the speed by itself.
#include "model/joints/driveline.h"

typedef kai_load_engine_params params;

static double torque_of(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double speed = kai_driveline_base_speed(b, i, &p->base);
    const double open =
        fmin(fmax(kai_function_set_value(b->functions, &p->throttle, b->time).y, 0.0), 1.0);
    const double full = kai_curve_at(&p->full, speed, NULL),
                 drag = kai_curve_at(&p->drag, speed, NULL);
    return drag + open * (full - drag);
}

static void engine_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++)
        kai_driveline_base_put(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i));
}

static void engine_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    kai_driveline_base_output(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i), state);
}

static kai_result engine_check(const void* instance, kai_error* err)
{
    return kai_driveline_base_check(instance, "engine", err);
}

static const kai_param PARAMS[] = {
    KAI_LOAD_SHAFT_PARAMS,
    KAI_PARAM(CURVE, params, full, .unit = "N m over rad/s", .required = true,
              .doc = "Rows [speed, torque] at full throttle."),
    KAI_PARAM(CURVE, params, drag, .unit = "N m over rad/s",
              .doc = "Rows [speed, torque] without throttle; negative torques brake."),
    KAI_PARAM(VALUE, params, throttle, .initial = {1.0}, .range = KAI_BETWEEN(0.0, 1.0),
              .doc = "Throttle over time, 0 to 1."),
};

const kai_load_kind kai_load_engine = {
    .kind = KAI_KIND(
        "engine", params, PARAMS, .check = engine_check,
        .doc =
            "An engine from its map: torque over speed at full throttle and at no throttle, linear in between. Beyond their ends the curves continue as straight lines."),
    .section = "driveline",
    .apply = engine_apply,
    .prepare = kai_driveline_base_prepare,
    .grounded = true,
    .output = engine_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_RATE | KAI_LOAD_POWER,
    .needs_velocity = true,
    .stiff = true};
