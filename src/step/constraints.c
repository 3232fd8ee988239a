// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "step/constraints.h"

#include "model/joint_view.h"
#include "step/rotation.h"

#include <string.h>

static const size_t BLOCK = 64;        // joints, or bodies, a block of work
static const double REDUNDANT = 1e-10; // pivots below this share of their terms are taken as zero
static const double SOFT = 1e-9; // compliance where rows are redundant, as a share of G M⁻¹ Gᵀ

// Layout -----------------------------------------------------------------------------------------

static void destroy(kai_world* world, void* data)
{
    kai_constraints* c = data;
    kai_array* all[] = {&c->joints, &c->bodies, &c->node_of, &c->slots, &c->rows,
                        &c->first,  &c->lambda, &c->x,       &c->state};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], &world->memory);
    kai_ldl_free(&c->ldl);
    kai_memory_release(&world->memory, c, sizeof *c);
}

static kai_result create(kai_world* world, kai_error* err)
{
    if (world->solver) return KAI_OK;
    kai_constraints* c = kai_memory_allocate_zeroed(&world->memory, 1, sizeof *c);
    if (!c) return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for the joints' system");
    c->joints = kai_array_make(sizeof(kai_constraints_joint));
    c->bodies = c->node_of = c->slots = c->first = kai_array_make(sizeof(uint32_t));
    c->rows = kai_array_make(sizeof(kai_joint_row));
    c->state = kai_array_make(sizeof(uint8_t));
    c->lambda = c->x = kai_array_make(sizeof(double));
    kai_ldl_init(&c->ldl, &world->memory);
    world->solver = c;
    world->solver_destroy = destroy;
    return KAI_OK;
}

static const kai_joint_kind* kind_of(const kai_store_batch* batch)
{
    return (const kai_joint_kind*)(const void*)batch->kind;
}

static bool is_fixed(const kai_world* world, uint32_t slot)
{
    return world->bodies.motion[slot].flags & KAI_BODY_FIXED;
}

/// Slots of all joints' bodies, and where the rows of each batch begin.
static kai_result list_slots(kai_constraints* c, kai_world* world, kai_error* err)
{
    kai_memory* m = &world->memory;
    const kai_store* store = &world->joints;
    KAI_TRY(kai_array_resize(&c->slots, m, 2 * store->count, err));
    KAI_TRY(kai_array_resize(&c->first, m, store->batch_count, err));
    uint32_t *slot = c->slots.data, row = 0;
    for (size_t b = 0; b < store->batch_count; b++) {
        const kai_store_batch* batch = &store->batches[b];
        ((uint32_t*)c->first.data)[b] = row;
        row += (uint32_t)batch->items.count * (uint32_t)kind_of(batch)->rows;
        for (size_t i = 0; i < batch->items.count; i++) {
            const kai_joint_base* j =
                (const kai_joint_base*)((char*)batch->items.data + i * batch->kind->size);
            for (int k = 0; k < 2; k++)
                *slot++ = (uint32_t)kai_bodies_slot(&world->bodies, j->bodies[k]);
        }
    }
    KAI_TRY(kai_array_resize(&c->rows, m, row, err));
    KAI_TRY(kai_array_resize(&c->lambda, m, row, err));
    KAI_TRY(kai_array_resize(&c->state, m, row, err));
    if (row > 0) memset(c->state.data, 0, row);
    if (row > 0) memset(c->lambda.data, 0, row * sizeof(double));
    return KAI_OK;
}

