// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Convex decomposition: parts cover the solid, do not overlap, and stay within the concavity that
// was asked for, measured here by points at random that know nothing of how parts were found.
#include "geometry/decompose.h"
#include "geometry/meshes.h"

static kai_memory memory;

static int start(void** state)
{
    kai_memory_init(&memory, NULL);
    return 0;
}

// A polygon over x and y, counter-clockwise, drawn out along z from 0 to h. `caps` triangles of
// corners close it.
static soup prism(const double (*ring)[2], uint32_t n, const uint32_t (*caps)[3], uint32_t m,
                  double h)
{
    soup s = soup_make(2 * n, 2 * n + 2 * m);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < n; i++) soup_point(&s, ring[i][0], ring[i][1], k ? h : 0.0);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = (i + 1) % n;
        soup_quad(&s, i, j, n + j, n + i);
    }
    for (uint32_t i = 0; i < m; i++) {
        soup_triangle(&s, caps[i][0], caps[i][2], caps[i][1]);
        soup_triangle(&s, n + caps[i][0], n + caps[i][1], n + caps[i][2]);
    }
    return s;
}

// A profile of r and z, counter-clockwise, that starts and ends on the axis, turned about z.
static soup lathe(const double (*profile)[2], uint32_t n, uint32_t around)
{
    soup s = soup_make(2 + (n - 2) * (size_t)around, 2 * n * (size_t)around);
    for (uint32_t i = 1; i + 1 < n; i++)
        for (uint32_t k = 0; k < around; k++) {
            const double a = 2.0 * KAI_PI * k / around;
            soup_point(&s, profile[i][0] * cos(a), profile[i][0] * sin(a), profile[i][1]);
        }
    const uint32_t first = soup_point(&s, 0.0, 0.0, profile[0][1]);
    const uint32_t last = soup_point(&s, 0.0, 0.0, profile[n - 1][1]);
    for (uint32_t k = 0; k < around; k++) {
        const uint32_t j = (k + 1) % around;
        soup_triangle(&s, first, j, k);
        soup_triangle(&s, last, (n - 3) * around + k, (n - 3) * around + j);
        for (uint32_t i = 0; i + 3 < n; i++)
            soup_quad(&s, i * around + k, i * around + j, (i + 1) * around + j,
                      (i + 1) * around + k);
    }
    return s;
}

static bool is_inside(const kai_mesh* mesh, kai_vec3 x)
{
    // Crossings of a ray in a direction of no meaning.
    const kai_vec3 d = kai_vec3_make(0.3457, 0.7613, 0.5483);
    int crossings = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        kai_vec3 c[3];
        kai_mesh_corners(mesh, t, c);
        const kai_vec3 e = kai_vec3_sub(c[1], c[0]), f = kai_vec3_sub(c[2], c[0]);
        const kai_vec3 p = kai_vec3_cross(d, f), s = kai_vec3_sub(x, c[0]);
        const double det = kai_vec3_dot(e, p);
        if (det == 0.0) continue;
        const kai_vec3 q = kai_vec3_cross(s, e);
        const double u = kai_vec3_dot(s, p) / det, v = kai_vec3_dot(d, q) / det;
        crossings += u >= 0.0 && v >= 0.0 && u + v <= 1.0 && kai_vec3_dot(f, q) / det > 0.0;
    }
    return crossings % 2;
}

// How far outside the nearest part a point lies, and in how many parts it lies.
static double outside_all(const kai_decompose_result* r, kai_vec3 x, double size, int* in)
{
    double least = HUGE_VAL;
    *in = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const double h = kai_hull_height(&r->parts[i], x);
        least = fmin(least, h);
        *in += h < -1e-9 * size;
    }
    return least;
}

static kai_decompose_result check_parts(const kai_mesh* mesh, double bound)
{
    kai_decompose_result r;
    kai_error err = {0};
    if (kai_decompose(mesh, &memory, bound, &r, &err) != KAI_OK) fail_msg("%s", err.message);
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
    double volume = 0.0;
    assert_true(r.concavity <= bound);
    for (uint32_t i = 0; i < r.count; i++) volume += kai_hull_mass(&r.parts[i]).mass;
    check_relative(volume, mesh->report.volume * (1.0 + r.volume_error), 1e-12, "sum of parts");
    // Nothing of the solid is lost but what hulls take for noise, over all their faces.
    assert_true(r.volume_error > -10.0 * KAI_HULL_NOISE);
    const kai_vec3 middle = kai_vec3_lerp(mesh->low, mesh->high, 0.5);
    const kai_vec3 half = kai_vec3_scale(kai_vec3_sub(mesh->high, mesh->low), 0.5);
    for (uint64_t i = 0; i < 3000; i++) {
        const kai_vec3 u = helper_random_vec3(i);
        const kai_vec3 x =
            kai_vec3_add(middle, kai_vec3_make(u.x * half.x, u.y * half.y, u.z * half.z));
        int in;
        const double outside = outside_all(&r, x, size, &in);
        assert_true(in <= 1);
        if (is_inside(mesh, x))
            assert_true(outside <= 3.0 * KAI_HULL_NOISE * size); // covered
        else if (in == 1)
            assert_true(kai_mesh_nearest(mesh, x, HUGE_VAL, NULL) <= bound); // not far out
    }
    return r;
}

