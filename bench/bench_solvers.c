// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Cone solvers on four problems: residual against iterations and against time. docs/solvers.md has
// the figures, tools/plot_solvers draws them.
//
//     stack    20 boxes, one upon the other
//     wall     10 courses of bricks in bond
//     bed      1,000 grains that have come to rest in a box
//     gravel   384 grains, stirred by a paddle on two arms with a motor (joints and contacts)
//
// A problem is brought to a typical state and saved. Every solver then takes the same step from it,
// without warm start, with more and more iterations.
#include "common.h"

#include "model/world.h"

#include <kairos/contact.h>
#include <kairos/random.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double H = 1e-3;

static const struct {
    const char* name;
    kai_solver_type type;
} SOLVERS[] = {{"psor", KAI_SOLVER_PSOR},
               {"bb", KAI_SOLVER_BB},
               {"apgd", KAI_SOLVER_APGD},
               {"admm", KAI_SOLVER_ADMM}};

static const int ITERATIONS[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

// Problems ---------------------------------------------------------------------------------------

static kai_world* make_world(kai_body* ground, kai_material* material)
{
    kai_world* world = common_world(2, (kai_vec3){0.0, 0.0, -9.81}, ground);
    kai_contact_def contact = kai_contact_def_default();
    kai_material_def surface = kai_material_def_default();
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}};
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    contact.method = KAI_CONTACT_NSC;
    common_check(world, kai_contact_set(world, &contact));
    surface.friction = 0.5;
    common_check(world, kai_material_create(world, &surface, material));
    def.material = *material;
    common_check(world, kai_shape_create(world, *ground, &kai_shape_plane, &plane, &def, &shape));
    kai_solver_def solver = kai_solver_def_default();
    solver.type = KAI_SOLVER_APGD;
    solver.iterations = 100;
    solver.tolerance = 1e-5;
    common_check(world, kai_solver_set(world, &solver));
    return world;
}

static kai_body add(kai_world* world, const kai_shape_kind* kind, const void* params, kai_vec3 at,
                    double density, kai_material material)
{
    kai_body_def def = kai_body_def_default();
    kai_shape_def shape_def = kai_shape_def_default();
    kai_body body;
    kai_shape shape;
    def.position = at;
    shape_def.material = material;
    common_check(world, kai_body_create(world, &def, &body));
    common_check(world, kai_shape_create(world, body, kind, params, &shape_def, &shape));
    common_check(world, kai_body_set_density(world, body, density));
    return body;
}

static kai_world* make_stack(void)
{
    kai_body ground;
    kai_material material;
    kai_world* world = make_world(&ground, &material);
    const kai_shape_box_params box = {{0.1, 0.1, 0.1}};
    for (int i = 0; i < 20; i++)
        add(world, &kai_shape_box, &box, (kai_vec3){0.0, 0.0, 0.05 + 0.1 * i}, 1000.0, material);
    common_step(world, H, 20);
    return world;
}

static kai_world* make_wall(void)
{
    kai_body ground;
    kai_material material;
    kai_world* world = make_world(&ground, &material);
    const kai_shape_box_params brick = {{0.2, 0.1, 0.1}};
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 10; i++)
            add(world, &kai_shape_box, &brick,
                (kai_vec3){0.2 * (i + 0.5 * (k % 2)), 0.0, 0.05 + 0.1 * k}, 2000.0, material);
    common_step(world, H, 20);
    return world;
}

/// Grains over a square of `side` of them, with four walls.
static void pour(kai_world* world, kai_body ground, kai_material material, int side, int layers)
{
    const double r = 0.01, pitch = 2.3 * r, half = 0.5 * pitch * side;
    for (int i = 0; i < 4; i++) {
        const double sign = i % 2 ? 1.0 : -1.0;
        const kai_shape_plane_params wall = {i < 2 ? (kai_vec3){-sign, 0.0, 0.0}
                                                   : (kai_vec3){0.0, -sign, 0.0}};
        kai_shape_def def = kai_shape_def_default();
        kai_shape shape;
        def.material = material;
        def.at = kai_vec3_scale(wall.normal, -half);
        common_check(world, kai_shape_create(world, ground, &kai_shape_plane, &wall, &def, &shape));
    }
    for (int i = 0; i < side * side * layers; i++) {
        const kai_shape_sphere_params ball = {
            r * (1.0 + 0.1 * (2.0 * kai_random_uniform(1, 0, (uint64_t)i) - 1.0))};
        const kai_vec3 at = {pitch * (i % side + 0.5) - half,
                             pitch * (i / side % side + 0.5) - half,
                             pitch * (i / side / side + 0.6)};
        const kai_body grain = add(world, &kai_shape_sphere, &ball, at, 2500.0, material);
        // so that no column stays one
        const kai_vec3 v = kai_vec3_scale(kai_random_direction(1, 1, (uint64_t)i), 0.5);
        common_check(world, kai_body_set_velocity(world, grain, v, kai_vec3_zero()));
    }
}

