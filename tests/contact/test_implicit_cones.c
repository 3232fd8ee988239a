// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact by complementarity under euler-implicit: closed forms with stiff forces, joints and
// flexible bodies in the same step, order 1, and repeats to the bit.
#include "contact/stage.h"

#include <kairos/kairos.h>
#include <unistd.h>

static kai_world* cones_world(int threads)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, threads);
    check_ok(kai_integrator_set(world, &kai_integrator_euler_implicit, NULL));
    return world;
}

static kai_material rough(kai_world* world, double friction)
{
    kai_material_def def = kai_material_def_default();
    def.friction = friction;
    return stage_material(world, &def);
}

static const kai_vec3 SIZE = {0.4, 0.3, 0.1};

// Implicit Euler under constant acceleration moves a h² n (n + 1) / 2 in n steps, exactly.
static void test_incline(void** state)
{
    (void)state;
    const double mu = 0.3, angle = 0.5, h = 2e-3, far[] = {0.0, 1000.0};
    const int n = 400;
    for (int k = 0; k < 2; k++) {
        kai_world* world = cones_world(1);
        const kai_material material = rough(world, mu);
        const kai_vec3 origin = kai_vec3_make(far[k], -far[k], far[k]);
        stage_plane(world, origin, kai_vec3_axis(2), material);
        check_ok(kai_world_set_gravity(
            world, kai_vec3_make(STAGE_G * sin(angle), 0, -STAGE_G * cos(angle))));
        const kai_body block =
            stage_box(world, SIZE, 10.0, kai_vec3_add(origin, kai_vec3_make(0, 0, 0.5 * SIZE.z)),
                      kai_quat_identity(), material);
        stage_steps(world, n, h);
        const double a = STAGE_G * (sin(angle) - mu * cos(angle));
        check_relative(kai_body_position(world, block).x - origin.x, a * h * h * n * (n + 1) / 2.0,
                       1e-9, "a h² n (n + 1) / 2");
        check_relative(stage_force(world, block).z, 10.0 * STAGE_G * cos(angle), 1e-9, "m g cos φ");
        check_relative(-stage_force(world, block).x, mu * 10.0 * STAGE_G * cos(angle), 1e-9,
                       "μ m g cos φ");
        kai_world_destroy(world);
    }
}

/// A spring between two points.
static void add_spring(kai_world* world, kai_body a, kai_body b, kai_vec3 from, kai_vec3 to,
                       double stiffness, double length)
{
    kai_load_spring_params spring;
    kai_load load;
    kai_kind_defaults(&kai_load_spring.kind, &spring);
    spring.bodies[0] = a;
    spring.bodies[1] = b;
    spring.points[0] = from;
    spring.points[1] = to;
    spring.stiffness = kai_curve_line(stiffness);
    spring.rest_length = length;
    check_ok(kai_load_create(world, &kai_load_spring, &spring, NULL, &load));
}

/// A box of 1 kg on the floor that a spring of stiffness k presses on it along a slide, squeezed by
/// 1 mm. Returns its solver iterations per step.
static double press(double k, kai_solver_type type, kai_vec3* push, double* sunk)
{
    const double h = 1e-2, squeezed = 1e-3;
    kai_world* world = cones_world(1);
    const kai_material material = rough(world, 0.5);
    const kai_body floor = stage_floor(world, material),
                   box = stage_box(world, SIZE, 1.0, kai_vec3_make(0, 0, 0.5 * SIZE.z),
                                   kai_quat_identity(), material);
    stage_solver(world, type, 2000, 1e-10);
    kai_joint_base slide;
    kai_joint joint;
    kai_load_linear_spring_params spring;
    kai_load load;
    kai_kind_defaults(&kai_joint_prismatic.kind, &slide);
    slide.bodies[0] = floor;
    slide.bodies[1] = box;
    slide.at = kai_body_position(world, box);
    slide.axis = kai_vec3_axis(2);
    slide.collide_bodies = true;
    check_ok(kai_joint_create(world, &kai_joint_prismatic, &slide, NULL, &joint));
    kai_kind_defaults(&kai_load_linear_spring.kind, &spring);
    spring.joint = joint;
    spring.rest = -squeezed;
    spring.stiffness = kai_curve_line(k);
    check_ok(kai_load_create(world, &kai_load_linear_spring, &spring, NULL, &load));
    stage_steps(world, 20, h);
    *push = stage_force(world, box);
    *sunk = 0.5 * SIZE.z - kai_body_position(world, box).z;

    const double iterations = kai_solver_measured(world).iterations_mean;
    kai_world_destroy(world);
    return iterations;
}

