// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Gears, racks and belts in a housing, and couplings of coordinates: closed forms from Lagrange's
// equations, with every integrator that takes joints.
#include "scene_helper.h"

#include <kairos/joint.h>

static const kai_integrator_kind* const INTEGRATORS[] = {
    &kai_integrator_euler, &kai_integrator_rk4, &kai_integrator_hht, &kai_integrator_trapezoidal};

enum { INTEGRATOR_COUNT = sizeof INTEGRATORS / sizeof INTEGRATORS[0] };

#define DISC(name, inertia, more) \
    "{'name': '" name "', 'mass': 1, 'inertia': [1, 1, " inertia "]" more "}"
#define PIN(name, a, b) \
    "{'name': '" name "', 'type': 'revolute', 'bodies': ['" a "', '" b "'], 'at': [0, 0, 0]}"
#define GROUND "{'name': 'g', 'fixed': true}"

static kai_scene* run(const char* text, size_t integrator, double end)
{
    kai_scene* scene = good_scene(text);
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_integrator_set(world, INTEGRATORS[integrator], NULL));
    check_ok(kai_world_step_until(world, end, 1e-3));
    return scene;
}

static kai_vec3 spin(const kai_scene* scene, const char* body)
{
    kai_world* world = kai_scene_world(scene);
    return kai_body_angular_velocity(world, kai_body_find(world, body));
}

static kai_vec3 velocity(const kai_scene* scene, const char* body)
{
    kai_world* world = kai_scene_world(scene);
    return kai_body_velocity(world, kai_body_find(world, body));
}

#define GEARS(more)                                                                                   \
    SCENE(                                                                                            \
        "'gravity': [0, 0, 0], 'bodies': [" GROUND                                                    \
        ", " DISC("h", "5", "") ", " DISC("a", "1", "") ", " DISC("b", "2", "") "], 'joints': [" PIN( \
            "hg", "g",                                                                                \
            "h") ", " PIN("ha", "h",                                                                  \
                          "a") ", " PIN("hb", "h",                                                    \
                                        "b") ", " more "], "                                          \
                                             "'forces': [{'type': 'torque', 'body': 'a', 'value': [0, 0, 3]}]")

// Inertias 1, 5, 2 of a, h, b with w_b = -2 w_a + 3 w_h: [9 -12; -12 23] [w_a', w_h'] = [3, 0].
static void check_gears(const char* text)
{
    for (size_t n = 0; n < INTEGRATOR_COUNT; n++) {
        kai_scene* scene = run(text, n, 1.0);
        check_near(spin(scene, "a").z, 69.0 / 63.0, 1e-9, "constant accelerations are exact");
        check_near(spin(scene, "h").z, 36.0 / 63.0, 1e-9, "the housing is driven along");
        check_near(spin(scene, "b").z, -30.0 / 63.0, 1e-9, "-2 w_a + 3 w_h");
        kai_scene_close(scene);
    }
}

static void a_housing_takes_the_reaction(void** state)
{
    (void)state;
    check_gears(GEARS(
        "{'type': 'gear', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'ratio': -2, 'housing': 'h'}"));
    check_gears(
        GEARS("{'type': 'bevel-gear', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'axis2': [0, 0, -1], "
              "'ratio': 2, 'housing': 'h'}"));
    check_gears(GEARS("{'type': 'pulley', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'radius_a': 0.2, "
                      "'radius_b': 0.1, 'crossed': true, 'housing': 'h'}"));
    // The same as a coupling of the two angles against the housing.
    check_gears(
        GEARS("{'type': 'coupling', 'terms': [{'joint': 'ha', 'factor': 2}, {'joint': 'hb'}]}"));
    // Order in the list is free, and a joint more does not matter: it is redundant.
    check_gears(
        GEARS("{'type': 'coupling', 'terms': [{'joint': 'x', 'coordinate': 'angle', 'factor': 2}, "
              "{'joint': 'hb'}]}, {'name': 'x', 'type': 'generic', 'locked': ['tx'], "
              "'bodies': ['h', 'a'], 'at': [0, 0, 0]}"));
}

// A pinion (0.5 kg m²) on a carriage of 4 + 1 kg drives a rack of 2 kg with radius 0.5 by a torque
// of 6 N m: [7 1; 1 1] [v_h', θ''] = [0, 6].
static void a_rack_on_a_carriage(void** state)
{
    (void)state;
    for (size_t n = 0; n < INTEGRATOR_COUNT; n++) {
        kai_scene* scene = run(
            SCENE(
                "'gravity': [0, 0, 0], 'bodies': [" GROUND
                ", {'name': 'h', 'mass': 4, 'inertia': [1, 1, 1]}, "
                "{'name': 'p', 'mass': 1, 'inertia': [1, 0.5, 1]}, "
                "{'name': 'r', 'mass': 2, 'inertia': [1, 1, 1], 'position': [0, 0, -0.5]}], 'joints': ["
                "{'type': 'prismatic', 'bodies': ['g', 'h'], 'at': [0, 0, 0], 'axis': [1, 0, 0]}, "
                "{'name': 'pin', 'type': 'revolute', 'bodies': ['h', 'p'], 'at': [0, 0, 0], 'axis': [0, 1, 0]}, "
                "{'type': 'prismatic', 'bodies': ['h', 'r'], 'at': [0, 0, -0.5], 'axis': [1, 0, 0]}, "
                "{'type': 'rack-pinion', 'bodies': ['p', 'r'], 'at': [0, 0, -0.5], 'axis': [0, 1, 0], "
                "'direction': [1, 0, 0], 'radius': 0.5, 'housing': 'h'}], "
                "'motors': [{'type': 'rotation-torque', 'joint': 'pin', 'value': 6}]"),
            n, 1.0);
        check_near(velocity(scene, "h").x, -1.0, 1e-9, "by hand");
        check_near(velocity(scene, "r").x, 2.5, 1e-9, "v_h + 0.5 θ'");
        kai_scene_close(scene);
    }
}

