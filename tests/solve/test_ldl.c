// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The block solver against a dense one, on chains, trees and loops; redundant rows; memory.
#include "helper.h"
#include "solve/ldl.h"

enum { MOST = 64 }; // rows of a dense reference

/// A system of bodies (6 rows) and joints between two of them, or one and the ground (b < 0).
typedef struct plan {
    int bodies, joints;
    struct {
        int a, b, rows;
    } joint[16];
} plan;

typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_ldl ldl;
    kai_ldl_edge edges[32];
    uint32_t edge_count;
    double dense[MOST * MOST];
    int rows;
} fixture;

static void begin(fixture* f)
{
    memset(f, 0, sizeof *f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    kai_ldl_init(&f->ldl, &f->memory);
}

static void end(fixture* f)
{
    kai_ldl_free(&f->ldl);
    assert_int_equal(f->counter.blocks, 0);
}

static kai_result analyze(fixture* f, const plan* p, kai_error* err)
{
    kai_ldl_node nodes[32];
    int node = 0;
    f->edge_count = 0;
    f->rows = 6 * p->bodies;
    for (; node < p->bodies; node++) nodes[node] = (kai_ldl_node){.rows = 6};
    for (int j = 0; j < p->joints; j++, node++) {
        nodes[node] = (kai_ldl_node){.rows = (uint8_t)p->joint[j].rows, .constraint = true};
        f->rows += p->joint[j].rows;
        f->edges[f->edge_count++] = (kai_ldl_edge){(uint32_t)node, (uint32_t)p->joint[j].a};
        if (p->joint[j].b >= 0)
            f->edges[f->edge_count++] = (kai_ldl_edge){(uint32_t)node, (uint32_t)p->joint[j].b};
    }
    return kai_ldl_analyze(&f->ldl, nodes, (uint32_t)node, f->edges, f->edge_count, err);
}

static int row_of(const fixture* f, uint32_t node)
{
    return (int)((const uint32_t*)f->ldl.first_row.data)[node];
}

static int rows_of(const fixture* f, uint32_t node)
{
    return row_of(f, node + 1) - row_of(f, node);
}

/// Random numbers into the system and its dense twin; bodies get masses 1…7.
static void fill(fixture* f, const plan* p, uint64_t seed)
{
    memset(f->dense, 0, sizeof f->dense);
    kai_ldl_clear(&f->ldl, 1);
    for (int i = 0; i < p->bodies; i++) {
        double* d = kai_ldl_diagonal(&f->ldl, (uint32_t)i);
        for (int k = 0; k < 6; k++) {
            const double m = 4.0 + 3.0 * helper_random(seed++);
            d[k * KAI_LDL_WIDTH + k] = m;
            f->dense[(6 * i + k) * MOST + 6 * i + k] = m;
        }
    }
    for (uint32_t e = 0; e < f->edge_count; e++) {
        bool flipped;
        double* block = kai_ldl_block(&f->ldl, e, &flipped);
        const uint32_t a = f->edges[e].a, b = f->edges[e].b;
        for (int r = 0; r < rows_of(f, a); r++) {
            for (int c = 0; c < rows_of(f, b); c++) {
                const double x = helper_random(seed++);
                block[flipped ? c * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + c] = x;
                f->dense[(row_of(f, a) + r) * MOST + row_of(f, b) + c] = x;
                f->dense[(row_of(f, b) + c) * MOST + row_of(f, a) + r] = x;
            }
        }
    }
}

/// Factorises and solves; returns the largest residual against the dense matrix.
static double residual(fixture* f)
{
    double x[MOST + KAI_LDL_WIDTH] = {0}, b[MOST], worst = 0.0;
    uint32_t node;
    assert_true(kai_ldl_factor(&f->ldl, 2, 1e-12, &node));
    for (int i = 0; i < f->rows; i++) b[i] = x[i] = helper_random(1000 + (uint64_t)i);
    kai_ldl_solve(&f->ldl, 2, x);
    for (int i = 0; i < f->rows; i++) {
        double sum = -b[i];
        for (int k = 0; k < f->rows; k++) sum += f->dense[i * MOST + k] * x[k];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static const plan PLANS[] = {
    {.bodies = 1, .joints = 1, .joint = {{0, -1, 5}}},
    {.bodies = 4, .joints = 4, .joint = {{0, -1, 5}, {0, 1, 5}, {1, 2, 3}, {2, 3, 1}}}, // chain
    {.bodies = 5,
     .joints = 4,
     .joint = {{0, 1, 5}, {0, 2, 5}, {0, 3, 5}, {0, 4, 5}}}, // hub, floating
    {.bodies = 3, .joints = 4, .joint = {{0, -1, 5}, {0, 1, 3}, {1, 2, 3}, {2, -1, 5}}}, // loop
    // four-bar: revolute, revolute, spherical, cylindrical: 17 rows that are independent
    {.bodies = 3, .joints = 4, .joint = {{0, -1, 5}, {0, 1, 5}, {1, 2, 3}, {2, -1, 4}}},
    {.bodies = 4, .joints = 5, .joint = {{0, 1, 2}, {1, 2, 2}, {2, 3, 2}, {3, 0, 2}, {0, 2, 4}}},
};

static void matches_the_matrix(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PLANS / sizeof PLANS[0]; i++) {
        fixture f;
        begin(&f);
        check_ok(analyze(&f, &PLANS[i], NULL));
        for (uint64_t seed = 0; seed < 20; seed++) {
            fill(&f, &PLANS[i], 1000 * seed);
            check_near(residual(&f), 0.0, 1e-9, "numbers of order 1, condition up to 1e5");
            assert_int_equal(f.ldl.redundant, 0);
        }
        end(&f);
    }
}

// Small systems have loops of their own, for solutions.
static void small_and_large_agree(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PLANS / sizeof PLANS[0]; i++) {
        fixture f;
        begin(&f);
        check_ok(analyze(&f, &PLANS[i], NULL));
        assert_true(f.ldl.small);
        for (uint64_t seed = 0; seed < 10; seed++) {
            double x[2][MOST];
            uint32_t node;
            fill(&f, &PLANS[i], 400 + 1000 * seed);
            assert_true(kai_ldl_factor(&f.ldl, 1, 1e-12, &node));
            for (int large = 0; large < 2; large++) {
                for (int k = 0; k < f.rows; k++)
                    x[large][k] = helper_random(1000 * seed + (uint64_t)k);
                f.ldl.small = large == 0;
                kai_ldl_solve(&f.ldl, 1, x[large]);
            }
            f.ldl.small = true;
            for (int k = 0; k < f.rows; k++)
                check_near(x[0][k], x[1][k], 1e-9 * (1.0 + fabs(x[1][k])),
                           "the same sums; rounding, times a condition of up to 1e5");
        }
        end(&f);
    }
}

// Nodes as wide as they get, beside narrow ones.
static void wide_nodes_are_solved(void** state)
{
    (void)state;
    const kai_ldl_node nodes[] = {{.rows = 8}, {.rows = 7}, {.rows = 2}, {.rows = 4}};
    const kai_ldl_edge edges[] = {{0, 1}, {1, 2}, {0, 3}, {3, 1}};
    fixture f;
    begin(&f);
    f.rows = 21;
    f.edge_count = sizeof edges / sizeof edges[0];
    memcpy(f.edges, edges, sizeof edges);
    check_ok(kai_ldl_analyze(&f.ldl, nodes, 4, edges, f.edge_count, NULL));
    fill(&f, &(plan){0}, 3);
    for (uint32_t n = 0; n < 4; n++) {
        for (int r = 0; r < nodes[n].rows; r++) {
            kai_ldl_diagonal(&f.ldl, n)[r * (KAI_LDL_WIDTH + 1)] = 20.0;
            f.dense[(row_of(&f, n) + r) * (MOST + 1)] = 20.0;
        }
    }
    check_near(residual(&f), 0.0, 1e-13, "diagonally dominant");
    end(&f);
}

/// Cuts a joint out of the system and of its dense twin. What stands in its blocks does not matter.
static void cut(fixture* f, uint32_t node)
{
    assert_true(kai_ldl_set_idle(&f->ldl, node));
    for (uint32_t e = 0; e < f->edge_count; e++) {
        bool flipped;
        if (f->edges[e].a != node) continue;
        const uint32_t late = f->edges[e].b;
        double* block = kai_ldl_block(&f->ldl, e, &flipped);
        const int down = rows_of(f, flipped ? late : node),
                  across = rows_of(f, flipped ? node : late);
        for (int i = 0; i < down; i++)
            for (int k = 0; k < across; k++) block[i * KAI_LDL_WIDTH + k] = (double)NAN;
    }
    double* d = kai_ldl_diagonal(&f->ldl, node);
    for (int r = row_of(f, node); r < row_of(f, node + 1); r++) {
        for (int k = 0; k < f->rows; k++) f->dense[r * MOST + k] = f->dense[k * MOST + r] = 0.0;
        f->dense[r * MOST + r] = -1.0;
        const int own = r - row_of(f, node);
        d[own * KAI_LDL_WIDTH + own] = -1.0;
    }
}

// Limits that do not hold are most of the rows of many machines.
static void idle_nodes_take_no_part(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PLANS / sizeof PLANS[0]; i++) {
        fixture f;
        begin(&f);
        check_ok(analyze(&f, &PLANS[i], NULL));
        for (int idle = 1; idle < 1 << PLANS[i].joints; idle++) {
            fill(&f, &PLANS[i], 77 * (uint64_t)idle);
            for (int j = 0; j < PLANS[i].joints; j++)
                if (idle >> j & 1) cut(&f, (uint32_t)(PLANS[i].bodies + j));
            check_near(residual(&f), 0.0, 1e-9, "as with zeros in their blocks");
            assert_int_equal(f.ldl.redundant, 0);
        }
        fill(&f, &PLANS[i], 5); // the next matrix has all of them
        check_near(residual(&f), 0.0, 1e-9, "numbers of order 1");
        end(&f);
    }
}

