// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of a settled bed of spheres between walls, as a run asks for them in every step: pairs
// are reused, contacts are found anew.
//
// `open`: no walls. `planes`: five planes. `boxes`: five fixed boxes as walls. `floor`: one box.
// `shuffled`: no walls, spheres in random order; `sorted`: these after kai_world_reorder.
//
// Spheres of diameter 0.01 m come from a table (--file FILE with columns x,y,z, as bed100k.csv),
// or else stand on a lattice that touches along half its bonds.
#include "base/clock.h"
#include "common.h"
#include "model/collision/collision.h"

#include <kairos/collision.h>
#include <kairos/particles.h>
#include <kairos/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const SCENES[] = {"open", "planes", "boxes", "floor", "shuffled", "sorted"};
enum { SCENE_COUNT = 6, MOST = 2000000 };
static const double RADIUS = 0.005;

typedef struct bed {
    size_t count;
    double *x, *y, *z;
    double low[3], high[3];
} bed;

static double* column(void)
{
    double* c = malloc(MOST * sizeof *c);
    if (c) return c;
    fprintf(stderr, "bench_contacts: no memory\n");
    exit(1);
}

static void read_bed(bed* b, const char* path)
{
    char line[512];
    FILE* f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "bench_contacts: cannot read %s\n", path);
        exit(1);
    }
    while (b->count < MOST && fgets(line, sizeof line, f)) {
        double x, y, z;
        if (sscanf(line, "%lf,%lf,%lf", &x, &y, &z) != 3) continue;
        b->x[b->count] = x;
        b->y[b->count] = y;
        b->z[b->count++] = z;
    }
    fclose(f);
}

/// Every bond of a simple lattice is a contact with probability one half.
static void make_lattice(bed* b, size_t count)
{
    const size_t side = (size_t)cbrt((double)count);
    for (size_t i = 0; i < count; i++) {
        const double at[3] = {(double)(i % side), (double)(i / side % side),
                              (double)(i / side / side)};
        double* out[3] = {&b->x[i], &b->y[i], &b->z[i]};
        for (uint64_t k = 0; k < 3; k++)
            *out[k] = RADIUS * (1.0 + 2.0 * at[k] + 2e-3 * kai_random_uniform(1, k, i));
    }
    b->count = count;
}

static void bound(bed* b)
{
    const double* columns[3] = {b->x, b->y, b->z};
    for (int k = 0; k < 3; k++) {
        b->low[k] = HUGE_VAL, b->high[k] = -HUGE_VAL;
        for (size_t i = 0; i < b->count; i++) {
            b->low[k] = fmin(b->low[k], columns[k][i] - RADIUS);
            b->high[k] = fmax(b->high[k], columns[k][i] + RADIUS);
        }
        // Walls touch more than one sphere.
        b->low[k] += 0.05 * RADIUS;
        b->high[k] -= 0.05 * RADIUS;
    }
}

/// A wall whose inner side has the given outward normal ∓ axis k at `at`.
static void add_wall(kai_world* world, kai_body ground, const bed* b, int k, double at, double sign,
                     bool box)
{
    kai_shape_def def = kai_shape_def_default();
    double p[3] = {0.5 * (b->low[0] + b->high[0]), 0.5 * (b->low[1] + b->high[1]),
                   0.5 * (b->low[2] + b->high[2])};
    double size[3] = {1.2, 1.2, 1.2};
    kai_shape_plane_params plane = {.normal = kai_vec3_scale(kai_vec3_axis(k), sign)};
    size[k] = 0.02;
    p[k] = box ? at - 0.01 * sign : at;
    def.at = kai_vec3_make(p[0], p[1], p[2]);
    kai_shape_box_params block = {.size = kai_vec3_make(size[0], size[1], size[2])};
    kai_shape shape;
    common_check(world,
                 kai_shape_create(world, ground, box ? &kai_shape_box : &kai_shape_plane,
                                  box ? (const void*)&block : (const void*)&plane, &def, &shape));
}

