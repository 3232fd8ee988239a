// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "solve/cone_layout.h"

#include "base/parallel.h"
#include "solve/cone_values.h"

#include <stdatomic.h>
#include <string.h>

enum {
    LANES = KAI_CONE_PACK_LANES,
    COLOURS = KAI_CONE_PACK_COLOURS,
    SETS = 2 * COLOURS,              // colours of few contacts
    BUCKETS = SETS * KAI_CONE_KINDS, // of one block, or of all contacts between blocks
    REST = BUCKETS,                  // in place of one: found no colour
    WIDTH = 2,                       // most groups of a colour that are filled evenly
    EVEN = 112 * LANES,              // contacts that are spread over groups of their own
    FEW = WIDTH * EVEN,              // contacts, all in one task
    CHUNKS = 64,                     // at most
    CHUNK = 2048                     // contacts, at least
};

// Bits of kai_cone_code.what; the block comes above them.
enum { KIND = 7, A_MOVES = 8, B_MOVES = 16, BLOCK_SHIFT = 5 };
_Static_assert((int)KAI_CONE_KINDS <= KIND + 1, "bits of a kind");

typedef struct layout {
    kai_cone* cone;
    const kai_cone_problem* problem;
    bool lean, stays;
    size_t block, blocks; // bodies of one, and how many there are
    size_t chunk, chunks; // contacts of one, and how many there are
    kai_cone_code* codes;
    kai_cone_block* list; // [blocks + 1]; the last one has contacts between blocks
    uint32_t* starts;     // [chunks][blocks + 1]: counts, then places in `order`
    uint32_t* order;      // [contacts] sorted by blocks
    uint32_t* buckets;    // [contacts]
    uint32_t* counts;     // [blocks + 1][BUCKETS]: contacts, then the next slot
    uint64_t* masks;      // [2][bodies]: colours that a body has, inside and between blocks; or
                          // of few contacts, low and high
    atomic_int changed, some_stay;
    atomic_size_t bad; // the first contact with bad bodies
    uint32_t groups, run, task;
} layout;

// Codes ------------------------------------------------------------------------------------------

// Rounding leaves arms of spheres askew by 1e-16 of the distance from the origin.
static bool along(kai_vec3 arm, kai_vec3 n)
{
    const kai_vec3 off = kai_vec3_mul_add(arm, n, -kai_vec3_dot(arm, n));
    return kai_vec3_norm2(off) <= 1e-20 * kai_vec3_norm2(arm);
}

static bool turns(const kai_cone_problem* p, uint32_t body, kai_vec3 arm, kai_vec3 n)
{
    return body != KAI_CONE_NONE && (p->motion[body].inverse_moment < 0.0 || !along(arm, n));
}

// Kinds of spheres.
static uint32_t grain_of(const layout* l, const kai_cone_contact* c)
{
    if (!l->lean || l->problem->contact_count <= FEW) return KAI_CONE_GRAIN;
    if (c->friction != l->cone->friction || c->compliance != l->cone->compliance)
        return KAI_CONE_GRAIN;
    if (c->a == KAI_CONE_NONE || c->b == KAI_CONE_NONE) return KAI_CONE_EQUAL_MASSES;
    const double a = kai_vec3_dot(c->arm_a, c->normal), b = -kai_vec3_dot(c->arm_b, c->normal);
    return fabs(a - b) <= 1e-10 * a ? KAI_CONE_EQUAL_MASSES : KAI_CONE_UNIFORM;
}

static uint32_t kind_of(const layout* l, const kai_cone_contact* c)
{
    const kai_cone_problem* p = l->problem;
    if (p->couple != NULL && (c->rolling > 0.0 || c->spinning > 0.0)) return KAI_CONE_COUPLED;
    const bool slick = l->lean && (p->smooth || c->friction == 0.0);
    if (turns(p, c->a, c->arm_a, c->normal) || turns(p, c->b, c->arm_b, c->normal))
        return slick ? KAI_CONE_SMOOTH : KAI_CONE_GENERAL;
    return slick ? KAI_CONE_FRICTIONLESS : grain_of(l, c);
}

