// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/grains_list_edit.h"

#include <string.h>

// What a new block has room for.
enum { NEW_CHUNKS = 256, NEW_GHOSTS = 1024 };

// Fewer spare pair chunks than this are too few to begin with; then there are to be one in so many more.
enum { LEAST_SPARE = 64, SPARE = 32 };

static kai_grains_block* block_of(const kai_grains* g, size_t slot)
{
    return (kai_grains_block*)g->list.blocks.data + slot / KAI_GRAINS_BLOCK;
}

static size_t first_slot(size_t slot) { return slot / KAI_GRAINS_BLOCK * KAI_GRAINS_BLOCK; }

static uint32_t entry_at(const kai_grains* g, const kai_grains_block* block, size_t i)
{
    return ((const uint32_t*)g->list.entries.data)[kai_grains_place(&g->list, block, i)];
}

kai_result kai_grains_list_edit_begin(kai_grains* g, bool* ready, kai_error* err)
{
    *ready = false;
    if (!(g->skin > 0.0)) return KAI_OK;
    if (!g->near.made)
        KAI_TRY(kai_cell_hash_make(&g->near, g->skin_boxes.data, g->skin_boxes.count, err));
    if (g->list.spare.count < LEAST_SPARE)
        KAI_TRY(kai_grains_list_reserve(
            g, LEAST_SPARE + g->list.entries.count / KAI_GRAINS_CHUNK / SPARE, err));
    *ready = g->near.made;
    return KAI_OK;
}

// Pairs ------------------------------------------------------------------------------------------

/// Where a pair is in its block, or would be.
typedef struct pair_place {
    size_t i;
    bool found;
    bool vacant; // the pair at i - 1, of the same a, has nobody
} pair_place;

/// Where the pairs of a would be if those of spheres were spread evenly.
static size_t edit_guess(const kai_grains_block* block, uint32_t a)
{
    return (size_t)a * block->wall / KAI_GRAINS_BLOCK;
}

/// Narrows the search for the first pair of a among those of spheres. Each place looked at must come
/// from memory: so the search begins at a guess, made better by what is found there, and takes steps
/// that double.
static void edit_narrow(const kai_grains* g, const kai_grains_block* block, uint32_t a,
                        size_t* begin, size_t* end)
{
    enum { STEP = 16 }; // entries of a cache line
    const size_t n = block->wall;
    *begin = *end = 0;
    if (n == 0) return;
    const size_t guess = edit_guess(block, a);
    const uint32_t there = KAI_GRAINS_A(entry_at(g, block, guess));
    const size_t off = (size_t)(there < a ? a - there : there - a) * n / KAI_GRAINS_BLOCK;
    size_t low = there < a ? (off < n - guess ? guess + off : n) : (off < guess ? guess - off : 0);
    size_t high = low;
    for (size_t step = STEP; low > 0 && KAI_GRAINS_A(entry_at(g, block, low - 1)) >= a; step *= 2) {
        high = low - 1;
        low -= step < low ? step : low;
    }
    for (size_t step = STEP; high < n && KAI_GRAINS_A(entry_at(g, block, high)) < a; step *= 2) {
        low = high + 1;
        high += step < n - high ? step : n - high;
    }
    *begin = low;
    *end = high;
}

/// The first pair of a block whose a, counted from the block's first body, is not below this one.
static size_t edit_first(const kai_grains* g, const kai_grains_block* block, uint32_t a, bool walls)
{
    size_t i = block->wall, end = block->end;
    if (!walls) edit_narrow(g, block, a, &i, &end);
    while (i < end) {
        const size_t middle = i + (end - i) / 2;
        if (KAI_GRAINS_A(entry_at(g, block, middle)) < a)
            i = middle + 1;
        else
            end = middle;
    }
    return i;
}

/// Prefetches where the search for pairs of a sphere begins.
static void edit_prefetch_row(const kai_grains* g, uint32_t slot)
{
    const kai_grains_block* block = block_of(g, slot);
    if (block->wall == 0) return;
    const size_t guess = edit_guess(block, slot - (uint32_t)first_slot(slot));
    __builtin_prefetch((const uint32_t*)g->list.entries.data +
                       kai_grains_place(&g->list, block, guess));
}

