// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors as wide as the CPU that a file is compiled for has them: 8, 4 or 2 numbers. Formulas read
// as plain C; what C has no operator for is here. All of it must be compiled for that CPU, so it is
// included after `#pragma GCC target` and inlined: GCC 12 cuts vectors of other functions into
// pieces of 16 bytes.
//
// Bodies lie as lines of eight numbers. Gathering one number of many bodies is a transposition: two
// numbers (16 bytes) of each body are loaded, put together, and unpacked. Half of the work needs no
// shuffle unit that way.
#ifndef SOLVE_CONE_WIDE_H
#define SOLVE_CONE_WIDE_H

#include "base/simd.h"
#include "solve/cone.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double wide_pair __attribute__((vector_size(16)));

#if defined(__AVX512F__)
enum { WIDE = 8 };
typedef double wide_quad __attribute__((vector_size(32)));
typedef double wide __attribute__((vector_size(64)));
#define WIDE_LOW  0, 8, 2, 10, 4, 12, 6, 14
#define WIDE_HIGH 1, 9, 3, 11, 5, 13, 7, 15

KAI_INLINE wide wide_set(double x) { return _mm512_set1_pd(x); }
KAI_INLINE wide wide_max(wide a, wide b) { return _mm512_max_pd(a, b); }
KAI_INLINE wide wide_sqrt(wide a) { return _mm512_sqrt_pd(a); }
/// a > b ? x : y
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_GT_OQ), y, x);
}
KAI_INLINE wide wide_join(const wide_pair* p)
{
    const wide_quad low = __builtin_shufflevector(p[0], p[2], 0, 1, 2, 3);
    const wide_quad high = __builtin_shufflevector(p[4], p[6], 0, 1, 2, 3);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
KAI_INLINE void wide_split(wide x, wide_pair* p)
{
    const wide_quad low = __builtin_shufflevector(x, x, 0, 1, 2, 3);
    const wide_quad high = __builtin_shufflevector(x, x, 4, 5, 6, 7);
    p[0] = __builtin_shufflevector(low, low, 0, 1);
    p[2] = __builtin_shufflevector(low, low, 2, 3);
    p[4] = __builtin_shufflevector(high, high, 0, 1);
    p[6] = __builtin_shufflevector(high, high, 2, 3);
}

#elif defined(__AVX__)
enum { WIDE = 4 };
typedef double wide __attribute__((vector_size(32)));
#define WIDE_LOW  0, 4, 2, 6
#define WIDE_HIGH 1, 5, 3, 7

KAI_INLINE wide wide_set(double x) { return _mm256_set1_pd(x); }
KAI_INLINE wide wide_max(wide a, wide b) { return _mm256_max_pd(a, b); }
KAI_INLINE wide wide_sqrt(wide a) { return _mm256_sqrt_pd(a); }
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_GT_OQ));
}
KAI_INLINE wide wide_join(const wide_pair* p)
{
    return __builtin_shufflevector(p[0], p[2], 0, 1, 2, 3);
}
KAI_INLINE void wide_split(wide x, wide_pair* p)
{
    p[0] = __builtin_shufflevector(x, x, 0, 1);
    p[2] = __builtin_shufflevector(x, x, 2, 3);
}

#else
enum { WIDE = 2 };
typedef wide_pair wide;
#define WIDE_LOW  0, 2
#define WIDE_HIGH 1, 3

