// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

enum { DRAWS = 10000 };

// Rotating ---------------------------------------------------------------------------------------

static void test_conventions(void** state)
{
    (void)state;
    // A quarter turn about z takes x to y: counter-clockwise, body to world.
    const kai_quat q = kai_quat_from_axis_angle(kai_vec3_make(0.0, 0.0, 5.0), KAI_PI / 2);
    check_vec3(kai_quat_rotate(q, kai_vec3_axis(0)), kai_vec3_axis(1), 4e-16, "right-hand rule");
    check_vec3(kai_quat_unrotate(q, kai_vec3_axis(1)), kai_vec3_axis(0), 4e-16, "and back");
    check_rotation(q, kai_quat_make(sqrt(0.5), 0.0, 0.0, sqrt(0.5)), 2e-16, "cos and sin of 45°");
    check_vec3(kai_quat_vector(q), kai_vec3_make(0.0, 0.0, sqrt(0.5)), 2e-16, "sin of 45° along z");
    const kai_quat ij =
        kai_quat_mul(kai_quat_make(0.0, 1.0, 0.0, 0.0), kai_quat_make(0.0, 0.0, 1.0, 0.0));
    assert_true(ij.w == 0.0 && ij.x == 0.0 && ij.y == 0.0 && ij.z == 1.0); // i j = k
    const kai_quat none = kai_quat_from_axis_angle(kai_vec3_zero(), 1.0), one = kai_quat_identity();
    assert_memory_equal(&none, &one, sizeof one);
}

static void test_rotation_keeps_lengths_and_handedness(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat q = helper_random_rotation(i);
        const kai_vec3 a = helper_random_vec3(2 * i), b = helper_random_vec3(2 * i + 1);
        const kai_vec3 ra = kai_quat_rotate(q, a), rb = kai_quat_rotate(q, b);
        const double tolerance = 5e-15; // vectors of up to 1.7, a dozen roundings
        check_relative(kai_vec3_norm(ra), kai_vec3_norm(a), tolerance, "lengths stay");
        check_near(kai_vec3_dot(ra, rb), kai_vec3_dot(a, b), tolerance, "angles stay");
        check_vec3(kai_vec3_cross(ra, rb), kai_quat_rotate(q, kai_vec3_cross(a, b)), tolerance,
                   "handedness stays");
        check_vec3(kai_quat_unrotate(q, ra), a, tolerance, "there and back");
    }
}

static void test_products_match_matrices(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat p = helper_random_rotation(2 * i), q = helper_random_rotation(2 * i + 1);
        const kai_mat33 r = kai_quat_to_mat33(p), s = kai_quat_to_mat33(q);
        const kai_vec3 v = helper_random_vec3(i);
        const double tolerance = 5e-15;
        check_mat33(kai_quat_to_mat33(kai_quat_mul(p, q)), kai_mat33_mul(r, s), tolerance,
                    "R(p q) = R(p) R(q)");
        check_vec3(kai_mat33_mul_vec(r, v), kai_quat_rotate(p, v), tolerance, "R(p) v = p v p⁻¹");
        check_mat33(kai_quat_to_mat33(kai_quat_conj(p)), kai_mat33_transpose(r), tolerance,
                    "R(p⁻¹) = R(p)ᵀ");
        check_near(kai_mat33_determinant(r), 1.0, tolerance, "a proper rotation");
        check_near(kai_quat_norm2(kai_quat_mul(p, q)), 1.0, tolerance, "norms multiply");
    }
}

static void test_normalize(void** state)
{
    (void)state;
    for (int e = -300; e <= 300; e += 10) {
        const kai_quat q = helper_random_rotation((uint64_t)(e + 300));
        const double s = pow(10.0, e);
        check_rotation(kai_quat_normalize(kai_quat_make(s * q.w, s * q.x, s * q.y, s * q.z)), q,
                       4e-16, "direction stays");
    }
    const kai_quat one = kai_quat_identity();
    const kai_quat zero = kai_quat_normalize(kai_quat_make(0.0, 0.0, 0.0, 0.0));
    assert_memory_equal(&zero, &one, sizeof one);
    assert_true(kai_quat_is_unit(one, 0.0));
    assert_true(kai_quat_is_unit(kai_quat_make(1.0 + 1e-7, 0.0, 0.0, 0.0), 1e-6));
    assert_false(kai_quat_is_unit(kai_quat_make(1.0 + 1e-5, 0.0, 0.0, 0.0), 1e-6));
    assert_false(kai_quat_is_unit(kai_quat_make(nan(""), 0.0, 0.0, 0.0), 1e-6));
}

// Exponential and logarithm ----------------------------------------------------------------------

