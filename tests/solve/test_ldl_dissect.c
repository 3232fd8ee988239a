// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Orders by dissection: every node once, always the same, little fill, limits, odd graphs.
#include "helper.h"
#include "solve/ldl_dissect.h"
#include "solve/ldl_order.h"
#include "solve/ldl_tree.h"

enum { NODES = 3000, EDGES = 50000 };

typedef struct fixture {
    helper_allocator counter;
    kai_allocator allocator;
    kai_memory memory;
    kai_ldl_node nodes[NODES];
    kai_ldl_edge edges[EDGES];
    uint32_t node_count, edge_count;
    uint32_t order[NODES];
} fixture;

static fixture* begin(uint32_t node_count, uint8_t rows)
{
    fixture* f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = helper_allocator_make(&f->counter);
    kai_memory_init(&f->memory, &f->allocator);
    f->node_count = node_count;
    for (uint32_t i = 0; i < node_count; i++) f->nodes[i].rows = rows;
    return f;
}

static void end(fixture* f)
{
    assert_int_equal(f->counter.blocks, 0);
    free(f);
}

static void couple(fixture* f, uint32_t a, uint32_t b)
{
    assert_true(f->edge_count < EDGES);
    f->edges[f->edge_count++] = (kai_ldl_edge){a, b};
}

/// Every node coupled with all around it.
static void couple_grid(fixture* f, int nx, int ny, int nz)
{
    for (int i = 0; i < nx * ny * nz; i++) {
        const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
        for (int s = 14; s < 27; s++) {
            const int u = x + s % 3 - 1, v = y + s / 3 % 3 - 1, w = z + s / 9 - 1;
            if (u >= 0 && u < nx && v >= 0 && v < ny && w < nz)
                couple(f, (uint32_t)i, (uint32_t)((w * ny + v) * nx + u));
        }
    }
}

static kai_result dissect(fixture* f, size_t limit, size_t work, kai_error* err)
{
    return kai_ldl_dissect(&f->memory, f->nodes, f->node_count, f->edges, f->edge_count, limit,
                           work, NULL, f->order, err);
}

static void check_all_there(const fixture* f)
{
    static uint32_t place[NODES];
    for (uint32_t i = 0; i < f->node_count; i++) place[i] = UINT32_MAX;
    for (uint32_t i = 0; i < f->node_count; i++) {
        assert_true(f->order[i] < f->node_count);
        assert_true(place[f->order[i]] == UINT32_MAX);
        place[f->order[i]] = i;
    }
}

static size_t products_of(fixture* f, const uint32_t* order, double* cost)
{
    kai_ldl_tree tree;
    check_ok(kai_ldl_tree_find(&tree, &f->memory, f->nodes, f->node_count, f->edges, f->edge_count,
                               order, 0, 0, NULL));
    const size_t products = tree.products;
    *cost = tree.cost;
    kai_ldl_tree_free(&tree, &f->memory);
    return products;
}

static void solids_take_less_than_by_least_degree(void** state)
{
    (void)state;
    fixture* f = begin(10 * 10 * 10, 3);
    double mine, other;
    couple_grid(f, 10, 10, 10);
    kai_ldl_order least = {0};
    check_ok(kai_ldl_order_find(&least, &f->memory, f->nodes, f->node_count, f->edges,
                                f->edge_count, NULL));
    check_ok(dissect(f, 0, 0, NULL));
    check_all_there(f);
    // Two thirds, and less in larger ones: 0.46 in a block of 13³ nodes.
    assert_true(3 * products_of(f, f->order, &mine) < 2 * products_of(f, least.node.data, &other));
    assert_true(mine < other);
    kai_ldl_order_free(&least, &f->memory);
    end(f);
}

static void plates_are_cut_across(void** state)
{
    (void)state;
    // A strip of 200 × 5 nodes has separators of 5: no node reaches many.
    fixture* f = begin(1000, 6);
    double cost;
    couple_grid(f, 200, 5, 1);
    check_ok(dissect(f, 0, 0, NULL));
    check_all_there(f);
    assert_true(products_of(f, f->order, &cost) < 1000 * 100);
    static uint32_t again[NODES];
    memcpy(again, f->order, sizeof again);
    check_ok(dissect(f, 0, 0, NULL));
    assert_memory_equal(again, f->order, sizeof again);
    end(f);
}

