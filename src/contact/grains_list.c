// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The list is made block by block: pairs and ghosts go to the room behind a thread's pair_batch, beside
// them what the old list of the block remembers; then the new list is written over the old one.
// Ghosts are numbered as they are met, with a table of those so far. A block takes the pair chunks that
// it needs beside its own from the spare ones. Where there are too few it says what it needs and
// keeps the old list; then there is more of everything, and it is done again. So a list takes no
// second one, and on failure every block is whole, the old one or the new one, with its histories.
//
// Bytes a pair: 28 written and 28 read of the list, twice the histories through the cache.
#include "contact/grains.h"

#include "base/search.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_LOCALS = 1 << 20, LEAST_PAIRS = 4096, LEAST_GHOSTS = 1024 };

/// What a block needs.
typedef struct block_need {
    uint32_t entries, pair_chunks, ghosts;
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
    double (*u)[3];       // [pairs] histories of the old list
    double (*turning)[4]; // [pairs] likewise; not used where nothing turns
    uint64_t* keys;       // [pairs] whose they are
    uint32_t* entries;    // [pairs]
    uint32_t* ghosts;     // [ghosts] slots
    ghost_table table;
} list_room;

typedef struct list_context {
    kai_grains* grains;
    const kai_grains_source* source;
    block_need* needs;
    size_t pairs, ghosts; // that a room has space for
    int bits;             // of tables
    atomic_size_t taken;  // of the spare pair_chunks, from the end on
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

/// Pairs with walls of bodies before `slot`.
static size_t walls_before(const list_context* c, size_t slot)
{
    return kai_search_from(c->source->wall_pairs, c->source->wall_pair_count, (uint64_t)slot << 32);
}

// Room --------------------------------------------------------------------------------------------

static size_t room_bytes(const list_context* c)
{
    const size_t turning = c->grains->turns ? 4 * sizeof(double) : 0;
    return c->pairs * (3 * sizeof(double) + turning + sizeof(uint64_t) + sizeof(uint32_t)) +
           c->ghosts * sizeof(uint32_t) + ((size_t)2 << c->bits) * sizeof(uint32_t);
}

static list_room room_at(const list_context* c, int worker)
{
    const size_t size = (size_t)1 << c->bits;
    list_room room = {.u = kai_grains_pair_batch_room(c->grains, worker)};
    room.turning = (double(*)[4])(void*)(room.u + c->pairs);
    room.keys = (uint64_t*)(void*)(room.turning + (c->grains->turns ? c->pairs : 0));
    room.entries = (uint32_t*)(void*)(room.keys + c->pairs);
    room.ghosts = room.entries + c->pairs;
    uint32_t* keys = room.ghosts + c->ghosts;
    memset(keys, 0, size * sizeof *keys);
    room.table = (ghost_table){keys, keys + size, (uint32_t)(size - 1), 0};
    return room;
}

/// Rooms for so many pairs and ghosts a block, behind the pair_batches.
static kai_result make_rooms(list_context* c, int threads, size_t pairs, size_t ghosts,
                             kai_error* err)
{
    if (pairs > c->pairs) c->pairs = pairs;
    if (ghosts > c->ghosts) c->ghosts = ghosts;
    while ((size_t)1 << c->bits < 2 * c->ghosts) c->bits++;
    const size_t bytes = room_bytes(c), local = 20 * sizeof(double);
    const size_t locals = (bytes + local - 1) / local;
    if (locals > c->grains->locals) c->grains->locals = (locals + 255) / 256 * 256;
    return kai_grains_pair_batches_make(c->grains, threads, err);
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
    if (slot_b >= b->end) local = KAI_GRAINS_GHOST + ghost_of(b, slot_b);
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

/// Pairs with walls of the spheres [begin, end): those that are given, or of skin boxes that reach
/// into them.
static void add_walls(list_block* b, size_t begin, size_t end)
{
    const list_context* c = b->context;
    const kai_grains* g = c->grains;
    const kai_cell_list* cells = c->source->rows.cells;
    if (!cells) {
        const size_t last = walls_before(c, b->end);
        for (size_t k = walls_before(c, b->begin); k < last; k++)
            add_wall(b, (uint32_t)(c->source->wall_pairs[k] >> 32),
                     (uint32_t)c->source->wall_pairs[k]);
        return;
    }
    if (begin >= end || g->walls.count == 0) return;
    const size_t first = c->source->rows.first;
    uint64_t walls[KAI_GRAINS_BLOCK];
    kai_cell_list_planes(cells->points, cells->boxes, cells->origin, g->walls.data,
                         sizeof(kai_grains_wall), g->walls.count, begin - first, end - first,
                         walls);
    for (size_t a = begin; a < end; a++)
        for (uint64_t left = walls[a - begin]; left; left &= left - 1)
            add_wall(b, (uint32_t)a, (uint32_t)__builtin_ctzll(left));
}

/// All pairs of a block; false: some sphere has too many neighbours for cells.
static bool add_all(list_block* b, size_t* spheres)
{
    const kai_neighbor_list_rows* rows = &b->context->source->rows;
    const size_t first = rows->first, last = first + rows->count;
    const size_t begin = b->begin > first ? b->begin : first, end = b->end < last ? b->end : last;
    uint32_t room[KAI_CELL_LIST_ROW];
    for (size_t a = begin; a < end; a++) {
        size_t n;
        const uint32_t* row = kai_neighbor_list_row(rows, a, room, &n);
        if (!row) return false;
        for (size_t k = 0; k < n; k++) add_pair(b, (uint32_t)a, row[k]);
    }
    *spheres = b->count;
    add_walls(b, begin, end);
    return true;
}

// Histories ---------------------------------------------------------------------------------------

static uint64_t key_of(uint64_t a, uint64_t b) { return a << 32 | b; }

/// The first history whose key is not below `key`.
static size_t pair_history_from(const kai_grains_pair_history* pair_history, size_t count,
                                uint64_t key)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        if (pair_history[middle].key < key)
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
    const uint32_t* entries = list->entries.data;
    const double(*history)[3] = list->history.data;
    const double(*turning)[4] = (const double(*)[4])kai_grains_turning(list);
    size_t n = 0;
    for (size_t i = 0; i < old->end; i++) {
        const size_t at = kai_grains_place(list, old, i);
        if (!(entries[at] & KAI_GRAINS_TOUCH)) continue;
        const uint64_t a = b->begin + KAI_GRAINS_A(entries[at]);
        if (i >= old->wall)
            b->room.keys[n] = KAI_GRAINS_WALL | key_of(a, KAI_GRAINS_B(entries[at]));
        else
            b->room.keys[n] = key_of(a, kai_grains_slot_b(list, old, b->begin, entries[at]));
        if (turning) memcpy(b->room.turning[n], turning[at], sizeof *turning);
        memcpy(b->room.u[n++], history[at], sizeof *history);
    }
    return n;
}

/// Goes along histories as keys grow.
typedef struct pair_history_walk {
    const kai_grains_pair_history* pair_history; // or NULL: those put aside
    const list_room* room;
    size_t at, end;
} pair_history_walk;

/// The history of a pair and its turning, NULL where it did not touch. Keys must grow from call to
/// call.
static const double* walk_to(pair_history_walk* w, uint64_t key, const double** turning)
{
    if (w->pair_history) {
        while (w->at < w->end && w->pair_history[w->at].key < key) w->at++;
        if (w->at == w->end || w->pair_history[w->at].key != key) return NULL;
        *turning = w->pair_history[w->at].turning;
        return w->pair_history[w->at].u;
    }
    while (w->at < w->end && w->room->keys[w->at] < key) w->at++;
    if (w->at == w->end || w->room->keys[w->at] != key) return NULL;
    *turning = w->room->turning[w->at];
    return w->room->u[w->at];
}

static pair_history_walk walk_pair_history(const list_context* c, uint64_t key)
{
    const kai_grains_source* s = c->source;
    return (pair_history_walk){.pair_history = s->pair_history,
                               .at = pair_history_from(s->pair_history, s->pair_history_count, key),
                               .end = s->pair_history_count};
}

/// Takes spare pair chunks until the block has so many; false: there are too few.
static bool take_chunks(list_context* c, kai_grains_block* block, uint32_t wanted)
{
    const kai_grains_list* list = &c->grains->list;
    const size_t more = wanted > block->pair_chunks ? wanted - block->pair_chunks : 0;
    size_t taken = atomic_load(&c->taken);
    do {
        if (list->spare.count - taken < more) return false;
    } while (!atomic_compare_exchange_weak(&c->taken, &taken, taken + more));
    const uint32_t* spare = (const uint32_t*)list->spare.data + (list->spare.count - taken);
    uint32_t* pair_chunks = (uint32_t*)list->pair_chunks.data + block->pair_chunk;
    for (size_t k = 1; k <= more; k++) pair_chunks[block->pair_chunks++] = *(spare - k);
    return true;
}

/// Writes the block's new list, for which it has pair chunks.
static void write_block(list_block* b, kai_grains_block* block, size_t spheres)
{
    const list_context* c = b->context;
    kai_grains_list* list = &c->grains->list;
    pair_history_walk walk = {.room = &b->room};
    if (c->source->pair_history)
        walk = walk_pair_history(c, key_of(b->begin, 0));
    else
        walk.end = put_aside(b, block);
    uint32_t* entries = list->entries.data;
    double(*history)[3] = list->history.data, (*turning)[4] = kai_grains_turning(list);
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t entry = b->room.entries[i], other = KAI_GRAINS_B(entry);
        const uint64_t a = b->begin + KAI_GRAINS_A(entry);
        uint64_t key = KAI_GRAINS_WALL | key_of(a, other);
        if (i < spheres)
            key = key_of(a, other < KAI_GRAINS_NOBODY ? b->begin + other
                                                      : b->room.ghosts[other - KAI_GRAINS_GHOST]);
        if (i == spheres && c->source->pair_history)
            walk = walk_pair_history(c, KAI_GRAINS_WALL | key_of(b->begin, 0));
        const double *turned = NULL, *u = walk_to(&walk, key, &turned);
        const size_t at = kai_grains_place(list, block, i);
        entries[at] = (u ? KAI_GRAINS_TOUCH : 0u) | entry;
        for (int k = 0; k < 3; k++) history[at][k] = u ? u[k] : 0.0;
        for (int k = 0; turning && k < 4; k++) turning[at][k] = u ? turned[k] : 0.0;
    }
    if (b->room.table.count > 0)
        memcpy((uint32_t*)list->ghosts.data + block->ghost, b->room.ghosts,
               b->room.table.count * sizeof(uint32_t));
    block->wall = (uint32_t)spheres;
    block->end = (uint32_t)b->count;
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
    if (!add_all(&b, &spheres)) {
        atomic_store_explicit(&c->crowded, true, memory_order_relaxed);
        return;
    }
    const size_t ghosts = b.full ? 2 * c->ghosts : b.room.table.count;
    const size_t pair_chunks = (b.count + KAI_GRAINS_CHUNK - 1) / KAI_GRAINS_CHUNK;
    *need = (block_need){(uint32_t)b.count, (uint32_t)pair_chunks, (uint32_t)ghosts, 0};
    if (b.full || b.count > c->pairs || pair_chunks > block[1].pair_chunk - block->pair_chunk ||
        ghosts + c->grains->spare_ghosts > block[1].ghost - block->ghost ||
        !take_chunks(c, block, need->pair_chunks))
        return;
    write_block(&b, block, spheres);
    need->done = 1;
}

