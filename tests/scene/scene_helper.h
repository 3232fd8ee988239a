// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What tests of scenes share: scenes from text with ' for ", their problems as one text, files in a
// folder of the test's own.
#ifndef TESTS_SCENE_HELPER_H
#define TESTS_SCENE_HELPER_H

#include "helper.h"

#include <errno.h>
#include <kairos/scene.h>
#include <sys/stat.h>
#include <unistd.h>

// A text with " for every '; free() it.
HELPER char* quoted(const char* text)
{
    char* copy = strdup(text);
    assert_non_null(copy);
    for (char* c = copy; *c; c++)
        if (*c == '\'') *c = '"';
    return copy;
}

// Opens a scene from text (' for "), called scene.json, with overrides ended by NULL (or none).
HELPER kai_result open_scene(const char* text, const char* const* sets, kai_scene** scene)
{
    char* json = quoted(text);
    kai_scene_def def = kai_scene_def_default();
    def.path = "scene.json";
    def.text = json;
    def.text_size = strlen(json);
    def.sets = sets;
    while (sets && sets[def.set_count]) def.set_count++;
    const kai_result result = kai_scene_open(&def, scene, NULL);
    free(json);
    return result;
}

// All problems of a scene, one a line; free() it.
HELPER char* problems_text(const kai_scene* scene)
{
    char* text = calloc(1, 1);
    size_t size = 0;
    for (size_t i = 0; i < kai_scene_problem_count(scene); i++) {
        const char* message = kai_scene_problem(scene, i)->message;
        text = realloc(text, size + strlen(message) + 2);
        assert_non_null(text);
        size += (size_t)sprintf(text + size, "%s%s", size ? "\n" : "", message);
    }
    return text;
}

// The scene must have exactly these problems, one a line; "" for none.
#define check_problems(text, sets, expected) \
    helper_problems(text, sets, expected, __FILE__, __LINE__)

HELPER void helper_problems(const char* text, const char* const* sets, const char* expected,
                            const char* file, int line)
{
    kai_scene* scene = NULL;
    open_scene(text, sets, &scene);
    assert_non_null(scene);
    char* actual = problems_text(scene);
    kai_scene_close(scene);
    const bool same = strcmp(actual, expected) == 0;
    if (!same) print_error("%s\n  says      %s\n  expected  %s\n", text, actual, expected);
    free(actual);
    if (!same) _fail(file, line);
}

// A scene without problems, which the caller closes.
#define good_scene(text) helper_good_scene(text, __FILE__, __LINE__)

HELPER kai_scene* helper_good_scene(const char* text, const char* file, int line)
{
    kai_scene* scene = NULL;
    if (open_scene(text, NULL, &scene) == KAI_OK) return scene;
    char* problems = problems_text(scene);
    print_error("%s\n  says %s\n", text, problems);
    free(problems);
    kai_scene_close(scene);
    _fail(file, line);
    return NULL;
}

// Writes a file (' for " in .json files) below the current folder; folders of its path must exist.
HELPER void write_file(const char* path, const char* text)
{
    char* copy = strstr(path, ".json") ? quoted(text) : strdup(text);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(copy, 1, strlen(copy), file), strlen(copy));
    assert_int_equal(fclose(file), 0);
    free(copy);
}

// A fresh folder as current folder; leave_folder goes back and removes what is in it, one level
// deep and one folder below.
static char helper_home[4096], helper_folder[64];

HELPER int enter_folder(void** state)
{
    (void)state;
    snprintf(helper_folder, sizeof helper_folder, "/tmp/kairos-scene-XXXXXX");
    if (!getcwd(helper_home, sizeof helper_home) || !mkdtemp(helper_folder)) return -1;
    return chdir(helper_folder);
}

HELPER int leave_folder(void** state)
{
    (void)state;
    char command[128];
    if (chdir(helper_home) != 0) return -1;
    snprintf(command, sizeof command, "rm -rf '%s'", helper_folder);
    return system(command);
}

// What a scene needs at least, and a scene with more keys.
#define HEAD     "'kairos': 1, 'step': 0.001, 'end': 1"
#define SCENE(x) "{" HEAD ", " x "}"
#define BODY(x)  SCENE("'bodies': [{" x "}]")
#define SHAPE(x) BODY("'fixed': true, 'shapes': [{" x "}]")
#define FORCE(x) SCENE("'bodies': [{'name': 'a', 'fixed': true}], 'forces': [{" x "}]")
#define VALUE(x) FORCE("'type': 'force', 'body': 'a', 'value': [" x ", 0, 0]")
#define TWO \
    "'bodies': [{'name': 'a', 'fixed': true}, {'name': 'b', 'mass': 1, 'inertia': [1, 1, 1]}], "
#define JOINT(x) SCENE(TWO "'joints': [{" x "}]")
#define MOTOR(x)                                                                                   \
    SCENE(                                                                                         \
        TWO                                                                                        \
        "'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['a', 'b'], 'at': [0, 0, 0]}], " \
        "'motors': [{" x "}]")
#define OUTPUT(x) SCENE("'bodies': [{'name': 'arm', 'fixed': true}], 'outputs': [{" x "}]")

#endif
