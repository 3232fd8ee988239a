// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Limits, springs, damping and friction as keys of joints, and by one call from C.
#include "scene_helper.h"

#include <kairos/coordinate.h>

static kai_world* world_of(kai_scene* scene) { return kai_scene_world(scene); }

#define WHEEL(keys)                                                                                   \
    SCENE(                                                                                            \
        "'gravity': [0, 0, 0], "                                                                      \
        "'bodies': [{'name': 'g', 'fixed': true}, {'name': 'w', 'mass': 2, 'inertia': [3, 3, 3], "    \
        "'angular_velocity': [0, 0, 1]}], "                                                           \
        "'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', 'w'], 'at': [0, 0, 0], " keys \
        "}]")

static double angle_of(kai_world* world, const char* joint)
{
    double angle, travel;
    check_ok(kai_joint_coordinates(world, kai_joint_find(world, joint), &angle, &travel));
    return angle;
}

// I θ'' + c θ' + k (θ - θ0) + p = 0 from θ = 0, θ' = 1: with I = 3, k = 12, c = 6 an oscillation of
// decay 1 and frequency sqrt(3) about θ0 - p/k = 0.25 - 0.5.
static void spring_and_damping(void** state)
{
    (void)state;
    kai_scene* scene =
        good_scene(WHEEL("'spring': {'stiffness': 12, 'rest': 0.25, 'preload': 6}, 'damping': 6"));
    kai_world* world = world_of(scene);
    assert_false(KAI_IS_NULL(kai_load_find(world, "pin.spring")));
    assert_int_equal(kai_joint_count(world), 1);
    check_ok(kai_world_step_until(world, 1.0, 1e-3));
    const double w = sqrt(3.0), x0 = 0.25; // from the middle at -0.25
    const double x = exp(-1.0) * (x0 * cos(w) + (1.0 + x0) / w * sin(w)) - 0.25;
    check_near(angle_of(world, "pin"), x, 1e-6, "damped oscillator, error h²");
    kai_load_state out;
    check_ok(kai_load_output(world, kai_load_find(world, "pin.spring"), &out));
    check_near(out.angle, x, 1e-6, "the same");
    kai_scene_close(scene);
}

// The stop takes the speed at 0.3; dry friction T = 1.5 stops 3 kg m² at 1 rad/s in 2 s, after 1
// rad.
static void limits_and_friction(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(WHEEL("'limits': [null, 0.3]"));
    check_ok(kai_world_step_until(world_of(scene), 1.0, 1e-3));
    check_near(angle_of(world_of(scene), "pin"), 0.3, 1e-9, "at the stop");
    assert_false(KAI_IS_NULL(kai_joint_find(world_of(scene), "pin.limits")));
    kai_scene_close(scene);

    scene = good_scene(WHEEL("'friction': 1.5"));
    assert_false(KAI_IS_NULL(kai_joint_find(world_of(scene), "pin.friction")));
    check_ok(kai_world_step_until(world_of(scene), 3.0, 1e-3));
    check_near(angle_of(world_of(scene), "pin"), 1.0, 1e-3, "I ω² / 2T, error h ω");
    kai_scene_close(scene);
}

// Both coordinates of a cylindrical joint: two oscillators that know nothing of each other.
static void both_coordinates(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'gravity': [0, 0, 0], "
        "'bodies': [{'name': 'g', 'fixed': true}, {'name': 'w', 'mass': 2, 'inertia': [3, 3, 3], "
        "'velocity': [0, 0, 1], 'angular_velocity': [0, 0, 1]}], "
        "'joints': [{'name': 'c', 'type': 'cylindrical', 'bodies': ['g', 'w'], 'at': [0, 0, 0], "
        "'spring': {'angle': 12, 'travel': {'stiffness': [[-1, -18], [1, 18]]}}, "
        "'limits': {'angle': [-1, 1], 'travel': [-0.2, null]}, 'damping': {'travel': 4}}], "
        "'outputs': [{'force': 'c.travel.spring', 'quantities': ['force', 'length', 'rate'], 'file': 'a.csv'},"
        "  {'joint': 'c.angle.limits', 'quantities': ['torque'], 'file': 'b.csv'}]"));
    kai_world* world = world_of(scene);
    assert_int_equal(kai_load_count(world), 2);
    assert_int_equal(kai_joint_count(world), 3);
    check_ok(kai_world_step_until(world, 0.5, 1e-3));
    double angle, travel;
    check_ok(kai_joint_coordinates(world, kai_joint_find(world, "c"), &angle, &travel));
    check_near(angle, 0.5 * sin(1.0), 1e-6, "sin(2 t) / 2");
    const double w = sqrt(8.0); // 2 x'' + 4 x' + 18 x = 0
    check_near(travel, exp(-0.5) * sin(0.5 * w) / w, 1e-6, "damped, decay 1");
    kai_load_state out;
    check_ok(kai_load_output(world, kai_load_find(world, "c.travel.spring"), &out));
    check_near(out.length, travel, 1e-12, "its length is the travel");
    check_near(out.force, 18.0 * travel + 4.0 * out.rate, 1e-9, "its law");
    kai_energy energy;
    check_ok(kai_world_energy(world, &energy));
    check_near(energy.elastic, 6.0 * angle * angle + 9.0 * travel * travel, 1e-9, "k x²/2");
    kai_scene_close(scene);
}

