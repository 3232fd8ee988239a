// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/ldl.h"

#include "base/simd.h"
#include "base/stop.h"
#include "solve/ldl_dissect.h"
#include "solve/ldl_order.h"
#include "solve/ldl_small.h"
#include "solve/ldl_tree.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { W = KAI_LDL_WIDTH };

// Fronts pay where columns are long: from this many nodes, and products a block.
enum { NODES = 200, FULL = 8 };
enum { FLAT = 4000 }; // products per node up to which the order of mechanisms is tried on meshes

void kai_ldl_init(kai_ldl* ldl, kai_memory* memory)
{
    memset(ldl, 0, sizeof *ldl);
    ldl->memory = memory;
    ldl->columns = kai_array_make(sizeof(kai_ldl_column));
    ldl->reach = kai_array_make(sizeof(kai_ldl_reach));
    ldl->updates = kai_array_make(sizeof(uint32_t));
    ldl->column_of = kai_array_make(sizeof(uint32_t));
    ldl->edge_at = kai_array_make(sizeof(uint32_t));
    ldl->edge_flip = kai_array_make(sizeof(bool));
    ldl->first_row = kai_array_make(sizeof(uint32_t));
    ldl->values = kai_array_make(sizeof(double));
    ldl->scale = kai_array_make(sizeof(double));
    ldl->inverse = kai_array_make(sizeof(double));
    ldl->chunks = kai_array_make(sizeof(uint32_t));
    ldl->fill = kai_array_make(sizeof(kai_ldl_fill));
    ldl->idle = kai_array_make(sizeof(bool));
    ldl->turned = kai_array_make(sizeof(double));
    kai_ldl_fronts_init(&ldl->fronts);
}

void kai_ldl_free(kai_ldl* ldl)
{
    kai_array* all[] = {&ldl->columns, &ldl->reach,     &ldl->updates,   &ldl->column_of,
                        &ldl->edge_at, &ldl->edge_flip, &ldl->first_row, &ldl->values,
                        &ldl->scale,   &ldl->inverse,   &ldl->chunks,    &ldl->fill,
                        &ldl->idle,    &ldl->turned};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], ldl->memory);
    kai_ldl_fronts_free(&ldl->fronts, ldl->memory);
}

// Layout -----------------------------------------------------------------------------------------

static int by_column(const void* a, const void* b)
{
    const uint32_t x = ((const kai_ldl_reach*)a)->column, y = ((const kai_ldl_reach*)b)->column;
    return (x > y) - (x < y);
}

/// Room for what both layouts have, and the first row of every node.
static kai_result resize_all(kai_ldl* ldl, const kai_ldl_node* nodes, uint32_t count,
                             uint32_t edges, kai_error* err)
{
    kai_memory* m = ldl->memory;
    KAI_TRY(kai_array_resize(&ldl->columns, m, count, err));
    KAI_TRY(kai_array_resize(&ldl->column_of, m, count, err));
    KAI_TRY(kai_array_resize(&ldl->idle, m, count, err));
    KAI_TRY(kai_array_resize(&ldl->first_row, m, count + 1, err));
    KAI_TRY(kai_array_resize(&ldl->edge_at, m, edges, err));
    KAI_TRY(kai_array_resize(&ldl->edge_flip, m, edges, err));
    uint32_t row = 0, *first_row = ldl->first_row.data;
    for (uint32_t i = 0; i < count; i++) {
        first_row[i] = row;
        row += nodes[i].rows;
    }
    first_row[count] = row;
    KAI_TRY(kai_array_resize(&ldl->scale, m, row, err));
    return kai_array_resize(&ldl->inverse, m, row, err);
}

