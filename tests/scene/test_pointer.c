// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Overrides: --set /json/pointer=value.
#include "scene_helper.h"

#define BASE                                                                  \
    SCENE("'materials': {'a/b': {'density': 1000}, 'c~d': {'density': 500}}," \
          "'bodies': [{'name': 'arm', 'mass': 1, 'inertia': [1, 1, 1]},"      \
          "           {'name': '0', 'mass': 2, 'inertia': [2, 2, 2]}]")

static kai_scene* open_with(const char* set)
{
    const char* const sets[] = {set, NULL};
    kai_scene* scene = NULL;
    check_ok(open_scene(BASE, sets, &scene));
    return scene;
}

static double mass_of(const char* set, const char* body)
{
    kai_scene* scene = open_with(set);
    kai_world* world = kai_scene_world(scene);
    kai_mass_properties mass;
    check_ok(kai_body_mass(world, kai_body_find(world, body), &mass));
    kai_scene_close(scene);
    return mass.mass;
}

static void items_by_index_and_by_name(void** state)
{
    (void)state;
    check_near(mass_of("/bodies/0/mass=5", "arm"), 5.0, 0.0, "the override");
    check_near(mass_of("/bodies/arm/mass=6", "arm"), 6.0, 0.0, "the override");
    // An index wins over a name that looks like one.
    check_near(mass_of("/bodies/0/mass=7", "0"), 2.0, 0.0, "the scene");
    check_near(mass_of("/bodies/1={\"name\":\"0\",\"mass\":8,\"inertia\":[1,1,1]}", "0"), 8.0, 0.0,
               "the override");
}

static void escapes_of_rfc_6901(void** state)
{
    (void)state;
    const char* const sets[] = {"/materials/a~1b/density=7", "/materials/c~0d/density=8", NULL};
    kai_scene* scene = NULL;
    check_ok(open_scene(BASE, sets, &scene));
    kai_world* world = kai_scene_world(scene);
    kai_material_def def;
    check_ok(kai_material_get(world, kai_material_find(world, "a/b"), &def));
    check_near(def.density, 7.0, 0.0, "the override");
    check_ok(kai_material_get(world, kai_material_find(world, "c~d"), &def));
    check_near(def.density, 8.0, 0.0, "the override");
    kai_scene_close(scene);
}

static void last_keys_are_added(void** state)
{
    (void)state;
    kai_scene* scene = open_with("/gravity=[1, 2, 3]");
    check_vec3(kai_world_gravity(kai_scene_world(scene)), kai_vec3_make(1, 2, 3), 0.0,
               "the override");
    kai_scene_close(scene);
}

static void objects_above_them_are_made(void** state)
{
    (void)state;
    kai_scene* scene = open_with("/trajectory/every=0.25");
    check_near(kai_scene_get_settings(scene)->trajectory.every, 0.25, 0.0, "the override");
    kai_scene_close(scene);
    scene = open_with("/materials/new/density=5");
    kai_material_def def;
    kai_world* world = kai_scene_world(scene);
    check_ok(kai_material_get(world, kai_material_find(world, "new"), &def));
    check_near(def.density, 5.0, 0.0, "the override");
    kai_scene_close(scene);
}

static void a_value_that_is_no_json_is_a_text(void** state)
{
    (void)state;
    kai_scene* scene = open_with("/integrator=rk4");
    assert_ptr_equal(kai_integrator_get(kai_scene_world(scene)), &kai_integrator_rk4);
    kai_scene_close(scene);
    scene = open_with("/name=a = b");
    assert_string_equal(kai_scene_get_settings(scene)->name.text, "a = b");
    kai_scene_close(scene);
}

static void later_ones_win_and_see_earlier_ones(void** state)
{
    (void)state;
    const char* const sets[] = {"/trajectory={}", "/trajectory/every=0.5", "/end=3", "/end=4",
                                NULL};
    kai_scene* scene = NULL;
    check_ok(open_scene(BASE, sets, &scene));
    check_near(kai_scene_get_settings(scene)->end, 4.0, 0.0, "the last override");
    check_near(kai_scene_get_settings(scene)->trajectory.every, 0.5, 0.0, "the override");
    kai_scene_close(scene);
}

static void check_bad(const char* set, const char* expected)
{
    const char* const sets[] = {set, NULL};
    check_problems(BASE, sets, expected);
}

static void what_leads_nowhere(void** state)
{
    (void)state;
    check_bad(
        "step=1",
        "--set step=1: the scene has no parameter \"step\"; other values are set by their JSON pointer, such as /step=1e-3");
    check_bad("/step", "--set /step: must read parameter=value or /json/pointer=value");
    check_bad(
        "/boddies/0/mass=1",
        "--set /boddies/0/mass=1: there is no \"boddies\" in the scene; did you mean \"bodies\"?");
    check_bad("/bodies/leg/mass=1",
              "--set /bodies/leg/mass=1: /bodies is a list of 2; there is no item \"leg\" in it");
    check_bad("/bodies/2={}",
              "--set /bodies/2={}: /bodies is a list of 2; there is no item \"2\" in it");
    check_bad("/bodies/-1=1",
              "--set /bodies/-1=1: /bodies is a list of 2; there is no item \"-1\" in it");
    check_bad("/step/x=1", "--set /step/x=1: /step is 0.001; there is nothing below it");
    check_bad("/sollver/x/y=1",
              "--set /sollver/x/y=1: /sollver: unknown key \"sollver\"; did you mean \"solver\"?");
    check_bad("/solver/x/~=1",
              "--set /solver/x/~=1: '~' must be written ~0 in a pointer, and '/' as ~1");
    check_bad("/a~2=1", "--set /a~2=1: '~' must be written ~0 in a pointer, and '/' as ~1");
    check_bad(
        "=1",
        "--set =1: the scene has no parameter \"\"; other values are set by their JSON pointer, such as /step=1e-3");
}

static void what_is_wrong_once_it_is_there(void** state)
{
    (void)state;
    check_bad("/step=-1", "--set /step=-1: /step: step is -1 s; must be > 0");
    check_bad("/stepp=1", "--set /stepp=1: /stepp: unknown key \"stepp\"; did you mean \"step\"?");
    check_bad(
        "/bodies/arm/mas=3",
        "--set /bodies/arm/mas=3: /bodies/0/mas: unknown key \"mas\"; did you mean \"mass\"?");
    check_bad("/step=1e999",
              "--set /step=1e999: /step: step is \"1e999\": 1e999 is too large a number");
    check_bad(
        "/bodies/arm/inertia={\"x\": [1]}",
        "--set /bodies/arm/inertia={\"x\": [1]}: /bodies/0/inertia: inertia is an object; must be three or six "
        "numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_by_index_and_by_name),
        cmocka_unit_test(escapes_of_rfc_6901),
        cmocka_unit_test(last_keys_are_added),
        cmocka_unit_test(objects_above_them_are_made),
        cmocka_unit_test(a_value_that_is_no_json_is_a_text),
        cmocka_unit_test(later_ones_win_and_see_earlier_ones),
        cmocka_unit_test(what_leads_nowhere),
        cmocka_unit_test(what_is_wrong_once_it_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
