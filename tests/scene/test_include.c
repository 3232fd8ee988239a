// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "scene_helper.h"

#define BASE                                                         \
    "{" HEAD ", 'name': 'base', 'gravity': [0, 0, -1],\n"            \
    "'materials': {'steel': {'density': 7850, 'friction': 0.3}},\n"  \
    "'bodies': [{'name': 'arm', 'mass': 1, 'inertia': [1, 1, 1]},\n" \
    "           {'name': 'leg', 'mass': 2, 'inertia': [2, 2, 2]}]}"

// Opens a file; the problems are one text, which the caller frees.
static kai_scene* open_file(const char* path, bool allow_outside, char** problems)
{
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.allow_outside = allow_outside;
    kai_scene* scene = NULL;
    kai_scene_open(&def, &scene, NULL);
    assert_non_null(scene);
    *problems = problems_text(scene);
    return scene;
}

static kai_scene* open_good(const char* path)
{
    char* problems;
    kai_scene* scene = open_file(path, false, &problems);
    assert_string_equal(problems, "");
    free(problems);
    return scene;
}

static void check_bad_file(const char* path, const char* expected)
{
    char* problems;
    kai_scene_close(open_file(path, false, &problems));
    assert_string_equal(problems, expected);
    free(problems);
}

static double mass_of(const kai_scene* scene, const char* body)
{
    kai_world* world = kai_scene_world(scene);
    kai_mass_properties mass = {0};
    check_ok(kai_body_mass(world, kai_body_find(world, body), &mass));
    return mass.mass;
}

static void own_keys_override(void** state)
{
    (void)state;
    write_file("base.json", BASE);
    write_file("main.json", "{'include': 'base.json', 'name': 'main', 'end': 9,"
                            "'materials': {'steel': {'friction': 0.5}, 'ice': {'density': 900}},"
                            "'bodies': [{'name': 'leg', 'mass': 5},"
                            "           {'name': 'toe', 'mass': 3, 'inertia': [1, 1, 1]}]}");
    kai_scene* scene = open_good("main.json");
    kai_world* world = kai_scene_world(scene);
    assert_string_equal(kai_scene_get_settings(scene)->name.text, "main");
    check_near(kai_scene_get_settings(scene)->end, 9.0, 0.0, "main.json");
    check_vec3(kai_world_gravity(world), kai_vec3_make(0, 0, -1), 0.0, "base.json");
    assert_int_equal(kai_body_count(world), 3);
    check_near(mass_of(scene, "arm"), 1.0, 0.0, "base.json");
    check_near(mass_of(scene, "leg"), 5.0, 0.0, "main.json");
    check_near(mass_of(scene, "toe"), 3.0, 0.0, "main.json");
    kai_material_def steel;
    check_ok(kai_material_get(world, kai_material_find(world, "steel"), &steel));
    check_near(steel.density, 7850.0, 0.0, "base.json");
    check_near(steel.friction, 0.5, 0.0, "main.json");
    assert_null(strstr(kai_scene_text(scene), "include"));
    kai_scene_close(scene);
}

static void several_files_in_order(void** state)
{
    (void)state;
    write_file("base.json", BASE);
    write_file("second.json", "{'bodies': [{'name': 'arm', 'mass': 10}], 'end': 2}");
    write_file("main.json",
               "{'include': ['base.json', {'file': 'second.json', 'set': {'/bodies/arm/mass': 11, "
               "'/step': 0.5}}]}");
    kai_scene* scene = open_good("main.json");
    check_near(mass_of(scene, "arm"), 11.0, 0.0, "set of the include");
    check_near(kai_scene_get_settings(scene)->step, 0.5, 0.0, "set of the include");
    check_near(kai_scene_get_settings(scene)->end, 2.0, 0.0, "second.json");
    kai_scene_close(scene);
}

