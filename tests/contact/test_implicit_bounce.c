// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Balls that bounce by penalty under the implicit integrators: against the closed form of a damped
// spring and Hertz's impact, orders of convergence while in contact, and steps that explicit
// integrators cannot take.
#include "contact/implicit.h"

static const double RADIUS = 0.1, MASS = 1.0;

/// A ball above the floor without gravity, moving down.
static kai_world* falling(const kai_integrator_kind* kind, const kai_contact_law_kind* law,
                          const kai_material_def* surface, double speed, kai_body* ball)
{
    kai_world* world = implicit_world(kind, law, 1);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    const kai_material material = stage_material(world, surface);
    stage_floor(world, material);
    *ball = stage_ball(world, RADIUS, MASS, kai_vec3_make(0, 0, RADIUS), material);
    stage_push(world, *ball, kai_vec3_make(0, 0, -speed), kai_vec3_zero());
    return world;
}

/// Steps until the ball leaves the floor: its speed then, and how long it took.
static void bounce(kai_world* world, kai_body ball, double h, double* speed, double* duration)
{
    double depth = 0.0;
    for (int i = 0;; i++) {
        stage_steps(world, 1, h);
        const double before = depth;
        depth = RADIUS - kai_body_position(world, ball).z;
        if (i > 0 && depth < 0.0) {
            *duration = h * (i + before / (before - depth));
            break;
        }
        assert_true(i < 100000);
    }
    stage_steps(world, 3, h);
    *speed = kai_body_velocity(world, ball).z;
}

// m z'' + c z' + k z = 0 from z = 0 leaves the floor after half a period, with the restitution
// e = exp(-π β / √(1 - β²)). 790 steps a contact: the methods of order 2 are off by what the first
// and last step have of the damper's jump, 3e-4; euler-implicit damps h k / 2 more, 2.3e-3 of e.
static void test_damped_spring(void** state)
{
    (void)state;
    const double w0 = sqrt(1e4 / MASS), beta = 20.0 / (2.0 * MASS * w0),
                 root = sqrt(1.0 - beta * beta), h = 4e-5;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_material_def surface = kai_material_def_default();
        surface.kn = 1e4;
        surface.gn = 20.0;
        kai_body ball;
        kai_world* world = falling(IMPLICIT[i], &kai_contact_law_hooke, &surface, 1.0, &ball);
        double speed, duration;
        bounce(world, ball, h, &speed, &duration);
        const bool rough = IMPLICIT[i]->order == 1;
        check_near(speed, exp(-KAI_PI * beta / root), rough ? 5e-3 : 6e-4, "exp(-πβ/√(1-β²))");
        check_relative(duration, KAI_PI / (w0 * root), rough ? 6e-4 : 6e-6, "π/ω");
        kai_world_destroy(world);
    }
}

/// Rubber by Hertz.
static kai_material_def rubber(double restitution)
{
    kai_material_def surface = kai_material_def_default();
    surface.young = 1e7;
    surface.poisson = 0.3;
    surface.restitution = restitution;
    return surface;
}

/// K of F = K δ^(3/2) for the ball on the floor of rubber.
static double hertz_stiffness(void)
{
    return 4.0 / 3.0 * 1e7 / (2.0 * (1.0 - 0.3 * 0.3)) * sqrt(RADIUS);
}

// An impact by Hertz takes 2.9432 δ/v with the depth δ = (5 m v² / 4 K)^(2/5) (Johnson 1985, 11.26).
static void test_hertz_duration(void** state)
{
    (void)state;
    const double v = 1.0, deepest = pow(1.25 * MASS * v * v / hertz_stiffness(), 0.4);
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_body ball;
        const kai_material_def surface = rubber(1.0);
        kai_world* world = falling(IMPLICIT[i], &kai_contact_law_hertz, &surface, v, &ball);
        double speed, duration;
        bounce(world, ball, 1e-5, &speed, &duration);
        const double rough = IMPLICIT[i]->order == 1 ? 1e-2 : 1e-4;
        check_relative(duration, 2.9432 * deepest / v, rough, "2.9432 δ/v");
        check_relative(speed, v, rough, "energy is kept");
        kai_world_destroy(world);
    }
}

// The dashpot of Hertz gives the restitution that is asked for, at any speed.
static void test_restitution(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        for (int k = 1; k <= 3; k++) {
            kai_body ball;
            const double e = 0.25 * k;
            const kai_material_def surface = rubber(e);
            kai_world* world =
                falling(IMPLICIT[i], k == 2 ? &kai_contact_law_flores : &kai_contact_law_hertz,
                        &surface, 0.5 * k, &ball);
            double speed, duration;
            bounce(world, ball, 1e-5, &speed, &duration);
            check_near(speed / (0.5 * k), e, IMPLICIT[i]->order == 1 ? 1e-2 : 1e-3, "asked for");
            kai_world_destroy(world);
        }
    }
}

