// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Closed loops of the IFToMM benchmark library of multibody dynamics: two coupled four-bars (A02),
// which pass through singular positions, and Bricard's over-constrained mechanism (A04). All joints
// are revolutes in space, so both have redundant rows. ctest-labels: validate
#include "step/scene.h"

#include <kairos/joint.h>

enum { MOST = 96 };

typedef struct loop {
    kai_world* world;
    kai_body ground, rod[MOST];
    int rods;
} loop;

static loop make_loop(const kai_integrator_kind* integrator)
{
    loop l = {.world = scene_world(integrator, 1)};
    check_ok(kai_world_set_gravity(l.world, kai_vec3_make(0.0, -9.81, 0.0)));
    kai_body_def def = kai_body_def_default();
    def.fixed = true;
    check_ok(kai_body_create(l.world, &def, &l.ground));
    return l;
}

/// A uniform rod of 1 kg and 1 m from `p` to `q`; its x axis is along it. `v` is the velocity of
/// its middle.
static kai_body add_rod(loop* l, kai_vec3 p, kai_vec3 q, kai_vec3 v, kai_vec3 omega)
{
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = (kai_inertia){1e-4, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0};
    def.position = kai_vec3_lerp(p, q, 0.5);
    def.rotation = kai_quat_from_two_vectors(kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_sub(q, p));
    def.velocity = v;
    def.angular_velocity = omega;
    check_ok(kai_body_create(l->world, &def, &l->rod[l->rods]));
    return l->rod[l->rods++];
}

static void pin(loop* l, kai_body a, kai_body b, kai_vec3 at, kai_vec3 axis)
{
    kai_joint_base params;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &params);
    params.bodies[0] = a;
    params.bodies[1] = b;
    params.at = at;
    params.axis = axis;
    check_ok(kai_joint_create(l->world, &kai_joint_revolute, &params, NULL, &joint));
}

/// Largest relative change of the energy while running for `end` seconds; E is measured from the
/// ground.
static double drift(loop* l, double end, double h, double scale)
{
    double most = 0.0;
    const int steps = (int)lround(end / h);
    for (int i = 0; i < steps; i++) {
        check_ok(kai_world_step(l->world, h));
        if (i % 100) continue;
        kai_energy e;
        check_ok(kai_world_energy(l->world, &e));
        most = fmax(most, fabs(e.drift) / scale);
    }
    return most;
}

// A02: three uprights of 1 m on the ground at x = 0, 1, 2, joined at their tops; the tops start at
// 1 m/s.
static loop make_four_bars(const kai_integrator_kind* integrator)
{
    loop l = make_loop(integrator);
    const kai_vec3 z = {0.0, 0.0, 1.0};
    kai_body upright[3], beam[2];
    for (int i = 0; i < 3; i++) {
        const kai_vec3 foot = {i, 0.0, 0.0}, top = {i, 1.0, 0.0};
        upright[i] =
            add_rod(&l, foot, top, kai_vec3_make(0.5, 0.0, 0.0), kai_vec3_make(0.0, 0.0, -1.0));
        pin(&l, l.ground, upright[i], foot, z);
    }
    for (int i = 0; i < 2; i++) {
        const kai_vec3 left = {i, 1.0, 0.0}, right = {i + 1.0, 1.0, 0.0};
        beam[i] = add_rod(&l, left, right, kai_vec3_make(1.0, 0.0, 0.0), kai_vec3_zero());
        pin(&l, upright[i], beam[i], left, z);
        pin(&l, upright[i + 1], beam[i], right, z);
    }
    return l;
}

static void coupled_four_bars(void** state)
{
    (void)state;
    loop l = make_four_bars(&kai_integrator_rk4);
    const double off = drift(&l, 10.0, 5e-4, 45.0);
    check_near(off, 0.0, 1e-6, "issue: relative energy drift over 10 s (E about 45 J)");
    const kai_vec3 top = {0.5, 0.0, 0.0}; // in the upright's own frame: x along it
    const kai_vec3 at = kai_body_point_to_world(l.world, l.rod[0], top);
    const kai_vec3 v = kai_body_point_velocity(l.world, l.rod[0], at);
    // Published to six digits; rounding of the last one, and what the energy drift leaves.
    check_vec3(at, kai_vec3_make(0.328458, 0.944519, 0.0), 2e-5, "IFToMM A02, B0 at 10 s");
    check_vec3(v, kai_vec3_make(1.42305, -0.49487, 0.0), 2e-5,
               "IFToMM A02, velocity of B0 at 10 s");
    kai_world_destroy(l.world);
}

// A02 with 40 loops, from shortly before its singular position, where all rods lie in one line and
// every loop could fold, to behind it: a row of parallelograms is one pendulum, (n + 1) m L²/3 + n m
// L² about its feet, and turns φ'' = (n + 1)/2 m g L + n m g L over that, times sin φ.
enum { LOOPS = 40 };

