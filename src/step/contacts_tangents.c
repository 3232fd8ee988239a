// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/contacts_tangents.h"

#include "contact/contacts_surface_map.h"
#include "step/constraints.h"

#include <stdlib.h>
#include <string.h>

typedef kai_contacts_tangents_pair node_pair;

enum { MOST = 2 * KAI_PATCH_ENDS, WIDE = 6, BLOCK = 64 };

void kai_contacts_tangents_init(kai_contacts_tangents* t)
{
    t->nodes = kai_array_make(sizeof(kai_ldl_node));
    t->edges = kai_array_make(sizeof(kai_ldl_edge));
    t->known = t->pairs = kai_array_make(sizeof(node_pair));
    t->stand_in = kai_array_make(sizeof(uint32_t));
    t->values = kai_array_make(sizeof(double));
}

void kai_contacts_tangents_free(kai_contacts_tangents* t, kai_memory* memory)
{
    kai_array* all[] = {&t->nodes, &t->edges, &t->known, &t->pairs, &t->stand_in, &t->values};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], memory);
}

static int by_nodes(const void* x, const void* y)
{
    const node_pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

// Layout -----------------------------------------------------------------------------------------

/// Nodes of the system that bodies of nodes of elements stand for.
static kai_result list_stand_ins(kai_constraints* c, kai_world* world, kai_error* err)
{
    const kai_fea* fea = c->elements.fea;
    KAI_TRY(kai_array_resize(&c->touch.stand_in, &world->memory, world->bodies.count, err));
    if (world->bodies.count == 0) return KAI_OK;
    uint32_t* stand_in = c->touch.stand_in.data;
    memset(stand_in, 0xff, world->bodies.count * sizeof *stand_in);
    const kai_fea_touch* touching = fea ? fea->touching.data : NULL;
    for (size_t i = 0; fea && i < fea->touching.count; i++)
        stand_in[touching[i].body] =
            c->elements.base + ((const uint32_t*)c->elements.part_of.data)[touching[i].node];
    return KAI_OK;
}

kai_result kai_contacts_tangents_lay_out(kai_constraints* c, kai_world* world,
                                         const kai_ldl_node* nodes, uint32_t node_count,
                                         const kai_ldl_edge* edges, uint32_t edge_count,
                                         kai_error* err)
{
    kai_contacts_tangents* t = &c->touch;
    kai_memory* m = &world->memory;
    const uint32_t movers = kai_constraints_movers(c);
    t->nodes.count = t->edges.count = t->known.count = t->pairs.count = t->values.count = 0;
    t->base = edge_count;
    KAI_TRY(kai_array_append(&t->nodes, m, nodes, node_count, err));
    KAI_TRY(kai_array_append(&t->edges, m, edges, edge_count, err));
    for (uint32_t e = 0; e < edge_count; e++) {
        const node_pair pair = {edges[e].a, edges[e].b, e};
        if (pair.a < movers && pair.b < movers)
            KAI_TRY(kai_array_append(&t->known, m, &pair, 1, err));
    }
    if (t->known.count > 1) qsort(t->known.data, t->known.count, sizeof(node_pair), by_nodes);
    return list_stand_ins(c, world, err);
}

// Ends -------------------------------------------------------------------------------------------

/// A node that a contact couples: factors of its unknowns in the velocity and the spin of b
/// against a.
typedef struct contact_end {
    uint32_t node;
    uint32_t width; // 6 of a body, 3 of a node of elements
    double v[3][WIDE], w[3][WIDE];
} contact_end;

static void add_matrix(double to[3][WIDE], int column, kai_mat33 m)
{
    for (int r = 0; r < 3; r++) {
        const kai_vec3 row = kai_mat33_row(m, r);
        to[r][column] = row.x;
        to[r][column + 1] = row.y;
        to[r][column + 2] = row.z;
    }
}

/// A body's share `s` of the motion at an arm from its mass centre, or from where it acts.
static int add_body(const kai_constraints* c, const kai_world* world, uint32_t slot, kai_vec3 arm,
                    double s, contact_end* out)
{
    const uint32_t node = ((const uint32_t*)c->node_of.data)[slot];
    if (node == UINT32_MAX) return 0;
    const kai_mat33 turn = kai_mat33_scale(kai_quat_to_mat33(world->bodies.pose[slot].rotation), s);
    *out = (contact_end){.node = node, .width = 6};
    add_matrix(out->v, 0, kai_mat33_scale(kai_mat33_identity(), s));
    add_matrix(out->v, 3, kai_mat33_mul(kai_mat33_skew(kai_vec3_neg(arm)), turn));
    add_matrix(out->w, 3, turn);
    return 1;
}

/// A node of elements: its position moves the point by `move` and turns it by `turn`.
static int add_node(const kai_constraints* c, uint32_t node, kai_mat33 move, kai_mat33 turn,
                    contact_end* out)
{
    const kai_elements_part* part =
        (const kai_elements_part*)c->elements.parts.data + (node - c->elements.base);
    if ((part->fixed & 7) == 7) return 0;
    *out = (contact_end){.node = node, .width = 3};
    add_matrix(out->v, 0, move);
    add_matrix(out->w, 0, turn);
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3 && (part->fixed >> k & 1); r++) out->v[r][k] = out->w[r][k] = 0.0;
    return 1;
}

