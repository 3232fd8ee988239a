// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A packed bed by penalty (Hertz, full tangential history, restitution 0.3, friction 0.5) in a box
// without a lid, from a settled state: particle-steps a second on 1 thread and on 2, beside LAMMPS
// on the same state in the same run.
//
// The state is a table (--file, x y z vx vy vz) or ../shared/bench/bed100k.csv.gz; without one,
// spheres lie on a lattice. `bed`: the state as it is; `rolling`: with rolling and spinning
// friction; `general`: the same as the first by the general path;
// `tiled`: five by two copies of it, side by side (only with --only or --size). LAMMPS: its
// `granular` and `gran/hertz/history` styles, one process, on the same state. --only physics prints
// what the bed is like after 2,000 steps, for a comparison; --only memory what a sphere takes,
// array by array; --only flow what it costs that spheres come and go: step by step 1,000 leave the
// tiled bed (--size: the bed as it is), chosen by chance, and 1,000 come above it, beside the same bed
// alone.
//
// Steps are taken 20 in a row (kai_world_step_until). Bytes that a sphere and step must move then:
// states and forces 320 (grains.c), states written 128, the skin_box 16: 464. A step on its own looks
// at states and skin_boxes first, and keeps forces: 700.
#include "base/clock.h"
#include "common.h"
#include "contact/contacts.h"
#include "scene/particle_table.h"

#include <fcntl.h>
#include <kairos/contact.h>
#include <kairos/material.h>
#include <kairos/particles.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double RADIUS = 0.005, STEP = 4e-5, SIDE = 0.424;
static const double ARM = 1e-4; // of rolling and spinning friction, m
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
    if (kai_particle_table_read(fd, file ? file : STATES[0], SIZE_MAX, &data, &problems) !=
        KAI_OK) {
        fprintf(stderr, "bench_bed: the table cannot be read\n");
        exit(1);
    }
    const double side = data.count == 20000 ? 0.212 : SIDE;
    bed b = make_bed(data.count, side, side);
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

// Worlds ------------------------------------------------------------------------------------------

/// `arm`: of rolling and spinning friction, m.
static kai_world* make_world(const bed* b, int threads, double wall_young, double arm)
{
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, 0.0, -9.81), &ground);
    kai_material_def glass = kai_material_def_default();
    glass.name = (kai_string){"glass"};
    glass.young = 1e7;
    glass.poisson = 0.3;
    glass.restitution = 0.3;
    glass.friction = 0.5;
    glass.rolling_friction = glass.spinning_friction = arm;
    glass.density = 2500.0;
    kai_material material, walls;
    common_check(world, kai_material_create(world, &glass, &material));
    glass.name = (kai_string){"wall"};
    glass.young = wall_young;
    common_check(world, kai_material_create(world, &glass, &walls));
    const kai_vec3 normals[5] = {kai_vec3_make(1, 0, 0), kai_vec3_make(-1, 0, 0),
                                 kai_vec3_make(0, 1, 0), kai_vec3_make(0, -1, 0),
                                 kai_vec3_make(0, 0, 1)};
    for (int k = 0; k < 5; k++) {
        kai_shape wall;
        kai_shape_plane_params plane = {normals[k]};
        kai_shape_def shape = kai_shape_def_default();
        shape.material = walls;
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
    common_check(world, kai_world_reorder(world));
    return world;
}

static kai_contacts* contacts_of(kai_world* world)
{
    kai_contacts* contacts;
    common_check(world, kai_contacts_get(world, &contacts, NULL));
    return contacts;
}

// Time --------------------------------------------------------------------------------------------

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds a step.
typedef struct figure {
    const char* name;
    int threads;
    kai_world* world;
    double best; // by the clock, of any one run of steps
    double mean; // by the clock
    double cpu; // of the processor, mean: on one thread what the clock would say of a quiet machine
} figure;

static void measure(figure* f, int steps)
{
    const double began = kai_clock_now(), busy = cpu_now();
    common_check(f->world,
                 kai_world_step_until(f->world, kai_world_time(f->world) + steps * STEP, STEP));
    const double spent = (kai_clock_now() - began) / steps;
    f->best = fmin(f->best, spent);
    f->mean += spent;
    f->cpu += (cpu_now() - busy) / steps;
}

