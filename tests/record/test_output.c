// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "worlds.h"

#include "measure/output.h"

// A bar: an element and a structure of it.
static void add_line(kai_world* world, kai_output_subject* subject)
{
    const double points[6] = {0, 0, 0, 1, 0, 0};
    kai_solid_elastic_params solid;
    kai_structure_cable_params p;
    kai_element_bar_params bar = {.area = 1e-4};
    kai_kind_defaults(&kai_solid_elastic.kind, &solid);
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    solid.young = 1e7;
    solid.base.density = 1000.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &solid, NULL, &bar.solid));
    p.points = (kai_table){points, 2, 3};
    p.cells = 1;
    check_ok(kai_structure_create(world, &kai_structure_cable, &p, &kai_element_bar, &bar, "line",
                                  &subject->structure));
    subject->element = kai_structure_element_at(world, subject->structure, 0);
    subject->layer = -1;
    subject->set = "";
}

// Every quantity is described, found by its name and has a value.
static void test_tables(void** state)
{
    kai_world* world = worlds_make(NULL, NULL);
    kai_output_subject subject = {.body = kai_body_find(world, "e"), .turns = 1};
    kai_joint_base pin;
    kai_kind_defaults(&kai_joint_cylindrical.kind, &pin);
    pin.bodies[0] = kai_body_find(world, "a");
    pin.bodies[1] = subject.body;
    pin.at = kai_vec3_make(0.0, 0.0, 1.0);
    check_ok(kai_joint_create(world, &kai_joint_cylindrical, &pin, "pin", &subject.joint));
    kai_joint_motor_params motor;
    kai_kind_defaults(&kai_joint_motor_rotation_speed.kind, &motor);
    motor.joint = subject.joint;
    kai_joint driven;
    check_ok(kai_joint_create(world, &kai_joint_motor_rotation_speed, &motor, "motor", &driven));
    kai_load_spring_params spring;
    kai_kind_defaults(&kai_load_spring.kind, &spring);
    spring.bodies[0] = pin.bodies[0];
    spring.bodies[1] = pin.bodies[1];
    spring.points[0] = kai_vec3_zero();
    spring.points[1] = kai_vec3_make(1.0, 2.0, 3.0);
    spring.stiffness.slope = 10.0;
    check_ok(kai_load_create(world, &kai_load_spring, &spring, "spring", &subject.load));
    const kai_shaft_def shaft = kai_shaft_def_default();
    kai_joint_shaft_speed_params speed;
    kai_joint coupling;
    kai_kind_defaults(&kai_joint_shaft_speed.kind, &speed);
    check_ok(kai_shaft_create(world, &shaft, "shaft", &subject.shaft));
    speed.shafts[0] = subject.shaft;
    check_ok(kai_joint_create(world, &kai_joint_shaft_speed, &speed, "coupling", &coupling));
    kai_node_def node = kai_node_def_default();
    node.mass = 1.0;
    check_ok(kai_node_create(world, &node, "node", &subject.node));
    add_line(world, &subject);
    check_ok(kai_world_evaluate(world));
    for (int t = 0; t < KAI_OUTPUT_TARGET_COUNT; t++) {
        const kai_output_target target = (kai_output_target)t;
        const kai_joint pinned = subject.joint;
        if (target == KAI_OUTPUT_MOTOR) subject.joint = driven;
        if (target == KAI_OUTPUT_COUPLING) subject.joint = coupling;
        int i = 0;
        for (const kai_quantity* q; (q = kai_output_quantity(target, i)) != NULL; i++) {
            assert_true(q->name[0] != '\0' && q->doc[0] != '\0' && q->unit != NULL);
            assert_true(q->components >= 1 && q->components <= KAI_OUTPUT_COMPONENTS);
            assert_true((q->components > 1) == (q->labels != NULL));
            assert_int_equal(kai_output_quantity_find(target, q->name), i);
            double v[KAI_OUTPUT_COMPONENTS];
            for (int c = 0; c < KAI_OUTPUT_COMPONENTS; c++) v[c] = (double)NAN;
            const kai_output_def def = {
                .target = target, .element = subject.element, .structure = subject.structure};
            const bool elements = target == KAI_OUTPUT_ELEMENT || target == KAI_OUTPUT_ELEMENTS;
            if (elements && !kai_output_offers(world, &def, i)) continue; // a line has no stress
            check_ok(kai_output_value(world, target, i, &subject, v, NULL));
            for (int c = 0; c < q->components; c++) assert_true(isfinite(v[c]));
            for (int c = q->components; c < KAI_OUTPUT_COMPONENTS; c++) assert_true(isnan(v[c]));
        }
        subject.joint = pinned;
        // A sensor has those of its kind (tests/sense), a signal its value, events none.
        assert_true(i >= 3 || target == KAI_OUTPUT_SENSOR || target == KAI_OUTPUT_SIGNAL ||
                    target == KAI_OUTPUT_EVENTS);
        assert_null(kai_output_quantity(target, -1));
        assert_int_equal(kai_output_quantity_find(target, "colour"), -1);
    }
    kai_world_destroy(world);
}

