// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What goes wrong ends in a sane state or in a message. 100,000 bodies under `make validate`.
// ctest-labels: validate
// ctest-timeout: 600
#include "contact/pour.h"

// Distance of the farthest body from the middle of the heap, along x.
static double extent(const kai_world* world)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const double x = kai_body_com_position(world, kai_body_at(world, i)).x;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return high - low;
}

// Bodies started on top of each other, on a grid of half their size: 8 in the room of one. Overlap
// is undone at the recovery speed and leaves no speed behind: nothing becomes faster than what
// gravity gives it in the time.
static void test_deep_overlap(void** state)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 2);
    stage_solver(world, KAI_SOLVER_PSOR, 20, 1e-8);
    const kai_material_def surface = pour_surface(0.5);
    const kai_material material = stage_material(world, &surface);
    const int side = stage_full() ? 46 : 7, steps = stage_full() ? 100 : 40;
    const double pitch = POUR_R, mass = POUR_DENSITY * 8.0 * POUR_R * POUR_R * POUR_R;
    stage_floor(world, material);
    for (int i = 0; i < side * side * side; i++) {
        const kai_vec3 at =
            kai_vec3_make(pitch * (i % side), pitch * (i / side % side), pitch * (i / side / side));
        if (i % 4)
            stage_ball(world, POUR_R, mass, at, material);
        else
            stage_box(world, kai_vec3_make(2 * POUR_R, 2 * POUR_R, 2 * POUR_R), mass, at,
                      helper_random_rotation((uint64_t)i), material);
    }
    const double h = 2e-3, start = extent(world);

    for (int i = 0; i < steps; i++) {
        stage_steps(world, 1, h);
        assert_true(stage_fastest(world) <= STAGE_G * h * (i + 1) + 1e-6);
    }
    // It comes apart: each body from the next at no more than the recovery speed of 0.1 m/s, along
    // normals that may be as oblique as the diagonal of a cube.
    const double grown = extent(world) - start;
    assert_true(grown > 0.2 * start && grown <= sqrt(3.0) * (side - 1) * 0.1 * h * steps);
    kai_world_destroy(world);
}

// By penalty overlap is energy: it comes out as speed, and no more than there was.
static void test_deep_overlap_by_penalty(void** state)
{
    kai_world* world = stage_world(KAI_CONTACT_SMC, 2);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    const kai_material_def surface = pour_surface(0.5);
    const kai_material material = stage_material(world, &surface);
    const double mass = POUR_DENSITY * 8.0 * POUR_R * POUR_R * POUR_R;
    const int side = stage_full() ? 46 : 8;
    for (int i = 0; i < side * side * side; i++)
        stage_ball(world, POUR_R, mass,
                   kai_vec3_make(POUR_R * (i % side), POUR_R * (i / side % side),
                                 POUR_R * (i / side / side)),
                   material);
    stage_steps(world, 1, 1e-6);
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    const double all = e.kinetic + e.elastic;
    for (int k = 0; k < 5; k++) {
        stage_steps(world, stage_full() ? 60 : 400, 1e-5);
        check_ok(kai_world_energy(world, &e));
        assert_true(e.kinetic > 0.0 && e.kinetic + e.elastic <= all);
    }
    kai_world_destroy(world);
}

