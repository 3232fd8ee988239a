// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "helper.h"

enum { DRAWS = 10000 };

// A solid box with edges s, centre c, of density 1.
static kai_mass_properties box(kai_vec3 s, kai_vec3 c)
{
    const double m = s.x * s.y * s.z;
    const kai_vec3 d =
        kai_vec3_make(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y);
    const kai_mass_properties r = {m, c, kai_mat33_diagonal(kai_vec3_scale(d, m / 12.0))};
    return r;
}

static kai_vec3 positive(uint64_t i)
{
    const kai_vec3 v = helper_random_vec3(i);
    return kai_vec3_make(1.1 + v.x, 1.1 + v.y, 1.1 + v.z);
}

// Principal axes ---------------------------------------------------------------------------------

static void check_same_bits(kai_vec3 a, kai_vec3 b) { assert_memory_equal(&a, &b, sizeof a); }

static void test_diagonal_is_left_alone(void** state)
{
    (void)state;
    const kai_quat one = kai_quat_identity();
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double scale = pow(10.0, 300.0 * helper_random(i));
        kai_vec3 d = kai_vec3_scale(positive(i), scale);
        if (i % 4 == 1) d.y = d.x;
        if (i % 4 == 2) d.z = d.y = d.x;
        const kai_mat33 inertia = kai_mat33_diagonal(d);
        kai_vec3 moments;
        kai_quat axes;
        kai_inertia_principal(&inertia, &moments, &axes);
        check_same_bits(moments, d);
        assert_memory_equal(&axes, &one, sizeof one);
    }
    const kai_mat33 zero = kai_mat33_zero();
    kai_vec3 moments;
    kai_quat axes;
    kai_inertia_principal(&zero, &moments, &axes);
    check_same_bits(moments, kai_vec3_zero());
    assert_memory_equal(&axes, &one, sizeof one);
}

// Checks R diag(moments) Rᵀ = inertia, and that R is a proper rotation.
static kai_vec3 check_principal(kai_mat33 inertia)
{
    kai_vec3 moments = {0};
    kai_quat axes = {0};
    kai_inertia_principal(&inertia, &moments, &axes);
    assert_true(kai_quat_is_unit(axes, 4e-16));
    const kai_mat33 back =
        kai_mat33_rotate_tensor(kai_quat_to_mat33(axes), kai_mat33_diagonal(moments));
    check_mat33(back, inertia, 1e-14 * kai_mat33_max_abs(inertia), "R diag Rᵀ = I, 1e-14 relative");
    return moments;
}

static double sorted(kai_vec3 v, int i)
{
    const double least = fmin(v.x, fmin(v.y, v.z)), most = fmax(v.x, fmax(v.y, v.z));
    return i == 0 ? least : i == 2 ? most : fmax(fmin(v.x, v.y), fmin(fmax(v.x, v.y), v.z));
}

static void test_principal_of_turned_inertias(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        kai_vec3 d = positive(i);
        if (i % 5 == 1) d.y = d.x;                                        // two equal
        if (i % 5 == 2) d.z = d.y = d.x;                                  // three equal
        if (i % 5 == 3) d.y = d.x * (1.0 + pow(10.0, -(double)(i % 17))); // close together
        if (i % 5 == 4) d.x *= pow(10.0, -(double)(i % 14));              // far apart
        const kai_vec3 scaled = kai_vec3_scale(d, pow(10.0, 140.0 * helper_random(i)));
        const kai_mat33 r = kai_quat_to_mat33(helper_random_rotation(i));
        kai_mat33 inertia = kai_mat33_rotate_tensor(r, kai_mat33_diagonal(scaled));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < k; l++) inertia.m[k][l] = inertia.m[l][k];
        const kai_vec3 moments = check_principal(inertia);
        for (int k = 0; k < 3; k++) {
            check_near(sorted(moments, k), sorted(scaled, k), 1e-14 * sorted(scaled, 2),
                       "the moments it was made of");
        }
    }
}

// A diagonal matrix that is slightly off keeps its axes, slightly off: no jump, no exchange.
static void test_principal_is_near_the_given_axes(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_vec3 d = kai_vec3_make(2.0, 1.0, 3.0);
        const double small = pow(10.0, -3.0 - (double)(i % 12));
        const kai_quat q =
            kai_quat_from_rotation_vector(kai_vec3_scale(helper_random_direction(i), small));
        kai_mat33 inertia = kai_mat33_rotate_tensor(kai_quat_to_mat33(q), kai_mat33_diagonal(d));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < k; l++) inertia.m[k][l] = inertia.m[l][k];
        kai_vec3 moments;
        kai_quat axes;
        kai_inertia_principal(&inertia, &moments, &axes);
        check_vec3(moments, d, 1e-14, "in their order");
        check_rotation(axes, q, 1e-14, "distinct moments: the axes are unique up to sign");
    }
}

