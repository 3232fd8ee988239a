// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/integrators/newmark.h"

#include "base/stop.h"
#include "model/label.h"
#include "model/shaft.h"
#include "model/state.h"
#include "step/constraints.h"
#include "step/diagnose.h"
#include "step/integrators/newmark_contacts.h"
#include "step/integrators/newmark_reuse.h"
#include "step/joint_effort.h"
#include "step/project.h"
#include "step/rotation.h"
#include "step/term.h"

#include <string.h>

static const size_t BLOCK = 512; // bodies

enum { TAIL = 6 };               // numbers at the end of what is carried from step to step
static const double CREEP = 0.5; // change against the one before, with factors that are fresh

enum { CALM = 32 }; // steps with a small error before longer parts are tried

/// How finely steps are divided: carried from step to step, so that the length of parts changes
/// seldom. Where it changed back and forth errors that otherwise cancel would add up.
typedef struct newmark_pace {
    int level;    // a step starts as 2^level parts
    int calm;     // steps since the local error was last large
    int deepest;  // most halvings of the present step
    double worst; // largest local error of it, as a share of what is allowed
    bool creeps;  // a step had to do with less compliance of redundant rows: all have, from then on
} newmark_pace;

typedef struct newmark_context {
    kai_world* world;
    const kai_newmark* m;
    double h;
    bool last;                      // no further part of the step follows
    bool shortest;                  // cannot be divided any more
    int64_t parts;                  // that a step of this length has
    bool retry;                     // it failed in a way that shorter parts may cure
    kai_constraints* joints;        // NULL: none
    const kai_system_backup* start; // q₀, v₀
    // [bodies], followed by one number a shaft, then by those of nodes of elements:
    kai_wrench* a0;          // of the method; for α ≠ 0 it differs from that of the forces
    kai_wrench* past;        // M⁻¹ (f + Gᵀ λ)₀; of nodes (f + Gᵀ λ)₀ itself
    kai_wrench* a1;          // what is looked for
    double *rates0, *rates1; // of the states of users: ẏ₀ and ẏ₁
    double *values, *before; // y₁, and ẏ₁ of the iteration before
    bool known;              // the start was taken over from the step before
    newmark_pace* pace;
    bool impact;     // a limit was reached
    double power[2]; // of work and of what is dissipated, W
    double heat;     // of elements, part of that
    kai_fea* fea;    // NULL: no finite elements
    kai_newmark_contacts touch;
} newmark_context;

/// How many accelerations bodies and shafts have: six a body, one a shaft.
static size_t rigid(const kai_world* world)
{
    return 6 * world->bodies.count + world->shafts.count;
}

/// … and how many there are with those of nodes of elements.
static size_t accelerations(const kai_world* world)
{
    return rigid(world) + kai_fea_coordinates(world);
}

/// Those of nodes in a list of accelerations.
static double* of_nodes(const newmark_context* c, kai_wrench* list)
{
    return (double*)list + rigid(c->world);
}

/// Those of shafts in a list of accelerations.
static double* of_shafts(const newmark_context* c, kai_wrench* list)
{
    return (double*)(list + c->world->bodies.count);
}

// Predictions ------------------------------------------------------------------------------------

/// q₁ and v₁ of bodies from a₁ (bodies.acceleration).
static void predict_range(size_t begin, size_t end, void* context)
{
    const newmark_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const double h = c->h, early = c->m->memory_free ? 0.0 : h * h * (0.5 - c->m->beta),
                 late = h * h * c->m->beta;
    const double v_early = h * (1.0 - c->m->gamma), v_late = h * c->m->gamma;
    for (size_t i = begin; i < end; i++) {
        const kai_motion* v0 = &c->start->motion[i];
        if (v0->flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) continue;
        const kai_wrench *a0 = &c->a0[i], *a1 = &c->a1[i];
        kai_pose* p = &bodies->pose[i];
        kai_motion* m = &bodies->motion[i];
        const kai_vec3 move = kai_vec3_mul_add(kai_vec3_scale(a0->force, early), a1->force, late);
        const kai_vec3 turn = kai_vec3_mul_add(kai_vec3_scale(a0->torque, early), a1->torque, late);
        p->position =
            kai_vec3_add(kai_vec3_mul_add(c->start->pose[i].position, v0->velocity, h), move);
        p->rotation = kai_rotation_polish(kai_quat_mul(
            c->start->pose[i].rotation, kai_rotation_exp(kai_vec3_mul_add(turn, v0->spin, h))));
        m->velocity =
            kai_vec3_mul_add(kai_vec3_mul_add(v0->velocity, a0->force, v_early), a1->force, v_late);
        m->spin =
            kai_vec3_mul_add(kai_vec3_mul_add(v0->spin, a0->torque, v_early), a1->torque, v_late);
    }
}

