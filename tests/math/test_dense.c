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
    double b[N], x[N];
    right_side(n, seed, b);
    memcpy(x, b, sizeof x);
    assert_true(kai_dense_cholesky(n, l.a, LD));
    kai_dense_cholesky_solve(n, l.a, LD, x);
    check_residual(m, n, x, b);
    check_upper_untouched(m, &l, n);
}

static void solve_ldl(const matrix* m, int n, uint64_t seed)
{
    matrix l = *m;
    double b[N], x[N];
    right_side(n, seed, b);
    memcpy(x, b, sizeof x);
    assert_true(kai_dense_ldl(n, l.a, LD));
    kai_dense_ldl_solve(n, l.a, LD, x);
    check_residual(m, n, x, b);
    check_upper_untouched(m, &l, n);
}

static void solve_lu(const matrix* m, int n, uint64_t seed)
{
    matrix lu = *m;
    double b[N], x[N];
    int pivot[N];
    right_side(n, seed, b);
    memcpy(x, b, sizeof x);
    assert_true(kai_dense_lu(n, lu.a, LD, pivot));
    kai_dense_lu_solve(n, lu.a, LD, pivot, x);
    check_residual(m, n, x, b);
    check_guard(&lu, n, n);
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
            solve_ldl(&m, n, seed);
            solve_lu(&m, n, seed);
            fill(&m, n, n, seed);
            solve_lu(&m, n, seed);
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
        solve_ldl(&m, n, (uint64_t)n);
        solve_lu(&m, n, (uint64_t)n);
    }
    for (int n = 2; n <= N; n += 7) { // units that differ by 1e16: no reason to give up
        fill_positive(&m, n, (uint64_t)n, 0.1, 8.0);
        solve_cholesky(&m, n, (uint64_t)n);
        solve_ldl(&m, n, (uint64_t)n);
    }
    // Tiny leading entry: wrong without pivoting.
    fill(&m, 2, 2, 0);
    m.a[0] = 1e-20;
    m.a[1] = m.a[LD] = m.a[LD + 1] = 1.0;
    solve_lu(&m, 2, 1);
}

// [H Jᵀ; J -C] with H and C positive definite, as a regularised KKT block: quasi-definite, so L D
// Lᵀ exists without pivoting (Vanderbei 1995), with as many negative pivots as rows of J.
static void test_ldl_of_quasi_definite(void** state)
{
    (void)state;
    static matrix m, h, l;
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
        solve_ldl(&m, all, (uint64_t)n);
        l = m;
        assert_true(kai_dense_ldl(all, l.a, LD));
        for (int i = 0; i < all; i++) assert_true((entry(&l, i, i) > 0.0) == (i < n));
        l = m;
        assert_false(kai_dense_cholesky(all, l.a, LD));
    }
}

static void test_singular(void** state)
{
    (void)state;
    static matrix m, copy;
    int pivot[N];
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
            copy = m;
            assert_false(kai_dense_ldl(n, copy.a, LD));
            copy = m;
            assert_false(kai_dense_lu(n, copy.a, LD, pivot));
            copy = m;
            double b[N] = {0};
            assert_false(kai_dense_least_squares(n, n, copy.a, LD, b));
        }
    }
    double negative[1] = {-1.0};
    assert_false(kai_dense_cholesky(1, negative, 1));
    assert_true(kai_dense_cholesky(0, NULL, 0)); // no equations, no trouble
    assert_true(kai_dense_lu(0, NULL, 0, NULL));
}

static void test_products(void** state)
{
    (void)state;
    static matrix a, b, c;
    for (uint64_t t = 0; t < 200; t++) {
        uint32_t w[4];
        kai_random_words(11, 0, t, w);
        const int m = (int)(w[0] % 12), k = (int)(w[1] % 12), n = (int)(w[2] % 12);
        fill(&a, m, k, t);
        fill(&b, k, n, t + 1);
        fill(&c, m, n, t + 2);
        kai_dense_mul(m, k, n, a.a, LD, b.a, LD, c.a, LD);
        check_guard(&c, m, n);
        double x[N], y[N], z[N], sums[N];
        right_side(N, t, x);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int p = 0; p < k; p++) sum += entry(&a, i, p) * entry(&b, p, j);
                check_near(entry(&c, i, j), sum, 1e-15 * (k + 1), "sum of k products below 1");
            }
        // (A B) x = A (B x), and y · A B x = (Aᵀ y) · (B x)
        kai_dense_mul_vec(m, n, c.a, LD, x, y);
        kai_dense_mul_vec(k, n, b.a, LD, x, z);
        kai_dense_mul_vec(m, k, a.a, LD, z, sums);
        for (int i = 0; i < m; i++) check_near(y[i], sums[i], 1e-13, "(A B) x = A (B x)");
        kai_dense_transpose_mul_vec(m, k, a.a, LD, x, sums);
        double left = 0.0, right = 0.0;
        for (int i = 0; i < m; i++) left += x[i] * y[i];
        for (int i = 0; i < k; i++) right += sums[i] * z[i];
        check_near(left, right, 1e-12, "x · A z = Aᵀ x · z");
    }
}

// The residual of a least squares solution is perpendicular to every column.
static void test_least_squares(void** state)
{
    (void)state;
    static matrix a, q;
    for (uint64_t t = 0; t < 300; t++) {
        uint32_t w[4];
        kai_random_words(12, 0, t, w);
        const int n = 1 + (int)(w[0] % N), m = n + (int)(w[1] % N);
        fill(&a, m, n, t);
        // Columns of very different units.
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                a.a[i * LD + j] *= pow(10.0, 10.0 * helper_random((uint64_t)j));
        double b[ROWS], x[ROWS], r[ROWS], rest = 0.0;
        right_side(m, t, b);
        memcpy(x, b, sizeof x);
        q = a;
        assert_true(kai_dense_least_squares(m, n, q.a, LD, x));
        check_guard(&q, m, n);
        double terms = 1.0;
        for (int i = 0; i < m; i++) {
            r[i] = b[i];
            for (int j = 0; j < n; j++) {
                r[i] -= entry(&a, i, j) * x[j];
                terms = fmax(terms, fabs(entry(&a, i, j) * x[j]));
            }
            rest += r[i] * r[i];
        }
        const double tolerance = 1e-14 * m * terms;
        for (int j = 0; j < n; j++) {
            double dot = 0.0, size = 0.0;
            for (int i = 0; i < m; i++) {
                dot += entry(&a, i, j) * r[i];
                size = hypot(size, entry(&a, i, j));
            }
            check_near(dot / size, 0.0, tolerance, "Aᵀ (b - A x) = 0");
        }
        double tail = 0.0;
        for (int i = n; i < m; i++) tail = hypot(tail, x[i]);
        check_near(tail, sqrt(rest), tolerance, "the rest of b has the residual's length");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_ill_conditioned_systems),
        cmocka_unit_test(test_ldl_of_quasi_definite),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
