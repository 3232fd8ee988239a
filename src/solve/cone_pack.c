// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_pack.h"

#include "base/parallel.h"
#include "solve/cone_values.h"

#include <string.h>

enum {
    LANES = KAI_CONE_PACK_LANES,
    COLOURS = KAI_CONE_PACK_COLOURS,
    BUCKETS = COLOURS * KAI_CONE_KINDS, // of one block, or of all contacts between blocks
    FEW = 48 * LANES                    // contacts, all in one task
};

// Colours ----------------------------------------------------------------------------------------

typedef struct layout {
    kai_cone* cone;
    const kai_cone_problem* problem;
    uint32_t groups;
    size_t value;
    uint32_t task, run;   // counts so far
    uint32_t most;        // tasks of a phase
    size_t block, blocks; // bodies of one, and how many there are
    bool extra, stays;
} layout;

// Rounding leaves arms of spheres askew by 1e-16 of the distance from the origin.
static bool along(kai_vec3 arm, kai_vec3 n)
{
    const kai_vec3 off = kai_vec3_mul_add(arm, n, -kai_vec3_dot(arm, n));
    return kai_vec3_norm2(off) <= 1e-20 * kai_vec3_norm2(arm);
}

static uint32_t kind_of(const kai_cone_problem* p, const kai_cone_contact* c)
{
    if (p->couple != NULL && (c->rolling > 0.0 || c->spinning > 0.0)) return KAI_CONE_COUPLED;
    if (c->a != KAI_CONE_NONE &&
        (p->motion[c->a].inverse_moment < 0.0 || !along(c->arm_a, c->normal)))
        return KAI_CONE_GENERAL;
    if (c->b != KAI_CONE_NONE &&
        (p->motion[c->b].inverse_moment < 0.0 || !along(c->arm_b, c->normal)))
        return KAI_CONE_GENERAL;
    return KAI_CONE_GRAIN;
}

static kai_result check_bodies(const kai_cone_problem* p, size_t i, kai_error* err)
{
    const uint32_t a = p->contacts[i].a, b = p->contacts[i].b;
    if ((a == KAI_CONE_NONE || a < p->body_count) && (b == KAI_CONE_NONE || b < p->body_count) &&
        a != b)
        return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "contact %zu: bodies %u and %u; must be two of %zu, or one and none", i, a,
                         b, p->body_count);
}

// Few contacts: colours are the groups themselves, filled evenly, so that there are as few as can
// be. Their number is what an iteration takes then: each waits for the one before.
typedef struct spreading {
    uint64_t open;                    // groups in use
    uint64_t of_kind[KAI_CONE_KINDS]; // by kind of contacts; a group has one kind
    uint64_t load[LANES];             // by number of contacts
} spreading;

// Whichever of the groups that are not `taken` has the fewest contacts; -1: none.
static int spread(spreading* s, uint64_t taken, uint32_t kind)
{
    const uint64_t fit = s->open & ~taken & (s->of_kind[kind] | s->load[0]);
    for (int k = 0; k < LANES; k++) {
        if ((fit & s->load[k]) == 0) continue;
        const uint64_t bit = fit & s->load[k] & -(fit & s->load[k]);
        s->of_kind[kind] |= bit;
        s->load[k] &= ~bit;
        if (k + 1 < LANES) s->load[k + 1] |= bit;
        return __builtin_ctzll(bit);
    }
    if (~s->open == 0) return -1;
    const uint64_t bit = ~s->open & -~s->open;
    s->open |= bit;
    s->load[0] |= bit;
    return spread(s, taken, kind);
}

static spreading spreading_for(size_t contacts)
{
    const size_t groups = (contacts + LANES - 1) / LANES;
    spreading s = {.open = groups < COLOURS ? (UINT64_C(1) << groups) - 1 : UINT64_MAX};
    s.load[0] = s.open;
    return s;
}

