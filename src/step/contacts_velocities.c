// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The cone solver sees joints as a projection of velocities, found with the factors of the step:
// exact however long the chain of joints is, at the price of one solution an iteration.
#include "step/contacts_velocities.h"

#include "contact/contacts_failed.h"
#include "model/label.h"
#include "model/part.h"
#include "solve/cone_residual.h"
#include "step/contacts_impact.h"
#include "step/contacts_recovery.h"
#include "step/contacts_rolling.h"
#include "step/contacts_rows.h"
#include "step/contacts_surface.h"
#include "step/diagnose.h"
#include "step/problem_step.h"

#include <string.h>

typedef struct projection {
    const kai_contacts_cones* cones;
    kai_constraints* joints;
    double *before, *so_far; // [rows] multipliers: before contacts, before this call
} projection;

static kai_result project(void* context, kai_cone_motion* motion, bool fresh, kai_error* err)
{
    const projection* p = context;
    kai_contacts_cones cones = *p->cones;
    const uint32_t* slots = p->joints->bodies.data;
    cones.problem.motion = motion;
    const kai_fea* fea = p->joints->elements.fea;
    if (fresh) kai_elements_restart(&p->joints->elements, cones.world);
    if (cones.point_count > 0) {
        double* impulse = p->joints->elements.impulse.data;
        kai_contacts_surface_spread(&cones, fresh, false, fea->first.data,
                                    impulse + kai_constraints_elements(p->joints));
    }
    for (size_t i = 0; i < p->joints->bodies.count; i++) kai_contacts_cones_take(&cones, slots[i]);
    const kai_fea_touch* touching = fea ? fea->touching.data : NULL;
    for (size_t i = 0; fea && i < fea->touching.count; i++)
        kai_contacts_cones_take(&cones, touching[i].body);
    const size_t rows = p->joints->lambda.count;
    if (rows > 0)
        memcpy(p->so_far, fresh ? p->before : p->joints->lambda.data, rows * sizeof *p->so_far);
    KAI_TRY(kai_constraints_velocities_again(p->joints, cones.world, cones.h, p->so_far, err));
    for (size_t i = 0; i < p->joints->bodies.count; i++) kai_contacts_cones_give(&cones, slots[i]);
    for (size_t i = 0; fea && i < fea->touching.count; i++)
        kai_contacts_cones_give(&cones, touching[i].body);
    kai_contacts_surface_follow(&cones);
    return KAI_OK;
}

/// Velocities that only forces are to see (euler's first guess of those at the end of a step, for
/// dampers) need less: by default their error is a hundredth of what gravity adds, less than the guess
/// leaves out. The solution after it begins with these impulses.
static const double LOOSER = 100.0;

/// An impact may be solved roughly in one step: so much of its speed may be left.
static const double IMPACT = 0.1;

/// Contacts up to which gradients are chosen by themselves; and those of things that stand still, up
/// to which Newton's method is.
enum { SMALL = 500, STANDING = 5000 };

/// Speeds of things that stand, over what gravity adds in a step.
static const double STILL = 2.0;

static bool stands(const kai_contacts_cones* cones)
{
    const double still = STILL * cones->h * kai_vec3_norm(cones->world->gravity),
                 most = still * still;
    for (size_t i = 0; i < cones->problem.contact_count; i++) {
        const kai_cone_contact* row = &cones->rows[i];
        for (int side = 0; side < 2; side++) {
            const uint32_t slot = side ? row->b : row->a;
            if (slot == KAI_CONE_NONE) continue;
            const kai_wrench* m = &cones->before[slot];
            const kai_vec3 turn = kai_vec3_cross(m->torque, side ? row->arm_b : row->arm_a);
            if (!(kai_vec3_norm2(m->force) <= most && kai_vec3_norm2(turn) <= most)) return false;
        }
    }
    return true;
}

