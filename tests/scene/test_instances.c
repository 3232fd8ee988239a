// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Templates and instances: a moved, turned or mirrored machine moves as the image of the machine
// does; names and connections; arrays; limits; problems.
#include "scene_helper.h"

// Under gravity along z: everything that a placing changes, on bodies that move in all directions.
#define MACHINE                                                                                                                                    \
    "{'template': {'doc': 'all', 'connect': {'base': 'what carries it'}},\n"                                                                       \
    "'parameters': {'push': 3},\n"                                                                                                                 \
    "'bodies': [\n"                                                                                                                                \
    " {'name': 'arm', 'mass': 2, 'inertia': [1, 1.2, 1.4, 0.1, 0.2, -0.15], 'com': [0.1, 0.2, 0.05],\n"                                            \
    "  'position': [0.5, 0.3, 0], 'rotation': {'axis': [1, 2, 3], 'angle': 0.7},\n"                                                                \
    "  'velocity': [0.1, 0.2, 0.3]},\n"                                                                                                            \
    " {'name': 'rod', 'mass': 1, 'inertia': [0.2, 0.3, 0.25], 'position': [1.2, 0.4, 0.3]},\n"                                                     \
    " {'name': 'nut', 'mass': 1.5, 'inertia': [0.2, 0.3, 0.25, 0.02, 0, 0], 'position': [-1, 0.6, 0.2]},\n"                                        \
    " {'name': 'free', 'mass': 1, 'inertia': [0.4, 0.3, 0.2], 'position': [0, 2, 0.2],\n"                                                          \
    "  'velocity': [0.5, 1, 0], 'angular_velocity': [1, 2, 3]},\n"                                                                                 \
    " {'name': 'stone', 'density': 200, 'position': [0, -3, 0], 'angular_velocity': [3, 1, 2], 'shapes': [\n"                                      \
    "  {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0.8, 0], [0.1, 0.2, 0.6]],\n"                                                       \
    "   'triangles': [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], 'rotation': {'axis': [1, 1, 0], 'angle': 0.4}},\n"                              \
    "  {'type': 'hull', 'at': [0, 1, 0], 'points': [[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0], [0.1, 0.2, 0.3]]},\n"                                     \
    "  {'type': 'box', 'at': [0.4, 1, 0.5], 'size': [0.2, 0.3, 0.4], 'rotation': {'axis': [0, 1, 1], 'angle': 0.3}}]}],\n"                         \
    "'joints': [\n"                                                                                                                                \
    " {'name': 'pin', 'type': 'revolute', 'bodies': ['base', 'arm'], 'at': [0.4, 0.2, 0], 'axis': [1, 2, 0.5],\n"                                  \
    "  'spring': {'stiffness': 20, 'rest': 0.3}, 'damping': 0.5},\n"                                                                               \
    " {'name': 'slide', 'type': 'prismatic', 'bodies': ['arm', 'rod'], 'at': [1, 0.4, 0.2], 'axis': [1, -1, 0.3],\n"                               \
    "  'spring': {'stiffness': 80, 'rest': 0.1}},\n"                                                                                               \
    " {'name': 'screw', 'type': 'screw', 'bodies': ['base', 'nut'], 'at': [-1, 0.6, 0], 'axis': [0.3, 0.2, 1], 'pitch': 0.7},\n"                   \
    " {'name': 'ball', 'type': 'universal', 'bodies': ['base', 'stone'], 'at': [0.2, -2.6, 0.1], 'axis': [1, 0, 0], 'axis2': [0, 1, 0]}],\n"       \
    "'motors': [{'name': 'drive', 'type': 'rotation-torque', 'joint': 'pin', 'value': {'sine': {'amplitude': 'push', 'frequency': 1}}},\n"         \
    " {'name': 'lift', 'type': 'linear-force', 'joint': 'slide', 'value': 'push'}],\n"                                                             \
    "'forces': [\n"                                                                                                                                \
    " {'type': 'force', 'body': 'free', 'value': [{'ramp': {'slope': 2}}, 'push', {'sine': {'amplitude': 4}}], 'at': [0.1, 2.1, 0.2]},\n"          \
    " {'type': 'force', 'body': 'free', 'value': [1, {'ramp': {'slope': 1}}, 0.5], 'frame': 'body', 'at_body': [0.1, 0.2, 0.3]},\n"                \
    " {'type': 'torque', 'body': 'free', 'value': [0.3, {'ramp': {'slope': 0.4}}, 0.1]},\n"                                                        \
    " {'type': 'torque', 'body': 'free', 'value': [0.1, 0.2, -0.3], 'frame': 'body'},\n"                                                           \
    " {'type': 'drag', 'body': 'free', 'linear': 0.3, 'fluid': [1, -2, 0.4]},\n"                                                                   \
    " {'type': 'spring', 'bodies': ['base', 'free'], 'points': [[0, 1, 0.5], [0.1, 2.2, 0.3]], 'stiffness': 30},\n"                                \
    " {'type': 'rotational-spring', 'bodies': ['base', 'nut'], 'at': [-1, 0.6, 0.2], 'axis': [0.3, 0.2, 1], 'stiffness': 2, 'rest_angle': 0.4},\n" \
    " {'type': 'bushing', 'bodies': ['base', 'free'], 'at': [0, 2, 0.2], 'axis': [1, 0.4, 0], 'x_axis': [0, 0.3, 1],\n"                            \
    "  'stiffness': [[9, 1, 2, 0.1, 0.3, 0.2], [1, 8, 1, 0.2, 0.1, 0.4], [2, 1, 7, 0.3, 0.2, 0.1],\n"                                              \
    "   [0.1, 0.2, 0.3, 3, 0.2, 0.1], [0.3, 0.1, 0.2, 0.2, 4, 0.3], [0.2, 0.4, 0.1, 0.1, 0.3, 5]]}]}"

