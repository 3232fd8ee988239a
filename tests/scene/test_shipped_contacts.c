// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The shipped scenes of contact do what their descriptions say.
#include "scene_helper.h"

#include <kairos/contact.h>
#include <kairos/particles.h>

static const double G = 9.81;

static kai_scene* open_shipped(const char* name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/scenes/%s", KAIROS_SOURCE_DIR, name);
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.world.threads = 1;
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    return scene;
}

static void step_to(kai_scene* scene, double time)
{
    kai_world* world = kai_scene_world(scene);
    const double h = kai_scene_get_settings(scene)->step;
    while (kai_world_time(world) < time - 0.5 * h)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

static kai_vec3 place(const kai_world* world, const char* name)
{
    return kai_body_position(world, kai_body_find(world, name));
}

static double speed(const kai_world* world, const char* name)
{
    return kai_vec3_norm(kai_body_velocity(world, kai_body_find(world, name)));
}

// Two stick, two slide at g (sin 20° - μ cos 20°).
static void blocks_stick_and_slip(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("block-on-incline.json");
    const kai_world* world = kai_scene_world(scene);
    const kai_vec3 stuck = place(world, "stuck"), barely = place(world, "barely");
    const double angle = 20.0 * KAI_PI / 180.0;
    step_to(scene, 1.0);
    check_vec3(place(world, "stuck"), stuck, 1e-9, "sticks; the solver's tolerance");
    check_vec3(place(world, "barely"), barely, 1e-9, "sticks; the solver's tolerance");
    check_near(speed(world, "slow"), G * (sin(angle) - 0.25 * cos(angle)), 1e-6, "closed form");
    check_near(speed(world, "ice"), G * sin(angle), 1e-6, "closed form");
    kai_scene_close(scene);
}

// Nothing moves by more than a hair, and the floor carries all of the weight.
static void the_stack_stands(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("box-stack.json");
    kai_world* world = kai_scene_world(scene);
    const kai_vec3 top = place(world, "level.19.box");
    step_to(scene, 0.5);
    check_vec3(place(world, "level.19.box"), top, 1e-4, "stands: 20 gaps of 5 micrometres");
    kai_vec3 force, torque;
    check_ok(kai_contact_report_body(world, kai_body_find(world, "ground"), &force, &torque));
    const double weight = 20.0 * 600.0 * 0.25 * 0.25 * 0.25 * G;
    check_near(force.z, -weight, 0.01 * weight, "its weight; 1 % for the last of the start");
    kai_scene_close(scene);
}

static void the_arch_stands(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("arch.json");
    const kai_world* world = kai_scene_world(scene);
    const kai_vec3 keystone = place(world, "keystone");
    step_to(scene, 1.0);
    check_vec3(place(world, "keystone"), keystone, 1e-3, "stands: a millimetre of four metres");
    assert_true(speed(world, "keystone") < 1e-3);
    kai_scene_close(scene);
}

// One ball comes in and one leaves, as high as the first was: energy stays.
static void the_cradle_swings(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("newtons-cradle.json");
    kai_world* world = kai_scene_world(scene);
    kai_energy before, after;
    check_ok(kai_world_energy(world, &before));
    step_to(scene, 0.5);
    check_ok(kai_world_energy(world, &after));
    const double least = speed(world, "ball 5");
    for (int i = 1; i <= 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball %d", i);
        assert_true(speed(world, name) < 0.02 * least);
    }
    check_near(after.kinetic + after.potential, before.kinetic + before.potential, 1e-5,
               "restitution 1; second order of the swing in h");
    kai_scene_close(scene);
}

// The first domino falls on the second, and so on: in half a second the wave has passed ten.
static void dominoes_fall_in_turn(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("dominoes.json");
    const kai_world* world = kai_scene_world(scene);
    step_to(scene, 0.5);
    assert_true(place(world, "domino 5").z < 0.9 * 0.024);
    check_near(place(world, "domino 40").z, 0.024, 1e-6, "still stands");
    kai_scene_close(scene);
}

// All four wheels get over the kerb, and the buggy rolls on, upright; energy is told but for what
// hht damps, 2 %.
static void the_buggy_crosses_the_kerb(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("buggy.json");
    kai_world* world = kai_scene_world(scene);
    step_to(scene, 2.0);
    const kai_vec3 at = place(world, "chassis");
    check_near(at.z, 0.64, 0.01, "on its wheels");
    check_near(at.y, 0.0, 1e-4, "straight on");
    assert_true(place(world, "wheel rear left").x > 3.2 && speed(world, "chassis") > 1.0);
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    check_near(energy.drift / energy.dissipated, 0.0, 0.05, "balance");
    kai_scene_close(scene);
}

// Wheels of 0.3 m that turn at 5 rad/s after a smooth second roll at 1.5 m/s; the springs carry the
// chassis level. After the bump it is as it was, by what it climbed and slid behind.
static void the_cart_rolls(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("cart.json");
    kai_world* world = kai_scene_world(scene);
    step_to(scene, 1.5);
    check_near(place(world, "chassis").x, 1.5 * (1.5 - 0.2 - 0.5), 5e-3, "r ∫ ω");
    check_near(place(world, "chassis").z, 0.6, 1e-3, "level: preload (200 kg) g / 4");
    step_to(scene, 4.0);
    check_near(speed(world, "chassis"), 1.5, 0.02, "r ω");
    check_near(place(world, "chassis").z, 0.6, 2e-3, "level again");
    check_near(place(world, "chassis").y, 0.0, 1e-3, "straight on");
    assert_true(place(world, "chassis").x > 4.7 && place(world, "chassis").x < 4.95);
    kai_scene_close(scene);
}

// It comes down as a whole, both sides alike, lands, and falls on its arms: what it had is heat.
static void the_humanoid_falls(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("humanoid.json");
    kai_world* world = kai_scene_world(scene);
    step_to(scene, 0.1);
    check_near(place(world, "torso").z, 1.38 - 0.5 * 9.81 * 0.1 * 0.1, 1e-4, "g t² / 2");
    check_near(speed(world, "torso"), hypot(1.2, 0.981), 1e-9, "free fall");
    assert_int_equal(kai_collision_count(world), 0);
    step_to(scene, 0.5);
    assert_true(kai_collision_count(world) >= 4);
    check_near(place(world, "left leg.foot").y + place(world, "right leg.foot").y, 0.0, 1e-6,
               "mirrored");
    check_near(place(world, "left arm.fore").y, 0.21, 1e-6, "in its plane");
    step_to(scene, 2.0);
    assert_true(place(world, "torso").z < 0.5 && place(world, "torso").z > 0.1);
    for (size_t i = 0; i < kai_body_count(world); i++)
        assert_true(kai_body_position(world, kai_body_at(world, i)).z > -1e-6);
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    check_near(energy.drift / energy.dissipated, 0.0, 0.02, "balance");
    kai_scene_close(scene);
}

// At its lowest point the press is 2 mm into its spring of 5e7 N/m: the anvil carries that, punch and
// plates, and nothing gives way. The joints hold to rounding.
static void the_press_presses(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("press.json");
    kai_world* world = kai_scene_world(scene);
    step_to(scene, 1.4);
    kai_vec3 force, torque;
    double violation;
    check_ok(kai_contact_report_body(world, kai_body_find(world, "frame"), &force, &torque));
    const double weight = 9.81 * 7800.0 * (3 * 0.2 * 0.2 * 0.04 + 0.12 * 0.12 * 0.1);
    check_relative(-force.z, 5e7 * 0.002 + weight, 1e-3, "k x + m g; the crank is nearly at rest");
    check_near(place(world, "punch").z, 0.1 + 3 * 0.04 + 0.05, 1e-9, "on the plates");
    check_ok(kai_joint_violation(world, kai_joint_find(world, "main"), &violation));
    check_near(violation, 0.0, 1e-10, "at position level");
    kai_scene_close(scene);
}

// The paddle keeps its speed whatever is in its way, and nothing leaves the vessel.
static void the_mixer_turns(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("mixer.json");
    kai_world* world = kai_scene_world(scene);
    assert_int_equal(kai_body_count(world), 2 + 3 * 64);
    step_to(scene, 1.0);
    check_near(kai_body_angular_velocity(world, kai_body_find(world, "paddle")).y, KAI_PI / 3.0,
               1e-9, "the motor");
    for (size_t i = 0; i < kai_body_count(world); i++)
        assert_true(kai_body_position(world, kai_body_at(world, i)).y > -5.0);
    kai_scene_close(scene);
}

// The column has become a pool: the crate swims as deep as the weight of the
// balls that it displaces says, within the radius of one, and the stone lies on the ground.
static void balls_flow_like_water(void** state)
{
    (void)state;
    kai_scene* scene = open_shipped("ball-pool.json");
    kai_world* world = kai_scene_world(scene);
    const kai_particles balls = kai_particles_find(world, "balls");
    const size_t n = kai_particles_count(world, balls);
    step_to(scene, 2.4);
    double mean = 0.0, mass = 0.0, half[2] = {0.0};
    for (size_t i = 0; i < n; i++) {
        const kai_body ball = kai_particles_body(world, balls, i);
        kai_mass_properties m;
        check_ok(kai_body_mass(world, ball, &m));
        const kai_vec3 at = kai_body_position(world, ball);
        mean += at.z / (double)n;
        mass += m.mass;
        half[at.x > 0.0] += 1.0;
        check_vec3(kai_body_angular_velocity(world, ball), kai_vec3_zero(), 0.0, "does not rotate");
    }
    // Balls without friction still hold slopes of up to 5.76 degrees (Peyneau and Roux 2008).
    const double slope = 2.0 * mean * (half[1] - half[0]) / (0.5 * (double)n);
    check_near(slope, 0.0, tan(5.76 * KAI_PI / 180.0), "angle of repose");
    // Pool of 2 m by 0.54 m with the stone in it.
    const double bulk = mass / (2.0 * 0.54 * 2.0 * mean - 0.008), deep = 0.24 * 150.0 / bulk;
    check_near(place(world, "crate").z - 0.12, 2.0 * mean - deep, 0.03, "Archimedes");
    check_near(place(world, "stone").z, 0.1, 2e-3, "on the ground");
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_stick_and_slip),
                                       cmocka_unit_test(the_stack_stands),
                                       cmocka_unit_test(the_arch_stands),
                                       cmocka_unit_test(the_cradle_swings),
                                       cmocka_unit_test(dominoes_fall_in_turn),
                                       cmocka_unit_test(the_mixer_turns),
                                       cmocka_unit_test(the_buggy_crosses_the_kerb),
                                       cmocka_unit_test(the_cart_rolls),
                                       cmocka_unit_test(the_humanoid_falls),
                                       cmocka_unit_test(the_press_presses),
                                       cmocka_unit_test(balls_flow_like_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
