// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Runs with joints: what outputs show does not touch the motion, turns are counted, and a run in
// parts ends bit for bit as one in one piece.
#include "helper.h"

#include <jansson.h>
#include <kairos/run.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const FILES[] = {"body.csv",      "pin.csv",       "drive.csv",
                                    "spring.csv",    "all.csv",       "run.json",
                                    "trajectory.h5", "checkpoint.h5", "index.html"};

// A double pendulum, a wheel that a motor turns, a spring; ' for ".
#define SCENE                                                                                                            \
    "{'kairos': 1, 'name': 'joints', 'step': 0.002, 'end': 1.0, 'integrator': '%s',"                                     \
    " 'bodies': [{'name': 'ground', 'fixed': true},"                                                                     \
    "  {'name': 'a', 'mass': 1, 'inertia': [0.02, 0.1, 0.1], 'position': [0.5, 0, 0]},"                                  \
    "  {'name': 'b', 'mass': 2, 'inertia': [0.02, 0.1, 0.1], 'position': [1.5, 0, 0]},"                                  \
    "  {'name': 'wheel', 'mass': 3, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 3, 0]}],"                                \
    " 'motors': [{'name': 'drive', 'type': 'rotation-speed', 'joint': 'axle', 'value': {'ramp': {'slope': 30}}}],"       \
    " 'joints': [{'name': 'pin', 'type': 'revolute', 'bodies': ['ground', 'a'], 'at': [0, 0, 0], 'axis': [0, 1, 0]},"    \
    "  {'name': 'ball', 'type': 'spherical', 'bodies': ['a', 'b'], 'at': [1, 0, 0]},"                                    \
    "  {'name': 'axle', 'type': 'revolute', 'bodies': ['ground', 'wheel'], 'at': [0, 3, 0]}],"                           \
    " 'forces': [{'name': 'coil', 'type': 'spring', 'bodies': ['ground', 'b'], 'points': [[1.5, 0.1, -1], [1.5, 0, 0]]," \
    "  'stiffness': [[-1, -40], [0, 0], [1, 60]], 'damping': 0.5}]%s}"

#define OUTPUTS                                                                                               \
    ", 'outputs': [{'body': 'b', 'file': 'body.csv', 'every': 0.01,"                                          \
    "   'quantities': ['position', 'acceleration', 'angular_acceleration', 'force']},"                        \
    "  {'joint': 'pin', 'every': 0.006, 'file': 'pin.csv',"                                                   \
    "   'quantities': ['force', 'torque', 'angle', 'angle_rate', 'violation']},"                              \
    "  {'motor': 'drive', 'every': 0.1, 'quantities': ['effort', 'position', 'speed'], 'file': 'drive.csv'}," \
    "  {'force': 'coil', 'every': 0.05, 'quantities': ['force', 'length', 'rate'], 'file': 'spring.csv'},"    \
    "  {'system': true, 'every': 0.05, 'quantities': ['energy', 'rows', 'max_violation'], 'file': 'all.csv'}]"

static const char* const INTEGRATORS[] = {"euler", "hht", "newmark", "euler-implicit"};

static kai_scene* open_scene(const char* integrator, const char* outputs)
{
    char text[8192];
    snprintf(text, sizeof text, SCENE, integrator, outputs);
    for (char* c = text; *c; c++)
        if (*c == '\'') *c = '"';
    kai_scene_def def = kai_scene_def_default();
    def.path = "joints.json";
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) print_error("%s\n", err.message);
    assert_non_null(kai_scene_world(scene));
    return scene;
}

static const char* path_of(char out[128], const char* folder, const char* file)
{
    snprintf(out, 128, "joints-test-%d-%s%s%s", (int)getpid(), folder, file[0] ? "/" : "", file);
    return out;
}

static void remove_folder(const char* folder)
{
    char path[128];
    for (size_t i = 0; i < KAI_COUNT(FILES); i++) unlink(path_of(path, folder, FILES[i]));
    assert_int_equal(rmdir(path_of(path, folder, "")), 0);
}

// Runs to an end and returns run.json.
static json_t* run(kai_scene* scene, const char* folder, double end, bool resume)
{
    char path[128], *json = NULL;
    kai_error err = {0};
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = path_of(path, folder, "");
    def.end = end;
    def.resume = resume;
    if (kai_run_execute(&def, &json, &err) != KAI_OK) fail_msg("%s", err.message);
    json_t* root = json_loads(json, 0, NULL);
    free(json);
    return root;
}

