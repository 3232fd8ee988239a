// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The direct solver on matrices of meshes, on one thread and on two, beside CHOLMOD on one.
//
//     plate  33 × 33 nodes of 6 unknowns, as 32 × 32 shear-deformable shells have
//     tire   90 × 25 of them, closed to a ring
//     block  13 × 13 × 13 nodes of 3 unknowns, as hexahedra have
//     large  20 × 20 × 20 of them
//
// Every node is coupled with all nodes around it by full blocks. All solvers take turns, round by
// round; times are the best of the rounds. Run with OPENBLAS_NUM_THREADS=1.
#include "base/clock.h"
#include "base/memory.h"
#include "common.h"
#include "peers/lu.h"
#include "solve/ldl.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 8 };

typedef struct mesh {
    const char* name;
    int size[3], rows;
    bool ring; // closed along the first size
} mesh;

typedef struct grid {
    int nodes, rows;
    uint32_t edge_count;
    kai_ldl_edge* edges; // by a, then b
} grid;

typedef struct figures {
    double analyze, factor, solve; // s
} figures;

static int neighbour(const mesh* m, int i, const int step[3])
{
    int at[3] = {i % m->size[0], i / m->size[0] % m->size[1], i / m->size[0] / m->size[1]};
    for (int k = 0; k < 3; k++) at[k] += step[k];
    if (m->ring) at[0] = (at[0] + m->size[0]) % m->size[0];
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= m->size[k]) return -1;
    return (at[2] * m->size[1] + at[1]) * m->size[0] + at[0];
}

