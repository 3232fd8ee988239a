// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_order.h"

#include <string.h>

/// A node that waits: its neighbours, as a growing list.
typedef struct waiting {
    kai_array neighbours; // uint32_t, in no order
    uint32_t degree;      // rows of all neighbours
    kai_array edges;      // uint32_t: neighbours by the edges given, bodies of a constraint or
                          // constraints of a body
    bool gone;
    uint32_t island;   // root: the smallest node that edges lead to; itself for that one
    uint32_t next;     // next node of the same island, UINT32_MAX: last
    uint32_t cluster;  // of eliminated nodes: root, itself to begin with
    uint32_t open;     // of a root: eliminated constraints that lean on a body not eliminated
    uint32_t grounded; // of a root: eliminated constraints that lean on the ground
} waiting;

typedef struct search {
    kai_memory* memory;
    kai_error* err;
    const kai_ldl_node* nodes;
    waiting* list;  // [node_count]
    uint32_t* mark; // [node_count] stamp of the last visit
    uint32_t stamp;
    size_t work;    // products of blocks so far
    kai_array heap; // uint64_t: degree << 32 | node; old entries stay until they come up
} search;

// The queue --------------------------------------------------------------------------------------

static kai_result push(search* s, uint32_t node)
{
    const uint64_t key = (uint64_t)s->list[node].degree << 32 | node;
    KAI_TRY(kai_array_append(&s->heap, s->memory, &key, 1, s->err));
    uint64_t* heap = s->heap.data;
    size_t i = s->heap.count - 1;
    for (; i > 0 && heap[(i - 1) / 2] > key; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = key;
    return KAI_OK;
}

static uint64_t pop(search* s)
{
    uint64_t* heap = s->heap.data;
    const uint64_t top = heap[0], last = heap[--s->heap.count];
    const size_t n = s->heap.count;
    size_t i = 0;
    while (2 * i + 1 < n) {
        size_t child = 2 * i + 1;
        if (child + 1 < n && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= last) break;
        heap[i] = heap[child];
        i = child;
    }
    if (n > 0) heap[i] = last;
    return top;
}

// Which constraint may go ------------------------------------------------------------------------
//
// Eliminated nodes form clusters. A constraint that goes while a body of its own is still there
// *leans* on that body; one with a single body leans on the ground. The pivot of a constraint is
// regular, whenever the whole matrix is, if afterwards its cluster leans on no body (its rows lie
// inside), or if this constraint is the only one that leans on anything (the cluster floats, and
// can follow it).

static uint32_t cluster_of(search* s, uint32_t node)
{
    while (s->list[node].cluster != node) {
        s->list[node].cluster = s->list[s->list[node].cluster].cluster;
        node = s->list[node].cluster;
    }
    return node;
}

static bool may_go(search* s, uint32_t node)
{
    if (!s->nodes[node].constraint) return true;
    const uint32_t* bodies = s->list[node].edges.data;
    const size_t count = s->list[node].edges.count;
    uint32_t open = 0, grounded = count == 1, roots[KAI_LDL_WIDTH] = {0}, n = 0;
    bool any = false, leans = false;
    for (size_t i = 0; i < count && n < KAI_LDL_WIDTH; i++) {
        if (!s->list[bodies[i]].gone) {
            leans = true;
            continue;
        }
        any = true;
        const uint32_t root = cluster_of(s, bodies[i]);
        bool seen = false;
        for (uint32_t k = 0; k < n; k++) seen |= roots[k] == root;
        if (seen) continue;
        roots[n++] = root;
        open += s->list[root].open;
        grounded += s->list[root].grounded;
    }
    open += leans;
    return any && (open == 0 || open + grounded == 1);
}

static void join(search* s, uint32_t a, uint32_t b)
{
    a = cluster_of(s, a);
    b = cluster_of(s, b);
    if (a == b) return;
    s->list[b].cluster = a;
    s->list[a].open += s->list[b].open;
    s->list[a].grounded += s->list[b].grounded;
}

/// Books the elimination of a node.
static void enter_cluster(search* s, uint32_t node)
{
    const uint32_t* near = s->list[node].edges.data;
    const size_t count = s->list[node].edges.count;
    const bool constraint = s->nodes[node].constraint;
    bool leans = false;
    for (size_t i = 0; i < count; i++) leans |= !s->list[near[i]].gone;
    if (constraint) {
        s->list[node].open = leans;
        s->list[node].grounded = count == 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (!s->list[near[i]].gone) continue;
        // A constraint that leaned on this body, and on this one alone, leans no more.
        if (!constraint)
            s->list[cluster_of(s, near[i])].open -= s->list[cluster_of(s, near[i])].open > 0;
        join(s, node, near[i]);
    }
}

// Elimination ------------------------------------------------------------------------------------

static kai_result couple(search* s, uint32_t a, uint32_t b)
{
    KAI_TRY(kai_array_append(&s->list[a].neighbours, s->memory, &b, 1, s->err));
    KAI_TRY(kai_array_append(&s->list[b].neighbours, s->memory, &a, 1, s->err));
    s->list[a].degree += s->nodes[b].rows;
    s->list[b].degree += s->nodes[a].rows;
    return KAI_OK;
}

/// Drops a neighbour that is gone.
static void uncouple(search* s, uint32_t a, uint32_t gone)
{
    uint32_t* list = s->list[a].neighbours.data;
    size_t i = 0;
    while (list[i] != gone) i++;
    kai_array_swap_remove(&s->list[a].neighbours, i);
    s->list[a].degree -= s->nodes[gone].rows;
}

/// Takes a node out: its neighbours become neighbours of each other.
static kai_result eliminate(search* s, uint32_t node)
{
    waiting* w = &s->list[node];
    const uint32_t* near = w->neighbours.data;
    const size_t n = w->neighbours.count;
    w->gone = true;
    for (size_t i = 0; i < n; i++) uncouple(s, near[i], node);
    for (size_t i = 0; i < n; i++) {
        const waiting* a = &s->list[near[i]];
        s->stamp++;
        for (size_t k = 0; k < a->neighbours.count; k++)
            s->mark[((const uint32_t*)a->neighbours.data)[k]] = s->stamp;
        for (size_t j = i + 1; j < n; j++)
            if (s->mark[near[j]] != s->stamp) KAI_TRY(couple(s, near[i], near[j]));
    }
    for (size_t i = 0; i < n; i++) {
        if (may_go(s, near[i])) KAI_TRY(push(s, near[i]));
    }
    return KAI_OK;
}

/// Eliminates everything that can be reached from what is in the queue.
static kai_result run(search* s, kai_ldl_order* order)
{
    while (s->heap.count > 0) {
        const uint64_t key = pop(s);
        const uint32_t node = (uint32_t)key;
        waiting* w = &s->list[node];
        if (w->gone || w->degree != key >> 32 || !may_go(s, node)) continue;
        const uint32_t first = (uint32_t)order->reach.count;
        KAI_TRY(kai_array_append(&order->node, s->memory, &node, 1, s->err));
        KAI_TRY(kai_array_append(&order->first, s->memory, &first, 1, s->err));
        KAI_TRY(kai_array_append(&order->reach, s->memory, w->neighbours.data, w->neighbours.count,
                                 s->err));
        order->values += s->nodes[node].rows * (size_t)KAI_LDL_WIDTH * (1 + w->neighbours.count);
        if (order->limit > 0 && order->values > order->limit)
            return kai_error_set(s->err, KAI_ERROR_LIMIT, "the factors need more than %zu numbers",
                                 order->limit);
        s->work += w->neighbours.count * w->neighbours.count;
        if (order->work > 0 && s->work > order->work)
            return kai_error_set(s->err, KAI_ERROR_LIMIT,
                                 "the factors need more than %zu products of blocks", order->work);
        enter_cluster(s, node);
        KAI_TRY(eliminate(s, node));
        kai_array_free(&w->neighbours, s->memory);
    }
    return KAI_OK;
}

// Islands ----------------------------------------------------------------------------------------

enum { CHUNK = 64 }; // least nodes of a chunk: fewer are not worth a thread

static uint32_t root_of(search* s, uint32_t node)
{
    while (s->list[node].island != node) {
        s->list[node].island = s->list[s->list[node].island].island;
        node = s->list[node].island;
    }
    return node;
}

/// Joins what edges connect, then threads the nodes of each island together in ascending order.
static void find_islands(search* s, uint32_t node_count, const kai_ldl_edge* edges,
                         uint32_t edge_count)
{
    for (uint32_t i = 0; i < node_count; i++) s->list[i].island = i;
    for (uint32_t e = 0; e < edge_count; e++) {
        const uint32_t a = root_of(s, edges[e].a), b = root_of(s, edges[e].b);
        s->list[a < b ? b : a].island = a < b ? a : b;
    }
    for (uint32_t i = node_count; i-- > 0;) {
        const uint32_t root = root_of(s, i);
        s->list[i].next = s->mark[root] ? s->mark[root] - 1 : UINT32_MAX;
        s->mark[root] = i + 1; // 1 + the first node of the island so far
    }
    memset(s->mark, 0, node_count * sizeof *s->mark);
}

static kai_result run_islands(search* s, kai_ldl_order* order, uint32_t node_count)
{
    uint32_t begin = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        if (s->list[i].island != i) continue;
        const uint32_t done = (uint32_t)order->node.count;
        if (done == 0 || done - begin >= CHUNK) {
            begin = done;
            KAI_TRY(kai_array_append(&order->chunks, s->memory, &begin, 1, s->err));
        }
        uint32_t size = 0;
        for (uint32_t k = i; k != UINT32_MAX; k = s->list[k].next, size++)
            if (may_go(s, k)) KAI_TRY(push(s, k));
        KAI_TRY(run(s, order));
        if (order->node.count != done + size)
            return kai_error_set(s->err, KAI_ERROR_ARGUMENT,
                                 "a joint is coupled to no body that can move");
    }
    const uint32_t end = (uint32_t)order->reach.count;
    return kai_array_append(&order->first, s->memory, &end, 1, s->err);
}

