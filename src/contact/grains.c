// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A block of bodies: states in, pairs laid on the pair_batch pair_chunk by pair_chunk, forces, sums out.
//
// Bytes a sphere and step, E pairs in the list, G ghosts: 128 (1 + G) read of poses and motions,
// 4 E read, 24 E read and written of histories, 96 G of ghosts' sums. In a packed bed (E 3.0,
// G 0.2): 330. Forces, where they are kept, 48 E with fetches for writing: 144. Sums for a caller
// who does not finish bodies at once: 96.
#include "contact/grains.h"

#include "contact/grains_block.h"
#include "model/laws/law_adhesion.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

void kai_grains_init(kai_grains* grains, kai_memory* memory)
{
    *grains = (kai_grains){.memory = memory,
                           .equal = true,
                           .spheres = kai_array_make(sizeof(kai_grains_sphere)),
                           .walls = kai_array_make(sizeof(kai_grains_wall)),
                           .wall_forces = kai_array_make(sizeof(kai_wrench)),
                           .ghost_scatter = kai_array_make(sizeof(uint64_t)),
                           .ghost_force = kai_array_make(sizeof(kai_wrench)),
                           .force = kai_array_make(3 * sizeof(double)),
                           .couple = kai_array_make(3 * sizeof(double)),
                           .pairs = kai_array_make(sizeof(kai_grains_coefficients)),
                           .tallies = kai_array_make(sizeof(kai_grains_tally)),
                           .pair_batches = kai_array_make(64),
                           .accumulators = 1,
                           .pushed = kai_array_make(sizeof(atomic_uint)),
                           .skin_boxes = kai_array_make(sizeof(kai_grains_skin_box)),
                           .left = kai_array_make(sizeof(uint8_t)),
                           .needs = kai_array_make(4 * sizeof(uint32_t))};
    kai_cell_hash_init(&grains->near, memory);
    kai_grains_list* lists[] = {&grains->list, &grains->last};
    for (int k = 0; k < 2; k++)
        *lists[k] = (kai_grains_list){.blocks = kai_array_make(sizeof(kai_grains_block)),
                                      .pair_chunks = kai_array_make(sizeof(uint32_t)),
                                      .spare = kai_array_make(sizeof(uint32_t)),
                                      .entries = kai_array_make(sizeof(uint32_t)),
                                      .history = kai_array_make(3 * sizeof(double)),
                                      .turning = kai_array_make(4 * sizeof(double)),
                                      .ghosts = kai_array_make(sizeof(uint32_t))};
}

enum { ARRAYS = 24 };

static void arrays_of(kai_grains* g, kai_array** out)
{
    kai_array* arrays[ARRAYS] = {
        &g->spheres,      &g->ghost_scatter, &g->ghost_force,  &g->force,
        &g->walls,        &g->wall_forces,   &g->pairs,        &g->tallies,
        &g->pair_batches, &g->needs,         &g->list.blocks,  &g->list.pair_chunks,
        &g->list.spare,   &g->list.entries,  &g->list.history, &g->list.ghosts,
        &g->last.entries, &g->last.history,  &g->pushed,       &g->skin_boxes,
        &g->left,         &g->couple,        &g->list.turning, &g->last.turning};
    memcpy(out, arrays, sizeof arrays);
}

void kai_grains_free(kai_grains* grains)
{
    kai_array* arrays[ARRAYS];
    arrays_of(grains, arrays);
    for (int k = 0; k < ARRAYS; k++) kai_array_free(arrays[k], grains->memory);
    kai_cell_hash_free(&grains->near);
    kai_grains_init(grains, grains->memory);
}

size_t kai_grains_bytes(const kai_grains* grains)
{
    kai_grains copy = *grains;
    kai_array* arrays[ARRAYS];
    arrays_of(&copy, arrays);
    size_t bytes = kai_cell_hash_bytes(&grains->near);
    for (int k = 0; k < ARRAYS; k++) bytes += arrays[k]->capacity * arrays[k]->stride;
    return bytes;
}

