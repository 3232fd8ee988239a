// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motors in motion: inverse dynamics in closed form, many turns, the energy balance, and MSC.ADAMS.
// ctest-timeout: 300
#include "step/scene.h"

#include <kairos/joint.h>

#include "step/reference.h"

static const double TWO_PI = 6.283185307179586476925;
static const kai_vec3 UNIT = {1.0, 1.0, 1.0};

/// A mass of 2 at (1, 0, 0) on a hinge about y at the origin, gravity along -z: with I = 1 + 2 · 1²
/// about the hinge, I θ̈ = T + m g cos θ.
typedef struct pendulum {
    kai_world* world;
    kai_body ground, body;
    kai_joint hinge, motor;
} pendulum;

static const double INERTIA = 3.0, WEIGHT = 2.0 * 9.81;

static kai_body fixed_body(kai_world* world)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.fixed = true;
    check_ok(kai_body_create(world, &def, &body));
    return body;
}

static pendulum make_pendulum(const kai_integrator_kind* integrator, double rate)
{
    pendulum p = {.world = scene_world(integrator, 1)};
    check_ok(kai_world_set_gravity(p.world, kai_vec3_make(0.0, 0.0, -9.81)));
    p.ground = fixed_body(p.world);
    p.body = scene_body(p.world, UNIT, kai_vec3_zero());
    check_ok(kai_body_set_frame(p.world, p.body,
                                kai_frame_make(kai_vec3_make(1.0, 0.0, 0.0), kai_quat_identity())));
    check_ok(kai_body_set_velocity(p.world, p.body, kai_vec3_make(0.0, 0.0, -rate),
                                   kai_vec3_make(0.0, rate, 0.0)));
    kai_joint_base hinge;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    hinge.bodies[0] = p.ground, hinge.bodies[1] = p.body;
    hinge.at = kai_vec3_zero();
    hinge.axis = kai_vec3_make(0.0, 1.0, 0.0);
    check_ok(kai_joint_create(p.world, &kai_joint_revolute, &hinge, "hinge", &p.hinge));
    return p;
}

static void drive(pendulum* p, const kai_joint_kind* kind, kai_value value)
{
    kai_joint_motor_params m;
    kai_kind_defaults(&kind->kind, &m);
    m.joint = p->hinge;
    m.value = value;
    check_ok(kai_joint_create(p->world, kind, &m, "motor", &p->motor));
}

static kai_value sine(kai_world* world, double amplitude, double frequency, double phase)
{
    const kai_function_sine_params p = {amplitude, frequency, phase, 0.0};
    kai_value v = {0};
    check_ok(kai_function_create(world, &kai_function_sine, &p, &v.function));
    return v;
}

static kai_value ramp(kai_world* world, double slope)
{
    const kai_function_ramp_params p = {slope, 0.0};
    kai_value v = {0};
    check_ok(kai_function_create(world, &kai_function_ramp, &p, &v.function));
    return v;
}

// Inverse dynamics -------------------------------------------------------------------------------

/// Angle, its rates and the torque for θ = A sin w t.
typedef struct swing {
    double angle, rate, torque;
} swing;

static swing exact_swing(double t)
{
    const double a = 1.2, w = TWO_PI * 0.8, angle = a * sin(w * t);
    return (swing){angle, a * w * cos(w * t), -INERTIA * w * w * angle - WEIGHT * cos(angle)};
}

static void torque_of_a_given_swing(void** state)
{
    (void)state;
    // A step of order 1 holds velocities to h θ̈ / 2 = 1.5e-3 · 10; the others hold positions to
    // 1e-9 and velocities to order 2. Torque: I times the error of the acceleration where it enters
    // (cos θ, θ̇²).
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht,
                                          &kai_integrator_trapezoidal,
                                          &kai_integrator_euler_implicit};
    const double rate_bars[] = {2e-2, 1e-3, 1e-3, 2e-2}, torque_bars[] = {0.05, 1e-4, 1e-4, 0.05};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        pendulum p = make_pendulum(kinds[k], exact_swing(0.0).rate);
        drive(&p, &kai_joint_motor_rotation_angle, sine(p.world, 1.2, 0.8, 0.0));
        for (int i = 0; i < 20; i++) {
            scene_steps(p.world, 100, 1e-3);
            const swing exact = exact_swing(kai_world_time(p.world));
            double angle, travel, rate, travel_rate, effort;
            check_ok(kai_joint_coordinates(p.world, p.motor, &angle, &travel));
            check_ok(kai_joint_rates(p.world, p.motor, &rate, &travel_rate));
            check_near(angle, exact.angle, k == 0 ? 2e-5 : 1e-9,
                       "A sin w t; euler: g = h² θ̈ / 2 a step");
            check_near(rate, exact.rate, rate_bars[k], "its rate");
            check_near(travel_rate, 0.0, k == 0 ? 1e-2 : 1e-3, "a hinge");
            check_ok(kai_world_evaluate(p.world));
            check_ok(kai_joint_effort(p.world, p.motor, &effort));
            check_near(effort, exact.torque, torque_bars[k], "I θ̈ - m g cos θ");
        }
        kai_world_destroy(p.world);
    }
}