/// φ₁ and ω₁ of shafts from a₁; y₁ of states from ẏ₁.
static void predict_scalars(const newmark_context* c)
{
    kai_world* world = c->world;
    kai_shaft_def* shafts = kai_shaft_all(world);
    const double *a0 = of_shafts(c, c->a0), *a1 = of_shafts(c, c->a1), *start = c->start->scalars;
    const double h = c->h, early = c->m->memory_free ? 0.0 : h * h * (0.5 - c->m->beta),
                 late = h * h * c->m->beta;
    const double v_early = h * (1.0 - c->m->gamma), v_late = h * c->m->gamma;
    for (size_t i = 0; i < world->shafts.count; i++, start += 2) {
        shafts[i].angle = start[0] + h * start[1] + early * a0[i] + late * a1[i];
        shafts[i].speed = start[1] + v_early * a0[i] + v_late * a1[i];
    }
    // Rates are those of the ends of the step, where accelerations of hht stand for t₁ + α h: the
    // weight that keeps order 2 is γ + α.
    const size_t states = kai_state_total(world);
    const double weight = c->m->gamma + c->m->alpha;
    for (size_t i = 0; i < states; i++)
        c->values[i] = start[i] + h * (1.0 - weight) * c->rates0[i] + h * weight * c->rates1[i];
    kai_state_write(world, c->values);
}

/// q₁ and v₁ of nodes of elements from a₁.
static void predict_nodes(const newmark_context* c)
{
    kai_node_record* nodes = kai_node_all(c->world);
    const double *a0 = of_nodes(c, c->a0), *a1 = of_nodes(c, c->a1), *q0 = c->start->node_q,
                 *v0 = c->start->node_v;
    const double h = c->h, early = c->m->memory_free ? 0.0 : h * h * (0.5 - c->m->beta),
                 late = h * h * c->m->beta;
    const double v_early = h * (1.0 - c->m->gamma), v_late = h * c->m->gamma;
    for (size_t i = 0; i < c->world->nodes.count; i++) {
        const size_t n = kai_node_size(&nodes[i]);
        double *q = kai_node_q(&nodes[i]), *v = kai_node_v(&nodes[i]);
        for (size_t k = 0; k < n; k++) {
            q[k] = q0[k] + h * v0[k] + early * a0[k] + late * a1[k];
            v[k] = v0[k] + v_early * a0[k] + v_late * a1[k];
        }
        a0 += n, a1 += n, q0 += n, v0 += n;
    }
}

static void predict(const newmark_context* c)
{
    kai_parallel_for(c->world->threads, c->world->bodies.owned, BLOCK, predict_range,
                     (void*)(uintptr_t)c);
    predict_scalars(c);
    if (c->fea) predict_nodes(c);
}

/// Acceleration of a body by forces alone (gravity, loads, contacts, gyroscopic term) at the present
/// state.
static kai_wrench free_acceleration(const newmark_context* c, size_t i)
{
    const kai_world* world = c->world;
    const kai_bodies* bodies = &world->bodies;
    const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, i);
    kai_wrench f = {0};
    if (bodies->wrench) f = bodies->wrench[i];
    if (c->touch.sums) {
        const kai_wrench* touch = &c->touch.sums[i];
        f.force = kai_vec3_add(f.force, touch->force);
        f.torque =
            kai_vec3_add(f.torque, kai_quat_unrotate(c->touch.pose[i].rotation, touch->torque));
    }
    const kai_vec3 spin = bodies->motion[i].spin;
    const kai_vec3 gyroscopic = kai_vec3_cross(kai_rotation_momentum(mass, spin), spin);
    return (kai_wrench){kai_vec3_mul_add(world->gravity, f.force, mass->inverse_mass),
                        kai_rotation_spin(mass, kai_vec3_add(f.torque, gyroscopic))};
}

/// a₁ that the forces ask for, by HHT's average of both ends.
static kai_wrench wanted(const newmark_context* c, size_t i)
{
    kai_wrench a = free_acceleration(c, i);
    if (c->m->alpha == 0.0) return a;
    const double now = 1.0 + c->m->alpha, then = -c->m->alpha;
    a.force = kai_vec3_mul_add(kai_vec3_scale(a.force, now), c->past[i].force, then);
    a.torque = kai_vec3_mul_add(kai_vec3_scale(a.torque, now), c->past[i].torque, then);
    return a;
}

/// The same of a shaft.
static double wanted_of_shaft(const newmark_context* c, size_t i)
{
    const kai_shaft_def* shaft = &kai_shaft_all(c->world)[i];
    return (1.0 + c->m->alpha) * kai_shaft_inverse(shaft) * shaft->torque -
           c->m->alpha * of_shafts(c, c->past)[i];
}

/// Shafts that no joint holds, and states: likewise. Returns the largest change of an angle, or of
/// a state against its size.
static double correct_scalars(const kai_system* system, const newmark_context* c)
{
    const kai_world* world = c->world;
    const uint32_t* node_of = c->joints ? c->joints->shaft_node_of.data : NULL;
    double *a1 = of_shafts(c, c->a1), most = 0.0;
    for (size_t i = 0; i < world->shafts.count; i++) {
        if (node_of && node_of[i] != UINT32_MAX) continue;
        const double a = wanted_of_shaft(c, i);
        most = fmax(most, c->m->beta * c->h * c->h * fabs(a - a1[i]));
        a1[i] = a;
    }
    const size_t states = kai_state_total(world);
    if (states == 0) return most;
    memcpy(c->before, c->rates1, states * sizeof *c->before);
    kai_state_rates(world, system->time + c->h, c->rates1);
    for (size_t i = 0; i < states; i++)
        most = fmax(most, c->h * c->m->gamma * fabs(c->rates1[i] - c->before[i]) /
                              fmax(1.0, fabs(c->values[i])));
    return most;
}

