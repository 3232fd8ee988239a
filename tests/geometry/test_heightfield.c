// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Height fields: triangles, neighbours and queries against trying every triangle.
#include "geometry/heightfield.h"
#include "helper.h"

static kai_memory memory;

static int start(void** state)
{
    kai_memory_init(&memory, NULL);
    return 0;
}

enum { COLUMNS = 17, ROWS = 11 };

static kai_heightfield hills(double bump)
{
    double h[ROWS * COLUMNS];
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) h[i] = bump * helper_random(i);
    kai_heightfield field;
    check_ok(kai_heightfield_build(&field, &memory, h, COLUMNS, ROWS, 0.5, 0.25, NULL));
    return field;
}

static void test_triangles(void** state)
{
    kai_heightfield field = hills(0.3);
    const uint32_t n = kai_heightfield_triangle_count(&field);
    assert_int_equal(n, 2 * (COLUMNS - 1) * (ROWS - 1));
    check_vec3(field.low, kai_vec3_make(-4.0, -1.25, field.low.z), 0.0, "centred");
    check_vec3(field.high, kai_vec3_make(4.0, 1.25, field.high.z), 0.0, "centred");
    double area = 0.0;
    uint32_t border = 0;
    for (uint32_t t = 0; t < n; t++) {
        kai_vec3 c[3], d[3];
        uint32_t others[3], back[3];
        kai_heightfield_triangle(&field, t, c);
        kai_heightfield_neighbours(&field, t, others);
        const kai_vec3 up = kai_vec3_cross(kai_vec3_sub(c[1], c[0]), kai_vec3_sub(c[2], c[0]));
        assert_true(up.z > 0.0);
        area += 0.5 * up.z;
        for (int k = 0; k < 3; k++) {
            if (others[k] == UINT32_MAX) {
                border++;
                assert_true(kai_heightfield_edge_flags(&field, t) >> k & 1);
                continue;
            }
            // The neighbour has the same edge the other way round.
            kai_heightfield_triangle(&field, others[k], d);
            kai_heightfield_neighbours(&field, others[k], back);
            bool found = false;
            for (int j = 0; j < 3; j++)
                found = found || (back[j] == t && kai_vec3_distance(d[j], c[(k + 1) % 3]) == 0.0 &&
                                  kai_vec3_distance(d[(j + 1) % 3], c[k]) == 0.0);
            assert_true(found);
            // Convex: the far corner of the neighbour lies below this triangle's plane.
            kai_vec3 far = d[0];
            for (int j = 0; j < 3; j++)
                if (kai_vec3_distance(d[j], c[k]) > 0.0 &&
                    kai_vec3_distance(d[j], c[(k + 1) % 3]) > 0.0)
                    far = d[j];
            const bool convex = kai_vec3_dot(up, kai_vec3_sub(far, c[0])) < 0.0;
            assert_int_equal(kai_heightfield_edge_flags(&field, t) >> k & 1, convex);
        }
    }
    check_relative(area, 8.0 * 2.5, 1e-14, "seen from above");
    assert_int_equal(border, 2 * (COLUMNS - 1) + 2 * (ROWS - 1));
    kai_heightfield_free(&field, &memory);
    // A plane has no convex edge but its border.
    field = hills(0.0);
    for (uint32_t t = 0; t < n; t++) {
        uint32_t others[3];
        kai_heightfield_neighbours(&field, t, others);
        for (int k = 0; k < 3; k++)
            assert_int_equal(kai_heightfield_edge_flags(&field, t) >> k & 1,
                             others[k] == UINT32_MAX);
    }
    kai_heightfield_free(&field, &memory);
}

static uint8_t times[2 * COLUMNS * ROWS];

static void see(uint32_t triangle, const kai_vec3 corners[3], void* context)
{
    kai_vec3 c[3];
    kai_heightfield_triangle(context, triangle, c);
    assert_memory_equal(c, corners, sizeof c);
    times[triangle]++;
}

static void test_visit(void** state)
{
    kai_heightfield field = hills(0.3);
    for (uint64_t i = 0; i < 2000; i++) {
        const kai_vec3 u = helper_random_vec3(3 * i), v = helper_random_vec3(3 * i + 1);
        const kai_vec3 at = kai_vec3_make(5.0 * u.x, 2.0 * u.y, 0.5 * u.z);
        const kai_vec3 half = kai_vec3_make(fabs(v.x), 0.3 * fabs(v.y), 0.2 * fabs(v.z));
        const kai_vec3 low = kai_vec3_sub(at, half), high = kai_vec3_add(at, half);
        const bool below = i % 2;
        memset(times, 0, sizeof times);
        kai_heightfield_visit(&field, low, high, below, see, &field);
        for (uint32_t t = 0; t < kai_heightfield_triangle_count(&field); t++) {
            kai_vec3 c[3];
            kai_heightfield_triangle(&field, t, c);
            const kai_vec3 l = kai_vec3_min(c[0], kai_vec3_min(c[1], c[2]));
            const kai_vec3 h = kai_vec3_max(c[0], kai_vec3_max(c[1], c[2]));
            const bool meets = l.x <= high.x && h.x >= low.x && l.y <= high.y && h.y >= low.y &&
                               h.z >= low.z && (below || l.z <= high.z);
            assert_int_equal(times[t], meets);
        }
    }
    kai_heightfield_free(&field, &memory);
}