// More of everything ------------------------------------------------------------------------------

/// A little more than is needed.
static size_t roomy(size_t n) { return n + n / 64 + 8; }

/// Moves the parts of an array of numbers, `part[k]` = {begin, end}, to where the new ones begin,
/// `to[k]`, with `total` in all.
static kai_result move_parts(kai_array* array, kai_memory* memory, size_t n,
                             const uint32_t (*part)[2], const uint32_t* to, size_t total,
                             kai_error* err)
{
    kai_array fresh = kai_array_make(sizeof(uint32_t));
    KAI_TRY(kai_array_resize(&fresh, memory, total, err));
    for (size_t k = 0; k < n; k++)
        if (part[k][1] > part[k][0])
            memcpy((uint32_t*)fresh.data + to[k], (uint32_t*)array->data + part[k][0],
                   (part[k][1] - part[k][0]) * sizeof(uint32_t));
    kai_array_free(array, memory);
    *array = fresh;
    return KAI_OK;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/// Where blocks begin when each has what it needs: pair chunks to begin[k][0], ghosts to begin[k][1].
static kai_result lay_out(const list_context* c, size_t n, uint32_t (*begin)[2], kai_error* err)
{
    const kai_grains_block* blocks = c->grains->list.blocks.data;
    size_t pair_chunks = 0, ghosts = 0;
    for (size_t k = 0; k <= n; k++) {
        if (pair_chunks > UINT32_MAX / KAI_GRAINS_CHUNK || ghosts > UINT32_MAX)
            return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u spheres are near others",
                                 UINT32_MAX);
        begin[k][0] = (uint32_t)pair_chunks;
        begin[k][1] = (uint32_t)ghosts;
        if (k == n) break;
        const uint32_t met = c->needs[k].ghosts;
        if (kai_grains_locals(met) > MOST_LOCALS)
            return kai_error_set(err, KAI_ERROR_LIMIT,
                                 "%u spheres are near %d neighbouring ones; most are %d", met,
                                 KAI_GRAINS_BLOCK, MOST_LOCALS - KAI_GRAINS_GHOST);
        const size_t needed = larger(c->needs[k].pair_chunks, blocks[k].pair_chunks);
        pair_chunks += needed + needed / 8 + 2;
        const size_t ghosts_needed = larger(met, blocks[k].ghost_end - blocks[k].ghost);
        ghosts += ghosts_needed + ghosts_needed / 16 + 8 + 2 * c->grains->spare_ghosts;
    }
    return KAI_OK;
}