/// Bodies that no joint holds: a fixed-point iteration on a₁. `sums` receives the largest change of
/// position.
static void free_range(size_t begin, size_t end, double* sums, void* context)
{
    const newmark_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const uint32_t* node_of = c->joints ? c->joints->node_of.data : NULL;
    const double scale = c->m->beta * c->h * c->h;
    for (size_t i = begin; i < end; i++) {
        if ((bodies->motion[i].flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) ||
            (node_of && node_of[i] != UINT32_MAX))
            continue;
        const kai_wrench a = wanted(c, i), before = c->a1[i];
        sums[0] = fmax(sums[0], scale * kai_vec3_distance(a.force, before.force));
        sums[0] = fmax(sums[0], scale * kai_vec3_distance(a.torque, before.torque));
        c->a1[i] = a;
    }
}

// Newton's method on what joints hold ------------------------------------------------------------

/// (1 + α) F₁ - α F₀ - M a₁ of nodes of elements, without joints, to `x`.
static void residual_of_nodes(const newmark_context* c, double* x)
{
    const double *force = c->fea->force.data, *past = of_nodes(c, c->past), alpha = c->m->alpha;
    kai_fea_mass_times(c->fea, c->world->threads, of_nodes(c, c->a1), x);
    for (size_t i = 0; i < c->fea->coordinates; i++)
        x[i] = (1.0 + alpha) * force[i] - alpha * past[i] - x[i];
}

/// Right-hand side: -r for bodies, -g / (β h²) for joints. λ of the rows holds the present
/// multipliers.
static void residual(const newmark_context* c)
{
    kai_constraints* j = c->joints;
    const kai_bodies* bodies = &c->world->bodies;
    const uint32_t *slot = j->bodies.data, *shaft = j->shafts.data;
    const kai_constraints_joint* joints = j->joints.data;
    const kai_joint_row* rows = j->rows.data;
    const double *lambda = j->lambda.data, now = 1.0 + c->m->alpha,
                 scale = 1.0 / (c->m->beta * c->h * c->h);
    double *x = kai_constraints_unknowns(j), *b = x + kai_constraints_coordinates(j);
    for (size_t i = 0; i < j->bodies.count; i++) {
        const kai_wrench a = wanted(c, slot[i]), *a1 = &c->a1[slot[i]];
        const kai_bodies_mass* mass = kai_bodies_mass_of(bodies, slot[i]);
        const kai_vec3 f = kai_vec3_scale(kai_vec3_sub(a.force, a1->force), mass->mass);
        const kai_vec3 t = kai_rotation_momentum(mass, kai_vec3_sub(a.torque, a1->torque));
        const double r[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        memcpy(x + 6 * i, r, sizeof r);
    }
    for (size_t i = 0; i < j->shafts.count; i++)
        x[6 * j->bodies.count + i] = kai_shaft_all(c->world)[shaft[i]].inertia *
                                     (wanted_of_shaft(c, shaft[i]) - of_shafts(c, c->a1)[shaft[i]]);
    if (c->fea) residual_of_nodes(c, kai_constraints_element_x(j));
    for (size_t i = 0; i < j->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const uint32_t row = joints[i].first + r;
            kai_constraints_scatter(j, &joints[i], r, now * lambda[row], x);
            if (*kai_constraints_state_of(j, row) != KAI_CONSTRAINTS_HELD) {
                *b++ = 0.0;
                continue;
            }
            *b++ = joints[i].velocity_level
                       ? -kai_constraints_rate(j, c->world, &joints[i], r) / (c->h * c->m->gamma)
                       : -scale * rows[row].g;
        }
    }
    if (c->fea) kai_fea_clear_fixed(c->world, kai_constraints_element_x(j));
}

/// Adds the solution to a₁ and λ; returns the largest change of position.
static double correct(const newmark_context* c)
{
    kai_constraints* j = c->joints;
    const uint32_t *slot = j->bodies.data, *shaft = j->shafts.data;
    const kai_constraints_joint* joints = j->joints.data;
    const double *x = kai_constraints_unknowns(j), *mu = x + kai_constraints_coordinates(j);
    const double scale = c->m->beta * c->h * c->h;
    double* lambda = j->lambda.data;
    double most = 0.0;
    for (size_t i = 0; i < j->bodies.count; i++) {
        double* a = (double*)&c->a1[slot[i]];
        for (int p = 0; p < 6; p++) {
            a[p] += x[6 * i + (size_t)p];
            most = fmax(most, scale * fabs(x[6 * i + (size_t)p]));
        }
    }
    x += 6 * j->bodies.count;
    for (size_t i = 0; i < j->shafts.count; i++) {
        of_shafts(c, c->a1)[shaft[i]] += x[i];
        most = fmax(most, scale * fabs(x[i]));
    }
    x += j->shafts.count;
    for (size_t i = 0; c->fea && i < c->fea->coordinates; i++) {
        of_nodes(c, c->a1)[i] += x[i];
        most = fmax(most, scale * fabs(x[i]));
    }
    for (size_t i = 0; i < j->joints.count; mu += joints[i++].count)
        for (uint32_t r = 0; r < joints[i].count; r++)
            if (*kai_constraints_state_of(j, joints[i].first + r) == KAI_CONSTRAINTS_HELD)
                lambda[joints[i].first + r] -= mu[r] / (1.0 + c->m->alpha);
    return most;
}

