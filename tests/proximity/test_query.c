// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/query.h"

#include "geometry/heightfield.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "helper.h"
#include "proximity/broad_bounds.h"
#include "proximity/narrow.h"
#include "proximity/query_ray.h"

static const int THREADS[] = {1, 2, 5, 16};
enum { CHOICES = 4 };

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_proximity proximity;
    kai_query query;
    kai_hull hull;
    kai_mesh mesh;
    kai_heightfield field;
    kai_error err;
    kai_frame* poses;
    size_t count;
} fixture;

// A cube as a mesh: 12 triangles.
static void make_cube(fixture* f, double half)
{
    kai_vec3 points[8];
    for (int i = 0; i < 8; i++)
        points[i] = kai_vec3_make(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
    static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    check_ok(kai_mesh_build(&f->mesh, &f->memory, points, 8, triangles, 12, 0.0, &f->err));
}

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    kai_proximity_init(&f->proximity, &f->memory);
    kai_query_init(&f->query, &f->memory);
    kai_vec3 points[20];
    for (uint64_t i = 0; i < 20; i++) points[i] = helper_random_direction(i);
    check_ok(kai_hull_build(&f->hull, &f->memory, points, 20, &f->err));
    make_cube(f, 0.8);
    double heights[25];
    for (uint64_t i = 0; i < 25; i++) heights[i] = 0.3 * helper_random(i);
    check_ok(kai_heightfield_build(&f->field, &f->memory, heights, 5, 5, 0.5, 0.5, &f->err));
}

static void finish(fixture* f)
{
    kai_query_free(&f->query);
    kai_proximity_free(&f->proximity);
    kai_hull_free(&f->hull, &f->memory);
    kai_mesh_free(&f->mesh, &f->memory);
    kai_heightfield_free(&f->field, &f->memory);
    assert_int_equal(f->counter.blocks, 0);
    free(f->poses);
}

// One geometry ------------------------------------------------------------------------------------

static const kai_geometry CONVEX[] = {
    {.type = KAI_CONVEX_POINT, .margin = 0.7},
    {.type = KAI_CONVEX_SEGMENT, .margin = 0.4, .size = {0.0, 0.0, 0.6}},
    {.type = KAI_CONVEX_BOX, .size = {0.9, 0.4, 0.6}},
    {.type = KAI_CONVEX_CYLINDER, .size = {0.7, 0.0, 0.5}},
    {.type = KAI_CONVEX_CONE, .size = {0.7, 0.0, 0.6}},
    {.type = KAI_CONVEX_CONE, .size = {0.1, 0.0, 0.9}},
    {.type = KAI_CONVEX_ELLIPSOID, .size = {0.9, 0.3, 0.6}},
    {.type = KAI_CONVEX_BOX, .margin = 0.1, .size = {0.9, 0.4, 0.6}},
    {.type = KAI_CONVEX_HULL},
    {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.6, 0.8}},
};
enum { CONVEX_COUNT = sizeof CONVEX / sizeof CONVEX[0] };

static double distance_to(const kai_geometry* g, kai_vec3 at)
{
    const kai_geometry point = {.type = KAI_CONVEX_POINT};
    const kai_frame here = {at, kai_quat_identity()}, origin = kai_frame_identity();
    return kai_narrow_distance(&point, &here, g, &origin, NULL, NULL, NULL);
}

