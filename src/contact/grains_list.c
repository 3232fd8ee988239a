// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list is made in two passes over the pairs of each block: how many entries and ghosts there
// are, then what they are. Ghosts are numbered as they are met, with a table of those so far.
//
// Boxes hold the pairs of the broad phase; spheres that cannot touch while boxes hold are left out:
// about four pairs in ten. As long as a sphere's own box is inside its grown one, its centre is
// inside the grown box less the radius, and the distance of two such boxes is the least possible.
//
// Bytes a pair: 2 × (8 pair + 64 boxes + 24 items, mostly cached); an entry: 28 written, 28 read of
// the list before.
#include "contact/grains.h"

#include "base/search.h"

#include <string.h>

enum { MOST_LOCALS = 1 << 20 };

/// Ghosts so far of a block: open addressing, 0 is free.
typedef struct ghost_table {
    uint32_t* keys;   // 1 + slot
    uint32_t* values; // number of the ghost
    uint32_t mask;
    uint32_t count;
} ghost_table;

typedef struct list_context {
    kai_grains* grains;
    const kai_proximity_item* items;
    const kai_proximity_group* groups;
    const kai_broad_box* boxes;
    const uint64_t* pairs;
    size_t pair_count, item_count;
    const uint64_t* wall_pairs;
    size_t wall_pair_count;
    const kai_grains_past* past; // or NULL: grains->last
    size_t past_count;
    uint32_t* tables; // [threads][2 << bits]
    int bits;
} list_context;

static uint32_t slot_of(const list_context* c, size_t item)
{
    return c->items[item].owner & ~KAI_BROAD_FIXED;
}

/// The first item whose slot is not below `slot`.
static size_t item_from(const list_context* c, size_t slot)
{
    size_t begin = 0, end = c->item_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (slot_of(c, middle) < slot)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/// The first pair whose a is not below `item`.
static size_t pair_from(const list_context* c, size_t item)
{
    return kai_search_from(c->pairs, c->pair_count, (uint64_t)item << 32);
}

/// Pairs with walls of bodies before `slot`.
static size_t walls_before(const list_context* c, size_t slot)
{
    return kai_search_from(c->wall_pairs, c->wall_pair_count, (uint64_t)slot << 32);
}

/// Whether two spheres may touch while boxes hold.
static bool may_touch(const list_context* c, size_t a, size_t b)
{
    const kai_broad_box *p = &c->boxes[a], *q = &c->boxes[b];
    // Grains have no skipped pairs: the number of a group has no bit.
    const double r = c->groups[c->items[a].group].radius + c->groups[c->items[b].group].radius;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double right = (double)q->low[k] - (double)p->high[k] + r,
                     left = (double)p->low[k] - (double)q->high[k] + r;
        const double gap = fmax(fmax(right, left), 0.0);
        square += gap * gap;
    }
    return square <= r * r * (1.0 + 1e-12);
}

// Ghosts -----------------------------------------------------------------------------------------

static ghost_table clear_table(const list_context* c, int worker)
{
    const size_t size = (size_t)1 << c->bits;
    uint32_t* keys = c->tables + (size_t)worker * 2 * size;
    memset(keys, 0, size * sizeof *keys);
    return (ghost_table){keys, keys + size, (uint32_t)(size - 1), 0};
}

/// The number of a ghost; a new one when it was not met before.
static uint32_t ghost_of(ghost_table* table, uint32_t slot)
{
    uint32_t at = slot * 2654435769u >> 7 & table->mask;
    while (table->keys[at] != 0) {
        if (table->keys[at] == slot + 1) return table->values[at];
        at = (at + 1) & table->mask;
    }
    table->keys[at] = slot + 1;
    table->values[at] = table->count;
    return table->count++;
}

// Counting ---------------------------------------------------------------------------------------

