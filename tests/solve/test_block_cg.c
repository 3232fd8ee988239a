// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Conjugate gradients of sums of small matrices, against dense factors: nodes of one to three
// vectors, fixed numbers, masses from 1e-12 to 1e6, threads, guesses, matrices that are not
// positive definite or too much for single precision.
#include "helper.h"
#include "math/dense.h"
#include "solve/block_cg.h"

enum { NODES = 60, VECTORS = 2 * NODES, CELLS = 150, COUNT = 4, ROWS = 3 * COUNT, N = 3 * VECTORS };

typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_block_cg d;
    uint32_t first[NODES + 1], members[CELLS * COUNT];
    uint8_t fixed[VECTORS];
    uint32_t begin[CELLS + 1], order[CELLS];
    double numbers[CELLS * ROWS * ROWS], more[VECTORS];
    double b[N], x[N], dense[N * N];
    uint32_t seed;
} fixture;

static double draw(fixture* f)
{
    f->seed = 1664525u * f->seed + 1013904223u;
    return (double)(f->seed >> 8) / (double)(1u << 24) - 0.5;
}

/// Nodes of 1, 2 and 3 vectors; cells over four vectors each, G Gᵀ + 1e-3: positive definite.
/// Vector v is scaled by `scale`^(v % 3), as slopes beside positions are.
static fixture* begin(double scale)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_block_cg_init(&f->d, &f->memory);
    f->seed = 7;
    for (uint32_t i = 0; i < NODES; i++) f->first[i + 1] = f->first[i] + 1 + i % 3;
    for (uint32_t c = 0; c < CELLS; c++) {
        f->begin[c + 1] = (c + 1) * COUNT;
        f->order[c] = CELLS - 1 - c;
        const uint32_t from = c % (NODES - 8); // some neighbours
        for (uint32_t k = 0; k < COUNT; k++)
            f->members[c * COUNT + k] = f->first[from + 2 * k] + (c + k) % (1 + (from + 2 * k) % 3);
        double g[ROWS][ROWS], *t = f->numbers + c * ROWS * ROWS;
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < ROWS; k++)
                g[r][k] = draw(f) * pow(scale, f->members[c * COUNT + (uint32_t)r / 3] % 3);
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < ROWS; k++)
                for (int m = 0; m < ROWS; m++) t[r * ROWS + k] += g[r][m] * g[k][m];
        for (int r = 0; r < ROWS; r++)
            t[r * (ROWS + 1)] +=
                1e-3 * pow(scale, 2.0 * (f->members[c * COUNT + (uint32_t)r / 3] % 3));
    }
    for (uint32_t v = 0; v < VECTORS; v++) f->more[v] = pow(scale, 2.0 * (v % 3));
    for (int i = 0; i < N; i++) f->b[i] = draw(f) * pow(scale, i / 3 % 3);
    return f;
}

static void end(fixture* f)
{
    kai_block_cg_free(&f->d);
    assert_int_equal(f->counter.blocks, 0);
    free(f);
}

static void add_cells(const fixture* f)
{
    for (uint32_t c = 0; c < CELLS; c++)
        kai_block_cg_add(&f->d, f->order[c], f->numbers + f->order[c] * ROWS * ROWS, ROWS);
}

static void analyze(fixture* f)
{
    const kai_block_cg_shape shape = {NODES,    f->first,   f->fixed, CELLS,
                                      f->begin, f->members, f->order};
    check_ok(kai_block_cg_analyze(&f->d, &shape, NULL));
}

static bool fill(fixture* f, int threads)
{
    uint32_t vector;
    analyze(f);
    add_cells(f);
    add_cells(f); // what was there before does not count
    return kai_block_cg_fill(&f->d, f->more, NULL, threads, &vector);
}

static kai_krylov_result solve(fixture* f, int threads, double tolerance)
{
    kai_krylov_options options = kai_krylov_options_default();
    kai_krylov_result result;
    options.relative = tolerance;
    options.threads = threads;
    kai_block_cg_solve(&f->d, f->more, &options, f->b, f->x, &result);
    return result;
}

/// The matrix as a whole, ones for fixed numbers; x := A⁻¹ b.
static void solve_dense(fixture* f, double* x)
{
    memset(f->dense, 0, sizeof f->dense);
    for (uint32_t c = 0; c < CELLS; c++)
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint32_t k = 0; k < ROWS; k++)
                f->dense[(3 * f->members[c * COUNT + r / 3] + r % 3) * N +
                         3 * f->members[c * COUNT + k / 3] + k % 3] +=
                    f->numbers[(c * ROWS + r) * ROWS + k];
    for (int i = 0; i < N; i++) {
        f->dense[i * (N + 1)] += f->more[i / 3];
        if (!(f->fixed[i / 3] >> i % 3 & 1)) continue;
        for (int k = 0; k < N; k++) f->dense[i * N + k] = f->dense[k * N + i] = 0.0;
        f->dense[i * (N + 1)] = 1.0;
    }
    memcpy(x, f->b, N * sizeof *x);
    assert_true(kai_dense_cholesky(N, f->dense, N));
    kai_dense_cholesky_solve(N, f->dense, N, x);
}

