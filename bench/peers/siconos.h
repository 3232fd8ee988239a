// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Solvers of Siconos for problems in the global form, M v = H r + f, u = Hᵀ v + w.
#ifndef BENCH_SICONOS_H
#define BENCH_SICONOS_H

#include <stddef.h>

/// A matrix in compressed columns.
typedef struct siconos_matrix {
    size_t rows, columns;
    const size_t* first;
    const unsigned* row;
    const double* value;
} siconos_matrix;

typedef struct siconos_problem {
    siconos_matrix M, H;
    size_t contacts;
    const double *f, *w, *mu;
} siconos_problem;

/// The name of its i-th solver; NULL after the last.
const char* siconos_solver(int i);

/// Solves from zero up to its own tolerance or so many iterations; r, u [3 contacts], v. Returns
/// what the driver returned (0: reached), and the seconds of the driver alone and its iterations.
int siconos_solve(const siconos_problem* problem, int solver, double tolerance, int iterations,
                  double* r, double* u, double* v, double* seconds, int* done);

#endif
