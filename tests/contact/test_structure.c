// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Structures that stand under the complementarity method. `make validate` runs them for 60 s.
// ctest-labels: validate
// ctest-timeout: 900
#include "contact/stage.h"

static double duration(void) { return stage_full() ? 60.0 : 2.0; }

// How far bodies have moved from where they were at the start, and the deepest overlap so far.
typedef struct watch {
    kai_vec3 start[128];
    double moved, depth;
} watch;

static void look(watch* w, const kai_world* world, bool first)
{
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const kai_vec3 at = kai_body_position(world, kai_body_at(world, i));
        if (first) w->start[i] = at;
        w->moved = fmax(w->moved, kai_vec3_distance(at, w->start[i]));
    }
    w->depth = fmax(w->depth, stage_depth(world));
}

// 20 boxes of 0.1 m, one upon the other, 100 iterations a step as in any run. They were put down
// touching: what moves them is the solver's residual.
static void test_stack_of_boxes(void** state)
{
    enum { BOXES = 20 };
    const kai_material_def surface = stage_rough(0.5);
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    stage_solver(world, KAI_SOLVER_PSOR, 100, 1e-10);
    const kai_material material = stage_material(world, &surface);
    const double size = 0.1, h = 5e-3;
    kai_body floor = stage_floor(world, material), boxes[BOXES];
    for (int i = 0; i < BOXES; i++)
        boxes[i] =
            stage_box(world, kai_vec3_make(size, size, size), 1.0,
                      kai_vec3_make(0.0, 0.0, size * (i + 0.5)), kai_quat_identity(), material);
    watch w = {0};
    look(&w, world, true);
    for (int i = 0; i < (int)lround(duration() / h); i++) {
        stage_steps(world, 1, h);
        look(&w, world, false);
    }
    printf("moved %g depth %g force %g\n", w.moved, w.depth, stage_force(world, floor).z);
    for (int i = 0; i < BOXES; i++)
        check_near(kai_body_position(world, boxes[i]).z, size * (i + 0.5), 0.01 * size, "stands");
    kai_world_destroy(world);
}

// A box of 1,000 kg on one of 1 kg, and the other way round twice more: 1, 1000, 1, 1000.
static void test_masses(void** state)
{
    const kai_material_def surface = stage_rough(0.5);
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    const kai_material material = stage_material(world, &surface);
    const double size = 0.1, h = 5e-3, masses[] = {1.0, 1000.0, 1.0, 1000.0};
    const kai_body floor = stage_floor(world, material);
    for (int i = 0; i < 4; i++)
        stage_box(world, kai_vec3_make(size, size, size), masses[i],
                  kai_vec3_make(0.0, 0.0, size * (i + 0.5)), kai_quat_identity(), material);
    watch w = {0};
    look(&w, world, true);
    for (int i = 0; i < (int)lround(duration() / h); i++) {
        stage_steps(world, 1, h);
        look(&w, world, false);
    }
    printf("moved %g depth %g force %g\n", w.moved, w.depth, stage_force(world, floor).z);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_of_boxes),
        cmocka_unit_test(test_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