// Against long double arithmetic, whose exponent range holds even the squares of 1e-300.
static void test_exp_for_any_angle(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double angle = KAI_PI * pow(10.0, -150.5 + 150.5 * helper_random(i)); // 1e-301 … π
        const kai_vec3 v = kai_vec3_scale(helper_random_direction(i), angle);
        const long double x = (long double)v.x, y = (long double)v.y, z = (long double)v.z;
        const long double a = sqrtl(x * x + y * y + z * z);
        const long double s = sinl(a / 2) / a;
        const kai_quat q = kai_quat_from_rotation_vector(v);
        check_near(q.w, (double)cosl(a / 2), 2e-16, "cos(a/2) in long double");
        check_relative(q.x, (double)(s * x), 1e-15, "sin(a/2) x/a in long double");
        check_relative(q.y, (double)(s * y), 1e-15, "sin(a/2) y/a in long double");
        check_relative(q.z, (double)(s * z), 1e-15, "sin(a/2) z/a in long double");
    }
    const kai_quat q = kai_quat_from_rotation_vector(kai_vec3_zero()), one = kai_quat_identity();
    assert_memory_equal(&q, &one, sizeof one);
}

static void test_log_undoes_exp(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        // Half of them of any size, half between 0 and π; at π the axis may change sign.
        double angle = KAI_PI * pow(10.0, -150.5 + 150.5 * helper_random(i));
        if (i % 2) angle = (KAI_PI - 1e-6) * fabs(helper_random(i));
        const kai_vec3 v = kai_vec3_scale(helper_random_direction(i), angle);
        const kai_quat q = kai_quat_from_rotation_vector(v);
        const kai_vec3 back = kai_quat_to_rotation_vector(q);
        for (int k = 0; k < 3; k++) {
            check_relative(kai_vec3_get(back, k), kai_vec3_get(v, k), 3e-15, "log(exp(v)) = v");
        }
        const kai_quat minus = kai_quat_make(-q.w, -q.x, -q.y, -q.z);
        check_vec3(kai_quat_to_rotation_vector(minus), back, 0.0, "q and -q are one rotation");
    }
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat q = helper_random_rotation(i);
        const kai_vec3 v = kai_quat_to_rotation_vector(q);
        assert_true(kai_vec3_norm(v) <= KAI_PI * (1.0 + 1e-15));
        check_rotation(kai_quat_from_rotation_vector(v), q, 1e-15, "exp(log(q)) = ±q");
    }
    const kai_quat half = kai_quat_from_axis_angle(kai_vec3_axis(1), KAI_PI);
    check_vec3(kai_quat_to_rotation_vector(half), kai_vec3_make(0.0, KAI_PI, 0.0), 1e-15,
               "half a turn");
}

static void test_axis_angle_matches_exp(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 axis = helper_random_vec3(i);
        const double angle = 10.0 * helper_random(i);
        check_rotation(
            kai_quat_from_axis_angle(axis, angle),
            kai_quat_from_rotation_vector(kai_vec3_scale(kai_vec3_normalize(axis), angle)), 3e-15,
            "the angle has a rounding of 1e-15 there");
    }
}

// Matrices ---------------------------------------------------------------------------------------

static void test_from_matrix(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        kai_quat q = helper_random_rotation(i);
        if (i % 2) {
            // Half turns and near ones, about axes in and near the coordinate planes: w = 0 or
            // tiny.
            kai_vec3 axis = helper_random_direction(i);
            if (i % 3 == 0) axis.x *= 1e-9;
            if (i % 5 == 0) axis.y = 0.0;
            if (i % 7 == 0) axis.z *= 1e-16;
            const double rest = i % 11 < 4 ? 0.0 : pow(10.0, -(double)(i % 18));
            q = kai_quat_from_axis_angle(axis, KAI_PI - rest);
        }
        check_rotation(kai_quat_from_mat33(kai_quat_to_mat33(q)), q, 1e-15, "there and back");
    }
    for (int i = 0; i < 4; i++) {
        const kai_quat q = kai_quat_make(i == 0, i == 1, i == 2, i == 3); // exact half turns
        check_rotation(kai_quat_from_mat33(kai_quat_to_mat33(q)), q, 0.0, "diagonal matrices");
    }
}

// Rates ------------------------------------------------------------------------------------------

