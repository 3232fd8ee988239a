// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A torque on a shaft; another shaft or the housing takes the opposite.
#include "model/joints/driveline.h"

typedef kai_load_shaft_torque_params params;

static double torque_of(const kai_load_batch* b, size_t i)
{
    return kai_function_set_value(b->functions, &KAI_LOAD_AT(b, params, i)->value, b->time).y;
}

static void shaft_torque_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++)
        kai_driveline_base_put(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i));
}

static void shaft_torque_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    kai_driveline_base_output(b, i, &KAI_LOAD_AT(b, params, i)->base, torque_of(b, i), state);
}

static kai_result shaft_torque_check(const void* instance, kai_error* err)
{
    return kai_driveline_base_check(instance, "shaft-torque", err);
}

static const kai_param PARAMS[] = {
    KAI_LOAD_SHAFT_PARAMS,
    KAI_PARAM(VALUE, params, value, .unit = "N m", .required = true,
              .doc = "Torque on the shaft, over time."),
};

const kai_load_kind kai_load_shaft_torque = {
    .kind = KAI_KIND("shaft-torque", params, PARAMS, .check = shaft_torque_check,
                     .doc = "A torque on a shaft: an actuator or a load."),
    .section = "driveline",
    .apply = shaft_torque_apply,
    .prepare = kai_driveline_base_prepare,
    .grounded = true,
    .output = shaft_torque_output,
    .outputs = KAI_LOAD_TORQUE | KAI_LOAD_RATE | KAI_LOAD_POWER};
