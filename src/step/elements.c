// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/elements.h"

#include "base/error.h"
#include "base/simd.h"
#include "contact/contacts_surface_map.h"

#include <stdlib.h>
#include <string.h>

static const size_t BLOCK = 64; // blocks of the matrix a block of work

void kai_elements_init(kai_elements* e)
{
    e->parts = kai_array_make(sizeof(kai_elements_part));
    e->part_of = e->first = e->blocks = e->groups = e->colours = kai_array_make(sizeof(uint32_t));
    e->pushed = e->room = e->impulse = e->momentum = kai_array_make(sizeof(double));
    e->first_impulse = e->first_momentum = e->first_v = e->more = e->products = e->room;
    e->state = e->ahead = e->room;
    e->frames = kai_array_make(sizeof(kai_fea_frame));
    e->edges = kai_array_make(sizeof(kai_ldl_edge));
    e->pieces = kai_array_make(sizeof(kai_elements_piece));
}

void kai_elements_free(kai_elements* e, kai_memory* memory)
{
    kai_array* all[] = {&e->parts,    &e->part_of,  &e->first,         &e->blocks,
                        &e->edges,    &e->pieces,   &e->pushed,        &e->room,
                        &e->impulse,  &e->momentum, &e->first_impulse, &e->first_momentum,
                        &e->first_v,  &e->more,     &e->groups,        &e->colours,
                        &e->products, &e->state,    &e->frames,        &e->ahead};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], memory);
}

// Lists ------------------------------------------------------------------------------------------

kai_result kai_elements_list(kai_elements* e, kai_world* world, uint32_t base, kai_error* err)
{
    KAI_TRY(kai_fea_get(world, &e->fea, err));
    e->base = base;
    e->movers = base;
    e->parts.count = 0;
    e->edges.count = e->pieces.count = e->first.count = e->blocks.count = 0;
    e->options = (kai_fea_options){0};
    if (!e->fea) return KAI_OK;
    const kai_node_record* nodes = kai_node_all(world);
    KAI_TRY(kai_array_resize(&e->part_of, &world->memory, world->nodes.count, err));
    for (size_t i = 0; i < world->nodes.count; i++) {
        const uint32_t first = ((const uint32_t*)e->fea->first.data)[i];
        const size_t size = kai_node_size(&nodes[i]);
        ((uint32_t*)e->part_of.data)[i] = (uint32_t)e->parts.count;
        for (size_t at = 0; at < size; at += 6) {
            const size_t width = size - at < 6 ? size - at : 6;
            const kai_elements_part part = {
                .node = (uint32_t)i,
                .first = first + (uint32_t)at,
                .at = (uint8_t)at,
                .width = (uint8_t)width,
                .fixed = (uint8_t)(nodes[i].def.fixed >> at & ((1 << width) - 1))};
            KAI_TRY(kai_array_append(&e->parts, &world->memory, &part, 1, err));
        }
    }
    e->movers = base + (uint32_t)e->parts.count;
    KAI_TRY(kai_array_resize(&e->room, &world->memory, e->fea->coordinates, err));
    KAI_TRY(kai_array_resize(&e->products, &world->memory, e->fea->forces.count, err));
    return kai_array_resize(&e->pushed, &world->memory, e->fea->coordinates, err);
}

typedef kai_elements_place place;

static bool is_still(const kai_elements_part* p) { return p->fixed == (1 << p->width) - 1; }

