// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_tree.h"

#include "solve/ldl_order.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, BLOCKS = 24 };

/// Work in progress. Until the last stage, positions are those of `order`.
typedef struct plan {
    kai_memory* memory;
    kai_error* err;
    const kai_ldl_node* nodes;
    uint32_t count;       // nodes
    uint32_t* order;      // [count] node at a position
    uint32_t* place;      // [count] position of a node
    uint32_t* first;      // [count + 1] into near
    uint32_t* near;       // [2 edges] positions that edges lead to
    uint32_t* parent;     // [count] in the elimination tree
    uint32_t* child;      // [count] first child; of positions, later of groups
    uint32_t* next;       // [count] next child of the same parent
    uint32_t* mark;       // [count]
    uint32_t* stack;      // [count]
    uint32_t* group;      // [count] group of a position: nodes that reach the same others
    uint32_t* end;        // [count] of a group: behind its last position
    uint32_t* list_first; // [count + 1] of a group: what it reaches, in `list`
    uint32_t* list_count; // [count]
    uint32_t* into;       // [count] of a group: the one it was joined to, or itself
    uint32_t* up;         // [count] of a group: parent
    double* pivots;       // [count] of a group: rows to eliminate
    double* rows;         // [count] of a group: rows below
    uint32_t groups;
    kai_array list;                                // uint32_t: positions
    size_t limit, numbers, work, reached, squares; // squares: of what each reaches
    struct {
        void* data;
        size_t bytes;
    } block[BLOCKS];
    int blocks;
} plan;

static void* room(plan* p, size_t count, size_t size)
{
    void* data = p->blocks < BLOCKS ? kai_memory_allocate_zeroed(p->memory, count, size) : NULL;
    if (!data) return NULL;
    p->block[p->blocks].data = data;
    p->block[p->blocks++].bytes = count * size;
    return data;
}

static kai_result make_room(plan* p, uint32_t edge_count)
{
    const size_t n = (size_t)p->count + 1;
    uint32_t** all[] = {&p->order, &p->place, &p->first, &p->parent,     &p->child,
                        &p->next,  &p->mark,  &p->stack, &p->group,      &p->end,
                        &p->into,  &p->up,    &p->near,  &p->list_first, &p->list_count};
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof all / sizeof all[0]; i++) {
        *all[i] = room(p, all[i] == &p->near ? 2 * (size_t)edge_count + 1 : n, sizeof(uint32_t));
        fine = *all[i] != NULL;
    }
    if (fine) p->pivots = room(p, n, sizeof(double));
    if (fine) p->rows = room(p, n, sizeof(double));
    if (!fine || !p->pivots || !p->rows)
        return kai_error_set(p->err, KAI_ERROR_MEMORY, "no memory for the fronts of %u nodes",
                             p->count);
    return KAI_OK;
}

// Elimination tree -------------------------------------------------------------------------------

/// Neighbours by position, and the parent of every position, with shortcuts to the root of what has
/// been seen (`mark`).
static void find_parents(plan* p, const kai_ldl_edge* edges, uint32_t edge_count)
{
    for (uint32_t i = 0; i < p->count; i++) p->place[p->order[i]] = i;
    kai_ldl_order_neighbours(edges, edge_count, p->count, p->place, p->first, p->near);
    for (uint32_t j = 0; j < p->count; j++) {
        p->parent[j] = p->mark[j] = NONE;
        for (uint32_t k = p->first[j]; k < p->first[j + 1]; k++) {
            uint32_t i = p->near[k];
            while (i < j) {
                const uint32_t above = p->mark[i];
                p->mark[i] = j;
                if (above == NONE) p->parent[i] = j;
                if (above == NONE || above == j) break;
                i = above;
            }
        }
    }
}

/// Children of each in ascending order.
static void list_children(plan* p, const uint32_t* parent, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) p->child[i] = p->next[i] = NONE;
    for (uint32_t i = count; i-- > 0;) {
        if (parent[i] == NONE || parent[i] == i) continue;
        p->next[i] = p->child[parent[i]];
        p->child[parent[i]] = i;
    }
}

/// Everything below the roots by `child` and `next`, all descendants in a row before each, into
/// `out`; returns how many. Uses up `child`.
static uint32_t walk_tree(plan* p, const uint32_t* parent, uint32_t count, uint32_t* out)
{
    uint32_t done = 0, depth = 0;
    for (uint32_t root = 0; root < count; root++) {
        if (parent[root] != NONE) continue;
        p->stack[depth++] = root;
        while (depth > 0) {
            const uint32_t i = p->stack[depth - 1], c = p->child[i];
            if (c != NONE) {
                p->child[i] = p->next[c];
                p->stack[depth++] = c;
            } else {
                out[done++] = i;
                depth--;
            }
        }
    }
    return done;
}

