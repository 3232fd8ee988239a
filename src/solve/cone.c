// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone.h"

#include "solve/cone_admm.h"
#include "solve/cone_gradient.h"
#include "solve/cone_layout.h"
#include "solve/cone_newton.h"
#include "solve/cone_psor.h"
#include "solve/cone_residual.h"
#include "solve/cone_schedule.h"

#include "base/clock.h"

static kai_array* array_at(kai_cone* cone, int i)
{
    kai_array* const list[] = {
        &cone->motion,    &cone->bodies[0], &cone->bodies[1],  &cone->bodies[2], &cone->bodies[3],
        &cone->bodies[4], &cone->values,    &cone->contact_at, &cone->runs,      &cone->tasks,
        &cone->places,    &cone->masks,     &cone->buckets,    &cone->partial,   &cone->dense,
        &cone->nodes,     &cone->edges,     &cone->states,     &cone->links,     &cone->codes,
        &cone->blocks,    &cone->starts,    &cone->order,      &cone->turns,     &cone->totals,
        &cone->progress,  &cone->queues,    &cone->scratch,    &cone->shares};
    return i < (int)(sizeof list / sizeof list[0]) ? list[i] : NULL;
}

void kai_cone_init(kai_cone* cone, kai_memory* memory)
{
    *cone = (kai_cone){.memory = memory};
    cone->motion = kai_array_make(sizeof(kai_cone_motion));
    for (int i = 0; i < 5; i++) cone->bodies[i] = kai_array_make(sizeof(kai_cone_motion));
    cone->values = kai_array_make(sizeof(double));
    cone->contact_at = kai_array_make(sizeof(uint32_t));
    cone->runs = kai_array_make(sizeof(kai_cone_run));
    cone->tasks = kai_array_make(sizeof(kai_cone_task));
    cone->places = kai_array_make(sizeof(kai_cone_place));
    cone->turns = kai_array_make(sizeof(uint32_t));
    cone->totals = kai_array_make(sizeof(uint32_t));
    cone->progress = kai_array_make(sizeof(kai_cone_schedule_counter));
    cone->queues = kai_array_make(sizeof(uint32_t));
    cone->shares = kai_array_make(sizeof(uint32_t));
    cone->scratch = kai_array_make(sizeof(uint64_t));
    cone->codes = kai_array_make(sizeof(kai_cone_code));
    cone->blocks = kai_array_make(sizeof(kai_cone_block));
    cone->starts = kai_array_make(sizeof(uint32_t));
    cone->order = kai_array_make(sizeof(uint32_t));
    cone->masks = kai_array_make(sizeof(uint64_t));
    cone->buckets = kai_array_make(sizeof(uint32_t));
    cone->partial = kai_array_make(sizeof(kai_cone_sums));
    cone->dense = kai_array_make(sizeof(double));
    kai_cone_admm_init(cone);
}

void kai_cone_free(kai_cone* cone)
{
    for (int i = 0; array_at(cone, i) != NULL; i++) kai_array_free(array_at(cone, i), cone->memory);
    kai_ldl_free(&cone->ldl);
    if (!cone->newton) return;
    kai_cone_newton_free(cone->newton);
    kai_memory_release(cone->memory, cone->newton, sizeof *cone->newton);
    cone->newton = NULL;
}

// Contacts that do not stay in a core's own cache from pass to pass.
enum { PREFETCH_FROM = 32000 };

