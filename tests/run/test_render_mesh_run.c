// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A run whose world has deforming meshes: a sheet with a wave and a cable above it, known at every
// time. meshes.h5 has a frame for each of trajectory.h5, also after a stop, and there is a page.
// With KAIROS_TEST_KEEP the folder stays there for tests/process/test_page_meshes.py.
#include "helper.h"

#include "model/render_mesh.h"
#include "record/trajectory/render_mesh_read.h"
#include "record/trajectory/trajectory_read.h"

#include <kairos/run.h>
#include <kairos/scene.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACROSS = 12, ALONG = 20, SHEET = ACROSS * ALONG, CABLE = 30 };

static const char SCENE[] =
    "{\"kairos\": 1, \"name\": \"wave\", \"step\": 0.001, \"end\": 0.5, \"trajectory\": {\"every\": 0.033},"
    " \"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 1],"
    "               \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}]}";

typedef struct wave {
    uint32_t triangles[6 * (ACROSS - 1) * (ALONG - 1)], lines[2 * (CABLE - 1)];
} wave;

static wave make_wave(void)
{
    wave w;
    size_t n = 0;
    for (uint32_t j = 0; j + 1 < ALONG; j++)
        for (uint32_t i = 0; i + 1 < ACROSS; i++) {
            const uint32_t a = j * ACROSS + i, b = a + 1, c = b + ACROSS, d = a + ACROSS;
            const uint32_t corners[6] = {a, b, c, a, c, d};
            memcpy(w.triangles + n, corners, sizeof corners);
            n += 6;
        }
    for (uint32_t i = 0; i + 1 < CABLE; i++) {
        w.lines[2 * i] = i;
        w.lines[2 * i + 1] = i + 1;
    }
    return w;
}

static void describe(const void* context, size_t i, kai_render_mesh* out)
{
    static const kai_render_mesh_field fields[] = {{"slope", ""}, {"tension", "N"}};
    const wave* w = context;
    if (i == 0)
        *out = (kai_render_mesh){.name = "sheet",
                                 .vertex_count = SHEET,
                                 .triangles = w->triangles,
                                 .triangle_count = KAI_COUNT(w->triangles) / 3,
                                 .fields = fields,
                                 .field_count = 1};
    else
        *out = (kai_render_mesh){.name = "cable",
                                 .vertex_count = CABLE,
                                 .lines = w->lines,
                                 .line_count = CABLE - 1,
                                 .fields = fields,
                                 .field_count = 2};
}

static double phase(double x, double time) { return 2.0 * KAI_PI * (x - time); }

// Vertex v of mesh i.
static kai_vec3 place(size_t i, size_t v, double time)
{
    const double x = i == 0 ? (double)(v / ACROSS) / (ALONG - 1) : (double)v / (CABLE - 1);
    const double y = i == 0 ? 0.5 * (double)(v % ACROSS) / (ACROSS - 1) : 0.25;
    return kai_vec3_make(x, y, (i == 0 ? 0.0 : 0.4) + 0.1 * sin(phase(x, time)));
}

static double slope(size_t i, size_t v, double time)
{
    return 0.2 * KAI_PI * cos(phase(place(i, v, time).x, time));
}

static void gather(const void* context, kai_world* world, size_t i, double* position,
                   double* const* fields)
{
    (void)context;
    const double time = kai_world_time(world);
    for (size_t v = 0; v < (i == 0 ? SHEET : CABLE); v++) {
        const kai_vec3 x = place(i, v, time);
        memcpy(position + 3 * v, &x, 3 * sizeof *position);
        fields[0][v] = slope(i, v, time);
        if (i == 1) fields[1][v] = 10.0 + (double)v;
    }
}

static kai_scene* open_scene(const wave* w)
{
    kai_scene_def def = kai_scene_def_default();
    def.path = "wave.json";
    def.text = SCENE;
    def.text_size = strlen(SCENE);
    kai_scene* scene = NULL;
    check_ok(kai_scene_open(&def, &scene, NULL));
    check_ok(kai_render_mesh_add(kai_scene_world(scene),
                                 &(kai_render_mesh_source){w, 2, describe, gather}, NULL));
    return scene;
}

