// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list is made block by block: pairs and ghosts go to the room behind a thread's desk, beside
// them what the old list of the block remembers; then the new list is written over the old one.
// Ghosts are numbered as they are met, with a table of those so far. A block whose list does not
// fit says what it needs and keeps the old one; then all blocks move to where they have room, and
// it is done again. So a list takes no second one, and on failure every block is whole, the old one
// or the new one, with its histories.
//
// Boxes hold the pairs of the broad phase; spheres that cannot touch while boxes hold are left out:
// about four pairs in ten. As long as a sphere's own box is inside its grown one, its centre is
// inside the grown box less the radius, and the distance of two such boxes is the least possible.
//
// Bytes a pair: 28 written and 28 read of the list, twice the histories through the cache.
#include "contact/grains.h"

#include "base/search.h"
#include "contact/grains_cells.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_LOCALS = 1 << 20, LEAST_PAIRS = 4096, LEAST_GHOSTS = 1024 };

/// What a block needs.
typedef struct block_need {
    uint32_t entries, walls, ghosts;
    uint32_t done; // 1: it has its new list
} block_need;

/// Ghosts so far of a block: open addressing, 0 is free.
typedef struct ghost_table {
    uint32_t* keys;   // 1 + slot
    uint32_t* values; // number of the ghost
    uint32_t mask;
    uint32_t count;
} ghost_table;

/// What a thread makes a list with.
typedef struct list_room {
    double (*u)[3];    // [pairs] histories of the old list
    uint64_t* keys;    // [pairs] whose they are
    uint32_t* entries; // [pairs]
    uint32_t* ghosts;  // [ghosts] slots
    ghost_table table;
} list_room;

typedef struct list_context {
    kai_grains* grains;
    const kai_grains_source* source;
    block_need* needs;
    size_t pairs, ghosts; // that a room has space for
    int bits;             // of tables
    atomic_bool crowded;  // some sphere has too many neighbours
} list_context;

/// A block that is being made.
typedef struct list_block {
    const list_context* context;
    list_room room;
    size_t begin, end; // slots
    size_t count;      // entries so far, those without room included
    bool full;         // no room for more ghosts
} list_block;

static uint32_t slot_of(const list_context* c, size_t item)
{
    return kai_proximity_owner(c->source->proximity, item) & ~KAI_BROAD_FIXED;
}

/// The first item whose slot is not below `slot`.
static size_t item_from(const list_context* c, size_t slot)
{
    size_t begin = 0, end = c->source->item_count;
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
    return kai_search_from(c->source->pairs, c->source->pair_count, (uint64_t)item << 32);
}

/// Pairs with walls of bodies before `slot`.
static size_t walls_before(const list_context* c, size_t slot)
{
    return kai_search_from(c->source->wall_pairs, c->source->wall_pair_count, (uint64_t)slot << 32);
}

/// Whether two spheres may touch while boxes hold.
static bool may_touch(const list_context* c, size_t a, size_t b)
{
    const kai_grains_source* s = c->source;
    const kai_broad_box *p = &s->boxes[a], *q = &s->boxes[b];
    const double r = kai_proximity_group_of(s->proximity, a)->radius +
                     kai_proximity_group_of(s->proximity, b)->radius;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double right = (double)q->low[k] - (double)p->high[k] + r,
                     left = (double)p->low[k] - (double)q->high[k] + r;
        const double gap = fmax(fmax(right, left), 0.0);
        square += gap * gap;
    }
    return square <= r * r * (1.0 + 1e-12);
}

// Room --------------------------------------------------------------------------------------------

static size_t room_bytes(const list_context* c)
{
    return c->pairs * (3 * sizeof(double) + sizeof(uint64_t) + sizeof(uint32_t)) +
           c->ghosts * sizeof(uint32_t) + ((size_t)2 << c->bits) * sizeof(uint32_t);
}

static list_room room_at(const list_context* c, int worker)
{
    const size_t size = (size_t)1 << c->bits;
    list_room room = {.u = kai_grains_desk_room(c->grains, worker)};
    room.keys = (uint64_t*)(void*)(room.u + c->pairs);
    room.entries = (uint32_t*)(void*)(room.keys + c->pairs);
    room.ghosts = room.entries + c->pairs;
    uint32_t* keys = room.ghosts + c->ghosts;
    memset(keys, 0, size * sizeof *keys);
    room.table = (ghost_table){keys, keys + size, (uint32_t)(size - 1), 0};
    return room;
}

