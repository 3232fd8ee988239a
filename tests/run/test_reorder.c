// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Runs of many bodies that may touch begin by putting them in the order of space: files keep the
// order of ids, and a run that is resumed ends in the same bits.
#include "helper.h"

#include "model/world.h"
#include "record/trajectory/trajectory_read.h"

#include <jansson.h>
#include <kairos/particles.h>
#include <kairos/run.h>
#include <unistd.h>

enum { COUNT = 5200 };

static const char* const FILES[] = {"index.html", "run.json", "trajectory.h5", "checkpoint.h5"};
static const char SCENE[] = "{\"kairos\": 1, \"name\": \"cloud\", \"step\": 0.001, \"end\": 0.02, "
                            "\"collision\": {\"detect\": true}}";

/// A scene to which a program adds a cloud of balls in random order.
static kai_scene* open_scene(void)
{
    static double x[6][COUNT];
    kai_scene_def def = kai_scene_def_default();
    def.path = "cloud.json";
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    for (uint64_t i = 0; i < 6 * COUNT; i++) x[i % 6][i / 6] = helper_random(i);
    const kai_shape_sphere_params ball = {.radius = 0.05};
    kai_particles_def cloud = kai_particles_def_default();
    cloud.shape = &kai_shape_sphere;
    cloud.shape_params = &ball;
    cloud.density = 1000.0;
    cloud.table = (kai_particle_table){
        .count = COUNT, .x = x[0], .y = x[1], .z = x[2], .vx = x[3], .vy = x[4], .vz = x[5]};
    kai_particles group;
    check_ok(kai_particles_create(kai_scene_world(scene), &cloud, &group));
    return scene;
}

static const char* path_of(char out[128], const char* folder, const char* file)
{
    snprintf(out, 128, "reorder-test-%d-%s%s%s", (int)getpid(), folder, file[0] ? "/" : "", file);
    return out;
}

/// Runs to a time; `hash` is what run.json says of the state.
static void run(const char* folder, double end, bool resume, char hash[32])
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
    snprintf(hash, 32, "%s", json_string_value(json_object_get(root, "state_hash")));
    json_decref(root);
    free(json);
    // Some slots differ from the order of creation.
    const kai_bodies* bodies = &kai_scene_world(scene)->bodies;
    size_t moved = 0;
    for (size_t i = 0; i < bodies->count; i++) moved += bodies->owner[i] != i + 1;
    assert_true(moved > COUNT / 2);
    kai_scene_close(scene);
}

static void test_resumed(void** state)
{
    (void)state;
    char whole[32], part[32], path[128];
    run("a", 0.02, false, whole);
    run("b", 0.01, false, part);
    run("b", 0.02, true, part);
    assert_string_equal(part, whole);
    kai_trajectory_read* reader = NULL;
    check_ok(
        kai_trajectory_read_open(&reader, path_of(path, "b", "trajectory.h5"), UINT64_MAX, NULL));
    kai_trajectory_frame frame;
    check_ok(kai_trajectory_read_frame(reader, 0, &frame, NULL));
    assert_int_equal(frame.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(frame.id[i], i + 1);
        // Positions are kept in single precision.
        check_near(frame.position[3 * i], helper_random(6 * (uint64_t)i), 1e-7, "as created");
    }
    kai_trajectory_read_close(reader);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < KAI_COUNT(FILES); i++)
            unlink(path_of(path, k ? "b" : "a", FILES[i]));
        assert_int_equal(rmdir(path_of(path, k ? "b" : "a", "")), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
