// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_separate.h"

#include <stdbool.h>
#include <string.h>

enum { NONE = UINT32_MAX };
enum { COARSEST = 60, TRIES = 8, PASSES = 4, PATIENCE = 60 };
static const double HEAVIEST = 0.58; // share of a part

kai_result kai_ldl_separate_make(kai_ldl_graph* g, kai_arena* arena, uint32_t count, uint32_t pairs,
                                 kai_error* err)
{
    *g = (kai_ldl_graph){.count = count};
    g->weight = kai_arena_take(arena, count, sizeof(uint32_t), err);
    g->first = kai_arena_take(arena, (size_t)count + 1, sizeof(uint32_t), err);
    g->near = kai_arena_take(arena, pairs, sizeof(uint32_t), err);
    g->bond = kai_arena_take(arena, pairs, sizeof(uint32_t), err);
    return g->weight && g->first && g->near && g->bond ? KAI_OK : KAI_ERROR_MEMORY;
}

/// Numbers that are always the same (Marsaglia's xorshift).
static uint32_t draw(uint32_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// A queue by gain, with a place for every node ---------------------------------------------------

typedef struct queue {
    uint32_t count;
    uint32_t* node; // [count] a heap
    uint32_t* at;   // by node: its place in it; NONE: not in the queue
    int32_t* gain;  // by node
} queue;

static bool before(const queue* q, uint32_t a, uint32_t b)
{
    return q->gain[a] > q->gain[b] || (q->gain[a] == q->gain[b] && a < b);
}

static void put(queue* q, uint32_t place, uint32_t node)
{
    q->node[place] = node;
    q->at[node] = place;
}

/// Moves the node at a place to where it belongs.
static void settle(queue* q, uint32_t place)
{
    const uint32_t node = q->node[place];
    for (; place > 0 && before(q, node, q->node[(place - 1) / 2]); place = (place - 1) / 2)
        put(q, place, q->node[(place - 1) / 2]);
    while (2 * place + 1 < q->count) {
        uint32_t child = 2 * place + 1;
        if (child + 1 < q->count && before(q, q->node[child + 1], q->node[child])) child++;
        if (!before(q, q->node[child], node)) break;
        put(q, place, q->node[child]);
        place = child;
    }
    put(q, place, node);
}

static void enter(queue* q, uint32_t node, int32_t gain)
{
    q->gain[node] = gain;
    if (q->at[node] == NONE) put(q, q->count++, node);
    settle(q, q->at[node]);
}

static void leave(queue* q, uint32_t node)
{
    const uint32_t place = q->at[node];
    if (place == NONE) return;
    q->at[node] = NONE;
    const uint32_t last = q->node[--q->count];
    if (last == node) return;
    put(q, place, last);
    settle(q, place);
}

// Refinement -------------------------------------------------------------------------------------
// A node that leaves the separator for one part pulls its neighbours in the other part into it.

typedef struct refinement {
    const kai_ldl_graph* g;
    uint8_t* side;
    uint32_t weight[3];
    uint32_t* beside[2]; // by node of the separator: weight of its neighbours in each part
    queue queue[2];      // nodes that may go to each part
    bool* moved;
    uint32_t* log; // node << 2 | side before
    uint32_t logged;
} refinement;

static kai_result begin_refinement(refinement* f, const kai_ldl_graph* g, kai_arena* arena,
                                   uint8_t* side, kai_error* err)
{
    const size_t n = g->count;
    *f = (refinement){.g = g, .side = side};
    bool fine = true;
    for (int t = 0; t < 2; t++) {
        f->beside[t] = kai_arena_take(arena, n, sizeof(uint32_t), err);
        f->queue[t].node = kai_arena_take(arena, n, sizeof(uint32_t), err);
        f->queue[t].at = kai_arena_take(arena, n, sizeof(uint32_t), err);
        f->queue[t].gain = kai_arena_take(arena, n, sizeof(int32_t), err);
        fine = fine && f->beside[t] && f->queue[t].node && f->queue[t].at && f->queue[t].gain;
    }
    f->moved = kai_arena_take(arena, n, sizeof(bool), err);
    f->log = kai_arena_take(arena, 3 * n, sizeof(uint32_t), err);
    return fine && f->moved && f->log ? KAI_OK : KAI_ERROR_MEMORY;
}

static void set_side(refinement* f, uint32_t v, uint8_t side)
{
    f->weight[f->side[v]] -= f->g->weight[v];
    f->weight[side] += f->g->weight[v];
    f->side[v] = side;
}

static void note(refinement* f, uint32_t v) { f->log[f->logged++] = v << 2 | f->side[v]; }

static int32_t gain_of(const refinement* f, uint32_t v, int part)
{
    return (int32_t)f->g->weight[v] - (int32_t)f->beside[!part][v];
}

/// Looks around a node that has come into the separator.
static void look_around(refinement* f, uint32_t v)
{
    const kai_ldl_graph* g = f->g;
    f->beside[0][v] = f->beside[1][v] = 0;
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
        if (f->side[g->near[k]] < 2) f->beside[f->side[g->near[k]]][v] += g->weight[g->near[k]];
    if (f->moved[v]) return;
    enter(&f->queue[0], v, gain_of(f, v, 0));
    enter(&f->queue[1], v, gain_of(f, v, 1));
}

static void pull(refinement* f, uint32_t u, int part)
{
    const kai_ldl_graph* g = f->g;
    note(f, u);
    set_side(f, u, 2);
    for (uint32_t k = g->first[u]; k < g->first[u + 1]; k++) {
        const uint32_t x = g->near[k];
        if (f->side[x] != 2) continue;
        f->beside[part][x] -= g->weight[u];
        if (f->queue[!part].at[x] != NONE) enter(&f->queue[!part], x, gain_of(f, x, !part));
    }
    look_around(f, u);
}

static void move(refinement* f, uint32_t v, int part)
{
    const kai_ldl_graph* g = f->g;
    leave(&f->queue[0], v);
    leave(&f->queue[1], v);
    note(f, v);
    f->moved[v] = true;
    set_side(f, v, (uint8_t)part);
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
        const uint32_t x = g->near[k];
        if (f->side[x] != 2) continue;
        f->beside[part][x] += g->weight[v];
        if (f->queue[!part].at[x] != NONE) enter(&f->queue[!part], x, gain_of(f, x, !part));
    }
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
        if (f->side[g->near[k]] == !part) pull(f, g->near[k], !part);
}

