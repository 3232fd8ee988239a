// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Top down. Each node is cut across the longest side of the box around its triangles' middles, at
// the one of 15 planes with the least expected cost (surface area heuristic: area of a child's box
// times its triangles, summed). Below MEDIAN_LEVEL, or where no plane parts the middles, half of
// the triangles go to each side, so that the depth has a bound.
#include "geometry/mesh_tree.h"

#include <float.h>
#include <string.h>

enum {
    BINS = 16,
    LEAF = 4,         // triangles that are not cut any more
    MEDIAN_LEVEL = 56 // from here on halves: 32 more levels serve 2³² triangles
};

typedef struct item {
    float low[3], high[3];
    uint32_t triangle;
} item;

typedef struct span {
    uint32_t begin, end, level;
    uint32_t parent; // waits for this one as its right child; KAI_MESH_NONE: none
} span;

// The float at or below x, and at or above. Values out of range become ±infinity.
static float round_down(double x)
{
    const float f = (float)x;
    return (double)f <= x ? f : nextafterf(f, -INFINITY);
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f >= x ? f : nextafterf(f, INFINITY);
}

static void clear(float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) low[k] = FLT_MAX, high[k] = -FLT_MAX;
}

static void widen(float low[3], float high[3], const float by_low[3], const float by_high[3])
{
    for (int k = 0; k < 3; k++) {
        if (by_low[k] < low[k]) low[k] = by_low[k];
        if (by_high[k] > high[k]) high[k] = by_high[k];
    }
}

static double half_area(const float low[3], const float high[3])
{
    const double x = (double)high[0] - (double)low[0], y = (double)high[1] - (double)low[1],
                 z = (double)high[2] - (double)low[2];
    return x * y + y * z + z * x;
}

// Twice the middle of an item along an axis.
static double middle(const item* i, int axis)
{
    return (double)i->low[axis] + (double)i->high[axis];
}

// Which axis the middles spread along most, and from where to where.
static int longest(const item* items, span s, double* from, double* to)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = s.begin; i < s.end; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], middle(&items[i], k));
            high[k] = fmax(high[k], middle(&items[i], k));
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    *from = low[axis];
    *to = high[axis];
    return axis;
}

static int bin_of(const item* i, int axis, double from, double per)
{
    const int b = (int)((middle(i, axis) - from) * per);
    return b < BINS ? b : BINS - 1;
}

// The last bin that goes left at the least cost.
static int best_cut(const item* items, span s, int axis, double from, double per)
{
    float low[BINS][3], high[BINS][3], l[3], h[3];
    uint32_t counts[BINS] = {0};
    for (int b = 0; b < BINS; b++) clear(low[b], high[b]);
    for (uint32_t i = s.begin; i < s.end; i++) {
        const int b = bin_of(&items[i], axis, from, per);
        counts[b]++;
        widen(low[b], high[b], items[i].low, items[i].high);
    }
    double right[BINS], best = HUGE_VAL;
    uint32_t n = 0;
    clear(l, h);
    for (int b = BINS - 1; b > 0; b--) {
        widen(l, h, low[b], high[b]);
        n += counts[b];
        right[b] = n > 0 ? n * half_area(l, h) : 0.0;
    }
    int cut = 0;
    n = 0;
    clear(l, h);
    for (int b = 0; b + 1 < BINS; b++) {
        widen(l, h, low[b], high[b]);
        n += counts[b];
        const double cost = (n > 0 ? n * half_area(l, h) : 0.0) + right[b + 1];
        if (n > 0 && n < s.end - s.begin && cost < best) best = cost, cut = b;
    }
    return cut;
}

static void swap(item* a, item* b)
{
    const item t = *a;
    *a = *b;
    *b = t;
}

// Puts the items with the smaller middles first, up to `half`; ties by triangle, so that the
// outcome is unique as a set. Hoare's selection.
static void part_at(item* items, uint32_t begin, uint32_t end, uint32_t half, int axis)
{
    while (end - begin > 1) {
        const item pivot =
            items[begin + (end - begin - 1) / 2]; // never the last: each turn shortens
        uint32_t i = begin, j = end - 1;
        for (;;) {
#define BELOW(a, b)                       \
    (middle(a, axis) < middle(b, axis) || \
     (middle(a, axis) == middle(b, axis) && (a)->triangle < (b)->triangle))
            while (BELOW(&items[i], &pivot)) i++;
            while (BELOW(&pivot, &items[j])) j--;
#undef BELOW
            if (i >= j) break;
            swap(&items[i++], &items[j--]);
        }
        if (half <= j)
            end = j + 1;
        else
            begin = j + 1;
    }
}