// Where a ray enters, by the signed distance to the geometry alone: nothing inside before, the
// point on the surface, the normal that of the surface; and by steps that never pass it.
static int check_entry(const kai_geometry* g, kai_vec3 from, kai_vec3 direction)
{
    kai_vec3 normal, other;
    const double t = kai_query_ray_enter(g, from, direction, 50.0, &normal);
    const double begin = distance_to(g, from);
    if (begin < -1e-12) {
        assert_true(t == 0.0);
        check_vec3(normal, kai_vec3_neg(direction), 0.0, "begins inside");
        return 1;
    }
    const double last = t < HUGE_VAL ? t : 10.0;
    for (int k = 0; k < 60; k++) {
        const double d = distance_to(g, kai_vec3_mul_add(from, direction, last * k / 60.0));
        assert_true(d > -1e-12);
    }
    if (t == HUGE_VAL) return 0;
    const kai_vec3 at = kai_vec3_mul_add(from, direction, t);
    check_near(distance_to(g, at), 0.0, 1e-12, "on the surface; 1e-12 of coordinates of 4 m");
    check_near(kai_vec3_norm(normal), 1.0, 1e-12, "unit vector");
    assert_true(kai_vec3_dot(normal, direction) <= 1e-12);
    // Off the surface along the normal the distance grows as the way, to second order.
    check_near(distance_to(g, kai_vec3_mul_add(at, normal, 1e-6)), 1e-6, 1e-11, "normal");
    const double slow = kai_query_ray_creep(g, from, direction, 50.0, &other);
    // Near grazing, steps stop early by √(1e-13); -n · d is how steep the ray is.
    const double steep = -kai_vec3_dot(normal, direction);
    if (steep > 1e-3) check_near(slow, t, 1e-11 / steep, "steps along the ray");
    return 1;
}

static void test_convex(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    for (int s = 0; s < CONVEX_COUNT; s++) {
        kai_geometry g = CONVEX[s];
        if (g.type == KAI_CONVEX_HULL) g.hull = &f.hull;
        int hits = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            const kai_vec3 from = kai_vec3_scale(helper_random_vec3(2 * i), 2.0);
            const kai_vec3 to = helper_random_vec3(2 * i + 1);
            hits += check_entry(&g, from, kai_vec3_normalize(kai_vec3_sub(to, from)));
        }
        assert_true(hits > 40);
    }
    finish(&f);
}

// Numbers that can be told by hand.
static void test_by_hand(void** state)
{
    (void)state;
    kai_vec3 n;
    const kai_vec3 down = kai_vec3_make(0.0, 0.0, -1.0), along = kai_vec3_make(1.0, 0.0, 0.0);
    const kai_geometry ball = {.type = KAI_CONVEX_POINT, .margin = 0.5};
    check_near(kai_query_ray_enter(&ball, kai_vec3_make(0.3, 0.0, 2.0), down, 9.0, &n), 1.6, 1e-15,
               "2 - √(0.25 - 0.09)");
    check_vec3(n, kai_vec3_make(0.6, 0.0, 0.8), 1e-15, "point over radius");
    assert_true(kai_query_ray_enter(&ball, kai_vec3_make(0.6, 0.0, 2.0), down, 9.0, &n) ==
                HUGE_VAL);
    assert_true(kai_query_ray_enter(&ball, kai_vec3_make(0.0, 0.0, 2.0), down, 1.4, &n) ==
                HUGE_VAL);

    const kai_geometry cone = {.type = KAI_CONVEX_CONE, .size = {1.0, 0.0, 1.0}};
    check_near(kai_query_ray_enter(&cone, kai_vec3_make(0.25, 0.0, 5.0), down, 9.0, &n), 4.5, 1e-14,
               "z = 1 - 2 x at x = 1/4");
    check_vec3(n, kai_vec3_make(2.0 / sqrt(5.0), 0.0, 1.0 / sqrt(5.0)), 1e-14, "slope 2");
    check_near(kai_query_ray_enter(&cone, kai_vec3_make(-5.0, 0.0, 0.0), along, 9.0, &n), 4.5,
               1e-14, "radius 1/2 at half height");
    check_near(kai_query_ray_enter(&cone, kai_vec3_make(0.0, 0.0, 5.0), down, 9.0, &n), 4.0, 1e-14,
               "the tip");
    check_near(
        kai_query_ray_enter(&cone, kai_vec3_make(0.3, 0.0, -5.0), kai_vec3_neg(down), 9.0, &n), 4.0,
        1e-14, "the base");
    check_vec3(n, down, 1e-15, "the base");
    // Along a line of the side, a little inside and a little outside.
    const kai_vec3 side = kai_vec3_normalize(kai_vec3_make(-1.0, 0.0, 2.0));
    assert_true(kai_query_ray_enter(&cone, kai_vec3_make(1.1, 0.0, -1.0), side, 9.0, &n) ==
                HUGE_VAL);
    check_near(kai_query_ray_enter(&cone, kai_vec3_make(1.4, 0.0, -2.0), side, 9.0, &n),
               0.5 * sqrt(5.0), 1e-14, "up through the base at x = 0.9");

    const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {1.0, 2.0, 3.0}};
    check_near(kai_query_ray_enter(&box, kai_vec3_make(-3.0, 2.0, 3.0), along, 9.0, &n), 2.0, 0.0,
               "along an edge: its surface belongs to it");
    const kai_geometry plane = {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.0, 1.0}};
    check_near(kai_query_ray_enter(&plane, kai_vec3_make(7.0, 7.0, 3.0), down, 9.0, &n), 3.0, 0.0,
               "height");
    assert_true(kai_query_ray_enter(&plane, kai_vec3_make(7.0, 7.0, 3.0), along, 9.0, &n) ==
                HUGE_VAL);
}

