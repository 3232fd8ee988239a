// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies in another storage order: nothing that a user sees changes place.
#include "worlds.h"

#include "model/body_order.h"
#include "model/world.h"
#include "record/trajectory/trajectory_read.h"

#include <kairos/collision.h>

static const kai_trajectory_def DEF = {.enabled = true, .double_precision = true};

// worlds_make, with a joint and a joint's worth of bodies that lie in no order.
static kai_world* make(void)
{
    kai_world* world = worlds_make(NULL, NULL);
    kai_joint_base joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &joint);
    joint.bodies[0] = kai_body_find(world, "a");
    joint.bodies[1] = kai_body_find(world, "e");
    joint.at = kai_vec3_make(2.0, 1.0, 2.0);
    joint.axis = kai_vec3_axis(2);
    kai_joint out;
    check_ok(kai_joint_create(world, &kai_joint_spherical, &joint, "ball", &out));
    for (uint64_t i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "late%d", (int)i);
        const kai_body body = worlds_body(world, name, 3.0 + 3.0 * helper_random(i));
        const kai_shape_sphere_params ball = {.radius = 0.3};
        const kai_shape_def def = kai_shape_def_default();
        kai_shape shape;
        check_ok(kai_shape_create(world, body, &kai_shape_sphere, &ball, &def, &shape));
    }
    return world;
}

static kai_body body_of(const kai_world* world, uint32_t index)
{
    for (size_t i = 0; i < kai_body_count(world); i++)
        if (kai_body_at(world, i).index == index) return kai_body_at(world, i);
    fail_msg("no body has the id %u", index);
    return (kai_body){0};
}

/// Every body of a is in b, under its id and name, in the same state to `tolerance`.
static void check_same(const kai_world* a, const kai_world* b, double tolerance)
{
    assert_int_equal(kai_body_count(a), kai_body_count(b));
    for (size_t i = 0; i < kai_body_count(a); i++) {
        const kai_body x = kai_body_at(a, i), y = body_of(b, x.index);
        assert_int_equal(x.generation, y.generation);
        assert_string_equal(kai_body_name(a, x), kai_body_name(b, y));
        assert_int_equal(kai_body_user_data(a, x), kai_body_user_data(b, y));
        check_vec3(kai_body_position(b, y), kai_body_position(a, x), tolerance, "position");
        check_vec3(kai_body_velocity(b, y), kai_body_velocity(a, x), tolerance, "velocity");
        check_vec3(kai_body_angular_velocity(b, y), kai_body_angular_velocity(a, x), tolerance,
                   "angular velocity");
        kai_mass_properties m, n;
        check_ok(kai_body_mass(a, x, &m));
        check_ok(kai_body_mass(b, y, &n));
        assert_true(m.mass == n.mass);
    }
}

static void test_ids_stay(void** state)
{
    (void)state;
    kai_world *a = make(), *b = make();
    const uint64_t before = kai_world_hash(b);
    check_ok(kai_world_reorder(b));
    assert_true(kai_world_hash(b) != before); // some did change places
    check_same(a, b, 0.0);
    const kai_particles grains = kai_particles_find(b, "grains");
    for (size_t i = 0; i < 50; i++) {
        const kai_body body = kai_particles_body(b, grains, i);
        assert_true(kai_body_is_valid(b, body) == (i != 7));
    }
    // Once in order, they stay.
    const uint64_t ordered = kai_world_hash(b);
    check_ok(kai_world_reorder(b));
    assert_true(kai_world_hash(b) == ordered);
    // Joints, loads and functions go on; sums are taken in another order.
    for (int i = 0; i < 50; i++) {
        check_ok(kai_world_step(a, 1e-3));
        check_ok(kai_world_step(b, 1e-3));
    }
    check_same(a, b, 1e-11);
    kai_energy ea, eb;
    check_ok(kai_world_energy(a, &ea));
    check_ok(kai_world_energy(b, &eb));
    check_near(eb.kinetic, ea.kinetic, 1e-11 * ea.kinetic, "energy");
    kai_world_destroy(a);
    kai_world_destroy(b);
}

/// Contacts as pairs of bodies.
static size_t count_between(kai_world* world, kai_body a, kai_body b)
{
    size_t count = 0;
    for (size_t i = 0; i < kai_collision_count(world); i++) {
        kai_collision_contact c;
        check_ok(kai_collision_at(world, i, &c));
        count += (c.body_a.index == a.index && c.body_b.index == b.index) ||
                 (c.body_a.index == b.index && c.body_b.index == a.index);
    }
    return count;
}

static void test_contacts_stay(void** state)
{
    (void)state;
    kai_world *a = make(), *b = make();
    check_ok(kai_world_collide(a));
    check_ok(kai_world_collide(b));
    check_ok(kai_world_reorder(b));
    assert_int_equal(kai_collision_count(b), 0); // until they are looked for again
    check_ok(kai_world_collide(b));
    assert_true(kai_collision_count(a) > 20);
    assert_int_equal(kai_collision_count(b), kai_collision_count(a));
    check_near(kai_collision_depth(b), kai_collision_depth(a), 1e-15, "a and b exchanged");
    for (size_t i = 0; i < kai_collision_count(a); i++) {
        kai_collision_contact c;
        check_ok(kai_collision_at(a, i, &c));
        assert_int_equal(count_between(a, c.body_a, c.body_b),
                         count_between(b, c.body_a, c.body_b));
    }
    kai_world_destroy(a);
    kai_world_destroy(b);
}