/// The cone solver that is asked for, or the first one for these contacts: Newton's method holds
/// what stands at long steps; few contacts that move are easy for gradients, and get Newton's
/// method where these do not get there (solve_helped); many get sweeps. It follows from the state,
/// so that a resumed run makes the same choice. `rows`: joints can be rows of the problem, which
/// newton needs.
static int32_t choose(const kai_contacts_cones* cones, int32_t type, bool rows)
{
    const size_t contacts = cones->problem.contact_count;
    if (type == KAI_SOLVER_NEWTON && !rows) type = KAI_SOLVER_AUTO;
    if (type != KAI_SOLVER_AUTO) return type;
    if (rows && contacts <= STANDING && stands(cones)) return KAI_SOLVER_NEWTON;
    return contacts <= SMALL ? KAI_SOLVER_APGD : KAI_SOLVER_PSOR;
}

static kai_cone_method method_of(int32_t type)
{
    switch (type) {
    case KAI_SOLVER_BB: return KAI_CONE_BB;
    case KAI_SOLVER_APGD: return KAI_CONE_APGD;
    case KAI_SOLVER_ADMM: return KAI_CONE_ADMM;
    case KAI_SOLVER_NEWTON: return KAI_CONE_NEWTON;
    default: return KAI_CONE_PSOR;
    }
}

/// The bodies of a contact, as numbers of the tally.
static void note_bodies(const kai_world* world, size_t contact, double out[2])
{
    uint32_t owner[2];
    kai_contacts_owners(world, contact, &owner[0], &owner[1]);
    for (int k = 0; k < 2; k++)
        out[k] = kai_solver_tally_body(kai_bodies_id(&world->bodies, owner[k] & ~KAI_BROAD_FIXED));
}

/// Iterations and residual of the step. Solutions for joints inside the iterations do not count.
static void note(const kai_contacts_cones* cones, const kai_cone_options* options,
                 const kai_cone_result* result, bool last)
{
    kai_world* world = cones->world;
    kai_solver_tally* t = &world->solver_tally;
    if (!last) return;
    const bool missed = result->residual > options->tolerance,
               unsolved = result->residual > result->limit;
    t->cones += 1.0;
    t->cone_last = result->residual;
    t->cone_sum += result->residual;
    t->cone_asked = options->tolerance;
    t->cone_limit = result->limit;
    t->missed += missed;
    t->unsolved += unsolved;
    t->retried += result->retried;
    if (unsolved || (missed && result->residual > t->cone_most)) {
        double residual;
        note_bodies(world, kai_cone_residual_worst(&cones->problem, options->associated, &residual),
                    t->far);
    }
    if (missed && result->residual > t->cone_most) {
        t->worst_time = fmax(world->time + cones->h, 0.0);
        memcpy(t->worst, t->far, sizeof t->worst);
    }
    t->cone_most = fmax(t->cone_most, result->residual);
}

/// What the scene asks for instead of a step whose contacts are not solved.
static kai_result refuse(const kai_contacts_cones* cones, const kai_cone_options* options,
                         const kai_cone_result* result, kai_error* err)
{
    const kai_world* world = cones->world;
    char pair[KAI_LABEL_SIZE];
    double residual;
    kai_contacts_failed_pair(
        world, kai_cone_residual_worst(&cones->problem, options->associated, &residual), pair,
        sizeof pair);
    return kai_error_set(
        err, KAI_ERROR_DIVERGED,
        "t = %.9g s: contacts are not solved after %u iterations: %s is off by %.3g m/s, the limit "
        "is %.3g m/s (solver.unsolved is \"stop\")",
        world->time + cones->h, result->iterations, pair, result->residual, result->limit);
}

static kai_result init_cone(kai_world* world, const kai_part* part, void* data, kai_error* err)
{
    (void)part, (void)err;
    world->cone = data;
    kai_cone_init(world->cone, &world->memory);
    return KAI_OK;
}

static void free_cone(kai_world* world, void* data)
{
    kai_cone_free(data);
    world->cone = NULL;
}