// A colour that no body of contact i has had, or COLOURS.
static uint32_t colour_of(layout* l, spreading* s, size_t i, uint32_t kind, size_t* block)
{
    const kai_cone_problem* p = l->problem;
    const kai_cone_contact* c = &p->contacts[i];
    uint64_t* masks = l->cone->masks.data;
    const uint32_t a = c->a == KAI_CONE_NONE ? c->b : c->a;
    const uint32_t b = c->b == KAI_CONE_NONE ? c->a : c->b;
    const bool a_moves = kai_cone_values_moves(&p->motion[a]);
    const bool b_moves = kai_cone_values_moves(&p->motion[b]);
    if (!a_moves || !b_moves) l->stays = true;
    // Bodies that contacts do not move may lie in any block and have any number of contacts.
    const size_t block_a = (a_moves ? a : b) / l->block, block_b = (b_moves ? b : a) / l->block;
    const size_t inner = block_a == block_b ? 1 : 0;
    uint64_t taken = 0;
    if (a_moves) taken |= masks[2 * a + inner];
    if (b_moves) taken |= masks[2 * b + inner];
    int k = -1;
    if (s != NULL) k = spread(s, taken, kind);
    if (k < 0 && ~taken != 0) k = __builtin_ctzll(~taken);
    if (k < 0) return COLOURS;
    if (a_moves) masks[2 * a + inner] |= UINT64_C(1) << k;
    if (b_moves) masks[2 * b + inner] |= UINT64_C(1) << k;
    *block = inner ? block_a : l->blocks;
    return (uint32_t)k;
}

// The bucket of every contact: block, colour, kind; the last one is for contacts that found no
// colour. Returns through `counts` how many are in each.
static kai_result colour(layout* l, kai_error* err)
{
    const kai_cone_problem* p = l->problem;
    uint32_t* buckets = l->cone->buckets.data;
    uint32_t* counts = l->cone->counts.data;
    const uint32_t rest = (uint32_t)((l->blocks + 1) * BUCKETS);
    const bool few = p->contact_count <= FEW;
    spreading s = spreading_for(p->contact_count);
    memset(l->cone->masks.data, 0, 2 * p->body_count * sizeof(uint64_t));
    memset(counts, 0, (rest + 1) * sizeof *counts);
    for (size_t i = 0; i < p->contact_count; i++) {
        KAI_TRY(check_bodies(p, i, err));
        const uint32_t kind = kind_of(p, &p->contacts[i]);
        size_t block = 0;
        const uint32_t k = colour_of(l, few ? &s : NULL, i, kind, &block);
        buckets[i] = k == COLOURS ? rest : (uint32_t)(block * BUCKETS) + k * KAI_CONE_KINDS + kind;
        counts[buckets[i]]++;
    }
    return KAI_OK;
}

// Layout -----------------------------------------------------------------------------------------

static uint32_t rows_of(const layout* l, uint32_t kind)
{
    uint32_t rows = kai_cone_pack_rows(kind);
    if (l->extra)
        rows += kind == KAI_CONE_COUPLED ? KAI_CONE_EXTRA_ROWS_COUPLED : KAI_CONE_EXTRA_ROWS;
    return rows;
}

static void add_phase(layout* l, uint32_t first)
{
    if (l->task == first) return;
    kai_cone_phase* phases = l->cone->phases.data;
    phases[l->cone->phases.count++] = (kai_cone_phase){first, l->task};
    if (l->task - first > l->most) l->most = l->task - first;
}

static void add_task(layout* l, uint32_t first)
{
    if (l->run == first) return;
    kai_cone_task* tasks = l->cone->tasks.data;
    tasks[l->task++] = (kai_cone_task){first, l->run};
}

// Appends groups to the task whose runs begin at `first`.
static kai_result add_run(layout* l, uint32_t first, uint32_t kind, uint32_t count,
                          uint32_t first_task, kai_error* err)
{
    kai_cone_run* runs = l->cone->runs.data;
    const uint32_t rows = rows_of(l, kind);
    if (l->run > first && runs[l->run - 1].kind == kind) {
        runs[l->run - 1].count += count;
    } else {
        KAI_TRY(kai_array_resize(&l->cone->runs, l->cone->memory, l->run + 1, err));
        runs = l->cone->runs.data;
        runs[l->run++] = (kai_cone_run){.first = l->groups,
                                        .count = count,
                                        .kind = kind,
                                        .ground = 2 * (l->task - first_task),
                                        .stays = l->stays,
                                        .value = l->value,
                                        .rows = rows};
    }
    l->groups += count;
    l->value += (size_t)count * rows * LANES;
    return KAI_OK;
}

static uint32_t groups_of(uint32_t contacts) { return (contacts + LANES - 1) / LANES; }

// Tasks are appended one by one; there are few against contacts.
static kai_result room_for_task(layout* l, kai_error* err)
{
    return kai_array_resize(&l->cone->tasks, l->cone->memory, l->task + 1, err);
}

// Turns the count of a bucket into the slot of its first contact.
static uint32_t open_bucket(layout* l, uint32_t* count)
{
    const uint32_t groups = groups_of(*count);
    *count = l->groups * LANES;
    return groups;
}

