// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Flexible structures on the ground by penalty under hht: a soft tire of shells that is pressed on
// it, on balls at its nodes and on triangles; and a wheel whose hub hangs in bushings.
#include "contact/implicit.h"

#include <kairos/kairos.h>

/// A torus of rubber above the ground, its axle along y.
static kai_structure add_tire(kai_world* world, double height)
{
    kai_solid_elastic_params rubber;
    kai_structure_torus_params torus;
    kai_element_ancf_shell_params shell;
    kai_solid solid;
    kai_structure tire;
    kai_kind_defaults(&kai_solid_elastic.kind, &rubber);
    rubber.young = 2e7;
    rubber.base.density = 1000.0;
    rubber.base.damping = 2e-3;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &rubber, NULL, &solid));
    kai_kind_defaults(&kai_structure_torus.kind, &torus);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    torus.radius = 0.3;
    torus.tube_radius = 0.1;
    torus.cells[0] = 16;
    torus.cells[1] = 6;
    torus.base.position = kai_vec3_make(0.0, 0.0, height);
    shell.layers.solid = solid;
    shell.layers.thickness = 0.01;
    check_ok(kai_structure_create(world, &kai_structure_torus, &torus, &kai_element_ancf_shell,
                                  &shell, "tire", &tire));
    return tire;
}

// A tire that stands on the ground is pressed flat there, and the ground carries its weight: what it
// pushes is what the momentum lacks.
static void tire_on_ground(kai_structure_contact_type type)
{
    kai_world* world = implicit_world(&kai_integrator_hht, &kai_contact_law_hertz, 1);
    kai_material_def surface = stage_rough(0.5);
    surface.young = 1e7;
    const kai_material material = stage_material(world, &surface);
    const kai_body floor = stage_floor(world, material);
    const double r = 0.01, h = 2e-3;
    const kai_structure tire = add_tire(world, 0.4 + r + 1e-3);
    check_ok(kai_structure_contact_surface(world, tire, "all", type, r, material, false));
    // The first steps are free fall: momentum tells the weight.
    kai_vec3 momentum, moment;
    stage_steps(world, 4, h);
    check_ok(kai_world_momentum(world, &momentum, &moment));
    const double weight = -momentum.z / (4.0 * h);
    double push = 0.0;
    size_t most = 0;
    const int n = 400;
    for (int i = 0; i < n; i++) {
        stage_steps(world, 1, h);
        if (i == n / 2 - 1) check_ok(kai_world_momentum(world, &momentum, &moment));
        if (i < n / 2) continue;
        push -= stage_force(world, floor).z / (n / 2);
        if (kai_contact_report_count(world) > most) most = kai_contact_report_count(world);
    }
    const double before = momentum.z;
    check_ok(kai_world_momentum(world, &momentum, &moment));
    check_relative(push, weight + (momentum.z - before) / (h * (n / 2)), 5e-3,
                   "the ground carries the weight");
    assert_true(most >= 1);
    check_near(kai_vec3_norm(momentum) * STAGE_G / weight, 0.0, 0.1, "m/s: hardly moves");
    kai_world_destroy(world);
}

static void test_tire(void** state)
{
    (void)state;
    tire_on_ground(KAI_STRUCTURE_CONTACT_NODES);
    tire_on_ground(KAI_STRUCTURE_CONTACT_TRIANGLES);
}

/// A bushing between two bodies at a point, the same in all directions.
static void add_bushing(kai_world* world, kai_body a, kai_body b, kai_vec3 at, double stiffness)
{
    const double k[] = {stiffness, stiffness, stiffness, 1e3, 1e3, 1e3};
    double c[6];
    kai_load_bushing_params bushing;
    kai_load load;
    for (int i = 0; i < 6; i++) c[i] = 0.02 * k[i];
    kai_kind_defaults(&kai_load_bushing.kind, &bushing);
    bushing.base.bodies[0] = a;
    bushing.base.bodies[1] = b;
    bushing.base.at = at;
    bushing.stiffness = (kai_table){k, 1, 6};
    bushing.damping = (kai_table){c, 1, 6};
    check_ok(kai_load_create(world, &kai_load_bushing, &bushing, NULL, &load));
}

// A chassis of 300 kg on four wheels in stiff bushings: stiff loads, contacts and friction in one
// system. It comes to rest where springs and contacts carry it, and a push does not move it.
static void test_wheels(void** state)
{
    (void)state;
    for (int i = 0; i < IMPLICIT_KINDS; i++) {
        kai_world* world = implicit_world(IMPLICIT[i], &kai_contact_law_hooke, 1);
        kai_material_def surface = kai_material_def_default();
        surface.kn = 1e6;
        surface.gn = 1e4;
        surface.friction = 0.8;
        const kai_material material = stage_material(world, &surface);
        stage_floor(world, material);
        const double k = 5e5, r = 0.3, m = 300.0, wheel = 15.0;
        const kai_body chassis = stage_box(world, kai_vec3_make(1.5, 0.8, 0.2), m,
                                           kai_vec3_make(0, 0, 0.6), kai_quat_identity(), material);
        for (int w = 0; w < 4; w++) {
            const kai_vec3 at = kai_vec3_make(w & 1 ? 0.8 : -0.8, w & 2 ? 0.7 : -0.7, r);
            add_bushing(world, chassis, stage_ball(world, r, wheel, at, material), at, k);
        }
        stage_steps(world, 400, 5e-3);
        const double sunk = (m / 4.0 + wheel) * STAGE_G / 1e6, bent = m / 4.0 * STAGE_G / k;
        check_near(kai_body_position(world, chassis).z, 0.6 - sunk - bent, 1e-5,
                   "m g / k of contacts and bushings");
        check_near(stage_fastest(world), 0.0, 1e-5, "at rest");
        kai_energy e;
        check_ok(kai_world_energy(world, &e));
        check_relative(e.elastic, 4.0 * (0.5 * 1e6 * sunk * sunk + 0.5 * k * bent * bent), 1e-3,
                       "½ k x² of contacts and bushings");
        kai_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tire), cmocka_unit_test(test_wheels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
