// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Two ways. Problems of bodies (problem_bodies.h) are solved as such; equations of joints are then a
// projection of velocities by the factors of M and G, as in a step, and rows for newton.
//
// In all others a point stands for each contact. Its velocity is u; impulses are what it gains, and
// the matrices make of them the u of all contacts:
//
//     r += m (u - u as last given),   u := W r + q
//
// The masses m are such that no iteration overshoots: 1/m = λ w, w what the contact weighs, λ the largest
// eigenvalue of W in units of these, by iteration. Only methods that look at nothing but u can do it:
// sweeps, which then are those of Jacobi, and apgd. Others (bb, admm) compute with the masses of bodies.
#include "base/check.h"
#include "base/clock.h"
#include "solve/problem_bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int32_t cone;
    kai_cone_method method;
    const char* name;
} METHODS[] = {{KAI_SOLVER_CONE_PSOR, KAI_CONE_PSOR, "psor"},
               {KAI_SOLVER_CONE_BB, KAI_CONE_BB, "bb"},
               {KAI_SOLVER_CONE_APGD, KAI_CONE_APGD, "apgd"},
               {KAI_SOLVER_CONE_ADMM, KAI_CONE_ADMM, "admm"},
               {KAI_SOLVER_CONE_NEWTON, KAI_CONE_NEWTON, "newton"}};