/// Rooms for so many pairs and ghosts a block, behind the desks.
static kai_result make_rooms(list_context* c, int threads, size_t pairs, size_t ghosts,
                             kai_error* err)
{
    if (pairs > c->pairs) c->pairs = pairs;
    if (ghosts > c->ghosts) c->ghosts = ghosts;
    while ((size_t)1 << c->bits < 2 * c->ghosts) c->bits++;
    const size_t bytes = room_bytes(c), local = 20 * sizeof(double);
    const size_t locals = (bytes + local - 1) / local;
    if (locals > c->grains->locals) c->grains->locals = (locals + 255) / 256 * 256;
    return kai_grains_desks_make(c->grains, threads, err);
}

// A block -----------------------------------------------------------------------------------------

/// The number of a ghost; a new one when it was not met before.
static uint32_t ghost_of(list_block* b, uint32_t slot)
{
    ghost_table* table = &b->room.table;
    uint32_t at = slot * 2654435769u >> 7 & table->mask;
    while (table->keys[at] != 0) {
        if (table->keys[at] == slot + 1) return table->values[at];
        at = (at + 1) & table->mask;
    }
    if (table->count == b->context->ghosts) {
        b->full = true;
        return 0;
    }
    table->keys[at] = slot + 1;
    table->values[at] = table->count;
    b->room.ghosts[table->count] = slot;
    return table->count++;
}

static void add_pair(list_block* b, uint32_t slot_a, uint32_t slot_b)
{
    uint32_t local = slot_b - (uint32_t)b->begin;
    if (slot_b >= b->end) local = (uint32_t)(b->end - b->begin) + ghost_of(b, slot_b);
    if (b->count < b->context->pairs)
        b->room.entries[b->count] = (slot_a - (uint32_t)b->begin) << 20 | local;
    b->count++;
}

static void add_wall(list_block* b, uint32_t slot, uint32_t wall)
{
    if (b->count < b->context->pairs)
        b->room.entries[b->count] = (slot - (uint32_t)b->begin) << 20 | wall;
    b->count++;
}

/// All pairs of a block from those of the broad phase; returns how many are of spheres.
static size_t add_listed(list_block* b)
{
    const list_context* c = b->context;
    const size_t last = pair_from(c, item_from(c, b->end));
    for (size_t k = pair_from(c, item_from(c, b->begin)); k < last; k++) {
        const size_t p = KAI_BROAD_A(c->source->pairs[k]), q = KAI_BROAD_B(c->source->pairs[k]);
        if (may_touch(c, p, q)) add_pair(b, slot_of(c, p), slot_of(c, q));
    }
    const size_t spheres = b->count, end = walls_before(c, b->end);
    for (size_t k = walls_before(c, b->begin); k < end; k++)
        add_wall(b, (uint32_t)(c->source->wall_pairs[k] >> 32), (uint32_t)c->source->wall_pairs[k]);
    return spheres;
}

/// The same from cells; false: some sphere has too many neighbours.
static bool add_found(list_block* b, size_t* spheres)
{
    const kai_grains* g = b->context->grains;
    const kai_grains_cells* cells = b->context->source->cells;
    const size_t first = cells->first, last = cells->first + cells->count;
    const size_t begin = b->begin > first ? b->begin : first, end = b->end < last ? b->end : last;
    uint32_t row[KAI_GRAINS_CELLS_ROW];
    for (size_t a = begin; a < end; a++) {
        const size_t n = kai_grains_cells_row(g, cells, a - first, row);
        if (n > KAI_GRAINS_CELLS_ROW) return false;
        for (size_t k = 0; k < n; k++) add_pair(b, (uint32_t)a, (uint32_t)(first + row[k]));
    }
    *spheres = b->count;
    if (begin >= end || g->walls.count == 0) return true;
    uint64_t walls[KAI_GRAINS_BLOCK];
    kai_grains_cells_walls(g, begin - first, end - first, walls);
    for (size_t a = begin; a < end; a++)
        for (uint64_t left = walls[a - begin]; left; left &= left - 1)
            add_wall(b, (uint32_t)a, (uint32_t)__builtin_ctzll(left));
    return true;
}

// Histories ---------------------------------------------------------------------------------------

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