/// Gives blocks room for the numbers of their pair_chunks, and for ghosts; on failure all are whole.
/// `part` and `to` have space for n.
static kai_result move_blocks(kai_grains* g, size_t n, uint32_t (*begin)[2], uint32_t (*part)[2],
                              uint32_t* to, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    for (size_t k = 0; k < n; k++) {
        part[k][0] = blocks[k].pair_chunk,
        part[k][1] = blocks[k].pair_chunk + blocks[k].pair_chunks;
        to[k] = begin[k][0];
    }
    KAI_TRY(move_parts(&g->list.pair_chunks, g->memory, n, part, to, begin[n][0], err));
    for (size_t k = 0; k <= n; k++) blocks[k].pair_chunk = begin[k][0];
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

/// Takes those from the spare pair chunks that blocks have taken, and adds those that they need no more.
static void settle(list_context* c, size_t n)
{
    kai_grains_list* list = &c->grains->list;
    kai_grains_block* blocks = list->blocks.data;
    uint32_t *pair_chunks = list->pair_chunks.data, *spare = list->spare.data;
    list->spare.count -= atomic_load(&c->taken);
    atomic_store(&c->taken, 0);
    for (size_t k = 0; k < n; k++)
        while (c->needs[k].done && blocks[k].pair_chunks > c->needs[k].pair_chunks)
            spare[list->spare.count++] =
                pair_chunks[blocks[k].pair_chunk + --blocks[k].pair_chunks];
}

/// So many pair chunks in all; new ones are spare, the first of them last.
static kai_result make_chunks(kai_grains* g, size_t total, kai_error* err)
{
    kai_grains_list* list = &g->list;
    const size_t before = list->entries.count / KAI_GRAINS_CHUNK;
    if (total > UINT32_MAX / KAI_GRAINS_CHUNK)
        return kai_error_set(err, KAI_ERROR_LIMIT, "more than %u spheres are near others",
                             UINT32_MAX);
    KAI_TRY(kai_array_fit(&list->spare, g->memory, total, err));
    KAI_TRY(kai_array_fit(&list->entries, g->memory, total * KAI_GRAINS_CHUNK, err));
    KAI_TRY(kai_array_fit(&list->history, g->memory, total * KAI_GRAINS_CHUNK, err));
    list->entries.count = list->history.count = total * KAI_GRAINS_CHUNK;
    if (g->turns) KAI_TRY(kai_array_fit(&list->turning, g->memory, list->entries.count, err));
    list->turning.count = g->turns ? list->entries.count : 0;
    uint32_t* spare = list->spare.data;
    const size_t more = total - before;
    memmove(spare + more, spare, list->spare.count * sizeof *spare);
    for (size_t k = 0; k < more; k++) spare[k] = (uint32_t)(total - 1 - k);
    list->spare.count += more;
    return KAI_OK;
}

kai_result kai_grains_list_reserve(kai_grains* g, size_t pair_chunks, kai_error* err)
{
    const size_t spare = g->list.spare.count, all = g->list.entries.count / KAI_GRAINS_CHUNK;
    return spare >= pair_chunks ? KAI_OK : make_chunks(g, all + roomy(pair_chunks - spare), err);
}

/// Makes pair chunks for what the list will probably grow by: pairs that do not touch are as many as
/// skins are thick, in loose beds fewer. A guess costs less than a second search.
static kai_result reserve_growth(const list_context* c, size_t n, kai_error* err)
{
    kai_grains* g = c->grains;
    const kai_grains_block* blocks = g->list.blocks.data;
    size_t pairs = 0;
    for (size_t k = 0; k < n; k++) pairs += blocks[k].end;
    if (!c->source->rows.cells || pairs <= g->tally.touching || !(g->skin > 0.0)) return KAI_OK;
    const double apart = (double)(pairs - g->tally.touching),
                 thicker = c->source->rows.cells->skin / g->skin - 1.0;
    const double more = fmin(fmax(0.75 * apart * thicker, 0.0), (double)pairs / 32.0);
    const size_t wanted = (size_t)more / KAI_GRAINS_CHUNK + n / 8 + 1, spare = g->list.spare.count;
    if (wanted <= spare) return KAI_OK;
    return make_chunks(g, g->list.entries.count / KAI_GRAINS_CHUNK + wanted - spare, err);
}

/// Leaves that blocks without a new list need beside their own.
static size_t missing_chunks(const list_context* c, size_t n)
{
    const kai_grains_block* blocks = c->grains->list.blocks.data;
    size_t missing = 0;
    for (size_t k = 0; k < n; k++)
        if (!c->needs[k].done && c->needs[k].pair_chunks > blocks[k].pair_chunks)
            missing += c->needs[k].pair_chunks - blocks[k].pair_chunks;
    return missing;
}

// The list ---------------------------------------------------------------------------------------

/// Ghosts in order, by the block of their slot.
static kai_result make_ghost_scatter(kai_grains* g, kai_error* err)
{
    kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1;
    const uint32_t* slots = g->list.ghosts.data;
    size_t total = 0;
    for (size_t k = 0; k < n; k++) total += blocks[k].ghost_end - blocks[k].ghost;
    if (total > g->ghost_scatter.capacity) kai_array_free(&g->ghost_scatter, g->memory);
    if (g->ghost_scatter.capacity == 0)
        KAI_TRY(kai_array_reserve(&g->ghost_scatter, g->memory, roomy(total), err));
    KAI_TRY(kai_array_resize(&g->ghost_scatter, g->memory, total, err));
    uint64_t* ghost_scatter = g->ghost_scatter.data;
    for (size_t k = 0; k <= n; k++) blocks[k].ghost_sum = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = blocks[k].ghost; i < blocks[k].ghost_end; i++)
            blocks[slots[i] / KAI_GRAINS_BLOCK + 1].ghost_sum++;
    for (size_t k = 0; k < n; k++) blocks[k + 1].ghost_sum += blocks[k].ghost_sum;
    // Filling moves each beginning to its end: one place on.
    for (size_t k = 0; k < n; k++)
        for (size_t i = blocks[k].ghost; i < blocks[k].ghost_end; i++)
            ghost_scatter[blocks[slots[i] / KAI_GRAINS_BLOCK].ghost_sum++] = key_of(slots[i], i);
    for (size_t k = n; k > 0; k--) blocks[k].ghost_sum = blocks[k - 1].ghost_sum;
    blocks[0].ghost_sum = 0;
    return KAI_OK;
}

