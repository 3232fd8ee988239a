// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_dissect.h"

#include "base/arena.h"
#include "base/stop.h"
#include "solve/ldl_order.h"

#include <camd.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS with indices of 32 bits");

// So many nodes are not cut any more; more where there are few in all, for which cuts save less than
// they add.
enum { LEAF = 100, FEW = 500, LEAF_OF_FEW = 200 };

/// Nodes [begin, end) of the order, not cut so far.
typedef struct range {
    uint32_t begin, end;
} range;

typedef struct dissection {
    kai_arena arena;
    kai_error* err;
    const volatile int* stop;
    const kai_ldl_node* nodes;
    uint32_t count;
    size_t limit, work;
    int *first, *near; // neighbours of all nodes
    uint32_t* order;
    uint32_t* local;  // [count] number of a node in the range at hand
    int* level;       // [count] 0: in a leaf; else the number of the cut whose separator it is in
    int cuts;         // made so far
    kai_array ranges; // range: those that wait
} dissection;

/// The graph of a range, as METIS takes it.
typedef struct graph {
    int *first, *near, *weight;
    int count;
} graph;

static kai_result list_neighbours(dissection* d, const kai_ldl_edge* edges, uint32_t edge_count)
{
    const size_t n = d->count;
    if (n >= INT32_MAX || edge_count >= INT32_MAX / 2)
        return kai_error_set(d->err, KAI_ERROR_LIMIT, "%u nodes and %u edges are too many to order",
                             d->count, edge_count);
    d->first = kai_arena_take(&d->arena, n + 1, sizeof *d->first, d->err);
    d->near = kai_arena_take(&d->arena, 2 * (size_t)edge_count + 1, sizeof *d->near, d->err);
    d->local = kai_arena_take(&d->arena, n, sizeof *d->local, d->err);
    d->level = kai_arena_take(&d->arena, n, sizeof *d->level, d->err);
    if (!d->first || !d->near || !d->local || !d->level) return KAI_ERROR_MEMORY;
    memset(d->level, 0, n * sizeof *d->level);
    memset(d->local, 0, n * sizeof *d->local);
    kai_ldl_order_neighbours(edges, edge_count, d->count, NULL, (uint32_t*)d->first,
                             (uint32_t*)d->near);
    return KAI_OK;
}

/// METIS and CAMD take memory from the C library, and METIS ends the process where there is none.
/// So a block of as much as they need is taken from the world's memory first and given back.
static kai_result check_memory(dissection* d, size_t nodes, size_t pairs)
{
    const size_t bytes = 160 * nodes + 24 * pairs;
    void* block = kai_memory_allocate(d->arena.memory, bytes);
    if (!block)
        return kai_error_set(d->err, KAI_ERROR_MEMORY, "no memory to order %zu nodes", nodes);
    kai_memory_release(d->arena.memory, block, bytes);
    return KAI_OK;
}

/// Nodes [begin, end) of the order with the edges between them.
static kai_result extract_graph(dissection* d, range r, graph* g)
{
    const uint32_t n = r.end - r.begin;
    size_t pairs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = d->order[r.begin + i];
        d->local[node] = i;
        pairs += (size_t)(d->first[node + 1] - d->first[node]);
    }
    *g = (graph){.count = (int)n};
    g->weight = kai_arena_take(&d->arena, n, sizeof *g->weight, d->err);
    g->first = kai_arena_take(&d->arena, (size_t)n + 1, sizeof *g->first, d->err);
    g->near = kai_arena_take(&d->arena, pairs + 1, sizeof *g->near, d->err);
    if (!g->weight || !g->first || !g->near) return KAI_ERROR_MEMORY;
    int place = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = d->order[r.begin + i];
        g->first[i] = place;
        g->weight[i] = d->nodes[node].rows;
        for (int k = d->first[node]; k < d->first[node + 1]; k++) {
            const uint32_t other = (uint32_t)d->near[k], at = d->local[other];
            // A number from another range leads to another node.
            if (at < n && d->order[r.begin + at] == other) g->near[place++] = (int)at;
        }
    }
    g->first[n] = place;
    return check_memory(d, n, (size_t)place);
}

