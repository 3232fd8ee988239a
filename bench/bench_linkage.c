// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A linkage of 40 bodies and 13 loops with euler: our factorisation, whose order and memory are
// kept while the topology stays, beside a general sparse LU that starts from scratch each step.
//
// The linkage hangs: a bar from the ground, then 13 four-bars one below the other, each with the
// platform of the one above as its base (two legs and a platform each). `mixed`: a ball and a
// cylindrical joint at the platform, so that no row is redundant; `revolute`: hinges only, 3
// redundant rows a loop.
//
//     ratio = (step - ours + general) / step
//
// ours: assembly, factorisation and the solves of one step with solve/ldl.h. general: values of the
// same matrix, symbolic analysis, factorisation and as many solves with the library. The pattern of
// the matrix is laid out once, so that only what the library must do is counted. Everything else in
// the step stays as it is.
#include "base/clock.h"
#include "common.h"
#include "peers/lu.h"
#include "step/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 13, STEPS = 400, WARM = 5, ROUNDS = 200 };
static const double H = 1e-3,
                    COMPLIANCE = 1e-9; // where rows are redundant: as step/constraints_factor.c

static const lu_kind* const LIBRARIES[] = {
#ifdef KAIROS_PEER_SUITESPARSE
    &lu_umfpack, &lu_klu,
#endif
    NULL};

// The linkage ------------------------------------------------------------------------------------

static kai_world* make_linkage(bool mixed)
{
    static const double LEG = 0.3, WIDTH = 0.2, SPREAD = 0.03, THICK = 0.02;
    const kai_joint_kind* ball = mixed ? &kai_joint_spherical : &kai_joint_revolute;
    const kai_joint_kind* slide = mixed ? &kai_joint_cylindrical : &kai_joint_revolute;
    kai_body ground;
    kai_world* world = common_world(1, kai_vec3_make(1.0, -9.81, 0.0), &ground);
    kai_body base =
        common_bar(world, kai_vec3_make(0.0, 0.0, 0.0), kai_vec3_make(WIDTH, 0, 0), THICK);
    common_joint(world, &kai_joint_revolute, ground, base, kai_vec3_make(0.5 * WIDTH, 0.1, 0.0));
    double x0 = 0.0, x1 = WIDTH, y = 0.0;
    for (int i = 0; i < LOOPS; i++) {
        // Wider and narrower in turn: no parallelogram, no dead point near.
        const double s = i % 2 ? -SPREAD : SPREAD, below = y - LEG;
        const kai_vec3 a0 = kai_vec3_make(x0, y, 0.0), a1 = kai_vec3_make(x1, y, 0.0);
        const kai_vec3 b0 = kai_vec3_make(x0 + s, below, 0.0),
                       b1 = kai_vec3_make(x1 - s, below, 0.0);
        const kai_body left = common_bar(world, a0, b0, THICK),
                       right = common_bar(world, a1, b1, THICK),
                       platform = common_bar(world, b0, b1, THICK);
        common_joint(world, &kai_joint_revolute, base, left, a0);
        common_joint(world, &kai_joint_revolute, base, right, a1);
        common_joint(world, ball, left, platform, b0);
        common_joint(world, slide, right, platform, b1);
        base = platform;
        x0 += s, x1 -= s, y = below;
    }
    return world;
}

// The matrix, for a general library --------------------------------------------------------------

/// The joints' system as a sparse matrix.
typedef struct kkt {
    const kai_constraints* c;
    const kai_world* world;
    lu_matrix matrix;
    int* place; // [n × n] of an entry in matrix.value, by column; -1: none
} kkt;

typedef void put_fn(kkt* s, size_t row, size_t column, double value);

/// The two blocks of a row of a joint, and what the row adds to the trace of G M⁻¹ Gᵀ.
static double visit_row(kkt* s, const kai_constraints_joint* joint, uint32_t r, size_t row,
                        put_fn* put)
{
    const kai_constraints_end* ends = kai_constraints_ends(s->c, joint);
    double sum = 0.0;
    for (int k = 0; k < joint->ends; k++) {
        const uint32_t node = ends[k].node;
        const double* d = kai_constraints_piece(s->c, joint, r, &ends[k]);
        if (node == UINT32_MAX) continue;
        const kai_bodies_mass* mass = kai_bodies_mass_of(&s->world->bodies, ends[k].slot);
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (size_t p = 0; p < 6; p++) {
            put(s, row, 6 * node + p, d[p]);
            put(s, 6 * node + p, row, d[p]);
            sum += d[p] * d[p] / m[p];
        }
    }
    return sum;
}

