// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Andrews' squeezing mechanism: seven flat bodies, ten pins, a spring and a constant drive torque,
// no gravity. Data and the solution at t = 0.03 s: Hairer & Wanner, Solving ODEs II, VI.9, and the
// CWI test set for DAE solvers. Pins hold in space, so nine of their fifty rows are redundant.
// ctest-labels: validate
#include "step/scene.h"

#include <kairos/joint.h>

static const double XA = -.06934, YA = -.00227, XB = -.03635, YB = .03273, XC = .014, YC = .072;
static const double D = .028, DA = .0115, E = .02, EA = .01421, RR = .007, RA = .00092, SA = .01874,
                    SB = .01043, SC = .018, SD = .02, TA = .02308, TB = .00916, U = .04,
                    UA = .01228, UB = .00449, ZF = .02, ZT = .04, FA = .01421;
static const double MASS[] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498};
static const double INERTIA[] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                 1.169e-5, 5.667e-7, 1.912e-5};

typedef struct angles {
    double beta, theta, gamma, phi, delta, omega, epsilon;
} angles;

static const angles START = {-0.0617138900142764496, 0.0,
                             0.455279819163070380,   0.222668390165885885,
                             0.487364979543842550,   -0.222668390165885885,
                             1.23054744454982119};
static const angles END = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                           -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                           1.048080741042263};

typedef struct mechanism {
    kai_world* world;
    kai_body ground, body[7];
} mechanism;

/// Mass centres and orientations of the seven bodies.
static void place(const angles* q, kai_vec3 at[7], double turn[7])
{
    const double b = q->beta, bt = q->beta + q->theta, g = q->gamma, pd = q->phi + q->delta,
                 d = q->delta, oe = q->omega + q->epsilon, e = q->epsilon;
    at[0] = kai_vec3_make(RA * cos(b), RA * sin(b), 0.0);
    at[1] = kai_vec3_make(RR * cos(b) - DA * cos(bt), RR * sin(b) - DA * sin(bt), 0.0);
    at[2] = kai_vec3_make(XB + SA * sin(g) + SB * cos(g), YB - SA * cos(g) + SB * sin(g), 0.0);
    at[3] = kai_vec3_make(XA + ZT * cos(d) + (E - EA) * sin(pd),
                          YA + ZT * sin(d) - (E - EA) * cos(pd), 0.0);
    at[4] = kai_vec3_make(XA + TA * cos(d) - TB * sin(d), YA + TA * sin(d) + TB * cos(d), 0.0);
    at[5] = kai_vec3_make(XA + U * sin(e) + (ZF - FA) * cos(oe),
                          YA - U * cos(e) + (ZF - FA) * sin(oe), 0.0);
    at[6] = kai_vec3_make(XA + UA * sin(e) - UB * cos(e), YA - UA * cos(e) - UB * sin(e), 0.0);
    const double turns[7] = {b, bt, g, pd, d, oe, e};
    memcpy(turn, turns, sizeof turns);
}

static void add_bodies(mechanism* m)
{
    kai_vec3 at[7];
    double turn[7];
    place(&START, at, turn);
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    check_ok(kai_body_create(m->world, &def, &m->ground));
    def.fixed = false;
    for (int i = 0; i < 7; i++) {
        def.mass = MASS[i];
        def.inertia = (kai_inertia){INERTIA[i], INERTIA[i], INERTIA[i], 0.0, 0.0, 0.0};
        def.position = at[i];
        def.rotation = kai_quat_from_axis_angle(kai_vec3_make(0.0, 0.0, 1.0), turn[i]);
        check_ok(kai_body_create(m->world, &def, &m->body[i]));
    }
}

static void pin(mechanism* m, kai_body a, kai_body b, double x, double y)
{
    kai_joint_base params;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &params);
    params.bodies[0] = a;
    params.bodies[1] = b;
    params.at = kai_vec3_make(x, y, 0.0);
    check_ok(kai_joint_create(m->world, &kai_joint_revolute, &params, NULL, &joint));
}

