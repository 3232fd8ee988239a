// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"
#include "math/dense.h"

#include <float.h>

// Matrices here have rows of LD entries, more than they need: nothing may touch the rest.
enum { N = KAI_DENSE_LARGEST, LD = N + 5, ROWS = 2 * N };
static const double GUARD = 12345.0;

typedef struct matrix {
    double a[ROWS * LD];
} matrix;

static double entry(const matrix* m, int i, int j) { return m->a[i * LD + j]; }

static void fill(matrix* m, int rows, int columns, uint64_t seed)
{
    for (int i = 0; i < ROWS * LD; i++) m->a[i] = GUARD;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m->a[i * LD + j] = helper_random(seed * 100003 + (uint64_t)(i * columns + j));
}

static void check_guard(const matrix* m, int rows, int columns)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < LD; j++)
            if (i >= rows || j >= columns) assert_true(entry(m, i, j) == GUARD);
}

static double largest(int n, const double* x)
{
    double r = 0.0;
    for (int i = 0; i < n; i++) r = fmax(r, fabs(x[i]));
    return r;
}

// The largest sum of |entries| of a row.
static double row_norm(const matrix* m, int rows, int columns)
{
    double norm = 0.0;
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int j = 0; j < columns; j++) sum += fabs(entry(m, i, j));
        norm = fmax(norm, sum);
    }
    return norm;
}

// Backward stability: |b - A x| ≤ c n ε |A| |x|, however ill-conditioned A is. Higham, "Accuracy
// and stability of numerical algorithms", 2nd ed., theorems 9.4 and 10.4; in practice c is below 1.
static void check_residual(const matrix* m, int n, const double* x, const double* b)
{
    double r[N];
    for (int i = 0; i < n; i++) {
        long double sum = (long double)b[i];
        for (int j = 0; j < n; j++) sum -= (long double)entry(m, i, j) * (long double)x[j];
        r[i] = (double)sum;
    }
    check_near(largest(n, r), 0.0, n * 4.0 * DBL_EPSILON * row_norm(m, n, n) * largest(n, x),
               "backward stable: 4 n ε |A| |x|");
}

static void right_side(int n, uint64_t seed, double* b)
{
    for (int i = 0; i < n; i++) b[i] = helper_random(seed * 7919 + (uint64_t)i);
}

// B Bᵀ + shift 1, made of random numbers; `spread` scales its rows and columns by powers of ten.
static void fill_positive(matrix* m, int n, uint64_t seed, double shift, double spread)
{
    matrix b;
    fill(&b, n, n, seed);
    fill(m, n, n, seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < n; k++) sum += entry(&b, i, k) * entry(&b, j, k);
            const double si = pow(10.0, spread * helper_random((uint64_t)i));
            const double sj = pow(10.0, spread * helper_random((uint64_t)j));
            m->a[i * LD + j] = sum * si * sj;
        }
}

// 1 / (i + j + 1): the standard example of an ill-conditioned matrix, condition 1e13 for n = 10.
static void fill_hilbert(matrix* m, int n)
{
    fill(m, n, n, 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m->a[i * LD + j] = 1.0 / (i + j + 1);
}

// The upper triangle must come out as it went in.
static void check_upper_untouched(const matrix* before, const matrix* after, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) assert_true(entry(before, i, j) == entry(after, i, j));
    check_guard(after, n, n);
}

static void solve_cholesky(const matrix* m, int n, uint64_t seed)
{
    matrix l = *m;
    double b[N] = {0}, x[N];
    right_side(n, seed, b);
    memcpy(x, b, sizeof x);
    assert_true(kai_dense_cholesky(n, l.a, LD));
    kai_dense_cholesky_solve(n, l.a, LD, x);
    check_residual(m, n, x, b);
    check_upper_untouched(m, &l, n);
}

static void test_random_systems(void** state)
{
    (void)state;
    static matrix m;
    for (int n = 1; n <= N; n++) {
        for (uint64_t k = 0; k < 5; k++) {
            const uint64_t seed = 10 * (uint64_t)n + k;
            fill_positive(&m, n, seed, 0.1, 0.0);
            solve_cholesky(&m, n, seed);
        }
    }
}

