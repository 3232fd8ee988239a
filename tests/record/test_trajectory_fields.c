// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Colour fields of a trajectory: a ball that flies and turns, and one that rests on a floor.
#include "worlds.h"

#include "record/trajectory/trajectory_fields.h"
#include "record/trajectory/trajectory_read.h"

#include <kairos/contact.h>

enum { ALL = (1 << KAI_TRAJECTORY_FIELD_COUNT) - 1 };

static const kai_trajectory_def DEF = {.enabled = true, .double_precision = true, .fields = ALL};
static const kai_shape_sphere_params BALL = {0.5};
static const kai_shape_plane_params FLOOR = {{0.0, 0.0, 1.0}};
static const double GRAVITY = 9.81, MASS = 2.0;

static kai_body add(kai_world* world, kai_vec3 at, kai_vec3 velocity, kai_vec3 spin, bool floor)
{
    kai_body_def def = kai_body_def_default();
    def.mass = MASS;
    def.inertia = (kai_inertia){.xx = 0.2, .yy = 0.2, .zz = 0.2};
    def.position = at;
    def.velocity = velocity;
    def.angular_velocity = spin;
    def.fixed = floor;
    kai_body body;
    kai_shape shape;
    check_ok(kai_body_create(world, &def, &body));
    const kai_shape_def form = kai_shape_def_default();
    check_ok(kai_shape_create(world, body, floor ? &kai_shape_plane : &kai_shape_sphere,
                              floor ? (const void*)&FLOOR : &BALL, &form, &shape));
    return body;
}

// A floor, a ball that rests on it, and one that rises at 20 m/s and turns at 3 rad/s.
static kai_world* make(int threads)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_make(0.0, 0.0, -GRAVITY);
    def.threads = threads;
    kai_world* world = NULL;
    check_ok(kai_world_create(&def, &world, NULL));
    const kai_vec3 none = kai_vec3_zero();
    add(world, none, none, none, true);
    add(world, kai_vec3_make(0.0, 0.0, 0.5), none, none, false);
    add(world, kai_vec3_make(9.0, 0.0, 5.0), kai_vec3_make(0.0, 0.0, 20.0),
        kai_vec3_make(0.0, 3.0, 0.0), false);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_NSC;
    check_ok(kai_contact_set(world, &contact));
    return world;
}

static void check_frame(const kai_trajectory_frame* f)
{
    const double weight = MASS * GRAVITY, up = 20.0 - GRAVITY * f->time;
    const double energy = 0.5 * MASS * up * up + 0.5 * 0.2 * 9.0;
    const double expected[KAI_TRAJECTORY_FIELD_COUNT][3] = {
        {0.0, 0.0, fabs(up)},  {0.0, 0.0, 3.0},       {0.0, 0.0, energy},
        {weight, weight, 0.0}, {weight, weight, 0.0}, {1.0, 1.0, 0.0}};
    for (size_t k = 0; k < KAI_TRAJECTORY_FIELD_COUNT; k++) {
        assert_non_null(f->fields[k]);
        // Uniform acceleration is exact in euler up to rounding; the cone solver stops when speeds
        // are right to 1e-9 m/s, which is 2e-6 N in a step of 1 ms.
        for (size_t i = 0; i < 3; i++)
            check_near(f->fields[k][i], expected[k][i], k < 3 ? 1e-10 * (1.0 + energy) : 4e-6,
                       kai_trajectory_fields_word(k));
    }
}

static void check_file(const char* path, size_t frames, uint32_t fields)
{
    kai_trajectory_read* reader = NULL;
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    assert_int_equal(kai_trajectory_read_frames(reader), frames);
    assert_int_equal(kai_trajectory_read_fields(reader), fields);
    assert_true(kai_trajectory_read_pushing(reader));
    for (size_t k = 0; k < frames; k++) {
        kai_trajectory_frame f;
        check_ok(kai_trajectory_read_frame(reader, k, &f, NULL));
        if (fields == ALL) check_frame(&f);
        assert_int_equal(f.contacts.count, 1);
        check_near(fabs(f.contacts.force[2]), MASS * GRAVITY, 4e-6, "the ball's weight");
        float speed[3];
        check_ok(kai_trajectory_read_field(reader, k, KAI_TRAJECTORY_FIELD_SPEED, speed, NULL));
        check_near((double)speed[2], f.fields[0][2], 1e-5, "the same number as float");
        const uint32_t* id;
        size_t count;
        check_ok(kai_trajectory_read_ids(reader, k, &id, &count, NULL));
        assert_int_equal(count, 3);
        for (size_t i = 0; i < 3; i++) assert_int_equal(id[i], f.id[i]);
        check_error(kai_trajectory_read_field(reader, frames, 0, speed, NULL), KAI_ERROR_FORMAT);
        check_error(kai_trajectory_read_field(reader, k, 99, speed, NULL), KAI_ERROR_FORMAT);
    }
    kai_trajectory_read_close(reader);
}