/// Columns with their blocks, in order of elimination, so that a factorisation streams through
/// `values`. Returns the number of values.
static size_t lay_out(kai_ldl* ldl, const kai_ldl_order* order, const kai_ldl_node* nodes,
                      uint32_t count)
{
    const uint32_t *node = order->node.data, *first = order->first.data, *reach = order->reach.data;
    kai_ldl_column* columns = ldl->columns.data;
    kai_ldl_reach* out = ldl->reach.data;
    uint32_t* column_of = ldl->column_of.data;
    for (uint32_t i = 0; i < count; i++) column_of[node[i]] = i;
    size_t place = 0;
    for (uint32_t c = 0; c < count; c++) {
        const kai_ldl_node* n = &nodes[node[c]];
        columns[c] = (kai_ldl_column){.node = node[c],
                                      .first = first[c],
                                      .count = first[c + 1] - first[c],
                                      .diagonal = (uint32_t)place,
                                      .rows = n->rows,
                                      .constraint = n->constraint};
        place += (size_t)n->rows * W;
        for (uint32_t k = first[c]; k < first[c + 1]; k++) out[k].column = column_of[reach[k]];
        if (columns[c].count > 1) qsort(&out[first[c]], columns[c].count, sizeof *out, by_column);
        for (uint32_t k = first[c]; k < first[c + 1]; k++) {
            out[k].block = (uint32_t)place;
            place += (size_t)n->rows * W;
        }
    }
    return place;
}

/// Offset of the block that couples an earlier and a later column.
static uint32_t block_of(const kai_ldl* ldl, uint32_t early, uint32_t late)
{
    const kai_ldl_column* c = (const kai_ldl_column*)ldl->columns.data + early;
    const kai_ldl_reach* reach = (const kai_ldl_reach*)ldl->reach.data + c->first;
    uint32_t low = 0, high = c->count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (reach[middle].column <= late)
            low = middle;
        else
            high = middle;
    }
    KAI_ASSERT(reach[low].column == late);
    return reach[low].block;
}

/// Where each product of two blocks of a column goes.
static kai_result list_updates(kai_ldl* ldl, kai_error* err)
{
    kai_ldl_column* columns = ldl->columns.data;
    ldl->updates.count = 0;
    for (uint32_t c = 0; c < ldl->node_count; c++) {
        columns[c].update = (uint32_t)ldl->updates.count;
        const kai_ldl_reach* reach = (const kai_ldl_reach*)ldl->reach.data + columns[c].first;
        for (uint32_t i = 0; i < columns[c].count; i++) {
            for (uint32_t j = i; j < columns[c].count; j++) {
                const uint32_t target = i == j ? columns[reach[i].column].diagonal
                                               : block_of(ldl, reach[i].column, reach[j].column);
                KAI_TRY(kai_array_append(&ldl->updates, ldl->memory, &target, 1, err));
            }
        }
    }
    return KAI_OK;
}

static kai_result place_edges(kai_ldl* ldl, const kai_ldl_edge* edges, kai_error* err)
{
    const uint32_t* column_of = ldl->column_of.data;
    kai_array given = kai_array_make(sizeof(bool)); // by offset in rows: blocks that an edge fills
    KAI_TRY(kai_array_resize(&given, ldl->memory, ldl->values.count / W, err));
    for (uint32_t e = 0; e < ldl->edge_count; e++) {
        const uint32_t a = column_of[edges[e].a], b = column_of[edges[e].b];
        const uint32_t at = a < b ? block_of(ldl, a, b) : block_of(ldl, b, a);
        ((bool*)ldl->edge_flip.data)[e] = a > b; // the rows of the earlier column go down
        ((uint32_t*)ldl->edge_at.data)[e] = at;
        ((bool*)given.data)[at / W] = true;
    }
    kai_ldl_column* columns = ldl->columns.data;
    const kai_ldl_reach* reach = ldl->reach.data;
    kai_result r = KAI_OK;
    ldl->fill.count = 0;
    for (uint32_t c = 0; r == KAI_OK && c < ldl->node_count; c++) {
        columns[c].fill = (uint32_t)ldl->fill.count;
        for (uint32_t k = columns[c].first; r == KAI_OK && k < columns[c].first + columns[c].count;
             k++) {
            const kai_ldl_fill fill = {reach[k].block, columns[c].rows};
            if (!((const bool*)given.data)[fill.block / W])
                r = kai_array_append(&ldl->fill, ldl->memory, &fill, 1, err);
        }
    }
    kai_array_free(&given, ldl->memory);
    return r;
}