/// The reaction of the hinge does not hold the motor's torque; both together carry the body.
static void motor_and_hinge_share(void** state)
{
    (void)state;
    pendulum p = make_pendulum(&kai_integrator_hht, exact_swing(0.0).rate);
    drive(&p, &kai_joint_motor_rotation_angle, sine(p.world, 1.2, 0.8, 0.0));
    scene_steps(p.world, 300, 1e-3);
    check_ok(kai_world_evaluate(p.world));
    kai_vec3 force, torque;
    double effort;
    check_ok(kai_joint_reaction(p.world, p.hinge, &force, &torque));
    check_near(torque.z, 0.0, 1e-9, "a hinge holds nothing about its axis");
    check_ok(kai_joint_effort(p.world, p.motor, &effort));
    check_ok(kai_joint_reaction(p.world, p.motor, &force, &torque));
    check_near(torque.z, effort, 1e-9, "the effort is the motor's torque on b about the axis");
    check_vec3(force, kai_vec3_zero(), 1e-12, "and it has no force");
    check_error(kai_joint_effort(p.world, p.hinge, &effort), KAI_ERROR_ARGUMENT);
    kai_world_destroy(p.world);
}

// Speed ------------------------------------------------------------------------------------------

static void speed_for_100_turns(void** state)
{
    (void)state;
    const double rate = 10.0, end = 100.0 * TWO_PI / rate;
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        for (int by_angle = 0; by_angle < 2; by_angle++) {
            pendulum p = make_pendulum(kinds[k], rate);
            if (by_angle)
                drive(&p, &kai_joint_motor_rotation_angle, ramp(p.world, rate));
            else
                drive(&p, &kai_joint_motor_rotation_speed, kai_value_constant(rate));
            double now, travel_rate, angle, travel, worst = 0.0;
            const int steps = 62832;
            for (int i = 0; i < steps; i++) {
                check_ok(kai_world_step(p.world, end / steps));
                check_ok(kai_joint_rates(p.world, p.motor, &now, &travel_rate));
                worst = fmax(worst, fabs(now - rate));
            }
            check_ok(kai_joint_coordinates(p.world, p.motor, &angle, &travel));
            // The rate is held by the row at the start of a step (euler) or at its end (hht); the
            // hinge's own gap turns the axis by nothing, so that 100 turns end where they began.
            check_near(worst, 0.0, k == 0 ? 1e-4 : 1e-6, "constant speed");
            check_near(angle, 0.0, k == 0 ? 1e-6 : 1e-7, "100 whole turns");
            kai_world_destroy(p.world);
        }
    }
}

// Energy -----------------------------------------------------------------------------------------

static void work_of_a_motor(void** state)
{
    (void)state;
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_trapezoidal,
                                          &kai_integrator_hht};
    const double allowed[] = {6e-2, 1e-4, 1e-3}; // order 1, 2, 2
    for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
        for (int speed = 0; speed < 2; speed++) {
            pendulum p = make_pendulum(kinds[k], exact_swing(0.0).rate);
            if (speed)
                drive(&p, &kai_joint_motor_rotation_speed,
                      sine(p.world, exact_swing(0.0).rate, 0.8, 0.25 * TWO_PI));
            else
                drive(&p, &kai_joint_motor_rotation_angle, sine(p.world, 1.2, 0.8, 0.0));
            kai_energy e;
            double most = 0.0, work = 0.0, scale = 0.0;
            for (int i = 0; i < 2000; i++) {
                check_ok(kai_world_step(p.world, 1e-3));
                check_ok(kai_world_energy(p.world, &e));
                most = fmax(most, fabs(e.drift));
                work = fmax(work, fabs(e.work));
                scale = fmax(scale, e.kinetic);
            }
            check_near(most / scale, 0.0, allowed[k], kinds[k]->kind.name);
            assert_true(work > 10.0);
            kai_world_destroy(p.world);
        }
    }
}

