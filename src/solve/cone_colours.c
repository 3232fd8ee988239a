// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Colours have one group each, or two, and are filled evenly, so that a task has as few groups as
// can be: their number is what a pass takes. Where a task has very many contacts, each takes the
// first colour that is free. Contacts of bodies that have more than there are colours come last,
// one a group.
#include "solve/cone_colours.h"

#include "base/parallel.h"

#include <string.h>

enum {
    LANES = KAI_CONE_PACK_LANES,
    COLOURS = 64,                    // of a word
    SETS = 2 * COLOURS,              // in all
    BUCKETS = SETS * KAI_CONE_KINDS, // of a task
    REST = BUCKETS,                  // in place of one: found no colour
    WIDTH = 2,                       // most groups of a colour that are filled evenly
    EVEN = 112 * LANES,              // contacts that are spread over groups of their own
    FEW = KAI_CONE_LAYOUT_FEW        // that are filled evenly
};
_Static_assert((int)FEW == WIDTH * (int)EVEN, "groups that are filled evenly");

// What a group takes, about, in ns: by kind.
static const uint8_t COST[KAI_CONE_KINDS] = {20, 45, 55, 60, 70, 130, 250};

typedef kai_cone_layout_work layout;

// What a thread works with.
typedef struct drawer {
    uint64_t *low, *high; // colours that bodies have, by local number
    uint32_t* counts;     // [BUCKETS] zero between tasks
    uint32_t blocks[KAI_CONE_PACK_BLOCKS], block_count;
} drawer;

// Number of a body among those of the task's blocks.
static uint32_t local(const layout* l, const drawer* d, uint32_t body)
{
    const uint32_t block = kai_cone_layout_block(l, body);
    uint32_t k = 0;
    while (k + 1 < d->block_count && d->blocks[k] != block) k++;
    return k * l->block + body - block * l->block;
}

// Few contacts ------------------------------------------------------------------------------------

__extension__ typedef unsigned __int128 colour_set;

typedef struct spreading {
    colour_set open;                    // colours in use
    colour_set of_kind[KAI_CONE_KINDS]; // by kind of contacts; a colour has one kind
    colour_set any;                     // no kind yet
    colour_set load[LANES * WIDTH];     // by number of contacts
    int room;                           // contacts that a colour has room for
    int least;                          // no colour has fewer
    // Colours that each kind has at first, where it has its own, and the stride they are done in.
    uint32_t first[KAI_CONE_KINDS], count[KAI_CONE_KINDS], stride[KAI_CONE_KINDS];
} spreading;

static int first_of(colour_set s)
{
    const uint64_t low = (uint64_t)s;
    return low != 0 ? __builtin_ctzll(low) : COLOURS + __builtin_ctzll((uint64_t)(s >> COLOURS));
}

// Whichever of the colours that are not `taken` has the fewest contacts; -1: none.
static int spread(spreading* s, colour_set taken, uint32_t kind)
{
    const colour_set fit = s->open & ~taken & (s->of_kind[kind] | s->any);
    while (s->least < s->room && s->load[s->least] == 0) s->least++;
    for (int k = s->least; k < s->room; k++) {
        if ((fit & s->load[k]) == 0) continue;
        const int colour = first_of(fit & s->load[k]);
        const colour_set bit = (colour_set)1 << colour;
        s->of_kind[kind] |= bit;
        s->any &= ~bit;
        s->load[k] &= ~bit;
        if (k + 1 < s->room) s->load[k + 1] |= bit;
        return colour;
    }
    if (~s->open == 0) return ~taken == 0 ? -1 : first_of(~taken);
    const colour_set bit = (colour_set)1 << first_of(~s->open);
    s->open |= bit;
    s->any |= bit;
    s->load[0] |= bit;
    s->least = 0;
    return spread(s, taken, kind);
}

static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t stride_for(uint32_t colours)
{
    uint32_t stride = (uint32_t)(0.382 * colours);
    while (stride > 1 && greatest_divisor(stride, colours) > 1) stride--;
    return stride > 1 ? stride : 1;
}