// Springs of 1e4 and 1e6 N/m press a kilogram on the floor, at steps with h² k / m up to 100, far
// beyond what explicit methods stand. The floor carries weight and spring. Gradient methods take
// the same few iterations for both; sweeps take more with each power of ten (docs/contact.md).
static void test_stiff_push(void** state)
{
    (void)state;
    const kai_solver_type types[] = {KAI_SOLVER_APGD, KAI_SOLVER_BB};
    for (int i = 0; i < 2; i++) {
        for (double k = 1e4; k < 2e6; k *= 100.0) {
            kai_vec3 push;
            double sunk;
            const double iterations = press(k, types[i], &push, &sunk);
            check_relative(push.z, 1e-3 * k + STAGE_G, 2e-9, "k x + m g, solved to 1e-10 m/s");
            check_near(sunk, 0.0, 1e-11, "it does not move");
            assert_true(iterations < 100.0);
        }
    }
}

// The solver that cannot see stiff forces says so.
static void test_admm(void** state)
{
    (void)state;
    kai_world* world = cones_world(1);
    const kai_material material = rough(world, 0.5);
    const kai_body floor = stage_floor(world, material),
                   box = stage_box(world, SIZE, 1.0, kai_vec3_make(0, 0, 0.5 * SIZE.z),
                                   kai_quat_identity(), material);
    stage_solver(world, KAI_SOLVER_ADMM, 100, 1e-9);
    stage_steps(world, 1, 1e-3); // nothing stiff yet
    add_spring(world, floor, box, kai_vec3_zero(), kai_vec3_make(0, 0, SIZE.z), 1e4, 0.1);
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_UNSUPPORTED);
    assert_non_null(strstr(kai_world_error(world)->message, "use apgd, psor or bb"));
    kai_world_destroy(world);
}

// A ton on a kilogram of the same size: the floor carries both at once.
static void test_mass_ratio(void** state)
{
    (void)state;
    kai_world* world = cones_world(1);
    const kai_material material = rough(world, 0.5);
    stage_floor(world, material);
    const kai_body light = stage_box(world, SIZE, 1.0, kai_vec3_make(0, 0, 0.5 * SIZE.z),
                                     kai_quat_identity(), material);
    stage_box(world, SIZE, 1000.0, kai_vec3_make(0, 0, 1.5 * SIZE.z), kai_quat_identity(),
              material);
    stage_solver(world, KAI_SOLVER_APGD, 2000, 1e-10);
    stage_steps(world, 100, 5e-3);
    check_near(stage_fastest(world), 0.0, 1e-8, "at rest");
    check_relative(stage_force(world, light).z, STAGE_G, 1e-6, "what is left of both is m g");
    kai_world_destroy(world);
}

/// A block that a spring pulls along the floor at a constant speed: where it is after a second.
static double pulled(const kai_integrator_kind* kind, double h)
{
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    check_ok(kai_integrator_set(world, kind, NULL));
    const kai_material material = rough(world, 0.3);
    const kai_body floor = stage_floor(world, material),
                   block = stage_box(world, SIZE, 2.0, kai_vec3_make(0, 0, 0.5 * SIZE.z),
                                     kai_quat_identity(), material);
    add_spring(world, floor, block, kai_vec3_make(3, 0, 0.5 * SIZE.z),
               kai_vec3_make(0, 0, 0.5 * SIZE.z), 40.0, 1.5);
    stage_steps(world, (int)lround(0.4 / h), h);
    const double x = kai_body_position(world, block).x;
    kai_world_destroy(world);
    return x;
}

// Order 1: a block on a spring of 40 N/m slides under friction as
// m ẍ = k (l - x) - μ m g does, l = 3 - 1.5, without turning back within 0.4 s.
static void test_order(void** state)
{
    (void)state;
    const double w = sqrt(40.0 / 2.0), middle = 1.5 - 0.3 * STAGE_G / (w * w),
                 x = middle * (1.0 - cos(0.4 * w));
    const double coarse = pulled(&kai_integrator_euler_implicit, 4e-3) - x,
                 fine = pulled(&kai_integrator_euler_implicit, 2e-3) - x;
    check_near(log2(coarse / fine), 1.0, 0.05, "order 1");
    check_near(fine, 0.0, 5e-3, "near the closed form");
    check_near(pulled(&kai_integrator_euler, 2e-4) - pulled(&kai_integrator_euler_implicit, 2e-4),
               0.0, 5e-4, "as euler at short steps");
}

