// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Parameters, formulas in place of numbers and in texts, units, comments, --set by name.
#include "scene_helper.h"

static kai_world* world_of(kai_scene* scene) { return kai_scene_world(scene); }

static kai_mass_properties mass_of(kai_scene* scene, kai_body body)
{
    kai_mass_properties mass = {0};
    check_ok(kai_body_mass(world_of(scene), body, &mass));
    return mass;
}

static void numbers_may_be_formulas(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(
        "{ // a comment\n"
        "'kairos': 1, 'step': '1 ms', /* another\n one */ 'end': '2 * tau',\n"
        "'parameters': {'tau': '0.5 s', 'half': 'track / 2', 'track': 1.6, 'lift': '55 mm',\n"
        "  'm': {'value': 2500, 'unit': 'g', 'min': 1, 'max': 5000, 'doc': 'mass of the arm'}, 'n': 3},\n"
        "'bodies': [{'name': 'arm', 'mass': 'm', 'inertia': ['m*lift^2', 1, 1],\n"
        "  'position': ['half - 0.1', 'lift', 'n > 2 ? 1 m : 2 m'], 'velocity': ['36 km/h', 0, 0],\n"
        "  'rotation': {'axis': [0, 0, 1], 'angle': '90 deg'}, 'fixed': 'n == 4'}]}");
    const kai_world* world = world_of(scene);
    const kai_body arm = kai_body_find(world, "arm");
    const kai_mass_properties mass = mass_of(scene, arm);
    const kai_vec3 position = kai_body_position(world, arm);
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    check_near(settings->step, 1e-3, 0.0, "1 ms");
    check_near(settings->end, 1.0, 0.0, "2 · 0.5 s");
    check_near(mass.mass, 2.5, 0.0, "2500 g");
    check_near(mass.inertia.m[0][0], 2.5 * (0.055 * 0.055), 0.0, "m lift²");
    check_near(position.x, 1.6 / 2 - 0.1, 0.0, "half - 0.1");
    check_near(position.y, 0.055, 0.0, "55 mm");
    check_near(position.z, 1.0, 0.0, "n > 2");
    check_near(kai_body_velocity(world, arm).x, 10.0, 0.0, "36 km/h");
    check_near(kai_body_rotation(world, arm).z, sqrt(0.5), 1e-15, "90 deg");
    assert_false(kai_body_is_fixed(world, arm));
    kai_scene_close(scene);
}

static void tables_curves_and_functions_may_hold_formulas(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'parameters': {'k': '2 N/mm', 't': 0.25}, " TWO
        "'forces': [{'name': 's', 'type': 'spring', 'bodies': ['a', 'b'], 'points': [[0, 0, 0], "
        "['1 m', 0, 0]], 'stiffness': 'k', 'damping': [[-1, '-3 N'], ['1', '3*1']]}, "
        "{'name': 'f', 'type': 'force', 'body': 'b', 'value': [{'table': [[0, 0], ['t', "
        "'2^3']]}, {'sine': {'amplitude': '2*t', 'frequency': '2 Hz'}}, 't']}]"));
    const void* params;
    kai_jet jet;
    check_ok(kai_load_get(world_of(scene), kai_load_find(world_of(scene), "s"), NULL, &params));
    const kai_load_spring_params* spring = params;
    check_near(spring->stiffness.slope, 2000.0, 0.0, "2 N/mm");
    check_near(spring->damping.points.data[3], 3.0, 0.0, "3*1");
    check_ok(kai_load_get(world_of(scene), kai_load_find(world_of(scene), "f"), NULL, &params));
    const kai_load_force_params* force = params;
    check_ok(kai_function_at(world_of(scene), force->value.x.function, 0.25, &jet));
    check_near(jet.y, 8.0, 0.0, "2^3");
    check_ok(kai_function_at(world_of(scene), force->value.y.function, 0.125, &jet));
    check_near(jet.y, 0.5, 1e-15, "0.5 sin(2π 2 t)");
    check_near(force->value.z.constant, 0.25, 0.0, "t");
    kai_scene_close(scene);
}

