// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints, motors and their outputs that are wrong, and exactly what a user is told about each.
#include "scene_helper.h"

typedef struct bad_scene {
    const char* name;
    const char* text;     // ' for "
    const char* expected; // problems, one a line
} bad_scene;

#define PIN "'type': 'revolute', 'bodies': ['a', 'b']"
#define ON(x) \
    SCENE(TWO "'joints': [{'name': 'pin', " PIN ", 'at': [0, 0, 0]}], 'outputs': [{" x "}]")

// One row a scene.
// clang-format off
static const bad_scene BAD[] = {
    // Joints
    {"joints no list", SCENE("'joints': {}"),
     "scene.json:1:50: /joints: joints is an object; must be a list"},
    {"joint no object", SCENE("'joints': ['pin']"),
     "scene.json:1:51: /joints/0: joints[0] is \"pin\"; must be an object"},
    {"without type", JOINT("'bodies': ['a', 'b'], 'at': [0, 0, 0]"),
     "scene.json:1:141: /joints/0: type is missing"},
    {"type, near", JOINT("'type': 'revolut', 'bodies': ['a', 'b'], 'at': [0, 0, 0]"),
     "scene.json:1:150: /joints/0/type: type is \"revolut\"; did you mean \"revolute\"?"},
    {"without bodies", JOINT("'type': 'revolute', 'at': [0, 0, 0]"),
     "scene.json:1:141: /joints/0: bodies is missing"},
    {"one body", JOINT("'type': 'revolute', 'bodies': ['a'], 'at': [0, 0, 0]"),
     "scene.json:1:172: /joints/0/bodies: bodies is a list of 1; must be a list of 2, each the name of a body"},
    {"bodies no list", JOINT("'type': 'revolute', 'bodies': 'a', 'at': [0, 0, 0]"),
     "scene.json:1:172: /joints/0/bodies: bodies is \"a\"; must be a list of 2, each the name of a body"},
    {"body a number", JOINT("'type': 'revolute', 'bodies': ['a', 2], 'at': [0, 0, 0]"),
     "scene.json:1:178: /joints/0/bodies/1: bodies[1] is 2; must be the name of a body"},
    {"unknown body", JOINT("'type': 'revolute', 'bodies': ['a', 'c'], 'at': [0, 0, 0]"),
     "scene.json:1:178: /joints/0/bodies/1: there is no body \"c\""},
    {"one body twice", JOINT("'type': 'revolute', 'bodies': ['b', 'b'], 'at': [0, 0, 0]"),
     "scene.json:1:141: /joints/0: revolute: both bodies are the same; must be two"},
    {"without at", JOINT(PIN),
     "scene.json:1:141: /joints/0: revolute: at is missing; give it, or frame_a and frame_b"},
    {"at of two", JOINT(PIN ", 'at': [0, 0]"),
     "scene.json:1:190: /joints/0/at: at is a list of 2; must be three numbers"},
    {"axis zero", JOINT(PIN ", 'at': [0, 0, 0], 'axis': [0, 0, 0]"),
     "scene.json:1:141: /joints/0: revolute: axis is [0, 0, 0]; must have a length > 0"},
    {"x_axis parallel", JOINT(PIN ", 'at': [0, 0, 0], 'axis': [0, 2, 0], 'x_axis': [0, 1, 0]"),
     "scene.json:1:141: /joints/0: revolute: x_axis is parallel to axis; must not be"},
    {"frame_a alone", JOINT(PIN ", 'frame_a': {'at': [0, 0, 0]}"),
     "scene.json:1:141: /joints/0: revolute: frame_a and frame_b come together"},
    {"frame no object", JOINT(PIN ", 'frame_a': [0, 0, 0], 'frame_b': {}"),
     "scene.json:1:195: /joints/0/frame_a: frame_a is a list of 3; must be an object"},
    {"frame key", JOINT(PIN ", 'frame_a': {'position': [0, 0, 0]}, 'frame_b': {}"),
     "scene.json:1:196: /joints/0/frame_a/position: unknown key \"position\"; allowed: at, rotation"},
    {"frame rotation", JOINT(PIN ", 'frame_a': {'rotation': [2, 0, 0, 0]}, 'frame_b': {}"),
     "scene.json:1:208: /joints/0/frame_a/rotation: rotation is [2, 0, 0, 0], of length 2; must be of length 1"},
    {"joint key", JOINT(PIN ", 'at': [0, 0, 0], 'axs': [0, 0, 1]"),
     "scene.json:1:201: /joints/0/axs: unknown key \"axs\"; did you mean \"axis\"?"},
    {"key of another kind", JOINT(PIN ", 'at': [0, 0, 0], 'length': 1"),
     "scene.json:1:201: /joints/0/length: unknown key \"length\""},
    {"limits without coordinate", JOINT("'type': 'fixed', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'limits': [0, 1]"),
     "scene.json:1:198: /joints/0/limits: unknown key \"limits\"; allowed: type, name, bodies, at, axis, x_axis, frame_a, frame_b, active, collide_bodies"},
    {"limits a number", JOINT(PIN ", 'at': [0, 0, 0], 'limits': 1"),
     "scene.json:1:211: /joints/0/limits: limits is 1; must be [low, high], each a number or null"},
    {"limit a text", JOINT(PIN ", 'at': [0, 0, 0], 'limits': [0, 'far']"),
     "scene.json:1:216: /joints/0/limits/1: limits[1] is \"far\": there is no \"far\""},
    {"limits turned round", JOINT(PIN ", 'at': [0, 0, 0], 'limits': [1, -1]"),
     "scene.json:1:215: /joints/0/limits/1: limits[1] is -1; must be >= 1, the lower limit"},
    {"limits of another coordinate", JOINT(PIN ", 'at': [0, 0, 0], 'limits': {'travel': [0, 1]}"),
     "scene.json:1:212: /joints/0/limits/travel: there is no travel of a revolute joint"},
    {"limits by an unknown coordinate", JOINT(PIN ", 'at': [0, 0, 0], 'limits': {'angle': [0, 1], 'x': [0, 1]}"),
     "scene.json:1:229: /joints/0/limits/x: unknown key \"x\"; allowed: angle, travel"},
    {"limits of both coordinates", JOINT("'type': 'screw', 'pitch': 1, 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'limits': [0, 1]"),
     "scene.json:1:220: /joints/0/limits: limits is a list of 2; must be an object with angle or travel: the joint has both"},
    {"spring key", JOINT(PIN ", 'at': [0, 0, 0], 'spring': {'stifness': 1}"),
     "scene.json:1:212: /joints/0/spring/stifness: unknown key \"stifness\"; did you mean \"stiffness\"?"},
    {"spring a text", JOINT(PIN ", 'at': [0, 0, 0], 'spring': 'soft'"),
     "scene.json:1:212: /joints/0/spring: spring is \"soft\": there is no \"soft\""},
    {"negative damping", JOINT(PIN ", 'at': [0, 0, 0], 'damping': -1"),
     "scene.json:1:212: /joints/0/damping: damping is -1 N m s/rad, N s/m; must be >= 0"},
    {"negative friction", JOINT(PIN ", 'at': [0, 0, 0], 'friction': -1"),
     "scene.json:1:213: /joints/0/friction: friction is -1 N m, N; must be >= 0"},
    {"name of a part taken", JOINT("'name': 'p', " PIN ", 'at': [0, 0, 0], 'limits': [-1, 1]}, {'name': 'p.limits', " PIN ", 'at': [0, 0, 0]"),
     "scene.json:1:234: /joints/1: joint name \"p.limits\" is used twice; must be unique"},
    {"universal, not perpendicular", JOINT("'type': 'universal', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'axis': [0, 0, 1], 'axis2': [1, 0, 1]"),
     "scene.json:1:141: /joints/0: universal: axis and axis2 have a cosine of 0.707107; must be perpendicular"},
    {"distance without points", JOINT("'type': 'distance', 'bodies': ['a', 'b']"),
     "scene.json:1:141: /joints/0: distance: points is missing; give it, or frame_a and frame_b"},
    {"one point", JOINT("'type': 'distance', 'bodies': ['a', 'b'], 'points': [[0, 0, 0]]"),
     "scene.json:1:194: /joints/0/points: points is a list of 1; must be a list of 2, each three numbers"},
    {"point of two", JOINT("'type': 'distance', 'bodies': ['a', 'b'], 'points': [[0, 0, 0], [1, 2]]"),
     "scene.json:1:206: /joints/0/points/1: points[1] is a list of 2; must be three numbers"},
    {"negative length", JOINT("'type': 'distance', 'bodies': ['a', 'b'], 'points': [[0, 0, 0], [0, 0, 1]], 'length': -1"),
     "scene.json:1:228: /joints/0/length: length is -1 m; must be > 0"},
    {"name twice", JOINT("'name': 'j', " PIN ", 'at': [0, 0, 0]}, {'name': 'j', " PIN ", 'at': [0, 0, 1]"),
     "scene.json:1:224: /joints/1/name: joint name \"j\" is used twice; must be unique"},
    {"generic without degrees of freedom", JOINT("'type': 'generic', 'bodies': ['a', 'b'], 'at': [0, 0, 0]"),
     "scene.json:1:141: /joints/0: generic: free is missing; give it, or locked"},
    {"generic with both lists", JOINT("'type': 'generic', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'free': ['tx'], 'locked': ['rx']"),
     "scene.json:1:141: /joints/0: generic: free and locked are both given; give one"},
    {"generic, all free", JOINT("'type': 'generic', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'free': ['tx', 'ty', 'tz', 'rx', 'ry', 'rz']"),
     "scene.json:1:141: /joints/0: generic: free has all six degrees of freedom; must lock one or more"},
    {"generic, twice", JOINT("'type': 'generic', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'locked': ['tx', 'tx']"),
     "scene.json:1:141: /joints/0: generic: locked has tx twice; must have it once"},
    {"generic, unknown freedom", JOINT("'type': 'generic', 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'free': ['x']"),
     "scene.json:1:209: /joints/0/free/0: free[0] is \"x\"; did you mean \"tx\"?"},
    {"coupling without terms", JOINT("'type': 'coupling'"),
     "scene.json:1:141: /joints/0: terms is missing"},
    {"coupling of nothing", JOINT("'type': 'coupling', 'terms': []"),
     "scene.json:1:171: /joints/0/terms: terms is a list of 0; must be a list of 1 or more"},
    {"coupling of four", JOINT("'type': 'coupling', 'terms': [{}, {}, {}, {}]"),
     "scene.json:1:171: /joints/0/terms: terms is a list of 4; must be a list of at most 3"},
    {"coupling of an unknown joint", JOINT("'name': 'pin', " PIN ", 'at': [0, 0, 0]}, {'type': 'coupling', 'terms': [{'joint': 'pim'}]"),
     "scene.json:1:258: /joints/1/terms/0/joint: there is no joint \"pim\"; did you mean \"pin\"?"},
    {"coupling with factor 0", JOINT("'name': 'pin', " PIN ", 'at': [0, 0, 0]}, {'type': 'coupling', 'terms': [{'joint': 'pin', 'factor': 0}]"),
     "scene.json:1:217: /joints/1: coupling: terms[0]: factor is 0; must not be 0"},
    {"coupling of another coordinate", JOINT("'name': 'pin', " PIN ", 'at': [0, 0, 0]}, {'type': 'coupling', 'terms': [{'joint': 'pin', 'coordinate': 'travel'}]"),
     "scene.json:1:217: /joints/1: coupling: terms[0]: joint is a revolute joint, which has no travel"},
    {"coupling of both coordinates", JOINT("'name': 'pin', 'type': 'cylindrical', 'bodies': ['a', 'b'], 'at': [0, 0, 0]}, {'type': 'coupling', 'terms': [{'joint': 'pin'}]"),
     "scene.json:1:220: /joints/1: coupling: terms[0]: coordinate is missing; a cylindrical joint has both"},
    {"coupling of a joint without coordinates", JOINT("'name': 'pin', 'type': 'fixed', 'bodies': ['a', 'b'], 'at': [0, 0, 0]}, {'type': 'coupling', 'terms': [{'joint': 'pin'}]"),
     "scene.json:1:214: /joints/1: coupling: terms[0]: joint is a fixed joint, which has no angle"},
    {"housing is a body of the gear", JOINT("'type': 'gear', 'ratio': 2, 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'housing': 'a'"),
     "scene.json:1:141: /joints/0: gear: housing is one of bodies; must be a third body"},
    {"unknown housing", JOINT("'type': 'gear', 'ratio': 2, 'bodies': ['a', 'b'], 'at': [0, 0, 0], 'housing': 'c'"),
     "scene.json:1:220: /joints/0/housing: there is no body \"c\""},
    // Motors
    {"motor type", MOTOR("'type': 'rotation-sped', 'joint': 'pin', 'value': 1"),
     "scene.json:1:238: /motors/0/type: type is \"rotation-sped\"; did you mean \"rotation-speed\"?"},
    {"motor without value", MOTOR("'type': 'rotation-speed', 'joint': 'pin'"),
     "scene.json:1:229: /motors/0: value is missing"},
    {"motor of an unknown joint", MOTOR("'type': 'rotation-speed', 'joint': 'pim', 'value': 1"),
     "scene.json:1:265: /motors/0/joint: there is no joint \"pim\"; did you mean \"pin\"?"},
    {"motor of a number", MOTOR("'type': 'rotation-speed', 'joint': 1, 'value': 1"),
     "scene.json:1:265: /motors/0/joint: joint is 1; must be the name of a joint"},
    {"motor of nothing", MOTOR("'type': 'rotation-speed', 'value': 1"),
     "scene.json:1:229: /motors/0: rotation-speed: joint is missing; give it, or bodies with at and axis"},
    {"motor of another coordinate", MOTOR("'type': 'linear-speed', 'joint': 'pin', 'value': 1"),
     "scene.json:1:229: /motors/0: linear-speed: joint is a revolute joint, which has no travel"},
    {"motor with the name of a joint", MOTOR("'name': 'pin', 'type': 'rotation-speed', 'joint': 'pin', 'value': 1"),
     "scene.json:1:229: /motors/0: joint name \"pin\" is used twice; must be unique"},
    {"imposed motion of nothing", MOTOR("'type': 'imposed-motion', 'joint': 'pin'"),
     "scene.json:1:229: /motors/0: imposed-motion: tx ty tz rx ry rz are missing; give one or more"},
    {"imposed motion without bodies", MOTOR("'type': 'imposed-motion', 'tx': 0"),
     "scene.json:1:229: /motors/0: imposed-motion: joint is missing; give it, or bodies with at and axis"},
    {"imposed motion, no function", MOTOR("'type': 'imposed-motion', 'joint': 'pin', 'rx': 'fast'"),
     "scene.json:1:279: /motors/0/rx: rx is \"fast\": there is no \"fast\""},
    {"effort of an imposed motion", MOTOR("'name': 'm', 'type': 'imposed-motion', 'joint': 'pin', 'rz': 1}], 'outputs': [{'motor': 'm', 'quantities': ['torque', 'effort'], 'file': 'a.csv'"),
     "scene.json:1:348: /outputs/0/quantities/1: there is no effort of a imposed-motion joint"},
    // Outputs
    {"output of an unknown joint", ON("'joint': 'pim', 'quantities': ['force'], 'file': 'a.csv'"),
     "scene.json:1:240: /outputs/0/joint: there is no joint \"pim\"; did you mean \"pin\"?"},
    {"output of a joint, no name", ON("'joint': true, 'quantities': ['force'], 'file': 'a.csv'"),
     "scene.json:1:240: /outputs/0/joint: joint is true; must be the name of a joint"},
    {"output of an unknown motor", ON("'motor': 'pin', 'quantities': ['effort'], 'file': 'a.csv'"),
     "scene.json:1:240: /outputs/0/motor: there is no motor \"pin\""},
    {"output of an unknown load", ON("'force': 'pin', 'quantities': ['force'], 'file': 'a.csv'"),
     "scene.json:1:240: /outputs/0/force: there is no load \"pin\""},
    {"joint without travel", ON("'joint': 'pin', 'quantities': ['angle', 'travel'], 'file': 'a.csv'"),
     "scene.json:1:271: /outputs/0/quantities/1: there is no travel of a revolute joint"},
    {"quantity of a joint", ON("'joint': 'pin', 'quantities': ['effort'], 'file': 'a.csv'"),
     "scene.json:1:262: /outputs/0/quantities/0: quantities[0] is \"effort\"; must be one of: force, torque, angle, angle_rate, travel, travel_rate, violation"},
};
// clang-format on

