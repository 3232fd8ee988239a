// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Structures that stand under the complementarity method; for 60 s under `make validate`.
// ctest-labels: validate
// ctest-timeout: 900
#include "contact/stage.h"

static double duration(void) { return stage_full() ? 60.0 : 1.0; }

/// How far bodies have moved from where they were put, and the deepest overlap so far.
typedef struct watch {
    kai_vec3 start[64];
    double moved, depth;
} watch;

static void look(watch* w, kai_world* world, bool first)
{
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const kai_vec3 at = kai_body_position(world, kai_body_at(world, i));
        if (first) w->start[i] = at;
        w->moved = fmax(w->moved, kai_vec3_distance(at, w->start[i]));
    }
    w->depth = fmax(w->depth, stage_depth(world));
}

/// Runs for the whole duration; checks that nothing of a structure of size `size` moves by more
/// than a hundredth of it and that contacts overlap by less than a thousandth. Both come from what
/// the solver leaves open in its iterations: an exact solution moves nothing.
static void stands(kai_world* world, kai_body ground, double size, double weight, double h)
{
    watch w = {0};
    look(&w, world, true);
    double push = 0.0;
    int counted = 0;
    const int steps = (int)lround(duration() / h);
    for (int i = 0; i < steps; i++) {
        stage_steps(world, 1, h);
        look(&w, world, false);
        if (i < steps / 2) continue;
        push -= stage_force(world, ground).z;
        counted++;
    }
    check_near(w.moved, 0.0, 0.01 * size, "stands where it was put");
    check_near(w.depth, 0.0, 1e-3 * size, "does not sink in");
    // Momentum gained in the second half is the difference: none.
    check_relative(push / counted, weight, 1e-3, "the ground carries the weight");
}

// 20 boxes, one upon the other, with the 100 iterations that a run takes by default. psor, which
// carries news of a load from box to box, needs short steps; gradients are ahead of it here, though
// bb at 5 ms stops so far from a solution that the stack sways by 6 mm in a second. `auto` takes
// apgd for scenes that are small: what nobody has chosen must stand.
static void test_stack_of_boxes(void** state)
{
    enum { BOXES = 20 };
    const struct {
        kai_solver_type solver;
        double h;
    } cases[] = {{KAI_SOLVER_PSOR, 1e-3},
                 {KAI_SOLVER_BB, 2e-3},
                 {KAI_SOLVER_APGD, 5e-3},
                 {KAI_SOLVER_ADMM, 5e-3},
                 {KAI_SOLVER_AUTO, 5e-3}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const kai_material_def surface = stage_rough(0.5);
        kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
        stage_solver(world, cases[k].solver, 100, 1e-10);
        const kai_material material = stage_material(world, &surface);
        const double size = 0.1;
        const kai_body ground = stage_floor(world, material);
        for (int i = 0; i < BOXES; i++)
            stage_box(world, kai_vec3_make(size, size, size), 1.0,
                      kai_vec3_make(0.0, 0.0, size * (i + 0.5)), kai_quat_identity(), material);
        stands(world, ground, size, BOXES * STAGE_G, cases[k].h);
        kai_world_destroy(world);
    }
}

// 1,000 kg on 1 kg, twice: the light box at the bottom carries 2,001 times its weight. That is what
// admm is for.
static void test_masses(void** state)
{
    const kai_material_def surface = stage_rough(0.5);
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    stage_solver(world, KAI_SOLVER_ADMM, 200, 1e-10);
    const kai_material material = stage_material(world, &surface);
    const double size = 0.1, masses[] = {1.0, 1000.0, 1.0, 1000.0};
    const kai_body ground = stage_floor(world, material);
    for (int i = 0; i < 4; i++)
        stage_box(world, kai_vec3_make(size, size, size), masses[i],
                  kai_vec3_make(0.0, 0.0, size * (i + 0.5)), kai_quat_identity(), material);
    stands(world, ground, size, 2002.0 * STAGE_G, 5e-3);
    kai_world_destroy(world);
}

// A wedge of an arch between two angles from the horizontal, 0.2 m deep, as a hull.
static kai_body voussoir(kai_world* world, double from, double to, kai_material material)
{
    const double inner = 0.8, outer = 1.0, middle = 0.5 * (from + to), half = 0.5 * (to - from);
    // In the body's own frame: x outward, z along the arch.
    double points[24];
    for (int i = 0; i < 8; i++) {
        const double r = i & 1 ? outer : inner, angle = i & 2 ? half : -half;
        points[3 * i] = r * cos(angle) - 0.9;
        points[3 * i + 1] = i & 4 ? 0.1 : -0.1;
        points[3 * i + 2] = r * sin(angle);
    }
    kai_shape_hull_params hull;
    kai_kind_defaults(&kai_shape_hull.kind, &hull);
    hull.points = (kai_table){points, 8, 3};
    kai_body_def def = kai_body_def_default();
    def.position = kai_vec3_make(0.9 * cos(middle), 0.0, 0.9 * sin(middle));
    def.rotation = kai_quat_from_axis_angle(kai_vec3_axis(1), -middle);
    const kai_body body = stage_body(world, &def);
    stage_shape(world, body, &kai_shape_hull, &hull, kai_vec3_zero(), material);
    check_ok(kai_body_set_density(world, body, 2000.0));
    return body;
}

// A half circle of ten courses, thickness 0.2 of the mean radius 0.9: more than the 0.107 that it
// needs to stand (Heyman 1977, Milankovitch 1907), with μ above the 0.4 that keeps courses from
// sliding. It stands on its two lowest faces.
static void test_arch(void** state)
{
    enum { COURSES = 10 };
    const kai_material_def surface = stage_rough(0.8);
    kai_world* world = stage_world(KAI_CONTACT_NSC, 1);
    stage_solver(world, KAI_SOLVER_APGD, 100, 1e-10);
    const kai_material material = stage_material(world, &surface);
    const kai_body ground = stage_floor(world, material);
    double weight = 0.0;
    for (int i = 0; i < COURSES; i++) {
        const kai_body body =
            voussoir(world, KAI_PI * i / COURSES, KAI_PI * (i + 1) / COURSES, material);
        kai_mass_properties mass;
        check_ok(kai_body_mass(world, body, &mass));
        weight += mass.mass * STAGE_G;
    }
    stands(world, ground, 0.2, weight, 5e-3);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_of_boxes),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_arch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