/// Node by node: the layout of small systems.
static kai_result lay_out_columns(kai_ldl* ldl, const kai_ldl_order* order,
                                  const kai_ldl_node* nodes, const kai_ldl_edge* edges,
                                  kai_error* err)
{
    KAI_TRY(kai_array_resize(&ldl->reach, ldl->memory, order->reach.count, err));
    const size_t values = lay_out(ldl, order, nodes, ldl->node_count);
    if (values >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "the factors need %zu numbers; at most %u",
                             values, UINT32_MAX);
    KAI_TRY(kai_array_resize(&ldl->values, ldl->memory, values, err));
    KAI_TRY(list_updates(ldl, err));
    KAI_TRY(place_edges(ldl, edges, err));
    ldl->numbers = values;
    return kai_array_append(&ldl->chunks, ldl->memory, order->chunks.data, order->chunks.count,
                            err);
}

/// Fronts: the layout of large ones. All of it is one chunk.
static kai_result lay_out_fronts(kai_ldl* ldl, const kai_ldl_tree* tree, const kai_ldl_node* nodes,
                                 const kai_ldl_edge* edges, kai_error* err)
{
    KAI_TRY(kai_ldl_fronts_lay_out(ldl, tree, nodes, edges, err));
    ldl->reach.count = ldl->updates.count = ldl->fill.count = 0;
    return kai_array_append(&ldl->chunks, ldl->memory, NULL, 1, err);
}

/// By least degree: columns, or fronts where columns are long.
static kai_result analyze_any(kai_ldl* ldl, const kai_ldl_node* nodes, const kai_ldl_edge* edges,
                              kai_error* err)
{
    kai_ldl_order order = {.limit = ldl->limit, .work = ldl->work};
    kai_ldl_tree tree;
    KAI_TRY(kai_ldl_order_find(&order, ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count,
                               err));
    const uint32_t* first = order.first.data;
    ldl->reached = order.reach.count;
    ldl->products = 0;
    for (uint32_t c = 0; c < ldl->node_count; c++) {
        const size_t count = first[c + 1] - first[c];
        ldl->products += count * (count + 1) / 2;
    }
    kai_result r;
    if (ldl->node_count < NODES || ldl->products <= FULL * ldl->reached) {
        r = lay_out_columns(ldl, &order, nodes, edges, err);
    } else {
        r = kai_ldl_tree_find(&tree, ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count,
                              order.node.data, ldl->limit, ldl->work, err);
        if (r == KAI_OK) {
            r = lay_out_fronts(ldl, &tree, nodes, edges, err);
            kai_ldl_tree_free(&tree, ldl->memory);
        }
    }
    kai_ldl_order_free(&order, ldl->memory);
    return r;
}

/// Meshes have more edges than mechanisms: these are trees with some loops.
static bool is_mesh(const kai_ldl* ldl)
{
    return ldl->node_count >= NODES &&
           2 * (uint64_t)ldl->edge_count >= 3 * (uint64_t)ldl->node_count;
}

/// The tree of an order by dissection.
static kai_result find_mesh_tree(kai_ldl* ldl, const kai_ldl_node* nodes, const kai_ldl_edge* edges,
                                 kai_ldl_tree* tree, kai_error* err)
{
    kai_array order = kai_array_make(sizeof(uint32_t));
    kai_result r = kai_array_resize(&order, ldl->memory, ldl->node_count, err);
    if (r == KAI_OK)
        r = kai_ldl_dissect(ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count, ldl->limit,
                            ldl->work, ldl->stop, order.data, err);
    if (r == KAI_OK) r = kai_stop_check(ldl->stop, err);
    if (r == KAI_OK)
        r = kai_ldl_tree_find(tree, ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count,
                              order.data, ldl->limit, ldl->work, err);
    kai_array_free(&order, ldl->memory);
    return r;
}

