// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Convex hulls: invariants and the support function against brute force over all input points,
// mass against closed forms, and every degenerate input.
#include "geometry/hull.h"
#include "helper.h"

static kai_memory memory;

static int start(void** state)
{
    kai_memory_init(&memory, NULL);
    return 0;
}

static kai_hull build(const kai_vec3* points, size_t count)
{
    kai_hull hull;
    kai_error err = {0};
    if (kai_hull_build(&hull, &memory, points, count, &err) != KAI_OK) fail_msg("%s", err.message);
    return hull;
}

static double size_of(const kai_hull* hull)
{
    return kai_vec3_max_abs(kai_vec3_sub(hull->high, hull->low));
}

// Euler's formula, faces counter-clockwise and flat, every input point inside, hill climbing as
// good as trying all. `tolerance` is a share of the size.
static void check_hull(const kai_hull* hull, const kai_vec3* points, size_t count, double tolerance)
{
    const double size = size_of(hull);
    const uint32_t ends = hull->face_first[hull->face_count];
    assert_int_equal(ends % 2, 0);
    assert_int_equal(hull->vertex_count + hull->face_count, ends / 2 + 2);
    assert_int_equal(hull->neighbour_first[hull->vertex_count], ends);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint32_t begin = hull->face_first[f], end = hull->face_first[f + 1];
        const kai_vec3 n = hull->face_normal[f];
        check_near(kai_vec3_norm(n), 1.0, 1e-14, "unit");
        for (uint32_t i = begin; i < end; i++) {
            const kai_vec3 a = hull->vertices[hull->face_vertices[i]];
            const uint32_t after = i + 1 < end ? i + 1 : begin,
                           then = after + 1 < end ? after + 1 : begin;
            const kai_vec3 b = hull->vertices[hull->face_vertices[after]];
            const kai_vec3 c = hull->vertices[hull->face_vertices[then]];
            check_near((kai_vec3_dot(n, a) - hull->face_offset[f]) / size, 0.0, tolerance, "flat");
            const kai_vec3 turn = kai_vec3_cross(kai_vec3_sub(b, a), kai_vec3_sub(c, b));
            assert_true(kai_vec3_dot(turn, n) > -tolerance * size * size);
        }
    }
    for (size_t i = 0; i < count; i++)
        assert_true(kai_hull_height(hull, points[i]) <= tolerance * size);
    uint32_t from = 0;
    for (uint64_t i = 0; i < 500; i++) {
        const kai_vec3 d = helper_random_direction(i);
        double most = -HUGE_VAL;
        for (size_t k = 0; k < count; k++) most = fmax(most, kai_vec3_dot(d, points[k]));
        from = kai_hull_support(hull, d, from);
        check_near((kai_vec3_dot(d, hull->vertices[from]) - most) / size, 0.0, tolerance,
                   "support");
    }
    assert_true(hull->inner_radius > 0.0 && hull->inner_radius <= hull->outer_radius);
}

static void cube(kai_vec3* out, double size, kai_vec3 at, kai_quat q)
{
    for (int i = 0; i < 8; i++) {
        const kai_vec3 c =
            kai_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        out[i] = kai_vec3_mul_add(at, kai_quat_rotate(q, c), size);
    }
}

// Cubes of any size anywhere, turned: six faces of four corners, exact mass.
static void test_cubes(void** state)
{
    const double sizes[] = {1e-9, 1e-3, 1.0, 1e4, 1e9};
    for (size_t s = 0; s < 5; s++)
        for (uint64_t i = 0; i < 40; i++) {
            const double a = sizes[s];
            const kai_vec3 at = kai_vec3_scale(helper_random_vec3(i), 3.0 * a);
            const kai_quat q = i == 0 ? kai_quat_identity() : helper_random_rotation(i);
            kai_vec3 p[8];
            cube(p, a, at, q);
            kai_hull hull = build(p, 8);
            assert_int_equal(hull.vertex_count, 8);
            assert_int_equal(hull.face_count, 6);
            for (int k = 0; k < 8; k++) assert_memory_equal(&p[k], &hull.vertices[k], sizeof p[k]);
            check_hull(&hull, p, 8, 1e-14);
            const kai_mass_properties m = kai_hull_mass(&hull);
            check_relative(m.mass, a * a * a, 1e-14, "a³");
            check_vec3(m.com, at, 1e-14 * a, "middle");
            check_mat33(m.inertia,
                        kai_mat33_diagonal(kai_vec3_scale(kai_vec3_make(1, 1, 1), pow(a, 5) / 6)),
                        1e-14 * pow(a, 5), "a⁵ / 6");
            check_relative(hull.inner_radius, 0.5 * a, 1e-13, "half an edge");
            check_relative(hull.outer_radius, 0.5 * sqrt(3.0) * a, 1e-13, "half a diagonal");
            kai_hull_free(&hull, &memory);
        }
}

