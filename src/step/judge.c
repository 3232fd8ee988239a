// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Every step leaves numbers that tell whether it can be believed. Residuals of solvers and gaps of
// joints are read from where the step left them, and the depth of contacts is known; so they are
// judged after every step. Energy takes a pass over the world: it adds up over the run, so that a
// look every PERIOD steps misses nothing.
#include "model/check.h"
#include "model/collision/collision.h"
#include "model/joints/joint_view.h"
#include "model/label.h"
#include "model/shape.h"
#include "step/constraints.h"
#include "step/diagnose.h"
#include "step/fastest_mode.h"
#include "step/integrator.h"

#include <kairos/judge.h>
#include <stdio.h>
#include <string.h>

enum { PERIOD = 256 };

static const char* const WORDS[] = {"residual", "equations", "violation",
                                    "energy",   "overlap",   "stability"};

typedef kai_judge_def def_type;

static const kai_param PARAMS[] = {
    KAI_PARAM(BOOL, def_type, enabled, .initial = {1.0}, .doc = "Whether steps are checked."),
    KAI_PARAM(
        BOOL, def_type, strict,
        .doc =
            "Whether a violated limit ends the run, with exit status 1. Otherwise the first one of each kind gives a warning, and run.json counts them."),
    KAI_PARAM(
        REAL, def_type, residual, .unit = "m/s", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Maximum residual of the contact solver (contact nsc). 0: `limit` of the solver, exceeded in ten of the last hundred steps, or fewer where it is exceeded by more; tenfold in one is enough."),
    KAI_PARAM(REAL, def_type, equations, .initial = {0.05}, .range = KAI_AT_LEAST(0.0),
              .doc = "Maximum relative residual of the linear solver of joints and elements."),
    KAI_PARAM(
        REAL, def_type, violation, .unit = "m", .range = KAI_AT_LEAST(0.0),
        .doc =
            "Maximum constraint violation of joints, in m or rad. 0: 0.02 rad, and 2 % of the size of the larger body (its radius of gyration plus the distance of the joint)."),
    KAI_PARAM(
        REAL, def_type, energy, .initial = {0.1}, .range = KAI_AT_LEAST(0.0),
        .doc =
            "Maximum energy that may be created by numerical errors, as a fraction of the energy that has been converted so far. Five times as much may be lost, because integrators damp."),
    KAI_PARAM(
        REAL, def_type, overlap, .initial = {0.25}, .range = KAI_AT_LEAST(0.0),
        .doc =
            "Maximum overlap of bodies, as a fraction of the smallest half width of the smaller shape (of a sphere: its radius)."),
    KAI_PARAM(
        REAL, def_type, stability, .initial = {1.0}, .range = KAI_ABOVE(0.0),
        .doc =
            "Maximum step, as a multiple of the longest one that explicit integrators take under the present forces of joints (a chain that holds a weight swings across like a string)."),
};

const kai_kind kai_judge_kind = KAI_KIND(
    "checks", def_type, PARAMS,
    .doc =
        "Limits of errors that every step is checked against, so that nothing goes wrong silently.");

const char* kai_judge_word(kai_judge_type type)
{
    return (unsigned)type < KAI_JUDGE_TYPES ? WORDS[type] : "";
}

bool kai_judge_wants_energy(const kai_judge* judge) { return judge && judge->steps % PERIOD == 0; }

/// What is being judged.
typedef struct look {
    kai_judge* judge;
    kai_world* world;
    const kai_judge_def* def;
    double h;
    bool whole; // with energy
} look;

// Breaches ---------------------------------------------------------------------------------------

static void advise(const kai_world* world, kai_judge_type type, char* out, size_t size)
{
    switch (type) {
    case KAI_JUDGE_RESIDUAL:
        snprintf(out, size, "%s, a shorter step, or less different masses",
                 world->solver_def.unsolved == KAI_SOLVER_UNSOLVED_REPORT
                     ? "let the solver try again (solver.unsolved: retry)"
                     : "give the solver more iterations");
        break;
    case KAI_JUDGE_EQUATIONS:
        snprintf(out, size,
                 "joints may contradict each other; take solver direct, or more iterations");
        break;
    case KAI_JUDGE_VIOLATION:
        snprintf(out, size,
                 "take a shorter step or integrator hht, or see whether joints contradict each "
                 "other");
        break;
    case KAI_JUDGE_ENERGY:
        snprintf(out, size,
                 "take a shorter step, or another integrator (hht for stiff forces, rk4 for smooth "
                 "ones)");
        break;
    case KAI_JUDGE_STABILITY:
        snprintf(out, size, "take a shorter step, %s", kai_fastest_mode_taut_advice(world));
        break;
    default:
        snprintf(out, size, "take a shorter step, or %s",
                 world->contact_def.method == KAI_CONTACT_SMC ? "a stiffer material"
                                                              : "more iterations of the solver");
        break;
    }
}

static void say(kai_judge_type type, double value, double limit, char* out, size_t size)
{
    switch (type) {
    case KAI_JUDGE_RESIDUAL:
        snprintf(out, size, "the contact solver leaves an error of %.3g m/s (limit %.3g m/s)",
                 value, limit);
        break;
    case KAI_JUDGE_EQUATIONS:
        snprintf(out, size, "the linear solver leaves %.3g of the right-hand side (limit %.3g)",
                 value, limit);
        break;
    case KAI_JUDGE_VIOLATION:
        snprintf(out, size, "a joint is off by %.3g m or rad (limit %.3g)", value, limit);
        break;
    case KAI_JUDGE_ENERGY:
        snprintf(out, size,
                 "energy is out of balance by %.3g of what has changed its form (limit %.3g)",
                 value, limit);
        break;
    case KAI_JUDGE_STABILITY:
        snprintf(out, size,
                 "the step is %.3g times the longest stable one under the present forces of joints "
                 "(limit %.3g)",
                 value, limit);
        break;
    default:
        snprintf(out, size, "bodies overlap by %.3g of the smaller one's half width (limit %.3g)",
                 value, limit);
        break;
    }
}

static void tell(const kai_world* world, const kai_judge_breach* b, kai_judge_type type,
                 double value, char* out, size_t size)
{
    char what[200], advice[200];
    advise(world, type, advice, sizeof advice);
    say(type, value, b->limit, what, sizeof what);
    snprintf(out, size, "t = %.6g s, step %llu: %s%s%s; %s", b->first_time,
             (unsigned long long)b->first_step, what, b->where[0] ? ", " : "", b->where, advice);
}

/// Notes a breach. `where` names what was found; it is read at the first breach alone.
static kai_result note(const look* l, kai_judge_type type, double value, double limit,
                       const char* where)
{
    kai_judge_breach* b = &l->judge->breach[type];
    const bool first = b->count == 0;
    b->count++;
    if (first || value > b->worst) b->worst = value;
    if (!first) return KAI_OK;
    b->first_step = l->world->steps;
    b->first_time = l->world->time;
    b->limit = limit;
    snprintf(b->where, sizeof b->where, "%s", where);
    char text[640];
    tell(l->world, b, type, value, text, sizeof text);
    if (l->def->strict)
        return kai_error_set(&l->world->error, KAI_ERROR_DIVERGED, "checks.%s: %s", WORDS[type],
                             text);
    kai_world_log(l->world, KAI_LOG_WARNING, "%s", text);
    return KAI_OK;
}

// Solvers ----------------------------------------------------------------------------------------

/// Both bodies of a contact; "" where one of them is gone.
static void name_pair(const kai_world* world, kai_body body_a, kai_body body_b, char* out,
                      size_t size)
{
    const kai_body bodies[2] = {body_a, body_b};
    char name[2][70];
    out[0] = '\0';
    for (int k = 0; k < 2; k++) {
        if (!kai_body_is_valid(world, bodies[k])) return;
        kai_label_body(world, kai_bodies_slot(&world->bodies, bodies[k]), name[k], sizeof name[k]);
    }
    snprintf(out, size, "between %s and %s", name[0], name[1]);
}

/// A step or two may be solved roughly; what lasts is wrong, and so is what is far off at once. Each
/// unsolved step counts by how far it is off, and is forgotten in time.
static kai_result judge_residual(const look* l)
{
    const double patience = 10.0, most = 10.0, memory = 0.99;
    const kai_solver_tally* t = &l->world->solver_tally;
    kai_judge* j = l->judge;
    if (t->cones == j->cones) return KAI_OK;
    j->cones = t->cones;
    const bool given = l->def->residual > 0.0;
    const double limit = given ? l->def->residual : t->cone_limit;
    const bool off = t->cone_last > limit;
    j->unsolved *= memory;
    if (!off) return KAI_OK;
    j->unsolved += fmin(t->cone_last / limit, most);
    if (!given && j->unsolved < patience) return KAI_OK;
    char where[KAI_JUDGE_WHERE] = "";
    const double* bodies = t->cone_last > t->cone_limit   ? t->far
                           : t->cone_last == t->cone_most ? t->worst
                                                          : NULL;
    if (bodies)
        name_pair(l->world, kai_solver_tally_body_of(l->world, bodies[0]),
                  kai_solver_tally_body_of(l->world, bodies[1]), where, sizeof where);
    return note(l, KAI_JUDGE_RESIDUAL, t->cone_last, limit, where);
}

static kai_result judge_equations(const look* l)
{
    const kai_solver_tally* t = &l->world->solver_tally;
    kai_judge* j = l->judge;
    const double measured = t->measured - j->measured, sum = t->sum - j->sum;
    j->measured = t->measured;
    j->sum = t->sum;
    // Newton's method solves for corrections, and ends when there is nothing left to correct.
    if (kai_integrator_can(l->world, KAI_INTEGRATOR_IMPLICIT)) return KAI_OK;
    if (!(measured > 0.0) || !(sum > l->def->equations * measured)) return KAI_OK;
    return note(l, KAI_JUDGE_EQUATIONS, sum / measured, l->def->equations, "");
}

// Joints -----------------------------------------------------------------------------------------

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

/// How large a body is, seen from a joint: radius of gyration and distance of its mass centre.
static double size_of_body(const kai_world* world, kai_body body, kai_vec3 arm)
{
    if (KAI_IS_NULL(body)) return 0.0;
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    const kai_bodies_mass* m = kai_bodies_mass_of(&world->bodies, slot);
    const bool fixed = world->bodies.motion[slot].flags & KAI_BODY_FIXED;
    if (fixed || !(m->mass > 0.0)) return 0.0;
    const kai_vec3 i = m->moments;
    return sqrt(fmax(fmax(i.x, i.y), i.z) / m->mass) + kai_vec3_norm(arm);
}

/// The size that a row's gap is measured against: a length for one that moves points, 1 for an
/// angle.
static double scale_of(const kai_world* world, const kai_joint_base* joint,
                       const kai_joint_row* row)
{
    const double length = fmax(kai_vec3_norm(row->a.force), kai_vec3_norm(row->b.force));
    if (length == 0.0) return 1.0;
    const double a = size_of_body(world, joint->bodies[0], joint->inner[0].position);
    const double b = size_of_body(world, joint->bodies[1], joint->inner[1].position);
    const double size = fmax(a, b);
    return length * (size > 0.0 ? size : 1.0);
}

static const kai_joint_base* base_of(const look* l, const kai_constraints_joint* joint)
{
    const kai_store_batch* batch = &l->world->joints.batches[joint->batch];
    return (const kai_joint_base*)(const void*)((const char*)batch->items.data +
                                                joint->index * batch->kind->size);
}

/// How far a row may be off.
static double allowed(const look* l, const kai_constraints_joint* joint, const kai_joint_row* row)
{
    const double share = 0.02;
    if (l->def->violation > 0.0) return l->def->violation;
    return share * scale_of(l->world, base_of(l, joint), row);
}

/// The least of what rows are allowed: nearly all are far below, and need no closer look.
static double least_allowed(const look* l, const kai_constraints* c)
{
    const kai_constraints_joint* joints = c->joints.data;
    double least = HUGE_VAL;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; !joints[i].velocity_level && r < joints[i].count; r++)
            least =
                fmin(least, allowed(l, &joints[i], kai_constraints_row(c, joints[i].first + r)));
    return least;
}