/// A checkpoint keeps the order: what goes on from it is the same to the bit.
static void test_saved(void** state)
{
    (void)state;
    static const kai_load_kind* const KINDS[] = {&PROBE_KIND, NULL};
    char path[256];
    kai_world *a = make(), *b = NULL;
    check_ok(kai_world_reorder(a));
    check_ok(kai_world_step(a, 1e-3));
    check_ok(kai_world_save(a, worlds_path(path, "o.h5")));
    kai_world_def def = kai_world_def_default();
    def.kinds.loads = KINDS;
    check_ok(kai_world_load(&def, path, &b, NULL));
    assert_true(kai_world_hash(a) == kai_world_hash(b));
    for (int i = 0; i < 20; i++) {
        check_ok(kai_world_step(a, 1e-3));
        check_ok(kai_world_step(b, 1e-3));
    }
    assert_true(kai_world_hash(a) == kai_world_hash(b));
    kai_world_destroy(a);
    kai_world_destroy(b);
    unlink(path);
}

/// Rows of a file are in the order of ids, before and after.
static void test_file_order(void** state)
{
    (void)state;
    char path[256];
    kai_world* world = make();
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "r.h5"), world, &DEF, "scene", NULL));
    check_ok(kai_trajectory_add_world(t, world, NULL));
    check_ok(kai_world_reorder(world));
    check_ok(kai_trajectory_add_world(t, world, NULL));
    check_ok(kai_trajectory_close(t, false, NULL));
    kai_trajectory_read* reader = NULL;
    check_ok(kai_trajectory_read_open(&reader, path, UINT64_MAX, NULL));
    assert_int_equal(kai_trajectory_read_frames(reader), 2);
    const size_t n = kai_body_count(world);
    uint32_t* id = calloc(n, sizeof *id);
    double* position = calloc(3 * n, sizeof *position);
    assert_true(id && position);
    kai_trajectory_frame frame;
    for (size_t k = 0; k < 2; k++) {
        check_ok(kai_trajectory_read_frame(reader, k, &frame, NULL));
        assert_int_equal(frame.count, n);
        for (size_t i = 0; i < n; i++) {
            if (i > 0) assert_true(frame.id[i] > frame.id[i - 1]);
            check_vec3(kai_vec3_make(frame.position[3 * i], frame.position[3 * i + 1],
                                     frame.position[3 * i + 2]),
                       kai_body_position(world, body_of(world, frame.id[i])), 0.0, "its own row");
        }
        if (k > 0) assert_memory_equal(id, frame.id, n * sizeof *id);
        if (k > 0) assert_memory_equal(position, frame.position, 3 * n * sizeof *position);
        memcpy(id, frame.id, n * sizeof *id);
        memcpy(position, frame.position, 3 * n * sizeof *position);
    }
    free(id);
    free(position);
    kai_trajectory_read_close(reader);
    kai_world_destroy(world);
    unlink(path);
}

/// Neighbours come close in memory, whatever the number of threads.
static void test_spread(void** state)
{
    (void)state;
    enum { COUNT = 8000 };
    static double x[3][COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        const kai_vec3 at = helper_random_vec3(i);
        x[0][i] = at.x, x[1][i] = at.y, x[2][i] = at.z;
    }
    uint64_t hash = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        kai_world_def def = kai_world_def_default();
        def.threads = threads;
        kai_world* world = NULL;
        check_ok(kai_world_create(&def, &world, NULL));
        const kai_shape_sphere_params sphere = {.radius = 0.05};
        kai_particles_def grains = kai_particles_def_default();
        grains.shape = &kai_shape_sphere;
        grains.shape_params = &sphere;
        grains.density = 1000.0;
        grains.table = (kai_particle_table){.count = COUNT, .x = x[0], .y = x[1], .z = x[2]};
        kai_particles group;
        check_ok(kai_particles_create(world, &grains, &group));
        assert_true(kai_body_order_spread(world) == 0.0); // nothing known yet
        check_ok(kai_world_collide(world));
        // |i - j| of two random numbers is a third of their range.
        check_near(kai_body_order_spread(world), cbrt(COUNT) / 3.0, 0.05 * cbrt(COUNT),
                   "random order");
        const size_t contacts = kai_collision_count(world);
        check_ok(kai_world_reorder(world));
        check_ok(kai_world_collide(world));
        assert_int_equal(kai_collision_count(world), contacts);
        assert_true(kai_body_order_spread(world) < 1.0);
        if (threads > 1) assert_true(kai_world_hash(world) == hash);
        hash = kai_world_hash(world);
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_stay), cmocka_unit_test(test_contacts_stay),
        cmocka_unit_test(test_saved),    cmocka_unit_test(test_file_order),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
