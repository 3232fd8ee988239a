// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// SuiteSparse: CHOLMOD, supernodal Cholesky over the system's BLAS. Of a symmetric matrix it reads
// the lower half.
#include "peers/lu.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

typedef struct cholmod {
    cholmod_common common;
    cholmod_factor* factor;
} cholmod;

static void* create(void)
{
    cholmod* c = calloc(1, sizeof *c);
    if (!c) return NULL;
    cholmod_start(&c->common);
    c->common.supernodal = CHOLMOD_SUPERNODAL;
    return c;
}

static cholmod_sparse view(lu_matrix* m)
{
    return (cholmod_sparse){.nrow = (size_t)m->n,
                            .ncol = (size_t)m->n,
                            .nzmax = (size_t)m->first[m->n],
                            .p = m->first,
                            .i = m->row,
                            .x = m->value,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

static bool analyze(void* lu, lu_matrix* m)
{
    cholmod* c = lu;
    cholmod_sparse a = view(m);
    cholmod_free_factor(&c->factor, &c->common);
    c->factor = cholmod_analyze(&a, &c->common);
    return c->factor != NULL;
}

static bool factor(void* lu, lu_matrix* m)
{
    cholmod* c = lu;
    cholmod_sparse a = view(m);
    return cholmod_factorize(&a, c->factor, &c->common) && c->common.status == CHOLMOD_OK;
}

static bool solve(void* lu, lu_matrix* m, double* x)
{
    cholmod* c = lu;
    cholmod_dense b = {.nrow = (size_t)m->n,
                       .ncol = 1,
                       .nzmax = (size_t)m->n,
                       .d = (size_t)m->n,
                       .x = x,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    cholmod_dense* y = cholmod_solve(CHOLMOD_A, c->factor, &b, &c->common);
    if (y) memcpy(x, y->x, (size_t)m->n * sizeof *x);
    cholmod_free_dense(&y, &c->common);
    return y == NULL && c->common.status == CHOLMOD_OK;
}

static void destroy(void* lu)
{
    cholmod* c = lu;
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_finish(&c->common);
    free(c);
}

const lu_kind lu_cholmod = {"CHOLMOD", create, analyze, factor, solve, destroy};
