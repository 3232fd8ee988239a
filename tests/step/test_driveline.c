// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Couplings of shafts against closed forms: gears, planetary gears, differentials, clutches,
// free-wheels, springs, converters, engines, housings and links to bodies.
#include "model/world.h"
#include "step/constraints.h"
#include "step/joints.h"

#include <kairos/driveline.h>

static const kai_integrator_kind* const SMOOTH[] = {
    &kai_integrator_euler,       &kai_integrator_rk4,     &kai_integrator_hht,
    &kai_integrator_trapezoidal, &kai_integrator_newmark, &kai_integrator_euler_implicit};

static kai_world* make_world(const kai_integrator_kind* kind)
{
    kai_world* world = joints_world(kind, kind == &kai_integrator_euler ? 0.0 : 1e-13);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    return world;
}

static kai_shaft add_shaft(kai_world* world, double inertia, double speed)
{
    kai_shaft_def def = kai_shaft_def_default();
    kai_shaft shaft;
    def.inertia = inertia;
    def.speed = speed;
    check_ok(kai_shaft_create(world, &def, NULL, &shaft));
    return shaft;
}

static double speed_of(const kai_world* world, kai_shaft shaft)
{
    kai_shaft_def def;
    check_ok(kai_shaft_get(world, shaft, &def));
    return def.speed;
}

static double angle_of(const kai_world* world, kai_shaft shaft)
{
    kai_shaft_def def;
    check_ok(kai_shaft_get(world, shaft, &def));
    return def.angle;
}

static double effort_of(kai_world* world, kai_joint joint)
{
    double torque;
    check_ok(kai_world_evaluate(world));
    check_ok(kai_joint_effort(world, joint, &torque));
    return torque;
}

static kai_energy energy_of(kai_world* world)
{
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    return energy;
}