/// Looks for (a, b): b a slot above that of a, or which wall.
static pair_place edit_look(const kai_grains* g, uint32_t slot_a, uint32_t b, bool walls)
{
    const kai_grains_block* block = block_of(g, slot_a);
    const size_t begin = first_slot(slot_a), end = walls ? block->end : block->wall;
    const uint32_t a = slot_a - (uint32_t)begin;
    pair_place at = {.i = edit_first(g, block, a, walls)};
    for (; at.i < end; at.i++) {
        const uint32_t entry = entry_at(g, block, at.i);
        if (KAI_GRAINS_A(entry) != a) break;
        const uint32_t other =
            walls ? KAI_GRAINS_B(entry) : kai_grains_slot_b(&g->list, block, begin, entry);
        if (!walls && other == UINT32_MAX) {
            at.vacant = true;
            continue;
        }
        at.found = other == b;
        if (other >= b) break;
        at.vacant = false;
    }
    return at;
}

size_t kai_grains_list_edit_find(const kai_grains* g, uint32_t slot, uint32_t other)
{
    const uint32_t a = slot < other ? slot : other, b = slot < other ? other : slot;
    const pair_place at = edit_look(g, a, b, false);
    return at.found ? kai_grains_place(&g->list, block_of(g, a), at.i) : SIZE_MAX;
}

size_t kai_grains_list_edit_find_wall(const kai_grains* g, uint32_t slot, uint32_t wall)
{
    const pair_place at = edit_look(g, slot, wall, true);
    return at.found ? kai_grains_place(&g->list, block_of(g, slot), at.i) : SIZE_MAX;
}

size_t kai_grains_list_edit_walls(const kai_grains* g, uint32_t slot,
                                  size_t places[KAI_GRAINS_WALLS])
{
    const kai_grains_block* block = block_of(g, slot);
    const uint32_t a = slot - (uint32_t)first_slot(slot);
    size_t n = 0;
    for (size_t i = edit_first(g, block, a, true); i < block->end && n < KAI_GRAINS_WALLS; i++) {
        if (KAI_GRAINS_A(entry_at(g, block, i)) != a) break;
        places[n++] = kai_grains_place(&g->list, block, i);
    }
    return n;
}

void kai_grains_list_edit_drop(kai_grains* g, size_t place)
{
    uint32_t* entry = (uint32_t*)g->list.entries.data + place;
    *entry = KAI_GRAINS_A(*entry) << 20 | KAI_GRAINS_NOBODY;
    kai_grains_forget(&g->list, place);
    g->dropped++;
}

/// Moves pairs of a block from `i` on by one place, pair_chunk by pair_chunk from the last one on.
static void shift_pairs(kai_grains_list* list, const kai_grains_block* block, size_t i)
{
    uint32_t* entries = list->entries.data;
    double(*history)[3] = list->history.data, (*turning)[4] = kai_grains_turning(list);
    const size_t first = i / KAI_GRAINS_CHUNK, last = block->end / KAI_GRAINS_CHUNK;
    for (size_t pair_chunk = last + 1; pair_chunk-- > first;) {
        const size_t at = kai_grains_place(list, block, pair_chunk * KAI_GRAINS_CHUNK);
        const size_t from = pair_chunk == first ? i % KAI_GRAINS_CHUNK : 0,
                     to = pair_chunk == last ? block->end % KAI_GRAINS_CHUNK : KAI_GRAINS_CHUNK - 1;
        memmove(entries + at + from + 1, entries + at + from, (to - from) * sizeof *entries);
        memmove(history + at + from + 1, history + at + from, (to - from) * sizeof *history);
        if (turning)
            memmove(turning + at + from + 1, turning + at + from, (to - from) * sizeof *turning);
        if (pair_chunk == first) break;
        const size_t before = kai_grains_place(list, block, pair_chunk * KAI_GRAINS_CHUNK - 1);
        entries[at] = entries[before];
        memcpy(history[at], history[before], sizeof *history);
        if (turning) memcpy(turning[at], turning[before], sizeof *turning);
    }
}