// A ball that slides rolls with 5/7 of its speed in the end, whatever the friction.
static void test_rolls(void** state)
{
    (void)state;
    const double v = 2.0, r = 0.1, h = 1e-3;
    kai_world* world = cones_world(1);
    const kai_material material = rough(world, 0.4);
    stage_floor(world, material);
    const kai_body ball = stage_ball(world, r, 1.5, kai_vec3_make(0, 0, r), material);
    stage_push(world, ball, kai_vec3_make(v, 0, 0), kai_vec3_zero());
    stage_steps(world, 500, h);
    check_relative(kai_body_velocity(world, ball).x, 5.0 / 7.0 * v, 1e-9, "5 v / 7");
    check_relative(kai_body_angular_velocity(world, ball).y, 5.0 / 7.0 * v / r, 1e-9, "v / r");
    check_near(kai_body_position(world, ball).z, r, 1e-12, "on the floor");
    kai_world_destroy(world);
}

// Two balls meet head on with restitution: momentum is kept to rounding, and
// the speed of parting is e times that of meeting.
static void test_restitution(void** state)
{
    (void)state;
    kai_world* world = cones_world(1);
    check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
    kai_material_def def = kai_material_def_default();
    def.restitution = 0.6;
    def.friction = 0.4;
    const kai_material material = stage_material(world, &def);
    const kai_body a = stage_ball(world, 0.1, 1.0, kai_vec3_make(-0.2, 0.03, 0), material),
                   b = stage_ball(world, 0.1, 3.0, kai_vec3_make(0.2, 0, 0), material);
    stage_push(world, a, kai_vec3_make(2, 0, 0), kai_vec3_make(0, 0, 20));
    stage_push(world, b, kai_vec3_make(-1, 0, 0), kai_vec3_zero());
    kai_vec3 before[2], after[2], n = kai_vec3_zero();
    check_ok(kai_world_momentum(world, &before[0], &before[1]));
    for (int i = 0; i < 100; i++) {
        stage_steps(world, 1, 1e-3);
        kai_contact_report report;
        if (kai_contact_report_count(world) == 0) continue;
        check_ok(kai_contact_report_at(world, 0, &report));
        if (kai_vec3_norm(report.force) > 0.0) n = report.contact.normal;
    }
    check_ok(kai_world_momentum(world, &after[0], &after[1]));
    check_vec3(after[0], before[0], 1e-12, "momentum is kept");
    check_vec3(after[1], before[1], 2e-3 * 3.0, "moment of momentum to the order of the method");
    const kai_vec3 parted = kai_vec3_sub(kai_body_velocity(world, b), kai_body_velocity(world, a));
    check_relative(fabs(kai_vec3_dot(parted, n)),
                   0.6 * fabs(kai_vec3_dot(kai_vec3_make(3, 0, 0), n)), 1e-9, "e (n · u)");
    kai_world_destroy(world);
}

/// A rod of 1 m on a hinge at the height of 0.25 m, and a fixed ball under its far end, 1 mm below.
static kai_world* hinged_rod(int threads, kai_body* rod, kai_joint* joint)
{
    kai_world* world = cones_world(threads);
    const kai_material material = rough(world, 0.0);
    const kai_body floor = stage_floor(world, material),
                   post = stage_ball(world, 0.1, 1.0, kai_vec3_make(1, 0, 0.099), material);
    *rod = stage_box(world, kai_vec3_make(1.2, 0.1, 0.1), 4.0, kai_vec3_make(0.5, 0, 0.25),
                     kai_quat_identity(), material);
    check_ok(kai_body_set_fixed(world, post, true));
    kai_joint_base pin;
    kai_kind_defaults(&kai_joint_revolute.kind, &pin);
    pin.bodies[0] = floor;
    pin.bodies[1] = *rod;
    pin.at = kai_vec3_make(0, 0, 0.25);
    pin.axis = kai_vec3_axis(1);
    check_ok(kai_joint_create(world, &kai_joint_revolute, &pin, "pin", joint));
    return world;
}