/// Calls `put` for every entry of the matrix.
static void visit(kkt* s, put_fn* put)
{
    const kai_constraints* c = s->c;
    const uint32_t* slot = c->bodies.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_bodies_mass* mass = kai_bodies_mass_of(&s->world->bodies, slot[i]);
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (size_t k = 0; k < 6; k++) put(s, 6 * i + k, 6 * i + k, m[k]);
    }
    const size_t first = 6 * c->bodies.count, count = c->x.count - first;
    size_t row = first;
    double trace = 0.0;
    for (size_t i = 0; i < c->joints.count; i++)
        for (uint32_t r = 0; r < joints[i].count; r++)
            trace += visit_row(s, &joints[i], r, row++, put);
    for (row = first; c->soft && row < first + count; row++)
        put(s, row, row, -COMPLIANCE * trace / (double)count);
}

static void put_place(kkt* s, size_t row, size_t column, double value)
{
    (void)value;
    s->place[column * (size_t)s->matrix.n + row] = 0;
}

static void put_value(kkt* s, size_t row, size_t column, double value)
{
    s->matrix.value[s->place[column * (size_t)s->matrix.n + row]] = value;
}

static bool lay_out(kkt* s)
{
    lu_matrix* m = &s->matrix;
    const size_t n = s->c->x.count;
    m->n = (int)n;
    s->place = malloc(n * n * sizeof *s->place);
    m->first = malloc((n + 1) * sizeof *m->first);
    if (!s->place || !m->first) return false;
    memset(s->place, -1, n * n * sizeof *s->place);
    visit(s, put_place);
    int entries = 0;
    for (size_t i = 0; i < n * n; i++) {
        if (i % n == 0) m->first[i / n] = entries;
        if (s->place[i] >= 0) s->place[i] = entries++;
    }
    m->first[n] = entries;
    m->row = malloc((size_t)entries * sizeof *m->row);
    m->value = malloc((size_t)entries * sizeof *m->value);
    for (size_t i = 0; m->row && i < n * n; i++)
        if (s->place[i] >= 0) m->row[s->place[i]] = (int)(i % n);
    return m->row && m->value;
}

static void kkt_free(kkt* s)
{
    free(s->place);
    free(s->matrix.first);
    free(s->matrix.row);
    free(s->matrix.value);
}

// Times ------------------------------------------------------------------------------------------

/// Some right-hand side, always the same: momenta, and rows that hold already.
static void fill(const kai_constraints* c, double* x)
{
    memset(x, 0, c->x.count * sizeof *x);
    for (size_t i = 0; i < 6 * c->bodies.count; i++) x[i] = sin(1.0 + (double)i);
}

/// Seconds of assembly and factorisation, and of the solves of one step; leaves the solution.
static double time_ours(kai_constraints* c, kai_world* world, int solves)
{
    double best = HUGE_VAL;
    for (int i = 0; i < ROUNDS; i++) {
        double* x = kai_constraints_unknowns(c);
        const double began = kai_clock_now();
        c->skip_least_norm = true; // as euler does
        common_check(world, kai_constraints_factor(c, world, false, &world->error));
        c->skip_least_norm = false;
        for (int k = 0; k < solves; k++) {
            fill(c, x);
            kai_ldl_solve(&c->ldl, 1, x);
        }
        best = fmin(best, kai_clock_now() - began);
    }
    return best;
}

/// The same with a library; `analysis` receives the share of the symbolic part.
static double time_general(const lu_kind* kind, kkt* s, int solves, double* x, double* analysis)
{
    double best = HUGE_VAL;
    void* lu = kind->create();
    bool ok = lu;
    for (int i = 0; ok && i < ROUNDS; i++) {
        const double began = kai_clock_now();
        visit(s, put_value);
        const double filled = kai_clock_now();
        ok = kind->analyze(lu, &s->matrix);
        const double analyzed = kai_clock_now();
        ok = ok && kind->factor(lu, &s->matrix);
        for (int k = 0; ok && k < solves; k++) {
            fill(s->c, x);
            ok = kind->solve(lu, &s->matrix, x);
        }
        const double now = kai_clock_now();
        if (now - began < best) *analysis = analyzed - filled;
        best = fmin(best, now - began);
    }
    if (lu) kind->destroy(lu);
    return ok ? best : (double)NAN;
}

