// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/tangents.h"

#include "model/joint.h"
#include "model/load.h"
#include "model/load_switch.h"
#include "model/node.h"
#include "model/shaft.h"
#include "step/rotation.h"

#include <stdlib.h>
#include <string.h>

static const size_t BLOCK = 64;  // terms a block of work
static const double PART = 1e-6; // of a radian, or of the distance of the ends
enum { LARGEST = 4096 };         // bytes of an instance
enum { MOST = 6 * KAI_TANGENTS_ENDS };

void kai_tangents_init(kai_tangents* t)
{
    t->terms = kai_array_make(sizeof(kai_tangents_term));
    t->edges = kai_array_make(sizeof(kai_ldl_edge));
    t->values = kai_array_make(sizeof(double));
}

void kai_tangents_free(kai_tangents* t, kai_memory* memory)
{
    kai_array_free(&t->terms, memory);
    kai_array_free(&t->edges, memory);
    kai_array_free(&t->values, memory);
}

// Lists ------------------------------------------------------------------------------------------

static size_t unknowns(const kai_tangents_term* term)
{
    size_t n = 0;
    for (int k = 0; k < term->ends; k++) n += term->wide[k];
    return n;
}

static kai_result add_term(kai_tangents* t, kai_world* world, kai_tangents_term* term,
                           kai_error* err)
{
    for (int k = 0; k < term->ends; k++)
        term->wide[k] = term->slot[k] == UINT32_MAX           ? 0
                        : term->slot[k] < world->bodies.count ? 6
                                                              : 1;
    const size_t n = unknowns(term);
    term->first = (uint32_t)t->values.count;
    for (int k = 0; k < KAI_TANGENTS_ENDS; k++) term->node[k] = UINT32_MAX;
    for (int k = 0; k < 6; k++) term->edge[k] = UINT32_MAX;
    KAI_TRY(kai_array_resize(&t->values, &world->memory, t->values.count + n * n, err));
    return kai_array_append(&t->terms, &world->memory, term, 1, err);
}

static kai_result list_loads(kai_tangents* t, kai_world* world, kai_error* err)
{
    if (world->loads.count == 0) return KAI_OK;
    KAI_TRY(kai_load_ready(world, err));
    const uint32_t* slot = world->plan.slot.data;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        const kai_load_kind* kind = (const kai_load_kind*)(const void*)batch->kind;
        const size_t ends = kai_load_bodies(batch->kind);
        const bool wanted = (kind->stiff || t->mode >= KAI_TANGENTS_EVERY) &&
                            ends <= KAI_TANGENTS_ENDS && batch->kind->size <= LARGEST;
        for (size_t i = 0; i < batch->items.count; i++, slot += ends) {
            if (!wanted || kai_load_switch_is_off(world, batch, i)) continue;
            kai_tangents_term term = {
                .batch = (uint32_t)b, .index = (uint32_t)i, .ends = (uint8_t)ends};
            memcpy(term.slot, slot, ends * sizeof *slot);
            KAI_TRY(add_term(t, world, &term, err));
        }
    }
    return KAI_OK;
}

static kai_result list_joints(kai_tangents* t, kai_world* world, kai_error* err)
{
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
        // Of joints of nodes, bodies alone turn: nodes have no part in the terms.
        if (kind->node_count > 0 ? kind->other_count + kind->shaft_count > 0
                                 : kind->frameless || kai_joint_further(kind) > 0)
            continue;
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* j =
                (const kai_joint_base*)((char*)batch->items.data + i * batch->kind->size);
            kai_tangents_term term = {
                .batch = (uint32_t)b, .index = (uint32_t)i, .joint = true, .ends = 2};
            for (int k = 0; k < 2; k++)
                term.slot[k] = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[k]);
            if (j->active) KAI_TRY(add_term(t, world, &term, err));
        }
    }
    return KAI_OK;
}

kai_result kai_tangents_list(kai_tangents* t, kai_world* world, kai_tangents_mode mode,
                             kai_error* err)
{
    t->mode = mode;
    t->on = false;
    t->terms.count = t->edges.count = t->values.count = 0;
    if (mode != KAI_TANGENTS_NONE) KAI_TRY(list_loads(t, world, err));
    if (mode == KAI_TANGENTS_ALL || mode == KAI_TANGENTS_TAUT) KAI_TRY(list_joints(t, world, err));
    return KAI_OK;
}

