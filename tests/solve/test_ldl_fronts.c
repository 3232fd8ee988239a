// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Large systems, by fronts: meshes with joints against dense factors, any number of threads,
// redundant rows, bad pivots, limits, memory; the loops for each CPU against the plain ones.
#include "helper.h"
#include "solve/ldl.h"
#include "solve/ldl_kernel.h"

#include <kairos/kind.h>

enum { NODES = 1400, EDGES = 16000, ROWS = 2600 };

/// A mesh: every node is coupled with all around it; and joints between nodes.
typedef struct plan {
    int size[3];
    int rows[4]; // of nodes, in turn
    int joints;  // each holds a node, and every second one another node too
    int joint_rows;
} plan;

typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_ldl ldl;
    kai_ldl_node nodes[NODES];
    kai_ldl_edge edges[EDGES];
    uint32_t node_count, edge_count, bodies;
    int rows;
    double* dense; // [rows²]
} fixture;

static fixture* begin(void)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_ldl_init(&f->ldl, &f->memory);
    return f;
}

static void end(fixture* f)
{
    kai_ldl_free(&f->ldl);
    assert_int_equal(f->counter.blocks, 0);
    free(f->dense);
    free(f);
}

static void couple(fixture* f, uint32_t a, uint32_t b)
{
    assert_true(f->edge_count < EDGES);
    f->edges[f->edge_count++] = (kai_ldl_edge){a, b};
}

static void make_mesh(fixture* f, const plan* p)
{
    const int nx = p->size[0], ny = p->size[1], nz = p->size[2];
    f->bodies = (uint32_t)(nx * ny * nz);
    f->node_count = f->bodies + (uint32_t)p->joints;
    assert_true(f->node_count <= NODES);
    for (uint32_t i = 0; i < f->bodies; i++) {
        const int x = (int)i % nx, y = (int)i / nx % ny, z = (int)i / nx / ny;
        f->nodes[i] = (kai_ldl_node){.rows = (uint8_t)p->rows[i % 4]};
        for (int s = 14; s < 27; s++) {
            const int u = x + s % 3 - 1, v = y + s / 3 % 3 - 1, w = z + s / 9 - 1;
            if (u >= 0 && u < nx && v >= 0 && v < ny && w < nz)
                couple(f, i, (uint32_t)((w * ny + v) * nx + u));
        }
    }
    for (int j = 0; j < p->joints; j++) {
        const uint32_t node = f->bodies + (uint32_t)j, step = f->bodies / (uint32_t)(p->joints + 1);
        f->nodes[node] = (kai_ldl_node){.rows = (uint8_t)p->joint_rows, .constraint = true};
        couple(f, node, (uint32_t)j * step);
        if (j % 2) couple(f, node, ((uint32_t)j * step + f->bodies / 2 + 1) % f->bodies);
    }
    for (uint32_t i = 0; i < f->node_count; i++) f->rows += f->nodes[i].rows;
    assert_true(f->rows <= ROWS);
}

static uint32_t row_of(const fixture* f, uint32_t node)
{
    return ((const uint32_t*)f->ldl.first_row.data)[node];
}

/// Random numbers into the system and its dense twin; diagonals of nodes outweigh their rows.
static void fill(fixture* f, uint64_t seed)
{
    const size_t n = (size_t)f->rows;
    free(f->dense);
    f->dense = calloc(n * n, sizeof(double));
    assert_non_null(f->dense);
    kai_ldl_clear(&f->ldl, 2);
    for (uint32_t e = 0; e < f->edge_count; e++) {
        const uint32_t a = f->edges[e].a, b = f->edges[e].b;
        bool flipped;
        double* block = kai_ldl_block(&f->ldl, e, &flipped);
        for (uint32_t r = 0; r < f->nodes[a].rows; r++) {
            for (uint32_t c = 0; c < f->nodes[b].rows; c++) {
                const double x = helper_random(seed++);
                const size_t i = row_of(f, a) + r, j = row_of(f, b) + c;
                block[flipped ? c * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + c] = x;
                f->dense[i * n + j] = f->dense[j * n + i] = x;
            }
        }
    }
    for (uint32_t i = 0; i < f->bodies; i++) {
        for (uint32_t r = 0; r < f->nodes[i].rows; r++) {
            const size_t at = row_of(f, i) + r;
            double sum = 1.0 + fabs(helper_random(seed++));
            for (size_t k = 0; k < n; k++) sum += 0.7 * fabs(f->dense[at * n + k]);
            f->dense[at * n + at] = sum;
            kai_ldl_diagonal(&f->ldl, i)[r * KAI_LDL_WIDTH + r] = sum;
        }
    }
}

