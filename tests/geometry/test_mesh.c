// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Triangle meshes: mass against closed forms, repair, adjacency, and the tree against all
// triangles.
#include "geometry/mesh.h"
#include "geometry/meshes.h"
#include "geometry/triangle.h"

static kai_memory memory;

static int start(void** state)
{
    kai_memory_init(&memory, NULL);
    return 0;
}

// Mass -------------------------------------------------------------------------------------------

static void test_box(void** state)
{
    for (double scale = 1e-9; scale < 1e10; scale *= 1e9) {
        soup s = soup_make(8, 12);
        soup_box(&s, kai_vec3_scale(kai_vec3_make(1, 2, 3), scale),
                 kai_vec3_scale(kai_vec3_make(2, 4, 6), scale));
        kai_mesh mesh = soup_build(&s, &memory);
        assert_true(mesh.closed);
        check_ok(kai_mesh_check_solid(&mesh, NULL));
        const kai_mass_properties m = kai_mesh_mass(&mesh);
        check_relative(m.mass, 6.0 * pow(scale, 3), 1e-14, "abc");
        check_vec3(m.com, kai_vec3_scale(kai_vec3_make(1.5, 3, 4.5), scale), 1e-14 * scale,
                   "middle");
        check_mat33(m.inertia,
                    kai_mat33_diagonal(kai_vec3_scale(kai_vec3_make(6.5, 5, 2.5), pow(scale, 5))),
                    1e-13 * pow(scale, 5), "m (b² + c²) / 12");
        kai_mesh_free(&mesh, &memory);
        soup_free(&s);
    }
    assert_int_equal(memory.bytes, 0);
}

// The error of an inscribed mesh falls with the square of its edges: from n to 2 n by 4. The next
// term is of order 4, so the ratio is within 4 ± 8 / n² × a few.
static void check_order(double coarse, double fine, double exact)
{
    const double ratio = (coarse - exact) / (fine - exact);
    check_near(ratio, 4.0, 0.02, "second order");
}

static void test_sphere_converges(void** state)
{
    double mass[2], inertia[2];
    for (uint32_t k = 0; k < 2; k++) {
        soup s = soup_sphere(2.0, 64u << k);
        kai_mesh mesh = soup_build(&s, &memory);
        check_ok(kai_mesh_check_solid(&mesh, NULL));
        const kai_mass_properties m = kai_mesh_mass(&mesh);
        mass[k] = m.mass;
        inertia[k] = m.inertia.m[2][2];
        check_vec3(m.com, kai_vec3_zero(), 1e-13, "symmetry");
        kai_mesh_free(&mesh, &memory);
        soup_free(&s);
    }
    check_order(mass[0], mass[1], 32.0 * KAI_PI / 3.0);
    check_order(inertia[0], inertia[1], 256.0 * KAI_PI / 15.0);
}

// V = 2 π² R r², I_z = m (R² + 3/4 r²), I_x = m (4 R² + 5 r²) / 8.
static void test_torus_converges(void** state)
{
    const double R = 1.0, r = 0.4, V = 2.0 * KAI_PI * KAI_PI * R * r * r;
    double mass[2], iz[2], ix[2];
    for (uint32_t k = 0; k < 2; k++) {
        soup s = soup_torus(R, r, 96u << k);
        kai_mesh mesh = soup_build(&s, &memory);
        check_ok(kai_mesh_check_solid(&mesh, NULL));
        const kai_mass_properties m = kai_mesh_mass(&mesh);
        mass[k] = m.mass;
        ix[k] = m.inertia.m[0][0];
        iz[k] = m.inertia.m[2][2];
        kai_mesh_free(&mesh, &memory);
        soup_free(&s);
    }
    check_order(mass[0], mass[1], V);
    check_order(iz[0], iz[1], V * (R * R + 0.75 * r * r));
    check_order(ix[0], ix[1], V * (4.0 * R * R + 5.0 * r * r) / 8.0);
    check_relative(mass[1], V, 5e-3, "2 π² R r², 96 by 192");
}

// Structure --------------------------------------------------------------------------------------

// Neighbours are mutual, and share the two ends of the edge.
static void check_adjacency(const kai_mesh* mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t other = mesh->neighbours[t][k];
            if (other == KAI_MESH_NONE) continue;
            const uint32_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
            bool back = false;
            for (int j = 0; j < 3; j++)
                back = back || (mesh->neighbours[other][j] == t && mesh->triangles[other][j] == b &&
                                mesh->triangles[other][(j + 1) % 3] == a);
            assert_true(back);
        }
}