static void a_chain_makes_no_fill(void** state)
{
    (void)state;
    enum { N = 1000 };
    static kai_ldl_node nodes[2 * N];
    static kai_ldl_edge edges[2 * N];
    uint32_t n = 0;
    for (uint32_t i = 0; i < N; i++) {
        nodes[i] = (kai_ldl_node){.rows = 6};
        nodes[N + i] = (kai_ldl_node){.rows = 5, .constraint = true};
        edges[n++] = (kai_ldl_edge){N + i, i};
        if (i > 0) edges[n++] = (kai_ldl_edge){N + i, i - 1};
    }
    fixture f;
    begin(&f);
    check_ok(kai_ldl_analyze(&f.ldl, nodes, 2 * N, edges, n, NULL));
    assert_int_equal(f.ldl.reach.count, n);
    end(&f);
}

static void redundant_rows_are_left_out(void** state)
{
    (void)state;
    // Two joints hold the same body by the same rows: the second adds nothing.
    const plan twice = {.bodies = 1, .joints = 2, .joint = {{0, -1, 3}, {0, -1, 3}}};
    fixture f;
    begin(&f);
    check_ok(analyze(&f, &twice, NULL));
    fill(&f, &twice, 7);
    bool first_flipped, flipped;
    const double* first = kai_ldl_block(&f.ldl, 0, &first_flipped);
    double* second = kai_ldl_block(&f.ldl, 1, &flipped);
    assert_true(first_flipped == flipped);
    memcpy(second, first,
           6 * KAI_LDL_WIDTH * sizeof(double) * (flipped ? 1 : 0) +
               3 * KAI_LDL_WIDTH * sizeof(double) * (flipped ? 0 : 1));
    uint32_t node;
    assert_true(kai_ldl_factor(&f.ldl, 1, 1e-10, &node));
    assert_int_equal(f.ldl.redundant, 3);
    double x[MOST] = {1, 2, 3, 4, 5, 6};
    kai_ldl_solve(&f.ldl, 1, x);
    for (int i = 0; i < f.rows; i++) assert_true(isfinite(x[i]));
    for (uint32_t r = 0; r < 3; r++)
        assert_int_equal(kai_ldl_is_redundant(&f.ldl, 1, r) + kai_ldl_is_redundant(&f.ldl, 2, r),
                         1);
    end(&f);
}

