// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A stop inside a step leaves the world as it was before the step: it goes on, or is saved and goes
// on elsewhere, with the bits of one that nobody stopped. Shipped scenes, and changes of them, take
// the test through all solvers and integrators that work long; stops fall at the first look, at the
// second, and ever further apart.
#include "base/stop.h"
#include "helper.h"

#include <kairos/scene.h>
#include <pthread.h>
#include <unistd.h>

enum { STEPS = 4 };

typedef struct stop_case {
    const char* scene;
    const char* sets[3]; // NULL: no more
    int skip;            // steps before the first that is stopped
} stop_case;

static kai_scene* open_case(const stop_case* c)
{
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.json", KAIROS_SOURCE_DIR, c->scene);
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.sets = c->sets;
    while (def.set_count < KAI_COUNT(c->sets) && c->sets[def.set_count]) def.set_count++;
    def.world.threads = 2;
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) print_error("%s\n", err.message);
    assert_non_null(kai_scene_world(scene));
    return scene;
}

static kai_result step(kai_scene* scene, kai_world* world)
{
    const kai_scene_settings* s = kai_scene_get_settings(scene);
    return s->analysis == KAI_SCENE_QUASI_STATICS ? kai_world_step_statics(world, s->step)
                                                  : kai_world_step(world, s->step);
}

/// Saves the world and lets what is read from the file take its steps up to `last`: their hash.
static uint64_t hash_elsewhere(kai_scene* scene, kai_world* world, uint64_t last)
{
    char path[64];
    snprintf(path, sizeof path, "stop-test-%d.h5", (int)getpid());
    check_ok(kai_world_save(world, path));
    kai_world_def def = kai_world_def_default();
    def.threads = 1;
    kai_world* other = NULL;
    check_ok(kai_world_load(&def, path, &other, NULL));
    while (kai_world_steps(other) < last) check_ok(step(scene, other));
    const uint64_t hash = kai_world_hash(other);
    kai_world_destroy(other);
    unlink(path);
    return hash;
}

/// One step that is stopped at every other look and taken again until it ends. Returns the stops.
static int stop_often(kai_scene* scene, const stop_case* c, uint64_t last, uint64_t wanted)
{
    kai_world* world = kai_scene_world(scene);
    const uint64_t steps = kai_world_steps(world), before = kai_world_hash(world);
    int stops = 0;
    for (uint64_t looks = 1;; looks += 1 + looks) {
        kai_stop_after(looks);
        const kai_result r = step(scene, world);
        kai_stop_after(0);
        if (r == KAI_OK) return stops;
        check_error(r, KAI_ERROR_STOPPED);
        assert_true(kai_world_steps(world) == steps && kai_world_hash(world) == before);
        if (stops++ % 4 == 0 && hash_elsewhere(scene, world, last) != wanted)
            fail_msg("%s: saved at step %d after look %d, it ends elsewhere", c->scene, (int)steps,
                     (int)looks);
    }
}

static void check_case(const stop_case* c)
{
    static const volatile int never = 0;
    uint64_t hash[STEPS];
    int stops = 0;
    kai_scene *whole = open_case(c), *stopped = open_case(c);
    kai_world* world = kai_scene_world(stopped);
    for (int i = 0; i < c->skip; i++) {
        check_ok(step(whole, kai_scene_world(whole)));
        check_ok(step(stopped, world));
    }
    for (int i = 0; i < STEPS; i++) {
        check_ok(step(whole, kai_scene_world(whole)));
        hash[i] = kai_world_hash(kai_scene_world(whole));
    }
    kai_world_set_stop(world, &never);
    const uint64_t last = kai_world_steps(kai_scene_world(whole));
    for (int i = 0; i < STEPS; i++) {
        stops += stop_often(stopped, c, last, hash[STEPS - 1]);
        if (kai_world_hash(world) != hash[i]) fail_msg("%s: step %d differs", c->scene, i);
    }
    if (stops < STEPS) fail_msg("%s: only %d stops", c->scene, stops);
    kai_scene_close(whole);
    kai_scene_close(stopped);
}