/// Puts positions in an order with all descendants in a row before each.
static void sort_by_tree(plan* p)
{
    list_children(p, p->parent, p->count);
    walk_tree(p, p->parent, p->count, p->group);
    memcpy(p->mark, p->order, p->count * sizeof *p->order);
    for (uint32_t i = 0; i < p->count; i++) p->order[i] = p->mark[p->group[i]];
}

// Groups -----------------------------------------------------------------------------------------

/// What position j reaches, into `stack`; returns how many.
static uint32_t reach_of(plan* p, uint32_t j)
{
    uint32_t n = 0;
    const uint32_t* list = p->list.data;
    p->mark[j] = j;
    for (uint32_t k = p->first[j]; k < p->first[j + 1]; k++) {
        const uint32_t i = p->near[k];
        if (i <= j || p->mark[i] == j) continue;
        p->mark[i] = j;
        p->stack[n++] = i;
    }
    for (uint32_t c = p->child[j]; c != NONE; c = p->next[c]) {
        const uint32_t g = p->group[c], last = p->list_first[g] + p->list_count[g];
        for (uint32_t k = p->list_first[g]; k < last; k++) {
            const uint32_t i = list[k];
            if (p->mark[i] == j) continue;
            p->mark[i] = j;
            p->stack[n++] = i;
        }
    }
    return n;
}

static kai_result find_groups(plan* p)
{
    for (uint32_t i = 0; i < p->count; i++) p->mark[i] = NONE;
    for (uint32_t j = 0; j < p->count; j++) {
        const uint32_t n = reach_of(p, j), mine = p->nodes[p->order[j]].rows;
        uint32_t rows = 0, g = p->groups - 1;
        for (uint32_t k = 0; k < n; k++) rows += p->nodes[p->order[p->stack[k]]].rows;
        p->numbers += (size_t)mine * (mine + rows);
        if (p->limit > 0 && p->numbers > p->limit)
            return kai_error_set(p->err, KAI_ERROR_LIMIT, "the factors need more than %zu numbers",
                                 p->limit);
        p->reached += n;
        p->squares += (size_t)n * n;
        if (p->work > 0 && p->squares > p->work)
            return kai_error_set(p->err, KAI_ERROR_LIMIT,
                                 "the factors need more than %zu products of blocks", p->work);
        if (j > 0 && p->parent[j - 1] == j && n + 1 == p->list_count[g]) {
            p->list.count = p->list_first[g]; // takes the place of the list before
        } else {
            g = p->groups++;
            p->list_first[g] = (uint32_t)p->list.count;
            p->pivots[g] = 0.0;
        }
        if (p->list.count + n >= UINT32_MAX)
            return kai_error_set(p->err, KAI_ERROR_LIMIT, "the factors have too many blocks");
        KAI_TRY(kai_array_append(&p->list, p->memory, p->stack, n, p->err));
        p->list_count[g] = n;
        p->group[j] = g;
        p->end[g] = j + 1;
        p->pivots[g] += mine;
        p->rows[g] = rows;
    }
    for (uint32_t g = 0; g < p->groups; g++) {
        const uint32_t above = p->parent[p->end[g] - 1];
        p->up[g] = above == NONE ? NONE : p->group[above];
        p->into[g] = g;
    }
    return KAI_OK;
}

// Measured on one core with AVX-512: products run at some 15 multiply-adds a ns, the rest of a
// front at a third of that; numbers that are set to zero, added to the parent or stored take half a
// ns each; and each front takes a while of its own.
double kai_ldl_tree_cost(double pivots, double rows)
{
    const double products = 0.5 * pivots * rows * rows;
    const double others = pivots * pivots * (0.5 * rows + pivots / 6.0);
    const double moved = 0.5 * rows * rows + pivots * (pivots + rows);
    return products / 15.0 + others / 5.0 + 0.5 * moved + 300.0;
}

/// Joins children to their parent where one front is cheaper than two.
static void join_groups(plan* p)
{
    list_children(p, p->up, p->groups);
    for (uint32_t g = 0; g < p->groups; g++) {
        uint32_t* link = &p->child[g];
        uint32_t adopted = NONE;
        while (*link != NONE) {
            const uint32_t c = *link;
            const double apart = kai_ldl_tree_cost(p->pivots[c], p->rows[c]) +
                                 kai_ldl_tree_cost(p->pivots[g], p->rows[g]);
            if (kai_ldl_tree_cost(p->pivots[c] + p->pivots[g], p->rows[g]) > apart) {
                link = &p->next[c];
                continue;
            }
            p->into[c] = g;
            p->pivots[g] += p->pivots[c];
            *link = p->next[c];
            uint32_t last = p->child[c];
            if (last == NONE) continue;
            while (p->next[last] != NONE) last = p->next[last];
            p->next[last] = adopted;
            adopted = p->child[c];
        }
        *link = adopted;
    }
}

