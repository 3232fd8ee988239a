// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One binary for every x86-64 machine: KAI_CLONES goes before a hot loop. The function is compiled
// several times, and the loader takes the version that fits the CPU. Functions it calls must be
// KAI_INLINE, so that they are compiled along. Loops inside are plain C under `#pragma omp simd`:
// vector types would be cut into 16-byte pieces before the clones are made (GCC 12; measured 2.4
// times slower than scalar code).
//
// A clone may call another: cmake/KairosFlags.cmake leaves out what GCC 12 gets wrong there.
//
// Sanitizer builds do without clones (their start-up code runs too late), and so does clang.
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(KAIROS_NO_TARGET_CLONES)
#define KAI_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define KAI_CLONES
#endif

#define KAI_INLINE static inline __attribute__((always_inline))

/// Numbers of eight things, by component, become rows, one a thing; `width` is 4 or 8. Written so
/// that GCC makes shuffles of it: a store with a stride would be cut into single numbers, and
/// whoever loads the row next would wait for all of them.
KAI_INLINE void kai_simd_rows(const double (*restrict from)[8], double* restrict to, int width)
{
#pragma omp simd
    for (int k = 0; k < width; k++) {
        to[k] = from[k][0];
        to[width + k] = from[k][1];
        to[2 * width + k] = from[k][2];
        to[3 * width + k] = from[k][3];
        to[4 * width + k] = from[k][4];
        to[5 * width + k] = from[k][5];
        to[6 * width + k] = from[k][6];
        to[7 * width + k] = from[k][7];
    }
}

#endif