static void run(kai_world* world, double end, double h)
{
    while (kai_world_time(world) < end - 0.5 * h)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

static kai_joint couple(kai_world* world, const kai_joint_kind* kind, const void* params)
{
    kai_joint joint;
    if (kai_joint_create(world, kind, params, NULL, &joint) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return joint;
}

static kai_load act(kai_world* world, const kai_load_kind* kind, const void* params)
{
    kai_load load;
    if (kai_load_create(world, kind, params, NULL, &load) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    return load;
}

static void add_torque(kai_world* world, kai_shaft shaft, double torque, kai_body housing)
{
    kai_load_shaft_torque_params p;
    kai_kind_defaults(&kai_load_shaft_torque.kind, &p);
    p.base.shaft = shaft;
    p.base.housing = housing;
    p.value = kai_value_constant(torque);
    act(world, &kai_load_shaft_torque, &p);
}

static kai_joint add_gear(kai_world* world, kai_shaft one, kai_shaft two, double ratio,
                          kai_body housing)
{
    kai_joint_shaft_gear_params p;
    kai_kind_defaults(&kai_joint_shaft_gear.kind, &p);
    p.base.bodies[0] = housing;
    p.shafts[0] = one;
    p.shafts[1] = two;
    p.ratio = ratio;
    return couple(world, &kai_joint_shaft_gear, &p);
}

static const kai_body GROUND = {0, 0, 0};

// Gears ------------------------------------------------------------------------------------------

// J1 = 10, J2 = 100, ratio -0.1, T = 6: ω₁' = 6 / (10 + 0.01 · 100).
static void test_gear(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(SMOOTH); k++) {
        kai_world* world = make_world(SMOOTH[k]);
        const kai_shaft one = add_shaft(world, 10.0, 0.0), two = add_shaft(world, 100.0, 0.0);
        add_torque(world, one, 6.0, GROUND);
        const kai_joint gear = add_gear(world, one, two, -0.1, GROUND);
        run(world, 1.0, 0.01);
        check_near(speed_of(world, one), 6.0 / 11.0, 1e-12, "closed form");
        check_near(speed_of(world, two), -0.6 / 11.0, 1e-12, "closed form");
        check_near(effort_of(world, gear), -60.0 / 11.0, 1e-9, "J2 ω₂'");
        kai_world_destroy(world);
    }
}

// A planetary gear with sun 20 and ring 60 teeth (ratio -1/3), one member held, torque on another.
// With ω_r - ω_c = -(ω_s - ω_c)/3: ring held: ω_s = 4 ω_c; sun held: ω_r = 4/3 ω_c; carrier held:
// ω_r = -ω_s / 3. Torques on sun : ring : carrier = 1/3 : 1 : -4/3.
static void test_planetary(void** state)
{
    enum { SUN, RING, CARRIER };
    static const struct {
        int held, driven, driven_by; // torque on `driven`; the third one follows
        double ratio;                // speed of the third over that of the driven one
    } cases[] = {{RING, SUN, CARRIER, 0.25},
                 {SUN, CARRIER, RING, 4.0 / 3.0},
                 {CARRIER, SUN, RING, -1.0 / 3.0}};
    static const double J[3] = {0.5, 2.0, 3.0}, SHARE[3] = {1.0 / 3.0, 1.0, -4.0 / 3.0};
    for (size_t c = 0; c < KAI_COUNT(cases); c++) {
        kai_world* world = make_world(&kai_integrator_euler);
        kai_joint_planetary_params p;
        kai_kind_defaults(&kai_joint_planetary.kind, &p);
        p.ratio = -1.0 / 3.0;
        for (int i = 0; i < 3; i++) {
            kai_shaft_def def = kai_shaft_def_default();
            def.inertia = J[i];
            def.fixed = i == cases[c].held;
            check_ok(kai_shaft_create(world, &def, NULL, &p.shafts[i]));
        }
        const kai_joint gear = couple(world, &kai_joint_planetary, &p);
        add_torque(world, p.shafts[cases[c].driven], 7.0, GROUND);
        run(world, 0.5, 0.01);
        const double r = cases[c].ratio;
        const double a = 7.0 / (J[cases[c].driven] + r * r * J[cases[c].driven_by]);
        check_near(speed_of(world, p.shafts[cases[c].driven]), 0.5 * a, 1e-12, "closed form");
        check_near(speed_of(world, p.shafts[cases[c].driven_by]), 0.5 * a * r, 1e-12, "Willis");
        // λ is the torque on the ring; what the driven one gets from the gear is J a - T.
        const double share = SHARE[cases[c].driven];
        check_near(effort_of(world, gear) * share, J[cases[c].driven] * a - 7.0, 1e-9, "split");
        kai_world_destroy(world);
    }
}

// Outputs of different inertia on a differential: equal torques, and the mean speed follows.
static void test_differential(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    const double J[3] = {0.2, 3.0, 5.0}, i = 0.25, T = 12.0;
    kai_joint_differential_params p;
    kai_kind_defaults(&kai_joint_differential.kind, &p);
    for (int k = 0; k < 3; k++) p.shafts[k] = add_shaft(world, J[k], 0.0);
    p.ratio = i;
    const kai_joint gear = couple(world, &kai_joint_differential, &p);
    add_torque(world, p.shafts[0], T, GROUND);
    run(world, 1.0, 0.01);
    // J0 a0 = T - i λ, J1 a1 = J2 a2 = λ / 2, (a1 + a2) / 2 = i a0
    const double lambda = i * T / J[0] / (0.25 / J[1] + 0.25 / J[2] + i * i / J[0]);
    check_near(speed_of(world, p.shafts[1]), 0.5 * lambda / J[1], 1e-12, "closed form");
    check_near(speed_of(world, p.shafts[2]), 0.5 * lambda / J[2], 1e-12, "closed form");
    check_near(speed_of(world, p.shafts[0]), (T - i * lambda) / J[0], 1e-12, "closed form");
    check_near(effort_of(world, gear), lambda, 1e-9, "closed form");
    check_near(energy_of(world).drift, 0.0, 1e-12, "energy");
    kai_world_destroy(world);
}

// Unequal shares: 40 : 60 between the axles.
static void test_split(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_joint_differential_params p;
    kai_kind_defaults(&kai_joint_differential.kind, &p);
    for (int k = 0; k < 3; k++) p.shafts[k] = add_shaft(world, 1.0, 0.0);
    p.split = 0.4;
    couple(world, &kai_joint_differential, &p);
    add_torque(world, p.shafts[0], 5.0, GROUND);
    run(world, 0.1, 0.01);
    check_near(speed_of(world, p.shafts[1]) / speed_of(world, p.shafts[2]), 0.4 / 0.6, 1e-12,
               "equal inertias: speeds as torques");
    kai_world_destroy(world);
}

// Clutches ---------------------------------------------------------------------------------------

// From a speed difference Δω the clutch slips with its torque until t = Δω J / T with
// 1/J = 1/J1 + 1/J2, then the two turn as one at (J1 ω1 + J2 ω2) / (J1 + J2). Heat: ½ J Δω².
static void test_clutch(void** state)
{
    const double J1 = 2.0, J2 = 3.0, W1 = 50.0, W2 = -10.0, T = 40.0;
    kai_world* world = make_world(&kai_integrator_euler);
    kai_joint_clutch_params p;
    kai_kind_defaults(&kai_joint_clutch.kind, &p);
    p.shafts[0] = add_shaft(world, J1, W1);
    p.shafts[1] = add_shaft(world, J2, W2);
    p.capacity = kai_value_constant(T);
    const kai_joint clutch = couple(world, &kai_joint_clutch, &p);
    const double J = J1 * J2 / (J1 + J2), locked = (W1 - W2) * J / T, h = 1e-3;
    double slip = 0.0, lock = 0.0;
    check_near(effort_of(world, clutch), T, 1e-12, "slips before the first step too");
    check_near(energy_of(world).kinetic, 0.5 * (J1 * W1 * W1 + J2 * W2 * W2), 1e-12, "start");
    while (kai_world_time(world) < 2.5 - 0.5 * h) {
        check_ok(kai_world_step(world, h));
        check_ok(kai_joint_slip(world, clutch, &slip));
        if (fabs(slip) > 1e-9) lock = kai_world_time(world);
    }
    check_near(lock, locked, 1.001 * h, "slips until Δω J / T, to a step");
    check_near(speed_of(world, p.shafts[0]), (J1 * W1 + J2 * W2) / (J1 + J2), 1e-10, "momentum");
    check_near(slip, 0.0, 1e-12, "locked");
    const kai_energy e = energy_of(world);
    check_near(e.dissipated, 0.5 * J * (W1 - W2) * (W1 - W2), 1e-9, "½ J Δω²");
    check_near(e.drift, 0.0, 1e-9, "energy, rounding of 2500 steps at 2650 J");
    check_near(effort_of(world, clutch), 0.0, 1e-9, "nothing to carry");
    kai_world_destroy(world);
}

// The same under the implicit methods: a step late at most, and momentum kept.
static void test_clutch_of_implicit_methods(void** state)
{
    static const kai_integrator_kind* const kinds[] = {
        &kai_integrator_hht, &kai_integrator_trapezoidal, &kai_integrator_newmark,
        &kai_integrator_euler_implicit};
    const double J1 = 2.0, J2 = 3.0, W1 = 50.0, W2 = -10.0, T = 40.0, J = J1 * J2 / (J1 + J2);
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        kai_world* world = make_world(kinds[k]);
        kai_joint_clutch_params p;
        kai_kind_defaults(&kai_joint_clutch.kind, &p);
        p.shafts[0] = add_shaft(world, J1, W1);
        p.shafts[1] = add_shaft(world, J2, W2);
        p.capacity = kai_value_constant(T);
        const kai_joint clutch = couple(world, &kai_joint_clutch, &p);
        double slip;
        run(world, 1.0, 1e-3);
        check_ok(kai_joint_slip(world, clutch, &slip));
        check_near(slip, -(W1 - W2) + T / J, 1e-9, "slips at T / J");
        run(world, 2.5, 1e-3);
        check_ok(kai_joint_slip(world, clutch, &slip));
        check_near(slip, 0.0, 1e-7, "locked");
        check_near(J1 * speed_of(world, p.shafts[0]) + J2 * speed_of(world, p.shafts[1]),
                   J1 * W1 + J2 * W2, 1e-8, "momentum");
        const double heat = 0.5 * J * (W1 - W2) * (W1 - W2);
        check_near(energy_of(world).dissipated, heat, 1e-4 * heat,
                   "½ J Δω², to the step of locking");
        kai_world_destroy(world);
    }
}

// hht divides its steps while a light shaft swings on a stiff spring, and the torque of a clutch
// rises with time: it must go on slipping. Shaft 1 gets 10 - 15 t, the other two together 15 t.
static void test_clutch_slips_while_steps_are_divided(void** state)
{
    kai_world* world = joints_world(&kai_integrator_hht, 0.0);
    kai_joint_clutch_params p;
    kai_load_torsion_spring_params spring;
    kai_function_ramp_params ramp;
    kai_kind_defaults(&kai_joint_clutch.kind, &p);
    kai_kind_defaults(&kai_load_torsion_spring.kind, &spring);
    kai_kind_defaults(&kai_function_ramp.kind, &ramp);
    ramp.slope = 0.5;
    p.shafts[0] = add_shaft(world, 1.0, 20.0);
    p.shafts[1] = spring.shafts[0] = add_shaft(world, 0.05, 0.0);
    spring.shafts[1] = add_shaft(world, 3.95, 0.0);
    spring.stiffness = kai_curve_line(4000.0);
    spring.damping = kai_curve_line(1.0);
    p.capacity = kai_value_constant(30.0);
    check_ok(kai_function_create(world, &kai_function_ramp, &ramp, &p.engagement.function));
    couple(world, &kai_joint_clutch, &p);
    act(world, &kai_load_torsion_spring, &spring);
    add_torque(world, p.shafts[0], 10.0, GROUND);
    check_ok(kai_shaft_set_motion(world, spring.shafts[1], 0.03, 0.0));
    run(world, 0.9, 1e-3);
    // The spring makes the clutch's slip swing, but not its torque, and it locks only later.
    check_near(speed_of(world, p.shafts[0]), 29.0 - 7.5 * 0.81, 1e-3, "closed form");
    const double momentum =
        0.05 * speed_of(world, p.shafts[1]) + 3.95 * speed_of(world, spring.shafts[1]);
    check_near(momentum, 7.5 * 0.81, 1e-3, "closed form");
    kai_world_destroy(world);
}

// What a row with bounds does at the start of a step is judged by its multiplier of the last one.
// One that is off its bound by rounding slips still; so does one whose speeds differ.
static void test_rounding_does_not_lock_a_clutch(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_joint_clutch_params p;
    kai_kind_defaults(&kai_joint_clutch.kind, &p);
    p.shafts[0] = add_shaft(world, 1.0, 20.0);
    p.shafts[1] = add_shaft(world, 2.0, 0.0);
    p.capacity = kai_value_constant(30.0);
    couple(world, &kai_joint_clutch, &p);
    check_ok(kai_world_step(world, 1e-3));
    kai_constraints* c = world->solver;
    double* lambda = c->lambda.data;
    const uint32_t row = ((const kai_constraints_joint*)c->joints.data)->first;
    check_near(lambda[row], 30.0, 0.0, "slips");
    static const double factors[] = {1.0, 1.0 - 1e-13, 0.5};
    for (size_t i = 0; i < KAI_COUNT(factors); i++) {
        lambda[row] = 30.0 * factors[i];
        kai_constraints_bounds_follow(c, world);
        assert_int_equal(*kai_constraints_state_of(c, row), KAI_CONSTRAINTS_HIGH);
    }
    check_ok(kai_shaft_set_motion(world, p.shafts[1], 0.0, speed_of(world, p.shafts[0])));
    kai_constraints_bounds_follow(c, world);
    assert_int_equal(*kai_constraints_state_of(c, row), KAI_CONSTRAINTS_HELD);
    kai_world_destroy(world);
}

// A locked clutch holds up to its torque and slips beyond; engagement lets it go.
static void test_clutch_holds_and_lets_go(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_joint_clutch_params p;
    kai_function_ramp_params fall;
    kai_kind_defaults(&kai_joint_clutch.kind, &p);
    kai_kind_defaults(&kai_function_ramp.kind, &fall);
    fall.slope = 0.5; // engagement t / 2: 1 at 2 s
    p.shafts[0] = add_shaft(world, 1.0, 0.0);
    p.shafts[1] = add_shaft(world, 4.0, 0.0);
    p.capacity = kai_value_constant(30.0);
    check_ok(kai_function_create(world, &kai_function_ramp, &fall, &p.engagement.function));
    const kai_joint clutch = couple(world, &kai_joint_clutch, &p);
    add_torque(world, p.shafts[0], 10.0, GROUND);
    double slip;
    // Shaft 2 gets 15 t while it slips: ω₂ = 7.5 t² / 4, ω₁ = 10 t - 7.5 t²; equal at t = 16/15.
    run(world, 1.0, 1e-3);
    check_near(speed_of(world, p.shafts[1]), 7.5 / 4.0, 2e-3, "closed form; a step late is 4e-3");
    check_ok(kai_joint_slip(world, clutch, &slip));
    check_near(slip, 7.5 / 4.0 - 2.5, 1e-2, "closed form");
    check_near(effort_of(world, clutch), 15.0, 1e-9, "slips at its bound");
    run(world, 3.0, 1e-3);
    check_ok(kai_joint_slip(world, clutch, &slip));
    check_near(slip, 0.0, 1e-12, "locked");
    check_near(effort_of(world, clutch), 8.0, 1e-9, "4/5 of the torque goes on to shaft 2");
    check_near(energy_of(world).drift, 0.0, 1e-10, "energy, rounding of 3000 steps");
    kai_world_destroy(world);
}

// A brake on a free body: the housing takes what the shaft loses.
static void test_brake(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_body_def def = joints_body_def(5.0, 1.0, 2.0, 4.0);
    const kai_body box = joints_add(world, &def);
    kai_joint_shaft_brake_params p;
    kai_kind_defaults(&kai_joint_shaft_brake.kind, &p);
    p.base.bodies[0] = box;
    p.shaft = add_shaft(world, 1.0, 100.0);
    p.capacity = kai_value_constant(50.0);
    couple(world, &kai_joint_shaft_brake, &p);
    run(world, 1.0, 1e-3);
    check_near(speed_of(world, p.shaft), 50.0, 1e-10, "T / J = 50");
    check_near(kai_body_angular_velocity(world, box).z, 12.5, 1e-10, "the rest is on the housing");
    run(world, 2.0, 1e-3);
    check_near(speed_of(world, p.shaft), 20.0, 1e-10, "100 / (1 + 4): they turn as one");
    check_near(energy_of(world).dissipated, 0.5 * 0.8 * 1e4, 1e-8, "½ J1 J2 / (J1 + J2) Δω²");
    kai_world_destroy(world);
}

// Driven forwards it takes the other along; let go, the other runs on.
static void test_free_wheel(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_joint_free_wheel_params p;
    kai_load_shaft_torque_params t;
    kai_function_step_params step;
    kai_kind_defaults(&kai_joint_free_wheel.kind, &p);
    kai_kind_defaults(&kai_load_shaft_torque.kind, &t);
    kai_kind_defaults(&kai_function_step.kind, &step);
    p.shafts[0] = add_shaft(world, 1.0, 0.0);
    p.shafts[1] = add_shaft(world, 3.0, 0.0);
    const kai_joint wheel = couple(world, &kai_joint_free_wheel, &p);
    step.from = 8.0;
    step.to = -2.0;
    step.at = 1.0;
    step.duration = 0.0;
    t.base.shaft = p.shafts[0];
    check_ok(kai_function_create(world, &kai_function_step, &step, &t.value.function));
    act(world, &kai_load_shaft_torque, &t);
    run(world, 0.995, 0.01);
    check_near(effort_of(world, wheel), 6.0, 1e-9, "3/4 of the torque goes on");
    run(world, 2.0, 0.01);
    check_near(speed_of(world, p.shafts[1]), 2.0, 0.03, "8 / 4 · 1 s, to a step");
    check_near(speed_of(world, p.shafts[0]), 0.0, 0.05, "2 - 2 · 1 s, to a step");
    check_near(effort_of(world, wheel), 0.0, 0.0, "it runs free");
    check_near(energy_of(world).drift, 0.0, 1e-12, "energy");
    kai_world_destroy(world);
}

// Springs, converters, engines -------------------------------------------------------------------

// Two shafts on a spring and damper: θ = e^{-δt} cos ω_d t with 1/J = 1/J1 + 1/J2, δ = c / 2J.
static void test_torsion_spring(void** state)
{
    const double J1 = 2.0, J2 = 3.0, k = 480.0, c = 2.4, J = J1 * J2 / (J1 + J2);
    const double delta = c / (2.0 * J), w = sqrt(k / J - delta * delta), twist = 0.1, t = 1.0;
    const double expected = twist * exp(-delta * t) * (cos(w * t) + delta / w * sin(w * t));
    double errors[2], drifts[2];
    for (int fine = 0; fine < 2; fine++) {
        kai_world* world = make_world(&kai_integrator_trapezoidal);
        kai_load_torsion_spring_params p;
        kai_kind_defaults(&kai_load_torsion_spring.kind, &p);
        p.shafts[0] = add_shaft(world, J1, 0.0);
        p.shafts[1] = add_shaft(world, J2, 0.0);
        p.stiffness = kai_curve_line(k);
        p.damping = kai_curve_line(c);
        p.rest_angle = 1.0;
        check_ok(kai_shaft_set_motion(world, p.shafts[1], 1.0 + twist, 0.0));
        const kai_load spring = act(world, &kai_load_torsion_spring, &p);
        kai_load_state s;
        check_ok(kai_load_output(world, spring, &s));
        check_near(s.torque, -k * twist, 1e-12, "k θ");
        check_near(energy_of(world).elastic, 0.5 * k * twist * twist, 1e-12, "½ k θ²");
        run(world, t, fine ? 5e-4 : 1e-3);
        const double angle = angle_of(world, p.shafts[1]) - angle_of(world, p.shafts[0]) - 1.0;
        errors[fine] = angle - expected;
        drifts[fine] = energy_of(world).drift;
        check_near(J1 * speed_of(world, p.shafts[0]) + J2 * speed_of(world, p.shafts[1]), 0.0,
                   1e-12, "momentum");
        kai_world_destroy(world);
    }
    check_near(log2(errors[0] / errors[1]), 2.0, 0.05, "order");
    check_near(errors[1], 0.0, 1e-5, "closed form");
    check_near(log2(drifts[0] / drifts[1]), 2.0, 0.05, "order of the energy balance");
}

static const double CAPACITY[] = {0.0, 15.0, 0.5, 16.0, 0.9, 25.0};
static const double RATIO[] = {0.0, 2.0, 0.9, 1.0};

static kai_load_torque_converter_params converter(kai_shaft in, kai_shaft out)
{
    kai_load_torque_converter_params p;
    kai_kind_defaults(&kai_load_torque_converter.kind, &p);
    p.shafts[0] = in;
    p.shafts[1] = out;
    p.capacity = (kai_table){CAPACITY, 3, 2};
    p.torque_ratio = (kai_table){RATIO, 2, 2};
    return p;
}

// A converter between a torque and a drag settles where its curves say: T = (ω / K(R))², and
// μ(R) T on the turbine. Choose R = 0.25: K = 15.5, μ = 2 - 0.25 / 0.9. With T = 100: ω = 155.
static void test_converter_settles_on_its_curves(void** state)
{
    const double mu = 2.0 - 0.25 / 0.9, w = 155.0;
    kai_world* world = make_world(&kai_integrator_rk4);
    const kai_shaft in = add_shaft(world, 0.3, 20.0), out = add_shaft(world, 0.4, 0.0);
    kai_body_def def = joints_body_def(5.0, 1.0, 1.0, 1.0);
    def.fixed = true;
    const kai_body box = joints_add(world, &def);
    kai_load_torque_converter_params p = converter(in, out);
    p.housing = box;
    const kai_load load = act(world, &kai_load_torque_converter, &p);
    kai_load_shaft_drag_params d;
    kai_kind_defaults(&kai_load_shaft_drag.kind, &d);
    d.base.shaft = out;
    d.linear = 100.0 * mu / (0.25 * w);
    act(world, &kai_load_shaft_drag, &d);
    add_torque(world, in, 100.0, GROUND);
    run(world, 10.0, 1e-3);
    check_near(speed_of(world, in), w, 1e-9, "the curves");
    check_near(speed_of(world, out), 0.25 * w, 1e-9, "the curves");
    kai_load_state s;
    check_ok(kai_load_output(world, load, &s));
    check_near(s.torque, 100.0 * mu, 1e-8, "the curves");
    check_near(s.power, -100.0 * w * (1.0 - 0.25 * mu), 1e-6, "what is lost");
    kai_vec3 force, torque;
    check_ok(kai_world_evaluate(world));
    check_ok(kai_body_force(world, box, &force, &torque));
    check_near(torque.z, -100.0 * (mu - 1.0), 1e-8, "the stator");
    const kai_energy e = energy_of(world);
    check_near(e.drift, 0.0, 1e-6, "energy, by quadrature of rk4");
    kai_world_destroy(world);
}

// Overrun: the turbine pumps, without gain; at equal speeds nothing is carried.
static void test_converter_overruns(void** state)
{
    static const double cases[][4] = {
        // ω_in, ω_out, torques on in and out
        {100.0, 100.0, 0.0, 0.0},
        {0.0, 80.0, 80.0 * 80.0 / 225.0, -80.0 * 80.0 / 225.0},
        {40.0, 80.0, 25.0, -25.0},
        {-100.0, -50.0, 100.0 * 100.0 / 256.0, -(2.0 - 0.5 / 0.9) * 100.0 * 100.0 / 256.0},
        {100.0, 95.0, -8.0, 8.0}, // half of the way from 0.9 to 1
        {100.0, -20.0, -10000.0 / 225.0, 20000.0 / 225.0},
        {0.0, 0.0, 0.0, 0.0}};
    for (size_t i = 0; i < KAI_COUNT(cases); i++) {
        kai_world* world = make_world(&kai_integrator_euler);
        const kai_shaft in = add_shaft(world, 1.0, cases[i][0]),
                        out = add_shaft(world, 1.0, cases[i][1]);
        const kai_load_torque_converter_params p = converter(in, out);
        act(world, &kai_load_torque_converter, &p);
        check_ok(kai_world_evaluate(world));
        kai_shaft_def a, b;
        check_ok(kai_shaft_get(world, in, &a));
        check_ok(kai_shaft_get(world, out, &b));
        check_near(a.torque, cases[i][2], 1e-10, "by hand");
        check_near(b.torque, cases[i][3], 1e-10, "by hand");
        kai_world_destroy(world);
    }
}

// Full throttle T = 200 - ω: J ω' = 200 - ω, ω = 200 (1 - e^{-t/J}); without throttle T = -ω / 5.
static void test_engine_runs_up(void** state)
{
    static const double full[] = {0.0, 200.0, 150.0, 50.0}, drag[] = {0.0, 0.0, 200.0, -40.0};
    kai_world* world = make_world(&kai_integrator_rk4);
    kai_load_engine_params p;
    kai_function_step_params step;
    kai_kind_defaults(&kai_load_engine.kind, &p);
    kai_kind_defaults(&kai_function_step.kind, &step);
    const kai_shaft shaft = add_shaft(world, 0.5, 0.0);
    p.base.shaft = shaft;
    p.full.points = (kai_table){full, 2, 2};
    p.drag.points = (kai_table){drag, 2, 2};
    step.from = 5.0; // held at 1
    step.to = -1.0;  // held at 0
    step.at = 1.0;
    step.duration = 0.0;
    check_ok(kai_function_create(world, &kai_function_step, &step, &p.throttle.function));
    act(world, &kai_load_engine, &p);
    run(world, 0.99, 1e-3);
    const double top = 200.0 * (1.0 - exp(-2.0));
    check_near(speed_of(world, shaft), 200.0 * (1.0 - exp(-1.98)), 1e-6,
               "closed form; beyond the map it goes on straight");
    run(world, 2.0, 1e-3);
    check_near(speed_of(world, shaft), top * exp(-0.4), 0.05, "closed form; throttle to a step");
    check_near(energy_of(world).kinetic, energy_of(world).work, 0.1, "energy");
    kai_world_destroy(world);

    // On a free body the map sees the speed against it, and it takes the reaction: J 0.5 and 4 turn
    // against each other, together as one of J = 4/9 · 1.
    world = make_world(&kai_integrator_rk4);
    const kai_body_def def = joints_body_def(5.0, 1.0, 2.0, 4.0);
    const kai_body free = joints_add(world, &def);
    p.base.shaft = add_shaft(world, 0.5, 0.0);
    p.base.housing = free;
    p.throttle = kai_value_constant(1.0);
    act(world, &kai_load_engine, &p);
    run(world, 1.0, 1e-3);
    const double J = 0.5 * 4.0 / 4.5, relative = 200.0 * (1.0 - exp(-1.0 / J));
    const double housing = kai_body_angular_velocity(world, free).z;
    check_near(speed_of(world, p.base.shaft) - housing, relative, 1e-8, "closed form");
    check_near(0.5 * speed_of(world, p.base.shaft) + 4.0 * housing, 0.0, 1e-11, "momentum");
    kai_world_destroy(world);
}

// Housings and bodies ----------------------------------------------------------------------------

// A gearbox on a free body, driven by a motor that stands on it: nothing comes from outside, so the
// angular momentum about the axis stays zero: J1 ω1 + J2 ω2 + J_h Ω. Both gears on one axis, so all
// speeds follow from (ω2 - Ω) = i (ω1 - Ω).
static void test_gearbox_on_a_free_body(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(SMOOTH); k++) {
        kai_world* world = make_world(SMOOTH[k]);
        kai_body_def def = joints_body_def(5.0, 1.0, 2.0, 4.0);
        const kai_body box = joints_add(world, &def);
        const double J1 = 0.5, J2 = 2.0, Jh = 4.0, i = -0.4, T = 3.0;
        const kai_shaft one = add_shaft(world, J1, 0.0), two = add_shaft(world, J2, 0.0);
        add_gear(world, one, two, i, box);
        add_torque(world, one, T, box);
        run(world, 1.0, 0.01);
        const double w1 = speed_of(world, one), w2 = speed_of(world, two),
                     wh = kai_body_angular_velocity(world, box).z;
        check_near(J1 * w1 + J2 * w2 + Jh * wh, 0.0, 1e-11, "angular momentum");
        check_near(w2 - wh, i * (w1 - wh), 1e-11, "the ratio as the housing sees it");
        // Kinetic energy by x = ω1 - Ω: ω1 = x + Ω, ω2 = i x + Ω, Ω = -(J1 + i J2) x / (sum).
        const double sum = J1 + J2 + Jh, o = -(J1 + i * J2) / sum;
        const double J = J1 * (1.0 + o) * (1.0 + o) + J2 * (i + o) * (i + o) + Jh * o * o;
        check_near(w1 - wh, T / J, 1e-10, "closed form");
        kai_world_destroy(world);
    }
}