static void texts_may_hold_formulas(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'name': 'n = {n}', 'parameters': {'n': 3, 'who': {'text': 'arm'}}, "
        "'bodies': [{'name': '{who} {n + 1}', 'fixed': true}, {'name': 'a{{b}}', 'fixed': true}], "
        "'outputs': [{'body': 'arm {2*2}', 'quantities': ['position'], 'file': '{who}.csv'}]"));
    assert_string_equal(kai_scene_get_settings(scene)->name.text, "n = 3");
    assert_false(KAI_IS_NULL(kai_body_find(world_of(scene), "arm 4")));
    assert_false(KAI_IS_NULL(kai_body_find(world_of(scene), "a{b}")));
    assert_string_equal(kai_scene_output(scene, 0)->file.text, "arm.csv");
    kai_scene_close(scene);
    check_problems(SCENE("'name': 'a {b'"), NULL,
                   "scene.json:1:51: /name: name is \"a {b\": '{' without '}'; a brace itself is "
                   "written {{");
    check_problems(SCENE("'name': '{x}'"), NULL,
                   "scene.json:1:50: /name: name is \"{x}\": there is no \"x\"");
}

// The scene spelled out is the same for both.
static void the_same_scene_has_the_same_hash(void** state)
{
    (void)state;
    kai_scene* formulas = good_scene(SCENE(
        "'parameters': {'m': '500 g', 'n': 'm*4 m^2'}, 'bodies': [{'name': 'arm', 'mass': 'm', "
        "'inertia': ['n', 'n', 'n/2'], 'fixed': '0'}]"));
    kai_scene* numbers = good_scene(
        SCENE("'bodies': [{'name': 'arm', 'mass': 0.5, 'inertia': [2, 2, 1], 'fixed': false}]"));
    assert_string_equal(kai_scene_text(formulas), kai_scene_text(numbers));
    assert_true(kai_scene_hash(formulas) == kai_scene_hash(numbers));
    kai_scene_close(formulas);
    kai_scene_close(numbers);
}

#define MASS(x) "'bodies': [{'name': 'a', 'mass': " x ", 'inertia': [1, 1, 1]}]"

static const struct {
    const char *scene, *problems;
} BAD[] = {
    {SCENE(MASS("'12 s'")),
     "scene.json:1:73: /bodies/0/mass: mass is \"12 s\": in s; must be in kg"},
    {SCENE(MASS("'1 kg + 2 m'")),
     "scene.json:1:79: /bodies/0/mass: mass is \"1 kg + 2 m\": + needs equal units; these are in kg "
     "and m"},
    {SCENE(MASS("'1/(2 - 2)'")),
     "scene.json:1:75: /bodies/0/mass: mass is \"1/(2 - 2)\": the value here is not finite: a division "
     "by zero, say"},
    {SCENE(MASS("'-1'")), "scene.json:1:73: /bodies/0/mass: mass is -1 kg; must be > 0"},
    {SCENE("'parameters': {'mass': 2}, " MASS("'2*mas'")),
     "scene.json:1:103: /bodies/0/mass: mass is \"2*mas\": there is no \"mas\"; did you mean "
     "\"mass\"?"},
    // A parameter that is wrong is told once, however often it is used.
    {SCENE("'parameters': {'x': 'y', 'y': '2*z', 'z': 'x'}, " MASS("'x + y'")),
     "scene.json:1:83: /parameters/z: z is \"x\": parameter \"x\" leads back to itself"},
    {SCENE("'parameters': {'x': {'value': 3, 'unit': 'm', 'max': 2}}, " MASS("'x * 1 kg/m'")),
     "scene.json:1:70: /parameters/x/value: x is 3 m; must be <= 2"},
    {SCENE("'parameters': {'x': {'value': '3 s', 'unit': 'm'}}"),
     "scene.json:1:70: /parameters/x/value: value is \"3 s\": in s; must be in m"},
    {SCENE("'parameters': {'x': {'value': 3, 'unit': 'foot'}}"),
     "scene.json:1:81: /parameters/x/unit: there is no unit \"foot\""},
    {SCENE("'parameters': {'x': {'unit': 'm'}}"),
     "scene.json:1:60: /parameters/x: a parameter must have either value or text"},
    {SCENE("'parameters': {'x': {'text': 'a'}}, " MASS("'x'")),
     "scene.json:1:110: /bodies/0/mass: mass is \"x\": parameter \"x\" is a text"},
    {SCENE("'parameters': {'2x': 1, 'pi': 3}"),
     "scene.json:1:55: /parameters/2x: the name of a parameter is letters, digits and _, and not pi "
     "or deg\n"
     "scene.json:1:64: /parameters/pi: the name of a parameter is letters, digits and _, and not pi "
     "or deg"},
    {SCENE(
         "'parameters': {'x': {'value': 1e308, 'unit': 'km'}, 'y': {'value': '1e308', 'unit': 'km'}}"),
     "scene.json:1:70: /parameters/x/value: x is not finite in SI units\n"
     "scene.json:1:107: /parameters/y/value: y is not finite in SI units"},
    {SCENE("'parameters': {'x': true}"),
     "scene.json:1:60: /parameters/x: x is true; must be a number or a formula"},
    {SCENE("'parameters': [1]"),
     "scene.json:1:54: /parameters: parameters is a list of 1; must be an object of parameters by "
     "name"},
    {SCENE("'bodies': [{'name': 'a', 'fixed': 'yes', 'mass': 1, 'inertia': [1, 1, 1]}]"),
     "scene.json:1:75: /bodies/0/fixed: fixed is \"yes\": there is no \"yes\""},
};

