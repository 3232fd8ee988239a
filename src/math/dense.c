// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Golub & Van Loan, "Matrix computations", 4th ed.: Cholesky algorithm 4.2.1, Jacobi's rotations
// 8.5. All inner loops run along rows, where the data is contiguous.
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// Entry (i, j), with the index computed wide enough for any leading dimension.
#define AT(a, lda, i, j) (a)[(size_t)(i) * (size_t)(lda) + (size_t)(j)]

static double dot(int n, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Symmetric systems ------------------------------------------------------------------------------

bool kai_dense_cholesky(int n, double* a, int lda)
{
    for (int i = 0; i < n; i++) {
        double* row = &AT(a, lda, i, 0);
        for (int j = 0; j < i; j++) {
            const double* other = &AT(a, lda, j, 0);
            row[j] = (row[j] - dot(j, row, other)) / other[j];
        }
        // What is left of the pivot must be more than the rounding of what was taken away.
        const double pivot = row[i] - dot(i, row, row);
        if (!(pivot > n * DBL_EPSILON * fabs(row[i])) || !isfinite(pivot)) return false;
        row[i] = sqrt(pivot);
    }
    return true;
}

void kai_dense_cholesky_solve(int n, const double* l, int ldl, double* b)
{
    for (int i = 0; i < n; i++) b[i] = (b[i] - dot(i, &AT(l, ldl, i, 0), b)) / AT(l, ldl, i, i);
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= AT(l, ldl, i, i);
        for (int j = 0; j < i; j++) b[j] -= AT(l, ldl, i, j) * b[i];
    }
}

bool kai_dense_reduce(int n, int columns, double* a, int lda)
{
    for (int k = 0; k < n; k++) {
        double* row = &AT(a, lda, k, 0);
        if (!(row[k] > 0.0)) return false;
        const double by = 1.0 / row[k];
        for (int j = k; j < columns; j++) row[j] *= by;
        for (int i = 0; i < n; i++) {
            const double f = AT(a, lda, i, k);
            for (int j = k; i != k && j < columns; j++) AT(a, lda, i, j) -= f * row[j];
        }
    }
    return true;
}

// Eigenvalues ------------------------------------------------------------------------------------

/// One rotation that makes a(p, q) vanish; v collects them.
static void rotate(int n, double* a, double* v, int p, int q)
{
    const double theta = 0.5 * (a[q * n + q] - a[p * n + p]) / a[p * n + q];
    const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k], e = v[k * n + p], f = v[k * n + q];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        v[k * n + p] = c * e - s * f;
        v[k * n + q] = s * e + c * f;
    }
}

bool kai_dense_make_definite(int n, double* a, int lda)
{
    enum { SWEEPS = 30 };
    double w[KAI_DENSE_LARGEST * KAI_DENSE_LARGEST], v[KAI_DENSE_LARGEST * KAI_DENSE_LARGEST];
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            w[i * n + j] = a[i * lda + j];
            v[i * n + j] = i == j ? 1.0 : 0.0;
            size += a[i * lda + j] * a[i * lda + j];
        }
    }
    if (!isfinite(size)) return false;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0.0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) off += w[p * n + q] * w[p * n + q];
        if (off <= 1e-28 * size) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(w[p * n + q]) > 0.0) rotate(n, w, v, p, q);
    }
    // What is negative is taken out again, so that nothing else changes.
    for (int k = 0; k < n; k++) {
        const double lambda = w[k * n + k];
        for (int i = 0; lambda < 0.0 && i < n; i++)
            for (int j = 0; j < n; j++) a[i * lda + j] -= lambda * v[i * n + k] * v[j * n + k];
    }
    return true;
}