static void add_pins(mechanism* m)
{
    const angles* q = &START;
    const kai_body* k = m->body;
    const double bx = RR * cos(q->beta) - D * cos(q->beta + q->theta),
                 by = RR * sin(q->beta) - D * sin(q->beta + q->theta);
    pin(m, m->ground, k[0], 0.0, 0.0);
    pin(m, k[0], k[1], RR * cos(q->beta), RR * sin(q->beta));
    pin(m, k[1], k[2], bx, by);
    pin(m, k[1], k[3], bx, by);
    pin(m, k[1], k[5], bx, by);
    pin(m, m->ground, k[2], XB, YB);
    pin(m, k[3], k[4], XA + ZT * cos(q->delta), YA + ZT * sin(q->delta));
    pin(m, k[5], k[6], XA + U * sin(q->epsilon), YA - U * cos(q->epsilon));
    pin(m, m->ground, k[4], XA, YA);
    pin(m, m->ground, k[6], XA, YA);
}

static void add_loads(mechanism* m)
{
    kai_load load;
    kai_load_spring_params spring;
    kai_kind_defaults(&kai_load_spring.kind, &spring);
    spring.bodies[0] = m->ground;
    spring.bodies[1] = m->body[2];
    spring.points[0] = kai_vec3_make(XC, YC, 0.0);
    spring.points[1] = kai_vec3_make(SD * cos(START.gamma) + SC * sin(START.gamma) + XB,
                                     SD * sin(START.gamma) - SC * cos(START.gamma) + YB, 0.0);
    spring.rest_length = .07785;
    spring.stiffness.slope = 4530.0;
    check_ok(kai_load_create(m->world, &kai_load_spring, &spring, "spring", &load));
    kai_load_torque_params drive;
    kai_kind_defaults(&kai_load_torque.kind, &drive);
    drive.body = m->body[0];
    drive.value.z = kai_value_constant(.033);
    check_ok(kai_load_create(m->world, &kai_load_torque, &drive, "drive", &load));
}

static double turn_of(const mechanism* m, int i)
{
    const kai_quat q = kai_body_rotation(m->world, m->body[i]);
    return 2.0 * atan2(q.z, q.w);
}

/// Checks an angle modulo full turns, as orientations do not count them.
static void check_angle(double actual, double expected, double tolerance, const char* name)
{
    check_near(remainder(actual - expected, 6.283185307179586476925), 0.0, tolerance, name);
}

static void check_end(const mechanism* m, double tolerance)
{
    check_angle(turn_of(m, 0), END.beta, tolerance, "beta, CWI test set");
    check_angle(turn_of(m, 1) - turn_of(m, 0), END.theta, tolerance, "theta");
    check_angle(turn_of(m, 2), END.gamma, tolerance, "gamma");
    check_angle(turn_of(m, 3) - turn_of(m, 4), END.phi, tolerance, "phi");
    check_angle(turn_of(m, 4), END.delta, tolerance, "delta");
    check_angle(turn_of(m, 5) - turn_of(m, 6), END.omega, tolerance, "omega");
    check_angle(turn_of(m, 6), END.epsilon, tolerance, "epsilon");
}

static void run(const kai_integrator_kind* integrator, double h, double tolerance)
{
    mechanism m = {.world = scene_world(integrator, 1)};
    add_bodies(&m);
    add_pins(&m);
    add_loads(&m);
    check_ok(kai_world_step_until(m.world, 0.03, h));
    check_end(&m, tolerance);
    kai_world_destroy(m.world);
}

static void rk4_to_eight_digits(void** state)
{
    (void)state;
    run(&kai_integrator_rk4, 5e-6, 1e-8); // the bar
}

static void hht_to_four_digits(void** state)
{
    (void)state;
    run(&kai_integrator_hht, 1e-5, 1e-3); // order 2: 100 times less than at 1e-4, where it is 1e-1
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rk4_to_eight_digits),
        cmocka_unit_test(hht_to_four_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
