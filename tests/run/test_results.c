// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The folder of a run read back: figures and time series; folders that no run wrote.
#include "helper.h"

#include <kairos/kairos.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void write_file(const char* name, const char* text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void** state)
{
    (void)state;
    strcpy(folder, "/tmp/kairos-results-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void** state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

// z = 1 - g t² / 2, and what the run says about itself.
static void test_run(void** state)
{
    (void)state;
    static const char text[] =
        "{\"kairos\": 1, \"name\": \"fall\", \"step\": 0.1, \"end\": 1, \"integrator\": \"rk4\", \"gravity\": [0, 0, -8],"
        "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 1]}],"
        "\"outputs\": [{\"body\": \"a\", \"every\": 0.1, \"quantities\": [\"position\"], \"file\": \"a.csv\"}]}";
    kai_scene_def def = kai_scene_def_default();
    def.path = "fall.json";
    def.text = text;
    def.text_size = sizeof text - 1;
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    kai_run_def run = kai_run_def_default();
    run.scene = scene;
    run.directory = folder;
    check_ok(kai_run_execute(&run, NULL, NULL));

    kai_results* results = NULL;
    check_ok(kai_results_open(folder, &results, NULL));
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)kai_scene_hash(scene));
    assert_string_equal(kai_results_figure_find(results, "scene_hash").text, hash);
    assert_string_equal(kai_results_figure_find(results, "result").text, "done");
    assert_true(kai_results_figure_find(results, "steps").value == 10.0);
    assert_null(kai_results_figure_find(results, "steps").text);
    check_near(kai_results_figure_find(results, "energy.kinetic").value, 32.0, 1e-13, "m v²/2");
    assert_string_equal(kai_results_figure_find(results, "nothing").name, "");
    assert_string_equal(kai_results_figure_at(results, 100000).name, "");
    assert_int_equal(kai_results_series_count(results), 1);
    const kai_results_series s = kai_results_series_at(results, 0);
    assert_string_equal(s.file, "a.csv");
    assert_int_equal(s.columns, 4);
    assert_int_equal(s.rows, 11);
    assert_string_equal(s.names[3], "a.position.z");
    for (size_t i = 0; i < s.rows; i++) {
        const double t = s.values[i];
        check_near(s.values[3 * s.rows + i], 1.0 - 4.0 * t * t, 1e-14, "1 - g t²/2");
    }
    assert_int_equal(kai_results_series_at(results, 1).columns, 0);
    kai_results_close(results);
    kai_scene_close(scene);
}

// Two runs ---------------------------------------------------------------------------------------

typedef struct differences {
    int count;
    char pointer[64], a[64], b[64]; // of the last one
} differences;

static void tell(void* context, const char* pointer, const char* a, const char* b)
{
    differences* d = context;
    d->count++;
    snprintf(d->pointer, sizeof d->pointer, "%s", pointer);
    snprintf(d->a, sizeof d->a, "%s", a ? a : "none");
    snprintf(d->b, sizeof d->b, "%s", b ? b : "none");
}

// A body that starts at 1 m/s, or a little faster.
static void run_moving(const char* directory, double speed)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"kairos\": 1, \"name\": \"moving\", \"step\": 0.1, \"end\": 1, \"gravity\": [0, 0, 0],"
        "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"velocity\": [%.17g, 0, 0]}],"
        "\"trajectory\": {\"double_precision\": true, \"every\": 0.1}}",
        speed);
    kai_scene_def def = kai_scene_def_default();
    def.path = "moving.json";
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    kai_run_def run = kai_run_def_default();
    run.scene = scene;
    run.directory = directory;
    check_ok(kai_run_execute(&run, NULL, NULL));
    kai_scene_close(scene);
}

