// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Runs that look for contacts and cast rays: a ball falls through a floor that does not hold it.
#include "helper.h"

#include <jansson.h>
#include <kairos/run.h>
#include <unistd.h>

static const char* const FILES[] = {"index.html", "system.csv",    "mast.csv",     "ball.csv",
                                    "run.json",   "trajectory.h5", "checkpoint.h5"};

// ' for "
static const char SCENE[] =
    "{'kairos': 1, 'name': 'fall', 'step': 0.001, 'end': 0.7, 'collision': {'reach': 0.01},"
    " 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'plane'}]},"
    "  {'name': 'ball', 'density': 1000, 'position': [0, 0, 2],"
    "   'shapes': [{'type': 'sphere', 'radius': 0.5}]}],"
    " 'outputs': [{'system': true, 'every': 0.01, 'quantities': ['contacts', 'max_penetration'],"
    "   'file': 'system.csv'},"
    "  {'ray': {'from': [0, 0, 10], 'to': [0, 0, -10]}, 'every': 0.01,"
    "   'quantities': ['distance', 'body', 'point', 'normal'], 'file': 'mast.csv'},"
    "  {'ray': {'from': [0.1, 0, 0], 'direction': [0, 0, -3], 'length': 1.9, 'body': 'ball'},"
    "   'every': 0.01, 'quantities': ['distance', 'body'], 'file': 'ball.csv'}]}";

static kai_scene* open_scene(void)
{
    char text[sizeof SCENE];
    memcpy(text, SCENE, sizeof text);
    for (char* c = text; *c; c++)
        if (*c == '\'') *c = '"';
    kai_scene_def def = kai_scene_def_default();
    def.path = "fall.json";
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
    snprintf(out, 128, "collision-test-%d-%s%s%s", (int)getpid(), folder, file[0] ? "/" : "", file);
    return out;
}

static json_t* run(const char* folder, double end, bool resume)
{
    char path[128], *json = NULL;
    kai_error err = {0};
    kai_scene* scene = open_scene();
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = path_of(path, folder, "");
    def.end = end;
    def.resume = resume;
    if (kai_run_execute(&def, &json, &err) != KAI_OK) fail_msg("%s", err.message);
    json_t* root = json_loads(json, 0, NULL);
    free(json);
    kai_scene_close(scene);
    return root;
}

static void remove_folder(const char* folder)
{
    char path[128];
    for (size_t i = 0; i < KAI_COUNT(FILES); i++) unlink(path_of(path, folder, FILES[i]));
    assert_int_equal(rmdir(path_of(path, folder, "")), 0);
}

// Rows of numbers behind a header.
static int read_rows(const char* folder, const char* file, const char* header, double rows[][16])
{
    char path[128], line[1024];
    FILE* f = fopen(path_of(path, folder, file), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(line, header);
    int n = 0;
    for (; fgets(line, sizeof line, f); n++) {
        char* next = line;
        for (int k = 0; k < 16 && *next; k++) {
            rows[n][k] = strtod(next, &next);
            if (*next == ',') next++;
        }
    }
    fclose(f);
    return n;
}

// The centre is at 2 - g t² / 2: the midpoint rule is exact for free fall.
static double height(double t) { return 2.0 - 0.5 * 9.81 * t * t; }

static void outputs_tell_the_fall(void** state)
{
    (void)state;
    static double rows[100][16];
    json_decref(run("fall", -1.0, false));
    int n = read_rows("fall", "system.csv", "time,system.contacts,system.max_penetration", rows);
    assert_int_equal(n, 71);
    for (int i = 0; i < n; i++) {
        const double gap = height(rows[i][0]) - 0.5;
        assert_true(fabs(gap - 0.01) > 1e-6); // no sample where rounding decides
        assert_true(rows[i][1] == (gap <= 0.01 ? 1.0 : 0.0));
        check_near(rows[i][2], fmax(-gap, 0.0), 1e-12, "free fall");
    }
    n = read_rows("fall", "mast.csv",
                  "time,ray.distance,ray.body,ray.point.x,ray.point.y,ray.point.z,ray.normal.x,"
                  "ray.normal.y,ray.normal.z",
                  rows);
    for (int i = 0; i < n; i++) {
        const double top = height(rows[i][0]) + 0.5, met = fmax(top, 0.0);
        check_near(rows[i][1], 10.0 - met, 1e-12, "free fall");
        assert_true(rows[i][2] == (top > 0.0 ? 2.0 : 1.0));
        check_near(rows[i][5], met, 1e-12, "free fall");
        check_near(rows[i][8], 1.0, 1e-12, "upwards");
    }
    // The ball's own ray: 1.9 m long, and not stopped by the ball.
    n = read_rows("fall", "ball.csv", "time,ball.distance,ball.body", rows);
    for (int i = 0; i < n; i++) {
        const double z = height(rows[i][0]);
        if (z > 1.9)
            assert_true(rows[i][1] == -1.0 && rows[i][2] == 0.0);
        else
            check_near(rows[i][1], fmax(z, 0.0), 1e-12, "free fall");
    }
    remove_folder("fall");
}

static double number(const json_t* root, const char* key)
{
    return json_number_value(json_object_get(root, key));
}

// run.json counts over steps, in one piece or in two.
static void summary_counts(void** state)
{
    (void)state;
    json_t* whole = run("whole", -1.0, false);
    json_decref(run("parts", 0.6, false));
    json_t* parts = run("parts", -1.0, true);
    int touching = 0;
    for (int step = 1; step <= 700; step++) touching += height(1e-3 * step) - 0.5 <= 0.01;
    check_near(number(whole, "contacts_mean"), touching / 700.0, 1e-12, "free fall");
    assert_true(number(whole, "contacts_max") == 1.0);
    check_near(number(whole, "max_penetration"), 0.5 - height(0.7), 1e-12, "free fall");
    const char* const keys[] = {"contacts_mean", "contacts_max", "max_penetration"};
    for (int i = 0; i < 3; i++) assert_true(number(whole, keys[i]) == number(parts, keys[i]));
    json_decref(whole);
    json_decref(parts);
    remove_folder("whole");
    remove_folder("parts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_tell_the_fall),
        cmocka_unit_test(summary_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