/// The tree of the order that mechanisms get, which lets joints go earlier. Finding it costs as
/// much as its products: only where there are joints and few products.
static kai_result find_joint_tree(kai_ldl* ldl, const kai_ldl_node* nodes,
                                  const kai_ldl_edge* edges, size_t work, kai_ldl_tree* tree)
{
    kai_ldl_order order = {.limit = ldl->limit, .work = work};
    bool joints = false;
    for (uint32_t i = 0; i < ldl->node_count; i++) joints |= nodes[i].constraint;
    if (!joints || work > (size_t)FLAT * ldl->node_count) return KAI_ERROR_LIMIT;
    KAI_TRY(kai_ldl_order_find(&order, ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count,
                               NULL));
    const kai_result r =
        kai_ldl_tree_find(tree, ldl->memory, nodes, ldl->node_count, edges, ldl->edge_count,
                          order.node.data, ldl->limit, ldl->work, NULL);
    kai_ldl_order_free(&order, ldl->memory);
    return r;
}

/// By dissection, or in the order of mechanisms where that turns out cheaper.
static kai_result analyze_mesh(kai_ldl* ldl, const kai_ldl_node* nodes, const kai_ldl_edge* edges,
                               kai_error* err)
{
    kai_ldl_tree tree, other;
    KAI_TRY(find_mesh_tree(ldl, nodes, edges, &tree, err));
    if (find_joint_tree(ldl, nodes, edges, 4 * tree.products, &other) == KAI_OK) {
        const bool cheaper = other.cost < tree.cost;
        kai_ldl_tree_free(cheaper ? &tree : &other, ldl->memory);
        if (cheaper) tree = other;
    }
    ldl->reached = tree.reached;
    ldl->products = tree.products;
    kai_result r = kai_stop_check(ldl->stop, err);
    if (r == KAI_OK) r = lay_out_fronts(ldl, &tree, nodes, edges, err);
    kai_ldl_tree_free(&tree, ldl->memory);
    return r;
}

kai_result kai_ldl_analyze(kai_ldl* ldl, const kai_ldl_node* nodes, uint32_t node_count,
                           const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err)
{
    KAI_TRY(kai_ldl_order_check(nodes, node_count, edges, edge_count, err));
    ldl->node_count = node_count;
    ldl->edge_count = edge_count;
    ldl->fronts.fronts.count = ldl->chunks.count = 0;
    KAI_TRY(resize_all(ldl, nodes, node_count, edge_count, err));
    KAI_TRY(is_mesh(ldl) ? analyze_mesh(ldl, nodes, edges, err)
                         : analyze_any(ldl, nodes, edges, err));
    if (ldl->values.count > 0) memset(ldl->values.data, 0, ldl->values.count * sizeof(double));
    return kai_ldl_small_lay(ldl, err);
}

// Filling ----------------------------------------------------------------------------------------

static void clear_range(size_t begin, size_t end, void* context)
{
    const kai_ldl* ldl = context;
    const kai_ldl_column* columns = ldl->columns.data;
    const kai_ldl_fill* fill = ldl->fill.data;
    const uint32_t* first_row = ldl->first_row.data;
    double *values = ldl->values.data, *scale = ldl->scale.data;
    memset((bool*)ldl->idle.data + begin, 0, (end - begin) * sizeof(bool));
    for (size_t c = begin; c < end; c++) {
        memset(values + columns[c].diagonal, 0, columns[c].rows * W * sizeof *values);
        memset(scale + first_row[columns[c].node], 0, columns[c].rows * sizeof *scale);
        const size_t last = c + 1 < ldl->node_count ? columns[c + 1].fill : ldl->fill.count;
        for (size_t i = columns[c].fill; i < last; i++)
            memset(values + fill[i].block, 0, fill[i].rows * W * sizeof *values);
    }
}

