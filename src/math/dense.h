// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small dense kernels, n ≤ KAI_DENSE_LARGEST, for joint blocks, element matrices and tests; larger
// systems go to LAPACK or the sparse solvers. Matrices are stored by rows: entry (i, j) of `a` is
// a[i * lda + j], lda ≥ its number of columns.
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include <stdbool.h>

/// Largest order that these kernels are meant for; some keep a vector of this size on the stack.
#define KAI_DENSE_LARGEST 64

/// C = A B with A m × k, B k × n, C m × n. C may be neither A nor B.
void kai_dense_mul(int m, int k, int n, const double* a, int lda, const double* b, int ldb,
                   double* c, int ldc);

/// y = A x with A m × n. y may not be x.
void kai_dense_mul_vec(int m, int n, const double* a, int lda, const double* x, double* y);

/// y = Aᵀ x with A m × n. y may not be x.
void kai_dense_transpose_mul_vec(int m, int n, const double* a, int lda, const double* x,
                                 double* y);

/// A = L Lᵀ for a symmetric positive definite A; reads and overwrites the lower triangle only.
/// False when A is not positive definite to rounding (or not finite); `a` is then spoilt.
bool kai_dense_cholesky(int n, double* a, int lda);

/// Solves L Lᵀ x = b in place of b, L from kai_dense_cholesky.
void kai_dense_cholesky_solve(int n, const double* l, int ldl, double* b);

/// A = L D Lᵀ for a symmetric quasi-definite A (as of a regularised KKT block), without pivoting:
/// unit L below the diagonal, D on it; the lower triangle only. False when a pivot is zero to
/// rounding.
bool kai_dense_ldl(int n, double* a, int lda);

/// Solves L D Lᵀ x = b in place of b, from kai_dense_ldl.
void kai_dense_ldl_solve(int n, const double* ld, int ldld, double* b);

/// P A = L U with partial pivoting, for any square A. pivot [n] receives the row exchanged with row
/// i. False when A is singular to rounding (or not finite); `a` is then spoilt.
bool kai_dense_lu(int n, double* a, int lda, int* pivot);

/// Solves A x = b in place of b, from kai_dense_lu.
void kai_dense_lu_solve(int n, const double* lu, int ldlu, const int* pivot, double* b);

/// Makes a symmetric A positive semidefinite: negative eigenvalues become zero, found by Jacobi's
/// rotations. n ≤ KAI_DENSE_LARGEST. False when A is not finite; `a` is then as it was.
bool kai_dense_make_definite(int n, double* a, int lda);

/// Least squares: minimises |A x - b| for A m × n, m ≥ n, of full rank, by Householder reflections.
/// Overwrites A and b [m]; x is left in b[0 … n - 1], the residual's length is the norm of the
/// rest. False when A is short of rank to rounding (or not finite).
bool kai_dense_least_squares(int m, int n, double* a, int lda, double* b);

#endif
