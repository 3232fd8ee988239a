// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

enum { DRAWS = 10000 };

static void test_entries(void** state)
{
    (void)state;
    const kai_vec3 a = kai_vec3_make(1.0, 2.0, 3.0), b = kai_vec3_make(4.0, 5.0, 6.0);
    const kai_vec3 c = kai_vec3_make(7.0, 8.0, 10.0);
    const kai_mat33 m = kai_mat33_from_rows(a, b, c);
    for (int i = 0; i < 3; i++) {
        check_vec3(kai_mat33_row(m, i), i == 0 ? a : i == 1 ? b : c, 0.0, "rows");
        check_vec3(kai_mat33_column(kai_mat33_from_columns(a, b, c), i),
                   i == 0   ? a
                   : i == 1 ? b
                            : c,
                   0.0, "columns");
    }
    assert_true(m.m[0][2] == 3.0 && m.m[2][0] == 7.0);
    check_mat33(kai_mat33_transpose(m), kai_mat33_from_columns(a, b, c), 0.0, "by hand");
    check_mat33(kai_mat33_add(m, m), kai_mat33_scale(m, 2.0), 0.0, "by hand");
    check_mat33(kai_mat33_sub(m, m), kai_mat33_zero(), 0.0, "by hand");
    check_mat33(kai_mat33_mul(m, kai_mat33_identity()), m, 0.0, "A 1 = A");
    check_vec3(kai_mat33_mul_vec(m, a), kai_vec3_make(14.0, 32.0, 53.0), 0.0, "by hand");
    check_vec3(kai_mat33_transpose_mul_vec(m, a), kai_vec3_make(30.0, 36.0, 45.0), 0.0, "by hand");
    check_near(kai_mat33_determinant(m), -3.0, 0.0, "by hand");
    check_near(kai_mat33_max_abs(kai_mat33_scale(m, -1.0)), 10.0, 0.0, "by hand");
    check_vec3(kai_mat33_mul_vec(kai_mat33_diagonal(a), b), kai_vec3_make(4.0, 10.0, 18.0), 0.0,
               "by hand");
    assert_true(kai_mat33_is_finite(m));
    for (int i = 0; i < 9; i++) {
        kai_mat33 bad = m;
        bad.m[i / 3][i % 3] = i % 2 ? nan("") : HUGE_VAL;
        assert_false(kai_mat33_is_finite(bad));
    }
}

static void test_identities(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_mat33 a = helper_random_mat33(2 * i), b = helper_random_mat33(2 * i + 1);
        const kai_vec3 u = helper_random_vec3(6 * DRAWS + i), v = helper_random_vec3(7 * DRAWS + i);
        const double tolerance = 1e-14; // entries below 1, sums of up to nine products
        check_vec3(kai_mat33_mul_vec(kai_mat33_mul(a, b), v),
                   kai_mat33_mul_vec(a, kai_mat33_mul_vec(b, v)), tolerance, "(A B) v = A (B v)");
        check_mat33(kai_mat33_transpose(kai_mat33_mul(a, b)),
                    kai_mat33_mul(kai_mat33_transpose(b), kai_mat33_transpose(a)), tolerance,
                    "(A B)ᵀ = Bᵀ Aᵀ");
        check_vec3(kai_mat33_transpose_mul_vec(a, v), kai_mat33_mul_vec(kai_mat33_transpose(a), v),
                   tolerance, "Aᵀ v");
        check_near(kai_mat33_determinant(kai_mat33_mul(a, b)),
                   kai_mat33_determinant(a) * kai_mat33_determinant(b), 5e-14,
                   "det is multiplicative");
        check_vec3(kai_mat33_mul_vec(kai_mat33_skew(u), v), kai_vec3_cross(u, v), tolerance,
                   "skew(u) v = u × v");
        check_mat33(kai_mat33_mul(kai_mat33_skew(u), kai_mat33_skew(u)),
                    kai_mat33_sub(kai_mat33_outer(u, u),
                                  kai_mat33_scale(kai_mat33_identity(), kai_vec3_norm2(u))),
                    tolerance, "skew(u)² = u uᵀ - |u|² 1");
        check_vec3(kai_mat33_mul_vec(kai_mat33_outer(u, v), u),
                   kai_vec3_scale(u, kai_vec3_dot(v, u)), tolerance, "(u vᵀ) u = u (v · u)");
    }
}

// A⁻¹ from Cramer's rule: |A A⁻¹ - 1| stays below a few eps times the condition number.
static void test_inverse(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        kai_mat33 a = helper_random_mat33(i), inverse = kai_mat33_zero();
        const double scale = pow(10.0, 140.0 * helper_random(i)); // units do not matter
        a = kai_mat33_scale(a, scale);
        assert_true(kai_mat33_inverse(a, &inverse));
        const double condition = 9.0 * kai_mat33_max_abs(a) * kai_mat33_max_abs(inverse);
        check_mat33(kai_mat33_mul(a, inverse), kai_mat33_identity(), 1e-15 * condition,
                    "A A⁻¹ = 1");
        check_mat33(kai_mat33_mul(inverse, a), kai_mat33_identity(), 1e-15 * condition,
                    "A⁻¹ A = 1");
    }
    // Rows of very different size are no trouble.
    kai_mat33 inverse = kai_mat33_zero();
    assert_true(
        kai_mat33_inverse(kai_mat33_diagonal(kai_vec3_make(1e-200, 1.0, -1e200)), &inverse));
    check_relative(inverse.m[0][0], 1e200, 1e-15, "reciprocal");
    check_relative(inverse.m[2][2], -1e-200, 1e-15, "reciprocal");
}

static void test_singular(void** state)
{
    (void)state;
    const kai_mat33 untouched = kai_mat33_diagonal(kai_vec3_make(5.0, 6.0, 7.0));
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 u = helper_random_vec3(3 * i);
        kai_mat33 bad = kai_mat33_zero(), inverse = untouched;
        if (i % 4 == 1) bad = kai_mat33_from_rows(u, helper_random_vec3(3 * i + 1), u);
        if (i % 4 == 2) bad = kai_mat33_outer(u, helper_random_vec3(3 * i + 1));
        if (i % 4 == 3) {
            bad = helper_random_mat33(i);
            bad.m[i % 3][(i / 3) % 3] = nan("");
        }
        assert_false(kai_mat33_inverse(bad, &inverse));
        assert_memory_equal(&inverse, &untouched, sizeof inverse);
    }
}

static void test_rotate_tensor(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat q = helper_random_rotation(i);
        const kai_mat33 a = helper_random_mat33(i);
        const kai_mat33 world = kai_mat33_rotate_tensor(kai_quat_to_mat33(q), a);
        const kai_vec3 v = helper_random_vec3(5 * DRAWS + i);
        check_vec3(kai_mat33_mul_vec(world, kai_quat_rotate(q, v)),
                   kai_quat_rotate(q, kai_mat33_mul_vec(a, v)), 1e-14, "acts alike in both frames");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),       cmocka_unit_test(test_identities),
        cmocka_unit_test(test_inverse),       cmocka_unit_test(test_singular),
        cmocka_unit_test(test_rotate_tensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