// Bevel gears: shafts along x and y. The housing takes i λ n₁ - λ n₂; the momentum about each axis
// stays zero, with the shafts' own about theirs.
static void test_bevel_gearbox(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_body_def def = joints_body_def(5.0, 3.0, 3.0, 3.0);
    const kai_body box = joints_add(world, &def);
    const double J1 = 0.5, J2 = 2.0, Jh = 3.0, h = 1e-5;
    kai_joint_shaft_gear_params p;
    kai_load_shaft_torque_params t;
    kai_kind_defaults(&kai_joint_shaft_gear.kind, &p);
    kai_kind_defaults(&kai_load_shaft_torque.kind, &t);
    p.base.bodies[0] = t.base.housing = box;
    p.base.axis = t.base.axis = kai_vec3_make(1.0, 0.0, 0.0);
    p.axis2 = kai_vec3_make(0.0, 1.0, 0.0);
    p.shafts[0] = t.base.shaft = add_shaft(world, J1, 0.0);
    p.shafts[1] = add_shaft(world, J2, 0.0);
    p.ratio = 0.25;
    t.value = kai_value_constant(6.0);
    couple(world, &kai_joint_shaft_gear, &p);
    act(world, &kai_load_shaft_torque, &t);
    check_ok(kai_world_step(world, h)); // it turns at once: one small step shows the torques
    const kai_vec3 w = kai_body_angular_velocity(world, box);
    check_near(J1 * speed_of(world, p.shafts[0]) + Jh * w.x, 0.0, 1e-13, "momentum about x");
    check_near(J2 * speed_of(world, p.shafts[1]) + Jh * w.y, 0.0, 1e-13, "momentum about y");
    assert_true(speed_of(world, p.shafts[1]) > 1e-6);
    kai_world_destroy(world);
}