/// Into `side`: 0 and 1 for the halves, 2 for what separates them.
static kai_result separate(dissection* d, graph* g, int* side)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    char generator[128];
    int options[METIS_NOPTIONS], weight = 0;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    pthread_mutex_lock(&one_at_a_time);
    char* before = initstate(1, generator, sizeof generator);
    const int code = METIS_ComputeVertexSeparator(&g->count, g->first, g->near, g->weight, options,
                                                  &weight, side);
    if (before) setstate(before);
    pthread_mutex_unlock(&one_at_a_time);
    return code == METIS_OK
               ? KAI_OK
               : kai_error_set(d->err, KAI_ERROR_MEMORY, "METIS cannot order %d nodes: error %d",
                               g->count, code);
}

/// The separator of the whole becomes a dense triangle of blocks: no order is much better than one
/// with that.
static kai_result check_limits(const dissection* d, const uint32_t* separator, uint32_t count)
{
    double rows = 0.0;
    for (uint32_t i = 0; i < count; i++) rows += d->nodes[separator[i]].rows;
    if (d->limit > 0 && 0.5 * rows * rows > (double)d->limit)
        return kai_error_set(d->err, KAI_ERROR_LIMIT, "the factors need more than %zu numbers",
                             d->limit);
    if (d->work > 0 && (double)count * count * count / 3.0 > (double)d->work)
        return kai_error_set(d->err, KAI_ERROR_LIMIT,
                             "the factors need more than %zu products of blocks", d->work);
    return KAI_OK;
}

/// Cuts a range: first half, second half, separator; the halves wait for their turn.
static kai_result cut_range(dissection* d, range r)
{
    const uint32_t n = r.end - r.begin;
    const kai_arena_mark mark = kai_arena_marked(&d->arena);
    graph g;
    KAI_TRY(extract_graph(d, r, &g));
    int* side = kai_arena_take(&d->arena, n, sizeof *side, d->err);
    uint32_t* sorted = kai_arena_take(&d->arena, n, sizeof *sorted, d->err);
    if (!side || !sorted) return KAI_ERROR_MEMORY;
    KAI_TRY(separate(d, &g, side));
    uint32_t size[3] = {0}, place[3];
    for (uint32_t i = 0; i < n; i++) size[side[i]]++;
    place[0] = 0;
    place[1] = size[0];
    place[2] = size[0] + size[1];
    for (uint32_t i = 0; i < n; i++) sorted[place[side[i]]++] = d->order[r.begin + i];
    kai_result result = KAI_OK;
    if (n == d->count) result = check_limits(d, sorted + size[0] + size[1], size[2]);
    // A part that is all but the whole means that there is nothing to cut.
    if (result == KAI_OK && size[0] < n && size[1] < n && size[2] < n / 2) {
        memcpy(d->order + r.begin, sorted, n * sizeof *sorted);
        d->cuts++;
        for (uint32_t i = size[0] + size[1]; i < n; i++) d->level[sorted[i]] = d->cuts;
        const range halves[2] = {{r.begin, r.begin + size[0]},
                                 {r.begin + size[0], r.begin + size[0] + size[1]}};
        result = kai_array_append(&d->ranges, d->arena.memory, halves, 2, d->err);
    }
    kai_arena_release(&d->arena, mark);
    return result;
}