// The rod falls on the post. The hinge holds to rounding all the time, also when it falls so fast
// that the post stops it within a step; hinge and post carry half the weight each.
static void test_joint(void** state)
{
    (void)state;
    kai_body rod;
    kai_joint joint;
    kai_world* world = hinged_rod(1, &rod, &joint);
    for (int i = 0; i < 400; i++) {
        double violation;
        stage_steps(world, 1, 2e-3);
        check_ok(kai_joint_violation(world, joint, &violation));
        check_near(violation, 0.0, 1e-9, "the joint holds at position level");
    }
    check_near(stage_fastest(world), 0.0, 1e-9, "at rest");
    // The post touches at 1 m, but for 1 mm of slope.
    check_relative(stage_force(world, rod).z, 0.5 * 4.0 * STAGE_G, 1e-3, "m g / 2");
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(world, joint, &force, &torque));
    check_relative(kai_vec3_norm(force), 0.5 * 4.0 * STAGE_G, 1e-3, "m g / 2");
    kai_world_destroy(world);
}

// A shaft with a heavy flywheel drives a wheel through a body on a hinge: what a contact does to
// the body it does to the shaft. A bar that turns with 1/10 of the shaft's speed is stopped by a
// post, and the flywheel with it, in one step.
static void test_shaft(void** state)
{
    (void)state;
    kai_body rod;
    kai_joint joint;
    kai_world* world = hinged_rod(1, &rod, &joint);
    kai_shaft_def flywheel = kai_shaft_def_default();
    kai_shaft shaft, output;
    kai_joint made;
    flywheel.inertia = 0.05;
    check_ok(kai_shaft_create(world, &flywheel, NULL, &shaft));
    flywheel.inertia = 1e-3;
    check_ok(kai_shaft_create(world, &flywheel, NULL, &output));
    kai_joint_shaft_gear_params gear;
    kai_kind_defaults(&kai_joint_shaft_gear.kind, &gear);
    gear.shafts[0] = shaft;
    gear.shafts[1] = output;
    gear.ratio = 0.1;
    check_ok(kai_joint_create(world, &kai_joint_shaft_gear, &gear, "gear", &made));
    kai_joint_shaft_body_params link;
    kai_kind_defaults(&kai_joint_shaft_body.kind, &link);
    link.shaft = output;
    link.base.bodies[1] = rod;
    link.base.axis = kai_vec3_axis(1);
    check_ok(kai_joint_create(world, &kai_joint_shaft_body, &link, "link", &made));
    double fastest = 0.0;
    for (int i = 0; i < 300; i++) {
        stage_steps(world, 1, 2e-3);
        check_ok(kai_shaft_get(world, shaft, &flywheel));
        fastest = fmax(fastest, fabs(flywheel.speed));
    }
    assert_true(fastest > 0.1);
    check_near(flywheel.speed, 0.0, 1e-8, "the flywheel stands as the rod does");
    check_near(stage_fastest(world), 0.0, 1e-9, "at rest");
    kai_world_destroy(world);
}

// Overlap is undone without speed, by at most the recovery speed.
static void test_recovery(void** state)
{
    (void)state;
    kai_world* world = cones_world(1);
    const kai_material material = rough(world, 0.3);
    stage_floor(world, material);
    const kai_body box = stage_box(world, SIZE, 2.0, kai_vec3_make(0, 0, 0.5 * SIZE.z - 0.02),
                                   kai_quat_identity(), material);
    for (int i = 0; i < 400; i++) {
        stage_steps(world, 1, 5e-3);
        check_near(kai_body_velocity(world, box).z, 0.0, 1e-9, "no speed");
    }
    check_near(kai_body_position(world, box).z, 0.5 * SIZE.z, 1e-3, "out of the floor");
    kai_world_destroy(world);
}

// Repeats ----------------------------------------------------------------------------------------