// Triangle soup as in an STL file: every corner of its own.
static void test_weld(void** state)
{
    soup s = soup_torus(1.0, 0.3, 24);
    soup loose = soup_make(3 * s.triangle_count, s.triangle_count);
    for (size_t t = 0; t < s.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const kai_vec3 x = s.points[s.triangles[t][k]];
            soup_point(&loose, x.x, x.y, x.z);
        }
        soup_triangle(&loose, (uint32_t)(3 * t), (uint32_t)(3 * t + 1), (uint32_t)(3 * t + 2));
    }
    kai_mesh mesh = soup_build(&loose, &memory);
    assert_int_equal(mesh.vertex_count, s.point_count);
    assert_int_equal(mesh.report.welded, loose.point_count - s.point_count);
    assert_true(mesh.closed);
    check_adjacency(&mesh);
    kai_mesh_free(&mesh, &memory);
    // Corners that lie a little apart become one with a tolerance only.
    for (size_t i = 0; i < loose.point_count; i++)
        loose.points[i] = kai_vec3_mul_add(loose.points[i], helper_random_vec3(i), 1e-8);
    mesh = soup_build(&loose, &memory);
    assert_false(mesh.closed);
    kai_mesh_free(&mesh, &memory);
    check_ok(kai_mesh_build(&mesh, &memory, loose.points, loose.point_count,
                            (const uint32_t(*)[3])loose.triangles, loose.triangle_count, 1e-6,
                            NULL));
    assert_true(mesh.closed);
    assert_int_equal(mesh.vertex_count, s.point_count);
    kai_mesh_free(&mesh, &memory);
    soup_free(&loose);
    soup_free(&s);
}

// All twelve edges of a box are convex, the diagonals of its faces are not; on the L the inner edge
// is concave.
static void test_edge_flags(void** state)
{
    soup s = soup_make(8, 12);
    soup_box(&s, kai_vec3_zero(), kai_vec3_make(1, 1, 1));
    kai_mesh mesh = soup_build(&s, &memory);
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const double length = kai_vec3_distance(mesh.vertices[mesh.triangles[t][k]],
                                                    mesh.vertices[mesh.triangles[t][(k + 1) % 3]]);
            assert_int_equal(mesh.edge_flags[t] >> k & 1, length < 1.1);
        }
    kai_mesh_free(&mesh, &memory);
    // The same seen from inside: no edge is convex.
    for (size_t t = 0; t < s.triangle_count; t++) {
        const uint32_t a = s.triangles[t][0];
        s.triangles[t][0] = s.triangles[t][1];
        s.triangles[t][1] = a;
    }
    mesh = soup_build(&s, &memory);
    size_t owned = 0; // every vertex has one corner of its own
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        assert_int_equal(mesh.edge_flags[t] & 7, 0);
        for (int k = 0; k < 3; k++) owned += (mesh.edge_flags[t] & KAI_MESH_OWN_CORNER << k) != 0;
    }
    assert_int_equal(owned, mesh.vertex_count);
    kai_error err = {0};
    check_error(kai_mesh_check_solid(&mesh, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "inside out"));
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void check_not_solid(const soup* s, uint32_t open, uint32_t crowded, uint32_t opposed,
                            uint32_t triangle)
{
    kai_mesh mesh = soup_build(s, &memory);
    kai_error err = {0};
    assert_false(mesh.closed);
    assert_int_equal(mesh.report.open, open);
    assert_int_equal(mesh.report.crowded, crowded);
    assert_int_equal(mesh.report.opposed, opposed);
    assert_int_equal(mesh.report.triangle, triangle);
    check_error(kai_mesh_check_solid(&mesh, &err), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "bounds no volume"));
    check_adjacency(&mesh);
    kai_mesh_free(&mesh, &memory);
}

static void test_not_solid(void** state)
{
    soup s = soup_make(9, 14);
    soup_box(&s, kai_vec3_zero(), kai_vec3_make(1, 1, 1));
    s.triangle_count = 11; // the last one is missing: p1 p7 p5; triangle 2 is p4 p5 p7
    check_not_solid(&s, 3, 0, 0, 2);
    s.triangle_count = 12;
    const uint32_t a = s.triangles[5][0];
    s.triangles[5][0] = s.triangles[5][1];
    s.triangles[5][1] = a;
    check_not_solid(&s, 0, 0, 3, 2);
    s.triangles[5][1] = s.triangles[5][0];
    s.triangles[5][0] = a;
    const uint32_t fin = soup_point(&s, 2, 2, 2); // a fin on an edge
    soup_triangle(&s, s.triangles[0][0], s.triangles[0][1], fin);
    check_not_solid(&s, 2, 1, 0, 0);
    soup_free(&s);
}

