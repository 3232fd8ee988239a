// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Equilibrium: forces and reactions add up to nothing, joints hold, nothing moves.
//
//     ┌ M + τ² K   Gᵀ ┐ ┌  Δq    ┐   ┌ τ² (f + Gᵀ λ) ┐
//     └ G          0  ┘ └ -τ² Δλ ┘ = └ -g            ┘
//
// K are the derivatives of stiff loads and of the joints' forces (step/tangents.h). For a short τ
// this is a step of motion from rest, which goes downhill; for a long one it is Newton's method.
// τ grows as forces vanish and falls when they rise (pseudo-transient continuation, Kelley & Keyes
// 1998): it comes to a stable equilibrium, and where a mechanism is free to move and no force asks
// it to, it stays where it is.
//
// Finite elements whose stiffnesses are far apart (thin shells, slender beams) want something else,
// since every step of theirs that bends raises forces that stretch. There a path is tried first:
// f(q) = (1 - s) f(q₀) by Newton's method for s from 0 to 1, in steps that shrink where it does not
// converge. From an undeformed start this is loading in steps.
//
// Linear statics solves K Δq = f once. Its matrix is that of a long τ, which stays regular where K
// alone would not; M Δq of the last solution goes to the right-hand side of the next, so that the
// mass has no part in what comes out.
#include "step/world_statics.h"

#include "base/stop.h"
#include "fea/fea.h"
#include "model/check.h"
#include "model/joint.h"
#include "model/label.h"
#include "step/constraints.h"
#include "step/rotation.h"
#include "step/system.h"
#include "step/term.h"
#include "step/undo.h"

#include <math.h>
#include <string.h>

static const int ROUNDS = 2000;
enum { PASSES = 100 };
static const double FIRST = 0.03, LONGEST = 100.0; // τ, s: rounding grows with its square
static const double REACH = 0.2;                   // largest move in one round, of the size of all
static const double TURN = 0.2;                    // largest turn in one round, rad
static const double SMALL = 1e-10;                 // move of the last rounds, m or rad
static const double ROUNDING = 1e-13;              // of forces, likewise
static const int PATH_ROUNDS = 24;                 // most for one point of a path
static const double SHORTEST_STEP = 1e-4;          // of a path
static const double BALANCE = 1e-9;                // force that is left, as a share of all forces
static const int LINEAR_ROUNDS = 100;       // each takes 1 / (1 + τ² ω²) of the error along
static const double LINEAR_CHANGE = 1e-12;  // of the last round, as a share of the solution
static const double LINEAR_ROUNDING = 1e-8; // the same where it is rounding

typedef struct statics_context {
    kai_world* world;
    kai_constraints* c;
    double tau;
    double reach;    // largest move in one round, m
    double force;    // largest force or torque that is left
    double all;      // largest force or torque that acts
    double rounding; // force that rounding of coordinates makes in the stiffest element
    uint32_t worst;  // unknown with that force
    double* start;   // on a path: f(q₀); else NULL
    double left;     // … and the share of it that is wanted
} statics_context;

/// Nothing moves.
static void stop_all(kai_world* world)
{
    for (size_t i = 0; i < world->bodies.count; i++)
        world->bodies.motion[i].velocity = world->bodies.motion[i].spin = kai_vec3_zero();
    for (size_t i = 0; i < world->shafts.count; i++) kai_shaft_all(world)[i].speed = 0.0;
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++)
        memset(kai_node_v(&nodes[i]), 0, KAI_NODE_COORDINATES * sizeof(double));
}

/// Force of gravity and loads on a body, torque in its principal frame.
static kai_wrench force_on(const kai_world* world, uint32_t slot)
{
    const kai_wrench none = {0}, *f = world->bodies.wrench ? &world->bodies.wrench[slot] : &none;
    return (kai_wrench){
        kai_vec3_mul_add(f->force, world->gravity, kai_bodies_mass_of(&world->bodies, slot)->mass),
        f->torque};
}

