// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos bench: benchmarks that every copy can run.
//
// free-bodies: bodies under gravity with `euler`, one load of nothing but memory. A step must read
// and write the pose and the motion of a body, 4 × 64 bytes = 256, and read which mass it has (4
// more; the mass is one for all) unless its inertia is isotropic. The rate stands beside that of a
// triad a = b + s c over arrays that fit in no cache.
#include "cli.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int bodies, steps, threads;
    bool json, csv;
} args = {.bodies = 1000000, .steps = 60};

static const cli_option OPTIONS[] = {
    {"bodies", 0, CLI_COUNT, &args.bodies, "N", "how many bodies (default: 1000000)"},
    {"steps", 0, CLI_COUNT, &args.steps, "N", "how many steps are timed (default: 60)"},
    {"threads", 0, CLI_COUNT, &args.threads, "N", "most threads (default: all)"},
    {"json", 0, CLI_FLAG, &args.json, NULL, "print JSON instead of a table"},
    {"csv", 0, CLI_FLAG, &args.csv, NULL, "print CSV instead of a table"},
};

// One line of the result.
typedef struct row {
    int threads;
    bool isotropic;
    double seconds, rate;    // timed, and body-steps a second
    double load_seconds;     // making the bodies
    int bytes_moved;         // a body and step
    double gigabytes, triad; // GB/s
    double bytes_kept;       // a body
    uint64_t hash;
} row;

// The triad --------------------------------------------------------------------------------------

enum { TRIAD = 1 << 24 }; // numbers an array: 128 MiB

typedef struct triad_part {
    double *a, *b, *c;
    size_t begin, end;
    bool first; // fill, so that each thread's memory is near it
} triad_part;

static void* triad_run(void* context)
{
    const triad_part* p = context;
    double* restrict a = p->a, * restrict b = p->b, * restrict c = p->c;
    if (p->first) {
        for (size_t i = p->begin; i < p->end; i++) {
            a[i] = 0.0;
            b[i] = 1.0;
            c[i] = 2.0;
        }
    } else {
        for (size_t i = p->begin; i < p->end; i++) a[i] = b[i] + 3.0 * c[i];
    }
    return NULL;
}

static void triad_all(double* memory, int threads, bool first)
{
    enum { MOST = 256 };
    pthread_t ids[MOST];
    triad_part parts[MOST];
    if (threads > MOST) threads = MOST;
    int started = 0;
    for (int t = 0; t < threads; t++) {
        parts[t] = (triad_part){
            memory,
            memory + TRIAD,
            memory + 2 * (size_t)TRIAD,
            (size_t)TRIAD / (size_t)threads * (size_t)t,
            t + 1 == threads ? TRIAD : (size_t)TRIAD / (size_t)threads * (size_t)(t + 1),
            first};
        if (t > 0 && pthread_create(&ids[started], NULL, triad_run, &parts[t]) == 0)
            started++;
        else if (t > 0)
            triad_run(&parts[t]);
    }
    triad_run(&parts[0]);
    for (int t = 0; t < started; t++) pthread_join(ids[t], NULL);
}

// GB/s, counting two reads and one write a number; the best of some rounds.
static double triad(int threads)
{
    double* memory = malloc(3 * (size_t)TRIAD * sizeof *memory);
    if (memory == NULL) return 0.0;
    triad_all(memory, threads, true);
    double best = 0.0;
    for (int round = 0; round < 5; round++) {
        const double began = cli_now();
        triad_all(memory, threads, false);
        const double rate = 24.0 * TRIAD / (cli_now() - began) * 1e-9;
        if (rate > best) best = rate;
    }
    volatile double used = memory[TRIAD / 2];
    (void)used;
    free(memory);
    return best;
}

// Free bodies ------------------------------------------------------------------------------------

