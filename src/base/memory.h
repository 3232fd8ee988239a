// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The memory of one world: a counted front of the user's allocator. Blocks are 64-byte aligned
// and their sizes rounded up to whole cache lines. Not for use inside parallel loops.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <kairos/memory.h>
#include <kairos/result.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kai_memory {
    kai_allocator allocator;
    size_t limit;         // most bytes in use: what is beyond it is refused
    size_t refused;       // bytes that the limit refused since a block was given; 0: none
    size_t bytes;         // in use now
    size_t peak;          // most ever in use
    uint64_t allocations; // calls of allocate so far; a warm step adds none
} kai_memory;

/// Starts counting. A NULL or zeroed allocator stands for the C library's. The limit is the default
/// one.
void kai_memory_init(kai_memory* memory, const kai_allocator* allocator);

/// Sets the limit in bytes; 0: the default one.
void kai_memory_set_limit(kai_memory* memory, size_t limit);

/// Whether so many things of so many bytes each lie within a limit. Numbers are real so that no
/// product overflows.
static inline bool kai_memory_fits(size_t limit, double count, double size)
{
    return count * size <= (double)limit;
}

/// Writes a number of bytes for people: "19.2 GiB".
void kai_memory_text(double bytes, char out[24]);

/// Adds the limit to a message of KAI_ERROR_MEMORY, once, where it was the limit that refused.
void kai_memory_explain(kai_memory* memory, kai_error* err);

/// Returns a block, or NULL when there is none or the limit is met. Zero bytes give NULL.
void* kai_memory_allocate(kai_memory* memory, size_t bytes);

/// Returns a block of `wanted` bytes that begins with the first `used` ones of a block of `bytes`,
/// which is gone; or NULL, and the block is as it was. Large blocks of the C library's memory are
/// not copied: their pages move, and there are never two of them.
void* kai_memory_grow(kai_memory* memory, void* block, size_t bytes, size_t used, size_t wanted);

/// Whether a block of so many bytes grows without a copy.
bool kai_memory_grows(const kai_memory* memory, size_t bytes);

/// Takes back a block of the size that was asked for; NULL is allowed.
void kai_memory_release(kai_memory* memory, void* block, size_t bytes);

/// Like allocate, but `count * size` is checked for overflow and the block is zeroed.
void* kai_memory_allocate_zeroed(kai_memory* memory, size_t count, size_t size);

#endif