// Imposed motion without a joint -----------------------------------------------------------------

// A motor alone holds one freedom: x = A sin w t, while the body falls and turns freely otherwise.
static void imposed_travel(void** state)
{
    (void)state;
    const double a = 0.3, w = TWO_PI * 1.1;
    kai_world* world = scene_world(&kai_integrator_trapezoidal, 1);
    check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -9.81)));
    const kai_body ground = fixed_body(world),
                   body = scene_body(world, UNIT, kai_vec3_make(0.0, 0.0, 2.0));
    check_ok(kai_body_set_velocity(world, body, kai_vec3_make(a * w, 0.0, 0.0),
                                   kai_vec3_make(0.0, 0.0, 2.0)));
    kai_joint_motor_params m;
    kai_joint motor;
    kai_kind_defaults(&kai_joint_motor_linear_position.kind, &m);
    m.base.bodies[0] = ground, m.base.bodies[1] = body;
    m.base.at = kai_vec3_zero();
    m.base.axis = kai_vec3_make(1.0, 0.0, 0.0);
    m.value = sine(world, a, 1.1, 0.0);
    check_ok(kai_joint_create(world, &kai_joint_motor_linear_position, &m, NULL, &motor));
    scene_steps(world, 1000, 1e-3);
    const double t = kai_world_time(world), x = a * sin(w * t);
    double effort, angle_rate, rate;
    check_vec3(kai_body_position(world, body), kai_vec3_make(x, 0.0, -0.5 * 9.81 * t * t), 1e-9,
               "A sin w t, g t²/2");
    check_ok(kai_joint_rates(world, motor, &angle_rate, &rate));
    check_near(rate, a * w * cos(w * t), 1e-4, "its rate, order 2");
    check_ok(kai_world_evaluate(world));
    check_ok(kai_joint_effort(world, motor, &effort));
    check_near(effort, -2.0 * w * w * x, 1e-6, "m ẍ");
    check_near(kai_body_angular_velocity(world, body).z, 2.0, 1e-12, "free");
    kai_world_destroy(world);
}

static void imposed_speed(void** state)
{
    (void)state;
    kai_world* world = scene_world(&kai_integrator_euler, 1);
    const kai_body ground = fixed_body(world), body = scene_body(world, UNIT, kai_vec3_zero());
    kai_joint_motor_params m;
    kai_joint motor;
    kai_kind_defaults(&kai_joint_motor_linear_speed.kind, &m);
    m.base.bodies[0] = ground, m.base.bodies[1] = body;
    m.base.at = kai_vec3_zero();
    m.base.axis = kai_vec3_make(0.0, 3.0, 4.0);
    m.value = kai_value_constant(0.5);
    check_ok(kai_joint_create(world, &kai_joint_motor_linear_speed, &m, NULL, &motor));
    check_ok(kai_world_assemble(world)); // starts at the imposed speed
    scene_steps(world, 1000, 1e-3);
    check_vec3(kai_body_position(world, body), kai_vec3_make(0.0, 0.3, 0.4), 1e-12, "v t");
    check_ok(kai_joint_set_active(world, motor, false));
    check_ok(kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -1.0)));
    scene_steps(world, 1000, 1e-3);
    check_near(kai_body_velocity(world, body).z, 0.4 - 1.0, 1e-12, "switched off: free");
    kai_world_destroy(world);
}

// Motors that are loads --------------------------------------------------------------------------