/// The ends of a piece of a surface (model/collision/patch.h).
static int add_piece(const kai_constraints* c, const kai_world* world, const kai_patch_point* p,
                     double sign, contact_end* out)
{
    int n = 0;
    const kai_mat33 arm = kai_mat33_skew(kai_vec3_neg(p->arm)),
                    half =
                        kai_mat33_sub(kai_mat33_identity(),
                                      kai_mat33_scale(kai_mat33_outer(p->normal, p->normal), 0.5));
    for (int k = 0; k < p->count; k++) {
        if (p->frames) {
            n += add_body(c, world, p->ends[k], p->arm, sign * p->weight[k], &out[n]);
            continue;
        }
        const kai_mat33 turn =
            kai_mat33_scale(kai_mat33_mul(half, kai_mat33_skew(p->slope[k])), sign);
        const kai_mat33 move = kai_mat33_scale(kai_mat33_identity(), sign * p->weight[k]);
        const uint32_t node =
            c->elements.base + ((const uint32_t*)c->elements.part_of.data)[p->ends[k]];
        n += add_node(c, node, kai_mat33_add(move, kai_mat33_mul(arm, turn)), turn, &out[n]);
    }
    return n;
}

/// The ends of contact i that can move; returns how many.
static int list_ends(const kai_constraints* c, const kai_world* world, size_t i,
                     contact_end out[MOST])
{
    uint32_t owner[2];
    kai_vec3 at[2];
    kai_contacts_surface_map map;
    int n = 0;
    kai_contacts_owners(world, i, &owner[0], &owner[1]);
    const bool pieces = kai_contacts_surface_map_find(world, i, &map);
    if (!pieces) kai_contacts_places(world, i, at);
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1.0 : -1.0;
        if (pieces && map.facet[side]) {
            n += add_piece(c, world, &map.point[side], sign, &out[n]);
            continue;
        }
        if (owner[side] & KAI_BROAD_FIXED) continue;
        const uint32_t stand_in = ((const uint32_t*)c->touch.stand_in.data)[owner[side]];
        if (stand_in != UINT32_MAX) {
            n += add_node(c, stand_in, kai_mat33_scale(kai_mat33_identity(), sign),
                          kai_mat33_zero(), &out[n]);
            continue;
        }
        const kai_vec3 arm = kai_vec3_sub(pieces ? map.at[side] : at[side],
                                          world->bodies.pose[owner[side]].position);
        n += add_body(c, world, owner[side], arm, sign, &out[n]);
    }
    return n;
}

static bool touches(const kai_world* world, size_t i)
{
    return world->collision->proximity.contacts[i].contact.gap < 0.0;
}

// Pairs ------------------------------------------------------------------------------------------

static node_pair pair_of(const contact_end* x, const contact_end* y)
{
    return x->node < y->node ? (node_pair){x->node, y->node, UINT32_MAX}
                             : (node_pair){y->node, x->node, UINT32_MAX};
}

static size_t without_repeats(node_pair* pairs, size_t count)
{
    size_t kept = 0;
    if (count > 1) qsort(pairs, count, sizeof *pairs, by_nodes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || by_nodes(&pairs[i], &pairs[kept - 1]) != 0) pairs[kept++] = pairs[i];
    return kept;
}