/// A body or shaft that nothing holds must not be pushed.
static kai_result check_free(const statics_context* s, kai_error* err)
{
    const kai_world* world = s->world;
    const uint32_t *node_of = s->c ? s->c->node_of.data : NULL,
                   *shaft_node_of = s->c ? s->c->shaft_node_of.data : NULL;
    char text[KAI_STRING_SIZE + 96];
    for (size_t i = 0; i < world->bodies.count; i++) {
        if ((world->bodies.motion[i].flags & (KAI_BODY_FIXED | KAI_BODY_NODE)) ||
            (node_of && node_of[i] != UINT32_MAX))
            continue;
        const kai_wrench f = force_on(world, (uint32_t)i);
        if (kai_vec3_norm2(f.force) + kai_vec3_norm2(f.torque) == 0.0) continue;
        kai_label_body(world, i, text, sizeof text);
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "there is no equilibrium: %s is held by nothing, and a force of %g N "
                             "and a torque of %g N m act on it",
                             text, kai_vec3_norm(f.force), kai_vec3_norm(f.torque));
    }
    for (size_t i = 0; i < world->shafts.count; i++) {
        const kai_shaft_def* shaft = &kai_shaft_all(world)[i];
        if (shaft->fixed || (shaft_node_of && shaft_node_of[i] != UINT32_MAX) ||
            shaft->torque == 0.0)
            continue;
        kai_shaft_describe(world, i, text, sizeof text);
        return kai_error_set(
            err, KAI_ERROR_DIVERGED,
            "there is no equilibrium: %s is held by nothing, and a torque of %g N m acts on it",
            text, shaft->torque);
    }
    return KAI_OK;
}

/// The largest force or torque of a load or an element on anything.
static double largest_load(const kai_world* world, const kai_fea* fea)
{
    const double* f = world->plan.wrench.data;
    double most = 0.0;
    for (size_t i = 0; i < 6 * world->plan.wrench.count; i++) most = fmax(most, fabs(f[i]));
    for (size_t i = 0; fea && i < fea->forces.count; i++)
        most = fmax(most, fabs(((const double*)fea->forces.data)[i]));
    return most;
}

/// f + Gᵀ λ to the unknowns, -g to the rows; notes the largest force that is left.
static void set_residual(statics_context* s)
{
    kai_constraints* c = s->c;
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    const kai_constraints_joint* joints = c->joints.data;
    double* x = kai_constraints_unknowns(c);
    const size_t n = kai_constraints_coordinates(c);
    const double weight = kai_vec3_norm(s->world->gravity);
    s->all = s->force = 0.0;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_wrench f = force_on(s->world, slot[i]);
        memcpy(x + 6 * i, &f, 6 * sizeof *x);
        s->all = fmax(s->all, kai_bodies_mass_of(&s->world->bodies, slot[i])->mass * weight);
    }
    for (size_t i = 0; i < c->shafts.count; i++)
        x[6 * c->bodies.count + i] = kai_shaft_all(s->world)[shaft[i]].torque;
    const kai_fea* fea = c->elements.fea;
    if (fea && fea->coordinates > 0)
        memcpy(kai_constraints_element_x(c), fea->force.data, fea->coordinates * sizeof *x);
    for (size_t i = 0; i < n; i++) s->all = fmax(s->all, fabs(x[i]));
    s->all = fmax(s->all, largest_load(s->world, fea));
    double* b = x + n;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const uint32_t row = joints[i].first + r;
            const double lambda = ((const double*)c->lambda.data)[row];
            kai_constraints_scatter(c, &joints[i], r, lambda, x);
            s->all = fmax(s->all, fabs(lambda));
            const bool held = *kai_constraints_state_of(c, row) == KAI_CONSTRAINTS_HELD;
            *b++ = held && !joints[i].velocity_level ? -kai_constraints_row(c, row)->g : 0.0;
        }
    }
    if (fea) kai_fea_clear_fixed(s->world, kai_constraints_element_x(c));
    for (size_t i = 0; i < n; i++) {
        if (s->start) x[i] -= s->left * s->start[i];
        if (fabs(x[i]) > s->force) {
            s->force = fabs(x[i]);
            s->worst = (uint32_t)i;
        }
        x[i] *= s->tau * s->tau;
    }
}

