// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// General sparse LU, for bench_linkage.c and bench_factors.c. One file a library, built when it is
// installed.
#ifndef PEERS_LU_H
#define PEERS_LU_H

#include <stdbool.h>

/// Sparse matrix, column after column.
typedef struct lu_matrix {
    int n;
    int* first;    // [n + 1]: first entry of each column
    int* row;      // [entries], ascending inside a column
    double* value; // [entries]
} lu_matrix;

/// One library.
typedef struct lu_kind {
    const char* name;
    void* (*create)(void);
    bool (*analyze)(void* lu, lu_matrix* m); // order and symbolic factorisation
    bool (*factor)(void* lu, lu_matrix* m);  // numbers, after analyze
    bool (*solve)(void* lu, lu_matrix* m, double* x);
    void (*destroy)(void* lu);
} lu_kind;

extern const lu_kind lu_umfpack, lu_klu;
extern const lu_kind lu_cholmod; // of positive definite matrices, see peers/cholmod.c

#endif
