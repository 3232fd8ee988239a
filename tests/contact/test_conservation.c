// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What contacts conserve: momentum always, energy never grows where nothing bounces.
// ctest-labels: validate
#include "contact/stage.h"

enum { BODIES = 60 };

// Bodies of all shapes and many sizes in a cloud that flies together, far from the origin.
static void cloud(kai_world* world, const kai_material_def* surface, double spread, double speed)
{
    const kai_material material = stage_material(world, surface);
    for (int i = 0; i < BODIES; i++) {
        const double size = 0.06 + 0.04 * helper_random(2000 + i);
        const kai_vec3 at = kai_vec3_scale(helper_random_vec3(i), spread);
        kai_body body;
        if (i % 3 == 0) {
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
        stage_push(world, body,
                   kai_vec3_sub(kai_vec3_scale(helper_random_vec3(100 + i), 0.3 * speed),
                                kai_vec3_scale(at, speed / spread)),
                   kai_vec3_scale(helper_random_vec3(200 + i), 5.0));
    }
}

// Linear and angular momentum in free flight, with all that contacts can do: friction, restitution,
// rolling and spinning resistance, cohesion. Every impulse acts on both bodies at one point, so
// what is left is rounding: 60 bodies, 1,000 steps of sums of some hundred terms of size 1.
static void test_momentum(void** state)
{
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        kai_world* world = stage_world(method, 2);
        check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
        stage_solver(world, KAI_SOLVER_PSOR, 20, 0.0); // holds however roughly it is solved
        kai_material_def surface = stage_rough(0.4);
        surface.restitution = 0.3;
        surface.rolling_friction = 1e-3;
        surface.spinning_friction = 1e-3;
        surface.cohesion = 0.1;
        surface.young = 1e6;
        cloud(world, &surface, 0.6, 2.0);
        kai_vec3 linear[2], angular[2];
        check_ok(kai_world_momentum(world, &linear[0], &angular[0]));
        size_t contacts = 0;
        for (int i = 0; i < 1000; i++) {
            stage_steps(world, 1, 5e-4);
            contacts += kai_contact_report_count(world);
        }
        assert_true(contacts > 1000);
        check_ok(kai_world_momentum(world, &linear[1], &angular[1]));
        check_vec3(linear[1], linear[0], 1e-11, "action and reaction");
        // Rotation and momentum of bodies without contact are conserved to (h ω)² of the gyroscopic
        // term's own error, which is order 2: 1e-4 is far above it, and far below what a wrong arm
        // would do.
        check_vec3(angular[1], angular[0], 1e-11 + 1e-4 * (method == 0), "moments cancel");
        kai_world_destroy(world);
    }
}

// A heap of bodies at restitution 0 that falls together, every step: NSC takes energy or leaves it,
// however few iterations are done...
static void test_energy_never_grows(void** state)
{
    const kai_material_def surface = stage_rough(0.5);
    kai_world* world = stage_world(KAI_CONTACT_NSC, 2);
    stage_floor(world, stage_material(world, &surface));
    cloud(world, &surface, 0.6, 0.5);
    double energy = stage_energy(world), most = 0.0;
    for (int i = 0; i < 2000; i++) {
        stage_steps(world, 1, 1e-3);
        const double now = stage_energy(world);
        most = fmax(most, now - energy);
        energy = now;
    }
    printf("most %g energy %g\n", most, energy);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy_never_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
