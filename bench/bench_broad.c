// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The broad phase: boxes to sorted pairs, on 1 thread and on 2, beside the machine's triad.
//
// `packed`: equal spheres at packing 0.6, a random packing, in random order.
// `ordered`: the same, in the order of their cells (kai_broad_order).
// `mixed`: radii 1 : 3 evenly spread. `ratio`: 1 : 1000 evenly spread in the logarithm. `huge`:
// packed, with ten boxes as large as the scene, and a plane.
//
// `reuse` is the update that finds every box still inside its grown one.
#include "base/clock.h"
#include "common.h"
#include "proximity/broad.h"
#include "proximity/broad_order.h"

#include <kairos/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const SCENES[] = {"packed", "ordered", "mixed", "ratio", "huge"};
enum { SCENE_COUNT = 5 };
static const int SIZES[] = {10000, 100000, 1000000, 2000000};
enum { SIZE_COUNT = 4, TILE = 500 };

typedef struct ball {
    double x, y, z, r;
} ball;

static void fill(size_t begin, size_t end, kai_vec3 origin, kai_broad_box* boxes, float* travel,
                 void* context)
{
    const ball* balls = context;
    for (size_t i = begin; i < end; i++) {
        const ball b = balls[i];
        kai_broad_box* box = &boxes[i - begin];
        kai_broad_round(box, kai_vec3_make(b.x - b.r, b.y - b.r, b.z - b.r),
                        kai_vec3_make(b.x + b.r, b.y + b.r, b.z + b.r), origin);
        box->owner = (uint32_t)i | KAI_BROAD_ROUND;
        box->family = 1;
        box->mask = UINT16_MAX;
        if (travel) travel[i - begin] = 0.0f;
    }
}

static double uniform(uint64_t stream, uint64_t i) { return kai_random_uniform(1, stream, i); }

static void* need(void* block)
{
    if (block) return block;
    fprintf(stderr, "bench_broad: no memory\n");
    exit(1);
}

/// A random packing of spheres of diameter 1 in a periodic cube: overlaps are pushed apart until
/// none is left to speak of. Copies of the cube fill space.
static double pack_tile(kai_vec3* tile)
{
    const double side = cbrt(TILE * KAI_PI / 6.0 / 0.6);
    for (uint64_t i = 0; i < TILE; i++)
        tile[i] = kai_vec3_make(side * uniform(0, i), side * uniform(1, i), side * uniform(2, i));
    for (int round = 0; round < 1500; round++) {
        for (size_t a = 0; a < TILE; a++) {
            for (size_t b = a + 1; b < TILE; b++) {
                kai_vec3 d = kai_vec3_sub(tile[b], tile[a]);
                d.x -= side * nearbyint(d.x / side);
                d.y -= side * nearbyint(d.y / side);
                d.z -= side * nearbyint(d.z / side);
                const double r2 = kai_vec3_norm2(d);
                if (r2 >= 1.0) continue;
                const kai_vec3 push = kai_vec3_scale(d, 0.5 * (1.0 / sqrt(r2) - 1.0));
                tile[a] = kai_vec3_sub(tile[a], push);
                tile[b] = kai_vec3_add(tile[b], push);
            }
        }
    }
    return side;
}

/// As many copies of the tile as it takes, layer by layer, and sizes by scene.
static void place(ball* balls, size_t n, const char* scene)
{
    static kai_vec3 tile[TILE];
    static double side;
    if (side == 0.0) side = pack_tile(tile);
    const size_t copies = (size_t)ceil(cbrt((double)n / TILE));
    for (size_t i = 0; i < n; i++) {
        const size_t copy = i / TILE;
        const kai_vec3 at = tile[i % TILE];
        balls[i] = (ball){at.x + side * (double)(copy % copies),
                          at.y + side * (double)(copy / copies % copies),
                          at.z + side * (double)(copy / copies / copies), 0.5};
        if (strcmp(scene, "mixed") == 0) balls[i].r = 0.2 + 0.4 * uniform(3, i);
        if (strcmp(scene, "ratio") == 0) balls[i].r = 0.7 * pow(1000.0, -uniform(3, i));
        if (strcmp(scene, "huge") == 0 && i < 10) balls[i].r = 0.1 * side * (double)copies;
        if (strcmp(scene, "huge") == 0 && i == 10) balls[i].r = HUGE_VAL;
    }
    for (size_t i = n - 1; i > 0; i--) {
        const size_t k = (size_t)(uniform(4, i) * (double)(i + 1));
        const ball swap = balls[i];
        balls[i] = balls[k];
        balls[k] = swap;
    }
}

