// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/saddle.h"

#include "base/simd.h"
#include "solve/ldl_order.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { W = KAI_LDL_WIDTH };
static const size_t BLOCK = 64;       // nodes a block of work
static const double VANISHED = 1e-12; // pivots below this share of their diagonal are rounding

void kai_saddle_init(kai_saddle* saddle, kai_memory* memory)
{
    memset(saddle, 0, sizeof *saddle);
    saddle->memory = memory;
    saddle->threads = 1;
    saddle->nodes = kai_array_make(sizeof(kai_saddle_node));
    saddle->links = kai_array_make(sizeof(kai_saddle_link));
    saddle->edge_at = kai_array_make(sizeof(uint32_t));
    saddle->values = saddle->inverse = kai_array_make(sizeof(double));
}

void kai_saddle_free(kai_saddle* saddle)
{
    kai_array* all[] = {&saddle->nodes, &saddle->links, &saddle->edge_at, &saddle->values,
                        &saddle->inverse};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) kai_array_free(all[i], saddle->memory);
    saddle->node_count = saddle->edge_count = 0;
}

// Layout -----------------------------------------------------------------------------------------

static kai_result count_values(const kai_ldl_node* nodes, uint32_t node_count,
                               const kai_ldl_edge* edges, uint32_t edge_count, size_t* values,
                               size_t* diagonals, kai_error* err)
{
    *diagonals = 0;
    for (uint32_t i = 0; i < node_count; i++) *diagonals += (size_t)nodes[i].rows * W;
    *values = *diagonals;
    for (uint32_t e = 0; e < edge_count; e++) *values += (size_t)nodes[edges[e].a].rows * W;
    if (*values >= UINT32_MAX || edge_count > UINT32_MAX / 2)
        return kai_error_set(err, KAI_ERROR_LIMIT, "the matrix needs %zu numbers; at most %u",
                             *values, UINT32_MAX);
    return KAI_OK;
}

static void list_nodes(kai_saddle* saddle, const kai_ldl_node* nodes, uint32_t node_count)
{
    kai_saddle_node* out = saddle->nodes.data;
    uint32_t row = 0, place = 0;
    for (uint32_t i = 0; i <= node_count; i++) {
        out[i] = (kai_saddle_node){.row = row, .diagonal = place};
        if (i == node_count) break;
        out[i].rows = nodes[i].rows;
        out[i].constraint = nodes[i].constraint;
        row += nodes[i].rows;
        place += (uint32_t)nodes[i].rows * W;
    }
}

/// Links node by node, each in order of the edges.
static void list_links(kai_saddle* saddle, const kai_ldl_edge* edges, uint32_t edge_count)
{
    kai_saddle_node* nodes = saddle->nodes.data;
    kai_saddle_link* links = saddle->links.data;
    const uint32_t n = saddle->node_count;
    uint32_t place = nodes[n].diagonal;
    for (uint32_t e = 0; e < edge_count; e++) {
        ((uint32_t*)saddle->edge_at.data)[e] = place;
        place += (uint32_t)nodes[edges[e].a].rows * W;
        nodes[edges[e].a].first++;
        nodes[edges[e].b].first++;
    }
    // Counts become ends; filling from the back turns ends into beginnings.
    for (uint32_t i = 1; i <= n; i++) nodes[i].first += nodes[i - 1].first;
    for (uint32_t e = edge_count; e-- > 0;) {
        const uint32_t at = ((const uint32_t*)saddle->edge_at.data)[e];
        links[--nodes[edges[e].b].first] = (kai_saddle_link){edges[e].a, at, true};
        links[--nodes[edges[e].a].first] = (kai_saddle_link){edges[e].b, at, false};
    }
}

kai_result kai_saddle_analyze(kai_saddle* saddle, const kai_ldl_node* nodes, uint32_t node_count,
                              const kai_ldl_edge* edges, uint32_t edge_count, kai_error* err)
{
    kai_memory* m = saddle->memory;
    size_t values, diagonals;
    KAI_TRY(kai_ldl_order_check(nodes, node_count, edges, edge_count, err));
    KAI_TRY(count_values(nodes, node_count, edges, edge_count, &values, &diagonals, err));
    saddle->node_count = saddle->edge_count = 0;
    KAI_TRY(kai_array_resize(&saddle->nodes, m, (size_t)node_count + 1, err));
    KAI_TRY(kai_array_resize(&saddle->links, m, 2 * (size_t)edge_count, err));
    KAI_TRY(kai_array_resize(&saddle->edge_at, m, edge_count, err));
    KAI_TRY(kai_array_resize(&saddle->values, m, values, err));
    KAI_TRY(kai_array_resize(&saddle->inverse, m, diagonals, err));
    if (values > 0) memset(saddle->values.data, 0, values * sizeof(double));
    if (diagonals > 0) memset(saddle->inverse.data, 0, diagonals * sizeof(double));
    saddle->node_count = node_count;
    saddle->edge_count = edge_count;
    list_nodes(saddle, nodes, node_count);
    list_links(saddle, edges, edge_count);
    return KAI_OK;
}