// The energies of all bodies add up to the system's.
static void test_energy_adds_up(void** state)
{
    kai_world* world = worlds_make(NULL, NULL);
    const int energy = kai_output_quantity_find(KAI_OUTPUT_BODY, "energy");
    double kinetic = 0.0, potential = 0.0, v[KAI_OUTPUT_COMPONENTS];
    for (size_t i = 0; i < kai_body_count(world); i++) {
        const kai_output_subject subject = {.body = kai_body_at(world, i)};
        check_ok(kai_output_value(world, KAI_OUTPUT_BODY, energy, &subject, v, NULL));
        kinetic += v[0];
        potential += v[1];
    }
    check_ok(kai_output_value(world, KAI_OUTPUT_SYSTEM,
                              kai_output_quantity_find(KAI_OUTPUT_SYSTEM, "energy"),
                              &(kai_output_subject){0}, v, NULL));
    check_relative(kinetic, v[0], 1e-13, "sums of 53 terms in another order");
    check_relative(potential, v[1], 1e-13, "sums of 53 terms in another order");
    kai_world_destroy(world);
}

static void test_checks(void** state)
{
    kai_world* world = worlds_make(NULL, NULL);
    kai_output_def def = {
        .target = KAI_OUTPUT_BODY, .body = kai_body_find(world, "a"), .quantity_count = 1};
    const char* const bad_files[] = {"",     "a.txt",       "../a.csv", "x/a.csv",
                                     ".csv", ".hidden.csv", "a.csv.gz"};
    for (size_t i = 0; i < KAI_COUNT(bad_files); i++) {
        snprintf(def.file.text, sizeof def.file.text, "%s", bad_files[i]);
        check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ARGUMENT);
    }
    snprintf(def.file.text, sizeof def.file.text, "a.csv");
    check_ok(kai_output_check(world, &def, NULL));
    def.every = (double)NAN;
    check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ARGUMENT);
    def.every = 0.0;
    def.quantities[0] = 99;
    check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ARGUMENT);
    def.quantities[0] = 0;
    def.quantity_count = 0;
    check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ARGUMENT);
    def.quantity_count = 1;
    def.body = (kai_body){0};
    check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ID);
    const kai_output_target others[] = {KAI_OUTPUT_JOINT, KAI_OUTPUT_MOTOR, KAI_OUTPUT_FORCE};
    for (size_t i = 0; i < KAI_COUNT(others); i++) {
        def.target = others[i];
        check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ID);
    }
    // A load that says nothing of itself is there, but has no quantity.
    def.load = kai_load_find(world, "sonde");
    check_error(kai_output_check(world, &def, NULL), KAI_ERROR_ARGUMENT);
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_energy_adds_up),
                                       cmocka_unit_test(test_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