// Set-up -----------------------------------------------------------------------------------------

kai_result kai_ldl_order_check(const kai_ldl_node* nodes, uint32_t node_count,
                               const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err)
{
    for (uint32_t i = 0; i < node_count; i++)
        if (nodes[i].rows == 0 || nodes[i].rows > KAI_LDL_WIDTH)
            return kai_error_set(err, KAI_ERROR_ARGUMENT,
                                 "node %u has %u rows; must be from 1 to %d", i, nodes[i].rows,
                                 KAI_LDL_WIDTH);
    for (uint32_t e = 0; e < edge_count; e++)
        if (edges[e].a >= node_count || edges[e].b >= node_count || edges[e].a == edges[e].b)
            return kai_error_set(err, KAI_ERROR_ARGUMENT, "edge %u joins nodes %u and %u of %u", e,
                                 edges[e].a, edges[e].b, node_count);
    return KAI_OK;
}

void kai_ldl_order_neighbours(const kai_ldl_edge* edges, uint32_t edge_count, uint32_t node_count,
                              const uint32_t* place, uint32_t* first, uint32_t* near)
{
    memset(first, 0, ((size_t)node_count + 1) * sizeof *first);
    for (uint32_t e = 0; e < edge_count; e++) {
        first[place ? place[edges[e].a] : edges[e].a]++;
        first[place ? place[edges[e].b] : edges[e].b]++;
    }
    for (uint32_t i = 0, sum = 0; i <= node_count; i++) {
        sum += first[i];
        first[i] = sum; // behind the last; filled backwards
    }
    for (uint32_t e = edge_count; e-- > 0;) {
        const uint32_t a = place ? place[edges[e].a] : edges[e].a,
                       b = place ? place[edges[e].b] : edges[e].b;
        near[--first[a]] = b;
        near[--first[b]] = a;
    }
}