// What contacts need at least: of all kinds alike in `counts` [0], or kind by kind.
static spreading spreading_for(uint32_t contacts, const uint32_t* counts, int kinds)
{
    spreading s = {.room = contacts > EVEN ? WIDTH * LANES : LANES};
    const uint32_t room = (uint32_t)s.room;
    uint32_t colours = 0;
    for (int k = 0; k < kinds; k++) {
        const uint32_t more = (counts[k] + room - 1) / room;
        const colour_set mine = (((colour_set)1 << more) - 1) << colours;
        if (kinds > 1) s.of_kind[k] = mine;
        s.first[k] = colours;
        s.count[k] = more;
        s.stride[k] = stride_for(more);
        s.open |= mine;
        colours += more;
    }
    s.any = kinds > 1 ? 0 : s.open;
    s.load[0] = s.open;
    return s;
}

// A colour that no body of the contact has had, or SETS.
static uint32_t spread_colour(const layout* l, const drawer* d, const kai_cone_code* code,
                              uint32_t kind, spreading* s)
{
    const bool a_moves = code->what & KAI_CONE_CODE_A_MOVES,
               b_moves = code->what & KAI_CONE_CODE_B_MOVES;
    const uint32_t a = local(l, d, code->a), b = local(l, d, code->b);
    uint64_t low = 0, high = 0;
    if (a_moves) low |= d->low[a], high |= d->high[a];
    if (b_moves) low |= d->low[b], high |= d->high[b];
    const int k = spread(s, (colour_set)high << COLOURS | low, kind);
    if (k < 0) return SETS;
    const uint64_t bit = UINT64_C(1) << k % COLOURS;
    uint64_t* masks = k < COLOURS ? d->low : d->high;
    if (a_moves) masks[a] |= bit;
    if (b_moves) masks[b] |= bit;
    return (uint32_t)k;
}

// Many contacts -----------------------------------------------------------------------------------

static uint32_t first_colour(const layout* l, const drawer* d, const kai_cone_code* code)
{
    const bool a_moves = code->what & KAI_CONE_CODE_A_MOVES,
               b_moves = code->what & KAI_CONE_CODE_B_MOVES;
    const uint32_t a = local(l, d, code->a), b = local(l, d, code->b);
    uint64_t taken = 0;
    if (a_moves) taken |= d->low[a];
    if (b_moves) taken |= d->low[b];
    if (~taken == 0) return SETS;
    const int k = __builtin_ctzll(~taken);
    if (a_moves) d->low[a] |= UINT64_C(1) << k;
    if (b_moves) d->low[b] |= UINT64_C(1) << k;
    return (uint32_t)k;
}

// Tasks ------------------------------------------------------------------------------------------

static uint32_t bucket_of(uint32_t colour, uint32_t kind)
{
    return colour == SETS ? (uint32_t)REST : colour * KAI_CONE_KINDS + kind;
}

// Whether a task is part of a colour: it waits for nothing else.
static bool is_part(const layout* l, const kai_cone_task* t)
{
    const kai_cone_place* p = (const kai_cone_place*)l->cone->places.data + t->place;
    return t->places == 1 && p->counter == l->blocks;
}

// Where the masks of the task's bodies are: of one block in those of all bodies.
static void open_drawer(const layout* l, const kai_cone_task* t, drawer* d, uint64_t* scratch)
{
    const kai_cone_place* p = (const kai_cone_place*)l->cone->places.data + t->place;
    const size_t bodies = l->problem->body_count;
    d->block_count = 0;
    for (uint32_t k = 0; k < t->places; k++)
        if (p[k].counter < l->blocks) d->blocks[d->block_count++] = p[k].counter;
    d->low = scratch;
    d->high = scratch + (size_t)KAI_CONE_PACK_BLOCKS * l->block;
    if (d->block_count > 1) return;
    const size_t first = (size_t)d->blocks[0] * l->block;
    d->low = l->masks + first;
    d->high = l->masks + bodies + first;
}

static void clear_masks(const layout* l, const kai_cone_task* t, const drawer* d)
{
    for (uint32_t k = t->order; k < t->order + t->ordered; k++) {
        const kai_cone_code* code = &l->codes[l->order[k]];
        const uint32_t a = local(l, d, code->a), b = local(l, d, code->b);
        if (code->what & KAI_CONE_CODE_A_MOVES) d->low[a] = d->high[a] = 0;
        if (code->what & KAI_CONE_CODE_B_MOVES) d->low[b] = d->high[b] = 0;
    }
}

