// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Growth: time of a step over the number of spheres, both methods. Spheres stand on a cubic lattice
// that just touches, 3 contacts a sphere, on a floor; shaken a little, so that nothing is a special
// case, and put in order in space, as runs of so many are. Complementarity takes 20 iterations of
// psor, penalty Hertz with history. What counts is that the last columns do not grow: the time of a
// step and sphere, and of a step and contact, beside that of the smallest bed. A large bed has less
// surface for its size, and more contacts a sphere.
#include "common.h"

#include <kairos/contact.h>
#include <kairos/particles.h>
#include <kairos/random.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

static const double RADIUS = 0.005;
static const size_t SIZES[] = {10000, 31000, 100000, 310000, 1000000, 2000000};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// `touch`: distance of neighbours over their diameter.
static void fill(kai_world* world, size_t count, double touch, kai_material material)
{
    double* x = malloc(3 * count * sizeof *x);
    if (!x) exit(1);
    const size_t side = (size_t)ceil(cbrt((double)count));
    const double pitch = 2.0 * RADIUS * touch;
    for (size_t i = 0; i < count; i++) {
        const size_t grid[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++)
            x[(size_t)k * count + i] =
                pitch * (double)grid[k] + (k == 2 ? touch * RADIUS : 0.0) +
                2e-4 * RADIUS * (kai_random_uniform(1, (uint64_t)k, i) - 0.5);
    }
    const kai_shape_sphere_params sphere = {RADIUS};
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.common.material = material;
    def.density = 2500.0;
    def.table = (kai_particle_table){.count = count, .x = x, .y = x + count, .z = x + 2 * count};
    common_check(world, kai_particles_create(world, &def, &group));
    free(x);
}

static kai_world* make(kai_contact_method method, size_t count, int threads)
{
    kai_body ground;
    kai_world* world = common_world(threads, (kai_vec3){0.0, 0.0, -9.81}, &ground);
    kai_contact_def contact = kai_contact_def_default();
    kai_material_def surface = kai_material_def_default();
    kai_solver_def solver = kai_solver_def_default();
    const kai_shape_plane_params plane = {{0.0, 0.0, 1.0}};
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    contact.method = method;
    surface.friction = 0.5;
    surface.young = 1e7;
    solver.type = KAI_SOLVER_PSOR;
    solver.iterations = 20;
    solver.tolerance = 1e-15;
    common_check(world, kai_contact_set(world, &contact));
    common_check(world, kai_solver_set(world, &solver));
    common_check(world, kai_material_create(world, &surface, &def.material));
    common_check(world, kai_shape_create(world, ground, &kai_shape_plane, &plane, &def, &shape));
    fill(world, count, method == KAI_CONTACT_NSC ? 1.0002 : 0.9995, def.material);
    common_check(world, kai_world_reorder(world));
    return world;
}

int main(int argc, char** argv)
{
    const common_options o =
        common_read_options(argc, argv, "bench_growth: time of a step over the number of spheres");
    const char* const names[] = {"", "nsc", "smc"};
    printf(
        "  method    spheres   contacts  n     ms a step  ns a sphere  ns a contact  bytes a sphere"
        "  growth  of contacts\n");
    if (o.csv)
        fprintf(o.csv, "method,spheres,contacts,threads,ms,ns,ns_contact,bytes,growth,"
                       "growth_contact\n");
    for (int method = KAI_CONTACT_NSC; method <= KAI_CONTACT_SMC; method++) {
        if (!common_wanted(&o, names[method])) continue;
        double first = 0.0, first_contact = 0.0;
        for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
            const size_t n = SIZES[i];
            if (o.size != 0 && (size_t)o.size != n && i > 0) continue;
            kai_world* world = make((kai_contact_method)method, n, 1);
            const double h = method == KAI_CONTACT_NSC ? 1e-3 : 2e-5;
            common_step(world, h, 3);
            double best = HUGE_VAL;
            const int steps = n < 100000 ? 20 : n < 1000000 ? 3 : 1;
            for (int r = 0; r < o.repetitions; r++) {
                const double began = now();
                common_step(world, h, steps);
                best = fmin(best, (now() - began) / steps);
            }
            const double ns = 1e9 * best / (double)n;
            const double bytes = (double)kai_world_stats(world).peak_bytes / (double)n;
            const size_t contacts = kai_contact_report_count(world);
            const double each = 1e9 * best / (double)contacts;
            if (first == 0.0) first = ns, first_contact = each;
            printf("  %-6s %10zu %10zu  1  %12.3f  %11.1f  %12.1f  %14.0f  %6.2f  %11.2f\n",
                   names[method], n, contacts, 1e3 * best, ns, each, bytes, ns / first,
                   each / first_contact);
            fflush(stdout);
            if (o.csv)
                fprintf(o.csv, "%s,%zu,%zu,1,%.5g,%.5g,%.5g,%.5g,%.4g,%.4g\n", names[method], n,
                        contacts, 1e3 * best, ns, each, bytes, ns / first, each / first_contact);
            kai_world_destroy(world);
        }
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
