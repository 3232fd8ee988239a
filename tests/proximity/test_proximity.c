// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/proximity.h"

#include "geometry/hull.h"
#include "helper.h"
#include "proximity/broad_bounds.h"
#include "proximity/narrow.h"

static const int THREADS[] = {1, 2, 5, 16};
enum { CHOICES = 4 };

// A scene of spheres, boxes, capsules, cylinders, cones, ellipsoids, hulls and one plane ----------

typedef struct pose {
    kai_vec3 position;
    kai_quat rotation;
    kai_vec3 velocity, spin;
} pose;

typedef struct fixture {
    helper_allocator counter;
    kai_memory memory;
    kai_proximity proximity;
    kai_hull hull;
    kai_error err;
    pose* poses;
    size_t count;
} fixture;

static void start(fixture* f)
{
    memset(f, 0, sizeof *f);
    const kai_allocator allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &allocator);
    kai_proximity_init(&f->proximity, &f->memory);
    kai_vec3 points[12];
    for (uint64_t i = 0; i < 12; i++) points[i] = kai_vec3_scale(helper_random_direction(i), 0.1);
    check_ok(kai_hull_build(&f->hull, &f->memory, points, 12, &f->err));
}

static void finish(fixture* f)
{
    kai_proximity_free(&f->proximity);
    kai_hull_free(&f->hull, &f->memory);
    assert_int_equal(f->counter.blocks, 0);
    free(f->poses);
}

static const kai_geometry SHAPES[] = {
    {.type = KAI_CONVEX_BOX, .size = {0.1, 0.05, 0.12}},
    {.type = KAI_CONVEX_SEGMENT, .margin = 0.05, .size = {0.0, 0.0, 0.1}},
    {.type = KAI_CONVEX_CYLINDER, .size = {0.08, 0.0, 0.1}},
    {.type = KAI_CONVEX_CONE, .size = {0.1, 0.0, 0.1}},
    {.type = KAI_CONVEX_ELLIPSOID, .size = {0.1, 0.05, 0.07}},
    {.type = KAI_CONVEX_BOX, .margin = 0.02, .size = {0.1, 0.05, 0.05}},
    {.type = KAI_GEOMETRY_PLANE, .size = {0.0, 0.0, 1.0}},
    {.type = KAI_CONVEX_HULL},
};
enum { SHAPE_COUNT = 8, PLANE = 6, HULL = 7 };

static void fill_items(fixture* f, size_t count)
{
    kai_proximity* p = &f->proximity;
    f->count = count;
    f->poses = calloc(count, sizeof *f->poses);
    assert_non_null(f->poses);
    check_ok(kai_array_append(&p->geometries, &f->memory, SHAPES, SHAPE_COUNT, &f->err));
    ((kai_geometry*)p->geometries.data)[HULL].hull = &f->hull;
    const kai_frame aside = {kai_vec3_make(0.05, 0.0, 0.02), helper_random_rotation(9)};
    check_ok(kai_array_append(&p->frames, &f->memory, &aside, 1, &f->err));
    const double room = 0.09 * cbrt((double)count);
    for (size_t i = 0; i < count; i++) {
        f->poses[i] = (pose){kai_vec3_scale(helper_random_vec3(i), room), helper_random_rotation(i),
                             helper_random_vec3(i + count), helper_random_vec3(i + 2 * count)};
        const uint32_t kind = (uint32_t)(i % 16);
        kai_proximity_group group = {.frame = i % 3 == 0,
                                     .geometry = kind < HULL + 1 ? kind : KAI_PROXIMITY_SPHERE,
                                     .family = 1,
                                     .mask = UINT16_MAX,
                                     .radius = 0.06};
        if (kind == PLANE) group.geometry = i == PLANE ? PLANE : 0;
        if (group.geometry != KAI_PROXIMITY_SPHERE)
            group.radius =
                kai_broad_bounds_radius((const kai_geometry*)p->geometries.data + group.geometry);
        const uint32_t fixed = group.geometry == PLANE ? KAI_BROAD_FIXED : 0;
        check_ok(kai_proximity_add(p, (uint32_t)i | fixed, (uint32_t)(1000 + i), &group, &f->err));
    }
    f->poses[PLANE] = (pose){.position = {0.0, 0.0, -room}, .rotation = {1.0, 0.0, 0.0, 0.0}};
}

static kai_proximity_poses poses_of(const fixture* f)
{
    return (kai_proximity_poses){.position = &f->poses->position,
                                 .rotation = &f->poses->rotation,
                                 .stride = sizeof(pose),
                                 .velocity = &f->poses->velocity,
                                 .spin = &f->poses->spin,
                                 .motion_stride = sizeof(pose),
                                 .step = 1e-3};
}

