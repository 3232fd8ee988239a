// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A spring between p_a and p_b. With d = p_b - p_a, L = |d|, n = d / L and L̇ = n · (ṗ_b - ṗ_a):
//
//     F = preload + k(L - L0) + c(L̇) + laws,   on a: F n at p_a,   on b: -F n at p_b
//
// Stored: preload (L - L0) + ∫ k.  Lost: c(L̇) L̇.  At L = 0 there is no direction and no force.
#include "model/loads/load_spring.h"

#include "base/error.h"
#include "model/loads/load_law.h"
#include "model/world.h"

typedef kai_load_spring_instance params;

typedef struct spring_look {
    kai_vec3 n;
    double length, rate;
} spring_look;

static spring_look look(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    kai_vec3 at[2], velocity[2];
    for (size_t k = 0; k < 2; k++) {
        const kai_pose* pose = &b->pose[b->slot[2 * i + k]];
        const kai_motion* motion = &b->motion[b->slot[2 * i + k]];
        const kai_vec3 turning = kai_vec3_cross(motion->spin, p->inner[k]);
        at[k] = kai_vec3_add(pose->position, kai_quat_rotate(pose->rotation, p->inner[k]));
        velocity[k] = kai_vec3_add(motion->velocity, kai_quat_rotate(pose->rotation, turning));
    }
    const kai_vec3 d = kai_vec3_sub(at[1], at[0]);
    spring_look s = {.length = kai_vec3_norm(d)};
    if (s.length > 0.0) s.n = kai_vec3_scale(d, 1.0 / s.length);
    s.rate = kai_vec3_dot(s.n, kai_vec3_sub(velocity[1], velocity[0]));
    return s;
}

static double spring_pull(const kai_load_batch* b, const params* p, const spring_look* s)
{
    return p->given.preload +
           kai_curve_at(&p->given.stiffness, s->length - p->given.rest_length, NULL) +
           kai_curve_at(&p->given.damping, s->rate, NULL) +
           kai_load_law_at(b, p->given.law, s->length - p->given.rest_length) +
           kai_load_law_at(b, p->given.damping_law, s->rate);
}

static void spring_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = KAI_LOAD_AT(b, params, i);
        const spring_look s = look(b, i);
        const double force = spring_pull(b, p, &s);
        for (size_t k = 0; k < 2; k++) {
            kai_wrench* out = &b->out[2 * i + k];
            const kai_quat q = b->pose[b->slot[2 * i + k]].rotation;
            out->force = kai_vec3_scale(s.n, k == 0 ? force : -force);
            out->torque = kai_vec3_cross(p->inner[k], kai_quat_unrotate(q, out->force));
        }
    }
}

static double spring_energy(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double deflection = look(b, i).length - p->given.rest_length;
    return p->given.preload * deflection + kai_curve_integral(&p->given.stiffness, deflection) +
           kai_load_law_integral(b, p->given.law, deflection);
}

static double spring_dissipation(const kai_load_batch* b, size_t i)
{
    const params* p = KAI_LOAD_AT(b, params, i);
    const double rate = look(b, i).rate;
    return rate * (kai_curve_at(&p->given.damping, rate, NULL) +
                   kai_load_law_at(b, p->given.damping_law, rate));
}

static void spring_output(const kai_load_batch* b, size_t i, kai_load_state* state)
{
    const spring_look s = look(b, i);
    state->force = spring_pull(b, KAI_LOAD_AT(b, params, i), &s);
    state->length = s.length;
    state->rate = s.rate;
}

static kai_result spring_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    if (KAI_ID_EQUALS(p->given.bodies[0], p->given.bodies[1]))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "spring: both bodies are the same; must be two");
    for (size_t k = 0; k < 2; k++) {
        const kai_pose* pose =
            &world->bodies.pose[kai_bodies_slot(&world->bodies, p->given.bodies[k])];
        p->inner[k] =
            kai_quat_unrotate(pose->rotation, kai_vec3_sub(p->given.points[k], pose->position));
    }
    if (isnan(p->given.rest_length))
        p->given.rest_length = kai_vec3_distance(p->given.points[0], p->given.points[1]);
    return KAI_OK;
}

static const kai_param PARAMS[] = {
    KAI_PARAM(BODY, kai_load_spring_params, bodies, .columns = 2, .required = true,
              .doc = "Names of body a and body b."),
    KAI_PARAM(VEC3, kai_load_spring_params, points, .placing = KAI_PLACING_POINT, .unit = "m",
              .columns = 2, .required = true,
              .doc = "End points on a and b, world coordinates at t = 0."),
    KAI_PARAM(REAL, kai_load_spring_params, rest_length, .unit = "m", .initial = {(double)NAN},
              .range = KAI_AT_LEAST(0.0),
              .doc = "Rest length: without deflection; the distance of the points when absent."),
    KAI_PARAM(CURVE, kai_load_spring_params, stiffness, .unit = "N/m",
              .doc = "Stiffness, or rows [deflection, resisting force]."),
    KAI_PARAM(CURVE, kai_load_spring_params, damping, .unit = "N s/m", .range = KAI_AT_LEAST(0.0),
              .doc = "Damping coefficient, or rows [rate of the length, resisting force]."),
    KAI_PARAM(REAL, kai_load_spring_params, preload, .unit = "N",
              .doc = "Force at rest length; positive pulls the ends together."),
    KAI_LOAD_LAW_PARAMS(kai_load_spring_params, "N"),
    KAI_PARAM(VEC3, params, inner, .columns = 2, .hidden = true),
};

const kai_load_kind kai_load_spring = {
    .kind = KAI_KIND("spring", params, PARAMS, .given = sizeof(kai_load_spring_params),
                     .doc = "A spring and damper along the line between two points of two bodies."),
    .apply = spring_apply,
    .prepare = spring_prepare,
    .energy = spring_energy,
    .dissipation = spring_dissipation,
    .output = spring_output,
    .outputs = KAI_LOAD_FORCE | KAI_LOAD_LENGTH | KAI_LOAD_RATE,
    .needs_velocity = true,
    .stiff = true};