/// Puts balls into the order of their cells.
static void reorder(ball* balls, size_t n, kai_memory* memory)
{
    uint32_t* order = need(malloc(n * sizeof *order));
    ball* sorted = need(malloc(n * sizeof *sorted));
    if (kai_broad_order(memory, 2, n, fill, balls, order, NULL) != KAI_OK) exit(1);
    for (size_t i = 0; i < n; i++) sorted[i] = balls[order[i]];
    memcpy(balls, sorted, n * sizeof *balls);
    free(order);
    free(sorted);
}

typedef struct figures {
    double build[2], reuse; // s, on 1 thread and 2
    double pairs, bytes;    // a box
    int levels;
} figures;

static figures measure(ball* balls, size_t n, const char* scene, int repetitions)
{
    kai_memory memory;
    kai_memory_init(&memory, NULL);
    kai_broad broad;
    kai_broad_init(&broad, &memory);
    place(balls, n, scene);
    if (strcmp(scene, "ordered") == 0) reorder(balls, n, &memory);
    figures f = {.build = {HUGE_VAL, HUGE_VAL}, .reuse = HUGE_VAL};
    for (int r = -1; r < repetitions; r++) {
        for (int t = 0; t < 2; t++) {
            const double began = kai_clock_now();
            if (kai_broad_update(&broad, t + 1, n, fill, balls, true, NULL) != KAI_OK) exit(1);
            if (r >= 0) f.build[t] = fmin(f.build[t], kai_clock_now() - began);
        }
        const double began = kai_clock_now();
        if (kai_broad_update(&broad, 2, n, fill, balls, false, NULL) != KAI_OK) exit(1);
        f.reuse = fmin(f.reuse, kai_clock_now() - began);
    }
    f.pairs = (double)broad.pair_count / (double)n;
    f.bytes = (double)kai_broad_bytes(&broad) / (double)n;
    f.levels = broad.grid.level_count;
    kai_broad_free(&broad);
    return f;
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_broad: boxes to pairs on 1 and 2 threads");
    ball* balls = need(malloc((size_t)SIZES[SIZE_COUNT - 1] * sizeof *balls));
    const double triad = common_triad();
    printf("triad on one thread %.1f GB/s\n"
           "  scene       boxes  ns/box, 1  ns/box, 2  ms, 2     reuse ns  pairs/box  bytes/box  "
           "levels  GB moved / triad\n",
           triad);
    if (options.csv)
        fprintf(options.csv, "benchmark,scene,boxes,ns_per_box_1,ns_per_box_2,ns_per_box_reuse,"
                             "pairs_per_box,bytes_per_box,levels,triad_gb_s\n");
    for (int k = 0; k < SCENE_COUNT; k++) {
        if (!common_wanted(&options, SCENES[k])) continue;
        for (int s = 0; s < SIZE_COUNT; s++) {
            if (options.size && options.size != SIZES[s]) continue;
            const double n = SIZES[s];
            const figures f = measure(balls, (size_t)SIZES[s], SCENES[k], options.repetitions);
            // What broad.c, broad_search.c and broad_pairs.c count.
            const double moved = 280.0 + 40.0 + 56.0 * f.pairs;
            printf("  %-8s  %7d  %9.0f  %9.0f  %8.2f  %8.1f  %9.2f  %9.0f  %6d  %.2f\n", SCENES[k],
                   SIZES[s], 1e9 * f.build[0] / n, 1e9 * f.build[1] / n, 1e3 * f.build[1],
                   1e9 * f.reuse / n, f.pairs, f.bytes, f.levels,
                   moved * n / f.build[0] * 1e-9 / triad);
            if (options.csv)
                fprintf(options.csv, "broad,%s,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%d,%.4g\n", SCENES[k],
                        SIZES[s], 1e9 * f.build[0] / n, 1e9 * f.build[1] / n, 1e9 * f.reuse / n,
                        f.pairs, f.bytes, f.levels, triad);
            fflush(stdout);
        }
    }
    free(balls);
    if (options.csv) fclose(options.csv);
    return 0;
}
