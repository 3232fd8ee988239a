// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

#include <float.h>

enum { DRAWS = 10000 };

static void test_components(void** state)
{
    (void)state;
    const kai_vec3 a = kai_vec3_make(1.0, 2.0, 3.0), b = kai_vec3_make(-4.0, 5.0, 0.5);
    check_vec3(kai_vec3_add(a, b), kai_vec3_make(-3.0, 7.0, 3.5), 0.0, "by hand");
    check_vec3(kai_vec3_sub(a, b), kai_vec3_make(5.0, -3.0, 2.5), 0.0, "by hand");
    check_vec3(kai_vec3_neg(a), kai_vec3_make(-1.0, -2.0, -3.0), 0.0, "by hand");
    check_vec3(kai_vec3_scale(a, 2.0), kai_vec3_make(2.0, 4.0, 6.0), 0.0, "by hand");
    check_vec3(kai_vec3_mul_add(a, b, 2.0), kai_vec3_make(-7.0, 12.0, 4.0), 0.0, "by hand");
    check_vec3(kai_vec3_cross(a, b), kai_vec3_make(-14.0, -12.5, 13.0), 0.0, "by hand");
    check_vec3(kai_vec3_min(a, b), kai_vec3_make(-4.0, 2.0, 0.5), 0.0, "by hand");
    check_vec3(kai_vec3_max(a, b), kai_vec3_make(1.0, 5.0, 3.0), 0.0, "by hand");
    check_near(kai_vec3_dot(a, b), 7.5, 0.0, "by hand");
    check_near(kai_vec3_norm2(a), 14.0, 0.0, "by hand");
    check_near(kai_vec3_norm(kai_vec3_make(2.0, 3.0, 6.0)), 7.0, 0.0, "by hand");
    check_near(kai_vec3_distance(a, kai_vec3_make(3.0, 5.0, 9.0)), 7.0, 0.0, "by hand");
    check_near(kai_vec3_max_abs(b), 5.0, 0.0, "by hand");
    for (int i = 0; i < 3; i++) {
        check_near(kai_vec3_get(a, i), 1.0 + i, 0.0, "components in order");
        for (int j = 0; j < 3; j++) {
            check_near(kai_vec3_get(kai_vec3_axis(i), j), i == j ? 1.0 : 0.0, 0.0, "unit vectors");
        }
    }
    check_vec3(kai_vec3_cross(kai_vec3_axis(0), kai_vec3_axis(1)), kai_vec3_axis(2), 0.0,
               "right-handed");
}

static void test_identities(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 a = helper_random_vec3(3 * i), b = helper_random_vec3(3 * i + 1);
        const kai_vec3 c = helper_random_vec3(3 * i + 2);
        // Components below 1: a few roundings of numbers below 3.
        const double tolerance = 4e-15;
        check_near(kai_vec3_dot(a, kai_vec3_cross(a, b)), 0.0, tolerance, "a · (a × b) = 0");
        check_near(kai_vec3_dot(a, kai_vec3_cross(b, c)), kai_vec3_dot(b, kai_vec3_cross(c, a)),
                   tolerance, "the triple product is cyclic");
        check_vec3(kai_vec3_cross(a, kai_vec3_cross(b, c)),
                   kai_vec3_sub(kai_vec3_scale(b, kai_vec3_dot(a, c)),
                                kai_vec3_scale(c, kai_vec3_dot(a, b))),
                   tolerance, "a × (b × c) = b (a · c) - c (a · b)");
        check_near(kai_vec3_norm2(kai_vec3_cross(a, b)) + pow(kai_vec3_dot(a, b), 2.0),
                   kai_vec3_norm2(a) * kai_vec3_norm2(b), tolerance, "Lagrange's identity");
    }
}