static uint32_t front_of(const plan* p, uint32_t group)
{
    while (p->into[group] != group) group = p->into[group];
    return group;
}

// Result -----------------------------------------------------------------------------------------

static int ascending(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

/// Numbers the fronts, children first, into `mark`, by group; returns how many.
static uint32_t number_fronts(plan* p)
{
    uint32_t* front = p->parent; // that of positions is of no more use
    const uint32_t fronts = walk_tree(p, p->up, p->groups, front);
    for (uint32_t f = 0; f < fronts; f++) p->mark[front[f]] = f;
    return fronts;
}

/// Positions anew, front by front; inside one as before. `place`: new position of an old one.
static void order_nodes(plan* p, kai_ldl_tree* tree, uint32_t fronts)
{
    uint32_t *first = tree->first.data, *node = tree->node.data;
    memset(first, 0, (fronts + 1) * sizeof *first);
    for (uint32_t i = 0; i < p->count; i++) first[p->mark[front_of(p, p->group[i])] + 1]++;
    for (uint32_t f = 0; f < fronts; f++) first[f + 1] += first[f];
    memcpy(p->stack, first, fronts * sizeof *first);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = p->stack[p->mark[front_of(p, p->group[i])]]++;
        p->place[i] = at;
        node[at] = p->order[i];
    }
}

static kai_result write_tree(plan* p, kai_ldl_tree* tree)
{
    const uint32_t fronts = number_fronts(p);
    KAI_TRY(kai_array_resize(&tree->node, p->memory, p->count, p->err));
    KAI_TRY(kai_array_resize(&tree->first, p->memory, fronts + 1, p->err));
    KAI_TRY(kai_array_resize(&tree->parent, p->memory, fronts, p->err));
    KAI_TRY(kai_array_resize(&tree->below_first, p->memory, fronts + 1, p->err));
    order_nodes(p, tree, fronts);
    uint32_t *parent = tree->parent.data, *below_first = tree->below_first.data;
    for (uint32_t g = 0; g < p->groups; g++) {
        if (p->into[g] != g) continue;
        parent[p->mark[g]] = p->up[g] == NONE ? NONE : p->mark[front_of(p, p->up[g])];
        below_first[p->mark[g] + 1] = p->list_count[g];
        tree->cost += kai_ldl_tree_cost(p->pivots[g], p->rows[g]);
    }
    for (uint32_t f = 0; f < fronts; f++) below_first[f + 1] += below_first[f];
    KAI_TRY(kai_array_resize(&tree->below, p->memory, below_first[fronts], p->err));
    for (uint32_t g = 0; g < p->groups; g++) {
        if (p->into[g] != g) continue;
        uint32_t* below = (uint32_t*)tree->below.data + below_first[p->mark[g]];
        const uint32_t* list = (const uint32_t*)p->list.data + p->list_first[g];
        for (uint32_t k = 0; k < p->list_count[g]; k++) below[k] = p->place[list[k]];
        if (p->list_count[g] > 1) qsort(below, p->list_count[g], sizeof *below, ascending);
    }
    tree->reached = p->reached;
    tree->products = (p->squares + p->reached) / 2;
    return KAI_OK;
}

kai_result kai_ldl_tree_find(kai_ldl_tree* tree, kai_memory* memory, const kai_ldl_node* nodes,
                             uint32_t node_count, const kai_ldl_edge* edges, uint32_t edge_count,
                             const uint32_t* order, size_t limit, size_t work, kai_error* err)
{
    const kai_array empty = kai_array_make(sizeof(uint32_t));
    *tree = (kai_ldl_tree){empty, empty, empty, empty, empty, 0, 0, 0.0};
    plan p = {.memory = memory,
              .err = err,
              .nodes = nodes,
              .count = node_count,
              .list = empty,
              .limit = limit,
              .work = work};
    kai_result r = make_room(&p, edge_count);
    if (r == KAI_OK) {
        memcpy(p.order, order, node_count * sizeof *order);
        find_parents(&p, edges, edge_count);
        sort_by_tree(&p);
        find_parents(&p, edges, edge_count);
        list_children(&p, p.parent, node_count);
        r = find_groups(&p);
    }
    if (r == KAI_OK) {
        join_groups(&p);
        r = write_tree(&p, tree);
    }
    kai_array_free(&p.list, memory);
    for (int i = 0; i < p.blocks; i++)
        kai_memory_release(memory, p.block[i].data, p.block[i].bytes);
    if (r != KAI_OK) kai_ldl_tree_free(tree, memory);
    return r;
}

void kai_ldl_tree_free(kai_ldl_tree* tree, kai_memory* memory)
{
    kai_array_free(&tree->node, memory);
    kai_array_free(&tree->first, memory);
    kai_array_free(&tree->parent, memory);
    kai_array_free(&tree->below_first, memory);
    kai_array_free(&tree->below, memory);
}
