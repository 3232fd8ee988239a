// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A library to preload that lets memory run out: the n-th call of malloc, calloc, realloc,
// aligned_alloc, posix_memalign or mmap of anonymous memory fails.
//
//   KAIROS_FAIL_AT=n     only the n-th call fails, counted from 1
//   KAIROS_FAIL_FROM=n   all calls fail from the n-th on
//   KAIROS_FAIL_WHOSE=own   only calls out of the kairos program or library count; any (default)
//   KAIROS_FAIL_COUNT=FILE  how many calls there were is written there at the end
#define _GNU_SOURCE // RTLD_NEXT, dladdr
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* block, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes);
void* calloc(size_t count, size_t bytes);
void* realloc(void* block, size_t bytes);
void* aligned_alloc(size_t alignment, size_t bytes);
int posix_memalign(void** out, size_t alignment, size_t bytes);

static atomic_llong calls;
static long long fail_at, fail_from;
static bool only_own, ready;
static struct {
    uintptr_t begin, end;
} own[8]; // addresses of the program and of its library
static int own_count;

// The ranges of code that belong to kairos, read from /proc/self/maps with no memory taken.
static void find_own(void)
{
    static char text[1 << 20];
    size_t size = 0;
    const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    for (ssize_t n = 1; n > 0 && size<sizeof text - 1; size += n> 0 ? (size_t)n : 0)
        n = read(fd, text + size, sizeof text - 1 - size);
    close(fd);
    for (char *line = text, *next; *line != '\0' && own_count < 8; line = next) {
        next = strchrnul(line, '\n');
        if (*next != '\0') *next++ = '\0';
        const char* name = strrchr(line, '/');
        unsigned long begin, end;
        char rights[8];
        if (name == NULL ||
            (strncmp(name, "/kairos", 7) != 0 && strncmp(name, "/libkairos", 10) != 0))
            continue;
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[2] == 'x') {
            own[own_count].begin = begin;
            own[own_count++].end = end;
        }
    }
}

static long long number(const char* name)
{
    const char* text = getenv(name);
    return text != NULL ? atoll(text) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char* whose = getenv("KAIROS_FAIL_WHOSE");
    only_own = whose != NULL && strcmp(whose, "own") == 0;
    if (only_own) find_own();
    fail_at = number("KAIROS_FAIL_AT");
    fail_from = number("KAIROS_FAIL_FROM");
    ready = true;
}

__attribute__((destructor)) static void end(void)
{
    const char* path = getenv("KAIROS_FAIL_COUNT");
    char text[32];
    ready = false;
    const int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0) return;
    const int n = snprintf(text, sizeof text, "%lld\n", (long long)calls);
    if (write(fd, text, (size_t)n) != n) _exit(99);
    close(fd);
}

static bool counts(uintptr_t caller)
{
    if (!only_own) return true;
    for (int i = 0; i < own_count; i++)
        if (caller >= own[i].begin && caller < own[i].end) return true;
    return false;
}

static bool fails(const void* caller)
{
    if (!ready || !counts((uintptr_t)caller)) return false;
    const long long n = atomic_fetch_add(&calls, 1) + 1;
    if (n != fail_at && (fail_from <= 0 || n < fail_from)) return false;
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

void* malloc(size_t bytes) { return fails(CALLER) ? NULL : __libc_malloc(bytes); }

void* calloc(size_t count, size_t bytes)
{
    return fails(CALLER) ? NULL : __libc_calloc(count, bytes);
}

void* realloc(void* block, size_t bytes)
{
    return fails(CALLER) ? NULL : __libc_realloc(block, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(CALLER) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** out, size_t alignment, size_t bytes)
{
    if (fails(CALLER)) return ENOMEM;
    *out = __libc_memalign(alignment, bytes);
    return *out != NULL ? 0 : ENOMEM;
}

void* mmap(void* at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
    static void* (*next)(void*, size_t, int, int, int, off_t);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "mmap");
    if ((flags & MAP_ANONYMOUS) != 0 && fails(CALLER)) return MAP_FAILED;
    return next(at, bytes, rights, flags, fd, offset);
}