static void update(fixture* f, int threads)
{
    const kai_proximity_poses poses = poses_of(f);
    check_ok(kai_proximity_update(&f->proximity, threads, &poses, &f->err));
}

static void move(fixture* f, double h)
{
    for (size_t i = 0; i < f->count; i++) {
        if (i == PLANE) continue;
        pose* p = &f->poses[i];
        p->position = kai_vec3_mul_add(p->position, p->velocity, h);
        p->rotation = kai_quat_integrate_body(p->rotation, p->spin, h);
    }
}

// Every pair of items through the narrow phase, in order.
static size_t check_all(fixture* f)
{
    const kai_proximity* p = &f->proximity;
    const kai_proximity_item* items = p->items.data;
    size_t k = 0;
    double deepest = 0.0;
    for (size_t a = 0; a < f->count; a++) {
        const kai_frame fa = kai_proximity_frame(p, a);
        for (size_t b = a + 1; b < f->count; b++) {
            const kai_frame fb = kai_proximity_frame(p, b);
            kai_geometry sa, sb;
            kai_manifold m;
            if (items[a].owner & items[b].owner & KAI_BROAD_FIXED) continue;
            kai_narrow_find(kai_proximity_geometry(p, a, &sa), &fa,
                            kai_proximity_geometry(p, b, &sb), &fb, p->reach, &m);
            for (int i = 0; i < m.count; i++, k++) {
                assert_true(k < p->contact_count);
                const kai_proximity_contact* c = &p->contacts[k];
                assert_int_equal(c->a, a);
                assert_int_equal(c->b, b);
                // Two spheres have their own code: the same to rounding, in a room of 1 m.
                check_near(c->contact.gap, m.contacts[i].gap, 1e-15, "narrow phase, 4 ulp of 1");
                check_vec3(c->contact.point_a, m.contacts[i].point_a, 1e-14, "narrow phase");
                check_vec3(c->contact.point_b, m.contacts[i].point_b, 1e-14, "narrow phase");
                check_vec3(c->contact.normal, m.contacts[i].normal, 1e-13, "narrow phase");
                assert_true(c->contact.radius_a == m.contacts[i].radius_a);
                assert_true(c->contact.radius_b == m.contacts[i].radius_b);
                assert_int_equal(c->contact.feature, m.contacts[i].feature);
                deepest = fmax(deepest, -c->contact.gap);
            }
        }
    }
    assert_int_equal(k, p->contact_count);
    assert_true(deepest == p->deepest);
    return k;
}

static void test_against_all_pairs(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    fill_items(&f, 400);
    f.proximity.reach = 0.01;
    size_t found = 0;
    for (int step = 0; step < 12; step++) {
        update(&f, 2);
        found += check_all(&f);
        move(&f, 2e-3);
    }
    assert_true(found > 4000);
    assert_true(f.proximity.broad.reuses > 0);
    finish(&f);
}

static void test_same_on_threads(void** state)
{
    (void)state;
    kai_proximity_contact* first = NULL;
    size_t count = 0;
    for (int t = 0; t < CHOICES; t++) {
        fixture f;
        start(&f);
        fill_items(&f, 3000);
        f.proximity.reach = 0.005;
        for (int step = 0; step < 3; step++) {
            update(&f, THREADS[t]);
            move(&f, 1e-3);
        }
        const kai_proximity* p = &f.proximity;
        if (t == 0) {
            count = p->contact_count;
            first = malloc(count * sizeof *first);
            assert_non_null(first);
            memcpy(first, p->contacts, count * sizeof *first);
        }
        assert_int_equal(p->contact_count, count);
        for (size_t k = 0; k < count; k++) { // bit for bit, but for the padding
            const kai_contact *x = &first[k].contact, *y = &p->contacts[k].contact;
            assert_memory_equal(x, y, offsetof(kai_contact, feature) + sizeof x->feature);
            assert_true(first[k].a == p->contacts[k].a && first[k].b == p->contacts[k].b);
        }
        finish(&f);
    }
    free(first);
}

