// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "peers/siconos.h"

#include <CSparseMatrix.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char* name;
    int id;
} SOLVERS[] = {{"siconos-nsgs", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR},
               {"siconos-nsn", SICONOS_GLOBAL_FRICTION_3D_NSN_AC},
               {"siconos-nsn-local", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR},
               {"siconos-admm", SICONOS_GLOBAL_FRICTION_3D_ADMM},
               {"siconos-ipm", SICONOS_GLOBAL_FRICTION_3D_IPM}};

const char* siconos_solver(int i)
{
    return i >= 0 && i < (int)(sizeof SOLVERS / sizeof *SOLVERS) ? SOLVERS[i].name : NULL;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static NumericsMatrix* matrix(const siconos_matrix* a)
{
    NumericsMatrix* m = NM_create(NM_SPARSE, (int)a->rows, (int)a->columns);
    NM_triplet_alloc(m, (CS_INT)a->first[a->columns]);
    m->matrix2->origin = NSM_TRIPLET;
    for (size_t j = 0; j < a->columns; j++)
        for (size_t k = a->first[j]; k < a->first[j + 1]; k++)
            NM_entry(m, (int)a->row[k], (int)j, a->value[k]);
    return m;
}

static double* copy(const double* x, size_t count)
{
    double* to = malloc((count + 1) * sizeof *to);
    if (to != NULL) memcpy(to, x, count * sizeof *to);
    return to;
}

int siconos_solve(const siconos_problem* problem, int solver, double tolerance, int iterations,
                  double* r, double* u, double* v, double* seconds, int* done)
{
    const size_t n = problem->M.rows, c = 3 * problem->contacts;
    GlobalFrictionContactProblem* p = globalFrictionContactProblem_new();
    SolverOptions* options = solver_options_create(SOLVERS[solver].id);
    p->dimension = 3;
    p->numberOfContacts = (int)problem->contacts;
    p->M = matrix(&problem->M);
    p->H = matrix(&problem->H);
    p->q = copy(problem->f, n);
    p->b = copy(problem->w, c);
    p->mu = copy(problem->mu, problem->contacts);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    memset(r, 0, c * sizeof *r);
    memset(u, 0, c * sizeof *u);
    memset(v, 0, n * sizeof *v);
    const double began = now();
    const int result = gfc3d_driver(p, r, u, v, options);
    *seconds = now() - began;
    *done = options->iparam[SICONOS_IPARAM_ITER_DONE];
    globalFrictionContact_free(p);
    solver_options_delete(options);
    return result;
}