// Cuts a span; returns where its right part begins.
static uint32_t cut_span(item* items, span s)
{
    double from, to;
    const uint32_t half = s.begin + (s.end - s.begin) / 2;
    const int axis = longest(items, s, &from, &to);
    const double per = BINS / (to - from);
    if (!(to > from) || !isfinite(per)) return half;
    if (s.level >= MEDIAN_LEVEL) {
        part_at(items, s.begin, s.end, half, axis);
        return half;
    }
    const int cut = best_cut(items, s, axis, from, per);
    uint32_t i = s.begin, j = s.end;
    while (i < j) {
        if (bin_of(&items[i], axis, from, per) <= cut)
            i++;
        else
            swap(&items[i], &items[--j]);
    }
    return i > s.begin && i < s.end ? i : half;
}

static uint32_t build_nodes(item* items, uint32_t count, kai_mesh_node* nodes)
{
    span stack[KAI_MESH_LEVELS + 1] = {{0, count, 0, KAI_MESH_NONE}};
    uint32_t waiting = 1, made = 0;
    while (waiting > 0) {
        const span s = stack[--waiting];
        const uint32_t here = made++;
        kai_mesh_node* node = &nodes[here];
        if (s.parent != KAI_MESH_NONE) nodes[s.parent].first = here;
        clear(node->low, node->high);
        for (uint32_t i = s.begin; i < s.end; i++)
            widen(node->low, node->high, items[i].low, items[i].high);
        node->first = s.begin;
        node->count = s.end - s.begin;
        if (node->count <= LEAF) continue;
        const uint32_t cut = cut_span(items, s);
        node->count = 0;
        stack[waiting++] = (span){cut, s.end, s.level + 1, here};
        stack[waiting++] = (span){s.begin, cut, s.level + 1, KAI_MESH_NONE};
    }
    return made;
}

static void make_items(kai_mesh* mesh, item* items)
{
    mesh->low = mesh->high = mesh->vertices[mesh->triangles[0][0]];
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const kai_vec3 x = mesh->vertices[mesh->triangles[t][k]];
            mesh->low = kai_vec3_min(mesh->low, x);
            mesh->high = kai_vec3_max(mesh->high, x);
        }
    mesh->origin = kai_vec3_lerp(mesh->low, mesh->high, 0.5);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        item* i = &items[t];
        clear(i->low, i->high);
        i->triangle = t;
        for (int k = 0; k < 3; k++) {
            const kai_vec3 x = kai_vec3_sub(mesh->vertices[mesh->triangles[t][k]], mesh->origin);
            const float low[3] = {round_down(x.x), round_down(x.y), round_down(x.z)};
            const float high[3] = {round_up(x.x), round_up(x.y), round_up(x.z)};
            widen(i->low, i->high, low, high);
        }
    }
}

// Triangles and their source into the order of the items.
static void sort_triangles(kai_mesh* mesh, uint32_t* source, const item* items,
                           uint32_t (*scratch)[4])
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        memcpy(scratch[t], mesh->triangles[items[t].triangle], 3 * sizeof(uint32_t));
        scratch[t][3] = source[items[t].triangle];
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        memcpy(mesh->triangles[t], scratch[t], 3 * sizeof(uint32_t));
        source[t] = scratch[t][3];
    }
}

kai_result kai_mesh_tree_build(kai_mesh* mesh, kai_memory* memory, uint32_t* source, kai_error* err)
{
    const size_t n = mesh->triangle_count, most = 2 * n;
    item* items = kai_memory_allocate(memory, n * sizeof *items);
    kai_mesh_node* nodes = kai_memory_allocate(memory, most * sizeof *nodes);
    uint32_t(*scratch)[4] = kai_memory_allocate(memory, n * sizeof *scratch);
    bool ok = items && nodes && scratch;
    if (ok) {
        make_items(mesh, items);
        const uint32_t made = build_nodes(items, mesh->triangle_count, nodes);
        sort_triangles(mesh, source, items, scratch);
        mesh->nodes = kai_memory_allocate(memory, made * sizeof *nodes);
        ok = mesh->nodes;
        if (ok) {
            memcpy(mesh->nodes, nodes, made * sizeof *nodes);
            mesh->node_count = made;
        }
    }
    kai_memory_release(memory, items, n * sizeof *items);
    kai_memory_release(memory, nodes, most * sizeof *nodes);
    kai_memory_release(memory, scratch, n * sizeof *scratch);
    return ok ? KAI_OK : kai_error_set(err, KAI_ERROR_MEMORY, "mesh: out of memory");
}