// Filling ----------------------------------------------------------------------------------------

static void clear_range(size_t begin, size_t end, void* context)
{
    const kai_saddle* saddle = context;
    const kai_saddle_node* nodes = saddle->nodes.data;
    double* values = saddle->values.data;
    memset(values + nodes[begin].diagonal, 0,
           (nodes[end].diagonal - nodes[begin].diagonal) * sizeof *values);
}

void kai_saddle_clear(kai_saddle* saddle)
{
    kai_parallel_for(saddle->threads, saddle->node_count, BLOCK, clear_range, saddle);
}

double* kai_saddle_diagonal(const kai_saddle* saddle, uint32_t node)
{
    return (double*)saddle->values.data +
           ((const kai_saddle_node*)saddle->nodes.data)[node].diagonal;
}

double* kai_saddle_block(const kai_saddle* saddle, uint32_t edge, bool* flipped)
{
    *flipped = false;
    return (double*)saddle->values.data + ((const uint32_t*)saddle->edge_at.data)[edge];
}

// Products ---------------------------------------------------------------------------------------
// Every node gathers its own rows, so threads never write to the same place; a block is read from
// both ends.

typedef struct product_context {
    const kai_saddle* saddle;
    const double* x;
    double* y;
} product_context;

/// sum += B x, with `n` rows down and `m` across.
KAI_INLINE void add_product(int n, int m, const double* restrict b, const double* restrict x,
                            double* restrict sum)
{
    for (int r = 0; r < n; r++) {
        double dot = 0.0;
        for (int c = 0; c < m; c++) dot += b[r * W + c] * x[c];
        sum[r] += dot;
    }
}

/// sum += Bᵀ x, with `m` rows down. Columns beyond the block are zero.
KAI_INLINE void add_transposed(int m, const double* restrict b, const double* restrict x,
                               double* restrict sum)
{
    for (int r = 0; r < m; r++) {
        const double s = x[r];
#pragma omp simd simdlen(8)
        for (int c = 0; c < W; c++) sum[c] += s * b[r * W + c];
    }
}

/// sum += D x by the upper triangle of D.
KAI_INLINE void add_symmetric(int n, const double* restrict d, const double* restrict x,
                              double* restrict sum)
{
    for (int r = 0; r < n; r++) {
        double dot = d[r * W + r] * x[r];
        for (int c = r + 1; c < n; c++) {
            dot += d[r * W + c] * x[c];
            sum[c] += d[r * W + c] * x[r];
        }
        sum[r] += dot;
    }
}

/// y := K x for one node of `n` rows.
KAI_INLINE void apply_node(const product_context* p, const kai_saddle_node* node, int n)
{
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    const kai_saddle_link* links = p->saddle->links.data;
    const double *values = p->saddle->values.data, *x = p->x;
    // Rows across a vector apart from rows one by one: no vector load waits for scalar stores.
    double across[W] = {0}, sum[W] = {0};
    add_symmetric(n, values + node->diagonal, x + node->row, sum);
    for (uint32_t k = node->first; k < node[1].first; k++) {
        const kai_saddle_node* other = &nodes[links[k].other];
        const double *block = values + links[k].block, *from = x + other->row;
        if (links[k].transposed)
            add_transposed(other->rows, block, from, across);
        else if (other->rows == 6)
            add_product(n, 6, block, from, sum);
        else
            add_product(n, other->rows, block, from, sum);
    }
    for (int r = 0; r < n; r++) p->y[node->row + (uint32_t)r] = across[r] + sum[r];
}