static kai_result lay_blocks(layout* l, kai_error* err)
{
    uint32_t* counts = l->cone->counts.data;
    for (size_t block = 0; block < l->blocks; block++) {
        const uint32_t first = l->run;
        KAI_TRY(room_for_task(l, err));
        for (uint32_t k = 0; k < BUCKETS; k++) {
            const size_t bucket = block * BUCKETS + k;
            if (counts[bucket] == 0) continue;
            const uint32_t groups = open_bucket(l, &counts[bucket]);
            KAI_TRY(add_run(l, first, k % KAI_CONE_KINDS, groups, 0, err));
        }
        add_task(l, first);
    }
    add_phase(l, 0);
    return KAI_OK;
}

static kai_result lay_colours(layout* l, kai_error* err)
{
    uint32_t* counts = (uint32_t*)l->cone->counts.data + l->blocks * BUCKETS;
    for (uint32_t k = 0; k < BUCKETS; k += KAI_CONE_KINDS) {
        const uint32_t first_task = l->task;
        for (uint32_t kind = 0; kind < KAI_CONE_KINDS; kind++) {
            if (counts[k + kind] == 0) continue;
            uint32_t groups = open_bucket(l, &counts[k + kind]);
            while (groups > 0) {
                const uint32_t part = groups < KAI_CONE_PACK_TASK ? groups : KAI_CONE_PACK_TASK;
                const uint32_t first = l->run;
                KAI_TRY(room_for_task(l, err));
                KAI_TRY(add_run(l, first, kind, part, first_task, err));
                add_task(l, first);
                groups -= part;
            }
        }
        add_phase(l, first_task);
    }
    return KAI_OK;
}

static kai_result lay_rest(layout* l, kai_error* err)
{
    const kai_cone_problem* p = l->problem;
    const uint32_t rest = (uint32_t)((l->blocks + 1) * BUCKETS);
    uint32_t* counts = l->cone->counts.data;
    const uint32_t* buckets = l->cone->buckets.data;
    const uint32_t first = l->run, first_task = l->task;
    if (counts[rest] == 0) return KAI_OK;
    counts[rest] = l->groups * LANES;
    KAI_TRY(room_for_task(l, err));
    for (size_t i = 0; i < p->contact_count; i++) {
        if (buckets[i] != rest) continue;
        KAI_TRY(add_run(l, first, kind_of(p, &p->contacts[i]), 1, first_task, err));
    }
    add_task(l, first);
    add_phase(l, first_task);
    return KAI_OK;
}

static kai_result lay_out(layout* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    const kai_cone_problem* p = l->problem;
    l->block = p->contact_count <= FEW ? p->body_count : KAI_CONE_PACK_BLOCK;
    l->blocks = (p->body_count + l->block - 1) / l->block;
    const size_t buckets = (l->blocks + 1) * BUCKETS + 1;
    KAI_TRY(kai_array_reserve(&cone->masks, cone->memory, 2 * p->body_count, err));
    KAI_TRY(kai_array_reserve(&cone->buckets, cone->memory, p->contact_count, err));
    KAI_TRY(kai_array_reserve(&cone->counts, cone->memory, buckets, err));
    KAI_TRY(kai_array_reserve(&cone->phases, cone->memory, COLOURS + 2, err));
    cone->phases.count = 0;
    cone->runs.count = cone->tasks.count = 0;
    KAI_TRY(colour(l, err));
    KAI_TRY(lay_blocks(l, err));
    KAI_TRY(lay_colours(l, err));
    KAI_TRY(lay_rest(l, err));
    cone->tasks.count = l->task;
    cone->runs.count = l->run;

    // Slots of contacts; what remains is empty.
    KAI_TRY(kai_array_reserve(&cone->contact_at, cone->memory, (size_t)l->groups * LANES, err));
    KAI_TRY(kai_array_reserve(&cone->values, cone->memory, l->value, err));
    uint32_t* at = cone->contact_at.data;
    uint32_t* counts = cone->counts.data;
    const uint32_t* of = cone->buckets.data;
    memset(at, 0xff, (size_t)l->groups * LANES * sizeof *at);
    for (size_t i = 0; i < p->contact_count; i++) {
        at[counts[of[i]]] = (uint32_t)i;
        counts[of[i]] += of[i] == buckets - 1 ? LANES : 1;
    }
    return KAI_OK;
}

// Packing ----------------------------------------------------------------------------------------

