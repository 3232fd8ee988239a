// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Steps of scenes that give none: each rule against its closed form, rounded as steps are.
#include "helper.h"

#include <kairos/scene.h>
#include <string.h>

/// Scenes are written with ' for ".
typedef struct example {
    const char *name, *text;
    double step;
    const char* rule; // a part of it
} example;

#define SCENE(end, rest) "{'kairos': 1, 'end': " end ", " rest "}"
#define WEIGHTLESS       "'gravity': [0, 0, 0], "
#define POST             "{'name': 'post', 'fixed': true}"
#define DOOR(more) \
    "{'name': 'door', 'mass': 2, 'inertia': [1, 1, 1], 'position': [1, 0, 0]" more "}"
#define LEAF                                                                                       \
    "'forces': [{'name': 'leaf', 'type': 'spring', 'bodies': ['post', 'door'], 'points': [[0, 0, " \
    "0], [1, 0, 0]], 'stiffness': 1e6}]"
#define HINGE                                                                                    \
    "'joints': [{'name': 'hinge', 'type': 'revolute', 'bodies': ['post', 'door'], 'at': [0, 0, " \
    "0], 'axis': [0, 0, 1]}], "
#define LINK(name, z, mass, moment)                                                              \
    ", {'name': '" name "', 'mass': " mass ", 'inertia': [" moment ", " moment ", " moment "], " \
    "'position': [0, 0, " z "]}"
#define PIN(a, b, z)                                                                             \
    "{'name': '" a "-" b "', 'type': 'spherical', 'bodies': ['" a "', '" b "'], 'at': [0, 0, " z \
    "]}"
#define MOTOR(type, value) \
    "'motors': [{'name': 'crank', 'type': '" type "', 'joint': 'hinge', 'value': " value "}]"

static const example CASES[] = {
    // 2 (1/2)^½ = 1.41 m, (1.41 / 9.81)^½ = 0.380 s.
    {"gravity", SCENE("10", "'bodies': [" DOOR("") "]"), 2.5e-3, "body 'door' of 1.41 m under"},
    // ω = (1e5 N · 0.1 m / (1e-3 + 1/400 kg m²))^½ = 1,690 rad/s, half of 2/ω: 0.592 ms.
    {"string",
     SCENE("1", "'gravity': [0, 0, -10], 'bodies': [" POST LINK("upper", "-0.05", "1", "1e-3")
                    LINK("lower", "-0.15", "1", "1e-3")
                        LINK("weight", "-0.2", "1e4", "1e4") "], 'joints': [" PIN(
                            "post", "upper", "0") ", " PIN("upper", "lower",
                                                           "-0.1") ", " PIN("lower", "weight",
                                                                            "-0.2") "]"),
     5e-4, "joint 'upper-lower' between"},
    // A ball of 0.2 m: twice its radius of gyration, 0.4^½ r, is 0.126 m.
    {"ball",
     SCENE("10", "'contact': 'nsc', 'bodies': [{'name': 'ball', 'density': 1000, 'shapes': "
                 "[{'type': 'sphere', 'radius': 0.1}]}]"),
     1e-3, "body 'ball' of 0.126 m under gravity"},
    // Thin as it is, a sheet of 1 mm asks for more; without contact its thickness is of no interest.
    {"sheet",
     SCENE("10", "'contact': 'nsc', 'bodies': [{'name': 'sheet', 'density': 1000, 'shapes': "
                 "[{'type': 'box', 'size': [1, 1, 0.001]}]}]"),
     1e-4, "body 'sheet' of 0.001 m under gravity"},
    {"sheet in the air",
     SCENE("10", "'bodies': [{'name': 'sheet', 'density': 1000, 'shapes': [{'type': 'box', 'size': "
                 "[1, 1, 0.001]}]}]"),
     2.5e-3, "body 'sheet' of 0.816 m"},
    // ω = 707 /s; 0.15 · 2 / ω = 0.424 ms; with rk4 0.594 ms.
    {"spring", SCENE("1", WEIGHTLESS "'bodies': [" POST ", " DOOR("") "], " LEAF), 4e-4,
     "spring 'leaf' between body 'post' and body 'door': 1e+06 N/m on 2 kg"},
    {"spring, rk4",
     SCENE("1", WEIGHTLESS "'integrator': 'rk4', 'bodies': [" POST ", " DOOR("") "], " LEAF), 5e-4,
     "spring 'leaf'"},
    {"spring, hht",
     SCENE("1", WEIGHTLESS "'integrator': 'hht', 'bodies': [" POST ", " DOOR("") "], " LEAF), 1e-3,
     "the length of the run"},
    {"spin", SCENE("1", WEIGHTLESS "'bodies': [" DOOR(", 'angular_velocity': [0, 60, 80]") "]"),
     5e-4, "body 'door', which turns at 100 rad/s"},
    {"flight",
     SCENE("1", WEIGHTLESS "'contact': 'nsc', 'bodies': [" DOOR(", 'velocity': [0, 600, 800]") "]"),
     2.5e-4, "body 'door' of 1.41 m, which moves at 1e+03 m/s"},
    // A period of 0.5 s at 1 rad/s: the function asks for more than the turning.
    {"function",
     SCENE("50", WEIGHTLESS "'bodies': [" POST ", " DOOR("") "], " HINGE MOTOR(
                     "rotation-angle", "{'sine': {'amplitude': 0.08, 'frequency': 2}}")),
     5e-3, "'crank' between body 'post' and body 'door', whose value changes within 0.5 s"},
    {"motor at a speed",
     SCENE("50",
           WEIGHTLESS "'bodies': [" POST ", " DOOR("") "], " HINGE MOTOR("rotation-speed", "-50")),
     1.25e-3, "body 'door', which turns at 50 rad/s"},
    {"a run", SCENE("0.7", WEIGHTLESS "'bodies': [" POST ", " DOOR("") "]"), 5e-4, "the length"},
    {"no round number", SCENE("0.3333", WEIGHTLESS "'bodies': [" POST ", " DOOR("") "]"), 3.333e-4,
     "the length"},
    {"the word", SCENE("0.7", "'step': 'auto', " WEIGHTLESS "'bodies': [" POST ", " DOOR("") "]"),
     5e-4, "the length"},
    {"statics", SCENE("2", "'analysis': 'statics', 'bodies': [" POST ", " DOOR("") "], " LEAF),
     0.04, "a fiftieth"},
    {"given", SCENE("0.7", "'step': 0.01, 'bodies': [" POST ", " DOOR("") "]"), 0.01, ""},
};

