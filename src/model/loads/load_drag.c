// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Drag on the mass centre and on the rotation. With u = v - fluid and ω in the principal frame:
//
//     F = -(c + C |u|) u,   T = -(r + R |ω|) ω,   lost: -F · u - T · ω
#include "base/error.h"
#include "model/world.h"

typedef kai_load_drag_params params;

static void drag_look(const kai_load_batch* b, size_t i, kai_vec3* u, kai_wrench* out)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const kai_motion* m = &b->motion[b->slot[i]];
    const kai_vec3 fluid = {kai_function_set_value(b->functions, &p->fluid.x, b->time).y,
                            kai_function_set_value(b->functions, &p->fluid.y, b->time).y,
                            kai_function_set_value(b->functions, &p->fluid.z, b->time).y};
    *u = kai_vec3_sub(m->velocity, fluid);
    out->force = kai_vec3_scale(*u, -(p->linear + p->quadratic * kai_vec3_norm(*u)));
    out->torque = kai_vec3_scale(
        m->spin, -(p->rotational + p->rotational_quadratic * kai_vec3_norm(m->spin)));
}

static void drag_apply(const kai_load_batch* b)
{
    kai_vec3 u;
    for (size_t i = b->begin; i < b->end; i++) drag_look(b, i, &u, &b->out[i]);
}

static double drag_dissipation(const kai_load_batch* b, size_t i)
{
    kai_vec3 u;
    kai_wrench w;
    drag_look(b, i, &u, &w);
    return -kai_vec3_dot(w.force, u) - kai_vec3_dot(w.torque, b->motion[b->slot[i]].spin);
}

static void drag_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    kai_vec3 u;
    kai_wrench w;
    drag_look(b, i, &u, &w);
    state->force = kai_vec3_norm(w.force);
    state->rate = kai_vec3_norm(u);
    state->torque = kai_vec3_norm(w.torque);
}

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, params, body, .required = true, .doc = "Body that the drag acts on."),
    KAI_PARAM(REAL, params, linear, .unit = "N s/m", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the force linear in speed."),
    KAI_PARAM(REAL, params, quadratic, .unit = "N s²/m²", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the force quadratic in speed."),
    KAI_PARAM(REAL, params, rotational, .unit = "N m s/rad", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the torque linear in angular speed."),
    KAI_PARAM(REAL, params, rotational_quadratic, .unit = "N m s²/rad²", .range = KAI_AT_LEAST(0.0),
              .doc = "Coefficient of the torque quadratic in angular speed."),
    KAI_PARAM(VALUE3, params, fluid, .placing = KAI_PLACING_VECTOR, .unit = "m/s",
              .doc = "Velocity of the surrounding fluid, world coordinates."),
};

const kai_load_kind kai_load_drag = {
    .kind = KAI_KIND(
        "drag", params, PARAMS,
        .doc =
            "Drag: resists the motion of the mass centre and the rotation, linear and quadratic in speed."),
    .apply = drag_apply,
    .dissipation = drag_dissipation,
    .output = drag_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_RATE | KAI_LOAD_TORQUE,
    .needs_velocity = true,
    .stiff = true};