// A hardening spring 12 x + 8 x³ given as a law: x'² = 1 - (12 x² + 4 x⁴) / 3 all along, and the
// stored energy is 6 x² + 2 x⁴.
static void a_law_of_the_deflection(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(WHEEL("'spring': {'law': {'polynomial': [0, 12, 0, 8]}}"));
    kai_world* world = world_of(scene);
    const kai_joint pin = kai_joint_find(world, "pin");
    kai_integrator_set(world, &kai_integrator_rk4, NULL);
    for (int i = 0; i < 10; i++) {
        double x, rate, unused;
        kai_energy energy;
        check_ok(kai_world_step_until(world, 0.1 * (i + 1), 1e-3));
        check_ok(kai_joint_coordinates(world, pin, &x, &unused));
        check_ok(kai_joint_rates(world, pin, &rate, &unused));
        const double stored = 6.0 * x * x + 2.0 * x * x * x * x;
        check_near(1.5 * rate * rate + stored, 1.5, 1e-10, "energy, h⁴");
        check_ok(kai_world_energy(world, &energy));
        check_near(energy.elastic, stored, 1e-13, "∫ law; the rule is exact for cubics");
    }
    kai_scene_close(scene);

    // 4 |x'| x' as damping of a plain spring: 3 w' = -4 w², w = 1 / (1 + 4 t / 3).
    scene = good_scene(SCENE(
        "'gravity': [0, 0, 0], "
        "'bodies': [{'name': 'g', 'fixed': true}, {'name': 'w', 'mass': 3, 'inertia': [1, 1, 1], "
        "'position': [1, 0, 0], 'velocity': [1, 0, 0]}], "
        "'forces': [{'type': 'spring', 'bodies': ['g', 'w'], 'points': [[0, 0, 0], [1, 0, 0]], "
        "'damping_law': {'polynomial': [0, 0, 4]}}]"));
    check_ok(kai_world_step_until(world_of(scene), 1.0, 1e-3));
    const kai_body w = kai_body_find(world_of(scene), "w");
    check_near(kai_body_velocity(world_of(scene), w).x, 3.0 / 7.0, 1e-6, "1 / (1 + 4 t / 3), h²");
    kai_scene_close(scene);
}

// The diagonal of a bushing as one list.
static void a_bushing_by_its_diagonal(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        TWO "'forces': [{'name': 'r', 'type': 'bushing', 'bodies': ['a', 'b'], 'at': [0, 0, 0], "
            "'stiffness': [1, 2, 3, 4, 5, 6], 'damping': [[6, 5, 4, 3, 2, 1]]}]"));
    const void* params;
    check_ok(kai_load_get(world_of(scene), kai_load_find(world_of(scene), "r"), NULL, &params));
    const kai_load_bushing_params* p = params;
    assert_int_equal(p->stiffness.rows, 1);
    assert_int_equal(p->stiffness.columns, 6);
    for (int i = 0; i < 6; i++) check_near(p->stiffness.data[i], i + 1.0, 0.0, "as given");
    for (int i = 0; i < 6; i++) check_near(p->damping.data[i], 6.0 - i, 0.0, "as given");
    kai_scene_close(scene);
    check_problems(
        SCENE(TWO
              "'forces': [{'name': 'r', 'type': 'bushing', 'bodies': ['a', 'b'], 'at': [0, 0, 0], "
              "'stiffness': [1, 2, 3, 4, 'x', 6]}]"),
        NULL, "scene.json:1:240: /forces/0/stiffness/4: stiffness[4] is \"x\": there is no \"x\"");
}

// Stops beyond half a turn: T = 3 on 3 kg m² from 1 rad/s is at 7.5 rad after 3 s, and goes on
// to 10.
static void turns_are_counted(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'gravity': [0, 0, 0], "
        "'bodies': [{'name': 'g', 'fixed': true}, {'name': 'w', 'mass': 2, 'inertia': [3, 3, 3], "
        "'angular_velocity': [0, 0, 1]}], "
        "'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['g', 'w'], 'at': [0, 0, 0], "
        "'limits': [-1, 10]}], "
        "'motors': [{'name': 'm', 'type': 'rotation-torque', 'joint': 'pin', 'value': 3}]"));
    kai_world* world = world_of(scene);
    kai_load_state out;
    check_ok(kai_world_step_until(world, 3.0, 1e-3));
    check_ok(kai_load_output(world, kai_load_find(world, "m"), &out));
    check_near(out.angle, 7.5, 1e-6, "t + t²/2");
    check_ok(kai_world_step_until(world, 5.0, 1e-3));
    check_ok(kai_load_output(world, kai_load_find(world, "m"), &out));
    check_near(out.angle, 10.0, 1e-9, "at the stop");
    kai_vec3 force, torque;
    check_ok(kai_joint_reaction(world, kai_joint_find(world, "pin.limits"), &force, &torque));
    check_near(torque.z, -3.0, 1e-9, "the stop holds the motor");
    kai_scene_close(scene);
}