static char* read_file(const char* folder, const char* file)
{
    char path[128];
    FILE* f = fopen(path_of(path, folder, file), "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    char* text = calloc((size_t)size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)size, f), (size_t)size);
    fclose(f);
    return text;
}

static void outputs_do_not_touch_the_motion(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        uint64_t hash[2];
        for (int with = 0; with < 2; with++) {
            kai_scene* scene = open_scene(INTEGRATORS[i], with ? OUTPUTS : "");
            json_decref(run(scene, "touch", -1.0, false));
            hash[with] = kai_world_hash(kai_scene_world(scene));
            kai_scene_close(scene);
        }
        assert_true(hash[0] == hash[1]);
    }
    remove_folder("touch");
}

static void a_run_in_parts_is_the_same_run(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(INTEGRATORS); i++) {
        kai_scene* whole = open_scene(INTEGRATORS[i], OUTPUTS);
        json_decref(run(whole, "whole", -1.0, false));
        const double ends[] = {0.0, 0.002, 0.334, 0.7, -1.0};
        for (size_t k = 0; k < KAI_COUNT(ends); k++) {
            kai_scene* part = open_scene(INTEGRATORS[i], OUTPUTS);
            json_decref(run(part, "parts", ends[k], k > 0));
            if (ends[k] < 0.0)
                assert_true(kai_world_hash(kai_scene_world(whole)) ==
                            kai_world_hash(kai_scene_world(part)));
            kai_scene_close(part);
        }
        for (size_t f = 0; f < 5; f++) {
            char *a = read_file("whole", FILES[f]), *b = read_file("parts", FILES[f]);
            if (strcmp(a, b) != 0) fail_msg("%s: %s differs", INTEGRATORS[i], FILES[f]);
            free(a);
            free(b);
        }
        kai_scene_close(whole);
        remove_folder("whole");
        remove_folder("parts");
    }
}

// The last row of a file.
static const char* last_row(char* text)
{
    text[strlen(text) - 1] = '\0';
    return strrchr(text, '\n') + 1;
}

// The wheel's speed is 30 t: after 1 s it has turned by 15 rad, more than two turns.
static void turns_are_counted(void** state)
{
    kai_scene* scene = open_scene("hht", OUTPUTS);
    json_t* root = run(scene, "turns", -1.0, false);
    char* text = read_file("turns", "drive.csv");
    double time, effort, position, speed;
    assert_int_equal(sscanf(last_row(text), "%lf,%lf,%lf,%lf", &time, &effort, &position, &speed),
                     4);
    check_near(time, 1.0, 1e-12, "the end");
    check_near(effort, 0.1 * 30.0, 1e-6, "inertia times angular acceleration");
    check_near(position, 15.0, 1e-4, "half 30 t², and the step's error");
    check_near(speed, 30.0, 1e-8, "30 t");
    free(text);

    // revolute 5, spherical 3, revolute 5, motor 1
    assert_int_equal(json_integer_value(json_object_get(root, "rows")), 14);
    json_t* solver = json_object_get(root, "solver");
    assert_string_equal(json_string_value(json_object_get(solver, "name")), "direct");
    assert_true(json_real_value(json_object_get(solver, "iterations_mean")) >= 1.0);
    const double residual = json_real_value(json_object_get(solver, "residual_max"));
    assert_true(residual > 0.0 && residual < 1e-9); // rounding, of a thousand times b
    const double most = json_real_value(json_object_get(root, "max_violation"));
    assert_true(most > 0.0 && most < 1e-9);
    json_decref(root);
    kai_scene_close(scene);
    remove_folder("turns");
}

// A door on two hinges: one of them is redundant, which run.json says by name.
static void warnings_reach_the_summary(void** state)
{
    static const char text[] =
        "{\"kairos\": 1, \"step\": 0.001, \"end\": 0.01,"
        " \"bodies\": [{\"name\": \"wall\", \"fixed\": true},"
        "  {\"name\": \"door\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0]}],"
        " \"joints\": [{\"name\": \"low\", \"type\": \"revolute\", \"bodies\": [\"wall\", \"door\"], \"at\": [0, 0, 0]},"
        "  {\"name\": \"high\", \"type\": \"revolute\", \"bodies\": [\"wall\", \"door\"], \"at\": [0, 0, 1]}]}";
    kai_scene_def def = kai_scene_def_default();
    def.path = "door.json";
    def.text = text;
    def.text_size = sizeof text - 1;
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    json_t* root = run(scene, "door", -1.0, false);
    json_t* warnings = json_object_get(root, "warnings");
    assert_true(json_array_size(warnings) >= 1);
    assert_non_null(strstr(json_string_value(json_array_get(warnings, 0)), "redundant"));
    json_decref(root);
    kai_scene_close(scene);
    remove_folder("door");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_do_not_touch_the_motion),
                                       cmocka_unit_test(a_run_in_parts_is_the_same_run),
                                       cmocka_unit_test(turns_are_counted),
                                       cmocka_unit_test(warnings_reach_the_summary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