kai_cell_list_points kai_grains_points(const kai_grains* g, const kai_pose* pose,
                                       const kai_motion* motion, size_t count, double lead)
{
    const kai_grains_sphere* spheres = g->spheres.data;
    const size_t first = g->skin_box_slot;
    return (kai_cell_list_points){.position = &pose[first].position,
                                  .velocity = &motion[first].velocity,
                                  .radius = g->equal ? &g->one.radius : &spheres[first].radius,
                                  .position_stride = sizeof(kai_pose),
                                  .velocity_stride = sizeof(kai_motion),
                                  .radius_stride = g->equal ? 0 : sizeof(kai_grains_sphere),
                                  .count = count,
                                  .lead = lead,
                                  .step = 2.0 * lead};
}

// Coefficients -----------------------------------------------------------------------------------

/// The factors of a law for a pair of materials, with effective radius and mass where all spheres
/// are alike.
static bool find_factors(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                         const kai_grains_sphere* one, kai_contact_factors* out)
{
    const kai_contact_law_kind* kind = law->kind;
    *out = (kai_contact_factors){{0.0}};
    if (!kind->prepare) return true;
    return kind->prepare(law->instance, pair, one ? 0.5 * one->radius : 0.0,
                         one ? 0.5 / one->inverse_mass : 0.0, out);
}

bool kai_grains_can(const kai_penalty_law* law, const kai_contact_coefficients* pair,
                    const kai_grains_sphere* one)
{
    kai_contact_factors factors;
    if (!law->kind->lanes || law->tangential == KAI_CONTACT_TANGENTIAL_ONE_STEP) return false;
    if (law->tangential == KAI_CONTACT_TANGENTIAL_HISTORY &&
        pair->static_friction != pair->friction)
        return false;
    return find_factors(law, pair, one, &factors);
}

static kai_grains_coefficients coefficients_of(const grains_context* c, size_t pair)
{
    const kai_grains_step* step = c->step;
    const kai_penalty_law* law = kai_grains_law_of(step, pair);
    const kai_contact_coefficients* both = kai_grains_coefficients_of(step, pair);
    const kai_law_adhesion_pull pull = kai_law_adhesion(law->adhesion, both);
    kai_grains_coefficients out = {.parts = {.friction = both->friction,
                                             .pull = pull.force,
                                             .pull_by = pull.force_by_radius,
                                             .lag = law->kind->dashpot ? 1.0 : 0.0,
                                             .slack = law->kind->no_pull ? 0.0 : HUGE_VAL},
                                   .factor_count = law->kind->factor_count,
                                   .law = (uint32_t)(law - step->laws)};
    find_factors(law, both, c->grains->equal ? &c->grains->one : NULL, &out.factors);
    return out;
}

static kai_result prepare_law(grains_context* c, kai_error* err)
{
    kai_grains* g = c->grains;
    const kai_grains_step* step = c->step;
    const size_t n = step->materials * step->materials, m = g->one.material;
    const bool smooth = step->laws[0].tangential == KAI_CONTACT_TANGENTIAL_NONE;
    c->law = (kai_grains_law){.smooth = smooth,
                              .equal = g->equal && !smooth,
                              .h = step->h,
                              .radius = g->one.radius,
                              .inverse_mass = g->one.inverse_mass};
    c->one = coefficients_of(c, m * step->materials + m);
    c->law.pair = c->one.parts;
    c->mixed = step->law_count > 1;
    if (c->law.equal && g->walls.count == 0) return KAI_OK;
    KAI_TRY(kai_array_resize(&g->pairs, g->memory, n, err));
    kai_grains_coefficients* pairs = g->pairs.data;
    for (size_t i = 0; i < n; i++) pairs[i] = coefficients_of(c, i);
    return KAI_OK;
}

// Blocks -----------------------------------------------------------------------------------------

/// Bytes of a pair_batch and what lies behind it.
static size_t pair_batch_bytes(const kai_grains* g)
{
    return (sizeof(grains_pair_batch) + 63) / 64 * 64 +
           g->locals * (8 + 4 + 8 * g->accumulators) * sizeof(double);
}

