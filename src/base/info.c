// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/parallel.h"

#include <kairos/info.h>
#include <kairos/version.h>

#include <H5public.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

const char* kai_info_version(void) { return KAI_VERSION_STRING; }

// Texts that only the machine knows, found once.
static struct {
    char compiler[96], cpu[128], simd[128], threads[32], hdf5[32];
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_cpu(void)
{
    snprintf(found.cpu, sizeof found.cpu, "unknown");
    FILE* file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) return;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        const char* value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (value == NULL) continue;
        snprintf(found.cpu, sizeof found.cpu, "%.127s", value + 1 + strspn(value + 1, " "));
        found.cpu[strcspn(found.cpu, "\n")] = '\0';
        break;
    }
    fclose(file);
}

static void read_simd(void)
{
    found.simd[0] = '\0';
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
#define FEATURE(name)                 \
    if (__builtin_cpu_supports(name)) \
        strncat(found.simd, " " name, sizeof found.simd - strlen(found.simd) - 1);
    FEATURE("sse4.2")
    FEATURE("avx")
    FEATURE("fma")
    FEATURE("avx2")
    FEATURE("avx512f")
    FEATURE("avx512vl")
#undef FEATURE
#endif
    if (found.simd[0] == ' ') memmove(found.simd, found.simd + 1, strlen(found.simd));
    if (found.simd[0] == '\0') snprintf(found.simd, sizeof found.simd, "none known");
}

static void find_facts(void)
{
#if defined(__clang__)
    snprintf(found.compiler, sizeof found.compiler, "clang %s", __clang_version__);
#else
    snprintf(found.compiler, sizeof found.compiler, "gcc %s", __VERSION__);
#endif
    read_cpu();
    read_simd();
    snprintf(found.threads, sizeof found.threads, "%d", kai_parallel_hardware());
    snprintf(found.hdf5, sizeof found.hdf5, "%d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR,
             H5_VERS_RELEASE);
}

#ifndef KAIROS_HAVE_QHULL
#define KAIROS_HAVE_QHULL "not built"
#endif
#ifndef KAIROS_HAVE_GMSH
#define KAIROS_HAVE_GMSH "not built"
#endif
#ifndef KAIROS_HAVE_ASSIMP
#define KAIROS_HAVE_ASSIMP "not built"
#endif

kai_fact kai_info_fact(int i)
{
    pthread_once(&once, find_facts);
#if defined(__SANITIZE_ADDRESS__)
    static const char build[] = "address sanitizer";
#elif defined(NDEBUG)
    static const char build[] = "release";
#else
    static const char build[] = "debug, invariants checked";
#endif
#ifdef KAIROS_HAVE_LIBWEBSOCKETS
    static const char websockets[] = "libwebsockets " KAIROS_HAVE_LIBWEBSOCKETS;
#else
    static const char websockets[] = "not built";
#endif
    const kai_fact facts[] = {
        {"version", KAI_VERSION_STRING},
        {"compiler", found.compiler},
        {"build", build},
        {"cpu", found.cpu},
        {"simd", found.simd},
        {"threads", found.threads},
        {"hdf5", found.hdf5},
        {"jansson", JANSSON_VERSION},
        {"zlib", zlibVersion()},
        {"qhull", KAIROS_HAVE_QHULL},
        {"assimp", KAIROS_HAVE_ASSIMP},
        {"gmsh", KAIROS_HAVE_GMSH},
        {"websocket", websockets},
        {"mpi", "not built"},
        {"cuda", "not built"},
    };
    const int count = (int)(sizeof facts / sizeof facts[0]);
    return i >= 0 && i < count ? facts[i] : (kai_fact){NULL, NULL};
}