/// What the last bits of coordinates do in the stiffest element, or at the stiffest node where
/// elements' matrices are not kept.
static double find_rounding(const statics_context* s)
{
    const kai_fea* fea = s->c->elements.fea;
    const kai_block_cg* d = &s->c->definite;
    double most = 0.0;
    for (size_t v = 0; v < d->vectors; v++)
        for (size_t k = 0; k < 9; k += 4)
            most = fmax(most, ((const double*)d->blocks.data)[9 * v + k]);
    const kai_elements* e = &s->c->elements;
    for (uint32_t i = 0; fea && e->free && i < e->parts.count; i++)
        for (size_t k = 0; k < ((const kai_elements_part*)e->parts.data)[i].width; k++)
            most = fmax(most,
                        kai_blocks_diagonal(&s->c->matrix, e->base + i)[k * (KAI_LDL_WIDTH + 1)]);
    for (size_t b = 0; fea && !e->free && !fea->sink.take && b < fea->batches.count; b++) {
        const kai_fea_batch* batch = (const kai_fea_batch*)fea->batches.data + b;
        const double* t = (const double*)fea->tangents.data + batch->first_tangent;
        for (size_t i = 0; i < batch->count; i++, t += batch->rows * batch->rows)
            for (size_t k = 0; k < batch->rows; k++) most = fmax(most, t[k * (batch->rows + 1)]);
    }
    return 1e-15 * most / (s->tau * s->tau) * (s->reach / REACH);
}

/// The largest move that the solution asks for, as a share of what one round may do.
static double largest_move(const statics_context* s, double* move)
{
    const double* x = kai_constraints_unknowns(s->c);
    double share = 0.0;
    *move = 0.0;
    for (size_t i = 0; i < kai_constraints_elements(s->c); i++) {
        const bool slides = i < 6 * s->c->bodies.count && i % 6 < 3;
        *move = fmax(*move, fabs(x[i]));
        share = fmax(share, fabs(x[i]) / (slides ? s->reach : TURN));
    }
    x += kai_constraints_elements(s->c);
    const kai_node_record* nodes = kai_node_all(s->world);
    for (size_t i = 0; i < s->world->nodes.count; i++) {
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++, x++) {
            *move = fmax(*move, fabs(*x));
            share = fmax(share, fabs(*x) / (k < 3 ? s->reach : TURN));
        }
    }
    return share;
}

/// Moves everything by a share of the solution; multipliers by all of it.
static void move_by(const statics_context* s, double share)
{
    kai_constraints* c = s->c;
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    const double* x = kai_constraints_unknowns(c);
    for (size_t i = 0; i < c->bodies.count; i++, x += 6) {
        kai_pose* p = &s->world->bodies.pose[slot[i]];
        p->position = kai_vec3_mul_add(p->position, kai_vec3_make(x[0], x[1], x[2]), share);
        p->rotation = kai_rotation_polish(kai_quat_mul(
            p->rotation, kai_rotation_exp(kai_vec3_scale(kai_vec3_make(x[3], x[4], x[5]), share))));
    }
    for (size_t i = 0; i < c->shafts.count; i++)
        kai_shaft_all(s->world)[shaft[i]].angle += share * *x++;
    if (c->elements.fea) {
        kai_elements_move(s->world, x, share);
        x += c->elements.fea->coordinates;
    }
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++, x++)
            if (*kai_constraints_state_of(c, r) == KAI_CONSTRAINTS_HELD)
                ((double*)c->lambda.data)[r] -= *x / (s->tau * s->tau);
}

static kai_result no_equilibrium(const statics_context* s, kai_error* err)
{
    char text[KAI_STRING_SIZE + 96];
    const size_t bodies = 6 * s->c->bodies.count, elements = kai_constraints_elements(s->c);
    if (s->worst < bodies) {
        kai_label_body(s->world, ((const uint32_t*)s->c->bodies.data)[s->worst / 6], text,
                       sizeof text);
    } else if (s->worst < elements) {
        kai_shaft_describe(s->world, ((const uint32_t*)s->c->shafts.data)[s->worst - bodies], text,
                           sizeof text);
    } else {
        const uint32_t* first = s->c->elements.fea->first.data;
        size_t node = 0;
        while (first[node + 1] <= s->worst - elements) node++;
        kai_node_describe(s->world, node, text, sizeof text);
    }
    return kai_error_set(
        err, KAI_ERROR_DIVERGED,
        "no equilibrium was found in %d rounds: on %s a force or torque of %.3g is left", ROUNDS,
        text, s->force);
}