size_t kai_elements_places(const kai_elements* e, const kai_fea_batch* batch, const uint32_t* ends,
                           const uint32_t* node_of, place* out)
{
    size_t count = 0;
    uint8_t row = 0;
    for (int k = 0; k < batch->kind->nodes; k++) {
        if (batch->kind->slopes < 0) {
            out[count++] = (place){node_of[ends[k]], row, 6};
            row = (uint8_t)(row + 6);
            continue;
        }
        const uint32_t first = ((const uint32_t*)e->part_of.data)[ends[k]];
        const kai_elements_part* part = (const kai_elements_part*)e->parts.data + first;
        if (((const uint8_t*)e->fea->slopes.data)[ends + k - (const uint32_t*)e->fea->ends.data]) {
            // The position is the first half of the first part, the slope is the second part.
            for (int s = 0; s < 2; s++, part++, row = (uint8_t)(row + 3))
                out[count++] =
                    (place){is_still(part) ? UINT32_MAX : e->base + first + (uint32_t)s, row, 3};
            continue;
        }
        for (int left = 3 * (1 + batch->kind->slopes); left > 0; left -= part->width, part++) {
            const uint32_t node =
                e->base + (uint32_t)(part - (const kai_elements_part*)e->parts.data);
            out[count++] = (place){is_still(part) ? UINT32_MAX : node, row, part->width};
            row = (uint8_t)(row + part->width);
            if (left == part->width) break;
        }
    }
    return count;
}

/// A piece with the pair of nodes it belongs to, before edges have numbers.
typedef struct pair {
    kai_ldl_edge nodes; // a ≤ b
    uint32_t order;
    kai_elements_piece piece;
} pair;

static int by_edge(const void* x, const void* y)
{
    const kai_ldl_edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static int by_pair(const void* x, const void* y)
{
    const pair *a = x, *b = y;
    const int nodes = by_edge(&a->nodes, &b->nodes);
    return nodes ? nodes : (a->order > b->order) - (a->order < b->order);
}

/// Pieces of one element.
static size_t list_pieces(const kai_fea_batch* batch, size_t i, const place* places, size_t count,
                          uint32_t order, pair* out)
{
    const size_t n = batch->rows, at = batch->first_tangent + i * n * n;
    size_t pieces = 0;
    for (size_t r = 0; r < count; r++) {
        for (size_t c = 0; c < count; c++) {
            const place *a = &places[r], *b = &places[c];
            if (a->node == UINT32_MAX || b->node == UINT32_MAX || a->node > b->node) continue;
            out[pieces++] = (pair){{a->node, b->node},
                                   order,
                                   {.at = (uint32_t)(at + a->row * n + b->row),
                                    .rows = a->width,
                                    .columns = b->width,
                                    .stride = (uint8_t)n}};
        }
    }
    return pieces;
}

static size_t most_pieces(const kai_fea* f)
{
    const kai_fea_batch* batches = f->batches.data;
    size_t count = 0;
    for (size_t b = 0; b < f->batches.count; b++) {
        // places of an element: its nodes, twice where they have two parts
        const size_t p = (size_t)batches[b].kind->nodes * (batches[b].kind->slopes > 0 ? 2 : 1);
        count += batches[b].count * (p * (p + 1) / 2);
    }
    return count;
}

static size_t list_pairs(const kai_elements* e, const uint32_t* node_of, pair* pairs)
{
    const kai_fea_batch* batches = e->fea->batches.data;
    place places[2 * KAI_ELEMENT_NODES];
    size_t count = 0;
    uint32_t order = 0;
    for (size_t b = 0; b < e->fea->batches.count; b++) {
        const uint32_t* ends = (const uint32_t*)e->fea->ends.data + batches[b].first_end;
        for (size_t i = 0; i < batches[b].count; i++, ends += batches[b].kind->nodes) {
            const size_t n = kai_elements_places(e, &batches[b], ends, node_of, places);
            count += list_pieces(&batches[b], i, places, n, order++, pairs + count);
        }
    }
    return count;
}

/// Numbers the blocks and edges of sorted pairs.
static kai_result number_blocks(kai_elements* e, kai_world* world, const pair* pairs, size_t count,
                                const kai_ldl_edge* others, uint32_t other_count, kai_error* err)
{
    kai_memory* m = &world->memory;
    uint32_t block = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_edge(&pairs[i].nodes, &pairs[i - 1].nodes) != 0) {
            const kai_ldl_edge* nodes = &pairs[i].nodes;
            const uint32_t begin = (uint32_t)i;
            if (nodes->a == nodes->b) {
                block = nodes->a;
            } else {
                const kai_ldl_edge* found =
                    other_count > 0 ? bsearch(nodes, others, other_count, sizeof *nodes, by_edge)
                                    : NULL;
                block = e->movers +
                        (found ? (uint32_t)(found - others) : e->offset + (uint32_t)e->edges.count);
                if (!found) KAI_TRY(kai_array_append(&e->edges, m, nodes, 1, err));
            }
            KAI_TRY(kai_array_append(&e->blocks, m, &block, 1, err));
            KAI_TRY(kai_array_append(&e->first, m, &begin, 1, err));
        }
        kai_elements_piece piece = pairs[i].piece;
        piece.block = block;
        KAI_TRY(kai_array_append(&e->pieces, m, &piece, 1, err));
    }
    const uint32_t end = (uint32_t)count;
    return kai_array_append(&e->first, m, &end, 1, err);
}