static kai_result begin(kai_cone_work* work)
{
    kai_cone* cone = work->cone;
    const kai_cone_problem* p = work->problem;
    const kai_cone_method m = work->options->method;
    const bool extra = m == KAI_CONE_BB || m == KAI_CONE_APGD;
    // Methods of gradients and admm treat all contacts alike.
    const bool lean = m == KAI_CONE_PSOR;
    KAI_TRY(kai_cone_pack(cone, p, extra, lean, !work->options->associated, work->options->threads,
                          work->err));
    KAI_TRY(kai_array_reserve(&cone->partial, cone->memory, cone->tasks.count, work->err));
    work->kernel = kai_cone_kernel_best();
    work->pass = (kai_cone_pass){.values = cone->values.data,
                                 .motion = cone->motion.data,
                                 .prefetch = p->contact_count > PREFETCH_FROM,
                                 .friction = cone->friction,
                                 .compliance = cone->compliance,
                                 .associated = work->options->associated};
    KAI_TRY(kai_cone_work_begin(work, extra));
    if (!(work->sums.spoilt == 0.0)) return kai_cone_work_diverged(work);
    return kai_cone_work_project(work, true);
}

// Without contacts joints are alone.
static kai_result solve_nothing(const kai_cone_problem* p, kai_cone_result* result, kai_error* err)
{
    *result = (kai_cone_result){0};
    return p->project ? p->project(p->project_context, p->motion, true, err) : KAI_OK;
}

// One method, from the problem's guess to a residual.
static kai_result run(kai_cone_work* work)
{
    KAI_TRY(begin(work));
    switch (work->options->method) {
    case KAI_CONE_BB: KAI_TRY(kai_cone_gradient_bb(work)); break;
    case KAI_CONE_APGD: KAI_TRY(kai_cone_gradient_apgd(work)); break;
    case KAI_CONE_ADMM: KAI_TRY(kai_cone_admm(work)); break;
    case KAI_CONE_PSOR:
    default: KAI_TRY(kai_cone_psor(work)); break;
    }
    return work->measured ? KAI_OK : kai_cone_work_measure(work, &work->result.residual);
}

// A guess that is a solution is not given up for anything worse. One that is none may be, for
// iterates with somewhat larger errors that lead to a solution, but not for any.
static const double WANDER = 10.0;

static kai_result keep_guess(kai_cone_work* work)
{
    const kai_cone_options* o = work->options;
    const double now = work->result.residual, share = work->guess > o->limit ? WANDER : 1.0;
    if (!(o->limit > 0.0) || !(now > share * work->guess && now > o->tolerance)) return KAI_OK;
    const kai_cone_problem* problem = work->problem;
    kai_cone_problem again = *problem;
    again.again = true;
    work->problem = &again;
    const kai_result r = begin(work);
    work->problem = problem;
    work->result.residual = work->guess;
    return r;
}

// How much of the residual is forgiven where surfaces meet, m/s. Looks at contacts only where that
// may make a difference.
static double impact_of(const kai_cone_work* work)
{
    const kai_cone_options* o = work->options;
    const double residual = work->result.residual;
    const double least = o->retry > 0.0 ? fmin(o->retry, o->limit) : o->limit;
    if (!(o->limit > 0.0 && o->impact > 0.0) || !(residual > least)) return 0.0;
    return o->impact * kai_cone_residual_approach(work->problem, residual / o->impact);
}

static bool is_to_retry(const kai_cone_work* work, double impact)
{
    const kai_cone_options* o = work->options;
    const double residual = work->result.residual;
    if (o->reach && residual > o->tolerance) return true;
    return o->retry > 0.0 && residual > fmax(o->retry, impact);
}

// Whether no contact has friction: what spheres do then must not depend on whether they can turn,
// which the weights of newton are not blind to.
static bool is_smooth(const kai_cone_problem* p)
{
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_cone_contact* c = &p->contacts[i];
        if (c->friction + c->rolling + c->spinning > 0.0) return false;
    }
    return true;
}

// How gradients are to solve what a method could not, and how far: they take anything, if they are
// given time. Of many contacts, none is to be far off; they need not all reach the tolerance.
enum { FEW = 500 };

