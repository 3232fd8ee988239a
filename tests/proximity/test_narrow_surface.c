// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Surfaces against each other: meshes, height fields, planes.
#include "reference.h"

#include "base/memory.h"
#include "geometry/heightfield.h"
#include "geometry/mesh.h"

enum { MOST = 400 };

static const kai_frame HOME = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

// Meshes ------------------------------------------------------------------------------------------

static void build(kai_mesh* mesh, kai_memory* memory, const kai_vec3* points, size_t point_count,
                  const uint32_t (*triangles)[3], size_t count, bool closed)
{
    check_ok(kai_mesh_build(mesh, memory, points, point_count, triangles, count, 0.0, NULL));
    assert_true(mesh->closed == closed);
}

/// A box with its middle in the origin.
static void build_box(kai_mesh* mesh, kai_memory* memory, double x, double y, double z)
{
    static const uint32_t TRIANGLES[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    kai_vec3 points[8];
    for (int i = 0; i < 8; i++)
        points[i] = kai_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    build(mesh, memory, points, 8, TRIANGLES, 12, true);
}

/// A torus of 10 × 6 quads, lumpy: neither convex nor regular. Without its first quads it is open.
static void build_ring(kai_mesh* mesh, kai_memory* memory, uint64_t seed, bool open)
{
    enum { AROUND = 10, TUBE = 6 };
    kai_vec3 points[AROUND * TUBE];
    static uint32_t triangles[MOST][3];
    size_t count = 0;
    for (uint32_t i = 0; i < AROUND; i++) {
        for (uint32_t k = 0; k < TUBE; k++) {
            const double u = 2.0 * KAI_PI * i / AROUND, v = 2.0 * KAI_PI * k / TUBE;
            const double tube = 0.3 + 0.08 * helper_random(seed * 1000 + i * TUBE + k);
            const double r = 1.0 + tube * cos(v);
            points[i * TUBE + k] = kai_vec3_make(r * cos(u), r * sin(u), tube * sin(v));
            const uint32_t a = i * TUBE + k, b = (i + 1) % AROUND * TUBE + k;
            const uint32_t c = (i + 1) % AROUND * TUBE + (k + 1) % TUBE;
            const uint32_t d = i * TUBE + (k + 1) % TUBE;
            if (open && i < 2) continue;
            const uint32_t t[2][3] = {{a, b, c}, {a, c, d}};
            memcpy(triangles[count], t, sizeof t);
            count += 2;
        }
    }
    build(mesh, memory, points, AROUND * TUBE, (const uint32_t(*)[3])triangles, count, !open);
}

static double hills(double x, double y) { return 0.2 * sin(2.0 * x) * cos(3.0 * y); }

static void build_field(kai_heightfield* field, kai_memory* memory, bool flat)
{
    enum { SIDE = 13 };
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = flat ? 0.0 : hills(0.4 * (i % SIDE - 6), 0.4 * (i / SIDE - 6));
    check_ok(kai_heightfield_build(field, memory, heights, SIDE, SIDE, 0.4, 0.4, NULL));
}

// All pairs of triangles --------------------------------------------------------------------------

static uint32_t triangles_of(const kai_geometry* g)
{
    return g->type == KAI_GEOMETRY_MESH ? g->mesh->triangle_count
                                        : kai_heightfield_triangle_count(g->field);
}

static void corners_of(const kai_geometry* g, uint32_t t, kai_vec3 out[3])
{
    if (g->type == KAI_GEOMETRY_MESH)
        kai_mesh_corners(g->mesh, t, out);
    else
        kai_heightfield_triangle(g->field, t, out);
}

/// The least distance of a triangle of one and a triangle of the other; negative where two meet.
static double least_distance(const kai_geometry* a, const kai_frame* fa, const kai_geometry* b,
                             const kai_frame* fb)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < triangles_of(a); i++) {
        kai_vec3 x[3];
        corners_of(a, i, x);
        const kai_geometry ta = {.type = KAI_CONVEX_TRIANGLE, .triangle = x};
        for (uint32_t k = 0; k < triangles_of(b); k++) {
            kai_vec3 y[3];
            corners_of(b, k, y);
            const kai_geometry tb = {.type = KAI_CONVEX_TRIANGLE, .triangle = y};
            least = fmin(least, kai_narrow_distance(&ta, fa, &tb, fb, NULL, NULL, NULL));
        }
    }
    return least - a->margin - b->margin;
}