static bool bodies_are_good(const kai_cone_problem* p, const kai_cone_contact* c)
{
    return (c->a == KAI_CONE_NONE || c->a < p->body_count) &&
           (c->b == KAI_CONE_NONE || c->b < p->body_count) && c->a != c->b;
}

static kai_result name_bad(const kai_cone_problem* p, size_t i, kai_error* err)
{
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "contact %zu: bodies %u and %u; must be two of %zu, or one and none", i,
                         p->contacts[i].a, p->contacts[i].b, p->body_count);
}

static void note_bad(layout* l, size_t i)
{
    size_t first = atomic_load(&l->bad);
    while (i < first && !atomic_compare_exchange_weak(&l->bad, &first, i)) continue;
}

// Bodies that contacts do not move may lie in any block and have any number of contacts.
static kai_cone_code code_of(const layout* l, const kai_cone_contact* c)
{
    const kai_cone_motion* motion = l->problem->motion;
    const uint32_t a = c->a == KAI_CONE_NONE ? c->b : c->a;
    const uint32_t b = c->b == KAI_CONE_NONE ? c->a : c->b;
    const bool a_moves = kai_cone_values_moves(&motion[a]);
    const bool b_moves = kai_cone_values_moves(&motion[b]);
    const size_t block_a = (a_moves ? a : b) / l->block, block_b = (b_moves ? b : a) / l->block;
    const size_t place = block_a == block_b ? block_a : l->blocks;
    return (kai_cone_code){a, b,
                           (uint32_t)place << BLOCK_SHIFT | kind_of(l, c) |
                               (a_moves ? A_MOVES : 0u) | (b_moves ? B_MOVES : 0u)};
}

static void code_chunk(size_t begin, size_t end, void* context)
{
    layout* l = context;
    uint32_t* counts = l->starts + begin / l->chunk * (l->blocks + 1);
    bool changed = false, stay = false;
    memset(counts, 0, (l->blocks + 1) * sizeof *counts);
    for (size_t i = begin; i < end; i++) {
        const kai_cone_contact* c = &l->problem->contacts[i];
        if (!bodies_are_good(l->problem, c)) {
            note_bad(l, i);
            return;
        }
        const kai_cone_code code = code_of(l, c), old = l->codes[i];
        changed |= code.a != old.a || code.b != old.b || code.what != old.what;
        stay |= (code.what & (A_MOVES | B_MOVES)) != (A_MOVES | B_MOVES);
        l->codes[i] = code;
        counts[code.what >> BLOCK_SHIFT]++;
    }
    if (changed) atomic_store_explicit(&l->changed, 1, memory_order_relaxed);
    if (stay) atomic_store_explicit(&l->some_stay, 1, memory_order_relaxed);
}

// Sorting ----------------------------------------------------------------------------------------

static void find_starts(layout* l)
{
    uint32_t sum = 0;
    for (size_t b = 0; b <= l->blocks; b++) {
        l->list[b] = (kai_cone_block){.order = sum};
        for (size_t c = 0; c < l->chunks; c++) {
            uint32_t* at = &l->starts[c * (l->blocks + 1) + b];
            const uint32_t count = *at;
            *at = sum;
            sum += count;
        }
    }
}

static void sort_chunk(size_t begin, size_t end, void* context)
{
    const layout* l = context;
    uint32_t* next = l->starts + begin / l->chunk * (l->blocks + 1);
    for (size_t i = begin; i < end; i++)
        l->order[next[l->codes[i].what >> BLOCK_SHIFT]++] = (uint32_t)i;
}

// Contacts of a block, or of the place after all blocks.
static uint32_t end_of(const layout* l, size_t b)
{
    return b < l->blocks ? l->list[b + 1].order : (uint32_t)l->problem->contact_count;
}

