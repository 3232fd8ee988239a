// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Element kernels without assembly and solve: time of one element and call for force, and for force
// and tangent; flops as counted in the kernels; bytes that pass through memory; share of the
// machine's roof, which is the FMA ceiling of one core or what its memory can feed, whichever is
// lower (tools/plot-roofline draws it). Elements are deformed by some per cent and turned, and have
// no damping. As in the engine, what prepare() left streams through memory while coordinates,
// forces and tangents stay in a block of 64 elements. Times are sums of the best time of every
// block, so that other work on the machine shows as little as it can.
#include "common.h"

#include "base/clock.h"
#include "fea/element_list.h"

#include <kairos/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 4096, MOST = 1 << 19, BLOCK = 64, SEED = 11 };

static const double STREAM = 64e6; // bytes of data that are to pass, more than caches hold

// A kind, its solid and its coordinates; flops of force, and of force and tangent, 0: not counted;
// bytes of its data that are read, 0: all.
typedef struct kernel {
    const kai_element_kind* kind;
    const char* name;
    const char* word; // a parameter
    double value;
    const kai_solid_view* solid;
    double force, tangent;
    double q[7 * KAI_ELEMENT_NODES];
    size_t read;
} kernel;

static const kai_solid_elastic_params STEEL = {{7800.0, 0.0, 0.0}, 2e11, 0.3};
static const kai_solid_neo_hookean_params RUBBER = {{1000.0, 0.0, 0.0}, 1e7, 0.4};
static const kai_solid_view ELASTIC = {&kai_solid_elastic, &STEEL};
static const kai_solid_view NEO_HOOKEAN = {&kai_solid_neo_hookean, &RUBBER};

// clang-format off
#define TET4  0, 0, 0,  1, 0, 0,  0, 1, 0,  0, 0, 1
#define TET10 TET4,  .5, 0, 0,  .5, .5, 0,  0, .5, 0,  0, 0, .5,  .5, 0, .5,  0, .5, .5
#define HEX8  0, 0, 0,  1, 0, 0,  1, 1, 0,  0, 1, 0,  0, 0, 1,  1, 0, 1,  1, 1, 1,  0, 1, 1
#define HEX20 HEX8,  .5, 0, 0,  1, .5, 0,  .5, 1, 0,  0, .5, 0,  .5, 0, 1,  1, .5, 1,  .5, 1, 1, \
              0, .5, 1,  0, 0, .5,  1, 0, .5,  1, 1, .5,  0, 1, .5
#define SHELL  0, 0, 0, 0, 0, 1,  1, 0, 0, 0, 0, 1,  1, 1, 0, 0, 0, 1,  0, 1, 0, 0, 0, 1
#define PLATE  0, 0, 0, 1, 0, 0, 0, 1, 0,  1, 0, 0, 1, 0, 0, 0, 1, 0, \
               1, 1, 0, 1, 0, 0, 0, 1, 0,  0, 1, 0, 1, 0, 0, 0, 1, 0
#define FRAMES 0, 0, 0, 1, 0, 0, 0,  1, 0, 0, 1, 0, 0, 0,  1, 1, 0, 1, 0, 0, 0,  0, 1, 0, 1, 0, 0, 0