/// Puts a pair that does not touch yet where it was looked for; false: there is no room.
static bool edit_insert(kai_grains* g, kai_grains_block* block, const pair_place* where,
                        uint32_t entry, bool wall)
{
    kai_grains_list* list = &g->list;
    uint32_t* entries = list->entries.data;
    if (where->vacant) {
        entries[kai_grains_place(list, block, where->i - 1)] = entry;
        g->dropped--;
        return true;
    }
    if (block->end == block->pair_chunks * KAI_GRAINS_CHUNK) {
        if (list->spare.count == 0 || block->pair_chunk + block->pair_chunks == block[1].pair_chunk)
            return false;
        ((uint32_t*)list->pair_chunks.data)[block->pair_chunk + block->pair_chunks++] =
            ((const uint32_t*)list->spare.data)[--list->spare.count];
    }
    shift_pairs(list, block, where->i);
    const size_t at = kai_grains_place(list, block, where->i);
    entries[at] = entry;
    kai_grains_forget(list, at);
    block->end++;
    block->wall += !wall;
    return true;
}

/// The number of a body behind a block's own among its ghosts, a new one if need be; UINT32_MAX: no
/// room.
static uint32_t ghost_of(kai_grains* g, kai_grains_block* block, uint32_t slot)
{
    uint32_t* ghosts = g->list.ghosts.data;
    uint32_t k = block->ghost;
    while (k < block->ghost_end && ghosts[k] != slot) k++;
    if (k == block[1].ghost) return UINT32_MAX;
    if (k == block->ghost_end) {
        ghosts[block->ghost_end++] = slot;
        g->summed = false;
    }
    return KAI_GRAINS_GHOST + k - block->ghost;
}

/// Adds a pair of spheres, unless it is there; false: no room.
static bool add_pair(kai_grains* g, uint32_t slot, uint32_t other)
{
    const uint32_t a = slot < other ? slot : other, b = slot < other ? other : slot;
    const uint32_t begin = (uint32_t)first_slot(a);
    kai_grains_block* block = block_of(g, a);
    const pair_place at = edit_look(g, a, b, false);
    if (at.found) return true;
    uint32_t local = b - begin;
    if (local >= KAI_GRAINS_BLOCK) local = ghost_of(g, block, b);
    return local != UINT32_MAX && edit_insert(g, block, &at, (a - begin) << 20 | local, false);
}

static bool add_walls(kai_grains* g, const kai_cell_list_points* points, uint32_t slot)
{
    const size_t i = slot - g->skin_box_slot;
    uint64_t walls = 0;
    if (g->walls.count == 0) return true;
    kai_cell_list_planes(points, g->skin_boxes.data, g->skin_box_origin, g->walls.data,
                         sizeof(kai_grains_wall), g->walls.count, i, i + 1, &walls);
    for (; walls; walls &= walls - 1) {
        const uint32_t wall = (uint32_t)__builtin_ctzll(walls);
        const pair_place at = edit_look(g, slot, wall, true);
        if (!at.found && !edit_insert(g, block_of(g, slot), &at,
                                      (slot - (uint32_t)first_slot(slot)) << 20 | wall, true))
            return false;
    }
    return true;
}

// Spheres ----------------------------------------------------------------------------------------

void kai_grains_list_edit_prefetch(const kai_grains* g, const uint32_t* slots, size_t count,
                                   size_t k)
{
    kai_cell_hash_prefetch(&g->near, g->skin_boxes.data, slots, g->skin_box_slot, count, k);
}

size_t kai_grains_list_edit_near(const kai_grains* g, const kai_cell_list_points* points,
                                 uint32_t slot, uint32_t end, uint32_t out[KAI_CELL_LIST_ROW])
{
    const kai_grains_skin_box* boxes = g->skin_boxes.data;
    const size_t first = g->skin_box_slot, i = slot - first,
                 found = kai_cell_hash_near(&g->near, boxes, i, out, KAI_CELL_LIST_ROW);
    if (found > KAI_CELL_LIST_ROW) return SIZE_MAX;
    size_t n = 0;
    for (size_t k = 0; k < found; k++) {
        const uint32_t other = (uint32_t)first + out[k];
        if (other < end && kai_cell_list_near(points, boxes, i, out[k])) out[n++] = other;
    }
    return n;
}