static grains_pair_batch* pair_batch_at(const kai_grains* g, int worker, size_t accumulator,
                                        grains_local* local)
{
    char* pair_batch = (char*)g->pair_batches.data + (size_t)worker * pair_batch_bytes(g);
    double* rest = (double*)(pair_batch + (sizeof(grains_pair_batch) + 63) / 64 * 64);
    local->x = (void*)rest;
    local->w = (void*)(rest + 8 * g->locals);
    local->f = (void*)(rest + (12 + 8 * accumulator) * g->locals);
    return (grains_pair_batch*)pair_batch;
}

void* kai_grains_pair_batch_room(const kai_grains* g, int worker)
{
    grains_local local;
    pair_batch_at(g, worker, 0, &local);
    return local.x;
}

/// Reads the states of a block's bodies and ghosts.
KAI_INLINE void load_block(const grains_context* c, size_t begin, size_t own, const uint32_t* slots,
                           size_t ghosts, const grains_local* local)
{
    double(*x)[8] = local->x + KAI_GRAINS_GHOST, (*w)[4] = local->w + KAI_GRAINS_GHOST;
    load_row(c, begin, own, local->x, local->w);
    load_nobody(local->x[KAI_GRAINS_NOBODY], local->w[KAI_GRAINS_NOBODY]);
    for (size_t i = 0; i < ghosts; i++) {
        // Ghosts lie anywhere: ask for those of later turns now.
        const size_t ahead = slots[i + 12 < ghosts ? i + 12 : i];
        __builtin_prefetch(&c->step->pose[ahead]);
        __builtin_prefetch(&c->step->motion[ahead]);
        load(c, slots[i], x[i], w[i]);
    }
    memset(local->f, 0, own * sizeof *local->f);
    memset(local->f + KAI_GRAINS_NOBODY, 0, (ghosts + 1) * sizeof *local->f);
}

KAI_INLINE void store(kai_wrench* out, const double* f)
{
    out->force = kai_vec3_make(f[0], f[1], f[2]);
    out->torque = kai_vec3_make(f[5], f[6], f[7]);
}

KAI_INLINE void add(double* sum, const kai_wrench* other)
{
    sum[0] += other->force.x, sum[1] += other->force.y, sum[2] += other->force.z;
    sum[5] += other->torque.x, sum[6] += other->torque.y, sum[7] += other->torque.z;
}

/// Asks for the states of a later block while pairs are worked off: the `done`th of `all` pairs,
/// `*asked` bodies so far.
KAI_INLINE void ask_ahead(const grains_context* c, size_t begin, size_t done, size_t all,
                          size_t* asked)
{
    const size_t left = c->grains->count - begin,
                 count = left < KAI_GRAINS_BLOCK ? left : KAI_GRAINS_BLOCK;
    for (const size_t to = count * done / all; *asked < to; ++*asked) {
        __builtin_prefetch(&c->step->pose[begin + *asked], 0, 2);
        __builtin_prefetch(&c->step->motion[begin + *asked], 0, 2);
    }
}

static size_t blocks_of(const kai_grains* g) { return g->list.blocks.count - 1; }

static size_t end_of(const kai_grains* g, size_t block)
{
    const size_t end = (block + 1) * KAI_GRAINS_BLOCK;
    return end < g->count ? end : g->count;
}

KAI_INLINE void add_tally(kai_grains_tally* sum, const kai_grains_tally* other)
{
    sum->elastic += other->elastic;
    sum->heat += other->heat;
    sum->deepest = other->deepest > sum->deepest ? other->deepest : sum->deepest;
    sum->touching += other->touching;
    sum->rare += other->rare;
}

/// The pair_chunk with pair `i` of a block, from there on.
KAI_INLINE grains_pair_chunk pair_chunk_at(const kai_grains_list* list,
                                           const kai_grains_block* range, size_t i)
{
    const bool walls = i >= range->wall;
    const size_t from = i % KAI_GRAINS_CHUNK, left = (walls ? range->end : range->wall) - i,
                 place = kai_grains_place(list, range, i - from);
    return (grains_pair_chunk){
        .rows = {.from = from,
                 .to = left < KAI_GRAINS_CHUNK - from ? from + left : KAI_GRAINS_CHUNK,
                 .u = (double(*)[3])list->history.data + place},
        .turning = list->turning.count > 0 ? (double(*)[4])list->turning.data + place : NULL,
        .entries = (uint32_t*)list->entries.data + place,
        .place = place,
        .walls = walls};
}