/// Weights of tangents of elements in Newton's matrix, with `now` of the forces at the end.
static kai_fea_options newmark_weights(const newmark_context* c, double now)
{
    return (kai_fea_options){.position = now * c->m->beta * c->h * c->h,
                             .velocity = now * c->m->gamma * c->h};
}

/// Factorises with the derivatives of forces at the present guess.
static kai_result factor_here(newmark_context* c, double time, kai_error* err)
{
    kai_constraints* j = c->joints;
    const double now = 1.0 + c->m->alpha;
    KAI_TRY(kai_newmark_contacts_tangents(&c->touch, j, c->world, now * c->m->beta * c->h * c->h,
                                          now * c->m->gamma * c->h, err));
    if (j->tangents.terms.count > 0)
        KAI_TRY(kai_tangents_find(&j->tangents, c->world, time, now * c->m->beta * c->h * c->h,
                                  now * c->m->gamma * c->h, j->lambda.data, j->first.data, err));
    j->elements.prefers_block_cg = true;
    const kai_fea_options options = newmark_weights(c, now);
    KAI_TRY(kai_elements_find(&j->elements, c->world, &options, err));
    KAI_TRY(kai_constraints_factor(j, c->world, true, err));
    if (!kai_newmark_reuse_possible(j)) return KAI_OK;
    return kai_newmark_reuse_note(j, c->world, &options, time, err);
}

/// One pass: forces and rows at the present guess, then a better guess. `*change` is the largest
/// change of position, infinite when a row with bounds was in the wrong state.
static kai_result iterate(kai_system* system, newmark_context* c, int64_t number, bool factor,
                          double* change, kai_error* err)
{
    kai_world* world = c->world;
    const double end = system->time + c->h;
    predict(c);
    KAI_TRY(kai_system_forces(system, end, NULL, err));
    double most = 0.0;
    size_t changed = 0;
    bool touched;
    KAI_TRY(kai_newmark_contacts_evaluate(&c->touch, world, number, *change, &touched, err));
    if (c->joints) {
        kai_constraints_evaluate(c->joints, world, end);
        if (c->joints->bounded)
            changed = kai_constraints_bounds_change(c->joints, world, c->m->tolerance, number > 8);
        if (factor || touched || changed > 0) KAI_TRY(factor_here(c, end, err));
        residual(c);
        KAI_TRY(kai_constraints_solve(c->joints, world, err));
    }
    KAI_TRY(kai_parallel_max(world->threads, world->bodies.owned, BLOCK, free_range,
                             (void*)(uintptr_t)c, 1, &most, &world->arena, err));
    *change = fmax(most, c->joints ? correct(c) : 0.0);
    *change = fmax(*change, correct_scalars(system, c));
    if (changed > 0) *change = HUGE_VAL;
    return KAI_OK;
}

static kai_result newton_iterations(kai_system* system, newmark_context* c, bool ready,
                                    kai_error* err)
{
    double change = HUGE_VAL, before = HUGE_VAL;
    const double now = 1.0 + c->m->alpha;
    const kai_fea_options options = newmark_weights(c, now);
    // … or of an earlier one.
    if (!ready && c->m->jacobian == KAI_NEWMARK_AUTOMATIC && kai_newmark_reuse_possible(c->joints))
        KAI_TRY(kai_newmark_reuse_find(c->joints, c->world, &options, &ready, err));
    // An iteration is cheap beside factors of elements.
    const double slack = kai_newmark_reuse_possible(c->joints) ? 0.3 : 0.1;
    bool anew = false;
    for (int64_t i = 0; i < c->m->iterations; i++) {
        const bool slow = c->m->jacobian == KAI_NEWMARK_AUTOMATIC && change > slack * before;
        // With the factors of this very guess it may be compliance that holds Newton's method up.
        if (anew && i > 1 && change > CREEP * before && c->joints && c->joints->shared)
            c->joints->less_soft = c->pace->creeps = true;
        anew = (i == 0 && !ready) || slow || c->m->jacobian == KAI_NEWMARK_FULL;
        before = change;
        KAI_TRY(kai_stop_check(c->world->stop, err));
        const kai_result r = iterate(system, c, i, anew, &change, err);
        // Contacts of a bad guess may be too deep for numbers.
        c->retry = r == KAI_ERROR_DIVERGED && c->touch.contacts;
        KAI_TRY(r);
        if (isnan(change)) break;
        // Near a singular position changes stop shrinking a little above the tolerance.
        const bool stuck = i >= 10 && change > 0.5 * before && change <= 100.0 * c->m->tolerance;
        if (change <= c->m->tolerance || stuck) {
            // Forces are there, of the state before the last change: it is below the tolerance.
            if (c->fea)
                KAI_TRY(kai_fea_forces_heat(c->fea, c->world, KAI_FEA_MOVING, &c->heat, err));
            predict(c);
            if (c->touch.contacts) kai_newmark_contacts_follow(c->world);
            return KAI_OK;
        }
    }
    c->retry = true;
    kai_error_set(
        err, KAI_ERROR_DIVERGED,
        "Newton's method did not converge at t = %.9g s: change %.3g m or rad after %lld iterations, "
        "tolerance %.3g; take a smaller step",
        system->time + c->h, kai_label_number(change), (long long)c->m->iterations,
        c->m->tolerance);
    if (isnan(change)) kai_diagnose_terms(c->world, system->time + c->h, err);
    return KAI_ERROR_DIVERGED;
}

