// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Leapfrog (drift, kick, drift): order 2, symplectic and reversible for forces that do not depend
// on velocity.
//
//     drift h/2:  free motion, x += h/2 v; free rotation
//     kick  h:    v += h (g + f/m),  l += h τ   at the middle of the step
//     drift h/2
//
// Free rotation is split into turns about the three principal axes (McLachlan 1993; Reich 1994;
// Dullweber, Leimkuhler & McLachlan 1997): with l = I ω in the principal frame, the flow of l_i² /
// 2 I_i turns the body about axis i by h l_i / I_i. The symmetric product x y z y x has order 2,
// keeps the angular momentum in space to rounding, and its energy error stays bounded. Forces that
// depend on velocity are evaluated twice, with the velocity at the middle predicted by the first
// evaluation, which keeps order 2.
#include "base/simd.h"
#include "model/shaft.h"
#include "step/rotation.h"
#include "step/scalars.h"
#include "step/system.h"
#include "step/term.h"

#include <string.h>

static const size_t BLOCK = 1024; // bodies

typedef struct leapfrog_context {
    kai_world* world;
    double h;
} leapfrog_context;

/// Turns body and momentum about principal axis `axis` for the time h.
static inline void turn_about(int axis, double h, const double* inverse, double* l, kai_quat* q)
{
    const double angle = h * l[axis] * inverse[axis];
    const int j = axis == 2 ? 0 : axis + 1, k = axis == 0 ? 2 : axis - 1;
    const double c = cos(angle), s = sin(angle), lj = l[j], lk = l[k];
    l[j] = c * lj + s * lk;
    l[k] = c * lk - s * lj;
    const kai_vec3 vector = kai_vec3_scale(kai_vec3_axis(axis), angle);
    *q = kai_quat_mul(*q, kai_rotation_exp(vector));
}

static void rotate_freely(const kai_bodies_mass* mass, double h, kai_quat* q, kai_vec3* spin)
{
    const kai_vec3 momentum = kai_rotation_momentum(mass, *spin);
    double l[3] = {momentum.x, momentum.y, momentum.z};
    const double inverse[3] = {mass->inverse_moments.x, mass->inverse_moments.y,
                               mass->inverse_moments.z};
    turn_about(0, 0.5 * h, inverse, l, q);
    turn_about(1, 0.5 * h, inverse, l, q);
    turn_about(2, h, inverse, l, q);
    turn_about(1, 0.5 * h, inverse, l, q);
    turn_about(0, 0.5 * h, inverse, l, q);
    *spin = kai_rotation_spin(mass, kai_vec3_make(l[0], l[1], l[2]));
}

static void drift_range(size_t begin, size_t end, void* context)
{
    const leapfrog_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const double h = 0.5 * c->h;
    for (size_t i = begin; i < end; i++) {
        kai_motion* m = &bodies->motion[i];
        kai_pose* p = &bodies->pose[i];
        if (m->flags & KAI_BODY_FIXED) continue;
        p->position = kai_vec3_mul_add(p->position, m->velocity, h);
        if (m->flags & KAI_BODY_ISOTROPIC)
            p->rotation = kai_quat_mul(p->rotation, kai_rotation_exp(kai_vec3_scale(m->spin, h)));
        else
            rotate_freely(kai_bodies_mass_of(bodies, i), h, &p->rotation, &m->spin);
        p->rotation = kai_rotation_polish(p->rotation);
    }
}

static void kick_range(size_t begin, size_t end, void* context)
{
    const leapfrog_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    for (size_t i = begin; i < end; i++) {
        kai_motion* m = &bodies->motion[i];
        if (m->flags & KAI_BODY_FIXED) continue;
        m->velocity = kai_vec3_mul_add(m->velocity, c->world->gravity, c->h);
        if (!bodies->wrench) continue;
        m->velocity = kai_vec3_mul_add(m->velocity, bodies->wrench[i].force,
                                       c->h * kai_bodies_mass_of(bodies, i)->inverse_mass);
        m->spin = kai_vec3_mul_add(
            m->spin, kai_rotation_spin(kai_bodies_mass_of(bodies, i), bodies->wrench[i].torque),
            c->h);
    }
}

static void drift(leapfrog_context* c)
{
    kai_parallel_for(c->world->threads, c->world->bodies.owned, BLOCK, drift_range, c);
    kai_scalars_drift(c->world, 0.5 * c->h);
    kai_term_drift_all(c->world, 0.5 * c->h);
}

static void kick(leapfrog_context* c)
{
    kai_parallel_for(c->world->threads, c->world->bodies.owned, BLOCK, kick_range, c);
    kai_scalars_kick(c->world, c->h);
}

/// Forces at the middle of the step; those that need it get the velocity there.
static kai_result middle_forces(kai_system* system, const kai_system_backup* start, double h,
                                kai_error* err)
{
    kai_world* world = system->world;
    const double middle = system->time + 0.5 * h;
    KAI_TRY(kai_system_forces(system, middle, NULL, err));
    if (!kai_term_needs_velocity(world)) return KAI_OK;
    const size_t count = world->bodies.count;
    kai_motion* saved = kai_arena_take(&world->arena, count, sizeof *saved, err);
    if (!saved) return KAI_ERROR_MEMORY;
    if (count > 0)
        memcpy(saved, world->bodies.motion,
               count * sizeof *saved); // the drift has turned the spins
    leapfrog_context half = {.world = world, .h = 0.5 * h};
    kick(&half);
    KAI_TRY(kai_system_forces(system, middle, NULL, err));
    if (count > 0) memcpy(world->bodies.motion, saved, count * sizeof *saved);
    kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].speed = start->scalars[2 * i + 1];
    return KAI_OK;
}

static kai_result drift_kick_drift(kai_system* system, const kai_system_backup* start, double h,
                                   kai_error* err)
{
    kai_world* world = system->world;
    leapfrog_context c = {.world = world, .h = h};
    drift(&c);
    KAI_TRY(kai_scalars_begin(system, start, h, err));
    KAI_TRY(middle_forces(system, start, h, err));
    const double middle = system->time + 0.5 * h;
    KAI_TRY(kai_term_spend_all(world, middle, 0.5 * h, err));
    kick(&c);
    kai_term_kick_all(world, h);
    KAI_TRY(kai_term_spend_all(world, middle, 0.5 * h, err));
    KAI_TRY(kai_scalars_finish(system, start, h, err));
    drift(&c);
    return KAI_OK;
}

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance;
    return drift_kick_drift(system, system->start, h, err);
}

const kai_integrator_kind kai_integrator_leapfrog = {
    .kind =
        {.name = "leapfrog",
         .doc =
             "Leapfrog (drift, kick, drift): order 2, symplectic, bounded energy error. Without joints, contact and elements."},
    .order = 2,
    .capabilities = KAI_INTEGRATOR_TERM_COORDINATES,
    .step = step};
