// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Painlevé's rod: a rod whose tip slides on the ground with much friction (Génot and Brogliato
// 1999, "New results on Painlevé paradoxes"; Stewart 2000, "Rigid-body dynamics with friction and
// impact"). ctest-labels: validate
//
// A uniform rod of half length l leans at θ, its tip slides towards -x. A push N at the tip, with
// friction μ N towards +x, lifts the tip with N/m (1 + 3 cos θ (cos θ - μ sin θ)). Where that is
// negative and the tip would fall, forces cannot hold it up, however large: the only way out is an
// impact without collision, in which friction stops the tip at once. For a uniform rod that needs
// μ > 4/3.
#include "contact/stage.h"

static const double L = 0.5, MASS = 1.0, TIP = 1e-3; // half length, mass, radius of the tip

static kai_body rod(kai_world* world, double mu, double angle, double speed)
{
    const kai_material_def surface = stage_rough(mu);
    const kai_material material = stage_material(world, &surface);
    const kai_shape_round_params capsule = {TIP, 2.0 * L};
    kai_body_def def = kai_body_def_default();
    const double i = MASS * L * L / 3.0;
    stage_floor(world, material);
    def.mass = MASS;
    def.inertia = (kai_inertia){.xx = i, .yy = i, .zz = 1e-3 * i};
    // The capsule's axis z turns to (cos θ, 0, sin θ): the tip is at its lower end, at -x.
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), 0.5 * KAI_PI - angle);
    def.position = kai_vec3_make(L * cos(angle), 0.0, L * sin(angle) + TIP);
    def.velocity = kai_vec3_make(-speed, 0.0, 0.0);
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_capsule, &capsule, kai_vec3_zero(), material);
    return body;
}

// Below the critical friction the tip slides on with the force that the equations have:
// N = m g / (1 + 3 cos θ (cos θ - μ sin θ)) at rest of rotation.
static void test_slides_below(void** state)
{
    const double mu = 0.5, angle = KAI_PI / 3.0, h = 1e-5;
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    const kai_body body = rod(world, mu, angle, 2.0);
    stage_steps(world, 1, h);
    const kai_vec3 f = stage_force(world, body);
    const double p = 1.0 + 3.0 * cos(angle) * (cos(angle) - mu * sin(angle));
    // The tip is a ball of 2e-3 L: arms differ by that.
    check_relative(f.z, MASS * STAGE_G / p, 5e-3, "m g / p");
    check_relative(f.x, mu * f.z, 1e-9, "slides");
    kai_world_destroy(world);
}

// Beyond it: one step stops the tip. The impulse is the one that a tip which sticks needs, W P = -u
// with the 2 × 2 matrix W of the tip, and it lies inside the cone.
static void test_impact_without_collision(void** state)
{
    const double mu = 2.0, angle = KAI_PI / 3.0, speed = 2.0, steps[] = {1e-4, 1e-5, 1e-6};
    const double p = 1.0 + 3.0 * cos(angle) * (cos(angle) - mu * sin(angle));
    assert_true(p < 0.0); // the paradox
    const double x = -L * cos(angle), z = -L * sin(angle) - TIP, i = MASS * L * L / 3.0;
    const double wxx = 1.0 / MASS + z * z / i, wzz = 1.0 / MASS + x * x / i, wxz = -x * z / i;
    const double det = wxx * wzz - wxz * wxz, px = speed * wzz / det, pz = -speed * wxz / det;
    assert_true(pz > 0.0 && px <= mu * pz);
    const double spin = (z * px - x * pz) / i; // about y
    for (int k = 0; k < 3; k++) {
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        const kai_body body = rod(world, mu, angle, speed);
        stage_steps(world, 1, steps[k]);
        const kai_vec3 v = kai_body_velocity(world, body),
                       w = kai_body_angular_velocity(world, body);
        // Gravity adds g h, and the rod has turned by h times its spin: order h.
        const double tolerance = 50.0 * steps[k];
        check_near(v.x, -speed + px / MASS, tolerance, "W P = -u");
        check_near(v.z, pz / MASS, tolerance, "W P = -u");
        check_near(w.y, spin, 2.0 * tolerance, "W P = -u");
        kai_world_destroy(world);
    }
}

// All the way down, for friction below, at and far beyond the limit, sliding forward and backward:
// finite, no overlap worth the name, and energy never grows (restitution 0: contacts only take).
// The tip of a rod that turns is held to (h ω)², and so is energy: ω² < 2 E / I, I about the tip.
static void test_falls_in_peace(void** state)
{
    const double friction[] = {0.3, 4.0 / 3.0, 2.0, 10.0}, angles[] = {0.4, 1.1, 1.5}, h = 1e-3;
    for (int i = 0; i < 24; i++) {
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        const kai_body body = rod(world, friction[i % 4], angles[i / 4 % 3], i < 12 ? 3.0 : -3.0);
        const double start = stage_energy(world);
        const double tolerance = h * h * 2.0 * start / (MASS * 4.0 * L * L / 3.0) * start;
        double lowest = start;
        for (int n = 0; n < 1500; n++) {
            stage_steps(world, 1, h);
            lowest = fmin(lowest, stage_energy(world));
            assert_true(stage_energy(world) <= lowest + tolerance);
            assert_true(stage_depth(world) < 1e-4);
        }
        check_near(kai_body_position(world, body).z, TIP, 1e-4, "lies on the floor");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slides_below),
        cmocka_unit_test(test_impact_without_collision),
        cmocka_unit_test(test_falls_in_peace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