static void lists_without_names_are_replaced(void** state)
{
    (void)state;
    write_file("base.json",
               "{" HEAD ", 'gravity': [1, 2, 3], 'bodies': [{'mass': 1, 'inertia': [1, 1, 1]}]}");
    write_file(
        "main.json",
        "{'include': 'base.json', 'gravity': [4, 5, 6], 'bodies': [{'name': 'only', 'fixed': true}]}");
    kai_scene* scene = open_good("main.json");
    check_vec3(kai_world_gravity(kai_scene_world(scene)), kai_vec3_make(4, 5, 6), 0.0, "main.json");
    assert_int_equal(kai_body_count(kai_scene_world(scene)), 1);
    kai_scene_close(scene);
}

// Paths start from the file that names them, tables too.
static void paths_are_relative_to_their_file(void** state)
{
    (void)state;
    assert_int_equal(mkdir("parts", 0777), 0);
    write_file("parts/bed.csv", "x,y,z\n1,2,3\n");
    write_file("parts/more.json",
               "{'particles': [{'name': 'bed', 'file': 'bed.csv', 'density': 1, 'shape': "
               "{'type': 'sphere', 'radius': 1}}], 'include': '../base.json'}");
    write_file("base.json", BASE);
    write_file("main.json", "{'include': 'parts/more.json'}");
    kai_scene* scene = open_good("main.json");
    assert_int_equal(kai_body_count(kai_scene_world(scene)), 3);
    kai_scene_close(scene);
    // The scene's folder is what counts, however it is reached.
    scene = open_good("./parts/../main.json");
    kai_scene_close(scene);
}

static void problems_point_to_the_file_they_are_in(void** state)
{
    (void)state;
    write_file("base.json",
               "{" HEAD ",\n 'bodies': [{'name': 'arm', 'mass': -1, 'inertia': [1, 1, 1]}]}");
    write_file("main.json",
               "{'include': 'base.json',\n 'bodies': [{'name': 'arm', 'positoin': [0, 0, 0]}]}");
    check_bad_file(
        "main.json",
        "base.json:2:37: /bodies/0/mass: mass is -1 kg; must be > 0\n"
        "main.json:2:29: /bodies/0/positoin: unknown key \"positoin\"; did you mean \"position\"?");
    write_file("parts/broken.json", "{'a' 1}");
    write_file("main.json",
               "{" HEAD
               ", 'include': ['parts/broken.json', {'file': 'base.json', 'set': {'/x/y': 1}}]}");
    check_bad_file("main.json", "parts/broken.json:1:6: bad JSON: ':' expected, found 1\n"
                                "main.json:1:111: /x: unknown key \"x\"\n"
                                "base.json:2:37: /bodies/0/mass: mass is -1 kg; must be > 0");
    write_file("list.json", "[1]");
    write_file("main.json", "{" HEAD ", 'include': 'list.json'}");
    check_bad_file("main.json", "list.json:1:1: must be an object");
}

static void cycles_and_depth(void** state)
{
    (void)state;
    write_file("self.json", "{" HEAD ", 'include': 'self.json'}");
    check_bad_file("self.json", "self.json:1:51: /include: the file includes itself");
    write_file("one.json", "{" HEAD ", 'include': 'two.json'}");
    write_file("two.json", "{'include': './one.json'}");
    check_bad_file("one.json", "two.json:1:13: /include: the file includes itself");

    // 16 deep is fine, 17 is not.
    write_file("d0.json", "{}");
    for (int i = 1; i <= 17; i++) {
        char name[32], text[128];
        snprintf(name, sizeof name, "d%d.json", i);
        snprintf(text, sizeof text, "{" HEAD ", 'include': 'd%d.json'}", i - 1);
        write_file(name, text);
    }
    kai_scene_close(open_good("d16.json"));
    check_bad_file("d17.json", "d1.json:1:51: /include: includes are nested more than 16 deep");

    // Every file names the next one ten times: files are counted, so that this ends.
    for (int i = 1; i <= 9; i++) {
        char name[32], text[256] = "{" HEAD ", 'include': [";
        snprintf(name, sizeof name, "d%d.json", i);
        for (int k = 0; k < 10; k++)
            sprintf(text + strlen(text), "%s'd%d.json'", k ? ", " : "", i - 1);
        strcat(text, "]}");
        write_file(name, text);
    }
    char* problems;
    kai_scene_close(open_file("d9.json", false, &problems));
    assert_non_null(strstr(problems, "more than 1000 files are included"));
    assert_null(strchr(problems, '\n'));
    free(problems);
}