enum { SMALL = 500, METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

// A problem as the cone solvers see it.
typedef struct job {
    kai_problem* p;
    int threads;
    kai_problem_bodies bodies;
    kai_cone_problem* cones;
    double *now, *last; // [velocities] of bodies; [3 contacts] of points
    double *v, *l, *r;  // scratch
    double* free;       // velocities without impulses; of points u
} job;

static kai_result no_memory(kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the solution of a problem");
}

// Bodies with joints -----------------------------------------------------------------------------

static void get_body(const job* j, const kai_cone_motion* motion, size_t i, double* x)
{
    const kai_problem_body* b = &j->bodies.bodies[i];
    const kai_vec3 w = kai_mat33_transpose_mul_vec(b->turn, motion[i].w);
    for (int k = 0; k < 3; k++) {
        x[b->v + k] = kai_vec3_get(motion[i].v, k);
        if (b->w != KAI_CONE_NONE) x[b->w + k] = kai_vec3_get(w, k);
    }
}

static void set_body(const job* j, const double* x, size_t i, kai_cone_motion* motion)
{
    const kai_problem_body* b = &j->bodies.bodies[i];
    motion[i].v = kai_vec3_make(x[b->v], x[b->v + 1], x[b->v + 2]);
    if (b->w == KAI_CONE_NONE) return;
    motion[i].w = kai_mat33_mul_vec(b->turn, kai_vec3_make(x[b->w], x[b->w + 1], x[b->w + 2]));
}

// The velocities next to those given, by M, that satisfy the equations. Velocities that no contact
// touches go on from where they were.
static kai_result project_bodies(void* context, kai_cone_motion* motion, bool fresh, kai_error* err)
{
    job* j = context;
    (void)err;
    const size_t n = j->p->velocities;
    memcpy(j->now, fresh ? j->free : j->last, n * sizeof *j->now);
    for (size_t i = 0; i < j->bodies.count; i++) get_body(j, motion, i, j->now);
    memset(j->v, 0, n * sizeof *j->v);
    kai_problem_multiply(&j->p->M, 1.0, j->now, j->v);
    kai_problem_system_solve(j->p, j->threads, j->v, j->last, j->l);
    for (size_t i = 0; i < j->bodies.count; i++) set_body(j, j->last, i, motion);
    return KAI_OK;
}

// M⁻¹ f, without joints: bodies have it already, what no contact touches may be coupled.
static kai_result free_velocities(job* j, kai_error* err)
{
    kai_problem alone = *j->p;
    alone.equations = 0;
    alone.ready = false;
    alone.system = (kai_problem_system){0};
    kai_memory_init(&alone.system.memory, NULL);
    kai_result r = kai_problem_system_make(&alone, j->threads, err);
    if (r == KAI_OK) kai_problem_system_solve(&alone, j->threads, j->p->f, j->free, NULL);
    kai_problem_system_free(&alone);
    return r;
}

static kai_result begin_bodies(job* j, const char* solver, kai_error* err)
{
    kai_problem_bodies* b = &j->bodies;
    memcpy(b->motion, b->start, b->cones.body_count * sizeof *b->motion);
    j->cones = &b->cones;
    if (j->p->equations + b->bound_count == 0) return KAI_OK;
    if (strcmp(solver, "newton") == 0) {
        if (!b->rows)
            return kai_error_set(
                err, KAI_ERROR_UNSUPPORTED,
                "newton solves equations of rigid bodies and points; some velocity "
                "in G is that of neither");
        b->cones.row_count = j->p->equations + b->bound_count;
        b->cones.rows = b->rows;
        b->cones.pieces = b->pieces;
        b->cones.multiplier = b->multiplier;
        return KAI_OK;
    }
    j->cones->project = project_bodies;
    j->cones->project_context = j;
    return free_velocities(j, err);
}

static void end_bodies(const job* j)
{
    const kai_problem_bodies* b = &j->bodies;
    double* r = j->p->r;
    for (size_t i = 0; i < b->cones.contact_count; i++)
        for (int k = 0; k < 3; k++)
            r[3 * b->contact_of[i] + k] = kai_vec3_dot(b->axes[i][k], b->impulse[i]);
    for (size_t i = 0; i < b->bound_count; i++) {
        const size_t row = j->p->equations + i, at = 3 * b->bound_of[i];
        const bool band = isfinite(b->rows[row].high);
        r[at] = band ? b->rows[row].high / j->p->mu[at / 3] : b->multiplier[row];
        r[at + 1] = band ? b->multiplier[row] : 0.0;
        r[at + 2] = 0.0;
    }
}

// Points -----------------------------------------------------------------------------------------

static kai_result project_points(void* context, kai_cone_motion* motion, bool fresh, kai_error* err)
{
    job* j = context;
    const size_t n = j->p->contacts;
    const double* before = fresh ? j->free : j->last;
    for (size_t i = 0; i < 3 * n; i++) {
        const kai_cone_motion* m = &motion[i / 3];
        const double gained = (kai_vec3_get(m->v, (int)(i % 3)) - before[i]) / m->inverse_mass;
        j->r[i] = (fresh ? 0.0 : j->r[i]) + gained;
    }
    KAI_TRY(kai_problem_system_apply(j->p, j->threads, j->r, j->v, j->l, j->last, err));
    for (size_t i = 0; i < n; i++)
        motion[i].v = kai_vec3_make(j->last[3 * i], j->last[3 * i + 1], j->last[3 * i + 2]);
    return KAI_OK;
}

// The largest eigenvalue of W where a contact's unit is what it weighs. Needs j->free.
static kai_result find_largest(job* j, const double* weight, double* out, kai_error* err)
{
    enum { ROUNDS = 40 };
    const size_t n = 3 * j->p->contacts;
    *out = 1.0;
    for (size_t i = 0; i < n; i++) j->now[i] = 1.0 + 0.5 * sin(1.0 + (double)i);
    for (int round = 0; round < ROUNDS; round++) {
        double norm = 0.0, next = 0.0;
        for (size_t i = 0; i < n; i++) norm += j->now[i] * j->now[i];
        norm = sqrt(norm);
        for (size_t i = 0; i < n; i++) j->r[i] = j->now[i] / (norm * sqrt(weight[i / 3]));
        KAI_TRY(kai_problem_system_apply(j->p, j->threads, j->r, j->v, j->l, j->now, err));
        for (size_t i = 0; i < n; i++) {
            j->now[i] = (j->now[i] - j->free[i]) / sqrt(weight[i / 3]);
            next += j->now[i] * j->now[i];
        }
        if (!(next > 0.0)) break;
        *out = sqrt(next);
    }
    *out *= 1.2; // what so few rounds leave
    return KAI_OK;
}

// Bounds of joints are rows, which newton alone knows.
static void check_bounds(const job* j, kai_problem_report* report)
{
    const kai_problem_bodies* b = &j->bodies;
    if (!report->bodies || b->bound_count == 0) return;
    if (b->rows && strcmp(report->solver, "newton") == 0) return;
    report->bodies = false;
    snprintf(report->why, sizeof report->why, "contact %u is a bound of a joint%s", b->bound_of[0],
             b->rows ? ", which newton knows" : "");
}

static kai_result check_points(const kai_problem_report* report, kai_error* err)
{
    if (strcmp(report->solver, "apgd") == 0 || strcmp(report->solver, "psor") == 0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "%s solves problems of rigid bodies and points: %s; must be apgd or psor",
                         report->solver, report->why);
}

static kai_result begin_points(job* j, kai_error* err)
{
    kai_problem_bodies* b = &j->bodies;
    const size_t n = j->p->contacts;
    double most = 0.0, largest;
    double* weight = kai_problem_numbers(n);
    b->motion = calloc(n + 1, sizeof *b->motion);
    b->contacts = calloc(n + 1, sizeof *b->contacts);
    b->impulse = calloc(n + 1, sizeof *b->impulse);
    kai_result r = weight && b->motion && b->contacts && b->impulse ? KAI_OK : no_memory(err);
    if (r == KAI_OK) r = kai_problem_system_apply(j->p, j->threads, j->r, j->v, j->l, j->free, err);
    for (size_t i = 0; r == KAI_OK && i < n; i++) most = fmax(most, j->p->system.weight[i]);
    for (size_t i = 0; r == KAI_OK && i < n; i++)
        weight[i] = fmax(j->p->system.weight[i], most > 0.0 ? 1e-6 * most : 1.0);
    if (r == KAI_OK) r = find_largest(j, weight, &largest, err);
    for (size_t i = 0; r == KAI_OK && i < n; i++) {
        const double* u = &j->free[3 * i];
        b->motion[i] = (kai_cone_motion){.v = kai_vec3_make(u[0], u[1], u[2]),
                                         .inverse_mass = largest * weight[i]};
        b->contacts[i] = (kai_cone_contact){.a = KAI_CONE_NONE,
                                            .b = (uint32_t)i,
                                            .normal = kai_vec3_axis(0),
                                            .friction = j->p->mu[i]};
    }
    free(weight);
    b->cones = (kai_cone_problem){.body_count = n,
                                  .motion = b->motion,
                                  .contact_count = n,
                                  .contacts = b->contacts,
                                  .impulse = b->impulse,
                                  .project = project_points,
                                  .project_context = j};
    j->cones = &b->cones;
    return r;
}

static void end_points(const job* j)
{
    for (size_t i = 0; i < 3 * j->p->contacts; i++)
        j->p->r[i] = kai_vec3_get(j->bodies.impulse[i / 3], (int)(i % 3));
}

// ------------------------------------------------------------------------------------------------

static kai_result take(job* j, kai_error* err)
{
    const size_t n = j->p->velocities, c = 3 * j->p->contacts, most = n > c ? n : c;
    j->now = kai_problem_numbers(most);
    j->last = kai_problem_numbers(most);
    j->free = kai_problem_numbers(most);
    j->v = kai_problem_numbers(n);
    j->l = kai_problem_numbers(j->p->equations);
    j->r = kai_problem_numbers(c);
    return j->now && j->last && j->free && j->v && j->l && j->r ? KAI_OK : no_memory(err);
}

static void give(job* j)
{
    double* const blocks[] = {j->now, j->last, j->free, j->v, j->l, j->r};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    kai_problem_bodies_free(&j->bodies);
}

static kai_result run(job* j, const kai_problem_def* def, int method, kai_problem_report* report,
                      kai_error* err)
{
    kai_memory memory;
    kai_cone cone;
    kai_cone_result result = {0};
    const kai_cone_options options = {.method = METHODS[method].method,
                                      .iterations = (uint32_t)def->iterations,
                                      .tolerance = def->tolerance,
                                      .associated = def->associated,
                                      .threads = def->threads};
    kai_memory_init(&memory, NULL);
    kai_cone_init(&cone, &memory);
    const double began = kai_clock_now();
    const kai_result r = kai_cone_solve(&cone, j->cones, &options, &result, err);
    report->seconds = kai_clock_now() - began;
    report->iterations = result.iterations;
    kai_cone_free(&cone);
    return r;
}

// Impulses, inside of their cones to the last bit, and the velocities that follow from them.
static kai_result finish(job* j, const kai_problem_def* def, kai_problem_report* report,
                         kai_error* err)
{
    kai_problem* p = j->p;
    for (size_t i = 0; i < p->contacts; i++) {
        const double r[3] = {p->r[3 * i], p->r[3 * i + 1], p->r[3 * i + 2]};
        kai_problem_measure_project(p->mu[i], r, &p->r[3 * i]);
    }
    KAI_TRY(kai_problem_system_apply(p, def->threads, p->r, p->v, p->l, p->u, err));
    report->residual = kai_problem_measure_given(p, p->r, p->u, def->associated);
    return KAI_OK;
}

static kai_result check_def(const kai_problem_def* def, int* method, kai_error* err)
{
    if (def->cookie != KAI_PROBLEM_COOKIE)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "kai_problem_solve: def is not from kai_problem_def_default");
    if (def->iterations < 1 || def->iterations > 1000000000)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "iterations is %lld; must be 1 to 1e9",
                             (long long)def->iterations);
    if (!(def->tolerance >= 0.0) || isinf(def->tolerance))
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "tolerance is %g m/s; must be >= 0 and finite", def->tolerance);
    for (*method = 0; *method < METHOD_COUNT; ++*method)
        if (METHODS[*method].cone == def->cone) return KAI_OK;
    return def->cone == KAI_SOLVER_CONE_AUTO
               ? KAI_OK
               : kai_error_set(err, KAI_ERROR_ARGUMENT, "cone is %d; must be a kai_solver_cone",
                               def->cone);
}