// q(t) = q0 exp(t ω) against its central difference, error h² |ω|³/48 + 1e-16/h = 1e-10.
static void test_derivatives(void** state)
{
    (void)state;
    const double h = 1e-5;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat q = helper_random_rotation(i);
        const kai_vec3 body = kai_vec3_scale(helper_random_vec3(i), 3.0);
        const kai_vec3 world = kai_quat_rotate(q, body);
        const kai_quat later = kai_quat_integrate_body(q, body, h);
        const kai_quat sooner = kai_quat_integrate_body(q, body, -h);
        const kai_quat rate = kai_quat_derivative_body(q, body);
        const kai_quat rate_world = kai_quat_derivative_world(q, world);
        const char* source = "central difference";
        check_near(rate.w, (later.w - sooner.w) / (2.0 * h), 1e-9, source);
        check_near(rate.x, (later.x - sooner.x) / (2.0 * h), 1e-9, source);
        check_near(rate.y, (later.y - sooner.y) / (2.0 * h), 1e-9, source);
        check_near(rate.z, (later.z - sooner.z) / (2.0 * h), 1e-9, source);
        check_near(rate.w, rate_world.w, 1e-14, "the same rate from world axes");
        check_near(rate.x, rate_world.x, 1e-14, "the same rate from world axes");
        check_near(rate.y, rate_world.y, 1e-14, "the same rate from world axes");
        check_near(rate.z, rate_world.z, 1e-14, "the same rate from world axes");

        // A point of the body moves with ω × r.
        const kai_vec3 p = helper_random_vec3(DRAWS + i);
        const kai_vec3 moved = kai_vec3_sub(kai_quat_rotate(later, p), kai_quat_rotate(sooner, p));
        check_vec3(kai_vec3_scale(moved, 0.5 / h), kai_vec3_cross(world, kai_quat_rotate(q, p)),
                   1e-8, "ω × r");
    }
}

static void test_steady_spin(void** state)
{
    (void)state;
    // A thousand steps about a body axis are one turn of a thousand times the angle.
    const kai_vec3 omega = kai_vec3_make(0.3, -0.7, 1.1);
    const kai_quat start = helper_random_rotation(1);
    kai_quat q = start;
    for (int i = 0; i < 1000; i++) q = kai_quat_integrate_body(q, omega, 1e-2);
    check_rotation(q, kai_quat_integrate_body(start, omega, 10.0), 1e-13,
                   "exp(a) exp(b) = exp(a + b)");
    assert_true(kai_quat_is_unit(q, 4e-16));
}

// Euler angles -----------------------------------------------------------------------------------

