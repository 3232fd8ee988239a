// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The stiff flyball governor (IFToMM multibody benchmark A05: rods and shaft 1 × 0.01 × 0.01 m,
// slider 0.1 m, density 3000, balls 5 kg, k = 8e5 N/m, c = 4e4 N s/m, rest length 0.5 m, 30°,
// 2π rad/s), started with the spring-dampers at rest length. They stand for coupler rods:
// relaxation in 40 µs beside motion of seconds. Against the same machine in three coordinates: spin
// of the whole θ, angle of the arms α, place of the slider z below the hinges, integrated by small
// steps of the classical Runge-Kutta method.
#include "step/joints.h"

static const double LENGTH = 1.0, WIDE = 0.01, BALL = 5.0, STIFF = 8e5, DAMP = 4e4, REST = 0.5,
                    SLIDER = 0.1, DENSITY = 3000.0, SPIN = 2.0 * 3.14159265358979323846;

// The reference ----------------------------------------------------------------------------------

typedef struct governor {
    double a, z, da, dz; // angle of the arms, place of the slider, and their rates
} governor;

static double rod_mass(void) { return DENSITY * LENGTH * WIDE * WIDE; }
static double slider_mass(void) { return DENSITY * SLIDER * SLIDER * SLIDER; }

/// Inertia of an arm with its ball about the hinge, across and along.
static double arm_across(void)
{
    const double m = rod_mass();
    return m * (LENGTH * LENGTH + WIDE * WIDE) / 12.0 + 0.25 * m * LENGTH * LENGTH +
           BALL * LENGTH * LENGTH;
}

static double arm_along(void) { return rod_mass() * WIDE * WIDE / 6.0; }

static double spin_inertia(double a)
{
    return rod_mass() * WIDE * WIDE / 6.0 + slider_mass() * SLIDER * SLIDER / 6.0 +
           2.0 * (arm_across() * sin(a) * sin(a) + arm_along() * cos(a) * cos(a));
}

/// Rates of the reduced machine; `momentum` about the axis is kept.
static governor rates(governor y, double momentum)
{
    const double b = 0.5 * LENGTH, spin = momentum / spin_inertia(y.a);
    const double l = sqrt(b * b + y.z * y.z - 2.0 * b * y.z * cos(y.a));
    const double la = b * y.z * sin(y.a) / l, lz = (y.z - b * cos(y.a)) / l;
    const double force = STIFF * (l - REST) + DAMP * (la * y.da + lz * y.dz);
    const double weight = (0.5 * rod_mass() + BALL) * JOINTS_G * LENGTH;
    governor d = {.a = y.da, .z = y.dz};
    d.da = (0.5 * (arm_across() - arm_along()) * sin(2.0 * y.a) * spin * spin - weight * sin(y.a) -
            force * la) /
           arm_across();
    d.dz = JOINTS_G - 2.0 * force * lz / slider_mass();
    return d;
}

static governor moved(governor y, governor d, double h)
{
    return (governor){y.a + h * d.a, y.z + h * d.z, y.da + h * d.da, y.dz + h * d.dz};
}

static governor reference(double end, double h)
{
    governor y = {.a = SPIN / 12.0, .z = LENGTH * cos(SPIN / 12.0)};
    const double momentum = SPIN * spin_inertia(y.a);
    const long steps = lround(end / h);
    for (long i = 0; i < steps; i++) {
        const governor k1 = rates(y, momentum), k2 = rates(moved(y, k1, 0.5 * h), momentum),
                       k3 = rates(moved(y, k2, 0.5 * h), momentum),
                       k4 = rates(moved(y, k3, h), momentum);
        y = moved(moved(moved(moved(y, k1, h / 6.0), k2, h / 3.0), k3, h / 3.0), k4, h / 6.0);
    }
    return y;
}

// The machine ------------------------------------------------------------------------------------

typedef struct machine {
    kai_world* world;
    kai_body slider, arms[2];
} machine;

static kai_body add_turning(kai_world* world, kai_body_def* def)
{
    const kai_vec3 omega = kai_vec3_make(0.0, 0.0, SPIN);
    def->angular_velocity = omega;
    def->velocity = kai_vec3_cross(omega, def->position);
    return joints_add(world, def);
}

static void add_spring_damper(kai_world* world, kai_body arm, kai_vec3 from, kai_body slider,
                              kai_vec3 to)
{
    kai_load_spring_params spring;
    kai_load load;
    kai_kind_defaults(&kai_load_spring.kind, &spring);
    spring.bodies[0] = arm;
    spring.bodies[1] = slider;
    spring.points[0] = from;
    spring.points[1] = to;
    spring.rest_length = REST;
    spring.stiffness = kai_curve_line(STIFF);
    spring.damping = kai_curve_line(DAMP);
    check_ok(kai_load_create(world, &kai_load_spring, &spring, NULL, &load));
}

