// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Factors that outlive a step of euler: a sheet of shells that swings on a body moves as with
// factors of every step; threads, a resume and questions in between change no bit; other steps and
// other matrices are noticed.
#include "fea/reload.h"

#include <kairos/kairos.h>
#include <math.h>

enum { CELLS = 14 };

/// A sheet in the x-y plane, one side on a body that hangs on a hinge. With contacts by
/// complementarity every step has its own factors.
static kai_world* make_sheet(int threads, bool lasting)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    kai_error err = {0};
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, &err));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = lasting ? KAI_CONTACT_NONE : KAI_CONTACT_NSC;
    check_ok(kai_contact_set(world, &contact));
    kai_body_def holder = kai_body_def_default();
    kai_body body, ground;
    holder.mass = 0.5;
    holder.inertia = (kai_inertia){1e-3, 1e-3, 1e-3, 0, 0, 0};
    holder.position = kai_vec3_make(-0.1, 0.0, 0.0);
    check_ok(kai_body_create(world, &holder, &body));
    kai_joint_base hinge;
    kai_joint joint;
    kai_kind_defaults(&kai_joint_revolute.kind, &hinge);
    holder.fixed = true;
    check_ok(kai_body_create(world, &holder, &ground));
    hinge.bodies[0] = ground;
    hinge.bodies[1] = body;
    hinge.at = kai_vec3_make(-0.2, 0.0, 0.0);
    hinge.axis = kai_vec3_make(0.0, 1.0, 0.0);
    check_ok(kai_joint_create(world, &kai_joint_revolute, &hinge, NULL, &joint));
    kai_solid_elastic_params p;
    kai_solid rubber;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = 1e7;
    p.poisson = 0.3;
    p.base.density = 1000.0;
    p.base.damping = 1e-3;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &rubber));
    kai_structure_sheet_params sheet;
    kai_element_ancf_shell_params shell;
    kai_structure made;
    kai_kind_defaults(&kai_structure_sheet.kind, &sheet);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    sheet.size[0] = sheet.size[1] = 0.3;
    sheet.cells[0] = sheet.cells[1] = CELLS;
    shell.layers.solid = rubber;
    shell.layers.thickness = 0.005;
    check_ok(kai_structure_create(world, &kai_structure_sheet, &sheet, &kai_element_ancf_shell,
                                  &shell, "sheet", &made));
    check_ok(kai_structure_link(world, made, "x0", body, true));
    return world;
}

static void step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++)
        if (kai_world_step(world, h) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

// Residuals are 1e-10 of H v in each of 60 steps; rows and stiff directions make less of them, and
// they do not add up. The body swings by 0.1 rad meanwhile.
static void it_moves_as_with_factors_of_every_step(void** state)
{
    kai_world *one = make_sheet(1, true), *two = make_sheet(1, false);
    double most = 0.0, moved = 0.0, iterations = 0.0;
    for (int i = 0; i < 60; i++) {
        step(one, 5e-4, 1);
        step(two, 5e-4, 1);
        iterations = fmax(iterations, (double)kai_solver_measured(one).iterations);
    }
    for (size_t i = 0; i < kai_node_count(one); i++) {
        kai_node_def a, b;
        kai_vec3 start[1 + KAI_NODE_SLOPES];
        check_ok(kai_node_get(one, kai_node_at_index(one, i), &a));
        check_ok(kai_node_get(two, kai_node_at_index(two, i), &b));
        most = fmax(most, kai_vec3_distance(a.position, b.position));
        check_ok(kai_node_reference(one, kai_node_at_index(one, i), start));
        moved = fmax(moved, kai_vec3_distance(a.position, start[0]));
    }
    assert_true(iterations > 1.0); // factors of earlier steps were used
    assert_true(moved > 1e-3);
    check_near(most, 0.0, 1e-9, "nodes");
    assert_true(kai_solver_measured(one).residual_max < 1e-9);
    kai_world_destroy(one);
    kai_world_destroy(two);
}

typedef enum meddling { NOTHING, RESUME, QUESTION, OTHER_STEP } meddling;

static uint64_t run(int threads, meddling what)
{
    kai_world* world = make_sheet(threads, true);
    step(world, 5e-4, 13);
    if (what == RESUME) world = reload(world, threads);
    if (what == QUESTION) check_ok(kai_world_evaluate(world)); // needs factors of masses alone
    if (what == OTHER_STEP) step(world, 2e-4, 1);
    step(world, 5e-4, 13);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void threads_resume_and_questions_change_no_bit(void** state)
{
    const uint64_t one = run(1, NOTHING);
    assert_true(run(2, NOTHING) == one);
    assert_true(run(5, NOTHING) == one);
    assert_true(run(2, RESUME) == one);
    assert_true(run(1, QUESTION) == one);
    assert_true(run(1, OTHER_STEP) != one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_moves_as_with_factors_of_every_step),
        cmocka_unit_test(threads_resume_and_questions_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