static char* path_in(char out[512], const char* folder, const char* name)
{
    snprintf(out, 512, "%s/%s", folder, name);
    return out;
}

static void check_file(const char* folder)
{
    char path[512];
    kai_render_mesh_read* render_meshes = NULL;
    kai_trajectory_read* bodies = NULL;
    static double x[3 * (SHEET + CABLE)], s[SHEET + CABLE];
    check_ok(kai_render_mesh_read_open(&render_meshes, path_in(path, folder, "meshes.h5"),
                                       SHEET + CABLE, NULL));
    check_ok(kai_trajectory_read_open(&bodies, path_in(path, folder, "trajectory.h5"), 1000, NULL));
    const size_t frames = kai_render_mesh_read_frames(render_meshes);
    assert_int_equal(frames, kai_trajectory_read_frames(bodies));
    assert_int_equal(frames, 17); // 0, 33 ms … 495 ms, and the end
    for (size_t k = 0; k < frames; k++) {
        const double time = kai_render_mesh_read_times(render_meshes)[k];
        assert_true(time == kai_trajectory_read_times(bodies)[k]);
        check_ok(kai_render_mesh_read_positions(render_meshes, k, x, NULL));
        check_ok(kai_render_mesh_read_field(render_meshes, k, "slope", 0, SHEET + CABLE, s, NULL));
        for (size_t v = 0; v < SHEET + CABLE; v++) {
            const size_t i = v >= SHEET, at = v - i * SHEET;
            const kai_vec3 wanted = place(i, at, time);
            // Single precision of numbers up to 1.
            check_vec3(kai_vec3_make(x[3 * v], x[3 * v + 1], x[3 * v + 2]), wanted, 0x1p-24,
                       "the wave");
            check_near(s[v], slope(i, at, time), 0x1p-24, "its slope");
        }
    }
    kai_render_mesh_read_close(render_meshes);
    kai_trajectory_read_close(bodies);
    assert_int_equal(access(path_in(path, folder, "index.html"), R_OK), 0);
}

static void remove_folder(const char* folder)
{
    static const char* const names[] = {"run.json", "trajectory.h5", "checkpoint.h5", "meshes.h5",
                                        "index.html"};
    char path[512];
    for (size_t i = 0; i < KAI_COUNT(names); i++) unlink(path_in(path, folder, names[i]));
    assert_int_equal(rmdir(folder), 0); // nothing else was left
}

static bool stop_half(void* context, kai_world* world, double h)
{
    (void)h;
    if (kai_world_time(world) >= 0.2) *(volatile int*)context = 1;
    return true;
}

static void test_run(void** state)
{
    (void)state;
    char folder[256];
    const char* keep = getenv("KAIROS_TEST_KEEP");
    const wave w = make_wave();
    snprintf(folder, sizeof folder, "%s", keep != NULL ? keep : "skins-run");
    if (keep == NULL) snprintf(folder, sizeof folder, "skins-run-%d", (int)getpid());
    kai_scene* scene = open_scene(&w);
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder;
    check_ok(kai_run_execute(&def, NULL, NULL));
    check_file(folder);
    kai_scene_close(scene);
    if (keep == NULL) remove_folder(folder);
}

static void test_resume(void** state)
{
    (void)state;
    char folder[64];
    volatile int stop = 0;
    const wave w = make_wave();
    snprintf(folder, sizeof folder, "skins-resume-%d", (int)getpid());
    kai_scene* scene = open_scene(&w);
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder;
    def.stop = &stop;
    const kai_hooks hooks = {.context = (void*)(uintptr_t)&stop, .before_step = stop_half};
    const kai_hooks* const list[] = {&hooks};
    def.hooks = list;
    def.hook_count = 1;
    check_error(kai_run_execute(&def, NULL, NULL), KAI_ERROR_STOPPED);
    kai_scene_close(scene);
    def.scene = scene = open_scene(&w);
    def.stop = NULL;
    def.hook_count = 0;
    def.resume = true;
    check_ok(kai_run_execute(&def, NULL, NULL));
    check_file(folder);
    kai_scene_close(scene);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_run), cmocka_unit_test(test_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
