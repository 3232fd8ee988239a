// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What contacts conserve: momentum always, energy never grows where nothing bounces.
// ctest-labels: validate
#include "contact/stage.h"

enum { SIDE = 3 };

// Balls, or balls, boxes and capsules of many sizes, on a grid where none touches; they fly towards
// the middle.
static void cloud(kai_world* world, const kai_material_def* surface, bool mixed, double speed)
{
    const kai_material material = stage_material(world, surface);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const double size = 0.06 + 0.04 * helper_random(2000 + i);
        const kai_vec3 at = kai_vec3_make(0.32 * (i % SIDE - 1), 0.32 * (i / SIDE % SIDE - 1),
                                          0.32 * (i / SIDE / SIDE) + 0.3);
        kai_body body;
        if (!mixed || i % 3 == 0) {
            body = stage_ball(world, size, 1.0 + 0.9 * helper_random(i), at, material);
        } else if (i % 3 == 1) {
            body = stage_box(world, kai_vec3_make(size, 1.5 * size, 2.0 * size), 2.0, at,
                             helper_random_rotation(i), material);
        } else {
            const kai_shape_round_params capsule = {0.5 * size, 2.0 * size};
            kai_body_def def = kai_body_def_default();
            def.mass = 1.5;
            def.inertia = (kai_inertia){.xx = 3e-3, .yy = 3e-3, .zz = 1e-3};
            def.position = at;
            def.rotation = helper_random_rotation(i);
            body = stage_body(world, &def);
            stage_shape(world, body, &kai_shape_capsule, &capsule, kai_vec3_zero(), material);
        }
        const kai_vec3 inward = kai_vec3_sub(kai_vec3_make(0.0, 0.0, 0.8), at);
        stage_push(world, body,
                   kai_vec3_add(kai_vec3_scale(helper_random_vec3(100 + i), 0.3 * speed),
                                kai_vec3_scale(inward, 2.0 * speed)),
                   kai_vec3_scale(helper_random_vec3(200 + i), 5.0));
    }
}

// Momentum in free flight, with all that contacts can do: friction, restitution, rolling and
// spinning resistance, cohesion, stopped after 20 iterations. Every impulse acts on both bodies at
// one point in the middle of the step, so what is left is rounding of sums of some hundred terms of
// size 1, a thousand times. Angular momentum is kept as well for balls; other bodies keep theirs to
// the order of the integrator even when they touch nothing (tests/step/test_integrators.c).
static void test_momentum(void** state)
{
    for (int i = 0; i < 4; i++) {
        const kai_contact_method method = i % 2 ? KAI_CONTACT_SMC : KAI_CONTACT_NSC;
        const bool mixed = i >= 2;
        kai_world* world = stage_world(method, 2);
        check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
        stage_solver(world, KAI_SOLVER_PSOR, 20, 0.0);
        kai_material_def surface = stage_rough(0.4);
        surface.restitution = 0.3;
        surface.rolling_friction = 1e-3;
        surface.spinning_friction = 1e-3;
        surface.cohesion = 0.1;
        surface.young = 1e6;
        cloud(world, &surface, mixed, 1.0);
        kai_vec3 linear[2], angular[2];
        check_ok(kai_world_momentum(world, &linear[0], &angular[0]));
        size_t contacts = 0;
        for (int k = 0; k < 1000; k++) {
            stage_steps(world, 1, 5e-4);
            contacts += kai_contact_report_count(world);
        }
        assert_true(contacts > 1000);
        check_ok(kai_world_momentum(world, &linear[1], &angular[1]));
        check_vec3(linear[1], linear[0], 1e-11, "action and reaction");
        if (!mixed) check_vec3(angular[1], angular[0], 1e-11, "moments cancel");
        kai_world_destroy(world);
    }
}

// Bodies that fall in a heap, restitution 0, looked at after every step: contacts take energy or
// leave it. An impulse γ does the work γ · (u₀ + u₁) / 2 ≤ -γ · (u₁ - u₀) / 2, which is negative
// but for what gravity adds to u in the step: at most the energy of that speed, m (g h)² / 2, of a
// body of 2 kg. Overlap is not undone, as that lifts bodies: recovery speed 0.
static void test_energy_never_grows(void** state)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        const kai_material_def surface = stage_rough(0.5);
        kai_world* world = stage_world(KAI_CONTACT_NSC, 2);
        kai_contact_def def = kai_contact_get(world);
        def.recovery_speed = 0.0;
        def.envelope = 0.01; // more than the fastest bodies move in a step
        check_ok(kai_contact_set(world, &def));
        stage_solver(world, KAI_SOLVER_APGD, 200, 1e-10);
        stage_floor(world, stage_material(world, &surface));
        cloud(world, &surface, mixed, 0.5);
        double energy = stage_energy(world), most = 0.0, depth = 0.0;
        for (int i = 0; i < 1000; i++) {
            stage_steps(world, 1, 1e-3);
            const double now = stage_energy(world);
            most = fmax(most, now - energy);
            depth = fmax(depth, stage_depth(world));
            energy = now;
        }
        check_near(most, 0.0, STAGE_G * STAGE_G * 1e-6, "m (g h)² / 2");
        kai_energy e;
        check_ok(kai_world_energy(world, &e));
        if (!mixed) check_near(depth, 0.0, 1e-7, "no overlap");
        if (!mixed) check_near(e.drift, 0.0, 1e-9, "energy is accounted for");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy_never_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