static kai_result begin(search* s, uint32_t node_count, const kai_ldl_edge* edges,
                        uint32_t edge_count)
{
    for (uint32_t i = 0; i < node_count; i++) {
        s->list[i].neighbours = kai_array_make(sizeof(uint32_t));
        s->list[i].edges = kai_array_make(sizeof(uint32_t));
        s->list[i].cluster = i;
    }
    for (uint32_t e = 0; e < edge_count; e++) {
        const uint32_t a = edges[e].a, b = edges[e].b;
        KAI_TRY(couple(s, a, b));
        KAI_TRY(kai_array_append(&s->list[a].edges, s->memory, &b, 1, s->err));
        KAI_TRY(kai_array_append(&s->list[b].edges, s->memory, &a, 1, s->err));
    }
    find_islands(s, node_count, edges, edge_count);
    return KAI_OK;
}

kai_result kai_ldl_order_find(kai_ldl_order* order, kai_memory* memory, const kai_ldl_node* nodes,
                              uint32_t node_count, const kai_ldl_edge* edges, uint32_t edge_count,
                              kai_error* err)
{
    order->node = order->first = order->reach = order->chunks = kai_array_make(sizeof(uint32_t));
    order->values = 0;
    search s = {
        .memory = memory, .err = err, .nodes = nodes, .heap = kai_array_make(sizeof(uint64_t))};
    s.list = kai_memory_allocate_zeroed(memory, node_count + 1, sizeof *s.list);
    s.mark = kai_memory_allocate_zeroed(memory, node_count + 1, sizeof *s.mark);
    kai_result r = KAI_OK;
    if (!s.list || !s.mark)
        r = kai_error_set(err, KAI_ERROR_MEMORY, "no memory to order %u nodes", node_count);
    if (r == KAI_OK) r = begin(&s, node_count, edges, edge_count);
    if (r == KAI_OK) r = run_islands(&s, order, node_count);

    for (uint32_t i = 0; s.list && i < node_count; i++)
        if (s.list[i].neighbours.stride) {
            kai_array_free(&s.list[i].neighbours, memory);
            kai_array_free(&s.list[i].edges, memory);
        }
    kai_array_free(&s.heap, memory);
    kai_memory_release(memory, s.list, (node_count + 1) * sizeof *s.list);
    kai_memory_release(memory, s.mark, (node_count + 1) * sizeof *s.mark);
    if (r != KAI_OK) kai_ldl_order_free(order, memory);
    return r;
}

void kai_ldl_order_free(kai_ldl_order* order, kai_memory* memory)
{
    kai_array_free(&order->node, memory);
    kai_array_free(&order->first, memory);
    kai_array_free(&order->reach, memory);
    kai_array_free(&order->chunks, memory);
}