/// The solver's own memory: a cache that lives as long as the world.
static kai_result get_cone(kai_world* world, kai_cone** out, kai_error* err)
{
    static const kai_part PART = {
        .name = "cones", .size = sizeof(kai_cone), .init = init_cone, .free = free_cone};
    if (!world->cone) KAI_TRY(kai_part_attach(world, &PART, NULL, err));
    *out = world->cone;
    return KAI_OK;
}

/// Newton's method goes on to a share of the default tolerance: the last of its steps gains more
/// digits than it takes, and what stands does not creep: less than a micrometre in a minute.
static const double CLOSER = 1e-3;

/// What a solution changes: velocities of the problem and of shafts, multipliers.
typedef struct kept {
    kai_cone_motion* motion;
    double *speed, *lambda;
} kept;

static kai_result keep(kept* b, const kai_contacts_cones* cones, const kai_constraints* joints,
                       kai_error* err)
{
    const kai_cone_problem* p = &cones->problem;
    kai_arena* arena = &cones->world->arena;
    const size_t shafts = cones->world->shafts.count, rows = joints ? joints->lambda.count : 0;
    b->motion = kai_arena_take(arena, p->body_count, sizeof *b->motion, err);
    b->speed = kai_arena_take(arena, shafts, sizeof *b->speed, err);
    b->lambda = kai_arena_take(arena, rows, sizeof *b->lambda, err);
    if (!b->motion || !b->speed || !b->lambda) return KAI_ERROR_MEMORY;
    memcpy(b->motion, p->motion, p->body_count * sizeof *b->motion);
    for (size_t i = 0; i < shafts; i++) b->speed[i] = kai_shaft_all(cones->world)[i].speed;
    if (rows > 0) memcpy(b->lambda, joints->lambda.data, rows * sizeof *b->lambda);
    return KAI_OK;
}

static void put_back(const kept* b, const kai_contacts_cones* cones, const kai_constraints* joints)
{
    const kai_cone_problem* p = &cones->problem;
    const size_t shafts = cones->world->shafts.count, rows = joints ? joints->lambda.count : 0;
    memcpy(p->motion, b->motion, p->body_count * sizeof *b->motion);
    for (size_t i = 0; i < shafts; i++) kai_shaft_all(cones->world)[i].speed = b->speed[i];
    if (rows > 0) memcpy(joints->lambda.data, b->lambda, rows * sizeof *b->lambda);
}

/// Solves with rows in the place of a projection. `lambda` [rows] or NULL: a guess of multipliers.
static kai_result solve_rows(kai_contacts_cones* cones, kai_constraints* joints,
                             const double* lambda, kai_cone* cone, const kai_cone_options* options,
                             kai_cone_result* result, kai_error* err)
{
    kai_contacts_rows rows;
    kai_cone_options closer = *options;
    closer.method = KAI_CONE_NEWTON;
    if (cones->world->solver_def.tolerance == 0.0) closer.tolerance *= CLOSER;
    KAI_TRY(kai_contacts_rows_make(&rows, cones, joints, lambda, err));
    KAI_TRY(kai_cone_solve(cone, &rows.problem, &closer, result, err));
    kai_contacts_rows_take(&rows);
    return KAI_OK;
}

/// Iterations after which gradients are given up for Newton's method, unless they are so many times
/// the default tolerance off at most; a tolerance that is asked for is reached.
enum { HELPED = 100 };
static const double NEAR = 10.0;

/// Whether a first method is to be followed by Newton's: one that was asked for where the contacts
/// would be solved again, others where they miss the tolerance.
static bool needs_help(const kai_solver_def* def, const kai_cone_options* options,
                       const kai_cone_result* result)
{
    if (kai_solver_cone_of(def) == KAI_SOLVER_AUTO)
        return result->residual > (def->tolerance > 0.0 ? 1.0 : NEAR) * options->tolerance;
    const double impact = result->limit > options->limit ? result->limit : 0.0;
    return options->retry > 0.0 && result->residual > fmax(options->retry, impact);
}