void kai_ldl_chunk_clear(kai_ldl* ldl, uint32_t begin, uint32_t end)
{
    clear_range(begin, end, ldl);
}

void kai_ldl_clear(kai_ldl* ldl, int threads)
{
    kai_parallel_for(threads, ldl->node_count, 256, clear_range, ldl);
}

double* kai_ldl_diagonal(const kai_ldl* ldl, uint32_t node)
{
    const uint32_t column = ((const uint32_t*)ldl->column_of.data)[node];
    return (double*)ldl->values.data + ((const kai_ldl_column*)ldl->columns.data)[column].diagonal;
}

double* kai_ldl_block(const kai_ldl* ldl, uint32_t edge, bool* flipped)
{
    *flipped = ((const bool*)ldl->edge_flip.data)[edge];
    return (double*)ldl->values.data + ((const uint32_t*)ldl->edge_at.data)[edge];
}

bool kai_ldl_set_idle(kai_ldl* ldl, uint32_t node)
{
    if (ldl->fronts.fronts.count > 0) return false;
    ((bool*)ldl->idle.data)[((const uint32_t*)ldl->column_of.data)[node]] = true;
    return true;
}

// Numbers ----------------------------------------------------------------------------------------
// For an eliminated node k: D[p][c] = L[c][p] for c > p, with 1/d_p in `inverse`; its blocks become
// B := L⁻¹ B (rows of k down), and a later block (i, j) loses B_iᵀ d⁻¹ B_j. Kernels take the number
// of rows as a constant where it is common: the compiler then unrolls the outer loops; the inner
// ones run across a cache line.

/// a -= s · b across a row.
KAI_INLINE void row_sub(double* restrict a, double s, const double* restrict b)
{
#pragma omp simd simdlen(8)
    for (int c = 0; c < W; c++) a[c] -= s * b[c];
}

/// to := a - s · b
KAI_INLINE void row_less(double* restrict to, const double* restrict a, double s,
                         const double* restrict b)
{
#pragma omp simd simdlen(8)
    for (int c = 0; c < W; c++) to[c] = a[c] - s * b[c];
}

/// a -= Σ s[p W] · b[p W …] over `n` rows of b. The sum stays in registers; to copy the row first, and
/// back at last, would make GCC 12 move it in pieces of 16 bytes, and the vectors wait for those.
KAI_INLINE void rows_sub(int n, double* restrict a, const double* restrict s,
                         const double* restrict b)
{
    if (n == 1) {
        row_sub(a, s[0], b);
        return;
    }
    double sum[W];
    row_less(sum, a, s[0], b);
    for (int p = 1; p < n - 1; p++) row_sub(sum, s[p * W], b + p * W);
    row_less(a, sum, s[(n - 1) * W], b + (n - 1) * W);
}

/// Eliminates inside a diagonal block. Constraints: d < 0, and a pivot that vanished is left out.
KAI_INLINE bool factor_diagonal(int n, double* restrict d, double* restrict inverse,
                                const double* restrict scale, bool constraint, double tolerance,
                                uint32_t* redundant)
{
    for (int k = 0; k < n; k++) {
        const double pivot = d[k * W + k];
        if (!isfinite(pivot) || (!constraint && !(pivot > 0.0))) return false;
        const bool vanished = constraint && !(-pivot > tolerance * scale[k]);
        *redundant += vanished;
        inverse[k] = vanished ? 0.0 : 1.0 / pivot;
        for (int r = k + 1; r < n; r++) row_sub(d + r * W, d[k * W + r] * inverse[k], d + k * W);
    }
    for (int k = 0; k < n; k++) {
#pragma omp simd simdlen(8)
        for (int c = 0; c < W; c++) d[k * W + c] *= inverse[k];
    }
    return true;
}