static const kernel KERNELS[] = {
    {&kai_element_bar, "bar", "area", 1e-4, &ELASTIC, 40, 110, {0, 0, 0, 1, 0, 0}, 0},
    {&kai_element_node_spring, "node-spring", "stiffness", 1e4, &ELASTIC, 40, 110, {0, 0, 0, 1, 0, 0}, 0},
    {&kai_element_ancf_cable, "ancf-cable", "radius", 0.01, &ELASTIC, 500, 2530, {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, 0},
    {&kai_element_euler_beam, "euler-beam", "radius", 0.05, &ELASTIC, 600, 3300, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, 0},
    {&kai_element_tet4, "tet4", "formulation", 1, &ELASTIC, 388, 1008, {TET4}, 0},
    {&kai_element_tet4, "tet4 total", "formulation", 2, &ELASTIC, 294, 2458, {TET4}, 0},
    {&kai_element_tet10, "tet10", "formulation", 1, &ELASTIC, 3100, 32700, {TET10}, 0},
    {&kai_element_tet10, "tet10 total", "formulation", 2, &ELASTIC, 2040, 22480, {TET10}, 1296},
    {&kai_element_tet10, "tet10 rubber", "formulation", 2, &NEO_HOOKEAN, 0, 0, {TET10}, 1296},
    {&kai_element_hex8, "hex8", "formulation", 1, &ELASTIC, 2272, 21652, {HEX8}, 0},
    {&kai_element_hex8, "hex8 total", "formulation", 2, &ELASTIC, 12504, 50944, {HEX8}, 2208},
    {&kai_element_hex8, "hex8 rubber", "formulation", 2, &NEO_HOOKEAN, 0, 0, {HEX8}, 2208},
    {&kai_element_hex20, "hex20", "formulation", 1, &ELASTIC, 9400, 122500, {HEX20}, 0},
    {&kai_element_hex20, "hex20 total", "formulation", 2, &ELASTIC, 17500, 398800, {HEX20}, 7504},
    {&kai_element_ancf_shell, "ancf-shell", "thickness", 0.1, &ELASTIC, 2100, 47000, {SHELL}, 0},
    {&kai_element_ancf_shell, "ancf-shell rubber", "thickness", 0.1, &NEO_HOOKEAN, 0, 0, {SHELL}, 0},
    {&kai_element_ancf_plate, "ancf-plate", "thickness", 0.1, &ELASTIC, 9000, 140000, {PLATE}, 0},
    {&kai_element_reissner_shell, "reissner-shell", "thickness", 0.1, &ELASTIC, 3000, 55000, {FRAMES}, 0},
};
// clang-format on

typedef struct bench {
    char *instances, *data;
    kai_solid_view* solids;
    double *q, *v, *force, *tangent;
    size_t coordinates, rows, count;
    double* best; // of each block
} bench;

static void* take(size_t bytes)
{
    void* p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) exit(1);
    memset(p, 0, bytes);
    return p;
}

/// Elements that differ by some per cent of their size, turned at random.
static void lay(const kernel* k, size_t i, double amount, double* q)
{
    const kai_quat turn = kai_random_rotation(SEED, 1, i);
    for (size_t c = 0; c < kai_element_coordinates(k->kind); c++)
        q[c] = k->q[c] + amount * (kai_random_uniform(SEED, 2 + c, i) - 0.5);
    if (k->kind->slopes < 0) return;
    for (size_t c = 0; c < kai_element_coordinates(k->kind); c += 3) {
        const kai_vec3 x = kai_quat_rotate(turn, kai_vec3_make(q[c], q[c + 1], q[c + 2]));
        q[c] = x.x;
        q[c + 1] = x.y;
        q[c + 2] = x.z;
    }
}

static void prepare(const kernel* k, bench* b)
{
    const size_t size = k->kind->kind.size, data = k->kind->data_size;
    kai_error err = {0};
    b->coordinates = kai_element_coordinates(k->kind);
    b->rows = kai_element_rows(k->kind);
    const double wanted = STREAM / (double)data / BLOCK;
    b->count = BLOCK * (size_t)fmin(fmax(wanted, LEAST / BLOCK), MOST / BLOCK);
    b->best = take(b->count / BLOCK * sizeof *b->best);
    b->instances = take(b->count * size);
    b->data = take(b->count * data);
    b->solids = take(b->count * KAI_ELEMENT_SOLIDS * sizeof *b->solids);
    b->q = take(BLOCK * b->coordinates * sizeof(double));
    b->v = take(BLOCK * b->rows * sizeof(double));
    b->force = take(BLOCK * b->rows * sizeof(double));
    b->tangent = take(BLOCK * b->rows * b->rows * sizeof(double));
    for (size_t i = 0; i < b->count; i++) {
        char* instance = b->instances + i * size;
        kai_kind_defaults(&k->kind->kind, instance);
        const kai_param* p = kai_kind_param(&k->kind->kind, k->word);
        if (p->type == KAI_PARAM_ENUM)
            *(int32_t*)(void*)(instance + p->offset) = (int32_t)k->value;
        else
            *(double*)(void*)(instance + p->offset) = k->value;
        kai_solid_view* solids = b->solids + i * (size_t)k->kind->solids;
        *solids = *k->solid;
        const kai_element_setup setup = {instance, k->q, solids};
        if (k->kind->prepare(&setup, b->data + i * data, &err)) {
            fprintf(stderr, "%s: %s\n", k->name, err.message);
            exit(1);
        }
    }
    for (size_t i = 0; i < BLOCK; i++) lay(k, i, 0.05, b->q + i * b->coordinates);
}

static void release(bench* b)
{
    free(b->instances);
    free(b->data);
    free(b->solids);
    free(b->q);
    free(b->v);
    free(b->force);
    free(b->tangent);
    free(b->best);
}