void kai_tangents_follow(kai_tangents* t, const kai_world* world)
{
    kai_tangents_term* term = t->terms.data;
    const kai_tangents_term* end = term + t->terms.count;
    const uint32_t* slot = world->plan.slot.data;
    for (size_t b = 0; b < world->loads.batch_count; b++) {
        const kai_store_batch* batch = &world->loads.batches[b];
        const size_t ends = kai_load_bodies(batch->kind);
        for (; term < end && !term->joint && term->batch == b; term++)
            memcpy(term->slot, slot + term->index * ends, ends * sizeof *slot);
        slot += batch->items.count * ends;
    }
    for (; term < end; term++) {
        const kai_store_batch* batch = &world->joints.batches[term->batch];
        const kai_joint_base* j =
            (const kai_joint_base*)((char*)batch->items.data + term->index * batch->kind->size);
        for (int k = 0; k < 2; k++)
            term->slot[k] = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[k]);
    }
}

static int by_nodes(const void* x, const void* y)
{
    const kai_ldl_edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/// The pair of ends i < j of a term, the lower node first; false when they need no edge.
static bool pair_of(const kai_tangents_term* term, int i, int j, kai_ldl_edge* out)
{
    const uint32_t a = term->node[i], b = term->node[j];
    if (a == UINT32_MAX || b == UINT32_MAX || a == b) return false;
    *out = a < b ? (kai_ldl_edge){a, b} : (kai_ldl_edge){b, a};
    return true;
}

static int pair_number(int i, int j) { return j * (j - 1) / 2 + i; }

kai_result kai_tangents_pair(kai_tangents* t, kai_world* world, uint32_t offset, kai_error* err)
{
    kai_tangents_term* terms = t->terms.data;
    kai_ldl_edge edge;
    t->offset = offset;
    t->edges.count = 0;
    for (size_t k = 0; k < t->terms.count; k++)
        for (int j = 1; j < terms[k].ends; j++)
            for (int i = 0; i < j; i++)
                if (pair_of(&terms[k], i, j, &edge))
                    KAI_TRY(kai_array_append(&t->edges, &world->memory, &edge, 1, err));
    kai_ldl_edge* edges = t->edges.data;
    if (t->edges.count > 1) qsort(edges, t->edges.count, sizeof *edges, by_nodes);
    size_t kept = 0;
    for (size_t i = 0; i < t->edges.count; i++)
        if (i == 0 || by_nodes(&edges[i], &edges[kept - 1]) != 0) edges[kept++] = edges[i];
    t->edges.count = kept;
    for (size_t k = 0; k < t->terms.count; k++) {
        for (int j = 1; j < terms[k].ends; j++) {
            for (int i = 0; i < j; i++) {
                if (!pair_of(&terms[k], i, j, &edge)) continue;
                const kai_ldl_edge* found = bsearch(&edge, edges, kept, sizeof edge, by_nodes);
                terms[k].edge[pair_number(i, j)] = offset + (uint32_t)(found - edges);
            }
        }
    }
    return KAI_OK;
}

// Values -----------------------------------------------------------------------------------------

/// One term with copies of all that it reads, so that they can be moved about.
typedef struct probe {
    const kai_world* world;
    const kai_tangents_term* term;
    double time;
    const double* lambda; // joints: multipliers of its rows
    kai_pose pose[KAI_TANGENTS_ENDS];
    kai_motion motion[KAI_TANGENTS_ENDS];
    kai_shaft_def shafts[KAI_TANGENTS_ENDS];
    uint32_t slot[KAI_TANGENTS_ENDS];
    kai_wrench out[KAI_TANGENTS_ENDS];
    _Alignas(64) char instance[LARGEST];
} probe;

static void probe_load(probe* p)
{
    const kai_store_batch* batch = &p->world->loads.batches[p->term->batch];
    const kai_load_kind* kind = (const kai_load_kind*)(const void*)batch->kind;
    memcpy(p->instance, (char*)batch->items.data + p->term->index * batch->kind->size,
           batch->kind->size);
    const kai_load_batch one = {.world = p->world,
                                .time = p->time,
                                .instances = p->instance,
                                .end = 1,
                                .bodies = p->term->ends,
                                .slot = p->slot,
                                .pose = p->pose,
                                .motion = p->motion,
                                .out = p->out,
                                .shafts = p->shafts,
                                .body_count = KAI_TANGENTS_ENDS,
                                .functions = &p->world->functions};
    memset(p->out, 0, sizeof p->out);
    if (kind->follow) kind->follow(&one, p->instance);
    kind->apply(&one);
}

static void probe_joint(probe* p)
{
    const kai_store_batch* batch = &p->world->joints.batches[p->term->batch];
    const kai_joint_kind* kind = (const kai_joint_kind*)(const void*)batch->kind;
    const char* instance = (const char*)batch->items.data + p->term->index * batch->kind->size;
    kai_joint_row rows[KAI_JOINT_ROWS];
    uint32_t further_slot[KAI_JOINT_ENDS - 2];
    kai_wrench further[KAI_JOINT_ROWS * (KAI_JOINT_ENDS - 2)];
    kai_joint_find_further(p->world, kind, instance, further_slot);
    const kai_joint_batch one = {.world = p->world,
                                 .time = p->time,
                                 .instances = instance,
                                 .size = batch->kind->size,
                                 .end = 1,
                                 .slot = p->slot,
                                 .pose = p->pose,
                                 .motion = p->motion,
                                 .functions = &p->world->functions,
                                 .rows = rows,
                                 .further_slot = further_slot,
                                 .further = further,
                                 .shafts = p->shafts,
                                 .nodes = kai_node_all(p->world),
                                 .node_size = sizeof(kai_node_record)};
    memset(p->out, 0, sizeof p->out);
    kind->evaluate(&one);
    for (int r = 0; r < kind->rows; r++) {
        for (int k = 0; k < 2; k++) {
            const kai_wrench* g = k ? &rows[r].b : &rows[r].a;
            if (p->lambda[r] == 0.0) continue; // a row that is not used may hold anything
            p->out[k].force = kai_vec3_mul_add(p->out[k].force, g->force, p->lambda[r]);
            p->out[k].torque = kai_vec3_mul_add(p->out[k].torque, g->torque, p->lambda[r]);
        }
    }
}

static void evaluate(probe* p)
{
    if (p->term->joint)
        probe_joint(p);
    else
        probe_load(p);
}

/// The forces on all ends in one row.
static void gather(const probe* p, double* out)
{
    for (int k = 0; k < p->term->ends; k++) {
        const size_t n = p->term->wide[k];
        memcpy(out, &p->out[k], n * sizeof *out);
        out += n;
    }
}

static void begin(probe* p)
{
    const kai_world* world = p->world;
    for (int k = 0; k < p->term->ends; k++) {
        const uint32_t slot = p->term->slot[k];
        const bool body = slot < world->bodies.count;
        p->slot[k] = (uint32_t)(body ? k : KAI_TANGENTS_ENDS + k);
        if (slot == UINT32_MAX) {
            p->slot[k] = slot; // the ground
        } else if (body) {
            p->pose[k] = world->bodies.pose[slot];
            p->motion[k] = world->bodies.motion[slot];
        } else {
            p->shafts[k] = kai_shaft_all(world)[slot - world->bodies.count];
        }
    }
}

/// How far positions are moved: in proportion to the size of the thing.
static double reach(const probe* p)
{
    if (p->term->ends < 2 || p->term->wide[0] != 6 || p->term->wide[1] != 6) return PART;
    const double d = kai_vec3_distance(p->pose[0].position, p->pose[1].position);
    return PART * (d > 0.0 ? fmin(fmax(d, 1e-9), 1e3) : 1.0);
}

/// Moves one unknown of an end by d, and its velocity by v.
static void push(probe* p, int k, size_t unknown, double d, double v)
{
    if (p->term->wide[k] == 1) {
        p->shafts[k].angle += d;
        p->shafts[k].speed += v;
        return;
    }
    const kai_vec3 axis = kai_vec3_axis((int)(unknown % 3));
    if (unknown < 3) {
        p->pose[k].position = kai_vec3_mul_add(p->pose[k].position, axis, d);
        p->motion[k].velocity = kai_vec3_mul_add(p->motion[k].velocity, axis, v);
    } else {
        p->pose[k].rotation =
            kai_quat_mul(p->pose[k].rotation, kai_rotation_exp(kai_vec3_scale(axis, d)));
        p->motion[k].spin = kai_vec3_mul_add(p->motion[k].spin, axis, v);
    }
}

static void find_term(probe* p, double position, double velocity, double* t)
{
    const size_t n = unknowns(p->term);
    double at[MOST], moved[MOST];
    begin(p);
    evaluate(p);
    gather(p, at);
    const double far = reach(p);
    size_t column = 0;
    for (int k = 0; k < p->term->ends; k++) {
        const size_t count = p->term->wide[k];
        for (size_t u = 0; u < count; u++, column++) {
            const double d = count == 6 && u < 3 ? far : PART;
            push(p, k, u, d, d * velocity / position);
            evaluate(p);
            gather(p, moved);
            for (size_t row = 0; row < n; row++)
                t[row * n + column] = -position * (moved[row] - at[row]) / d;
            begin(p);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            t[i * n + j] = t[j * n + i] = 0.5 * (t[i * n + j] + t[j * n + i]);
}

typedef struct find_context {
    const kai_tangents* t;
    const kai_world* world;
    double time, position, velocity;
    const double* lambda;
    const uint32_t* first;
} find_context;

static void find_range(size_t begin_, size_t end, void* context)
{
    const find_context* c = context;
    const kai_tangents_term* terms = c->t->terms.data;
    probe p = {.world = c->world, .time = c->time};
    for (size_t i = begin_; i < end; i++) {
        p.term = &terms[i];
        if (terms[i].joint) {
            const kai_joint_kind* kind =
                (const kai_joint_kind*)(const void*)c->world->joints.batches[terms[i].batch].kind;
            p.lambda = c->lambda + c->first[terms[i].batch] + terms[i].index * (size_t)kind->rows;
        }
        find_term(&p, c->position, c->velocity, (double*)c->t->values.data + terms[i].first);
    }
}

kai_result kai_tangents_find(kai_tangents* t, kai_world* world, double time, double position,
                             double velocity, const double* lambda, const uint32_t* first,
                             kai_error* err)
{
    (void)err;
    find_context c = {t, world, time, position, velocity, lambda, first};
    kai_parallel_for(world->threads, t->terms.count, BLOCK, find_range, &c);
    return KAI_OK;
}

// The matrix -------------------------------------------------------------------------------------

static size_t rows_of(size_t bodies, uint32_t node) { return node < bodies ? 6 : 1; }

static void clear_pairs(const kai_tangents* t, size_t bodies, const kai_blocks* matrix)
{
    const kai_ldl_edge* edges = t->edges.data;
    for (size_t e = 0; e < t->edges.count; e++) {
        bool flipped;
        double* block = kai_blocks_block(matrix, t->offset + (uint32_t)e, &flipped);
        const size_t down = rows_of(bodies, flipped ? edges[e].b : edges[e].a);
        memset(block, 0, down * KAI_LDL_WIDTH * sizeof *block);
    }
}

/// Adds the part of T that couples ends i and j to a block whose rows are those of i.
static void add_block(const double* t, size_t n, size_t row, size_t column, size_t rows,
                      size_t columns, double* block)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            block[r * KAI_LDL_WIDTH + c] += t[(row + r) * n + column + c];
}

static void add_term_blocks(const kai_tangents* t, const kai_tangents_term* term, size_t bodies,
                            const kai_blocks* matrix, const size_t* at, size_t n)
{
    const double* values = (const double*)t->values.data + term->first;
    for (int i = 0; i < term->ends; i++) {
        for (int j = 0; j < term->ends; j++) {
            const uint32_t a = term->node[i], b = term->node[j];
            if (a == UINT32_MAX || b == UINT32_MAX) continue;
            const size_t rows = rows_of(bodies, a), columns = rows_of(bodies, b);
            if (a == b) {
                add_block(values, n, at[i], at[j], rows, columns, kai_blocks_diagonal(matrix, a));
                continue;
            }
            if (i > j) continue; // the other half
            bool flipped;
            double* block = kai_blocks_block(matrix, term->edge[pair_number(i, j)], &flipped);
            if ((a < b) != flipped) // the lower node is the edge's a
                add_block(values, n, at[i], at[j], rows, columns, block);
            else
                add_block(values, n, at[j], at[i], columns, rows, block);
        }
    }
}

void kai_tangents_put(const kai_tangents* t, size_t bodies, const kai_blocks* matrix)
{
    clear_pairs(t, bodies, matrix);
    if (!t->on) return;
    const kai_tangents_term* terms = t->terms.data;
    for (size_t k = 0; k < t->terms.count; k++) {
        size_t at[KAI_TANGENTS_ENDS], n = 0;
        for (int i = 0; i < terms[k].ends; i++) {
            at[i] = n;
            n += terms[k].wide[i];
        }
        add_term_blocks(t, &terms[k], bodies, matrix, at, n);
    }
}

static size_t place(size_t bodies, uint32_t node)
{
    return node < bodies ? 6 * (size_t)node : 5 * bodies + node;
}

void kai_tangents_apply(const kai_tangents* t, size_t bodies, const double* x, double* y)
{
    const kai_tangents_term* terms = t->terms.data;
    for (size_t k = 0; t->on && k < t->terms.count; k++) {
        const double* values = (const double*)t->values.data + terms[k].first;
        const size_t n = unknowns(&terms[k]);
        for (int i = 0, row = 0; i < terms[k].ends; row += terms[k].wide[i++]) {
            for (int j = 0, column = 0; j < terms[k].ends; column += terms[k].wide[j++]) {
                const uint32_t a = terms[k].node[i], b = terms[k].node[j];
                if (a == UINT32_MAX || b == UINT32_MAX) continue;
                for (size_t r = 0; r < terms[k].wide[i]; r++)
                    for (size_t c = 0; c < terms[k].wide[j]; c++)
                        y[place(bodies, a) + r] +=
                            values[((size_t)row + r) * n + (size_t)column + c] *
                            x[place(bodies, b) + c];
            }
        }
    }
}