/// Largest difference of the velocities of two solutions, against the largest of them.
static double difference(const kai_constraints* c, const double* a, const double* b)
{
    double most = 0.0, size = 0.0;
    for (size_t i = 0; i < 6 * c->bodies.count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(a[i]));
    }
    return most / size;
}

static double time_steps(bool mixed, int repetitions, kai_world** last)
{
    double best = HUGE_VAL;
    for (int i = 0; i < repetitions; i++) {
        kai_world_destroy(*last);
        *last = make_linkage(mixed);
        common_step(*last, H, WARM);
        const double began = kai_clock_now();
        common_step(*last, H, STEPS);
        best = fmin(best, (kai_clock_now() - began) / STEPS);
    }
    return best;
}

static void compare(const common_options* options, const char* name, bool mixed)
{
    kai_world* world = NULL;
    kai_constraints* c = NULL;
    const double step = time_steps(mixed, options->repetitions, &world), gap = common_gap(world);
    common_check(world, kai_constraints_get(world, &c, &world->error));
    kai_constraints_evaluate(c, world, kai_world_time(world));
    // euler leaves redundant rows out. The general LU cannot: it gets a trace of compliance, and
    // its one solve is then off by what `difference` shows; corrections would cost it more solves.
    const int solves = 1;
    const double ours = time_ours(c, world, solves);
    printf("  %-9s %6zu %5zu %6zu %7d  %7.1e  %-8s %9.1f  %12.1f\n", name, c->bodies.count,
           c->joints.count, c->x.count, solves, gap, "Kairos", 1e6 * step, 1e6 * ours);
    if (options->csv)
        fprintf(options->csv, "linkage,%s,%zu,%zu,%zu,%d,%.3g,Kairos,%.5g,%.5g,,,\n", name,
                c->bodies.count, c->joints.count, c->x.count, solves, gap, 1e6 * step, 1e6 * ours);
    kkt s = {.c = c, .world = world};
    double* x = malloc(c->x.count * sizeof *x);
    if (!x || !lay_out(&s)) exit(1);
    for (size_t i = 0; LIBRARIES[i]; i++) {
        double analysis = 0.0;
        const double general = time_general(LIBRARIES[i], &s, solves, x, &analysis);
        const double whole = step - ours + general;
        const double off = difference(c, kai_constraints_unknowns(c), x);
        printf("  %-46s %-8s %9.1f  %12.1f  %12.1f  %5.1f ×  %10.1e\n", "", LIBRARIES[i]->name,
               1e6 * whole, 1e6 * general, 1e6 * analysis, whole / step, off);
        if (options->csv)
            fprintf(options->csv, "linkage,%s,%zu,%zu,%zu,%d,,%s,%.5g,%.5g,%.5g,%.4g,%.3g\n", name,
                    c->bodies.count, c->joints.count, c->x.count, solves, LIBRARIES[i]->name,
                    1e6 * whole, 1e6 * general, 1e6 * analysis, whole / step, off);
    }
    free(x);
    kkt_free(&s);
    kai_world_destroy(world);
}

int main(int argc, char** argv)
{
    const common_options options = common_read_options(
        argc, argv, "bench_linkage: a linkage with loops, our factorisation beside a general LU");
    printf(
        "linkage with loops, euler, 1 thread, h = %g s\n"
        "  joints    bodies  held   rows  solves  gap, m   solver    step, µs  factor+solve   of it "
        "order    ratio  difference\n",
        H);
    if (options.csv)
        fprintf(options.csv,
                "benchmark,joints,bodies,joint_count,rows,solves,gap_m,solver,us_per_step,"
                "us_factor_solve,us_analysis,ratio,difference\n");
    if (common_wanted(&options, "mixed")) compare(&options, "mixed", true);
    if (common_wanted(&options, "revolute")) compare(&options, "revolute", false);
    if (!LIBRARIES[0]) printf("  UMFPACK, KLU: not built in: need Debian's libsuitesparse-dev\n");
    if (options.csv) fclose(options.csv);
    return 0;
}