static void count_block(size_t begin, size_t end, int worker, void* context)
{
    const list_context* c = context;
    kai_grains_block* out =
        (kai_grains_block*)c->grains->list.blocks.data + begin / KAI_GRAINS_BLOCK;
    const size_t last = pair_from(c, item_from(c, end));
    ghost_table table = clear_table(c, worker);
    uint32_t entries = 0;
    for (size_t k = pair_from(c, item_from(c, begin)); k < last; k++) {
        const size_t a = KAI_BROAD_A(c->pairs[k]), b = KAI_BROAD_B(c->pairs[k]);
        if (!may_touch(c, a, b)) continue;
        entries++;
        const uint32_t slot = slot_of(c, b);
        if (slot >= end) ghost_of(&table, slot);
    }
    *out = (kai_grains_block){.entry = entries,
                              .wall = (uint32_t)(walls_before(c, end) - walls_before(c, begin)),
                              .ghost = table.count};
}

/// Counts become beginnings.
static kai_result add_up(kai_grains* g, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1;
    kai_grains_block sum = {0};
    g->locals = 0;
    for (size_t k = 0; k < n; k++) {
        const kai_grains_block count = blocks[k];
        if (KAI_GRAINS_BLOCK + (size_t)count.ghost > MOST_LOCALS)
            return kai_error_set(err, KAI_ERROR_LIMIT,
                                 "%u spheres are near %d neighbouring ones; most are %d",
                                 count.ghost, KAI_GRAINS_BLOCK, MOST_LOCALS - KAI_GRAINS_BLOCK);
        blocks[k] = sum;
        blocks[k].wall = sum.entry + count.entry;
        sum.entry += count.entry + count.wall;
        sum.ghost += count.ghost;
        const size_t locals = KAI_GRAINS_BLOCK + count.ghost;
        if (locals > g->locals) g->locals = locals;
    }
    g->locals = (g->locals + 255) / 256 * 256; // desks seldom grow
    blocks[n] = sum;
    return KAI_OK;
}

// Filling ----------------------------------------------------------------------------------------

/// Goes along the histories of a block in the order of pairs.
typedef struct past_walk {
    const kai_grains_past* past; // sorted; or NULL: a list
    const kai_grains_list* list;
    const uint32_t* ghosts; // of the block
    size_t begin, own;      // bodies of the block
    size_t at, end;
    size_t walls, walls_end; // of a list: pairs with walls
    size_t count;            // of `past`
} past_walk;

static uint64_t key_of(uint64_t a, uint64_t b) { return a << 32 | b; }

