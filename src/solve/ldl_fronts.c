// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl_fronts.h"

#include "base/stop.h"
#include "solve/ldl.h"
#include "solve/ldl_kernel.h"
#include "solve/ldl_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, S = KAI_LDL_STRIP };

// Tasks are at most this share of the whole, and so are fronts that one thread does: 16 threads
// find enough of them. And what starting threads is worth, for a task and for a front.
static const double SHARE = 1.0 / 32.0;
static const double LEAST_TASK = 3e4, LEAST_TOP = 1.5e5; // ns

void kai_ldl_fronts_init(kai_ldl_fronts* f)
{
    f->fronts = kai_array_make(sizeof(kai_ldl_front));
    f->pieces = kai_array_make(sizeof(kai_ldl_piece));
    f->runs = kai_array_make(sizeof(kai_ldl_run));
    f->tasks = f->branches = kai_array_make(sizeof(kai_ldl_task));
    f->pending = kai_array_make(sizeof(atomic_uint));
    f->constraint = kai_array_make(sizeof(bool));
    f->rows = f->owner = f->top = kai_array_make(sizeof(uint32_t));
    f->l = f->inverse = f->vector = f->work = kai_array_make(sizeof(double));
}

void kai_ldl_fronts_free(kai_ldl_fronts* f, kai_memory* memory)
{
    kai_array* all[] = {&f->fronts,   &f->pieces,  &f->runs,    &f->rows, &f->owner,
                        &f->branches, &f->tasks,   &f->pending, &f->top,  &f->constraint,
                        &f->l,        &f->inverse, &f->vector,  &f->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], memory);
}

kai_ldl_work kai_ldl_fronts_open(const kai_ldl* ldl, const kai_ldl_front* front)
{
    const kai_ldl_fronts* f = &ldl->fronts;
    double* scratch = (double*)f->work.data + front->scratch;
    const size_t rows = (size_t)front->strips * S;
    kai_ldl_work work = {.pivots = front->pivots,
                         .pivot_strips = front->pivot_strips,
                         .strips = front->strips,
                         .l = (double*)f->l.data + front->l,
                         .panel = scratch,
                         .update = (double*)f->work.data + front->update,
                         .inverse = (double*)f->inverse.data + front->inverse,
                         .constraint = (const bool*)f->constraint.data + front->pivot};
    scratch += rows * front->pivot_strips * S;
    work.scaled = scratch;
    if (front->constraints) work.scale = scratch + rows * KAI_LDL_PANEL;
    return work;
}

void kai_ldl_fronts_begin(const kai_ldl* ldl)
{
    const kai_ldl_front* fronts = ldl->fronts.fronts.data;
    atomic_uint* pending = ldl->fronts.pending.data;
    for (size_t i = 0; i < ldl->fronts.fronts.count; i++) {
        if (fronts[i].part != KAI_LDL_MIDDLE) continue;
        unsigned children = 0;
        for (uint32_t c = fronts[i].child; c != NONE; c = fronts[c].next) children++;
        atomic_init(&pending[i], children);
    }
}

// The matrix -------------------------------------------------------------------------------------

/// Edges by the earlier of their columns: `link` [edges] behind `first` [nodes + 1].
typedef struct layout {
    kai_ldl* ldl;
    const kai_ldl_tree* tree;
    const kai_ldl_node* nodes;
    const kai_ldl_edge* edges;
    kai_error* err;
    kai_array first, link; // uint32_t
    kai_array local;       // uint32_t [nodes]: local row of a column in the front at hand
} layout;

static void earlier(const layout* o, uint32_t e, uint32_t* early, uint32_t* late)
{
    const uint32_t* column_of = o->ldl->column_of.data;
    const uint32_t a = column_of[o->edges[e].a], b = column_of[o->edges[e].b];
    *early = a < b ? a : b;
    *late = a < b ? b : a;
    ((bool*)o->ldl->edge_flip.data)[e] = a > b; // the rows of the earlier column go down
}

static void sort_edges(layout* o)
{
    uint32_t *first = o->first.data, *link = o->link.data, early, late;
    for (uint32_t e = 0; e < o->ldl->edge_count; e++) {
        earlier(o, e, &early, &late);
        first[early]++;
    }
    for (uint32_t c = 0, sum = 0; c <= o->ldl->node_count; c++) {
        sum += first[c];
        first[c] = sum;
    }
    for (uint32_t e = o->ldl->edge_count; e-- > 0;) {
        earlier(o, e, &early, &late);
        link[--first[early]] = e;
    }
}