static void what_is_wrong_is_told(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        check_problems(BAD[i].scene, NULL, BAD[i].problems);
}

static void a_long_chain_ends(void** state)
{
    (void)state;
    char text[8000];
    size_t used = (size_t)sprintf(text, "{" HEAD ", 'parameters': {'p0': 'p1'");
    for (int i = 1; i < 300; i++) used += (size_t)sprintf(text + used, ", 'p%d': 'p%d'", i, i + 1);
    sprintf(text + used, ", 'p300': 1}}");
    kai_scene* scene = NULL;
    open_scene(text, NULL, &scene);
    assert_true(kai_scene_problem_count(scene) > 0);
    assert_non_null(
        strstr(kai_scene_problem(scene, 0)->message, "more than 20 parameters lead to each other"));
    kai_scene_close(scene);
}

// As deep as it goes, through formulas that are nested as deep as they may be: on a stack of the usual
// size.
static void a_long_chain_of_nested_formulas_is_worked_out(void** state)
{
    (void)state;
    char text[20000], open[200] = "", close[200] = "";
    for (int i = 0; i < 29; i++) {
        strcat(open, "if(");
        strcat(close, ",1,1)");
    }
    size_t used = (size_t)sprintf(text, "{" HEAD ", 'parameters': {");
    for (int i = 0; i < 19; i++)
        used += (size_t)sprintf(text + used, "'p%d': '%sp%d%s', ", i, open, i + 1, close);
    sprintf(text + used, "'p19': 1}}");
    check_problems(text, NULL, "");
}

static void parameters_are_set_by_name(void** state)
{
    (void)state;
    static const char scene_text[] =
        SCENE("'parameters': {'m': {'value': 1, 'unit': 'kg', 'max': 9}, 'who': {'text': 'arm'}}, "
              "'bodies': [{'name': '{who}', 'mass': 'm', 'inertia': [1, 1, 1]}]");
    static const char* const sets[] = {"m=2500 g", "who=leg", "/end=7", NULL};
    kai_scene* scene = NULL;
    check_ok(open_scene(scene_text, sets, &scene));
    check_near(mass_of(scene, kai_body_find(world_of(scene), "leg")).mass, 2.5, 0.0, "2500 g");
    kai_scene_close(scene);
    check_problems(scene_text, ((const char* const[]){"m=12", NULL}),
                   "--set m=12: /parameters/m/value: m is 12 kg; must be <= 9");
    check_problems(scene_text, ((const char* const[]){"mm=1", NULL}),
                   "--set mm=1: the scene has no parameter \"mm\"; did you mean \"m\"?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_may_be_formulas),
        cmocka_unit_test(tables_curves_and_functions_may_hold_formulas),
        cmocka_unit_test(texts_may_hold_formulas),
        cmocka_unit_test(the_same_scene_has_the_same_hash),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(a_long_chain_ends),
        cmocka_unit_test(a_long_chain_of_nested_formulas_is_worked_out),
        cmocka_unit_test(parameters_are_set_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
