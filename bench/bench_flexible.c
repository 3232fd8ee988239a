// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whole steps of finite elements, on 1 thread and on 2 in turn.
//
//     plate  32 × 32 shear-deformable shells, 1 m, 10 mm, E 2.1e7, ν 0.3, 500 kg/m³, one edge
//            clamped, under its weight: hht -0.2, h 0.1 ms, fixed steps
//     strip  63 × 1 of them
//     beams  20 corotational beams, clamped, hht, h 0.1 ms
//     tire   90 × 24 shells of four layers on a rim, 2 bar inside, nodes on the ground by penalty:
//            euler, h 40 µs
//     net    100,000 cables that share their knots, held at the edges: euler, h 1 ms
//     tets   196,608 linear tetrahedra, E 1e6: euler, h 1 ms
//     free   the same without a matrix
//
// Times are the best of all steps by the clock, and the mean of the processor's time. Beside them
// what assembly takes, the best of some rounds: forces and tangents of all elements once.
#include "base/clock.h"
#include "common.h"
#include "fea/fea.h"

#include <kairos/kairos.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(kai_result result, const kai_world* world) { common_check(world, result); }

static kai_world* make_world(int threads, const kai_integrator_kind* integrator)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    def.threads = threads;
    must(kai_world_create(&def, &world, NULL), world);
    if (integrator == &kai_integrator_hht) {
        kai_integrator_hht_params hht;
        kai_kind_defaults(&integrator->kind, &hht);
        hht.alpha = -0.2;
        hht.adaptive = false;
        must(kai_integrator_set(world, integrator, &hht), world);
    }
    return world;
}

static kai_solid add_elastic(kai_world* world, double young, double poisson, double density)
{
    kai_solid_elastic_params p;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &p);
    p.young = young;
    p.poisson = poisson;
    p.base.density = density;
    must(kai_solid_create(world, &kai_solid_elastic, &p, NULL, &solid), world);
    return solid;
}

static kai_world* make_plate(int threads, int across)
{
    kai_world* world = make_world(threads, &kai_integrator_hht);
    kai_structure_sheet_params sheet;
    kai_element_ancf_shell_params shell;
    kai_structure plate;
    kai_kind_defaults(&kai_structure_sheet.kind, &sheet);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    const int along = across == 1 ? 63 : 32;
    sheet.size[0] = 1.0;
    sheet.size[1] = (double)across / along;
    sheet.cells[0] = along;
    sheet.cells[1] = across;
    shell.layers.solid = add_elastic(world, 2.1e7, 0.3, 500.0);
    shell.layers.thickness = 0.01;
    must(kai_structure_create(world, &kai_structure_sheet, &sheet, &kai_element_ancf_shell, &shell,
                              "plate", &plate),
         world);
    must(kai_structure_fix(world, plate, "x0", KAI_NODE_FIX_ALL), world);
    return world;
}

static kai_world* make_beams(int threads)
{
    kai_world* world = make_world(threads, &kai_integrator_hht);
    const double points[] = {0, 0, 0, 1, 0, 0};
    kai_structure_cable_params cable;
    kai_element_euler_beam_params beam;
    kai_structure made;
    kai_kind_defaults(&kai_structure_cable.kind, &cable);
    kai_kind_defaults(&kai_element_euler_beam.kind, &beam);
    cable.points = (kai_table){points, 2, 3};
    cable.cells = 20;
    beam.solid = add_elastic(world, 1e8, 0.3, 1000.0);
    beam.radius = 0.01;
    must(kai_structure_create(world, &kai_structure_cable, &cable, &kai_element_euler_beam, &beam,
                              "beams", &made),
         world);
    must(kai_structure_fix(world, made, "x0", KAI_NODE_FIX_ALL), world);
    return world;
}

static kai_body add_body(kai_world* world, bool fixed, double z)
{
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.fixed = fixed;
    def.mass = 10.0;
    def.inertia = (kai_inertia){0.2, 0.3, 0.2, 0, 0, 0};
    def.position = kai_vec3_make(0, 0, z);
    must(kai_body_create(world, &def, &body), world);
    return body;
}

