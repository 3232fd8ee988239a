// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts between two blocks are a task where they are enough to fill groups. The others, along
// edges and corners where more than two blocks meet, are *loose*: those of a block with its higher
// neighbours become one task together. Where bodies are in no order in space most contacts are loose
// and such tasks would wait for each other all the time: then all loose contacts of the problem are
// coloured, and tasks are parts of a colour, which wait for all that comes before the colour.
//
// Turns: blocks first, then pairs of blocks, coloured so that pairs of one colour have no block in
// common, then loose ones likewise. So many tasks that can be done at once follow each other.
#include "solve/cone_tasks.h"

#include "base/parallel.h"

#include <string.h>

enum {
    PAIR = 24,                         // contacts: the least for a task of two blocks
    OTHERS = KAI_CONE_PACK_BLOCKS - 1, // blocks, beside the first, of a task of loose contacts
    SHARE = 8,                         // loose contacts may be one in so many
    PART = 8,                          // groups of a part of a colour, at least
    PARTS = 64,                        // of a colour, at most
    COLOURS = 64,                      // of bodies
    STAGES = 64,                       // colours of tasks
    DIGIT = 8                          // bits
};

typedef kai_cone_layout_work layout;

// Contacts between blocks ------------------------------------------------------------------------

static uint32_t other_of(const layout* l, uint32_t contact)
{
    const kai_cone_code* c = &l->codes[contact];
    return kai_cone_layout_block(l, c->a > c->b ? c->a : c->b);
}

// Sorts contacts by the higher block, those of one in the order they have.
static void sort_others(const layout* l, uint32_t begin, uint32_t end)
{
    uint32_t *from = l->order + begin, *to = l->buckets + begin;
    const uint32_t count = end - begin;
    for (uint32_t shift = 0; (l->blocks - 1) >> shift > 0; shift += DIGIT) {
        uint32_t next[1 << DIGIT] = {0}, sum = 0;
        for (uint32_t k = 0; k < count; k++)
            next[other_of(l, from[k]) >> shift & ((1 << DIGIT) - 1)]++;
        for (uint32_t d = 0; d < 1 << DIGIT; d++) {
            const uint32_t n = next[d];
            next[d] = sum;
            sum += n;
        }
        for (uint32_t k = 0; k < count; k++)
            to[next[other_of(l, from[k]) >> shift & ((1 << DIGIT) - 1)]++] = from[k];
        uint32_t* before = from;
        from = to;
        to = before;
    }
    if (from != l->order + begin) memcpy(l->order + begin, from, count * sizeof *from);
}

// Where contacts with the block of the contact at `k` end.
static uint32_t end_of_pair(const layout* l, uint32_t k, uint32_t end)
{
    const uint32_t other = other_of(l, l->order[k]);
    while (++k < end && other_of(l, l->order[k]) == other) continue;
    return k;
}

// Contacts of each block with higher ones: pairs that are tasks first, then loose ones.
static void split_blocks(size_t first, size_t last, void* context)
{
    const layout* l = context;
    for (size_t b = first; b < last; b++) {
        kai_cone_block* block = &l->list[b];
        const uint32_t begin = block->across, end = l->list[b + 1].across;
        uint32_t paired = begin, loose = begin;
        sort_others(l, begin, end);
        block->tasks = block->places = 0;
        for (uint32_t k = begin, next; k < end; k = next) {
            next = end_of_pair(l, k, end);
            if (next - k < PAIR) {
                memcpy(l->buckets + loose, l->order + k, (next - k) * sizeof *l->order);
                loose += next - k;
                continue;
            }
            memmove(l->order + paired, l->order + k, (next - k) * sizeof *l->order);
            paired += next - k;
            block->tasks++;
            block->places += 2;
        }
        memcpy(l->order + paired, l->buckets + begin, (loose - begin) * sizeof *l->order);
        block->loose = paired;
    }
}

// How many other blocks the loose contacts of a block have.
static uint32_t count_others(const layout* l, size_t b)
{
    const uint32_t end = l->list[b + 1].across;
    uint32_t others = 0;
    for (uint32_t k = l->list[b].loose; k < end; k = end_of_pair(l, k, end)) others++;
    return others;
}

static void count_loose(size_t first, size_t last, void* context)
{
    const layout* l = context;
    for (size_t b = first; b < last; b++) {
        const uint32_t others = count_others(l, b), tasks = (others + OTHERS - 1) / OTHERS;
        l->list[b].tasks += tasks;
        l->list[b].places += tasks + others;
    }
}

// Tasks ------------------------------------------------------------------------------------------

typedef struct writing {
    layout* l;
    kai_cone_task* tasks;
    kai_cone_place* places;
    bool apart; // loose contacts are not in tasks of blocks
} writing;

// The last place of all tasks, where loose contacts are apart: all of the pass before must be done.
static uint32_t end_places(const writing* w, kai_cone_task* t, uint32_t place)
{
    if (w->apart) w->places[place++] = (kai_cone_place){(uint32_t)w->l->blocks, 0};
    t->places = place - t->place;
    return place;
}