static void test_ill_conditioned_systems(void** state)
{
    (void)state;
    static matrix m;
    for (int n = 1; n <= 10; n++) {
        fill_hilbert(&m, n);
        solve_cholesky(&m, n, (uint64_t)n);
    }
    for (int n = 2; n <= N; n += 7) { // units that differ by 1e16: no reason to give up
        fill_positive(&m, n, (uint64_t)n, 0.1, 8.0);
        solve_cholesky(&m, n, (uint64_t)n);
    }
}

static void test_singular(void** state)
{
    (void)state;
    static matrix m, copy;
    for (int n = 1; n <= N; n += 3) {
        for (int kind = 0; kind < 4; kind++) {
            fill_positive(&m, n, (uint64_t)(n + kind), 0.1, 0.0);
            if (kind == 0) { // a row and a column of zeros
                for (int i = 0; i < n; i++) m.a[(n / 2) * LD + i] = m.a[i * LD + n / 2] = 0.0;
            } else if (kind == 1) { // rank one
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        m.a[i * LD + j] = (n == 1 ? 0.0 : 1.0 + i) * (1.0 + j);
            } else if (kind == 2) { // two equal rows and columns, the same to the last bit
                if (n < 2) continue;
                for (int i = 0; i < n; i++) m.a[(n - 1) * LD + i] = entry(&m, 0, i);
                for (int i = 0; i < n; i++) m.a[i * LD + n - 1] = entry(&m, i, 0);
            } else {
                m.a[(n - 1) * LD + n / 2] = nan("");
            }
            copy = m;
            assert_false(kai_dense_cholesky(n, copy.a, LD));
        }
    }
    double negative[1] = {-1.0};
    assert_false(kai_dense_cholesky(1, negative, 1));
    assert_true(kai_dense_cholesky(0, NULL, 0)); // no equations, no trouble
}

// [H Jᵀ; J -C] with H and C positive definite, as a regularised KKT block, is not positive definite.
static void test_indefinite(void** state)
{
    (void)state;
    static matrix m, h;
    for (int n = 2; n <= 48; n += 5) {
        const int rows = n / 3 + 1, all = n + rows;
        fill(&m, all, all, (uint64_t)n);
        fill_positive(&h, n, (uint64_t)n, 1.0, 0.0);
        for (int i = 0; i < all; i++)
            for (int j = 0; j <= i; j++) {
                if (i < n)
                    m.a[i * LD + j] = entry(&h, i, j);
                else if (j >= n)
                    m.a[i * LD + j] = i == j ? -1.0 : 0.0;
                m.a[j * LD + i] = entry(&m, i, j);
            }
        assert_false(kai_dense_cholesky(all, m.a, LD));
    }
}

// Reflection 1 - 2 u uᵀ turns diag(d) into a matrix with eigenvalues d; its definite part is that of
// diag(max(d, 0)).
static void test_make_definite(void** state)
{
    (void)state;
    enum { SIZE = 9 };
    double u[SIZE], norm = 0.0;
    static matrix m, wanted;
    right_side(SIZE, 3, u);
    for (int i = 0; i < SIZE; i++) norm += u[i] * u[i];
    for (int i = 0; i < SIZE; i++) u[i] /= sqrt(norm);
    fill(&m, SIZE, SIZE, 1);
    fill(&wanted, SIZE, SIZE, 1);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double all = 0.0, positive = 0.0;
            for (int k = 0; k < SIZE; k++) {
                const double d = k - 4.0;
                const double q = ((i == k) - 2.0 * u[i] * u[k]) * ((j == k) - 2.0 * u[j] * u[k]);
                all += d * q;
                positive += fmax(d, 0.0) * q;
            }
            m.a[i * LD + j] = all;
            wanted.a[i * LD + j] = positive;
        }
    assert_true(kai_dense_make_definite(SIZE, m.a, LD));
    check_guard(&m, SIZE, SIZE);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            check_near(entry(&m, i, j), entry(&wanted, i, j), 1e-13,
                       "closed form; rotations stop at 1e-14 of the matrix");
    m.a[0] = nan("");
    assert_false(kai_dense_make_definite(SIZE, m.a, LD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems), cmocka_unit_test(test_ill_conditioned_systems),
        cmocka_unit_test(test_singular),       cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_make_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
