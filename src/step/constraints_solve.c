// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solution of the joints' system with the factors of constraints_factor.c; by iterations:
// constraints_solver.c.
#include "step/constraints.h"

#include <string.h>

enum { ROUNDS = 4 };                  // most corrections
static const double ROUNDING = 1e-15; // residual that is left of a right-hand side by rounding
static const uint64_t SELDOM = 64;    // solutions, one of which is measured
// With factors of an earlier step: residual, as a share of the right-hand side, that is good
// enough; most iterations; and after how many of them the next step had better have factors of its
// own.
static const double LASTING = 1e-10;
enum { LASTING_MOST = 8, LASTING_MANY = 6 };

void kai_constraints_solve_apply(const kai_constraints* c, const kai_world* world, const double* x,
                                 double* y)
{
    const uint32_t *slot = c->bodies.data, *shaft = c->shafts.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, slot[i]);
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (size_t k = 0; k < 6; k++) y[6 * i + k] = m[k] * x[6 * i + k];
    }
    for (size_t i = 0, k = 6 * c->bodies.count; i < c->shafts.count; i++, k++)
        y[k] = kai_shaft_all(world)[shaft[i]].inertia * x[k];
    memset(y + kai_constraints_elements(c), 0,
           (kai_constraints_coordinates(c) - kai_constraints_elements(c)) * sizeof *y);
    kai_tangents_apply(&c->tangents, c->bodies.count, x, y);
    kai_contacts_tangents_apply(c, x, y);
    kai_elements_apply(&c->elements, world, c->node_of.data, kai_constraints_elements(c), x, y);
    const double* mu = x + kai_constraints_coordinates(c);
    double* out = y + kai_constraints_coordinates(c);
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++, mu++, out++) {
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD) {
                *out = -*mu;
                continue;
            }
            *out = kai_constraints_dot(c, &joints[i], r, x);
            kai_constraints_scatter(c, &joints[i], r, *mu, y);
        }
    }
}

