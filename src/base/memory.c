// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifdef __linux__
#define _DEFAULT_SOURCE // madvise
#endif
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/// Blocks of many megabytes ask for large pages: walks over them then wait less for the tables of
/// addresses. Systems without such pages take no notice, and nothing depends on the answer.
static void ask_for_large_pages(void* block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 4096, least = (uintptr_t)4 << 20;
    if (bytes < least) return;
    const uintptr_t begin = ((uintptr_t)block + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)block + bytes) & ~(page - 1);
    (void)madvise((void*)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

static void* default_allocate(void* context, size_t bytes)
{
    (void)context;
    void* block = aligned_alloc(KAI_ALIGNMENT, bytes);
    if (block) ask_for_large_pages(block, bytes);
    return block;
}

static void default_release(void* context, void* block, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(block);
}

// Whole cache lines; 0 when that overflows.
static size_t round_up(size_t bytes)
{
    if (bytes > SIZE_MAX - (KAI_ALIGNMENT - 1)) return 0;
    return (bytes + KAI_ALIGNMENT - 1) / KAI_ALIGNMENT * KAI_ALIGNMENT;
}

void kai_memory_init(kai_memory* memory, const kai_allocator* allocator)
{
    memset(memory, 0, sizeof *memory);
    if (allocator != NULL && allocator->allocate != NULL && allocator->release != NULL) {
        memory->allocator = *allocator;
    } else {
        memory->allocator.allocate = default_allocate;
        memory->allocator.release = default_release;
    }
}

void* kai_memory_allocate(kai_memory* memory, size_t bytes)
{
    const size_t rounded = round_up(bytes);
    if (rounded == 0) return NULL;
    memory->allocations++;
    void* block = memory->allocator.allocate(memory->allocator.context, rounded);
    if (block == NULL) return NULL;
    memory->bytes += rounded;
    if (memory->bytes > memory->peak) memory->peak = memory->bytes;
    return block;
}

void kai_memory_release(kai_memory* memory, void* block, size_t bytes)
{
    if (block == NULL) return;
    const size_t rounded = round_up(bytes);
    memory->bytes -= rounded;
    memory->allocator.release(memory->allocator.context, block, rounded);
}

void* kai_memory_allocate_zeroed(kai_memory* memory, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    void* block = kai_memory_allocate(memory, count * size);
    // The padding too: kernels may read whole lanes past the last item.
    if (block != NULL) memset(block, 0, round_up(count * size));
    return block;
}
