// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Soft contacts of the complementarity method: a spring 1/C with a dashpot T/C, against the damped
// oscillator. ctest-labels: validate
#include "contact/stage.h"

static const double R = 0.1, MASS = 2.0;

// A ball over a soft floor. Two equal materials: compliances add, the longer damping time counts.
static kai_body ball_on_soft_floor(kai_world* world, double compliance, double damping, double z)
{
    kai_material_def surface = stage_rough(0.5);
    surface.compliance = 0.5 * compliance;
    surface.damping = damping;
    const kai_material material = stage_material(world, &surface);
    stage_floor(world, material);
    return stage_ball(world, R, MASS, kai_vec3_make(0.0, 0.0, z), material);
}

// At rest it has sunk by C m g, whatever the step: to the solver's residual.
static void test_sinks(void** state)
{
    const double compliance = 1e-4, sink = compliance * MASS * STAGE_G, steps[] = {1e-3, 2e-2};
    for (int i = 0; i < 2; i++) {
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        const kai_body ball = ball_on_soft_floor(world, compliance, 0.02, R);
        stage_steps(world, (int)lround(4.0 / steps[i]), steps[i]);
        check_relative(R - kai_body_position(world, ball).z, sink, 1e-9, "C m g");
        kai_world_destroy(world);
    }
}

// A ball that is let go above its equilibrium but in contact swings as x'' + (T/C) x'/m + x/(C m) =
// 0. Returns the largest distance from the closed form over 0.5 s.
static double swing(double h, double compliance, double damping)
{
    const double sink = compliance * MASS * STAGE_G, amplitude = 0.5 * sink;
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    const kai_body ball = ball_on_soft_floor(world, compliance, damping, R - sink + amplitude);
    const double decay = 0.5 * damping / (compliance * MASS),
                 w = sqrt(1.0 / (compliance * MASS) - decay * decay);
    double worst = 0.0;
    const int n = (int)lround(0.5 / h);
    for (int i = 1; i <= n; i++) {
        stage_steps(world, 1, h);
        const double t = i * h;
        const double exact =
            amplitude * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t)) + R - sink;
        worst = fmax(worst, fabs(kai_body_position(world, ball).z - exact));
    }
    kai_world_destroy(world);
    return worst / amplitude;
}

// The spring acts with the gap at the end of the step, which is half a step ahead of the middle: it
// damps by h/2 more than asked, order 1. Half the step, half the error; with that, 1e-5 s is close.
static void test_swings(void** state)
{
    const double coarse = swing(2e-4, 1e-4, 2e-3), fine = swing(1e-4, 1e-4, 2e-3);
    check_near(coarse / fine, 2.0, 0.1, "order 1");
    check_near(swing(1e-5, 1e-4, 2e-3), 0.0, 0.01, "closed form, share of the amplitude");
    check_near(swing(1e-5, 1e-3, 0.0), 0.0, 0.01, "without damping");
}

// The same soft contact makes an impact last: a ball without gravity that meets the floor at v
// leaves after half a period, with the speed that a dashpot of ratio ζ leaves when contacts never
// pull: e = exp(-ζ ω t), t = (π - 2 atan(ζ / √(1 - ζ²) ...)) (Schwager and Pöschel 2007, eq.
// 11-13).
static void test_impact(void** state)
{
    const double compliance = 1e-5, w = 1.0 / sqrt(compliance * MASS), ratios[] = {0.0, 0.1, 0.4};
    const double h = 1e-6, v = 0.5;
    for (int i = 0; i < 3; i++) {
        const double ratio = ratios[i], damping = 2.0 * ratio / w, root = sqrt(1.0 - ratio * ratio);
        // Contact ends when the force has fallen to 0: tan(ω_d t) = -2 ζ √(1 - ζ²) / (1 - 2 ζ²)
        const double t =
            (KAI_PI - atan2(2.0 * ratio * root, 1.0 - 2.0 * ratio * ratio)) / (w * root);
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
        const kai_body ball = ball_on_soft_floor(world, compliance, damping, R);
        stage_push(world, ball, kai_vec3_make(0.0, 0.0, -v), kai_vec3_zero());
        stage_steps(world, (int)lround(1.2 * t / h), h);
        // order 1: the extra damping of h/2 acts over the whole contact, ω h / 2 of it
        check_near(kai_body_velocity(world, ball).z / v, exp(-ratio * w * t), w * h * w * t,
                   "Schwager and Pöschel 2007");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_swings),
        cmocka_unit_test(test_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