static double norm(const double* x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/// x := b - K y. Returns its norm.
static double find_residual(const kai_constraints* c, const kai_world* world, const double* b,
                            const double* y, double* x)
{
    kai_constraints_solve_apply(c, world, y, x);
    for (size_t i = 0; i < c->x.count; i++) x[i] = b[i] - x[i];
    return norm(x, c->x.count);
}

/// With compliance in the factors, corrections from the residual of the true system: the
/// multipliers start at zero and only ever move within the range of G, so they end at the solution
/// of least norm (the proximal point method). Each round gains a factor of SOFT: mostly two do, and
/// what is left of the residual is rounding.
static kai_result refine(kai_constraints* c, kai_world* world, kai_error* err)
{
    const size_t n = c->x.count;
    double *x = c->x.data, *b = kai_arena_take(&world->arena, n, sizeof *b, err);
    double* sum = kai_arena_take(&world->arena, n, sizeof *sum, err);
    if (!b || !sum) return KAI_ERROR_MEMORY;
    memcpy(b, x, n * sizeof *x);
    const double size = norm(b, n);
    double left = size;
    for (int round = 0; round < ROUNDS; round++) {
        kai_ldl_solve(&c->ldl, world->threads, x);
        if (round == 0)
            memcpy(sum, x, n * sizeof *sum);
        else
            for (size_t i = 0; i < n; i++) sum[i] += x[i];
        if (round + 1 == ROUNDS) break;
        const double before = left;
        left = find_residual(c, world, b, sum, x);
        if (left <= ROUNDING * size || left > 0.5 * before) break;
    }
    memcpy(x, sum, n * sizeof *x);
    if (!c->gaps) kai_solver_note(&world->solver_tally, left, size);
    return KAI_OK;
}

/// Solves with the factors alone. One solution in a while is measured: that costs a product.
static kai_result solve_once(kai_constraints* c, kai_world* world, kai_error* err)
{
    const size_t n = c->x.count;
    const bool measured = (uint64_t)world->solver_tally.solutions % SELDOM == 1; // counted already
    double *x = c->x.data, *b = NULL, *r = NULL;
    if (measured) {
        b = kai_arena_take(&world->arena, n, sizeof *b, err);
        r = kai_arena_take(&world->arena, n, sizeof *r, err);
        if (!b || !r) return KAI_ERROR_MEMORY;
        memcpy(b, x, n * sizeof *x);
    }
    kai_ldl_solve(&c->ldl, world->threads, x);
    if (!measured) return KAI_OK;
    const double size = norm(b, n), left = find_residual(c, world, b, x, r);
    if (!c->gaps) kai_solver_note(&world->solver_tally, left, size);
    return KAI_OK;
}

/// y := K x, and y := K⁻¹ x by factors of an earlier step, as kai_krylov_fn.
typedef struct lasting_context {
    const kai_constraints* c;
    const kai_world* world;
} lasting_context;

static void apply_now(void* context, const double* x, double* y)
{
    const lasting_context* l = context;
    kai_constraints_solve_apply(l->c, l->world, x, y);
}

static void solve_before(void* context, const double* x, double* y)
{
    const lasting_context* l = context;
    memcpy(y, x, l->c->x.count * sizeof *y);
    kai_ldl_solve(&l->c->ldl, l->world->threads, y);
}

kai_result kai_constraints_solve_reused(kai_constraints* c, kai_world* world, bool* good,
                                        kai_error* err)
{
    const size_t n = c->x.count;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double *b = c->x.data, *x = kai_arena_take(&world->arena, n, sizeof *x, err);
    if (!x) return KAI_ERROR_MEMORY;
    memset(x, 0, n * sizeof *x);
    // Velocities hardly change in a step.
    kai_fea_read(world, NULL, x + kai_constraints_elements(c));
    kai_fea_clear_fixed(world, x + kai_constraints_elements(c));
    lasting_context l = {c, world};
    const kai_krylov_problem problem = {.count = n,
                                        .apply = apply_now,
                                        .matrix = &l,
                                        .precondition = solve_before,
                                        .preconditioner = &l};
    kai_krylov_options options = kai_krylov_options_default();
    options.relative = fmin(kai_solver_tolerance(&world->solver_def), LASTING);
    options.limit = options.restart = LASTING_MOST;
    options.threads = world->threads;
    options.stop = world->stop;
    kai_krylov_result result;
    kai_result r =
        kai_krylov_solve(&c->krylov, &kai_krylov_gmres, &problem, &options, b, x, &result, err);
    world->solver_tally.now += result.iterations;
    *good = r == KAI_OK && result.converged;
    c->tired = !*good || result.iterations >= LASTING_MANY;
    if (*good) {
        world->solver_tally.solutions += 1.0;
        kai_solver_note(&world->solver_tally, result.residual, norm(b, n));
        memcpy(b, x, n * sizeof *x);
    }
    kai_arena_release(&world->arena, mark);
    return r;
}

bool kai_constraints_solve_measures(const kai_world* world)
{
    return (uint64_t)world->solver_tally.solutions % SELDOM == 0;
}

kai_result kai_constraints_solve(kai_constraints* c, kai_world* world, kai_error* err)
{
    world->solver_tally.solutions += 1.0;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    kai_result r;
    if (c->solver != KAI_SOLVER_DIRECT) {
        r = kai_constraints_solver_iterate(c, world, err);
    } else {
        world->solver_tally.now += 1.0;
        r = c->shared ? refine(c, world, err) : solve_once(c, world, err);
    }
    kai_arena_release(&world->arena, mark);
    return r;
}

kai_result kai_constraints_solve_share(kai_constraints* c, kai_world* world, kai_error* err)
{
    if (!c->unshared || c->joints_version != world->joints.version ||
        c->terms_version != world->terms_version)
        return KAI_OK;
    KAI_TRY(kai_constraints_follow(c, world, err));
    // M x + Gᵀ μ = Gᵀ μ₀ with G x = 0: x = 0, and μ of least norm has the forces of μ₀.
    const kai_constraints_joint* joints = c->joints.data;
    double *x = c->x.data, *lambda = c->lambda.data;
    memset(x, 0, c->x.count * sizeof *x);
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++)
            kai_constraints_scatter(c, &joints[i], r, lambda[joints[i].first + r], x);
    KAI_TRY(kai_constraints_factor(c, world, false, err));
    KAI_TRY(kai_constraints_solve(c, world, err));
    for (size_t i = 0; i < c->joints.count; i++)
        memcpy(lambda + joints[i].first, x + joints[i].place, joints[i].count * sizeof *x);
    c->unshared = false;
    return KAI_OK;
}