/// Active joints that hold a body that can move, and those bodies as nodes.
static kai_result list_joints(kai_constraints* c, kai_world* world, kai_error* err)
{
    kai_memory* m = &world->memory;
    c->joints.count = c->bodies.count = 0;
    c->bounded = false;
    KAI_TRY(kai_array_resize(&c->node_of, m, world->bodies.count, err));
    uint32_t *node_of = c->node_of.data, *slot = c->slots.data;
    for (size_t i = 0; i < world->bodies.count; i++) node_of[i] = UINT32_MAX;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        const int rows = kind_of(batch)->rows;
        for (size_t i = 0; i < batch->items.count; i++, slot += 2) {
            const kai_joint_base* j =
                (const kai_joint_base*)((char*)batch->items.data + i * batch->kind->size);
            if (!j->active || (is_fixed(world, slot[0]) && is_fixed(world, slot[1]))) continue;
            const kai_constraints_joint joint = {.batch = (uint32_t)b,
                                                 .index = (uint32_t)i,
                                                 .count = (uint8_t)rows,
                                                 .velocity_level = kind_of(batch)->velocity_level,
                                                 .bounded = kind_of(batch)->bounded,
                                                 .first = ((uint32_t*)c->first.data)[b] +
                                                          (uint32_t)i * (uint32_t)rows,
                                                 .slot = {slot[0], slot[1]}};
            c->bounded |= joint.bounded;
            KAI_TRY(kai_array_append(&c->joints, m, &joint, 1, err));
            for (int k = 0; k < 2; k++) {
                if (is_fixed(world, slot[k]) || node_of[slot[k]] != UINT32_MAX) continue;
                node_of[slot[k]] = (uint32_t)c->bodies.count;
                KAI_TRY(kai_array_append(&c->bodies, m, &slot[k], 1, err));
            }
        }
    }
    return KAI_OK;
}

/// Nodes: bodies, then joints. Edges: each joint to each body that can move.
static kai_result lay_out_system(kai_constraints* c, kai_world* world, kai_error* err)
{
    const uint32_t bodies = (uint32_t)c->bodies.count, joints = (uint32_t)c->joints.count;
    kai_ldl_node* nodes = kai_arena_take(&world->arena, bodies + joints, sizeof *nodes, err);
    kai_ldl_edge* edges = kai_arena_take(&world->arena, 2 * joints, sizeof *edges, err);
    if (!nodes || !edges) return KAI_ERROR_MEMORY;
    kai_constraints_joint* list = c->joints.data;
    const uint32_t* node_of = c->node_of.data;
    uint32_t edge_count = 0, rows = 6 * bodies;
    for (uint32_t i = 0; i < bodies; i++) nodes[i] = (kai_ldl_node){.rows = 6};
    for (uint32_t i = 0; i < joints; i++) {
        list[i].node = bodies + i;
        nodes[bodies + i] = (kai_ldl_node){.rows = list[i].count, .constraint = true};
        rows += list[i].count;
        for (int k = 0; k < 2; k++) {
            const uint32_t node = node_of[list[i].slot[k]];
            list[i].edge[k] = node == UINT32_MAX ? UINT32_MAX : edge_count;
            if (node != UINT32_MAX) edges[edge_count++] = (kai_ldl_edge){bodies + i, node};
        }
    }
    KAI_TRY(kai_array_resize(&c->x, &world->memory, rows, err));
    return kai_ldl_analyze(&c->ldl, nodes, bodies + joints, edges, edge_count, err);
}

kai_result kai_constraints_get(kai_world* world, kai_constraints** out, kai_error* err)
{
    *out = NULL;
    if (world->joints.count == 0) return KAI_OK;
    KAI_TRY(create(world, err));
    kai_constraints* c = world->solver;
    if (c->joints_version != world->joints.version || c->bodies_version != world->bodies_version) {
        const kai_arena_mark mark = kai_arena_marked(&world->arena);
        c->joints_version = 0;
        kai_result r = list_slots(c, world, err);
        if (r == KAI_OK) r = list_joints(c, world, err);
        if (r == KAI_OK) r = lay_out_system(c, world, err);
        kai_arena_release(&world->arena, mark);
        KAI_TRY(r);
        c->joints_version = world->joints.version;
        c->bodies_version = world->bodies_version;
        c->told = c->soft = false;
    }
    if (c->joints.count > 0) *out = c;
    return KAI_OK;
}

// Rows -------------------------------------------------------------------------------------------

typedef struct evaluate_context {
    const kai_joint_kind* kind;
    kai_joint_batch batch;
} evaluate_context;

static void evaluate_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const evaluate_context* c = context;
    kai_joint_batch batch = c->batch;
    batch.begin = begin;
    batch.end = end;
    c->kind->evaluate(&batch);
}

