// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "common.h"

#include "base/clock.h"
#include "base/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Options ----------------------------------------------------------------------------------------

static void usage(const char* what, int status)
{
    fprintf(status ? stderr : stdout,
            "%s\n"
            "  --csv FILE        also write every figure to a file\n"
            "  --size N          only this size\n"
            "  --only WORD       only engines and methods with this in their name\n"
            "  --file FILE       what to work on, where the program reads one\n"
            "  --repetitions N   the best of so many (default: 5)\n",
            what);
    exit(status);
}

common_options common_read_options(int argc, char** argv, const char* what)
{
    common_options o = {.repetitions = 5};
    for (int i = 1; i < argc; i += 2) {
        const char* value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0) usage(what, 0);
        if (!value) usage(what, 2);
        if (strcmp(argv[i], "--csv") == 0) {
            o.csv = fopen(value, "w");
            if (!o.csv) {
                fprintf(stderr, "cannot write %s\n", value);
                exit(1);
            }
        } else if (strcmp(argv[i], "--size") == 0 && atoi(value) > 0) {
            o.size = atoi(value);
        } else if (strcmp(argv[i], "--repetitions") == 0 && atoi(value) > 0) {
            o.repetitions = atoi(value);
        } else if (strcmp(argv[i], "--only") == 0) {
            o.only = value;
        } else if (strcmp(argv[i], "--file") == 0) {
            o.file = value;
        } else {
            usage(what, 2);
        }
    }
    return o;
}

bool common_wanted(const common_options* options, const char* name)
{
    return !options->only || strstr(name, options->only);
}

// Worlds -----------------------------------------------------------------------------------------

void common_check(const kai_world* world, kai_result result)
{
    if (result == KAI_OK) return;
    fprintf(stderr, "%s\n", world ? kai_world_error(world)->message : "no world could be made");
    exit(1);
}

kai_world* common_world(int threads, kai_vec3 gravity, kai_body* ground)
{
    kai_world* world = NULL;
    kai_world_def def = kai_world_def_default();
    def.threads = threads;
    def.gravity = gravity;
    common_check(world, kai_world_create(&def, &world, NULL));
    kai_body_def body = kai_body_def_default();
    body.fixed = true;
    common_check(world, kai_body_create(world, &body, ground));
    return world;
}

kai_body common_bar(kai_world* world, kai_vec3 from, kai_vec3 to, double width)
{
    const kai_vec3 along = kai_vec3_sub(to, from);
    const double length = kai_vec3_norm(along), angle = atan2(along.y, along.x);
    kai_body_def def = kai_body_def_default();
    kai_body body;
    def.mass = 500.0 * length * width * width;
    def.inertia.xx = def.mass * width * width / 6.0;
    def.inertia.yy = def.inertia.zz = def.mass * (length * length + width * width) / 12.0;
    def.position = kai_vec3_mul_add(from, along, 0.5);
    def.rotation = (kai_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    common_check(world, kai_body_create(world, &def, &body));
    return body;
}

kai_joint common_joint(kai_world* world, const kai_joint_kind* kind, kai_body a, kai_body b,
                       kai_vec3 at)
{
    kai_joint_base base;
    kai_joint joint;
    kai_kind_defaults(&kind->kind, &base);
    base.bodies[0] = a;
    base.bodies[1] = b;
    base.at = at;
    base.axis = kai_vec3_make(0.0, 0.0, 1.0);
    common_check(world, kai_joint_create(world, kind, &base, NULL, &joint));
    return joint;
}

double common_gap(kai_world* world)
{
    double most = 0.0;
    for (size_t i = 0; i < kai_joint_count(world); i++) {
        double g;
        common_check(world, kai_joint_violation(world, kai_joint_at_index(world, i), &g));
        most = fmax(most, g);
    }
    return most;
}

void common_step(kai_world* world, double h, int count)
{
    for (int i = 0; i < count; i++) common_check(world, kai_world_step(world, h));
}

// Ceilings ---------------------------------------------------------------------------------------

KAI_CLONES
static void triad(double* restrict a, const double* restrict b, const double* restrict c, size_t n)
{
    for (size_t i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
}

double common_triad(void)
{
    const size_t n = (size_t)1 << 24; // 128 MiB an array
    double best = 0.0, *a = malloc(3 * n * sizeof *a);
    if (!a) return 0.0;
    for (size_t i = 0; i < 3 * n; i++) a[i] = (double)i;
    for (int round = 0; round < 5; round++) {
        const double began = kai_clock_now();
        triad(a, a + n, a + 2 * n, n);
        best = fmax(best, 24.0 * (double)n / (kai_clock_now() - began) * 1e-9);
    }
    volatile double used = a[n / 2];
    (void)used;
    free(a);
    return best;
}

/// As many independent multiply-adds as keep every vector unit busy: 64 numbers.
KAI_CLONES
static double multiply_add(int rounds)
{
    enum { N = 64 };
    double x[N], sum = 0.0;
    for (int i = 0; i < N; i++) x[i] = i;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < N; i++) x[i] = x[i] * 0.999999 + 1e-6;
    for (int i = 0; i < N; i++) sum += x[i];
    return sum;
}

double common_fma(void)
{
    const int rounds = 1 << 20;
    double best = 0.0;
    for (int round = 0; round < 5; round++) {
        const double began = kai_clock_now();
        volatile double used = multiply_add(rounds);
        (void)used;
        best = fmax(best, 128.0 * rounds / (kai_clock_now() - began) * 1e-9);
    }
    return best;
}