/// B := L⁻¹ B
KAI_INLINE void solve_block(int n, double* restrict b, const double* restrict d)
{
    for (int c = 1; c < n; c++) rows_sub(c, b + c * W, d + c, b);
}

/// T -= Aᵀ d⁻¹ B, where T has `m` rows.
KAI_INLINE void subtract_product(int m, int n, double* restrict t, const double* restrict scaled,
                                 const double* restrict b)
{
    for (int r = 0; r < m; r++) rows_sub(n, t + r * W, scaled + r, b);
}

/// Notes what a product adds to the pivots of a constraint, so that what is left can be judged.
KAI_INLINE void note_scale(int m, int n, const double* restrict b, const double* restrict scaled,
                           double* restrict scale)
{
    double sum[W] = {0};
    for (int p = 0; p < n; p++) {
#pragma omp simd simdlen(8)
        for (int c = 0; c < W; c++) sum[c] += b[p * W + c] * scaled[p * W + c];
    }
    for (int r = 0; r < m; r++) scale[r] += fabs(sum[r]);
}

/// One column: its diagonal, its blocks, and what they do to later columns.
KAI_INLINE bool factor_column(kai_ldl* ldl, const kai_ldl_column* column, int n, double tolerance,
                              uint32_t* redundant)
{
    const kai_ldl_column* columns = ldl->columns.data;
    const kai_ldl_reach* reach = (const kai_ldl_reach*)ldl->reach.data + column->first;
    const uint32_t *first_row = ldl->first_row.data,
                   *target = (const uint32_t*)ldl->updates.data + column->update;
    const bool* idle = ldl->idle.data;
    double *values = ldl->values.data, *scale = ldl->scale.data;
    double* inverse = (double*)ldl->inverse.data + first_row[column->node];
    double* d = values + column->diagonal;
    if (!factor_diagonal(n, d, inverse, scale + first_row[column->node], column->constraint,
                         tolerance, redundant))
        return false;
    if (idle[column - columns]) return true;
    for (uint32_t i = 0; i < column->count; i++)
        if (!idle[reach[i].column]) solve_block(n, values + reach[i].block, d);
    for (uint32_t i = 0; ldl->small && i < column->count; i++)
        kai_ldl_small_turn(ldl, column->first + i, n, columns[reach[i].column].rows,
                           values + reach[i].block);
    for (uint32_t i = 0; i < column->count; target += column->count - i++) {
        if (idle[reach[i].column]) continue;
        const kai_ldl_column* late = &columns[reach[i].column];
        const double* b = values + reach[i].block;
        double scaled[W * W];
        for (int p = 0; p < n; p++)
            for (int c = 0; c < W; c++) scaled[p * W + c] = inverse[p] * b[p * W + c];
        if (late->constraint) note_scale(late->rows, n, b, scaled, scale + first_row[late->node]);
        for (uint32_t j = i; j < column->count; j++)
            if (!idle[reach[j].column])
                subtract_product(late->rows, n, values + target[j - i], scaled,
                                 values + reach[j].block);
    }
    return true;
}

/// Factorises columns [begin, end); the place of the first bad pivot, or `end`.
KAI_CLONES
static uint32_t factor_columns(kai_ldl* ldl, uint32_t begin, uint32_t end, double tolerance,
                               uint32_t* redundant)
{
    const kai_ldl_column* columns = ldl->columns.data;
    for (uint32_t c = begin; c < end; c++) {
        bool ok;
        switch (columns[c].rows) {
        case 6: ok = factor_column(ldl, &columns[c], 6, tolerance, redundant); break;
        case 5: ok = factor_column(ldl, &columns[c], 5, tolerance, redundant); break;
        case 3: ok = factor_column(ldl, &columns[c], 3, tolerance, redundant); break;
        case 1: ok = factor_column(ldl, &columns[c], 1, tolerance, redundant); break;
        default: ok = factor_column(ldl, &columns[c], columns[c].rows, tolerance, redundant); break;
        }
        if (!ok) return c;
    }
    return end;
}