static kai_result note_violation(const look* l, const kai_constraints_joint* joint, double gap,
                                 double limit)
{
    const kai_store* store = &l->world->joints;
    const kai_id id = kai_store_id(store, joint->batch, joint->index);
    const char* name = kai_store_name(store, id);
    char where[KAI_JUDGE_WHERE];
    snprintf(where, sizeof where, "%s joint '%.80s' (#%u)", store->batches[joint->batch].kind->name,
             name ? name : "", id.index);
    return note(l, KAI_JUDGE_VIOLATION, gap, limit, where);
}

/// Whether any row is off by more than so much.
static bool any_above(const kai_constraints* c, double least)
{
    const kai_joint_row* rows = c->rows.data;
    double most = 0.0;
    for (size_t i = 0; i < c->rows.count; i++)
        most = fabs(rows[i].g) > most ? fabs(rows[i].g) : most;
    return most > least;
}

/// Rows are those that the step evaluated last: in its middle or at its end. One that moves by
/// itself may be half a step behind or ahead.
static kai_result judge_violation(const look* l)
{
    const kai_constraints* c = l->world->solver;
    kai_judge* j = l->judge;
    if (!c || c->joints.count == 0) return KAI_OK;
    if (l->whole || j->violation == 0.0) j->violation = 0.5 * least_allowed(l, c);
    if (!any_above(c, j->violation)) return KAI_OK;
    const kai_constraints_joint *joints = c->joints.data, *worst = NULL;
    double most = 1.0, off = 0.0, limit = 0.0; // most: gap as a multiple of its limit
    for (size_t i = 0; i < c->joints.count; i++) {
        if (joints[i].velocity_level) continue;
        const kai_joint_kind* kind = kind_of(&l->world->joints.batches[joints[i].batch]);
        for (uint32_t r = 0; r < joints[i].count; r++) {
            const kai_joint_row* row = kai_constraints_row(c, joints[i].first + r);
            if (fabs(row->g) <= j->violation) continue;
            const double gap = kai_joint_view_gap(kind, row) - fabs(row->gt) * l->h;
            if (!(gap > j->violation)) continue; // a stop that is not reached
            const double here = allowed(l, &joints[i], row);
            if (!(gap > most * here)) continue;
            most = gap / here;
            off = gap;
            limit = here;
            worst = &joints[i];
        }
    }
    return worst ? note_violation(l, worst, off, limit) : KAI_OK;
}