// Unit length and the right direction from the smallest to the largest numbers there are.
static void test_normalize_any_scale(void** state)
{
    (void)state;
    for (int e = -300; e <= 300; e += 5) {
        for (uint64_t i = 0; i < 50; i++) {
            const kai_vec3 d = helper_random_direction(i);
            const kai_vec3 n = kai_vec3_normalize(kai_vec3_scale(d, pow(10.0, e)));
            check_near(kai_vec3_norm(n), 1.0, 4e-16, "two roundings");
            check_vec3(n, d, 8e-16, "the direction stays");
        }
    }
    // Below the normal numbers few bits are left, but the length must come out right.
    for (int e = -1074; e <= -1022; e++) {
        const kai_vec3 n = kai_vec3_normalize(kai_vec3_make(ldexp(1.0, e), -ldexp(1.0, e), 0.0));
        check_vec3(n, kai_vec3_make(sqrt(0.5), -sqrt(0.5), 0.0), 4e-16, "45 degrees");
    }
    const kai_vec3 top = kai_vec3_make(DBL_MAX, DBL_MAX, DBL_MAX);
    check_near(kai_vec3_norm(kai_vec3_normalize(top)), 1.0, 4e-16, "two roundings");
    check_vec3(kai_vec3_normalize(kai_vec3_make(1e200, 1e-200, 0.0)), kai_vec3_axis(0), 0.0,
               "mixed");
    check_vec3(kai_vec3_normalize(kai_vec3_zero()), kai_vec3_zero(), 0.0, "zero stays zero");
    assert_true(isnan(kai_vec3_normalize(kai_vec3_make(nan(""), 1.0, 0.0)).x));
    assert_false(kai_vec3_is_finite(kai_vec3_normalize(kai_vec3_make(HUGE_VAL, 1.0, 0.0))));
}

static void test_perpendicular(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        // Near the axes and planes as well as between them, at any scale.
        kai_vec3 v = helper_random_vec3(i);
        if (i % 3 == 1) v.x *= 1e-12;
        if (i % 5 == 1) v.y = 0.0;
        if (i % 7 == 1) v.z *= 1e-300;
        const kai_vec3 p = kai_vec3_perpendicular(kai_vec3_scale(v, pow(10.0, (double)(i % 300))));
        check_near(kai_vec3_norm(p), 1.0, 4e-16, "unit length");
        check_near(kai_vec3_dot(p, kai_vec3_normalize(v)), 0.0, 3e-16, "one rounding a product");
    }
    for (int i = 0; i < 3; i++) {
        check_near(kai_vec3_dot(kai_vec3_perpendicular(kai_vec3_axis(i)), kai_vec3_axis(i)), 0.0,
                   0.0, "axes");
    }
    check_vec3(kai_vec3_perpendicular(kai_vec3_zero()), kai_vec3_axis(0), 0.0, "as documented");
}

static void test_lerp(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 a = helper_random_vec3(2 * i), b = helper_random_vec3(2 * i + 1);
        check_vec3(kai_vec3_lerp(a, b, 0.0), a, 0.0, "exact at the start");
        check_vec3(kai_vec3_lerp(a, b, 1.0), b, 0.0, "exact at the end");
        const double t = helper_random(i);
        check_vec3(kai_vec3_lerp(a, b, t), kai_vec3_mul_add(a, kai_vec3_sub(b, a), t), 2e-15,
                   "a + t (b - a)");
    }
}

static void test_is_finite(void** state)
{
    (void)state;
    assert_true(kai_vec3_is_finite(kai_vec3_make(DBL_MAX, -DBL_MAX, 0.0)));
    for (int i = 0; i < 3; i++) {
        assert_false(kai_vec3_is_finite(kai_vec3_make(
            i == 0 ? HUGE_VAL : 0.0, i == 1 ? nan("") : 0.0, i == 2 ? -HUGE_VAL : 0.0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_normalize_any_scale),
        cmocka_unit_test(test_perpendicular),
        cmocka_unit_test(test_lerp),
        cmocka_unit_test(test_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
