// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Penalty contact under the implicit integrators repeats: the same bits on any number of threads
// and after a resume in the middle of contact, and a step that fails leaves the state.
#include "contact/implicit.h"

#include <kairos/joint.h>
#include <unistd.h>

/// Boxes and balls that fall on each other, two of them held by a joint.
static kai_world* heap(const kai_integrator_kind* kind, int threads)
{
    kai_world* world = implicit_world(kind, &kai_contact_law_hertz, threads);
    kai_material_def surface = stage_rough(0.4);
    surface.rolling_friction = 1e-3;
    const kai_material material = stage_material(world, &surface);
    stage_floor(world, material);
    kai_body bodies[12];
    for (int i = 0; i < 12; i++) {
        const kai_vec3 at = kai_vec3_make(0.05 * (i % 3), 0.04 * (i % 2), 0.12 + 0.21 * i);
        bodies[i] = i % 2 ? stage_ball(world, 0.1, 1.0 + i, at, material)
                          : stage_box(world, kai_vec3_make(0.2, 0.25, 0.2), 2.0, at,
                                      helper_random_rotation(i), material);
    }
    kai_joint_base pin;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &pin);
    pin.bodies[0] = bodies[2];
    pin.bodies[1] = bodies[3];
    pin.at = kai_body_position(world, bodies[3]);
    check_ok(kai_joint_create(world, &kai_joint_spherical, &pin, "pin", &joint));
    return world;
}

static void test_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 5};
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        uint64_t hash = 0;
        for (int k = 0; k < 3; k++) {
            kai_world* world = heap(IMPLICIT[i], threads[k]);
            stage_steps(world, 180, 2e-3);
            if (k == 0) hash = kai_world_hash(world);
            assert_true(kai_contact_report_count(world) > 1);
            assert_int_equal(kai_world_hash(world), hash);
            kai_world_destroy(world);
        }
    }
}

static void test_resume(void** state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "test_implicit_repeat_%ld.h5", (long)getpid());
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world *world = heap(IMPLICIT[i], 1), *again = NULL;
        stage_steps(world, 90, 2e-3);
        assert_true(kai_contact_report_count(world) > 0);
        check_ok(kai_world_save(world, path));
        kai_world_def def = kai_world_def_default();
        kai_error err;
        def.threads = 2;
        if (kai_world_load(&def, path, &again, &err) != KAI_OK) fail_msg("%s", err.message);
        remove(path);
        for (int k = 0; k < 60; k++) {
            stage_steps(world, 1, 2e-3);
            stage_steps(again, 1, 2e-3);
            assert_int_equal(kai_world_hash(again), kai_world_hash(world));
        }
        kai_energy e, f;
        check_ok(kai_world_energy(world, &e));
        check_ok(kai_world_energy(again, &f));
        assert_memory_equal(&e, &f, sizeof e);
        kai_world_destroy(world);
        kai_world_destroy(again);
    }
}

/// A step that fails: one iteration is not enough for a contact, however short its parts, some of
/// which were taken. Everything is as before.
static void fail_once(kai_world* world)
{
    kai_integrator_hht_params params;
    kai_kind_defaults(&kai_integrator_hht.kind, &params);
    params.adaptive = false;
    params.tolerance = 1e-22;
    params.iterations = 1;
    const uint64_t hash = kai_world_hash(world);
    kai_energy e, f;
    check_ok(kai_world_energy(world, &e));
    check_ok(kai_integrator_set(world, &kai_integrator_hht, &params));
    assert_int_equal(kai_world_step(world, 2e-3), KAI_ERROR_DIVERGED);
    assert_int_equal(kai_world_hash(world), hash);
    check_ok(kai_world_energy(world, &f));
    assert_memory_equal(&e, &f, sizeof e);
    implicit_set(world, &kai_integrator_hht);
}

// Accelerations are found anew after a failure; what contacts remember is what it was, so that any
// number of failures leads to the same bits.
static void test_failed_step(void** state)
{
    (void)state;
    kai_world *world = heap(&kai_integrator_hht, 1), *other = heap(&kai_integrator_hht, 1);
    stage_steps(world, 90, 2e-3);
    stage_steps(other, 90, 2e-3);
    assert_true(kai_contact_report_count(world) > 0);
    fail_once(world);
    fail_once(other);
    fail_once(other);
    for (int i = 0; i < 30; i++) {
        stage_steps(world, 1, 2e-3);
        stage_steps(other, 1, 2e-3);
        assert_int_equal(kai_world_hash(other), kai_world_hash(world));
    }
    kai_world_destroy(world);
    kai_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_failed_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
