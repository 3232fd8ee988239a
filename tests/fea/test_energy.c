// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The balance of energy of flexible bodies: what damping, pressure, forces, moments and courses do
// is booked, so that what is left (drift) is the error of the method and goes with its order.
// ctest-labels: slow
#include "helper.h"

#include <kairos/kairos.h>
#include <math.h>

#define PI 3.14159265358979323846

#define ok(call)                                                               \
    do {                                                                       \
        if ((call) != KAI_OK) fail_msg("%s", kai_world_error(world)->message); \
    } while (0)

static kai_value3 constant(double x, double y, double z)
{
    return (kai_value3){kai_value_constant(x), kai_value_constant(y), kai_value_constant(z)};
}

static kai_value sine(kai_world* world, double amplitude, double frequency)
{
    kai_function_sine_params p;
    kai_value value = {0};
    kai_kind_defaults(&kai_function_sine.kind, &p);
    p.amplitude = amplitude;
    p.frequency = frequency;
    p.phase = -0.5 * PI; // from rest: 1 - cos
    p.offset = amplitude;
    ok(kai_function_create(world, &kai_function_sine, &p, &value.function));
    return value;
}

static kai_solid add_solid(kai_world* world, double damping, double mass_damping)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = 1e6;
    p.poisson = 0.3;
    p.base.density = 1000.0;
    p.base.damping = damping;
    p.base.mass_damping = mass_damping;
    ok(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid));
    return solid;
}

// A plate of 4 × 2 elements, clamped at x = 0.
static kai_structure add_plate(kai_world* world, const kai_element_kind* kind, kai_solid solid)
{
    kai_structure_sheet_params p;
    kai_structure structure;
    char element[512];
    kai_kind_defaults(&kind->kind, element);
    kai_element_layers* layers = (kai_element_layers*)(void*)(element + kind->layers);
    layers->solid = solid;
    layers->thickness = 0.05;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    p.size[0] = 1.0, p.size[1] = 0.5;
    p.cells[0] = 4.0, p.cells[1] = 2.0;
    ok(kai_structure_create(world, &kai_structure_sheet, &p, kind, element, "plate", &structure));
    ok(kai_structure_fix(world, structure, "x0", KAI_NODE_FIX_ALL));
    return structure;
}

static kai_structure add_beam(kai_world* world, kai_solid solid)
{
    const double points[6] = {0, 0, 0, 1, 0, 0};
    kai_structure_cable_params p;
    kai_structure structure;
    kai_element_euler_beam_params beam;
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    kai_kind_defaults(&kai_structure_cable.kind, &p);
    beam.solid = solid;
    beam.radius = 0.03;
    p.points = (kai_table){points, 2, 3};
    p.cells = 6;
    ok(kai_structure_create(world, &kai_structure_cable, &p, &kai_element_euler_beam, &beam, "beam",
                            &structure));
    return structure;
}

// Cases ------------------------------------------------------------------------------------------

// Falls under its weight with material damping.
static void damped_plate(kai_world* world)
{
    add_plate(world, &kai_element_ancf_shell, add_solid(world, 0.01, 0.0));
    kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -3.0));
}

// The same of nodes with two slopes, damped by their mass.
static void mass_damped_plate(kai_world* world)
{
    add_plate(world, &kai_element_ancf_plate, add_solid(world, 0.0, 2.0));
    kai_world_set_gravity(world, kai_vec3_make(0.0, 0.0, -3.0));
}

// Pressed by a pressure that goes with it and changes, and pulled by constant forces.
static void pressed_plate(kai_world* world)
{
    const kai_structure s = add_plate(world, &kai_element_ancf_shell, add_solid(world, 0.002, 0.0));
    ok(kai_structure_pressure(world, s, NULL, sine(world, 40.0, 0.8)));
    ok(kai_structure_force(world, s, "x1", kai_vec3_make(0.0, 2.0, 1.0)));
}

// Turned by a moment on slopes that changes in time.
static void turned_plate(kai_world* world)
{
    const kai_structure s = add_plate(world, &kai_element_ancf_plate, add_solid(world, 0.002, 0.0));
    kai_value3 moment = constant(0, 0, 0);
    moment.y = sine(world, 1.0, 0.8);
    ok(kai_structure_load(world, s, "x1", constant(0, 0, 0), moment));
}

