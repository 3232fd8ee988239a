// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mechanisms in closed form: top, screw, gears, rack, belt, shafts that are bent or out of line, a
// bead on a curve.
#include "step/joints.h"

static const double TIGHT = 1e-12; // tolerance of Newton's method

// A spinning top ---------------------------------------------------------------------------------

/// Distance from the exact place after a second of steady precession.
static double top_error(double h)
{
    // Tilted by θ, with the spin w3 about its axis, a top precesses steadily at Ω with
    //     A Ω² cos θ - C w3 Ω + m g l = 0,   A = I + m l² about the tip (Goldstein, § 5.7).
    const double m = 0.5, l = 0.2, i1 = 4e-3, i3 = 2e-3, theta = 0.6, w3 = 150.0, end = 1.0;
    const double q = (i1 + m * l * l) * cos(theta);
    const double rate =
        (i3 * w3 - sqrt(i3 * i3 * w3 * w3 - 4.0 * q * m * JOINTS_G * l)) / (2.0 * q);
    const kai_vec3 axis = kai_vec3_make(sin(theta), 0.0, cos(theta));
    kai_world* world = joints_world(&kai_integrator_hht, TIGHT);
    const kai_body ground = joints_ground(world);
    kai_body_def def = joints_body_def(m, i1, i1, i3);
    def.position = kai_vec3_scale(axis, l);
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), theta);
    def.angular_velocity =
        kai_vec3_mul_add(kai_vec3_make(0.0, 0.0, rate), axis, w3 - rate * cos(theta));
    def.velocity = kai_vec3_cross(def.angular_velocity, def.position);
    const kai_body top = joints_add(world, &def);
    joints_simple(world, &kai_joint_spherical, ground, top, kai_vec3_zero(), kai_vec3_axis(2));
    joints_run(world, end, h);

    const kai_vec3 exact = kai_vec3_scale(
        kai_vec3_make(sin(theta) * cos(rate * end), sin(theta) * sin(rate * end), cos(theta)), l);
    const double error = kai_vec3_distance(kai_body_position(world, top), exact);
    check_near(joints_violation(world), 0.0, 1e-10, "index 3");
    kai_world_destroy(world);
    return error;
}

static void test_top_precesses_steadily(void** state)
{
    // The phase is off by (w3 h)², 2e-4 of 4.8 rad at the finer step, on a circle of 0.11 m.
    const double coarse = top_error(2e-4), fine = top_error(1e-4);
    check_near(fine, 0.0, 1.5e-4, "(w3 h)²");
    check_near(log2(coarse / fine), 2.0, 0.1, "order of hht");
}

// A screw ----------------------------------------------------------------------------------------

static void run_screw(const kai_integrator_kind* kind, double pitch, double tolerance)
{
    // z'' = -m g / (m + J (2π / pitch)²): the nut turns as it falls, several times.
    const double m = 3.0, j = 1e-3, end = 1.5, h = 1e-3;
    kai_world* world = joints_world(kind, TIGHT);
    const kai_body ground = joints_ground(world);
    const kai_body_def def = joints_body_def(m, 0.02, 0.02, j);
    const kai_body nut = joints_add(world, &def);
    kai_joint_screw_params p;
    joints_set(&kai_joint_screw, &p, ground, nut, kai_vec3_zero(), kai_vec3_axis(2));
    p.pitch = pitch;
    const kai_joint screw = joints_make(world, &kai_joint_screw, &p);
    joints_run(world, end, h);
    const double turn = 2.0 * KAI_PI / pitch;
    const double z = -0.5 * m * JOINTS_G / (m + j * turn * turn) * end * end;
    assert_true(fabs(z * turn) > 4.0 * KAI_PI); // more than two turns
    check_near(kai_body_position(world, nut).z, z, tolerance, "constant acceleration");
    double angle, travel;
    check_ok(kai_joint_coordinates(world, screw, &angle, &travel));
    check_near(remainder(travel * turn - angle, 2.0 * KAI_PI), 0.0, 1e-7, "thread");
    kai_world_destroy(world);
}

static void test_screw_under_gravity(void** state)
{
    run_screw(&kai_integrator_trapezoidal, 0.05, 1e-9);
    run_screw(&kai_integrator_hht, -0.05, 1e-9);
    run_screw(&kai_integrator_euler, 0.05, 2e-3); // a t h / 2
}

