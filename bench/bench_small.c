// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small machines with contact, all of a step: scenes that ship, beside MuJoCo on models of its own
// that are built to be the same.
//
//     cart       11 bodies, 14 freedoms less 2 motors, four stops, about 8 contacts
//     humanoid   12 bodies, 27 freedoms, four stops, 4 to 16 contacts
//
// Every step of the scene is taken by the clock, in every repetition. Of each step the best repetition
// counts, since all of them do the same; a step's time is the mean of those, and the longest of them. `strict` asks for a residual of 1e-8 m/s in every step; the others have the scene's own
// tolerance. Where the first moving body is after half of the steps says that the models agree. States must be the same for any number of threads. Run it from the root of the tree.
#include "base/clock.h"
#include "common.h"
#include "peers/small.h"

#include "model/world.h"

#include <kairos/collision.h>
#include <kairos/scene.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const SCENES[] = {"cart", "humanoid"};
static const struct {
    const char* name;
    double tolerance; // m/s; 0: the scene's
    int threads;
} WAYS[] = {{"default", 0.0, 1}, {"default, 2 threads", 0.0, 2}, {"strict", 1e-8, 1}};

enum { SCENE_COUNT = 2, WAY_COUNT = 3, MOST_ROWS = 16 };

typedef struct row {
    const char *scene, *engine, *method;
    int steps;
    double* best;                                        // [steps] s, of all repetitions
    double seconds, worst;                               // their mean and the longest
    double contacts;                                     // mean
    double residual_mean, residual_max, gap, iterations; // of ours
    small_state at;                                      // after half of the steps
    uint64_t hash;                                       // of ours at the end
} row;

static row rows[MOST_ROWS];
static int row_count;

static row* add_row(const char* scene, const char* engine, const char* method)
{
    row* r = &rows[row_count++];
    *r = (row){.scene = scene, .engine = engine, .method = method};
    return r;
}

static void begin_row(row* r, double end, double h)
{
    if (r->best) return;
    r->steps = (int)lround(end / h);
    r->best = malloc((size_t)r->steps * sizeof *r->best);
    if (!r->best) exit(1);
    for (int i = 0; i < r->steps; i++) r->best[i] = HUGE_VAL;
}

static void end_row(row* r)
{
    for (int i = 0; i < r->steps; i++) {
        r->seconds += r->best[i] / r->steps;
        r->worst = fmax(r->worst, r->best[i]);
    }
    free(r->best);
    r->best = NULL;
}

// Ours -------------------------------------------------------------------------------------------

static kai_scene* open_scene(const char* name, double tolerance, int threads)
{
    char path[64], set[64];
    snprintf(path, sizeof path, "scenes/%s.json", name);
    snprintf(set, sizeof set, "/solver/tolerance=%g", tolerance);
    const char* sets[] = {"/solver/type=\"auto\"", set};
    kai_scene_def def = kai_scene_def_default();
    def.path = path;
    def.world.threads = threads;
    def.sets = sets;
    def.set_count = tolerance > 0.0 ? 2 : 0;
    kai_scene* scene;
    kai_error err = {0};
    if (kai_scene_open(&def, &scene, &err) == KAI_OK) return scene;
    fprintf(stderr, "%s: %s\n", path, err.message);
    exit(1);
}

/// The first body that moves.
static kai_vec3 place_of(const kai_world* world)
{
    size_t i = 0;
    while (world->bodies.motion[i].flags & KAI_BODY_FIXED) i++;
    return world->bodies.pose[i].position;
}

static void run_once(kai_scene* scene, row* out)
{
    kai_world* world = kai_scene_world(scene);
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    double contacts = 0.0;
    kai_vec3 at = kai_vec3_zero();
    begin_row(out, settings->end, settings->step);
    for (int i = 0; i < out->steps; i++) {
        const double began = kai_clock_now();
        common_check(world, kai_world_step(world, settings->step));
        out->best[i] = fmin(out->best[i], kai_clock_now() - began);
        contacts += (double)kai_collision_count(world);
        if (2 * (i + 1) == out->steps) at = place_of(world);
    }
    const kai_solver_figures figures = kai_solver_measured(world);
    out->contacts = contacts / out->steps;
    out->residual_mean = figures.residual_mean;
    out->residual_max = figures.residual_max;
    out->iterations = figures.iterations_mean;
    out->gap = common_gap(world);
    out->at = (small_state){at.x, at.y, at.z, 0.0};
    out->hash = kai_world_hash(world);
}