/// Columns and blocks in order of elimination; returns the number of values.
static size_t place_blocks(layout* o)
{
    const uint32_t *node = o->tree->node.data, *first = o->first.data, *link = o->link.data;
    kai_ldl_column* columns = o->ldl->columns.data;
    size_t place = 0;
    for (uint32_t c = 0; c < o->ldl->node_count; c++) {
        const kai_ldl_node* n = &o->nodes[node[c]];
        columns[c] = (kai_ldl_column){.node = node[c],
                                      .diagonal = (uint32_t)place,
                                      .rows = n->rows,
                                      .constraint = n->constraint};
        place += (size_t)n->rows * KAI_LDL_WIDTH;
        for (uint32_t k = first[c]; k < first[c + 1]; k++) {
            ((uint32_t*)o->ldl->edge_at.data)[link[k]] = (uint32_t)place;
            place += (size_t)n->rows * KAI_LDL_WIDTH;
        }
    }
    return place;
}

// Fronts -----------------------------------------------------------------------------------------

/// Local numbers for the columns of a front, and what the front is made of.
static kai_result number_rows(layout* o, uint32_t index)
{
    kai_ldl_fronts* f = &o->ldl->fronts;
    kai_memory* m = o->ldl->memory;
    kai_ldl_front* front = (kai_ldl_front*)f->fronts.data + index;
    const uint32_t *first = o->tree->first.data, *below = o->tree->below.data,
                   *below_first = o->tree->below_first.data, *first_row = o->ldl->first_row.data;
    const kai_ldl_column* columns = o->ldl->columns.data;
    uint32_t* local = o->local.data;
    front->row = (uint32_t)f->rows.count;
    front->pivot = (uint32_t)f->owner.count;
    for (uint32_t c = first[index]; c < first[index + 1]; c++) {
        local[c] = front->pivots;
        front->constraints |= columns[c].constraint;
        for (uint32_t r = 0; r < columns[c].rows; r++, front->pivots++) {
            const uint32_t row = first_row[columns[c].node] + r;
            KAI_TRY(kai_array_append(&f->rows, m, &row, 1, o->err));
            KAI_TRY(kai_array_append(&f->owner, m, &columns[c].node, 1, o->err));
            KAI_TRY(kai_array_append(&f->constraint, m, &columns[c].constraint, 1, o->err));
        }
    }
    front->pivot_strips = (front->pivots + S - 1) / S;
    for (uint32_t k = below_first[index]; k < below_first[index + 1]; k++) {
        const kai_ldl_column* column = &columns[below[k]];
        local[below[k]] = S * front->pivot_strips + front->rows;
        front->constraints |= column->constraint;
        for (uint32_t r = 0; r < column->rows; r++, front->rows++) {
            const uint32_t row = first_row[column->node] + r;
            KAI_TRY(kai_array_append(&f->rows, m, &row, 1, o->err));
        }
    }
    front->strips = front->pivot_strips + (front->rows + S - 1) / S;
    return KAI_OK;
}

/// The blocks of the matrix that a front takes.
static kai_result list_pieces(layout* o, uint32_t index)
{
    kai_ldl_fronts* f = &o->ldl->fronts;
    kai_ldl_front* front = (kai_ldl_front*)f->fronts.data + index;
    const uint32_t *first = o->tree->first.data, *link_first = o->first.data, *link = o->link.data,
                   *local = o->local.data, *edge_at = o->ldl->edge_at.data;
    const kai_ldl_column* columns = o->ldl->columns.data;
    front->piece = (uint32_t)f->pieces.count;
    for (uint32_t c = first[index]; c < first[index + 1]; c++) {
        kai_ldl_piece piece = {.from = columns[c].diagonal,
                               .column = local[c],
                               .row = local[c],
                               .rows = columns[c].rows,
                               .across = columns[c].rows,
                               .diagonal = true};
        KAI_TRY(kai_array_append(&f->pieces, o->ldl->memory, &piece, 1, o->err));
        piece.diagonal = false;
        for (uint32_t k = link_first[c]; k < link_first[c + 1]; k++) {
            uint32_t early, late;
            earlier(o, link[k], &early, &late);
            piece.from = edge_at[link[k]];
            piece.row = local[late];
            piece.across = columns[late].rows;
            KAI_TRY(kai_array_append(&f->pieces, o->ldl->memory, &piece, 1, o->err));
        }
    }
    front->piece_count = (uint32_t)f->pieces.count - front->piece;
    return KAI_OK;
}