static kai_result add_bodies(kai_world* world, bool isotropic)
{
    const size_t n = (size_t)args.bodies;
    double* columns = malloc(6 * n * sizeof *columns);
    if (columns == NULL) return KAI_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 6; c++) columns[c * n + i] = kai_random_uniform(1, c, i);
    const kai_shape_sphere_params sphere = {.radius = 0.01};
    const kai_shape_box_params box = {.size = {0.01, 0.02, 0.03}};
    kai_particles_def def = kai_particles_def_default();
    def.shape = isotropic ? &kai_shape_sphere : &kai_shape_box;
    def.shape_params = isotropic ? (const void*)&sphere : (const void*)&box;
    def.density = 1000.0;
    def.table.count = n;
    const double** to[] = {&def.table.x,  &def.table.y,  &def.table.z,
                           &def.table.wx, &def.table.wy, &def.table.wz};
    for (size_t c = 0; c < 6; c++) *to[c] = columns + c * n;
    kai_particles group;
    const kai_result r = kai_particles_create(world, &def, &group);
    free(columns);
    return r;
}

static kai_result time_steps(kai_world* world, row* out)
{
    enum { WARM = 3 };
    const double h = 1e-3;
    for (int i = 0; i < WARM; i++) KAI_TRY(kai_world_step(world, h));
    const double began = cli_now();
    for (int i = 0; i < args.steps; i++) KAI_TRY(kai_world_step(world, h));
    out->seconds = cli_now() - began;
    return KAI_OK;
}

static bool measure(row* out)
{
    kai_world_def def = kai_world_def_default();
    def.threads = out->threads;
    kai_world* world = NULL;
    kai_error error = {0};
    kai_result r = kai_world_create(&def, &world, &error);
    const double began = cli_now();
    if (r == KAI_OK) r = add_bodies(world, out->isotropic);
    out->load_seconds = cli_now() - began;
    if (r == KAI_OK) r = time_steps(world, out);
    if (r != KAI_OK) {
        cli_error("%s", cli_message(world != NULL ? kai_world_error(world) : &error));
        kai_world_destroy(world);
        return false;
    }
    out->rate = (double)args.bodies * args.steps / out->seconds;
    out->bytes_moved = out->isotropic ? 256 : 260;
    out->gigabytes = out->rate * out->bytes_moved * 1e-9;
    out->bytes_kept = (double)kai_world_stats(world).bytes / args.bodies;
    out->hash = kai_world_hash(world);
    kai_world_destroy(world);
    out->triad = triad(out->threads);
    return true;
}

// Printing ---------------------------------------------------------------------------------------

static void print_head(void)
{
    if (args.json)
        printf("[");
    else if (args.csv)
        printf(
            "benchmark,inertia,threads,bodies,steps,seconds,body_steps_per_second,bytes_per_body_step,gb_per_second,"
            "triad_gb_per_second,bytes_per_body,load_seconds,state_hash\n");
    else
        printf(
            "free-bodies: %d bodies, euler, %d steps\n"
            "  inertia    threads  Mbody-steps/s  bytes/step    GB/s  triad GB/s  bytes/body  load s  state hash\n",
            args.bodies, args.steps);
}

static void print_row(const row* r, bool first)
{
    const char* inertia = r->isotropic ? "isotropic" : "general";
    const unsigned long long hash = (unsigned long long)r->hash;
    if (args.json)
        printf(
            "%s\n  {\"benchmark\": \"free-bodies\", \"inertia\": \"%s\", \"threads\": %d, \"bodies\": %d, \"steps\": %d, "
            "\"seconds\": %.6g, \"body_steps_per_second\": %.6g, \"bytes_per_body_step\": %d, "
            "\"gb_per_second\": %.4g, \"triad_gb_per_second\": %.4g, \"bytes_per_body\": %.4g, "
            "\"load_seconds\": %.4g, \"state_hash\": \"%016llx\"}",
            first ? "" : ",", inertia, r->threads, args.bodies, args.steps, r->seconds, r->rate,
            r->bytes_moved, r->gigabytes, r->triad, r->bytes_kept, r->load_seconds, hash);
    else if (args.csv)
        printf("free-bodies,%s,%d,%d,%d,%.6g,%.6g,%d,%.4g,%.4g,%.4g,%.4g,%016llx\n", inertia,
               r->threads, args.bodies, args.steps, r->seconds, r->rate, r->bytes_moved,
               r->gigabytes, r->triad, r->bytes_kept, r->load_seconds, hash);
    else
        printf("  %-9s  %7d  %13.1f  %10d  %6.1f  %10.1f  %10.0f  %6.2f  %016llx\n", inertia,
               r->threads, r->rate * 1e-6, r->bytes_moved, r->gigabytes, r->triad, r->bytes_kept,
               r->load_seconds, hash);
    fflush(stdout);
}