/// Newton's method with contacts as they are. `ready`: there are factors of this step.
static kai_result newton(kai_system* system, newmark_context* c, bool ready, kai_error* err)
{
    if (c->joints) c->joints->less_soft = c->pace->creeps;
    const kai_result r = newton_iterations(system, c, ready, err);
    if (c->joints) c->joints->less_soft = false;
    return r;
}

// Contacts by complementarity --------------------------------------------------------------------

/// a₁ from the velocities that the world holds.
static void take_accelerations(const newmark_context* c)
{
    kai_world* world = c->world;
    const double rate = 1.0 / c->h;
    for (size_t i = 0; i < world->bodies.count; i++) {
        const kai_motion *v1 = &world->bodies.motion[i], *v0 = &c->start->motion[i];
        if (v1->flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) continue;
        c->a1[i].force = kai_vec3_scale(kai_vec3_sub(v1->velocity, v0->velocity), rate);
        c->a1[i].torque = kai_vec3_scale(kai_vec3_sub(v1->spin, v0->spin), rate);
    }
    for (size_t i = 0; i < world->shafts.count; i++)
        of_shafts(c, c->a1)[i] =
            rate * (kai_shaft_all(world)[i].speed - c->start->scalars[2 * i + 1]);
    if (!c->fea) return;
    double *a1 = of_nodes(c, c->a1), *v0 = c->start->node_v;
    kai_fea_read(world, NULL, a1);
    for (size_t i = 0; i < c->fea->coordinates; i++) a1[i] = rate * (a1[i] - v0[i]);
}

/// Newton's method and the cone solver in turn, until contacts are where Newton's method leaves
/// them.
static kai_result solve_with_cones(kai_system* system, newmark_context* c, kai_error* err)
{
    kai_newmark_cones* cones = &c->touch.cones;
    double change = HUGE_VAL, before;
    for (int64_t turn = 0; turn < c->m->iterations; turn++) {
        KAI_TRY(newton(system, c, turn > 0, err));
        before = change;
        change = c->h * kai_newmark_cones_change(cones);
        // No better than contacts are solved. Where sticking turns to slipping and back changes
        // stop shrinking above the tolerance.
        const double enough = fmax(c->m->tolerance, c->h * cones->residual);
        const bool stuck = turn >= 10 && change > 0.5 * before && change <= 1e4 * c->m->tolerance;
        if (turn > 0 && (change <= enough || stuck)) return KAI_OK;
        const kai_result r = kai_newmark_cones_solve(cones, err);
        c->retry = r == KAI_ERROR_DIVERGED; // a push may be unstable at this length
        KAI_TRY(r);
        take_accelerations(c);
    }
    c->retry = true;
    return kai_error_set(
        err, KAI_ERROR_DIVERGED,
        "contacts and forces did not come into balance at t = %.9g s: change %.3g m after %lld turns, "
        "tolerance %.3g; take a smaller step",
        system->time + c->h, kai_label_number(change), (long long)c->m->iterations,
        c->m->tolerance);
}

// The step ---------------------------------------------------------------------------------------

// What is carried from step to step (world.integrator_state): a and M⁻¹ (f + Gᵀ λ) of every body
// and shaft, λ of every row, the rates of states, what factors were found for (newmark_reuse.h),
// the length of the step (or part), whether Newton's method creeps, the power of work and of what
// is dissipated, then the pace. It is kept
// apart from bodies.acceleration, the joints' λ and the loads' forces, which users may bring up to
// date between steps and checkpoints do not hold.

static size_t state_size(const newmark_context* c)
{
    return 2 * accelerations(c->world) + (c->joints ? c->joints->lambda.count : 0) +
           kai_state_total(c->world) + kai_newmark_reuse_size(c->joints) + TAIL;
}

/// HHT's a₀ stands for a moment α h beside the start of the step: it is moved when h is not the one
/// it was made with, or a change of step would cost an order.
static void rescale(const newmark_context* c, double h_before)
{
    if (c->m->alpha == 0.0) return;
    const double ratio = c->h / h_before, *past = (const double*)c->past;
    double* a0 = (double*)c->a0;
    for (size_t i = 0; i < rigid(c->world); i++) a0[i] = past[i] + ratio * (a0[i] - past[i]);
}

/// Gets ready for a step of another length than the one before. Velocities, which differ from
/// G v + ∂g/∂t = 0 by an error of the method that equal steps cancel, are brought there: otherwise
/// it would show in accelerations, divided by h.
static kai_result change_step(const kai_system* system, const newmark_context* c, double h_before,
                              kai_error* err)
{
    kai_world* world = c->world;
    rescale(c, h_before);
    if (!c->joints || c->joints->joints.count == 0) return KAI_OK;
    kai_constraints_evaluate(c->joints, world, system->time);
    KAI_TRY(kai_constraints_factor(c->joints, world, false, err));
    KAI_TRY(kai_project_velocities(c->joints, world, err));
    if (world->bodies.count > 0)
        memcpy(c->start->motion, world->bodies.motion, world->bodies.count * sizeof(kai_motion));
    for (size_t i = 0; i < world->shafts.count; i++)
        c->start->scalars[2 * i + 1] = kai_shaft_all(world)[i].speed;
    kai_fea_read(world, NULL, c->start->node_v);
    return KAI_OK;
}

