// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A chain of N bars, hinged, falling from the horizontal: ours beside other engines, one thread.
//
// What a step must cost, per link. The system is eliminated from the free end: a body (6 × 6), its
// joint (5 × 5), the next body …, each with one block to what follows. No fill. Multiply and add
// count 1 each; a triangle counts once.
//
//     body   L D Lᵀ of 6 × 6      6 reciprocals, 15 products, 35 multiply-adds       91
//            L⁻¹ B, B 6 × 5       15 multiply-adds a column                         150
//            D⁻¹ B, B's product   30 products, 15 entries of 6 multiply-adds        210
//     joint  L D Lᵀ of 5 × 5      5 reciprocals, 10 products, 20 multiply-adds       55
//            L⁻¹ B, B 5 × 6       10 multiply-adds a column                         120
//            D⁻¹ B, B's product   30 products, 21 entries of 5 multiply-adds        240
//     factors                                                                       866
//     solve  forward and back     2 × (15 + 30 + 10 + 30) multiply-adds, 11 products 351
//
// The kernels work on whole cache lines of 8 instead of triangles, and so do about twice as much.
// Numbers kept a link: (6 + 6 + 5 + 5) lines of 64 bytes = 1,408. A step clears them (written),
// factorises (read and written), and solves (read twice): 5 passes, 7,040 bytes. Rows: 5 × 112
// bytes, written and read. Without clearing first and without padding it would be half of that.
// `hht` does the same once a Newton iteration, but factorises only once a step as a rule.
#include "base/clock.h"
#include "common.h"
#include "peers/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOPS_FACTOR = 866,
    FLOPS_SOLVE = 351,
    BYTES_KEPT = 1408,
    BYTES_MOVED = 5 * BYTES_KEPT + 2 * 5 * 112,
    WARM = 5
};

static const int SIZES[] = {10, 100, 1000, 10000}, STEPS[] = {1000, 400, 100, 40};
enum { SIZE_COUNT = 4, MOST_ROWS = 64 };

/// One engine, method and length.
typedef struct row {
    const char *engine, *method;
    int size;  // place in SIZES
    int links; // fewer than SIZES says where an engine cannot do so many
    int steps;
    double seconds; // a step
    double gap, tip;
    double joint_bytes, solver_bytes; // a joint
    uint64_t allocations;             // while steps were timed
} row;

static row rows[MOST_ROWS];
static int row_count;

// Ours -------------------------------------------------------------------------------------------

static kai_world* make_chain(int links, const char* method, row* out)
{
    kai_body ground, *link = malloc((size_t)links * sizeof *link);
    if (!link) exit(1);
    kai_world* world = common_world(1, kai_vec3_make(0.0, CHAIN_GRAVITY, 0.0), &ground);
    for (int i = 0; i < links; i++)
        link[i] = common_bar(world, kai_vec3_make(CHAIN_LENGTH * i, 0.0, 0.0),
                             kai_vec3_make(CHAIN_LENGTH * (i + 1), 0.0, 0.0), CHAIN_WIDTH);
    const size_t before = kai_world_stats(world).bytes;
    for (int i = 0; i < links; i++)
        common_joint(world, &kai_joint_revolute, i ? link[i - 1] : ground, link[i],
                     kai_vec3_make(CHAIN_LENGTH * i, 0.0, 0.0));
    out->joint_bytes = (double)(kai_world_stats(world).bytes - before) / links;
    if (strcmp(method, "hht") == 0) {
        kai_integrator_hht_params params;
        kai_kind_defaults(&kai_integrator_hht.kind, &params);
        params.adaptive = false; // equal steps: what one costs
        params.tolerance = 1e-8;
        common_check(world, kai_integrator_set(world, &kai_integrator_hht, &params));
    }
    free(link);
    return world;
}

/// Where the end of the chain is, from the last body made.
static double tip_of(kai_world* world)
{
    return kai_body_position(world, kai_body_at(world, kai_body_count(world) - 1)).y;
}

