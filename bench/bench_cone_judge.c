// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The same contact problems for the solvers of Siconos and for ours, all judged by one code.
//
//     bench_cone_judge --file step.hdf5       a file of FCLIB, such as 'kairos export --problem' writes
//     bench_cone_judge                        steps of scenes that ship
//
// Every solver is run with its own tolerance set lower and lower; what comes out is measured by
// kai_problem_measure, from the matrices of the file. A row says when the residual was first at or
// below a target, m/s, and how far velocities are from those of the best solution of all. Each run is
// a process of its own, which is ended after some seconds: some never end, some crash. One thread.
#include "common.h"

#include "base/clock.h"
#include "peers/siconos.h"
#include "solve/problem.h"

#include <kairos/scene.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 20, MOST_ITERATIONS = 200000, TARGETS = 3, TRIES = 12, MOST_SOLVERS = 16 };

static const double TARGET[TARGETS] = {1e-3, 1e-5, 1e-8};

// What a child tells.
typedef struct answer {
    int ended; // it came to its end
    double seconds, residual;
    int iterations;
    double numbers[]; // r [3 contacts], v [velocities]
} answer;

typedef struct solver {
    char name[32];
    int siconos;  // -1: ours
    int32_t cone; // kai_solver_cone
} solver;

typedef struct result {
    double seconds[TARGETS]; // HUGE_VAL: never
    double residual;         // of the best
    int iterations[TARGETS];
    double* v; // of the best
} result;

// Problems ---------------------------------------------------------------------------------------

static void fail(const kai_error* err)
{
    fprintf(stderr, "bench_cone_judge: %s\n", err->message);
    exit(1);
}

static kai_problem* of_file(const char* path)
{
    kai_problem* p = NULL;
    kai_error err = {0};
    if (kai_problem_open(path, &p, &err) != KAI_OK) fail(&err);
    return p;
}

static kai_problem* of_scene(const char* name, double time)
{
    char path[128];
    kai_scene* scene = NULL;
    kai_error err = {0};
    kai_scene_def def = kai_scene_def_default();
    snprintf(path, sizeof path, "scenes/%s.json", name);
    def.path = path;
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail(&err);
    kai_world* world = kai_scene_world(scene);
    const double h = kai_scene_get_settings(scene)->step;
    kai_problem* p = NULL;
    common_step(world, h, (int)round(time / h) - 1);
    common_check(world, kai_problem_step_keep(world, true));
    common_step(world, h, 1);
    common_check(world, kai_problem_step_take(world, &p));
    kai_scene_close(scene);
    return p;
}

// Solvers ----------------------------------------------------------------------------------------

static int list_solvers(const kai_problem* p, solver* out)
{
    int count = 0;
    for (size_t i = 0; i < kai_solver_kind.param_count; i++) {
        const kai_param* param = &kai_solver_kind.params[i];
        if (strcmp(param->name, "cone") != 0) continue;
        for (int32_t k = 1; param->words[k] != NULL; k++) {
            solver* s = &out[count++];
            *s = (solver){.siconos = -1, .cone = k};
            snprintf(s->name, sizeof s->name, "%s", param->words[k]);
        }
    }
#ifdef KAIROS_PEER_SICONOS
    for (int i = 0; p->global && p->equations == 0 && siconos_solver(i) != NULL; i++) {
        solver* s = &out[count++];
        *s = (solver){.siconos = i};
        snprintf(s->name, sizeof s->name, "%s", siconos_solver(i));
    }
#else
    (void)p;
#endif
    return count;
}

static void solve_ours(kai_problem* p, const solver* s, double tolerance, answer* a)
{
    kai_problem_def def = kai_problem_def_default();
    kai_problem_report report;
    kai_error err = {0};
    def.cone = s->cone;
    def.iterations = MOST_ITERATIONS;
    def.tolerance = tolerance;
    if (kai_problem_solve(p, &def, &report, &err) != KAI_OK) {
        fprintf(stderr, "%s: %s\n", s->name, err.message);
        _exit(1);
    }
    a->seconds = report.seconds;
    a->iterations = (int)report.iterations;
    memcpy(a->numbers, p->r, 3 * p->contacts * sizeof(double));
}

static void solve_theirs(kai_problem* p, const solver* s, double tolerance, answer* a)
{
#ifdef KAIROS_PEER_SICONOS
    const siconos_problem q = {.M = {p->M.rows, p->M.columns, p->M.first, p->M.row, p->M.value},
                               .H = {p->H.rows, p->H.columns, p->H.first, p->H.row, p->H.value},
                               .contacts = p->contacts,
                               .f = p->f,
                               .w = p->w,
                               .mu = p->mu};
    double *u = kai_problem_numbers(3 * p->contacts), *v = kai_problem_numbers(p->velocities);
    if (!u || !v) _exit(1);
    siconos_solve(&q, s->siconos, tolerance, MOST_ITERATIONS, a->numbers, u, v, &a->seconds,
                  &a->iterations);
#else
    (void)p, (void)s, (void)tolerance, (void)a;
#endif
}

// In the child: solves, and measures what came out.
static void work(kai_problem* p, const solver* s, double tolerance, answer* a)
{
    const size_t n = 3 * p->contacts;
    kai_error err = {0};
    if (!freopen("/dev/null", "w", stdout)) _exit(1);
    if (s->siconos >= 0 && !freopen("/dev/null", "w", stderr)) _exit(1);
    alarm(LIMIT);
    if (s->siconos < 0)
        solve_ours(p, s, tolerance, a);
    else
        solve_theirs(p, s, tolerance, a);
    if (kai_problem_measure(p, a->numbers, false, &a->residual, &err) != KAI_OK) _exit(1);
    double* u = kai_problem_numbers(n);
    double* l = kai_problem_numbers(p->equations);
    double* r = kai_problem_numbers(n);
    if (!u || !l || !r) _exit(1);
    for (size_t i = 0; i < p->contacts; i++)
        kai_problem_measure_project(p->mu[i], &a->numbers[3 * i], &r[3 * i]);
    kai_problem_system_apply(p, 1, r, &a->numbers[n], l, u, &err);
    a->ended = 1;
    _exit(0);
}

