// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A pendulum on a revolute joint against its exact motion: order of every integrator that takes
// joints, violation, energy; and a double pendulum against Runge-Kutta in its two angles.
#include "step/joints.h"

// The exact pendulum -----------------------------------------------------------------------------

static const double MASS = 2.0, MOMENT = 0.1, ARM = 0.7, START = 2.0; // kg, kg m², m, rad

/// cd(u | m) = cn / dn, by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
static double jacobi_cd(double u, double m)
{
    double a[16] = {1.0}, c[16] = {sqrt(m)}, b = sqrt(1.0 - m);
    int n = 0;
    while (fabs(c[n]) > 1e-17 && n < 15) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--) phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    return cos(phi) / sqrt(1.0 - m * sin(phi) * sin(phi));
}

/// θ(t) of a pendulum let go at START: sin θ/2 = k cd(ω t | k²), k = sin START/2.
static double exact_angle(double t)
{
    const double w = sqrt(MASS * JOINTS_G * ARM / (MOMENT + MASS * ARM * ARM));
    const double k = sin(0.5 * START);
    return 2.0 * asin(k * jacobi_cd(w * t, k * k));
}

static kai_body make_pendulum(kai_world* world)
{
    const kai_body ground = joints_ground(world);
    const kai_body_def def = joints_bar(MASS, MOMENT, kai_vec3_zero(), ARM, START, 0.0);
    const kai_body bar = joints_add(world, &def);
    joints_simple(world, &kai_joint_revolute, ground, bar, kai_vec3_zero(), kai_vec3_axis(1));
    return bar;
}

// Every integrator that takes joints -------------------------------------------------------------

static const struct method {
    const char* name;
    const kai_integrator_kind* kind;
    double gamma, beta; // of newmark
    int order;
    bool index3; // joints hold at position level
} METHODS[] = {{"euler", &kai_integrator_euler, 0.0, 0.0, 2, false},
               {"euler-implicit", &kai_integrator_euler_implicit, 0.0, 0.0, 1, true},
               {"trapezoidal", &kai_integrator_trapezoidal, 0.0, 0.0, 2, true},
               {"hht", &kai_integrator_hht, 0.0, 0.0, 2, true},
               {"newmark 1/2 1/4", &kai_integrator_newmark, 0.5, 0.25, 2, true},
               {"newmark 0.6", &kai_integrator_newmark, 0.6, 0.3025, 1, true}};

static kai_world* make_world(const struct method* m, double tolerance)
{
    kai_world* world = joints_world(m->kind, tolerance);
    if (m->gamma > 0.0) {
        kai_integrator_newmark_params p;
        kai_kind_defaults(&m->kind->kind, &p);
        joints_tight(m->kind, tolerance, &p);
        p.gamma = m->gamma;
        p.beta = m->beta;
        check_ok(kai_integrator_set(world, m->kind, &p));
    }
    return world;
}

static double pendulum_error(const struct method* m, int steps, double end)
{
    kai_world* world = make_world(m, 1e-12);
    const kai_body bar = make_pendulum(world);
    scene_steps(world, steps, end / steps);
    const double theta = exact_angle(end);
    const kai_vec3 exact = kai_vec3_make(ARM * sin(theta), 0.0, -ARM * cos(theta));
    const double error = kai_vec3_distance(kai_body_position(world, bar), exact);
    kai_world_destroy(world);
    return error;
}

static void test_orders(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(METHODS); i++) {
        const double coarse = pendulum_error(&METHODS[i], 1000, 1.0);
        const double fine = pendulum_error(&METHODS[i], 2000, 1.0);
        const double order = log2(coarse / fine);
        if (fabs(order - METHODS[i].order) > 0.1)
            fail_msg("%s: order %.3f (errors %.3g, %.3g), expected %d", METHODS[i].name, order,
                     coarse, fine, METHODS[i].order);
    }
}

static void test_violation(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(METHODS); i++) {
        kai_world* world = make_world(&METHODS[i], 0.0); // default tolerances
        double most = 0.0;
        make_pendulum(world);
        for (int n = 0; n < 2000; n++) {
            check_ok(kai_world_step(world, 1e-3));
            most = fmax(most, joints_violation(world));
        }
        // euler: g / h is put right each step, what is left is the curvature h² a / 2.
        const double allowed = METHODS[i].index3 ? 1e-10 : 1e-4;
        if (!(most < allowed)) fail_msg("%s: violation %.3g", METHODS[i].name, most);
        kai_world_destroy(world);
    }
}

static double energy_drift(const kai_integrator_kind* kind, double end, double h)
{
    kai_world* world = joints_world(kind, 0.0);
    kai_energy e;
    double most = 0.0;
    make_pendulum(world);
    const double scale = MASS * JOINTS_G * ARM;
    for (int n = 0; n < (int)(end / h + 0.5); n++) {
        check_ok(kai_world_step(world, h));
        check_ok(kai_world_energy(world, &e));
        most = fmax(most, fabs(e.drift) / scale);
    }
    kai_world_destroy(world);
    return most;
}

static void test_trapezoidal_keeps_energy(void** state)
{
    // The error swings with the motion, O(h²), and does not grow.
    const double once = energy_drift(&kai_integrator_trapezoidal, 2.0, 1e-3);
    const double long_run = energy_drift(&kai_integrator_trapezoidal, 20.0, 1e-3);
    check_near(long_run, 0.0, 3e-5, "h² ω², with h = 1e-3 s and ω = 4 rad/s at the bottom");
    assert_true(long_run < 1.5 * once + 1e-9);
}

