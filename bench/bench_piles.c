// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Whole steps by complementarity, 50 iterations of psor, warm started, on 1 thread and on 2 in
// turn.
//
//     bed       the settled bed of 20,000 spheres of ../shared/bench; μ 0.5, h 1 ms, recovery speed
//               0.1 m/s, envelope 0.1 R; `bed-apgd`: the same by apgd; `bed-slick`: without
//               friction, spheres that do not rotate
//               `bed-bullet`, `bed-ode`: by these engines, where they are installed, on 1 thread
//     stack     20 boxes, h 2 ms
//     mixer     scenes/mixer.json: 64 balls, cubes and cans each, after 6 s
//     mixed     1,728 bodies, a third each: spheres R, cubes 1.6 R, ellipsoids 1.2 × 0.9 × 0.9 R,
//               R 0.05 m, μ 0.5, h 2 ms, poured into a box
//     mixed20k  20,000 of them; --size N: other numbers
//     rest      only by --only: the bed for 2,000 steps with 100 iterations; what moves and how
//     deep
//               spheres overlap
//
// Times are the best of all steps by the clock, and the mean of the processor's time: on a machine
// that others use, the second is what one thread would take if it were alone. Phases are means.
#include "base/clock.h"
#include "common.h"
#include "peers/bed.h"
#include "scene/particle_table.h"

#include <fcntl.h>
#include <kairos/collision.h>
#include <kairos/contact.h>
#include <kairos/material.h>
#include <kairos/particles.h>
#include <kairos/random.h>
#include <kairos/scene.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITERATIONS = 50 };

typedef struct pile {
    const char* name;
    kai_world* world[2]; // on 1 thread, on 2
    kai_scene* scene[2]; // whose they are; NULL: nobody's
    double h;
    int settle, steps; // before, and in a repetition
    double best[2], cpu[2];
    int done;        // repetitions
    kai_stats since; // figures of the first world after it has settled
} pile;

static void* need(void* block)
{
    if (block) return block;
    fprintf(stderr, "bench_piles: no memory\n");
    exit(1);
}

// Worlds ------------------------------------------------------------------------------------------

static void set_up(kai_world* world, kai_solver_type type, double envelope)
{
    kai_contact_def contact = kai_contact_def_default();
    kai_solver_def solver = kai_solver_def_default();
    contact.method = KAI_CONTACT_NSC;
    contact.recovery_speed = 0.1;
    contact.envelope = envelope;
    solver.type = type;
    solver.iterations = ITERATIONS;
    common_check(world, kai_contact_set(world, &contact));
    common_check(world, kai_solver_set(world, &solver));
}

static kai_material make_material(kai_world* world, double density, double friction)
{
    kai_material_def def = kai_material_def_default();
    kai_material material;
    def.friction = friction;
    def.density = density;
    common_check(world, kai_material_create(world, &def, &material));
    return material;
}

/// A floor at z = 0 and walls around 0 … side; without a lid.
static void add_walls(kai_world* world, kai_body ground, double side, kai_material material)
{
    const kai_vec3 normals[5] = {kai_vec3_make(1, 0, 0), kai_vec3_make(-1, 0, 0),
                                 kai_vec3_make(0, 1, 0), kai_vec3_make(0, -1, 0),
                                 kai_vec3_make(0, 0, 1)};
    for (int k = 0; k < 5; k++) {
        const kai_shape_plane_params plane = {normals[k]};
        kai_shape_def def = kai_shape_def_default();
        kai_shape wall;
        def.material = material;
        if (k == 1) def.at.x = side;
        if (k == 3) def.at.y = side;
        common_check(world, kai_shape_create(world, ground, &kai_shape_plane, &plane, &def, &wall));
    }
}

static void add_group(kai_world* world, const kai_shape_kind* kind, const void* params,
                      kai_material material, bool rotates, kai_particle_table table)
{
    kai_particles_def def = kai_particles_def_default();
    kai_particles group;
    def.shape = kind;
    def.shape_params = params;
    def.common.material = material;
    def.rotates = rotates;
    def.table = table;
    common_check(world, kai_particles_create(world, &def, &group));
}

static const double BED_RADIUS = 0.005, BED_SIDE = 0.212, BED_DENSITY = 2500.0; // m, m, kg/m³

/// The spheres of the bed; false: their file is not here.
static bool read_bed(kai_particle_table_data* data)
{
    static const char* const STATES[] = {"../shared/bench/bed20k.csv.gz",
                                         "../../shared/bench/bed20k.csv.gz"};
    int fd = -1;
    for (int k = 0; k < 2 && fd < 0; k++) fd = open(STATES[k], O_RDONLY);
    if (fd < 0) return false;
    kai_problems problems = {0};
    return kai_particle_table_read(fd, STATES[0], SIZE_MAX, data, &problems) == KAI_OK;
}