static void test_principal_of_symmetric_matrices(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) { // indefinite ones too
        kai_mat33 a = helper_random_mat33(i);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < k; l++) a.m[k][l] = a.m[l][k];
        if (i % 3 == 0) a.m[0][0] = a.m[1][1] = a.m[2][2] = 0.0;
        const kai_vec3 m = check_principal(a);
        check_near(m.x + m.y + m.z, a.m[0][0] + a.m[1][1] + a.m[2][2], 1e-14, "the trace stays");
        check_near(m.x * m.y * m.z, kai_mat33_determinant(a), 1e-14, "the determinant stays");
    }
}

// Moving and joining -----------------------------------------------------------------------------

static void test_parallel_axes(void** state)
{
    (void)state;
    // A box about its corner: m/3 (b² + c²) on the diagonal, -m/4 a b beside it.
    const kai_vec3 s = kai_vec3_make(1.0, 2.0, 3.0);
    const kai_mass_properties p = box(s, kai_vec3_scale(s, 0.5));
    const double m = 6.0;
    const kai_mat33 corner = {{{m / 3 * 13, -m / 4 * 2, -m / 4 * 3},
                               {-m / 4 * 2, m / 3 * 10, -m / 4 * 6},
                               {-m / 4 * 3, -m / 4 * 6, m / 3 * 5}}};
    check_mat33(kai_inertia_shift(&p, kai_vec3_zero()), corner, 1e-14, "integral over the box");

    for (uint64_t i = 0; i < DRAWS; i++) {
        const kai_mass_properties q = box(positive(i), helper_random_vec3(i));
        const kai_vec3 point = helper_random_vec3(DRAWS + i);
        const kai_mat33 at_point = kai_inertia_shift(&q, point);
        const kai_mass_properties back = kai_inertia_unshift(q.mass, q.com, &at_point, point);
        check_mat33(back.inertia, q.inertia, 1e-13, "there and back, entries of up to 100");
        // Closed form about an axis n through the point: I_n + m (distance of the axis)².
        const kai_vec3 n = helper_random_direction(i), d = kai_vec3_sub(point, q.com);
        const double distance2 = kai_vec3_norm2(kai_vec3_cross(n, d));
        check_near(kai_vec3_dot(n, kai_mat33_mul_vec(at_point, n)),
                   kai_vec3_dot(n, kai_mat33_mul_vec(q.inertia, n)) + q.mass * distance2, 1e-13,
                   "Huygens and Steiner");
    }
}

static void test_halves_of_a_box_make_the_box(void** state)
{
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        // Cut at any place along any edge; then the whole turned and moved.
        const kai_vec3 s = positive(i), c = helper_random_vec3(i);
        const int axis = (int)(i % 3);
        const double f = 0.5 + 0.499 * helper_random(i), edge = kai_vec3_get(s, axis);
        const kai_vec3 e = kai_vec3_axis(axis);
        const kai_vec3 s1 = kai_vec3_mul_add(s, e, (f - 1.0) * edge);
        const kai_vec3 s2 = kai_vec3_mul_add(s, e, -f * edge);
        const kai_mass_properties whole = box(s, c);
        const kai_mass_properties a = box(s1, kai_vec3_mul_add(c, e, (f - 1.0) * edge / 2));
        const kai_mass_properties b = box(s2, kai_vec3_mul_add(c, e, f * edge / 2));
        const kai_mass_properties sum = kai_inertia_combine(&a, &b);
        check_relative(sum.mass, whole.mass, 1e-14, "mass adds up");
        check_vec3(sum.com, c, 1e-13, "centre of the whole");
        check_mat33(sum.inertia, whole.inertia, 1e-14 * kai_mat33_max_abs(whole.inertia) + 1e-13,
                    "inertia of the whole");

        const kai_frame frame = {helper_random_vec3(DRAWS + i), helper_random_rotation(i)};
        const kai_mass_properties moved = kai_inertia_transform(&whole, &frame);
        const kai_mass_properties a2 = kai_inertia_transform(&a, &frame);
        const kai_mass_properties b2 = kai_inertia_transform(&b, &frame);
        const kai_mass_properties sum2 = kai_inertia_combine(&b2, &a2);
        check_vec3(moved.com, kai_frame_point_to_parent(frame, c), 0.0, "a point of the frame");
        check_vec3(sum2.com, moved.com, 1e-13, "first turned, then joined");
        check_mat33(sum2.inertia, moved.inertia, 1e-12, "first turned, then joined");
        for (int k = 0; k < 9; k++)
            assert_true(moved.inertia.m[k / 3][k % 3] == moved.inertia.m[k % 3][k / 3]);
    }
}