static void tell(const figure* f, const char* scene, double n, int repetitions, FILE* csv)
{
    const kai_stats stats = kai_world_stats(f->world);
    const double best = 1e9 * f->best / n, mean = 1e9 * f->mean / n / repetitions,
                 cpu = 1e9 * f->cpu / n / repetitions, bytes = (double)stats.peak_bytes / n;
    printf("  %-6s %-8s %d  %7.1f %7.1f %7.1f   %6.2f  %6.2f   %5.0f\n", scene, f->name, f->threads,
           best, mean, cpu, 1e3 / best, 1e3 / cpu, bytes);
    if (csv)
        fprintf(csv, "bed,%s,%s,%d,%.0f,%.4g,%.4g,%.4g,%.4g\n", scene, f->name, f->threads, n, best,
                mean, cpu, bytes);
    fflush(stdout);
}

static double children_cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static const char* find_deck(void)
{
    static const char* const DECKS[] = {"../shared/bench/lammps/bench.in",
                                        "../../shared/bench/lammps/bench.in"};
    for (int k = 0; k < 2; k++)
        if (access(DECKS[k], R_OK) == 0 && system("command -v lmp >/dev/null 2>&1") == 0)
            return DECKS[k];
    return NULL;
}

/// The state as LAMMPS reads it.
static void write_state(const bed* b, FILE* out)
{
    double top = 0.0;
    for (size_t i = 0; i < b->count; i++) top = fmax(top, b->z[i]);
    fprintf(out,
            "bed\n\n%zu atoms\n1 atom types\n\n0 %g xlo xhi\n0 %g ylo yhi\n0 %g zlo zhi\n\n"
            "Atoms # sphere\n\n",
            b->count, b->lx, b->ly, top + 0.03);
    for (size_t i = 0; i < b->count; i++)
        fprintf(out, "%zu 1 %g 2500 %.9g %.9g %.9g\n", i + 1, 2.0 * RADIUS, b->x[i], b->y[i],
                b->z[i]);
    fprintf(out, "\nVelocities\n\n");
    for (size_t i = 0; i < b->count; i++)
        fprintf(out, "%zu %.9g %.9g %.9g 0 0 0\n", i + 1, b->vx[i], b->vy[i], b->vz[i]);
}

/// Runs the deck for so many steps, two times, after a few warm ones. Returns the best time of a
/// step by the clock; `*cpu` is what the process has used in all.
static double run_deck(const char* deck, const char* data, const char* style, int steps,
                       double* cpu)
{
    char command[1024], line[512];
    snprintf(
        command, sizeof command,
        "OMP_NUM_THREADS=1 lmp -in %s -var data %s -var rx 1 -var ry 1 -var style %s -var every "
        "0 -var skin 0.0005 -var warm 5 -var steps %d -log none 2>&1",
        deck, data, style, steps);
    const double before = children_cpu();
    double best = HUGE_VAL;
    FILE* in = popen(command, "r");
    while (in && fgets(line, sizeof line, in)) {
        double found;
        int procs, done;
        if (sscanf(line, "Loop time of %lf on %d procs for %d steps", &found, &procs, &done) == 3 &&
            done == steps)
            best = fmin(best, found / done);
    }
    if (in) pclose(in);
    *cpu = children_cpu() - before;
    return best;
}

/// LAMMPS on the same state. What the processor spends on a step is the difference of a long and a
/// short run.
static void run_lammps(const bed* b, const char* style, int steps, const char* scene, FILE* csv)
{
    char data[] = "/tmp/bench_bed_XXXXXX";
    const char* deck = find_deck();
    if (!deck) {
        printf("  LAMMPS: no deck, or no `lmp` (package lammps)\n");
        return;
    }
    const int fd = mkstemp(data);
    FILE* out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out) return;
    write_state(b, out);
    fclose(out);
    const double n = (double)b->count;
    double few, many;
    run_deck(deck, data, style, 2, &few);
    const double ns = 1e9 / n * run_deck(deck, data, style, steps, &many),
                 cpu = 1e9 / n * (many - few) / (2.0 * (steps - 2));
    remove(data);
    printf("  %-6s LAMMPS %-8s 1     %7.1f %7.1f   %6.2f  %6.2f\n", scene, style, ns, cpu, 1e3 / ns,
           1e3 / cpu);
    if (csv) fprintf(csv, "bed,%s,lammps-%s,1,%zu,,%.4g,%.4g,\n", scene, style, b->count, ns, cpu);
}