static void add_ground(kai_world* world)
{
    const kai_shape_plane_params plane = {.normal = {0, 0, 1}};
    const kai_shape_def def = kai_shape_def_default();
    kai_contact_def contact = kai_contact_def_default();
    kai_shape shape;
    contact.method = KAI_CONTACT_SMC;
    must(kai_contact_set(world, &contact), world);
    must(
        kai_shape_create(world, add_body(world, true, 0.0), &kai_shape_plane, &plane, &def, &shape),
        world);
}

static kai_world* make_tire(int threads)
{
    kai_world* world = make_world(threads, NULL);
    add_ground(world);
    const kai_body rim = add_body(world, false, 0.34);
    const kai_solid rubber = add_elastic(world, 8e6, 0.45, 1100.0);
    const kai_element_layer layers[] = {
        {rubber, 0.003, 0.0}, {rubber, 0.001, 0.35}, {rubber, 0.001, -0.35}, {rubber, 0.003, 0.0}};
    kai_structure_torus_params torus;
    kai_element_ancf_shell_params shell;
    kai_structure tire;
    kai_kind_defaults(&kai_structure_torus.kind, &torus);
    kai_kind_defaults(&kai_element_ancf_shell.kind, &shell);
    torus.base.position = kai_vec3_make(0, 0, 0.34);
    torus.radius = 0.24;
    torus.tube_radius = 0.095;
    torus.opening = 1.6;
    torus.cells[0] = 90;
    torus.cells[1] = 24;
    shell.layers.list = (kai_list){layers, 4};
    must(kai_structure_create(world, &kai_structure_torus, &torus, &kai_element_ancf_shell, &shell,
                              "tire", &tire),
         world);
    must(kai_structure_pressure(world, tire, "all", kai_value_constant(-2e5)), world);
    must(kai_structure_link(world, tire, "y0", rim, true), world);
    must(kai_structure_link(world, tire, "y1", rim, true), world);
    must(kai_structure_contact(world, tire, "all", 0.006, (kai_material){0}, false), world);
    return world;
}

static kai_world* make_net(int threads)
{
    kai_world* world = make_world(threads, NULL);
    kai_structure_net_params net;
    kai_element_ancf_cable_params cable;
    kai_structure made;
    kai_kind_defaults(&kai_structure_net.kind, &net);
    kai_kind_defaults(&kai_element_ancf_cable.kind, &cable);
    net.size[0] = net.size[1] = 22.0;
    net.cells[0] = net.cells[1] = 223;
    cable.solid = add_elastic(world, 1e7, 0.3, 1100.0);
    cable.radius = 0.002;
    must(kai_structure_create(world, &kai_structure_net, &net, &kai_element_ancf_cable, &cable,
                              "net", &made),
         world);
    const char* const edges[] = {"x0", "x1", "y0", "y1"};
    for (int i = 0; i < 4; i++)
        must(kai_structure_fix(world, made, edges[i], KAI_NODE_FIX_POSITION), world);
    return world;
}

static kai_world* make_tets(int threads)
{
    kai_world* world = make_world(threads, NULL);
    kai_structure_box_params box;
    kai_element_tet4_params tet;
    kai_structure made;
    kai_kind_defaults(&kai_structure_box.kind, &box);
    kai_kind_defaults(&kai_element_tet4.kind, &tet);
    for (int k = 0; k < 3; k++) {
        box.size[k] = 1.0;
        box.cells[k] = 32;
    }
    tet.solid = add_elastic(world, 1e6, 0.3, 1000.0);
    must(kai_structure_create(world, &kai_structure_box, &box, &kai_element_tet4, &tet, "block",
                              &made),
         world);
    must(kai_structure_fix(world, made, "x0", KAI_NODE_FIX_ALL), world);
    return world;
}