static kai_world* make(const bed* b, const char* scene, int threads)
{
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_zero(), &ground);
    const bool box = strcmp(scene, "planes") != 0, sorted = strcmp(scene, "sorted") == 0;
    const bool walls = strcmp(scene, "open") != 0 && strcmp(scene, "shuffled") != 0 && !sorted;
    if (walls) add_wall(world, ground, b, 2, b->low[2], 1.0, box);
    if (strcmp(scene, "planes") == 0 || strcmp(scene, "boxes") == 0) {
        for (int k = 0; k < 2; k++) {
            add_wall(world, ground, b, k, b->low[k], 1.0, box);
            add_wall(world, ground, b, k, b->high[k], -1.0, box);
        }
    }
    kai_particles_def def = kai_particles_def_default();
    kai_shape_sphere_params sphere = {.radius = RADIUS};
    def.shape = &kai_shape_sphere;
    def.shape_params = &sphere;
    def.density = 2500.0;
    def.table = (kai_particle_table){.count = b->count, .x = b->x, .y = b->y, .z = b->z};
    kai_particles group;
    common_check(world, kai_particles_create(world, &def, &group));
    if (sorted) common_check(world, kai_world_reorder(world));
    return world;
}

static void shuffle(const bed* b)
{
    for (size_t i = b->count - 1; i > 0; i--) {
        const size_t k = (size_t)(kai_random_uniform(1, 4, i) * (double)(i + 1));
        double* columns[3] = {b->x, b->y, b->z};
        for (int c = 0; c < 3; c++) {
            const double swap = columns[c][i];
            columns[c][i] = columns[c][k];
            columns[c][k] = swap;
        }
    }
}

typedef struct figures {
    double build[2], steady[2]; // s, on 1 thread and 2
    double pairs, contacts;
    double bytes; // a body, contacts not counted
} figures;

static double once(kai_world* world)
{
    const double began = kai_clock_now();
    common_check(world, kai_world_collide(world));
    return kai_clock_now() - began;
}

static figures measure(const bed* b, const char* scene, int repetitions)
{
    figures f = {.build = {HUGE_VAL, HUGE_VAL}, .steady = {HUGE_VAL, HUGE_VAL}};
    for (int t = 0; t < 2; t++) {
        kai_world* world = make(b, scene, t + 1);
        common_check(world, kai_world_collide(world));
        kai_proximity* p = &world->collision->proximity;
        for (int r = 0; r < repetitions; r++) {
            p->changed = true;
            f.build[t] = fmin(f.build[t], once(world));
            for (int k = 0; k < 10; k++) f.steady[t] = fmin(f.steady[t], once(world));
        }
        f.pairs = (double)p->broad.pair_count;
        f.contacts = (double)p->contact_count;
        f.bytes = (double)kai_proximity_bytes(p) / (double)b->count;
        kai_world_destroy(world);
    }
    return f;
}

int main(int argc, char** argv)
{
    const common_options options = common_read_options(
        argc, argv, "bench_contacts: contacts of a settled bed on 1 and 2 threads");
    bed b = {.x = column(), .y = column(), .z = column()};
    if (options.file)
        read_bed(&b, options.file);
    else
        make_lattice(&b, options.size ? (size_t)options.size : 100000);
    bound(&b);
    printf("%zu spheres\n"
           "  scene     pairs/body  contacts/body  build ms, 1      2  steady ms, 1      2  "
           "ns/pair, 1  ns/contact, 1  bytes/body\n",
           b.count);
    if (options.csv)
        fprintf(options.csv, "benchmark,scene,spheres,pairs,contacts,build_ms_1,build_ms_2,"
                             "steady_ms_1,steady_ms_2,bytes_per_body\n");
    const double n = (double)b.count;
    for (int k = 0; k < SCENE_COUNT; k++) {
        if (!common_wanted(&options, SCENES[k])) continue;
        if (strcmp(SCENES[k], "shuffled") == 0 || strcmp(SCENES[k], "sorted") == 0) shuffle(&b);
        const figures f = measure(&b, SCENES[k], options.repetitions);
        printf("  %-8s  %10.3f  %13.3f  %11.2f  %5.2f  %12.2f  %5.2f  %10.1f  %13.1f  %10.1f\n",
               SCENES[k], f.pairs / n, f.contacts / n, 1e3 * f.build[0], 1e3 * f.build[1],
               1e3 * f.steady[0], 1e3 * f.steady[1], 1e9 * f.steady[0] / f.pairs,
               1e9 * f.steady[0] / f.contacts, f.bytes);
        if (options.csv)
            fprintf(options.csv, "contacts,%s,%zu,%.0f,%.0f,%.4g,%.4g,%.4g,%.4g,%.4g\n", SCENES[k],
                    b.count, f.pairs, f.contacts, 1e3 * f.build[0], 1e3 * f.build[1],
                    1e3 * f.steady[0], 1e3 * f.steady[1], f.bytes);
        fflush(stdout);
    }
    free(b.x);
    free(b.y);
    free(b.z);
    if (options.csv) fclose(options.csv);
    return 0;
}