// A point in the middle of an edge of one side only, closed by a triangle without area: the mesh
// stays closed and no such triangle is left.
static void test_thin_triangles(void** state)
{
    soup s = soup_make(9, 15);
    soup_box(&s, kai_vec3_zero(), kai_vec3_make(1, 1, 1));
    // Triangle 0 is p0 p2 p3: cut it at the middle of p0 p2.
    const uint32_t a = s.triangles[0][0], b = s.triangles[0][1], c = s.triangles[0][2];
    const kai_vec3 x = kai_vec3_lerp(s.points[a], s.points[b], 0.5);
    const uint32_t m = soup_point(&s, x.x, x.y, x.z);
    s.triangles[0][1] = m;
    soup_triangle(&s, m, b, c);
    soup_triangle(&s, a, b, m);
    soup_triangle(&s, a, a, b);
    kai_mesh mesh = soup_build(&s, &memory);
    assert_true(mesh.closed);
    assert_int_equal(mesh.report.degenerate, 2);
    assert_int_equal(mesh.report.flipped, 1);
    assert_int_equal(mesh.triangle_count, 14);
    check_relative(kai_mesh_mass(&mesh).mass, 1.0, 1e-15, "cube");
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void refuse(const soup* s, const char* text)
{
    kai_mesh mesh;
    kai_error err = {0};
    check_error(kai_mesh_build(&mesh, &memory, s->points, s->point_count,
                               (const uint32_t(*)[3])s->triangles, s->triangle_count, 0.0, &err),
                KAI_ERROR_ARGUMENT);
    if (!strstr(err.message, text)) fail_msg("%s: not in: %s", text, err.message);
    assert_null(mesh.vertices);
}

static void test_refused(void** state)
{
    soup s = soup_make(4, 4);
    refuse(&s, "needs at least one triangle");
    for (int i = 0; i < 4; i++) soup_point(&s, i, 2.0 * i, 3.0 * i);
    soup_triangle(&s, 0, 1, 2);
    refuse(&s, "none of its 1 triangles has an area");
    soup_triangle(&s, 0, 1, 4);
    refuse(&s, "mesh: triangle 1 has vertex 4; there are 4");
    s.points[2].z = (double)NAN;
    refuse(&s, "mesh: vertex 2 is [2, 4, nan]");
    soup_free(&s);
}

// The tree ---------------------------------------------------------------------------------------

typedef struct seen {
    uint8_t* times;
} seen;

static void see(uint32_t triangle, void* context) { ((seen*)context)->times[triangle]++; }

static bool box_meets(const kai_mesh* mesh, uint32_t t, kai_vec3 low, kai_vec3 high)
{
    kai_vec3 c[3];
    kai_mesh_corners(mesh, t, c);
    for (int k = 0; k < 3; k++) {
        double l = HUGE_VAL, h = -HUGE_VAL;
        for (int i = 0; i < 3; i++) {
            l = fmin(l, kai_vec3_get(c[i], k));
            h = fmax(h, kai_vec3_get(c[i], k));
        }
        if (l > kai_vec3_get(high, k) || h < kai_vec3_get(low, k)) return false;
    }
    return true;
}

// Moller and Trumbore's test, with closed edges.
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

static void check_tree(const kai_mesh* mesh, uint64_t rounds)
{
    seen s = {calloc(mesh->triangle_count, 1)};
    const kai_vec3 middle = kai_vec3_lerp(mesh->low, mesh->high, 0.5);
    const double size = kai_vec3_max_abs(kai_vec3_sub(mesh->high, mesh->low));
    for (uint64_t i = 0; i < rounds; i++) {
        const kai_vec3 at = kai_vec3_mul_add(middle, helper_random_vec3(7 * i), 0.6 * size);
        const double half = size * pow(10.0, -3.0 * fabs(helper_random(i)));
        const kai_vec3 low = kai_vec3_sub(at, kai_vec3_make(half, half, half));
        const kai_vec3 high = kai_vec3_add(at, kai_vec3_make(half, half, half));
        memset(s.times, 0, mesh->triangle_count);
        kai_mesh_visit(mesh, low, high, see, &s);
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            assert_int_equal(s.times[t], box_meets(mesh, t, low, high));
        // A ray, and the nearest point.
        const kai_vec3 d = helper_random_direction(i);
        double first = HUGE_VAL, nearest = HUGE_VAL;
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            kai_vec3 c[3];
            kai_mesh_corners(mesh, t, c);
            first = fmin(first, ray_triangle(c, at, d));
            const kai_vec3 x = kai_triangle_nearest(c[0], c[1], c[2], at);
            nearest = fmin(nearest, kai_vec3_distance(x, at));
        }
        const kai_mesh_hit hit = kai_mesh_ray(mesh, at, d, HUGE_VAL);
        if (first == HUGE_VAL)
            assert_int_equal(hit.triangle, KAI_MESH_NONE);
        else
            check_near(hit.distance / size, first / size, 1e-9, "all triangles");
        if (hit.triangle != KAI_MESH_NONE) {
            kai_vec3 c[3];
            kai_mesh_corners(mesh, hit.triangle, c);
            const kai_vec3 x = kai_vec3_add(
                kai_vec3_scale(c[0], 1.0 - hit.u - hit.v),
                kai_vec3_add(kai_vec3_scale(c[1], hit.u), kai_vec3_scale(c[2], hit.v)));
            check_vec3(x, kai_vec3_mul_add(at, d, hit.distance),
                       1e-9 * size + 1e-15 * kai_vec3_max_abs(at), "u and v, coordinates rounded");
            assert_int_equal(kai_mesh_ray(mesh, at, d, 0.999 * hit.distance).triangle,
                             KAI_MESH_NONE);
        }
        check_near(kai_mesh_nearest(mesh, at, HUGE_VAL, NULL) / size, nearest / size, 1e-15, "all");
    }
    free(s.times);
}