static kai_mat33 elementary(char axis, double a)
{
    const double c = cos(a), s = sin(a);
    if (axis == 'x') {
        return (kai_mat33){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    }
    if (axis == 'y') {
        return (kai_mat33){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    }
    return (kai_mat33){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

static void test_euler_orders(void** state)
{
    (void)state;
    char order[4] = "";
    for (int k = 0; k < 27; k++) {
        order[0] = (char)('x' + k / 9);
        order[1] = (char)('x' + k / 3 % 3);
        order[2] = (char)('x' + k % 3);
        for (uint64_t i = 0; i < 400; i++) {
            const kai_vec3 v =
                kai_vec3_scale(helper_random_vec3(400 * (uint64_t)k + i), 2 * KAI_PI);
            const double a[3] = {v.x, v.y, v.z};
            const kai_mat33 expected =
                kai_mat33_mul(kai_mat33_mul(elementary(order[0], a[0]), elementary(order[1], a[1])),
                              elementary(order[2], a[2]));
            check_mat33(kai_quat_to_mat33(kai_quat_from_euler(a, order)), expected, 4e-15,
                        "product of the elementary matrices");
        }
    }
    const double a[3] = {1.0, 2.0, 3.0};
    check_rotation(kai_quat_from_euler(a, "x?Y"), kai_quat_from_axis_angle(kai_vec3_axis(0), 1.0),
                   0.0, "other letters turn nothing");
}

// Between two orientations -----------------------------------------------------------------------

static void test_slerp_and_angle(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_quat a = helper_random_rotation(2 * i), b = helper_random_rotation(2 * i + 1);
        const double angle = kai_quat_angle_between(a, b), t = fabs(helper_random(i));
        const kai_quat start = kai_quat_slerp(a, b, 0.0), between = kai_quat_slerp(a, b, t);
        assert_memory_equal(&start, &a, sizeof a);
        check_rotation(kai_quat_slerp(a, b, 1.0), b, 2e-15, "ends at b");
        check_near(kai_quat_angle_between(a, between), t * angle, 4e-15, "a steady rate");
        check_near(kai_quat_angle_between(between, b), (1.0 - t) * angle, 4e-15, "a steady rate");
        // The angle of a rotation from the trace of its matrix; badly conditioned near 0 and π.
        const kai_mat33 r = kai_quat_to_mat33(kai_quat_mul(kai_quat_conj(a), b));
        const double c = (r.m[0][0] + r.m[1][1] + r.m[2][2] - 1.0) / 2.0;
        check_near(cos(angle), c, 4e-15, "1 + 2 cos θ = tr R");
    }
    // Tiny angles, where acos of a dot product would see nothing.
    const kai_quat a = helper_random_rotation(3);
    const kai_quat b = kai_quat_integrate_body(a, kai_vec3_make(1e-12, 0.0, 0.0), 1.0);
    check_near(kai_quat_angle_between(a, b), 1e-12, 4e-16, "rounding of unit quaternions");
}

static void test_from_two_vectors(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        kai_vec3 a = helper_random_direction(2 * i), b = helper_random_direction(2 * i + 1);
        // Every fourth pair (nearly) opposite or parallel, from 1e-1 down to 1e-20 apart.
        if (i % 4 < 2) {
            const double apart = pow(10.0, -(double)(1 + i % 20));
            b = kai_vec3_normalize(kai_vec3_mul_add(i % 4 ? a : kai_vec3_neg(a), b, apart));
        }
        const kai_quat q =
            kai_quat_from_two_vectors(kai_vec3_scale(a, 3e100), kai_vec3_scale(b, 7e-90));
        check_vec3(kai_quat_rotate(q, a), b, 2e-15, "a goes to b");
        assert_true(kai_quat_is_unit(q, 1e-15));
        // The shortest one: its angle is the one between the vectors.
        const double between = atan2(kai_vec3_norm(kai_vec3_cross(a, b)), kai_vec3_dot(a, b));
        check_near(kai_quat_angle_between(q, kai_quat_identity()), between, 3e-15, "no detour");
    }
    for (int i = 0; i < 3; i++) {
        const kai_vec3 e = kai_vec3_axis(i);
        check_vec3(kai_quat_rotate(kai_quat_from_two_vectors(e, kai_vec3_neg(e)), e),
                   kai_vec3_neg(e), 1e-15, "exactly opposite");
        check_rotation(kai_quat_from_two_vectors(e, e), kai_quat_identity(), 0.0,
                       "exactly parallel");
    }
    check_rotation(kai_quat_from_two_vectors(kai_vec3_zero(), kai_vec3_axis(0)),
                   kai_quat_identity(), 0.0, "no direction, no rotation");
}

static void test_from_axes(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 z = helper_random_direction(2 * i);
        kai_vec3 hint = helper_random_direction(2 * i + 1);
        if (i % 3 == 0) hint = kai_vec3_mul_add(z, hint, pow(10.0, -(double)(i % 20)));
        const kai_quat q =
            kai_quat_from_axes(kai_vec3_scale(z, 1e120), kai_vec3_scale(hint, 1e-120));
        const kai_vec3 x = kai_quat_rotate(q, kai_vec3_axis(0)),
                       y = kai_quat_rotate(q, kai_vec3_axis(1));
        check_vec3(kai_quat_rotate(q, kai_vec3_axis(2)), z, 2e-15, "third axis along z");
        if (i % 3 != 0) {
            check_near(kai_vec3_dot(y, hint), 0.0, 3e-15, "the hint lies in the x-z plane");
            assert_true(kai_vec3_dot(x, hint) > 0.0);
        }
        check_vec3(kai_quat_rotate(kai_quat_from_z_axis(z), kai_vec3_axis(2)), z, 2e-15, "z axis");
    }
    check_rotation(kai_quat_from_axes(kai_vec3_axis(2), kai_vec3_axis(0)), kai_quat_identity(), 0.0,
                   "world axes");
    check_rotation(kai_quat_from_z_axis(kai_vec3_axis(2)), kai_quat_identity(), 0.0, "world axes");
    const kai_quat q =
        kai_quat_from_axes(kai_vec3_axis(1), kai_vec3_axis(1)); // no help from the hint
    check_vec3(kai_quat_rotate(q, kai_vec3_axis(2)), kai_vec3_axis(1), 1e-15, "parallel hint");
    assert_true(kai_quat_is_unit(q, 1e-15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conventions),
        cmocka_unit_test(test_rotation_keeps_lengths_and_handedness),
        cmocka_unit_test(test_products_match_matrices),
        cmocka_unit_test(test_normalize),
        cmocka_unit_test(test_exp_for_any_angle),
        cmocka_unit_test(test_log_undoes_exp),
        cmocka_unit_test(test_axis_angle_matches_exp),
        cmocka_unit_test(test_from_matrix),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_steady_spin),
        cmocka_unit_test(test_euler_orders),
        cmocka_unit_test(test_slerp_and_angle),
        cmocka_unit_test(test_from_two_vectors),
        cmocka_unit_test(test_from_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
