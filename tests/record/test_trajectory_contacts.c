// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts in a trajectory: those of a ball that passes a floor are known at every time.
#include "worlds.h"

#include "record/trajectory/trajectory_read.h"

#include <kairos/collision.h>
#include <stdlib.h>

static const kai_trajectory_def DEF = {.enabled = true, .double_precision = true};
static const kai_collision_def DETECT = {.detect = true};
static const kai_shape_sphere_params BALL = {0.5};
static const kai_shape_plane_params FLOOR = {{0.0, 0.0, 1.0}};
static int warnings;

static void count_warnings(void* context, kai_log_level level, const char* message)
{
    (void)context;
    if (level == KAI_LOG_WARNING && strstr(message, "contacts") != NULL) warnings++;
}

static void add(kai_world* world, kai_vec3 at, bool floor)
{
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 1.0};
    def.position = at;
    def.velocity = kai_vec3_make(0.0, 0.0, floor ? 0.0 : -1.0);
    def.fixed = floor;
    kai_body body;
    kai_shape shape;
    check_ok(kai_body_create(world, &def, &body));
    const kai_shape_def form = kai_shape_def_default();
    check_ok(kai_shape_create(world, body, floor ? &kai_shape_plane : &kai_shape_sphere,
                              floor ? (const void*)&FLOOR : &BALL, &form, &shape));
}

static kai_world* make(void)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    def.log = count_warnings;
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    add(world, kai_vec3_zero(), true);
    return world;
}

static void add_frame(kai_trajectory* t, kai_world* world)
{
    check_ok(kai_world_collide(world));
    check_ok(kai_trajectory_add_world(t, world, NULL));
}

// The ball begins 0.1 m above the floor at 1 m/s: its gap is 0.1 - time, and it is a contact from
// 0.1 s on.
static void check_file(const char* path, size_t frames)
{
    kai_trajectory_read* reader = NULL;
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    assert_true(kai_trajectory_read_touching(reader));
    assert_int_equal(kai_trajectory_read_frames(reader), frames);
    for (size_t k = 0; k < frames; k++) {
        kai_trajectory_contacts c;
        const double time = kai_trajectory_read_times(reader)[k], gap = 0.1 - time;
        check_ok(kai_trajectory_read_contacts(reader, k, &c, NULL));
        assert_int_equal(c.count, gap < 0.0);
        assert_int_equal(c.found, c.count);
        assert_int_equal(kai_trajectory_read_contact_count(reader, k), c.count);
        if (c.count == 0) continue;
        // Rounding of at most 20 steps.
        check_near(c.gap[0], gap, 1e-14, "0.1 - t");
        check_near(fabs(c.normal[2]), 1.0, 1e-15, "the floor's normal");
        check_near(c.point[2], 0.5 * gap, 1e-14, "midway");
        assert_true(kai_trajectory_read_pairing(reader));
        assert_int_equal(c.body[0] + c.body[1], 3); // the floor and the ball
    }
    kai_trajectory_contacts c;
    check_error(kai_trajectory_read_contacts(reader, frames, &c, NULL), KAI_ERROR_FORMAT);
    assert_int_equal(kai_trajectory_read_contact_count(reader, frames), 0);
    kai_trajectory_read_close(reader);
}

static void test_falls_through(void** state)
{
    (void)state;
    char path[256];
    kai_world* world = make();
    add(world, kai_vec3_make(3.0, 0.0, 0.6), false);
    check_ok(kai_collision_set(world, &DETECT));
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "c.h5"), world, &DEF, "scene", NULL));
    for (int k = 0; k < 15; k++) {
        check_ok(kai_world_step(world, 0.015));
        add_frame(t, world);
        if (k == 8) check_ok(kai_trajectory_flush(t, false, NULL));
    }
    check_ok(kai_trajectory_close(t, false, NULL));
    check_file(path, 15);

    // Cut back to where contacts have begun, and on.
    check_ok(kai_trajectory_resume(&t, path, world, &DEF, "scene", 10, NULL));
    check_ok(kai_world_step(world, 0.015));
    add_frame(t, world);
    check_ok(kai_trajectory_close(t, false, NULL));
    check_file(path, 11);
    kai_world_destroy(world);
    unlink(path);
}

// A file of before detection has no contacts; one that goes on with it has none for its frames.
static void test_without(void** state)
{
    (void)state;
    char path[256];
    kai_world* world = make();
    add(world, kai_vec3_make(0.0, 0.0, 0.4), false);
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "w.h5"), world, &DEF, "scene", NULL));
    add_frame(t, world);
    check_ok(kai_trajectory_close(t, false, NULL));
    kai_trajectory_read* reader = NULL;
    kai_trajectory_contacts c;
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    assert_false(kai_trajectory_read_touching(reader));
    check_ok(kai_trajectory_read_contacts(reader, 0, &c, NULL));
    assert_int_equal(c.count, 0);
    kai_trajectory_read_close(reader);

    check_ok(kai_collision_set(world, &DETECT));
    check_ok(kai_trajectory_resume(&t, path, world, &DEF, "scene", 1, NULL));
    add_frame(t, world);
    check_ok(kai_trajectory_close(t, false, NULL));
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(kai_trajectory_read_contact_count(reader, k), k);
    kai_trajectory_read_close(reader);
    kai_world_destroy(world);
    unlink(path);
}

// More than a frame keeps: evenly spread ones, all of them different, and one warning.
static void test_many(void** state)
{
    (void)state;
    enum { BALLS = KAI_TRAJECTORY_CONTACTS + KAI_TRAJECTORY_CONTACTS / 4 };
    char path[256];
    kai_world* world = make();
    for (int i = 0; i < BALLS; i++) add(world, kai_vec3_make(2.0 * i, 0.0, 0.4), false);
    check_ok(kai_collision_set(world, &DETECT));
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "m.h5"), world, &DEF, "scene", NULL));
    warnings = 0;
    add_frame(t, world);
    add_frame(t, world);
    assert_int_equal(warnings, 1);
    check_ok(kai_trajectory_close(t, false, NULL));
    kai_trajectory_read* reader = NULL;
    kai_trajectory_contacts c;
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    check_ok(kai_trajectory_read_contacts(reader, 1, &c, NULL));
    assert_int_equal(c.count, KAI_TRAJECTORY_CONTACTS);
    assert_int_equal(c.found, BALLS);
    double last = 0.0;
    for (size_t i = 0; i < c.count; i++) {
        assert_true(i == 0 || c.point[3 * i] > c.point[3 * i - 3]);
        last = c.point[3 * i];
    }
    assert_true(last > 2.0 * (BALLS - 3));
    kai_trajectory_read_close(reader);
    kai_world_destroy(world);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_falls_through),
                                       cmocka_unit_test(test_without), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