typedef struct packing {
    kai_cone* cone;
    const kai_cone_problem* problem;
    const uint64_t* degree; // [bodies] contacts; NULL: no extra rows
} packing;

static void pack_tasks(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const packing* k = context;
    const kai_cone_task* tasks = k->cone->tasks.data;
    const kai_cone_run* runs = k->cone->runs.data;
    const uint32_t* at = k->cone->contact_at.data;
    for (uint32_t r = tasks[begin].first; r < tasks[end - 1].end; r++) {
        double* v = (double*)k->cone->values.data + runs[r].value;
        for (uint32_t g = 0; g < runs[r].count; g++, v += runs[r].rows * LANES) {
            const uint32_t* slot = at + (size_t)(runs[r].first + g) * LANES;
            for (uint32_t lane = 0; lane < LANES; lane++)
                kai_cone_values_pack(k->problem, slot[lane], &runs[r], k->degree, v + lane,
                                     (uint32_t*)v + lane);
        }
    }
}

// How many contacts share a body; one with couples counts twice. In place of the colours.
static const uint64_t* count_contacts(kai_cone* cone, const kai_cone_problem* p)
{
    uint64_t* degree = cone->masks.data;
    memset(degree, 0, p->body_count * sizeof *degree);
    for (size_t i = 0; i < p->contact_count; i++) {
        const kai_cone_contact* c = &p->contacts[i];
        const uint64_t weight = p->couple && (c->rolling > 0.0 || c->spinning > 0.0) ? 2 : 1;
        if (c->a != KAI_CONE_NONE) degree[c->a] += weight;
        if (c->b != KAI_CONE_NONE) degree[c->b] += weight;
    }
    return degree;
}

kai_result kai_cone_pack(kai_cone* cone, const kai_cone_problem* problem, bool extra, int threads,
                         kai_error* err)
{
    layout l = {.cone = cone, .problem = problem, .extra = extra};
    if (problem->body_count > UINT32_MAX / 16)
        return kai_error_set(err, KAI_ERROR_LIMIT, "%zu bodies; at most %u", problem->body_count,
                             UINT32_MAX / 16);
    KAI_TRY(lay_out(&l, err));
    const size_t spare = 2 * (size_t)l.most; // for tasks of a phase: the ground and a sink each
    KAI_TRY(kai_array_reserve(&cone->motion, cone->memory, problem->body_count + spare, err));
    kai_cone_motion* motion = cone->motion.data;
    cone->motion.count = problem->body_count + spare;
    memcpy(motion, problem->motion, problem->body_count * sizeof *motion);
    memset(motion + problem->body_count, 0, spare * sizeof *motion);
    kai_cone_run* runs = cone->runs.data;
    for (uint32_t r = 0; r < l.run; r++) runs[r].ground += (uint32_t)problem->body_count;
    packing k = {cone, problem, extra ? count_contacts(cone, problem) : NULL};
    if (l.task > 0) kai_parallel_for(threads, l.task, 1, pack_tasks, &k);
    return KAI_OK;
}

static void read_tasks(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    const packing* k = context;
    const kai_cone_task* tasks = k->cone->tasks.data;
    const kai_cone_run* runs = k->cone->runs.data;
    const uint32_t* at = k->cone->contact_at.data;
    const kai_cone_problem* p = k->problem;
    for (uint32_t r = tasks[begin].first; r < tasks[end - 1].end; r++) {
        const size_t step = (size_t)runs[r].rows * LANES;
        for (size_t s = 0; s < (size_t)runs[r].count * LANES; s++) {
            const uint32_t i = at[(size_t)runs[r].first * LANES + s];
            if (i == UINT32_MAX) continue;
            const double* v =
                (double*)k->cone->values.data + runs[r].value + s / LANES * step + s % LANES;
            const double* x = v + KAI_CONE_ROW_IMPULSE * LANES;
            p->impulse[i] = kai_vec3_make(x[0], x[LANES], x[2 * LANES]);
            if (p->couple == NULL) continue;
            const double* y = v + KAI_CONE_ROW_COUPLE * LANES;
            p->couple[i] = runs[r].kind == KAI_CONE_COUPLED
                               ? kai_vec3_make(y[0], y[LANES], y[2 * LANES])
                               : kai_vec3_zero();
        }
    }
}

void kai_cone_pack_read(const kai_cone* cone, const kai_cone_problem* problem, int threads)
{
    packing k = {(kai_cone*)(uintptr_t)cone, problem, NULL};
    if (cone->tasks.count > 0) kai_parallel_for(threads, cone->tasks.count, 1, read_tasks, &k);
}