/// A first method and, where that does not do, Newton's from what it found.
static kai_result solve_helped(kai_contacts_cones* cones, kai_constraints* joints, kai_cone* cone,
                               const kai_cone_options* options, bool* helped,
                               kai_cone_result* result, kai_error* err)
{
    const kai_solver_def* def = &cones->world->solver_def;
    const bool chosen = kai_solver_cone_of(def) == KAI_SOLVER_AUTO;
    const size_t rows = joints ? joints->lambda.count : 0;
    kept start;
    kai_cone_options first = *options;
    if (chosen && first.iterations > HELPED) first.iterations = HELPED;
    first.retry = 0.0;
    first.reach = false;
    KAI_TRY(keep(&start, cones, joints, err));
    KAI_TRY(kai_cone_solve(cone, &cones->problem, &first, result, err));
    *helped = needs_help(def, options, result);
    if (!*helped) return KAI_OK;
    double* lambda = kai_arena_take(&cones->world->arena, rows, sizeof *lambda, err);
    if (!lambda) return KAI_ERROR_MEMORY;
    if (rows > 0) memcpy(lambda, joints->lambda.data, rows * sizeof *lambda);
    put_back(&start, cones, joints);
    const uint32_t so_far = result->iterations;
    KAI_TRY(solve_rows(cones, joints, lambda, cone, options, result, err));
    result->iterations += so_far;
    result->retried = !chosen;
    return KAI_OK;
}

kai_result kai_contacts_velocities_solve(kai_contacts_cones* cones, kai_constraints* joints,
                                         bool last, kai_cone** cone, kai_error* err)
{
    kai_world* world = cones->world;
    const kai_solver_def* def = &world->solver_def;
    const bool rows = (joints || !cones->problem.project) && kai_contacts_rows_can(cones, joints);
    const int32_t type = choose(cones, kai_solver_cone_of(def), rows);
    kai_cone_options options = {.method = method_of(type),
                                .iterations = kai_solver_cone_iterations(def),
                                .tolerance =
                                    kai_solver_cone_tolerance(def, world->gravity, cones->h),
                                .associated = world->contact_def.friction == KAI_CONTACT_ASSOCIATED,
                                .threads = world->threads,
                                .stop = world->stop};
    if (last) {
        options.limit = kai_solver_cone_limit(def, world->gravity, cones->h);
        options.retry = kai_solver_cone_retry(def, options.limit, cones->problem.contact_count);
        options.impact = def->limit > 0.0 ? 0.0 : IMPACT;
        options.reach = kai_solver_cone_reaches(def);
    } else {
        options.tolerance *= LOOSER;
    }
    kai_cone_result result;
    KAI_TRY(get_cone(world, cone, err));
    const double before = world->solver_tally.now;
    if (last) kai_problem_step_begin(cones, joints, rows);
    bool newton = type == KAI_SOLVER_NEWTON;
    // Without joints kai_cone_solve does the same for methods that are asked for.
    const bool asked = kai_solver_cone_of(def) != KAI_SOLVER_AUTO;
    const bool helps = last && rows && !newton && cones->problem.contact_count <= SMALL &&
                       (asked ? joints != NULL : type == KAI_SOLVER_APGD);
    const kai_result r = newton ? solve_rows(cones, joints, NULL, *cone, &options, &result, err)
                         : helps
                             ? solve_helped(cones, joints, *cone, &options, &newton, &result, err)
                             : kai_cone_solve(*cone, &cones->problem, &options, &result, err);
    if (r == KAI_ERROR_DIVERGED)
        kai_diagnose_contact(world, &cones->problem, world->time + cones->h, err);
    KAI_TRY(r);
    if (last) kai_problem_step_end(cones);
    world->solver_name = kai_solver_name(newton ? KAI_SOLVER_NEWTON : type);
    world->solver_tally.now = before + result.iterations;
    note(cones, &options, &result, last);
    const bool stop = last && def->unsolved == KAI_SOLVER_UNSOLVED_STOP;
    return stop && result.residual > result.limit ? refuse(cones, &options, &result, err) : KAI_OK;
}