static kai_result cut_all(dissection* d)
{
    const uint32_t leaf = d->count < FEW ? LEAF_OF_FEW : LEAF;
    for (uint32_t i = 0; i < d->count; i++) d->order[i] = i;
    const range all = {0, d->count};
    KAI_TRY(kai_array_append(&d->ranges, d->arena.memory, &all, 1, d->err));
    while (d->ranges.count > 0) {
        KAI_TRY(kai_stop_check(d->stop, d->err));
        const range r = ((const range*)d->ranges.data)[--d->ranges.count];
        if (r.end - r.begin > leaf) KAI_TRY(cut_range(d, r));
    }
    return KAI_OK;
}

/// Leaves first, then separators, the first cut last; each of them by least degree.
static kai_result order_all(dissection* d)
{
    double control[CAMD_CONTROL], info[CAMD_INFO];
    int* order = kai_arena_take(&d->arena, d->count, sizeof *order, d->err);
    if (!order) return KAI_ERROR_MEMORY;
    if (d->count == 0) return KAI_OK;
    KAI_TRY(check_memory(d, d->count, (size_t)d->first[d->count]));
    for (uint32_t i = 0; i < d->count; i++)
        if (d->level[i] > 0) d->level[i] = d->cuts + 1 - d->level[i];
    camd_defaults(control);
    const int code = camd_order((int)d->count, d->first, d->near, order, control, info, d->level);
    if (code < CAMD_OK)
        return kai_error_set(d->err, KAI_ERROR_MEMORY, "CAMD cannot order %u nodes: error %d",
                             d->count, code);
    for (uint32_t i = 0; i < d->count; i++) d->order[i] = (uint32_t)order[i];
    return KAI_OK;
}

/// Constraints that come too early wait for the last node that they couple.
static kai_result delay_constraints(dissection* d)
{
    const size_t n = d->count;
    uint32_t* key = kai_arena_take(&d->arena, n, sizeof *key, d->err); // by node: place to be at
    uint32_t* first = kai_arena_take(&d->arena, n + 1, sizeof *first, d->err);
    uint32_t* sorted = kai_arena_take(&d->arena, n, sizeof *sorted, d->err);
    if (!key || !first || !sorted) return KAI_ERROR_MEMORY;
    for (uint32_t i = 0; i < n; i++) d->local[d->order[i]] = i;
    for (uint32_t i = 0; i < n; i++) {
        key[i] = d->local[i];
        for (int k = d->first[i]; d->nodes[i].constraint && k < d->first[i + 1]; k++) {
            const uint32_t other = (uint32_t)d->near[k];
            if (!d->nodes[other].constraint && d->local[other] > key[i]) key[i] = d->local[other];
        }
    }
    // Sorted by key; at one place first what was there, then constraints in the order of nodes.
    memset(first, 0, (n + 1) * sizeof *first);
    for (uint32_t i = 0; i < n; i++) first[key[i] + 1]++;
    for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
    for (uint32_t i = 0; i < n; i++)
        if (key[i] == d->local[i]) sorted[first[key[i]]++] = i;
    for (uint32_t i = 0; i < n; i++)
        if (key[i] != d->local[i]) sorted[first[key[i]]++] = i;
    memcpy(d->order, sorted, n * sizeof *d->order);
    return KAI_OK;
}

kai_result kai_ldl_dissect(kai_memory* memory, const kai_ldl_node* nodes, uint32_t node_count,
                           const kai_ldl_edge* edges, uint32_t edge_count, size_t limit,
                           size_t work, const volatile int* stop, uint32_t* order, kai_error* err)
{
    dissection d = {.err = err,
                    .stop = stop,
                    .nodes = nodes,
                    .count = node_count,
                    .limit = limit,
                    .work = work,
                    .order = order,
                    .ranges = kai_array_make(sizeof(range))};
    kai_arena_init(&d.arena, memory);
    kai_result r = list_neighbours(&d, edges, edge_count);
    if (r == KAI_OK) r = cut_all(&d);
    if (r == KAI_OK) r = order_all(&d);
    if (r == KAI_OK) r = delay_constraints(&d);
    kai_array_free(&d.ranges, memory);
    kai_arena_free(&d.arena);
    return r;
}