kai_result kai_grains_list_make_sums(kai_grains* g, kai_error* err)
{
    const kai_grains_block* blocks = g->list.blocks.data;
    const size_t n = g->list.blocks.count - 1;
    size_t most = 0;
    for (size_t k = 0; k < n; k++)
        if (blocks[k].ghost_end - blocks[k].ghost > most)
            most = blocks[k].ghost_end - blocks[k].ghost;
    // Pair batches seldom grow.
    const size_t locals = (kai_grains_locals(most) + 127) / 128 * 128;
    if (locals > g->locals) g->locals = locals;
    const size_t ghosts = blocks[n].ghost;
    if (ghosts > g->ghost_force.capacity) kai_array_free(&g->ghost_force, g->memory);
    KAI_TRY(kai_array_resize(&g->ghost_force, g->memory, ghosts, err));
    KAI_TRY(kai_array_resize(&g->tallies, g->memory, n, err));
    KAI_TRY(kai_array_resize(&g->wall_forces, g->memory, n * g->walls.count, err));
    KAI_TRY(make_ghost_scatter(g, err));
    g->summed = true;
    return KAI_OK;
}

/// Blocks as the old list left them; empty where histories come from elsewhere.
static kai_result begin_list(list_context* c, size_t n, kai_error* err)
{
    kai_grains* g = c->grains;
    const size_t before = g->list.blocks.count; // of blocks, and one behind them
    if (before > 0 && before < n + 1 && !c->source->pair_history) {
        KAI_TRY(kai_array_resize(&g->list.blocks, g->memory, n + 1, err));
        kai_grains_block* more = (kai_grains_block*)g->list.blocks.data + (before - 1);
        const uint32_t pair_chunk = more->pair_chunk, ghost = more->ghost;
        for (size_t k = 0; k < n + 2 - before; k++)
            more[k] =
                (kai_grains_block){.pair_chunk = pair_chunk, .ghost = ghost, .ghost_end = ghost};
    } else if (before != n + 1) {
        KAI_TRY(kai_array_resize(&g->list.blocks, g->memory, 0, err));
        KAI_TRY(kai_array_resize(&g->list.blocks, g->memory, n + 1, err));
        uint32_t* spare = g->list.spare.data;
        const size_t all = g->list.entries.count / KAI_GRAINS_CHUNK;
        for (size_t k = 0; k < all; k++) spare[k] = (uint32_t)(all - 1 - k);
        g->list.spare.count = all;
    }
    kai_grains_block* blocks = g->list.blocks.data;
    for (size_t k = 0; k < n; k++) {
        if (c->source->pair_history) {
            blocks[k].wall = blocks[k].end = 0;
            blocks[k].ghost_end = blocks[k].ghost;
        }
        if (blocks[k].end > c->pairs) c->pairs = blocks[k].end;
    }
    // Needs, and behind them what moving takes: 28 bytes a block.
    KAI_TRY(kai_array_resize(&g->needs, g->memory, 0, err));
    KAI_TRY(kai_array_resize(&g->needs, g->memory, 3 * n + 4, err));
    c->needs = g->needs.data;
    return KAI_OK;
}

