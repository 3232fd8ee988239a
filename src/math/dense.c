// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Golub & Van Loan, "Matrix computations", 4th ed.: Cholesky algorithm 4.2.1, L D Lᵀ 4.1.2,
// LU 3.4.1, Householder QR 5.2.1. All inner loops run along rows, where the data is contiguous.
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

// Products ---------------------------------------------------------------------------------------

void kai_dense_mul(int m, int k, int n, const double* a, int lda, const double* b, int ldb,
                   double* c, int ldc)
{
    for (int i = 0; i < m; i++) {
        double* restrict row = &AT(c, ldc, i, 0);
        for (int j = 0; j < n; j++) row[j] = 0.0;
        for (int p = 0; p < k; p++) {
            const double s = AT(a, lda, i, p);
            const double* restrict other = &AT(b, ldb, p, 0);
            for (int j = 0; j < n; j++) row[j] += s * other[j];
        }
    }
}

void kai_dense_mul_vec(int m, int n, const double* a, int lda, const double* x, double* y)
{
    for (int i = 0; i < m; i++) y[i] = dot(n, &AT(a, lda, i, 0), x);
}

void kai_dense_transpose_mul_vec(int m, int n, const double* a, int lda, const double* x, double* y)
{
    for (int j = 0; j < n; j++) y[j] = 0.0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) y[j] += AT(a, lda, i, j) * x[i];
    }
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

bool kai_dense_ldl(int n, double* a, int lda)
{
    for (int i = 0; i < n; i++) {
        double* row = &AT(a, lda, i, 0);
        // First row[j] = L_ij D_j; then the pivot and L_ij itself in one pass.
        for (int j = 0; j < i; j++) row[j] -= dot(j, row, &AT(a, lda, j, 0));
        double pivot = row[i], taken = fabs(row[i]);
        for (int j = 0; j < i; j++) {
            const double scaled = row[j];
            row[j] /= AT(a, lda, j, j);
            pivot -= row[j] * scaled;
            taken = fmax(taken, fabs(row[j] * scaled));
        }
        if (!(fabs(pivot) > n * DBL_EPSILON * taken) || !isfinite(pivot)) return false;
        row[i] = pivot;
    }
    return true;
}

void kai_dense_ldl_solve(int n, const double* ld, int ldld, double* b)
{
    for (int i = 0; i < n; i++) b[i] -= dot(i, &AT(ld, ldld, i, 0), b);
    for (int i = 0; i < n; i++) b[i] /= AT(ld, ldld, i, i);
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++) b[j] -= AT(ld, ldld, i, j) * b[i];
    }
}

// General systems --------------------------------------------------------------------------------

static void swap_rows(int n, double* a, double* b)
{
    for (int j = 0; j < n; j++) {
        const double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

// The row at or below k with the largest |entry| of column k.
static int largest_in_column(int n, const double* a, int lda, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (fabs(AT(a, lda, i, k)) > fabs(AT(a, lda, best, k))) best = i;
    }
    return best;
}

bool kai_dense_lu(int n, double* a, int lda, int* pivot)
{
    // The size of each column, to tell a small pivot from a small unit of measure.
    double size[KAI_DENSE_LARGEST] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) size[j] = fmax(size[j], fabs(AT(a, lda, i, j)));
    }
    for (int k = 0; k < n; k++) {
        pivot[k] = largest_in_column(n, a, lda, k);
        double* row = &AT(a, lda, k, 0);
        if (pivot[k] != k) swap_rows(n, row, &AT(a, lda, pivot[k], 0));
        if (!(fabs(row[k]) > n * DBL_EPSILON * size[k]) || !isfinite(row[k])) return false;
        for (int i = k + 1; i < n; i++) {
            double* below = &AT(a, lda, i, 0);
            below[k] /= row[k];
            for (int j = k + 1; j < n; j++) below[j] -= below[k] * row[j];
        }
    }
    return true;
}

void kai_dense_lu_solve(int n, const double* lu, int ldlu, const int* pivot, double* b)
{
    for (int i = 0; i < n; i++) {
        const double t = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = t;
    }
    for (int i = 0; i < n; i++) b[i] -= dot(i, &AT(lu, ldlu, i, 0), b);
    for (int i = n - 1; i >= 0; i--) {
        const double* row = &AT(lu, ldlu, i, 0);
        b[i] = (b[i] - dot(n - 1 - i, row + i + 1, b + i + 1)) / row[i];
    }
}

// Least squares ----------------------------------------------------------------------------------

static double column_norm(int m, const double* a, int lda, int from, int j)
{
    double norm = 0.0; // hypot: a column may be of any scale
    for (int i = from; i < m; i++) norm = hypot(norm, AT(a, lda, i, j));
    return norm;
}

// Reflects column k of A onto its diagonal, and the later columns and b with it. The reflection is
// 1 - v vᵀ / v_k, v_k ≥ 1, where v is the column over its signed norm, plus 1 at its top.
static void reflect(int m, int n, double* a, int lda, int k, double norm, double* b)
{
    const double alpha = copysign(norm, AT(a, lda, k, k));
    double sums[KAI_DENSE_LARGEST] = {0}; // vᵀ A
    double sum = 0.0;                     // vᵀ b
    for (int i = k; i < m; i++) AT(a, lda, i, k) /= alpha;
    AT(a, lda, k, k) += 1.0;
    const double top = AT(a, lda, k, k);
    for (int i = k; i < m; i++) {
        const double* row = &AT(a, lda, i, 0);
        for (int j = k + 1; j < n; j++) sums[j] += row[k] * row[j];
        sum += row[k] * b[i];
    }
    for (int i = k; i < m; i++) {
        double* row = &AT(a, lda, i, 0);
        const double v = row[k] / top;
        for (int j = k + 1; j < n; j++) row[j] -= v * sums[j];
        b[i] -= v * sum;
    }
    AT(a, lda, k, k) = -alpha;
}

bool kai_dense_least_squares(int m, int n, double* a, int lda, double* b)
{
    for (int k = 0; k < n; k++) {
        // Reflections keep the whole column's length; what is left of it below must be no rounding.
        const double whole = column_norm(m, a, lda, 0, k);
        const double norm = column_norm(m, a, lda, k, k);
        if (!(norm > m * DBL_EPSILON * whole) || !isfinite(norm)) return false;
        reflect(m, n, a, lda, k, norm, b);
    }
    for (int i = n - 1; i >= 0; i--) {
        const double* row = &AT(a, lda, i, 0);
        b[i] = (b[i] - dot(n - 1 - i, row + i + 1, b + i + 1)) / row[i];
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