/// A platform on two legs: 25 rows for 24 degrees of freedom. Only the row too many may be left out, however
/// the ends of a joint are listed: no joint may go while its leg already leans on the base.
static void only_what_is_too_many_is_left_out(void** state)
{
    (void)state;
    for (int flip = 0; flip < 16; flip++) {
        plan p = {.bodies = 4,
                  .joints = 5,
                  .joint = {{0, -1, 5}, {0, 1, 5}, {0, 2, 5}, {1, 3, 5}, {2, 3, 5}}};
        for (int j = 1; j < 5; j++) {
            if (!(flip >> (j - 1) & 1)) continue;
            const int a = p.joint[j].a;
            p.joint[j].a = p.joint[j].b;
            p.joint[j].b = a;
        }
        fixture f;
        begin(&f);
        check_ok(analyze(&f, &p, NULL));
        for (uint64_t seed = 0; seed < 5; seed++) {
            uint32_t node;
            fill(&f, &p, 1000 * seed);
            assert_true(kai_ldl_factor(&f.ldl, 1, 1e-10, &node));
            assert_int_equal(f.ldl.redundant, 1);
        }
        end(&f);
    }
}

static void a_bad_pivot_is_named(void** state)
{
    (void)state;
    fixture f;
    begin(&f);
    check_ok(analyze(&f, &PLANS[1], NULL));
    fill(&f, &PLANS[1], 3);
    kai_ldl_diagonal(&f.ldl, 2)[0] = (double)NAN;
    uint32_t node = 99;
    assert_false(kai_ldl_factor(&f.ldl, 1, 1e-12, &node));
    assert_int_equal(node, 2);
    end(&f);
}