/// How far bodies, or nodes, are from each other: what one round may move is a part of it.
static double size_of(const kai_world* world)
{
    double size = 0.0;
    for (size_t i = 1; i < world->bodies.count; i++)
        size = fmax(size, kai_vec3_distance(world->bodies.pose[i].position,
                                            world->bodies.pose[0].position));
    const kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 1; i < world->nodes.count; i++)
        size = fmax(size, kai_vec3_distance(nodes[i].def.position, nodes[0].def.position));
    return size > 0.0 ? size : 1.0;
}

/// Whether derivatives of forces were of no use, so that masses had to do alone.
static bool is_alone(const kai_constraints* c)
{
    return (c->tangents.terms.count > 0 && !c->tangents.on) ||
           (c->elements.fea && !c->elements.fea->has_tangents);
}

/// One round. `*done` when nothing moves and nothing is left.
static kai_result improve(kai_system* system, statics_context* s, int round, bool* done,
                          kai_error* err)
{
    kai_world* world = s->world;
    kai_constraints* c = s->c;
    KAI_TRY(kai_stop_check(world->stop, err));
    KAI_TRY(kai_system_forces(system, system->time, NULL, err));
    kai_constraints_evaluate(c, world, system->time);
    size_t changed = 0;
    if (c->bounded) changed = kai_constraints_bounds_change(c, world, SMALL, round % 16 > 8);
    KAI_TRY(kai_tangents_find(&c->tangents, world, system->time, s->tau * s->tau, 0.0,
                              c->lambda.data, c->first.data, err));
    c->elements.prefers_block_cg = false;
    KAI_TRY(kai_elements_find(&c->elements, world, &(kai_fea_options){.position = s->tau * s->tau},
                              err));
    s->rounding = find_rounding(s);
    KAI_TRY(kai_constraints_factor(c, world, true, err));
    const double before = s->force;
    set_residual(s);
    KAI_TRY(kai_constraints_solve(c, world, err));
    double move;
    const double share = largest_move(s, &move);
    if (!isfinite(move))
        return kai_error_set(err, KAI_ERROR_DIVERGED, "the search for equilibrium diverged");
    move_by(s, share > 1.0 ? 1.0 / share : 1.0);
    // What is left of forces at rounding may still turn something that is free to turn.
    const bool still = move <= SMALL * s->reach || s->force <= ROUNDING * s->all;
    *done = changed == 0 && still && s->force <= fmax(BALANCE * s->all, s->rounding) &&
            kai_constraints_violation(c, world) <= SMALL;
    if (s->start) {
        const bool rough = s->left > 0.0 && move <= 1e-6 * s->reach && s->force <= 1e-5 * s->all;
        *done = (*done || rough) && kai_constraints_violation(c, world) <= SMALL;
        return is_alone(c) ? kai_error_set(err, KAI_ERROR_DIVERGED, "the path is unstable")
                           : KAI_OK;
    }
    // Longer while forces shrink; shorter when they grow, or when masses had to do alone.
    const double gain = is_alone(c) || share > 1.0 ? 0.5 : s->force < before ? 2.0 : 0.7;
    s->tau = fmin(fmax(gain * s->tau, 0.01 * FIRST), LONGEST);
    return KAI_OK;
}

/// One round; when it turns an element inside out it is undone, and the next is shorter.
static kai_result improve_or_retreat(kai_system* system, statics_context* s, int round, bool* done,
                                     kai_error* err)
{
    kai_system_backup backup;
    if (!s->c->elements.fea) return improve(system, s, round, done, err);
    KAI_TRY(kai_system_save(system, &backup, err));
    const double tau = s->tau, force = s->force;
    kai_result r = improve(system, s, round, done, err);
    if (r == KAI_OK) r = kai_system_forces(system, system->time, NULL, err);
    const bool retreat = r == KAI_ERROR_DIVERGED && tau > 1e-6 * FIRST;
    kai_system_end(system, &backup, r == KAI_OK);
    if (!retreat) return r;
    *done = false;
    s->tau = 0.25 * tau;
    s->force = force;
    return KAI_OK;
}