static void step(kai_trajectory* t, kai_world* world, int steps)
{
    for (int k = 0; k < steps; k++) check_ok(kai_world_step(world, 1e-3));
    check_ok(kai_trajectory_add_world(t, world, NULL));
}

static void test_closed_forms(void** state)
{
    (void)state;
    char path[256];
    kai_world* world = make(1);
    kai_trajectory* t = NULL;
    check_ok(kai_trajectory_create(&t, worlds_path(path, "f.h5"), world, &DEF, "scene", NULL));
    for (int k = 0; k < 8; k++) step(t, world, 20);
    check_ok(kai_trajectory_close(t, false, NULL));
    check_file(path, 8, ALL);

    // Cut back and on; then with fewer fields, and back to all: those are then not known.
    check_ok(kai_trajectory_resume(&t, path, world, &DEF, "scene", 5, NULL));
    step(t, world, 20);
    check_ok(kai_trajectory_close(t, false, NULL));
    check_file(path, 6, ALL);
    const kai_trajectory_def less = {.enabled = true, .fields = 1};
    check_ok(kai_trajectory_resume(&t, path, world, &less, "scene", 6, NULL));
    check_ok(kai_trajectory_close(t, false, NULL));
    check_file(path, 6, 1);
    check_ok(kai_trajectory_resume(&t, path, world, &DEF, "scene", 6, NULL));
    check_ok(kai_trajectory_close(t, false, NULL));
    kai_trajectory_read* reader = NULL;
    kai_trajectory_frame f;
    check_ok(kai_trajectory_read_open(&reader, path, UINT32_MAX, NULL));
    check_ok(kai_trajectory_read_frame(reader, 3, &f, NULL));
    assert_true(isfinite(f.fields[0][2]) && isnan(f.fields[2][2]));
    kai_trajectory_read_close(reader);
    kai_world_destroy(world);
    unlink(path);
}

// The same bits for any number of threads, and slots that are none.
static void test_threads(void** state)
{
    (void)state;
    double first[KAI_TRAJECTORY_FIELD_COUNT][4];
    const int threads[] = {1, 2, 3, 7, 16};
    const uint32_t slots[] = {2, UINT32_MAX, 0, 1};
    for (size_t n = 0; n < KAI_COUNT(threads); n++) {
        kai_world* world = make(threads[n]);
        kai_trajectory_fields scratch = {0};
        for (int k = 0; k < 30; k++) check_ok(kai_world_step(world, 1e-3));
        check_ok(kai_trajectory_fields_look(&scratch, world, ALL, NULL));
        for (size_t f = 0; f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
            double now[4];
            kai_trajectory_fields_gather(&scratch, world, f, slots, 4, true, now);
            assert_true(isnan(now[1]));
            if (n == 0) memcpy(first[f], now, sizeof now);
            for (size_t i = 0; i < 4; i++)
                if (i != 1) assert_true(now[i] == first[f][i]);
        }
        kai_trajectory_fields_free(&scratch);
        kai_world_destroy(world);
    }
}

// Fields of contacts in a world that never had any: nobody pushes.
static void test_no_contacts(void** state)
{
    (void)state;
    const uint32_t slots[] = {0};
    kai_world* world = NULL;
    kai_body body;
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 1.0};
    const kai_world_def world_def = kai_world_def_default();
    check_ok(kai_world_create(&world_def, &world, NULL));
    check_ok(kai_body_create(world, &def, &body));
    check_ok(kai_world_step(world, 1e-3));
    kai_trajectory_fields scratch = {0};
    check_ok(kai_trajectory_fields_look(&scratch, world, ALL, NULL));
    for (size_t f = KAI_TRAJECTORY_FIELD_CONTACT_FORCE; f < KAI_TRAJECTORY_FIELD_COUNT; f++) {
        double now = 1.0;
        kai_trajectory_fields_gather(&scratch, world, f, slots, 1, true, &now);
        assert_true(now == 0.0);
    }
    kai_trajectory_fields_free(&scratch);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_contacts),
                                       cmocka_unit_test(test_closed_forms),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