// Two boxes: the cut along a face of the inner edge is exact.
static void test_l_shape(void** state)
{
    const double ring[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    const uint32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    soup s = prism(ring, 6, caps, 4, 0.5);
    kai_mesh mesh = soup_build(&s, &memory);
    check_ok(kai_mesh_check_solid(&mesh, NULL));
    check_relative(mesh.report.volume, 2.0, 1e-14, "4 squares, 0.5 high");
    kai_decompose_result r = check_parts(&mesh, 0.01);
    assert_int_equal(r.count, 2);
    check_near(r.volume_error, 0.0, 1e-9, "exact");
    // A concavity of 1e-3 of the size or less: what the search leaves open.
    assert_true(r.concavity <= 0.25 * 0.01);
    kai_decompose_free(&r, &memory);
    // With a generous bound it stays one: the slanted face of its hull, y = 1 + (3 - x) / 2, is
    // farthest from the solid where y - 1 = x - 1: at x = 5/3, by 2/3.
    r = check_parts(&mesh, 0.7);
    assert_int_equal(r.count, 1);
    assert_true(r.concavity >= 2.0 / 3.0 && r.concavity <= 0.7);
    check_relative(r.volume_error, 1.25 - 1.0, 1e-9, "hull of the L: 5 squares of 6, less 1");
    kai_decompose_free(&r, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
    assert_int_equal(memory.bytes, 0);
}

static void test_convex_stays_whole(void** state)
{
    soup s = soup_make(8, 12);
    soup_box(&s, kai_vec3_zero(), kai_vec3_make(1, 2, 3));
    kai_mesh mesh = soup_build(&s, &memory);
    kai_decompose_result r = check_parts(&mesh, 0.001);
    assert_int_equal(r.count, 1);
    check_near(r.volume_error, 0.0, 1e-14, "a box");
    kai_decompose_free(&r, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

// Parts of a torus within a fiftieth of its size; a looser bound gives fewer, and more volume.
static void test_torus(void** state)
{
    soup s = soup_torus(1.0, 0.3, 24);
    kai_mesh mesh = soup_build(&s, &memory);
    kai_decompose_result fine = check_parts(&mesh, 0.05), coarse = check_parts(&mesh, 0.15);
    print_message("torus: %u parts, concavity %.4f, volume %+.2f %%; %u, %.4f, %+.2f %%\n",
                  fine.count, fine.concavity, 100.0 * fine.volume_error, coarse.count,
                  coarse.concavity, 100.0 * coarse.volume_error);
    assert_true(coarse.count < fine.count && fine.count <= 24);
    // No more than a layer as thick as the bound: 4 π² R r · 0.05 over 2 π² R r².
    assert_true(fine.volume_error < 2.0 * 0.05 / 0.3);
    assert_true(fine.volume_error < coarse.volume_error);
    kai_decompose_free(&fine, &memory);
    kai_decompose_free(&coarse, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void test_bowl(void** state)
{
    double profile[18][2];
    for (int i = 0; i < 9; i++) {
        const double a = 0.5 * KAI_PI * i / 8.0;
        profile[i][0] = sin(a), profile[i][1] = -cos(a);
        profile[17 - i][0] = 0.85 * sin(a), profile[17 - i][1] = -0.85 * cos(a);
    }
    soup s = lathe((const double(*)[2])profile, 18, 24);
    kai_mesh mesh = soup_build(&s, &memory);
    kai_error err = {0};
    if (kai_mesh_check_solid(&mesh, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_decompose_result r = check_parts(&mesh, 0.1);
    print_message("bowl: %u parts, concavity %.4f, volume %+.2f %%\n", r.count, r.concavity,
                  100.0 * r.volume_error);
    assert_true(r.count >= 6 && r.count <= 64);
    kai_decompose_free(&r, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

// A cup whose wall is about as thick as the bound: parts follow the wall. Planes lie in faces of
// its bottom, and corners of cells on them: nothing may be lost there.
static void test_cup(void** state)
{
    soup s = soup_cup(1.0, 1.0, 0.06, 16);
    kai_mesh mesh = soup_build(&s, &memory);
    kai_error err = {0};
    if (kai_mesh_check_solid(&mesh, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_decompose_result r = check_parts(&mesh, 0.08);
    print_message("cup: %u parts, concavity %.4f, volume %+.2f %%\n", r.count, r.concavity,
                  100.0 * r.volume_error);
    // Walls bend by a fifth of their width at most, of which 2/3 are filled; the search leaves a
    // quarter of the bound open.
    assert_true(r.count >= 17 && r.count <= 64);
    assert_true(r.concavity <= 0.26 * 0.08);
    assert_true(r.volume_error < 0.15);
    // Points of wall and bottom: 3,000 of the box around it hit few.
    for (uint64_t i = 0; i < 3000; i++) {
        const double a = KAI_PI * helper_random(3 * i), t = 0.5 + 0.5 * helper_random(3 * i + 1);
        const double z = 0.5 + 0.5 * helper_random(3 * i + 2), c = cos(KAI_PI / 16.0);
        const double radius = z < 0.06 || i % 3 == 0 ? t * c : 0.94 + t * (c - 0.94);
        const kai_vec3 x = kai_vec3_make(radius * cos(a), radius * sin(a), i % 3 ? z : 0.06 * z);
        int in;
        if (is_inside(&mesh, x)) assert_true(outside_all(&r, x, 2.0, &in) <= 1e-9);
    }
    kai_decompose_free(&r, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

// A plate with a square hole: its walls lie near the faces of the plate, the hole is wide.
static void test_hole_is_kept(void** state)
{
    soup s = soup_make(16, 32);
    const double x[4] = {-1, -0.5, 0.5, 1};
    uint32_t p[2][4][4] = {{{0}}};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 4; j++)
                if ((i % 3 == 0) == (j % 3 == 0)) p[k][i][j] = soup_point(&s, x[i], x[j], 0.1 * k);
    for (uint32_t k = 0; k < 2; k++) { // four trapezoids a side
        const uint32_t o[4] = {p[k][0][0], p[k][3][0], p[k][3][3], p[k][0][3]};
        const uint32_t h[4] = {p[k][1][1], p[k][2][1], p[k][2][2], p[k][1][2]};
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t j = (i + 1) % 4;
            if (k)
                soup_quad(&s, o[i], o[j], h[j], h[i]);
            else
                soup_quad(&s, h[i], h[j], o[j], o[i]);
        }
    }
    const uint32_t o[4][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}},
                   h[4][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t j = (i + 1) % 4;
        soup_quad(&s, p[0][o[i][0]][o[i][1]], p[0][o[j][0]][o[j][1]], p[1][o[j][0]][o[j][1]],
                  p[1][o[i][0]][o[i][1]]);
        soup_quad(&s, p[0][h[j][0]][h[j][1]], p[0][h[i][0]][h[i][1]], p[1][h[i][0]][h[i][1]],
                  p[1][h[j][0]][h[j][1]]);
    }
    kai_mesh mesh = soup_build(&s, &memory);
    kai_error err = {0};
    if (kai_mesh_check_solid(&mesh, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_decompose_result r = check_parts(&mesh, 0.1);
    assert_int_equal(r.count, 4);
    check_near(r.volume_error, 0.0, 1e-9, "four bars");
    kai_decompose_free(&r, &memory);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void test_refused(void** state)
{
    soup s = soup_make(8, 12);
    soup_box(&s, kai_vec3_zero(), kai_vec3_make(1, 1, 1));
    kai_mesh mesh = soup_build(&s, &memory);
    kai_decompose_result r;
    check_error(kai_decompose(&mesh, &memory, 1e-5, &r, NULL), KAI_ERROR_ARGUMENT);
    kai_mesh_free(&mesh, &memory);
    s.triangle_count--;
    mesh = soup_build(&s, &memory);
    check_error(kai_decompose(&mesh, &memory, 0.1, &r, NULL), KAI_ERROR_ARGUMENT);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
#ifndef KAIROS_HAVE_QHULL
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_l_shape), cmocka_unit_test(test_convex_stays_whole),
        cmocka_unit_test(test_torus),   cmocka_unit_test(test_bowl),
        cmocka_unit_test(test_cup),     cmocka_unit_test(test_hole_is_kept),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