// Stability ---------------------------------------------------------------------------------------

static double largest_multiplier(const kai_constraints* c)
{
    const double* lambda = c->lambda.data;
    double most = 0.0;
    for (size_t i = 0; i < c->lambda.count; i++) most = fmax(most, fabs(lambda[i]));
    return most;
}

/// Finding the fastest motion takes as long as many steps. So it is looked for in steps 2, 4, 8 …,
/// and where forces of joints have grown by half.
static kai_result judge_stability(const look* l)
{
    const double growth = 1.5;
    kai_judge* j = l->judge;
    const kai_constraints* c = l->world->solver;
    const bool due = (j->steps & (j->steps - 1)) == 0;
    if (j->steps < 2 || !(due || l->whole) || !c || c->joints.count == 0) return KAI_OK;
    const double most = largest_multiplier(c);
    if (!due && !(most > growth * j->taut)) return KAI_OK;
    j->taut = most;
    double step;
    char where[KAI_JUDGE_WHERE];
    KAI_TRY(
        kai_fastest_mode_taut_step(l->world, true, &step, where, sizeof where, &l->world->error));
    if (!(l->h > (1.0 + 1e-6) * l->def->stability * step)) return KAI_OK;
    return note(l, KAI_JUDGE_STABILITY, l->h / step, l->def->stability, where);
}