static uint32_t kind_of(const kai_cone_code* code, bool uniform)
{
    const uint32_t kind = code->what & KAI_CONE_CODE_KIND;
    return uniform && kind == KAI_CONE_EQUAL_MASSES ? KAI_CONE_UNIFORM : kind;
}

// How many contacts of each kind a task has. Spheres of one size among others of many sizes go with
// those: fewer groups are left half empty. Whether there are.
static bool count_kinds(const layout* l, const kai_cone_task* t, uint32_t* kinds)
{
    for (uint32_t k = t->order; k < t->order + t->ordered; k++)
        kinds[l->codes[l->order[k]].what & KAI_CONE_CODE_KIND]++;
    if (kinds[KAI_CONE_UNIFORM] == 0) return false;
    kinds[KAI_CONE_UNIFORM] += kinds[KAI_CONE_EQUAL_MASSES];
    kinds[KAI_CONE_EQUAL_MASSES] = 0;
    return true;
}

// Contacts of a body mostly are beside each other and go to colours that are: those are not done one
// after the other, which would wait for each other's results, but in long strides. Of all contacts in
// one task the order is left as it is: along a stack it is the best.
static uint32_t permute(const spreading* s, uint32_t kind, uint32_t colour)
{
    const uint32_t first = s->first[kind], count = s->count[kind], stride = s->stride[kind];
    if (colour < first || colour >= first + count) return colour;
    return first + (colour - first) * stride % count;
}

// Hands out the buckets of a task.
static void colour_task(const layout* l, const kai_cone_task* t, drawer* d, uint64_t* scratch)
{
    uint32_t kinds[KAI_CONE_KINDS] = {0};
    const bool few = t->ordered <= FEW, uniform = count_kinds(l, t, kinds);
    spreading s = {0};
    if (few && l->blocks == 1) s = spreading_for(t->ordered, &t->ordered, 1);
    if (few && l->blocks > 1) s = spreading_for(t->ordered, kinds, KAI_CONE_KINDS);
    open_drawer(l, t, d, scratch);
    clear_masks(l, t, d);
    for (uint32_t k = t->order; k < t->order + t->ordered; k++) {
        const uint32_t i = l->order[k], kind = kind_of(&l->codes[i], uniform);
        uint32_t colour =
            few ? spread_colour(l, d, &l->codes[i], kind, &s) : first_colour(l, d, &l->codes[i]);
        if (l->blocks > 1) colour = permute(&s, kind, colour);
        l->buckets[i] = bucket_of(colour, kind);
    }
}

// Parts of a colour have theirs.
static void colour_part(const layout* l, const kai_cone_task* t)
{
    for (uint32_t k = t->order; k < t->order + t->ordered; k++) {
        const uint32_t i = l->order[k];
        l->buckets[i] = bucket_of(l->buckets[i] < COLOURS ? 0 : SETS, kind_of(&l->codes[i], false));
    }
}

static uint32_t groups_of(uint32_t contacts) { return (contacts + LANES - 1) / LANES; }

// Puts groups after those there are.
static void add_groups(const layout* l, kai_cone_task* t, kai_cone_run* runs, uint32_t count,
                       uint32_t kind, uint32_t* last)
{
    if (runs && kind != *last)
        runs[t->runs] = (kai_cone_run){.first = t->groups,
                                       .sort = kind,
                                       .stays = l->stays,
                                       .ground = (uint32_t)l->problem->body_count + 2 * t->owner};
    t->runs += kind != *last;
    if (runs) runs[t->runs - 1].count += count;
    *last = kind;
    t->groups += count;
    t->cost += count * COST[kind];
}

// Counts groups and runs of a task; with `runs` fills these and lanes too. Kinds of contacts are in
// their buckets.
static void lay_task(const layout* l, kai_cone_task* t, uint32_t* counts, kai_cone_run* runs,
                     uint32_t* at)
{
    const uint32_t begin = t->order, end = t->order + t->ordered, first = t->groups;
    uint32_t top = 0, rest = 0, last = KAI_CONE_KINDS;
    t->runs = t->cost = 0;
    if (!runs) t->groups = 0;
    for (uint32_t k = begin; k < end; k++) {
        const uint32_t bucket = l->buckets[l->order[k]];
        if (bucket == REST)
            rest++;
        else
            counts[bucket]++;
        if (bucket != REST && bucket >= top) top = bucket + 1;
    }
    for (uint32_t k = 0; k < top; k++) {
        const uint32_t groups = groups_of(counts[k]);
        counts[k] = t->groups * LANES;
        if (groups > 0) add_groups(l, t, runs, groups, k % KAI_CONE_KINDS, &last);
    }
    for (uint32_t k = begin; k < end && (runs || rest > 0); k++) {
        const uint32_t i = l->order[k], bucket = l->buckets[i];
        if (bucket != REST && runs) at[counts[bucket]++] = i;
        if (bucket != REST) continue;
        if (runs) at[t->groups * LANES] = i;
        add_groups(l, t, runs, 1, l->codes[i].what & KAI_CONE_CODE_KIND, &last);
    }
    memset(counts, 0, top * sizeof *counts);
    if (runs) t->groups -= first;
}