// Scales of vectors from equal to 1e-6 (slopes in a mesh of 1 µm). The condition is of the order of
// 1e4, so that rounding leaves 1e-12; a residual of 1e-15 of b, which the largest numbers make,
// leaves 1e-9 times that condition in the smallest.
static void test_against_dense(void** state)
{
    static const double SCALES[] = {1.0, 1e-2, 1e-6};
    static double direct[N];
    for (int s = 0; s < 3; s++) {
        fixture* f = begin(SCALES[s]);
        assert_true(fill(f, 2));
        const kai_krylov_result result = solve(f, 2, 1e-15);
        assert_true(result.iterations > 0 && result.iterations < 200);
        solve_dense(f, direct);
        for (int i = 0; i < N; i++) {
            const double size = pow(SCALES[s], -(i / 3 % 3));
            check_near(f->x[i] / size, direct[i] / size, SCALES[s] < 1e-3 ? 1e-6 : 1e-10, "x");
        }
        end(f);
    }
}

static void test_fixed(void** state)
{
    static double direct[N];
    fixture* f = begin(0.1);
    for (uint32_t v = 0; v < VECTORS; v++) f->fixed[v] = v % 5 == 0 ? 7 : v % 7 == 0 ? 5 : 0;
    for (int i = 0; i < N; i++)
        if (f->fixed[i / 3] >> i % 3 & 1) f->b[i] = 0.0;
    assert_true(fill(f, 1));
    assert_true(solve(f, 1, 1e-13).converged);
    solve_dense(f, direct);
    for (int i = 0; i < N; i++) {
        check_near(f->x[i], direct[i], 1e-9, "x");
        if (f->fixed[i / 3] >> i % 3 & 1) assert_true(f->x[i] == 0.0);
    }
    end(f);
}

static void test_threads_and_guess(void** state)
{
    static double one[N];
    for (int threads = 1; threads <= 5; threads += 2) {
        fixture* f = begin(0.1);
        assert_true(fill(f, threads));
        const kai_krylov_result first = solve(f, threads, 1e-10);
        assert_true(first.converged && first.residual > 0.0);
        if (threads == 1) memcpy(one, f->x, sizeof one);
        assert_memory_equal(one, f->x, sizeof one);
        // A good guess leaves little to do; what is there already costs nothing.
        for (int i = 0; i < N; i++) f->x[i] *= 1.0 + 1e-6 * (i % 3);
        assert_true(solve(f, threads, 1e-10).iterations < first.iterations);
        assert_int_equal(solve(f, threads, 1e-10).iterations, 0);
        // A guess known before has the same result.
        uint32_t vector;
        memset(f->x, 0, sizeof f->x);
        assert_true(kai_block_cg_fill(&f->d, f->more, f->x, threads, &vector));
        solve(f, threads, 1e-10);
        assert_memory_equal(one, f->x, sizeof one);
        end(f);
    }
}

static void test_not_definite(void** state)
{
    // A diagonal block shows it at once, and names the vector.
    fixture* f = begin(1.0);
    f->more[17] = -1e3;
    uint32_t vector = 0;
    analyze(f);
    add_cells(f);
    assert_false(kai_block_cg_fill(&f->d, f->more, NULL, 1, &vector));
    assert_int_equal(vector, 17);
    end(f);
    // Else the iterations do: a cell of large numbers off the diagonal.
    f = begin(1.0);
    for (uint32_t k = 0; k < 3; k++)
        f->numbers[k * ROWS + 3 + k] = f->numbers[(3 + k) * ROWS + k] = 1e3;
    assert_true(fill(f, 1));
    const kai_krylov_result result = solve(f, 1, 1e-10);
    assert_int_equal(result.breakdown, KAI_KRYLOV_INDEFINITE);
    assert_false(result.converged);
    end(f);
    // Numbers that are none.
    f = begin(1.0);
    assert_true(fill(f, 1));
    f->b[5] = (double)NAN;
    assert_int_equal(solve(f, 1, 1e-10).breakdown, KAI_KRYLOV_NOT_FINITE);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_dense),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_threads_and_guess),
        cmocka_unit_test(test_not_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
