// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifdef __linux__
#define _GNU_SOURCE // madvise, mremap
#endif
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && !defined(KAIROS_NO_MAPPED_BLOCKS)
#include <sys/mman.h>
#endif

#if defined(MREMAP_MAYMOVE) && defined(MADV_HUGEPAGE)
#define LARGE ((size_t)1 << 20)

/// Blocks of many megabytes ask for large pages: walks over them then wait less for the tables of
/// addresses. Systems without such pages take no notice, and nothing depends on the answer.
static void ask_for_large_pages(void* block, size_t bytes)
{
    const size_t many = (size_t)4 << 20;
    if (bytes >= many) (void)madvise(block, bytes, MADV_HUGEPAGE);
}

/// Large blocks are pages of their own.
static void* map_block(size_t bytes)
{
    void* block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
    ask_for_large_pages(block, bytes);
    return block;
}

static void* remap_block(void* block, size_t bytes, size_t wanted)
{
    void* moved = mremap(block, bytes, wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return NULL;
    ask_for_large_pages(moved, wanted);
    return moved;
}

static void unmap_block(void* block, size_t bytes) { (void)munmap(block, bytes); }
#else
#define LARGE SIZE_MAX

static void* map_block(size_t bytes)
{
    (void)bytes;
    return NULL;
}

static void* remap_block(void* block, size_t bytes, size_t wanted)
{
    (void)block, (void)bytes, (void)wanted;
    return NULL;
}

static void unmap_block(void* block, size_t bytes) { (void)block, (void)bytes; }
#endif

static void* default_allocate(void* context, size_t bytes)
{
    (void)context;
    return bytes < LARGE ? aligned_alloc(KAI_ALIGNMENT, bytes) : map_block(bytes);
}

static void default_release(void* context, void* block, size_t bytes)
{
    (void)context;
    if (bytes < LARGE)
        free(block);
    else
        unmap_block(block, bytes);
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

static void note_bytes(kai_memory* memory, size_t more)
{
    memory->bytes += more;
    if (memory->bytes > memory->peak) memory->peak = memory->bytes;
}

void* kai_memory_allocate(kai_memory* memory, size_t bytes)
{
    const size_t rounded = round_up(bytes);
    if (rounded == 0) return NULL;
    memory->allocations++;
    void* block = memory->allocator.allocate(memory->allocator.context, rounded);
    if (block != NULL) note_bytes(memory, rounded);
    return block;
}

bool kai_memory_grows(const kai_memory* memory, size_t bytes)
{
    return memory->allocator.allocate == default_allocate && round_up(bytes) >= LARGE;
}

void* kai_memory_grow(kai_memory* memory, void* block, size_t bytes, size_t used, size_t wanted)
{
    const size_t before = round_up(bytes), after = round_up(wanted);
    if (block && kai_memory_grows(memory, bytes) && after > before) {
        memory->allocations++;
        void* moved = remap_block(block, before, after);
        if (moved) note_bytes(memory, after - before);
        return moved;
    }
    void* fresh = kai_memory_allocate(memory, wanted);
    if (!fresh) return NULL;
    if (used > 0) memcpy(fresh, block, used);
    kai_memory_release(memory, block, bytes);
    return fresh;
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
