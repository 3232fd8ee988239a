// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Rays in packets of 16, side by side in SIMD lanes: a box or a triangle is read once for all of
// them. What a ray finds does not depend on the others of its packet, to the last bit: lanes share
// no sum, and boxes are tested so that none is left out by rounding.
//
// Boxes are floats about a point of their tree, tested in float. A ray begins where it enters the
// box around all of them, so that numbers stay as small as the tree; boxes are grown by SLACK times
// its size, which is 16 times what rounding to float can lose. Triangles are tested in double, from
// the ray's own origin.
//
// Files that include this are compiled without fused multiply-adds (CMakeLists.txt): the same
// formula then gives the same bits in every clone (base/simd.h), and one ray alone what it gives in
// a packet.
#ifndef GEOMETRY_RAY_PACKET_H
#define GEOMETRY_RAY_PACKET_H

#include "base/simd.h"

#include <kairos/math.h>

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KAI_RAY_LANES = 16 };

/// Rays in the frame of what is asked, and what they have met.
typedef struct kai_ray_packet {
    double origin[3][KAI_RAY_LANES];
    double direction[3][KAI_RAY_LANES]; // of length 1
    double limit[KAI_RAY_LANES];        // how far to look; < 0: the lane is not in use
    double distance[KAI_RAY_LANES];     // HUGE_VAL: nothing yet; never more than the limit
    uint64_t triangle[KAI_RAY_LANES];   // that was met; UINT64_MAX: nothing
} kai_ray_packet;

/// The same rays as boxes see them.
typedef struct kai_ray_boxes {
    float low_from[3][KAI_RAY_LANES];  // origin and slack, to be subtracted from a box's low side
    float high_from[3][KAI_RAY_LANES]; // and from its high side
    float inverse[3][KAI_RAY_LANES];   // 1 / direction, at most 1e30
    float limit[KAI_RAY_LANES];        // from `shift` on; < 0: not in use
    double shift[KAI_RAY_LANES];       // distance at which the ray begins
} kai_ray_boxes;

/// Prepares rays, which look as far as `limit` (< 0: not in use), for boxes inside of [low, high]
/// about `about`.
KAI_INLINE void kai_ray_boxes_make(kai_ray_boxes* b, const kai_ray_packet* p, const double* limit,
                                   const float low[3], const float high[3], kai_vec3 about)
{
    const double at[3] = {about.x, about.y, about.z};
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fabs((double)low[k]), fabs((double)high[k])));
    const double slack = 1e-6 * size + 1e-30;
#pragma omp simd
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        double near = 0.0, far = limit[l], inverse[3], from[3];
        for (int k = 0; k < 3; k++) {
            const double d = p->direction[k][l];
            inverse[k] = fabs(d) > 1e-30 ? 1.0 / d : d < 0.0 ? -1e30 : 1e30;
            from[k] = p->origin[k][l] - at[k];
            const double a = ((double)low[k] - slack - from[k]) * inverse[k];
            const double c = ((double)high[k] + slack - from[k]) * inverse[k];
            const double enter = a < c ? a : c, leave = a < c ? c : a;
            near = enter > near ? enter : near;
            far = leave < far ? leave : far;
        }
        const bool meets = near <= far * (1.0 + 1e-6);
        b->shift[l] = near;
        // Finite, so that no box that is missed (INFINITY) counts as near enough.
        const double way = (limit[l] - near) * (1.0 + 1e-6);
        b->limit[l] = meets ? (float)(way < (double)FLT_MAX ? way : (double)FLT_MAX) : -1.0f;
        for (int k = 0; k < 3; k++) {
            const double here = meets ? from[k] + near * p->direction[k][l] : 0.0;
            b->low_from[k][l] = (float)(here + slack);
            b->high_from[k][l] = (float)(here - slack);
            b->inverse[k][l] = (float)inverse[k];
        }
    }
}

/// Where the first of the rays enters a box, from `shift` on; INFINITY: none does within its limit.
KAI_INLINE float kai_ray_boxes_meet(const kai_ray_boxes* b, const float low[3], const float high[3])
{
    float first = INFINITY;
#pragma omp simd reduction(min : first)
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        float enter = 0.0f, leave = b->limit[l];
        for (int k = 0; k < 3; k++) {
            const float x = (low[k] - b->low_from[k][l]) * b->inverse[k][l];
            const float y = (high[k] - b->high_from[k][l]) * b->inverse[k][l];
            const float near = x < y ? x : y, far = x < y ? y : x;
            enter = near > enter ? near : enter;
            leave = far < leave ? far : leave;
        }
        const float met = enter <= leave * (1.0f + 1e-6f) ? enter : INFINITY;
        first = met < first ? met : first;
    }
    return first;
}

/// Takes what rays have found as how far they still look; the longest such way is returned.
KAI_INLINE float kai_ray_boxes_shrink(kai_ray_boxes* b, const double* distance)
{
    float most = -1.0f;
#pragma omp simd reduction(max : most)
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        // Not below 0: others at the very same distance are still of interest.
        const float way = (float)((distance[l] - b->shift[l]) * (1.0 + 1e-6));
        const float limit = way > 0.0f ? way : 0.0f;
        b->limit[l] = limit < b->limit[l] ? limit : b->limit[l];
        most = b->limit[l] > most ? b->limit[l] : most;
    }
    return most;
}

/// Forgets what was found.
KAI_INLINE void kai_ray_packet_clear(kai_ray_packet* p)
{
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        p->distance[l] = HUGE_VAL;
        p->triangle[l] = UINT64_MAX;
    }
}