static void test_tree(void** state)
{
    soup s = soup_torus(1.0, 0.4, 60);
    kai_mesh mesh = soup_build(&s, &memory);
    check_tree(&mesh, 300);
    assert_true(mesh.node_count < mesh.triangle_count);
    kai_mesh_free(&mesh, &memory);
    // Far away: the boxes are floats about the middle, so they stay tight.
    for (size_t i = 0; i < s.point_count; i++)
        s.points[i] =
            kai_vec3_add(kai_vec3_scale(s.points[i], 1e-3), kai_vec3_make(1e6, 2e6, -1e6));
    mesh = soup_build(&s, &memory);
    check_tree(&mesh, 50);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
    s = soup_random(2000, 0.2);
    mesh = soup_build(&s, &memory);
    check_tree(&mesh, 200);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

// Many triangles on one spot, and sizes over 200 octaves: the depth has a bound, all are found.
static void test_tree_degenerate(void** state)
{
    soup s = soup_make(3 * 600, 600);
    for (uint32_t i = 0; i < 600; i++) {
        const double a = i < 300 ? 1.0 : ldexp(1.0, -(int)(i - 300) / 3);
        const double x = i < 300 ? 0.0 : 4.0 * a;
        soup_point(&s, x, 0, 0), soup_point(&s, x + a, 0, 0), soup_point(&s, x, a, 0.1 * a);
        soup_triangle(&s, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    kai_mesh mesh = soup_build(&s, &memory);
    check_tree(&mesh, 100);
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

// Rays from the middle of a closed mesh through its vertices and edges never get out.
static void test_watertight_rays(void** state)
{
    soup s = soup_sphere(1.0, 32);
    kai_mesh mesh = soup_build(&s, &memory);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        kai_vec3 c[3];
        kai_mesh_corners(&mesh, t, c);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i <= 4; i++) {
                const kai_vec3 from = kai_vec3_scale(helper_random_vec3(t), 0.3);
                const kai_vec3 x = kai_vec3_lerp(c[k], c[(k + 1) % 3], 0.25 * i);
                const kai_mesh_hit hit = kai_mesh_ray(&mesh, from, kai_vec3_sub(x, from), 2.0);
                check_near(hit.distance, 1.0, 1e-12, "through the edge");
            }
    }
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
}

static void test_out_of_memory(void** state)
{
    soup s = soup_torus(1.0, 0.4, 12);
    for (uint64_t fail = 1;; fail++) {
        helper_allocator a = {.fail_at = fail};
        const kai_allocator allocator = helper_allocator_make(&a);
        kai_memory m;
        kai_mesh mesh;
        kai_memory_init(&m, &allocator);
        const kai_result r =
            kai_mesh_build(&mesh, &m, s.points, s.point_count, (const uint32_t(*)[3])s.triangles,
                           s.triangle_count, 0.0, NULL);
        if (r == KAI_OK) kai_mesh_free(&mesh, &m);
        assert_int_equal(a.blocks, 0);
        if (r == KAI_OK) break;
        check_error(r, KAI_ERROR_MEMORY);
    }
    soup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_sphere_converges),
        cmocka_unit_test(test_torus_converges),
        cmocka_unit_test(test_weld),
        cmocka_unit_test(test_edge_flags),
        cmocka_unit_test(test_not_solid),
        cmocka_unit_test(test_thin_triangles),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_tree_degenerate),
        cmocka_unit_test(test_watertight_rays),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
