// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors as wide as the CPU that a file is compiled for has them, one element a lane. Formulas
// read as plain C; what C has no operator for is here. Include it after `#pragma GCC target`.
#ifndef FEA_WIDE_H
#define FEA_WIDE_H

#include "base/simd.h"

#include <math.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { WIDE = 8 };
typedef double wide __attribute__((vector_size(64)));

KAI_INLINE wide wide_sqrt(wide a) { return _mm512_sqrt_pd(a); }

#elif defined(__AVX__)
enum { WIDE = 4 };
typedef double wide __attribute__((vector_size(32)));

KAI_INLINE wide wide_sqrt(wide a) { return _mm256_sqrt_pd(a); }

#else
enum { WIDE = 2 };
typedef double wide __attribute__((vector_size(16)));

KAI_INLINE wide wide_sqrt(wide a) { return (wide){sqrt(a[0]), sqrt(a[1])}; }
#endif

KAI_INLINE wide wide_dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