// Gears, rack, belt ------------------------------------------------------------------------------

static const double JA = 0.3, JB = 0.05, TORQUE = 2.0;

/// Two wheels on bearings with a torque on the first.
typedef struct wheels {
    kai_world* world;
    kai_body ground, a, b;
    kai_joint pin_a, pin_b;
} wheels;

static wheels make_wheels(const kai_integrator_kind* kind, kai_vec3 axis_a, kai_vec3 axis_b)
{
    wheels w = {.world = joints_world(kind, 0.0)};
    w.ground = joints_ground(w.world);
    kai_body_def def = joints_body_def(2.0, JA, JA, JA);
    def.position = kai_vec3_make(0.0, 0.0, 1.0);
    w.a = joints_add(w.world, &def);
    def = joints_body_def(1.0, JB, JB, JB);
    def.position = kai_vec3_make(1.0, 0.0, 0.0);
    w.b = joints_add(w.world, &def);
    w.pin_a = joints_simple(w.world, &kai_joint_revolute, w.ground, w.a,
                            kai_vec3_make(0.0, 0.0, 1.0), axis_a);
    w.pin_b = joints_simple(w.world, &kai_joint_revolute, w.ground, w.b,
                            kai_vec3_make(1.0, 0.0, 0.0), axis_b);
    joints_torque(w.world, w.a, kai_vec3_scale(axis_a, TORQUE));
    return w;
}

/// (JA + ratio² JB) α = T, constant, so that every method gives speeds to rounding.
static void check_wheels(const wheels* w, kai_joint gear, double ratio, kai_vec3 axis_a,
                         kai_vec3 axis_b)
{
    const double end = 2.0, alpha = TORQUE / (JA + ratio * ratio * JB);
    joints_run(w->world, end, 1e-3);
    check_vec3(kai_body_angular_velocity(w->world, w->a), kai_vec3_scale(axis_a, alpha * end), 1e-8,
               "constant acceleration");
    check_vec3(kai_body_angular_velocity(w->world, w->b),
               kai_vec3_scale(axis_b, ratio * alpha * end), 1e-8, "ratio");
    double angle_a, angle_b, none;
    check_ok(kai_joint_coordinates(w->world, w->pin_a, &angle_a, &none));
    check_ok(kai_joint_coordinates(w->world, w->pin_b, &angle_b, &none));
    const double angle = 0.5 * alpha * end * end;
    // Angles are sums of speeds; euler is early by half a step.
    check_near(remainder(angle_a - angle, 2.0 * KAI_PI), 0.0, 0.6e-3 * alpha * end, "α t² / 2");
    const double turns = angle + remainder(angle_a - angle, 2.0 * KAI_PI); // in all
    check_near(remainder(angle_b - ratio * turns, 2.0 * KAI_PI), 0.0, 1e-8, "no drift");

    kai_vec3 force, torque;
    check_ok(kai_world_evaluate(w->world));
    check_ok(kai_joint_reaction(w->world, gear, &force, &torque));
    check_near(kai_vec3_norm(torque), fabs(JB * ratio * alpha), 1e-6, "what turns b");
    check_near(kai_vec3_norm(force), 0.0, 1e-9, "speeds only");
    kai_world_destroy(w->world);
}

static const kai_integrator_kind* const KINDS[] = {&kai_integrator_euler, &kai_integrator_hht,
                                                   &kai_integrator_euler_implicit};

static void test_gear(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        const kai_vec3 y = kai_vec3_axis(1);
        const wheels w = make_wheels(KINDS[i], y, y);
        kai_joint_gear_params p;
        joints_set(&kai_joint_gear, &p, w.a, w.b, kai_vec3_zero(), y);
        p.ratio = -2.5;
        check_wheels(&w, joints_make(w.world, &kai_joint_gear, &p), p.ratio, y, y);
    }
}

static void test_bevel_gear(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        const kai_vec3 x = kai_vec3_axis(0), u = kai_vec3_make(0.6, 0.8, 0.0);
        const wheels w = make_wheels(KINDS[i], x, u);
        kai_joint_gear_params p;
        joints_set(&kai_joint_bevel_gear, &p, w.a, w.b, kai_vec3_zero(), x);
        p.axis2 = kai_vec3_scale(u, 3.0); // any length
        p.ratio = 1.5;
        check_wheels(&w, joints_make(w.world, &kai_joint_bevel_gear, &p), p.ratio, x, u);
    }
}