// Colours ----------------------------------------------------------------------------------------

// Few contacts: colours have one group each, or two, and are filled evenly, so that there are as
// few groups as can be. Their number is what an iteration takes.
__extension__ typedef unsigned __int128 colour_set;

typedef struct spreading {
    colour_set open;                    // colours in use
    colour_set of_kind[KAI_CONE_KINDS]; // by kind of contacts; a colour has one kind
    colour_set load[LANES * WIDTH];     // by number of contacts
    int room;                           // contacts that a colour has room for
    int least;                          // no colour has fewer
} spreading;

static int first_of(colour_set s)
{
    const uint64_t low = (uint64_t)s;
    return low != 0 ? __builtin_ctzll(low) : COLOURS + __builtin_ctzll((uint64_t)(s >> COLOURS));
}

// Whichever of the colours that are not `taken` has the fewest contacts; -1: none.
static int spread(spreading* s, colour_set taken, uint32_t kind)
{
    const colour_set fit = s->open & ~taken & (s->of_kind[kind] | s->load[0]);
    while (s->least < s->room && s->load[s->least] == 0) s->least++;
    for (int k = s->least; k < s->room; k++) {
        if ((fit & s->load[k]) == 0) continue;
        const int colour = first_of(fit & s->load[k]);
        const colour_set bit = (colour_set)1 << colour;
        s->of_kind[kind] |= bit;
        s->load[k] &= ~bit;
        if (k + 1 < s->room) s->load[k + 1] |= bit;
        return colour;
    }
    if (~s->open == 0) return ~taken == 0 ? -1 : first_of(~taken);
    const colour_set bit = (colour_set)1 << first_of(~s->open);
    s->open |= bit;
    s->load[0] |= bit;
    s->least = 0;
    return spread(s, taken, kind);
}

static spreading spreading_for(size_t contacts)
{
    spreading s = {.room = contacts > EVEN ? WIDTH * LANES : LANES};
    const size_t colours = (contacts + (size_t)s.room - 1) / (size_t)s.room;
    s.open = s.load[0] = ((colour_set)1 << colours) - 1;
    return s;
}

// A colour that no body of the contact has had, or SETS. Masks of few contacts have two words a
// body.
static uint32_t spread_colour(const layout* l, const kai_cone_code* code, spreading* s)
{
    const size_t bodies = l->problem->body_count;
    const bool a_moves = code->what & A_MOVES, b_moves = code->what & B_MOVES;
    uint64_t low = 0, high = 0;
    if (a_moves) low |= l->masks[code->a], high |= l->masks[bodies + code->a];
    if (b_moves) low |= l->masks[code->b], high |= l->masks[bodies + code->b];
    const int k = spread(s, (colour_set)high << COLOURS | low, code->what & KIND);
    if (k < 0) return SETS;
    const uint64_t bit = UINT64_C(1) << k % COLOURS;
    uint64_t* masks = l->masks + (k < COLOURS ? 0 : bodies);
    if (a_moves) masks[code->a] |= bit;
    if (b_moves) masks[code->b] |= bit;
    return (uint32_t)k;
}

// The same for many contacts: the first one that is free.
static uint32_t first_colour(const kai_cone_code* code, uint64_t* masks)
{
    const bool a_moves = code->what & A_MOVES, b_moves = code->what & B_MOVES;
    uint64_t taken = 0;
    if (a_moves) taken |= masks[code->a];
    if (b_moves) taken |= masks[code->b];
    if (~taken == 0) return SETS;
    const int k = __builtin_ctzll(~taken);
    if (a_moves) masks[code->a] |= UINT64_C(1) << k;
    if (b_moves) masks[code->b] |= UINT64_C(1) << k;
    return (uint32_t)k;
}