static int machine_threads(void)
{
    kai_world* world = NULL;
    const kai_world_def def = kai_world_def_default();
    if (kai_world_create(&def, &world, NULL) != KAI_OK) return 1;
    const int threads = kai_world_threads(world);
    kai_world_destroy(world);
    return threads;
}

static int free_bodies(void)
{
    const int most = args.threads > 0 ? args.threads : machine_threads();
    bool same = true, first = true;
    print_head();
    for (int isotropic = 1; isotropic >= 0; isotropic--) {
        uint64_t hash = 0;
        for (int threads = 1; threads <= most; threads += most > 1 ? most - 1 : 1) {
            row r = {.threads = threads, .isotropic = isotropic != 0};
            if (!measure(&r)) return CLI_FAILED;
            print_row(&r, first);
            first = false;
            same = same && (threads == 1 || r.hash == hash);
            hash = r.hash;
        }
    }
    if (args.json) printf("\n]\n");
    if (!args.json && !args.csv && most > 1)
        printf("  state after 1 and %d threads: %s\n", most, same ? "equal" : "DIFFERENT");
    if (!same) cli_error("the state depends on the number of threads");
    return same ? CLI_DONE : CLI_FAILED;
}

// The command ------------------------------------------------------------------------------------

// Every benchmark: X(function, name, what it measures).
#define BENCHMARK_LIST(X) \
    X(free_bodies, "free-bodies", "free bodies with euler: memory traffic of a step")

// clang-format off
#define ENTRY(function, name, doc) {name, function},
#define LINE(function, name, doc)  "    " name "  " doc "\n"
// clang-format on

static const struct {
    const char* name;
    int (*run)(void);
} BENCHMARKS[] = {BENCHMARK_LIST(ENTRY)};

static const char NOTES[] = "Benchmarks:\n\n" BENCHMARK_LIST(LINE);

static const char* benchmark_name(size_t i, const void* context)
{
    (void)context;
    return i < KAI_COUNT(BENCHMARKS) ? BENCHMARKS[i].name : NULL;
}

static int run(int argc, char** argv)
{
    const char* word = NULL;
    size_t words;
    if (!cli_parse(argc, argv, OPTIONS, KAI_COUNT(OPTIONS), &word, 1, &words)) return CLI_USAGE;
    if (args.json && args.csv) {
        cli_error("--json and --csv exclude each other");
        return CLI_USAGE;
    }
    if (args.threads > 1024) {
        cli_error("--threads is %d; must be from 1 to 1024", args.threads);
        return CLI_USAGE;
    }
    for (size_t i = 0; words == 1 && i < KAI_COUNT(BENCHMARKS); i++)
        if (strcmp(word, BENCHMARKS[i].name) == 0) return BENCHMARKS[i].run();
    if (words == 1) {
        const char* near = cli_nearest(word, benchmark_name, NULL);
        if (near != NULL)
            cli_error("unknown benchmark '%s'; did you mean '%s'?", word, near);
        else
            cli_error("unknown benchmark '%s'; 'kairos bench --help' lists them", word);
        return CLI_USAGE;
    }
    int status = CLI_DONE;
    for (size_t i = 0; i < KAI_COUNT(BENCHMARKS); i++) {
        const int one = BENCHMARKS[i].run();
        if (one != CLI_DONE) status = one;
    }
    return status;
}

const cli_command cli_bench = {.name = "bench",
                               .arguments = "[NAME]",
                               .doc = "Runs the built-in benchmarks, or one of them.",
                               .run = run,
                               CLI_OPTIONS(OPTIONS),
                               .notes = NOTES};
