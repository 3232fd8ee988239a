// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A first pendulum
// ================
// A rod of 1 m hangs on a hinge, falls from the horizontal and swings. World, bodies, a joint,
// steps, reading results, errors: what every program does.
//
// At the bottom the rod has turned m g L/2 into (1/2)(m L²/3) ω², so ω = sqrt(3 g/L) = 5.4249 rad/s,
// and the hinge carries m g + m ω² L/2 = 2.5 m g = 49.05 N.
#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>

static int fail(const kai_world* world)
{
    fprintf(stderr, "%s\n", kai_world_error(world)->message);
    return 1;
}

int main(void)
{
    // A world. Every structure begins with its defaults, then gets what differs.
    kai_world_def world_def = kai_world_def_default();
    kai_world* world;
    kai_error error;
    if (kai_world_create(&world_def, &world, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // Bodies: the ground never moves; the rod lies along x, one end at the origin.
    const double mass = 2.0, length = 1.0;
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    kai_body ground, rod;
    if (kai_body_create(world, &def, &ground)) return fail(world);
    def = kai_body_def_default();
    def.mass = mass;                                                 // kg
    def.inertia.yy = def.inertia.zz = mass * length * length / 12.0; // kg m²
    def.inertia.xx = 1e-3;
    def.position = kai_vec3_make(length / 2.0, 0.0, 0.0); // m
    if (kai_body_create(world, &def, &rod)) return fail(world);

    // A hinge about y at the origin. Parameters of kinds begin with kai_kind_defaults.
    kai_joint_base hinge;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    hinge.bodies[0] = ground;
    hinge.bodies[1] = rod;
    hinge.at = kai_vec3_make(0.0, 0.0, 0.0);
    hinge.axis = kai_vec3_make(0.0, 1.0, 0.0);
    kai_joint joint;
    if (kai_joint_create(world, &kai_joint_revolute, &hinge, "hinge", &joint)) return fail(world);

    // Steps of 1 ms for 2 s, and what happens on the way.
    double fastest = 0.0, heaviest = 0.0;
    printf("time   angle\n");
    for (int i = 1; i <= 2000; i++) {
        if (kai_world_step(world, 1e-3)) return fail(world);
        double angle, travel, rate, travel_rate;
        kai_vec3 force, torque;
        if (kai_joint_coordinates(world, joint, &angle, &travel)) return fail(world);
        if (kai_joint_rates(world, joint, &rate, &travel_rate)) return fail(world);
        if (kai_joint_reaction(world, joint, &force, &torque)) return fail(world);
        fastest = fmax(fastest, fabs(rate));
        heaviest = fmax(heaviest, kai_vec3_norm(force));
        if (i % 400 == 0) printf("%.1f s  %6.3f rad\n", kai_world_time(world), angle);
    }
    printf("fastest  %.3f rad/s, closed form %.3f\n", fastest, sqrt(3.0 * 9.81 / length));
    printf("largest force in the hinge  %.2f N, closed form %.2f\n", heaviest, 2.5 * mass * 9.81);

    // A wrong number: nothing changes, and the message names the value and the rule.
    def.mass = -1.0;
    kai_body wrong;
    if (kai_body_create(world, &def, &wrong)) printf("%s\n", kai_world_error(world)->message);
    kai_world_destroy(world);
    return 0;
}