// A cube of triangles is met like a box from outside; a field where its height says.
static void test_surfaces(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh};
    const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {0.8, 0.8, 0.8}};
    const kai_geometry field = {.type = KAI_GEOMETRY_HEIGHTFIELD, .field = &f.field};
    int hits = 0;
    for (uint64_t i = 0; i < 500; i++) {
        const kai_vec3 from = kai_vec3_scale(helper_random_direction(i), 3.0);
        const kai_vec3 d = kai_vec3_normalize(kai_vec3_sub(helper_random_vec3(i), from));
        kai_vec3 n, m;
        const double t = kai_query_ray_enter(&mesh, from, d, 9.0, &n);
        const double expected = kai_query_ray_enter(&box, from, d, 9.0, &m);
        if (expected == HUGE_VAL)
            assert_true(t == HUGE_VAL);
        else {
            check_near(t, expected, 1e-12, "box of the same size");
            check_vec3(n, m, 1e-12, "box of the same size");
            hits++;
        }
        const kai_vec3 over = kai_vec3_make(0.99 * from.x / 3.0, 0.99 * from.y / 3.0, 2.0);
        const double z = kai_heightfield_height(&f.field, over.x, over.y);
        const double fall =
            kai_query_ray_enter(&field, over, kai_vec3_make(0.0, 0.0, -1.0), 9.0, &n);
        check_near(fall, 2.0 - z, 1e-12, "height of the field");
        assert_true(n.z > 0.0);
    }
    assert_true(hits > 100);
    finish(&f);
}

// The least distance to the triangles of a field, by all of them.
static double field_distance(const kai_heightfield* field, kai_vec3 at)
{
    double least = HUGE_VAL;
    const kai_geometry point = {.type = KAI_CONVEX_POINT};
    const kai_frame here = {at, kai_quat_identity()}, home = kai_frame_identity();
    for (uint32_t t = 0; t < kai_heightfield_triangle_count(field); t++) {
        kai_vec3 corners[3];
        kai_heightfield_triangle(field, t, corners);
        const kai_geometry g = {.type = KAI_CONVEX_TRIANGLE, .triangle = corners};
        least = fmin(least, kai_narrow_distance(&point, &here, &g, &home, NULL, NULL, NULL));
    }
    return least;
}

