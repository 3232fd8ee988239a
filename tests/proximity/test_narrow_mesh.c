// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Convex shapes on triangle meshes and height fields: no bumps at inner edges, nothing lost, solid
// inside.
#include "reference.h"

#include "base/memory.h"
#include "geometry/heightfield.h"
#include "geometry/mesh.h"

enum { SIDE = 21 };

static const kai_frame HOME = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

typedef struct fixture {
    kai_memory memory;
    kai_mesh mesh;
    kai_heightfield field;
    kai_hull hull;
} fixture;

/// A grid over [-1, 1]², z from a function, diagonals to either side at random.
static void build_grid(fixture* f, double (*height)(double x, double y), bool twisted)
{
    static kai_vec3 points[SIDE * SIDE];
    static uint32_t triangles[2 * SIDE * SIDE][3];
    static double heights[SIDE * SIDE];
    size_t count = 0;
    memset(f, 0, sizeof *f);
    kai_memory_init(&f->memory, NULL);
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t k = 0; k < SIDE; k++) {
            double x = 2.0 * k / (SIDE - 1) - 1.0, y = 2.0 * i / (SIDE - 1) - 1.0;
            heights[i * SIDE + k] = height(x, y);
            if (twisted && i > 0 && k > 0 && i < SIDE - 1 && k < SIDE - 1) {
                x += 0.03 * helper_random(i * SIDE + k);
                y += 0.03 * helper_random(7777 + i * SIDE + k);
            }
            points[i * SIDE + k] = kai_vec3_make(x, y, height(x, y));
            if (i + 1 == SIDE || k + 1 == SIDE) continue;
            const uint32_t a = i * SIDE + k, b = a + 1, c = a + SIDE + 1, d = a + SIDE;
            const bool turn = twisted && helper_random(999 + a) > 0.0;
            const uint32_t t[2][3] = {{a, b, turn ? d : c}, {turn ? b : a, c, d}};
            memcpy(triangles[count], t, sizeof t);
            count += 2;
        }
    }
    check_ok(kai_mesh_build(&f->mesh, &f->memory, points, SIDE * SIDE,
                            (const uint32_t(*)[3])triangles, count, 0.0, NULL));
    check_ok(kai_heightfield_build(&f->field, &f->memory, heights, SIDE, SIDE, 2.0 / (SIDE - 1),
                                   2.0 / (SIDE - 1), NULL));
    kai_vec3 ball[40];
    for (uint64_t i = 0; i < 40; i++) ball[i] = kai_vec3_scale(helper_random_direction(i), 0.2);
    check_ok(kai_hull_build(&f->hull, &f->memory, ball, 40, NULL));
}

static void free_all(fixture* f)
{
    kai_mesh_free(&f->mesh, &f->memory);
    kai_heightfield_free(&f->field, &f->memory);
    kai_hull_free(&f->hull, &f->memory);
    assert_int_equal(f->memory.bytes, 0);
}

static double flat(double x, double y) { return 0.0 * x * y; }
static double waves(double x, double y) { return 0.15 * sin(4.0 * x) * cos(3.0 * y); }
static double ridge(double x, double y) { return -0.5 * fabs(x) + 0.0 * y; }
static double valley(double x, double y) { return 0.5 * fabs(x) + 0.0 * y; }

static kai_geometry shape(const fixture* f, int k)
{
    static const kai_geometry SHAPES[] = {
        {.type = KAI_CONVEX_POINT, .margin = 0.2},
        {.type = KAI_CONVEX_BOX, .size = {0.25, 0.15, 0.1}},
        {.type = KAI_CONVEX_SEGMENT, .margin = 0.1, .size = {0.0, 0.0, 0.2}},
        {.type = KAI_CONVEX_CYLINDER, .size = {0.2, 0.0, 0.15}},
        {.type = KAI_CONVEX_CONE, .size = {0.2, 0.0, 0.15}},
        {.type = KAI_CONVEX_ELLIPSOID, .size = {0.3, 0.2, 0.15}},
        {.type = KAI_CONVEX_BOX, .margin = 0.05, .size = {0.1, 0.1, 0.1}},
    };
    if (k < 7) return SHAPES[k];
    return (kai_geometry){.type = KAI_CONVEX_HULL, .hull = &f->hull};
}
enum { SHAPE_COUNT = 8 };