/// The first history whose key is not below `key`.
static size_t past_from(const kai_grains_past* past, size_t count, uint64_t key)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (past[middle].key < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static past_walk walk_block(const list_context* c, size_t begin, size_t end)
{
    past_walk w = {.past = c->past, .begin = begin, .own = end - begin};
    if (c->past) {
        w.at = past_from(c->past, c->past_count, key_of(begin, 0));
        w.end = w.count = c->past_count;
        return w;
    }
    const kai_grains_list* last = &c->grains->last;
    const size_t block = begin / KAI_GRAINS_BLOCK;
    if (block + 1 >= last->blocks.count) return w;
    const kai_grains_block* range = (const kai_grains_block*)last->blocks.data + block;
    w.list = last;
    w.ghosts = (const uint32_t*)last->ghosts.data + range[0].ghost;
    w.at = range[0].entry;
    w.end = range[0].wall;
    w.walls = range[0].wall;
    w.walls_end = range[1].entry;
    return w;
}

/// The history of a pair, NULL where it did not touch. Keys must grow from call to call.
static const double* walk_to(past_walk* w, uint64_t key)
{
    if (w->past) {
        while (w->at < w->end && w->past[w->at].key < key) w->at++;
        return w->at < w->end && w->past[w->at].key == key ? w->past[w->at].u : NULL;
    }
    if (!w->list) return NULL;
    const uint32_t* entries = w->list->entries.data;
    const double(*history)[3] = w->list->history.data;
    for (; w->at < w->end; w->at++) {
        const uint32_t entry = entries[w->at], b = KAI_GRAINS_B(entry);
        const uint64_t old = key_of(w->begin + KAI_GRAINS_A(entry),
                                    b < w->own ? w->begin + b : w->ghosts[b - w->own]);
        if (old < key) continue;
        return old == key && (entry & KAI_GRAINS_TOUCH) ? history[w->at] : NULL;
    }
    return NULL;
}

/// The same for pairs with walls.
static const double* walk_to_wall(past_walk* w, uint32_t a, uint32_t wall)
{
    if (w->past) {
        const uint64_t key = KAI_GRAINS_WALL | key_of(w->begin + a, wall);
        const size_t low = past_from(w->past, w->count, key);
        return low < w->count && w->past[low].key == key ? w->past[low].u : NULL;
    }
    if (!w->list) return NULL;
    const uint32_t *entries = w->list->entries.data, name = a << 20 | wall;
    const double(*history)[3] = w->list->history.data;
    for (; w->walls < w->walls_end; w->walls++) {
        const uint32_t old = entries[w->walls] & ~KAI_GRAINS_TOUCH;
        if (old < name) continue;
        return old == name && old != entries[w->walls] ? history[w->walls] : NULL;
    }
    return NULL;
}

/// Writes the entries of pairs with walls.
static void fill_walls(const list_context* c, size_t begin, size_t end, past_walk* walk, size_t at)
{
    uint32_t* entries = c->grains->list.entries.data;
    double(*history)[3] = c->grains->list.history.data;
    const size_t last = walls_before(c, end);
    for (size_t k = walls_before(c, begin); k < last; k++, at++) {
        const uint32_t a = (uint32_t)(c->wall_pairs[k] >> 32) - (uint32_t)begin;
        const uint32_t wall = (uint32_t)c->wall_pairs[k];
        const double* u = walk_to_wall(walk, a, wall);
        entries[at] = (u ? KAI_GRAINS_TOUCH : 0u) | a << 20 | wall;
        for (int i = 0; i < 3; i++) history[at][i] = u ? u[i] : 0.0;
    }
}

static void fill_block(size_t begin, size_t end, int worker, void* context)
{
    const list_context* c = context;
    kai_grains_list* list = &c->grains->list;
    const kai_grains_block* range =
        (const kai_grains_block*)list->blocks.data + begin / KAI_GRAINS_BLOCK;
    uint32_t *entries = list->entries.data, *ghosts = (uint32_t*)list->ghosts.data + range[0].ghost;
    double(*history)[3] = list->history.data;
    const size_t last = pair_from(c, item_from(c, end));
    const uint32_t own = (uint32_t)(end - begin);
    ghost_table table = clear_table(c, worker);
    past_walk walk = walk_block(c, begin, end);
    size_t at = range[0].entry;
    for (size_t k = pair_from(c, item_from(c, begin)); k < last; k++) {
        const size_t a = KAI_BROAD_A(c->pairs[k]), b = KAI_BROAD_B(c->pairs[k]);
        if (!may_touch(c, a, b)) continue;
        const uint32_t slot_a = slot_of(c, a), slot_b = slot_of(c, b);
        uint32_t local = slot_b - (uint32_t)begin;
        if (slot_b >= end) {
            const uint32_t ghost = ghost_of(&table, slot_b);
            ghosts[ghost] = slot_b;
            local = own + ghost;
        }
        const double* u = walk_to(&walk, key_of(slot_a, slot_b));
        entries[at] = (u ? KAI_GRAINS_TOUCH : 0u) | (slot_a - (uint32_t)begin) << 20 | local;
        for (int i = 0; i < 3; i++) history[at][i] = u ? u[i] : 0.0;
        at++;
    }
    fill_walls(c, begin, end, &walk, at);
}

/// Who fetches what: ghosts in order, by the block of their slot.
static kai_result list_arrivals(kai_grains* g, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1, ghosts = g->list.ghosts.count;
    const uint32_t* slots = g->list.ghosts.data;
    KAI_TRY(kai_array_reserve(&g->arrivals, g->memory, ghosts + ghosts / 8, err));
    KAI_TRY(kai_array_resize(&g->arrivals, g->memory, ghosts, err));
    uint64_t* arrivals = g->arrivals.data;
    for (size_t k = 0; k <= n; k++) blocks[k].arrival = 0;
    for (size_t i = 0; i < ghosts; i++) blocks[slots[i] / KAI_GRAINS_BLOCK + 1].arrival++;
    for (size_t k = 0; k < n; k++) blocks[k + 1].arrival += blocks[k].arrival;
    // Filling moves each beginning to its end: one place on.
    for (size_t i = 0; i < ghosts; i++)
        arrivals[blocks[slots[i] / KAI_GRAINS_BLOCK].arrival++] = key_of(slots[i], i);
    for (size_t k = n; k > 0; k--) blocks[k].arrival = blocks[k - 1].arrival;
    blocks[0].arrival = 0;
    return KAI_OK;
}

// The list ---------------------------------------------------------------------------------------

static kai_result resize(kai_array* array, kai_memory* memory, size_t count, kai_error* err)
{
    KAI_TRY(
        kai_array_reserve(array, memory, count > array->capacity ? count + count / 16 : 0, err));
    return kai_array_resize(array, memory, count, err);
}

/// Room for tables of ghosts: twice the pairs of the fullest block.
static kai_result make_tables(list_context* c, int threads, kai_error* err)
{
    kai_grains* g = c->grains;
    size_t most = 0, before = 0;
    for (size_t begin = 0; begin < g->count; begin += KAI_GRAINS_BLOCK) {
        const size_t next = pair_from(c, item_from(c, begin + KAI_GRAINS_BLOCK));
        if (next - before > most) most = next - before;
        before = next;
    }
    c->bits = 6;
    while ((size_t)1 << c->bits < 2 * most) c->bits++;
    const size_t words = (size_t)threads * 2 << c->bits;
    KAI_TRY(kai_array_reserve(&g->tables, g->memory, words, err));
    c->tables = g->tables.data;
    return KAI_OK;
}

kai_result kai_grains_list_make(kai_grains* g, int threads, const kai_grains_source* source,
                                kai_error* err)
{
    if (threads < 1) threads = 1;
    const size_t blocks = (g->count + KAI_GRAINS_BLOCK - 1) / KAI_GRAINS_BLOCK;
    list_context c = {.grains = g,
                      .items = source->items,
                      .groups = source->groups,
                      .item_count = source->item_count,
                      .boxes = source->boxes,
                      .pairs = source->pairs,
                      .pair_count = source->pair_count,
                      .wall_pairs = source->wall_pairs,
                      .wall_pair_count = source->wall_pair_count,
                      .past = source->past,
                      .past_count = source->past_count};
    // Forces of the last step are of no use any more: their room takes histories.
    const bool lent = g->last.history.capacity == 0;
    if (lent) g->last.history = g->force;
    g->parts = 0;
    const kai_grains_list list = g->list;
    g->list = g->last;
    g->last = list;
    kai_result r = make_tables(&c, threads, err);
    if (r == KAI_OK) r = resize(&g->list.blocks, g->memory, blocks + 1, err);
    if (r == KAI_OK) {
        kai_parallel_for(threads, g->count, KAI_GRAINS_BLOCK, count_block, &c);
        r = add_up(g, err);
    }
    const kai_grains_block* end = kai_array_at(&g->list.blocks, blocks);
    if (r == KAI_OK) r = resize(&g->list.entries, g->memory, end->entry, err);
    if (r == KAI_OK) r = resize(&g->list.history, g->memory, end->entry, err);
    if (r == KAI_OK) r = resize(&g->list.ghosts, g->memory, end->ghost, err);
    if (r == KAI_OK) r = resize(&g->ghost_force, g->memory, end->ghost, err);
    if (r == KAI_OK) r = resize(&g->tallies, g->memory, blocks, err);
    if (r == KAI_OK) r = resize(&g->thrusts, g->memory, blocks * g->walls.count, err);
    if (r == KAI_OK) {
        kai_parallel_for(threads, g->count, KAI_GRAINS_BLOCK, fill_block, &c);
        r = list_arrivals(g, err);
    }
    if (r != KAI_OK) { // the list of before is still whole
        g->last = g->list;
        g->list = list;
    }
    if (lent) {
        g->force = g->last.history;
        g->last.history = kai_array_make(g->force.stride);
    }
    return r;
}