KAI_CLONES
static void apply_range(size_t begin, size_t end, void* context)
{
    const product_context* p = context;
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    for (size_t i = begin; i < end; i++) {
        switch (nodes[i].rows) { // the usual numbers as constants
        case 6: apply_node(p, &nodes[i], 6); break;
        case 5: apply_node(p, &nodes[i], 5); break;
        case 3: apply_node(p, &nodes[i], 3); break;
        default: apply_node(p, &nodes[i], nodes[i].rows); break;
        }
    }
}

void kai_saddle_apply(void* saddle, const double* x, double* y)
{
    product_context p = {saddle, x, y};
    kai_parallel_for(p.saddle->threads, p.saddle->node_count, BLOCK, apply_range, &p);
}

KAI_CLONES
static void precondition_range(size_t begin, size_t end, void* context)
{
    const product_context* p = context;
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    const double* inverse = p->saddle->inverse.data;
    for (size_t i = begin; i < end; i++) {
        double sum[W] = {0};
        add_transposed(nodes[i].rows, inverse + nodes[i].diagonal, p->x + nodes[i].row, sum);
        for (int r = 0; r < nodes[i].rows; r++) p->y[nodes[i].row + (uint32_t)r] = sum[r];
    }
}

void kai_saddle_precondition(void* saddle, const double* x, double* y)
{
    product_context p = {saddle, x, y};
    kai_parallel_for(p.saddle->threads, p.saddle->node_count, BLOCK, precondition_range, &p);
}

// The preconditioner -----------------------------------------------------------------------------

/// The inverse of a symmetric block by its upper triangle, A = L D Lᵀ. A pivot that is not above
/// VANISHED · its diagonal is bad where `strict`, else replaced by the diagonal (1 where that is
/// 0), so that the inverse is positive definite. False for a bad pivot.
static bool invert(int n, const double* a, bool strict, double* inverse)
{
    double l[W][W] = {{0}}, d[W]; // l: L⁻¹ in the end
    double work[W][W];
    for (int r = 0; r < n; r++)
        for (int c = r; c < n; c++) work[r][c] = a[r * W + c];
    for (int k = 0; k < n; k++) {
        const double own = fabs(a[k * W + k]);
        d[k] = work[k][k];
        if (!isfinite(d[k]) || !isfinite(own)) return false;
        const bool vanished = !(d[k] > VANISHED * own);
        if (vanished && strict && !(d[k] > 0.0)) return false;
        l[k][k] = 1.0;
        // A row that depends on those before it stands alone.
        if (vanished && !strict) {
            d[k] = own > 0.0 ? own : 1.0;
            for (int c = 0; c < k; c++) l[k][c] = 0.0;
            for (int c = k + 1; c < n; c++) work[k][c] = 0.0;
        }
        // Rows of L⁻¹ below gain -L[r][k] times row k.
        for (int r = k + 1; r < n; r++) {
            const double s = work[k][r] / d[k];
            for (int c = r; c < n; c++) work[r][c] -= s * work[k][c];
            for (int c = 0; c <= k; c++) l[r][c] -= s * l[k][c];
        }
    }
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) {
            double sum = 0.0;
            for (int k = r > c ? r : c; k < n; k++) sum += l[k][r] * l[k][c] / d[k];
            if (!isfinite(sum)) return false;
            inverse[r * W + c] = sum;
        }
    }
    return true;
}

typedef struct prepare_context {
    kai_saddle* saddle;
    atomic_uint bad; // smallest node with a bad block
} prepare_context;

static void note_bad(prepare_context* p, size_t node)
{
    unsigned seen = atomic_load(&p->bad);
    while (node < seen && !atomic_compare_exchange_weak(&p->bad, &seen, (unsigned)node)) {}
}

static void prepare_bodies(size_t begin, size_t end, void* context)
{
    prepare_context* p = context;
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    const double* values = p->saddle->values.data;
    double* inverse = p->saddle->inverse.data;
    for (size_t i = begin; i < end; i++) {
        if (nodes[i].constraint) continue;
        if (!invert(nodes[i].rows, values + nodes[i].diagonal, true, inverse + nodes[i].diagonal))
            note_bad(p, i);
    }
}

