// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A packed bed by penalty (Hertz, full tangential history, restitution 0.3, friction 0.5) in a box
// without a lid, from a settled state: particle-steps a second on 1 thread and on 2, beside LAMMPS
// on the same state in the same run.
//
// The state is a table (--file, x y z vx vy vz) or ../shared/bench/bed100k.csv.gz; without one,
// spheres are poured on a lattice. Sizes: `bed` the state as it is, `general` the same by the
// general path, `tiled` five by two copies of it, side by side.
//
// What a sphere and step must move: grains.c 390 bytes, the halves of the motion and the kick 640,
// boxes 130; see there.
#include "base/clock.h"
#include "common.h"
#include "contact/contacts.h"
#include "proximity/broad_order.h"
#include "scene/particle_table.h"

#include <fcntl.h>
#include <kairos/contact.h>
#include <kairos/material.h>
#include <kairos/particles.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double RADIUS = 0.005, STEP = 4e-5, SIDE = 0.424;
static const char* const STATES[] = {"../shared/bench/bed100k.csv.gz",
                                     "../../shared/bench/bed100k.csv.gz"};

typedef struct bed {
    size_t count;
    double *x, *y, *z, *vx, *vy, *vz; // [count]
    double lx, ly;                    // of the box
} bed;

static void* need(void* block)
{
    if (block) return block;
    fprintf(stderr, "bench_bed: no memory\n");
    exit(1);
}

static bed make_bed(size_t count, double lx, double ly)
{
    double* all = need(calloc(6 * count + 1, sizeof *all));
    return (bed){
        count,           all, all + count, all + 2 * count, all + 3 * count, all + 4 * count,
        all + 5 * count, lx,  ly};
}

/// Without a table: a lattice a little wider than the spheres.
static bed pour(void)
{
    const int nx = 40, nz = 63;
    bed b = make_bed((size_t)(nx * nx * nz), SIDE, SIDE);
    for (size_t i = 0; i < b.count; i++) {
        const double a = SIDE / nx;
        b.x[i] = a * (0.5 + (double)(i % (size_t)nx));
        b.y[i] = a * (0.5 + (double)(i / (size_t)nx % (size_t)nx));
        b.z[i] = RADIUS * 1.001 * (1.0 + 2.0 * (double)(i / (size_t)(nx * nx)));
    }
    return b;
}

static bed read_bed(const char* file)
{
    int fd = file ? open(file, O_RDONLY) : -1;
    for (int k = 0; k < 2 && fd < 0 && !file; k++) fd = open(STATES[k], O_RDONLY);
    if (fd < 0) {
        printf("no table of a settled bed: spheres on a lattice instead\n");
        return pour();
    }
    kai_particle_table_data data;
    kai_problems problems = {0};
    if (kai_particle_table_read(fd, file ? file : STATES[0], &data, &problems) != KAI_OK) {
        fprintf(stderr, "bench_bed: the table cannot be read\n");
        exit(1);
    }
    bed b = make_bed(data.count, SIDE, SIDE);
    const kai_particle_table t = kai_particle_table_view(&data);
    const double* from[6] = {t.x, t.y, t.z, t.vx, t.vy, t.vz};
    double* to[6] = {b.x, b.y, b.z, b.vx, b.vy, b.vz};
    for (int k = 0; k < 6; k++)
        if (from[k]) memcpy(to[k], from[k], b.count * sizeof(double));
    return b;
}

static bed tile(const bed* one, size_t nx, size_t ny)
{
    bed b = make_bed(one->count * nx * ny, one->lx * (double)nx, one->ly * (double)ny);
    for (size_t i = 0; i < b.count; i++) {
        const size_t k = i % one->count, copy = i / one->count;
        b.x[i] = one->x[k] + one->lx * (double)(copy % nx);
        b.y[i] = one->y[k] + one->ly * (double)(copy / nx);
        b.z[i] = one->z[k];
        b.vx[i] = one->vx[k];
        b.vy[i] = one->vy[k];
        b.vz[i] = one->vz[k];
    }
    return b;
}

// The order of space ------------------------------------------------------------------------------

static void fill(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes, float* travel,
                 void* context)
{
    const bed* b = context;
    for (size_t i = begin; i < end; i++) {
        const kai_vec3 at = kai_vec3_make(b->x[i], b->y[i], b->z[i]),
                       by = kai_vec3_make(RADIUS, RADIUS, RADIUS);
        kai_broad_round(&boxes[i - begin], kai_vec3_sub(at, by), kai_vec3_add(at, by), origin);
        boxes[i - begin].owner = (uint32_t)i;
        boxes[i - begin].family = 1;
        boxes[i - begin].mask = UINT16_MAX;
        if (travel) travel[i - begin] = 0.0f;
    }
}

static void reorder(bed* b)
{
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    uint32_t* order = need(malloc(b->count * sizeof *order));
    if (kai_broad_order(&memory, 2, b->count, fill, b, order, NULL) != KAI_OK) exit(1);
    bed sorted = make_bed(b->count, b->lx, b->ly);
    const double* from[6] = {b->x, b->y, b->z, b->vx, b->vy, b->vz};
    double* to[6] = {sorted.x, sorted.y, sorted.z, sorted.vx, sorted.vy, sorted.vz};
    for (int k = 0; k < 6; k++)
        for (size_t i = 0; i < b->count; i++) to[k][i] = from[k][order[i]];
    free(order);
    free(b->x);
    *b = sorted;
}

