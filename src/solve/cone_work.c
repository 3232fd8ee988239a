// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_work.h"

#include "base/clock.h"
#include "base/stop.h"
#include "solve/cone_schedule.h"

// Passes -----------------------------------------------------------------------------------------

typedef struct task_work {
    const kai_cone_work* work;
    kai_cone_loop* loop;
    bool fill, extra; // groups are filled first, with extra rows
} task_work;

static void do_task(size_t t, void* context)
{
    const task_work* w = context;
    const kai_cone* cone = w->work->cone;
    const kai_cone_task* task = (const kai_cone_task*)cone->tasks.data + t;
    const kai_cone_run* runs = cone->runs.data;
    kai_cone_sums* sums = (kai_cone_sums*)cone->partial.data + t;
    *sums = (kai_cone_sums){0};
    for (uint32_t r = task->first; r < task->end; r++) {
        if (w->fill) kai_cone_pack_fill(cone, w->work->problem, &runs[r], w->extra);
        w->loop(&w->work->pass, &runs[r], sums);
    }
}

static void add_sums(kai_cone_work* work)
{
    const kai_cone* cone = work->cone;
    const kai_cone_sums* partial = cone->partial.data;
    kai_cone_sums sums = {0};
    for (size_t t = 0; t < cone->tasks.count; t++) {
        if (partial[t].worst > sums.worst) sums.worst = partial[t].worst;
        sums.spoilt += partial[t].spoilt;
        sums.length2 += partial[t].length2;
        sums.slope += partial[t].slope;
        sums.stretch += partial[t].stretch;
        sums.turn += partial[t].turn;
    }
    work->sums = sums;
    work->measured = false;
}

static kai_result pass(kai_cone_work* work, task_work w, uint32_t rounds)
{
    KAI_TRY(kai_cone_schedule(work->cone, work->options->threads, rounds, do_task, &w, work->err));
    add_sums(work);
    return KAI_OK;
}

kai_result kai_cone_work_pass(kai_cone_work* work, kai_cone_loop* loop, uint32_t rounds)
{
    return pass(work, (task_work){.work = work, .loop = loop}, rounds);
}

void kai_cone_work_look(kai_cone_work* work, kai_cone_loop* loop)
{
    task_work w = {.work = work, .loop = loop};
    kai_cone_schedule_free(work->cone, work->options->threads, do_task, &w);
    add_sums(work);
}

kai_result kai_cone_work_begin(kai_cone_work* work, bool extra)
{
    return pass(
        work,
        (task_work){.work = work, .loop = work->kernel->prepare, .fill = true, .extra = extra}, 1);
}

kai_result kai_cone_work_project(kai_cone_work* work, bool fresh)
{
    const kai_cone_problem* p = work->problem;
    if (p->project == NULL) return KAI_OK;
    work->measured = false;
    return p->project(p->project_context, work->cone->motion.data, fresh, work->err);
}

kai_result kai_cone_work_restart(kai_cone_work* work)
{
    const kai_cone_problem* p = work->problem;
    kai_cone_pack_copy(work->cone->motion.data, p->motion, p->body_count, work->options->threads);
    KAI_TRY(kai_cone_work_pass(work, work->kernel->apply, 1));
    return kai_cone_work_project(work, true);
}

// Residual ---------------------------------------------------------------------------------------

static bool finite_motion(const kai_cone_motion* m)
{
    return kai_vec3_is_finite(m->v) && kai_vec3_is_finite(m->w) && isfinite(m->inverse_mass) &&
           isfinite(m->inverse_moment);
}

static bool finite_contact(const kai_cone_problem* p, size_t i)
{
    const kai_cone_contact* c = &p->contacts[i];
    if (c->a != KAI_CONE_NONE && !finite_motion(&p->motion[c->a])) return false;
    if (c->b != KAI_CONE_NONE && !finite_motion(&p->motion[c->b])) return false;
    if (p->couple != NULL && !kai_vec3_is_finite(p->couple[i])) return false;
    if (!(p->along ? isfinite(p->along[i * p->stride]) : kai_vec3_is_finite(p->impulse[i])))
        return false;
    return kai_vec3_is_finite(c->normal) &&
           isfinite(c->bias + c->friction + c->compliance + c->rolling + c->spinning);
}