static void test_cones(void** state)
{
    static const stop_case cases[] = {
        {.scene = "box-stack", .sets = {"/solver/type=psor"}, .skip = 60},
        {.scene = "box-stack", .sets = {"/solver/type=apgd"}, .skip = 60},
        {.scene = "box-stack", .sets = {"/solver/type=bb"}, .skip = 60},
        {.scene = "box-stack", .sets = {"/solver/type=admm"}, .skip = 60},
        {.scene = "arch", .sets = {"/solver/type=psor"}, .skip = 5},
        {.scene = "arch", .sets = {"/solver={\"type\":\"newton\",\"tolerance\":1e-15}"}, .skip = 5},
        {.scene = "newtons-cradle", .skip = 0},
        {.scene = "ball-pool", .skip = 60},
    };
    for (size_t i = 0; i < KAI_COUNT(cases); i++) check_case(&cases[i]);
}

static void test_joints(void** state)
{
    static const stop_case cases[] = {
        {.scene = "double-pendulum", .skip = 0},
        {.scene = "steered-arm", .skip = 7},
        {.scene = "excavator-arm", .skip = 4},
        {.scene = "bricard", .skip = 2},
        {.scene = "bricard", .sets = {"/solver={\"type\": \"minres\"}"}, .skip = 0},
        {.scene = "walker", .skip = 3},
    };
    for (size_t i = 0; i < KAI_COUNT(cases); i++) check_case(&cases[i]);
}

static void test_elements(void** state)
{
    static const stop_case cases[] = {
        {.scene = "flexible-slider-crank", .skip = 0},
        {.scene = "flexible-slider-crank", .skip = 5},
        {.scene = "belt", .skip = 2},
        {.scene = "cloth-on-ball", .skip = 3},
        {.scene = "ball-in-net", .skip = 3},
        {.scene = "roll-up", .skip = 1},
    };
    for (size_t i = 0; i < KAI_COUNT(cases); i++) check_case(&cases[i]);
}

// Searches that come before a run.
static void test_searches(void** state)
{
    static const volatile int never = 0, now = 1;
    const stop_case c = {.scene = "roll-up"}, joints = {.scene = "four-bar"};
    kai_scene *scene = open_case(&c), *other = open_case(&c), *bars = open_case(&joints);
    kai_world* world = kai_scene_world(scene);
    const uint64_t before = kai_world_hash(world);
    kai_world_set_stop(world, &never);
    kai_stop_after(2);
    check_error(kai_world_statics(world), KAI_ERROR_STOPPED);
    kai_stop_after(0);
    assert_true(kai_world_hash(world) == before);
    check_ok(kai_world_statics(world));
    check_ok(kai_world_statics(kai_scene_world(other)));
    assert_true(kai_world_hash(world) == kai_world_hash(kai_scene_world(other)));

    world = kai_scene_world(bars);
    kai_world_set_stop(world, &now);
    check_error(kai_world_assemble(world), KAI_ERROR_STOPPED);
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_STOPPED);
    kai_world_set_stop(world, NULL);
    check_ok(kai_world_assemble(world));
    check_ok(kai_world_step(world, 1e-3));
    kai_scene_close(scene);
    kai_scene_close(other);
    kai_scene_close(bars);
}

static volatile int flag;

static void* ask(void* nothing)
{
    usleep(20000);
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return nothing;
}

// A step that would take minutes ends soon after another thread asks for it.
static void test_thread(void** state)
{
    const stop_case c = {.scene = "box-stack",
                         .sets = {"/solver/iterations=1000000", "/solver/tolerance=0"},
                         .skip = 0};
    kai_scene* scene = open_case(&c);
    kai_world* world = kai_scene_world(scene);
    pthread_t thread;
    kai_world_set_stop(world, &flag);
    assert_int_equal(pthread_create(&thread, NULL, ask, NULL), 0);
    kai_result r = KAI_OK;
    for (int i = 0; i < 1000000 && r == KAI_OK; i++) r = step(scene, world);
    pthread_join(thread, NULL);
    check_error(r, KAI_ERROR_STOPPED);
    kai_scene_close(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cones),    cmocka_unit_test(test_joints),
        cmocka_unit_test(test_elements), cmocka_unit_test(test_searches),
        cmocka_unit_test(test_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