// A beam of bodies whose clamp is shaken, with a load at its end.
static void driven_beam(kai_world* world)
{
    const kai_structure s = add_beam(world, add_solid(world, 0.002, 0.0));
    kai_value3 course = constant(0, 0, 0), force = course;
    course.z = sine(world, 0.05, 0.8);
    force.y = sine(world, 0.05, 0.5);
    ok(kai_structure_move_held(world, s, "x0", course));
    ok(kai_structure_load(world, s, "x1", force, constant(0, 0, 0)));
}

// A plate of nodes whose clamp is shaken.
static void driven_plate(kai_world* world)
{
    kai_structure_sheet_params p;
    kai_structure s;
    kai_element_ancf_shell_params e;
    kai_kind_defaults(&kai_element_ancf_shell.kind, &e);
    e.layers.solid = add_solid(world, 0.005, 0.0);
    e.layers.thickness = 0.05;
    kai_kind_defaults(&kai_structure_sheet.kind, &p);
    p.size[0] = 1.0, p.size[1] = 0.5;
    p.cells[0] = 4.0, p.cells[1] = 2.0;
    ok(kai_structure_create(world, &kai_structure_sheet, &p, &kai_element_ancf_shell, &e, "plate",
                            &s));
    kai_value3 course = constant(0, 0, 0);
    course.z = sine(world, 0.05, 0.8);
    ok(kai_structure_move_held(world, s, "x0", course));
}

// Runs -------------------------------------------------------------------------------------------

typedef struct balance {
    double drift;  // largest size on the way
    double turned; // energy that went through: dissipated, or of forces
} balance;

static balance run(void (*build)(kai_world*), const kai_integrator_kind* integrator, double h)
{
    kai_world_def def = kai_world_def_default();
    def.gravity = kai_vec3_zero();
    kai_world* world;
    kai_error err = {0};
    if (kai_world_create(&def, &world, &err) != KAI_OK) fail_msg("%s", err.message);
    ok(kai_integrator_set(world, integrator, NULL));
    build(world);
    balance b = {0.0, 0.0};
    const int steps = (int)lround(0.6 / h);
    for (int i = 0; i < steps; i++) {
        kai_energy e;
        ok(kai_world_step(world, h));
        ok(kai_world_energy(world, &e));
        b.drift = fmax(b.drift, fabs(e.drift));
        b.turned = fmax(b.turned, fmax(e.kinetic, e.elastic));
    }
    kai_energy e;
    ok(kai_world_energy(world, &e));
    b.turned = fmax(b.turned, fmax(fabs(e.dissipated), fabs(e.work)));
    kai_world_destroy(world);
    return b;
}

// Half the step: a half of the drift or less for order 1 (0.62), a quarter for order 2 (0.35), and
// in the end little of what went through. The shares are what was measured, rounded up.
static void check_method(void (*build)(kai_world*), const char* name,
                         const kai_integrator_kind* integrator, double h, double share)
{
    const balance rough = run(build, integrator, h), fine = run(build, integrator, 0.5 * h);
    const double ratio = integrator->order > 1 ? 0.35 : 0.62;
    print_message("%-18s %-15s drift %.2e %.2e of %.2e J\n", name, integrator->kind.name,
                  rough.drift, fine.drift, fine.turned);
    if (!(fine.drift <= share * fine.turned))
        fail_msg("%s, %s: drift %g of %g J, allowed %g", name, integrator->kind.name, fine.drift,
                 fine.turned, share * fine.turned);
    if (!(fine.drift <= ratio * rough.drift) && fine.drift > 1e-7 * fine.turned)
        fail_msg("%s, %s: drift %g J, with half the step %g J", name, integrator->kind.name,
                 rough.drift, fine.drift);
}

static void check_case(void (*build)(kai_world*), const char* name)
{
    check_method(build, name, &kai_integrator_trapezoidal, 4e-3, 5e-4);
    check_method(build, name, &kai_integrator_newmark, 4e-3, 0.01);
    check_method(build, name, &kai_integrator_hht, 4e-3, 5e-4);
    check_method(build, name, &kai_integrator_euler_implicit, 2e-3, 0.03);
    check_method(build, name, &kai_integrator_euler, 2e-3, 0.03);
}

#define CASE(name)                    \
    static void test_##name(void** s) \
    {                                 \
        (void)s;                      \
        check_case(name, #name);      \
    }
CASE(damped_plate)
CASE(mass_damped_plate)
CASE(pressed_plate)
CASE(turned_plate)
CASE(driven_beam)
CASE(driven_plate)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damped_plate),  cmocka_unit_test(test_mass_damped_plate),
        cmocka_unit_test(test_pressed_plate), cmocka_unit_test(test_turned_plate),
        cmocka_unit_test(test_driven_beam),   cmocka_unit_test(test_driven_plate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