void kai_ldl_chunk(const kai_ldl* ldl, size_t k, uint32_t* begin, uint32_t* end)
{
    const uint32_t* chunks = ldl->chunks.data;
    *begin = chunks[k];
    *end = k + 1 < ldl->chunks.count ? chunks[k + 1] : ldl->node_count;
}

bool kai_ldl_chunk_factor(kai_ldl* ldl, uint32_t begin, uint32_t end, double tolerance,
                          uint32_t* redundant, uint32_t* node)
{
    const uint32_t stop = factor_columns(ldl, begin, end, tolerance, redundant);
    if (stop < end) *node = ((const kai_ldl_column*)ldl->columns.data)[stop].node;
    return stop == end;
}

typedef struct factor_context {
    kai_ldl* ldl;
    double tolerance;
    atomic_uint bad;       // smallest column with a bad pivot
    atomic_uint redundant; // rows left out
} factor_context;

static void factor_range(size_t begin, size_t end, void* context)
{
    factor_context* f = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t first, last;
        kai_ldl_chunk(f->ldl, i, &first, &last);
        uint32_t redundant = 0;
        const uint32_t stop = factor_columns(f->ldl, first, last, f->tolerance, &redundant);
        if (redundant > 0) atomic_fetch_add(&f->redundant, redundant);
        unsigned seen = atomic_load(&f->bad);
        while (stop < last && stop < seen && !atomic_compare_exchange_weak(&f->bad, &seen, stop)) {}
    }
}

bool kai_ldl_factor(kai_ldl* ldl, int threads, double tolerance, uint32_t* node)
{
    if (ldl->fronts.fronts.count > 0) return kai_ldl_fronts_factor(ldl, threads, tolerance, node);
    factor_context f = {.ldl = ldl, .tolerance = tolerance, .bad = UINT32_MAX};
    kai_parallel_for(threads, ldl->chunks.count, 1, factor_range, &f);
    const uint32_t bad = atomic_load(&f.bad);
    if (bad != UINT32_MAX) {
        *node = ((const kai_ldl_column*)ldl->columns.data)[bad].node;
        return false;
    }
    ldl->redundant = atomic_load(&f.redundant);
    return true;
}

// Solution ---------------------------------------------------------------------------------------

/// x_k := L⁻¹ x_k, then x_i -= B_iᵀ d⁻¹ x_k for every later node.
KAI_INLINE void forward(const kai_ldl* ldl, const kai_ldl_column* column, int n, double* x)
{
    const kai_ldl_column* columns = ldl->columns.data;
    const kai_ldl_reach* reach = (const kai_ldl_reach*)ldl->reach.data + column->first;
    const uint32_t* first_row = ldl->first_row.data;
    const bool* idle = ldl->idle.data;
    const double* values = ldl->values.data;
    const double *d = values + column->diagonal,
                 *inverse = (const double*)ldl->inverse.data + first_row[column->node];
    // Numbers stay in locals: a vector load right after scalar stores to the same place would
    // stall.
    double *mine = x + first_row[column->node], scaled[W];
    for (int p = 0; p < n; p++) scaled[p] = mine[p];
    for (int p = 0; p < n; p++)
        for (int r = p + 1; r < n; r++) scaled[r] -= d[p * W + r] * scaled[p];
    for (int p = 0; p < n; p++) scaled[p] *= inverse[p];
    const uint32_t count = idle[column - columns] ? 0 : column->count;
    for (uint32_t i = 0; i < count; i++) {
        if (idle[reach[i].column]) continue;
        const kai_ldl_column* late = &columns[reach[i].column];
        const double* b = values + reach[i].block;
        double* other = x + first_row[late->node];
        for (int r = 0; r < late->rows; r++) {
            double dot = 0.0;
            for (int p = 0; p < n; p++) dot += b[p * W + r] * scaled[p];
            other[r] -= dot;
        }
    }
    for (int p = 0; p < n; p++) mine[p] = scaled[p];
}