void kai_constraints_evaluate(kai_constraints* c, kai_world* world, double time)
{
    const uint32_t* slot = c->slots.data;
    for (size_t b = 0; b < world->joints.batch_count; b++) {
        const kai_store_batch* batch = &world->joints.batches[b];
        evaluate_context e = {
            kind_of(batch),
            {.world = world,
             .time = time,
             .instances = batch->items.data,
             .size = batch->kind->size,
             .slot = slot,
             .pose = world->bodies.pose,
             .motion = world->bodies.motion,
             .functions = &world->functions,
             .rows = (kai_joint_row*)c->rows.data + ((uint32_t*)c->first.data)[b]}};
        kai_parallel_for(world->threads, batch->items.count, BLOCK, evaluate_range, &e);
        slot += 2 * batch->items.count;
    }
}

double kai_constraints_violation(const kai_constraints* c, const kai_world* world)
{
    double most = 0.0;
    const kai_joint_row* rows = c->rows.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        const kai_joint_kind* kind = kind_of(&world->joints.batches[joints[i].batch]);
        for (uint32_t r = 0; r < joints[i].count; r++)
            most = fmax(most, kai_joint_view_gap(kind, &rows[joints[i].first + r]));
    }
    return most;
}

// The matrix -------------------------------------------------------------------------------------

/// What filling the matrix needs; joints and bodies each write to blocks of their own.
typedef struct fill_context {
    kai_constraints* c;
    const kai_world* world;
} fill_context;

static void put_mass(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const fill_context* f = context;
    const uint32_t* slot = f->c->bodies.data;
    for (size_t i = begin; i < end; i++) {
        double* d = kai_ldl_diagonal(&f->c->ldl, (uint32_t)i);
        const kai_bodies_mass* mass = &f->world->bodies.mass[slot[i]];
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (int k = 0; k < 6; k++) d[k * KAI_LDL_WIDTH + k] = m[k];
    }
}

static void put_block(const kai_ldl* ldl, uint32_t edge, const kai_joint_row* rows, size_t which,
                      int count)
{
    bool flipped;
    double* block = kai_ldl_block(ldl, edge, &flipped);
    for (int r = 0; r < count; r++) {
        const double* j = (const double*)((const char*)&rows[r] + which);
        for (int k = 0; k < 6; k++)
            block[flipped ? k * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + k] = j[k];
    }
}

/// Names the joints whose rows were left out, once a layout.
static void tell_redundant(kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    if (c->told || c->ldl.redundant == 0) return;
    c->told = true;
    for (size_t i = 0; i < c->joints.count; i++) {
        uint32_t n = 0;
        for (uint32_t r = 0; r < joints[i].count; r++)
            n += kai_ldl_is_redundant(&c->ldl, joints[i].node, r);
        if (n == 0) continue;
        const kai_store_batch* batch = &world->joints.batches[joints[i].batch];
        const kai_id id = kai_store_id(&world->joints, joints[i].batch, joints[i].index);
        kai_world_log(world, KAI_LOG_WARNING,
                      "%s joint '%s' (#%u): %u of its %u rows are redundant", batch->kind->name,
                      kai_store_name(&world->joints, id), id.index, n, joints[i].count);
    }
}

/// G M⁻¹ Gᵀ of one row.
static double softness(const kai_world* world, const kai_constraints_joint* joint,
                       const kai_joint_row* row)
{
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const kai_wrench* w = k ? &row->b : &row->a;
        const kai_bodies_mass* mass = &world->bodies.mass[joint->slot[k]];
        sum += mass->inverse_mass * kai_vec3_norm2(w->force) +
               kai_vec3_dot(w->torque, kai_rotation_spin(mass, w->torque));
    }
    return sum;
}