/// Boxes and balls that fall on each other, two of them on a joint, two on a spring.
static kai_world* heap(int threads)
{
    kai_world* world = cones_world(threads);
    kai_material_def def = kai_material_def_default();
    def.friction = 0.4;
    def.rolling_friction = 1e-3;
    def.cohesion = 0.5;
    const kai_material material = stage_material(world, &def);
    stage_floor(world, material);
    stage_solver(world, KAI_SOLVER_PSOR, 50, 1e-10);
    kai_body bodies[12];
    for (int i = 0; i < 12; i++) {
        const kai_vec3 at = kai_vec3_make(0.05 * (i % 3), 0.04 * (i % 2), 0.12 + 0.21 * i);
        bodies[i] = i % 2 ? stage_ball(world, 0.1, 1.0 + i, at, material)
                          : stage_box(world, kai_vec3_make(0.2, 0.25, 0.2), 2.0, at,
                                      helper_random_rotation(i), material);
    }
    kai_joint_base pin;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_spherical.kind, &pin);
    pin.bodies[0] = bodies[2];
    pin.bodies[1] = bodies[3];
    pin.at = kai_body_position(world, bodies[3]);
    check_ok(kai_joint_create(world, &kai_joint_spherical, &pin, "pin", &joint));
    add_spring(world, bodies[6], bodies[9], kai_body_position(world, bodies[6]),
               kai_body_position(world, bodies[9]), 1e5, 0.5);
    return world;
}

static void test_threads(void** state)
{
    (void)state;
    const int threads[] = {1, 2, 5, 16};
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        kai_world* world = heap(threads[k]);
        stage_steps(world, 150, 2e-3);
        if (k == 0) hash = kai_world_hash(world);
        assert_true(kai_contact_report_count(world) > 1);
        assert_int_equal(kai_world_hash(world), hash);
        kai_world_destroy(world);
    }
}

static void test_resume(void** state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "test_implicit_cones_%ld.h5", (long)getpid());
    kai_world *world = heap(1), *again = NULL;
    stage_steps(world, 90, 2e-3);
    assert_true(kai_contact_report_count(world) > 0);
    check_ok(kai_world_save(world, path));
    kai_world_def def = kai_world_def_default();
    kai_error err;
    def.threads = 2;
    if (kai_world_load(&def, path, &again, &err) != KAI_OK) fail_msg("%s", err.message);
    remove(path);
    for (int k = 0; k < 60; k++) {
        stage_steps(world, 1, 2e-3);
        stage_steps(again, 1, 2e-3);
        assert_int_equal(kai_world_hash(again), kai_world_hash(world));
    }
    kai_energy e, f;
    check_ok(kai_world_energy(world, &e));
    check_ok(kai_world_energy(again, &f));
    assert_memory_equal(&e, &f, sizeof e);
    kai_world_destroy(world);
    kai_world_destroy(again);
}

// A step that fails leaves everything as it was, also what contacts remember.
static void test_failed_step(void** state)
{
    (void)state;
    kai_integrator_implicit_params params;
    kai_world *world = heap(1), *other = heap(1);
    stage_steps(world, 90, 2e-3);
    stage_steps(other, 90, 2e-3);
    kai_kind_defaults(&kai_integrator_euler_implicit.kind, &params);
    params.tolerance = 1e-22;
    params.iterations = 1;
    const uint64_t hash = kai_world_hash(world);
    kai_energy e, f;
    check_ok(kai_world_energy(world, &e));
    check_ok(kai_integrator_set(world, &kai_integrator_euler_implicit, &params));
    assert_int_equal(kai_world_step(world, 2e-3), KAI_ERROR_DIVERGED);
    assert_int_equal(kai_world_hash(world), hash);
    check_ok(kai_world_energy(world, &f));
    assert_memory_equal(&e, &f, sizeof e);
    check_ok(kai_integrator_set(world, &kai_integrator_euler_implicit, NULL));
    // Accelerations begin anew after a failure; two failures are as one.
    check_ok(kai_integrator_set(other, &kai_integrator_euler_implicit, &params));
    for (int i = 0; i < 2; i++) assert_int_equal(kai_world_step(other, 2e-3), KAI_ERROR_DIVERGED);
    check_ok(kai_integrator_set(other, &kai_integrator_euler_implicit, NULL));
    for (int i = 0; i < 30; i++) {
        stage_steps(world, 1, 2e-3);
        stage_steps(other, 1, 2e-3);
        assert_int_equal(kai_world_hash(other), kai_world_hash(world));
    }
    kai_world_destroy(world);
    kai_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline),     cmocka_unit_test(test_stiff_push),
        cmocka_unit_test(test_admm),        cmocka_unit_test(test_mass_ratio),
        cmocka_unit_test(test_order),       cmocka_unit_test(test_rolls),
        cmocka_unit_test(test_restitution), cmocka_unit_test(test_joint),
        cmocka_unit_test(test_shaft),       cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_resume),
        cmocka_unit_test(test_failed_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