/// Newton's method for one point of the path; false when it does not converge.
static bool reach_point(kai_system* system, statics_context* s, int* rounds)
{
    kai_error ignored = {0};
    for (*rounds = 1; *rounds <= PATH_ROUNDS; ++*rounds) {
        bool done = false;
        if (improve(system, s, *rounds, &done, &ignored) != KAI_OK) return false;
        if (done) return true;
    }
    return false;
}

/// Takes one step of the path, or none: then nothing has moved.
static kai_result take_step(kai_system* system, statics_context* s, bool* taken, int* rounds,
                            kai_error* err)
{
    const size_t rows = s->c->lambda.count;
    kai_system_backup backup;
    KAI_TRY(kai_system_save(system, &backup, err));
    double* lambda = kai_arena_take(&s->world->arena, rows, sizeof *lambda, err);
    if (lambda && rows > 0) memcpy(lambda, s->c->lambda.data, rows * sizeof *lambda);
    *taken = lambda && reach_point(system, s, rounds);
    if (lambda && rows > 0 && !*taken) memcpy(s->c->lambda.data, lambda, rows * sizeof *lambda);
    kai_system_end(system, &backup, *taken);
    return lambda ? KAI_OK : KAI_ERROR_MEMORY;
}

/// Follows the path to its end; `*found` false when it could not: nothing has moved.
static kai_result follow_path(kai_system* system, statics_context* s, bool* found, kai_error* err)
{
    const size_t n = kai_constraints_coordinates(s->c);
    kai_system_backup backup;
    KAI_TRY(kai_system_save(system, &backup, err));
    double* start = kai_arena_take(&s->world->arena, n, sizeof *start, err);
    s->tau = 1.0;
    if (start) {
        set_residual(s);
        memcpy(start, kai_constraints_unknowns(s->c), n * sizeof *start);
    }
    s->start = start;
    s->tau = LONGEST;
    kai_result r = start ? KAI_OK : KAI_ERROR_MEMORY;
    double at = 0.0, step = 1.0;
    while (r == KAI_OK && at < 1.0 && step > SHORTEST_STEP) {
        bool taken = false;
        int rounds = 0;
        const double next = fmin(1.0, at + step);
        s->left = 1.0 - next;
        r = take_step(system, s, &taken, &rounds, err);
        if (taken) at = next;
        step *= !taken ? 0.25 : rounds <= PATH_ROUNDS / 3 ? 2.0 : 1.0;
    }
    *found = r == KAI_OK && at == 1.0;
    s->start = NULL;
    kai_system_end(system, &backup, *found);
    return r;
}

/// Multipliers of zero, and what bounded rows may do with them.
static void guess_joints(const statics_context* s, double time)
{
    if (s->c->lambda.count > 0) memset(s->c->lambda.data, 0, s->c->lambda.count * sizeof(double));
    kai_constraints_evaluate(s->c, s->world, time);
    kai_constraints_bounds_guess(s->c, s->world);
}

/// Sets out from rest, with joints that push nothing. s->c is NULL when nothing can be moved.
static kai_result set_out(kai_system* system, statics_context* s, kai_error* err)
{
    kai_world* world = system->world;
    stop_all(world);
    KAI_TRY(kai_constraints_get_with(world, KAI_TANGENTS_ALL, &s->c, err));
    KAI_TRY(kai_system_forces(system, system->time, NULL, err));
    KAI_TRY(check_free(s, err));
    if (s->c) guess_joints(s, system->time);
    return KAI_OK;
}

