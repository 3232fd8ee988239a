// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Elements without a matrix: shells, hexahedra, plates, cables and beams of bodies, with joints and
// pressure, move as with the direct solver, under euler and hht, and rest as with it; threads and a
// resume change no bit; memory; what it refuses.
#include "fea/reload.h"

#include <kairos/joint_nodes.h>
#include <kairos/kairos.h>
#include <math.h>
#include <string.h>

static void expect(kai_world* world, kai_result r)
{
    if (r != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
}

static kai_solid add_solid(kai_world* world, double young)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.poisson = 0.3;
    p.base.density = 1000.0;
    p.base.damping = 1e-3;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

static kai_world* make_world(kai_solver_type type, bool free, int threads)
{
    kai_world_def def = kai_world_def_default();
    kai_solver_def solver = kai_solver_def_default();
    kai_world* world;
    kai_error err = {0};
    def.threads = threads;
    check_ok(kai_world_create(&def, &world, &err));
    solver.type = type;
    solver.matrix_free = free;
    solver.tolerance = 1e-13;
    solver.iterations = 100000;
    check_ok(kai_solver_set(world, &solver));
    return world;
}

/// A sheet held at one side, 3 × 2 elements; pushed from below.
static kai_structure add_sheet(kai_world* world, const kai_element_kind* element,
                               const void* params, double z)
{
    kai_structure_sheet_params p;
    kai_structure s;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    p.base.position.z = z;
    p.size[0] = 0.6;
    p.size[1] = 0.4;
    p.cells[0] = 3.0;
    p.cells[1] = 2.0;
    expect(world, kai_structure_create(world, &kai_structure_sheet, &p, element, params, NULL, &s));
    expect(world, kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    return s;
}

static kai_structure add_line(kai_world* world, const kai_element_kind* element, const void* params,
                              double z)
{
    const double points[6] = {0.0, 0.0, z, 0.6, 0.0, z};
    kai_structure_cable_params p;
    kai_structure s;
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    p.points = (kai_table){.data = points, .rows = 2, .columns = 3};
    p.cells = 4;
    expect(world, kai_structure_create(world, &kai_structure_cable, &p, element, params, NULL, &s));
    expect(world, kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    return s;
}

/// A body that hangs on a node.
static void hang(kai_world* world, kai_node node)
{
    kai_node_def at;
    check_ok(kai_node_get(world, node, &at));
    kai_body_def def = kai_body_def_default();
    kai_joint_node_point_params p;
    kai_joint joint;
    def.mass = 0.3;
    def.inertia = (kai_inertia){1e-3, 2e-3, 1.5e-3, 0.0, 0.0, 0.0};
    def.position = kai_vec3_sub(at.position, kai_vec3_make(0.0, 0.05, 0.1));
    kai_kind_defaults(&kai_joint_node_point.kind, &p);
    check_ok(kai_body_create(world, &def, &p.base.bodies[0]));
    p.node = node;
    expect(world, kai_joint_create(world, &kai_joint_node_point, &p, NULL, &joint));
}

/// One structure of each sort, none of which knows of the others.
static void fill(kai_world* world, double young)
{
    const kai_solid soft = add_solid(world, young);
    kai_element_ancf_shell_params shell;
    kai_element_ancf_plate_params plate;
    kai_element_reissner_shell_params reissner;
    kai_element_ancf_cable_params cable;
    kai_element_euler_beam_params beam;
    kai_element_hex8_params hex;
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    kai_kind_defaults(&kai_element_ancf_plate.kind, &plate);
    kai_kind_defaults(&kai_element_reissner_shell.kind, &reissner);
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    kai_kind_defaults(&kai_element_hex8.kind, &hex);
    shell.layers.solid = plate.layers.solid = reissner.layers.solid = soft;
    shell.layers.thickness = plate.layers.thickness = reissner.layers.thickness = 0.02;
    cable.solid = beam.solid = hex.solid = soft;
    cable.radius = beam.radius = 0.01;
    const kai_structure one = add_sheet(world, &kai_element_ancf_shell, &shell, 0.0);
    add_sheet(world, &kai_element_ancf_plate, &plate, 1.0);
    add_sheet(world, &kai_element_reissner_shell, &reissner, 2.0);
    const kai_structure line = add_line(world, &kai_element_ancf_cable, &cable, 3.0);
    add_line(world, &kai_element_euler_beam, &beam, 4.0);
    kai_structure_box_params box;
    kai_structure block;
    kai_kind_defaults(&kai_structure_box.kind, &box);
    for (int k = 0; k < 3; k++) box.size[k] = k ? 0.1 : 0.3;
    for (int k = 0; k < 3; k++) box.cells[k] = k ? 1.0 : 3.0;
    box.base.position.z = 5.0;
    expect(world, kai_structure_create(world, &kai_structure_box, &box, &kai_element_hex8, &hex,
                                       NULL, &block));
    expect(world, kai_structure_fix(world, block, "x0", KAI_NODE_FIX_ALL));
    expect(world, kai_structure_pressure(world, one, "all", (kai_value){.constant = 20.0}));
    hang(world, kai_structure_node_at(world, line, "x1", 0));
    hang(world, kai_structure_node_at(world, one, "x1", 1));
}

static void step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++) expect(world, kai_world_step(world, h));
}

/// Largest distance of nodes, slopes and bodies of two worlds.
static double distance(const kai_world* a, const kai_world* b)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_node_count(a); i++) {
        kai_node_def x, y;
        check_ok(kai_node_get(a, kai_node_at_index(a, i), &x));
        check_ok(kai_node_get(b, kai_node_at_index(b, i), &y));
        most = fmax(most, kai_vec3_distance(x.position, y.position));
        for (int s = 0; s < x.slopes; s++)
            most = fmax(most, kai_vec3_distance(x.slope[s], y.slope[s]));
    }
    for (size_t i = 0; i < kai_body_count(a); i++)
        most = fmax(most, kai_vec3_distance(kai_body_position(a, kai_body_at(a, i)),
                                            kai_body_position(b, kai_body_at(b, i))));
    return most;
}