static void test_compare(void** state)
{
    (void)state;
    char a[96], b[96];
    snprintf(a, sizeof a, "%s/a", folder);
    snprintf(b, sizeof b, "%s/b", folder);
    run_moving(a, 1.0);
    run_moving(b, 1.001);
    kai_error err = {0};
    differences d = {0};
    check_ok(kai_results_compare_scenes(a, a, tell, &d, &err));
    assert_int_equal(d.count, 0);
    check_ok(kai_results_compare_scenes(a, b, tell, &d, &err));
    assert_int_equal(d.count, 1);
    assert_string_equal(d.pointer, "/bodies/a/velocity");
    assert_string_equal(d.a, "[1,0,0]");
    assert_string_equal(d.b, "[1.001,0,0]");
    check_error(kai_results_compare_scenes(a, "/nowhere", tell, &d, &err), KAI_ERROR_FILE);

    // x = v t: 1 mm apart at 1 s, and more than 0.45 mm from 0.5 s on.
    kai_results_frames f;
    check_ok(kai_results_compare_frames(a, b, 4.5e-4, &f, &err));
    assert_int_equal(f.frames_a, 11);
    assert_int_equal(f.frames_b, 11);
    assert_int_equal(f.compared, 11);
    check_near(f.position_max, 1e-3, 1e-12, "v t");
    check_near(f.position_rms, 1e-3 * sqrt(3.85 / 33.0), 1e-12,
               "of 0, 0.1 … 1 in x, none in y and z");
    check_near(f.rotation_max, 0.0, 0.0, "neither turns");
    check_near(f.extent, 1.0, 1e-12, "of a");
    check_near(f.first_time, 0.5, 1e-12, "the first that is farther apart");
    assert_int_equal(f.first_body, 1);
    check_ok(kai_results_compare_frames(a, b, 0.01, &f, &err));
    assert_true(isnan(f.first_time));
    check_ok(kai_results_compare_frames(a, a, 0.0, &f, &err));
    assert_true(isnan(f.first_time) && f.position_max == 0.0);
    check_error(kai_results_compare_frames(a, b, -1.0, &f, &err), KAI_ERROR_ARGUMENT);
}

static void test_others(void** state)
{
    (void)state;
    kai_results* results = NULL;
    kai_error err = {0};
    check_error(kai_results_open("/nowhere", &results, &err), KAI_ERROR_FILE);
    check_error(kai_results_open(folder, &results, &err), KAI_ERROR_FILE);
    check_error(kai_results_open(NULL, &results, &err), KAI_ERROR_ARGUMENT);
    static const char* const bad[] = {"", "[1]", "{", "{\"steps\": 3}", "{\"state_hash\": 3}"};
    for (size_t i = 0; i < KAI_COUNT(bad); i++) {
        write_file("run.json", bad[i]);
        check_error(kai_results_open(folder, &results, &err), KAI_ERROR_FORMAT);
        assert_null(results);
    }
    // Names that lead elsewhere, tables that are none, lists, and what a template derives.
    write_file(
        "run.json",
        "{\"state_hash\": \"0\", \"a\": {\"b\": {\"c\": 1.5}}, \"yes\": true, \"no\": null,"
        "\"list\": [1], \"outputs\": [\"../x.csv\", 3, \"gone.csv\", \"s.csv\", \"good.csv\"],"
        "\"numbered\": [1, \"s.csv\"]}");
    write_file("good.csv", "time,x\n0,1\n1,\n");
    write_file("s.csv", "time,x\n0,1\n");
    write_file("results.json", "{\"flow\": {\"value\": 2.5, \"unit\": \"kg/s\"}, \"odd\": 3}");
    check_ok(kai_results_open(folder, &results, &err));
    assert_true(kai_results_figure_find(results, "a.b.c").value == 1.5);
    assert_true(kai_results_figure_find(results, "yes").value == 1.0);
    assert_true(isnan(kai_results_figure_find(results, "no").value));
    assert_true(kai_results_figure_find(results, "flow").value == 2.5);
    assert_int_equal(kai_results_figure_count(results), 5);
    assert_int_equal(kai_results_series_count(results), 1);
    assert_true(isnan(kai_results_series_at(results, 0).values[3]));
    kai_results_close(results);
    kai_results_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compare, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