// Margins are seen: a cube of triangles with one is met like a rounded box, a field where the
// distance to its triangles becomes the margin.
static void test_thick_surfaces(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const double margin = 0.13;
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f.mesh, .margin = margin};
    const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {0.8, 0.8, 0.8}, .margin = margin};
    const kai_geometry field = {
        .type = KAI_GEOMETRY_HEIGHTFIELD, .field = &f.field, .margin = margin};
    int hits = 0, fields = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const kai_vec3 from = kai_vec3_scale(helper_random_direction(i), 3.0);
        const kai_vec3 to = kai_vec3_scale(helper_random_vec3(i), 1.1);
        const kai_vec3 d = kai_vec3_normalize(kai_vec3_sub(to, from));
        kai_vec3 n, m;
        double t = kai_query_ray_enter(&mesh, from, d, 9.0, &n);
        const double expected = kai_query_ray_enter(&box, from, d, 9.0, &m);
        const double steep = -kai_vec3_dot(m, d);
        if (expected == HUGE_VAL) {
            assert_true(t == HUGE_VAL);
        } else if (steep > 1e-3) {
            // Steps along the ray end 1e-13 before the rounded box.
            check_near(t, expected, 1e-11 / steep, "rounded box");
            const kai_vec3 at = kai_vec3_mul_add(from, d, t), s = box.size;
            const kai_vec3 core = kai_vec3_max(kai_vec3_neg(s), kai_vec3_min(s, at));
            check_vec3(n, kai_vec3_normalize(kai_vec3_sub(at, core)), 1e-11, "out of the core");
            hits++;
        }
        // Nearer than that, nothing.
        assert_true(kai_query_ray_enter(&mesh, from, d, 0.999 * fmin(t, 9.0), &n) == HUGE_VAL);

        t = kai_query_ray_enter(&field, from, d, 9.0, &n);
        const double last = t < HUGE_VAL ? t : 6.0;
        for (int k = 0; k < 50; k++)
            assert_true(field_distance(&f.field, kai_vec3_mul_add(from, d, last * k / 50.0)) >=
                        margin - 1e-12);
        if (t == HUGE_VAL) continue;
        fields++;
        check_near(field_distance(&f.field, kai_vec3_mul_add(from, d, t)), margin, 1e-12,
                   "as far from the field as its margin");
        check_near(kai_vec3_norm(n), 1.0, 1e-12, "unit vector");
        assert_true(kai_vec3_dot(n, d) <= 1e-12);
    }
    assert_true(hits > 200 && fields > 200);
    // A ray that begins inside the sheet meets it at once.
    kai_vec3 n;
    const kai_vec3 up = kai_vec3_axis(2);
    assert_true(kai_query_ray_enter(&mesh, kai_vec3_make(0.0, 0.0, 0.85), up, 9.0, &n) == 0.0);
    check_vec3(n, kai_vec3_neg(up), 0.0, "against the ray");
    // Inside the cube, beyond the sheet, the far wall is met from within.
    check_near(kai_query_ray_enter(&mesh, kai_vec3_zero(), up, 9.0, &n), 0.8 - margin, 1e-15,
               "the lid from below");
    finish(&f);
}

// Many items --------------------------------------------------------------------------------------

static void fill_items(fixture* f, size_t count)
{
    kai_proximity* p = &f->proximity;
    f->count = count;
    f->poses = calloc(count, sizeof *f->poses);
    assert_non_null(f->poses);
    for (int s = 0; s < CONVEX_COUNT; s++) {
        kai_geometry g = CONVEX[s];
        if (g.type == KAI_CONVEX_HULL) g.hull = &f->hull;
        check_ok(kai_array_append(&p->geometries, &f->memory, &g, 1, &f->err));
    }
    const kai_geometry mesh = {.type = KAI_GEOMETRY_MESH, .mesh = &f->mesh};
    check_ok(kai_array_append(&p->geometries, &f->memory, &mesh, 1, &f->err));
    const double room = 1.2 * cbrt((double)count);
    for (size_t i = 0; i < count; i++) {
        f->poses[i] = kai_frame_make(
            kai_vec3_add(kai_vec3_scale(helper_random_vec3(i), room), kai_vec3_make(1e5, 0.0, 0.0)),
            helper_random_rotation(i));
        uint32_t kind = (uint32_t)(i % (CONVEX_COUNT + 1));
        if (kind == CONVEX_COUNT - 1 && i >= 20) kind = KAI_PROXIMITY_SPHERE; // one plane is enough
        kai_proximity_group group = {.geometry = kind,
                                     .family = (uint16_t)(1u << (i % 2)),
                                     .mask = UINT16_MAX,
                                     .radius = 0.3};
        if (kind != KAI_PROXIMITY_SPHERE)
            group.radius = kai_broad_bounds_radius((const kai_geometry*)p->geometries.data + kind);
        check_ok(kai_proximity_add(p, (uint32_t)i, (uint32_t)i, &group, &f->err));
    }
    // The plane below all.
    f->poses[CONVEX_COUNT - 1] =
        kai_frame_make(kai_vec3_make(1e5, 0.0, -1.5 * room), kai_quat_identity());
    const kai_proximity_poses poses = {.position = &f->poses->position,
                                       .rotation = &f->poses->rotation,
                                       .stride = sizeof *f->poses};
    check_ok(kai_proximity_update(p, 2, &poses, &f->err));
    check_ok(kai_query_update(&f->query, p, 2, &poses, true, &f->err));
}