static void nothing_outside_unless_allowed(void** state)
{
    (void)state;
    assert_int_equal(mkdir("inner", 0777), 0);
    write_file("base.json", BASE);
    write_file("bed.csv", "x,y,z\n1,2,3\n");
    write_file("inner/up.json", "{'include': '../base.json'}");
    check_bad_file(
        "inner/up.json",
        "inner/up.json:1:13: /include: file \"../base.json\" lies outside the scene's folder; "
        "--allow-outside permits it\n"
        "inner/up.json:1:1: kairos is missing\n"
        "inner/up.json:1:1: end is missing");
    char* problems;
    kai_scene* scene = open_file("inner/up.json", true, &problems);
    assert_string_equal(problems, "");
    free(problems);
    kai_scene_close(scene);

    // A link that leads out is no way around, and neither is a name that only begins like the
    // folder.
    assert_int_equal(symlink("../base.json", "inner/link.json"), 0);
    write_file("inner/up.json", "{" HEAD ", 'include': 'link.json'}");
    check_bad_file(
        "inner/up.json",
        "inner/up.json:1:51: /include: file \"link.json\" lies outside the scene's folder; "
        "--allow-outside permits it");
    assert_int_equal(mkdir("inner2", 0777), 0);
    write_file("inner2/x.json", "{}");
    write_file("inner/up.json", "{" HEAD ", 'include': '../inner2/x.json'}");
    check_bad_file(
        "inner/up.json",
        "inner/up.json:1:51: /include: file \"../inner2/x.json\" lies outside the scene's "
        "folder; --allow-outside permits it");
    write_file(
        "inner/up.json",
        SCENE("'particles': [{'file': '../bed.csv', 'density': 1, 'shape': {'type': 'sphere', "
              "'radius': 1}}]"));
    check_bad_file(
        "inner/up.json",
        "inner/up.json:1:63: /particles/0/file: file \"../bed.csv\" lies outside the scene's "
        "folder; --allow-outside permits it");
}

static void what_cannot_be_opened(void** state)
{
    (void)state;
    check_bad_file("none.json", "none.json: cannot be opened: No such file or directory");
    check_bad_file("parts", "parts: cannot be opened: it is a directory");
    write_file("main.json", "{" HEAD ", 'include': ['parts', '', 'none.json']}");
    check_bad_file(
        "main.json",
        "main.json:1:52: /include/0: file \"parts\" cannot be opened: it is a directory\n"
        "main.json:1:61: /include/1: file \"\" cannot be opened: the name is empty\n"
        "main.json:1:65: /include/2: file \"none.json\" cannot be opened: No such file or "
        "directory");
    // A pipe must not make the reader wait.
    assert_int_equal(mkfifo("pipe.json", 0666), 0);
    write_file("main.json", "{" HEAD ", 'include': 'pipe.json'}");
    check_bad_file(
        "main.json",
        "main.json:1:51: /include: file \"pipe.json\" cannot be opened: it is no regular file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_keys_override),
        cmocka_unit_test(several_files_in_order),
        cmocka_unit_test(lists_without_names_are_replaced),
        cmocka_unit_test(paths_are_relative_to_their_file),
        cmocka_unit_test(problems_point_to_the_file_they_are_in),
        cmocka_unit_test(cycles_and_depth),
        cmocka_unit_test(nothing_outside_unless_allowed),
        cmocka_unit_test(what_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