/// Where the rows below the children of a front lie in it.
static kai_result list_runs(layout* o, uint32_t index)
{
    kai_ldl_fronts* f = &o->ldl->fronts;
    kai_ldl_front* fronts = f->fronts.data;
    const uint32_t *below = o->tree->below.data, *below_first = o->tree->below_first.data,
                   *local = o->local.data;
    const kai_ldl_column* columns = o->ldl->columns.data;
    for (uint32_t c = fronts[index].child; c != NONE; c = fronts[c].next) {
        fronts[c].run = (uint32_t)f->runs.count;
        kai_ldl_run run = {0};
        for (uint32_t k = below_first[c]; k < below_first[c + 1]; k++) {
            const uint32_t to = local[below[k]], rows = columns[below[k]].rows;
            if (run.count > 0 && to != run.to + run.count) {
                KAI_TRY(kai_array_append(&f->runs, o->ldl->memory, &run, 1, o->err));
                run.from += run.count;
                run.count = 0;
            }
            if (run.count == 0) run.to = to;
            run.count += rows;
        }
        if (run.count > 0) KAI_TRY(kai_array_append(&f->runs, o->ldl->memory, &run, 1, o->err));
        fronts[c].run_count = (uint32_t)f->runs.count - fronts[c].run;
    }
    return KAI_OK;
}

static kai_result make_fronts(layout* o)
{
    kai_ldl_fronts* f = &o->ldl->fronts;
    const uint32_t* parent = o->tree->parent.data;
    const uint32_t count = (uint32_t)o->tree->parent.count;
    KAI_TRY(kai_array_resize(&f->fronts, o->ldl->memory, count, o->err));
    kai_ldl_front* fronts = f->fronts.data;
    for (uint32_t i = 0; i < count; i++)
        fronts[i] = (kai_ldl_front){.parent = parent[i], .child = NONE, .next = NONE};
    for (uint32_t i = count; i-- > 0;) {
        if (parent[i] == NONE) continue;
        fronts[i].next = fronts[parent[i]].child;
        fronts[parent[i]].child = i;
    }
    f->pieces.count = f->runs.count = f->rows.count = f->owner.count = f->constraint.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        KAI_TRY(number_rows(o, i));
        KAI_TRY(list_pieces(o, i));
        KAI_TRY(list_runs(o, i));
        fronts[i].cost += kai_ldl_tree_cost(fronts[i].pivots, fronts[i].rows);
        if (parent[i] != NONE) fronts[parent[i]].cost += fronts[i].cost;
    }
    return KAI_OK;
}

// Tasks and memory -------------------------------------------------------------------------------