/// Scratch memory of a step.
static kai_result take_room(newmark_context* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = accelerations(world), states = kai_state_total(world);
    c->a0 = kai_arena_take(&world->arena, count, sizeof(double), err); // a body has six
    c->past = kai_arena_take(&world->arena, count, sizeof(double), err);
    c->a1 = kai_arena_take(&world->arena, count, sizeof(double), err);
    double* y = kai_arena_take(&world->arena, 4 * states, sizeof *y, err);
    if (!c->a0 || !c->past || !c->a1 || !y) return KAI_ERROR_MEMORY;
    c->rates0 = y;
    c->rates1 = y + states;
    c->values = y + 2 * states;
    c->before = y + 3 * states;
    return KAI_OK;
}

/// Accelerations at the start; rows with bounds hold where they must.
static kai_result find_accelerations(kai_system* system, const newmark_context* c, kai_error* err)
{
    kai_world* world = c->world;
    if (!c->joints || !c->joints->bounded)
        return kai_system_accelerations(system, system->time, err);
    kai_constraints_evaluate(c->joints, world, system->time);
    kai_constraints_bounds_guess(c->joints, world);
    for (size_t round = 0; round < 20 + c->joints->rows.count; round++) {
        KAI_TRY(kai_system_accelerations(system, system->time, err));
        if (kai_constraints_bounds_change(c->joints, world, HUGE_VAL, round > 8) == 0) break;
    }
    return KAI_OK;
}

/// a₀ from what the world holds.
static kai_result find_start(kai_system* system, newmark_context* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t bodies = world->bodies.count;
    KAI_TRY(find_accelerations(system, c, err));
    if (bodies > 0) memcpy(c->a0, world->bodies.acceleration, bodies * sizeof *c->a0);
    for (size_t i = 0; i < world->shafts.count; i++)
        of_shafts(c, c->a0)[i] = kai_shaft_all(world)[i].acceleration;
    if (c->fea) {
        double* a0 = of_nodes(c, c->a0);
        kai_node_record* nodes = kai_node_all(world);
        for (size_t i = 0; i < world->nodes.count; i++) {
            memcpy(a0, kai_node_a(&nodes[i]), kai_node_size(&nodes[i]) * sizeof *a0);
            a0 += kai_node_size(&nodes[i]);
        }
        kai_fea_mass_times(c->fea, world->threads, of_nodes(c, c->a0), of_nodes(c, c->past));
    }
    memcpy(c->past, c->a0, rigid(world) * sizeof(double));
    kai_state_rates(world, system->time, c->rates0);
    return KAI_OK;
}

/// Takes over a₀ and λ₀, or finds them at the first step and whenever something was changed.
static kai_result begin(kai_system* system, newmark_context* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = accelerations(world), states = kai_state_total(world);
    KAI_TRY(kai_constraints_get(world, &c->joints, err));
    KAI_TRY(kai_fea_get(world, &c->fea, err));
    KAI_TRY(kai_newmark_contacts_begin(&c->touch, world, c->joints, c->start, c->h,
                                       c->m->memory_free ? 1.0 : 0.5, err));
    KAI_TRY(take_room(c, err));
    c->known = world->integrator_steps == world->steps + 1 &&
               world->integrator_state.count == state_size(c);
    if (c->known) {
        const double *state = world->integrator_state.data, *end = state + state_size(c);
        memcpy(c->a0, state, count * sizeof *state);
        memcpy(c->past, state + count, count * sizeof *state);
        if (c->joints && c->joints->lambda.count > 0)
            memcpy(c->joints->lambda.data, state + 2 * count,
                   c->joints->lambda.count * sizeof *state);
        if (c->joints && c->joints->bounded) {
            kai_constraints_evaluate(c->joints, world, system->time);
            kai_constraints_bounds_follow(c->joints, world);
        }
        const size_t reuse = kai_newmark_reuse_size(c->joints);
        // Factors of another layout are of no use, nor is the order in which it lists bodies.
        if (world->joints_passed && reuse > 0)
            ((double*)world->integrator_state.data)[state_size(c) - TAIL - reuse] = 0.0;
        memcpy(c->rates0, end - TAIL - reuse - states, states * sizeof *state);
        if (reuse > 0) KAI_TRY(kai_newmark_reuse_write(c->joints, world, end - TAIL - reuse, err));
        memcpy(c->power, end - 4, sizeof c->power);
        if (end[-TAIL] != c->h) KAI_TRY(change_step(system, c, end[-TAIL], err));
    } else {
        KAI_TRY(kai_newmark_contacts_start(&c->touch, world, err));
        KAI_TRY(find_start(system, c, err));
    }
    world->joints_passed = false;
    memcpy(c->a1, c->a0, count * sizeof(double));
    memcpy(c->rates1, c->rates0, states * sizeof(double));
    return KAI_OK;
}