/// Puts what the block's old list remembers aside, by key; those with walls behind the others,
/// which is the order of keys. Returns how many there are.
static size_t put_aside(list_block* b, const kai_grains_block* old)
{
    const kai_grains_list* list = &b->context->grains->list;
    const uint32_t *entries = list->entries.data,
                   *ghosts = (const uint32_t*)list->ghosts.data + old->ghost;
    const double(*history)[3] = list->history.data;
    const size_t own = b->end - b->begin;
    size_t n = 0;
    for (size_t at = old->entry; at < old->end; at++) {
        if (!(entries[at] & KAI_GRAINS_TOUCH)) continue;
        const uint64_t a = b->begin + KAI_GRAINS_A(entries[at]), other = KAI_GRAINS_B(entries[at]);
        if (at >= old->wall)
            b->room.keys[n] = KAI_GRAINS_WALL | key_of(a, other);
        else
            b->room.keys[n] = key_of(a, other < own ? b->begin + other : ghosts[other - own]);
        memcpy(b->room.u[n++], history[at], sizeof *history);
    }
    return n;
}

/// Goes along histories as keys grow.
typedef struct past_walk {
    const kai_grains_past* past; // or NULL: those put aside
    const list_room* room;
    size_t at, end;
} past_walk;

/// The history of a pair, NULL where it did not touch. Keys must grow from call to call.
static const double* walk_to(past_walk* w, uint64_t key)
{
    if (w->past) {
        while (w->at < w->end && w->past[w->at].key < key) w->at++;
        return w->at < w->end && w->past[w->at].key == key ? w->past[w->at].u : NULL;
    }
    while (w->at < w->end && w->room->keys[w->at] < key) w->at++;
    return w->at < w->end && w->room->keys[w->at] == key ? w->room->u[w->at] : NULL;
}

static past_walk walk_past(const list_context* c, uint64_t key)
{
    const kai_grains_source* s = c->source;
    return (past_walk){
        .past = s->past, .at = past_from(s->past, s->past_count, key), .end = s->past_count};
}

/// Writes the block's new list.
static void write_block(list_block* b, kai_grains_block* block, size_t spheres)
{
    const list_context* c = b->context;
    kai_grains_list* list = &c->grains->list;
    past_walk walk = {.room = &b->room};
    if (c->source->past)
        walk = walk_past(c, key_of(b->begin, 0));
    else
        walk.end = put_aside(b, block);
    uint32_t* entries = (uint32_t*)list->entries.data + block->entry;
    double(*history)[3] = (double(*)[3])list->history.data + block->entry;
    const size_t own = b->end - b->begin, room = block[1].entry - block->entry;
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t entry = b->room.entries[i], other = KAI_GRAINS_B(entry);
        const uint64_t a = b->begin + KAI_GRAINS_A(entry);
        uint64_t key = KAI_GRAINS_WALL | key_of(a, other);
        if (i < spheres)
            key = key_of(a, other < own ? b->begin + other : b->room.ghosts[other - own]);
        if (i == spheres && c->source->past)
            walk = walk_past(c, KAI_GRAINS_WALL | key_of(b->begin, 0));
        const double* u = walk_to(&walk, key);
        entries[i] = (u ? KAI_GRAINS_TOUCH : 0u) | entry;
        for (int k = 0; k < 3; k++) history[i][k] = u ? u[k] : 0.0;
    }
    if (room > b->count) memset(entries + b->count, 0, (room - b->count) * sizeof *entries);
    if (b->room.table.count > 0)
        memcpy((uint32_t*)list->ghosts.data + block->ghost, b->room.ghosts,
               b->room.table.count * sizeof(uint32_t));
    block->wall = block->entry + (uint32_t)spheres;
    block->end = block->entry + (uint32_t)b->count;
    block->ghost_end = block->ghost + b->room.table.count;
}

static void make_block(size_t begin, size_t end, int worker, void* context)
{
    list_context* c = context;
    const size_t at = begin / KAI_GRAINS_BLOCK;
    block_need* need = &c->needs[at];
    if (need->done) return;
    kai_grains_block* block = (kai_grains_block*)c->grains->list.blocks.data + at;
    list_block b = {.context = c, .room = room_at(c, worker), .begin = begin, .end = end};
    size_t spheres = 0;
    if (!c->source->cells) {
        spheres = add_listed(&b);
    } else if (!add_found(&b, &spheres)) {
        atomic_store_explicit(&c->crowded, true, memory_order_relaxed);
        return;
    }
    const size_t ghosts = b.full ? 2 * c->ghosts : b.room.table.count;
    *need = (block_need){(uint32_t)spheres, (uint32_t)(b.count - spheres), (uint32_t)ghosts, 0};
    if (b.full || b.count > c->pairs || b.count > block[1].entry - block->entry ||
        ghosts > block[1].ghost - block->ghost || block->end - block->entry > c->pairs)
        return;
    write_block(&b, block, spheres);
    need->done = 1;
}