static kai_world* make_bed(void)
{
    kai_body ground;
    kai_material material;
    kai_world* world = make_world(&ground, &material);
    pour(world, ground, material, 10, 10);
    common_step(world, H, 500);
    return world;
}

/// A shaft that a motor turns, two arms hinged to it, a paddle at the end of each.
static kai_world* make_gravel(void)
{
    kai_body ground;
    kai_material material;
    kai_world* world = make_world(&ground, &material);
    pour(world, ground, material, 8, 6);
    const kai_shape_round_params rod = {0.008, 0.05};
    const kai_shape_box_params paddle = {{0.05, 0.004, 0.06}};
    const kai_body shaft =
        add(world, &kai_shape_cylinder, &rod, (kai_vec3){0.0, 0.0, 0.25}, 7800.0, material);
    common_joint(world, &kai_joint_revolute, ground, shaft, (kai_vec3){0.0, 0.0, 0.25});
    for (int i = 0; i < 2; i++) {
        const double x = i ? 0.05 : -0.05;
        const kai_body arm =
            add(world, &kai_shape_box, &paddle, (kai_vec3){x, 0.0, 0.19}, 2700.0, material);
        common_joint(world, &kai_joint_spherical, shaft, arm, (kai_vec3){0.2 * x, 0.0, 0.23});
    }
    kai_load_torque_params motor;
    kai_load load;
    kai_kind_defaults(&kai_load_torque.kind, &motor);
    motor.body = shaft;
    motor.value.z = kai_value_constant(0.02);
    common_check(world, kai_load_create(world, &kai_load_torque, &motor, "", &load));
    common_step(world, H, 400);
    return world;
}

static const struct {
    const char* name;
    kai_world* (*make)(void);
} PROBLEMS[] = {
    {"stack", make_stack}, {"wall", make_wall}, {"bed", make_bed}, {"gravel", make_gravel}};

// Runs -------------------------------------------------------------------------------------------

/// One step with so many iterations from the saved state; the best time of some.
static void measure(const char* path, kai_solver_type type, int iterations, int repetitions,
                    double* residual, double* seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i < repetitions; i++) {
        kai_world_def def = kai_world_def_default();
        kai_world* world = NULL;
        kai_error err;
        def.threads = 1;
        if (kai_world_load(&def, path, &world, &err) != KAI_OK) {
            fprintf(stderr, "bench_solvers: %s\n", err.message);
            exit(1);
        }
        kai_solver_def solver = kai_solver_get(world);
        kai_contact_def contact = kai_contact_get(world);
        solver.type = type;
        solver.iterations = iterations;
        solver.tolerance = 1e-15;
        contact.warm_start = false;
        common_check(world, kai_solver_set(world, &solver));
        common_check(world, kai_contact_set(world, &contact));
        const double before = kai_world_stats(world).solve_seconds;
        common_check(world, kai_world_step(world, H));
        *seconds = fmin(*seconds, kai_world_stats(world).solve_seconds - before);
        *residual = world->solver_tally.cone_last;
        kai_world_destroy(world);
    }
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(
        argc, argv, "bench_solvers: residual of cone solvers against iterations and time");
    const size_t counts = sizeof ITERATIONS / sizeof ITERATIONS[0];
    char path[64];
    snprintf(path, sizeof path, "bench_solvers_%ld.h5", (long)getpid());
    if (o.csv) fprintf(o.csv, "problem,bodies,contacts,solver,iterations,residual,seconds\n");
    for (size_t p = 0; p < sizeof PROBLEMS / sizeof PROBLEMS[0]; p++) {
        if (!common_wanted(&o, PROBLEMS[p].name)) continue;
        kai_world* world = PROBLEMS[p].make();
        const size_t bodies = kai_body_count(world), contacts = kai_contact_report_count(world);
        common_check(world, kai_world_save(world, path));
        kai_world_destroy(world);
        printf("%s: %zu bodies, %zu contacts; residual, m/s, after so many iterations\n        ",
               PROBLEMS[p].name, bodies, contacts);
        for (size_t k = 0; k < counts; k++) printf(" %8d", ITERATIONS[k]);
        printf("\n");
        for (size_t s = 0; s < sizeof SOLVERS / sizeof SOLVERS[0]; s++) {
            // admm factorises a dense matrix: not for beds
            if (SOLVERS[s].type == KAI_SOLVER_ADMM && contacts > 1500) continue;
            printf("  %-6s", SOLVERS[s].name);
            for (size_t k = 0; k < counts; k++) {
                double residual, seconds;
                measure(path, SOLVERS[s].type, ITERATIONS[k], o.repetitions, &residual, &seconds);
                printf(" %8.1e", residual);
                if (o.csv)
                    fprintf(o.csv, "%s,%zu,%zu,%s,%d,%.4g,%.4g\n", PROBLEMS[p].name, bodies,
                            contacts, SOLVERS[s].name, ITERATIONS[k], residual, seconds);
            }
            printf("\n");
            fflush(stdout);
            if (o.csv) fflush(o.csv);
        }
        remove(path);
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