static void check_manifold(const kai_manifold* m, const kai_manifold* back, double reach)
{
    assert_true(m->count == back->count || (m->count > 0 && back->count > 0));
    for (int k = 0; k < m->count; k++) {
        const kai_contact* c = &m->contacts[k];
        check_near(kai_vec3_norm(c->normal), 1.0, 1e-14, "unit vector");
        check_near(kai_vec3_dot(kai_vec3_sub(c->point_b, c->point_a), c->normal), c->gap, 1e-12,
                   "gap along the normal");
        assert_true(c->gap <= reach + 1e-12);
        assert_true(c->gap >= m->contacts[0].gap);
    }
    if (m->count == 0) return;
    check_near(m->contacts[0].gap, back->contacts[0].gap, 1e-12, "the same from the other side");
}

/// Random poses: surfaces that are apart have their true distance.
static void compare(const kai_geometry* a, const kai_geometry* b, double far, double up,
                    uint64_t poses, bool solid)
{
    size_t apart = 0;
    for (uint64_t i = 0; i < poses; i++) {
        kai_frame fa = {kai_vec3_scale(helper_random_vec3(3 * i), far),
                        helper_random_rotation(3 * i + 1)};
        fa.position.z += up;
        const kai_frame world = {helper_random_vec3(3 * i + 2), helper_random_rotation(3 * i + 2)};
        fa = kai_frame_compose(world, fa);
        const double least = least_distance(a, &fa, b, &world), reach = 0.5;
        kai_manifold m, back;
        kai_narrow_find(a, &fa, b, &world, reach, &m);
        kai_narrow_find(b, &world, a, &fa, reach, &back);
        check_manifold(&m, &back, reach);
        if (least > 1e-6) {
            // One inside the other is far apart by triangles, and deep all the same.
            if (solid && m.count > 0 && m.contacts[0].gap < 0.0) continue;
            apart += least < reach;
            assert_true((m.count > 0) == (least <= reach));
            // The reference iterates: 1e-9 is its accuracy on cores of size 1.
            if (m.count > 0) check_near(m.contacts[0].gap, least, 1e-9, "all pairs of triangles");
        }
    }
    assert_true(apart > poses / 20);
}

static void test_all_triangles(void** state)
{
    (void)state;
    kai_memory memory;
    kai_mesh box, ring, other, sheet;
    kai_heightfield field;
    kai_memory_init(&memory, NULL);
    build_box(&box, &memory, 0.4, 0.6, 0.3);
    build_ring(&ring, &memory, 1, false);
    build_ring(&other, &memory, 2, false);
    build_ring(&sheet, &memory, 3, true);
    build_field(&field, &memory, false);
    const kai_geometry boxes = {.type = KAI_GEOMETRY_MESH, .mesh = &box};
    const kai_geometry rounded = {.type = KAI_GEOMETRY_MESH, .mesh = &box, .margin = 0.02};
    const kai_geometry rings = {.type = KAI_GEOMETRY_MESH, .mesh = &ring};
    const kai_geometry others = {.type = KAI_GEOMETRY_MESH, .mesh = &other};
    const kai_geometry sheets = {.type = KAI_GEOMETRY_MESH, .mesh = &sheet};
    const kai_geometry ground = {.type = KAI_GEOMETRY_HEIGHTFIELD, .field = &field};
    compare(&boxes, &rounded, 1.2, 0.0, 600, true);
    compare(&boxes, &rings, 1.6, 0.0, 120, true);
    compare(&rings, &others, 1.8, 0.0, 24, true);
    compare(&boxes, &ground, 0.8, 0.9, 120, true);
    compare(&sheets, &boxes, 1.6, 0.0, 120, false);
    kai_mesh_free(&box, &memory);
    kai_mesh_free(&ring, &memory);
    kai_mesh_free(&other, &memory);
    kai_mesh_free(&sheet, &memory);
    kai_heightfield_free(&field, &memory);
    assert_int_equal(memory.bytes, 0);
}