static kai_cone_task begin_task(size_t owner, uint32_t order, uint32_t end, uint32_t place)
{
    return (kai_cone_task){
        .owner = (uint32_t)owner, .order = order, .ordered = end - order, .place = place};
}

// Tasks of contacts between this block and others, from the numbers in its record on.
static void write_across(const writing* w, size_t b)
{
    const layout* l = w->l;
    const kai_cone_block* block = &l->list[b];
    const uint32_t end = l->list[b + 1].across;
    uint32_t task = block->tasks, place = block->places;
    for (uint32_t k = block->across, next; k < block->loose; k = next) {
        kai_cone_task* t = &w->tasks[task++];
        next = end_of_pair(l, k, block->loose);
        *t = begin_task(b, k, next, place);
        w->places[place++] = (kai_cone_place){.counter = (uint32_t)b};
        w->places[place++] = (kai_cone_place){.counter = other_of(l, l->order[k])};
        place = end_places(w, t, place);
    }
    for (uint32_t k = block->loose; k < end && !w->apart;) {
        kai_cone_task* t = &w->tasks[task++];
        *t = begin_task(b, k, k, place);
        w->places[place++] = (kai_cone_place){.counter = (uint32_t)b};
        for (int i = 0; i < OTHERS && k < end; i++) {
            w->places[place++] = (kai_cone_place){.counter = other_of(l, l->order[k])};
            k = end_of_pair(l, k, end);
        }
        t->ordered = k - t->order;
        place = end_places(w, t, place);
    }
}

static void write_tasks(size_t first, size_t last, void* context)
{
    const writing* w = context;
    for (size_t b = first; b < last; b++) {
        const kai_cone_block* block = &w->l->list[b];
        const uint32_t each = w->apart ? 2 : 1;
        kai_cone_task* t = &w->tasks[b];
        *t = begin_task(b, block->inside, w->l->list[b + 1].inside, (uint32_t)b * each);
        w->places[t->place] = (kai_cone_place){.counter = (uint32_t)b};
        end_places(w, t, t->place + 1);
        write_across(w, b);
    }
}

// Loose contacts by colours ----------------------------------------------------------------------

// The first colour that no body of the contact has; COLOURS: all are taken.
static uint32_t colour_of(const kai_cone_code* code, uint64_t* masks)
{
    const bool a_moves = code->what & KAI_CONE_CODE_A_MOVES,
               b_moves = code->what & KAI_CONE_CODE_B_MOVES;
    uint64_t taken = 0;
    if (a_moves) taken |= masks[code->a];
    if (b_moves) taken |= masks[code->b];
    if (~taken == 0) return COLOURS;
    const int k = __builtin_ctzll(~taken);
    if (a_moves) masks[code->a] |= UINT64_C(1) << k;
    if (b_moves) masks[code->b] |= UINT64_C(1) << k;
    return (uint32_t)k;
}

// Colours of all loose contacts into `buckets`; how many each has.
static void colour_loose(const layout* l, uint32_t* counts)
{
    memset(l->masks, 0, l->problem->body_count * sizeof *l->masks);
    for (size_t b = 0; b < l->blocks; b++) {
        for (uint32_t k = l->list[b].loose; k < l->list[b + 1].across; k++) {
            const uint32_t i = l->order[k];
            l->buckets[i] = colour_of(&l->codes[i], l->masks);
            counts[l->buckets[i]]++;
        }
    }
}

static uint32_t part_of(uint32_t contacts)
{
    enum { LANES = KAI_CONE_PACK_LANES };
    const uint32_t groups = (contacts / LANES + PARTS) / PARTS;
    return LANES * (groups < PART ? PART : groups);
}

// Loose contacts, sorted by colours behind all contacts in `order`; tasks are parts of a colour.
// Contacts that found none are the last task, one after the other.
static void write_parts(writing* w, const uint32_t* counts, uint32_t task, uint32_t place)
{
    const layout* l = w->l;
    uint32_t at = (uint32_t)l->problem->contact_count, next[COLOURS + 1];
    for (uint32_t c = 0; c <= COLOURS; c++) {
        const uint32_t end = at + counts[c], before = task;
        const uint32_t part = c < COLOURS ? part_of(counts[c]) : counts[c];
        next[c] = at;
        while (at < end) {
            const uint32_t stop = end - at > part ? at + part : end;
            w->tasks[task] = begin_task(task - before, at, stop, place);
            w->tasks[task++].places = 1;
            w->places[place++] = (kai_cone_place){(uint32_t)l->blocks, before};
            at = stop;
        }
    }
    for (size_t b = 0; b < l->blocks; b++)
        for (uint32_t k = l->list[b].loose; k < l->list[b + 1].across; k++)
            l->order[next[l->buckets[l->order[k]]]++] = l->order[k];
}

static uint32_t count_parts(const uint32_t* counts)
{
    uint32_t parts = counts[COLOURS] > 0;
    for (uint32_t c = 0; c < COLOURS; c++)
        parts += (counts[c] + part_of(counts[c]) - 1) / part_of(counts[c]);
    return parts;
}

// Turns ------------------------------------------------------------------------------------------

