// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Vectors in space and bodies, WIDE of them at once (base/wide.h).
//
// Bodies lie as lines of eight numbers. Gathering one number of many bodies is a transposition: two
// numbers (16 bytes) of each body are loaded, put together, and unpacked. Half of the work needs no
// shuffle unit that way.
#ifndef SOLVE_CONE_WIDE_H
#define SOLVE_CONE_WIDE_H

#include "base/wide.h"
#include "solve/cone.h"

/// A number of many vectors.
typedef struct wide3 {
    wide x, y, z;
} wide3;

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
    const wide even = wide_join(line, offset), odd = wide_join(line + 1, offset);
    *low = wide_low(even, odd);
    *high = wide_high(even, odd);
}

KAI_INLINE void wide_two_back(double* const* line, int offset, wide low, wide high)
{
    wide_part(line, offset, wide_low(low, high));
    wide_part(line + 1, offset, wide_high(low, high));
}

/// Without the masses.
KAI_INLINE wide_motion wide_gather_speed(const double* base, const uint32_t* index)
{
    const double* line[WIDE];
    for (int k = 0; k < WIDE; k++) line[k] = base + index[k];
    wide_motion m = {.mass = wide_set(0.0), .moment = wide_set(0.0)};
    wide_two_rows(line, 0, &m.v.x, &m.v.y);
    wide_two_rows(line, 2, &m.v.z, &m.w.x);
    wide_two_rows(line, 4, &m.w.y, &m.w.z);
    return m;
}

KAI_INLINE wide_motion wide_gather(const double* base, const uint32_t* index)
{
    const double* line[WIDE];
    for (int k = 0; k < WIDE; k++) line[k] = base + index[k];
    wide_motion m;
    wide_two_rows(line, 0, &m.v.x, &m.v.y);
    wide_two_rows(line, 2, &m.v.z, &m.w.x);
    wide_two_rows(line, 4, &m.w.y, &m.w.z);
    wide_two_rows(line, 6, &m.mass, &m.moment);
    return m;
}

/// Without turning: w.x comes along, as it lies beside v.z.
KAI_INLINE wide_motion wide_gather_straight(const double* base, const uint32_t* index)
{
    const double* line[WIDE];
    for (int k = 0; k < WIDE; k++) line[k] = base + index[k];
    wide_motion m = {.w = {wide_set(0.0), wide_set(0.0), wide_set(0.0)}};
    wide_two_rows(line, 0, &m.v.x, &m.v.y);
    wide_two_rows(line, 2, &m.v.z, &m.w.x);
    wide_two_rows(line, 6, &m.mass, &m.moment);
    return m;
}

KAI_INLINE void wide_scatter_straight(double* base, const uint32_t* index, const wide_motion* m)
{
    double* line[WIDE];
    for (int k = 0; k < WIDE; k++) line[k] = base + index[k];
    wide_two_back(line, 0, m->v.x, m->v.y);
    wide_two_back(line, 2, m->v.z, m->w.x);
}

KAI_INLINE void wide_scatter(double* base, const uint32_t* index, const wide_motion* m)
{
    double* line[WIDE];
    for (int k = 0; k < WIDE; k++) line[k] = base + index[k];
    wide_two_back(line, 0, m->v.x, m->v.y);
    wide_two_back(line, 2, m->v.z, m->w.x);
    wide_two_back(line, 4, m->w.y, m->w.z);
}

#endif