/// Joints as a projection, from the multipliers that they have.
static kai_result begin_projection(projection* p, kai_contacts_cones* cones,
                                   kai_constraints* joints, kai_error* err)
{
    kai_world* world = cones->world;
    *p = (projection){.cones = cones, .joints = joints};
    if (!joints) return KAI_OK;
    const size_t rows = joints->lambda.count;
    p->so_far = kai_arena_take(&world->arena, rows, sizeof *p->so_far, err);
    p->before = kai_arena_take(&world->arena, rows, sizeof *p->before, err);
    if (!p->so_far || !p->before) return KAI_ERROR_MEMORY;
    if (rows > 0) memcpy(p->before, joints->lambda.data, rows * sizeof *p->before);
    cones->problem.project = project;
    cones->problem.project_context = p;
    return KAI_OK;
}

// Solutions in which impacts that made energy together are asked for less speed.
enum { AGAIN = 8 };

/// The solution, in which contacts together make no energy.
static kai_result solve(kai_contacts_cones* cones, kai_constraints* joints, bool last,
                        kai_cone** cone, kai_error* err)
{
    if (!cones->bounce) return kai_contacts_velocities_solve(cones, joints, last, cone, err);
    kept start;
    KAI_TRY(keep(&start, cones, joints, err));
    for (int k = 0;; k++) {
        KAI_TRY(kai_contacts_velocities_solve(cones, joints, last, cone, err));
        if (k == AGAIN || !kai_contacts_impact_lower(cones, k + 1 == AGAIN)) return KAI_OK;
        put_back(&start, cones, joints);
    }
}

kai_result kai_contacts_velocities(kai_contacts* contacts, kai_world* world,
                                   kai_constraints* joints, const kai_system_backup* start,
                                   double h, bool last, double* heat, kai_error* err)
{
    if (world->collision->proximity.contact_count == 0) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_contacts_cones cones;
    projection p;
    kai_cone* cone = NULL;
    kai_result r = kai_contacts_cones_make(&cones, contacts, world, start, h, err);
    if (r == KAI_OK) r = begin_projection(&p, &cones, joints, err);
    if (r == KAI_OK) r = kai_contacts_impact_begin(&cones, joints, err);
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    double lost = 0.0, struck = 0.0;
    if (r == KAI_OK) kai_contacts_cones_fill(&cones);
    if (r == KAI_OK) r = kai_contacts_impact_meet(&cones, err);
    if (r == KAI_OK) r = kai_contacts_rolling_begin(&cones, err);
    if (r == KAI_OK && world->contact_def.impact == KAI_CONTACT_SEQUENTIAL)
        r = kai_contacts_impact_sequence(&cones, &struck, err);
    int formulation = kai_clock_begin(&world->clock, KAI_CLOCK_solve);
    if (r == KAI_OK) r = solve(&cones, joints, last, &cone, err);
    kai_clock_end(&world->clock, formulation);
    cones.recover = last && kai_contacts_recovery_needed(world);
    if (r == KAI_OK) r = kai_contacts_cones_finish(&cones, &lost, err);
    cones.roll = NULL; // displacements have none
    if (r == KAI_OK && last) kai_contacts_impact_part_late(&cones);
    formulation = kai_clock_begin(&world->clock, KAI_CLOCK_solve);
    double lifted = 0.0;
    if (r == KAI_OK && cones.recover) r = kai_contacts_recovery(&cones, cone, joints, &lifted, err);
    if (r == KAI_OK && cones.recover && joints && joints->elements.fea)
        kai_fea_follow_bodies(joints->elements.fea, world);
    kai_clock_end(&world->clock, formulation);
    kai_clock_end(&world->clock, outer);
    *heat += struck + lost - lifted;
    kai_arena_release(&world->arena, mark);
    return r;
}