/// A packet of one ray, its direction made length 1: how many of its length that is.
static inline double kai_ray_packet_one(kai_ray_packet* p, kai_vec3 origin, kai_vec3 direction,
                                        double limit)
{
    const double length = kai_vec3_norm(direction);
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        for (int k = 0; k < 3; k++) {
            p->origin[k][l] = kai_vec3_get(origin, k);
            p->direction[k][l] = kai_vec3_get(direction, k) / length;
        }
        p->limit[l] = l == 0 && length > 0.0 ? limit * length : -1.0;
    }
    kai_ray_packet_clear(p);
    return length;
}

// Triangles --------------------------------------------------------------------------------------

/// Rays of a packet whose direction is longest along one axis, z: axes are turned and sheared so that
/// the ray is the z axis, and the signs of three edge functions of the projected triangle decide. An
/// edge shared by two triangles gives the same number, with the other sign, in both, so that no ray
/// slips between them. (S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, JCGT 2
/// (2013) 65–82.)
typedef struct kai_ray_shear {
    int x, y, z;
    double sx[KAI_RAY_LANES], sy[KAI_RAY_LANES], sz[KAI_RAY_LANES];
    double limit[KAI_RAY_LANES]; // < 0: not in use, or its direction is longest along another axis
} kai_ray_shear;

/// The shear of rays along an axis. False when there is none.
KAI_INLINE bool kai_ray_shear_make(kai_ray_shear* s, const kai_ray_packet* p, int axis)
{
    s->z = axis;
    s->x = (axis + 1) % 3;
    s->y = (axis + 2) % 3;
    bool any = false;
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        const double x = fabs(p->direction[0][l]), y = fabs(p->direction[1][l]),
                     z = fabs(p->direction[2][l]);
        const int longest = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
        const bool mine = longest == axis && p->limit[l] >= 0.0;
        const double d = mine ? p->direction[axis][l] : 1.0;
        s->sx[l] = p->direction[s->x][l] / d;
        s->sy[l] = p->direction[s->y][l] / d;
        s->sz[l] = 1.0 / d;
        s->limit[l] = mine ? p->limit[l] : -1.0;
        any = any || mine;
    }
    return any;
}

/// Tries a triangle; of several at the same distance the lowest number stays. True when some ray has
/// met it before all others.
KAI_INLINE bool kai_ray_shear_try(const kai_ray_shear* s, kai_ray_packet* p, uint64_t triangle,
                                  const kai_vec3 corners[3])
{
    double w[3][KAI_RAY_LANES], z[3][KAI_RAY_LANES];
    double c[3][3];
    for (int k = 0; k < 3; k++) {
        c[k][0] = kai_vec3_get(corners[k], s->x);
        c[k][1] = kai_vec3_get(corners[k], s->y);
        c[k][2] = kai_vec3_get(corners[k], s->z);
    }
    const double *ox = p->origin[s->x], *oy = p->origin[s->y], *oz = p->origin[s->z];
    double any = -1.0;
#pragma omp simd reduction(max : any)
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        double x[3], y[3];
        for (int k = 0; k < 3; k++) {
            z[k][l] = c[k][2] - oz[l];
            x[k] = (c[k][0] - ox[l]) - s->sx[l] * z[k][l];
            y[k] = (c[k][1] - oy[l]) - s->sy[l] * z[k][l];
        }
        const double w0 = x[2] * y[1] - y[2] * x[1];
        const double w1 = x[0] * y[2] - y[0] * x[2];
        const double w2 = x[1] * y[0] - y[1] * x[0];
        w[0][l] = w0;
        w[1][l] = w1;
        w[2][l] = w2;
        const double least = w0 < w1 ? (w0 < w2 ? w0 : w2) : (w1 < w2 ? w1 : w2);
        const double most = w0 > w1 ? (w0 > w2 ? w0 : w2) : (w1 > w2 ? w1 : w2);
        double inside = least >= 0.0 ? s->limit[l] : -1.0;
        inside = most <= 0.0 ? s->limit[l] : inside;
        any = inside > any ? inside : any;
    }
    if (any < 0.0) return false;
    double nearer = 0.0;
#pragma omp simd reduction(max : nearer)
    for (int l = 0; l < KAI_RAY_LANES; l++) {
        const double w0 = w[0][l], w1 = w[1][l], w2 = w[2][l];
        const double least = w0 < w1 ? (w0 < w2 ? w0 : w2) : (w1 < w2 ? w1 : w2);
        const double most = w0 > w1 ? (w0 > w2 ? w0 : w2) : (w1 > w2 ? w1 : w2);
        const double sum = w0 + w1 + w2;
        const double d = s->sz[l] * (w0 * z[0][l] + w1 * z[1][l] + w2 * z[2][l]) / sum;
        const bool inside = (least >= 0.0) | (most <= 0.0);
        // Seen edge on, the sum is 0 and the distance no number.
        const bool within = (d >= 0.0) & (d <= s->limit[l]);
        const bool before =
            (d < p->distance[l]) | ((d == p->distance[l]) & (triangle < p->triangle[l]));
        const bool hit = inside & (sum != 0.0) & within & before;
        p->distance[l] = hit ? d : p->distance[l];
        p->triangle[l] = hit ? triangle : p->triangle[l];
        nearer = hit ? 1.0 : nearer;
    }
    return nearer > 0.0;
}

#endif