static void bad_layouts_are_refused(void** state)
{
    (void)state;
    const kai_ldl_node nodes[] = {{.rows = 6}, {.rows = 3, .constraint = true}, {.rows = 9}};
    const kai_ldl_edge loop = {0, 0}, far = {0, 7}, good = {1, 0};
    fixture f;
    kai_error err;
    begin(&f);
    check_error(kai_ldl_analyze(&f.ldl, nodes, 2, &loop, 1, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_ldl_analyze(&f.ldl, nodes, 2, &far, 1, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_ldl_analyze(&f.ldl, nodes, 3, &good, 1, &err), KAI_ERROR_ARGUMENT);
    check_error(kai_ldl_analyze(&f.ldl, nodes, 2, NULL, 0, &err),
                KAI_ERROR_ARGUMENT); // joint on nothing
    assert_string_equal(err.message, "a joint is coupled to no body that can move");
    end(&f);
}

static void survives_a_failing_allocator(void** state)
{
    (void)state;
    for (uint64_t fail_at = 1;; fail_at++) {
        fixture f;
        begin(&f);
        f.counter.fail_at = fail_at;
        const kai_result r = analyze(&f, &PLANS[4], NULL);
        if (r == KAI_OK) {
            end(&f);
            break;
        }
        assert_int_equal(r, KAI_ERROR_MEMORY);
        end(&f);
    }
}

// A lattice of 6 × 6 × 6 nodes fills in: with a limit of work it is refused soon, without it is
// not.
static void work_has_a_limit(void** state)
{
    enum { N = 6, NODES = N * N * N };
    fixture f;
    kai_ldl_node nodes[NODES];
    static kai_ldl_edge edges[3 * NODES];
    uint32_t n = 0;
    kai_error err = {0};
    begin(&f);
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = (kai_ldl_node){.rows = 3};
        if (i % N + 1 < N) edges[n++] = (kai_ldl_edge){i, i + 1};
        if (i / N % N + 1 < N) edges[n++] = (kai_ldl_edge){i, i + N};
        if (i / (N * N) + 1 < N) edges[n++] = (kai_ldl_edge){i, i + N * N};
    }
    f.ldl.work = 2000;
    check_error(kai_ldl_analyze(&f.ldl, nodes, NODES, edges, n, &err), KAI_ERROR_LIMIT);
    assert_string_equal(err.message, "the factors need more than 2000 products of blocks");
    f.ldl.work = 0;
    check_ok(kai_ldl_analyze(&f.ldl, nodes, NODES, edges, n, &err));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_the_matrix),
        cmocka_unit_test(small_and_large_agree),
        cmocka_unit_test(wide_nodes_are_solved),
        cmocka_unit_test(idle_nodes_take_no_part),
        cmocka_unit_test(a_chain_makes_no_fill),
        cmocka_unit_test(redundant_rows_are_left_out),
        cmocka_unit_test(only_what_is_too_many_is_left_out),
        cmocka_unit_test(a_bad_pivot_is_named),
        cmocka_unit_test(bad_layouts_are_refused),
        cmocka_unit_test(survives_a_failing_allocator),
        cmocka_unit_test(work_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
