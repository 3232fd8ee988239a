// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_dissect.h"

#include "base/arena.h"
#include "base/stop.h"
#include "solve/ldl_order.h"
#include "solve/ldl_separate.h"

#include <string.h>

enum { LEAF = 100 }; // nodes that are not cut any more

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
    uint32_t *first, *near; // neighbours of all nodes
    uint32_t* order;
    uint32_t* local;  // [count] number of a node in the range at hand
    bool* kept;       // [count] whether a node is in a separator
    kai_array ranges; // range: those that wait
} dissection;

static kai_result list_neighbours(dissection* d, const kai_ldl_edge* edges, uint32_t edge_count)
{
    const size_t n = d->count;
    d->first = kai_arena_take(&d->arena, n + 1, sizeof *d->first, d->err);
    d->near = kai_arena_take(&d->arena, 2 * (size_t)edge_count, sizeof *d->near, d->err);
    d->local = kai_arena_take(&d->arena, n, sizeof *d->local, d->err);
    d->kept = kai_arena_take(&d->arena, n, sizeof *d->kept, d->err);
    if (!d->first || !d->near || !d->local || !d->kept) return KAI_ERROR_MEMORY;
    memset(d->kept, 0, n * sizeof *d->kept);
    memset(d->first, 0, (n + 1) * sizeof *d->first);
    for (uint32_t e = 0; e < edge_count; e++) {
        d->first[edges[e].a]++;
        d->first[edges[e].b]++;
    }
    for (uint32_t i = 0, sum = 0; i <= n; i++) {
        sum += d->first[i];
        d->first[i] = sum; // behind the last; filled backwards
    }
    for (uint32_t e = edge_count; e-- > 0;) {
        d->near[--d->first[edges[e].a]] = edges[e].b;
        d->near[--d->first[edges[e].b]] = edges[e].a;
    }
    return KAI_OK;
}

/// The graph of a range.
static kai_result extract(dissection* d, range r, kai_ldl_graph* g)
{
    const uint32_t n = r.end - r.begin;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = d->order[r.begin + i];
        d->local[node] = i;
        pairs += d->first[node + 1] - d->first[node];
    }
    KAI_TRY(kai_ldl_separate_make(g, &d->arena, n, pairs, d->err));
    uint32_t place = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = d->order[r.begin + i];
        g->first[i] = place;
        g->weight[i] = d->nodes[node].rows;
        g->total += g->weight[i];
        for (uint32_t k = d->first[node]; k < d->first[node + 1]; k++) {
            const uint32_t other = d->near[k];
            // A number from another range leads to another node.
            if (d->local[other] >= n || d->order[r.begin + d->local[other]] != other) continue;
            g->near[place] = d->local[other];
            g->bond[place++] = 1;
        }
    }
    g->first[n] = place;
    return KAI_OK;
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
static kai_result cut(dissection* d, range r)
{
    const uint32_t n = r.end - r.begin;
    const kai_arena_mark mark = kai_arena_marked(&d->arena);
    kai_ldl_graph g;
    KAI_TRY(extract(d, r, &g));
    uint8_t* side = kai_arena_take(&d->arena, n, sizeof *side, d->err);
    uint32_t* sorted = kai_arena_take(&d->arena, n, sizeof *sorted, d->err);
    if (!side || !sorted) return KAI_ERROR_MEMORY;
    KAI_TRY(kai_ldl_separate(&g, &d->arena, side, d->err));
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
        for (uint32_t i = size[0] + size[1]; i < n; i++) d->kept[sorted[i]] = true;
        const range halves[2] = {{r.begin, r.begin + size[0]},
                                 {r.begin + size[0], r.begin + size[0] + size[1]}};
        result = kai_array_append(&d->ranges, d->arena.memory, halves, 2, d->err);
    }
    kai_arena_release(&d->arena, mark);
    return result;
}

static kai_result cut_all(dissection* d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        d->order[i] = i;
        d->local[i] = 0;
    }
    const range all = {0, d->count};
    KAI_TRY(kai_array_append(&d->ranges, d->arena.memory, &all, 1, d->err));
    while (d->ranges.count > 0) {
        KAI_TRY(kai_stop_check(d->stop, d->err));
        const range r = ((const range*)d->ranges.data)[--d->ranges.count];
        if (r.end - r.begin > LEAF) KAI_TRY(cut(d, r));
    }
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
        if (!d->nodes[i].constraint || !d->kept[i]) continue;
        for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++)
            if (!d->nodes[d->near[k]].constraint && d->local[d->near[k]] > key[i])
                key[i] = d->local[d->near[k]];
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

/// What separators leave goes first, by least degree; then what stayed, in the order of cuts.
static kai_result order_leaves(dissection* d, const kai_ldl_edge* edges, uint32_t edge_count)
{
    const size_t n = d->count;
    kai_ldl_order leaves = {.kept = d->kept};
    uint32_t* rest = kai_arena_take(&d->arena, n, sizeof *rest, d->err);
    if (!rest) return KAI_ERROR_MEMORY;
    memcpy(rest, d->order, n * sizeof *rest);
    KAI_TRY(kai_ldl_order_find(&leaves, d->arena.memory, d->nodes, d->count, edges, edge_count,
                               d->err));
    size_t done = leaves.node.count;
    if (done > 0) memcpy(d->order, leaves.node.data, done * sizeof *d->order);
    kai_ldl_order_free(&leaves, d->arena.memory);
    for (size_t i = 0; i < n; i++) d->kept[i] = true;
    for (size_t i = 0; i < done; i++) d->kept[d->order[i]] = false;
    for (size_t i = 0; i < n; i++)
        if (d->kept[rest[i]]) d->order[done++] = rest[i];
    return delay_constraints(d);
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
    if (r == KAI_OK) r = order_leaves(&d, edges, edge_count);
    kai_array_free(&d.ranges, memory);
    kai_arena_free(&d.arena);
    return r;
}
