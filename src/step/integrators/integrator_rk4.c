// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The classical Runge-Kutta method, order 4, on y = (x, v, q, l) with l = R I ω the angular
// momentum in space:
//
//     ẋ = v,   v̇ = g + f/m,   q̇ = ½ q ∘ (0, ω),  ω = I⁻¹ Rᵀ l,   l̇ = R τ
//
// With l as the variable a body without torque keeps its angular momentum to rounding. q runs free
// of its norm inside a step (the equation is linear in it) and is normalised at the end.
//
// With joints, accelerations come from the system of bodies and joints (index 1) at each stage; at
// the end positions and velocities are brought back to where the joints hold, a change of the order
// of the method's own error.
#include "model/shaft.h"
#include "model/state.h"
#include "step/constraints.h"
#include "step/rotation.h"
#include "step/system.h"
#include "step/term.h"

#include <string.h>

static const size_t BLOCK = 512; // bodies

typedef struct rk4_vector {
    kai_vec3 x, v, l;
    kai_quat q;
} rk4_vector;

typedef struct rk4_body {
    rk4_vector start; // y at the start of the step
    rk4_vector sum;   // Σ b_i k_i so far
    kai_quat q;       // of the present stage, not normalised
} rk4_body;

/// Shafts and states: angle and speed of every shaft, then the states.
typedef struct rk4_scalars {
    double* start; // at the start of the step
    double* rates; // of the present stage
    double* sum;   // Σ b_i k_i so far
    double* next;  // values of the next stage
    size_t count;
} rk4_scalars;

typedef struct rk4_context {
    kai_world* world;
    rk4_body* scratch; // [bodies]
    rk4_scalars scalars;
    double weight;  // b_i of this stage
    double advance; // time from the start to the next stage; the whole step after the last one
    bool last;
    kai_constraints* joints; // NULL: none
} rk4_context;

static rk4_vector vector_add(rk4_vector a, const rk4_vector* b, double s)
{
    a.x = kai_vec3_mul_add(a.x, b->x, s);
    a.v = kai_vec3_mul_add(a.v, b->v, s);
    a.l = kai_vec3_mul_add(a.l, b->l, s);
    a.q = kai_quat_make(a.q.w + s * b->q.w, a.q.x + s * b->q.x, a.q.y + s * b->q.y,
                        a.q.z + s * b->q.z);
    return a;
}

static void begin_range(size_t begin, size_t end, void* context)
{
    const rk4_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    for (size_t i = begin; i < end; i++) {
        const kai_pose* p = &bodies->pose[i];
        const kai_motion* m = &bodies->motion[i];
        const kai_vec3 l = kai_quat_rotate(
            p->rotation, kai_rotation_momentum(kai_bodies_mass_of(bodies, i), m->spin));
        c->scratch[i] =
            (rk4_body){.start = {p->position, m->velocity, l, p->rotation}, .q = p->rotation};
    }
}

/// ẏ of a body at the stage that the world holds, by forces alone.
static rk4_vector free_derivative(const kai_world* world, size_t i, kai_quat q)
{
    const kai_bodies* bodies = &world->bodies;
    const kai_wrench none = {0}, *f = bodies->wrench ? &bodies->wrench[i] : &none;
    return (rk4_vector){.x = bodies->motion[i].velocity,
                        .v = kai_vec3_mul_add(world->gravity, f->force,
                                              kai_bodies_mass_of(bodies, i)->inverse_mass),
                        .l = kai_quat_rotate(bodies->pose[i].rotation, f->torque),
                        .q = kai_quat_derivative_body(q, bodies->motion[i].spin)};
}

/// The same where joints act: from bodies.acceleration, with l̇ = R (I α + ω × I ω).
static rk4_vector held_derivative(const kai_world* world, size_t i, kai_quat q)
{
    const kai_bodies* bodies = &world->bodies;
    const kai_vec3 spin = bodies->motion[i].spin,
                   l = kai_rotation_momentum(kai_bodies_mass_of(bodies, i), spin);
    const kai_vec3 torque = kai_vec3_add(
        kai_rotation_momentum(kai_bodies_mass_of(bodies, i), bodies->acceleration[i].torque),
        kai_vec3_cross(spin, l));
    return (rk4_vector){.x = bodies->motion[i].velocity,
                        .v = bodies->acceleration[i].force,
                        .l = kai_quat_rotate(bodies->pose[i].rotation, torque),
                        .q = kai_quat_derivative_body(q, spin)};
}