// Nothing from outside: three wheels that tumble together keep their angular momentum.
static void a_free_gearbox_keeps_its_momentum(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'gravity': [0, 0, 0], 'bodies': [" DISC("h", "1.5", ", 'angular_velocity': [0.3, 0.5, 1]") ", " DISC("a", "0.8", ", 'angular_velocity': [0.3, 0.5, 3], 'position': [0.2, 0, 0]") ", " DISC(
            "b", "0.6",
            ", 'angular_velocity': [0.3, 0.5, -3], 'position': [-0.2, 0, 0]") "], 'joints': ["
                                                                              "{'type': 'revolute', 'bodies': ['h', 'a'], 'at': [0.2, 0, 0]}, "
                                                                              "{'type': 'revolute', 'bodies': ['h', 'b'], 'at': [-0.2, 0, 0]}, "
                                                                              "{'type': 'gear', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'ratio': -2, 'housing': 'h'}]"));
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_integrator_set(world, &kai_integrator_rk4, NULL));
    check_ok(kai_world_assemble(world));
    kai_vec3 linear, before, after;
    kai_energy first, last;
    check_ok(kai_world_momentum(world, &linear, &before));
    check_ok(kai_world_energy(world, &first));
    check_ok(kai_world_step_until(world, 1.0, 1e-3));
    check_ok(kai_world_momentum(world, &linear, &after));
    check_ok(kai_world_energy(world, &last));
    check_near(kai_vec3_distance(before, after), 0.0, 1e-8, "angular momentum, h⁴");
    check_near(last.kinetic, first.kinetic, 1e-8, "energy, h⁴");
    kai_scene_close(scene);
}

// An angle and a travel: θ = 2 x + value. 3 kg m² and 2 kg: 3.5 θ'' = 7 while the value rests.
static void an_angle_and_a_travel(void** state)
{
    (void)state;
#define WINCH(value)                                                                                        \
    SCENE(                                                                                                  \
        "'gravity': [0, 0, 0], 'bodies': [" GROUND                                                          \
        ", " DISC("w", "3", "") ", {'name': 's', 'mass': 2, 'inertia': [1, 1, 1]}], 'joints': [" PIN(       \
            "pin", "g",                                                                                     \
            "w") ", {'name': 'rail', 'type': 'prismatic', 'bodies': ['g', 's'], 'at': [0, 0, 0], "          \
                 "'axis': [1, 0, 0]}, {'name': 'c', 'type': 'coupling', 'value': " value ", "               \
                 "'terms': [{'joint': 'pin'}, {'joint': 'rail', 'coordinate': 'travel', 'factor': -2}]}], " \
                 "'forces': [{'type': 'torque', 'body': 'w', 'value': [0, 0, 7]}], "                        \
                 "'outputs': [{'joint': 'c', 'quantities': ['torque', 'violation'], 'file': 'c.csv'}]")
    for (size_t n = 0; n < INTEGRATOR_COUNT; n++) {
        kai_scene* scene = run(WINCH("0"), n, 3.0);
        kai_world* world = kai_scene_world(scene);
        check_near(kai_body_position(world, kai_body_find(world, "s")).x, 4.5, 1e-8,
                   "9 rad: more than a turn");
        check_near(spin(scene, "w").z, 6.0, 1e-8, "θ'' = 2");
        kai_scene_close(scene);

        scene = run(WINCH("{'step': {'to': 0.5, 'at': 1, 'duration': 1}}"), n, 3.0);
        world = kai_scene_world(scene);
        const double x = kai_body_position(world, kai_body_find(world, "s")).x;
        double angle, unused;
        check_ok(kai_joint_coordinates(world, kai_joint_find(world, "pin"), &angle, &unused));
        check_near(remainder(angle - 2.0 * x - 0.5, 2.0 * KAI_PI), 0.0, 1e-8, "held at its value");
        kai_scene_close(scene);
    }
}

// A differential: the cage turns at the mean of the two sides. Inertias 1, 2, 3 and 7 N m on the
// cage.
static void a_differential(void** state)
{
    (void)state;
    for (size_t n = 0; n < INTEGRATOR_COUNT; n++) {
        kai_scene* scene = run(
            SCENE(
                "'gravity': [0, 0, 0], 'bodies': [" GROUND
                ", " DISC("l", "1", "") ", " DISC("r", "2", "") ", " DISC("c", "3", "") "], 'joints': [" PIN(
                    "jl", "g",
                    "l") ", " PIN("jr", "g",
                                  "r") ", " PIN("jc", "g",
                                                "c") ", {'type': 'coupling', 'terms': "
                                                     "[{'joint': 'jl'}, {'joint': 'jr'}, {'joint': 'jc', 'factor': -2}]}], "
                                                     "'forces': [{'type': 'torque', 'body': 'c', 'value': [0, 0, 7]}]"),
            n, 1.0);
        check_near(spin(scene, "l").z, 7.0 / 4.25, 1e-9, "[1.75 0.75; 0.75 2.75] w' = [3.5, 3.5]");
        check_near(spin(scene, "r").z, 3.5 / 4.25, 1e-9, "likewise");
        kai_scene_close(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_housing_takes_the_reaction),
        cmocka_unit_test(a_rack_on_a_carriage),
        cmocka_unit_test(a_free_gearbox_keeps_its_momentum),
        cmocka_unit_test(an_angle_and_a_travel),
        cmocka_unit_test(a_differential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
