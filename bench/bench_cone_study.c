// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Every cone solver on hard problems: residual against time, and the time to 1e-3, 1e-5 and 1e-8 m/s.
// docs/benchmarking.md has the figures, tools/plot_study draws one plot a problem.
//
//     bench/problems/*.json and scenes that ship     what is solved, and the time at which
//     --file checkpoint.h5                           the step after that of a run instead
//     --only WORD                                    of these the ones with this in their name
//     --size N                                       the bed with so many spheres (default: 20,000)
//
// A problem is brought to its state once and saved. Every solver then takes the same step from it,
// without warm start, with more and more iterations, until the residual is 1e-9 m/s or it takes too
// long. Times are those of the solution in a step, one thread; the best of --repetitions.
#include "common.h"

#include "model/world.h"

#include <kairos/contact.h>
#include <kairos/scene.h>
#include <kairos/solver.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TARGETS = 3, SPHERES = 20000 };

static const double TARGET[TARGETS] = {1e-3, 1e-5, 1e-8};
static const double ENOUGH = 1e-9; // m/s
static const double LONGEST = 5.0; // s: a solution that takes longer is the last

typedef struct problem {
    const char *name, *file, *set;
    double time; // s that the scene runs before; negative: to its end
} problem;

static const problem PROBLEMS[] = {
    {"heavy-1000", "bench/problems/heavy.json", "ratio=1000", -1.0},
    {"heavy-10000", "bench/problems/heavy.json", "ratio=10000", -1.0},
    {"wall", "bench/problems/wall.json", NULL, -1.0},
    {"arch", "scenes/arch.json", NULL, 0.1},
    {"cards", "bench/problems/cards.json", NULL, -1.0},
    {"rope", "bench/problems/rope.json", NULL, -1.0},
    {"mail", "scenes/chain-mail.json", NULL, 0.1},
    {"wheel", "bench/problems/wheel.json", NULL, -1.0},
    {"cloth", "bench/problems/cloth.json", NULL, -1.0},
    {"mixer", "scenes/mixer.json", NULL, 2.0},
    {"excavator", "scenes/excavator-digging.json", NULL, 0.05},
};

// States -----------------------------------------------------------------------------------------

static _Noreturn void fail(const char* what)
{
    fprintf(stderr, "bench_cone_study: %s\n", what);
    exit(1);
}

static kai_scene* open_scene(const problem* p)
{
    kai_scene_def def = kai_scene_def_default();
    kai_scene* scene = NULL;
    kai_error err = {0};
    def.path = p->file;
    def.sets = &p->set;
    def.set_count = p->set != NULL;
    def.world.threads = 2;
    if (kai_scene_open(&def, &scene, &err) != KAI_OK)
        fail(scene && kai_scene_problem_count(scene) ? kai_scene_problem(scene, 0)->message
                                                     : err.message);
    return scene;
}

/// Saves the state that a problem is solved at; its step.
static double save_scene(const problem* p, const char* path)
{
    kai_scene* scene = open_scene(p);
    const kai_scene_settings* settings = kai_scene_get_settings(scene);
    kai_world* world = kai_scene_world(scene);
    const double h = settings->step, end = p->time >= 0.0 ? p->time : settings->end;
    common_step(world, h, (int)round(end / h));
    common_check(world, kai_world_save(world, path));
    kai_scene_close(scene);
    return h;
}

