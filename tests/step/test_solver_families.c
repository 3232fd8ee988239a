// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The linear solver of joints and the cone solver of contacts are chosen each by itself.
#include "../model/fixture.h"

#include "model/solver.h"

#include <kairos/contact.h>
#include <kairos/solver.h>

static kai_body add_ball(fixture* f, double x)
{
    kai_body_def body = body_def("");
    body.position = kai_vec3_make(x, 0.0, 0.0);
    const kai_body made = add_body(f, &body);
    const kai_shape_sphere_params sphere = {.radius = 1.0};
    const kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    check_ok(kai_shape_create(f->world, made, &kai_shape_sphere, &sphere, &def, &shape));
    return made;
}

static void look(void* context, kai_log_level level, const char* message)
{
    int* seen = context;
    *seen += strstr(message, "solver: minres") != NULL;
}

// Two balls at a hinge, the second of which touches a third: one step by the solvers of `def`.
// Returns how often the log named minres, and the name of the solver that came last.
static int step_with(const kai_solver_def* def, const char** name)
{
    fixture f = {0};
    int seen = 0;
    kai_world_def world = fixture_def(&f);
    world.log = look;
    world.log_context = &seen;
    check_ok(kai_world_create(&world, &f.world, NULL));
    kai_joint_base hinge;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    hinge.bodies[0] = add_ball(&f, 0.0);
    hinge.bodies[1] = add_ball(&f, 3.0);
    hinge.at = kai_vec3_make(1.5, 0.0, 0.0);
    kai_joint joint;
    check_ok(kai_joint_create(f.world, &kai_joint_revolute, &hinge, "", &joint));
    add_ball(&f, 4.99);
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_NSC;
    check_ok(kai_contact_set(f.world, &contact));
    check_ok(kai_solver_set(f.world, def));
    check_ok(kai_world_step(f.world, 1e-3));
    assert_int_equal(kai_contact_report_count(f.world), 1);
    *name = kai_solver_measured(f.world).name; // words of the library, which outlive the world
    fixture_finish(&f);
    return seen;
}

static void test_both(void** state)
{
    const char* name;
    kai_solver_def def = kai_solver_def_default();
    assert_int_equal(step_with(&def, &name), 0);
    assert_string_equal(name, "newton");
    def.linear = KAI_SOLVER_LINEAR_MINRES;
    def.cone = KAI_SOLVER_CONE_BB;
    assert_true(step_with(&def, &name) > 0);
    assert_string_equal(name, "bb");
    // One word chooses in its own family, beside a choice in the other.
    def = kai_solver_def_default();
    def.type = KAI_SOLVER_MINRES;
    def.cone = KAI_SOLVER_CONE_PSOR;
    assert_true(step_with(&def, &name) > 0);
    assert_string_equal(name, "psor");
    def = kai_solver_def_default();
    def.type = KAI_SOLVER_ADMM;
    def.linear = KAI_SOLVER_LINEAR_MINRES;
    assert_true(step_with(&def, &name) > 0);
    assert_string_equal(name, "admm");
}

static void test_two_of_one_family(void** state)
{
    fixture f;
    fixture_start(&f);
    kai_solver_def def = kai_solver_def_default();
    def.type = KAI_SOLVER_PSOR;
    def.cone = KAI_SOLVER_CONE_APGD;
    check_error(kai_solver_set(f.world, &def), KAI_ERROR_ARGUMENT);
    check_message(&f, "kai_solver_set: solver: type is psor and cone is apgd; give one of them");
    def = kai_solver_def_default();
    def.type = KAI_SOLVER_DIRECT;
    def.linear = KAI_SOLVER_LINEAR_GMRES;
    check_error(kai_solver_set(f.world, &def), KAI_ERROR_ARGUMENT);
    def.type = KAI_SOLVER_GMRES;
    check_ok(kai_solver_set(f.world, &def));
    fixture_finish(&f);
}

/// 0: as exact as the scene needs. A residual of g h is as wrong as no contact at all.
static void test_tolerance(void** state)
{
    (void)state;
    const kai_vec3 g = {0.0, 6.0, -8.0}; // 10 m/s²
    kai_solver_def def = kai_solver_def_default();
    check_relative(kai_solver_cone_tolerance(&def, g, 1e-3), 1e-6, 1e-12, "1e-4 g h");
    check_relative(kai_solver_cone_tolerance(&def, g, 0.02), 2e-5, 1e-12, "1e-4 g h");
    assert_true(kai_solver_cone_tolerance(&def, kai_vec3_zero(), 1e-3) == 1e-10);
    assert_true(kai_solver_tolerance(&def) == 1e-10);
    def.tolerance = 1e-3;
    assert_true(kai_solver_cone_tolerance(&def, g, 1e-3) == 1e-3);
    assert_true(kai_solver_tolerance(&def) == 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_two_of_one_family),
        cmocka_unit_test(test_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
