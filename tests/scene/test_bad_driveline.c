// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shafts, couplings and their outputs that are wrong, and exactly what a user is told about each.
#include "scene_helper.h"

typedef struct bad_scene {
    const char* name;
    const char* text;     // ' for "
    const char* expected; // problems, one a line
} bad_scene;

#define SHAFTS "'shafts': [{'name': 'crank'}, {'name': 'wheel'}, {'name': 'drum'}], "
#define DRIVE(x)                                                                  \
    SCENE("'bodies': [{'name': 'box', 'mass': 1, 'inertia': [1, 1, 1]}], " SHAFTS \
          "'driveline': [{" x "}]")
#define CONVERT(x) DRIVE("'type': 'torque-converter', 'input': 'crank', 'output': 'wheel', " x)
#define ON(x)                                                            \
    SCENE(SHAFTS "'driveline': [{'name': 'gear', 'type': 'shaft-gear', " \
                 "'shafts': ['crank', 'wheel'], 'ratio': 2}], 'outputs': [{" x "}]")

// One row a scene.
// clang-format off
static const bad_scene BAD[] = {
    // Shafts
    {"shafts no list", SCENE("'shafts': {}"),
     "scene.json:1:50: /shafts: shafts is an object; must be a list"},
    {"shaft no object", SCENE("'shafts': ['crank']"),
     "scene.json:1:51: /shafts/0: shafts[0] is \"crank\"; must be an object"},
    {"shaft key", SCENE("'shafts': [{'name': 'crank', 'inertai': 1}]"),
     "scene.json:1:69: /shafts/0/inertai: unknown key \"inertai\"; did you mean \"inertia\"?"},
    {"shaft without inertia", SCENE("'shafts': [{'name': 'crank', 'inertia': 0}]"),
     "scene.json:1:80: /shafts/0/inertia: inertia is 0 kg m²; must be > 0"},
    {"shaft speed", SCENE("'shafts': [{'name': 'crank', 'speed': 'fast'}]"),
     "scene.json:1:79: /shafts/0/speed: speed is \"fast\": there is no \"fast\""},
    {"shaft name twice", SCENE("'shafts': [{'name': 'crank'}, {'name': 'crank'}]"),
     "scene.json:1:79: /shafts/1/name: shaft name \"crank\" is used twice; must be unique"},
    // Couplings
    {"driveline no list", SCENE("'driveline': {}"),
     "scene.json:1:53: /driveline: driveline is an object; must be a list"},
    {"without type", DRIVE("'shafts': ['crank', 'wheel'], 'ratio': 2"),
     "scene.json:1:184: /driveline/0: type is missing"},
    {"type, near", DRIVE("'type': 'shaft-geer', 'shafts': ['crank', 'wheel'], 'ratio': 2"),
     "scene.json:1:193: /driveline/0/type: type is \"shaft-geer\"; did you mean \"shaft-gear\"?"},
    {"unknown shaft", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'whel'], 'ratio': 2"),
     "scene.json:1:227: /driveline/0/shafts/1: there is no shaft \"whel\"; did you mean \"wheel\"?"},
    {"one shaft", DRIVE("'type': 'shaft-gear', 'shafts': ['crank'], 'ratio': 2"),
     "scene.json:1:217: /driveline/0/shafts: shafts is a list of 1; must be a list of 2, each the name of a shaft"},
    {"a shaft twice", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'crank'], 'ratio': 2"),
     "scene.json:1:184: /driveline/0: shaft-gear: shaft 'crank' is given twice; must be different ones"},
    {"without ratio", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'wheel']"),
     "scene.json:1:184: /driveline/0: ratio is missing"},
    {"ratio zero", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'wheel'], 'ratio': 0"),
     "scene.json:1:184: /driveline/0: shaft-gear: ratio is 0; must not be 0"},
    {"unknown housing", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'wheel'], 'ratio': 2, 'housing': 'bix'"),
     "scene.json:1:260: /driveline/0/housing: there is no body \"bix\"; did you mean \"box\"?"},
    {"axis zero", DRIVE("'type': 'shaft-gear', 'shafts': ['crank', 'wheel'], 'ratio': 2, 'axis': [0, 0, 0]"),
     "scene.json:1:184: /driveline/0: shaft-gear: axis is [0, 0, 0]; must have a length > 0"},
    {"planetary without carrier", DRIVE("'type': 'planetary', 'sun': 'crank', 'ring': 'wheel', 'ratio': -0.5"),
     "scene.json:1:184: /driveline/0: carrier is missing"},
    {"planetary ratio", DRIVE("'type': 'planetary', 'sun': 'crank', 'ring': 'wheel', 'carrier': 'drum', 'ratio': 1"),
     "scene.json:1:184: /driveline/0: planetary: ratio is 1; must not be 1, which leaves the carrier out"},
    {"differential, one output", DRIVE("'type': 'differential', 'input': 'crank', 'outputs': ['wheel']"),
     "scene.json:1:238: /driveline/0/outputs: outputs is a list of 1; must be a list of 2, each the name of a shaft"},
    {"differential split", DRIVE("'type': 'differential', 'input': 'crank', 'outputs': ['wheel', 'drum'], 'split': 1"),
     "scene.json:1:184: /driveline/0: differential: split is 1; must be > 0 and < 1"},
    {"differential split, out of range", DRIVE("'type': 'differential', 'input': 'crank', 'outputs': ['wheel', 'drum'], 'split': 2"),
     "scene.json:1:266: /driveline/0/split: split is 2; must be from 0 to 1"},
    {"clutch without capacity", DRIVE("'type': 'clutch', 'shafts': ['crank', 'wheel']"),
     "scene.json:1:184: /driveline/0: capacity is missing"},
    {"clutch capacity", DRIVE("'type': 'clutch', 'shafts': ['crank', 'wheel'], 'capacity': -1"),
     "scene.json:1:245: /driveline/0/capacity: capacity is -1 N m; must be >= 0"},
    {"clutch engagement", DRIVE("'type': 'clutch', 'shafts': ['crank', 'wheel'], 'capacity': 1, 'engagement': 1.5"),
     "scene.json:1:262: /driveline/0/engagement: engagement is 1.5; must be from 0 to 1"},
    {"clutch key of another kind", DRIVE("'type': 'clutch', 'shafts': ['crank', 'wheel'], 'capacity': 1, 'ratio': 1"),
     "scene.json:1:248: /driveline/0/ratio: unknown key \"ratio\"; allowed: type, name, active, shafts, capacity, engagement"},
    {"link without body", DRIVE("'type': 'shaft-body', 'shaft': 'crank'"),
     "scene.json:1:184: /driveline/0: body is missing"},
    {"link of one body", DRIVE("'type': 'shaft-body', 'shaft': 'crank', 'body': 'box', 'against': 'box'"),
     "scene.json:1:184: /driveline/0: shaft-body: both bodies are the same; must be two"},
    {"speed against two", DRIVE("'type': 'shaft-speed', 'shaft': 'crank', 'against': 'wheel', 'housing': 'box', 'value': 1"),
     "scene.json:1:184: /driveline/0: shaft-speed: against and housing are both given; give one"},
    {"torque against two", DRIVE("'type': 'shaft-torque', 'shaft': 'crank', 'against': 'wheel', 'housing': 'box', 'value': 1"),
     "scene.json:1:184: /driveline/0: shaft-torque: against and housing are both given; give one"},
    {"torque against itself", DRIVE("'type': 'shaft-torque', 'shaft': 'crank', 'against': 'crank', 'value': 1"),
     "scene.json:1:184: /driveline/0: shaft-torque: against is the shaft itself; must be another"},
    {"torque without value", DRIVE("'type': 'shaft-torque', 'shaft': 'crank'"),
     "scene.json:1:184: /driveline/0: value is missing"},
    {"drag", DRIVE("'type': 'shaft-drag', 'shaft': 'crank', 'linear': -1"),
     "scene.json:1:235: /driveline/0/linear: linear is -1 N m s/rad; must be >= 0"},
    {"spring on one shaft", DRIVE("'type': 'torsion-spring', 'shafts': ['crank', 'crank'], 'stiffness': 1"),
     "scene.json:1:184: /driveline/0: torsion-spring: both shafts are the same; must be two"},
    {"spring curve", DRIVE("'type': 'torsion-spring', 'shafts': ['crank', 'wheel'], 'stiffness': [[0, 0], [0, 1]]"),
     "scene.json:1:264: /driveline/0/stiffness/1/0: stiffness[1][0] is 0; must be > 0, the x before it"},
    {"engine without map", DRIVE("'type': 'engine', 'shaft': 'crank'"),
     "scene.json:1:184: /driveline/0: full is missing"},
    {"engine throttle", DRIVE("'type': 'engine', 'shaft': 'crank', 'full': [[0, 1], [100, 2]], 'throttle': 2"),
     "scene.json:1:261: /driveline/0/throttle: throttle is 2; must be from 0 to 1"},
    {"converter ratios", CONVERT("'capacity': [[0, 10], [0.5, 12], [0.5, 14]], 'torque_ratio': [[0, 2], [0.9, 1]]"),
     "scene.json:1:184: /driveline/0: torque-converter: capacity has the speed ratio 0.5 after 0.5; must increase"},
    {"converter start", CONVERT("'capacity': [[0.1, 10], [0.5, 12]], 'torque_ratio': [[0, 2], [0.9, 1]]"),
     "scene.json:1:184: /driveline/0: torque-converter: capacity begins at the speed ratio 0.1; must be <= 0"},
    {"converter capacity", CONVERT("'capacity': [[0, 10], [0.5, 0]], 'torque_ratio': [[0, 2], [0.9, 1]]"),
     "scene.json:1:184: /driveline/0: torque-converter: capacity is 0 at the speed ratio 0.5; must be > 0"},
    {"converter gain", CONVERT("'capacity': [[0, 10], [0.5, 12]], 'torque_ratio': [[0, 3], [0.9, 1]]"),
     "scene.json:1:184: /driveline/0: torque-converter: torque_ratio is 1.5 at the speed ratio 0.675, which is an efficiency of 1.0125; must be at most 1"},
    {"converter gain at the end", CONVERT("'capacity': [[0, 10], [0.5, 12]], 'torque_ratio': [[0, 2], [0.5, 1.5]]"),
     "scene.json:1:184: /driveline/0: torque-converter: torque_ratio is 1.5 at the speed ratio 1, which is an efficiency of 1.5; must be at most 1"},
    {"coupling name twice", DRIVE("'name': 'c', 'type': 'shaft-drag', 'shaft': 'crank'}, {'name': 'c', 'type': 'shaft-drag', 'shaft': 'wheel'"),
     "scene.json:1:248: /driveline/1/name: coupling name \"c\" is used twice; must be unique"},
    // Outputs
    {"output of an unknown shaft", ON("'shaft': 'crack', 'quantities': ['speed'], 'file': 'a.csv'"),
     "scene.json:1:227: /outputs/0/shaft: there is no shaft \"crack\"; did you mean \"crank\"?"},
    {"output of a shaft by number", ON("'shaft': 1, 'quantities': ['speed'], 'file': 'a.csv'"),
     "scene.json:1:227: /outputs/0/shaft: shaft is 1; must be the name of a shaft"},
    {"quantity of a shaft", ON("'shaft': 'crank', 'quantities': ['sped'], 'file': 'a.csv'"),
     "scene.json:1:251: /outputs/0/quantities/0: quantities[0] is \"sped\"; did you mean \"speed\"?"},
    {"output of an unknown coupling", ON("'coupling': 'crank', 'quantities': ['torque'], 'file': 'a.csv'"),
     "scene.json:1:230: /outputs/0/coupling: there is no coupling \"crank\""},
    {"quantity of a coupling", ON("'coupling': 'gear', 'quantities': ['angle'], 'file': 'a.csv'"),
     "scene.json:1:253: /outputs/0/quantities/0: quantities[0] is \"angle\"; must be one of: torque, speed, power"},
    {"output of a coupling as a joint", ON("'joint': 'gear', 'quantities': ['torque'], 'file': 'a.csv'"),
     "scene.json:1:227: /outputs/0/joint: there is no joint \"gear\""},
    {"shaft and coupling", ON("'shaft': 'crank', 'coupling': 'gear', 'quantities': ['speed'], 'file': 'a.csv'"),
     "scene.json:1:217: /outputs/0: output has more than one of body, joint, motor, force, shaft, signal, coupling, node, element, elements, structure, particles, ray, nearest, overlap, sensor, system, contacts and events; must have exactly one"},
};
// clang-format on