/// Every shape, dragged over a flat floor of triangles in any attitude, as if it were a plane.
static void slide(const fixture* f, const kai_geometry* floor, bool upright, double depth)
{
    const kai_vec3 down = kai_vec3_make(0.0, 0.0, -1.0);
    const kai_frame world =
        kai_frame_make(kai_vec3_make(3.0, -2.0, 1.0), helper_random_rotation(1));
    for (int k = 0; k < SHAPE_COUNT; k++) {
        const kai_geometry g = shape(f, k);
        for (uint64_t i = 0; i < 300; i++) {
            const kai_quat q = upright
                                   ? kai_quat_from_axis_angle(kai_vec3_axis(2), 0.02 * (double)i)
                                   : helper_random_rotation(i);
            const double low =
                reference_height(&g, kai_quat_unrotate(q, down)) + g.margin; // below the centre
            const double s = (double)i / 300.0;
            const kai_vec3 x = kai_vec3_make(-0.6 + 1.2 * s, 0.5 * sin(7.0 * s), low - depth);
            const kai_frame frame = kai_frame_compose(world, kai_frame_make(x, q));
            kai_manifold m;
            kai_narrow_find(&g, &frame, floor, &world, 0.01, &m);
            assert_true(m.count > 0);
            check_near(m.contacts[0].gap, -depth, 1e-12, "height of the lowest point");
            for (int j = 0; j < m.count; j++) {
                const kai_vec3 n = kai_frame_vector_from_parent(world, m.contacts[j].normal);
                const kai_vec3 p = kai_frame_point_from_parent(world, m.contacts[j].point_b);
                check_vec3(n, down, 1e-14, "the floor's normal, whatever the edges");
                check_near(p.z, 0.0, 1e-14, "on the floor");
                assert_true(m.contacts[j].gap <= 0.01);
            }
            if (upright && g.type == KAI_CONVEX_BOX) assert_true(m.count >= 4);
        }
    }
}

static void flat_floor(void** state)
{
    fixture f;
    build_grid(&f, flat, true);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const kai_geometry field = {.type = KAI_GEOMETRY_HEIGHTFIELD, .field = &f.field};
    for (int k = 0; k < 2; k++) {
        const kai_geometry* floor = k ? &field : &mesh;
        slide(&f, floor, true, 1e-4);
        slide(&f, floor, true, -1e-3);
        slide(&f, floor, false, 1e-4);
        slide(&f, floor, false, -1e-3);
        slide(&f, floor, false, 0.03);
    }
    // Below the ground: out through it.
    for (int k = 0; k < SHAPE_COUNT; k++) {
        const kai_geometry g = shape(&f, k);
        const kai_frame frame =
            kai_frame_make(kai_vec3_make(0.33, 0.21, -0.5), kai_quat_identity());
        kai_manifold m;
        kai_narrow_find(&g, &frame, &field, &HOME, 0.01, &m);
        assert_true(m.count > 0);
        const double low = reference_height(&g, kai_vec3_make(0.0, 0.0, -1.0)) + g.margin;
        check_near(m.contacts[0].gap, -0.5 - low, 1e-12, "its lowest point below the ground");
        check_vec3(m.contacts[0].normal, kai_vec3_make(0.0, 0.0, -1.0), 1e-14, "upwards and out");
    }
    free_all(&f);
}

/// A box on many triangles: its four corners are among the points.
static void box_corners(void** state)
{
    fixture f;
    build_grid(&f, flat, true);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {0.35, 0.45, 0.1}};
    for (uint64_t i = 0; i < 100; i++) {
        const double angle = 0.1 * (double)i;
        const kai_frame frame = kai_frame_make(
            kai_vec3_make(0.2 * helper_random(i), 0.2 * helper_random(i + 500), 0.1 - 1e-4),
            kai_quat_from_axis_angle(kai_vec3_axis(2), angle));
        kai_manifold m;
        kai_narrow_find(&box, &frame, &mesh, &HOME, 0.01, &m);
        for (int k = 0; k < 4; k++) {
            const kai_vec3 c = kai_frame_point_to_parent(
                frame, kai_vec3_make(k & 1 ? 0.35 : -0.35, k & 2 ? 0.45 : -0.45, -0.1));
            double near = HUGE_VAL;
            for (int j = 0; j < m.count; j++)
                near = fmin(near, kai_vec3_distance(c, m.contacts[j].point_a));
            check_near(near, 0.0, 1e-9, "a corner of the box");
        }
    }
    free_all(&f);
}

/// Apart from the surface, the deepest contact is the nearest of all triangles, one by one.
static void nearest_triangle(void** state)
{
    fixture f;
    int found = 0;
    build_grid(&f, waves, true);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    for (int k = 0; k < SHAPE_COUNT; k++) {
        const kai_geometry g = shape(&f, k);
        for (uint64_t i = 0; i < 300; i++) {
            const kai_vec3 r = helper_random_vec3(i);
            const kai_frame frame = kai_frame_make(
                kai_vec3_make(0.5 * r.x, 0.5 * r.y, 0.38 + 0.15 * r.z), helper_random_rotation(i));
            double least = HUGE_VAL;
            for (uint32_t t = 0; t < f.mesh.triangle_count; t++) {
                kai_vec3 v[3];
                kai_mesh_corners(&f.mesh, t, v);
                const kai_geometry one = {.type = KAI_CONVEX_TRIANGLE, .triangle = v};
                least = fmin(least, kai_narrow_distance(&g, &frame, &one, &HOME, NULL, NULL, NULL));
            }
            if (least < -g.margin + 1e-6) continue; // cores overlap: no distance
            kai_manifold m;
            kai_narrow_find(&g, &frame, &mesh, &HOME, 0.1, &m);
            assert_int_equal(m.count > 0, least <= 0.1);
            if (m.count == 0) continue;
            found++;
            check_near(m.contacts[0].gap, least, 1e-9, "nearest of all triangles");
        }
    }
    assert_true(found > 500);
    free_all(&f);
}