/// The part that the best node goes to; -1: none can go.
static int choose(const refinement* f, uint32_t most)
{
    bool may[2];
    int32_t gain[2] = {0, 0};
    for (int t = 0; t < 2; t++) {
        may[t] = f->queue[t].count > 0 && f->weight[t] + f->g->weight[f->queue[t].node[0]] <= most;
        if (may[t]) gain[t] = f->queue[t].gain[f->queue[t].node[0]];
    }
    if (!may[0] || !may[1]) return may[0] ? 0 : may[1] ? 1 : -1;
    if (gain[0] != gain[1]) return gain[0] > gain[1] ? 0 : 1;
    return f->weight[0] <= f->weight[1] ? 0 : 1;
}

/// What a separation is worth: less is better.
static uint64_t price(const refinement* f)
{
    const uint32_t a = f->weight[0], b = f->weight[1];
    return (uint64_t)f->weight[2] << 32 | (a > b ? a - b : b - a);
}

/// One pass; whether it found something better.
static bool improve(refinement* f)
{
    const kai_ldl_graph* g = f->g;
    const uint32_t most = (uint32_t)(HEAVIEST * g->total) + 1;
    f->logged = f->queue[0].count = f->queue[1].count = 0;
    for (uint32_t v = 0; v < g->count; v++) {
        f->moved[v] = false;
        f->queue[0].at[v] = f->queue[1].at[v] = NONE;
    }
    for (uint32_t v = 0; v < g->count; v++)
        if (f->side[v] == 2) look_around(f, v);
    const uint64_t start = price(f);
    uint64_t best = start;
    uint32_t keep = 0;
    for (int idle = 0; idle < PATIENCE; idle++) {
        const int part = choose(f, most);
        if (part < 0) break;
        move(f, f->queue[part].node[0], part);
        if (price(f) >= best) continue;
        best = price(f);
        keep = f->logged;
        idle = 0;
    }
    while (f->logged > keep) {
        const uint32_t entry = f->log[--f->logged];
        set_side(f, entry >> 2, (uint8_t)(entry & 3));
    }
    return best < start;
}