/// s += G D⁻¹ Gᵀ for one body of a joint.
static void add_softness(const kai_saddle* saddle, const kai_saddle_node* node,
                         const kai_saddle_link* link, double* s)
{
    const kai_saddle_node* body = (const kai_saddle_node*)saddle->nodes.data + link->other;
    const double* block = (const double*)saddle->values.data + link->block;
    const double* inverse = (const double*)saddle->inverse.data + body->diagonal;
    double g[W][W], h[W][W]; // G, and G D⁻¹
    for (int r = 0; r < node->rows; r++) {
        for (int c = 0; c < body->rows; c++)
            g[r][c] = link->transposed ? block[c * W + r] : block[r * W + c];
        for (int c = 0; c < body->rows; c++) {
            h[r][c] = 0.0;
            for (int k = 0; k < body->rows; k++) h[r][c] += g[r][k] * inverse[k * W + c];
        }
    }
    for (int r = 0; r < node->rows; r++)
        for (int c = r; c < node->rows; c++)
            for (int k = 0; k < body->rows; k++) s[r * W + c] += h[r][k] * g[c][k];
}

/// s := G M⁻¹ Gᵀ, the block of a joint.
static void find_softness(const kai_saddle* saddle, const kai_saddle_node* node, double* s)
{
    const kai_saddle_node* nodes = saddle->nodes.data;
    const kai_saddle_link* links = saddle->links.data;
    memset(s, 0, W * W * sizeof *s);
    for (uint32_t k = node->first; k < node[1].first; k++)
        if (!nodes[links[k].other].constraint) add_softness(saddle, node, &links[k], s);
}

static void prepare_rows(size_t begin, size_t end, void* context)
{
    prepare_context* p = context;
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    for (size_t i = begin; i < end; i++) {
        if (!nodes[i].constraint) continue;
        const double* d = (const double*)p->saddle->values.data + nodes[i].diagonal;
        double* inverse = (double*)p->saddle->inverse.data + nodes[i].diagonal;
        double s[W * W];
        find_softness(p->saddle, &nodes[i], s);
        for (int k = 0; k < nodes[i].rows * W; k++) s[k] -= d[k];
        if (!invert(nodes[i].rows, s, false, inverse)) note_bad(p, i);
    }
}

/// For now the diagonal of G M⁻¹ Gᵀ, to take the mean of; a row of zeros gets its own inverse,
/// below zero to tell it apart.
static void prepare_diagonals(size_t begin, size_t end, void* context)
{
    prepare_context* p = context;
    const kai_saddle_node* nodes = p->saddle->nodes.data;
    for (size_t i = begin; i < end; i++) {
        if (!nodes[i].constraint) continue;
        const double* d = (const double*)p->saddle->values.data + nodes[i].diagonal;
        double* inverse = (double*)p->saddle->inverse.data + nodes[i].diagonal;
        double s[W * W];
        find_softness(p->saddle, &nodes[i], s);
        memset(inverse, 0, nodes[i].rows * W * sizeof *inverse);
        for (int k = 0; k < nodes[i].rows; k++) {
            const double own = d[k * W + k] != 0.0 ? -fabs(1.0 / d[k * W + k]) : -1.0;
            inverse[k * W + k] = s[k * W + k] > 0.0 ? s[k * W + k] : own;
            if (!isfinite(s[k * W + k]) || !isfinite(own)) note_bad(p, i);
        }
    }
}

/// The same number for all rows that act on a body.
static void make_uniform(kai_saddle* saddle)
{
    const kai_saddle_node* nodes = saddle->nodes.data;
    double* inverse = saddle->inverse.data;
    double sum = 0.0, count = 0.0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < saddle->node_count; i++) {
            if (!nodes[i].constraint) continue;
            for (uint32_t k = 0; k < nodes[i].rows; k++) {
                double* at = &inverse[nodes[i].diagonal + k * W + k];
                if (round == 0) {
                    sum += fmax(*at, 0.0);
                    count += *at > 0.0;
                } else {
                    *at = *at > 0.0 ? count / sum : -*at;
                }
            }
        }
    }
}

bool kai_saddle_prepare(kai_saddle* saddle, kai_saddle_rows rows, uint32_t* node)
{
    prepare_context p = {.saddle = saddle, .bad = UINT32_MAX};
    kai_parallel_for(saddle->threads, saddle->node_count, BLOCK, prepare_bodies, &p);
    kai_parallel_for(saddle->threads, saddle->node_count, BLOCK,
                     rows == KAI_SADDLE_UNIFORM ? prepare_diagonals : prepare_rows, &p);
    *node = atomic_load(&p.bad);
    if (*node == UINT32_MAX && rows == KAI_SADDLE_UNIFORM) make_uniform(saddle);
    return *node == UINT32_MAX;
}
