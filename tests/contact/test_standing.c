// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What stands, stands: structures of the contact benchmarks at steps of 5 ms, with the solver that a
// scene gets by itself.
//
// ctest-labels: validate
#include "scene/scene_helper.h"

#include <kairos/solver.h>

enum { BODIES = 300 };

/// Steps a scene of bench/problems; returns how far any of its bodies got at most.
static double stand(const char* name, const char* ratio, double h, int steps)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/bench/problems/%s.json", KAIROS_SOURCE_DIR, name);
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.world.threads = 1;
    def.sets = &ratio;
    def.set_count = ratio != NULL;
    kai_scene* scene = NULL;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) != KAI_OK) fail_msg("%s", err.message);
    kai_world* world = kai_scene_world(scene);
    const size_t count = kai_body_count(world);
    kai_vec3 start[BODIES];
    assert_true(count <= BODIES);
    for (size_t i = 0; i < count; i++) start[i] = kai_body_position(world, kai_body_at(world, i));
    for (int k = 0; k < steps; k++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most,
                    kai_vec3_distance(start[i], kai_body_position(world, kai_body_at(world, i))));
    assert_string_equal(kai_solver_measured(world).name, "newton");
    kai_scene_close(scene);
    return most;
}

// 60 s under `make validate`; by default two.
static void structures_stand(void** state)
{
    (void)state;
    const int steps = getenv("KAIROS_VALIDATE") ? 12000 : 400;
    check_near(stand("heavy", "ratio=1000", 5e-3, steps), 0.0, 1e-6, "ten boxes, 1:1,000 on top");
    check_near(stand("heavy", "ratio=10000", 5e-3, steps), 0.0, 1e-6, "ten boxes, 1:10,000 on top");
    check_near(stand("cards", NULL, 5e-3, steps / 4), 0.0, 1e-6, "a card tower of six levels");
    check_near(stand("wall", NULL, 5e-3, steps / 20), 0.0, 1e-6, "a wall of 200 bricks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(structures_stand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