static void set_state(const kai_bodies* bodies, size_t i, const rk4_vector* y)
{
    kai_pose* p = &bodies->pose[i];
    kai_motion* m = &bodies->motion[i];
    p->position = y->x;
    p->rotation = kai_quat_normalize(y->q);
    m->velocity = y->v;
    m->spin =
        kai_rotation_spin(kai_bodies_mass_of(bodies, i), kai_quat_unrotate(p->rotation, y->l));
}

static void stage_range(size_t begin, size_t end, void* context)
{
    const rk4_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    for (size_t i = begin; i < end; i++) {
        if (bodies->motion[i].flags & KAI_BODY_FIXED) continue;
        rk4_body* s = &c->scratch[i];
        const rk4_vector k =
            c->joints ? held_derivative(c->world, i, s->q) : free_derivative(c->world, i, s->q);
        s->sum = vector_add(s->sum, &k, c->weight);
        const rk4_vector y = vector_add(s->start, c->last ? &s->sum : &k, c->advance);
        s->q = y.q;
        set_state(bodies, i, &y);
    }
}

static void stage_scalars(const rk4_context* c, double time)
{
    kai_world* world = c->world;
    const rk4_scalars* s = &c->scalars;
    const kai_shaft_def* shafts = kai_shaft_all(world);
    for (size_t i = 0; i < world->shafts.count; i++) {
        s->rates[2 * i] = shafts[i].speed;
        s->rates[2 * i + 1] =
            c->joints ? shafts[i].acceleration : kai_shaft_inverse(&shafts[i]) * shafts[i].torque;
    }
    kai_state_rates(world, time, s->rates + 2 * world->shafts.count);
    for (size_t i = 0; i < s->count; i++) {
        s->sum[i] += c->weight * s->rates[i];
        s->next[i] = s->start[i] + c->advance * (c->last ? s->sum[i] : s->rates[i]);
    }
    kai_system_write_scalars(world, s->next);
}

static kai_result stages(kai_system* system, const rk4_context* context, double h, kai_error* err)
{
    static const double when[] = {0.0, 0.5, 0.5, 1.0},
                        weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    kai_world* world = system->world;
    rk4_context c = *context;
    KAI_TRY(kai_constraints_get(world, &c.joints, err));
    kai_parallel_for(world->threads, world->bodies.owned, BLOCK, begin_range, &c);
    for (int i = 0; i < 4; i++) {
        const double time = system->time + when[i] * h;
        KAI_TRY(c.joints ? kai_system_accelerations(system, time, err)
                         : kai_system_forces(system, time, NULL, err));
        KAI_TRY(kai_term_spend_all(world, time, h * weight[i], err));
        c.weight = weight[i];
        c.last = i == 3;
        c.advance = c.last ? h : h * when[i + 1];
        if (c.scalars.count > 0) stage_scalars(&c, time);
        kai_parallel_for(world->threads, world->bodies.owned, BLOCK, stage_range, &c);
    }
    if (c.joints) KAI_TRY(kai_system_check_finite(system, system->time + h, err));
    return kai_system_project(system, system->time + h, err);
}

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance;
    kai_world* world = system->world;
    const size_t scalars = kai_system_scalars(world);
    rk4_context c = {.world = world};
    c.scratch = kai_arena_take(&world->arena, world->bodies.count, sizeof *c.scratch, err);
    c.scalars = (rk4_scalars){kai_arena_take(&world->arena, scalars, sizeof(double), err),
                              kai_arena_take(&world->arena, scalars, sizeof(double), err),
                              kai_arena_take(&world->arena, scalars, sizeof(double), err),
                              kai_arena_take(&world->arena, scalars, sizeof(double), err), scalars};
    const bool room =
        c.scratch && c.scalars.start && c.scalars.rates && c.scalars.sum && c.scalars.next;
    if (room) kai_system_read_scalars(world, c.scalars.start);
    if (room) memset(c.scalars.sum, 0, scalars * sizeof(double));
    return room ? stages(system, &c, h, err) : KAI_ERROR_MEMORY;
}

const kai_integrator_kind kai_integrator_rk4 = {
    .kind =
        {.name = "rk4",
         .doc =
             "Classical Runge-Kutta: order 4, four evaluations of forces per step. Without contact, limits, friction in joints and elements."},
    .order = 4,
    .capabilities = KAI_INTEGRATOR_JOINTS,
    .step = step};
