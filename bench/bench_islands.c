// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// 1,000 four-bars that nothing connects, with euler: one thread beside two, and the same state on
// any number of threads.
//
// `revolute`: four hinges about z, as a drawing shows them; 3 of the 20 rows are redundant in
// space. `mixed`: two hinges, a ball joint and a cylindrical joint: the same motion, no row too
// many.
//
// What a step must cost, per four-bar, counted as in bench_chain.c. Order: crank, its ground joint,
// rocker, its ground joint, coupler, the two joints left.
//
//     body     91 + 15 × 10 × 2 + 60 + 55 × 6 × 2          1,111
//     joint    55 + 10 × 5 × 2 + 25 + 15 × 5 × 2             330, the last one 55
//     factors  3 bodies, 3 joints, the last joint          4,378
//     solve    4 × (3 × 75 + 3 × 35 + 10) + 38             1,398
//
// On two threads the same work must take half the time: efficiency = t₁ / (2 t₂).
#include "base/clock.h"
#include "common.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_COUNT = 1000, STEPS = 50, WARM = 5 };
static const double H = 1e-3, CRANK = 0.1, COUPLER = 0.35, ROCKER = 0.25, GROUND = 0.4;

static const int HASH_THREADS[] = {1, 2, 3, 7};
enum { HASH_COUNT = sizeof HASH_THREADS / sizeof HASH_THREADS[0] };

/// A variant and what was measured.
typedef struct variant {
    const char* name;
    const kai_joint_kind *third, *fourth; // coupler to rocker, rocker to ground
    double seconds[2];                    // a step on one thread and on two
    uint64_t hash[HASH_COUNT];
    uint64_t allocations;
    double gap;
} variant;

/// One four-bar with its crank at an angle: the rocker's end is where two circles meet.
static void add_four_bar(kai_world* world, const variant* v, kai_body ground, double x,
                         double angle)
{
    const kai_vec3 a = kai_vec3_make(x, 0.0, 0.0), d = kai_vec3_make(x + GROUND, 0.0, 0.0);
    const kai_vec3 b = kai_vec3_make(x + CRANK * cos(angle), CRANK * sin(angle), 0.0);
    const kai_vec3 bd = kai_vec3_sub(d, b);
    const double s = kai_vec3_norm(bd);
    const double along = (COUPLER * COUPLER - ROCKER * ROCKER + s * s) / (2.0 * s);
    const double across = sqrt(COUPLER * COUPLER - along * along);
    const kai_vec3 u = kai_vec3_scale(bd, 1.0 / s);
    const kai_vec3 c =
        kai_vec3_make(b.x + along * u.x - across * u.y, b.y + along * u.y + across * u.x, 0.0);
    const kai_body crank = common_bar(world, a, b, 0.02), coupler = common_bar(world, b, c, 0.02),
                   rocker = common_bar(world, d, c, 0.02);
    common_joint(world, &kai_joint_revolute, ground, crank, a);
    common_joint(world, &kai_joint_revolute, crank, coupler, b);
    common_joint(world, v->third, coupler, rocker, c);
    common_joint(world, v->fourth, ground, rocker, d);
}

static kai_world* make_world(const variant* v, int count, int threads)
{
    kai_body ground;
    kai_world* world = common_world(threads, kai_vec3_make(0.0, -9.81, 0.0), &ground);
    for (int i = 0; i < count; i++) add_four_bar(world, v, ground, i, 2.0 * KAI_PI * i / count);
    common_step(world, H, WARM);
    return world;
}

/// One thread and two in turn, so that both meet the same noise.
static void measure(variant* v, int count, int repetitions)
{
    v->seconds[0] = v->seconds[1] = HUGE_VAL;
    for (int r = 0; r < repetitions; r++) {
        for (int t = 0; t < 2; t++) {
            kai_world* world = make_world(v, count, t + 1);
            const uint64_t before = kai_world_stats(world).allocations;
            const double began = kai_clock_now();
            common_step(world, H, STEPS);
            v->seconds[t] = fmin(v->seconds[t], (kai_clock_now() - began) / STEPS);
            v->allocations = kai_world_stats(world).allocations - before;
            v->gap = common_gap(world);
            kai_world_destroy(world);
        }
    }
    for (int i = 0; i < HASH_COUNT; i++) {
        kai_world* world = make_world(v, count, HASH_THREADS[i]);
        common_step(world, H, STEPS);
        v->hash[i] = kai_world_hash(world);
        kai_world_destroy(world);
    }
}

static bool same_hashes(const variant* v)
{
    for (int i = 1; i < HASH_COUNT; i++)
        if (v->hash[i] != v->hash[0]) return false;
    return true;
}

int main(int argc, char** argv)
{
    const common_options options =
        common_read_options(argc, argv, "bench_islands: independent four-bars on 1 and 2 threads");
    const int count = options.size ? options.size : DEFAULT_COUNT;
    variant variants[] = {
        {.name = "revolute", .third = &kai_joint_revolute, .fourth = &kai_joint_revolute},
        {.name = "mixed", .third = &kai_joint_spherical, .fourth = &kai_joint_cylindrical}};
    bool same = true;
    printf("%d four-bars, euler, h = %g s\n"
           "  joints     1 thread, µs  2 threads, µs  efficiency  µs/four-bar   gap, m  "
           "allocations  state on 1, 2, 3, 7 threads\n",
           count, H);
    if (options.csv)
        fprintf(options.csv, "benchmark,joints,four_bars,us_per_step_1,us_per_step_2,efficiency,"
                             "gap_m,allocations,state_hash,same_on_1_2_3_7_threads\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        variant* v = &variants[i];
        if (!common_wanted(&options, v->name)) continue;
        measure(v, count, options.repetitions);
        const double one = 1e6 * v->seconds[0], two = 1e6 * v->seconds[1];
        const bool equal = same_hashes(v);
        same = same && equal;
        printf("  %-9s  %12.0f  %13.0f  %8.0f %%  %11.3f  %7.1e  %11llu  %s\n", v->name, one, two,
               50.0 * one / two, one / count, v->gap, (unsigned long long)v->allocations,
               equal ? "equal" : "DIFFERENT");
        if (options.csv)
            fprintf(options.csv, "islands,%s,%d,%.5g,%.5g,%.3f,%.3g,%llu,%016llx,%s\n", v->name,
                    count, one, two, 0.5 * one / two, v->gap, (unsigned long long)v->allocations,
                    (unsigned long long)v->hash[0], equal ? "true" : "false");
    }
    if (options.csv) fclose(options.csv);
    return same ? 0 : 1;
}