size_t kai_grains_list_edit_pairs(const kai_grains* g, const kai_cell_list_points* points,
                                  uint32_t slot, kai_grains_list_edit_pair* out, size_t room)
{
    // Those in higher slots are in a row.
    const kai_grains_block* block = block_of(g, slot);
    const size_t begin = first_slot(slot);
    const uint32_t a = slot - (uint32_t)begin;
    size_t n = 0;
    for (size_t i = edit_first(g, block, a, false); i < block->wall; i++) {
        const size_t place = kai_grains_place(&g->list, block, i);
        const uint32_t entry = ((const uint32_t*)g->list.entries.data)[place];
        if (KAI_GRAINS_A(entry) != a) break;
        const uint32_t other = kai_grains_slot_b(&g->list, block, begin, entry);
        if (other == UINT32_MAX) continue;
        if (n < room) out[n] = (kai_grains_list_edit_pair){place, other};
        n++;
    }
    // Those in lower slots are in rows of spheres that are near.
    uint32_t near[KAI_CELL_LIST_ROW];
    const size_t lower = kai_grains_list_edit_near(g, points, slot, slot, near);
    if (lower == SIZE_MAX) return SIZE_MAX;
    for (size_t k = 0; k < lower; k++) edit_prefetch_row(g, near[k]);
    for (size_t k = 0; k < lower; k++) {
        const size_t place = kai_grains_list_edit_find(g, near[k], slot);
        if (place == SIZE_MAX) continue;
        if (n < room) out[n] = (kai_grains_list_edit_pair){place, near[k]};
        n++;
    }
    return n;
}

void kai_grains_list_edit_leave(kai_grains* g, uint32_t slot)
{
    kai_cell_hash_remove(&g->near, g->skin_boxes.data, slot - g->skin_box_slot);
}

bool kai_grains_list_edit_come(kai_grains* g, const kai_cell_list_points* points, uint32_t slot)
{
    kai_grains_skin_box* boxes = g->skin_boxes.data;
    const size_t i = slot - g->skin_box_slot;
    boxes[i] = kai_cell_list_box_of(points, g->skin_box_origin, i, g->skin);
    return kai_cell_hash_add(&g->near, boxes, i);
}

bool kai_grains_list_edit_meet(kai_grains* g, const kai_cell_list_points* points, uint32_t slot,
                               const uint32_t* near, size_t count)
{
    for (size_t k = 0; k < count; k++) edit_prefetch_row(g, near[k] < slot ? near[k] : slot);
    for (size_t k = 0; k < count; k++)
        if (!add_pair(g, slot, near[k])) return false;
    return add_walls(g, points, slot);
}

// More bodies and fewer --------------------------------------------------------------------------

static void give_chunks_back(kai_grains_list* list, kai_grains_block* block, size_t keep)
{
    uint32_t *spare = list->spare.data, *chunks = list->pair_chunks.data;
    while (block->pair_chunks > keep)
        spare[list->spare.count++] = chunks[block->pair_chunk + --block->pair_chunks];
}

/// Takes away the pairs of bodies of a block from `own` on.
static void cut_block(kai_grains* g, kai_grains_block* block, uint32_t own)
{
    kai_grains_list* list = &g->list;
    uint32_t* entries = list->entries.data;
    double(*history)[3] = list->history.data, (*turning)[4] = kai_grains_turning(list);
    const size_t spheres = edit_first(g, block, own, false),
                 walls = edit_first(g, block, own, true);
    size_t to = spheres;
    for (size_t i = block->wall; i < walls; i++, to++) {
        const size_t from = kai_grains_place(list, block, i),
                     at = kai_grains_place(list, block, to);
        entries[at] = entries[from];
        memcpy(history[at], history[from], sizeof *history);
        if (turning) memcpy(turning[at], turning[from], sizeof *turning);
    }
    block->wall = (uint32_t)spheres;
    block->end = (uint32_t)to;
    give_chunks_back(list, block, (to + KAI_GRAINS_CHUNK - 1) / KAI_GRAINS_CHUNK);
}

/// Drops the pairs of block k with slots that are no more: with a sphere that has left the skin box
/// which it was listed with, pairs may be in the list that are not found near it.
static void drop_beyond(kai_grains* g, size_t k, size_t count)
{
    const kai_grains_block* block = (const kai_grains_block*)g->list.blocks.data + k;
    for (size_t i = 0; i < block->wall; i++) {
        const uint32_t b =
            kai_grains_slot_b(&g->list, block, k * KAI_GRAINS_BLOCK, entry_at(g, block, i));
        if (b >= count && b != UINT32_MAX)
            kai_grains_list_edit_drop(g, kai_grains_place(&g->list, block, i));
    }
}