// Contacts are those of the present poses, whenever pairs were built.
static void test_no_memory_of_the_past(void** state)
{
    (void)state;
    fixture f, g;
    start(&f);
    start(&g);
    fill_items(&f, 600);
    fill_items(&g, 600);
    f.proximity.reach = g.proximity.reach = 0.01;
    for (int step = 0; step < 30; step++) {
        update(&f, 2);
        move(&f, 2e-4);
        move(&g, 2e-4);
    }
    update(&f, 2);
    update(&g, 2);
    assert_true(f.proximity.broad.reuses > 0 && g.proximity.broad.builds == 1);
    assert_int_equal(f.proximity.contact_count, g.proximity.contact_count);
    for (size_t k = 0; k < f.proximity.contact_count; k++) {
        const kai_contact *x = &f.proximity.contacts[k].contact,
                          *y = &g.proximity.contacts[k].contact;
        assert_memory_equal(x, y, offsetof(kai_contact, feature) + sizeof x->feature);
    }
    finish(&f);
    finish(&g);
}

static void test_skipped_pairs(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    fill_items(&f, 300);
    update(&f, 2);
    kai_proximity* p = &f.proximity;
    assert_true(p->contact_count > 10);
    const uint32_t a = p->contacts[4].a, b = p->contacts[4].b;
    size_t between = 0;
    for (size_t k = 0; k < p->contact_count; k++)
        between += p->contacts[k].a == a && p->contacts[k].b == b;
    const size_t before = p->contact_count;
    const uint64_t skip = (uint64_t)a << 32 | b;
    check_ok(kai_array_append(&p->skips, &f.memory, &skip, 1, &f.err));
    ((kai_proximity_item*)p->items.data)[a].group |= KAI_PROXIMITY_SKIPS;
    ((kai_proximity_item*)p->items.data)[b].group |= KAI_PROXIMITY_SKIPS;
    update(&f, 2);
    assert_int_equal(p->contact_count, before - between);
    finish(&f);
}

static void test_warm(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    fill_items(&f, 2000);
    for (int step = 0; step < 3; step++) {
        f.proximity.changed = true;
        update(&f, 2);
    }
    const uint64_t before = f.memory.allocations;
    for (int step = 0; step < 5; step++) {
        f.proximity.changed = step % 2;
        update(&f, 2);
    }
    assert_int_equal(f.memory.allocations, before);
    finish(&f);
}

static void test_degenerate(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    fill_items(&f, 20);
    // Two spheres in one place: a contact, with some normal of length 1.
    f.poses[9].position = f.poses[10].position;
    f.proximity.reach = 0.0;
    kai_proximity_item* items = f.proximity.items.data;
    items[9].group = items[10].group; // one with no frame of its own
    assert_int_equal(kai_proximity_group_of(&f.proximity, 9)->frame, 0);
    update(&f, 1);
    bool found = false;
    for (size_t k = 0; k < f.proximity.contact_count; k++) {
        const kai_proximity_contact* c = &f.proximity.contacts[k];
        check_near(kai_vec3_norm(c->contact.normal), 1.0, 1e-14, "unit vector");
        if (c->a == 9 && c->b == 10) found = true;
    }
    assert_true(found);
    // A pose that is not a number is told, and leaves no contacts.
    f.poses[3].position.x = (double)NAN;
    const kai_proximity_poses poses = poses_of(&f);
    check_error(kai_proximity_update(&f.proximity, 2, &poses, &f.err), KAI_ERROR_DIVERGED);
    assert_int_equal(f.proximity.contact_count, 0);
    finish(&f);
}

// Fast items --------------------------------------------------------------------------------------

// The frame of an item after t seconds.
static kai_frame frame_after(const fixture* f, size_t i, double t)
{
    const kai_proximity* p = &f->proximity;
    const kai_frame at = {kai_vec3_mul_add(f->poses[i].position, f->poses[i].velocity, t),
                          kai_quat_integrate_body(f->poses[i].rotation, f->poses[i].spin, t)};
    const uint32_t frame = kai_proximity_group_of(p, i)->frame;
    return frame ? kai_frame_compose(at, ((const kai_frame*)p->frames.data)[frame - 1]) : at;
}

// The least gap of two items on their ways, looked at in `samples` moments.
static double least_gap(const fixture* f, size_t a, size_t b, double sweep, int samples)
{
    double least = HUGE_VAL;
    kai_geometry sa, sb;
    const kai_geometry* ga = kai_proximity_geometry(&f->proximity, a, &sa);
    const kai_geometry* gb = kai_proximity_geometry(&f->proximity, b, &sb);
    for (int k = 0; k <= samples; k++) {
        const double t = sweep * k / samples;
        const kai_frame fa = frame_after(f, a, t), fb = frame_after(f, b, t);
        least = fmin(least, kai_narrow_distance(ga, &fa, gb, &fb, NULL, NULL, NULL));
    }
    return least;
}

