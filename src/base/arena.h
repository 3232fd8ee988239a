// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Scratch memory of one step: take blocks, then release back to a mark. Grows by chained blocks
// while it warms up; a release to empty joins them into one block, so a warm step allocates
// nothing.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/error.h"
#include "base/memory.h"

typedef struct kai_arena_block kai_arena_block;

typedef struct kai_arena {
    kai_memory* memory;
    kai_arena_block* top; // newest block, linked to older ones
    size_t used;          // bytes handed out now
    size_t peak;          // most bytes ever handed out
} kai_arena;

/// A place to release back to.
typedef struct kai_arena_mark {
    kai_arena_block* block;
    size_t block_used;
    size_t used;
} kai_arena_mark;

/// An empty arena over `memory`; allocates nothing.
void kai_arena_init(kai_arena* arena, kai_memory* memory);

/// Returns `count * size` bytes, 64-byte aligned, not zeroed; NULL when there is no memory, with
/// the reason in err. Zero bytes give a valid pointer.
void* kai_arena_take(kai_arena* arena, size_t count, size_t size, kai_error* err);

/// The present place.
kai_arena_mark kai_arena_marked(const kai_arena* arena);

/// Takes back everything handed out since the mark.
void kai_arena_release(kai_arena* arena, kai_arena_mark mark);

/// Gives all memory back.
void kai_arena_free(kai_arena* arena);

#endif