static void run_ours(const common_options* options, const char* name, int way)
{
    row* out = add_row(name, "Kairos", WAYS[way].name);
    for (int i = 0; i < options->repetitions; i++) {
        kai_scene* scene = open_scene(name, WAYS[way].tolerance, WAYS[way].threads);
        run_once(scene, out);
        kai_scene_close(scene);
    }
    end_row(out);
}

// Others -----------------------------------------------------------------------------------------

static const struct {
    const char *engine, *package;
    const small_peer* peer; // NULL: not built in
} PEERS[] = {
#ifdef KAIROS_PEER_MUJOCO_SMALL
    {"MuJoCo", "libmujoco-dev", &small_mujoco},
#else
    {"MuJoCo", "libmujoco-dev", NULL},
#endif
};

static void run_peer(const common_options* options, const char* name, const small_peer* peer)
{
    kai_scene* ours = open_scene(name, 0.0, 1);
    const double h = kai_scene_get_settings(ours)->step, end = kai_scene_get_settings(ours)->end;
    kai_scene_close(ours);
    row* out = add_row(name, peer->engine, peer->method);
    begin_row(out, end, h);
    for (int k = 0; k < options->repetitions; k++) {
        void* scene = peer->create(name, h);
        if (!scene) exit(1);
        out->contacts = 0.0;
        for (int i = 0; i < out->steps; i++) {
            const double began = kai_clock_now();
            peer->step(scene);
            out->best[i] = fmin(out->best[i], kai_clock_now() - began);
            const small_state now = peer->look(scene);
            out->contacts += now.contacts / out->steps;
            if (2 * (i + 1) == out->steps) out->at = now;
        }
        peer->destroy(scene);
    }
    end_row(out);
}

// The run ----------------------------------------------------------------------------------------

static void print_rows(void)
{
    printf("small machines, all of a step, h = 1 ms\n"
           "  scene     engine   method              µs a step  longest  contacts  iterations"
           "  residual mean    max, m/s  half-way x, z, m\n");
    for (int i = 0; i < row_count; i++) {
        const row* r = &rows[i];
        printf("  %-9s %-8s %-18s %10.1f %8.0f %9.2f", r->scene, r->engine, r->method,
               1e6 * r->seconds, 1e6 * r->worst, r->contacts);
        if (strcmp(r->engine, "Kairos") == 0)
            printf(" %11.1f %14.2g %11.2g", r->iterations, r->residual_mean, r->residual_max);
        else
            printf(" %11s %14s %11s", "", "", "");
        printf(" %9.3f %7.3f\n", r->at.x, r->at.z);
    }
    for (size_t p = 0; p < sizeof PEERS / sizeof PEERS[0]; p++)
        if (!PEERS[p].peer)
            printf("  %-8s not built in: needs Debian's %s\n", PEERS[p].engine, PEERS[p].package);
    for (int i = 0; i < row_count; i++)
        for (int k = 0; k < i; k++)
            if (rows[i].hash != rows[k].hash && strcmp(rows[i].scene, rows[k].scene) == 0 &&
                strncmp(rows[i].method, "default", 7) == 0 &&
                strncmp(rows[k].method, "default", 7) == 0) {
                fprintf(stderr, "bench_small: %s: threads change the result\n", rows[i].scene);
                exit(1);
            }
}

static void write_csv(FILE* csv)
{
    fprintf(csv, "benchmark,scene,engine,method,steps,us_per_step,longest_us,contacts_mean,"
                 "iterations_mean,residual_mean,residual_max,gap_m,half_way_x_m,half_way_z_m\n");
    for (int i = 0; i < row_count; i++) {
        const row* r = &rows[i];
        fprintf(csv, "small,%s,%s,\"%s\",%d,%.4g,%.4g,%.4g,", r->scene, r->engine, r->method,
                r->steps, 1e6 * r->seconds, 1e6 * r->worst, r->contacts);
        if (strcmp(r->engine, "Kairos") == 0)
            fprintf(csv, "%.4g,%.3g,%.3g,%.3g,", r->iterations, r->residual_mean, r->residual_max,
                    r->gap);
        else
            fprintf(csv, ",,,,");
        fprintf(csv, "%.5f,%.5f\n", r->at.x, r->at.z);
    }
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_small: small machines with contact, beside MuJoCo");
    for (int s = 0; s < SCENE_COUNT; s++) {
        if (!common_wanted(&options, SCENES[s])) continue;
        for (int w = 0; w < WAY_COUNT; w++) run_ours(&options, SCENES[s], w);
        for (size_t p = 0; p < sizeof PEERS / sizeof PEERS[0]; p++)
            if (PEERS[p].peer) run_peer(&options, SCENES[s], PEERS[p].peer);
    }
    print_rows();
    if (options.csv) {
        write_csv(options.csv);
        fclose(options.csv);
    }
    return 0;
}