// A pendulum on a revolute with a shaft linked to it moves like one with that inertia added.
static void test_shaft_on_a_body(void** state)
{
    double angle[2];
    for (int linked = 0; linked < 2; linked++) {
        kai_world* world = joints_world(&kai_integrator_hht, 1e-12);
        const kai_body ground = joints_ground(world);
        kai_body_def def = joints_body_def(2.0, 0.1, linked ? 0.1 : 0.1 + 0.7, 0.1);
        def.position = kai_vec3_make(1.0, 0.0, 0.0);
        const kai_body arm = joints_add(world, &def);
        kai_joint_base pin;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_revolute.kind, &pin);
        pin.bodies[0] = ground;
        pin.bodies[1] = arm;
        pin.at = kai_vec3_zero();
        pin.axis = kai_vec3_make(0.0, 1.0, 0.0);
        check_ok(kai_joint_create(world, &kai_joint_revolute, &pin, "pin", &joint));
        kai_joint_shaft_body_params p;
        kai_kind_defaults(&kai_joint_shaft_body.kind, &p);
        p.base.bodies[1] = arm;
        p.base.axis = pin.axis;
        p.shaft = add_shaft(world, 0.7, 0.0);
        if (linked) couple(world, &kai_joint_shaft_body, &p);
        run(world, 1.0, 1e-3);
        double travel;
        check_ok(kai_joint_coordinates(world, joint, &angle[linked], &travel));
        if (linked) check_near(angle_of(world, p.shaft), angle[1], 1e-5, "turns with the arm");
        kai_world_destroy(world);
    }
    check_near(angle[1], angle[0], 1e-9, "the same equation of motion");
}

