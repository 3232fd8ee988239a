// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "contact/grains_list_repair.h"

#include <float.h>
#include <math.h>
#include <string.h>

static kai_grains_block* block_of(const kai_grains* g, size_t slot)
{
    return (kai_grains_block*)g->list.blocks.data + slot / KAI_GRAINS_BLOCK;
}

// Pairs -------------------------------------------------------------------------------------------

/// Which body pair `i` of a block has beside a: its slot.
static uint32_t other_of(const kai_grains* g, const kai_grains_block* block, size_t begin, size_t i)
{
    const size_t left = g->count - begin, own = left < KAI_GRAINS_BLOCK ? left : KAI_GRAINS_BLOCK;
    const uint32_t* entries = g->list.entries.data;
    const uint32_t b = KAI_GRAINS_B(entries[kai_grains_place(&g->list, block, i)]);
    if (b < own) return (uint32_t)begin + b;
    return ((const uint32_t*)g->list.ghosts.data)[block->ghost + b - own];
}

/// The first pair of a block that is not before (a, b): a counted from the block's first body, b a
/// slot; or with walls, which one.
static size_t pair_from(const kai_grains* g, size_t begin, uint32_t a, uint32_t b, bool walls)
{
    const kai_grains_block* block = block_of(g, begin);
    const uint32_t* entries = g->list.entries.data;
    size_t i = walls ? block->wall : 0, end = walls ? block->end : block->wall;
    while (i < end) {
        const size_t middle = i + (end - i) / 2;
        const uint32_t entry = entries[kai_grains_place(&g->list, block, middle)],
                       at = KAI_GRAINS_A(entry);
        const uint32_t other = walls ? KAI_GRAINS_B(entry) : other_of(g, block, begin, middle);
        if (at < a || (at == a && other < b))
            i = middle + 1;
        else
            end = middle;
    }
    return i;
}

/// Whether pair `i` of a block is (a, b).
static bool is_pair(const kai_grains* g, size_t begin, size_t i, uint32_t a, uint32_t b, bool walls)
{
    const kai_grains_block* block = block_of(g, begin);
    const uint32_t* entries = g->list.entries.data;
    if (i >= (walls ? block->end : block->wall)) return false;
    const uint32_t entry = entries[kai_grains_place(&g->list, block, i)];
    return KAI_GRAINS_A(entry) == a &&
           (walls ? KAI_GRAINS_B(entry) : other_of(g, block, begin, i)) == b;
}

/// Moves pairs of a block from `i` on by one place, pair_chunk by pair_chunk from the last one on.
static void shift_pairs(kai_grains_list* list, const kai_grains_block* block, size_t i)
{
    uint32_t* entries = list->entries.data;
    double(*history)[3] = list->history.data;
    const size_t first = i / KAI_GRAINS_CHUNK, last = block->end / KAI_GRAINS_CHUNK;
    for (size_t pair_chunk = last + 1; pair_chunk-- > first;) {
        const size_t at = kai_grains_place(list, block, pair_chunk * KAI_GRAINS_CHUNK);
        const size_t from = pair_chunk == first ? i % KAI_GRAINS_CHUNK : 0,
                     to = pair_chunk == last ? block->end % KAI_GRAINS_CHUNK : KAI_GRAINS_CHUNK - 1;
        memmove(entries + at + from + 1, entries + at + from, (to - from) * sizeof *entries);
        memmove(history + at + from + 1, history + at + from, (to - from) * sizeof *history);
        if (pair_chunk == first) break;
        const size_t before = kai_grains_place(list, block, pair_chunk * KAI_GRAINS_CHUNK - 1);
        entries[at] = entries[before];
        memcpy(history[at], history[before], sizeof *history);
    }
}

/// Puts a pair that does not touch yet at `i`; false: there is no room.
static bool insert(kai_grains* g, kai_grains_block* block, size_t i, uint32_t entry, bool wall)
{
    kai_grains_list* list = &g->list;
    if (block->end == block->pair_chunks * KAI_GRAINS_CHUNK) {
        if (list->spare.count == 0 || block->pair_chunk + block->pair_chunks == block[1].pair_chunk)
            return false;
        ((uint32_t*)list->pair_chunks.data)[block->pair_chunk + block->pair_chunks++] =
            ((const uint32_t*)list->spare.data)[--list->spare.count];
    }
    shift_pairs(list, block, i);
    const size_t at = kai_grains_place(list, block, i);
    ((uint32_t*)list->entries.data)[at] = entry;
    memset((double(*)[3])list->history.data + at, 0, 3 * sizeof(double));
    block->end++;
    block->wall += !wall;
    return true;
}

/// The place of a body behind a block's own among its bodies and ghosts; UINT32_MAX: no room.
/// `*more` is set where it is a new ghost.
static uint32_t ghost_of(kai_grains* g, size_t begin, uint32_t slot, bool* more)
{
    kai_grains_block* block = block_of(g, begin);
    uint32_t* ghosts = g->list.ghosts.data;
    uint32_t k = block->ghost;
    while (k < block->ghost_end && ghosts[k] != slot) k++;
    if (k == block[1].ghost) return UINT32_MAX;
    if (k == block->ghost_end) {
        ghosts[block->ghost_end++] = slot;
        const size_t locals = KAI_GRAINS_BLOCK + (size_t)(block->ghost_end - block->ghost);
        if (locals > g->locals) g->locals = (locals + 127) / 128 * 128;
        *more = true;
    }
    return KAI_GRAINS_BLOCK + k - block->ghost;
}