// Moving ------------------------------------------------------------------------------------------

/// A little more than is needed.
static size_t roomy(size_t n) { return n + n / 64 + 8; }

/// Moves the parts of an array, `part[k]` = {begin, end}, to where the new ones begin, `to[k]`,
/// with `total` items in all; to new memory where there is too little. Parts stay in order.
static kai_result move_parts(kai_array* array, kai_memory* memory, size_t n, uint32_t (*part)[2],
                             const uint32_t* to, size_t total, kai_error* err)
{
    const size_t size = array->stride;
    if (total > array->capacity) {
        kai_array fresh = kai_array_make(size);
        KAI_TRY(kai_array_resize(&fresh, memory, total, err));
        for (size_t k = 0; k < n; k++)
            if (part[k][1] > part[k][0])
                memcpy((char*)fresh.data + to[k] * size, (char*)array->data + part[k][0] * size,
                       (part[k][1] - part[k][0]) * size);
        kai_array_free(array, memory);
        *array = fresh;
        return KAI_OK;
    }
    // To the end of the room, last first, then to their places, first first.
    char* data = array->data;
    size_t at = array->capacity;
    for (size_t k = n; k-- > 0;) {
        const size_t count = part[k][1] - part[k][0];
        at -= count;
        if (count > 0) memmove(data + at * size, data + part[k][0] * size, count * size);
    }
    for (size_t k = 0; k < n; k++) {
        const size_t count = part[k][1] - part[k][0];
        if (count > 0) memmove(data + to[k] * size, data + at * size, count * size);
        at += count;
    }
    array->count = total;
    return KAI_OK;
}

/// Exchanges where parts are and where they go.
static void turn_back(size_t n, uint32_t (*part)[2], uint32_t* to)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t count = part[k][1] - part[k][0], from = part[k][0];
        part[k][0] = to[k];
        part[k][1] = to[k] + count;
        to[k] = from;
    }
}

/// Clears entries that are nobody's: they do not touch.
static void clear_gaps(kai_grains_list* list, size_t n)
{
    const kai_grains_block* blocks = list->blocks.data;
    uint32_t* entries = list->entries.data;
    for (size_t k = 0; k < n; k++)
        if (blocks[k + 1].entry > blocks[k].end)
            memset(entries + blocks[k].end, 0,
                   (blocks[k + 1].entry - blocks[k].end) * sizeof *entries);
    if (list->entries.capacity > list->entries.count)
        memset(entries + list->entries.count, 0,
               (list->entries.capacity - list->entries.count) * sizeof *entries);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/// Pairs that a block must have room for: old and new.
static size_t entries_for(const list_context* c, size_t k)
{
    const kai_grains_block* block = (const kai_grains_block*)c->grains->list.blocks.data + k;
    return larger((size_t)c->needs[k].entries + c->needs[k].walls, block->end - block->entry);
}

static size_t ghosts_for(const list_context* c, size_t k)
{
    const kai_grains_block* block = (const kai_grains_block*)c->grains->list.blocks.data + k;
    return larger(c->needs[k].ghosts, block->ghost_end - block->ghost);
}

/// What each of n blocks gets beside what it needs, where there is memory for all but less to spare
/// than they would like; SIZE_MAX: as much as that.
static size_t spare_of(const list_context* c, size_t n)
{
    const size_t room = c->grains->list.history.capacity;
    size_t wanted = 0, needed = 0;
    for (size_t k = 0; k < n; k++) {
        wanted += roomy(entries_for(c, k));
        needed += entries_for(c, k);
    }
    const bool tight = wanted > room && room > needed + needed / 256;
    return tight ? (room - needed) / n : SIZE_MAX;
}

/// Where blocks begin when each has what it needs: entries to begin[k][0], ghosts to begin[k][1].
static kai_result lay_out(const list_context* c, size_t n, uint32_t (*begin)[2], kai_error* err)
{
    const size_t spare = spare_of(c, n);
    size_t entries = 0, ghosts = 0;
    for (size_t k = 0; k <= n; k++) {
        if (entries > UINT32_MAX || ghosts > UINT32_MAX)
            return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u spheres are near others",
                                 UINT32_MAX);
        begin[k][0] = (uint32_t)entries;
        begin[k][1] = (uint32_t)ghosts;
        if (k == n) break;
        const uint32_t met = c->needs[k].ghosts;
        if (KAI_GRAINS_BLOCK + (size_t)met > MOST_LOCALS)
            return kai_error_set(err, KAI_ERROR_LIMIT,
                                 "%u spheres are near %d neighbouring ones; most are %d", met,
                                 KAI_GRAINS_BLOCK, MOST_LOCALS - KAI_GRAINS_BLOCK);
        const size_t needed = entries_for(c, k);
        entries += spare == SIZE_MAX ? roomy(needed) : needed + spare;
        ghosts += roomy(ghosts_for(c, k));
    }
    return KAI_OK;
}

