// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Friction and stacks by penalty under the implicit integrators.
#include "contact/implicit.h"

/// Stiff surfaces with friction, by Hooke: 1e6 N/m at each point, damped.
static kai_material_def stiff(double friction)
{
    kai_material_def surface = kai_material_def_default();
    surface.friction = friction;
    surface.kn = 1e6;
    surface.restitution = 0.2;
    return surface;
}

static const kai_vec3 SIZE = {0.4, 0.3, 0.1};

// A block of speed v stops after v² / (2 μ g), near the origin and a kilometre away.
static void test_stops(void** state)
{
    (void)state;
    const double mu = 0.4, v = 2.0, far[] = {0.0, 1000.0};
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        for (int k = 0; k < 2; k++) {
            kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
            const kai_material_def surface = stiff(mu);
            const kai_material material = stage_material(world, &surface);
            const kai_vec3 origin = kai_vec3_make(far[k], -far[k], far[k]);
            stage_plane(world, origin, kai_vec3_axis(2), material);
            const double sunk = 10.0 * STAGE_G / 4e6;
            const kai_body block = stage_box(
                world, SIZE, 10.0, kai_vec3_add(origin, kai_vec3_make(0, 0, 0.5 * SIZE.z - sunk)),
                kai_quat_identity(), material);
            stage_push(world, block, kai_vec3_make(v, 0, 0), kai_vec3_zero());
            stage_steps(world, 400, 2e-3);
            check_relative(kai_body_position(world, block).x - origin.x,
                           v * v / (2.0 * mu * STAGE_G), 5e-3, "v² / 2 μ g");
            check_near(kai_body_velocity(world, block).x, 0.0, 1e-6, "it has stopped");
            kai_world_destroy(world);
        }
    }
}

/// How far a block goes down a slope of that tangent in half a second, and how fast it is half way
/// and then.
static double slide_down(const kai_integrator_kind* kind, double mu, double slope, double speed[2])
{
    kai_world* world = implicit_world(kind, &kai_contact_law_hooke, 1);
    const kai_material_def surface = stiff(mu);
    const kai_material material = stage_material(world, &surface);
    const double angle = atan(slope);
    stage_floor(world, material);
    check_ok(kai_world_set_gravity(
        world, kai_vec3_make(STAGE_G * sin(angle), 0.0, -STAGE_G * cos(angle))));
    const double sunk = 10.0 * STAGE_G * cos(angle) / 4e6;
    const kai_body block = stage_box(world, SIZE, 10.0, kai_vec3_make(0, 0, 0.5 * SIZE.z - sunk),
                                     kai_quat_identity(), material);
    stage_steps(world, 125, 2e-3);
    speed[0] = kai_body_velocity(world, block).x;
    stage_steps(world, 125, 2e-3);
    speed[1] = kai_body_velocity(world, block).x;
    const double x = kai_body_position(world, block).x;
    kai_world_destroy(world);
    return x;
}

// A block sticks while tan φ < μ, held by its friction springs once these have been stretched, and
// slides beyond with g (sin φ - μ cos φ).
static void test_incline(void** state)
{
    (void)state;
    const double mu = 0.5;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        double speed[2];
        check_near(slide_down(IMPLICIT[i], mu, 0.98 * mu, speed), 0.0, 5e-4,
                   "sticks below tan φ = μ");
        check_near(speed[1], 0.0, 1e-6, "for good");
        const double slope = 1.1 * mu, angle = atan(slope),
                     a = STAGE_G * (sin(angle) - mu * cos(angle));
        slide_down(IMPLICIT[i], mu, slope, speed);
        check_relative(speed[1] - speed[0], 0.25 * a, 1e-3, "a t");
    }
}

// Eight boxes on each other come to rest and stay there.
static void test_stack(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
        const kai_material_def surface = stiff(0.5);
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        kai_body boxes[8];
        for (int k = 0; k < 8; k++)
            boxes[k] = stage_box(world, SIZE, 10.0, kai_vec3_make(0, 0, (k + 0.5) * SIZE.z),
                                 kai_quat_identity(), material);
        stage_steps(world, 300, 5e-3);
        check_near(stage_fastest(world), 0.0, 1e-5, "at rest");
        check_relative(stage_force(world, boxes[0]).z, 10.0 * STAGE_G, 1e-4,
                       "the lowest carries the others");
        check_near(kai_body_position(world, boxes[7]).z, 7.5 * SIZE.z, 36.0 * 98.1 / 4e6 * 1.05,
                   "and the highest is where it was");
        check_near(kai_body_position(world, boxes[7]).x, 0.0, 1e-6, "upright");
        kai_world_destroy(world);
    }
}