static double difference(const kai_world* a, const kai_world* b)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_body_count(a); i++)
        most = fmax(most, kai_vec3_distance(kai_body_position(a, kai_body_at(a, i)),
                                            kai_body_position(b, kai_body_at(b, i))));
    return most;
}

static void compare(const bed* b, const char* scene, const common_options* options)
{
    const int steps = 20;
    figure figures[4] = {{"fast", 1, make_world(b, 1, 1e7, 0.0), HUGE_VAL, 0.0, 0.0},
                         {"fast", 2, make_world(b, 2, 1e7, 0.0), HUGE_VAL, 0.0, 0.0},
                         {"rolling", 1, NULL, HUGE_VAL, 0.0, 0.0},
                         {"general", 1, NULL, HUGE_VAL, 0.0, 0.0}};
    int count = 2;
    figures[count++].world = make_world(b, 1, 1e7, ARM);
    if (strcmp(scene, "bed") == 0 && common_wanted(options, "general")) {
        figures[count].world = make_world(b, 1, 1e7, 0.0);
        contacts_of(figures[count++].world)->plain = true;
    }
    for (int k = 0; k < count; k++) common_step(figures[k].world, STEP, steps);
    for (int r = 0; r < options->repetitions; r++)
        for (int k = 0; k < count; k++) measure(&figures[k], steps);
    for (int k = 0; k < count; k++)
        tell(&figures[k], scene, (double)b->count, options->repetitions, options->csv);
    printf("  states after 1 and 2 threads: %s\n",
           kai_world_hash(figures[0].world) == kai_world_hash(figures[1].world) ? "equal"
                                                                                : "DIFFERENT");
    if (count == 4)
        printf("  largest difference of a position between both ways after %d steps: %.2g m\n",
               steps * (options->repetitions + 1), difference(figures[0].world, figures[3].world));
    for (int k = 0; k < count; k++) kai_world_destroy(figures[k].world);
    if (!common_wanted(options, "LAMMPS") || options->size) return;
    run_lammps(b, "granular", 2 * steps, scene, options->csv);
    run_lammps(b, "classic", 2 * steps, scene, options->csv);
}

// Physics -----------------------------------------------------------------------------------------

static void tell_physics(kai_world* world, size_t spheres, int step)
{
    kai_energy energy;
    kai_vec3 force, moment, side = kai_vec3_zero();
    double height = 0.0;
    common_check(world, kai_world_energy(world, &energy));
    common_check(world, kai_contact_report_body(world, kai_body_at(world, 0), &force, &moment));
    size_t walls = 0;
    const size_t count = kai_contact_report_count(world);
    double floor = 0.0;
    for (size_t i = 0; i < count; i++) {
        kai_contact_report r;
        common_check(world, kai_contact_report_at(world, i, &r));
        const double nx = r.contact.normal.x, nz = r.contact.normal.z;
        if (r.contact.body_a.index != kai_body_at(world, 0).index) continue;
        walls++;
        if (nz > 0.9) floor += r.force.z;
        if (fabs(nx) > 0.9) side.x += nx * r.force.x;
    }
    for (size_t i = 1; i <= spheres; i++)
        height += kai_body_position(world, kai_body_at(world, i)).z / (double)spheres;
    printf(
        "  %5d  %.6g J  mean height %.7f m  coordination %.4f  floor %.5g N  walls x %.5g N  all "
        "%.5g N\n",
        step, energy.kinetic, height, 2.0 * (double)(count - walls) / (double)spheres, floor,
        side.x, -force.z);
}

static void show_physics(const bed* b)
{
    // LAMMPS takes E / 2(1 - ν) for walls, 1.3 times what the material gives: as with walls of
    // 1.857 E.
    kai_world* world = make_world(b, 2, 1.857e7, 0.0);
    const int every = 250, last = 2000;
    for (int step = 0; step < last; step += every) {
        common_step(world, STEP, every);
        tell_physics(world, b->count, step + every);
    }
    kai_world_destroy(world);
}

// Memory ------------------------------------------------------------------------------------------

static void tell_array(const char* name, double bytes, double spheres, double* sum)
{
    printf("  %-34s %7.2f\n", name, bytes / spheres);
    *sum += bytes;
}