/// Moves entries and histories, one after the other: two of each would take more memory than the
/// new list does.
static kai_result move_entries(kai_grains* g, size_t n, uint32_t (*begin)[2], uint32_t (*part)[2],
                               uint32_t* to, kai_error* err)
{
    kai_grains_list* list = &g->list;
    kai_grains_block* blocks = list->blocks.data;
    const size_t before = list->history.count;
    for (size_t k = 0; k < n; k++) {
        part[k][0] = blocks[k].entry, part[k][1] = blocks[k].end;
        to[k] = begin[k][0];
    }
    KAI_TRY(move_parts(&list->history, g->memory, n, part, to, begin[n][0], err));
    const kai_result r = move_parts(&list->entries, g->memory, n, part, to, begin[n][0], err);
    if (r != KAI_OK) { // there is room for what was there
        turn_back(n, part, to);
        move_parts(&list->history, g->memory, n, part, to, before, NULL);
        return r;
    }
    for (size_t k = 0; k < n; k++) {
        blocks[k].wall = begin[k][0] + (blocks[k].wall - blocks[k].entry);
        blocks[k].end = begin[k][0] + (blocks[k].end - blocks[k].entry);
        blocks[k].entry = begin[k][0];
    }
    blocks[n].entry = begin[n][0];
    clear_gaps(list, n);
    return KAI_OK;
}

/// Moves all blocks to where they have room; on failure all are whole. `part` and `to` have space
/// for n.
static kai_result move_blocks(kai_grains* g, size_t n, uint32_t (*begin)[2], uint32_t (*part)[2],
                              uint32_t* to, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    KAI_TRY(move_entries(g, n, begin, part, to, err));
    for (size_t k = 0; k < n; k++) {
        part[k][0] = blocks[k].ghost, part[k][1] = blocks[k].ghost_end;
        to[k] = begin[k][1];
    }
    KAI_TRY(move_parts(&g->list.ghosts, g->memory, n, part, to, begin[n][1], err));
    for (size_t k = 0; k < n; k++) {
        blocks[k].ghost_end = begin[k][1] + (blocks[k].ghost_end - blocks[k].ghost);
        blocks[k].ghost = begin[k][1];
    }
    blocks[n].ghost = begin[n][1];
    return KAI_OK;
}

// The list ---------------------------------------------------------------------------------------

/// Who fetches what: ghosts in order, by the block of their slot.
static kai_result list_arrivals(kai_grains* g, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1;
    const uint32_t* slots = g->list.ghosts.data;
    size_t total = 0;
    for (size_t k = 0; k < n; k++) total += blocks[k].ghost_end - blocks[k].ghost;
    if (total > g->arrivals.capacity) kai_array_free(&g->arrivals, g->memory);
    if (g->arrivals.capacity == 0)
        KAI_TRY(kai_array_reserve(&g->arrivals, g->memory, roomy(total), err));
    KAI_TRY(kai_array_resize(&g->arrivals, g->memory, total, err));
    uint64_t* arrivals = g->arrivals.data;
    for (size_t k = 0; k <= n; k++) blocks[k].arrival = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = blocks[k].ghost; i < blocks[k].ghost_end; i++)
            blocks[slots[i] / KAI_GRAINS_BLOCK + 1].arrival++;
    for (size_t k = 0; k < n; k++) blocks[k + 1].arrival += blocks[k].arrival;
    // Filling moves each beginning to its end: one place on.
    for (size_t k = 0; k < n; k++)
        for (size_t i = blocks[k].ghost; i < blocks[k].ghost_end; i++)
            arrivals[blocks[slots[i] / KAI_GRAINS_BLOCK].arrival++] = key_of(slots[i], i);
    for (size_t k = n; k > 0; k--) blocks[k].arrival = blocks[k - 1].arrival;
    blocks[0].arrival = 0;
    return KAI_OK;
}

