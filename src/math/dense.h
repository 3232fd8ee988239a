// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small dense kernels, n ≤ KAI_DENSE_LARGEST, for element matrices and blocks of nodes; larger
// systems go to the sparse solvers. Matrices are stored by rows: entry (i, j) of `a` is
// a[i * lda + j], lda ≥ its number of columns.
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include <stdbool.h>

/// Largest order that these kernels are meant for; some keep matrices of this size on the stack.
#define KAI_DENSE_LARGEST 64

/// A = L Lᵀ for a symmetric positive definite A; reads and overwrites the lower triangle only.
/// False when A is not positive definite to rounding (or not finite); `a` is then spoilt.
bool kai_dense_cholesky(int n, double* a, int lda);

/// Solves L Lᵀ x = b in place of b, L from kai_dense_cholesky.
void kai_dense_cholesky_solve(int n, const double* l, int ldl, double* b);

/// [A | B] becomes [1 | A⁻¹ B], by rows, with `columns` in all; A positive definite, or such that no
/// pivot vanishes. False when a pivot is not positive; `a` is then spoilt.
bool kai_dense_reduce(int n, int columns, double* a, int lda);

/// Makes a symmetric A positive semidefinite: negative eigenvalues become zero, found by Jacobi's
/// rotations. n ≤ KAI_DENSE_LARGEST. False when A is not finite; `a` is then as it was.
bool kai_dense_make_definite(int n, double* a, int lda);

#endif