static void solve(fixture* f, int threads, double* x)
{
    uint32_t node = 0;
    assert_true(kai_ldl_factor(&f->ldl, threads, 1e-12, &node));
    for (int i = 0; i < f->rows; i++) x[i] = helper_random(1000 + (uint64_t)i);
    kai_ldl_solve(&f->ldl, threads, x);
}

/// The largest of K x - b, as a share of the largest sum of |K| |x| over a row.
static double residual(const fixture* f, const double* x)
{
    const size_t n = (size_t)f->rows;
    double worst = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = -helper_random(1000 + i), size = 0.0;
        for (size_t k = 0; k < n; k++) {
            sum += f->dense[i * n + k] * x[k];
            size += fabs(f->dense[i * n + k] * x[k]);
        }
        worst = fmax(worst, fabs(sum));
        most = fmax(most, size);
    }
    return worst / most;
}

/// Plain LDLᵀ of the dense twin, in the order of its rows, and a solution with it.
static void solve_dense(fixture* f, double* x)
{
    const size_t n = (size_t)f->rows;
    double* k = f->dense;
    for (size_t p = 0; p < n; p++) {
        for (size_t i = p + 1; i < n; i++) {
            const double factor = k[i * n + p] / k[p * n + p];
            if (factor == 0.0) continue;
            for (size_t j = p + 1; j < n; j++) k[i * n + j] -= factor * k[p * n + j];
            k[i * n + p] = factor;
        }
    }
    for (size_t i = 0; i < n; i++) x[i] = helper_random(1000 + i);
    for (size_t p = 0; p < n; p++)
        for (size_t i = p + 1; i < n; i++) x[i] -= k[i * n + p] * x[p];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= k[i * n + j] * x[j];
        x[i] /= k[i * n + i];
    }
}

static const plan PLANS[] = {
    {.size = {16, 14, 1}, .rows = {3, 3, 3, 3}},
    {.size = {15, 15, 1}, .rows = {6, 1, 3, 2}, .joints = 9, .joint_rows = 1},
    {.size = {7, 6, 6}, .rows = {3, 3, 3, 3}, .joints = 12, .joint_rows = 3},
    {.size = {8, 6, 5}, .rows = {1, 8, 2, 6}, .joints = 5, .joint_rows = 1},
    {.size = {300, 1, 1}, .rows = {6, 3, 6, 3}, .joints = 40, .joint_rows = 3}, // ties along a line
};

static void matches_dense_factors(void** state)
{
    (void)state;
    static double x[ROWS], y[ROWS];
    for (size_t i = 0; i < KAI_COUNT(PLANS); i++) {
        fixture* f = begin();
        make_mesh(f, &PLANS[i]);
        check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
        if (PLANS[i].size[1] > 1) assert_true(f->ldl.fronts.fronts.count > 0);
        for (uint64_t round = 0; round < 2; round++) {
            fill(f, 100000 * (i + round));
            solve(f, 2, x);
            assert_int_equal(f->ldl.redundant, 0);
            check_near(residual(f, x), 0.0, 1e-13, "rounding of sums of some hundred numbers");
        }
        solve_dense(f, y);
        double most = 0.0;
        for (int k = 0; k < f->rows; k++) most = fmax(most, fabs(y[k]));
        for (int k = 0; k < f->rows; k++)
            check_near(x[k], y[k], 1e-10 * most, "dense factors; condition up to 1e5");
        end(f);
    }
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    static double x[ROWS], y[ROWS];
    // Large enough for tasks and for fronts that all threads share.
    const plan large = {.size = {11, 10, 9}, .rows = {3, 3, 1, 3}, .joints = 30, .joint_rows = 1};
    static const int THREADS[] = {2, 3, 5, 7, 16};
    fixture* f = begin();
    make_mesh(f, &large);
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    assert_true(f->ldl.fronts.tasks.count > 4);
    assert_true(f->ldl.fronts.top.count > 2);
    fill(f, 5);
    solve(f, 1, x);
    check_near(residual(f, x), 0.0, 1e-13, "rounding");
    for (size_t t = 0; t < KAI_COUNT(THREADS); t++) {
        solve(f, THREADS[t], y);
        assert_memory_equal(x, y, (size_t)f->rows * sizeof *x);
    }
    end(f);
}