/// A trace of compliance, the same for every row so that multipliers of least norm come out: SOFT
/// times the mean of G M⁻¹ Gᵀ.
static void put_compliance(kai_constraints* c, const kai_world* world)
{
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++)
            sum += softness(world, &joints[i], &rows[joints[i].first + r]);
        count += joints[i].count;
    }
    for (size_t i = 0; i < c->joints.count; i++) {
        double* d = kai_ldl_diagonal(&c->ldl, joints[i].node);
        for (uint32_t r = 0; r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) == KAI_CONSTRAINTS_HELD)
                d[r * KAI_LDL_WIDTH + r] = -SOFT * sum / count;
    }
}

/// Rows that do not hold are cut out: no coupling, and -1 on the diagonal.
static void cut_row(kai_constraints* c, const kai_constraints_joint* joint, uint32_t r)
{
    for (int k = 0; k < 2; k++) {
        if (joint->edge[k] == UINT32_MAX) continue;
        bool flipped;
        double* block = kai_ldl_block(&c->ldl, joint->edge[k], &flipped);
        for (uint32_t p = 0; p < 6; p++)
            block[flipped ? p * KAI_LDL_WIDTH + r : r * KAI_LDL_WIDTH + p] = 0.0;
    }
    kai_ldl_diagonal(&c->ldl, joint->node)[r * KAI_LDL_WIDTH + r] = -1.0;
}

static void put_rows(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    kai_constraints* c = ((const fill_context*)context)->c;
    const kai_constraints_joint* joints = c->joints.data;
    const kai_joint_row* rows = c->rows.data;
    for (size_t i = begin; i < end; i++) {
        const kai_joint_row* row = rows + joints[i].first;
        if (joints[i].edge[0] != UINT32_MAX)
            put_block(&c->ldl, joints[i].edge[0], row, offsetof(kai_joint_row, a), joints[i].count);
        if (joints[i].edge[1] != UINT32_MAX)
            put_block(&c->ldl, joints[i].edge[1], row, offsetof(kai_joint_row, b), joints[i].count);
        for (uint32_t r = 0; joints[i].bounded && r < joints[i].count; r++)
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD)
                cut_row(c, &joints[i], r);
    }
}

/// KAI_ERROR_DIVERGED, naming the body or joint of a pivot that is no good.
static kai_result bad_pivot(const kai_constraints* c, const kai_world* world, uint32_t node,
                            kai_error* err)
{
    if (node < c->bodies.count) {
        char text[KAI_STRING_SIZE + 32];
        kai_bodies_describe(&world->bodies, ((const uint32_t*)c->bodies.data)[node], text,
                            sizeof text);
        return kai_error_set(err, KAI_ERROR_DIVERGED, "%s: the joints' system is not finite there",
                             text);
    }
    const kai_constraints_joint* j =
        (const kai_constraints_joint*)c->joints.data + (node - c->bodies.count);
    const kai_id id = kai_store_id(&world->joints, j->batch, j->index);
    return kai_error_set(err, KAI_ERROR_DIVERGED, "joint '%s' (#%u): its rows are not finite",
                         kai_store_name(&world->joints, id), id.index);
}

kai_result kai_constraints_factor(kai_constraints* c, kai_world* world, kai_error* err)
{
    for (;;) {
        uint32_t node;
        kai_ldl_clear(&c->ldl, world->threads);
        fill_context f = {c, world};
        kai_parallel_for(world->threads, c->bodies.count, BLOCK, put_mass, &f);
        kai_parallel_for(world->threads, c->joints.count, BLOCK, put_rows, &f);
        if (c->soft) put_compliance(c, world);
        if (!kai_ldl_factor(&c->ldl, world->threads, c->soft ? 0.0 : REDUNDANT, &node))
            return bad_pivot(c, world, node, err);
        if (c->soft || c->ldl.redundant == 0) return KAI_OK;
        tell_redundant(c, world);
        c->soft = true;
    }
}

// Solution ---------------------------------------------------------------------------------------

