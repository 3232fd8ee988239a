// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors as wide as the CPU that a file is compiled for has them: 8, 4 or 2 numbers. Formulas read
// as plain C; what C has no operator for is here. All of it must be compiled for that CPU, so it is
// included after `#pragma GCC target` (base/cpu.h) and inlined: GCC 12 cuts vectors of other
// functions into pieces of 16 bytes.
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include "base/simd.h"

#include <math.h>
#include <stdbool.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { WIDE = 8 };
typedef double wide __attribute__((vector_size(64)));

KAI_INLINE wide wide_set(double x) { return _mm512_set1_pd(x); }
KAI_INLINE wide wide_max(wide a, wide b) { return _mm512_max_pd(a, b); }
KAI_INLINE wide wide_sqrt(wide a) { return _mm512_sqrt_pd(a); }
KAI_INLINE wide wide_min(wide a, wide b) { return _mm512_min_pd(a, b); }
/// 1 / √a in two steps: 14 bits, and from them all but the last one or two; not finite at 0. Less
/// than half of the time of a root and a division. The series of (1 - e)^-½, to e³ = 2^-39.
KAI_INLINE wide wide_inverse_sqrt_rough(wide a) { return _mm512_rsqrt14_pd(a); }
KAI_INLINE wide wide_inverse_sqrt_fine(wide a, wide rough)
{
    const wide e = 1.0 - a * rough * rough;
    return rough + rough * e * (0.5 + e * (0.375 + e * 0.3125));
}
/// 1 / a likewise, from 13 bits or more.
KAI_INLINE wide wide_inverse_rough(wide a) { return _mm512_rcp14_pd(a); }
KAI_INLINE wide wide_inverse_fine(wide a, wide rough)
{
    const wide e = 1.0 - a * rough, r = rough + rough * e;
    return r + r * (e * e);
}
/// a > b ? x : y
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_GT_OQ), y, x);
}
/// Whether a > b somewhere.
KAI_INLINE bool wide_any_greater(wide a, wide b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ) != 0;
}
KAI_INLINE wide wide_low(wide a, wide b) { return _mm512_unpacklo_pd(a, b); }
KAI_INLINE wide wide_high(wide a, wide b) { return _mm512_unpackhi_pd(a, b); }
/// Two numbers each of every second line.
KAI_INLINE wide wide_join(const double* const* line, int offset)
{
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(line[0] + offset)),
                                             _mm_load_pd(line[2] + offset), 1);
    const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(line[4] + offset)),
                                              _mm_load_pd(line[6] + offset), 1);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
KAI_INLINE void wide_part(double* const* line, int offset, wide x)
{
    const __m256d low = _mm512_castpd512_pd256(x), high = _mm512_extractf64x4_pd(x, 1);
    _mm_store_pd(line[0] + offset, _mm256_castpd256_pd128(low));
    _mm_store_pd(line[2] + offset, _mm256_extractf128_pd(low, 1));
    _mm_store_pd(line[4] + offset, _mm256_castpd256_pd128(high));
    _mm_store_pd(line[6] + offset, _mm256_extractf128_pd(high, 1));
}

#elif defined(__AVX__)
enum { WIDE = 4 };
typedef double wide __attribute__((vector_size(32)));

KAI_INLINE wide wide_set(double x) { return _mm256_set1_pd(x); }
KAI_INLINE wide wide_max(wide a, wide b) { return _mm256_max_pd(a, b); }
KAI_INLINE wide wide_sqrt(wide a) { return _mm256_sqrt_pd(a); }
KAI_INLINE wide wide_min(wide a, wide b) { return _mm256_min_pd(a, b); }
KAI_INLINE wide wide_inverse_sqrt_rough(wide a) { return 1.0 / _mm256_sqrt_pd(a); }
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_GT_OQ));
}
KAI_INLINE bool wide_any_greater(wide a, wide b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ)) != 0;
}
KAI_INLINE wide wide_low(wide a, wide b) { return _mm256_unpacklo_pd(a, b); }
KAI_INLINE wide wide_high(wide a, wide b) { return _mm256_unpackhi_pd(a, b); }
KAI_INLINE wide wide_join(const double* const* line, int offset)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(line[0] + offset)),
                                _mm_load_pd(line[2] + offset), 1);
}
KAI_INLINE void wide_part(double* const* line, int offset, wide x)
{
    _mm_store_pd(line[0] + offset, _mm256_castpd256_pd128(x));
    _mm_store_pd(line[2] + offset, _mm256_extractf128_pd(x, 1));
}

#else
enum { WIDE = 2 };
typedef double wide __attribute__((vector_size(16)));

KAI_INLINE wide wide_set(double x) { return (wide){x, x}; }
KAI_INLINE wide wide_max(wide a, wide b)
{
    return (wide){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
KAI_INLINE wide wide_sqrt(wide a) { return (wide){sqrt(a[0]), sqrt(a[1])}; }
KAI_INLINE wide wide_min(wide a, wide b)
{
    return (wide){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}
KAI_INLINE wide wide_inverse_sqrt_rough(wide a)
{
    return (wide){1.0 / sqrt(a[0]), 1.0 / sqrt(a[1])};
}
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return (wide){a[0] > b[0] ? x[0] : y[0], a[1] > b[1] ? x[1] : y[1]};
}
KAI_INLINE bool wide_any_greater(wide a, wide b) { return a[0] > b[0] || a[1] > b[1]; }
KAI_INLINE wide wide_low(wide a, wide b) { return (wide){a[0], b[0]}; }
KAI_INLINE wide wide_high(wide a, wide b) { return (wide){a[1], b[1]}; }
KAI_INLINE wide wide_join(const double* const* line, int offset)
{
    return *(const wide*)(line[0] + offset);
}
KAI_INLINE void wide_part(double* const* line, int offset, wide x)
{
    *(wide*)(line[0] + offset) = x;
}
#endif

#if !defined(__AVX512F__)
// Nothing rough here that would be worth its while.
KAI_INLINE wide wide_inverse_sqrt_fine(wide a, wide rough)
{
    (void)a;
    return rough;
}
KAI_INLINE wide wide_inverse_rough(wide a) { return a; }
KAI_INLINE wide wide_inverse_fine(wide a, wide rough)
{
    (void)rough;
    return 1.0 / a;
}
#endif

KAI_INLINE wide wide_inverse_sqrt(wide a)
{
    return wide_inverse_sqrt_fine(a, wide_inverse_sqrt_rough(a));
}

typedef float wide_float __attribute__((vector_size(WIDE * sizeof(float)), aligned(8)));

/// Numbers of 4 bytes.
KAI_INLINE wide wide_at_float(const float* p)
{
    return __builtin_convertvector(*(const wide_float*)p, wide);
}
KAI_INLINE void wide_put_float(float* p, wide x)
{
    *(wide_float*)p = __builtin_convertvector(x, wide_float);
}

KAI_INLINE wide wide_at(const double* p) { return *(const wide*)p; }
KAI_INLINE void wide_put(double* p, wide x) { *(wide*)p = x; }

KAI_INLINE wide wide_dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