static void test_pulley(void** state)
{
    for (int crossed = 0; crossed < 2; crossed++) {
        const kai_vec3 y = kai_vec3_axis(1);
        const wheels w = make_wheels(&kai_integrator_hht, y, y);
        kai_joint_pulley_params p;
        joints_set(&kai_joint_pulley, &p, w.a, w.b, kai_vec3_zero(), y);
        p.radius_a = 0.3;
        p.radius_b = 0.12;
        p.crossed = crossed;
        const double ratio = (crossed ? -1.0 : 1.0) * p.radius_a / p.radius_b;
        check_wheels(&w, joints_make(w.world, &kai_joint_pulley, &p), ratio, y, y);
    }
}

static void test_rack_and_pinion(void** state)
{
    // (J + m r²) α = T, x = r φ.
    const double j = 0.2, m = 4.0, r = -0.15, end = 1.0;
    for (size_t i = 0; i < KAI_COUNT(KINDS); i++) {
        kai_world* world = joints_world(KINDS[i], 0.0);
        const kai_body ground = joints_ground(world);
        const kai_vec3 x = kai_vec3_axis(0), y = kai_vec3_axis(1);
        kai_body_def def = joints_body_def(1.0, j, j, j);
        const kai_body pinion = joints_add(world, &def);
        def = joints_body_def(m, 0.1, 0.2, 0.3);
        def.position.z = 0.15;
        const kai_body rack = joints_add(world, &def);
        joints_simple(world, &kai_joint_revolute, ground, pinion, kai_vec3_zero(), y);
        joints_simple(world, &kai_joint_prismatic, ground, rack, def.position, x);
        kai_joint_rack_pinion_params p;
        joints_set(&kai_joint_rack_pinion, &p, pinion, rack, def.position, y);
        p.direction = kai_vec3_scale(x, 2.0);
        p.radius = r;
        joints_make(world, &kai_joint_rack_pinion, &p);
        joints_torque(world, pinion, kai_vec3_scale(y, TORQUE));
        joints_run(world, end, 1e-3);
        const double alpha = TORQUE / (j + m * r * r);
        check_vec3(kai_body_velocity(world, rack), kai_vec3_scale(x, r * alpha * end), 1e-8,
                   "constant acceleration");
        check_near(kai_body_position(world, rack).x, 0.5 * r * alpha * end * end,
                   0.6e-3 * fabs(r) * alpha * end, "euler is early by half a step");
        kai_world_destroy(world);
    }
}

// Shafts -----------------------------------------------------------------------------------------

/// Two shafts that meet at the origin under the angle `bend`, on bearings, not yet joined.
typedef struct shafts {
    kai_world* world;
    kai_body a, b;
    kai_joint pin_a, pin_b;
    kai_vec3 axis_a, axis_b;
} shafts;

static shafts make_shafts(double bend, double speed_a, double speed_b)
{
    shafts s = {.world = joints_world(&kai_integrator_hht, TIGHT),
                .axis_a = kai_vec3_axis(0),
                .axis_b = kai_vec3_make(cos(bend), 0.0, sin(bend))};
    const kai_body ground = joints_ground(s.world);
    kai_body_def def = joints_body_def(1.0, 0.02, 0.03, 0.03);
    def.position = kai_vec3_scale(s.axis_a, -0.5);
    def.angular_velocity = kai_vec3_scale(s.axis_a, speed_a);
    s.a = joints_add(s.world, &def);
    s.pin_a = joints_simple(s.world, &kai_joint_revolute, ground, s.a, def.position, s.axis_a);
    def.position = kai_vec3_scale(s.axis_b, 0.5);
    def.rotation = kai_quat_from_two_vectors(kai_vec3_axis(0), s.axis_b);
    def.angular_velocity = kai_vec3_scale(s.axis_b, speed_b);
    s.b = joints_add(s.world, &def);
    s.pin_b = joints_simple(s.world, &kai_joint_revolute, ground, s.b, def.position, s.axis_b);
    return s;
}