static void test_reaction_is_that_of_the_exact_motion(void** state)
{
    // Along the bar the pivot pulls with m (g cos θ + ARM θ'²); θ'² from energy.
    kai_world* world = joints_world(&kai_integrator_trapezoidal, 1e-12);
    make_pendulum(world);
    joints_run(world, 0.5, 1e-4);
    check_ok(kai_world_evaluate(world));
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(world, kai_joint_at_index(world, 0), &force, &torque));
    const double theta = exact_angle(0.5), inertia = MOMENT + MASS * ARM * ARM;
    const double rate2 = 2.0 * MASS * JOINTS_G * ARM * (cos(theta) - cos(START)) / inertia;
    const double accel = -MASS * JOINTS_G * ARM * sin(theta) / inertia;
    const double along = -MASS * (JOINTS_G * cos(theta) + ARM * rate2); // away from the pivot
    const double across = MASS * (JOINTS_G * sin(theta) + ARM * accel);
    check_near(kai_vec3_norm(force), hypot(along, across), 1e-5, "Newton's law in polar axes");
    check_near(kai_vec3_norm(torque), 0.0, 1e-7, "the bearing is free, the motion plane");
    kai_world_destroy(world);
}

// Double pendulum --------------------------------------------------------------------------------

// Bars of length L1, L2 with mass centres c1, c2 from their pivots; angles from hanging:
//     ┌ J1 + m1 c1² + m2 L1²   k cos(a-b) ┐ ┌ a'' ┐   ┌ -k sin(a-b) b'² - (m1 c1 + m2 L1) g sin a ┐
//     └ k cos(a-b)            J2 + m2 c2² ┘ └ b'' ┘ = └  k sin(a-b) a'² - m2 c2 g sin b           ┘
// with k = m2 L1 c2.
static const double M1 = 1.0, J1 = 0.08, C1 = 0.5, L1 = 1.0, M2 = 0.7, J2 = 0.05, C2 = 0.4;

static void double_rates(const double y[4], double out[4])
{
    const double k = M2 * L1 * C2, c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
    const double m11 = J1 + M1 * C1 * C1 + M2 * L1 * L1, m12 = k * c, m22 = J2 + M2 * C2 * C2;
    const double f1 = -k * s * y[3] * y[3] - (M1 * C1 + M2 * L1) * JOINTS_G * sin(y[0]);
    const double f2 = k * s * y[2] * y[2] - M2 * C2 * JOINTS_G * sin(y[1]);
    const double det = m11 * m22 - m12 * m12;
    out[0] = y[2];
    out[1] = y[3];
    out[2] = (m22 * f1 - m12 * f2) / det;
    out[3] = (m11 * f2 - m12 * f1) / det;
}

/// Classical Runge-Kutta with steps small enough to be exact to 1e-11 here.
static void double_exact(double end, double y[4])
{
    const int steps = 20000;
    const double h = end / steps, at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
    for (int n = 0; n < steps; n++) {
        double k[4][4] = {{0.0}}, sum[4] = {0.0};
        for (int stage = 0; stage < 4; stage++) {
            double x[4];
            for (int i = 0; i < 4; i++)
                x[i] = y[i] + (stage ? at[stage] * h * k[stage - 1][i] : 0.0);
            double_rates(x, k[stage]);
            for (int i = 0; i < 4; i++) sum[i] += weight[stage] * k[stage][i];
        }
        for (int i = 0; i < 4; i++) y[i] += h / 6.0 * sum[i];
    }
}

static double double_error(const struct method* m, double h)
{
    double y[4] = {1.8, 2.4, 0.5, -1.0};
    kai_world* world = make_world(m, 1e-12);
    const kai_body ground = joints_ground(world);
    const kai_vec3 elbow = kai_vec3_make(L1 * sin(y[0]), 0.0, -L1 * cos(y[0]));
    const kai_body_def def1 = joints_bar(M1, J1, kai_vec3_zero(), C1, y[0], y[2]);
    kai_body_def def2 = joints_bar(M2, J2, elbow, C2, y[1], y[3]);
    def2.velocity =
        kai_vec3_mul_add(def2.velocity, kai_vec3_make(cos(y[0]), 0.0, sin(y[0])), L1 * y[2]);
    const kai_body one = joints_add(world, &def1), two = joints_add(world, &def2);
    joints_simple(world, &kai_joint_revolute, ground, one, kai_vec3_zero(), kai_vec3_axis(1));
    joints_simple(world, &kai_joint_revolute, one, two, elbow, kai_vec3_axis(1));
    joints_run(world, 1.5, h);
    double_exact(1.5, y);
    const kai_vec3 exact =
        kai_vec3_make(L1 * sin(y[0]) + C2 * sin(y[1]), 0.0, -L1 * cos(y[0]) - C2 * cos(y[1]));
    const double error = kai_vec3_distance(kai_body_position(world, two), exact);
    kai_world_destroy(world);
    return error;
}

static void test_double_pendulum(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(METHODS); i++) {
        if (METHODS[i].order != 2) continue;
        const double coarse = double_error(&METHODS[i], 1e-3),
                     fine = double_error(&METHODS[i], 5e-4);
        const double order = log2(coarse / fine);
        if (!(fine < 2e-5) || fabs(order - 2.0) > 0.1)
            fail_msg("%s: error %.3g at h = 5e-4, order %.3f", METHODS[i].name, fine, order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_violation),
        cmocka_unit_test(test_trapezoidal_keeps_energy),
        cmocka_unit_test(test_reaction_is_that_of_the_exact_motion),
        cmocka_unit_test(test_double_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