#define WORLD(instances)                                                                          \
    SCENE(                                                                                        \
        "'contact': 'none', 'integrator': 'rk4', 'bodies': [{'name': 'ground', 'fixed': true}], " \
        "'instances': [" instances "]")

#define FIRST "{'template': 'machine.json', 'name': 'one', 'connect': {'base': 'ground'}}, "

static kai_scene* open_text(const char* text)
{
    kai_scene* scene = good_scene(text);
    kai_world* world = kai_scene_world(scene);
    for (int i = 0; i < 200; i++) {
        if (kai_world_step(world, 1e-3) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    }
    return scene;
}

// What a body's definition would be now.
static kai_body_def now(const kai_world* world, const char* name)
{
    const kai_body body = kai_body_find(world, name);
    kai_mass_properties mass = {0};
    if (!kai_body_is_valid(world, body)) fail_msg("there is no body %s", name);
    if (!kai_body_is_fixed(world, body)) check_ok(kai_body_mass(world, body, &mass));
    return (kai_body_def){.position = kai_body_position(world, body),
                          .rotation = kai_body_rotation(world, body),
                          .velocity = kai_body_velocity(world, body),
                          .angular_velocity = kai_body_angular_velocity(world, body),
                          .mass = mass.mass};
}

static kai_body_def state_of(const kai_scene* scene, const char* instance, const char* body)
{
    char name[64];
    sprintf(name, "%s.%s", instance, body);
    return now(kai_scene_world(scene), name);
}

static const char* const BODIES[] = {"arm", "rod", "nut", "free", "stone"};

// Every body of "two" is where A x + t takes that of "one"; `s` are the signs of own frames.
static void check_image(const kai_scene* scene, const kai_mat33* a, kai_vec3 t, kai_vec3 s)
{
    const double hand = s.x * s.y * s.z;
    const kai_mat33 own = {{{s.x, 0, 0}, {0, s.y, 0}, {0, 0, s.z}}};
    for (size_t i = 0; i < sizeof BODIES / sizeof BODIES[0]; i++) {
        const kai_body_def x = state_of(scene, "one", BODIES[i]);
        const kai_body_def y = state_of(scene, "two", BODIES[i]);
        const double moved = kai_vec3_norm(x.velocity) + kai_vec3_norm(x.angular_velocity);
        if (moved < 0.1) fail_msg("%s does not move", BODIES[i]);
        check_vec3(y.position, kai_vec3_add(t, kai_mat33_mul_vec(*a, x.position)), 1e-11,
                   "A x + t");
        check_vec3(y.velocity, kai_mat33_mul_vec(*a, x.velocity), 1e-10, "A v");
        check_vec3(y.angular_velocity,
                   kai_vec3_scale(kai_mat33_mul_vec(*a, x.angular_velocity), hand), 1e-10,
                   "det A · A ω");
        const kai_mat33 rotation =
            kai_mat33_mul(*a, kai_mat33_mul(kai_quat_to_mat33(x.rotation), own));
        check_mat33(kai_quat_to_mat33(y.rotation), rotation, 1e-11, "A R S");
    }
}

static void a_moved_and_turned_machine_moves_alike(void** state)
{
    (void)state;
    write_file("machine.json", MACHINE);
    kai_scene* scene = open_text(WORLD(
        FIRST
        "{'template': 'machine.json', 'name': 'two', 'connect': {'base': 'ground'}, 'at': [10, -3, "
        "2], 'rotation': {'axis': [0, 0, 1], 'angle': '40 deg'}}"));
    const kai_mat33 a =
        kai_quat_to_mat33(kai_quat_from_axis_angle(kai_vec3_make(0, 0, 1), 40.0 * M_PI / 180.0));
    check_image(scene, &a, kai_vec3_make(10, -3, 2), kai_vec3_make(1, 1, 1));
    kai_scene_close(scene);
}

static void a_mirrored_machine_moves_as_its_image(void** state)
{
    (void)state;
    write_file("machine.json", MACHINE);
    kai_scene* scene = open_text(WORLD(
        FIRST
        "{'template': 'machine.json', 'name': 'two', 'connect': {'base': 'ground'}, 'at': [0, "
        "9, 0], 'mirror': 'y'}"));
    kai_mat33 a = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    check_image(scene, &a, kai_vec3_make(0, 9, 0), kai_vec3_make(1, -1, 1));
    kai_scene_close(scene);

    scene = open_text(WORLD(
        FIRST
        "{'template': 'machine.json', 'name': 'two', 'connect': {'base': 'ground'}, 'at': [5, 0, 0], "
        "'mirror': 'x', 'rotation': {'axis': [0, 0, 1], 'angle': 0.6}}"));
    a = kai_mat33_mul(kai_quat_to_mat33(kai_quat_from_axis_angle(kai_vec3_make(0, 0, 1), 0.6)),
                      (kai_mat33){{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    check_image(scene, &a, kai_vec3_make(5, 0, 0), kai_vec3_make(-1, 1, 1));
    kai_scene_close(scene);
}

// A mirrored instance within a turned one, and a mirror of a mirror.
static void instances_within_instances(void** state)
{
    (void)state;
    write_file("machine.json", MACHINE);
    kai_scene* scene = open_text(SCENE(
        "'contact': 'none', 'integrator': 'rk4', 'bodies': [{'name': 'ground', 'fixed': true}], "
        "'templates': {'pair': {'instances': [{'template': 'machine.json', 'at': [0, 4, 0], 'mirror': "
        "'y', 'connect': {'base': 'floor'}}]}}, "
        "'instances': [" FIRST
        "{'template': 'pair', 'name': 'two', 'at': [7, 0, 0], 'rotation': {'axis': [0, 0, 1], 'angle': "
        "1.1}, 'mirror': 'x', 'connect': {'floor': 'ground'}}]"));
    const kai_mat33 turn = kai_quat_to_mat33(kai_quat_from_axis_angle(kai_vec3_make(0, 0, 1), 1.1));
    const kai_mat33 outer = kai_mat33_mul(turn, (kai_mat33){{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    const kai_mat33 a = kai_mat33_mul(outer, (kai_mat33){{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}});
    const kai_vec3 t =
        kai_vec3_add(kai_vec3_make(7, 0, 0), kai_mat33_mul_vec(outer, kai_vec3_make(0, 4, 0)));
    check_image(scene, &a, t, kai_vec3_make(-1, -1, 1));
    kai_scene_close(scene);
}

// The scene spelled out is read to the same world, bit for bit, and is its own spelling.
static void the_scene_spelled_out_is_the_same(void** state)
{
    (void)state;
    write_file("machine.json", MACHINE);
    kai_scene* scene = open_text(WORLD(
        FIRST
        "{'template': 'machine.json', 'name': 'two', 'count': [2], 'connect': {'base': 'ground'}, "
        "'at': ['10*i', 8, 0], 'mirror': 'y', 'rotation': {'axis': [0, 0, 1], 'angle': '30 deg'}, "
        "'parameters': {'push': '1 + i'}}"));
    kai_scene* plain = open_text(kai_scene_text(scene));
    assert_true(kai_world_hash(kai_scene_world(scene)) == kai_world_hash(kai_scene_world(plain)));
    assert_string_equal(kai_scene_text(plain), kai_scene_text(scene));
    assert_true(kai_scene_hash(scene) == kai_scene_hash(plain));
    kai_scene_close(scene);
    kai_scene_close(plain);
}

static void arrays_count_and_connect(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'parameters': {'n': 3}, 'bodies': [{'name': 'ground', 'fixed': true}], 'templates': {"
        "'box': {'parameters': {'w': 1}, 'bodies': [{'name': 'b', 'mass': 'w + n', 'inertia': [1, 1, 1], "
        "'position': [0, 0, 0.5]}], 'joints': [{'name': 'j', 'type': 'fixed', 'bodies': ['below', 'b'], "
        "'at': [0, 0, 0]}], 'outputs': [{'body': 'b', 'quantities': ['position'], 'file': 'b.csv'}]}}, "
        "'instances': ["
        "{'template': 'box', 'name': 'tower', 'count': 'n', 'at': [0, 0, 'i'], 'parameters': {'w': "
        "'10*i'}, 'when': 'i > 0', 'connect': {'below': 'tower.{i - 1}.b'}}, "
        "{'template': 'box', 'name': 'tower.0', 'connect': {'below': 'ground'}}, "
        "{'template': {'bodies': [{'name': 'p', 'fixed': true}]}, 'name': 'grid', 'count': [2, 3], "
        "'at': ['i', '2*j', 0]}, "
        "{'template': 'box', 'connect': {'below': 'grid.1.2.p'}, 'set': {'/bodies/b/mass': 7}}]"));
    kai_world* world = kai_scene_world(scene);
    kai_body_def def;
    def = now(world, "tower.2.b");
    check_near(def.position.z, 2.5, 0.0, "at i");
    check_near(def.mass, 23.0, 0.0, "10 i + n");
    def = now(world, "grid.1.2.p");
    check_vec3(def.position, kai_vec3_make(1, 4, 0), 0.0, "i, 2 j");
    def = now(world, "b"); // of an instance without a name
    check_near(def.mass, 7.0, 0.0, "set");
    const void* params;
    check_ok(kai_joint_get(world, kai_joint_find(world, "tower.1.j"), NULL, &params));
    const kai_joint_base* joint = params;
    assert_string_equal(kai_body_name(world, joint->bodies[0]), "tower.0.b");
    assert_int_equal(kai_scene_output_count(scene), 4);
    assert_string_equal(kai_scene_output(scene, 0)->file.text, "tower.1.b.csv");
    kai_scene_close(scene);
}

// Materials are found outside, unless the template has one of that name.
static void materials_are_looked_for_outside(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'materials': {'steel': {'density': 8000}, 'oak': {'density': 700}}, 'templates': {"
        "'t': {'materials': {'oak': {'density': 600}}, 'bodies': ["
        "{'name': 'a', 'shapes': [{'type': 'box', 'size': [1, 1, 1], 'material': 'steel'}]}, "
        "{'name': 'b', 'shapes': [{'type': 'box', 'size': [1, 1, 1], 'material': 'oak'}]}]}}, "
        "'instances': [{'template': {'instances': [{'template': 't', 'name': 'in'}]}, 'name': 'out'}]"));
    kai_world* world = kai_scene_world(scene);
    kai_mass_properties mass;
    check_ok(kai_body_mass(world, kai_body_find(world, "out.in.a"), &mass));
    check_near(mass.mass, 8000.0, 1e-9, "the scene's steel");
    check_ok(kai_body_mass(world, kai_body_find(world, "out.in.b"), &mass));
    check_near(mass.mass, 600.0, 1e-9, "the template's oak");
    kai_scene_close(scene);
}

static void a_template_runs_by_its_preview(void** state)
{
    (void)state;
    write_file(
        "wheel.json",
        "{'kairos': 1, 'template': {'doc': 'a wheel', 'connect': {'base': 'a body'}, 'preview': "
        "{'step': 0.01, 'end': 2, 'bodies': [{'name': 'base', 'fixed': true}]}},"
        "'bodies': [{'name': 'rim', 'mass': 1, 'inertia': [1, 1, 1]}],"
        "'joints': [{'type': 'fixed', 'bodies': ['base', 'rim'], 'at': [0, 0, 0]}]}");
    kai_scene_def def = kai_scene_def_default();
    def.path = "wheel.json";
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    assert_int_equal(kai_world_stats(kai_scene_world(scene)).bodies, 2);
    check_near(kai_scene_get_settings(scene)->end, 2.0, 0.0, "preview");
    kai_scene_close(scene);
    check_problems(
        SCENE("'instances': [{'template': 'wheel.json', 'name': 'w'}]"), NULL,
        "scene.json:1:54: /instances/0: connect must lead \"base\" to something (a body)\n"
        "wheel.json:1:260: /joints/0/bodies/0: there is no body \"w.base\" (in w)");
    check_problems(
        SCENE(
            "'bodies': [{'name': 'b', 'fixed': true}], "
            "'instances': [{'template': 'wheel.json', 'name': 'w', 'connect': {'base': 'b', 'x': 'b'}}]"),
        NULL, "scene.json:1:161: /instances/0/connect/x: the template has no connection \"x\"");
}

#define WITH(x) SCENE("'templates': {'t': {'parameters': {'w': 1}}}, 'instances': [{" x "}]")

static const struct {
    const char *scene, *problems;
} BAD[] = {
    {WITH("'name': 'a'"), "scene.json:1:100: /instances/0: template is missing"},
    {WITH("'template': 'tt'"),
     "scene.json:1:113: /instances/0/template: there is no template \"tt\"; "
     "did you mean \"t\"?"},
    {WITH("'template': 'none.json'"),
     "scene.json:1:113: /instances/0/template: file \"none.json\" cannot be opened: No such file or directory"},
    {WITH("'template': 3"),
     "scene.json:1:113: /instances/0/template: template is 3; must be the name "
     "of a template, a file, or an object"},
    {WITH("'template': 't', 'parameters': {'ww': 2}"),
     "scene.json:1:133: /instances/0/parameters/ww: the template has no parameter \"ww\"; did you mean "
     "\"w\"?"},
    {WITH("'template': 't', 'parameters': {'w': '2*u'}"),
     "scene.json:1:141: /instances/0/parameters/w: w is \"2*u\": there is no \"u\""},
    {WITH("'template': 't', 'count': 2"),
     "scene.json:1:100: /instances/0: name is missing; instances with count need one\n"
     "scene.json:1:100: /instances/0: name is missing; instances with count need one"},
    {WITH("'template': 't', 'count': -1, 'name': 'a'"),
     "scene.json:1:127: /instances/0/count: count is -1; must be from 0 to 100000"},
    {WITH("'template': 't', 'count': [1, 2, 3, 4], 'name': 'a'"),
     "scene.json:1:127: /instances/0/count: count is a list of 4; must be a number, or a list of one to "
     "three"},
    {WITH("'template': {'gravity': [0, 0, 0]}"),
     "scene.json:1:114: /instances/0/template/gravity: \"gravity\" belongs to the scene; a template has "
     "it in template.preview"},
    {WITH("'template': {'bodeis': []}"),
     "scene.json:1:114: /instances/0/template/bodeis: unknown key \"bodeis\"; did you mean \"bodies\"?"},
    {WITH("'template': 't', 'mirror': 'u'"),
     "scene.json:1:128: /instances/0/mirror: mirror is \"u\"; must be one of: none, x, y, z"},
    {WITH("'template': 't', 'set': {'/parameters/w/x': 2}"),
     "scene.json:1:126: /instances/0/set/~1parameters~1w~1x: /templates/t/parameters/w is 1; there is nothing below "
     "it"},
};

static void what_is_wrong_is_told(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].scene, NULL, BAD[i].problems);
}

static const char* only_problem(const char* text)
{
    static char message[KAI_ERROR_SIZE];
    kai_scene* scene = NULL;
    open_scene(text, NULL, &scene);
    assert_non_null(scene);
    if (kai_scene_problem_count(scene) == 0) fail_msg("%s has no problem", text);
    snprintf(message, sizeof message, "%s", kai_scene_problem(scene, 0)->message);
    kai_scene_close(scene);
    return message;
}

// Templates that hold themselves, grow without end or reach outside.
static void hostile_templates_end(void** state)
{
    (void)state;
    assert_non_null(strstr(
        only_problem(SCENE("'templates': {'t': {'instances': [{'template': 't', 'name': 'a'}]}}, "
                           "'instances': [{'template': 't', 'name': 'a'}]")),
        "instances are nested more than 16 deep"));
    assert_non_null(
        strstr(only_problem(SCENE(
                   "'templates': {'t': {'instances': [{'template': 't', 'name': 'a', 'count': "
                   "[30, 30]}]}}, 'instances': [{'template': 't', 'name': 'a'}]")),
               "there are more than 100000 instances"));
    assert_non_null(
        strstr(only_problem(SCENE(
                   "'templates': {'t': {'bodies': []}}, 'instances': [{'template': 't', 'name': "
                   "'a', 'count': [90000, 90000, 90000]}]")),
               "there are more than 100000 instances"));
    write_file("self.json", "{'instances': [{'template': 'self.json', 'name': 's'}]}");
    assert_non_null(
        strstr(only_problem(SCENE("'instances': [{'template': 'self.json', 'name': 's'}]")),
               "instances are nested more than 16 deep"));
    assert_non_null(
        strstr(only_problem(SCENE("'instances': [{'template': '/etc/machine.json', 'name': 's'}]")),
               "/instances/0/template"));
    assert_non_null(
        strstr(only_problem(SCENE("'instances': [{'template': '../x.json', 'name': 's'}]")),
               "/instances/0/template"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_and_turned_machine_moves_alike),
        cmocka_unit_test(a_mirrored_machine_moves_as_its_image),
        cmocka_unit_test(instances_within_instances),
        cmocka_unit_test(the_scene_spelled_out_is_the_same),
        cmocka_unit_test(arrays_count_and_connect),
        cmocka_unit_test(materials_are_looked_for_outside),
        cmocka_unit_test(a_template_runs_by_its_preview),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(hostile_templates_end),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