static void redundant_rows_are_left_out(void** state)
{
    (void)state;
    // Joints that hold a node twice by the same rows, all over the mesh.
    const plan p = {.size = {16, 16, 1}, .rows = {3, 3, 3, 3}, .joints = 20, .joint_rows = 2};
    static double x[ROWS];
    fixture* f = begin();
    make_mesh(f, &p);
    f->edge_count -= 30; // those of the joints
    for (uint32_t j = 0; j < 20; j++) couple(f, f->bodies + j, j / 2 * 25);
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    assert_true(f->ldl.fronts.fronts.count > 0);
    fill(f, 7);
    for (uint32_t e = f->edge_count - 20; e < f->edge_count; e += 2) {
        bool first_flipped, flipped;
        const double* first = kai_ldl_block(&f->ldl, e, &first_flipped);
        double* second = kai_ldl_block(&f->ldl, e + 1, &flipped);
        assert_true(first_flipped == flipped);
        memcpy(second, first, (flipped ? 3 : 2) * KAI_LDL_WIDTH * sizeof(double));
    }
    solve(f, 2, x);
    assert_int_equal(f->ldl.redundant, 20);
    for (int i = 0; i < f->rows; i++) assert_true(isfinite(x[i]));
    for (uint32_t j = f->bodies; j < f->node_count; j += 2)
        for (uint32_t r = 0; r < 2; r++)
            assert_int_equal(
                kai_ldl_is_redundant(&f->ldl, j, r) + kai_ldl_is_redundant(&f->ldl, j + 1, r), 1);
    end(f);
}

static void a_bad_pivot_is_named(void** state)
{
    (void)state;
    fixture* f = begin();
    make_mesh(f, &PLANS[2]);
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    for (int bad = 0; bad < 250; bad += 83) {
        fill(f, 3);
        kai_ldl_diagonal(&f->ldl, (uint32_t)bad)[0] = bad % 2 ? (double)NAN : -1e9;
        for (int threads = 1; threads < 6; threads += 2) {
            uint32_t node = UINT32_MAX;
            assert_false(kai_ldl_factor(&f->ldl, threads, 1e-12, &node));
            assert_int_equal(node, bad);
        }
    }
    end(f);
}

static void a_stop_is_heeded(void** state)
{
    (void)state;
    static const volatile int now = 1;
    fixture* f = begin();
    make_mesh(f, &PLANS[2]);
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    for (int threads = 1; threads < 6; threads += 2) {
        uint32_t node = 0;
        f->ldl.stop = &now;
        fill(f, 3);
        assert_false(kai_ldl_factor(&f->ldl, threads, 1e-12, &node));
        assert_true(node == KAI_LDL_STOPPED);
        f->ldl.stop = NULL;
        fill(f, 3);
        assert_true(kai_ldl_factor(&f->ldl, threads, 1e-12, &node));
    }
    end(f);
}

static void limits_hold(void** state)
{
    (void)state;
    fixture* f = begin();
    kai_error err = {0};
    make_mesh(f, &PLANS[2]);
    f->ldl.limit = 3000;
    check_error(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, &err),
                KAI_ERROR_LIMIT);
    assert_string_equal(err.message, "the factors need more than 3000 numbers");
    f->ldl.limit = 1000000;
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, &err));
    assert_true(f->ldl.numbers <= 1000000);
    end(f);
}

