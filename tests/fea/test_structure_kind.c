// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A kind of structure of the user's own: what build() may ask of its mesh, and two lines that are
// tied where they meet.
#include "helper.h"

#include <kairos/kairos.h>

typedef struct seam {
    kai_structure_base base;
    double length;
} seam;

static const kai_param PARAMS[] = {KAI_STRUCTURE_PARAMS(seam),
                                   {.name = "length",
                                    .type = KAI_PARAM_REAL,
                                    .offset = offsetof(seam, length),
                                    .unit = "m",
                                    .initial = {2.0},
                                    .range = KAI_ABOVE(0.0),
                                    .doc = "Of both lines together."}};

static kai_result build(const void* instance, const kai_element_kind* element,
                        kai_structure_mesh* mesh, kai_error* err)
{
    const double x[4] = {0.0, 0.5, 0.5, 1.0}, length = ((const seam*)instance)->length;
    for (int i = 0; i < 4; i++) {
        const kai_structure_node node = {
            .position = kai_vec3_make(length * x[i], 0.0, 0.0),
            .axes = {kai_vec3_axis(0), kai_vec3_axis(1), kai_vec3_axis(2)}};
        uint32_t number;
        check_ok(kai_structure_mesh_node(mesh, &node, &number));
        assert_int_equal(number, i);
    }
    check_ok(kai_structure_mesh_cell(mesh, (const uint32_t[]){0, 1}));
    check_ok(kai_structure_mesh_cell(mesh, (const uint32_t[]){2, 3}));
    check_ok(kai_structure_mesh_set(mesh, "left", 0));
    check_ok(kai_structure_mesh_set(mesh, "right", 3));
    check_ok(kai_structure_mesh_tie(mesh, 1, 2));
    assert_int_equal(kai_structure_mesh_node_count(mesh), 4);
    assert_int_equal(kai_structure_mesh_cell_count(mesh), 2);
    check_near(kai_structure_mesh_node_at(mesh, 3)->position.x, length, 0.0, "its end");
    assert_null(kai_structure_mesh_node_at(mesh, 4));
    assert_int_equal(kai_structure_mesh_cell_at(mesh, 1)[0], 2);
    assert_null(kai_structure_mesh_cell_at(mesh, 2));
    return KAI_OK;
}

static const kai_structure_kind SEAM = {
    .kind = {KAI_SIZES(kai_structure_kind), .name = "seam", .doc = "Two lines.",
             .size = sizeof(seam), .params = PARAMS, .param_count = KAI_COUNT(PARAMS)},
    .cells = 1 << KAI_STRUCTURE_LINE,
    .build = build};

// Two bars of a metre in a row, pulled with F: the seam carries it, and the end moves by F L / E A.
static void test_seam(void** state)
{
    const double young = 1e9, area = 1e-4, force = 500.0;
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_solid_elastic_params solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &solid);
    solid.young = young;
    solid.base.density = 1000.0;
    kai_element_bar_params bar;
    kai_kind_defaults(&kai_element_bar.kind, &bar);
    bar.area = area;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &solid, NULL, &bar.solid));
    seam params;
    kai_kind_defaults(&SEAM.kind, &params);
    kai_structure s;
    check_ok(kai_structure_register(world, &SEAM));
    check_ok(kai_structure_create(world, &SEAM, &params, &kai_element_bar, &bar, "pair", &s));
    assert_true(KAI_ID_EQUALS(kai_structure_at(world, 0), s));
    assert_true(KAI_IS_NULL(kai_structure_at(world, 1)));

    check_ok(kai_structure_fix(world, s, "left", KAI_NODE_FIX_ALL));
    for (size_t i = 1; i < 4; i += 2) // bars do not hold themselves across: y and z
        check_ok(kai_node_set_fixed(world, kai_structure_node_at(world, s, NULL, i), 6));
    check_ok(kai_structure_force(world, s, "right", kai_vec3_make(force, 0.0, 0.0)));
    if (kai_world_statics_linear(world) != KAI_OK) fail_msg("%s", kai_world_error(world)->message);
    kai_node_def nodes[4];
    for (size_t i = 0; i < 4; i++)
        check_ok(kai_node_get(world, kai_structure_node_at(world, s, NULL, i), &nodes[i]));
    // Rounding: 1e-16 times K / M of the second bar, 4e6 with its seam let go, times 5 mm.
    check_near(nodes[1].position.x, nodes[2].position.x, 1e-11, "the seam holds");
    check_relative(nodes[3].position.x - 2.0, force * 2.0 / (young * area), 1e-9, "F L / E A");
    kai_world_destroy(world);
}

// Results are found by name, and what is not there is not.
static void test_results(void** state)
{
    const kai_element_result* found = kai_element_result_find(&kai_element_bar, "axial_force");
    assert_non_null(found);
    assert_string_equal(found->name, "axial_force");
    assert_null(kai_element_result_find(&kai_element_bar, "colour"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seam), cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
