// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A run that chooses its own step and writes all contacts: the step is the longest safe one that
// divides the run, and the forces of a ball at rest carry its weight.
#include "helper.h"

#include <kairos/contact.h>
#include <kairos/run.h>
#include <unistd.h>

static const char SCENE[] =
    "{\"kairos\": 1, \"name\": \"rest\", \"step\": \"auto\", \"end\": 0.4, \"contact\": \"smc\","
    "\"materials\": {\"rubber\": {\"young\": 1e6, \"restitution\": 0.2}},"
    "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"type\": \"plane\", "
    "\"material\": \"rubber\"}]}, {\"name\": \"ball\", \"mass\": 2, \"position\": [0, 0, 0.1],"
    "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, \"material\": \"rubber\"}]}],"
    "\"trajectory\": {\"enabled\": false}, \"view\": {\"enabled\": false},"
    "\"outputs\": [{\"contacts\": true, \"every\": 0.4, \"file\": \"chains.csv\"}]}";

static kai_scene* open_scene(const char* text)
{
    kai_scene_def def = kai_scene_def_default();
    def.path = "rest.json";
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    return scene;
}

static void test_step(void** state)
{
    (void)state;
    kai_scene* scene = open_scene(SCENE);
    kai_world* world = kai_scene_world(scene);
    double most;
    char text[256];
    check_ok(kai_contact_stable_step(world, &most, text, sizeof text));
    assert_string_equal(text, "body 'ball' against one like it of material 'rubber'");
    const double step = kai_scene_get_settings(scene)->step, steps = 0.4 / step;
    assert_true(step <= most && step > 0.5 * most);
    check_near(steps, round(steps), 1e-9, "whole steps");
    kai_contact_def contact = kai_contact_get(world);
    contact.method = KAI_CONTACT_NSC;
    check_ok(kai_contact_set(world, &contact));
    check_ok(kai_contact_stable_step(world, &most, text, sizeof text));
    assert_true(most == HUGE_VAL && text[0] == 0);
    kai_scene_close(scene);
}

/// The number in a column of the first row, by the column's name.
static double column(const char* header, const char* row, const char* name)
{
    for (;;) {
        const size_t n = strcspn(header, ",\n");
        if (n == strlen(name) && strncmp(header, name, n) == 0) return atof(row);
        if (header[n] != ',') fail_msg("no column %s", name);
        header += n + 1;
        row += strcspn(row, ",\n") + 1;
    }
}

static void test_chains(void** state)
{
    (void)state;
    char folder[64], path[128], header[512], row[1024], more[16];
    snprintf(folder, sizeof folder, "contacts-test-%d", (int)getpid());
    kai_scene* scene = open_scene(SCENE);
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder;
    kai_error err = {0};
    char* json = NULL;
    if (kai_run_execute(&def, &json, &err) != KAI_OK) fail_msg("%s", err.message);
    free(json);
    snprintf(path, sizeof path, "%s/chains-000001.csv", folder);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    assert_non_null(fgets(row, sizeof row, file));
    assert_null(fgets(more, sizeof more, file)); // one contact
    fclose(file);
    assert_string_equal(header, "a,b,ax,ay,az,bx,by,bz,nx,ny,nz,gap,fx,fy,fz\n");
    const double up = column(header, row, "nz"), force = column(header, row, "fz");
    assert_true(column(header, row, "gap") < 0.0);
    check_near(fabs(up), 1.0, 1e-12, "along z");
    // It has come to rest: damped by restitution 0.2, some ten periods of 40 ms.
    check_near(up * force, 2.0 * 9.81, 1e-3, "weight");
    const char* const files[] = {"chains-000000.csv", "chains-000001.csv", "run.json",
                                 "checkpoint.h5"};
    for (size_t i = 0; i < KAI_COUNT(files); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_step), cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