static void ridges_and_valleys(void** state)
{
    fixture f;
    const kai_geometry ball = {.type = KAI_CONVEX_POINT, .margin = 0.2};
    kai_manifold m;
    build_grid(&f, ridge, false);
    kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const double slope = atan(0.5);
    // Over a ridge the normal turns from one face to the other.
    for (int i = -10; i <= 10; i++) {
        const double angle = 0.099 * i * slope;
        const kai_vec3 out = kai_vec3_make(sin(angle), 0.0, cos(angle));
        const kai_frame frame = kai_frame_make(
            kai_vec3_mul_add(kai_vec3_make(0.0, 0.012, 0.0), out, 0.21), kai_quat_identity());
        kai_narrow_find(&ball, &frame, &mesh, &HOME, 0.02, &m);
        assert_true(m.count >= 1);
        check_near(m.contacts[0].gap, 0.01, 1e-14, "distance to the ridge");
        check_vec3(m.contacts[0].normal, kai_vec3_neg(out), 1e-13, "away from the ridge");
    }
    free_all(&f);
    // In a valley it rests on both sides, with the normals of both.
    build_grid(&f, valley, false);
    mesh.mesh = &f.mesh;
    const kai_frame frame =
        kai_frame_make(kai_vec3_make(0.0, 0.012, 0.2 / cos(slope)), kai_quat_identity());
    kai_narrow_find(&ball, &frame, &mesh, &HOME, 0.02, &m);
    assert_int_equal(m.count, 2);
    for (int i = 0; i < 2; i++) {
        check_near(m.contacts[i].gap, 0.0, 1e-14, "on both sides");
        check_near(fabs(m.contacts[i].normal.x), sin(slope), 1e-14, "normal of a side");
    }
    free_all(&f);
}

// Closed meshes ----------------------------------------------------------------------------------

static void build_cube(fixture* f)
{
    static const uint32_t T[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    kai_vec3 p[8];
    memset(f, 0, sizeof *f);
    kai_memory_init(&f->memory, NULL);
    for (int i = 0; i < 8; i++)
        p[i] = kai_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    check_ok(kai_mesh_build(&f->mesh, &f->memory, p, 8, T, 12, 0.0, NULL));
    assert_true(f->mesh.closed);
}

/// A cube of triangles is a box: for balls anywhere, for other shapes while their centre is
/// outside.
static void cube_is_a_box(void** state)
{
    fixture f;
    int compared = 0;
    build_cube(&f);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {0.5, 0.5, 0.5}};
    const kai_geometry ball = {.type = KAI_CONVEX_POINT, .margin = 0.2};
    for (uint64_t i = 0; i < 3000; i++) {
        const kai_frame frame =
            kai_frame_make(kai_vec3_scale(helper_random_vec3(i), 0.75), helper_random_rotation(i));
        const double gap = kai_narrow_distance(&ball, &frame, &box, &HOME, NULL, NULL, NULL);
        kai_manifold m;
        kai_narrow_find(&ball, &frame, &mesh, &HOME, 0.1, &m);
        assert_int_equal(m.count > 0, gap <= 0.1);
        if (m.count == 0) continue;
        compared++;
        check_near(m.contacts[0].gap, gap, 1e-12, "a ball and a box");
        if (gap < -0.2) continue; // the centre is inside: one way out of several
        for (int k = 1; k < m.count; k++) assert_true(m.contacts[k].gap >= gap - 1e-12);
    }
    assert_true(compared > 1000);
    free_all(&f);
}

static void mesh_on_plane(void** state)
{
    fixture f;
    build_cube(&f);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const kai_geometry plane = {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.0, 1.0}};
    const kai_frame frame = kai_frame_make(kai_vec3_make(1.0, 2.0, 0.499), kai_quat_identity());
    kai_manifold m;
    kai_narrow_find(&mesh, &frame, &plane, &HOME, 0.01, &m);
    assert_int_equal(m.count, 4);
    for (int i = 0; i < 4; i++) {
        check_near(m.contacts[i].gap, -1e-3, 1e-15, "four corners");
        check_vec3(m.contacts[i].normal, kai_vec3_make(0.0, 0.0, -1.0), 0.0, "into the plane");
    }
    free_all(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_floor),       cmocka_unit_test(box_corners),
        cmocka_unit_test(nearest_triangle), cmocka_unit_test(ridges_and_valleys),
        cmocka_unit_test(cube_is_a_box),    cmocka_unit_test(mesh_on_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
