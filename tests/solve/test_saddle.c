// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The block matrix for Krylov methods against the direct solver: products, preconditioners, chains
// and loops, redundant and contradictory rows, masses from 1e-6 to 1e6, threads, memory.
#include "helper.h"
#include "solve/krylov.h"
#include "solve/saddle.h"

enum { W = KAI_LDL_WIDTH, MOST_NODES = 2000, MOST_EDGES = 2000, MOST = 12000 };

static const kai_krylov_method* const METHODS[] = {&kai_krylov_minres, &kai_krylov_gmres,
                                                   &kai_krylov_bicgstab};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

/// The same system twice. Bodies come first, then joints; each joint has its edges in a row.
typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_ldl ldl;
    kai_saddle saddle;
    kai_krylov work;
    kai_ldl_node nodes[MOST_NODES];
    kai_ldl_edge edges[MOST_EDGES];
    uint32_t node_count, edge_count, bodies;
    double b[MOST], x[MOST], direct[MOST + W];
    kai_krylov_options options;
    kai_krylov_result result;
} fixture;

static fixture* begin(void)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_ldl_init(&f->ldl, &f->memory);
    kai_saddle_init(&f->saddle, &f->memory);
    kai_krylov_init(&f->work, &f->memory);
    f->options = kai_krylov_options_default();
    return f;
}

static void end(fixture* f)
{
    kai_ldl_free(&f->ldl);
    kai_saddle_free(&f->saddle);
    kai_krylov_free(&f->work);
    assert_int_equal(f->counter.blocks, 0);
    free(f);
}

/// Rows in all.
static size_t rows_in(const kai_saddle* saddle)
{
    const kai_saddle_node* nodes = saddle->nodes.data;
    return saddle->node_count > 0 ? nodes[saddle->node_count].row : 0;
}

static void add_bodies(fixture* f, uint32_t count)
{
    f->bodies = f->node_count = count;
    for (uint32_t i = 0; i < count; i++) f->nodes[i] = (kai_ldl_node){.rows = 6};
}

/// b < 0: the ground.
static void add_joint(fixture* f, int rows, int a, int b)
{
    const uint32_t node = f->node_count++;
    f->nodes[node] = (kai_ldl_node){.rows = (uint8_t)rows, .constraint = true};
    f->edges[f->edge_count++] = (kai_ldl_edge){node, (uint32_t)a};
    if (b >= 0) f->edges[f->edge_count++] = (kai_ldl_edge){node, (uint32_t)b};
}