static kai_result refine(const kai_ldl_graph* g, kai_arena* arena, uint8_t* side, uint64_t* cost,
                         kai_error* err)
{
    refinement f;
    const kai_arena_mark mark = kai_arena_marked(arena);
    KAI_TRY(begin_refinement(&f, g, arena, side, err));
    for (uint32_t v = 0; v < g->count; v++) f.weight[side[v]] += g->weight[v];
    for (int pass = 0; pass < PASSES && improve(&f); pass++) {}
    *cost = price(&f);
    kai_arena_release(arena, mark);
    return KAI_OK;
}

// The smallest graph -----------------------------------------------------------------------------

/// Grows a part around a node to half of the weight; what it touches separates it.
static void grow(const kai_ldl_graph* g, uint32_t seed, uint8_t* side, uint32_t* list)
{
    uint32_t done = 0, found = 0, weight = 0;
    memset(side, 1, g->count);
    for (uint32_t i = 0; 2 * weight < g->total && i < g->count; i++) {
        if (done == found) { // all that can be reached is in
            while (side[seed] != 1) seed = (seed + 1) % g->count;
            side[seed] = 2;
            list[found++] = seed;
        }
        const uint32_t v = list[done++];
        side[v] = 0;
        weight += g->weight[v];
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
            if (side[g->near[k]] != 1) continue;
            side[g->near[k]] = 2;
            list[found++] = g->near[k];
        }
    }
}

static kai_result separate_small(const kai_ldl_graph* g, kai_arena* arena, uint8_t* side,
                                 kai_error* err)
{
    uint32_t state = 2463534242u;
    uint64_t best = UINT64_MAX;
    const kai_arena_mark mark = kai_arena_marked(arena);
    uint8_t* trial = kai_arena_take(arena, g->count, sizeof *trial, err);
    uint32_t* list = kai_arena_take(arena, g->count, sizeof *list, err);
    if (!trial || !list) return KAI_ERROR_MEMORY;
    for (int t = 0; t < TRIES; t++) {
        uint64_t cost;
        grow(g, draw(&state) % g->count, trial, list);
        KAI_TRY(refine(g, arena, trial, &cost, err));
        if (cost >= best) continue;
        best = cost;
        memcpy(side, trial, g->count * sizeof *trial);
    }
    kai_arena_release(arena, mark);
    return KAI_OK;
}

// Coarsening -------------------------------------------------------------------------------------

/// Pairs nodes with the neighbour that they share most edges with; `coarse`: number of their pair.
/// Returns how many there are.
static kai_result pair_up(const kai_ldl_graph* g, kai_arena* arena, uint32_t* coarse,
                          uint32_t* pairs, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(arena);
    uint32_t* turn = kai_arena_take(arena, g->count, sizeof *turn, err);
    if (!turn) return KAI_ERROR_MEMORY;
    uint32_t state = 88172645u, most = 3 * (g->total / COARSEST) / 2 + 1;
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t k = draw(&state) % (i + 1);
        turn[i] = turn[k];
        turn[k] = i;
        coarse[i] = NONE;
    }
    *pairs = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t v = turn[i];
        if (coarse[v] != NONE) continue;
        uint32_t mate = v, bond = 0;
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
            const uint32_t u = g->near[k];
            if (coarse[u] != NONE || g->bond[k] <= bond || g->weight[u] + g->weight[v] > most)
                continue;
            mate = u;
            bond = g->bond[k];
        }
        coarse[v] = coarse[mate] = (*pairs)++;
    }
    kai_arena_release(arena, mark);
    return KAI_OK;
}