/// Takes slots from `count` on out of all blocks. Ghosts that are no more become bodies of their own
/// block, which nothing acts on in their place.
static void cut_ghosts(kai_grains* g, size_t blocks, size_t count)
{
    const kai_grains_block* block = g->list.blocks.data;
    uint32_t* ghosts = g->list.ghosts.data;
    for (size_t k = 0; k < blocks; k++) {
        bool cut = k + 1 == blocks;
        for (size_t i = block[k].ghost; i < block[k].ghost_end; i++) cut |= ghosts[i] >= count;
        if (cut) drop_beyond(g, k, count);
        for (size_t i = block[k].ghost; cut && i < block[k].ghost_end; i++)
            if (ghosts[i] >= count) ghosts[i] = (uint32_t)(k * KAI_GRAINS_BLOCK);
    }
}

/// Empty blocks behind those that there are.
static kai_result add_blocks(kai_grains* g, size_t before, size_t blocks, kai_error* err)
{
    kai_grains_list* list = &g->list;
    const size_t more = blocks - before, chunks = list->pair_chunks.count,
                 ghosts = list->ghosts.count;
    KAI_TRY(kai_array_reserve(&list->blocks, g->memory, blocks + 1, err));
    KAI_TRY(kai_array_reserve(&list->ghosts, g->memory, ghosts + more * NEW_GHOSTS, err));
    KAI_TRY(kai_array_resize(&list->pair_chunks, g->memory, chunks + more * NEW_CHUNKS, err));
    KAI_TRY(kai_array_resize(&list->ghosts, g->memory, ghosts + more * NEW_GHOSTS, err));
    KAI_TRY(kai_array_resize(&list->blocks, g->memory, blocks + 1, err));
    kai_grains_block* block = (kai_grains_block*)list->blocks.data + before;
    for (size_t k = 0; k <= more; k++) {
        const uint32_t ghost = (uint32_t)(ghosts + k * NEW_GHOSTS);
        block[k] = (kai_grains_block){
            .pair_chunk = (uint32_t)(chunks + k * NEW_CHUNKS), .ghost = ghost, .ghost_end = ghost};
    }
    return KAI_OK;
}

kai_result kai_grains_list_edit_reserve(kai_grains* g, size_t count, size_t spheres, kai_error* err)
{
    const size_t before = g->list.blocks.count - 1,
                 blocks = (count + KAI_GRAINS_BLOCK - 1) / KAI_GRAINS_BLOCK;
    if (blocks > before) KAI_TRY(add_blocks(g, before, blocks, err));
    KAI_TRY(kai_array_reserve(&g->left, g->memory, blocks, err));
    KAI_TRY(kai_cell_hash_reserve(&g->near, spheres, err));
    return kai_array_reserve(&g->skin_boxes, g->memory, spheres, err);
}

void kai_grains_list_edit_resize(kai_grains* g, size_t count, size_t spheres)
{
    kai_array* all = &g->list.blocks;
    const size_t before = all->count - 1,
                 blocks = (count + KAI_GRAINS_BLOCK - 1) / KAI_GRAINS_BLOCK;
    (void)kai_array_resize(&g->skin_boxes, g->memory, spheres, NULL); // there is room for all
    if (count < g->count) {
        kai_grains_block* block = all->data;
        for (size_t k = blocks; k < before; k++) give_chunks_back(&g->list, &block[k], 0);
        cut_block(g, &block[blocks - 1], (uint32_t)(count - (blocks - 1) * KAI_GRAINS_BLOCK));
        cut_ghosts(g, blocks, count);
        if (blocks < before) {
            // Room of the blocks that are no more goes to the last one.
            block[blocks].pair_chunk = block[before].pair_chunk;
            block[blocks].ghost = block[before].ghost;
            (void)kai_array_resize(all, g->memory, blocks + 1, NULL);
        }
    }
    g->summed = g->summed && g->count == count;
    g->count = count;
    (void)kai_array_resize(&g->left, g->memory, 0, NULL);
    (void)kai_array_resize(&g->left, g->memory, blocks, NULL);
}