static double bytes_of(const kai_array* a) { return (double)(a->capacity * a->stride); }

/// Every array that grows with the number of spheres, after steps in which new lists were made and
/// the last of which kept its forces; and the most that all of the world's memory ever was.
static void show_memory(const bed* b, int threads)
{
    kai_world* world = make_world(b, threads, 1e7, 0.0);
    const double n = (double)b->count;
    for (int k = 0; k < 10; k++)
        common_check(world, kai_world_step_until(world, kai_world_time(world) + 20 * STEP, STEP));
    const kai_bodies* bodies = &world->bodies;
    const kai_grains* g = &contacts_of(world)->grains;
    const double capacity = (double)bodies->capacity;
    double sum = 0.0;
    printf("bytes a sphere, %d thread%s\n", threads, threads == 1 ? "" : "s");
    tell_array("poses", capacity * sizeof(kai_pose), n, &sum);
    tell_array("motions", capacity * sizeof(kai_motion), n, &sum);
    tell_array("ids by slot, slots by id", 4.0 * capacity + bytes_of(&bodies->entries), n, &sum);
    tell_array("what particles share: index", 4.0 * capacity, n, &sum);
    tell_array("skin_boxes", bytes_of(&g->skin_boxes), n, &sum);
    tell_array("list: pairs", bytes_of(&g->list.entries), n, &sum);
    tell_array("list: histories", bytes_of(&g->list.history), n, &sum);
    tell_array("forces, and scratch of cells", bytes_of(&g->force), n, &sum);
    tell_array("ghosts: who and whose", bytes_of(&g->list.ghosts) + bytes_of(&g->ghost_scatter), n,
               &sum);
    tell_array("ghosts: sums", bytes_of(&g->ghost_force), n, &sum);
    tell_array("pair_batches of threads", bytes_of(&g->pair_batches), n, &sum);
    const kai_stats stats = kai_world_stats(world);
    tell_array("all the rest", (double)stats.bytes - sum, n, &sum);
    printf("  %-34s %7.2f\n  %-34s %7.2f\n", "all", (double)stats.bytes / n, "most at any time",
           (double)stats.peak_bytes / n);
    kai_world_destroy(world);
}

// Flow -------------------------------------------------------------------------------------------

enum { FLOW = 1000, FLOW_STEPS = 25 };

typedef struct flow {
    kai_world* world;
    kai_body* bodies; // [left] of the bed
    size_t left;
    uint64_t random;
    size_t steps;
    double lx, ly, top;
    kai_material material;
    double rounds[3]; // s: what steps took, what coming and going did; both, of the processor
} flow;

static size_t draw(flow* f, size_t n)
{
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((f->random >> 33) % n);
}

static flow begin_flow(const bed* b, int threads)
{
    flow f = {.world = make_world(b, threads, 1e7, 0.0),
              .bodies = need(malloc(b->count * sizeof(kai_body))),
              .left = b->count,
              .random = 1,
              .lx = b->lx,
              .ly = b->ly};
    for (size_t i = 0; i < b->count; i++) {
        f.top = fmax(f.top, b->z[i]);
        f.bodies[i] = kai_particles_body(f.world, kai_particles_at(f.world, 0), i);
    }
    f.material = kai_material_find(f.world, "glass");
    return f;
}

/// Some leave, as many come: each time in a layer of its own above the bed.
static void exchange(flow* f)
{
    kai_body leaving[FLOW];
    double x[FLOW], y[FLOW], z[FLOW];
    const int columns = (int)ceil(sqrt(FLOW * f->lx / f->ly)), rows = FLOW / columns + 1;
    for (int i = 0; i < FLOW; i++) {
        const size_t k = draw(f, f->left);
        leaving[i] = f->bodies[k];
        f->bodies[k] = f->bodies[--f->left];
        x[i] = f->lx * (i % columns + 0.5) / columns;
        y[i] = f->ly * (i / columns + 0.5) / rows;
        z[i] = f->top + 3.0 * RADIUS * (double)(f->steps + 1);
    }
    f->steps++;
    kai_particles group;
    kai_shape_sphere_params sphere = {RADIUS};
    kai_particles_def grains = kai_particles_def_default();
    grains.shape = &kai_shape_sphere;
    grains.shape_params = &sphere;
    grains.common.material = f->material;
    grains.table = (kai_particle_table){.count = FLOW, .x = x, .y = y, .z = z};
    common_check(f->world, kai_body_destroy_many(f->world, leaving, FLOW));
    common_check(f->world, kai_particles_create(f->world, &grains, &group));
}