static void every_bad_driveline_says_what_is_wrong(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].text, NULL, BAD[i].expected);
}

// A shaft or coupling that could not be made is still known by its name: what refers to it is not
// wrong.
static void one_mistake_is_told_once(void** state)
{
    (void)state;
    check_problems(
        SCENE("'shafts': [{'name': 'crank', 'inertia': -1}, {'name': 'wheel'}],"
              "'driveline': [{'name': 'gear', 'type': 'shaft-gear', 'shafts': ['crank', 'wheel'],"
              "               'ratio': 2}],"
              "'outputs': [{'shaft': 'crank', 'quantities': ['speed'], 'file': 'a.csv'},"
              "            {'coupling': 'gear', 'quantities': ['torque'], 'file': 'b.csv'}]"),
        NULL, "scene.json:1:80: /shafts/0/inertia: inertia is -1 kg m²; must be > 0");
}

// An unknown type lists the kinds of this section, joints and loads, and none of others.
static void an_unknown_type_lists_the_kinds(void** state)
{
    (void)state;
    kai_scene* scene = NULL;
    check_error(open_scene(DRIVE("'type': 'revolute'"), NULL, &scene), KAI_ERROR_FORMAT);
    assert_int_equal(kai_scene_problem_count(scene), 1);
    const char* message = kai_scene_problem(scene, 0)->message;
    assert_non_null(strstr(message, "must be one of: shaft-gear, planetary, "));
    assert_non_null(strstr(message, "torque-converter"));
    assert_null(strstr(message, "bushing"));
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_driveline_says_what_is_wrong),
        cmocka_unit_test(one_mistake_is_told_once),
        cmocka_unit_test(an_unknown_type_lists_the_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