// A constant torque on a hinge without gravity: ω = T t / I; the ground bears -T.
static void torque_and_force(void** state)
{
    (void)state;
    pendulum p = make_pendulum(&kai_integrator_trapezoidal, 0.0);
    check_ok(kai_world_set_gravity(p.world, kai_vec3_zero()));
    kai_joint_motor_params m;
    kai_load load;
    kai_kind_defaults(&kai_load_motor_rotation_torque.kind, &m);
    m.joint = p.hinge;
    m.value = kai_value_constant(6.0);
    check_ok(kai_load_create(p.world, &kai_load_motor_rotation_torque, &m, "motor", &load));
    scene_steps(p.world, 500, 1e-3);
    kai_load_state s;
    kai_vec3 force, torque;
    kai_energy e;
    check_ok(kai_load_output(p.world, load, &s));
    check_near(s.rate, 6.0 * 0.5 / INERTIA, 1e-5, "T t / I");
    check_near(s.angle, 0.5 * 6.0 / INERTIA * 0.25, 1e-5, "T t² / 2 I");
    check_near(s.torque, 6.0, 0.0, "its value");
    check_ok(kai_world_evaluate(p.world));
    check_ok(kai_body_force(p.world, p.ground, &force, &torque));
    check_vec3(torque, kai_vec3_make(0.0, -6.0, 0.0), 1e-9, "action is reaction");
    check_ok(kai_world_energy(p.world, &e));
    check_near(e.work, 6.0 * s.angle, 1e-5, "T θ");
    check_near(e.drift, 0.0, 1e-5, "order 2");
    kai_world_destroy(p.world);

    kai_world* world = scene_world(&kai_integrator_trapezoidal, 1);
    const kai_body a = scene_body(world, UNIT, kai_vec3_zero()),
                   b = scene_body(world, UNIT, kai_vec3_zero());
    kai_kind_defaults(&kai_load_motor_linear_force.kind, &m);
    m.base.bodies[0] = a, m.base.bodies[1] = b;
    m.base.at = kai_vec3_zero();
    m.value = kai_value_constant(3.0);
    check_ok(kai_load_create(world, &kai_load_motor_linear_force, &m, "motor", &load));
    scene_steps(world, 1000, 1e-3);
    check_ok(kai_load_output(world, load, &s));
    check_near(s.rate, 3.0, 1e-9, "F t / m each, in opposite ways");
    check_near(s.length, 1.5, 1e-9, "F t² / m");
    check_near(s.force, 3.0, 0.0, "its value");
    kai_world_destroy(world);
}

// MSC.ADAMS --------------------------------------------------------------------------------------