static machine build(const kai_integrator_kind* integrator)
{
    const double m = rod_mass(), thin = m * WIDE * WIDE / 6.0,
                 across = m * (LENGTH * LENGTH + WIDE * WIDE) / 12.0, a = SPIN / 12.0;
    machine g = {.world = joints_world(integrator, 0.0)};
    check_ok(kai_integrator_set(g.world, integrator, NULL));
    const kai_body ground = joints_ground(g.world);
    kai_body_def def = joints_body_def(m, across, across, thin);
    def.position = kai_vec3_make(0.0, 0.0, 0.5 * LENGTH);
    const kai_body shaft = add_turning(g.world, &def);
    const double s = slider_mass(), i = s * SLIDER * SLIDER / 6.0;
    const kai_vec3 top = kai_vec3_make(0.0, 0.0, LENGTH);
    def = joints_body_def(s, i, i, i);
    def.position = kai_vec3_make(0.0, 0.0, LENGTH - LENGTH * cos(a));
    const kai_vec3 ring = def.position;
    g.slider = add_turning(g.world, &def);
    kai_joint_base base;
    joints_set(&kai_joint_revolute, &base, ground, shaft, kai_vec3_zero(), kai_vec3_axis(2));
    joints_make(g.world, &kai_joint_revolute, &base);
    joints_set(&kai_joint_prismatic, &base, shaft, g.slider, ring, kai_vec3_axis(2));
    joints_make(g.world, &kai_joint_prismatic, &base);
    for (int k = 0; k < 2; k++) {
        const double side = k == 0 ? 1.0 : -1.0;
        const kai_vec3 down = kai_vec3_make(side * sin(a), 0.0, -cos(a));
        // Rod and ball together: the mass centre is nearer to the ball.
        const double mass = m + BALL, centre = (0.5 * m + BALL) * LENGTH / mass;
        const double about = arm_across() - mass * centre * centre;
        def = joints_body_def(mass, about, about, thin);
        def.position = kai_vec3_mul_add(top, down, centre);
        def.rotation = kai_quat_from_z_axis(down);
        g.arms[k] = add_turning(g.world, &def);
        joints_set(&kai_joint_revolute, &base, shaft, g.arms[k], top, kai_vec3_axis(1));
        joints_make(g.world, &kai_joint_revolute, &base);
        add_spring_damper(g.world, g.arms[k], kai_vec3_mul_add(top, down, 0.5 * LENGTH), g.slider,
                          ring);
    }
    return g;
}

/// What the machine has for α and z.
static governor look(const machine* g)
{
    const kai_vec3 down =
        kai_quat_rotate(kai_body_rotation(g->world, g->arms[0]), kai_vec3_axis(2));
    return (governor){.a = atan2(hypot(down.x, down.y), -down.z),
                      .z = LENGTH - kai_body_position(g->world, g->slider).z};
}

static void stiff_governor(void** state)
{
    static const struct {
        const kai_integrator_kind* kind;
        double h, allowed;
    } cases[] = {{&kai_integrator_hht, 1e-3, 1e-6},
                 {&kai_integrator_trapezoidal, 1e-3, 1e-4},
                 {&kai_integrator_euler_implicit, 1e-4, 2e-2}};
    for (size_t k = 0; k < KAI_COUNT(cases); k++) {
        const machine g = build(cases[k].kind);
        for (int second = 1; second <= 3; second++) {
            while (kai_world_time(g.world) < second - 0.5 * cases[k].h)
                if (kai_world_step(g.world, cases[k].h) != KAI_OK)
                    fail_msg("%s: %s", cases[k].kind->kind.name, kai_world_error(g.world)->message);
            const governor ours = look(&g), exact = reference(second, 1e-5);
            print_message("%s t = %d s: angle off by %.1e rad, slider by %.1e m\n",
                          cases[k].kind->kind.name, second, ours.a - exact.a, ours.z - exact.z);
            check_near(ours.a, exact.a, cases[k].allowed, "three coordinates, Runge-Kutta 1e-5 s");
            check_near(ours.z, exact.z, cases[k].allowed, "three coordinates, Runge-Kutta 1e-5 s");
        }
        kai_energy energy;
        check_ok(kai_world_energy(g.world, &energy));
        print_message("  energy %.6f J, drift %.1e J\n", energy.kinetic, energy.drift);
        kai_world_destroy(g.world);
    }
    const governor coarse = reference(1.0, 2e-5), fine = reference(1.0, 1e-5);
    check_near(coarse.a, fine.a, 1e-9, "the reference does not depend on its step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stiff_governor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