// Hands out the buckets of a block (or of what lies between): colour, then kind.
static void colour_block(layout* l, size_t b, uint64_t* masks)
{
    const bool few = l->problem->contact_count <= FEW;
    uint32_t* counts = l->counts + b * BUCKETS;
    spreading s;
    if (few) s = spreading_for(l->problem->contact_count);
    memset(counts, 0, BUCKETS * sizeof *counts);
    for (uint32_t k = l->list[b].order; k < end_of(l, b); k++) {
        const uint32_t i = l->order[k];
        const kai_cone_code* code = &l->codes[i];
        const uint32_t colour = few ? spread_colour(l, code, &s) : first_colour(code, masks);
        l->buckets[i] =
            colour == SETS ? (uint32_t)REST : colour * KAI_CONE_KINDS + (code->what & KIND);
        if (colour == SETS)
            l->list[b].rest++;
        else
            counts[l->buckets[i]]++;
    }
}

static uint32_t groups_of(uint32_t contacts) { return (contacts + LANES - 1) / LANES; }

static void colour_blocks(size_t begin, size_t end, void* context)
{
    layout* l = context;
    for (size_t b = begin; b < end; b++) {
        const size_t first = b * l->block, left = l->problem->body_count - first;
        memset(l->masks + first, 0, (left < l->block ? left : l->block) * sizeof *l->masks);
        colour_block(l, b, l->masks);
        const uint32_t* counts = l->counts + b * BUCKETS;
        uint32_t last = KAI_CONE_KINDS;
        for (uint32_t k = 0; k < BUCKETS; k++) {
            if (counts[k] == 0) continue;
            l->list[b].groups += groups_of(counts[k]);
            l->list[b].runs += k % KAI_CONE_KINDS != last;
            last = k % KAI_CONE_KINDS;
        }
    }
}

// Tasks ------------------------------------------------------------------------------------------

static void add_phase(layout* l, uint32_t first)
{
    if (l->task == first) return;
    kai_cone_phase* phases = l->cone->phases.data;
    phases[l->cone->phases.count++] = (kai_cone_phase){first, l->task};
}

static void add_task(layout* l, uint32_t first)
{
    kai_cone_task* tasks = l->cone->tasks.data;
    if (l->run > first) tasks[l->task++] = (kai_cone_task){first, l->run};
}

// Room for all runs and tasks there will be.
static kai_result make_room(layout* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    size_t runs = 0, groups = 0, tasks = l->blocks + 1;
    for (size_t b = 0; b < l->blocks; b++) runs += l->list[b].runs, groups += l->list[b].groups;
    for (size_t b = 0; b <= l->blocks; b++) runs += l->list[b].rest, groups += l->list[b].rest;
    for (size_t k = 0; k < BUCKETS; k++) {
        const size_t outer = groups_of(l->counts[l->blocks * BUCKETS + k]);
        groups += outer;
        tasks += (outer + KAI_CONE_PACK_TASK - 1) / KAI_CONE_PACK_TASK;
        runs += (outer + KAI_CONE_PACK_TASK - 1) / KAI_CONE_PACK_TASK;
    }
    KAI_TRY(kai_array_reserve(&cone->runs, cone->memory, runs, err));
    KAI_TRY(kai_array_reserve(&cone->tasks, cone->memory, tasks, err));
    return kai_array_reserve(&cone->contact_at, cone->memory, groups * LANES, err);
}

// A run of groups, in the task with that number in its phase.
static kai_cone_run make_run(const layout* l, uint32_t group, uint32_t count, uint32_t kind,
                             uint32_t number)
{
    return (kai_cone_run){.first = group,
                          .count = count,
                          .sort = kind,
                          .stays = l->stays,
                          .ground = (uint32_t)l->problem->body_count + 2 * number};
}

static void lay_blocks(layout* l)
{
    for (size_t b = 0; b < l->blocks; b++) {
        kai_cone_block* block = &l->list[b];
        const uint32_t first = l->run;
        block->group = l->groups;
        block->run = l->run;
        l->groups += block->groups;
        l->run += block->runs;
        add_task(l, first);
    }
    add_phase(l, 0);
}