static bool is_seen(const fixture* f, size_t i, uint32_t ignore, uint16_t mask)
{
    return i != ignore && (kai_proximity_group_of(&f->proximity, i)->family & mask);
}

static void test_rays(void** state)
{
    (void)state;
    enum { RAYS = 600 };
    fixture f;
    start(&f);
    fill_items(&f, 1500);
    static kai_query_ray rays[RAYS];
    static kai_query_hit hits[RAYS], first[RAYS];
    for (uint64_t i = 0; i < RAYS; i++)
        rays[i] = (kai_query_ray){
            .from = kai_vec3_add(kai_vec3_scale(helper_random_vec3(5 * i), 20.0),
                                 kai_vec3_make(1e5, 0.0, 0.0)),
            .direction = i % 5 ? helper_random_direction(i) : kai_vec3_axis((int)(i / 5 % 3)),
            .length = i % 3 ? HUGE_VAL : 8.0,
            .ignore = i % 4 ? KAI_QUERY_NONE : (uint32_t)i,
            .mask = i % 7 ? UINT16_MAX : 2};
    for (int t = 0; t < CHOICES; t++) {
        memset(hits, 0, sizeof hits);
        kai_query_rays(&f.query, &f.proximity, THREADS[t], rays, RAYS, hits);
        if (t == 0) memcpy(first, hits, sizeof hits);
        assert_memory_equal(hits, first, sizeof hits);
    }
    // One by one as in packets, to the last bit.
    for (size_t i = 0; i < RAYS; i++) {
        kai_query_hit alone;
        memset(&alone, 0, sizeof alone);
        kai_query_rays(&f.query, &f.proximity, 1, &rays[i], 1, &alone);
        assert_memory_equal(&alone, &hits[i], sizeof alone);
    }
    int found = 0;
    for (size_t i = 0; i < RAYS; i++) {
        uint32_t item = KAI_QUERY_NONE;
        double distance = HUGE_VAL;
        for (size_t k = 0; k < f.count; k++) {
            if (!is_seen(&f, k, rays[i].ignore, rays[i].mask)) continue;
            kai_geometry sphere;
            kai_vec3 n;
            const kai_frame frame = kai_proximity_frame(&f.proximity, k);
            const double t = kai_query_ray_enter(
                kai_proximity_geometry(&f.proximity, k, &sphere),
                kai_frame_point_from_parent(frame, rays[i].from),
                kai_frame_vector_from_parent(frame, rays[i].direction), rays[i].length, &n);
            if (t < distance) item = (uint32_t)k, distance = t;
        }
        assert_int_equal(hits[i].item, item);
        assert_true(hits[i].distance == distance);
        found += item != KAI_QUERY_NONE;
    }
    assert_true(found > RAYS / 3);
    finish(&f);
}