/// Gives blocks what they need, and the rooms of threads as well.
static kai_result make_way(list_context* c, size_t n, int threads, kai_error* err)
{
    uint32_t(*begin)[2] = (void*)(c->needs + n);
    uint32_t(*part)[2] = begin + n + 1, *to = (uint32_t*)(part + n);
    const kai_grains_list* list = &c->grains->list;
    size_t pairs = 0, ghosts = 0;
    for (size_t k = 0; k < n; k++) {
        pairs = larger(pairs, c->needs[k].entries);
        ghosts = larger(ghosts, c->needs[k].ghosts);
    }
    KAI_TRY(lay_out(c, n, begin, err));
    KAI_TRY(make_rooms(c, threads, pairs, ghosts, err));
    const size_t missing = missing_chunks(c, n);
    if (missing > list->spare.count)
        KAI_TRY(make_chunks(
            c->grains, roomy(list->entries.count / KAI_GRAINS_CHUNK + missing - list->spare.count),
            err));
    return move_blocks(c->grains, n, begin, part, to, err);
}

kai_result kai_grains_list_make(kai_grains* g, int threads, const kai_grains_source* source,
                                bool* done, kai_error* err)
{
    if (threads < 1) threads = 1;
    const size_t n = (g->count + KAI_GRAINS_BLOCK - 1) / KAI_GRAINS_BLOCK;
    list_context c = {.grains = g, .source = source, .bits = 6};
    *done = false;
    KAI_TRY(kai_grains_turning_make(g, err));
    KAI_TRY(begin_list(&c, n, err));
    KAI_TRY(make_rooms(&c, threads, LEAST_PAIRS, LEAST_GHOSTS, err));
    KAI_TRY(reserve_growth(&c, n, err));
    KAI_TRY(kai_array_resize(&g->left, g->memory, n, err));
    g->skin = source->rows.cells ? source->rows.cells->skin : 0.0;
    g->repaired = g->dropped = 0;
    g->summed = false;
    kai_cell_hash_clear(&g->near);
    for (;;) {
        kai_parallel_for_workers(threads, g->count, KAI_GRAINS_BLOCK, make_block, &c);
        settle(&c, n);
        if (atomic_load(&c.crowded)) return KAI_OK;
        size_t whole = 0;
        while (whole < n && c.needs[whole].done) whole++;
        if (whole == n) break;
        KAI_TRY(make_way(&c, n, threads, err));
    }
    KAI_TRY(kai_grains_list_make_sums(g, err));
    *done = true;
    return KAI_OK;
}