// Against a second body: a motor on the shaft turns the wheel against the frame, which takes the
// reaction: J_w ω_w + J_f ω_f stays zero while the shaft itself is light.
static void test_shaft_between_bodies(void** state)
{
    kai_world* world = make_world(&kai_integrator_euler);
    kai_body_def def = joints_body_def(2.0, 1.0, 1.0, 3.0);
    const kai_body frame = joints_add(world, &def);
    def.inertia.zz = 0.5;
    const kai_body wheel = joints_add(world, &def);
    kai_joint_base pin;
    kai_joint_shaft_body_params p;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &pin);
    kai_kind_defaults(&kai_joint_shaft_body.kind, &p);
    pin.bodies[0] = p.base.bodies[0] = frame;
    pin.bodies[1] = p.base.bodies[1] = wheel;
    pin.at = kai_vec3_zero();
    check_ok(kai_joint_create(world, &kai_joint_revolute, &pin, "pin", &joint));
    p.shaft = add_shaft(world, 1e-9, 0.0);
    couple(world, &kai_joint_shaft_body, &p);
    add_torque(world, p.shaft, 2.0, GROUND);
    run(world, 1.0, 0.01);
    check_near(kai_body_angular_velocity(world, wheel).z, 4.0, 1e-7, "T / J_w");
    check_near(kai_body_angular_velocity(world, frame).z, -2.0 / 3.0, 1e-7, "-T / J_f");
    check_near(speed_of(world, p.shaft), 4.0 + 2.0 / 3.0, 1e-7, "between the two");
    kai_world_destroy(world);
}

