// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scenes that ask for an equilibrium or for an assembly.
#include "helper.h"

#include <kairos/run.h>
#include <kairos/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A weight on a spring, or a bar that is not where its hinge is.
static const char STATICS[] =
    "{\"kairos\": 1, \"step\": 0.001, \"end\": 1, \"analysis\": \"statics\", "
    "\"gravity\": [0, 0, -10], \"trajectory\": {\"enabled\": false}, "
    "\"bodies\": [{\"name\": \"ground\", \"fixed\": true}, {\"name\": \"b\", \"mass\": 2, "
    "\"inertia\": [1, 1, 1], \"position\": [0.3, 0, -1]}], "
    "\"forces\": [{\"name\": \"s\", \"type\": \"spring\", \"bodies\": [\"ground\", \"b\"], "
    "\"points\": [[0, 0, 0], [0.3, 0, -1]], \"rest_length\": 1, \"stiffness\": 100}], "
    "\"outputs\": [{\"body\": \"b\", \"quantities\": [\"position\"], \"file\": \"b.csv\"}]}";

static const char ASSEMBLY[] =
    "{\"kairos\": 1, \"step\": 0.001, \"end\": 1, \"analysis\": \"assembly\", "
    "\"trajectory\": {\"enabled\": false}, "
    "\"bodies\": [{\"name\": \"ground\", \"fixed\": true}, {\"name\": \"b\", \"mass\": 2, "
    "\"inertia\": [1, 1, 1], \"position\": [1.1, 0, 0.2]}], "
    "\"joints\": [{\"name\": \"pin\", \"type\": \"spherical\", \"bodies\": [\"ground\", \"b\"], "
    "\"frame_a\": {\"at\": [0, 0, 0]}, \"frame_b\": {\"at\": [-1, 0, 0]}}], "
    "\"outputs\": [{\"body\": \"b\", \"quantities\": [\"position\"], \"file\": \"b.csv\"}, "
    "{\"joint\": \"pin\", \"quantities\": [\"violation\"], \"file\": \"pin.csv\"}]}";

/// Runs a scene and reads the only row of a file: three numbers behind the time, or one.
static void run(const char* text, const char* file, double* out, int count)
{
    char folder[] = "/tmp/kairos-analysis-XXXXXX", path[128], line[256];
    assert_non_null(mkdtemp(folder));
    kai_scene_def def = kai_scene_def_default();
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_run_def run_def = kai_run_def_default();
    run_def.scene = scene;
    run_def.directory = folder;
    if (kai_run_execute(&run_def, NULL, &err) != KAI_OK) fail_msg("%s", err.message);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE* in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    assert_non_null(fgets(line, sizeof line, in));
    char* at = strchr(line, ',') + 1;
    for (int i = 0; i < count; i++, at++) out[i] = strtod(at, &at);
    assert_null(fgets(line, sizeof line, in)); // one sample
    fclose(in);
    kai_scene_close(scene);
    static const char* const files[] = {"b.csv", "pin.csv", "run.json", "checkpoint.h5",
                                        "index.html"};
    for (size_t i = 0; i < KAI_COUNT(files); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void test_statics(void** state)
{
    double at[3];
    run(STATICS, "b.csv", at, 3);
    check_near(at[0], 0.0, 1e-9, "hangs straight");
    check_near(at[2], -1.2, 1e-9, "m g / k below");
}

static void test_assembly(void** state)
{
    double violation, at[3];
    run(ASSEMBLY, "pin.csv", &violation, 1);
    check_near(violation, 0.0, 1e-11, "the joint holds");
    run(ASSEMBLY, "b.csv", at, 3);
    assert_true(fabs(at[0] - 1.0) < 0.15 && fabs(at[2]) < 0.25); // moved by little
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statics),
                                       cmocka_unit_test(test_assembly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