/// Two boxes that overlap a little, as meshes and as boxes.
static void test_shallow(void** state)
{
    (void)state;
    kai_memory memory;
    kai_mesh box;
    kai_memory_init(&memory, NULL);
    build_box(&box, &memory, 0.4, 0.6, 0.3);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &box};
    const kai_geometry solid = {.type = KAI_CONVEX_BOX, .size = {0.4, 0.6, 0.3}};
    size_t same = 0, all = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        kai_frame fa = {helper_random_vec3(2 * i), helper_random_rotation(2 * i)};
        const kai_frame fb = {kai_vec3_zero(), helper_random_rotation(2 * i + 1)};
        // Moved apart along the normal until they overlap by 1 mm.
        kai_vec3 n;
        const double gap = kai_narrow_distance(&solid, &fa, &solid, &fb, NULL, NULL, &n);
        fa.position = kai_vec3_mul_add(fa.position, n, gap + 1e-3);
        const double depth = -kai_narrow_distance(&solid, &fa, &solid, &fb, NULL, NULL, &n);
        if (!(depth > 0.0 && depth < 2e-3)) continue;
        kai_manifold m;
        kai_narrow_find(&mesh, &fa, &mesh, &fb, 0.0, &m);
        all++;
        assert_true(m.count > 0);
        // A vertex near an edge may have a shorter way out than the whole box has, and one beside
        // it a longer one.
        assert_true(m.contacts[0].gap < 0.0 && m.contacts[0].gap >= -1.001e-3);
        same += fabs(m.contacts[0].gap + depth) <= 1e-9 * depth;
    }
    assert_true(all > 1500 && same > all * 19 / 20);
    kai_mesh_free(&box, &memory);
    assert_int_equal(memory.bytes, 0);
}

// Known cases -------------------------------------------------------------------------------------

/// Lying flat: four corners at one depth, straight normals; on a mesh, ground and a plane.
static void test_flat(void** state)
{
    (void)state;
    kai_memory memory;
    kai_mesh box, table;
    kai_heightfield field, tile;
    kai_memory_init(&memory, NULL);
    build_box(&box, &memory, 0.4, 0.6, 0.3);
    build_box(&table, &memory, 2.0, 2.0, 0.5);
    build_field(&field, &memory, true);
    const double square[4] = {0.0, 0.0, 0.0, 0.0};
    check_ok(kai_heightfield_build(&tile, &memory, square, 2, 2, 1.0, 1.0, NULL));
    const kai_geometry lying = {.type = KAI_GEOMETRY_MESH, .mesh = &box, .margin = 0.01};
    const kai_geometry on[3] = {
        {.type = KAI_GEOMETRY_MESH, .mesh = &table, .margin = 0.02},
        {.type = KAI_GEOMETRY_HEIGHTFIELD, .field = &field},
        {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.0, 1.0}},
    };
    const double top[3] = {0.52, 0.0, 0.0}, gaps[2] = {-1e-3, 2e-3};
    for (int k = 0; k < 3; k++) {
        for (int g = 0; g < 2; g++) {
            const kai_quat turn = kai_quat_from_axis_angle(kai_vec3_axis(2), 0.3 + k);
            const kai_frame f = {kai_vec3_make(0.1, 0.13, top[k] + 0.31 + gaps[g]), turn};
            kai_manifold m;
            kai_narrow_find(&lying, &f, &on[k], &HOME, 0.01, &m);
            assert_true(m.count >= 4);
            for (int i = 0; i < m.count; i++) {
                check_near(m.contacts[i].gap, gaps[g], 1e-14, "height of the box");
                check_vec3(m.contacts[i].normal, kai_vec3_make(0.0, 0.0, -1.0), 1e-14, "down");
                check_near(m.contacts[i].point_b.z, top[k], 1e-14, "on top");
            }
        }
    }
    // A field on a body that moves, upside down over a plane.
    const kai_geometry lid = {.type = KAI_GEOMETRY_HEIGHTFIELD, .field = &tile};
    const kai_frame over = {kai_vec3_make(0.0, 0.0, -1e-3),
                            kai_quat_from_axis_angle(kai_vec3_axis(0), KAI_PI)};
    kai_manifold m;
    kai_narrow_find(&lid, &over, &on[2], &HOME, 0.0, &m);
    assert_int_equal(m.count, 4);
    check_near(m.contacts[0].gap, -1e-3, 1e-15, "height of the field");
    check_vec3(m.contacts[0].normal, kai_vec3_make(0.0, 0.0, -1.0), 1e-15, "into the plane");
    assert_false(kai_narrow_offers(KAI_GEOMETRY_PLANE, KAI_GEOMETRY_PLANE));
    assert_false(kai_narrow_offers(KAI_GEOMETRY_HEIGHTFIELD, KAI_GEOMETRY_HEIGHTFIELD));
    assert_true(kai_narrow_offers(KAI_GEOMETRY_HEIGHTFIELD, KAI_GEOMETRY_PLANE));
    kai_mesh_free(&box, &memory);
    kai_mesh_free(&table, &memory);
    kai_heightfield_free(&field, &memory);
    kai_heightfield_free(&tile, &memory);
    assert_int_equal(memory.bytes, 0);
}