kai_result kai_cone_work_given(const kai_cone_problem* p, kai_error* err)
{
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_cone_contact* c = &p->contacts[i];
        if (finite_contact(p, i)) continue;
        return kai_error_set(err, KAI_ERROR_DIVERGED,
                             "contact %zu of bodies %u and %u: a velocity, the normal, the bias, a "
                             "coefficient or the guess is not finite",
                             i, c->a, c->b);
    }
    return KAI_OK;
}

kai_result kai_cone_work_diverged(const kai_cone_work* work)
{
    const kai_cone_problem* p = work->problem;
    KAI_TRY(kai_cone_work_given(p, work->err));
    const uint32_t* at = work->cone->contact_at.data;
    const kai_cone_motion* motion = work->cone->motion.data;
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_cone_contact* c = &p->contacts[i];
        if ((c->a == KAI_CONE_NONE || finite_motion(&motion[c->a])) &&
            (c->b == KAI_CONE_NONE || finite_motion(&motion[c->b])))
            continue;
        return kai_error_set(work->err, KAI_ERROR_DIVERGED,
                             "contact %zu of bodies %u and %u: velocities are not finite after %u "
                             "iterations",
                             i, c->a, c->b, work->result.iterations);
    }
    return kai_error_set(work->err, KAI_ERROR_DIVERGED,
                         "contact %u: impulses are not finite after %u iterations", at[0],
                         work->result.iterations);
}

kai_result kai_cone_work_measure(kai_cone_work* work, double* residual)
{
    kai_cone_work_look(work, work->kernel->measure);
    *residual = sqrt(work->sums.worst);
    work->measured = true;
    return work->sums.spoilt == 0.0 ? KAI_OK : kai_cone_work_diverged(work);
}

// A stop is heeded within so many seconds.
static const double STOP = 0.1;

// Half of the way that is left, at the pace between the last two looks.
static uint32_t wait_for(const kai_cone_work* work, uint32_t k)
{
    enum { MOST = 4 };
    const double now = work->result.residual;
    if (k == 0) return KAI_CONE_WORK_CHECK;
    const double pace = log(work->seen / now) / (k - work->looked);
    const double left = 0.5 * log(now / work->options->tolerance) / KAI_CONE_WORK_CHECK;
    const double looks = pace > 0.0 ? floor(left / pace) : MOST;
    return KAI_CONE_WORK_CHECK * (looks < 1.0 ? 1 : looks < MOST ? (uint32_t)looks : MOST);
}

uint32_t kai_cone_work_rounds(const kai_cone_work* work, uint32_t k)
{
    const kai_cone_options* o = work->options;
    if (work->problem->project || o->trace || o->trace_seconds) return 1;
    const uint32_t last =
        o->tolerance > 0.0 && work->look < o->iterations ? work->look : o->iterations;
    const double most = fmax(1.0, STOP / fmax(work->cone->cost, 1e-9));
    return last - k + 1 < most ? last - k + 1 : (uint32_t)most;
}

kai_result kai_cone_work_check(kai_cone_work* work, uint32_t k, bool* stop)
{
    const kai_cone_options* o = work->options;
    const double now = kai_clock_now();
    work->result.iterations = k;
    if (o->trace_seconds) o->trace_seconds[k] = now - work->began - work->paused;
    KAI_TRY(kai_stop_check(o->stop, work->err));
    if (!kai_cone_work_looks(work, k)) return KAI_OK;
    KAI_TRY(kai_cone_work_measure(work, &work->result.residual));
    if (o->trace) o->trace[k] = work->result.residual;
    *stop = o->tolerance > 0.0 && work->result.residual <= o->tolerance;
    if (k == 0) work->guess = work->result.residual;
    if (k == work->look) {
        if (o->tolerance > 0.0 && !*stop) work->look = k + wait_for(work, k);
        work->looked = k;
        work->seen = work->result.residual;
    }
    work->paused += o->trace ? kai_clock_now() - now : 0.0;
    return KAI_OK;
}