static int method_for(size_t contacts)
{
    int method = 0;
    while (METHODS[method].method != (contacts <= SMALL ? KAI_CONE_APGD : KAI_CONE_PSOR)) method++;
    return method;
}

kai_result kai_problem_solve(kai_problem* problem, const kai_problem_def* def,
                             kai_problem_report* report, kai_error* err)
{
    KAI_GIVEN(err, problem, def, report);
    int method;
    KAI_TRY(check_def(def, &method, err));
    if (def->cone == KAI_SOLVER_CONE_AUTO) method = method_for(problem->contacts);
    *report = (kai_problem_report){.solver = METHODS[method].name};
    job j = {.p = problem, .threads = def->threads};
    kai_result r = kai_problem_make_solution(problem, err);
    if (r == KAI_OK) r = kai_problem_system_make(problem, def->threads, err);
    if (r == KAI_OK) r = take(&j, err);
    if (r == KAI_OK)
        r = kai_problem_bodies_find(problem, &j.bodies, &report->bodies, report->why, err);
    if (r == KAI_OK) check_bounds(&j, report);
    if (r == KAI_OK && !report->bodies) kai_problem_bodies_free(&j.bodies);
    if (r == KAI_OK && !report->bodies) r = check_points(report, err);
    if (r == KAI_OK)
        r = report->bodies ? begin_bodies(&j, report->solver, err) : begin_points(&j, err);
    if (r == KAI_OK) r = run(&j, def, method, report, err);
    if (r == KAI_OK && report->bodies) end_bodies(&j);
    if (r == KAI_OK && !report->bodies) end_points(&j);
    if (r == KAI_OK) r = finish(&j, def, report, err);
    if (r != KAI_OK) kai_problem_drop_solution(problem);
    give(&j);
    return r;
}