/// Lays a pair_chunk on the pair_batch and finds its forces; returns how many pairs touch.
KAI_INLINE size_t evaluate_pair_chunk(const grains_context* c, grains_pair_batch* pair_batch,
                                      const grains_pair_chunk* pair_chunk,
                                      const grains_local* local)
{
    size_t touching;
    if (pair_chunk->walls) {
        lay_walls(c, pair_batch, pair_chunk, local);
        touching = evaluate_others(c, pair_batch, &pair_chunk->rows);
    } else if (c->law.equal) {
        lay_equal(pair_batch, pair_chunk, local);
        touching = evaluate_equal(c, pair_batch, &pair_chunk->rows);
    } else {
        lay(c, pair_batch, pair_chunk, local);
        touching = evaluate_others(c, pair_batch, &pair_chunk->rows);
    }
    if (c->grains->turns && touching > 0) turn_pairs(c, pair_batch, pair_chunk, local);
    mark(pair_batch, pair_chunk);
    return touching;
}

/// Sums the forces of a pair_chunk of which some touch.
KAI_INLINE void sum_pair_chunk(const grains_context* c, grains_pair_batch* pair_batch,
                               const grains_pair_chunk* pair_chunk, const grains_local* local,
                               kai_wrench* wall_forces, kai_grains_tally* tally)
{
    kai_grains_tally sum = count(pair_batch, pair_chunk);
    if (sum.rare > 0) { // their overlaps may change by a rounding
        for (size_t i = pair_chunk->rows.from; i < pair_chunk->rows.to; i++)
            if (pair_batch->rows.rare[i] != 0.0) again(c, pair_batch, pair_chunk, i, local);
        sum = count(pair_batch, pair_chunk);
    }
    add_tally(tally, &sum);
    if (pair_chunk->walls)
        spread_walls(c, pair_batch, pair_chunk, local, wall_forces);
    else if (c->law.equal && pair_chunk->turning)
        spread_equal_turning(pair_batch, pair_chunk, local);
    else if (c->law.equal)
        spread_equal(pair_batch, pair_chunk, local);
    else
        spread(pair_batch, pair_chunk, local);
    if (c->step->forces) keep(pair_batch, pair_chunk, c->grains->force.data);
    if (c->step->forces && c->grains->turns)
        keep_turns(pair_batch, pair_chunk, c->grains->couple.data);
}

/// Sums what acts on the bodies of a block by its pairs, to a accumulator of the pair_batch.
KAI_CLONES
static void push_block(const grains_context* c, size_t block, int worker, size_t accumulator)
{
    const kai_grains* g = c->grains;
    const kai_grains_list* list = &g->list;
    const size_t begin = block * KAI_GRAINS_BLOCK, own = end_of(g, block) - begin;
    const size_t ahead = begin + c->turn * KAI_GRAINS_BLOCK;
    const kai_grains_block* range = (const kai_grains_block*)list->blocks.data + block;
    const size_t first = range->ghost, ghosts = range->ghost_end - first;
    kai_wrench* wall_forces =
        g->walls.count ? (kai_wrench*)g->wall_forces.data + block * g->walls.count : NULL;
    kai_grains_tally tally = {0};
    grains_local local;
    grains_pair_batch* pair_batch = pair_batch_at(g, worker, accumulator, &local);
    load_block(c, begin, own, (const uint32_t*)list->ghosts.data + first, ghosts, &local);
    lay_law(c, pair_batch);
    size_t asked = 0;
    for (size_t k = 0; k < g->walls.count; k++) wall_forces[k] = (kai_wrench){0};
    for (size_t i = 0; i < range->end;) {
        const grains_pair_chunk pair_chunk = pair_chunk_at(list, range, i);
        const size_t touching = evaluate_pair_chunk(c, pair_batch, &pair_chunk, &local);
        if (touching > 0) sum_pair_chunk(c, pair_batch, &pair_chunk, &local, wall_forces, &tally);
        tally.touching += touching;
        i += pair_chunk.rows.to - pair_chunk.rows.from;
        if (ahead < g->count) ask_ahead(c, ahead, i, range->end, &asked);
    }
    count_energy(&local, own, &tally);
    kai_wrench* others = (kai_wrench*)g->ghost_force.data + first;
    for (size_t i = 0; i < ghosts; i++) store(&others[i], local.f[KAI_GRAINS_GHOST + i]);
    ((kai_grains_tally*)g->tallies.data)[block] = tally;
}

