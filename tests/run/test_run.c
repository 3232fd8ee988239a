// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kai_run_execute from a program: progress, stop, resume, and what it refuses. Real processes are
// in tests/process.
#include "helper.h"

#include <jansson.h>
#include <kairos/run.h>
#include <unistd.h>

static const char SCENE[] =
    "{\"kairos\": 1, \"name\": \"run\", \"step\": 0.001, \"end\": 0.5,"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 2, 3], \"angular_velocity\": [1, 2, 3]}],"
    " \"outputs\": [{\"body\": \"a\", \"every\": 0.01, \"quantities\": [\"position\", \"rotation\"], \"file\": \"a.csv\"}]}";

static kai_scene* open_scene(const char* text)
{
    kai_scene_def def = kai_scene_def_default();
    def.path = "run.json";
    def.text = text;
    def.text_size = strlen(text);
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) print_error("%s\n", err.message);
    assert_non_null(kai_scene_world(scene));
    return scene;
}

typedef struct watch {
    int calls;
    double stop_at; // s; the flag is set when progress gets there
    volatile int stop;
} watch;

static void on_progress(void* context, const kai_run_progress* p)
{
    watch* w = context;
    w->calls++;
    assert_true(p->time >= 0.0 && p->time <= p->end + 1e-9 && p->bodies == 1 &&
                p->seconds_left >= 0.0);
    if (p->time >= w->stop_at) w->stop = 1;
}

static char* folder_of(char out[64], const char* name)
{
    snprintf(out, 64, "run-test-%d-%s", (int)getpid(), name);
    return out;
}

static void remove_folder(const char* folder)
{
    static const char* const names[] = {"a.csv", "run.json", "trajectory.h5", "checkpoint.h5",
                                        "index.html"};
    for (size_t i = 0; i < KAI_COUNT(names); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); // nothing else was left
}

static void test_to_the_end(void** state)
{
    char folder[64], *json = NULL;
    kai_scene* scene = open_scene(SCENE);
    watch w = {.stop_at = 1e9};
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder_of(folder, "end");
    def.progress = on_progress;
    def.context = &w;
    def.load_seconds = 0.25;
    check_ok(kai_run_execute(&def, &json, NULL));
    assert_true(w.calls >= 1);
    check_near(kai_world_time(kai_scene_world(scene)), 0.5, 1e-15, "500 steps of 1 ms");
    json_t* root = json_loads(json, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(root, "steps")), 500);
    assert_string_equal(json_string_value(json_object_get(root, "result")), "done");
    assert_true(json_real_value(json_object_get(root, "load_seconds")) == 0.25);
    json_decref(root);
    free(json);
    kai_scene_close(scene);
    remove_folder(folder);
}

static void test_stop_and_resume(void** state)
{
    char folder[64];
    kai_scene *whole = open_scene(SCENE), *part = open_scene(SCENE);
    kai_run_def def = kai_run_def_default();
    def.scene = whole;
    def.directory = folder_of(folder, "stop");
    check_ok(kai_run_execute(&def, NULL, NULL));

    // Stopped before its first step, then somewhere, then to the end.
    watch w = {.stop_at = 1e9, .stop = 1};
    kai_error err;
    def.scene = part;
    def.stop = &w.stop;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_STOPPED);
    assert_int_equal(kai_world_steps(kai_scene_world(part)), 0);
    w.stop = 0;
    def.resume = true;
    def.end = 0.123;
    check_ok(kai_run_execute(&def, NULL, NULL));
    kai_scene_close(part);
    def.scene = part = open_scene(SCENE);
    def.end = -1.0;
    check_ok(kai_run_execute(&def, NULL, NULL));
    assert_true(kai_world_hash(kai_scene_world(whole)) == kai_world_hash(kai_scene_world(part)));
    kai_scene_close(whole);
    kai_scene_close(part);
    remove_folder(folder);
}

typedef struct second {
    const char* folder;
    kai_result result;
    char message[KAI_ERROR_SIZE];
    bool tried;
    size_t contacts;
} second;

// Starts a second run in the folder of the first.
static void run_again(void* context, const kai_run_progress* p)
{
    second* s = context;
    if (p->contacts > s->contacts) s->contacts = p->contacts;
    if (s->tried) return;
    s->tried = true;
    kai_scene* scene = open_scene(SCENE);
    kai_run_def def = kai_run_def_default();
    kai_error err = {0};
    def.scene = scene;
    def.directory = s->folder;
    def.resume = true;
    s->result = kai_run_execute(&def, NULL, &err);
    memcpy(s->message, err.message, sizeof s->message);
    kai_scene_close(scene);
}

static void test_two_runs_in_a_folder(void** state)
{
    char folder[64], process[32];
    kai_scene* scene = open_scene(SCENE);
    second s = {.folder = folder_of(folder, "two")};
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder;
    def.progress = run_again;
    def.context = &s;
    check_ok(kai_run_execute(&def, NULL, NULL));
    assert_true(s.tried);
    check_error(s.result, KAI_ERROR_ARGUMENT);
    snprintf(process, sizeof process, "(process %d)", (int)getpid());
    assert_non_null(strstr(s.message, process));
    s.tried = false; // once the first has ended the folder is free
    def.progress = NULL;
    run_again(&s, &(kai_run_progress){0});
    check_ok(s.result);
    kai_scene_close(scene);
    remove_folder(folder);
}

static void test_contacts_are_told(void** state)
{
    static const char text[] =
        "{\"kairos\": 1, \"name\": \"run\", \"step\": 0.001, \"end\": 0.05, \"contact\": \"nsc\","
        " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"type\": \"plane\", \"normal\": [0, 0, 1]}]},"
        " {\"name\": \"a\", \"density\": 1000, \"position\": [0, 0, 0.05], \"shapes\": [{\"type\": \"box\", \"size\": [0.1, 0.1, 0.1]}]}]}";
    char folder[64];
    kai_scene* scene = open_scene(text);
    second s = {.folder = folder_of(folder, "contacts"), .tried = true};
    kai_run_def def = kai_run_def_default();
    def.scene = scene;
    def.directory = folder;
    def.progress = run_again;
    def.context = &s;
    check_ok(kai_run_execute(&def, NULL, NULL));
    assert_int_equal(s.contacts, 4);
    kai_scene_close(scene);
    remove_folder(folder);
}

static void test_refusals(void** state)
{
    kai_scene* scene = open_scene(SCENE);
    kai_error err;
    kai_run_def def = kai_run_def_default();
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    def.scene = scene;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    def.directory = "run-test-never";
    def.step = (double)NAN;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    def.step = 0.0;
    def.end = HUGE_VAL;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    def.end = 1e300;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_LIMIT);
    def.end = -1.0;
    def.checkpoint_every = -1.0;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    def.cookie = 0;
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_run_execute(NULL, NULL, &err), KAI_ERROR_ARGUMENT);
    assert_int_not_equal(access("run-test-never", F_OK), 0);

    // A file stands where the folder should be.
    def = kai_run_def_default();
    def.scene = scene;
    FILE* file = fopen("run-test-file", "w");
    fclose(file);
    def.directory = "run-test-file/below";
    check_error(kai_run_execute(&def, NULL, &err), KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, "run-test-file"));
    unlink("run-test-file");
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_to_the_end), cmocka_unit_test(test_stop_and_resume),
        cmocka_unit_test(test_two_runs_in_a_folder), cmocka_unit_test(test_contacts_are_told),
        cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