/// rand() belongs to the program: METIS, which draws from it, gets a generator of its own.
static void the_programs_random_numbers_go_on(void** state)
{
    (void)state;
    int expected[8];
    srand(7);
    for (int i = 0; i < 8; i++) expected[i] = rand();
    fixture* f = begin(1000, 6);
    couple_grid(f, 200, 5, 1);
    srand(7);
    for (int i = 0; i < 4; i++) assert_int_equal(rand(), expected[i]);
    static uint32_t first[NODES];
    check_ok(dissect(f, 0, 0, NULL));
    memcpy(first, f->order, sizeof first);
    for (int i = 4; i < 8; i++) assert_int_equal(rand(), expected[i]);
    check_ok(dissect(f, 0, 0, NULL));
    assert_memory_equal(first, f->order, sizeof first);
    end(f);
}

static void odd_graphs_are_ordered(void** state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        fixture* f = begin(kind == 5 ? 0 : 280, 3);
        double cost;
        for (uint32_t i = 0; i + 1 < f->node_count; i++) {
            if (kind == 0) couple(f, 0, i + 1);                                  // a hub
            if (kind == 1 && i % 7 < 6) couple(f, i, i + 1);                     // islands of seven
            if (kind == 2) couple(f, i, i + 1);                                  // a chain
            for (uint32_t k = i + 1; kind == 3 && k < 280; k++) couple(f, i, k); // all with all
        } // 4: no edges; 5: no nodes
        check_ok(dissect(f, 0, 0, NULL));
        check_all_there(f);
        products_of(f, f->order, &cost);
        end(f);
    }
}

static void constraints_wait(void** state)
{
    (void)state;
    // Joints between far nodes: after both.
    fixture* f = begin(400 + 40, 3);
    static uint32_t place[NODES];
    couple_grid(f, 20, 20, 1);
    for (uint32_t j = 0; j < 40; j++) {
        f->nodes[400 + j].constraint = true;
        couple(f, 400 + j, 10 * j);
        couple(f, 400 + j, 399 - 9 * j);
    }
    check_ok(dissect(f, 0, 0, NULL));
    check_all_there(f);
    for (uint32_t i = 0; i < f->node_count; i++) place[f->order[i]] = i;
    for (uint32_t j = 0; j < 40; j++)
        assert_true(place[400 + j] > place[10 * j] && place[400 + j] > place[399 - 9 * j]);
    end(f);
}

static void limits_hold_soon(void** state)
{
    (void)state;
    kai_error err = {0};
    fixture* f = begin(10 * 10 * 10, 3);
    couple_grid(f, 10, 10, 10);
    check_error(dissect(f, 10000, 0, &err), KAI_ERROR_LIMIT);
    assert_string_equal(err.message, "the factors need more than 10000 numbers");
    check_error(dissect(f, 0, 100000, &err), KAI_ERROR_LIMIT);
    assert_string_equal(err.message, "the factors need more than 100000 products of blocks");
    end(f);
}

static void survives_a_failing_allocator(void** state)
{
    (void)state;
    uint64_t step = 1;
    for (uint64_t fail_at = 1;; fail_at += step) {
        if (fail_at == 40) step = 97; // lists of neighbours: thousands of calls alike
        fixture* f = begin(300, 3);
        couple_grid(f, 20, 15, 1);
        f->counter.fail_at = fail_at;
        const kai_result r = dissect(f, 0, 0, NULL);
        end(f);
        if (r == KAI_OK) break;
        assert_int_equal(r, KAI_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_take_less_than_by_least_degree),
        cmocka_unit_test(plates_are_cut_across),
        cmocka_unit_test(the_programs_random_numbers_go_on),
        cmocka_unit_test(odd_graphs_are_ordered),
        cmocka_unit_test(constraints_wait),
        cmocka_unit_test(limits_hold_soon),
        cmocka_unit_test(survives_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