kai_result kai_elements_pair(kai_elements* e, kai_world* world, const uint32_t* node_of,
                             const kai_ldl_edge* others, uint32_t other_count, kai_error* err)
{
    e->offset = other_count;
    if (!e->fea || e->free) return KAI_OK;
    const size_t most = most_pieces(e->fea);
    if (most >= UINT32_MAX)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu elements; too many for one world",
                             world->elements.count);
    pair* pairs = kai_memory_allocate(&world->memory, (most + 1) * sizeof *pairs);
    if (!pairs) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for elements' matrices");
    const size_t count = list_pairs(e, node_of, pairs);
    if (count > 1) qsort(pairs, count, sizeof *pairs, by_pair);
    const kai_result r = number_blocks(e, world, pairs, count, others, other_count, err);
    kai_memory_release(&world->memory, pairs, (most + 1) * sizeof *pairs);
    return r;
}

// The matrix -------------------------------------------------------------------------------------

void kai_elements_add_contacts(const kai_world* world, const kai_wrench* touch, double scale,
                               double* x)
{
    const kai_fea* fea = world->fea;
    const kai_fea_touch* touching = fea->touching.data;
    for (size_t i = 0; i < fea->touching.count; i++) {
        const kai_vec3 f = touch[touching[i].body].force;
        double* to = x + touching[i].first;
        to[0] += scale * f.x;
        to[1] += scale * f.y;
        to[2] += scale * f.z;
    }
    kai_contacts_surface_map_nodes(world->contact, world, fea->first.data, scale, x);
}

void kai_elements_push(kai_elements* e, kai_world* world, double h, const kai_wrench* touch)
{
    const double* force = e->fea->force.data;
    double* pushed = e->pushed.data;
    for (size_t i = 0; i < e->fea->coordinates; i++) pushed[i] = h * force[i];
    if (touch) kai_elements_add_contacts(world, touch, h, pushed);
    e->prefers_block_cg = true;
}

kai_result kai_elements_find(kai_elements* e, kai_world* world, const kai_fea_options* options,
                             kai_error* err)
{
    if (!e->fea) return KAI_OK;
    e->options = *options;
    if (!e->free) return kai_fea_forces_tangents(e->fea, world, options, err);
    kai_elements_free_note(e, world);
    return KAI_OK;
}

kai_result kai_elements_find_after(kai_elements* e, kai_world* world,
                                   const kai_fea_options* options, kai_error* err)
{
    if (!e->fea || e->free || !kai_fea_brings_tangents(e->fea, options))
        return kai_elements_find(e, world, options, err);
    e->options = *options;
    return KAI_OK;
}

kai_result kai_elements_retreat(kai_elements* e, kai_world* world, kai_error* err)
{
    if (!e->fea) return KAI_OK;
    if (!e->prefers_block_cg || !e->fea->has_tangents || e->options.definite)
        return kai_elements_find(e, world, &(kai_fea_options){0}, err);
    e->options.definite = true;
    return e->free ? KAI_OK : kai_fea_forces_tangents(e->fea, world, &e->options, err);
}