static kai_result find_equilibrium(kai_system* system, kai_error* err)
{
    kai_world* world = system->world;
    statics_context s = {.world = world, .tau = FIRST, .force = HUGE_VAL};
    KAI_TRY(set_out(system, &s, err));
    if (!s.c) return KAI_OK;
    s.reach = REACH * size_of(world);
    bool found = false;
    if (s.c->elements.fea) KAI_TRY(follow_path(system, &s, &found, err));
    if (!found) {
        s.tau = FIRST;
        s.force = HUGE_VAL;
        guess_joints(&s, system->time);
    }
    for (int round = 0, quiet = 0; round < ROUNDS; round++) {
        bool done = false;
        KAI_TRY(improve_or_retreat(system, &s, round, &done, err));
        quiet = done ? quiet + 1 : 0;
        if (quiet >= 2) return kai_system_check_finite(system, system->time, err);
    }
    return no_equilibrium(&s, err);
}

/// Joints that have come to other ends meanwhile let it start again from there.
static kai_result find_with_ends(kai_system* system, kai_error* err)
{
    bool changed = false;
    KAI_TRY(kai_joint_pass(system->world, NULL, err));
    for (int round = 0; round < PASSES; round++) {
        KAI_TRY(find_equilibrium(system, err));
        KAI_TRY(kai_joint_pass(system->world, &changed, err));
        if (!changed) return KAI_OK;
    }
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "joints that slide changed their ends %d times; must come to rest",
                         PASSES);
}

// Linear -----------------------------------------------------------------------------------------

/// y += M x over all unknowns but multipliers.
static void add_mass_times(const statics_context* s, const double* x, double* y)
{
    const kai_constraints* c = s->c;
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    for (size_t i = 0; i < c->bodies.count; i++, x += 6, y += 6) {
        const kai_bodies_mass* m = kai_bodies_mass_of(&s->world->bodies, slot[i]);
        const double each[6] = {m->mass,      m->mass,      m->mass,
                                m->moments.x, m->moments.y, m->moments.z};
        for (int k = 0; k < 6; k++) y[k] += each[k] * x[k];
    }
    for (size_t i = 0; i < c->shafts.count; i++)
        *y++ += kai_shaft_all(s->world)[shaft[i]].inertia * *x++;
    const kai_fea* fea = c->elements.fea;
    if (!fea || fea->coordinates == 0) return;
    double* room = c->elements.room.data;
    kai_fea_mass_times(fea, s->world->threads, x, room);
    kai_fea_clear_fixed(s->world, room);
    for (size_t i = 0; i < fea->coordinates; i++) y[i] += room[i];
}

/// Solves again with M of the last solution on the right; `*change` is the largest difference, as a
/// share of the solution.
static kai_result refine_linear(const statics_context* s, const double* load, double* last,
                                double* change, kai_error* err)
{
    double* x = kai_constraints_unknowns(s->c);
    const size_t n = kai_constraints_coordinates(s->c);
    memcpy(last, x, n * sizeof *last);
    memcpy(x, load, s->c->x.count * sizeof *x);
    add_mass_times(s, last, x);
    KAI_TRY(kai_constraints_solve(s->c, s->world, err));
    double most = 0.0, difference = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - last[i]));
    }
    if (!isfinite(most))
        return kai_error_set(err, KAI_ERROR_DIVERGED, "linear statics: displacements are infinite");
    *change = most > 0.0 ? difference / most : 0.0;
    return KAI_OK;
}

/// K Δq = f for the matrix that was factorised; `*found` false when rounds were too few.
static kai_result solve_linear(const statics_context* s, bool* found, kai_error* err)
{
    const size_t n = kai_constraints_coordinates(s->c), all = s->c->x.count;
    double* load = kai_arena_take(&s->world->arena, all, sizeof *load, err);
    double* last = kai_arena_take(&s->world->arena, n, sizeof *last, err);
    if (!load || !last) return KAI_ERROR_MEMORY;
    memcpy(load, kai_constraints_unknowns(s->c), all * sizeof *load);
    KAI_TRY(kai_constraints_solve(s->c, s->world, err));
    double change = HUGE_VAL, before = HUGE_VAL;
    *found = false;
    for (int round = 0; round < LINEAR_ROUNDS && !*found; round++) {
        KAI_TRY(refine_linear(s, load, last, &change, err));
        // Where rounding is all that changes, it does not shrink.
        *found = change <= LINEAR_CHANGE || (change <= LINEAR_ROUNDING && change > 0.5 * before);
        before = change;
    }
    return KAI_OK;
}