/// The sums of a block to the caller.
static void store_block(size_t begin, size_t end, int worker, void* context)
{
    const grains_context* c = context;
    grains_local local;
    push_block(c, begin / KAI_GRAINS_BLOCK, worker, 0);
    pair_batch_at(c->grains, worker, 0, &local);
    for (size_t i = begin; i < end; i++) store(&c->step->sums[i], local.f[i - begin]);
}

static void fetch_block(size_t begin, size_t end, void* context)
{
    (void)end;
    const grains_context* c = context;
    const kai_grains* g = c->grains;
    const kai_grains_block* range =
        (const kai_grains_block*)g->list.blocks.data + begin / KAI_GRAINS_BLOCK;
    const uint64_t* ghost_scatter = g->ghost_scatter.data;
    const kai_wrench* others = g->ghost_force.data;
    for (size_t k = range[0].ghost_sum; k < range[1].ghost_sum; k++) {
        kai_wrench* sum = &c->step->sums[ghost_scatter[k] >> 32];
        const kai_wrench* other = &others[(uint32_t)ghost_scatter[k]];
        sum->force = kai_vec3_add(sum->force, other->force);
        sum->torque = kai_vec3_add(sum->torque, other->torque);
    }
}

/// What walls feel, block by block in order.
static void add_wall_forces(const kai_grains* g, kai_wrench* sums)
{
    const kai_grains_wall* walls = g->walls.data;
    const kai_wrench* wall_forces = g->wall_forces.data;
    for (size_t i = 0; i < g->tallies.count * g->walls.count; i++) {
        kai_wrench* sum = &sums[walls[i % g->walls.count].slot];
        sum->force = kai_vec3_add(sum->force, wall_forces[i].force);
        sum->torque = kai_vec3_add(sum->torque, wall_forces[i].torque);
    }
}

// In order ---------------------------------------------------------------------------------------
//
// Threads take blocks in order, the next one that nobody has: a slow processor does fewer. What
// acts on a body comes from its own block and from those before it, and no other block reads its
// state. So a block is *finished* when it and all before it are pushed: mostly at once, with its
// states in the cache. While another thread is still at one before it, its sums stay on their
// accumulator, and the thread goes on with its next block on the other one. Sums are the same either way.

/// Blocks on their way.
typedef struct grains_queue {
    const grains_context* context;
    atomic_size_t next;  // the first block that nobody has taken
    atomic_uint* pushed; // [blocks]
} grains_queue;

/// Whether all blocks before one are pushed; those before `*known` are.
static bool all_before(const grains_queue* q, size_t block, size_t* known)
{
    while (*known < block && atomic_load_explicit(&q->pushed[*known], memory_order_acquire))
        ++*known;
    return *known >= block;
}

static void wait_before(const grains_queue* q, size_t block, size_t* known)
{
    const int patience = 4096;
    for (int tries = 0; !all_before(q, block, known); tries++)
        if (tries > patience) sched_yield();
}

/// Adds what blocks before this one have summed for its bodies, and hands these over.
static void finish_block(const grains_context* c, size_t block, int worker, size_t accumulator)
{
    const kai_grains* g = c->grains;
    const kai_grains_block* range = (const kai_grains_block*)g->list.blocks.data + block;
    const size_t begin = block * KAI_GRAINS_BLOCK;
    const uint64_t* ghost_scatter = g->ghost_scatter.data;
    const kai_wrench* others = g->ghost_force.data;
    grains_local local;
    pair_batch_at(g, worker, accumulator, &local);
    for (size_t k = range[0].ghost_sum; k < range[1].ghost_sum; k++)
        add(local.f[(ghost_scatter[k] >> 32) - begin], &others[(uint32_t)ghost_scatter[k]]);
    c->step->finish(begin, end_of(g, block), (const kai_grains_sum*)local.f,
                    c->step->finish_context);
}