/// A rod of 1 kg and 1 m whose own axes are turned by `angle` about y; `inertia` about its middle.
static kai_body add_turned(loop* l, kai_inertia inertia, kai_vec3 middle, double angle, kai_vec3 v,
                           double speed)
{
    kai_body_def def = kai_body_def_default();
    def.mass = 1.0;
    def.inertia = inertia;
    def.position = middle;
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), angle);
    def.velocity = v;
    def.angular_velocity = kai_vec3_make(0.0, speed, 0.0);
    check_ok(kai_body_create(l->world, &def, &l->rod[l->rods]));
    return l->rod[l->rods++];
}

static loop make_row(const kai_integrator_kind* integrator, double angle, double speed)
{
    const double i = 1.0 / 12.0;
    const kai_inertia up = {i, i, 1e-3, 0.0, 0.0, 0.0}, across = {1e-3, i, i, 0.0, 0.0, 0.0};
    loop l = make_loop(integrator);
    check_ok(kai_integrator_set(l.world, integrator, NULL)); // adaptive: the short parts are hard
    const kai_vec3 y = kai_vec3_axis(1), arm = {sin(angle), 0.0, cos(angle)},
                   v = {speed * cos(angle), 0.0, -speed * sin(angle)};
    check_ok(kai_world_set_gravity(l.world, kai_vec3_make(0.0, 0.0, -9.81)));
    for (int k = 0; k <= LOOPS; k++) {
        const kai_vec3 foot = {k, 0.0, 0.0};
        add_turned(&l, up, kai_vec3_mul_add(foot, arm, 0.5), angle, kai_vec3_scale(v, 0.5), speed);
        pin(&l, l.ground, l.rod[k], foot, y);
    }
    for (int k = 0; k < LOOPS; k++) {
        const kai_vec3 left = kai_vec3_add(kai_vec3_make(k, 0.0, 0.0), arm);
        const kai_vec3 right = kai_vec3_add(left, kai_vec3_make(1.0, 0.0, 0.0));
        const kai_body beam = add_turned(&l, across, kai_vec3_lerp(left, right, 0.5), 0.0, v, 0.0);
        pin(&l, l.rod[k], beam, left, y);
        pin(&l, l.rod[k + 1], beam, right, y);
    }
    return l;
}

/// Turns a row from `angle` through its singular position; returns how far the tops are off.
static double pass_singular(double angle)
{
    const double inertia = (LOOPS + 1) / 3.0 + LOOPS,
                 rate2 = 9.81 * (0.5 * (LOOPS + 1) + LOOPS) / inertia, h = 1e-3;
    double speed = sqrt(1.0 + 2.0 * rate2 * (1.0 - cos(angle))), off = 0.0;
    loop l = make_row(&kai_integrator_hht, angle, speed);
    while (angle < 0.54 * KAI_PI) {
        const int parts = 100;
        if (kai_world_step(l.world, h) != KAI_OK) fail_msg("%s", kai_world_error(l.world)->message);
        for (int k = 0; k < parts; k++) { // order 2, in 1e-5 s
            const double d = h / parts, middle = angle + 0.5 * d * speed;
            angle += d * (speed + 0.5 * d * rate2 * sin(angle));
            speed += d * rate2 * sin(middle);
        }
    }
    const kai_vec3 top = {0.0, 0.0, 0.5};
    for (int i = 0; i <= LOOPS; i++) {
        const kai_vec3 exact = {i + sin(angle), 0.0, cos(angle)};
        off = fmax(off, kai_vec3_distance(kai_body_point_to_world(l.world, l.rod[i], top), exact));
    }
    kai_world_destroy(l.world);
    return off;
}

static void row_of_forty(void** state)
{
    (void)state;
    const double start[] = {1.2, 1.3};
    for (size_t i = 0; i < KAI_COUNT(start); i++)
        check_near(pass_singular(start[i]), 0.0, 1e-7, "the pendulum's own equation");
}

// A04: the rods lie along the edges of a cube, one edge is the ground; each joint's axis is across
// its two edges.
static loop make_bricard(const kai_integrator_kind* integrator)
{
    const kai_vec3 p[] = {{0, 0, 0},  {1, 0, 0}, {1, -1, 0}, {1, -1, 1},
                          {0, -1, 1}, {0, 0, 1}, {0, 0, 0}};
    const kai_vec3 axis[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    loop l = make_loop(integrator);
    kai_body before = l.ground;
    for (int i = 1; i < 6; i++) {
        const kai_body rod = add_rod(&l, p[i], p[i + 1], kai_vec3_zero(), kai_vec3_zero());
        pin(&l, before, rod, p[i], axis[i - 1]);
        before = rod;
    }
    pin(&l, before, l.ground, p[6], axis[5]);
    return l;
}

static void bricard(void** state)
{
    (void)state;
    const kai_integrator_kind* all[] = {&kai_integrator_trapezoidal, &kai_integrator_rk4};
    for (size_t i = 0; i < KAI_COUNT(all); i++) {
        loop l = make_bricard(all[i]);
        const double off = drift(&l, 10.0, i == 0 ? 2e-4 : 1e-3, 5.0 * 9.81);
        check_near(off, 0.0, 1e-6, "IFToMM A04: the energy stays; relative to m g L of five rods");
        kai_world_destroy(l.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupled_four_bars),
        cmocka_unit_test(row_of_forty),
        cmocka_unit_test(bricard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
