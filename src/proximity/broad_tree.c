// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "proximity/broad_tree.h"

#include "base/parallel.h"
#include "proximity/broad_order.h"

#include <float.h>

enum { WIDTH = KAI_BROAD_TREE_WIDTH, BLOCK = 4096 };

typedef struct building {
    kai_broad_tree* tree;
    kai_broad_fill_fn* fill;
    void* context;
    int level;
} building;

void kai_broad_tree_init(kai_broad_tree* tree, kai_memory* memory)
{
    *tree = (kai_broad_tree){.memory = memory};
}

void kai_broad_tree_free(kai_broad_tree* tree)
{
    kai_memory_release(tree->memory, tree->order.data, tree->order.bytes);
    kai_memory_release(tree->memory, tree->boxes.data, tree->boxes.bytes);
    kai_broad_tree_init(tree, tree->memory);
}

// Making ------------------------------------------------------------------------------------------

static bool is_bounded(const kai_broad_box* box)
{
    bool bounded = true;
    for (int k = 0; k < 3; k++)
        bounded = bounded && box->low[k] >= -FLT_MAX && box->high[k] <= FLT_MAX;
    return bounded;
}

static void fill_leaves(size_t begin, size_t end, void* context)
{
    const building* b = context;
    const uint32_t* order = b->tree->order.data;
    kai_broad_tree_box* leaves = b->tree->boxes.data;
    for (size_t i = begin; i < end; i++) {
        kai_broad_box box;
        b->fill(order[i], (size_t)order[i] + 1, b->tree->origin, &box, NULL, b->context);
        for (int k = 0; k < 3; k++) {
            leaves[i].low[k] = box.low[k];
            leaves[i].high[k] = box.high[k];
        }
    }
}

static void join_level(size_t begin, size_t end, void* context)
{
    const building* b = context;
    const kai_broad_tree* t = b->tree;
    kai_broad_tree_box* boxes = t->boxes.data;
    const kai_broad_tree_box* below = boxes + t->level_first[b->level - 1];
    kai_broad_tree_box* level = boxes + t->level_first[b->level];
    const size_t size = t->level_size[b->level - 1];
    for (size_t i = begin; i < end; i++) {
        kai_broad_tree_box sum = below[i * WIDTH];
        for (size_t c = i * WIDTH + 1; c < (i + 1) * WIDTH && c < size; c++) {
            for (int k = 0; k < 3; k++) {
                sum.low[k] = fminf(sum.low[k], below[c].low[k]);
                sum.high[k] = fmaxf(sum.high[k], below[c].high[k]);
            }
        }
        level[i] = sum;
    }
}

// Unbounded boxes are last in the order.
static size_t count_bounded(const building* b)
{
    const uint32_t* order = b->tree->order.data;
    size_t n = b->tree->count;
    for (; n > 0; n--) {
        kai_broad_box box;
        b->fill(order[n - 1], (size_t)order[n - 1] + 1, b->tree->origin, &box, NULL, b->context);
        if (is_bounded(&box)) break;
    }
    return n;
}

static void lay_out(kai_broad_tree* t)
{
    size_t first = 0, size = t->bounded;
    t->level_count = 0;
    while (size > 0 && t->level_count < KAI_BROAD_TREE_LEVELS) {
        t->level_first[t->level_count] = first;
        t->level_size[t->level_count++] = size;
        first += size;
        if (size == 1) break;
        size = (size + WIDTH - 1) / WIDTH;
    }
}