// The first colour of tasks, from 1, that none of the task's blocks has; those that find none share
// the last one.
static uint8_t stage_of(const kai_cone_task* t, const kai_cone_place* places, uint32_t blocks,
                        uint64_t* used)
{
    uint64_t taken = 0;
    const kai_cone_place *first = &places[t->place], *end = first + t->places;
    for (const kai_cone_place* p = first; p < end; p++)
        if (p->counter < blocks) taken |= used[p->counter];
    if (~taken == 0) return STAGES + 1;
    const int k = __builtin_ctzll(~taken);
    for (const kai_cone_place* p = first; p < end; p++)
        if (p->counter < blocks) used[p->counter] |= UINT64_C(1) << k;
    return (uint8_t)(k + 1);
}

// Stages of tasks: blocks have the first, parts of colours come after all. Pairs choose before
// loose ones.
static void find_stages(const layout* l, const writing* w, size_t across, uint8_t* stages)
{
    const uint32_t blocks = (uint32_t)l->blocks;
    memset(l->masks, 0, blocks * sizeof *l->masks);
    memset(stages, 0, blocks);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t t = blocks; t < across; t++) {
            const kai_cone_task* task = &w->tasks[t];
            const bool loose = task->order >= l->list[task->owner].loose;
            if (loose == (pass == 1)) stages[t] = stage_of(task, w->places, blocks, l->masks);
        }
    }
}

static void sort_turns(const layout* l, const writing* w, size_t across, size_t count,
                       const uint8_t* stages)
{
    uint32_t next[STAGES + 2] = {0}, sum = 0;
    uint32_t* turns = l->cone->turns.data;
    uint32_t* totals = l->cone->totals.data;
    for (size_t t = 0; t < across; t++) next[stages[t]]++;
    for (int s = 0; s < STAGES + 2; s++) {
        const uint32_t n = next[s];
        next[s] = sum;
        sum += n;
    }
    for (size_t t = 0; t < across; t++) turns[next[stages[t]]++] = (uint32_t)t;
    for (size_t t = across; t < count; t++) turns[t] = (uint32_t)t;
    memset(totals, 0, (l->blocks + 1) * sizeof *totals);
    for (size_t k = 0; k < across; k++) {
        const kai_cone_task* t = &w->tasks[turns[k]];
        for (uint32_t p = t->place; p < t->place + t->places; p++)
            if (w->places[p].counter < l->blocks)
                w->places[p].number = totals[w->places[p].counter]++;
    }
    totals[l->blocks] = w->apart ? (uint32_t)count : 0;
}

// All --------------------------------------------------------------------------------------------

// Where each block's tasks and places begin, in the place of their numbers.
static void find_offsets(const layout* l, uint32_t each, uint32_t* tasks, uint32_t* places)
{
    *tasks = (uint32_t)l->blocks;
    *places = (uint32_t)l->blocks * each;
    for (size_t b = 0; b < l->blocks; b++) {
        kai_cone_block* block = &l->list[b];
        const uint32_t count = block->tasks, room = block->places + (each - 1) * count;
        block->tasks = *tasks;
        block->places = *places;
        *tasks += count;
        *places += room;
    }
}

static kai_result reserve(const layout* l, size_t tasks, size_t places, kai_error* err)
{
    kai_cone* cone = l->cone;
    KAI_TRY(kai_array_reserve(&cone->tasks, cone->memory, tasks, err));
    KAI_TRY(kai_array_reserve(&cone->places, cone->memory, places, err));
    KAI_TRY(kai_array_reserve(&cone->turns, cone->memory, tasks, err));
    KAI_TRY(kai_array_reserve(&cone->queues, cone->memory, tasks, err));
    return kai_array_reserve(&cone->totals, cone->memory, l->blocks + 1, err);
}

kai_result kai_cone_tasks(kai_cone_layout_work* l, kai_error* err)
{
    kai_cone* cone = l->cone;
    uint32_t counts[COLOURS + 1] = {0}, across, places, parts = 0;
    size_t loose = 0;
    kai_parallel_for(l->threads, l->blocks, 1, split_blocks, l);
    for (size_t b = 0; b < l->blocks; b++) loose += l->list[b + 1].across - l->list[b].loose;
    writing w = {.l = l, .apart = loose > l->problem->contact_count / SHARE};
    if (w.apart) {
        colour_loose(l, counts);
        parts = count_parts(counts);
    } else {
        kai_parallel_for(l->threads, l->blocks, 1, count_loose, l);
    }
    find_offsets(l, w.apart ? 2 : 1, &across, &places);
    KAI_TRY(reserve(l, across + parts, places + parts, err));
    w.tasks = cone->tasks.data;
    w.places = cone->places.data;
    kai_parallel_for(l->threads, l->blocks, 1, write_tasks, &w);
    if (w.apart) write_parts(&w, counts, across, places);
    cone->tasks.count = across + parts;
    cone->counters = l->blocks + 1;
    cone->spare = w.apart && l->blocks < PARTS ? PARTS : l->blocks;
    find_stages(l, &w, across, cone->queues.data);
    sort_turns(l, &w, across, cone->tasks.count, cone->queues.data);
    return KAI_OK;
}
