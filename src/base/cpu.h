// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Kernels that are compiled once per generation of CPUs, and chosen where they are called. A kernel
// is a header with its loops; <kernel>.c takes it in as it is, <kernel>_v3.c after
//
//     #pragma GCC target("avx2,fma")                                   x86-64-v3
//
// and <kernel>_v4.c after
//
//     #pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw") x86-64-v4
//
// Unlike functions with KAI_CLONES (base/simd.h) they may hold vectors (base/wide.h) and many
// functions, and the loader has no part in the choice.
#ifndef BASE_CPU_H
#define BASE_CPU_H

// GCC on x86-64 makes all of them; others, the plain one.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define KAI_CPU_GENERATIONS

/// 4 with AVX-512, 3 with AVX2, else 2.
static inline int kai_cpu_generation(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return 4;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 3 : 2;
}

/// The one of three kernels (functions or addresses of tables) for this CPU.
#define KAI_CPU_BEST(plain, v3, v4) \
    (kai_cpu_generation() == 4 ? (v4) : kai_cpu_generation() == 3 ? (v3) : (plain))
#else
#define KAI_CPU_BEST(plain, v3, v4) (plain)
#endif

#endif