typedef struct put_context {
    const kai_elements* e;
    const kai_world* world;
    const kai_blocks* matrix;
} put_context;

/// Fixed unknowns of a node of the system: none of a body.
static uint8_t fixed_of(const kai_elements* e, uint32_t node)
{
    return node < e->base ? 0 : ((const kai_elements_part*)e->parts.data)[node - e->base].fixed;
}

static void clear_row(double* block, uint8_t fixed, bool column)
{
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; (fixed >> k & 1) && i < (column ? 6 : KAI_LDL_WIDTH); i++)
            block[column ? i * KAI_LDL_WIDTH + k : k * KAI_LDL_WIDTH + i] = 0.0;
}

static void add_piece(const kai_elements_piece* p, const double* t, bool turned, double* block)
{
    t += p->at;
    for (size_t r = 0; r < p->rows; r++, t += p->stride)
        for (size_t c = 0; c < p->columns; c++)
            block[turned ? c * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + c] += t[c];
}

static size_t width_of(const kai_elements* e, uint32_t node)
{
    return node < e->base ? 6 : ((const kai_elements_part*)e->parts.data)[node - e->base].width;
}

static void put_range(size_t begin, size_t end, void* context)
{
    const put_context* c = context;
    const kai_elements* e = c->e;
    const kai_elements_piece* pieces = e->pieces.data;
    const uint32_t *first = e->first.data, *blocks = e->blocks.data;
    const double* t = e->fea->tangents.data;
    for (size_t b = begin; b < end; b++) {
        bool turned = false;
        double* block;
        if (blocks[b] < e->movers) {
            block = kai_blocks_diagonal(c->matrix, blocks[b]);
            for (uint32_t k = first[b]; k < first[b + 1]; k++)
                add_piece(&pieces[k], t, false, block);
            continue; // fixed unknowns: put_fixed
        }
        const uint32_t edge = blocks[b] - e->movers;
        block = kai_blocks_block(c->matrix, edge, &turned);
        if (edge < e->offset) { // a pair of bodies that others have, too
            for (uint32_t k = first[b]; k < first[b + 1]; k++)
                add_piece(&pieces[k], t, turned, block);
            continue;
        }
        const kai_ldl_edge* nodes = (const kai_ldl_edge*)e->edges.data + (edge - e->offset);
        const uint32_t down = turned ? nodes->b : nodes->a, across = turned ? nodes->a : nodes->b;
        memset(block, 0, width_of(e, down) * KAI_LDL_WIDTH * sizeof *block);
        for (uint32_t k = first[b]; k < first[b + 1]; k++) add_piece(&pieces[k], t, turned, block);
        if (fixed_of(e, down)) clear_row(block, fixed_of(e, down), false);
        for (size_t k = 0; k < 6 && fixed_of(e, across); k++)
            for (size_t i = 0; (fixed_of(e, across) >> k & 1) && i < width_of(e, down); i++)
                block[i * KAI_LDL_WIDTH + k] = 0.0;
    }
}

/// Masses of nodes, and ones for what cannot move.
static void put_parts(size_t begin, size_t end, void* context)
{
    const put_context* c = context;
    const kai_elements_part* parts = c->e->parts.data;
    const kai_node_record* nodes = kai_node_all(c->world);
    for (size_t i = begin; i < end; i++) {
        double* d = kai_blocks_diagonal(c->matrix, c->e->base + (uint32_t)i);
        for (size_t k = 0; parts[i].at == 0 && k < 3; k++)
            d[k * KAI_LDL_WIDTH + k] += nodes[parts[i].node].def.mass;
        for (size_t k = 0; parts[i].fixed && k < parts[i].width; k++) {
            if (!(parts[i].fixed >> k & 1)) continue;
            for (size_t j = 0; j < parts[i].width; j++)
                d[k * KAI_LDL_WIDTH + j] = d[j * KAI_LDL_WIDTH + k] = 0.0;
            d[k * KAI_LDL_WIDTH + k] = 1.0;
        }
    }
}