static kai_scene* open_scene(const char* text)
{
    static char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    for (char* c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    kai_scene_def def = kai_scene_def_default();
    def.text = copy;
    def.text_size = strlen(copy);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s: %s", text, err.message);
    return scene;
}

static void test_rules(void** state)
{
    (void)state;
    for (size_t i = 0; i < KAI_COUNT(CASES); i++) {
        kai_scene* scene = open_scene(CASES[i].text);
        const kai_scene_settings* settings = kai_scene_get_settings(scene);
        check_relative(settings->step, CASES[i].step, 1e-12, CASES[i].name);
        const double steps = settings->end / settings->step;
        check_near(steps, round(steps), 1e-9 * steps, "whole steps");
        if (!strstr(settings->step_rule, CASES[i].rule))
            fail_msg("%s: '%s' is not in '%s'", CASES[i].name, CASES[i].rule, settings->step_rule);
        if (!CASES[i].rule[0]) assert_true(settings->step_rule[0] == '\0');
        kai_scene_close(scene);
    }
}

/// The state after 50 steps of a motor-driven door on a spring with a stop, with contact.
static uint64_t end_state(const char* step, double* chosen)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "{'kairos': 1, %s 'end': 1, 'contact': 'nsc', 'bodies': [{'name': 'post', 'fixed': true, "
        "'shapes': [{'type': 'box', 'size': [0.1, 0.1, 2]}]}, " DOOR(
            ", 'shapes': [{'type': 'box', 'size': [1, 1, 1]}]") "], 'joints': [{'name': 'hinge', "
                                                                "'type': 'revolute', 'bodies': ['post', 'door'], 'at': [0, 0, 0], 'axis': [0, 1, 0], "
                                                                "'limits': [-0.01, 0.01], 'friction': 0.1}], " LEAF
                                                                "}",
        step);
    kai_scene* scene = open_scene(text);
    kai_world* world = kai_scene_world(scene);
    for (int i = 0; i < 50; i++)
        check_ok(kai_world_step(world, kai_scene_get_settings(scene)->step));
    *chosen = kai_scene_get_settings(scene)->step;
    const uint64_t hash = kai_world_hash(world);
    kai_scene_close(scene);
    return hash;
}

static void test_choice_leaves_no_trace(void** state)
{
    (void)state;
    double h, same;
    const uint64_t hash = end_state("", &h);
    char number[40];
    snprintf(number, sizeof number, "'step': %.17g,", h);
    assert_true(hash == end_state(number, &same) && same == h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_choice_leaves_no_trace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