static void test_combine_corner_cases(void** state)
{
    (void)state;
    const kai_mass_properties b = box(kai_vec3_make(1.0, 2.0, 3.0), kai_vec3_make(4.0, 5.0, 6.0));
    const kai_mass_properties nothing = {0.0, kai_vec3_make(9.0, 9.0, 9.0), kai_mat33_zero()};
    const kai_mass_properties left = kai_inertia_combine(&nothing, &b);
    const kai_mass_properties right = kai_inertia_combine(&b, &nothing);
    check_vec3(left.com, b.com, 0.0, "a massless part moves nothing");
    check_vec3(right.com, b.com, 0.0, "a massless part moves nothing");
    check_mat33(left.inertia, b.inertia, 0.0, "a massless part adds nothing");
    assert_true(kai_vec3_is_finite(kai_inertia_combine(&nothing, &nothing).com));
    // Two points on the x axis, reduced mass 2/3, three apart.
    const kai_mass_properties p = {1.0, kai_vec3_zero(), kai_mat33_zero()};
    const kai_mass_properties q = {2.0, kai_vec3_make(3.0, 0.0, 0.0), kai_mat33_zero()};
    const kai_mass_properties dumbbell = kai_inertia_combine(&p, &q);
    check_vec3(dumbbell.com, kai_vec3_make(2.0, 0.0, 0.0), 1e-15, "lever rule");
    check_mat33(dumbbell.inertia, kai_mat33_diagonal(kai_vec3_make(0.0, 6.0, 6.0)), 1e-14,
                "by hand");
}

// Checking ---------------------------------------------------------------------------------------

static void check_refused(kai_mat33 inertia, double mass, const char* message)
{
    kai_error err = {0};
    check_error(kai_inertia_check(&inertia, mass, &err), KAI_ERROR_ARGUMENT);
    check_error(err.code, KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, message);
    check_error(kai_inertia_check(&inertia, mass, NULL), KAI_ERROR_ARGUMENT);
}

static void test_bad_values_are_named(void** state)
{
    (void)state;
    const kai_mat33 good = kai_mat33_diagonal(kai_vec3_make(1.0, 2.0, 2.5));
    check_refused(good, -2.0, "mass is -2 kg; must be > 0 and finite");
    check_refused(good, 0.0, "mass is 0 kg; must be > 0 and finite");
    check_refused(good, HUGE_VAL, "mass is inf kg; must be > 0 and finite");
    kai_mat33 bad = good;
    bad.m[1][2] = nan("");
    check_refused(bad, 1.0, "inertia iyz is nan kg m^2; must be finite");
    bad = good;
    bad.m[0][1] = 0.25;
    check_refused(bad, 1.0, "inertia ixy is 0.25 but iyx is 0 kg m^2; must be equal");
    check_refused(kai_mat33_diagonal(kai_vec3_make(1.0, 0.0, 1.0)), 1.0,
                  "inertia has a principal moment of 0 kg m^2; must be > 0");
    check_refused(kai_mat33_diagonal(kai_vec3_make(1.0, 1.0, -0.5)), 1.0,
                  "inertia has a principal moment of -0.5 kg m^2; must be > 0");
    check_refused(kai_mat33_zero(), 1.0, "inertia has a principal moment of 0 kg m^2; must be > 0");
}

static void test_check_of_random_bodies(void** state)
{
    (void)state;
    kai_error err;
    for (uint64_t i = 0; i < DRAWS; i++) {
        kai_mass_properties p = box(positive(i), kai_vec3_zero());
        const double unit = pow(10.0, 100.0 * helper_random(i));
        p.inertia = kai_mat33_scale(p.inertia, unit);
        const kai_frame turned = {kai_vec3_zero(), helper_random_rotation(i)};
        p = kai_inertia_transform(&p, &turned);
        check_ok(kai_inertia_check(&p.inertia, p.mass, &err));

        // A flat plate is the limit of the triangle rule; beyond it by 1e-8 no real body has it,
        // but it can be integrated.
        kai_vec3 d = kai_vec3_scale(kai_vec3_make(1.0, 2.0, 3.0), unit);
        p.inertia = kai_mat33_diagonal(d);
        p = kai_inertia_transform(&p, &turned);
        check_ok(kai_inertia_check(&p.inertia, 1.0, &err));
        assert_true(kai_inertia_is_physical(&p.inertia));
        d.z *= 1.0 + 1e-8;
        p.inertia = kai_mat33_diagonal(d);
        p = kai_inertia_transform(&p, &turned);
        check_ok(kai_inertia_check(&p.inertia, 1.0, &err));
        assert_false(kai_inertia_is_physical(&p.inertia));

        // A rod without thickness, turned: rounding makes its zero moment ±1e-17.
        p.inertia = kai_mat33_diagonal(kai_vec3_scale(kai_vec3_make(1.0, 1.0, 0.0), unit));
        p = kai_inertia_transform(&p, &turned);
        check_error(kai_inertia_check(&p.inertia, 1.0, &err), KAI_ERROR_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagonal_is_left_alone),
        cmocka_unit_test(test_principal_of_turned_inertias),
        cmocka_unit_test(test_principal_is_near_the_given_axes),
        cmocka_unit_test(test_principal_of_symmetric_matrices),
        cmocka_unit_test(test_parallel_axes),
        cmocka_unit_test(test_halves_of_a_box_make_the_box),
        cmocka_unit_test(test_combine_corner_cases),
        cmocka_unit_test(test_bad_values_are_named),
        cmocka_unit_test(test_check_of_random_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