/// How high an elastic ball by Hertz is in the middle of an impact.
static double middle_of_impact(const kai_integrator_kind* kind, int steps)
{
    kai_body ball;
    const kai_material_def surface = rubber(1.0);
    kai_world* world = falling(kind, &kai_contact_law_hertz, &surface, 1.0, &ball);
    stage_steps(world, steps, 2e-3 / steps);
    const double z = kai_body_position(world, ball).z;
    kai_world_destroy(world);
    return z;
}

// In contact methods have the order that they have for smooth motion.
static void test_order(void** state)
{
    (void)state;
    const double exact = middle_of_impact(&kai_integrator_trapezoidal, 20000);
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        const double coarse = middle_of_impact(IMPLICIT[i], 40) - exact,
                     fine = middle_of_impact(IMPLICIT[i], 160) - exact;
        check_near(0.5 * log2(fabs(coarse / fine)), IMPLICIT[i]->order, 0.1, "order");
    }
}

// Small steps of euler lead to the same rebound.
static void test_agrees_with_euler(void** state)
{
    (void)state;
    kai_body ball;
    const kai_material_def surface = rubber(0.6);
    kai_world* world = falling(&kai_integrator_euler, &kai_contact_law_hertz, &surface, 1.0, &ball);
    double wanted, duration, speed, found;
    bounce(world, ball, 2e-6, &wanted, &duration);
    kai_world_destroy(world);
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        world = falling(IMPLICIT[i], &kai_contact_law_hertz, &surface, 1.0, &ball);
        bounce(world, ball, 2e-6, &speed, &found);
        check_near(speed, wanted, IMPLICIT[i]->order == 1 ? 2e-3 : 2e-4, "as euler has it");
        check_near(found, duration, 2e-5, "as long as in euler");
        kai_world_destroy(world);
    }
}

// A ball on a floor of 1e9 N/m vibrates at 5 kHz: euler is unstable beyond steps of 6e-5 s, and at
// 1e-2 s the ball is thrown away. Implicit methods let it rest, m g / k deep.
static void test_large_steps(void** state)
{
    (void)state;
    kai_material_def surface = kai_material_def_default();
    surface.kn = 1e9;
    const double rest = RADIUS - MASS * STAGE_G / 1e9;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        const kai_body ball =
            stage_ball(world, RADIUS, MASS, kai_vec3_make(0, 0, rest - 1e-9), material);
        stage_steps(world, 200, 1e-2);
        check_near(kai_body_position(world, ball).z, rest, 2e-9, "rests on the floor");
        check_relative(stage_force(world, ball).z, MASS * STAGE_G, 2.0, "carried by it");
        kai_world_destroy(world);
    }
}

// By itself hht divides the steps of an impact: steps of 4 ms of a contact of 31 ms are taken in up
// to 16 parts, and the restitution is near that of short steps.
static void test_adaptive(void** state)
{
    (void)state;
    kai_material_def surface = kai_material_def_default();
    surface.kn = 1e4;
    surface.gn = 20.0;
    const double beta = 0.1, e = exp(-KAI_PI * beta / sqrt(1.0 - beta * beta));
    double off[2];
    for (int k = 0; k < 2; k++) {
        kai_body ball;
        kai_world* world =
            falling(&kai_integrator_hht, &kai_contact_law_hooke, &surface, 1.0, &ball);
        if (k == 1) check_ok(kai_integrator_set(world, &kai_integrator_hht, NULL));
        double speed, duration;
        bounce(world, ball, 4e-3, &speed, &duration);
        off[k] = fabs(speed - e);
        kai_world_destroy(world);
    }
    assert_true(off[1] < 0.2 * off[0] && off[1] < 5e-3);
}

// The energy that a damped bounce takes away is told as heat.
static void test_heat(void** state)
{
    (void)state;
    kai_body ball;
    const kai_material_def surface = rubber(0.5);
    kai_world* world = falling(&kai_integrator_hht, &kai_contact_law_hertz, &surface, 1.0, &ball);
    double speed, duration;
    bounce(world, ball, 1e-5, &speed, &duration);
    kai_energy e;
    check_ok(kai_world_energy(world, &e));
    check_near(e.dissipated, 0.5 * MASS * (1.0 - speed * speed), 1e-3, "½ m (v² - v'²)");
    check_near(e.drift, 0.0, 1e-3, "balance");
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damped_spring),     cmocka_unit_test(test_hertz_duration),
        cmocka_unit_test(test_restitution),       cmocka_unit_test(test_order),
        cmocka_unit_test(test_agrees_with_euler), cmocka_unit_test(test_large_steps),
        cmocka_unit_test(test_adaptive),          cmocka_unit_test(test_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