static kai_cone_options longer(const kai_cone_work* work)
{
    enum { LONG = 2000, LONGER = 10 };
    kai_cone_options o = *work->options;
    const bool few = work->problem->contact_count <= FEW;
    if (!is_smooth(work->problem) || o.method == KAI_CONE_ADMM) o.method = KAI_CONE_APGD;
    o.iterations = few ? LONG : LONGER * o.iterations;
    if (!few && !o.reach) o.tolerance = fmax(o.tolerance, 0.8 * o.retry);
    if (o.tolerance == 0.0 || (few && o.tolerance > o.retry)) o.tolerance = 0.1 * o.retry;
    o.trace = o.trace_seconds = NULL;
    return o;
}

// Solves once more, from what was found; keeps the better of both.
static kai_result retry(kai_cone_work* first)
{
    kai_cone_problem problem = *first->problem;
    const kai_cone_options options = longer(first);
    const kai_error before = *first->err;
    kai_cone_work work = *first;
    kai_cone_pack_read(work.cone, first->problem, options.threads);
    problem.again = true;
    work.problem = &problem;
    work.options = &options;
    work.look = work.looked = 0;
    kai_result r = run(&work);
    if (r == KAI_OK && work.result.residual > first->result.residual) r = KAI_ERROR_DIVERGED;
    if (r == KAI_ERROR_DIVERGED || r == KAI_ERROR_LIMIT) {
        *first->err = before;
        work.result.residual = first->result.residual;
        r = begin(&work);
    }
    first->result.residual = work.result.residual;
    first->result.iterations += work.result.iterations;
    first->result.retried = true;
    return r;
}

static kai_result solve_newton(kai_cone* cone, const kai_cone_problem* problem,
                               const kai_cone_options* options, kai_cone_result* result,
                               kai_error* err)
{
    if (!cone->newton) {
        cone->newton = kai_memory_allocate(cone->memory, sizeof *cone->newton);
        if (!cone->newton) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the solver");
        kai_cone_newton_init(cone->newton, cone->memory);
    }
    cone->laid = false; // nothing is packed
    return kai_cone_newton_solve(cone->newton, problem, options, result, err);
}

// Newton steps take any ratio of masses, but joints only as rows: few contacts without joints are
// solved by them what the first method could not. They never end worse than they began.
static kai_result finish_newton(kai_cone_work* work, kai_cone_result* result)
{
    enum { STEPS = 100 };
    static const double CLOSER = 0.01; // so that the first method can keep what it gets
    kai_cone_options o = *work->options;
    o.iterations = STEPS;
    if (o.tolerance == 0.0 || o.tolerance > o.retry) o.tolerance = 0.1 * o.retry;
    o.tolerance *= CLOSER;
    o.trace = o.trace_seconds = NULL;
    kai_cone_pack_read(work->cone, work->problem, o.threads);
    KAI_TRY(solve_newton(work->cone, work->problem, &o, result, work->err));
    result->iterations += work->result.iterations;
    result->limit = work->result.limit;
    result->retried = true;
    return KAI_OK;
}

kai_result kai_cone_solve(kai_cone* cone, const kai_cone_problem* problem,
                          const kai_cone_options* options, kai_cone_result* result, kai_error* err)
{
    if (options->method == KAI_CONE_NEWTON)
        return solve_newton(cone, problem, options, result, err);
    if (problem->contact_count == 0) return solve_nothing(problem, result, err);
    kai_cone_work work = {.cone = cone,
                          .problem = problem,
                          .options = options,
                          .began = kai_clock_now(),
                          .guess = HUGE_VAL,
                          .err = err};
    KAI_TRY(run(&work));
    KAI_TRY(keep_guess(&work));
    const double impact = impact_of(&work);
    work.result.limit = options->limit > 0.0 ? fmax(options->limit, impact) : HUGE_VAL;
    const bool again = is_to_retry(&work, impact);
    if (again && !problem->project && problem->contact_count <= FEW && !is_smooth(problem))
        return finish_newton(&work, result);
    if (again) KAI_TRY(retry(&work));
    kai_cone_pack_copy(problem->motion, cone->motion.data, problem->body_count, options->threads);
    kai_cone_pack_read(cone, problem, options->threads);
    *result = work.result;
    return KAI_OK;
}