/// What goes with the list: nothing in it is kept.
static kai_result make_sums(kai_grains* g, kai_error* err)
{
    const kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1;
    size_t most = 0;
    for (size_t k = 0; k < n; k++)
        if (blocks[k].ghost_end - blocks[k].ghost > most)
            most = blocks[k].ghost_end - blocks[k].ghost;
    // Desks seldom grow.
    const size_t locals = (KAI_GRAINS_BLOCK + most + 127) / 128 * 128;
    if (locals > g->locals) g->locals = locals;
    const size_t ghosts = blocks[n].ghost;
    if (ghosts > g->ghost_force.capacity) kai_array_free(&g->ghost_force, g->memory);
    KAI_TRY(kai_array_resize(&g->ghost_force, g->memory, ghosts, err));
    KAI_TRY(kai_array_resize(&g->tallies, g->memory, n, err));
    KAI_TRY(kai_array_resize(&g->thrusts, g->memory, n * g->walls.count, err));
    return list_arrivals(g, err);
}

/// Blocks as the old list left them; empty where histories come from elsewhere.
static kai_result begin_list(list_context* c, size_t n, kai_error* err)
{
    kai_grains* g = c->grains;
    if (g->list.blocks.count != n + 1) {
        KAI_TRY(kai_array_resize(&g->list.blocks, g->memory, 0, err));
        KAI_TRY(kai_array_resize(&g->list.blocks, g->memory, n + 1, err));
    }
    kai_grains_block* blocks = g->list.blocks.data;
    for (size_t k = 0; k < n; k++) {
        if (c->source->past) {
            blocks[k].wall = blocks[k].end = blocks[k].entry;
            blocks[k].ghost_end = blocks[k].ghost;
        }
        const size_t has = blocks[k].end - blocks[k].entry;
        if (has > c->pairs) c->pairs = has;
    }
    // Needs, and behind them what moving takes: 28 bytes a block.
    KAI_TRY(kai_array_resize(&g->needs, g->memory, 0, err));
    KAI_TRY(kai_array_resize(&g->needs, g->memory, 3 * n + 4, err));
    c->needs = g->needs.data;
    return KAI_OK;
}

/// Gives blocks room where some have none, and the rooms of threads as well.
static kai_result make_way(list_context* c, size_t n, int threads, kai_error* err)
{
    uint32_t(*begin)[2] = (void*)(c->needs + n);
    uint32_t(*part)[2] = begin + n + 1, *to = (uint32_t*)(part + n);
    size_t pairs = 0, ghosts = 0;
    for (size_t k = 0; k < n; k++) {
        const size_t wants = (size_t)c->needs[k].entries + c->needs[k].walls;
        if (wants > pairs) pairs = wants;
        if (c->needs[k].ghosts > ghosts) ghosts = c->needs[k].ghosts;
    }
    KAI_TRY(lay_out(c, n, begin, err));
    KAI_TRY(make_rooms(c, threads, pairs, ghosts, err));
    // The old list beside a longer one, but not beside the memory of cells: those are made again.
    kai_grains* g = c->grains;
    const kai_grains_source* s = c->source;
    const bool again = s->cells && begin[n][0] > g->list.history.capacity;
    if (again) kai_array_free(&g->force, g->memory);
    const kai_result r = move_blocks(g, n, begin, part, to, err);
    bool done = true;
    if (again && r == KAI_OK)
        KAI_TRY(kai_grains_cells_make(g, threads, s->where, s->cells, &done, err));
    return r;
}

kai_result kai_grains_list_make(kai_grains* g, int threads, const kai_grains_source* source,
                                bool* done, kai_error* err)
{
    if (threads < 1) threads = 1;
    const size_t n = (g->count + KAI_GRAINS_BLOCK - 1) / KAI_GRAINS_BLOCK;
    list_context c = {.grains = g, .source = source, .bits = 6};
    *done = false;
    KAI_TRY(begin_list(&c, n, err));
    KAI_TRY(make_rooms(&c, threads, LEAST_PAIRS, LEAST_GHOSTS, err));
    for (;;) {
        kai_parallel_for(threads, g->count, KAI_GRAINS_BLOCK, make_block, &c);
        if (atomic_load(&c.crowded)) return KAI_OK;
        size_t whole = 0;
        while (whole < n && c.needs[whole].done) whole++;
        if (whole == n) break;
        KAI_TRY(make_way(&c, n, threads, err));
    }
    KAI_TRY(make_sums(g, err));
    *done = true;
    return KAI_OK;
}
