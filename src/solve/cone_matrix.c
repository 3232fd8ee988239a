// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_matrix.h"

#include "base/simd.h"
#include "base/stop.h"
#include "solve/cone_values.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = KAI_LDL_WIDTH };

void kai_cone_matrix_init(kai_cone_matrix* m, kai_memory* memory, size_t limit)
{
    *m = (kai_cone_matrix){.memory = memory};
    kai_ldl_init(&m->ldl, memory);
    m->ldl.limit = limit;
    m->nodes = m->kept_nodes = kai_array_make(sizeof(kai_ldl_node));
    m->edges = m->kept_edges = kai_array_make(sizeof(kai_ldl_edge));
    m->links = kai_array_make(2 * sizeof(uint64_t));
    m->node_of = m->body_of = kai_array_make(sizeof(uint32_t));
    m->contact_edge = m->group_edges = kai_array_make(sizeof(uint32_t));
    m->groups = kai_array_make(sizeof(kai_cone_group));
    m->moments = kai_array_make(6 * sizeof(double));
}

void kai_cone_matrix_free(kai_cone_matrix* m)
{
    kai_array* const list[] = {&m->nodes,       &m->edges,   &m->kept_nodes, &m->kept_edges,
                               &m->links,       &m->node_of, &m->body_of,    &m->contact_edge,
                               &m->group_edges, &m->groups,  &m->moments};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) kai_array_free(list[i], m->memory);
    kai_ldl_free(&m->ldl);
}

// Layout -----------------------------------------------------------------------------------------

/// Two nodes, the smaller first, and where their edge is wanted.
typedef struct link {
    uint64_t nodes;
    uint32_t* edge;
} link;

static kai_result list_bodies(kai_cone_matrix* m, const kai_cone_problem* p, kai_error* err)
{
    m->nodes.count = m->body_of.count = 0;
    KAI_TRY(kai_array_resize(&m->node_of, m->memory, p->body_count, err));
    KAI_TRY(kai_array_resize(&m->body_of, m->memory, p->body_count, err));
    KAI_TRY(kai_array_resize(&m->nodes, m->memory, p->body_count + p->row_count, err));
    KAI_TRY(kai_array_resize(&m->moments, m->memory, p->body_count, err));
    kai_ldl_node* nodes = m->nodes.data;
    uint32_t *of = m->node_of.data, *body = m->body_of.data;
    m->movers = 0;
    for (uint32_t i = 0; i < p->body_count; i++) {
        of[i] = UINT32_MAX;
        if (!kai_cone_values_moves(&p->motion[i])) continue;
        kai_cone_values_inertia(p, i, (double*)m->moments.data + 6 * (size_t)m->movers);
        nodes[m->movers] = (kai_ldl_node){.rows = p->motion[i].inverse_moment != 0.0 ? 6 : 3};
        body[m->movers] = i;
        of[i] = m->movers++;
    }
    return KAI_OK;
}

static bool same_bodies(const kai_cone_problem* p, const kai_cone_row* a, const kai_cone_row* b)
{
    if (a->count != b->count) return false;
    for (uint32_t k = 0; k < a->count; k++)
        if (p->pieces[a->first + k].body != p->pieces[b->first + k].body) return false;
    return true;
}

static kai_result list_groups(kai_cone_matrix* m, const kai_cone_problem* p, kai_error* err)
{
    m->groups.count = 0;
    KAI_TRY(kai_array_reserve(&m->groups, m->memory, p->row_count, err));
    kai_ldl_node* nodes = m->nodes.data;
    kai_cone_group* groups = m->groups.data;
    uint32_t count = 0, edges = 0;
    for (uint32_t r = 0; r < p->row_count; r++) {
        kai_cone_group* last = count > 0 ? &groups[count - 1] : NULL;
        if (last && last->count < WIDTH && same_bodies(p, &p->rows[last->row], &p->rows[r])) {
            nodes[m->movers + count - 1].rows = (uint8_t)++last->count;
            continue;
        }
        groups[count] = (kai_cone_group){.row = r, .count = 1, .edge = edges};
        nodes[m->movers + count++] = (kai_ldl_node){.rows = 1, .constraint = true};
        edges += p->rows[r].count;
    }
    m->groups.count = count;
    m->nodes.count = m->movers + count;
    return kai_array_resize(&m->group_edges, m->memory, edges, err);
}

static void add_link(kai_cone_matrix* m, uint32_t a, uint32_t b, uint32_t* edge)
{
    *edge = UINT32_MAX;
    if (a == UINT32_MAX || b == UINT32_MAX) return;
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    ((link*)m->links.data)[m->links.count++] = (link){low << 32 | high, edge};
}

static int by_nodes(const void* x, const void* y)
{
    const link *a = x, *b = y;
    return (a->nodes > b->nodes) - (a->nodes < b->nodes);
}

