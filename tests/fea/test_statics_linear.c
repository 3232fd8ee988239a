// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Statics by linear theory, and equilibrium at every step of loads that vary in time.
#include "helper.h"

#include <kairos/kairos.h>
#include <math.h>
#include <string.h>

enum { CELLS = 4 };
static const double YOUNG = 2e11, LENGTH = 2.0, RADIUS = 0.01;

static kai_world* make_world(void)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    check_ok(kai_world_create(&def, &world, NULL));
    return world;
}

static kai_solid add_solid(kai_world* world)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = YOUNG;
    p.poisson = 0.3;
    p.base.density = 7800.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

/// A beam along x, held at its left end.
static kai_structure add_beam(kai_world* world, bool held)
{
    double points[6] = {0.0, 0.0, 0.0, LENGTH, 0.0, 0.0};
    kai_structure_cable_params line;
    kai_element_euler_beam_params beam;
    kai_structure s;
    kai_kind_defaults(&kai_structure_cable.kind, &line);
    line.points = (kai_table){.data = points, .rows = 2, .columns = 3};
    line.cells = CELLS;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    beam.solid = add_solid(world);
    beam.radius = RADIUS;
    if (kai_structure_create(world, &kai_structure_cable, &line, &kai_element_euler_beam, &beam,
                             NULL, &s) != KAI_OK)
        fail_msg("%s", kai_world_error(world)->message);
    if (held) check_ok(kai_structure_fix(world, s, "x0", KAI_NODE_FIX_ALL));
    return s;
}

static double stiffness(void) { return YOUNG * acos(-1.0) * pow(RADIUS, 4.0) / 4.0; } // E I

// w = P L³ / 3 E I and θ = P L² / 2 E I at any load: this is linear theory. Cubic elements have
// both without error, so that rounding alone is left; a tenth of the load moves it by a tenth.
static void test_cantilever(void** state)
{
    const double loads[] = {10.0, 1e4};
    for (size_t k = 0; k < KAI_COUNT(loads); k++) {
        kai_world* world = make_world();
        const kai_structure s = add_beam(world, true);
        check_ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 0.0, loads[k])));
        if (kai_world_statics_linear(world) != KAI_OK)
            fail_msg("%s", kai_world_error(world)->message);
        const kai_body tip = kai_structure_body_at(world, s, "x1", 0);
        const double w = loads[k] * pow(LENGTH, 3.0) / (3.0 * stiffness());
        check_near(kai_body_position(world, tip).z / w, 1.0, 1e-8, "P L³ / 3 E I");
        check_near(kai_body_position(world, tip).x, LENGTH, 1e-8, "it does not get shorter");
        kai_world_destroy(world);
    }
}

// A small load: linear and nonlinear statics agree up to the square of the slope.
static void test_small_load(void** state)
{
    double tip[2];
    for (int linear = 0; linear < 2; linear++) {
        kai_world* world = make_world();
        const kai_structure s = add_beam(world, true);
        check_ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 0.0, 0.01)));
        check_ok(linear ? kai_world_statics_linear(world) : kai_world_statics(world));
        tip[linear] = kai_body_position(world, kai_structure_body_at(world, s, "x1", 0)).z;
        kai_world_destroy(world);
    }
    const double slope = 0.01 * LENGTH * LENGTH / (2.0 * stiffness());
    check_near(tip[0] / tip[1], 1.0, fmax(slope * slope, 1e-7), "they agree");
}

// What nothing holds is told, and does not move.
static void test_unheld(void** state)
{
    kai_world* world = make_world();
    const kai_structure s = add_beam(world, false);
    check_ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 0.0, 1.0)));
    assert_int_equal(kai_world_statics_linear(world), KAI_ERROR_DIVERGED);
    assert_non_null(strstr(kai_world_error(world)->message, "free to move"));
    check_near(kai_body_position(world, kai_structure_body_at(world, s, "x1", 0)).z, 0.0, 0.0,
               "nothing has moved");
    kai_world_destroy(world);
}

// A force that grows in time, step by step: at each the tip is where statics at once has it.
static void test_steps(void** state)
{
    double z[2];
    for (int once = 0; once < 2; once++) {
        kai_world* world = make_world();
        const kai_structure s = add_beam(world, true);
        kai_load_force_params force;
        kai_load load;
        kai_function_ramp_params ramp;
        kai_kind_defaults(&kai_load_force.kind, &force);
        force.body = kai_structure_body_at(world, s, "x1", 0);
        kai_kind_defaults(&kai_function_ramp.kind, &ramp);
        ramp.slope = 400.0;
        check_ok(kai_function_create(world, &kai_function_ramp, &ramp, &force.value.z.function));
        check_ok(kai_load_create(world, &kai_load_force, &force, NULL, &load));
        for (int k = 0; k < (once ? 1 : 5); k++) {
            if (kai_world_step_statics(world, once ? 1.0 : 0.2) != KAI_OK)
                fail_msg("%s", kai_world_error(world)->message);
        }
        check_near(kai_world_time(world), 1.0, 1e-15, "the clock goes on");
        z[once] = kai_body_position(world, force.body).z;
        kai_world_destroy(world);
    }
    assert_true(z[0] > 0.5);
    check_near(z[0], z[1], 1e-9, "the way there does not matter");
}

static void test_bad_step(void** state)
{
    kai_world* world = make_world();
    assert_int_equal(kai_world_step_statics(world, 0.0), KAI_ERROR_ARGUMENT);
    assert_non_null(strstr(kai_world_error(world)->message, "h is 0 s"));
    kai_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever), cmocka_unit_test(test_small_load),
        cmocka_unit_test(test_unheld),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_bad_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