// Runs and slots of a block: its contacts by colour and kind.
static void fill_blocks(size_t begin, size_t end, void* context)
{
    const layout* l = context;
    uint32_t* at = l->cone->contact_at.data;
    for (size_t b = begin; b < end; b++) {
        kai_cone_run* run = (kai_cone_run*)l->cone->runs.data + l->list[b].run;
        uint32_t* counts = l->counts + b * BUCKETS;
        uint32_t group = l->list[b].group, last = KAI_CONE_KINDS;
        memset(at + (size_t)group * LANES, 0xff, (size_t)l->list[b].groups * LANES * sizeof *at);
        for (uint32_t k = 0; k < BUCKETS; k++) {
            const uint32_t groups = groups_of(counts[k]), kind = k % KAI_CONE_KINDS;
            if (groups == 0) continue;
            if (kind == last)
                run[-1].count += groups;
            else
                *run++ = make_run(l, group, groups, kind, 0);
            last = kind;
            counts[k] = group * LANES;
            group += groups;
        }
        for (uint32_t k = l->list[b].order; k < end_of(l, b); k++) {
            const uint32_t i = l->order[k];
            if (l->buckets[i] != REST) at[counts[l->buckets[i]]++] = i;
        }
    }
}

// Tasks of the first phase have grounds of their own.
static void number_grounds(layout* l)
{
    const kai_cone_task* tasks = l->cone->tasks.data;
    kai_cone_run* runs = l->cone->runs.data;
    for (uint32_t t = 0; t < l->task; t++)
        for (uint32_t r = tasks[t].first; r < tasks[t].end; r++) runs[r].ground += 2 * t;
}

// Contacts between blocks: a phase a colour.
static void lay_colours(layout* l)
{
    uint32_t* counts = l->counts + l->blocks * BUCKETS;
    uint32_t* at = l->cone->contact_at.data;
    kai_cone_run* runs = l->cone->runs.data;
    const uint32_t start = l->groups;
    for (uint32_t k = 0; k < BUCKETS; k += KAI_CONE_KINDS) {
        const uint32_t first_task = l->task;
        for (uint32_t kind = 0; kind < KAI_CONE_KINDS; kind++) {
            uint32_t groups = groups_of(counts[k + kind]);
            counts[k + kind] = l->groups * LANES;
            while (groups > 0) {
                const uint32_t part = groups < KAI_CONE_PACK_TASK ? groups : KAI_CONE_PACK_TASK;
                const uint32_t first = l->run;
                runs[l->run++] = make_run(l, l->groups, part, kind, l->task - first_task);
                add_task(l, first);
                l->groups += part;
                groups -= part;
            }
        }
        add_phase(l, first_task);
    }
    memset(at + (size_t)start * LANES, 0xff, (size_t)(l->groups - start) * LANES * sizeof *at);
    for (uint32_t k = l->list[l->blocks].order; k < end_of(l, l->blocks); k++) {
        const uint32_t i = l->order[k];
        if (l->buckets[i] != REST) at[counts[l->buckets[i]]++] = i;
    }
}

// Contacts without a colour, one after the other, in one task.
static void lay_rest(layout* l)
{
    uint32_t* at = l->cone->contact_at.data;
    kai_cone_run* runs = l->cone->runs.data;
    const uint32_t first = l->run, first_task = l->task;
    uint32_t rest = 0;
    for (size_t b = 0; b <= l->blocks; b++) rest += l->list[b].rest;
    for (size_t i = 0; rest > 0 && i < l->problem->contact_count; i++) {
        if (l->buckets[i] != REST) continue;
        const uint32_t kind = l->codes[i].what & KIND;
        if (l->run > first && runs[l->run - 1].sort == kind)
            runs[l->run - 1].count++;
        else
            runs[l->run++] = make_run(l, l->groups, 1, kind, 0);
        for (uint32_t k = 0; k < LANES; k++) at[(size_t)l->groups * LANES + k] = UINT32_MAX;
        at[(size_t)l->groups++ * LANES] = (uint32_t)i;
    }
    add_task(l, first);
    add_phase(l, first_task);
}