// Frames that do not coincide at t = 0: coordinates are zero there all the same, and rows do not
// see it.
static void frames_start_at_zero(void** state)
{
    (void)state;
    const char* const types[] = {"'revolute'",
                                 "'cylindrical'",
                                 "'planar'",
                                 "'prismatic'",
                                 "'screw', 'pitch': 0.1",
                                 "'parallel'",
                                 "'point-on-line'",
                                 "'generic', 'free': ['tz', 'rz']",
                                 "'generic', 'locked': ['rz']"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char text[1024];
        // b is turned by 0.5 about z against a; so are the frames unless the joint forbids it.
        const bool turns = i != 3 && i != 6 && i != 8, slides = i != 0 && i != 2 && i != 5;
        snprintf(
            text, sizeof text,
            SCENE(
                "'bodies': [{'name': 'a', 'fixed': true}, {'name': 'b', 'mass': 1, 'inertia': [1, 2, 3], "
                "'position': [0, 0, %s], 'rotation': {'axis': [0, 0, 1], 'angle': %s}}], "
                "'joints': [{'name': 'j', 'type': %s, 'bodies': ['a', 'b'], 'frame_a': {}, 'frame_b': {}}]"),
            slides ? "0.3" : "0", turns ? "0.5" : "0", types[i]);
        kai_scene* scene = good_scene(text);
        const kai_joint joint = kai_joint_find(world_of(scene), "j");
        double angle, travel, violation;
        check_ok(kai_joint_coordinates(world_of(scene), joint, &angle, &travel));
        check_near(angle, 0.0, 1e-15, types[i]);
        check_near(travel, 0.0, 1e-15, types[i]);
        check_ok(kai_joint_violation(world_of(scene), joint, &violation));
        check_near(violation, 0.0, 1e-15, types[i]);
        kai_scene_close(scene);
    }
}

// A mistake in the joint hides no name from outputs.
static void parts_are_known_by_name(void** state)
{
    (void)state;
    check_problems(
        SCENE(TWO "'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['a', 'b'], "
                  "'at': [0, 0, 0], 'axis': [0, 0, 0], 'limits': [0, 1], 'damping': 2}], "
                  "'outputs': [{'joint': 'pin.limits', 'quantities': ['torque'], 'file': 'a.csv'},"
                  "  {'force': 'pin.spring', 'quantities': ['torque'], 'file': 'b.csv'}]"),
        NULL, "scene.json:1:141: /joints/0: revolute: axis is [0, 0, 0]; must have a length > 0");
}

// From C: one call, and on failure nothing has changed.
static void by_one_call(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(WHEEL("'active': true"));
    kai_world* world = world_of(scene);
    const kai_joint pin = kai_joint_find(world, "pin");
    kai_coordinate_def def = kai_coordinate_def_default(KAI_JOINT_ANGLE);
    kai_coordinate_parts parts;
    check_ok(kai_coordinate_add(world, pin, &def, &parts));
    assert_true(KAI_IS_NULL(parts.limit) && KAI_IS_NULL(parts.friction) &&
                KAI_IS_NULL(parts.spring));
    def.low = -1.0;
    def.friction = kai_value_constant(0.5);
    def.damping = kai_curve_line(-1.0);
    check_error(kai_coordinate_add(world, pin, &def, &parts), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "damping is -1"));
    assert_int_equal(kai_joint_count(world), 1);
    def.damping = kai_curve_line(1.0);
    check_ok(kai_coordinate_add(world, pin, &def, &parts));
    assert_int_equal(kai_joint_count(world), 3);
    assert_string_equal(kai_joint_name(world, parts.limit), "pin.limits");
    check_error(kai_coordinate_add(world, pin, &def, NULL), KAI_ERROR_NAME); // names are taken
    assert_int_equal(kai_joint_count(world), 3);
    def.coordinate = KAI_JOINT_TRAVEL;
    check_error(kai_coordinate_add(world, pin, &def, NULL), KAI_ERROR_ARGUMENT);
    def.coordinate = 7;
    check_error(kai_coordinate_add(world, pin, &def, NULL), KAI_ERROR_ARGUMENT);
    check_error(kai_coordinate_add(world, pin, NULL, NULL), KAI_ERROR_ARGUMENT);
    check_error(kai_coordinate_add(world, (kai_joint){0}, &def, NULL), KAI_ERROR_ID);
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_and_damping),
        cmocka_unit_test(limits_and_friction),
        cmocka_unit_test(both_coordinates),
        cmocka_unit_test(parts_are_known_by_name),
        cmocka_unit_test(by_one_call),
        cmocka_unit_test(a_bushing_by_its_diagonal),
        cmocka_unit_test(a_law_of_the_deflection),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(frames_start_at_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
