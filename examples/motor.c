// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Motors, functions of time, and a controller
// ===========================================
// A wheel of inertia 0.5 kg m² on a horizontal axle with damping 0.2 N m s/rad. First a motor prescribes its
// speed: 10 rad/s within 1 s. Then the program is the controller: it reads the wheel and sets a torque
// before each step, to hold 4 rad/s with at most 3 N m.
#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>

static kai_world* world;
static kai_body ground, wheel;
static kai_joint axle;

static int fail(void)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

// A wheel on an axle about y, with a damper.
static kai_result build(void)
{
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    kai_result r = kai_body_create(world, &def, &ground);
    def = kai_body_def_default();
    def.mass = 10.0;
    def.inertia = (kai_inertia){.xx = 0.3, .yy = 0.5, .zz = 0.3};
    if (!r) r = kai_body_create(world, &def, &wheel);
    kai_joint_base base;
    kai_kind_defaults(&kai_joint_revolute.kind, &base);
    base.bodies[0] = ground;
    base.bodies[1] = wheel;
    base.at = kai_vec3_make(0.0, 0.0, 0.0);
    base.axis = kai_vec3_make(0.0, 1.0, 0.0);
    if (!r) r = kai_joint_create(world, &kai_joint_revolute, &base, "axle", &axle);
    kai_coordinate_def damper = kai_coordinate_def_default(KAI_JOINT_ANGLE);
    damper.damping = kai_curve_line(0.2);
    if (!r) r = kai_coordinate_add(world, axle, &damper, NULL);
    return r;
}

static double speed(void)
{
    double rate = 0.0, travel_rate;
    kai_joint_rates(world, axle, &rate, &travel_rate);
    return rate;
}

int main(void)
{
    kai_world_def def = kai_world_def_default();
    if (kai_world_create(&def, &world, NULL)) return 1;
    if (build()) return fail();

    // A function of time, and a motor that follows it. Any kai_value may be a number or a function.
    const kai_function_step_params ramp = {.from = 0.0, .to = 10.0, .at = 0.0, .duration = 1.0};
    kai_joint_motor_params drive;
    kai_kind_defaults(&kai_joint_motor_rotation_speed.kind, &drive);
    drive.joint = axle;
    kai_joint motor;
    if (kai_function_create(world, &kai_function_step, &ramp, &drive.value.function)) return fail();
    if (kai_joint_create(world, &kai_joint_motor_rotation_speed, &drive, "drive", &motor))
        return fail();
    for (int i = 1; i <= 3; i++) {
        double effort;
        if (kai_world_step_until(world, 0.5 * i, 1e-3)) return fail();
        if (kai_joint_effort(world, motor, &effort)) return fail();
        printf("%.1f s  %6.3f rad/s  motor %6.3f N m\n", kai_world_time(world), speed(), effort);
    }

    // The motor is switched off; a torque takes its place, and the program sets it before each step.
    if (kai_joint_set_active(world, motor, false)) return fail();
    kai_joint_motor_params push;
    kai_kind_defaults(&kai_load_motor_rotation_torque.kind, &push);
    push.joint = axle;
    kai_load torque;
    if (kai_load_create(world, &kai_load_motor_rotation_torque, &push, "push", &torque))
        return fail();
    double integral = 0.0;
    const double h = 1e-3, target = 4.0;
    for (int i = 1; i <= 4000; i++) {
        const double error = target - speed(), wanted = 2.0 * error + integral;
        const double given = fmax(-3.0, fmin(3.0, wanted));
        if (given == wanted) integral += 6.0 * error * h; // no wind-up at the limit
        push.value = kai_value_constant(given);
        if (kai_load_set(world, torque, &push)) return fail();
        if (kai_world_step(world, h)) return fail();
        if (i % 1000 == 0)
            printf("%.1f s  %6.3f rad/s  controller %6.3f N m\n", kai_world_time(world), speed(),
                   given);
    }
    kai_world_destroy(world);
    return 0;
}