void kai_elements_put(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                      const kai_blocks* matrix)
{
    if (!e->fea) return;
    put_context c = {e, world, matrix};
    if (e->free)
        kai_elements_free_put(e, world, node_of, matrix);
    else
        kai_parallel_for(world->threads, e->blocks.count, BLOCK, put_range, &c);
    kai_parallel_for(world->threads, e->parts.count, BLOCK, put_parts, &c);
}

// Products ---------------------------------------------------------------------------------------

/// What products share.
typedef struct apply_context {
    const kai_elements* e;
    const kai_world* world;
    const kai_fea_batch* batch;
    const uint32_t* node_of;
    size_t coordinates;
    const double* x;
    double* y;
} apply_context;

/// y = T x, n × n.
KAI_INLINE void multiply(const double* restrict t, size_t n, const double* restrict x,
                         double* restrict y)
{
    for (size_t r = 0; r < n; r++, t += n) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (size_t c = 0; c < n; c++) sum += t[c] * x[c];
        y[r] = sum;
    }
}

void kai_elements_take(const kai_elements* e, const kai_fea_batch* batch, size_t i,
                       const uint32_t* node_of, size_t coordinates, const double* x, double* out)
{
    const uint32_t* ends =
        (const uint32_t*)e->fea->ends.data + batch->first_end + i * (size_t)batch->kind->nodes;
    for (size_t k = 0; k < batch->rows / 3; k++) {
        size_t at = SIZE_MAX;
        if (batch->kind->slopes >= 0)
            at = coordinates + 3 * (size_t)kai_fea_vector(e->fea, batch, ends, k);
        else if (node_of[ends[k / 2]] != UINT32_MAX)
            at = 6 * (size_t)node_of[ends[k / 2]] + 3 * (k % 2);
        for (size_t r = 0; r < 3; r++) out[3 * k + r] = at == SIZE_MAX ? 0.0 : x[at + r];
    }
}

/// H x of elements, each to a place of its own.
KAI_CLONES
static void apply_elements(size_t begin, size_t end, void* context)
{
    const apply_context* c = context;
    const kai_fea_batch* batch = c->batch;
    const kai_fea* f = c->e->fea;
    const size_t n = batch->rows;
    for (size_t i = begin; i < end; i++) {
        double in[KAI_ELEMENT_ROWS];
        kai_elements_take(c->e, batch, i, c->node_of, c->coordinates, c->x, in);
        const double* t = (const double*)f->tangents.data + batch->first_tangent + i * n * n;
        double* out = (double*)c->e->products.data + batch->first_force + i * n;
        if (n == 24)
            multiply(t, 24, in, out);
        else
            multiply(t, n, in, out);
    }
}

/// Adds up the places of a vector.
static void add_places(const kai_elements* e, size_t vector, double* y)
{
    const uint32_t *first = e->fea->gather_first.data, *from = e->fea->gather.data;
    double sum[3] = {0.0};
    for (uint32_t k = first[vector]; k < first[vector + 1]; k++)
        for (size_t r = 0; r < 3; r++)
            sum[r] += ((const double*)e->products.data)[3 * (size_t)from[k] + r];
    for (size_t r = 0; r < 3; r++) y[r] += sum[r];
}

static void apply_nodes(size_t begin, size_t end, void* context)
{
    const apply_context* c = context;
    const kai_node_record* nodes = kai_node_all(c->world);
    const uint32_t* first = c->e->fea->first.data;
    for (size_t i = begin; i < end; i++) {
        const size_t at = c->coordinates + first[i];
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k += 3)
            add_places(c->e, (first[i] + k) / 3, c->y + at + k);
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) {
            if (k < 3) c->y[at + k] += nodes[i].def.mass * c->x[at + k];
            if (nodes[i].def.fixed >> k & 1) c->y[at + k] = c->x[at + k];
        }
    }
}