/// All pairs that contacts couple now, and unless `first` those that they did before in this step.
static kai_result list_pairs(kai_constraints* c, kai_world* world, bool first, kai_error* err)
{
    kai_array* pairs = &c->touch.pairs;
    contact_end ends[MOST];
    if (first) pairs->count = 0;
    for (size_t i = 0; i < world->contact_memory.count; i++) {
        const int n = touches(world, i) ? list_ends(c, world, i, ends) : 0;
        for (int j = 0; j < n; j++) {
            for (int k = 0; k <= j; k++) {
                const node_pair pair = pair_of(&ends[j], &ends[k]);
                KAI_TRY(kai_array_append(pairs, &world->memory, &pair, 1, err));
            }
        }
    }
    pairs->count = without_repeats(pairs->data, pairs->count);
    return KAI_OK;
}

/// Gives pairs their edges; lays the system out anew when these are not the ones that it has.
static kai_result number_edges(kai_constraints* c, kai_world* world, kai_error* err)
{
    kai_contacts_tangents* t = &c->touch;
    node_pair* pairs = t->pairs.data;
    kai_ldl_edge* edges = t->edges.data;
    const uint32_t had = (uint32_t)t->edges.count;
    uint32_t count = t->base;
    bool same = true;
    for (size_t i = 0; i < t->pairs.count; i++) {
        if (pairs[i].a == pairs[i].b) continue;
        const node_pair* known =
            t->known.count > 0
                ? bsearch(&pairs[i], t->known.data, t->known.count, sizeof *known, by_nodes)
                : NULL;
        pairs[i].edge = known ? known->edge : count++;
        if (known) continue;
        const kai_ldl_edge edge = {pairs[i].a, pairs[i].b};
        if (count <= t->edges.count) {
            same = same && edges[count - 1].a == edge.a && edges[count - 1].b == edge.b;
            edges[count - 1] = edge;
        } else {
            KAI_TRY(kai_array_append(&t->edges, &world->memory, &edge, 1, err));
            edges = t->edges.data;
        }
    }
    t->edges.count = count;
    if (same && count == had) return KAI_OK;
    return kai_constraints_couple(c, world, err);
}

// Values -----------------------------------------------------------------------------------------

typedef struct find_context {
    const kai_constraints* c;
    const kai_world* world;
    const kai_contacts_instant* step;
    double position, velocity;
    kai_contacts_stiffness* out;
} find_context;

static void find_range(size_t begin, size_t end, void* context)
{
    const find_context* f = context;
    for (size_t i = begin; i < end; i++)
        kai_contacts_instant_stiffness(f->world->contact, f->world, f->step, i, f->position,
                                       f->velocity, &f->out[i]);
}

/// out = K J.
static void multiply(kai_mat33 k, const double j[3][WIDE], uint32_t width, double out[3][WIDE])
{
    for (int r = 0; r < 3; r++) {
        const kai_vec3 row = kai_mat33_row(k, r);
        for (uint32_t q = 0; q < width; q++)
            out[r][q] = row.x * j[0][q] + row.y * j[1][q] + row.z * j[2][q];
    }
}

/// block += Aᵀ B.
static void add_product(const double a[3][WIDE], uint32_t rows, const double b[3][WIDE],
                        uint32_t columns, double* block)
{
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t q = 0; q < columns; q++)
            block[r * WIDE + q] += a[0][r] * b[0][q] + a[1][r] * b[1][q] + a[2][r] * b[2][q];
}

static void add_contact(const kai_constraints* c, const kai_contacts_stiffness* k,
                        const contact_end* ends, int n, double* values)
{
    const kai_array* pairs = &c->touch.pairs;
    for (int j = 0; j < n; j++) {
        double force[3][WIDE], couple[3][WIDE];
        multiply(k->force, ends[j].v, ends[j].width, force);
        multiply(k->couple, ends[j].w, ends[j].width, couple);
        for (int i = 0; i < n; i++) {
            // Rows of a block are those of the lower node.
            if (ends[i].node > ends[j].node) continue;
            const node_pair key = pair_of(&ends[i], &ends[j]);
            const node_pair* pair = bsearch(&key, pairs->data, pairs->count, sizeof key, by_nodes);
            double* block = values + (size_t)(pair - (const node_pair*)pairs->data) * WIDE * WIDE;
            add_product(ends[i].v, ends[i].width, force, ends[j].width, block);
            add_product(ends[i].w, ends[i].width, couple, ends[j].width, block);
        }
    }
}