static double ray_triangle(const kai_vec3 c[3], kai_vec3 o, kai_vec3 d)
{
    const kai_vec3 e = kai_vec3_sub(c[1], c[0]), f = kai_vec3_sub(c[2], c[0]);
    const kai_vec3 p = kai_vec3_cross(d, f), s = kai_vec3_sub(o, c[0]);
    const double det = kai_vec3_dot(e, p);
    if (det == 0.0) return HUGE_VAL;
    const kai_vec3 q = kai_vec3_cross(s, e);
    const double u = kai_vec3_dot(s, p) / det, v = kai_vec3_dot(d, q) / det;
    const double t = kai_vec3_dot(f, q) / det;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 ? t : HUGE_VAL;
}

static void test_ray(void** state)
{
    kai_heightfield field = hills(0.3);
    for (uint64_t i = 0; i < 3000; i++) {
        const kai_vec3 u = helper_random_vec3(5 * i);
        const kai_vec3 at = kai_vec3_make(6.0 * u.x, 3.0 * u.y, u.z);
        kai_vec3 d = helper_random_direction(i);
        if (i % 3 == 0) d.z *= 0.1; // along the ground
        if (i % 10 == 0) d = kai_vec3_make(0.0, 0.0, -1.0);
        if (i % 10 == 1) d = kai_vec3_make(1.0, 0.0, 0.0);
        double first = HUGE_VAL;
        for (uint32_t t = 0; t < kai_heightfield_triangle_count(&field); t++) {
            kai_vec3 c[3];
            kai_heightfield_triangle(&field, t, c);
            first = fmin(first, ray_triangle(c, at, d));
        }
        const kai_heightfield_hit hit = kai_heightfield_ray(&field, at, d, HUGE_VAL);
        if (first == HUGE_VAL)
            assert_int_equal(hit.triangle, UINT32_MAX);
        else
            check_near(hit.distance, first, 1e-7, "all triangles, rim of 1e-9 cells");
    }
    kai_heightfield_free(&field, &memory);
}

// Heights between points, and rays straight down onto points and edges of the grid.
static void test_height(void** state)
{
    kai_heightfield field = hills(0.3);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            const kai_vec3 p = kai_heightfield_point(&field, row, column);
            check_near(kai_heightfield_height(&field, p.x, p.y), p.z, 1e-15, "a point of the grid");
            const kai_vec3 above = kai_vec3_make(p.x, p.y, 10.0);
            const kai_heightfield_hit hit =
                kai_heightfield_ray(&field, above, kai_vec3_make(0.0, 0.0, -2.0), 100.0);
            check_near(hit.distance, 0.5 * (10.0 - p.z), 1e-14, "straight down");
        }
    for (uint32_t t = 0; t < kai_heightfield_triangle_count(&field); t++) {
        kai_vec3 c[3];
        kai_heightfield_triangle(&field, t, c);
        const kai_vec3 x = kai_vec3_scale(kai_vec3_add(c[0], kai_vec3_add(c[1], c[2])), 1.0 / 3.0);
        check_near(kai_heightfield_height(&field, x.x, x.y), x.z, 1e-14, "middle of a triangle");
    }
    assert_true(isnan(kai_heightfield_height(&field, 4.001, 0.0)));
    assert_true(isnan(kai_heightfield_height(&field, 0.0, -1.26)));
    kai_heightfield_free(&field, &memory);
    assert_int_equal(memory.bytes, 0);
}

static void test_refused(void** state)
{
    const double h[4] = {0.0, 1.0, (double)NAN, 2.0};
    kai_heightfield field;
    kai_error err = {0};
    check_error(kai_heightfield_build(&field, &memory, h, 2, 1, 1.0, 1.0, &err),
                KAI_ERROR_ARGUMENT);
    check_error(kai_heightfield_build(&field, &memory, h, 2, 2, 1.0, 0.0, &err),
                KAI_ERROR_ARGUMENT);
    check_error(kai_heightfield_build(&field, &memory, h, 2, 2, 1.0, 1.0, &err),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "row 1, column 0 is nan"));
    assert_null(field.heights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles), cmocka_unit_test(test_visit),
        cmocka_unit_test(test_ray),       cmocka_unit_test(test_height),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
