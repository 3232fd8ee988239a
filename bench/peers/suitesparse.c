// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// SuiteSparse: UMFPACK (multifrontal LU) and KLU (left-looking LU, made for circuits).
#include "peers/lu.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>
#include <suitesparse/umfpack.h>

// UMFPACK ----------------------------------------------------------------------------------------

typedef struct umfpack {
    double control[UMFPACK_CONTROL];
    void *symbolic, *numeric;
    double* b; // [n] right-hand side, as large as the last matrix
    int n;
} umfpack;

static void* umfpack_create(void)
{
    umfpack* u = calloc(1, sizeof *u);
    if (!u) return NULL;
    umfpack_di_defaults(u->control);
    u->control[UMFPACK_IRSTEP] = 0; // one solve, without refinement
    return u;
}

static bool umfpack_analyze(void* lu, lu_matrix* m)
{
    umfpack* u = lu;
    if (u->n != m->n) {
        free(u->b);
        u->b = malloc((size_t)m->n * sizeof *u->b);
        u->n = u->b ? m->n : 0;
    }
    umfpack_di_free_symbolic(&u->symbolic);
    return u->b && umfpack_di_symbolic(m->n, m->n, m->first, m->row, m->value, &u->symbolic,
                                       u->control, NULL) == UMFPACK_OK;
}

static bool umfpack_factor(void* lu, lu_matrix* m)
{
    umfpack* u = lu;
    umfpack_di_free_numeric(&u->numeric);
    return umfpack_di_numeric(m->first, m->row, m->value, u->symbolic, &u->numeric, u->control,
                              NULL) == UMFPACK_OK;
}

static bool umfpack_solve(void* lu, lu_matrix* m, double* x)
{
    umfpack* u = lu;
    memcpy(u->b, x, (size_t)m->n * sizeof *x);
    return umfpack_di_solve(UMFPACK_A, m->first, m->row, m->value, x, u->b, u->numeric, u->control,
                            NULL) == UMFPACK_OK;
}

static void umfpack_destroy(void* lu)
{
    umfpack* u = lu;
    umfpack_di_free_symbolic(&u->symbolic);
    umfpack_di_free_numeric(&u->numeric);
    free(u->b);
    free(u);
}

const lu_kind lu_umfpack = {"UMFPACK",      umfpack_create, umfpack_analyze,
                            umfpack_factor, umfpack_solve,  umfpack_destroy};

// KLU --------------------------------------------------------------------------------------------

typedef struct klu {
    klu_common common;
    klu_symbolic* symbolic;
    klu_numeric* numeric;
} klu;

static void* klu_create(void)
{
    klu* k = calloc(1, sizeof *k);
    if (k) klu_defaults(&k->common);
    return k;
}

static bool klu_analyze_again(void* lu, lu_matrix* m)
{
    klu* k = lu;
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
    k->symbolic = klu_analyze(m->n, m->first, m->row, &k->common);
    return k->symbolic;
}

static bool klu_factor_again(void* lu, lu_matrix* m)
{
    klu* k = lu;
    klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor(m->first, m->row, m->value, k->symbolic, &k->common);
    return k->numeric;
}

static bool klu_solve_one(void* lu, lu_matrix* m, double* x)
{
    klu* k = lu;
    return klu_solve(k->symbolic, k->numeric, m->n, 1, x, &k->common);
}

static void klu_destroy(void* lu)
{
    klu* k = lu;
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
    free(k);
}

const lu_kind lu_klu = {"KLU",         klu_create, klu_analyze_again, klu_factor_again,
                        klu_solve_one, klu_destroy};
