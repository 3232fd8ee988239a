// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Templates of an author who means harm: files outside, endless loops, all memory, names that become
// those of others. Each is refused with a message, at once. Nothing is timed here: without its limit
// each of the large ones would run for minutes at least.
#include "scene_helper.h"

#include <kairos/kind.h>

#define LUMP "{'name': 'b', 'mass': 1, 'inertia': [1, 1, 1]}"

// The first problem, whose text must be this; `more`: others may follow.
static void check_first(const char* text, const char* expected, bool more)
{
    kai_scene* scene = NULL;
    open_scene(text, NULL, &scene);
    assert_non_null(scene);
    if (kai_scene_problem_count(scene) == 0) fail_msg("no problem; %s expected", expected);
    assert_string_equal(kai_scene_problem(scene, 0)->message, expected);
    if (!more) assert_int_equal(kai_scene_problem_count(scene), 1);
    kai_scene_close(scene);
}

// Files ------------------------------------------------------------------------------------------

static void check_file(const char* name, const char* problem)
{
    char text[512], expected[512];
    sprintf(text, SCENE("'instances': [{'template': '%s', 'name': 'a'}]"), name);
    sprintf(expected, "scene.json:1:67: /instances/0/template: file \"%s\" %s", name, problem);
    check_problems(text, NULL, expected);
}

static void no_file_outside_is_read(void** state)
{
    (void)state;
    static const char outside[] = "lies outside the scene's folder; --allow-outside permits it";
    check_ok(mkdir("folder.json", 0700) == 0 ? KAI_OK : KAI_ERROR_FILE);
    assert_int_equal(mkfifo("pipe.json", 0600), 0);
    assert_int_equal(symlink("/etc/passwd", "link.json"), 0);
    assert_int_equal(symlink("/dev/zero", "zeros.json"), 0);
    check_file("../x.json", outside);
    check_file("/etc/x.json", outside);
    check_file("/proc/self/environ.json", outside);
    check_file("link.json", outside);
    check_file("zeros.json", outside);
    check_file("folder.json", "cannot be opened: it is a directory");
    check_file("pipe.json", "cannot be opened: it is no regular file");
}

static void many_files_end(void** state)
{
    (void)state;
    const int count = 3000;
    char* text = malloc((size_t)count * 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "{" HEAD ", 'instances': [");
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%s{'template': '%d.json', 'name': 'n%d'}",
                                i ? ", " : "", i, i);
    sprintf(text + used, "]}");
    check_first(
        text,
        "scene.json:1:67: /instances/0/template: file \"0.json\" cannot be opened: No such file "
        "or directory",
        true);
    free(text);
}

// Loops and memory -------------------------------------------------------------------------------

#define WITH(x) \
    SCENE("'templates': {'t': {}}, 'instances': [{'template': 't', 'name': 'a', " x "}]")

static void what_is_left_out_counts(void** state)
{
    (void)state;
    static const char problem[] =
        "scene.json:1:78: /instances/0: there are more than 100000 instances";
    check_problems(WITH("'count': [100000, 100000, 100000], 'when': 'i < 0'"), NULL, problem);
    check_problems(WITH("'count': [100000, 0, 100000]"), NULL, "");
    // Within each other: each level multiplies.
    check_first(
        SCENE("'templates': {'t': {'instances': [{'template': 't', 'name': 'a', 'count': "
              "[1000, 1000], 'when': 'i < 3'}]}}, 'instances': [{'template': 't', 'name': 'a'}]"),
        "scene.json:1:74: /templates/t/instances/0: there are more than 100000 instances (in a)",
        true);
}

// Of an array whose instances are all wrong, no more are looked at than can be told.
static void what_is_wrong_everywhere_ends(void** state)
{
    (void)state;
    check_first(WITH("'count': [100000, 100000, 100000], 'parameters': {'x': 1}"),
                "scene.json:1:159: /instances/0/parameters/x: the template has no parameter \"x\"",
                true);
}

static void what_an_instance_holds_counts(void** state)
{
    (void)state;
    const int ports = 20000;
    char* text = malloc((size_t)ports * 32);
    assert_non_null(text);
    size_t used =
        (size_t)sprintf(text, "{" HEAD ", 'templates': {'t': {}}, 'instances': [{'template': 't', "
                              "'name': 'a', 'count': 90000, 'when': 'i < 0', 'connect': {");
    for (int i = 0; i < ports; i++)
        used += (size_t)sprintf(text + used, "%s'c%d': 'x'", i ? ", " : "", i);
    sprintf(text + used, "}}]}");
    check_problems(text, NULL,
                   "scene.json:1:78: /instances/0: all instances have more than 10000000 values");
    free(text);
}

// A formula of 1,900 bytes in each of 90,000.
static void long_formulas_count(void** state)
{
    (void)state;
    char formula[1901], text[2200];
    memset(formula, ' ', 1900);
    formula[0] = '1';
    formula[1900] = '\0';
    sprintf(text, WITH("'count': 90000, 'at': [0, 0, '%s']"), formula);
    check_problems(
        text, NULL,
        "scene.json:1:78: /instances/0: the texts of all instances have more than 50000000 "
        "bytes");
}