static kai_result list_edges(kai_cone_matrix* m, const kai_cone_problem* p, kai_error* err)
{
    const size_t most = p->contact_count + m->group_edges.count;
    _Static_assert(sizeof(link) == 2 * sizeof(uint64_t), "links are pairs of words");
    m->links.count = 0;
    KAI_TRY(kai_array_reserve(&m->links, m->memory, most, err));
    KAI_TRY(kai_array_resize(&m->contact_edge, m->memory, p->contact_count, err));
    KAI_TRY(kai_array_reserve(&m->edges, m->memory, most, err));
    uint32_t* contact_edge = m->contact_edge.data;
    for (size_t i = 0; i < p->contact_count; i++)
        add_link(m, kai_cone_matrix_node(m, p->contacts[i].a),
                 kai_cone_matrix_node(m, p->contacts[i].b), &contact_edge[i]);
    for (uint32_t g = 0; g < m->groups.count; g++) {
        const kai_cone_group* group = (kai_cone_group*)m->groups.data + g;
        const kai_cone_row* row = &p->rows[group->row];
        for (uint32_t k = 0; k < row->count; k++)
            add_link(m, kai_cone_matrix_node(m, p->pieces[row->first + k].body), m->movers + g,
                     (uint32_t*)m->group_edges.data + group->edge + k);
    }
    link* links = m->links.data;
    if (m->links.count > 0) qsort(links, m->links.count, sizeof *links, by_nodes);
    kai_ldl_edge* edges = m->edges.data;
    uint32_t count = 0;
    for (size_t i = 0; i < m->links.count; i++) {
        if (i == 0 || links[i].nodes != links[i - 1].nodes)
            edges[count++] =
                (kai_ldl_edge){(uint32_t)(links[i].nodes >> 32), (uint32_t)links[i].nodes};
        *links[i].edge = count - 1;
    }
    m->edges.count = count;
    return KAI_OK;
}

static bool same(const kai_array* a, const kai_array* b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->data, b->data, a->count * a->stride) == 0);
}

static kai_result keep(kai_array* kept, const kai_array* now, kai_memory* memory, kai_error* err)
{
    kept->count = 0;
    return kai_array_append(kept, memory, now->data, now->count, err);
}

kai_result kai_cone_matrix_lay(kai_cone_matrix* m, const kai_cone_problem* p,
                               const volatile int* stop, kai_error* err)
{
    KAI_TRY(list_bodies(m, p, err));
    KAI_TRY(list_groups(m, p, err));
    KAI_TRY(list_edges(m, p, err));
    m->ldl.stop = stop;
    if (m->laid && same(&m->nodes, &m->kept_nodes) && same(&m->edges, &m->kept_edges))
        return KAI_OK;
    m->laid = false;
    KAI_TRY(keep(&m->kept_nodes, &m->nodes, m->memory, err));
    KAI_TRY(keep(&m->kept_edges, &m->edges, m->memory, err));
    KAI_TRY(kai_ldl_analyze(&m->ldl, m->nodes.data, (uint32_t)m->nodes.count, m->edges.data,
                            (uint32_t)m->edges.count, err));
    m->laid = true;
    return KAI_OK;
}

// Numbers ----------------------------------------------------------------------------------------

static void add_mass(kai_cone_matrix* m, const kai_cone_motion* body, uint32_t node)
{
    const double* q = (const double*)m->moments.data + 6 * (size_t)node;
    double* d = kai_ldl_diagonal(&m->ldl, node);
    for (int k = 0; k < 3; k++)
        d[k * (WIDTH + 1)] = body->inverse_mass > 0.0 ? 1.0 / body->inverse_mass : 1.0;
    if (body->inverse_moment == 0.0) return;
    const double full[3][3] = {{q[0], q[3], q[4]}, {q[3], q[1], q[5]}, {q[4], q[5], q[2]}};
    for (int k = 0; k < 9; k++) d[(3 + k / 3) * WIDTH + 3 + k % 3] = full[k / 3][k % 3];
}

void kai_cone_matrix_begin(kai_cone_matrix* m, const kai_cone_problem* p, int threads)
{
    const uint32_t* body = m->body_of.data;
    const kai_ldl_edge* edges = m->edges.data;
    const kai_ldl_node* nodes = m->nodes.data;
    kai_ldl_clear(&m->ldl, threads);
    for (uint32_t e = 0; e < m->edges.count; e++) {
        bool flipped;
        double* block = kai_ldl_block(&m->ldl, e, &flipped);
        const uint32_t down = flipped ? edges[e].b : edges[e].a;
        memset(block, 0, nodes[down].rows * WIDTH * sizeof *block);
    }
    for (uint32_t n = 0; n < m->movers; n++) add_mass(m, &p->motion[body[n]], n);
}

/// One side of a contact: the velocity that a body gives it, ± [1, -[arm]×] and for the spin ± L,
/// and which of its numbers move.
typedef struct side {
    double j[6][6];
    int from, to; // columns
} side;

