// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Blocks form a list from the oldest to the newest:
//
//     oldest ⇄ … ⇄ top ⇄ spare ⇄ spare
//
// Blocks are handed out from `top`. Those newer than it are empty; they stay from earlier rounds,
// so that an inner mark/release loop allocates nothing either.
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// Smallest block: many small takes of a first step share one.
#define SMALLEST_BLOCK ((size_t)16384)

struct kai_arena_block {
    kai_arena_block* older;
    kai_arena_block* newer;
    size_t capacity; // bytes for use, behind the header
    size_t used;
};

// The header takes a whole cache line, so that what follows is aligned.
#define HEADER ((size_t)KAI_ALIGNMENT)
_Static_assert(sizeof(kai_arena_block) <= KAI_ALIGNMENT, "the block header outgrew its line");

void kai_arena_init(kai_arena* arena, kai_memory* memory)
{
    *arena = (kai_arena){.memory = memory};
}

static void free_block(kai_arena* arena, kai_arena_block* block)
{
    if (block->older != NULL) block->older->newer = block->newer;
    if (block->newer != NULL) block->newer->older = block->older;
    if (arena->top == block) arena->top = block->older;
    kai_memory_release(arena->memory, block, HEADER + block->capacity);
}

// A new, empty block behind `top`, which becomes the top; false when there is no memory.
static bool add_block(kai_arena* arena, size_t capacity)
{
    if (capacity > SIZE_MAX - 2 * HEADER) return false;
    kai_arena_block* block = kai_memory_allocate(arena->memory, HEADER + capacity);
    if (block == NULL) return false;
    *block = (kai_arena_block){.older = arena->top, .capacity = capacity};
    if (arena->top != NULL) {
        block->newer = arena->top->newer;
        arena->top->newer = block;
        if (block->newer != NULL) block->newer->older = block;
    }
    arena->top = block;
    return true;
}

// Bytes of all blocks up to the top.
static size_t total_capacity(const kai_arena* arena)
{
    size_t total = 0;
    for (const kai_arena_block* b = arena->top; b != NULL; b = b->older) total += b->capacity;
    return total;
}

// Makes a block with `bytes` free bytes the top.
static bool make_room(kai_arena* arena, size_t bytes)
{
    kai_arena_block* top = arena->top;
    if (top != NULL && top->capacity - top->used >= bytes) return true;

    // A spare block if it is large enough. Small ones go: this round has outgrown them.
    while (top != NULL && top->newer != NULL) {
        if (top->newer->capacity >= bytes) {
            arena->top = top->newer;
            return true;
        }
        free_block(arena, top->newer);
    }

    // Doubling keeps the number of blocks small; under pressure take no more than needed.
    size_t capacity = total_capacity(arena);
    if (capacity < SMALLEST_BLOCK) capacity = SMALLEST_BLOCK;
    if (capacity > bytes && add_block(arena, capacity)) return true;
    return add_block(arena, bytes);
}

void* kai_arena_take(kai_arena* arena, size_t count, size_t size, kai_error* err)
{
    const size_t most = SIZE_MAX - 4 * HEADER;
    if (size != 0 && count > most / size) {
        kai_error_set(err, KAI_ERROR_MEMORY, "%zu items of %zu bytes exceed the address space",
                      count, size);
        return NULL;
    }
    // Whole cache lines, at least one: no two blocks share a pointer.
    size_t bytes = (count * size + KAI_ALIGNMENT - 1) & ~(size_t)(KAI_ALIGNMENT - 1);
    if (bytes == 0) bytes = KAI_ALIGNMENT;
    if (!make_room(arena, bytes)) {
        kai_error_set(err, KAI_ERROR_MEMORY, "no memory for %zu bytes of scratch", bytes);
        return NULL;
    }
    void* data = (char*)arena->top + HEADER + arena->top->used;
    arena->top->used += bytes;
    arena->used += bytes;
    if (arena->used > arena->peak) arena->peak = arena->used;
    return data;
}

kai_arena_mark kai_arena_marked(const kai_arena* arena)
{
    return (kai_arena_mark){
        .block = arena->top,
        .block_used = arena->top != NULL ? arena->top->used : 0,
        .used = arena->used,
    };
}

// Empties the arena, and makes one block of several: the next round like this one fits into it.
static void release_all(kai_arena* arena)
{
    arena->used = 0;
    if (arena->top == NULL) return;
    while (arena->top->newer != NULL) arena->top = arena->top->newer;
    const size_t total = total_capacity(arena);
    if (arena->top->older == NULL) {
        arena->top->used = 0;
        return;
    }
    while (arena->top != NULL) free_block(arena, arena->top);
    // Without memory the arena is just empty, and the next take reports it.
    (void)add_block(arena, total);
}

void kai_arena_release(kai_arena* arena, kai_arena_mark mark)
{
    KAI_ASSERT(mark.used <= arena->used);
    // An empty mark may be older than the join of the blocks: its block is not looked at.
    if (mark.used == 0) {
        release_all(arena);
        return;
    }
    while (arena->top != mark.block) {
        arena->top->used = 0;
        arena->top = arena->top->older;
    }
    arena->top->used = mark.block_used;
    arena->used = mark.used;
}

void kai_arena_free(kai_arena* arena)
{
    while (arena->top != NULL && arena->top->newer != NULL) free_block(arena, arena->top->newer);
    while (arena->top != NULL) free_block(arena, arena->top);
    arena->used = 0;
}