// A slide along (sin 45°, 0, cos 45°), driven at 0.5 m/s.
static reference_rig lin_actuator(const kai_integrator_kind* integrator)
{
    reference_rig rig = {.world = scene_world(integrator, 1)};
    const kai_vec3 axis = {sqrt(0.5), 0.0, sqrt(0.5)};
    check_ok(kai_world_set_gravity(rig.world, kai_vec3_make(0.0, 0.0, -9.80665)));
    rig.ground = fixed_body(rig.world);
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = (kai_inertia){1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    def.rotation = kai_quat_from_axis_angle(kai_vec3_make(0.0, 1.0, 0.0), 0.25 * KAI_PI);
    def.velocity = kai_vec3_scale(axis, 0.5);
    check_ok(kai_body_create(rig.world, &def, &rig.body));
    kai_joint_base slide;
    kai_kind_defaults(&kai_joint_prismatic.kind, &slide);
    slide.bodies[0] = rig.ground, slide.bodies[1] = rig.body;
    slide.at = kai_vec3_zero();
    slide.axis = axis;
    check_ok(kai_joint_create(rig.world, &kai_joint_prismatic, &slide, "slide", &rig.joint));
    kai_joint_motor_params m;
    kai_kind_defaults(&kai_joint_motor_linear_position.kind, &m);
    m.joint = rig.joint;
    m.value = ramp(rig.world, 0.5);
    check_ok(
        kai_joint_create(rig.world, &kai_joint_motor_linear_position, &m, "motor", &rig.motor));
    return rig;
}

/// The slide on ground, about the origin, and the motor on the body.
static void react_actuator(const reference_rig* rig, kai_vec3* values)
{
    const kai_vec3 axis = {sqrt(0.5), 0.0, sqrt(0.5)};
    const kai_quat frame = kai_quat_from_z_axis(axis);
    kai_vec3 force, torque;
    double effort, angle, travel;
    check_ok(kai_joint_reaction(rig->world, rig->joint, &force, &torque));
    check_ok(kai_joint_coordinates(rig->world, rig->joint, &angle, &travel));
    check_ok(kai_joint_effort(rig->world, rig->motor, &effort));
    force = kai_quat_rotate(frame, force), torque = kai_quat_rotate(frame, torque);
    values[0] = kai_vec3_neg(force);
    values[1] =
        kai_vec3_neg(kai_vec3_add(torque, kai_vec3_cross(kai_vec3_scale(axis, travel), force)));
    values[2] = kai_vec3_scale(axis, effort);
}

static const reference_case LIN_ACTUATOR = {
    "LinActuator_Case02", {"RforceP", "RtorqueP", "RforceA"}, react_actuator};

static void adams_lin_actuator(void** state)
{
    (void)state;
    const kai_integrator_kind* kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    const int steps[] = {100, 10};
    const double bars[2][3] = {{5e-4, 1e-3, 1e-2}, {5e-5, 1e-4, 1e-3}};
    static const int bar_of[] = {0, 1, 2, 1, 2, 2, 2, 2, 2};
    for (int k = 0; k < 2; k++) {
        reference_table* tables = reference_load(&LIN_ACTUATOR);
        const reference_rig rig = lin_actuator(kinds[k]);
        double rms[REFERENCE_WHATS + 4];
        reference_run(&LIN_ACTUATOR, &rig, tables, steps[k], rms);
        print_message(
            "%s, %s: RMS pos %.1e vel %.1e acc %.1e avel %.1e aacc %.1e reactions %.1e %.1e %.1e\n",
            LIN_ACTUATOR.name, kinds[k]->kind.name, rms[0], rms[1], rms[2], rms[3], rms[4], rms[5],
            rms[6], rms[7]);
        for (int i = 0; i < REFERENCE_WHATS + 3; i++)
            check_near(rms[i], 0.0, bars[k][bar_of[i]], "MSC.ADAMS, bars of the reference folder");
        kai_world_destroy(rig.world);
        free(tables);
    }
}

// Imposed motion ---------------------------------------------------------------------------------

// A body led along a whole course: where it is, and what that takes. On the path x = a sin wt with
// the turn Rx Ry Rz, the force is m (x'' - g).
static void a_pose_is_led(void** state)
{
    (void)state;
    const kai_integrator_kind* const kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    for (size_t n = 0; n < 2; n++) {
        kai_world* world = scene_world(kinds[n], 1);
        kai_body_def def = kai_body_def_default();
        kai_body ground;
        def.fixed = true;
        check_ok(kai_body_create(world, &def, &ground));
        const kai_body body = scene_body(world, kai_vec3_make(0.5, 0.6, 0.7), kai_vec3_zero());
        kai_joint_imposed_motion_params p;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_imposed_motion.kind, &p);
        p.base.bodies[0] = ground;
        p.base.bodies[1] = body;
        p.base.at = kai_vec3_zero();
        const double f[6] = {0.5, 0.3, 0.7, 0.4, 0.6, 0.2};
        for (int k = 0; k < 6; k++) p.value[k] = sine(world, 0.4 + 0.1 * k, f[k], 0.0);
        check_ok(kai_joint_create(world, &kai_joint_imposed_motion, &p, "course", &joint));
        check_ok(kai_world_assemble(world)); // with the speeds of t = 0
        const double h = 1e-3, t = 1.3;
        check_ok(kai_world_step_until(world, t, h));
        kai_jet at[6];
        for (int k = 0; k < 6; k++)
            check_ok(kai_function_at(world, p.value[k].function, t, &at[k]));
        const kai_vec3 x = kai_body_position(world, body);
        const double* got = &x.x;
        for (int k = 0; k < 3; k++) check_near(got[k], at[k].y, 2e-6, "on its course, h² x''");
        kai_quat q = kai_quat_identity();
        for (int k = 0; k < 3; k++)
            q = kai_quat_mul(q, kai_quat_from_axis_angle(kai_vec3_axis(k), at[3 + k].y));
        check_near(kai_quat_angle_between(q, kai_body_rotation(world, body)), 0.0, 5e-6, "turned");
        check_ok(kai_world_evaluate(world));
        kai_vec3 force, torque;
        check_ok(kai_joint_reaction(world, joint, &force, &torque));
        kai_mass_properties mass;
        check_ok(kai_body_mass(world, body, &mass));
        const kai_vec3 g = kai_world_gravity(world);
        check_near(force.x, mass.mass * (at[0].ddy - g.x), 1e-3, "m (x'' - g)");
        check_near(force.z, mass.mass * (at[2].ddy - g.z), 1e-3, "m (z'' - g)");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_is_led),         cmocka_unit_test(torque_of_a_given_swing),
        cmocka_unit_test(motor_and_hinge_share), cmocka_unit_test(speed_for_100_turns),
        cmocka_unit_test(work_of_a_motor),       cmocka_unit_test(imposed_travel),
        cmocka_unit_test(imposed_speed),         cmocka_unit_test(torque_and_force),
        cmocka_unit_test(adams_lin_actuator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