/// Spheres in a close packing between walls, at rest but for a step of gravity.
static double save_bed(int count, const char* path)
{
    const double h = 1e-3, r = 0.005, d = 2.0 * r * 0.9999;
    const int side = (int)fmax(4.0, round(cbrt(count / 2.0)));
    kai_body ground;
    kai_world* world = common_world(2, (kai_vec3){0.0, 0.0, -9.81}, &ground);
    kai_contact_def contact = kai_contact_def_default();
    kai_material_def surface = kai_material_def_default();
    kai_material material;
    kai_shape shape;
    contact.method = KAI_CONTACT_NSC;
    surface.friction = 0.5;
    common_check(world, kai_contact_set(world, &contact));
    common_check(world, kai_material_create(world, &surface, &material));
    kai_shape_def def = kai_shape_def_default();
    def.material = material;
    const double wide = 2.0 * r + d * (side - 0.5),
                 deep = 2.0 * r + d * sqrt(0.75) * (side - 1.0 + 1.0 / 3.0);
    const kai_vec3 normal[5] = {
        {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        const kai_shape_plane_params plane = {normal[i]};
        def.at = (kai_vec3){i == 2 ? wide : 0.0, i == 4 ? deep : 0.0, 0.0};
        common_check(world,
                     kai_shape_create(world, ground, &kai_shape_plane, &plane, &def, &shape));
    }
    def.at = kai_vec3_zero();
    for (int n = 0; n < count; n++) {
        const int i = n % side, j = n / side % side, k = n / side / side;
        kai_body_def body = kai_body_def_default();
        const kai_shape_sphere_params ball = {r};
        kai_body b;
        body.position =
            (kai_vec3){r + d * (i + 0.5 * ((j + k) % 2)), r + d * sqrt(0.75) * (j + (k % 2) / 3.0),
                       r + d * sqrt(2.0 / 3.0) * k};
        common_check(world, kai_body_create(world, &body, &b));
        common_check(world, kai_shape_create(world, b, &kai_shape_sphere, &ball, &def, &shape));
        common_check(world, kai_body_set_density(world, b, 2500.0));
    }
    common_step(world, h, 2);
    common_check(world, kai_world_save(world, path));
    kai_world_destroy(world);
    return h;
}

static kai_world* load(const char* path)
{
    kai_world_def def = kai_world_def_default();
    kai_world* world = NULL;
    kai_error err = {0};
    def.threads = 1;
    if (kai_world_load(&def, path, &world, &err) != KAI_OK) fail(err.message);
    return world;
}

// Runs -------------------------------------------------------------------------------------------

typedef struct point {
    double iterations, seconds, residual;
    size_t contacts;
} point;

/// One step with at most so many iterations; without contacts where the solver refuses it.
static point take_step(const char* path, double h, int32_t cone, int64_t iterations)
{
    kai_world* world = load(path);
    kai_solver_def solver = kai_solver_get(world);
    kai_contact_def contact = kai_contact_get(world);
    if (solver.type == solver.cone || kai_solver_is_cone(solver.type))
        solver.type = KAI_SOLVER_AUTO;
    solver.cone = cone;
    solver.iterations = iterations;
    solver.tolerance = 0.1 * ENOUGH;
    contact.warm_start = false;
    common_check(world, kai_solver_set(world, &solver));
    common_check(world, kai_contact_set(world, &contact));
    const double before = kai_world_stats(world).solve_seconds;
    const bool done = kai_world_step(world, h) == KAI_OK;
    if (!done) printf("    %s\n", kai_world_error(world)->message);
    const point out = {.iterations = (double)kai_solver_measured(world).iterations,
                       .seconds = kai_world_stats(world).solve_seconds - before,
                       .residual = world->solver_tally.cone_last,
                       .contacts = done ? kai_contact_report_count(world) : 0};
    kai_world_destroy(world);
    return out;
}

static void print_targets(const double* reached, const point* last)
{
    for (int k = 0; k < TARGETS; k++)
        if (reached[k] < HUGE_VAL)
            printf("  %10.3f", 1e3 * reached[k]);
        else
            printf("  %10s", "-");
    printf("  %9.2e  %9.0f  %9.2f\n", last->residual, last->iterations, 1e3 * last->seconds);
    fflush(stdout);
}

static void try_solver(const common_options* o, const char* name, const char* path, double h,
                       const char* word, int32_t cone)
{
    static const int64_t STEPS[] = {1,   2,    5,    10,   20,    50,    100,   200,
                                    500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
    double reached[TARGETS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    point p = {.residual = HUGE_VAL};
    printf("  %-8s", word);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && !(p.residual <= ENOUGH); i++) {
        point best = {.seconds = HUGE_VAL};
        if (p.seconds > LONGEST) break;
        for (int k = 0; k < o->repetitions; k++) {
            p = take_step(path, h, cone, STEPS[i]);
            if (p.contacts == 0) return;
            if (p.seconds < best.seconds) best = p;
            if (p.seconds > 0.3) break; // long ones once
        }
        p = best;
        for (int k = 0; k < TARGETS; k++)
            if (p.residual <= TARGET[k]) reached[k] = fmin(reached[k], p.seconds);
        if (o->csv)
            fprintf(o->csv, "%s,%zu,%s,%.0f,%.4g,%.4g\n", name, p.contacts, word, p.iterations,
                    p.residual, p.seconds);
    }
    print_targets(reached, &p);
    if (o->csv) fflush(o->csv);
}

static void study(const common_options* o, const char* name, const char* path, double h)
{
    const point p = take_step(path, h, KAI_SOLVER_CONE_PSOR, 1);
    if (p.contacts == 0) return;
    printf("%s: %zu contacts; ms to 1e-3, 1e-5, 1e-8 m/s; last residual, its iterations and ms\n",
           name, p.contacts);
    for (size_t i = 0; i < kai_solver_kind.param_count; i++) {
        const kai_param* param = &kai_solver_kind.params[i];
        if (strcmp(param->name, "cone") != 0) continue;
        for (int32_t k = 1; param->words[k] != NULL; k++)
            try_solver(o, name, path, h, param->words[k], k);
    }
}

int main(int argc, char** argv)
{
    const common_options o =
        common_read_options(argc, argv, "bench_cone_study: cone solvers on hard problems");
    char path[64];
    snprintf(path, sizeof path, "bench_cone_study_%ld.h5", (long)getpid());
    if (o.csv) fprintf(o.csv, "problem,contacts,solver,iterations,residual,seconds\n");
    if (o.file) {
        kai_world* world = load(o.file);
        const double h = world->time_step;
        kai_world_destroy(world);
        study(&o, o.file, o.file, h);
        return 0;
    }
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++) {
        if (!common_wanted(&o, PROBLEMS[i].name)) continue;
        study(&o, PROBLEMS[i].name, path, save_scene(&PROBLEMS[i], path));
    }
    if (common_wanted(&o, "bed")) study(&o, "bed", path, save_bed(o.size ? o.size : SPHERES, path));
    remove(path);
    if (o.csv) fclose(o.csv);
    return 0;
}