/// Two boxes that stand on edge and cross at right angles: one contact, along z, of known depth.
static void test_crossed_edges(void** state)
{
    (void)state;
    kai_memory memory;
    kai_mesh box;
    kai_memory_init(&memory, NULL);
    build_box(&box, &memory, 2.0, 0.3, 0.3);
    const kai_geometry g = {.type = KAI_GEOMETRY_MESH, .mesh = &box};
    const kai_quat on_edge = kai_quat_from_axis_angle(kai_vec3_axis(0), 0.25 * KAI_PI);
    const kai_quat across = kai_quat_from_axis_angle(kai_vec3_axis(2), 0.5 * KAI_PI);
    const double gaps[3] = {-0.02, -1e-6, 0.01};
    for (int k = 0; k < 3; k++) {
        const kai_frame low = {kai_vec3_zero(), on_edge};
        const kai_frame high = {kai_vec3_make(0.1, 0.2, 0.6 * sqrt(2.0) + gaps[k]),
                                kai_quat_mul(across, on_edge)};
        kai_manifold m;
        kai_narrow_find(&g, &low, &g, &high, 0.02, &m);
        assert_int_equal(m.count, 1);
        check_near(m.contacts[0].gap, gaps[k], 1e-14, "how high it lies");
        check_vec3(m.contacts[0].normal, kai_vec3_axis(2), 1e-14, "from the lower to the upper");
        check_near(m.contacts[0].point_a.x, 0.1, 1e-14, "where they cross");
        check_near(m.contacts[0].point_a.y, 0.0, 1e-14, "where they cross");
    }
    kai_mesh_free(&box, &memory);
    assert_int_equal(memory.bytes, 0);
}

/// Wholly inside: pushed out through the nearest side.
static void test_inside(void** state)
{
    (void)state;
    kai_memory memory;
    kai_mesh small, large;
    kai_memory_init(&memory, NULL);
    build_box(&small, &memory, 0.1, 0.1, 0.1);
    build_box(&large, &memory, 1.0, 1.0, 1.0);
    const kai_geometry a = {.type = KAI_GEOMETRY_MESH, .mesh = &small};
    const kai_geometry b = {.type = KAI_GEOMETRY_MESH, .mesh = &large};
    const kai_frame f = {kai_vec3_make(0.0, 0.1, 0.5), kai_quat_identity()};
    kai_manifold m;
    kai_narrow_find(&a, &f, &b, &HOME, 0.0, &m);
    assert_true(m.count >= 4);
    check_near(m.contacts[0].gap, -0.6, 1e-14, "its lower side, out through the top");
    check_vec3(m.contacts[0].normal, kai_vec3_make(0.0, 0.0, -1.0), 1e-14, "down, into the other");
    kai_mesh_free(&small, &memory);
    kai_mesh_free(&large, &memory);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_triangles), cmocka_unit_test(test_shallow),
        cmocka_unit_test(test_flat),          cmocka_unit_test(test_crossed_edges),
        cmocka_unit_test(test_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