// Every pair that touches on its way has contacts, and no pair has some that stays farther apart
// than the reach; however the pairs were found.
static void test_sweep(void** state)
{
    (void)state;
    enum { COUNT = 64, SAMPLES = 200 };
    fixture f;
    start(&f);
    fill_items(&f, COUNT);
    kai_proximity* p = &f.proximity;
    p->reach = 0.01;
    p->sweep = 0.3; // s at about 1 m/s, for shapes of 0.2 m
    f.poses[PLANE].velocity = f.poses[PLANE].spin = kai_vec3_zero();
    int met = 0, passed = 0;
    for (int round = 0; round < 3; round++) {
        update(&f, 1 + round);
        size_t k = 0;
        for (size_t a = 0; a < COUNT; a++) {
            for (size_t b = a + 1; b < COUNT; b++) {
                const size_t first = k;
                while (k < p->contact_count && p->contacts[k].a == a && p->contacts[k].b == b) k++;
                // Points of 1 m/s each, and of 0.25 m arms that turn at up to 2 rad/s: so far
                // between two samples.
                const double step = 3.0 * 1.8 * p->sweep / SAMPLES;
                const double least = least_gap(&f, a, b, p->sweep, SAMPLES);
                if (least < 0.0) assert_true(k > first);
                if (least > p->reach + step) assert_true(k == first);
                met += least < 0.0 && least_gap(&f, a, b, 0.0, 1) > p->reach;
                passed += least > p->reach + step && least < 0.2;
                for (size_t i = first; i < k; i++) {
                    const kai_contact* c = &p->contacts[i].contact;
                    check_near(kai_vec3_dot(c->normal, kai_vec3_sub(c->point_b, c->point_a)),
                               c->gap, 1e-12, "the gap between the points");
                }
            }
        }
        assert_int_equal(k, p->contact_count);
        move(&f, 0.02);
    }
    assert_true(met > 50 && passed > 50);
    finish(&f);
}

// Memory ------------------------------------------------------------------------------------------

enum { TILE = 216, COPIES = 9, ROUNDS = 600 };

// A random packing of spheres of diameter 1 in a periodic cube: overlaps are pushed apart.
static double pack_tile(double packing, kai_vec3* tile)
{
    const double side = cbrt(TILE * KAI_PI / 6.0 / packing);
    for (uint64_t i = 0; i < TILE; i++) tile[i] = kai_vec3_scale(helper_random_vec3(i), 0.5 * side);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t a = 0; a < TILE; a++) {
            for (size_t b = a + 1; b < TILE; b++) {
                kai_vec3 d = kai_vec3_sub(tile[b], tile[a]);
                d.x -= side * nearbyint(d.x / side);
                d.y -= side * nearbyint(d.y / side);
                d.z -= side * nearbyint(d.z / side);
                const double r2 = kai_vec3_norm2(d);
                if (r2 >= 1.0) continue;
                const kai_vec3 push = kai_vec3_scale(d, 0.5 * (1.0 / sqrt(r2) - 1.0));
                tile[a] = kai_vec3_sub(tile[a], push);
                tile[b] = kai_vec3_add(tile[b], push);
            }
        }
    }
    return side;
}

// Equal spheres at packing 0.6 take less than 120 bytes each, items and broad phase together; what
// does not grow with them (tables a thread) is 0.2 MB.
static void test_bytes(void** state)
{
    (void)state;
    static kai_vec3 tile[TILE];
    fixture f;
    start(&f);
    kai_proximity* p = &f.proximity;
    const double side = pack_tile(0.6, tile);
    f.count = (size_t)TILE * COPIES * COPIES * COPIES;
    f.poses = calloc(f.count, sizeof *f.poses);
    assert_non_null(f.poses);
    const kai_proximity_group group = {
        .geometry = KAI_PROXIMITY_SPHERE, .family = 1, .mask = UINT16_MAX, .radius = 0.5};
    check_ok(kai_array_reserve(&p->items, &f.memory, f.count, &f.err));
    for (size_t i = 0; i < f.count; i++) {
        const size_t copy = i / TILE;
        const kai_vec3 at = {(double)(copy % COPIES), (double)(copy / COPIES % COPIES),
                             (double)(copy / COPIES / COPIES)};
        f.poses[i].position = kai_vec3_mul_add(tile[i % TILE], at, side);
        f.poses[i].rotation = kai_quat_identity();
        check_ok(kai_proximity_add(p, (uint32_t)i, (uint32_t)i, &group, &f.err));
    }
    for (int k = 0; k < 3; k++) {
        p->changed = true;
        update(&f, 2);
    }
    assert_int_equal(p->groups.count, 1);
    const double n = (double)f.count;
    assert_true((double)p->broad.pair_count / n > 3.0); // it is packed
    assert_true(((double)kai_proximity_bytes(p) - 2e5) / n < 120.0);
    finish(&f);
}

