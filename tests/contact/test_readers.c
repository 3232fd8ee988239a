// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Several threads read one world at the same time: bodies, contacts and reports. Built with the
// thread sanitizer, this shows that reading changes nothing once reports are up to date.
#include "../model/fixture.h"

#include "model/collision/collision.h"

#include <kairos/contact.h>
#include <pthread.h>

enum { PAIRS = 200, READERS = 4 };

// Pairs of spheres that overlap by a tenth of their radius, in the penalty method.
static void make_world(fixture* f)
{
    fixture_start(f);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    check_ok(kai_contact_set(f->world, &contact));
    const kai_shape_sphere_params sphere = {.radius = 1.0};
    const kai_shape_def def = kai_shape_def_default();
    for (int i = 0; i < 2 * PAIRS; i++) {
        kai_body_def body = body_def("");
        body.inertia = (kai_inertia){.xx = 1.0, .yy = 1.0, .zz = 1.0};
        body.position = kai_vec3_make(1.9 * (i % 2), 5.0 * (i / 2 % 20), 5.0 * (i / 40));
        kai_shape shape;
        check_ok(kai_shape_create(f->world, add_body(f, &body), &kai_shape_sphere, &sphere, &def,
                                  &shape));
    }
    for (int i = 0; i < 3; i++) check_ok(kai_world_step(f->world, 1e-6));
}

typedef struct reader {
    kai_world* world;
    double sum;   // over all that was read, in one order
    int failures; // calls that failed
} reader;

static void* read_all(void* context)
{
    reader* r = context;
    kai_world* w = r->world;
    for (size_t i = 0; i < kai_body_count(w); i++) {
        kai_vec3 force, torque;
        r->failures += kai_contact_report_body(w, kai_body_at(w, i), &force, &torque) != KAI_OK;
        r->sum += kai_body_position(w, kai_body_at(w, i)).x + fabs(force.x);
    }
    for (size_t i = 0; i < kai_contact_report_count(w); i++) {
        kai_contact_report report;
        kai_collision_contact c;
        r->failures += kai_contact_report_at(w, i, &report) != KAI_OK;
        r->failures += kai_collision_at(w, i, &c) != KAI_OK;
        r->sum += fabs(report.force.x) + c.gap;
    }
    r->sum += kai_collision_depth(w) + kai_world_time(w) + (double)(kai_world_hash(w) % 1000);
    return NULL;
}

static void test_at_the_same_time(void** state)
{
    fixture f, alone;
    make_world(&f);
    make_world(&alone);
    assert_true(f.world->collision->listed > 0); // spheres are kept apart until somebody asks
    const uint64_t hash = kai_world_hash(f.world);
    check_ok(kai_contact_report_update(f.world));
    assert_int_equal(f.world->collision->listed, 0);
    assert_int_equal(kai_contact_report_count(f.world), PAIRS);

    reader readers[READERS];
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){.world = f.world};
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
    }
    for (int i = 0; i < READERS; i++) pthread_join(threads[i], NULL);

    // One thread that reads the same without an update sees the same.
    reader one = {.world = alone.world};
    read_all(&one);
    assert_int_equal(one.failures, 0);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(readers[i].failures, 0);
        assert_true(readers[i].sum == one.sum);
    }
    assert_true(kai_world_hash(f.world) == hash);
    // Nothing is lost for the next step.
    check_ok(kai_world_step(f.world, 1e-6));
    check_ok(kai_world_step(alone.world, 1e-6));
    assert_true(kai_world_hash(f.world) == kai_world_hash(alone.world));
    fixture_finish(&f);
    fixture_finish(&alone);
}

// Without contacts there is nothing to bring together, which is no error.
static void test_nothing_to_bring(void** state)
{
    fixture f;
    fixture_start(&f);
    check_ok(kai_contact_report_update(f.world));
    check_error(kai_contact_report_update(NULL), KAI_ERROR_ARGUMENT);
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_the_same_time),
        cmocka_unit_test(test_nothing_to_bring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