static void run_ours(const common_options* options, row* out)
{
    for (int i = 0; i < options->repetitions; i++) {
        kai_world* world = make_chain(out->links, out->method, out);
        const size_t before = kai_world_stats(world).bytes;
        common_step(world, CHAIN_STEP, WARM);
        const kai_stats warm = kai_world_stats(world);
        const double began = kai_clock_now();
        common_step(world, CHAIN_STEP, out->steps);
        out->seconds = fmin(out->seconds, (kai_clock_now() - began) / out->steps);
        out->solver_bytes = (double)(warm.bytes - before) / out->links;
        out->allocations = kai_world_stats(world).allocations - warm.allocations;
        out->gap = common_gap(world);
        out->tip = tip_of(world);
        kai_world_destroy(world);
    }
}

// Others -----------------------------------------------------------------------------------------

static const struct {
    const char *engine, *package;
    const chain_peer* peer; // NULL: not built in
} PEERS[] = {
#ifdef KAIROS_PEER_ODE
    {"ODE", "libode-dev", &chain_ode_step},
    {"ODE", "libode-dev", &chain_ode_quick},
#else
    {"ODE", "libode-dev", NULL},
#endif
#ifdef KAIROS_PEER_BULLET
    {"Bullet", "libbullet-dev", &chain_bullet},
#else
    {"Bullet", "libbullet-dev and g++", NULL},
#endif
#ifdef KAIROS_PEER_MUJOCO
    {"MuJoCo", "libmujoco-dev", &chain_mujoco},
#else
    {"MuJoCo", "libmujoco-dev", NULL},
#endif
};

/// Slow engines get fewer repetitions.
static bool run_peer(const common_options* options, const chain_peer* peer, row* out)
{
    const double enough = kai_clock_now() + 2.0;
    for (int i = 0; i < options->repetitions && (i == 0 || kai_clock_now() < enough); i++) {
        void* scene = peer->create(out->links);
        if (!scene) return false;
        peer->step(scene, WARM);
        const double began = kai_clock_now();
        peer->step(scene, out->steps);
        out->seconds = fmin(out->seconds, (kai_clock_now() - began) / out->steps);
        out->gap = peer->gap ? peer->gap(scene) : 0.0;
        out->tip = peer->tip(scene);
        peer->destroy(scene);
    }
    return true;
}

// The run ----------------------------------------------------------------------------------------

static row* add_row(const char* engine, const char* method, int size, int links)
{
    row* r = &rows[row_count++];
    *r = (row){.engine = engine,
               .method = method,
               .size = size,
               .links = links,
               .steps = STEPS[size],
               .seconds = HUGE_VAL};
    return r;
}

static void run_all(const common_options* options)
{
    static const char* const METHODS[] = {"euler", "hht"};
    for (int s = 0; s < SIZE_COUNT; s++) {
        if (options->size && SIZES[s] != options->size) continue;
        for (int m = 0; m < 2; m++)
            if (common_wanted(options, METHODS[m]))
                run_ours(options, add_row("Kairos", METHODS[m], s, SIZES[s]));
        for (size_t p = 0; p < sizeof PEERS / sizeof PEERS[0]; p++) {
            const chain_peer* peer = PEERS[p].peer;
            if (!peer || !common_wanted(options, peer->engine)) continue;
            if (10 * peer->most < 9 * SIZES[s]) continue;
            const int links = peer->most < SIZES[s] ? peer->most : SIZES[s];
            if (!run_peer(options, peer, add_row(peer->engine, peer->method, s, links)))
                row_count--;
        }
    }
}

// Printing ---------------------------------------------------------------------------------------

static const row* find_row(const char* engine, const char* method, int size)
{
    for (int i = 0; i < row_count; i++)
        if (rows[i].size == size && strcmp(rows[i].engine, engine) == 0 &&
            strcmp(rows[i].method, method) == 0)
            return &rows[i];
    return NULL;
}