void kai_elements_apply(const kai_elements* e, const kai_world* world, const uint32_t* node_of,
                        size_t coordinates, const double* x, double* y)
{
    if (!e->fea) return;
    const kai_fea_batch* batches = e->fea->batches.data;
    apply_context c = {e, world, NULL, node_of, coordinates, x, y};
    if (e->free) kai_elements_free_products(e, world, node_of, coordinates, x);
    for (size_t b = 0; !e->free && b < e->fea->batches.count; b++) {
        c.batch = &batches[b];
        kai_parallel_for(world->threads, batches[b].count, BLOCK, apply_elements, &c);
    }
    kai_parallel_for(world->threads, world->nodes.count, BLOCK, apply_nodes, &c);
    const uint32_t* bodies = e->fea->bodies.data;
    for (size_t i = 0; i < e->fea->bodies.count; i++)
        for (size_t k = 0; k < 2 && node_of[bodies[i]] != UINT32_MAX; k++)
            add_places(e, e->fea->coordinates / 3 + 2 * i + k,
                       y + 6 * (size_t)node_of[bodies[i]] + 3 * k);
}

// Vectors ----------------------------------------------------------------------------------------

void kai_elements_momenta(const kai_elements* e, const kai_world* world, double* x)
{
    const size_t n = e->fea->coordinates;
    double* v = e->room.data;
    if (n == 0) return;
    kai_fea_read(world, NULL, v);
    kai_fea_mass_times(e->fea, world->threads, v, x);
    kai_fea_clear_fixed(world, x);
}

kai_result kai_elements_room(kai_elements* e, kai_world* world, size_t unknowns, kai_error* err)
{
    if (e->impulse.count == unknowns) return KAI_OK;
    // The one that is asked above comes last: it has its size only when all the others have theirs.
    kai_array* all[] = {&e->momentum, &e->first_impulse, &e->first_momentum, &e->impulse};
    KAI_TRY(kai_array_resize(&e->first_v, &world->memory, e->fea->coordinates, err));
    for (size_t i = 0; i < KAI_COUNT(all); i++)
        KAI_TRY(kai_array_resize(all[i], &world->memory, unknowns, err));
    return KAI_OK;
}

void kai_elements_note_first(kai_elements* e, const kai_world* world)
{
    memcpy(e->first_impulse.data, e->impulse.data, e->impulse.count * sizeof(double));
    memcpy(e->first_momentum.data, e->momentum.data, e->momentum.count * sizeof(double));
    kai_fea_read(world, NULL, e->first_v.data);
}

void kai_elements_restart(kai_elements* e, kai_world* world)
{
    if (!e->fea) return;
    memcpy(e->impulse.data, e->first_impulse.data, e->impulse.count * sizeof(double));
    memcpy(e->momentum.data, e->first_momentum.data, e->momentum.count * sizeof(double));
    kai_fea_write(world, NULL, e->first_v.data);
}

void kai_elements_move(const kai_world* world, const double* x, double share)
{
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        double* q = kai_node_q(&nodes[i]);
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) q[k] += share * *x++;
    }
}

void kai_elements_take_accelerations(kai_world* world, const double* x)
{
    kai_node_record* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        memcpy(kai_node_a(&nodes[i]), x, kai_node_size(&nodes[i]) * sizeof *x);
        x += kai_node_size(&nodes[i]);
    }
}

double kai_elements_softness(const kai_elements* e, const uint32_t* node, uint8_t at, uint8_t width,
                             const double* g)
{
    const uint32_t *first = e->fea->mass_first.data, *column = e->fea->mass_column.data;
    const uint32_t vector = (((const uint32_t*)e->fea->first.data)[*node] + at) / 3;
    double sum = 0.0;
    for (uint32_t v = vector; v < vector + width / 3u; v++) {
        double mass = 0.0;
        for (uint32_t k = first[v]; k < first[v + 1]; k++)
            if (column[k] == v) mass = ((const double*)e->fea->mass_value.data)[k];
        for (size_t i = 0; mass > 0.0 && i < 3; i++)
            sum += g[3 * (v - vector) + i] * g[3 * (v - vector) + i] / mass;
    }
    return sum;
}