// A ton on a kilogram: the light box is not pressed into the floor.
static void test_mass_ratio(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
        kai_material_def surface = stiff(0.5);
        surface.gn = 1e4; // what restitution gives is for the light one
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        const kai_body light = stage_box(world, SIZE, 1.0, kai_vec3_make(0, 0, 0.5 * SIZE.z),
                                         kai_quat_identity(), material),
                       heavy = stage_box(world, SIZE, 1000.0, kai_vec3_make(0, 0, 1.5 * SIZE.z),
                                         kai_quat_identity(), material);
        stage_steps(world, 600, 5e-3);
        check_near(stage_fastest(world), 0.0, 1e-4, "at rest");
        check_near(kai_body_position(world, light).z, 0.5 * SIZE.z - 1001.0 * STAGE_G / 4e6, 1e-5,
                   "m g / 4 k");
        check_near(kai_body_position(world, heavy).z, 1.5 * SIZE.z - 2001.0 * STAGE_G / 4e6, 1e-5,
                   "of both");
        kai_world_destroy(world);
    }
}

// Two balls that meet off centre with friction: momentum is kept, and moment of momentum by the
// contact's forces at one point.
static void test_momentum(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hertz, 1);
        check_ok(kai_world_set_gravity(world, kai_vec3_zero()));
        const kai_material_def surface = stage_rough(0.3);
        const kai_material material = stage_material(world, &surface);
        const kai_body a = stage_ball(world, 0.1, 1.0, kai_vec3_make(-0.11, 0.05, 0), material),
                       b = stage_ball(world, 0.1, 3.0, kai_vec3_make(0.11, 0, 0), material);
        stage_push(world, a, kai_vec3_make(1, 0, 0), kai_vec3_make(0, 0, 20));
        stage_push(world, b, kai_vec3_make(-1, 0, 0.2), kai_vec3_zero());
        kai_vec3 before[2], after[2];
        check_ok(kai_world_momentum(world, &before[0], &before[1]));
        const kai_vec3 v = kai_body_velocity(world, a);
        stage_steps(world, 200, 5e-4);
        check_ok(kai_world_momentum(world, &after[0], &after[1]));
        assert_true(kai_vec3_distance(kai_body_velocity(world, a), v) > 0.1);
        check_near(kai_vec3_distance(after[0], before[0]), 0.0, 1e-8, "momentum");
        // Positions at which forces act are those of the end of a step.
        check_near(kai_vec3_distance(after[1], before[1]), 0.0,
                   IMPLICIT[i]->order == 1 ? 2e-3 : 2e-4, "moment of momentum");
        kai_world_destroy(world);
    }
}

// A ball that is pushed and does not slide rolls with 5/7 of its speed, and a ball with rolling
// resistance stops.
static void test_rolls(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        for (int k = 0; k < 2; k++) {
            kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
            kai_material_def surface = stiff(0.5);
            surface.rolling_friction = k ? 2e-3 : 0.0;
            const kai_material material = stage_material(world, &surface);
            stage_floor(world, material);
            const kai_body ball =
                stage_ball(world, 0.1, 1.0, kai_vec3_make(0, 0, 0.1 - STAGE_G / 1e6), material);
            stage_push(world, ball, kai_vec3_make(1, 0, 0), kai_vec3_zero());
            if (k == 0) {
                stage_steps(world, 250, 2e-3);
                check_relative(kai_body_velocity(world, ball).x, 5.0 / 7.0, 2e-3, "5/7 v");
            } else {
                // Decelerates by 5/7 g arm / R once it rolls.
                stage_steps(world, 3500, 2e-3);
                check_near(kai_body_velocity(world, ball).x, 0.0, 1e-4, "comes to rest");
            }
            kai_world_destroy(world);
        }
    }
}

// Where factors would cost too much `auto` takes minres: a heap comes to lie as with direct ones.
static void test_iterative_solver(void** state)
{
    (void)state;
    const kai_solver_type types[] = {KAI_SOLVER_DIRECT, KAI_SOLVER_MINRES};
    kai_vec3 at[2][27];
    for (int k = 0; k < 2; k++) {
        kai_world* world =
            implicit_world(&kai_integrator_euler_implicit, &kai_contact_law_hooke, 1);
        stage_solver(world, types[k], 1000, 1e-10);
        kai_material_def surface = stiff(0.5);
        surface.kn = 1e5;
        surface.rolling_friction = 5e-3;
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        kai_body balls[27];
        for (int i = 0; i < 27; i++)
            balls[i] = stage_ball(world, 0.1, 1.0,
                                  kai_vec3_make(0.201 * (i % 3) + 0.01 * (i / 9),
                                                0.201 * (i / 3 % 3), 0.1 + 0.201 * (i / 9)),
                                  material);
        stage_steps(world, 100, 1e-3);
        assert_true(kai_contact_report_count(world) >= 18);
        for (int i = 0; i < 27; i++) at[k][i] = kai_body_position(world, balls[i]);
        kai_world_destroy(world);
    }
    for (int i = 0; i < 27; i++)
        check_near(kai_vec3_distance(at[0][i], at[1][i]), 0.0, 1e-6, "as with direct");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),    cmocka_unit_test(test_incline),
        cmocka_unit_test(test_stack),    cmocka_unit_test(test_mass_ratio),
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_iterative_solver),
        cmocka_unit_test(test_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