// A tetrahedron with corners at the origin and 1, 2, 3 along the axes. Over it ∫ x² = a² V / 10 and
// ∫ x y = a b V / 20; the centre is at a quarter.
static void test_tetrahedron(void** state)
{
    const kai_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    kai_hull hull = build(p, 4);
    check_hull(&hull, p, 4, 1e-15);
    const kai_mass_properties m = kai_hull_mass(&hull);
    check_relative(m.mass, 1.0, 1e-15, "abc / 6");
    check_vec3(m.com, kai_vec3_make(0.25, 0.5, 0.75), 1e-15, "quarter");
    const double xx = 0.1 - 1.0 / 16, yy = 0.4 - 0.25, zz = 0.9 - 9.0 / 16;
    const double xy = 0.1 - 0.125, xz = 0.15 - 3.0 / 16, yz = 0.3 - 0.375;
    const kai_mat33 i = {{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
    check_mat33(m.inertia, i, 1e-15, "moments of a tetrahedron");
    kai_hull_free(&hull, &memory);
}

static double round_to(double x) { return round(2.0 * x) / 2.0; }

// Points in a ball, on a sphere, on a coarse lattice (many coplanar and collinear), doubled.
static void test_random_points(void** state)
{
    enum { N = 600 };
    kai_vec3 p[N];
    for (uint64_t round = 0; round < 60; round++) {
        const size_t count = 4 + (size_t)(round * 10);
        for (size_t i = 0; i < count; i++) {
            kai_vec3 x = helper_random_vec3(1000 * round + i);
            if (round % 4 == 1) x = helper_random_direction(1000 * round + i);
            if (round % 4 == 2) x = kai_vec3_make(round_to(x.x), round_to(x.y), round_to(x.z));
            if (round % 4 == 3 && i % 2 == 1) x = p[i - 1];
            p[i] = x;
        }
        if (count < 12) continue; // doubled ones would be too few
        kai_hull hull = build(p, count);
        // Tiny facets between near points may fall under the noise, a few in a row; a lattice has
        // none.
        check_hull(&hull, p, count, round % 4 == 2 ? 1e-13 : 3.0 * KAI_HULL_NOISE);
        kai_hull_free(&hull, &memory);
    }
}

// Prisms whose corners were rounded to float, and to six decimals: each side is one face all the
// same, and its plane is as near to the corners as the rounding.
static void test_noise(void** state)
{
    for (uint64_t i = 0; i < 100; i++) {
        const int sides = i % 2 ? 4 : 24;
        const bool digits = i / 2 % 2;
        const kai_quat q = helper_random_rotation(i);
        kai_vec3 p[48];
        for (int k = 0; k < 2 * sides; k++) {
            const double a = KAI_PI * (k / 2) / (0.5 * sides);
            const kai_vec3 x = kai_quat_rotate(q, kai_vec3_make(cos(a), sin(a), k % 2 - 0.5));
            p[k] = digits
                       ? kai_vec3_make(round(1e6 * x.x) / 1e6, round(1e6 * x.y) / 1e6,
                                       round(1e6 * x.z) / 1e6)
                       : kai_vec3_make((double)(float)x.x, (double)(float)x.y, (double)(float)x.z);
        }
        kai_hull hull = build(p, 2 * (size_t)sides);
        assert_int_equal(hull.vertex_count, 2 * sides);
        assert_int_equal(hull.face_count, sides + 2);
        check_hull(&hull, p, 2 * (size_t)sides, digits ? 1e-6 : 1e-7);
        kai_hull_free(&hull, &memory);
    }
}

// A lattice of 9³ points is a cube: inner points of faces and edges are no corners.
static void test_lattice(void** state)
{
    kai_vec3 p[729];
    for (int turned = 0; turned < 30; turned++) {
        const kai_quat q = turned ? helper_random_rotation((uint64_t)turned) : kai_quat_identity();
        for (int i = 0; i < 729; i++)
            p[i] = kai_quat_rotate(q, kai_vec3_make(i % 9, i / 9 % 9, i / 81));
        kai_hull hull = build(p, 729);
        check_hull(&hull, p, 729, 1e-13);
        assert_int_equal(hull.vertex_count, 8);
        assert_int_equal(hull.face_count, 6);
        kai_hull_free(&hull, &memory);
    }
}

// Cylinders as hulls: two faces of n corners and n of four.
static void test_prisms(void** state)
{
    for (int n = 3; n <= 128; n *= 2) {
        kai_vec3 p[256];
        for (int i = 0; i < n; i++)
            for (int top = 0; top < 2; top++)
                p[2 * i + top] =
                    kai_vec3_make(cos(2.0 * KAI_PI * i / n), sin(2.0 * KAI_PI * i / n), top);
        kai_hull hull = build(p, 2 * (size_t)n);
        check_hull(&hull, p, 2 * (size_t)n, 1e-13);
        assert_int_equal(hull.vertex_count, 2 * n);
        assert_int_equal(hull.face_count, n + 2);
        check_relative(kai_hull_mass(&hull).mass, 0.5 * n * sin(2.0 * KAI_PI / n), 1e-13,
                       "area of a polygon");
        kai_hull_free(&hull, &memory);
    }
}

// Flat boxes down to the limit have a hull, thinner ones a message.
static void test_thin(void** state)
{
    for (uint64_t i = 0; i < 50; i++)
        for (double thick = 1e-2; thick > 1e-12; thick *= 0.1) {
            const kai_quat q = helper_random_rotation(i);
            kai_vec3 p[8];
            for (int k = 0; k < 8; k++)
                p[k] = kai_quat_rotate(
                    q, kai_vec3_make(k & 1 ? 1 : 0, k & 2 ? 1 : 0, k & 4 ? thick : 0.0));
            kai_hull hull;
            kai_error err = {0};
            const kai_result r = kai_hull_build(&hull, &memory, p, 8, &err);
            if (thick < 0.9e-9) {
                check_error(r, KAI_ERROR_ARGUMENT);
                assert_non_null(strstr(err.message, "lie in one plane"));
            } else if (thick > 2e-9) {
                if (r != KAI_OK) fail_msg("%g: %s", thick, err.message);
                check_hull(&hull, p, 8, 1e-13);
                // Volume carries the rounding of corners over the thickness.
                check_relative(kai_hull_mass(&hull).mass, thick, 1e-13 / thick, "abc");
            }
            kai_hull_free(&hull, &memory);
        }
}

static void refuse(const kai_vec3* p, size_t n, const char* text)
{
    kai_hull hull;
    kai_error err = {0};
    check_error(kai_hull_build(&hull, &memory, p, n, &err), KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, text)) fail_msg("%s: not in: %s", text, err.message);
    assert_null(hull.vertices);
}

static void test_refused(void** state)
{
    kai_vec3 p[20];
    for (int i = 0; i < 20; i++) p[i] = kai_vec3_make(1.0, 2.0, 3.0);
    refuse(p, 0, "hull: 0 points; must be at least 4");
    refuse(p, 3, "hull: 3 points; must be at least 4");
    refuse(p, 20, "hull: all points coincide");
    for (int i = 0; i < 20; i++) p[i] = kai_vec3_make(1.0 + i, 2.0 - 3.0 * i, 3.0 + 0.5 * i);
    refuse(p, 20, "hull: all points lie on one line");
    for (int i = 0; i < 20; i++) p[i] = kai_vec3_make(i % 4, i / 4, 0.3 * (i % 4) + 0.7 * (i / 4));
    refuse(p, 20, "hull: all points lie in one plane");
    p[7].y = (double)NAN;
    refuse(p, 20, "hull: point 7 is [3, nan");
    p[7].y = HUGE_VAL;
    refuse(p, 20, "must be finite");
    for (int i = 0; i < 20; i++) p[i] = kai_vec3_scale(helper_random_vec3((uint64_t)i), 1e-300);
    refuse(p, 20, "must span more than 1e-60");
    for (int i = 0; i < 20; i++) p[i] = kai_vec3_scale(helper_random_vec3((uint64_t)i), 1e300);
    refuse(p, 20, "must span less than 1e60");
}

// Far from the origin: 1 mm at 1e6 m has ten digits left.
static void test_far(void** state)
{
    kai_vec3 p[8];
    cube(p, 1e-3, kai_vec3_make(1e6, -1e6, 1e6), helper_random_rotation(3));
    kai_hull hull = build(p, 8);
    check_relative(kai_hull_mass(&hull).mass, 1e-9, 1e-6, "a³, corners rounded to 1e-10 m");
    assert_int_equal(hull.vertex_count, 8);
    kai_hull_free(&hull, &memory);
}

// Every allocation may fail; nothing is left behind.
static void test_out_of_memory(void** state)
{
    kai_vec3 p[8];
    cube(p, 1.0, kai_vec3_zero(), kai_quat_identity());
    for (uint64_t fail = 1;; fail++) {
        helper_allocator a = {.fail_at = fail};
        const kai_allocator allocator = helper_allocator_make(&a);
        kai_memory m;
        kai_hull hull;
        kai_memory_init(&m, &allocator);
        const kai_result r = kai_hull_build(&hull, &m, p, 8, NULL);
        if (r == KAI_OK) kai_hull_free(&hull, &m);
        assert_int_equal(a.blocks, 0);
        if (r == KAI_OK) break;
        check_error(r, KAI_ERROR_MEMORY);
    }
}

int main(void)
{
#ifndef KAIROS_HAVE_QHULL
    kai_hull hull;
    const kai_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    kai_memory_init(&memory, NULL);
    return kai_hull_build(&hull, &memory, p, 4, NULL) == KAI_ERROR_UNSUPPORTED ? 0 : 1;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubes),         cmocka_unit_test(test_tetrahedron),
        cmocka_unit_test(test_random_points), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_lattice),       cmocka_unit_test(test_prisms),
        cmocka_unit_test(test_thin),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_far),           cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