static int dearest(const void* a, const void* b)
{
    const kai_ldl_task *x = a, *y = b;
    if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/// Says of every front who does it.
static void assign_parts(kai_ldl_fronts* f)
{
    kai_ldl_front* fronts = f->fronts.data;
    double total = 0.0;
    for (size_t i = 0; i < f->fronts.count; i++)
        if (fronts[i].parent == NONE) total += fronts[i].cost;
    const double task = fmax(SHARE * total, LEAST_TASK), top = fmax(SHARE * total, LEAST_TOP);
    for (size_t i = 0; i < f->fronts.count; i++) {
        kai_ldl_front* front = &fronts[i];
        const double own = kai_ldl_tree_cost(front->pivots, front->rows);
        if (front->part == KAI_LDL_TASK && front->cost > task) front->part = KAI_LDL_MIDDLE;
        if (front->cost > task && own > top) front->part = KAI_LDL_TOP;
        // What is above the top is on top too.
        if (front->part == KAI_LDL_TOP && front->parent != NONE)
            fronts[front->parent].part = KAI_LDL_TOP;
    }
}

/// Runs of subtrees below parts from `above` on, each run at most that dear unless it is one
/// subtree.
static kai_result cut_tasks(kai_ldl* ldl, kai_ldl_part above, double most, kai_array* tasks,
                            kai_error* err)
{
    const kai_ldl_front* fronts = ldl->fronts.fronts.data;
    kai_ldl_task task = {0};
    tasks->count = 0;
    for (uint32_t i = 0; i < ldl->fronts.fronts.count; i++) {
        const bool high = fronts[i].part >= above;
        const bool root =
            !high && (fronts[i].parent == NONE || fronts[fronts[i].parent].part >= above);
        if (!high && !root) continue;
        if (task.end > task.begin && (high || task.cost + fronts[i].cost > most)) {
            KAI_TRY(kai_array_append(tasks, ldl->memory, &task, 1, err));
            task = (kai_ldl_task){task.end, task.end, 0.0};
        }
        if (high) task.begin = i + 1;
        if (root) task.cost += fronts[i].cost;
        task.end = i + 1;
    }
    if (task.end > task.begin) KAI_TRY(kai_array_append(tasks, ldl->memory, &task, 1, err));
    if (tasks->count > 1) qsort(tasks->data, tasks->count, sizeof task, dearest);
    return KAI_OK;
}

static kai_result cut_tree(kai_ldl* ldl, kai_error* err)
{
    kai_ldl_fronts* f = &ldl->fronts;
    assign_parts(f);
    const kai_ldl_front* fronts = f->fronts.data;
    f->top.count = 0;
    for (uint32_t i = 0; i < f->fronts.count; i++)
        if (fronts[i].part == KAI_LDL_TOP)
            KAI_TRY(kai_array_append(&f->top, ldl->memory, &i, 1, err));
    KAI_TRY(kai_array_resize(&f->pending, ldl->memory, f->fronts.count, err));
    KAI_TRY(cut_tasks(ldl, KAI_LDL_MIDDLE, LEAST_TASK, &f->tasks, err));
    return cut_tasks(ldl, KAI_LDL_TOP, LEAST_TASK, &f->branches, err);
}

/// Two stacks and a panel for some fronts that go one after the other.
typedef struct region {
    size_t height[2], most[2]; // of the stacks
    size_t panel;
} region;

static size_t panel_size(const kai_ldl_front* front)
{
    const size_t rows = (size_t)front->strips * S;
    return rows * front->pivot_strips * S + rows * KAI_LDL_PANEL + rows;
}

/// Puts U of a front on the stack of its parity, and takes those of its children of the same part
/// off the other.
static void stack_front(kai_ldl_front* fronts, uint32_t i, const uint8_t* parity, region* g)
{
    const size_t rows = (size_t)(fronts[i].strips - fronts[i].pivot_strips) * S;
    const int mine = parity[i];
    fronts[i].update = g->height[mine];
    g->height[mine] += rows * rows + rows;
    if (g->height[mine] > g->most[mine]) g->most[mine] = g->height[mine];
    for (uint32_t c = fronts[i].child; c != NONE; c = fronts[c].next)
        if (fronts[c].part == fronts[i].part && fronts[c].update < g->height[!mine])
            g->height[!mine] = fronts[c].update;
    const size_t panel = panel_size(&fronts[i]);
    if (panel > g->panel) g->panel = panel;
}

static void settle_front(kai_ldl_front* front, int parity, const region* g, size_t place)
{
    front->update += place + g->panel + (parity ? g->most[0] : 0);
    front->scratch = place;
}

static size_t region_size(const region* g) { return g->panel + g->most[0] + g->most[1]; }

/// Places in `work` for every front; returns its size.
static size_t place_fronts(kai_ldl_fronts* f, const uint8_t* parity)
{
    kai_ldl_front* fronts = f->fronts.data;
    const uint32_t* top = f->top.data;
    size_t place = 0;
    for (size_t t = 0; t < f->tasks.count; t++) {
        const kai_ldl_task* task = (const kai_ldl_task*)f->tasks.data + t;
        region g = {0};
        for (uint32_t i = task->begin; i < task->end; i++) stack_front(fronts, i, parity, &g);
        for (uint32_t i = task->begin; i < task->end; i++)
            settle_front(&fronts[i], parity[i], &g, place);
        place += region_size(&g);
    }
    for (uint32_t i = 0; i < f->fronts.count; i++) {
        if (fronts[i].part != KAI_LDL_MIDDLE) continue;
        region g = {0};
        const size_t rows = (size_t)(fronts[i].strips - fronts[i].pivot_strips) * S;
        g.panel = panel_size(&fronts[i]);
        g.most[0] = rows * rows + rows;
        fronts[i].update = 0;
        settle_front(&fronts[i], 0, &g, place);
        place += region_size(&g);
    }
    region g = {0};
    for (size_t k = 0; k < f->top.count; k++) stack_front(fronts, top[k], parity, &g);
    for (size_t k = 0; k < f->top.count; k++)
        settle_front(&fronts[top[k]], parity[top[k]], &g, place);
    return place + region_size(&g);
}

static kai_result place_updates(kai_ldl* ldl, kai_error* err)
{
    kai_ldl_fronts* f = &ldl->fronts;
    const kai_ldl_front* fronts = f->fronts.data;
    kai_array parities = kai_array_make(sizeof(uint8_t));
    KAI_TRY(kai_array_resize(&parities, ldl->memory, f->fronts.count, err));
    uint8_t* parity = parities.data;
    for (size_t i = f->fronts.count; i-- > 0;)
        if (fronts[i].parent != NONE) parity[i] = !parity[fronts[i].parent];
    const size_t size = place_fronts(f, parity);
    kai_array_free(&parities, ldl->memory);
    ldl->numbers = size;
    for (size_t i = 0; i < f->fronts.count; i++)
        ldl->numbers += (size_t)fronts[i].strips * S * fronts[i].pivots;
    if (ldl->limit > 0 && ldl->numbers > ldl->limit)
        return kai_error_set(err, KAI_ERROR_LIMIT, "the factors need more than %zu numbers",
                             ldl->limit);
    return kai_array_resize(&f->work, ldl->memory, size, err);
}

static kai_result place_factors(kai_ldl* ldl, kai_error* err)
{
    kai_ldl_fronts* f = &ldl->fronts;
    kai_ldl_front* fronts = f->fronts.data;
    size_t l = 0, inverse = 0, vector = 0;
    for (size_t i = 0; i < f->fronts.count; i++) {
        fronts[i].l = l;
        fronts[i].inverse = inverse;
        fronts[i].vector = vector;
        l += (size_t)fronts[i].strips * S * fronts[i].pivots;
        inverse += (size_t)fronts[i].pivot_strips * S;
        vector += (size_t)fronts[i].strips * S;
    }
    KAI_TRY(kai_array_resize(&f->l, ldl->memory, l, err));
    KAI_TRY(kai_array_resize(&f->inverse, ldl->memory, inverse, err));
    return kai_array_resize(&f->vector, ldl->memory, vector, err);
}

kai_result kai_ldl_fronts_lay_out(kai_ldl* ldl, const kai_ldl_tree* tree, const kai_ldl_node* nodes,
                                  const kai_ldl_edge* edges, kai_error* err)
{
    const kai_array empty = kai_array_make(sizeof(uint32_t));
    const uint32_t* node = tree->node.data;
    layout o = {.ldl = ldl,
                .tree = tree,
                .nodes = nodes,
                .edges = edges,
                .err = err,
                .first = empty,
                .link = empty,
                .local = empty};
    kai_result r = kai_array_resize(&o.first, ldl->memory, ldl->node_count + 1, err);
    if (r == KAI_OK) r = kai_array_resize(&o.link, ldl->memory, ldl->edge_count, err);
    if (r == KAI_OK) r = kai_array_resize(&o.local, ldl->memory, ldl->node_count, err);
    for (uint32_t c = 0; r == KAI_OK && c < ldl->node_count; c++)
        ((uint32_t*)ldl->column_of.data)[node[c]] = c;
    size_t values = 0;
    if (r == KAI_OK) {
        sort_edges(&o);
        values = place_blocks(&o);
        if (values >= UINT32_MAX)
            r = kai_error_set(err, KAI_ERROR_LIMIT, "the matrix needs %zu numbers; at most %u",
                              values, UINT32_MAX);
    }
    if (r == KAI_OK) r = kai_array_resize(&ldl->values, ldl->memory, values, err);
    if (r == KAI_OK) r = make_fronts(&o);
    if (r == KAI_OK) r = cut_tree(ldl, err);
    if (r == KAI_OK) r = place_updates(ldl, err);
    if (r == KAI_OK) r = kai_stop_check(ldl->stop, err); // each takes long where memory is cleared
    if (r == KAI_OK) r = place_factors(ldl, err);
    kai_array_free(&o.first, ldl->memory);
    kai_array_free(&o.link, ldl->memory);
    kai_array_free(&o.local, ldl->memory);
    return r;
}