// Grains poured into a box without friction, and with more of it than any surface has: none is ever
// faster than its start and its fall make it, or leaves the box.
static void test_heaps_of_any_friction(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        for (int rough = 0; rough < 2; rough++) {
            kai_world* world = stage_world(method, 2);
            stage_solver(world, KAI_SOLVER_PSOR, 50, 1e-6);
            const kai_material_def surface = pour_surface(rough ? 10.0 : 0.0);
            const kai_material material = stage_material(world, &surface);
            kai_body walls[5];
            pour_box(world, pour_width(4), material, walls);
            const kai_particles group = pour_grains(world, 4, 5, 0.5, material);
            const double h = method == KAI_CONTACT_NSC ? 1e-3 : 1e-4;
            const double top = 2.3 * POUR_R * 5.6, most = 0.5 * sqrt(3.0) + sqrt(2 * STAGE_G * top);
            for (int k = 0; k < 20; k++) {
                stage_steps(world, (int)lround(0.02 / h), h);
                assert_true(stage_fastest(world) <= most);
            }
            assert_true(stage_fastest(world) < 0.2 * most); // has lost most of it
            for (size_t i = 0; i < kai_particles_count(world, group); i++) {
                const kai_vec3 x = kai_body_position(world, kai_particles_body(world, group, i));
                // Overlap by penalty: a tenth of a radius at this speed and stiffness.
                const double half = 0.5 * pour_width(4) - 0.8 * POUR_R;
                assert_true(fabs(x.x) < half && fabs(x.y) < half && x.z > 0.8 * POUR_R);
            }
            kai_world_destroy(world);
        }
    }
}

// A body at 1e12 m, and one that leaves with 1e9 m/s: the rest goes on, but for rounding.
static void test_far_away(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_vec3 end[2];
        for (int far_one = 0; far_one < 2; far_one++) {
            kai_world* world = stage_world(method, 2);
            const kai_material_def surface = stage_rough(0.3);
            const kai_material material = stage_material(world, &surface);
            stage_floor(world, material);
            const kai_body ball = stage_ball(world, 0.1, 1.0, kai_vec3_make(0, 0, 0.3), material);
            stage_push(world, ball, kai_vec3_make(1.0, 0.5, 0.0), kai_vec3_zero());
            if (far_one) {
                stage_ball(world, 0.1, 1.0, kai_vec3_make(1e12, 0, 1.0), material);
                const kai_body fast =
                    stage_ball(world, 0.1, 1.0, kai_vec3_make(0, 5.0, 1.0), material);
                stage_push(world, fast, kai_vec3_make(1e9, 0.0, 1e9), kai_vec3_zero());
            }
            stage_steps(world, 500, 1e-3);
            end[far_one] = kai_body_position(world, ball);
            kai_world_destroy(world);
        }
        check_vec3(end[0], end[1], 1e-12, "the same without them");
    }
}

// A load of the user's own that goes wrong between two times.
typedef struct bad_params {
    kai_body body;
} bad_params;

static bool bad_now;

static void bad_apply(const kai_load_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++)
        b->out[i].force = kai_vec3_make(bad_now ? (double)NAN : 0.0, 0.0, 0.0);
}

static const kai_param BAD_PARAMS[] = {{.name = "body",
                                        .type = KAI_PARAM_BODY,
                                        .offset = offsetof(bad_params, body),
                                        .required = true,
                                        .doc = "Body."}};

static const kai_load_kind BAD = {
    .kind = {KAI_SIZES(kai_load_kind), .name = "bad", .doc = "Not a number at times.",
             .size = sizeof(bad_params), .params = BAD_PARAMS, .param_count = 1},
    .apply = bad_apply};

// The step fails with a message that names the body; the state and what contacts remember are those
// before it, so that the run goes on as if it had not been tried.
static void test_bad_force(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        uint64_t end[2];
        for (int fails = 0; fails < 2; fails++) {
            kai_world* world = stage_world(method, 2);
            const kai_material_def surface = stage_rough(0.5);
            const kai_material material = stage_material(world, &surface);
            stage_floor(world, material);
            bad_params p = {0};
            for (int i = 0; i < 3; i++)
                p.body = stage_box(world, kai_vec3_make(0.2, 0.2, 0.1), 1.0,
                                   kai_vec3_make(0.0, 0.03 * i, 0.05 + 0.1 * i),
                                   kai_quat_identity(), material);
            stage_push(world, p.body, kai_vec3_make(0.3, 0.0, 0.0), kai_vec3_zero());
            kai_load load;
            check_ok(kai_load_register(world, &BAD));
            check_ok(kai_load_create(world, &BAD, &p, "", &load));
            stage_steps(world, 200, 1e-4);
            const uint64_t before = kai_world_hash(world);
            bad_now = fails;
            if (fails) {
                for (int i = 0; i < 3; i++)
                    check_error(kai_world_step(world, 1e-4), KAI_ERROR_DIVERGED);
                assert_non_null(strstr(kai_world_error(world)->message, "body"));
                assert_int_equal(kai_world_hash(world), before);
            }
            bad_now = false;
            stage_steps(world, 300, 1e-4);
            end[fails] = kai_world_hash(world);
            kai_world_destroy(world);
        }
        assert_int_equal(end[0], end[1]);
    }
}