static kai_result find_values(kai_constraints* c, kai_world* world, find_context* f, kai_error* err)
{
    kai_array* values = &c->touch.values;
    const size_t count = world->contact_memory.count;
    contact_end ends[MOST];
    KAI_TRY(kai_array_resize(values, &world->memory, c->touch.pairs.count * WIDE * WIDE, err));
    if (values->count == 0) return KAI_OK;
    memset(values->data, 0, values->count * sizeof(double));
    f->out = kai_arena_take(&world->arena, count, sizeof *f->out, err);
    if (!f->out) return KAI_ERROR_MEMORY;
    kai_parallel_for(world->threads, count, BLOCK, find_range, f);
    for (size_t i = 0; i < count; i++)
        if (touches(world, i))
            add_contact(c, &f->out[i], ends, list_ends(c, world, i, ends), values->data);
    return KAI_OK;
}

kai_result kai_contacts_tangents_find(kai_constraints* c, kai_world* world,
                                      const kai_contacts_instant* step, double position,
                                      double velocity, bool first, kai_error* err)
{
    find_context f = {
        .c = c, .world = world, .step = step, .position = position, .velocity = velocity};
    KAI_TRY(list_pairs(c, world, first, err));
    KAI_TRY(number_edges(c, world, err));
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = find_values(c, world, &f, err);
    kai_arena_release(&world->arena, mark);
    return r;
}

// The matrix -------------------------------------------------------------------------------------

static uint32_t rows_of(const kai_constraints* c, uint32_t node)
{
    return ((const kai_ldl_node*)c->touch.nodes.data)[node].rows;
}

void kai_contacts_tangents_put(const kai_constraints* c)
{
    const kai_contacts_tangents* t = &c->touch;
    const kai_ldl_edge* edges = t->edges.data;
    const node_pair* pairs = t->pairs.data;
    bool flipped = false;
    for (uint32_t e = t->base; t->room && e < t->edges.count; e++) {
        double* block = kai_blocks_block(&c->matrix, e, &flipped);
        memset(block, 0,
               rows_of(c, flipped ? edges[e].b : edges[e].a) * KAI_LDL_WIDTH * sizeof *block);
    }
    for (size_t i = 0; t->on && i < t->pairs.count; i++) {
        const double* v = (const double*)t->values.data + i * WIDE * WIDE;
        const uint32_t rows = rows_of(c, pairs[i].a), columns = rows_of(c, pairs[i].b);
        flipped = false;
        double* block = pairs[i].a == pairs[i].b
                            ? kai_blocks_diagonal(&c->matrix, pairs[i].a)
                            : kai_blocks_block(&c->matrix, pairs[i].edge, &flipped);
        const uint32_t down = flipped ? 1 : KAI_LDL_WIDTH, across = flipped ? KAI_LDL_WIDTH : 1;
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t q = 0; q < columns; q++) block[r * down + q * across] += v[r * WIDE + q];
    }
}

void kai_contacts_tangents_apply(const kai_constraints* c, const double* x, double* y)
{
    const kai_contacts_tangents* t = &c->touch;
    const node_pair* pairs = t->pairs.data;
    for (size_t i = 0; t->on && i < t->pairs.count; i++) {
        const double* v = (const double*)t->values.data + i * WIDE * WIDE;
        const uint32_t rows = rows_of(c, pairs[i].a), columns = rows_of(c, pairs[i].b);
        const size_t a = kai_constraints_place(c, pairs[i].a),
                     b = kai_constraints_place(c, pairs[i].b);
        for (uint32_t r = 0; r < rows; r++) {
            for (uint32_t q = 0; q < columns; q++) {
                y[a + r] += v[r * WIDE + q] * x[b + q];
                if (a != b) y[b + q] += v[r * WIDE + q] * x[a + r];
            }
        }
    }
}