static void analyze(fixture* f)
{
    check_ok(kai_ldl_analyze(&f->ldl, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    check_ok(
        kai_saddle_analyze(&f->saddle, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
}

static void put(fixture* f, uint32_t edge, int r, int c, double value)
{
    bool flipped;
    double* block = kai_ldl_block(&f->ldl, edge, &flipped);
    block[flipped ? c * W + r : r * W + c] = value;
    block = kai_saddle_block(&f->saddle, edge, &flipped);
    block[flipped ? c * W + r : r * W + c] = value;
}

static void put_diagonal(fixture* f, uint32_t node, int r, int c, double value)
{
    kai_ldl_diagonal(&f->ldl, node)[r * W + c] = value;
    kai_saddle_diagonal(&f->saddle, node)[r * W + c] = value;
}

/// Rows of a joint for one of its bodies: forces at a point and their torques, then torques about
/// some axes, all in axes of the body.
static void put_rows(fixture* f, uint32_t edge, int rows, double side, uint64_t seed)
{
    const kai_vec3 arm = kai_vec3_scale(helper_random_direction(seed), 0.5);
    const kai_quat turn = helper_random_rotation(seed);
    static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int r = 0; r < rows; r++) {
        const double* e = AXES[r % 3];
        const kai_vec3 axis =
            kai_quat_rotate(turn, kai_vec3_make(side * e[0], side * e[1], side * e[2]));
        const kai_vec3 torque = r < 3 ? kai_vec3_cross(arm, axis) : axis;
        const double row[6] = {r < 3 ? side * e[0] : 0.0,
                               r < 3 ? side * e[1] : 0.0,
                               r < 3 ? side * e[2] : 0.0,
                               torque.x,
                               torque.y,
                               torque.z};
        for (int c = 0; c < 6; c++) put(f, edge, r, c, row[c]);
    }
}

/// Bars with inertia, hinged as the edges say; masses 10^(-spread…spread).
static void fill(fixture* f, double spread, uint64_t seed)
{
    kai_ldl_clear(&f->ldl, 1);
    kai_saddle_clear(&f->saddle);
    for (uint32_t i = 0; i < f->bodies; i++) {
        const double m = pow(10.0, spread * helper_random(seed + i));
        for (int k = 0; k < 6; k++)
            put_diagonal(f, i, k, k, k < 3 ? m : m * (0.08 + 0.02 * helper_random(seed + 7 * i)));
    }
    uint32_t joint = UINT32_MAX;
    double side = -1.0;
    for (uint32_t e = 0; e < f->edge_count; e++) {
        const uint32_t node = f->edges[e].a;
        side = node == joint ? 1.0 : -1.0;
        joint = node;
        put_rows(f, e, f->nodes[node].rows, side, seed + 1000 + e);
    }
}

static void set_right(fixture* f)
{
    for (size_t i = 0; i < rows_in(&f->saddle); i++) f->b[i] = helper_random(4000 + i);
}

static void solve(fixture* f, const kai_krylov_method* method)
{
    const kai_krylov_problem problem = {.count = rows_in(&f->saddle),
                                        .apply = kai_saddle_apply,
                                        .matrix = &f->saddle,
                                        .precondition = kai_saddle_precondition,
                                        .preconditioner = &f->saddle};
    memset(f->x, 0, sizeof f->x);
    check_ok(
        kai_krylov_solve(&f->work, method, &problem, &f->options, f->b, f->x, &f->result, NULL));
    for (size_t i = 0; i < problem.count; i++) assert_true(isfinite(f->x[i]));
}

static void prepare(fixture* f, kai_saddle_rows rows)
{
    uint32_t node;
    assert_true(kai_saddle_prepare(&f->saddle, rows, &node));
}

/// Factorises the twin and solves for b.
static void solve_directly(fixture* f)
{
    uint32_t node;
    assert_true(kai_ldl_factor(&f->ldl, 1, 1e-10, &node));
    memcpy(f->direct, f->b, sizeof f->b);
    kai_ldl_solve(&f->ldl, 1, f->direct);
}

static void check_against_direct(const fixture* f, double tolerance, const char* source)
{
    double most = 0.0, off = 0.0;
    for (size_t i = 0; i < rows_in(&f->saddle); i++) {
        most = fmax(most, fabs(f->direct[i]));
        off = fmax(off, fabs(f->direct[i] - f->x[i]));
    }
    check_near(off / most, 0.0, tolerance, source);
}

// Products ---------------------------------------------------------------------------------------

static void the_product_is_that_of_the_direct_solver(void** state)
{
    (void)state;
    fixture* f = begin();
    add_bodies(f, 5);
    add_joint(f, 5, 0, -1);
    add_joint(f, 3, 0, 1);
    add_joint(f, 1, 1, 2);
    add_joint(f, 4, 2, 3);
    add_joint(f, 2, 3, 4);
    f->edges[f->edge_count++] = (kai_ldl_edge){4, 0}; // a spring between bodies
    analyze(f);
    assert_int_equal(rows_in(&f->saddle), 45);
    fill(f, 0.0, 1);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            put(f, f->edge_count - 1, r, c, 0.01 * helper_random(r * 6 + c));
    for (int r = 0; r < 6; r++)
        for (int c = r + 1; c < 6; c++) put_diagonal(f, 2, r, c, 0.005 * helper_random(r * 6 + c));
    put_diagonal(f, 6, 1, 1, -0.3); // compliance
    set_right(f);
    solve_directly(f);
    double y[MOST];
    kai_saddle_apply(&f->saddle, f->direct, y);
    for (int i = 0; i < 45; i++) check_near(y[i], f->b[i], 1e-11, "K K⁻¹ b, condition 1e3");
    for (int m = 0; m < METHOD_COUNT; m++) {
        prepare(f, KAI_SADDLE_BLOCKS);
        solve(f, METHODS[m]);
        assert_true(f->result.converged);
        check_against_direct(f, 1e-7, "residual 1e-10, condition 1e3");
    }
    end(f);
}

/// One joint a body: three eigenvalues, 1 and (1 ± √5)/2, whatever the numbers.
static void three_eigenvalues(void** state)
{
    (void)state;
    fixture* f = begin();
    add_bodies(f, 50);
    for (int i = 0; i < 50; i++) add_joint(f, 1 + i % 5, i, -1);
    analyze(f);
    for (int spread = 0; spread <= 6; spread += 3) {
        fill(f, spread, 5);
        set_right(f);
        prepare(f, KAI_SADDLE_BLOCKS);
        solve_directly(f);
        for (int m = 0; m < 2; m++) {
            solve(f, METHODS[m]);
            assert_true(f->result.converged);
            // With masses 1e12 apart rounding of 1e-4 in K P⁻¹ spreads the eigenvalues.
            assert_true(f->result.iterations <= (spread == 6 ? 20 : 3));
            check_against_direct(f, 1e-9, "residual 1e-10");
        }
    }
    end(f);
}

// Mechanisms -------------------------------------------------------------------------------------

static void make_chain(fixture* f, int links, bool loop)
{
    add_bodies(f, (uint32_t)links);
    for (int i = 0; i < links; i++) add_joint(f, 5, i, i - 1);
    if (loop) add_joint(f, 2, links - 1, -1);
    analyze(f);
}

static void chains_and_loops(void** state)
{
    (void)state;
    for (int loop = 0; loop < 2; loop++) {
        fixture* f = begin();
        make_chain(f, 20, loop);
        fill(f, 0.3, 9);
        set_right(f);
        solve_directly(f);
        f->options.restart = 240;
        for (int m = 0; m < METHOD_COUNT; m++) {
            for (int uniform = 0; uniform < 2; uniform++) {
                prepare(f, uniform ? KAI_SADDLE_UNIFORM : KAI_SADDLE_BLOCKS);
                solve(f, METHODS[m]);
                assert_true(f->result.converged);
                check_against_direct(f, 1e-6, "residual 1e-10, condition up to 1e4");
            }
        }
        end(f);
    }
}

/// A light body between heavy ones couples its joints strongly, which a block diagonal does not
/// see: iterations grow with the ratio. The residual is met all the same.
static void masses_far_apart(void** state)
{
    (void)state;
    fixture* f = begin();
    make_chain(f, 10, true);
    f->options.relative = 1e-12;
    f->options.limit = 5000;
    for (int spread = 1; spread <= 6; spread += 1) {
        fill(f, spread, 9);
        // Momenta of velocities of order 1.
        for (uint32_t i = 0; i < 6 * f->bodies; i++)
            f->b[i] = helper_random(i) * kai_saddle_diagonal(&f->saddle, i / 6)[i % 6 * (W + 1)];
        prepare(f, KAI_SADDLE_BLOCKS);
        solve(f, &kai_krylov_minres);
        assert_true(f->result.converged);
        solve_directly(f);
        double off = 0.0;
        for (uint32_t i = 0; i < 6 * f->bodies; i++) off = fmax(off, fabs(f->x[i] - f->direct[i]));
        // The residual is measured against the heaviest momentum, 10^spread.
        if (spread <= 3)
            check_near(off, 0.0, 1e-12 * pow(10.0, 2 * spread) * 10.0, "residual / lightest mass");
    }
    end(f);
}

static void direct(void* context, const double* x, double* y)
{
    const fixture* f = context;
    memcpy(y, x, rows_in(&f->saddle) * sizeof *y);
    kai_ldl_solve(&f->ldl, 1, y);
}

/// The factors of a matrix nearby (an earlier step) are a preconditioner too.
static void old_factors_as_a_preconditioner(void** state)
{
    (void)state;
    fixture* f = begin();
    make_chain(f, 100, true);
    fill(f, 0.3, 9);
    set_right(f);
    solve_directly(f);
    for (uint32_t i = 0; i < f->bodies; i++)
        kai_saddle_diagonal(&f->saddle, i)[0] *= 1.0 + 0.01 * helper_random(i);
    const kai_krylov_problem problem = {.count = rows_in(&f->saddle),
                                        .apply = kai_saddle_apply,
                                        .matrix = &f->saddle,
                                        .precondition = direct,
                                        .preconditioner = f};
    for (int m = 1; m < METHOD_COUNT; m++) {
        memset(f->x, 0, sizeof f->x);
        check_ok(kai_krylov_solve(&f->work, METHODS[m], &problem, &f->options, f->b, f->x,
                                  &f->result, NULL));
        assert_true(f->result.converged);
        assert_true(f->result.iterations <= 8); // each gains a factor of 100
    }
    end(f);
}

// Redundant rows ---------------------------------------------------------------------------------

/// A table of mass 1 on four legs at (±a, ±c), loaded at (x, z): reactions of least norm are
/// w/4 (1 ± x/a) (1 ± z/c) without the product of both, which is the redundant pattern.
static void a_table_on_four_legs(void** state)
{
    (void)state;
    static const double A = 0.6, C = 0.4, X = 0.1, Z = 0.15, WEIGHT = 9.81;
    static const double SIGN[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    fixture* f = begin();
    add_bodies(f, 1);
    for (int i = 0; i < 4; i++) add_joint(f, 1, 0, -1);
    analyze(f);
    for (int k = 0; k < 6; k++) put_diagonal(f, 0, k, k, k < 3 ? 1.0 : 0.1);
    for (uint32_t i = 0; i < 4; i++) {
        // A force along y at (x, 0, z) has the torque (-z, 0, x).
        const double row[6] = {0, 1, 0, -SIGN[i][1] * C, 0, SIGN[i][0] * A};
        for (int c = 0; c < 6; c++) put(f, i, 0, c, row[c]);
    }
    const double load[6] = {0, WEIGHT, 0, -Z * WEIGHT, 0, X * WEIGHT};
    memcpy(f->b, load, sizeof load);
    for (int m = 0; m < METHOD_COUNT; m++) {
        prepare(f, KAI_SADDLE_UNIFORM);
        solve(f, METHODS[m]);
        assert_true(f->result.converged);
        for (int i = 0; i < 4; i++)
            check_near(f->x[6 + i], 0.25 * WEIGHT * (1.0 + SIGN[i][0] * X / A + SIGN[i][1] * Z / C),
                       1e-8, "closed form; residual 1e-10");
        for (int k = 0; k < 6; k++) check_near(f->x[k], 0.0, 1e-8, "the table stays");
    }
    end(f);
}

/// The second joint's rows are twice those of the first. Least |μ|: it takes twice the force; least
/// μᵀ P μ with blocks 1 : 4 takes half. They add up to the same.
static void shared_rows(void** state)
{
    (void)state;
    fixture* f = begin();
    add_bodies(f, 1);
    add_joint(f, 5, 0, -1);
    add_joint(f, 5, 0, -1);
    analyze(f);
    fill(f, 0.0, 3);
    bool flipped;
    const double* first = kai_saddle_block(&f->saddle, 0, &flipped);
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 6; c++) put(f, 1, r, c, 2.0 * first[r * W + c]);
    for (int k = 0; k < 6; k++) f->b[k] = helper_random(k);
    for (int uniform = 0; uniform < 2; uniform++) {
        const double share = uniform ? 2.0 : 0.5;
        for (int m = 0; m < (uniform ? METHOD_COUNT : 1); m++) {
            prepare(f, uniform ? KAI_SADDLE_UNIFORM : KAI_SADDLE_BLOCKS);
            solve(f, METHODS[m]);
            assert_true(f->result.converged);
            for (int r = 0; r < 5; r++)
                check_near(f->x[11 + r], share * f->x[6 + r], 1e-8, "least norm; residual 1e-10");
        }
    }
    // One of the two asks for something else: no solution. The bodies' equations still hold.
    f->b[11] = 1.0;
    prepare(f, KAI_SADDLE_BLOCKS);
    solve(f, &kai_krylov_minres);
    assert_false(f->result.converged);
    assert_int_equal(f->result.breakdown, KAI_KRYLOV_SINGULAR);
    assert_true(f->result.residual < 1.0 && f->result.residual > 0.1);
    end(f);
}

/// A joint with the same row twice, a row of zeros, and a row cut out as step/constraints.c does.
static void dependent_rows_of_a_joint(void** state)
{
    (void)state;
    fixture* f = begin();
    add_bodies(f, 1);
    add_joint(f, 5, 0, -1);
    analyze(f);
    fill(f, 0.0, 3);
    bool flipped;
    const double* block = kai_saddle_block(&f->saddle, 0, &flipped);
    for (int c = 0; c < 6; c++) {
        put(f, 0, 2, c, block[W + c]); // as row 1
        put(f, 0, 3, c, 0.0);
        put(f, 0, 4, c, 0.0);
    }
    put_diagonal(f, 1, 4, 4, -1.0);
    for (int k = 0; k < 6; k++) f->b[k] = helper_random(k);
    f->b[6 + 4] = 3.0;
    for (int uniform = 0; uniform < 2; uniform++) {
        prepare(f, uniform ? KAI_SADDLE_UNIFORM : KAI_SADDLE_BLOCKS);
        for (int m = 0; m < METHOD_COUNT; m++) {
            solve(f, METHODS[m]);
            assert_true(f->result.converged);
            check_near(f->x[6 + 3], 0.0, 1e-12, "nothing depends on it");
            check_near(f->x[6 + 4], -3.0, 1e-9, "-1 μ = 3");
            if (uniform) check_near(f->x[6 + 1], f->x[6 + 2], 1e-8, "shared");
        }
    }
    end(f);
}

// Bad input, threads, memory ---------------------------------------------------------------------

static void bad_blocks_are_named(void** state)
{
    (void)state;
    fixture* f = begin();
    make_chain(f, 4, false);
    uint32_t node;
    for (int rows = 0; rows < 2; rows++) {
        fill(f, 0.0, 1);
        put_diagonal(f, 2, 1, 1, (double)NAN);
        assert_false(kai_saddle_prepare(&f->saddle, (kai_saddle_rows)rows, &node));
        assert_int_equal(node, 2);
        put_diagonal(f, 2, 1, 1, -1.0);
        assert_false(kai_saddle_prepare(&f->saddle, (kai_saddle_rows)rows, &node));
        assert_int_equal(node, 2);
        fill(f, 0.0, 1);
        put(f, 0, 3, 3, (double)NAN);
        assert_false(kai_saddle_prepare(&f->saddle, (kai_saddle_rows)rows, &node));
        assert_int_equal(node, 4);
    }
    end(f);
}

static void bad_layouts_are_refused(void** state)
{
    (void)state;
    const kai_ldl_node nodes[] = {{.rows = 6}, {.rows = 3, .constraint = true}, {.rows = 9}};
    const kai_ldl_edge loop = {0, 0}, far = {0, 7}, good = {1, 0};
    fixture* f = begin();
    kai_error err;
    check_error(kai_saddle_analyze(&f->saddle, nodes, 2, &loop, 1, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_saddle_analyze(&f->saddle, nodes, 2, &far, 1, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_saddle_analyze(&f->saddle, nodes, 3, &good, 1, &err), KAI_ERROR_ARGUMENT);
    assert_string_equal(err.message, "node 2 has 9 rows; must be from 1 to 8");
    assert_int_equal(rows_in(&f->saddle), 0);
    check_ok(kai_saddle_analyze(&f->saddle, nodes, 2, &good, 1, NULL));
    check_ok(kai_saddle_analyze(&f->saddle, NULL, 0, NULL, 0, NULL));
    assert_int_equal(rows_in(&f->saddle), 0);
    end(f);
}

static void same_bits_on_any_threads(void** state)
{
    (void)state;
    static const int THREADS[] = {1, 2, 5, 16};
    static double expected[MOST];
    fixture* f = begin();
    make_chain(f, 900, true);
    fill(f, 0.3, 9);
    set_right(f);
    f->options.limit = 12; // the bits count, not the end
    f->options.restart = 5;
    for (int m = 0; m < METHOD_COUNT; m++) {
        for (int t = 0; t < 4; t++) {
            f->saddle.threads = f->options.threads = THREADS[t];
            prepare(f, t % 2 ? KAI_SADDLE_UNIFORM : KAI_SADDLE_BLOCKS);
            prepare(f, KAI_SADDLE_BLOCKS);
            solve(f, METHODS[m]);
            if (t == 0) memcpy(expected, f->x, sizeof expected);
            assert_memory_equal(expected, f->x, sizeof expected);
        }
    }
    end(f);
}

static void warm_solves_allocate_nothing(void** state)
{
    (void)state;
    fixture* f = begin();
    make_chain(f, 10, true);
    uint64_t calls = 0;
    for (int round = 0; round < 3; round++) {
        if (round == 1) calls = f->counter.calls;
        fill(f, 0.3, (uint64_t)round);
        set_right(f);
        prepare(f, KAI_SADDLE_BLOCKS);
        for (int m = 0; m < METHOD_COUNT; m++) solve(f, METHODS[m]);
        check_ok(
            kai_saddle_analyze(&f->saddle, f->nodes, f->node_count, f->edges, f->edge_count, NULL));
    }
    assert_int_equal(f->counter.calls, calls);
    end(f);
}

static void survives_a_failing_allocator(void** state)
{
    (void)state;
    for (uint64_t fail_at = 1;; fail_at++) {
        fixture* f = begin();
        add_bodies(f, 3);
        add_joint(f, 5, 0, 1);
        add_joint(f, 5, 1, 2);
        f->counter.fail_at = fail_at;
        const kai_result r =
            kai_saddle_analyze(&f->saddle, f->nodes, f->node_count, f->edges, f->edge_count, NULL);
        end(f);
        if (r == KAI_OK) break;
        assert_int_equal(r, KAI_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_product_is_that_of_the_direct_solver),
        cmocka_unit_test(three_eigenvalues),
        cmocka_unit_test(chains_and_loops),
        cmocka_unit_test(masses_far_apart),
        cmocka_unit_test(old_factors_as_a_preconditioner),
        cmocka_unit_test(a_table_on_four_legs),
        cmocka_unit_test(shared_rows),
        cmocka_unit_test(dependent_rows_of_a_joint),
        cmocka_unit_test(bad_blocks_are_named),
        cmocka_unit_test(bad_layouts_are_refused),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(warm_solves_allocate_nothing),
        cmocka_unit_test(survives_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