static void test_nearest(void** state)
{
    (void)state;
    enum { POINTS = 300 };
    fixture f;
    start(&f);
    fill_items(&f, 1000);
    static kai_query_point points[POINTS];
    static kai_query_hit hits[POINTS], first[POINTS];
    for (uint64_t i = 0; i < POINTS; i++)
        points[i] =
            (kai_query_point){.at = kai_vec3_add(kai_vec3_scale(helper_random_vec3(7 * i), 14.0),
                                                 kai_vec3_make(1e5, 0.0, 0.0)),
                              .limit = i % 3 ? 1e9 : 0.5,
                              .ignore = KAI_QUERY_NONE,
                              .mask = i % 7 ? UINT16_MAX : 1};
    for (int t = 0; t < CHOICES; t++) {
        memset(hits, 0, sizeof hits);
        kai_query_nearest(&f.query, &f.proximity, THREADS[t], points, POINTS, hits);
        if (t == 0) memcpy(first, hits, sizeof hits);
        assert_memory_equal(hits, first, sizeof hits);
    }
    for (size_t i = 0; i < POINTS; i++) {
        double distance = HUGE_VAL;
        for (size_t k = 0; k < f.count; k++) {
            if (!is_seen(&f, k, points[i].ignore, points[i].mask)) continue;
            kai_geometry sphere;
            const kai_geometry point = {.type = KAI_CONVEX_POINT};
            const kai_frame here = {points[i].at, kai_quat_identity()};
            const kai_frame frame = kai_proximity_frame(&f.proximity, k);
            kai_manifold m;
            kai_narrow_find(&point, &here, kai_proximity_geometry(&f.proximity, k, &sphere), &frame,
                            points[i].limit, &m);
            if (m.count > 0) distance = fmin(distance, m.contacts[0].gap);
        }
        if (distance == HUGE_VAL)
            assert_int_equal(hits[i].item, KAI_QUERY_NONE);
        else
            check_near(hits[i].distance, distance, 1e-9, "all items; 1e5 m from the origin");
        if (hits[i].item == KAI_QUERY_NONE) continue;
        check_near(kai_vec3_distance(hits[i].point, points[i].at), fabs(hits[i].distance), 1e-9,
                   "the point is that far away");
    }
    finish(&f);
}

static void test_overlap(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    fill_items(&f, 800);
    size_t all = 0;
    for (uint64_t i = 0; i < 60; i++) {
        const kai_geometry box = {.type = KAI_CONVEX_BOX, .size = {2.0, 0.5, 1.0}};
        const kai_query_probe probe = {
            .geometry = &box,
            .frame = {kai_vec3_add(kai_vec3_scale(helper_random_vec3(i), 10.0),
                                   kai_vec3_make(1e5, 0.0, 0.0)),
                      helper_random_rotation(i)},
            .reach = i % 2 ? 0.0 : 0.5,
            .ignore = KAI_QUERY_NONE,
            .also_ignore = KAI_QUERY_NONE,
            .mask = UINT16_MAX};
        uint32_t items[800], few[3];
        const size_t n = kai_query_overlap(&f.query, &f.proximity, &probe, items, 800);
        size_t next = 0;
        for (size_t k = 0; k < f.count; k++) {
            kai_geometry sphere;
            kai_manifold m;
            const kai_frame frame = kai_proximity_frame(&f.proximity, k);
            kai_narrow_find(&box, &probe.frame, kai_proximity_geometry(&f.proximity, k, &sphere),
                            &frame, probe.reach, &m);
            if (m.count == 0) continue;
            assert_true(next < n);
            assert_int_equal(items[next++], k);
        }
        assert_int_equal(next, n);
        // With less room the first ones, and the same count.
        assert_int_equal(kai_query_overlap(&f.query, &f.proximity, &probe, few, 3), n);
        assert_memory_equal(few, items, (n < 3 ? n : 3) * sizeof *few);
        all += n;
    }
    assert_true(all > 100);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convex),   cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_surfaces), cmocka_unit_test(test_thick_surfaces),
        cmocka_unit_test(test_rays),     cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