kai_result kai_broad_tree_update(kai_broad_tree* tree, int threads, size_t count,
                                 kai_broad_fill_fn* fill, void* context, bool reorder,
                                 kai_error* err)
{
    building b = {tree, fill, context, 0};
    if (reorder || count != tree->count) {
        tree->count = 0;
        KAI_TRY(kai_broad_reserve(tree->memory, &tree->order, (count + 1) * sizeof(uint32_t), err));
        KAI_TRY(kai_broad_reserve(tree->memory, &tree->boxes,
                                  (count + count / 7 + 16) * sizeof(kai_broad_tree_box), err));
        KAI_TRY(
            kai_broad_order(tree->memory, threads, count, fill, context, tree->order.data, err));
        tree->count = count;
        tree->bounded = count_bounded(&b);
        lay_out(tree);
    }
    // The origin of the first leaf serves all: floats are relative to where the items are.
    if (tree->bounded > 0) {
        kai_broad_box box;
        const uint32_t item = ((const uint32_t*)tree->order.data)[tree->bounded / 2];
        fill(item, (size_t)item + 1, tree->origin, &box, NULL, context);
        const kai_vec3 off =
            kai_vec3_make((double)box.low[0], (double)box.low[1], (double)box.low[2]);
        if (kai_vec3_is_finite(off)) tree->origin = kai_vec3_add(tree->origin, off);
    }
    kai_parallel_for(threads, tree->bounded, BLOCK, fill_leaves, &b);
    for (b.level = 1; b.level < tree->level_count; b.level++)
        kai_parallel_for(threads, tree->level_size[b.level], BLOCK, join_level, &b);
    return KAI_OK;
}

// Asking ------------------------------------------------------------------------------------------

/// A query: how far a box is from it, in the unit of the limit; HUGE_VAL: never.
typedef struct query {
    double low[3], high[3]; // its box
} query;

static double probe_distance(const query* q, const kai_broad_tree_box* box)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double apart =
            fmax(fmax(q->low[k] - (double)box->high[k], (double)box->low[k] - q->high[k]), 0.0);
        sum += apart * apart;
    }
    return sqrt(sum) * (1.0 - 1e-12);
}

/// A node that waits, and how far it is.
typedef struct waiting {
    double distance;
    size_t index;
    int level;
} waiting;

// Puts the children of a node on the stack, the nearest last, so that it is taken first.
static size_t push_children(const kai_broad_tree* t, const query* q, const waiting* node,
                            double limit, waiting* stack, size_t top)
{
    const int level = node->level - 1;
    const kai_broad_tree_box* boxes = (kai_broad_tree_box*)t->boxes.data + t->level_first[level];
    const size_t bottom = top;
    for (size_t c = node->index * WIDTH; c < (node->index + 1) * WIDTH && c < t->level_size[level];
         c++) {
        const double distance = probe_distance(q, &boxes[c]);
        if (!(distance <= limit)) continue;
        size_t k = top++;
        for (; k > bottom && stack[k - 1].distance < distance; k--) stack[k] = stack[k - 1];
        stack[k] = (waiting){distance, c, level};
    }
    return top;
}

static void ask(const kai_broad_tree* t, const query* q, double limit, kai_broad_tree_fn* fn,
                void* context)
{
    const uint32_t* order = t->order.data;
    for (size_t i = t->bounded; i < t->count; i++) fn(order[i], &limit, context);
    if (t->level_count == 0) return;
    waiting stack[KAI_BROAD_TREE_LEVELS * WIDTH];
    const int root = t->level_count - 1;
    const kai_broad_tree_box* box = (kai_broad_tree_box*)t->boxes.data + t->level_first[root];
    size_t top = 0;
    stack[top++] = (waiting){probe_distance(q, box), 0, root};
    while (top > 0) {
        const waiting node = stack[--top];
        if (!(node.distance <= limit)) continue;
        if (node.level == 0)
            fn(order[node.index], &limit, context);
        else
            top = push_children(t, q, &node, limit, stack, top);
    }
}

static void put3(double out[3], kai_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

void kai_broad_tree_near(const kai_broad_tree* tree, kai_vec3 low, kai_vec3 high, double limit,
                         kai_broad_tree_fn* fn, void* context)
{
    query q;
    put3(q.low, kai_vec3_sub(low, tree->origin));
    put3(q.high, kai_vec3_sub(high, tree->origin));
    ask(tree, &q, limit, fn, context);
}