static double shaft_speed(const shafts* s, bool b)
{
    return kai_vec3_dot(kai_body_angular_velocity(s->world, b ? s->b : s->a),
                        b ? s->axis_b : s->axis_a);
}

static void test_universal_joint_ratio(void** state)
{
    // Pin of a across both shafts at first, φ the angle of a: tan ψ = cos β tan φ, so that
    //     ψ' / φ' = cos β / (1 - sin² β sin² φ)                            (Hooke's joint).
    const double bend = 0.6, speed = 10.0;
    shafts s = make_shafts(bend, speed, speed * cos(bend));
    kai_joint_universal_params p;
    joints_set(&kai_joint_universal, &p, s.a, s.b, kai_vec3_zero(), kai_vec3_axis(1));
    p.axis2 = kai_vec3_make(-sin(bend), 0.0, cos(bend));
    joints_make(s.world, &kai_joint_universal, &p);
    double least = HUGE_VAL, most = 0.0;
    for (int n = 0; n < 1000; n++) {
        double phi, psi, none;
        scene_steps(s.world, 1, 1e-3);
        check_ok(kai_joint_coordinates(s.world, s.pin_a, &phi, &none));
        check_ok(kai_joint_coordinates(s.world, s.pin_b, &psi, &none));
        check_near(tan(psi) * cos(phi), cos(bend) * sin(phi),
                   1e-8 / fmax(1e-3, cos(psi) * cos(psi)), "tan ψ = cos β tan φ");
        const double ratio = shaft_speed(&s, true) / shaft_speed(&s, false);
        const double exact = cos(bend) / (1.0 - pow(sin(bend) * sin(phi), 2.0));
        check_near(ratio, exact, 2e-4, "Hooke's joint; speeds of index 3 are off by h²");
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    check_near(least, cos(bend), 1e-3, "slowest");
    check_near(most, 1.0 / cos(bend), 1e-3, "fastest: more than a turn was made");
    kai_world_destroy(s.world);
}

static void test_constant_velocity_joint_ratio(void** state)
{
    const double speed = 10.0;
    for (int k = 0; k < 3; k++) {
        shafts s = make_shafts(0.4 * k, speed, speed);
        kai_joint_constant_velocity_params p;
        joints_set(&kai_joint_constant_velocity, &p, s.a, s.b, kai_vec3_zero(), s.axis_a);
        p.axis2 = s.axis_b;
        joints_make(s.world, &kai_joint_constant_velocity, &p);
        for (int n = 0; n < 500; n++) {
            double phi, psi, none;
            scene_steps(s.world, 1, 2e-3);
            check_ok(kai_joint_coordinates(s.world, s.pin_a, &phi, &none));
            check_ok(kai_joint_coordinates(s.world, s.pin_b, &psi, &none));
            check_near(remainder(phi - psi, 2.0 * KAI_PI), 0.0, 1e-8, "equal angles");
            check_near(shaft_speed(&s, true), speed, 1e-6, "equal and constant speeds");
        }
        kai_world_destroy(s.world);
    }
}

static void test_oldham_coupling(void** state)
{
    // Shafts along z, 0.1 m apart: one torque turns both, (J + J) α = T.
    kai_world* world = joints_world(&kai_integrator_hht, TIGHT);
    const kai_body ground = joints_ground(world);
    const kai_vec3 z = kai_vec3_axis(2);
    kai_body_def def = joints_body_def(1.0, 0.1, 0.1, 0.05);
    const kai_body a = joints_add(world, &def);
    def.position = kai_vec3_make(0.1, 0.0, 1.0);
    const kai_body b = joints_add(world, &def);
    joints_simple(world, &kai_joint_revolute, ground, a, kai_vec3_zero(), z);
    joints_simple(world, &kai_joint_revolute, ground, b, def.position, z);
    joints_simple(world, &kai_joint_oldham, a, b, kai_vec3_make(0.0, 0.0, 0.5), z);
    joints_torque(world, a, kai_vec3_scale(z, 0.4));
    joints_run(world, 1.0, 1e-3);
    check_vec3(kai_body_angular_velocity(world, a), kai_vec3_scale(z, 4.0), 1e-8, "T / 2J t");
    check_vec3(kai_body_angular_velocity(world, b), kai_vec3_scale(z, 4.0), 1e-8, "T / 2J t");
    check_rotation(kai_body_rotation(world, a), kai_body_rotation(world, b), 1e-10, "together");
    kai_world_destroy(world);
}

static void test_revolute_translational(void** state)
{
    // A block b slides along a slot of its own on a pin that is fixed at the origin: the slot's
    // line keeps its distance from the pin while b falls and turns.
    kai_world* world = joints_world(&kai_integrator_hht, TIGHT);
    const kai_body ground = joints_ground(world);
    kai_body_def def = joints_body_def(1.0, 0.1, 0.2, 0.15);
    def.position = kai_vec3_make(0.3, 0.0, 0.2);
    const kai_body block = joints_add(world, &def);
    kai_joint_revolute_translational_params p;
    joints_set(&kai_joint_revolute_translational, &p, ground, block, kai_vec3_zero(),
               kai_vec3_axis(1));
    p.points[0] = kai_vec3_zero();
    p.points[1] = kai_vec3_make(0.3, 0.0, 0.2);
    p.axis2 = kai_vec3_axis(0);
    joints_make(world, &kai_joint_revolute_translational, &p);
    kai_energy e;
    for (int n = 0; n < 500; n++) {
        scene_steps(world, 1, 1e-3);
        // The line through the block's centre along its x axis, seen from the pin.
        const kai_vec3 x = kai_body_vector_to_world(world, block, kai_vec3_axis(0));
        const kai_vec3 c = kai_body_position(world, block);
        check_near(kai_vec3_norm(kai_vec3_cross(x, c)), 0.2, 1e-9, "distance at creation");
        check_near(c.y, 0.0, 1e-10, "moves in the plane");
    }
    assert_true(kai_vec3_norm(kai_body_angular_velocity(world, block)) > 1.0); // it does turn
    check_ok(kai_world_energy(world, &e));
    check_near(e.drift, 0.0, 1e-4, "no work; damping of hht is O(h³)");
    kai_world_destroy(world);
}

// A bead on a curve ------------------------------------------------------------------------------

static void test_bead_on_a_cycloid(void** state)
{
    // A frictionless bead on a cycloid x = r (u + sin u), z = -r (1 + cos u) swings with the period
    // 4π √(r / g) from any height (Huygens).
    enum { N = 161 };
    static double data[3 * N];
    const double r = 0.5, period = 4.0 * KAI_PI * sqrt(r / JOINTS_G);
    for (int i = 0; i < N; i++) {
        const double u = 2.8 * (2.0 * i / (N - 1) - 1.0);
        data[3 * i] = r * (u + sin(u));
        data[3 * i + 2] = -r * (1.0 + cos(u));
    }
    for (int k = 0; k < 2; k++) {
        const double u = k ? 2.0 : 0.7;
        kai_world* world = joints_world(&kai_integrator_hht, TIGHT);
        const kai_body ground = joints_ground(world);
        kai_body_def def = joints_body_def(1.0, 1e-3, 1e-3, 1e-3);
        def.position = kai_vec3_make(r * (u + sin(u)), 0.0, -r * (1.0 + cos(u)));
        const kai_body bead = joints_add(world, &def);
        kai_joint_point_on_curve_params p;
        joints_set(&kai_joint_point_on_curve, &p, ground, bead, def.position, kai_vec3_axis(2));
        p.curve = (kai_table){.data = data, .rows = N, .columns = 3};
        joints_make(world, &kai_joint_point_on_curve, &p);
        joints_run(world, period, period / 4000.0);
        check_vec3(kai_body_position(world, bead), def.position, 1e-4, "back after one period");
        check_near(joints_violation(world), 0.0, 1e-10, "index 3");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_precesses_steadily),
        cmocka_unit_test(test_screw_under_gravity),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_bevel_gear),
        cmocka_unit_test(test_pulley),
        cmocka_unit_test(test_rack_and_pinion),
        cmocka_unit_test(test_universal_joint_ratio),
        cmocka_unit_test(test_constant_velocity_joint_ratio),
        cmocka_unit_test(test_oldham_coupling),
        cmocka_unit_test(test_revolute_translational),
        cmocka_unit_test(test_bead_on_a_cycloid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