static int by_nodes(const void* x, const void* y)
{
    const kai_ldl_edge *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static grid make_grid(const mesh* m)
{
    grid g = {.nodes = m->size[0] * m->size[1] * m->size[2], .rows = m->rows};
    g.edges = malloc((size_t)g.nodes * 13 * sizeof *g.edges);
    for (int i = 0; g.edges && i < g.nodes; i++) {
        for (int s = 0; s < 27; s++) {
            const int j = neighbour(m, i, (const int[]){s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1});
            if (j > i) g.edges[g.edge_count++] = (kai_ldl_edge){(uint32_t)i, (uint32_t)j};
        }
    }
    if (g.edges) qsort(g.edges, g.edge_count, sizeof *g.edges, by_nodes);
    return g;
}

/// Entry of the block of an edge, rows of its first node down; diagonals outweigh them.
static double entry(uint32_t edge, int i, int j)
{
    return i == j ? -0.8 : -0.5 + 0.01 * (double)((uint32_t)(i * j) + edge % 7);
}

static const double DIAGONAL = 200.0;

// Ours -------------------------------------------------------------------------------------------

static void fill(kai_ldl* ldl, const grid* g)
{
    kai_ldl_clear(ldl, 1);
    for (uint32_t e = 0; e < g->edge_count; e++) {
        bool flipped;
        double* block = kai_ldl_block(ldl, e, &flipped);
        for (int i = 0; i < g->rows; i++)
            for (int j = 0; j < g->rows; j++)
                block[flipped ? j * KAI_LDL_WIDTH + i : i * KAI_LDL_WIDTH + j] = entry(e, i, j);
    }
    for (int n = 0; n < g->nodes; n++)
        for (int i = 0; i < g->rows; i++)
            kai_ldl_diagonal(ldl, (uint32_t)n)[i * (KAI_LDL_WIDTH + 1)] = DIAGONAL;
}

/// Our solver at work.
typedef struct ours {
    kai_memory memory;
    kai_ldl ldl;
    int threads;
    double* x;
    figures best;
} ours;

static bool ours_begin(ours* o, const grid* g, int threads)
{
    kai_ldl_node* nodes = calloc((size_t)g->nodes, sizeof *nodes);
    for (int i = 0; nodes && i < g->nodes; i++) nodes[i].rows = (uint8_t)g->rows;
    *o = (ours){.threads = threads, .best = {0.0, HUGE_VAL, HUGE_VAL}};
    o->x = malloc((size_t)(g->nodes * g->rows) * sizeof *o->x);
    kai_memory_init(&o->memory, NULL);
    kai_ldl_init(&o->ldl, &o->memory);
    const double start = kai_clock_now();
    const bool fine = nodes && o->x &&
                      kai_ldl_analyze(&o->ldl, nodes, (uint32_t)g->nodes, g->edges, g->edge_count,
                                      NULL) == KAI_OK;
    o->best.analyze = kai_clock_now() - start;
    free(nodes);
    return fine;
}

static bool ours_round(ours* o, const grid* g)
{
    uint32_t bad;
    fill(&o->ldl, g);
    double start = kai_clock_now();
    const bool fine = kai_ldl_factor(&o->ldl, o->threads, 1e-12, &bad);
    o->best.factor = fmin(o->best.factor, kai_clock_now() - start);
    for (int i = 0; i < g->nodes * g->rows; i++) o->x[i] = 1.0;
    start = kai_clock_now();
    kai_ldl_solve(&o->ldl, o->threads, o->x);
    o->best.solve = fmin(o->best.solve, kai_clock_now() - start);
    return fine;
}

static void ours_end(ours* o)
{
    kai_ldl_free(&o->ldl);
    free(o->x);
}

// The peer ---------------------------------------------------------------------------------------

#ifdef KAIROS_PEER_CHOLMOD
/// The lower half of the matrix, column by column; edges come by their first node.
static bool make_matrix(const grid* g, lu_matrix* m)
{
    const size_t rows = (size_t)g->rows, n = (size_t)g->nodes * rows;
    const size_t most = n * rows + g->edge_count * rows * rows;
    *m = (lu_matrix){.n = (int)n,
                     .first = malloc((n + 1) * sizeof(int)),
                     .row = malloc(most * sizeof(int)),
                     .value = malloc(most * sizeof(double))};
    if (!m->first || !m->row || !m->value) return false;
    int count = 0;
    uint32_t from = 0;
    for (int node = 0; node < g->nodes; node++) {
        uint32_t to = from;
        while (to < g->edge_count && g->edges[to].a == (uint32_t)node) to++;
        for (int i = 0; i < g->rows; i++) {
            m->first[node * g->rows + i] = count;
            m->row[count] = node * g->rows + i;
            m->value[count++] = DIAGONAL;
            for (uint32_t e = from; e < to; e++) {
                for (int j = 0; j < g->rows; j++) {
                    m->row[count] = (int)g->edges[e].b * g->rows + j;
                    m->value[count++] = entry(e, i, j);
                }
            }
        }
        from = to;
    }
    m->first[n] = count;
    return true;
}

/// CHOLMOD at work.
typedef struct peer {
    lu_matrix m;
    void* lu;
    double* x;
    figures best;
} peer;

static bool peer_begin(peer* p, const grid* g)
{
    *p = (peer){.lu = lu_cholmod.create(), .best = {0.0, HUGE_VAL, HUGE_VAL}};
    p->x = malloc((size_t)(g->nodes * g->rows) * sizeof *p->x);
    if (!p->lu || !p->x || !make_matrix(g, &p->m)) return false;
    const double start = kai_clock_now();
    const bool fine = lu_cholmod.analyze(p->lu, &p->m);
    p->best.analyze = kai_clock_now() - start;
    return fine;
}

static bool peer_round(peer* p)
{
    double start = kai_clock_now();
    bool fine = lu_cholmod.factor(p->lu, &p->m);
    p->best.factor = fmin(p->best.factor, kai_clock_now() - start);
    for (int i = 0; i < p->m.n; i++) p->x[i] = 1.0;
    start = kai_clock_now();
    fine = fine && lu_cholmod.solve(p->lu, &p->m, p->x);
    p->best.solve = fmin(p->best.solve, kai_clock_now() - start);
    return fine;
}

static void peer_end(peer* p)
{
    if (p->lu) lu_cholmod.destroy(p->lu);
    free(p->m.first);
    free(p->m.row);
    free(p->m.value);
    free(p->x);
}
#endif

static void print(const common_options* o, const mesh* m, const grid* g, const char* solver,
                  int threads, const figures* f)
{
    const int unknowns = g->nodes * g->rows;
    printf("  %-6s %8d  %-8s %7d %11.1f %10.2f %9.3f\n", m->name, unknowns, solver, threads,
           1e3 * f->analyze, 1e3 * f->factor, 1e3 * f->solve);
    if (o->csv)
        fprintf(o->csv, "factors,%s,%d,%s,%d,%.3f,%.4f,%.4f\n", m->name, unknowns, solver, threads,
                1e3 * f->analyze, 1e3 * f->factor, 1e3 * f->solve);
}

static void compare(const grid* g, const double* x, const double* y, const char* with)
{
    double most = 0.0, difference = 0.0;
    for (int i = 0; i < g->nodes * g->rows; i++) {
        most = fmax(most, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    printf("         solutions differ from those of %s by %.1e of the largest\n", with,
           difference / most);
}

static bool time_mesh(const common_options* o, const mesh* m)
{
    grid g = make_grid(m);
    ours one, two;
    bool fine = g.edges && ours_begin(&one, &g, 1) && ours_begin(&two, &g, 2);
#ifdef KAIROS_PEER_CHOLMOD
    peer other;
    fine = fine && peer_begin(&other, &g);
#endif
    for (int r = 0; fine && r < ROUNDS; r++) {
        fine = ours_round(&one, &g) && ours_round(&two, &g);
#ifdef KAIROS_PEER_CHOLMOD
        fine = fine && peer_round(&other);
#endif
    }
    if (!fine) return false; // out of memory: the program ends
    print(o, m, &g, "ldl", 1, &one.best);
    print(o, m, &g, "ldl", 2, &two.best);
    compare(&g, one.x, two.x, "two threads");
#ifdef KAIROS_PEER_CHOLMOD
    print(o, m, &g, "CHOLMOD", 1, &other.best);
    compare(&g, one.x, other.x, "CHOLMOD");
    peer_end(&other);
#endif
    ours_end(&one);
    ours_end(&two);
    free(g.edges);
    return true;
}

int main(int argc, char** argv)
{
    static const mesh ALL[] = {{"plate", {33, 33, 1}, 6, false},
                               {"tire", {90, 25, 1}, 6, true},
                               {"block", {13, 13, 13}, 3, false},
                               {"large", {20, 20, 20}, 3, false}};
    const common_options o =
        common_read_options(argc, argv, "bench_factors: direct solution of meshes");
    printf("  mesh   unknowns  solver   threads ms, analyze     factor     solve\n");
    if (o.csv)
        fprintf(o.csv, "benchmark,mesh,unknowns,solver,threads,analyze_ms,factor_ms,solve_ms\n");
    for (size_t k = 0; k < KAI_COUNT(ALL); k++)
        if (common_wanted(&o, ALL[k].name) && !time_mesh(&o, &ALL[k])) return 1;
#ifndef KAIROS_PEER_CHOLMOD
    printf("CHOLMOD is not there (Debian package libsuitesparse-dev)\n");
#endif
    if (o.csv) fclose(o.csv);
    return 0;
}