// Worlds ------------------------------------------------------------------------------------------

static kai_world* make_world(const bed* b, int threads)
{
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, 0.0, -9.81), &ground);
    kai_material_def glass = kai_material_def_default();
    glass.young = 1e7;
    glass.poisson = 0.3;
    glass.restitution = 0.3;
    glass.friction = 0.5;
    glass.density = 2500.0;
    kai_material material;
    common_check(world, kai_material_create(world, &glass, &material));
    const kai_vec3 normals[5] = {kai_vec3_make(1, 0, 0), kai_vec3_make(-1, 0, 0),
                                 kai_vec3_make(0, 1, 0), kai_vec3_make(0, -1, 0),
                                 kai_vec3_make(0, 0, 1)};
    for (int k = 0; k < 5; k++) {
        kai_shape wall;
        kai_shape_plane_params plane = {normals[k]};
        kai_shape_def shape = kai_shape_def_default();
        shape.material = material;
        if (k == 1) shape.at.x = b->lx;
        if (k == 3) shape.at.y = b->ly;
        common_check(world,
                     kai_shape_create(world, ground, &kai_shape_plane, &plane, &shape, &wall));
    }
    kai_particles group;
    kai_shape_sphere_params sphere = {RADIUS};
    kai_particles_def grains = kai_particles_def_default();
    grains.shape = &kai_shape_sphere;
    grains.shape_params = &sphere;
    grains.common.material = material;
    grains.table = (kai_particle_table){
        .count = b->count, .x = b->x, .y = b->y, .z = b->z, .vx = b->vx, .vy = b->vy, .vz = b->vz};
    common_check(world, kai_particles_create(world, &grains, &group));
    kai_contact_def contact = kai_contact_def_default();
    contact.method = KAI_CONTACT_SMC;
    common_check(world, kai_contact_set(world, &contact));
    return world;
}

static void general(kai_world* world, bool general)
{
    kai_contacts* contacts;
    common_check(world, kai_contacts_get(world, &contacts, NULL));
    contacts->plain = general;
}

#include <time.h>
static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_bed: a packed bed by penalty");
    bed b = read_bed(options.file);
    if (options.size > (int)b.count) {
        const bed big = tile(&b, 5, 2);
        free(b.x);
        b = big;
    }
    reorder(&b);
    const int steps = 20;
    kai_world* worlds[3] = {make_world(&b, 1), make_world(&b, 2), NULL};
    if (common_wanted(&options, "general")) worlds[2] = make_world(&b, 1);
    if (worlds[2]) general(worlds[2], true);
    double best[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, cpu[3] = {0};
    for (int k = 0; k < 3; k++)
        if (worlds[k]) common_step(worlds[k], STEP, steps);
    for (int r = 0; r < options.repetitions; r++) {
        for (int k = 0; k < 3; k++) {
            if (!worlds[k]) continue;
            for (int i = 0; i < steps; i++) {
                const double began = kai_clock_now(), busy = cpu_now();
                common_step(worlds[k], STEP, 1);
                best[k] = fmin(best[k], kai_clock_now() - began);
                cpu[k] += cpu_now() - busy;
            }
        }
    }
    const double n = (double)b.count;
    const char* names[3] = {"1 thread", "2 threads", "general path"};
    for (int k = 0; k < 3; k++) {
        if (!worlds[k]) continue;
        kai_stats stats;
        stats = kai_world_stats(worlds[k]);
        kai_energy energy;
        common_check(worlds[k], kai_world_energy(worlds[k], &energy));
        printf(
            "%-13s %6.1f ns  %6.2f M particle-steps/s  %5.0f bytes (peak %5.0f)  contacts %.4f  kinetic %.6g elastic %.6g "
            "dissipated %.6g  prox %.1f form %.1f\n",
            names[k], 1e9 * best[k] / n, 1e-6 * n / best[k], (double)stats.bytes / n,
            (double)stats.peak_bytes / n, (double)kai_collision_count(worlds[k]) / n,
            energy.kinetic, energy.elastic, energy.dissipated,
            stats.proximity_seconds * 1e9 / n / (double)((options.repetitions + 1) * steps),
            stats.formulation_seconds * 1e9 / n / (double)((options.repetitions + 1) * steps));
    }
    if (worlds[2]) {
        double most = 0.0, turn = 0.0;
        for (size_t i = 0; i < kai_body_count(worlds[0]); i++) {
            const kai_body id = kai_body_at(worlds[0], i), other = kai_body_at(worlds[2], i);
            most = fmax(most, kai_vec3_distance(kai_body_position(worlds[0], id),
                                                kai_body_position(worlds[2], other)));
            turn = fmax(turn, kai_vec3_distance(kai_body_angular_velocity(worlds[0], id),
                                                kai_body_angular_velocity(worlds[2], other)));
        }
        printf("largest difference between both paths: %.3g m, %.3g rad/s\n", most, turn);
    }
    printf("states after 1 and 2 threads: %s\n",
           kai_world_hash(worlds[0]) == kai_world_hash(worlds[1]) ? "equal" : "DIFFERENT");
    for (int k = 0; k < 3; k++) kai_world_destroy(worlds[k]);
    free(b.x);
    return 0;
}