// Many names on both sides: looked up, not searched through.
static void many_templates_and_connections(void** state)
{
    (void)state;
    const int count = 20000;
    char* text = malloc((size_t)count * 256);
    assert_non_null(text);
    size_t used = (size_t)sprintf(
        text,
        "{" HEAD
        ", 'bodies': [{'name': 'g', 'fixed': true}], 'templates': {'t': {'template': {'connect': {");
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%s'c%d': 'd'", i ? ", " : "", i);
    used += (size_t)sprintf(text + used, "}}, 'forces': [");
    for (int i = 0; i < count; i++)
        used +=
            (size_t)sprintf(text + used, "%s{'type': 'force', 'body': 'c%d', 'value': [1, 0, 0]}",
                            i ? ", " : "", count - 1 - i);
    used += (size_t)sprintf(text + used, "]}");
    for (int i = 0; i < count; i++) used += (size_t)sprintf(text + used, ", 't%d': {}", i);
    used += (size_t)sprintf(text + used,
                            "}, 'instances': [{'template': 't', 'name': 'a', 'connect': {");
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%s'c%d': 'g'", i ? ", " : "", i);
    used += (size_t)sprintf(text + used, "}}");
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, ", {'template': 't%d', 'name': 'n%d'}", i, i);
    sprintf(text + used, "]}");
    check_problems(text, NULL, "");
    free(text);
}

// Names ------------------------------------------------------------------------------------------

#define SPRING \
    "{'type': 'spring', 'bodies': ['p', 'b'], 'points': [[0, 0, 0], [0, 0, 1]], 'stiffness': 1}"

// A name that is too long must not become the one that it begins with.
static void long_names_are_not_cut(void** state)
{
    (void)state;
    char longest[KAI_STRING_SIZE], text[2000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    sprintf(text,
            SCENE("'bodies': [{'name': '%s', 'fixed': true}], 'templates': {'t': {'bodies': [" LUMP
                  "], 'forces': [" SPRING
                  "]}}, 'instances': [{'template': 't', 'name': 'n', 'connect': {'p': '%s%s'}}]"),
            longest, longest, "");
    check_problems(text, NULL, "");
    sprintf(text,
            SCENE("'bodies': [{'name': '%s', 'fixed': true}], 'templates': {'t': {'bodies': [" LUMP
                  "], 'forces': [" SPRING
                  "]}}, 'instances': [{'template': 't', 'name': 'n', 'connect': {'p': '%s%s'}}]"),
            longest, longest, "b");
    check_problems(text, NULL,
                   "scene.json:1:457: /templates/t/forces/0/bodies/0: there is no body "
                   "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\" (in n)");
}

static void names_with_points_meet(void** state)
{
    (void)state;
    check_problems(
        SCENE("'bodies': [{'name': 'a.b', 'mass': 1, 'inertia': [1, 1, 1]}], 'templates': {'t': "
              "{'bodies': [" LUMP "]}}, 'instances': [{'template': 't', 'name': 'a'}]"),
        NULL,
        "scene.json:1:142: /templates/t/bodies/0/name: body name \"a.b\" is used twice; must be "
        "unique (in a)");
    // The longest connection that a name begins with leads it.
    check_problems(
        SCENE(
            "'bodies': [{'name': 'x.b.c', 'fixed': true}, {'name': 'y.c', 'fixed': true}], 'templates': "
            "{'t': {'bodies': [" LUMP "], 'forces': [{'type': 'spring', 'bodies': ['a.b.c', 'b'], "
            "'points': [[0, 0, 0], [0, 0, 1]], 'stiffness': 1}]}}, 'instances': [{'template': 't', "
            "'name': 'n', 'connect': {'a': 'nobody', 'a.b': 'y'}}]"),
        NULL, "");
}

static void texts_hold_no_control_characters(void** state)
{
    (void)state;
    check_problems(
        SCENE(
            "'templates': {'t': {'parameters': {'p': {'text': 'x'}}, 'bodies': [{'name': '{p}', 'mass': "
            "1, 'inertia': [1, 1, 1]}]}}, 'instances': [{'template': 't', 'name': 'i', "
            "'parameters': {'p': 'a\\u001b[31m'}}]"),
        NULL,
        "scene.json:1:116: /templates/t/bodies/0/name: name holds a control character; must be plain "
        "text (in i)");
}

// What a text parameter holds is not read again: braces in it stay braces, and nothing grows.
static void texts_do_not_explode(void** state)
{
    (void)state;
    kai_scene* scene = good_scene(SCENE(
        "'parameters': {'x': {'text': '{{x}}{{x}}'}}, 'templates': {'t': {'parameters': {'z': {'text': "
        "''}}, 'bodies': [{'name': '{z}', 'mass': 1, 'inertia': [1, 1, 1]}]}}, 'instances': "
        "[{'template': 't', 'name': 'n', 'parameters': {'z': '{x}{x}'}}]"));
    assert_true(kai_body_is_valid(kai_scene_world(scene),
                                  kai_body_find(kai_scene_world(scene), "n.{x}{x}{x}{x}")));
    kai_scene_close(scene);
}

// Formulas over signals name them in '…'.
static void quotes_in_names_of_signals(void** state)
{
    (void)state;
    check_problems(
        SCENE(
            "'templates': {'t': {'signals': [{'name': 'x', 'type': 'value', 'value': 1}, {'name': 'y', "
            "'type': 'expression', 'value': '2*x'}]}}, 'instances': [{'template': 't', 'name': "
            "'it\\u0027s'}]"),
        NULL,
        "scene.json:1:164: /templates/t/signals/1/value: value is \"2*x\": signal \"it's.x\" has a ' in "
        "its name, which formulas cannot write (in it's)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_file_outside_is_read),
        cmocka_unit_test(many_files_end),
        cmocka_unit_test(what_is_left_out_counts),
        cmocka_unit_test(what_is_wrong_everywhere_ends),
        cmocka_unit_test(what_an_instance_holds_counts),
        cmocka_unit_test(long_formulas_count),
        cmocka_unit_test(many_templates_and_connections),
        cmocka_unit_test(long_names_are_not_cut),
        cmocka_unit_test(names_with_points_meet),
        cmocka_unit_test(texts_hold_no_control_characters),
        cmocka_unit_test(texts_do_not_explode),
        cmocka_unit_test(quotes_in_names_of_signals),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