static void work_queue(size_t begin, size_t end, int worker, void* context)
{
    (void)begin, (void)end;
    grains_queue* q = context;
    const size_t blocks = blocks_of(q->context->grains), none = SIZE_MAX;
    size_t known = 0, waiting = none, accumulator = 0;
    for (;;) {
        const size_t block = atomic_fetch_add_explicit(&q->next, 1, memory_order_relaxed);
        if (block < blocks) {
            push_block(q->context, block, worker, accumulator);
            atomic_store_explicit(&q->pushed[block], 1, memory_order_release);
        }
        if (waiting != none) {
            wait_before(q, waiting, &known);
            finish_block(q->context, waiting, worker, 1 - accumulator);
            waiting = none;
        }
        if (block >= blocks) return;
        if (all_before(q, block, &known)) {
            finish_block(q->context, block, worker, accumulator);
        } else {
            waiting = block;
            accumulator = 1 - accumulator;
        }
    }
}

static kai_result push_in_order(grains_context* c, int threads, kai_error* err)
{
    kai_grains* g = c->grains;
    const size_t blocks = blocks_of(g);
    KAI_TRY(kai_array_resize(&g->pushed, g->memory, blocks, err));
    grains_queue q = {.context = c, .pushed = g->pushed.data};
    for (size_t k = 0; k < blocks; k++) atomic_init(&q.pushed[k], 0);
    if ((size_t)threads > blocks) threads = (int)blocks;
    c->turn = (size_t)threads;
    kai_parallel_for_workers(threads, (size_t)threads, 1, work_queue, &q);
    return KAI_OK;
}

// A step -----------------------------------------------------------------------------------------

/// Room for forces, made when they are first to be kept.
static kai_result make_forces(kai_grains* g, kai_error* err)
{
    const size_t n = g->list.entries.count;
    g->force.count = 0; // nothing in it is kept
    KAI_TRY(kai_array_fit(&g->force, g->memory, n, err));
    g->force.count = n;
    if (!g->turns) return KAI_OK;
    KAI_TRY(kai_array_fit(&g->couple, g->memory, n, err));
    g->couple.count = n;
    return KAI_OK;
}

kai_result kai_grains_turning_make(kai_grains* g, kai_error* err)
{
    const size_t n = g->turns ? g->list.entries.count : 0;
    if (g->list.turning.count == n) return KAI_OK;
    KAI_TRY(kai_array_resize(&g->list.turning, g->memory, 0, err));
    return kai_array_resize(&g->list.turning, g->memory, n, err);
}

kai_result kai_grains_pair_batches_make(kai_grains* g, int threads, kai_error* err)
{
    g->accumulators = threads > 1 ? 2 : 1;
    const size_t pair_batches = (pair_batch_bytes(g) * (size_t)threads + 63) / 64;
    if (g->pair_batches.count >= pair_batches) return KAI_OK;
    kai_array_free(&g->pair_batches, g->memory);
    KAI_TRY(kai_array_resize(&g->pair_batches, g->memory, pair_batches, err));
    return KAI_OK;
}

kai_result kai_grains_push(kai_grains* grains, int threads, const kai_grains_step* step,
                           kai_error* err)
{
    if (threads < 1) threads = 1;
    grains_context c = {.grains = grains, .step = step, .turn = 1};
    KAI_TRY(prepare_law(&c, err));
    KAI_TRY(kai_grains_pair_batches_make(grains, threads, err));
    KAI_TRY(kai_grains_turning_make(grains, err));
    if (step->forces) KAI_TRY(make_forces(grains, err));
    grains->tally = (kai_grains_tally){0};
    if (step->finish) {
        KAI_TRY(push_in_order(&c, threads, err));
    } else {
        kai_parallel_for_workers(threads, grains->count, KAI_GRAINS_BLOCK, store_block, &c);
        kai_parallel_for(threads, grains->count, KAI_GRAINS_BLOCK, fetch_block, &c);
        add_wall_forces(grains, step->sums);
    }
    const kai_grains_tally* tallies = grains->tallies.data;
    for (size_t k = 0; k < grains->tallies.count; k++) add_tally(&grains->tally, &tallies[k]);
    return KAI_OK;
}
