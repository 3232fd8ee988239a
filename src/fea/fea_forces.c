// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Forces and tangents of all elements, and their sums.
#include "base/error.h"
#include "base/parallel.h"
#include "fea/fea.h"
#include "math/dense.h"
#include "model/label.h"

#include <string.h>

enum { LINE = 64 };                                      // bytes of a cache line
enum { GROUP = 8 };                                      // elements that a kind gets at once
enum { ROOM = 2 * KAI_ELEMENT_ROWS * KAI_ELEMENT_ROWS }; // numbers of tangents that go to the sink
static const size_t BLOCK = 64;                          // elements a block of work
static const size_t VECTORS = 1024;                      // vectors a block of work

/// What the elements of a group are given.
typedef struct group {
    double q[GROUP * 7 * KAI_ELEMENT_NODES];
    double v[GROUP * KAI_ELEMENT_ROWS];
} group;

/// What the loops over elements share.
typedef struct element_context {
    const kai_fea* fea;
    const kai_world* world;
    const kai_fea_batch* batch;
    const kai_fea_state* state; // NULL: the present one
    bool at_rest;               // velocities count as none
    double position, velocity;  // weights of tangents
    bool tangents;              // are wanted
    bool definite;              // … without what drives apart
    kai_fea_there there;        // what fea->forces holds
} element_context;

static void gather_node(const kai_node_record* node, uint8_t slope, size_t size, double* q,
                        double* v)
{
    memcpy(q, &node->def.position.x, 3 * sizeof *q);
    memcpy(v, &node->def.velocity.x, 3 * sizeof *v);
    for (size_t k = 3; k < size; k++) {
        q[k] = (&node->def.position.x)[k];
        v[k] = (&node->def.velocity.x)[k];
    }
    if (slope == 0) return;
    memcpy(q + 3, &node->def.slope[slope].x, 3 * sizeof *q);
    memcpy(v + 3, &node->def.slope_velocity[slope].x, 3 * sizeof *v);
}

static void gather_body(const kai_world* world, uint32_t slot, double* q, double* v)
{
    const kai_motion* motion = &world->bodies.motion[slot];
    const kai_vec3 w = kai_quat_rotate(world->bodies.pose[slot].rotation, motion->spin);
    const double all[6] = {
        motion->velocity.x, motion->velocity.y, motion->velocity.z, w.x, w.y, w.z};
    kai_element_frame(world, slot, q);
    memcpy(v, all, sizeof all);
}