// Driven shafts ----------------------------------------------------------------------------------

static void test_driven(void** state)
{
    for (size_t k = 0; k < KAI_COUNT(SMOOTH); k++) {
        kai_world* world = make_world(SMOOTH[k]);
        kai_function_sine_params sine;
        kai_joint_shaft_angle_params a;
        kai_joint_shaft_speed_params s;
        kai_kind_defaults(&kai_function_sine.kind, &sine);
        kai_kind_defaults(&kai_joint_shaft_angle.kind, &a);
        kai_kind_defaults(&kai_joint_shaft_speed.kind, &s);
        sine.amplitude = 2.0;
        sine.frequency = 0.5; // 2 sin πt
        a.shafts[0] = add_shaft(world, 3.0, 2.0 * KAI_PI);
        s.shafts[0] = add_shaft(world, 3.0, 0.0);
        check_ok(kai_function_create(world, &kai_function_sine, &sine, &a.value.function));
        s.value = a.value;
        const kai_joint angle = couple(world, &kai_joint_shaft_angle, &a);
        const kai_joint speed = couple(world, &kai_joint_shaft_speed, &s);
        run(world, 0.25, 1e-3);
        const double w = KAI_PI, y = 2.0 * sin(0.25 * w), dy = 2.0 * w * cos(0.25 * w);
        check_near(angle_of(world, a.shafts[0]), y, 1e-4, "the function");
        check_near(speed_of(world, a.shafts[0]), dy, 1e-1, "its rate");
        check_near(speed_of(world, s.shafts[0]), y, 1e-10, "the function");
        check_near(effort_of(world, angle), -3.0 * w * w * y, 1e-4, "J θ''");
        check_near(effort_of(world, speed), 3.0 * dy, 1e-4, "J ω'");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_planetary),
        cmocka_unit_test(test_differential),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_clutch),
        cmocka_unit_test(test_clutch_of_implicit_methods),
        cmocka_unit_test(test_clutch_slips_while_steps_are_divided),
        cmocka_unit_test(test_rounding_does_not_lock_a_clutch),
        cmocka_unit_test(test_clutch_holds_and_lets_go),
        cmocka_unit_test(test_brake),
        cmocka_unit_test(test_free_wheel),
        cmocka_unit_test(test_torsion_spring),
        cmocka_unit_test(test_converter_settles_on_its_curves),
        cmocka_unit_test(test_converter_overruns),
        cmocka_unit_test(test_engine_runs_up),
        cmocka_unit_test(test_gearbox_on_a_free_body),
        cmocka_unit_test(test_bevel_gearbox),
        cmocka_unit_test(test_shaft_on_a_body),
        cmocka_unit_test(test_shaft_between_bodies),
        cmocka_unit_test(test_driven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