// All --------------------------------------------------------------------------------------------

typedef struct drawing {
    layout* l;
    kai_cone_task* tasks;
    uint64_t* scratch; // [threads][stride]
    size_t stride;
} drawing;

// A thread's counts come first in its scratch.
static uint32_t* counts_of(const drawing* d, int worker)
{
    return (uint32_t*)(d->scratch + (size_t)worker * d->stride);
}

static void count_tasks(size_t begin, size_t end, int worker, void* context)
{
    const drawing* w = context;
    uint32_t* counts = counts_of(w, worker);
    drawer d = {.counts = counts};
    for (size_t t = begin; t < end; t++) {
        if (is_part(w->l, &w->tasks[t]))
            colour_part(w->l, &w->tasks[t]);
        else
            colour_task(w->l, &w->tasks[t], &d, (uint64_t*)counts + BUCKETS / 2);
        lay_task(w->l, &w->tasks[t], counts, NULL, NULL);
    }
}

// `first` of a task is that of its runs, and its groups begin at `end`, until it is filled.
static void fill_tasks(size_t begin, size_t end, int worker, void* context)
{
    const drawing* w = context;
    uint32_t* at = w->l->cone->contact_at.data;
    for (size_t k = begin; k < end; k++) {
        kai_cone_task* t = &w->tasks[k];
        memset(at + (size_t)t->end * LANES, 0xff, (size_t)t->groups * LANES * sizeof *at);
        t->groups = t->end;
        lay_task(w->l, t, counts_of(w, worker), (kai_cone_run*)w->l->cone->runs.data + t->first,
                 at);
        t->end = t->first + t->runs;
    }
}

static kai_result take_scratch(drawing* w, kai_error* err)
{
    kai_cone* cone = w->l->cone;
    const size_t workers = w->l->threads > 1 ? (size_t)w->l->threads : 1;
    const size_t masks = w->l->blocks > 1 ? 2 * (size_t)KAI_CONE_PACK_BLOCKS * w->l->block : 0;
    w->stride = (BUCKETS / 2 + masks + 7) / 8 * 8;
    KAI_TRY(kai_array_reserve(&cone->scratch, cone->memory, workers * w->stride, err));
    w->scratch = cone->scratch.data;
    for (size_t k = 0; k < workers; k++)
        memset(w->scratch + k * w->stride, 0, BUCKETS * sizeof(uint32_t));
    return KAI_OK;
}

kai_result kai_cone_colours(kai_cone_layout_work* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    drawing w = {.l = l, .tasks = cone->tasks.data};
    size_t groups = 0, runs = 0;
    uint64_t cost = 0;
    KAI_TRY(take_scratch(&w, err));
    kai_parallel_for_workers(l->threads, cone->tasks.count, 1, count_tasks, &w);
    // In their turns: memory is read in the order in which it lies.
    const uint32_t* turns = cone->turns.data;
    for (size_t k = 0; k < cone->tasks.count; k++) {
        kai_cone_task* t = &w.tasks[turns[k]];
        t->first = (uint32_t)runs;
        t->end = (uint32_t)groups;
        runs += t->runs;
        groups += t->groups;
        cost += t->cost;
    }
    KAI_TRY(kai_array_reserve(&cone->runs, cone->memory, runs, err));
    KAI_TRY(kai_array_reserve(&cone->contact_at, cone->memory, groups * LANES, err));
    kai_parallel_for_workers(l->threads, cone->tasks.count, 1, fill_tasks, &w);
    cone->runs.count = runs;
    cone->cost = 1e-9 * (double)cost;
    return KAI_OK;
}