// Overlap ----------------------------------------------------------------------------------------

/// A node of finite elements carries a thin part of something larger: it is held to four times as
/// much, so that by default its whole half width counts.
static double half_width_of(const kai_world* world, kai_body body, kai_shape shape)
{
    const size_t slot = kai_bodies_slot(&world->bodies, body);
    const double part = world->bodies.motion[slot].flags & KAI_BODY_NODE ? 4.0 : 1.0;
    return part * kai_shape_half_width(world, shape.index);
}

static kai_result judge_overlap(const look* l)
{
    kai_judge* j = l->judge;
    if (l->world->contact_def.method == KAI_CONTACT_NONE) return KAI_OK;
    const double depth = kai_collision_depth(l->world), limit = l->def->overlap;
    if (j->width == 0.0 || (l->whole && j->shapes != l->world->shapes.version)) {
        j->width = kai_shape_least_half_width(l->world);
        j->shapes = l->world->shapes.version;
    }
    // All contacts are looked at only where one may be too deep, and not at each step again.
    if (!(depth > limit * j->width)) return KAI_OK;
    if (!l->whole && !(depth > 1.25 * j->depth)) return KAI_OK;
    j->depth = fmax(j->depth, depth);
    const size_t count = kai_collision_count(l->world);
    kai_collision_contact c, worst = {0};
    double most = 0.0;
    for (size_t i = 0; i < count && kai_collision_at(l->world, i, &c) == KAI_OK; i++) {
        if (!(-c.gap > limit * j->width)) continue;
        const double width = fmin(half_width_of(l->world, c.body_a, c.shape_a),
                                  half_width_of(l->world, c.body_b, c.shape_b));
        if (!(-c.gap > most * width)) continue;
        most = -c.gap / width;
        worst = c;
    }
    if (!(most > limit)) return KAI_OK;
    char where[KAI_JUDGE_WHERE];
    name_pair(l->world, worst.body_a, worst.body_b, where, sizeof where);
    return note(l, KAI_JUDGE_OVERLAP, most, limit, where);
}