KAI_INLINE wide wide_set(double x) { return (wide){x, x}; }
KAI_INLINE wide wide_max(wide a, wide b)
{
    return (wide){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
KAI_INLINE wide wide_sqrt(wide a) { return (wide){sqrt(a[0]), sqrt(a[1])}; }
KAI_INLINE wide wide_if_greater(wide a, wide b, wide x, wide y)
{
    return (wide){a[0] > b[0] ? x[0] : y[0], a[1] > b[1] ? x[1] : y[1]};
}
KAI_INLINE wide wide_join(const wide_pair* p) { return p[0]; }
KAI_INLINE void wide_split(wide x, wide_pair* p) { p[0] = x; }
#endif

/// A number of many vectors.
typedef struct wide3 {
    wide x, y, z;
} wide3;

KAI_INLINE wide wide_at(const double* p) { return *(const wide*)p; }
KAI_INLINE void wide_put(double* p, wide x) { *(wide*)p = x; }

KAI_INLINE wide3 wide3_at(const double* p, int stride)
{
    return (wide3){wide_at(p), wide_at(p + stride), wide_at(p + 2 * stride)};
}
KAI_INLINE void wide3_put(double* p, int stride, wide3 v)
{
    wide_put(p, v.x);
    wide_put(p + stride, v.y);
    wide_put(p + 2 * stride, v.z);
}
KAI_INLINE wide3 wide3_add(wide3 a, wide3 b) { return (wide3){a.x + b.x, a.y + b.y, a.z + b.z}; }
KAI_INLINE wide3 wide3_sub(wide3 a, wide3 b) { return (wide3){a.x - b.x, a.y - b.y, a.z - b.z}; }
KAI_INLINE wide3 wide3_scale(wide3 a, wide s) { return (wide3){a.x * s, a.y * s, a.z * s}; }
/// a + b s
KAI_INLINE wide3 wide3_mul_add(wide3 a, wide3 b, wide s)
{
    return (wide3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}
/// a - b s
KAI_INLINE wide3 wide3_mul_sub(wide3 a, wide3 b, wide s)
{
    return (wide3){a.x - b.x * s, a.y - b.y * s, a.z - b.z * s};
}
KAI_INLINE wide wide3_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KAI_INLINE wide3 wide3_cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Symmetric matrices: xx yy zz xy xz yz, rows `stride` apart.
KAI_INLINE wide3 wide3_symmetric(const double* m, int stride, wide3 v)
{
    const wide xx = wide_at(m), yy = wide_at(m + stride), zz = wide_at(m + 2 * stride);
    const wide xy = wide_at(m + 3 * stride), xz = wide_at(m + 4 * stride);
    const wide yz = wide_at(m + 5 * stride);
    return (wide3){xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
                   xz * v.x + yz * v.y + zz * v.z};
}

/// The same number of WIDE bodies, or of as many contacts.
typedef struct wide_motion {
    wide3 v, w;
    wide mass, moment; // inverse
} wide_motion;

KAI_INLINE void wide_two_rows(const double* const* line, int offset, wide* low, wide* high)
{
    wide_pair p[WIDE];
    for (int k = 0; k < WIDE; k++) p[k] = *(const wide_pair*)(line[k] + offset);
    const wide even = wide_join(p), odd = wide_join(p + 1);
    *low = __builtin_shufflevector(even, odd, WIDE_LOW);
    *high = __builtin_shufflevector(even, odd, WIDE_HIGH);
}

KAI_INLINE void wide_two_back(double* const* line, int offset, wide low, wide high)
{
    wide_pair p[WIDE + 1];
    wide_split(__builtin_shufflevector(low, high, WIDE_LOW), p);
    wide_split(__builtin_shufflevector(low, high, WIDE_HIGH), p + 1);
    for (int k = 0; k < WIDE; k++) *(wide_pair*)(line[k] + offset) = p[k];
}

/// Without the masses.
KAI_INLINE wide_motion wide_gather_speed(const double* const* line)
{
    wide_motion m = {.mass = wide_set(0.0), .moment = wide_set(0.0)};
    wide_two_rows(line, 0, &m.v.x, &m.v.y);
    wide_two_rows(line, 2, &m.v.z, &m.w.x);
    wide_two_rows(line, 4, &m.w.y, &m.w.z);
    return m;
}

KAI_INLINE wide_motion wide_gather(const double* const* line)
{
    wide_motion m = wide_gather_speed(line);
    wide_two_rows(line, 6, &m.mass, &m.moment);
    return m;
}

KAI_INLINE void wide_scatter(double* const* line, const wide_motion* m)
{
    wide_two_back(line, 0, m->v.x, m->v.y);
    wide_two_back(line, 2, m->v.z, m->w.x);
    wide_two_back(line, 4, m->w.y, m->w.z);
}

#endif