static void set_side(side* s, const kai_cone_motion* body, kai_vec3 r, double length, double sign,
                     int d)
{
    const double x = sign * r.x, y = sign * r.y, z = sign * r.z, l = sign * length;
    const double rows[6][6] = {{sign, 0, 0, 0, z, -y}, {0, sign, 0, -z, 0, x},
                               {0, 0, sign, y, -x, 0}, {0, 0, 0, l, 0, 0},
                               {0, 0, 0, 0, l, 0},     {0, 0, 0, 0, 0, l}};
    memcpy(s->j, rows, (size_t)d * sizeof rows[0]);
    s->from = body->inverse_mass > 0.0 ? 0 : 3;
    s->to = body->inverse_moment != 0.0 ? 6 : 3;
}

/// block += aᵀ wb, rows of a down. A whole row of the block at a time: what lies beyond the columns
/// that move is zero in wb.
KAI_INLINE void add_product(double* block, const side* a, const double wb[6][KAI_LDL_WIDTH], int d)
{
    for (int i = a->from; i < a->to; i++) {
        for (int k = 0; k < d; k++) {
            const double s = a->j[k][i];
            for (int j = 0; j < WIDTH; j++) block[i * WIDTH + j] += s * wb[k][j];
        }
    }
}

/// w j, zero where columns do not move.
KAI_INLINE void weigh(const double* w, const side* s, int d, double out[6][KAI_LDL_WIDTH])
{
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < WIDTH; j++) out[i][j] = 0.0;
        for (int k = 0; k < d; k++)
            for (int j = s->from; j < s->to; j++) out[i][j] += w[i * d + k] * s->j[k][j];
    }
}

KAI_INLINE void add_contact(kai_cone_matrix* m, const kai_cone_problem* p, uint32_t i,
                            const double* w, int d, double length)
{
    const kai_cone_contact* c = &p->contacts[i];
    const uint32_t a = kai_cone_matrix_node(m, c->a), b = kai_cone_matrix_node(m, c->b);
    const uint32_t edge = ((const uint32_t*)m->contact_edge.data)[i];
    side sa, sb;
    double wa[6][WIDTH], wb[6][WIDTH];
    if (a != UINT32_MAX) {
        set_side(&sa, &p->motion[c->a], c->arm_a, length, -1.0, d);
        weigh(w, &sa, d, wa);
        add_product(kai_ldl_diagonal(&m->ldl, a), &sa, (const double(*)[WIDTH])wa, d);
    }
    if (b != UINT32_MAX) {
        set_side(&sb, &p->motion[c->b], c->arm_b, length, 1.0, d);
        weigh(w, &sb, d, wb);
        add_product(kai_ldl_diagonal(&m->ldl, b), &sb, (const double(*)[WIDTH])wb, d);
    }
    if (edge == UINT32_MAX) return;
    bool flipped;
    double* block = kai_ldl_block(&m->ldl, edge, &flipped);
    // The edge has the smaller node first; `flipped` turns that round.
    if ((a < b) != flipped)
        add_product(block, &sa, (const double(*)[WIDTH])wb, d);
    else
        add_product(block, &sb, (const double(*)[WIDTH])wa, d);
}

void kai_cone_matrix_add(kai_cone_matrix* m, const kai_cone_problem* p, uint32_t i, const double* w,
                         bool couples, double length)
{
    if (couples)
        add_contact(m, p, i, w, 6, length);
    else
        add_contact(m, p, i, w, 3, length);
}

void kai_cone_matrix_put_row(kai_cone_matrix* m, const kai_cone_problem* p, uint32_t g, uint32_t r,
                             double weight)
{
    const kai_cone_group* group = (const kai_cone_group*)m->groups.data + g;
    const kai_cone_row* row = &p->rows[group->row + r];
    kai_ldl_diagonal(&m->ldl, m->movers + g)[r * (WIDTH + 1)] = weight > 0.0 ? -1.0 / weight : -1.0;
    for (uint32_t k = 0; k < row->count && weight > 0.0; k++) {
        const uint32_t edge = ((const uint32_t*)m->group_edges.data)[group->edge + k];
        if (edge == UINT32_MAX) continue;
        const kai_cone_piece* piece = &p->pieces[row->first + k];
        const kai_cone_motion* body = &p->motion[piece->body];
        bool flipped;
        double* block = kai_ldl_block(&m->ldl, edge, &flipped);
        for (int i = body->inverse_mass > 0.0 ? 0 : 3; i < (body->inverse_moment != 0.0 ? 6 : 3);
             i++)
            block[flipped ? r * WIDTH + (uint32_t)i : (uint32_t)i * WIDTH + r] += piece->factor[i];
    }
}

kai_result kai_cone_matrix_factor(kai_cone_matrix* m, int threads, kai_error* err)
{
    uint32_t bad;
    if (kai_ldl_factor(&m->ldl, threads, 0.0, &bad)) return KAI_OK;
    if (bad == KAI_LDL_STOPPED) return kai_stop_error(err);
    return kai_error_set(err, KAI_ERROR_DIVERGED,
                         "the matrix of body %u and its contacts is not positive definite",
                         bad < m->movers ? ((const uint32_t*)m->body_of.data)[bad] : bad);
}