/// The same, and no matrix is stored.
static kai_world* make_free(int threads)
{
    kai_world* world = make_tets(threads);
    kai_solver_def solver = kai_solver_def_default();
    solver.matrix_free = true;
    must(kai_solver_set(world, &solver), world);
    return world;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Best time of a step, s, and the mean of the processor's to `*cpu`.
static double time_steps(kai_world* world, double h, int settle, int steps, double* cpu)
{
    double best = HUGE_VAL;
    for (int i = 0; i < settle; i++) must(kai_world_step(world, h), world);
    const double begun = cpu_seconds();
    for (int i = 0; i < steps; i++) {
        const double start = kai_clock_now();
        must(kai_world_step(world, h), world);
        best = fmin(best, kai_clock_now() - start);
    }
    *cpu = (cpu_seconds() - begun) / steps;
    return best;
}

/// Forces and tangents of all elements.
static double time_assembly(kai_world* world, double h)
{
    double best = HUGE_VAL;
    kai_fea* fea = NULL;
    must(kai_fea_get(world, &fea, &world->error), world);
    for (int i = 0; i < 12; i++) {
        const double start = kai_clock_now();
        must(kai_fea_forces_evaluate(fea, world, world->time, &(kai_fea_options){0}, &world->error),
             world);
        must(kai_fea_forces_tangents(
                 fea, world, &(kai_fea_options){.position = h * h, .velocity = h}, &world->error),
             world);
        best = fmin(best, kai_clock_now() - start);
    }
    return best;
}

typedef struct flexible {
    const char* name;
    kai_world* (*make)(int threads);
    double h;
    int settle, steps;
} flexible;

static kai_world* make_square(int threads) { return make_plate(threads, 32); }
static kai_world* make_strip(int threads) { return make_plate(threads, 1); }

int main(int argc, char** argv)
{
    static const flexible ALL[] = {
        {"plate", make_square, 1e-4, 5, 100}, {"strip", make_strip, 1e-4, 5, 200},
        {"beams", make_beams, 1e-4, 5, 1000}, {"tire", make_tire, 4e-5, 3, 20},
        {"net", make_net, 1e-3, 3, 10},       {"tets", make_tets, 1e-3, 3, 10},
        {"free", make_free, 1e-3, 1, 3}};
    const common_options o =
        common_read_options(argc, argv, "bench_flexible: whole steps of finite elements");
    printf(
        "  scene   elements        nodes   ms, 1 thr     2 thr   gain   ms, cpu  assembly   gain  "
        "bytes  solver\n");
    if (o.csv)
        fprintf(o.csv, "benchmark,scene,elements,nodes,ms_1,ms_2,cpu_ms_1,assembly_ms_1,"
                       "assembly_ms_2,bytes\n");
    for (size_t i = 0; i < KAI_COUNT(ALL); i++) {
        if (o.only && strcmp(o.only, ALL[i].name) != 0) continue;
        double best[2], cpu[2], assembly[2];
        size_t elements = 0, nodes = 0, bytes = 0; // an element, all memory of the world
        kai_solver_figures solver = {0};
        for (int t = 0; t < 2; t++) {
            kai_world* world = ALL[i].make(t + 1);
            elements = kai_element_count(world);
            nodes = kai_node_count(world);
            best[t] = time_steps(world, ALL[i].h, ALL[i].settle, ALL[i].steps, &cpu[t]);
            solver = kai_solver_measured(world); // names are constants
            if (t == 0) bytes = kai_world_stats(world).peak_bytes / elements;
            assembly[t] = time_assembly(world, ALL[i].h);
            kai_world_destroy(world);
        }
        printf("  %-6s %9zu %12zu %11.3f %9.3f %6.2f %9.3f %9.3f %6.2f %6zu  %s, %.1f iterations\n",
               ALL[i].name, elements, nodes, 1e3 * best[0], 1e3 * best[1], best[0] / best[1],
               1e3 * cpu[0], 1e3 * assembly[0], assembly[0] / assembly[1], bytes, solver.name,
               solver.iterations_mean);
        fflush(stdout);
        if (o.csv)
            fprintf(o.csv, "flexible,%s,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%zu\n", ALL[i].name,
                    elements, nodes, 1e3 * best[0], 1e3 * best[1], 1e3 * cpu[0], 1e3 * assembly[0],
                    1e3 * assembly[1], bytes);
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