static void survives_a_failing_allocator(void** state)
{
    (void)state;
    uint64_t step = 1;
    for (uint64_t fail_at = 1;; fail_at += step) {
        if (fail_at == 40) step = 97; // lists of neighbours: thousands of calls alike
        fixture* f = begin();
        make_mesh(f, &PLANS[1]);
        f->counter.fail_at = fail_at;
        const kai_result r =
            kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL);
        end(f);
        if (r == KAI_OK) break;
        assert_int_equal(r, KAI_ERROR_MEMORY);
    }
}

/// A layout that was of fronts can become one of columns, and the other way round.
static void layouts_follow_each_other(void** state)
{
    (void)state;
    static double x[ROWS];
    fixture* f = begin();
    for (int round = 0; round < 4; round++) {
        const plan small = {.size = {5, 4, 1}, .rows = {3, 3, 3, 3}};
        f->edge_count = 0;
        f->rows = 0;
        make_mesh(f, round % 2 ? &PLANS[0] : &small);
        check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
        assert_true((f->ldl.fronts.fronts.count > 0) == (round % 2 == 1));
        fill(f, 11);
        solve(f, 2, x);
        check_near(residual(f, x), 0.0, 1e-13, "rounding");
    }
    end(f);
}

// One front by the loops of this CPU and by plain ones: the same but for rounding.
static void kernels_agree(void** state)
{
    (void)state;
    enum { P = 77, ROWS_BELOW = 43, PS = 10, ST = 16, N = 8 * ST };
    static _Alignas(64) double panel[2][8 * PS * N], update[2][48 * 48], l[2][P * N];
    static _Alignas(64) double scaled[ST * 64 * 8], inverse[2][8 * PS], x[2][N], scale[2][N];
    bool constraint[P];
    const kai_ldl_kernel* kernels[] = {kai_ldl_kernel_best(), &kai_ldl_kernel_plain};
    for (int i = 0; i < P; i++) constraint[i] = i % 7 == 6;
    for (int k = 0; k < 2; k++) {
        uint64_t seed = 0;
        for (int c = 0; c < P; c++)
            for (int r = c; r < 8 * PS + ROWS_BELOW; r++)
                if (r < P || r >= 8 * PS)
                    panel[k][c * N + r] =
                        r == c ? (constraint[c] ? -40.0 : 40.0) : helper_random(seed++);
        kai_ldl_work w = {P,          PS,         ST,       l[k],  panel[k], update[k], scaled,
                          inverse[k], constraint, scale[k], 1e-12, 0,        0};
        for (uint32_t first = 0; first < P; first += KAI_LDL_PANEL) {
            const uint32_t below =
                first + KAI_LDL_PANEL < 8 * PS ? (first + KAI_LDL_PANEL) / 8 : PS;
            assert_true(kernels[k]->diagonal(&w, first));
            kernels[k]->rows(&w, first, below, ST);
            kernels[k]->products(&w, first, below, ST);
        }
        for (int i = 0; i < P; i++) x[k][i] = helper_random(500 + (uint64_t)i);
        kernels[k]->forward(&w, x[k]);
        kernels[k]->backward(&w, x[k]);
        assert_int_equal(w.redundant, 0);
    }
    for (int i = 0; i < N; i++) check_near(x[0][i], x[1][i], 1e-14, "numbers of order 0.1");
    for (int i = 0; i < N; i++) check_near(scale[0][i], scale[1][i], 1e-13, "numbers of order 1");
    for (int c = 0; c < ROWS_BELOW; c++)
        for (int r = c; r < ROWS_BELOW; r++)
            check_near(update[0][c * 48 + r], update[1][c * 48 + r], 1e-14, "numbers of order 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_dense_factors),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(redundant_rows_are_left_out),
        cmocka_unit_test(a_bad_pivot_is_named),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(survives_a_failing_allocator),
        cmocka_unit_test(layouts_follow_each_other),
        cmocka_unit_test(kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