// All --------------------------------------------------------------------------------------------

static kai_result reserve(layout* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    const size_t bodies = l->problem->body_count, contacts = l->problem->contact_count;
    l->block = contacts > FEW ? (size_t)KAI_CONE_PACK_BLOCK : bodies > 0 ? bodies : 1;
    l->blocks = (bodies + l->block - 1) / l->block;
    l->chunk = contacts / CHUNKS + 1 > CHUNK ? contacts / CHUNKS + 1 : CHUNK;
    l->chunks = (contacts + l->chunk - 1) / l->chunk;
    const size_t places = l->blocks + 1;
    KAI_TRY(kai_array_resize(&cone->codes, cone->memory, contacts, err));
    KAI_TRY(kai_array_reserve(&cone->blocks, cone->memory, places, err));
    KAI_TRY(kai_array_reserve(&cone->starts, cone->memory, l->chunks * places, err));
    KAI_TRY(kai_array_reserve(&cone->order, cone->memory, contacts, err));
    KAI_TRY(kai_array_reserve(&cone->buckets, cone->memory, contacts, err));
    KAI_TRY(kai_array_reserve(&cone->counts, cone->memory, places * BUCKETS, err));
    KAI_TRY(kai_array_reserve(&cone->masks, cone->memory, 2 * bodies, err));
    KAI_TRY(kai_array_reserve(&cone->phases, cone->memory, SETS + 2, err));
    l->codes = cone->codes.data;
    l->list = cone->blocks.data;
    l->starts = cone->starts.data;
    l->order = cone->order.data;
    l->buckets = cone->buckets.data;
    l->counts = cone->counts.data;
    l->masks = cone->masks.data;
    return KAI_OK;
}

kai_result kai_cone_layout(kai_cone* cone, const kai_cone_problem* problem, bool lean, int threads,
                           kai_error* err)
{
    layout l = {.cone = cone, .problem = problem, .lean = lean, .bad = SIZE_MAX};
    const size_t contacts = problem->contact_count, bodies = problem->body_count;
    const bool known = cone->laid && cone->laid_bodies == bodies && cone->codes.count == contacts;
    cone->laid = false;
    KAI_TRY(reserve(&l, err));
    // What most contacts have, it may be hoped; those of walls come first.
    cone->friction = problem->contacts[contacts / 2].friction;
    cone->compliance = problem->contacts[contacts / 2].compliance;
    kai_parallel_for(threads, contacts, l.chunk, code_chunk, &l);
    if (atomic_load(&l.bad) != SIZE_MAX) return name_bad(problem, atomic_load(&l.bad), err);
    cone->laid = true;
    if (known && !atomic_load(&l.changed)) return KAI_OK;
    cone->laid = false;
    l.stays = atomic_load(&l.some_stay);
    find_starts(&l);
    kai_parallel_for(threads, contacts, l.chunk, sort_chunk, &l);
    memset(l.masks + bodies, 0, bodies * sizeof *l.masks);
    kai_parallel_for(threads, l.blocks, 1, colour_blocks, &l);
    colour_block(&l, l.blocks, l.masks + bodies);
    KAI_TRY(make_room(&l, err));
    cone->phases.count = 0;
    lay_blocks(&l);
    kai_parallel_for(threads, l.blocks, 1, fill_blocks, &l);
    number_grounds(&l);
    lay_colours(&l);
    lay_rest(&l);
    cone->tasks.count = l.task;
    cone->runs.count = l.run;
    cone->laid_bodies = bodies;
    cone->laid = true;
    return KAI_OK;
}