// Residuals of 1e-13 in each step, which the condition of the matrix makes larger: 1e-8 of a sheet
// that has moved by centimetres.
static void it_moves_as_with_direct(void** state)
{
    const struct {
        const kai_integrator_kind* integrator;
        kai_solver_type type;
        const char* name;
    } cases[] = {{&kai_integrator_euler, KAI_SOLVER_AUTO, "minres"},
                 {&kai_integrator_hht, KAI_SOLVER_AUTO, "minres"},
                 {&kai_integrator_euler, KAI_SOLVER_GMRES, "gmres"},
                 {&kai_integrator_euler, KAI_SOLVER_BICGSTAB, "bicgstab"}};
    for (size_t k = 0; k < KAI_COUNT(cases); k++) {
        kai_world *one = make_world(KAI_SOLVER_DIRECT, false, 1),
                  *two = make_world(cases[k].type, true, 2);
        fill(one, 2e6);
        fill(two, 2e6);
        check_ok(kai_integrator_set(one, cases[k].integrator, NULL));
        check_ok(kai_integrator_set(two, cases[k].integrator, NULL));
        step(one, 2e-3, 4);
        step(two, 2e-3, 4);
        assert_string_equal(kai_solver_measured(one).name, "direct");
        assert_string_equal(kai_solver_measured(two).name, cases[k].name);
        check_near(distance(one, two), 0.0, 1e-8, "nodes and bodies");
        kai_world_destroy(one);
        kai_world_destroy(two);
    }
}

static void it_rests_as_with_direct(void** state)
{
    kai_world *one = make_world(KAI_SOLVER_DIRECT, false, 1),
              *two = make_world(KAI_SOLVER_MINRES, true, 1);
    fill(one, 2e8);
    fill(two, 2e8);
    expect(one, kai_world_statics(one));
    expect(two, kai_world_statics(two));
    check_near(distance(one, two), 0.0, 1e-6, "nodes at rest");
    kai_world_destroy(one);
    kai_world_destroy(two);
}

static uint64_t run(int threads, bool resume)
{
    kai_world* world = make_world(KAI_SOLVER_AUTO, true, threads);
    fill(world, 2e6);
    step(world, 2e-3, 3);
    if (resume) world = reload(world, threads);
    step(world, 2e-3, 3);
    const uint64_t hash = kai_world_hash(world);
    kai_world_destroy(world);
    return hash;
}

static void threads_and_resume_change_no_bit(void** state)
{
    const uint64_t one = run(1, false);
    assert_true(run(2, false) == one);
    assert_true(run(5, false) == one);
    assert_true(run(2, true) == one);
}

static size_t bytes(bool free)
{
    kai_world* world = make_world(KAI_SOLVER_MINRES, free, 1);
    kai_structure_box_params box;
    kai_structure block;
    kai_element_hex8_params hex;
    kai_kind_defaults(&kai_structure_box.kind, &box);
    kai_kind_defaults(&kai_element_hex8.kind, &hex);
    for (int k = 0; k < 3; k++) box.size[k] = 1.0;
    for (int k = 0; k < 3; k++) box.cells[k] = 8.0;
    hex.solid = add_solid(world, 1e7);
    expect(world, kai_structure_create(world, &kai_structure_box, &box, &kai_element_hex8, &hex,
                                       NULL, &block));
    const size_t before = kai_world_stats(world).peak_bytes;
    step(world, 1e-3, 1);
    const size_t after = kai_world_stats(world).peak_bytes;
    kai_world_destroy(world);
    return after - before;
}

// An element of 24 unknowns has a matrix of 4.6 kB, and about 1.4 kB of it are in the sum.
static void no_matrix_is_stored(void** state)
{
    const size_t with = bytes(false), without = bytes(true);
    print_message("512 hexahedra: %zu bytes with, %zu without a matrix\n", with, without);
    assert_true(without + 512 * 4608 < with);
}

static void types_with_a_matrix_are_refused(void** state)
{
    kai_world* world = make_world(KAI_SOLVER_AUTO, true, 1);
    const kai_solver_type types[] = {KAI_SOLVER_DIRECT, KAI_SOLVER_CG};
    for (size_t k = 0; k < KAI_COUNT(types); k++) {
        kai_solver_def solver = kai_solver_get(world);
        solver.type = types[k];
        assert_int_equal(kai_solver_set(world, &solver), KAI_ERROR_ARGUMENT);
        assert_non_null(strstr(kai_world_error(world)->message, k ? "cg" : "direct"));
        assert_int_equal(kai_solver_get(world).type, KAI_SOLVER_AUTO);
    }
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_moves_as_with_direct), cmocka_unit_test(it_rests_as_with_direct),
        cmocka_unit_test(threads_and_resume_change_no_bit), cmocka_unit_test(no_matrix_is_stored),
        cmocka_unit_test(types_with_a_matrix_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