/// Nanoseconds of an element: every block at its best of some rounds.
static double measure(const kernel* k, bench* b, bool tangent, int rounds)
{
    double* best = b->best;
    for (size_t i = 0; i < b->count / BLOCK; i++) best[i] = HUGE_VAL;
    for (int r = 0; r < rounds; r++) {
        double began = kai_clock_now();
        for (size_t i = 0; i < b->count; i += BLOCK) {
            const kai_element_batch batch = {.instances = b->instances + i * k->kind->kind.size,
                                             .data = b->data + i * k->kind->data_size,
                                             .solids = b->solids + i * (size_t)k->kind->solids,
                                             .count = BLOCK,
                                             .q = b->q,
                                             .v = b->v,
                                             .position = 1.0,
                                             .force = b->force,
                                             .tangent = tangent ? b->tangent : NULL};
            k->kind->force(&batch);
            const double now = kai_clock_now();
            best[i / BLOCK] = fmin(best[i / BLOCK], now - began);
            began = now;
        }
    }
    double sum = 0.0;
    for (size_t i = 0; i < b->count / BLOCK; i++) sum += best[i];
    return sum / (double)b->count * 1e9;
}

/// GB/s of a triad in blocks, each at its best. What is written is read first, and counts.
static double stream(int rounds)
{
    enum { COUNT = 4 << 20, PART = 16384 };
    double *a = take(COUNT * sizeof *a), *b = take(COUNT * sizeof *b), *c = take(COUNT * sizeof *c),
           *best = take(COUNT / PART * sizeof *best), sum = 0.0;
    for (size_t i = 0; i < COUNT; i++) b[i] = c[i] = (double)i;
    for (size_t i = 0; i < COUNT / PART; i++) best[i] = HUGE_VAL;
    for (int r = 0; r < rounds; r++) {
        double began = kai_clock_now();
        for (size_t i = 0; i < COUNT; i += PART) {
            for (size_t k = i; k < i + PART; k++) a[k] = b[k] + (double)(r + 1) * c[k];
            const double now = kai_clock_now();
            best[i / PART] = fmin(best[i / PART], now - began);
            began = now;
        }
    }
    for (size_t i = 0; i < COUNT / PART; i++) sum += best[i];
    free(a), free(b), free(c), free(best);
    return 32.0 * COUNT / sum * 1e-9;
}

/// Share of what the machine can do of so many flops on so many bytes, per cent.
static double share(double flops, double bytes, double ns, double ceiling, double triad)
{
    const double roof = fmin(ceiling, triad * flops / bytes);
    return roof > 0.0 ? 100.0 * flops / ns / roof : 0.0;
}

int main(int argc, char** argv)
{
    common_options options = common_read_options(argc, argv, "kernels of finite elements");
    const int rounds = options.repetitions > 0 ? options.repetitions : 20;
    double ceiling = 0.0; // the best of some: other work only slows it down
    for (int i = 0; i < 5; i++) ceiling = fmax(ceiling, common_fma());
    const double triad = stream(rounds);
    printf("one core: %.1f GFLOP/s of multiply-adds, %.1f GB/s of a triad\n\n", ceiling, triad);
    printf("%-18s %7s  %9s %7s %6s %6s  %9s %7s %6s %6s\n", "kind", "bytes", "force ns", "flops",
           "fma", "roof", "tangent", "flops", "fma", "roof");
    if (options.csv)
        fprintf(options.csv, "kind,bytes,force_ns,force_flops,tangent_ns,tangent_flops,"
                             "fma_gflops,triad_gbytes\n");
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        const kernel* k = &KERNELS[i];
        if (!common_wanted(&options, k->name)) continue;
        bench b;
        prepare(k, &b);
        const double force = measure(k, &b, false, rounds), all = measure(k, &b, true, rounds);
        // What streams: data and solids of an element; instances are not read.
        const size_t bytes = (k->read ? k->read : k->kind->data_size) +
                             (size_t)k->kind->solids * sizeof(kai_solid_view);
        const double traffic = (double)bytes;
        printf("%-18s %7zu  %9.1f %7.0f %5.0f%% %5.0f%%  %9.1f %7.0f %5.0f%% %5.0f%%\n", k->name,
               bytes, force, k->force, 100.0 * k->force / force / ceiling,
               share(k->force, traffic, force, ceiling, triad), all, k->tangent,
               100.0 * k->tangent / all / ceiling, share(k->tangent, traffic, all, ceiling, triad));
        if (options.csv)
            fprintf(options.csv, "%s,%zu,%.2f,%.0f,%.2f,%.0f,%.2f,%.2f\n", k->name, bytes, force,
                    k->force, all, k->tangent, ceiling, triad);
        release(&b);
    }
    if (options.csv) fclose(options.csv);
    return 0;
}