size_t kai_fea_forces_place(const kai_fea* f, uint32_t slot)
{
    const uint32_t* bodies = f->bodies.data;
    size_t low = 0, high = f->bodies.count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (bodies[middle] <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void kai_fea_forces_frame(const kai_fea* f, const kai_world* world, size_t i, kai_fea_frame* out)
{
    const uint32_t slot = ((const uint32_t*)f->bodies.data)[i];
    gather_body(world, slot, out->q, out->v);
    out->rotation = world->bodies.pose[slot].rotation;
}

/// The same of a state other than the present one.
static void gather_kept(const element_context* c, size_t first, size_t count, group* g)
{
    const kai_element_kind* kind = c->batch->kind;
    const size_t nodes = (size_t)kind->nodes, vectors = c->batch->rows / 3;
    const uint32_t* ends = (const uint32_t*)c->fea->ends.data + c->batch->first_end;
    for (size_t k = first * nodes; kind->slopes < 0 && k < (first + count) * nodes; k++) {
        const kai_fea_frame* frame = &c->state->frames[kai_fea_forces_place(c->fea, ends[k])];
        memcpy(g->q + 7 * (k - first * nodes), frame->q, sizeof frame->q);
        memcpy(g->v + 6 * (k - first * nodes), frame->v, sizeof frame->v);
    }
    for (size_t i = 0; kind->slopes >= 0 && i < count; i++) {
        for (size_t j = 0; j < vectors; j++) {
            const size_t from = 3 * (size_t)kai_fea_vector(c->fea, c->batch,
                                                           ends + (first + i) * nodes, j),
                         to = 3 * (i * vectors + j);
            memcpy(g->q + to, c->state->q + from, 3 * sizeof *g->q);
            memcpy(g->v + to, c->state->v + from, 3 * sizeof *g->v);
        }
    }
}

/// The state of elements [first, first + count).
static void gather_state(const element_context* c, size_t first, size_t count, group* g)
{
    const kai_element_kind* kind = c->batch->kind;
    const uint32_t* end =
        (const uint32_t*)c->fea->ends.data + c->batch->first_end + first * (size_t)kind->nodes;
    const size_t ends = count * (size_t)kind->nodes;
    if (kind->slopes < 0) {
        for (size_t k = 0; k < ends; k++) gather_body(c->world, end[k], g->q + 7 * k, g->v + 6 * k);
        return;
    }
    const kai_node_record* nodes = kai_node_all(c->world);
    const uint8_t* slope =
        (const uint8_t*)c->fea->slopes.data + (end - (const uint32_t*)c->fea->ends.data);
    const size_t size = 3 * (size_t)(1 + kind->slopes);
    for (size_t k = 0; k < ends; k++)
        gather_node(&nodes[end[k]], slope[k], size, g->q + size * k, g->v + size * k);
}

static void gather(const element_context* c, size_t first, size_t count, group* g)
{
    if (c->state)
        gather_kept(c, first, count, g);
    else
        gather_state(c, first, count, g);
    if (c->at_rest) memset(g->v, 0, count * c->batch->rows * sizeof *g->v);
}

static kai_element_batch batch_of(const element_context* c, size_t first, size_t count,
                                  const group* g)
{
    const kai_fea_batch* b = c->batch;
    const kai_store_batch* items = &c->world->elements.batches[b->batch];
    double* tangents = c->fea->tangents.data;
    return (kai_element_batch){
        .instances = (const char*)items->items.data + first * b->kind->kind.size,
        .data = (const char*)((const double*)c->fea->data.data + b->first_data) +
                first * b->kind->data_size,
        .solids = (const kai_solid_view*)c->fea->solids.data + b->first_solid +
                  first * (size_t)b->kind->solids,
        .count = count,
        .q = g->q,
        .v = g->v,
        .position = c->position,
        .velocity = c->velocity,
        .force = (double*)c->fea->forces.data + b->first_force + first * b->rows,
        .time = c->state ? c->state->time : c->fea->time,
        .functions = &c->world->functions,
        .tangent = c->tangents && tangents ? tangents + b->first_tangent + first * b->rows * b->rows
                                           : NULL};
}

/// The first elements of [*first, end), as many as a kind gets at once, with their state in `g`.
/// `*first` goes on to those after them.
static kai_element_batch next_group(const element_context* c, size_t* first, size_t end, group* g)
{
    const size_t begin = *first, count = end - begin < GROUP ? end - begin : GROUP;
    *first += count;
    gather(c, begin, count, g);
    return batch_of(c, begin, count, g);
}

/// One element, by its place in the store, and its kind; no kind when it is not laid out.
static const kai_element_kind* find_element(const kai_fea* f, const kai_world* world, size_t batch,
                                            size_t index, group* g, kai_element_batch* out)
{
    const kai_fea_batch* batches = f->batches.data;
    size_t b = 0;
    while (b < f->batches.count && batches[b].batch != batch) b++;
    if (b == f->batches.count) return NULL;
    const element_context c = {.fea = f, .world = world, .batch = &batches[b]};
    *out = next_group(&c, &index, index + 1, g);
    return batches[b].kind;
}

// Tangents ---------------------------------------------------------------------------------------

/// Adds an element's mass, m ⊗ I₃, to its tangent. `upper`: no more than that triangle counts.
static void add_mass(const element_context* c, size_t i, double share, bool upper, double* t)
{
    const size_t n = c->batch->rows, m = n / 3;
    if (!c->batch->kind->mass) return;
    const double* mass = (const double*)c->fea->masses.data + c->batch->first_mass + i * m * m;
    for (size_t r = 0; r < m; r++, mass += m) {
        double* row = t + 3 * r * n;
        for (size_t k = upper ? r : 0; k < m; k++)
            for (size_t d = 0; d < 3; d++) row[d * (n + 1) + 3 * k] += share * mass[k];
    }
}

/// Turns the 3 × 3 block at t: Rᵀ T or T R.
static void turn_rows(double* t, size_t n, const kai_mat33* r)
{
    for (size_t k = 0; k < n; k++) {
        const double a = t[k], b = t[n + k], c = t[2 * n + k];
        for (size_t i = 0; i < 3; i++)
            t[i * n + k] = r->m[0][i] * a + r->m[1][i] * b + r->m[2][i] * c;
    }
}

static void turn_columns(double* t, size_t n, const kai_mat33* r)
{
    for (size_t k = 0; k < n; k++, t += n) {
        const double a = t[0], b = t[1], c = t[2];
        for (size_t i = 0; i < 3; i++) t[i] = a * r->m[0][i] + b * r->m[1][i] + c * r->m[2][i];
    }
}

/// Rotations and torques of frames go to principal axes; the matrix is made symmetric.
static void turn_frames(const element_context* c, size_t i, double* t)
{
    const size_t n = c->batch->rows, nodes = (size_t)c->batch->kind->nodes;
    const uint32_t* end = (const uint32_t*)c->fea->ends.data + c->batch->first_end + i * nodes;
    for (size_t k = 0; k < nodes; k++) {
        const kai_mat33 r = kai_quat_to_mat33(
            c->state ? c->state->frames[kai_fea_forces_place(c->fea, end[k])].rotation
                     : c->world->bodies.pose[end[k]].rotation);
        turn_rows(t + (6 * k + 3) * n, n, &r);
        turn_columns(t + 6 * k + 3, n, &r);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            t[a * n + b] = t[b * n + a] = 0.5 * (t[a * n + b] + t[b * n + a]);
}

/// Some elements that a kind gets at once. `local`: where tangents go, or NULL.
static void evaluate_group(const element_context* c, size_t first, size_t count, double* local)
{
    const size_t n = c->batch->rows;
    double aside[GROUP * KAI_ELEMENT_ROWS];
    group g;
    gather(c, first, count, &g);
    kai_element_batch batch = batch_of(c, first, count, &g);
    if (local) batch.tangent = local;
    if (c->state) batch.force = aside;
    batch.upper = local && !c->definite && c->batch->kind->slopes >= 0;
    c->batch->kind->force(&batch);
    for (size_t i = 0; c->tangents && i < count; i++) {
        double* t = batch.tangent + i * n * n;
        if (c->batch->kind->slopes < 0) turn_frames(c, first + i, t);
        if (c->definite) kai_dense_make_definite((int)n, t, (int)n);
        if (c->batch->kind->slopes < 0) continue;
        const double damping =
            ((const double*)c->fea->damping.data)[c->batch->first_element + first + i];
        add_mass(c, first + i, 1.0 + c->velocity * damping, local != NULL, t);
    }
}

static void evaluate_range(size_t begin, size_t end, void* context)
{
    for (size_t first = begin; first < end; first += GROUP)
        evaluate_group(context, first, end - first < GROUP ? end - first : GROUP, NULL);
}

/// Mass alone in the place of a tangent.
static void put_mass(const element_context* c, size_t i, double* t)
{
    const size_t n = c->batch->rows;
    memset(t, 0, n * n * sizeof *t);
    if (c->batch->kind->slopes >= 0) add_mass(c, i, 1.0, false, t);
}

static void mass_range(size_t begin, size_t end, void* context)
{
    const element_context* c = context;
    const size_t n = c->batch->rows;
    for (size_t i = begin; i < end; i++)
        put_mass(c, i, (double*)c->fea->tangents.data + c->batch->first_tangent + i * n * n);
}

/// What groups of a colour share.
typedef struct sink_context {
    element_context element;
    const kai_fea_sink* sink;
    const uint32_t* groups; // of the colour
} sink_context;

/// Asks for what elements [first, first + count) will be found from, as far as they are there.
static void fetch(const element_context* c, size_t first, size_t count)
{
    const kai_fea_batch* b = c->batch;
    const size_t m = b->rows / 3, size = b->kind->data_size;
    if (first >= b->count || b->kind->slopes < 0) return;
    if (count > b->count - first) count = b->count - first;
    const char* data = (const char*)((const double*)c->fea->data.data + b->first_data);
    const double* masses = (const double*)c->fea->masses.data + b->first_mass;
    for (size_t k = 0; k < count * size; k += LINE) __builtin_prefetch(data + first * size + k);
    for (size_t k = 0; b->kind->mass && k < count * m * m; k += LINE / sizeof *masses)
        __builtin_prefetch(masses + first * m * m + k);
    const kai_node_record* nodes = kai_node_all(c->world);
    const uint32_t* ends = (const uint32_t*)c->fea->ends.data + b->first_end;
    for (size_t k = first * (size_t)b->kind->nodes; k < (first + count) * (size_t)b->kind->nodes;
         k++)
        for (size_t at = offsetof(kai_node_def, position);
             at < offsetof(kai_node_def, acceleration); at += LINE)
            __builtin_prefetch((const char*)&nodes[ends[k]] + at);
}

/// Groups of elements whose tangents go to the sink while they are in the cache.
static void sink_range(size_t begin, size_t end, void* context)
{
    const sink_context* s = context;
    element_context c = s->element;
    const kai_fea_batch* batches = c.fea->batches.data;
    const kai_fea_sink* sink = s->sink;
    const bool mass = c.position == 0.0 && c.velocity == 0.0;
    double local[ROOM];
    for (size_t g = begin; g < end; g++) {
        c.batch = batches;
        while (s->groups[g] >= c.batch->first_element + c.batch->count) c.batch++;
        const size_t n = c.batch->rows, from = s->groups[g] - c.batch->first_element,
                     to = from + KAI_FEA_GROUP < c.batch->count ? from + KAI_FEA_GROUP
                                                                : c.batch->count;
        const size_t most = ROOM / (n * n) < GROUP ? ROOM / (n * n) : GROUP;
        for (size_t first = from; first < to; first += most) {
            const size_t count = to - first < most ? to - first : most;
            if (!c.state) fetch(&c, first + most, most);
            if (!mass) evaluate_group(&c, first, count, local);
            for (size_t i = 0; i < count; i++) {
                if (mass) put_mass(&c, first + i, local + i * n * n);
                sink->take(sink->context, c.batch->first_element + first + i, local + i * n * n, n);
            }
        }
    }
}

void kai_fea_forces_sink(const kai_fea* f, const kai_world* world, const kai_fea_sink* sink,
                         const kai_fea_options* options)
{
    for (size_t k = 0; k < sink->colour_count; k++) {
        sink_context c = {.element = {.fea = f,
                                      .world = world,
                                      .state = sink->state,
                                      .at_rest = options->at_rest,
                                      .position = options->position,
                                      .velocity = options->velocity,
                                      .tangents = true,
                                      .definite = options->definite},
                          .sink = sink,
                          .groups = sink->groups + sink->colours[k]};
        kai_parallel_for(world->threads, sink->colours[k + 1] - sink->colours[k], 1, sink_range,
                         &c);
    }
}

kai_result kai_fea_forces_tangents(kai_fea* f, kai_world* world, const kai_fea_options* options,
                                   kai_error* err)
{
    const kai_fea_batch* batches = f->batches.data;
    f->has_tangents = options->position != 0.0 || options->velocity != 0.0;
    if (f->sink.take) {
        kai_fea_forces_sink(f, world, &f->sink, options);
        return KAI_OK;
    }
    size_t all = 0;
    for (size_t b = 0; b < f->batches.count; b++)
        all += batches[b].count * batches[b].rows * batches[b].rows;
    if (f->tangents.count != all) KAI_TRY(kai_array_resize(&f->tangents, &world->memory, all, err));
    const bool mass = !f->has_tangents;
    for (size_t b = 0; b < f->batches.count; b++) {
        element_context c = {.fea = f,
                             .world = world,
                             .batch = &batches[b],
                             .at_rest = options->at_rest,
                             .position = options->position,
                             .velocity = options->velocity,
                             .tangents = true,
                             .definite = options->definite};
        kai_parallel_for(world->threads, batches[b].count, BLOCK,
                         mass ? mass_range : evaluate_range, &c);
    }
    return KAI_OK;
}

// Forces -----------------------------------------------------------------------------------------

typedef struct sum_context {
    kai_fea* fea;
    kai_world* world;
} sum_context;

/// The sum of what elements wrote for a vector.
static kai_vec3 sum_of(const kai_fea* f, size_t v)
{
    const uint32_t *first = f->gather_first.data, *place = f->gather.data;
    const double* forces = f->forces.data;
    kai_vec3 sum = kai_vec3_zero();
    for (uint32_t k = first[v]; k < first[v + 1]; k++) {
        const double* at = forces + 3 * (size_t)place[k];
        sum = kai_vec3_add(sum, kai_vec3_make(at[0], at[1], at[2]));
    }
    return sum;
}

static void sum_nodes(size_t begin, size_t end, void* context)
{
    const sum_context* c = context;
    kai_node_record* nodes = kai_node_all(c->world);
    const uint32_t* first = c->fea->first.data;
    const double* weight = c->fea->weight.data;
    double* force = c->fea->force.data;
    for (size_t i = begin; i < end; i++) {
        for (uint32_t k = 0; k < kai_node_size(&nodes[i]) / 3; k++) {
            const uint32_t v = first[i] / 3 + k;
            kai_vec3 sum = kai_vec3_add(sum_of(c->fea, v), nodes[i].def.force[k]);
            sum = kai_vec3_mul_add(sum, c->world->gravity, weight[v]);
            const double all[3] = {sum.x, sum.y, sum.z};
            for (uint32_t d = 0; d < 3; d++)
                force[3 * v + d] = nodes[i].def.fixed >> (3 * k + d) & 1 ? 0.0 : all[d];
        }
    }
}

static void sum_bodies(size_t begin, size_t end, void* context)
{
    const sum_context* c = context;
    const size_t base = c->fea->coordinates / 3;
    const uint32_t* slot = c->fea->bodies.data;
    for (size_t i = begin; i < end; i++) {
        kai_wrench* w = &c->world->bodies.wrench[slot[i]];
        w->force = kai_vec3_add(w->force, sum_of(c->fea, base + 2 * i));
        w->torque =
            kai_vec3_add(w->torque, kai_quat_unrotate(c->world->bodies.pose[slot[i]].rotation,
                                                      sum_of(c->fea, base + 2 * i + 1)));
    }
}

/// v and C v, mass damping, in scratch memory.
static kai_result take_damping(const kai_fea* f, kai_world* world, double** v, double** cv,
                               kai_error* err)
{
    *v = kai_arena_take(&world->arena, f->coordinates, sizeof **v, err);
    *cv = kai_arena_take(&world->arena, f->coordinates, sizeof **cv, err);
    if (!*v || !*cv) return KAI_ERROR_MEMORY;
    kai_fea_read(world, NULL, *v);
    kai_fea_mass_damping_times(f, world->threads, *v, *cv);
    return KAI_OK;
}

/// Mass damping: f -= C v.
static kai_result damp(kai_fea* f, kai_world* world, kai_error* err)
{
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double *v, *cv;
    KAI_TRY(take_damping(f, world, &v, &cv, err));
    kai_fea_clear_fixed(world, cv);
    for (size_t i = 0; i < f->coordinates; i++) ((double*)f->force.data)[i] -= cv[i];
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}

/// Names the first element whose forces are not finite.
static kai_result check(const kai_fea* f, const kai_world* world, kai_error* err)
{
    const double* force = f->forces.data;
    double sum = 0.0;
    for (size_t i = 0; i < f->forces.count; i++) sum += 0.0 * force[i];
    if (sum == 0.0) return KAI_OK;
    const kai_fea_batch* batches = f->batches.data;
    for (size_t b = 0; b < f->batches.count; b++) {
        for (size_t i = 0; i < batches[b].count * batches[b].rows; i++) {
            if (isfinite(force[batches[b].first_force + i])) continue;
            char text[KAI_STRING_SIZE + 64];
            kai_element_describe(world, batches[b].batch, i / batches[b].rows, text, sizeof text);
            return kai_error_set(err, KAI_ERROR_DIVERGED,
                                 "%s: its force %g N at t = %.9g s is not finite; it is turned "
                                 "inside out or has gone too far, take a smaller step",
                                 text, kai_label_number(force[batches[b].first_force + i]),
                                 f->time);
        }
    }
    return KAI_OK;
}

kai_result kai_fea_forces_begin(kai_fea* f, kai_world* world, kai_error* err)
{
    if (f->bodies.count == 0) return KAI_OK;
    KAI_TRY(kai_bodies_need_wrench(&world->bodies, err));
    const uint32_t* slot = f->bodies.data;
    for (size_t i = 0; i < f->bodies.count; i++) world->bodies.wrench[slot[i]] = (kai_wrench){0};
    return KAI_OK;
}

kai_result kai_fea_forces_evaluate(kai_fea* f, kai_world* world, double time,
                                   const kai_fea_options* options, kai_error* err)
{
    f->time = time;
    const kai_fea_batch* batches = f->batches.data;
    const bool both = kai_fea_brings_tangents(f, options);
    if (both) KAI_TRY(kai_fea_forces_tangents(f, world, options, err));
    for (size_t b = 0; !both && b < f->batches.count; b++) {
        element_context c = {
            .fea = f, .world = world, .batch = &batches[b], .at_rest = options->at_rest};
        kai_parallel_for(world->threads, batches[b].count, BLOCK, evaluate_range, &c);
    }
    KAI_TRY(check(f, world, err));
    sum_context c = {f, world};
    kai_parallel_for(world->threads, world->nodes.count, VECTORS, sum_nodes, &c);
    kai_parallel_for(world->threads, f->bodies.count, VECTORS, sum_bodies, &c);
    return f->damped && !options->at_rest ? damp(f, world, err) : KAI_OK;
}

// Power ------------------------------------------------------------------------------------------

static double dot(size_t n, const double* a, const double* b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/// Whether forces of element i may go with velocity: kinds without solids may have damping of their
/// own.
static bool may_heat(const element_context* c, size_t i)
{
    const size_t count = (size_t)c->batch->kind->solids;
    const kai_solid_view* solids =
        (const kai_solid_view*)c->fea->solids.data + c->batch->first_solid + i * count;
    for (size_t k = 0; k < count; k++)
        if (solids[k].kind && kai_solid_view_base(&solids[k])->damping != 0.0) return true;
    return count == 0;
}

static void work_range(size_t begin, size_t end, double* sums, void* context)
{
    const element_context* c = context;
    group g;
    double force[GROUP * KAI_ELEMENT_ROWS];
    while (begin < end) {
        kai_element_batch batch = next_group(c, &begin, end, &g);
        batch.force = force;
        c->batch->kind->force(&batch);
        sums[0] += dot(batch.count * c->batch->rows, force, g.v);
    }
}

/// What forces at v do less than forces at rest. Either may be there already.
static void heat_range(size_t begin, size_t end, double* sums, void* context)
{
    const element_context* c = context;
    const size_t n = c->batch->rows;
    group g;
    double force[GROUP * KAI_ELEMENT_ROWS], v[GROUP * KAI_ELEMENT_ROWS];
    for (size_t first = begin; first < end; first += GROUP) {
        const size_t last = end - first < GROUP ? end : first + GROUP;
        bool wanted = false;
        for (size_t i = first; !wanted && i < last; i++) wanted = may_heat(c, i);
        if (!wanted) continue;
        size_t next = first;
        kai_element_batch batch = next_group(c, &next, last, &g);
        const size_t rows = batch.count * n;
        const double* there = batch.force;
        memcpy(v, g.v, rows * sizeof *v);
        batch.force = force;
        if (c->there != KAI_FEA_MOVING) c->batch->kind->force(&batch);
        sums[0] -= dot(rows, c->there != KAI_FEA_MOVING ? force : there, v);
        memset(g.v, 0, rows * sizeof *v);
        if (c->there != KAI_FEA_RESTING) c->batch->kind->force(&batch);
        sums[0] += dot(rows, c->there != KAI_FEA_RESTING ? force : there, v);
    }
}

/// Which kinds of elements a sum takes.
enum { ALL_KINDS = -1, OWN_FORCES = false, EXTERNAL = true };

/// Adds up what `fn` finds in elements of these kinds.
static kai_result sum_elements(const kai_fea* f, kai_world* world, int kinds, kai_sum_fn* fn,
                               kai_fea_there there, double* out, kai_error* err)
{
    const kai_fea_batch* batches = f->batches.data;
    for (size_t b = 0; b < f->batches.count; b++) {
        if (kinds != ALL_KINDS && batches[b].kind->external != kinds) continue;
        element_context c = {.fea = f, .world = world, .batch = &batches[b], .there = there};
        double sum = 0.0;
        KAI_TRY(kai_parallel_sum(world->threads, batches[b].count, BLOCK, fn, &c, 1, &sum,
                                 &world->arena, err));
        *out += sum;
    }
    return KAI_OK;
}

kai_result kai_fea_forces_work(kai_fea* f, kai_world* world, double time, double* power,
                               kai_error* err)
{
    kai_node_record* nodes = kai_node_all(world);
    *power = 0.0;
    f->time = time;
    // Velocities of fixed coordinates are zero.
    for (size_t i = 0; i < world->nodes.count; i++)
        *power += dot(kai_node_size(&nodes[i]), kai_node_f(&nodes[i]), kai_node_v(&nodes[i]));
    return sum_elements(f, world, EXTERNAL, work_range, KAI_FEA_NOTHING, power, err);
}

kai_result kai_fea_forces_heat(kai_fea* f, kai_world* world, kai_fea_there there, double* power,
                               kai_error* err)
{
    *power = 0.0;
    KAI_TRY(sum_elements(f, world, OWN_FORCES, heat_range, there, power, err));
    if (!f->damped) return KAI_OK;
    const kai_arena_mark mark = kai_arena_marked(&world->arena);
    double *v, *cv;
    KAI_TRY(take_damping(f, world, &v, &cv, err));
    *power += dot(f->coordinates, v, cv);
    kai_arena_release(&world->arena, mark);
    return KAI_OK;
}

// One node ---------------------------------------------------------------------------------------

/// What the element that writes to a place (in vectors) writes there.
static kai_vec3 force_at(const kai_fea* f, const kai_world* world, uint32_t place)
{
    const kai_fea_batch* batches = f->batches.data;
    const size_t at = 3 * (size_t)place;
    for (size_t b = 0; b < f->batches.count; b++) {
        const kai_fea_batch* batch = &batches[b];
        if (at < batch->first_force || at >= batch->first_force + batch->count * batch->rows)
            continue;
        group g;
        double force[KAI_ELEMENT_ROWS];
        kai_element_batch one;
        find_element(f, world, batch->batch, (at - batch->first_force) / batch->rows, &g, &one);
        one.force = force;
        one.time = world->time;
        batch->kind->force(&one);
        const double* own = force + (at - batch->first_force) % batch->rows;
        return kai_vec3_make(own[0], own[1], own[2]);
    }
    return kai_vec3_zero();
}

kai_vec3 kai_fea_forces_on(const kai_fea* f, const kai_world* world, size_t node, size_t v)
{
    const uint32_t *first = f->gather_first.data, *place = f->gather.data;
    const size_t own = v - ((const uint32_t*)f->first.data)[node] / 3;
    kai_vec3 sum = kai_vec3_zero();
    for (uint32_t k = first[v]; k < first[v + 1]; k++)
        sum = kai_vec3_add(sum, force_at(f, world, place[k]));
    sum = kai_vec3_add(sum, kai_node_all(world)[node].def.force[own]);
    return kai_vec3_mul_add(sum, world->gravity, ((const double*)f->weight.data)[v]);
}

// Energy and samples -----------------------------------------------------------------------------

static void energy_range(size_t begin, size_t end, double* sums, void* context)
{
    const element_context* c = context;
    group g;
    while (begin < end && c->batch->kind->energy) {
        const kai_element_batch batch = next_group(c, &begin, end, &g);
        for (size_t i = 0; i < batch.count; i++) sums[0] += c->batch->kind->energy(&batch, i);
    }
}

kai_result kai_fea_forces_stored(kai_fea* f, kai_world* world, double* elastic, kai_error* err)
{
    *elastic = 0.0;
    return sum_elements(f, world, ALL_KINDS, energy_range, KAI_FEA_NOTHING, elastic, err);
}

void kai_fea_forces_result(kai_fea* f, const kai_world* world, size_t batch, size_t index,
                           const kai_element_result* result, const double at[3], double* out)
{
    group g;
    kai_element_batch one;
    const kai_element_kind* kind = find_element(f, world, batch, index, &g, &one);
    if (kind) result->get(kind, &one, 0, at, out);
}

kai_result kai_fea_forces_sample(kai_fea* f, const kai_world* world, size_t batch, size_t index,
                                 const double at[3], kai_element_sample* out, kai_error* err)
{
    group g;
    kai_element_batch one;
    const kai_element_kind* kind = find_element(f, world, batch, index, &g, &one);
    if (kind && !kind->sample)
        return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                             "an element of kind %s has no strain and stress", kind->kind.name);
    if (kind) kind->sample(&one, 0, at, out);
    return KAI_OK;
}