// Groups are shared where items are equal, in whatever order sizes come.
static void test_groups(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    kai_proximity* p = &f.proximity;
    for (uint32_t i = 0; i < 1000; i++) {
        const kai_proximity_group group = {.geometry = KAI_PROXIMITY_SPHERE,
                                           .family = 1,
                                           .mask = UINT16_MAX,
                                           .radius = 0.1 * (1 + i * i % 5)};
        check_ok(kai_proximity_add(p, i, 7000 + i, &group, &f.err));
        assert_true(kai_proximity_group_of(p, i)->radius == group.radius);
    }
    assert_true(p->groups.count <= 8); // three sizes; those of one hash replace each other
    const kai_proximity_group odd = {.radius = (double)NAN};
    for (uint32_t i = 0; i < 3; i++) check_ok(kai_proximity_add(p, i, i, &odd, &f.err));
    check_ok(kai_proximity_clear(p, &f.err));
    assert_int_equal(p->items.count, 0);
    assert_int_equal(p->groups.count, 0);
    finish(&f);
}

// The box of every geometry holds its support points and is touched by them.
static void test_bounds(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    for (size_t s = 0; s < SHAPE_COUNT; s++) {
        kai_geometry g = SHAPES[s];
        if (s == PLANE) continue;
        if (s == HULL) g.hull = &f.hull;
        for (uint64_t i = 0; i < 50; i++) {
            const kai_frame frame = {helper_random_vec3(i), helper_random_rotation(i)};
            kai_vec3 low, high;
            kai_broad_bounds(&g, &frame, &low, &high);
            // The distance from a far point along an axis is that to the side of the box.
            for (int k = 0; k < 3; k++) {
                const kai_geometry wall = {.type = KAI_GEOMETRY_PLANE, .size = kai_vec3_axis(k)};
                const kai_frame at = {kai_vec3_make(-100.0, -100.0, -100.0), kai_quat_identity()};
                const double gap = kai_narrow_distance(&wall, &at, &g, &frame, NULL, NULL, NULL);
                check_near(kai_vec3_get(low, k), gap - 100.0, 1e-12, "distance to a plane");
                const kai_geometry back = {.type = KAI_GEOMETRY_PLANE,
                                           .size = kai_vec3_neg(kai_vec3_axis(k))};
                const kai_frame top = {kai_vec3_make(100.0, 100.0, 100.0), kai_quat_identity()};
                const double up = kai_narrow_distance(&back, &top, &g, &frame, NULL, NULL, NULL);
                check_near(kai_vec3_get(high, k), 100.0 - up, 1e-12, "distance to a plane");
            }
            const double r = kai_broad_bounds_radius(&g);
            const kai_vec3 far =
                kai_vec3_max(kai_vec3_sub(high, frame.position), kai_vec3_sub(frame.position, low));
            assert_true(kai_vec3_max_abs(far) <= r * (1.0 + 1e-12));
        }
    }
    finish(&f);
}

// Contacts ahead of the poses are those of the poses moved by their velocities.
static void test_lead(void** state)
{
    (void)state;
    fixture f, g;
    const double lead = 0.02;
    start(&f);
    start(&g);
    fill_items(&f, 300);
    fill_items(&g, 300);
    for (int round = 0; round < 3; round++) {
        kai_proximity_poses poses = poses_of(&f);
        poses.lead = lead;
        check_ok(kai_proximity_update(&f.proximity, 2, &poses, &f.err));
        for (size_t i = 0; i < g.count; i++) {
            g.poses[i] = f.poses[i];
            g.poses[i].position = kai_vec3_mul_add(f.poses[i].position, f.poses[i].velocity, lead);
        }
        update(&g, 1);
        assert_true(g.proximity.contact_count > 10);
        assert_int_equal(f.proximity.contact_count, g.proximity.contact_count);
        for (size_t i = 0; i < g.proximity.contact_count; i++) {
            const kai_proximity_contact *p = &f.proximity.contacts[i],
                                        *q = &g.proximity.contacts[i];
            assert_true(p->a == q->a && p->b == q->b);
            check_near(p->contact.gap, q->contact.gap, 1e-12, "poses that were moved");
        }
        move(&f, 1e-3);
    }
    finish(&f);
    finish(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_pairs),
        cmocka_unit_test(test_same_on_threads),
        cmocka_unit_test(test_no_memory_of_the_past),
        cmocka_unit_test(test_skipped_pairs),
        cmocka_unit_test(test_warm),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