static void take_flow_steps(flow* f, bool exchanging)
{
    for (int k = 0; k < FLOW_STEPS; k++) {
        const double began = kai_clock_now(), busy = cpu_now();
        if (exchanging) exchange(f);
        const double done = kai_clock_now();
        common_step(f->world, STEP, 1);
        f->rounds[0] += (kai_clock_now() - done) / FLOW_STEPS;
        f->rounds[1] += (done - began) / FLOW_STEPS;
        f->rounds[2] += (cpu_now() - busy) / FLOW_STEPS;
    }
}

static void show_flow(const bed* b, int repetitions, FILE* csv)
{
    for (int threads = 1; threads <= 2; threads++) {
        flow alone = begin_flow(b, threads), with = begin_flow(b, threads);
        take_flow_steps(&alone, false);
        take_flow_steps(&with, true);
        double least[2] = {HUGE_VAL, HUGE_VAL}, sum[2] = {0}, cpu[2] = {0}, exchanged = 0.0;
        for (int r = 0; r < repetitions; r++) {
            for (int k = 0; k < 3; k++) alone.rounds[k] = with.rounds[k] = 0.0;
            take_flow_steps(&alone, false);
            take_flow_steps(&with, true);
            const double took[2] = {alone.rounds[0], with.rounds[0] + with.rounds[1]};
            for (int k = 0; k < 2; k++) sum[k] += took[k], least[k] = fmin(least[k], took[k]);
            exchanged += with.rounds[1];
            cpu[0] += alone.rounds[2], cpu[1] += with.rounds[2];
        }
        const double n = 1e3 / repetitions;
        printf(
            "  %zu spheres, %d thread%s: alone %.1f ms a step, with %d coming and going %.1f ms "
            "(%.1f of them to come and go): %.3f times, of the best %.3f, by the processor %.3f\n",
            b->count, threads, threads > 1 ? "s" : "", n * sum[0], FLOW, n * sum[1], n * exchanged,
            sum[1] / sum[0], least[1] / least[0], cpu[1] / cpu[0]);
        printf("    bytes a sphere %.0f and %.0f\n",
               (double)kai_world_stats(alone.world).peak_bytes / (double)b->count,
               (double)kai_world_stats(with.world).peak_bytes / (double)b->count);
        if (csv)
            fprintf(csv, "bed,flow,%d,%d,%zu,%.4g,%.4g,,\n", FLOW, threads, b->count,
                    1e6 * n * sum[0] / (double)b->count, 1e6 * n * sum[1] / (double)b->count);
        kai_world_destroy(alone.world);
        kai_world_destroy(with.world);
        free(alone.bodies);
        free(with.bodies);
    }
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_bed: a packed bed by penalty");
    bed b = read_bed(options.file);
    if (options.only && strcmp(options.only, "physics") == 0) {
        show_physics(&b);
        free(b.x);
        return 0;
    }
    if (options.only && strcmp(options.only, "memory") == 0) {
        show_memory(&b, 1);
        show_memory(&b, 2);
        free(b.x);
        return 0;
    }
    if (options.only && strcmp(options.only, "flow") == 0) {
        bed big = options.size ? b : tile(&b, 5, 2);
        show_flow(&big, options.repetitions, options.csv);
        return 0;
    }
    printf("triad on one thread %.1f GB/s\n"
           "  scene  way   threads   ns a sphere and step     M sphere-steps/s   bytes\n"
           "                          best    mean    cpu      best   by cpu     a sphere\n",
           common_triad());
    if (options.csv)
        fprintf(options.csv, "benchmark,scene,way,threads,spheres,ns_best,ns_mean,ns_cpu,bytes\n");
    if (!options.size || options.size == (int)b.count) compare(&b, "bed", &options);
    if (options.size > (int)b.count || (options.only && strcmp(options.only, "tiled") == 0)) {
        bed big = tile(&b, 5, 2);
        compare(&big, "tiled", &options);
        free(big.x);
    }
    free(b.x);
    if (options.csv) fclose(options.csv);
    return 0;
}
