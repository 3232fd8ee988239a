// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#ifdef __linux__
#define _GNU_SOURCE // madvise, mremap
#endif
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
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

// The limit --------------------------------------------------------------------------------------

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>

static double least(double a, double b) { return a < b ? a : b; }

static double read_number(const char* path, double otherwise)
{
    double number = otherwise;
    FILE* file = fopen(path, "re");
    if (!file) return otherwise;
    if (fscanf(file, "%lf", &number) != 1) number = otherwise; // "max"
    fclose(file);
    return number;
}

/// The least limit of a control group and those around it. `line` is "number:controllers:/path".
static double group_limit(const char* line, double most)
{
    const bool second = strncmp(line, "0::", 3) == 0;
    const char* path = strchr(line, '/');
    if (!path || (!second && !strstr(line, ":memory:"))) return most;
    char inner[1024], file[1200];
    snprintf(inner, sizeof inner, "%.*s", (int)strcspn(path, "\n"), path);
    for (;;) {
        snprintf(file, sizeof file,
                 second ? "/sys/fs/cgroup%s/memory.max"
                        : "/sys/fs/cgroup/memory%s/memory.limit_in_bytes",
                 inner);
        most = least(most, read_number(file, most));
        char* last = strrchr(inner, '/');
        if (!last) return most;
        *last = '\0';
    }
}

static double offered(void)
{
    double most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!(most > 0.0)) most = (double)(SIZE_MAX / 2);
    const int kinds[2] = {RLIMIT_AS, RLIMIT_DATA};
    for (int i = 0; i < 2; i++) {
        struct rlimit r;
        if (getrlimit(kinds[i], &r) == 0 && r.rlim_cur != RLIM_INFINITY)
            most = least(most, (double)r.rlim_cur);
    }
    FILE* groups = fopen("/proc/self/cgroup", "re");
    char line[1100];
    while (groups && fgets(line, sizeof line, groups)) most = group_limit(line, most);
    if (groups) fclose(groups);
    return most;
}
#else
static double offered(void) { return (double)(SIZE_MAX / 2); }
#endif

size_t kai_memory_default_limit(void)
{
    static _Atomic size_t found; // 0: not yet; threads that race find the same
    size_t limit = atomic_load_explicit(&found, memory_order_relaxed);
    if (limit == 0) {
        limit = (size_t)(0.8 * offered());
        atomic_store_explicit(&found, limit, memory_order_relaxed);
    }
    return limit;
}

void kai_memory_set_limit(kai_memory* memory, size_t limit)
{
    memory->limit = limit > 0 ? limit : kai_memory_default_limit();
}

void kai_memory_text(double bytes, char out[24])
{
    static const char* const UNITS[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t i = 0;
    while (bytes >= 1000.0 && i < 6) bytes /= 1024.0, i++;
    snprintf(out, 24, "%.3g %s", bytes, UNITS[i]);
}

void kai_memory_explain(kai_memory* memory, kai_error* err)
{
    if (!err || err->code != KAI_ERROR_MEMORY || memory->refused == 0) return;
    char more[24], used[24], limit[24];
    kai_memory_text((double)memory->refused, more);
    kai_memory_text((double)memory->bytes, used);
    kai_memory_text((double)memory->limit, limit);
    memory->refused = 0;
    const size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length,
             "; %s more than the %s in use pass the limit of memory, %s (--memory, memory_limit)",
             more, used, limit);
}

// Blocks -----------------------------------------------------------------------------------------

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
    memory->limit = kai_memory_default_limit();
    if (allocator != NULL && allocator->allocate != NULL && allocator->release != NULL) {
        memory->allocator = *allocator;
    } else {
        memory->allocator.allocate = default_allocate;
        memory->allocator.release = default_release;
    }
}

/// Whether the limit allows so many bytes more.
static bool allows(kai_memory* memory, size_t more)
{
    if (memory->bytes <= memory->limit && more <= memory->limit - memory->bytes) return true;
    memory->refused = more;
    return false;
}

static void note_bytes(kai_memory* memory, size_t more)
{
    memory->refused = 0;
    memory->bytes += more;
    if (memory->bytes > memory->peak) memory->peak = memory->bytes;
}

void* kai_memory_allocate(kai_memory* memory, size_t bytes)
{
    const size_t rounded = round_up(bytes);
    if (rounded == 0) return NULL;
    if (!allows(memory, rounded)) return NULL;
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
        if (!allows(memory, after - before)) return NULL;
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
