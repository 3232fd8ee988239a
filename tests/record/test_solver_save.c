// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The choice of a solver and its tally in checkpoints: a run that goes on has the same bits.
#include "record/worlds.h"

static kai_world* empty(void)
{
    kai_world* world = NULL;
    kai_world_def def = kai_world_def_default();
    def.threads = 1;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

/// Two rods on revolutes whose far end is held as well: redundant rows.
static kai_world* make_loop(kai_solver_type type)
{
    kai_world* world = empty();
    kai_solver_def solver = kai_solver_def_default();
    solver.type = type;
    solver.iterations = 321;
    solver.tolerance = 1e-11;
    check_ok(kai_solver_set(world, &solver));
    kai_body_def def = kai_body_def_default();
    kai_body bodies[4];
    for (int i = 0; i < 4; i++) {
        def.fixed = i == 0;
        def.mass = 1.0;
        def.inertia = (kai_inertia){0.1, 0.1, 0.1, 0.0, 0.0, 0.0};
        def.position = kai_vec3_make(0.5 + i, 0.0, i == 2 ? 1.0 : 0.5);
        check_ok(kai_body_create(world, &def, &bodies[i]));
    }
    const kai_vec3 at[] = {{1.0, 0.0, 0.0}, {2.0, 0.0, 1.0}, {3.0, 0.0, 1.0}, {4.0, 0.0, 0.0}};
    for (int i = 0; i < 4; i++) {
        kai_joint_base base;
        kai_joint joint;
        kai_kind_defaults(&kai_joint_revolute.kind, &base);
        base.bodies[0] = bodies[i];
        base.bodies[1] = bodies[(i + 1) % 4];
        base.at = at[i];
        base.axis = kai_vec3_make(0.0, 1.0, 0.0);
        check_ok(kai_joint_create(world, &kai_joint_revolute, &base, "", &joint));
    }
    return world;
}

static void a_run_that_goes_on_has_the_same_bits(void** state)
{
    (void)state;
    static const kai_integrator_kind* const kinds[] = {&kai_integrator_euler, &kai_integrator_hht};
    char path[64];
    snprintf(path, sizeof path, "/tmp/kairos-solver-%d.h5", (int)getpid());
    for (int type = KAI_SOLVER_AUTO; type <= KAI_SOLVER_BICGSTAB; type++) {
        for (size_t k = 0; k < KAI_COUNT(kinds); k++) {
            kai_world* world = make_loop((kai_solver_type)type);
            check_ok(kai_integrator_set(world, kinds[k], NULL));
            check_ok(kai_world_step_until(world, 0.02, 1e-3));
            check_ok(kai_world_save(world, path));
            kai_world* again = NULL;
            kai_world_def def = kai_world_def_default();
            check_ok(kai_world_load(&def, path, &again, NULL));
            assert_int_equal(kai_solver_get(again).type, type);
            assert_int_equal(kai_solver_get(again).iterations, 321);
            assert_true(kai_solver_get(again).tolerance == 1e-11);
            check_ok(kai_world_step_until(world, 0.04, 1e-3));
            check_ok(kai_world_step_until(again, 0.04, 1e-3));
            assert_true(kai_world_hash(world) == kai_world_hash(again));
            const kai_solver_figures a = kai_solver_measured(world), b = kai_solver_measured(again);
            assert_string_equal(a.name, b.name);
            assert_true(a.iterations_mean == b.iterations_mean);
            assert_true(a.residual_mean == b.residual_mean && a.residual_max == b.residual_max);
            kai_world_destroy(world);
            kai_world_destroy(again);
        }
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_that_goes_on_has_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