static kai_world* make_bed(int threads, kai_solver_type type, bool slick)
{
    kai_particle_table_data data;
    if (!read_bed(&data)) return NULL;
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, 0.0, -9.81), &ground);
    const kai_shape_sphere_params sphere = {BED_RADIUS};
    const kai_material material = make_material(world, BED_DENSITY, slick ? 0.0 : 0.5);
    set_up(world, type, 0.1 * BED_RADIUS);
    add_walls(world, ground, BED_SIDE, material);
    add_group(world, &kai_shape_sphere, &sphere, material, !slick, kai_particle_table_view(&data));
    kai_particle_table_free(&data);
    common_check(world, kai_world_reorder(world));
    return world;
}

static kai_world* make_stack(int threads)
{
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, 0.0, -9.81), &ground);
    kai_shape_def def = kai_shape_def_default();
    kai_shape shape;
    const kai_shape_box_params floor = {kai_vec3_make(6.0, 6.0, 0.2)},
                               box = {kai_vec3_make(0.25, 0.25, 0.25)};
    def.material = make_material(world, 600.0, 0.5);
    set_up(world, KAI_SOLVER_PSOR, 0.0);
    def.at.z = -0.1;
    common_check(world, kai_shape_create(world, ground, &kai_shape_box, &floor, &def, &shape));
    double x[20] = {0.0}, z[20];
    for (int i = 0; i < 20; i++) z[i] = 0.125 + 0.25 * i;
    add_group(world, &kai_shape_box, &box, def.material, true,
              (kai_particle_table){.count = 20, .x = x, .y = x, .z = z});
    return world;
}

static kai_world* make_mixer(int threads, kai_scene** scene)
{
    kai_scene_def def = kai_scene_def_default();
    kai_error err = {0};
    def.path = "scenes/mixer.json";
    def.world.threads = threads;
    if (kai_scene_open(&def, scene, &err) == KAI_OK) return kai_scene_world(*scene);
    printf("no scenes/mixer.json here\n");
    return NULL;
}

/// Bodies of three shapes on a lattice, turned at random, above each other in a box.
static kai_world* make_mixed(int threads, size_t count)
{
    static const double R = 0.05;
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, 0.0, -9.81), &ground);
    const kai_material material = make_material(world, 2500.0, 0.5);
    const size_t side = (size_t)ceil(cbrt((double)count) - 1e-9);
    const double pitch = 2.5 * R;
    const kai_shape_sphere_params sphere = {R};
    const kai_shape_box_params cube = {kai_vec3_make(1.6 * R, 1.6 * R, 1.6 * R)};
    const kai_shape_ellipsoid_params egg = {kai_vec3_make(1.2 * R, 0.9 * R, 0.9 * R)};
    const kai_shape_kind* const kinds[3] = {&kai_shape_sphere, &kai_shape_box,
                                            &kai_shape_ellipsoid};
    const void* const params[3] = {&sphere, &cube, &egg};
    double* data = need(malloc(7 * count * sizeof *data));
    set_up(world, KAI_SOLVER_PSOR, 0.0);
    add_walls(world, ground, pitch * (double)side, material);
    for (size_t kind = 0; kind < 3; kind++) {
        kai_particle_table t = {.x = data,
                                .y = data + count,
                                .z = data + 2 * count,
                                .qw = data + 3 * count,
                                .qx = data + 4 * count,
                                .qy = data + 5 * count,
                                .qz = data + 6 * count};
        for (size_t i = kind; i < count; i += 3, t.count++) {
            const double at[3] = {(double)(i % side), (double)(i / side % side),
                                  (double)(i / side / side)};
            kai_quat q;
            double* parts[4] = {&q.w, &q.x, &q.y, &q.z};
            for (uint64_t k = 0; k < 4; k++) *parts[k] = kai_random_uniform(1, k, i) - 0.5;
            q = kai_quat_normalize(q);
            for (size_t k = 0; k < 3; k++) data[k * count + t.count] = pitch * (at[k] + 0.5);
            for (size_t k = 0; k < 4; k++) data[(3 + k) * count + t.count] = *parts[k];
        }
        add_group(world, kinds[kind], params[kind], material, true, t);
    }
    free(data);
    common_check(world, kai_world_reorder(world));
    return world;
}