/// Keeps a₁ and λ₁ for the next step. M a₁ = (1 + α) F₁ - α F₀ gives F₁ without another evaluation.
static kai_result finish(const newmark_context* c, kai_error* err)
{
    kai_world* world = c->world;
    const size_t count = accelerations(world), states = kai_state_total(world);
    KAI_TRY(kai_array_resize(&world->integrator_state, &world->memory, state_size(c), err));
    double *state = world->integrator_state.data, *end = state + state_size(c);
    const double *a1 = (const double*)c->a1, *past = (const double*)c->past, alpha = c->m->alpha;
    memcpy(state, a1, count * sizeof *state);
    for (size_t i = 0; i < rigid(world); i++)
        state[count + i] = (a1[i] + alpha * past[i]) / (1.0 + alpha);
    if (c->fea) {
        double *f1 = state + count + rigid(world), *f0 = of_nodes(c, c->past);
        kai_fea_mass_times(c->fea, world->threads, of_nodes(c, c->a1), f1);
        for (size_t i = 0; i < c->fea->coordinates; i++)
            f1[i] = (f1[i] + alpha * f0[i]) / (1.0 + alpha);
    }
    if (c->joints && c->joints->lambda.count > 0)
        memcpy(state + 2 * count, c->joints->lambda.data, c->joints->lambda.count * sizeof *state);
    const size_t reuse = kai_newmark_reuse_size(c->joints);
    memcpy(end - TAIL - reuse - states, c->rates1, states * sizeof *state);
    if (reuse > 0) kai_newmark_reuse_read(c->joints, end - TAIL - reuse);
    end[-TAIL] = c->h;
    memcpy(end - 4, c->power, sizeof c->power);
    end[-5] = c->pace->creeps;
    end[-2] = c->pace->level;
    end[-1] = c->pace->calm;
    world->integrator_steps = c->impact ? 0 : world->steps + (c->last ? 2 : 1);
    return KAI_OK;
}

/// Power of loads, motors and elements at the present state, which is that of `time`, to `power`.
static kai_result find_power(newmark_context* c, double time, kai_error* err)
{
    kai_world* world = c->world;
    const double work = world->work, dissipated = world->dissipated;
    world->work = c->joints ? kai_joint_effort_power(c->joints, world) : 0.0;
    world->dissipated = c->joints ? kai_joint_effort_slip(c->joints, world) : 0.0;
    const kai_result r = kai_term_spend_all(world, time, 1.0, err);
    c->power[0] = world->work;
    c->power[1] = world->dissipated + c->heat + c->touch.power;
    world->work = work;
    world->dissipated = dissipated;
    return r;
}

/// Half a step's work at that power.
static void spend(const newmark_context* c)
{
    c->world->work += 0.5 * c->h * c->power[0];
    c->world->dissipated += 0.5 * c->h * c->power[1];
}

/// KAI_ERROR_DIVERGED when the local error is above what the method allows.
static kai_result check_error(const kai_system* system, newmark_context* c, kai_error* err)
{
    if (c->m->error <= 0.0 || c->shortest || c->parts >= c->m->parts) return KAI_OK;
    const double scale = c->h * c->h * fabs(c->m->beta - 1.0 / 6.0);
    double most = 0.0;
    // Finite elements do not count: what is fast in them is there to be damped, not to be followed.
    const uint32_t *flexible = c->fea ? c->fea->bodies.data : NULL,
                   *last = c->fea ? flexible + c->fea->bodies.count : NULL;
    for (size_t i = 0; i < c->world->bodies.count; i++) {
        if (flexible < last && *flexible == i) {
            flexible++;
            continue;
        }
        most = fmax(most, scale * kai_vec3_distance(c->a1[i].force, c->a0[i].force));
        most = fmax(most, scale * kai_vec3_distance(c->a1[i].torque, c->a0[i].torque));
    }
    for (size_t i = 0; i < c->world->shafts.count; i++)
        most = fmax(most, scale * fabs(of_shafts(c, c->a1)[i] - of_shafts(c, c->a0)[i]));
    c->pace->worst = fmax(c->pace->worst, most / c->m->error);
    if (most <= c->m->error) return KAI_OK;
    c->retry = true;
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "the local error at t = %.9g s is %.3g m or rad; must be <= %.3g",
                         system->time + c->h, most, c->m->error);
}

/// How many position rows with bounds hold.
static size_t count_held(const kai_constraints* j)
{
    const kai_constraints_joint* joints = j->joints.data;
    size_t held = 0;
    for (size_t i = 0; i < j->joints.count; i++)
        for (uint32_t r = 0; joints[i].bounded && !joints[i].velocity_level && r < joints[i].count;
             r++)
            held += *kai_constraints_state_of(j, joints[i].first + r) == KAI_CONSTRAINTS_HELD;
    return held;
}

/// Without numerical damping (γ = ½) multipliers would swing from step to step and grow: joints
/// held in position alone leave their velocities marginally stable. Velocities are brought to G v +
/// ∂g/∂t = 0. So they are after an impact on a limit, whose force is not smooth.
static kai_result settle_velocities(const kai_system* system, const newmark_context* c,
                                    kai_error* err)
{
    if (!c->joints || c->joints->joints.count == 0 || (c->m->gamma > 0.5 && !c->impact))
        return KAI_OK;
    KAI_TRY(kai_term_observe_all(c->world, system->time + c->h, err));
    kai_constraints_evaluate(c->joints, c->world, system->time + c->h);
    KAI_TRY(kai_constraints_factor(c->joints, c->world, false, err));
    KAI_TRY(kai_project_velocities(c->joints, c->world, err));
    c->world->work += kai_project_work(c->joints);
    return KAI_OK;
}