/// One line an engine and method, one column a length.
static void print_times(void)
{
    printf("chain, 1 thread, h = %g s: µs a step\n  %-30s", CHAIN_STEP, "links");
    for (int s = 0; s < SIZE_COUNT; s++) printf(" %12d", SIZES[s]);
    printf("\n");
    for (int i = 0; i < row_count; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || (strcmp(rows[k].engine, rows[i].engine) == 0 &&
                            strcmp(rows[k].method, rows[i].method) == 0);
        if (seen) continue;
        printf("  %-8s %-21s", rows[i].engine, rows[i].method);
        for (int s = 0; s < SIZE_COUNT; s++) {
            const row* r = find_row(rows[i].engine, rows[i].method, s);
            if (!r)
                printf(" %12s", "-");
            else if (r->links != SIZES[s])
                printf(" %7.1f (%d)", 1e6 * r->seconds, r->links);
            else
                printf(" %12.1f", 1e6 * r->seconds);
        }
        printf("\n");
    }
    for (size_t p = 0; p < sizeof PEERS / sizeof PEERS[0]; p++)
        if (!PEERS[p].peer)
            printf("  %-8s not built in: needs Debian's %s\n", PEERS[p].engine, PEERS[p].package);
}

static double gigaflops(const row* r)
{
    return (FLOPS_FACTOR + FLOPS_SOLVE) * (double)r->links / r->seconds * 1e-9;
}

static void print_details(double triad, double fma)
{
    printf("\nper link and step; the linear algebra alone must do %d flops, and moves %d bytes: "
           "%.0f ns at %.0f GFLOP/s (measured), %.0f ns at %.1f GB/s (triad)\n",
           FLOPS_FACTOR + FLOPS_SOLVE, BYTES_MOVED, (FLOPS_FACTOR + FLOPS_SOLVE) / fma, fma,
           BYTES_MOVED / triad, triad);
    printf("  engine   method                 links      µs   gap, m      tip y, m  GFLOP/s  joint "
           "bytes  + solver  allocations\n");
    for (int i = 0; i < row_count; i++) {
        const row* r = &rows[i];
        printf("  %-8s %-21s %6d %7.3f  %7.1e  %12.8f", r->engine, r->method, r->links,
               1e6 * r->seconds / r->links, r->gap, r->tip);
        if (strcmp(r->method, "euler") == 0) printf("  %7.2f", gigaflops(r));
        if (strcmp(r->method, "hht") == 0) printf("  %7s", "");
        if (strcmp(r->engine, "Kairos") == 0)
            printf("  %11.0f  %8.0f  %11llu", r->joint_bytes, r->solver_bytes,
                   (unsigned long long)r->allocations);
        printf("\n");
    }
}

static void write_csv(FILE* csv, double triad, double fma)
{
    fprintf(csv, "benchmark,engine,method,links,steps,us_per_step,us_per_link_step,gap_m,tip_y_m,"
                 "flops_per_link,bytes_per_link,gflops,fma_gflops,triad_gb_per_second,"
                 "bytes_per_joint,solver_bytes_per_joint,allocations\n");
    for (int i = 0; i < row_count; i++) {
        const row* r = &rows[i];
        fprintf(csv, "chain,%s,\"%s\",%d,%d,%.5g,%.5g,%.3g,%.9g,", r->engine, r->method, r->links,
                r->steps, 1e6 * r->seconds, 1e6 * r->seconds / r->links, r->gap, r->tip);
        if (strcmp(r->method, "euler") == 0)
            fprintf(csv, "%d,%d,%.4g,%.4g,%.4g,", FLOPS_FACTOR + FLOPS_SOLVE, BYTES_MOVED,
                    gigaflops(r), fma, triad);
        else
            fprintf(csv, ",,,,,");
        if (strcmp(r->engine, "Kairos") == 0)
            fprintf(csv, "%.0f,%.0f,%llu\n", r->joint_bytes, r->solver_bytes,
                    (unsigned long long)r->allocations);
        else
            fprintf(csv, ",,\n");
    }
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_chain: hinged chains, ours beside other engines");
    run_all(&options);
    const double triad = common_triad(), fma = common_fma();
    print_times();
    print_details(triad, fma);
    if (options.csv) {
        write_csv(options.csv, triad, fma);
        fclose(options.csv);
    }
    return 0;
}