/// y := K x with the matrix as it is without compliance.
static void apply(const kai_constraints* c, const kai_world* world, const double* x, double* y)
{
    const uint32_t *slot = c->bodies.data, *node_of = c->node_of.data;
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->bodies.count; i++) {
        const kai_bodies_mass* mass = &world->bodies.mass[slot[i]];
        const double m[6] = {mass->mass,      mass->mass,      mass->mass,
                             mass->moments.x, mass->moments.y, mass->moments.z};
        for (size_t k = 0; k < 6; k++) y[6 * i + k] = m[k] * x[6 * i + k];
    }
    const double* mu = x + 6 * c->bodies.count;
    double* out = y + 6 * c->bodies.count;
    for (size_t i = 0; i < c->joints.count; i++) {
        for (uint32_t r = 0; r < joints[i].count; r++, mu++, out++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + joints[i].first + r;
            if (*kai_constraints_state_of(c, joints[i].first + r) != KAI_CONSTRAINTS_HELD) {
                *out = -*mu;
                continue;
            }
            *out = 0.0;
            for (int k = 0; k < 2; k++) {
                const uint32_t node = node_of[joints[i].slot[k]];
                const double* g = (const double*)(k ? &row->b : &row->a);
                for (size_t p = 0; node != UINT32_MAX && p < 6; p++) {
                    *out += g[p] * x[6 * node + p];
                    y[6 * node + p] += g[p] * *mu;
                }
            }
        }
    }
}

/// With compliance in the factors, corrections from the residual of the true system: the
/// multipliers start at zero and only ever move within the range of G, so they end at the solution
/// of least norm (the proximal point method). Each round gains a factor of SOFT.
static kai_result refine(kai_constraints* c, kai_world* world, kai_error* err)
{
    const size_t n = c->x.count;
    double *x = c->x.data, *b = kai_arena_take(&world->arena, n, sizeof *b, err);
    double* sum = kai_arena_take(&world->arena, n, sizeof *sum, err);
    if (!b || !sum) return KAI_ERROR_MEMORY;
    memcpy(b, x, n * sizeof *x);
    memset(sum, 0, n * sizeof *sum);
    for (int round = 0; round < 4; round++) {
        kai_ldl_solve(&c->ldl, world->threads, x);
        for (size_t i = 0; i < n; i++) sum[i] += x[i];
        apply(c, world, sum, x);
        for (size_t i = 0; i < n; i++) x[i] = b[i] - x[i];
    }
    memcpy(x, sum, n * sizeof *x);
    return KAI_OK;
}

kai_result kai_constraints_solve(kai_constraints* c, kai_world* world, kai_error* err)
{
    if (!c->soft) {
        kai_ldl_solve(&c->ldl, world->threads, c->x.data);
        return KAI_OK;
    }
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    const kai_result r = refine(c, world, err);
    kai_arena_release(&world->arena, mark);
    return r;
}

kai_result kai_constraints_refuse_bounded(const kai_constraints* c, const char* integrator,
                                          kai_error* err)
{
    if (!c || !c->bounded) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "%s cannot do limits, ropes and friction of joints; use euler",
                         integrator);
}

double* kai_constraints_unknowns(const kai_constraints* c) { return c->x.data; }

kai_result kai_constraints_residual(kai_world* world, double* most, kai_error* err)
{
    kai_constraints* c;
    *most = 0.0;
    KAI_TRY(kai_constraints_get(world, &c, err));
    if (!c) return KAI_OK;
    kai_constraints_evaluate(c, world, world->time);
    const kai_constraints_joint* joints = c->joints.data;
    for (size_t i = 0; i < c->joints.count; i++) {
        const kai_motion *a = &world->bodies.motion[joints[i].slot[0]],
                         *b = &world->bodies.motion[joints[i].slot[1]];
        for (uint32_t r = joints[i].first; r < joints[i].first + joints[i].count; r++) {
            const kai_joint_row* row = (const kai_joint_row*)c->rows.data + r;
            if (*kai_constraints_state_of(c, r) != KAI_CONSTRAINTS_HELD) continue;
            *most = fmax(*most, fabs(row->gt + kai_vec3_dot(row->a.force, a->velocity) +
                                     kai_vec3_dot(row->a.torque, a->spin) +
                                     kai_vec3_dot(row->b.force, b->velocity) +
                                     kai_vec3_dot(row->b.torque, b->spin)));
        }
    }
    return KAI_OK;
}
