// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// kairos-import FOLDER PARENT: started by the library, with a socket as descriptor 3.
#define _GNU_SOURCE // close_range
#include "import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Talking ----------------------------------------------------------------------------------------

void import_send(const void* bytes, size_t size)
{
    const char* at = bytes;
    while (size > 0) {
        const ssize_t n = write(KAI_IMPORT_SOCKET, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        at += n;
        size -= (size_t)n;
    }
}

void import_receive(void* bytes, size_t size)
{
    char* at = bytes;
    while (size > 0) {
        const ssize_t n = read(KAI_IMPORT_SOCKET, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        at += n;
        size -= (size_t)n;
    }
}

void import_head(kai_import_kind kind, uint64_t size)
{
    const kai_import_head head = {(uint32_t)kind, 0, size};
    import_send(&head, sizeof head);
}

_Noreturn void import_fail(char what, const char* format, ...)
{
    char text[KAI_IMPORT_TEXT];
    va_list args;
    text[0] = what;
    va_start(args, format);
    vsnprintf(text + 1, sizeof text - 1, format, args);
    va_end(args);
    import_head(KAI_IMPORT_FAILED, strlen(text));
    import_send(text, strlen(text));
    _exit(0);
}

// Memory -----------------------------------------------------------------------------------------

// Some readers go on after memory has ended, with what they have so far: half a shape would become
// the whole. So the end of memory is the end of the process.
static _Noreturn void no_memory(void)
{
    static bool told;
    if (told) _exit(1);
    told = true;
    import_fail(KAI_IMPORT_MEMORY, "no memory");
}

#ifdef __GLIBC__

// These stand before those of the C library, for all libraries of the process.
#define SHARED __attribute__((visibility("default")))

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static void* sure(void* block, size_t size)
{
    if (!block && size > 0) no_memory();
    return block;
}

SHARED void* malloc(size_t size) { return sure(__libc_malloc(size), size); }
SHARED void* calloc(size_t count, size_t size)
{
    return sure(__libc_calloc(count, size), count > 0 ? size : 0);
}
SHARED void* realloc(void* block, size_t size) { return sure(__libc_realloc(block, size), size); }
SHARED void* aligned_alloc(size_t alignment, size_t size)
{
    return sure(__libc_memalign(alignment, size), size);
}
SHARED int posix_memalign(void** out, size_t alignment, size_t size)
{
    *out = sure(__libc_memalign(alignment, size), size);
    return 0;
}

#endif

// Work -------------------------------------------------------------------------------------------

static void close_others(void)
{
#ifdef __linux__
    if (close_range(KAI_IMPORT_SOCKET + 1, ~0u, 0) == 0) return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int k = KAI_IMPORT_SOCKET + 1; k < (most > 0 && most < 65536 ? most : 65536); k++)
        close(k);
}

static _Noreturn void tell_layers(const import_layers* layers)
{
    char text[KAI_IMPORT_TEXT], landlock[32] = "";
    if (layers->landlock > 0)
        snprintf(landlock, sizeof landlock, ", landlock %d", layers->landlock);
    snprintf(text, sizeof text, "seccomp%s%s%s", landlock, layers->namespaces ? ", namespaces" : "",
             layers->chroot ? ", chroot" : "");
    import_head(KAI_IMPORT_LAYERS, strlen(text));
    import_send(text, strlen(text));
    _exit(0);
}

int main(int argc, char** argv)
{
    kai_import_request request;
    import_layers layers = {0};
    struct stat status;
    if (argc != 3 || fstat(KAI_IMPORT_SOCKET, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        fputs("kairos-import is started by Kairos to read a file; it is of no use by itself\n",
              stderr);
        return 2;
    }
    close_others();
    umask(077);
    import_receive(&request, sizeof request);
    if (memcmp(request.magic, KAI_IMPORT_MAGIC, sizeof request.magic) != 0 ||
        request.format >= KAI_IMPORT_FORMATS || chdir(argv[1]) != 0)
        import_fail(KAI_IMPORT_MISSING, "kairos-import is of another version than Kairos");
    const bool gmsh = request.format >= KAI_IMPORT_STEP && request.format <= KAI_IMPORT_MSH;
    import_contain_begin(&layers);
    if (gmsh) import_gmsh_load();
    import_contain_end(&layers, &request, gmsh || request.format == KAI_IMPORT_NONE, atol(argv[2]));

    // From here on, bytes of a stranger.
    if (request.format == KAI_IMPORT_NONE) tell_layers(&layers);
    if (gmsh) import_gmsh_read(&request);
    char* bytes = malloc((size_t)request.bytes + 1);
    if (!bytes) import_fail(KAI_IMPORT_MEMORY, "no memory");
    import_receive(bytes, (size_t)request.bytes);
    import_assimp_read(&request, bytes);
}