static void every_bad_joint_says_what_is_wrong(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].text, NULL, BAD[i].expected);
}

// A joint that could not be made is still known by its name: motors and outputs on it are not
// wrong.
static void one_mistake_is_told_once(void** state)
{
    (void)state;
    check_problems(
        SCENE(TWO "'joints': [{'name': 'pin', " PIN ", 'at': [0, 0, 0], 'axis': [0, 0, 0]}],"
                  "'motors': [{'name': 'm', 'type': 'rotation-speed', 'joint': 'pin', 'value': 1}],"
                  "'outputs': [{'joint': 'pin', 'quantities': ['angle'], 'file': 'a.csv'},"
                  "            {'motor': 'm', 'quantities': ['effort'], 'file': 'b.csv'}]"),
        NULL, "scene.json:1:141: /joints/0: revolute: axis is [0, 0, 0]; must have a length > 0");
}

// The list of kinds grows; it holds those of its own section only.
static void an_unknown_type_lists_the_kinds(void** state)
{
    (void)state;
    const struct {
        const char *text, *begin, *without;
    } cases[] = {{JOINT("'type': 'glue', 'bodies': ['a', 'b']"),
                  "type is \"glue\"; must be one of: fixed, revolute, prismatic, ",
                  "rotation-speed"},
                 {JOINT("'type': 'rotation-speed'"),
                  "type is \"rotation-speed\"; must be one of: fixed, revolute, ", "linear-force"},
                 {MOTOR("'type': 'glue'"), "type is \"glue\"; must be one of: rotation-angle, ",
                  "revolute"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kai_scene* scene = NULL;
        check_error(open_scene(cases[i].text, NULL, &scene), KAI_ERROR_FORMAT);
        assert_int_equal(kai_scene_problem_count(scene), 1);
        const char* message = kai_scene_problem(scene, 0)->message;
        assert_non_null(strstr(message, cases[i].begin));
        assert_null(strstr(strstr(message, "one of"), cases[i].without));
        kai_scene_close(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_type_lists_the_kinds),
        cmocka_unit_test(every_bad_joint_says_what_is_wrong),
        cmocka_unit_test(one_mistake_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
