// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Repeatability: the same bits on any number of threads and after a resume, and memory that follows
// its contacts when other bodies come and go. 20,000 grains under `make validate`.
// ctest-labels: validate
// ctest-timeout: 600
#include "contact/pour.h"

#include <unistd.h>

// A pour of grains and some boxes: all paths of both methods.
static kai_world* pour(kai_contact_method method, int threads)
{
    kai_world* world = stage_world(method, threads);
    stage_solver(world, KAI_SOLVER_PSOR, 30, 1e-10);
    const kai_material_def surface = pour_surface(0.5);
    const kai_material material = stage_material(world, &surface);
    const int side = stage_full() ? 27 : 6, layers = stage_full() ? 28 : 8;
    kai_body walls[5];
    pour_box(world, pour_width(side), material, walls);
    pour_grains(world, side, layers, 0.5, material);
    for (int i = 0; i < 5; i++)
        stage_box(world, kai_vec3_make(0.02, 0.03, 0.01), 0.015,
                  kai_vec3_make(0.0, 0.01 * i, 2.3 * POUR_R * layers + 0.03 * (i + 1)),
                  helper_random_rotation(i), material);
    return world;
}

static double step_of(kai_contact_method method) { return method == KAI_CONTACT_NSC ? 2e-3 : 1e-4; }

static int steps_of(kai_contact_method method) { return method == KAI_CONTACT_NSC ? 40 : 200; }

static void test_threads(void** state)
{
    const int threads[] = {1, 2, 5, 16};
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        uint64_t hash = 0;
        size_t contacts = 0;
        for (int i = 0; i < 4; i++) {
            kai_world* world = pour(method, threads[i]);
            stage_steps(world, steps_of(method), step_of(method));
            if (i == 0) hash = kai_world_hash(world);
            if (i == 0) contacts = kai_contact_report_count(world);
            assert_true(contacts > 100);
            assert_int_equal(kai_world_hash(world), hash);
            assert_int_equal(kai_contact_report_count(world), contacts);
            kai_world_destroy(world);
        }
    }
}

// Saved in the middle and read again, on another number of threads; then as if nothing had
// happened.
static void test_resume(void** state)
{
    char path[64];
    snprintf(path, sizeof path, "test_repeat_%ld.h5", (long)getpid());
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        const int n = steps_of(method);
        kai_world *world = pour(method, 2), *again = NULL;
        stage_steps(world, n / 2, step_of(method));
        check_ok(kai_world_save(world, path));
        kai_world_def def = kai_world_def_default();
        kai_error err;
        def.threads = 3;
        if (kai_world_load(&def, path, &again, &err) != KAI_OK) fail_msg("%s", err.message);
        remove(path);
        stage_steps(world, n / 2, step_of(method));
        stage_steps(again, n / 2, step_of(method));
        kai_energy e, f;
        check_ok(kai_world_energy(world, &e));
        check_ok(kai_world_energy(again, &f));
        assert_memory_equal(&e, &f, sizeof e);
        assert_int_equal(kai_world_hash(again), kai_world_hash(world));
        assert_int_equal(kai_contact_report_count(again), kai_contact_report_count(world));
        kai_world_destroy(world);
        kai_world_destroy(again);
    }
}

// Bodies that come and go elsewhere change the order of bodies and of contacts, not what contacts
// remember. By penalty a block hangs on its friction springs: without them it would slip by the
// 1e-5 m that they are stretched. By complementarity the solution is there before the first
// iteration.
static void test_comes_and_goes(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        const kai_material_def surface = stage_rough(0.6);
        const kai_material material = stage_material(world, &surface);
        const double h = method == KAI_CONTACT_NSC ? 1e-3 : 1e-4;
        kai_body others[4];
        for (int i = 0; i < 2; i++)
            others[i] = stage_ball(world, 0.1, 1.0, kai_vec3_make(3.0 + i, 0, 0.1), material);
        stage_floor(world, material);
        const kai_vec3 size = kai_vec3_make(0.2, 0.2, 0.1);
        const kai_body lower = stage_box(world, size, 2.0, kai_vec3_make(0, 0, 0.05),
                                         kai_quat_identity(), material),
                       upper = stage_box(world, size, 1.0, kai_vec3_make(0, 0, 0.15),
                                         kai_quat_identity(), material);
        for (int i = 2; i < 4; i++)
            others[i] = stage_ball(world, 0.1, 1.0, kai_vec3_make(3.0 + i, 0, 0.1), material);
        const int n = (int)lround(0.5 / h);
        for (int i = 0; i < n; i++) { // slope of 0.4
            const double g = STAGE_G * fmin(1.0, 2.0 * i / n) * 0.4;
            check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, g, -STAGE_G)));
            stage_steps(world, 1, h);
        }
        const double start[2] = {kai_body_position(world, lower).y,
                                 kai_body_position(world, upper).y};
        check_ok(kai_body_destroy(world, others[0]));
        check_ok(kai_body_destroy(world, others[2]));
        stage_steps(world, 1, h);
        if (method == KAI_CONTACT_NSC) assert_true(kai_solver_measured(world).iterations <= 10);
        check_ok(kai_body_destroy(world, others[1]));
        stage_ball(world, 0.1, 1.0, kai_vec3_make(-2.0, 0, 0.1), material);
        stage_steps(world, n, h);
        check_near(kai_body_position(world, lower).y, start[0], 1e-7, "keeps its place");
        check_near(kai_body_position(world, upper).y, start[1], 1e-7, "keeps its place");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