static size_t answer_size(const kai_problem* p)
{
    return sizeof(answer) + (3 * p->contacts + p->velocities + 1) * sizeof(double);
}

static void ask(kai_problem* p, const solver* s, double tolerance, answer* a)
{
    memset(a, 0, answer_size(p));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) work(p, s, tolerance, a);
    int status;
    if (child > 0) waitpid(child, &status, 0);
}

// One solver on one problem, its tolerance lower and lower until the last target is met.
static void try_solver(kai_problem* p, const solver* s, int repetitions, answer* a, result* out)
{
    const double began = kai_clock_now();
    int worse = 0;
    out->residual = HUGE_VAL;
    for (int k = 0; k < TARGETS; k++) out->seconds[k] = HUGE_VAL;
    for (int t = 0; t < TRIES && out->seconds[TARGETS - 1] == HUGE_VAL; t++) {
        // Ours stop by the residual itself; others by a share of something.
        const double tolerance =
            s->siconos < 0 ? (t < TARGETS ? 0.9 * TARGET[t] : 0.0) : pow(10.0, -2.0 - t);
        if (tolerance == 0.0 || worse > 2 || kai_clock_now() - began > LIMIT) break;
        double best = HUGE_VAL;
        for (int k = 0; k < repetitions; k++) {
            ask(p, s, tolerance, a);
            if (!a->ended) break;
            best = fmin(best, a->seconds);
        }
        if (!a->ended) break;
        for (int k = 0; k < TARGETS; k++)
            if (a->residual <= TARGET[k] && best < out->seconds[k]) {
                out->seconds[k] = best;
                out->iterations[k] = a->iterations;
            }
        worse = a->residual < 0.9 * out->residual ? 0 : worse + 1;
        if (!(a->residual < out->residual)) continue;
        out->residual = a->residual;
        memcpy(out->v, &a->numbers[3 * p->contacts], p->velocities * sizeof(double));
    }
}

// Tables -----------------------------------------------------------------------------------------

static double distance(const kai_problem* p, const double* a, const double* b)
{
    double most = 0.0;
    for (size_t i = 0; i < p->velocities; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void print_row(const common_options* o, const char* name, const kai_problem* p,
                      const solver* s, const result* r, const double* best)
{
    printf("  %-18s", s->name);
    for (int k = 0; k < TARGETS; k++)
        if (r->seconds[k] < HUGE_VAL)
            printf("  %9.3f (%6d)", 1e3 * r->seconds[k], r->iterations[k]);
        else
            printf("  %9s (%6s)", "-", "-");
    const double off = r->residual < HUGE_VAL ? distance(p, r->v, best) : HUGE_VAL;
    printf("  %9.2e  %9.2e\n", r->residual, off);
    for (int k = 0; o->csv && k < TARGETS; k++)
        fprintf(o->csv, "%s,%zu,%zu,%s,%g,%.6g,%d,%.4g,%.4g\n", name, p->contacts, p->velocities,
                s->name, TARGET[k], r->seconds[k], r->seconds[k] < HUGE_VAL ? r->iterations[k] : 0,
                r->residual, off);
}

static void judge(const common_options* o, const char* name, kai_problem* p)
{
    solver solvers[MOST_SOLVERS];
    result results[MOST_SOLVERS] = {0};
    const int count = list_solvers(p, solvers);
    kai_error err = {0};
    int best = -1;
    answer* a =
        mmap(NULL, answer_size(p), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED) exit(1);
    if (kai_problem_system_make(p, 1, &err) != KAI_OK) fail(&err);
    printf("%s: %zu contacts, %zu velocities, %zu equations\n"
           "  ms (iterations) to    %-20g%-20g%-20g residual, best; |v - v of the best|\n",
           name, p->contacts, p->velocities, p->equations, TARGET[0], TARGET[1], TARGET[2]);
    for (int i = 0; i < count; i++) {
        results[i].v = kai_problem_numbers(p->velocities);
        results[i].residual = HUGE_VAL;
        if (!results[i].v || !common_wanted(o, solvers[i].name)) continue;
        try_solver(p, &solvers[i], o->repetitions, a, &results[i]);
        if (best < 0 || results[i].residual < results[best].residual) best = i;
    }
    for (int i = 0; i < count; i++) {
        if (best >= 0 && common_wanted(o, solvers[i].name))
            print_row(o, name, p, &solvers[i], &results[i], results[best].v);
        free(results[i].v);
    }
    munmap(a, answer_size(p));
    kai_problem_free(p);
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(
        argc, argv, "bench_cone_judge: contact problems, our solvers and those of Siconos");
    if (o.csv)
        fprintf(o.csv, "problem,contacts,velocities,solver,target,seconds,iterations,residual,"
                       "distance\n");
#ifndef KAIROS_PEER_SICONOS
    printf("Siconos is not there (Debian package libsiconos-numerics-dev): ours alone\n");
#endif
    if (o.file) {
        judge(&o, o.file, of_file(o.file));
    } else {
        judge(&o, "box-stack", of_scene("box-stack", 0.05));
        judge(&o, "arch", of_scene("arch", 0.1));
        judge(&o, "wall-ball", of_scene("wall-ball", 0.1));
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