// Time --------------------------------------------------------------------------------------------

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(pile* p)
{
    for (int t = 0; t < 2; t++) {
        const double began = cpu_now();
        for (int i = 0; i < p->steps; i++) {
            const double before = kai_clock_now();
            common_step(p->world[t], p->h, 1);
            p->best[t] = fmin(p->best[t], kai_clock_now() - before);
        }
        p->cpu[t] += (cpu_now() - began) / p->steps;
    }
    p->done++;
}

static void tell(const pile* p, FILE* csv)
{
    const kai_stats s = kai_world_stats(p->world[0]);
    const double steps = p->done * p->steps, scale = 1e3;
    const double phases[4] = {s.proximity_seconds - p->since.proximity_seconds,
                              s.formulation_seconds - p->since.formulation_seconds,
                              s.solve_seconds - p->since.solve_seconds,
                              s.step_seconds - p->since.step_seconds};
    const size_t contacts = kai_contact_report_count(p->world[0]);
    printf("  %-9s %7zu %8zu  %9.4f %9.4f  %5.2f  %9.4f   %8.4f %8.4f %8.4f %8.4f  %s\n", p->name,
           s.bodies - 1, contacts, scale * p->best[0], scale * p->best[1], p->best[0] / p->best[1],
           scale * p->cpu[0] / p->done, scale * phases[0] / steps, scale * phases[1] / steps,
           scale * phases[2] / steps, scale * phases[3] / steps,
           kai_world_hash(p->world[0]) == kai_world_hash(p->world[1]) ? "equal" : "DIFFERENT");
    if (csv)
        fprintf(csv, "piles,%s,%zu,%zu,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g,%.5g\n", p->name, s.bodies - 1,
                contacts, scale * p->best[0], scale * p->best[1], scale * p->cpu[0] / p->done,
                scale * phases[0] / steps, scale * phases[1] / steps, scale * phases[2] / steps,
                scale * phases[3] / steps);
    fflush(stdout);
}

static void run(pile* p, const common_options* o)
{
    if (!p->world[0] || !p->world[1]) {
        printf("  %-9s left out: its file is not here\n", p->name);
        return;
    }
    for (int t = 0; t < 2; t++) {
        common_step(p->world[t], p->h, p->settle);
        p->best[t] = HUGE_VAL;
    }
    p->since = kai_world_stats(p->world[0]);
    for (int r = 0; r < o->repetitions; r++) measure(p);
    tell(p, o->csv);
    for (int t = 0; t < 2; t++) {
        if (p->scene[t])
            kai_scene_close(p->scene[t]);
        else
            kai_world_destroy(p->world[t]);
    }
}

// Others ------------------------------------------------------------------------------------------

static const struct {
    const char *name, *package;
    const bed_peer* peer; // NULL: not built in
} PEERS[] = {
#ifdef KAIROS_PEER_BULLET_BED
    {"bed-bullet", "libbullet-dev and g++", &bed_bullet},
#else
    {"bed-bullet", "libbullet-dev and g++", NULL},
#endif
#ifdef KAIROS_PEER_ODE_BED
    {"bed-ode", "libode-dev", &bed_ode},
#else
    {"bed-ode", "libode-dev", NULL},
#endif
};

/// Another engine on the bed, on one thread: the best of a few steps.
static void run_peer(const char* name, const bed_peer* peer, const common_options* o)
{
    kai_particle_table_data data;
    if (!read_bed(&data)) return;
    const kai_particle_table table = kai_particle_table_view(&data);
    const bed_scene scene = {.count = table.count,
                             .x = table.x,
                             .y = table.y,
                             .z = table.z,
                             .radius = BED_RADIUS,
                             .density = BED_DENSITY,
                             .friction = 0.5,
                             .side = BED_SIDE,
                             .gravity = 9.81,
                             .step = 1e-3,
                             .iterations = ITERATIONS};
    void* bed = peer->create(&scene);
    kai_particle_table_free(&data);
    if (!bed) return;
    double best = HUGE_VAL;
    for (int i = 0; i < 5; i++) peer->step(bed);
    for (int i = 0; i < 2 * o->repetitions; i++) {
        const double before = kai_clock_now();
        peer->step(bed);
        best = fmin(best, kai_clock_now() - before);
    }
    printf("  %-10s %6zu %8zu  %9.4f   %s %s; mean height %.4f m\n", name, scene.count,
           peer->contacts(bed), 1e3 * best, peer->engine, peer->method, peer->height(bed));
    if (o->csv)
        fprintf(o->csv, "piles,%s,%zu,%zu,%.5g,,,,,,\n", name, scene.count, peer->contacts(bed),
                1e3 * best);
    fflush(stdout);
    peer->destroy(bed);
}

