// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Nodes, solids and elements come and go: what goes leaves nothing behind, what is used stays.
#include "helper.h"

#include <kairos/kairos.h>

static kai_world* make_world(kai_solid* solid)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    kai_solid_elastic_params p;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = 1e7;
    p.base.density = 1000.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, "rubber", solid));
    return world;
}

static void solids_are_found(void** state)
{
    kai_solid solid;
    kai_world* world = make_world(&solid);
    assert_int_equal(kai_solid_count(world), 1);
    assert_true(KAI_ID_EQUALS(kai_solid_find(world, "rubber"), solid));
    assert_true(KAI_IS_NULL(kai_solid_find(world, "steel")));
    const kai_solid_view view = kai_solid_get(world, solid);
    assert_ptr_equal(view.kind, &kai_solid_elastic);
    check_near(kai_solid_view_base(&view)->density, 1000.0, 0.0, "as given");
    assert_null(kai_solid_get(world, (kai_solid){0}).kind);
    kai_world_destroy(world);
}

static void nodes_stay_while_they_are_used(void** state)
{
    kai_solid solid;
    kai_world* world = make_world(&solid);
    kai_node_def def = kai_node_def_default();
    kai_node a, b;
    kai_element element;
    check_ok(kai_node_create(world, &def, "a", &a));
    def.position = kai_vec3_make(1, 0, 0);
    check_ok(kai_node_create(world, &def, "b", &b));
    assert_string_equal(kai_node_name(world, b), "b");
    assert_true(KAI_ID_EQUALS(kai_node_at_index(world, 1), b));
    assert_true(KAI_IS_NULL(kai_node_at_index(world, 2)));
    const kai_element_bar_params bar = {{a, b}, solid, 1e-4};
    check_ok(kai_element_create(world, &kai_element_bar, &bar, "rod", &element));
    assert_ptr_equal(kai_element_kind_of(world, element), &kai_element_bar);
    assert_int_equal(kai_structure_cell_of(&kai_element_bar), KAI_STRUCTURE_LINE);
    check_error(kai_node_destroy(world, a), KAI_ERROR_ARGUMENT);
    check_ok(kai_element_destroy(world, element));
    assert_null(kai_element_kind_of(world, element));
    check_error(kai_element_destroy(world, element), KAI_ERROR_ID);
    check_ok(kai_node_destroy(world, a));
    check_error(kai_node_destroy(world, a), KAI_ERROR_ID);
    kai_world_destroy(world);
}

static double mass_of(kai_world* world, kai_body body)
{
    kai_mass_properties mass;
    check_ok(kai_body_mass(world, body, &mass));
    return mass.mass;
}

// Beams give half their mass to each body, and take it with them.
static void beams_take_their_mass_along(void** state)
{
    kai_solid solid;
    kai_world* world = make_world(&solid);
    kai_body body[3];
    kai_element beam[2];
    for (int i = 0; i < 3; i++) {
        kai_body_def def = kai_body_def_default();
        def.position = kai_vec3_make(i, 0, 0);
        def.fixed = i == 0;
        check_ok(kai_body_create(world, &def, &body[i]));
    }
    for (int i = 0; i < 2; i++) {
        kai_element_euler_beam_params p;
        kai_kind_defaults(&kai_element_euler_beam.kind, &p);
        p.nodes[0] = body[i];
        p.nodes[1] = body[i + 1];
        p.solid = solid;
        p.width = p.height = 0.1;
        check_ok(kai_element_create(world, &kai_element_euler_beam, &p, NULL, &beam[i]));
    }
    check_near(mass_of(world, body[1]), 10.0, 1e-12, "half of two beams of 10 kg");
    check_near(mass_of(world, body[2]), 5.0, 1e-12, "half of one");
    check_ok(kai_world_step(world, 1e-3));
    check_error(kai_body_destroy(world, body[2]), KAI_ERROR_ARGUMENT);
    check_ok(kai_element_destroy(world, beam[1]));
    check_near(mass_of(world, body[1]), 5.0, 1e-12, "half of one");
    check_error(kai_world_step(world, 1e-3), KAI_ERROR_ARGUMENT); // body 2 has no mass any more
    check_ok(kai_body_destroy(world, body[2]));
    check_ok(kai_world_step(world, 1e-3));
    kai_world_destroy(world);
}

// A structure whose first element is gone has no kind of faces to press on: an error that says so,
// and nothing is kept.
static void pressure_needs_the_first_element(void** state)
{
    (void)state;
    kai_world_def def = kai_world_def_default();
    helper_allocator counter = {0};
    def.allocator = helper_allocator_make(&counter);
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    kai_solid_elastic_params rubber;
    kai_structure_box_params box;
    kai_element_hex8_params volume;
    kai_solid solid;
    kai_structure block;
    kai_kind_defaults(&kai_solid_elastic.kind, &rubber);
    rubber.young = 1e6;
    rubber.base.density = 1000.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &rubber, NULL, &solid));
    kai_kind_defaults(&kai_structure_box.kind, &box);
    kai_kind_defaults(&kai_element_hex8.kind, &volume);
    for (int k = 0; k < 3; k++) box.size[k] = box.cells[k] = 2.0;
    volume.solid = solid;
    check_ok(kai_structure_create(world, &kai_structure_box, &box, &kai_element_hex8, &volume, "b",
                                  &block));
    check_ok(kai_structure_pressure(world, block, NULL, kai_value_constant(10.0)));
    check_ok(kai_element_destroy(world, kai_structure_element_at(world, block, 0)));
    const size_t blocks = counter.blocks;
    check_error(kai_structure_pressure(world, block, NULL, kai_value_constant(10.0)),
                KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "the first element of structure 'b'"));
    assert_int_equal(counter.blocks, blocks);
    kai_world_destroy(world);
    assert_int_equal(counter.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_found),
        cmocka_unit_test(nodes_stay_while_they_are_used),
        cmocka_unit_test(beams_take_their_mass_along),
        cmocka_unit_test(pressure_needs_the_first_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