// No gravity and at rest: nothing moves, though everything touches. By penalty bodies that touch do
// not overlap.
static void test_no_gravity(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
        const kai_material_def surface = stage_rough(0.5);
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        for (int i = 0; i < 5; i++)
            stage_box(world, kai_vec3_make(0.25, 0.25, 0.125), 1.0,
                      kai_vec3_make(0.0, 0.0, 0.0625 + 0.125 * i), kai_quat_identity(), material);
        stage_steps(world, 200, 1e-3);
        check_near(stage_fastest(world), 0.0, 1e-15, "rests");
        kai_world_destroy(world);
    }
}

// A grain of a milligram between floor and plate, and one on a plate, of 1,000 kg: nine orders of
// magnitude. The lone grain rests on the plate; the plate, on three balls, carries on.
static void test_tiny_on_huge(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 1);
        kai_material_def surface = stage_rough(0.5);
        surface.young = 1e8;
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        const kai_body plate =
            stage_box(world, kai_vec3_make(1.0, 1.0, 0.2), 1000.0, kai_vec3_make(0.0, 0.0, 0.1),
                      kai_quat_identity(), material);
        const kai_body grain =
            stage_ball(world, 5e-4, 1e-6, kai_vec3_make(0.1, 0.2, 0.2 + 5e-4), material);
        const double h = method == KAI_CONTACT_NSC ? 1e-3 : 2e-6;
        stage_steps(world, method == KAI_CONTACT_NSC ? 1000 : 10000, h);
        const double top = kai_body_position(world, plate).z + 0.1;
        // Hertz: the plate on four corners sinks by 1.2e-3 m, the grain by 1e-9 m.
        check_near(kai_body_position(world, plate).z, 0.1,
                   method == KAI_CONTACT_NSC ? 1e-9 : 1.5e-3, "stands");
        check_near(kai_body_position(world, grain).z, top + 5e-4, 1e-6, "lies on it");
        kai_world_destroy(world);
    }
}

// A step far too long for the stiffness of a penalty contact: a message or finite numbers, and no
// crash.
static void test_step_too_long(void** state)
{
    kai_world* world = stage_world(KAI_CONTACT_SMC, 1);
    kai_material_def surface = stage_rough(0.5);
    surface.young = 1e12;
    const kai_material material = stage_material(world, &surface);
    stage_floor(world, material);
    for (int i = 0; i < 5; i++)
        stage_ball(world, 0.1, 1.0, kai_vec3_make(0.0, 0.0, 0.099 + 0.199 * i), material);
    kai_result r = KAI_OK;
    for (int i = 0; i < 1000 && r == KAI_OK; i++) r = kai_world_step(world, 1e-2);
    if (r != KAI_OK) {
        assert_int_equal(r, KAI_ERROR_DIVERGED);
        assert_true(strlen(kai_world_error(world)->message) > 0);
    }
    const double fastest = stage_fastest(world);
    assert_true(fastest == fastest);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deep_overlap),  cmocka_unit_test(test_deep_overlap_by_penalty),
        cmocka_unit_test(test_far_away),      cmocka_unit_test(test_bad_force),
        cmocka_unit_test(test_no_gravity),    cmocka_unit_test(test_tiny_on_huge),
        cmocka_unit_test(test_step_too_long), cmocka_unit_test(test_heaps_of_any_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