static kai_result advance(kai_system* system, newmark_context* c, kai_error* err)
{
    KAI_TRY(begin(system, c, err));
    if (!c->known && c->fea)
        KAI_TRY(kai_fea_forces_heat(c->fea, c->world, KAI_FEA_NOTHING, &c->heat, err));
    if (!c->known) KAI_TRY(find_power(c, system->time, err));
    spend(c);
    const size_t held = c->joints && c->joints->bounded ? count_held(c->joints) : 0;
    const bool cones = c->touch.cones.count > 0;
    KAI_TRY(cones ? solve_with_cones(system, c, err) : newton(system, c, false, err));
    c->impact = c->joints && c->joints->bounded && count_held(c->joints) > held;
    KAI_TRY(settle_velocities(system, c, err));
    KAI_TRY(find_power(c, system->time + c->h, err));
    spend(c);
    KAI_TRY(kai_system_check_finite(system, system->time + c->h, err));
    KAI_TRY(check_error(system, c, err));
    if (cones) KAI_TRY(kai_newmark_cones_end(&c->touch.cones, err));
    return finish(c, err);
}

/// What the parts of a step share.
typedef struct newmark_division {
    kai_system* system;
    const kai_newmark* method;
    newmark_pace pace;
} newmark_division;

/// One part of a step; when it fails nothing has changed.
static kai_result take_part(newmark_division* d, double h, int halvings, bool last, bool* retry,
                            kai_error* err)
{
    kai_system_backup backup;
    KAI_TRY(kai_system_save(d->system, &backup, err));
    newmark_context c = {.world = d->system->world,
                         .m = d->method,
                         .h = h,
                         .last = last,
                         .shortest = halvings == KAI_NEWMARK_HALVINGS,
                         .parts = INT64_C(1) << halvings,
                         .pace = &d->pace,
                         .start = &backup};
    const kai_result r = advance(d->system, &c, err);
    if (c.touch.contacts) kai_contacts_end(c.touch.contacts, d->system->world, r == KAI_OK);
    kai_system_end(d->system, &backup, r == KAI_OK);
    *retry = c.retry;
    return r;
}

/// A part, or its two halves.
static kai_result divide(newmark_division* d, double h, int halvings, bool last, kai_error* err)
{
    const double worst = d->pace.worst;
    if (halvings >= d->pace.level) {
        bool retry = false;
        const kai_result r = take_part(d, h, halvings, last, &retry, err);
        d->pace.deepest = halvings > d->pace.deepest ? halvings : d->pace.deepest;
        if (r == KAI_OK || !retry || halvings == KAI_NEWMARK_HALVINGS) return r;
        d->pace.worst = worst; // of parts that are kept
    }
    kai_system* system = d->system;
    const double start = system->time;
    KAI_TRY(divide(d, 0.5 * h, halvings + 1, false, err));
    system->time = start + 0.5 * h;
    const kai_result second = divide(d, 0.5 * h, halvings + 1, last, err);
    system->time = start;
    return second;
}

/// Reads the pace, where there was a step before.
static newmark_pace read_pace(const kai_world* world)
{
    newmark_pace pace = {0};
    if (world->integrator_steps != world->steps + 1 || world->integrator_state.count < TAIL)
        return pace;
    const double* end = (const double*)world->integrator_state.data + world->integrator_state.count;
    pace.level = (int)fmin(fmax(end[-2], 0.0), KAI_NEWMARK_HALVINGS);
    pace.calm = (int)fmin(fmax(end[-1], 0.0), CALM);
    pace.creeps = end[-5] != 0.0;
    return pace;
}

/// Parts become shorter at once and longer with care: twice the length makes eight times the error.
static void keep_pace(kai_world* world, newmark_pace pace)
{
    if (world->integrator_steps == 0) return;
    const bool quiet = pace.deepest <= pace.level && pace.worst < 0.1;
    pace.calm = quiet ? pace.calm + 1 : 0;
    pace.level = pace.deepest > pace.level ? pace.deepest : pace.level;
    if (pace.calm >= CALM) {
        pace.level = pace.level > 0 ? pace.level - 1 : 0;
        pace.calm = 0;
    }
    double* end = (double*)world->integrator_state.data + world->integrator_state.count;
    end[-5] = pace.creeps;
    end[-2] = pace.level;
    end[-1] = pace.calm;
}

/// What a failed step must put back of contacts: its first parts may have been kept.
static kai_result keep_contacts(kai_world* world, kai_contacts** contacts, kai_error* err)
{
    *contacts = NULL;
    if (world->contact_def.method == KAI_CONTACT_NONE) return KAI_OK;
    KAI_TRY(kai_contacts_get(world, contacts, err));
    kai_newmark_contacts_follow(world);
    return kai_contacts_instant_save(*contacts, world, err);
}

kai_result kai_newmark_step(kai_system* system, const kai_newmark* method, double h, kai_error* err)
{
    kai_world* world = system->world;
    kai_contacts* contacts;
    kai_system_backup backup;
    KAI_TRY(keep_contacts(world, &contacts, err));
    const double elastic = world->contact_elastic;
    KAI_TRY(kai_system_save(system, &backup, err));
    newmark_division d = {system, method, read_pace(world)};
    const kai_result r = divide(&d, h, 0, true, err);
    if (r != KAI_OK) {
        world->integrator_steps = 0;
        if (contacts) kai_contacts_instant_restore(contacts, world);
        world->contact_elastic = elastic;
    } else {
        keep_pace(world, d.pace);
        kai_newmark_contacts_follow(world);
    }
    kai_system_end(system, &backup, r == KAI_OK);
    return r;
}