/// Linear theory knows no limit, but elements do: one that is turned inside out has no energy.
static kai_result check_elements(kai_world* world, kai_error* err)
{
    double kinetic, potential, elastic;
    KAI_TRY(kai_fea_mass_energy(world, &kinetic, &potential, &elastic, err));
    return isfinite(elastic)
               ? KAI_OK
               : kai_error_set(err, KAI_ERROR_DIVERGED,
                               "linear statics: displacements turn an element inside out; they "
                               "must be small, else use analysis statics");
}

/// With a short τ rounding of joints is small; what is soft needs a longer one.
static kai_result find_linear(kai_system* system, kai_error* err)
{
    kai_world* world = system->world;
    statics_context s = {.world = world};
    bool found = false;
    KAI_TRY(kai_joint_pass(world, NULL, err));
    KAI_TRY(set_out(system, &s, err));
    if (!s.c) return KAI_OK;
    for (s.tau = 0.01 * LONGEST; !found && s.tau <= LONGEST; s.tau *= 10.0) {
        const double tau2 = s.tau * s.tau;
        KAI_TRY(kai_tangents_find(&s.c->tangents, world, system->time, tau2, 0.0, s.c->lambda.data,
                                  s.c->first.data, err));
        s.c->elements.prefers_block_cg = false;
        KAI_TRY(
            kai_elements_find(&s.c->elements, world, &(kai_fea_options){.position = tau2}, err));
        KAI_TRY(kai_constraints_factor(s.c, world, true, err));
        if (is_alone(s.c))
            return kai_error_set(err, KAI_ERROR_DIVERGED,
                                 "linear statics: the equilibrium near this state is unstable");
        set_residual(&s);
        KAI_TRY(solve_linear(&s, &found, err));
        if (found) move_by(&s, 1.0);
    }
    if (!found)
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "linear statics: something is free to move, and a force asks it to");
    KAI_TRY(kai_system_check_finite(system, system->time, err));
    return check_elements(world, err);
}

// The world --------------------------------------------------------------------------------------

/// Nothing accelerates: reactions of nodes (kai_node_reaction) are those of rest.
static void rest(const kai_world* world)
{
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++)
        memset(nodes[i].def.acceleration, 0, sizeof nodes[i].def.acceleration);
}

/// Does all or nothing.
static kai_result attempt(kai_world* world, kai_result (*find)(kai_system* system, kai_error* err),
                          kai_error* err)
{
    kai_system system = {.world = world, .time = world->time};
    kai_system_backup backup;
    kai_undo undo;
    KAI_TRY(kai_undo_begin(&undo, world, err));
    kai_result r = kai_system_save(&system, &backup, err);
    if (r == KAI_OK) {
        r = find(&system, err);
        kai_system_end(&system, &backup, r == KAI_OK);
        world->energy_known = false;
        world->integrator_steps = 0;
        if (r == KAI_OK) rest(world);
    }
    return kai_undo_end(&undo, world, r);
}

kai_result kai_world_statics_find(kai_world* world, kai_error* err)
{
    return attempt(world, find_with_ends, err);
}

kai_result kai_world_statics(kai_world* world)
{
    KAI_CHANGE(world);
    const kai_result ready = kai_term_prepare_all(world, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, __func__, ready);
    kai_check_enter(world);
    const kai_result r = kai_world_statics_find(world, &world->error);
    kai_check_leave(world, r);
    return kai_world_fail(world, __func__, r);
}

kai_result kai_world_statics_linear(kai_world* world)
{
    KAI_CHANGE(world);
    const kai_result ready = kai_term_prepare_all(world, &world->error);
    if (ready != KAI_OK) return kai_world_fail(world, __func__, ready);
    kai_check_enter(world);
    const kai_result r = attempt(world, find_linear, &world->error);
    kai_check_leave(world, r);
    return kai_world_fail(world, __func__, r);
}