// Energy -----------------------------------------------------------------------------------------

static double moving_mass(const kai_world* world)
{
    double sum = 0.0;
    for (size_t i = 0; i < world->bodies.count; i++)
        if (!(world->bodies.motion[i].flags & KAI_BODY_FIXED))
            sum += kai_bodies_mass_of(&world->bodies, i)->mass;
    return sum;
}

/// The energy is not finite though all numbers of the state are: something is far too fast or far.
static kai_result tell_infinite(kai_world* world, const kai_energy* e, double h)
{
    double most = -1.0;
    size_t worst = 0;
    char who[128] = "";
    for (size_t i = 0; i < world->bodies.count; i++) {
        const kai_motion* m = &world->bodies.motion[i];
        const double speed = kai_vec3_max_abs(m->velocity) + kai_vec3_max_abs(m->spin);
        if (!(speed > most) || (m->flags & KAI_BODY_FIXED)) continue;
        most = speed;
        worst = i;
    }
    if (most >= 0.0) {
        char name[100];
        kai_label_body(world, worst, name, sizeof name);
        snprintf(who, sizeof who, "; %s is fastest", name);
    }
    kai_error_set(&world->error, KAI_ERROR_DIVERGED,
                  "t = %.6g s: energy is not finite: kinetic %.3g J, potential %.3g J, "
                  "elastic %.3g J, work %.3g J%s (%.3g m/s or rad/s)",
                  world->time, e->kinetic, e->potential, e->elastic, e->work, who, most);
    kai_diagnose_cause(world, h, &world->error);
    return KAI_ERROR_DIVERGED;
}