/// Adds a pair of spheres, unless it is there; false: no room.
static bool add_pair(kai_grains* g, uint32_t p, uint32_t q, bool* more)
{
    const uint32_t a = p < q ? p : q, b = p < q ? q : p;
    const size_t begin = a / KAI_GRAINS_BLOCK * KAI_GRAINS_BLOCK;
    const uint32_t own = a - (uint32_t)begin;
    const size_t i = pair_from(g, begin, own, b, false);
    if (is_pair(g, begin, i, own, b, false)) return true;
    uint32_t local = b - (uint32_t)begin;
    if (local >= KAI_GRAINS_BLOCK) local = ghost_of(g, begin, b, more);
    return local != UINT32_MAX && insert(g, block_of(g, a), i, own << 20 | local, false);
}

static bool add_walls(kai_grains* g, const kai_cell_list_points* points, uint32_t slot)
{
    const size_t begin = slot / KAI_GRAINS_BLOCK * KAI_GRAINS_BLOCK;
    const uint32_t own = slot - (uint32_t)begin;
    uint64_t walls = 0;
    if (g->walls.count == 0) return true;
    kai_cell_list_planes(points, g->skin_boxes.data, g->skin_box_origin, g->walls.data,
                         sizeof(kai_grains_wall), g->walls.count, slot - g->skin_box_slot,
                         slot - g->skin_box_slot + 1, &walls);
    for (; walls; walls &= walls - 1) {
        const uint32_t wall = (uint32_t)__builtin_ctzll(walls);
        const size_t i = pair_from(g, begin, own, wall, true);
        if (is_pair(g, begin, i, own, wall, true)) continue;
        if (!insert(g, block_of(g, slot), i, own << 20 | wall, true)) return false;
    }
    return true;
}

// Skin boxes -------------------------------------------------------------------------------------------

/// Where others may be whose skin_boxes overlap one, sums of floats off by rounding included.
static kai_cell_list_bounds around(const kai_grains_skin_box* skin_box)
{
    kai_cell_list_bounds out;
    for (int k = 0; k < 3; k++) {
        const float more = 4.0f * FLT_EPSILON * (fabsf(skin_box->low[k]) + 2.0f * skin_box->width);
        out.low[k] = skin_box->low[k] - more;
        out.high[k] = skin_box->low[k] + skin_box->width + more;
    }
    return out;
}

/// Whether a skin_box overlaps a box.
KAI_INLINE bool overlap(const kai_grains_skin_box* p, const float* low, const float* high)
{
    bool out = false;
    for (int k = 0; k < 3; k++) out |= (p->low[k] > high[k]) | (p->low[k] + p->width < low[k]);
    return !out;
}

/// Adds pairs of a sphere with those of a block whose skin_boxes are near its own.
static bool add_block(kai_grains* g, const kai_cell_list_points* points, uint32_t slot,
                      size_t block, bool* more)
{
    const kai_grains_skin_box* skin_boxes = g->skin_boxes.data;
    const kai_cell_list_bounds own = around(&skin_boxes[slot - g->skin_box_slot]);
    const size_t from = block * KAI_GRAINS_BLOCK, to = from + KAI_GRAINS_BLOCK,
                 end = g->skin_box_slot + g->skin_boxes.count;
    for (size_t i = from > g->skin_box_slot ? from : g->skin_box_slot; i < to && i < end; i++) {
        if (!overlap(&skin_boxes[i - g->skin_box_slot], own.low, own.high) || i == slot) continue;
        if (kai_cell_list_near(points, skin_boxes, slot - g->skin_box_slot, i - g->skin_box_slot) &&
            !add_pair(g, slot, (uint32_t)i, more))
            return false;
    }
    return true;
}

static bool mend_one(kai_grains* g, const kai_cell_list_points* points, uint32_t slot, bool* more)
{
    kai_grains_skin_box* skin_box =
        (kai_grains_skin_box*)g->skin_boxes.data + (slot - g->skin_box_slot);
    kai_cell_list_bounds* bounds = g->bounds.data;
    *skin_box = kai_cell_list_box_of(points, g->skin_box_origin, slot - g->skin_box_slot, g->skin);
    kai_cell_list_bound(&bounds[slot / KAI_GRAINS_BLOCK], skin_box, 1);
    const kai_cell_list_bounds own = around(skin_box);
    for (size_t k = 0; k < g->bounds.count; k++) {
        bool apart = false;
        for (int i = 0; i < 3; i++)
            apart |= (bounds[k].low[i] > own.high[i]) | (bounds[k].high[i] < own.low[i]);
        if (!apart && !add_block(g, points, slot, k, more)) return false;
    }
    return add_walls(g, points, slot);
}

bool kai_grains_list_repair(kai_grains* g, const kai_contacts_list_check* watch,
                            const kai_cell_list_points* points)
{
    const size_t blocks = g->list.blocks.count - 1, most = g->count / 4096 + 4;
    if (!(g->skin > 0.0) || !watch->left || g->bounds.count != blocks) return false;
    bool more = false, whole = true;
    for (size_t k = 0; k < blocks && whole; k++) {
        const size_t from = k * KAI_GRAINS_BLOCK, to = from + KAI_GRAINS_BLOCK;
        if (!watch->left[k]) continue;
        for (size_t i = from > watch->begin ? from : watch->begin; i < to && i < watch->end; i++) {
            if (kai_cell_list_holds(points, g->skin_boxes.data, g->skin_box_origin,
                                    i - watch->begin, i - watch->begin + 1))
                continue;
            whole = g->mended < most && mend_one(g, points, (uint32_t)i, &more);
            g->mended++;
            if (!whole) break;
        }
    }
    if (more && kai_grains_list_ghost_scatter(g, NULL) != KAI_OK) return false;
    return whole;
}