/// A bed at rest stays at rest: what it is like every 200 steps.
static void show_rest(void)
{
    kai_world* world = make_bed(2, KAI_SOLVER_PSOR, false);
    if (!world) {
        printf("  rest      left out: its file is not here\n");
        return;
    }
    kai_solver_def solver = kai_solver_get(world);
    solver.iterations = 100;
    common_check(world, kai_solver_set(world, &solver));
    double worst = 0.0;
    printf(
        "  step   kinetic energy, J   deepest of 200 steps, R   mean residual, m/s   contacts\n");
    for (int step = 1; step <= 2000; step++) {
        common_step(world, 1e-3, 1);
        worst = fmax(worst, kai_collision_depth(world));
        if (step != 1 && step % 200 != 0) continue;
        kai_energy energy;
        common_check(world, kai_world_energy(world, &energy));
        printf("  %4d   %17.4g   %23.5f   %18.3g   %8zu\n", step, energy.kinetic,
               worst / BED_RADIUS, kai_solver_measured(world).residual_mean,
               kai_contact_report_count(world));
        fflush(stdout);
        worst = 0.0;
    }
    kai_world_destroy(world);
}

static bool wanted(const common_options* o, const char* name)
{
    return !o->only || strcmp(o->only, name) == 0;
}

int main(int argc, char** argv)
{
    const common_options o = common_read_options(
        argc, argv, "bench_piles: whole steps of frictional contact by complementarity");
    if (o.only && strcmp(o.only, "rest") == 0) {
        show_rest();
        return 0;
    }
    printf("  scene      bodies contacts  ms, 1 thr     2 thr   gain   ms, cpu   proximity  "
           "formul.    solve     step\n");
    if (o.csv)
        fprintf(o.csv, "benchmark,scene,bodies,contacts,ms_1,ms_2,cpu_ms_1,proximity_ms,"
                       "formulation_ms,solve_ms,step_ms\n");
    if (wanted(&o, "stack")) {
        pile p = {"stack", {make_stack(1), make_stack(2)}, .h = 2e-3, .settle = 200, .steps = 200};
        run(&p, &o);
    }
    if (wanted(&o, "mixer")) {
        pile p = {"mixer", .h = 0.02, .settle = 300, .steps = 20};
        for (int t = 0; t < 2; t++) p.world[t] = make_mixer(t + 1, &p.scene[t]);
        run(&p, &o);
    }
    if (wanted(&o, "mixed")) {
        const size_t n = o.size ? (size_t)o.size : 1728;
        pile p = {
            "mixed", {make_mixed(1, n), make_mixed(2, n)}, .h = 2e-3, .settle = 400, .steps = 5};
        run(&p, &o);
    }
    if (wanted(&o, "bed")) {
        pile p = {"bed",
                  {make_bed(1, KAI_SOLVER_PSOR, false), make_bed(2, KAI_SOLVER_PSOR, false)},
                  .h = 1e-3,
                  .settle = 20,
                  .steps = 5};
        run(&p, &o);
    }
    for (size_t k = 0; k < sizeof PEERS / sizeof *PEERS; k++) {
        if (!wanted(&o, PEERS[k].name)) continue;
        if (PEERS[k].peer)
            run_peer(PEERS[k].name, PEERS[k].peer, &o);
        else
            printf("  %-10s left out: install %s and build again\n", PEERS[k].name,
                   PEERS[k].package);
    }
    if (wanted(&o, "bed-slick")) {
        pile p = {"bed-slick",
                  {make_bed(1, KAI_SOLVER_PSOR, true), make_bed(2, KAI_SOLVER_PSOR, true)},
                  .h = 1e-3,
                  .settle = 5,
                  .steps = 5};
        run(&p, &o);
    }
    if (wanted(&o, "bed-apgd")) {
        pile p = {"bed-apgd",
                  {make_bed(1, KAI_SOLVER_APGD, false), make_bed(2, KAI_SOLVER_APGD, false)},
                  .h = 1e-3,
                  .settle = 20,
                  .steps = 5};
        run(&p, &o);
    }
    if (wanted(&o, "mixed20k")) {
        pile p = {"mixed20k",
                  {make_mixed(1, 20000), make_mixed(2, 20000)},
                  .h = 2e-3,
                  .settle = 300,
                  .steps = 2};
        run(&p, &o);
    }
    if (o.csv) fclose(o.csv);
    return 0;
}