/// Energy that appears in the balance, or comes out of what was lost before, or disappears.
static kai_result judge_energy(const look* l)
{
    kai_judge* j = l->judge;
    kai_energy e;
    j->dissipated = fmax(j->dissipated, l->world->dissipated);
    if (!l->whole) return KAI_OK;
    KAI_TRY(kai_world_energy(l->world, &e));
    const double whole =
        fabs(e.kinetic) + fabs(e.potential) + fabs(e.elastic) + fabs(e.dissipated) + fabs(e.work);
    if (!isfinite(whole)) return tell_infinite(l->world, &e, l->h);
    if (!j->energy_known) {
        // What joints and motors change at once in the first step is no work of theirs.
        j->energy_known = true;
        j->drift = e.drift;
        j->potential = e.potential;
        j->elastic = e.elastic;
        j->mass = moving_mass(l->world);
    }
    const double moved[] = {e.kinetic, fabs(e.potential - j->potential),
                            fabs(e.elastic - j->elastic), fabs(e.dissipated), fabs(e.work)};
    for (size_t i = 0; i < KAI_COUNT(moved); i++) j->energy_scale = fmax(j->energy_scale, moved[i]);
    const double drift = e.drift - j->drift;
    const double gain = fmax(drift, drift + j->dissipated - e.dissipated);
    const double off = fmax(gain, -0.2 * drift); // integrators may damp, but not drive
    // Things at rest gain and lose what gravity gives in a few steps, and sums are rounded.
    const double speed = 10.0 * kai_vec3_norm(l->world->gravity) * l->h;
    const double floor = fmax(0.5 * j->mass * speed * speed, 1e-9 * whole);
    if (!(off > l->def->energy * j->energy_scale) || !(off > floor)) return KAI_OK;
    // Heat that is taken back comes from contacts whose impulses are not those of a solution.
    const bool contacts = gain > 2.0 * fabs(drift);
    return note(l, KAI_JUDGE_ENERGY, off / j->energy_scale, l->def->energy,
                contacts ? "from contacts that are not solved well: first of all give the solver "
                           "more iterations"
                         : "");
}

static kai_result check_numbers(kai_world* world, const kai_judge_def* def, double h)
{
    if (!(h > 0.0 && isfinite(h)))
        return kai_error_set(&world->error, KAI_ERROR_ARGUMENT, "h is %g s; must be > 0 and finite",
                             h);
    return kai_kind_check(&kai_judge_kind, def, &world->error);
}

kai_result kai_judge_step(kai_judge* judge, kai_world* world, const kai_judge_def* def, double h)
{
    KAI_CHANGE(world, judge, def);
    KAI_TRY(kai_world_fail(world, __func__, check_numbers(world, def, h)));
    if (!def->enabled) return KAI_OK;
    const look l = {judge, world, def, h, kai_judge_wants_energy(judge)};
    judge->steps++;
    KAI_TRY(judge_residual(&l));
    KAI_TRY(judge_equations(&l));
    KAI_TRY(judge_violation(&l));
    KAI_TRY(judge_stability(&l));
    KAI_TRY(judge_overlap(&l));
    return judge_energy(&l);
}

kai_result kai_judge_end(kai_judge* judge, kai_world* world, const kai_judge_def* def, double h)
{
    KAI_CHANGE(world, judge, def);
    KAI_TRY(kai_world_fail(world, __func__, check_numbers(world, def, h)));
    // Nothing was judged, or the last step with its energy.
    if (!def->enabled || judge->steps % PERIOD <= 1) return KAI_OK;
    return judge_energy(&(look){judge, world, def, h, true});
}