/// x_k := L⁻ᵀ (x_k - d⁻¹ Σ B_i x_i)
KAI_INLINE void backward(const kai_ldl* ldl, const kai_ldl_column* column, int n, double* x)
{
    const kai_ldl_column* columns = ldl->columns.data;
    const kai_ldl_reach* reach = (const kai_ldl_reach*)ldl->reach.data + column->first;
    const uint32_t* first_row = ldl->first_row.data;
    const bool* idle = ldl->idle.data;
    const double* values = ldl->values.data;
    const double *d = values + column->diagonal,
                 *inverse = (const double*)ldl->inverse.data + first_row[column->node];
    double *mine = x + first_row[column->node], sum[W] = {0};
    const uint32_t count = idle[column - columns] ? 0 : column->count;
    for (uint32_t i = 0; i < count; i++) {
        if (idle[reach[i].column]) continue;
        const kai_ldl_column* late = &columns[reach[i].column];
        const double *b = values + reach[i].block, *other = x + first_row[late->node];
        double part[W] = {0}; // so that blocks do not wait for each other
        for (int r = 0; r < late->rows; r++)
            for (int p = 0; p < n; p++) part[p] += b[p * W + r] * other[r];
        for (int p = 0; p < n; p++) sum[p] += part[p];
    }
    // Column by column: each unknown goes to all others at once, not into one long sum.
    double y[W];
    for (int p = 0; p < n; p++) y[p] = mine[p] - inverse[p] * sum[p];
    for (int r = n - 1; r > 0; r--)
        for (int p = 0; p < r; p++) y[p] -= d[p * W + r] * y[r];
    for (int p = 0; p < n; p++) mine[p] = y[p];
}

KAI_CLONES
static void solve_large(const kai_ldl* ldl, uint32_t begin, uint32_t end, double* x)
{
    const kai_ldl_column* columns = ldl->columns.data;
    for (uint32_t c = begin; c < end; c++) {
        switch (columns[c].rows) {
        case 6: forward(ldl, &columns[c], 6, x); break;
        case 5: forward(ldl, &columns[c], 5, x); break;
        default: forward(ldl, &columns[c], columns[c].rows, x); break;
        }
    }
    for (uint32_t c = end; c-- > begin;) {
        switch (columns[c].rows) {
        case 6: backward(ldl, &columns[c], 6, x); break;
        case 5: backward(ldl, &columns[c], 5, x); break;
        default: backward(ldl, &columns[c], columns[c].rows, x); break;
        }
    }
}

void kai_ldl_chunk_solve(const kai_ldl* ldl, uint32_t begin, uint32_t end, double* x)
{
    if (ldl->small)
        kai_ldl_small_solve(ldl, begin, end, x);
    else
        solve_large(ldl, begin, end, x);
}

typedef struct solve_context {
    const kai_ldl* ldl;
    double* x;
} solve_context;

static void solve_range(size_t begin, size_t end, void* context)
{
    const solve_context* s = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t first, last;
        kai_ldl_chunk(s->ldl, i, &first, &last);
        kai_ldl_chunk_solve(s->ldl, first, last, s->x);
    }
}

void kai_ldl_solve(const kai_ldl* ldl, int threads, double* x)
{
    if (ldl->fronts.fronts.count > 0) {
        kai_ldl_fronts_solve(ldl, threads, x);
        return;
    }
    solve_context s = {ldl, x};
    kai_parallel_for(threads, ldl->chunks.count, 1, solve_range, &s);
}

bool kai_ldl_is_redundant(const kai_ldl* ldl, uint32_t node, uint32_t row)
{
    const uint32_t first = ((const uint32_t*)ldl->first_row.data)[node];
    return ((const double*)ldl->inverse.data)[first + row] == 0.0;
}