/// Adds the neighbours of a node to the list of its pair, which began at `from`.
static uint32_t list_pairs(const kai_ldl_graph* g, uint32_t v, const uint32_t* coarse,
                           uint32_t* seen, kai_ldl_graph* out, uint32_t from, uint32_t place)
{
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
        const uint32_t p = coarse[g->near[k]];
        if (p == coarse[v]) continue;
        if (seen[p] >= from && seen[p] < place && out->near[seen[p]] == p) {
            out->bond[seen[p]] += g->bond[k];
            continue;
        }
        seen[p] = place;
        out->near[place] = p;
        out->bond[place++] = g->bond[k];
    }
    return place;
}

/// The graph of pairs.
static kai_result coarsen(const kai_ldl_graph* g, kai_arena* arena, const uint32_t* coarse,
                          uint32_t pairs, kai_ldl_graph* out, kai_error* err)
{
    KAI_TRY(kai_ldl_separate_make(out, arena, pairs, g->first[g->count], err));
    const kai_arena_mark mark = kai_arena_marked(arena);
    uint32_t* member = kai_arena_take(arena, 2 * (size_t)pairs, sizeof *member, err);
    uint32_t* seen = kai_arena_take(arena, pairs, sizeof *seen, err); // its place in a list
    if (!member || !seen) return KAI_ERROR_MEMORY;
    for (uint32_t p = 0; p < pairs; p++) member[2 * p] = member[2 * p + 1] = seen[p] = NONE;
    for (uint32_t v = 0; v < g->count; v++)
        member[2 * coarse[v] + (member[2 * coarse[v]] != NONE)] = v;
    uint32_t place = 0;
    for (uint32_t p = 0; p < pairs; p++) {
        const uint32_t a = member[2 * p], b = member[2 * p + 1], from = place;
        out->first[p] = from;
        out->weight[p] = g->weight[a] + (b == NONE ? 0 : g->weight[b]);
        place = list_pairs(g, a, coarse, seen, out, from, place);
        if (b != NONE) place = list_pairs(g, b, coarse, seen, out, from, place);
    }
    out->first[pairs] = place;
    out->total = g->total;
    kai_arena_release(arena, mark);
    return KAI_OK;
}

kai_result kai_ldl_separate(const kai_ldl_graph* g, kai_arena* arena, uint8_t* side, kai_error* err)
{
    if (g->count <= COARSEST) return separate_small(g, arena, side, err);
    const kai_arena_mark mark = kai_arena_marked(arena);
    uint32_t pairs, *coarse = kai_arena_take(arena, g->count, sizeof *coarse, err);
    if (!coarse) return KAI_ERROR_MEMORY;
    KAI_TRY(pair_up(g, arena, coarse, &pairs, err));
    if (pairs > g->count - g->count / 10) { // no use
        kai_arena_release(arena, mark);
        return separate_small(g, arena, side, err);
    }
    kai_ldl_graph small;
    KAI_TRY(coarsen(g, arena, coarse, pairs, &small, err));
    uint8_t* small_side = kai_arena_take(arena, pairs, sizeof *small_side, err);
    if (!small_side) return KAI_ERROR_MEMORY;
    KAI_TRY(kai_ldl_separate(&small, arena, small_side, err));
    for (uint32_t v = 0; v < g->count; v++) side[v] = small_side[coarse[v]];
    uint64_t cost;
    const kai_result r = refine(g, arena, side, &cost, err);
    kai_arena_release(arena, mark);
    return r;
}
